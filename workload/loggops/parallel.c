/* workload/loggops/parallel.c - LogGOPS on the parallel engine.
 *
 * A process keeps the pending events of its ranks in a heap. One event of the engine wakes a process at the time of the
 * first; messages from other processes arrive as events. Changes by a handler are journaled word by word.
 *
 * Operations that wait for the same clocks, except the first (waiting.h), are in a leftist heap: a binary tree in which
 * each node precedes those below it, and the rightmost path is a shortest one. Two heaps are merged by changing O(log
 * n) words, even if merges are often undone. Each operation and each message has a node. */
#include "workload/loggops/model.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define SET(s, at, value) sim_set((s)->ctx, at, value)
#define TRACED(m) ((m)->trace != NULL)
#define AS_REFERENCE(m) ((m)->as_reference)
#include "workload/loggops/rules.h"

#define OTHERS size_t /* the root, a node; 0: none */
#include "workload/loggops/waiting.h"

struct node {
	struct pending pending;
	size_t left, right;
	uint32_t length; /* of the path to the right, in nodes */
};

struct wl_loggops_lists {
	struct clock_waiting *waiting; /* [ranks][kinds_of_waiting()] */
	struct node *node;             /* [1 + ops + places]; the first is none, of length 0 */
	size_t waitings, nodes;
};

/* --- the heap of a process --------------------------------------------------------------------------------- */

static void push_pending(const struct step *s, struct pending p)
{
	struct loggops_lp *lp = &s->m->lp[s->lp];
	struct pending *heap = s->m->pending + s->m->first_pending[s->lp];
	uint32_t i = lp->n;
	sim_set(s->ctx, &lp->n, lp->n + 1);
	for (; i && before(&p, &heap[(i - 1) / 2]); i = (i - 1) / 2)
		sim_set(s->ctx, &heap[i], heap[(i - 1) / 2]);
	sim_set(s->ctx, &heap[i], p);
}

static struct pending pop_pending(const struct step *s)
{
	struct loggops_lp *lp = &s->m->lp[s->lp];
	struct pending *heap = s->m->pending + s->m->first_pending[s->lp], first = heap[0];
	sim_set(s->ctx, &lp->n, lp->n - 1);
	uint32_t n = lp->n, i = 0, k;
	struct pending last = heap[n];
	while ((k = 2 * i + 1) < n) {
		k += k + 1 < n && before(&heap[k + 1], &heap[k]);
		if (!before(&heap[k], &last))
			break;
		sim_set(s->ctx, &heap[i], heap[k]);
		i = k;
	}
	sim_set(s->ctx, &heap[i], last);
	return first;
}

/* --- what waits for clocks ---------------------------------------------------------------------------------- */

static void swap(size_t *a, size_t *b)
{
	size_t c = *a;
	*a = *b;
	*b = c;
}

static size_t merge_heaps(const struct step *s, size_t a, size_t b)
{
	struct node *node = s->m->lists->node;
	if (!a || !b)
		return a + b;
	if (before(&node[b].pending, &node[a].pending))
		swap(&a, &b);
	size_t left = node[a].left, right = merge_heaps(s, node[a].right, b);
	if (node[left].length < node[right].length)
		swap(&left, &right);
	SET(s, &node[a].left, left);
	SET(s, &node[a].right, right);
	SET(s, &node[a].length, node[right].length + 1);
	return a;
}

static void add_other(const struct step *s, struct clock_waiting *w, const struct pending *p)
{
	size_t i = 1 + (p->message == NONE ? (size_t)p->op : (size_t)s->m->goal->ops + p->message);
	struct node node = { .pending = *p, .length = 1 };
	SET(s, &s->m->lists->node[i], node);
	SET(s, &w->others, merge_heaps(s, w->others, i));
}

static bool take_other(const struct step *s, struct clock_waiting *w, struct pending *first)
{
	const struct node *root = &s->m->lists->node[w->others];
	if (!w->others)
		return false;
	*first = root->pending;
	SET(s, &w->others, merge_heaps(s, root->left, root->right));
	return true;
}

static void set_queued(const struct step *s, struct clock_waiting *w, bool queued)
{
	SET(s, &w->queued, queued);
}

static struct clock_waiting *waiting_with(const struct model *m, const struct pending *p)
{
	uint32_t kind, rank = wanted(m, p, &kind);
	return &m->lists->waiting[(size_t)rank * kinds_of_waiting(m) + kind];
}

static void wait_until(const struct step *s, const struct pending *p, uint64_t t)
{
	if (s->m->p.kind == WL_LOGGOPS)
		wait_with(s, waiting_with(s->m, p), *p, t);
	else
		put_back(s, *p, t);
}

/* Of LogGOPS alone. */
static void make_lists(struct model *m, struct wl_loggops_lists *lists)
{
	const struct wl_goal *g = m->goal;
	if (m->p.kind != WL_LOGGOPS)
		return;
	lists->waitings = (size_t)g->ranks * kinds_of_waiting(m);
	lists->nodes = 1 + (size_t)g->ops + m->messages.first[g->ranks];
	lists->waiting = base_map(lists->waitings * sizeof *lists->waiting);
	lists->node = base_map(lists->nodes * sizeof *lists->node);
	m->lists = lists;
}

static void free_lists(struct model *m)
{
	if (!m->lists)
		return;
	base_unmap(m->lists->waiting, m->lists->waitings * sizeof *m->lists->waiting);
	base_unmap(m->lists->node, m->lists->nodes * sizeof *m->lists->node);
	m->lists = NULL;
}

/* --- the engine's side -------------------------------------------------------------------------------------- */

static void deliver_message(const struct step *s, const struct pending *message)
{
	struct model *m = s->m;
	uint32_t to = m->lp_of[m->goal->op[message->op].peer];
	if (to == s->lp) {
		push_pending(s, *message);
		return;
	}
	if (message->time >= LATEST)
		return;
	struct loggops_lp *lp = &m->lp[s->lp];
	struct sim_event *e = sim_send(s->ctx, to, message->time, sim_key(0, s->lp, lp->sent), SIM_LONG_WORDS);
	e->kind = 1;
	e->aux = 0;
	_Static_assert(sizeof *message == 8 * SIM_LONG_WORDS, "a message is the payload of one event");
	memcpy(e->payload, message, sizeof *message);
	SET(s, &lp->sent, lp->sent + 1);
}

static void wake_later(const struct step *s)
{
	struct loggops_lp *lp = &s->m->lp[s->lp];
	const struct pending *heap = s->m->pending + s->m->first_pending[s->lp];
	if (!lp->n || heap[0].time >= lp->wake || heap[0].time >= LATEST)
		return;
	struct sim_event *e = sim_send(s->ctx, s->lp, heap[0].time, sim_key(1, s->lp, lp->sent), SIM_SHORT_WORDS);
	e->kind = 0;
	e->aux = 0;
	e->payload[0] = 0;
	sim_set(s->ctx, &lp->wake, heap[0].time);
	sim_set(s->ctx, &lp->sent, lp->sent + 1);
}

static void handle(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *e)
{
	struct model *m = self;
	struct step s = { .m = m, .ctx = ctx, .lp = id };
	struct loggops_lp *lp = &m->lp[id];
	const struct pending *heap = m->pending + m->first_pending[id];
	if (e->kind == 1) { /* done in the phase of wakes, when all messages of this instant are there */
		struct pending p;
		memcpy(&p, e->payload, sizeof p);
		push_pending(&s, p);
	} else {
		if (lp->wake == ctx->now)
			sim_set(ctx, &lp->wake, UINT64_MAX);
		/* a process that is alone gets no messages: it may go on ahead of the clock of the engine */
		uint32_t ahead = m->lps == 1 ? 4096 : 0;
		while (lp->n && heap[0].time < LATEST && (heap[0].time <= ctx->now || ahead)) {
			ahead -= ahead > 0;
			struct pending p = pop_pending(&s);
			(m->p.kind == WL_LOGGOPS ? do_first : do_other)(&s, &p);
		}
	}
	wake_later(&s);
}

static const char *kind_name(unsigned kind)
{
	return kind ? "message" : "wake";
}

static void waiting_regions(const struct model *m, uint32_t r, void (*visit)(void *arg, void *at, size_t bytes),
                            void *arg)
{
	const struct wl_goal *g = m->goal;
	const struct wl_loggops_lists *lists = m->lists;
	size_t kinds = kinds_of_waiting(m), op = g->first_op[r], place = m->messages.first[r];
	visit(arg, lists->waiting + r * kinds, kinds * sizeof *lists->waiting);
	visit(arg, lists->node + 1 + op, (g->first_op[r + 1] - op) * sizeof *lists->node);
	visit(arg, lists->node + 1 + g->ops + place, (m->messages.first[r + 1] - place) * sizeof *lists->node);
}

static void loggops_regions(void *self, sim_lpid id, void (*visit)(void *arg, void *at, size_t bytes), void *arg)
{
	struct model *m = self;
	const struct wl_goal *g = m->goal;
	if (id == SIM_NO_LP)
		return;
	visit(arg, &m->lp[id], sizeof *m->lp);
	visit(arg, m->pending + m->first_pending[id],
	      (m->first_pending[id + 1] - m->first_pending[id]) * sizeof *m->pending);
	for (uint32_t k = m->first_rank[id]; k < m->first_rank[id + 1]; k++) {
		uint32_t r = m->member[k], op = g->first_op[r], ops = g->first_op[r + 1] - op;
		visit(arg, &m->host[r], sizeof *m->host);
		visit(arg, cpu_of(m, r, 0), (g->cpus + 2 * (size_t)g->nics) * sizeof *m->clock);
		visit(arg, m->waits + op, ops * sizeof *m->waits);
		if (m->earliest)
			visit(arg, m->earliest + op, ops * sizeof *m->earliest);
		visit(arg, m->next_op + op, ops * sizeof *m->next_op);
		if (m->trace)
			trace_regions(m, r, visit, arg);
		if (m->lists)
			waiting_regions(m, r, visit, arg);
		visit(arg, m->next_message + m->messages.first[r],
		      (m->messages.first[r + 1] - m->messages.first[r]) * sizeof *m->next_message);
	}
}

/* --- running --------------------------------------------------------------------------------------------- */

enum sim_outcome wl_loggops_parallel(struct model *m, uint32_t *first, uint32_t *end, struct sim_counters *counters,
                                     struct base_errors *errors)
{
	uint32_t ranks = (uint32_t)sim_ranks(), rank = (uint32_t)sim_rank();
	enum sim_outcome outcome = SIM_FAILED;
	sim_lpid *lp = base_calloc((size_t)ranks + 1, sizeof *lp);
	for (uint32_t r = 0; r <= ranks; r++)
		lp[r] = (sim_lpid)((uint64_t)m->lps * r / ranks);
	*first = lp[rank];
	*end = lp[rank + 1];
	struct sim_config config = { .sync = m->p.sync,
		                     .seed = 1,
		                     .first_lp = lp,
		                     .lookahead = m->p.L + m->p.o,
		                     .end = LATEST,
		                     .optimism = 4,
		                     .gvt_interval = 1,
		                     .stress = m->p.stress,
		                     .audit = m->p.audit };
	struct sim_model model = { .self = m, .handle = handle, .kind_name = kind_name, .regions = loggops_regions };
	struct wl_loggops_lists lists = { 0 };
	make_lists(m, &lists);
	struct sim_engine *e = sim_create(&config, &model, errors);
	for (uint32_t i = *first; e && i < *end; i++) {
		struct step s = { .m = m, .ctx = sim_context(e), .lp = i };
		sim_initial(s.ctx, i);
		begin_process(&s);
		wake_later(&s);
	}
	if (e) {
		outcome = sim_run(e, errors);
		sim_counters_get(e, counters);
		sim_counters_reduce(counters);
	}
	sim_destroy(e);
	free_lists(m);
	free(lp);
	return outcome;
}

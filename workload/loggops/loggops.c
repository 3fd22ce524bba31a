/* workload/loggops/loggops.c - see loggops.h
 *
 * A process keeps what is pending in its ranks in a heap, ordered by (time, when it entered, of which rank, that rank's
 * count): an order that does not depend on the grouping. One event of the engine wakes a process at the time of its
 * first; messages from other processes come as events. What a handler changes is journaled word by word. */
#include "workload/loggops/loggops.h"
#include "workload/loggops/model.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct step { /* one call of a handler */
	struct model *m;
	struct sim_ctx *ctx;
	uint32_t lp;
	uint64_t now, born; /* of what is being done */
};

/* (k - 1) bytes at this rate; a message of 0 bytes is as one of 1. */
static uint64_t per_byte(uint64_t rate, uint64_t k)
{
	unsigned __int128 ps = k < 2 ? 0 : ((unsigned __int128)(k - 1) * rate + (1u << 19)) >> 20;
	return ps < LATEST ? (uint64_t)ps : LATEST;
}

/* --- the heap of a process --------------------------------------------------------------------------------- */

static bool before(const struct pending *a, const struct pending *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	if (a->born != b->born)
		return a->born < b->born;
	if (a->before != b->before)
		return a->before < b->before;
	return a->rank != b->rank ? a->rank < b->rank : a->count < b->count;
}

static void push(const struct step *s, struct pending p)
{
	struct lp *lp = &s->m->lp[s->lp];
	struct pending *heap = s->m->pending + s->m->first_pending[s->lp];
	uint32_t i = lp->n;
	sim_set(s->ctx, &lp->n, lp->n + 1);
	for (; i && before(&p, &heap[(i - 1) / 2]); i = (i - 1) / 2)
		sim_set(s->ctx, &heap[i], heap[(i - 1) / 2]);
	sim_set(s->ctx, &heap[i], p);
}

static struct pending pop(const struct step *s)
{
	struct lp *lp = &s->m->lp[s->lp];
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

/* --- operations ------------------------------------------------------------------------------------------------ */

static uint32_t count_of(const struct step *s, uint32_t rank)
{
	struct host *h = &s->m->host[rank];
	sim_set(s->ctx, &h->count, h->count + 1);
	return h->count - 1;
}

static void enter(const struct step *s, uint32_t rank, uint32_t i)
{
	const struct wl_goal_op *op = &s->m->goal->op[i];
	uint64_t t = *cpu_of(s->m, rank, op->cpu), nic = *nic_of(s->m, rank, op->nic, false);
	if (op->kind == WL_GOAL_SEND && nic > t)
		t = nic;
	push(s, (struct pending){ t, s->now, s->born, rank, count_of(s, rank), i, NONE });
}

/* Operations whose dependencies are met by now: sends first, then receives, then computations. */
struct ready {
	uint32_t rank, from[4], to[4]; /* ranges in goal->next whose operations may have become ready */
	int n;
};

static void release(const struct step *s, struct ready *r, uint32_t from, uint32_t to)
{
	for (uint32_t k = from; k < to; k++)
		sim_set(s->ctx, &s->m->waits[s->m->goal->next[k]], s->m->waits[s->m->goal->next[k]] - 1);
	r->from[r->n] = from;
	r->to[r->n++] = to;
}

static void enter_ready(const struct step *s, struct ready *r)
{
	for (unsigned kind = WL_GOAL_SEND; kind <= WL_GOAL_CALC; kind++)
		for (int i = 0; i < r->n; i++)
			for (uint32_t k = r->from[i]; k < r->to[i]; k++) {
				uint32_t op = s->m->goal->next[k];
				if (s->m->goal->op[op].kind != kind || s->m->waits[op])
					continue;
				sim_set(s->ctx, &s->m->waits[op], NONE); /* once */
				enter(s, r->rank, op);
			}
}

static void finish(const struct step *s, struct ready *r, uint32_t op)
{
	struct host *h = &s->m->host[r->rank];
	sim_set(s->ctx, &h->done, h->done + 1);
	release(s, r, s->m->goal->op[op].first, s->m->goal->op[op].mid);
}

static void start(const struct step *s, struct ready *r, uint32_t op)
{
	release(s, r, s->m->goal->op[op].mid, s->m->goal->op[op + 1].first);
}

static void put_back(const struct step *s, struct pending p, uint64_t t)
{
	p.time = t;
	push(s, p);
}

static void do_calc(const struct step *s, const struct pending *p)
{
	const struct wl_goal_op *op = &s->m->goal->op[p->op];
	uint64_t *cpu = cpu_of(s->m, p->rank, op->cpu);
	struct ready r = { .rank = p->rank };
	if (*cpu > p->time) {
		put_back(s, *p, *cpu);
		return;
	}
	uint64_t t;
	if (__builtin_mul_overflow(op->size, s->m->p.unit, &t) || t > LATEST)
		t = LATEST;
	sim_set(s->ctx, cpu, p->time + t);
	start(s, &r, p->op);
	finish(s, &r, p->op);
	enter_ready(s, &r);
}

static void send_message(const struct step *s, const struct pending *p)
{
	struct model *m = s->m;
	const struct wl_goal_op *op = &m->goal->op[p->op];
	struct pending message = { p->time + m->p.o + m->p.L, s->now, s->born,        p->rank,
		                   count_of(s, p->rank),      p->op,  m->place[p->op] };
	uint32_t to = m->lp_of[op->peer];
	if (to == s->lp) {
		push(s, message);
		return;
	}
	if (message.time >= LATEST)
		return;
	struct lp *lp = &m->lp[s->lp];
	struct sim_event *e = sim_send(s->ctx, to, message.time, sim_key(0, s->lp, lp->sent), SIM_LONG_WORDS);
	e->kind = 1;
	e->aux = 0;
	_Static_assert(sizeof message == 8 * SIM_LONG_WORDS, "a message is the payload of one event");
	memcpy(e->payload, &message, sizeof message);
	sim_set(s->ctx, &lp->sent, lp->sent + 1);
}

static void do_send(const struct step *s, const struct pending *p)
{
	struct model *m = s->m;
	const struct wl_goal_op *op = &m->goal->op[p->op];
	uint64_t *cpu = cpu_of(m, p->rank, op->cpu), *nic = nic_of(m, p->rank, op->nic, false);
	uint64_t t = *cpu > *nic ? *cpu : *nic;
	struct ready r = { .rank = p->rank };
	if (t > p->time) {
		put_back(s, *p, t);
		return;
	}
	start(s, &r, p->op);
	sim_set(s->ctx, cpu, p->time + m->p.o + per_byte(m->O, op->size));
	sim_set(s->ctx, nic, p->time + m->p.g + per_byte(m->G, op->size));
	send_message(s, p);
	if (op->size <= m->p.S)
		finish(s, &r, p->op);
	enter_ready(s, &r);
}

/* A receive and the send of a message fit. */
static bool fits(const struct model *m, uint32_t recv, uint32_t send, uint32_t source)
{
	const struct wl_goal_op *a = &m->goal->op[recv], *b = &m->goal->op[send];
	return (a->peer == WL_GOAL_ANY || a->peer == source) && (a->tag == WL_GOAL_ANY || a->tag == b->tag);
}

/* A rendezvous has ended: the sender goes on, with the clocks of these numbers. */
static void end_rendezvous(const struct step *s, uint32_t send, uint32_t source, const struct wl_goal_op *handled,
                           struct ready *r)
{
	uint64_t *cpu = cpu_of(s->m, source, handled->cpu), *nic = nic_of(s->m, source, handled->nic, false);
	if (*cpu < s->now)
		sim_set(s->ctx, cpu, s->now);
	if (*nic < s->now)
		sim_set(s->ctx, nic, s->now);
	finish(s, r, send);
}

static void match(const struct step *s, uint32_t rank, uint32_t recv, uint32_t send, uint32_t source,
                  const struct wl_goal_op *handled, struct ready *own)
{
	struct ready other = { .rank = source };
	finish(s, own, recv);
	bool rendezvous = s->m->goal->op[send].size > s->m->p.S;
	if (rendezvous)
		end_rendezvous(s, send, source, handled, &other);
	if (rendezvous && source < rank)
		enter_ready(s, &other);
	enter_ready(s, own);
	if (rendezvous && source >= rank)
		enter_ready(s, &other);
}

/* Takes `at` (behind `previous`) out of a queue. */
static void unlink_from(const struct step *s, uint32_t *head, uint32_t *last, uint32_t *next, uint32_t previous,
                        uint32_t at)
{
	uint32_t *from = previous == NONE ? head : &next[previous];
	sim_set(s->ctx, from, next[at]);
	if (*last == at)
		sim_set(s->ctx, last, previous);
}

static void append(const struct step *s, uint32_t *head, uint32_t *last, uint32_t *next, uint32_t at)
{
	uint32_t *from = *last == NONE ? head : &next[*last];
	sim_set(s->ctx, &next[at], NONE);
	sim_set(s->ctx, from, at);
	sim_set(s->ctx, last, at);
}

static void do_recv(const struct step *s, const struct pending *p)
{
	struct model *m = s->m;
	struct host *h = &m->host[p->rank];
	struct ready r = { .rank = p->rank };
	uint32_t previous = NONE, at = h->arrived;
	start(s, &r, p->op);
	for (; at != NONE; previous = at, at = m->next_message[at]) {
		uint32_t send = m->sender_op[at], source = wl_goal_rank_of(m->goal, send);
		if (!fits(m, p->op, send, source))
			continue;
		unlink_from(s, &h->arrived, &h->arrived_last, m->next_message, previous, at);
		match(s, p->rank, p->op, send, source, &m->goal->op[p->op], &r);
		return;
	}
	append(s, &h->posted, &h->posted_last, m->next_op, p->op);
	enter_ready(s, &r);
}

static uint64_t mix(uint64_t v)
{
	v = (v ^ v >> 31) * 0x7fb5d329728ea185ull;
	v = (v ^ v >> 27) * 0x81dadef4bc2dd44dull;
	return v ^ v >> 33;
}

/* A message that was sent by p->rank. */
static void do_message(const struct step *s, const struct pending *p)
{
	struct model *m = s->m;
	const struct wl_goal_op *op = &m->goal->op[p->op];
	uint32_t rank = op->peer, previous = NONE;
	struct host *h = &m->host[rank];
	uint64_t *cpu = cpu_of(m, rank, op->cpu), *nic = nic_of(m, rank, op->nic, true);
	uint64_t t = *cpu > *nic ? *cpu : *nic, G = per_byte(m->G, op->size), O = per_byte(m->O, op->size);
	if (t > p->time) {
		put_back(s, *p, t);
		return;
	}
	sim_set(s->ctx, cpu, p->time + m->p.o + (O > G ? O : G));
	sim_set(s->ctx, nic, p->time + m->p.g + G);
	sim_set(s->ctx, &h->messages, h->messages + 1);
	sim_set(s->ctx, &h->bytes, h->bytes + op->size);
	sim_set(s->ctx, &h->digest, h->digest + mix(mix((uint64_t)p->op << 32 | rank) ^ p->time));
	struct ready r = { .rank = rank };
	for (uint32_t at = h->posted; at != NONE; previous = at, at = m->next_op[at]) {
		if (!fits(m, at, p->op, p->rank))
			continue;
		unlink_from(s, &h->posted, &h->posted_last, m->next_op, previous, at);
		match(s, rank, at, p->op, p->rank, op, &r);
		return;
	}
	append(s, &h->arrived, &h->arrived_last, m->next_message, p->message);
}

static void do_pending(struct step *s, const struct pending *p)
{
	s->now = p->time;
	s->born = p->born;
	if (p->message != NONE)
		do_message(s, p);
	else if (s->m->goal->op[p->op].kind == WL_GOAL_SEND)
		do_send(s, p);
	else if (s->m->goal->op[p->op].kind == WL_GOAL_RECV)
		do_recv(s, p);
	else
		do_calc(s, p);
}

/* --- the engine's side -------------------------------------------------------------------------------------- */

static void wake_later(const struct step *s)
{
	struct lp *lp = &s->m->lp[s->lp];
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
	struct lp *lp = &m->lp[id];
	const struct pending *heap = m->pending + m->first_pending[id];
	if (e->kind == 1) { /* done in the phase of wakes, when all messages of this instant are there */
		struct pending p;
		memcpy(&p, e->payload, sizeof p);
		push(&s, p);
	} else {
		if (lp->wake == ctx->now)
			sim_set(ctx, &lp->wake, UINT64_MAX);
		/* a process that is alone gets no messages: it may go on ahead of the clock of the engine */
		uint32_t ahead = m->lps == 1 ? 4096 : 0;
		while (lp->n && heap[0].time < LATEST && (heap[0].time <= ctx->now || ahead)) {
			ahead -= ahead > 0;
			struct pending p = pop(&s);
			do_pending(&s, &p);
		}
	}
	wake_later(&s);
}

static const char *kind_name(unsigned kind)
{
	return kind ? "message" : "wake";
}

static void regions(void *self, sim_lpid id, void (*visit)(void *arg, void *at, size_t bytes), void *arg)
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
		visit(arg, m->next_op + op, ops * sizeof *m->next_op);
		visit(arg, m->next_message + m->first_message[r],
		      (m->first_message[r + 1] - m->first_message[r]) * sizeof *m->next_message);
	}
}

/* --- running --------------------------------------------------------------------------------------------- */

static void begin(struct model *m, struct sim_ctx *ctx, uint32_t id)
{
	struct step s = { .m = m, .ctx = ctx, .lp = id };
	sim_initial(ctx, id);
	for (uint32_t k = m->first_rank[id]; k < m->first_rank[id + 1]; k++)
		for (unsigned kind = WL_GOAL_SEND; kind <= WL_GOAL_CALC; kind++)
			for (uint32_t r = m->member[k], i = m->goal->first_op[r]; i < m->goal->first_op[r + 1]; i++)
				if (m->goal->op[i].kind == kind && !m->goal->op[i].waits)
					enter(&s, r, i);
	wake_later(&s);
}

/* --- results -------------------------------------------------------------------------------------------------- */

#define TOLD 20u

/* Receives that wait, messages that do, of the ranks of this process, some lines of them. */
static void tell_waits(const struct model *m, uint32_t first, uint32_t end, FILE *out)
{
	char text[128];
	unsigned told = 0;
	for (uint32_t k = m->first_rank[first]; k < m->first_rank[end] && told < TOLD; k++) {
		uint32_t r = m->member[k];
		const struct host *h = &m->host[r];
		for (uint32_t at = h->posted; at != NONE && told < TOLD; at = m->next_op[at], told++)
			fprintf(out, "rank %" PRIu32 ": %s: no such message came\n", r,
			        wl_goal_describe(m->goal, at, text, sizeof text));
		for (uint32_t at = h->arrived; at != NONE && told < TOLD; at = m->next_message[at], told++)
			fprintf(out, "rank %" PRIu32 ": %s: not received\n", wl_goal_rank_of(m->goal, m->sender_op[at]),
			        wl_goal_describe(m->goal, m->sender_op[at], text, sizeof text));
	}
}

/* Those of the processes first .. end - 1 are known here; the sums are over all MPI ranks. */
static void collect(const struct model *m, uint32_t first, uint32_t end, struct wl_loggops_result *out)
{
	const struct wl_goal *g = m->goal;
	uint64_t sums[5] = { 0 };
	char *mine = NULL;
	void *all = NULL;
	size_t n = 0, all_bytes = 0;
	out->end = base_calloc(g->ranks, sizeof *out->end);
	for (uint32_t k = m->first_rank[first]; k < m->first_rank[end]; k++) {
		uint32_t r = m->member[k];
		for (uint32_t c = 0; c < g->cpus; c++) {
			uint64_t t = *cpu_of(m, r, c);
			out->end[r] = t > out->end[r] ? t : out->end[r];
		}
		sums[0] += m->host[r].messages;
		sums[1] += m->host[r].bytes;
		sums[2] += m->host[r].digest + mix(mix(out->end[r]) + r);
		sums[3] += m->host[r].done;
		sums[4] += m->host[r].count;
	}
	sim_sum_u64(sums, 5);
	sim_sum_u64(out->end, g->ranks);
	for (uint32_t r = 0; r < g->ranks; r++)
		out->completion = out->end[r] > out->completion ? out->end[r] : out->completion;
	out->messages = sums[0];
	out->bytes = sums[1];
	out->digest = sums[2];
	out->unfinished = g->ops - sums[3];
	out->events = sums[4];
	FILE *text = open_memstream(&mine, &n);
	if (text && out->outcome == SIM_DONE)
		tell_waits(m, first, end, text);
	if (text)
		fclose(text);
	sim_gather_bytes(mine, n, &all, &all_bytes);
	free(mine);
	if (all_bytes) {
		out->waits = base_alloc(all_bytes + 1);
		memcpy(out->waits, all, all_bytes);
	}
	free(all);
}

int wl_loggops_run(const struct wl_goal *goal, const struct wl_loggops_params *p, struct wl_loggops_result *out,
                   struct base_errors *errors)
{
	struct model m = { .goal = goal, .p = *p };
	*out = (struct wl_loggops_result){ 0 };
	if (p->L >= LATEST / 4 || p->o >= LATEST / 4 || p->g >= LATEST / 4 || !(p->L + p->o))
		return base_errorf(errors, "L", "o + L is more than 0, and each of L, o, g less than 2^60 ps");
	if (!(p->G >= 0 && p->G < 1e9 && p->O >= 0 && p->O < 1e9))
		return base_errorf(errors, "G", "a byte takes from 0 to 10^9 ps");
	m.G = (uint64_t)(p->G * 0x1p20 + 0.5);
	m.O = (uint64_t)(p->O * 0x1p20 + 0.5);
	wl_loggops_make(&m);
	uint32_t ranks = (uint32_t)sim_ranks(), rank = (uint32_t)sim_rank();
	sim_lpid *first = base_calloc((size_t)ranks + 1, sizeof *first);
	for (uint32_t r = 0; r <= ranks; r++)
		first[r] = (sim_lpid)((uint64_t)m.lps * r / ranks);
	struct sim_config config = { .sync = p->sync,
		                     .seed = 1,
		                     .first_lp = first,
		                     .lookahead = p->L + p->o,
		                     .end = LATEST,
		                     .optimism = 4,
		                     .gvt_interval = 1,
		                     .stress = p->stress,
		                     .audit = p->audit };
	struct sim_model model = { .self = &m, .handle = handle, .kind_name = kind_name, .regions = regions };
	struct sim_engine *e = sim_create(&config, &model, errors);
	if (e) {
		for (uint32_t i = first[rank]; i < first[rank + 1]; i++)
			begin(&m, sim_context(e), i);
		out->outcome = sim_run(e, errors);
		collect(&m, first[rank], first[rank + 1], out);
		sim_counters_get(e, &out->counters);
		sim_counters_reduce(&out->counters);
		sim_destroy(e);
	}
	wl_loggops_destroy(&m);
	free(first);
	if (e && out->completion >= LATEST / 2) /* what would come later than LATEST has not */
		return base_errorf(errors, NULL, "the schedule takes longer than 2^61 ps, 26 days");
	return e ? 0 : -1;
}

void wl_loggops_free(struct wl_loggops_result *result)
{
	free(result->end);
	free(result->waits);
	*result = (struct wl_loggops_result){ 0 };
}

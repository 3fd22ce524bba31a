/* workload/loggops/trace.c - statistics of ranks on an analytical network model, from the run's events: see trace.h.
 *
 * A rank's processor is busy with computations, sends and received messages; the rest of the time until its end it
 * waits. Overlapping activities of several processors count as that which began first. */
#include "workload/loggops/trace.h"

#include "base/check.h"
#include "base/memory.h"

#include <stdlib.h>

struct trace *trace_make(const struct model *m)
{
	const struct wl_goal *g = m->goal;
	struct trace *t = base_alloc(sizeof *t);
	t->op = base_calloc((size_t)g->ops + 1, sizeof *t->op);
	t->message = base_calloc((size_t)m->messages.first[g->ranks] + 1, sizeof *t->message);
	t->released = base_calloc((size_t)g->ops + 1, sizeof *t->released);
	t->ended = base_calloc((size_t)g->ops + 1, sizeof *t->ended);
	t->user = base_calloc(g->ranks * m->clocks + 1, sizeof *t->user);
	return t;
}

void trace_free(struct trace *t)
{
	if (!t)
		return;
	free(t->op);
	free(t->message);
	free(t->released);
	free(t->ended);
	free(t->user);
	free(t);
}

void trace_regions(const struct model *m, uint32_t r, void (*visit)(void *arg, void *at, size_t bytes), void *arg)
{
	const struct trace *t = m->trace;
	uint32_t op = m->goal->first_op[r], ops = m->goal->first_op[r + 1] - op;
	uint32_t place = m->messages.first[r], places = m->messages.first[r + 1] - place;
	visit(arg, t->op + op, ops * sizeof *t->op);
	visit(arg, t->message + place, places * sizeof *t->message);
	visit(arg, t->released + op, ops * sizeof *t->released);
	visit(arg, t->ended + op, ops * sizeof *t->ended);
	visit(arg, t->user + r * m->clocks, m->clocks * sizeof *t->user);
}

/* Each word is set on one MPI rank. */
static void share_words(const struct model *m)
{
	const struct wl_goal *g = m->goal;
	struct trace *t = m->trace;
	sim_sum_u64((uint64_t *)(void *)t->op, (size_t)g->ops * 3);
	sim_sum_u64((uint64_t *)(void *)t->message, (size_t)m->messages.first[g->ranks] * 3);
	sim_sum_u64(t->ended, g->ops);
	sim_sum_u64(t->user, g->ranks * m->clocks);
	sim_sum_u64(m->clock, g->ranks * m->clocks);
}
_Static_assert(sizeof(struct trace_event) == 3 * sizeof(uint64_t), "words");

/* --- ranks' time ------------------------------------------------------------------------------------------------- */

struct taken { /* a processor */
	uint64_t from, to;
	enum net_doing what;
};

struct takings {
	struct taken *v;
	size_t n, cap;
};

static void take_event(struct takings *x, const struct trace_event *e, enum net_doing what)
{
	if (!e->by || !e->busy)
		return;
	if (x->n == x->cap) {
		x->cap = x->cap ? 2 * x->cap : 256;
		x->v = base_realloc(x->v, x->cap * sizeof *x->v);
	}
	x->v[x->n++] = (struct taken){ e->at, e->at + e->busy, what };
}

static int by_time(const void *a, const void *b)
{
	const struct taken *x = a, *y = b;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->what < y->what ? -1 : x->what > y->what;
}

struct trace_teller {
	const struct model *m;
	struct net_application *a;
	struct takings taken;
};

static void spend(struct trace_teller *t, uint32_t rank, struct net_rank_line *line, enum net_doing what, uint64_t from,
                  uint64_t to)
{
	if (from >= to)
		return;
	line->ps[what] += to - from;
	if (t->m->p.ranks)
		net_spans_add(&t->a->spans, rank, what, t->m->p.start + from, t->m->p.start + to);
}

/* In order of time; what lies in two belongs to the first. */
static void sweep(struct trace_teller *t, uint32_t rank, struct net_rank_line *line, uint64_t end)
{
	struct taken *v = t->taken.v;
	uint64_t at = 0;
	if (t->taken.n)
		qsort(v, t->taken.n, sizeof *v, by_time);
	for (size_t i = 0; i < t->taken.n; i++) {
		spend(t, rank, line, NET_WAITS, at, v[i].from);
		at = v[i].from > at ? v[i].from : at;
		spend(t, rank, line, v[i].what, at, v[i].to);
		at = v[i].to > at ? v[i].to : at;
	}
	spend(t, rank, line, NET_WAITS, at, end);
}

enum { CALL_SEND, CALL_RECV, CALL_CALC, CALLS };
static const char *const names[] = { "send", "recv", "calc", NULL };

/* ps from when an operation began until it was over. */
static uint64_t lasted(const struct model *m, uint32_t op, const struct trace_event *e)
{
	uint64_t end = e->at + e->busy, by = m->trace->ended[op];
	if (by) {
		const struct trace_event *other = trace_event_at(m, by - 1);
		uint64_t over = other->at + (m->goal->op[op].kind == WL_GOAL_RECV ? other->busy : 0);
		end = over > end ? over : end;
	}
	return end - e->at;
}

static void tell_rank(struct trace_teller *t, uint32_t r, uint64_t end)
{
	const struct model *m = t->m;
	const struct wl_goal *g = m->goal;
	struct net_application *a = t->a;
	struct net_rank_line *line = &a->line[r];
	struct net_rank_call *calls = &a->line_call[r * (size_t)CALLS];
	bool ended = true;
	t->taken.n = 0;
	for (uint32_t i = g->first_op[r]; i < g->first_op[r + 1]; i++) {
		const struct trace_event *e = &m->trace->op[i];
		unsigned kind = g->op[i].kind == WL_GOAL_SEND   ? CALL_SEND
		                : g->op[i].kind == WL_GOAL_RECV ? CALL_RECV
		                                                : CALL_CALC;
		ended &= m->trace->ended[i] != 0;
		take_event(&t->taken, e, kind == CALL_CALC ? NET_COMPUTES : NET_SENDS);
		calls[kind].calls += e->by != 0;
		calls[kind].ps += e->by ? lasted(m, i, e) : 0;
	}
	for (uint32_t i = m->messages.first[r]; i < m->messages.first[r + 1]; i++)
		take_event(&t->taken, &m->trace->message[i], NET_SENDS);
	*line = (struct net_rank_line){ .end = m->p.start + end, .rank = r, .endpoint = r, .ended = ended };
	sweep(t, r, line, end);
	line->ps[NET_IDLE] = a->end - line->end;
	a->ended += ended;
	for (unsigned k = 0; k < NET_TIMES; k++) {
		a->sum[k] += line->ps[k];
		a->most[k] = line->ps[k] > a->most[k] ? line->ps[k] : a->most[k];
	}
	for (unsigned k = 0; k < CALLS; k++) {
		struct net_call_time *time = &a->time[k];
		time->calls += calls[k].calls;
		time->ps += calls[k].ps;
		time->most = calls[k].ps > time->most ? calls[k].ps : time->most;
	}
}

/* --- the critical path ------------------------------------------------------------------------------------------- */

/* Where an event is. */
static uint32_t rank_of_event(const struct model *m, uint64_t number)
{
	uint32_t op = (uint32_t)(number >> 1);
	return number & 1 ? m->goal->op[op].peer : wl_goal_rank_of(m->goal, op);
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The event lets another one happen `span` later, for that reason; the stay is the later one's. */
static void add_segment(struct net_critical_path *p, const struct model *m, uint64_t number, uint64_t span,
                        uint64_t why, uint32_t rank)
{
	const struct wl_goal_op *op = &m->goal->op[number >> 1];
	uint64_t at = m->p.start + trace_event_at(m, number)->at, overhead = 0, compute = 0;
	bool calc = !(number & 1) && op->kind == WL_GOAL_CALC;
	if (why == TRACE_MESSAGE)
		overhead = least_of(span, m->p.o);
	else if (why == TRACE_CPU && calc)
		compute = span;
	else if (why == TRACE_CPU && number & 1) /* its bytes are the network's, as far as they are not O's */
		overhead = least_of(span, m->p.o + least_of(span, per_byte(m, m->O, op->size)));
	else if (why == TRACE_CPU)
		overhead = span;
	p->messages += why == TRACE_MESSAGE;
	net_path_add(p, &(struct net_path_stay){ .from = at,
	                                         .to = at + span,
	                                         .compute = compute,
	                                         .overhead = overhead,
	                                         .network = span - compute - overhead,
	                                         .rank = rank });
}

/* From the processor that was taken longest backwards. */
static void find_path(const struct model *m, struct net_application *a, const uint64_t *end)
{
	const struct wl_goal *g = m->goal;
	uint32_t last = 0, cpu = 0;
	for (uint32_t r = 0; r < g->ranks; r++)
		last = end[r] > end[last] ? r : last;
	while (cpu < g->cpus && *cpu_of(m, last, cpu) != end[last])
		cpu++;
	uint64_t user = cpu < g->cpus ? m->trace->user[last * m->clocks + cpu] : 0, t = end[last], why = TRACE_CPU;
	uint32_t rank = last;
	while (user) {
		const struct trace_event *e = trace_event_at(m, user - 1);
		base_checkf(e->by && e->at <= t, "event %llu", (unsigned long long)user - 1);
		add_segment(&a->path, m, user - 1, t - e->at, why, rank);
		rank = rank_of_event(m, user - 1);
		t = e->at;
		why = e->by & TRACE_KIND;
		user = why == TRACE_START ? 0 : (e->by & ~TRACE_KIND) + 1;
	}
	net_path_add(&a->path, &(struct net_path_stay){ .from = m->p.start, .to = m->p.start, .rank = rank });
	net_path_end(&a->path);
}

struct net_application *trace_tell(const struct model *m, const uint64_t *end, uint64_t completion)
{
	const struct wl_goal *g = m->goal;
	struct net_application *a = base_alloc(sizeof *a);
	struct trace_teller t = { .m = m, .a = a };
	*a = (struct net_application){ .calls = names,
		                       .kinds = CALLS,
		                       .ranks = g->ranks,
		                       .start = m->p.start,
		                       .end = m->p.start + completion,
		                       .time = base_calloc(CALLS, sizeof *a->time),
		                       .line = base_calloc(g->ranks, sizeof *a->line),
		                       .line_call = base_calloc((size_t)g->ranks * CALLS, sizeof *a->line_call),
		                       .lines = g->ranks,
		                       .spans = { .ranks = g->ranks } };
	share_words(m);
	for (uint32_t r = 0; r < g->ranks; r++)
		tell_rank(&t, r, end[r]);
	if (m->p.path && m->p.kind == WL_LOGGOPS && !m->p.compat && a->ended == a->ranks)
		find_path(m, a, end);
	if (!m->p.ranks) {
		free(a->line);
		free(a->line_call);
		a->line = NULL;
		a->line_call = NULL;
		a->lines = 0;
	}
	free(t.taken.v);
	return a;
}

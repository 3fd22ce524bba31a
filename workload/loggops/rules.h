/* workload/loggops/rules.h - what operations and messages do under LogGOPS, for each of the two ways to run them.
 *
 * Included by parallel.c, where changes are journaled, by sequential.h, where nothing can be undone, and by a test that
 * runs them in the simplest way. Before it, the includer defines
 *
 *   SET(s, at, value)    *(at) = value
 *   TRACED(m)            whether what happens is noted in m->trace (trace.h)
 *   AS_REFERENCE(m)      m->as_reference
 *
 * After it, the includer defines push_pending(), which puts an entry into the queue of the process s->lp;
 * deliver_message(), which puts a message into the queue of its receiver; and wait_until(), which puts an entry that
 * has to wait for a clock back until the time given by wanted_time(). */
#ifndef WORKLOAD_LOGGOPS_RULES_H
#define WORKLOAD_LOGGOPS_RULES_H

#include "workload/loggops/model.h"
#include "workload/loggops/trace.h"

#include "base/check.h"
#include "base/memory.h"

#include <stdlib.h>

#define HOT inline __attribute__((always_inline)) /* called from few places, for every message */

struct step { /* what is being done */
	struct model *m;
	struct sim_ctx *ctx;
	uint32_t lp;
	uint64_t now, born;
	uint64_t event; /* with a trace: its number */
};

/* --- what is noted ----------------------------------------------------------------------------------------------- */

/* The event happens now, and could have happened at `ready` if clocks had been free; it takes the processor for this
 * time. `takes`: it sets the clocks from now on. */
static HOT void note_event(const struct step *s, const struct pending *p, uint64_t ready, uint64_t busy,
                           const uint64_t *cpu, const uint64_t *nic, bool takes)
{
	struct trace *t = s->m->trace;
	if (!TRACED(s->m))
		return;
	uint64_t by = s->event & 1 ? TRACE_MESSAGE | (s->event ^ 1) : trace_release(t->released[p->op]);
	if (s->m->earliest && !(s->event & 1) && s->m->earliest[p->op] == p->time && t->released[p->op])
		by = TRACE_CPU | (t->released[p->op] - 1); /* until what releases it is over */
	if (p->time > ready && *cpu == p->time)
		by = TRACE_CPU | (t->user[cpu - s->m->clock] - 1);
	else if (p->time > ready && nic && *nic == p->time)
		by = TRACE_NIC | (t->user[nic - s->m->clock] - 1);
	struct trace_event e = { p->time, busy, by };
	SET(s, trace_event_at(s->m, s->event), e);
	if (takes)
		SET(s, &t->user[cpu - s->m->clock], s->event + 1);
	if (takes && nic)
		SET(s, &t->user[nic - s->m->clock], s->event + 1);
}

static HOT void note_release(const struct step *s, uint32_t op)
{
	if (TRACED(s->m))
		SET(s, &s->m->trace->released[op], s->event + 1);
}

static HOT void note_end(const struct step *s, uint32_t op)
{
	if (TRACED(s->m))
		SET(s, &s->m->trace->ended[op], s->event + 1);
}

static void push_pending(const struct step *s, struct pending p);
static void deliver_message(const struct step *s, const struct pending *message);
static void wait_until(const struct step *s, const struct pending *p, uint64_t t);

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

/* --- operations ------------------------------------------------------------------------------------------------ */

static uint32_t count_of(const struct step *s, uint32_t rank)
{
	struct host *h = &s->m->host[rank];
	SET(s, &h->count, h->count + 1);
	return h->count - 1;
}

/* Of `rank`, made now. */
static HOT struct pending make_pending_thing(const struct step *s, uint64_t time, uint32_t rank, uint32_t op,
                                             uint32_t message)
{
	struct pending p = { time, s->now, s->born, rank, count_of(s, rank), op, message };
	if (AS_REFERENCE(s->m)) {
		uint32_t *entered = &s->m->host[0].entered;
		p.before = s->now;
		p.born = *entered;
		SET(s, entered, *entered + 1);
	}
	return p;
}

static inline uint64_t born_at(const struct model *m, const struct pending *p)
{
	return AS_REFERENCE(m) ? p->before : p->born;
}

static void enter_operation(const struct step *s, uint32_t rank, uint32_t i)
{
	const struct wl_goal_op *op = &s->m->goal->op[i];
	uint64_t t = *cpu_of(s->m, rank, op->cpu);
	if (op->kind == WL_GOAL_SEND && *nic_of(s->m, rank, op->nic, false) > t)
		t = *nic_of(s->m, rank, op->nic, false);
	if (s->m->earliest && s->m->earliest[i] > t)
		t = s->m->earliest[i];
	push_pending(s, make_pending_thing(s, t, rank, i, NONE));
}

/* Operations whose dependencies are met: sends first, then receives, then computations, each in the order in which they
 * became ready; in lists linked by next_op. With model.as_reference the list of kind 0 contains all. */
struct ready {
	uint32_t rank;
	uint32_t kinds; /* a bit for each that there are any of */
	uint32_t first[WL_GOAL_CALC + 1], last[WL_GOAL_CALC + 1];
};

static inline void none_ready(struct ready *r, uint32_t rank)
{
	r->rank = rank;
	r->kinds = 0; /* the lists are not set */
}

static HOT void add_ready(const struct step *s, struct ready *r, uint32_t op)
{
	unsigned kind = AS_REFERENCE(s->m) ? 0 : s->m->goal->op[op].kind;
	if (r->kinds & 1u << kind)
		SET(s, &s->m->next_op[r->last[kind]], op);
	else
		r->first[kind] = op;
	r->kinds |= 1u << kind;
	r->last[kind] = op;
}

/* The operations released by an operation, at `at`. If ranks have several processors, whose clocks do not ensure it,
 * none begins earlier. */
static inline void release_operations(const struct step *s, struct ready *r, uint32_t from, uint32_t to, uint64_t at)
{
	uint32_t *waits = s->m->waits;
	for (uint32_t k = from; k < to; k++) {
		uint32_t op = s->m->goal->next[k];
		if (s->m->earliest && s->m->earliest[op] <= at) {
			SET(s, &s->m->earliest[op], at);
			note_release(s, op);
		}
		SET(s, &waits[op], waits[op] - 1);
		if (waits[op]) {
			if (waits[op] == NONE) /* released twice: with compat */
				SET(s, &waits[op], 0);
			continue;
		}
		if (!s->m->earliest)
			note_release(s, op);
		add_ready(s, r, op);
	}
}

static __attribute__((noinline)) void enter_as_reference(const struct step *s, const struct ready *r)
{
	uint32_t n = 1, *op;
	for (uint32_t k = r->first[0]; k != r->last[0]; k = s->m->next_op[k])
		n++;
	op = base_alloc(n * sizeof *op);
	for (uint32_t i = 0, k = r->first[0]; i < n; i++, k = s->m->next_op[k])
		op[i] = k;
	wl_loggops_sort_by_kind(s->m->goal, op, n);
	for (uint32_t i = 0; i < n; i++)
		enter_operation(s, r->rank, op[i]);
	free(op);
}

static inline void enter_ready(const struct step *s, const struct ready *r)
{
	if (AS_REFERENCE(s->m) && r->kinds) {
		enter_as_reference(s, r);
		return;
	}
	for (uint32_t kinds = r->kinds; kinds; kinds &= kinds - 1) {
		unsigned kind = (unsigned)__builtin_ctz(kinds);
		uint32_t op = r->first[kind];
		for (; op != r->last[kind]; op = s->m->next_op[op])
			enter_operation(s, r->rank, op);
		enter_operation(s, r->rank, op);
	}
}

/* The operation will finish at `end`, when its processor is done with it. */
static inline void finish_operation(const struct step *s, struct ready *r, uint32_t op, uint64_t end)
{
	struct host *h = &s->m->host[r->rank];
	SET(s, &h->done, h->done + 1);
	note_end(s, op);
	release_operations(s, r, s->m->goal->op[op].first, s->m->goal->op[op].mid, end);
}

static inline void start_operation(const struct step *s, struct ready *r, uint32_t op)
{
	release_operations(s, r, s->m->goal->op[op].mid, s->m->goal->op[op + 1].first, s->now);
}

static void put_back(const struct step *s, struct pending p, uint64_t t)
{
	p.time = t;
	push_pending(s, p);
}

/* Handles a message on its way, with SimpleNet and LogGP. */
static inline uint64_t interface_time(const struct model *m, uint64_t k)
{
	return per_byte(m, m->G, m->p.kind == WL_SIMPLENET ? k + 1 : k);
}

static HOT void do_calc(const struct step *s, const struct pending *p)
{
	const struct wl_goal_op *op = &s->m->goal->op[p->op];
	uint64_t *cpu = cpu_of(s->m, p->rank, op->cpu);
	struct ready r;
	none_ready(&r, p->rank);
	if (*cpu > p->time) {
		wait_until(s, p, *cpu);
		return;
	}
	uint64_t t;
	if (__builtin_mul_overflow(op->size, s->m->p.unit, &t) || t > LATEST)
		t = LATEST;
	note_event(s, p, born_at(s->m, p), t, cpu, NULL, true);
	SET(s, cpu, p->time + t);
	start_operation(s, &r, p->op);
	finish_operation(s, &r, p->op, p->time + t);
	enter_ready(s, &r);
}

/* Leaves at `start`. */
static void send_message(const struct step *s, const struct pending *p, uint64_t start)
{
	struct model *m = s->m;
	struct pending message = make_pending_thing(s, start + m->p.L, p->rank, p->op, m->messages.place[p->op]);
	deliver_message(s, &message);
}

/* LogGP and SimpleNet as in CODES: messages wait for the interface, which a message occupies from its departure, or
 * with SimpleNet from L later. */
static void send_by_interface(const struct step *s, const struct pending *p)
{
	struct model *m = s->m;
	const struct wl_goal_op *op = &m->goal->op[p->op];
	uint64_t *cpu = cpu_of(m, p->rank, op->cpu), *nic = nic_of(m, p->rank, op->nic, false);
	uint64_t start = p->time + m->p.o, taken = interface_time(m, op->size);
	if (*cpu > p->time) {
		put_back(s, *p, *cpu);
		return;
	}
	struct ready r;
	none_ready(&r, p->rank);
	note_event(s, p, born_at(s->m, p), m->p.o, cpu, NULL, true);
	SET(s, cpu, start);
	start = *nic > start ? *nic : start;
	SET(s, nic, start + (m->p.kind == WL_SIMPLENET ? m->p.L : m->p.g) + taken);
	send_message(s, p, start);
	release_operations(s, &r, op->mid, op[1].first, p->time);
	finish_operation(s, &r, p->op, p->time + m->p.o);
	enter_ready(s, &r);
}

static HOT void do_send(const struct step *s, const struct pending *p)
{
	struct model *m = s->m;
	const struct wl_goal_op *op = &m->goal->op[p->op];
	uint64_t *cpu = cpu_of(m, p->rank, op->cpu), *nic = nic_of(m, p->rank, op->nic, false);
	uint64_t t = *cpu > *nic ? *cpu : *nic;
	struct ready r;
	none_ready(&r, p->rank);
	if (t > p->time) {
		wait_until(s, p, t);
		return;
	}
	uint64_t busy = m->p.o + per_byte(m, m->O, op->size);
	note_event(s, p, born_at(s->m, p), busy, cpu, nic, true);
	start_operation(s, &r, p->op);
	SET(s, cpu, p->time + busy);
	SET(s, nic, p->time + m->p.g + per_byte(m, m->G, op->size));
	send_message(s, p, p->time + m->p.o);
	if (op->size <= m->p.S)
		finish_operation(s, &r, p->op, p->time + busy);
	enter_ready(s, &r);
}

/* Does a posted receive match the send of a message? */
static bool message_fits(const struct model *m, uint32_t recv, uint32_t send, uint32_t source)
{
	const struct wl_goal_op *a = &m->goal->op[recv], *b = &m->goal->op[send];
	return (a->peer == WL_GOAL_ANY || a->peer == source) && (a->tag == WL_GOAL_ANY || a->tag == b->tag);
}

/* A rendezvous has ended: the sender continues, with the clocks of these numbers. */
static void end_rendezvous(const struct step *s, uint32_t send, uint32_t source, const struct wl_goal_op *handled,
                           struct ready *r)
{
	uint64_t *cpu = cpu_of(s->m, source, handled->cpu), *nic = nic_of(s->m, source, handled->nic, false);
	if (TRACED(s->m) && *cpu < s->now)
		SET(s, &s->m->trace->user[cpu - s->m->clock], s->event + 1);
	if (TRACED(s->m) && *nic < s->now)
		SET(s, &s->m->trace->user[nic - s->m->clock], s->event + 1);
	if (*cpu < s->now)
		SET(s, cpu, s->now);
	if (*nic < s->now)
		SET(s, nic, s->now);
	finish_operation(s, r, send, s->now);
}

/* A rank that has sent to itself: what the message releases at both ends becomes ready together. */
static __attribute__((noinline)) void match_own(const struct step *s, uint32_t recv, uint32_t send,
                                                const struct wl_goal_op *handled, uint64_t end, struct ready *own)
{
	end_rendezvous(s, send, own->rank, handled, own);
	finish_operation(s, own, recv, end > s->now ? end : s->now);
	enter_ready(s, own);
}

/* handled: the receive if it was posted late, else the send; with compat its size counts. end: when the processor that
 * the message occupies is free again. */
static HOT void match_message(const struct step *s, uint32_t rank, uint32_t recv, uint32_t send, uint32_t source,
                              const struct wl_goal_op *handled, uint64_t end, struct ready *own)
{
	struct ready other;
	bool rendezvous = (s->m->p.compat ? handled : &s->m->goal->op[send])->size > s->m->p.S;
	if (rendezvous && source == rank) {
		match_own(s, recv, send, handled, end, own);
		return;
	}
	none_ready(&other, source);
	finish_operation(s, own, recv, end > s->now ? end : s->now);
	if (rendezvous)
		end_rendezvous(s, send, source, handled, &other);
	if (rendezvous && source < rank)
		enter_ready(s, &other);
	enter_ready(s, own);
	if (rendezvous && source > rank)
		enter_ready(s, &other);
}

/* Removes entry `at`, which follows `previous`, from a queue. */
static void unlink_from(const struct step *s, uint32_t *head, uint32_t *last, uint32_t *next, uint32_t previous,
                        uint32_t at)
{
	uint32_t *from = previous == NONE ? head : &next[previous];
	SET(s, from, next[at]);
	if (*last == at)
		SET(s, last, previous);
}

static void append_to_list(const struct step *s, uint32_t *head, uint32_t *last, uint32_t *next, uint32_t at)
{
	uint32_t *from = *last == NONE ? head : &next[*last];
	SET(s, &next[at], NONE);
	SET(s, from, at);
	SET(s, last, at);
}

static HOT void do_recv(const struct step *s, const struct pending *p)
{
	struct model *m = s->m;
	struct host *h = &m->host[p->rank];
	struct ready r;
	none_ready(&r, p->rank);
	uint32_t previous = NONE, at = h->arrived;
	note_event(s, p, born_at(s->m, p), 0, cpu_of(m, p->rank, m->goal->op[p->op].cpu), NULL, false);
	start_operation(s, &r, p->op);
	for (; at != NONE; previous = at, at = m->next_message[at]) {
		uint32_t send = m->messages.send[at], source = wl_goal_rank_of(m->goal, send);
		if (!message_fits(m, p->op, send, source))
			continue;
		unlink_from(s, &h->arrived, &h->arrived_last, m->next_message, previous, at);
		match_message(s, p->rank, p->op, send, source, &m->goal->op[p->op], m->earliest ? m->earliest[send] : 0,
		              &r);
		return;
	}
	append_to_list(s, &h->posted, &h->posted_last, m->next_op, p->op);
	enter_ready(s, &r);
}

static HOT void count_message(const struct step *s, const struct pending *p, const struct wl_goal_op *op)
{
	struct host *h = &s->m->host[op->peer];
	SET(s, &h->messages, h->messages + 1);
	SET(s, &h->bytes, h->bytes + op->size);
	SET(s, &h->digest, h->digest + mix_bits(mix_bits((uint64_t)p->op << 32 | op->peer) ^ p->time));
}

/* The message has arrived, and occupies the processor until `end`: it matches a waiting receive, or is queued. */
static HOT void accept_message(const struct step *s, const struct pending *p, const struct wl_goal_op *op, uint64_t end)
{
	struct model *m = s->m;
	uint32_t rank = op->peer, previous = NONE;
	struct host *h = &m->host[rank];
	struct ready r;
	none_ready(&r, rank);
	count_message(s, p, op);
	for (uint32_t at = h->posted; at != NONE; previous = at, at = m->next_op[at]) {
		if (!message_fits(m, at, p->op, p->rank))
			continue;
		unlink_from(s, &h->posted, &h->posted_last, m->next_op, previous, at);
		match_message(s, rank, at, p->op, p->rank, op, end, &r);
		return;
	}
	if (m->earliest) /* of the send, which has begun: for the receive that will come */
		SET(s, &m->earliest[p->op], end);
	append_to_list(s, &h->arrived, &h->arrived_last, m->next_message, p->message);
}

/* Handles the arrival of a message that was sent by p->rank. */
static HOT void do_message(const struct step *s, const struct pending *p)
{
	struct model *m = s->m;
	const struct wl_goal_op *op = &m->goal->op[p->op];
	uint64_t *cpu = cpu_of(m, op->peer, op->cpu), *nic = nic_of(m, op->peer, op->nic, true);
	uint64_t t = *cpu > *nic ? *cpu : *nic, G = per_byte(m, m->G, op->size), O = per_byte(m, m->O, op->size);
	if (t > p->time) {
		wait_until(s, p, t);
		return;
	}
	uint64_t busy = m->p.o + (O > G ? O : G);
	note_event(s, p, born_at(s->m, p) + m->p.o + m->p.L, busy, cpu, nic, true);
	SET(s, cpu, p->time + busy);
	SET(s, nic, p->time + m->p.g + G);
	accept_message(s, p, op, p->time + busy);
}

#define THROUGH (UINT32_MAX - 1) /* of model.next_message: the message has passed the interface */

/* Handles a received message: first by the interface, then by the processor. */
static void do_message_by_interface(const struct step *s, const struct pending *p)
{
	struct model *m = s->m;
	const struct wl_goal_op *op = &m->goal->op[p->op];
	uint64_t *cpu = cpu_of(m, op->peer, op->cpu), *nic = nic_of(m, op->peer, op->nic, true);
	uint64_t taken = interface_time(m, op->size);
	bool through = m->next_message[p->message] == THROUGH;
	uint64_t *wanted = through ? cpu : nic;
	if (*wanted > p->time) {
		put_back(s, *p, *wanted);
	} else if (!through) {
		SET(s, nic, p->time + taken + m->p.g);
		SET(s, &m->next_message[p->message], THROUGH);
		put_back(s, *p, p->time + taken);
	} else {
		note_event(s, p, p->time, m->p.o, cpu, NULL, true);
		SET(s, cpu, p->time + m->p.o);
		accept_message(s, p, op, p->time + m->p.o);
	}
}

#include "workload/loggops/atlahs.h"

/* Of the other kinds. */
static __attribute__((noinline)) void do_other(struct step *s, const struct pending *p)
{
	enum wl_goal_kind kind = s->m->goal->op[p->op].kind;
	bool atlahs = s->m->p.kind == WL_LOGGOPS_ATLAHS;
	s->now = p->time;
	s->born = p->born;
	s->event = trace_number(p);
	if (p->message != NONE && atlahs)
		atlahs_message(s, p);
	else if (p->message != NONE)
		do_message_by_interface(s, p);
	else if (kind == WL_GOAL_SEND && atlahs)
		atlahs_send(s, p);
	else if (kind == WL_GOAL_SEND)
		send_by_interface(s, p);
	else if (kind == WL_GOAL_RECV && atlahs)
		atlahs_recv(s, p);
	else if (kind == WL_GOAL_RECV)
		do_recv(s, p);
	else if (atlahs)
		atlahs_calc(s, p);
	else
		do_calc(s, p);
}

/* Of LogGOPS. */
static void do_pending(struct step *s, const struct pending *p)
{
	enum wl_goal_kind kind = s->m->goal->op[p->op].kind;
	s->now = p->time;
	s->born = p->born;
	if (TRACED(s->m))
		s->event = trace_number(p);
	if (kind == WL_GOAL_CALC)
		do_calc(s, p);
	else if (kind == WL_GOAL_RECV)
		do_recv(s, p);
	else if (p->message != NONE)
		do_message(s, p);
	else
		do_send(s, p);
}

/* At time 0. */
static void begin_rank(const struct step *s, uint32_t rank)
{
	const struct wl_goal *g = s->m->goal;
	uint32_t first = g->first_op[rank], end = g->first_op[rank + 1];
	while (end > first && g->op[end - 1].waits) /* as a rule few are ready, the first ones */
		end--;
	if (AS_REFERENCE(s->m)) {
		struct ready r;
		none_ready(&r, rank);
		for (uint32_t i = first; i < end; i++)
			if (!g->op[i].waits)
				add_ready(s, &r, i);
		enter_ready(s, &r);
		return;
	}
	for (unsigned kind = WL_GOAL_SEND; kind <= WL_GOAL_CALC; kind++)
		for (uint32_t i = first; i < end; i++)
			if (g->op[i].kind == kind && !g->op[i].waits)
				enter_operation(s, rank, i);
}

static void begin_process(const struct step *s)
{
	for (uint32_t k = s->m->first_rank[s->lp]; k < s->m->first_rank[s->lp + 1]; k++)
		begin_rank(s, s->m->member[k]);
}

#endif

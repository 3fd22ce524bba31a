/* workload/loggops/sequential.h - LogGOPS without the engine: one thread, nothing is undone. Part of sequential.c,
 * traced.c and compat.c, which define TRACED() and AS_REFERENCE(), and call run_all().
 *
 * Time is divided into windows of o + L. Messages between processes arrive in a later window, so within a window
 * processes are executed one after the other, in any order, each to the window's end: pending events are sorted only
 * within their own process, which usually is one rank. A process is queued under the window of its first event: in a
 * ring of lists for the next RING windows, in a heap for later ones. */
#ifndef WORKLOAD_LOGGOPS_SEQUENTIAL_H
#define WORKLOAD_LOGGOPS_SEQUENTIAL_H

#include "workload/loggops/model.h"

#include "base/memory.h"

#include <stdlib.h>

#define SET(s, at, value) ((void)(s), *(at) = (value))
#include "workload/loggops/rules.h"

#define MANY 32u /* pending in a process: with fewer it is no use that they wait elsewhere */

struct heap {
	struct pending *v;
	uint32_t n, room;
};

#define OTHERS struct heap
#include "workload/loggops/waiting.h"

#define RING 1024u /* a power of two, 64 at least */
#define UNFILED UINT64_MAX

struct process_queue { /* of a process */
	struct heap heap;
	uint64_t window;     /* that it is filed under */
	uint32_t next, prev; /* in its list; NONE: the last, the first */
	uint32_t at;         /* in wl_loggops_order.far; NONE: it is in a list, or not filed */
};

struct wl_loggops_order {
	struct process_queue *queue; /* [lps] */
	uint64_t lead, now;          /* ps; window */
	uint32_t list[RING];         /* [window % RING] the first; NONE */
	uint64_t used[RING / 64];
	uint32_t *far, nfar;            /* [lps] a heap by window */
	struct clock_waiting **waiting; /* [ranks][kinds_of_waiting()], or NULL; each owned */
	uint32_t waits;                 /* of these, how many anything of is queued */
};

/* --- where processes are filed ------------------------------------------------------------------------------- */

static void place_far(struct wl_loggops_order *o, uint32_t i, uint32_t process)
{
	o->far[i] = process;
	o->queue[process].at = i;
}

static void rise(struct wl_loggops_order *o, uint32_t i, uint32_t process)
{
	uint64_t window = o->queue[process].window;
	for (; i && window < o->queue[o->far[(i - 1) / 2]].window; i = (i - 1) / 2)
		place_far(o, i, o->far[(i - 1) / 2]);
	place_far(o, i, process);
}

static void sink(struct wl_loggops_order *o, uint32_t i, uint32_t process)
{
	uint64_t window = o->queue[process].window;
	uint32_t k;
	while ((k = 2 * i + 1) < o->nfar) {
		k += k + 1 < o->nfar && o->queue[o->far[k + 1]].window < o->queue[o->far[k]].window;
		if (o->queue[o->far[k]].window >= window)
			break;
		place_far(o, i, o->far[k]);
		i = k;
	}
	place_far(o, i, process);
}

static void leave_far(struct wl_loggops_order *o, uint32_t process)
{
	uint32_t i = o->queue[process].at, last = o->far[--o->nfar];
	o->queue[process].at = NONE;
	if (last == process)
		return;
	sink(o, i, last);
	if (o->queue[last].at == i)
		rise(o, i, last);
}

static void enter_list(struct wl_loggops_order *o, uint32_t process)
{
	struct process_queue *q = &o->queue[process];
	uint32_t at = (uint32_t)(q->window % RING), *head = &o->list[at];
	q->next = *head;
	q->prev = NONE;
	if (*head != NONE)
		o->queue[*head].prev = process;
	*head = process;
	o->used[at / 64] |= (uint64_t)1 << at % 64;
}

static void leave_list(struct wl_loggops_order *o, uint32_t process)
{
	struct process_queue *q = &o->queue[process];
	uint32_t at = (uint32_t)(q->window % RING);
	if (q->next != NONE)
		o->queue[q->next].prev = q->prev;
	if (q->prev != NONE)
		o->queue[q->prev].next = q->next;
	else
		o->list[at] = q->next;
	if (o->list[at] == NONE)
		o->used[at / 64] &= ~((uint64_t)1 << at % 64);
}

/* The process has an event at `time`, in this window or later. */
static void file(struct wl_loggops_order *o, uint32_t process, uint64_t time)
{
	struct process_queue *q = &o->queue[process];
	uint64_t window = time / o->lead;
	if (q->window <= window)
		return;
	if (q->window != UNFILED && q->at == NONE)
		leave_list(o, process);
	else if (q->window != UNFILED)
		leave_far(o, process);
	q->window = window;
	if (window - o->now < RING)
		enter_list(o, process);
	else
		rise(o, o->nfar++, process);
}

/* Advances to the next window with events; false: there is none. */
static bool next_window(struct wl_loggops_order *o)
{
	uint32_t from = (uint32_t)(o->now % RING), k = 0;
	uint64_t rest = o->used[from / 64] >> from % 64;
	if (rest) {
		o->now += (uint32_t)__builtin_ctzll(rest);
	} else {
		for (k = 1; k <= RING / 64 && !o->used[(from / 64 + k) % (RING / 64)]; k++)
			;
		if (k <= RING / 64)
			o->now +=
			    64 * k - from % 64 + (uint32_t)__builtin_ctzll(o->used[(from / 64 + k) % (RING / 64)]);
		else if (o->nfar)
			o->now = o->queue[o->far[0]].window;
		else
			return false;
	}
	while (o->nfar && o->queue[o->far[0]].window - o->now < RING) {
		uint32_t process = o->far[0];
		leave_far(o, process);
		enter_list(o, process);
	}
	return true;
}

/* --- what is pending in a process ------------------------------------------------------------------------------ */

__attribute__((noinline)) static void grow(struct heap *h)
{
	h->room = h->room ? 2 * h->room : 4;
	h->v = base_realloc(h->v, h->room * sizeof *h->v);
}

static inline void add_pending(struct heap *h, const struct pending *p)
{
	uint32_t i = h->n++;
	if (i == h->room)
		grow(h);
	for (; i && before(p, &h->v[(i - 1) / 2]); i = (i - 1) / 2)
		h->v[i] = h->v[(i - 1) / 2];
	h->v[i] = *p;
}

static inline void take_pending(struct heap *h, struct pending *first)
{
	struct pending *v = h->v;
	const struct pending *last = &v[--h->n];
	uint32_t i = 0, k;
	*first = v[0];
	while ((k = 2 * i + 1) < h->n) {
		k += k + 1 < h->n && before(&v[k + 1], &v[k]);
		if (!before(&v[k], last))
			break;
		v[i] = v[k];
		i = k;
	}
	if (h->n)
		v[i] = *last;
}

static inline void push_pending(const struct step *s, struct pending p)
{
	add_pending(&s->m->order->queue[s->lp].heap, &p);
}

static struct clock_waiting *waiting_with(const struct model *m, const struct pending *p)
{
	uint32_t kind, rank = wanted(m, p, &kind);
	struct clock_waiting *of = m->order->waiting[rank];
	return of ? of + kind : NULL;
}

static void add_other(const struct step *s, struct clock_waiting *w, const struct pending *p)
{
	(void)s;
	add_pending(&w->others, p);
}

static bool take_other(const struct step *s, struct clock_waiting *w, struct pending *first)
{
	(void)s;
	if (!w->others.n)
		return false;
	take_pending(&w->others, first);
	return true;
}

static void set_queued(const struct step *s, struct clock_waiting *w, bool queued)
{
	s->m->order->waits += (uint32_t)queued - (uint32_t)w->queued;
	w->queued = queued;
}

static void wait_until(const struct step *s, const struct pending *p, uint64_t t)
{
	struct wl_loggops_order *o = s->m->order;
	bool many = o->queue[s->lp].heap.n >= MANY;
	uint32_t kind, rank = wanted(s->m, p, &kind);
	struct clock_waiting **of = &o->waiting[rank];
	if (!*of && many && s->m->p.kind == WL_LOGGOPS)
		*of = base_calloc(kinds_of_waiting(s->m), sizeof **of);
	if (*of && (many || (*of)[kind].others.n))
		wait_with(s, *of + kind, *p, t);
	else
		put_back(s, *p, t);
}

static inline void deliver_message(const struct step *s, const struct pending *message)
{
	struct wl_loggops_order *o = s->m->order;
	uint32_t to = s->m->lp_of[s->m->goal->op[message->op].peer];
	if (to == s->lp) {
		add_pending(&o->queue[to].heap, message);
	} else if (message->time < LATEST) {
		add_pending(&o->queue[to].heap, message);
		file(o, to, message->time);
	}
}

static void run_process(struct model *m, uint32_t process)
{
	struct wl_loggops_order *o = m->order;
	struct process_queue *q = &o->queue[process];
	struct step s = { .m = m, .lp = process };
	uint64_t until = m->lps > 1 ? (o->now + 1) * o->lead : LATEST;
	if (until > LATEST)
		until = LATEST;
	o->list[o->now % RING] = q->next; /* it is the first there */
	if (q->next != NONE)
		o->queue[q->next].prev = NONE;
	q->window = UNFILED;
	struct heap *h = &q->heap;
	while (m->p.kind == WL_LOGGOPS && h->n && h->v[0].time < until) {
		struct pending p;
		take_pending(h, &p);
		if (__builtin_expect(o->waits != 0, 0))
			do_first(&s, &p);
		else
			do_pending(&s, &p);
	}
	while (h->n && h->v[0].time < until) { /* of the other kinds */
		struct pending p;
		take_pending(h, &p);
		do_other(&s, &p);
	}
	if (h->n && h->v[0].time < LATEST)
		file(o, process, h->v[0].time);
}

static void run_all(struct model *m)
{
	struct wl_loggops_order *o = m->order = base_alloc(sizeof *o);
	o->queue = base_calloc(m->lps, sizeof *o->queue);
	o->far = base_calloc(m->lps, sizeof *o->far);
	o->waiting = base_calloc(m->goal->ranks, sizeof *o->waiting);
	o->waits = 0;
	o->lead = m->p.o + m->p.L;
	for (uint32_t i = 0; i < RING; i++)
		o->list[i] = NONE;
	for (uint32_t i = 0; i < m->lps; i++) {
		struct step s = { .m = m, .lp = i };
		o->queue[i].at = NONE;
		o->queue[i].window = UNFILED;
		begin_process(&s);
		if (o->queue[i].heap.n)
			file(o, i, o->queue[i].heap.v[0].time);
	}
	while (next_window(o)) {
		uint32_t at = (uint32_t)(o->now % RING);
		while (o->list[at] != NONE)
			run_process(m, o->list[at]);
		o->used[at / 64] &= ~((uint64_t)1 << at % 64);
	}
	for (uint32_t i = 0; i < m->lps; i++)
		free(o->queue[i].heap.v);
	for (uint32_t i = 0; i < m->goal->ranks; i++) {
		for (uint32_t k = 0; o->waiting[i] && k < kinds_of_waiting(m); k++)
			free(o->waiting[i][k].others.v);
		free(o->waiting[i]);
	}
	free(o->waiting);
	free(o->queue);
	free(o->far);
	free(o);
	m->order = NULL;
}

#endif

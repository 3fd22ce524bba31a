/* workload/loggops/sequential.h - LogGOPS without the engine: one thread, nothing is undone. Part of sequential.c and
 * of traced.c, which define TRACED(), and call run_all().
 *
 * Time is divided into windows of o + L. What a process sends comes to another one in a later window, so in a window
 * processes are run one after the other, in any order, each to the window's end: what is pending is sorted among that
 * of its own process only, which as a rule is one rank. A process is filed under the window of its first: in a ring of
 * lists for the next RING windows, in a heap beyond. */
#ifndef WORKLOAD_LOGGOPS_SEQUENTIAL_H
#define WORKLOAD_LOGGOPS_SEQUENTIAL_H

#include "workload/loggops/model.h"

#include "base/memory.h"

#include <stdlib.h>

#define SET(s, at, value) ((void)(s), *(at) = (value))
#include "workload/loggops/rules.h"

#define RING 1024u /* a power of two, 64 at least */
#define UNFILED UINT64_MAX

struct queue { /* of a process: a heap */
	struct pending *v;
	uint32_t n, room;
	uint64_t window;     /* that it is filed under */
	uint32_t next, prev; /* in its list; NONE: the last, the first */
	uint32_t at;         /* in wl_loggops_order.far; NONE: it is in a list, or not filed */
};

struct wl_loggops_order {
	struct queue *queue; /* [lps] */
	uint64_t lead, now;  /* ps; window */
	uint32_t list[RING]; /* [window % RING] the first; NONE */
	uint64_t used[RING / 64];
	uint32_t *far, nfar; /* [lps] a heap by window */
};

/* --- where processes are filed ------------------------------------------------------------------------------- */

static void place(struct wl_loggops_order *o, uint32_t i, uint32_t process)
{
	o->far[i] = process;
	o->queue[process].at = i;
}

static void rise(struct wl_loggops_order *o, uint32_t i, uint32_t process)
{
	uint64_t window = o->queue[process].window;
	for (; i && window < o->queue[o->far[(i - 1) / 2]].window; i = (i - 1) / 2)
		place(o, i, o->far[(i - 1) / 2]);
	place(o, i, process);
}

static void sink(struct wl_loggops_order *o, uint32_t i, uint32_t process)
{
	uint64_t window = o->queue[process].window;
	uint32_t k;
	while ((k = 2 * i + 1) < o->nfar) {
		k += k + 1 < o->nfar && o->queue[o->far[k + 1]].window < o->queue[o->far[k]].window;
		if (o->queue[o->far[k]].window >= window)
			break;
		place(o, i, o->far[k]);
		i = k;
	}
	place(o, i, process);
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
	struct queue *q = &o->queue[process];
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
	struct queue *q = &o->queue[process];
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

/* It has something to do at `time`, in this window or later. */
static void file(struct wl_loggops_order *o, uint32_t process, uint64_t time)
{
	struct queue *q = &o->queue[process];
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

/* Goes to the next window that something is in; false: there is none. */
static bool advance(struct wl_loggops_order *o)
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

__attribute__((noinline)) static void grow(struct queue *q)
{
	q->room = q->room ? 2 * q->room : 4;
	q->v = base_realloc(q->v, q->room * sizeof *q->v);
}

static inline void add(struct queue *q, const struct pending *p)
{
	uint32_t i = q->n++;
	if (i == q->room)
		grow(q);
	for (; i && before(p, &q->v[(i - 1) / 2]); i = (i - 1) / 2)
		q->v[i] = q->v[(i - 1) / 2];
	q->v[i] = *p;
}

static inline void take(struct queue *q, struct pending *first)
{
	struct pending *v = q->v;
	const struct pending *last = &v[--q->n];
	uint32_t i = 0, k;
	*first = v[0];
	while ((k = 2 * i + 1) < q->n) {
		k += k + 1 < q->n && before(&v[k + 1], &v[k]);
		if (!before(&v[k], last))
			break;
		v[i] = v[k];
		i = k;
	}
	if (q->n)
		v[i] = *last;
}

static inline void push(const struct step *s, struct pending p)
{
	add(&s->m->order->queue[s->lp], &p);
}

static inline void deliver(const struct step *s, const struct pending *message)
{
	struct wl_loggops_order *o = s->m->order;
	uint32_t to = s->m->lp_of[s->m->goal->op[message->op].peer];
	if (to == s->lp) {
		add(&o->queue[to], message);
	} else if (message->time < LATEST) {
		add(&o->queue[to], message);
		file(o, to, message->time);
	}
}

static void run_process(struct model *m, uint32_t process)
{
	struct wl_loggops_order *o = m->order;
	struct queue *q = &o->queue[process];
	struct step s = { .m = m, .lp = process };
	uint64_t until = m->lps > 1 ? (o->now + 1) * o->lead : LATEST;
	if (until > LATEST)
		until = LATEST;
	o->list[o->now % RING] = q->next; /* it is the first there */
	if (q->next != NONE)
		o->queue[q->next].prev = NONE;
	q->window = UNFILED;
	while (m->p.kind == WL_LOGGOPS && q->n && q->v[0].time < until) {
		struct pending p;
		take(q, &p);
		do_pending(&s, &p);
	}
	while (q->n && q->v[0].time < until) { /* of the other kinds */
		struct pending p;
		take(q, &p);
		do_other(&s, &p);
	}
	if (q->n && q->v[0].time < LATEST)
		file(o, process, q->v[0].time);
}

static void run_all(struct model *m)
{
	struct wl_loggops_order *o = m->order = base_alloc(sizeof *o);
	o->queue = base_calloc(m->lps, sizeof *o->queue);
	o->far = base_calloc(m->lps, sizeof *o->far);
	o->lead = m->p.o + m->p.L;
	for (uint32_t i = 0; i < RING; i++)
		o->list[i] = NONE;
	for (uint32_t i = 0; i < m->lps; i++) {
		struct step s = { .m = m, .lp = i };
		o->queue[i].at = NONE;
		o->queue[i].window = UNFILED;
		begin(&s);
		if (o->queue[i].n)
			file(o, i, o->queue[i].v[0].time);
	}
	while (advance(o)) {
		uint32_t at = (uint32_t)(o->now % RING);
		while (o->list[at] != NONE)
			run_process(m, o->list[at]);
		o->used[at / 64] &= ~((uint64_t)1 << at % 64);
	}
	for (uint32_t i = 0; i < m->lps; i++)
		free(o->queue[i].v);
	free(o->queue);
	free(o->far);
	free(o);
	m->order = NULL;
}

#endif

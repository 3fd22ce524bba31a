/* workload/loggops/waiting.h - operations and messages that wait for a processor and an interface under LogGOPS. Part
 * of sequential.h and of parallel.c.
 *
 * Of all that wait for the same clocks, only the first can proceed when these are free, after which they are busy
 * again. So only the first one, by the order of simultaneous events, is in the queue of its process, at the time at
 * which the clocks are free; the others wait here, and the next one is moved to the queue when the first has been
 * removed. A new one that precedes the one in the queue replaces it at once. A queued event that is due but cannot
 * proceed yet has no effect, so the order of events is the same as with one queue for all.
 *
 * Before including this, after rules.h, define OTHERS, the type of a priority queue ordered by before(), all with time
 * 0; after it define add_other(), take_other(), set_queued() and waiting_with(). */
#ifndef WORKLOAD_LOGGOPS_WAITING_H
#define WORKLOAD_LOGGOPS_WAITING_H

struct clock_waiting { /* for the same clocks; between two of the queue there are others only if `queued` */
	OTHERS others;
	struct pending first; /* of time 0 */
	bool queued;          /* `first` is in the queue */
};

static void add_other(const struct step *s, struct clock_waiting *w, const struct pending *p);
/* Finds the first of the other waiting operations; returns false if there is none. */
static bool take_other(const struct step *s, struct clock_waiting *w, struct pending *first);
static void set_queued(const struct step *s, struct clock_waiting *w, bool queued);
/* The queue in which p waits if its clocks are busy; NULL: the queue is empty. */
static struct clock_waiting *waiting_with(const struct model *m, const struct pending *p);

/* The number of queues of a rank: for each processor, one for operations that need the processor alone, and for each of
 * its interfaces one to send and one to receive. */
static uint32_t kinds_of_waiting(const struct model *m)
{
	return m->goal->cpus * (1 + 2 * m->goal->nics);
}

/* The rank whose clocks p wants, and which of its kinds of waiting that is. */
static uint32_t wanted(const struct model *m, const struct pending *p, uint32_t *kind)
{
	const struct wl_goal_op *op = &m->goal->op[p->op];
	bool message = p->message != NONE;
	*kind = op->cpu * (1 + 2 * m->goal->nics);
	if (op->kind == WL_GOAL_SEND)
		*kind += 2u * op->nic + (message ? 2 : 1);
	return message ? op->peer : p->rank;
}

/* The time at which the clocks (processor, interface) needed by p are free. */
static uint64_t wanted_time(const struct model *m, const struct pending *p)
{
	const struct wl_goal_op *op = &m->goal->op[p->op];
	bool message = p->message != NONE;
	uint32_t rank = message ? op->peer : p->rank;
	uint64_t cpu = *cpu_of(m, rank, op->cpu);
	uint64_t nic = op->kind == WL_GOAL_SEND ? *nic_of(m, rank, op->nic, message) : 0;
	return cpu > nic ? cpu : nic;
}

static inline bool is_same(const struct pending *a, const struct pending *b)
{
	return a->rank == b->rank && a->count == b->count; /* who made it counts */
}

/* Does p precede all other waiting operations in the order of simultaneous events? */
static void queue_first(const struct step *s, struct clock_waiting *w, const struct pending *p, uint64_t t)
{
	base_checkf(!p->time, "%llu ps", (unsigned long long)p->time);
	SET(s, &w->first, *p);
	set_queued(s, w, true);
	put_back(s, *p, t);
}

/* The clocks (processor, interface) are free at t: the next waiting operation is queued for that time. */
static void wait_with(const struct step *s, struct clock_waiting *w, struct pending p, uint64_t t)
{
	p.time = 0;
	if (w->queued && before(&w->first, &p))
		add_other(s, w, &p);
	else
		queue_first(s, w, &p, t);
}

/* Calls do_pending() for the event that was taken out of the queue, in models in which operations wait. */
static void do_first(struct step *s, const struct pending *p)
{
	struct clock_waiting *w = s->m->goal->op[p->op].kind != WL_GOAL_RECV ? waiting_with(s->m, p) : NULL;
	bool first = w && w->queued && is_same(p, &w->first);
	struct pending next;
	if (first)
		set_queued(s, w, false);
	do_pending(s, p);
	if (first && !w->queued && take_other(s, w, &next))
		queue_first(s, w, &next, wanted_time(s->m, p));
}

#endif

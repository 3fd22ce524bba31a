/* workload/loggops/waiting.h - what waits for a processor and an interface under LogGOPS without the engine. Part of
 * sequential.h.
 *
 * Of all that waits for the same clocks only the first can go on when they are free, and what follows it would find
 * them taken again. So where many are pending only the first of them, by the order of things of one time, is in the
 * queue of its process, for when the clocks are free; the others wait here, and the next one is put there when the
 * first has been taken out. What has just come and is before the one in the queue goes there at once. In the queue all
 * that is due and can not go on yet is without effect, so that the order in which things happen is the one that a queue
 * of all would give. */
#ifndef WORKLOAD_LOGGOPS_WAITING_H
#define WORKLOAD_LOGGOPS_WAITING_H

#define MANY 32u /* pending in a process: with fewer it is no use */

struct heap {
	struct pending *v;
	uint32_t n, room;
};

struct waiting {            /* for the same clocks */
	struct heap others; /* of time 0, for the order of things of one time */
	struct pending first;
	bool queued; /* `first` is in the queue */
};

__attribute__((noinline)) static void grow(struct heap *h)
{
	h->room = h->room ? 2 * h->room : 4;
	h->v = base_realloc(h->v, h->room * sizeof *h->v);
}

static inline void add(struct heap *h, const struct pending *p)
{
	uint32_t i = h->n++;
	if (i == h->room)
		grow(h);
	for (; i && before(p, &h->v[(i - 1) / 2]); i = (i - 1) / 2)
		h->v[i] = h->v[(i - 1) / 2];
	h->v[i] = *p;
}

static inline void take(struct heap *h, struct pending *first)
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

/* Of a rank: for each processor that alone, and with each interface, to send and to receive. */
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

/* When the clocks that p wants are free. */
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

#endif

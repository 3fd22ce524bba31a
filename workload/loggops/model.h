/* workload/loggops/model.h - state shared by the files of loggops/. */
#ifndef WORKLOAD_LOGGOPS_MODEL_H
#define WORKLOAD_LOGGOPS_MODEL_H

#include "workload/formats/goal/messages.h"
#include "workload/loggops/loggops.h"

#define NONE UINT32_MAX
#define LATEST ((uint64_t)1 << 62) /* ps */

struct pending {
	uint64_t time, born,
	    before; /* the time at which the event was created, and the time at which its creator was created. With
	               model.as_reference: the event's number among all created events, and the time of its creation */
	uint32_t rank, count; /* of its creator */
	uint32_t op;          /* a message: the send's */
	uint32_t message;     /* its place among those of its receiver; NONE: the operation itself */
};

struct host {
	uint64_t bytes, messages, done, digest;
	uint32_t count;                                      /* of what it has made */
	uint32_t entered;                                    /* of rank 0, with model.as_reference: by all ranks */
	uint32_t posted, posted_last, arrived, arrived_last; /* queues: receives; places of messages */
};

struct loggops_lp {
	uint64_t wake; /* an event is due then; UINT64_MAX: none */
	uint32_t n, sent;
};

struct model {
	const struct wl_goal *goal;
	struct wl_loggops_params p;
	uint64_t G, O;         /* 2^-20 ps a byte */
	uint32_t *lp_of;       /* [ranks]; NONE: of no process, it does nothing and gets nothing */
	uint32_t *first_rank;  /* [lps + 1], in member */
	uint32_t *member;      /* by process */
	size_t *first_pending; /* [lps + 1]; NULL: alone */
	struct wl_goal_messages messages;
	uint32_t lps;
	bool alone; /* sequential.c, or traced.c, runs it */
	/* Are simultaneous events ordered as by LogGOPSim, by a count over all ranks? Then all ranks form one process.
	 */
	bool as_reference;
	/* changed by handlers */
	struct wl_loggops_order *order; /* of sequential.c */
	struct loggops_lp *lp;          /* of parallel.c, and so are `pending` and `lists` */
	struct pending *pending;
	struct wl_loggops_lists *lists;
	struct host *host;
	uint64_t *clock; /* [ranks][clocks]: cpu, nic_send, nic_recv */
	size_t clocks;   /* cpus + 2 nics */
	uint32_t *waits; /* [ops] */
	/* [ops] ps: an operation begins no earlier; for a send that has left, when its receiver has handled the
	 * message. NULL: the clock of the only processor determines it, or with compat nothing does. */
	uint64_t *earliest;
	uint32_t *next_op; /* [ops] in the queue of receives */
	uint32_t *next_message;
	struct trace *trace; /* what has happened, or NULL: trace.h */
};

static inline uint64_t *cpu_of(const struct model *m, uint32_t rank, uint32_t cpu)
{
	return &m->clock[rank * m->clocks + cpu];
}
static inline uint64_t *nic_of(const struct model *m, uint32_t rank, uint32_t nic, bool receives)
{
	return cpu_of(m, rank, m->goal->cpus + nic + (receives ? m->goal->nics : 0));
}

/* (k - 1) bytes at this rate; a message of 0 bytes counts as one of 1, or with compat k - 1 wraps around. */
static inline uint64_t per_byte(const struct model *m, uint64_t rate, uint64_t k)
{
	if (!rate)
		return 0;
	if (__builtin_expect(!k && m->p.compat, 0))
		return -((rate + (1u << 19)) >> 20);
	unsigned __int128 ps = k < 2 ? 0 : ((unsigned __int128)(k - 1) * rate + (1u << 19)) >> 20;
	return ps < LATEST ? (uint64_t)ps : LATEST;
}

/* For digests. */
static inline uint64_t mix_bits(uint64_t v)
{
	v = (v ^ v >> 31) * 0x7fb5d329728ea185ull;
	v = (v ^ v >> 27) * 0x81dadef4bc2dd44dull;
	return v ^ v >> 33;
}

/* Groups ranks into processes, selects how they are executed, and allocates; goal, p must be set. */
void wl_loggops_make(struct model *m);
void wl_loggops_destroy(struct model *m);

/* Sorts operations by kind, as LogGOPSim does: equal ones do not keep their order. */
void wl_loggops_sort_by_kind(const struct wl_goal *goal, uint32_t *op, uint32_t n);

void wl_loggops_sequential(struct model *m);
void wl_loggops_traced(struct model *m); /* the same, with m->trace */
void wl_loggops_compat(struct model *m); /* the same, with m->as_reference, with or without m->trace */
/* *first, *end: the processes of this MPI rank. Collective. */
enum sim_outcome wl_loggops_parallel(struct model *m, uint32_t *first, uint32_t *end, struct sim_counters *counters,
                                     struct base_errors *errors);

#endif

/* workload/loggops/model.h - between the files of loggops/: what a run consists of. */
#ifndef WORKLOAD_LOGGOPS_MODEL_H
#define WORKLOAD_LOGGOPS_MODEL_H

#include "workload/loggops/loggops.h"

#define NONE UINT32_MAX
#define LATEST ((uint64_t)1 << 62) /* ps */

struct pending {
	uint64_t time, born, before; /* born when; and when that was which made it */
	uint32_t rank, count;        /* of whoever made it */
	uint32_t op;                 /* a message: the send's */
	uint32_t message;            /* its place among those of its receiver; NONE: the operation itself */
};

struct host {
	uint64_t bytes, messages, done, digest;
	uint32_t count;                                      /* of what it has made */
	uint32_t posted, posted_last, arrived, arrived_last; /* queues: receives; places of messages */
};

struct lp {
	uint64_t wake; /* an event is due then; UINT64_MAX: none */
	uint32_t n, sent;
};

struct model {
	const struct wl_goal *goal;
	struct wl_loggops_params p;
	uint64_t G, O;           /* 2^-20 ps a byte */
	uint32_t *lp_of;         /* [ranks] */
	uint32_t *first_rank;    /* [lps + 1], in member */
	uint32_t *member;        /* [ranks] by process */
	size_t *first_pending;   /* [lps + 1] */
	uint32_t *first_message; /* [ranks + 1] places of messages by receiver */
	uint32_t *place;         /* [ops] of a send: where its message goes */
	uint32_t *sender_op;     /* [messages] */
	uint32_t lps;
	/* changed by handlers */
	struct lp *lp;
	struct pending *pending;
	struct host *host;
	uint64_t *clock;   /* [ranks][cpus + 2 nics]: cpu, nic_send, nic_recv */
	uint32_t *waits;   /* [ops] */
	uint32_t *next_op; /* [ops] in the queue of receives */
	uint32_t *next_message;
};

static inline uint64_t *cpu_of(const struct model *m, uint32_t rank, uint32_t cpu)
{
	return &m->clock[(size_t)rank * (m->goal->cpus + 2 * (size_t)m->goal->nics) + cpu];
}
static inline uint64_t *nic_of(const struct model *m, uint32_t rank, uint32_t nic, bool receives)
{
	return cpu_of(m, rank, m->goal->cpus + nic + (receives ? m->goal->nics : 0));
}

/* Groups ranks to processes and allocates; goal, p are set. */
void wl_loggops_make(struct model *m);
void wl_loggops_destroy(struct model *m);

#endif

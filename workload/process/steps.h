/* workload/process/steps.h - processes that go through iterations of steps: in each a member sends some messages,
 * and goes on when all that the step waits for have come. Collectives and exchanges are such.
 *
 * A message says iteration and step that it is for. Messages may overtake each other, and members be ahead of others,
 * but no more than two iterations: to end one a member must have got, directly or through others, what whoever it sends
 * to sent in it. */
#ifndef WORKLOAD_PROCESS_STEPS_H
#define WORKLOAD_PROCESS_STEPS_H

#include "workload/process/process.h"

#define WL_TOKEN 8u /* bytes of a message that only says that it is there */

struct wl_step_message {
	uint32_t to; /* member */
	uint64_t bytes;
	uint32_t step; /* of the receiver */
};

struct wl_steps_ops {
	struct wl_process_ops ops;                     /* WL_STEPS_OPS, with a build() of its own */
	uint32_t (*steps)(const struct wl_process *p); /* in an iteration */
	/* Messages that a member waits for in a step, below 2^16; and those that it sends, before that: the k-th goes
	 * to *m, whose `step` is this one. */
	uint32_t (*receives)(const struct wl_process *p, uint32_t me, uint32_t step);
	uint32_t (*sends)(const struct wl_process *p, uint32_t me, uint32_t step);
	void (*send)(const struct wl_process *p, uint32_t me, uint32_t step, uint32_t k, struct wl_step_message *m);
	/* Whether messages of a step leave side by side, as after MPI_Isend; else, and if it is NULL, one after the
	 * other, as of MPI_Send and MPI_Sendrecv. */
	bool (*at_once)(const struct wl_process *p);
};

size_t wl_steps_state_bytes(const struct wl_process *p);
void wl_steps_start(const struct wl_process *p, struct net_process_call *call, uint32_t me);
void wl_steps_delivered(const struct wl_process *p, struct net_process_call *call, uint32_t me,
                        const struct net_message *m);
void wl_steps_timer(const struct wl_process *p, struct net_process_call *call, uint32_t me, uint64_t what);

#define WL_STEPS_OPS(check)                                                                                        \
	{                                                                                                          \
		.in_bursts = true, .build = (check), .state_bytes = wl_steps_state_bytes, .start = wl_steps_start, \
		.delivered = wl_steps_delivered, .timer = wl_steps_timer                                           \
	}

#endif

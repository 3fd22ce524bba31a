/* workload/process/steps.h - processes that execute iterations of steps: in each step a member sends some messages, and
 * continues when all messages expected in the step have arrived. Collectives and exchanges are implemented as steps.
 *
 * A message contains its iteration and step. Messages may overtake each other, and members may be ahead of others, but
 * by at most two iterations: to end an iteration a member must have received, directly or through others, what each of
 * its senders sent in it. */
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
	/* receives: number of messages that a member waits for in a step, below 2^16. sends: number of messages that it
	 * sends in the step. send: stores the k-th of these in *m, whose member `step` is initially this step. */
	uint32_t (*receives)(const struct wl_process *p, uint32_t me, uint32_t step);
	uint32_t (*sends)(const struct wl_process *p, uint32_t me, uint32_t step);
	void (*send)(const struct wl_process *p, uint32_t me, uint32_t step, uint32_t k, struct wl_step_message *m);
	/* Do messages of a step leave interleaved, as after MPI_Isend? Otherwise, or if this member is NULL, they leave
	 * one after the other, as for MPI_Send and MPI_Sendrecv. */
	bool (*at_once)(const struct wl_process *p);
};

size_t wl_steps_state_bytes(const struct wl_process *p);
void wl_steps_start(const struct wl_process *p, struct net_process_call *call, uint32_t me);
void wl_steps_delivered(const struct wl_process *p, struct net_process_call *call, uint32_t me,
                        const struct net_message *m);
void wl_steps_timer(const struct wl_process *p, struct net_process_call *call, uint32_t me, uint64_t what);

#define WL_STEPS_OPS(check, kind)                                                                                  \
	{                                                                                                          \
		.in_bursts = true, .build = (check), .state_bytes = wl_steps_state_bytes, .start = wl_steps_start, \
		.delivered = wl_steps_delivered, .timer = wl_steps_timer, .mpi = WL_USES_CLASSES,                  \
		.message_kind = (kind)                                                                             \
	}

#endif

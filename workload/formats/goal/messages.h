/* workload/formats/goal/messages.h - the messages of a schedule, by receiver, and the pairs of ranks that communicate.
 *
 * The message of a send has a number among those of its receiver: numbers of a rank are contiguous, in the order of the
 * sends in the schedule. */
#ifndef WORKLOAD_FORMATS_GOAL_MESSAGES_H
#define WORKLOAD_FORMATS_GOAL_MESSAGES_H

#include "workload/formats/goal/goal.h"

struct wl_goal_messages {
	uint32_t *first; /* [ranks + 1] places, by receiver */
	uint32_t *place; /* [ops] of sends */
	uint32_t *send;  /* [places] */
};

/* Both O(operations). */
void wl_goal_messages_make(struct wl_goal_messages *out, const struct wl_goal *goal);
void wl_goal_messages_free(struct wl_goal_messages *m);

/* Numbers of (source, destination): one numbering keeps those of a source together, the other those of a destination.
 */
struct wl_goal_pairs {
	uint32_t *first_out, *first_in; /* [ranks + 1] */
	uint32_t *out, *in;             /* [ops] of sends */
};

/* O(operations log ranks). */
void wl_goal_pairs_make(struct wl_goal_pairs *out, const struct wl_goal *goal, const struct wl_goal_messages *messages);
void wl_goal_pairs_free(struct wl_goal_pairs *p);

#endif

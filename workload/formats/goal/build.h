/* workload/formats/goal/build.h - used by the readers of GOAL: converts operations and dependencies in any order to a
 * schedule. */
#ifndef WORKLOAD_FORMATS_GOAL_BUILD_H
#define WORKLOAD_FORMATS_GOAL_BUILD_H

#include "workload/formats/goal/goal.h"

#include <stdbool.h>

#define WL_GOAL_PROBLEMS 20u /* that are reported of one file */

/* The operation `later` waits until `earlier` has started (starts) or finished. Operations are numbered as they were
 * read. */
struct wl_goal_edge {
	uint32_t earlier, later;
	bool starts;
};

/* A schedule while it is read. Ranks may come in any order, each as one block of operations. */
struct wl_goal_draft {
	struct wl_goal_op *op;
	size_t ops, op_room;
	struct wl_goal_edge *edge; /* of all ranks; those of a rank are contiguous */
	size_t edges, edge_room;
	struct wl_goal_block { /* of a rank */
		uint32_t rank, first_op, ops;
		size_t first_edge, edges;
	} * block; /* [blocks] of the ranks that have been read, in that order; after wl_goal_sort() in theirs */
	uint32_t blocks, block_room;
	uint32_t *block_of; /* [ranks] its number + 1; 0: the rank has not been read */
	uint32_t ranks;
};

void wl_goal_draft_begin(struct wl_goal_draft *draft, uint32_t ranks);
/* Operations added from here on belong to this rank, which has not been read before. */
void wl_goal_begin_rank(struct wl_goal_draft *draft, uint32_t rank);
void wl_goal_end_rank(struct wl_goal_draft *draft);

/* Adds an operation and returns its number; UINT32_MAX: there are too many. */
uint32_t wl_goal_add_op(struct wl_goal_draft *draft, const struct wl_goal_op *op);
bool wl_goal_add_edge(struct wl_goal_draft *draft, struct wl_goal_edge edge);
void wl_goal_draft_free(struct wl_goal_draft *draft);

/* All ranks have been read: orders blocks by rank; block_of is freed. */
void wl_goal_sort(struct wl_goal_draft *draft);
/* Builds the schedule; nothing is checked. Frees the draft. O(operations + dependencies), and 8 bytes per rank. */
void wl_goal_finish(struct wl_goal *out, struct wl_goal_draft *draft);

/* Searches for an operation of this rank that waits for itself through others. Returns the operations of the cycle, in
 * an order in which each waits for the next, to be freed by the caller, and their number; NULL: there is no cycle.
 * O(operations + dependencies). */
uint32_t *wl_goal_cycle(const struct wl_goal *goal, uint32_t rank, uint32_t *n);

int wl_goal_read_text(struct wl_goal *out, const char *bytes, size_t n, const char *name, struct base_errors *errors);
int wl_goal_read_binary(struct wl_goal *out, const char *bytes, size_t n, const char *name, struct base_errors *errors);

#endif

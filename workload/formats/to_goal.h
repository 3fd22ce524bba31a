/* workload/formats/to_goal.h - conversion of MPI calls to a GOAL schedule, while wl_play() executes them.
 *
 * The calls of each rank become a chain: each operation waits for the last blocking operation to finish, and for
 * nonblocking ones before it to have started. A wait becomes dependencies of the next operation. Receives get the
 * source and tag of the message that they match in the execution, since a schedule has no communicators: a tag
 * represents a communicator and a tag. Collectives become messages, by the algorithms of workload/mpi. */
#ifndef WORKLOAD_FORMATS_TO_GOAL_H
#define WORKLOAD_FORMATS_TO_GOAL_H

#include "workload/formats/goal/goal.h"
#include "workload/formats/map.h"
#include "workload/mpi/collective.h"

struct to_goal_chain;
struct wl_to_goal {
	uint32_t ranks;
	struct to_goal_chain *chain;       /* [ranks] owned */
	struct wl_map tags;                /* (communicator, tag): the schedule's tag */
	const struct mpi_choices *choices; /* not owned */
	struct mpi_steps steps;            /* of a round */
	uint64_t ops, edges;
	uint64_t unit;        /* ps of computations' times; from wl_to_goal_begin() on 1000 */
	uint64_t frozen;      /* receives of any source or tag that are written with what they matched */
	uint64_t synchronous; /* sends that wait for their receive, which a schedule cannot say */
	uint64_t buffered;    /* bytes of the largest send that ends when it has left, which a schedule cannot say */
};

/* Describes the conversion for the message printed if memory runs out, until base_memory_made() is called. ranks: 0 if
 * their number is not known yet. */
void wl_to_goal_memory_for(const char *file, uint32_t ranks);
void wl_to_goal_begin(struct wl_to_goal *g, uint32_t ranks, const struct mpi_choices *choices);
/* The schedule; -1: it is too large. Frees the contents of g. */
int wl_to_goal_end(struct wl_to_goal *g, struct wl_goal *out);

/* --- what a rank does. Operations are numbered from 1 on, by rank; 0 is none ---------------------------------- */

void to_goal_compute(struct wl_to_goal *g, uint32_t rank, uint64_t ps);
uint32_t to_goal_send(struct wl_to_goal *g, uint32_t rank, uint32_t dest, uint64_t bytes, uint64_t key, bool blocks);
/* Adds a receive. Source UINT32_MAX and key UINT64_MAX mean that they are not known yet, because the receive accepts
 * any message. */
uint32_t to_goal_receive(struct wl_to_goal *g, uint32_t rank, uint32_t source, uint64_t bytes, uint64_t key,
                         bool blocks);
void to_goal_match(struct wl_to_goal *g, uint32_t rank, uint32_t receive, uint32_t source, uint64_t bytes,
                   uint64_t key);
/* Replaces a cancelled receive by an operation that takes no time. */
void to_goal_withdraw(struct wl_to_goal *g, uint32_t rank, uint32_t receive);
/* Makes the next operation of the rank wait for operation `op`. */
void to_goal_wait(struct wl_to_goal *g, uint32_t rank, uint32_t op);

/* A rank's part of a collective: world(data, i) is the world rank of rank i of the communicator. */
struct to_goal_part {
	const struct mpi_call *call;
	uint32_t ranks, me;
	uint32_t (*world)(const void *data, uint32_t i);
	const void *data;
	uint64_t key;
	uint8_t cpu; /* that its operations are of */
};
/* Adds a rank's part of a collective. Returns the operation that completes a nonblocking collective; 0 if there is
 * nothing to do, or if the collective blocks. */
uint32_t to_goal_collective(struct wl_to_goal *g, uint32_t rank, const struct to_goal_part *part);

/* --- a graph instead of a chain: nothing follows unless it is said to ------------------------------------------ */

uint32_t to_goal_loose(struct wl_to_goal *g, uint32_t rank, const struct wl_goal_op *op);
uint32_t to_goal_loose_message(struct wl_to_goal *g, uint32_t rank, bool send, uint32_t peer, uint64_t bytes,
                               uint64_t key, uint8_t cpu);
void to_goal_after(struct wl_to_goal *g, uint32_t rank, uint32_t earlier, uint32_t later);
/* A rank's part of a collective after an operation; returns the operation at which it is complete, or `before`. */
uint32_t to_goal_expand(struct wl_to_goal *g, uint32_t rank, const struct to_goal_part *part, uint32_t before,
                        bool before_started);

#endif

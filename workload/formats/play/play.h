/* workload/formats/play/play.h - executes a source of MPI calls on a network without delays: eager sends always
 * complete, receives match in MPI's order, and ranks wait as they must.
 *
 * Ranks proceed in the order of their own clocks (computation, and the times of what they waited for), then of their
 * numbers, so receives from any source always match in the same way. Memory depends on what is in flight, not on the
 * length of a trace. */
#ifndef WORKLOAD_FORMATS_PLAY_PLAY_H
#define WORKLOAD_FORMATS_PLAY_PLAY_H

#include "workload/mpi/call.h"

#define WL_PLAY_LISTED 100u

struct wl_play_message {
	uint32_t source, dest; /* in the world; source UINT32_MAX: any */
	int64_t tag;           /* WL_MPI_ANY: any */
	uint64_t bytes;
};

struct wl_play_rank {
	uint64_t sends, send_bytes, receives, receive_bytes; /* receives as posted */
	uint64_t compute_ps, end_ps;                         /* end_ps: waiting for others included */
};

struct wl_play {
	uint32_t ranks;
	struct wl_play_rank *rank; /* owned */
	uint64_t calls[WL_MPI_OPS];
	uint64_t collectives;           /* mpi_collective_bit() of those that are called */
	uint64_t collective_operations; /* one for all ranks that take part */
	uint64_t null_requests;         /* in lists that were waited for */
	uint64_t lost, lost_bytes;      /* messages that were sent and not received */
	uint64_t truncated;             /* messages longer than the receive that they matched */
	uint64_t mismatched;            /* of formats where that is no error: matches of two sizes */
	struct wl_play_message first_truncated;
	uint64_t first_room;                            /* bytes of its receive */
	uint64_t left_receives;                         /* receives that were posted and got nothing */
	uint32_t stuck;                                 /* ranks that could not go on */
	uint64_t incomplete;                            /* collectives that some of the ranks never call */
	struct wl_play_message message[WL_PLAY_LISTED]; /* the first of those lost, then of receives left */
	uint32_t listed_lost, listed_left;
};

/* Executes all calls, which are converted to a schedule unless `goal` is NULL. Returns 0 if they could be read and form
 * a program that MPI permits; unmatched messages, ranks that are stuck and collectives that not all ranks call are in
 * *out (the latter two are also reported as errors). -1 with errors. Frees nothing of the source. */
struct wl_to_goal;
int wl_play(struct wl_play *out, const struct mpi_source *s, struct wl_to_goal *goal, struct base_errors *errors);
void wl_play_free(struct wl_play *p);

#endif

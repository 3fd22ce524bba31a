/* workload/formats/play/play_state.h - the state of wl_play(): ranks, communicators, requests and messages. */
#ifndef WORKLOAD_FORMATS_PLAY_PLAY_STATE_H
#define WORKLOAD_FORMATS_PLAY_PLAY_STATE_H

#include "workload/formats/map.h"
#include "workload/formats/play/play.h"
#include "workload/formats/to_goal.h"
#include "workload/mpi/agree.h"

/* The ranks of a communicator. Every member's handle counts as one of `holders`. */
struct play_comm {
	uint64_t context;
	uint32_t n, holders;
	uint32_t *world; /* [n] owned; NULL: rank i of it is rank i of the world, or it is one rank alone: */
	uint32_t self;
};

/* The handle by which a rank refers to a communicator. */
struct play_handle {
	struct play_comm *comm;
	uint32_t me;          /* own rank in it */
	uint64_t collectives; /* calls of it so far */
};

struct play_request {
	bool receive, persistent, active, done, free_when_done;
	bool awaited;           /* a rank waits for it */
	uint32_t uses;          /* of a handle that stands for several sends (MPICH's) */
	uint32_t owner;         /* rank */
	struct mpi_call what;   /* of a persistent one; its lists are empty */
	struct play_post *post; /* of an active receive */
	uint64_t ready;         /* ps: when it completed */
	uint32_t mark;          /* operation of the schedule that is written; 0: none */
};

/* A receive that is posted, or a message that arrived without one. */
struct play_post {
	struct play_post *next, *before;
	uint64_t context, bytes, ready; /* ps */
	uint32_t source;                /* in the world, or UINT32_MAX */
	int32_t tag;
	struct play_request *request; /* of a receive; of a synchronous send; NULL: none */
	uint32_t mark;                /* of a receive: its operation of the schedule */
};
struct play_queue {
	struct play_post head; /* of a ring */
};

/* The ranks whose data, or presence, a rank of a collective needs, whatever the algorithm. */
enum play_need { PLAY_NEEDS_NONE, PLAY_NEEDS_ALL, PLAY_NEEDS_ROOT, PLAY_NEEDS_LOWER };

/* A rank, or one of its requests, that waits in a meeting. */
struct play_arrival {
	uint32_t rank, me, new_handle; /* me: in the communicator, or in the parent of a new one */
	int32_t color, key;
	enum play_need need;
	struct play_request *request; /* NULL: the rank itself */
};

/* The state of ranks that meet in one collective call. */
struct play_meeting {
	struct play_meeting *next;
	uint64_t context, number;
	enum mpi_op op;
	uint32_t arrived, wanted;
	struct mpi_agreed agreed; /* what the first one says */
	uint64_t amounts;         /* see workload/mpi/amounts.h */
	bool root_there;
	uint64_t root_ready;          /* ps: when the root came */
	uint32_t lower;               /* ranks from 0 on that have come without a gap; of scans */
	bool *there;                  /* [wanted], of scans: by rank */
	uint32_t first;               /* the rank that came first, */
	struct mpi_cursor at;         /* and its call */
	uint64_t ready;               /* ps: when the last of those that have come did */
	struct play_arrival *waiting; /* [waiters] */
	uint32_t waiters, room;
	struct mpi_list members; /* of MPI_Comm_create */
};

enum play_wait { PLAY_RUNS, PLAY_REQUESTS, PLAY_MEETING, PLAY_PROBE, PLAY_PROBES_AGAIN, PLAY_ENDED };

struct play_rank {
	struct mpi_cursor cursor, before; /* before: of the call that it is in */
	struct mpi_call call;
	uint64_t clock;         /* ps */
	struct wl_map comms;    /* handle: struct play_handle * */
	struct wl_map requests; /* handle: struct play_request * */
	struct play_queue posted, unexpected;
	struct play_request own; /* of a blocking receive or send */
	uint32_t sent;           /* operation of the schedule: the send of a Sendrecv */
	enum play_wait wait;
	bool queued;      /* in play.heap */
	bool unfinished;  /* the call waited for requests, which are dropped when it continues */
	bool found_out;   /* the source has left open what a call completes: complete requests may be named again */
	uint32_t pending; /* requests it waits for */
};

struct play {
	const struct mpi_source *source;
	struct wl_play *out;
	struct base_errors *errors;
	struct wl_to_goal *goal; /* or NULL */
	struct play_rank *rank;
	struct play_comm world;
	struct play_meeting *meetings;
	uint64_t contexts;
	uint32_t *heap, heaped; /* of those that may go on, by (clock, rank) */
	bool failed;
	bool unequal; /* ranks expect other bytes than they are sent in a collective, which is no error yet */
};

/* Adds an error at the call of a rank. */
void play_errorf(struct play *p, uint32_t rank, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* Lets a waiting rank continue with its calls. */
void play_wake(struct play *p, uint32_t rank);
struct play_handle *play_comm_of(struct play *p, uint32_t rank, uint32_t handle);
uint32_t play_world_rank(const struct play_comm *comm, uint32_t rank);
void play_leave(struct play_comm *comm);

/* play_match.c */
void play_send(struct play *p, uint32_t rank, const struct mpi_call *c, struct play_request *request, bool synchronous);
void play_receive(struct play *p, uint32_t rank, const struct mpi_call *c, bool second, struct play_request *request);
void play_probe(struct play *p, uint32_t rank, const struct mpi_call *c);
/* Removes a posted receive. */
void play_withdraw(struct play_request *r);

/* play_meet.c */
/* Returns the operation of the schedule that completes the request, for a call that does not block. */
uint32_t play_collective(struct play *p, uint32_t rank, const struct mpi_call *c, struct play_request *request);
void play_communicator(struct play *p, uint32_t rank, const struct mpi_call *c);
/* Marks a request as complete at time `ready`, and wakes a rank that waits for it. */
void play_complete(struct play *p, struct play_request *r, uint64_t ready);
/* Describes for error messages what a rank, or one of its requests, waits for, if it waits for the arrival of other
 * ranks. false: it waits for something else. */
bool play_describe_meeting(const struct play *p, uint32_t rank, char *out, size_t room);
/* Frees what meetings hold, at the end. */
void play_end_meetings(struct play *p);
/* Counts the collectives that some ranks have called but not all; if no rank waits, adds an error for each of the first
 * `most`. */
void play_tell_incomplete(struct play *p, uint32_t most);

#endif

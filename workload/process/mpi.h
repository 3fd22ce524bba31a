/* workload/process/mpi.h - members that execute the MPI calls of a source (workload/mpi/call.h): matching, protocols,
 * requests, communicators, collectives.
 *
 * The state of a rank consists of a struct mpi_rank and cells. They lie outside the member's state; net_save()
 * records them before they change. A rank stores no calls: it has the cursor of its current call, and reads that call
 * again when it continues.
 *
 *   rank | buckets | cells: requests, arrived messages, pairs of ranks, communicators, active collectives
 *
 * Cells are numbered from 1; 0 means no cell. Free cells are in a list. The other lists contain posted receives, and
 * messages that arrived without a matching receive, each in order; sends that wait for an answer, or whose data are
 * leaving; and receives that wait for data. */
#ifndef WORKLOAD_PROCESS_MPI_H
#define WORKLOAD_PROCESS_MPI_H

#include "workload/mpi/collective.h"
#include "workload/mpi/comms.h"
#include "workload/process/mapping.h"

#define MPI_BUCKETS 64u
#define MPI_COLLECTIVE 0x8000u /* beside a communicator: messages of its collectives */

/* Of a request. */
enum {
	MPI_SENDS = 1,
	MPI_RECEIVES = 2,
	MPI_COLLECTS = 4,
	MPI_PERSISTENT = 8,
	MPI_ACTIVE = 16,   /* began, and is not yet waited for */
	MPI_COMPLETE = 32, /* with MPI_ACTIVE */
	MPI_AWAITED = 64,  /* the rank waits for it */
	MPI_FREED = 128,   /* no one will wait for it */
	MPI_SYNCHRONOUS = 256,
	MPI_BUFFERED = 512,
	MPI_NAMED = 1024,    /* it has a handle */
	MPI_BLOCKING = 2048, /* of a send that its rank does not go on before */
};

struct mpi_request {
	uint32_t link; /* of its bucket, or of free cells */
	uint32_t next; /* of the list that it is in */
	uint64_t handle, bytes;
	int32_t tag;
	uint32_t peer;    /* in the world; WL_MPI_ANYONE, WL_MPI_NO_ONE */
	uint32_t number;  /* of a send: in its pair; of a receive that waits for data: the send's */
	uint32_t message; /* of a send that leaves: the network's number */
	uint32_t owner;   /* a collective; 0: the rank */
	uint16_t context, flags;
	uint32_t spare[3], kind; /* 0 */
};
#define WL_MPI_ANYONE UINT32_MAX
#define WL_MPI_NO_ONE (UINT32_MAX - 1)

struct mpi_arrived { /* a message that no receive was there for, or that others of its pair are to come before */
	uint32_t link, next;
	uint64_t bytes; /* of an eager one */
	int32_t tag;
	uint32_t source, number, request; /* request: of a message to itself whose send is not complete */
	uint16_t context;
	bool asks; /* for an answer, and the data follow */
	uint8_t spare[29];
};

struct mpi_pair {
	uint32_t link, peer, sent, expected;
	uint32_t own_sent, own_came; /* of these, those of no collective */
	uint32_t spare[9], kind;
};

struct mpi_handle { /* of a communicator */
	uint32_t link, name, comm, me, collectives;
	uint32_t spare[10], kind;
};

struct mpi_running { /* a collective */
	uint32_t link, next, request, round, pending, number;
	uint16_t comm, op; /* op: enum mpi_op */
	uint32_t me;
	struct mpi_cursor call;
};

union mpi_cell {
	uint32_t link;
	struct mpi_request request;
	struct mpi_arrived arrived;
	struct mpi_pair pair;
	struct mpi_handle handle;
	struct mpi_running running;
};
_Static_assert(sizeof(union mpi_cell) == 64, "a cache line");

struct mpi_list_of {
	uint32_t first, last;
};

enum mpi_phase { MPI_FRESH, MPI_COMPUTED, MPI_BEGUN, MPI_ENDED };

struct mpi_rank {
	struct mpi_cursor at; /* of the call that it is in */
	uint32_t phase;       /* enum mpi_phase, of that call */
	uint32_t waiting;     /* for so many requests; MPI_PROBE: for any message */
	uint32_t own[2];      /* requests of a blocking call */
	uint32_t made;        /* communicators */
	uint32_t free, used;  /* cells */
	struct mpi_list_of posted, unexpected, early, answers, leaving, data, running;
	bool timed, over; /* timed: computes, or is busy with a message */
	uint64_t calls;
	uint64_t truncated; /* messages that were longer than the receive that got them */
	struct mpi_truncated {
		uint32_t source;
		int32_t tag;
		uint64_t bytes, room;
	} first_truncated; /* of these */
};
#define MPI_WAITS_PROBE UINT32_MAX

/* What all members share. */
struct mpi_replay {
	struct mpi_source source;
	struct mpi_comms comms;
	struct mpi_choices choices;
	uint64_t eager, control, overhead;
	double compute_scale;
	uint32_t *member_of, *rank_of;
	uint32_t cells;        /* a rank has at most */
	struct mpi_rank *rank; /* [ranks] changed by members, as the next two */
	uint32_t (*bucket)[MPI_BUCKETS];
	union mpi_cell *cell; /* [ranks][cells] */
};

/* Context of one rank during one call of its process. */
struct mpi_play {
	const struct wl_process *p;
	struct mpi_replay *s;
	struct net_process_call *call;
	uint32_t r;
	struct mpi_rank *rank;
	union mpi_cell *cell; /* cell[number - 1] */
	uint64_t busy;        /* ps, with messages that this call sent */
	struct mpi_call now;  /* that the rank is in */
	struct mpi_call old;  /* of a collective */
};

/* Must be called before the word at `at` changes. */
#define MPI_SET(x, at, value)                            \
	do {                                             \
		net_save((x)->call, (at), sizeof *(at)); \
		*(at) = (value);                         \
	} while (0)

static inline struct mpi_replay *mpi_replay_of(const struct wl_process *p)
{
	return (struct mpi_replay *)(uintptr_t)p->word[0];
}

/* --- mpi_cells.c ------------------------------------------------------------------------------------------ */

/* A new cell, all zero; 0: there are no more, and the run is stopped. */
uint32_t mpi_cell_new(struct mpi_play *x);
void mpi_cell_free(struct mpi_play *x, uint32_t cell);
static inline union mpi_cell *mpi_cell_at(const struct mpi_play *x, uint32_t cell)
{
	return &x->cell[cell - 1];
}
/* About to be changed. */
static inline union mpi_cell *mpi_cell_change(struct mpi_play *x, uint32_t cell)
{
	net_save(x->call, &x->cell[cell - 1], sizeof(union mpi_cell));
	return &x->cell[cell - 1];
}
/* Lists of cells, linked by their second word. */
void mpi_append(struct mpi_play *x, struct mpi_list_of *list, uint32_t cell);
void mpi_take_out(struct mpi_play *x, struct mpi_list_of *list, uint32_t previous, uint32_t cell);
uint32_t mpi_next(const struct mpi_play *x, uint32_t cell);
/* The cell of a request by its handle, of a pair of ranks by the peer, or of a communicator by its name; 0: there is no
 * such cell. */
uint32_t mpi_request_find(const struct mpi_play *x, uint64_t handle);
uint32_t mpi_pair_of(struct mpi_play *x, uint32_t peer); /* made if it is not there */
uint32_t mpi_handle_find(const struct mpi_play *x, uint32_t name);
/* Messages that a rank has sent outside of collectives, minus those that it has received in order; modulo 2^64. */
uint64_t mpi_under_way(const struct mpi_replay *s, uint32_t rank);
void mpi_name_request(struct mpi_play *x, uint32_t cell, uint64_t handle);
void mpi_name_comm(struct mpi_play *x, uint32_t name, struct mpi_membership m);
void mpi_forget_request(struct mpi_play *x, uint32_t cell);
void mpi_forget_comm(struct mpi_play *x, uint32_t name);

/* --- mpi_match.c ------------------------------------------------------------------------------------------ */

/* Starts the operation of a request. */
void mpi_begin(struct mpi_play *x, uint32_t request);
/* Marks a request as complete, and continues the calls and collectives that wait for it. */
void mpi_complete(struct mpi_play *x, uint32_t request);
/* Finds a message that has arrived and that a receive with these arguments would match; 0: there is none. */
uint32_t mpi_look(const struct mpi_play *x, uint32_t context, uint32_t source, int32_t tag, uint32_t *previous);
void mpi_cancel(struct mpi_play *x, uint32_t request);
void mpi_delivered(struct mpi_play *x, uint32_t source, const struct net_message *m);
void mpi_left(struct mpi_play *x, uint32_t number);

/* --- mpi_collect.c ---------------------------------------------------------------------------------------- */

/* Starts the collective x->now; returns its request, which is complete if there is nothing to do. */
uint32_t mpi_collect(struct mpi_play *x);
/* Called when one of a collective's transfers is complete. */
void mpi_collect_step(struct mpi_play *x, uint32_t running);

/* --- mpi_calls.c ------------------------------------------------------------------------------------------ */

/* Executes the calls of a rank until one has to wait. */
void mpi_go_on(struct mpi_play *x);
uint32_t mpi_world_of(const struct mpi_play *x, uint32_t comm, uint32_t rank);

/* --- mpi_replay.c ----------------------------------------------------------------------------------------- */

/* Parameters of processes of MPI calls, in addition to those of their source, with which they begin. */
struct mpi_params {
	struct wl_placed placed;
	double compute_scale;
};

/* For plug-ins: builds a process from a source, of which it takes ownership, whatever it returns. */
int wl_mpi_build(struct wl_process *p, struct mpi_source source, struct base_errors *errors);
void wl_mpi_destroy(struct wl_process *p);
size_t wl_mpi_state_bytes(const struct wl_process *p);
void wl_mpi_start(const struct wl_process *p, struct net_process_call *call, uint32_t me);
void wl_mpi_sent(const struct wl_process *p, struct net_process_call *call, uint32_t me, const struct net_message *m);
void wl_mpi_delivered(const struct wl_process *p, struct net_process_call *call, uint32_t me,
                      const struct net_message *m);
void wl_mpi_timer(const struct wl_process *p, struct net_process_call *call, uint32_t me, uint64_t what);
void wl_mpi_regions(const struct wl_process *p, uint32_t me, void (*visit)(void *arg, void *at, size_t bytes),
                    void *arg);
void wl_mpi_report(const struct wl_process *p, uint32_t me, struct net_process_report *r);
uint64_t wl_mpi_was_read(const struct wl_process *p, struct base_errors *errors);

/* Converts the calls to a schedule: see struct wl_process_ops. Errors are at `key`; `file`: the file that was read. */
int wl_mpi_schedule(const struct wl_process *p, const char *key, const char *file, struct wl_goal *out,
                    struct wl_schedule_facts *facts, struct base_errors *errors);

#endif

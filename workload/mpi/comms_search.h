/* workload/mpi/comms_search.h - shared by comms.c, which computes the communicators of a program, and comms_check.c,
 * which finds where its ranks contradict each other. */
#ifndef WORKLOAD_MPI_COMMS_SEARCH_H
#define WORKLOAD_MPI_COMMS_SEARCH_H

#include "workload/mpi/amounts.h"
#include "workload/mpi/comms.h"
#include "workload/mpi/requests.h"

/* A rank's handle of a communicator, while the calls of the rank are read. */
struct comm_handle {
	uint32_t name, comm, me;
	uint32_t calls;                /* that make communicators from it and that all its ranks call, so far */
	uint64_t said;                 /* a hash of what it said in collectives, so far */
	uint64_t collectives, amounts; /* how many of them, and what it sends in them less what it expects */
};

struct call_reader {
	struct mpi_cursor at, before; /* before: of `call` */
	struct mpi_call call;         /* that it waits in, or that was read last */
	struct comm_handle *handle;
	uint32_t handles, cap;
	struct mpi_requests requests;
	uint32_t parent, number; /* of the meeting it waits for */
	bool waits, over;
	uint64_t digest;
};

/* The collectives of the first rank that finished with a communicator. */
struct comm_first {
	uint64_t said;
	uint64_t amounts;    /* of all that are done */
	uint32_t rank, done; /* done: how many */
	bool odd;            /* another one did not say the same */
};

/* Two ranks whose collectives on a communicator differ. */
struct comm_odd {
	uint32_t comm, first, rank;
};

struct comm_search {
	struct mpi_comms *out;
	const struct mpi_source *source;
	struct call_reader *reader; /* [ranks] */
	struct base_errors *errors;
	uint32_t *mate; /* [ranks] those of the meeting that is looked at */
	uint32_t mates;
	struct comm_first *first; /* [cap_first] by communicator */
	uint32_t cap_first;
	struct comm_odd odd[WL_MPI_MOST_TOLD];
	uint32_t odds;
};

static inline bool mpi_makes_comm(enum mpi_op op)
{
	return op == WL_MPI_COMM_DUP || op == WL_MPI_COMM_SPLIT || op == WL_MPI_COMM_CREATE;
}

/* An error at the call of a reader. Returns -1. */
int mpi_comms_fail_at(struct comm_search *s, uint32_t rank, const struct call_reader *r, const char *what);
/* Returns NULL if the rank has no such handle. */
struct comm_handle *mpi_comms_handle(struct call_reader *r, uint32_t name);
void mpi_comms_give(struct call_reader *r, uint32_t name, uint32_t comm, uint32_t me);
void mpi_comms_drop(struct call_reader *r, struct comm_handle *h);
enum mpi_next mpi_comms_read_call(const struct comm_search *s, uint32_t rank, struct call_reader *r);
uint32_t mpi_comms_world_of(const struct comm_search *s, uint32_t comm, uint32_t rank, uint32_t caller);
/* A reader of all of a rank's calls, from the first one. */
void mpi_comms_begin_reading(struct call_reader *r, uint32_t rank);
void mpi_comms_end_reading(struct call_reader *r);

/* Adds an error for the first collective in which two ranks differ, or which one of them does not call. */
void mpi_comms_compare(struct comm_search *s, const struct comm_odd *odd);
/* Checks communicators on whose calls all ranks agree and were read to the end: if a rank sends a number of bytes that
 * the receiving rank does not expect, the first such pair is an error. */
void mpi_comms_check_amounts(struct comm_search *s);

#endif

/* workload/record/record.h - the library that `tilefly record` loads before an MPI program: it stands between the
 * program and MPI (the profiling interface of the MPI standard, chapter 15), writes each call as a line of the text
 * that process "recorded" reads (workload/formats/recorded/recorded_text.h), and then carries it out.
 *
 * A shared object of its own, which knows nothing of the rest. A rank writes the file DIR/rank.N, which gets its name
 * when MPI_Finalize has been called. Computation is the CPU time of the calling thread between two calls: what a core
 * is busy with besides, or waits for, does not count. What a call itself takes is not computation.
 *
 * Handles become numbers: a request has one from its making to its completion, counted from 1; communicators have 0
 * (world), 1 (self), and then one more each. */
#ifndef WORKLOAD_RECORD_RECORD_H
#define WORKLOAD_RECORD_RECORD_H

/* Only what is named as MPI's functions are is seen from outside. */
#pragma GCC visibility push(default)
#include <mpi.h>
#pragma GCC visibility pop
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- log.c: lines ----------------------------------------------------------------------------------------------- */

void record_open(void);  /* MPI has been initialised */
void record_close(void); /* it is about to be finalised */
/* A call has begun: computation ends, and no line is open. Returns false outside of the recording: before, after, and
 * in calls that MPI makes of itself; then nothing else of it may be called. record_left() either way. */
bool record_enter(void);
/* The call has returned `status`, which is what this returns. One that failed ends the recording: what it did, if
 * anything, is not known. */
int record_left(bool entered, int status, const char *call);
/* A line: the name, then words, then the computation before it. What is not written keeps its computation for the next
 * line. */
void record_begin(const char *name);
void record_word(const char *format, ...) __attribute__((format(printf, 1, 2)));
void record_end(void);
/* The program calls what is not recorded: ends it. */
_Noreturn void record_refuse(const char *call);

/* --- handles.c ---------------------------------------------------------------------------------------------------- */

/* Its number. The handle becomes another, with which MPI does the same, where an outstanding request has it already. */
uint64_t record_request_new(MPI_Request *handle, bool persistent);
/* Its number, 0 of a null handle or one that is not known. *persistent may be NULL. */
uint64_t record_request_find(MPI_Request handle, bool *persistent);
void record_request_drop(MPI_Request handle);
/* It is complete: its number, which is not used again, unless it is persistent. */
uint64_t record_request_complete(MPI_Request handle);

uint32_t record_comm(MPI_Comm comm);
uint32_t record_comm_new(MPI_Comm comm); /* MPI_COMM_NULL: what stands for it */
void record_comm_drop(MPI_Comm comm);

/* --- words of lines that several calls have -------------------------------------------------------------------------
 */

uint64_t record_bytes(int count, MPI_Datatype type);
/* " to=3" or " from=any"; " tag=any" */
void record_peer(const char *key, int peer);
void record_tag(const char *key, int tag);
void record_in(MPI_Comm comm); /* " comm=2", nothing of world */
/* " reqs=4,5": those of n handles that are known; false: there are none, and nothing is written. */
bool record_requests(const char *key, const uint64_t *numbers, int n);

#endif

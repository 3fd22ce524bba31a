/* workload/record/record.h - the library that `tilefly record` preloads into an MPI program: it intercepts MPI calls
 * (by the profiling interface of the MPI standard, chapter 15), writes each call as a line of the text that process
 * "recorded" reads (workload/formats/recorded/recorded_text.h), and then executes it.
 *
 * It is a separate shared object, independent of the rest of tilefly. A rank writes the file DIR/rank.N, which gets its
 * name when MPI_Finalize has been called. Computation is the CPU time of the calling thread between two calls: other
 * work of the core, and waiting, are not included, nor is the time of the call itself.
 *
 * Handles become numbers: a request has one from its creation to its completion, counted from 1; communicators have 0
 * (world), 1 (self), and then one more each. */
#ifndef WORKLOAD_RECORD_RECORD_H
#define WORKLOAD_RECORD_RECORD_H

/* Only functions named as MPI functions are exported. */
#pragma GCC visibility push(default)
#include <mpi.h>
#pragma GCC visibility pop
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- log.c: lines ----------------------------------------------------------------------------------------------- */

void record_open(void);  /* MPI has been initialised */
void record_close(void); /* it is about to be finalised */
/* A call has begun: ends the computation before it; no line is open. Returns false outside the recording: before,
 * after, and in calls that MPI makes itself; no other function may be called for it then. record_left() must be called
 * in any case. */
bool record_enter(void);
/* The call has returned `status`, which is also returned. A failed call ends the recording, because its effect is
 * unknown. */
int record_left(bool entered, int status, const char *call);
/* Writes a line: the name, then words, then the computation before it. Calls that are not written leave their
 * computation to the next line. */
void record_begin(const char *name);
void record_word(const char *format, ...) __attribute__((format(printf, 1, 2)));
void record_end(void);
/* The program made a call that cannot be recorded: ends the recording. */
_Noreturn void record_refuse(const char *call);

/* --- handles.c ---------------------------------------------------------------------------------------------------- */

/* The number of a new request. The handle is replaced by an equivalent one if an outstanding request already has it. */
uint64_t record_request_new(MPI_Request *handle, bool persistent);
/* The number of a request, 0 for a null handle or an unknown one. *persistent may be NULL. */
uint64_t record_request_find(MPI_Request handle, bool *persistent);
void record_request_drop(MPI_Request handle);
/* The request is complete: returns its number, which is not used again, unless it is persistent. */
uint64_t record_request_complete(MPI_Request handle);

uint32_t record_comm(MPI_Comm comm);
uint32_t record_comm_new(MPI_Comm comm); /* MPI_COMM_NULL: what stands for it */
void record_comm_drop(MPI_Comm comm);

/* --- words of lines that several calls have -------------------------------------------------------------------------
 */

uint64_t record_bytes(int count, MPI_Datatype type);
/* Writes the peer of a call as text, as in " to=3" or " from=any"; `key` is "to" or "from". */
void record_peer(const char *key, int peer);
/* Writes the tag of a call, as in " tag=7" or " tag=any". */
void record_tag(const char *key, int tag);
void record_in(MPI_Comm comm); /* writes " comm=2"; nothing for MPI_COMM_WORLD */
/* Writes " reqs=4,5" for those of n handles that are known; false: there are none, and nothing is written. */
bool record_requests(const char *key, const uint64_t *numbers, int n);

#endif

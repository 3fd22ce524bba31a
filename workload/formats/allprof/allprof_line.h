/* workload/formats/allprof/allprof_line.h - one line of a trace of liballprof, and the functions of MPI in it. */
#ifndef WORKLOAD_FORMATS_ALLPROF_ALLPROF_LINE_H
#define WORKLOAD_FORMATS_ALLPROF_ALLPROF_LINE_H

#include "workload/formats/allprof/allprof.h"

#include <stddef.h>

/* Format of a function's arguments in its line, one letter per argument:
 *   p an address           n a count             t a datatype: number, size, extent     r a rank     g a tag
 *   c a communicator: handle, rank in it, size   q the address of a request (or of the first of several)
 *   o an operation         i another number      C numbers for each rank: an address, and the numbers themselves
 * Letters are in the order of the function's arguments. If a letter occurs twice, the first one belongs to the data
 * that are sent. */
struct allprof_function {
	const char *name, *arguments;
	const char *form; /* how recordings call it (docs/mpi.md); NULL: it communicates nothing, and is left out */
	bool nonblocking; /* a collective with a request */
};

/* NULL: a function that can be neither replayed nor ignored. */
const struct allprof_function *allprof_function_of(const char *name, size_t length);

struct allprof_type {
	uint64_t size;
};
struct allprof_comm {
	uint64_t handle, rank, size;
};
struct allprof_numbers {
	const char *at, *end; /* the text, "3,4,5" */
};

/* The arguments of a call. */
struct allprof_call {
	const struct allprof_function *function;
	const char *name;
	size_t name_length;
	bool begins, ends; /* does the line give when? */
	uint64_t begin_us, end_us;
	uint32_t begin_ps, end_ps; /* beyond the microsecond */
	uint64_t address[4], count[2], request, other[4];
	int64_t rank[2], tag[2];
	struct allprof_type type[2];
	struct allprof_comm comm;
	struct allprof_numbers numbers[4];
	unsigned addresses, counts, ranks, tags, types, others, lists;
	bool has_comm;
};

/* Parses a line without its line end. Returns 1 for a call, 0 for a comment or an empty line, -1 with the reason in
 * `why` if the line is invalid. */
int allprof_read_line(const char *line, const char *end, struct allprof_call *call, char why[160]);

#endif

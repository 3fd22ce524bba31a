/* workload/formats/dumpi/dumpi.h - traces of the DUMPI library (sst-dumpi), binary or text, as a source of MPI calls.
 *
 * A trace consists of a .meta file (NAME=VALUE lines; numprocs and fileprefix are used) and a file per rank,
 * PREFIX-0000.bin, or the same as written by dumpi2ascii, PREFIX-0000.txt. The files are read at the position of a
 * cursor; only their definitions are kept in memory: sizes of datatypes, groups, grids. Formats: docs/traces.md. */
#ifndef WORKLOAD_FORMATS_DUMPI_DUMPI_H
#define WORKLOAD_FORMATS_DUMPI_DUMPI_H

#include "workload/formats/dumpi/dumpi_record.h"
#include "workload/mpi/call.h"

#define WL_DUMPI_RANKS (1u << 24)

/* Counts made while the files are read for the first time. */
struct wl_dumpi_facts {
	uint64_t calls[DUMPI_FUNCTIONS];   /* of all ranks */
	uint64_t *rank_calls;              /* [ranks] */
	uint64_t compute_ns[DUMPI_CLOCKS]; /* between calls, summed over ranks */
	uint64_t mpi_ns[DUMPI_CLOCKS];     /* inside of calls */
	uint64_t longest_ns;               /* of wall time, from a rank's first call to its last's return */
	uint64_t null_requests;            /* in lists of Waitall, Waitany, Waitsome */
	uint32_t unfinished;               /* ranks that do not come to MPI_Finalize */
};

/* Opens a trace and reads all of it once, O(bytes). `clock` selects the clock that measures computation. -1 with
 * errors. */
int wl_dumpi_open(struct mpi_source *out, const char *meta, enum dumpi_clock clock, struct base_errors *errors);
/* Opens the given files of the ranks, in their order. */
int wl_dumpi_open_files(struct mpi_source *out, const char *const *path, uint32_t ranks, enum dumpi_clock clock,
                        struct base_errors *errors);
/* Visits the files of the ranks, up to the first missing one. */
void wl_dumpi_files(const char *meta, void (*visit)(void *arg, const char *path), void *arg);
const struct wl_dumpi_facts *wl_dumpi_facts(const struct mpi_source *s);

/* --- for the files of this folder ------------------------------------------------------------------------- */

/* A definition made by a call: valid after the record at `at`, until the next one of the same kind and id. */
enum dumpi_kind {
	DUMPI_SIZE,    /* of a datatype: bytes, or UNKNOWN */
	DUMPI_COMMUTE, /* of an operation of the user */
	DUMPI_RANK,    /* the own rank in a communicator, or UNKNOWN */
	DUMPI_MEMBERS, /* of a communicator: the same number for those that have the same ranks in the same order */
	DUMPI_EXTENT,  /* of a communicator: its size, or UNKNOWN */
	DUMPI_GROUP,   /* index of a struct dumpi_group */
	DUMPI_GRID,    /* of a Cartesian communicator: index of a group whose ranks are the dimensions */
};
#define DUMPI_UNKNOWN UINT64_MAX

struct dumpi_definition {
	uint32_t kind, id;
	uint64_t at, value;
};

/* Ranks of a communicator, by DUMPI_MEMBERS; or dimensions of a grid. */
struct dumpi_group {
	uint64_t members;
	bool all; /* and rank[] is empty */
	struct mpi_list rank;
};

struct dumpi_rank {
	struct dumpi_file file;
	struct dumpi_definition *definition; /* owned; by kind, id, at */
	uint32_t definitions, room;
	struct dumpi_group *group; /* owned */
	uint32_t groups, group_room;
};

struct dumpi {
	struct dumpi_rank *rank; /* [ranks] */
	uint32_t ranks;
	enum dumpi_clock clock;
	struct wl_dumpi_facts facts;
};

/* Finds the definition that is valid at a position of a rank's file; false: nothing was defined. */
bool dumpi_find(const struct dumpi_rank *rank, enum dumpi_kind kind, uint32_t id, uint64_t at, uint64_t *value);
/* Size of a datatype in bytes; false: the size is not known. */
bool dumpi_size(const struct dumpi_rank *rank, uint32_t type, uint64_t at, uint64_t *bytes);
uint64_t dumpi_members(const struct dumpi_rank *rank, uint32_t comm, uint64_t at);

/* Reads a rank once: its definitions, and the counts. -1 with an error. */
int dumpi_define(struct dumpi *d, uint32_t rank, struct base_errors *errors);
/* Converts a record to a call; not for LOCAL records. */
enum mpi_next dumpi_translate(const struct dumpi *d, uint32_t rank, struct dumpi_record *r, struct mpi_call *call,
                              struct base_errors *errors);
/* The colour and key that Cart_sub gives a rank, as a split of the grid. False: information is missing in the trace. */
bool dumpi_cart_sub(const struct dumpi *d, uint32_t rank, struct dumpi_record *r, int32_t *color, int32_t *key);

#define DUMPI_FIRST_COMM 4u
#define DUMPI_FIRST_TYPE 28u
#define DUMPI_FIRST_OP 15u
#define DUMPI_WORLD 2
#define DUMPI_SELF 3

#endif

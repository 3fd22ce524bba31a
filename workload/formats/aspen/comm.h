/* workload/formats/aspen/comm.h - the patterns of `comm`: from an Aspen requirement to messages between ranks.
 *
 * Point-to-point patterns are expanded to their messages. Collectives are expanded by the algorithms selected in
 * aspen_ranks.choices (workload/mpi/collective.h). The part of a rank is a sequence of rounds; the transfers of a round
 * are concurrent, and the next round begins when all of them are complete. */
#ifndef WORKLOAD_FORMATS_ASPEN_COMM_H
#define WORKLOAD_FORMATS_ASPEN_COMM_H

#include "workload/formats/aspen/run.h"
#include "workload/mpi/collective.h"

#define ASPEN_WORD 4u /* bytes of an element of a reduction, as in the original */
#define ASPEN_MOST_RANKS (1u << 24)

struct aspen_xfer {
	uint32_t peer, tag; /* tag: distinguishes messages of one round between two ranks */
	bool send;
	uint64_t bytes;
};

struct aspen_xfers {
	struct aspen_xfer *v; /* owned, unless `borrowed` */
	uint32_t n, cap;
	bool borrowed;          /* v is the caller's; not once it had to grow */
	struct mpi_steps steps; /* of a collective; owned */
};

/* The ranks, and values that depend on their number only. */
struct aspen_ranks {
	uint32_t n, x, y, z, px, py; /* the grids of nn3d, and of nn2d and sweep */
	uint32_t *dest;              /* of the pattern `random`: of each rank, itself: none; owned */
	uint32_t *first, *source;    /* sources of rank i: source[first[i]] ... source[first[i + 1] - 1]; owned */
	struct mpi_choices choices;  /* of algorithms of collectives; aspen_ranks_make() leaves them at "basic" */
};

extern const char *const aspen_pattern_name[ASPEN_PATTERNS + 1]; /* the last one is NULL */

int aspen_ranks_make(struct aspen_ranks *g, uint32_t n, bool strict, struct base_errors *errors);
void aspen_ranks_free(struct aspen_ranks *g);
void aspen_xfers_free(struct aspen_xfers *x);
/* The set of collectives in a program, as mpi_collective_bit() of each. */
uint64_t aspen_collectives(const struct aspen_program *p);
/* The name of the algorithm of a collective; NULL: the pattern is not a collective. */
const char *aspen_algorithm(const struct aspen_comm *c, const struct aspen_ranks *g);

/* Stores the transfers of round `round` of a rank in *out; false: there is no such round. */
bool aspen_round(const struct aspen_comm *c, const struct aspen_ranks *g, uint32_t rank, uint32_t round,
                 struct aspen_xfers *out);
/* Stores the transfers of round `round` of a rank in *out, but only if the round has peers that no earlier round has;
 * false: there is no such round. */
bool aspen_peers(const struct aspen_comm *c, const struct aspen_ranks *g, uint32_t rank, uint32_t round,
                 struct aspen_xfers *out);
/* Does each rank send to all others in this pattern? */
bool aspen_is_dense(const struct aspen_comm *c, const struct aspen_ranks *g);
/* The kind of a pattern's messages: a collective, or WL_KIND_SENDS. */
enum mpi_op aspen_kind(const struct aspen_comm *c);
static inline bool aspen_is_collective(const struct aspen_comm *c)
{
	return c->pattern <= ASPEN_BARRIER;
}

struct aspen_count {
	uint64_t calls, messages, bytes; /* calls: over all ranks, of collectives */
};
/* Messages of all ranks for one `comm`. O(ranks log ranks). */
struct aspen_count aspen_count_comm(const struct aspen_comm *c, const struct aspen_ranks *g);
/* Computations of each rank, counting a join as one; 2^64 - 1 represents any larger number. */
uint64_t aspen_count_computations(const struct aspen_program *p);
/* Counts per phase, count[program->phases], and of the whole program. */
void aspen_count_program(const struct aspen_program *p, const struct aspen_ranks *g, struct aspen_count *count);

/* Appends to the program of a run. */
void aspen_program_compute(struct aspen_run *r, struct aspen_at at, double seconds);
void aspen_program_comm(struct aspen_run *r, const struct aspen_stmt *t, const struct aspen_requirement *q);
/* Appends a computation that runs concurrently with everything appended until its join. Returns its depth. */
uint32_t aspen_program_beside(struct aspen_run *r, struct aspen_at at, double seconds);
void aspen_program_join(struct aspen_run *r, struct aspen_at at, uint32_t beside);
uint32_t aspen_program_loop(struct aspen_run *r, struct aspen_at at, uint64_t count);
void aspen_program_end(struct aspen_run *r, struct aspen_at at, uint32_t loop);

#endif

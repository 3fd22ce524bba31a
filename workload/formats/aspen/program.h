/* workload/formats/aspen/program.h - the program of every rank of a model: a sequence of computations, communications,
 * and loops of these. All ranks have the same program; comm.h determines their communication partners. */
#ifndef WORKLOAD_FORMATS_ASPEN_PROGRAM_H
#define WORKLOAD_FORMATS_ASPEN_PROGRAM_H

#include "workload/formats/aspen/tree.h"

#define ASPEN_MOST_OPS (1u << 22)
#define ASPEN_MOST_NEST 16u /* loops in loops; those deeper are unrolled */

enum aspen_pattern {
	ASPEN_ALLREDUCE,
	ASPEN_REDUCE,
	ASPEN_BCAST,
	ASPEN_ALLGATHER,
	ASPEN_REDUCE_SCATTER,
	ASPEN_ALLTOALL,
	ASPEN_BARRIER,
	ASPEN_NN3D,
	ASPEN_NN2D,
	ASPEN_SWEEP,
	ASPEN_RANDOM,
	ASPEN_PATTERNS,
};

enum aspen_reduction { ASPEN_MIN, ASPEN_MAX, ASPEN_SUM, ASPEN_PROD };

/* One `comm` of the program, with evaluated sizes. */
struct aspen_comm {
	enum aspen_pattern pattern;
	enum aspen_reduction reduction;
	bool face, periodic, pwave, nwave, nodal, back;
	bool left, line;      /* of sweep; line: over all ranks, one after the other */
	bool receive, send;   /* of sweep: only this half of it */
	uint64_t count, size; /* things, bytes of one */
	uint32_t phase;       /* in program.phase */
};

/* true: the messages of this comm match those of another one, its other half. */
static inline bool aspen_is_half(const struct aspen_comm *c)
{
	return c->receive || c->send;
}

struct aspen_phase {
	const struct aspen_requirement *requirement;
	const char *name; /* the block's label, or NULL */
	const char *kernel;
};

/* BESIDE begins a computation that runs concurrently with the following steps, until the JOIN of the same depth waits
 * for it. */
enum aspen_op_kind {
	ASPEN_OP_COMPUTE,
	ASPEN_OP_COMM,
	ASPEN_OP_LOOP,
	ASPEN_OP_END,
	ASPEN_OP_BESIDE,
	ASPEN_OP_JOIN,
};

struct aspen_op_step {
	enum aspen_op_kind kind;
	uint32_t at; /* comm: in program.comm; loop: its end; end: its loop; beside, join: the depth, from 0 */
	double seconds;
	uint64_t count;
};

struct aspen_program {
	struct aspen_op_step *op; /* owned */
	uint32_t n, cap;
	struct aspen_comm *comm; /* owned */
	uint32_t comms, comm_cap;
	struct aspen_phase *phase; /* owned */
	uint32_t phases, phase_cap;
	uint32_t nest;
	uint32_t beside, most_beside; /* computations that go on beside others: now, at most */
	bool overlaps;                /* a `par` computes and communicates */
	bool unroll;
	const char *kernel; /* whose blocks are being added */
};

/* The position of a rank in its program; all zero: at its beginning. */
struct aspen_cursor {
	uint32_t at, nest;
	uint64_t left[ASPEN_MOST_NEST]; /* turns of the open loops, with this one */
};
/* The next step that is neither a loop nor its end; NULL: the end. O(1). */
const struct aspen_op_step *aspen_program_next(const struct aspen_program *p, struct aspen_cursor *c);

void aspen_program_free(struct aspen_program *p);

#endif

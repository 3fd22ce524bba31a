/* workload/mpi/collective.h - collectives as point-to-point messages, by named algorithms.
 *
 * A plan is a sequence of stages (most collectives are one stage, a reduce followed by a bcast is two). A rank's part
 * of a plan is a sequence of rounds: the transfers of a round are concurrent, and the next round begins when they are
 * complete. Rounds are separate for each rank: what one sends in its second round may be what the other receives in its
 * fifth, and rounds may be empty. Between two ranks messages arrive in the order in which they are expected, so they
 * need no tags.
 *
 * Rules and closed forms: docs/mpi.md. Algorithms: Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005; Rabenseifner, ICCS
 * 2004; Bruck et al., IEEE TPDS 8(11), 1997; Hensgen, Finkel, Manber, IJPP 17(1), 1988; Chen, Carrasco, Apon, CLUSTER
 * 2005 (neighbour exchange); Pjesivac-Grbovic et al., Cluster Computing 10, 2007 (Open MPI). */
#ifndef WORKLOAD_MPI_COLLECTIVE_H
#define WORKLOAD_MPI_COLLECTIVE_H

#include "workload/mpi/call.h"

enum mpi_algorithm {
	WL_ALG_AUTO, /* as the preset chooses */
	WL_ALG_LINEAR,
	WL_ALG_LINEAR_NB,
	WL_ALG_LINEAR_SYNC,
	WL_ALG_CHAIN,
	WL_ALG_PIPELINE,
	WL_ALG_BINARY,
	WL_ALG_BINOMIAL,
	WL_ALG_BINOMIAL_OPENMPI,
	WL_ALG_KNOMIAL,
	WL_ALG_SPLIT_BINARY,
	WL_ALG_IN_ORDER_BINARY,
	WL_ALG_SCATTER_RECURSIVE_DOUBLING,
	WL_ALG_SCATTER_RING,
	WL_ALG_RECURSIVE_DOUBLING,
	WL_ALG_RECURSIVE_HALVING,
	WL_ALG_RABENSEIFNER_MPICH,
	WL_ALG_RABENSEIFNER_OPENMPI,
	WL_ALG_BUTTERFLY,
	WL_ALG_NONCOMMUTATIVE,
	WL_ALG_COMPOSED, /* of other collectives: reduce + bcast, gather + bcast, reduce + scatter */
	WL_ALG_RING,
	WL_ALG_SEGMENTED_RING, /* without segmentation it is RING */
	WL_ALG_DOUBLE_RING,
	WL_ALG_BRUCK,
	WL_ALG_NEIGHBOR,
	WL_ALG_PAIRWISE,
	WL_ALG_PAIRWISE_XOR,
	WL_ALG_SCATTERED,
	WL_ALG_DISSEMINATION,
	WL_ALG_TREE,
	WL_ALGORITHMS,
};

enum mpi_preset { WL_MPI_BASIC, WL_MPI_OPENMPI_4_1, WL_MPI_MPICH_4_0, WL_MPI_PRESETS };

/* The choice of algorithms: a preset, overridden by the user for some collectives. */
struct mpi_choices {
	enum mpi_preset preset;
	enum mpi_algorithm fixed[WL_MPI_OPS]; /* AUTO: the preset's */
	uint64_t named;                       /* mpi_collective_bit() of those that the user named */
};

struct mpi_collective {
	enum mpi_op op;
	uint32_t ranks, root;
	uint64_t bytes, element;              /* as in struct mpi_call */
	const uint64_t *counts, *from_counts; /* [ranks] as there, or NULL; not owned */
	bool nonblocking, not_commutative, user_op, in_place;
	const struct mpi_choices *choices; /* not owned */
};

struct mpi_step {
	uint32_t peer; /* of the same communicator; may be the rank itself: a copy, not a message */
	bool send;
	uint64_t bytes; /* may be 0: a message without payload */
};

#define MPI_STEPS_ON_STACK 16u /* of most rounds */

struct mpi_steps {
	struct mpi_step *v; /* owned, unless `borrowed` */
	uint32_t n, cap;
	bool borrowed; /* v is the caller's; not once it had to grow */
};

struct mpi_stage {
	void (*round)(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out);
	uint32_t rounds, ranks, root;
	uint32_t others;   /* rounds of all ranks but the root; 0: as many as the root */
	uint32_t distinct; /* rounds after which no rank gets a peer that it had not before; 0: all */
	bool dense;        /* each rank sends to all others */
	uint64_t messages; /* of all ranks, where there is a closed form; 0: they are to be counted */
	uint64_t total;    /* their bytes */
	uint64_t bytes, element;
	uint64_t chunk; /* bytes of a block of the one vector; 0: blocks are counts[], or of `bytes` */
	const uint64_t *counts, *from_counts;
	bool shared;      /* all ranks have the counts: what one gets of a scatter is its own, not `bytes` */
	unsigned flavour; /* which tree, which way of dividing: the stage's own */
};

#define WL_MPI_STAGES 4u
struct mpi_plan {
	enum mpi_algorithm algorithm; /* that is carried out, after fall-backs */
	uint32_t stages;
	struct mpi_stage stage[WL_MPI_STAGES];
};

/* "recursive-doubling"; AUTO is "auto". */
const char *mpi_algorithm_name(enum mpi_algorithm a);
const char *mpi_preset_name(enum mpi_preset p);
/* WL_ALGORITHMS or WL_MPI_PRESETS: there is none with that name. */
enum mpi_algorithm mpi_algorithm_find(const char *name);
enum mpi_preset mpi_preset_find(const char *name);
/* Does this library have this algorithm for this collective? */
bool mpi_algorithm_does(enum mpi_op op, enum mpi_algorithm a);

/* The algorithm selected by c->choices; never AUTO. */
enum mpi_algorithm mpi_choose(const struct mpi_collective *c);
/* The plan of c by c->choices. It refers to c's counts. O(1), O(ranks) with counts. */
void mpi_plan_make(struct mpi_plan *plan, const struct mpi_collective *c);
/* The transfers of one of the plan's rounds at a rank, in *out; false: there is no such round. O(transfers + log
 * ranks), O(ranks) with counts. */
bool mpi_plan_round(const struct mpi_plan *plan, uint32_t rank, uint32_t round, struct mpi_steps *out);

/* The same, but only for rounds in which a rank may have peers that it did not have in earlier rounds. */
bool mpi_plan_peers(const struct mpi_plan *plan, uint32_t rank, uint32_t round, struct mpi_steps *out);
void mpi_steps_free(struct mpi_steps *steps);
/* Does each rank send to all others? */
bool mpi_plan_is_dense(const struct mpi_plan *plan);
/* Messages of all ranks, without copies to oneself, and their bytes; a message of 0 bytes counts as `token`. Not for
 * plans of alltoallv, gatherv or scatterv, which differ between ranks. O(ranks log ranks) at most. */
void mpi_plan_count(const struct mpi_plan *plan, uint64_t token, uint64_t *messages, uint64_t *bytes);

/* Parses "PRESET", "PRESET, OP = ALGORITHM, ..." or "OP = ALGORITHM, ..." (with "basic"), as in "mpich-4.0, allreduce =
 * ring". Errors are at `key`; -1 if there are any. */
int mpi_choices_read(struct mpi_choices *out, const char *text, const char *key, struct base_errors *errors);

/* Checks that each collective named by the user occurs: `used` is the set of those that do, as mpi_collective_bit()s.
 * Collectives of which others may be composed count if these may occur. Otherwise -1 with errors at `key`. */
int mpi_choices_check(const struct mpi_choices *choices, uint64_t used, const char *key, struct base_errors *errors);

/* --- for the files of this folder ------------------------------------------------------------------------- */

static inline uint32_t mpi_floor_log2(uint32_t n)
{
	return 31u - (uint32_t)__builtin_clz(n);
}
static inline uint32_t mpi_ceil_log2(uint32_t n)
{
	return n > 1 ? mpi_floor_log2(n - 1) + 1 : 0;
}
static inline bool mpi_power_of_two(uint32_t n)
{
	return (n & (n - 1)) == 0;
}
void mpi_step_add(struct mpi_steps *out, bool send, uint32_t peer, uint64_t bytes);
/* Bytes of blocks first ... last - 1 of a stage: from `counts` if there are some, else `bytes` each. */
uint64_t mpi_blocks(const struct mpi_stage *s, uint32_t first, uint32_t last);
/* The algorithm of Open MPI's and MPICH's decision tables for c. */
enum mpi_algorithm mpi_openmpi_choose(const struct mpi_collective *c);
enum mpi_algorithm mpi_mpich_choose(const struct mpi_collective *c);
/* The size used in the selection of algorithms for c: its bytes, or those of all shares. */
uint64_t mpi_total_bytes(const struct mpi_collective *c);

#endif

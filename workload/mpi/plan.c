/* workload/mpi/plan.c - from a collective and an algorithm to stages. */
#include "workload/mpi/stages.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const char *const algorithm_name[WL_ALGORITHMS] = {
	[WL_ALG_AUTO] = "auto",
	[WL_ALG_LINEAR] = "linear",
	[WL_ALG_LINEAR_NB] = "linear-nb",
	[WL_ALG_LINEAR_SYNC] = "linear-sync",
	[WL_ALG_CHAIN] = "chain",
	[WL_ALG_PIPELINE] = "pipeline",
	[WL_ALG_BINARY] = "binary",
	[WL_ALG_BINOMIAL] = "binomial",
	[WL_ALG_BINOMIAL_OPENMPI] = "binomial-openmpi",
	[WL_ALG_KNOMIAL] = "knomial",
	[WL_ALG_SPLIT_BINARY] = "split-binary",
	[WL_ALG_IN_ORDER_BINARY] = "in-order-binary",
	[WL_ALG_SCATTER_RECURSIVE_DOUBLING] = "scatter-recursive-doubling",
	[WL_ALG_SCATTER_RING] = "scatter-ring",
	[WL_ALG_RECURSIVE_DOUBLING] = "recursive-doubling",
	[WL_ALG_RECURSIVE_HALVING] = "recursive-halving",
	[WL_ALG_RABENSEIFNER_MPICH] = "rabenseifner-mpich",
	[WL_ALG_RABENSEIFNER_OPENMPI] = "rabenseifner-openmpi",
	[WL_ALG_BUTTERFLY] = "butterfly",
	[WL_ALG_NONCOMMUTATIVE] = "noncommutative",
	[WL_ALG_COMPOSED] = "composed",
	[WL_ALG_RING] = "ring",
	[WL_ALG_SEGMENTED_RING] = "segmented-ring",
	[WL_ALG_DOUBLE_RING] = "double-ring",
	[WL_ALG_BRUCK] = "bruck",
	[WL_ALG_NEIGHBOR] = "neighbor",
	[WL_ALG_PAIRWISE] = "pairwise",
	[WL_ALG_PAIRWISE_XOR] = "pairwise-xor",
	[WL_ALG_SCATTERED] = "scattered",
	[WL_ALG_DISSEMINATION] = "dissemination",
	[WL_ALG_TREE] = "tree",
};

static const char *const preset_name[WL_MPI_PRESETS] = {
	[WL_MPI_BASIC] = "basic",
	[WL_MPI_OPENMPI_4_1] = "openmpi-4.1",
	[WL_MPI_MPICH_4_0] = "mpich-4.0",
};

const char *mpi_algorithm_name(enum mpi_algorithm a)
{
	return algorithm_name[a];
}

const char *mpi_preset_name(enum mpi_preset p)
{
	return preset_name[p];
}

enum mpi_algorithm mpi_algorithm_find(const char *name)
{
	enum mpi_algorithm a = 0;
	while (a < WL_ALGORITHMS && strcmp(algorithm_name[a], name) != 0)
		a++;
	return a;
}

enum mpi_preset mpi_preset_find(const char *name)
{
	enum mpi_preset p = 0;
	while (p < WL_MPI_PRESETS && strcmp(preset_name[p], name) != 0)
		p++;
	return p;
}

void mpi_step_add(struct mpi_steps *out, bool send, uint32_t peer, uint64_t bytes)
{
	if (out->n == out->cap)
		out->v = base_lengthen(out->v, &out->cap, sizeof *out->v, &out->borrowed);
	out->v[out->n++] = (struct mpi_step){ .peer = peer, .send = send, .bytes = bytes };
}

void mpi_steps_free(struct mpi_steps *steps)
{
	if (!steps->borrowed)
		free(steps->v);
	*steps = (struct mpi_steps){ 0 };
}

uint64_t mpi_blocks(const struct mpi_stage *s, uint32_t first, uint32_t last)
{
	uint64_t sum = 0;
	if (s->chunk) {
		uint64_t begin = first * s->chunk, end = last * s->chunk;
		return (end < s->bytes ? end : s->bytes) - (begin < s->bytes ? begin : s->bytes);
	}
	for (uint32_t i = first; s->counts && i < last; i++)
		sum += s->counts[i];
	return s->counts ? sum : (last - first) * s->bytes;
}

uint64_t mpi_total_bytes(const struct mpi_collective *c)
{
	struct mpi_stage s = { .bytes = c->bytes, .counts = c->counts };
	bool shares = c->op == WL_MPI_REDUCE_SCATTER || c->op == WL_MPI_REDUCE_SCATTER_BLOCK ||
	              c->op == WL_MPI_ALLGATHER || c->op == WL_MPI_ALLGATHERV;
	return shares ? mpi_blocks(&s, 0, c->ranks) : c->bytes;
}

/* What is common to the stages of a plan. */
static struct mpi_stage stage_of(const struct mpi_collective *c)
{
	bool whole = c->element && c->bytes % c->element == 0;
	return (struct mpi_stage){ .ranks = c->ranks,
		                   .root = mpi_is_rooted(c->op) ? c->root : 0,
		                   .bytes = c->bytes,
		                   .element = whole ? c->element : 1,
		                   .counts = c->counts,
		                   .from_counts = c->from_counts };
}

void mpi_plan_add(struct mpi_plan *plan, struct mpi_stage s)
{
	plan->stage[plan->stages++] = s;
}

/* --- what algorithms there are ------------------------------------------------------------------------------ */

#define DOES(a) (UINT64_C(1) << WL_ALG_##a)

static uint64_t does(enum mpi_op op)
{
	static const uint64_t of[WL_MPI_OPS] = {
		[WL_MPI_BARRIER] =
		    DOES(LINEAR) | DOES(DOUBLE_RING) | DOES(RECURSIVE_DOUBLING) | DOES(DISSEMINATION) | DOES(TREE),
		[WL_MPI_BCAST] = DOES(LINEAR) | DOES(CHAIN) | DOES(PIPELINE) | DOES(BINARY) | DOES(BINOMIAL) |
		                 DOES(BINOMIAL_OPENMPI) | DOES(KNOMIAL) | DOES(SPLIT_BINARY) |
		                 DOES(SCATTER_RECURSIVE_DOUBLING) | DOES(SCATTER_RING),
		[WL_MPI_REDUCE] = DOES(LINEAR) | DOES(CHAIN) | DOES(PIPELINE) | DOES(BINARY) | DOES(BINOMIAL) |
		                  DOES(IN_ORDER_BINARY) | DOES(RABENSEIFNER_MPICH) | DOES(RABENSEIFNER_OPENMPI),
		[WL_MPI_ALLREDUCE] = DOES(LINEAR) | DOES(COMPOSED) | DOES(RECURSIVE_DOUBLING) | DOES(RING) |
		                     DOES(SEGMENTED_RING) | DOES(RABENSEIFNER_MPICH) | DOES(RABENSEIFNER_OPENMPI),
		[WL_MPI_GATHER] = DOES(LINEAR) | DOES(BINOMIAL) | DOES(LINEAR_SYNC),
		[WL_MPI_GATHERV] = DOES(LINEAR),
		[WL_MPI_SCATTER] = DOES(LINEAR) | DOES(LINEAR_NB) | DOES(BINOMIAL),
		[WL_MPI_SCATTERV] = DOES(LINEAR) | DOES(LINEAR_NB),
		[WL_MPI_ALLGATHER] =
		    DOES(COMPOSED) | DOES(BRUCK) | DOES(RECURSIVE_DOUBLING) | DOES(RING) | DOES(NEIGHBOR),
		[WL_MPI_ALLGATHERV] =
		    DOES(COMPOSED) | DOES(BRUCK) | DOES(RECURSIVE_DOUBLING) | DOES(RING) | DOES(NEIGHBOR),
		[WL_MPI_ALLTOALL] = DOES(LINEAR) | DOES(LINEAR_SYNC) | DOES(PAIRWISE) | DOES(PAIRWISE_XOR) |
		                    DOES(BRUCK) | DOES(SCATTERED),
		[WL_MPI_ALLTOALLV] = DOES(LINEAR) | DOES(PAIRWISE) | DOES(SCATTERED),
		[WL_MPI_REDUCE_SCATTER] = DOES(COMPOSED) | DOES(RECURSIVE_HALVING) | DOES(RING) | DOES(BUTTERFLY) |
		                          DOES(PAIRWISE) | DOES(RECURSIVE_DOUBLING) | DOES(NONCOMMUTATIVE),
		[WL_MPI_REDUCE_SCATTER_BLOCK] = DOES(COMPOSED) | DOES(RECURSIVE_HALVING) | DOES(RING) |
		                                DOES(BUTTERFLY) | DOES(PAIRWISE) | DOES(RECURSIVE_DOUBLING) |
		                                DOES(NONCOMMUTATIVE),
		[WL_MPI_SCAN] = DOES(LINEAR) | DOES(RECURSIVE_DOUBLING),
		[WL_MPI_EXSCAN] = DOES(LINEAR) | DOES(RECURSIVE_DOUBLING),
	};
	return of[op];
}

bool mpi_algorithm_does(enum mpi_op op, enum mpi_algorithm a)
{
	return does(op) >> a & 1;
}

/* --- choosing --------------------------------------------------------------------------------------------- */

/* One algorithm each, whatever the size. */
static enum mpi_algorithm basic(enum mpi_op op)
{
	static const enum mpi_algorithm of[WL_MPI_OPS] = {
		[WL_MPI_BARRIER] = WL_ALG_DISSEMINATION,   [WL_MPI_BCAST] = WL_ALG_BINOMIAL,
		[WL_MPI_REDUCE] = WL_ALG_BINOMIAL,         [WL_MPI_ALLREDUCE] = WL_ALG_RECURSIVE_DOUBLING,
		[WL_MPI_GATHER] = WL_ALG_BINOMIAL,         [WL_MPI_GATHERV] = WL_ALG_LINEAR,
		[WL_MPI_SCATTER] = WL_ALG_BINOMIAL,        [WL_MPI_SCATTERV] = WL_ALG_LINEAR,
		[WL_MPI_ALLGATHER] = WL_ALG_RING,          [WL_MPI_ALLGATHERV] = WL_ALG_RING,
		[WL_MPI_ALLTOALL] = WL_ALG_PAIRWISE,       [WL_MPI_ALLTOALLV] = WL_ALG_PAIRWISE,
		[WL_MPI_REDUCE_SCATTER] = WL_ALG_PAIRWISE, [WL_MPI_REDUCE_SCATTER_BLOCK] = WL_ALG_PAIRWISE,
		[WL_MPI_SCAN] = WL_ALG_RECURSIVE_DOUBLING, [WL_MPI_EXSCAN] = WL_ALG_RECURSIVE_DOUBLING,
	};
	return of[op];
}

static enum mpi_algorithm by_preset(const struct mpi_collective *c)
{
	switch (c->choices->preset) {
	case WL_MPI_OPENMPI_4_1:
		return mpi_openmpi_choose(c);
	case WL_MPI_MPICH_4_0:
		return mpi_mpich_choose(c);
	case WL_MPI_BASIC:
	case WL_MPI_PRESETS:
		break;
	}
	return basic(c->op);
}

/* What libraries do where an algorithm does not apply. */
static enum mpi_algorithm fall_back(const struct mpi_collective *c, enum mpi_algorithm a)
{
	struct mpi_stage s = stage_of(c);
	uint32_t p = c->ranks, q = 1u << mpi_floor_log2(p);
	uint64_t count = s.bytes / s.element;
	bool gathers = c->op == WL_MPI_ALLGATHER || c->op == WL_MPI_ALLGATHERV;
	if (a == WL_ALG_SEGMENTED_RING)
		a = WL_ALG_RING;
	if (a == WL_ALG_RING && c->op == WL_MPI_ALLREDUCE && count < p)
		return WL_ALG_RECURSIVE_DOUBLING;
	if (a == WL_ALG_RABENSEIFNER_OPENMPI && (count < q || c->not_commutative))
		return WL_ALG_LINEAR;
	if (a == WL_ALG_RABENSEIFNER_MPICH && count < q)
		return c->op == WL_MPI_REDUCE ? WL_ALG_BINOMIAL : WL_ALG_RECURSIVE_DOUBLING;
	if (a == WL_ALG_SPLIT_BINARY && count < 2)
		return WL_ALG_PIPELINE;
	if (a == WL_ALG_NEIGHBOR && p % 2)
		return WL_ALG_RING;
	if (a == WL_ALG_RECURSIVE_DOUBLING && gathers && !mpi_power_of_two(p))
		return WL_ALG_BRUCK;
	if (a == WL_ALG_NONCOMMUTATIVE && (!mpi_power_of_two(p) || c->counts))
		return WL_ALG_RECURSIVE_DOUBLING;
	return a;
}

enum mpi_algorithm mpi_choose(const struct mpi_collective *c)
{
	enum mpi_algorithm fixed = c->choices->fixed[c->op];
	return fall_back(c, fixed != WL_ALG_AUTO ? fixed : by_preset(c));
}

/* --- plans ------------------------------------------------------------------------------------------------ */

static void plan_part(struct mpi_plan *plan, const struct mpi_collective *whole, enum mpi_op op, uint64_t bytes)
{
	struct mpi_collective part = *whole;
	struct mpi_plan made;
	part.op = op;
	part.bytes = bytes;
	if (op != WL_MPI_SCATTERV && op != WL_MPI_GATHERV)
		part.counts = part.from_counts = NULL;
	mpi_plan_make(&made, &part);
	for (uint32_t i = 0; i < made.stages; i++)
		mpi_plan_add(plan, made.stage[i]);
}

static void plan_bcast(struct mpi_plan *plan, const struct mpi_collective *c, enum mpi_algorithm a)
{
	struct mpi_stage s = stage_of(c);
	bool scatters = a == WL_ALG_SCATTER_RING || a == WL_ALG_SCATTER_RECURSIVE_DOUBLING;
	if (a == WL_ALG_SPLIT_BINARY) {
		mpi_split_binary(plan, s);
	} else if (scatters && c->choices->preset == WL_MPI_OPENMPI_4_1 && s.bytes / s.element < s.ranks) {
		mpi_tree_down(plan, s, WL_TREE_LINEAR, false); /* as the library does with too few elements */
	} else if (scatters) {
		mpi_chunk_scatter(plan, s);
		(a == WL_ALG_SCATTER_RING ? mpi_chunk_ring : mpi_chunk_doubling)(plan, s);
	} else {
		mpi_tree_down(plan, s,
		              a == WL_ALG_CHAIN              ? WL_TREE_CHAIN
		              : a == WL_ALG_PIPELINE         ? WL_TREE_PIPELINE
		              : a == WL_ALG_BINARY           ? WL_TREE_BINARY
		              : a == WL_ALG_BINOMIAL         ? WL_TREE_BINOMIAL
		              : a == WL_ALG_BINOMIAL_OPENMPI ? WL_TREE_BINOMIAL_HIGH
		              : a == WL_ALG_KNOMIAL          ? WL_TREE_KNOMIAL
		                                             : WL_TREE_LINEAR,
		              a != WL_ALG_LINEAR);
	}
}

static void plan_reduce(struct mpi_plan *plan, const struct mpi_collective *c, enum mpi_algorithm a)
{
	struct mpi_stage s = stage_of(c);
	if (a == WL_ALG_RABENSEIFNER_MPICH || a == WL_ALG_RABENSEIFNER_OPENMPI) {
		mpi_rabenseifner_reduce(plan, s, a == WL_ALG_RABENSEIFNER_OPENMPI);
		return;
	}
	mpi_tree_up(plan, s,
	            a == WL_ALG_CHAIN             ? WL_TREE_CHAIN
	            : a == WL_ALG_PIPELINE        ? WL_TREE_PIPELINE
	            : a == WL_ALG_BINARY          ? WL_TREE_BINARY
	            : a == WL_ALG_BINOMIAL        ? WL_TREE_BINOMIAL
	            : a == WL_ALG_IN_ORDER_BINARY ? WL_TREE_IN_ORDER
	                                          : WL_TREE_LINEAR);
	if (a == WL_ALG_IN_ORDER_BINARY)
		mpi_move_to_root(plan, s);
}

static void plan_allreduce(struct mpi_plan *plan, const struct mpi_collective *c, enum mpi_algorithm a)
{
	struct mpi_stage s = stage_of(c);
	if (a == WL_ALG_LINEAR) {
		mpi_tree_up(plan, s, WL_TREE_LINEAR);
		mpi_tree_down(plan, s, WL_TREE_LINEAR, false);
	} else if (a == WL_ALG_COMPOSED) {
		plan_part(plan, c, WL_MPI_REDUCE, c->bytes);
		plan_part(plan, c, WL_MPI_BCAST, c->bytes);
	} else if (a == WL_ALG_RING) {
		mpi_ring_allreduce(plan, s);
	} else if (a == WL_ALG_RECURSIVE_DOUBLING) {
		mpi_fold_in(plan, s);
		mpi_doubling(plan, s);
		mpi_fold_out(plan, s);
	} else {
		mpi_rabenseifner_allreduce(plan, s, a == WL_ALG_RABENSEIFNER_OPENMPI);
	}
}

static void plan_gather_scatter(struct mpi_plan *plan, const struct mpi_collective *c, enum mpi_algorithm a)
{
	struct mpi_stage s = stage_of(c);
	bool gather = c->op == WL_MPI_GATHER || c->op == WL_MPI_GATHERV;
	if (a == WL_ALG_BINOMIAL)
		(gather ? mpi_binomial_gather : mpi_binomial_scatter)(plan, s);
	else if (gather)
		mpi_linear_gather(plan, s, a == WL_ALG_LINEAR_SYNC);
	else
		mpi_linear_scatter(plan, s, a == WL_ALG_LINEAR);
}

static void plan_allgather(struct mpi_plan *plan, const struct mpi_collective *c, enum mpi_algorithm a)
{
	struct mpi_stage s = stage_of(c);
	if (a == WL_ALG_COMPOSED) {
		struct mpi_collective rooted = *c;
		rooted.root = 0;
		plan_part(plan, &rooted, c->op == WL_MPI_ALLGATHERV ? WL_MPI_GATHERV : WL_MPI_GATHER, c->bytes);
		plan_part(plan, &rooted, WL_MPI_BCAST, mpi_total_bytes(c));
	} else if (a == WL_ALG_BRUCK) {
		mpi_bruck_allgather(plan, s);
	} else if (a == WL_ALG_NEIGHBOR) {
		mpi_neighbor_allgather(plan, s);
	} else if (a == WL_ALG_RING) {
		mpi_ring_allgather(plan, s);
	} else {
		mpi_doubling_allgather(plan, s, false);
	}
}

static void plan_alltoall(struct mpi_plan *plan, const struct mpi_collective *c, enum mpi_algorithm a)
{
	struct mpi_stage s = stage_of(c);
	if (c->in_place && c->choices->preset == WL_MPI_MPICH_4_0 && c->choices->fixed[c->op] == WL_ALG_AUTO)
		mpi_pairs_in_place(plan, s);
	else if (a == WL_ALG_LINEAR || a == WL_ALG_LINEAR_SYNC)
		mpi_linear_alltoall(plan, s);
	else if (a == WL_ALG_SCATTERED)
		mpi_scattered_alltoall(plan, s);
	else if (a == WL_ALG_BRUCK)
		mpi_bruck_alltoall(plan, s);
	else
		mpi_pairwise(plan, s, a == WL_ALG_PAIRWISE_XOR);
}

static void plan_reduce_scatter(struct mpi_plan *plan, const struct mpi_collective *c, enum mpi_algorithm a)
{
	struct mpi_stage s = stage_of(c);
	struct mpi_collective rooted = *c;
	rooted.root = 0;
	if (a == WL_ALG_COMPOSED) {
		plan_part(plan, &rooted, WL_MPI_REDUCE, mpi_total_bytes(c));
		uint32_t scatter = plan->stages;
		plan_part(plan, &rooted, c->op == WL_MPI_REDUCE_SCATTER ? WL_MPI_SCATTERV : WL_MPI_SCATTER, c->bytes);
		for (; scatter < plan->stages; scatter++)
			plan->stage[scatter].shared = c->op == WL_MPI_REDUCE_SCATTER && c->counts;
	} else if (a == WL_ALG_RECURSIVE_HALVING) {
		mpi_recursive_halving(plan, s);
	} else if (a == WL_ALG_BUTTERFLY) {
		mpi_butterfly(plan, s);
	} else if (a == WL_ALG_RING) {
		mpi_ring_reduce_scatter(plan, s);
	} else if (a == WL_ALG_PAIRWISE) {
		mpi_pairwise_reduce_scatter(plan, s);
	} else if (a == WL_ALG_NONCOMMUTATIVE) {
		mpi_noncommutative(plan, s);
	} else {
		mpi_doubling_allgather(plan, s, true);
	}
}

static void plan_barrier(struct mpi_plan *plan, const struct mpi_collective *c, enum mpi_algorithm a)
{
	struct mpi_stage s = stage_of(c);
	s.bytes = 0;
	if (a == WL_ALG_LINEAR || a == WL_ALG_TREE) {
		mpi_tree_up(plan, s, a == WL_ALG_TREE ? WL_TREE_BINOMIAL : WL_TREE_LINEAR);
		mpi_tree_down(plan, s, a == WL_ALG_TREE ? WL_TREE_BINOMIAL : WL_TREE_LINEAR, a == WL_ALG_TREE);
	} else if (a == WL_ALG_DOUBLE_RING) {
		mpi_double_ring(plan, s);
	} else if (a == WL_ALG_RECURSIVE_DOUBLING) {
		mpi_doubling_barrier(plan, s);
	} else {
		mpi_dissemination(plan, s);
	}
}

static void plan_scan(struct mpi_plan *plan, const struct mpi_collective *c, enum mpi_algorithm a)
{
	(a == WL_ALG_LINEAR ? mpi_linear_scan : mpi_doubling_scan)(plan, stage_of(c));
}

static bool does_nothing(const struct mpi_collective *c)
{
	return c->ranks < 2 || (c->op != WL_MPI_BARRIER && !c->bytes && !c->counts);
}

void mpi_plan_make(struct mpi_plan *plan, const struct mpi_collective *c)
{
	typedef void planner(struct mpi_plan *, const struct mpi_collective *, enum mpi_algorithm);
	static planner *const of[WL_MPI_OPS] = {
		[WL_MPI_BARRIER] = plan_barrier,
		[WL_MPI_BCAST] = plan_bcast,
		[WL_MPI_REDUCE] = plan_reduce,
		[WL_MPI_ALLREDUCE] = plan_allreduce,
		[WL_MPI_GATHER] = plan_gather_scatter,
		[WL_MPI_GATHERV] = plan_gather_scatter,
		[WL_MPI_SCATTER] = plan_gather_scatter,
		[WL_MPI_SCATTERV] = plan_gather_scatter,
		[WL_MPI_ALLGATHER] = plan_allgather,
		[WL_MPI_ALLGATHERV] = plan_allgather,
		[WL_MPI_ALLTOALL] = plan_alltoall,
		[WL_MPI_ALLTOALLV] = plan_alltoall,
		[WL_MPI_REDUCE_SCATTER] = plan_reduce_scatter,
		[WL_MPI_REDUCE_SCATTER_BLOCK] = plan_reduce_scatter,
		[WL_MPI_SCAN] = plan_scan,
		[WL_MPI_EXSCAN] = plan_scan,
	};
	*plan = (struct mpi_plan){ .algorithm = mpi_choose(c) };
	if (!does_nothing(c))
		of[c->op](plan, c, plan->algorithm);
}

static uint32_t rounds_at(const struct mpi_stage *s, uint32_t rank, bool peers)
{
	uint32_t rounds = s->others && rank != s->root ? s->others : s->rounds;
	return peers && s->distinct && s->distinct < rounds ? s->distinct : rounds;
}

static bool some_round(const struct mpi_plan *plan, uint32_t rank, uint32_t round, bool peers, struct mpi_steps *out)
{
	out->n = 0;
	for (uint32_t i = 0; i < plan->stages; i++) {
		uint32_t rounds = rounds_at(&plan->stage[i], rank, peers);
		if (round < rounds) {
			plan->stage[i].round(&plan->stage[i], rank, round, out);
			return true;
		}
		round -= rounds;
	}
	return false;
}

bool mpi_plan_round(const struct mpi_plan *plan, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	return some_round(plan, rank, round, false, out);
}

bool mpi_plan_peers(const struct mpi_plan *plan, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	return some_round(plan, rank, round, true, out);
}

bool mpi_plan_is_dense(const struct mpi_plan *plan)
{
	bool dense = false;
	for (uint32_t i = 0; i < plan->stages; i++)
		dense |= plan->stage[i].dense;
	return dense;
}

static void count_stage(const struct mpi_stage *s, uint64_t token, uint64_t *messages, uint64_t *bytes)
{
	struct mpi_steps steps = { 0 };
	for (uint32_t rank = 0; rank < s->ranks; rank++)
		for (uint32_t round = 0, n = rounds_at(s, rank, false); round < n; round++) {
			steps.n = 0;
			s->round(s, rank, round, &steps);
			for (uint32_t i = 0; i < steps.n; i++) {
				const struct mpi_step *t = &steps.v[i];
				bool message = t->send && t->peer != rank;
				*messages += message;
				*bytes += !message ? 0 : t->bytes ? t->bytes : token;
			}
		}
	free(steps.v);
}

/* Blocks of 0 bytes, of those that each go to all others. */
static uint64_t empty_blocks(const struct mpi_stage *s)
{
	uint64_t n = 0;
	for (uint32_t i = 0; (s->chunk || s->counts) && i < s->ranks; i++)
		n += !mpi_blocks(s, i, i + 1);
	return n;
}

void mpi_plan_count(const struct mpi_plan *plan, uint64_t token, uint64_t *messages, uint64_t *bytes)
{
	*messages = *bytes = 0;
	for (uint32_t i = 0; i < plan->stages; i++) {
		const struct mpi_stage *s = &plan->stage[i];
		if (!s->messages) {
			count_stage(s, token, messages, bytes);
		} else {
			*messages += s->messages;
			*bytes += s->total + empty_blocks(s) * (s->ranks - 1) * token;
		}
	}
}

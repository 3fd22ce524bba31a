/* workload/mpi/trees.c - stages along trees, and between a root and all. Ranks are counted from the root: v = rank -
 * root modulo the number of ranks. */
#include "workload/mpi/stages.h"

#define NO_RANK UINT32_MAX
#define CHAINS 4u
#define RADIX 4u

static uint32_t v_of(const struct mpi_stage *s, uint32_t rank)
{
	return rank >= s->root ? rank - s->root : rank + s->ranks - s->root;
}

static uint32_t rank_numbered(const struct mpi_stage *s, uint32_t v)
{
	return v < s->ranks - s->root ? v + s->root : v - (s->ranks - s->root);
}

/* --- trees ------------------------------------------------------------------------------------------------ */

/* p - 1 vertices in `chains` chains: those before chain i. */
static uint32_t before_chain(uint32_t p, uint32_t chains, uint32_t i)
{
	uint32_t base = (p - 1) / chains, longer = (p - 1) % chains;
	return i * base + (i < longer ? i : longer);
}

/* The chain that v > 0 is in. */
static uint32_t chain_of_rank(uint32_t p, uint32_t chains, uint32_t v)
{
	uint32_t base = (p - 1) / chains, longer = (p - 1) % chains, x = v - 1;
	return x < longer * (base + 1) ? x / (base + 1) : longer + (x - longer * (base + 1)) / base;
}

static uint32_t chain_child(uint32_t p, uint32_t chains, uint32_t v, uint32_t i)
{
	if (chains > p - 1)
		chains = p - 1;
	if (!v)
		return i < chains ? 1 + before_chain(p, chains, i) : NO_RANK;
	return i == 0 && v != before_chain(p, chains, chain_of_rank(p, chains, v) + 1) ? v + 1 : NO_RANK;
}

static uint32_t chain_parent(uint32_t p, uint32_t chains, uint32_t v)
{
	if (chains > p - 1)
		chains = p - 1;
	return v == 1 + before_chain(p, chains, chain_of_rank(p, chains, v)) ? 0 : v - 1;
}

static uint32_t low_bit(uint32_t v)
{
	return v & -v;
}

/* The farthest child first. */
static uint32_t binomial_child(uint32_t p, uint32_t v, uint32_t i)
{
	uint32_t children = 0, low = v ? low_bit(v) : 1u << 31;
	while (1u << children < low && (uint64_t)v + (1u << children) < p)
		children++;
	return i < children ? v + (1u << (children - 1 - i)) : NO_RANK;
}

static uint32_t knomial_child(uint32_t p, uint32_t v, uint32_t i)
{
	uint64_t mask = 1;
	while (mask < p && v % (RADIX * mask) == 0)
		mask *= RADIX;
	while ((mask /= RADIX) > 0)
		for (uint32_t digit = 1; digit < RADIX; digit++)
			if (v + digit * mask < p && i-- == 0)
				return (uint32_t)(v + digit * mask);
	return NO_RANK;
}

static uint32_t knomial_parent(uint32_t v)
{
	uint32_t mask = 1;
	while (v / mask % RADIX == 0)
		mask *= RADIX;
	return v - v / mask % RADIX * mask;
}

/* The in-order tree of n ranks from `low` on has its root at the last of them, whose children are roots of the n / 2
 * first ones and of the rest. Finds v: its parent, and the two children of v. */
static void find_in_order(uint32_t p, uint32_t v, uint32_t *parent, uint32_t child[2])
{
	uint32_t low = 0, n = p;
	*parent = child[0] = child[1] = NO_RANK;
	while (v != low + n - 1) {
		uint32_t right = n > 2 ? n / 2 : 0;
		*parent = low + n - 1;
		if (v < low + right) {
			n = right;
		} else {
			low += right;
			n -= right + 1;
		}
	}
	if (n > 1)
		child[0] = low + n - 2;
	if (n > 2)
		child[1] = low + n / 2 - 1;
}

static uint32_t child_of(enum mpi_tree tree, uint32_t p, uint32_t v, uint32_t i)
{
	uint32_t parent, child[2], step;
	switch (tree) {
	case WL_TREE_LINEAR:
		return !v && i + 1 < p ? i + 1 : NO_RANK;
	case WL_TREE_CHAIN:
		return chain_child(p, CHAINS, v, i);
	case WL_TREE_PIPELINE:
		return chain_child(p, 1, v, i);
	case WL_TREE_BINARY:
		step = 1u << mpi_floor_log2(v + 1);
		return i < 2 && (uint64_t)v + (i + 1) * (uint64_t)step < p ? v + (i + 1) * step : NO_RANK;
	case WL_TREE_BINOMIAL:
		return binomial_child(p, v, i);
	case WL_TREE_BINOMIAL_HIGH:
		i += v ? mpi_floor_log2(v) + 1 : 0;
		return i < 31 && (uint64_t)v + (1u << i) < p ? v + (1u << i) : NO_RANK;
	case WL_TREE_KNOMIAL:
		return knomial_child(p, v, i);
	case WL_TREE_IN_ORDER:
		find_in_order(p, v, &parent, child);
		return i < 2 ? child[i] : NO_RANK;
	}
	return NO_RANK;
}

/* Of v > 0, in the in-order tree of v < p - 1. */
static uint32_t parent_of(enum mpi_tree tree, uint32_t p, uint32_t v)
{
	uint32_t parent, child[2], level;
	switch (tree) {
	case WL_TREE_LINEAR:
		return 0;
	case WL_TREE_CHAIN:
		return chain_parent(p, CHAINS, v);
	case WL_TREE_PIPELINE:
		return v - 1;
	case WL_TREE_BINARY: /* level l begins at 2^l - 1 and has 2^l vertices */
		level = mpi_floor_log2(v + 1);
		return (1u << (level - 1)) - 1 + (v + 1 - (1u << level)) % (1u << (level - 1));
	case WL_TREE_BINOMIAL:
		return v - low_bit(v);
	case WL_TREE_BINOMIAL_HIGH:
		return v - (1u << mpi_floor_log2(v));
	case WL_TREE_KNOMIAL:
		return knomial_parent(v);
	case WL_TREE_IN_ORDER:
		find_in_order(p, v, &parent, child);
		return parent;
	}
	return NO_RANK;
}

static uint32_t top_of(const struct mpi_stage *s)
{
	return s->flavour == WL_TREE_IN_ORDER ? s->ranks - 1 : 0;
}

static void to_children(const struct mpi_stage *s, uint32_t v, bool send, struct mpi_steps *out)
{
	uint32_t child;
	for (uint32_t i = 0; (child = child_of(s->flavour, s->ranks, v, i)) != NO_RANK; i++)
		mpi_step_add(out, send, rank_numbered(s, child), s->bytes);
}

static void to_parent(const struct mpi_stage *s, uint32_t v, bool send, struct mpi_steps *out)
{
	if (v != top_of(s))
		mpi_step_add(out, send, rank_numbered(s, parent_of(s->flavour, s->ranks, v)), s->bytes);
}

static void down_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	if (round == 0)
		to_parent(s, v_of(s, rank), false, out);
	else
		to_children(s, v_of(s, rank), true, out);
}

static void orderly_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint32_t v = v_of(s, rank), child = round ? child_of(s->flavour, s->ranks, v, round - 1) : NO_RANK;
	if (round == 0)
		to_parent(s, v, false, out);
	else if (child != NO_RANK)
		mpi_step_add(out, true, rank_numbered(s, child), s->bytes);
}

/* Children of a vertex, at most. */
static uint32_t most_children(enum mpi_tree tree, uint32_t p)
{
	switch (tree) {
	case WL_TREE_LINEAR:
		return p - 1;
	case WL_TREE_CHAIN:
		return CHAINS;
	case WL_TREE_PIPELINE:
		return 1;
	case WL_TREE_BINARY:
	case WL_TREE_IN_ORDER:
		return 2;
	case WL_TREE_BINOMIAL:
	case WL_TREE_BINOMIAL_HIGH:
		break;
	case WL_TREE_KNOMIAL: /* a digit in base RADIX at each of its levels */
		return (RADIX - 1) * ((mpi_ceil_log2(p) + 1) / 2);
	}
	return mpi_ceil_log2(p);
}

void mpi_tree_down(struct mpi_plan *plan, struct mpi_stage s, enum mpi_tree tree, bool orderly)
{
	s.flavour = tree;
	s.rounds = 1 + (orderly ? most_children(tree, s.ranks) : 1);
	s.round = orderly ? orderly_round : down_round;
	mpi_plan_add(plan, s);
}

static void up_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	if (round == 0)
		to_children(s, v_of(s, rank), false, out);
	else
		to_parent(s, v_of(s, rank), true, out);
}

void mpi_tree_up(struct mpi_plan *plan, struct mpi_stage s, enum mpi_tree tree)
{
	s.flavour = tree;
	s.rounds = 2;
	s.round = up_round;
	s.root = tree == WL_TREE_IN_ORDER ? 0 : s.root;
	mpi_plan_add(plan, s);
}

static void move_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint32_t last = s->ranks - 1;
	(void)round;
	if (s->root != last && (rank == last || rank == s->root))
		mpi_step_add(out, rank == last, rank == last ? s->root : last, s->bytes);
}

void mpi_move_to_root(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = 1;
	s.round = move_round;
	mpi_plan_add(plan, s);
}

/* --- the two halves of a vector down a binary tree, whose left part are the odd v; then v and v + 1 swap halves, where
 * the last v is odd with the root. */

static uint64_t half_of(const struct mpi_stage *s, bool left)
{
	uint64_t count = s->bytes / s->element, first = (count + 1) / 2;
	return (left ? first : count - first) * s->element;
}

static void split_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint32_t v = v_of(s, rank), p = s->ranks, child, even = p % 2 == 0;
	bool left = v & 1;
	if (round == 0 && v)
		mpi_step_add(out, false, rank_numbered(s, parent_of(WL_TREE_BINARY, p, v)), half_of(s, left));
	if ((round == 1 || round == 2) && (child = child_of(WL_TREE_BINARY, p, v, round - 1)) != NO_RANK)
		mpi_step_add(out, true, rank_numbered(s, child), half_of(s, child & 1));
	if (round < 3)
		return;
	if (even && v == p - 1)
		mpi_step_add(out, false, s->root, half_of(s, false));
	else if (even && !v)
		mpi_step_add(out, true, rank_numbered(s, p - 1), half_of(s, false));
	else if (v) {
		uint32_t other = rank_numbered(s, left ? v + 1 : v - 1);
		mpi_step_add(out, true, other, half_of(s, left));
		mpi_step_add(out, false, other, half_of(s, !left));
	}
}

void mpi_split_binary(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = 4;
	s.round = split_round;
	mpi_plan_add(plan, s);
}

/* --- a block each ----------------------------------------------------------------------------------------- */

/* The size of a rank's block in bytes. The root knows the sizes of all blocks, any other rank only that of its own.
 * Where sizes may differ, blocks of 0 bytes are not sent. */
static uint64_t block_of(const struct mpi_stage *s, uint32_t at, uint32_t rank)
{
	return at == s->root && s->counts ? s->counts[rank] : s->bytes;
}

static void with_all(const struct mpi_stage *s, bool send, struct mpi_steps *out)
{
	for (uint32_t i = 0; i < s->ranks; i++)
		if (i != s->root && block_of(s, s->root, i))
			mpi_step_add(out, send, i, block_of(s, s->root, i));
}

static void gather_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	(void)round;
	if (rank == s->root)
		with_all(s, false, out);
	else if (s->bytes)
		mpi_step_add(out, true, s->root, s->bytes);
}

/* The root says to one after the other that it may send; then come a piece that it waits for, which without
 * segmentation is all of the block, and the rest. */
static void pieces_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	if (rank != s->root) {
		mpi_step_add(out, round > 0, s->root, round == 1 ? s->bytes : 0);
	} else if (round < s->ranks && round != s->root) {
		mpi_step_add(out, true, round, 0);
		mpi_step_add(out, false, round, s->bytes);
	} else if (round == s->ranks) {
		for (uint32_t i = 0; i < s->ranks; i++)
			if (i != s->root)
				mpi_step_add(out, false, i, 0);
	}
}

void mpi_linear_gather(struct mpi_plan *plan, struct mpi_stage s, bool pieces)
{
	s.rounds = pieces ? s.ranks + 1 : 1;
	s.others = pieces ? 3 : 1;
	s.round = pieces ? pieces_round : gather_round;
	mpi_plan_add(plan, s);
}

/* What a rank that is not the root gets. */
static uint64_t scattered_to(const struct mpi_stage *s, uint32_t rank)
{
	return s->shared ? s->counts[rank] : s->bytes;
}

static void scatter_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	(void)round;
	if (rank == s->root)
		with_all(s, true, out);
	else if (scattered_to(s, rank))
		mpi_step_add(out, false, s->root, scattered_to(s, rank));
}

static void orderly_scatter_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	if (rank != s->root && scattered_to(s, rank))
		mpi_step_add(out, false, s->root, scattered_to(s, rank));
	else if (rank == s->root && round != rank && block_of(s, rank, round))
		mpi_step_add(out, true, round, block_of(s, rank, round));
}

void mpi_linear_scatter(struct mpi_plan *plan, struct mpi_stage s, bool orderly)
{
	s.rounds = orderly ? s.ranks : 1;
	s.others = 1;
	s.round = orderly ? orderly_scatter_round : scatter_round;
	mpi_plan_add(plan, s);
}

/* Bytes of v and all that is below it in the binomial tree. */
static uint64_t below(const struct mpi_stage *s, uint32_t v)
{
	uint64_t last = (uint64_t)v + low_bit(v);
	return mpi_blocks(s, v, last < s->ranks ? (uint32_t)last : s->ranks);
}

static void binomial_gather_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint32_t v = v_of(s, rank), child;
	for (uint32_t i = 0; !round && (child = binomial_child(s->ranks, v, i)) != NO_RANK; i++)
		mpi_step_add(out, false, rank_numbered(s, child), below(s, child));
	if (round && v)
		mpi_step_add(out, true, rank_numbered(s, v - low_bit(v)), below(s, v));
}

void mpi_binomial_gather(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = 2;
	s.round = binomial_gather_round;
	mpi_plan_add(plan, s);
}

static void binomial_scatter_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint32_t v = v_of(s, rank), child = round ? binomial_child(s->ranks, v, round - 1) : NO_RANK;
	if (!round && v && below(s, v))
		mpi_step_add(out, false, rank_numbered(s, v - low_bit(v)), below(s, v));
	else if (child != NO_RANK && below(s, child))
		mpi_step_add(out, true, rank_numbered(s, child), below(s, child));
}

void mpi_binomial_scatter(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = 1 + mpi_ceil_log2(s.ranks);
	s.round = binomial_scatter_round;
	mpi_plan_add(plan, s);
}

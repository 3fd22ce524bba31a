/* workload/mpi/gathers.c - stages after which all have all blocks. Ranks, and with them blocks, are counted from the
 * root, which is 0 but in a bcast. */
#include "workload/mpi/stages.h"

static uint32_t v_of(const struct mpi_stage *s, uint32_t rank)
{
	return rank >= s->root ? rank - s->root : rank + s->ranks - s->root;
}

static void send_to(const struct mpi_stage *s, uint32_t v, uint64_t bytes, struct mpi_steps *out)
{
	mpi_step_add(out, true, (uint32_t)(((uint64_t)v + s->root) % s->ranks), bytes);
}

static void receive_from(const struct mpi_stage *s, uint32_t v, uint64_t bytes, struct mpi_steps *out)
{
	mpi_step_add(out, false, (uint32_t)(((uint64_t)v + s->root) % s->ranks), bytes);
}

/* Blocks first ... first + n - 1, modulo their number. */
static uint64_t ring_of(const struct mpi_stage *s, uint32_t first, uint32_t n)
{
	if (n <= s->ranks - first)
		return mpi_blocks(s, first, first + n);
	return mpi_blocks(s, first, s->ranks) + mpi_blocks(s, 0, n - (s->ranks - first));
}

/* v + d modulo p, for |d| < p */
static uint32_t plus(const struct mpi_stage *s, uint32_t v, int64_t d)
{
	int64_t p = s->ranks;
	return (uint32_t)(((int64_t)v + d + p) % p);
}

static void ring_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint32_t v = v_of(s, rank);
	send_to(s, plus(s, v, 1), ring_of(s, plus(s, v, -(int64_t)round), 1), out);
	receive_from(s, plus(s, v, -1), ring_of(s, plus(s, v, -(int64_t)round - 1), 1), out);
}

void mpi_ring_allgather(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = s.ranks - 1;
	s.distinct = 1;
	s.messages = s.ranks * (uint64_t)(s.ranks - 1);
	s.total = (s.ranks - 1) * mpi_blocks(&s, 0, s.ranks);
	s.round = ring_round;
	mpi_plan_add(plan, s);
}

static void bruck_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint32_t v = v_of(s, rank), distance = 1u << round;
	uint32_t n = distance <= s->ranks - distance ? distance : s->ranks - distance;
	uint32_t from = plus(s, v, distance);
	send_to(s, plus(s, v, -(int64_t)distance), ring_of(s, v, n), out);
	receive_from(s, from, ring_of(s, from, n), out);
}

void mpi_bruck_allgather(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = mpi_ceil_log2(s.ranks);
	s.round = bruck_round;
	mpi_plan_add(plan, s);
}

/* Pairs of blocks begin at even numbers. A rank passes what it gets in a round on in the next one, to its other
 * neighbour. In round 0 the pairs 2i, 2i + 1 exchange their blocks, and then have a pair each. */
static uint32_t pair_received(const struct mpi_stage *s, uint32_t v, uint32_t round)
{
	if (!round)
		return v & ~1u;
	int64_t forth = (int64_t)(round + 1) / 2 * 2; /* how far the pairs have come */
	bool up = (v % 2 == 0) == (round % 2 == 0);
	return plus(s, v & ~1u, up ? forth : -forth);
}

static uint32_t neighbour_in(const struct mpi_stage *s, uint32_t v, uint32_t round)
{
	return plus(s, v, (v % 2 == 0) == (round % 2 == 0) ? 1 : -1);
}

static void neighbor_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint32_t v = v_of(s, rank), other = neighbour_in(s, v, round);
	if (!round) {
		send_to(s, other, ring_of(s, v, 1), out);
		receive_from(s, other, ring_of(s, other, 1), out);
	} else {
		send_to(s, other, ring_of(s, pair_received(s, v, round - 1), 2), out);
		receive_from(s, other, ring_of(s, pair_received(s, other, round - 1), 2), out);
	}
}

void mpi_neighbor_allgather(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = s.ranks / 2;
	s.distinct = 2;
	s.messages = (uint64_t)s.ranks * s.rounds;
	s.total = (s.ranks - 1) * mpi_blocks(&s, 0, s.ranks);
	s.round = neighbor_round;
	mpi_plan_add(plan, s);
}

/* --- recursive doubling ----------------------------------------------------------------------------------- */

/* What ranks of the tree of 2^i ranks that begins at `tree` send: its blocks, or all others. */
static uint64_t tree_bytes(const struct mpi_stage *s, uint32_t tree, uint32_t i)
{
	uint64_t end = (uint64_t)tree + (1u << i);
	uint64_t own = mpi_blocks(s, tree, end < s->ranks ? (uint32_t)end : s->ranks);
	return s->flavour ? mpi_blocks(s, 0, s->ranks) - own : own;
}

/* Where not all ranks of v's tree of 2^i ranks have a partner in the tree behind it, which is cut off by the last rank,
 * those who have one pass on what they got, along a binomial tree: its step number `sub`. */
static void pass_on_blocks(const struct mpi_stage *s, uint32_t v, uint32_t i, uint32_t sub, struct mpi_steps *out)
{
	uint32_t mask = 1u << i, other = ((v ^ mask) >> i) << i, mine = v >> i << i;
	if ((uint64_t)other + mask <= s->ranks)
		return;
	uint32_t width = mask >> sub, peer = v ^ width / 2;
	int64_t partners = (int64_t)s->ranks - mine - mask, limit = (int64_t)(v / width * width) + partners;
	if (peer > v && v < limit && peer >= limit)
		send_to(s, peer, tree_bytes(s, other, i), out);
	else if (peer < v && peer < limit && v >= limit)
		receive_from(s, peer, tree_bytes(s, other, i), out);
}

static void doubling_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint32_t v = v_of(s, rank), i = 0;
	bool whole = mpi_power_of_two(s->ranks);
	if (whole)
		i = round, round = 0;
	else
		for (; round > i; i++) /* level i is an exchange and i times passing on */
			round -= i + 1;
	uint32_t other = v ^ (1u << i);
	if (round) {
		pass_on_blocks(s, v, i, round - 1, out);
	} else if (other < s->ranks) {
		send_to(s, other, tree_bytes(s, v >> i << i, i), out);
		receive_from(s, other, tree_bytes(s, other >> i << i, i), out);
	}
}

void mpi_doubling_allgather(struct mpi_plan *plan, struct mpi_stage s, bool outside)
{
	uint32_t k = mpi_ceil_log2(s.ranks);
	s.flavour = outside;
	s.rounds = mpi_power_of_two(s.ranks) ? k : k * (k + 1) / 2;
	s.round = doubling_round;
	mpi_plan_add(plan, s);
}

/* --- a bcast in chunks -------------------------------------------------------------------------------------- */

static struct mpi_stage chunked(struct mpi_stage s)
{
	uint64_t count = s.bytes / s.element;
	s.chunk = (count / s.ranks + (count % s.ranks > 0)) * s.element;
	return s;
}

void mpi_chunk_scatter(struct mpi_plan *plan, struct mpi_stage s)
{
	mpi_binomial_scatter(plan, chunked(s));
}

void mpi_chunk_ring(struct mpi_plan *plan, struct mpi_stage s)
{
	mpi_ring_allgather(plan, chunked(s));
}

void mpi_chunk_doubling(struct mpi_plan *plan, struct mpi_stage s)
{
	mpi_doubling_allgather(plan, chunked(s), false);
}

/* workload/mpi/exchanges.c - stages of blocks from each to each, chains of partial results, and barriers. */
#include "workload/mpi/stages.h"

#define THROTTLE 32u /* transfers that MPICH's scattered has at once */

static uint32_t after(const struct mpi_stage *s, uint32_t rank, uint32_t distance)
{
	return (uint32_t)(((uint64_t)rank + distance) % s->ranks);
}

static uint32_t before(const struct mpi_stage *s, uint32_t rank, uint32_t distance)
{
	return rank >= distance ? rank - distance : rank + s->ranks - distance;
}

/* A block from each to each other: the closed form where ranks' blocks are those of one list. */
static void each_to_each(struct mpi_stage *s)
{
	s->messages = s->ranks * (uint64_t)(s->ranks - 1);
	s->total = (s->ranks - 1) * mpi_blocks(s, 0, s->ranks);
}

/* --- blocks ----------------------------------------------------------------------------------------------- */

static uint64_t sent_to(const struct mpi_stage *s, uint32_t rank)
{
	return s->counts ? s->counts[rank] : s->bytes;
}

static uint64_t got_from(const struct mpi_stage *s, uint32_t rank)
{
	return s->from_counts ? s->from_counts[rank] : sent_to(s, rank);
}

static void block_to(const struct mpi_stage *s, uint32_t peer, struct mpi_steps *out)
{
	mpi_step_add(out, true, peer, sent_to(s, peer));
}

static void block_from(const struct mpi_stage *s, uint32_t peer, struct mpi_steps *out)
{
	mpi_step_add(out, false, peer, got_from(s, peer));
}

static void pairwise_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	bool partners = s->flavour && mpi_power_of_two(s->ranks);
	block_to(s, partners ? rank ^ (round + 1) : after(s, rank, round + 1), out);
	block_from(s, partners ? rank ^ (round + 1) : before(s, rank, round + 1), out);
}

void mpi_pairwise(struct mpi_plan *plan, struct mpi_stage s, bool by_xor)
{
	s.flavour = by_xor;
	s.rounds = s.ranks - 1;
	s.round = pairwise_round;
	s.dense = true;
	each_to_each(&s);
	mpi_plan_add(plan, s);
}

/* All at once. Where sizes differ blocks of 0 bytes are left out. */
static void linear_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	(void)round;
	for (uint32_t i = 1; i < s->ranks; i++) {
		if (!s->counts || sent_to(s, after(s, rank, i)))
			block_to(s, after(s, rank, i), out);
		if (!s->counts || got_from(s, before(s, rank, i)))
			block_from(s, before(s, rank, i), out);
	}
}

void mpi_linear_alltoall(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = 1;
	s.round = linear_round;
	s.dense = true;
	each_to_each(&s);
	mpi_plan_add(plan, s);
}

/* The rank's own block goes the same way. */
static void scattered_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint32_t first = round * THROTTLE;
	for (uint32_t i = first; i < s->ranks && i < first + THROTTLE; i++) {
		if (!s->counts || got_from(s, after(s, rank, i)))
			block_from(s, after(s, rank, i), out);
		if (!s->counts || sent_to(s, before(s, rank, i)))
			block_to(s, before(s, rank, i), out);
	}
}

void mpi_scattered_alltoall(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = (s.ranks + THROTTLE - 1) / THROTTLE;
	s.round = scattered_round;
	s.dense = true;
	each_to_each(&s);
	mpi_plan_add(plan, s);
}

/* Round i: the blocks whose distance has bit i. */
static void bruck_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint64_t bit = UINT64_C(1) << round, p = s->ranks, rest = p % (2 * bit);
	uint64_t blocks = p / (2 * bit) * bit + (rest > bit ? rest - bit : 0);
	mpi_step_add(out, true, after(s, rank, (uint32_t)bit), blocks * s->bytes);
	mpi_step_add(out, false, before(s, rank, (uint32_t)bit), blocks * s->bytes);
}

void mpi_bruck_alltoall(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = mpi_ceil_log2(s.ranks);
	s.round = bruck_round;
	mpi_plan_add(plan, s);
}

/* One partner after the other, by number, and each pair swaps. */
static void in_place_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	if (round == rank)
		return;
	block_to(s, round, out);
	block_from(s, round, out);
}

void mpi_pairs_in_place(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = s.ranks;
	s.round = in_place_round;
	s.dense = true;
	each_to_each(&s);
	mpi_plan_add(plan, s);
}

/* --- reductions ------------------------------------------------------------------------------------------- */

static uint64_t share_of(const struct mpi_stage *s, uint32_t rank)
{
	return mpi_blocks(s, rank, rank + 1);
}

static void reduce_scatter_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint32_t to = after(s, rank, round + 1);
	mpi_step_add(out, true, to, share_of(s, to));
	mpi_step_add(out, false, before(s, rank, round + 1), share_of(s, rank));
}

void mpi_pairwise_reduce_scatter(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = s.ranks - 1;
	s.round = reduce_scatter_round;
	s.dense = true;
	each_to_each(&s);
	mpi_plan_add(plan, s);
}

static void ring_reduce_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint32_t sent = before(s, before(s, rank, 1), round);
	mpi_step_add(out, true, after(s, rank, 1), share_of(s, sent));
	mpi_step_add(out, false, before(s, rank, 1), share_of(s, before(s, sent, 1)));
}

void mpi_ring_reduce_scatter(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = s.ranks - 1;
	s.round = ring_reduce_round;
	s.distinct = 1;
	each_to_each(&s);
	mpi_plan_add(plan, s);
}

/* Block i of a vector in p blocks, the first ones an element longer. */
static uint64_t ring_block(const struct mpi_stage *s, uint32_t i)
{
	uint64_t count = s->bytes / s->element;
	return (count / s->ranks + (i < count % s->ranks)) * s->element;
}

/* p - 1 rounds in which block (rank - round) is summed up, p - 1 in which the sums go on. */
static void ring_allreduce_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint32_t p = s->ranks, start = round < p - 1 ? rank : after(s, rank, 1);
	uint32_t sent = before(s, start, round < p - 1 ? round : round - (p - 1));
	mpi_step_add(out, true, after(s, rank, 1), ring_block(s, sent));
	mpi_step_add(out, false, before(s, rank, 1), ring_block(s, before(s, sent, 1)));
}

void mpi_ring_allreduce(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = 2 * (s.ranks - 1);
	s.round = ring_allreduce_round;
	s.distinct = 1;
	s.messages = s.rounds * (uint64_t)s.ranks;
	s.total = s.rounds * s.bytes;
	mpi_plan_add(plan, s);
}

static void scan_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint32_t other = rank ^ 1u << round;
	if (other >= s->ranks)
		return;
	mpi_step_add(out, true, other, s->bytes);
	mpi_step_add(out, false, other, s->bytes);
}

void mpi_doubling_scan(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = mpi_ceil_log2(s.ranks);
	s.round = scan_round;
	mpi_plan_add(plan, s);
}

static void linear_scan_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	if (round == 0 && rank)
		mpi_step_add(out, false, rank - 1, s->bytes);
	else if (round == 1 && rank + 1 < s->ranks)
		mpi_step_add(out, true, rank + 1, s->bytes);
}

void mpi_linear_scan(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = 2;
	s.round = linear_scan_round;
	mpi_plan_add(plan, s);
}

/* --- barriers --------------------------------------------------------------------------------------------- */

static void dissemination_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	mpi_step_add(out, true, after(s, rank, 1u << round), 0);
	mpi_step_add(out, false, before(s, rank, 1u << round), 0);
}

void mpi_dissemination(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = mpi_ceil_log2(s.ranks);
	s.round = dissemination_round;
	mpi_plan_add(plan, s);
}

/* Twice round the ring, from rank 0. */
static void double_ring_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	bool send = (round % 2 == 0) == (rank == 0);
	mpi_step_add(out, send, send ? after(s, rank, 1) : before(s, rank, 1), 0);
}

void mpi_double_ring(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = 4;
	s.round = double_ring_round;
	mpi_plan_add(plan, s);
}

static void doubling_barrier_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint32_t k = mpi_floor_log2(s->ranks), q = 1u << k, r = s->ranks - q;
	if (round == 0 || round == k + 1) {
		bool in = round == 0;
		if (rank >= q)
			mpi_step_add(out, in, rank - q, 0);
		else if (rank < r)
			mpi_step_add(out, !in, rank + q, 0);
	} else if (rank < q) {
		uint32_t other = rank ^ 1u << (round - 1);
		mpi_step_add(out, true, other, 0);
		mpi_step_add(out, false, other, 0);
	}
}

void mpi_doubling_barrier(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = mpi_floor_log2(s.ranks) + 2;
	s.round = doubling_barrier_round;
	mpi_plan_add(plan, s);
}

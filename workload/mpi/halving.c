/* workload/mpi/halving.c - stages among q = 2^k ranks, the largest power of two. Of the p ranks the first 2r, r = p -
 * q, form pairs: one of a pair is folded in, and the other takes part, with number 0 ... r - 1; the remaining ranks
 * follow. */
#include "workload/mpi/stages.h"

#define NONE UINT32_MAX

enum flavour { EVEN_FOLDED = 0, ODD_FOLDED = 1, FLOOR_HALVES = 2 };

struct among {
	uint32_t q, r, k;
};

static struct among among_of(const struct mpi_stage *s)
{
	struct among a = { .k = mpi_floor_log2(s->ranks) };
	a.q = 1u << a.k;
	a.r = s->ranks - a.q;
	return a;
}

/* Number of a rank that takes part; NONE: it is folded. */
static uint32_t number_of(const struct mpi_stage *s, uint32_t rank)
{
	uint32_t r = among_of(s).r, folded = s->flavour & ODD_FOLDED;
	return rank >= 2 * r ? rank - r : rank % 2 == folded ? NONE : rank / 2;
}

static uint32_t rank_numbered(const struct mpi_stage *s, uint32_t number)
{
	uint32_t r = among_of(s).r;
	return number >= r ? number + r : 2 * number + !(s->flavour & ODD_FOLDED);
}

static bool in_pair(const struct mpi_stage *s, uint32_t rank)
{
	return rank < 2 * among_of(s).r;
}

static void swap(uint32_t peer, uint64_t sent, uint64_t received, struct mpi_steps *out)
{
	mpi_step_add(out, true, peer, sent);
	mpi_step_add(out, false, peer, received);
}

/* --- folding, and whole vectors ------------------------------------------------------------------------------ */

static void fold_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	(void)round;
	if (in_pair(s, rank))
		mpi_step_add(out, number_of(s, rank) == NONE, rank ^ 1, s->bytes);
}

void mpi_fold_in(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = 1;
	s.round = fold_round;
	mpi_plan_add(plan, s);
}

static void unfold_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	(void)round;
	if (in_pair(s, rank))
		mpi_step_add(out, number_of(s, rank) != NONE, rank ^ 1, s->bytes);
}

void mpi_fold_out(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = 1;
	s.round = unfold_round;
	mpi_plan_add(plan, s);
}

/* The halves of a pair's vectors: each combines one; the right one then goes to the rank that takes part. */
static void fold_halves_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint64_t left = s->bytes / s->element / 2 * s->element, right = s->bytes - left;
	bool folded = number_of(s, rank) == NONE;
	if (!in_pair(s, rank))
		return;
	if (round == 0)
		swap(rank ^ 1, folded ? left : right, folded ? right : left, out);
	else
		mpi_step_add(out, folded, rank ^ 1, right);
}

static void fold_halves(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = 2;
	s.round = fold_halves_round;
	mpi_plan_add(plan, s);
}

static void doubling_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint32_t number = number_of(s, rank);
	if (number != NONE)
		swap(rank_numbered(s, number ^ 1u << round), s->bytes, s->bytes, out);
}

void mpi_doubling(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = among_of(&s).k;
	s.round = doubling_round;
	mpi_plan_add(plan, s);
}

/* --- a vector halved, the nearest first ---------------------------------------------------------------------- */

/* Bytes of the part that a number is left with after so many halvings. MPICH: of q blocks, the first ones an element
 * longer. Open MPI: the lower half is the floor. */
static uint64_t part_of(const struct mpi_stage *s, uint32_t number, uint32_t halvings)
{
	uint64_t count = s->bytes / s->element;
	if (s->flavour & FLOOR_HALVES) {
		for (uint32_t i = 0; i < halvings; i++)
			count = number >> i & 1 ? count - count / 2 : count / 2;
		return count * s->element;
	}
	uint32_t q = among_of(s).q, first = 0, blocks = q >> halvings;
	for (uint32_t i = 0; i < halvings; i++)
		first += (number >> i & 1) * (q >> (i + 1));
	uint64_t longer = count % q;
	uint64_t ends = (first + blocks < longer ? first + blocks : longer) - (first < longer ? first : longer);
	return (count / q * blocks + ends) * s->element;
}

static void halve_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint32_t number = number_of(s, rank), other = number ^ 1u << round;
	if (number != NONE)
		swap(rank_numbered(s, other), part_of(s, other, round + 1), part_of(s, number, round + 1), out);
}

static void unhalve_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint32_t number = number_of(s, rank), step = s->rounds - 1 - round, other = number ^ 1u << step;
	if (number != NONE)
		swap(rank_numbered(s, other), part_of(s, number, step + 1), part_of(s, other, step + 1), out);
}

static struct mpi_stage halvings(struct mpi_stage s, bool back)
{
	s.rounds = among_of(&s).k;
	s.round = back ? unhalve_round : halve_round;
	return s;
}

void mpi_rabenseifner_allreduce(struct mpi_plan *plan, struct mpi_stage s, bool openmpi)
{
	s.flavour = openmpi ? ODD_FOLDED | FLOOR_HALVES : EVEN_FOLDED;
	if (openmpi)
		fold_halves(plan, s);
	else
		mpi_fold_in(plan, s);
	mpi_plan_add(plan, halvings(s, false));
	mpi_plan_add(plan, halvings(s, true));
	mpi_fold_out(plan, s);
}

/* To the root. If it is folded the number 0 first gives it its part, and the root stands for it. */
static void to_root_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	struct among a = among_of(s);
	uint32_t root = number_of(s, s->root), zero = rank_numbered(s, 0), number = number_of(s, rank);
	bool replaced = root == NONE;
	if (round == 0) {
		if (replaced && (rank == zero || rank == s->root))
			mpi_step_add(out, rank == zero, rank == zero ? s->root : zero, part_of(s, 0, a.k));
		return;
	}
	if (replaced) {
		number = rank == s->root ? 0 : rank == zero ? NONE : number;
		root = 0;
	}
	uint32_t step = a.k - round, other = number ^ 1u << step;
	if (number == NONE || (uint64_t)(number ^ root) >> (step + 1)) /* it has given its part away */
		return;
	uint32_t peer = replaced && !other ? s->root : rank_numbered(s, other);
	bool gives = (number ^ root) >> step & 1;
	mpi_step_add(out, gives, peer, part_of(s, gives ? number : other, step + 1));
}

void mpi_rabenseifner_reduce(struct mpi_plan *plan, struct mpi_stage s, bool openmpi)
{
	struct mpi_stage gather;
	s.flavour = ODD_FOLDED | (openmpi ? FLOOR_HALVES : 0);
	if (openmpi)
		fold_halves(plan, s);
	else
		mpi_fold_in(plan, s);
	mpi_plan_add(plan, halvings(s, false));
	gather = s;
	gather.rounds = 1 + among_of(&s).k;
	gather.round = to_root_round;
	mpi_plan_add(plan, gather);
}

/* --- blocks of all ranks halved ------------------------------------------------------------------------------- */

/* Blocks of the ranks of numbers first ... last - 1, those folded with them included. */
static uint64_t blocks_of(const struct mpi_stage *s, uint32_t first, uint32_t last)
{
	uint32_t r = among_of(s).r;
	return mpi_blocks(s, first < r ? 2 * first : first + r, last < r ? 2 * last : last + r);
}

static void fold_all_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	(void)round;
	if (in_pair(s, rank))
		mpi_step_add(out, number_of(s, rank) == NONE, rank ^ 1, mpi_blocks(s, 0, s->ranks));
}

static void fold_all(struct mpi_plan *plan, struct mpi_stage s)
{
	s.rounds = 1;
	s.round = fold_all_round;
	mpi_plan_add(plan, s);
}

static void unfold_block_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	(void)round;
	if (in_pair(s, rank))
		mpi_step_add(out, number_of(s, rank) != NONE, rank ^ 1, mpi_blocks(s, rank & ~1u, (rank & ~1u) + 1));
}

/* The farthest first: after i halvings a number has the 2^(k - i) blocks that begin as it does. */
static uint64_t far_part(const struct mpi_stage *s, uint32_t number, uint32_t halvings)
{
	uint32_t width = among_of(s).q >> halvings, first = number / width * width;
	return blocks_of(s, first, first + width);
}

static void far_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint32_t number = number_of(s, rank), other = number ^ among_of(s).q >> (round + 1);
	if (number != NONE)
		swap(rank_numbered(s, other), far_part(s, other, round + 1), far_part(s, number, round + 1), out);
}

void mpi_recursive_halving(struct mpi_plan *plan, struct mpi_stage s)
{
	struct mpi_stage half = s, last = s;
	fold_all(plan, s);
	half.rounds = among_of(&s).k;
	half.round = far_round;
	mpi_plan_add(plan, half);
	last.rounds = 1;
	last.round = unfold_block_round;
	mpi_plan_add(plan, last);
}

/* The nearest first: after i halvings a number's blocks begin where its last i bits, the lowest one foremost, say. */
static uint64_t near_part(const struct mpi_stage *s, uint32_t number, uint32_t halvings)
{
	uint32_t q = among_of(s).q, first = 0;
	for (uint32_t i = 0; i < halvings; i++)
		first += (number >> i & 1) * (q >> (i + 1));
	return blocks_of(s, first, first + (q >> halvings));
}

static void near_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	uint32_t number = number_of(s, rank), other = number ^ 1u << round;
	if (number != NONE)
		swap(rank_numbered(s, other), near_part(s, other, round + 1), near_part(s, number, round + 1), out);
}

static uint32_t mirrored(uint32_t number, uint32_t bits)
{
	uint32_t mirror = 0;
	for (uint32_t i = 0; i < bits; i++)
		mirror |= (number >> i & 1) << (bits - 1 - i);
	return mirror;
}

/* A number has the result of its mirror image: to whose rank, and the one folded with it, it goes. */
static void mirror_round(const struct mpi_stage *s, uint32_t rank, uint32_t round, struct mpi_steps *out)
{
	struct among a = among_of(s);
	uint32_t number = number_of(s, rank), mirror = mirrored(number, a.k), own = number != NONE ? number : rank / 2;
	uint32_t from = rank_numbered(s, mirrored(own, a.k));
	(void)round;
	if (number != NONE && mirror < a.r)
		mpi_step_add(out, true, 2 * mirror, mpi_blocks(s, 2 * mirror, 2 * mirror + 1));
	if (number != NONE && mirror != number)
		mpi_step_add(out, true, rank_numbered(s, mirror),
		             mpi_blocks(s, rank_numbered(s, mirror), rank_numbered(s, mirror) + 1));
	if (from != rank)
		mpi_step_add(out, false, from, mpi_blocks(s, rank, rank + 1));
}

static struct mpi_stage near_halvings(struct mpi_stage s)
{
	s.rounds = among_of(&s).k;
	s.round = near_round;
	return s;
}

void mpi_butterfly(struct mpi_plan *plan, struct mpi_stage s)
{
	fold_all(plan, s);
	mpi_plan_add(plan, near_halvings(s));
	s.rounds = 1;
	s.round = mirror_round;
	mpi_plan_add(plan, s);
}

/* Powers of two and equal blocks only: blocks are put into mirrored order before, by a copy. */
void mpi_noncommutative(struct mpi_plan *plan, struct mpi_stage s)
{
	mpi_plan_add(plan, near_halvings(s));
}

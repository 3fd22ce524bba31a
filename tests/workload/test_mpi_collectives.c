/* tests/workload/test_mpi_collectives.c - collectives for 2 to 67 ranks: messages and bytes by the closed forms of the
 * reference, and whether all ranks come to their ends when every send waits for its receive. */
#include "tests/workload/mpi_schedule.h"

#include <stdio.h>
#include <string.h>

struct numbers {
	uint64_t p, n, lg, q, k, r;
};

static struct numbers numbers_of(uint32_t p, uint64_t n)
{
	struct numbers f = { .p = p, .n = n, .lg = mpi_ceil_log2(p), .k = mpi_floor_log2(p) };
	f.q = UINT64_C(1) << f.k;
	f.r = p - f.q;
	return f;
}

/* Of the binomial gather of Rabenseifner's reduce, to rank 0: MPICH's blocks, the first n mod q of them a byte longer.
 */
static uint64_t gathered_mpich(const struct numbers *f)
{
	uint64_t sum = 0;
	for (uint64_t v = 1; v < f->q; v++) { /* v bits from above: gives its lowest-bit subtree's blocks */
		uint64_t low = v & -v;
		for (uint64_t b = v; b < v + low; b++)
			sum += f->n / f->q + (b < f->n % f->q);
	}
	return sum;
}

static uint64_t halves(uint64_t n, uint64_t k) /* Open MPI: all of n's halves but the first, each level given once */
{
	return k == 0 ? 0 : n - n / 2 + halves(n / 2, k - 1) + halves(n - n / 2, k - 1);
}

static uint64_t below_sum(uint64_t p) /* sum over v of min(low(v), p - v) */
{
	uint64_t sum = 0;
	for (uint64_t v = 1; v < p; v++)
		sum += (v & -v) < p - v ? (v & -v) : p - v;
	return sum;
}

static uint64_t set_bits(uint64_t p)
{
	uint64_t sum = 0;
	for (uint64_t v = 0; v < p; v++)
		sum += (uint64_t)__builtin_popcountll(v);
	return sum;
}

/* The scatter before an allgather: E messages of B bytes. */
static void chunks(const struct numbers *f, uint64_t *e, uint64_t *b)
{
	uint64_t s = (f->n + f->p - 1) / f->p;
	*e = *b = 0;
	for (uint64_t v = 1; v < f->p; v++) {
		uint64_t end = (v + (v & -v)) * s < f->n ? (v + (v & -v)) * s : f->n;
		*e += end > v * s;
		*b += end > v * s ? end - v * s : 0;
	}
}

static void expect(enum mpi_op op, enum mpi_algorithm a, const struct numbers *f, uint64_t messages, uint64_t bytes)
{
	struct mpi_choices choices = { .preset = WL_MPI_BASIC };
	struct mpi_collective c = {
		.op = op, .ranks = (uint32_t)f->p, .bytes = f->n, .element = 1, .choices = &choices
	};
	choices.fixed[op] = a;
	struct counted found = count_collective(&c);
	cr_expect(found.messages == messages && found.bytes == bytes,
	          "%s %s of %llu on %llu: %llu messages, %llu bytes; expected %llu, %llu", mpi_op_name(op),
	          mpi_algorithm_name(a), (unsigned long long)f->n, (unsigned long long)f->p,
	          (unsigned long long)found.messages, (unsigned long long)found.bytes, (unsigned long long)messages,
	          (unsigned long long)bytes);
}

static void whole_vectors(const struct numbers *f)
{
	uint64_t p = f->p, n = f->n, q = f->q, k = f->k, r = f->r, e, b;
	static const enum mpi_algorithm trees[] = { WL_ALG_LINEAR, WL_ALG_CHAIN,    WL_ALG_PIPELINE,
		                                    WL_ALG_BINARY, WL_ALG_BINOMIAL, WL_ALG_KNOMIAL };
	for (size_t i = 0; i < 6; i++) {
		expect(WL_MPI_BCAST, trees[i], f, p - 1, (p - 1) * n);
		if (trees[i] != WL_ALG_KNOMIAL)
			expect(WL_MPI_REDUCE, trees[i], f, p - 1, (p - 1) * n);
	}
	expect(WL_MPI_BCAST, WL_ALG_BINOMIAL_OPENMPI, f, p - 1, (p - 1) * n);
	expect(WL_MPI_BCAST, WL_ALG_SPLIT_BINARY, f, 2 * (p - 1), (p - 1) * n);
	chunks(f, &e, &b);
	expect(WL_MPI_BCAST, WL_ALG_SCATTER_RING, f, e + p * (p - 1), b + (p - 1) * n);
	if (r == 0)
		expect(WL_MPI_BCAST, WL_ALG_SCATTER_RECURSIVE_DOUBLING, f, e + p * f->lg, b + (p - 1) * n);
	expect(WL_MPI_REDUCE, WL_ALG_IN_ORDER_BINARY, f, p, p * n); /* the root is rank 0 */
	expect(WL_MPI_ALLREDUCE, WL_ALG_RECURSIVE_DOUBLING, f, q * k + 2 * r, (q * k + 2 * r) * n);
	expect(WL_MPI_ALLREDUCE, WL_ALG_LINEAR, f, 2 * (p - 1), 2 * (p - 1) * n);
	expect(WL_MPI_ALLREDUCE, WL_ALG_COMPOSED, f, 2 * (p - 1), 2 * (p - 1) * n);
	if (n >= p)
		expect(WL_MPI_ALLREDUCE, WL_ALG_RING, f, 2 * p * (p - 1), 2 * (p - 1) * n);
	if (n < q)
		return;
	expect(WL_MPI_ALLREDUCE, WL_ALG_RABENSEIFNER_MPICH, f, 2 * q * k + 2 * r, 2 * (q - 1) * n + 2 * r * n);
	expect(WL_MPI_ALLREDUCE, WL_ALG_RABENSEIFNER_OPENMPI, f, 2 * q * k + 4 * r,
	       2 * (q - 1) * n + r * (3 * n - n / 2));
	expect(WL_MPI_REDUCE, WL_ALG_RABENSEIFNER_MPICH, f, q * k + (q - 1) + r,
	       (q - 1) * n + gathered_mpich(f) + r * n);
	expect(WL_MPI_REDUCE, WL_ALG_RABENSEIFNER_OPENMPI, f, q * k + (q - 1) + 3 * r,
	       (q - 1) * n + halves(n, k) + r * (2 * n - n / 2));
}

static void blocks(const struct numbers *f)
{
	uint64_t p = f->p, n = f->n, q = f->q, k = f->k, r = f->r;
	expect(WL_MPI_ALLTOALL, WL_ALG_PAIRWISE, f, p * (p - 1), p * (p - 1) * n);
	expect(WL_MPI_ALLTOALL, WL_ALG_PAIRWISE_XOR, f, p * (p - 1), p * (p - 1) * n);
	expect(WL_MPI_ALLTOALL, WL_ALG_LINEAR, f, p * (p - 1), p * (p - 1) * n);
	expect(WL_MPI_ALLTOALL, WL_ALG_SCATTERED, f, p * (p - 1) + p, p * p * n); /* p to oneself */
	expect(WL_MPI_ALLTOALL, WL_ALG_BRUCK, f, p * f->lg, p * n * set_bits(p));
	expect(WL_MPI_ALLGATHER, WL_ALG_RING, f, p * (p - 1), p * (p - 1) * n);
	expect(WL_MPI_ALLGATHER, WL_ALG_BRUCK, f, p * f->lg, p * (p - 1) * n);
	expect(WL_MPI_ALLGATHER, WL_ALG_RECURSIVE_DOUBLING, f, p * f->lg, p * (p - 1) * n);
	expect(WL_MPI_ALLGATHER, WL_ALG_NEIGHBOR, f, p % 2 ? p * (p - 1) : p * p / 2, p * (p - 1) * n);
	expect(WL_MPI_GATHER, WL_ALG_BINOMIAL, f, p - 1, n * below_sum(p));
	expect(WL_MPI_SCATTER, WL_ALG_BINOMIAL, f, p - 1, n * below_sum(p));
	expect(WL_MPI_GATHER, WL_ALG_LINEAR, f, p - 1, (p - 1) * n);
	expect(WL_MPI_SCATTER, WL_ALG_LINEAR, f, p - 1, (p - 1) * n);
	expect(WL_MPI_SCATTER, WL_ALG_LINEAR_NB, f, p - 1, (p - 1) * n);
	expect(WL_MPI_GATHER, WL_ALG_LINEAR_SYNC, f, 3 * (p - 1), (p - 1) * n);
	expect(WL_MPI_REDUCE_SCATTER, WL_ALG_PAIRWISE, f, p * (p - 1), p * (p - 1) * n);
	expect(WL_MPI_REDUCE_SCATTER, WL_ALG_RING, f, p * (p - 1), p * (p - 1) * n);
	expect(WL_MPI_REDUCE_SCATTER, WL_ALG_RECURSIVE_HALVING, f, q * k + 2 * r, (q - 1) * p * n + r * p * n + r * n);
	expect(WL_MPI_REDUCE_SCATTER, WL_ALG_COMPOSED, f, 2 * (p - 1), (p - 1) * p * n + (p - 1) * n);
	if (r == 0) /* (p - 1) n a rank, in k messages */
		expect(WL_MPI_REDUCE_SCATTER, WL_ALG_NONCOMMUTATIVE, f, p * k, p * (p - 1) * n);
}

static void chains(const struct numbers *f)
{
	uint64_t p = f->p, pairs = 0;
	for (uint64_t i = 0; i < p; i++)
		for (uint64_t bit = 1; bit < p; bit *= 2)
			pairs += (i ^ bit) < p;
	for (enum mpi_op op = WL_MPI_SCAN; op <= WL_MPI_EXSCAN; op++) {
		expect(op, WL_ALG_RECURSIVE_DOUBLING, f, pairs, pairs * f->n);
		expect(op, WL_ALG_LINEAR, f, p - 1, (p - 1) * f->n);
	}
	expect(WL_MPI_BARRIER, WL_ALG_DISSEMINATION, f, p * f->lg, 0);
	expect(WL_MPI_BARRIER, WL_ALG_RECURSIVE_DOUBLING, f, f->q * f->k + 2 * f->r, 0);
	expect(WL_MPI_BARRIER, WL_ALG_DOUBLE_RING, f, 2 * p, 0);
	expect(WL_MPI_BARRIER, WL_ALG_LINEAR, f, 2 * (p - 1), 0);
	expect(WL_MPI_BARRIER, WL_ALG_TREE, f, 2 * (p - 1), 0);
}

Test(mpi_collectives, closed_forms)
{
	static const uint64_t sizes[] = { 7, 1000 };
	for (uint32_t p = 2; p <= 67; p++)
		for (size_t i = 0; i < 2; i++) {
			struct numbers f = numbers_of(p, sizes[i]);
			whole_vectors(&f);
			blocks(&f);
			chains(&f);
		}
}

/* Every algorithm of every collective, with a root in the middle and at the end. */
Test(mpi_collectives, come_to_an_end)
{
	char what[96];
	for (enum mpi_op op = WL_MPI_BARRIER; op <= WL_MPI_EXSCAN; op++)
		for (enum mpi_algorithm a = WL_ALG_AUTO + 1; a < WL_ALGORITHMS; a++) {
			bool unequal = op == WL_MPI_GATHERV || op == WL_MPI_SCATTERV;
			if (!mpi_algorithm_does(op, a) || unequal)
				continue;
			for (uint32_t p = 1; p <= 35; p++)
				for (uint32_t root = 0; root<p; root += p> 6 ? p - 1 - p / 3 : 1) {
					struct mpi_choices choices = { .preset = WL_MPI_OPENMPI_4_1 };
					struct mpi_collective c = { .op = op,
						                    .ranks = p,
						                    .root = root,
						                    .bytes = 136,
						                    .element = 4,
						                    .choices = &choices };
					choices.fixed[op] = a;
					struct counted all = count_collective(&c);
					uint64_t messages, bytes;
					struct mpi_plan plan;
					mpi_plan_make(&plan, &c);
					mpi_plan_count(&plan, 0, &messages, &bytes);
					if (p > 1 && a == WL_ALG_SCATTERED) { /* copies to oneself */
						messages += p;
						bytes += p * c.bytes;
					}
					cr_expect(messages == all.messages && bytes == all.bytes, "%s %s",
					          mpi_op_name(op), mpi_algorithm_name(a));
					snprintf(what, sizeof what, "%s %s, %u ranks, root %u", mpi_op_name(op),
					         mpi_algorithm_name(a), p, root);
					carry_out(&c, what);
				}
		}
}

/* Rounds that mpi_plan_peers() leaves out have no peer that it does not give. */
Test(mpi_collectives, peers)
{
	struct mpi_steps steps = { 0 };
	for (enum mpi_op op = WL_MPI_BARRIER; op <= WL_MPI_EXSCAN; op++)
		for (enum mpi_algorithm a = WL_ALG_AUTO + 1; a < WL_ALGORITHMS; a++)
			for (uint32_t p = 2; p <= 20 && mpi_algorithm_does(op, a); p++) {
				struct mpi_choices choices = { .preset = WL_MPI_MPICH_4_0 };
				struct mpi_collective c = {
					.op = op, .ranks = p, .bytes = 800, .element = 4, .choices = &choices
				};
				struct mpi_plan plan;
				choices.fixed[op] = a;
				mpi_plan_make(&plan, &c);
				for (uint32_t rank = 0; rank < p; rank++) {
					uint32_t peers = 0, all = 0;
					for (uint32_t i = 0; mpi_plan_peers(&plan, rank, i, &steps); i++)
						for (uint32_t k = 0; k < steps.n; k++)
							peers |= 1u << steps.v[k].peer;
					for (uint32_t i = 0; mpi_plan_round(&plan, rank, i, &steps); i++)
						for (uint32_t k = 0; k < steps.n; k++)
							all |= 1u << steps.v[k].peer;
					cr_expect_eq(peers, all, "%s %s", mpi_op_name(op), mpi_algorithm_name(a));
					if (mpi_plan_is_dense(&plan))
						cr_expect_eq(all | 1u << rank, (1u << p) - 1);
				}
			}
	free(steps.v);
}

/* Ranks contribute and get different amounts, some of them nothing; each rank's schedule is made from what it knows. */
static uint64_t of_rank(uint32_t i)
{
	return i * i % 7 * 8;
}

static struct counted count_v(enum mpi_op op, enum mpi_algorithm a, uint32_t p, uint32_t root, uint64_t received[])
{
	struct counted all = { 0 };
	struct mpi_choices choices = { .preset = WL_MPI_MPICH_4_0 };
	struct mpi_steps steps = { 0 };
	uint64_t counts[64], from[64];
	choices.fixed[op] = a;
	for (uint32_t rank = 0; rank < p; rank++) {
		struct mpi_collective c = { .op = op, .ranks = p, .root = root, .element = 8, .choices = &choices };
		struct mpi_plan plan;
		bool known = op != WL_MPI_GATHERV && op != WL_MPI_SCATTERV;
		for (uint32_t i = 0; i < p; i++) {
			counts[i] = op == WL_MPI_ALLTOALLV ? of_rank(rank + i) + i : of_rank(i);
			from[i] = of_rank(rank + i) + rank;
		}
		c.bytes = of_rank(rank);
		c.counts = known || rank == root ? counts : NULL;
		c.from_counts = op == WL_MPI_ALLTOALLV ? from : NULL;
		mpi_plan_make(&plan, &c);
		received[rank] = 0;
		for (uint32_t round = 0; mpi_plan_round(&plan, rank, round, &steps); round++)
			for (uint32_t i = 0; i < steps.n; i++) {
				all.messages += steps.v[i].send;
				all.bytes += steps.v[i].send ? steps.v[i].bytes : 0;
				received[rank] += steps.v[i].send ? 0 : steps.v[i].bytes;
			}
	}
	free(steps.v);
	return all;
}

Test(mpi_collectives, blocks_of_different_sizes)
{
	uint64_t received[64];
	for (uint32_t p = 2; p <= 40; p++) {
		uint64_t total = 0, others = 0, parts = 0;
		for (uint32_t i = 0; i < p; i++) {
			total += of_rank(i);
			others += i == 1 ? 0 : of_rank(i);
			parts += i != 1 && of_rank(i);
		}
		struct counted g = count_v(WL_MPI_GATHERV, WL_ALG_AUTO, p, 1, received);
		cr_expect(g.messages == parts && g.bytes == others && received[1] == others);
		struct counted s = count_v(WL_MPI_SCATTERV, WL_ALG_AUTO, p, 1, received);
		cr_expect(s.messages == parts && s.bytes == others && received[0] == of_rank(0));
		for (enum mpi_algorithm a = 0; a < WL_ALGORITHMS; a++) {
			if (!mpi_algorithm_does(WL_MPI_ALLGATHERV, a) || a == WL_ALG_COMPOSED)
				continue;
			struct counted all = count_v(WL_MPI_ALLGATHERV, a, p, 0, received);
			cr_expect_eq(all.bytes, (p - 1) * total, "%s, %u", mpi_algorithm_name(a), p);
			for (uint32_t i = 0; i < p; i++)
				cr_expect_eq(received[i], total - of_rank(i), "%s, %u of %u", mpi_algorithm_name(a), i,
				             p);
		}
		struct counted x = count_v(WL_MPI_ALLTOALLV, WL_ALG_PAIRWISE, p, 0, received);
		uint64_t sum = 0;
		for (uint32_t i = 0; i < p; i++)
			for (uint32_t j = 0; j < p; j++)
				sum += i == j ? 0 : of_rank(i + j) + j;
		cr_expect(x.bytes == sum && x.messages == p * (p - 1));
		cr_expect_eq(count_v(WL_MPI_ALLTOALLV, WL_ALG_LINEAR, p, 0, received).bytes, sum);
		struct counted h = count_v(WL_MPI_REDUCE_SCATTER, WL_ALG_PAIRWISE, p, 0, received);
		cr_expect_eq(h.bytes, (p - 1) * total);
	}
}

/* Rows of the reference's lists, at both sides of their bounds. */
static enum mpi_algorithm chosen(enum mpi_preset preset, enum mpi_op op, uint32_t p, uint64_t n, uint64_t element)
{
	struct mpi_choices choices = { .preset = preset };
	struct mpi_collective c = { .op = op, .ranks = p, .bytes = n, .element = element, .choices = &choices };
	return mpi_choose(&c);
}

Test(mpi_collectives, openmpi_chooses)
{
	enum mpi_preset o = WL_MPI_OPENMPI_4_1;
	cr_expect_eq(chosen(o, WL_MPI_ALLREDUCE, 100, 262143, 1), WL_ALG_RECURSIVE_DOUBLING);
	cr_expect_eq(chosen(o, WL_MPI_ALLREDUCE, 100, 262144, 1), WL_ALG_RABENSEIFNER_OPENMPI);
	cr_expect_eq(chosen(o, WL_MPI_ALLREDUCE, 128, 131071, 1), WL_ALG_COMPOSED);
	cr_expect_eq(chosen(o, WL_MPI_ALLREDUCE, 5000, 16383, 1), WL_ALG_RING);
	cr_expect_eq(chosen(o, WL_MPI_ALLTOALL, 31, 511, 1), WL_ALG_BRUCK);
	cr_expect_eq(chosen(o, WL_MPI_ALLTOALL, 31, 512, 1), WL_ALG_LINEAR_SYNC);
	cr_expect_eq(chosen(o, WL_MPI_ALLTOALL, 200, 262144, 1), WL_ALG_PAIRWISE);
	cr_expect_eq(chosen(o, WL_MPI_BCAST, 16, 1048576, 1), WL_ALG_SCATTER_RECURSIVE_DOUBLING);
	cr_expect_eq(chosen(o, WL_MPI_BCAST, 300, 16384, 1), WL_ALG_SPLIT_BINARY);
	cr_expect_eq(chosen(o, WL_MPI_BCAST, 63, 2047, 1), WL_ALG_BINOMIAL_OPENMPI);
	cr_expect_eq(chosen(o, WL_MPI_BARRIER, 300, 0, 1), WL_ALG_TREE);
	cr_expect_eq(chosen(o, WL_MPI_BARRIER, 100, 0, 1), WL_ALG_DISSEMINATION);
	cr_expect_eq(chosen(o, WL_MPI_REDUCE, 300, 8192, 1), WL_ALG_IN_ORDER_BINARY);
	cr_expect_eq(chosen(o, WL_MPI_REDUCE_SCATTER, 64, 6, 1), WL_ALG_RECURSIVE_HALVING); /* 384 B of all */
	cr_expect_eq(chosen(o, WL_MPI_ALLGATHER, 64, 511, 1), WL_ALG_RECURSIVE_DOUBLING);
	cr_expect_eq(chosen(o, WL_MPI_ALLGATHER, 63, 65536, 1), WL_ALG_RING);
	cr_expect_eq(chosen(o, WL_MPI_ALLGATHER, 66, 65535, 1), WL_ALG_NEIGHBOR);
	cr_expect_eq(chosen(o, WL_MPI_SCATTER, 16, 32768, 1), WL_ALG_LINEAR_NB);
	cr_expect_eq(chosen(o, WL_MPI_GATHER, 300, 2048, 1), WL_ALG_LINEAR);
	cr_expect_eq(chosen(o, WL_MPI_GATHERV, 300, 2048, 1), WL_ALG_LINEAR);
}

Test(mpi_collectives, mpich_chooses)
{
	enum mpi_preset m = WL_MPI_MPICH_4_0;
	cr_expect_eq(chosen(m, WL_MPI_ALLREDUCE, 64, 8, 1), WL_ALG_RECURSIVE_DOUBLING);
	cr_expect_eq(chosen(m, WL_MPI_ALLREDUCE, 64, 248, 4), WL_ALG_RECURSIVE_DOUBLING); /* 62 elements */
	cr_expect_eq(chosen(m, WL_MPI_ALLREDUCE, 64, 256, 4), WL_ALG_RABENSEIFNER_MPICH);
	cr_expect_eq(chosen(m, WL_MPI_REDUCE, 64, 2048, 4), WL_ALG_BINOMIAL);
	cr_expect_eq(chosen(m, WL_MPI_REDUCE, 64, 2052, 4), WL_ALG_RABENSEIFNER_MPICH);
	cr_expect_eq(chosen(m, WL_MPI_BCAST, 7, 1000000, 1), WL_ALG_BINOMIAL);
	cr_expect_eq(chosen(m, WL_MPI_BCAST, 64, 12288, 1), WL_ALG_BINOMIAL);
	cr_expect_eq(chosen(m, WL_MPI_BCAST, 64, 12289, 1), WL_ALG_SCATTER_RECURSIVE_DOUBLING);
	cr_expect_eq(chosen(m, WL_MPI_BCAST, 65, 12289, 1), WL_ALG_SCATTER_RING);
	cr_expect_eq(chosen(m, WL_MPI_BCAST, 64, 524289, 1), WL_ALG_SCATTER_RING);
	cr_expect_eq(chosen(m, WL_MPI_ALLGATHER, 64, 8191, 1), WL_ALG_RECURSIVE_DOUBLING);
	cr_expect_eq(chosen(m, WL_MPI_ALLGATHER, 64, 8192, 1), WL_ALG_RING);
	cr_expect_eq(chosen(m, WL_MPI_ALLGATHER, 80, 1023, 1), WL_ALG_BRUCK);
	cr_expect_eq(chosen(m, WL_MPI_ALLGATHER, 80, 1024, 1), WL_ALG_RING);
	cr_expect_eq(chosen(m, WL_MPI_ALLTOALL, 8, 256, 1), WL_ALG_SCATTERED);
	cr_expect_eq(chosen(m, WL_MPI_ALLTOALL, 9, 256, 1), WL_ALG_BRUCK);
	cr_expect_eq(chosen(m, WL_MPI_ALLTOALL, 9, 32769, 1), WL_ALG_PAIRWISE_XOR);
	cr_expect_eq(chosen(m, WL_MPI_REDUCE_SCATTER, 64, 8191, 1), WL_ALG_RECURSIVE_HALVING);
	cr_expect_eq(chosen(m, WL_MPI_REDUCE_SCATTER, 64, 8192, 1), WL_ALG_PAIRWISE);
	cr_expect_eq(chosen(m, WL_MPI_BARRIER, 64, 0, 1), WL_ALG_DISSEMINATION);
}

Test(mpi_collectives, names)
{
	for (enum mpi_algorithm a = 0; a < WL_ALGORITHMS; a++)
		cr_expect_eq(mpi_algorithm_find(mpi_algorithm_name(a)), a);
	for (enum mpi_preset p = 0; p < WL_MPI_PRESETS; p++)
		cr_expect_eq(mpi_preset_find(mpi_preset_name(p)), p);
	cr_expect_eq(mpi_algorithm_find("rabenseifner"), WL_ALGORITHMS);
	for (enum mpi_op op = 0; op < WL_MPI_OPS; op++)
		cr_expect(mpi_op_name(op) && mpi_op_name(op)[0]);
}

/* tests/workload/test_mpi_measured.c - collectives against messages and bytes counted inside Open MPI 4.1.4 and
 * MPICH 4.0.2 (tests/data/mpi_collectives.csv, copied from the reference; all ranks, and the most of one rank). */
#include "tests/workload/mpi_schedule.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *measured;
	enum mpi_algorithm openmpi, mpich;
} names[] = {
	{ "basic_linear", WL_ALG_LINEAR, WL_ALG_LINEAR },
	{ "linear", WL_ALG_LINEAR, WL_ALG_LINEAR },
	{ "linear_nb", WL_ALG_LINEAR_NB, 0 },
	{ "linear_sync", WL_ALG_LINEAR_SYNC, 0 },
	{ "nonoverlapping", WL_ALG_COMPOSED, 0 },
	{ "non-overlapping", WL_ALG_COMPOSED, 0 },
	{ "recursive_doubling", WL_ALG_RECURSIVE_DOUBLING, WL_ALG_RECURSIVE_DOUBLING },
	{ "ring", WL_ALG_RING, WL_ALG_RING },
	{ "ring(fallback)", WL_ALG_NEIGHBOR, 0 },
	{ "rabenseifner", WL_ALG_RABENSEIFNER_OPENMPI, 0 },
	{ "reduce_scatter_allgather", 0, WL_ALG_RABENSEIFNER_MPICH },
	{ "reduce_scatter_gather", 0, WL_ALG_RABENSEIFNER_MPICH },
	{ "pairwise", WL_ALG_PAIRWISE, WL_ALG_PAIRWISE },
	{ "modified_bruck", WL_ALG_BRUCK, 0 },
	{ "brucks", 0, WL_ALG_BRUCK },
	{ "bruck", WL_ALG_BRUCK, 0 },
	{ "bruck(fallback)", WL_ALG_RECURSIVE_DOUBLING, 0 },
	{ "brucks(fallback)", 0, WL_ALG_RECURSIVE_DOUBLING },
	{ "scattered", 0, WL_ALG_SCATTERED },
	{ "neighbor", WL_ALG_NEIGHBOR, 0 },
	{ "chain", WL_ALG_CHAIN, 0 },
	{ "pipeline", WL_ALG_PIPELINE, 0 },
	{ "split_binary_tree", WL_ALG_SPLIT_BINARY, 0 },
	{ "binary_tree", WL_ALG_BINARY, 0 },
	{ "binary", WL_ALG_BINARY, 0 },
	{ "in-order_binary", WL_ALG_IN_ORDER_BINARY, 0 },
	{ "binomial", WL_ALG_BINOMIAL, WL_ALG_BINOMIAL },
	{ "knomial", WL_ALG_KNOMIAL, 0 },
	{ "scatter_allgather", WL_ALG_SCATTER_RECURSIVE_DOUBLING, 0 },
	{ "scatter_recursive_doubling_allgather", 0, WL_ALG_SCATTER_RECURSIVE_DOUBLING },
	{ "scatter_allgather_ring", WL_ALG_SCATTER_RING, 0 },
	{ "scatter_ring_allgather", 0, WL_ALG_SCATTER_RING },
	{ "recursive_halving", WL_ALG_RECURSIVE_HALVING, WL_ALG_RECURSIVE_HALVING },
	{ "butterfly", WL_ALG_BUTTERFLY, 0 },
	{ "double_ring", WL_ALG_DOUBLE_RING, 0 },
	{ "tree", WL_ALG_TREE, 0 },
	{ "dissemination", 0, WL_ALG_DISSEMINATION },
};

static const struct {
	const char *measured;
	enum mpi_op op;
} ops[] = {
	{ "barrier", WL_MPI_BARRIER },     { "bcast", WL_MPI_BCAST },       { "reduce", WL_MPI_REDUCE },
	{ "allreduce", WL_MPI_ALLREDUCE }, { "gather", WL_MPI_GATHER },     { "scatter", WL_MPI_SCATTER },
	{ "allgather", WL_MPI_ALLGATHER }, { "alltoall", WL_MPI_ALLTOALL }, { "redscat", WL_MPI_REDUCE_SCATTER },
	{ "scan", WL_MPI_SCAN },           { "exscan", WL_MPI_EXSCAN },
};

/* Dissemination is "bruck" among the barriers of Open MPI, a gather and a bcast "linear" among its allgathers. */
static enum mpi_algorithm algorithm_of(const char *name, enum mpi_op op, bool openmpi)
{
	if (!strcmp(name, "auto"))
		return WL_ALG_AUTO;
	if (op == WL_MPI_BARRIER && !strcmp(name, "bruck"))
		return WL_ALG_DISSEMINATION;
	if (op == WL_MPI_ALLGATHER && !strcmp(name, "linear"))
		return WL_ALG_COMPOSED;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i].measured, name))
			return openmpi ? names[i].openmpi : names[i].mpich;
	cr_assert_fail("algorithm %s", name);
	return WL_ALG_AUTO;
}

static enum mpi_op op_of(const char *name)
{
	for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
		if (!strcmp(ops[i].measured, name))
			return ops[i].op;
	cr_assert_fail("collective %s", name);
	return WL_MPI_OPS;
}

/* Open MPI 4.1.4, coll_base_bcast.c: both scatters send the whole vector from the root to each rank where there are
 * fewer elements than ranks: (p - 1) messages of n bytes, all of one rank. MPICH's do not. */
Test(mpi_measured, a_scattered_bcast_of_few_elements)
{
	static const enum mpi_algorithm scatters[] = { WL_ALG_SCATTER_RING, WL_ALG_SCATTER_RECURSIVE_DOUBLING };
	for (int a = 0; a < 2; a++)
		for (unsigned ranks = 3; ranks <= 12; ranks++)
			for (unsigned element = 1; element <= 8; element *= 8) {
				struct mpi_choices choices = { .preset = WL_MPI_OPENMPI_4_1 };
				struct mpi_collective c = { .op = WL_MPI_BCAST,
					                    .ranks = ranks,
					                    .bytes = (ranks - 1) * element,
					                    .element = element,
					                    .choices = &choices };
				choices.fixed[c.op] = scatters[a];
				struct counted found = count_collective(&c);
				cr_expect(found.messages == ranks - 1 && found.bytes == (ranks - 1) * c.bytes &&
				              found.most_messages == ranks - 1 && found.most_bytes == found.bytes,
				          "%u ranks, elements of %u: %llu, %llu", ranks, element,
				          (unsigned long long)found.messages, (unsigned long long)found.bytes);
				c.bytes = ranks * element;
				found = count_collective(&c);
				cr_expect_gt(found.messages, ranks - 1);
			}
}

/* coll_tuned_decision_fixed.c passes a fan-out of 0 to its chains, which coll_base_topo.c takes for 1: no rank sends
 * more than once, in a bcast of 128 KiB and a reduce of 512 KiB on 3 ranks, and of as much as chains are for on 5. */
Test(mpi_measured, a_chain_by_default_is_a_pipeline)
{
	static const struct {
		enum mpi_op op;
		unsigned ranks, bytes;
	} rows[] = { { WL_MPI_BCAST, 3, 131072 },
		     { WL_MPI_REDUCE, 3, 524288 },
		     { WL_MPI_BCAST, 5, 1048576 },
		     { WL_MPI_REDUCE, 5, 4096 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct mpi_choices choices = { .preset = WL_MPI_OPENMPI_4_1 };
		struct mpi_collective c = { .op = rows[i].op,
			                    .ranks = rows[i].ranks,
			                    .bytes = rows[i].bytes,
			                    .element = 1,
			                    .choices = &choices };
		struct counted found = count_collective(&c);
		cr_expect(found.messages == rows[i].ranks - 1 && found.most_messages == 1,
		          "row %zu: %llu, %llu of a rank", i, (unsigned long long)found.messages,
		          (unsigned long long)found.most_messages);
	}
}

Test(mpi_measured, every_row)
{
	FILE *in = fopen(TILEFLY_TEST_DATA "/mpi_collectives.csv", "r");
	char line[256], library[16], algorithm[64], collective[16];
	unsigned rows = 0, ranks;
	unsigned long long n, messages, bytes, most_messages, most_bytes;
	cr_assert(in && fgets(line, sizeof line, in));
	while (fgets(line, sizeof line, in)) {
		cr_assert_eq(sscanf(line, "%15[^,],%63[^,],%15[^,],%u,%llu,%llu,%llu,%llu,%llu", library, algorithm,
		                    collective, &ranks, &n, &messages, &bytes, &most_messages, &most_bytes),
		             9, "%s", line);
		bool openmpi = !strcmp(library, "ompi");
		struct mpi_choices choices = { .preset = openmpi ? WL_MPI_OPENMPI_4_1 : WL_MPI_MPICH_4_0 };
		struct mpi_collective c = {
			.op = op_of(collective), .ranks = ranks, .bytes = n, .element = 1, .choices = &choices
		};
		choices.fixed[c.op] = algorithm_of(algorithm, c.op, openmpi);
		struct counted found = count_collective(&c);
		cr_expect(found.messages == messages && found.bytes == bytes && found.most_messages == most_messages &&
		              found.most_bytes == most_bytes,
		          "%s-> %llu, %llu, %llu, %llu by %s", line, (unsigned long long)found.messages,
		          (unsigned long long)found.bytes, (unsigned long long)found.most_messages,
		          (unsigned long long)found.most_bytes, mpi_algorithm_name(mpi_choose(&c)));
		rows++;
	}
	fclose(in);
	cr_assert_eq(rows, 687);
}

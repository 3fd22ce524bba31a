/* workload/mpi/openmpi.c - the algorithms that Open MPI 4.1.4 selects: its tables of fixed decisions, by ranks and
 * bytes.
 *
 * The tables of scan, exscan, gatherv and scatterv have one entry, implemented by coll/basic. Where the library's
 * tables contain chain, these contain pipeline: decisions pass a fan-out of 0, which means 1; four chains are the
 * default only if the algorithm is forced. */
#include "workload/mpi/collective.h"

#define MOST_CHOICES 10u

struct openmpi_choice {
	uint32_t below; /* bytes; 0: any */
	enum mpi_algorithm algorithm;
};

struct row {
	uint32_t below; /* ranks; 0: any, the last row */
	struct openmpi_choice choice[MOST_CHOICES];
};

static const struct row allreduce_rows[] = {
	{ 4,
	  { { 8, WL_ALG_RING },
	    { 4096, WL_ALG_RECURSIVE_DOUBLING },
	    { 8192, WL_ALG_RING },
	    { 16384, WL_ALG_RECURSIVE_DOUBLING },
	    { 65536, WL_ALG_RING },
	    { 262144, WL_ALG_SEGMENTED_RING },
	    { 0, WL_ALG_RABENSEIFNER_OPENMPI } } },
	{ 8, { { 16, WL_ALG_RING }, { 8192, WL_ALG_RECURSIVE_DOUBLING }, { 0, WL_ALG_RABENSEIFNER_OPENMPI } } },
	{ 16, { { 8192, WL_ALG_RECURSIVE_DOUBLING }, { 0, WL_ALG_RABENSEIFNER_OPENMPI } } },
	{ 32,
	  { { 64, WL_ALG_SEGMENTED_RING }, { 4096, WL_ALG_RECURSIVE_DOUBLING }, { 0, WL_ALG_RABENSEIFNER_OPENMPI } } },
	{ 64, { { 128, WL_ALG_SEGMENTED_RING }, { 0, WL_ALG_RABENSEIFNER_OPENMPI } } },
	{ 128, { { 262144, WL_ALG_RECURSIVE_DOUBLING }, { 0, WL_ALG_RABENSEIFNER_OPENMPI } } },
	{ 256,
	  { { 131072, WL_ALG_COMPOSED }, { 262144, WL_ALG_RECURSIVE_DOUBLING }, { 0, WL_ALG_RABENSEIFNER_OPENMPI } } },
	{ 512, { { 4096, WL_ALG_COMPOSED }, { 0, WL_ALG_RABENSEIFNER_OPENMPI } } },
	{ 2048,
	  { { 2048, WL_ALG_COMPOSED }, { 16384, WL_ALG_RECURSIVE_DOUBLING }, { 0, WL_ALG_RABENSEIFNER_OPENMPI } } },
	{ 4096,
	  { { 2048, WL_ALG_COMPOSED },
	    { 4096, WL_ALG_SEGMENTED_RING },
	    { 16384, WL_ALG_RECURSIVE_DOUBLING },
	    { 0, WL_ALG_RABENSEIFNER_OPENMPI } } },
	{ 0,
	  { { 2048, WL_ALG_COMPOSED },
	    { 16384, WL_ALG_SEGMENTED_RING },
	    { 32768, WL_ALG_RECURSIVE_DOUBLING },
	    { 0, WL_ALG_RABENSEIFNER_OPENMPI } } },
};

static const struct row allreduce_ordered_rows[] = {
	{ 4, { { 131072, WL_ALG_RECURSIVE_DOUBLING }, { 0, WL_ALG_LINEAR } } },
	{ 8, { { 0, WL_ALG_RECURSIVE_DOUBLING } } },
	{ 16, { { 1048576, WL_ALG_RECURSIVE_DOUBLING }, { 0, WL_ALG_COMPOSED } } },
	{ 128, { { 0, WL_ALG_RECURSIVE_DOUBLING } } },
	{ 256, { { 131072, WL_ALG_COMPOSED }, { 524288, WL_ALG_RECURSIVE_DOUBLING }, { 0, WL_ALG_COMPOSED } } },
	{ 512, { { 4096, WL_ALG_COMPOSED }, { 524288, WL_ALG_RECURSIVE_DOUBLING }, { 0, WL_ALG_COMPOSED } } },
	{ 0, { { 2048, WL_ALG_COMPOSED }, { 0, WL_ALG_RECURSIVE_DOUBLING } } },
};

static const struct row alltoall_rows[] = {
	{ 3,
	  { { 2, WL_ALG_PAIRWISE },
	    { 4, WL_ALG_PAIRWISE },
	    { 16, WL_ALG_PAIRWISE },
	    { 64, WL_ALG_PAIRWISE },
	    { 256, WL_ALG_PAIRWISE },
	    { 4096, WL_ALG_PAIRWISE },
	    { 32768, WL_ALG_PAIRWISE },
	    { 262144, WL_ALG_LINEAR_SYNC },
	    { 1048576, WL_ALG_PAIRWISE },
	    { 0, WL_ALG_PAIRWISE } } },
	{ 8,
	  { { 8192, WL_ALG_LINEAR_SYNC },
	    { 16384, WL_ALG_LINEAR },
	    { 65536, WL_ALG_LINEAR_SYNC },
	    { 524288, WL_ALG_LINEAR },
	    { 1048576, WL_ALG_PAIRWISE },
	    { 0, WL_ALG_LINEAR } } },
	{ 16, { { 262144, WL_ALG_LINEAR_SYNC }, { 0, WL_ALG_LINEAR } } },
	{ 32,
	  { { 4, WL_ALG_LINEAR_SYNC },
	    { 512, WL_ALG_BRUCK },
	    { 8192, WL_ALG_LINEAR_SYNC },
	    { 32768, WL_ALG_LINEAR },
	    { 262144, WL_ALG_LINEAR_SYNC },
	    { 524288, WL_ALG_LINEAR },
	    { 0, WL_ALG_LINEAR_SYNC } } },
	{ 64, { { 512, WL_ALG_BRUCK }, { 524288, WL_ALG_LINEAR }, { 0, WL_ALG_LINEAR_SYNC } } },
	{ 128,
	  { { 1024, WL_ALG_BRUCK },
	    { 2048, WL_ALG_LINEAR },
	    { 4096, WL_ALG_LINEAR_SYNC },
	    { 262144, WL_ALG_LINEAR },
	    { 0, WL_ALG_PAIRWISE } } },
	{ 256,
	  { { 1024, WL_ALG_BRUCK }, { 2048, WL_ALG_LINEAR_SYNC }, { 262144, WL_ALG_LINEAR }, { 0, WL_ALG_PAIRWISE } } },
	{ 512,
	  { { 1024, WL_ALG_BRUCK }, { 8192, WL_ALG_LINEAR_SYNC }, { 32768, WL_ALG_LINEAR }, { 0, WL_ALG_PAIRWISE } } },
	{ 1024,
	  { { 512, WL_ALG_BRUCK },
	    { 8192, WL_ALG_LINEAR_SYNC },
	    { 16384, WL_ALG_LINEAR },
	    { 131072, WL_ALG_LINEAR_SYNC },
	    { 262144, WL_ALG_LINEAR },
	    { 0, WL_ALG_PAIRWISE } } },
	{ 2048,
	  { { 512, WL_ALG_BRUCK },
	    { 1024, WL_ALG_LINEAR_SYNC },
	    { 2048, WL_ALG_LINEAR },
	    { 16384, WL_ALG_LINEAR_SYNC },
	    { 262144, WL_ALG_LINEAR },
	    { 0, WL_ALG_LINEAR_SYNC } } },
	{ 4096,
	  { { 1024, WL_ALG_BRUCK },
	    { 4096, WL_ALG_LINEAR_SYNC },
	    { 8192, WL_ALG_LINEAR },
	    { 131072, WL_ALG_LINEAR_SYNC },
	    { 0, WL_ALG_LINEAR } } },
	{ 0,
	  { { 2048, WL_ALG_BRUCK },
	    { 8192, WL_ALG_LINEAR_SYNC },
	    { 16384, WL_ALG_LINEAR },
	    { 32768, WL_ALG_LINEAR_SYNC },
	    { 65536, WL_ALG_LINEAR },
	    { 0, WL_ALG_LINEAR_SYNC } } },
};

static const struct row alltoallv_rows[] = {
	{ 4, { { 0, WL_ALG_PAIRWISE } } }, { 64, { { 0, WL_ALG_LINEAR } } },     { 128, { { 0, WL_ALG_PAIRWISE } } },
	{ 256, { { 0, WL_ALG_LINEAR } } }, { 1024, { { 0, WL_ALG_PAIRWISE } } }, { 0, { { 0, WL_ALG_LINEAR } } },
};

static const struct row barrier_rows[] = {
	{ 4, { { 0, WL_ALG_RECURSIVE_DOUBLING } } },
	{ 8, { { 0, WL_ALG_LINEAR } } },
	{ 64, { { 0, WL_ALG_RECURSIVE_DOUBLING } } },
	{ 256, { { 0, WL_ALG_DISSEMINATION } } },
	{ 512, { { 0, WL_ALG_TREE } } },
	{ 1024, { { 0, WL_ALG_DISSEMINATION } } },
	{ 4096, { { 0, WL_ALG_TREE } } },
	{ 0, { { 0, WL_ALG_DISSEMINATION } } },
};

static const struct row bcast_rows[] = {
	{ 4,
	  { { 32, WL_ALG_PIPELINE },
	    { 256, WL_ALG_BINARY },
	    { 512, WL_ALG_PIPELINE },
	    { 1024, WL_ALG_KNOMIAL },
	    { 32768, WL_ALG_LINEAR },
	    { 131072, WL_ALG_BINARY },
	    { 262144, WL_ALG_PIPELINE },
	    { 524288, WL_ALG_LINEAR },
	    { 1048576, WL_ALG_BINOMIAL_OPENMPI },
	    { 0, WL_ALG_BINARY } } },
	{ 8,
	  { { 64, WL_ALG_BINARY },
	    { 128, WL_ALG_BINOMIAL_OPENMPI },
	    { 2048, WL_ALG_BINARY },
	    { 8192, WL_ALG_BINOMIAL_OPENMPI },
	    { 1048576, WL_ALG_LINEAR },
	    { 0, WL_ALG_PIPELINE } } },
	{ 16,
	  { { 8, WL_ALG_KNOMIAL },
	    { 64, WL_ALG_BINARY },
	    { 4096, WL_ALG_KNOMIAL },
	    { 16384, WL_ALG_BINARY },
	    { 32768, WL_ALG_BINOMIAL_OPENMPI },
	    { 0, WL_ALG_LINEAR } } },
	{ 32,
	  { { 4096, WL_ALG_KNOMIAL },
	    { 1048576, WL_ALG_BINOMIAL_OPENMPI },
	    { 0, WL_ALG_SCATTER_RECURSIVE_DOUBLING } } },
	{ 64, { { 2048, WL_ALG_BINOMIAL_OPENMPI }, { 0, WL_ALG_KNOMIAL } } },
	{ 128, { { 0, WL_ALG_KNOMIAL } } },
	{ 256,
	  { { 2, WL_ALG_BINOMIAL_OPENMPI },
	    { 16384, WL_ALG_BINARY },
	    { 32768, WL_ALG_LINEAR },
	    { 65536, WL_ALG_BINARY },
	    { 0, WL_ALG_KNOMIAL } } },
	{ 1024, { { 16384, WL_ALG_KNOMIAL }, { 32768, WL_ALG_SPLIT_BINARY }, { 0, WL_ALG_KNOMIAL } } },
	{ 2048, { { 524288, WL_ALG_KNOMIAL }, { 0, WL_ALG_SCATTER_RECURSIVE_DOUBLING } } },
	{ 4096, { { 262144, WL_ALG_KNOMIAL }, { 0, WL_ALG_SCATTER_RECURSIVE_DOUBLING } } },
	{ 0,
	  { { 8192, WL_ALG_KNOMIAL },
	    { 16384, WL_ALG_BINARY },
	    { 262144, WL_ALG_KNOMIAL },
	    { 0, WL_ALG_SCATTER_RECURSIVE_DOUBLING } } },
};

static const struct row reduce_rows[] = {
	{ 4,
	  { { 8, WL_ALG_RABENSEIFNER_OPENMPI },
	    { 16, WL_ALG_BINARY },
	    { 32, WL_ALG_PIPELINE },
	    { 262144, WL_ALG_LINEAR },
	    { 524288, WL_ALG_PIPELINE },
	    { 1048576, WL_ALG_PIPELINE },
	    { 0, WL_ALG_PIPELINE } } },
	{ 8,
	  { { 4096, WL_ALG_BINARY },
	    { 65536, WL_ALG_PIPELINE },
	    { 262144, WL_ALG_BINOMIAL },
	    { 524288, WL_ALG_LINEAR },
	    { 1048576, WL_ALG_BINOMIAL },
	    { 0, WL_ALG_LINEAR } } },
	{ 16, { { 8192, WL_ALG_BINARY }, { 0, WL_ALG_BINOMIAL } } },
	{ 32, { { 4096, WL_ALG_BINARY }, { 0, WL_ALG_BINOMIAL } } },
	{ 256, { { 0, WL_ALG_BINOMIAL } } },
	{ 512, { { 8192, WL_ALG_BINOMIAL }, { 16384, WL_ALG_IN_ORDER_BINARY }, { 0, WL_ALG_BINOMIAL } } },
	{ 2048, { { 0, WL_ALG_BINOMIAL } } },
	{ 4096,
	  { { 512, WL_ALG_BINOMIAL },
	    { 1024, WL_ALG_IN_ORDER_BINARY },
	    { 8192, WL_ALG_BINOMIAL },
	    { 16384, WL_ALG_IN_ORDER_BINARY },
	    { 0, WL_ALG_BINOMIAL } } },
	{ 0,
	  { { 16, WL_ALG_BINOMIAL },
	    { 32, WL_ALG_IN_ORDER_BINARY },
	    { 1024, WL_ALG_BINOMIAL },
	    { 2048, WL_ALG_IN_ORDER_BINARY },
	    { 8192, WL_ALG_BINOMIAL },
	    { 16384, WL_ALG_IN_ORDER_BINARY },
	    { 0, WL_ALG_BINOMIAL } } },
};

static const struct row reduce_ordered_rows[] = {
	{ 4, { { 8, WL_ALG_IN_ORDER_BINARY }, { 0, WL_ALG_LINEAR } } },
	{ 8, { { 0, WL_ALG_LINEAR } } },
	{ 16,
	  { { 1024, WL_ALG_IN_ORDER_BINARY },
	    { 8192, WL_ALG_LINEAR },
	    { 16384, WL_ALG_IN_ORDER_BINARY },
	    { 262144, WL_ALG_LINEAR },
	    { 0, WL_ALG_IN_ORDER_BINARY } } },
	{ 128, { { 0, WL_ALG_IN_ORDER_BINARY } } },
	{ 256, { { 512, WL_ALG_IN_ORDER_BINARY }, { 1024, WL_ALG_LINEAR }, { 0, WL_ALG_IN_ORDER_BINARY } } },
	{ 0, { { 0, WL_ALG_IN_ORDER_BINARY } } },
};

static const struct row reduce_scatter_rows[] = {
	{ 4, { { 65536, WL_ALG_RING }, { 131072, WL_ALG_BUTTERFLY }, { 0, WL_ALG_RING } } },
	{ 8, { { 8, WL_ALG_COMPOSED }, { 262144, WL_ALG_RECURSIVE_HALVING }, { 0, WL_ALG_RING } } },
	{ 32, { { 262144, WL_ALG_RECURSIVE_HALVING }, { 0, WL_ALG_RING } } },
	{ 64,
	  { { 64, WL_ALG_COMPOSED },
	    { 2048, WL_ALG_RECURSIVE_HALVING },
	    { 524288, WL_ALG_BUTTERFLY },
	    { 0, WL_ALG_RING } } },
	{ 128,
	  { { 256, WL_ALG_COMPOSED },
	    { 512, WL_ALG_RECURSIVE_HALVING },
	    { 2048, WL_ALG_BUTTERFLY },
	    { 4096, WL_ALG_RECURSIVE_HALVING },
	    { 0, WL_ALG_BUTTERFLY } } },
	{ 256, { { 256, WL_ALG_COMPOSED }, { 512, WL_ALG_RECURSIVE_HALVING }, { 0, WL_ALG_BUTTERFLY } } },
	{ 512, { { 256, WL_ALG_COMPOSED }, { 1024, WL_ALG_RECURSIVE_HALVING }, { 0, WL_ALG_BUTTERFLY } } },
	{ 1024,
	  { { 512, WL_ALG_COMPOSED },
	    { 2048, WL_ALG_RECURSIVE_HALVING },
	    { 8192, WL_ALG_BUTTERFLY },
	    { 16384, WL_ALG_RECURSIVE_HALVING },
	    { 0, WL_ALG_BUTTERFLY } } },
	{ 2048,
	  { { 512, WL_ALG_COMPOSED },
	    { 4096, WL_ALG_RECURSIVE_HALVING },
	    { 16384, WL_ALG_BUTTERFLY },
	    { 32768, WL_ALG_RECURSIVE_HALVING },
	    { 0, WL_ALG_BUTTERFLY } } },
	{ 4096, { { 512, WL_ALG_COMPOSED }, { 4096, WL_ALG_RECURSIVE_HALVING }, { 0, WL_ALG_BUTTERFLY } } },
	{ 0, { { 1024, WL_ALG_COMPOSED }, { 8192, WL_ALG_RECURSIVE_HALVING }, { 0, WL_ALG_BUTTERFLY } } },
};

static const struct row reduce_scatter_ordered_rows[] = {
	{ 0, { { 0, WL_ALG_COMPOSED } } },
};

static const struct row reduce_scatter_block_rows[] = {
	{ 4,
	  { { 4, WL_ALG_RECURSIVE_DOUBLING },
	    { 8, WL_ALG_BUTTERFLY },
	    { 16, WL_ALG_RECURSIVE_HALVING },
	    { 128, WL_ALG_BUTTERFLY },
	    { 256, WL_ALG_RECURSIVE_HALVING },
	    { 4096, WL_ALG_BUTTERFLY },
	    { 8192, WL_ALG_RECURSIVE_HALVING },
	    { 131072, WL_ALG_BUTTERFLY },
	    { 0, WL_ALG_COMPOSED } } },
	{ 8,
	  { { 8, WL_ALG_RECURSIVE_HALVING },
	    { 32, WL_ALG_RECURSIVE_DOUBLING },
	    { 256, WL_ALG_BUTTERFLY },
	    { 8192, WL_ALG_RECURSIVE_HALVING },
	    { 16384, WL_ALG_BUTTERFLY },
	    { 1048576, WL_ALG_RECURSIVE_HALVING },
	    { 0, WL_ALG_COMPOSED } } },
	{ 16,
	  { { 4, WL_ALG_COMPOSED },
	    { 32, WL_ALG_RECURSIVE_HALVING },
	    { 128, WL_ALG_BUTTERFLY },
	    { 524288, WL_ALG_RECURSIVE_HALVING },
	    { 4194304, WL_ALG_COMPOSED },
	    { 0, WL_ALG_BUTTERFLY } } },
	{ 32,
	  { { 32, WL_ALG_COMPOSED },
	    { 524288, WL_ALG_RECURSIVE_HALVING },
	    { 2097152, WL_ALG_COMPOSED },
	    { 4194304, WL_ALG_RECURSIVE_HALVING },
	    { 0, WL_ALG_BUTTERFLY } } },
	{ 0,
	  { { 4, WL_ALG_RECURSIVE_HALVING },
	    { 16, WL_ALG_COMPOSED },
	    { 65536, WL_ALG_BUTTERFLY },
	    { 262144, WL_ALG_COMPOSED },
	    { 0, WL_ALG_BUTTERFLY } } },
};

static const struct row reduce_scatter_block_ordered_rows[] = {
	{ 0, { { 0, WL_ALG_COMPOSED } } },
};

static const struct row allgather_rows[] = {
	{ 3, { { 0, WL_ALG_RECURSIVE_DOUBLING } } },
	{ 32, { { 0, WL_ALG_RECURSIVE_DOUBLING } } },
	{ 64, { { 1024, WL_ALG_RECURSIVE_DOUBLING }, { 65536, WL_ALG_NEIGHBOR }, { 0, WL_ALG_RING } } },
	{ 128, { { 512, WL_ALG_RECURSIVE_DOUBLING }, { 65536, WL_ALG_NEIGHBOR }, { 0, WL_ALG_RING } } },
	{ 256,
	  { { 512, WL_ALG_RECURSIVE_DOUBLING },
	    { 131072, WL_ALG_NEIGHBOR },
	    { 524288, WL_ALG_RING },
	    { 1048576, WL_ALG_NEIGHBOR },
	    { 0, WL_ALG_RING } } },
	{ 512,
	  { { 32, WL_ALG_RECURSIVE_DOUBLING },
	    { 128, WL_ALG_BRUCK },
	    { 1024, WL_ALG_RECURSIVE_DOUBLING },
	    { 131072, WL_ALG_NEIGHBOR },
	    { 524288, WL_ALG_RING },
	    { 1048576, WL_ALG_NEIGHBOR },
	    { 0, WL_ALG_RING } } },
	{ 1024,
	  { { 64, WL_ALG_RECURSIVE_DOUBLING },
	    { 256, WL_ALG_BRUCK },
	    { 2048, WL_ALG_RECURSIVE_DOUBLING },
	    { 0, WL_ALG_NEIGHBOR } } },
	{ 2048,
	  { { 4, WL_ALG_RECURSIVE_DOUBLING },
	    { 8, WL_ALG_BRUCK },
	    { 16, WL_ALG_RECURSIVE_DOUBLING },
	    { 32, WL_ALG_BRUCK },
	    { 256, WL_ALG_RECURSIVE_DOUBLING },
	    { 512, WL_ALG_BRUCK },
	    { 4096, WL_ALG_RECURSIVE_DOUBLING },
	    { 0, WL_ALG_NEIGHBOR } } },
	{ 4096,
	  { { 32, WL_ALG_BRUCK },
	    { 128, WL_ALG_RECURSIVE_DOUBLING },
	    { 512, WL_ALG_BRUCK },
	    { 4096, WL_ALG_RECURSIVE_DOUBLING },
	    { 0, WL_ALG_NEIGHBOR } } },
	{ 0,
	  { { 2, WL_ALG_RECURSIVE_DOUBLING },
	    { 8, WL_ALG_BRUCK },
	    { 16, WL_ALG_RECURSIVE_DOUBLING },
	    { 512, WL_ALG_BRUCK },
	    { 4096, WL_ALG_RECURSIVE_DOUBLING },
	    { 0, WL_ALG_NEIGHBOR } } },
};

static const struct row allgatherv_rows[] = {
	{ 3, { { 2048, WL_ALG_RING }, { 4096, WL_ALG_NEIGHBOR }, { 8192, WL_ALG_RING }, { 0, WL_ALG_NEIGHBOR } } },
	{ 8,
	  { { 256, WL_ALG_COMPOSED },
	    { 4096, WL_ALG_NEIGHBOR },
	    { 8192, WL_ALG_RING },
	    { 16384, WL_ALG_NEIGHBOR },
	    { 262144, WL_ALG_BRUCK },
	    { 0, WL_ALG_NEIGHBOR } } },
	{ 16, { { 1024, WL_ALG_COMPOSED }, { 0, WL_ALG_BRUCK } } },
	{ 32, { { 128, WL_ALG_COMPOSED }, { 262144, WL_ALG_BRUCK }, { 0, WL_ALG_RING } } },
	{ 64, { { 256, WL_ALG_COMPOSED }, { 8192, WL_ALG_BRUCK }, { 0, WL_ALG_RING } } },
	{ 128, { { 256, WL_ALG_COMPOSED }, { 4096, WL_ALG_BRUCK }, { 0, WL_ALG_RING } } },
	{ 256, { { 1024, WL_ALG_BRUCK }, { 65536, WL_ALG_NEIGHBOR }, { 0, WL_ALG_RING } } },
	{ 512, { { 1024, WL_ALG_BRUCK }, { 0, WL_ALG_RING } } },
	{ 1024,
	  { { 512, WL_ALG_BRUCK },
	    { 1024, WL_ALG_COMPOSED },
	    { 4096, WL_ALG_BRUCK },
	    { 1048576, WL_ALG_NEIGHBOR },
	    { 0, WL_ALG_RING } } },
	{ 0, { { 4096, WL_ALG_BRUCK }, { 0, WL_ALG_NEIGHBOR } } },
};

static const struct row gather_rows[] = {
	{ 4,
	  { { 2, WL_ALG_LINEAR_SYNC },
	    { 4, WL_ALG_LINEAR },
	    { 32768, WL_ALG_BINOMIAL },
	    { 65536, WL_ALG_LINEAR },
	    { 131072, WL_ALG_BINOMIAL },
	    { 0, WL_ALG_LINEAR_SYNC } } },
	{ 8,
	  { { 1024, WL_ALG_BINOMIAL },
	    { 8192, WL_ALG_LINEAR },
	    { 32768, WL_ALG_BINOMIAL },
	    { 262144, WL_ALG_LINEAR },
	    { 0, WL_ALG_LINEAR_SYNC } } },
	{ 256, { { 0, WL_ALG_BINOMIAL } } },
	{ 512, { { 2048, WL_ALG_BINOMIAL }, { 8192, WL_ALG_LINEAR }, { 0, WL_ALG_BINOMIAL } } },
	{ 0, { { 0, WL_ALG_BINOMIAL } } },
};

static const struct row scatter_rows[] = {
	{ 4,
	  { { 2, WL_ALG_LINEAR_NB }, { 131072, WL_ALG_LINEAR }, { 262144, WL_ALG_LINEAR_NB }, { 0, WL_ALG_LINEAR } } },
	{ 8,
	  { { 2048, WL_ALG_BINOMIAL },
	    { 4096, WL_ALG_LINEAR },
	    { 8192, WL_ALG_BINOMIAL },
	    { 32768, WL_ALG_LINEAR },
	    { 1048576, WL_ALG_LINEAR_NB },
	    { 0, WL_ALG_LINEAR } } },
	{ 16, { { 16384, WL_ALG_BINOMIAL }, { 1048576, WL_ALG_LINEAR_NB }, { 0, WL_ALG_LINEAR } } },
	{ 32, { { 16384, WL_ALG_BINOMIAL }, { 32768, WL_ALG_LINEAR }, { 0, WL_ALG_LINEAR_NB } } },
	{ 64,
	  { { 512, WL_ALG_BINOMIAL },
	    { 8192, WL_ALG_LINEAR_NB },
	    { 16384, WL_ALG_BINOMIAL },
	    { 0, WL_ALG_LINEAR_NB } } },
	{ 0, { { 512, WL_ALG_BINOMIAL }, { 0, WL_ALG_LINEAR_NB } } },
};

static const struct row linear_rows[] = { { 0, { { 0, WL_ALG_LINEAR } } } };

static const struct row *const rows[WL_MPI_OPS] = {
	[WL_MPI_ALLREDUCE] = allreduce_rows,
	[WL_MPI_ALLTOALL] = alltoall_rows,
	[WL_MPI_ALLTOALLV] = alltoallv_rows,
	[WL_MPI_BARRIER] = barrier_rows,
	[WL_MPI_BCAST] = bcast_rows,
	[WL_MPI_REDUCE] = reduce_rows,
	[WL_MPI_REDUCE_SCATTER] = reduce_scatter_rows,
	[WL_MPI_REDUCE_SCATTER_BLOCK] = reduce_scatter_block_rows,
	[WL_MPI_ALLGATHER] = allgather_rows,
	[WL_MPI_ALLGATHERV] = allgatherv_rows,
	[WL_MPI_GATHER] = gather_rows,
	[WL_MPI_SCATTER] = scatter_rows,
	[WL_MPI_GATHERV] = linear_rows,
	[WL_MPI_SCATTERV] = linear_rows,
	[WL_MPI_SCAN] = linear_rows,
	[WL_MPI_EXSCAN] = linear_rows,
};

/* Of operations that do not commute. */
static const struct row *const ordered_rows[WL_MPI_OPS] = {
	[WL_MPI_ALLREDUCE] = allreduce_ordered_rows,
	[WL_MPI_REDUCE] = reduce_ordered_rows,
	[WL_MPI_REDUCE_SCATTER] = reduce_scatter_ordered_rows,
	[WL_MPI_REDUCE_SCATTER_BLOCK] = reduce_scatter_block_ordered_rows,
};

/* The size that a table goes by: of the whole vector, of all shares, of the mean block, of one block. */
static uint64_t size_of_table(const struct mpi_collective *c)
{
	if (c->op == WL_MPI_REDUCE_SCATTER)
		return mpi_total_bytes(c);
	if (c->op == WL_MPI_ALLGATHERV)
		return mpi_total_bytes(c) / c->ranks;
	return c->bytes;
}

enum mpi_algorithm mpi_openmpi_choose(const struct mpi_collective *c)
{
	const struct row *row = c->not_commutative && ordered_rows[c->op] ? ordered_rows[c->op] : rows[c->op];
	uint64_t size = size_of_table(c);
	while (row->below && c->ranks >= row->below)
		row++;
	const struct openmpi_choice *choice = row->choice;
	while (choice->below && size >= choice->below)
		choice++;
	return choice->algorithm;
}

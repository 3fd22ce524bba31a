/* tests/mpi/mpi_tables.c - tables that the ranks of a host build together: what each reads is what all have built;
 * where one wants something else, or hnetworks as given up, each has its own and none waits. */
#include "tests/mpi/reference.h"

#include "sim/tables.h"

#define WORDS 50000u

static void fill(struct sim_table *t, uint64_t salt)
{
	uint64_t *v = t->v;
	for (uint32_t i = t->part; i < WORDS; i += t->parts)
		v[i] = i * salt;
}

static void check(const struct sim_table *t, uint64_t salt, const char *what)
{
	const uint64_t *v = t->v;
	for (uint32_t i = 0; i < WORDS; i++)
		if (v[i] != i * salt) {
			fprintf(stderr, "%s: word %u of rank %d is %llu\n", what, i, sim_rank(),
			        (unsigned long long)v[i]);
			sim_mpi_abort(1);
		}
}

static void expect(bool good, const char *what)
{
	if (!good) {
		fprintf(stderr, "%s: rank %d\n", what, sim_rank());
		sim_mpi_abort(1);
	}
}

/* All build the same two; `most` is that of all parts. */
static void same(void)
{
	struct sim_table a, b;
	uint64_t most[2] = { (uint64_t)sim_rank(), 7 };
	sim_tables_open();
	sim_table_begin(&a, WORDS * sizeof(uint64_t), 1);
	fill(&a, 3);
	sim_table_end(&a, most, 2);
	sim_table_begin(&b, WORDS * sizeof(uint64_t), 2);
	fill(&b, 5);
	sim_table_end(&b, NULL, 0);
	sim_tables_close();
	check(&a, 3, "same");
	check(&b, 5, "same");
	expect(a.shared == (sim_ranks() > 1), "is it shared?");
	expect(most[0] == (uint64_t)(sim_ranks() - 1) && most[1] == 7, "the greatest of all parts");
	expect(sim_tables_bytes() == 2 * WORDS * sizeof(uint64_t), "bytes that are seen");
	expect(sim_tables_elsewhere() == (sim_rank() ? sim_tables_bytes() : 0), "bytes that rank 0 counts");
	sim_table_free(&a);
	sim_table_free(&b);
	expect(sim_tables_bytes() == 0, "bytes after all");
}

/* The last rank has read something else, the first gives up after one table; what is built outside is everybody's own.
 */
static void different(void)
{
	struct sim_table a, b = { 0 };
	uint64_t salt = 3 + (sim_rank() == sim_ranks() - 1);
	sim_tables_open();
	sim_table_begin(&a, WORDS * sizeof(uint64_t), salt);
	fill(&a, salt);
	sim_table_end(&a, NULL, 0);
	if (sim_rank() > 0) {
		sim_table_begin(&b, WORDS * sizeof(uint64_t), 9);
		fill(&b, 9);
		sim_table_end(&b, NULL, 0);
	}
	sim_tables_close();
	check(&a, salt, "different");
	if (b.v)
		check(&b, 9, "one hnetworks as given up");
	expect(!a.shared && !b.shared, "each has its own");
	sim_table_free(&a);
	sim_table_free(&b);
	sim_table_begin(&a, WORDS * sizeof(uint64_t), 1);
	expect(!a.shared && a.parts == 1, "outside");
	sim_table_free(&a);
}

/* The first rank of a host makes two arrays for all. */
static void made_once(void)
{
	struct sim_table t;
	uint64_t *big = NULL, *small = NULL, said[2] = { 0 };
	sim_tables_open();
	enum sim_maker maker = sim_tables_maker();
	if (maker != SIM_WAITS) {
		big = malloc(WORDS * sizeof *big);
		small = malloc(3 * sizeof *small);
		for (uint32_t i = 0; big && small && i < WORDS; i++)
			big[i] = small[i % 3] = i * 11ull;
		said[1] = 42;
	}
	if (maker != SIM_MAKES_ITS_OWN) {
		sim_tables_say(said, 2);
		const struct sim_array both[] = { { (void **)(void *)&small, 3 * sizeof *small },
			                          { (void **)(void *)&big, WORDS * sizeof *big } };
		expect(sim_table_of_arrays(&t, both, 2, maker), "a table of arrays");
	}
	sim_tables_close();
	expect((maker == SIM_MAKES_ITS_OWN) == (sim_ranks() == 1), "who makes it");
	expect(said[0] == 0 && said[1] == 42, "what the maker says");
	for (uint32_t i = 0; i < WORDS; i++)
		expect(big[i] == i * 11ull, "the long array");
	expect(small[(WORDS - 1) % 3] == big[WORDS - 1], "the short array");
	if (maker == SIM_MAKES_ITS_OWN) {
		free(big);
		free(small);
	} else {
		sim_table_free(&t);
	}
}

int main(int argc, char **argv)
{
	if (sim_mpi_start(&argc, &argv))
		return 1;
	for (int i = 0; i < 3; i++) {
		same();
		different();
		made_once();
	}
	sim_mpi_stop();
	return 0;
}

/* tests/mpi/ties.h - schedules full of ties: equal times at several processors and interfaces, halo exchanges of 27
 * ranks whose operations all become ready together, messages of one size among a few ranks. */
#ifndef TESTS_MPI_TIES_H
#define TESTS_MPI_TIES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct ties {
	uint64_t state;
	char *text;
	FILE *out;
};

static uint32_t ties_draw(struct ties *t, uint32_t below)
{
	t->state = t->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(t->state >> 33) % below;
}

/* A rank of 3 x 3 x 3: what it exchanges with its 6 or 26 neighbours, in an order that is drawn, then a computation;
 * again and again. */
static void ties_halo_rank(struct ties *t, uint32_t rank, uint32_t neighbours, uint32_t iterations, uint32_t size,
                           uint32_t cpus, uint32_t nics)
{
	static const uint32_t faces[] = { 4, 10, 12, 14, 16, 22 }; /* of the 27 places around */
	uint32_t label = 0;
	for (uint32_t it = 0; it < iterations; it++) {
		uint32_t order[52], n = 2 * neighbours, first = label;
		for (uint32_t i = 0; i < n; i++) {
			uint32_t k = ties_draw(t, i + 1);
			order[i] = order[k];
			order[k] = i;
		}
		for (uint32_t i = 0; i < n; i++, label++) {
			uint32_t place = neighbours == 6 ? faces[order[i] / 2] : order[i] / 2 + (order[i] / 2 >= 13);
			uint32_t x = (rank % 3 + place % 3 + 2) % 3, y = (rank / 3 % 3 + place / 3 % 3 + 2) % 3,
				 z = (rank / 9 + place / 9 + 2) % 3;
			bool sends = order[i] % 2;
			fprintf(t->out, "l%u: %s %ub %s %u tag %u cpu %u nic %u\n", label, sends ? "send" : "recv",
			        size, sends ? "to" : "from", x + 3 * y + 9 * z, sends ? place : 26 - place,
			        label % cpus, label / 2 % nics);
			if (it)
				fprintf(t->out, "l%u requires l%u\n", label, first - 1);
		}
		fprintf(t->out, "l%u: calc %u cpu %u\n", label, 500 * ties_draw(t, 3), label % cpus);
		for (uint32_t i = first; i < label; i++)
			fprintf(t->out, "l%u requires l%u\n", label, i);
		label++;
	}
}

static void ties_halo(struct ties *t)
{
	static const uint32_t sizes[] = { 8, 1000, 4096, 70000 };
	uint32_t neighbours = ties_draw(t, 2) ? 26 : 6, iterations = 1 + ties_draw(t, 2), size = sizes[ties_draw(t, 4)],
		 cpus = 1 + ties_draw(t, 3), nics = 1 + ties_draw(t, 3);
	fprintf(t->out, "num_ranks 27\n");
	for (uint32_t r = 0; r < 27; r++) {
		fprintf(t->out, "rank %u {\n", r);
		ties_halo_rank(t, r, neighbours, iterations, size, cpus, nics);
		fprintf(t->out, "}\n");
	}
}

#define TIES_RANKS 8u

static void ties_mixed(struct ties *t)
{
	static const uint32_t sizes[] = { 1, 8, 1000, 20000, 70000 }, times[] = { 0, 0, 100, 1500, 2500 };
	char *lines[TIES_RANKS];
	size_t bytes[TIES_RANKS];
	FILE *out[TIES_RANKS];
	uint32_t count[TIES_RANKS] = { 0 }, n = 2 + ties_draw(t, TIES_RANKS - 1), most = 30 + ties_draw(t, 300),
		 size = sizes[ties_draw(t, 5)], cpus = 1 + ties_draw(t, 3), nics = 1 + ties_draw(t, 2);
	for (uint32_t r = 0; r < n; r++)
		out[r] = open_memstream(&lines[r], &bytes[r]);
	for (uint32_t k = 0; k < most; k++) {
		uint32_t a = ties_draw(t, n), b = (a + ties_draw(t, n)) % n;
		if (ties_draw(t, 3)) {
			fprintf(out[a], "l%u: send %ub to %u tag %u cpu %u nic %u\n", count[a]++, size, b, k % 2,
			        ties_draw(t, cpus), ties_draw(t, nics));
			fprintf(out[b], "l%u: recv %ub from %u tag %u cpu %u nic %u\n", count[b]++, size, a, k % 2,
			        ties_draw(t, cpus), ties_draw(t, nics));
		} else {
			fprintf(out[a], "l%u: calc %u cpu %u\n", count[a]++, times[ties_draw(t, 5)],
			        ties_draw(t, cpus));
		}
		if (count[a] > 1 && a != b && ties_draw(t, 2))
			fprintf(out[a], "l%u %srequires l%u\n", count[a] - 1, ties_draw(t, 3) ? "" : "i",
			        ties_draw(t, count[a] - 1));
	}
	fprintf(t->out, "num_ranks %u\n", n);
	for (uint32_t r = 0; r < n; r++) {
		fclose(out[r]);
		fprintf(t->out, "rank %u {\n%s}\n", r, lines[r]);
		free(lines[r]);
	}
}

/* A schedule's text; owned. Even numbers are halos. */
static char *ties_text(uint32_t number)
{
	size_t bytes;
	struct ties t = { .state = number * UINT64_C(0x9e3779b97f4a7c15) };
	t.out = open_memstream(&t.text, &bytes);
	ties_draw(&t, 1); /* the first depends on few bits */
	number % 2 ? ties_mixed(&t) : ties_halo(&t);
	fclose(t.out);
	return t.text;
}

#endif

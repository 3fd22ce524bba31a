/* sim/lines.c - see lines.h. The transfer of a cache line takes some 50 ns between cores that share a cache, and 200 ns
 * or more between other cores. */
#include "sim/lines.h"

#include "base/check.h"
#include "base/clock.h"

#include <sched.h>
#include <stdlib.h>

#define ROUNDS 40u
#define TURNS 50u            /* writes of each thread in a round */
#define PATIENCE_NS 20000000 /* timeout of the first */
#define LOOKS 1000u          /* polls between two looks at the clock, or two yields */

static int rising(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The second thread answers each odd number with the next even one, until the first ends. */
static void answer(struct sim_line *line)
{
	uint32_t wanted = 1;
	for (unsigned looks = 0; !atomic_load_explicit(&line->over, memory_order_acquire);) {
		if (atomic_load_explicit(&line->turn, memory_order_acquire) == wanted) {
			atomic_store_explicit(&line->turn, wanted + 1, memory_order_release);
			wanted += 2;
			looks = 0;
		} else if (++looks % LOOKS == 0) {
			sched_yield();
		}
	}
}

static bool ask(struct sim_line *line, uint32_t number, int64_t until)
{
	base_check(number % 2 == 1);
	atomic_store_explicit(&line->turn, number, memory_order_release);
	for (unsigned looks = 0; atomic_load_explicit(&line->turn, memory_order_acquire) == number;)
		if (++looks % LOOKS == 0 && base_nanoseconds() > until)
			return false;
	return true;
}

static double take_turns(struct sim_line *line)
{
	double round[ROUNDS];
	int64_t before = base_nanoseconds(), until = before + PATIENCE_NS;
	uint32_t number = 1;
	for (unsigned r = 0; r < ROUNDS; r++) {
		for (unsigned k = 0; k < TURNS; k++, number += 2)
			if (!ask(line, number, until))
				return 0;
		int64_t now = base_nanoseconds();
		round[r] = (double)(now - before) / (2 * TURNS);
		before = now;
	}
	base_check(number == 2 * ROUNDS * TURNS + 1);
	qsort(round, ROUNDS, sizeof *round, rising);
	return round[ROUNDS / 2];
}

double sim_line_ns(struct sim_line *line, bool first)
{
	if (!first) {
		answer(line);
		return 0;
	}
	double ns = take_turns(line);
	atomic_store_explicit(&line->over, 1, memory_order_release);
	return ns;
}

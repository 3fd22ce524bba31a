/* tests/switch/test_agenda.c - the tree of arbiters against a table of when each decides. */
#include "base/memory.h"
#include "sim/rng.h"
#include "switch/tiled/agenda.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static struct sim_ctx ctx; /* journal off */

static uint32_t draw(uint32_t n, uint32_t index)
{
	return sim_draw4(11, n, 0, SIM_DRAW_MODEL, index).v[0];
}

/* The first by (time, number) in the table; n: there is none. */
static uint32_t first_of(const uint64_t *when, uint32_t n)
{
	uint32_t best = n;
	for (uint32_t i = 0; i < n; i++)
		if (when[i] != SW_AGENDA_NEVER && (best == n || when[i] < when[best]))
			best = i;
	return best;
}

Test(agenda, the_earliest_comes_first_and_ties_by_number)
{
	for (uint32_t n = 1; n <= 300; n += n < 10 ? 1 : 23) {
		struct sw_agenda *a = base_calloc(1, sw_agenda_bytes(n));
		uint64_t *when = base_calloc(n, sizeof *when);
		sw_agenda_init(a, 0, n);
		for (uint32_t i = 0; i < n; i++)
			when[i] = SW_AGENDA_NEVER;
		for (uint32_t step = 0; step < 3000; step++) {
			uint32_t r = draw(n, step), i = r % n, t = (r >> 10) % 50 + step;
			if (r >> 31) {
				sw_agenda_bring(&ctx, a, i, t, true);
				if (t < when[i])
					when[i] = t;
			} else if (sw_agenda_first(a) != SW_AGENDA_NEVER && r >> 30 & 1) {
				uint32_t best = first_of(when, n);
				when[best] = r >> 29 & 1 ? SW_AGENDA_NEVER : when[best] + t % 40;
				sw_agenda_put_off(a, when[best]);
			} else if (sw_agenda_first(a) != SW_AGENDA_NEVER) {
				uint32_t best = first_of(when, n);
				uint64_t item = sw_agenda_take(&ctx, a);
				cr_assert_eq(sw_agenda_arbiter_of(item), best, "of %u, step %u", n, step);
				cr_assert_eq(sw_agenda_time_of(item), when[best]);
				when[best] = SW_AGENDA_NEVER;
			}
			cr_assert(sw_agenda_is_sound(a));
			cr_assert_eq(sw_agenda_time(a, i), when[i], "of %u, step %u", n, step);
			uint32_t best = first_of(when, n);
			cr_assert_eq(sw_agenda_first(a),
			             best == n ? SW_AGENDA_NEVER : when[best] << SW_AGENDA_BITS | best);
		}
		free(when);
		free(a);
	}
}

Test(agenda, numbers_need_not_begin_with_0)
{
	for (uint32_t n = 1; n < 5; n++) {
		struct sw_agenda *a = base_calloc(1, sw_agenda_bytes(n));
		sw_agenda_init(a, 1000, n);
		for (uint32_t k = n; k-- > 0;)
			sw_agenda_bring(&ctx, a, 1000 + k, 7, true);
		for (uint32_t k = 0; k < n; k++)
			cr_assert_eq(sw_agenda_take(&ctx, a), 7ull << SW_AGENDA_BITS | (1000 + k));
		cr_assert_eq(sw_agenda_first(a), SW_AGENDA_NEVER);
		free(a);
	}
}

Test(agenda, the_largest_number_and_time_fit)
{
	uint32_t n = (1u << SW_AGENDA_BITS) - 1;
	struct sw_agenda *a = base_calloc(1, sw_agenda_bytes(n));
	sw_agenda_init(a, 0, n);
	sw_agenda_bring(&ctx, a, n - 1, SW_AGENDA_TIMES - 1, true);
	sw_agenda_bring(&ctx, a, 0, SW_AGENDA_TIMES - 1, true);
	cr_assert_eq(sw_agenda_arbiter_of(sw_agenda_take(&ctx, a)), 0);
	uint64_t item = sw_agenda_take(&ctx, a);
	cr_assert_eq(sw_agenda_arbiter_of(item), n - 1);
	cr_assert_eq(sw_agenda_time_of(item), SW_AGENDA_TIMES - 1);
	cr_assert_eq(sw_agenda_first(a), SW_AGENDA_NEVER);
	free(a);
}

/* tests/switch/test_lanes.c - a port's buffer divided among lanes: sizes, conservation, the reserve that no other lane
 * can take, and the closed form of dynamic thresholds. */
#include "sim/rng.h"
#include "switch/switch.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static struct sim_ctx ctx; /* journal off */

static uint32_t draw(uint32_t index, uint32_t below)
{
	return sim_draw4(11, index, 0, SIM_DRAW_MODEL, 0).v[0] % below;
}

/* --- sizes --- */

static int divide(struct sw_common *c, uint32_t classes, uint32_t vcs, uint64_t buffer, double shared, double alpha,
                  char *key, size_t room)
{
	struct base_errors errors = { 0 };
	c->vcs = vcs;
	c->lanes = (struct sw_lanes){ .classes = classes, .vcs = vcs, .n = classes * vcs };
	int status = sw_lanes_size(c, buffer, shared, alpha, &errors);
	cr_assert_eq(status != 0, errors.n == 1);
	snprintf(key, room, "%s", errors.n ? errors.v[0].key : "");
	base_errors_free(&errors);
	return status;
}

Test(lanes, buffer_is_divided)
{
	char key[64];
	struct sw_common c = { .max_packet = 1000, .max_net_ports = 2 };
	cr_assert_eq(divide(&c, 1, 4, 100003, 0, 1, key, sizeof key), 0);
	cr_expect_eq(c.lanes.reserve, 25000);
	cr_expect_eq(c.lanes.pool, 0);
	cr_expect_eq(sw_account_words(&c.lanes), 4);
	cr_assert_eq(divide(&c, 8, 4, 64000, 0.5, 1, key, sizeof key), 0);
	cr_expect_eq(c.lanes.reserve, 1000);
	cr_expect_eq(c.lanes.pool, 32000);
	cr_expect_eq(sw_account_words(&c.lanes), 33);
	cr_expect_eq(sw_lane_alone(&c.lanes), 1000 + 16000);
	c.lanes.alpha_q16 = 3 << 16;
	cr_expect_eq(sw_lane_alone(&c.lanes), 1000 + 24000);
}

/* The proof of freedom from deadlock asks for a largest packet in each lane. */
Test(lanes, every_lane_has_a_packet_of_its_own)
{
	char key[64];
	struct sw_common c = { .max_packet = 1000, .max_net_ports = 2 };
	cr_expect_eq(divide(&c, 8, 4, 32000, 0, 1, key, sizeof key), 0);
	cr_expect_eq(divide(&c, 8, 4, 31999, 0, 1, key, sizeof key), -1);
	cr_expect_str_eq(key, "buffer");
	cr_expect_eq(divide(&c, 8, 4, 63998, 0.5, 1, key, sizeof key), -1);
	cr_expect_str_eq(key, "buffer");
	c.bubble = true;
	cr_expect_eq(divide(&c, 8, 4, 63999, 0, 1, key, sizeof key), -1);
	cr_expect_eq(divide(&c, 8, 4, 64000, 0, 1, key, sizeof key), 0);
	cr_expect_eq(divide(&c, 8, 4, 640000, 0.2, 1, key, sizeof key), -1); /* the rule counts what is a ring's own */
	cr_expect_str_eq(key, "shared_pool");
	c.bubble = false;
	cr_expect_eq(divide(&c, 1, 1, 640000, 0.2, 1, key, sizeof key), -1); /* no other lane to share with */
	cr_expect_str_eq(key, "shared_pool");
	c.max_net_ports = 0; /* terminals' buffers are not divided */
	cr_expect_eq(divide(&c, 8, 4, 640000, 0.2, 1, key, sizeof key), -1);
	cr_expect_str_eq(key, "shared_pool");
}

/* --- the account, against one that keeps what every lane uses and nothing else --- */

#define LANES 32u

static bool expected_to_fit(const struct sw_lanes *l, const uint64_t *used, uint32_t lane, uint64_t bytes)
{
	double others = 0;
	for (uint32_t k = 0; k < l->n; k++)
		if (k != lane && used[k] > l->reserve)
			others += (double)(used[k] - l->reserve);
	if (used[lane] + bytes <= l->reserve)
		return true;
	double mine = (double)(used[lane] + bytes - l->reserve), left = l->pool - others - mine;
	return left >= 0 && mine <= l->alpha_q16 / 65536.0 * left;
}

static void random_walk(struct sw_lanes l, uint32_t largest)
{
	uint32_t account[LANES + 1], seed = l.pool + l.alpha_q16 + largest, refused = 0;
	uint64_t used[LANES] = { 0 }, all = 0;
	sw_account_init(&l, account);
	for (uint32_t step = 0; step < 100000; step++) {
		uint32_t lane = draw(seed + 3 * step, l.n), bytes = 1 + draw(seed + 3 * step + 1, largest);
		bool filling = step / 20000 % 2 == 0, take = draw(seed + 3 * step + 2, 10) < (filling ? 8 : 2);
		if (take) {
			bool fits = sw_lane_fits(&l, account, lane, bytes);
			cr_assert_eq(fits, expected_to_fit(&l, used, lane, bytes), "step %u", step);
			refused += !fits;
			if (!fits)
				continue;
			sw_lane_take(&ctx, &l, account, lane, bytes);
			used[lane] += bytes;
			all += bytes;
		} else {
			bool owed = bytes <= used[lane];
			cr_assert_eq(sw_lane_give(&ctx, &l, account, lane, bytes), owed, "step %u", step);
			used[lane] -= owed ? bytes : 0;
			all -= owed ? bytes : 0;
		}
		cr_assert_eq(sw_account_used(&l, account), all);
		cr_assert_leq(all, (uint64_t)l.reserve * l.n + l.pool);
		uint64_t shared = 0;
		for (uint32_t k = 0; k < l.n; k++) {
			cr_assert_eq(sw_lane_used(&l, account, k), used[k]);
			shared += used[k] > l.reserve ? used[k] - l.reserve : 0;
			if (used[k] < l.reserve) /* whatever the others have */
				cr_assert(sw_lane_fits(&l, account, k, (uint32_t)(l.reserve - used[k])));
		}
		cr_assert_eq(l.pool ? account[l.n] + shared : 0, l.pool);
	}
	cr_expect_gt(refused, 1000, "the walk should meet the limits");
	for (uint32_t k = 0; k < l.n; k++)
		while (used[k]) {
			uint32_t bytes = used[k] < largest ? (uint32_t)used[k] : largest;
			cr_assert(sw_lane_give(&ctx, &l, account, k, bytes));
			used[k] -= bytes;
		}
	uint32_t fresh[LANES + 1];
	sw_account_init(&l, fresh);
	cr_expect_arr_eq(account, fresh, sw_account_words(&l) * sizeof *fresh);
}

Test(lanes, account_is_conserved_and_reserves_are_kept)
{
	static const struct sw_lanes shapes[] = {
		{ .classes = 8, .vcs = 4, .n = 32, .reserve = 1000, .pool = 32000, .alpha_q16 = 1 << 16 },
		{ .classes = 8, .vcs = 4, .n = 32, .reserve = 1000, .pool = 32000, .alpha_q16 = 1 << 14 },
		{ .classes = 2, .vcs = 1, .n = 2, .reserve = 5000, .pool = 90000, .alpha_q16 = 8 << 16 },
		{ .classes = 1, .vcs = 3, .n = 3, .reserve = 9000, .pool = 8999, .alpha_q16 = 1 << 15 },
		{ .classes = 4, .vcs = 2, .n = 8, .reserve = 3000 },
	};
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		random_walk(shapes[i], 1000);
		random_walk(shapes[i], 37);
	}
}

/* What the pool lacks is in use, though no lane has it: conservation of credits finds a leak. */
Test(lanes, a_leak_of_the_pool_is_not_overlooked)
{
	struct sw_lanes l = { .classes = 2, .vcs = 1, .n = 2, .reserve = 1000, .pool = 30000, .alpha_q16 = 1 << 16 };
	uint32_t account[3];
	sw_account_init(&l, account);
	sw_lane_take(&ctx, &l, account, 1, 1500);
	cr_expect_eq(sw_account_used(&l, account), 1500);
	account[l.n] -= 7;
	cr_expect_eq(sw_account_used(&l, account), 1507);
}

/* n lanes that take all they get have alpha / (1 + n alpha) of the pool each. */
Test(lanes, greedy_lanes_share_by_the_closed_form)
{
	static const double alphas[] = { 1.0 / 16, 0.5, 1, 2, 8 };
	for (uint32_t n = 1; n <= LANES; n++)
		for (size_t i = 0; i < sizeof alphas / sizeof *alphas; i++) {
			struct sw_lanes l = {
				.classes = LANES / 4, .vcs = 4, .n = LANES, .reserve = 4096, .pool = 1 << 20
			};
			l.alpha_q16 = (uint32_t)(alphas[i] * 65536);
			uint32_t account[LANES + 1], packet = 64;
			sw_account_init(&l, account);
			for (bool any = true; any;) {
				any = false;
				for (uint32_t k = 0; k < n; k++)
					if (sw_lane_fits(&l, account, k, packet)) {
						sw_lane_take(&ctx, &l, account, k, packet);
						any = true;
					}
			}
			double each = alphas[i] / (1 + n * alphas[i]) * l.pool;
			for (uint32_t k = 0; k < n; k++) {
				double has = (double)sw_lane_used(&l, account, k) - l.reserve;
				cr_assert(has <= each + packet && has >= each - (1 + n * alphas[i]) * packet,
				          "%u lanes, alpha %g: lane %u has %g, not %g", n, alphas[i], k, has, each);
			}
			/* and one that wakes up finds what the threshold has kept free */
			if (n < LANES)
				cr_assert(sw_lane_fits(&l, account, n,
				                       l.reserve + (uint32_t)(each / (1 + alphas[i])) - packet));
		}
}

Test(lanes, a_threshold_below_one_keeps_a_lone_lane_from_the_whole_pool)
{
	struct sw_lanes l = { .classes = 2, .vcs = 1, .n = 2, .reserve = 1000, .pool = 30000, .alpha_q16 = 1 << 15 };
	uint32_t account[3];
	sw_account_init(&l, account);
	cr_expect(sw_lane_fits(&l, account, 0, 11000)); /* 10,000 of the pool, half of the 20,000 that stay */
	cr_expect_not(sw_lane_fits(&l, account, 0, 11001));
	cr_expect_eq(sw_lane_alone(&l), 11000);
}

/* tests/switch/test_flows.c - accounts of flow channels: the closed forms of the threshold, flows that are held back,
 * and records that are gone when nothing is left of them. */
#include "switch/flows.h"

#include "sim/rng.h"

#include <criterion/criterion.h>

static struct sim_ctx ctx; /* journal off */
static const struct sw_lanes lanes = { .classes = 1, .vcs = 2, .n = 2, .reserve = 100000 };

#define BYTES 100u

static double fill(struct sw_flows *f, struct sw_flow *flow)
{
	double taken = 0;
	while (sw_flow_fits(f, flow, BYTES, 0, 1000)) {
		sw_flow_take(&ctx, f, flow, BYTES);
		taken += BYTES;
	}
	return taken;
}

/* n flows that all take what they get have t / (1 + n t) of a lane each. */
Test(flows, threshold_divides_a_lane)
{
	static const double thresholds[] = { 0.25, 0.5, 1, 3 };
	for (size_t i = 0; i < sizeof thresholds / sizeof *thresholds; i++)
		for (uint32_t n = 1; n <= 9; n += 4) {
			struct sw_flows *f = sw_flows_create(&lanes, 3, thresholds[i]);
			bool more = true;
			for (uint32_t round = 0; more; round++) { /* packet by packet */
				more = false;
				for (uint32_t k = 0; k < n; k++) {
					struct sw_flow *flow = sw_flow_find(&ctx, f, 4, sw_flow_key(k, 99), true);
					if (!sw_flow_fits(f, flow, BYTES, 0, 1000))
						continue;
					sw_flow_take(&ctx, f, flow, BYTES);
					more = true;
				}
			}
			double expect = 100000 * thresholds[i] / (1 + n * thresholds[i]);
			for (uint32_t k = 0; k < n; k++) {
				struct sw_flow *flow = sw_flow_find(&ctx, f, 4, sw_flow_key(k, 99), false);
				cr_assert_not_null(flow);
				cr_expect_float_eq(flow->bytes, expect, 2 * BYTES, "%u flows, %f: %u bytes, not %f", n,
				                   thresholds[i], flow->bytes, expect);
			}
			struct sw_flow *other = sw_flow_find(&ctx, f, 5, sw_flow_key(0, 99), true);
			cr_expect_float_eq(fill(f, other), 100000 * thresholds[i] / (1 + thresholds[i]), 2 * BYTES);
			sw_flows_destroy(f);
		}
}

/* Twice what the pace needs in the loop, and a packet; 16 fractional bits: 40 ps a byte. */
Test(flows, held_flow_has_what_its_pace_needs)
{
	struct sw_flows *f = sw_flows_create(&lanes, 3, 1);
	uint32_t key = sw_flow_key(7, 9);
	struct sw_flow *flow = sw_flow_find(&ctx, f, 0, key, true);
	sw_flow_hold(&ctx, f, 7, 9, 40 << 16, 0, 5000);
	uint64_t loop = 40000;
	cr_expect_not(sw_flow_fits(f, flow, 200000, 5000, loop) && flow->bytes);
	while (sw_flow_fits(f, flow, BYTES, 4999, loop))
		sw_flow_take(&ctx, f, flow, BYTES);
	cr_expect_eq(flow->bytes, 2 * loop / 40 + BYTES, "%u", flow->bytes);
	cr_expect(sw_flow_fits(f, flow, BYTES, 5000, loop), "the hold has ended");
	sw_flow_hold(&ctx, f, 7, 9, 80 << 16, 5000, 9000);
	cr_expect_not(sw_flow_fits(f, flow, BYTES, 5000, loop));
	sw_flow_hold(&ctx, f, 7, 9, 0, 6000, 0);
	cr_expect(sw_flow_fits(f, flow, BYTES, 6000, loop), "it is released");
	cr_assert(sw_flow_give(&ctx, f, flow, flow->bytes));
	cr_expect_not(sw_flow_give(&ctx, f, flow, 1));
	cr_expect(sw_flow_fits(f, flow, 1u << 20, 0, loop), "one packet it may always have");
	sw_flows_destroy(f);
}

/* Random takes and gives against a plain table; no record is left behind, holds that are over included. */
Test(flows, records_follow_what_is_there)
{
	enum { FLOWS = 300, AT = 6 };
	struct sw_flows *f = sw_flows_create(&lanes, 3, 64);
	static uint32_t bytes[FLOWS][AT];
	static uint16_t out[FLOWS];
	static uint64_t until[FLOWS];
	uint32_t live = 0, most = 0;
	for (uint32_t step = 0; step < 40000; step++) {
		struct sim_draw d = sim_draw4(3, step, 0, SIM_DRAW_MODEL, 0);
		uint32_t k = d.v[0] % FLOWS, at = d.v[1] % AT, b = 1 + d.v[2] % 50, key = sw_flow_key(k, 1);
		if (d.v[3] % 2 || step > 30000) {
			struct sw_flow *flow = sw_flow_find(&ctx, f, at, key, false);
			cr_assert_eq(flow != NULL, bytes[k][at] > 0);
			if (!flow)
				continue;
			cr_assert_eq(flow->bytes, bytes[k][at]);
			cr_assert(sw_flow_give(&ctx, f, flow, bytes[k][at]));
			sw_flow_forget(&ctx, f, flow);
			bytes[k][at] = 0;
			live--;
		} else {
			struct sw_flow *flow = sw_flow_find(&ctx, f, at, key, true);
			live += !bytes[k][at];
			most = live > most ? live : most;
			sw_flow_take(&ctx, f, flow, b);
			bytes[k][at] += b;
		}
		const struct sw_flow_way *way = sw_flow_way_of(f, k, 1);
		cr_assert(way ? way->out == out[k] && way->until == until[k] : until[k] <= step, "flow %u", k);
		if (step % 3) {
			until[k] = step + d.v[2] % 100;
			out[k] = (uint16_t)(d.v[3] % 64);
			sw_flow_set_way(&ctx, f,
			                &(struct sw_flow_way){ .src = k, .dst = 1, .out = out[k], .until = until[k] },
			                step);
		} else {
			uint64_t end = step + d.v[2] % 100;
			until[k] = way ? end : until[k];
			sw_flow_hold(&ctx, f, k, 1, 1 << 16, step, end);
			cr_assert_eq(sw_flow_is_held(f, key, step), end > step);
			cr_assert_not(sw_flow_is_held(f, key, end));
		}
	}
	cr_expect_leq(f->pool.used, most);
	cr_expect_lt(f->holds.used, FLOWS + SW_FLOW_CHAINS);
	cr_expect_lt(f->ways.used, FLOWS + SW_FLOW_CHAINS);
	uint64_t left = 0;
	for (uint32_t k = 0; k < FLOWS; k++)
		for (uint32_t at = 0; at < AT; at++)
			left += bytes[k][at];
	uint64_t sum = 0;
	for (uint32_t at = 0; at < AT; at++)
		sum += f->sum[at];
	cr_expect_eq(sum, left);
	sw_flows_destroy(f);
}

/* tests/switch/test_tiled_studies.c - what studies of the tiled switch claim: Rosetta's latency, permutations,
 * hierarchical against conventional. */
#include "tests/switch/bench.h"

#include "sim/rng.h"
#include "switch/tiled/tiled.h"

#include <math.h>

/* --- latency: De Sensi et al., SC20, section II.A: mean and median 350 ns, 300 to 400 but for few outliers
 * ------------------------- */

#define TWO_SWITCHES                                                                                                   \
	"seed = 5; time = { warmup = \"5us\"; measure = \"4ms\"; }; topology = { kind = \"dragonfly\"; p = 32; a = "   \
	"1; h = 32; g = 2; };"                                                                                         \
	"links = { default = { bandwidth = \"200Gbps\"; latency = \"13ns\"; }; terminal = { bandwidth = \"200Gbps\"; " \
	"latency = \"13ns\"; }; };"                                                                                    \
	"switch = { kind = \"tiled\"; }; routing = { kind = \"minimal\"; }; record = { packets = true; };"             \
	"traffic = ( { pattern = \"uniform\"; load = 0.01; packet = \"4158B\"; } );"

static int by_latency(const void *a, const void *b)
{
	const struct net_packet_record *x = a, *y = b;
	uint64_t p = x->delivered - x->injected, q = y->delivered - y->injected;
	return p < q ? -1 : p > q;
}

Test(tiled_studies, rosetta_latency)
{
	struct bench_packets all = { 0 }, one = { 0 }, two = { 0 };
	cr_assert_eq(bench_run_with(TWO_SWITCHES, "", NULL, &all).outcome, NET_DONE);
	double sum1 = 0, sum2 = 0, same = 0, other = 0;
	size_t nsame = 0, nother = 0, outside = 0;
	for (size_t i = 0; i < all.n; i++) {
		const struct net_packet_record *p = &all.v[i];
		double ns = (double)(p->delivered - p->injected) / 1000;
		if (p->hops) {
			bench_keep_packet(&two, p);
			sum2 += ns;
			continue;
		}
		bench_keep_packet(&one, p);
		sum1 += ns;
		/* terminal t of a switch is port 32 + t */
		if (p->src / 2 == p->dst / 2) {
			same += ns;
			nsame++;
		} else {
			other += ns;
			nother++;
		}
	}
	cr_assert(one.n > 3000 && two.n > 3000 && nsame > 50);
	qsort(one.v, one.n, sizeof *one.v, by_latency);
	qsort(two.v, two.n, sizeof *two.v, by_latency);
	double median1 = (double)(one.v[one.n / 2].delivered - one.v[one.n / 2].injected) / 1000;
	double median2 = (double)(two.v[two.n / 2].delivered - two.v[two.n / 2].injected) / 1000;
	double mean = sum2 / (double)two.n - sum1 / (double)one.n;
	for (size_t i = 0; i < two.n; i++) {
		double d = (double)(two.v[i].delivered - two.v[i].injected) / 1000 - median1;
		outside += d < 300 || d > 400;
	}
	cr_expect(fabs(mean - 350) <= 5, "mean %f", mean);
	cr_expect(fabs(median2 - median1 - 350) <= 5, "median %f", median2 - median1);
	cr_expect_leq((double)outside, 0.01 * (double)two.n, "%zu of %zu outside 300..400", outside, two.n);
	cr_expect(fabs(same / (double)nsame - other / (double)nother) < 5, "same tile %f, other tiles %f",
	          same / (double)nsame, other / (double)nother);
	free(all.v);
	free(one.v);
	free(two.v);
}

/* From the 5th to the 95th percentile of the latency over two switches, ns. */
static double spread(const char *changes)
{
	struct bench_packets all = { 0 };
	cr_assert_eq(bench_run_with(TWO_SWITCHES, changes, NULL, &all).outcome, NET_DONE);
	size_t n = 0;
	for (size_t i = 0; i < all.n; i++)
		if (all.v[i].hops)
			all.v[n++] = all.v[i];
	qsort(all.v, n, sizeof *all.v, by_latency);
	const struct net_packet_record *low = &all.v[n / 20], *high = &all.v[n - 1 - n / 20];
	double width =
	    (double)(high->delivered - high->injected) / 1000 - (double)(low->delivered - low->injected) / 1000;
	free(all.v);
	return width;
}

/* Clock edges: two waits of up to 1.25 ns. Wires: two ways of up to 7 columns of 0.325 ns; rows are 1 to 3 apart, 0.65
 * ns each, from the terminals' ports (rows 2 and 3) to the cables' (rows 0 and 1). Nothing else where no packet meets
 * another. */
Test(tiled_studies, light_load_has_the_spread_of_clocks_and_wires)
{
	double none = spread("switch.align=false switch.column_pitch=0ps switch.row_pitch=0ps"),
	       clocks = spread("switch.column_pitch=0ps switch.row_pitch=0ps"), wires = spread("switch.align=false"),
	       both = spread("");
	cr_expect_float_eq(none, 0, 1e-9, "%g", none);
	cr_expect(clocks > 0.5 && clocks < 2 * 1.25, "%g", clocks);
	cr_expect(wires > 2 && wires < 2 * (7 * 0.325 + 2 * 0.65), "%g", wires);
	cr_expect(both > wires && both < wires + 2 * 1.25, "%g", both);
}

/* --- permutations
 * ------------------------------------------------------------------------------------------------------------ */

static uint32_t map[64]; /* the pattern "mapped": port i sends to map[i] */

static uint32_t mapped(const struct wl_pattern *pattern, uint32_t index, uint32_t message, uint32_t bits, uint32_t coin)
{
	(void)message, (void)bits, (void)coin;
	return map[index] == index ? WL_IDLE : wl_member(pattern, map[index]);
}

static const struct wl_pattern_ops mapped_ops = { .fixed = true, .destination = mapped };
static const struct base_plugin mapped_plugin = {
	.kind = "pattern", .name = "mapped", .summary = "for tests", .ops = &mapped_ops
};

#define MAPPED                                                                                                      \
	"seed = 1; time = { warmup = \"3us\"; measure = \"6us\"; }; topology = { kind = \"single\"; ports = 64; };" \
	"links = { terminal = { bandwidth = \"200Gbps\"; latency = \"13ns\"; }; }; switch = { kind = \"tiled\"; };" \
	"routing = { kind = \"minimal\"; };"                                                                        \
	"traffic = ( { pattern = \"mapped\"; load = 1.0; packet = \"480B\"; injection = \"periodic\"; } );"

static double passes(const char *changes)
{
	struct bench_result r = bench_run_with(MAPPED, changes, &mapped_plugin, NULL);
	cr_assert_eq(r.outcome, NET_DONE);
	return r.accepted;
}

static void swap(uint32_t i, uint32_t j)
{
	uint32_t t = map[i];
	map[i] = map[j];
	map[j] = t;
}

static void shuffle(uint32_t seed)
{
	for (uint32_t i = 0; i < 64; i++)
		map[i] = i;
	for (uint32_t i = 63; i > 0; i--)
		swap(i, sim_below(sim_draw4(seed, i, 0, SIM_DRAW_MODEL, 0).v[0], i + 1));
}

/* A permutation gives every bus, crossbar output, column channel and multiplexer one packet stream at most, so all
 * should pass at speed-up 1, however they load tiles and columns; a hill climb looks for one that does not. */
Test(tiled_studies, no_permutation_is_bad)
{
	static const char *const how[] = { "switch.speedup=1.0",
		                           "switch.preset=yarc switch.width=48B switch.speedup=1.0" };
	for (int k = 0; k < 2; k++) {
		double worst = 1;
		for (uint32_t seed = 1; seed <= 4; seed++) {
			shuffle(seed);
			double here = passes(how[k]);
			for (uint32_t step = 0; step < 12; step++) {
				struct sim_draw d = sim_draw4(seed, step, 1, SIM_DRAW_MODEL, 0);
				uint32_t i = d.v[0] % 64, j = d.v[1] % 64;
				swap(i, j);
				double there = passes(how[k]);
				if (there <= here)
					here = there;
				else
					swap(i, j);
			}
			worst = here < worst ? here : worst;
		}
		cr_expect_gt(worst, 0.99, "%s: %f", how[k], worst);
		/* eight inputs of each row into one tile: row r, first half to column 2r, second half to column 2r + 1;
		 * the tile's eight outputs all busy */
		for (uint32_t r = 0; r < 4; r++)
			for (uint32_t i = 0; i < 16; i++) {
				uint32_t column = 2 * r + i / 8, out = i % 8;
				map[16 * r + i] = 16 * (out / 2) + 2 * column + out % 2;
			}
		double tile = passes(how[k]);
		cr_expect_gt(tile, 0.99, "one tile a row: %f", tile);
	}
}

/* Not a permutation: two inputs for every output, all through the tile of their row. The outputs are the bound. */
Test(tiled_studies, one_tile_twice_loaded)
{
	for (uint32_t r = 0; r < 4; r++)
		for (uint32_t i = 0; i < 16; i++)
			map[16 * r + i] = 16 * (i % 8 / 2) + 2 * ((r + 1) % 8) + i % 2;
	uint32_t self = 0;
	for (uint32_t i = 0; i < 64; i++)
		self += map[i] == i;
	double got = passes(""), bound = 32.0 / (64 - self);
	cr_expect(fabs(got / bound - 1) < 0.02, "%f of %f", got, bound);
}

/* --- hierarchical against conventional: Kim et al., ISCA 2005: 20 to 60 % more, radix 64, 4 VCs
 * ------------------------------------------ */

#define RADIX64                                                                                                        \
	"seed = 2; time = { warmup = \"4us\"; measure = \"4us\"; }; topology = { kind = \"single\"; ports = 64; };"    \
	"links = { terminal = { bandwidth = \"64Gbps\"; latency = \"1ns\"; }; };"                                      \
	"routing = { kind = \"minimal\"; };"                                                                           \
	"traffic = ( { pattern = \"uniform\"; self = true; injection = \"bernoulli\"; load = 1.0; packet = \"8B\"; } " \
	");"

Test(tiled_studies, hierarchical_against_conventional)
{
	double conventional = bench_run(RADIX64 "switch = { kind = \"crossbar\"; inputs = \"vc\"; allocator = "
	                                        "\"separable-input\"; vcs = 4; injection_vcs = 4; "
	                                        "cycle = \"1ns\"; flit = \"8B\"; buffer = \"2KB\"; };",
	                                "")
	                          .accepted;
	double hierarchical = bench_run(RADIX64 "switch = { kind = \"tiled\"; preset = \"yarc\"; vcs = 4; spread = "
	                                        "\"packet\"; clock = \"1ns\"; width = \"8B\"; buffer = \"2KB\"; "
	                                        "row_buffer = \"32B\"; column_buffer = \"32B\"; output_buffer = "
	                                        "\"64B\"; serdes = \"1ps\"; mac = \"1ps\"; route = \"1ns\"; "
	                                        "row = \"1ns\"; column = \"1ns\"; egress = \"1ns\"; };",
	                                "")
	                          .accepted;
	cr_expect(hierarchical / conventional > 1.2 && hierarchical / conventional < 1.6, "%f against %f: %+.0f %%",
	          hierarchical, conventional, 100 * (hierarchical / conventional - 1));
}

/* tests/switch/test_tiled.c - the tiled switch: numbering, zero-load times, meters, throughput, arbiters, queue depth.
 */
#include "tests/switch/bench.h"
#include "tests/switch/tiled_watch.h"

#include <math.h>

/* --- numbering
 * ------------------------------------------------------------------------------------------------------------- */

/* De Sensi et al. 2020, figure 1: the first column of tiles has ports 0/1, 16/17, 32/33, 48/49, the last 14/15, ...
 * 62/63; a packet from port 19 to port 56 goes by the row bus of 19 to the tile at row 1, column 4, and down a column
 * channel. */
Test(tiled, ports_are_numbered_as_in_the_paper)
{
	struct tiled_geometry g;
	tiled_geometry_set(&g, 4, 8, 2);
	for (uint32_t r = 0; r < 4; r++)
		for (uint32_t k = 0; k < 2; k++) {
			cr_assert(g.row[16 * r + k] == r && g.column[16 * r + k] == 0);
			cr_assert(g.row[16 * r + 14 + k] == r && g.column[16 * r + 14 + k] == 7);
		}
	cr_assert_eq(g.row[19], 1);
	cr_assert_eq(g.column[19], 1);
	cr_assert_eq(g.column[56], 4);
	cr_assert_eq(g.row[56], 3);
	cr_assert_eq(g.in_row[19], 3);
	tiled_geometry_set(&g, 8, 8, 1);
	cr_assert(g.row[19] == 2 && g.column[19] == 3 && g.in_row[19] == 3);
}

Test(tiled, the_example_takes_the_tile_of_row_1_and_column_4)
{
	struct bench_result r = watch_run(
	    WATCH_SINGLE,
	    "traffic.[0].pattern=incast traffic.[0].target=56 traffic.[0].nodes=\"19,56\" traffic.[0].load=0.1 "
	    "time.drain=false",
	    NULL);
	cr_assert(r.outcome == NET_DONE && r.delivered > 50, "%s", r.message);
	for (uint32_t out = 0; out < 64; out++)
		for (uint32_t row = 0; row < 4; row++)
			cr_assert_eq(watched.crossing[out * 4 + row] > 0, out == 56 && row == 1,
			             "crossbar output of row %u towards port %u", row, out);
	/* 512 bytes are 11 beats of 48; their last byte is at the bus 20.48 ns after the first, before the grant (44
	 * ns): no waiting for it */
	cr_assert_eq(watched.crossing[56 * 4 + 1], watched.packets * 11 * 1250);
}

/* --- latency
 * --------------------------------------------------------------------------------------------------------------- */

Test(tiled, zero_load_time_is_the_sum_of_its_stages)
{
	/* cable + 335 ns (rosetta's stages) + wires + cable + the packet's time on the link; clock edges left out.
	 * Port 19 is in row 1, column 1, port 56 in row 3, column 4; yarc: row 2, column 3 and row 7, column 0; aries:
	 * port 40 is in row 5, column 0 */
	static const struct {
		const char *changes;
		double pipeline, wires;
		unsigned to;
	} c[] = { { "", 335, 3 * 0.325 + 2 * 0.65, 56 },
		  { "switch.row_buffer=8KiB", 335, 3 * 0.325 + 2 * 0.65, 56 },
		  { "switch.column_buffer=8KiB switch.column_pitch=1ns", 335, 3 + 2 * 0.65, 56 },
		  { "switch.grants=off switch.row_buffer=8KiB switch.row_pitch=0ps", 335 - 44, 3 * 0.325, 56 },
		  { "switch.serdes=1ns switch.mac=2ns switch.route=4ns switch.request=8ns switch.grant=16ns "
		    "switch.row=32ns switch.column=64ns switch.egress=128ns",
		    255, 3 * 0.325 + 2 * 0.65, 56 },
		  { "switch.preset=yarc switch.speedup=1.5", 31.25, 3 * 0.325 + 5 * 0.65, 56 },
		  { "topology.ports=48 switch.preset=aries switch.speedup=1.5 switch.row_buffer=8KiB "
		    "switch.column_buffer=8KiB",
		    18 + 9 + 15 + 11 + 11 + 21, 3 * 0.325 + 3 * 0.433, 40 } };
	static const struct {
		const char *name;
		double bytes;
	} size[] = { { "64B", 64 }, { "512B", 512 }, { "4158B", 4158 } };
	for (size_t i = 0; i < sizeof c / sizeof *c; i++)
		for (size_t k = 0; k < 3; k++) {
			char changes[500];
			snprintf(changes, sizeof changes,
			         "%s switch.align=false traffic.[0].pattern=incast traffic.[0].target=%u "
			         "traffic.[0].nodes=\"19,%u\" "
			         "traffic.[0].injection=periodic traffic.[0].load=0.05 "
			         "traffic.[0].packet=%s",
			         c[i].changes, c[i].to, c[i].to, size[k].name);
			struct bench_result r = watch_run(WATCH_SINGLE, changes, NULL);
			double wire = size[k].bytes / 25; /* ns at 200 Gb/s */
			double expected = 26 + c[i].pipeline + c[i].wires + wire;
			cr_expect(fabs(r.latency_ns - expected) < 0.002, "%s: %.4f, not %.4f", changes, r.latency_ns,
			          expected);
			cr_expect_eq(watched.waits, 0);
		}
}

/* Every packet's time in the switch is its pipeline and the five waits, whatever the way and the load. */
Test(tiled, breakdown_sums_exactly)
{
	for (size_t i = 0; i < WATCH_VARIANTS; i++) {
		char changes[400];
		snprintf(changes, sizeof changes, "%s time.warmup=5us time.measure=20us", watch_variants[i]);
		struct bench_result r = watch_run(WATCH_SINGLE, changes, NULL);
		cr_assert(r.outcome == NET_DONE, "%s: %s", watch_variants[i], r.message);
		cr_assert(watched.packets > 50000 && watched.waits > 0, "%s: %llu packets", watch_variants[i],
		          (unsigned long long)watched.packets);
		cr_assert_eq(watched.latency, watched.pipeline + watched.waits, "%s", watch_variants[i]);
		r = watch_run(WATCH_NETWORK, watch_variants[i], NULL);
		cr_assert_eq(watched.latency, watched.pipeline + watched.waits, "%s", watch_variants[i]);
	}
}

/* --- throughput
 * ------------------------------------------------------------------------------------------------------------ */

Test(tiled, uniform_traffic_passes)
{
	/* what an ideal output-queued switch would have accepted of the same arrivals is 0.98 */
	static const char *const packets[] = { "512B", "4158B", "2174B" };
	for (int k = 0; k < 3; k++) {
		char changes[200];
		snprintf(changes, sizeof changes, "traffic.[0].packet=%s time.warmup=100us time.measure=100us",
		         packets[k]);
		struct bench_result r = watch_run(WATCH_SINGLE, changes, NULL);
		cr_expect_geq(r.accepted, 0.95, "%s: %f", packets[k], r.accepted);
	}
}

Test(tiled, a_permutation_passes_at_speedup_1)
{
	/* no two packets want the same bus or column; 480 bytes are 10 beats exactly */
	struct bench_result r = watch_run(
	    WATCH_SINGLE,
	    "traffic.[0].pattern=tornado traffic.[0].packet=480B traffic.[0].injection=periodic switch.speedup=1.0",
	    NULL);
	cr_expect_geq(r.accepted, 0.995, "%f", r.accepted);
}

Test(tiled, a_slow_crossbar_is_the_bottleneck)
{
	/* speed-up 0.5: no port can pass more than half of its link */
	struct bench_result r =
	    watch_run(WATCH_SINGLE, "traffic.[0].pattern=tornado traffic.[0].packet=480B switch.speedup=0.5", NULL);
	cr_expect(fabs(r.accepted - 0.5) < 0.005, "%f", r.accepted);
	r = watch_run(WATCH_SINGLE,
	              "traffic.[0].pattern=tornado traffic.[0].packet=480B switch.speedup=0.5 switch.preset=yarc "
	              "switch.width=48B",
	              NULL);
	cr_expect(fabs(r.accepted - 0.5) < 0.005, "%f", r.accepted);
}

/* --- arbiters
 * -------------------------------------------------------------------------------------------------------------- */

static void shares(const char *changes, double *share)
{
	struct bench_packets p = { 0 };
	struct bench_result r = watch_run(WATCH_SINGLE, changes, &p);
	cr_assert(r.outcome == NET_DONE && p.n > 500, "%s: %zu packets", changes, p.n);
	uint64_t of[64] = { 0 };
	for (size_t i = 0; i < p.n; i++)
		of[p.v[i].src]++;
	for (int i = 0; i < 64; i++)
		share[i] = (double)of[i] / (double)p.n;
	free(p.v);
}

#define HOT "record.packets=true traffic.[0].pattern=incast traffic.[0].target=60 time.warmup=0us time.measure=100us "

Test(tiled, a_hot_output_is_shared_fairly)
{
	static const char *const fair[] = { "round-robin", "least-recent" };
	for (int k = 0; k < 2; k++) {
		char changes[200];
		double share[64], sum = 0, squares = 0;
		snprintf(changes, sizeof changes, HOT "switch.grant_arbiter=%s", fair[k]);
		shares(changes, share);
		for (int i = 0; i < 64; i++) {
			sum += i == 60 ? 0 : share[i];
			squares += i == 60 ? 0 : share[i] * share[i];
		}
		cr_expect_gt(sum * sum / (63 * squares), 0.999, "%s: Jain's index %f", fair[k],
		             sum * sum / (63 * squares)); /* Jain, Chiu & Hawe 1984 */
	}
}

Test(tiled, weights_are_shares)
{
	double share[64], light = 0, heavy = 0;
	shares(HOT "switch.grant_arbiter=weighted switch.weights=[1,3] traffic.[0].nodes=\"0-60\"", share);
	for (int i = 0; i < 60; i += 2) {
		light += share[i];
		heavy += share[i + 1];
	}
	cr_expect(fabs(heavy / light - 3) < 0.1, "%f", heavy / light);
}

/* Seventeen inputs always ask one output: one of row 0, sixteen of row 1. By round robin the rows share alike, so the
 * lone one has half; with turns by their inputs all have a seventeenth. Cut into rows of 32 all seventeen share one
 * arbiter.
 */
Test(tiled, a_lone_row_is_favoured_and_weights_cure_it)
{
#define LONE HOT "traffic.[0].nodes=\"0,16-31,60\" switch.grant_arbiter=round-robin "
	static const struct {
		const char *changes;
		double lone;
		double within; /* by age shares follow arrivals, which are random */
	} c[] = { { LONE, 1.0 / 2, 0.03 },
		  { LONE "switch.grant_column_arbiter=weighted switch.weights=[1,16]", 1.0 / 17, 0.03 },
		  { LONE "switch.grant_column_arbiter=drr", 1.0 / 2, 0.03 },
		  { LONE "switch.rows=2 switch.columns=16", 1.0 / 17, 0.03 },
		  { HOT "traffic.[0].nodes=\"0,16-31,60\"", 1.0 / 17, 0.06 } };
	for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
		double share[64];
		shares(c[i].changes, share);
		cr_expect(fabs(share[0] / c[i].lone - 1) < c[i].within, "%s: %f, not %f", c[i].changes, share[0],
		          c[i].lone);
		for (int k = 16; k < 32; k++)
			cr_expect(fabs(share[k] / ((1 - c[i].lone) / 16) - 1) < c[i].within, "%s: %d has %f",
			          c[i].changes, k, share[k]);
	}
}

/* Packets come faster than the request bus takes their requests: those of a queue keep their order all the same. With
 * grants that take longer than a header's way in, those that have waited for leave to ask are the ones that come late.
 */
Test(tiled, requests_of_a_queue_keep_their_order)
{
	/* 8 bytes take a beat of 1.25 ns for 0.32 ns of link; with r requests a queue, 63 queues and 322 ns for request
	 * and grant an input passes 63 r packets in 322 ns */
	static const struct {
		const char *changes;
		double least;
	} c[] = { { "", 0.2 },
		  { "switch.requests=2", 0.2 },
		  { "switch.request_width=4 switch.grant_width=4", 0.2 },
		  { "switch.row_buffer=2KiB", 0.2 },
		  { "switch.grant=300ns switch.requests=2", 63 * 2 * 0.32 / 322 * 0.98 },
		  { "switch.grant=300ns switch.requests=2 switch.request_width=4", 63 * 2 * 0.32 / 322 * 0.98 },
		  { "switch.grant=300ns switch.requests=1", 63 * 0.32 / 322 * 0.98 },
		  /* one queue an input, two packets in 322 ns of a full one, all in whole periods: requests that waited
		   * for leave are there at the very instant at which others come that did not */
		  { "switch.grant=300ns switch.request=22.5ns switch.requests=2 traffic.[0].pattern=tornado "
		    "traffic.[0].load=0.0015 time.measure=200us",
		    0.0014 } };
	for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
		char changes[400];
		snprintf(
		    changes, sizeof changes,
		    "traffic.[0].packet=8B traffic.[0].load=1.0 time.warmup=1us time.measure=1us time.drain=false %s",
		    c[i].changes);
		struct bench_result r = watch_run(WATCH_SINGLE, changes, NULL);
		cr_assert_eq(r.outcome, NET_DONE, "%s: %s", changes, r.message);
		cr_expect_geq(r.accepted, c[i].least, "%s: %f", changes, r.accepted);
	}
}

/* --- queue depth
 * ----------------------------------------------------------------------------------------------------------- */

static void check_depth(int preset)
{
	bool grants = preset == TILED_ROSETTA;
	struct tiled_params params = { .preset = preset,
		                       .publish = 1000,
		                       .requests = 1,
		                       .grant_limit = 8192,
		                       .column = 300,
		                       .egress = 700,
		                       .align = true,
		                       .flow_threshold = 1,
		                       .flow_route = 2000000,
		                       .ack_width = 4,
		                       .request_width = 1,
		                       .grant_width = 1,
		                       .grant_column_arbiter = { .name = "same" },
		                       .bus_arbiter = { .name = "auto" },
		                       .crossbar_arbiter = { .name = "auto" },
		                       .column_arbiter = { .name = "auto" },
		                       .column_pitch = 325,
		                       .row_pitch = BASE_AUTO_TIME_VALUE };
	struct sw_common common = { .ops = sw_tiled.ops,
		                    .params = &params,
		                    .vcs = 1,
		                    .route_vcs = 1,
		                    .lanes = { 1, 1, 1, 0, 0, 0 },
		                    .max_packet = 512,
		                    .track_queues = true,
		                    .max_net_ports = 2,
		                    .max_terminals = 2,
		                    .max_ports = 4 };
	for (int i = 0; i <= SW_LINK_CLASSES; i++)
		common.link[i] = common.incoming[i] =
		    (struct sw_link){ .latency = 1000, .ps_per_byte_q16 = 40 << 16 }; /* 40 ps a byte */
	struct base_errors errors = { 0 };
	cr_assert_eq(tiled_build(&common, &errors), 0);
	size_t bytes = (common.ops->state_bytes(&common) + 63) & ~(size_t)63;
	struct tiled_state *s = aligned_alloc(64, bytes); /* as network/ does */
	memset(s, 0, bytes);
	struct sw_link_end ends[2] = { { 0 } };
	common.ops->init(&common, s, &(struct sw_place){ .net_ports = 2, .terminals = 2, .ends = ends });
	struct sim_ctx ctx = { 0 };
	struct sw_call call = { .ctx = &ctx, .common = &common, .state = s };
	call.now = 1500;
	tiled_depth_add(&call, s, 1, 300, false);
	call.now = 1600;
	tiled_depth_add(&call, s, 1, 200, false);
	cr_expect_eq(tiled_queue_bytes(s, 1, 1700), 0, "what came since the tick at 1000 is not known yet");
	cr_expect_eq(tiled_queue_bytes(s, 1, 2000), 500);
	call.now = 2100;
	tiled_depth_add(&call, s, 1, 500, true);
	cr_expect_eq(tiled_queue_bytes(s, 1, 2999), 500);
	cr_expect_eq(tiled_queue_bytes(s, 1, 3000), 0);
	cr_expect_eq(tiled_queue_bytes(s, 0, 3000), 0);
	tiled_port_at(s->derived, s, 1)->link_busy =
	    12000; /* at 40 ps a byte, and 1 ns of it column and egress: from tick 3 on 200 bytes, from tick 5 150 */
	cr_expect_eq(tiled_queue_bytes(s, 1, 3000), grants ? 0 : 200, "what is granted is in no request queue");
	cr_expect_eq(tiled_queue_bytes(s, 1, 5500), grants ? 0 : 150);
	cr_expect_eq(tiled_queue_bytes(s, 1, 11000), 0, "the pipeline is no queue");
	for (uint64_t now = 2500; now < 12500; now += 500) {
		uint64_t each[2];
		tiled_queue_bytes_each(s, (uint32_t[]){ 1, 0 }, 2, now, each);
		cr_expect_eq(each[0], tiled_queue_bytes(s, 1, now));
		cr_expect_eq(each[1], tiled_queue_bytes(s, 0, now));
	}
	cr_expect_eq(tiled_queue_bytes(s, 1, 13000), 0);
	common.ops->memory.fini(&common, s);
	free(s);
	tiled_destroy(&common);
}

Test(tiled, depth_is_published_at_ticks)
{
	check_depth(TILED_ROSETTA);
	check_depth(TILED_YARC);
}

/* --- what is refused
 * --------------------------------------------------------------------------------------------------------- */

Test(tiled, impossible_switches_are_refused)
{
	static const struct {
		struct tiled_params p;
		const char *key;
	} bad[] = {
		{ { .rows = 1 }, "ports_per_tile" }, /* 16 ports */
		{ { .columns = 64, .ports_per_tile = 4 }, "columns" },
		{ { .buffer = 1000 }, "buffer" },
		{ { .output_buffer = 100 }, "output_buffer" },
		{ { .row_buffer = 100 }, "row_buffer" },
		{ { .column_buffer = 100 }, "column_buffer" },
		{ { .grants = TILED_SECOND }, "row_buffer" },
		{ { .queues = TILED_SECOND }, "queues" },
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct tiled_params p = bad[i].p;
		p.requests = 1;
		p.align = true;
		p.request_width = p.grant_width = 1;
		p.flow_threshold = 1;
		p.flow_route = 2000000;
		p.column_pitch = 325;
		p.row_pitch = BASE_AUTO_TIME_VALUE;
		struct sw_common common = { .params = &p,
			                    .vcs = 2,
			                    .route_vcs = 1,
			                    .lanes = { 1, 2, 2, 0, 0, 0 },
			                    .max_packet = 512,
			                    .track_queues = true,
			                    .max_net_ports = 16,
			                    .max_terminals = 16,
			                    .max_ports = 32 };
		struct base_errors errors = { 0 };
		cr_assert_eq(tiled_build(&common, &errors), -1, "%s", bad[i].key);
		cr_assert_str_eq(errors.v[0].key, bad[i].key);
		base_errors_free(&errors);
	}
}

/* tests/switch/test_tiled_invariants.c - nothing is lost, doubled, overrun or overtaken; one result under every
 * scheduler; faults are found. */
#include "tests/switch/bench.h"
#include "tests/switch/tiled_watch.h"
#include "tests/tier.h"

#include "sim/rng.h"

Test(tiled_invariants, order_is_kept)
{
	static const char *const network = "record.packets=true routing={kind=\"minimal\";}";
	for (size_t i = 0; i < WATCH_VARIANTS; i++) {
		char changes[400];
		struct bench_packets p = { 0 };
		snprintf(changes, sizeof changes,
		         "%s record.packets=true time.warmup=0us time.measure=" SPAN("8us", "20us"), watch_variants[i]);
		cr_assert_eq(watch_run(WATCH_SINGLE, changes, &p).outcome, NET_DONE);
		cr_assert_gt(p.n, SPAN(8000u, 20000u));
		bench_in_order(&p, changes);
		p = (struct bench_packets){ 0 };
		snprintf(changes, sizeof changes, "%s %s switch.vcs=6", watch_variants[i], network);
		cr_assert_eq(watch_run(WATCH_NETWORK, changes, &p).outcome, NET_DONE);
		bench_in_order(&p, changes);
	}
}

Test(tiled_invariants, everything_arrives)
{
	for (size_t i = 0; i < WATCH_VARIANTS; i++)
		for (int k = 0; k < 2; k++) {
			char changes[400];
			snprintf(changes, sizeof changes, "%s time.drain=true%s", watch_variants[i],
			         k ? "" : " time.measure=10us time.warmup=0us");
			struct bench_result r = watch_run(k ? WATCH_NETWORK : WATCH_SINGLE, changes, NULL);
			cr_assert(r.outcome == NET_DONE && r.in_flight == 0 && r.queued == 0,
			          "%s: outcome %d, %llu in flight, %s", changes, r.outcome,
			          (unsigned long long)r.in_flight, r.message);
		}
}

Test(tiled_invariants, one_digest_under_every_scheduler)
{
	for (size_t i = 0; i < WATCH_VARIANTS; i++) {
		char changes[400];
		uint64_t digest = watch_run(WATCH_NETWORK, watch_variants[i], NULL).digest;
		static const char *const how[] = { "engine.sync=conservative", "engine.sync=optimistic",
			                           "engine.sync=optimistic engine.stress=30 engine.window=300ns" };
		for (int k = 0; k < 3; k++) {
			if (!EVERY_CASE && k != 2 && k != (int)i % 2)
				continue; /* what rolls back, and one of the others */
			snprintf(changes, sizeof changes, "%s %s", watch_variants[i], how[k]);
			struct bench_result r = watch_run(WATCH_NETWORK, changes, NULL);
			cr_assert(r.outcome == NET_DONE && r.digest == digest, "%s: %s", changes, r.message);
			cr_assert(k < 2 || r.rollbacks > 0, "%s: nothing was rolled back", changes);
		}
	}
}

Test(tiled_invariants, audit_is_clean)
{
	for (size_t i = 0; i < WATCH_VARIANTS; i++) {
		char changes[400];
		snprintf(changes, sizeof changes,
		         "%s engine.audit=true engine.sync=sequential time.warmup=" SPAN(
			     "300ns", "1us") " time.measure=" SPAN("500ns", "1us"),
		         watch_variants[i]);
		struct bench_result r = watch_run(WATCH_NETWORK, changes, NULL);
		cr_assert(r.outcome == NET_DONE, "%s: %s", changes, r.message);
	}
}

#define RING                                                                                                           \
	"seed = 3; time = { warmup = \"1us\"; measure = \"4us\"; }; topology = { kind = \"torus\"; dims = [5, 5]; };"  \
	"links = { default = { bandwidth = \"200Gbps\"; latency = \"20ns\"; }; };"                                     \
	"switch = { kind = \"watched\"; buffer = \"4KB\"; }; routing = { kind = \"minimal\"; deadlock = \"bubble\"; "  \
	"};"                                                                                                           \
	"traffic = ( { pattern = \"tornado\"; load = 1.0; packet = \"512B\"; }, { pattern = \"uniform\"; load = 1.0; " \
	"packet = \"64B\"; name = \"b\"; } );"

/* Column buffers that are filled without grants do not keep the bubble rule: unit.network_effect. */
static bool breaks_bubbles(const char *variant)
{
	return strstr(variant, "yarc") || (strstr(variant, "grants=off") && strstr(variant, "column_buffer"));
}

/* The bubble rule asks grants for slack downstream: with one VC on rings, anything less would deadlock. */
Test(tiled_invariants, bubbles_keep_rings_moving)
{
	for (size_t i = 0; i < WATCH_VARIANTS; i++) {
		char changes[400];
		if (breaks_bubbles(watch_variants[i]))
			continue;
		snprintf(changes, sizeof changes, "%s time.drain=true", watch_variants[i]);
		struct bench_result r = watch_run(RING, changes, NULL);
		cr_assert(r.outcome == NET_DONE && r.in_flight == 0, "%s: outcome %d %s", changes, r.outcome,
		          r.message);
	}
	struct bench_result r = watch_run(RING, "engine.audit=true engine.sync=sequential time.measure=1us", NULL);
	cr_assert(r.outcome == NET_DONE, "%s", r.message);
}

/* Switches drawn at random from what the parameters allow: conserved, drained, or refused for a reason. */
Test(tiled_invariants, random_switches)
{
	uint32_t seed = tier_seed(11), draws = tier_draws(SPAN(30, 60));
	for (uint32_t k = 0; k < draws; k++) {
		struct sim_draw a = sim_draw4(seed, k, 0, SIM_DRAW_MODEL, 0),
				b = sim_draw4(seed, k, 1, SIM_DRAW_MODEL, 0);
		static const char *const arbiter[] = { "round-robin", "age", "weighted", "least-recent" };
		static const char *const size[] = { "64B", "333B", "1500B", "4158B" };
		uint32_t rows = 1u << a.v[0] % 4, columns = 1u << a.v[1] % 4,
			 per_tile = (16 + rows * columns - 1) / (rows * columns), vcs = 1 + a.v[3] % 6;
		char changes[900], row[40] = "", column[40] = "", used[200] = "";
		bool grants = a.v[2] & 1, fifo = !grants && (a.v[2] & 2);
		if (!grants || (a.v[2] & 4))
			snprintf(row, sizeof row, "switch.row_buffer=%uB", 4158 + b.v[0] % 9000);
		if (a.v[2] & 8)
			snprintf(column, sizeof column, "switch.column_buffer=%uB", 4158 + b.v[1] % 9000);
		if (grants)
			snprintf(used, sizeof used, "switch.requests=%u switch.grant_limit=%uB switch.grant_arbiter=%s",
			         1 + b.v[2] % 5, 1 + b.v[3] % 9000, arbiter[a.v[0] >> 20 & 3]);
		else
			snprintf(used, sizeof used, "switch.bus_arbiter=%s",
			         fifo && vcs == 1 ? "auto" : arbiter[a.v[3] >> 20 & 3]);
		snprintf(changes, sizeof changes,
		         "topology.ports=16 switch.rows=%u switch.columns=%u switch.ports_per_tile=%u switch.grants=%s "
		         "switch.queues=%s %s %s "
		         "switch.vcs=%u switch.output_buffer=%uB "
		         "switch.speedup=%u.%u switch.width=%uB "
		         "%s switch.crossbar_arbiter=%s switch.column_arbiter=%s switch.spread=%s "
		         "traffic.[0].packet=%s time.drain=true time.warmup=0us time.measure=10us",
		         rows, columns, per_tile, grants ? "on" : "off", fifo ? "fifo" : "voq", row, column, vcs,
		         4158 + b.v[2] % 30000, (a.v[3] >> 8) % 3, 2 + (a.v[3] >> 12) % 8, 1 + (a.v[0] >> 8) % 100,
		         used, arbiter[a.v[1] >> 20 & 3], rows > 1 ? arbiter[a.v[2] >> 20 & 3] : "auto",
		         vcs == 1 || b.v[0] >> 20 & 1 ? "flow" : "packet", size[b.v[1] >> 20 & 3]);
		struct bench_result r = watch_run(WATCH_SINGLE, changes, NULL);
		cr_assert(r.outcome == NET_DONE && r.in_flight == 0 && r.delivered > 100,
		          "seed %u: %s: outcome %d, %llu in flight, %s", seed, changes, r.outcome,
		          (unsigned long long)r.in_flight, r.message);
		cr_assert_eq(watched.latency, watched.pipeline + watched.waits, "seed %u: %s", seed, changes);
	}
}

/* --- faults built in
 * ---------------------------------------------------------------------------------------------------------- */

Test(tiled_invariants, a_grant_without_credit_is_caught)
{
	static const char *const how[] = { "engine.sync=sequential", "engine.sync=optimistic" };
	for (int k = 0; k < 2; k++) {
		char changes[200];
		snprintf(changes, sizeof changes, "switch.fault=no-credit %s switch.buffer=9KB traffic.[0].load=0.9",
		         how[k]);
		struct bench_result r = watch_run(WATCH_NETWORK, changes, NULL);
		cr_expect(r.outcome == NET_FAILED && (strstr(r.message, "do not fit") || strstr(r.message, "credits")),
		          "outcome %d: %s", r.outcome, r.message);
	}
}

/* Lanes by class: what one class takes without credit is missed in its own lane. */
#define TWO_CLASSES                                                                                 \
	"classes=({name=\"a\";priority=1;},{name=\"b\";}) traffic.[0].class=a traffic.[1].class=b " \
	"traffic.[0].load=0.9 "

Test(tiled_invariants, a_grant_without_credit_of_a_lane_is_caught)
{
	struct bench_result r = watch_run(WATCH_NETWORK, TWO_CLASSES "switch.buffer=18KB", NULL);
	cr_expect(r.outcome == NET_DONE, "%s", r.message);
	r = watch_run(WATCH_NETWORK, TWO_CLASSES "switch.fault=no-credit switch.buffer=18KB", NULL);
	cr_expect(r.outcome == NET_FAILED && (strstr(r.message, "do not fit") || strstr(r.message, "credits")),
	          "outcome %d: %s", r.outcome, r.message);
}

/* A byte of the pool is lost with every packet that had bytes of it. */
Test(tiled_invariants, a_leaking_pool_is_caught)
{
	static const char *const pool[] = { "switch.buffer=40KB switch.shared_pool=0.5", TWO_CLASSES
		                            "switch.buffer=60KB switch.shared_pool=0.5 switch.column_buffer=2KiB" };
	for (size_t i = 0; i < sizeof pool / sizeof *pool; i++) {
		char changes[300];
		struct bench_result r = watch_run(WATCH_NETWORK, pool[i], NULL);
		cr_expect(r.outcome == NET_DONE, "%s: %s", pool[i], r.message);
		snprintf(changes, sizeof changes, "%s switch.fault=leak", pool[i]);
		r = watch_run(WATCH_NETWORK, changes, NULL);
		cr_expect(r.outcome == NET_FAILED && strstr(r.message, "credits are not conserved"), "%s: %d %s",
		          changes, r.outcome, r.message);
	}
}

Test(tiled_invariants, a_forgotten_queue_is_caught)
{
	struct bench_result r =
	    watch_run(WATCH_SINGLE, "switch.fault=forget time.drain=true time.measure=10us time.warmup=0us", NULL);
	cr_expect(r.outcome == NET_STALLED, "outcome %d", r.outcome);
	r = watch_run(WATCH_SINGLE, "time.drain=true time.measure=10us time.warmup=0us", NULL);
	cr_expect(r.outcome == NET_DONE, "outcome %d", r.outcome);
}

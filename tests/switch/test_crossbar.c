/* tests/switch/test_crossbar.c - the crossbar switch against switch theory, and what must hold whatever its parameters.
 */
#include "tests/switch/bench.h"
#include "tests/tier.h"

#include <math.h>

/* --- one switch, saturated
 * ----------------------------------------------------------------------------------------------- */

/* FIFO inputs: Karol, Hluchyj & Morgan 1987, table I: exact for N = 2 and 4 (3/4; 0.6553), simulated there for the
 * others, 2 - sqrt 2 for ever more ports. */
Test(crossbar, fifo_inputs_saturate_as_karol_says)
{
	static const struct {
		uint32_t ports;
		double throughput;
	} k[] = { { 2, 0.7500 }, { 4, 0.6553 }, { 8, 0.6184 }, { 16, 0.6013 }, { 64, 0.5900 } };
	for (size_t i = 0; i < sizeof k / sizeof *k; i++) {
		char changes[100];
		snprintf(changes, sizeof changes, "topology.ports=%u time.measure=%uus", k[i].ports,
		         k[i].ports < 16 ? 100 : 30);
		struct bench_result r = bench_run(BENCH_SINGLE, changes);
		cr_expect_float_eq(r.accepted, k[i].throughput, 0.01 * k[i].throughput, "N = %u: %g", k[i].ports,
		                   r.accepted);
	}
}

Test(crossbar, voq_and_islip_carry_uniform_traffic_in_full)
{
	const char *const k[] = { "topology.ports=16 time.warmup=60us switch.iterations=1",
		                  "topology.ports=32 time.warmup=20us switch.iterations=4",
		                  "topology.ports=64 time.warmup=20us switch.iterations=4" };
	for (size_t i = 0; i < sizeof k / sizeof *k; i++) {
		char changes[300];
		snprintf(changes, sizeof changes, "%s switch.inputs=voq switch.buffer=40KB time.measure=10us", k[i]);
		struct bench_result r = bench_run(BENCH_SINGLE, changes);
		cr_expect_geq(r.accepted, 0.99, "%s: %g", k[i], r.accepted);
	}
}

/* One random choice at outputs and one at inputs leave 37 % unmatched; the maximum carries the most whatever the
 * pattern. */
Test(crossbar, allocators_are_ordered_as_expected)
{
	static const char *const patterns[] = { "uniform", "diagonal", "log-diagonal" };
	static const char *const kinds[] = { "pim",       "islip", "separable-input", "separable-output",
		                             "wavefront", "loa",   "select",          "maximum-size" };
	enum { MOST = 7 };
	for (int p = 0; p < 3; p++) {
		double got[MOST + 1];
		for (int a = 0; a <= MOST; a++) {
			char changes[300];
			snprintf(changes, sizeof changes,
			         "switch.inputs=voq switch.buffer=40KB time.warmup=" SPAN(
				     "10us", "20us") " time.measure=" SPAN("10us", "20us") " switch.allocator=%s "
			                                                                   "traffic.[0].pattern=%s",
			         kinds[a], patterns[p]);
			const char *text = BENCH_SINGLE;
			char *other = base_strdup(text), *self = strstr(other, " self = true;");
			if (p > 0)
				memmove(self, self + 13, strlen(self + 13) + 1);
			got[a] = bench_run(other, changes).accepted;
			free(other);
		}
		for (int a = 0; a < MOST; a++)
			cr_expect_leq(got[a], got[MOST] + 0.005, "%s: %s %g, maximum %g", patterns[p], kinds[a], got[a],
			              got[MOST]);
		cr_expect_geq(got[MOST], 0.99, "%s: %g", patterns[p], got[MOST]);
		if (p == 0)
			cr_expect_float_eq(got[0], 0.64, 0.02, "PIM, one iteration: %g", got[0]);
	}
}

/* An internal speed-up of 2 hides head-of-line blocking and the iteration that failed. */
Test(crossbar, speedup_two_carries_all)
{
	cr_expect_geq(bench_run(BENCH_SINGLE, "switch.speedup=2.0 time.measure=20us").accepted, 0.99);
	double limited =
	    bench_run(BENCH_SINGLE, "switch.speedup=2.0 switch.output_buffer=1 time.measure=20us").accepted;
	double more = bench_run(BENCH_SINGLE, "switch.speedup=2.0 switch.output_buffer=8 time.measure=20us").accepted;
	cr_expect(limited < more && more < 0.999, "%g with 1 flit, %g with 8", limited, more);
}

/* A lone packet: terminal link, pipeline, terminal link and the packet's own length (crossbar.h). */
Test(crossbar, zero_load_latency_is_the_sum_of_the_stages)
{
	static const struct {
		const char *changes;
		double ns;
	} k[] = {
		{ "switch.inputs=fifo", 1 + 2 + 1 + 1 },
		{ "switch.inputs=voq", 1 + 2 + 1 + 1 },
		{ "switch.inputs=vc", 1 + 3 + 1 + 1 },
		{ "switch.inputs=vc switch.vc_alloc_delay=0", 1 + 2 + 1 + 1 },
		{ "switch.inputs=vc switch.routing_delay=2 switch.vc_alloc_delay=3 switch.sw_alloc_delay=4 "
		  "switch.st_delay=5",
		  1 + 2 + 3 + 4 + 5 + 1 + 1 },
		{ "switch.inputs=voq switch.routing_delay=2 switch.sw_alloc_delay=4 switch.st_delay=5",
		  1 + 2 + 4 + 5 + 1 + 1 },
		{ "switch.inputs=vc switch.speedup=2.0", 1 + 2 + 1 + 1 }, /* 3 half cycles, then the next whole one */
		{ "switch.inputs=vc traffic.[0].packet=64B", 1 + 3 + 8 + 1 },
		{ "switch.inputs=vc switch.speedup=2.0 traffic.[0].packet=64B",
		  1 + 5 + 8 + 1 }, /* waits until it can pass in 4 ns: 3.5 ns */
	};
	for (size_t i = 0; i < sizeof k / sizeof *k; i++) {
		char changes[300];
		snprintf(changes, sizeof changes, "%s traffic.[0].load=0.0001 traffic.[0].pattern=permutation",
		         k[i].changes);
		char *text = base_strdup(BENCH_SINGLE), *self = strstr(text, " self = true;");
		memmove(self, self + 13, strlen(self + 13) + 1);
		cr_expect_float_eq(bench_run(text, changes).latency_ns, k[i].ns, 1e-6, "%s: %g, expected %g",
		                   k[i].changes, bench_run(text, changes).latency_ns, k[i].ns);
		free(text);
	}
}

/* --- networks of them
 * ---------------------------------------------------------------------------------------------------- */

#define TORUS                                                                                                          \
	"seed = 3; time = { warmup = \"" SPAN("500ns", "1us") "\"; measure = \"" SPAN(                                 \
	    "1us",                                                                                                     \
	    "2us") "\"; }; topology = { kind = \"torus\"; dims = [4, 4]; "                                             \
		   "endpoints = 2; };"                                                                                 \
		   "links = { terminal = { bandwidth = \"64Gbps\"; latency = \"1ns\"; }; default = { bandwidth = "     \
		   "\"64Gbps\"; "                                                                                      \
		   "latency = \"2ns\"; }; };"                                                                          \
		   "switch = { kind = \"crossbar\"; iterations = 2; cycle = \"1ns\"; flit = \"8B\"; buffer = "         \
		   "\"256B\"; vcs = 2; "                                                                               \
		   "};"                                                                                                \
		   "routing = { kind = \"minimal\"; };"                                                                \
		   "traffic = ( { pattern = \"uniform\"; injection = \"bernoulli\"; load = 0.9; packet = \"32B\"; },"  \
		   "            { name = \"small\"; pattern = \"permutation\"; injection = \"poisson\"; load = 0.05; " \
		   "packet = "                                                                                         \
		   "\"8B\"; } );"

static const char *const input_kinds[] = { "fifo", "voq", "vc" };
static const char *const allocator_kinds[] = {
	"islip", "pim", "separable-input", "separable-output", "wavefront", "maximum-size", "loa", "select"
};
static const char *const arbiter_kinds[] = { "round-robin", "age", "weighted", "least-recent" };

/* The same result in any order of execution, with events held back so that rollbacks are certain; audit finds state
 * that is not journaled. */
Test(crossbar, one_digest_under_rollbacks_and_audit)
{
	for (int i = 0; i < 3; i++)
		for (int a = 0; a < 8; a++) {
			char changes[400], other[500];
			bool separable =
			    strstr(allocator_kinds[a], "separable") || strstr(allocator_kinds[a], "select");
			bool select = strstr(allocator_kinds[a], "select") != NULL;
			const char *arbiter = separable ? arbiter_kinds[(i + a) % (select ? 2 : 4)] : "auto";
			bool iterates = separable || a < 2; /* islip, pim */
			const char *weights = strcmp(arbiter, "weighted") ? "" : "switch.weights=[3,1]";
			snprintf(changes, sizeof changes,
			         "switch.inputs=%s switch.allocator=%s switch.arbiter=%s %s switch.iterations=%d "
			         "switch.vcs=%d switch.speedup=%s",
			         input_kinds[i], allocator_kinds[a], arbiter, weights, iterates ? 2 : 1, a % 2 ? 4 : 2,
			         a % 3 ? "1.0" : "1.5");
			struct bench_result plain = bench_run(TORUS, changes);
			cr_assert_gt(plain.delivered, 1000u);
			for (int k = 0; k < 2; k++) {
				if (!EVERY_CASE && k != (i + a) % 2)
					continue;
				snprintf(other, sizeof other, "%s %s", changes,
				         k ? "engine.sync=optimistic engine.stress=15"
				           : "engine.sync=sequential engine.audit=true");
				cr_expect_eq(bench_run(TORUS, other).digest, plain.digest, "%s", other);
			}
		}
}

/* Nothing is lost, doubled or left: a drained network has delivered all; and with one lane a class, packets of one pair
 * keep their order. */
Test(crossbar, drains_and_keeps_order)
{
	for (int i = 0; i < 3; i++)
		for (int speedup = 1; speedup <= 2; speedup++) {
			char changes[300];
			struct bench_packets packets = { 0 };
			snprintf(changes, sizeof changes, /* odd rings: one shortest way for every pair */
			         "topology.dims=[5,5] switch.inputs=%s switch.speedup=%d.0 switch.output_speedup=%d "
			         "%s time.drain=true record.packets=true",
			         input_kinds[i], speedup, speedup, speedup > 1 ? "switch.output_buffer=6" : "");
			struct bench_result r = bench_run_with(TORUS, changes, NULL, &packets);
			cr_assert(r.outcome == NET_DONE, "%s: %s", changes, r.message);
			cr_expect(r.in_flight == 0 && r.queued == 0, "%s: %lu in flight, %lu queued", changes,
			          (unsigned long)r.in_flight, (unsigned long)r.queued);
			static uint32_t last[2][50][50];
			memset(last, 0, sizeof last);
			for (size_t k = 0; k < packets.n; k++) {
				const struct net_packet_record *p = &packets.v[k];
				uint32_t *before = &last[p->job][p->src][p->dst];
				cr_assert(p->seq + 1 > *before, "%s: packet %u of %u to %u after packet %u", changes,
				          p->seq, p->src, p->dst, *before - 1);
				*before = p->seq + 1;
			}
			cr_expect_eq(packets.n, r.delivered);
			free(packets.v);
		}
}

/* Every cycle in which an output has nothing to send although a packet for it could go is throughput lost: with VOQs
 * and a maximal matching, light loads are carried exactly. */
Test(crossbar, carries_what_is_offered_below_saturation)
{
	for (int a = 0; a < 6; a++) {
		char changes[200];
		snprintf(
		    changes, sizeof changes,
		    "switch.inputs=voq switch.allocator=%s traffic.[0].load=0.5 switch.buffer=40KB time.drain=true",
		    allocator_kinds[a]);
		struct bench_result r = bench_run(BENCH_SINGLE, changes);
		cr_expect(r.queued == 0 && fabs(r.accepted - 0.5) < 0.005, "%s: %g", allocator_kinds[a], r.accepted);
	}
}

static void refused(const char *changes, const char *key, const char *part)
{
	struct base_registry registry = { 0 };
	struct base_errors errors = { 0 };
	struct xp_config config = { 0 };
	const char *sets[] = { changes };
	xp_register_builtin(&registry);
	int status = xp_config_parse(&config, TORUS, strlen(TORUS), "test", NULL,
	                             &(struct xp_sets){ .v = sets, .n = 1 }, XP_WHOLE, &registry, &errors);
	struct net_setup setup = {
		.config = &config.net, .registry = &registry, .build_traffic = wl_build, .destroy_traffic = wl_destroy
	};
	if (!status)
		status = net_check(&setup, &errors);
	cr_assert_eq(status, -1, "%s", changes);
	cr_expect(strstr(errors.v[0].key, key) && strstr(errors.v[0].text, part), "%s: %s: %s", changes,
	          errors.v[0].key, errors.v[0].text);
	xp_config_free(&config);
	base_errors_free(&errors);
	base_registry_free(&registry);
}

Test(crossbar, impossible_parameters_are_refused)
{
	refused("switch.buffer=\"60B\"", "switch.buffer", "one packet");
	refused("switch.terminal_buffer=\"31B\"", "switch.terminal_buffer", "too few");
	refused("switch={kind=\"crossbar\";speedup=2;output_buffer=3;}", "switch.output_buffer", "largest packet");
	refused("switch.any_vc=true", "switch.any_vc", "routing.unsafe");
	refused("switch.injection_vcs=3", "switch.injection_vcs", "more than the 2 virtual channels");
	refused("switch={kind=\"crossbar\";ejection_vcs=9;}", "switch.ejection_vcs", "virtual channels");
	refused("switch={kind=\"crossbar\";arbiter=\"weighted\";weights=[0];}", "switch.weights", "from 1");
	refused("switch={kind=\"crossbar\";allocator=\"select\";arbiter=\"least-recent\";}", "switch.arbiter",
	        "allocator \"select\" takes");
	refused("topology.endpoints=300", "switch", "at most 256");
	refused("switch={kind=\"crossbar\";cycle=\"1ps\";speedup=4.0;}", "switch.speedup", "cannot be divided");
}

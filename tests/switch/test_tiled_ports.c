/* tests/switch/test_tiled_ports.c - tiled switches of up to 512 ports, 128 of them in a row: sets of two words. */
#include "tests/switch/bench.h"
#include "tests/switch/tiled_watch.h"

#define PORTS 512

#define SINGLE                                                                                                       \
	"seed = 1; time = { warmup = \"2us\"; measure = \"4us\"; }; topology = { kind = \"single\"; ports = 512; };" \
	"links = { terminal = { bandwidth = \"400Gbps\"; latency = \"13ns\"; }; };"                                  \
	"switch = { kind = \"watched\"; speedup = 1.536; buffer = \"64KiB\"; }; routing = { kind = \"minimal\"; };"  \
	"traffic = ( { pattern = \"uniform\"; load = 0.9; packet = \"512B\"; } );"

/* Two switches: both words of a row have network ports and terminals. */
#define PAIR                                                                                                           \
	"seed = 7; time = { warmup = \"0us\"; measure = \"2us\"; };"                                                   \
	"topology = { kind = \"dragonfly\"; p = 60; a = 1; h = 60; g = 2; };"                                          \
	"links = { default = { bandwidth = \"400Gbps\"; latency = \"50ns\"; }; terminal = { bandwidth = \"400Gbps\"; " \
	"latency = \"13ns\"; }; };"                                                                                    \
	"switch = { kind = \"watched\"; speedup = 1.536; buffer = \"16KiB\"; }; routing = { kind = \"minimal\"; };"    \
	"traffic = ( { pattern = \"uniform\"; load = 0.6; packet = \"512B\"; },"                                       \
	"            { pattern = \"uniform\"; load = 0.3; packet = \"2KB\"; name = \"large\"; } );"

#define LONG "switch.rows=4 switch.columns=32 switch.ports_per_tile=4" /* 128 in a row */
#define SHORT "switch.rows=16 switch.columns=32 switch.ports_per_tile=1"

static const char *const variants[] = {
	LONG,
	SHORT,
	LONG " switch.grant_arbiter=round-robin switch.crossbar_arbiter=age",
	LONG " switch.grant_arbiter=least-recent switch.crossbar_arbiter=drr switch.column_arbiter=age",
	LONG " switch.grant_arbiter=drr switch.row_buffer=4KiB",
	LONG " switch.grant_arbiter=weighted switch.weights=[1,2,3] switch.column_buffer=4KiB",
	LONG " switch.grants=off switch.row_buffer=4KiB switch.queues=fifo",
	LONG " switch.grants=off switch.row_buffer=4KiB switch.column_buffer=4KiB switch.queues=fifo "
	     "switch.crossbar_arbiter=age",
};
#define VARIANTS (sizeof variants / sizeof *variants)

Test(tiled_ports, everything_arrives_through_512_ports)
{
	for (size_t i = 0; i < VARIANTS; i++) {
		char changes[400];
		snprintf(changes, sizeof changes, "%s time.drain=true", variants[i]);
		struct bench_result r = watch_run(SINGLE, changes, NULL);
		cr_assert(r.outcome == NET_DONE && !r.in_flight && !r.queued, "%s: %s", changes, r.message);
		cr_assert(r.delivered > PORTS * 4ul, "%s: %llu packets", changes, (unsigned long long)r.delivered);
		cr_assert_eq(watched.latency, watched.pipeline + watched.waits, "%s", changes);
	}
}

/* VOQ without grants: as many queues an input as there are ports. */
Test(tiled_ports, voq_without_grants_has_512_queues)
{
	struct bench_result r =
	    watch_run(SINGLE, LONG " switch.grants=off switch.row_buffer=4KiB time.measure=2us time.drain=true", NULL);
	cr_assert(r.outcome == NET_DONE && !r.in_flight && !r.queued && r.delivered > PORTS, "%s", r.message);
}

/* With grants nothing inside is a bottleneck at speed-up 1.536: what is offered passes, whatever the cut, and no port's
 * share depends on the half of the row it sits in. */
Test(tiled_ports, what_is_offered_passes)
{
	static const char *const cut[] = { LONG, SHORT };
	for (int k = 0; k < 2; k++) {
		char changes[300];
		snprintf(changes, sizeof changes, "%s time.warmup=10us time.measure=10us time.drain=false", cut[k]);
		struct bench_result r = watch_run(SINGLE, changes, NULL);
		cr_expect_float_eq(r.accepted, 0.9, 0.01, "%s: %f", cut[k], r.accepted);
		snprintf(changes, sizeof changes,
		         "%s time.warmup=5us time.measure=10us time.drain=false traffic.[0].pattern=permutation "
		         "traffic.[0].load=1.0",
		         cut[k]);
		r = watch_run(SINGLE, changes, NULL);
		cr_expect_float_eq(r.accepted, 1.0, 0.02, "%s: %f", cut[k], r.accepted);
	}
}

/* One row of 128 inputs, all of which want one output: round robin gives each as much, to a packet. */
Test(tiled_ports, both_words_of_a_row_are_served_alike)
{
	static const char *const arbiter[] = { "round-robin", "least-recent", "age", "drr" };
	for (int k = 0; k < 4; k++) {
		struct bench_packets p = { 0 };
		uint32_t packets[PORTS] = { 0 }, least = UINT32_MAX, most = 0;
		char changes[400];
		snprintf(changes, sizeof changes,
		         LONG " switch.grant_arbiter=%s traffic.[0].pattern=incast traffic.[0].target=300 "
		              "traffic.[0].nodes=\"0-127,300\" traffic.[0].load=0.1 traffic.[0].injection=periodic "
		              "time.warmup=0us time.measure=60us time.drain=false record.packets=true",
		         arbiter[k]);
		struct bench_result r = watch_run(SINGLE, changes, &p);
		cr_assert(r.outcome == NET_DONE, "%s", r.message);
		for (size_t i = 0; i < p.n; i++)
			packets[p.v[i].src]++;
		for (uint32_t i = 0; i < 128; i++) {
			least = packets[i] < least ? packets[i] : least;
			most = packets[i] > most ? packets[i] : most;
		}
		/* 60 us of the link are 5,859 packets, 45 each */
		cr_expect(least >= 40 && most <= 50, "%s: %u to %u packets", arbiter[k], least, most);
		free(p.v);
	}
}

Test(tiled_ports, one_digest_under_every_scheduler)
{
	static const char *const how[] = { "engine.sync=conservative", "engine.sync=optimistic engine.stress=30",
		                           ("engine.audit=true engine.sync=sequential time.measure=100ns "
		                            "time.drain=false") };
	for (size_t i = 0; i < VARIANTS; i++)
		for (int k = 0; k < 3; k++) {
			const char *cut =
			    strstr(variants[i], SHORT) ? "" : "switch.rows=2 switch.columns=22"; /* 88 a row */
			char changes[400];
			snprintf(changes, sizeof changes, "%s %s", variants[i], cut);
			struct bench_result one = k < 2 ? watch_run(PAIR, changes, NULL) : (struct bench_result){ 0 };
			cr_assert(k == 2 || one.delivered > 5000, "%s: %s", changes, one.message);
			snprintf(changes, sizeof changes, "%s %s %s", variants[i], cut, how[k]);
			struct bench_result r = watch_run(PAIR, changes, NULL);
			cr_assert(r.outcome == NET_DONE && (k == 2 || r.digest == one.digest), "%s: %s", changes,
			          r.message);
		}
}

/* 64 endpoints talk on a switch of 64 ports, whose requests of an instant are told apart by one word, and on larger
 * ones: what the others do not do makes no difference. */
Test(tiled_ports, idle_ports_make_no_difference)
{
	static const char *const arbiters[] = { "age", "round-robin", "least-recent", "drr" };
	static const unsigned ports[] = { 64, 65, 128 };
	for (size_t a = 0; a < sizeof arbiters / sizeof *arbiters; a++)
		for (int tight = 0; tight < 2; tight++) {
			uint64_t digest[3];
			for (size_t i = 0; i < 3; i++) {
				char text[600];
				snprintf(
				    text, sizeof text,
				    "seed = 2; time = { warmup = \"0us\"; measure = \"4us\"; }; topology = { kind = "
				    "\"single\"; ports = %u; }; switch = { kind = \"tiled\"; preset = \"successor\"; "
				    "grant_arbiter = \"%s\"; %s }; routing = { kind = \"minimal\"; }; traffic = ( { "
				    "pattern "
				    "= \"uniform\"; load = 0.8; packet = [\"64B\", \"512B\"]; nodes = \"0-63\"; } );",
				    ports[i], arbiters[a],
				    tight ? "buffer = \"64KiB\"; column_buffer = \"4KiB\";" : "");
				struct bench_result r = bench_run(text, "");
				cr_assert(r.outcome == NET_DONE && r.delivered > 1000, "%s: %s", text, r.message);
				digest[i] = r.digest;
			}
			cr_expect(digest[0] == digest[1] && digest[0] == digest[2], "%s: %lx, %lx, %lx", arbiters[a],
			          digest[0], digest[1], digest[2]);
		}
}

Test(tiled_ports, more_are_refused)
{
	static const struct {
		struct tiled_params p;
		uint32_t ports;
		const char *key, *text;
	} bad[] = {
		{ { .rows = 8, .columns = 32, .ports_per_tile = 4 },
		  512,
		  "columns",
		  "8 x 32 tiles of 4 ports are too many: at most 512 ports, and 128 ports in a row of tiles, are "
		  "supported" },
		{ { .rows = 2, .columns = 43, .ports_per_tile = 3 },
		  200,
		  "columns",
		  "2 x 43 tiles of 3 ports are too many: at most 512 ports, and 128 ports in a row of tiles, are "
		  "supported" },
		{ { .rows = 4, .columns = 32, .ports_per_tile = 4 },
		  513,
		  "ports_per_tile",
		  "4 x 32 tiles of 4 ports make 512, but this topology needs switches of 513" },
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct tiled_params p = bad[i].p;
		struct sw_common common = { .params = &p,
			                    .vcs = 1,
			                    .route_vcs = 1,
			                    .lanes = { 1, 1, 1, 0, 0, 0 },
			                    .max_packet = 512,
			                    .max_terminals = bad[i].ports,
			                    .max_ports = bad[i].ports };
		struct base_errors errors = { 0 };
		p.requests = p.request_width = p.grant_width = 1;
		p.flow_threshold = 1;
		p.flow_route = 2000000;
		cr_assert_eq(tiled_build(&common, &errors), -1);
		cr_expect_str_eq(errors.v[errors.n - 1].key, bad[i].key);
		cr_expect_str_eq(errors.v[errors.n - 1].text, bad[i].text);
		base_errors_free(&errors);
	}
}

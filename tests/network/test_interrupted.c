/* tests/network/test_interrupted.c - what an interrupted run tells is what a run tells that was to end where it has
 * come to. */
#include "base/units.h"
#include "tests/network/cases.h"
#include "tests/network/fixture.h"
#include "tests/network/instruments.h"
#include "tests/network/units.h"

#define RECORDS "record = { timeline = \"10us\"; ports = true; packets = true; activity = true; %s };"
#define TO_BE_LONG(drain) "time = { warmup = \"1us\"; measure = \"4ms\"; drain = " drain "; };"

static const char *const networks[] = {
	SLIMFLY EQUAL SWITCH("100KB", "") UNIFORM("0.6") ROUTING("minimal"),
	SLIMFLY EQUAL SWITCH("8KB", "") WORST("0.9") UGAL("ugal-l"), /* saturated */
	DRAGONFLY MIXED SWITCH("10KB", "forwarding = \"store-and-forward\";") UNIFORM("0.5") ROUTING("minimal"),
	DRAGONFLY MIXED SWITCH("20KB", "")
	    WORST("0.4") "routing = { kind = \"ugal-g\"; bias = \"0B\"; publish_delay = \"500ns\"; };",
	TORUS EQUAL SWITCH("9KB", "") JOBS ROUTING("minimal"),
	TORUS EQUAL SWITCH("9KB", "") LOOPS ROUTING("minimal"),
	TORUS EQUAL SWITCH("4KB", "") INCAST ROUTING("minimal") GRANTS,
	DRAGONFLY MIXED OUTPUTS("ecn = true;") UNIFORM("0.5") ROUTING("minimal"),
	DRAGONFLY MIXED "switch = { kind = \"crossbar\"; };" UNIFORM("0.5") ROUTING("minimal"),
	DRAGONFLY MIXED "switch = { kind = \"tiled\"; rows = 2; columns = 2; ports_per_tile = 2; };" WORST("0.5")
	    ROUTING("slingshot"),
};
#define NETWORKS (sizeof networks / sizeof *networks)

static enum sim_wish until(void *arg, uint64_t committed, uint64_t end, uint64_t events)
{
	(void)end;
	(void)events;
	return committed < *(const uint64_t *)arg ? SIM_GO_ON : SIM_END_AT_PAUSE;
}

static bool instruments_of(const char *network)
{
	return strstr(network, "tiled") || strstr(network, "crossbar") || strstr(network, "output-queued");
}

struct port_sums {
	uint64_t packets, bytes, waits;
	double mean_bytes, in_use;
};

static void add_port(void *arg, const struct net_port_record *p)
{
	struct port_sums *s = arg;
	s->packets += p->packets;
	s->bytes += p->bytes;
	s->in_use += p->utilization;
	for (uint32_t k = 0; k < p->vcs; k++) {
		s->waits += p->vc_waits[k];
		s->mean_bytes += p->vc_mean_bytes[k];
	}
}

static void add_bin(void *arg, const struct net_timeline_bin *b)
{
	uint64_t *h = arg;
	const uint64_t v[6] = { b->created, b->injected, b->delivered, b->created_bytes, b->delivered_bytes, b->hops };
	for (int i = 0; i < 6; i++)
		*h = readings_mix(*h, v[i]);
}

static void add_activity(void *arg, const struct net_activity *a)
{
	uint64_t *h = arg;
	for (uint32_t i = 0; i < a->bins; i++) {
		*h = readings_mix(*h, a->endpoint_sends[i]);
		*h = readings_mix(*h, a->endpoint_receives[i]);
		*h = readings_mix(*h, a->switch_sends[i]);
		*h = readings_mix(*h, a->switch_receives[i]);
	}
}

static void same_records(struct netrun *x, struct netrun *y, const char *what)
{
	struct port_sums a = { 0 }, b = { 0 };
	uint64_t bins[2] = { 0 };
	net_each_port(x->net, add_port, &a);
	net_each_port(y->net, add_port, &b);
	cr_expect(a.packets == b.packets && a.bytes == b.bytes && a.waits == b.waits,
	          "ports: %lu packets, %lu bytes, %lu waits, not %lu, %lu, %lu: %s", a.packets, a.bytes, a.waits,
	          b.packets, b.bytes, b.waits, what);
	cr_expect_float_eq(a.in_use, b.in_use, 1e-9 * b.in_use, "in use %.12g, not %.12g: %s", a.in_use, b.in_use,
	                   what);
	/* a packet under transmission at the end is cut there to within 1,024 ps */
	cr_expect_float_eq(a.mean_bytes, b.mean_bytes, 1e-4 * b.mean_bytes, "%g bytes, not %g: %s", a.mean_bytes,
	                   b.mean_bytes, what);
	net_each_timeline(x->net, add_bin, &bins[0]);
	net_each_timeline(y->net, add_bin, &bins[1]);
	cr_expect(bins[0] == bins[1], "time line: %s", what);
	bins[0] = bins[1] = 0;
	net_each_activity(x->net, add_activity, &bins[0]);
	net_each_activity(y->net, add_activity, &bins[1]);
	cr_expect(bins[0] == bins[1], "activity: %s", what);
}

static void same_flow(const struct net_flow *a, const struct net_flow *b, const char *what)
{
	const uint64_t v[][2] = {
		{ a->created, b->created },
		{ a->injected, b->injected },
		{ a->delivered, b->delivered },
		{ a->in_flight, b->in_flight },
		{ a->queued, b->queued },
		{ a->measured, b->measured },
		{ a->measured_delivered, b->measured_delivered },
		{ a->latency.n, b->latency.n },
		{ a->message_latency.n, b->message_latency.n },
		{ a->iteration.n, b->iteration.n },
		{ a->latency.min, b->latency.min },
		{ a->latency.max, b->latency.max },
		{ a->network_latency.min, b->network_latency.min },
		{ a->network_latency.max, b->network_latency.max },
		{ a->network_latency.p50, b->network_latency.p50 },
		{ a->message_latency.max, b->message_latency.max },
		{ a->hops_max, b->hops_max },
	};
	for (size_t i = 0; i < sizeof v / sizeof *v; i++)
		cr_expect_eq(v[i][0], v[i][1], "%s, value %zu: %lu, not %lu: %s", a->name, i, v[i][0], v[i][1], what);
	cr_expect_eq(a->accepted_load, b->accepted_load, "%.12g, not %.12g: %s", a->accepted_load, b->accepted_load,
	             what);
	cr_expect_eq(a->offered_load, b->offered_load, "%.12g, not %.12g: %s", a->offered_load, b->offered_load, what);
	cr_expect_eq(a->latency.mean, b->latency.mean, "%.12g, not %.12g: %s", a->latency.mean, b->latency.mean, what);
	cr_expect_eq(a->latency.p99, b->latency.p99, "%lu, not %lu: %s", a->latency.p99, b->latency.p99, what);
}

/* Interrupted at the first look at or after `at`. */
static void is_as_if_planned_at(const char *network, const char *time, const char *engine, const char *record,
                                uint64_t at)
{
	struct netrun x = { .progress = until, .progress_arg = &at }, y = { 0 };
	char text[4000], end[48], records[200], what[4100];
	bool switches = *record && instruments_of(network);
	snprintf(records, sizeof records, record, switches ? "switch = true;" : "");
	snprintf(text, sizeof text, "seed = 5; %s %s %s %s", network, time, records, engine);
	snprintf(what, sizeof what, "%s %s", time, text);
	cr_assert(netrun_build(&x, NULL, text), "%s: %s", netrun_error(&x), text);
	cr_assert_eq(netrun_go(&x), NET_INTERRUPTED, "outcome %d %s: %s", (int)x.outcome, netrun_error(&x), text);
	cr_assert(!x.r->complete && x.r->reached_ps >= at);
	base_print_quantity(BASE_TIME, x.r->reached_ps - 1000000, end, sizeof end);
	snprintf(text, sizeof text, "seed = 5; %s time = { warmup = \"1us\"; measure = \"%s\"; drain = false; }; %s %s",
	         network, end, records, engine);
	run(&y, "%s", text);
	cr_expect_eq(x.r->reached_ps, y.r->reached_ps);
	cr_expect_eq(x.r->measured_to_ps, y.r->measured_to_ps);
	cr_expect_eq(x.r->digest, y.r->digest, "%016lx, not %016lx: %s", x.r->digest, y.r->digest, what);
	cr_expect_eq(x.r->packet_hops, y.r->packet_hops, "%lu hops, not %lu: %s", x.r->packet_hops, y.r->packet_hops,
	             what);
	same_flow(&x.r->total, &y.r->total, what);
	for (uint32_t j = 0; j < x.r->njobs; j++)
		same_flow(&x.r->jobs[j], &y.r->jobs[j], what);
	if (*record)
		same_records(&x, &y, what);
	if (switches) {
		struct readings a = { 0 }, b = { 0 };
		net_each_switch(x.net, readings_take, &a);
		net_each_switch(y.net, readings_take, &b);
		cr_expect_gt(a.switches, 0);
		cr_expect(a.hash == b.hash && a.packets == b.packets,
		          "instruments: %lu packets, %lu held, %lu in use, not %lu, %lu, %lu: %s", a.packets, a.held,
		          a.in_use, b.packets, b.held, b.in_use, what);
	}
	netrun_free(&x);
	netrun_free(&y);
}

static void is_as_if_planned(const char *network, const char *time, const char *engine)
{
	is_as_if_planned_at(network, time, engine, RECORDS, 10000000);
}

Test(interrupted, run_is_as_if_planned)
{
	for (size_t i = 0; i < NETWORKS; i++)
		is_as_if_planned(networks[i], TO_BE_LONG("false"), "");
}

Test(interrupted, run_that_would_drain_is_as_if_planned)
{
	for (size_t i = 0; i < NETWORKS; i++)
		is_as_if_planned(networks[i], i % 2 ? TO_BE_LONG("\"auto\"") : TO_BE_LONG("true"), "");
}

Test(interrupted, run_is_as_if_planned_whatever_runs_it)
{
	static const char *const engines[] = {
		"engine = { sync = \"conservative\"; };",
		"engine = { sync = \"optimistic\"; };",
		"engine = { sync = \"optimistic\"; stress = 20; };",
		"engine = { sync = \"optimistic\"; window = \"200ns\"; };",
		"engine = { sync = \"sequential\"; audit = true; };",
		"engine = { threads = 3; };",
		"engine = { sync = \"sequential\"; window = \"7ns\"; };",
		"engine = { sync = \"sequential\"; window = \"19997ps\"; };",
	};
	for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
		is_as_if_planned(networks[i % 3], TO_BE_LONG("false"), engines[i]);
		is_as_if_planned(networks[(i + 1) % 3], TO_BE_LONG("\"auto\""), engines[i]);
	}
}

/* Without records of ports and switches a run ends where its ranks are next, at drawn instants as anywhere. */
Test(interrupted, run_without_records_ends_at_any_window)
{
	static const char *const engines[] = {
		"engine = { sync = \"sequential\"; };",
		"engine = { sync = \"optimistic\"; };",
		"engine = { sync = \"optimistic\"; stress = 20; };",
		"engine = { sync = \"optimistic\"; window = \"200ns\"; };",
		"engine = { threads = 2; };",
		"engine = { sync = \"sequential\"; window = \"19997ps\"; };",
	};
	/* gaps of 800 windows, far behind the ring; messages, whose packets come one after the other */
	static const char *const more[] = {
		TORUS EQUAL SWITCH("9KB", "") UNIFORM("0.0005") ROUTING("minimal"),
		TORUS EQUAL SWITCH("9KB", "")
		    ROUTING("minimal") "traffic = ( { name = \"a\"; pattern = \"uniform\"; load = "
				       "0.3; packet = \"256B\"; message = \"5KB\"; } );",
	};
	uint64_t random = 88172645463325252;
	for (size_t i = 0; i < 36; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		size_t k = i % (NETWORKS + 2);
		const char *record = i % 3 ? "" : "record = { timeline = \"700ns\"; packets = true; %s };";
		bool seldom = k == NETWORKS;
		is_as_if_planned_at(k < NETWORKS ? networks[k] : more[k - NETWORKS],
		                    seldom  ? "time = { warmup = \"1us\"; measure = \"4000ms\"; drain = false; };"
		                    : i % 2 ? TO_BE_LONG("false")
		                            : TO_BE_LONG("\"auto\""),
		                    engines[i % (sizeof engines / sizeof *engines)],
		                    *record && !instruments_of(networks[k % NETWORKS]) ? record : "",
		                    2000000 + random % 10000000);
	}
}

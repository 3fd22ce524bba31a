/* tests/network/test_legs.c - runs that pause: what they count is what a run counts that ends at the same time, or
 * measures the same window, without ever pausing. */
#include "base/units.h"
#include "tests/network/cases.h"
#include "tests/network/fixture.h"
#include "tests/network/instruments.h"
#include "tests/network/units.h"
#include "tests/tier.h"

#define AUTO "time = { warmup = \"1us\"; measure = \"4us\"; drain = \"auto\"; };"
#define KNOWN(p) "time = { precision = \"" p "\"; limit = \"60us\"; };"
#define RECORDS "record = { timeline = \"700ns\"; ports = true; packets = true; activity = true; };"

static const char *const networks[] = {
	SLIMFLY EQUAL SWITCH("100KB", "") UNIFORM("0.6") ROUTING("minimal"),
	SLIMFLY EQUAL SWITCH("100KB", "") WORST("0.9") ROUTING("minimal"), /* saturated, buffers fill */
	SLIMFLY EQUAL SWITCH("8KB", "") UNIFORM("0.3") UGAL("ugal-g"),
	DRAGONFLY MIXED SWITCH("20KB", "") UNIFORM("0.4") "routing = { kind = \"slingshot\"; bias = \"0B\"; };",
	DRAGONFLY MIXED SWITCH("10KB", "forwarding = \"store-and-forward\";") UNIFORM("0.5") ROUTING("minimal"),
	DRAGONFLY MIXED SWITCH("10KB", "") BURSTS ROUTING("valiant"),
	TORUS EQUAL SWITCH("9KB", "") LASTING ROUTING("minimal"),
	TORUS EQUAL "switch = { kind = \"tiled\"; rows = 2; columns = 2; ports_per_tile = 2; };" UNIFORM("0.2")
	    ROUTING("minimal"),
};
#define NETWORKS (sizeof networks / sizeof *networks)

struct sums {
	uint64_t timeline[6], ports[2], activity[4], waits;
	double mean_bytes;
};

static void add_bin(void *arg, const struct net_timeline_bin *b)
{
	struct sums *s = arg;
	const uint64_t v[6] = { b->created, b->injected, b->delivered, b->created_bytes, b->delivered_bytes, b->hops };
	for (int i = 0; i < 6; i++)
		s->timeline[i] += v[i];
}

static void add_port(void *arg, const struct net_port_record *p)
{
	struct sums *s = arg;
	s->ports[0] += p->packets;
	s->ports[1] += p->bytes;
	for (uint32_t k = 0; k < p->vcs; k++) {
		s->waits += p->vc_waits[k];
		s->mean_bytes += p->vc_mean_bytes[k];
	}
}

static void add_activity(void *arg, const struct net_activity *a)
{
	struct sums *s = arg;
	for (uint32_t i = 0; i < a->bins; i++) {
		s->activity[0] += a->endpoint_sends[i];
		s->activity[1] += a->endpoint_receives[i];
		s->activity[2] += a->switch_sends[i];
		s->activity[3] += a->switch_receives[i];
	}
}

static struct sums sums_of(struct netrun *x)
{
	struct sums s = { 0 };
	net_each_timeline(x->net, add_bin, &s);
	net_each_port(x->net, add_port, &s);
	net_each_activity(x->net, add_activity, &s);
	return s;
}

static void same_sums(struct netrun *x, struct netrun *y, const char *what)
{
	struct sums a = sums_of(x), b = sums_of(y);
	for (int i = 0; i < 6; i++)
		cr_expect_eq(a.timeline[i], b.timeline[i], "time line %d: %lu, not %lu; %s", i, a.timeline[i],
		             b.timeline[i], what);
	for (int i = 0; i < 2; i++)
		cr_expect_eq(a.ports[i], b.ports[i], "ports %d: %lu, not %lu; %s", i, a.ports[i], b.ports[i], what);
	for (int i = 0; i < 4; i++)
		cr_expect_eq(a.activity[i], b.activity[i], "activity %d: %lu, not %lu; %s", i, a.activity[i],
		             b.activity[i], what);
	/* a packet under transmission at the end is cut there to within 1,024 ps */
	cr_expect_float_eq(a.mean_bytes, b.mean_bytes, 0.01 * b.mean_bytes, "%g, not %g; %s", a.mean_bytes,
	                   b.mean_bytes, what);
}

/* Digest and all counters of a run with pauses are those of a plain run that ends when it did. */
static void ends_as_if_planned(const char *network, const char *time, const char *more)
{
	struct netrun x = { 0 }, y = { 0 };
	char end[48];
	run(&x, "%s %s %s %s", network, time, RECORDS, more);
	base_print_quantity(BASE_TIME, x.r->reached_ps, end, sizeof end);
	run(&y, "%s time = { warmup = \"0ns\"; measure = \"%s\"; drain = false; }; %s %s", network, end, RECORDS, more);
	cr_expect_eq(x.r->digest, y.r->digest, "%016lx, not %016lx at %s: %s %s", x.r->digest, y.r->digest, end,
	             network, more);
	cr_expect_eq(x.r->packet_hops, y.r->packet_hops, "%lu hops, not %lu", x.r->packet_hops, y.r->packet_hops);
	same_sums(&x, &y, network);
	struct packets a = packets_of(&x), b = packets_of(&y);
	cr_expect_eq(a.n, b.n);
	for (size_t i = 0; i < a.n && i < b.n; i++)
		if (a.v[i].src != b.v[i].src || a.v[i].seq != b.v[i].seq || a.v[i].delivered != b.v[i].delivered)
			cr_assert(false, "packet %zu differs: %s", i, network);
	free(a.v);
	free(b.v);
	netrun_free(&x);
	netrun_free(&y);
}

Test(legs, drained_run_ends_as_if_planned)
{
	for (size_t i = 0; i < NETWORKS; i++)
		ends_as_if_planned(networks[i], AUTO, "");
}

Test(legs, precise_run_ends_as_if_planned)
{
	ends_as_if_planned(networks[0], "time = { warmup = \"3333ns\"; precision = \"5%\"; limit = \"60us\"; };", "");
	ends_as_if_planned(networks[5], "time = { warmup = \"3333ns\"; precision = \"5%\"; limit = \"60us\"; };", "");
	for (size_t i = 0; i < NETWORKS; i++)
		ends_as_if_planned(networks[i], KNOWN("5%"), "");
	ends_as_if_planned(networks[0], KNOWN("5%"), "engine = { threads = 2; };");
	ends_as_if_planned(networks[4], KNOWN("5%"), "engine = { sync = \"sequential\"; audit = true; };");
}

/* Windows below the lookahead: a half of it, a quarter, ... */
Test(legs, narrow_windows_change_nothing)
{
	ends_as_if_planned(networks[0], AUTO, "engine = { sync = \"sequential\"; window = \"7ns\"; };");
	ends_as_if_planned(networks[1], AUTO, "engine = { sync = \"conservative\"; window = \"700ps\"; };");
	ends_as_if_planned(networks[4], KNOWN("5%"), "engine = { sync = \"optimistic\"; window = \"3ns\"; };");
}

/* The latencies of the window that a run with precision has found are those of a run that is told the window. */
Test(legs, precise_numbers_are_those_of_the_window)
{
	for (size_t i = 0; i < NETWORKS; i++) {
		struct netrun x = { 0 }, y = { 0 };
		char from[48], length[48];
		run(&x, "%s %s", networks[i], KNOWN("5%"));
		base_print_quantity(BASE_TIME, x.r->measured_from_ps, from, sizeof from);
		base_print_quantity(BASE_TIME, x.r->measured_to_ps - x.r->measured_from_ps, length, sizeof length);
		run(&y, "%s time = { warmup = \"%s\"; measure = \"%s\"; drain = \"auto\"; };", networks[i], from,
		    length);
		const struct net_flow *a = &x.r->total, *b = &y.r->total;
		cr_expect_float_eq(a->accepted_load, b->accepted_load, 1e-15, "case %zu", i);
		cr_expect_float_eq(a->offered_load, b->offered_load, 1e-15, "case %zu", i);
		if (x.r->estimates->stationarity == SIM_STATIONARY) {
			cr_expect_eq(a->measured, b->measured);
			cr_expect_eq(a->measured_delivered, a->measured, "all have arrived");
			cr_expect_float_eq(a->latency.mean, b->latency.mean, 1e-9 * b->latency.mean,
			                   "case %zu: %g, not %g", i, a->latency.mean, b->latency.mean);
			cr_expect_eq(a->latency.p99, b->latency.p99);
			cr_expect_eq(a->network_latency.p50, b->network_latency.p50);
			cr_expect_float_eq(a->hops_mean, b->hops_mean, 1e-12);
			cr_expect_leq(a->latency.min, b->latency.min);
			cr_expect_geq(a->latency.max, b->latency.max);
		} else {
			cr_expect_eq(a->latency.n, 0, "no latency of a network that is not stationary");
		}
		netrun_free(&x);
		netrun_free(&y);
	}
}

/* So are iterations and messages of processes: those that ended in it, and those that were posted in it. */
Test(legs, precise_numbers_of_processes_are_those_of_the_window)
{
#define ONE(kind) \
	TORUS EQUAL SWITCH("9KB", "") ROUTING("minimal") "traffic = ( { process = " kind "; packet = \"256B\"; } );"
	static const char *const processes[] = {
		ONE("\"window\"; outstanding = 1; size = \"4KB\""),
		ONE("\"ping-pong\"; size = \"8B\""),
		ONE("\"request-response\"; size = \"1KB\""),
		ONE("\"allreduce\"; size = \"600B\""),
		ONE("\"halo\"; size = \"1KB\""),
		TORUS EQUAL SWITCH("9KB", "")
		    ROUTING("minimal") "traffic = ( { process = \"barrier\"; size = \"8B\"; packet = \"256B\"; nodes = "
				       "\"0-6\"; pause = \"300ns\"; }, "
				       "{ load = 0.3; packet = \"256B\"; message = \"1KB\"; } );",
	};
#undef ONE
	for (size_t i = 0; i < sizeof processes / sizeof *processes; i++) {
		struct netrun x = { 0 }, y = { 0 };
		char from[48], length[48];
		run(&x, "%s %s", processes[i], "time = { precision = \"5%\"; limit = \"200us\"; };");
		cr_assert_eq(x.r->estimates->stationarity, SIM_STATIONARY, "case %zu", i);
		base_print_quantity(BASE_TIME, x.r->measured_from_ps, from, sizeof from);
		base_print_quantity(BASE_TIME, x.r->measured_to_ps - x.r->measured_from_ps, length, sizeof length);
		run(&y, "%s time = { warmup = \"%s\"; measure = \"%s\"; drain = \"auto\"; };", processes[i], from,
		    length);
		const struct net_latency *a[] = { &x.r->total.iteration, &x.r->total.message_latency,
			                          &x.r->jobs[0].iteration, &x.r->jobs[0].message_latency };
		const struct net_latency *b[] = { &y.r->total.iteration, &y.r->total.message_latency,
			                          &y.r->jobs[0].iteration, &y.r->jobs[0].message_latency };
		for (int k = 0; k < 4; k++) {
			cr_expect_gt(b[k]->n, 0);
			cr_expect_eq(a[k]->n, b[k]->n, "case %zu, %d: %lu, not %lu", i, k, a[k]->n, b[k]->n);
			cr_expect_float_eq(a[k]->mean, b[k]->mean, 1e-9 * b[k]->mean, "case %zu, %d: %g, not %g", i, k,
			                   a[k]->mean, b[k]->mean);
			/* a quantile is kept within the extremes, of which those of the run may be known but to a bin
			 */
			cr_expect_float_eq((double)a[k]->p50, (double)b[k]->p50, 0.008 * (double)b[k]->p50,
			                   "case %zu, %d: %lu, not %lu", i, k, a[k]->p50, b[k]->p50);
			cr_expect_leq(a[k]->min, b[k]->min, "case %zu, %d", i, k);
			cr_expect_geq(a[k]->max, b[k]->max, "case %zu, %d", i, k);
		}
		netrun_free(&x);
		netrun_free(&y);
	}
}

/* A warm-up that is given is kept to the picosecond, wherever the steps lie in which the run is looked at; and what
 * comes out is that of the window, whoever runs it. */
Test(legs, a_given_warmup_is_kept_exactly)
{
	static const char *const warmups[] = { "0ns", "1ps", "1234567ps", "8us", "33333ns" };
	static const char *const engines[] = { "engine = { sync = \"sequential\"; };", "engine = { threads = 2; };",
		                               "engine = { sync = \"optimistic\"; stress = 20; };",
		                               "engine = { sync = \"conservative\"; window = \"7ns\"; };" };
	static const uint64_t exact[] = { 0, 1, 1234567, 8000000, 33333000 };
	for (size_t i = 0; i < NETWORKS; i++)
		for (size_t w = 0; w < sizeof exact / sizeof *exact; w++) {
			if (strstr(networks[i], "start = ") && exact[w] < 1000000)
				continue; /* its second job starts later */
			if (!EVERY_CASE && (i + w) % 3)
				continue;
			struct netrun x = { 0 }, y = { 0 };
			char length[48], time[200];
			snprintf(time, sizeof time,
			         "time = { warmup = \"%s\"; precision = \"5%%\"; limit = \"80us\"; };", warmups[w]);
			run(&x, "%s %s", networks[i], time);
			const struct net_flow *a = &x.r->total, *b;
			cr_assert_eq(x.r->measured_from_ps, exact[w], "%lu, not %lu: %s", x.r->measured_from_ps,
			             exact[w], networks[i]);
			cr_assert_gt(x.r->measured_to_ps, exact[w]);
			base_print_quantity(BASE_TIME, x.r->measured_to_ps - exact[w], length, sizeof length);
			run(&y, "%s time = { warmup = \"%s\"; measure = \"%s\"; drain = \"auto\"; };", networks[i],
			    warmups[w], length);
			b = &y.r->total;
			cr_expect_float_eq(a->accepted_load, b->accepted_load, 1e-15, "%s %s", warmups[w], networks[i]);
			cr_expect_float_eq(a->offered_load, b->offered_load, 1e-15, "%s %s", warmups[w], networks[i]);
			if (x.r->estimates->stationarity == SIM_STATIONARY) {
				cr_expect_eq(a->measured, b->measured);
				cr_expect_eq(a->measured_delivered, a->measured, "all have arrived");
				cr_expect_float_eq(a->latency.mean, b->latency.mean, 1e-9 * b->latency.mean);
				cr_expect_float_eq(x.r->estimates->mean.value, b->latency.mean, 1e-9 * b->latency.mean);
				cr_expect_eq(a->latency.p99, b->latency.p99);
			}
			netrun_free(&y);
			run(&y, "%s %s %s", networks[i], time, engines[(i + w) / 2 % 4]);
			cr_expect_eq(x.r->digest, y.r->digest, "%s %s", engines[(i + w) / 2 % 4], networks[i]);
			cr_expect_eq(x.r->reached_ps, y.r->reached_ps);
			cr_expect_eq(x.r->measured_from_ps, y.r->measured_from_ps);
			cr_expect_eq(x.r->measured_to_ps, y.r->measured_to_ps);
			cr_expect_float_eq(a->latency.mean, y.r->total.latency.mean, 1e-9 * (1 + a->latency.mean));
			netrun_free(&x);
			netrun_free(&y);
		}
}

/* drain = "auto": everything measured has arrived, or the network is said to be saturated. */
Test(legs, auto_drains_or_says_why_not)
{
	struct netrun x = { 0 };
	run(&x, "%s %s", networks[0], AUTO);
	cr_expect_not(x.r->saturated);
	cr_expect_eq(x.r->total.measured, x.r->total.measured_delivered);
	cr_expect_lt(x.r->reached_ps, 8000000);
	netrun_free(&x);
	run(&x, "%s %s", networks[1], AUTO);
	cr_expect(x.r->saturated);
	cr_expect_lt(x.r->reached_ps, 12000000);
	netrun_free(&x);
}

/* A switch takes 5 us, so nothing arrives in the window and for a while behind it: that is no stall. */
Test(legs, packets_that_take_longer_than_the_window_are_waited_for)
{
	struct netrun x = { 0 };
	run(&x, "%s %s",
	    SLIMFLY EQUAL "switch = { kind = \"ideal\"; traversal = \"5us\"; };" UNIFORM("0.002") ROUTING("minimal"),
	    AUTO);
	cr_expect_gt(x.r->total.measured, 0);
	cr_expect_eq(x.r->total.measured, x.r->total.measured_delivered);
	cr_expect_geq(x.r->total.latency.min, 5000000);
	netrun_free(&x);
}

/* One of 8 endpoints gets a fifth of what the others send, and its even share of the rest: 7 (0.2 + 0.8 / 7) = 2.2
 * times what one sends, so its port is full at load 0.4545. Its queue is a small part of what is created, and all that
 * was measured arrives, each packet later than the one before. */
#define HOT(load, time)                                                                                            \
	"topology = { kind = \"single\"; ports = 8; }; traffic = ( { pattern = \"hotspot\"; fraction = 0.2; load " \
	"= " load "; packet = \"256B\"; } ); time = { warmup = \"20us\"; measure = \"" time "\"; }; seed = %d;"

static int saturated_of_20(const char *format)
{
	int found = 0;
	for (int seed = 1; seed <= 20; seed++) {
		struct netrun x = { 0 };
		run(&x, format, seed);
		found += x.r->saturated;
		cr_expect_eq(x.r->total.measured, x.r->total.measured_delivered);
		netrun_free(&x);
	}
	return found;
}

Test(legs, one_overloaded_port_of_many_is_not_stationary)
{
	cr_expect_geq(saturated_of_20(HOT("0.5", "200us")), 19);
	cr_expect_geq(saturated_of_20(HOT("0.47", "1ms")), 19);
}

/* 95 of 100 at least, and at 99 % of what the port can take. */
Test(legs, what_comes_to_rest_is_stationary)
{
	cr_expect_leq(saturated_of_20(HOT("0.3", "50us")), 1);
	cr_expect_leq(saturated_of_20(HOT("0.45", "50us")), 1);
	cr_expect_leq(saturated_of_20(HOT("0.45", "200us")), 1);
	cr_expect_leq(saturated_of_20(SLIMFLY EQUAL SWITCH("100KB", "") UNIFORM("0.9") ROUTING(
			  "minimal") "time = { warmup = \"5us\"; measure = \"20us\"; }; seed = %d;"),
	              1);
	cr_expect_leq(saturated_of_20(DRAGONFLY EQUAL SWITCH("100KB", "") ROUTING(
			  "minimal") "traffic = ( { pattern = \"uniform\"; load = 0.5; injection = \"on-off\"; } );"
	                             "time = { warmup = \"5us\"; measure = \"20us\"; }; seed = %d;"),
	              1);
}

/* A run of one job: what is found of the job is what is found of the whole, whichever rule ends the run. */
Test(legs, the_only_job_is_as_stationary_as_the_run)
{
	static const struct {
		const char *job, *measure;
	} runs[] = {
		{ "pattern = \"incast\"; load = 0.3; injection = \"bernoulli\"; message = \"16KB\";", "20us" },
		{ "pattern = \"incast\"; load = 0.3; injection = \"on-off\";", "5us" },
		{ "pattern = \"incast\"; load = 0.35;", "20us" },
		{ "process = \"window\"; size = \"4KB\"; outstanding = 4;", "5us" },
	};
	int found[2] = { 0 };
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
		for (int seed = 130; seed < 150; seed++) {
			struct netrun x = { 0 };
			run(&x,
			    "seed = %d; topology = { kind = \"single\"; ports = 4; }; links = { default = { bandwidth "
			    "= "
			    "\"100Gbps\"; latency = \"10ns\"; }; }; switch = { kind = \"ideal\"; }; time = { warmup = "
			    "\"2us\"; measure = \"%s\"; drain = \"auto\"; }; traffic = ( { packet = \"512B\"; %s } );",
			    seed, runs[i].measure, runs[i].job);
			cr_expect_eq(x.r->jobs[0].growing, x.r->saturated, "seed %d, %s: %d, the run %d", seed,
			             runs[i].job, x.r->jobs[0].growing, x.r->saturated);
			found[x.r->saturated]++;
			netrun_free(&x);
		}
	cr_expect(found[0] > 0 && found[1] > 0);
}

/* Jobs of which something stands still do not come to rest, others do: the second job's packets stay at their switch,
 * the third has nothing there: it begins when the first one's are in the way.
 */
Test(legs, a_stall_is_that_of_the_jobs_that_stand_still)
{
	static const char *const time[] = { "warmup = \"2us\"; measure = \"20us\"; drain = \"auto\";",
		                            "precision = \"2%\"; limit = \"60us\";" };
	for (size_t i = 0; i < sizeof time / sizeof *time; i++) {
		struct netrun x = { 0 };
		char text[2000];
		snprintf(text, sizeof text,
		         "time = { %s }; topology = { kind = \"torus\"; dims = [8]; endpoints = 3; };" LINKS_50
		         "switch = { kind = \"ideal\"; vcs = 1; buffer = \"2KB\"; };"
		         "routing = { kind = \"minimal\"; unsafe = true; };"
		         "traffic = ( { nodes = \"0,3,6,9,12,15,18,21\"; pattern = \"tornado\"; load = 1.0; },"
		         "            { nodes = \"1-2\"; pattern = \"uniform\"; load = 0.1; },"
		         "            { nodes = \"0,3,6,9,12,15,18,21\"; pattern = \"uniform\"; load = 0.1; start = "
		         "\"12us\"; } );",
		         time[i]);
		cr_assert(netrun_build(&x, NULL, text), "%s", netrun_error(&x));
		netrun_go(&x);
		cr_assert_eq(x.outcome, NET_STALLED, "%s", time[i]);
		cr_expect(x.r->saturated && x.r->jobs[0].growing && !x.r->jobs[1].growing && x.r->jobs[2].growing,
		          "%s: %d, %d, %d, %d", time[i], x.r->saturated, x.r->jobs[0].growing, x.r->jobs[1].growing,
		          x.r->jobs[2].growing);
		cr_expect_eq(x.r->jobs[2].injected, 0);
		cr_expect_gt(x.r->jobs[1].delivered, 100);
		netrun_free(&x);
	}
}

/* Valiant routing passes at most half. With small buffers the network is full at once; with large ones it still fills
 * when the run ends, and the run says so. */
Test(legs, a_network_that_still_fills_is_said_to)
{
	static const char *const buffers[] = { SWITCH("8KB", ""), SWITCH("4MB", "") };
	for (int i = 0; i < 2; i++) {
		struct netrun x = { 0 };
		run(&x, "%s %s %s", SLIMFLY EQUAL UNIFORM("0.9") ROUTING("valiant"), buffers[i],
		    "time = { precision = \"2%\"; };");
		cr_expect(x.r->enough);
		cr_expect_eq(x.r->estimates->stationarity, SIM_GROWING);
		cr_expect_eq(x.r->estimates->filling, i, "%s", buffers[i]);
		netrun_free(&x);
	}
}

/* What the closed forms say: minimal routing of the worst case takes 1/(2p) of the load. */
Test(legs, precision_knows_saturation)
{
	struct netrun x = { 0 };
	run(&x, "%s %s", networks[1], "time = { precision = \"2%\"; };");
	const struct sim_steady *s = x.r->estimates;
	cr_expect_eq(s->stationarity, SIM_GROWING);
	cr_expect(x.r->enough);
	cr_expect_leq(s->accepted.value - s->accepted.half, 1.0 / 8, "%g", s->accepted.value);
	cr_expect_geq(s->accepted.value + s->accepted.half, 1.0 / 8 * 0.98, "%g", s->accepted.value);
	netrun_free(&x);
}

Test(legs, a_run_that_meets_its_limit_says_so)
{
	struct netrun x = { 0 };
	cr_assert(netrun_build(&x, NULL,
	                       SLIMFLY EQUAL SWITCH("100KB", "") UNIFORM("0.6")
	                           ROUTING("minimal") "time = { precision = \"0.02%\"; limit = \"2us\"; };"));
	cr_assert_eq(netrun_go(&x), NET_DONE);
	cr_expect_not(x.r->enough, "so precise it cannot be so soon");
	netrun_free(&x);
}

/* What comes before the last job has started is no part of what is measured, and the run does not end before. */
Test(legs, a_job_that_starts_late_is_waited_for)
{
	struct netrun x = { 0 };
	run(&x, "%s %s",
	    SLIMFLY EQUAL SWITCH("100KB", "")
	        ROUTING("minimal") "traffic = ( { load = 0.1; nodes = \"0-99\"; }, { load = "
	                           "0.5; nodes = \"100-199\"; start = \"150us\"; } );",
	    "time = { precision = \"3%\"; };");
	cr_expect_geq(x.r->measured_from_ps, 150000000);
	cr_expect_eq(x.r->estimates->stationarity, SIM_STATIONARY);
	cr_expect_float_eq(x.r->jobs[1].accepted_load, 0.5, 0.02, "%g", x.r->jobs[1].accepted_load);
	cr_expect_float_eq(x.r->total.accepted_load, 0.3, 0.01, "%g", x.r->total.accepted_load);
	netrun_free(&x);
}

Test(legs, the_limit_is_kept)
{
	struct netrun x = { 0 };
	static const char *const limits[] = { "1us", "5us", "7777ns" };
	for (size_t i = 0; i < 3; i++) {
		uint64_t ps = 0;
		const char *why;
		cr_assert_eq(base_parse_time(limits[i], &ps, &why), 0);
		run(&x, "%s time = { precision = \"0.02%%\"; limit = \"%s\"; };", networks[0], limits[i]);
		cr_expect_leq(x.r->reached_ps, ps, "%lu ps of %s", x.r->reached_ps, limits[i]);
		cr_expect_not(x.r->enough);
		netrun_free(&x);
	}
	cr_expect_not(netrun_build(&x, NULL,
	                           SLIMFLY EQUAL SWITCH("100KB", "") UNIFORM("0.6")
	                               ROUTING("minimal") "time = { precision = \"1%\"; limit = \"100ns\"; };"));
	cr_expect_str_eq(x.errors.v[0].key, "time.limit");
	netrun_free(&x);
}

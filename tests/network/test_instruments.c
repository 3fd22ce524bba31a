/* tests/network/test_instruments.c - what switches measure about their inside: whole, the same under every scheduler,
 * only of those asked for, and without effect on the result. */
#include "experiments/config/config.h"
#include "tests/network/instruments.h"
#include "tests/network/units.h"

#include <math.h>

struct outcome {
	uint64_t digest, delivered, hops;
	struct readings r;
};

static struct outcome measure(const char *sw, const char *more)
{
	struct netrun x = { 0 };
	struct outcome o = { 0 };
	run(&x, READINGS_NETWORK "%s %s", sw, more);
	net_each_switch(x.net, readings_take, &o.r);
	o.digest = x.r->digest;
	o.delivered = x.r->total.delivered;
	o.hops = x.r->packet_hops - x.r->total.injected - x.r->total.delivered;
	netrun_free(&x);
	return o;
}

#define ON "record = { switch = true; }; "

static const char *const engines[] = { "threads = 3;", "sync = \"conservative\";", "sync = \"optimistic\";",
	                               "sync = \"optimistic\"; stress = 20;", "sync = \"sequential\"; audit = true;" };
#define ENGINES (sizeof engines / sizeof *engines)

Test(instruments, are_the_same_under_every_scheduler)
{
	for (size_t i = 0; i < READINGS_SWITCHES; i++) {
		struct outcome without = measure(readings_switches[i], "");
		struct outcome want = measure(readings_switches[i], ON "engine = { sync = \"sequential\"; };");
		cr_assert_eq(without.r.switches, 0);
		cr_assert_eq(want.digest, without.digest, "instruments must not change the result");
		cr_assert_eq(want.r.switches, 36);
		cr_assert(want.r.ordered);
		cr_assert_eq(want.r.unequal, 0, "%s: stages that do not sum", readings_switches[i]);
		cr_assert_eq(want.r.latency, want.r.stages);
		cr_assert(want.r.packets > 10000 && want.r.held > 0 && want.r.in_use > 0);
		cr_assert_eq(want.r.over, 0, "%s: in use for longer than the run", readings_switches[i]);
		cr_assert(strstr(readings_switches[i], "crossbar") || want.r.refused > 100, "%lu refusals",
		          want.r.refused);
		for (size_t k = 0; k < ENGINES; k++) {
			char more[200];
			snprintf(more, sizeof more, ON "engine = { %s };", engines[k]);
			struct outcome got = measure(readings_switches[i], more);
			cr_expect_eq(got.digest, want.digest);
			cr_expect_eq(got.r.hash, want.r.hash, "%s, %s", readings_switches[i], engines[k]);
		}
	}
}

/* Runs that end while packets are under way, at a time that only the run finds: switches that put off what is due have
 * dealt with all of it that is due before. */
static const char *const drained[] = {
	"seed = 219; time = { warmup = \"500ns\"; measure = \"2us\"; drain = \"auto\"; };"
	"topology = { kind = \"slimfly\"; q = 4; endpoints = 1; };"
	"links = { default = { bandwidth = \"200Gbps\"; latency = \"100ns\"; }; };"
	"switch = { kind = \"tiled\"; rows = 32; columns = 1; ports_per_tile = 1; row_buffer = \"8KB\"; requests = 2; "
	"};"
	"routing = { kind = \"slimfly-adaptive\"; bias = \"0B\"; };"
	"traffic = ( { pattern = \"uniform\"; load = 0.05; packet = \"256B\"; start = \"1ps\"; injection = "
	"\"periodic\"; }, { pattern = \"uniform\"; load = 0.05; packet = \"64B\"; start = \"1us\"; } );",
	"seed = 330; time = { warmup = \"500ns\"; measure = \"2us\"; drain = \"auto\"; };"
	"topology = { kind = \"xgft\"; children = [3, 3, 2]; parents = [1, 2, 2]; };"
	"links = { default = { bandwidth = \"7Gbps\"; latency = \"100ns\"; }; };"
	"switch = { kind = \"tiled\"; output_buffer = \"2KB\"; row_buffer = \"8KB\"; column_buffer = \"2KB\"; vcs = 6; "
	"};"
	"routing = { kind = \"ugal-g\"; bias = \"0B\"; };"
	"traffic = ( { pattern = \"hotspot\"; load = 1.0; packet = [\"1B\", \"1000B\"]; message = \"4KB\"; stop = "
	"\"2500ns\"; }, { process = \"allreduce\"; size = \"9KB\"; iterations = 1; packet = \"2KB\"; } );",
};

static void add_port(void *arg, const struct net_port_record *p)
{
	uint64_t *hash = arg, bits;
	memcpy(&bits, &p->utilization, sizeof bits);
	*hash = readings_mix(*hash, bits);
	for (uint32_t v = 0; v < p->vcs; v++) {
		memcpy(&bits, &p->vc_mean_bytes[v], sizeof bits);
		*hash = readings_mix(readings_mix(*hash, bits), p->vc_waits[v]);
	}
}

/* Of instruments and port records. */
static uint64_t drained_hash(const char *network, const char *engine)
{
	struct netrun x = { 0 };
	struct readings r = { 0 };
	run(&x, "%s record = { switch = true; ports = true; }; engine = { %s };", network, engine);
	net_each_switch(x.net, readings_take, &r);
	net_each_port(x.net, add_port, &r.hash);
	cr_expect(r.packets > 0 && x.r->total.in_flight > 0, "%lu packets are under way at the end",
	          x.r->total.in_flight);
	netrun_free(&x);
	return r.hash;
}

Test(instruments, are_the_same_wherever_a_run_finds_its_end)
{
	for (size_t i = 0; i < sizeof drained / sizeof *drained; i++) {
		uint64_t want = drained_hash(drained[i], "sync = \"sequential\";");
		for (size_t k = 0; k < ENGINES; k++)
			cr_expect_eq(drained_hash(drained[i], engines[k]), want, "%s: %s", engines[k], drained[i]);
	}
}

/* A hot output, its inputs full, and a job that is over before the end; with packets of several sizes. */
#define ENDS_NETWORK                                                                                               \
	"seed = 5;"                                                                                                \
	"links = { default = { bandwidth = \"100Gbps\"; latency = \"20ns\"; }; };"                                 \
	"routing = { kind = \"minimal\"; };"                                                                       \
	"traffic = ( { pattern = \"hotspot\"; load = 0.3; packet = [\"64B\", \"2KB\"]; targets = [7]; fraction = " \
	"0.2; },"                                                                                                  \
	"            { pattern = \"uniform\"; load = 0.1; packet = \"300B\"; } );"

#define ENDS_DRAGONFLY "topology = { kind = \"dragonfly\"; p = 2; a = 4; h = 2; };"

static const char *const ends_switches[] = {
	"switch = { kind = \"tiled\"; buffer = \"16KB\"; output_buffer = \"64KB\"; };" ENDS_DRAGONFLY,
	"switch = { kind = \"tiled\"; buffer = \"16KB\"; row_buffer = \"4KiB\"; column_buffer = \"4KiB\"; "
	"};" ENDS_DRAGONFLY,
	"switch = { kind = \"crossbar\"; inputs = \"voq\"; allocator = \"islip\"; flit = \"64B\"; cycle = \"2560ps\"; "
	"buffer = \"16KB\"; };" ENDS_DRAGONFLY,
	"switch = { kind = \"crossbar\"; inputs = \"vc\"; input_speedup = 2; flit = \"64B\"; cycle = \"2560ps\"; "
	"buffer = \"16KB\"; };" ENDS_DRAGONFLY,
	"switch = { kind = \"output-queued\"; buffer = \"20KB\"; };" ENDS_DRAGONFLY,
	"switch = { kind = \"ideal\"; buffer = \"16KB\"; };" ENDS_DRAGONFLY,
	"switch = { kind = \"output-queued\"; pfc = true; };"
	"topology = { kind = \"single\"; ports = 16; };",
};

struct ended {
	struct readings r;
	uint64_t timed;                  /* hash of what is in ps in use, and of bytes x ps held */
	uint64_t queues;                 /* hash of what ports' queues hold on average */
	uint64_t ports_used, links_used; /* ps */
	uint64_t reached;
};

/* What a crossbar switch holds is held for an output when it is routed, which may be after the end. */
static bool late(const struct sw_instruments *s, uint32_t k)
{
	return !s->rows && !strcmp(s->v[k].name, "voq_mean_bytes");
}

/* Ports are counted by the network, links by the switches. */
static void take_link(void *arg, const struct net_port_record *p)
{
	struct ended *e = arg;
	uint64_t used = (uint64_t)llround(p->utilization * (double)e->reached), bits;
	e->ports_used += used;
	e->r.over += used > e->reached;
	e->timed = readings_mix(e->timed, used);
	for (uint32_t v = 0; v < p->vcs; v++) {
		memcpy(&bits, &p->vc_mean_bytes[v], sizeof bits);
		e->queues = readings_mix(e->queues, bits);
	}
	e->r.hash = readings_mix(e->r.hash, p->packets << 32 ^ p->bytes);
}

static void take_ended(void *arg, const struct net_switch_record *r)
{
	struct ended *e = arg;
	const struct sw_instruments *s = r->instruments;
	readings_take(&e->r, r);
	cr_assert_eq(r->span_ps, e->reached);
	for (uint32_t k = 0; k < s->n; k++)
		for (uint32_t i = 0; i < s->ports && !strcmp(s->v[k].name, "link_utilization"); i++)
			e->links_used += r->words[sw_instrument_at(s, k) + i];
	for (uint32_t k = 0; k < s->n; k++)
		for (size_t i = 0; i < sw_instrument_words(s, k) && s->v[k].meaning <= SW_HELD && !late(s, k); i++)
			e->timed = readings_mix(e->timed, r->words[sw_instrument_at(s, k) + i]);
}

static struct ended ended(const char *network, const char *sw, const char *time)
{
	struct netrun x = { 0 };
	struct ended e = { 0 };
	bool ideal = strstr(sw, "ideal");
	run(&x, "time = { %s };%s%s record = { ports = true; %s };", time, network, sw, ideal ? "" : "switch = true;");
	e.reached = x.r->reached_ps;
	net_each_switch(x.net, take_ended, &e);
	net_each_port(x.net, take_link, &e);
	cr_expect(ideal || e.ports_used == e.links_used, "%s, %s: links were in use for %lu ps, ports for %lu", sw,
	          time, e.links_used, e.ports_used);
	netrun_free(&x);
	return e;
}

/* What a run that looks for its end has counted is what one has that was told of it, and what is behind the end is not
 * counted where packets are drained. */
Test(instruments, are_up_to_the_end_however_it_is_found)
{
	static const char *const found[] = { "warmup = \"1us\"; measure = \"4us\"; drain = \"auto\";",
		                             "warmup = \"0us\"; precision = \"20%\"; limit = \"40us\";" };
	for (size_t i = 0; i < sizeof ends_switches / sizeof *ends_switches; i++) {
		for (size_t k = 0; k < sizeof found / sizeof *found; k++) {
			char told[100];
			struct ended e = ended(ENDS_NETWORK, ends_switches[i], found[k]);
			snprintf(told, sizeof told, "warmup = \"0us\"; measure = \"%lups\"; drain = false;", e.reached);
			struct ended t = ended(ENDS_NETWORK, ends_switches[i], told);
			cr_expect_eq(t.reached, e.reached);
			cr_expect_eq(t.r.hash, e.r.hash, "%s %s ends at %lu ps", ends_switches[i], found[k], e.reached);
			cr_expect_eq(t.timed, e.timed, "%s %s ends at %lu ps", ends_switches[i], found[k], e.reached);
			cr_expect(t.ports_used > 0 && e.r.over == 0);
		}
		struct ended stops =
		    ended(ENDS_NETWORK, ends_switches[i], "warmup = \"0us\"; measure = \"5us\"; drain = false;");
		struct ended drains =
		    ended(ENDS_NETWORK, ends_switches[i], "warmup = \"0us\"; measure = \"5us\"; drain = true;");
		cr_expect_eq(drains.reached, 5000000);
		cr_expect_eq(drains.timed, stops.timed, "%s", ends_switches[i]);
		cr_expect(drains.queues == stops.queues || strstr(ends_switches[i], "\"vc\""), "%s", ends_switches[i]);
		cr_expect_eq(drains.r.over, 0);
	}
}

/* Packets that are longer than the steps in which a run looks for its end, and departures that are certain some steps
 * before they begin. */
Test(instruments, are_up_to_the_end_between_long_packets)
{
	static const char *const kinds[] = { "ideal", "tiled", "crossbar", "output-queued" };
	static const char *const found[] = { "warmup = \"0us\"; measure = \"1us\"; drain = \"auto\";",
		                             "warmup = \"0us\"; measure = \"2us\"; drain = \"auto\";",
		                             "warmup = \"0us\"; precision = \"20%\"; limit = \"20us\";" };
	static const char *const networks[] = {
		"topology = { kind = \"single\"; ports = 3; }; traffic = ( { load = 0.5; packet = \"4096B\"; } );",
		"topology = { kind = \"torus\"; dims = [2]; endpoints = 1; };"
		"traffic = ( { load = 0.5; packet = \"4096B\"; pattern = \"neighbor\"; } );",
	};
	for (size_t i = 0; i < 4 * 3 * 2; i++) {
		char network[400], sw[100], told[100];
		const char *time = found[i / 4 % 3];
		snprintf(sw, sizeof sw, "switch = { kind = \"%s\"; };", kinds[i % 4]);
		snprintf(network, sizeof network,
		         "links = { default = { bandwidth = \"200Gbps\"; latency = \"1ns\"; }; };%s", networks[i / 12]);
		struct ended e = ended(network, sw, time);
		snprintf(told, sizeof told, "warmup = \"0us\"; measure = \"%lups\"; drain = false;", e.reached);
		struct ended t = ended(network, sw, told);
		cr_expect(t.r.hash == e.r.hash && t.timed == e.timed && t.queues == e.queues && t.ports_used > 0,
		          "%s %s ends at %lu ps", sw, time, e.reached);
	}
}

/* Every packet that leaves a switch is counted there: once a hop, and once more where it is ejected. */
Test(instruments, count_what_passes)
{
	for (size_t i = 0; i < READINGS_SWITCHES; i++) {
		struct netrun x = { 0 };
		struct readings r = { 0 };
		run(&x,
		    "time = { warmup = \"0us\"; measure = \"3us\"; drain = true; };" DRAGONFLY_72 LINKS_50
		    "%s routing = { kind = \"valiant\"; }; " ON
		    "traffic = ( { pattern = \"uniform\"; load = 0.4; packet = \"300B\"; } );",
		    readings_switches[i]);
		net_each_switch(x.net, readings_take, &r);
		uint64_t passed = x.r->packet_hops - x.r->total.injected;
		cr_expect_eq(r.packets, passed, "%s: %lu packets, not %lu", readings_switches[i], r.packets, passed);
		cr_expect_eq(r.bytes, 300 * passed);
		cr_expect_eq(r.over, 0, "%s: in use for longer than the run", readings_switches[i]);
		netrun_free(&x);
	}
}

Test(instruments, are_of_the_switches_asked_for)
{
	struct outcome o = measure(readings_switches[0], "record = { switch = true; switches = \"7, 3-5,4\"; };");
	cr_expect_eq(o.r.switches, 4);
	cr_expect(o.r.ordered && o.r.first == 3 && o.r.last == 7);
	o = measure(readings_switches[0], "record = { switch = true; switches = \"all\"; };");
	cr_expect_eq(o.r.switches, 36);
	/* the default is the first 64 */
	struct netrun x = { 0 };
	struct readings r = { 0 };
	run(&x, "time = { warmup = \"0us\"; measure = \"1us\"; }; topology = { kind = \"torus\"; dims = [5, 5, 5]; "
	        "endpoints = 1; };" LINKS_50 "switch = { kind = \"tiled\"; }; routing = { kind = \"minimal\"; }; " ON
	        "traffic = ( { pattern = \"uniform\"; load = 0.1; packet = \"300B\"; } );");
	net_each_switch(x.net, readings_take, &r);
	cr_expect(r.switches == 64 && r.first == 0 && r.last == 63);
	netrun_free(&x);
}

Test(instruments, refuse_what_makes_no_sense)
{
	static const struct {
		const char *text, *key, *part;
	} c[] = {
		{ "switch = { kind = \"ideal\"; };" ON, "record.switch", "\"ideal\" has no instruments" },
		{ "switch = { kind = \"tiled\"; }; record = { switch = true; switches = \"5-3\"; };", "record.switches",
		  "the range 5-3 is decreasing" },
		{ "switch = { kind = \"tiled\"; }; record = { switch = true; switches = \"0,36\"; };",
		  "record.switches", "no switch 36; the last one is 35" },
		{ "switch = { kind = \"tiled\"; }; record = { switch = true; switches = \"1,\"; };", "record.switches",
		  "\"1,\" must be \"all\" or a list of ranges" },
		{ "switch = { kind = \"tiled\"; }; record = { switch = true; switches = \"some\"; };",
		  "record.switches", "\"some\" must be \"all\" or a list of ranges" },
		{ "switch = { kind = \"tiled\"; }; record = { switch = true; switches = \"3-\"; };", "record.switches",
		  "\"3-\" must be \"all\" or a list of ranges" },
		{ "switch = { kind = \"tiled\"; }; record = { switch = true; switches = \"99999999999999999999\"; };",
		  "record.switches", "" },
	};
	for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
		struct netrun x = { 0 };
		char text[4000];
		snprintf(text, sizeof text, READINGS_NETWORK "%s", c[i].text);
		cr_expect(!netrun_build(&x, NULL, text), "%s", c[i].text);
		cr_expect(x.errors.n == 1 && !strcmp(x.errors.v[0].key, c[i].key) &&
		              strstr(x.errors.v[0].text, c[i].part),
		          "%s: %s: %s", c[i].text, x.errors.n ? x.errors.v[0].key : "", netrun_error(&x));
		netrun_free(&x);
	}
}

static enum sim_wish until(void *arg, uint64_t committed, uint64_t end, uint64_t events)
{
	(void)end;
	(void)events;
	return committed < *(const uint64_t *)arg ? SIM_GO_ON : SIM_END_AT_PAUSE;
}

Test(instruments, of_an_interrupted_run_are_whole)
{
	uint64_t at = 5000000;
	struct netrun x = { .progress = until, .progress_arg = &at };
	struct readings r = { 0 };
	char text[4000];
	snprintf(text, sizeof text,
	         "time = { warmup = \"1us\"; measure = \"1s\"; };" DRAGONFLY_72 LINKS_50
	         "%s routing = { kind = \"minimal\"; }; " ON
	         "traffic = ( { pattern = \"uniform\"; load = 0.4; packet = \"300B\"; } );",
	         readings_switches[0]);
	cr_assert(netrun_build(&x, NULL, text), "%s", netrun_error(&x));
	cr_assert_eq(netrun_go(&x), NET_INTERRUPTED);
	net_each_switch(x.net, readings_take, &r);
	cr_expect_eq(r.switches, 36);
	cr_expect_eq(r.unequal, 0);
	cr_expect_geq(r.packets, x.r->total.delivered);
	netrun_free(&x);
}

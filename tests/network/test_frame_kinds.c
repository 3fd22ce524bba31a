/* tests/network/test_frame_kinds.c - traffic classes with frames of their own: packets of several kinds share ports,
 * and each takes the time, the gap, the buffer space and the share of bandwidth of its kind. */
#include "switch/switch.h"
#include "tests/network/cases.h"
#include "tests/network/units.h"

#include <math.h>

/* Standard Ethernet, and Slingshot's enhanced frames with payload only: of 46 and of 20 bytes of payload they are the
 * smallest of their kind, 64 and 32 bytes (De Sensi et al., SC20, II.F). 100 Gb/s are 80 ps a byte. */
#define TWO_KINDS                                          \
	"{ name = \"std\"; framing = \"ethernet\"; %s }, " \
	"{ name = \"enh\"; framing = \"slingshot-fabric\"; header = \"0B\"; %s }"
#define BOTH_KINDS                                                                                                 \
	"{ name = \"std\"; framing = \"ethernet\"; }, { name = \"enh\"; framing = \"slingshot-fabric\"; header = " \
	"\"0B\"; }"
#define STD_PAYLOAD 46u
#define ENH_PAYLOAD 20u
static const uint64_t frame_ps[2] = { 64 * 80, 32 * 80 }, gap_ps[2] = { 20 * 80, 0 };

static const char *const kinds[] = {
	"kind = \"ideal\"; buffer = \"200KB\";",
	"kind = \"ideal\"; buffer = \"200KB\"; forwarding = \"store-and-forward\";",
	"kind = \"output-queued\"; pfc = true;",
	"kind = \"output-queued\"; buffer = \"200KB\";",
	"kind = \"tiled\"; buffer = \"200KB\"; speedup = 4.0;",
	"kind = \"tiled\"; buffer = \"200KB\"; speedup = 4.0; row_buffer = \"16KB\"; column_buffer = \"16KB\";",
	"kind = \"tiled\"; preset = \"yarc\"; buffer = \"200KB\"; speedup = 4.0;",
	"kind = \"crossbar\"; buffer = \"200KB\"; cycle = \"100ps\"; flit = \"8B\";",
};
#define KINDS (sizeof kinds / sizeof *kinds)

/* --- one port -------------------------------------------------------------------------------------------------- */

struct port_sums {
	uint64_t packets, bytes, ps; /* ps: in use */
	double span;
};

static void add_last_port(void *arg, const struct net_port_record *p)
{
	struct port_sums *s = arg;
	if (p->to_switch != 2 || !p->packets)
		return;
	s->packets += p->packets;
	s->bytes += p->bytes;
	s->ps += (uint64_t)llround(p->utilization * s->span);
}

/* Until a queue has built up, clocks of switches leave links idle. */
#define BEGINNING 20

/* Two endpoints send to a third, one of each kind, more than its link carries: the link is busy until the last packet,
 * so that last bits are a gap, of the packet before, and a frame apart. */
static void check_shared_port(const char *sw)
{
	struct netrun x = { 0 };
	uint64_t n[2] = { 0 }, sum[2] = { 0 }, turns = 0, apart = 0;
	run(&x,
	    "time = { warmup = \"0us\"; measure = \"40us\"; drain = true; }; topology = { kind = \"single\"; ports = "
	    "3; }; links = { default = { bandwidth = \"100Gbps\"; latency = \"10ns\"; }; }; switch = { %s };"
	    "routing = { kind = \"minimal\"; }; classes = ( " BOTH_KINDS " );"
	    "traffic = ( { class = \"std\"; pattern = \"incast\"; target = 2; nodes = \"0,2\"; load = 1.0; packet = "
	    "\"%uB\"; injection = \"periodic\"; stop = \"5us\"; }, { class = \"enh\"; pattern = \"incast\"; target = "
	    "2; nodes = \"1,2\"; load = 1.0; packet = \"%uB\"; injection = \"periodic\"; stop = \"5us\"; } );"
	    "record = { packets = true; ports = true; };",
	    sw, STD_PAYLOAD, ENH_PAYLOAD);
	struct packets p = packets_of(&x);
	cr_assert_gt(p.n, 100u, "%s", sw);
	for (size_t i = 0; i < p.n; i++) {
		unsigned kind = p.v[i].job, before = i ? p.v[i - 1].job : 0;
		n[kind]++;
		cr_expect_eq(p.v[i].bytes, kind ? ENH_PAYLOAD : STD_PAYLOAD);
		if (i <= BEGINNING)
			continue;
		sum[kind]++;
		turns += kind != before;
		apart += p.v[i].delivered - p.v[i - 1].delivered;
		cr_assert_eq(p.v[i].delivered - p.v[i - 1].delivered, gap_ps[before] + frame_ps[kind],
		             "%s: packet %zu, kind %u behind %u: %lu ps apart", sw, i, kind, before,
		             p.v[i].delivered - p.v[i - 1].delivered);
	}
	cr_expect_gt(turns, 40u, "%s: %lu turns", sw, turns);
	unsigned first = p.v[BEGINNING].job, last = p.v[p.n - 1].job;
	cr_expect_eq(apart, sum[0] * (frame_ps[0] + gap_ps[0]) + sum[1] * (frame_ps[1] + gap_ps[1]) + gap_ps[first] -
	                        gap_ps[last]);
	struct port_sums s = { .span = 40e6 };
	net_each_port(x.net, add_last_port, &s);
	cr_expect_eq(s.packets, p.n, "%s", sw);
	cr_expect_eq(s.bytes, n[0] * 64 + n[1] * 32, "%s: %lu bytes", sw, s.bytes);
	cr_expect_eq(s.ps, n[0] * (frame_ps[0] + gap_ps[0]) + n[1] * (frame_ps[1] + gap_ps[1]), "%s: %lu ps", sw, s.ps);
	free(p.v);
	netrun_free(&x);
}

Test(frame_kinds, a_port_takes_each_frame_and_its_gap_to_the_picosecond)
{
	for (size_t k = 0; k < KINDS; k++)
		check_shared_port(kinds[k]);
}

static int compare_injected(const void *a, const void *b)
{
	const struct net_packet_record *p = a, *q = b;
	return p->injected < q->injected ? -1 : p->injected > q->injected;
}

/* The endpoint's own link, on which it sends both kinds. */
static void check_shared_source(const char *sw, const char *control)
{
	struct netrun x = { 0 };
	uint64_t turns = 0, sent = 0;
	run(&x,
	    "time = { warmup = \"0us\"; measure = \"40us\"; drain = true; }; topology = { kind = \"single\"; ports = "
	    "2; }; links = { default = { bandwidth = \"100Gbps\"; latency = \"10ns\"; }; }; switch = { %s }; routing = "
	    "{ kind = \"minimal\"; }; congestion = { %s }; classes = ( " BOTH_KINDS " );"
	    "traffic = ( { class = \"std\"; load = 1.0; packet = \"%uB\"; injection = \"periodic\"; stop = \"5us\"; "
	    "}, { class = \"enh\"; load = 1.0; packet = \"%uB\"; injection = \"periodic\"; stop = \"5us\"; } );"
	    "record = { packets = true; };",
	    sw, control, STD_PAYLOAD, ENH_PAYLOAD);
	struct packets p = packets_of(&x);
	qsort(p.v, p.n, sizeof *p.v, compare_injected);
	const struct net_packet_record *before = NULL;
	for (size_t i = 0; i < p.n; i++) {
		if (p.v[i].src)
			continue;
		if (sent++ > BEGINNING) {
			cr_assert_eq(p.v[i].injected - before->injected, frame_ps[before->job] + gap_ps[before->job],
			             "%s, %s", sw, control);
			turns += before->job != p.v[i].job;
		}
		before = &p.v[i];
	}
	cr_expect_gt(turns, 40u, "%s, %s: %lu turns", sw, control, turns);
	free(p.v);
	netrun_free(&x);
}

Test(frame_kinds, an_endpoint_sends_both)
{
	for (size_t k = 0; k < KINDS; k++) {
		check_shared_source(kinds[k], "kind = \"none\";");
		check_shared_source(kinds[k], "kind = \"window\"; window = \"1MB\";");
	}
}

/* --- rates ------------------------------------------------------------------------------------------------------ */

/* What a link carries of the smallest frames of either kind alone, and of both with half of its bandwidth each. */
Test(frame_kinds, full_rates_of_the_smallest_frames_and_their_shares)
{
	for (size_t k = 0; k < KINDS; k++)
		for (int both = 0; both < 3; both++) {
			struct netrun x = { 0 };
			char traffic[600];
			const char *half = both == 2 ? "min_bandwidth = 0.5;" : "";
			bool tiled = strstr(kinds[k], "tiled"), rosetta = tiled && !strstr(kinds[k], "yarc");
			if ((both == 2 && !tiled) || (both == 1 && rosetta))
				continue; /* no shares; or too many packets for a tile */
			if (both < 2)
				snprintf(traffic, sizeof traffic,
				         "{ class = \"%s\"; load = 1.0; injection = \"periodic\"; packet = \"%uB\"; }",
				         both ? "enh" : "std", both ? ENH_PAYLOAD : STD_PAYLOAD);
			else
				snprintf(
				    traffic, sizeof traffic,
				    "{ class = \"std\"; pattern = \"incast\"; target = 2; nodes = \"0,2\"; load = "
				    "1.0; packet = \"%uB\"; }, { class = \"enh\"; pattern = \"incast\"; target = 2; "
				    "nodes = \"1,2\"; load = 1.0; packet = \"%uB\"; }",
				    STD_PAYLOAD, ENH_PAYLOAD);
			char classes[400], one[400];
			snprintf(classes, sizeof classes, TWO_KINDS, half, half);
			snprintf(one, sizeof one, "%s",
			         both == 0 ? "{ name = \"std\"; framing = \"ethernet\"; }"
			                   : "{ name = \"enh\"; framing = \"slingshot-fabric\"; header = \"0B\"; }");
			run(&x,
			    "time = { warmup = \"10us\"; measure = \"20us\"; drain = false; }; topology = { kind = "
			    "\"single\"; ports = %d; }; links = { default = { bandwidth = \"100Gbps\"; }; };"
			    "switch = { %s }; routing = { kind = \"minimal\"; }; classes = ( %s ); traffic = ( %s "
			    ");",
			    both == 2 ? 3 : 2, kinds[k], both == 2 ? classes : one, traffic);
			double wire[2] = { 84 * 80, 32 * 80 };
			for (int j = 0; j < (both == 2 ? 2 : 1); j++) {
				int kind = both == 2 ? j : both;
				double links = both == 2 ? 0.5 : 2, expected = links * 20e6 / wire[kind];
				double packets =
				    (double)x.r->jobs[j].delivered_bytes / (kind ? ENH_PAYLOAD : STD_PAYLOAD);
				cr_expect_float_eq(packets, expected, both == 2 ? 0.01 * expected : 2,
				                   "%s, %d: %.0f packets of kind %d, not %.1f", kinds[k], both, packets,
				                   kind, expected);
			}
			netrun_free(&x);
		}
}

/* --- buffers ---------------------------------------------------------------------------------------------------- */

/* A lane of so many bytes keeps as many frames of its class under way as fit it, whatever those of the other class
 * are: credits leave with a packet and return when its last bit has left the next switch. The link is idle nine tenths
 * of the time, so that classes hardly meet. */
Test(frame_kinds, lanes_hold_as_many_frames_as_fit)
{
	for (uint32_t lane = 200; lane <= 500; lane += 150) {
		struct netrun x = { 0 };
		const uint32_t payload = 100, frame[2] = { 118, 196 };
		run(&x,
		    "time = { warmup = \"100us\"; measure = \"400us\"; drain = false; }; topology = { kind = "
		    "\"torus\"; "
		    "dims = [2]; endpoints = 2; }; links = { default = { bandwidth = \"400Gbps\"; latency = \"1us\"; "
		    "}; "
		    "terminal = { latency = \"10ns\"; }; }; switch = { kind = \"ideal\"; traversal = \"50ns\"; buffer "
		    "= "
		    "\"%uB\"; vcs = 1; }; routing = { kind = \"minimal\"; }; classes = ( { name = \"std\"; framing = "
		    "\"ethernet\"; }, { name = \"wide\"; header = \"96B\"; } ); traffic = ( { class = \"std\"; pattern "
		    "= "
		    "\"neighbor\"; nodes = \"0,2\"; load = 0.3; packet = \"%uB\"; }, { class = \"wide\"; pattern = "
		    "\"neighbor\"; nodes = \"1,3\"; load = 0.3; packet = \"%uB\"; } );",
		    2 * lane, payload, payload);
		for (int j = 0; j < 2; j++) {
			double loop = 1e6 + 50e3 + 20.0 * frame[j] + 1e6; /* 20 ps a byte */
			double packets = (double)x.r->jobs[j].delivered_bytes / payload;
			double expected = 2 * (lane / frame[j]) * 400e6 / loop;
			cr_expect_float_eq(packets, expected, 0.01 * expected,
			                   "lanes of %u bytes, frames of %u: %.0f packets, not %.1f", lane, frame[j],
			                   packets, expected);
		}
		netrun_free(&x);
	}
}

/* --- a class's frames are those of links with its framing ------------------------------------------------------- */

static const char *const framings[] = {
	"framing = \"roce\";",
	"framing = \"slingshot-fabric\"; header = \"3B\"; granule = \"48B\"; gap = \"7B\";",
	"header = \"20B\"; min_frame = \"96B\"; gap = \"9B\";",
};
#define FRAMINGS (sizeof framings / sizeof *framings)
#define LINKS_OF(more)                                                                                              \
	"links = { default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; %s " more " }; terminal = { latency = " \
	"\"30ns\"; }; local = { latency = \"20ns\"; bandwidth = \"150Gbps\"; }; global = { latency = \"300ns\"; "   \
	"bandwidth = \"80Gbps\"; }; };"
#define ONE_CLASS "classes = ( { name = \"a\"; %s } );"

/* With the links' framing, and the class's. */
static const char *const alike[] = {
	DRAGONFLY PLAIN SWITCH("3KB", "") JOBS UGAL("ugal-l") LINKS_OF("") ONE_CLASS,
	DRAGONFLY TIMES("3us", "true") SWITCH("5KB", "forwarding = \"store-and-forward\";") BURSTS ROUTING("valiant")
	    LINKS_OF("") ONE_CLASS,
	DRAGONFLY PLAIN "switch = { kind = \"tiled\"; buffer = \"9KB\"; };" JOBS ROUTING("slingshot") LINKS_OF("")
	    ONE_CLASS,
	DRAGONFLY PLAIN "switch = { kind = \"tiled\"; preset = \"yarc\"; buffer = \"8KB\"; };" JOBS UGAL("par")
	    LINKS_OF("") ONE_CLASS,
	DRAGONFLY PLAIN "switch = { kind = \"crossbar\"; inputs = \"voq\"; buffer = \"4KB\"; };" JOBS ROUTING("minimal")
	    LINKS_OF("") ONE_CLASS,
	DRAGONFLY TIMES("4us", "\"auto\"") OUTPUTS("buffer = \"3KB\"; trim = true;") LASTING ROUTING("minimal")
	    LINKS_OF("") ONE_CLASS,
	DRAGONFLY PLAIN OUTPUTS("pfc = true;") "routing = { kind = \"minimal\"; unsafe = true; };" LASTING LINKS_OF("")
	    ONE_CLASS,
	DRAGONFLY TIMES("4us", "true") OUTPUTS("buffer = \"3KB\"; trim = true;") LOOPS UGAL("ugal-l")
	    CONTROL("nscc", "recovery = \"sleek\";") LINKS_OF("") ONE_CLASS,
	DRAGONFLY TIMES("8us", "true") SWITCH("9KB", "") INCAST ROUTING("minimal") GRANTS LINKS_OF("") ONE_CLASS,
	DRAGONFLY PLAIN "switch = { kind = \"tiled\"; flow_threshold = 0.3; };" INCAST ROUTING("valiant")
	    GRANTS LINKS_OF("") ONE_CLASS,
	DRAGONFLY TIMES("6us", "true") SWITCH("8KB", "") LOOPS UGAL("ugal-l") WINDOW LINKS_OF("") ONE_CLASS
	"nic = { table = 3; loss = 0.03; timeout = \"400ns\"; };",
	DRAGONFLY TIMES("8us", "true") SWITCH("8KB", "") INCAST ROUTING("minimal")
	    CONTROL("rccc", "pair_rtt = \"700ns\"; grant = \"600B\";") LINKS_OF("") ONE_CLASS,
	DRAGONFLY TIMES("8us", "true") SWITCH("8KB", "") INCAST ROUTING("minimal")
	    CONTROL("lasthop", "threshold = \"2KB\"; sources = 3; pause = 0.5;") LINKS_OF("") ONE_CLASS,
	DRAGONFLY PLAIN SWITCH("9KB", "shared_pool = 0.4;") JOBS UGAL("par")
	    FAILING LINKS_OF("lanes = 4; bit_error_rate = 1e-5;") ONE_CLASS,
	DRAGONFLY TIMES("6us", "true") "switch = { kind = \"tiled\"; buffer = \"18KB\"; };" JOBS AROUND("minimal")
	    LINKS_OF("") ONE_CLASS,
};
#define ALIKE (sizeof alike / sizeof *alike)

Test(frame_kinds, a_class_has_the_frames_of_links_with_its_framing)
{
	uint32_t at = 0;
	for (size_t i = 0; i < ALIKE; i++) {
		const char *framing = framings[at++ % FRAMINGS];
		struct netrun x = { 0 }, y = { 0 };
		run(&x, alike[i], framing, "");
		run(&y, alike[i], "", framing);
		cr_expect_gt(x.r->total.delivered, 100u);
		cr_expect_eq(x.r->digest, y.r->digest, "%s with %s", alike[i], framing);
		cr_expect_eq(x.r->total.delivered, y.r->total.delivered);
		netrun_free(&x);
		netrun_free(&y);
	}
}

/* --- messages --------------------------------------------------------------------------------------------------- */

static void expect_ideal(void *arg, const struct net_message_record *m)
{
	unsigned *seen = arg;
	seen[m->class_index]++;
	cr_expect_gt(m->ideal, 0u);
	cr_expect_eq(m->end - m->start, m->ideal, "class %u, %lu bytes: %lu ps, not %lu", m->class_index, m->bytes,
	             m->end - m->start, m->ideal);
}

/* Ping-pong of two pairs on one switch, each of a class, and of one job whose collectives are in another class: every
 * message takes what it takes in the empty network. Two packets of 1000 bytes and one of 500, on links of 80 ps a byte:
 * twice frame and gap, a frame of the last, which follows on the second link when it has come. */
Test(frame_kinds, messages_take_the_time_of_their_class_in_the_empty_network)
{
	struct netrun x = { 0 };
	unsigned seen[2] = { 0 };
	run(&x, "time = { warmup = \"0us\"; measure = \"200us\"; }; topology = { kind = \"single\"; ports = 4; };"
	        "links = { default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; framing = \"roce\"; }; };"
	        "switch = { kind = \"ideal\"; traversal = \"100ns\"; buffer = \"1MB\"; }; routing = { kind = "
	        "\"minimal\"; };"
	        "classes = ( { name = \"a\"; }, { name = \"b\"; framing = \"slingshot-fabric\"; header = \"48B\"; } );"
	        "traffic = ( { class = \"a\"; process = \"ping-pong\"; nodes = \"0,1\"; size = \"2500B\"; packet = "
	        "\"1000B\"; iterations = 3; }, { class = \"b\"; process = \"ping-pong\"; nodes = \"2,3\"; size = "
	        "\"2500B\"; packet = \"1000B\"; iterations = 3; } ); record = { messages = true; };");
	net_each_message(x.net, expect_ideal, seen);
	cr_expect(seen[0] >= 6 && seen[1] >= 6, "%u and %u messages", seen[0], seen[1]);
	netrun_free(&x);
}

static void note_ideal(void *arg, const struct net_message_record *m)
{
	uint64_t *ideal = arg;
	ideal[m->class_index] = m->ideal;
}

Test(frame_kinds, the_ideal_time_of_a_message_is_the_closed_form)
{
	struct netrun x = { 0 };
	uint64_t ideal[2] = { 0 };
	run(&x,
	    "time = { warmup = \"0us\"; measure = \"100us\"; }; topology = { kind = \"single\"; ports = 4; };"
	    "links = { default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; framing = \"roce\"; }; };"
	    "switch = { kind = \"ideal\"; traversal = \"100ns\"; buffer = \"1MB\"; }; routing = { kind = \"minimal\"; "
	    "};"
	    "classes = ( { name = \"a\"; }, { name = \"b\"; framing = \"slingshot-fabric\"; header = \"48B\"; } );"
	    "traffic = ( { class = \"a\"; nodes = \"0,1\"; load = 0.01; message = \"2500B\"; packet = \"1000B\"; }, "
	    "{ class = \"b\"; nodes = \"2,3\"; load = 0.01; message = \"2500B\"; packet = \"1000B\"; } );"
	    "record = { messages = true; };");
	net_each_message(x.net, note_ideal, ideal);
	cr_expect_eq(ideal[0], 2 * 50000u + 100000 + 80 * (2 * (1062 + 20) + 562), "%lu ps", ideal[0]);
	cr_expect_eq(ideal[1], 2 * 50000u + 100000 + 80 * (2 * 1048 + 548), "%lu ps", ideal[1]);
	netrun_free(&x);
}

/* --- what is said ----------------------------------------------------------------------------------------------- */

#define SMALL                                                                                                         \
	"topology = { kind = \"torus\"; dims = [2, 2]; endpoints = 1; }; routing = { kind = \"minimal\"; }; traffic " \
	"= "                                                                                                          \
	"( { class = \"a\"; load = 0.1; }, { class = \"b\"; load = 0.1; } ); "

Test(frame_kinds, ceilings_are_by_class)
{
	const char *text =
	    SMALL "switch = { kind = \"ideal\"; }; links = { default = { framing = \"roce\"; gap = \"8B\"; "
		  "}; }; classes = ( { name = \"a\"; }, { name = \"b\"; framing = \"slingshot-fabric\"; "
		  "header = \"48B\"; } );";
	struct netrun x = { 0 };
	struct net_framings f = { 0 };
	struct net_credit_loops *loops = calloc(1, sizeof *loops);
	xp_register_builtin(&x.registry);
	cr_assert_eq(
	    xp_config_parse(&x.config, text, strlen(text), "test", NULL, NULL, XP_WHOLE, &x.registry, &x.errors), 0,
	    "%s", netrun_error(&x));
	struct net_setup setup = { .config = &x.config.net,
		                   .registry = &x.registry,
		                   .build_traffic = wl_build,
		                   .destroy_traffic = wl_destroy,
		                   .framings = &f,
		                   .loops = loops };
	cr_assert_eq(net_check(&setup, &x.errors), 0, "%s", netrun_error(&x));
	cr_assert_eq(f.n, 4u); /* links between switches, and terminals', of two classes each */
	for (uint32_t i = 0; i < f.n; i++) {
		bool b = i % 2;
		cr_expect_eq(f.v[i].link_class == TOPO_LINK_CLASSES, i >= 2);
		cr_expect_str_eq(f.v[i].traffic_class, b ? "b" : "a");
		cr_expect_eq(f.v[i].header, b ? 48u : 62u);
		cr_expect_eq(f.v[i].min_frame, b ? 32u : 64u);
		cr_expect_eq(f.v[i].gap, b ? 0u : 8u);
		cr_expect_float_eq(f.v[i].ceiling[b], 256.0 / (b ? 304 : 326), 1e-9);
		cr_expect_float_eq(f.v[i].ceiling[!b], 0, 1e-12);
	}
	cr_assert_eq(loops->n, 1u); /* 256 bytes of payload, and a RoCE header: the larger of both frames */
	cr_expect(loops->v[0].packet == 318 || loops->v[0].packet == 304, "%u bytes", loops->v[0].packet);
	free(loops);
	net_framings_free(&f);
	netrun_free(&x);
}

static void expect_refused(const struct base_plugin *extra, const char *key, const char *part, const char *text)
{
	struct netrun x = { 0 };
	bool found = false;
	cr_expect_not(netrun_build(&x, extra, text), "%s", text);
	for (size_t i = 0; i < x.errors.n; i++)
		found |= !x.errors.v[i].warning && !strcmp(x.errors.v[i].key, key) &&
		         strstr(x.errors.v[i].text, part) != NULL;
	cr_expect(found, "%s, not %s: %s", key, x.errors.n ? x.errors.v[0].key : "", netrun_error(&x));
	netrun_free(&x);
}

#define TWO_CLASSES(a, b) "classes = ( { name = \"a\"; " a " }, { name = \"b\"; " b " } );"
#define ROCE_LINKS "links = { default = { framing = \"roce\"; }; };"
#define IDEAL "switch = { kind = \"ideal\"; };"

Test(frame_kinds, keys_that_change_nothing_and_switches_that_do_not_know_them_are_refused)
{
	static const struct {
		const char *key, *part, *text;
	} cases_refused[] = {
		{ "classes.[1].framing", "no effect", SMALL IDEAL ROCE_LINKS TWO_CLASSES("", "framing = \"roce\";") },
		{ "classes.[0].framing", "no effect", SMALL IDEAL TWO_CLASSES("framing = \"none\";", "") },
		{ "classes.[1].header", "no effect",
		  SMALL IDEAL TWO_CLASSES("", "framing = \"ethernet\"; header = \"18B\";") },
		{ "classes.[1].gap", "no effect", SMALL IDEAL ROCE_LINKS TWO_CLASSES("", "gap = \"20B\";") },
		{ "classes.[1].granule", "no effect", SMALL IDEAL TWO_CLASSES("", "granule = \"1B\";") },
		{ "classes.[1].min_frame", "no effect", SMALL IDEAL TWO_CLASSES("", "min_frame = \"0B\";") },
		{ "classes.[0].framing", "link, none, ethernet",
		  SMALL IDEAL TWO_CLASSES("framing = \"ethernot\";", "") },
		{ "classes.[0].header", "2000", SMALL IDEAL TWO_CLASSES("header = \"2000B\";", "") },
		{ "links.default.framing", "every traffic class",
		  SMALL IDEAL ROCE_LINKS TWO_CLASSES("framing = \"ethernet\";", "framing = \"aries\";") },
		{ "links.default.gap", "every traffic class",
		  SMALL IDEAL
		  "links = { default = { gap = \"9B\"; }; };" TWO_CLASSES("gap = \"3B\";", "framing = \"ethernet\";") },
		{ "links.terminal.header", "every traffic class",
		  SMALL IDEAL "links = { default = { gap = \"9B\"; }; terminal = { header = \"7B\"; }; };" TWO_CLASSES(
		      "header = \"3B\";", "header = \"8B\";") },
	};
	struct sw_ops ops = *(const struct sw_ops *)sw_ideal.ops;
	struct base_plugin plain = sw_ideal;
	for (size_t i = 0; i < sizeof cases_refused / sizeof *cases_refused; i++)
		expect_refused(NULL, cases_refused[i].key, cases_refused[i].part, cases_refused[i].text);
	ops.links.kinds = false;
	plain.name = "plain";
	plain.ops = &ops;
	expect_refused(&plain, "switch.kind", "frames by traffic class",
	               SMALL "switch = { kind = \"plain\"; };" TWO_CLASSES("", "header = \"3B\";"));
}

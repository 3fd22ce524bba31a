/* tests/network/test_framing.c - traffic is given in payload; links carry frames and gaps: latency and full rate have
 * closed forms, credits count frames, and what frames take is taken from nothing else. */
#include "experiments/config/config.h"
#include "switch/switch.h"
#include "tests/network/units.h"

#include <math.h>

struct frame {
	uint32_t header, min_frame, granule, gap;
};

/* Bytes of the frame, one by one. */
static uint32_t frame_of(struct frame f, uint32_t payload)
{
	uint32_t bytes = payload + f.header;
	while (bytes < f.min_frame || bytes % f.granule)
		bytes++;
	return bytes;
}

static const char *text_of(struct frame f, char out[160])
{
	snprintf(out, 160, "header = \"%uB\"; min_frame = \"%uB\"; granule = \"%uB\"; gap = \"%uB\";", f.header,
	         f.min_frame, f.granule, f.gap);
	return out;
}

/* Terminal, local, global. */
static const struct frame framings[][3] = {
	{ { 62, 64, 1, 20 }, { 62, 64, 1, 20 }, { 62, 64, 1, 20 } },
	{ { 62, 64, 1, 20 }, { 48, 32, 32, 0 }, { 48, 32, 32, 0 } },
	{ { 0, 64, 1, 0 }, { 8, 0, 48, 3 }, { 100, 512, 1, 12 } },
	{ { 0, 0, 1, 100 }, { 0, 0, 1, 0 }, { 0, 0, 7, 0 } },
};
#define FRAMINGS (sizeof framings / sizeof *framings)

/* --- one packet at a time: 100 Gb/s, 80 ps a byte
 * -------------------------------------------------------------------------------------------- */

static void check_pair(const struct frame f[3], uint32_t payload, uint32_t a, uint32_t b, bool store)
{
	static const uint64_t latency[3] = { 7000, 13000, 333000 };
	char terminal[160], local[160], global[160];
	struct netrun x = { 0 };
	run(&x,
	    "time = { warmup = \"0us\"; measure = \"900us\"; drain = true; }; " DRAGONFLY_72
	    " links = { default = { bandwidth = \"100Gbps\"; }; terminal = { latency = \"7ns\"; %s };"
	    " local = { latency = \"13ns\"; %s }; global = { latency = \"333ns\"; %s }; };"
	    "routing = { kind = \"minimal\"; };"
	    "switch = { kind = \"ideal\"; traversal = \"77ns\"; buffer = \"100KB\"; forwarding = \"%s\"; };"
	    "traffic = ( { load = 0.0005; packet = \"%uB\"; nodes = \"%u,%u\"; injection = \"periodic\"; } );"
	    "record = { packets = true; };",
	    text_of(f[0], terminal), text_of(f[1], local), text_of(f[2], global),
	    store ? "store-and-forward" : "cut-through", payload, a, b);
	const struct topo *t = net_topo(x.net);
	struct packets p = packets_of(&x);
	cr_assert_gt(p.n, 0u);
	for (size_t i = 0; i < p.n; i++) {
		uint64_t in = 80 * frame_of(f[0], payload), at = latency[0] + (store ? in : 0);
		uint32_t here = topo_switch_of(t, p.v[i].src), to = topo_switch_of(t, p.v[i].dst), hops = 0;
		for (bool last = false; !last;) {
			int kind = 0;
			last = here == to;
			if (!last) {
				topo_port out[64];
				t->ops->next(t, here, to, hops++, out);
				struct topo_hop h = topo_peer(t, here, out[0]);
				kind = strcmp(t->link_class_name[h.link_class], "global") ? 1 : 2;
				here = h.to;
			}
			uint64_t leaves = 80 * frame_of(f[kind], payload);
			at += 77000 + latency[kind] + (store ? leaves : in > leaves ? in - leaves : 0);
			in = leaves;
		}
		at += store ? 0 : in;
		cr_assert_eq(p.v[i].delivered - p.v[i].injected, at, "%u bytes, %s, %u hops: %lu ps, not %lu", payload,
		             store ? "stored" : "cut through", hops, p.v[i].delivered - p.v[i].injected, at);
		cr_assert_eq(p.v[i].bytes, payload);
	}
	cr_assert_eq(x.r->total.delivered, p.n);
	free(p.v);
	netrun_free(&x);
}

Test(framing, latency_of_single_packets_is_the_closed_form)
{
	static const uint32_t payloads[] = { 1, 2, 31, 32, 33, 63, 64, 65, 411, 412, 413, 4096 };
	uint32_t random = 1;
	for (size_t k = 0; k < FRAMINGS; k++)
		for (size_t i = 0; i < sizeof payloads / sizeof *payloads; i++) {
			random = random * 1664525 + 1013904223;
			uint32_t a = (random >> 8) % 72, b = (a + 1 + (random >> 20) % 71) % 72;
			check_pair(framings[k], payloads[i], a, b, i % 2);
			check_pair(framings[k], payloads[i], b, a, !(i % 2));
		}
}

/* Two tiled switches by hand, in ns. Terminals at 100 Gb/s have frames of 162 and 4,062 bytes, 12.96 and 324.96; the
 * link between at 200 of 128 and 4,032, 5.12 and 161.28. A head takes 335 through a switch: ingress 153, request and
 * grant 22 each, row 15, column 15, egress 108. The last bit waits for no grant: of the large packet it comes to the
 * first link 153 + 15 + 15 + 108 after it came in, and the link must not run dry: the head leaves 291 + 324.96 - 161.28
 * after it came. */
static void check_tiled(uint32_t payload, uint64_t expected_ps)
{
	struct netrun x = { 0 };
	run(&x,
	    "time = { warmup = \"0us\"; measure = \"3ms\"; drain = true; };"
	    "topology = { kind = \"torus\"; dims = [2]; endpoints = 1; };"
	    "links = { default = { bandwidth = \"200Gbps\"; latency = \"50ns\"; header = \"20B\"; granule = \"64B\"; };"
	    " terminal = { bandwidth = \"100Gbps\"; header = \"62B\"; granule = \"1B\"; gap = \"20B\"; }; };"
	    "switch = { kind = \"tiled\"; align = false; }; routing = { kind = \"minimal\"; };"
	    "traffic = ( { load = 0.001; packet = \"%uB\"; injection = \"periodic\"; } ); record = { packets = true; "
	    "};",
	    payload);
	struct packets p = packets_of(&x);
	cr_assert_gt(p.n, 0u);
	for (size_t i = 0; i < p.n; i++)
		cr_expect_eq(p.v[i].delivered - p.v[i].injected, expected_ps, "%u bytes: %lu ps", payload,
		             p.v[i].delivered - p.v[i].injected);
	free(p.v);
	netrun_free(&x);
}

Test(framing, of_two_tiled_switches)
{
	check_tiled(100, 50000 + 335000 + 50000 + 335000 + 12960 + 50000);
	check_tiled(4000, 50000 + 291000 + 324960 - 161280 + 50000 + 335000 + 324960 + 50000);
}

/* --- full rate
 * ------------------------------------------------------------------------------------------------------------ */

static const char *const kinds[] = {
	"kind = \"ideal\"; buffer = \"200KB\";",
	"kind = \"ideal\"; buffer = \"200KB\"; forwarding = \"store-and-forward\";",
	"kind = \"crossbar\"; buffer = \"200KB\"; cycle = \"100ps\"; flit = \"8B\";",
	("kind = \"crossbar\"; inputs = \"voq\"; allocator = \"islip\"; buffer = \"200KB\"; cycle = \"100ps\"; flit = "
	 "\"8B\";"),
	"kind = \"tiled\"; buffer = \"200KB\"; speedup = 4.0;",
	"kind = \"tiled\"; buffer = \"200KB\"; speedup = 4.0; row_buffer = \"16KB\"; column_buffer = \"16KB\";",
	"kind = \"tiled\"; preset = \"yarc\"; buffer = \"200KB\"; speedup = 4.0;",
};
#define KINDS (sizeof kinds / sizeof *kinds)

/* Deliveries in a window that a link of 80 ps a byte is full in: one a wire time. */
static void expect_full(const struct netrun *x, struct frame f, uint32_t payload, unsigned links, const char *what)
{
	double wire = 80.0 * (frame_of(f, payload) + f.gap), window = 10e6;
	double packets = (double)x->r->total.delivered_bytes / payload;
	cr_expect_float_eq(packets, links * window / wire, links, "%s, %u bytes: %.0f packets, not %.1f", what, payload,
	                   packets, links * window / wire);
}

Test(framing, full_rate_is_the_ceiling)
{
	static const uint32_t payloads[] = { 1, 46, 256, 4096 };
	for (size_t k = 0; k < KINDS; k++)
		for (size_t f = 0; f < FRAMINGS; f++)
			for (size_t i = 0; i < sizeof payloads / sizeof *payloads; i++) {
				struct frame t = framings[f][0], l = framings[f][1];
				if (frame_of(l, payloads[i]) < 40 || frame_of(t, payloads[i]) < 40)
					continue; /* no clock carries them */
				char terminal[160], fabric[160];
				struct netrun x = { 0 }, y = { 0 };
				/* 0 to 1 and 1 to 0: endpoints' links */
				run(&x,
				    "time = { warmup = \"10us\"; measure = \"10us\"; drain = false; }; topology = { "
				    "kind = "
				    "\"single\"; ports = 2; }; links = { terminal = { bandwidth = \"100Gbps\"; %s }; };"
				    "switch = { %s }; routing = { kind = \"minimal\"; };"
				    "traffic = ( { load = 1.0; injection = \"periodic\"; packet = \"%uB\"; } );",
				    text_of(t, terminal), kinds[k], payloads[i]);
				expect_full(&x, t, payloads[i], 2, kinds[k]);
				netrun_free(&x);
				/* two endpoints of one switch to two of the other: the link between, each way */
				run(&y,
				    "time = { warmup = \"10us\"; measure = \"10us\"; drain = false; }; topology = { "
				    "kind = "
				    "\"torus\"; dims = [2]; endpoints = 2; }; links = { default = { bandwidth = "
				    "\"100Gbps\"; "
				    "%s }; terminal = { bandwidth = \"800Gbps\"; %s }; };"
				    "switch = { %s vcs = 1; }; routing = { kind = \"minimal\"; };"
				    "traffic = ( { pattern = \"neighbor\"; load = 1.0; packet = \"%uB\"; "
				    "} );",
				    text_of(l, fabric), text_of(t, terminal), kinds[k], payloads[i]);
				expect_full(&y, l, payloads[i], 2, kinds[k]);
				netrun_free(&y);
			}
}

/* --- the same bytes
 * ------------------------------------------------------------------------------------------------------- */

/* 128 bytes and a header of 128 are packets of 256, created as often at twice the load: every delivery is the same. */
Test(framing, frames_are_packets_of_their_bytes)
{
	static const char *const networks[] = {
		DRAGONFLY_72 " routing = { kind = \"minimal\"; };",
		DRAGONFLY_72 " routing = { kind = \"ugal-l\"; bias = \"0B\"; };",
		SLIMFLY_5 " routing = { kind = \"valiant\"; };",
		("topology = { kind = \"torus\"; dims = [4, 4]; endpoints = 2; }; routing = { kind = \"minimal\"; "
		 "deadlock = \"bubble\"; };"),
		"topology = { kind = \"single\"; ports = 8; }; routing = { kind = \"minimal\"; };",
	};
	for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
		for (size_t k = 0; k < KINDS; k++) {
			struct netrun x = { 0 }, y = { 0 };
			if (strstr(networks[i], "bubble") && strstr(kinds[k], "yarc"))
				continue; /* its column buffers do not know it */
			const char *common = "seed = 5; time = { warmup = \"2us\"; measure = \"4us\"; drain = false; };"
					     "record = { ports = true; };";
			run(&x,
			    "%s %s links = { default = { header = \"128B\"; }; }; switch = { %s };"
			    "traffic = ( { load = 0.4; packet = \"128B\"; } );",
			    common, networks[i], kinds[k]);
			run(&y, "%s %s switch = { %s }; traffic = ( { load = 0.8; packet = \"256B\"; } );", common,
			    networks[i], kinds[k]);
			cr_expect_eq(x.r->digest, y.r->digest, "%s %s", networks[i], kinds[k]);
			cr_expect_float_eq(2 * x.r->total.accepted_load, y.r->total.accepted_load, 1e-12);
			netrun_free(&x);
			netrun_free(&y);
		}
}

/* Two sizes, both filled up to 256 bytes: what is filled up is not taken for time, not by arbiters that go by age. */
Test(framing, what_frames_add_does_not_make_packets_older)
{
	static const char *const aged[] = {
		("kind = \"crossbar\"; inputs = \"voq\"; arbiter = \"age\"; age = \"creation\"; cycle = \"400ps\"; "
		 "buffer = \"8KB\";"),
		"kind = \"tiled\"; age = \"creation\"; buffer = \"8KB\";",
		"kind = \"tiled\"; age = \"injection\"; buffer = \"8KB\";",
	};
	for (size_t i = 0; i < sizeof aged / sizeof *aged; i++) {
		struct netrun x = { 0 }, y = { 0 };
		const char *common =
		    "seed = 7; time = { warmup = \"2us\"; measure = \"20us\"; drain = false; };"
		    "topology = { kind = \"single\"; ports = 16; }; routing = { kind = \"minimal\"; };";
		run(&x,
		    "%s switch = { %s }; links = { default = { min_frame = \"256B\"; }; };"
		    "traffic = ( { load = 0.49; packet = [\"64B\", \"192B\"]; } );",
		    common, aged[i]);
		run(&y, "%s switch = { %s }; traffic = ( { load = 0.98; packet = [\"256B\", \"256B\"]; } );", common,
		    aged[i]);
		cr_expect_eq(x.r->digest, y.r->digest, "%s", aged[i]);
		netrun_free(&x);
		netrun_free(&y);
	}
}

/* --- credits
 * -------------------------------------------------------------------------------------------------------------- */

/* A buffer of n frames of the link keeps n packets on their way in a loop, whatever they are elsewhere and however long
 * the gap is: credits go out when a packet does and come back when its last bit has left the next switch. */
Test(framing, credits_count_frames_of_the_link)
{
	for (uint32_t n = 1; n <= 3; n++)
		for (size_t f = 0; f < FRAMINGS; f++) {
			struct frame t = framings[f][0], l = framings[f][1];
			uint32_t payload = 100, frame = frame_of(l, payload), most = frame_of(t, payload);
			if (n * frame < most) /* a terminal's buffer of as much must hold a packet, too */
				continue;
			char terminal[160], fabric[160];
			struct netrun x = { 0 };
			run(&x,
			    "time = { warmup = \"100us\"; measure = \"400us\"; drain = false; }; topology = { kind = "
			    "\"torus\"; dims = [2]; endpoints = 1; }; links = { default = { bandwidth = \"100Gbps\"; "
			    "latency = \"1us\"; %s }; terminal = { latency = \"10ns\"; %s }; };"
			    "switch = { kind = \"ideal\"; traversal = \"50ns\"; buffer = \"%uB\"; vcs = 1; }; routing "
			    "= { "
			    "kind = \"minimal\"; }; traffic = ( { load = 1.0; packet = \"%uB\"; } );",
			    text_of(l, fabric), text_of(t, terminal), n * frame, payload);
			/* leaves; arrives; leaves the next switch, whose output is idle, not before it has come */
			double out = 80.0 * most, in = 80.0 * frame;
			double loop = 1e6 + 50e3 + fmax(in, out) + 1e6;
			double packets = (double)x.r->total.delivered_bytes / payload, expected = 2 * n * 400e6 / loop;
			cr_expect_float_eq(packets, expected, 2 * n, "%u frames of %u bytes: %.0f packets, not %.1f", n,
			                   frame, packets, expected);
			netrun_free(&x);
		}
}

/* Packets that wait by lane for credits go on with their VC, and what they held comes back: all frames of a framed run
 * of two classes under shortage are accounted for at its end, with a pool and without. */
Test(framing, classes_keep_their_accounts_of_frames)
{
	static const char *const pools[] = { "", "shared_pool = 0.5;" };
	for (int k = 0; k < 2; k++) {
		struct netrun x = { 0 };
		run(&x,
		    "time = { warmup = \"1us\"; measure = \"20us\"; drain = true; }; topology = { kind = \"torus\"; "
		    "dims = "
		    "[4, 4]; endpoints = 2; }; links = { default = { bandwidth = \"200Gbps\"; latency = \"50ns\"; "
		    "framing = "
		    "\"roce\"; }; }; switch = { kind = \"ideal\"; buffer = \"20KB\"; %s }; routing = { kind = "
		    "\"minimal\"; "
		    "}; classes = ( { name = \"a\"; }, { name = \"b\"; } ); traffic = ( { class = \"a\"; load = 0.5; "
		    "packet = \"512B\"; }, { class = \"b\"; load = 0.5; packet = \"2KB\"; } );",
		    pools[k]);
		cr_expect_gt(x.r->total.delivered, 5000u);
		cr_expect_eq(x.r->total.delivered, x.r->total.created);
		netrun_free(&x);
	}
}

/* --- what is said
 * --------------------------------------------------------------------------------------------------------- */

static struct net_framings check(struct netrun *x, const char *text)
{
	struct net_framings f = { 0 };
	xp_register_builtin(&x->registry);
	cr_assert_eq(
	    xp_config_parse(&x->config, text, strlen(text), "test", NULL, NULL, XP_WHOLE, &x->registry, &x->errors), 0,
	    "%s: %s", x->errors.n ? x->errors.v[0].key : "", netrun_error(x));
	struct net_setup setup = { .config = &x->config.net,
		                   .registry = &x->registry,
		                   .build_traffic = wl_build,
		                   .destroy_traffic = wl_destroy,
		                   .framings = &f };
	cr_assert_eq(net_check(&setup, &x->errors), 0, "%s", netrun_error(x));
	return f;
}

/* RoCE: 4096 of 4178; half of the packets 64 bytes and half 192: 128 of (146 + 274) / 2; 1000 bytes as 2 x 400 + 200:
 * 1000 of 482 + 482 + 282. Rosetta's: 4096 of 4158. */
Test(framing, ceilings)
{
	struct netrun x = { 0 };
	struct net_framings f =
	    check(&x, DRAGONFLY_72
	          " routing = { kind = \"minimal\"; }; switch = { kind = \"ideal\"; };"
	          "links = { default = { framing = \"slingshot-fabric\"; }; terminal = { framing = \"roce\"; }; };"
	          "traffic = ( { load = 0.99; packet = \"4KiB\"; nodes = \"0-9\"; },"
	          "{ load = 0.5; packet = [\"64B\", \"192B\"]; nodes = \"10-19\"; },"
	          "{ load = 0.81; packet = \"400B\"; message = \"1000B\"; nodes = \"20-29\"; } );");
	cr_assert_eq(f.n, 3u);
	for (uint32_t i = 0; i < f.n; i++) {
		bool terminal = f.v[i].link_class == TOPO_LINK_CLASSES;
		double more = terminal ? 82 : 62;
		cr_expect_eq(terminal, i == 2);
		cr_expect_eq(f.v[i].header, 62u);
		cr_expect_eq(f.v[i].min_frame, terminal ? 64u : 32u);
		cr_expect_eq(f.v[i].gap, terminal ? 20u : 0u);
		cr_expect_float_eq(f.v[i].ceiling[0], 4096 / (4096 + more), 1e-9);
		cr_expect_float_eq(f.v[i].ceiling[1], 128 / (128 + more), 1e-9);
		cr_expect_float_eq(f.v[i].ceiling[2], 1000 / (1000 + 3 * more), 1e-9);
	}
	cr_assert_eq(x.errors.n, 2u); /* warnings: .99 of .9804, .81 of .8026 */
	cr_expect_str_eq(x.errors.v[0].key, "traffic.[0].load");
	cr_expect_str_eq(x.errors.v[1].key, "traffic.[2].load");
	cr_expect(x.errors.v[0].warning && x.errors.v[1].warning);
	net_framings_free(&f);
	netrun_free(&x);
}

static struct net_framing resolved(const char *links, const char *class)
{
	char text[600];
	struct netrun x = { 0 };
	snprintf(text, sizeof text,
	         DRAGONFLY_72 " routing = { kind = \"minimal\"; }; switch = { kind = \"ideal\"; };"
	                      "traffic = ( { load = 0.1; } ); links = { %s };",
	         links);
	struct net_framings f = check(&x, text);
	net_framings_free(&f);
	const struct net_config *c = &x.config.net;
	struct net_framing r =
	    net_framing_of(strcmp(class, "terminal") ? net_link_of_class(c, class) : &c->link_terminal);
	netrun_free(&x);
	return r;
}

static void expect_framing(struct net_framing f, uint64_t header, uint64_t min_frame, uint64_t granule, uint64_t gap)
{
	cr_expect(f.header == header && f.min_frame == min_frame && f.granule == granule && f.gap == gap,
	          "%lu, %lu, %lu, %lu", f.header, f.min_frame, f.granule, f.gap);
}

Test(framing, keys_and_presets)
{
	expect_framing(resolved("", "terminal"), 0, 0, 1, 0);
	expect_framing(resolved("default = { framing = \"ethernet\"; };", "local"), 18, 64, 1, 20);
	expect_framing(resolved("default = { framing = \"roce\"; };", "terminal"), 62, 64, 1, 20);
	expect_framing(resolved("default = { framing = \"roce\"; gap = \"12B\"; };", "global"), 62, 64, 1, 12);
	expect_framing(resolved("default = { framing = \"roce\"; gap = \"12B\"; }; local = { framing = "
	                        "\"slingshot-fabric\"; };",
	                        "local"),
	               62, 32, 1, 12); /* each key that a class leaves out is that of links.default */
	expect_framing(
	    resolved("default = { framing = \"roce\"; gap = \"12B\"; }; local = { gap = \"auto\"; };", "local"), 62, 64,
	    1, 20);
	expect_framing(
	    resolved("default = { framing = \"roce\"; }; terminal = { framing = \"none\"; granule = \"32B\"; };",
	             "terminal"),
	    0, 0, 32, 0);
}

/* A port that is full of frames and gaps is used all the time, and says the bytes of frames. */
static void expect_used(void *arg, const struct net_port_record *p)
{
	unsigned *full = arg;
	if (!p->packets)
		return;
	cr_expect_eq(p->bytes, p->packets * 108);
	cr_expect_float_eq(p->utilization, 1, 0.02);
	++*full;
}

Test(framing, ports_are_used_by_frames_and_gaps)
{
	for (size_t k = 0; k < KINDS; k++) {
		struct netrun x = { 0 };
		unsigned full = 0;
		run(&x,
		    "time = { warmup = \"1us\"; measure = \"40us\"; drain = false; }; topology = { kind = \"single\"; "
		    "ports "
		    "= 2; }; links = { terminal = { bandwidth = \"100Gbps\"; header = \"8B\"; gap = \"60B\"; }; };"
		    "switch = { %s }; routing = { kind = \"minimal\"; }; record = { ports = true; };"
		    "traffic = ( { load = 1.0; packet = \"100B\"; } );",
		    kinds[k]);
		net_each_port(x.net, expect_used, &full);
		cr_expect_eq(full, 2u);
		netrun_free(&x);
	}
}

static bool refused(const struct base_plugin *extra, const char *key, const char *text)
{
	struct netrun x = { 0 };
	bool found = false;
	cr_expect_not(netrun_build(&x, extra, text), "%s", text);
	for (size_t i = 0; i < x.errors.n; i++)
		found |= !x.errors.v[i].warning && !strcmp(x.errors.v[i].key, key);
	netrun_free(&x);
	return found;
}

Test(framing, of_switches_that_do_not_know_it_and_of_endless_runs_is_refused)
{
	struct sw_ops ops = *(const struct sw_ops *)sw_ideal.ops;
	struct base_plugin plain = sw_ideal;
	ops.links.frames = false;
	plain.name = "plain";
	plain.ops = &ops;
	const char *links =
	    "topology = { kind = \"single\"; ports = 2; }; links = { terminal = { header = \"1B\"; }; };"
	    "routing = { kind = \"minimal\"; }; traffic = ( { load = 0.1; } );";
	char text[600];
	snprintf(text, sizeof text, "switch = { kind = \"plain\"; }; %s", links);
	cr_expect(refused(&plain, "switch.kind", text));
	snprintf(text, sizeof text,
	         "switch = { kind = \"ideal\"; }; time = { measure = \"2000000s\"; drain = false; }; %s", links);
	cr_expect(refused(NULL, "time.measure", text));
	snprintf(text, sizeof text,
	         "switch = { kind = \"ideal\"; }; time = { precision = \"1%%\"; limit = \"2000000s\"; }; %s", links);
	cr_expect(refused(NULL, "time.limit", text));
}

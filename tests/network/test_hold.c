/* tests/network/test_hold.c - credits that inputs keep back (switch/hold.h): what a run computes is the same as where
 * they all come one by one, which records of ports ask for. */
#include "switch/hold.h"
#include "switch/switch.h"
#include "tests/network/cases.h"
#include "tests/network/units.h"

#define SHORT_LINKS \
	"links = { default = { bandwidth = \"200Gbps\"; latency = \"13ns\"; }; global = { latency = \"50ns\"; }; };"
#define LONG_GLOBAL \
	"links = { default = { bandwidth = \"100Gbps\"; latency = \"20ns\"; }; global = { latency = \"2us\"; }; };"
#define RING "topology = { kind = \"torus\"; dims = [8]; endpoints = 2; };"
#define NARY_TREE "topology = { kind = \"kary-ntree\"; k = 2; n = 4; };"
#define MESHES "topology = { kind = \"hammingmesh\"; board = [2, 2]; boards = [3, 3]; };"
#define ROSETTA(more) "switch = { kind = \"tiled\"; preset = \"rosetta\"; " more " };"
#define TIME(measure) "time = { warmup = \"0us\"; measure = \"" measure "\"; };"
#define HOT(load) "traffic = ( { pattern = \"hotspot\"; load = " load "; packet = [\"256B\", \"1KB\"]; } );"

struct told {
	uint64_t digest, hops, events, undone;
};

static struct told tell(const char *network, const char *more)
{
	struct netrun x = { 0 };
	run(&x, "%s %s", network, more);
	struct told t = { x.r->digest, x.r->packet_hops, x.r->counters.events_committed,
		          x.r->counters.events_rolled_back };
	netrun_free(&x);
	return t;
}

/* fewer: the share of events that is left out, at least. */
static void changes_nothing(const char *network, double fewer)
{
	struct told each = tell(network, "record = { ports = true; };"), some = tell(network, "");
	cr_expect_eq(some.digest, each.digest, "%s", network);
	cr_expect_eq(some.hops, each.hops, "%s", network);
	cr_expect_leq((double)some.events, (1 - fewer) * (double)each.events, "%s: %lu events, and one by one %lu",
	              network, some.events, each.events);
}

static const struct {
	const char *network;
	double fewer;
} compared[] = {
	{ TORUS EQUAL SWITCH("100KB", "") UNIFORM("0.2") ROUTING("minimal") TIME("40us"), 0.25 },
	{ RING EQUAL SWITCH("100KB", "") WORST("0.05") ROUTING("minimal") TIME("40us"), 0.25 },
	{ NARY_TREE EQUAL SWITCH("100KB", "") UNIFORM("0.5") ROUTING("minimal") TIME("40us"), 0.25 },
	{ NARY_TREE EQUAL SWITCH("100KB", "") UNIFORM("0.5") ROUTING("minimal-adaptive") TIME("40us"), 0.25 },
	{ MESHES EQUAL SWITCH("200KB", "") UNIFORM("0.3") ROUTING("minimal") TIME("40us"), 0.05 },
	{ DRAGONFLY SHORT_LINKS ROSETTA("") UNIFORM("0.5") ROUTING("minimal") TIME("20us"), 0.2 },
	{ DRAGONFLY LONG_GLOBAL ROSETTA("") UNIFORM("0.5") UGAL("ugal-l") TIME("20us"), 0.05 },
	/* where buffers fill, far ends are told to let go, and again to keep */
	{ TORUS EQUAL SWITCH("100KB", "") UNIFORM("1.0") ROUTING("minimal") TIME("60us"), 0.001 },
	{ TORUS EQUAL SWITCH("200KB", "") HOT("0.9") ROUTING("minimal") TIME("60us"), 0.001 },
	{ RING EQUAL SWITCH("200KB", "") WORST("0.9") ROUTING("valiant") TIME("60us"), 0.001 },
	{ NARY_TREE EQUAL SWITCH("100KB", "") HOT("0.7") ROUTING("minimal-adaptive") TIME("60us"), 0.001 },
	{ DRAGONFLY SHORT_LINKS ROSETTA("") WORST("0.9") ROUTING("minimal") TIME("30us"), 0.001 },
	{ TORUS EQUAL ROSETTA("") HOT("0.9") ROUTING("minimal") TIME("30us"), 0.001 },
};

Test(hold, changes_nothing_but_the_events)
{
	for (size_t i = 0; i < sizeof compared / sizeof *compared; i++)
		changes_nothing(compared[i].network, compared[i].fewer);
}

/* A frame of 1 byte takes 1.49 ps, which are 1 of the simulator's: links bring in half as much again as their rate
 * says. Many endpoints of one switch, whose far end keeps credits, begin to send to the other one at once. */
Test(hold, changes_nothing_where_times_are_rounded)
{
	changes_nothing(
	    "topology = { kind = \"torus\"; dims = [2]; endpoints = 12; };"
	    "links = { default = { bandwidth = \"5369Gbps\"; latency = \"1ns\"; }; };"
	    "switch = { kind = \"ideal\"; traversal = \"10ns\"; buffer = \"350KB\"; };"
	    "traffic = ( { name = \"a\"; pattern = \"incast\"; target = 0; load = 0.03; packet = \"1B\"; stop = "
	    "\"100ns\"; }, { name = \"b\"; process = \"window\"; to = \"first\"; size = \"40KB\"; packet = \"1B\"; "
	    "start = \"100ns\"; outstanding = 3; nodes = \"0,12-23\"; } );" ROUTING("minimal") TIME("500ns"),
	    0.001);
	struct sw_link l = { .ps_per_byte_q16 = 97656 }; /* 1.49 ps a byte */
	cr_expect_float_eq((double)sw_most_per_ps_q32(&l, 1) / 4294967296, 1 / 0.99, 0.001);
	cr_expect_float_eq((double)sw_most_per_ps_q32(&l, 1000) / 4294967296, 1000 / 1489.6, 0.001);
	l.ps_per_byte_q16 = 65536 / 3;
	cr_expect_eq(sw_most_per_ps_q32(&l, 1), 0, "a byte of a third of a ps takes none");
}

/* In any order of execution; here it takes as many events, too. Audit finds state that is not restored. */
Test(hold, is_the_same_in_every_scheduler)
{
	static const char *const networks[] = {
		TORUS EQUAL SWITCH("200KB", "") HOT("0.9") ROUTING("minimal") TIME("20us"),
		NARY_TREE EQUAL SWITCH("100KB", "") UNIFORM("0.8") ROUTING("minimal-adaptive") TIME("10us"),
		DRAGONFLY SHORT_LINKS ROSETTA("") WORST("0.9") ROUTING("minimal") TIME("20us"),
	};
	for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
		struct told want = tell(networks[i], "engine = { sync = \"sequential\"; };");
		static const char *const engines[] = { "engine = { sync = \"optimistic\"; stress = 25; };",
			                               "engine = { sync = \"conservative\"; };",
			                               "engine = { threads = 2; };", "engine = { audit = true; };" };
		for (size_t k = 0; k < sizeof engines / sizeof *engines; k++) {
			struct told got = tell(networks[i], engines[k]);
			cr_expect_eq(got.digest, want.digest, "%s %s", networks[i], engines[k]);
			cr_expect_eq(got.events, want.events, "%s %s: %lu events, not %lu", networks[i], engines[k],
			             got.events, want.events);
			if (!k)
				cr_expect_gt(got.undone, 100, "%s: stress without rollbacks", networks[i]);
		}
	}
}

/* Seven ports of 12.5 bytes a nanosecond, packets of 256 bytes: in two latencies of 50 ns and 160 ns 22,750 bytes come
 * in, and a packet more by each port; and two packets are to be left. */
Test(hold, stops_while_what_may_come_in_is_left)
{
	struct sw_common c = { .max_packet = 256 };
	for (int k = 0; k < SW_LINK_CLASSES; k++)
		c.link[k] = c.incoming[k] =
		    (struct sw_link){ .latency = k == 1 ? 400000 : 50000, .ps_per_byte_q16 = 80 << 16 };
	struct sw_takes takes = { 7 * 256, 7 * (UINT64_C(1) << 32) / 80 };
	struct sw_hold h = sw_hold_of(&c, &takes, 25500, 150000, 10000);
	cr_expect_float_eq(h.stop, 7 * 12.5 * 260 + 7 * 256 + 512, 2, "%u", h.stop);
	cr_expect_eq(h.links, 0xfffffffdu, "%x", h.links); /* of class 1 as much as 75,000 bytes may come */
	c.links = 34;                                      /* the 33rd and 34th have the bits of the first and second */
	cr_expect_eq(sw_hold_of(&c, &takes, 25500, 150000, 10000).links, 0xfffffffdu);
	c.link[32].latency = 750000; /* and 800 ns there and back are too long */
	cr_expect_eq(sw_hold_of(&c, &takes, 25500, 150000, 10000).links, 0xfffffffcu);
	cr_expect_eq(sw_hold_of(&c, &takes, 25000, 150000, 10000).stop, 0);
	cr_expect_eq(sw_hold_again(20000, 50000), 42500);
}

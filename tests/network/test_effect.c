/* tests/network/test_effect.c - keys that have no effect on this very network are refused by name when it is built. */
#include "tests/network/fixture.h"

#include <criterion/criterion.h>

#define TIME "time = { warmup = \"300ns\"; measure = \"1us\"; }; traffic = ( { load = 0.5; packet = \"256B\"; } ); "
#define SINGLE(ports) TIME "topology = { kind = \"single\"; ports = " #ports "; }; "
#define RING TIME "topology = { kind = \"torus\"; dims = [4]; endpoints = 1; }; "
#define YARC(more) "switch = { kind = \"tiled\"; preset = \"yarc\"; " more " };"
#define CROSSBAR(more) "switch = { kind = \"crossbar\"; cycle = \"320ps\"; " more " };"
#define ROSETTA(more) "switch = { kind = \"tiled\"; preset = \"rosetta\"; " more " };"

#define TWO_CLASSES(bytes)                                                                                       \
	"topology = { kind = \"single\"; ports = 8; }; time = { measure = \"1us\"; };"                           \
	"classes = ( { name = \"a\"; }, { name = \"b\"; } ); traffic = ( { load = 0.2; packet = \"256B\"; }, { " \
	"load = 0.2; class = \"b\"; packet = \"256B\"; } );" CROSSBAR("inputs = \"voq\"; buffer = \"" bytes "\";")

static const struct {
	const char *text, *key; /* NULL: accepted */
} cases[] = {
	/* one queue an input: nothing to choose from */
	{ SINGLE(8) YARC("bus_arbiter = \"age\";"), "switch.bus_arbiter" },
	{ SINGLE(8) YARC("bus_arbiter = \"age\"; vcs = 2;"), NULL },
	{ SINGLE(8) YARC("bus_arbiter = \"age\"; queues = \"voq\";"), NULL },
	/* rosetta has 16 ports in a row of tiles, yarc 8 */
	{ SINGLE(16) ROSETTA("column_arbiter = \"age\";"), "switch.column_arbiter" },
	{ SINGLE(17) ROSETTA("column_arbiter = \"age\";"), NULL },
	{ SINGLE(8) YARC("column_arbiter = \"age\";"), "switch.column_arbiter" },
	{ SINGLE(9) YARC("column_arbiter = \"age\";"), NULL },
	/* a turn must suffice for any packet */
	{ SINGLE(8) ROSETTA("grant_arbiter = \"drr\"; quantum = \"255B\";"), "switch.quantum" },
	{ SINGLE(8) ROSETTA("grant_arbiter = \"drr\"; quantum = \"256B\";"), NULL },
	{ SINGLE(8) CROSSBAR("arbiter = \"drr\"; quantum = \"255B\";"), "switch.quantum" },
	{ SINGLE(8) CROSSBAR("arbiter = \"drr\"; quantum = \"256B\";"), NULL },
	{ SINGLE(8) ROSETTA("spread = \"packet\";"), "switch.spread" },
	{ SINGLE(8) ROSETTA("spread = \"packet\"; vcs = 2;"), NULL },
	{ SINGLE(8) ROSETTA("publish = \"80ns\";"), "switch.publish" },
	{ RING "links = { local = { latency = \"70ns\"; }; };", NULL },
	{ RING "links = { global = { latency = \"70ns\"; }; };", "links.global" },
	{ RING
	  "links = { terminal = { latency = \"9ns\"; }; local = { latency = \"9ns\"; }; default = { latency = \"8ns\"; "
	  "}; };",
	  "links.default.latency" },
	/* two classes of an endpoint divide the buffer of its switch's input, and each must hold a packet */
	{ TWO_CLASSES("300B"), "switch.buffer" },
	{ TWO_CLASSES("600B"), NULL },
	{ RING "engine = { sync = \"conservative\"; window = \"1us\"; };", "engine.window" },
	{ RING "engine = { sync = \"optimistic\"; window = \"1us\"; };", NULL },
};

Test(effect, of_keys_on_this_network)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct netrun x = { 0 };
		bool built = netrun_build(&x, NULL, cases[i].text);
		cr_expect_eq(built, !cases[i].key, "%s: %s", cases[i].text, netrun_error(&x));
		if (!built && cases[i].key)
			cr_expect_str_eq(x.errors.v[0].key, cases[i].key, "%s: %s", cases[i].text, netrun_error(&x));
		netrun_free(&x);
	}
}

/* Packets that turn into a ring, or are injected, wait for two free places; in a column buffer they would do so in
 * front of packets of the ring, which are to need one. */
#define BUBBLE                                                                                                       \
	"topology = { kind = \"torus\"; dims = [5, 5]; }; links = { default = { bandwidth = \"200Gbps\"; latency = " \
	"\"20ns\"; }; }; time = { warmup = \"1us\"; measure = \"60us\"; drain = true; }; traffic = ( { pattern = "   \
	"\"tornado\"; load "                                                                                         \
	"= "                                                                                                         \
	"1.0; packet = \"512B\"; }, { load = 1.0; packet = \"128B\"; name = \"b\"; } );"
#define RULE(more) "routing = { kind = \"minimal\"; deadlock = \"bubble\"; " more "};"
#define WITHOUT "buffer = \"4KB\"; grants = \"off\"; row_buffer = \"4KiB\"; "

Test(effect, bubbles_need_grants_or_no_column_buffers)
{
	static const struct {
		const char *text;
		bool built;
		enum net_outcome outcome;
	} rings[] = {
		{ BUBBLE RULE("") YARC(""), false, NET_DONE },
		{ BUBBLE RULE("") ROSETTA(WITHOUT "column_buffer = \"4KiB\";"), false, NET_DONE },
		{ BUBBLE RULE("unsafe = true;") ROSETTA(WITHOUT "column_buffer = \"4KiB\";"), true, NET_STALLED },
		{ BUBBLE RULE("") ROSETTA(WITHOUT), true, NET_DONE },
		{ BUBBLE RULE("") ROSETTA("buffer = \"4KB\"; row_buffer = \"4KiB\"; column_buffer = \"4KiB\";"), true,
		  NET_DONE },
	};
	for (size_t i = 0; i < sizeof rings / sizeof *rings; i++) {
		struct netrun x = { 0 };
		bool built = netrun_build(&x, NULL, rings[i].text);
		cr_expect_eq(built, rings[i].built, "%s: %s", rings[i].text, netrun_error(&x));
		if (!built)
			cr_expect_str_eq(x.errors.v[0].key, "switch.column_buffer", "%s", rings[i].text);
		else
			cr_expect_eq(netrun_go(&x), rings[i].outcome, "%s: %s", rings[i].text, netrun_error(&x));
		netrun_free(&x);
	}
}

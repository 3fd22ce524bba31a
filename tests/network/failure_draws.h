/* tests/network/failure_draws.h - drawn schedules of failures on twelve networks, their routings, and the switch
 * models: no packet is unaccounted for, no packets wait for each other, and every scheduler gives one digest. */
#ifndef TESTS_NETWORK_FAILURE_DRAWS_H
#define TESTS_NETWORK_FAILURE_DRAWS_H

#include "sim/rng.h"
#include "tests/network/units.h"
#include "tests/tier.h"

#define FAILURE_SEED 17u

struct failure_text {
	char v[6000];
	size_t n;
	uint32_t index, drawn;
};

__attribute__((format(printf, 2, 3))) static void put(struct failure_text *t, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	t->n += (size_t)vsnprintf(t->v + t->n, sizeof t->v - t->n, fmt, ap);
	va_end(ap);
}

static uint32_t draw_of(struct failure_text *t, uint32_t n)
{
	return sim_draw4(tier_seed(FAILURE_SEED), t->index, t->drawn++, SIM_DRAW_MODEL, 0).v[0] % n;
}

static const struct {
	const char *topology, *routings[10];
} failing_networks[] = {
	{ "kind = \"slimfly\"; q = 5; endpoints = 2;",
	  { "minimal", "valiant", "ugal-l", "ugal-g", "par", "slingshot", "slimfly-adaptive", "ecmp", "spray" } },
	{ "kind = \"dragonfly\"; p = 2; a = 4; h = 2;",
	  { "minimal", "valiant", "ugal-l", "ugal-g", "par", "slingshot", "ecmp" } },
	{ "kind = \"fattree\"; k = 4;", { "minimal", "valiant", "ugal-l", "ecmp", "spray" } },
	{ "kind = \"torus\"; dims = [4, 4]; endpoints = 2;", { "minimal", "valiant" } },
	{ "kind = \"torus\"; dims = [5]; endpoints = 1;", { "minimal", "valiant", "ugal-l" } },
	{ "kind = \"hyperx\"; dims = [4, 4]; endpoints = 2;",
	  { "minimal", "valiant", "ugal-l", "ugal-g", "par", "minimal-adaptive" } },
	{ "kind = \"dragonfly-plus\"; leaves = 4; spines = 4; h = 2; p = 4;", { "minimal", "ugal-l" } },
	{ "kind = \"polarfly\"; q = 5; endpoints = 2;", { "minimal", "valiant", "ugal-l", "par" } },
	{ "kind = \"jellyfish\"; switches = 20; degree = 4; endpoints = 2; seed = 3;", { "minimal", "spray" } },
	{ "kind = \"mlfm\"; h = 3;", { "minimal", "valiant" } },
	{ "kind = \"kary-ntree\"; k = 3; n = 2;", { "minimal", "ugal-l" } },
	{ "kind = \"hammingmesh\"; board = [2, 2]; boards = [3, 3];", { "minimal" } },
};
static const char *const failing_switches[] = { "kind = \"ideal\";",
	                                        "kind = \"ideal\"; forwarding = "
	                                        "\"store-and-forward\";",
	                                        "kind = \"tiled\";", "kind = \"crossbar\"; cycle = \"1ns\";",
	                                        "kind = \"output-queued\";" };
static const char *const failing_engines[] = { "sync = \"conservative\"; partition = \"random\"; threads = 1;",
	                                       "sync = \"optimistic\"; stress = 20; threads = 1;", "threads = 2;",
	                                       "sync = \"sequential\"; audit = true; threads = 1;" };

static void draw_entry(struct failure_text *t)
{
	static const char *const what[] = { "what = \"share\"; share = 0.05;",
		                            "what = \"share\"; share = 0.2;",
		                            "what = \"share\"; share = 0.5;",
		                            "what = \"share\"; share = 1.0;",
		                            "what = \"switch\"; switch = 3;",
		                            "what = \"interface\"; endpoint = 2;",
		                            "what = \"share\"; of = \"switches\"; share = 0.1;",
		                            "what = \"share\"; of = \"interfaces\"; share = 0.1;" };
	uint32_t at = draw_of(t, 6000), mode = draw_of(t, 4);
	put(t, "{ at = \"%uns\"; %s ", at, what[draw_of(t, 8)]);
	if (mode > 1 || draw_of(t, 4))
		put(t, "until = \"%uns\"; ", at + 100 + draw_of(t, 6000));
	if (mode < 2)
		put(t, "mode = \"down\"; }");
	else if (mode == 2)
		put(t, "mode = \"flap\"; down_time = \"%uns\"; up_time = \"%uns\"; }", 50 + draw_of(t, 2000),
		    50 + draw_of(t, 2000));
	else
		put(t, "mode = \"random\"; mtbf = \"%uns\"; mttr = \"%uns\"; }", 1000 + draw_of(t, 20000),
		    50 + draw_of(t, 2000));
}

static void draw_failing_case(struct failure_text *t, uint32_t index)
{
	static const char *const reaction[] = { "0ns", "200ns", "1us", "20us" };
	static const char *const traffic[] = {
		"pattern = \"uniform\"; load = 0.2; packet = \"256B\";",
		"pattern = \"uniform\"; load = 0.9; packet = \"256B\";",
		"pattern = \"permutation\"; load = 0.5; packet = [\"64B\", \"700B\"]; message = \"2KB\";",
		"process = \"all-to-all\"; size = \"1KB\"; packet = \"256B\"; iterations = 1; nodes = \"0-4\";"
	};
	*t = (struct failure_text){ .index = index };
	uint32_t network = index % 12, routings = 0, load = draw_of(t, 4);
	while (routings < 10 && failing_networks[network].routings[routings])
		routings++;
	put(t, "seed = %u; time = { warmup = \"1us\"; measure = \"6us\"; drain = %s; }; topology = { %s };", index,
	    draw_of(t, 2) ? "false" : "\"auto\"", failing_networks[network].topology);
	put(t, "routing = { kind = \"%s\"; reaction = \"%s\"; };",
	    failing_networks[network].routings[index / 12 % routings], reaction[draw_of(t, 4)]);
	put(t, "switch = { %s buffer = \"%uKB\"; };", failing_switches[draw_of(t, 5)], 12 + 8 * draw_of(t, 3));
	put(t,
	    "links = { default = { bandwidth = \"100Gbps\"; latency = \"%uns\"; %s}; terminal = { latency = "
	    "\"30ns\"; }; };",
	    draw_of(t, 2) ? 50 : 200, draw_of(t, 4) ? "" : "framing = \"ethernet\"; ");
	put(t, "traffic = ( { %s } ); %s failures = ( ", traffic[load],
	    load == 3       ? "nic = { timeout = \"3us\"; };"
	    : draw_of(t, 2) ? "nic = { retry = \"off\"; };"
	                    : "");
	for (uint32_t k = 0, entries = 1 + draw_of(t, 4); k < entries; k++) {
		put(t, k ? ", " : "");
		draw_entry(t);
	}
	put(t, " ); ");
}

/* Routes around failures may be too long for 16 VCs, or too many; false: the network says so. */
static bool run_failing_case(const struct failure_text *t, const char *engine, uint64_t *digest)
{
	struct netrun x = { 0 };
	char text[7000];
	snprintf(text, sizeof text, "%s engine = { %s };", t->v, engine);
	bool built = netrun_build(&x, NULL, text),
	     too_much = !built && (strstr(netrun_error(&x), "with one virtual channel for each hop") ||
	                           strstr(netrun_error(&x), "different sets of cables"));
	cr_assert(built || too_much, "case %u, %s: %s\n%s", t->index, x.errors.n ? x.errors.v[0].key : "",
	          netrun_error(&x), text);
	if (!built) {
		netrun_free(&x);
		return false;
	}
	cr_assert_eq(netrun_go(&x), NET_DONE, "TILEFLY_SEED=%u, case %u: outcome %d: %s %s\n%s",
	             tier_seed(FAILURE_SEED), t->index, (int)x.outcome, netrun_error(&x), x.r->stall ? x.r->stall : "",
	             text);
	const struct net_flow *f = &x.r->total;
	const struct net_failure_result *lost = &x.r->failures;
	uint64_t all = lost->lost[0] + lost->lost[1] + lost->lost[2];
	cr_assert_eq(f->created, f->delivered + f->in_flight + f->queued + f->dropped);
	cr_assert_eq(x.r->retry.on ? x.r->retry.dropped : f->dropped, all + x.r->switches.drops,
	             "case %u: %lu lost by cause\n%s", t->index, all, text);
	*digest = x.r->digest;
	netrun_free(&x);
	return true;
}

/* So many cases from `first` on, besides those that are refused. */
static inline void run_failing_cases(uint32_t first, uint32_t cases)
{
	uint32_t i = first;
	for (uint32_t ran = 0; ran < cases; i++) {
		struct failure_text t;
		uint64_t digest, other = 0;
		draw_failing_case(&t, i);
		if (!run_failing_case(&t, "sync = \"sequential\"; threads = 1;", &digest))
			continue;
		for (size_t e = 0; e < sizeof failing_engines / sizeof *failing_engines; e++) {
			cr_assert(run_failing_case(&t, failing_engines[e], &other));
			cr_assert_eq(other, digest, "TILEFLY_SEED=%u, case %u, %s\n%s", tier_seed(FAILURE_SEED), i,
			             failing_engines[e], t.v);
		}
		ran++;
	}
	cr_assert_leq(i - first, cases + cases / 2 + 4, "%u of %u cases are refused", i - first - cases, i - first);
}

#endif

/* tests/network/test_failures.c - cables, switches and interfaces that go down: what is lost, how routing follows, and
 * what comes of it, by hand on small networks; and some drawn cases of failure_draws.h. */
#include "network/net.h"
#include "tests/network/failure_draws.h"

Test(failures, drawn_schedules_lose_nothing_unaccounted, .timeout = 200)
{
	run_failing_cases(2000, 12);
}

/* Two switches with an endpoint each and one cable: a packet of 256 B in 20,480 ps every 40,960 ps from each endpoint.
 * The cable is out for 40.96 us: what begins its flight over it from 70.48 ns (the frame's time and the cable's latency
 * of 50 ns) before that until its end is lost. */
#define PAIR                                                                                                          \
	"topology = { kind = \"hyperx\"; dims = [2]; endpoints = 1; }; routing = { kind = \"minimal\"; %s }; "        \
	"traffic = ( { pattern = \"permutation\"; injection = \"periodic\"; load = 0.5; packet = \"256B\"; } ); "     \
	"seed = 5; time = { warmup = \"20us\"; measure = \"200us\"; }; switch = { %s }; links = { default = { "       \
	"bandwidth = \"100Gbps\"; latency = \"50ns\"; }; terminal = { latency = \"10ns\"; }; }; failures = ( { at = " \
	"\"100us\"; until = \"140960ns\"; mode = \"down\"; %s } ); %s"

/* 40.96 us hold 1,000 packets of each direction, and the flight of 70.48 ns one or two more. */
Test(failures, what_is_on_a_cable_is_lost)
{
	for (size_t k = 0; k < 5; k++) {
		struct netrun x = { 0 };
		run(&x, PAIR, "reaction = \"1ms\";", failing_switches[k], "cable = [0, 1];",
		    "nic = { retry = \"off\"; };");
		const struct net_failure_result *f = &x.r->failures;
		cr_expect_geq(f->lost[0], 2 * 1001, "%s: %lu", failing_switches[k], f->lost[0]);
		cr_expect_leq(f->lost[0], 2 * 1002, "%s: %lu", failing_switches[k], f->lost[0]);
		cr_expect_eq(f->lost_bytes[0], 256 * f->lost[0]);
		cr_expect_eq(x.r->total.dropped, f->lost[0]);
		cr_expect_eq(f->lost[1] + f->lost[2], 0);
		cr_expect_eq(f->reroutings, 0);
		cr_expect_eq(f->outages, 1);
		netrun_free(&x);
	}
}

/* The same, with routes that follow after 10 us: from 110 us to 150.96 us no way leads to the other switch, and what
 * leaves its endpoint then is dropped at its own switch: 1,000 packets of each direction. Lost on the
 * cable is what left its endpoint by 110 us and began its flight over it from 99.92952 us on, 110 ns later (10 ns of
 * latency, and a traversal of 100 ns): 10,180.48 / 40.96 = 248.5 packets of each direction. */
Test(failures, routes_follow_after_their_reaction)
{
	struct netrun x = { 0 };
	run(&x, PAIR, "reaction = \"10us\";", "kind = \"ideal\";", "cable = [0, 1];", "nic = { retry = \"off\"; };");
	const struct net_failure_result *f = &x.r->failures;
	cr_expect_geq(f->lost[2], 2 * 1000);
	cr_expect_leq(f->lost[2], 2 * 1001);
	cr_expect_geq(f->lost[0], 2 * 248);
	cr_expect_leq(f->lost[0], 2 * 249);
	cr_expect_eq(f->reroutings, 2);
	cr_expect_eq(f->partitions, 1);
	cr_assert_eq(f->partitions, 1);
	cr_expect_eq(f->partition[0].from, UINT64_C(110000000));
	cr_expect_eq(f->partition[0].until, UINT64_C(150960000));
	cr_expect_eq(f->partition[0].endpoints, 1);
	cr_expect_str_eq(f->partition[0].which, "1");
	cr_expect_eq(f->partitioned_ps, UINT64_C(40960000));
	netrun_free(&x);
}

/* An interface: its own packets, and those to it. Its link holds a frame for 20.48 + 10 ns. */
Test(failures, what_is_on_the_link_of_an_endpoint_is_lost)
{
	for (size_t k = 0; k < 5; k++) {
		struct netrun x = { 0 };
		run(&x, PAIR, "reaction = \"1ms\";", failing_switches[k], "what = \"interface\"; endpoint = 1;",
		    "nic = { retry = \"off\"; };");
		const struct net_failure_result *f = &x.r->failures;
		cr_expect_geq(f->lost[1], 2 * 1000, "%s: %lu", failing_switches[k], f->lost[1]);
		cr_expect_leq(f->lost[1], 2 * 1001, "%s: %lu", failing_switches[k], f->lost[1]);
		cr_expect_eq(f->lost[0] + f->lost[2], 0);
		netrun_free(&x);
	}
}

/* A cable that flaps all the time, 2 us of 5 down: endpoints send again until all has come, once. */
Test(failures, a_flapping_cable_heals)
{
	for (size_t k = 0; k < 5; k++) {
		struct netrun x = { 0 };
		run(&x,
		    "topology = { kind = \"hyperx\"; dims = [2]; endpoints = 2; }; switch = { %s }; time = { warmup = "
		    "\"5us\"; measure = \"60us\"; drain = true; }; traffic = ( { pattern = \"uniform\"; load = 0.1; "
		    "packet "
		    "= \"256B\"; stop = \"50us\"; } ); routing = { reaction = \"4us\"; kind = \"minimal\"; }; nic = { "
		    "timeout = \"4us\"; }; failures = ( { at = \"3us\"; until = \"400us\"; cable = [0, 1]; mode = "
		    "\"flap\"; down_time = \"2us\"; up_time = \"3us\"; } );",
		    failing_switches[k]);
		cr_expect_gt(x.r->failures.lost[0], 100, "%s", failing_switches[k]);
		cr_expect_gt(x.r->retry.resent, 100);
		cr_expect_eq(x.r->failures.reroutings, 0);
		cr_expect_gt(x.r->total.created, 900);
		cr_expect_eq(x.r->total.delivered, x.r->total.created, "%s: %lu of %lu", failing_switches[k],
		             x.r->total.delivered, x.r->total.created);
		netrun_free(&x);
	}
}

/* Routing sees an outage that lasts longer than its reaction, and an end that does: of outages of 1, 5 and 1 us with
 * 1 us between them and a reaction of 2 us only the second one counts, from its beginning until the last one's end,
 * both 2 us later. */
Test(failures, short_changes_change_no_routes)
{
	struct netrun x = { 0 };
	run(&x,
	    "topology = { kind = \"hyperx\"; dims = [2]; endpoints = 1; }; time = { warmup = \"1us\"; measure = "
	    "\"60us\"; "
	    "}; traffic = ( { pattern = \"uniform\"; load = 0.1; } ); nic = { retry = \"off\"; }; routing = { kind = "
	    "\"minimal\"; reaction = \"2us\"; }; failures = ( { at = \"10us\"; until = \"11us\"; cable = [0, 1]; mode "
	    "= "
	    "\"down\"; }, { at = \"12us\"; until = \"17us\"; cable = [0, 1]; mode = \"down\"; }, { at = \"18us\"; "
	    "until = "
	    "\"19us\"; cable = [0, 1]; mode = \"down\"; } );");
	cr_assert_eq(x.r->failures.partitions, 1);
	cr_expect_eq(x.r->failures.partition[0].from, UINT64_C(14000000));
	cr_expect_eq(x.r->failures.partition[0].until, UINT64_C(21000000));
	cr_expect_eq(x.r->failures.outages, 3);
	netrun_free(&x);
}

/* A share is exactly that part of the 32 cables or 16 switches, rounded, and at least one, with every seed; with
 * another seed mostly others. */
Test(failures, a_share_is_exact)
{
	static const struct {
		const char *what;
		uint32_t cables;
	} share[] = { { "share = 0.2;", 6 },
		      { "share = 0.001;", 1 },
		      { "share = 0.5;", 16 },
		      { "share = 0.0625; of = \"switches\";", 4 } };
	for (size_t k = 0; k < sizeof share / sizeof *share; k++) {
		uint32_t first = 0, others = 0;
		for (unsigned seed = 1; seed <= 8; seed++) {
			struct netrun x = { 0 };
			run(&x,
			    "topology = { kind = \"torus\"; dims = [4, 4]; }; time = { warmup = \"0us\"; measure = "
			    "\"2us\"; };"
			    "switch = { kind = \"ideal\"; }; routing = { kind = \"minimal\"; };"
			    "traffic = ( { load = 0.01; } ); failures = ( { at = \"1us\"; what = \"share\"; mode = "
			    "\"down\"; "
			    "seed = %u; %s } );",
			    seed, share[k].what);
			const struct net_failures *f = &x.net->failures;
			cr_expect_eq(f->cables, share[k].cables, "%s, seed %u: %u cables", share[k].what, seed,
			             f->cables);
			uint32_t c = 0;
			while (!f->of_channel[c])
				c++;
			first = seed == 1 ? c : first;
			others += c != first;
			netrun_free(&x);
		}
		cr_expect(others > 0 || share[k].cables == 16, "%s: the same cables with every seed", share[k].what);
	}
}

/* With all of a share of 1 for ever down, nothing crosses a cable but what was on time. */
Test(failures, without_cables_only_neighbours_are_reached)
{
	struct netrun x = { 0 };
	run(&x,
	    "%s %s seed = 3; routing = { kind = \"ugal-l\"; reaction = \"1us\"; }; time = { warmup = \"10us\"; measure "
	    "= "
	    "\"20us\"; }; switch = { kind = \"ideal\"; }; traffic = ( { pattern = \"uniform\"; load = 0.3; packet = "
	    "\"256B\"; start = \"3us\"; } ); nic = { retry = \"off\"; }; failures = ( { at = \"1us\"; what = "
	    "\"share\"; "
	    "share = 1.0; mode = \"down\"; } );",
	    "topology = { kind = \"dragonfly\"; p = 4; a = 4; h = 2; };",
	    "links = { default = { latency = \"50ns\"; }; terminal = { latency = \"30ns\"; }; };");
	const struct net_flow *f = &x.r->total;
	double to_neighbours = 3.0 / (4 * 4 * 9 - 1), is = (double)f->delivered / (double)f->created;
	cr_expect_eq(x.r->failures.lost[0] + x.r->failures.lost[1], 0);
	cr_expect_eq(f->hops_max, 0);
	cr_expect_float_eq(is, to_neighbours, 0.1 * to_neighbours, "%g of %g", is, to_neighbours);
	netrun_free(&x);
}

/* With link-level retry an outage that is not longer than routing's reaction loses nothing, and everything is in time a
 * round trip after it: at half load 1 us of outage, a round trip of 2 x 50 ns and a frame's time delay packets by less
 * than 1.2 us. */
Test(failures, link_level_retry_bridges_short_outages)
{
	for (size_t k = 0; k < 5; k++) {
		struct netrun x = { 0 };
		run(&x,
		    "topology = { kind = \"hyperx\"; dims = [2]; endpoints = 1; }; routing = { kind = \"minimal\"; "
		    "reaction = "
		    "\"1us\"; }; traffic = ( { pattern = \"permutation\"; injection = \"periodic\"; load = 0.5; packet "
		    "= "
		    "\"256B\"; } ); time = { warmup = \"20us\"; measure = \"200us\"; drain = true; }; switch = { %s }; "
		    "links = "
		    "{ default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; retry_buffer = \"16KB\"; }; terminal = "
		    "{ "
		    "latency = \"10ns\"; }; }; nic = { retry = \"off\"; }; failures = ( { at = \"100us\"; until = "
		    "\"101us\"; "
		    "cable = [0, 1]; mode = \"down\"; } );",
		    failing_switches[k]);
		cr_expect_eq(x.r->failures.lost[0] + x.r->failures.lost[2], 0, "%s", failing_switches[k]);
		cr_expect_eq(x.r->failures.outages, 1);
		cr_expect_eq(x.r->total.delivered, x.r->total.created);
		cr_expect_gt(x.r->links.damaged, 0);
		cr_expect_leq(x.r->links.damaged, 2 * 2);
		cr_expect_geq(x.r->total.latency.max, x.r->total.latency.min + 1000000);
		cr_expect_leq(x.r->total.latency.max, x.r->total.latency.min + 1200000);
		netrun_free(&x);
	}
}

/* The same outage is lost without retry, and with it if it is longer than the reaction. */
Test(failures, long_outages_are_not_bridged)
{
	static const char *const links[] = { "", "retry_buffer = \"16KB\";" };
	for (size_t k = 0; k < 2; k++) {
		struct netrun x = { 0 };
		run(&x,
		    "topology = { kind = \"hyperx\"; dims = [2]; endpoints = 1; }; routing = { kind = \"minimal\"; "
		    "reaction = "
		    "\"999ns\"; }; traffic = ( { pattern = \"permutation\"; injection = \"periodic\"; load = 0.5; "
		    "packet = "
		    "\"256B\"; } ); time = { warmup = \"20us\"; measure = \"200us\"; }; switch = { kind = \"ideal\"; "
		    "}; links "
		    "= { default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; %s }; terminal = { latency = "
		    "\"10ns\"; }; "
		    "}; nic = { retry = \"off\"; }; failures = ( { at = \"100us\"; until = \"101us\"; cable = [0, 1]; "
		    "mode = "
		    "\"down\"; } );",
		    links[k]);
		uint64_t lost = x.r->failures.lost[0];
		cr_expect(lost >= 2 * 24 && lost <= 2 * 27, "%lu lost", lost); /* (1000 + 70) / 40.96, see above */
		netrun_free(&x);
	}
}

/* A ring of five switches, an endpoint each; those of all but switch 1 reduce a vector of 256 B (20.48 ns) by recursive
 * doubling: 0 with 2 and 3 with 4, then 0 with 3 and 2 with 4. A message over H cables takes T(H) = 2 x 30 ns for links
 * of endpoints + 50 H + 100 (H + 1) + 20.48. In the whole ring it is T(2) from 0 to 2 over switch 1, and T(2) = 480.48
 * for the second step of endpoint 3, with 0: 960.96 ns. Around switch 1 the first is T(3) = 630.48: 1,110.96 ns. If
 * routes follow only after the first messages have left, these are lost, and sent again after the timeout and a round
 * trip of T(2)
 * + 30 ns + 430 ns for the acknowledgement, around switch 1: 20,000 + 940.48 + T(3) + T(2) = 22,051.44 ns. */
Test(failures, an_allreduce_goes_around_a_failed_switch)
{
	static const char *const at[] = { "100us", "1us", "9us" };
	static const uint64_t takes[] = { 960960, 1110960, 22051440 };
	static const uint64_t lost[] = { 0, 0, 2 };
	for (size_t k = 0; k < 3; k++) {
		struct netrun x = { 0 };
		run(&x,
		    "topology = { kind = \"torus\"; dims = [5]; endpoints = 1; }; time = { warmup = \"0us\"; measure = "
		    "\"200us\"; }; links = { default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; }; terminal = { "
		    "latency = "
		    "\"30ns\"; }; }; switch = { kind = \"ideal\"; traversal = \"100ns\"; }; routing = { kind = "
		    "\"minimal\"; "
		    "reaction = \"5us\"; }; nic = { timeout = \"20us\"; }; traffic = ( { process = \"allreduce\"; size "
		    "= "
		    "\"256B\"; packet = \"256B\"; iterations = 1; nodes = \"0,2-4\"; start = \"10us\"; } ); failures = "
		    "( { at = "
		    "\"%s\"; what = \"switch\"; switch = 1; mode = \"down\"; } );",
		    at[k]);
		cr_expect_eq(x.r->total.iteration.n, 4);
		cr_expect_eq(x.r->total.iteration.max, takes[k], "%lu, not %lu ps", x.r->total.iteration.max, takes[k]);
		cr_expect_eq(x.r->failures.lost[0], lost[k]);
		netrun_free(&x);
	}
}

#define WITH(topology, routing, more)                                      \
	"topology = { " topology " }; routing = { " routing                \
	" }; switch = { kind = \"ideal\"; }; traffic = ( { load = 0.1; } " \
	"); " more
#define RING "kind = \"torus\"; dims = [4, 4]; endpoints = 1;"
#define CUT(more) "failures = ( { at = \"1us\"; mode = \"down\"; " more " } );"

Test(failures, what_cannot_be_is_refused)
{
	static const char *const texts[][3] = {
		{ WITH(RING, "kind = \"minimal\"; reaction = \"1us\";", ""), "routing.reaction", "only with failures" },
		{ WITH(RING, "kind = \"minimal\";", CUT("cable = [0, 5];")), "failures.[0]",
		  "no cable that the entry could select" },
		{ WITH(RING, "kind = \"minimal\";", CUT("what = \"switch\"; switch = 16;")), "failures.[0].switch",
		  "0 to 15" },
		{ WITH(RING, "kind = \"minimal\";", CUT("what = \"interface\"; endpoint = 16;")),
		  "failures.[0].endpoint", "0 to 15" },
		{ WITH(RING, "kind = \"minimal\";", CUT("what = \"interface\"; links = \"local\";")),
		  "failures.[0].links", "no effect" },
		{ WITH(RING, "kind = \"minimal\";",
		       "failures = ( { at = \"1us\"; what = \"interface\"; mode = \"lanes\"; lanes = 1; } );"),
		  "failures.[0].mode", "down" },
		{ WITH(RING, "kind = \"minimal\";",
		       "failures = ( { at = \"1us\"; mode = \"flap\"; cable = [0, 1]; down_time = \"1us\"; } );"),
		  "failures.[0].up_time", "must be set" },
		{ WITH(RING, "kind = \"minimal\";",
		       "failures = ( { at = \"1us\"; mode = \"random\"; cable = [0, 1]; mtbf = \"1us\"; } );"),
		  "failures.[0].mttr", "must be set" },
		{ WITH(RING, "kind = \"minimal\";",
		       "failures = ( { at = \"0us\"; mode = \"random\"; what = \"share\"; share = 1.0; mtbf = \"1ps\"; "
		       "mttr = "
		       "\"1ps\"; } );"),
		  "failures", "outages" },
		{ WITH("kind = \"hyperx\"; dims = [4, 4]; endpoints = 1;", "kind = \"omniwar\";",
		       CUT("cable = [0, 1];")),
		  "routing.kind", "minimal, valiant" },
		{ WITH(RING, "kind = \"minimal\";",
		       CUT("cable = [0, 1];") "nic = { retry = \"off\"; }; congestion = { kind = "
		                              "\"window\"; };"),
		  "nic.retry", "congestion.kind" },
		{ WITH(RING, "kind = \"minimal\";",
		       CUT("cable = [0, 1];") "classes = ( { ordering = \"flow\"; name = \"a\"; } );"),
		  "nic.ordering", "receiver" },
	};
	for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
		struct netrun x = { 0 };
		bool said = !texts[k][1][0];
		cr_expect_not(netrun_build(&x, NULL, texts[k][0]), "%s", texts[k][0]);
		for (size_t i = 0; i < x.errors.n; i++)
			said |= !strcmp(x.errors.v[i].key, texts[k][1]) && strstr(x.errors.v[i].text, texts[k][2]);
		cr_expect(said, "%s: %s: %s", texts[k][0], x.errors.n ? x.errors.v[0].key : "", netrun_error(&x));
		netrun_free(&x);
	}
}

/* A sweep over time has points that end before the failure. */
Test(failures, one_behind_the_end_is_a_warning)
{
	for (int late = 0; late < 2; late++) {
		struct netrun x = { 0 };
		char text[1000];
		snprintf(text, sizeof text,
		         "%s failures = ( { at = \"%s\"; mode = \"down\"; cable = [0, 1]; } ); time = { warmup = "
		         "\"1us\"; measure = \"6us\"; drain = false; };",
		         WITH(RING, "kind = \"minimal\";", ""), late ? "7us" : "6999ns");
		cr_assert(netrun_build(&x, NULL, text), "%s", netrun_error(&x));
		size_t found = 0;
		for (size_t i = 0; i < x.errors.n; i++)
			found += !strcmp(x.errors.v[i].key, "failures.[0].at") && x.errors.v[i].warning;
		cr_expect_eq(found, (size_t)late);
		netrun_free(&x);
	}
}

/* Packets to an endpoint that is cut off for good keep a drained run from ending. */
Test(failures, what_may_keep_a_run_from_ending_is_a_warning)
{
	static const struct {
		const char *cut;
		size_t warnings;
	} cuts[] = { { "what = \"switch\"; switch = 3;", 1 },
		     { "what = \"interface\"; endpoint = 3;", 1 },
		     { "what = \"switch\"; switch = 3; until = \"2us\";", 0 },
		     { "cable = [0, 1];", 0 } };
	for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
		struct netrun x = { 0 };
		char text[1000];
		snprintf(text, sizeof text,
		         "%s failures = ( { at = \"1us\"; mode = \"down\"; %s } ); time = { drain = true; };",
		         WITH(RING, "kind = \"minimal\";", ""), cuts[k].cut);
		cr_assert(netrun_build(&x, NULL, text), "%s", netrun_error(&x));
		size_t found = 0;
		for (size_t i = 0; i < x.errors.n; i++)
			found += !strcmp(x.errors.v[i].key, "time.drain") && x.errors.v[i].warning;
		cr_expect_eq(found, cuts[k].warnings, "%s", cuts[k].cut);
		netrun_free(&x);
	}
}

/* A torus needs its datelines' VCs and, above them, one for each hop around failures: 2 + 4 by minimal routes, which
 * are of up to 4 hops, in the whole network and without one of 32 cables. A run has as many. */
Test(failures, virtual_channels_are_enough_for_all_epochs)
{
	struct netrun x = { 0 };
	run(&x, WITH(RING, "kind = \"minimal\"; reaction = \"1us\";",
	             "time = { warmup = \"1us\"; measure = \"5us\"; };") CUT("cable = [0, 1];"));
	cr_expect_eq(x.r->vcs, 2 + 4);
	netrun_free(&x);
}

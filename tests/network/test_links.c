/* tests/network/test_links.c - lanes that fail, bit errors and retry buffers of links, in every switch model. */
#include "tests/network/cases.h"
#include "tests/network/units.h"

#include <math.h>
#include <stdlib.h>

/* Two switches with an endpoint each, which send to each other all the time: 256 B in T = 10,240 ps, over a cable with
 * a round trip of 2 x 50 ns + 2,400 ps = 10 T. */
#define PAIR                                                                                                           \
	"topology = { kind = \"hyperx\"; dims = [2]; endpoints = 1; }; routing = { kind = \"minimal\"; }; "            \
	"traffic = ( { pattern = \"permutation\"; injection = \"periodic\"; load = 1.0; packet = \"256B\"; } ); seed " \
	"= "                                                                                                           \
	"5; time = { warmup = \"20us\"; measure = \"%uus\"; drain = false; }; %s "                                     \
	"links = { default = { bandwidth = \"200Gbps\"; latency = \"50ns\"; retry_answer = \"2400ps\"; %s }; "         \
	"terminal "                                                                                                    \
	"= { latency = \"10ns\"; }; }; %s"
#define TIMES_T 10240.0
static const char *const switches[] = { "switch = { kind = \"ideal\"; };", "switch = { kind = \"tiled\"; };",
	                                "switch = { kind = \"crossbar\"; cycle = \"300ps\"; };",
	                                "switch = { kind = \"output-queued\"; pfc = true; };" };

static void run_pair(struct netrun *x, size_t k, unsigned us, const char *link, const char *failures)
{
	*x = (struct netrun){ 0 };
	run(x, PAIR, us, switches[k], link, failures);
}

Test(links, goodput_with_bit_errors_is_that_of_go_back_n)
{
	for (size_t k = 0; k < 4; k++) {
		struct netrun x;
		run_pair(&x, k, 2000, "bit_error_rate = 1e-5;", "");
		double p = -expm1(8 * 256 * log1p(-1e-5)), closed = (1 - p) / (1 + 10 * p),
		       n = (double)x.r->links.frames;
		cr_expect_float_eq(x.r->total.accepted_load, closed, 0.01 * closed, "%s: %g, %g", switches[k],
		                   x.r->total.accepted_load, closed);
		cr_expect_float_eq((double)x.r->links.damaged, n * p / (1 - p), 3 * sqrt(n * p) / (1 - p));
		netrun_free(&x);
	}
}

Test(links, a_retry_buffer_bounds_goodput)
{
	for (size_t k = 0; k < 4; k++)
		for (unsigned m = 1; m < 11; m += 3) {
			struct netrun x;
			char link[64];
			snprintf(link, sizeof link, "retry_buffer = \"%uB\";", m * 256);
			run_pair(&x, k, 200, link, "");
			cr_expect_float_eq(x.r->total.accepted_load, m / 11.0, 0.01 * m / 11.0, "%s, %u: %g",
			                   switches[k], m, x.r->total.accepted_load);
			netrun_free(&x);
		}
}

/* 4, 3, 2, 1 of four lanes, from 20 us on for 50 us each: what is delivered in the window of 200 us is
 * (1 + 3/4 + 1/2 + 1/4) / 4 of it, but for the frames of the window's edges, and three replays of 11 T at most. */
Test(links, lanes_that_fail_leave_their_part)
{
	for (size_t k = 0; k < 4; k++) {
		struct netrun x;
		run_pair(&x, k, 200, "lanes = 4;",
		         "failures = ( { at = \"70us\"; cable = [1, 0]; lanes = 1; }, { at = \"120us\"; what = "
		         "\"switch\"; lanes = 1; }, { at = \"170us\"; what = \"share\"; share = 1.0; lanes = 1; } );");
		double slack = (3 * 14 + 4) * TIMES_T / 200e6;
		cr_expect_float_eq(x.r->total.accepted_load, 0.625, slack, "%s: %g", switches[k],
		                   x.r->total.accepted_load);
		cr_expect_leq(x.r->links.damaged, 6); /* a frame under way in each direction */
		cr_expect_eq(x.r->links.degraded_ps, 2 * (x.r->reached_ps - 70000000));
		netrun_free(&x);
	}
}

static int by_name(const void *a, const void *b)
{
	const struct net_packet_record *x = a, *y = b;
	return x->src != y->src ? (x->src > y->src) - (x->src < y->src) : (x->seq > y->seq) - (x->seq < y->seq);
}

/* Whatever fails, every packet is delivered, once; and in order where there is one way. */
Test(links, every_packet_is_delivered_once_and_in_order)
{
	for (size_t k = 0; k < 4; k++) {
		struct netrun x = { 0 };
		run(&x,
		    "%s %s %s seed = 3; time = { warmup = \"2us\"; measure = \"10us\"; drain = true; }; traffic = ( { "
		    "pattern = \"permutation\"; load = 0.1; packet = \"256B\"; } ); routing = { kind = \"minimal\"; }; "
		    "record = { packets = true; }; %s",
		    DRAGONFLY, NOISY, FAILING, k < 3 ? switches[k] : OUTPUTS("buffer = \"9MB\";") LOSING);
		struct packets l = packets_of(&x);
		uint32_t next[72] = { 0 };
		cr_assert_gt(l.n, 1000);
		cr_expect_gt(x.r->links.damaged, 100);
		cr_expect_eq(x.r->total.delivered, x.r->total.created);
		cr_expect_eq(x.r->total.dropped, 0);
		cr_assert_eq(l.n, x.r->total.created);
		for (size_t i = 0; i < l.n; i++) { /* in order of delivery */
			cr_assert_geq(l.v[i].seq, next[l.v[i].src], "%s: packet %u of %u", switches[k], l.v[i].seq,
			              l.v[i].src);
			next[l.v[i].src] = l.v[i].seq + 1;
		}
		qsort(l.v, l.n, sizeof *l.v, by_name);
		for (size_t i = 1; i < l.n; i++)
			cr_assert(by_name(&l.v[i - 1], &l.v[i]));
		free(l.v);
		netrun_free(&x);
	}
}

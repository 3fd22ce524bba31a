/* tests/network/test_held.c - congestion control that holds packets back for ever: a run that ends with nothing under
 * way and packets that wait has stalled. */
#include "congestion/congestion.h"
#include "experiments/config/config.h"
#include "tests/network/cases.h"
#include "tests/network/units.h"

#define NETWORK "topology = { kind = \"single\"; ports = 4; };" EQUAL SWITCH("100KB", "") ROUTING("minimal")
#define LAST 3 /* packets that a pair may send */

/* A pair sends LAST packets, and no more. */
static uint64_t may_send(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes)
{
	(void)cc;
	(void)bytes;
	return pair->word[0] < LAST ? now : SIM_NEVER;
}

static void sent(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes)
{
	(void)cc;
	(void)now;
	(void)bytes;
	pair->word[0]++;
}

static uint64_t keep(const struct cc *cc, const struct cc_pair *pair, uint64_t now)
{
	(void)cc;
	(void)pair;
	(void)now;
	return SIM_NEVER;
}

static const struct cc_ops ops = {
	.wants = CC_WANTS_ACKS, .pair_words = 1, .source.may_send = may_send, .source.sent = sent, .source.keep = keep
};
static const struct base_plugin holder = {
	.kind = "congestion", .name = "holder", .summary = "holds packets", .ops = &ops
};

static void stalls(const char *text, uint64_t packets, const char *line)
{
	struct netrun x = { 0 };
	char start[100];
	cr_assert(netrun_build(&x, &holder, text), "%s\n%s", netrun_error(&x), text);
	cr_assert_eq(netrun_go(&x), NET_STALLED, "%s\n%s", netrun_error(&x), text);
	cr_assert_eq(x.r->total.queued, packets);
	cr_assert_not(x.r->complete);
	snprintf(start, sizeof start, "standstill: %llu packets wait", (unsigned long long)packets);
	cr_expect_not_null(strstr(x.r->stall, start), "%s", x.r->stall);
	cr_expect_not_null(strstr(x.r->stall, line), "%s\n%s", x.r->stall, line);
	netrun_free(&x);
}

/* 2,000 B are eight packets. Each of four members sends one message to the next one, of which three packets leave. */
Test(held, a_drained_run_says_which_pairs_are_held)
{
	stalls(NETWORK
	       "congestion = { kind = \"holder\"; }; time = { warmup = \"0us\"; measure = \"5us\"; drain = true; };"
	       "traffic = ( { process = \"ring\"; size = \"2000B\"; iterations = 1; packet = \"256B\"; } );",
	       4 * (8 - LAST), "endpoint 3: 5 packets for endpoint 0");
}

/* Sources that are silent from 2 us on, in runs that are not drained. */
Test(held, a_run_whose_sources_have_stopped)
{
	struct netrun x = { 0 };
	static const char text[] = NETWORK
	    "congestion = { kind = \"holder\"; }; time = { warmup = \"0us\"; measure = \"50us\"; drain = false; };"
	    "traffic = ( { load = 0.5; packet = \"256B\"; pattern = \"neighbor\"; stop = \"2us\"; } );";
	cr_assert(netrun_build(&x, &holder, text), "%s", netrun_error(&x));
	cr_assert_eq(netrun_go(&x), NET_STALLED, "%s", netrun_error(&x));
	cr_assert_eq(x.r->total.delivered, 4u * LAST);
	cr_assert_eq(x.r->total.queued, x.r->total.created - 4u * LAST);
	netrun_free(&x);
}

/* What is still under way may let them go: not a standstill. */
Test(held, a_run_that_is_cut_off_has_not_stalled)
{
	struct netrun x = { 0 };
	static const char text[] = NETWORK
	    "congestion = { kind = \"window\"; window = \"300B\"; }; time = { warmup = \"0us\"; measure = \"5us\"; "
	    "drain = false; }; traffic = ( { load = 1.0; packet = \"256B\"; pattern = \"incast\"; } );";
	cr_assert(netrun_build(&x, NULL, text), "%s", netrun_error(&x));
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s", netrun_error(&x));
	cr_assert_gt(x.r->total.queued, 0u);
	netrun_free(&x);
}

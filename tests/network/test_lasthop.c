/* tests/network/test_lasthop.c - sources that are told how many they are. */
#include "experiments/config/config.h"
#include "tests/network/cases.h"
#include "tests/network/incast.h"

#define RUN                                                                                                           \
	"seed = 1; topology = { kind = \"single\"; ports = %u; }; links = { default = { bandwidth = \"200Gbps\"; }; " \
	"terminal = { latency = \"100ns\"; }; }; switch = { kind = \"ideal\"; buffer = \"1MB\"; traversal = "         \
	"\"100ns\"; }; congestion = { kind = \"lasthop\"; %s }; "

struct outcome {
	double carried, jain;
	struct net_control control;
	uint64_t got[INCAST_ENDPOINTS];
};

static void count(void *arg, const struct net_packet_record *p)
{
	struct outcome *o = arg;
	o->got[p->src] += p->delivered >= 200000000 ? p->bytes : 0;
}

/* Endpoints write to endpoint 0 without end; from 200 us on, when the first pauses are over. */
static struct outcome steady(unsigned n, const char *more)
{
	struct outcome o = { 0 };
	struct netrun x = { 0 };
	char text[2000];
	snprintf(
	    text, sizeof text,
	    RUN
	    "record = { packets = true; }; time = { warmup = \"200us\"; measure = \"400us\"; drain = false; }; "
	    "traffic = ( { pattern = \"incast\"; target = 0; load = 1.0; packet = \"2048B\"; } ); routing = { kind = "
	    "\"minimal\"; };",
	    n + 1, more);
	cr_assert(netrun_build(&x, NULL, text), "%s", netrun_error(&x));
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s", netrun_error(&x));
	net_each_packet(x.net, count, &o);
	double sum = 0, squares = 0;
	for (unsigned i = 1; i <= n; i++) {
		sum += (double)o.got[i];
		squares += (double)o.got[i] * (double)o.got[i];
	}
	o.carried = x.r->total.accepted_load * n;
	o.jain = sum * sum / (n * squares);
	o.control = x.r->control;
	netrun_free(&x);
	return o;
}

/* Each sends its n-th: the link is full, and shares are equal. With five nothing is done, whatever lies there. (With a
 * hundred the pauses of the default outlast the records, so the count begins anew, and shares are not equal.) */
Test(lasthop, sources_have_equal_shares_of_a_full_link)
{
	static const unsigned sources[] = { 6, 20, 100 };
	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
		struct outcome o = steady(sources[i], i < 2 ? "" : "pause = 0.0;");
		cr_expect_gt(o.carried, 0.98, "%u sources: %f", sources[i], o.carried);
		cr_expect_gt(o.jain, 0.99, "%u sources: %f", sources[i], o.jain);
		cr_expect(o.control.frames >= sources[i], "%lu frames", o.control.frames);
		cr_expect_gt(o.control.throttles, 0);
	}
	struct outcome five = steady(5, "");
	cr_expect_eq(five.control.frames, 0);
	cr_expect_eq(five.control.throttles, 0);
	cr_expect_gt(steady(5, "sources = 5;").control.frames, 4);
	cr_expect_eq(steady(20, "threshold = \"1GiB\";").control.frames, 0);
	cr_expect_eq(steady(20, "least = \"2049B\";").control.frames, 0);
}

/* 16 messages end together, a sixteenth of the link each, after a pause of four times what came in first. With less of
 * a pause they end earlier, and each source says that it is done. */
Test(lasthop, messages_end_after_pause_and_share)
{
	double last[2];
	for (int i = 0; i < 2; i++) {
		char text[2000];
		snprintf(text, sizeof text, RUN INCAST_MESSAGES("256KiB", "2048B", "all"), 17u,
		         i ? "pause = 0.0;" : "pause = 4.0;");
		struct incast o = incast_of(text, 16, 0);
		double wire = 16 * 262144 * 8 / 200e3;
		cr_expect_gt(o.last, wire);
		cr_expect_gt(o.first, 0.85 * o.last);
		cr_expect(o.control.requests >= 16, "%lu", o.control.requests);
		last[i] = o.last;
	}
	/* four times 64 KiB at least, less what the link has to do meanwhile: those, and 16 sources' packets of 0.3 us
	 */
	cr_expect_gt(last[0], last[1] + 10.5 - 2.7 - 4.9, "%.1f and %.1f us", last[0], last[1]);
	cr_expect_lt(last[1], 1.05 * 16 * 262144 * 8 / 200e3, "%.1f us", last[1]);
}

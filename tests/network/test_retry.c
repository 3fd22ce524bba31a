/* tests/network/test_retry.c - packets that are lost are sent again, and delivered once. */
#include "experiments/config/config.h"
#include "tests/network/cases.h"
#include "tests/network/incast.h"
#include "tests/network/units.h"

#include <math.h>
#include <stdlib.h>

static int by_name(const void *a, const void *b)
{
	return memcmp(a, b, 2 * sizeof(uint64_t));
}

struct name {
	uint64_t who, seq;
};

struct names {
	struct name *all;
	size_t n, cap;
};

static void note(void *arg, const struct net_packet_record *p)
{
	struct names *l = arg;
	if (l->n == l->cap) {
		l->cap = 2 * l->cap + 1024;
		l->all = realloc(l->all, l->cap * sizeof *l->all);
	}
	l->all[l->n++] = (struct name){ (uint64_t)p->job << 32 | p->src, p->seq };
}

#define LOSSY(loss, timeout) "nic = { loss = " loss "; timeout = \"" timeout "\"; };"
#define RECORDED "record = { packets = true; };"

static void delivered_once(struct netrun *x, const char *text)
{
	struct names l = { 0 };
	net_each_packet(x->net, note, &l);
	cr_assert_eq(l.n, x->r->total.delivered, "%s", text);
	qsort(l.all, l.n, sizeof *l.all, by_name);
	for (size_t i = 1; i < l.n; i++)
		cr_assert(by_name(&l.all[i - 1], &l.all[i]), "packet %llu of %llu came twice: %s",
		          (unsigned long long)l.all[i].seq, (unsigned long long)l.all[i].who, text);
	free(l.all);
}

/* With chance p of loss of a packet and of an acknowledgement a copy is answered with q = (1 - p)^2, and a packet takes
 * 1 / q copies in the mean, geometric: variance (1 - q) / q^2. Of N packets all are delivered, each once. (A timeout
 * that is longer than any round trip, so that none is sent again without need.) */
Test(retry, each_packet_comes_once_and_copies_are_as_many_as_expected)
{
	static const struct {
		const char *net, *loss;
		double p;
	} run[] = {
		{ SLIMFLY EQUAL SWITCH("100KB", "") UNIFORM("0.3") ROUTING("minimal"), "1e-3", 1e-3 },
		{ DRAGONFLY MIXED SWITCH("8KB", "") UNIFORM("0.2") UGAL("ugal-l"), "1e-2", 1e-2 },
		{ DRAGONFLY FRAMED "switch = { kind = \"tiled\"; };" UNIFORM("0.2") UGAL("par"), "0.2", 0.2 },
		{ TORUS EQUAL "switch = { kind = \"crossbar\"; };" UNIFORM("0.2") ROUTING("valiant"), "1e-3", 1e-3 },
		{ SLIMFLY EQUAL SWITCH("100KB", "") UNIFORM("0.3") ROUTING("valiant"), "1e-5", 1e-5 },
	};
	for (size_t i = 0; i < sizeof run / sizeof *run; i++) {
		char text[3000];
		snprintf(text, sizeof text, "%s %s nic = { loss = %s; timeout = \"20us\"; }; " RECORDED, run[i].net,
		         TIMES("30us", "true"), run[i].loss);
		struct netrun x = { 0 };
		cr_assert(netrun_build(&x, NULL, text), "%s\n%s", netrun_error(&x), text);
		cr_assert_eq(netrun_go(&x), NET_DONE, "%s\n%s", netrun_error(&x), text);
		double n = (double)x.r->total.created, q = (1 - run[i].p) * (1 - run[i].p);
		double mean = n * (1 - q) / q, deviation = sqrt(n * (1 - q)) / q;
		cr_expect_gt(n, 5000);
		cr_expect_eq(x.r->total.delivered, x.r->total.created, "%s", text);
		delivered_once(&x, text);
		const struct net_retry_result *r = &x.r->retry;
		cr_expect_float_eq((double)r->resent, mean, 3 * deviation + 1e-9,
		                   "%llu sent again, %.1f +- %.1f expected: %s", (unsigned long long)r->resent, mean,
		                   deviation, text);
		cr_expect_eq(r->timeouts, r->resent);
		/* an acknowledgement that is lost brings a packet that came before */
		cr_expect_eq(r->duplicates, r->damaged_acks);
		cr_expect_eq(r->resent, r->damaged + r->damaged_acks);
		netrun_free(&x);
	}
}

/* Copies that were not needed are discarded: a timeout far below a round trip. */
Test(retry, needless_copies_are_discarded)
{
	char text[3000];
	snprintf(text, sizeof text, "%s %s %s", DRAGONFLY MIXED SWITCH("8KB", "") JOBS UGAL("ugal-l"),
	         TIMES("6us", "true"), LOSSY("0.02", "1ns") RECORDED);
	struct netrun x = { 0 };
	cr_assert(netrun_build(&x, NULL, text), "%s\n%s", netrun_error(&x), text);
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s\n%s", netrun_error(&x), text);
	cr_expect_eq(x.r->total.delivered, x.r->total.created);
	cr_expect_gt(x.r->retry.duplicates, x.r->total.created / 10);
	delivered_once(&x, text);
	netrun_free(&x);
}

/* One pair, one switch, every number of 14 bits used more than twice. */
Test(retry, numbers_begin_again)
{
	char text[2000];
	snprintf(text, sizeof text,
	         "seed = 3; time = { warmup = \"0us\"; measure = \"100us\"; drain = true; }; "
	         "topology = { kind = \"single\"; ports = 2; }; routing = { kind = \"minimal\"; }; "
	         "links = { default = { bandwidth = \"200Gbps\"; latency = \"10ns\"; }; }; "
	         "switch = { kind = \"ideal\"; buffer = \"64KB\"; }; nic = { loss = 0.01; timeout = \"300ns\"; }; "
	         "traffic = ( { pattern = \"incast\"; target = 0; load = 0.9; packet = \"64B\"; } ); " RECORDED);
	struct netrun x = { 0 };
	cr_assert(netrun_build(&x, NULL, text), "%s\n%s", netrun_error(&x), text);
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s\n%s", netrun_error(&x), text);
	cr_expect_gt(x.r->total.created, 33000);
	cr_expect_eq(x.r->total.delivered, x.r->total.created);
	cr_expect_gt(x.r->retry.reordered, 1000);
	delivered_once(&x, text);
	netrun_free(&x);
}

/* Acknowledgements of several packets, which say all that has come: fewer, and what was delivered is the same. */
Test(retry, acknowledgements_of_several_packets)
{
	char text[3000];
	uint64_t acks[2];
	for (int several = 0; several < 2; several++) {
		snprintf(text, sizeof text, "%s %s nic = { loss = 0.01; timeout = \"3us\"; %s }; " RECORDED,
		         DRAGONFLY MIXED SWITCH("8KB", "") UNIFORM("0.4")
		             UGAL("ugal-l") "congestion = { kind = "
		                            "\"window\"; window = \"4KB\"; };",
		         TIMES("30us", "true"), several ? "ack_every = \"2KB\";" : "");
		struct netrun x = { 0 };
		cr_assert(netrun_build(&x, NULL, text), "%s\n%s", netrun_error(&x), text);
		cr_assert_eq(netrun_go(&x), NET_DONE, "%s\n%s", netrun_error(&x), text);
		cr_expect_eq(x.r->total.delivered, x.r->total.created);
		delivered_once(&x, text);
		acks[several] = x.r->control.acks;
		netrun_free(&x);
	}
	cr_expect_gt(acks[0], acks[1]);
}

/* Processes wait for what may be lost, and go on. */
Test(retry, processes_go_on)
{
	char text[3000];
	snprintf(text, sizeof text, "%s %s %s", SLIMFLY EQUAL SWITCH("9KB", "") LOOPS ROUTING("valiant"),
	         TIMES("20us", "true"), LOSSY("0.05", "500ns"));
	struct netrun x = { 0 };
	cr_assert(netrun_build(&x, NULL, text), "%s\n%s", netrun_error(&x), text);
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s\n%s", netrun_error(&x), text);
	cr_expect_eq(x.r->total.delivered, x.r->total.created);
	cr_expect_gt(x.r->retry.resent, 100);
	cr_expect_gt(x.r->total.iteration.n, 10);
	netrun_free(&x);
}

Test(retry, keys_without_effect_are_refused)
{
	static const struct {
		const char *nic, *says;
	} bad[] = { { "retry = \"off\";", "only if packets can be lost" },
		    { "retry = \"off\"; loss = 0.1;", "never be retransmitted" },
		    { "ack_every = \"8KB\";", "only with nic.retry" },
		    { "timeout = \"3us\";", "only with nic.retry" } };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char text[3000];
		snprintf(text, sizeof text, "%s nic = { %s };",
		         SLIMFLY EQUAL SWITCH("9KB", "") UNIFORM("0.3") ROUTING("minimal") PLAIN, bad[i].nic);
		struct netrun x = { 0 };
		cr_expect_not(netrun_build(&x, NULL, text), "%s", text);
		cr_expect(strstr(netrun_error(&x), bad[i].says), "%s", netrun_error(&x));
		netrun_free(&x);
	}
}

/* 128 endpoints write to one whose switch trims, and no control follows losses: without pauses headers of packets that
 * are sent again fill the link, and no payload comes. */
#define FLOOD                                                                                                          \
	"seed = 1; time = { warmup = \"0us\"; measure = \"20us\"; drain = true; }; topology = { kind = \"single\"; "   \
	"ports = 129; }; links = { default = { bandwidth = \"200Gbps\"; }; terminal = { latency = \"250ns\"; }; }; "   \
	"routing = { kind = \"minimal\"; }; traffic = ( { pattern = \"incast\"; target = 0; load = 1.0; packet = "     \
	"\"4KiB\"; } ); switch = { kind = \"output-queued\"; latency = \"350ns\"; trim = true; %s }; nic = { backoff " \
	"= "                                                                                                           \
	"\"%s\"; };"

Test(retry, pauses_let_a_flood_drain)
{
	static const char *const most[] = { "10us", "1ms" };
	uint64_t resent[2];
	for (int i = 0; i < 2; i++) {
		struct netrun x = { 0 };
		char text[1500];
		snprintf(text, sizeof text, FLOOD, "", most[i]);
		cr_assert(netrun_build(&x, NULL, text), "%s", netrun_error(&x));
		cr_assert_eq(netrun_go(&x), NET_DONE);
		cr_expect_eq(x.r->total.delivered, x.r->total.created);
		cr_expect_gt(x.r->retry.backoffs, 1000);
		resent[i] = x.r->retry.resent;
		netrun_free(&x);
	}
	cr_expect_lt(resent[1], resent[0] / 2, "%lu and %lu", resent[1], resent[0]);
}

/* The same with a control that follows losses, but whose least window is a frame of 9,000 bytes, of another job: 28
 * packets of each source. */
Test(retry, pauses_end_what_a_window_does_not)
{
	struct netrun x = { 0 };
	cr_assert(netrun_build(&x, NULL,
	                       "topology = { kind = \"single\"; ports = 15; }; links = { terminal = { bandwidth = "
	                       "\"100Gbps\"; latency = "
	                       "\"250ns\"; framing = \"roce\"; }; }; switch = { kind = \"output-queued\"; latency = "
	                       "\"10ns\"; trim = true; "
	                       "buffer = \"20000B\"; }; congestion = { kind = \"nscc\"; }; routing = { kind = "
	                       "\"minimal\"; }; traffic = ( { "
	                       "process = \"window\"; to = \"first\"; size = \"100000B\"; iterations = 1; packet = "
	                       "\"256B\"; }, { process = "
	                       "\"window\"; to = \"random\"; size = \"64B\"; iterations = 1; packet = \"9000B\"; } ); "
	                       "time = { warmup = "
	                       "\"0us\"; measure = \"20us\"; drain = true; };"),
	          "%s", netrun_error(&x));
	cr_assert_eq(netrun_go(&x), NET_DONE);
	cr_expect_eq(x.r->total.delivered, x.r->total.created);
	cr_expect_gt(x.r->retry.backoffs, 10);
	netrun_free(&x);
}

/* uet-htsim, nscc, 64 messages of 1 MiB to one endpoint: last 2,829 us, 37,465 packets again. The control has that in
 * hand, so no pair pauses. */
Test(retry, pauses_change_nothing_where_a_control_suffices)
{
	struct incast o =
	    incast_at_200g(64, 13, "buffer = \"120640B\"; trim = true;", "", "kind = \"nscc\"; rtt = \"4775840ps\";");
	cr_expect(fabs(o.last - 2829) < 0.005 * 2829, "last %.1f us", o.last);
	cr_expect(fabs((double)o.retry.resent - 37465) < 0.01 * 37465, "%lu again", o.retry.resent);
	cr_expect_eq(o.retry.backoffs, 0);
}

/* What is no longer than a header has nothing to lose: it is dropped. */
Test(retry, packets_of_a_header_are_not_trimmed)
{
	struct netrun x = { 0 };
	char text[1500];
	snprintf(text, sizeof text, FLOOD, "trim_bytes = \"4KiB\";", "1ms");
	cr_assert(netrun_build(&x, NULL, text), "%s", netrun_error(&x));
	cr_assert_eq(netrun_go(&x), NET_DONE);
	cr_expect_eq(x.r->retry.trimmed, 0);
	cr_expect_eq(x.r->switches.trims, 0);
	cr_expect_gt(x.r->retry.dropped, 5000);
	cr_expect_eq(x.r->total.delivered, x.r->total.created);
	netrun_free(&x);
}

Test(retry, a_backoff_without_effect_is_refused)
{
	struct netrun x = { 0 };
	cr_expect_not(netrun_build(&x, NULL,
	                           TORUS EQUAL PLAIN SWITCH("4KB", "") UNIFORM("0.3")
	                               ROUTING("minimal") "nic = { backoff = \"2ms\"; };"));
	cr_expect(strstr(netrun_error(&x), "has an effect only with nic.retry"), "%s", netrun_error(&x));
	netrun_free(&x);
}

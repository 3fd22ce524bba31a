/* tests/network/test_control.c - endpoints that decide when they send: the exact path against the fast one, congestion
 * control against closed forms and a hand calculation. */
#include "congestion/congestion.h"
#include "experiments/config/config.h"
#include "tests/network/cases.h"
#include "tests/network/units.h"

struct outcome {
	uint64_t digest, delivered, queued;
	double accepted, latency;
	struct net_control control;
};

static struct outcome outcome_of(const char *text)
{
	struct netrun x = { 0 };
	cr_assert(netrun_build(&x, NULL, text), "%s\n%s", netrun_error(&x), text);
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s\n%s", netrun_error(&x), text);
	struct outcome o = {
		x.r->digest, x.r->total.delivered, x.r->total.queued, x.r->total.accepted_load, x.r->total.latency.mean,
		x.r->control
	};
	netrun_free(&x);
	return o;
}

/* Where all that is created arrives, both paths tell the same: packets that begin to leave in the last latency of a run
 * that is cut off are counted as queued on the fast one, as injected on the exact one. Where buffers are so short that
 * endpoints of one switch begin to send at the same instant, as bytes come back to both, the two order them otherwise:
 * then means agree. */
Test(control, exact_path_tells_what_the_fast_one_tells)
{
	static const char *const networks[] = {
		SLIMFLY EQUAL SWITCH("100KB", "") UNIFORM("0.6") ROUTING("minimal"),
		SLIMFLY EQUAL SWITCH("90KB", "") JOBS ROUTING("valiant"),
		DRAGONFLY MIXED SWITCH("8KB", "") UNIFORM("0.4") UGAL("ugal-l"),
		DRAGONFLY FRAMED SWITCH("12KB", "") UNIFORM("0.4") UGAL("ugal-g"),
		TORUS MIXED_RINGS "switch = { kind = \"crossbar\"; };" UNIFORM("0.3") ROUTING("minimal"),
		DRAGONFLY EQUAL "switch = { kind = \"tiled\"; };" UNIFORM("0.5") ROUTING("minimal"),
		DRAGONFLY EQUAL "switch = { kind = \"tiled\"; };" BURSTS UGAL("par"),
	};
	char text[3000];
	for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
		snprintf(text, sizeof text, "%s %s", networks[i], TIMES("8us", "true"));
		struct outcome fast = outcome_of(text);
		snprintf(text, sizeof text, "%s %s engine = { path = \"exact\"; };", networks[i], TIMES("8us", "true"));
		struct outcome exact = outcome_of(text);
		cr_assert_gt(fast.delivered, 500);
		cr_expect_eq(exact.digest, fast.digest, "%s", text);
		cr_expect_null(fast.control.kind);
	}
	const char *scarce = SLIMFLY EQUAL SWITCH("3KB", "") UNIFORM("0.6") ROUTING("minimal") TIMES("40us", "true");
	struct outcome fast = outcome_of(scarce);
	snprintf(text, sizeof text, "%s engine = { path = \"exact\"; };", scarce);
	struct outcome exact = outcome_of(text);
	cr_expect_eq(exact.delivered, fast.delivered);
	cr_expect_float_eq(exact.latency / fast.latency, 1, 0.002, "%f and %f ps", exact.latency, fast.latency);
}

/* N pairs to one receiver with windows of w bytes, frames of b bytes, one switch. A round trip without waiting is the
 * packet's way, two cables, a traversal and two serialisations where the switch stores what it forwards, or one where
 * it cuts through, and the acknowledgement's, two cables and a stage: r0. Throughput: min(1, N k b / (C r0)) where
 * k = floor(w / b) packets are in flight (congestion/window.c). */
#define WINDOW_RUN                                                                                                     \
	"seed = 1; time = { warmup = \"50us\"; measure = \"200us\"; drain = false; }; "                                \
	"topology = { kind = \"single\"; ports = %u; }; links = { default = { bandwidth = \"200Gbps\"; }; terminal = " \
	"{ "                                                                                                           \
	"latency = \"%uns\"; }; }; switch = { kind = \"ideal\"; buffer = \"1MB\"; traversal = \"100ns\"; }; "          \
	"nic = { ack_stage = \"150ns\"; }; congestion = { kind = \"window\"; window = \"%uB\"; }; "                    \
	"traffic = ( { pattern = \"incast\"; target = 0; load = 1.0; packet = \"1000B\"; } );"

Test(control, throughput_of_a_window_is_the_closed_form)
{
	static const struct {
		unsigned pairs, cable, window;
	} runs[] = { { 1, 400, 1000 }, { 1, 400, 2500 },  { 1, 400, 30000 }, { 3, 1000, 4000 },
		     { 3, 50, 1000 },  { 7, 2000, 3000 }, { 40, 300, 1000 }, { 5, 5000, 999 } };
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		char text[3000];
		unsigned packets = runs[i].window < 1000 ? 1 : runs[i].window / 1000;
		snprintf(text, sizeof text, WINDOW_RUN, runs[i].pairs + 1, runs[i].cable, runs[i].window);
		struct outcome o = outcome_of(text);
		double ser = 40, trip = 4.0 * runs[i].cable + 100 + 150 + ser; /* ns */
		double want = runs[i].pairs * packets * ser / trip, got = o.accepted * runs[i].pairs;
		want = want < 1 ? want : 1;
		cr_expect_float_eq(got, want, 0.002, "%u pairs, cables of %u ns, %u bytes: %.5f, not %.5f",
		                   runs[i].pairs, runs[i].cable, runs[i].window, got, want);
		cr_expect(want == 1 || o.control.throttles > 0);
	}
}

/* --- slingshot: `n` endpoints write to endpoint 0 of one switch at full rate ---------------------------------------
 */

#define FRAME 2048u
#define SER 81920u    /* ps */
#define HIGH 65536u   /* the default of congestion.high */
#define TARGET 40960u /* and the middle of low, 16 KiB, and high */
#define MOST 20000u

#define GRANT_RUN                                                                                                      \
	"seed = 5; time = { warmup = \"0us\"; measure = \"%uus\"; drain = false; }; "                                  \
	"topology = { kind = \"single\"; ports = %u; }; links = { default = { bandwidth = \"200Gbps\"; }; terminal = " \
	"{ "                                                                                                           \
	"latency = \"%uns\"; }; }; switch = { kind = \"%s\"; %s }; nic = { ack_stage = \"100ns\"; }; "                 \
	"congestion = { kind = \"slingshot\"; }; record = { packets = true; }; "                                       \
	"traffic = ( { pattern = \"incast\"; target = 0; load = 1.0; packet = \"2048B\"; injection = \"periodic\"; } " \
	");"

#define IDEAL "buffer = \"1MB\"; traversal = \"100ns\";"

static struct net_packet_record packet[MOST]; /* in order of delivery */
static size_t packets;

static void note(void *arg, const struct net_packet_record *p)
{
	(void)arg;
	cr_assert_lt(packets, MOST);
	packet[packets++] = *p;
}

static struct net_control grant_run(unsigned us, unsigned n, unsigned cable, const char *kind, const char *more)
{
	char text[3000];
	struct netrun x = { 0 };
	snprintf(text, sizeof text, GRANT_RUN, us, n + 1, cable, kind, more);
	cr_assert(netrun_build(&x, NULL, text), "%s\n%s", netrun_error(&x), text);
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s\n%s", netrun_error(&x), text);
	packets = 0;
	net_each_packet(x.net, note, NULL);
	struct net_control c = x.r->control;
	netrun_free(&x);
	return c;
}

/* When the backlog first exceeds HIGH, from when packets were sent and delivered: a packet counts from when its first
 * bit is at the switch until its last is at the endpoint. *backlog: bytes then; *oldest: source of the one of them that
 * came first. */
static uint64_t onset(unsigned cable, uint64_t *backlog, uint32_t *oldest)
{
	uint64_t first = UINT64_MAX;
	for (size_t i = 0; i < packets; i++) {
		uint64_t at = packet[i].injected + 1000ull * cable, bytes = 0;
		for (size_t k = 0; k < packets && at < first; k++)
			bytes += FRAME * (packet[k].injected + 1000ull * cable <= at && packet[k].delivered > at);
		if (at < first && bytes > HIGH) {
			first = at;
			*backlog = bytes;
		}
	}
	for (size_t k = 0; k < packets; k++) /* they leave in the order of coming */
		if (packet[k].delivered > first) {
			*oldest = packet[k].src;
			break;
		}
	return first;
}

/* The first frame reaches a source a stage and a cable after the onset; the pause is the time that the link takes for
 * what the backlog has more than TARGET, and one packet more for the source that came second. What both sent meanwhile
 * is too little to change that. With cables of c ns 65 KiB come in time before the frame only if c is small. */
Test(control, first_throttle_comes_when_a_hand_calculation_says)
{
	static const unsigned cables[] = { 5, 50, 77 };
	for (size_t i = 0; i < sizeof cables / sizeof *cables; i++) {
		uint64_t backlog = 0;
		grant_run(8, 2, cables[i], "ideal", IDEAL);
		uint32_t first = 0; /* whose packet came first */
		uint64_t received = onset(cables[i], &backlog, &first) + 100000 + 1000ull * cables[i];
		uint64_t pause = (backlog - TARGET) * 40;
		for (uint32_t src = 1; src <= 2; src++) {
			uint64_t before = 0, after = UINT64_MAX;
			for (size_t k = 0; k < packets; k++) {
				if (packet[k].src == src && packet[k].injected < received)
					before = packet[k].injected > before ? packet[k].injected : before;
				else if (packet[k].src == src && packet[k].injected < after)
					after = packet[k].injected;
			}
			cr_expect_gt(before + SER + 1, received - SER, "it was at full rate until then");
			cr_expect_eq(after, received + pause + (src == first ? 0 : SER + 1),
			             "cables of %u ns: source %u goes on at %lu ps, was told at %lu", cables[i], src,
			             after, received);
		}
	}
}

/* Every packet of such a run by hand. Until it is told a source sends packet after packet; then it waits for its pause,
 * and sends one in two packet times: its share. The link takes packets in the order in which they come, a traversal and
 * a cable after they left. The backlog stays in the middle of `low` and `high`, so nothing else is said; but the frame
 * that a source gets again after half a hold, 20 us, says the same. */
Test(control, every_packet_of_two_pairs_is_where_a_hand_calculation_says)
{
	static const unsigned cables[] = { 5, 50, 77 };
	for (size_t i = 0; i < sizeof cables / sizeof *cables; i++) {
		uint64_t backlog = 0, cable = 1000ull * cables[i], next[3], free_at = 0, rank[3] = { 0 };
		grant_run(100, 2, cables[i], "ideal", IDEAL);
		uint32_t first = 0;
		uint64_t told = onset(cables[i], &backlog, &first) + 100000 + cable, pause = (backlog - TARGET) * 40;
		next[1] = next[2] = UINT64_MAX;
		for (size_t k = 0; k < packets; k++) /* what is given: when each begins */
			next[packet[k].src] =
			    packet[k].injected < next[packet[k].src] ? packet[k].injected : next[packet[k].src];
		bool paused[3] = { false };
		cr_assert_gt(packets, 1100);
		for (size_t k = 0; k < packets; k++) {
			uint32_t src = next[1] < next[2] ? 1 : 2;
			uint64_t at = next[src] + cable + 100000, from = at > free_at ? at : free_at;
			cr_assert(
			    packet[k].src == src && packet[k].injected == next[src] &&
				packet[k].delivered == from + SER + cable,
			    "cables of %u ns, packet %zu: source %u at %lu ps, there at %lu; by hand source %u at "
			    "%lu, there at %lu",
			    cables[i], k, packet[k].src, packet[k].injected, packet[k].delivered, src, next[src],
			    from + SER + cable);
			free_at = from + SER;
			next[src] += paused[src] ? 2 * SER : SER;
			if (!paused[src] && next[src] >= told) {
				paused[src] = true;
				next[src] = told + pause + (src == first ? 0 : SER + 1);
			}
			rank[src]++;
		}
		cr_expect_lt(rank[1] > rank[2] ? rank[1] - rank[2] : rank[2] - rank[1], 3);
	}
}

/* Full rate from the first packet on, no more backlog than what comes in before the first frame, drained without a gap,
 * and then below the mark; every flow its share. */
static void incast(unsigned n, unsigned us, const char *kind, const char *more)
{
	static uint32_t of[600];
	struct net_control c = grant_run(us, n, 50, kind, more);
	uint64_t from = 1000000ull * us / 2, most = 0, late = 0, sum = 0, squares = 0, least = UINT64_MAX;
	memset(of, 0, sizeof of);
	for (size_t i = 0; i < packets; i++) {
		uint64_t took = packet[i].delivered - packet[i].injected;
		most = took > most ? took : most;
		if (packet[i].delivered < from)
			continue;
		late = took > late ? took : late;
		of[packet[i].src]++;
	}
	for (unsigned s = 1; s <= n; s++) {
		sum += of[s];
		squares += (uint64_t)of[s] * of[s];
		least = of[s] < least ? of[s] : least;
	}
	double rate = (double)sum * SER / (double)from, jain = (double)sum * (double)sum / ((double)squares * n);
	cr_expect_geq(rate, 0.99, "%s, %u: %.4f of the link", kind, n, rate);
	cr_expect_leq((sum - 1) * SER, from);
	cr_expect_geq(jain, 0.97, "%s, %u: %.4f", kind, n, jain);
	cr_expect_geq(2.0 * (double)least * n, (double)sum, "%s, %u: a flow has %lu of %lu", kind, n, least, sum);
	cr_expect_geq((double)(packets * SER), 1e6 * us - 1e6, "%s, %u: the link was idle", kind, n);
	/* before the first frame: HIGH bytes, and of each source what it sends until the frame is there, 1 us at most
	 */
	cr_expect_leq(most, 1000000 + HIGH * 40 + n * (1000000ull + 2 * SER), "%s, %u: %lu ps", kind, n, most);
	cr_expect_leq(late, 1500000 + HIGH * 40, "%s, %u: in the end still %lu ps", kind, n, late);
	cr_expect(c.throttles > n && c.frames >= n && c.frames <= packets, "%lu, %lu", c.throttles, c.frames);
}

Test(control, grants_share_a_receiver)
{
	incast(2, 60, "ideal", IDEAL);
	incast(8, 60, "ideal", IDEAL);
	incast(32, 100, "ideal", IDEAL);
	incast(64, 160, "ideal", IDEAL);
	incast(500, 900, "ideal", IDEAL);
	incast(8, 60, "tiled", "");
	incast(32, 100, "tiled", "");
	incast(64, 160, "tiled", "rows = 8; ");
	incast(500, 900, "tiled", "rows = 8; columns = 16; ports_per_tile = 4;");
	incast(40, 200, "crossbar", "cycle = \"80ps\";");
}

/* Pairs are forgotten when their traffic has ended: a run that ends with records of others fails its checks. */
Test(control, pairs_without_traffic_are_forgotten)
{
	static const char *const control[] = { "kind = \"window\"; window = \"1KB\";",
		                               "kind = \"slingshot\"; high = \"1KiB\"; low = \"512B\";" };
	for (size_t i = 0; i < sizeof control / sizeof *control; i++) {
		char text[3000];
		snprintf(text, sizeof text, "%s congestion = { %s };",
		         SLIMFLY EQUAL SWITCH("9KB", "") UNIFORM("0.3") ROUTING("minimal") TIMES("8us", "true"),
		         control[i]);
		struct outcome o = outcome_of(text);
		cr_expect_gt(o.control.pairs, 1000);
		cr_expect_eq(o.queued, 0);
	}
}

/* --- what is no event, and has no record ---------------------------------------------------------------------------
 */

#define HOT                                                                                                       \
	"traffic = ( { name = \"all\"; pattern = \"uniform\"; load = 0.4; packet = \"256B\"; }, "                 \
	"{ name = \"some\"; pattern = \"incast\"; target = 0; load = 0.6; packet = [\"64B\", \"256B\"]; nodes = " \
	"\"0,5,9,17,30,44,51,63\"; } );"
#define NEVER "congestion = { kind = \"%s\"; high = \"1MiB\"; };"
#define EARLY "congestion = { kind = \"%s\"; high = \"3KiB\"; low = \"1KiB\"; period = \"1us\"; };"

static const char *const hot_networks[] = {
	SLIMFLY EQUAL SWITCH("9KB", "") HOT ROUTING("minimal"),
	DRAGONFLY MIXED SWITCH("8KB", "") HOT UGAL("ugal-l"),
	DRAGONFLY EQUAL "switch = { kind = \"tiled\"; };" HOT ROUTING("minimal"),
};

/* A scheme with another's functions, some of which the caller then changes. */
static struct base_plugin scheme_like(const struct base_plugin *of, const char *name, struct cc_ops *ops)
{
	struct base_plugin p = *of;
	*ops = *(const struct cc_ops *)of->ops;
	p.name = name;
	p.ops = ops;
	return p;
}

static struct net_control control_of(const struct base_plugin *plugin, const char *kind, const char *network,
                                     const char *control, uint64_t *digest)
{
	char text[3000];
	struct netrun x = { 0 };
	struct net_control c;
	snprintf(text, sizeof text, "%s %s ", network, TIMES("12us", "true"));
	snprintf(text + strlen(text), sizeof text - strlen(text), control, kind);
	cr_assert(netrun_build(&x, plugin, text), "%s\n%s", netrun_error(&x), text);
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s\n%s", netrun_error(&x), text);
	*digest = x.r->digest;
	c = x.r->control;
	c.kind = NULL;
	netrun_free(&x);
	return c;
}

/* As long as no control frame has come for a pair nothing is kept of it. That scheme without
 * cc_ops.source.from_control, so with a record from the first packet on, must give the same packets at the same times,
 * and the same counts but that of records. */
Test(control, pairs_that_nothing_holds_back_need_no_record)
{
	struct cc_ops ops;
	struct base_plugin whole = scheme_like(&cc_slingshot, "whole", &ops);
	cr_assert(ops.source.from_control);
	ops.source.from_control = false;
	for (size_t i = 0; i < sizeof hot_networks / sizeof *hot_networks; i++) {
		uint64_t digest[2];
		struct net_control late = control_of(NULL, "slingshot", hot_networks[i], EARLY, &digest[0]),
				   all = control_of(&whole, "whole", hot_networks[i], EARLY, &digest[1]);
		cr_expect_eq(digest[0], digest[1], "network %zu", i);
		cr_expect_lt(late.pairs, all.pairs);
		late.pairs = all.pairs;
		cr_expect_eq(memcmp(&late, &all, sizeof all), 0, "network %zu: %lu and %lu throttles", i,
		             late.throttles, all.throttles);
		cr_expect_gt(late.throttles, 20);
	}
}

/* A scheme that is told of every packet (no cc_ops.receiver.quiet) has the same contributors when the backlog begins to
 * interest it, but perhaps in another order, in which they resume: the same packets where it never does, and else about
 * as many frames and pauses. */
Test(control, a_quiet_sink_is_roused_with_all_its_contributors)
{
	struct cc_ops ops;
	struct base_plugin told = scheme_like(&cc_slingshot, "told", &ops);
	cr_assert_not_null(ops.receiver.quiet);
	ops.receiver.quiet = NULL;
	for (size_t i = 0; i < sizeof hot_networks / sizeof *hot_networks; i++) {
		uint64_t digest[2];
		struct net_control quiet = control_of(NULL, "slingshot", hot_networks[i], NEVER, &digest[0]),
				   all = control_of(&told, "told", hot_networks[i], NEVER, &digest[1]);
		cr_expect_eq(digest[0], digest[1], "network %zu", i);
		cr_expect_eq(all.frames, 0);
		cr_expect_eq(quiet.contributors, 0);
		cr_expect_gt(all.contributors, 1000);
		quiet = control_of(NULL, "slingshot", hot_networks[i], EARLY, &digest[0]);
		all = control_of(&told, "told", hot_networks[i], EARLY, &digest[1]);
		cr_expect_lt(quiet.contributors, all.contributors);
		cr_expect_gt(quiet.frames, 20);
		cr_expect(llabs((long long)quiet.frames - (long long)all.frames) < (long long)all.frames / 8 + 4,
		          "network %zu: %lu frames, %lu where all is told", i, quiet.frames, all.frames);
		cr_expect(llabs((long long)quiet.throttles - (long long)all.throttles) <
		              (long long)all.throttles / 8 + 4,
		          "network %zu: %lu throttles, %lu where all is told", i, quiet.throttles, all.throttles);
	}
}

static uint64_t some_bytes(const struct cc *cc)
{
	(void)cc;
	return 3000;
}

static bool always_asks(const struct cc *cc, struct cc_pair *pair, uint64_t now, struct cc_frame *frame)
{
	(void)cc;
	(void)pair;
	(void)now;
	(void)frame;
	return true;
}

static bool notes(struct cc_call *call, struct cc_contributor *c, const struct cc_frame *frame)
{
	(void)call;
	(void)c;
	(void)frame;
	return true;
}

/* What a source asks for makes a contributor, and so do the packets that are there. */
Test(control, a_request_rouses_a_quiet_sink)
{
	struct cc_ops ops;
	struct base_plugin drowsy = scheme_like(&cc_lasthop, "drowsy", &ops);
	uint64_t digest;
	ops.receiver.quiet = some_bytes;
	ops.requests.asks = always_asks;
	ops.requests.requested = notes;
	for (size_t i = 0; i < sizeof hot_networks / sizeof *hot_networks; i++) {
		struct net_control c = control_of(
		    &drowsy, "drowsy", hot_networks[i],
		    "congestion = { kind = \"%s\"; threshold = \"2KB\"; sources = 3; pause = 0.5; };", &digest);
		cr_expect_gt(c.requests, 20, "%lu", c.requests);
		cr_expect_gt(c.contributors, 10, "%lu", c.contributors);
	}
}

/* Where they take time of links acknowledgements are sent, though the scheme reads none. */
Test(control, acknowledgements_that_take_time_are_sent)
{
	uint64_t digest;
	struct net_control without = control_of(NULL, "slingshot", hot_networks[0], EARLY, &digest),
			   with = control_of(NULL, "slingshot", hot_networks[0], EARLY " nic = { ack_width = 0.2; };",
	                                     &digest);
	cr_expect_eq(without.acks, 0);
	cr_expect_gt(with.acks, 1000);
}

static bool leaves_and_sends(struct cc_call *call, struct cc_contributor *c, uint32_t bytes)
{
	(void)bytes;
	call->send(call, c->src, &(struct cc_frame){ .word = { 0 } });
	return false;
}

static bool leaves_and_wakes(struct cc_call *call, struct cc_contributor *c, uint32_t bytes)
{
	(void)c;
	(void)bytes;
	call->wake(call, call->now + 1000);
	return false;
}

/* leaves() may be called later than the packet left: what it sends or asks for would come too late. */
Test(control, who_sends_when_a_packet_has_left_is_named)
{
	static const struct {
		bool (*leaves)(struct cc_call *call, struct cc_contributor *c, uint32_t bytes);
		const char *said;
	} runs[] = { { leaves_and_sends, "leaves() sends a control frame" },
		     { leaves_and_wakes, "leaves() requests tick()" } };
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		struct cc_ops ops;
		struct base_plugin hasty = scheme_like(&cc_slingshot, "hasty", &ops);
		struct base_loaded loaded = { .state = 0 };
		struct netrun x = { 0 };
		char text[3000];
		ops.receiver.leaves = runs[i].leaves;
		hasty.loaded = &loaded;
		snprintf(text, sizeof text, "%s " EARLY,
		         SLIMFLY EQUAL SWITCH("9KB", "") HOT ROUTING("minimal") TIMES("4us", "true"), "hasty");
		cr_assert(netrun_build(&x, &hasty, text), "%s\n%s", netrun_error(&x), text);
		cr_expect_eq(netrun_go(&x), NET_REFUTED);
		cr_expect(strstr(netrun_error(&x), runs[i].said), "%s", netrun_error(&x));
		netrun_free(&x);
	}
}

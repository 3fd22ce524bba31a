/* tests/network/test_threads.c - threads that share all switches: whatever a run tells is the same as on one. */
#include "experiments/config/config.h"
#include "network/net.h"
#include "tests/network/cases.h"
#include "tests/network/units.h"

#include <pthread.h>

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ull;
	return h ^ h >> 32;
}

static void add_packet(void *arg, const struct net_packet_record *p)
{
	uint64_t *h = arg;
	*h = mix(mix(mix(mix(*h, p->delivered), p->src), p->seq), p->created);
}

static void add_bin(void *arg, const struct net_timeline_bin *b)
{
	uint64_t *h = arg;
	*h = mix(mix(mix(mix(mix(*h, b->created), b->injected), b->delivered), b->delivered_bytes), b->hops);
}

static void add_port(void *arg, const struct net_port_record *p)
{
	uint64_t *h = arg, bits;
	*h = mix(mix(mix(*h, p->packets), p->bytes), (uint64_t)p->sw << 32 | p->port);
	for (uint32_t v = 0; v < p->vcs; v++) {
		memcpy(&bits, &p->vc_mean_bytes[v], sizeof bits);
		*h = mix(mix(*h, bits), p->vc_waits[v]);
	}
}

static void add_activity(void *arg, const struct net_activity *a)
{
	uint64_t *h = arg;
	for (uint32_t i = 0; i < a->bins; i++)
		*h = mix(mix(mix(mix(*h, a->endpoint_sends[i]), a->endpoint_receives[i]), a->switch_sends[i]),
		         a->switch_receives[i]);
}

struct told {
	uint64_t digest, hops, delivered, packets, timeline, ports, activity;
	struct net_latency latency;
	uint64_t events;
	int threads;
};

#define ALL_RECORDS "record = { timeline = \"700ns\"; ports = true; packets = true; activity = true; };"

static struct told tell(const char *network, const char *more, const char *record)
{
	static char text[4000];
	struct netrun x = { 0 };
	snprintf(text, sizeof text, "%s %s %s", network, record, more);
	cr_assert(netrun_build(&x, NULL, text), "%s: %s", more, netrun_error(&x));
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s %s: outcome %d %s", network, more, (int)x.outcome, netrun_error(&x));
	struct told t = { .digest = x.r->digest,
		          .hops = x.r->packet_hops,
		          .delivered = x.r->total.delivered,
		          .latency = x.r->total.latency,
		          .events = x.r->counters.events_committed,
		          .threads = x.r->threads };
	net_each_packet(x.net, add_packet, &t.packets);
	net_each_timeline(x.net, add_bin, &t.timeline);
	net_each_port(x.net, add_port, &t.ports);
	net_each_activity(x.net, add_activity, &t.activity);
	netrun_free(&x);
	return t;
}

static void same(const struct told *want, const struct told *got, const char *network, const char *more)
{
	cr_assert_eq(got->digest, want->digest, "%s %s: digest %016lx, not %016lx", network, more, got->digest,
	             want->digest);
	cr_expect_eq(got->hops, want->hops);
	cr_expect_eq(got->delivered, want->delivered);
	cr_expect_eq(got->events, want->events, "%s %s: %lu events, not %lu", network, more, got->events, want->events);
	cr_expect_eq(got->packets, want->packets, "%s %s: packets", network, more);
	cr_expect_eq(got->timeline, want->timeline, "%s %s: timeline", network, more);
	cr_expect_eq(got->ports, want->ports, "%s %s: ports", network, more);
	cr_expect_eq(got->activity, want->activity, "%s %s: activity", network, more);
	cr_expect_arr_eq(&got->latency, &want->latency, sizeof want->latency, "%s %s: latency", network, more);
}

Test(threads, tell_what_one_tells)
{
	for (size_t i = 0; i < CASES; i++) {
		struct told want = tell(cases[i], "engine = { sync = \"sequential\"; };", ALL_RECORDS);
		cr_assert_eq(want.threads, 1);
		for (unsigned threads = 2; threads <= 5; threads++) {
			char more[200];
			if (!EVERY_CASE && (threads != 2 + i % 4 || i % 3 == 0))
				continue;
			snprintf(more, sizeof more, "engine = { threads = %u; partition = \"%s\"; window = \"%s\"; };",
			         threads, threads % 2 ? "random" : "block", threads == 3 ? "4096ps" : "0ns");
			struct told got = tell(cases[i], more, ALL_RECORDS);
			cr_assert_eq(got.threads, (int)threads);
			same(&want, &got, cases[i], more);
		}
	}
}

/* Whether memory is asked for ahead changes nothing. */
Test(threads, ask_ahead_in_any_network)
{
	for (size_t i = 0; i < CASES; i++) {
		if (!EVERY_CASE && i % 4)
			continue;
		net_prefetch_from = SIZE_MAX;
		struct told want = tell(cases[i], "engine = { sync = \"sequential\"; };", "");
		net_prefetch_from = 0;
		if (EVERY_CASE || i % 2) {
			struct told one = tell(cases[i], "engine = { sync = \"sequential\"; };", "");
			same(&want, &one, cases[i], "one thread, ahead");
		}
		if (EVERY_CASE || !(i % 2)) {
			struct told two = tell(cases[i], "engine = { threads = 2; };", "");
			same(&want, &two, cases[i], "two threads, ahead");
		}
	}
}

/* Where less is recorded other handlers run. */
Test(threads, tell_the_same_with_few_records)
{
	static const char *const records[] = { "", "record = { histograms = false; };" };
	for (size_t i = 0; i < CASES; i++)
		for (unsigned k = 0; k < 2; k++) {
			if (!EVERY_CASE && (k != i % 2 || i % 3 != 1))
				continue;
			struct told want = tell(cases[i], "engine = { sync = \"sequential\"; };", records[k]);
			struct told got =
			    tell(cases[i],
			         k ? "engine = { threads = 2; };" : "engine = { threads = 3; window = \"17ns\"; };",
			         records[k]);
			if (!k && strstr(cases[i], "\"tiled\"")) /* in narrower windows it may be woken once more */
				want.events = got.events;
			same(&want, &got, cases[i], records[k]);
		}
}

static void same_on_threads(const char *network, unsigned most)
{
	struct told want = tell(network, "engine = { sync = \"sequential\"; };", ALL_RECORDS);
	for (unsigned threads = 2; threads <= most; threads++) {
		char more[100];
		snprintf(more, sizeof more, "engine = { threads = %u; };", threads);
		struct told got = tell(network, more, ALL_RECORDS);
		same(&want, &got, network, more);
	}
}

/* Their constants hold scratch, of which every thread needs its own. */
Test(threads, share_switches_of_every_kind)
{
	static const char *const kinds[] = {
		"switch = { kind = \"tiled\"; rows = 3; columns = 2; buffer = \"8KB\"; };",
		"switch = { kind = \"crossbar\"; inputs = \"voq\"; allocator = \"islip\"; buffer = \"8KB\"; };",
		"switch = { kind = \"crossbar\"; inputs = \"vc\"; allocator = \"wavefront\"; buffer = \"8KB\"; };",
		"switch = { kind = \"ideal\"; buffer = \"8KB\"; };",
	};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		char network[2000];
		snprintf(network, sizeof network, SLIMFLY EQUAL PLAIN UNIFORM("0.8") UGAL("ugal-l") "%s", kinds[i]);
		same_on_threads(network, 4);
	}
}

/* A state points into the constants of the thread that has made it. They are read when the threads have ended: packets
 * that wait are counted then. The address sanitizer sees it. */
Test(threads, end_before_the_states_they_have_made)
{
	same_on_threads("topology = { kind = \"slimfly\"; q = 13; endpoints = 2; };" EQUAL UNIFORM("0.9") ROUTING(
			    "minimal") "time = { warmup = \"0us\"; measure = \"1us\"; drain = false; };"
	                               "switch = { kind = \"tiled\"; rows = 4; columns = 4; buffer = \"4KB\"; };",
	                2);
}

/* Memory is asked for ahead, records of the next block and candidates of routes among it. */
Test(threads, look_ahead_without_being_told_apart)
{
	static const char *const routings[] = { ROUTING("minimal"), UGAL("slimfly-adaptive"), UGAL("ugal-l") };
	net_prefetch_from = 0;
	for (size_t i = EVERY_CASE ? 0 : 1; i < sizeof routings / sizeof *routings; i++) {
		char network[2000];
		snprintf(network, sizeof network,
		         "topology = { kind = \"slimfly\"; q = 13; endpoints = 9; };" EQUAL SWITCH("20KB", "")
		             UNIFORM("0.6") "time = { warmup = \"2us\"; measure = \"417ns\"; }; %s",
		         routings[i]);
		same_on_threads(network, 3);
	}
}

/* One thread's LPs receive what the other's send, so it reads more records than it writes: their memory must not pile
 * up with it, or a run would need more the longer it takes. */
Test(threads, do_not_hoard_what_others_have_sent)
{
	uint64_t memory[2];
	for (int i = 0; i < 2; i++) {
		struct netrun x = { 0 };
		char text[4000], targets[1500] = "0";
		for (int k = 1; k < 256; k++)
			snprintf(targets + strlen(targets), sizeof targets - strlen(targets), ", %d", k);
		snprintf(text, sizeof text,
		         "topology = { kind = \"torus\"; dims = [8, 8, 8]; };" EQUAL SWITCH("20KB", "")
		             ROUTING("minimal") "time = { measure = \"%dus\"; }; engine = { threads = 2; };"
		                                "traffic = ( { pattern = \"hotspot\"; fraction = 1.0; targets = [%s]; "
		                                "load = 0.1; packet = \"256B\"; } );",
		         i ? 240 : 15, targets);
		cr_assert(netrun_build(&x, NULL, text), "%s", netrun_error(&x));
		cr_assert_eq(netrun_go(&x), NET_DONE, "%s", netrun_error(&x));
		cr_assert_eq(x.r->threads, 2);
		memory[i] = x.r->counters.peak_chunk_bytes;
		netrun_free(&x);
	}
	cr_expect_leq(memory[1], 2 * memory[0], "%lu bytes of events, after sixteen times as long %lu", memory[0],
	              memory[1]);
}

/* Threads that cannot be started, here for want of room for their stacks, before the set-up or after it: who is there
 * does all the work. */
static void *nothing(void *arg)
{
	return arg;
}

static struct told tell_without_threads(const char *network, bool prepared)
{
	struct netrun x = { 0 };
	char text[4000];
	pthread_attr_t huge;
	snprintf(text, sizeof text, "%s engine = { threads = 3; };", network);
	cr_assert(!pthread_attr_init(&huge) && !pthread_attr_setstacksize(&huge, (size_t)1 << 46));
	cr_assert(prepared || !pthread_setattr_default_np(&huge));
	cr_assert(netrun_build(&x, NULL, text), "%s", netrun_error(&x));
	cr_assert(!prepared || !pthread_setattr_default_np(&huge));
	pthread_t none;
	cr_assert_neq(pthread_create(&none, NULL, nothing, NULL), 0, "there are threads: this tests nothing");
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s", netrun_error(&x));
	struct told t = { .digest = x.r->digest, .hops = x.r->packet_hops, .delivered = x.r->total.delivered };
	netrun_free(&x);
	return t;
}

Test(threads, are_done_without_if_there_are_none)
{
	struct told want = tell(cases[0], "engine = { sync = \"sequential\"; };", ""),
		    after = tell_without_threads(cases[0], true), before = tell_without_threads(cases[0], false);
	cr_expect_eq(after.digest, want.digest, "%016lx, not %016lx", after.digest, want.digest);
	cr_expect_eq(before.digest, want.digest, "%016lx, not %016lx", before.digest, want.digest);
	cr_expect(after.hops == want.hops && before.hops == want.hops);
	cr_expect(after.delivered == want.delivered && before.delivered == want.delivered);
}

/* What is asked of one thread is not given to several in silence. */
Test(threads, are_refused_what_is_for_one)
{
	static const struct {
		const char *keys, *key;
	} engines[] = { { "threads = 2; audit = true; sync = \"sequential\";", "engine.threads" },
		        { "threads = 2; audit = true;", "engine.threads" },
		        { "threads = 3; sync = \"sequential\";", "engine.threads" },
		        { "threads = 2; sync = \"optimistic\";", "engine.sync" },
		        { "threads = 2; stress = 5;", "engine.threads" },
		        { "threads = 2; optimism = 5;", "engine.optimism" },
		        { "threads = 2; sync = \"conservative\"; balance = \"shake\";", "engine.balance" } };
	for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
		struct netrun x = { 0 };
		char text[3000];
		snprintf(text, sizeof text, "%s engine = { %s };", cases[0], engines[i].keys);
		cr_assert(!netrun_build(&x, NULL, text), "%s was accepted", engines[i].keys);
		cr_expect_str_eq(x.errors.v[0].key, engines[i].key);
		netrun_free(&x);
	}
}

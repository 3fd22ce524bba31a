/* tests/network/test_messages.c - record.messages: what a message takes in the empty network, and slowdowns that add up
 * to those of the records. */
#include "tests/network/units.h"

#include <math.h>

struct messages {
	struct net_message_record *v;
	size_t n, cap;
};

static void remember_message(void *arg, const struct net_message_record *m)
{
	struct messages *l = arg;
	if (l->n == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 1024;
		l->v = realloc(l->v, l->cap * sizeof *l->v);
	}
	l->v[l->n++] = *m;
}

static struct messages messages_of(struct netrun *x)
{
	struct messages l = { 0 };
	net_each_message(x->net, remember_message, &l);
	return l;
}

/* Ping-pong between two endpoints of a dragonfly, alone: each message takes what it takes in the empty network. Links
 * of 100 Gb/s, 80 ps a byte, and 50 ns; switches of 100 ns. */
#define ALONE                                                                                                         \
	"topology = { kind = \"dragonfly\"; p = 2; a = 4; h = 2; }; time = { warmup = \"0us\"; measure = \"200us\"; " \
	"};"                                                                                                          \
	"routing = { kind = \"minimal\"; }; record = { messages = true; };"                                           \
	"switch = { kind = \"ideal\"; traversal = \"100ns\"; buffer = \"1MB\"; forwarding = \"%s\"; };"               \
	"links = { default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; }; %s };"                                 \
	"traffic = ( { process = \"ping-pong\"; nodes = \"%s\"; size = \"%uB\"; packet = \"1000B\"; iterations = 3; " \
	"} ); %s"

static void expect_alone(const char *forwarding, const char *links, const char *nodes, unsigned bytes, const char *more,
                         uint64_t want)
{
	struct netrun x = { 0 };
	run(&x, ALONE, forwarding, links, nodes, bytes, more);
	struct messages l = messages_of(&x);
	cr_assert_eq(l.n, 6u);
	for (size_t i = 0; i < l.n; i++) {
		const struct net_message_record *m = &l.v[i];
		cr_expect_eq(m->end - m->start, m->ideal,
		             "%s, %s, %u bytes: took %llu ps, and %llu in the empty network", forwarding, links, bytes,
		             (unsigned long long)(m->end - m->start), (unsigned long long)m->ideal);
		cr_expect_eq(m->bytes, bytes);
		if (want)
			cr_expect_eq(m->ideal, want, "%s, %u bytes: %llu ps, expected %llu", forwarding, bytes,
			             (unsigned long long)m->ideal, (unsigned long long)want);
	}
	const struct net_slowdown *s = &x.r->total.slowdown;
	cr_expect(x.r->total.has_slowdown && s->n == 6 && s->bytes == 6ul * bytes);
	cr_expect(!(s->mean < 1) && !(s->mean > 1) && !(s->p50 < 1) && !(s->p99 > 1) && !(s->max > 1));
	free(l.v);
	netrun_free(&x);
}

/* docs/model.md, closed forms, with k packets one behind the other: endpoints 0 and 1 share a switch (no hop), 0 and 2
 * are at neighbours in a group (one hop). Cut-through: (H + 2) 50 ns + (H + 1) 100 ns + all bytes; store-and-forward:
 * one packet of 1,000 B more for each link behind the first (of the last packet where it is all there is). */
Test(messages, alone_they_take_the_closed_form)
{
	static const unsigned sizes[] = { 1, 999, 1000, 1001, 2000, 123456 };
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		for (uint64_t hops = 0; hops < 2; hops++) {
			uint64_t b = sizes[i], packet = b < 1000 ? b : 1000;
			uint64_t way = (hops + 2) * 50000 + (hops + 1) * 100000 + 80 * b;
			const char *nodes = hops ? "0,2" : "0,1";
			expect_alone("cut-through", "", nodes, sizes[i], "", way);
			/* behind full packets the last one waits on each link, so that they set the pace */
			expect_alone("store-and-forward", "", nodes, sizes[i], "", way + 80 * packet * (hops + 1));
		}
}

Test(messages, alone_with_links_of_other_rates)
{
	static const char *const links[] = {
		"local = { bandwidth = \"50Gbps\"; };",
		"local = { bandwidth = \"400Gbps\"; };",
		"terminal = { bandwidth = \"200Gbps\"; latency = \"20ns\"; }; global = { bandwidth = \"25Gbps\"; "
		"latency = \"700ns\"; };",
		"local = { framing = \"ethernet\"; }; global = { bandwidth = \"33Gbps\"; framing = \"ethernet\"; };",
	};
	static const unsigned sizes[] = { 1, 1000, 1064, 5001, 40000 };
	for (size_t k = 0; k < sizeof links / sizeof *links; k++)
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			expect_alone("cut-through", links[k], "0,71", sizes[i], "", 0);
			expect_alone("store-and-forward", links[k], "0,71", sizes[i], "", 0);
		}
}

Test(messages, alone_with_overheads)
{
	expect_alone("cut-through", "", "0,1", 1000,
	             "nic = { overhead_send = \"300ns\"; overhead_receive = \"400ns\"; latency = \"25ns\"; };",
	             2 * 50000 + 100000 + 80000 + 300000 + 400000 + 2 * 25000);
}

/* Packets that are drawn to several routes travel side by side, and a small last one may pass those before it: the
 * empty network's time is a bound. With routes of least latency it is that of the route taken. */
#define SPREAD                                                                                                       \
	"topology = { kind = \"torus\"; dims = [4, 4]; }; time = { warmup = \"0us\"; measure = \"200us\"; };"        \
	"routing = %s; record = { messages = true; };"                                                               \
	"switch = { kind = \"ideal\"; traversal = \"100ns\"; buffer = \"1MB\"; forwarding = \"%s\"; };"              \
	"links = { default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; }; %s };"                                \
	"traffic = ( { process = \"ping-pong\"; nodes = \"0,10\"; size = \"%uB\"; packet = \"1000B\"; iterations = " \
	"5; } );"

static void expect_bound(const char *routing, const char *forwarding, const char *links, unsigned bytes, bool exact)
{
	struct netrun x = { 0 };
	run(&x, SPREAD, routing, forwarding, links, bytes);
	struct messages l = messages_of(&x);
	cr_assert_eq(l.n, 10u);
	for (size_t i = 0; i < l.n; i++) {
		uint64_t took = l.v[i].end - l.v[i].start;
		cr_expect(exact ? took == l.v[i].ideal : took >= l.v[i].ideal,
		          "%s, %s, %s, %u bytes: took %llu ps, and %llu in the empty network", routing, forwarding,
		          links, bytes, (unsigned long long)took, (unsigned long long)l.v[i].ideal);
	}
	free(l.v);
	netrun_free(&x);
}

Test(messages, alone_on_several_routes_none_is_faster_than_in_the_empty_network)
{
	static const char *const links[] = { "", "local = { bandwidth = \"40Gbps\"; };",
		                             "override = ( { from = 0; to = 1; latency = \"5us\"; } );" };
	static const unsigned sizes[] = { 1, 1000, 1500, 5001 };
	for (unsigned f = 0; f < 2; f++)
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			const char *forwarding = f ? "store-and-forward" : "cut-through";
			for (unsigned k = 0; k < 2; k++) {
				expect_bound("{ kind = \"minimal\"; }", forwarding, links[k], sizes[i], false);
				expect_bound("{ kind = \"valiant\"; }", forwarding, links[k], sizes[i], false);
				expect_bound("{ kind = \"ecmp\"; }", forwarding, links[k], sizes[i], true);
			}
			expect_bound("{ kind = \"latency\"; choose = \"flow\"; }", forwarding, links[2], sizes[i],
			             true);
		}
}

static int by_size_and_slowdown(const void *a, const void *b)
{
	const struct net_message_record *x = a, *y = b;
	int kx = 63 - __builtin_clzll(x->bytes), ky = 63 - __builtin_clzll(y->bytes);
	double sx = (double)(x->end - x->start) / (double)x->ideal, sy = (double)(y->end - y->start) / (double)y->ideal;
	return kx != ky ? (kx < ky ? -1 : 1) : sx < sy ? -1 : sx > sy;
}

/* A flow's slowdowns are those of these records, which are in order: counts and bytes exactly, means by the 2^-16 that
 * each is rounded down by, quantiles by the width of a bin. */
static void expect_sums(const struct net_flow *f, const struct net_message_record *v, size_t n)
{
	uint64_t all = 0, bytes = 0;
	size_t at = 0;
	for (uint32_t k = 0; k < f->sizes; k++) {
		const struct net_slowdown_of_size *b = &f->by_size[k];
		const struct net_slowdown *s = &b->slowdown;
		size_t first = at;
		uint64_t here = 0;
		double sum = 0, largest = 0;
		for (; at < n && v[at].bytes < 2 * b->from; at++) {
			double one = (double)(v[at].end - v[at].start) / (double)v[at].ideal;
			cr_assert_geq(v[at].bytes, b->from);
			here += v[at].bytes;
			sum += one;
			largest = one;
		}
		size_t count = at - first;
		cr_assert(s->n == count && s->bytes == here, "%llu messages of %llu bytes, recorded are %zu of %llu",
		          (unsigned long long)s->n, (unsigned long long)s->bytes, count, (unsigned long long)here);
		double median = (double)(v[first + (count - 1) / 2].end - v[first + (count - 1) / 2].start) /
		                (double)v[first + (count - 1) / 2].ideal;
		size_t q = first + (size_t)ceil(0.99 * (double)count) - 1;
		double p99 = (double)(v[q].end - v[q].start) / (double)v[q].ideal;
		cr_expect(fabs(s->mean - sum / (double)count) < 0x1p-15);
		cr_expect(fabs(s->max - largest) < 0x1p-15);
		cr_expect(fabs(s->p50 / median - 1) < 0.01, "median %g, of records %g", s->p50, median);
		cr_expect(fabs(s->p99 / p99 - 1) < 0.01, "p99 %g, of records %g", s->p99, p99);
		all += s->n;
		bytes += s->bytes;
	}
	cr_expect(at == n && f->slowdown.n == all && f->slowdown.bytes == bytes);
}

#define BUSY                                                                                                 \
	SLIMFLY_5 LINKS_50                                                                                   \
	    "time = { warmup = \"5us\"; measure = \"40us\"; drain = true; }; record = { messages = true; };" \
	    "switch = { kind = \"ideal\"; traversal = \"100ns\"; buffer = \"100KB\"; };"                     \
	    "routing = { kind = \"minimal\"; }; traffic = ( %s ); %s"

static void expect_busy(const char *jobs, const char *more, size_t least)
{
	struct netrun x = { 0 };
	run(&x, BUSY, jobs, more);
	struct messages l = messages_of(&x);
	size_t n = 0;
	for (size_t i = 0; i < l.n; i++) {
		const struct net_message_record *m = &l.v[i], *before = i ? m - 1 : NULL;
		cr_assert(!before || before->end < m->end ||
		          (before->end == m->end &&
		           (before->src < m->src || (before->src == m->src && before->seq < m->seq))));
		cr_assert(m->ideal > 0 && m->end - m->start >= m->ideal, "%llu bytes of %u to %u: %llu ps, ideal %llu",
		          (unsigned long long)m->bytes, m->src, m->dst, (unsigned long long)(m->end - m->start),
		          (unsigned long long)m->ideal);
		if (m->start >= 5000000 && m->start < 45000000)
			l.v[n++] = *m;
	}
	cr_assert_gt(n, least);
	struct net_message_record *mine = malloc(n * sizeof *mine);
	qsort(l.v, n, sizeof *l.v, by_size_and_slowdown);
	expect_sums(&x.r->total, l.v, n);
	for (uint32_t j = 0; j < x.r->njobs; j++) {
		size_t k = 0;
		for (size_t i = 0; i < n; i++)
			if (l.v[i].job == j)
				mine[k++] = l.v[i];
		expect_sums(&x.r->jobs[j], mine, k);
	}
	free(mine);
	free(l.v);
	netrun_free(&x);
}

Test(messages, sums_are_those_of_the_records)
{
	expect_busy("{ pattern = \"uniform\"; load = 0.4; packet = \"1000B\"; sizes = \"hadoop\"; }", "", 200);
	expect_busy("{ pattern = \"uniform\"; load = 0.3; packet = [ \"64B\", \"1000B\" ]; },"
	            "{ pattern = \"permutation\"; load = 0.2; packet = \"1000B\"; message = \"5500B\"; }",
	            "", 1000);
	expect_busy("{ process = \"window\"; packet = \"1000B\"; size = \"4500B\"; nodes = \"0-99\"; },"
	            "{ pattern = \"uniform\"; load = 0.1; packet = \"256B\"; nodes = \"100-199\"; }",
	            "", 1000);
}

/* Who does not record them has neither sums nor records, and the same digest. */
Test(messages, recording_changes_no_digest)
{
	static const char *const jobs =
	    "{ pattern = \"uniform\"; load = 0.4; packet = \"1000B\"; sizes = \"web-server\"; }";
	struct netrun x = { 0 }, y = { 0 };
	run(&x, BUSY, jobs, "");
	run(&y,
	    SLIMFLY_5 LINKS_50 "time = { warmup = \"5us\"; measure = \"40us\"; drain = true; };"
	                       "switch = { kind = \"ideal\"; traversal = \"100ns\"; buffer = \"100KB\"; };"
	                       "routing = { kind = \"minimal\"; }; traffic = ( %s );",
	    jobs);
	cr_expect_eq(x.r->digest, y.r->digest);
	cr_expect(!y.r->total.has_slowdown && !y.r->total.by_size);
	cr_expect_eq(messages_of(&y).n, 0u);
	netrun_free(&x);
	netrun_free(&y);
}

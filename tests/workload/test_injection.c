/* tests/workload/test_injection.c - arrival processes: exact mean load, and the distribution that each one's name says.
 */
#include "tests/workload/fixture.h"

#include <math.h>

struct gaps {
	double mean, variance; /* ps */
	uint64_t first, last;
	uint64_t n;
};

/* One source's first n messages. */
static struct gaps measure(struct fixture *f, uint32_t endpoint, int n)
{
	struct net_source s;
	struct sw_packet packet;
	struct gaps g = { 0 };
	double squares = 0, guess = 40960;
	f->traffic.ops->start(&f->traffic, 0, endpoint, &s);
	g.first = s.created;
	for (int k = 0; k < n; k++) {
		uint64_t before = s.created;
		f->traffic.ops->take(&f->traffic, 0, endpoint, &s, &packet);
		cr_assert_eq(packet.created, before);
		cr_assert_geq(s.created, before);
		double gap = (double)(s.created - before) - guess;
		squares += gap * gap;
	}
	g.last = s.created;
	g.n = (uint64_t)n;
	g.mean = (double)(g.last - g.first) / n;
	g.variance = squares / n - (g.mean - guess) * (g.mean - guess);
	return g;
}

/* The load that all sources together make. `cv` is the gaps' standard deviation over their mean, or what takes its
 * place for correlated ones; the bound is five standard errors. */
static void expect_load(const struct base_plugin *injection, const char *params, double load, int64_t bytes, double cv)
{
	enum { ENDPOINTS = 64, MESSAGES = 5000 };
	struct fixture f;
	fixture_flat(&f, ENDPOINTS, 1);
	struct net_job *job = fixture_job(&f, &wl_uniform, "");
	fixture_injection(job, injection, params);
	job->load = load;
	job->packet.v[0] = bytes;
	fixture_build(&f);
	double time = 0;
	for (uint32_t e = 0; e < ENDPOINTS; e++)
		time += measure(&f, e, MESSAGES).mean / ENDPOINTS;
	double offered = (double)bytes * 80 / time; /* 100 Gb/s are 80 ps a byte */
	double bound = 5 * cv / sqrt((double)ENDPOINTS * MESSAGES) + 1e-5;
	cr_assert_float_eq(offered / load, 1, bound, "%s at %g, %lld bytes: %.6f", injection->name, load,
	                   (long long)bytes, offered);
	fixture_free(&f);
}

/* Packets of odd sizes, down to gaps of few picoseconds' precision. */
Test(injection, mean_load_is_exact)
{
	const double loads[] = { 0.001, 0.05, 0.333, 0.5, 0.95, 1.0 };
	for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
		for (int64_t bytes = 1; bytes <= 4096; bytes = bytes * 7 + 4) {
			double p = loads[i];
			expect_load(&wl_poisson, "", p, bytes, 1);
			expect_load(&wl_bernoulli, "", p, bytes, sqrt(1 - p));
			expect_load(&wl_periodic, "", p, bytes, 0);
			/* per burst of mean B and period B: number geometric, variance < B^2; silence (1 - d) B */
			expect_load(&wl_on_off, "burst=8 duty=0.4", p, bytes, sqrt(8) * sqrt(0.6 * 0.6 * 2));
			expect_load(&wl_on_off, "burst=1 duty=0.25", p, bytes, 0.75);
			expect_load(&wl_on_off, "burst=10 duty=1", p, bytes, 0);
		}
	}
}

/* The expectation of a gap, by the midpoint rule over the 64 random bits: no statistical error hides a bias. The rule's
 * own error for -ln(u) is ln(2) / 2 of a stratum. */
Test(injection, mean_gap_by_quadrature)
{
	enum { STRATA = 1 << 19 };
	const struct base_plugin *process[] = { &wl_poisson, &wl_bernoulli, &wl_periodic, &wl_on_off };
	const uint64_t slots[] = { 20480, 81, 3000001 };
	const double loads[] = { 0.01, 0.3, 0.77, 0.99, 1 };
	for (int i = 0; i < 60; i++) {
		const struct base_plugin *plugin = process[i % 4];
		uint64_t slot = slots[i / 4 % 3] << WL_TIME_BITS;
		struct wl_injection in = { .ops = plugin->ops, .slot = slot, .params = fixture_params(plugin, "") };
		in.mean = (uint64_t)((double)slot / loads[i / 12]);
		struct base_errors errors = { 0 };
		cr_assert(!in.ops->build || !in.ops->build(&in, &errors));
		double sum = 0;
		for (uint64_t k = 0; k < STRATA; k++)
			sum += (double)in.ops->gap(&in, (uint32_t)k + 1, slot >> WL_TIME_BITS,
			                           k << 45 | (uint64_t)1 << 44);
		double want = (double)in.mean / 65536;
		/* the silence of on-off lives on 1/16 of the strata */
		cr_assert_float_eq(sum / STRATA / want, 1, 2e-5, "%s, slot %llu, load %g: %.7f", plugin->name,
		                   (unsigned long long)slots[i / 4 % 3], loads[i / 12], sum / STRATA / want);
		free((void *)(uintptr_t)in.params);
	}
}

/* A bandwidth that no whole number of picoseconds fits: 256 B at 56 Gb/s take 36571.43 ps. */
Test(injection, rounding_never_adds_up)
{
	const struct base_plugin *process[] = { &wl_periodic, &wl_bernoulli };
	for (int i = 0; i < 2; i++) {
		struct fixture f;
		fixture_flat(&f, 2, 1);
		struct net_job *job = fixture_job(&f, &wl_uniform, "");
		fixture_injection(job, process[i], "");
		job->load = 1;
		f.config.link_terminal.bandwidth = 56000000000u;
		fixture_build(&f);
		struct gaps g = measure(&f, 0, 1000000);
		/* half a unit of the fixed point a message, 2^-17 ps, is the most that is allowed: 7.6 ps */
		cr_assert_float_eq((double)(g.last - g.first), 1e6 * 2048 * 1e12 / 56e9, 17, "%s", process[i]->name);
		fixture_free(&f);
	}
}

Test(injection, poisson_gaps_are_exponential)
{
	enum { N = 400000 };
	struct fixture f;
	fixture_flat(&f, 2, 1);
	fixture_job(&f, &wl_uniform, "");
	fixture_build(&f);
	struct gaps g = measure(&f, 0, N);
	cr_assert_float_eq(g.mean, 40960, 5 * 40960 / sqrt(N));
	cr_assert_float_eq(g.variance / (40960.0 * 40960.0), 1, 5 * sqrt(8.0 / N));
	fixture_free(&f);
}

Test(injection, bernoulli_keeps_to_its_slots)
{
	enum { N = 200000 };
	struct fixture f;
	fixture_flat(&f, 2, 1);
	struct net_job *job = fixture_job(&f, &wl_uniform, "");
	fixture_injection(job, &wl_bernoulli, "");
	job->load = 0.25;
	job->start = 1000;
	fixture_build(&f);
	int count[8] = { 0 };
	struct net_source s;
	struct sw_packet packet;
	f.traffic.ops->start(&f.traffic, 0, 1, &s);
	for (int k = 0; k < N; k++) {
		uint64_t before = s.created;
		cr_assert_eq((before - 1000) % 20480, 0);
		f.traffic.ops->take(&f.traffic, 0, 1, &s, &packet);
		uint64_t slots = (s.created - before) / 20480;
		cr_assert_geq(slots, 1);
		if (slots < 8)
			count[slots]++;
	}
	for (int k = 1; k < 8; k++) { /* geometric */
		double want = N * 0.25 * pow(0.75, k - 1);
		cr_assert_float_eq(count[k], want, 5 * sqrt(want), "%d slots: %d", k, count[k]);
	}
	fixture_free(&f);
}

/* At load 1 every slot is used, from the first one on. */
Test(injection, bernoulli_full)
{
	struct fixture f;
	fixture_flat(&f, 2, 1);
	struct net_job *job = fixture_job(&f, &wl_uniform, "");
	fixture_injection(job, &wl_bernoulli, "");
	job->load = 1;
	fixture_build(&f);
	struct gaps g = measure(&f, 0, 1000);
	cr_assert_eq(g.first, 0);
	cr_assert_eq(g.last, 1000 * 20480);
	fixture_free(&f);
}

/* Slots are as long as a message that is shorter than a packet, or load 1 could not be offered. */
Test(injection, bernoulli_with_short_messages)
{
	struct fixture f;
	fixture_flat(&f, 2, 1);
	struct net_job *job = fixture_job(&f, &wl_uniform, "");
	fixture_injection(job, &wl_bernoulli, "");
	job->load = 1;
	job->message = 64;
	fixture_build(&f);
	cr_assert_float_eq(measure(&f, 0, 1000).mean, 64 * 80, 1e-6);
	fixture_free(&f);
}

Test(injection, periodic_gap_and_phase)
{
	enum { N = 20000 };
	struct fixture f;
	fixture_flat(&f, N, 1);
	fixture_injection(fixture_job(&f, &wl_uniform, ""), &wl_periodic, "");
	fixture_build(&f);
	double sum = 0;
	for (uint32_t e = 0; e < N; e++) {
		struct gaps g = measure(&f, e, 3);
		cr_assert_lt(g.first, 40960);
		cr_assert_eq(g.last - g.first, 3 * 40960);
		sum += (double)g.first;
	}
	cr_assert_float_eq(sum / N, 20480, 5 * 40960 / sqrt(12.0 * N));
	fixture_free(&f);
}

/* Load 0.5, duty 0.25: messages 10240 ps apart in a burst; bursts geometric of mean 6; silences of mean 6 * 0.75 *
 * 40960. */
Test(injection, on_off_bursts)
{
	enum { N = 300000 };
	struct fixture f;
	fixture_flat(&f, 2, 1);
	fixture_injection(fixture_job(&f, &wl_uniform, ""), &wl_on_off, "burst=6 duty=0.25");
	fixture_build(&f);
	struct net_source s;
	struct sw_packet packet;
	int bursts = 0, single = 0, length = 1;
	double silence = 0;
	f.traffic.ops->start(&f.traffic, 0, 0, &s);
	for (int k = 0; k < N; k++) {
		uint64_t before = s.created;
		f.traffic.ops->take(&f.traffic, 0, 0, &s, &packet);
		uint64_t gap = s.created - before;
		cr_assert_geq(gap, 10240);
		if (gap == 10240) {
			length++;
			continue;
		}
		silence += (double)(gap - 10240);
		bursts++;
		single += length == 1;
		length = 1;
	}
	double want = N / 6.0;
	cr_assert_float_eq(bursts, want, 5 * sqrt(want * 5 / 6) + 3);
	cr_assert_float_eq(single, want / 6, 5 * sqrt(want / 6));
	double mean = 6 * 0.75 * 40960;
	cr_assert_float_eq(silence / bursts, mean, 5 * mean / sqrt(bursts));
	fixture_free(&f);
}

/* The first message of a process that has run for ever: P(first > t) has mean E(gap^2) / (2 E(gap)), and the rate is
 * right from time 0 on. */
Test(injection, processes_start_in_their_steady_state)
{
	enum { N = 40000, HORIZON = 10 * 40960 };
	const struct base_plugin *process[] = { &wl_poisson, &wl_bernoulli, &wl_periodic, &wl_on_off };
	for (int i = 0; i < 4; i++) {
		struct fixture f;
		fixture_flat(&f, N, 1);
		fixture_injection(fixture_job(&f, &wl_uniform, ""), process[i], "");
		fixture_build(&f);
		double messages = 0;
		for (uint32_t e = 0; e < N; e++) {
			struct net_source s;
			struct sw_packet packet;
			for (f.traffic.ops->start(&f.traffic, 0, e, &s); s.created < HORIZON; messages++)
				f.traffic.ops->take(&f.traffic, 0, e, &s, &packet);
		}
		/* a burst of 16 on average at four times the rate: at most 40 messages; variance below 20^2 */
		double deviation = i == 3 ? 20 : sqrt(10);
		cr_assert_float_eq(messages / N, 10, 5 * deviation / sqrt(N), "%s: %g", process[i]->name, messages / N);
		fixture_free(&f);
	}
}

/* Neither two endpoints, nor two jobs, nor two seeds share their times. */
Test(injection, sources_differ)
{
	struct fixture f, g;
	fixture_flat(&f, 3, 1);
	fixture_flat(&g, 3, 1);
	g.config.seed = 2;
	fixture_job(&f, &wl_uniform, "");
	fixture_job(&f, &wl_uniform, "");
	fixture_job(&g, &wl_uniform, "");
	fixture_build(&f);
	fixture_build(&g);
	struct net_source a, b, c, d;
	f.traffic.ops->start(&f.traffic, 0, 0, &a);
	f.traffic.ops->start(&f.traffic, 0, 1, &b);
	f.traffic.ops->start(&f.traffic, 1, 0, &c);
	g.traffic.ops->start(&g.traffic, 0, 0, &d);
	cr_assert(a.created != b.created && a.created != c.created && a.created != d.created && b.created != c.created);
	fixture_free(&f);
	fixture_free(&g);
}

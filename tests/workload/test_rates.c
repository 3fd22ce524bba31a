/* tests/workload/test_rates.c - the rates of a traffic matrix are those of its file, within the error of a Poisson
 * process; drawn sizes keep the load. */
#include "tests/workload/fixture.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

#define UNTIL UINT64_C(40000000000) /* ps that messages are counted for: 40 ms */
#define BITS (256 * 8.0)

static int file_of(const char *text, char path[64])
{
	int fd = memfd_create("matrix", 0);
	cr_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return fd;
}

/* Messages of each pair of `n` endpoints in the time. */
static void count_pairs(const struct fixture *f, uint32_t n, uint32_t *pairs)
{
	memset(pairs, 0, (size_t)n * n * sizeof *pairs);
	for (uint32_t e = 0; e < n; e++) {
		struct net_source s;
		struct sw_packet p;
		f->traffic.ops->start(&f->traffic, 0, e, &s);
		while (s.created < UNTIL) {
			f->traffic.ops->take(&f->traffic, 0, e, &s, &p);
			cr_assert_lt(p.dst, n);
			pairs[e * n + p.dst]++;
		}
	}
}

/* 100 Gb/s: as many messages as a load makes in the time. */
static double messages_at(double load)
{
	return load * 100e9 / BITS * (double)UNTIL * 1e-12;
}

static void expect_poisson(const char *what, uint32_t from, uint32_t to, uint32_t got, double mean)
{
	cr_expect(fabs(got - mean) <= 5 * sqrt(mean) + (mean > 0), "%s: %u to %u: %u messages, expected %.1f", what,
	          from, to, got, mean);
}

static const double rates[4][4] = { { 0, 3, 1, 0 }, { 2, 0, 0, 0 }, { 0, 0, 0, 0 }, { 1, 5, 4, 0 } };
static const char dense[] = "0 3 1 0\n2 0 0 0\n0 0 0 0\n1 5 4 0\n";
#define SUM 16.0

Test(rates, weights)
{
	struct fixture f;
	char path[64], params[100];
	uint32_t pairs[16];
	int fd = file_of(dense, path);
	fixture_flat(&f, 4, 1);
	snprintf(params, sizeof params, "file=%s", path);
	fixture_job(&f, &wl_matrix, params)->load = 0.3;
	fixture_build(&f);
	cr_expect_eq(f.traffic.job[0].members, 3u);
	cr_expect_eq(f.traffic.job[0].idle, 1u);
	cr_expect_eq(fixture_first(&f, 0, 2), WL_IDLE);
	count_pairs(&f, 4, pairs);
	for (uint32_t i = 0; i < 4; i++) /* three senders at a load of 0.3 in the mean */
		for (uint32_t k = 0; k < 4; k++)
			expect_poisson("weights", i, k, pairs[4 * i + k], messages_at(0.9 * rates[i][k] / SUM));
	fixture_free(&f);
	close(fd);
}

Test(rates, loads_and_gbps)
{
	static const struct {
		const char *values;
		double unit; /* load of a value of 1 */
	} kinds[] = { { "loads", 0.05 * 0.8 }, { "Gbps", 0.8 / 100 } };
	char path[64], params[100], text[200] = "source,destination,rate\n";
	uint32_t pairs[16];
	for (int kind = 0; kind < 2; kind++) {
		struct fixture f;
		double scale = kind ? 1 : 0.05;
		snprintf(text, sizeof text, "source,destination,rate\n0,1,%g\n0,2,%g\n1,0,%g\n3,0,%g\n3,1,%g\n3,2,%g\n",
		         3 * scale, scale, 2 * scale, scale, 5 * scale, 4 * scale);
		int fd = file_of(text, path);
		fixture_flat(&f, 4, 1);
		snprintf(params, sizeof params, "file=%s values=%s", path, kinds[kind].values);
		fixture_job(&f, &wl_matrix, params)->load = 0.8;
		fixture_build(&f);
		cr_expect_float_eq(f.traffic.job[0].load, kinds[kind].unit * SUM / 3, 1e-12);
		count_pairs(&f, 4, pairs);
		for (uint32_t i = 0; i < 4; i++)
			for (uint32_t k = 0; k < 4; k++)
				expect_poisson(kinds[kind].values, i, k, pairs[4 * i + k],
				               messages_at(rates[i][k] * kinds[kind].unit));
		fixture_free(&f);
		close(fd);
	}
}

/* Two endpoints a switch: a switch's rate is divided between them, at both ends; none sends to itself. */
Test(rates, between_switches)
{
	static const double rate[2][2] = { { 2, 1 }, { 4, 0 } };
	struct fixture f;
	char path[64], params[100];
	uint32_t pairs[16];
	int fd = file_of("0 0 2\n0 1 1\n1 0 4\n", path);
	fixture_flat(&f, 4, 2);
	snprintf(params, sizeof params, "file=%s between=switches", path);
	fixture_job(&f, &wl_matrix, params)->load = 0.2;
	fixture_build(&f);
	count_pairs(&f, 4, pairs);
	for (uint32_t i = 0; i < 4; i++)
		for (uint32_t k = 0; k < 4; k++) {
			double shares = i / 2 == k / 2 ? (i == k ? 0 : 1. / 2) : 1. / 4;
			expect_poisson("switches", i, k, pairs[4 * i + k],
			               messages_at(0.8 * rate[i / 2][k / 2] / 7 * shares));
		}
	fixture_free(&f);
	close(fd);
}

Test(rates, what_no_link_carries_is_refused)
{
	struct fixture f;
	char path[64], params[100];
	int fd = file_of(dense, path);
	fixture_flat(&f, 4, 1);
	snprintf(params, sizeof params, "file=%s", path);
	fixture_job(&f, &wl_matrix, params)->load = 0.6; /* 10 / 16 of 1.8 */
	fixture_fails(&f, "traffic.[0].load",
	              "row 3 of the matrix send at 1.125 times their links' rate; up to 0.533333 ");
	fixture_free(&f);
	close(fd);
}

Test(rates, every_injection_process_keeps_them)
{
	static const struct base_plugin *const processes[] = { &wl_bernoulli, &wl_periodic, &wl_on_off };
	char path[64], params[100];
	uint32_t pairs[16];
	int fd = file_of(dense, path);
	for (int i = 0; i < 3; i++) {
		struct fixture f;
		fixture_flat(&f, 4, 1);
		snprintf(params, sizeof params, "file=%s", path);
		struct net_job *job = fixture_job(&f, &wl_matrix, params);
		job->load = 0.3;
		fixture_injection(job, processes[i], i == 2 ? "burst=4 duty=0.5" : "");
		fixture_build(&f);
		count_pairs(&f, 4, pairs);
		for (uint32_t e = 0; e < 4; e++) {
			double row = rates[e][0] + rates[e][1] + rates[e][2] + rates[e][3], got = 0;
			for (uint32_t k = 0; k < 4; k++)
				got += pairs[4 * e + k];
			double mean = messages_at(0.9 * row / SUM),
			       times = i == 2 ? 4 : 1; /* bursts of 4 are 16 times as uneven, a quarter as many */
			cr_expect(fabs(got - mean) <= 5 * times * sqrt(mean) + 1, "%s: %u: %g, expected %.1f",
			          processes[i]->name, e, got, mean);
		}
		fixture_free(&f);
	}
	close(fd);
}

/* The load of drawn sizes is that of fixed ones: bytes in the time, whose standard deviation is that of a compound
 * Poisson process, sqrt(messages E[S^2]); with sizes of at most 1 MB less than sqrt(bytes * 1 MB). */
Test(rates, drawn_sizes_keep_the_load)
{
	struct fixture f;
	double bytes = 0, mean = 8 * 0.4 * 100e9 / 8 * (double)UNTIL * 1e-12;
	uint64_t messages = 0;
	fixture_flat(&f, 8, 1);
	struct net_job *job = fixture_job(&f, &wl_uniform, "");
	job->load = 0.4;
	job->packet.v[0] = 1500;
	job->sizes = 4; /* web-server */
	fixture_build(&f);
	cr_expect(f.traffic.job[0].multi_packet);
	for (uint32_t e = 0; e < 8; e++) {
		struct net_source s;
		struct sw_packet p;
		uint64_t left = 0, created = 0;
		f.traffic.ops->start(&f.traffic, 0, e, &s);
		while (s.created < UNTIL) {
			if (!left) {
				left = f.traffic.ops->message(&f.traffic, 0, e, s.created);
				created = s.created;
				messages++;
			}
			cr_assert_eq(left, s.left); /* the receiver finds the same size */
			f.traffic.ops->take(&f.traffic, 0, e, &s, &p);
			cr_assert(p.created == created && p.bytes == (left < 1500 ? left : 1500));
			left -= p.bytes;
			bytes += p.bytes;
		}
	}
	cr_expect(fabs(bytes - mean) < 5 * sqrt(mean * 1e6), "%.4g bytes, expected %.4g", bytes, mean);
	cr_expect_gt(messages, 10000u);
	fixture_free(&f);
}

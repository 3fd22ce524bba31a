/* tests/network/class_draws.h - drawn cases of classes of traffic to one receiver, under congestion controls, switches
 * and topologies: each class has what its minimum, maximum and priority give it, within 1 % of the link, and the link
 * is full. Expected shares are worked out here by filling up a level. */
#ifndef TESTS_NETWORK_CLASS_DRAWS_H
#define TESTS_NETWORK_CLASS_DRAWS_H

#include "sim/rng.h"
#include "tests/switch/bench.h"
#include "tests/switch/class_runs.h"

#include <math.h>

#define DRAWN_CLASSES 3u
#define DRAWN_FROM 400000000ull
#define DRAWN_TO 800000000ull
#define DRAWN_BYTES 10000000.0 /* of a link of 200 Gb/s in the window */

struct drawn_class {
	uint32_t first, sources;
	bool urgent;
	double min, max;
};

static uint32_t draw_below(uint32_t index, uint32_t sub, uint32_t n)
{
	return sim_draw4(53, index, 0, SIM_DRAW_MODEL, sub).v[0] % n;
}

static double level_sum(const struct drawn_class *c, uint32_t n, bool urgent, double level, double *share)
{
	double sum = 0;
	for (uint32_t k = 0; k < n; k++)
		if (c[k].urgent == urgent)
			sum += share[k] = fmin(fmax(c[k].min, level), c[k].max);
	return sum;
}

/* All want everything: minima first, then the urgent, then the others rise to a common level. */
static void expected_shares(const struct drawn_class *c, uint32_t n, double *share)
{
	double left = 1;
	for (uint32_t k = 0; k < n; k++)
		left -= c[k].urgent ? 0 : c[k].min;
	for (int urgent = 1; urgent >= 0; urgent--) {
		double low = 0, high = 1;
		for (int i = 0; i < 60; i++) {
			double middle = (low + high) / 2;
			*(level_sum(c, n, urgent, middle, share) <= left ? &low : &high) = middle;
		}
		left -= level_sum(c, n, urgent, low, share);
		for (uint32_t k = 0; urgent && k < n; k++)
			left += c[k].urgent ? 0 : c[k].min;
	}
}

static uint32_t draw_classes(uint32_t i, struct drawn_class *c)
{
	static const double minima[] = { 0, 0.1, 0.2, 0.3 };
	uint32_t n = 2 + draw_below(i, 1, 2), first = 0;
	bool some = draw_below(i, 2, 3) == 0;
	for (uint32_t k = 0; k < n; k++) {
		c[k] = (struct drawn_class){ .first = first,
			                     .sources = 1 + draw_below(i, 10 + k, 4),
			                     .urgent = some && k == 0,
			                     .min = minima[draw_below(i, 20 + k, 4)] };
		c[k].max = draw_below(i, 30 + k, 4) ? 1 : c[k].min + 0.2;
		first += c[k].sources;
	}
	return n;
}

/* Sources of a class: endpoints one after the other, in the network by turns of both switches. */
static int print_sources(char *at, size_t room, const struct drawn_class *c, bool network)
{
	int n = 0;
	for (uint32_t s = c->first; s < c->first + c->sources; s++)
		n += snprintf(at + n, room - (size_t)n, "%u,", network && s % 2 ? 17 + s / 2 : s);
	return n;
}

static void run_drawn_case(uint32_t i)
{
	static const char *const controls[] = { "none", "window", "slingshot", "slingshot" };
	static const char *const switches[] = {
		"kind = \"crossbar\"; cycle = \"320ps\"; buffer = \"200KB\";",
		"kind = \"crossbar\"; cycle = \"320ps\"; inputs = \"voq\";",
		"kind = \"tiled\"; preset = \"rosetta\";",
		"kind = \"tiled\"; preset = \"rosetta\"; grant_arbiter = \"round-robin\";",
	};
	static const char *const packets[] = { "500B", "1KB", "2KB" };
	bool network = draw_below(i, 3, 2);
	struct drawn_class c[DRAWN_CLASSES];
	uint32_t n = draw_classes(i, c);
	char text[4000], *at = text, *end = text + sizeof text;
	at += snprintf(
	    at, (size_t)(end - at),
	    "time = { warmup = \"400us\"; measure = \"400us\"; drain = false; }; topology = { %s }; links = { "
	    "default = { bandwidth = \"200Gbps\"; latency = \"50ns\"; }; terminal = { bandwidth = \"200Gbps\"; "
	    "latency = \"13ns\"; }; }; switch = { %s }; routing = { kind = \"minimal\"; }; congestion = { kind = "
	    "\"%s\"; }; classes = (",
	    network ? "kind = \"torus\"; dims = [2]; endpoints = 16;" : "kind = \"single\"; ports = 32;",
	    switches[draw_below(i, 4, 4)], controls[draw_below(i, 5, 4)]);
	for (uint32_t k = 0; k < n; k++)
		at += snprintf(at, (size_t)(end - at),
		               "%s{ name = \"c%u\"; priority = %d; min_bandwidth = %g; max_bandwidth = %g; }",
		               k ? "," : "", k, c[k].urgent, c[k].min, c[k].max);
	at += snprintf(at, (size_t)(end - at), "); traffic = (");
	for (uint32_t k = 0; k < n; k++) {
		at += snprintf(at, (size_t)(end - at),
		               "%s{ class = \"c%u\"; pattern = \"incast\"; target = 16; nodes = \"", k ? "," : "", k);
		at += print_sources(at, (size_t)(end - at), &c[k], network);
		at += snprintf(at, (size_t)(end - at), "16\"; load = 1.0; packet = \"%s\"; }",
		               packets[draw_below(i, 6, 3)]);
	}
	snprintf(at, (size_t)(end - at), ");");
	struct shares got = run_shares(text, "", DRAWN_FROM, DRAWN_TO);
	double share[DRAWN_CLASSES], all = 0, full = 0;
	expected_shares(c, n, share);
	for (uint32_t k = 0; k < n; k++) {
		double is = (double)got.bytes[k] / DRAWN_BYTES;
		cr_expect(fabs(is - share[k]) < 0.01, "case %u: class %u has %.4f, not %.4f\n%s", i, k, is, share[k],
		          text);
		all += is;
		full += share[k];
	}
	cr_expect(fabs(all - full) < 0.01, "case %u: %.4f of the link, not %.4f\n%s", i, all, full, text);
}

#endif

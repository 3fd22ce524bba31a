/* topo/survive.c - see survive.h. Removal one by one is computed backwards: cables are added, in reverse order of
 * removal, until all switches with endpoints are connected. */
#include "topo/survive.h"

#include "base/memory.h"
#include "sim/rng.h"

#include <math.h>
#include <stdlib.h>

#define ORDERS 400u
#define LEAST_ORDERS 20u
#define MOST_DRAWS UINT64_C(200000000)
#define MOST_STEPS UINT64_C(20000000000)

size_t topo_list_cables(const struct topo *topo, const struct topo_graph *graph, size_t (**out)[2])
{
	size_t n = 0;
	*out = base_calloc(graph->first[graph->n] / 2 + 1, sizeof **out);
	for (topo_switch s = 0; s < topo->switches; s++)
		for (topo_port p = 0; p < topo_ports(topo, s); p++) {
			struct topo_hop hop = topo_peer(topo, s, p);
			if (s < hop.to || (s == hop.to && p < hop.port)) {
				(*out)[n][0] = graph->first[s] + p;
				(*out)[n++][1] = graph->first[hop.to] + hop.port;
			}
		}
	return n;
}

/* A random order of 0 .. n - 1. */
static void shuffle_cables(uint32_t *v, uint32_t n, uint64_t seed, uint32_t order_number)
{
	struct sim_draw draw = { { 0 } };
	for (uint32_t i = 0; i < n; i++)
		v[i] = i;
	for (uint32_t i = n; i-- > 1;) {
		if (i % 4 == 3 || i == n - 1)
			draw = sim_draw4(seed, order_number, i / 4, SIM_DRAW_MODEL, 1);
		uint32_t j = sim_below(draw.v[i % 4], i + 1), other = v[j];
		v[j] = v[i];
		v[i] = other;
	}
}

/* --- until some switch is disconnected ------------------------------------------------------------------- */

struct forest {
	uint32_t *parent;
	uint32_t *with; /* switches with endpoints, by root */
};

static uint32_t root_of(struct forest *f, uint32_t s)
{
	while (f->parent[s] != s)
		s = f->parent[s] = f->parent[f->parent[s]];
	return s;
}

/* The number of cables added when all switches with endpoints become connected, or n + 1: never. */
static uint32_t joined_after(const struct topo *topo, const struct topo_graph *graph, struct forest *f,
                             const size_t (*cable)[2], const uint32_t *order, uint32_t n)
{
	uint32_t all = 0;
	for (topo_switch s = 0; s < topo->switches; s++) {
		f->parent[s] = s;
		f->with[s] = topo_endpoints_at(topo, s) > 0;
		all += f->with[s];
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t a = root_of(f, graph->to[cable[order[i]][0]]), b = root_of(f, graph->to[cable[order[i]][1]]);
		if (a == b)
			continue;
		uint32_t big = f->with[a] >= f->with[b] ? a : b, small = a + b - big;
		f->parent[small] = big;
		f->with[big] += f->with[small];
		if (f->with[big] == all)
			return i + 1;
	}
	return n + 1;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

static double quantile(const double *sorted, uint32_t n, double q)
{
	double at = q * (n - 1);
	uint32_t below = (uint32_t)at;
	return below + 1 < n ? sorted[below] + (at - below) * (sorted[below + 1] - sorted[below]) : sorted[n - 1];
}

static double closed_form(const struct topo *topo)
{
	double lo = 0, hi = 1;
	for (int i = 0; i < 60; i++) {
		double f = (lo + hi) / 2, sum = 0;
		for (topo_switch s = 0; s < topo->switches; s++)
			if (topo_endpoints_at(topo, s))
				sum += pow(f, topo_ports(topo, s));
		if (sum > 0.69314718055994531) /* ln 2 */
			hi = f;
		else
			lo = f;
	}
	return (lo + hi) / 2;
}

void topo_survival(const struct topo *topo, const struct topo_graph *graph, uint64_t seed, struct topo_survival *out)
{
	size_t(*cable)[2];
	uint32_t n = (uint32_t)topo_list_cables(topo, graph, &cable);
	uint64_t orders = n ? MOST_DRAWS / n : ORDERS;
	orders = orders > ORDERS ? ORDERS : orders < LEAST_ORDERS ? LEAST_ORDERS : orders;
	double *share = base_calloc(orders, sizeof *share);
	uint32_t *order = base_calloc((size_t)n + 1, sizeof *order);
	struct forest f = { base_calloc(graph->n, sizeof(uint32_t)), base_calloc(graph->n, sizeof(uint32_t)) };
	for (uint32_t i = 0; i < orders && n; i++) {
		shuffle_cables(order, n, seed, i);
		/* Connected after k added cables, so disconnected when n - k + 1 have been removed. */
		uint32_t k = joined_after(topo, graph, &f, (const size_t(*)[2])cable, order, n);
		share[i] = ((double)n - k + 1) / n;
	}
	qsort(share, orders, sizeof *share, ascending);
	*out = (struct topo_survival){ .orders = (uint32_t)orders,
		                       .p05 = quantile(share, (uint32_t)orders, .05),
		                       .median = quantile(share, (uint32_t)orders, .5),
		                       .p95 = quantile(share, (uint32_t)orders, .95),
		                       .form = closed_form(topo) };
	free(f.parent);
	free(f.with);
	free(order);
	free(share);
	free(cable);
}

/* --- with a fraction of the cables removed --------------------------------------------------------------- */

void topo_graph_damaged(const struct topo_graph *graph, const size_t (*cable)[2], size_t cables, double removed,
                        uint32_t draw, uint64_t seed, struct topo_graph *out, size_t **map)
{
	uint32_t *order = base_calloc(cables + 1, sizeof *order);
	size_t channels = graph->first[graph->n], gone = (size_t)(removed * (double)cables + .5), at = 0;
	bool *out_of_order = base_calloc(channels + 1, sizeof *out_of_order);
	shuffle_cables(order, (uint32_t)cables, seed, draw);
	for (size_t i = 0; i < gone; i++)
		out_of_order[cable[order[i]][0]] = out_of_order[cable[order[i]][1]] = true;
	out->n = graph->n;
	out->first = base_calloc((size_t)graph->n + 1, sizeof *out->first);
	out->to = base_calloc(channels + 1, sizeof *out->to);
	if (map)
		*map = base_calloc(channels + 1, sizeof **map);
	for (topo_switch s = 0; s < graph->n; s++) {
		for (size_t i = graph->first[s]; i < graph->first[s + 1]; i++)
			if (!out_of_order[i]) {
				if (map)
					(*map)[at] = i;
				out->to[at++] = graph->to[i];
			}
		out->first[s + 1] = at;
	}
	free(order);
	free(out_of_order);
}

/* Maximum and sum of distances from every switch with endpoints to the others; false: not all are connected. */
static bool distances(const struct topo *topo, const struct topo_graph *g, uint32_t *distance, topo_switch *queue,
                      uint32_t *diameter, double *mean)
{
	double sum = 0, pairs = 0;
	*diameter = 0;
	for (topo_switch s = 0; s < g->n; s++) {
		if (!topo_endpoints_at(topo, s))
			continue;
		topo_bfs(g, s, distance, queue);
		for (topo_switch d = 0; d < g->n; d++) {
			if (d == s || !topo_endpoints_at(topo, d))
				continue;
			if (distance[d] == UINT32_MAX)
				return false;
			*diameter = distance[d] > *diameter ? distance[d] : *diameter;
			sum += distance[d];
			pairs++;
		}
	}
	*mean = pairs > 0 ? sum / pairs : 0;
	return true;
}

int topo_damage(const struct topo *topo, const struct topo_graph *graph, double removed, uint32_t draws, uint64_t seed,
                struct topo_damage *out, const char **why)
{
	size_t(*cable)[2];
	uint64_t steps = (uint64_t)draws * (topo->switches - topo->bare) * graph->first[graph->n];
	*out = (struct topo_damage){ .removed = removed, .draws = draws, .diameter = -1, .mean_distance = -1 };
	*why = "the network is too large to examine all pairs of switches for every draw";
	if (steps > MOST_STEPS)
		return -1;
	*why = NULL;
	size_t cables = topo_list_cables(topo, graph, &cable);
	uint32_t *distance = base_calloc(graph->n, sizeof *distance), whole = 0;
	topo_switch *queue = base_calloc(graph->n, sizeof *queue);
	double diameters = 0, means = 0;
	for (uint32_t i = 0; i < draws; i++) {
		struct topo_graph left;
		uint32_t diameter;
		double mean;
		topo_graph_damaged(graph, (const size_t(*)[2])cable, cables, removed, i, seed, &left, NULL);
		if (distances(topo, &left, distance, queue, &diameter, &mean)) {
			whole++;
			diameters += diameter;
			means += mean;
		}
		topo_graph_free(&left);
	}
	out->disconnected = draws ? 1 - (double)whole / draws : 0;
	if (whole) {
		out->diameter = diameters / whole;
		out->mean_distance = means / whole;
	}
	free(cable);
	free(distance);
	free(queue);
	return 0;
}

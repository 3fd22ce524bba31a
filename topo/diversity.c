/* topo/diversity.c - see diversity.h */
#include "topo/diversity.h"

#include "base/memory.h"
#include "sim/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ORBITS 65536u
#define MOST_STEPS UINT64_C(10000000000)
#define MOST_PAIRS 4000u /* of switches, between which disjoint paths are counted */

struct look {
	const struct topo *topo;
	const struct topo_graph *graph;
	uint32_t *distance;
	topo_switch *queue;
	double *paths;
	uint8_t *used;     /* [channels]: 1: on a path */
	uint32_t *stamp;   /* [switches]: on a shortest path to the destination of this stamp */
	uint32_t *visited; /* [switches] */
	uint32_t stamped, visits;
	topo_switch *touched; /* switches on shortest paths */
	uint32_t ntouched;
};

static void count_paths(struct look *l, topo_switch from)
{
	const struct topo_graph *g = l->graph;
	memset(l->paths, 0, g->n * sizeof *l->paths);
	l->paths[from] = 1;
	for (uint32_t k = 0; k < g->n; k++) {
		topo_switch s = l->queue[k];
		for (size_t i = g->first[s]; i < g->first[s + 1]; i++)
			if (l->distance[g->to[i]] == l->distance[s] + 1)
				l->paths[g->to[i]] += l->paths[s];
	}
}

/* --- cable-disjoint paths: unit flows over the shortest paths -------------------------------------------- */

static void mark_paths(struct look *l, topo_switch to)
{
	const struct topo_graph *g = l->graph;
	l->stamped++;
	l->ntouched = 0;
	l->touched[l->ntouched++] = to;
	l->stamp[to] = l->stamped;
	for (uint32_t k = 0; k < l->ntouched; k++) {
		topo_switch s = l->touched[k];
		for (size_t i = g->first[s]; i < g->first[s + 1]; i++) {
			topo_switch back = g->to[i];
			if (l->distance[back] + 1 != l->distance[s] || l->stamp[back] == l->stamped)
				continue;
			l->stamp[back] = l->stamped;
			l->touched[l->ntouched++] = back;
		}
	}
}

/* Finds one more path from `s` to `to` that is disjoint from those found so far (an augmenting path); returns false if
 * there is none. Recursive: the path may use channels of earlier paths in the opposite direction, which cancels them,
 * and visits each switch once. Channels have the numbers that they have at the end nearer to the source. */
static bool one_more(struct look *l, topo_switch s, topo_switch to)
{
	const struct topo_graph *g = l->graph;
	if (s == to)
		return true;
	l->visited[s] = l->visits;
	for (size_t i = g->first[s]; i < g->first[s + 1]; i++) {
		topo_switch next = g->to[i];
		if (l->distance[next] != l->distance[s] + 1 || l->used[i] || l->stamp[next] != l->stamped ||
		    l->visited[next] == l->visits)
			continue;
		if (one_more(l, next, to)) {
			l->used[i] = 1;
			return true;
		}
	}
	for (size_t i = g->first[s]; i < g->first[s + 1]; i++) {
		topo_switch back = g->to[i];
		if (l->distance[back] + 1 != l->distance[s] || l->stamp[back] != l->stamped ||
		    l->visited[back] == l->visits)
			continue;
		for (size_t k = g->first[back]; k < g->first[back + 1]; k++) {
			if (g->to[k] != s || !l->used[k])
				continue;
			if (one_more(l, back, to)) {
				l->used[k] = 0;
				return true;
			}
			break;
		}
	}
	return false;
}

static uint32_t disjoint(struct look *l, topo_switch from, topo_switch to)
{
	uint32_t found = 0;
	mark_paths(l, to);
	for (l->visits++; one_more(l, from, to); l->visits++)
		found++;
	for (uint32_t k = 0; k < l->ntouched; k++)
		memset(l->used + l->graph->first[l->touched[k]], 0,
		       l->graph->first[l->touched[k] + 1] - l->graph->first[l->touched[k]]);
	return found;
}

/* --- all pairs ------------------------------------------------------------------------------------------- */

struct from {
	topo_switch at;
	double weight; /* number of switches that it represents */
};

/* Sources that represent all switches with endpoints. */
static uint32_t list_sources(const struct topo *topo, struct from **out)
{
	struct topo_orbit *orbit = base_calloc(MOST_ORBITS, sizeof *orbit);
	size_t orbits = topo->ops->orbits ? topo->ops->orbits(topo, orbit, MOST_ORBITS) : 0;
	uint32_t n = 0, most = orbits ? (uint32_t)orbits : topo->switches;
	*out = base_calloc(most, sizeof **out);
	for (uint32_t i = 0; i < most; i++) {
		topo_switch s = orbits ? orbit[i].representative : i;
		if (topo_endpoints_at(topo, s))
			(*out)[n++] = (struct from){ s, orbits ? orbit[i].size : 1 };
	}
	free(orbit);
	return n;
}

static void open_look(struct look *l, const struct topo *topo, const struct topo_graph *graph)
{
	*l = (struct look){ .topo = topo, .graph = graph };
	l->distance = base_calloc(graph->n, sizeof *l->distance);
	l->queue = base_calloc(graph->n, sizeof *l->queue);
	l->paths = base_calloc(graph->n, sizeof *l->paths);
	l->used = base_calloc(graph->first[graph->n] + 1, 1);
	l->stamp = base_calloc(graph->n, sizeof *l->stamp);
	l->visited = base_calloc(graph->n, sizeof *l->visited);
	l->touched = base_calloc(graph->n, sizeof *l->touched);
}

static void close_look(struct look *l)
{
	free(l->distance);
	free(l->queue);
	free(l->paths);
	free(l->used);
	free(l->stamp);
	free(l->visited);
	free(l->touched);
}

struct diversity_sums {
	double pairs, paths, hops, disjoint, disjoint_weight;
};

static void note_disjoint(struct look *l, const struct from *from, topo_switch to, struct diversity_sums *sum,
                          struct topo_diversity *out)
{
	uint32_t n = disjoint(l, from->at, to);
	sum->disjoint += from->weight * n;
	sum->disjoint_weight += from->weight;
	out->disjoint_min = !out->disjoint_pairs || n < out->disjoint_min ? n : out->disjoint_min;
	out->disjoint_pairs++;
}

static void note_source(struct look *l, const struct from *from, struct diversity_sums *sum, struct topo_diversity *out)
{
	const struct topo *topo = l->topo;
	for (topo_switch d = 0; d < topo->switches; d++) {
		uint32_t p = topo_endpoints_at(topo, d);
		if (!p || d == from->at)
			continue;
		sum->pairs += from->weight;
		sum->paths += from->weight * l->paths[d];
		sum->hops += from->weight * topo_endpoints_at(topo, from->at) * p * l->distance[d];
		out->paths_min = out->paths_min == 0 ? l->paths[d] : fmin(out->paths_min, l->paths[d]);
		if (!out->disjoint_sampled)
			note_disjoint(l, from, d, sum, out);
	}
}

/* `n` random destinations of one source. */
static void sample(struct look *l, const struct from *from, uint32_t source, uint32_t n, struct diversity_sums *sum,
                   struct topo_diversity *out)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t bits = sim_draw4(0, source, i, SIM_DRAW_MODEL, 0).v[0];
		topo_switch d = topo_switch_of(l->topo, sim_below(bits, l->topo->endpoints));
		if (d != from->at)
			note_disjoint(l, from, d, sum, out);
	}
}

int topo_diversity(const struct topo *topo, const struct topo_graph *graph, struct topo_diversity *out,
                   const char **why)
{
	struct from *from;
	struct look look;
	struct diversity_sums sum = { 0 };
	uint32_t sources = list_sources(topo, &from);
	int status = 0;
	*out = (struct topo_diversity){ 0 };
	*why = "the network is too large to examine all pairs of switches";
	if (sources < 1 || topo->endpoints < 2 || sources * (graph->first[graph->n] + graph->n) > MOST_STEPS / 4) {
		free(from);
		return -1;
	}
	uint64_t pairs = (uint64_t)sources * (topo->switches - topo->bare);
	out->disjoint_sampled = pairs > MOST_PAIRS;
	open_look(&look, topo, graph);
	for (uint32_t i = 0; i < sources && !status; i++) {
		if (topo_bfs(graph, from[i].at, look.distance, look.queue) < graph->n) {
			*why = "the graph is not connected";
			status = -1;
			break;
		}
		count_paths(&look, from[i].at);
		note_source(&look, &from[i], &sum, out);
		if (out->disjoint_sampled)
			sample(&look, &from[i], i, MOST_PAIRS / sources + 1, &sum, out);
	}
	close_look(&look);
	free(from);
	if (status)
		return status;
	*why = NULL;
	out->mean_hops = sum.hops / ((double)topo->endpoints * (topo->endpoints - 1.0));
	out->paths_mean = sum.pairs > 0 ? sum.paths / sum.pairs : 0;
	out->disjoint_mean = sum.disjoint_weight > 0 ? sum.disjoint / sum.disjoint_weight : 0;
	return 0;
}

/* --- bounds for every routing ---------------------------------------------------------------------------- */

/* The least number of endpoints that the smaller half of a cut by topo_bisect() can have: the halves have equally many
 * endpoints, or differ by at most those of one switch. */
static double smaller_half(const struct topo *topo)
{
	uint32_t loaded = 0;
	bool alike = true;
	for (topo_switch s = 0; s < topo->switches; s++) {
		uint32_t p = topo_endpoints_at(topo, s);
		loaded += p > 0;
		alike = alike && (p == 0 || p == topo->max_endpoints);
	}
	double apart = alike && loaded % 2 == 0 ? 0 : topo->max_endpoints;
	return (topo->endpoints - apart) / 2;
}

static void limit_by_switches(const struct topo *topo, const double *rate, double *all, struct topo_limits *out)
{
	double n = topo->endpoints;
	for (topo_switch s = 0; s < topo->switches; s++) {
		double here = 0, p = topo_endpoints_at(topo, s);
		for (topo_port port = 0; port < topo_ports(topo, s); port++)
			here += rate[topo_peer(topo, s, port).link_class];
		*all += here;
		if (p == 0 || p == n)
			continue;
		out->by_switch = fmin(out->by_switch, here * (n - 1) / (p * (n - p)));
		out->permutation_by_switch = fmin(out->permutation_by_switch, here / fmin(p, n - p));
	}
}

void topo_limits(const struct topo *topo, const struct topo_graph *graph, double mean_hops, const double *rate,
                 struct topo_limits *out)
{
	double n = topo->endpoints, all = 0, fastest = 0;
	*out = (struct topo_limits){ INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, -1, NULL };
	limit_by_switches(topo, rate, &all, out);
	if (mean_hops > 0)
		out->by_hops = all / (n * mean_hops);
	for (int k = 0; k < topo->link_classes; k++)
		fastest = fmax(fastest, rate[k]);
	uint32_t *weight = base_calloc(topo->switches, sizeof *weight);
	for (topo_switch s = 0; s < topo->switches; s++)
		weight[s] = topo_endpoints_at(topo, s);
	out->cut = topo_bisect(graph, weight, &out->cut_how);
	free(weight);
	double half = smaller_half(topo), capacity = (double)out->cut * fastest;
	if (out->cut < 0 || half <= 0)
		return;
	out->by_cut = capacity * (n - 1) / (half * (n - half));
	out->permutation_by_cut = capacity / half;
}

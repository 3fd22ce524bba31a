/* topo/search.c - adjacency lists, distances and girth; see search.h */
#include "topo/search.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define BUDGET UINT64_C(10000000000) /* steps of 0.1 to 1 ns each */

void topo_graph_of(struct topo_graph *graph, const struct topo *topo)
{
	graph->n = topo->switches;
	graph->first = base_calloc((size_t)graph->n + 1, sizeof *graph->first);
	for (topo_switch s = 0; s < graph->n; s++)
		graph->first[s + 1] = graph->first[s] + topo_ports(topo, s);
	graph->to = base_calloc(graph->first[graph->n], sizeof *graph->to);
	for (topo_switch s = 0; s < graph->n; s++)
		for (size_t i = graph->first[s]; i < graph->first[s + 1]; i++)
			graph->to[i] = topo_peer(topo, s, (topo_port)(i - graph->first[s])).to;
}

void topo_graph_free(struct topo_graph *graph)
{
	free(graph->first);
	free(graph->to);
	*graph = (struct topo_graph){ 0 };
}

uint32_t topo_bfs(const struct topo_graph *graph, topo_switch from, uint32_t *distance, topo_switch *queue)
{
	memset(distance, 0xff, graph->n * sizeof *distance);
	uint32_t head = 0, tail = 0;
	distance[from] = 0;
	queue[tail++] = from;
	while (head < tail) {
		topo_switch s = queue[head++];
		for (size_t i = graph->first[s]; i < graph->first[s + 1]; i++)
			if (distance[graph->to[i]] == UINT32_MAX) {
				distance[graph->to[i]] = distance[s] + 1;
				queue[tail++] = graph->to[i];
			}
	}
	return tail;
}

static int distances_by_orbit(const struct topo_graph *graph, const struct topo_orbit *orbits, size_t norbits,
                              int *diameter, uint64_t *sum)
{
	uint32_t *distance = base_calloc(graph->n, sizeof *distance);
	topo_switch *queue = base_calloc(graph->n, sizeof *queue);
	int status = 0;
	for (size_t o = 0; o < norbits; o++) {
		uint64_t here = 0;
		if (topo_bfs(graph, orbits[o].representative, distance, queue) < graph->n) {
			status = -1;
			break;
		}
		for (uint32_t s = 0; s < graph->n; s++) {
			here += distance[s];
			*diameter = (int)distance[s] > *diameter ? (int)distance[s] : *diameter;
		}
		*sum += here * orbits[o].size;
	}
	free(distance);
	free(queue);
	return status;
}

/* --- breadth-first search from many switches at once ----------------------------------------------------- */

#define WORDS 4
#define BATCH (64 * WORDS)

struct lanes {
	uint64_t w[WORDS]; /* one bit per source */
};

static inline uint32_t lanes_count(const struct lanes *l)
{
	uint32_t n = 0;
	for (int i = 0; i < WORDS; i++)
		n += (uint32_t)__builtin_popcountll(l->w[i]);
	return n;
}

/* One level of a breadth-first search from many sources at once: next[v] becomes the set of sources from which v is
 * reached for the first time. Returns the number of new pairs (source, v). */
static uint64_t spread(const struct topo_graph *graph, const struct lanes *frontier, struct lanes *seen,
                       struct lanes *next, uint32_t sources, uint64_t *steps)
{
	uint64_t found = 0;
	for (uint32_t v = 0; v < graph->n; v++) {
		struct lanes fresh = { { 0 } };
		if (lanes_count(&seen[v]) < sources) {
			for (size_t i = graph->first[v]; i < graph->first[v + 1]; i++)
				for (int j = 0; j < WORDS; j++)
					fresh.w[j] |= frontier[graph->to[i]].w[j];
			for (int j = 0; j < WORDS; j++) {
				fresh.w[j] &= ~seen[v].w[j];
				seen[v].w[j] |= fresh.w[j];
			}
			found += lanes_count(&fresh);
			*steps += graph->first[v + 1] - graph->first[v];
		}
		next[v] = fresh;
	}
	return found;
}

/* Stores the distance `level` for all bits of one level: the row of v is contiguous in the sources. */
static void note_level(const struct topo_graph *graph, const struct lanes *fresh, uint32_t base, int level,
                       uint8_t *table)
{
	for (uint32_t v = 0; v < graph->n; v++)
		for (uint32_t j = 0; j < WORDS; j++)
			for (uint64_t bits = fresh[v].w[j]; bits; bits &= bits - 1)
				table[(size_t)v * graph->n + base + 64 * j + (uint32_t)__builtin_ctzll(bits)] =
				    (uint8_t)level;
}

/* The same for all pairs that have no path. */
static void note_unseen(const struct topo_graph *graph, const struct lanes *seen, uint32_t base, uint32_t sources,
                        uint8_t *table)
{
	for (uint32_t v = 0; v < graph->n; v++)
		for (uint32_t j = 0; j < sources; j++)
			if (!(seen[v].w[j / 64] >> j % 64 & 1))
				table[(size_t)v * graph->n + base + j] = TOPO_FARTHEST + 1;
}

/* Handles every parts-th batch of sources, from number `part` on. */
static int distances_of_part(const struct topo_graph *graph, uint32_t part, uint32_t parts, int *diameter,
                             uint64_t *sum, uint8_t *table, bool apart)
{
	struct lanes *frontier = base_calloc(graph->n, sizeof *frontier);
	struct lanes *next = base_calloc(graph->n, sizeof *next);
	struct lanes *seen = base_calloc(graph->n, sizeof *seen);
	uint64_t steps = 0;
	int status = 0;
	for (uint64_t first = (uint64_t)part * BATCH; first < graph->n && status == 0;
	     first += (uint64_t)parts * BATCH) {
		uint32_t base = (uint32_t)first, sources = graph->n - base < BATCH ? graph->n - base : BATCH;
		memset(frontier, 0, graph->n * sizeof *frontier);
		for (uint32_t i = 0; i < sources; i++)
			frontier[base + i].w[i / 64] |= UINT64_C(1) << i % 64;
		memcpy(seen, frontier, graph->n * sizeof *seen);
		uint64_t missing = (uint64_t)sources * (graph->n - 1);
		for (int level = 1; missing > 0; level++) {
			uint64_t found = spread(graph, frontier, seen, next, sources, &steps);
			steps += graph->n;
			if (found == 0 && apart) {
				note_unseen(graph, seen, base, sources, table);
				break;
			}
			if (found == 0 || (table ? level > TOPO_FARTHEST : steps > BUDGET / WORDS)) {
				status = -1;
				break;
			}
			if (table)
				note_level(graph, next, base, level, table);
			missing -= found;
			*sum += found * (uint64_t)level;
			*diameter = level > *diameter ? level : *diameter;
			struct lanes *swap = frontier;
			frontier = next;
			next = swap;
		}
	}
	free(frontier);
	free(next);
	free(seen);
	return status;
}

int topo_distances(const struct topo_graph *graph, const struct topo_orbit *orbits, size_t norbits, int *diameter,
                   uint64_t *sum)
{
	*diameter = 0;
	*sum = 0;
	if (norbits && (uint64_t)norbits * (graph->first[graph->n] + graph->n) > BUDGET / 4)
		return -1;
	return norbits ? distances_by_orbit(graph, orbits, norbits, diameter, sum)
	               : distances_of_part(graph, 0, 1, diameter, sum, NULL, false);
}

int topo_distance_table(const struct topo_graph *graph, uint32_t part, uint32_t parts, bool apart, uint8_t *table,
                        int *diameter)
{
	uint64_t sum = 0;
	*diameter = 0;
	return distances_of_part(graph, part, parts, diameter, &sum, table, apart);
}

/* --- girth ----------------------------------------------------------------------------------------------- */

static bool has_parallel(const struct topo_graph *graph)
{
	topo_switch *last = base_calloc(graph->n, sizeof *last); /* one plus the last switch that listed this one */
	bool found = false;
	for (topo_switch s = 0; s < graph->n && !found; s++)
		for (size_t i = graph->first[s]; i < graph->first[s + 1]; i++) {
			found = found || last[graph->to[i]] == s + 1;
			last[graph->to[i]] = s + 1;
		}
	free(last);
	return found;
}

struct girth_search {
	const struct topo_graph *graph;
	uint32_t *distance, *parent, *stamp; /* valid where stamp == the root's number plus one */
	topo_switch *queue;
	uint32_t best;
	uint64_t steps;
};

/* Sets g->best to the length of the shortest cycle that an edge closes with the breadth-first tree from `root`, if that
 * is less than g->best. The result is exact if root is on a shortest cycle of the graph. */
static void girth_from(struct girth_search *g, topo_switch root)
{
	uint32_t head = 0, tail = 0;
	g->stamp[root] = root + 1;
	g->distance[root] = 0;
	g->parent[root] = root;
	g->queue[tail++] = root;
	while (head < tail) {
		topo_switch s = g->queue[head++];
		if (2 * g->distance[s] + 1 >= g->best)
			return;
		g->steps += g->graph->first[s + 1] - g->graph->first[s];
		for (size_t i = g->graph->first[s]; i < g->graph->first[s + 1]; i++) {
			topo_switch v = g->graph->to[i];
			if (g->stamp[v] != root + 1) {
				g->stamp[v] = root + 1;
				g->distance[v] = g->distance[s] + 1;
				g->parent[v] = s;
				g->queue[tail++] = v;
			} else if (v != g->parent[s] && g->distance[s] + g->distance[v] + 1 < g->best) {
				g->best = g->distance[s] + g->distance[v] + 1;
			}
		}
	}
}

int topo_girth(const struct topo_graph *graph, const struct topo_orbit *orbits, size_t norbits)
{
	if (has_parallel(graph))
		return 2;
	if (graph->first[graph->n] / 2 < graph->n)
		return 0; /* connected, with n - 1 cables: a tree */
	struct girth_search g = { .graph = graph, .best = UINT32_MAX };
	g.distance = base_calloc(graph->n, sizeof *g.distance);
	g.parent = base_calloc(graph->n, sizeof *g.parent);
	g.stamp = base_calloc(graph->n, sizeof *g.stamp);
	g.queue = base_calloc(graph->n, sizeof *g.queue);
	size_t roots = norbits ? norbits : graph->n;
	for (size_t i = 0; i < roots && g.best > 3 && g.steps < BUDGET / 4; i++)
		girth_from(&g, norbits ? orbits[i].representative : (topo_switch)i);
	free(g.distance);
	free(g.parent);
	free(g.stamp);
	free(g.queue);
	return g.best > 3 && g.steps >= BUDGET / 4 ? -1 : (int)g.best;
}

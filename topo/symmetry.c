/* topo/symmetry.c - see symmetry.h
 *
 * Classes are trees (union-find): class[i] is i or a smaller member, and the smallest member represents its class. */
#include "topo/symmetry.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t first_of(size_t *class, size_t i)
{
	while (class[i] != i)
		i = class[i] = class[class[i]];
	return i;
}

static void unite(size_t *class, size_t a, size_t b)
{
	a = first_of(class, a);
	b = first_of(class, b);
	class[a > b ? a : b] = a > b ? b : a;
}

static size_t *single_classes(size_t n)
{
	size_t *class = base_calloc(n + 1, sizeof *class);
	for (size_t i = 0; i < n; i++)
		class[i] = i;
	return class;
}

/* The channel from a to b; SIZE_MAX: none. */
static size_t channel_of(const struct topo_graph *g, topo_switch a, topo_switch b)
{
	for (size_t i = g->first[a]; i < g->first[a + 1]; i++)
		if (g->to[i] == b)
			return i;
	return SIZE_MAX;
}

/* Unites elements that a map takes to each other. */
static int apply(const struct topo_graph *g, const topo_switch *map, size_t *sw, size_t *channel)
{
	for (topo_switch s = 0; s < g->n; s++) {
		unite(sw, s, map[s]);
		for (size_t i = g->first[s]; i < g->first[s + 1]; i++) {
			size_t there = channel_of(g, map[s], map[g->to[i]]);
			if (there == SIZE_MAX)
				return -1;
			unite(channel, i, there);
		}
	}
	return 0;
}

struct flows {
	uint32_t *distance, *ways; /* number of ports that lead nearer */
	topo_switch *queue;
	double *flow; /* flow leaving a switch */
};

/* Finds the distance of every switch to `to` and the number of its ports that lead nearer to it. Returns the number of
 * switches reached, which f->queue lists in order of distance. */
static uint32_t look_from(const struct topo_graph *g, topo_switch to, struct flows *f)
{
	uint32_t head = 0, tail = 0;
	memset(f->distance, 0xff, g->n * sizeof *f->distance);
	f->distance[to] = 0;
	f->queue[tail++] = to;
	while (head < tail) {
		topo_switch s = f->queue[head++];
		uint32_t next = f->distance[s] + 1;
		for (size_t k = g->first[s]; k < g->first[s + 1]; k++) {
			topo_switch t = g->to[k];
			if (f->distance[t] == UINT32_MAX) {
				f->distance[t] = next;
				f->ways[t] = 0;
				f->queue[tail++] = t;
			}
			f->ways[t] += f->distance[t] == next;
		}
	}
	return tail;
}

/* Adds to each channel its load by flows to one destination, times a weight. */
static int send_to(const struct topo_graph *g, topo_switch to, double weight, struct flows *f, double *load)
{
	if (look_from(g, to, f) != g->n)
		return -1;
	for (topo_switch s = 0; s < g->n; s++)
		f->flow[s] = weight;
	for (uint32_t i = g->n; i-- > 1;) { /* the first is the destination */
		topo_switch s = f->queue[i];
		uint32_t next = f->distance[s] - 1;
		double share = f->flow[s] / f->ways[s];
		if (f->ways[s] > TOPO_MAX_NEXT)
			return -1;
		for (size_t k = g->first[s]; k < g->first[s + 1]; k++) {
			if (f->distance[g->to[k]] != next)
				continue;
			load[k] += share;
			f->flow[g->to[k]] += share;
		}
	}
	return 0;
}

double topo_pair_load(const struct topo_graph *g, topo_switch *const *map, size_t maps)
{
	size_t channels = g->first[g->n], *sw = single_classes(g->n), *channel = single_classes(channels);
	double *load = base_calloc(channels + 1, sizeof *load), *sum = base_calloc(channels + 1, sizeof *sum),
	       *members = base_calloc(channels + 1, sizeof *members);
	double *weight = base_calloc((size_t)g->n + 1, sizeof *weight), most = 0;
	struct flows f = { base_calloc(g->n, sizeof *f.distance), base_calloc(g->n, sizeof *f.ways),
		           base_calloc(g->n, sizeof *f.queue), base_calloc(g->n, sizeof *f.flow) };
	int status = 0;
	for (size_t i = 0; i < maps && !status; i++)
		status = apply(g, map[i], sw, channel);
	for (topo_switch s = 0; s < g->n; s++)
		weight[first_of(sw, s)]++;
	for (topo_switch s = 0; s < g->n && !status; s++)
		if (weight[s] > 0)
			status = send_to(g, s, weight[s], &f, load);
	for (size_t i = 0; i < channels; i++) {
		size_t k = first_of(channel, i);
		sum[k] += load[i];
		members[k]++;
	}
	for (size_t i = 0; i < channels; i++)
		most = members[i] > 0 ? fmax(most, sum[i] / members[i]) : most;
	free(sw);
	free(channel);
	free(load);
	free(sum);
	free(members);
	free(weight);
	free(f.distance);
	free(f.ways);
	free(f.queue);
	free(f.flow);
	return status ? -1 : most;
}

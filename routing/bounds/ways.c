/* routing/bounds/ways.c - see ways.h */
#include "routing/bounds/ways.h"

#include "base/check.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define MOST_HOPS 255u /* of a leg */

/* Only next() of topologies with groups counts hops; plug-ins may on any topology. */
static uint32_t layers_of(const struct topo *topo, enum rt_split split)
{
	bool counts = topo->vc_rule == TOPO_VC_GROUPS || (topo->vc_rule == TOPO_VC_HOP && topo->said);
	return split == RT_SPLIT_ROUTING && counts && !topo->ops->run ? topo->ops->max_distance(topo) + 2 : 1;
}

void rt_ways_open(struct rt_ways *w, const struct topo *topo, const struct topo_graph *graph, enum rt_split split)
{
	*w = (struct rt_ways){ .topo = topo, .graph = graph, .split = split, .layers = layers_of(topo, split) };
	w->states_cap = w->layers * graph->n;
	w->at = base_calloc(w->states_cap, sizeof *w->at);
	w->starts = base_calloc(w->states_cap, sizeof *w->starts);
	w->first = base_calloc((size_t)w->states_cap + 1, sizeof *w->first);
	w->in_first = base_calloc((size_t)w->states_cap + 2, sizeof *w->in_first);
	w->state_of = base_calloc(w->states_cap, sizeof *w->state_of);
	w->stamp = base_calloc(w->states_cap, sizeof *w->stamp);
	w->value = base_calloc(w->states_cap, sizeof *w->value);
	w->reached = base_calloc(w->states_cap, sizeof *w->reached);
	if (split == RT_SPLIT_ROUTING)
		return;
	w->distance = base_calloc(graph->n, sizeof *w->distance);
	w->paths = base_calloc(graph->n, sizeof *w->paths);
	w->queue = base_calloc(graph->n, sizeof *w->queue);
}

void rt_ways_close(struct rt_ways *w)
{
	free(w->at);
	free(w->starts);
	free(w->first);
	free(w->hop);
	free(w->in_first);
	free(w->in_from);
	free(w->state_of);
	free(w->stamp);
	free(w->value);
	free(w->reached);
	free(w->distance);
	free(w->paths);
	free(w->queue);
	*w = (struct rt_ways){ 0 };
}

/* --- finding the ways ------------------------------------------------------------------------------------ */

static void add_hop(struct rt_ways *w, struct rt_way_hop hop)
{
	if (w->hops == w->hops_cap) {
		w->hops_cap = w->hops_cap ? 2 * w->hops_cap : 1024;
		w->hop = base_realloc(w->hop, w->hops_cap * sizeof *w->hop);
		w->in_from = base_realloc(w->in_from, w->hops_cap * sizeof *w->in_from);
	}
	w->hop[w->hops++] = hop;
}

static uint32_t add_state(struct rt_ways *w, uint32_t key, topo_switch at)
{
	uint32_t i = w->n++;
	w->at[i] = at;
	w->starts[i] = key < w->graph->n && topo_endpoints_at(w->topo, at) > 0;
	w->state_of[key] = i;
	w->stamp[key] = w->stamped;
	w->first[i] = w->hops;
	return i;
}

/* The ports by which minimal routing continues, as rt_next() of routing/leg.h draws them. */
static struct topo_run offered(const struct rt_ways *w, topo_switch at, unsigned leg_hops, topo_port *out)
{
	if (w->topo->ops->run)
		return w->topo->ops->run(w->topo, at, w->to);
	return (struct topo_run){ TOPO_NONE, (uint32_t)w->topo->ops->next(w->topo, at, w->to, leg_hops, out) };
}

static bool ends(const struct rt_ways *w, topo_switch s)
{
	return s == w->to || (w->to_group && topo_group(w->topo, s) == topo_group(w->topo, w->to));
}

/* Numbers the states reachable from (at, layer), then that state itself. Recursion: at most MOST_HOPS deep. */
static uint32_t explore(struct rt_ways *w, topo_switch at, unsigned layer, unsigned depth)
{
	uint32_t key = layer * w->graph->n + at;
	if (w->stamp[key] == w->stamped)
		return w->state_of[key];
	if (ends(w, at))
		return add_state(w, key, at);
	topo_port out[TOPO_MAX_NEXT];
	struct topo_run run = offered(w, at, layer, out);
	if (depth >= MOST_HOPS || run.n == 0)
		return RT_WAYS_END;
	unsigned next_layer = w->layers > 1 && layer + 1 < w->layers ? layer + 1 : layer;
	for (uint32_t i = 0; i < run.n; i++) {
		topo_port port = run.first == TOPO_NONE ? out[i] : run.first + i;
		if (explore(w, w->graph->to[w->graph->first[at] + port], next_layer, depth + 1) == RT_WAYS_END)
			return RT_WAYS_END;
	}
	uint32_t state = add_state(w, key, at);
	for (uint32_t i = 0; i < run.n; i++) {
		size_t channel = w->graph->first[at] + (run.first == TOPO_NONE ? out[i] : run.first + i);
		uint32_t to = w->state_of[next_layer * w->graph->n + w->graph->to[channel]];
		add_hop(w, (struct rt_way_hop){ .to = to, .share = 1.0 / run.n, .channel = channel });
	}
	return state;
}

static int ways_of_routing(struct rt_ways *w, topo_switch from)
{
	if (from != TOPO_NONE)
		return explore(w, from, 0, 0) == RT_WAYS_END ? -1 : 0;
	for (topo_switch s = 0; s < w->graph->n; s++)
		if (topo_endpoints_at(w->topo, s) && explore(w, s, 0, 0) == RT_WAYS_END)
			return -1;
	return 0;
}

static int ways_of_graph(struct rt_ways *w)
{
	const struct topo_graph *g = w->graph;
	uint32_t reached = topo_bfs(g, w->to, w->distance, w->queue);
	for (topo_switch s = 0; s < g->n && reached < g->n; s++)
		if (w->distance[s] == UINT32_MAX && topo_endpoints_at(w->topo, s))
			return -1;
	for (uint32_t k = 0; k < reached; k++) {
		topo_switch at = w->queue[k];
		uint32_t nearer = 0;
		add_state(w, at, at);
		w->paths[at] = at == w->to;
		for (size_t i = g->first[at]; i < g->first[at + 1]; i++)
			if (w->distance[g->to[i]] + 1 == w->distance[at]) {
				w->paths[at] += w->paths[g->to[i]];
				nearer++;
			}
		for (size_t i = g->first[at]; i < g->first[at + 1]; i++) {
			topo_switch next = g->to[i];
			if (w->distance[next] + 1 != w->distance[at])
				continue;
			double share = w->split == RT_SPLIT_PATHS ? w->paths[next] / w->paths[at] : 1.0 / nearer;
			add_hop(w, (struct rt_way_hop){ .to = w->state_of[next], .share = share, .channel = i });
		}
	}
	return 0;
}

/* Sorts the hops by target. */
static void turn_round(struct rt_ways *w)
{
	w->turned = true;
	memset(w->in_first, 0, ((size_t)w->n + 2) * sizeof *w->in_first);
	for (size_t i = 0; i < w->hops; i++)
		w->in_first[w->hop[i].to + 2]++;
	for (uint32_t i = 0; i < w->n; i++)
		w->in_first[i + 2] += w->in_first[i + 1];
	for (uint32_t from = 0; from < w->n; from++)
		for (size_t i = w->first[from]; i < w->first[from + 1]; i++) {
			base_check(w->hop[i].to < from);
			w->in_from[w->in_first[w->hop[i].to + 1]++] = from;
		}
}

static int find_ways(struct rt_ways *w, topo_switch from, topo_switch to)
{
	base_check(topo_endpoints_at(w->topo, to) > 0);
	w->to = to;
	w->n = 0;
	w->hops = 0;
	w->stamped++;
	if (w->split == RT_SPLIT_ROUTING ? ways_of_routing(w, from) : ways_of_graph(w))
		return -1;
	w->first[w->n] = w->hops;
	w->turned = false;
	return 0;
}

int rt_ways_to(struct rt_ways *w, topo_switch to)
{
	return find_ways(w, TOPO_NONE, to);
}

int rt_ways_between(struct rt_ways *w, topo_switch from, topo_switch to)
{
	return find_ways(w, from, to);
}

/* --- flows ----------------------------------------------------------------------------------------------- */

void rt_ways_load(struct rt_ways *w, const double *weight, double *load, double *end)
{
	for (uint32_t i = w->n; i-- > 0;) {
		double flow = w->value[i] + (w->starts[i] && w->at[i] != w->to ? weight[w->at[i]] : 0);
		w->value[i] = 0;
		if (flow == 0)
			continue;
		if (w->first[i] == w->first[i + 1] && end)
			end[w->at[i]] += flow;
		for (size_t k = w->first[i]; k < w->first[i + 1]; k++) {
			double share = flow * w->hop[k].share;
			load[w->hop[k].channel] += share;
			w->value[w->hop[k].to] += share;
		}
	}
}

static int by_switch(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

/* All states from which one of the states reached[0 .. n - 1] can be reached, in ascending order. */
static uint32_t upstream(struct rt_ways *w, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++) {
		uint32_t i = w->reached[k];
		for (size_t e = w->in_first[i]; e < w->in_first[i + 1]; e++) {
			uint32_t from = w->in_from[e];
			if (w->value[from] == 0) {
				w->value[from] = -1;
				w->reached[n++] = from;
			}
		}
	}
	qsort(w->reached, n, sizeof *w->reached, by_switch);
	return n;
}

uint32_t rt_ways_through(struct rt_ways *w, topo_switch tail, topo_port port, topo_switch *from, double *share)
{
	size_t channel = w->graph->first[tail] + port;
	uint32_t n = 0, found = 0;
	for (unsigned layer = 0; layer < w->layers; layer++) {
		uint32_t key = layer * w->graph->n + tail, i = w->state_of[key];
		bool takes = false;
		if (w->stamp[key] != w->stamped)
			continue;
		for (size_t k = w->first[i]; k < w->first[i + 1]; k++)
			takes = takes || w->hop[k].channel == channel;
		if (takes) {
			w->value[i] = -1; /* not computed yet */
			w->reached[n++] = i;
		}
	}
	if (n && !w->turned)
		turn_round(w);
	n = upstream(w, n);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t i = w->reached[k];
		double sum = 0;
		for (size_t e = w->first[i]; e < w->first[i + 1]; e++) {
			double beyond = w->value[w->hop[e].to];
			base_check(beyond >= 0);
			sum += w->hop[e].share * ((w->hop[e].channel == channel) + beyond);
		}
		w->value[i] = sum;
		if (w->starts[i]) {
			from[found] = w->at[i];
			share[found++] = sum;
		}
	}
	for (uint32_t k = 0; k < n; k++)
		w->value[w->reached[k]] = 0;
	return found;
}

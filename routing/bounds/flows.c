/* routing/bounds/flows.c - channel loads of an oblivious routing, computed leg by leg, under uniform traffic and for
 * one pair. See bounds.h */
#include "routing/bounds/worst.h"

#include "base/memory.h"
#include "routing/leg.h"
#include "sim/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_GRAPH ((uint64_t)64 << 20)  /* channels of a graph that is worth keeping in memory */
#define MOST_STEPS UINT64_C(30000000000) /* of a search */
#define MOST_PAIRED 4096u                /* switches with a table of pairs */

static void start_flows(struct rt_flows *f, const struct topo *topo, enum rt_split split, const double *rate)
{
	*f = (struct rt_flows){ .topo = topo, .split = split };
	for (int k = 0; k < TOPO_LINK_CLASSES; k++)
		f->rate[k] = k < topo->link_classes ? rate[k] : 1;
	topo_graph_of(&f->graph, topo);
	for (topo_switch s = 0; s < topo->switches; s++)
		f->vias += topo_endpoints_at(topo, s) > 0;
}

static void count_groups(struct rt_flows *f)
{
	f->vias = f->topo->groups;
	f->members = base_calloc(f->vias, sizeof *f->members);
	f->inhabitants = base_calloc(f->vias, sizeof *f->inhabitants);
	for (topo_switch s = 0; s < f->topo->switches; s++) {
		uint32_t p = topo_endpoints_at(f->topo, s), g = topo_group(f->topo, s);
		f->members[g] += p > 0;
		f->inhabitants[g] += p;
	}
}

void rt_flows_of_graph(struct rt_flows *f, const struct topo *topo, enum rt_split split, const double *rate)
{
	start_flows(f, topo, split, rate);
}

void rt_flows_free(struct rt_flows *f)
{
	topo_graph_free(&f->graph);
	free(f->members);
	free(f->inhabitants);
	*f = (struct rt_flows){ 0 };
}

/* Do the assumed flows agree with ops->route()? */
static int compare_with_route(struct rt_flows *f, const struct rt *rt, uint32_t pairs, uint64_t seed, const char **why)
{
	size_t channels = f->graph.first[f->graph.n];
	double *said = base_calloc(channels, sizeof *said), *walked = base_calloc(channels, sizeof *walked);
	int status = 0;
	for (uint32_t i = 0; i < pairs && !status; i++) {
		struct sim_draw draw = sim_draw4(seed, 0, i, SIM_DRAW_MODEL, 0);
		topo_switch s = topo_switch_of(f->topo, sim_below(draw.v[0], f->topo->endpoints));
		topo_switch d = topo_switch_of(f->topo, sim_below(draw.v[1], f->topo->endpoints));
		if (s == d)
			continue;
		memset(said, 0, channels * sizeof *said);
		memset(walked, 0, channels * sizeof *walked);
		rt_pair_loads(f, s, d, said);
		status = rt_walk_loads(rt, &f->graph, s, d, walked);
		if (status > 0)
			continue;
		for (size_t k = 0; k < channels && !status; k++)
			status = fabs(said[k] - walked[k]) > 1e-9 ? -1 : 0;
		f->compared += status == 0;
	}
	status = status < 0;
	if (status)
		*why = "this routing takes other paths than the topology's minimal routing, or than Valiant's "
		       "algorithm over it";
	free(said);
	free(walked);
	return status;
}

int rt_flows_of_routing(struct rt_flows *f, const struct rt *rt, const double *rate, uint32_t pairs, uint64_t seed,
                        const char **why)
{
	const struct topo *topo = rt->topo;
	const struct rt_common *c = rt->common;
	*f = (struct rt_flows){ 0 };
	*why = NULL;
	if (topo->no_routes) {
		*why = topo->no_routes;
		return -1;
	}
	if (rt->ops->wants_queues || rt->ops->wants_published || rt->ops->wants_neighbours) {
		*why = "this routing is adaptive: its loads depend on the queues";
		return -1;
	}
	if (rt->no_split || rt->own_routes) {
		*why = rt->no_split ? rt->no_split : rt->own_routes;
		return -1;
	}
	enum rt_legs legs = rt->ops->legs ? rt->ops->legs(rt) : RT_LEGS_UNKNOWN;
	if (!c || legs == RT_LEGS_UNKNOWN) {
		*why = "this routing does not state that it uses legs of the topology's minimal routing";
		return -1;
	}
	start_flows(f, topo, RT_SPLIT_ROUTING, rate);
	if (legs != RT_LEGS_ONE && c->vias > 2)
		f->spread = !c->by_group   ? RT_SPREAD_BY_SWITCH
		            : c->via_group ? RT_SPREAD_BY_GROUP
		                           : RT_SPREAD_BY_REMOTE;
	if (f->spread >= RT_SPREAD_BY_REMOTE)
		count_groups(f);
	for (uint32_t g = 0; f->members && g < f->vias; g++)
		if (!f->members[g])
			*why = "a group has no endpoints";
	for (topo_switch s = 0; s < topo->switches && f->spread == RT_SPREAD_BY_GROUP; s++)
		if (!topo_endpoints_at(topo, s))
			*why = "second legs may start at switches without endpoints";
	if (*why || compare_with_route(f, rt, pairs, seed, why)) {
		rt_flows_free(f);
		return -1;
	}
	return 0;
}

bool rt_goes_by_via(const struct rt_flows *f, topo_switch s, topo_switch d)
{
	if (f->spread == RT_SPREAD_MINIMAL)
		return false;
	return f->spread == RT_SPREAD_BY_SWITCH || topo_group(f->topo, s) != topo_group(f->topo, d);
}

/* --- entry of first legs into a group -------------------------------------------------------------------- */

struct entries {
	struct rt_entry *v;
	size_t n, cap;
};

static void add_entry(struct entries *e, struct rt_entry entry)
{
	if (e->n == e->cap) {
		e->cap = e->cap ? 2 * e->cap : 1024;
		e->v = base_realloc(e->v, e->cap * sizeof *e->v);
	}
	e->v[e->n++] = entry;
}

static int by_place(const void *a, const void *b)
{
	const struct rt_entry *x = a, *y = b;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

static void merge_entries(struct entries *e)
{
	size_t n = 0;
	qsort(e->v, e->n, sizeof *e->v, by_place);
	for (size_t i = 0; i < e->n; i++)
		if (n && e->v[n - 1].at == e->v[i].at && e->v[n - 1].from == e->v[i].from)
			e->v[n - 1].share += e->v[i].share;
		else
			e->v[n++] = e->v[i];
	e->n = n;
}

struct rt_entry *rt_entries(const struct rt_flows *f, size_t **first)
{
	struct entries all = { 0 };
	uint32_t n = f->graph.n;
	struct rt_ways w;
	double *weight = base_calloc(n, sizeof *weight), *end = base_calloc(n, sizeof *end);
	double *load = base_calloc(f->graph.first[n], sizeof *load);
	rt_ways_open(&w, f->topo, &f->graph, f->split);
	w.to_group = true;
	for (topo_switch via = 0; via < n; via++) {
		uint32_t group = topo_group(f->topo, via);
		if (!topo_endpoints_at(f->topo, via) || rt_ways_to(&w, via))
			continue;
		for (topo_switch s = 0; s < n; s++) {
			if (!topo_endpoints_at(f->topo, s) || topo_group(f->topo, s) == group)
				continue;
			weight[s] = 1;
			rt_ways_load(&w, weight, load, end);
			weight[s] = 0;
			for (uint32_t i = 0; i < w.n; i++) {
				topo_switch at = w.at[i];
				if (end[at] > 0)
					add_entry(&all, (struct rt_entry){ s, at, group, end[at] / f->members[group] });
				end[at] = 0;
			}
		}
	}
	rt_ways_close(&w);
	free(weight);
	free(end);
	free(load);
	merge_entries(&all);
	*first = base_calloc((size_t)n + 1, sizeof **first);
	for (size_t i = 0; i < all.n; i++)
		(*first)[all.v[i].at + 1]++;
	for (uint32_t s = 0; s < n; s++)
		(*first)[s + 1] += (*first)[s];
	return all.v ? all.v : base_calloc(1, sizeof *all.v);
}

/* --- uniform traffic ------------------------------------------------------------------------------------- */

/* Traffic that travels on a leg from switch a to switch b, both with endpoints, when every endpoint sends one unit
 * uniformly to all others. For intermediates by group, second legs are not included. */
static double demand(const struct rt_flows *f, topo_switch a, topo_switch b)
{
	const struct topo *t = f->topo;
	double n = t->endpoints, p = topo_endpoints_at(t, a), r = topo_endpoints_at(t, b), v = f->vias;
	if (!rt_goes_by_via(f, a, b))
		return p * r / (n - 1);
	if (f->spread == RT_SPREAD_BY_SWITCH)
		return (p + r) * (n - p - r) / ((n - 1) * (v - 2));
	uint32_t ga = topo_group(t, a), gb = topo_group(t, b);
	double others = (n - f->inhabitants[ga] - f->inhabitants[gb]) / ((n - 1) * (v - 2));
	return others * (p / f->members[gb] + r / f->members[ga]);
}

/* by_group: second legs, [at * n + d]. */
static double *second_legs(const struct rt_flows *f)
{
	const struct topo *t = f->topo;
	uint32_t n = f->graph.n;
	double *flow = base_calloc((size_t)n * n, sizeof *flow);
	double *from = base_calloc(f->vias, sizeof *from); /* flow entering at one switch, by the source's group */
	size_t *first;
	struct rt_entry *entry = rt_entries(f, &first);
	for (topo_switch at = 0; at < n; at++) {
		double all = 0;
		memset(from, 0, f->vias * sizeof *from);
		for (size_t i = first[at]; i < first[at + 1]; i++) {
			double here = topo_endpoints_at(t, entry[i].from) * entry[i].share / (f->vias - 2.0);
			from[topo_group(t, entry[i].from)] += here;
			all += here;
		}
		for (topo_switch d = 0; d < n && all > 0; d++)
			if (topo_group(t, d) != topo_group(t, at))
				flow[(size_t)at * n + d] =
				    (all - from[topo_group(t, d)]) * topo_endpoints_at(t, d) / (t->endpoints - 1.0);
	}
	free(from);
	free(entry);
	free(first);
	return flow;
}

/* First legs by a group, which end at its entry; demand() counts second legs, which start at random switches. */
static double first_leg(const struct rt_flows *f, topo_switch s, topo_switch via)
{
	const struct topo *t = f->topo;
	uint32_t from = topo_group(t, s), group = topo_group(t, via);
	double others = (t->endpoints - (double)f->inhabitants[from] - f->inhabitants[group]) /
	                ((t->endpoints - 1.0) * (f->vias - 2.0));
	return topo_endpoints_at(t, s) * others / f->members[group];
}

static bool affordable(const struct rt_flows *f, const char **why)
{
	uint64_t n = f->topo->switches;
	*why = "the network is too large to compute all its flows";
	if (f->graph.first[n] > MOST_GRAPH || n * f->vias > MOST_STEPS / 200)
		return false;
	if (f->split != RT_SPLIT_ROUTING && n * f->graph.first[n] > MOST_STEPS / 10)
		return false;
	if (f->spread >= RT_SPREAD_BY_REMOTE && n > MOST_PAIRED)
		return false;
	*why = NULL;
	return true;
}

static int load_legs(const struct rt_flows *f, struct rt_ways *w, double *load, const double *second, bool to_group)
{
	uint32_t n = f->graph.n;
	double *weight = base_calloc(n, sizeof *weight);
	int status = 0;
	w->to_group = to_group;
	for (topo_switch to = 0; to < n && !status; to++) {
		if (!topo_endpoints_at(f->topo, to))
			continue;
		for (topo_switch s = 0; s < n; s++) {
			bool flows = s != to && topo_endpoints_at(f->topo, s) > 0;
			bool via = flows && rt_goes_by_via(f, s, to);
			if (!flows)
				weight[s] = 0;
			else if (to_group)
				weight[s] = via ? first_leg(f, s, to) : 0;
			else if (second && via)
				weight[s] = second[(size_t)s * n + to];
			else
				weight[s] = demand(f, s, to);
		}
		status = rt_ways_to(w, to);
		if (!status)
			rt_ways_load(w, weight, load, NULL);
	}
	free(weight);
	return status;
}

int rt_uniform_loads(const struct rt_flows *f, double *load, const char **why)
{
	struct rt_ways w;
	int status;
	if (f->topo->endpoints < 2) {
		*why = "there are no two endpoints";
		return -1;
	}
	if (!affordable(f, why))
		return -1;
	memset(load, 0, f->graph.first[f->graph.n] * sizeof *load);
	rt_ways_open(&w, f->topo, &f->graph, f->split);
	if (f->spread == RT_SPREAD_BY_GROUP) {
		double *second = second_legs(f);
		status = load_legs(f, &w, load, second, false) || load_legs(f, &w, load, NULL, true);
		free(second);
	} else {
		status = load_legs(f, &w, load, NULL, false);
	}
	rt_ways_close(&w);
	if (status)
		*why = RT_NO_WAY;
	return status ? -1 : 0;
}

/* --- one pair -------------------------------------------------------------------------------------------- */

static void add_leg(struct rt_ways *w, double *weight, topo_switch from, topo_switch to, double flow, double *load,
                    double *end)
{
	if (from == to || rt_ways_between(w, from, to))
		return;
	weight[from] = flow;
	rt_ways_load(w, weight, load, end);
	weight[from] = 0;
}

/* By every possible intermediate switch. */
static void by_switches(const struct rt_flows *f, struct rt_ways *w, double *weight, topo_switch s, topo_switch d,
                        double *load)
{
	const struct topo *t = f->topo;
	bool groups = f->spread != RT_SPREAD_BY_SWITCH;
	for (topo_switch via = 0; via < t->switches; via++) {
		uint32_t g = groups ? topo_group(t, via) : 0;
		bool ours = via == s || via == d || (groups && (g == topo_group(t, s) || g == topo_group(t, d)));
		if (ours || !topo_endpoints_at(t, via))
			continue;
		double share = 1.0 / (f->vias - 2.0) / (groups ? f->members[g] : 1);
		add_leg(w, weight, s, via, share, load, NULL);
		add_leg(w, weight, via, d, share, load, NULL);
	}
}

static void by_groups(const struct rt_flows *f, struct rt_ways *w, double *weight, topo_switch s, topo_switch d,
                      double *load)
{
	const struct topo *t = f->topo;
	double *end = base_calloc(t->switches, sizeof *end);
	w->to_group = true;
	for (topo_switch via = 0; via < t->switches; via++) {
		uint32_t g = topo_group(t, via);
		if (topo_endpoints_at(t, via) && g != topo_group(t, s) && g != topo_group(t, d))
			add_leg(w, weight, s, via, 1.0 / (f->vias - 2.0) / f->members[g], load, end);
	}
	w->to_group = false;
	if (!rt_ways_to(w, d))
		rt_ways_load(w, end, load, NULL);
	free(end);
}

void rt_pair_loads(const struct rt_flows *f, topo_switch s, topo_switch d, double *load)
{
	struct rt_ways w;
	double *weight = base_calloc(f->graph.n, sizeof *weight);
	rt_ways_open(&w, f->topo, &f->graph, f->split);
	if (s == d) {
	} else if (!rt_goes_by_via(f, s, d)) {
		add_leg(&w, weight, s, d, 1, load, NULL);
	} else if (f->spread == RT_SPREAD_BY_GROUP) {
		by_groups(f, &w, weight, s, d, load);
	} else {
		by_switches(f, &w, weight, s, d, load);
	}
	rt_ways_close(&w);
	free(weight);
}

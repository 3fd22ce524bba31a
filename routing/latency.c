/* routing/latency.c - routes of least latency. A route's latency is the sum of the latencies of its cables and of a
 * constant time for each hop; among routes of equal latency those with the fewest hops are used, and among several of
 * these a random one.
 *
 * A table of next hops (routes.h), made by a search from every destination (Dijkstra, A note on two problems in
 * connexion with graphs, Numerische Mathematik 1, 1959) when the network is built. Each hop brings a packet nearer to
 * its destination in (latency, hops), so no route goes in circles. Such routes follow no rank of links, so by default
 * their VC is the number of hops taken, which rises with every hop and thus proves freedom from deadlock. With vc =
 * "rule" the VC follows the topology's rule for minimal routes, if the deadlock proof succeeds with that. */
#include "base/memory.h"
#include "routing/routes.h"

#include <stdlib.h>

enum { CHOOSE_BY_PACKET, CHOOSE_BY_FLOW };

struct latency_params {
	uint64_t hop; /* ps */
	int vc;
	int choose;
};

static const struct base_param latency_params[] = {
	{ BASE_KEY(TIME, struct latency_params, hop, "0ns"), .max = 1e12,
	  .help = "time added to a path's latency for each hop, such as the latency of a switch" },
	{ BASE_KEY(ENUM, struct latency_params, vc, "hops"), .choices = "rule|hops",
	  .help = "virtual channel. hops: the number of hops taken so far; rule: that of the topology's rule for "
	          "minimal routes; the proof of deadlock freedom rejects it if it does not suffice" },
	{ BASE_KEY(ENUM, struct latency_params, choose, "packet"), .choices = "packet|flow",
	  .help =
	      "how one of several equally good ports is chosen: at random for each packet, or by a hash of the flow "
	      "(source, destination, job)" },
	{ 0 },
};

/* A cable in one direction; costs are latencies * 2^COST_BITS + hops. */
#define COST_BITS 10
struct cable_cost {
	topo_switch to;
	topo_port port; /* at the far end */
	uint64_t cost;
};

struct heap_entry {
	uint64_t cost;
	topo_switch s;
};

/* The search from one destination. */
struct latency_search {
	const struct topo *topo;
	size_t *first; /* [switches + 1] of `cable` */
	struct cable_cost *cable;
	uint64_t *cost; /* [switches] to the destination */
	struct heap_entry *heap;
	size_t used, cap;
};

static void list_cables(struct latency_search *x, const struct rt *rt, uint64_t hop)
{
	const struct topo *t = x->topo;
	x->first = base_calloc((size_t)t->switches + 1, sizeof *x->first);
	for (topo_switch s = 0; s < t->switches; s++)
		x->first[s + 1] = x->first[s] + topo_ports(t, s);
	x->cable = base_calloc(x->first[t->switches] + 1, sizeof *x->cable);
	for (topo_switch s = 0; s < t->switches; s++)
		for (topo_port p = 0; p < topo_ports(t, s); p++) {
			struct topo_hop h = topo_peer(t, s, p);
			uint64_t ps = rt->latencies ? rt->latencies->of(rt->latencies->arg, s, p) : 0;
			x->cable[x->first[s] + p] = (struct cable_cost){ h.to, h.port, (ps + hop) << COST_BITS | 1 };
		}
}

static void push_heap(struct latency_search *x, uint64_t cost, topo_switch s)
{
	if (x->used == x->cap) {
		x->cap = x->cap ? 2 * x->cap : 1024;
		x->heap = base_realloc(x->heap, x->cap * sizeof *x->heap);
	}
	size_t i = x->used++;
	for (; i && x->heap[(i - 1) / 2].cost > cost; i = (i - 1) / 2)
		x->heap[i] = x->heap[(i - 1) / 2];
	x->heap[i] = (struct heap_entry){ cost, s };
}

static struct heap_entry pop_heap(struct latency_search *x)
{
	struct heap_entry least = x->heap[0], last = x->heap[--x->used];
	size_t i = 0;
	for (size_t k = 1; k < x->used; k = 2 * i + 1) {
		k += k + 1 < x->used && x->heap[k + 1].cost < x->heap[k].cost;
		if (last.cost <= x->heap[k].cost)
			break;
		x->heap[i] = x->heap[k];
		i = k;
	}
	if (x->used)
		x->heap[i] = last;
	return least;
}

/* The least cost from every switch to `to`, against the direction of the cables. */
static void search_to(struct latency_search *x, topo_switch to)
{
	for (topo_switch s = 0; s < x->topo->switches; s++)
		x->cost[s] = UINT64_MAX;
	x->cost[to] = 0;
	push_heap(x, 0, to);
	while (x->used) {
		struct heap_entry e = pop_heap(x);
		if (e.cost > x->cost[e.s])
			continue;
		for (size_t i = x->first[e.s]; i < x->first[e.s + 1]; i++) {
			topo_switch s = x->cable[i].to;
			if (s == TOPO_NONE)
				continue;
			uint64_t cost = e.cost + x->cable[x->first[s] + x->cable[i].port].cost;
			if (cost >= x->cost[s])
				continue;
			x->cost[s] = cost;
			push_heap(x, cost, s);
		}
	}
}

/* The ports of s that are on a best way to `to`; returns their number. */
static uint32_t list_best(const struct latency_search *x, topo_switch s, uint32_t vc, struct rt_outlet *out)
{
	uint32_t n = 0;
	for (size_t i = x->first[s]; i < x->first[s + 1]; i++) {
		const struct cable_cost *c = &x->cable[i];
		if (c->to != TOPO_NONE && x->cost[c->to] != UINT64_MAX && x->cost[c->to] + c->cost == x->cost[s])
			out[n++] = (struct rt_outlet){ .port = (topo_port)(i - x->first[s]), .upto = 1, .vc = vc };
	}
	return n;
}

/* Fills the table; the longest route between endpoints, UINT32_MAX: there is none to some. */
static uint32_t fill_table(struct rt *rt, struct latency_search *x, uint32_t vc, bool *choice)
{
	const struct topo *t = x->topo;
	struct rt_routes *r = rt->impl;
	struct rt_outlet_sets sets = { .routes = r };
	struct rt_outlet *out = base_calloc((size_t)t->max_ports + 1, sizeof *out);
	uint32_t longest = 0;
	for (topo_switch to = 0; to < r->switch_rows; to++) {
		if (!topo_endpoints_at(t, to))
			continue;
		search_to(x, to);
		for (topo_switch s = 0; s < t->switches; s++) {
			uint32_t hops = (uint32_t)(x->cost[s] & ((1u << COST_BITS) - 1)), n;
			if (s == to || !(n = list_best(x, s, vc, out)))
				continue;
			*choice |= n > 1;
			rt_routes_write(r, t, false, s, to, rt_outlet_set(&sets, out, n) + 1);
			if (topo_endpoints_at(t, s))
				longest = hops > longest ? hops : longest;
		}
		for (topo_switch s = 0; s < t->switches; s++)
			if (topo_endpoints_at(t, s) && x->cost[s] == UINT64_MAX)
				longest = UINT32_MAX;
		if (longest == UINT32_MAX)
			break;
	}
	rt_outlet_sets_free(&sets);
	free(out);
	return longest;
}

#define MOST_SWITCHES 16384u /* a table of their square */

static int build_latency(struct rt *rt, struct base_errors *errors)
{
	const struct latency_params *p = rt->params;
	const struct topo *t = rt->topo;
	if (t->switches > MOST_SWITCHES)
		return base_errorf(errors, "kind",
		                   "\"latency\" needs a table with an entry for each pair of switches; %u switches are "
		                   "more than the %u supported",
		                   t->switches, MOST_SWITCHES);
	if (rt_routes_build(rt, errors))
		return -1;
	struct rt_routes *r = rt->impl;
	struct latency_search x = { .topo = t };
	bool choice = false;
	rt->by_flow = r->by_flow = p->choose == CHOOSE_BY_FLOW;
	rt_routes_open(r, t, 0);
	list_cables(&x, rt, p->hop);
	x.cost = base_calloc(t->switches, sizeof *x.cost);
	uint32_t longest = fill_table(rt, &x, p->vc ? RT_VC_HOPS : RT_VC_RULE, &choice);
	free(x.first);
	free(x.cable);
	free(x.cost);
	free(x.heap);
	if (longest == UINT32_MAX)
		return base_errorf(errors, "kind", "some switches with endpoints cannot be reached");
	if (longest > UINT8_MAX)
		return base_errorf(errors, "kind", "a route has %u hops; at most %d are supported", longest, UINT8_MAX);
	if (r->by_flow && !choice)
		return base_errorf(errors, "choose",
		                   "has no effect: no switch has two equally good ports to choose from");
	return rt_routes_count_vcs(rt, longest, errors);
}

static const struct rt_ops latency_ops = {
	.build = build_latency,
	.destroy = rt_routes_destroy,
	.route = rt_routes_route,
	.vc_climbs = rt_routes_climb,
	.legs = rt_common_one_leg,
	.wants_latencies = true,
};

const struct base_plugin rt_latency = {
	BASE_DESCRIBE("routing", "latency", latency_params, struct latency_params, &latency_ops),
	.summary = "the paths with the smallest sum of cable latencies; `choose` selects one of several equal paths",
	.source = "Dijkstra, Numerische Mathematik 1, 1959",
};

/* experiments/design/idle.c - lower bounds of packet latency: the time that a packet takes over a shortest path of an
 * idle network. A path has H links between switches, each with a latency of at least t. A packet's head takes the time
 * r to traverse a switch, and its L bytes are transmitted at the endpoint's rate b:
 *
 *     2 t_terminal + H t + (H + 1) r + L / b        (docs/model.md, closed forms; cut-through)
 *
 * For uniform traffic, the bound of the mean uses the mean of H over all pairs of endpoints, and the bound of the 99th
 * percentile uses the 99th percentile of H. For other traffic H is assumed to be 0. */
#include "experiments/design/design.h"
#include "topo/search.h"
#include "workload/open/distribution.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 2e9 /* of searches from all switches */
#define FARTHEST 256
#define HISTOGRAM 0.99 /* percentiles are those of a histogram, whose bins are narrower than 1 % */

/* Shares of the ordered pairs of different endpoints whose switches are so many links apart. */
static double *hops_of(const struct topo *topo)
{
	struct topo_graph graph;
	topo_graph_of(&graph, topo);
	double *share = NULL, all = (double)topo->endpoints * (topo->endpoints - 1.);
	if ((double)topo->switches * (double)graph.first[graph.n] < MOST_STEPS && all > 0) {
		uint32_t *distance = base_calloc(graph.n, sizeof *distance);
		topo_switch *queue = base_calloc(graph.n, sizeof *queue);
		share = base_calloc(FARTHEST + 1, sizeof *share);
		for (topo_switch s = 0; s < graph.n; s++) {
			double here = topo_endpoints_at(topo, s);
			if (here < 1)
				continue;
			topo_bfs(&graph, s, distance, queue);
			for (topo_switch d = 0; d < graph.n; d++)
				share[distance[d] < FARTHEST ? distance[d] : FARTHEST] +=
				    here * (d == s ? here - 1 : topo_endpoints_at(topo, d)) / all;
		}
		free(distance);
		free(queue);
	}
	topo_graph_free(&graph);
	return share;
}

void xp_space_candidate_idle(struct xp_search_space *s, struct xp_space_candidate *k, const struct xp_config *config,
                             const struct xp_unit *unit)
{
	const struct net_config *net = &config->net;
	const struct topo *topo = &s->c.net[k->net].costing.topo;
	double link = INFINITY, mean = 0, p99 = 0, below = 0;
	if (!s->hops)
		s->hops = base_calloc(s->c.nnets + 1, sizeof *s->hops);
	if (!strcmp(net->jobs[0].pattern.plugin->name, "uniform") && !s->hops[k->net])
		s->hops[k->net] = hops_of(topo);
	const double *share = strcmp(net->jobs[0].pattern.plugin->name, "uniform") ? NULL : s->hops[k->net];
	for (int h = 0; share && h <= FARTHEST; h++) {
		mean += h * share[h];
		p99 = below < .99 ? h : p99;
		below += share[h];
	}
	for (int i = 0; i < topo->link_classes; i++) {
		uint64_t latency = net_link_at(net, topo, i).latency;
		link = latency == NET_LATENCY_LAYOUT ? 0 : fmin(link, (double)latency);
	}
	double each = (isfinite(link) ? link : 0) + unit->passage.traversal_ps, once = unit->passage.traversal_ps,
	       least = wl_mean_message(&net->jobs[0]) > 0 ? 0 : INFINITY; /* a message's last may be small */
	if (net->link_terminal.latency != NET_LATENCY_LAYOUT)
		once += 2 * (double)net->link_terminal.latency;
	for (size_t i = 0; i < net->jobs[0].packet.n; i++)
		least = fmin(least, (double)net->jobs[0].packet.v[i]);
	if (!(unit->passage.traversal_ps > 0) || !isfinite(least))
		return;
	double byte_ps = 8e12 / (double)net->link_terminal.bandwidth;
	k->idle_mean_ns = (once + mean * each + least * byte_ps) / 1e3 * HISTOGRAM;
	k->idle_p99_ns = (once + p99 * each + least * byte_ps) / 1e3 * HISTOGRAM;
}

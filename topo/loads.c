/* topo/loads.c - channel loads of uniform traffic under a topology's own minimal routing.
 *
 * One destination at a time: all flows to it advance hop by hop together, since next() depends only on (here, to, hops
 * so far). */
#include "topo/search.h"

#include "base/memory.h"

#include <stdlib.h>

#define BUDGET UINT64_C(60000000) /* calls of next() */

struct front {
	double *flow;    /* by switch */
	topo_switch *at; /* the switches with flow, in order of arrival */
	uint32_t n;
};

static void add_flow(struct front *w, topo_switch s, double amount)
{
	if (w->flow[s] == 0)
		w->at[w->n++] = s;
	w->flow[s] += amount;
}

static void drain_to(const struct topo *topo, const struct topo_graph *graph, topo_switch to, struct front *now,
                     struct front *then, double *load)
{
	topo_port out[TOPO_MAX_NEXT];
	for (unsigned hops = 0; now->n > 0; hops++) {
		for (uint32_t i = 0; i < now->n; i++) {
			topo_switch s = now->at[i];
			int n = topo->ops->next(topo, s, to, hops, out);
			double share = now->flow[s] / n;
			for (int j = 0; j < n; j++) {
				size_t channel = graph->first[s] + out[j];
				load[channel] += share;
				if (graph->to[channel] != to)
					add_flow(then, graph->to[channel], share);
			}
			now->flow[s] = 0;
		}
		now->n = 0;
		struct front swap = *now;
		*now = *then;
		*then = swap;
	}
}

int topo_uniform_loads(const struct topo *topo, const struct topo_graph *graph, double *load)
{
	if ((uint64_t)topo->switches * topo->switches * topo->ops->max_distance(topo) > BUDGET)
		return -1;
	struct front now = { .flow = base_calloc(graph->n, sizeof(double)),
		             .at = base_calloc(graph->n, sizeof(topo_switch)) };
	struct front then = { .flow = base_calloc(graph->n, sizeof(double)),
		              .at = base_calloc(graph->n, sizeof(topo_switch)) };
	for (size_t i = 0; i < graph->first[graph->n]; i++)
		load[i] = 0;
	for (topo_switch to = 0; to < graph->n; to++) {
		double weight = topo_endpoints_at(topo, to) / (topo->endpoints - 1.0);
		if (weight == 0)
			continue;
		for (topo_switch s = 0; s < graph->n; s++)
			if (s != to && topo_endpoints_at(topo, s) > 0)
				add_flow(&now, s, topo_endpoints_at(topo, s) * weight);
		drain_to(topo, graph, to, &now, &then, load);
	}
	free(now.flow);
	free(now.at);
	free(then.flow);
	free(then.at);
	return 0;
}

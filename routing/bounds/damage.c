/* routing/bounds/damage.c - loss of uniform throughput when cables fail, by channel loads. See bounds.h */
#include "routing/bounds/bounds.h"
#include "topo/survive.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* 1 / the largest load by shortest paths; negative: not connected, or too large. */
static double throughput(struct rt_flows *f, const uint16_t *class_of, const size_t *map)
{
	double *load = base_calloc(f->graph.first[f->graph.n] + 1, sizeof *load), most = 0;
	const char *why;
	int status = rt_uniform_loads(f, load, &why);
	for (size_t i = 0; i < f->graph.first[f->graph.n]; i++)
		most = fmax(most, load[i] / f->rate[class_of[map ? map[i] : i]]);
	free(load);
	return status ? -1 : most > 0 ? 1 / most : INFINITY;
}

static uint16_t *list_classes(const struct rt_flows *f)
{
	uint16_t *class_of = base_calloc(f->graph.first[f->graph.n] + 1, sizeof *class_of);
	for (topo_switch s = 0; s < f->graph.n; s++)
		for (topo_port p = 0; p < topo_ports(f->topo, s); p++)
			class_of[f->graph.first[s] + p] = topo_peer(f->topo, s, p).link_class;
	return class_of;
}

double rt_throughput_left(const struct topo *topo, const double *rate, double removed, uint32_t draws, uint64_t seed,
                          uint32_t *whole)
{
	struct rt_flows f;
	rt_flows_of_graph(&f, topo, RT_SPLIT_HOPS, rate);
	size_t(*cable)[2], cables = topo_list_cables(topo, &f.graph, &cable);
	uint16_t *class_of = list_classes(&f);
	struct topo_graph intact = f.graph;
	double before = throughput(&f, class_of, NULL), sum = 0;
	*whole = 0;
	for (uint32_t i = 0; i < draws && before > 0; i++) {
		size_t *map;
		topo_graph_damaged(&intact, (const size_t(*)[2])cable, cables, removed, i, seed, &f.graph, &map);
		double left = throughput(&f, class_of, map);
		topo_graph_free(&f.graph);
		free(map);
		if (left < 0)
			continue;
		++*whole;
		sum += left / before;
	}
	f.graph = intact;
	rt_flows_free(&f);
	free(cable);
	free(class_of);
	return *whole ? sum / *whole : -1;
}

/* topo/bisect.c - an upper bound of the bisection by partitioning the graph.
 *
 * Two candidates: the first half of the switches against the second, and METIS's partition (Karypis and Kumar 1998),
 * moved to exact balance by the cheapest switches. The better one counts. Finding the least cut is NP-hard. */
#include "topo/search.h"

#include "base/memory.h"

#include <stdlib.h>

#ifdef TILEFLY_HAVE_METIS
#include <metis.h>
#endif

#define MOST_CHANNELS ((size_t)8 << 20)

static int64_t cut_of(const struct topo_graph *graph, const bool *side)
{
	int64_t cut = 0;
	for (topo_switch s = 0; s < graph->n; s++)
		for (size_t i = graph->first[s]; i < graph->first[s + 1]; i++)
			cut += side[s] != side[graph->to[i]];
	return cut / 2;
}

#ifdef TILEFLY_HAVE_METIS
/* Moves the switches that cost least from the larger side until the sizes differ by at most one. */
static void balance(const struct topo_graph *graph, bool *side)
{
	uint32_t ones = 0;
	for (topo_switch s = 0; s < graph->n; s++)
		ones += side[s];
	while (ones > (graph->n + 1) / 2 || ones < graph->n / 2) {
		bool from = ones > graph->n / 2;
		topo_switch best = TOPO_NONE;
		int64_t best_cost = INT64_MAX;
		for (topo_switch s = 0; s < graph->n; s++) {
			if (side[s] != from)
				continue;
			int64_t cost = 0;
			for (size_t i = graph->first[s]; i < graph->first[s + 1]; i++)
				cost += side[graph->to[i]] == from ? 1 : -1;
			if (cost < best_cost) {
				best_cost = cost;
				best = s;
			}
		}
		side[best] = !from;
		ones += from ? UINT32_MAX : 1; /* minus or plus one */
	}
}

static bool split_by_metis(const struct topo_graph *graph, bool *side)
{
	size_t channels = graph->first[graph->n];
	idx_t n = (idx_t)graph->n, constraints = 1, parts = 2, cut, options[METIS_NOPTIONS];
	idx_t *first = base_calloc((size_t)graph->n + 1, sizeof *first), *to = base_calloc(channels, sizeof *to);
	idx_t *part = base_calloc(graph->n, sizeof *part);
	for (uint32_t s = 0; s <= graph->n; s++)
		first[s] = (idx_t)graph->first[s];
	for (size_t i = 0; i < channels; i++)
		to[i] = (idx_t)graph->to[i];
	METIS_SetDefaultOptions(options);
	options[METIS_OPTION_SEED] = 1;
	options[METIS_OPTION_UFACTOR] = 1;
	options[METIS_OPTION_NCUTS] = channels < 100000 ? 10 : 1;
	int status = METIS_PartGraphRecursive(&n, &constraints, first, to, NULL, NULL, NULL, &parts, NULL, NULL,
	                                      options, &cut, part);
	for (uint32_t s = 0; s < graph->n; s++)
		side[s] = part[s] == 1;
	free(first);
	free(to);
	free(part);
	if (status == METIS_OK)
		balance(graph, side);
	return status == METIS_OK;
}
#else
static bool split_by_metis(const struct topo_graph *graph, bool *side)
{
	(void)graph;
	(void)side;
	return false;
}
#endif

int64_t topo_bisect(const struct topo_graph *graph, const char **how)
{
	if (graph->first[graph->n] > MOST_CHANNELS) {
		*how = "no closed form is known, and the graph is too large to partition";
		return -1;
	}
	bool *side = base_calloc(graph->n, sizeof *side);
	for (topo_switch s = graph->n / 2; s < graph->n; s++)
		side[s] = true;
	int64_t best = cut_of(graph, side);
	*how = "first half of the switches against the second (upper bound)";
	if (graph->n > 2 && split_by_metis(graph, side)) {
		int64_t cut = cut_of(graph, side);
		if (cut < best) {
			best = cut;
			*how = "partition found by METIS (upper bound)";
		}
	}
	free(side);
	return best;
}

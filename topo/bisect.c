/* topo/bisect.c - an upper bound of the bisection by partitioning the graph.
 *
 * Candidates are the first half against the second, METIS's partitions under several seeds (Karypis and Kumar 1998),
 * and random halves. Each is balanced and then improved by passes of Kernighan and Lin (1970) in the form of Fiduccia
 * and Mattheyses (1982): every vertex moves once, in order of the largest reduction of the cut, from either side as
 * long as the sides stay within one vertex of balance, and the best balanced state of the pass is kept. The result is
 * the best candidate; a graph whose passes would take too long is only balanced. Finding the minimum cut is NP-hard.
 *
 * A vertex weighs 1 for halves of the switches, or its number of endpoints for halves of the endpoints; vertices of
 * weight 0 go to the side where they cost least. */
#include "topo/search.h"

#include "base/hold_term.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#ifdef TILEFLY_HAVE_METIS
#include <metis.h>
#endif

#define MOST_CHANNELS ((size_t)8 << 20)
#define METIS_RUNS 16u
#define RANDOM_RUNS 4u
#define PASS_STEPS UINT64_C(400000000) /* of all passes together: about one ns each */
#define METIS_STEPS UINT64_C(4000000)  /* channels that METIS reads, all runs together */

struct cut {
	const struct topo_graph *graph;
	const uint32_t *weight;
	int64_t slack; /* allowed difference between the sides' weights */
	uint32_t most; /* largest weight */
	int64_t lead;  /* weight of side 1 minus that of side 0 */
	int64_t links; /* links in the cut */
	bool *side;
	int32_t *gain;   /* reduction of the cut if this vertex moves */
	uint32_t *moved; /* in order of the moves */
	bool *locked;
	uint64_t steps;
};

static void look_at_cut(struct cut *c)
{
	const struct topo_graph *g = c->graph;
	c->links = 0;
	c->lead = 0;
	for (topo_switch s = 0; s < g->n; s++) {
		int32_t gain = 0;
		for (size_t i = g->first[s]; i < g->first[s + 1]; i++)
			gain += c->side[s] != c->side[g->to[i]] ? 1 : -1;
		c->gain[s] = gain;
		c->links += gain + (int64_t)(g->first[s + 1] - g->first[s]);
		c->lead += c->side[s] ? c->weight[s] : -(int64_t)c->weight[s];
	}
	c->links /= 4;
}

static void move_switch(struct cut *c, topo_switch s)
{
	const struct topo_graph *g = c->graph;
	c->links -= c->gain[s];
	c->gain[s] = -c->gain[s];
	c->lead += c->side[s] ? -2 * (int64_t)c->weight[s] : 2 * (int64_t)c->weight[s];
	c->side[s] = !c->side[s];
	for (size_t i = g->first[s]; i < g->first[s + 1]; i++)
		c->gain[g->to[i]] += c->side[s] == c->side[g->to[i]] ? -2 : 2;
	c->steps += g->n + g->first[s + 1] - g->first[s];
}

static int64_t distance_from_balance(const struct cut *c, int64_t lead)
{
	int64_t off = lead < 0 ? -lead : lead;
	return off > c->slack ? off - c->slack : 0;
}

/* The unlocked vertex with the largest gain among those whose move to the other side leaves the sides at most `limit`
 * out of balance or improves the balance. TOPO_NONE if there is no such vertex. */
static topo_switch choose_to_move(const struct cut *c, int64_t limit)
{
	topo_switch best = TOPO_NONE;
	int64_t now = distance_from_balance(c, c->lead);
	for (topo_switch s = 0; s < c->graph->n; s++) {
		if (c->locked[s])
			continue;
		int64_t lead = c->lead + (c->side[s] ? -2 * (int64_t)c->weight[s] : 2 * (int64_t)c->weight[s]);
		int64_t then = distance_from_balance(c, lead);
		if (then > limit && then >= now)
			continue;
		if (best == TOPO_NONE || c->gain[s] > c->gain[best])
			best = s;
	}
	return best;
}

/* One pass. Returns whether it has found a better state. */
static bool pass(struct cut *c)
{
	int64_t start = c->links, best = start, off = distance_from_balance(c, c->lead), best_off = off;
	uint32_t moves = 0, keep = 0;
	for (topo_switch s; (s = choose_to_move(c, 2 * (int64_t)c->most)) != TOPO_NONE;) {
		move_switch(c, s);
		c->locked[s] = true;
		c->moved[moves++] = s;
		int64_t here = distance_from_balance(c, c->lead);
		if (here < best_off || (here == best_off && c->links < best)) {
			best = c->links;
			best_off = here;
			keep = moves;
		}
	}
	memset(c->locked, 0, c->graph->n * sizeof *c->locked);
	while (moves > keep)
		move_switch(c, c->moved[--moves]);
	return best < start || best_off < off;
}

/* Improves c->side; returns the cut if it is balanced, else -1. */
static int64_t improve(struct cut *c)
{
	topo_switch s;
	look_at_cut(c);
	while (distance_from_balance(c, c->lead) && (s = choose_to_move(c, -1)) != TOPO_NONE)
		move_switch(c, s);
	while ((uint64_t)c->graph->n * c->graph->n + c->steps < PASS_STEPS && pass(c))
		;
	return distance_from_balance(c, c->lead) ? -1 : c->links;
}

#ifdef TILEFLY_HAVE_METIS
static bool split_by_metis(const struct topo_graph *graph, const uint32_t *weight, int seed, bool *side)
{
	size_t channels = graph->first[graph->n];
	idx_t n = (idx_t)graph->n, constraints = 1, parts = 2, cut, options[METIS_NOPTIONS];
	idx_t *first = base_calloc((size_t)graph->n + 1, sizeof *first), *to = base_calloc(channels, sizeof *to);
	idx_t *part = base_calloc(graph->n, sizeof *part), *size = base_calloc(graph->n, sizeof *size);
	for (uint32_t s = 0; s <= graph->n; s++)
		first[s] = (idx_t)graph->first[s];
	for (uint32_t s = 0; s < graph->n; s++)
		size[s] = (idx_t)weight[s];
	for (size_t i = 0; i < channels; i++)
		to[i] = (idx_t)graph->to[i];
	METIS_SetDefaultOptions(options);
	options[METIS_OPTION_SEED] = seed;
	options[METIS_OPTION_UFACTOR] = 1;
	options[METIS_OPTION_NCUTS] = channels < 100000 ? 10 : 1;
	sigset_t before = base_hold_term();
	int status = METIS_PartGraphRecursive(&n, &constraints, first, to, size, NULL, NULL, &parts, NULL, NULL,
	                                      options, &cut, part);
	base_release_term(&before);
	for (uint32_t s = 0; s < graph->n; s++)
		side[s] = part[s] == 1;
	free(first);
	free(to);
	free(part);
	free(size);
	return status == METIS_OK;
}
#else
static bool split_by_metis(const struct topo_graph *graph, const uint32_t *weight, int seed, bool *side)
{
	(void)graph;
	(void)weight;
	(void)seed;
	(void)side;
	return false;
}
#endif

/* Takes vertices in order until they hold half of the weight. */
static void split_in_order(const struct topo_graph *graph, const uint32_t *weight, const topo_switch *order, bool *side)
{
	uint64_t total = 0, seen = 0;
	for (topo_switch s = 0; s < graph->n; s++)
		total += weight[s];
	for (topo_switch i = 0; i < graph->n; i++) {
		topo_switch s = order ? order[i] : i;
		side[s] = 2 * (seen + weight[s]) > total + weight[s] / 2 * 2;
		seen += weight[s];
	}
}

static void shuffle_switches(topo_switch *order, uint32_t n, uint64_t *random)
{
	for (uint32_t i = n; i-- > 1;) {
		*random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		uint32_t j = (uint32_t)((*random >> 32) * (i + 1) >> 32);
		topo_switch s = order[i];
		order[i] = order[j];
		order[j] = s;
	}
}

/* Sets the difference between the weights of the sides that counts as balanced: 0, or the largest weight of a vertex if
 * weights differ or if the number of vertices, all of equal weight, is odd. */
static void weigh(struct cut *c)
{
	uint32_t heavy = 0;
	bool alike = true;
	for (topo_switch s = 0; s < c->graph->n; s++) {
		uint32_t w = c->weight[s];
		alike = alike && (!w || !c->most || w == c->most);
		c->most = w > c->most ? w : c->most;
		heavy += w > 0;
	}
	c->slack = !alike || heavy % 2 ? c->most : 0;
}

static int64_t search_cuts(struct cut *c, const char **how)
{
	const struct topo_graph *g = c->graph;
	int64_t best = -1, found;
	topo_switch *order = base_calloc(g->n, sizeof *order);
	uint64_t random = 1;
	for (topo_switch s = 0; s < g->n; s++)
		order[s] = s;
	for (uint32_t run = 0; run <= RANDOM_RUNS; run++) {
		split_in_order(g, c->weight, order, c->side);
		if ((found = improve(c)) >= 0 && (best < 0 || found < best)) {
			best = found;
			*how = run ? "best of random halves, improved by moves (upper bound)"
			           : "first half of the switches against the second, improved by moves (upper bound)";
		}
		shuffle_switches(order, g->n, &random);
		if (c->steps >= PASS_STEPS / 4)
			break;
	}
	for (uint32_t run = 1; run <= METIS_RUNS && g->n > 2; run++) {
		if (run > 1 && (run * g->first[g->n] > METIS_STEPS || c->steps >= PASS_STEPS))
			break;
		if (!split_by_metis(g, c->weight, (int)run, c->side))
			continue;
		if ((found = improve(c)) >= 0 && (best < 0 || found < best)) {
			best = found;
			*how = "partition found by METIS, improved by moves (upper bound)";
		}
	}
	free(order);
	return best;
}

int64_t topo_bisect(const struct topo_graph *graph, const uint32_t *weight, const char **how)
{
	if (graph->first[graph->n] > MOST_CHANNELS) {
		*how = "no closed form is known, and the graph is too large to partition";
		return -1;
	}
	struct cut c = { .graph = graph, .weight = weight };
	c.side = base_calloc(graph->n, sizeof *c.side);
	c.gain = base_calloc(graph->n, sizeof *c.gain);
	c.moved = base_calloc(graph->n, sizeof *c.moved);
	c.locked = base_calloc(graph->n, sizeof *c.locked);
	weigh(&c);
	int64_t best = search_cuts(&c, how);
	free(c.side);
	free(c.gain);
	free(c.moved);
	free(c.locked);
	return best;
}

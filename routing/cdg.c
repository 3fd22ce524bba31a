/* routing/cdg.c - see cdg.h */
#include "routing/cdg.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define SLACK ((uint64_t)1 << 63)

int rt_cdg_init(struct rt_cdg *cdg, const struct topo *topo, uint32_t vcs, struct base_errors *errors)
{
	*cdg = (struct rt_cdg){ .topo = topo, .vcs = vcs };
	uint64_t links = 0;
	for (topo_switch s = 0; s < topo->switches; s++)
		links += topo_ports(topo, s);
	if (links * vcs >= (uint64_t)1 << 31)
		return base_errorf(errors, NULL, "%llu channels are too many for a channel-dependency graph",
		                   (unsigned long long)(links * vcs));
	cdg->links = (uint32_t)links;
	cdg->channels = cdg->links * vcs;
	cdg->first = base_calloc((size_t)topo->switches + 1, sizeof *cdg->first);
	cdg->reverse = base_calloc(cdg->links, sizeof *cdg->reverse);
	for (topo_switch s = 0; s < topo->switches; s++)
		cdg->first[s + 1] = cdg->first[s] + topo_ports(topo, s);
	for (topo_switch s = 0; s < topo->switches; s++)
		for (uint32_t p = 0; p < cdg->first[s + 1] - cdg->first[s]; p++) {
			struct topo_hop hop = topo_peer(topo, s, p);
			cdg->reverse[cdg->first[s] + p] = cdg->first[hop.to] + hop.port;
		}
	cdg->bare = base_calloc(cdg->channels, 1);
	cdg->room = 1 << 12;
	cdg->slot = base_calloc(cdg->room, sizeof *cdg->slot);
	return 0;
}

void rt_cdg_free(struct rt_cdg *cdg)
{
	free(cdg->first);
	free(cdg->reverse);
	free(cdg->slot);
	free(cdg->bare);
	*cdg = (struct rt_cdg){ 0 };
}

static size_t place_of(const struct rt_cdg *cdg, uint64_t edge)
{
	uint64_t h = edge * 0x9e3779b97f4a7c15u;
	size_t at = (size_t)(h ^ h >> 32) & (cdg->room - 1);
	while (cdg->slot[at] && cdg->slot[at] != edge + 1)
		at = (at + 1) & (cdg->room - 1);
	return at;
}

static void grow(struct rt_cdg *cdg)
{
	uint64_t *old = cdg->slot;
	size_t n = cdg->room;
	cdg->room *= 2;
	cdg->slot = base_calloc(cdg->room, sizeof *cdg->slot);
	for (size_t i = 0; i < n; i++)
		if (old[i])
			cdg->slot[place_of(cdg, old[i] - 1)] = old[i];
	free(old);
}

void rt_cdg_depend(struct rt_cdg *cdg, uint32_t from, uint32_t to, bool slack)
{
	uint64_t edge = (uint64_t)from << 32 | to | (slack ? SLACK : 0);
	size_t at = place_of(cdg, edge);
	if (cdg->slot[at])
		return;
	cdg->slot[at] = edge + 1;
	if (++cdg->edges * 2 > cdg->room)
		grow(cdg);
}

/* Adjacency lists between `n` nodes; a node is a channel, or what `map` makes of it. */
struct lists {
	uint32_t *first; /* [n + 1] */
	uint32_t *to;
};

static bool wanted(uint64_t slot, int slack)
{
	return slot && (slack < 0 || ((slot - 1) & SLACK) == (slack ? SLACK : 0));
}

/* Lists of the edges with (1), without (0), with or without (-1) slack. */
static struct lists make_lists(const struct rt_cdg *cdg, uint32_t n, const uint32_t *map, int slack)
{
	struct lists l = { .first = base_calloc((size_t)n + 2, sizeof(uint32_t)) };
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < cdg->room; i++) {
			if (!wanted(cdg->slot[i], slack))
				continue;
			uint32_t from = (uint32_t)(((cdg->slot[i] - 1) & ~SLACK) >> 32), to = (uint32_t)(cdg->slot[i] - 1);
			from = map ? map[from] : from;
			if (!pass)
				l.first[from + 2]++;
			else
				l.to[l.first[from + 1]++] = map ? map[to] : to;
		}
		if (pass)
			break;
		for (uint32_t v = 1; v <= n; v++)
			l.first[v + 1] += l.first[v];
		l.to = base_calloc(l.first[(size_t)n + 1], sizeof *l.to);
	}
	return l;
}

static void free_lists(struct lists *l)
{
	free(l->first);
	free(l->to);
}

/* A node on a cycle, by depth-first search with an explicit stack; NONE if there is no cycle. */
static uint32_t on_cycle(const struct lists *l, uint32_t n)
{
	enum { WHITE, GREY, BLACK };
	uint8_t *colour = base_calloc(n, 1);
	uint32_t *stack = base_calloc(n, sizeof *stack), *next = base_calloc(n, sizeof *next);
	uint32_t found = NONE;
	for (uint32_t root = 0; root < n && found == NONE; root++) {
		if (colour[root] != WHITE)
			continue;
		uint32_t depth = 0;
		stack[depth++] = root;
		next[root] = l->first[root];
		colour[root] = GREY;
		while (depth && found == NONE) {
			uint32_t v = stack[depth - 1];
			if (next[v] == l->first[v + 1]) {
				colour[v] = BLACK;
				depth--;
				continue;
			}
			uint32_t w = l->to[next[v]++];
			if (colour[w] == GREY)
				found = w;
			if (colour[w] != WHITE)
				continue;
			colour[w] = GREY;
			next[w] = l->first[w];
			stack[depth++] = w;
		}
	}
	free(colour);
	free(stack);
	free(next);
	return found;
}

/* The shortest way from `start` back to itself, by breadth-first search: from[v] is v's predecessor; returns the last
 * node before `start`. */
static uint32_t shortest_loop(const struct lists *l, uint32_t n, uint32_t start, uint32_t *from)
{
	uint32_t *queue = base_calloc(n, sizeof *queue), head = 0, tail = 0, last = NONE;
	memset(from, 0xff, (size_t)n * sizeof *from);
	queue[tail++] = start;
	while (head < tail && last == NONE) {
		uint32_t v = queue[head++];
		for (uint32_t i = l->first[v]; i < l->first[v + 1] && last == NONE; i++) {
			uint32_t w = l->to[i];
			if (w == start) {
				last = v;
			} else if (from[w] == NONE) {
				from[w] = v;
				queue[tail++] = w;
			}
		}
	}
	free(queue);
	return last;
}

static struct rt_cdg_node node_of(const struct rt_cdg *cdg, uint32_t channel)
{
	uint32_t link = channel / cdg->vcs, lo = 0, hi = cdg->topo->switches;
	while (hi - lo > 1) { /* first[lo] <= link < first[hi] */
		uint32_t mid = lo + (hi - lo) / 2;
		if (cdg->first[mid] <= link)
			lo = mid;
		else
			hi = mid;
	}
	return (struct rt_cdg_node){ .sw = lo, .port = link - cdg->first[lo], .vc = channel % cdg->vcs };
}

size_t rt_cdg_cycle(const struct rt_cdg *cdg, struct rt_cdg_node **out)
{
	struct lists l = make_lists(cdg, cdg->channels, NULL, -1);
	uint32_t start = on_cycle(&l, cdg->channels);
	size_t length = 0;
	if (start != NONE) {
		uint32_t *from = base_calloc(cdg->channels, sizeof *from);
		uint32_t last = shortest_loop(&l, cdg->channels, start, from);
		for (uint32_t v = last; v != start; v = from[v])
			length++;
		struct rt_cdg_node *cycle = base_calloc(++length, sizeof *cycle);
		size_t at = length;
		for (uint32_t v = last; at; v = from[v])
			cycle[--at] = node_of(cdg, v);
		*out = cycle;
		free(from);
	}
	free_lists(&l);
	return length;
}

/* Numbers the paths and rings that edges without slack form; ring[] says which are rings. Returns how many, NONE when two
 * such edges leave or enter one channel. */
static uint32_t number_chains(const struct rt_cdg *cdg, uint32_t *chain, uint8_t *ring)
{
	struct lists l = make_lists(cdg, cdg->channels, NULL, 0);
	uint8_t *entered = base_calloc(cdg->channels, 1);
	uint32_t n = 0;
	bool simple = true;
	for (uint32_t v = 0; v < cdg->channels && simple; v++) {
		simple = l.first[v + 1] - l.first[v] <= 1;
		if (simple && l.first[v + 1] > l.first[v])
			simple = !entered[l.to[l.first[v]]]++;
	}
	memset(chain, 0xff, (size_t)cdg->channels * sizeof *chain);
	for (int rings = 0; rings < 2 && simple; rings++)
		for (uint32_t v = 0; v < cdg->channels; v++) {
			if (chain[v] != NONE || (!rings && entered[v]))
				continue;
			ring[n] = (uint8_t)rings;
			uint32_t w = v;
			while (chain[w] == NONE) {
				chain[w] = n;
				if (l.first[w] != l.first[w + 1])
					w = l.to[l.first[w]];
			}
			n++;
		}
	free(entered);
	free_lists(&l);
	return simple ? n : NONE;
}

bool rt_cdg_bubble(const struct rt_cdg *cdg)
{
	uint32_t *chain = base_calloc(cdg->channels, sizeof *chain);
	uint8_t *ring = base_calloc(cdg->channels, 1);
	uint32_t n = number_chains(cdg, chain, ring);
	bool free_of_deadlock = n != NONE;
	for (uint32_t v = 0; v < cdg->channels && free_of_deadlock; v++)
		free_of_deadlock = !(cdg->bare[v] && ring[chain[v]]);
	if (free_of_deadlock) {
		struct lists l = make_lists(cdg, n, chain, 1);
		free_of_deadlock = on_cycle(&l, n) == NONE;
		free_lists(&l);
	}
	free(chain);
	free(ring);
	return free_of_deadlock;
}

/* routing/proof/cdg.c - see cdg.h */
#include "routing/proof/cdg.h"

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
	cdg->slots = 1 << 12;
	cdg->slot = base_calloc(cdg->slots, sizeof *cdg->slot);
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

static size_t place_of_edge(const struct rt_cdg *cdg, uint64_t edge)
{
	uint64_t h = edge * 0x9e3779b97f4a7c15u;
	size_t at = (size_t)(h ^ h >> 32) & (cdg->slots - 1);
	while (cdg->slot[at] && cdg->slot[at] != edge + 1)
		at = (at + 1) & (cdg->slots - 1);
	return at;
}

static void grow_edges(struct rt_cdg *cdg)
{
	uint64_t *old = cdg->slot;
	size_t n = cdg->slots;
	cdg->slots *= 2;
	cdg->slot = base_calloc(cdg->slots, sizeof *cdg->slot);
	for (size_t i = 0; i < n; i++)
		if (old[i])
			cdg->slot[place_of_edge(cdg, old[i] - 1)] = old[i];
	free(old);
}

void rt_cdg_depend(struct rt_cdg *cdg, uint32_t from, uint32_t to, bool slack)
{
	uint64_t edge = (uint64_t)from << 32 | to | (slack ? SLACK : 0);
	size_t at = place_of_edge(cdg, edge);
	if (cdg->slot[at])
		return;
	cdg->slot[at] = edge + 1;
	if (++cdg->edges * 2 > cdg->slots)
		grow_edges(cdg);
}

/* Adjacency lists between `n` nodes; a node is a channel, or its image under `map`. */
struct lists {
	uint32_t *first; /* [n + 1] */
	uint32_t *to;
};

static bool wanted(uint64_t slot, int slack)
{
	return slot && (slack < 0 || !((slot - 1) & SLACK));
}

/* Builds adjacency lists of the edges without slack (`slack` = 0), or of all edges (-1), reversed if `back` is set.
 * `map` (NULL: none) gives the node of each channel. An edge without slack whose two ends have the same node is left
 * out, because it belongs to a ring. */
static struct lists make_lists(const struct rt_cdg *cdg, uint32_t n, const uint32_t *map, int slack, bool back)
{
	struct lists l = { .first = base_calloc((size_t)n + 2, sizeof(uint32_t)) };
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < cdg->slots; i++) {
			if (!wanted(cdg->slot[i], slack))
				continue;
			uint64_t edge = cdg->slot[i] - 1;
			uint32_t from = (uint32_t)((edge & ~SLACK) >> 32), to = (uint32_t)edge;
			if (map && map[from] == map[to] && from != to && !(edge & SLACK))
				continue;
			from = map ? map[from] : from;
			to = map ? map[to] : to;
			if (!pass)
				l.first[(back ? to : from) + 2]++;
			else
				l.to[l.first[(back ? to : from) + 1]++] = back ? from : to;
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

/* Finds the shortest path from `start` back to itself by breadth-first search. from[v] gets the predecessor of node v;
 * returns the last node before `start`. */
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
	struct lists l = make_lists(cdg, cdg->channels, NULL, -1, false);
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

/* The subgraph of edges without slack. in, out: a channel's numbers of such edges. core: whether the channel remains
 * after repeated removal of channels that cannot be on a cycle. */
struct bare_part {
	uint32_t *in, *out;
	uint8_t *core;
};

/* Removes channels without incoming or without outgoing bare edges, repeatedly, until none is left. */
static void peel(const struct rt_cdg *cdg, const struct lists *ahead, const struct lists *back, struct bare_part *b)
{
	uint32_t n = cdg->channels, depth = 0;
	uint32_t *stack = base_calloc((size_t)n + 1, sizeof *stack);
	for (uint32_t v = 0; v < n; v++) {
		b->out[v] = ahead->first[v + 1] - ahead->first[v];
		b->in[v] = back->first[v + 1] - back->first[v];
		b->core[v] = b->in[v] && b->out[v];
		if (!b->core[v])
			stack[depth++] = v;
	}
	while (depth) {
		uint32_t v = stack[--depth];
		for (uint32_t i = ahead->first[v]; i < ahead->first[v + 1]; i++) {
			uint32_t w = ahead->to[i];
			if (b->core[w] && !--b->in[w])
				b->core[w] = 0, stack[depth++] = w;
		}
		for (uint32_t i = back->first[v]; i < back->first[v + 1]; i++) {
			uint32_t w = back->to[i];
			if (b->core[w] && !--b->out[w])
				b->core[w] = 0, stack[depth++] = w;
		}
	}
	free(stack);
}

/* Gives a number, in node[], to every ring of the core (struct bare_part) and to every other channel. Returns false if
 * the core does not consist of disjoint simple rings that no channel enters without slack. */
static bool number_rings(const struct rt_cdg *cdg, uint32_t *node, uint32_t *nodes)
{
	uint32_t n = cdg->channels;
	struct lists ahead = make_lists(cdg, n, NULL, 0, false), back = make_lists(cdg, n, NULL, 0, true);
	struct bare_part b = { base_calloc(n, sizeof(uint32_t)), base_calloc(n, sizeof(uint32_t)), base_calloc(n, 1) };
	peel(cdg, &ahead, &back, &b);
	bool simple = true;
	for (uint32_t v = 0; v < n && simple; v++)
		simple = !b.core[v] ||
		         (b.in[v] == 1 && b.out[v] == 1 && back.first[v + 1] - back.first[v] == 1 && !cdg->bare[v]);
	memset(node, 0xff, (size_t)n * sizeof *node);
	*nodes = 0;
	for (uint32_t v = 0; v < n && simple; v++) {
		if (node[v] != NONE)
			continue;
		uint32_t w = v;
		do { /* once around the ring; outside the core a single step */
			node[w] = *nodes;
			for (uint32_t i = ahead.first[w]; b.core[w] && i < ahead.first[w + 1]; i++)
				if (b.core[ahead.to[i]]) {
					w = ahead.to[i];
					break;
				}
		} while (node[w] == NONE);
		++*nodes;
	}
	free(b.in);
	free(b.out);
	free(b.core);
	free_lists(&ahead);
	free_lists(&back);
	return simple;
}

bool rt_cdg_bubble(const struct rt_cdg *cdg)
{
	uint32_t *node = base_calloc(cdg->channels, sizeof *node), nodes;
	bool free_of_deadlock = number_rings(cdg, node, &nodes);
	if (free_of_deadlock) {
		/* Edges between different rings and channels; bare edges inside a ring are the ring itself. */
		struct lists l = make_lists(cdg, nodes, node, -1, false);
		free_of_deadlock = on_cycle(&l, nodes) == NONE;
		free_lists(&l);
	}
	free(node);
	return free_of_deadlock;
}

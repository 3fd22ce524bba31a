/* routing/proof/cdg.h - a channel-dependency graph: a node is a channel (directed link, VC); an edge means that a
 * packet in the buffer at the end of one channel may wait for the other channel (Dally and Seitz 1987).
 *
 * Links are numbered by (switch, output port), and channels by link * vcs + vc. Edges are stored in a hash set, each
 * with a flag that shows whether the step requires slack, that is, space for more than the packet itself (the bubble
 * rule). */
#ifndef ROUTING_CDG_H
#define ROUTING_CDG_H

#include "routing/routing.h"

struct rt_cdg {
	const struct topo *topo;
	uint32_t vcs;
	uint32_t links, channels;
	uint32_t *first;   /* [switches + 1] first link of a switch */
	uint32_t *reverse; /* [links] the other direction of the same cable */
	uint64_t *slot;    /* open addressing; 0: free, else the edge + 1 */
	size_t slots, edges;
	uint8_t *bare; /* [channels] a packet may be injected into it without slack */
};

/* Initialises a graph without edges. Returns -1 with an error if there are 2^31 channels or more. Memory: O(links). */
int rt_cdg_init(struct rt_cdg *cdg, const struct topo *topo, uint32_t vcs, struct base_errors *errors);
void rt_cdg_free(struct rt_cdg *cdg);

static inline uint32_t rt_cdg_output(const struct rt_cdg *cdg, topo_switch s, topo_port port, uint32_t vc)
{
	return (cdg->first[s] + port) * cdg->vcs + vc;
}
/* Returns the channel whose link ends at input `port` of switch `s`. */
static inline uint32_t rt_cdg_input(const struct rt_cdg *cdg, topo_switch s, topo_port port, uint32_t vc)
{
	return cdg->reverse[cdg->first[s] + port] * cdg->vcs + vc;
}

/* Amortised O(1). */
void rt_cdg_depend(struct rt_cdg *cdg, uint32_t from, uint32_t to, bool slack);

/* Searches for a cycle. Returns its length, 0 if the graph is acyclic; *out (the caller frees it) gets its nodes in
 * order. Of the cycles through the first node that is found to be on one, it is the shortest. Cost: O(channels +
 * edges). */
size_t rt_cdg_cycle(const struct rt_cdg *cdg, struct rt_cdg_node **out);

/* Does the graph satisfy the condition of the bubble rule? The cycles of edges without slack must be disjoint simple
 * rings, which are not entered without slack, neither by injection nor from another channel; and with each ring
 * contracted to a point, the graph must be acyclic. Then no ring can fill up, and rings drain in order. Cost:
 * O(channels + edges). */
bool rt_cdg_bubble(const struct rt_cdg *cdg);

#endif

/* routing/vc.h - the number of virtual channels that a kind of route needs under a topology's VC rule.
 *
 * The rules (enum topo_vc_rule), and why they exclude cyclic waiting. A channel is a (directed link, VC). By Dally and
 * Seitz (IEEE ToC 1987) it suffices that every route climbs strictly in some fixed rank of channels:
 *
 *  HOP       The VC is the number of hops taken. Rank = VC. A route of H hops needs H VCs.
 *  GROUPS    The VC starts at 0; it increases by 1 after every global hop, and by 1 between two consecutive local
 *            hops. Rank = (VC, local before global): the only step that keeps the VC is from a local to a global hop,
 *            which climbs in the second component. VCs of minimal routes l-g-l (local, global, local): {0,0,1}; of
 *            routes over a random group l-g-l-g-l: {0,0,1,1,2}; over a random switch l-g-l-l-g-l: {0,0,1,2,2,3}; of PAR
 *            over a switch l-l-g-l-l-g-l: {0,1,1,2,3,3,4}. (If only global hops increased the VC, l-l could deadlock:
 *            sst-macro issue 325.) If groups are grids with dimension order, a local hop in a higher dimension keeps
 *            the VC, too: rank = (VC, row, column, global). So such a dragonfly needs no more VCs than one with fully
 *            connected groups.
 *  DATELINE  Dimensions are crossed in order. In a ring a packet uses VC 0, and from the hop over the dateline (the
 *            wrap cable) on VC 1. Rank = (leg, dimension, VC, hops from the dateline): on VC 0 no packet crosses the
 *            dateline, so the ring is open there; on VC 1 a packet crosses it with its first hop only, since a minimal
 *            route covers at most half of the ring. Every leg of a non-minimal route has two VCs of its own. Rings of 3
 *            switches or fewer need no dateline, because no route takes two hops in them; neither do dimensions without
 *            wrap cables.
 *  bubble    one VC: see routing/minimal.c.
 *  LEG       The VC is the number of the leg. Rank = (leg, topo_hop.rank): a minimal route climbs in the topology's
 *            own rank of links, which is the dimension if dimensions are crossed in order, and in a tree the level
 *            of the lower switch on the way up, followed by the reversed level of the upper switch on the way down. */
#ifndef ROUTING_VC_H
#define ROUTING_VC_H

#include "routing/leg.h"

/* The number of VCs that one kind of route needs, and the hops of its longest route. */
struct rt_vc_plan {
	unsigned vcs;
	unsigned hops;
};

/* Computes the least number of VCs, and the hops of the longest route, from max_distance(), groups, `rings` and `grid`
 * only. */
struct rt_vc_plan rt_vc_plan(const struct topo *topo, const struct rt_shape *shape, uint64_t rings, bool grid);

/* For the rule GROUPS: do hops within a group have dimensions, which are crossed in order? */
bool rt_vc_grid(const struct topo *topo);

/* For the rule DATELINE: returns a set of bits; bit d is set if the rings of dimension d have a wrap cable and 4
 * switches or more. */
uint64_t rt_vc_rings(const struct topo *topo);

#endif

/* routing/vc.h - the number of virtual channels that a kind of route needs under a topology's VC rule.
 *
 * The rules (enum topo_vc_rule), and why they exclude cyclic waiting. A channel is a (directed link, VC). By Dally and
 * Seitz (IEEE ToC 1987) it suffices that every route climbs strictly in some fixed rank of channels:
 *
 *  HOP       VC = hops taken. Rank = VC. A route of H hops needs H VCs.
 *  GROUPS    VC starts at 0, +1 after every global hop, +1 between two consecutive local hops. Rank = (VC, local before
 *            global): the only step that keeps the VC is local -> global, and it climbs in the second component. With
 *            l-g-l minimal routes: {0,0,1}; by a random group l-g-l-g-l {0,0,1,1,2}; by a random switch l-g-l-l-g-l
 *            {0,0,1,2,2,3}; PAR by a switch l-l-g-l-l-g-l {0,1,1,2,3,3,4}. (Counting global hops only deadlocks on
 *            l-l: sst-macro issue 325.) If groups are grids with dimension order, a local hop in a higher dimension
 *            keeps the VC, too: rank = (VC, row, column, global). So such a dragonfly needs no more VCs than one with
 *            full groups.
 *  DATELINE  dimension order; in a ring VC 0, and VC 1 from the hop over the dateline (the wrap cable) on. Rank = (leg,
 *            dimension, VC, hops from the dateline): on VC 0 no packet crosses the dateline, so the ring is open there;
 *            on VC 1 a packet crosses it with its first hop only, since a minimal route covers at most half of the
 *            ring. Every leg of a non-minimal route has a pair of its own. Rings of 3 switches or fewer need no
 *            dateline: no route takes two hops in them; neither do dimensions without wrap.
 *  bubble    one VC: see routing/minimal.c.
 *  LEG       VC = leg. Rank = (leg, topo_hop.rank): a minimal route climbs in the topology's own rank of links, which
 *            is the dimension if dimensions are crossed in order, and in a tree the level of the lower switch on the
 *            way up, followed by the reversed level of the upper switch on the way down. */
#ifndef ROUTING_VC_H
#define ROUTING_VC_H

#include "routing/leg.h"

/* Hops of the longest routes of one kind, from which the number of VCs follows. */
struct rt_vc_plan {
	unsigned vcs;
	unsigned hops;
};

/* Computes the least number of VCs, and the hops of the longest route, from max_distance(), groups, `rings` and `grid`
 * only. */
struct rt_vc_plan rt_vc_plan(const struct topo *topo, const struct rt_shape *shape, uint64_t rings, bool grid);

/* only for the rule GROUPS: hops within a group have dimensions, which are crossed in order */
bool rt_vc_grid(const struct topo *topo);

/* DATELINE: bit d is set when the rings of dimension d wrap and have 4 switches or more. */
uint64_t rt_vc_rings(const struct topo *topo);

#endif

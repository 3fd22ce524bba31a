/* network/measured.h - sums over the measured packets, which are those created in the measured window and delivered.
 *
 * To add a sum, add a line to NET_MEASURED: it is then accumulated per window, bin, job and rank like the others. A
 * descriptor in results/statistics.c makes it a statistic that users see. */
#ifndef NETWORK_MEASURED_H
#define NETWORK_MEASURED_H

#include "switch/packet.h"

/* List of the sums: for each its name, and the value that a packet `p` delivered at time `at` adds to it. */
#define NET_MEASURED(sum)                                                                      \
	sum(packets, 1);                                                                       \
	sum(minimal, !(p->route & SW_ROUTE_NONMINIMAL)); /* packets on minimal routes */       \
	sum(latency, at - p->created);                   /* ps */                              \
	sum(network, at - p->injected);                  /* ps, from the start of injection */ \
	sum(hops, p->hops)

struct net_measured {
#define NET_MEASURED_MEMBER(name, value) uint64_t name
	NET_MEASURED(NET_MEASURED_MEMBER);
#undef NET_MEASURED_MEMBER
};

static inline void net_measured_add(struct net_measured *to, const struct net_measured *more)
{
#define NET_MEASURED_ADD(name, value) to->name += more->name
	NET_MEASURED(NET_MEASURED_ADD);
#undef NET_MEASURED_ADD
}

#endif

/* network/stats/by_switch.h - records that every switch has: created on the rank of the switch, visited on the rank
 * that writes them. */
#ifndef NETWORK_BY_SWITCH_H
#define NETWORK_BY_SWITCH_H

#include "network/net.h"

/* A record begins with two words of 32 bits, its number and its switch; fill() writes the rest, which is initially 0.
 */
#define NET_BY_SWITCH_HEAD 8u

struct net_by_switch {
	size_t bytes;           /* of a record */
	const uint32_t *chosen; /* [records] their switches, rising; NULL: record i is of switch i */
	uint32_t records;       /* of the whole network */
	void (*fill)(struct net *n, struct net_lp *lp, unsigned char *out);
	void (*show)(struct net *n, uint32_t sw, const unsigned char *record, void *arg);
	void *arg;
};

/* Visits on each rank its share of the records, in order of switch, those of rank 0 before those of rank 1 and so on.
 * Collective. If switches are assigned to ranks in the order of their numbers each rank visits its own; otherwise equal
 * parts, which the others send in rounds of about NET_BY_SWITCH_BLOCK bytes, so the memory of a rank does not grow with
 * the network. */
#define NET_BY_SWITCH_BLOCK ((size_t)1 << 20)
void net_by_switch(struct net *n, const struct net_by_switch *s);

#endif

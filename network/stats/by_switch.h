/* network/stats/by_switch.h - records that every switch has: made where it is, shown by the rank that writes them. */
#ifndef NETWORK_BY_SWITCH_H
#define NETWORK_BY_SWITCH_H

#include "network/net.h"

/* A record begins with two words of 32 bits, its number and its switch; fill() makes the rest, which is 0. */
#define NET_BY_SWITCH_HEAD 8u

struct net_by_switch {
	size_t bytes;           /* of a record */
	const uint32_t *chosen; /* [records] their switches, rising; NULL: record i is of switch i */
	uint32_t records;       /* of the whole network */
	void (*fill)(struct net *n, struct net_lp *lp, unsigned char *out);
	void (*show)(struct net *n, uint32_t sw, const unsigned char *record, void *arg);
	void *arg;
};

/* Shows each rank its share of the records, in order of switch, those of rank 0 before those of rank 1 and so on.
 * Collective. Where switches lie on ranks in the order of their numbers each shows its own, else an equal part that the
 * others send in rounds of about NET_BY_SWITCH_BLOCK bytes: what a rank holds meanwhile does not grow with the network.
 */
#define NET_BY_SWITCH_BLOCK ((size_t)1 << 20)
void net_by_switch(struct net *n, const struct net_by_switch *s);

#endif

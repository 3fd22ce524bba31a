/* network/stats/packets.h - records of delivered packets, kept in chunks: ordering them takes almost no additional
 * memory. */
#ifndef NETWORK_PACKETS_H
#define NETWORK_PACKETS_H

#include "network/network.h"

#include <stddef.h>

#define NET_PACKET_CHUNK_BYTES ((size_t)1 << 20)

struct net_packet_chunk;

struct net_packets {                    /* zero-initialised */
	struct net_packet_chunk *first; /* the one that is being filled; all behind it are full */
	size_t chunks;
	bool sorted; /* each chunk in itself; nothing is added from then on */
};

void net_packets_add(struct net_packets *p, const struct net_packet_record *record);
/* Appends the records of `from`, which is empty then. No record is stored twice meanwhile, except those of one chunk.
 */
void net_packets_move(struct net_packets *to, struct net_packets *from);
void net_packets_free(struct net_packets *p);
size_t net_packets_count(const struct net_packets *p);
/* The records of this rank, in any order. */
void net_packets_visit(const struct net_packets *p, void (*visit)(void *arg, const struct net_packet_record *packet),
                       void *arg);
/* Visits the records of all ranks in order of (delivered, src, seq), in turns: each rank visits a share of a turn's
 * records, those of rank 0 before those of rank 1 and so on, and then turn() is called on every rank, unless it is
 * NULL. Collective. */
void net_packets_each(struct net_packets *p, void (*visit)(void *arg, const struct net_packet_record *packet),
                      void (*turn)(void *arg), void *arg);

#endif

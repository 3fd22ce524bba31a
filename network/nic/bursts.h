/* network/nic/bursts.h - sources of jobs that send in bursts (enum net_backlog): in a pause none of their packets
 * leaves. Inside network/ only; used where n->path.bursts. */
#ifndef NETWORK_NIC_BURSTS_H
#define NETWORK_NIC_BURSTS_H

#include "network/nic/nic.h"

/* Selects among the sources of an endpoint (or of one class of an endpoint), except those in `not`: the source whose
 * packet may leave now and was created first; if no packet may leave now, the source whose packet may leave first. Ties
 * go to the lower job. NULL: no source has a packet. *at: the time at which the packet may leave, `now` or later. */
struct net_source *net_ready_source(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                                    uint32_t class, uint64_t not, uint32_t *which, uint64_t *at);

#endif

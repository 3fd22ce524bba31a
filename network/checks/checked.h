/* network/checks/checked.h - what plug-ins from shared objects say, as far as the network is who asks. Inside network/
 * only.
 */
#ifndef NETWORK_CHECKED_H
#define NETWORK_CHECKED_H

#include "network/net.h"

/* Are all functions there that this network will call? */
int net_check_switch_ops(const struct net *n, struct base_errors *errors);
/* Sizes and a first state of a switch model that was just built. */
int net_check_switch(struct net *n, struct base_errors *errors);
/* net_host_ops, with what the switch model says checked. */
extern const struct sw_host_ops net_checked_host_ops;

/* Do queues() and queue_bytes_each() say what queue_bytes() says of `count` outputs from `first` on? */
void net_check_depths(const struct sw_call *call, uint32_t first, uint32_t count);

/* Has any plug-in of this network been refuted, as far as this rank knows? Any thread may ask. */
bool net_refuted_here(const struct net *n);
/* Collective. */
bool net_refuted_on_any(const struct net *n);
/* The same of all ranks, collective; rank 0 gets the sentence as an error. */
bool net_refuted(const struct net *n, struct base_errors *errors);

#endif

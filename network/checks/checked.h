/* network/checks/checked.h - checks of plug-ins from shared objects, as far as the network calls them. Inside network/
 * only. */
#ifndef NETWORK_CHECKED_H
#define NETWORK_CHECKED_H

#include "network/net.h"

/* Are all functions present that this network will call? */
int net_check_switch_ops(const struct net *n, struct base_errors *errors);
/* Checks the sizes and the initial state of a switch model that was just built. */
int net_check_switch(struct net *n, struct base_errors *errors);
/* net_host_ops with checks of the switch model's calls. */
extern const struct sw_host_ops net_checked_host_ops;

/* Do queues() and queue_bytes_each() agree with queue_bytes() for `count` outputs from `first` on? */
void net_check_depths(const struct sw_call *call, uint32_t first, uint32_t count);

/* Has any plug-in of this network violated its contract, as far as this rank knows? Any thread may ask. */
bool net_refuted_here(const struct net *n);
/* Collective. */
bool net_refuted_on_any(const struct net *n);
/* Has any plug-in violated its contract on any rank? Collective; rank 0 gets the description as an error. */
bool net_refuted(const struct net *n, struct base_errors *errors);

#endif

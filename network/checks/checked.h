/* network/checks/checked.h - checks of plug-ins from shared objects at their interface to the network. Inside network/
 * only. */
#ifndef NETWORK_CHECKED_H
#define NETWORK_CHECKED_H

#include "network/net.h"

/* Checks that the switch model has all functions that this network will call; otherwise -1 with errors. */
int net_check_switch_ops(const struct net *n, struct base_errors *errors);
/* Checks the sizes and the initial state of a switch model that was just built; -1 with errors. */
int net_check_switch(struct net *n, struct base_errors *errors);
/* The functions of net_host_ops, which check every call of the switch model before they execute it. */
extern const struct sw_host_ops net_checked_host_ops;

/* Checks that queues() and queue_bytes_each() of the switch model return the same as queue_bytes() for the `count`
 * outputs from output `first` on. A difference is recorded as a violation. */
void net_check_depths(const struct sw_call *call, uint32_t first, uint32_t count);

/* Returns whether any plug-in of this network has violated its contract, as far as this rank knows. May be called from
 * any thread. */
bool net_refuted_here(const struct net *n);
/* Collective. */
bool net_refuted_on_any(const struct net *n);
/* Returns whether any plug-in has violated its contract on any rank. Collective; on rank 0 the description of the
 * violation is added to `errors`. */
bool net_refuted(const struct net *n, struct base_errors *errors);

#endif

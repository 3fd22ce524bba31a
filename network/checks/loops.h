/* network/checks/loops.h - the rate that one lane of a link sustains over its credit loop. */
#ifndef NETWORK_CHECKS_LOOPS_H
#define NETWORK_CHECKS_LOOPS_H

#include "network/net.h"

/* Fills in one entry for each link class that has cables, for the largest packet of the traffic. loops->n is 0 if the
 * switch model does not report its credit loop. */
void net_find_credit_loops(const struct net *n, struct net_credit_loops *loops);
/* With several traffic classes, adds a warning at the key `switch.buffer` for each link class on which a single lane
 * cannot sustain the full rate of the link. */
void net_warn_of_lanes(const struct net *n, struct base_errors *errors);

#endif

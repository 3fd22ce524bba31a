/* network/checks/loops.h - what one lane of a link carries over the loop of its credits. */
#ifndef NETWORK_CHECKS_LOOPS_H
#define NETWORK_CHECKS_LOOPS_H

#include "network/net.h"

/* By class of link, for the largest packet of the traffic; n = 0 where the switch does not say. */
void net_find_credit_loops(const struct net *n, struct net_credit_loops *loops);
/* A warning of `switch.buffer` for each class of link of which one lane cannot carry the full rate, with several
 * classes of traffic. */
void net_warn_of_lanes(const struct net *n, struct base_errors *errors);

#endif

/* network/checks/loops.h - the rate that one lane of a link sustains over its credit loop. */
#ifndef NETWORK_CHECKS_LOOPS_H
#define NETWORK_CHECKS_LOOPS_H

#include "network/net.h"

/* By link class, for the largest packet of the traffic; n = 0 if the switch does not report it. */
void net_find_credit_loops(const struct net *n, struct net_credit_loops *loops);
/* Adds a warning to `switch.buffer` for each link class of which a single lane cannot sustain the full rate, with
 * several traffic classes. */
void net_warn_of_lanes(const struct net *n, struct base_errors *errors);

#endif

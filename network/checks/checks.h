/* network/checks/checks.h - what is checked before a run and at its end. */
#ifndef NETWORK_CHECKS_H
#define NETWORK_CHECKS_H

#include "network/net.h"

/* effects.c: windows that the scheduler would not make so wide */
int net_check_window(const struct net *n, struct base_errors *errors);

/* checks.c: conservation at the end; false: violated, errors say. */
bool net_conserved(struct net *n, struct base_errors *errors);
/* deadlock.c: what waits for itself, malloc'ed, or NULL; collective, the same on all ranks. Time: a visit to all
 * waiting packets for each link of the longest chain in which one waits for the next. stands [jobs], zeroed: 1 for
 * jobs some packets of which do. */
char *net_find_deadlock(struct net *n, uint64_t *stands);
/* held.c: packets that wait though no event is left, likewise. After net_conserved(). */
char *net_find_held(struct net *n, uint64_t *stands);

#endif

/* network/checks/checks.h - checks before a run and at its end. */
#ifndef NETWORK_CHECKS_H
#define NETWORK_CHECKS_H

#include "network/net.h"

/* Adds errors for windows that are wider than the scheduler would make them. effects.c */
int net_check_window(const struct net *n, struct base_errors *errors);

/* Checks conservation at the end of the run; false: violated, with errors. checks.c */
bool net_conserved(struct net *n, struct base_errors *errors);
/* Returns a description of packets that wait for each other, malloc'ed, or NULL; collective, the same on all ranks.
 * Time: one visit to all waiting packets for each link of the longest chain of waiting packets. stands[jobs], initially
 * zero, is set to 1 for jobs with such packets. deadlock.c */
char *net_find_deadlock(struct net *n, uint64_t *stands);
/* Returns a description of packets that wait although no event is pending, likewise. Called after net_conserved().
 * held.c */
char *net_find_held(struct net *n, uint64_t *stands);

#endif

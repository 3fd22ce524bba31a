/* network/checks/checks.h - checks before a run and at its end. */
#ifndef NETWORK_CHECKS_H
#define NETWORK_CHECKS_H

#include "network/net.h"

/* Adds an error if engine.window exceeds the lookahead and the scheduler does not speculate, so that the excess has no
 * effect. Returns -1 then. effects.c */
int net_check_window(const struct net *n, struct base_errors *errors);

/* Checks at the end of the run that packets, bytes and credits are conserved. Returns false, with errors, if they are
 * not. checks.c */
bool net_conserved(struct net *n, struct base_errors *errors);
/* Finds packets that wait for each other. Returns a description of them, which the caller frees, or NULL if there are
 * none; collective, the same on all ranks. Time: one visit to all waiting packets for each link of the longest chain of
 * waiting packets. stands[jobs] must be zero, and is set to 1 for jobs with such packets. deadlock.c */
char *net_find_deadlock(struct net *n, uint64_t *stands);
/* Finds packets that wait although no event is pending. Result and `stands` are as for net_find_deadlock(). Must be
 * called after net_conserved(). held.c */
char *net_find_held(struct net *n, uint64_t *stands);

#endif

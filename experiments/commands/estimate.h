/* experiments/commands/estimate.h - the estimate of the memory that `tilefly run` needs. Option --estimate prints it,
 * and a run that cannot fit is rejected before it starts. */
#ifndef EXPERIMENTS_COMMANDS_ESTIMATE_H
#define EXPERIMENTS_COMMANDS_ESTIMATE_H

#include "experiments/commands/command.h"
#include "network/network.h"

/* Computes for how many ranks memory is estimated, and how many of them share a host: the values of --ranks and
 * --per-node, by default the running ranks. Returns 0, or -1 after rank 0 has printed an error. */
int xp_estimate_ranks(const struct xp_options *o, int *ranks, int *per_host);
void xp_estimate_print(const struct net_memory *m);
void xp_estimate_print_cut(const struct net_cut *c, int ranks);
/* Compares the estimated memory of a run with the available memory. Returns XP_GO_ON if the run fits, or, after a
 * warning, if it may not fit. Otherwise prints the reason and returns XP_USAGE. */
int xp_estimate_judge(const struct net_memory *m);

#endif

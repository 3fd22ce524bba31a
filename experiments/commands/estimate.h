/* experiments/commands/estimate.h - the memory that `tilefly run` would need: printed with --estimate, and judged
 * before a run that cannot fit. */
#ifndef EXPERIMENTS_COMMANDS_ESTIMATE_H
#define EXPERIMENTS_COMMANDS_ESTIMATE_H

#include "experiments/commands/command.h"
#include "network/network.h"

/* The number of ranks, and how many of them are on a host: those of --ranks and --per-node, else those that there are.
 * -1: an error, which rank 0 has printed. */
int xp_estimate_ranks(const struct xp_options *o, int *ranks, int *per_host);
void xp_estimate_print(const struct net_memory *m);
void xp_estimate_print_cut(const struct net_cut *c, int ranks);
/* XP_GO_ON if the run fits or may fit, with a warning if it may not; else says why not. */
int xp_estimate_judge(const struct net_memory *m);

#endif

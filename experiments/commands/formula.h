/* experiments/commands/formula.h - a run whose network is a formula (section network): the schedules of its jobs, each
 * by itself, since nothing contends between them. */
#ifndef EXPERIMENTS_COMMANDS_FORMULA_H
#define EXPERIMENTS_COMMANDS_FORMULA_H

#include "network/network.h"

struct xp_formula_run {
	struct topo topo; /* it says how many endpoints there are */
	bool has_topo, has_traffic;
	struct net_traffic traffic;
	struct net_result result; /* a message counts as a packet; latencies are not known */
};

/* Collective: all ranks fail, or some, -1 or, of what cannot come to its end, 1, with errors. xp_formula_free() frees
 * *out either way. */
int xp_formula_play(struct xp_formula_run *out, const struct net_config *config, struct base_errors *errors);
void xp_formula_free(struct xp_formula_run *run);

#endif

/* experiments/commands/formula.h - runs with an analytical network model (section network): the schedule of each job is
 * replayed separately, because there is no contention between jobs. */
#ifndef EXPERIMENTS_COMMANDS_FORMULA_H
#define EXPERIMENTS_COMMANDS_FORMULA_H

#include "network/network.h"

struct xp_formula_run {
	struct topo topo; /* it says how many endpoints there are */
	bool has_topo, has_traffic;
	struct net_traffic traffic;
	struct net_result result; /* a message counts as a packet; latencies are not known */
};

/* Collective. Returns -1 on all ranks or on some after errors, 1 with errors if a schedule cannot end, else 0. Call
 * xp_formula_free() for *out in any case. */
int xp_formula_play(struct xp_formula_run *out, const struct net_config *config, struct base_errors *errors);
void xp_formula_free(struct xp_formula_run *run);

#endif

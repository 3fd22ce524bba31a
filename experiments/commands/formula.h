/* experiments/commands/formula.h - runs with an analytical network model (section network). Each job is simulated
 * separately, because such a model has no contention between jobs. */
#ifndef EXPERIMENTS_COMMANDS_FORMULA_H
#define EXPERIMENTS_COMMANDS_FORMULA_H

#include "network/network.h"

struct xp_formula_run {
	struct topo topo; /* it says how many endpoints there are */
	bool has_topo, has_traffic;
	struct net_traffic traffic;
	struct net_result result; /* a message counts as a packet; latencies are not known */
};

/* Simulates all jobs of a configuration on the analytical network model. Collective. Returns 0; 1 with errors if the
 * schedule of some job cannot complete; -1 after other errors, which may occur on some ranks only. The caller must
 * release *out by xp_formula_free() in any case. */
int xp_formula_play(struct xp_formula_run *out, const struct net_config *config, struct base_errors *errors);
void xp_formula_free(struct xp_formula_run *run);

#endif

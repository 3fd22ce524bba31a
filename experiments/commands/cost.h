/* experiments/commands/cost.h - the functions that print the output of `tilefly cost`. */
#ifndef EXPERIMENTS_COMMANDS_COST_H
#define EXPERIMENTS_COMMANDS_COST_H

#include "experiments/costing/costing.h"

/* Prints the cost of one network with all details, or the costs of several networks as a table, followed by the factors
 * on prices at which their order changes. */
void xp_cost_print_text(const struct xp_costing *c, int n);
void xp_cost_print_json(const struct xp_costing *c, int n);

#endif

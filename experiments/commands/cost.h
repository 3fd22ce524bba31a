/* experiments/commands/cost.h - `tilefly cost`: printing. */
#ifndef EXPERIMENTS_COMMANDS_COST_H
#define EXPERIMENTS_COMMANDS_COST_H

#include "experiments/costing/costing.h"

/* One network, all of it; several, a table and where their order changes. */
void xp_cost_print_text(const struct xp_costing *c, int n);
void xp_cost_print_json(const struct xp_costing *c, int n);

#endif

/* experiments/commands/size.h - `tilefly size`: printing. */
#ifndef EXPERIMENTS_COMMANDS_SIZE_H
#define EXPERIMENTS_COMMANDS_SIZE_H

#include "base/json.h"
#include "experiments/costing/sizing.h"

/* Prints the families in the order of the objective. */
void xp_size_print_text(const struct xp_wish *wish, struct xp_sized *const *sized, int n);
/* Prints which members were examined, and which were excluded by which bound. size_explain.c */
void xp_size_explain_text(const struct xp_wish *wish, struct xp_sized *const *sized, int n);
void xp_size_explain_json(struct base_json *j, const struct xp_sized *sized);
void xp_size_print_json(const struct xp_wish *wish, struct xp_sized *const *sized, int n);

#endif

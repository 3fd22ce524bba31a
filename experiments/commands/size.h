/* experiments/commands/size.h - the functions that print the output of `tilefly size`. */
#ifndef EXPERIMENTS_COMMANDS_SIZE_H
#define EXPERIMENTS_COMMANDS_SIZE_H

#include "base/json.h"
#include "experiments/costing/sizing.h"

/* Prints the best member of each topology family, sorted by the objective of the search. */
void xp_size_print_text(const struct xp_wish *wish, struct xp_sized *const *sized, int n);
/* Prints which members of each family were examined, and which bound excluded each of the others. size_explain.c */
void xp_size_explain_text(const struct xp_wish *wish, struct xp_sized *const *sized, int n);
void xp_size_explain_json(struct base_json *j, const struct xp_sized *sized);
void xp_size_print_json(const struct xp_wish *wish, struct xp_sized *const *sized, int n);

#endif

/* experiments/config/kind.h - detects the command that a file is for: configurations, experiments and studies look
 * similar, but each has a key that no other kind has. */
#ifndef EXPERIMENTS_CONFIG_KIND_H
#define EXPERIMENTS_CONFIG_KIND_H

#include "experiments/config/tree.h"

enum xp_kind { XP_KIND_RUN, XP_KIND_SWEEP, XP_KIND_COMPARE, XP_KIND_DESIGN };

/* NULL if the file may be of the requested kind; otherwise a text that says what it is and which command runs it. */
const char *xp_kind_other(const struct xp_node *root, enum xp_kind wanted, char out[200]);

#endif

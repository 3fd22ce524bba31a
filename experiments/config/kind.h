/* experiments/config/kind.h - which command a file is for: configurations, experiments and studies look alike, and each
 * has a key that no other kind has. */
#ifndef EXPERIMENTS_CONFIG_KIND_H
#define EXPERIMENTS_CONFIG_KIND_H

#include "experiments/config/tree.h"

enum xp_kind { XP_KIND_RUN, XP_KIND_SWEEP, XP_KIND_COMPARE, XP_KIND_DESIGN };

/* NULL: it may be of the kind that is wanted; else what it is instead, and what to do with it. */
const char *xp_kind_other(const struct xp_node *root, enum xp_kind wanted, char out[200]);

#endif

/* experiments/config/kind.h - detects whether a file is a configuration, an experiment or another study. These files
 * look similar, but each kind has a key that the others lack. */
#ifndef EXPERIMENTS_CONFIG_KIND_H
#define EXPERIMENTS_CONFIG_KIND_H

#include "experiments/config/tree.h"

enum xp_kind { XP_KIND_RUN, XP_KIND_SWEEP, XP_KIND_COMPARE, XP_KIND_DESIGN };

/* Returns NULL if the file may be of the requested kind. Otherwise returns a text that says of which kind it is, and
 * which command runs it. */
const char *xp_kind_other(const struct xp_node *root, enum xp_kind wanted, char out[200]);

#endif

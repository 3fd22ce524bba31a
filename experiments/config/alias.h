/* experiments/config/alias.h - keys that have a second name.
 *
 * A tree is renamed once, before it is read; the rest of the program knows the first names only. Messages give the name
 * as it was written (struct xp_node). */
#ifndef EXPERIMENTS_CONFIG_ALIAS_H
#define EXPERIMENTS_CONFIG_ALIAS_H

#include "base/error.h"
#include "experiments/config/tree.h"

/* Gives keys written by their second name the first one. Both names in one file, or in one assignment, are an error.
 * To be called after each assignment: the value of the last one is kept, whichever name it uses. `name` is what
 * messages call the file. */
void xp_alias_resolve(struct xp_node *root, const char *name, struct base_errors *errors);

/* The second name of a key in a section ("mpi", "overhead"); `plugin` is the plug-in whose key it is, NULL: one of the
 * section's own. NULL: it has none. */
const char *xp_alias_of(const char *section, const char *plugin, const char *key);

#endif

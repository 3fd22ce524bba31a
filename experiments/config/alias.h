/* experiments/config/alias.h - keys that have a second name.
 *
 * Second names are replaced in the tree before it is read; the rest of the program knows only the first names. Messages
 * use the name that the user wrote (struct xp_node). */
#ifndef EXPERIMENTS_CONFIG_ALIAS_H
#define EXPERIMENTS_CONFIG_ALIAS_H

#include "base/error.h"
#include "experiments/config/tree.h"

/* Renames keys that are written with their second name. Both names in one file, or in one assignment, are an error.
 * Must be called after each assignment, so that the last assignment wins whichever name it uses. `name` is used in
 * messages. */
void xp_alias_resolve(struct xp_node *root, const char *name, struct base_errors *errors);

/* The second name of a key in a section, as in ("mpi", "overhead"); `plugin` is the plug-in whose key it is, NULL for a
 * key of the section itself. NULL: it has none. */
const char *xp_alias_of(const char *section, const char *plugin, const char *key);

#endif

/* experiments/config/alias.h - keys that have a second name.
 *
 * Second names are replaced in the tree before it is read; the rest of the program knows only the first names. Messages
 * use the name that the user wrote (struct xp_node). */
#ifndef EXPERIMENTS_CONFIG_ALIAS_H
#define EXPERIMENTS_CONFIG_ALIAS_H

#include "base/error.h"
#include "experiments/config/tree.h"

/* Replaces the second names of keys in a configuration tree by the first ones. It is an error if one file, or one
 * assignment, contains both names of a key. Must be called after each assignment, so that the last one wins whichever
 * name it uses. `name` identifies the configuration in messages. */
void xp_alias_resolve(struct xp_node *root, const char *name, struct base_errors *errors);

/* Returns the second name of a key, or NULL if it has none. The key belongs to a section, as in ("mpi", NULL,
 * "overhead"), or to a plug-in of that section if `plugin` is not NULL. */
const char *xp_alias_of(const char *section, const char *plugin, const char *key);

#endif

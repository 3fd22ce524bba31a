/* experiments/config/builtin.h - registers the built-in plug-ins. */
#ifndef EXPERIMENTS_CONFIG_BUILTIN_H
#define EXPERIMENTS_CONFIG_BUILTIN_H

#include "base/plugin.h"

/* Adds the built-in plug-ins to an empty registry. */
void xp_register_builtin(struct base_registry *registry);

#endif

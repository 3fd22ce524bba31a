/* experiments/config/builtin.h - the plug-ins that come with tilefly. */
#ifndef EXPERIMENTS_CONFIG_BUILTIN_H
#define EXPERIMENTS_CONFIG_BUILTIN_H

#include "base/plugin.h"

/* Adds all of them to an empty registry. */
void xp_register_builtin(struct base_registry *registry);

#endif

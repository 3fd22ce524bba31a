/* experiments/commands/registry.h - registers the plug-ins that a command can use. */
#ifndef EXPERIMENTS_COMMANDS_REGISTRY_H
#define EXPERIMENTS_COMMANDS_REGISTRY_H

#include "base/error.h"
#include "base/plugin.h"
#include "experiments/commands/options.h"

/* Registers the built-in plug-ins and those of the files given by --plugin. Returns 0, or -1 with errors. */
int xp_open_registry(struct base_registry *registry, const struct xp_options *o, struct base_errors *errors);

#endif

/* experiments/commands/registry.c - see registry.h */
#include "experiments/commands/registry.h"

#include "experiments/config/builtin.h"

#include <stdio.h>

int xp_open_registry(struct base_registry *registry, const struct xp_options *o, struct base_errors *errors)
{
	int status = 0;
	xp_register_builtin(registry);
	for (size_t i = 0; i < o->nplugins; i++) {
		char place[600];
		snprintf(place, sizeof place, "@--plugin %.500s", o->plugins[i]);
		errors->scope = place;
		if (base_load_plugins(registry, o->plugins[i], errors))
			status = -1;
		errors->scope = NULL;
	}
	return status;
}

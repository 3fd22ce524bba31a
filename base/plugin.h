/* base/plugin.h - a plug-in is one const descriptor; the registry is a list of them.
 *
 * The descriptor (name, parameters, help) stands apart from the table of functions `ops`, whose type
 * depends on `kind`: struct topo_ops, sw_ops, rt_ops, cc_ops, wl_pattern_ops, wl_injection_ops.
 * Built-in plug-ins are listed in experiments/builtin.c, one line each. A shared object given with
 * --plugin exports `const struct base_plugin *const tilefly_plugins[]`, ended by NULL, and
 * `const unsigned tilefly_plugin_abi = BASE_PLUGIN_ABI`. */
#ifndef BASE_PLUGIN_H
#define BASE_PLUGIN_H

#include "base/error.h"
#include "base/param.h"

#define BASE_PLUGIN_ABI 5u

struct base_plugin {
	const char *kind;                /* "topology", "switch", "routing", "congestion", "pattern", "injection" */
	const char *name;                /* what the configuration calls it */
	const char *summary;             /* one line */
	const char *source;              /* paper, section; or NULL */
	const struct base_param *params; /* ended by a row whose name is NULL; may be NULL */
	size_t params_bytes;             /* size of the struct that `params` fills */
	const void *ops;
};

struct base_registry {
	const struct base_plugin **v;
	size_t n, cap;
	void **handles; /* of loaded shared objects */
	size_t nhandles;
};

/* Adds a plug-in. A second one of the same kind and name is an error. */
int base_register(struct base_registry *registry, const struct base_plugin *plugin, struct base_errors *errors);
/* NULL when there is none. */
const struct base_plugin *base_find(const struct base_registry *registry, const char *kind, const char *name);
/* Loads a shared object and registers what it exports. */
int base_load_plugins(struct base_registry *registry, const char *path, struct base_errors *errors);
void base_registry_free(struct base_registry *registry);

#endif

/* base/plugin.h - a plug-in is one const descriptor; the registry is a list of them.
 *
 * The descriptor (name, parameters, help) stands apart from the table of functions `ops`, whose type
 * depends on `kind`: struct topo_ops, sw_ops, rt_ops, cc_ops, wl_pattern_ops, wl_injection_ops, topo_cost_ops,
 * sw_arbiter_ops, sw_allocator_ops.
 * Built-in plug-ins are listed in experiments/config/builtin.def, one line each. A shared object given with
 * --plugin exports `const struct base_plugin *const tilefly_plugins[]`, ended by NULL, and
 * `const unsigned tilefly_plugin_abi = BASE_PLUGIN_ABI`. */
#ifndef BASE_PLUGIN_H
#define BASE_PLUGIN_H

#include "base/error.h"
#include "base/param.h"

#define BASE_PLUGIN_ABI 48u

/* What the program keeps about a plug-in that came from a shared object. Built-in ones are tested and trusted; what a
 * loaded one says is checked, at the start where that can be, else when it says it. */
struct base_loaded {
	char *path;
	int state;      /* 0: nothing was found wrong; see base_refute() */
	char said[500]; /* what it said that cannot be so, once */
};

struct base_plugin {
	const char *kind;                /* "topology", "switch", "routing", "congestion", "pattern", "injection",
	                                    "process", "cost", "arbiter", "allocator" */
	const char *name;                /* what the configuration calls it */
	const char *summary;             /* one line */
	const char *source;              /* paper, section; or NULL */
	const struct base_param *params; /* ended by a row whose name is NULL; may be NULL */
	size_t params_bytes;             /* size of the struct that `params` fills */
	const void *ops;
	const struct base_condition *conditions; /* of parameters; ended by one whose keys are NULL; may be NULL */
	/* Visits, in an order that is always the same, the files that are read besides those that the parameters name:
	 * of a trace those beside it, of a model what it includes. Called when a result is to say what it was made
	 * from, with parameters that may not be valid. May be NULL. */
	void (*files)(const void *params, void (*visit)(void *arg, const char *path), void *arg);
	struct base_loaded *loaded; /* set by the program; NULL: built in. A plug-in leaves it out */
};

struct base_registry {
	const struct base_plugin **v;
	size_t n, cap;
	struct base_plugin **loaded; /* copies of the descriptors that came from shared objects */
	size_t nloaded;
	void **handles; /* of loaded shared objects */
	char **paths;   /* the file of each */
	size_t nhandles;
};

/* Adds a plug-in. A second one of the same kind and name is an error. */
int base_register(struct base_registry *registry, const struct base_plugin *plugin, struct base_errors *errors);
/* NULL when there is none. */
const struct base_plugin *base_find(const struct base_registry *registry, const char *kind, const char *name);
/* The names of the plug-ins of a kind, and then `words` (may be NULL), as choices "a|b|c"; to be freed. */
char *base_plugin_choices(const struct base_registry *registry, const char *kind, const char *words);
/* Finds the plug-ins that parameters of type BASE_PLUGIN name. For a name that is neither a plug-in nor among the
 * parameter's words: an error with what it could mean, and the parameter has its default. Returns 0 or -1. */
int base_bind_plugins(const struct base_registry *registry, const struct base_param *table, void *params,
                      struct base_errors *errors);
/* Loads a shared object and registers what it exports; one that is loaded already is left as it is. The file and the
 * descriptors are checked first; what the functions say is the business of the rooms that call them. */
int base_load_plugins(struct base_registry *registry, const char *path, struct base_errors *errors);
void base_registry_free(struct base_registry *registry);

/* Is a descriptor such that its parameters can be read and its functions looked for? */
int base_check_plugin(const struct base_plugin *plugin, const char *path, struct base_errors *errors);

/* A loaded plug-in has said something that cannot be so: the function, its arguments and its answer. The first that is
 * reported is kept. Whoever calls it goes on with a harmless answer; whoever is in charge asks base_refuted() at the
 * next opportunity. Any thread may call it. */
void base_refute(const struct base_plugin *plugin, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The whole sentence, as in: topology "x": peer(3, 2) says ...; NULL: nothing was found wrong. */
const char *base_refuted(const struct base_plugin *plugin);
/* -1 with that sentence as an error of `key` if there is one. */
int base_report_refuted(const struct base_plugin *plugin, const char *key, struct base_errors *errors);

/* For rooms that build something of a plug-in: a required function is NULL. Returns -1. */
int base_missing(const struct base_plugin *plugin, const char *function, struct base_errors *errors);
/* What a build() has returned, as 0 or -1 - with an error if it failed without giving a reason. `before`:
 * errors->errors before the call. */
int base_built(const struct base_plugin *plugin, int status, size_t before, struct base_errors *errors);

#endif

/* base/plugin.h - a plug-in is one const descriptor; the registry is a list of them.
 *
 * The descriptor (name, parameters, help) is separate from its table of functions, `ops`, whose type depends on `kind`:
 * struct topo_ops, sw_ops, rt_ops, cc_ops, wl_pattern_ops, wl_injection_ops, topo_cost_ops, sw_arbiter_ops,
 * sw_allocator_ops. Built-in plug-ins are listed in experiments/config/builtin.def, one line each. A shared object
 * given with --plugin exports `const struct base_plugin *const tilefly_plugins[]`, ended by NULL, and `const unsigned
 * tilefly_plugin_abi = BASE_PLUGIN_ABI`. */
#ifndef BASE_PLUGIN_H
#define BASE_PLUGIN_H

#include "base/error.h"
#include "base/param.h"

#define BASE_PLUGIN_ABI 53u

/* State of a plug-in from a shared object. Built-in plug-ins are trusted. The values that a plug-in from a shared
 * object returns are checked: at the start where possible, otherwise whenever it returns them. */
struct base_loaded {
	char *path;
	int state;      /* 0: no invalid value so far; see base_refute() */
	char said[500]; /* the first report of an invalid value */
};

struct base_plugin {
	const char *kind;                /* "topology", "switch", "routing", "congestion", "pattern", "injection",
	                                    "process", "cost", "arbiter", "allocator" */
	const char *name;                /* its name in configurations */
	const char *summary;             /* one line */
	const char *source;              /* paper, section; or NULL */
	const struct base_param *params; /* ended by a row whose name is NULL; may be NULL */
	size_t params_bytes;             /* size of the struct that `params` fills */
	const void *ops;
	const struct base_condition *conditions; /* of parameters; ended by one whose keys are NULL; may be NULL */
	/* Visits, in a fixed order, the files that the plug-in reads in addition to those that its parameters name: the
	 * other files of a trace, or the includes of a model. Called when the inputs of a result are recorded; the
	 * parameters may be invalid. May be NULL. */
	void (*files)(const void *params, void (*visit)(void *arg, const char *path), void *arg);
	struct base_loaded *loaded; /* set by the program, not by the plug-in; NULL: built in */
};

/* How a descriptor begins. */
#define BASE_DESCRIBE(kind_, name_, table, type, functions) \
	.kind = (kind_), .name = (name_), .params = (table), .params_bytes = sizeof(type), .ops = (functions)

struct base_registry {
	const struct base_plugin **v;
	size_t n, cap;
	struct base_plugin **loaded; /* copies of the descriptors that came from shared objects */
	size_t nloaded;
	void **handles; /* of loaded shared objects */
	char **paths;   /* the file of each */
	size_t nhandles;
};

/* Registers a plug-in. Returns -1 with an error if one of the same kind and name is already registered. */
int base_register(struct base_registry *registry, const struct base_plugin *plugin, struct base_errors *errors);
/* The plug-in of a kind and name, or NULL if there is none. */
const struct base_plugin *base_find(const struct base_registry *registry, const char *kind, const char *name);
/* The names of all plug-ins of a kind, followed by `words` (may be NULL), as a choices string "a|b|c". The caller frees
 * it. */
char *base_plugin_choices(const struct base_registry *registry, const char *kind, const char *words);
/* Resolves parameters of type BASE_PLUGIN. A name that is neither a plug-in nor among the parameter's words is an error
 * with a suggestion, and the parameter keeps its default. Returns 0 or -1. */
int base_bind_plugins(const struct base_registry *registry, const struct base_param *table, void *params,
                      struct base_errors *errors);
/* Loads a shared object and registers the plug-ins that it exports; a second load of the same file does nothing. The
 * file and the descriptors are checked before the plug-ins are registered. The values that their functions return are
 * checked by the callers of these functions. */
int base_load_plugins(struct base_registry *registry, const char *path, struct base_errors *errors);
void base_registry_free(struct base_registry *registry);

/* Checks that a descriptor is complete: its parameters can be read and its functions are known. Returns 0, or -1 with
 * an error. */
int base_check_plugin(const struct base_plugin *plugin, const char *path, struct base_errors *errors);

/* Reports an invalid value that a loaded plug-in has returned: the function, its arguments and its answer. Only the
 * first report is kept. The caller of the plug-in then continues with a harmless value, and the simulation calls
 * base_refuted() at the next opportunity. Any thread may call base_refute(). */
void base_refute(const struct base_plugin *plugin, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The report as a whole sentence, for example: topology "x": peer(3, 2) says ... NULL if no invalid value was
 * reported. */
const char *base_refuted(const struct base_plugin *plugin);
/* If an invalid value was reported, adds the sentence of base_refuted() as an error for `key` and returns -1. */
int base_report_refuted(const struct base_plugin *plugin, const char *key, struct base_errors *errors);

/* Adds an error: a required function of the plug-in is NULL. Returns -1. */
int base_missing(const struct base_plugin *plugin, const char *function, struct base_errors *errors);
/* Converts `status`, the return value of a plug-in's build(), to 0 or -1. Adds an error if build() failed without
 * adding one; `before` is the value of errors->errors before build() was called. */
int base_built(const struct base_plugin *plugin, int status, size_t before, struct base_errors *errors);

#endif

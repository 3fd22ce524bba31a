/* experiments/config/config.h - reads a configuration file and the assignments of --set into a struct net_config.
 *
 * Everything is checked, and every problem is reported with its location. The resolved configuration can be written as
 * libconfig text, which reads back to the same configuration, and as JSON. */
#ifndef EXPERIMENTS_CONFIG_CONFIG_H
#define EXPERIMENTS_CONFIG_CONFIG_H

#include "base/error.h"
#include "base/json.h"
#include "base/plugin.h"
#include "experiments/config/tree.h"
#include "network/config.h"
#include "topo/topo.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct xp_config {
	struct net_config net;
	struct xp_node *tree; /* for the places of errors; NULL if the file could not be read */
	char *name;           /* what messages call the file */
	char *folder;         /* relative file names in it start here; NULL: the working folder */
};

/* Assignments "PATH=VALUE" to configuration keys, which are applied in this order. */
struct xp_sets {
	const char *const *v;
	size_t n;
	const char *const *at; /* [n]: where each is written, "FILE:LINE"; NULL, of one or all: --set */
};

enum xp_config_scope {
	XP_WHOLE,         /* all that a run needs */
	XP_TOPOLOGY_ONLY, /* sections that only a run needs may be missing; what is there is checked all the same */
};

/* Reads `source`, which is a file, "-" for standard input, or the name of a shipped configuration; applies the
 * assignments `sets` (NULL: none); loads its plug-ins into the registry, which must outlive the configuration; fills
 * config->net. Returns -1 with errors if there are any. Call xp_config_free() in any case. */
int xp_config_load(struct xp_config *config, const char *source, const struct xp_sets *sets, enum xp_config_scope scope,
                   struct base_registry *registry, struct base_errors *errors);

/* Parses a configuration from text in memory, otherwise like xp_config_load(). `name` identifies the text in messages;
 * relative paths start at `folder`, which may be NULL. */
int xp_config_parse(struct xp_config *config, const char *text, size_t bytes, const char *name, const char *folder,
                    const struct xp_sets *sets, enum xp_config_scope scope, struct base_registry *registry,
                    struct base_errors *errors);

/* Checks also the topology and the links of a configuration that has errors already, as far as these permit it, so that
 * all problems are reported at once. check.c */
void xp_config_look_further(const struct xp_config *config, struct base_errors *errors);

/* Checks whether the topology of a configuration without errors can be built, and has all endpoints that the traffic
 * uses. Does not read the files of applications. Returns 0, or -1 with errors. check.c */
int xp_config_check_traffic(const struct xp_config *config, struct base_errors *errors);

void xp_config_free(struct xp_config *config);

#define XP_MOST_ERRORS 100u
/* Prints errors and warnings, one per line, as FILE:LINE: key: text. After XP_MOST_ERRORS lines it prints only the
 * number of the remaining ones. config may be NULL. */
void xp_config_report(const struct xp_config *config, const struct base_errors *errors, FILE *out);
/* Appends to `out` the line that xp_config_report() prints for one error, without the newline: location, key and text,
 * with control characters replaced. */
void xp_config_line(const struct xp_config *config, const struct base_error *error, struct base_buffer *out);
/* Writes the location and the name of a configuration key to out, as messages begin, such as "FILE:LINE: topology.q".
 */
void xp_config_place(const struct xp_config *config, const char *key, char *out, size_t room);

/* Resolves a file name that occurs in a configuration. A relative path starts at the directory of the configuration
 * file that contains it. If no such file exists, NAME.aspen is the shipped application model of that name. Returns the
 * path, owned by the caller. plugins.c */
char *xp_config_path(const struct xp_config *config, const struct xp_node *node);
/* Converts a path to an absolute one, which does not depend on the working directory. Owned by the caller. */
char *xp_absolute_path(const char *path);

/* Adds entries to the configured link classes, so that each link class of the topology has one. A class that the
 * configuration does not name gets the values of links.default. `topo` must be the topology of the same configuration.
 * links.c */
void xp_config_fill_links(struct net_config *net, const struct topo *topo);

/* The name by which messages refer to standard input. */
#define XP_STDIN_NAME "<stdin>"

/* Calls `visit` for every file that a configuration names (values of type BASE_FILE and BASE_FILES) with its key, such
 * as "topology.file". For each further file that a plug-in reads, the key is XP_BESIDE and the plug-in's key: "files of
 * traffic.[0].dumpi". files.c */
#define XP_BESIDE "files of "
void xp_config_each_file(const struct net_config *net, void (*visit)(void *arg, const char *key, const char *path),
                         void *arg);

/* Appends the resolved configuration, with the values of all keys, to a buffer as libconfig text. print.c */
void xp_config_json(const struct net_config *net, struct base_json *json, const char *key);
void xp_config_text(const struct net_config *net, struct base_buffer *out);
/* Appends the resolved configuration without section `output`, so that a run with this text overwrites no results.
 * print.c */
void xp_config_replay(const struct net_config *net, struct base_buffer *out);
/* Appends the links of a configuration as one assignment, "links={ ... }". print.c */
void xp_config_links(const struct net_config *net, struct base_buffer *out);

/* Returns whether a result log may have this name, and sets *compressed: true for FILE.jsonl.gz, false for FILE.jsonl
 * and for "-", which is standard output. check.c */
bool xp_output_name(const char *path, bool *compressed);

/* --- between the files of the reader ---------------------------------------------------------------- */

/* Adds errors for keys that contradict each other; sets the names and the default class that the configuration leaves
 * out. check.c */
void xp_config_check(struct net_config *net, const struct base_registry *registry, struct base_errors *errors);
/* Adds an error for each key that is set but has no effect in this configuration. effect.c */
void xp_config_judge(const struct net_config *net, const struct base_registry *registry, struct base_errors *errors);
/* Loads the plug-ins that the configuration key `plugins` names into the registry. Returns 0, or -1 with errors.
 * plugins.c */
int xp_config_load_plugins(const struct xp_config *config, struct base_registry *registry, struct base_errors *errors);
/* Converts the tree to config->net, by the tables of sections and plug-ins. read.c */
void xp_config_read(struct xp_config *config, enum xp_config_scope scope, const struct base_registry *registry,
                    struct base_errors *errors);
/* Returns whether a configuration has a key or section of this name at the top level. If not, copies the most similar
 * name to `nearest`, or "" if none is similar. read.c */
bool xp_config_knows(const char *name, char nearest[64]);
/* Returns whether a parameter with default "" has the value zero, that is, was not set. The resolved configuration
 * leaves out such a key, unless the key would then inherit another value. print.c */
bool xp_param_unset(const struct base_param *p, const void *params);

#endif

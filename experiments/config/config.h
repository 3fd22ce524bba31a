/* experiments/config/config.h - from a configuration file and --set options to a struct net_config.
 *
 * Everything is checked, and every problem is reported with its location. The resolved configuration can be written as
 * libconfig text (which reads back to the same configuration) and as JSON. */
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

/* Assignments "PATH=VALUE" that are applied in order. */
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

/* The same for text in memory; `name` is used in messages. folder may be NULL. */
int xp_config_parse(struct xp_config *config, const char *text, size_t bytes, const char *name, const char *folder,
                    const struct xp_sets *sets, enum xp_config_scope scope, struct base_registry *registry,
                    struct base_errors *errors);

/* For a configuration with errors: also checks its topology and links, as far as the errors so far permit it, so that
 * all problems are reported at once. check.c */
void xp_config_look_further(const struct xp_config *config, struct base_errors *errors);

/* For a configuration without errors: can its topology be built, and does it have the endpoints that the traffic uses?
 * Files of applications are not read. Returns -1 with errors. check.c */
int xp_config_check_traffic(const struct xp_config *config, struct base_errors *errors);

void xp_config_free(struct xp_config *config);

#define XP_MOST_ERRORS 100u
/* Prints errors and warnings, one per line, as FILE:LINE: key: text; after XP_MOST_ERRORS only the number of the
 * remaining ones. config may be NULL. */
void xp_config_report(const struct xp_config *config, const struct base_errors *errors, FILE *out);
/* Formats one error as xp_config_report() prints it, without the newline: location, key and text, with control
 * characters replaced. */
void xp_config_line(const struct xp_config *config, const struct base_error *error, struct base_buffer *out);
/* The location and key of one error. */
void xp_config_place(const struct xp_config *config, const char *key, char *out, size_t room);

/* The path of a file named in a node: relative paths start at the directory of the file that contains the node; if
 * there is no such file, NAME.aspen is the shipped model of that name. Owned by the caller. plugins.c */
char *xp_config_path(const struct xp_config *config, const struct xp_node *node);
/* The same path as an absolute one, independent of the working directory. Owned by the caller. */
char *xp_absolute_path(const char *path);

/* Extends `links` to every class of the topology, which must be the configuration's: classes that it does not name get
 * the values of links.default. links.c */
void xp_config_fill_links(struct net_config *net, const struct topo *topo);

/* The name of standard input in messages. */
#define XP_STDIN_NAME "<stdin>"

/* Visits every file that the configuration names (parameters of type BASE_FILE and BASE_FILES) with its key, and other
 * files that its plug-ins read, with XP_BESIDE and the plug-in's key: "files of traffic.[0].dumpi". files.c */
#define XP_BESIDE "files of "
void xp_config_each_file(const struct net_config *net, void (*visit)(void *arg, const char *key, const char *path),
                         void *arg);

/* Writes the resolved configuration with the values of all keys. config_print.c */
void xp_config_json(const struct net_config *net, struct base_json *json, const char *key);
void xp_config_text(const struct net_config *net, struct base_buffer *out);
/* The same without section `output`, so that running it again overwrites nothing. */
void xp_config_replay(const struct net_config *net, struct base_buffer *out);
/* Its links alone, as one assignment "links={ ... }". */
void xp_config_links(const struct net_config *net, struct base_buffer *out);

/* Can a result log have this name? FILE.jsonl.gz is compressed, FILE.jsonl is not, "-" is standard output.
 * config_check.c */
bool xp_output_name(const char *path, bool *compressed);

/* --- between the files of the reader ---------------------------------------------------------------- */

/* Checks that involve several keys; fills in names and the default class. config_check.c */
void xp_config_check(struct net_config *net, const struct base_registry *registry, struct base_errors *errors);
/* Adds errors for keys that are set but have no effect. effect.c */
void xp_config_judge(const struct net_config *net, const struct base_registry *registry, struct base_errors *errors);
/* Loads the plug-ins that the key `plugins` names. plugins.c */
int xp_config_load_plugins(const struct xp_config *config, struct base_registry *registry, struct base_errors *errors);
/* Tree to net. config_read.c */
void xp_config_read(struct xp_config *config, enum xp_config_scope scope, const struct base_registry *registry,
                    struct base_errors *errors);
/* Is there a key or section of this name at the top level? If not, returns the most similar name in *near, or "".
 * read.c */
bool xp_config_knows(const char *name, char nearest[64]);
/* Is the value zero with default ""? Such a key is omitted from the resolved configuration, unless it would be
 * inherited. print.c */
bool xp_param_unset(const struct base_param *p, const void *params);

#endif

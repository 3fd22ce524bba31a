/* experiments/config.h - from a configuration file and --set options to a struct net_config.
 *
 * Everything is checked and every problem is reported, each with the place it was written at. The resolved
 * configuration can be written back as libconfig text (which reads back to the same) and as JSON. */
#ifndef EXPERIMENTS_CONFIG_H
#define EXPERIMENTS_CONFIG_H

#include "base/error.h"
#include "base/plugin.h"
#include "experiments/json.h"
#include "experiments/tree.h"
#include "network/config.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct xp_config {
	struct net_config net;
	struct xp_node *tree; /* for the places of errors; NULL if the file could not be read */
	char *name;           /* what messages call the file */
	char *folder;         /* relative file names in it start here; NULL: the working folder */
};

enum xp_config_scope {
	XP_WHOLE,         /* all that a run needs */
	XP_TOPOLOGY_ONLY, /* sections that only a run needs may be missing; what is there is checked all the same */
};

/* Reads `source`: a file, "-" for standard input, or the name of a shipped configuration; applies `sets` ("PATH=VALUE")
 * in order; fills config->net. Returns -1 with errors if anything is wrong; config is to be freed either way. */
int xp_config_load(struct xp_config *config, const char *source, const char *const *sets, size_t nsets,
                   enum xp_config_scope scope, const struct base_registry *registry, struct base_errors *errors);

/* The same for text in memory, which messages call `name`. folder may be NULL. */
int xp_config_parse(struct xp_config *config, const char *text, size_t bytes, const char *name, const char *folder,
                    const char *const *sets, size_t nsets, enum xp_config_scope scope,
                    const struct base_registry *registry, struct base_errors *errors);

void xp_config_free(struct xp_config *config);

/* Path of the file that `source` names: itself, or a shipped NAME.cfg. Returns a malloc'ed path, or NULL with errors,
 * the nearest shipped names suggested. Not for "-". */
char *xp_config_find(const char *source, struct base_errors *errors);

/* Prints every error and warning, one a line: FILE:LINE: key: text. config may be NULL. */
void xp_config_report(const struct xp_config *config, const struct base_errors *errors, FILE *out);
/* One error as xp_config_report() prints it, without the newline: place, key and text, control characters made
 * harmless. */
void xp_config_line(const struct xp_config *config, const struct base_error *error, struct xp_buffer *out);
/* The place and key of one error. */
void xp_config_place(const struct xp_config *config, const char *key, char *out, size_t room);

/* The resolved configuration, every key with its value. config_print.c */
void xp_config_json(const struct net_config *net, struct xp_json *json, const char *key);
void xp_config_text(const struct net_config *net, struct xp_buffer *out);

/* --- between the files of the reader ---------------------------------------------------------------- */

/* Checks that relate several keys; fills in names and the default class. config_check.c */
void xp_config_check(struct net_config *net, struct base_errors *errors);
/* Tree to net. config_read.c */
void xp_config_read(struct xp_config *config, enum xp_config_scope scope, const struct base_registry *registry,
                    struct base_errors *errors);
/* Zero with default "": such a key is left out of the resolved configuration. config_print.c */
bool xp_param_unset(const struct base_param *p, const void *params);

#endif

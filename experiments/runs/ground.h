/* experiments/runs/ground.h - what every study starts from, whether it is a sweep, a comparison or a design: its file,
 * the configuration that its runs have in common, plug-ins, and assignments.
 *
 *   title = "..."; description = "...";
 *   plugins = [ "mine.so" ];
 *   base = "slimfly-3k";                  a configuration to start from, or  config = { ... };
 *   set = [ "engine.sync=sequential" ];   applied to every run */
#ifndef EXPERIMENTS_RUNS_GROUND_H
#define EXPERIMENTS_RUNS_GROUND_H

#include "base/error.h"
#include "base/plugin.h"
#include "experiments/config/tree.h"

#include <stddef.h>

struct xp_fields;

struct xp_ground {
	char *name; /* file name without folder and suffix */
	char *path; /* of the file */
	char *text; /* the file as it stands */
	size_t bytes;
	char *title, *description;
	char *base, *base_at;         /* as written, and where: FILE:LINE; NULL when `config` is given */
	char *config;                 /* libconfig text of the group `config`; NULL when `base` is given */
	struct xp_node *group;        /* that group as it is written */
	struct base_texts plugins;    /* absolute paths */
	struct base_texts plugins_at; /* where each is written */
	char **set, **set_at;         /* [nset] assignments "PATH=VALUE", and where each is written */
	size_t nset;
};

/* Reads a study's file: fills the members that say what file it is, and lets `read` read its root group, which begins
 * with xp_read_ground(). Every problem is added to errors with its place, "FILE:LINE: key: text". Free with
 * xp_ground_free() whatever the result. */
int xp_ground_read(struct xp_ground *g, const char *path,
                   void (*read)(struct xp_fields *r, const struct xp_node *root, void *arg), void *arg,
                   struct base_errors *errors);
/* Fills the other members from the root group. */
void xp_read_ground(struct xp_fields *r, const struct xp_node *root);
void xp_ground_free(struct xp_ground *g);

/* The configuration that a study names as its base, which is looked for beside its file, then here, then among the
 * shipped ones. The caller's; NULL with errors. */
char *xp_ground_base(const struct xp_ground *g, struct base_errors *errors);
/* Loads the plug-ins that a study names; those of its base are loaded with that. Files that its inline configuration
 * names are located. */
int xp_ground_plugins(struct xp_ground *g, struct base_registry *registry, struct base_errors *errors);

/* A group as the text of a configuration; the caller's. */
char *xp_group_text(const struct xp_node *group);

#endif

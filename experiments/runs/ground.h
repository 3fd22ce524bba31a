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

/* Reads a study's file: fills in the members that identify the file, and calls `read` for its root group; `read` first
 * calls xp_read_ground(). Every problem is added to errors with its location, "FILE:LINE: key: text". Call
 * xp_ground_free() in any case. */
int xp_ground_read(struct xp_ground *g, const char *path,
                   void (*read)(struct xp_fields *r, const struct xp_node *root, void *arg), void *arg,
                   struct base_errors *errors);
/* Fills in the other members from the root group. */
void xp_read_ground(struct xp_fields *r, const struct xp_node *root);
void xp_ground_free(struct xp_ground *g);

/* The path of the base configuration that a study names; it is searched next to the study's file, in the working
 * directory, and among the shipped configurations. Owned by the caller; NULL with errors. */
char *xp_ground_base(const struct xp_ground *g, struct base_errors *errors);
/* Loads the plug-ins that a study names; those of its base are loaded with the base. Paths in its inline configuration
 * are made absolute. */
int xp_ground_plugins(struct xp_ground *g, struct base_registry *registry, struct base_errors *errors);

/* A group as the text of a configuration, owned by the caller. */
char *xp_group_text(const struct xp_node *group);

#endif

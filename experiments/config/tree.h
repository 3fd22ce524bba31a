/* experiments/config/tree.h - the tree of a configuration file: groups, lists and scalars, each with its location.
 *
 * It is a copy of libconfig's tree, except that scalars keep their text, so that a quantity is parsed once, exactly, by
 * the type of its parameter. Every node knows its file and line, or the assignment that created it. */
#ifndef EXPERIMENTS_CONFIG_TREE_H
#define EXPERIMENTS_CONFIG_TREE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum xp_node_type {
	XP_GROUP,
	XP_LIST, /* ( ... ) and [ ... ] */
	XP_INT,
	XP_FLOAT,
	XP_BOOL,
	XP_STRING,
	XP_RAW, /* from --set, without quotes: takes the type that its parameter wants */
};

struct xp_node {
	char *name;    /* NULL for list entries and the root */
	char *written; /* the other name of this key that the user wrote (alias.h); NULL: name */
	enum xp_node_type type;
	char *text; /* scalars */
	struct xp_node **child;
	size_t n, cap;
	char *file;    /* NULL: not from a file */
	unsigned line; /* 0: not from a file */
	char *origin;  /* "topology.q=6" if an assignment made it, else NULL */
	char *at;      /* with an origin: "FILE:LINE", where the assignment is written; NULL: --set */
};

struct xp_node *xp_node_new(enum xp_node_type type, const char *name);
void xp_node_free(struct xp_node *node);
struct xp_node *xp_node_add(struct xp_node *parent, struct xp_node *child);
/* Returns the member of a group by name. NULL if there is none, or if `group` is NULL or not a group. */
struct xp_node *xp_member(const struct xp_node *group, const char *name);
/* Returns whether libconfig accepts the text as the name of a setting. */
bool xp_is_name(const char *name);
/* Returns the name of a node type for messages: "a group", "a list", "a whole number", ... */
const char *xp_type_text(enum xp_node_type type);

/* Parses libconfig text into a tree. `name` is used in messages; @include searches in `folder` (NULL: the working
 * directory). Returns the root group, owned by the caller. Returns NULL with errors, whose keys are locations
 * "@file:line" that xp_tree_locate() prints. No text causes a crash. */
struct xp_node *xp_tree_parse(const char *text, size_t bytes, const char *name, const char *folder,
                              struct base_errors *errors);

/* Applies the assignment "PATH=VALUE" to a tree. `at` is the location "FILE:LINE" of the assignment; NULL if it was
 * given by --set. Missing groups are created; an index past the end of a list is an error. Returns 0, or -1 with an
 * error. */
int xp_tree_set(struct xp_node *root, const char *assignment, const char *at, struct base_errors *errors);

/* Returns whether two configuration paths name the same node, or one of them a node inside the other. A path ends at
 * "=", so whole assignments can be passed. A list entry may be written [0] or .[0]. */
bool xp_paths_overlap(const char *a, const char *b);

/* Returns whether the value of a key was set by an assignment, not by the configuration file. If the location of its
 * node is unknown, the deepest enclosing node with a location decides. */
bool xp_tree_is_assigned(const struct xp_node *root, const char *key);

/* Writes the origin of a node that an assignment has created to out: "--set a=b", or the location "FILE:LINE" of the
 * assignment. */
void xp_node_assigned(const struct xp_node *node, char *out, size_t room);

/* Writes the location and name of a configuration key to out, as "FILE:LINE: key", or as "--set a=b" if an assignment
 * has created it. If the tree does not contain the key, the location is that of the deepest group on its path. */
void xp_tree_locate(const struct xp_node *root, const char *name, const char *key, char *out, size_t room);

/* Writes a tree as libconfig text, indented by `depth` levels. */
void xp_tree_print(FILE *out, const struct xp_node *node, int depth);

/* Converts a string to libconfig text, quoted and escaped. Owned by the caller; NULL if memory is insufficient. */
char *xp_string_text(const char *text);

#endif

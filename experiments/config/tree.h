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
/* The member of a group, NULL if there is none or `group` is not a group (or NULL). */
struct xp_node *xp_member(const struct xp_node *group, const char *name);
/* True if libconfig can write it as the name of a setting. */
bool xp_is_name(const char *name);
/* The type as text for messages: "a group", "a list", "a whole number", ... */
const char *xp_type_text(enum xp_node_type type);

/* Parses libconfig text. `name` is used in messages; `folder` is where @include searches (NULL: the working directory).
 * Returns the root group, or NULL with errors whose pseudo-keys ("@file:line") xp_tree_locate() prints. No text causes
 * a crash. */
struct xp_node *xp_tree_parse(const char *text, size_t bytes, const char *name, const char *folder,
                              struct base_errors *errors);

/* Applies "PATH=VALUE", written at the location `at` ("FILE:LINE"; NULL: --set). Missing groups are created; an index
 * past the end of a list is an error. */
int xp_tree_set(struct xp_node *root, const char *assignment, const char *at, struct base_errors *errors);

/* Do two configuration paths name the same node, or one of them a node inside the other? Each path ends at "=", so both
 * may be whole assignments; list entries are [0] or .[0]. */
bool xp_paths_overlap(const char *a, const char *b);

/* Was the deepest node on a key's path that has a location created by an assignment? */
bool xp_tree_is_assigned(const struct xp_node *root, const char *key);

/* The location of the assignment that created the node: "--set a=b" or "FILE:LINE". */
void xp_node_assigned(const struct xp_node *node, char *out, size_t room);

/* Writes "FILE:LINE: key" or "--set a=b" for a configuration path to out: the location of the node itself, or of the
 * deepest existing group around it. */
void xp_tree_locate(const struct xp_node *root, const char *name, const char *key, char *out, size_t room);

/* Writes a tree as libconfig text, indented by `depth` levels. */
void xp_tree_print(FILE *out, const struct xp_node *node, int depth);

/* A string as libconfig text: in quotes and escaped. Owned by the caller; NULL: out of memory. */
char *xp_string_text(const char *text);

#endif

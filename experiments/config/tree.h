/* experiments/config/tree.h - a configuration as it was written: groups, lists and scalars, each with where it came
 * from.
 *
 * The tree is libconfig's, copied: scalars keep their text, so that a quantity is parsed once, exactly, by the type of
 * its parameter; every node knows its file and line, or the assignment that made it. */
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
/* A member of a group, NULL if there is none or `group` is no group (or NULL). */
struct xp_node *xp_member(const struct xp_node *group, const char *name);
/* True if libconfig can write it as the name of a setting. */
bool xp_is_name(const char *name);
/* "a group", "a list", "a whole number", ... for messages. */
const char *xp_type_text(enum xp_node_type type);

/* Reads libconfig text. `name` is what messages call it; `folder` is where @include looks (NULL: here). Returns the
 * root group, or NULL with errors under the pseudo-keys that xp_tree_locate() prints ("@file:line"). No text crashes
 * it. */
struct xp_node *xp_tree_parse(const char *text, size_t bytes, const char *name, const char *folder,
                              struct base_errors *errors);

/* Applies "PATH=VALUE", which is written `at` "FILE:LINE"; NULL: it is a --set. Missing groups are made; an index past
 * the end of a list is an error. */
int xp_tree_set(struct xp_node *root, const char *assignment, const char *at, struct base_errors *errors);

/* Do two configuration paths name the same node, or one of them a node that the other lies in? Each ends at its "=", so
 * that it may be a whole assignment; list entries are [0] or .[0]. */
bool xp_paths_overlap(const char *a, const char *b);

/* Did an assignment make the deepest node on a key's path that says where it is written? */
bool xp_tree_is_assigned(const struct xp_node *root, const char *key);

/* "--set a=b", or where else the assignment is written that made the node: "FILE:LINE". */
void xp_node_assigned(const struct xp_node *node, char *out, size_t room);

/* Puts "FILE:LINE: key" or "--set a=b" for a configuration path into out: the place of the node itself, or of the
 * deepest group around it that exists. */
void xp_tree_locate(const struct xp_node *root, const char *name, const char *key, char *out, size_t room);

/* Writes a tree as libconfig text, indented by `depth` levels. */
void xp_tree_print(FILE *out, const struct xp_node *node, int depth);

/* A string as libconfig text: in quotes, with what it must escape escaped. The caller's; NULL: out of memory. */
char *xp_string_text(const char *text);

#endif

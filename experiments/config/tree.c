/* experiments/config/tree.c - see tree.h: the nodes, and finding the place to blame for a key. */
#include "experiments/config/tree.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct xp_node *xp_node_new(enum xp_node_type type, const char *name)
{
	struct xp_node *node = base_alloc(sizeof *node);
	node->type = type;
	node->name = name ? base_strdup(name) : NULL;
	return node;
}

void xp_node_free(struct xp_node *node)
{
	if (!node)
		return;
	for (size_t i = 0; i < node->n; i++)
		xp_node_free(node->child[i]);
	free(node->child);
	free(node->name);
	free(node->written);
	free(node->text);
	free(node->file);
	free(node->origin);
	free(node->at);
	free(node);
}

struct xp_node *xp_node_add(struct xp_node *parent, struct xp_node *child)
{
	if (parent->n == parent->cap) {
		parent->cap = parent->cap ? 2 * parent->cap : 4;
		parent->child = base_realloc(parent->child, parent->cap * sizeof(struct xp_node *));
	}
	parent->child[parent->n++] = child;
	return child;
}

struct xp_node *xp_member(const struct xp_node *group, const char *name)
{
	if (!group || group->type != XP_GROUP)
		return NULL;
	for (size_t i = 0; i < group->n; i++)
		if (!strcmp(group->child[i]->name, name))
			return group->child[i];
	return NULL;
}

bool xp_is_name(const char *name)
{
	if (!isalpha((unsigned char)*name) && *name != '*')
		return false;
	while (isalnum((unsigned char)*name) || (*name && strchr("-_*", *name)))
		name++;
	return !*name;
}

const char *xp_type_text(enum xp_node_type type)
{
	switch (type) {
	case XP_GROUP:
		return "a group { ... }";
	case XP_LIST:
		return "a list ( ... )";
	case XP_INT:
		return "a whole number";
	case XP_FLOAT:
		return "a number with a point";
	case XP_BOOL:
		return "a bool";
	case XP_STRING:
	case XP_RAW:
		break;
	}
	return "a text";
}

/* The child that the next step of a path names; *path moves behind it. */
static const struct xp_node *step(const struct xp_node *node, const char **path)
{
	const char *p = *path;
	while (*p == '.')
		p++;
	if (*p == '[') {
		char *end;
		unsigned long i = strtoul(p + 1, &end, 10);
		*path = *end == ']' ? end + 1 : end;
		return node->type == XP_LIST && i < node->n ? node->child[i] : NULL;
	}
	size_t length = strcspn(p, ".[");
	*path = p + length;
	if (node->type != XP_GROUP)
		return NULL;
	for (size_t i = 0; i < node->n; i++)
		if (strlen(node->child[i]->name) == length && !memcmp(node->child[i]->name, p, length))
			return node->child[i];
	return NULL;
}

/* Length of a path's first step, behind the dots before it: a name or a list entry; 0 at the path's end. */
static size_t step_length(const char **path)
{
	*path += strspn(*path, ".");
	return (**path == '[') + strcspn(*path + (**path == '['), ".[=");
}

static bool is_same_step(const char *a, size_t an, const char *b, size_t bn)
{
	if (*a == '[' && *b == '[') /* entries may be written with zeros before them */
		return strtoul(a + 1, NULL, 10) == strtoul(b + 1, NULL, 10);
	return an == bn && !memcmp(a, b, an);
}

bool xp_paths_overlap(const char *a, const char *b)
{
	for (;;) {
		size_t an = step_length(&a), bn = step_length(&b);
		if (!an || !bn)
			return true;
		if (!is_same_step(a, an, b, bn))
			return false;
		a += an;
		b += bn;
	}
}

/* The key with the name that the user wrote, where it has two. */
static const char *as_written(const struct xp_node *root, const char *key, char *out, size_t room)
{
	const struct xp_node *at = root;
	const char *p = key;
	while (at && *p && !at->written)
		at = step(at, &p);
	if (!at || !at->written)
		return key;
	snprintf(out, room, "%.*s%s%s", (int)((size_t)(p - key) - strlen(at->name)), key, at->written, p);
	return out;
}

/* libconfig's own spelling of list entries: "traffic.[0].load". */
static void spell(const char *key, char *out, size_t room)
{
	size_t n = 0;
	for (const char *p = key; *p && n + 2 < room; p++) {
		if (*p == '[' && p > key && p[-1] != '.')
			out[n++] = '.';
		out[n++] = *p;
	}
	out[n] = 0;
}

/* Follows the path of a configuration key through the tree. Returns the deepest node on this path whose location in a
 * file or assignment is known, or NULL. Sets *whole to the node of the key itself, or to NULL if the key is not in the
 * tree. */
static const struct xp_node *deepest(const struct xp_node *root, const char *key, const struct xp_node **whole)
{
	const struct xp_node *at = root, *from = NULL;
	for (const char *p = key; at && *p;) {
		at = step(at, &p);
		if (at && (at->origin || at->line))
			from = at;
	}
	*whole = at;
	return from;
}

/* mapping = { file = "map"; } is an alternative to mapping_file: if that is not set, mapping.file has its value. */
static const char *as_group(const struct xp_node *root, const char *key, char *out, size_t room)
{
	static const char end[] = "_file";
	const struct xp_node *whole;
	size_t length = strlen(key), n = sizeof end - 1;
	deepest(root, key, &whole);
	if (whole || length <= n || length >= room || strcmp(key + length - n, end) != 0)
		return key;
	snprintf(out, room, "%.*s.file", (int)(length - n), key);
	deepest(root, out, &whole);
	return whole ? out : key;
}

bool xp_tree_is_assigned(const struct xp_node *root, const char *key)
{
	char other[512];
	const struct xp_node *whole, *from = deepest(root, as_group(root, key, other, sizeof other), &whole);
	return from && from->origin;
}

void xp_node_assigned(const struct xp_node *node, char *out, size_t room)
{
	if (node->at)
		snprintf(out, room, "%s", node->at);
	else
		snprintf(out, room, "--set %s", node->origin);
}

void xp_tree_locate(const struct xp_node *root, const char *name, const char *key, char *out, size_t room)
{
	char spelled[512], written[512], other[512];
	if (key[0] == '@') { /* a place, not a key */
		snprintf(out, room, "%s", key + 1);
		return;
	}
	key = as_group(root, key, other, sizeof other);
	const struct xp_node *at, *from = deepest(root, key, &at);
	spell(as_written(root, key, written, sizeof written), spelled, sizeof spelled);
	if (from && from->at)
		snprintf(out, room, "%s: %s", from->at, spelled);
	else if (from && from->origin)
		xp_node_assigned(from, out, room);
	else if (from)
		snprintf(out, room, "%s:%u: %s", from->file ? from->file : name, from->line, spelled);
	else
		snprintf(out, room, "%s%s%s", name, *spelled ? ": " : "", spelled);
	/* a --set higher up than the key itself: say which key of it */
	char origin[512];
	spell(from && from->origin && !from->at ? from->origin : "", origin, sizeof origin);
	if (*origin && (!at || strncmp(origin, spelled, strlen(spelled)) != 0)) {
		size_t used = strlen(out);
		if (used + 2 < room)
			snprintf(out + used, room - used, ": %s", spelled);
	}
}

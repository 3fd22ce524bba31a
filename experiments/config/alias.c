/* experiments/config/alias.c - see alias.h */
#include "experiments/config/alias.h"

#include "base/memory.h"

#include <string.h>

static const struct alias {
	const char *section;
	const char *plugin; /* the section's `kind` that has the key; NULL: the key is the section's own */
	const char *key, *other;
} aliases[] = {
	{ "topology", "hyperx", "trunk", "trunks" },
	{ "mpi", NULL, "overhead", "overheads" },
};

#define NALIASES (sizeof aliases / sizeof *aliases)

static void drop(struct xp_node *group, struct xp_node *child)
{
	size_t i = 0;
	while (group->child[i] != child)
		i++;
	memmove(&group->child[i], &group->child[i + 1], (group->n - i - 1) * sizeof(struct xp_node *));
	group->n--;
	xp_node_free(child);
}

static bool is_same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void resolve(const struct alias *a, struct xp_node *root, const char *name, struct base_errors *errors)
{
	struct xp_node *group = xp_member(root, a->section);
	const struct xp_node *kind = xp_member(group, "kind");
	struct xp_node *first = xp_member(group, a->key), *second = xp_member(group, a->other);
	char path[128], place[1200] = "@";
	if (!second || (a->plugin && !(kind && kind->text && !strcmp(kind->text, a->plugin))))
		return;
	if (first && is_same_text(first->origin, second->origin)) {
		snprintf(path, sizeof path, "%s.%s", a->section, a->other);
		xp_tree_locate(root, name, path, place + 1, sizeof place - 1);
		base_errorf(errors, place,
		            "is another name of the key \"%s\", which is also set: remove one of the two", a->key);
		drop(group, second);
		return;
	}
	if (first)
		drop(group, first);
	second->written = second->name;
	second->name = base_strdup(a->key);
}

void xp_alias_resolve(struct xp_node *root, const char *name, struct base_errors *errors)
{
	for (size_t i = 0; i < NALIASES; i++)
		resolve(&aliases[i], root, name, errors);
}

const char *xp_alias_of(const char *section, const char *plugin, const char *key)
{
	for (size_t i = 0; i < NALIASES; i++) {
		const struct alias *a = &aliases[i];
		if (!strcmp(a->section, section) && !a->plugin == !plugin && !strcmp(a->key, key) &&
		    (!plugin || !strcmp(a->plugin, plugin)))
			return a->other;
	}
	return NULL;
}

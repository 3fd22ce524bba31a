/* experiments/config/config.c - see config.h: finds the file, loads it, frees it, and prints its errors. */
#include "experiments/config/config.h"
#include "experiments/config/message.h"

#include "base/memory.h"
#include "base/text.h"
#include "experiments/config/alias.h"
#include "experiments/config/kind.h"
#include "experiments/config/scan.h"
#include "experiments/config/schema.h"
#include "experiments/config/shipped.h"
#include "experiments/config/stack.h"

#include <stdlib.h>
#include <string.h>

/* --- loading ---------------------------------------------------------------------------------------- */

/* Does the assignment begin with a key or section that there is, or that the file has? */
static bool begins_well(const struct xp_node *tree, const char *assignment, const char *at, struct base_errors *errors)
{
	char name[128], nearest[64], place[1024];
	size_t length = strcspn(assignment, ".[=");
	if (!length || length >= sizeof name || !strchr(assignment, '='))
		return true; /* no path at all */
	snprintf(name, sizeof name, "%.*s", (int)length, assignment);
	if (xp_member(tree, name) || xp_config_knows(name, nearest))
		return true;
	if (at)
		snprintf(place, sizeof place, "@%.500s: %s", at, name);
	else
		snprintf(place, sizeof place, "@--set %.400s", assignment);
	if (*nearest)
		base_errorf(errors, place, "unknown key; did you mean \"%s\"?", nearest);
	else
		base_errorf(errors, place, "unknown key");
	return false;
}

int xp_config_parse(struct xp_config *config, const char *text, size_t bytes, const char *name, const char *folder,
                    const struct xp_sets *sets, enum xp_config_scope scope, struct base_registry *registry,
                    struct base_errors *errors)
{
	*config = (struct xp_config){ .name = base_strdup(name), .folder = folder ? base_strdup(folder) : NULL };
	config->tree = xp_tree_parse(text, bytes, config->name, config->folder, errors);
	if (!config->tree)
		return -1;
	char other[200], place[600];
	if (xp_kind_other(config->tree, XP_KIND_RUN, other)) {
		snprintf(place, sizeof place, "@%.500s", config->name);
		return base_errorf(errors, place, "%s", other);
	}
	xp_alias_resolve(config->tree, config->name, errors);
	for (size_t i = 0; sets && i < sets->n; i++) {
		const char *at = sets->at ? sets->at[i] : NULL;
		if (begins_well(config->tree, sets->v[i], at, errors))
			xp_tree_set(config->tree, sets->v[i], at, errors);
		xp_alias_resolve(config->tree, config->name, errors);
	}
	if (xp_config_load_plugins(config, registry, errors))
		return -1; /* without them the rest would seem wrong where it is not */
	xp_config_read(config, scope, registry, errors);
	xp_stack_resolve(&config->net.nic, config->tree, errors);
	xp_config_check(&config->net, registry, errors);
	/* The keys have the stack's values now, and the resolved configuration, which other ranks read, has no stack.
	 */
	config->net.nic.stack = XP_STACK_NONE;
	return errors->errors ? -1 : 0;
}

int xp_config_load(struct xp_config *config, const char *source, const struct xp_sets *sets, enum xp_config_scope scope,
                   struct base_registry *registry, struct base_errors *errors)
{
	*config = (struct xp_config){ 0 };
	bool from_stdin = !strcmp(source, "-");
	char *path = from_stdin ? NULL : xp_shipped_find(source, errors);
	if (!path && !from_stdin)
		return -1;
	char *text;
	size_t bytes;
	const char *why;
	int status = -1;
	if (xp_slurp(path, &text, &bytes, &why)) {
		char place[600];
		snprintf(place, sizeof place, "@%.500s", path ? path : XP_STDIN_NAME);
		base_errorf(errors, place, "cannot be read: %s", why);
	} else {
		char *folder = path ? base_strdup(path) : NULL;
		char *slash = folder ? strrchr(folder, '/') : NULL;
		if (slash)
			*(slash == folder ? slash + 1 : slash) = 0;
		status = xp_config_parse(config, text, bytes, path ? path : XP_STDIN_NAME, slash ? folder : NULL, sets,
		                         scope, registry, errors);
		free(folder);
		free(text);
	}
	free(path);
	return status;
}

/* --- freeing ---------------------------------------------------------------------------------------- */

static void free_entry(const struct xp_section *s, char *base)
{
	base_params_free(s->table, base);
	for (int i = 0; i < XP_PICKS && s->pick[i].key; i++) {
		struct net_choice *choice = (struct net_choice *)(void *)(base + s->pick[i].offset);
		if (choice->plugin)
			base_params_free(choice->plugin->params, choice->params);
		free(choice->params);
		*choice = (struct net_choice){ 0 };
	}
}

void xp_config_free(struct xp_config *config)
{
	char *net = (char *)&config->net;
	for (const struct xp_section *s = xp_sections; s->path; s++) {
		if (!s->entry_bytes) {
			free_entry(s, net + s->offset);
			continue;
		}
		char *entries = *(char **)(void *)(net + s->offset);
		uint32_t n = *(uint32_t *)(void *)(net + s->count_offset);
		for (uint32_t i = 0; i < n; i++) {
			free_entry(s, entries + i * s->entry_bytes);
			if (s->named)
				free(((struct net_link_class *)(void *)entries)[i].name);
		}
		free(entries);
	}
	xp_node_free(config->tree);
	free(config->name);
	free(config->folder);
	*config = (struct xp_config){ 0 };
}

/* --- reporting -------------------------------------------------------------------------------------- */

void xp_config_place(const struct xp_config *config, const char *key, char *out, size_t room)
{
	if (config && config->name)
		xp_tree_locate(config->tree, config->name, key, out, room);
	else if (key[0] == '@')
		snprintf(out, room, "%s", key + 1);
	else
		snprintf(out, room, "%s%s%s", xp_message_prefix(), *key ? ": " : "", key);
}

void xp_config_line(const struct xp_config *config, const struct base_error *error, struct base_buffer *out)
{
	char place[1600];
	size_t from = out->n;
	xp_config_place(config, error->key, place, sizeof place);
	base_buffer_printf(out, "%s: %s%s", place, error->warning ? "warning: " : "", error->text);
	base_harmless(out->data + from, false); /* the text may quote what a file or an argument holds */
}

/* Two jobs that read the same section find the same in it. */
static bool is_said(const struct base_errors *errors, size_t i)
{
	const struct base_error *e = errors->v;
	for (size_t k = 0; k < i; k++)
		if (!strcmp(e[k].key, e[i].key) && !strcmp(e[k].text, e[i].text))
			return true;
	return false;
}

void xp_config_report(const struct xp_config *config, const struct base_errors *errors, FILE *out)
{
	size_t most = errors->n < XP_MOST_ERRORS ? errors->n : XP_MOST_ERRORS, more = 0;
	for (size_t i = 0; i < most; i++) {
		struct base_buffer line = { 0 };
		if (is_said(errors, i))
			continue;
		xp_config_line(config, &errors->v[i], &line);
		fprintf(out, "%s\n", line.data);
		free(line.data);
	}
	for (size_t i = most; i < errors->n; i++)
		more += !errors->v[i].warning;
	if (more)
		fprintf(out, "%s: and %zu more error%s\n", xp_message_prefix(), more, more == 1 ? "" : "s");
}

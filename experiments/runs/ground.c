/* experiments/runs/ground.c - see ground.h
 *
 * Errors in a file are collected under keys and get their FILE:LINE at the end, so that all of them are reported at
 * once. */
#include "experiments/runs/ground.h"
#include "experiments/config/message.h"
#include "experiments/config/scan.h"
#include "experiments/config/shipped.h"
#include "experiments/runs/fields.h"
#include "experiments/runs/folder.h"

#include "base/format.h"
#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *xp_group_text(const struct xp_node *group)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = base_memory_stream(&text, &bytes);
	for (size_t i = 0; out && i < group->n; i++) {
		fprintf(out, "%s = ", group->child[i]->name);
		xp_tree_print(out, group->child[i], 0);
		fputs(";\n", out);
	}
	if (out)
		fclose(out);
	return text;
}

/* --- the file --- */

/* The texts of `plugins` in a group, made absolute: other folders than this file's will read them. */
static void locate_plugins(struct xp_fields *r, const struct xp_node *group)
{
	struct xp_node *list = xp_member(group, "plugins");
	for (size_t i = 0; list && i < (list->type == XP_LIST ? list->n : 1); i++) {
		struct xp_node *node = list->type == XP_LIST ? list->child[i] : list;
		if (node->type != XP_STRING)
			continue; /* the reader of the list reports it */
		char *path = xp_config_path(&r->here, node);
		free(node->text);
		node->text = xp_absolute_path(path);
		free(path);
	}
}

/* The same of application models, NAME.aspen: as written beside the file that they are written in, else shipped. */
static void locate_models(struct xp_fields *r, struct xp_node *node)
{
	for (size_t i = 0; i < node->n; i++)
		locate_models(r, node->child[i]);
	size_t length = node->type == XP_STRING ? strlen(node->text) : 0;
	if (length <= 6 || strcmp(node->text + length - 6, ".aspen") != 0)
		return;
	char *path = xp_config_path(&r->here, node);
	free(node->text);
	node->text = xp_absolute_path(path);
	free(path);
}

static void read_plugins(struct xp_fields *r, const struct xp_node *root)
{
	size_t n;
	locate_plugins(r, root);
	char **paths = xp_field_texts(r, root, "", "plugins", &n);
	for (size_t i = 0; i < n; i++)
		base_texts_add(&r->ground->plugins, paths[i]);
	for (size_t i = 0; i < n; i++) {
		char *at = xp_field_at(r, root, "plugins", i);
		base_texts_add(&r->ground->plugins_at, at);
		free(at);
	}
	xp_free_texts(paths, n);
}

static void read_base(struct xp_fields *r, const struct xp_node *root)
{
	const struct xp_node *config = xp_member(root, "config");
	r->ground->base = xp_field_text(r, root, "", "base", false);
	r->ground->base_at = r->ground->base ? xp_field_at(r, root, "base", 0) : NULL;
	if (!r->ground->base == !config)
		base_errorf(r->errors, "base",
		            "either \"base\" (a configuration's name or path) or \"config\" (a group) is required");
	else if (config && config->type != XP_GROUP)
		base_errorf(r->errors, "config", "must be a group { ... }");
	else if (config) {
		locate_plugins(r, config);
		locate_models(r, xp_member(root, "config"));
		r->ground->config = xp_group_text(config);
	}
}

void xp_read_ground(struct xp_fields *r, const struct xp_node *root)
{
	struct xp_ground *g = r->ground;
	g->title = xp_field_text(r, root, "", "title", false);
	g->description = xp_field_text(r, root, "", "description", false);
	if (!g->title)
		g->title = base_strdup(g->name);
	read_plugins(r, root);
	read_base(r, root);
	g->set = xp_field_settings(r, root, "", &g->nset, &g->set_at);
}

/* Turns collected keys into places. */
static void hand_over(const struct base_errors *found, const struct xp_node *root, const char *path,
                      struct base_errors *errors)
{
	for (size_t i = 0; i < found->n; i++) {
		char place[1024];
		xp_tree_locate(root, path, found->v[i].key, place, sizeof place);
		xp_error_at(errors, place, "%s", found->v[i].text);
	}
}

static char *stem_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = base_strdup(slash ? slash + 1 : path);
	char *dot = strrchr(name, '.');
	if (dot && dot > name)
		*dot = 0;
	return name;
}

/* Takes the group `config` out of the tree. */
static struct xp_node *take_config(struct xp_node *root)
{
	struct xp_node *group = xp_member(root, "config");
	for (size_t i = 0; group && i < root->n; i++)
		if (root->child[i] == group) {
			root->n--;
			memmove(&root->child[i], &root->child[i + 1], (root->n - i) * sizeof *root->child);
		}
	return group;
}

/* The folder that a path names a file in; NULL: the working folder. */
static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? base_strndup(path, slash == path ? 1 : (size_t)(slash - path)) : NULL;
}

/* If the file is the copy of a study in a results directory, returns the folder of the original study file, which
 * sweep.json names; owned by the caller. NULL: the file is not such a copy. */
static char *original_folder(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char *beside = NULL;
	char *owner = NULL;
	if (!strcmp(name, "experiment.cfg")) {
		beside = base_format("%.*ssweep.json", (int)(name - path), path);
		owner = xp_folder_owner(beside);
	}
	char *folder = owner ? folder_of(owner) : NULL;
	free(owner);
	free(beside);
	return folder;
}

int xp_ground_read(struct xp_ground *g, const char *path,
                   void (*read)(struct xp_fields *r, const struct xp_node *root, void *arg), void *arg,
                   struct base_errors *errors)
{
	*g = (struct xp_ground){ .path = base_strdup(path), .name = stem_of(path) };
	const char *why;
	if (xp_slurp(path, &g->text, &g->bytes, &why))
		return xp_error_at(errors, path, "%s", why);
	struct base_errors found = { 0 };
	char *folder = folder_of(path), *original = original_folder(path);
	struct xp_node *root = xp_tree_parse(g->text, g->bytes, path, original ? original : folder, &found);
	free(original);
	struct xp_fields reader = { .ground = g, .here = { .folder = folder }, .errors = &found };
	if (root)
		read(&reader, root, arg);
	hand_over(&found, root, path, errors);
	int status = found.errors ? -1 : 0;
	base_errors_free(&found);
	g->group = root ? take_config(root) : NULL;
	xp_node_free(root);
	free(folder);
	return status;
}

/* --- the base and the plug-ins --- */

/* A relative name as it is written in a file; the caller's. NULL: it starts at the working folder, or is absolute. */
static char *beside(const char *file, const char *name)
{
	const char *slash = strrchr(file, '/');
	return name[0] == '/' || !slash ? NULL : base_format("%.*s/%s", (int)(slash - file), file, name);
}

char *xp_ground_base(const struct xp_ground *g, struct base_errors *errors)
{
	char *path = beside(g->path, g->base);
	if (path && !access(path, R_OK))
		return path;
	free(path);
	struct base_errors why = { 0 };
	path = xp_shipped_find(g->base, &why);
	if (path && access(path, R_OK)) {
		xp_error_at(errors, g->base_at, "base: \"%s\": %s", g->base, strerror(errno));
		free(path);
		path = NULL;
	}
	for (size_t i = 0; i < why.n; i++)
		xp_error_at(errors, g->base_at, "base: \"%s\": %s", g->base, why.v[i].text);
	base_errors_free(&why);
	return path;
}

/* Does a parameter of that name, of any plug-in, say where a file is? */
static bool says_where(const struct base_registry *registry, const char *name)
{
	for (size_t i = 0; name && i < registry->n; i++)
		for (const struct base_param *p = registry->v[i]->params; p && p->name; p++)
			if ((p->type == BASE_FILE || p->type == BASE_FILES) && !strcmp(p->name, name))
				return true;
	return false;
}

static void locate_texts(struct xp_node *node, const char *file)
{
	for (size_t i = 0; i < node->n; i++)
		locate_texts(node->child[i], file);
	if (node->type != XP_STRING || !*node->text)
		return;
	char *path = beside(file, node->text), *absolute = xp_absolute_path(path ? path : node->text);
	free(node->text);
	node->text = absolute;
	free(path);
}

static void locate_among(struct xp_node *node, const struct base_registry *registry, const char *file)
{
	for (size_t i = 0; i < node->n; i++)
		if (says_where(registry, node->child[i]->name))
			locate_texts(node->child[i], file);
		else
			locate_among(node->child[i], registry, file);
}

/* Resolves relative file names in the study's inline configuration against the folder of the study, since the
 * configuration is read from another folder later. */
static void locate_files(struct xp_ground *g, const struct base_registry *registry)
{
	if (!g->config)
		return;
	locate_among(g->group, registry, g->path);
	free(g->config);
	g->config = xp_group_text(g->group);
}

int xp_ground_plugins(struct xp_ground *g, struct base_registry *registry, struct base_errors *errors)
{
	int status = 0;
	for (size_t i = 0; i < g->plugins.n; i++) {
		char *place = base_format("@%s: plugins.[%zu]", g->plugins_at.v[i], i);
		errors->scope = place;
		status |= base_load_plugins(registry, g->plugins.v[i], errors);
		errors->scope = NULL;
		free(place);
	}
	if (!status)
		locate_files(g, registry);
	return status;
}

void xp_ground_free(struct xp_ground *g)
{
	xp_free_texts(g->plugins.v, g->plugins.n);
	xp_free_texts(g->plugins_at.v, g->plugins_at.n);
	xp_free_texts(g->set, g->nset);
	xp_free_texts(g->set_at, g->nset);
	free(g->name);
	free(g->path);
	free(g->text);
	free(g->title);
	free(g->description);
	free(g->base);
	free(g->base_at);
	free(g->config);
	xp_node_free(g->group);
	*g = (struct xp_ground){ 0 };
}

/* experiments/sweep/file.c - reading an experiment file; see experiment.h.
 *
 * Errors are collected under configuration keys and get their FILE:LINE at the end, so that one reading reports all. */
#include "experiments/config/message.h"
#include "experiments/config/scan.h"
#include "experiments/sweep/fields.h"
#include "experiments/sweep/folder.h"
#include "experiments/sweep/impact.h"

#include "base/format.h"
#include "base/memory.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The texts of `plugins` in a group, made absolute: other folders than this file's will read them. */
static void locate_plugins(struct xp_fields *r, const struct xp_node *group)
{
	struct xp_node *list = xp_member(group, "plugins");
	for (size_t i = 0; list && i < (list->type == XP_LIST ? list->n : 1); i++) {
		struct xp_node *node = list->type == XP_LIST ? list->child[i] : list;
		if (node->type != XP_STRING)
			continue; /* whoever reads the list will say so */
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
		base_texts_add(&r->e->plugins, paths[i]);
	for (size_t i = 0; i < n; i++) {
		char *at = xp_field_at(r, root, "plugins", i);
		base_texts_add(&r->e->plugins_at, at);
		free(at);
	}
	xp_free_texts(paths, n);
}

static void read_base(struct xp_fields *r, const struct xp_node *root)
{
	const struct xp_node *config = xp_member(root, "config");
	r->e->base = xp_field_text(r, root, "", "base", false);
	r->e->base_at = r->e->base ? xp_field_at(r, root, "base", 0) : NULL;
	if (!r->e->base == !config)
		base_errorf(r->errors, "base",
		            "either \"base\" (a configuration's name or path) or \"config\" (a group) is needed");
	else if (config && config->type != XP_GROUP)
		base_errorf(r->errors, "config", "a group { ... } is wanted here");
	else if (config) {
		locate_plugins(r, config);
		locate_models(r, xp_member(root, "config"));
		r->e->config = xp_group_text(config);
	}
}

void xp_read_ground(struct xp_fields *r, const struct xp_node *root)
{
	struct xp_experiment *e = r->e;
	e->title = xp_field_text(r, root, "", "title", false);
	e->description = xp_field_text(r, root, "", "description", false);
	if (!e->title)
		e->title = base_strdup(e->name);
	read_plugins(r, root);
	read_base(r, root);
	e->set = xp_field_settings(r, root, "", &e->nset, &e->set_at);
}

static void read_root(struct xp_fields *r, const struct xp_node *root, void *arg)
{
	static const char *const known[] = { "title", "plugins", "description", "base",     "config", "set",
		                             "grid",  "x",       "panels",      "repeat",   "stop",   "find",
		                             "width", "short",   "published",   "expected", "impact", NULL };
	static const char *const in_short[] = { "set", NULL };
	struct xp_experiment *e = r->e;
	(void)arg;
	if (xp_fields_other(r, root, XP_KIND_SWEEP))
		return;
	xp_fields_known(r, root, "", known);
	xp_read_ground(r, root);
	const struct xp_node *brief = xp_member(root, "short");
	if (brief && brief->type == XP_GROUP) {
		xp_fields_known(r, brief, "short", in_short);
		e->brief_set = xp_field_settings(r, brief, "short", &e->nbrief_set, &e->brief_set_at);
	} else if (brief) {
		base_errorf(r->errors, "short", "a group { set = [ ... ]; } is wanted here");
	}
	xp_read_grid(r, root);
	if (!e->naxes)
		return;
	xp_read_claims(r, root);
	xp_read_impact(r, root);
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

/* Where the experiment is of which the file is the copy in a results folder, as sweep.json there says; NULL: it is
 * none. */
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

int xp_fields_read(struct xp_experiment *e, const char *path,
                   void (*read)(struct xp_fields *r, const struct xp_node *root, void *arg), void *arg,
                   struct base_errors *errors)
{
	*e = (struct xp_experiment){ .path = base_strdup(path), .name = stem_of(path), .repeat = 1 };
	const char *why;
	if (xp_slurp(path, &e->text, &e->bytes, &why))
		return xp_error_at(errors, path, "%s", why);
	struct base_errors found = { 0 };
	char *folder = folder_of(path), *original = original_folder(path);
	struct xp_node *root = xp_tree_parse(e->text, e->bytes, path, original ? original : folder, &found);
	free(original);
	struct xp_fields reader = { .e = e, .here = { .folder = folder }, .errors = &found };
	if (root)
		read(&reader, root, arg);
	hand_over(&found, root, path, errors);
	int status = found.errors ? -1 : 0;
	base_errors_free(&found);
	e->group = root ? take_config(root) : NULL;
	xp_node_free(root);
	free(folder);
	return status;
}

int xp_experiment_read(struct xp_experiment *e, const char *path, struct base_errors *errors)
{
	return xp_fields_read(e, path, read_root, NULL, errors);
}

void xp_experiment_free(struct xp_experiment *e)
{
	xp_free_grid(e);
	xp_free_claims(e);
	xp_free_impact(e);
	xp_free_texts(e->plugins.v, e->plugins.n);
	xp_free_texts(e->plugins_at.v, e->plugins_at.n);
	xp_free_texts(e->set, e->nset);
	xp_free_texts(e->set_at, e->nset);
	xp_free_texts(e->brief_set, e->nbrief_set);
	xp_free_texts(e->brief_set_at, e->nbrief_set);
	free(e->name);
	free(e->path);
	free(e->text);
	free(e->title);
	free(e->description);
	free(e->base);
	free(e->base_at);
	free(e->config);
	xp_node_free(e->group);
	free(e->source);
	*e = (struct xp_experiment){ 0 };
}

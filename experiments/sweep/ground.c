/* experiments/sweep/ground.c - what the runs of an experiment, or of a comparison, start from: its base and plug-ins.
 */
#include "experiments/config/message.h"
#include "experiments/config/shipped.h"
#include "experiments/sweep/sweep.h"

#include "base/format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A relative name as it is written in a file; the caller's. NULL: it starts at the working folder, or is absolute. */
static char *beside(const char *file, const char *name)
{
	const char *slash = strrchr(file, '/');
	return name[0] == '/' || !slash ? NULL : base_format("%.*s/%s", (int)(slash - file), file, name);
}

char *xp_experiment_base(const struct xp_experiment *e, struct base_errors *errors)
{
	char *path = beside(e->path, e->base);
	if (path && !access(path, R_OK))
		return path;
	free(path);
	struct base_errors why = { 0 };
	path = xp_shipped_find(e->base, &why);
	if (path && access(path, R_OK)) {
		xp_error_at(errors, e->base_at, "base: \"%s\": %s", e->base, strerror(errno));
		free(path);
		path = NULL;
	}
	for (size_t i = 0; i < why.n; i++)
		xp_error_at(errors, e->base_at, "base: \"%s\": %s", e->base, why.v[i].text);
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

static void locate(struct xp_node *node, const char *file)
{
	for (size_t i = 0; i < node->n; i++)
		locate(node->child[i], file);
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
			locate(node->child[i], file);
		else
			locate_among(node->child[i], registry, file);
}

/* The files of a configuration that is written inside the experiment are where that says: it will be read from another
 * folder. */
static void locate_files(struct xp_experiment *e, const struct base_registry *registry)
{
	if (!e->config)
		return;
	locate_among(e->group, registry, e->path);
	free(e->config);
	e->config = xp_group_text(e->group);
}

int xp_experiment_plugins(struct xp_experiment *e, struct base_registry *registry, struct base_errors *errors)
{
	int status = 0;
	for (size_t i = 0; i < e->plugins.n; i++) {
		char *place = NULL;
		place = base_format("@%s: plugins.[%zu]", e->plugins_at.v[i], i);
		errors->scope = place;
		status |= base_load_plugins(registry, e->plugins.v[i], errors);
		errors->scope = NULL;
		free(place);
	}
	if (!status)
		locate_files(e, registry);
	return status;
}

/* experiments/sweep/ground.c - what the runs of an experiment, or of a comparison, start from: its base and plug-ins.
 */
#include "experiments/config/shipped.h"
#include "experiments/sweep/sweep.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *xp_experiment_base(const struct xp_experiment *e, struct base_errors *errors)
{
	char *path = NULL;
	const char *slash = strrchr(e->path, '/');
	if (e->base[0] != '/' && slash && asprintf(&path, "%.*s/%s", (int)(slash - e->path), e->path, e->base) < 0)
		path = NULL;
	if (path && !access(path, R_OK))
		return path;
	free(path);
	return xp_shipped_find(e->base, errors);
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

static void locate(struct xp_node *node, const char *folder)
{
	char *path = NULL;
	for (size_t i = 0; i < node->n; i++)
		locate(node->child[i], folder);
	if (node->type != XP_STRING || !*node->text || *node->text == '/' ||
	    asprintf(&path, "%s/%s", folder, node->text) < 0)
		return;
	free(node->text);
	node->text = xp_absolute_path(path);
	free(path);
}

static void locate_among(struct xp_node *node, const struct base_registry *registry, const char *folder)
{
	for (size_t i = 0; i < node->n; i++)
		if (says_where(registry, node->child[i]->name))
			locate(node->child[i], folder);
		else
			locate_among(node->child[i], registry, folder);
}

/* The files of a configuration that is written inside the experiment are where that says: it will be read from another
 * folder. */
static int locate_files(struct xp_experiment *e, const struct base_registry *registry, struct base_errors *errors)
{
	if (!e->config)
		return 0;
	struct xp_node *root = xp_tree_parse(e->config, strlen(e->config), e->path, NULL, errors);
	const char *slash = strrchr(e->path, '/');
	char *folder = slash ? strndup(e->path, (size_t)(slash - e->path)) : base_strdup(".");
	if (root) {
		locate_among(root, registry, *folder ? folder : "/");
		free(e->config);
		e->config = xp_group_text(root);
	}
	free(folder);
	xp_node_free(root);
	return root ? 0 : -1;
}

int xp_experiment_plugins(struct xp_experiment *e, struct base_registry *registry, struct base_errors *errors)
{
	int status = 0;
	for (size_t i = 0; i < e->plugins.n; i++) {
		char *place = NULL;
		if (asprintf(&place, "@%s: plugins.[%zu]", e->path, i) < 0)
			return base_errorf(errors, NULL, "out of memory");
		errors->scope = place;
		status |= base_load_plugins(registry, e->plugins.v[i], errors);
		errors->scope = NULL;
		free(place);
	}
	return status ? status : locate_files(e, registry, errors);
}

/* experiments/config/plugins.c - file names in a configuration, and the shared objects that it names. */
#include "experiments/config/config.h"
#include "experiments/config/shipped.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *written_path(const struct xp_config *config, const struct xp_node *node)
{
	const char *from = node->file;
	const char *slash = from ? strrchr(from, '/') : NULL;
	const char *folder = from ? from : config->folder;
	size_t length = from ? (slash ? (size_t)(slash - from) : 0) : folder ? strlen(folder) : 0;
	if (node->origin || node->text[0] == '/' || !length || !node->text[0])
		return base_strdup(node->text);
	size_t room = length + strlen(node->text) + 2;
	char *path = base_alloc(room);
	snprintf(path, room, "%.*s/%s", (int)length, folder, node->text);
	return path;
}

char *xp_config_path(const struct xp_config *config, const struct xp_node *node)
{
	char *path = written_path(config, node);
	char *shipped = xp_shipped_model(node->text, path);
	if (!shipped)
		return path;
	free(path);
	return shipped;
}

char *xp_absolute_path(const char *path)
{
	char *real = realpath(path, NULL), here[4096];
	if (real || path[0] == '/' || !getcwd(here, sizeof here))
		return real ? real : base_strdup(path);
	size_t room = strlen(here) + strlen(path) + 2;
	char *joined = base_alloc(room);
	snprintf(joined, room, "%s/%s", here, path);
	return joined;
}

int xp_config_load_plugins(const struct xp_config *config, struct base_registry *registry, struct base_errors *errors)
{
	const struct xp_node *node = xp_member(config->tree, "plugins");
	int status = 0;
	for (size_t i = 0; node && i < (node->type == XP_LIST ? node->n : 1); i++) {
		const struct xp_node *entry = node->type == XP_LIST ? node->child[i] : node;
		char scope[64] = "plugins";
		if (entry->type != XP_STRING && entry->type != XP_RAW)
			continue; /* the reader says so */
		if (entry != node)
			snprintf(scope, sizeof scope, "plugins.[%zu]", i);
		char *path = xp_config_path(config, entry), *absolute = xp_absolute_path(path);
		errors->scope = scope;
		if (base_load_plugins(registry, absolute, errors))
			status = -1;
		errors->scope = NULL;
		free(absolute);
		free(path);
	}
	return status;
}

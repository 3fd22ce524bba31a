/* base/plugin.c - see plugin.h */
#include "base/plugin.h"

#include "base/json.h"
#include "base/memory.h"
#include "base/shared_object.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct base_plugin *base_find(const struct base_registry *registry, const char *kind, const char *name)
{
	for (size_t i = 0; i < registry->n; i++)
		if (!strcmp(registry->v[i]->kind, kind) && !strcmp(registry->v[i]->name, name))
			return registry->v[i];
	return NULL;
}

int base_register(struct base_registry *registry, const struct base_plugin *plugin, struct base_errors *errors)
{
	if (base_find(registry, plugin->kind, plugin->name))
		return base_errorf(errors, NULL, "a %s named \"%s\" is registered already", plugin->kind, plugin->name);
	if (registry->n == registry->cap) {
		registry->cap = registry->cap ? 2 * registry->cap : 32;
		registry->v = base_realloc(registry->v, registry->cap * sizeof *registry->v);
	}
	registry->v[registry->n++] = plugin;
	return 0;
}

char *base_plugin_choices(const struct base_registry *registry, const char *kind, const char *words)
{
	struct base_buffer list = { 0 };
	base_buffer_write(&list, "", 0);
	for (size_t i = 0; i < registry->n; i++)
		if (!strcmp(registry->v[i]->kind, kind))
			base_buffer_printf(&list, "%s%s", list.n ? "|" : "", registry->v[i]->name);
	if (words)
		base_buffer_printf(&list, "%s%s", list.n ? "|" : "", words);
	return list.data;
}

static int bind_plugin(const struct base_registry *registry, const struct base_param *p, void *params,
                       struct base_errors *errors)
{
	struct base_named *named = (void *)((char *)params + p->offset);
	if (!named->name || (p->choices && base_choice(p->choices, named->name) >= 0))
		return 0;
	named->plugin = base_find(registry, p->unit, named->name);
	if (named->plugin)
		return 0;
	char *choices = base_plugin_choices(registry, p->unit, p->choices);
	base_no_such_choice(p->name, choices, named->name, errors);
	free(choices);
	if (p->default_value && strcmp(p->default_value, named->name) != 0 &&
	    !base_param_parse(p, params, p->default_value, errors)) /* so that no further errors follow from it */
		bind_plugin(registry, p, params, errors);
	return -1;
}

int base_bind_plugins(const struct base_registry *registry, const struct base_param *table, void *params,
                      struct base_errors *errors)
{
	int status = 0;
	for (const struct base_param *p = table; p && p->name; p++)
		if (p->type == BASE_PLUGIN && bind_plugin(registry, p, params, errors))
			status = -1;
	return status;
}

/* The path of a loaded plug-in's shared object. */
static char *file_of(void *handle, const char *path)
{
	struct link_map *map;
	bool known = !dlinfo(handle, RTLD_DI_LINKMAP, &map) && map->l_name && *map->l_name;
	return base_strdup(known ? map->l_name : path);
}

static bool is_open(const struct base_registry *registry, const void *handle)
{
	for (size_t i = 0; i < registry->nhandles; i++)
		if (registry->handles[i] == handle)
			return true;
	return false;
}

/* A copy of a descriptor that records the shared object it came from. */
static const struct base_plugin *loaded_copy(struct base_registry *registry, const struct base_plugin *plugin,
                                             const char *path)
{
	struct base_plugin *copy = base_alloc(sizeof *copy);
	*copy = *plugin;
	copy->loaded = base_alloc(sizeof *copy->loaded);
	copy->loaded->path = base_strdup(path);
	registry->loaded = base_realloc(registry->loaded, (registry->nloaded + 1) * sizeof(void *));
	registry->loaded[registry->nloaded++] = copy;
	return copy;
}

static int register_all(struct base_registry *registry, const struct base_plugin *const *list, const char *path,
                        struct base_errors *errors)
{
	int status = *list ? 0 : base_errorf(errors, NULL, "%s exports an empty list of plug-ins", path);
	for (; *list; list++)
		if (base_check_plugin(*list, path, errors) ||
		    base_register(registry, loaded_copy(registry, *list, path), errors))
			status = -1;
	return status;
}

/* dlopen() would search the system's library folders for a name without a slash. */
static void *open_object(const char *path)
{
	size_t bytes = strlen(path) + 3;
	char *here = base_alloc(bytes);
	snprintf(here, bytes, "%s%s", strchr(path, '/') ? "" : "./", path);
	void *handle = dlopen(here, RTLD_NOW | RTLD_LOCAL);
	free(here);
	return handle;
}

int base_load_plugins(struct base_registry *registry, const char *path, struct base_errors *errors)
{
	if (base_check_shared_object(path, errors))
		return -1;
	void *handle = open_object(path);
	if (!handle)
		return base_errorf(errors, NULL, "plug-in cannot be loaded: %s", dlerror());
	if (is_open(registry, handle)) { /* the configuration and the command line may both name it */
		dlclose(handle);
		return 0;
	}
	const unsigned *abi = dlsym(handle, "tilefly_plugin_abi");
	const struct base_plugin *const *list = dlsym(handle, "tilefly_plugins");
	if (!abi || !list || *abi != BASE_PLUGIN_ABI) {
		if (!abi || !list)
			base_errorf(errors, NULL, "%s is not a tilefly plug-in: it exports no %s", path,
			            abi ? "tilefly_plugins" : "tilefly_plugin_abi");
		else
			base_errorf(errors, NULL,
			            "%s was built for version %u of the plug-in interface, but this tilefly has "
			            "version %u: rebuild the plug-in",
			            path, *abi, BASE_PLUGIN_ABI);
		dlclose(handle);
		return -1;
	}
	registry->handles = base_realloc(registry->handles, (registry->nhandles + 1) * sizeof *registry->handles);
	registry->paths = base_realloc(registry->paths, (registry->nhandles + 1) * sizeof *registry->paths);
	registry->paths[registry->nhandles] = file_of(handle, path);
	registry->handles[registry->nhandles++] = handle;
	return register_all(registry, list, path, errors);
}

void base_registry_free(struct base_registry *registry)
{
	for (size_t i = 0; i < registry->nloaded; i++) {
		free(registry->loaded[i]->loaded->path);
		free(registry->loaded[i]->loaded);
		free(registry->loaded[i]);
	}
	free(registry->loaded);
	for (size_t i = 0; i < registry->nhandles; i++) {
		dlclose(registry->handles[i]);
		free(registry->paths[i]);
	}
	free(registry->handles);
	free(registry->paths);
	free(registry->v);
	*registry = (struct base_registry){ 0 };
}

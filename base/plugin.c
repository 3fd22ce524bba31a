/* base/plugin.c - see plugin.h */
#include "base/plugin.h"

#include "base/memory.h"

#include <dlfcn.h>
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

int base_load_plugins(struct base_registry *registry, const char *path, struct base_errors *errors)
{
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!handle)
		return base_errorf(errors, NULL, "plug-in cannot be loaded: %s", dlerror());
	const unsigned *abi = dlsym(handle, "tilefly_plugin_abi");
	const struct base_plugin *const *list = dlsym(handle, "tilefly_plugins");
	if (!abi || !list || *abi != BASE_PLUGIN_ABI) {
		if (!abi || !list)
			base_errorf(errors, NULL, "%s is not a tilefly plug-in: it exports no %s", path,
			            abi ? "tilefly_plugins" : "tilefly_plugin_abi");
		else
			base_errorf(errors, NULL, "%s was built for plug-in interface %u, this tilefly has %u", path,
			            *abi, BASE_PLUGIN_ABI);
		dlclose(handle);
		return -1;
	}
	registry->handles = base_realloc(registry->handles, (registry->nhandles + 1) * sizeof *registry->handles);
	registry->handles[registry->nhandles++] = handle;
	int status = 0;
	for (; *list; list++)
		if (base_register(registry, *list, errors))
			status = -1;
	return status;
}

void base_registry_free(struct base_registry *registry)
{
	for (size_t i = 0; i < registry->nhandles; i++)
		dlclose(registry->handles[i]);
	free(registry->handles);
	free(registry->v);
	*registry = (struct base_registry){ 0 };
}

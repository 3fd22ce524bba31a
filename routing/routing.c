/* routing/routing.c - building a routing from its plug-in. See routing.h */
#include "routing/routing.h"

#include "routing/checked.h"

#include <stdlib.h>

int rt_build(struct rt *rt, const struct base_plugin *plugin, const void *params, const struct topo *topo,
             struct base_errors *errors)
{
	*rt = (struct rt){ .ops = plugin->ops, .plugin = plugin, .topo = topo, .params = params };
	if (plugin->loaded && rt_check_ops(plugin, errors)) {
		*rt = (struct rt){ 0 };
		return -1;
	}
	size_t before = errors->errors;
	if (topo->no_routes) {
		*rt = (struct rt){ 0 };
		return base_errorf(errors, "kind", "%s", topo->no_routes);
	}
	int status = base_built(plugin, rt->ops->build(rt, errors), before, errors);
	if (!status && plugin->loaded)
		status = rt_check(rt, errors);
	if (status)
		rt_destroy(rt);
	return status;
}

void rt_destroy(struct rt *rt)
{
	if (rt->ops && rt->ops->destroy)
		rt->ops->destroy(rt);
	free(rt->checked);
	*rt = (struct rt){ 0 };
}

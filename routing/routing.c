/* routing/routing.c - building a routing from its plug-in. See routing.h */
#include "routing/routing.h"

int rt_build(struct rt *rt, const struct base_plugin *plugin, const void *params, const struct topo *topo,
             struct base_errors *errors)
{
	*rt = (struct rt){ .ops = plugin->ops, .plugin = plugin, .topo = topo, .params = params };
	if (rt->ops->build(rt, errors)) {
		rt_destroy(rt);
		return -1;
	}
	return 0;
}

void rt_destroy(struct rt *rt)
{
	if (rt->ops && rt->ops->destroy)
		rt->ops->destroy(rt);
	*rt = (struct rt){ 0 };
}

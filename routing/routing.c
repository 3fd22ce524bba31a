/* routing/routing.c - building a routing from its plug-in. See routing.h */
#include "routing/routing.h"

#include "routing/checked.h"

#include <stdlib.h>
#include <string.h>

int rt_build(struct rt *rt, const struct base_plugin *plugin, const void *params, const struct topo *topo,
             struct base_errors *errors)
{
	return rt_build_with(rt, plugin, params, topo, NULL, errors);
}

int rt_build_with(struct rt *rt, const struct base_plugin *plugin, const void *params, const struct topo *topo,
                  const struct rt_latencies *latencies, struct base_errors *errors)
{
	*rt =
	    (struct rt){ .ops = plugin->ops, .plugin = plugin, .topo = topo, .params = params, .latencies = latencies };
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
	rt->latencies = NULL;
	if (!status && plugin->loaded)
		status = rt_check(rt, errors);
	if (status)
		rt_destroy(rt);
	return status;
}

const struct base_param *rt_bias_param(const struct base_plugin *plugin)
{
	const struct rt_ops *ops = plugin->ops;
	for (const struct base_param *p = plugin->params; ops->has_bias && p && p->name; p++)
		if (!strcmp(p->name, "bias") && (p->type == BASE_SIZE || p->type == BASE_AUTO_SIZE))
			return p;
	return NULL;
}

int rt_bias_read(const struct base_plugin *plugin, const char *text, uint64_t *bytes, struct base_errors *errors)
{
	const struct base_param *p = rt_bias_param(plugin);
	if (!p)
		return base_errorf(errors, "bias", "has no effect with routing \"%s\", which has no parameter bias",
		                   plugin->name);
	struct base_param alone = *p;
	alone.offset = 0;
	return base_param_parse(&alone, bytes, text, errors);
}

void rt_destroy(struct rt *rt)
{
	if (rt->ops && rt->ops->destroy)
		rt->ops->destroy(rt);
	free(rt->checked);
	*rt = (struct rt){ 0 };
}

/* topo/topo.c - functions common to all topologies: building, and the switch of an endpoint. */
#include "topo/topo.h"

#include "topo/checked.h"
#include "topo/parallel.h"

#include <stdlib.h>

/* The parameter `trunk`, parallel cables. */
static int multiply(struct topo *topo, const struct topo_ops *ops, const void *params, struct base_errors *errors)
{
	int64_t trunk = ops->trunk_at ? *(const int64_t *)(const void *)((const char *)params + ops->trunk_at) : 1;
	return trunk == 0 || trunk == 1 ? 0 : topo_multiply(topo, trunk, errors);
}

int topo_build(struct topo *topo, const struct base_plugin *plugin, const void *params, struct base_errors *errors)
{
	const struct topo_ops *ops = plugin->ops;
	*topo = (struct topo){ .ops = ops, .kind = plugin->name, .groups = 1, .plugin = plugin };
	size_t before = errors->errors;
	if (plugin->loaded && topo_check_ops(plugin, errors)) {
		*topo = (struct topo){ 0 };
		return -1;
	}
	int status = base_built(plugin, ops->build(topo, params, errors), before, errors);
	if (plugin->loaded)
		topo_check_kept(topo, plugin);
	topo->by_endpoints = topo_divider_of(topo->max_endpoints ? topo->max_endpoints : 1);
	if (!status && plugin->loaded)
		status = topo_check(topo, errors);
	else if (!status)
		status = multiply(topo, ops, params, errors);
	if (status)
		topo_destroy(topo);
	return status;
}

void topo_destroy(struct topo *topo)
{
	if (topo->ops && topo->ops->destroy && topo->impl)
		topo->ops->destroy(topo);
	free(topo->checked);
	*topo = (struct topo){ 0 };
}

topo_switch topo_switch_search(const struct topo *t, topo_endpoint e)
{
	topo_switch low = 0, high = t->switches; /* first[low] <= e < first[high] */
	while (high - low > 1) {
		topo_switch middle = low + (high - low) / 2;
		if (t->endpoint_first[middle] <= e)
			low = middle;
		else
			high = middle;
	}
	return low;
}

int topo_set_sizes(struct topo *topo, uint64_t switches, uint64_t carrying, uint64_t endpoints_per_switch,
                   struct base_errors *errors)
{
	if (switches > TOPO_MAX_SWITCHES)
		return base_errorf(errors, NULL, "this makes %llu switches; at most %u are supported",
		                   (unsigned long long)switches, TOPO_MAX_SWITCHES);
	if (endpoints_per_switch > TOPO_MAX_ENDPOINTS / carrying)
		return base_errorf(
		    errors, NULL,
		    "this makes %llu switches with %llu endpoints each; at most %u endpoints are supported",
		    (unsigned long long)carrying, (unsigned long long)endpoints_per_switch, TOPO_MAX_ENDPOINTS);
	topo->switches = (uint32_t)switches;
	topo->bare = (uint32_t)(switches - carrying);
	topo->max_endpoints = (uint32_t)endpoints_per_switch;
	topo->endpoints = (uint32_t)(carrying * endpoints_per_switch);
	return 0;
}

int topo_set_size(struct topo *topo, uint64_t switches, uint64_t endpoints_per_switch, struct base_errors *errors)
{
	return topo_set_sizes(topo, switches, switches, endpoints_per_switch, errors);
}

/* workload/open/pattern_worst.c - the worst permutation of an oblivious routing: routing/bounds computes it for all
 * endpoints of the topology; members whose partner does not belong to the job are idle. */
#include "base/memory.h"
#include "network/network.h"
#include "routing/bounds/bounds.h"
#include "workload/workload.h"

#include <stddef.h>
#include <stdlib.h>

enum { OF_AUTO, OF_MINIMAL, OF_VALIANT };

struct worst_params {
	int of;
};

static const struct base_param worst_table[] = {
	{ BASE_KEY(ENUM, struct worst_params, of, "auto"), .choices = "auto|minimal|valiant",
	  .help = "routing whose worst-case permutation is computed; auto: the configured routing, or minimal if that "
	          "is adaptive",
	  .source = "Towles & Dally, Worst-case traffic for oblivious routing functions, SPAA 2002" },
	{ 0 },
};

static int find_permutation(struct wl_pattern *p, const struct rt *rt, struct base_errors *errors)
{
	double rate[TOPO_LINK_CLASSES];
	struct rt_flows flows;
	struct rt_worst worst;
	const char *why;
	for (int k = 0; k < p->topo->link_classes; k++)
		rate[k] = (double)net_link_of_class(p->config, p->topo->link_class_name[k])->bandwidth /
		          (double)p->config->link_terminal.bandwidth;
	if (rt_flows_of_routing(&flows, rt, rate, 0, 0, &why))
		return base_errorf(errors, "pattern", "the worst permutation cannot be computed: %s", why);
	int status = rt_worst_permutation(&flows, &worst, &why);
	rt_flows_free(&flows);
	if (status)
		return base_errorf(errors, "pattern", "the worst permutation cannot be computed: %s", why);
	p->impl = worst.to;
	worst.to = NULL;
	rt_worst_free(&worst);
	return 0;
}

/* Another routing than the configuration's, with the parameters that it has by default. */
static int find_of(struct wl_pattern *p, const struct base_plugin *plugin, struct base_errors *errors)
{
	struct rt rt;
	void *params = base_alloc(plugin->params_bytes);
	int status = base_params_defaults(plugin->params, params, errors);
	status = status ? status : rt_build(&rt, plugin, params, p->topo, errors);
	if (!status) {
		status = find_permutation(p, &rt, errors);
		rt_destroy(&rt);
	}
	base_params_free(plugin->params, params);
	free(params);
	return status;
}

static int worst_build(struct wl_pattern *p, struct base_errors *errors)
{
	const struct worst_params *q = p->params;
	const struct net_choice *own = &p->config->routing;
	const struct base_plugin *wanted = q->of == OF_VALIANT ? &rt_valiant : &rt_minimal;
	struct rt rt;
	if (!p->topo->ops)
		return base_errorf(errors, "pattern", "topology \"%s\" has no routes", p->topo->kind);
	bool adaptive = own->plugin && own->plugin->ops && ((const struct rt_ops *)own->plugin->ops)->wants_queues;
	bool as_is = own->plugin && (q->of == OF_AUTO ? !adaptive : own->plugin == wanted);
	if (!as_is)
		return find_of(p, wanted, errors);
	struct base_errors unsaid = { 0 }; /* under the keys of the routing they are said when it is built for a run */
	int built = rt_build(&rt, own->plugin, own->params, p->topo, &unsaid);
	base_errors_free(&unsaid);
	if (built)
		return base_errorf(errors, "pattern",
		                   "the routing whose worst permutation is requested cannot be built");
	int status = find_permutation(p, &rt, errors);
	rt_destroy(&rt);
	return status;
}

static void worst_destroy(struct wl_pattern *p)
{
	free(p->impl);
}

static uint32_t worst_destination(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits,
                                  uint32_t coin)
{
	(void)message, (void)bits, (void)coin;
	uint32_t self = wl_member(p, index), to = ((const uint32_t *)p->impl)[self];
	return to == self || wl_index(p, to) == WL_IDLE ? WL_IDLE : to;
}

static const struct wl_pattern_ops worst_ops = {
	.fixed = true,
	.build = worst_build,
	.destroy = worst_destroy,
	.destination = worst_destination,
};

const struct base_plugin wl_worst_permutation = {
	BASE_DESCRIBE("pattern", "worst-permutation", worst_table, struct worst_params, &worst_ops),
	.summary = "the permutation of all endpoints that maximizes the load of some channel under an oblivious "
		   "routing (computed exactly)",
	.source = "Towles & Dally, SPAA 2002",
};

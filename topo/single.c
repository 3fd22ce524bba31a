/* topo/single.c - one switch with an endpoint at every port: a test bench for switch models. */
#include "topo/params.h"
#include "topo/topo.h"

#include <stddef.h>

static uint32_t single_ports(const struct topo *topo, topo_switch s)
{
	(void)topo;
	(void)s;
	return 0;
}

/* There are no network ports and no other switches, so these are never called. */
static struct topo_hop single_peer(const struct topo *topo, topo_switch s, topo_port port)
{
	(void)topo;
	(void)port;
	return (struct topo_hop){ .to = s };
}

static int single_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	(void)topo;
	(void)here;
	(void)to;
	(void)leg_hops;
	(void)out;
	return 0;
}

static unsigned single_distance(const struct topo *topo, topo_switch from, topo_switch to)
{
	(void)topo;
	(void)from;
	(void)to;
	return 0;
}

static unsigned single_max_distance(const struct topo *topo)
{
	(void)topo;
	return 0;
}

static void single_facts(const struct topo *topo, struct topo_facts *facts)
{
	(void)topo;
	facts->diameter = 0;
	facts->mean_distance = 0;
	facts->girth_why = "there is no cycle";
	facts->bisection_how = "there are no cables";
	facts->bisection_links = 0;
	facts->max_channel_load_uniform = 0;
	facts->mean_minimal_hops = 0;
}

static const char *const single_classes[] = { "local", NULL };

static int single_build(struct topo *topo, const void *params, struct base_errors *errors)
{
	const struct topo_single_params *in = params;
	if (in->ports < 1)
		return base_errorf(errors, "ports", "a switch needs at least one port, not %lld", (long long)in->ports);
	topo->link_classes = 1;
	topo->link_class_name = single_classes;
	topo->vc_rule = TOPO_VC_HOP;
	return topo_set_size(topo, 1, (uint64_t)in->ports, errors);
}

static const struct base_param single_params[] = { { BASE_KEY(INT, struct topo_single_params, ports, NULL),
	                                             .unit = "ports", .min = 1, .max = 65535,
	                                             .help = "ports of the switch, each with an endpoint" },
	                                           { 0 } };

static const struct topo_ops single_ops = {
	.build = single_build,
	.ports = single_ports,
	.peer = single_peer,
	.next = single_next,
	.distance = single_distance,
	.max_distance = single_max_distance,
	.facts = single_facts,
	.link_classes = single_classes,
};

const struct base_plugin topo_single = {
	BASE_DESCRIBE("topology", "single", single_params, struct topo_single_params, &single_ops),
	.summary = "one switch, every port an endpoint",
};

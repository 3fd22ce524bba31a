/* docs/examples/detour.c - a routing as a plug-in: minimal, but some packets start with a random hop.
 *
 * At its source switch a packet is sent, with probability `share`, over any one of the switch's network ports; from
 * where that leads it goes on minimally. One hop more than minimal at most, and adversarial patterns are spread over
 * all cables of a switch. No queue is looked at, so it needs nothing from the switch.
 *
 *      routing = { kind = "detour"; share = 0.25; };
 *
 * Deadlock: the virtual channel of a link is the number of hops taken before it. Every route climbs strictly in its
 * VC, so no cycle of packets waiting for each other can close, on any topology, with (longest minimal route + 1) VCs.
 * `tilefly check` does not take our word: it walks this very function through all outcomes of its choices. */
#include "base/memory.h"
#include "routing/routing.h"

#include <stddef.h>
#include <stdlib.h>

struct detour_params {
	double share;
};

static const struct base_param params[] = {
	{ BASE_KEY(FLOAT, struct detour_params, share, "0.5"), .min = 0, .max = 1,
	  .help = "how many of the packets start with a hop to a random neighbour of their source's switch" },
	{ .name = NULL },
};

#define COIN 65536u

struct detour {
	uint32_t threshold; /* of COIN: floating point ends here, at set-up; a route is decided in integers */
};

static int build(struct rt *rt, struct base_errors *errors)
{
	const struct detour_params *p = rt->params;
	const struct topo *topo = rt->topo;
	/* A detour may lead to any switch; max_distance() speaks of those that carry endpoints. */
	for (topo_switch s = 0; s < topo->switches; s++)
		if (topo_endpoints_at(topo, s) == 0)
			return base_errorf(errors, "kind", "detour needs endpoints at every switch; switch %u has none",
			                   s);
	struct detour *d = base_alloc(sizeof *d);
	d->threshold = (uint32_t)(p->share * COIN + 0.5);
	rt->impl = d;
	/* Nothing but the topology's own minimal routes where there is no choice to make. */
	rt->max_hops = topo->ops->max_distance(topo) + (d->threshold ? 1 : 0);
	rt->vcs = rt->max_hops ? rt->max_hops : 1;
	return 0;
}

static void destroy(struct rt *rt)
{
	free(rt->impl);
}

/* Heads with probability threshold / COIN. rt_pick() draws from the packet's own random stream, so that the outcome
 * depends on nothing else. A proof (env->oracle) wants to see both outcomes once each, whatever their probability. */
static bool toss(const struct detour *d, struct rt_env *env, const struct sw_packet *packet)
{
	if (env->oracle)
		return d->threshold > 0 && rt_pick(env, packet, 2) == 1;
	return rt_pick(env, packet, COIN) < d->threshold;
}

/* Called when the packet's header is at switch env->here. All it may change is *packet. */
static struct rt_decision route(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct topo *topo = rt->topo;
	topo_switch to = topo_switch_of(topo, packet->dst);
	if (env->here == to)
		return (struct rt_decision){ .port = RT_EJECT };
	packet->vc = packet->hops; /* links taken so far: the VC of the link that it takes now */
	if (env->in_port == RT_FROM_ENDPOINT) {
		if (toss(rt->impl, env, packet)) {
			packet->route |= SW_ROUTE_NONMINIMAL; /* also what results call not minimal */
			return (struct rt_decision){ .port = rt_pick(env, packet, topo_ports(topo, env->here)) };
		}
	}
	/* The minimal leg begins at the source's switch, or one hop later. */
	unsigned leg_hops = packet->hops - (packet->route & SW_ROUTE_NONMINIMAL ? 1u : 0u);
	topo_port out[TOPO_MAX_NEXT];
	int n = topo->ops->next(topo, env->here, to, leg_hops, out);
	return (struct rt_decision){ .port = out[rt_pick(env, packet, (uint32_t)n)] };
}

/* With this promise `check` may use the argument above instead of walking all routes of a network of a million nodes;
 * it still spot-checks it. */
static bool vc_climbs(const struct rt *rt)
{
	(void)rt;
	return true;
}

static const struct rt_ops ops = {
	.build = build,
	.destroy = destroy,
	.route = route,
	.vc_climbs = vc_climbs,
};

static const struct base_plugin detour = {
	BASE_DESCRIBE("routing", "detour", params, struct detour_params, &ops),
	.summary = "minimal, but a share of the packets starts with a hop to a random neighbour",
};

extern const unsigned tilefly_plugin_abi;
extern const struct base_plugin *const tilefly_plugins[];

const unsigned tilefly_plugin_abi = BASE_PLUGIN_ABI;
const struct base_plugin *const tilefly_plugins[] = { &detour, NULL };

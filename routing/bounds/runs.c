/* routing/bounds/runs.c - computes the loads of one pair of switches by walking ops->route() itself through all
 * outcomes of its choices, where the outcomes of a choice are equally likely. This verifies the flows that flows.c
 * assumes against the routing as it runs. */
#include "routing/bounds/bounds.h"

#define MOST_CALLS 1000000u /* of route(), about 0.1 s */

struct run_walk {
	const struct rt *rt;
	const struct topo_graph *graph;
	double *load;
	uint32_t calls; /* remaining calls of route() */
	bool astray;    /* read a queue, went in circles, ejected at a wrong switch */
};

static uint64_t no_queue(const void *sw, topo_port out, uint64_t now)
{
	(void)out, (void)now;
	*(bool *)(uintptr_t)sw = true;
	return 0;
}

static void follow(struct run_walk *w, const struct sw_packet *packet, topo_switch here, topo_port in_port, double flow)
{
	struct rt_oracle oracle = { 0 };
	if (packet->hops > w->rt->max_hops)
		w->astray = true;
	if (w->astray)
		return;
	do {
		if (!w->calls)
			return;
		w->calls--;
		struct sw_packet p = *packet;
		struct rt_env env = {
			.here = here, .in_port = in_port, .queue_bytes = no_queue, .sw = &w->astray, .oracle = &oracle
		};
		oracle.at = 0;
		struct rt_decision decision = w->rt->ops->route(w->rt, &env, &p);
		double share = flow;
		for (unsigned i = 0; i < oracle.at; i++)
			share /= oracle.arity[i];
		if (oracle.too_many || w->astray) {
			w->astray = true;
			return;
		}
		if (decision.port == RT_EJECT) {
			w->astray = topo_switch_of(w->rt->topo, p.dst) != here;
			continue;
		}
		if (decision.port >= topo_ports(w->rt->topo, here) || decision.slack == RT_MAY_TURN) {
			w->astray = true;
			return;
		}
		struct topo_hop hop = topo_peer(w->rt->topo, here, decision.port);
		w->load[w->graph->first[here] + decision.port] += share;
		p.hops++;
		follow(w, &p, hop.to, hop.port, share);
	} while (rt_oracle_next(&oracle) && !w->astray);
}

int rt_walk_loads(const struct rt *rt, const struct topo_graph *graph, topo_switch s, topo_switch d, double *load)
{
	struct run_walk w = { .rt = rt, .graph = graph, .load = load, .calls = MOST_CALLS };
	struct sw_packet packet = { .src = topo_first_endpoint(rt->topo, s),
		                    .dst = topo_first_endpoint(rt->topo, d),
		                    .bytes = 1,
		                    .via = SW_NO_VIA };
	follow(&w, &packet, s, RT_FROM_ENDPOINT, 1);
	return w.astray ? -1 : w.calls ? 0 : 1;
}

/* tests/network/probe.h - a routing "probe" that goes minimally and shows its environment to the test: sequential runs
 * only. */
#ifndef TESTS_NETWORK_PROBE_H
#define TESTS_NETWORK_PROBE_H

#include "tests/network/units.h"

#include "routing/routing.h"

static struct rt_ops probe_ops;
static struct base_plugin probe;
static uint64_t probe_quantum, probe_hold;
static void (*probe_sees)(const struct rt *rt, const struct rt_env *env, const struct sw_packet *p, topo_port out);

static int probe_build(struct rt *rt, struct base_errors *errors)
{
	const struct rt_ops *own = rt_minimal.ops;
	if (own->build(rt, errors))
		return -1;
	rt->neighbour_quantum = probe_quantum;
	rt->neighbour_hold = probe_hold;
	return 0;
}

static struct rt_decision probe_route(const struct rt *rt, struct rt_env *env, struct sw_packet *p)
{
	const struct rt_ops *own = rt_minimal.ops;
	struct rt_decision d = own->route(rt, env, p);
	if (!env->oracle)
		probe_sees(rt, env, p, d.port);
	return d;
}

static inline void run_probe(struct netrun *x, uint64_t quantum, uint64_t hold, const char *fmt, ...)
{
	probe_ops = *(const struct rt_ops *)rt_minimal.ops;
	probe_ops.build = probe_build;
	probe_ops.route = probe_route;
	probe_ops.wants_queues = probe_ops.wants_neighbours = true;
	probe = rt_minimal;
	probe.name = "probe";
	probe.ops = &probe_ops;
	probe_quantum = quantum;
	probe_hold = hold;
	va_list ap;
	va_start(ap, fmt);
	run_extra(x, &probe, NET_DONE, fmt, ap);
	va_end(ap);
}

#endif

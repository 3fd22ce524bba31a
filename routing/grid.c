/* routing/grid.c - see grid.h */
#include "routing/grid.h"

#include "base/check.h"
#include "base/memory.h"
#include "routing/candidate.h"

#include <stdlib.h>

struct rt_grid *rt_grid_build(struct rt *rt, uint64_t bias, int estimate, struct base_errors *errors)
{
	const struct topo *topo = rt->topo;
	if (topo->plugin != &topo_hyperx) {
		base_errorf(errors, "kind",
		            "%s requires the topology hyperx: a %s has no lines in which all switches are neighbours",
		            rt->plugin->name, topo->kind);
		return NULL;
	}
	if (topo->reduced) {
		base_errorf(errors, "kind",
		            "%s needs all cables of the hyperx, but links.override makes some of them absent",
		            rt->plugin->name);
		return NULL;
	}
	struct rt_grid *g = rt->impl = base_alloc(sizeof *g);
	rt->by_credits = estimate == RT_BY_CREDITS;
	rt_set_bias(rt, bias);
	uint32_t size[RT_GRID_DIMS];
	g->dims = (uint32_t)topo->ops->dims(topo, size, RT_GRID_DIMS);
	for (uint32_t i = 0, port = 0; i < g->dims; i++) {
		struct rt_axis *x = &g->axis[i];
		uint8_t dimension = topo_peer(topo, 0, port).dimension;
		*x = (struct rt_axis){ .size = size[i], .first = port, .by_size = topo_divider_of(size[i]) };
		while (port < topo->max_ports && topo_peer(topo, 0, port).dimension == dimension)
			port++;
		x->ports = port - x->first;
		x->trunk = x->ports / (x->size - 1);
	}
	return g;
}

void rt_grid_destroy(struct rt *rt)
{
	free(rt->impl);
	rt->impl = NULL;
}

static topo_port nth(const struct rt_ports *r, uint32_t i)
{
	topo_port p = r->first + i;
	return r->but_n && p >= r->but ? p + r->but_n : p;
}

static uint64_t least_queue(const struct rt_env *env, const struct rt_ports *runs, uint32_t n)
{
	uint64_t least = UINT64_MAX;
	for (uint32_t i = 0; i < n && !env->oracle; i++)
		for (uint32_t k = 0; k < runs[i].n - runs[i].but_n; k++) {
			uint64_t q = env->queue_bytes(env->sw, nth(&runs[i], k), env->now);
			least = q < least ? q : least;
		}
	return least;
}

/* Is the port included in the comparison, with this queue? */
static bool counts(const struct rt_env *env, topo_port p, uint64_t least)
{
	return env->oracle || env->queue_bytes(env->sw, p, env->now) == least;
}

static topo_port pick_run(struct rt_env *env, const struct sw_packet *packet, const struct rt_ports *runs, uint32_t n,
                          uint64_t least)
{
	uint32_t equals = 0;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < runs[i].n - runs[i].but_n; k++)
			equals += counts(env, nth(&runs[i], k), least);
	base_checkf(equals > 0, "no port to take at switch %u", env->here);
	uint32_t chosen = rt_pick(env, packet, equals);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < runs[i].n - runs[i].but_n; k++)
			if (counts(env, nth(&runs[i], k), least) && chosen-- == 0)
				return nth(&runs[i], k);
	return runs->first;
}

topo_port rt_grid_weigh(const struct rt *rt, struct rt_env *env, const struct sw_packet *packet,
                        const struct rt_ports *aligning, uint32_t aligns, const struct rt_ports *lateral,
                        uint32_t laterals, uint32_t hops, bool *is_lateral)
{
	uint64_t straight = least_queue(env, aligning, aligns), aside = 0;
	uint64_t bias = rt_bias_of(rt, rt_class_bias(env, packet), hops + 1);
	uint32_t ports = 0;
	*is_lateral = false;
	for (uint32_t i = 0; i < laterals; i++)
		ports += lateral[i].n - lateral[i].but_n;
	if (ports && (env->oracle || straight * hops > bias)) {
		aside = least_queue(env, lateral, laterals);
		*is_lateral = rt_cheaper(env, aside * (hops + 1) + bias, straight * hops);
	}
	return *is_lateral ? pick_run(env, packet, lateral, laterals, aside)
	                   : pick_run(env, packet, aligning, aligns, straight);
}

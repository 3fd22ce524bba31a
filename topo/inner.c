/* topo/inner.c - see inner.h */
#include "topo/inner.h"

#include <stdlib.h>

uint32_t topo_inner_ports(const struct topo *topo, topo_switch s)
{
	return topo_ports(topo_inner_of(topo), s);
}

int topo_inner_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	const struct topo *inner = topo_inner_of(topo);
	return inner->ops->next(inner, here, to, leg_hops, out);
}

struct topo_run topo_inner_run(const struct topo *topo, topo_switch here, topo_switch to)
{
	const struct topo *inner = topo_inner_of(topo);
	return inner->ops->run(inner, here, to);
}

topo_port topo_inner_by_destination(const struct topo *topo, topo_switch here, uint32_t endpoint)
{
	const struct topo *inner = topo_inner_of(topo);
	return inner->ops->by_destination(inner, here, endpoint);
}

static unsigned inner_distance(const struct topo *topo, topo_switch from, topo_switch to)
{
	const struct topo *inner = topo_inner_of(topo);
	return inner->ops->distance(inner, from, to);
}

static unsigned inner_max_distance(const struct topo *topo)
{
	const struct topo *inner = topo_inner_of(topo);
	return inner->ops->max_distance(inner);
}

static uint32_t inner_group(const struct topo *topo, topo_switch s)
{
	const struct topo *inner = topo_inner_of(topo);
	return inner->ops->group(inner, s);
}

static uint32_t inner_worst_case(const struct topo *topo, topo_switch *to)
{
	const struct topo *inner = topo_inner_of(topo);
	return inner->ops->worst_case(inner, to);
}

static topo_switch inner_order(const struct topo *topo, uint32_t i)
{
	const struct topo *inner = topo_inner_of(topo);
	return inner->ops->order(inner, i);
}

static uint32_t inner_rack(const struct topo *topo, topo_switch s)
{
	const struct topo *inner = topo_inner_of(topo);
	return inner->ops->rack(inner, s);
}

static int inner_dims(const struct topo *topo, uint32_t *out, int capacity)
{
	const struct topo *inner = topo_inner_of(topo);
	return inner->ops->dims(inner, out, capacity);
}

static size_t inner_orbits(const struct topo *topo, struct topo_orbit *out, size_t capacity)
{
	const struct topo *inner = topo_inner_of(topo);
	return inner->ops->orbits(inner, out, capacity);
}

void topo_inner_facts(const struct topo *topo, struct topo_facts *facts)
{
	const struct topo *inner = topo_inner_of(topo);
	inner->ops->facts(inner, facts);
}

void topo_inner_destroy(struct topo *topo)
{
	struct topo_inner *inner = topo->impl;
	topo_destroy(&inner->topo);
	free(inner);
}

void topo_inner_wrap(struct topo *topo, struct topo_inner *inner)
{
	const struct topo_ops *of = topo->ops;
	inner->topo = *topo;
	inner->ops = (struct topo_ops){ .build = of->build,
		                        .destroy = topo_inner_destroy,
		                        .distance = inner_distance,
		                        .max_distance = inner_max_distance,
		                        .group = of->group ? inner_group : NULL,
		                        .worst_case = of->worst_case ? inner_worst_case : NULL,
		                        .order = of->order ? inner_order : NULL,
		                        .rack = of->rack ? inner_rack : NULL,
		                        .dims = of->dims ? inner_dims : NULL,
		                        .orbits = of->orbits ? inner_orbits : NULL,
		                        .facts = of->facts ? topo_inner_facts : NULL,
		                        .link_classes = of->link_classes };
	topo->ops = &inner->ops;
	topo->impl = inner;
	topo->said = NULL;
	topo->checked = NULL;
}

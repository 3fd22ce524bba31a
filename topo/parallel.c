/* topo/parallel.c - see parallel.h
 *
 * Cable c of the n that replace port p is port p n + c at both ends. Every hop chooses among them with equal
 * probability, so that each channel carries an n-th of the load, and a cycle of channels implies one of single cables:
 * a proof of deadlock freedom for single cables also holds here. All other functions call those of the original network
 * with single cables, which is kept. Networks without parallel cables have no overhead. */
#include "topo/parallel.h"
#include "topo/offer.h"

#include "base/check.h"
#include "base/memory.h"
#include "topo/divide.h"

#include <stdlib.h>

#define MOST_PORTS 65535

struct parallel {
	struct topo single;
	uint32_t n;
	struct topo_divider by_n;
	struct topo_ops ops;
};

static const struct topo *single(const struct topo *topo)
{
	return &((const struct parallel *)topo->impl)->single;
}

static uint32_t parallel_ports(const struct topo *topo, topo_switch s)
{
	const struct parallel *p = topo->impl;
	return topo_ports(&p->single, s) * p->n;
}

static struct topo_hop parallel_peer(const struct topo *topo, topo_switch s, topo_port port)
{
	const struct parallel *p = topo->impl;
	topo_port of = topo_divide(&p->by_n, port);
	struct topo_hop hop = topo_peer(&p->single, s, of);
	hop.port = hop.port * p->n + (port - of * p->n);
	return hop;
}

/* All cables of all ports; if these are more than can be offered, the same number of each port, from a start that
 * differs between pairs of switches. */
static int parallel_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	const struct parallel *p = topo->impl;
	topo_port of[TOPO_MAX_NEXT];
	uint32_t ports = (uint32_t)p->single.ops->next(&p->single, here, to, leg_hops, of), n = 0;
	uint32_t each = ports * p->n <= TOPO_MAX_NEXT ? p->n : TOPO_MAX_NEXT / ports;
	uint32_t first = each < p->n ? topo_offer_start(here, to, p->n) : 0;
	for (uint32_t i = 0; i < ports; i++)
		for (uint32_t c = 0; c < each; c++)
			out[n++] = of[i] * p->n + (first + c < p->n ? first + c : first + c - p->n);
	base_check(n > 0 && n <= TOPO_MAX_NEXT);
	return (int)n;
}

static struct topo_run parallel_run(const struct topo *topo, topo_switch here, topo_switch to)
{
	const struct parallel *p = topo->impl;
	struct topo_run run = { 0, 1 };
	if (p->single.ops->run) {
		run = p->single.ops->run(&p->single, here, to);
	} else {
		topo_port of[TOPO_MAX_NEXT];
		p->single.ops->next(&p->single, here, to, 0, of);
		run.first = of[0];
	}
	return (struct topo_run){ run.first * p->n, run.n * p->n };
}

static unsigned parallel_distance(const struct topo *topo, topo_switch from, topo_switch to)
{
	return single(topo)->ops->distance(single(topo), from, to);
}

static unsigned parallel_max_distance(const struct topo *topo)
{
	return single(topo)->ops->max_distance(single(topo));
}

static uint32_t parallel_group(const struct topo *topo, topo_switch s)
{
	return single(topo)->ops->group(single(topo), s);
}

static uint32_t parallel_worst_case(const struct topo *topo, topo_switch *to)
{
	return single(topo)->ops->worst_case(single(topo), to);
}

static topo_switch parallel_order(const struct topo *topo, uint32_t i)
{
	return single(topo)->ops->order(single(topo), i);
}

static uint32_t parallel_rack(const struct topo *topo, topo_switch s)
{
	return single(topo)->ops->rack(single(topo), s);
}

static int parallel_dims(const struct topo *topo, uint32_t *out, int capacity)
{
	return single(topo)->ops->dims(single(topo), out, capacity);
}

static size_t parallel_orbits(const struct topo *topo, struct topo_orbit *out, size_t capacity)
{
	return single(topo)->ops->orbits(single(topo), out, capacity);
}

static void divide_load(double *load, uint32_t n)
{
	*load = *load < 0 ? *load : *load / n;
}

static void parallel_facts(const struct topo *topo, struct topo_facts *facts)
{
	const struct parallel *p = topo->impl;
	p->single.ops->facts(&p->single, facts);
	facts->links *= p->n;
	facts->girth = 2;
	facts->bisection_links *= facts->bisection_links > 0 ? p->n : 1;
	facts->endpoint_bisection_links *= facts->endpoint_bisection_links > 0 ? p->n : 1;
	divide_load(&facts->max_channel_load_uniform, p->n);
	for (int k = 0; k < TOPO_LINK_CLASSES; k++) {
		facts->links_by_class[k] *= p->n;
		divide_load(&facts->max_load_by_class[k], p->n);
	}
}

static void parallel_destroy(struct topo *topo)
{
	struct parallel *p = topo->impl;
	if (p->single.ops->destroy && p->single.impl)
		p->single.ops->destroy(&p->single);
	free(p);
}

/* Facts unknown to the topology are unknown with parallel cables, too. */
static struct topo_ops parallel_ops(const struct topo *of)
{
	const struct topo_ops *s = of->ops;
	return (struct topo_ops){ .build = s->build,
		                  .destroy = parallel_destroy,
		                  .ports = parallel_ports,
		                  .peer = parallel_peer,
		                  .next = parallel_next,
		                  .run = s->run || of->one_way ? parallel_run : NULL,
		                  .distance = parallel_distance,
		                  .max_distance = parallel_max_distance,
		                  .group = s->group ? parallel_group : NULL,
		                  .worst_case = s->worst_case ? parallel_worst_case : NULL,
		                  .order = s->order ? parallel_order : NULL,
		                  .rack = s->rack ? parallel_rack : NULL,
		                  .dims = s->dims ? parallel_dims : NULL,
		                  .orbits = s->orbits ? parallel_orbits : NULL,
		                  .facts = s->facts ? parallel_facts : NULL,
		                  .link_classes = s->link_classes };
}

int topo_multiply(struct topo *topo, int64_t n, struct base_errors *errors)
{
	if (n < 2 || n > TOPO_MAX_NEXT)
		return base_errorf(errors, "trunk", "%lld parallel cables; 1 to %d are supported", (long long)n,
		                   TOPO_MAX_NEXT);
	if (topo->max_ports > MOST_PORTS / n)
		return base_errorf(errors, "trunk", "this makes switches of %llu ports; at most %d are supported",
		                   (unsigned long long)topo->max_ports * (unsigned long long)n, MOST_PORTS);
	struct parallel *p = base_alloc(sizeof *p);
	*p = (struct parallel){ .single = *topo, .n = (uint32_t)n, .by_n = topo_divider_of((uint32_t)n) };
	p->ops = parallel_ops(topo);
	topo->ops = &p->ops;
	topo->impl = p;
	topo->max_ports *= p->n;
	topo->one_way = false;
	topo->parallel = p->n;
	return 0;
}

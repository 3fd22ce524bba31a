/* topo/parallel.c - see parallel.h
 *
 * Cable c of the n that replace port p is port p n + c at both ends. Every hop chooses among them with equal
 * probability, so that each channel carries an n-th of the load, and a cycle of channels implies one of single cables:
 * a proof of deadlock freedom for single cables also holds here. All other functions call those of the original network
 * with single cables, which is kept. Networks without parallel cables have no overhead. */
#include "topo/parallel.h"
#include "topo/inner.h"
#include "topo/offer.h"

#include "base/check.h"
#include "base/memory.h"
#include "topo/divide.h"

#include <stdlib.h>

#define MOST_PORTS 65535

struct parallel {
	struct topo_inner inner; /* with single cables */
	uint32_t n;
	struct topo_divider by_n;
};

static uint32_t parallel_ports(const struct topo *topo, topo_switch s)
{
	const struct parallel *p = topo->impl;
	return topo_ports(&p->inner.topo, s) * p->n;
}

static struct topo_hop parallel_peer(const struct topo *topo, topo_switch s, topo_port port)
{
	const struct parallel *p = topo->impl;
	topo_port of = topo_divide(&p->by_n, port);
	struct topo_hop hop = topo_peer(&p->inner.topo, s, of);
	hop.port = hop.port * p->n + (port - of * p->n);
	return hop;
}

/* Offers all parallel cables of all ports that the inner topology offers. If these are more than TOPO_MAX_NEXT, it
 * offers the same number of cables of each port, beginning at a cable that differs between pairs of switches. */
static int parallel_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	const struct parallel *p = topo->impl;
	topo_port of[TOPO_MAX_NEXT];
	uint32_t ports = (uint32_t)p->inner.topo.ops->next(&p->inner.topo, here, to, leg_hops, of), n = 0;
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
	if (p->inner.topo.ops->run) {
		run = p->inner.topo.ops->run(&p->inner.topo, here, to);
	} else {
		topo_port of[TOPO_MAX_NEXT];
		p->inner.topo.ops->next(&p->inner.topo, here, to, 0, of);
		run.first = of[0];
	}
	return (struct topo_run){ run.first * p->n, run.n * p->n };
}

static void divide_load(double *load, uint32_t n)
{
	*load = *load < 0 ? *load : *load / n;
}

static void parallel_facts(const struct topo *topo, struct topo_facts *facts)
{
	const struct parallel *p = topo->impl;
	topo_inner_facts(topo, facts);
	facts->links *= p->n;
	facts->girth = 2;
	facts->bisection_links *= facts->bisection_links > 0 ? p->n : 1;
	facts->endpoint_bisection_links *= facts->endpoint_bisection_links > 0 ? p->n : 1;
	divide_load(&facts->max_channel_load_uniform, p->n);
	for (int k = 0; k < topo->link_classes; k++) {
		facts->links_by_class[k] *= p->n;
		divide_load(&facts->max_load_by_class[k], p->n);
	}
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
	*p = (struct parallel){ .n = (uint32_t)n, .by_n = topo_divider_of((uint32_t)n) };
	topo_inner_wrap(topo, &p->inner);
	const struct topo *single = &p->inner.topo;
	p->inner.ops.ports = parallel_ports;
	p->inner.ops.peer = parallel_peer;
	p->inner.ops.next = parallel_next;
	p->inner.ops.run = single->ops->run || single->one_way ? parallel_run : NULL;
	p->inner.ops.facts = single->ops->facts ? parallel_facts : NULL; /* what it does not know stays unknown */
	topo->max_ports *= p->n;
	topo->one_way = false;
	topo->parallel = p->n;
	return 0;
}

/* tests/routing/depths.h - decisions of adaptive routings for given depths of queues here and at neighbours. */
#ifndef TESTS_ROUTING_DEPTHS_H
#define TESTS_ROUTING_DEPTHS_H

#include "tests/routing/fixture.h"

#include <criterion/criterion.h>

/* What both kinds of depth are: tables by port here, and by (port here, port there). */
struct depths {
	uint64_t here[16];
	uint64_t there[16][16];
	const struct topo *topo;
	topo_switch at;
	unsigned asked, beyond_group;
};

static inline uint64_t queue(const void *sw, topo_port out, uint64_t now)
{
	(void)now;
	return ((const struct depths *)sw)->here[out];
}

static inline uint64_t neighbour(const void *host, topo_port out, topo_port far, uint64_t now)
{
	struct depths *d = (struct depths *)(uintptr_t)host;
	(void)now;
	topo_switch there = topo_peer(d->topo, d->at, out).to;
	cr_assert_lt(far, topo_ports(d->topo, there));
	d->asked++;
	d->beyond_group += topo_group(d->topo, there) != topo_group(d->topo, d->at);
	return d->there[out][far];
}

static const struct rt_bias *bias_of_class; /* or NULL */

/* Routes packet `seq` from switch `from` to switch `to`, where endpoints equal switches. */
static inline struct rt_decision decide(const struct rt *rt, struct depths *d, topo_switch from, topo_switch to,
                                        uint32_t seq, struct sw_packet *p)
{
	*p = (struct sw_packet){ .src = from, .dst = to, .seq = seq, .bytes = 256, .via = SW_NO_VIA };
	struct rt_env env = { .here = from,
		              .in_port = RT_FROM_ENDPOINT,
		              .seed = 7,
		              .queue_bytes = queue,
		              .sw = d,
		              .neighbour_bytes = neighbour,
		              .host = d,
		              .class_bias = &bias_of_class };
	d->topo = rt->topo;
	d->at = from;
	return rt->ops->route(rt, &env, p);
}

struct built {
	struct rt rt;
	void *params;
	struct base_errors errors;
};

static inline void build(struct built *b, const struct topo *topo, const struct base_plugin *plugin, const char *text)
{
	*b = (struct built){ 0 };
	b->params = fixture_params(plugin, text, &b->errors);
	cr_assert_not_null(b->params);
	cr_assert_eq(rt_build(&b->rt, plugin, b->params, topo, &b->errors), 0);
}

static inline void unbuild(struct built *b)
{
	rt_destroy(&b->rt);
	free(b->params);
	base_errors_free(&b->errors);
}

#endif

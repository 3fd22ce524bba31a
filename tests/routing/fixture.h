/* tests/routing/fixture.h - networks and routings for the routing tests, from text parameters, and tiny hand-made
 * graphs that need no builder. */
#ifndef TESTS_ROUTING_FIXTURE_H
#define TESTS_ROUTING_FIXTURE_H

#include "base/memory.h"
#include "base/param.h"
#include "routing/routing.h"

#include <stdlib.h>
#include <string.h>

/* Fills a plug-in's parameter struct from "key=value key=value". NULL if a value is refused. */
static inline void *fixture_params(const struct base_plugin *plugin, const char *text, struct base_errors *errors)
{
	void *params = base_alloc(plugin->params_bytes);
	if (plugin->params && base_params_defaults(plugin->params, params, errors))
		return NULL;
	char *copy = base_strdup(text), *save = NULL;
	bool good = true;
	for (char *item = strtok_r(copy, " ", &save); item && good; item = strtok_r(NULL, " ", &save)) {
		char *value = strchr(item, '=');
		*value++ = 0;
		const struct base_param *row = plugin->params;
		while (row->name && strcmp(row->name, item))
			row++;
		good = row->name && !base_param_parse(row, params, value, errors);
	}
	free(copy);
	if (good)
		return params;
	base_params_free(plugin->params, params);
	free(params);
	return NULL;
}

struct fixture {
	struct topo topo;
	struct rt rt;
	const struct base_plugin *tp, *rp;
	void *topo_params, *rt_params;
	struct base_errors errors;
};

/* 0 if the topology could be built. */
static inline int fixture_topo(struct fixture *f, const struct base_plugin *plugin, const char *text)
{
	*f = (struct fixture){ .tp = plugin };
	f->topo_params = fixture_params(plugin, text, &f->errors);
	return f->topo_params ? topo_build(&f->topo, plugin, f->topo_params, &f->errors) : -1;
}

/* Puts another routing on the same topology. */
static inline int fixture_routing(struct fixture *f, const struct base_plugin *plugin, const char *text)
{
	rt_destroy(&f->rt);
	if (f->rt_params)
		base_params_free(f->rp->params, f->rt_params);
	free(f->rt_params);
	f->rp = plugin;
	f->rt_params = fixture_params(plugin, text, &f->errors);
	return f->rt_params ? rt_build(&f->rt, plugin, f->rt_params, &f->topo, &f->errors) : -1;
}

static inline void fixture_free(struct fixture *f)
{
	rt_destroy(&f->rt);
	topo_destroy(&f->topo);
	if (f->rt_params)
		base_params_free(f->rp->params, f->rt_params);
	if (f->topo_params)
		base_params_free(f->tp->params, f->topo_params);
	free(f->rt_params);
	free(f->topo_params);
	base_errors_free(&f->errors);
}

/* --- hand-made: the complete graph. Port p of switch s leads to the p-th of the other switches. ------------- */

static inline uint32_t complete_ports(const struct topo *t, topo_switch s)
{
	(void)s;
	return t->switches - 1;
}

static inline topo_port complete_port(topo_switch from, topo_switch to)
{
	return to < from ? to : to - 1;
}

static inline struct topo_hop complete_peer(const struct topo *t, topo_switch s, topo_port port)
{
	(void)t;
	topo_switch to = port < s ? port : port + 1;
	return (struct topo_hop){ .to = to, .port = complete_port(to, s) };
}

static inline int complete_next(const struct topo *t, topo_switch here, topo_switch to, unsigned leg, topo_port *out)
{
	(void)t, (void)leg;
	out[0] = complete_port(here, to);
	return 1;
}

static inline unsigned complete_distance(const struct topo *t, topo_switch a, topo_switch b)
{
	(void)t;
	return a != b;
}

static inline unsigned complete_far(const struct topo *t)
{
	return t->switches > 1;
}

static const struct topo_ops complete_ops = {
	.ports = complete_ports,
	.peer = complete_peer,
	.next = complete_next,
	.distance = complete_distance,
	.max_distance = complete_far,
};

static inline struct topo complete_graph(uint32_t switches, uint32_t endpoints)
{
	return (struct topo){ .ops = &complete_ops,
		              .kind = "complete",
		              .switches = switches,
		              .endpoints = switches * endpoints,
		              .max_ports = switches - 1,
		              .max_endpoints = endpoints,
		              .by_endpoints = topo_divider_of(endpoints),
		              .groups = 1,
		              .vc_rule = TOPO_VC_HOP };
}

/* --- hand-made: a unidirectionally numbered ring, port 0 onward, port 1 back; the dateline between last and first --
 */

static inline uint32_t ring_ports(const struct topo *t, topo_switch s)
{
	(void)t, (void)s;
	return 2;
}

static inline struct topo_hop ring_peer(const struct topo *t, topo_switch s, topo_port port)
{
	uint32_t n = t->switches;
	return (struct topo_hop){ .to = port ? (s + n - 1) % n : (s + 1) % n,
		                  .port = !port,
		                  .dateline = port ? s == 0 : s == n - 1 };
}

static inline unsigned ring_distance(const struct topo *t, topo_switch a, topo_switch b)
{
	uint32_t on = (b + t->switches - a) % t->switches;
	return on < t->switches - on ? on : t->switches - on;
}

static inline int ring_next(const struct topo *t, topo_switch here, topo_switch to, unsigned leg, topo_port *out)
{
	(void)leg;
	uint32_t on = (to + t->switches - here) % t->switches;
	int n = 0;
	if (2 * on <= t->switches)
		out[n++] = 0;
	if (2 * on >= t->switches)
		out[n++] = 1;
	return n;
}

static inline unsigned ring_far(const struct topo *t)
{
	return t->switches / 2;
}

static const struct topo_ops ring_ops = {
	.ports = ring_ports,
	.peer = ring_peer,
	.next = ring_next,
	.distance = ring_distance,
	.max_distance = ring_far,
};

static inline struct topo ring_graph(uint32_t switches, uint32_t endpoints, enum topo_vc_rule rule)
{
	return (struct topo){ .ops = &ring_ops,
		              .kind = "ring",
		              .switches = switches,
		              .endpoints = switches * endpoints,
		              .max_ports = 2,
		              .max_endpoints = endpoints,
		              .by_endpoints = topo_divider_of(endpoints),
		              .groups = 1,
		              .vc_rule = rule };
}

#endif

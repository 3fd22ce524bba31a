/* topo/failed.c - see failed.h
 *
 * In the adjacency lists a failed cable leads from a switch to itself. So its port is on no shortest path, and the
 * numbers of other ports do not change. */
#include "topo/failed.h"
#include "topo/table.h"

#include "base/check.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct failed {
	struct topo_table table; /* first: topo_table_ports() and its like; `back` and `link_class` are not used */
	const struct topo *whole;
	struct topo_ops ops;
	uint32_t *component; /* [switches] */
	uint32_t main;
	uint8_t *cut_off; /* [switches] */
};

static const struct failed *failed_of(const struct topo *topo)
{
	return topo->impl;
}

static struct topo_hop failed_peer(const struct topo *topo, topo_switch s, topo_port port)
{
	return topo_peer(failed_of(topo)->whole, s, port);
}

static int failed_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	const struct failed *f = topo->impl;
	if (f->component[here] == f->component[to])
		return topo_table_next(topo, here, to, leg_hops, out);
	out[0] = 0;
	return 1;
}

static uint32_t failed_group(const struct topo *topo, topo_switch s)
{
	const struct topo *whole = failed_of(topo)->whole;
	return whole->ops->group(whole, s);
}

static void failed_destroy(struct topo *topo)
{
	struct failed *f = topo->impl;
	topo_table_free(&f->table);
	free(f->component);
	free(f->cut_off);
	free(f);
}

static void connect_living(struct topo_graph *g, const struct topo *whole, const size_t *first, const uint8_t *dead)
{
	g->n = whole->switches;
	g->first = base_calloc((size_t)g->n + 1, sizeof *g->first);
	memcpy(g->first, first, ((size_t)g->n + 1) * sizeof *g->first);
	g->to = base_calloc(first[g->n] + 1, sizeof *g->to);
	for (topo_switch s = 0; s < g->n; s++)
		for (size_t i = first[s]; i < first[s + 1]; i++)
			g->to[i] = dead[i] ? s : topo_peer(whole, s, (topo_port)(i - first[s])).to;
}

/* Components are numbered by their first switches. */
static void find_components(struct failed *f)
{
	const struct topo_graph *g = &f->table.graph;
	topo_switch *queue = base_calloc(g->n, sizeof *queue);
	uint32_t components = 0;
	uint64_t most = 0;
	f->component = base_calloc(g->n, sizeof *f->component);
	f->cut_off = base_calloc(g->n, 1);
	memset(f->component, 0xff, g->n * sizeof *f->component);
	for (topo_switch s = 0; s < g->n; s++) {
		uint32_t head = 0, tail = 0;
		uint64_t endpoints = 0;
		if (f->component[s] != UINT32_MAX)
			continue;
		f->component[s] = components;
		queue[tail++] = s;
		while (head < tail) {
			topo_switch v = queue[head++];
			endpoints += topo_endpoints_at(f->whole, v);
			for (size_t i = g->first[v]; i < g->first[v + 1]; i++) {
				if (f->component[g->to[i]] != UINT32_MAX)
					continue;
				f->component[g->to[i]] = components;
				queue[tail++] = g->to[i];
			}
		}
		f->main = endpoints > most ? components : f->main;
		most = endpoints > most ? endpoints : most;
		components++;
	}
	free(queue);
	for (topo_switch s = 0; s < g->n; s++)
		f->cut_off[s] = f->component[s] != f->main;
}

/* The longest route between switches with endpoints. */
static unsigned find_diameter(const struct failed *f)
{
	const uint32_t n = f->whole->switches;
	unsigned most = 0;
	for (topo_switch to = 0; to < n; to++)
		for (topo_switch from = 0; topo_endpoints_at(f->whole, to) && from < n; from++) {
			unsigned d = f->table.distance[(size_t)to * n + from];
			if (d != TOPO_APART && d > most && topo_endpoints_at(f->whole, from))
				most = d;
		}
	return most;
}

int topo_fail(struct topo *out, const struct topo *whole, const size_t *first, const uint8_t *dead,
              struct base_errors *errors)
{
	if (whole->switches > TOPO_MAX_TABLED)
		return base_errorf(errors, NULL,
		                   "routes around what has failed are kept in a table of switches^2 bytes: at most %d "
		                   "switches are supported, here are %u",
		                   TOPO_MAX_TABLED, whole->switches);
	struct failed *f = base_alloc(sizeof *f);
	f->whole = whole;
	connect_living(&f->table.graph, whole, first, dead);
	find_components(f);
	*out = *whole;
	out->impl = f;
	if (topo_table_distances_apart(&f->table)) {
		failed_destroy(out);
		return base_errorf(errors, NULL, "two switches are more than %d hops apart", TOPO_FARTHEST);
	}
	f->table.diameter = find_diameter(f);
	f->ops = (struct topo_ops){ .build = whole->ops->build,
		                    .destroy = failed_destroy,
		                    .group = whole->ops->group ? failed_group : NULL,
		                    .ports = topo_table_ports,
		                    .peer = failed_peer,
		                    .next = failed_next,
		                    .distance = topo_table_distance,
		                    .max_distance = topo_table_max_distance };
	out->ops = &f->ops;
	out->said = NULL;
	out->checked = NULL;
	out->vc_rule = TOPO_VC_HOP;
	out->ordered = out->one_way = false;
	out->reduced = true;
	out->cut_off = f->cut_off;
	base_check(topo_ports(out, 0) == topo_ports(whole, 0));
	return 0;
}

const uint32_t *topo_failed_component(const struct topo *topo)
{
	return failed_of(topo)->component;
}

uint32_t topo_failed_main(const struct topo *topo)
{
	return failed_of(topo)->main;
}

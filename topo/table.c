/* topo/table.c - see table.h */
#include "topo/table.h"
#include "topo/offer.h"

#include "base/memory.h"

#include <stdlib.h>

uint32_t topo_table_ports(const struct topo *topo, topo_switch s)
{
	const struct topo_table *e = topo->impl;
	return (uint32_t)(e->graph.first[s + 1] - e->graph.first[s]);
}

struct topo_hop topo_table_peer(const struct topo *topo, topo_switch s, topo_port port)
{
	const struct topo_table *e = topo->impl;
	size_t i = e->graph.first[s] + port;
	return (struct topo_hop){ .to = e->graph.to[i], .port = e->back[i], .link_class = e->link_class[i] };
}

int topo_table_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	(void)leg_hops;
	const struct topo_table *e = topo->impl;
	const uint8_t *row = e->distance + (size_t)to * e->graph.n;
	const topo_switch *peer = e->graph.to + e->graph.first[here];
	uint32_t ports = (uint32_t)(e->graph.first[here + 1] - e->graph.first[here]);
	uint32_t start = ports > TOPO_MAX_NEXT ? topo_offer_start(here, to, ports) : 0;
	unsigned nearer = row[here] - 1u;
	int n = 0;
	for (uint32_t i = 0; i < ports && n < TOPO_MAX_NEXT; i++) {
		uint32_t port = start + i < ports ? start + i : start + i - ports;
		if (row[peer[port]] == nearer)
			out[n++] = port;
	}
	return n;
}

unsigned topo_table_distance(const struct topo *topo, topo_switch from, topo_switch to)
{
	const struct topo_table *e = topo->impl;
	return e->distance[(size_t)to * e->graph.n + from];
}

unsigned topo_table_max_distance(const struct topo *topo)
{
	const struct topo_table *e = topo->impl;
	return e->diameter;
}

void topo_table_free(struct topo_table *e)
{
	sim_table_free(&e->distances);
	topo_graph_free(&e->graph);
	free(e->back);
	free(e->link_class);
	free(e->class_name);
	topo_kinds_free(&e->kinds);
}

/* Adjacency lists by a counting sort of the cables' ends. */
void topo_table_connect(struct topo_table *e, uint32_t switches, const struct topo_cable *cables, size_t n)
{
	struct topo_graph *g = &e->graph;
	g->n = switches;
	g->first = base_calloc((size_t)g->n + 1, sizeof *g->first);
	g->to = base_calloc(2 * n, sizeof *g->to);
	e->back = base_calloc(2 * n, sizeof *e->back);
	e->link_class = base_calloc(2 * n, sizeof *e->link_class);
	for (size_t i = 0; i < n; i++) {
		g->first[cables[i].a + 1]++;
		g->first[cables[i].b + 1]++;
	}
	for (uint32_t s = 0; s < g->n; s++)
		g->first[s + 1] += g->first[s];
	topo_port *used = base_calloc(g->n, sizeof *used);
	for (size_t i = 0; i < n; i++) {
		struct topo_cable c = cables[i];
		topo_port pa = used[c.a]++, pb = used[c.b]++;
		size_t at = g->first[c.a] + pa, bt = g->first[c.b] + pb;
		g->to[at] = c.b;
		g->to[bt] = c.a;
		e->back[at] = pb;
		e->back[bt] = pa;
		e->link_class[at] = c.link_class;
		e->link_class[bt] = e->kinds.n ? e->kinds.v[c.link_class].reverse : c.link_class;
	}
	free(used);
}

/* Names of classes; what cables have of their own becomes their class. */
static int find_kinds(struct topo_table *e, struct topo_cables *cables)
{
	const char **name = base_calloc((size_t)cables->classes + 1, sizeof *name);
	e->class_name = cables->class_name;
	cables->class_name = NULL;
	for (uint32_t i = 0; i < cables->classes; i++)
		name[i] = e->class_name[i];
	topo_kinds_start(&e->kinds, name, (int)cables->classes);
	free(name);
	for (size_t i = 0; i < cables->n; i++) {
		struct topo_cable *c = &cables->v[i];
		if (!c->own)
			continue;
		const struct topo_link_kind *own = &cables->own.v[c->own];
		int class = topo_kinds_class(&e->kinds, c->link_class, own->own, cables->own.v[own->reverse].own);
		if (class < 0)
			return -1;
		c->link_class = (uint16_t) class;
		c->own = 0;
	}
	return 0;
}

int topo_table_of_cables(struct topo *topo, struct topo_table *e, struct topo_cables *cables, const char *file,
                         struct base_errors *errors)
{
	int status = find_kinds(e, cables);
	if (status)
		base_errorf(errors, "file",
		            "%s: more than %d link classes, each bandwidth and latency of a cable of its "
		            "own counted as one",
		            file, TOPO_LINK_CLASSES);
	else
		topo_table_connect(e, cables->switches, cables->v, cables->n);
	topo->link_classes = e->kinds.n;
	topo->link_class_name = e->kinds.name;
	topo->kinds = e->kinds.n > e->kinds.named ? &e->kinds : NULL;
	return status;
}

/* FNV-1a hash of its cables. */
static uint64_t hash_graph(const struct topo_graph *g)
{
	uint64_t hash = UINT64_C(14695981039346656037);
	for (uint32_t s = 0; s < g->n; s++) {
		for (size_t i = g->first[s]; i < g->first[s + 1]; i++)
			hash = (hash ^ g->to[i]) * UINT64_C(1099511628211);
		hash = (hash ^ TOPO_NONE) * UINT64_C(1099511628211);
	}
	return hash;
}

static int tabulate_distances(struct topo_table *e, bool apart)
{
	struct sim_table *t = &e->distances;
	int diameter;
	sim_table_begin(t, (size_t)e->graph.n * e->graph.n, hash_graph(&e->graph));
	e->distance = t->v;
	uint64_t failed = topo_distance_table(&e->graph, t->part, t->parts, apart, t->v, &diameter) != 0;
	uint64_t most[2] = { failed, (uint64_t)diameter };
	sim_table_end(t, most, 2);
	e->diameter = (unsigned)most[1];
	return most[0] ? -1 : 0;
}

int topo_table_distances(struct topo_table *e)
{
	return tabulate_distances(e, false);
}

int topo_table_distances_apart(struct topo_table *e)
{
	return tabulate_distances(e, true);
}

uint32_t topo_table_most_ports(const struct topo_table *e)
{
	size_t most = 0;
	for (topo_switch s = 0; s < e->graph.n; s++) {
		size_t ports = e->graph.first[s + 1] - e->graph.first[s];
		most = ports > most ? ports : most;
	}
	return (uint32_t)most;
}

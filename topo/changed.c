/* topo/changed.c - see changed.h
 *
 * If no cable is absent, the topology is wrapped: its ports and routes stay, and peer() reads a cable's link class from
 * a table of two bytes per channel, which the ranks of a host share. If cables are absent, the topology is replaced by
 * one of adjacency lists and a table of distances (table.h): the remaining ports of a switch keep their order, and
 * minimal routing takes the shortest paths that are left, with the hop rule for virtual channels (TOPO_VC_HOP). Groups,
 * racks and coordinates stay those of the network with all cables. */
#include "topo/changed.h"
#include "topo/inner.h"
#include "topo/table.h"

#include "base/check.h"
#include "base/memory.h"

#include <stdlib.h>

size_t topo_channels(const struct topo *topo, size_t **first)
{
	*first = base_calloc((size_t)topo->switches + 1, sizeof **first);
	for (topo_switch s = 0; s < topo->switches; s++)
		(*first)[s + 1] = (*first)[s] + topo_ports(topo, s);
	return (*first)[topo->switches];
}

/* --- classes ------------------------------------------------------------------------------------------------- */

/* Fills class[channels], and kinds. */
static int find_classes(const struct topo *topo, const struct topo_changes *c, struct topo_kinds *kinds,
                        uint16_t *class, struct base_errors *errors)
{
	topo_kinds_start(kinds, topo->link_class_name, topo_named_classes(topo));
	for (topo_switch s = 0; s < topo->switches; s++)
		for (topo_port p = 0; p < topo_ports(topo, s); p++) {
			struct topo_hop hop = topo_peer(topo, s, p);
			size_t at = c->first[s] + p, back = c->first[hop.to] + hop.port;
			if (c->absent && c->absent[at])
				continue;
			int found =
			    topo_kinds_class(kinds, topo_named_class(topo, hop.link_class), c->own[at], c->own[back]);
			if (found < 0)
				return base_errorf(
				    errors, NULL,
				    "more than %d link classes, each bandwidth and latency of a cable of "
				    "its own counted as one",
				    TOPO_LINK_CLASSES);
			class[at] = (uint16_t)found;
		}
	return 0;
}

static void use_kinds(struct topo *topo, const struct topo_kinds *kinds)
{
	topo->link_classes = kinds->n;
	topo->link_class_name = kinds->name;
	topo->kinds = kinds->n > kinds->named ? kinds : NULL;
}

/* --- all cables are there ------------------------------------------------------------------------------------ */

struct relabelled {
	struct topo_inner inner;
	size_t *first;
	const uint16_t *class; /* [channels] */
	struct sim_table classes;
	struct topo_kinds kinds;
};

static struct topo_hop relabelled_peer(const struct topo *topo, topo_switch s, topo_port port)
{
	const struct relabelled *r = topo->impl;
	struct topo_hop hop = topo_peer(&r->inner.topo, s, port);
	hop.link_class = r->class[r->first[s] + port];
	return hop;
}

/* Closed forms of loads by class do not know which cables have which class. */
static void relabelled_facts(const struct topo *topo, struct topo_facts *facts)
{
	topo_inner_facts(topo, facts);
	for (int k = 0; k < topo->link_classes; k++)
		facts->max_load_by_class[k] = -1;
}

static void relabelled_destroy(struct topo *topo)
{
	struct relabelled *r = topo->impl;
	free(r->first);
	sim_table_free(&r->classes);
	topo_kinds_free(&r->kinds);
	topo_inner_destroy(topo);
}

static uint64_t hash_bytes(const void *bytes, size_t n)
{
	const unsigned char *v = bytes;
	uint64_t hash = UINT64_C(14695981039346656037);
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ v[i]) * UINT64_C(1099511628211);
	return hash;
}

static int relabel(struct topo *topo, const struct topo_changes *c, struct base_errors *errors)
{
	size_t *first, channels = topo_channels(topo, &first), bytes = channels * sizeof(uint16_t);
	struct relabelled *r = base_alloc(sizeof *r);
	uint16_t *class = base_calloc(channels + 1, sizeof *class);
	if (find_classes(topo, c, &r->kinds, class, errors)) {
		topo_kinds_free(&r->kinds);
		free(r);
		free(class);
		free(first);
		return -1;
	}
	r->first = first;
	sim_table_begin(&r->classes, bytes, hash_bytes(class, bytes));
	size_t from = channels * r->classes.part / r->classes.parts,
	       to = channels * ((size_t)r->classes.part + 1) / r->classes.parts;
	for (size_t i = from; i < to; i++)
		((uint16_t *)r->classes.v)[i] = class[i];
	sim_table_end(&r->classes, NULL, 0);
	free(class);
	r->class = r->classes.v;
	topo_inner_wrap(topo, &r->inner);
	const struct topo_ops *of = r->inner.topo.ops;
	struct topo_ops *ops = &r->inner.ops;
	ops->destroy = relabelled_destroy;
	ops->ports = topo_inner_ports;
	ops->peer = relabelled_peer;
	ops->next = topo_inner_next;
	ops->run = of->run ? topo_inner_run : NULL;
	ops->by_destination = of->by_destination ? topo_inner_by_destination : NULL;
	ops->facts = of->facts ? relabelled_facts : NULL;
	use_kinds(topo, &r->kinds);
	return 0;
}

/* --- some are gone ------------------------------------------------------------------------------------------- */

struct reduced {
	struct topo_table table; /* first: topo_table_peer() and its like */
	struct topo whole;
	struct topo_ops ops;
};

static const struct topo *whole_of(const struct topo *topo)
{
	return &((const struct reduced *)topo->impl)->whole;
}

static uint32_t reduced_group(const struct topo *topo, topo_switch s)
{
	return whole_of(topo)->ops->group(whole_of(topo), s);
}

static uint32_t reduced_worst_case(const struct topo *topo, topo_switch *to)
{
	return whole_of(topo)->ops->worst_case(whole_of(topo), to);
}

static topo_switch reduced_order(const struct topo *topo, uint32_t i)
{
	return whole_of(topo)->ops->order(whole_of(topo), i);
}

static uint32_t reduced_rack(const struct topo *topo, topo_switch s)
{
	return whole_of(topo)->ops->rack(whole_of(topo), s);
}

static int reduced_dims(const struct topo *topo, uint32_t *out, int capacity)
{
	return whole_of(topo)->ops->dims(whole_of(topo), out, capacity);
}

static void reduced_destroy(struct topo *topo)
{
	struct reduced *r = topo->impl;
	topo_table_free(&r->table);
	topo_destroy(&r->whole);
	free(r);
}

/* Adjacency lists of the cables that are left, in the order of the ports; class: [channels]. */
static void connect_left(struct topo_table *t, const struct topo *topo, const struct topo_changes *c,
                         const uint16_t *class)
{
	struct topo_graph *g = &t->graph;
	size_t channels = c->first[topo->switches];
	topo_port *number = base_calloc(channels + 1, sizeof *number); /* of the port, without those that are gone */
	g->n = topo->switches;
	g->first = base_calloc((size_t)g->n + 1, sizeof *g->first);
	for (topo_switch s = 0; s < g->n; s++) {
		topo_port n = 0;
		for (size_t i = c->first[s]; i < c->first[s + 1]; i++)
			number[i] = c->absent[i] ? n : n++;
		g->first[s + 1] = g->first[s] + n;
	}
	size_t left = g->first[g->n];
	g->to = base_calloc(left + 1, sizeof *g->to);
	t->back = base_calloc(left + 1, sizeof *t->back);
	t->link_class = base_calloc(left + 1, sizeof *t->link_class);
	for (topo_switch s = 0; s < g->n; s++)
		for (topo_port p = 0; p < topo_ports(topo, s); p++) {
			if (c->absent[c->first[s] + p])
				continue;
			struct topo_hop hop = topo_peer(topo, s, p);
			size_t at = g->first[s] + number[c->first[s] + p];
			g->to[at] = hop.to;
			t->back[at] = number[c->first[hop.to] + hop.port];
			t->link_class[at] = class[c->first[s] + p];
		}
	free(number);
}

static int check_connected(const struct topo *topo, const struct topo_graph *g, struct base_errors *errors)
{
	uint32_t *distance = base_calloc(g->n, sizeof *distance);
	topo_switch *queue = base_calloc(g->n, sizeof *queue), lost = 0;
	uint32_t reached = topo_bfs(g, 0, distance, queue);
	while (reached < g->n && distance[lost] != UINT32_MAX)
		lost++;
	free(distance);
	free(queue);
	if (reached == g->n)
		return 0;
	return base_errorf(
	    errors, NULL,
	    "without the absent cables switch %u%s cannot be reached from switch 0: every switch needs a "
	    "way to every other",
	    lost, topo_endpoints_at(topo, lost) ? "" : ", which has no endpoints,");
}

static int tabulate(const struct topo *topo, struct reduced *r, struct base_errors *errors)
{
	if (topo->switches > TOPO_MAX_TABLED)
		return base_errorf(errors, NULL,
		                   "routes around absent cables are kept in a table of switches^2 bytes: at most %d "
		                   "switches are supported, here are %u",
		                   TOPO_MAX_TABLED, topo->switches);
	if (check_connected(topo, &r->table.graph, errors))
		return -1;
	if (topo_table_distances(&r->table))
		return base_errorf(errors, NULL, "two switches are more than %d hops apart without the absent cables",
		                   TOPO_FARTHEST);
	return 0;
}

static int reduce(struct topo *topo, const struct topo_changes *c, struct base_errors *errors)
{
	struct reduced *r = base_alloc(sizeof *r);
	uint16_t *class = base_calloc(c->first[topo->switches] + 1, sizeof *class);
	int status = find_classes(topo, c, &r->table.kinds, class, errors);
	if (!status) {
		connect_left(&r->table, topo, c, class);
		status = tabulate(topo, r, errors);
	}
	free(class);
	if (status) {
		topo_table_free(&r->table);
		free(r);
		return -1;
	}
	const struct topo_ops *of = topo->ops;
	r->whole = *topo;
	r->ops = (struct topo_ops){ .build = of->build,
		                    .destroy = reduced_destroy,
		                    .group = of->group ? reduced_group : NULL,
		                    .worst_case = of->worst_case ? reduced_worst_case : NULL,
		                    .order = of->order ? reduced_order : NULL,
		                    .rack = of->rack ? reduced_rack : NULL,
		                    .dims = of->dims ? reduced_dims : NULL,
		                    .link_classes = of->link_classes,
		                    TOPO_TABLE_OPS };
	topo->ops = &r->ops;
	topo->impl = r;
	topo->said = NULL;
	topo->checked = NULL;
	topo->max_ports = topo_table_most_ports(&r->table);
	topo->vc_rule = TOPO_VC_HOP;
	topo->ordered = topo->one_way = false;
	topo->reduced = true;
	use_kinds(topo, &r->table.kinds);
	return 0;
}

int topo_change(struct topo *topo, const struct topo_changes *changes, struct base_errors *errors)
{
	base_checkf(changes->first[topo->switches] > 0, "%u switches without cables", topo->switches);
	return changes->absent ? reduce(topo, changes, errors) : relabel(topo, changes, errors);
}

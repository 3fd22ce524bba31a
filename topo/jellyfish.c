/* topo/jellyfish.c - Jellyfish: a random regular graph; equal seeds give equal graphs.
 *
 * Singla, Hong, Popa, Godfrey, "Jellyfish: Networking Data Centers Randomly", NSDI 2012, section 3: random pairs of
 * switches with free ports are connected, none twice, until no pair is left; remaining free ports get their cables by
 * splitting random cables: x - y becomes u - x and v - y. A graph that is not connected is discarded, and another one
 * generated.
 *
 * Minimal routes are all shortest ones, from a table of distances (table.h). Beyond TOPO_MAX_TABLED switches only the
 * graph is available, without routing. */
#include "topo/checked.h"
#include "topo/parallel.h"
#include "topo/params.h"
#include "topo/table.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JELLY_MAX_DEGREE 65535
#define JELLY_TRIES 64u  /* attempts to generate a connected graph */
#define JELLY_FAILS 100u /* failed splits per cable of the graph before it is discarded */
#define JELLY_MAX_CABLES (UINT32_C(1) << 28)

struct jellyfish {
	struct topo_table table;
	char why[200]; /* no_routes */
};

struct growth {
	uint32_t n, d;
	uint64_t random;
	topo_switch *neighbour; /* [n][d] */
	uint32_t *degree;
	topo_switch *open; /* switches with free ports */
	uint32_t opens;
	struct topo_cable *cable;
	size_t cables;
};

static uint32_t below(struct growth *g, uint32_t n)
{
	return (uint32_t)((uint64_t)topo_random(&g->random) * n >> 31);
}

static bool joined(const struct growth *g, topo_switch a, topo_switch b)
{
	const topo_switch *row = g->neighbour + (size_t)a * g->d;
	for (uint32_t i = 0; i < g->degree[a]; i++)
		if (row[i] == b)
			return true;
	return false;
}

static void note_cable(struct growth *g, topo_switch a, topo_switch b)
{
	g->neighbour[(size_t)a * g->d + g->degree[a]++] = b;
}

static void erase(struct growth *g, topo_switch a, topo_switch b)
{
	topo_switch *row = g->neighbour + (size_t)a * g->d;
	uint32_t i = 0;
	while (row[i] != b)
		i++;
	row[i] = row[--g->degree[a]];
}

static void join_switches(struct growth *g, topo_switch a, topo_switch b)
{
	note_cable(g, a, b);
	note_cable(g, b, a);
	g->cable[g->cables++] = (struct topo_cable){ .a = a, .b = b };
}

static void close_full(struct growth *g, uint32_t i)
{
	if (g->degree[g->open[i]] == g->d)
		g->open[i] = g->open[--g->opens];
}

/* A random pair of switches with free ports that are not adjacent; their indices in `open`. */
static bool find_pair(const struct growth *g, uint32_t *i, uint32_t *j)
{
	for (*i = 0; *i < g->opens; ++*i)
		for (*j = *i + 1; *j < g->opens; ++*j)
			if (!joined(g, g->open[*i], g->open[*j]))
				return true;
	return false;
}

static void join_at_random(struct growth *g)
{
	uint32_t fails = 0;
	while (g->opens > 1) {
		uint32_t i = below(g, g->opens), j = below(g, g->opens - 1);
		j += j >= i;
		if (joined(g, g->open[i], g->open[j])) {
			if (++fails < 20 + g->opens)
				continue;
			if (!find_pair(g, &i, &j))
				return;
		}
		fails = 0;
		join_switches(g, g->open[i], g->open[j]);
		close_full(g, i > j ? i : j); /* the higher index first: the other one stays valid */
		close_full(g, i > j ? j : i);
	}
}

/* Splits a random cable x - y into u - x and v - y. Returns false if that is not possible. */
static bool take_apart(struct growth *g, topo_switch u, topo_switch v)
{
	size_t k = below(g, (uint32_t)g->cables);
	struct topo_cable c = g->cable[k];
	topo_switch x = c.a, y = c.b;
	if (below(g, 2)) {
		x = c.b;
		y = c.a;
	}
	if (x == u || y == v || joined(g, u, x) || joined(g, v, y))
		return false;
	erase(g, x, y);
	erase(g, y, x);
	g->cable[k] = g->cable[--g->cables];
	join_switches(g, u, x);
	join_switches(g, v, y);
	return true;
}

/* Uses the remaining free ports: two of one switch, or one each of two adjacent switches. */
static bool use_up(struct growth *g)
{
	uint64_t tries = JELLY_FAILS * (uint64_t)g->n * g->d;
	while (g->opens) {
		uint32_t last = g->opens - 1, second = g->degree[g->open[last]] + 2 <= g->d ? last : last - 1;
		if (tries-- == 0)
			return false;
		if (!take_apart(g, g->open[last], g->open[second]))
			continue;
		close_full(g, last);
		if (second != last)
			close_full(g, second);
	}
	return true;
}

static bool grow_graph(struct growth *g)
{
	memset(g->degree, 0, g->n * sizeof *g->degree);
	g->cables = 0;
	g->opens = g->n;
	for (topo_switch s = 0; s < g->n; s++)
		g->open[s] = s;
	join_at_random(g);
	return use_up(g);
}

static int by_ends(const void *a, const void *b)
{
	const struct topo_cable *x = a, *y = b;
	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return x->b < y->b ? -1 : x->b > y->b;
}

/* Sorts ports by the neighbours' numbers. */
static void sort(struct growth *g)
{
	for (size_t i = 0; i < g->cables; i++) {
		struct topo_cable *c = &g->cable[i];
		if (c->a > c->b)
			*c = (struct topo_cable){ .a = c->b, .b = c->a };
	}
	qsort(g->cable, g->cables, sizeof *g->cable, by_ends);
}

static bool connected(const struct topo_graph *graph)
{
	uint32_t *distance = base_calloc(graph->n, sizeof *distance);
	topo_switch *queue = base_calloc(graph->n, sizeof *queue);
	uint32_t reached = topo_bfs(graph, 0, distance, queue);
	free(distance);
	free(queue);
	return reached == graph->n;
}

static bool make_graph(struct topo_table *table, uint32_t n, uint32_t d, uint64_t seed)
{
	struct growth g = { .n = n, .d = d, .random = seed };
	bool done = false;
	g.neighbour = base_calloc((size_t)n * d, sizeof *g.neighbour);
	g.degree = base_calloc(n, sizeof *g.degree);
	g.open = base_calloc(n, sizeof *g.open);
	g.cable = base_calloc((size_t)n * d / 2 + 1, sizeof *g.cable);
	for (uint32_t i = 0; i < JELLY_TRIES && !done; i++) {
		if (!grow_graph(&g))
			continue;
		sort(&g);
		topo_table_connect(table, n, g.cable, g.cables);
		done = connected(&table->graph);
		if (!done) {
			topo_table_free(table);
			*table = (struct topo_table){ 0 };
		}
	}
	free(g.neighbour);
	free(g.degree);
	free(g.open);
	free(g.cable);
	return done;
}

/* --- building -------------------------------------------------------------------------------------------- */

static int jellyfish_check(const struct topo_jellyfish_params *in, struct base_errors *errors)
{
	size_t before = errors->errors;
	int64_t n = in->switches, d = in->degree;
	if (in->endpoints < 1)
		base_errorf(errors, "endpoints", "a switch needs at least one endpoint, not %lld",
		            (long long)in->endpoints);
	if (n < 2)
		base_errorf(errors, "switches", "%lld switches are too few; for one switch use topology \"single\"",
		            (long long)n);
	else if (d < 1 || d >= n)
		base_errorf(errors, "degree", "%lld ports: a switch has 1 to %lld others to connect to", (long long)d,
		            (long long)n - 1);
	else if (n % 2 && d % 2)
		base_errorf(errors, "degree",
		            "%lld switches of %lld ports would leave one port unused; the nearest valid numbers of "
		            "ports are %lld and %lld",
		            (long long)n, (long long)d, (long long)d - 1, (long long)d + 1);
	else if (n * d / 2 > JELLY_MAX_CABLES)
		base_errorf(errors, "degree", "this makes %lld cables; at most %u are supported",
		            (long long)(n * d / 2), JELLY_MAX_CABLES);
	return errors->errors > before ? -1 : 0;
}

static void jellyfish_destroy(struct topo *topo)
{
	struct jellyfish *j = topo->impl;
	topo_table_free(&j->table);
	free(j);
}

static const char *const jellyfish_classes[] = { "local", NULL };

static int jellyfish_build(struct topo *topo, const void *params, struct base_errors *errors)
{
	const struct topo_jellyfish_params *in = params;
	if (jellyfish_check(in, errors))
		return -1;
	struct jellyfish *j = base_alloc(sizeof *j);
	topo->impl = j;
	uint32_t n = (uint32_t)in->switches, d = (uint32_t)in->degree;
	if (topo_set_size(topo, n, (uint64_t)in->endpoints, errors))
		return -1;
	if (!make_graph(&j->table, n, d, (uint64_t)in->seed))
		return base_errorf(errors, "degree", "none of %u random graphs of degree %u was connected", JELLY_TRIES,
		                   d);
	if (n <= TOPO_MAX_TABLED) {
		if (topo_table_distances(&j->table))
			return base_errorf(errors, "degree", "two switches are more than %d hops apart", TOPO_FARTHEST);
	} else {
		snprintf(j->why, sizeof j->why,
		         "routing in a jellyfish uses a table of switches^2 bytes, %llu for %u switches; at most %u "
		         "switches are supported",
		         (unsigned long long)n * n, n, TOPO_MAX_TABLED);
		topo->no_routes = j->why;
	}
	topo->max_ports = d;
	topo->link_classes = 1;
	topo->link_class_name = jellyfish_classes;
	topo->vc_rule = TOPO_VC_HOP;
	return 0;
}

static const struct base_param jellyfish_params[] = {
	{ BASE_KEY(INT, struct topo_jellyfish_params, switches, NULL), .unit = "switches", .min = 2,
	  .max = TOPO_MAX_SWITCHES,
	  .help = "number of switches; beyond 16,384 only facts are available, as routing uses a table of switches^2 "
	          "bytes" },
	{ BASE_KEY(INT, struct topo_jellyfish_params, degree, NULL), .unit = "ports", .min = 1, .max = JELLY_MAX_DEGREE,
	  .help = "network ports of every switch", .source = "NSDI 2012 Jellyfish, 3" },
	{ BASE_KEY(INT, struct topo_jellyfish_params, endpoints, NULL), .unit = "endpoints", .min = 1, .max = 65535,
	  .help = "endpoints per switch" },
	{ BASE_KEY(INT, struct topo_jellyfish_params, seed, "1"), .min = 0, .max = 1e15,
	  .help = "seed of the graph, independent of the run's seed; equal seeds give equal graphs" },
	TOPO_TRUNK(struct topo_jellyfish_params),
	{ 0 }
};

static const struct topo_ops jellyfish_ops = {
	.trunk_at = offsetof(struct topo_jellyfish_params, trunk),
	.build = jellyfish_build,
	.destroy = jellyfish_destroy,
	TOPO_TABLE_OPS,
	.link_classes = jellyfish_classes,
};

const struct base_plugin topo_jellyfish = {
	BASE_DESCRIBE("topology", "jellyfish", jellyfish_params, struct topo_jellyfish_params, &jellyfish_ops),
	.summary = "Jellyfish: a random regular graph",
	.source = "Singla, Hong, Popa, Godfrey: Jellyfish, NSDI 2012",
};

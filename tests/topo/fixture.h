/* tests/topo/fixture.h - building topologies from text, and what must hold for all of them. */
#ifndef TESTS_TOPO_FIXTURE_H
#define TESTS_TOPO_FIXTURE_H

#include "base/memory.h"
#include "base/param.h"
#include "topo/search.h"
#include "topo/topo.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline uint64_t next_random(uint64_t *state)
{
	*state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64, for test inputs only */
	uint64_t z = *state;
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Builds from "key=value key=value"; returns what topo_build returned. */
static inline int try_topo(struct topo *t, const struct base_plugin *plugin, const char *text,
                           struct base_errors *errors)
{
	void *params = base_alloc(plugin->params_bytes);
	char *copy = base_strdup(text), *save = NULL;
	int status = base_params_defaults(plugin->params, params, errors);
	for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		char *value = strchr(word, '=');
		*value++ = 0;
		const struct base_param *p = plugin->params;
		while (p->name && strcmp(p->name, word))
			p++;
		cr_assert(p->name, "%s has no parameter %s", plugin->name, word);
		if (base_param_parse(p, params, value, errors))
			status = -1;
	}
	if (status == 0)
		status = topo_build(t, plugin, params, errors);
	base_params_free(plugin->params, params);
	free(params);
	free(copy);
	return status;
}

static inline void make_topo(struct topo *t, const struct base_plugin *plugin, const char *text)
{
	struct base_errors errors = { 0 };
	int status = try_topo(t, plugin, text, &errors);
	cr_assert_eq(status, 0, "%s %s: %s", plugin->name, text, errors.n ? errors.v[0].text : "no reason");
	base_errors_free(&errors);
}

/* Building must fail, and some error must contain `want`. */
static inline void expect_error(const struct base_plugin *plugin, const char *text, const char *key, const char *want)
{
	struct base_errors errors = { 0 };
	struct topo t;
	cr_expect_neq(try_topo(&t, plugin, text, &errors), 0, "%s %s was accepted", plugin->name, text);
	bool found = false;
	for (size_t i = 0; i < errors.n; i++)
		found =
		    found || (!errors.v[i].warning && !strcmp(errors.v[i].key, key) && strstr(errors.v[i].text, want));
	cr_expect(found, "%s %s: wanted \"%s: %s\", got \"%s: %s\"", plugin->name, text, key, want,
	          errors.n ? errors.v[0].key : "", errors.n ? errors.v[0].text : "nothing");
	base_errors_free(&errors);
}

/* Every cable has two ends that agree; counts are consistent; groups are in range. */
static inline void check_cables(const struct topo *t, const char *what)
{
	uint32_t most = 0;
	for (topo_switch s = 0; s < t->switches; s++) {
		uint32_t ports = topo_ports(t, s);
		most = ports > most ? ports : most;
		cr_assert_lt(topo_group(t, s), t->groups, "%s", what);
		for (topo_port p = 0; p < ports; p++) {
			struct topo_hop there = topo_peer(t, s, p);
			cr_assert(there.to < t->switches && there.to != s && there.port < topo_ports(t, there.to),
			          "%s: %u.%u", what, s, p);
			struct topo_hop back = topo_peer(t, there.to, there.port);
			cr_assert(back.to == s && back.port == p, "%s: %u.%u -> %u.%u -> %u.%u", what, s, p, there.to,
			          there.port, back.to, back.port);
			cr_assert(back.link_class == there.link_class && back.dimension == there.dimension &&
			              back.dateline == there.dateline,
			          "%s: %u.%u", what, s, p);
			cr_assert_lt(there.link_class, t->link_classes);
		}
	}
	cr_assert_eq(most, t->max_ports, "%s", what);
	cr_assert_eq(t->endpoints, topo_first_endpoint(t, t->switches - 1) + topo_endpoints_at(t, t->switches - 1));
	for (topo_endpoint e = 0; e < t->endpoints; e += 1 + t->endpoints / 1000) {
		topo_switch s = topo_switch_of(t, e);
		cr_assert(topo_first_endpoint(t, s) <= e && e < topo_first_endpoint(t, s) + topo_endpoints_at(t, s));
	}
}

/* Every way that next() offers arrives, in at most distance() hops, the longest in exactly distance() where `exact`. */
static inline unsigned longest_walk(const struct topo *t, topo_switch at, topo_switch to, unsigned hops)
{
	if (at == to)
		return 0;
	cr_assert_lt(hops, 64, "no arrival");
	topo_port out[TOPO_MAX_NEXT];
	int n = t->ops->next(t, at, to, hops, out);
	cr_assert(n >= 1 && n <= TOPO_MAX_NEXT);
	unsigned longest = 0;
	for (int i = 0; i < n; i++) {
		bool again = false;
		for (int j = 0; j < i; j++)
			again = again || out[j] == out[i];
		if (again)
			continue;
		cr_assert_lt(out[i], topo_ports(t, at));
		unsigned rest = 1 + longest_walk(t, topo_peer(t, at, out[i]).to, to, hops + 1);
		longest = rest > longest ? rest : longest;
	}
	return longest;
}

static inline void check_routes(const struct topo *t, const char *what, bool exact, uint32_t most_pairs)
{
	uint64_t pairs = (uint64_t)t->switches * t->switches, step = pairs > most_pairs ? pairs / most_pairs : 1;
	for (uint64_t i = 0; i < pairs; i += step) {
		topo_switch a = (topo_switch)(i / t->switches), b = (topo_switch)(i % t->switches);
		if (!topo_endpoints_at(t, b))
			continue;
		unsigned distance = t->ops->distance(t, a, b), walk = longest_walk(t, a, b, 0);
		cr_assert(exact ? walk == distance : walk <= distance, "%s: %u -> %u: %u hops, distance %u", what, a, b,
		          walk, distance);
		if (!topo_endpoints_at(t, a))
			continue;
		cr_assert_leq(distance, t->ops->max_distance(t), "%s: %u -> %u", what, a, b);
		cr_assert_eq(distance, t->ops->distance(t, b, a), "%s: %u -> %u is not symmetric", what, a, b);
	}
}

/* distance() is that of the graph, and next() offers exactly the ports that bring a packet nearer. */
static inline void check_shortest(const struct topo *t, const char *what)
{
	struct topo_graph g;
	topo_graph_of(&g, t);
	uint32_t *distance = base_calloc(g.n, sizeof *distance);
	topo_switch *queue = base_calloc(g.n, sizeof *queue);
	for (topo_switch to = 0; to < g.n; to++) {
		cr_assert_eq(topo_bfs(&g, to, distance, queue), g.n, "%s is not connected", what);
		if (!topo_endpoints_at(t, to))
			continue;
		for (topo_switch s = 0; s < g.n; s++) {
			cr_assert_eq(t->ops->distance(t, s, to), distance[s], "%s: %u -> %u", what, s, to);
			if (s == to)
				continue;
			topo_port out[TOPO_MAX_NEXT];
			int n = t->ops->next(t, s, to, 0, out), want = 0;
			for (size_t i = g.first[s]; i < g.first[s + 1]; i++)
				want += distance[g.to[i]] + 1 == distance[s];
			cr_assert_eq(n, want, "%s: %u -> %u: %d ports, not %d", what, s, to, n, want);
			for (int i = 0; i < n; i++) {
				cr_assert_eq(distance[g.to[g.first[s] + out[i]]] + 1, distance[s], "%s: %u -> %u", what,
				             s, to);
				for (int j = 0; j < i; j++)
					cr_assert_neq(out[i], out[j]);
			}
		}
	}
	free(distance);
	free(queue);
	topo_graph_free(&g);
}

/* run() is what next() says, as far as that can say it. */
static inline void check_runs(const struct topo *t, const char *what)
{
	for (topo_switch a = 0; a < t->switches; a++)
		for (topo_switch b = 0; b < t->switches; b++) {
			topo_port out[TOPO_MAX_NEXT];
			if (a == b || !topo_endpoints_at(t, b))
				continue;
			int n = t->ops->next(t, a, b, 0, out);
			struct topo_run run = t->ops->run(t, a, b);
			cr_assert_eq(n, run.n > TOPO_MAX_NEXT ? TOPO_MAX_NEXT : (int)run.n, "%s: %u -> %u", what, a, b);
			for (int i = 0; i < n; i++)
				cr_assert(out[i] >= run.first && out[i] - run.first < run.n, "%s: %u -> %u", what, a,
				          b);
		}
}

/* order() is a permutation. */
static inline void check_order(const struct topo *t, const char *what)
{
	bool *seen = base_calloc(t->switches, sizeof *seen);
	for (uint32_t i = 0; i < t->switches; i++) {
		topo_switch s = t->ops->order(t, i);
		cr_assert(s < t->switches && !seen[s], "%s: order(%u) is %u", what, i, s);
		seen[s] = true;
	}
	free(seen);
}

/* Along every minimal route between endpoints the rank of hops rises (TOPO_VC_LEG). */
static inline void check_ranks(const struct topo *t, topo_switch at, topo_switch to, unsigned hops, int rank,
                               const char *what)
{
	topo_port out[TOPO_MAX_NEXT];
	int n = at == to ? 0 : t->ops->next(t, at, to, hops, out);
	for (int i = 0; i < n; i++) {
		struct topo_hop hop = topo_peer(t, at, out[i]);
		cr_assert_gt(hop.rank, rank, "%s: to %u by switch %u port %u", what, to, at, out[i]);
		check_ranks(t, hop.to, to, hops + 1, hop.rank, what);
	}
}

static inline void check_all_ranks(const struct topo *t, const char *what)
{
	for (topo_switch a = 0; a < t->switches; a++)
		for (topo_switch b = 0; b < t->switches; b++)
			if (topo_endpoints_at(t, a) && topo_endpoints_at(t, b))
				check_ranks(t, a, b, 0, -1, what);
}

/* Facts that a builder gives by closed form, against the search. */
static inline void check_facts(const struct topo *t, const char *what)
{
	struct topo_facts f, quick;
	topo_compute_facts(t, &f);
	topo_quick_facts(t, &quick);
	struct topo_graph g;
	topo_graph_of(&g, t);
	int diameter;
	uint64_t sum;
	cr_assert_eq(topo_distances(&g, NULL, 0, &diameter, &sum), 0);
	cr_assert_eq(f.diameter, diameter, "%s: diameter %d, found %d", what, f.diameter, diameter);
	cr_assert_eq(quick.diameter, diameter, "%s: diameter %d, found %d", what, quick.diameter, diameter);
	cr_assert_eq(quick.links, f.links, "%s", what);
	if (t->switches > 1)
		cr_assert_float_eq(f.mean_distance, (double)sum / t->switches / (t->switches - 1.0), 1e-9,
		                   "%s: mean distance", what);
	int girth = topo_girth(&g, NULL, 0);
	cr_assert_eq(f.girth, girth > 0 ? girth : -1, "%s: girth %d, found %d", what, f.girth, girth);
	cr_assert_eq(2 * f.links, g.first[g.n], "%s", what);
	uint64_t by_class[8] = { 0 };
	for (topo_switch s = 0; s < t->switches; s++)
		for (topo_port p = 0; p < topo_ports(t, s); p++)
			by_class[topo_peer(t, s, p).link_class]++;
	for (int i = 0; i < 8; i++)
		cr_assert_eq(2 * f.links_by_class[i], by_class[i], "%s: links of class %d", what, i);
	double *load = base_calloc(g.first[g.n], sizeof *load), most = 0, total = 0;
	if (t->endpoints > 1 && topo_uniform_loads(t, &g, load) == 0) {
		for (size_t i = 0; i < g.first[g.n]; i++) {
			most = load[i] > most ? load[i] : most;
			total += load[i];
		}
		cr_assert_float_eq(f.max_channel_load_uniform, most, 1e-9 * (1 + most), "%s: load %.9f, found %.9f",
		                   what, f.max_channel_load_uniform, most);
		cr_assert_float_eq(f.mean_minimal_hops, total / t->endpoints, 1e-9, "%s: hops", what);
		double by_load[8] = { 0 };
		for (topo_switch s = 0; s < t->switches; s++)
			for (topo_port p = 0; p < topo_ports(t, s); p++) {
				double *of_class = &by_load[topo_peer(t, s, p).link_class];
				*of_class = fmax(*of_class, load[g.first[s] + p]);
			}
		for (int i = 0; i < t->link_classes; i++)
			if (f.max_load_by_class[i] >= 0)
				cr_assert_float_eq(f.max_load_by_class[i], by_load[i], 1e-9 * (1 + most),
				                   "%s: load %.9f of class %d, found %.9f", what,
				                   f.max_load_by_class[i], i, by_load[i]);
	}
	free(load);
	topo_graph_free(&g);
}

static inline bool adjacent(const struct topo *t, topo_switch a, topo_switch b)
{
	for (topo_port p = 0; p < topo_ports(t, a); p++)
		if (topo_peer(t, a, p).to == b)
			return true;
	return false;
}

static inline uint64_t count_triangles(const struct topo *t)
{
	uint8_t *row = base_calloc((size_t)t->switches * t->switches, 1);
	uint64_t n = 0;
	for (topo_switch s = 0; s < t->switches; s++)
		for (topo_port p = 0; p < topo_ports(t, s); p++)
			row[(size_t)s * t->switches + topo_peer(t, s, p).to] = 1;
	for (topo_switch a = 0; a < t->switches; a++)
		for (topo_switch b = a + 1; b < t->switches; b++)
			for (topo_switch c = b + 1; row[(size_t)a * t->switches + b] && c < t->switches; c++)
				n += row[(size_t)a * t->switches + c] & row[(size_t)b * t->switches + c];
	free(row);
	return n;
}

static inline int by_number(const void *a, const void *b)
{
	topo_port x = *(const topo_port *)a, y = *(const topo_port *)b;
	return (x > y) - (x < y);
}

/* A topology that goes by its table of pairs has the distances and ports that `next` and `distance` work out; the ports
 * in the same order if `ordered`. */
static inline void check_both_ways(const struct topo *t, const char *what, bool ordered,
                                   int (*next)(const struct topo *, topo_switch, topo_switch, uint32_t, topo_port *),
                                   uint32_t (*distance)(const struct topo *, topo_switch, topo_switch))
{
	topo_port one[TOPO_MAX_NEXT], other[TOPO_MAX_NEXT];
	uint64_t differ = 0;
	cr_assert(t->ops->next != next, "%s", what);
	for (topo_switch a = 0; a < t->switches; a++)
		for (topo_switch b = 0; b < t->switches; b++) {
			differ += t->ops->distance(t, a, b) != distance(t, a, b);
			if (a == b)
				continue;
			int n = t->ops->next(t, a, b, 0, one), m = next(t, a, b, 0, other);
			if (!ordered)
				qsort(other, (size_t)m, sizeof *other, by_number);
			differ += n != m || memcmp(one, other, (size_t)n * sizeof *one) != 0;
		}
	cr_assert_eq(differ, 0, "%s: %lu", what, differ);
}

#endif

/* topo/sizing_search.c - members of families without a closed form: networks are built to compute their channel loads.
 *
 * With p endpoints per switch channels carry p^2 times as much as with one, so each graph is built only once. */
#include "topo/bundlefly.h"
#include "topo/params.h"
#include "topo/polarstar.h"
#include "topo/search.h"
#include "topo/sizing_each.h"
#include "topo/symmetry.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define MOST_SEARCHED 4000u /* switches */
#define MOST_PRODUCT 2500u  /* the same for star products, which have fewer symmetries */

static bool is_prime(uint32_t n)
{
	for (uint32_t d = 2; d * d <= n; d++)
		if (n % d == 0)
			return false;
	return n > 1;
}

static double searched_load(const struct topo *topo)
{
	struct topo_graph graph;
	double most = 0;
	topo_graph_of(&graph, topo);
	double *load = base_calloc(graph.first[graph.n], sizeof *load);
	if (topo->switches > MOST_SEARCHED || topo_uniform_loads(topo, &graph, load))
		most = -1;
	for (size_t i = 0; i < graph.first[graph.n] && most >= 0; i++)
		most = fmax(most, load[i]);
	free(load);
	topo_graph_free(&graph);
	return most;
}

/* Builds a network and returns the load of its most loaded channel if each switch sends one unit to each other switch.
 * `params` must set one endpoint per switch. Negative if the network cannot be built or is too large. */
static double built_load(const struct base_plugin *plugin, const void *params)
{
	struct base_errors errors = { 0 };
	struct topo topo;
	struct topo_facts facts;
	double load = -1;
	if (!topo_build(&topo, plugin, params, &errors)) {
		topo_quick_facts(&topo, &facts);
		load = facts.max_channel_load_uniform;
		load = load < 0 ? searched_load(&topo) : load;
		load *= load < 0 ? 1 : topo.endpoints - 1.0;
		topo_destroy(&topo);
	}
	base_errors_free(&errors);
	return load;
}

static uint64_t power_mod(uint64_t base, uint32_t exponent, uint32_t q)
{
	uint64_t out = 1;
	for (base %= q; exponent; exponent /= 2, base = base * base % q)
		out = exponent % 2 ? out * base % q : out;
	return out;
}

/* Requirements with which all members of a graph are visited, including those of low throughput, without calling cut().
 * Used when the graph has been built already, because its members then take no more time. */
static struct topo_sizing every_member(const struct topo_sizing *s)
{
	struct topo_sizing all = *s;
	all.cut = NULL;
	all.uniform = 0;
	all.endpoints = 0;
	return all;
}

/* Vertex transitive, so that p endpoints per switch load channels p^2 times as much as one. */
const char *topo_each_spectralfly(const struct topo_family *f, const struct topo_sizing *s)
{
	struct topo_sizing all = every_member(s);
	for (uint32_t p = 3; p + 2 <= s->radix; p += 2)
		for (uint32_t q = 3; is_prime(p) && q <= 31; q += 2) {
			uint64_t group = (uint64_t)q * (q * q - 1), n;
			if (!is_prime(q) || q == p || (uint64_t)q * q <= 4ull * p)
				continue;
			n = power_mod(p, (q - 1) / 2, q) == 1 ? group / 2 : group;
			if (n > MOST_SEARCHED)
				continue;
			double load = built_load(&topo_spectralfly, &(struct topo_spectralfly_params){ p, q, 1, 1 });
			TOPO_VISIT_GRAPH(&all, .family = f, .v = { p, q }, .n = 2, .carrying = n,
			                 .cables = n * (p + 1) / 2, .degree = p + 1, .least_degree = p + 1,
			                 .load = load, .ways = p + 1);
		}
	return NULL;
}

/* --- star products --------------------------------------------------------------------------------------- */

/* As built_load(), but finds the load of the most loaded channel with the graph's symmetries. The function `maps`
 * writes the symmetries and returns their number. */
static double product_load(const struct base_plugin *plugin, const void *params,
                           size_t (*maps)(const struct topo *topo, topo_switch *map[TOPO_POLARSTAR_MAPS]))
{
	struct base_errors errors = { 0 };
	struct topo_graph graph;
	struct topo topo;
	double load = -1;
	if (!topo_build(&topo, plugin, params, &errors)) {
		topo_switch *map[TOPO_POLARSTAR_MAPS];
		for (int i = 0; i < TOPO_POLARSTAR_MAPS; i++)
			map[i] = base_calloc(topo.switches, sizeof **map);
		topo_graph_of(&graph, &topo);
		load = topo_pair_load(&graph, map, maps(&topo, map));
		topo_graph_free(&graph);
		for (int i = 0; i < TOPO_POLARSTAR_MAPS; i++)
			free(map[i]);
		topo_destroy(&topo);
	}
	base_errors_free(&errors);
	return load;
}

/* A graph of a family, identified by two numbers. */
struct product {
	uint32_t v[2], n, degree;
	uint64_t cables;
	uint32_t most; /* maximum endpoints per switch for the required throughput */
};

struct products {
	struct product *v;
	size_t n;
};

/* The maximum number of endpoints per switch for which any routing could reach the throughput: a lower bound of the
 * mean distance assumes that no switch is reached by two paths of up to two cables, and that all others are three
 * cables away. */
static uint32_t most_endpoints(const struct topo_sizing *s, const struct product *g)
{
	double n = g->n, k = 2.0 * (double)g->cables / n, one = fmin(k, n - 1), two = fmin(k * (k - 1), n - 1 - one);
	double load = (one + 2 * two + 3 * (n - 1 - one - two)) / k;
	uint32_t most = 0;
	for (uint32_t trunk = 1; trunk <= topo_most_trunk(s, s->radix / g->degree); trunk++) {
		uint32_t p = 0;
		while (g->degree * trunk + p < s->radix &&
		       trunk * (n * (p + 1) - 1) >= s->uniform * load * (p + 1.0) * (p + 1.0))
			p++;
		most = p > most ? p : most;
	}
	return most;
}

/* Maximum number of switches, at most the requested endpoints. */
static uint32_t most_switches(const struct topo_sizing *s)
{
	return s->endpoints && s->endpoints < MOST_PRODUCT ? (uint32_t)s->endpoints : MOST_PRODUCT;
}

static void add_product(struct products *list, const struct topo_sizing *s, struct product g)
{
	g.most = most_endpoints(s, &g);
	if (!g.most || (uint64_t)g.n * g.most < s->endpoints)
		return;
	list->v = base_realloc(list->v, (list->n + 1) * sizeof *list->v);
	list->v[list->n++] = g;
}

/* Minimum ports of a member with at least the requested endpoints. */
static uint64_t ports_of(const struct product *g, uint64_t wanted)
{
	return 2 * g->cables + g->n * ((wanted + g->n - 1) / g->n);
}

static int by_ports(const void *a, const void *b, void *arg)
{
	const struct product *x = a, *y = b;
	uint64_t n = ports_of(x, *(const uint64_t *)arg), m = ports_of(y, *(const uint64_t *)arg);
	return n != m ? n < m ? -1 : 1 : x->v[0] != y->v[0] ? x->v[0] < y->v[0] ? -1 : 1 : x->v[1] < y->v[1] ? -1 : 1;
}

static int by_endpoints(const void *a, const void *b)
{
	const struct product *x = a, *y = b;
	uint64_t n = (uint64_t)x->n * x->most, m = (uint64_t)y->n * y->most;
	return n != m ? n > m ? -1 : 1 : x->v[0] != y->v[0] ? x->v[0] < y->v[0] ? -1 : 1 : x->v[1] < y->v[1] ? -1 : 1;
}

/* Visits the members of all graphs, first those that may exclude others: with the fewest ports for the requested
 * endpoints, or with the most endpoints. */
static void visit_products(const struct topo_family *f, const struct topo_sizing *s, struct products *list,
                           double (*load_of)(const struct product *g))
{
	uint64_t wanted = s->endpoints;
	struct topo_sizing all = every_member(s);
	if (list->n && wanted)
		qsort_r(list->v, list->n, sizeof *list->v, by_ports, &wanted);
	else if (list->n)
		qsort(list->v, list->n, sizeof *list->v, by_endpoints);
	for (size_t i = 0; i < list->n; i++) {
		const struct product *g = &list->v[i];
		uint32_t fewest = wanted ? (uint32_t)((wanted + g->n - 1) / g->n) : 1;
		struct topo_box graph = { f,
			                  (uint64_t)g->n * fewest,
			                  (uint64_t)g->n * g->most,
			                  g->n,
			                  g->cables,
			                  g->degree + fewest,
			                  g->degree / 2,
			                  INFINITY };
		if (topo_cut(s, &graph))
			continue;
		double load = load_of(g);
		TOPO_VISIT_GRAPH(&all, .family = f, .v = { g->v[0], g->v[1] }, .n = 2, .carrying = g->n,
		                 .cables = g->cables, .degree = g->degree, .least_degree = (g->degree + 1) / 2,
		                 .load = load, .ways = g->degree);
	}
	free(list->v);
}

static size_t bundlefly_maps(const struct topo *topo, topo_switch *map[TOPO_POLARSTAR_MAPS])
{
	topo_bundlefly_map(topo, map[0]);
	return 1;
}

static double bundlefly_load(const struct product *g)
{
	return product_load(&topo_bundlefly, &(struct topo_bundlefly_params){ g->v[0], g->v[1], 1, 1 }, bundlefly_maps);
}

const char *topo_each_bundlefly(const struct topo_family *f, const struct topo_sizing *s)
{
	struct products list = { 0 };
	for (uint32_t q = 3; 2 * q * q * 5 <= most_switches(s); q++) {
		uint32_t outside = q % 4 == 1 ? (3 * q - 1) / 2 : q % 4 == 3 ? (3 * q + 1) / 2 : 3 * q / 2;
		for (uint32_t r = 5; topo_is_prime_power(q) && 2 * q * q * r <= most_switches(s); r += 4) {
			uint32_t n = 2 * q * q * r, degree = outside + (r - 1) / 2;
			if (topo_is_prime_power(r) && degree < s->radix)
				add_product(&list, s,
				            (struct product){ { q, r }, n, degree, (uint64_t)n * degree / 2, 0 });
		}
	}
	visit_products(f, s, &list, bundlefly_load);
	return NULL;
}

static double iq_load(const struct product *g)
{
	return product_load(&topo_polarstar,
	                    &(struct topo_polarstar_params){ g->v[0], TOPO_SUPERNODE_IQ, g->v[1], 1, 1 },
	                    topo_polarstar_maps);
}

static double paley_load(const struct product *g)
{
	return product_load(&topo_polarstar,
	                    &(struct topo_polarstar_params){ g->v[0], TOPO_SUPERNODE_PALEY, g->v[1], 1, 1 },
	                    topo_polarstar_maps);
}

/* Quadrics have one cable less to other supernodes, q for each vertex; iq compensates for it inside. */
static void each_polarstar(const struct topo_family *f, const struct topo_sizing *s, bool iq)
{
	struct products list = { 0 };
	for (uint32_t q = 2; 5 * (q * q + q + 1) <= most_switches(s); q++)
		for (uint32_t d = 2; topo_is_prime_power(q) && q + 1 + d < s->radix; d++) {
			uint32_t vertices = 2 * d + 1 + iq, n = (q * q + q + 1) * vertices;
			bool exists =
			    iq ? d > 2 && (d % 4 == 0 || d % 4 == 3) : d % 2 == 0 && topo_is_prime_power(vertices);
			uint64_t ends = (uint64_t)n * (q + 1 + d) - (iq ? 0 : (uint64_t)(q + 1) * vertices);
			if (exists && n <= most_switches(s))
				add_product(&list, s, (struct product){ { q, d }, n, q + 1 + d, ends / 2, 0 });
		}
	visit_products(f, s, &list, iq ? iq_load : paley_load);
}

const char *topo_each_polarstar(const struct topo_family *f, const struct topo_sizing *s)
{
	each_polarstar(f, s, true);
	return NULL;
}

const char *topo_each_polarstar_paley(const struct topo_family *f, const struct topo_sizing *s)
{
	each_polarstar(f, s, false);
	return NULL;
}

/* --- hammingmesh ----------------------------------------------------------------------------------------- */

#define MOST_BOARD 4u /* accelerators per board, in each direction */

/* Loads of channels for X by Y boards, with one unit from each accelerator to each other. All boards are equivalent,
 * and to a board the others are of three kinds: X - 1 in the row, Y - 1 in the column, (X - 1) (Y - 1) elsewhere. As
 * minimal routes visit only boards of their ends and corners, each load is a constant plus a term per kind proportional
 * to its number: four small machines determine it for all. */
struct boards {
	double load[2][2][4 * MOST_BOARD * MOST_BOARD +
	                  4 * MOST_BOARD]; /* [X - 2][Y - 2]: loads of the channels of one board, and to it */
	uint32_t n;
};

static bool load_boards(struct boards *out, uint32_t a, uint32_t b, uint32_t x, uint32_t y)
{
	struct base_errors errors = { 0 };
	struct topo_graph g;
	struct topo t;
	int64_t board[] = { a, b }, boards[] = { x, y };
	struct topo_hammingmesh_params params = { .board = { board, 2 }, .boards = { boards, 2 } };
	bool known = false;
	if (!topo_build(&t, &topo_hammingmesh, &params, &errors)) {
		topo_graph_of(&g, &t);
		double *load = base_calloc(g.first[g.n], sizeof *load), *to = out->load[x - 2][y - 2];
		known = !topo_uniform_loads(&t, &g, load);
		out->n = 0;
		for (uint32_t i = 0; i < a * b; i++)
			for (uint32_t k = 0; k < 4; k++)
				to[out->n++] = load[g.first[i % a + a * x * (i / a)] + k];
		for (uint32_t i = 0; i < a + b; i++) /* the switches of the board's rows, then of its columns */
			for (uint32_t k = 0; k < 2; k++)
				to[out->n++] = load[g.first[t.endpoints + (i < b ? i : b * y + i - b)] + k];
		for (uint32_t i = 0; i < out->n; i++)
			to[i] *= t.endpoints - 1.0;
		free(load);
		topo_graph_free(&g);
		topo_destroy(&t);
	}
	base_errors_free(&errors);
	return known;
}

/* The load of the most loaded channel. */
static double board_load(const struct boards *b, uint32_t x, uint32_t y)
{
	double most = 0, i = x - 2.0, j = y - 2.0;
	for (uint32_t k = 0; k < b->n; k++)
		most = fmax(most, (1 - i) * ((1 - j) * b->load[0][0][k] + j * b->load[0][1][k]) +
		                      i * ((1 - j) * b->load[1][0][k] + j * b->load[1][1][k]));
	return most;
}

static void each_machine(const struct topo_family *f, const struct topo_sizing *s, const struct boards *known,
                         uint32_t a, uint32_t b)
{
	for (uint32_t x = 2; 2 * x <= s->radix; x++)
		for (uint32_t y = 2; 2 * y <= s->radix; y++) {
			uint64_t n = (uint64_t)a * x * b * y, rows = (uint64_t)b * y, columns = (uint64_t)a * x;
			uint64_t traces = rows * x * (a - 1) + columns * y * (b - 1);
			uint32_t wide = 2 * (x > y ? x : y), narrow = 2 * (x < y ? x : y);
			TOPO_VISIT(s, .family = f, .v = { a, b, x, y }, .endpoints = n, .switches = n + rows + columns,
			           .cables = traces + 2 * (rows * x + columns * y), .radix = wide > 5 ? wide : 5,
			           .narrow = narrow, .wide = wide, .own = n, .traces = traces,
			           .uniform = ((double)n - 1) / board_load(known, x, y));
		}
}

const char *topo_each_hammingmesh(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t a = 1; a <= MOST_BOARD; a++)
		for (uint32_t b = 1; b <= MOST_BOARD; b++) {
			struct boards known;
			bool all = true;
			for (uint32_t i = 0; i < 4; i++)
				all &= load_boards(&known, a, b, 2 + i / 2, 2 + i % 2);
			if (all)
				each_machine(f, s, &known, a, b);
		}
	return NULL;
}

/* --- jellyfish ------------------------------------------------------------------------------------------- */

#define MOST_JELLYFISH 1500 /* switches; each graph takes an all-pairs search */

/* Visits the member with p endpoints per switch, the fewest switches for the requested endpoints, and that degree.
 * Returns its saturation throughput, 0 if there is no such graph. */
static double try_jellyfish(const struct topo_family *f, const struct topo_sizing *s, uint32_t p, uint32_t degree)
{
	uint64_t n = (s->endpoints + p - 1) / p;
	n += n * degree % 2;
	if (n > MOST_JELLYFISH || degree < 3 || degree >= n)
		return 0;
	double load = built_load(&topo_jellyfish, &(struct topo_jellyfish_params){ (int64_t)n, degree, 1, 1, 1 });
	double uniform = load > 0 ? ((double)(n * p) - 1) / (load * p * p) : 0;
	if (load > 0)
		topo_visit(
		    s, (struct topo_member){
			   .family = f, { (uint32_t)n, degree, p, 1 }, n * p, n, n * degree / 2, degree + p, uniform });
	return uniform;
}

/* The largest degree for p endpoints per switch: at most that of a full mesh. */
static uint32_t largest_degree(const struct topo_sizing *s, uint32_t p)
{
	uint64_t n = (s->endpoints + p - 1) / p;
	return n < 4 ? 0 : n - 1 < s->radix - p ? (uint32_t)n - 1 : s->radix - p;
}

/* The least degree for which any graph of n switches could reach the throughput: a lower bound of the mean distance
 * assumes that no switch is reached by two paths of up to two cables, and that all others are three cables away. */
static uint32_t least_degree(const struct topo_sizing *s, uint32_t p)
{
	double n = (double)((s->endpoints + p - 1) / p);
	uint32_t k = 3;
	for (; k < n - 1; k++) {
		double one = k, two = fmin(one * (one - 1), n - 1 - one);
		double load = (one + 2 * two + 3 * (n - 1 - one - two)) / one;
		if ((n * p - 1) >= s->uniform * load * (double)p * p * (1 - 1e-12))
			break;
	}
	return k;
}

/* The number of switches is free: the fewest that hold the endpoints. For every number of endpoints per switch the
 * least sufficient degree, found by bisection: throughput is assumed to rise with it. Most endpoints per switch come
 * first, as these networks have fewer switches and are built faster. */
const char *topo_each_jellyfish(const struct topo_family *f, const struct topo_sizing *s)
{
	if (!s->endpoints)
		return "its size is free: give the number of endpoints (--endpoints)";
	for (uint32_t p = s->radix > 4 ? s->radix - 3 : 0; p > 0; p--) {
		uint64_t n = (s->endpoints + p - 1) / p;
		uint32_t low = least_degree(s, p), high = largest_degree(s, p);
		struct topo_box part = { f, n * p, (n + 1) * p, n, n * low / 2, low + p, low + p, INFINITY };
		if (n > MOST_JELLYFISH)
			break;
		if (low > high || topo_cut(s, &part) || try_jellyfish(f, s, p, high) < s->uniform)
			continue;
		while (low < high) {
			uint32_t degree = (low + high) / 2;
			if (try_jellyfish(f, s, p, degree) >= s->uniform)
				high = degree;
			else
				low = degree + 1;
		}
	}
	return NULL;
}

/* experiments/commands/topo_bounds.c - see topo_bounds.h */
#include "experiments/commands/topo_bounds.h"
#include "base/memory.h"
#include "network/network.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define PAIRS 16u /* of switches, compared with what runs */
#define DRAWS 20u
#define DISTANCE_STEPS UINT64_C(300000000) /* of all draws of one share of removed cables */
#define LOAD_STEPS UINT64_C(100000000)

static const double removed[XP_DAMAGES] = { .05, .1, .2, .3 };

/* --- finding -------------------------------------------------------------------------------------------------- */

static struct xp_bound uniform_bound(const struct rt_flows *f)
{
	struct xp_bound b = { .share = -1, .at = TOPO_NONE };
	double *load = base_calloc(f->graph.first[f->graph.n] + 1, sizeof *load), most = 0;
	if (!rt_uniform_loads(f, load, &b.why)) {
		for (topo_switch s = 0; s < f->graph.n; s++)
			for (topo_port p = 0; p < topo_ports(f->topo, s); p++) {
				double here =
				    load[f->graph.first[s] + p] / f->rate[topo_peer(f->topo, s, p).link_class];
				if (here <= most * (1 + 1e-12))
					continue;
				most = here;
				b.at = s;
				b.port = p;
			}
		b.share = most > 0 ? 1 / most : INFINITY;
	}
	free(load);
	return b;
}

static struct xp_bound worst_bound(const struct rt_flows *f, struct rt_worst *worst)
{
	struct xp_bound b = { .share = -1, .at = TOPO_NONE };
	if (!rt_worst_permutation(f, worst, &b.why)) {
		b.share = worst->load > 0 ? 1 / worst->load : INFINITY;
		b.at = worst->at;
		b.port = worst->port;
	}
	return b;
}

static void find_routing(struct xp_bounds *b, const struct rt *rt, const double *rate)
{
	struct rt_flows f;
	b->oblivious = !rt_flows_of_routing(&f, rt, rate, PAIRS, 0, &b->adaptive);
	b->uniform = b->worst = (struct xp_bound){ .share = -1, .why = b->adaptive, .at = TOPO_NONE };
	if (!b->oblivious)
		return;
	b->compared = f.compared;
	b->uniform = uniform_bound(&f);
	b->worst = worst_bound(&f, &b->permutation);
	rt_flows_free(&f);
}

static void find_shortest(struct xp_bounds *b, const double *rate)
{
	struct rt_flows f;
	struct rt_worst worst;
	rt_flows_of_graph(&f, b->topo, RT_SPLIT_HOPS, rate);
	b->by_hops = uniform_bound(&f);
	rt_flows_free(&f);
	rt_flows_of_graph(&f, b->topo, RT_SPLIT_PATHS, rate);
	b->by_paths = uniform_bound(&f);
	b->worst_by_paths = worst_bound(&f, &worst);
	rt_worst_free(&worst);
	rt_flows_free(&f);
}

/* As many draws as take few steps, up to DRAWS. */
static uint32_t draws_of(const struct topo *topo, const struct topo_graph *graph, uint64_t steps)
{
	uint64_t each = (uint64_t)(topo->switches - topo->bare) * (graph->first[graph->n] + 1), n = steps / each;
	return n > DRAWS ? DRAWS : (uint32_t)n;
}

static void find_damage(struct xp_bounds *b, const struct topo_graph *graph, const double *rate)
{
	uint32_t draws = draws_of(b->topo, graph, DISTANCE_STEPS), whole;
	b->throughput_draws = draws_of(b->topo, graph, LOAD_STEPS);
	topo_survival(b->topo, graph, 0, &b->survival);
	for (int i = 0; i < XP_DAMAGES && !b->damage_why; i++) {
		b->throughput_left[i] = -1;
		if (!topo_damage(b->topo, graph, removed[i], draws ? draws : 1, 0, &b->damage[i], &b->damage_why))
			b->throughput_left[i] =
			    rt_throughput_left(b->topo, rate, removed[i], b->throughput_draws, 0, &whole);
	}
}

int xp_bounds_find(struct xp_bounds *b, const struct net_config *config, const struct topo *topo,
                   struct base_errors *errors)
{
	struct topo_graph graph;
	struct rt rt;
	double rate[TOPO_LINK_CLASSES];
	*b = (struct xp_bounds){ .topo = topo, .config = config };
	net_rates(config, topo, rate);
	errors->scope = "routing";
	int status = net_build_routing(&rt, config, topo, errors);
	errors->scope = NULL;
	if (status)
		return -1;
	find_routing(b, &rt, rate);
	rt_destroy(&rt);
	find_shortest(b, rate);
	topo_graph_of(&graph, topo);
	if (!topo_diversity(topo, &graph, &b->diversity, &b->diversity_why))
		topo_limits(topo, &graph, b->diversity.mean_hops, rate, &b->limits);
	else
		topo_limits(topo, &graph, 0, rate, &b->limits);
	find_damage(b, &graph, rate);
	topo_graph_free(&graph);
	return 0;
}

void xp_bounds_free(struct xp_bounds *b)
{
	rt_worst_free(&b->permutation);
}

/* --- text ------------------------------------------------------------------------------------------------------ */

static void label(const char *text)
{
	printf("%-22s ", text);
}

static void text_channel(const struct xp_bounds *b, const struct xp_bound *x)
{
	if (x->at == TOPO_NONE)
		return;
	struct topo_hop hop = topo_peer(b->topo, x->at, x->port);
	printf(", by the %s link from switch %" PRIu32 " to %" PRIu32 " (port %" PRIu32 ")",
	       b->topo->link_class_name[hop.link_class], x->at, hop.to, x->port);
}

static void text_bound(const struct xp_bounds *b, const char *name, const struct xp_bound *x)
{
	label(name);
	if (x->share < 0)
		printf("unknown: %s", x->why);
	else if (isinf(x->share))
		printf("no limit: no packet leaves its switch");
	else
		printf("%.4f", x->share);
	text_channel(b, x);
}

static void text_share(double share)
{
	if (isinf(share))
		printf("none");
	else
		printf("%.4f", share);
}

static void text_routing(const struct xp_bounds *b)
{
	label("routing");
	printf("%s", b->config->routing.plugin->name);
	if (!b->oblivious) {
		printf("; the bounds for any routing apply: %s\n", b->adaptive);
		return;
	}
	printf(": drawn uniformly at every switch (per hop), as in a run; compared for %" PRIu32 " pairs of switches\n",
	       b->compared);
	text_bound(b, "  uniform", &b->uniform);
	printf("\n");
	text_bound(b, "  worst permutation", &b->worst);
	if (b->worst.share >= 0)
		printf("; %s, %" PRIu64 " of %" PRIu64 " channels examined exactly; used by %" PRIu32 " of %" PRIu32
		       " flows",
		       b->permutation.exact ? "exact" : "an upper bound", b->permutation.solved,
		       b->permutation.channels, b->permutation.through, b->topo->endpoints);
	printf("\n");
}

static void text_shortest(const struct xp_bounds *b)
{
	text_bound(b, "shortest paths", &b->by_hops);
	printf(", uniform, split evenly at every switch (per hop)\n");
	text_bound(b, "", &b->by_paths);
	printf(", uniform, split evenly over all paths (per path)\n");
	text_bound(b, "", &b->worst_by_paths);
	printf(", worst permutation, per path\n");
}

static void text_any(const struct xp_bounds *b)
{
	const struct topo_limits *l = &b->limits;
	label("any routing");
	text_share(l->by_hops);
	printf(" by hops, ");
	text_share(l->by_cut);
	if (l->cut >= 0)
		printf(" by a cut of %" PRId64 " cables, ", l->cut);
	else
		printf(" by a cut, ");
	text_share(l->by_switch);
	printf(" by the cables of one switch: uniform\n");
	label("");
	text_share(l->permutation_by_cut);
	printf(" by that cut, ");
	text_share(l->permutation_by_switch);
	printf(" by the cables of one switch: worst permutation\n");
}

static void text_diversity(const struct xp_bounds *b)
{
	const struct topo_diversity *d = &b->diversity;
	label("paths of a pair");
	if (b->diversity_why) {
		printf("unknown: %s\n", b->diversity_why);
		return;
	}
	printf("%.6g shortest on average, at least %.6g; %.6g without a common cable on average, at least %" PRIu32,
	       d->paths_mean, d->paths_min, d->disjoint_mean, d->disjoint_min);
	if (d->disjoint_sampled)
		printf(" (of %" PRIu64 " pairs)", d->disjoint_pairs);
	printf("\n");
}

static void text_damage(const struct xp_bounds *b)
{
	const struct topo_survival *s = &b->survival;
	label("removed cables");
	printf("%.4f of them disconnect a switch, median of %" PRIu32
	       " random orders (5 %%: %.4f, 95 %%: %.4f; estimate from the degrees: %.4f)\n",
	       s->median, s->orders, s->p05, s->p95, s->form);
	for (int i = 0; i < XP_DAMAGES && !b->damage_why; i++) {
		const struct topo_damage *d = &b->damage[i];
		label("");
		printf("%2.0f %%: %.0f %% of %" PRIu32 " draws disconnected", 100 * d->removed, 100 * d->disconnected,
		       d->draws);
		if (d->diameter >= 0)
			printf("; of the others diameter %.4g, mean distance %.4f", d->diameter, d->mean_distance);
		if (b->throughput_left[i] >= 0)
			printf(", uniform throughput %.4f of the intact network's (%" PRIu32 " draws)",
			       b->throughput_left[i], b->throughput_draws);
		printf("\n");
	}
	if (b->damage_why) {
		label("");
		printf("the effect is unknown: %s\n", b->damage_why);
	}
}

void xp_bounds_text(const struct xp_bounds *b)
{
	printf("\nupper bounds of throughput, as fractions of injection bandwidth (an endpoint's own link: 1)\n");
	text_routing(b);
	text_shortest(b);
	text_any(b);
	text_diversity(b);
	text_damage(b);
}

/* --- JSON ------------------------------------------------------------------------------------------------------- */

static void json_share(struct base_json *j, const char *key, double share)
{
	base_json_double(j, key, share >= 0 ? share : NAN); /* null, as of infinity */
}

static void json_bound(const struct xp_bounds *b, struct base_json *j, const char *key, const struct xp_bound *x)
{
	base_json_object(j, key);
	json_share(j, "throughput", x->share);
	if (x->share < 0)
		base_json_string(j, "why", x->why);
	if (x->at != TOPO_NONE) {
		struct topo_hop hop = topo_peer(b->topo, x->at, x->port);
		base_json_uint(j, "switch", x->at);
		base_json_uint(j, "port", x->port);
		base_json_uint(j, "to_switch", hop.to);
		base_json_string(j, "link_class", b->topo->link_class_name[hop.link_class]);
	}
}

static void json_routing(const struct xp_bounds *b, struct base_json *j)
{
	base_json_object(j, "routing");
	base_json_string(j, "kind", b->config->routing.plugin->name);
	base_json_bool(j, "oblivious", b->oblivious);
	if (b->oblivious) {
		base_json_string(j, "split", "hop");
		base_json_uint(j, "compared_pairs", b->compared);
	} else {
		base_json_string(j, "why", b->adaptive);
	}
	json_bound(b, j, "uniform", &b->uniform);
	base_json_end(j);
	json_bound(b, j, "worst_permutation", &b->worst);
	if (b->worst.share >= 0) {
		base_json_bool(j, "exact", b->permutation.exact);
		base_json_uint(j, "channels", b->permutation.channels);
		base_json_uint(j, "solved", b->permutation.solved);
		base_json_uint(j, "flows_through", b->permutation.through);
	}
	base_json_end(j);
	base_json_end(j);
}

static void json_shortest(const struct xp_bounds *b, struct base_json *j)
{
	base_json_object(j, "shortest_paths");
	json_bound(b, j, "uniform_per_hop", &b->by_hops);
	base_json_end(j);
	json_bound(b, j, "uniform_per_path", &b->by_paths);
	base_json_end(j);
	json_bound(b, j, "worst_permutation_per_path", &b->worst_by_paths);
	base_json_end(j);
	base_json_end(j);
}

static void json_any(const struct xp_bounds *b, struct base_json *j)
{
	const struct topo_limits *l = &b->limits;
	base_json_object(j, "any_routing");
	json_share(j, "uniform_by_hops", l->by_hops);
	json_share(j, "uniform_by_cut", l->by_cut);
	json_share(j, "uniform_by_switch", l->by_switch);
	json_share(j, "permutation_by_cut", l->permutation_by_cut);
	json_share(j, "permutation_by_switch", l->permutation_by_switch);
	if (l->cut >= 0)
		base_json_int(j, "cut_links", l->cut);
	else
		base_json_null(j, "cut_links");
	base_json_string(j, "cut_how", l->cut_how ? l->cut_how : "not known");
	base_json_end(j);
}

static void json_diversity(const struct xp_bounds *b, struct base_json *j)
{
	const struct topo_diversity *d = &b->diversity;
	if (b->diversity_why) {
		base_json_null(j, "paths");
		base_json_string(j, "paths_why", b->diversity_why);
		return;
	}
	base_json_object(j, "paths");
	base_json_double(j, "uniform_hops", d->mean_hops);
	base_json_double(j, "shortest_mean", d->paths_mean);
	base_json_double(j, "shortest_min", d->paths_min);
	base_json_double(j, "disjoint_mean", d->disjoint_mean);
	base_json_uint(j, "disjoint_min", d->disjoint_min);
	base_json_uint(j, "disjoint_pairs", d->disjoint_pairs);
	base_json_bool(j, "disjoint_sampled", d->disjoint_sampled);
	base_json_end(j);
}

static void json_damage(const struct xp_bounds *b, struct base_json *j)
{
	base_json_object(j, "resilience");
	base_json_uint(j, "orders", b->survival.orders);
	base_json_double(j, "disconnected_p05", b->survival.p05);
	base_json_double(j, "disconnected_median", b->survival.median);
	base_json_double(j, "disconnected_p95", b->survival.p95);
	base_json_double(j, "disconnected_form", b->survival.form);
	if (b->damage_why)
		base_json_string(j, "removed_why", b->damage_why);
	base_json_array(j, "removed");
	for (int i = 0; i < XP_DAMAGES && !b->damage_why; i++) {
		const struct topo_damage *d = &b->damage[i];
		base_json_object(j, NULL);
		base_json_double(j, "share", d->removed);
		base_json_uint(j, "draws", d->draws);
		base_json_double(j, "disconnected", d->disconnected);
		json_share(j, "diameter", d->diameter);
		json_share(j, "mean_distance", d->mean_distance);
		json_share(j, "uniform_throughput_left", b->throughput_left[i]);
		base_json_uint(j, "throughput_draws", b->throughput_draws);
		base_json_end(j);
	}
	base_json_end(j);
	base_json_end(j);
}

void xp_bounds_json(const struct xp_bounds *b, struct base_json *j)
{
	base_json_object(j, "bounds");
	json_routing(b, j);
	json_shortest(b, j);
	json_any(b, j);
	json_diversity(b, j);
	json_damage(b, j);
	base_json_end(j);
}

/* experiments/compare/bounds.c - upper bounds of the throughput of every design, before any simulation; and the worst
 * permutations, written as files for runs. Computed once per topology and routing. */
#include "experiments/compare/compare.h"
#include "experiments/results/file.h"
#include "experiments/results/temporary.h"
#include "experiments/runs/folder.h"
#include "network/network.h"

#include "base/format.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS 16u /* of switches, whose loads are compared with what runs */
#define LEFT_DRAWS 20u
#define MINIMAL_STEPS 2e9              /* channels looked at for all flows of a permutation */
#define LEFT_STEPS UINT64_C(100000000) /* of all draws of one share of failed cables */

static struct xp_cap cap_of(double load)
{
	return (struct xp_cap){ .share = load > 0 ? 1 / load : INFINITY };
}

/* The load of the fullest channel in its own bandwidth. */
static double fullest(const struct rt_flows *f, const double *load)
{
	double most = 0;
	for (topo_switch s = 0; s < f->graph.n; s++)
		for (topo_port p = 0; p < topo_ports(f->topo, s); p++)
			most = fmax(most, load[f->graph.first[s] + p] / f->rate[topo_peer(f->topo, s, p).link_class]);
	return most;
}

static struct xp_cap uniform_cap(const struct rt_flows *f)
{
	struct xp_cap cap = { .share = -1 };
	double *load = base_calloc(f->graph.first[f->graph.n] + 1, sizeof *load);
	if (!rt_uniform_loads(f, load, &cap.why))
		cap = cap_of(fullest(f, load));
	free(load);
	return cap;
}

static struct rt_worst *worst_of(const struct rt_flows *f, struct xp_cap *cap)
{
	struct rt_worst *worst = base_calloc(1, sizeof *worst);
	*cap = (struct xp_cap){ .share = -1 };
	if (!rt_worst_permutation(f, worst, &cap->why)) {
		*cap = cap_of(worst->load);
		return worst;
	}
	free(worst);
	return NULL;
}

/* Computes the destinations of pattern worst-case: all endpoints of a switch send to the same position of the partner
 * switch that the topology names. Endpoints that do not send have themselves as destination. Returns NULL if the
 * topology names no partner. */
static uint32_t *case_of(const struct topo *topo)
{
	if (!topo->ops->worst_case)
		return NULL;
	topo_switch *partner = base_calloc(topo->switches, sizeof *partner);
	uint32_t *to = base_calloc(topo->endpoints, sizeof *to);
	topo->ops->worst_case(topo, partner);
	for (uint32_t e = 0; e < topo->endpoints; e++) {
		topo_switch s = topo_switch_of(topo, e), d = partner[s];
		uint32_t position = e - topo_first_endpoint(topo, s);
		bool sends = d != TOPO_NONE && d != s && position < topo_endpoints_at(topo, d);
		to[e] = sends ? topo_first_endpoint(topo, d) + position : e;
	}
	free(partner);
	return to;
}

static struct xp_cap worst_case_cap(const struct rt_flows *f)
{
	if (!f->topo->ops->worst_case)
		return (struct xp_cap){ .share = -1, .why = "the topology defines no worst case" };
	if (f->spread != RT_SPREAD_MINIMAL) /* every pair goes by every switch */
		return (struct xp_cap){ .share = -1, .why = "computing it would take too long" };
	uint32_t *to = case_of(f->topo);
	double *load = base_calloc(f->graph.first[f->graph.n] + 1, sizeof *load);
	rt_permutation_loads(f, to, load);
	struct xp_cap cap = cap_of(fullest(f, load));
	free(to);
	free(load);
	return cap;
}

/* Upper bound for permutations, for any routing, from the channels that leave a group of switches. */
static double any_by_groups(const struct rt_flows *f, const uint32_t *to)
{
	const struct topo *topo = f->topo;
	double *out = base_calloc(2 * (size_t)topo->groups, sizeof *out), *leaving = out + topo->groups,
	       most = INFINITY;
	for (topo_switch s = 0; s < f->graph.n; s++) {
		uint32_t group = topo_group(topo, s);
		for (topo_port p = 0; p < topo_ports(topo, s); p++) {
			struct topo_hop h = topo_peer(topo, s, p);
			out[group] += topo_group(topo, h.to) == group ? 0 : f->rate[h.link_class];
		}
		for (uint32_t i = 0, e = topo_first_endpoint(topo, s); i < topo_endpoints_at(topo, s); i++)
			leaving[group] += topo_group(topo, topo_switch_of(topo, to[e + i])) != group;
	}
	for (uint32_t g = 0; g < topo->groups; g++)
		if (leaving[g] > 0)
			most = fmin(most, out[g] / leaving[g]);
	free(out);
	return most;
}

/* Upper bound for a permutation, for any routing: from all channels and the shortest paths of all flows, and from the
 * channels that leave each switch and each group. f: flows on shortest paths of the graph. */
static double any_permutation(const struct rt_flows *f, const uint32_t *to)
{
	const struct topo *topo = f->topo;
	double *load = base_calloc(f->graph.first[f->graph.n] + 1, sizeof *load), capacity = 0, taken = 0,
	       most = any_by_groups(f, to);
	rt_permutation_loads(f, to, load);
	for (topo_switch s = 0; s < f->graph.n; s++) {
		double out = 0, leaving = 0;
		for (topo_port p = 0; p < topo_ports(topo, s); p++) {
			out += f->rate[topo_peer(topo, s, p).link_class];
			taken += load[f->graph.first[s] + p];
		}
		for (uint32_t i = 0, e = topo_first_endpoint(topo, s); i < topo_endpoints_at(topo, s); i++)
			leaving += topo_switch_of(topo, to[e + i]) != s;
		capacity += out;
		if (leaving > 0)
			most = fmin(most, out / leaving);
	}
	free(load);
	return taken > 0 ? fmin(most, capacity / taken) : most;
}

/* Upper bound for a permutation, for routings that use only paths of minimal routing, however they choose among them:
 * flows with a single path share the channels on it. f: flows of minimal routing. INFINITY: no channel limits them, or
 * the computation would take too long. */
static double any_minimal(const struct rt_flows *f, const uint32_t *to)
{
	const struct topo *topo = f->topo;
	size_t channels = f->graph.first[f->graph.n];
	double most = INFINITY;
	if ((double)channels * topo->endpoints > MINIMAL_STEPS)
		return most;
	double *load = base_calloc(channels + 1, sizeof *load), *needed = base_calloc(channels + 1, sizeof *needed);
	for (uint32_t e = 0; e < topo->endpoints; e++) {
		topo_switch s = topo_switch_of(topo, e), d = topo_switch_of(topo, to[e]);
		if (s == d)
			continue;
		memset(load, 0, channels * sizeof *load);
		rt_pair_loads(f, s, d, load);
		for (size_t k = 0; k < channels; k++)
			needed[k] += load[k] > 1 - 1e-9;
	}
	double full = fullest(f, needed);
	most = full > 0 ? 1 / full : most;
	free(load);
	free(needed);
	return most;
}

/* --- a network ------------------------------------------------------------------------------------------- */

/* The permutation used for adaptive routings, whose own worst permutation cannot be computed. */
static void find_minimal(struct xp_net *net, const double *rate)
{
	struct rt rt;
	struct rt_flows f;
	struct base_errors errors = { 0 };
	struct xp_cap cap;
	const char *why;
	void *params = base_alloc(rt_minimal.params_bytes);
	if (!base_params_defaults(rt_minimal.params, params, &errors) &&
	    !rt_build(&rt, &rt_minimal, params, &net->costing.topo, &errors)) {
		if (!rt_flows_of_routing(&f, &rt, rate, 0, 0, &why)) {
			uint32_t *to = case_of(&net->costing.topo);
			net->minimal = worst_of(&f, &cap);
			net->permutation_minimal = net->minimal ? any_minimal(&f, net->minimal->to) : INFINITY;
			net->case_minimal = to ? any_minimal(&f, to) : INFINITY;
			rt_flows_free(&f);
			rt_flows_of_graph(&f, &net->costing.topo, RT_SPLIT_PATHS, rate);
			if (net->minimal)
				net->permutation_any = any_permutation(&f, net->minimal->to);
			if (to)
				net->case_any = any_permutation(&f, to);
			free(to);
			rt_flows_free(&f);
		}
		rt_destroy(&rt);
	}
	base_params_free(rt_minimal.params, params);
	free(params);
	base_errors_free(&errors);
}

/* steps: what a draw takes. */
static void find_left(const struct xp_study *study, struct xp_net *net, const double *rate, uint64_t steps)
{
	uint64_t draws = LEFT_STEPS / steps;
	for (size_t i = 0; i < study->nfailures; i++) {
		struct xp_left *left = &net->left[i];
		left->draws = draws > LEFT_DRAWS ? LEFT_DRAWS : draws ? (uint32_t)draws : 1;
		left->uniform =
		    rt_throughput_left(&net->costing.topo, rate, study->failure[i], left->draws, 0, &left->whole);
	}
}

static void find_limits(const struct xp_study *study, struct xp_net *net)
{
	const struct topo *topo = &net->costing.topo;
	struct topo_diversity diversity;
	struct topo_graph graph;
	double rate[TOPO_LINK_CLASSES];
	const char *why;
	net_rates(&net->costing.config.net, topo, rate);
	topo_graph_of(&graph, topo);
	bool known = !topo_diversity(topo, &graph, &diversity, &why);
	topo_limits(topo, &graph, known ? diversity.mean_hops : 0, rate, &net->limits);
	topo_survival(topo, &graph, 0, &net->survival);
	find_left(study, net, rate, (uint64_t)(topo->switches - topo->bare) * (graph.first[graph.n] + 1));
	topo_graph_free(&graph);
}

/* --- a design -------------------------------------------------------------------------------------------- */

/* Upper bound for uniform traffic and any routing. An unknown bound is not an error. */
static double any_uniform(const struct topo_limits *l)
{
	double least = INFINITY, v[] = { l->by_hops, l->by_cut, l->by_switch };
	for (int i = 0; i < 3; i++)
		if (v[i] > 0)
			least = fmin(least, v[i]);
	return least;
}

/* Limits the throughput by the link of a hot endpoint, from the messages that the others send to it. */
static struct xp_cap cap_of_hotspot(const struct xp_demand *d, uint32_t endpoints)
{
	struct xp_cap cap = { .share = 1, .any = true };
	double others = endpoints > d->targets ? (double)(endpoints - d->targets) : 0;
	double comes = others * d->hot / d->targets + 1 - d->hot;
	cap.share = comes > 1 ? 1 / comes : 1;
	return cap;
}

static void cap_series(const struct xp_design *d, struct xp_series *s, struct xp_cap worst_case)
{
	const char *pattern = s->demand->pattern;
	struct xp_cap none = { .share = -1, .why = "no bound is known for this traffic" };
	const struct xp_net *net = d->net;
	double endpoints = net->costing.topo.endpoints;
	double permutation =
	    d->stays_minimal ? fmin(net->permutation_any, net->permutation_minimal) : net->permutation_any;
	double worst = d->stays_minimal ? fmin(net->case_any, net->case_minimal) : net->case_any;
	if (!strcmp(pattern, "uniform"))
		s->cap = d->uniform.share >= 0 ? d->uniform
		                               : (struct xp_cap){ .share = any_uniform(&d->net->limits), .any = true };
	else if (!strcmp(pattern, "hotspot"))
		s->cap = cap_of_hotspot(s->demand, d->net->costing.topo.endpoints);
	else if (!strcmp(pattern, "worst-permutation"))
		s->cap =
		    d->worst.share < 0 && d->permutation && d->permutation == net->minimal && net->permutation_any > 0
			? (struct xp_cap){ .share = permutation, .any = true }
			: d->worst;
	else if (!strcmp(pattern, "worst-case"))
		s->cap = worst_case.share < 0 && net->case_any > 0 ? (struct xp_cap){ .share = worst, .any = true }
		                                                   : worst_case;
	else
		s->cap = none;
	if (!strcmp(pattern, "uniform") && s->demand->self && s->cap.share > 0 && endpoints > 1)
		s->cap.share *= endpoints / (endpoints - 1); /* what an endpoint sends to itself takes no cable */
}

/* Upper bound of the throughput for several traffic parts at once, whose channel loads add up. A negative result means
 * that no bound is known. f: the flows of the routing, or NULL. */
static double mix_share(const struct xp_compare *c, const struct xp_design *d, const struct rt_flows *f,
                        const struct xp_demand *mix)
{
	if (!f || f->spread != RT_SPREAD_MINIMAL)
		return -1;
	size_t channels = f->graph.first[f->graph.n] + 1;
	double *sum = base_calloc(channels, sizeof *sum), *load = base_calloc(channels, sizeof *load), share = -1;
	bool known = true;
	for (size_t i = 0; i < mix->nparts && known; i++) {
		const struct xp_demand *part = &c->study.demand[mix->part[i]];
		const char *why;
		memset(load, 0, channels * sizeof *load);
		uint32_t *to = !strcmp(part->pattern, "worst-case") ? case_of(f->topo) : NULL;
		if (!strcmp(part->pattern, "uniform") && !part->self)
			known = !rt_uniform_loads(f, load, &why);
		else if (!strcmp(part->pattern, "worst-permutation") && d->permutation)
			rt_permutation_loads(f, d->permutation->to, load);
		else if (to)
			rt_permutation_loads(f, to, load);
		else
			known = false;
		for (size_t k = 0; k < channels; k++)
			sum[k] += mix->weight[i] * load[k];
		free(to);
	}
	if (known)
		share = cap_of(fullest(f, sum)).share;
	free(sum);
	free(load);
	return share;
}

/* In addition to the bound of each part alone with its share of the load. */
static void cap_mixes(const struct xp_compare *c, struct xp_design *d, const struct rt_flows *f)
{
	size_t sizes = c->study.nmessages ? c->study.nmessages : 1;
	for (size_t k = 0; k < c->columns; k++) {
		struct xp_series *s = &d->series[k];
		double share = s->demand->nparts ? mix_share(c, d, f, s->demand) : -1;
		s->cap = s->demand->nparts && share >= 0 ? (struct xp_cap){ .share = share } : s->cap;
		for (size_t i = 0; i < s->demand->nparts && share < 0; i++) {
			const struct xp_cap *part = &d->series[s->demand->part[i] * sizes].cap;
			double alone = part->share >= 0 ? part->share / s->demand->weight[i] : -1;
			if (alone >= 0 && (s->cap.share < 0 || alone < s->cap.share))
				s->cap = (struct xp_cap){ .share = alone, .any = true };
		}
	}
}

static bool has_case(const struct xp_compare *c)
{
	bool has = false;
	for (size_t i = 0; i < c->study.ndemands; i++)
		has |= !strcmp(c->study.demand[i].pattern, "worst-case");
	return has;
}

/* Those of an earlier design with the same network and routing. */
static bool borrow(struct xp_compare *c, struct xp_design *d)
{
	for (struct xp_design *e = c->design; e < d; e++)
		if (e->bounded && e->net == d->net && e->routing == d->routing) {
			d->uniform = e->uniform;
			d->worst = e->worst;
			d->permutation = e->permutation;
			d->adaptive = e->adaptive;
			d->stays_minimal = e->stays_minimal;
			if (e->failed)
				d->failed = base_strdup(e->failed);
			for (size_t k = 0; k < c->columns; k++)
				d->series[k].cap = e->series[k].cap;
			return true;
		}
	return false;
}

static void cap_all(const struct xp_compare *c, struct xp_design *d, struct xp_cap worst_case, const struct rt_flows *f)
{
	for (size_t k = 0; k < c->columns; k++)
		cap_series(d, &d->series[k], worst_case);
	cap_mixes(c, d, f);
}

static void find_design(struct xp_compare *c, struct xp_design *d)
{
	struct xp_config config = { 0 };
	struct base_errors errors = { 0 };
	const struct topo *topo = &d->net->costing.topo;
	struct xp_cap worst_case = { .share = -1, .why = "the routing is adaptive" };
	const char **v = base_calloc(c->sets.n + 3, sizeof *v);
	size_t n = 0;
	double rate[TOPO_LINK_CLASSES];
	struct rt rt;
	struct rt_flows f;
	v[n++] = d->net->topology;
	for (size_t i = 0; i < c->sets.n; i++)
		v[n++] = c->sets.v[i];
	if (d->routing->set)
		v[n++] = d->routing->set;
	struct xp_sets sets = { .v = v, .n = n };
	int status = c->wish.source
	                 ? xp_config_load(&config, c->wish.source, &sets, XP_TOPOLOGY_ONLY, &c->runs.registry, &errors)
	                 : xp_config_parse(&config, "", 0, c->study.ground.path, NULL, &sets, XP_TOPOLOGY_ONLY,
	                                   &c->runs.registry, &errors);
	errors.scope = "routing";
	if (!status && net_build_routing(&rt, &config.net, topo, &errors))
		status = -1;
	errors.scope = NULL;
	if (status) {
		d->failed = xp_first_error(&errors);
	} else {
		net_rates(&config.net, topo, rate);
		d->adaptive = ((const struct rt_ops *)config.net.routing.plugin->ops)->wants_queues;
		d->stays_minimal = rt.no_split != NULL;
		d->uniform = d->worst = (struct xp_cap){ .share = -1 };
		if (!rt_flows_of_routing(&f, &rt, rate, PAIRS, 0, &d->uniform.why)) {
			d->uniform = uniform_cap(&f);
			d->permutation = worst_of(&f, &d->worst);
			worst_case = worst_case_cap(&f);
			if (worst_case.share < 0 && has_case(c) && !d->net->minimal)
				find_minimal(d->net, rate);
			cap_all(c, d, worst_case, &f);
			rt_flows_free(&f);
		} else {
			d->worst.why = d->uniform.why;
			if (!d->net->minimal && (!rt.own_routes || has_case(c)))
				find_minimal(d->net, rate);
			/* the worst of minimal routing is not that of routes of any other kind, so these have none */
			d->permutation = rt.own_routes ? NULL : d->net->minimal;
			cap_all(c, d, worst_case, NULL);
		}
		rt_destroy(&rt);
	}
	base_errors_free(&errors);
	xp_config_free(&config);
	free(v);
	d->bounded = true;
}

#define LEAST_GUESS 0.25

/* The largest known throughput bound of the other designs on the same network, for the traffic of the column or
 * otherwise for any traffic; an adaptive routing chooses between the paths of these designs. The result is 1 if no
 * bound is known, or if no routing with a known bound spreads the traffic. */
static double best_of_others(const struct xp_compare *c, const struct xp_design *d, size_t column)
{
	double best = 0;
	for (size_t i = 0; i < c->ndesigns; i++) {
		const struct xp_design *other = &c->design[i];
		const struct xp_cap *cap = &other->series[column].cap;
		if (other->net == d->net && !other->failed)
			best = fmax(best, fmin(1, cap->share >= 0 && !cap->any ? cap->share : other->worst.share));
	}
	return best >= LEAST_GUESS ? best : 1;
}

void xp_bounds_of_nets(struct xp_compare *c)
{
	for (size_t i = 0; i < c->nnets; i++)
		if (!c->net[i].failed)
			find_limits(&c->study, &c->net[i]);
	for (size_t i = 0; i < c->ndesigns; i++)
		if (!c->design[i].failed && !borrow(c, &c->design[i]))
			find_design(c, &c->design[i]);
	for (size_t i = 0; i < c->ndesigns; i++)
		for (size_t k = 0; k < c->columns; k++) {
			struct xp_series *s = &c->design[i].series[k];
			s->high = s->cap.share >= 0 ? fmin(1, s->cap.share) : 1;
			/* an oblivious routing that goes all over the network does the same to most permutations */
			bool own = s->cap.share >= 0 && !s->cap.any;
			s->guess = own                            ? 1
			           : c->design[i].worst.share > 0 ? c->design[i].worst.share
			                                          : best_of_others(c, &c->design[i], k);
		}
}

static void free_worst(struct rt_worst *worst)
{
	if (worst)
		rt_worst_free(worst);
	free(worst);
}

void xp_bounds_free_all(struct xp_compare *c)
{
	for (size_t i = 0; i < c->ndesigns; i++) {
		struct xp_design *d = &c->design[i];
		bool borrowed = d->permutation == d->net->minimal;
		for (size_t k = 0; k < i; k++)
			borrowed |= c->design[k].permutation == d->permutation;
		if (!borrowed)
			free_worst(d->permutation);
	}
	for (size_t i = 0; i < c->nnets; i++)
		free_worst(c->net[i].minimal);
}

/* --- files ----------------------------------------------------------------------------------------------- */

/* The string of libconfig that names a file from any folder. */
static char *name_of_file(const char *relative)
{
	char *path = xp_absolute_path(relative), *text = xp_string_text(path);
	free(path);
	return text;
}

/* Writes the flows that use the worst channel, or the others, as a file for pattern "permutation", and returns the
 * quoted file name; NULL if there are none. */
static char *save(const struct xp_compare *c, const char *name, const struct rt_worst *worst, uint32_t endpoints,
                  bool through, struct base_errors *errors)
{
	struct base_buffer text = { 0 };
	char *relative = NULL, *file = NULL;
	for (uint32_t e = 0; e < endpoints; e++)
		if (worst->to[e] != e && worst->takes[e] == through)
			base_buffer_printf(&text, "%u %u\n", e, worst->to[e]);
	if (text.n) {
		relative = base_format("%s/permutations/%s.%s.txt", c->runs.folder, name, through ? "through" : "rest");
		if (!xp_file_save(relative, text.data, text.n, errors))
			file = name_of_file(relative);
	}
	free(relative);
	free(text.data);
	return file;
}

int xp_permutations_write(struct xp_compare *c, struct base_errors *errors)
{
	char *folder = base_format("%s/permutations", c->runs.folder);
	if (xp_make_folder(folder, errors)) {
		free(folder);
		return -1;
	}
	xp_temporary_clean(folder, NULL); /* of one that was killed */
	free(folder);
	for (size_t i = 0; i < c->ndesigns; i++)
		for (size_t k = 0; k < c->columns; k++) {
			struct xp_design *d = &c->design[i];
			struct xp_series *s = &d->series[k];
			char name[200];
			if (d->failed || !xp_demand_has(c, s->demand, "worst-permutation"))
				continue;
			if (!d->permutation) {
				s->impossible =
				    base_strdup(d->worst.why ? d->worst.why : "the worst permutation is not known");
				continue;
			}
			/* that of minimal routing is the network's: no name has a "_" */
			bool own = d->permutation != d->net->minimal;
			snprintf(name, sizeof name, "%s%s%s", d->net->candidate->name, own ? "_" : "",
			         own ? d->routing->name : "");
			uint32_t endpoints = d->net->costing.topo.endpoints;
			s->through = save(c, name, d->permutation, endpoints, true, errors);
			s->rest = save(c, name, d->permutation, endpoints, false, errors);
			if (errors->errors)
				return -1;
		}
	return 0;
}

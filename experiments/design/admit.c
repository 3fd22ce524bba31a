/* experiments/design/admit.c - from candidates to designs of a comparison; what is rejected, and why. */
#include "experiments/config/scan.h"
#include "experiments/design/design.h"
#include "experiments/runs/fields.h"
#include "network/network.h"
#include "routing/routing.h"

#include "base/format.h"
#include "base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reject(struct xp_space_candidate *k, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void reject(struct xp_space_candidate *k, const char *format, ...)
{
	va_list ap;
	if (k->rejected)
		return;
	va_start(ap, format);
	k->rejected = base_vformat(format, ap);
	va_end(ap);
}

/* --- sections -------------------------------------------------------------------------------------------- */

static bool touched(const struct xp_search_space *s, const struct xp_space_candidate *k, const char *section)
{
	for (size_t v = 0; v < s->nvariables; v++) {
		size_t length = strcspn(s->variable[v].path, ".");
		if (xp_space_candidate_label(s, k, v) && strlen(section) == length &&
		    !memcmp(section, s->variable[v].path, length))
			return true;
	}
	return false;
}

/* Replaces the unknown type of values from assignments: texts that can be parsed as truth values or numbers get that
 * type. All others remain texts. */
static void settle(struct xp_node *node)
{
	double x;
	for (size_t i = 0; i < node->n; i++)
		settle(node->child[i]);
	if (node->type != XP_RAW)
		return;
	if (!strcmp(node->text, "true") || !strcmp(node->text, "false"))
		node->type = XP_BOOL;
	else if (*node->text && !node->text[strspn(node->text, "+-0123456789")])
		node->type = XP_INT;
	else if (xp_is_number(node->text, &x) && strpbrk(node->text, ".eE"))
		node->type = XP_FLOAT;
}

static void keep_section(struct xp_space_candidate *k, struct xp_node *section)
{
	settle(section);
	char *text = xp_section_text(section);
	if (!strcmp(section->name, "topology")) {
		k->topology = text;
	} else if (!strcmp(section->name, "routing")) {
		k->routing = text;
	} else {
		k->more = base_realloc(k->more, (k->nmore + 1) * sizeof *k->more);
		k->more[k->nmore++] = text;
	}
}

/* The sections that variables touch, whole, as this candidate has them. */
static void make_sections(struct xp_search_space *s, struct xp_space_candidate *k, const char *text, size_t bytes)
{
	const struct xp_ground *g = &s->c.study.ground;
	struct base_errors errors = { 0 };
	struct xp_node *root = xp_tree_parse(text, bytes, g->path, NULL, &errors),
		       *old = root ? xp_member(root, "topology") : NULL;
	for (size_t i = 0; old && i < root->n; i++)
		if (root->child[i] == old) {
			memmove(&root->child[i], &root->child[i + 1], (--root->n - i) * sizeof *root->child);
			xp_node_free(old);
			old = NULL;
		}
	for (size_t i = 0; root && i < g->nset; i++)
		xp_tree_set(root, g->set[i], g->set_at[i], &errors);
	for (size_t v = 0; root && v < s->nvariables; v++) {
		if (!xp_space_candidate_label(s, k, v))
			continue;
		char *set = base_format("%s=%s", s->variable[v].path, xp_space_candidate_label(s, k, v));
		xp_tree_set(root, set, s->variable[v].at[k->value[v]], &errors);
		free(set);
	}
	for (size_t i = 0; root && i < root->n && !errors.errors; i++)
		if (touched(s, k, root->child[i]->name))
			keep_section(k, root->child[i]);
	if (errors.errors) {
		char *why = xp_first_error(&errors);
		reject(k, "%s", why);
		free(why);
	} else if (!k->topology) {
		reject(k, "no variable sets the topology of this candidate");
	} else if (k->nmore + 9 > XP_RUN_SETS) {
		reject(k, "the variables set keys in more than %d sections of the configuration", XP_RUN_SETS - 9);
	}
	base_errors_free(&errors);
	xp_node_free(root);
}

/* --- the comparison's lists ------------------------------------------------------------------------------ */

static size_t network_of(struct xp_study *study, const struct xp_space_candidate *k, const char *at)
{
	char name[32];
	for (size_t i = 0; i < study->ncandidates; i++)
		if (!strcmp(study->candidate[i].topology, k->topology))
			return i;
	snprintf(name, sizeof name, "net%zu", study->ncandidates + 1);
	study->candidate = base_realloc(study->candidate, (study->ncandidates + 1) * sizeof *study->candidate);
	study->candidate[study->ncandidates] = (struct xp_candidate){ .name = base_strdup(name),
		                                                      .at = base_strdup(at),
		                                                      .topology = base_strdup(k->topology) };
	return study->ncandidates++;
}

/* The first routing of the study is the base's. */
static size_t routing_of(struct xp_study *study, const struct xp_space_candidate *k, const char *at)
{
	char name[32];
	for (size_t i = 0; i < study->nroutings; i++)
		if (k->routing ? study->routing[i].set && !strcmp(study->routing[i].set, k->routing)
		               : !study->routing[i].set)
			return i;
	snprintf(name, sizeof name, "r%zu", study->nroutings);
	study->routing = base_realloc(study->routing, (study->nroutings + 1) * sizeof *study->routing);
	study->routing[study->nroutings] =
	    (struct xp_variant){ .name = base_strdup(name), .at = base_strdup(at), .set = base_strdup(k->routing) };
	return study->nroutings++;
}

/* --- limits ---------------------------------------------------------------------------------------------- */

static double longest_m(const struct topo_bill *b)
{
	uint32_t mm = 0;
	for (size_t i = 0; i < b->ncable; i++)
		if (b->cable[i].link_class != TOPO_TERMINAL && b->cable[i].mm > mm)
			mm = b->cable[i].mm;
	return mm / 1e3;
}

static void not_known(struct xp_space_candidate *k, const char *what)
{
	reject(k, "%s: unknown for this candidate (no cost model, or no published power per port)", what);
}

static void at_most(struct xp_space_candidate *k, const char *what, double value, double limit, const char *unit)
{
	if (limit > 0 && isnan(value))
		not_known(k, what);
	else if (limit > 0 && value > limit)
		reject(k, "%s: %.4g %s exceeds the limit %.4g", what, value, unit, limit);
}

static void judge_network(struct xp_search_space *s, struct xp_space_candidate *k)
{
	const struct xp_net *net = &s->c.net[k->net];
	const struct xp_space_numbers *n = &s->number;
	const struct xp_costing *g = &net->costing;
	const struct topo_bill *b = &g->bill;
	if (net->failed) {
		reject(k, "%s", net->failed);
		return;
	}
	double endpoints = g->topo.endpoints;
	if (endpoints < (double)n->least_endpoints || endpoints > (double)n->most_endpoints)
		reject(k, "endpoints: %.0f is not between %lld and %lld", endpoints, (long long)n->least_endpoints,
		       (long long)n->most_endpoints);
	at_most(k, "radix", b->radix, (double)n->radix, "ports");
	double v[] = { [XP_GOAL_COST] = g->priced ? g->cost.total / endpoints : NAN,
		       [XP_GOAL_WATTS] = g->watts >= 0 ? g->watts / endpoints : NAN,
		       [XP_GOAL_CABLES] = (double)topo_bill_all_cables(b) / endpoints,
		       [XP_GOAL_PORTS] = (double)b->ports / endpoints };
	for (enum xp_goal goal = XP_GOAL_COST; goal <= XP_GOAL_PORTS; goal++)
		v[goal] = xp_rounded(v[goal]);
	at_most(k, "cost", v[XP_GOAL_COST], n->cost, "per endpoint");
	at_most(k, "watts", v[XP_GOAL_WATTS], n->watts, "per endpoint");
	at_most(k, "cables", v[XP_GOAL_CABLES], n->cables, "per endpoint");
	at_most(k, "reach", longest_m(b), n->reach, "m of the longest cable");
	for (enum xp_goal goal = XP_GOAL_COST; goal <= XP_GOAL_PORTS; goal++) {
		k->best[goal] = k->worst[goal] = v[goal];
		if (xp_wants(s, goal) && !isfinite(v[goal]))
			not_known(k, xp_goal_names[goal]);
	}
}

/* Input buffer of a port, in bytes; negative: the switch has no such parameter. */
static double buffer_of(const struct net_choice *sw)
{
	for (const struct base_param *p = sw->plugin->params; p && p->name; p++)
		if (p->type == BASE_SIZE && (!strcmp(p->name, "buffer") || !strcmp(p->name, "input_buffer"))) {
			uint64_t bytes = *(const uint64_t *)(const void *)((const char *)sw->params + p->offset);
			return bytes ? (double)bytes : -1; /* 0: the preset says it */
		}
	return -1;
}

/* Has the same network and routing been proved with as many virtual channels in a switch that waits so? */
static bool proved(const struct xp_search_space *s, struct xp_space_candidate *k, const struct net_choice *sw,
                   uint32_t vcs)
{
	k->proved_vcs = vcs;
	k->proved_waits = net_waits(sw);
	for (const struct xp_space_candidate *e = s->candidate; e < k; e++)
		if (e->proved_in == sw->plugin && e->proved_vcs == vcs && e->proved_waits == k->proved_waits &&
		    e->net == k->net && e->way == k->way) {
			k->proved_in = sw->plugin;
			return true;
		}
	return false;
}

static void prove(struct xp_search_space *s, struct xp_space_candidate *k, const struct net_config *net)
{
	struct base_errors errors = { 0 };
	struct rt rt;
	struct rt_proof proof = { 0 };
	char verdict[300];
	errors.scope = "routing";
	if (net_build_routing(&rt, net, &s->c.net[k->net].costing.topo, &errors)) {
		char *why = xp_first_error(&errors);
		reject(k, "%s", why);
		free(why);
	} else {
		uint32_t vcs = net_vcs(&net->sw, rt.vcs);
		if (s->number.deadlock_free && !proved(s, k, &net->sw, vcs)) {
			if (net_prove(&net->sw, &rt, &proof, &errors)) {
				reject(k, "freedom from deadlock could not be proved");
			} else if (!proof.deadlock_free) {
				net_proof_refuses(&net->sw, &rt, &proof, verdict, sizeof verdict);
				reject(k, "%s", verdict);
			} else {
				k->proved_in = net->sw.plugin;
			}
		}
		rt_proof_free(&proof);
		rt_destroy(&rt);
	}
	base_errors_free(&errors);
}

/* Reads the configuration of one of its runs. */
static void judge_config(struct xp_search_space *s, struct xp_space_candidate *k)
{
	struct xp_compare *c = &s->c;
	struct xp_config config = { 0 };
	struct base_errors errors = { 0 };
	const struct xp_costing *g = &k->design->net->costing;
	struct xp_sim_run *run = xp_sim_run_of_series(c, &k->design->series[0], .5, XP_SHORT);
	if (xp_sim_run_config(c, run, &config, &errors)) {
		char *why = xp_first_error(&errors);
		reject(k, "%s", why);
		free(why);
	} else {
		double port = buffer_of(&config.net.sw), all = port * (double)g->bill.ports;
		if (port >= 0)
			at_most(k, "buffer", port * g->bill.radix, (double)s->number.buffer, "B per switch");
		else if (s->number.buffer || xp_wants(s, XP_GOAL_BUFFERS))
			reject(k, "buffer: this kind of switch does not report its size");
		k->best[XP_GOAL_BUFFERS] = k->worst[XP_GOAL_BUFFERS] = xp_rounded(all / g->topo.endpoints);
		if (!k->rejected)
			prove(s, k, &config.net);
		if (!k->rejected && xp_saturates(s)) {
			struct xp_unit unit = { 0 };
			xp_config_unit(c, &config, &unit);
			for (size_t i = 0; i < c->columns; i++)
				k->design->series[i].depth = unit.depth;
			xp_space_candidate_idle(s, k, &config, &unit);
		}
	}
	base_errors_free(&errors);
	xp_config_free(&config);
}

/* --- all of them ----------------------------------------------------------------------------------------- */

static void make_design(struct xp_search_space *s, struct xp_space_candidate *k)
{
	struct xp_compare *c = &s->c;
	struct xp_design *d = &c->design[c->ndesigns++];
	*d = (struct xp_design){ .net = &c->net[k->net],
		                 .routing = &c->study.routing[k->way],
		                 .congestion = &c->study.congestion[0],
		                 .more = (const char *const *)k->more,
		                 .nmore = k->nmore,
		                 .name = base_strdup(k->name) };
	d->collective = base_calloc(1, sizeof *d->collective);
	xp_design_series(c, d);
	k->design = d;
	judge_config(s, k);
	if (k->rejected)
		d->failed = base_strdup(k->rejected);
}

char *xp_space_base(const struct xp_search_space *s, size_t *bytes, struct base_errors *errors)
{
	const struct xp_ground *g = &s->c.study.ground;
	char *text = NULL;
	const char *why;
	if (g->config) {
		*bytes = strlen(g->config);
		return base_strdup(g->config);
	}
	char *path = xp_ground_base(g, errors);
	if (path && xp_slurp(path, &text, bytes, &why)) {
		base_errorf(errors, NULL, "%s: %s", path, why);
		text = NULL;
	}
	free(path);
	return text;
}

int xp_space_admit(struct xp_search_space *s, struct base_errors *errors)
{
	struct xp_compare *c = &s->c;
	size_t bytes = 0, admitted = 0;
	if (xp_ground_plugins(&c->study.ground, &c->runs.registry, errors))
		return -1;
	char *text = xp_space_base(s, &bytes, errors);
	if (!text)
		return -1;
	for (size_t i = 0; i < s->ncandidates; i++) {
		struct xp_space_candidate *k = &s->candidate[i];
		make_sections(s, k, text, bytes);
		if (k->rejected)
			continue;
		k->net = network_of(&c->study, k, c->study.ground.path);
		k->way = routing_of(&c->study, k, c->study.ground.path);
	}
	free(text);
	c->rejects = true;
	c->without_prices = !xp_wants(s, XP_GOAL_COST) && !(s->number.cost > 0);
	if (xp_compare_open(c, errors))
		return -1;
	c->columns = c->study.ndemands;
	c->design = base_calloc(s->ncandidates + 1, sizeof *c->design);
	c->unit_ns = base_calloc(c->columns, sizeof *c->unit_ns);
	for (size_t i = 0; i < c->columns; i++)
		c->unit_ns[i] = 100;
	for (size_t i = 0; i < s->ncandidates; i++) {
		struct xp_space_candidate *k = &s->candidate[i];
		if (!k->rejected)
			judge_network(s, k);
		if (!k->rejected)
			make_design(s, k);
	}
	struct xp_space_candidate *first = NULL;
	for (size_t i = 0; i < s->ncandidates && !first; i++)
		first = s->candidate[i].rejected ? NULL : &s->candidate[i];
	for (size_t i = 0; first && i < c->columns; i++) {
		struct xp_unit unit;
		xp_sim_run_unit(c, xp_sim_run_of_series(c, &first->design->series[i], .5, XP_SHORT), &unit);
		c->unit_ns[i] = unit.ns;
	}
	for (size_t i = 0; i < c->nsim_runs; i++)
		xp_sim_run_free(c->sim_run[i]);
	c->nsim_runs = 0; /* they were only tried */
	xp_bounds_of_nets(c);
	for (size_t i = 0; i < s->ncandidates; i++) {
		struct xp_space_candidate *k = &s->candidate[i];
		if (k->design && k->design->failed)
			reject(k, "%s", k->design->failed);
		if (!k->rejected)
			xp_space_candidate_value(s, k);
		admitted += !k->rejected;
	}
	if (!admitted)
		base_errorf(errors, NULL, "%s: no candidate is admissible; the first one is rejected because: %s",
		            c->study.ground.path, s->ncandidates ? s->candidate[0].rejected : "there is no candidate");
	return admitted ? 0 : -1;
}

/* experiments/compare/nets.c - the networks of a study: families sized to its basis, topologies as they are given; with
 * what each costs. */
#include "experiments/compare/compare.h"
#include "experiments/config/message.h"
#include "experiments/costing/links.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

char *xp_first_error(const struct base_errors *errors)
{
	for (size_t i = 0; i < errors->n; i++)
		if (!errors->v[i].warning) {
			struct base_buffer text = { 0 };
			const char *key = errors->v[i].key;
			base_buffer_printf(&text, "%s%s%s", *key == '@' ? key + 1 : key, *key ? ": " : "",
			                   errors->v[i].text);
			return text.data;
		}
	return base_strdup("the network cannot be built");
}

/* --- the basis ------------------------------------------------------------------------------------------- */

static int read_budget(struct xp_compare *c, struct base_errors *errors)
{
	const struct xp_study *s = &c->study;
	struct xp_wish *w = &c->wish;
	const char *unit = s->basis == XP_EQUAL_COST ? NULL : "W";
	char place[1100];
	if (!s->budget)
		return 0;
	if (s->basis == XP_EQUAL_COST && !w->base.priced)
		return xp_error_at(errors, s->budget_at,
		                   "budget: needs a cost model, as in cost = { kind = \"sc14-linear\"; }");
	struct base_param row = { .name = place, .type = BASE_MEASURE, .min = 1, .max = 1e15 };
	snprintf(place, sizeof place, "@%s: budget", s->budget_at);
	if (s->basis == XP_EQUAL_PORTS || s->basis == XP_EQUAL_CABLES)
		row.type = BASE_FLOAT;
	else
		row.unit = unit ? unit : topo_currency(&w->base.model);
	return base_param_parse(&row, &w->budget, s->budget, errors);
}

/* What is asked of every family. */
static int make_wish(struct xp_compare *c, struct base_errors *errors)
{
	const struct xp_study *s = &c->study;
	struct xp_wish *w = &c->wish;
	const char *why = NULL;
	uint64_t rate = w->base.config.net.link_terminal.bandwidth;
	w->objective = XP_SIZE_BUDGET;
	w->delivered = true;
	w->endpoints = (uint64_t)s->number.endpoints; /* a floor */
	switch (s->basis) {
	case XP_EQUAL_PORTS:
		w->currency = XP_PORTS;
		break;
	case XP_EQUAL_WATTS:
		w->currency = XP_WATTS;
		w->port_watts = topo_port_watts(rate, &why);
		if (w->port_watts < 0)
			return xp_error_at(errors, s->ground.path,
			                   "equal: watts cannot be compared, because no power per port is published "
			                   "for links of this rate");
		break;
	case XP_EQUAL_CABLES:
		w->currency = XP_CABLES;
		break;
	case XP_EQUAL_ENDPOINTS:
		w->objective = XP_SIZE_CHEAPEST;
		w->delivered = false;
		break;
	case XP_EQUAL_THROUGHPUT:
		w->objective = XP_SIZE_CHEAPEST;
		w->endpoints = (uint64_t)ceil((double)s->number.delivered / (double)rate);
		break;
	case XP_EQUAL_NOTHING:
	case XP_EQUAL_COST:
	case XP_BASES:
		break;
	}
	return read_budget(c, errors);
}

/* --- one network ----------------------------------------------------------------------------------------- */

/* A topology with keys that cannot be read is an error of the study, reported at the line of its candidate. A topology
 * that can be read but not built is a result of the study. */
static void blame_given(const struct xp_net *net, const struct base_errors *found, struct base_errors *errors)
{
	for (size_t i = 0; i < found->n; i++)
		if (!found->v[i].warning)
			xp_error_at(errors, net->candidate->at, "%s%s%s", found->v[i].key ? found->v[i].key : "",
			            found->v[i].key && *found->v[i].key ? ": " : "", found->v[i].text);
}

/* Is a network compared, or chosen, by its price, if there is a cost model? */
static bool decides_by_money(const struct xp_compare *c)
{
	enum xp_basis basis = c->study.basis;
	return !c->without_prices && basis != XP_EQUAL_PORTS && basis != XP_EQUAL_WATTS && basis != XP_EQUAL_CABLES;
}

/* Builds and prices a topology that is written out. */
static void make_given(struct xp_compare *c, struct xp_net *net, struct base_errors *wrong)
{
	struct base_errors errors = { 0 };
	const char **v = base_calloc(c->sets.n + 1, sizeof *v);
	v[0] = net->candidate->topology;
	for (size_t i = 0; i < c->sets.n; i++)
		v[i + 1] = c->sets.v[i];
	struct xp_sets sets = { .v = v, .n = c->sets.n + 1 };
	net->topology = base_strdup(net->candidate->topology);
	if (xp_costing_make(&net->costing, c->wish.source, &sets, XP_LINKS_OF_STUDY, &c->runs.registry, &errors) &&
	    (decides_by_money(c) || !xp_costing_unsold(&net->costing, &errors, net->unsold, sizeof net->unsold)))
		net->failed = xp_first_error(&errors);
	if (net->failed && !net->costing.read && !c->rejects)
		blame_given(net, &errors, wrong);
	net->built = net->costing.built && !net->failed;
	base_errors_free(&errors);
	free(v);
}

/* Bounds by which all parts of a family were left out. */
static void add_cuts(struct base_buffer *text, const struct xp_sized *s)
{
	static const char *const names[XP_CUTS] = { [XP_CUT_RADIX] = "switch ports",
		                                    [XP_CUT_UNIFORM] = "throughput",
		                                    [XP_CUT_ENDPOINTS] = "endpoints",
		                                    [XP_CUT_BUDGET] = "the budget" };
	const char *between = ": parts of the family were excluded by bounds on ";
	for (int i = 0; i < XP_CUT_BETTER; i++)
		if (s->cut[i]) {
			base_buffer_printf(text, "%s%s", between, names[i]);
			between = ", ";
		}
}

static char *not_found(const struct xp_wish *w, const struct xp_sized *s)
{
	char below[32];
	struct base_buffer text = { 0 };
	if (s->why)
		base_buffer_printf(&text, "%s", s->why);
	else if (s->members)
		base_buffer_printf(&text, "none of %llu members is admissible", (unsigned long long)s->members);
	else
		base_buffer_printf(&text, "no member is admissible");
	if (!s->why && !s->members)
		add_cuts(&text, s);
	if (s->has_slow)
		base_buffer_printf(&text, "; of those with too little throughput, the best sustains %s",
		                   xp_size_below(w, s->slow.uniform, below));
	if (s->has_wide)
		base_buffer_printf(&text, "; one would be admissible with switches of %u ports", s->wide.radix);
	if (s->has_dear)
		base_buffer_printf(&text, "; the cheapest with enough throughput costs %s%.0f",
		                   s->dear_bound ? "at least " : "", s->dear_total);
	if (*s->unsold)
		base_buffer_printf(&text, "; %s", s->unsold);
	return text.data;
}

static int make_family(struct xp_compare *c, struct xp_net *net, struct base_errors *errors)
{
	struct base_errors found = { 0 };
	char params[200], topology[320];
	c->wish.radix = (uint32_t)net->candidate->radix;
	c->wish.throughput = net->candidate->throughput;
	c->wish.trunk = (uint32_t)net->candidate->trunk;
	int status = xp_size_check(&c->wish, errors);
	if (status)
		return status;
	if (xp_size_family(&net->sized, net->candidate->family, &c->wish, &found)) {
		net->failed = xp_first_error(&found);
	} else if (!net->sized.found) {
		net->failed = not_found(&c->wish, &net->sized);
	} else {
		topo_member_print(&net->sized.best, params, sizeof params);
		snprintf(topology, sizeof topology, "topology={ kind = \"%s\"; %s; }", net->candidate->family->kind,
		         params);
		net->topology = base_strdup(topology);
		net->costing = net->sized.costing; /* freed here */
		net->sized.found = false;
		net->built = true;
		snprintf(net->unsold, sizeof net->unsold, "%s", net->sized.unsold);
	}
	base_errors_free(&found);
	return 0;
}

/* Of the budget; NAN: there is none. */
static double spent_of(const struct xp_compare *c, const struct xp_net *net)
{
	const struct xp_costing *k = &net->costing;
	double switches = k->bill.switches; /* those that are parts of endpoints are not bought */
	switch (c->study.basis) {
	case XP_EQUAL_COST:
		return k->cost.total;
	case XP_EQUAL_PORTS:
		return switches * (double)net->candidate->radix;
	case XP_EQUAL_WATTS:
		return switches * (double)net->candidate->radix * c->wish.port_watts;
	case XP_EQUAL_CABLES:
		return (double)topo_bill_all_cables(&k->bill);
	case XP_EQUAL_NOTHING:
	case XP_EQUAL_ENDPOINTS:
	case XP_EQUAL_THROUGHPUT:
	case XP_BASES:
		break;
	}
	return NAN;
}

/* Is it known how many ports the switches have that it is built from? */
static bool is_of_switches(const struct xp_net *net)
{
	return net->candidate->radix > 0;
}

double xp_net_ports_used(const struct xp_net *net)
{
	const struct topo_bill *b = &net->costing.bill;
	if (!net->built || !is_of_switches(net))
		return NAN;
	return (double)b->ports / ((double)b->switches * (double)net->candidate->radix);
}

char *xp_net_ports_why(const struct xp_compare *c, const struct xp_net *net)
{
	const struct xp_sized *s = &net->sized;
	char below[32];
	struct base_buffer text = { 0 };
	if (!net->candidate->family)
		base_buffer_printf(&text, "its topology is given explicitly");
	else if (c->wish.currency == XP_MONEY && c->wish.base.priced)
		base_buffer_printf(&text, "its switches need only %u ports, and the budget is the limit",
		                   net->costing.bill.radix);
	else
		base_buffer_printf(&text, "members of the family come in steps");
	if (s->has_wide)
		base_buffer_printf(&text, "; a better member needs switches of %u ports", s->wide.radix);
	if (s->has_slow)
		base_buffer_printf(&text, "; another one sustains uniform traffic of only %s",
		                   xp_size_below(&c->wish, s->slow.uniform, below));
	if (s->has_dear)
		base_buffer_printf(&text, "; another one costs %s%.0f", s->dear_bound ? "at least " : "",
		                   s->dear_total);
	if (net->candidate->family && !s->has_wide && !s->has_slow && !s->has_dear)
		base_buffer_printf(&text, "; no larger member is within the limits");
	return text.data;
}

/* A topology that is given explicitly must satisfy the limits like all others. */
static void check_given(const struct xp_compare *c, struct xp_net *net)
{
	struct base_buffer text = { 0 };
	if (net->candidate->family || !net->built)
		return;
	if (is_of_switches(net) && net->costing.bill.radix > net->candidate->radix)
		base_buffer_printf(&text, "it needs switches of %u ports, but the limit is %lld",
		                   net->costing.bill.radix, (long long)net->candidate->radix);
	else if (isfinite(net->spent) && net->spent > c->wish.budget)
		base_buffer_printf(&text, "it needs %.0f %s, more than the budget of %.0f", net->spent,
		                   c->study.basis == XP_EQUAL_COST ? topo_currency(&c->wish.base.model)
		                                                   : xp_basis_names[c->study.basis],
		                   c->wish.budget);
	else if (c->study.basis != XP_EQUAL_THROUGHPUT && net->costing.topo.endpoints < c->wish.endpoints)
		base_buffer_printf(&text, "it has %u endpoints, fewer than the required %llu",
		                   net->costing.topo.endpoints, (unsigned long long)c->wish.endpoints);
	net->failed = text.data;
}

/* --- all of them ----------------------------------------------------------------------------------------- */

/* A configuration with a single switch, from which rates, layout and cost model of all networks are taken. */
static int make_base(struct xp_compare *c, struct base_errors *errors)
{
	const char **v = base_calloc(c->sets.n + 1, sizeof *v), **at = base_calloc(c->sets.n + 1, sizeof *at);
	v[0] = "topology={ kind = \"single\"; ports = 3; }";
	for (size_t i = 0; i < c->sets.n; i++) {
		v[i + 1] = c->sets.v[i];
		at[i + 1] = c->sets.at[i];
	}
	struct xp_sets sets = { .v = v, .n = c->sets.n + 1, .at = at };
	struct base_errors found = { 0 };
	int status = xp_costing_load(&c->wish.base, c->wish.source, &sets, XP_LINKS_OF_BASE, &c->runs.registry, &found);
	if (status && !found.errors)
		base_errorf(&found, "", "the configuration cannot be built");
	xp_study_blame(c, &c->wish.base.config, &found, errors);
	base_errors_free(&found);
	free(v);
	free(at);
	return status;
}

/* Links must belong to a class of at least one network. If some networks lack a class, each network runs with its own
 * links. */
static int judge_links(struct xp_compare *c, struct base_errors *errors)
{
	struct xp_links_net *all = base_calloc(c->nnets + 1, sizeof *all);
	struct base_errors found = { 0 };
	for (size_t i = 0; i < c->nnets; i++) {
		const struct xp_net *net = &c->net[i];
		const struct topo_family *family = net->candidate->family;
		all[i].costing = net->costing.built ? &net->costing : NULL;
		all[i].kind = family ? base_find(&c->runs.registry, "topology", family->kind)
		                     : net->costing.config.net.topology.plugin;
	}
	int status = xp_links_judge(&c->wish.base.config.net, all, c->nnets, &c->own_links, &found);
	xp_study_blame(c, &c->wish.base.config, &found, errors);
	for (size_t i = 0; i < c->nnets && c->own_links && !status; i++)
		if (c->net[i].costing.built)
			c->net[i].links = xp_links_text(&c->net[i].costing);
	base_errors_free(&found);
	free(all);
	return status;
}

int xp_nets_size(struct xp_compare *c, struct base_errors *errors)
{
	c->wish.registry = &c->runs.registry;
	c->wish.sets = c->sets;
	if (make_base(c, errors) || make_wish(c, errors))
		return -1;
	c->net = base_calloc(c->study.ncandidates + 1, sizeof *c->net);
	for (size_t i = 0; i < c->study.ncandidates; i++) {
		struct xp_net *net = &c->net[c->nnets++];
		*net = (struct xp_net){ .candidate = &c->study.candidate[i], .spent = NAN };
		if (!net->candidate->family)
			make_given(c, net, errors);
		else if (make_family(c, net, errors))
			return -1;
		if (net->built)
			net->spent = spent_of(c, net);
		check_given(c, net);
	}
	return errors->errors ? -1 : judge_links(c, errors);
}

void xp_nets_free(struct xp_compare *c)
{
	for (size_t i = 0; i < c->nnets; i++) {
		struct xp_net *net = &c->net[i];
		if (!net->candidate->family || net->built)
			xp_costing_free(&net->costing);
		xp_sized_free(&net->sized);
		free(net->failed);
		free(net->topology);
		free(net->links);
	}
	free(c->net);
	xp_costing_free(&c->wish.base);
}

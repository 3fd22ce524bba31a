/* experiments/costing/sizing.c - see sizing.h
 *
 * Members come from closed forms, so all are looked at. Where money decides, one is built and priced only if a lower
 * bound of its price (its switches, and every cable at the price of the shortest of either medium) says that it may be
 * better than what is known: in order of the bound for the cheapest, in order of what is wanted for a budget. */
#include "experiments/costing/sizing.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PRICED 300 /* members of a family that are built */

struct candidate {
	struct topo_member member;
	double bound; /* of the price */
	double value; /* what is wanted most of, for a budget */
};

/* Lower bounds of prices, with what a switch of a network costs at least whose smallest and largest have so many
 * ports. */
struct bounds {
	double cable, *sw; /* [narrow (most + 1) + wide] */
	bool *asked;
	size_t most;
};

struct search {
	struct xp_wish *wish;
	struct xp_sized *out;
	struct candidate *all; /* every member, and of those from closed forms some with more ports than there are */
	size_t nall, cap;
	struct candidate *v; /* those that will do */
	size_t n;
	struct bounds bounds;
};

/* Endpoints, or what they deliver together, in what one injects. */
static double value_of(const struct xp_wish *w, const struct topo_member *m)
{
	return (double)m->endpoints * (w->delivered ? fmin(1, m->uniform) : 1);
}

double xp_size_amount(const struct xp_wish *w, const struct topo_member *m)
{
	switch (w->currency) {
	case XP_MONEY:
		break;
	case XP_PORTS:
		return (double)topo_member_switches(m) * w->radix;
	case XP_WATTS:
		return (double)topo_member_switches(m) * w->radix * w->port_watts;
	case XP_CABLES:
		return (double)topo_member_cables(m);
	}
	return 0;
}

/* Without prices: is `a` better than `b`? */
static bool is_better(const struct xp_wish *w, const struct topo_member *a, const struct topo_member *b)
{
	double x = value_of(w, a), y = value_of(w, b);
	if (w->objective != XP_SIZE_CHEAPEST)
		return x < y || y < x ? x > y : topo_member_switches(a) < topo_member_switches(b);
	uint64_t p = topo_member_ports(a), q = topo_member_ports(b);
	return p != q ? p < q : topo_member_cables(a) < topo_member_cables(b);
}

/* --- prices ---------------------------------------------------------------------------------------------- */

/* The i-th rate that a link may have; 0: no more. */
static uint64_t rate_of(const struct xp_wish *w, uint32_t i)
{
	const struct net_config *c = &w->base.config.net;
	return i == 0              ? c->link_default.bandwidth
	       : i == 1            ? c->link_terminal.bandwidth
	       : i - 2 < c->nlinks ? c->links[i - 2].link.bandwidth
	                           : 0;
}

/* The least that a switch of `radix` ports costs; negative: it has no price. */
static double switch_price(const struct xp_wish *w, uint32_t radix)
{
	double least = -1;
	for (uint32_t i = 0; rate_of(w, i); i++) {
		struct topo_switch_price price = { 0 };
		struct base_errors ignored = { 0 };
		if (!topo_model_switch(&w->base.model, radix, rate_of(w, i), &price, &ignored)) {
			double sum = price.fixed + price.ports;
			least = least < 0 || sum < least ? sum : least;
		}
		base_errors_free(&ignored);
	}
	return least;
}

/* The least that one switch can cost of a network whose smallest uses `narrow` ports, and whose largest `wide`;
 * negative: it has no price. */
static double switch_bound(const struct xp_wish *w, uint32_t narrow, uint32_t wide)
{
	bool used = w->base.config.net.cost.choice.radix == TOPO_BUY_USED;
	double a = used ? switch_price(w, narrow) : -1, b = switch_price(w, wide);
	return a < 0 ? b : b < 0 ? a : fmin(a, b);
}

static double cable_bound(const struct xp_wish *w)
{
	double least = INFINITY;
	for (uint32_t i = 0; rate_of(w, i); i++)
		for (int medium = 0; medium < TOPO_MEDIA; medium++) {
			struct topo_cable_price price = { 0 };
			struct base_errors ignored = { 0 };
			uint32_t mm = w->base.layout.inside;
			if (!topo_model_cable(&w->base.model, (enum topo_medium)medium, mm, rate_of(w, i), &price,
			                      &ignored))
				least = fmin(least, price.price);
			base_errors_free(&ignored);
		}
	return isfinite(least) ? least : 0;
}

/* Negative: such a switch has no price. */
static double bound_of(const struct xp_wish *w, struct bounds *b, const struct topo_member *m)
{
	uint32_t wide = m->wide ? m->wide : m->radix, narrow = m->narrow ? m->narrow : (wide + 1) / 2;
	size_t i = (size_t)narrow * (b->most + 1) + wide;
	if (!b->asked[i])
		b->sw[i] = switch_bound(w, narrow, wide);
	b->asked[i] = true;
	if (b->sw[i] < 0)
		return -1;
	return (double)topo_member_switches(m) * b->sw[i] + (double)topo_member_cables(m) * b->cable;
}

static void bound_prices(struct search *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->n; i++) {
		double bound = bound_of(s->wish, &s->bounds, &s->v[i].member);
		if (bound < 0)
			continue;
		s->v[n] = s->v[i];
		s->v[n++].bound = bound;
	}
	s->n = n;
}

static int by_bound(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	return (x->bound > y->bound) - (x->bound < y->bound);
}

static int by_value(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	if (x->value < y->value || y->value < x->value)
		return x->value < y->value ? 1 : -1;
	return by_bound(a, b);
}

/* Builds and prices a member. */
static int make(const struct xp_wish *w, const struct topo_member *m, struct xp_costing *out,
                struct base_errors *errors)
{
	char params[200], topology[300];
	const char **v = base_calloc(w->sets.n + 1, sizeof *v);
	topo_member_print(m, params, sizeof params);
	snprintf(topology, sizeof topology, "topology={ kind = \"%s\"; %s; }", m->family->kind, params);
	v[0] = topology;
	for (size_t i = 0; i < w->sets.n; i++)
		v[i + 1] = w->sets.v[i];
	struct xp_sets sets = { .v = v, .n = w->sets.n + 1 };
	int status = xp_costing_make(out, w->source, &sets, XP_LINKS_OF_STUDY, w->registry, errors);
	free(v);
	return status;
}

static void keep(struct xp_sized *out, const struct candidate *c, struct xp_costing *costing)
{
	if (out->found)
		xp_costing_free(&out->costing);
	out->found = true;
	out->best = c->member;
	out->costing = *costing;
}

static void too_dear(struct xp_sized *out, const struct candidate *c, double total, bool bound)
{
	if (out->has_dear && total >= out->dear_total)
		return;
	out->has_dear = true;
	out->dear = c->member;
	out->dear_total = total;
	out->dear_bound = bound;
}

/* What cannot be priced (a switch or a cable that is not sold) is no member for money. */
static void search_prices(struct search *s)
{
	const struct xp_wish *w = s->wish;
	struct xp_sized *out = s->out;
	bool cheapest = w->objective == XP_SIZE_CHEAPEST;
	double best = cheapest ? INFINITY : w->budget;
	if (s->n)
		qsort(s->v, s->n, sizeof *s->v, cheapest ? by_bound : by_value);
	for (size_t i = 0; i < s->n; i++) {
		struct xp_costing costing;
		struct base_errors errors = { 0 };
		if (s->v[i].bound > best && cheapest)
			return;
		if (s->v[i].bound > best) {
			too_dear(out, &s->v[i], s->v[i].bound, true);
			continue;
		}
		if (out->priced == MOST_PRICED) {
			out->all = false;
			return;
		}
		out->priced++;
		int status = make(w, &s->v[i].member, &costing, &errors);
		if (status && errors.n && !*out->unsold)
			snprintf(out->unsold, sizeof out->unsold, "%s: %s", errors.v[0].key + (*errors.v[0].key == '@'),
			         errors.v[0].text);
		base_errors_free(&errors);
		double total = status ? INFINITY : costing.cost.total;
		if (total <= best && (total < best || !out->found)) {
			keep(out, &s->v[i], &costing);
			best = total;
			if (!cheapest)
				return;
			continue;
		}
		if (!status && !cheapest)
			too_dear(out, &s->v[i], total, false);
		xp_costing_free(&costing);
	}
}

/* --- all members ----------------------------------------------------------------------------------------- */

static void list(void *arg, const struct topo_member *m)
{
	struct search *s = arg;
	if (s->nall == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 256;
		s->all = base_realloc(s->all, s->cap * sizeof *s->all);
	}
	s->all[s->nall++] = (struct candidate){ .member = *m, .value = value_of(s->wish, m) };
}

static bool is_wanted(const struct xp_wish *w, const struct topo_member *m)
{
	return w->objective != XP_SIZE_CHEAPEST || value_of(w, m) >= (double)w->endpoints;
}

/* Within a budget that closed forms can tell. */
static bool is_affordable(const struct xp_wish *w, const struct topo_member *m)
{
	return w->objective != XP_SIZE_BUDGET || w->currency == XP_MONEY || xp_size_amount(w, m) <= w->budget;
}

static bool will_do(const struct xp_wish *w, const struct topo_member *m)
{
	return m->radix <= w->radix && m->uniform >= w->throughput && is_wanted(w, m) && is_affordable(w, m);
}

/* Of a graph that would have to be built: is none of its members better than what was visited, or within the budget? */
static bool is_spare(void *arg, const struct topo_member *least, const struct topo_member *most)
{
	struct search *s = arg;
	const struct xp_wish *w = s->wish;
	if (w->objective == XP_SIZE_BUDGET && w->currency != XP_MONEY)
		return xp_size_amount(w, least) > w->budget;
	if (w->objective == XP_SIZE_BUDGET && w->base.priced)
		return !(bound_of(w, &s->bounds, least) <= w->budget);
	if (w->objective == XP_SIZE_CHEAPEST && w->base.priced)
		return false;
	for (size_t i = 0; i < s->nall; i++) {
		const struct topo_member *m = &s->all[i].member;
		if (will_do(w, m) &&
		    (w->objective == XP_SIZE_LARGEST ? m->endpoints > most->endpoints
		                                     : topo_member_ports(m) < topo_member_ports(least)))
			return true;
	}
	return false;
}

/* Those that will do to v[]; returns the best of them without prices, NULL if there is none. */
static const struct topo_member *choose(struct search *s)
{
	const struct topo_member *best = NULL;
	s->v = base_calloc(s->nall + 1, sizeof *s->v);
	for (size_t i = 0; i < s->nall; i++) {
		const struct topo_member *m = &s->all[i].member;
		s->out->members += m->radix <= s->wish->radix;
		if (!will_do(s->wish, m))
			continue;
		s->v[s->n++] = s->all[i];
		best = !best || is_better(s->wish, m, best) ? m : best;
	}
	return best;
}

/* A rejected member that the objective would prefer to what was found. */
static void reject(struct search *s, const struct topo_member *m)
{
	const struct xp_wish *w = s->wish;
	struct xp_sized *out = s->out;
	bool fits = m->radix <= w->radix, fast = m->uniform >= w->throughput;
	if (fits == fast || !is_wanted(w, m) || (out->found && !is_better(w, m, &out->best)))
		return;
	if (!is_affordable(w, m))
		return;
	if (w->objective == XP_SIZE_BUDGET && w->currency == XP_MONEY && !(bound_of(w, &s->bounds, m) <= w->budget))
		return;
	if (fits && (!out->has_slow || m->uniform > out->slow.uniform ||
	             (m->uniform >= out->slow.uniform && is_better(w, m, &out->slow)))) {
		out->has_slow = true;
		out->slow = *m;
	}
	if (fast && (!out->has_wide || m->radix < out->wide.radix ||
	             (m->radix == out->wide.radix && is_better(w, m, &out->wide)))) {
		out->has_wide = true;
		out->wide = *m;
	}
}

int xp_size_check(const struct xp_wish *w, struct base_errors *errors)
{
	bool sold = false;
	for (uint32_t radix = 3; radix <= w->radix && w->base.priced && !sold; radix++)
		sold = switch_price(w, radix) >= 0;
	errors->scope = "cost";
	int status = 0;
	if (w->base.priced && !sold)
		status = topo_model_switch(&w->base.model, w->radix, rate_of(w, 0), &(struct topo_switch_price){ 0 },
		                           errors);
	errors->scope = NULL;
	if (w->base.priced)
		cable_bound(w); /* for what the model says of cables */
	const char *refuted = w->base.priced ? base_refuted(w->base.model.plugin) : NULL;
	if (refuted)
		status = base_errorf(errors, "cost.kind", "%s", refuted);
	return status;
}

int xp_size_family(struct xp_sized *out, const struct topo_family *family, struct xp_wish *w,
                   struct base_errors *errors)
{
	*out = (struct xp_sized){ .family = family, .all = true };
	struct search s = { .wish = w, .out = out };
	int status = 0;
	uint32_t margin = family->by_search ? 0 : w->radix / 4 + 4; /* to name what has too many ports */
	size_t most = w->radix + margin;
	if (w->base.priced)
		s.bounds = (struct bounds){ cable_bound(w), base_calloc((most + 1) * (most + 1), sizeof(double)),
			                    base_calloc((most + 1) * (most + 1), sizeof(bool)), most };
	out->why = family->each(family,
	                        &(struct topo_sizing){ .radix = w->radix + margin,
	                                               .endpoints = w->objective == XP_SIZE_CHEAPEST ? w->endpoints : 0,
	                                               .uniform = w->throughput,
	                                               .spare = is_spare,
	                                               .visit = list,
	                                               .arg = &s });
	const struct topo_member *best = choose(&s);
	bool by_money = w->objective != XP_SIZE_LARGEST && w->currency == XP_MONEY;
	if (best && w->base.priced && by_money) {
		bound_prices(&s);
		search_prices(&s);
	} else if (best) {
		out->best = *best;
		status = make(w, best, &out->costing, errors);
		out->found = true;
	}
	for (size_t i = 0; i < s.nall; i++)
		reject(&s, &s.all[i].member);
	free(s.bounds.sw);
	free(s.bounds.asked);
	free(s.all);
	free(s.v);
	return status;
}

void xp_sized_free(struct xp_sized *s)
{
	if (s->found)
		xp_costing_free(&s->costing);
}

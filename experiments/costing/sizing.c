/* experiments/costing/sizing.c - see sizing.h
 *
 * Members are described by closed forms, and a family is searched by branch and bound: before a part of the family is
 * examined, the family supplies bounds that hold for the whole part (topo/sizing.h), and the part is excluded if these
 * are not sufficient. So the result is the best of all members, and the list of excluded parts with reasons is the
 * proof. If cost is the criterion, price.c continues. */
#include "experiments/costing/search.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double xp_size_value(const struct xp_wish *w, const struct topo_member *m)
{
	return (double)m->endpoints * (w->delivered ? fmin(1, m->uniform) : 1);
}

static double value_of_box(const struct xp_wish *w, const struct topo_box *b)
{
	return (double)b->endpoints * (w->delivered ? fmin(1, b->uniform) : 1);
}

/* Is what w->endpoints limits from below what is delivered, or endpoints? */
static double value_for_floor(const struct xp_wish *w, double value, uint64_t endpoints)
{
	return w->objective == XP_SIZE_CHEAPEST ? value : (double)endpoints;
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

const char *xp_size_below(const struct xp_wish *w, double uniform, char text[32])
{
	for (int digits = 4; digits < 16; digits++) {
		snprintf(text, 32, "%.*f", digits, uniform);
		if (strtod(text, NULL) < w->throughput)
			break;
	}
	return text;
}

double xp_percent_down(double share)
{
	return floor(100 * share + 1e-9);
}

double xp_size_ports_used(const struct topo_member *m, uint32_t radix)
{
	return (double)topo_member_ports(m) / ((double)topo_member_switches(m) * radix);
}

/* Of what must be bought for a part of a family, as if switches were not parts of endpoints. */
static double amount_of_box(const struct xp_wish *w, const struct topo_box *b)
{
	return xp_size_amount(
	    w, &(struct topo_member){ .switches = b->switches, .cables = b->cables, .endpoints = b->least });
}

/* --- which is better ------------------------------------------------------------------------------------- */

/* Less is better, in this order. */
struct rank {
	double v[3];
};

static struct rank rank_of(const struct xp_wish *w, double value, uint64_t switches, uint64_t ports, uint64_t cables)
{
	if (w->objective != XP_SIZE_CHEAPEST)
		return (struct rank){ { -value, (double)switches, (double)ports } };
	return (struct rank){ { (double)ports, (double)cables, (double)switches } };
}

static struct rank rank_of_member(const struct xp_wish *w, const struct topo_member *m)
{
	return rank_of(w, xp_size_value(w, m), topo_member_switches(m), topo_member_ports(m), topo_member_cables(m));
}

static int compare(const struct rank *a, const struct rank *b)
{
	for (int i = 0; i < 3; i++)
		if (a->v[i] < b->v[i] || b->v[i] < a->v[i])
			return a->v[i] < b->v[i] ? -1 : 1;
	return 0;
}

bool xp_size_is_better(const struct xp_wish *w, const struct topo_member *a, const struct topo_member *b)
{
	struct rank x = rank_of_member(w, a), y = rank_of_member(w, b);
	int order = compare(&x, &y);
	for (int i = 0; i < TOPO_SIZES && !order; i++)
		order = (a->v[i] > b->v[i]) - (a->v[i] < b->v[i]);
	return order < 0;
}

/* Bounds of all three at once are a bound of their order. */
bool xp_size_cannot_beat(const struct xp_search *s, const struct topo_box *b, const struct topo_member *best)
{
	const struct xp_wish *w = s->wish;
	uint64_t least = b->least > w->endpoints ? b->least : w->endpoints;
	struct rank x = rank_of(w, value_of_box(w, b), b->switches, 2 * b->cables + least, b->cables + least),
		    y = rank_of_member(w, best);
	return compare(&x, &y) > 0;
}

bool xp_size_is_affordable(struct xp_search *s, const struct topo_member *m)
{
	const struct xp_wish *w = s->wish;
	if (w->objective != XP_SIZE_BUDGET)
		return true;
	if (w->currency != XP_MONEY)
		return xp_size_amount(w, m) <= w->budget;
	double bound = xp_price_bound(w, &s->bounds, m);
	return bound >= 0 && bound <= w->budget;
}

bool xp_size_box_is_affordable(const struct xp_search *s, const struct topo_box *b)
{
	const struct xp_wish *w = s->wish;
	if (w->objective != XP_SIZE_BUDGET)
		return true;
	return (w->currency != XP_MONEY ? amount_of_box(w, b) : xp_price_bound_of_box(&s->bounds, b)) <= w->budget;
}

/* --- branch and bound ------------------------------------------------------------------------------------ */

/* With prices what was found is one that was priced, or else nothing. */
static bool is_no_better(const struct xp_search *s, const struct topo_box *b)
{
	const struct xp_wish *w = s->wish;
	if (!s->by_money)
		return s->out->found && xp_size_cannot_beat(s, b, &s->out->best);
	if (w->objective == XP_SIZE_CHEAPEST)
		return xp_price_bound_of_box(&s->bounds, b) > s->limit;
	return s->out->found && value_of_box(w, b) < xp_size_value(w, &s->out->best);
}

static bool cut(void *arg, const struct topo_box *b)
{
	struct xp_search *s = arg;
	const struct xp_wish *w = s->wish;
	enum xp_cut why = b->radix > w->radix          ? XP_CUT_RADIX
	                  : b->uniform < w->throughput ? XP_CUT_UNIFORM
	                  : value_for_floor(w, value_of_box(w, b), b->endpoints) < (double)w->endpoints
	                      ? XP_CUT_ENDPOINTS
	                  : !xp_size_box_is_affordable(s, b) ? XP_CUT_BUDGET
	                  : is_no_better(s, b)               ? XP_CUT_BETTER
	                                                     : XP_CUTS;
	if (why != XP_CUTS)
		s->out->cut[why]++;
	return why != XP_CUTS;
}

static void keep_member(struct xp_search *s, const struct topo_member *m)
{
	if (s->nkept == s->kept_cap) {
		s->kept_cap = s->kept_cap ? 2 * s->kept_cap : 256;
		s->kept = base_realloc(s->kept, s->kept_cap * sizeof *s->kept);
	}
	s->kept[s->nkept++] = (struct xp_sized_candidate){ .member = *m };
}

static void take_topology(struct xp_search *s, const struct topo_member *m)
{
	struct xp_sized *out = s->out;
	const struct xp_wish *w = s->wish;
	enum xp_cut why = m->radix > w->radix          ? XP_CUT_RADIX
	                  : m->uniform < w->throughput ? XP_CUT_UNIFORM
	                  : value_for_floor(w, xp_size_value(w, m), m->endpoints) < (double)w->endpoints
	                      ? XP_CUT_ENDPOINTS
	                  : !xp_size_is_affordable(s, m) ? XP_CUT_BUDGET
	                                                 : XP_CUTS;
	out->members += m->radix <= w->radix;
	if (why == XP_CUTS && s->by_money) {
		double bound = xp_price_bound(w, &s->bounds, m);
		if (bound >= 0)
			xp_price_add(s, m, bound);
	} else if (why == XP_CUTS && (!out->found || xp_size_is_better(w, m, &out->best))) {
		out->refused[XP_CUT_BETTER] += out->found;
		out->found = true;
		out->best = *m;
	} else {
		out->refused[why == XP_CUTS ? XP_CUT_BETTER : why]++;
	}
}

static void visit(void *arg, const struct topo_member *m)
{
	struct xp_search *s = arg;
	if (m->family->by_search)
		keep_member(s, m);
	take_topology(s, m);
}

const char *xp_size_each(struct xp_search *s, const struct topo_sizing *sizing)
{
	const struct topo_family *f = s->out->family;
	if (!s->nkept)
		return f->each(f, sizing);
	for (size_t i = 0; i < s->nkept; i++)
		sizing->visit(sizing->arg, &s->kept[i].member);
	return NULL;
}

int xp_size_check(const struct xp_wish *w, struct base_errors *errors)
{
	bool sold = false;
	for (uint32_t radix = 3; radix <= w->radix && w->base.priced && !sold; radix++)
		sold = xp_price_of_switch(w, radix) >= 0;
	errors->scope = "cost";
	int status = 0;
	if (w->base.priced && !sold)
		status = topo_model_switch(&w->base.model, w->radix, w->base.config.net.link_default.bandwidth,
		                           &(struct topo_switch_price){ 0 }, errors);
	errors->scope = NULL;
	if (w->base.priced)
		xp_price_of_cable(w); /* for what the model says of cables */
	const char *refuted = w->base.priced ? base_refuted(w->base.model.plugin) : NULL;
	if (refuted)
		status = base_errorf(errors, "cost.kind", "%s", refuted);
	return status;
}

int xp_size_family(struct xp_sized *out, const struct topo_family *family, struct xp_wish *w,
                   struct base_errors *errors)
{
	*out = (struct xp_sized){ .family = family, .all = true };
	struct xp_search s = { .wish = w,
		               .out = out,
		               .by_money = w->objective != XP_SIZE_LARGEST && w->currency == XP_MONEY && w->base.priced,
		               .limit = w->objective == XP_SIZE_CHEAPEST ? INFINITY : w->budget,
		               .ratio = 1 };
	int status = 0;
	if (w->base.priced)
		xp_price_bounds_make(&s.bounds, w, (size_t)w->radix + w->radix / 4 + 4);
	out->why = xp_size_each(&s, &(struct topo_sizing){ .radix = w->radix,
	                                                   .trunk = w->trunk,
	                                                   .endpoints = w->endpoints,
	                                                   .uniform = w->throughput,
	                                                   .cut = cut,
	                                                   .visit = visit,
	                                                   .arg = &s });
	if (s.by_money)
		xp_price_all(&s);
	else if (out->found && xp_price_make(w, &out->best, &out->costing, errors))
		status = xp_costing_unsold(&out->costing, errors, out->unsold, sizeof out->unsold) ? 0 : -1;
	xp_size_reject(&s);
	xp_price_bounds_free(&s.bounds);
	free(s.kept);
	free(s.v);
	return status;
}

void xp_sized_free(struct xp_sized *s)
{
	if (s->found)
		xp_costing_free(&s->costing);
}

/* experiments/costing/price.c - prices of members of a family when cost is the criterion.
 *
 * A lower bound of a member's price is the price of its switches plus that of all cables at the minimum length in the
 * cheaper medium. A member is built and priced only if its bound may be better than the best price so far. Members are
 * tried in the order of expected prices, which are estimated by the ratio of price to bound of the last one. */
#include "experiments/costing/search.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_WORK UINT64_C(6000000) /* cables and endpoints of a family's members that are laid out: some seconds */
#define FIRST_FULL 4096u            /* candidates that wait before some are priced */

/* --- bounds ---------------------------------------------------------------------------------------------- */

/* The i-th rate that a link may have; 0: no more. */
static uint64_t rate_of(const struct xp_wish *w, uint32_t i)
{
	const struct net_config *c = &w->base.config.net;
	return i == 0              ? c->link_default.bandwidth
	       : i == 1            ? c->link_terminal.bandwidth
	       : i - 2 < c->nlinks ? c->links[i - 2].link.bandwidth
	                           : 0;
}

double xp_price_of_switch(const struct xp_wish *w, uint32_t radix)
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

/* The minimum cost of a switch of a network whose smallest switch uses `narrow` ports and whose largest uses `wide`;
 * negative: there is no price. */
static double switch_bound(const struct xp_wish *w, uint32_t narrow, uint32_t wide)
{
	bool used = w->base.config.net.cost.choice.radix == TOPO_BUY_USED;
	double a = used ? xp_price_of_switch(w, narrow) : -1, b = xp_price_of_switch(w, wide);
	return a < 0 ? b : b < 0 ? a : fmin(a, b);
}

double xp_price_of_cable(const struct xp_wish *w)
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

void xp_price_bounds_make(struct xp_price_bounds *b, const struct xp_wish *w, size_t most)
{
	*b = (struct xp_price_bounds){ .cable = xp_price_of_cable(w),
		                       .sw = base_calloc((most + 1) * (most + 1), sizeof *b->sw),
		                       .asked = base_calloc((most + 1) * (most + 1), sizeof *b->asked),
		                       .from = base_calloc(most + 2, sizeof *b->from),
		                       .most = most };
	b->from[most + 1] = INFINITY;
	for (size_t radix = most; radix > 0; radix--) {
		double price = xp_price_of_switch(w, (uint32_t)radix);
		b->from[radix] = price >= 0 ? fmin(price, b->from[radix + 1]) : b->from[radix + 1];
	}
	b->from[0] = b->from[1];
}

void xp_price_bounds_free(struct xp_price_bounds *b)
{
	free(b->sw);
	free(b->asked);
	free(b->from);
}

double xp_price_bound(const struct xp_wish *w, struct xp_price_bounds *b, const struct topo_member *m)
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

double xp_price_bound_of_box(const struct xp_price_bounds *b, const struct topo_box *box)
{
	return (double)box->switches * b->from[box->narrow < b->most ? box->narrow : b->most] +
	       (double)(box->cables + box->least) * b->cable;
}

/* --- prices ---------------------------------------------------------------------------------------------- */

int xp_price_make(const struct xp_wish *w, const struct topo_member *m, struct xp_costing *out,
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

static bool is_cheapest(const struct xp_search *s)
{
	return s->wish->objective == XP_SIZE_CHEAPEST;
}

static void too_dear(struct xp_sized *out, const struct xp_sized_candidate *c, double total)
{
	if (out->has_dear && total >= out->dear_total)
		return;
	out->has_dear = true;
	out->dear = c->member;
	out->dear_total = total;
	out->dear_bound = false;
}

/* What cannot be priced (a switch or a cable that is not sold) is no member for money. */
static void price(struct xp_search *s, const struct xp_sized_candidate *c)
{
	struct xp_sized *out = s->out;
	struct xp_costing costing;
	struct base_errors errors = { 0 };
	out->priced++;
	s->work += c->member.cables + c->member.endpoints;
	int status = xp_price_make(s->wish, &c->member, &costing, &errors);
	if (status && !*out->unsold)
		xp_costing_unsold(&costing, &errors, out->unsold, sizeof out->unsold);
	base_errors_free(&errors);
	double total = status ? INFINITY : costing.cost.total;
	if (!status)
		s->ratio = c->bound > 0 ? total / c->bound : 1;
	bool better = !status && total <= s->limit && (!is_cheapest(s) || total < s->limit || !out->found);
	if (!better) {
		if (!status && !is_cheapest(s))
			too_dear(out, c, total);
		xp_costing_free(&costing);
		return;
	}
	if (out->found)
		xp_costing_free(&out->costing);
	out->found = true;
	out->best = c->member;
	out->costing = costing;
	if (is_cheapest(s))
		s->limit = total;
}

/* May it be better than what was found? */
static bool may_be_better(const struct xp_search *s, const struct xp_sized_candidate *c)
{
	const struct xp_sized *out = s->out;
	return c->bound <= s->limit && (is_cheapest(s) || !out->found || c->value > xp_size_value(s->wish, &out->best));
}

static int by_numbers(const struct topo_member *a, const struct topo_member *b)
{
	for (int i = 0; i < TOPO_SIZES; i++)
		if (a->v[i] != b->v[i])
			return a->v[i] < b->v[i] ? -1 : 1;
	return 0;
}

/* The least bound first. */
static int by_bound(const void *a, const void *b)
{
	const struct xp_sized_candidate *x = a, *y = b;
	int order = (x->bound > y->bound) - (x->bound < y->bound);
	return order ? order : by_numbers(&x->member, &y->member);
}

/* The most that is wanted first. */
static int by_value(const void *a, const void *b)
{
	const struct xp_sized_candidate *x = a, *y = b;
	int order = (x->value < y->value) - (x->value > y->value);
	return order ? order : by_bound(a, b);
}

static void thin_out(struct xp_search *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->n; i++)
		if (may_be_better(s, &s->v[i]))
			s->v[n++] = s->v[i];
	s->n = n;
}

/* Takes the next candidate for pricing from the sorted list; returns false if none is left. With a budget: the best of
 * those expected to be within it, otherwise the nearest one. */
static bool next_candidate(struct xp_search *s, struct xp_sized_candidate *out)
{
	size_t best = s->n;
	for (size_t i = 0; i < s->n && best == s->n; i++)
		if (is_cheapest(s) || s->v[i].bound * s->ratio <= s->limit)
			best = i;
	for (size_t i = 0; i < s->n && (best == s->n || is_cheapest(s)); i++)
		if (best == s->n || s->v[i].bound < s->v[best].bound)
			best = i;
	if (best == s->n)
		return false;
	*out = s->v[best];
	memmove(&s->v[best], &s->v[best + 1], (--s->n - best) * sizeof *s->v);
	return true;
}

/* Prices up to so many of those that may be better. */
static void price_some(struct xp_search *s, size_t most)
{
	struct xp_sized_candidate c;
	if (s->n)
		qsort(s->v, s->n, sizeof *s->v, is_cheapest(s) ? by_bound : by_value);
	for (size_t i = 0; i < most && s->work < MOST_WORK && next_candidate(s, &c); i++)
		if (may_be_better(s, &c)) {
			price(s, &c);
			thin_out(s);
		}
}

/* A network with the same switches and number of endpoints but more cables cannot be cheaper: no quantity is smaller,
 * and those of switches and endpoints are equal. */
static bool is_dominated(const struct xp_search *s, const struct topo_member *m, double value)
{
	const struct xp_sized_candidate *last = s->n ? &s->v[s->n - 1] : NULL;
	if (!last || m->family->by_search || last->member.switches != m->switches ||
	    last->member.endpoints != m->endpoints || last->member.cables > m->cables || !(last->value >= value))
		return false;
	for (int i = 0; i < TOPO_SIZES; i++)
		if (last->member.v[i] > m->v[i])
			return false;
	return true;
}

void xp_price_add(struct xp_search *s, const struct topo_member *m, double bound)
{
	struct xp_sized_candidate c = { .member = *m, .bound = bound, .value = xp_size_value(s->wish, m) };
	s->full = s->full ? s->full : FIRST_FULL;
	if (!may_be_better(s, &c) || is_dominated(s, m, c.value)) {
		s->out->refused[XP_CUT_BETTER]++;
		return;
	}
	if (s->n == s->full) {
		price_some(s, 4);
		s->full = s->n > s->full / 2 ? 2 * s->full : s->full;
	}
	if (s->n >= s->cap) {
		s->cap = s->cap ? 2 * s->cap : 256;
		s->v = base_realloc(s->v, s->cap * sizeof *s->v);
	}
	s->v[s->n++] = c;
}

void xp_price_all(struct xp_search *s)
{
	thin_out(s);
	price_some(s, SIZE_MAX);
	thin_out(s);
	s->out->unpriced = s->n;
	s->out->all = s->n == 0;
}

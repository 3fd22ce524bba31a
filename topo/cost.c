/* topo/cost.c - see cost.h */
#include "topo/cost.h"

#include <math.h>

static const struct topo_cost_ops *ops_of(const struct topo_model *m)
{
	return m->plugin->ops;
}

const char *topo_currency(const struct topo_model *m)
{
	const struct topo_cost_ops *ops = ops_of(m);
	return ops->currency ? ops->currency : m->prices ? m->prices->currency : "USD";
}

/* --- checks of a model's answers ------------------------------------------------------------------------- */

static bool is_amount(double x)
{
	return x >= 0 && x < 1e30;
}

static bool are_watts(double idle, double loaded)
{
	return !isnan(idle) && !isnan(loaded) && idle < 1e12 && loaded < 1e12 &&
	       (idle < 0 || loaded < 0 || loaded >= idle);
}

/* Impossible answers of a model are reported once, at the end. */
static int bad_answer(const struct topo_model *m, const char *function, const char *what, double a, double b)
{
	base_refute(m->plugin, "%s returns impossible %s: %g and %g", function, what, a, b);
	return -1;
}

/* The status of a function as 0 or -1; a failure must have a reason. */
static int answered(const struct topo_model *m, const char *function, int status, size_t before,
                    const struct base_errors *errors)
{
	if (status && errors->errors == before)
		base_refute(m->plugin, "%s returned %d, a failure, without a reason", function, status);
	return status || errors->errors > before ? -1 : 0;
}

int topo_model_switch(const struct topo_model *m, uint32_t ports, uint64_t rate, struct topo_switch_price *out,
                      struct base_errors *errors)
{
	size_t before = errors->errors;
	*out = (struct topo_switch_price){ .idle = -1, .loaded = -1 };
	if (answered(m, "price_switch()", ops_of(m)->price_switch(m, ports, rate, out, errors), before, errors))
		return -1;
	if (!is_amount(out->fixed + out->ports) || !is_amount(fabs(out->fixed)) || !is_amount(fabs(out->ports)))
		return bad_answer(m, "price_switch()", "prices", out->fixed, out->ports);
	if (!are_watts(out->idle, out->loaded))
		return bad_answer(m, "price_switch()", "watts", out->idle, out->loaded);
	return 0;
}

int topo_model_cable(const struct topo_model *m, enum topo_medium medium, uint32_t mm, uint64_t rate,
                     struct topo_cable_price *out, struct base_errors *errors)
{
	size_t before = errors->errors;
	*out = (struct topo_cable_price){ .idle = -1, .loaded = -1 };
	int status = ops_of(m)->price_cable(m, medium, mm, rate, out, errors);
	if (answered(m, "price_cable()", status, before, errors))
		return -1;
	if (!is_amount(out->price)) {
		base_refute(m->plugin, "price_cable() returns an impossible price, %g", out->price);
		return -1;
	}
	if (!are_watts(out->idle, out->loaded))
		return bad_answer(m, "price_cable()", "watts", out->idle, out->loaded);
	return 0;
}

/* --- sums ------------------------------------------------------------------------------------------------ */

/* A sum with unknown watts is unknown. */
static void add_watts(double *sum, double n, double watts)
{
	*sum = *sum < 0 || watts < 0 ? -1 : *sum + n * watts;
}

static int add_switches(struct topo_cost *c, const struct topo_model *m, const struct topo_bill *b, int radix,
                        struct base_errors *errors)
{
	int status = 0;
	for (size_t i = 0; i < b->nsw; i++) {
		const struct topo_bill_switches *s = &b->sw[i];
		struct topo_switch_price price;
		uint32_t ports = radix == TOPO_BUY_LARGEST ? b->radix : s->network + s->terminals;
		if (topo_model_switch(m, ports, s->rate, &price, errors)) {
			status = -1;
			continue;
		}
		double n = (double)s->n;
		c->switches += n * price.fixed;
		c->ports += n * price.ports;
		add_watts(&c->idle, n, price.idle);
		add_watts(&c->loaded, n, price.loaded);
	}
	return status;
}

/* The price of the cables of a line of the bill. If `cheaper`, the cheaper medium that has a price is chosen and
 * becomes the line's medium; otherwise the price is that of the line's own medium. */
static int choose_cable(const struct topo_model *m, struct topo_bill_cables *line, bool cheaper,
                        struct topo_cable_price *price, struct base_errors *errors)
{
	struct base_errors ignored = { 0 };
	struct topo_cable_price other;
	enum topo_medium medium = line->medium == TOPO_COPPER ? TOPO_OPTICAL : TOPO_COPPER;
	bool can = cheaper && !topo_model_cable(m, medium, line->mm, line->rate, &other, &ignored);
	bool has = can && !topo_model_cable(m, line->medium, line->mm, line->rate, price, &ignored);
	base_errors_free(&ignored);
	if (!can)
		return topo_model_cable(m, line->medium, line->mm, line->rate, price, errors);
	if (!has || other.price < price->price) {
		line->medium = medium;
		*price = other;
	}
	return 0;
}

/* Longest first: if one length is unavailable, errors about shorter cables of the kind add nothing. */
static int add_cables(struct topo_cost *c, const struct topo_model *m, struct topo_bill *b, bool cheaper,
                      struct base_errors *errors)
{
	int status = 0;
	const struct topo_bill_cables *refused = NULL;
	for (size_t i = b->ncable; i-- > 0;) {
		struct topo_bill_cables *line = &b->cable[i];
		struct topo_cable_price price;
		if (refused && refused->medium == line->medium && refused->rate == line->rate)
			continue;
		if (choose_cable(m, line, cheaper, &price, errors)) {
			refused = line;
			status = -1;
			continue;
		}
		double *sum = line->link_class == TOPO_TERMINAL ? c->terminals : c->cables;
		sum[line->medium] += (double)line->n * price.price;
		if (price.idle >= 0) /* a cable without power figures has none of its own */
			add_watts(&c->idle, (double)line->n, price.idle);
		if (price.loaded >= 0)
			add_watts(&c->loaded, (double)line->n, price.loaded);
	}
	return status;
}

#define HOURS_A_YEAR (365.25 * 24)

static int add_energy(struct topo_cost *c, const struct topo_model *m, struct base_errors *errors)
{
	const struct topo_cost_ops *ops = ops_of(m);
	struct topo_energy e = ops->energy ? ops->energy(m) : (struct topo_energy){ .cooling = 1, .load = 1 };
	if (!is_amount(e.price) || !is_amount(e.years) || !(e.cooling >= 1 && e.cooling < 1e3) ||
	    !(e.load >= 0 && e.load <= 1))
		return base_errorf(errors, NULL,
		                   "cost \"%s\": energy() returns a price of %g, a cooling factor of %g, %g years and "
		                   "a load of %g; price and years must not be negative, the cooling factor must be at "
		                   "least 1 and below 1000, and the load must be from 0 to 1",
		                   m->plugin->name, e.price, e.cooling, e.years, e.load);
	c->cooling = e.cooling;
	c->years = e.years;
	c->share = e.load;
	if (e.price <= 0 || e.years <= 0)
		return 0;
	if (c->idle < 0 || c->loaded < 0)
		return base_errorf(errors, NULL,
		                   "cost \"%s\": a price of energy is set, but the model has no power figures for some "
		                   "of the switches",
		                   m->plugin->name);
	double watts = c->idle + (c->loaded - c->idle) * e.load;
	c->energy = watts * 1e-3 * e.cooling * e.years * HOURS_A_YEAR * e.price;
	return 0;
}

int topo_cost_check(const struct topo_model *m, struct base_errors *errors)
{
	const struct topo_cost_ops *ops = ops_of(m);
	int status = ops->price_switch ? 0 : base_missing(m->plugin, "price_switch", errors);
	return ops->price_cable ? status : base_missing(m->plugin, "price_cable", errors);
}

int topo_cost_make(struct topo_cost *c, const struct topo_model *m, struct topo_bill *b,
                   const struct topo_cost_choice *choice, struct base_errors *errors)
{
	*c = (struct topo_cost){ 0 };
	if (topo_cost_check(m, errors))
		return -1;
	int status = add_switches(c, m, b, choice->radix, errors);
	status |= add_cables(c, m, b, choice->media, errors);
	if (base_report_refuted(m->plugin, "kind", errors) || status || add_energy(c, m, errors))
		return -1;
	topo_bill_sum(b);
	c->total = c->switches + c->ports + c->energy;
	for (int i = 0; i < TOPO_MEDIA; i++)
		c->total += c->cables[i] + c->terminals[i];
	return 0;
}

/* --- break-even factors ---------------------------------------------------------------------------------- */

/* The factor f > 0 on a part of the cost at which a and b cost the same: total + (f - 1) part is equal. 0: none. */
static double tie(double total_a, double part_a, double total_b, double part_b)
{
	double more = part_a - part_b, f = 1 + (total_b - total_a) / more;
	return more != 0 && f > 0 && isfinite(f) ? f : 0;
}

struct topo_tie topo_tie_of(const double *total, const double *part, int n, bool first)
{
	struct topo_tie t = { 0 };
	int best = 0;
	for (int i = 1; i < n; i++)
		best = total[i] < total[best] ? i : best;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			bool ordered = total[i] < total[j] || (!(total[j] < total[i]) && i < j);
			double f = ordered && (!first || i == best) ? tie(total[i], part[i], total[j], part[j]) : 0;
			if (f >= 1 && (t.above == 0 || f < t.above))
				t = (struct topo_tie){ t.below, f, t.below_a, t.below_b, i, j };
			else if (f > 0 && f < 1 && f > t.below)
				t = (struct topo_tie){ f, t.above, i, j, t.above_a, t.above_b };
		}
	return t;
}

/* --- no prices ------------------------------------------------------------------------------------------- */

const struct base_plugin topo_cost_none = {
	.kind = "cost",
	.name = "none",
	.summary = "no prices: prints only figures that need none",
	.ops = &(const struct topo_cost_ops){ .currency = "" },
};

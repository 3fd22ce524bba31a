/* experiments/compare/rank.c - scores of designs, and the ranks that follow from them. */
#include "experiments/compare/compare.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <xxhash.h>

double xp_delivered_gbps(const struct xp_series *s, double share)
{
	const struct xp_costing *k = &s->design->net->costing;
	double senders = s->senders ? (double)s->senders : (double)k->topo.endpoints;
	return share * senders * k->gbps;
}

double xp_units(const struct xp_net *net)
{
	if (isfinite(net->spent))
		return net->spent;
	return net->costing.priced ? net->costing.cost.total : (double)net->costing.bill.ports;
}

const char *xp_worth_unit(const struct xp_compare *c)
{
	switch (c->study.basis) {
	case XP_EQUAL_PORTS:
		return "switch port";
	case XP_EQUAL_WATTS:
		return "W";
	case XP_EQUAL_CABLES:
		return "cable";
	case XP_EQUAL_NOTHING:
	case XP_EQUAL_COST:
	case XP_EQUAL_ENDPOINTS:
	case XP_EQUAL_THROUGHPUT:
	case XP_BASES:
		break;
	}
	return c->wish.base.priced ? topo_currency(&c->wish.base.model) : "port used";
}

double xp_worth(const struct xp_series *s, double share)
{
	return xp_delivered_gbps(s, share) / xp_units(s->design->net);
}

static bool has_place(const struct xp_series *s)
{
	return !s->design->failed && !s->impossible && s->stage != XP_BROKEN_OFF;
}

void xp_rank(struct xp_compare *c)
{
	for (size_t k = 0; k < c->columns; k++)
		for (size_t i = 0; i < c->ndesigns; i++) {
			struct xp_series *s = &c->design[i].series[k];
			s->place = has_place(s);
			for (size_t j = 0; j < c->ndesigns && s->place; j++) {
				const struct xp_series *o = &c->design[j].series[k];
				s->place += has_place(o) && xp_worth(o, o->low) > xp_worth(s, s->high);
			}
		}
	for (size_t k = 0; k < c->columns; k++)
		for (size_t i = 0; i < c->ndesigns; i++) {
			struct xp_series *s = &c->design[i].series[k];
			s->shared = 0;
			for (size_t j = 0; j < c->ndesigns; j++)
				s->shared += s->place && c->design[j].series[k].place == s->place;
		}
}

struct rank_order {
	struct xp_series *series;
	double middle;
	size_t at;
};

static int by_place(const void *a, const void *b)
{
	const struct rank_order *x = a, *y = b;
	size_t p = x->series->place ? x->series->place : SIZE_MAX, q = y->series->place ? y->series->place : SIZE_MAX;
	if (p != q)
		return p < q ? -1 : 1;
	if (x->middle < y->middle || y->middle < x->middle)
		return x->middle > y->middle ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

struct xp_series **xp_places(const struct xp_compare *c, size_t column)
{
	struct rank_order *order = base_calloc(c->ndesigns + 1, sizeof *order);
	struct xp_series **out = base_calloc(c->ndesigns + 1, sizeof(struct xp_series *));
	for (size_t i = 0; i < c->ndesigns; i++) {
		struct xp_series *s = &c->design[i].series[column];
		order[i] = (struct rank_order){ .series = s, .at = i };
		if (has_place(s))
			order[i].middle = xp_worth(s, s->low) + xp_worth(s, s->high);
	}
	qsort(order, c->ndesigns, sizeof *order, by_place);
	for (size_t i = 0; i < c->ndesigns; i++)
		out[i] = order[i].series;
	free(order);
	return out;
}

/* --- how firm the first place is ------------------------------------------------------------------------- */

const char *const xp_part_names[XP_PARTS] = { "optical cables", "ports" };

/* What money a network's part costs. */
static double part_of(const struct topo_cost *cost, enum xp_part part)
{
	return part == XP_PART_PORTS ? cost->ports : cost->cables[TOPO_OPTICAL] + cost->terminals[TOPO_OPTICAL];
}

bool xp_first_place_ties(const struct xp_compare *c, size_t column, struct topo_tie tie[XP_PARTS])
{
	double *total = base_calloc(c->ndesigns + 1, sizeof *total), *part = base_calloc(c->ndesigns + 1, sizeof *part);
	int *design = base_calloc(c->ndesigns + 1, sizeof *design), n = 0;
	for (int p = 0; p < XP_PARTS && c->wish.base.priced; p++) {
		n = 0;
		for (size_t i = 0; i < c->ndesigns; i++) {
			const struct xp_series *s = &c->design[i].series[column];
			const struct topo_cost *cost = &c->design[i].net->costing.cost;
			double gbps = has_place(s) && s->low > 0 ? xp_delivered_gbps(s, (s->low + s->high) / 2) : 0;
			if (!(gbps > 0) || !c->design[i].net->costing.priced)
				continue;
			total[n] = cost->total / gbps;
			part[n] = part_of(cost, (enum xp_part)p) / gbps;
			design[n++] = (int)i;
		}
		tie[p] = topo_tie_of(total, part, n, true);
		int *which[] = { &tie[p].below_a, &tie[p].below_b, &tie[p].above_a, &tie[p].above_b };
		for (int k = 0; k < 4 && n; k++)
			*which[k] = design[*which[k]];
	}
	free(total);
	free(part);
	free(design);
	return n > 1;
}

uint64_t xp_compare_digest(const struct xp_compare *c)
{
	struct base_buffer text = { 0 };
	for (size_t i = 0; i < c->nsim_runs; i++) {
		const struct xp_sim_run *s = c->sim_run[i];
		base_buffer_printf(&text, "%s %s %.0f\n", s->name,
		                   s->done     ? s->digest
		                   : s->failed ? "failed"
		                               : "-",
		                   s->simulated_ns * 1e3);
	}
	uint64_t digest = XXH3_64bits(text.data ? text.data : "", text.n);
	free(text.data);
	return digest;
}

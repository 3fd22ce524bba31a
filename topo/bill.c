/* topo/bill.c - see bill.h */
#include "topo/bill.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* --- cables ---------------------------------------------------------------------------------------------- */

static void add_cables(struct topo_bill *b, struct topo_bill_cables line)
{
	struct topo_bill_cables *last = b->ncable ? &b->cable[b->ncable - 1] : NULL;
	if (last && last->link_class == line.link_class && last->mm == line.mm) {
		last->n += line.n;
		return;
	}
	b->cable = base_realloc(b->cable, (b->ncable + 1) * sizeof *b->cable);
	b->cable[b->ncable++] = line;
}

/* Cables of a class by the distance between their racks. */
struct distances {
	uint64_t *n; /* [rows][columns] */
};

static int by_length(const void *a, const void *b)
{
	const struct topo_bill_cables *x = a, *y = b;
	return (x->mm > y->mm) - (x->mm < y->mm);
}

static void add_class(struct topo_bill *b, const struct topo_layout *l, int k, const struct distances *d, uint64_t rate)
{
	size_t places = (size_t)l->rows * l->columns, n = 0;
	struct topo_bill_cables *line = NULL;
	for (size_t i = 0; d->n && i < places; i++) {
		if (!d->n[i])
			continue;
		struct topo_steps apart = { (uint32_t)(i % l->columns), (uint32_t)(i / l->columns) };
		uint32_t mm = topo_layout_length(l, apart);
		line = base_realloc(line, (n + 1) * sizeof *line);
		line[n++] = (struct topo_bill_cables){ k, topo_layout_medium(l, mm), mm, rate, d->n[i] };
	}
	if (n)
		qsort(line, n, sizeof *line, by_length);
	for (size_t i = 0; i < n; i++)
		add_cables(b, line[i]);
	free(line);
}

/* --- switches -------------------------------------------------------------------------------------------- */

static void add_switch(struct topo_bill *b, struct topo_bill_switches one)
{
	uint32_t radix = one.network + one.terminals;
	b->ports += radix;
	b->radix = radix > b->radix ? radix : b->radix;
	for (size_t i = b->nsw; i-- > 0;) {
		struct topo_bill_switches *s = &b->sw[i];
		if (s->network == one.network && s->terminals == one.terminals && s->rate == one.rate) {
			s->n++;
			return;
		}
	}
	b->sw = base_realloc(b->sw, (b->nsw + 1) * sizeof *b->sw);
	b->sw[b->nsw++] = one;
}

/* For every link class the first of the same name and rate: cables are bought by these. */
static uint16_t *classes_bought(const struct topo *t, const uint64_t *rate)
{
	uint16_t *first = base_calloc((size_t)t->link_classes + 1, sizeof *first);
	for (int k = 0; k < t->link_classes; k++) {
		int named = topo_named_class(t, k), j = k < topo_named_classes(t) ? k : 0;
		while (topo_named_class(t, j) != named || rate[j] != rate[k])
			j++;
		first[k] = (uint16_t)j;
	}
	return first;
}

/* Counts a switch, and the cables of which it is the lower end, by class and distance. */
static void count_switch(struct topo_bill *b, const struct topo *t, const struct topo_layout *l, const uint64_t *rate,
                         uint64_t terminal_rate, const uint16_t *bought, topo_switch s, struct distances *d)
{
	struct topo_bill_switches one = { .network = topo_ports(t, s), .terminals = topo_endpoints_at(t, s), .n = 1 };
	bool own = b->own && one.terminals;
	one.rate = one.terminals ? terminal_rate : 0;
	for (topo_port p = 0; p < one.network; p++) {
		struct topo_hop hop = topo_peer(t, s, p);
		int k = hop.link_class, back = topo_reverse_class(t, k);
		one.rate = rate[k] > one.rate ? rate[k] : one.rate;
		one.rate = rate[back] > one.rate ? rate[back] : one.rate;
		if (hop.to < s || (hop.to == s && hop.port < p) || (own && topo_named_class(t, k) == 0))
			continue;         /* a cable is counted from its lower end */
		if (rate[back] > rate[k]) /* and bought for the faster of its directions */
			k = back;
		struct topo_steps apart = topo_layout_steps(l, s, hop.to);
		k = bought[k];
		if (!d[k].n)
			d[k].n = base_calloc((size_t)l->rows * l->columns, sizeof *d[k].n);
		d[k].n[(size_t)apart.y * l->columns + apart.x]++;
	}
	if (!own)
		add_switch(b, one);
}

void topo_bill_make(struct topo_bill *b, const struct topo *t, const struct topo_layout *l, const uint64_t *rate,
                    uint64_t terminal_rate)
{
	struct distances *d = base_calloc((size_t)t->link_classes + 1, sizeof *d);
	uint16_t *bought = classes_bought(t, rate);
	*b = (struct topo_bill){ .endpoints = t->endpoints,
		                 .own = t->own ? t->switches - t->bare : 0,
		                 .racks = l->racks,
		                 .columns = l->columns,
		                 .rows = l->rows,
		                 .most = l->most };
	b->switches = t->switches - b->own;
	for (topo_switch s = 0; s < t->switches; s++)
		count_switch(b, t, l, rate, terminal_rate, bought, s, d);
	for (int k = 0; k < t->link_classes; k++)
		add_class(b, l, k, &d[k], rate[k]);
	for (int k = 0; k < t->link_classes; k++)
		free(d[k].n);
	free(d);
	free(bought);
	if (t->endpoints && !b->own)
		add_cables(b, (struct topo_bill_cables){ TOPO_TERMINAL, topo_layout_medium(l, l->terminal), l->terminal,
		                                         terminal_rate, t->endpoints });
	topo_bill_sum(b);
}

void topo_bill_sum(struct topo_bill *b)
{
	memset(b->cables, 0, sizeof b->cables);
	memset(b->metres, 0, sizeof b->metres);
	for (size_t i = 0; i < b->ncable; i++) {
		const struct topo_bill_cables *c = &b->cable[i];
		if (c->link_class == TOPO_TERMINAL)
			continue;
		b->cables[c->medium] += c->n;
		b->metres[c->medium] += (double)c->n * c->mm * 1e-3;
	}
}

uint64_t topo_bill_all_cables(const struct topo_bill *b)
{
	return b->cables[TOPO_COPPER] + b->cables[TOPO_OPTICAL] + (b->own ? 0 : b->endpoints);
}

void topo_bill_free(struct topo_bill *b)
{
	free(b->cable);
	free(b->sw);
	*b = (struct topo_bill){ 0 };
}

/* --- watts ----------------------------------------------------------------------------------------------- */

static const struct {
	uint64_t rate;
	double watts;
	const char *source;
} published[] = {
	{ UINT64_C(40000000000), 2.8, "40 Gb/s: 4 lanes of 0.7 W, the model of SC14 as quoted by Fujiwara" },
	{ UINT64_C(200000000000), 250.0 / 64, "200 Gb/s: Rosetta, 250 W of 64 ports at most; De Sensi et al., SC20" },
};

double topo_port_watts(uint64_t rate, const char **source)
{
	for (size_t i = 0; i < sizeof published / sizeof *published; i++)
		if (published[i].rate == rate) {
			*source = published[i].source;
			return published[i].watts;
		}
	*source = NULL;
	return -1;
}

double topo_bill_watts(const struct topo_bill *b, uint32_t radix, const char **source)
{
	double sum = 0;
	*source = NULL;
	for (size_t i = 0; i < b->nsw; i++) {
		const struct topo_bill_switches *s = &b->sw[i];
		const char *here;
		double watts = topo_port_watts(s->rate, &here);
		if (watts < 0)
			return -1;
		*source = i == 0 || *source == here ? here : NULL;
		sum += watts * (double)s->n * (radix ? radix : s->network + s->terminals);
	}
	return sum;
}

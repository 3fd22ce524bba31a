/* topo/prices.c - the tables of a price file, and the cost model that uses it.
 *
 * A switch costs the lowest price of those with at least as many ports, each at least as fast; a cable the lowest price
 * of its medium and exactly its rate that is long enough. A part that is not in the file has no price. */
#include "topo/cost.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define AT(type, field) offsetof(struct topo_price_##type, field)
#define SOURCED(type)                                                                                           \
	{ "source", BASE_STRING, AT(type, source), NULL, NULL, 0, 0, NULL, "where the prices are from", NULL }, \
	{                                                                                                       \
		"date", BASE_STRING, AT(type, date), NULL, NULL, 0, 0, NULL,                                    \
		    "of the source, for example \"2026-05-31\"", NULL                                           \
	}

const struct base_param topo_price_top_table[] = {
	{ "currency", BASE_STRING, offsetof(struct topo_prices, currency), "USD", NULL, 0, 0, NULL,
	  "three capital letters, the unit of all money in the file", NULL },
	{ 0 },
};

const struct base_param topo_price_switch_table[] = {
	{ "ports", BASE_INT, AT(switch, ports), NULL, "ports", 1, 1e6, NULL, "that it has", NULL },
	{ "rate", BASE_RATE, AT(switch, rate), NULL, NULL, 1e6, 1e15, NULL, "of each port", NULL },
	{ "price", BASE_MEASURE, AT(switch, price), NULL, "USD", 0, 1e12, NULL, "of one", NULL },
	{ "per_port", BASE_MEASURE, AT(switch, per_port), "0USD", "USD", 0, 1e12, NULL,
	  "in addition for each used port, for example for transceivers", NULL },
	{ "idle", BASE_MEASURE, AT(switch, idle), "", "W", 0, 1e9, NULL,
	  "power without traffic; omitted together with loaded: unknown", NULL },
	{ "loaded", BASE_MEASURE, AT(switch, loaded), "", "W", 0, 1e9, NULL,
	  "power with all ports busy; omitted together with idle: unknown", NULL },
	SOURCED(switch),
	{ 0 },
};

const struct base_param topo_price_cable_table[] = {
	{ "medium", BASE_ENUM, AT(cable, medium), NULL, NULL, 0, 0, "copper|optical", "optical: with its transceivers",
	  NULL },
	{ "rate", BASE_RATE, AT(cable, rate), NULL, NULL, 1e6, 1e15, NULL, "of each direction", NULL },
	{ "length", BASE_LENGTH, AT(cable, length), NULL, NULL, 0.001, 1e5, NULL, "maximum length sold at this price",
	  NULL },
	{ "price", BASE_MEASURE, AT(cable, price), NULL, "USD", 0, 1e12, NULL, "of one", NULL },
	{ "per_metre", BASE_MEASURE, AT(cable, per_metre), "0USD/m", "USD/m", 0, 1e9, NULL,
	  "in addition for each metre of length", NULL },
	{ "idle", BASE_MEASURE, AT(cable, idle), "0W", "W", 0, 1e6, NULL, "power of both ends together", NULL },
	{ "loaded", BASE_MEASURE, AT(cable, loaded), "0W", "W", 0, 1e6, NULL, "power of both ends together", NULL },
	SOURCED(cable),
	{ 0 },
};

const struct base_param topo_price_energy_table[] = {
	{ "price", BASE_MEASURE, AT(energy, price), NULL, "USD/kWh", 0, 1e6, NULL, "of electricity", NULL },
	{ "cooling", BASE_FLOAT, AT(energy, cooling), NULL, "W a W", 1, 100, NULL,
	  "power taken from the grid per watt of the network", NULL },
	{ "years", BASE_MEASURE, AT(energy, years), NULL, "y", 0.001, 1000, NULL, "for which it is counted", NULL },
	{ "load", BASE_FLOAT, AT(energy, load), "1.0", "share of the time", 0, 1, NULL,
	  "utilization between idle (0.0) and loaded (1.0)", NULL },
	SOURCED(energy),
	{ 0 },
};

void topo_prices_free(struct topo_prices *p)
{
	for (size_t i = 0; i < p->nsw; i++)
		base_params_free(topo_price_switch_table, &p->sw[i]);
	for (size_t i = 0; i < p->ncable; i++)
		base_params_free(topo_price_cable_table, &p->cable[i]);
	base_params_free(topo_price_energy_table, &p->energy);
	base_params_free(topo_price_top_table, p);
	free(p->sw);
	free(p->cable);
	free(p->name);
	*p = (struct topo_prices){ 0 };
}

/* --- the model ------------------------------------------------------------------------------------------- */

/* An error about the file, "prices.cfg:3: switches: ...". */
#define MISSING(prices, errors, list, ...)                                                                     \
	do {                                                                                                   \
		char place[600];                                                                               \
		const char *scope = (errors)->scope;                                                           \
		snprintf(place, sizeof place, "@%.500s:%u: %s", (prices)->name, (prices)->list##_line, #list); \
		(errors)->scope = NULL;                                                                        \
		base_errorf(errors, place, __VA_ARGS__);                                                       \
		(errors)->scope = scope;                                                                       \
	} while (0)

static int price_switch(const struct topo_model *m, uint32_t ports, uint64_t rate, struct topo_switch_price *out,
                        struct base_errors *errors)
{
	const struct topo_prices *p = m->prices;
	double best = INFINITY;
	int64_t most = 0;
	for (size_t i = 0; i < p->nsw; i++) {
		const struct topo_price_switch *s = &p->sw[i];
		if (s->rate < rate)
			continue;
		most = s->ports > most ? s->ports : most;
		double price = s->price + s->per_port * ports;
		if (s->ports < ports || price >= best)
			continue;
		best = price;
		*out = (struct topo_switch_price){ s->price, s->per_port * ports, s->idle, s->loaded };
	}
	if (best < INFINITY)
		return 0;
	if (most)
		MISSING(p, errors, switches, "no switch has %u ports of %g Gb/s; the largest of that rate has %lld",
		        ports, (double)rate * 1e-9, (long long)most);
	else
		MISSING(p, errors, switches, "no switch has %u ports of at least %g Gb/s", ports, (double)rate * 1e-9);
	return -1;
}

static int price_cable(const struct topo_model *m, enum topo_medium medium, uint32_t mm, uint64_t rate,
                       struct topo_cable_price *out, struct base_errors *errors)
{
	static const char *const name[] = { [TOPO_COPPER] = "copper", [TOPO_OPTICAL] = "optical" };
	const struct topo_prices *p = m->prices;
	double x = mm * 1e-3, longest = 0;
	out->price = INFINITY;
	for (size_t i = 0; i < p->ncable; i++) {
		const struct topo_price_cable *c = &p->cable[i];
		if (c->medium != (int)medium || c->rate != rate)
			continue;
		longest = fmax(longest, c->length);
		double price = c->price + c->per_metre * x;
		if (c->length * (1 + 1e-9) >= x && price < out->price)
			*out = (struct topo_cable_price){ price, c->idle, c->loaded };
	}
	if (out->price < INFINITY)
		return 0;
	if (longest > 0)
		MISSING(p, errors, cables, "no %s cable of %g m at %g Gb/s; the longest is %g m", name[medium], x,
		        (double)rate * 1e-9, longest);
	else
		MISSING(p, errors, cables, "no %s cable at %g Gb/s; one of %g m is needed", name[medium],
		        (double)rate * 1e-9, x);
	return -1;
}

static struct topo_energy energy(const struct topo_model *m)
{
	const struct topo_price_energy *e = &m->prices->energy;
	if (e->years <= 0)
		return (struct topo_energy){ .cooling = 1, .load = 1 };
	return (struct topo_energy){ e->price, e->cooling, e->years, e->load };
}

struct prices_params {
	char *file;
};

static const struct base_param params_table[] = {
	{ BASE_KEY(FILE, struct prices_params, file, NULL),
	  .help = "prices of switches, cables and energy, each with its source and date: docs/cost.md" },
	{ 0 },
};

static const struct topo_cost_ops prices_ops = {
	.wants_prices = true,
	.price_switch = price_switch,
	.price_cable = price_cable,
	.energy = energy,
};

const struct base_plugin topo_cost_prices = {
	BASE_DESCRIBE("cost", "prices", params_table, struct prices_params, &prices_ops),
	.summary = "prices from a file of your own",
};

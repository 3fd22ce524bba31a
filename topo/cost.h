/* topo/cost.h - the cost of a bill of materials, by a cost model, which is a plug-in (kind "cost").
 *
 * A model gives the price and power of one switch and of one cable, all with a source. It refuses parts that it was not
 * made for; nothing is extrapolated. */
#ifndef TOPO_COST_H
#define TOPO_COST_H

#include "base/plugin.h"
#include "topo/bill.h"
#include "topo/prices.h"

struct topo_model;

/* Cost of one switch. */
struct topo_switch_price {
	double fixed, ports; /* money: of the switch, and in addition for its ports; the sum is at least 0 */
	double idle, loaded; /* W; negative: unknown */
};

/* Cost of one cable with both its ends. */
struct topo_cable_price {
	double price;        /* money */
	double idle, loaded; /* W, in addition to the switches'; negative: unknown */
};

struct topo_energy {
	double price;   /* money per kWh; 0: not counted */
	double cooling; /* W to be paid for each W of a switch */
	double years;
	double load; /* fraction of the time at the loaded power */
};

struct topo_cost_ops {
	const char *currency; /* "USD"; NULL: that of the file of prices */
	/* True if the cost model's parameter struct begins with `char *file`, a price list (docs/cost.md), which is
	 * read and passed as model->prices. */
	bool wants_prices;
	/* The price of a switch with `ports` ports whose fastest runs at `rate` bit/s. If the model has no price for
	 * it, returns -1 with an error that has no key. Called once for each kind of switch in a bill. */
	int (*price_switch)(const struct topo_model *model, uint32_t ports, uint64_t rate,
	                    struct topo_switch_price *out, struct base_errors *errors);
	/* The price of a cable of `mm` millimetres. If the model has no price for it, returns -1 with an error that has
	 * no key. Called once for each line of a bill, for the longest cables first. */
	int (*price_cable)(const struct topo_model *model, enum topo_medium medium, uint32_t mm, uint64_t rate,
	                   struct topo_cable_price *out, struct base_errors *errors);
	/* Returns the price of energy; called once. NULL if the model has none: energy then costs nothing, and cooling
	 * is not counted. */
	struct topo_energy (*energy)(const struct topo_model *model);
};

struct topo_model {
	const struct base_plugin *plugin;
	const void *params;
	const struct topo_prices *prices; /* NULL without a price file */
};

/* Cost of the whole network, in the model's currency. */
struct topo_cost {
	double switches, ports;       /* switches without their ports, and their ports */
	double cables[TOPO_MEDIA];    /* between switches */
	double terminals[TOPO_MEDIA]; /* cables to endpoints */
	double energy;                /* over the years */
	double total;                 /* the sum */
	double idle, loaded;          /* W, without cooling; negative: unknown */
	double cooling, years, share; /* as struct topo_energy; 1, 0, 1 if the model has no energy prices */
};

enum topo_bought { TOPO_BUY_LARGEST, TOPO_BUY_USED };

/* Choices of the configuration. */
struct topo_cost_choice {
	int radix; /* enum topo_bought: every switch has the ports of the largest, or only those it uses */
	int media; /* 0: by the reach of copper; 1: the cheaper medium, which changes the bill */
};

/* The model's price of a switch with `ports` ports, or of a cable of `mm` millimetres. Returns -1 with an error if the
 * model has no price for it. A price that is impossible is reported by base_refute() (base/plugin.h), and also gives
 * -1. */
int topo_model_switch(const struct topo_model *model, uint32_t ports, uint64_t rate, struct topo_switch_price *out,
                      struct base_errors *errors);
int topo_model_cable(const struct topo_model *model, enum topo_medium medium, uint32_t mm, uint64_t rate,
                     struct topo_cable_price *out, struct base_errors *errors);
/* Checks that the model defines all required functions. Returns 0, or -1 with errors. */
int topo_cost_check(const struct topo_model *model, struct base_errors *errors);
/* Computes the cost of a bill of materials. Returns -1 with the errors of all its lines on failure. Cost: O(lines of
 * the bill). */
int topo_cost_make(struct topo_cost *cost, const struct topo_model *model, struct topo_bill *bill,
                   const struct topo_cost_choice *choice, struct base_errors *errors);
const char *topo_currency(const struct topo_model *model);

/* Factors by which one part of the cost has to be multiplied until the order of two networks by total cost changes. */
struct topo_tie {
	double below, above;                    /* the nearest factors below and above 1; 0: none */
	int below_a, below_b, above_a, above_b; /* the two networks: first the one that is cheaper at factor 1 */
};

/* Network i of n costs total[i] per endpoint, of which part[i] is multiplied by a factor. Finds the nearest factors at
 * which the order of the networks by total cost changes; with `first`, only changes of the cheapest network count. */
struct topo_tie topo_tie_of(const double *total, const double *part, int n, bool first);

extern const struct base_plugin topo_cost_none, topo_cost_linear, topo_cost_prices;

#endif

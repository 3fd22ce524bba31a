/* topo/cost.h - what a bill costs, by a model of prices that is a plug-in (kind "cost").
 *
 * A model says a price of one switch and of one cable, and the watts of each, all with a source. It refuses what it was
 * not made for; nothing is extrapolated. */
#ifndef TOPO_COST_H
#define TOPO_COST_H

#include "base/plugin.h"
#include "topo/bill.h"
#include "topo/prices.h"

struct topo_model;

/* Of one switch. */
struct topo_switch_price {
	double fixed, ports; /* money: of the switch, and what its ports add; the sum is at least 0 */
	double idle, loaded; /* W; negative: the model does not say */
};

/* Of one cable with both its ends. */
struct topo_cable_price {
	double price;        /* money */
	double idle, loaded; /* W, in addition to the switches'; negative: the model does not say */
};

struct topo_energy {
	double price;   /* money a kWh; 0: not counted */
	double cooling; /* W to be paid for each W that a switch takes */
	double years;
	double load; /* share of the time in which it takes what it does when loaded */
};

struct topo_cost_ops {
	const char *currency; /* "USD"; NULL: that of the file of prices */
	/* Its parameter struct begins with `char *file`, a file of prices (docs/cost.md), which is read and handed in
	 * as model->prices. */
	bool wants_prices;
	/* The price of a switch with `ports` ports whose fastest runs at `rate` bit/s. Returns -1 with an error of no
	 * key if the model has none. Asked once for each kind of switch in a bill. */
	int (*price_switch)(const struct topo_model *model, uint32_t ports, uint64_t rate,
	                    struct topo_switch_price *out, struct base_errors *errors);
	/* The price of a cable of `mm` millimetres. As above; asked once for each line of a bill, the longest first. */
	int (*price_cable)(const struct topo_model *model, enum topo_medium medium, uint32_t mm, uint64_t rate,
	                   struct topo_cable_price *out, struct base_errors *errors);
	/* Asked once. May be NULL: energy costs nothing and cooling is not counted. */
	struct topo_energy (*energy)(const struct topo_model *model);
};

struct topo_model {
	const struct base_plugin *plugin;
	const void *params;
	const struct topo_prices *prices; /* NULL unless wanted */
};

/* Money in the model's currency, of the whole network. */
struct topo_cost {
	double switches, ports;       /* switches without, and what their ports add */
	double cables[TOPO_MEDIA];    /* between switches */
	double terminals[TOPO_MEDIA]; /* cables to endpoints */
	double energy;                /* over the years */
	double total;                 /* the sum */
	double idle, loaded;          /* W, without cooling; negative: the model does not say */
	double cooling, years, share; /* as struct topo_energy; 1, 0, 1 if the model does not say */
};

enum topo_bought { TOPO_BUY_LARGEST, TOPO_BUY_USED };

/* The parts that a configuration chooses. */
struct topo_cost_choice {
	int radix; /* enum topo_bought: every switch has the ports of the largest, or as many as it uses */
	int media; /* 0: by the reach of copper; 1: the cheaper, which changes the bill */
};

/* What a switch of so many ports, or a cable of `mm`, costs by the model; -1: it has no price, with an error, or what
 * the model says cannot be, which is refuted (base/plugin.h). */
int topo_model_switch(const struct topo_model *model, uint32_t ports, uint64_t rate, struct topo_switch_price *out,
                      struct base_errors *errors);
int topo_model_cable(const struct topo_model *model, enum topo_medium medium, uint32_t mm, uint64_t rate,
                     struct topo_cable_price *out, struct base_errors *errors);
/* Has the model the functions that are required? */
int topo_cost_check(const struct topo_model *model, struct base_errors *errors);
/* Returns -1 with every problem. Cost: O(lines of the bill). */
int topo_cost_make(struct topo_cost *cost, const struct topo_model *model, struct topo_bill *bill,
                   const struct topo_cost_choice *choice, struct base_errors *errors);
const char *topo_currency(const struct topo_model *model);

/* A factor on a part of the cost at which two networks, or two among several, change places. */
struct topo_tie {
	double below, above;                    /* the nearest factors under and over 1; 0: none */
	int below_a, below_b, above_a, above_b; /* which two: the one that is cheaper at factor 1 first */
};

/* part[i] of total[i] (per endpoint) is multiplied by a factor: where does an order by total change? `first`: only the
 * first place counts. */
struct topo_tie topo_tie_of(const double *total, const double *part, int n, bool first);

extern const struct base_plugin topo_cost_none, topo_cost_linear, topo_cost_prices;

#endif

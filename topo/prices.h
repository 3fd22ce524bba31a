/* topo/prices.h - a user's prices, as read from a file. Each entry has its source and date.
 *
 * The tables describe the file: its reader (experiments/config/prices.c), docs and errors read them. Money is a number
 * and the file's currency in one text, "14280USD", so that a wrong unit is found. */
#ifndef TOPO_PRICES_H
#define TOPO_PRICES_H

#include "base/param.h"

#include <stddef.h>
#include <stdint.h>

/* One that can be bought: it has `ports` ports, each of at most `rate`. */
struct topo_price_switch {
	int64_t ports;
	uint64_t rate;
	double price, per_port; /* per_port: for each port that is used, as for transceivers */
	double idle, loaded;    /* W; negative: not known */
	char *source, *date;
};

/* Cables of one medium, rate and greatest length, at a price and so much for each metre that is needed. */
struct topo_price_cable {
	int medium; /* enum topo_medium */
	uint64_t rate;
	double length;
	double price, per_metre;
	double idle, loaded;
	char *source, *date;
};

struct topo_price_energy {
	double price, cooling, years, load;
	char *source, *date;
};

struct topo_prices {
	char *name;                          /* of the file, as messages call it; owned */
	unsigned switches_line, cables_line; /* where the lists begin in it */
	char *currency;
	struct topo_price_switch *sw;
	size_t nsw;
	struct topo_price_cable *cable;
	size_t ncable;
	struct topo_price_energy energy; /* years 0: the file says nothing of it */
};

/* Tables of one entry of `switches` and `cables`, of `energy`, and of the top level. The unit "USD" in them stands for
 * the file's currency. */
extern const struct base_param topo_price_top_table[], topo_price_switch_table[], topo_price_cable_table[],
    topo_price_energy_table[];

void topo_prices_free(struct topo_prices *prices);

#endif

/* topo/prices.h - prices read from a user's file. Each entry has its source and date.
 *
 * The tables describe the file's format for its reader (experiments/config/prices.c), docs and errors. Money is a
 * number and the file's currency in one text, "14280USD", so that a wrong unit is found. */
#ifndef TOPO_PRICES_H
#define TOPO_PRICES_H

#include "base/param.h"

#include <stddef.h>
#include <stdint.h>

/* A switch that can be bought: it has `ports` ports, each with a rate of at most `rate`. */
struct topo_price_switch {
	int64_t ports;
	uint64_t rate;
	double price, per_port; /* per_port: for each used port, for example for transceivers */
	double idle, loaded;    /* W; negative: unknown */
	char *source, *date;
};

/* Cables of one medium, rate and maximum length, at a price plus an amount per metre of length. */
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
	char *name;                          /* of the file, for messages; owned */
	unsigned switches_line, cables_line; /* lines in the file at which the lists begin */
	char *currency;
	struct topo_price_switch *sw;
	size_t nsw;
	struct topo_price_cable *cable;
	size_t ncable;
	struct topo_price_energy energy; /* years 0: not in the file */
};

/* Tables of one entry of `switches` and `cables`, of `energy`, and of the top level. The unit "USD" in them is a
 * placeholder for the file's currency. */
extern const struct base_param topo_price_top_table[], topo_price_switch_table[], topo_price_cable_table[],
    topo_price_energy_table[];

void topo_prices_free(struct topo_prices *prices);

#endif

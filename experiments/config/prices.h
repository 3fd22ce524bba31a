/* experiments/config/prices.h - reads a user's price list (topo/prices.h), which is libconfig text. */
#ifndef EXPERIMENTS_CONFIG_PRICES_H
#define EXPERIMENTS_CONFIG_PRICES_H

#include "base/error.h"
#include "topo/prices.h"

/* Reads and checks a price list. Every problem is reported as an error at FILE:LINE. Returns NULL if there are errors.
 * The caller must free the result by xp_prices_free(). */
struct topo_prices *xp_prices_read(const char *path, struct base_errors *errors);
/* Parses a price list from text in memory, otherwise like xp_prices_read(). `name` identifies the text in messages. */
struct topo_prices *xp_prices_parse(const char *text, size_t bytes, const char *name, struct base_errors *errors);
void xp_prices_free(struct topo_prices *prices);

#endif

/* experiments/config/prices.h - reads a user's price list (topo/prices.h), which is libconfig text. */
#ifndef EXPERIMENTS_CONFIG_PRICES_H
#define EXPERIMENTS_CONFIG_PRICES_H

#include "base/error.h"
#include "topo/prices.h"

/* Reads and checks the whole file; every problem is an error at FILE:LINE. Returns NULL if there are any. Free with
 * xp_prices_free(). */
struct topo_prices *xp_prices_read(const char *path, struct base_errors *errors);
/* The same for text in memory; `name` is used in messages. */
struct topo_prices *xp_prices_parse(const char *text, size_t bytes, const char *name, struct base_errors *errors);
void xp_prices_free(struct topo_prices *prices);

#endif

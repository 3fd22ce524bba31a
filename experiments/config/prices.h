/* experiments/config/prices.h - reading a user's file of prices (topo/prices.h), which is libconfig text. */
#ifndef EXPERIMENTS_CONFIG_PRICES_H
#define EXPERIMENTS_CONFIG_PRICES_H

#include "base/error.h"
#include "topo/prices.h"

/* Reads and checks the whole file; every problem is an error at FILE:LINE. Returns NULL if there is one. Free with
 * xp_prices_free. */
struct topo_prices *xp_prices_read(const char *path, struct base_errors *errors);
/* The same for text in memory that messages call `name`. */
struct topo_prices *xp_prices_parse(const char *text, size_t bytes, const char *name, struct base_errors *errors);
void xp_prices_free(struct topo_prices *prices);

#endif

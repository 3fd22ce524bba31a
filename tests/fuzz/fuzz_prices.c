/* tests/fuzz/fuzz_prices.c - any bytes as a file of prices: errors, each at a place in the file, or prices that can be
 * asked. A libFuzzer target (preset fuzz). */
#include "experiments/config/prices.h"
#include "topo/cost.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct base_errors errors = { 0 };
	struct topo_prices *p = xp_prices_parse((const char *)data, size, "fuzz", &errors);
	const struct topo_cost_ops *ops = topo_cost_prices.ops;
	if (!p != !!errors.errors)
		abort();
	for (size_t i = 0; i < errors.n; i++)
		if (strncmp(errors.v[i].key, "@fuzz", 5) != 0)
			abort();
	for (size_t i = 0; p && i < p->nsw; i++) {
		struct topo_model m = { .plugin = &topo_cost_prices, .prices = p };
		struct topo_switch_price price = { 0 };
		if (ops->price_switch(&m, (uint32_t)p->sw[i].ports, p->sw[i].rate, &price, &errors) ||
		    !isfinite(price.fixed + price.ports) || price.fixed + price.ports < 0)
			abort(); /* it is sold */
	}
	xp_prices_free(p);
	base_errors_free(&errors);
	return 0;
}

/* tests/plugins/unruly_traffic.c - docs/examples/stencil.c, which does not come back from a call: see
 * tests/cli/unruly.sh. */
#define tilefly_plugins honest_plugins
#define tilefly_plugin_abi honest_abi
#include "docs/examples/stencil.c"
#undef tilefly_plugins
#undef tilefly_plugin_abi
#include "tests/plugins/liar.h"

#include <stdbool.h>

LIAR_LIST(struct wl_pattern_ops, stencil)

static volatile bool for_ever = true;

static uint32_t leaves(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits, uint32_t coin)
{
	if (index == 3 && message == 20)
		exit(0);
	return destination(p, index, message, bits, coin);
}
static uint32_t leaves_with_3(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits,
                              uint32_t coin)
{
	if (index == 3 && message == 20)
		exit(3);
	return destination(p, index, message, bits, coin);
}
static uint32_t spins(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits, uint32_t coin)
{
	while (index == 3 && message == 20 && for_ever)
		;
	return destination(p, index, message, bits, coin);
}
static void leaves_at_the_end(struct wl_pattern *p)
{
	destroy(p);
	exit(0);
}

__attribute__((constructor)) static void make(void)
{
	LIE("leaves", destination, leaves);
	LIE("leaves-with-3", destination, leaves_with_3);
	LIE("leaves-at-the-end", destroy, leaves_at_the_end);
	LIE("spins", destination, spins);
}

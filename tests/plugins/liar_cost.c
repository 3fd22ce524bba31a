/* tests/plugins/liar_cost.c - docs/examples/quote.c with one lie each: see tests/cli/liars.sh. */
#define tilefly_plugins honest_plugins
#define tilefly_plugin_abi honest_abi
#include "docs/examples/quote.c"
#undef tilefly_plugins
#undef tilefly_plugin_abi
#include "tests/plugins/liar.h"

#include <math.h>

LIAR_LIST(struct topo_cost_ops, quote)

static int no_number(const struct topo_model *m, uint32_t ports, uint64_t rate, struct topo_switch_price *out,
                     struct base_errors *errors)
{
	int status = price_switch(m, ports, rate, out, errors);
	out->ports = NAN;
	return status;
}
static int pays(const struct topo_model *m, enum topo_medium medium, uint32_t mm, uint64_t rate,
                struct topo_cable_price *out, struct base_errors *errors)
{
	int status = price_cable(m, medium, mm, rate, out, errors);
	out->price = -5;
	return status;
}
static int idle_most(const struct topo_model *m, uint32_t ports, uint64_t rate, struct topo_switch_price *out,
                     struct base_errors *errors)
{
	int status = price_switch(m, ports, rate, out, errors);
	out->idle = out->loaded + 1;
	return status;
}
static int silent(const struct topo_model *m, uint32_t ports, uint64_t rate, struct topo_switch_price *out,
                  struct base_errors *errors)
{
	(void)m, (void)ports, (void)rate, (void)out, (void)errors;
	return -1;
}
static struct topo_energy cools_itself(const struct topo_model *m)
{
	(void)m;
	return (struct topo_energy){ .price = 1, .cooling = 0.5, .years = 1, .load = 1 };
}

__attribute__((constructor)) static void add_liars(void)
{
	LIE("no-number", price_switch, no_number);
	LIE("pays", price_cable, pays);
	LIE("idle-most", price_switch, idle_most);
	LIE("silent-price", price_switch, silent);
	LIE("no-cables", price_cable, NULL);
	LIE("cools-itself", energy, cools_itself);
}

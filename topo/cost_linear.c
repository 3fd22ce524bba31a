/* topo/cost_linear.c - the published linear model of the Slim Fly paper, for links of 40 Gb/s.
 *
 * Besta and Hoefler, "Slim Fly: A Cost Effective Low-Diameter Network Topology", SC14, as quoted by Fujiwara (NII) in
 * the source of his layout tool, "from Besta's Slim Fly paper (2014)": in US dollars a switch of k ports costs 350.4 k
 * - 892.3, a copper cable of x metres (0.4079 x + 0.5771) 40, an optical one (0.0919 x + 7.2745) 40, where 40 is the
 * rate in Gb/s; a switch takes 2.8 W per port, 4 lanes of 0.7 W. A fit to prices of that time for FDR10 QSFP: other
 * rates are refused, and switches of fewer than three ports, whose price would be negative. Both media cost the same at
 * 21.2 m. */
#include "topo/cost.h"

#define GIGABITS 40

static int check_rate(uint64_t rate, struct base_errors *errors)
{
	if (rate == UINT64_C(1000000000) * GIGABITS)
		return 0;
	return base_errorf(errors, "kind",
	                   "\"sc14-linear\" holds for links of %d Gb/s; this network has some of %g Gb/s", GIGABITS,
	                   (double)rate * 1e-9);
}

static int price_switch(const struct topo_model *m, uint32_t ports, uint64_t rate, struct topo_switch_price *out,
                        struct base_errors *errors)
{
	(void)m;
	if (check_rate(rate, errors))
		return -1;
	if (ports < 3)
		return base_errorf(
		    errors, "kind",
		    "\"sc14-linear\" has no price for a switch of %u ports: below 3 ports its price is negative",
		    ports);
	out->fixed = -892.3;
	out->ports = 350.4 * ports;
	out->loaded = out->idle = 4 * 0.7 * ports;
	return 0;
}

static int price_cable(const struct topo_model *m, enum topo_medium medium, uint32_t mm, uint64_t rate,
                       struct topo_cable_price *out, struct base_errors *errors)
{
	(void)m;
	if (check_rate(rate, errors))
		return -1;
	double x = mm * 1e-3;
	out->price = (medium == TOPO_COPPER ? 0.4079 * x + 0.5771 : 0.0919 * x + 7.2745) * GIGABITS;
	return 0;
}

static const struct topo_cost_ops linear_ops = {
	.currency = "USD",
	.price_switch = price_switch,
	.price_cable = price_cable,
};

const struct base_plugin topo_cost_linear = {
	.kind = "cost",
	.name = "sc14-linear",
	.summary = "linear in ports and metres; links of 40 Gb/s only, prices of about 2014",
	.source = "Besta, Hoefler: Slim Fly, SC14, as quoted by Fujiwara (NII)",
	.ops = &linear_ops,
};

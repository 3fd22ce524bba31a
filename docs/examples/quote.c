/* docs/examples/quote.c - a cost model as a plug-in: a vendor's quote in a few numbers, which are all the user's.
 *
 *      cost = { kind = "quote"; port = "300USD"; chassis = "1500USD"; copper = "60USD"; optical = "400USD";
 *               metre = "4USD/m"; rate = "200Gbps"; port_power = "4W"; };
 *
 * A switch costs its chassis and so much a port, a copper cable the same at any length that is copper, an optical one
 * more with every metre. The quote is for links of one rate; others are refused, as every model should do. */
#include "topo/cost.h"

#include <stddef.h>

struct quote_params {
	double chassis, port, copper, optical, metre, port_power;
	uint64_t rate;
};

#define AT(field) offsetof(struct quote_params, field)

static const struct base_param params[] = {
	{ BASE_KEY(MEASURE, struct quote_params, chassis, NULL), .unit = "USD", .max = 1e9, .help = "of a switch" },
	{ BASE_KEY(MEASURE, struct quote_params, port, NULL), .unit = "USD", .max = 1e9, .help = "of a switch's port" },
	{ BASE_KEY(MEASURE, struct quote_params, copper, NULL), .unit = "USD", .max = 1e9, .help = "a copper cable" },
	{ BASE_KEY(MEASURE, struct quote_params, optical, NULL), .unit = "USD", .max = 1e9,
	  .help = "an optical cable with both ends, without its length" },
	{ BASE_KEY(MEASURE, struct quote_params, metre, "0USD/m"), .unit = "USD/m", .max = 1e9,
	  .help = "what each metre of an optical cable adds" },
	{ BASE_KEY(RATE, struct quote_params, rate, NULL), .min = 1e6, .max = 1e15, .help = "that the quote is for" },
	{ BASE_KEY(MEASURE, struct quote_params, port_power, NULL), .unit = "W", .max = 1e3,
	  .help = "that a port takes, busy or not" },
	{ .name = NULL },
};

static int check_rate(const struct quote_params *q, uint64_t rate, struct base_errors *errors)
{
	if (rate == q->rate)
		return 0;
	return base_errorf(errors, "rate", "the quote is for links of %g Gb/s; here are some of %g Gb/s",
	                   (double)q->rate * 1e-9, (double)rate * 1e-9);
}

static int price_switch(const struct topo_model *model, uint32_t ports, uint64_t rate, struct topo_switch_price *out,
                        struct base_errors *errors)
{
	const struct quote_params *q = model->params;
	if (check_rate(q, rate, errors))
		return -1;
	out->fixed = q->chassis;
	out->ports = q->port * ports;
	out->idle = out->loaded = q->port_power * ports;
	return 0;
}

static int price_cable(const struct topo_model *model, enum topo_medium medium, uint32_t mm, uint64_t rate,
                       struct topo_cable_price *out, struct base_errors *errors)
{
	const struct quote_params *q = model->params;
	if (check_rate(q, rate, errors))
		return -1;
	out->price = medium == TOPO_COPPER ? q->copper : q->optical + q->metre * mm * 1e-3;
	return 0;
}

static const struct topo_cost_ops ops = {
	.currency = "USD",
	.price_switch = price_switch,
	.price_cable = price_cable,
};

static const struct base_plugin quote = {
	BASE_DESCRIBE("cost", "quote", params, struct quote_params, &ops),
	.summary = "one quote: so much a switch, a port, a cable, a metre",
};

const unsigned tilefly_plugin_abi = BASE_PLUGIN_ABI;
const struct base_plugin *const tilefly_plugins[] = { &quote, NULL };

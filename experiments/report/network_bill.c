/* experiments/report/network_bill.c - what the networks of a page are made of, an endpoint: ports, cables, metres of
 * optics, watts; and what they cost, where their configurations choose a cost model. As tilefly cost prints it. */
#include "experiments/report/chart.h"
#include "experiments/report/network.h"

#include "experiments/config/prices.h"
#include "experiments/results/reader.h"
#include "network/network.h"
#include "topo/cost.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* One network's part of the charts. */
struct bill {
	struct xp_network net;
	struct topo_bill list;
	struct topo_cost cost;
	struct topo_prices *prices;
	char currency[32], name[300];
	double watts; /* negative: not known */
	bool made, priced;
};

static void make_cost(struct bill *b, struct base_errors *errors)
{
	const struct net_cost *cost = &b->net.config.net.cost;
	struct topo_model model = { .plugin = cost->model.plugin, .params = cost->model.params };
	const struct topo_cost_ops *ops = model.plugin->ops;
	if (ops == topo_cost_none.ops)
		return;
	if (ops->wants_prices)
		model.prices = b->prices = xp_prices_read(*(char *const *)model.params, errors);
	if ((ops->wants_prices && !b->prices) || topo_cost_check(&model, errors))
		return;
	b->priced = !topo_cost_make(&b->cost, &model, &b->list, &cost->choice, errors);
	snprintf(b->currency, sizeof b->currency, "%s", topo_currency(&model));
}

static void make_bill(struct bill *b, const json_t *sets, struct base_registry *registry)
{
	struct base_errors errors = { 0 };
	uint64_t rates[TOPO_LINK_CLASSES] = { 0 };
	const struct net_config *config = &b->net.config.net;
	const char *source;
	if (!xp_network_build(&b->net, sets, registry) || !b->net.placed || !b->net.topo.endpoints)
		return;
	for (int k = 0; k < b->net.topo.link_classes; k++)
		rates[k] = net_link_of_class(config, b->net.topo.link_class_name[k])->bandwidth;
	topo_bill_make(&b->list, &b->net.topo, &b->net.layout, rates, config->link_terminal.bandwidth);
	b->made = true;
	b->watts =
	    topo_bill_watts(&b->list, config->cost.choice.radix == TOPO_BUY_LARGEST ? b->list.radix : 0, &source);
	make_cost(b, &errors);
	base_errors_free(&errors);
}

static void free_bill(struct bill *b)
{
	topo_bill_free(&b->list);
	xp_prices_free(b->prices);
	xp_network_release(&b->net);
}

static double quantity(const struct bill *b, size_t which)
{
	const struct topo_bill *l = &b->list;
	double of[] = { (double)l->ports, (double)(l->cables[TOPO_COPPER] + l->cables[TOPO_OPTICAL]) + l->endpoints,
		        l->metres[TOPO_OPTICAL], b->watts < 0 ? NAN : b->watts };
	return of[which] / l->endpoints;
}

static void chart_parts(struct xp_report *report, json_t *figure, const struct bill *b, const char *const *names,
                        size_t n)
{
	static const char *const panels[][2] = { { "switch ports", "" },
		                                 { "cables, its own among them", "" },
		                                 { "optical cable", "m" },
		                                 { "power of ports", "W" } };
	for (size_t k = 0; k < sizeof panels / sizeof *panels; k++) {
		json_t *chart = xp_chart(figure, "bars", "");
		xp_chart_axis(chart, "x", panels[k][0], panels[k][1], XP_AXIS_ZERO);
		xp_chart_axis(chart, "y", "", "", 0);
		json_t *series = xp_chart_series(report, chart, panels[k][0], panels[k][0], "");
		for (size_t i = 0; i < n; i++)
			if (b[i].made)
				xp_series_point(series, (double)xp_chart_name(chart, "y", names[i]), quantity(&b[i], k),
				                NAN, NAN);
	}
}

static void chart_costs(struct xp_report *report, const struct bill *b, const char *const *names, size_t n)
{
	static const char *const parts[] = { "switches", "copper cables", "optical cables", "endpoint cables",
		                             "energy" };
	json_t *figure = xp_charts("cost", "Cost of an endpoint by the cost model of the configuration.");
	json_t *chart = xp_chart(figure, "stack", ""), *series[5];
	bool any = false;
	const char *currency = "";
	for (size_t i = 0; i < n; i++)
		currency = b[i].priced ? b[i].currency : currency;
	xp_chart_axis(chart, "x", "cost of an endpoint", currency, XP_AXIS_ZERO);
	xp_chart_axis(chart, "y", "", "", 0);
	for (size_t k = 0; k < 5; k++)
		series[k] = xp_chart_series(report, chart, parts[k], parts[k], "");
	for (size_t i = 0; i < n; i++) {
		const struct topo_cost *c = &b[i].cost;
		const double values[] = { c->switches + c->ports, c->cables[TOPO_COPPER], c->cables[TOPO_OPTICAL],
			                  c->terminals[TOPO_COPPER] + c->terminals[TOPO_OPTICAL], c->energy };
		if (!b[i].priced || strcmp(b[i].currency, currency) != 0)
			continue;
		any = true;
		double row = (double)xp_chart_name(chart, "y", names[i]);
		for (size_t k = 0; k < 5; k++)
			if (values[k] > 0)
				xp_series_point(series[k], row, values[k] / b[i].list.endpoints, NAN, NAN);
	}
	xp_chart_drop_empty(chart);
	if (any)
		xp_charts_write(report, figure);
	else
		json_decref(figure);
}

void xp_network_bills(struct xp_report *report, struct base_registry *registry)
{
	struct bill bill[16] = { 0 };
	const char *key, *names[16];
	json_t *entry;
	size_t n = 0;
	bool any = false;
	json_object_foreach(report->networks, key, entry)
	{
		if (n == 16)
			break;
		make_bill(&bill[n], json_object_get(entry, "priced"), registry);
		any |= bill[n].made;
		snprintf(bill[n].name, sizeof bill[n].name, "%.60s, %.200s",
		         bill[n].net.built ? bill[n].net.topo.kind : "", xp_text(entry, "name"));
		names[n] = bill[n].name;
		n++;
	}
	if (any) {
		json_t *figure =
		    xp_charts("parts", "What an endpoint takes of the network, no price needed: ports of switches, "
		                       "cables, metres of optical cable between switches by the layout, and watts "
		                       "by published figures of a port, where there are any for the rate.");
		chart_parts(report, figure, bill, names, n);
		xp_charts_write(report, figure);
		chart_costs(report, bill, names, n);
	}
	for (size_t i = 0; i < n; i++)
		free_bill(&bill[i]);
}

/* experiments/report/network_bill.c - bills of materials of the page's networks per endpoint (ports, cables, metres of
 * optical cable, watts), and their costs if the configurations select a cost model. The numbers are those of tilefly
 * cost. */
#include "experiments/report/network.h"
#include "experiments/report/records.h"

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
		rates[k] = net_link_at(config, &b->net.topo, k).bandwidth;
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

/* As web/bill.js takes it; all of it for each endpoint. Among the cables is the endpoint's own. */
static json_t *row_of_bill(const struct bill *b, bool priced)
{
	const struct topo_bill *l = &b->list;
	const struct topo_cost *c = &b->cost;
	double n = l->endpoints;
	return json_pack("{s:o, s:b, s:[f, f, f, o], s:[f, f, f, f, f]}", "name", xp_json_text(b->name), "priced",
	                 priced, "parts", (double)l->ports / n, (double)topo_bill_all_cables(l) / n,
	                 l->metres[TOPO_OPTICAL] / n, xp_json_number(b->watts < 0 ? NAN : b->watts / n), "costs",
	                 (c->switches + c->ports) / n, c->cables[TOPO_COPPER] / n, c->cables[TOPO_OPTICAL] / n,
	                 (c->terminals[TOPO_COPPER] + c->terminals[TOPO_OPTICAL]) / n, c->energy / n);
}

void xp_network_bills(struct xp_report *report, struct base_registry *registry)
{
	struct bill bill[16] = { 0 };
	const char *key, *currency = "";
	json_t *entry, *rows = json_array();
	size_t n = 0;
	json_object_foreach(report->networks, key, entry)
	{
		if (n == 16)
			break;
		if (!json_object_get(entry, "priced"))
			continue;
		struct bill *b = &bill[n++];
		make_bill(b, json_object_get(entry, "priced"), registry);
		snprintf(b->name, sizeof b->name, "%.60s, %.200s", b->net.built ? b->net.topo.kind : "",
		         xp_text(entry, "name"));
		currency = b->priced ? b->currency : currency;
	}
	for (size_t i = 0; i < n; i++)
		if (bill[i].made)
			json_array_append_new(
			    rows, row_of_bill(&bill[i], bill[i].priced && !strcmp(bill[i].currency, currency)));
	xp_records(report, "bills", json_pack("{s:o, s:o}", "rows", rows, "currency", xp_json_text(currency)));
	xp_figures(report, "bills", "bills");
	for (size_t i = 0; i < n; i++)
		free_bill(&bill[i]);
}

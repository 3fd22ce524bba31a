/* experiments/commands/cost_print.c - prints the output of `tilefly cost`: first figures that need no prices, then
 * costs, then the factors on prices at which the order of the networks changes. */
#include "base/json.h"
#include "base/memory.h"
#include "experiments/commands/cost.h"
#include "experiments/results/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static const char *const media[] = { [TOPO_COPPER] = "copper", [TOPO_OPTICAL] = "optical" };

static const char *class_of(const struct xp_costing *c, const struct topo_bill_cables *line)
{
	return line->link_class == TOPO_TERMINAL ? "terminal" : c->topo.link_class_name[line->link_class];
}

static double cables_per_endpoint(const struct xp_costing *c)
{
	return xp_per_endpoint(c, (double)topo_bill_all_cables(&c->bill));
}

static double switches_cost(const struct xp_costing *c)
{
	return xp_per_endpoint(c, c->cost.switches + c->cost.ports);
}

static double terminals_cost(const struct xp_costing *c)
{
	return xp_per_endpoint(c, c->cost.terminals[TOPO_COPPER] + c->cost.terminals[TOPO_OPTICAL]);
}

/* Of the total, per endpoint: what has the price of optical cables; of ports. */
static double optical_part(const struct xp_costing *c)
{
	return xp_per_endpoint(c, c->cost.cables[TOPO_OPTICAL] + c->cost.terminals[TOPO_OPTICAL]);
}

static double ports_part(const struct xp_costing *c)
{
	return xp_per_endpoint(c, c->cost.ports);
}

/* Money for a Gb/s that uniform traffic delivers; negative: not known. */
static double per_gbps(const struct xp_costing *c)
{
	return c->uniform > 0 ? xp_per_endpoint(c, c->cost.total) / (c->uniform * c->gbps) : -1;
}

/* --- one network, text ----------------------------------------------------------------------------------- */

static void print_switches(const struct xp_costing *c)
{
	for (size_t i = 0; i < c->bill.nsw; i++) {
		const struct topo_bill_switches *s = &c->bill.sw[i];
		printf("%-20s %" PRIu64 " with %u ports, %u to switches and %u to endpoints, up to %g Gb/s\n",
		       i ? "" : "switches", s->n, s->network + s->terminals, s->network, s->terminals,
		       (double)s->rate * 1e-9);
	}
}

/* Lines of one class and medium together: "405 copper of 1 m", "648 optical of 3 to 6 m, 4 m on average". */
static void print_cables(const struct xp_costing *c)
{
	const struct topo_bill *b = &c->bill;
	for (size_t i = 0, next; i < b->ncable; i = next) {
		const struct topo_bill_cables *line = &b->cable[i];
		uint64_t n = 0;
		double metres = 0;
		for (next = i; next < b->ncable && b->cable[next].link_class == line->link_class &&
		               b->cable[next].medium == line->medium;
		     next++) {
			n += b->cable[next].n;
			metres += (double)b->cable[next].n * b->cable[next].mm * 1e-3;
		}
		double last = b->cable[next - 1].mm * 1e-3;
		printf("%-20s %-8s %9" PRIu64 " %-7s %6g Gb/s  ", i ? "" : "cables", class_of(c, line), n,
		       media[line->medium], (double)line->rate * 1e-9);
		if (next == i + 1)
			printf("%g m\n", last);
		else
			printf("%g to %g m, mean %.4g m\n", line->mm * 1e-3, last, metres / (double)n);
	}
}

static void print_watts(const struct xp_costing *c)
{
	if (c->watts < 0)
		printf("%-20s no published power per port for each of these rates\n", "watts");
	else
		printf("%-20s %.4f per endpoint, %.0f in total (%s)\n", "watts", xp_per_endpoint(c, c->watts), c->watts,
		       c->watts_source ? c->watts_source : "published power per port at each rate");
}

static void print_money(const struct xp_costing *c)
{
	const struct topo_cost *k = &c->cost;
	const char *currency = topo_currency(&c->model), *source = c->model.plugin->source;
	printf("%-20s %s%s%s\n", "cost model", c->model.plugin->name,
	       c->prices ? ", "
	       : source  ? ", "
	                 : "",
	       c->prices ? c->prices->name
	       : source  ? source
	                 : "");
	printf("%-20s %10s %s per endpoint\n", "", "", currency);
	printf("%-20s %12.4f\n", "  switches", switches_cost(c));
	printf("%-20s %12.4f\n", "  copper cables", xp_per_endpoint(c, k->cables[TOPO_COPPER]));
	printf("%-20s %12.4f\n", "  optical cables", xp_per_endpoint(c, k->cables[TOPO_OPTICAL]));
	printf("%-20s %12.4f\n", "  endpoint cables", terminals_cost(c));
	if (k->years > 0)
		printf("%-20s %12.4f  %g years, load %g, %g W from the grid per W\n", "  energy",
		       xp_per_endpoint(c, k->energy), k->years, k->share, k->cooling);
	printf("%-20s %12.4f  %.0f in total\n", "  total", xp_per_endpoint(c, k->total), k->total);
	if (per_gbps(c) >= 0)
		printf("%-20s %12.4f  per Gb/s of uniform traffic delivered\n", "", per_gbps(c));
	if (k->loaded >= 0)
		printf("%-20s %12.4f  under load, %.4f idle, without cooling\n", "  watts",
		       xp_per_endpoint(c, k->loaded), xp_per_endpoint(c, k->idle));
}

static void print_one(const struct xp_costing *c)
{
	const struct topo_bill *b = &c->bill;
	printf("%-20s %s, %u endpoints on %u switches", "topology", c->topo.kind, b->endpoints, b->switches + b->own);
	if (b->own)
		printf(", of which %u are part of endpoints and not counted", b->own);
	printf("\n");
	printf("%-20s %u in %u rows of %u, at most %u switches per rack\n", "racks", b->racks, b->rows, b->columns,
	       b->most);
	print_switches(c);
	printf("%-20s %.4f per endpoint, %" PRIu64 " in total\n", "ports used", xp_per_endpoint(c, (double)b->ports),
	       b->ports);
	print_cables(c);
	printf("%-20s %.4f cables per endpoint%s\n", "", cables_per_endpoint(c), b->own ? "" : ", including its own");
	printf("%-20s %.4f m per endpoint, %.0f m in total, between switches\n", "optics",
	       xp_per_endpoint(c, b->metres[TOPO_OPTICAL]), b->metres[TOPO_OPTICAL]);
	print_watts(c);
	if (c->uniform >= 0)
		printf("%-20s %.4f of injection bandwidth, upper bound for uniform traffic under minimal routing\n",
		       "uniform", c->uniform);
	if (c->priced)
		print_money(c);
	else
		printf("%-20s no cost model selected: set cost.kind, see tilefly list cost\n", "prices");
}

/* --- several --------------------------------------------------------------------------------------------- */

struct cost_order {
	int *at; /* networks, the cheapest first */
	double *total, *optical, *ports;
};

static struct cost_order order_of(const struct xp_costing *c, int n)
{
	struct cost_order o = { base_calloc((size_t)n, sizeof(int)), base_calloc((size_t)n, sizeof(double)),
		                base_calloc((size_t)n, sizeof(double)), base_calloc((size_t)n, sizeof(double)) };
	for (int i = 0; i < n; i++) {
		o.total[i] = xp_per_endpoint(&c[i], c[i].cost.total);
		o.optical[i] = optical_part(&c[i]);
		o.ports[i] = ports_part(&c[i]);
		int k = i;
		for (; k > 0 && c[0].priced && o.total[i] < o.total[o.at[k - 1]]; k--)
			o.at[k] = o.at[k - 1];
		o.at[k] = i;
	}
	return o;
}

static void free_order(struct cost_order *o)
{
	free(o->at);
	free(o->total);
	free(o->optical);
	free(o->ports);
}

/* Of an endpoint: what the model says, else the published figures of a port. */
static double watts_per_endpoint(const struct xp_costing *c)
{
	double watts = c->priced && c->cost.loaded >= 0 ? c->cost.loaded : c->watts;
	return watts < 0 ? -1 : xp_per_endpoint(c, watts);
}

/* Negative is not known. */
static double known(double value)
{
	return value < 0 ? (double)NAN : value;
}

static void add_row(struct xp_table *t, const struct xp_costing *c, int place)
{
	const struct topo_cost *k = &c->cost;
	if (place)
		xp_table_number(t, place);
	xp_table_text(t, c->name);
	xp_table_numbers(t, c->topo.endpoints, known(c->uniform), xp_per_endpoint(c, c->bill.switches),
	                 xp_per_endpoint(c, (double)c->bill.ports), cables_per_endpoint(c),
	                 xp_per_endpoint(c, c->bill.metres[TOPO_OPTICAL]), known(watts_per_endpoint(c)));
	if (c->priced) {
		xp_table_numbers(t, switches_cost(c), xp_per_endpoint(c, k->cables[TOPO_COPPER]),
		                 xp_per_endpoint(c, k->cables[TOPO_OPTICAL]), terminals_cost(c));
		if (k->years > 0)
			xp_table_number(t, xp_per_endpoint(c, k->energy));
		xp_table_numbers(t, xp_per_endpoint(c, k->total), known(per_gbps(c)));
	}
	xp_table_end(t);
}

static void say_tie(const struct xp_costing *c, const char *what, const char *part, struct topo_tie t)
{
	printf("%s changes", what);
	if (t.above == 0 && t.below == 0) {
		printf(" at no factor on the price of %s\n", part);
		return;
	}
	if (t.above > 0)
		printf(" at %.4g times the price of %s (%s is then cheaper than %s)", t.above, part, c[t.above_b].name,
		       c[t.above_a].name);
	else
		printf(" at no higher price of %s", part);
	if (t.below > 0)
		printf(", and at %.4g times it (%s than %s)", t.below, c[t.below_b].name, c[t.below_a].name);
	else
		printf(", at no lower factor");
	printf("\n");
}

static void print_ranking(const struct xp_costing *c, int n, const struct cost_order *o)
{
	printf("\n");
	say_tie(c, "First place", "optical cables", topo_tie_of(o->total, o->optical, n, true));
	say_tie(c, "First place", "ports", topo_tie_of(o->total, o->ports, n, true));
	if (n > 2) {
		say_tie(c, "The order", "optical cables", topo_tie_of(o->total, o->optical, n, false));
		say_tie(c, "The order", "ports", topo_tie_of(o->total, o->ports, n, false));
	}
}

static void print_table(const struct xp_costing *c, int n)
{
	struct cost_order o = order_of(c, n);
	struct xp_table t = { .gap = 1 };
	bool priced = c[0].priced;
	if (priced)
		printf("%s, %s per endpoint except in the last column; %s\n\n", c[0].model.plugin->name,
		       topo_currency(&c[0].model),
		       c[0].prices                 ? c[0].prices->name
		       : c[0].model.plugin->source ? c[0].model.plugin->source
		                                   : "no source");
	if (priced)
		xp_table_layout(&t, "rank :5:%4.0f ");
	xp_table_layout(&t, "config|endpoints:9:%.0f|uniform:8:%.4f|switches:8:%.4f|ports:7:%.4f|cables:7:%.4f|"
	                    "optics/m:8:%.3f|watts:7:%.3f");
	if (priced)
		xp_table_layout(&t, "switches:9:%.2f|copper:8:%.2f|optical:8:%.2f|ep.wire:8:%.2f");
	if (priced && c[0].cost.years > 0)
		xp_table_layout(&t, "energy:8:%.2f");
	if (priced)
		xp_table_layout(&t, "total:9:%.2f|a Gb/s:8:%.3f");
	for (int i = 0; i < n; i++)
		add_row(&t, &c[o.at[i]], priced ? i + 1 : 0);
	xp_table_print(&t, stdout);
	if (priced)
		print_ranking(c, n, &o);
	else
		printf("\nSwitches, ports, cables, metres and watts are per endpoint. Without a cost model (cost.kind) "
		       "the networks are not ranked.\n");
	free_order(&o);
}

void xp_cost_print_text(const struct xp_costing *c, int n)
{
	if (n == 1)
		print_one(c);
	else
		print_table(c, n);
}

/* --- JSON ------------------------------------------------------------------------------------------------ */

static void json_cables(struct base_json *j, const struct xp_costing *c)
{
	base_json_array(j, "cables");
	for (size_t i = 0; i < c->bill.ncable; i++) {
		const struct topo_bill_cables *line = &c->bill.cable[i];
		base_json_object(j, NULL);
		base_json_string(j, "class", class_of(c, line));
		base_json_string(j, "medium", media[line->medium]);
		base_json_double(j, "length_m", line->mm * 1e-3);
		base_json_double(j, "gbps", (double)line->rate * 1e-9);
		base_json_uint(j, "count", line->n);
		base_json_end(j);
	}
	base_json_end(j);
}

static void json_switches(struct base_json *j, const struct xp_costing *c)
{
	base_json_array(j, "switch_kinds");
	for (size_t i = 0; i < c->bill.nsw; i++) {
		const struct topo_bill_switches *s = &c->bill.sw[i];
		base_json_object(j, NULL);
		base_json_uint(j, "ports", s->network + s->terminals);
		base_json_uint(j, "to_switches", s->network);
		base_json_uint(j, "to_endpoints", s->terminals);
		base_json_double(j, "gbps", (double)s->rate * 1e-9);
		base_json_uint(j, "count", s->n);
		base_json_end(j);
	}
	base_json_end(j);
}

static void json_money(struct base_json *j, const struct xp_costing *c)
{
	const struct topo_cost *k = &c->cost;
	base_json_object(j, "cost");
	base_json_string(j, "model", c->model.plugin->name);
	base_json_string(j, "source",
	                 c->prices                 ? c->prices->name
	                 : c->model.plugin->source ? c->model.plugin->source
	                                           : "");
	base_json_string(j, "currency", topo_currency(&c->model));
	base_json_object(j, "per_endpoint");
	base_json_double(j, "switches", switches_cost(c));
	base_json_double(j, "ports", ports_part(c));
	base_json_double(j, "copper", xp_per_endpoint(c, k->cables[TOPO_COPPER]));
	base_json_double(j, "optical", xp_per_endpoint(c, k->cables[TOPO_OPTICAL]));
	base_json_double(j, "endpoint_cables", terminals_cost(c));
	base_json_double(j, "energy", xp_per_endpoint(c, k->energy));
	base_json_double(j, "total", xp_per_endpoint(c, k->total));
	base_json_end(j);
	base_json_double(j, "total", k->total);
	base_json_double(j, "per_uniform_gbps", known(per_gbps(c)));
	base_json_double(j, "idle_w_per_endpoint", known(k->idle < 0 ? -1 : xp_per_endpoint(c, k->idle)));
	base_json_double(j, "loaded_w_per_endpoint", known(k->loaded < 0 ? -1 : xp_per_endpoint(c, k->loaded)));
	base_json_end(j);
}

static void json_one(struct base_json *j, const struct xp_costing *c)
{
	const struct topo_bill *b = &c->bill;
	base_json_object(j, NULL);
	base_json_string(j, "config", c->name);
	base_json_string(j, "kind", c->topo.kind);
	base_json_uint(j, "endpoints", b->endpoints);
	base_json_uint(j, "switches", b->switches);
	base_json_uint(j, "own_switches", b->own);
	base_json_uint(j, "radix", b->radix);
	base_json_uint(j, "racks", b->racks);
	base_json_uint(j, "rack_rows", b->rows);
	base_json_uint(j, "rack_columns", b->columns);
	base_json_uint(j, "rack_most_switches", b->most);
	base_json_uint(j, "ports", b->ports);
	base_json_double(j, "switches_per_endpoint", xp_per_endpoint(c, b->switches));
	base_json_double(j, "ports_per_endpoint", xp_per_endpoint(c, (double)b->ports));
	base_json_double(j, "cables_per_endpoint", cables_per_endpoint(c));
	base_json_uint(j, "copper_cables", b->cables[TOPO_COPPER]);
	base_json_uint(j, "optical_cables", b->cables[TOPO_OPTICAL]);
	base_json_double(j, "copper_m", b->metres[TOPO_COPPER]);
	base_json_double(j, "optical_m", b->metres[TOPO_OPTICAL]);
	base_json_double(j, "optical_m_per_endpoint", xp_per_endpoint(c, b->metres[TOPO_OPTICAL]));
	base_json_double(j, "port_figures_w_per_endpoint", known(c->watts < 0 ? -1 : xp_per_endpoint(c, c->watts)));
	base_json_double(j, "saturation_uniform", known(c->uniform));
	json_switches(j, c);
	json_cables(j, c);
	if (c->priced)
		json_money(j, c);
	else
		base_json_null(j, "cost");
	base_json_end(j);
}

static void json_tie(struct base_json *j, const struct xp_costing *c, const char *key, struct topo_tie t)
{
	base_json_object(j, key);
	base_json_double(j, "above", known(t.above > 0 ? t.above : -1));
	if (t.above > 0)
		base_json_string(j, "above_cheaper", c[t.above_b].name);
	base_json_double(j, "below", known(t.below > 0 ? t.below : -1));
	if (t.below > 0)
		base_json_string(j, "below_cheaper", c[t.below_b].name);
	base_json_end(j);
}

static void json_ranking(struct base_json *j, const struct xp_costing *c, int n)
{
	struct cost_order o = order_of(c, n);
	base_json_array(j, "ranking");
	for (int i = 0; i < n; i++)
		base_json_string(j, NULL, c[o.at[i]].name);
	base_json_end(j);
	base_json_object(j, "first_place_changes_at_factor");
	json_tie(j, c, "optical", topo_tie_of(o.total, o.optical, n, true));
	json_tie(j, c, "ports", topo_tie_of(o.total, o.ports, n, true));
	base_json_end(j);
	base_json_object(j, "order_changes_at_factor");
	json_tie(j, c, "optical", topo_tie_of(o.total, o.optical, n, false));
	json_tie(j, c, "ports", topo_tie_of(o.total, o.ports, n, false));
	base_json_end(j);
	free_order(&o);
}

void xp_cost_print_json(const struct xp_costing *c, int n)
{
	struct base_json j = base_json_stream(stdout);
	if (n == 1) {
		json_one(&j, c);
		base_json_newline(&j);
		return;
	}
	base_json_object(&j, NULL);
	base_json_array(&j, "networks");
	for (int i = 0; i < n; i++)
		json_one(&j, &c[i]);
	base_json_end(&j);
	if (c[0].priced)
		json_ranking(&j, c, n);
	base_json_end(&j);
	base_json_newline(&j);
}

/* tests/topo/test_cost.c - the published linear model against tables made without tilefly, a book of prices by hand,
 * and where orders change. */
#include "tests/topo/fixture.h"
#include "topo/cost.h"

#include <stdio.h>

#define G UINT64_C(1000000000)

static void make_bill(struct topo_bill *b, const struct base_plugin *plugin, const char *text, int fold, uint64_t rate)
{
	struct topo_layout_params p = { 0 };
	struct base_errors errors = { 0 };
	struct topo_layout layout;
	struct topo topo;
	uint64_t rates[TOPO_LINK_CLASSES];
	for (int k = 0; k < TOPO_LINK_CLASSES; k++)
		rates[k] = rate;
	base_params_defaults(topo_layout_table, &p, &errors);
	p.fold = fold;
	make_topo(&topo, plugin, text);
	cr_assert_eq(topo_layout_build(&layout, &topo, &p, &errors), 0);
	topo_bill_make(b, &topo, &layout, rates, rate);
	topo_layout_free(&layout);
	topo_destroy(&topo);
}

static const struct topo_model linear = { .plugin = &topo_cost_linear };

/* cost1000.csv: router_per_node, elec_per_node, opt_per_node, total_with_ep; the rows of these families. */
Test(cost, equals_the_tabulated_dollars)
{
	static const struct {
		const struct base_plugin *plugin;
		const char *text;
		double router, copper, optical, total;
	} row[] = {
		{ &topo_hyperx, "dims=10,10 endpoints=10", 891.89, 17.73, 137.9622, 1086.9822 },
		{ &topo_hyperx, "dims=6,6,6 endpoints=5", 1223.14, 39.4, 152.2293, 1454.1693 },
		{ &topo_fattree, "k=16", 1473.1562, 39.4, 312.6914, 1864.6476 },
		{ &topo_dragonfly_plus, "leaves=8 spines=8 h=8 g=17 p=8 trunk=4", 1178.525, 39.4, 154.4638, 1411.7888 },
		{ &topo_bundlefly, "q=5 supernode=5 endpoints=4", 915.725, 24.625, 152.1068, 1131.8568 },
		{ &topo_mlfm, "h=9", 902.4833, 0, 309.1966, 1251.08 },
		{ &topo_slimfly, "q=9 endpoints=6", 960.8833, 16.4167, 203.7893, 1220.4893 },
		{ &topo_dragonfly, "p=4 a=8 h=4 g=33", 1090.925, 34.475, 156.2813, 1321.0813 },
	};
	struct base_errors errors = { 0 };
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		for (int radix = 0; radix < 2; radix++) { /* in these every switch uses as many ports */
			struct topo_bill b;
			struct topo_cost c;
			struct topo_cost_choice choice = { .radix = radix };
			make_bill(&b, row[i].plugin, row[i].text, TOPO_FOLD_SHORT, 40 * G);
			cr_assert_eq(topo_cost_make(&c, &linear, &b, &choice, &errors), 0, "%s", row[i].text);
			double n = b.endpoints;
			cr_expect_float_eq((c.switches + c.ports) / n, row[i].router, 6e-5, "%s: %f", row[i].text,
			                   (c.switches + c.ports) / n);
			cr_expect_float_eq(c.cables[TOPO_COPPER] / n, row[i].copper, 6e-5, "%s: %f", row[i].text,
			                   c.cables[TOPO_COPPER] / n);
			cr_expect_float_eq(c.cables[TOPO_OPTICAL] / n, row[i].optical, 6e-5, "%s: %f", row[i].text,
			                   c.cables[TOPO_OPTICAL] / n);
			cr_expect_float_eq(c.total / n, row[i].total, 1.1e-4, "%s: %f", row[i].text, c.total / n);
			topo_bill_free(&b);
		}
}

/* The reference run of topologies.md 1.4: dollars without endpoint cables and watts an endpoint, 0.1 %. */
Test(cost, equals_the_reference_run)
{
	static const struct {
		const struct base_plugin *plugin;
		const char *text;
		int fold;
		double dollars, watts;
	} row[] = {
		{ &topo_slimfly, "q=19 endpoints=15", 0, 1168.2, 8.213 },
		{ &topo_slimfly, "q=19 endpoints=13", 0, 1294.1, 9.046 },
		{ &topo_slimfly, "q=17 endpoints=13", 0, 1159.4, 8.185 },
		{ &topo_dragonfly, "p=7 a=14 h=7", 0, 1422.0, 10.8 },
		{ &topo_dragonfly, "p=8 a=16 h=8", 0, 1446.3, 10.85 },
		{ &topo_fattree, "k=36", 0, 1987.5, 14.0 },
		{ &topo_hyperx, "dims=12,12,12 endpoints=12", 0, 1416.4, 10.5 },
		{ &topo_hyperx, "dims=22,22 endpoints=22", 0, 1145.6, 8.145 },
		{ &topo_torus, "dims=22,22,22 endpoints=1", TOPO_FOLD_SHORT, 1679, 19.6 },
		{ &topo_torus, "dims=22,22,22 endpoints=1", TOPO_FOLD_NONE, 2210.6, 19.6 },
	};
	struct base_errors errors = { 0 };
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct topo_bill b;
		struct topo_cost c;
		make_bill(&b, row[i].plugin, row[i].text, row[i].fold, 40 * G);
		cr_assert_eq(topo_cost_make(&c, &linear, &b, &(struct topo_cost_choice){ 0 }, &errors), 0);
		double n = b.endpoints;
		double dollars = (c.total - c.terminals[TOPO_COPPER] - c.terminals[TOPO_OPTICAL]) / n;
		cr_expect_float_eq(dollars, row[i].dollars, 1e-3 * row[i].dollars, "%s: %f", row[i].text, dollars);
		cr_expect_float_eq(c.loaded / n, row[i].watts, 1e-3 * row[i].watts, "%s: %f W", row[i].text,
		                   c.loaded / n);
		cr_expect_float_eq((c.terminals[TOPO_COPPER] + c.terminals[TOPO_OPTICAL]) / n, 39.4, 1e-9);
		topo_bill_free(&b);
	}
}

static void expect_refusal(const struct topo_model *m, const struct base_plugin *plugin, const char *text,
                           uint64_t rate, const char *key, const char *want)
{
	struct base_errors errors = { 0 };
	struct topo_bill b;
	struct topo_cost c;
	bool found = false;
	make_bill(&b, plugin, text, TOPO_FOLD_SHORT, rate);
	cr_expect_eq(topo_cost_make(&c, m, &b, &(struct topo_cost_choice){ .radix = TOPO_BUY_USED }, &errors), -1, "%s",
	             text);
	for (size_t i = 0; i < errors.n; i++)
		found = found || (!strcmp(errors.v[i].key, key) && strstr(errors.v[i].text, want));
	cr_expect(found, "%s: wanted \"%s: %s\", got \"%s: %s\"", text, key, want, errors.n ? errors.v[0].key : "",
	          errors.n ? errors.v[0].text : "nothing");
	base_errors_free(&errors);
	topo_bill_free(&b);
}

Test(cost, the_linear_model_refuses_what_it_was_not_made_for)
{
	expect_refusal(&linear, &topo_slimfly, "q=5", 100 * G, "kind",
	               "holds for links of 40 Gb/s; this network has some of 100 Gb/s");
	expect_refusal(&linear, &topo_single, "ports=2", 40 * G, "kind", "no price for a switch of 2 ports");
}

/* Copper is cheaper below 21.19 m (topologies.md 1.4), optical above. */
Test(cost, the_cheaper_medium)
{
	struct base_errors errors = { 0 };
	for (unsigned n = 30; n <= 100; n += 10) {
		struct topo_bill b;
		struct topo_cost c;
		char text[32];
		snprintf(text, sizeof text, "dims=3,%u endpoints=1", n * n); /* n^2 racks: wraps of up to 2 n + 1 m */
		make_bill(&b, &topo_torus, text, TOPO_FOLD_NONE, 40 * G);
		cr_assert_eq(topo_cost_make(&c, &linear, &b, &(struct topo_cost_choice){ .media = 1 }, &errors), 0);
		for (size_t i = 0; i < b.ncable; i++)
			cr_assert_eq(b.cable[i].medium == TOPO_COPPER, b.cable[i].mm <= 21190, "%u mm", b.cable[i].mm);
		cr_assert_gt(b.cables[TOPO_OPTICAL], 0u);
		topo_bill_free(&b);
	}
}

/* --- a book of prices ------------------------------------------------------------------------------------ */

static struct topo_price_switch sold[] = {
	{ .ports = 16, .rate = 100 * G, .price = 1000, .per_port = 10, .idle = 50, .loaded = 100 },
	{ .ports = 64, .rate = 100 * G, .price = 3000, .idle = 100, .loaded = 300 },
	{ .ports = 16, .rate = 400 * G, .price = 900, .per_port = 20, .idle = 60, .loaded = 120 },
};
static struct topo_price_cable wires[] = {
	{ .medium = TOPO_COPPER, .rate = 100 * G, .length = 1, .price = 50 },
	{ .medium = TOPO_COPPER, .rate = 100 * G, .length = 3, .price = 45 }, /* longer, and cheaper */
	{ .medium = TOPO_OPTICAL, .rate = 100 * G, .length = 30, .price = 200, .per_metre = 5, .idle = 2, .loaded = 3 },
};
static char book_name[] = "book.cfg", euros[] = "EUR";
static struct topo_prices book = {
	.name = book_name, .currency = euros, .sw = sold, .nsw = 3, .cable = wires, .ncable = 3
};
static const struct topo_model prices = { .plugin = &topo_cost_prices, .prices = &book };

/* A full mesh of 10 racks of one switch: 9 + 3 ports. 1000 + 12 x 10 = 1120 by the first, 900 + 12 x 20 = 1140. */
Test(cost, buys_the_cheapest_that_serves)
{
	struct base_errors errors = { 0 };
	struct topo_bill b;
	struct topo_cost c;
	make_bill(&b, &topo_hyperx, "dims=3,4 endpoints=7", TOPO_FOLD_SHORT,
	          100 * G); /* racks of 3 in 2 x 2; 12 ports */
	cr_assert_eq(topo_cost_make(&c, &prices, &b, &(struct topo_cost_choice){ 0 }, &errors), 0);
	cr_expect_float_eq(c.switches, 12 * 1000, 1e-9);
	cr_expect_float_eq(c.ports, 12 * 120, 1e-9);
	cr_expect_float_eq(c.cables[TOPO_COPPER], 12 * 45, 1e-9); /* 4 racks x 3 */
	/* 3 x 6 between racks: 3 x 4 beside each other, 3 m, 3 x 2 across, 4 m */
	cr_expect_float_eq(c.cables[TOPO_OPTICAL], 12 * 215 + 6 * 220, 1e-9);
	cr_expect_float_eq(c.terminals[TOPO_COPPER], 84 * 45, 1e-9);
	cr_expect_float_eq(c.idle, 12 * 50 + 18 * 2, 1e-9);
	cr_expect_float_eq(c.loaded, 12 * 100 + 18 * 3, 1e-9);
	cr_expect_float_eq(c.total, 12 * 1120 + 12 * 45 + 12 * 215 + 6 * 220 + 84 * 45, 1e-9);
	cr_expect_str_eq(topo_currency(&prices), "EUR");
	topo_bill_free(&b);
}

/* 1 W from the grid for a year of 365.25 days: 8.766 kWh. */
Test(cost, energy_over_the_years)
{
	struct base_errors errors = { 0 };
	struct topo_bill b;
	struct topo_cost c;
	book.energy = (struct topo_price_energy){ .price = 0.2, .cooling = 1.5, .years = 4, .load = 0.25 };
	make_bill(&b, &topo_hyperx, "dims=3,4 endpoints=7", TOPO_FOLD_SHORT, 100 * G);
	cr_assert_eq(topo_cost_make(&c, &prices, &b, &(struct topo_cost_choice){ 0 }, &errors), 0);
	double watts = (12 * 50 + 18 * 2) * 0.75 + (12 * 100 + 18 * 3) * 0.25;
	cr_expect_float_eq(c.energy, watts * 8.766 * 1.5 * 4 * 0.2, 1e-6);
	cr_expect_float_eq(c.total, 12 * 1120 + 12 * 45 + 12 * 215 + 6 * 220 + 84 * 45 + c.energy, 1e-6);
	topo_bill_free(&b);
}

Test(cost, what_is_not_sold_has_no_price)
{
	book.switches_line = 3;
	book.cables_line = 9;
	expect_refusal(&prices, &topo_hyperx, "dims=60 endpoints=9", 100 * G, "@book.cfg:3: switches",
	               "no switch has 68 ports of 100 Gb/s; the largest of that rate has 64");
	expect_refusal(&prices, &topo_single, "ports=4", 800 * G, "@book.cfg:3: switches",
	               "no switch has 4 ports of at least 800 Gb/s");
	expect_refusal(&prices, &topo_single, "ports=4", 400 * G, "@book.cfg:9: cables", "no copper cable at 400 Gb/s");
	expect_refusal(&prices, &topo_slimfly, "q=5", 400 * G, "@book.cfg:9: cables", "no optical cable at 400 Gb/s");
	wires[2].length = 3;
	expect_refusal(&prices, &topo_hyperx, "dims=3,4 endpoints=7", 100 * G, "@book.cfg:9: cables",
	               "no optical cable of 4 m at 100 Gb/s; the longest is 3 m");
}

/* --- where an order changes ------------------------------------------------------------------------------ */

/* 10 + 2 f, 11 + f, 15 + 0 f (totals at f = 1: 12, 12.5... ) */
Test(tie, of_lines_that_cross)
{
	/* a = 8 + 4 f, b = 10 + 3 f, c = 16 + 0 f: a = b at 2, a = c at 2, b = c at 2; then d = 5 + 9 f, d = a at 0.6
	 */
	static const double total[] = { 12, 13, 16, 14 }, part[] = { 4, 3, 0, 9 };
	struct topo_tie t = topo_tie_of(total, part, 2, true);
	cr_expect_float_eq(t.above, 2, 1e-12);
	cr_expect(t.above_a == 0 && t.above_b == 1 && t.below == 0);
	t = topo_tie_of(total, part, 4, true);
	cr_expect_float_eq(t.above, 2, 1e-12);
	cr_expect_float_eq(t.below, 0.6, 1e-12);
	cr_expect(t.below_a == 0 && t.below_b == 3);
	t = topo_tie_of(total, part, 4, false); /* b and d: 10 + 3 f = 5 + 9 f at 5/6; c and d at 11/9 */
	cr_expect_float_eq(t.below, 5. / 6, 1e-12);
	cr_expect(t.below_a == 1 && t.below_b == 3);
	cr_expect_float_eq(t.above, 11. / 9, 1e-12);
	cr_expect(t.above_a == 3 && t.above_b == 2);
}

Test(tie, of_lines_that_do_not)
{
	static const double total[] = { 5, 7 }, same[] = { 2, 2 }, away[] = { 1, 4 };
	struct topo_tie t = topo_tie_of(total, same, 2, false);
	cr_expect(t.above == 0 && t.below == 0);
	t = topo_tie_of(total, away, 2, false); /* 4 + f and 3 + 4 f: at 1/3 only */
	cr_expect(t.above == 0);
	cr_expect_float_eq(t.below, 1. / 3, 1e-12);
}

/* Checked against trying: no order changes between the two factors, and one does beyond. */
Test(tie, is_where_sorting_changes)
{
	uint64_t random = 5;
	for (int round = 0; round < 2000; round++) {
		double total[5], part[5];
		int n = 2 + (int)(next_random(&random) % 4);
		for (int i = 0; i < n; i++) {
			part[i] = (double)(next_random(&random) % 1000) / 10;
			total[i] = part[i] + (double)(next_random(&random) % 1000) / 10 + i * 1e-7;
		}
		for (int first = 0; first < 2; first++) {
			struct topo_tie t = topo_tie_of(total, part, n, first);
			double f[] = { t.below > 0 ? t.below * 1.0001 : 1e-3, t.above > 0 ? t.above * 0.9999 : 1e6 };
			for (int k = 0; k < 2; k++) {
				int before = 0, after = 0;
				for (int i = 0; i < n; i++)
					for (int j = 0; j < n && first; j++) {
						before = total[i] < total[before] ? i : before;
						after = total[i] + (f[k] - 1) * part[i] <
						                total[after] + (f[k] - 1) * part[after]
						            ? i
						            : after;
					}
				cr_assert_eq(before, after, "round %d, factor %g", round, f[k]);
				for (int i = 0; i < n && !first; i++)
					for (int j = 0; j < n; j++)
						cr_assert(total[i] >= total[j] ||
						              total[i] + (f[k] - 1) * part[i] <=
						                  total[j] + (f[k] - 1) * part[j] + 1e-9,
						          "round %d, factor %g", round, f[k]);
			}
		}
	}
}

/* tests/topo/test_layout.c - racks, lengths and the bill, against the rows of reference tables that were made without
 * tilefly (tests/data/topo/README.md), and against what the rules say. */
#include "tests/topo/fixture.h"
#include "topo/bill.h"

#include <stdio.h>

static struct topo_layout_params usual(void)
{
	struct topo_layout_params p = { 0 };
	struct base_errors errors = { 0 };
	cr_assert_eq(base_params_defaults(topo_layout_table, &p, &errors), 0);
	return p;
}

struct laid {
	struct topo topo;
	struct topo_layout layout;
	struct topo_bill bill;
};

static struct laid lay_out(const struct base_plugin *plugin, const char *text, const struct topo_layout_params *p)
{
	static const uint64_t rate[TOPO_LINK_CLASSES] = { 40000000000, 40000000000, 40000000000, 40000000000,
		                                          40000000000, 40000000000, 40000000000, 40000000000 };
	struct laid l;
	struct base_errors errors = { 0 };
	make_topo(&l.topo, plugin, text);
	cr_assert_eq(topo_layout_build(&l.layout, &l.topo, p, &errors), 0, "%s", text);
	topo_bill_make(&l.bill, &l.topo, &l.layout, rate, 40000000000);
	return l;
}

static void clear(struct laid *l)
{
	topo_bill_free(&l->bill);
	topo_layout_free(&l->layout);
	topo_destroy(&l->topo);
}

/* cost1000.csv: racks, grid, elec_rr, opt_rr, mean_opt_len_m, ports_per_endpoint, cables_per_endpoint, watt_per_node.
 */
Test(layout, equals_the_tabulated_rooms)
{
	static const struct {
		const struct base_plugin *plugin;
		const char *text;
		uint32_t racks, grid, radix;
		uint64_t copper, optical;
		double mean, ports, cables, watts;
	} row[] = {
		{ &topo_hyperx, "dims=10,10 endpoints=10", 10, 4, 28, 450, 450, 4.2444, 2.8, 1.9, 7.84 },
		{ &topo_hyperx, "dims=6,6,6 endpoints=5", 6, 3, 20, 1080, 540, 3.6667, 4, 2.5, 11.2 },
		{ &topo_fattree, "k=16", 24, 5, 16, 1024, 1024, 5.9062, 5, 3, 14 },
		{ &topo_dragonfly_plus, "leaves=8 spines=8 h=8 g=17 p=8 trunk=4", 17, 5, 16, 1088, 544, 4.8824, 4, 2.5,
		  11.2 },
		{ &topo_bundlefly, "q=5 supernode=5 endpoints=4", 5, 3, 13, 625, 500, 3.6, 3.25, 2.125, 9.1 },
		{ &topo_mlfm, "h=9", 14, 4, 18, 0, 810, 4.9556, 3, 2, 8.4 },
		{ &topo_slimfly, "q=9 endpoints=6", 9, 3, 19, 405, 648, 4, 3.1667, 2.0833, 8.8667 },
		{ &topo_dragonfly, "p=4 a=8 h=4 g=33", 33, 6, 15, 924, 528, 5.8712, 3.75, 2.375, 10.5 },
	};
	struct topo_layout_params p = usual();
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct laid l = lay_out(row[i].plugin, row[i].text, &p);
		const struct topo_bill *b = &l.bill;
		const char *source;
		double n = l.topo.endpoints, optical = b->metres[TOPO_OPTICAL] / (double)b->cables[TOPO_OPTICAL];
		cr_expect_eq(b->racks, row[i].racks, "%s: %u racks", row[i].text, b->racks);
		cr_expect_eq(b->columns, row[i].grid, "%s: %u columns", row[i].text, b->columns);
		cr_expect_eq(b->radix, row[i].radix, "%s: radix %u", row[i].text, b->radix);
		cr_expect_eq(b->cables[TOPO_COPPER], row[i].copper, "%s: %lu of copper", row[i].text,
		             b->cables[TOPO_COPPER]);
		cr_expect_eq(b->cables[TOPO_OPTICAL], row[i].optical, "%s: %lu optical", row[i].text,
		             b->cables[TOPO_OPTICAL]);
		cr_expect_float_eq(optical, row[i].mean, 5.1e-5, "%s: %.6f m", row[i].text, optical);
		cr_expect_float_eq((double)b->ports / n, row[i].ports, 5.1e-5, "%s: ports", row[i].text);
		cr_expect_float_eq((double)(row[i].copper + row[i].optical) / n + 1, row[i].cables, 5.1e-5,
		                   "%s: cables", row[i].text);
		cr_expect_float_eq(topo_bill_watts(b, b->radix, &source) / n, row[i].watts, 5.1e-5, "%s: watts",
		                   row[i].text);
		clear(&l);
	}
}

/* Every switch is in a rack that there is, every cable is in the bill once, and none is shorter than inside. */
static void check_bill(const struct laid *l, const char *what)
{
	uint64_t ends = 0, cables = 0, switches = 0, ports = 0;
	double metres = 0, found = 0;
	for (topo_switch s = 0; s < l->topo.switches; s++) {
		cr_assert_lt(l->layout.rack[s], l->layout.racks, "%s", what);
		for (topo_port p = 0; p < topo_ports(&l->topo, s); p++, ends++) {
			topo_switch to = topo_peer(&l->topo, s, p).to;
			uint32_t mm = topo_layout_mm(&l->layout, s, to);
			cr_assert_eq(mm, topo_layout_mm(&l->layout, to, s), "%s: %u and %u", what, s, to);
			cr_assert_geq(mm, l->layout.inside, "%s", what);
			metres += mm * 0.5e-3;
		}
	}
	for (size_t i = 0; i < l->bill.ncable; i++) {
		const struct topo_bill_cables *c = &l->bill.cable[i];
		bool terminal = c->link_class == TOPO_TERMINAL;
		cr_assert_eq(c->medium == TOPO_COPPER, c->mm <= l->layout.copper, "%s: %u mm", what, c->mm);
		cr_assert_eq(terminal, i + 1 == l->bill.ncable, "%s", what);
		cr_assert(!terminal || (c->n == l->topo.endpoints && c->mm == l->layout.terminal), "%s", what);
		cables += terminal ? 0 : c->n;
		found += terminal ? 0 : (double)c->n * c->mm * 1e-3;
	}
	for (size_t i = 0; i < l->bill.nsw; i++) {
		switches += l->bill.sw[i].n;
		ports += l->bill.sw[i].n * (l->bill.sw[i].network + l->bill.sw[i].terminals);
	}
	cr_assert_eq(2 * cables, ends, "%s: %lu cables", what, cables);
	cr_assert_float_eq(found, metres, 1e-6 * metres, "%s: %f m, found %f", what, found, metres);
	cr_assert_float_eq(found, l->bill.metres[TOPO_COPPER] + l->bill.metres[TOPO_OPTICAL], 1e-6 * metres, "%s",
	                   what);
	cr_assert_eq(switches, l->topo.switches, "%s", what);
	cr_assert_eq(ports, ends + l->topo.endpoints, "%s", what);
	cr_assert_eq(ports, l->bill.ports, "%s", what);
}

Test(layout, counts_every_cable_of_every_family_once)
{
	static const struct {
		const struct base_plugin *plugin;
		const char *text;
	} row[] = { { &topo_slimfly, "q=4" },
		    { &topo_slimfly, "q=7 endpoints=3" },
		    { &topo_dragonfly, "p=2 a=4 h=2" },
		    { &topo_dragonfly, "p=2 a=4 g=4 trunk=5" },
		    { &topo_dragonfly_plus, "p=2 leaves=2 spines=3 h=2 g=5" },
		    { &topo_torus, "dims=4,5,2,3 endpoints=2" },
		    { &topo_torus, "dims=7 wrap=false" },
		    { &topo_hyperx, "dims=5 endpoints=2" },
		    { &topo_hyperx, "dims=2,3,4,2 trunk=1,2,1,3 endpoints=2" },
		    { &topo_fattree, "k=4 levels=2" },
		    { &topo_kary_ntree, "k=3 n=4" },
		    { &topo_xgft, "children=3,2,5 parents=1,2,3" },
		    { &topo_polarfly, "q=4" },
		    { &topo_polarfly, "q=9" },
		    { &topo_spectralfly, "p=3 q=5 endpoints=2" },
		    { &topo_jellyfish, "switches=50 degree=5 endpoints=3 seed=7" },
		    { &topo_oft, "k=4" },
		    { &topo_mlfm, "h=4" },
		    { &topo_bundlefly, "q=4 supernode=5" },
		    { &topo_polarstar, "q=3 degree=3" },
		    { &topo_hammingmesh, "board=3,2 boards=3,4 accelerators=bought" },
		    { &topo_single, "ports=8" } };
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		for (unsigned how = 0; how < 6; how++) {
			struct topo_layout_params p = usual();
			char what[128];
			p.fold = (int)(how % 3);
			if (how >= 3) {
				p.rack_switches = 3;
				p.columns = 2;
				p.width = 0.6;
				p.depth = 1.2;
				p.aisle = 0.9;
				p.copper = 4;
			}
			snprintf(what, sizeof what, "%s %s, case %u", row[i].plugin->name, row[i].text, how);
			struct laid l = lay_out(row[i].plugin, row[i].text, &p);
			check_bill(&l, what);
			if (how >= 3)
				cr_assert_leq(l.layout.most, 3u, "%s", what);
			clear(&l);
		}
}

/* q racks of a neighbour of one quadric with its other neighbours: q + 1 switches each, the quadric itself one more. */
Test(layout, polarfly_has_a_rack_for_each_neighbour_of_a_quadric)
{
	static const unsigned q[] = { 2, 3, 4, 5, 7, 8, 9, 11, 13 };
	struct topo_layout_params p = usual();
	for (size_t i = 0; i < sizeof q / sizeof *q; i++) {
		char text[16];
		snprintf(text, sizeof text, "q=%u", q[i]);
		struct laid l = lay_out(&topo_polarfly, text, &p);
		uint32_t count[16] = { 0 };
		cr_assert_eq(l.layout.racks, q[i]);
		for (topo_switch s = 0; s < l.topo.switches; s++)
			count[l.layout.rack[s]]++;
		for (unsigned r = 0; r < q[i]; r++)
			cr_assert_eq(count[r], q[i] + 1 + !r, "q = %u: %u in rack %u", q[i], count[r], r);
		/* a star of q cables in each rack, and the first quadric's own to its rack's centre */
		cr_assert_geq(l.bill.cables[TOPO_COPPER], (uint64_t)q[i] * q[i] + 1, "q = %u", q[i]);
		clear(&l);
	}
}

/* A ring of n racks: by number n - 1 cables are one rack long and one n - 1; folded two are one and the others two. */
Test(layout, rings_are_folded)
{
	struct topo_layout_params p = usual();
	p.columns = 100;
	for (uint32_t n = 3; n < 20; n++) {
		char text[32];
		snprintf(text, sizeof text, "dims=1,4,%u", n); /* dimensions of one switch are none */
		p.fold = TOPO_FOLD_NONE;
		struct laid l = lay_out(&topo_torus, text, &p);
		cr_assert_eq(l.layout.racks, n);
		cr_assert_float_eq(l.bill.metres[TOPO_OPTICAL], 4 * ((n - 1) * 3. + (n - 1 + 2)), 1e-9, "%s", text);
		clear(&l);
		p.fold = TOPO_FOLD_RACKS;
		l = lay_out(&topo_torus, text, &p);
		cr_assert_float_eq(l.bill.metres[TOPO_OPTICAL], 4 * ((n - 2) * 4. + 2 * 3.), 1e-9, "%s: %f", text,
		                   l.bill.metres[TOPO_OPTICAL]);
		clear(&l);
		p.fold = TOPO_FOLD_SHORT;
		l = lay_out(&topo_torus, text, &p);
		cr_assert_eq(l.bill.cables[TOPO_OPTICAL], 0);
		cr_assert_float_eq(l.bill.metres[TOPO_COPPER], 2. * 4 * n, 1e-9, "%s", text);
		clear(&l);
	}
}

/* The first rack of a graph without a rule: a switch and its neighbours. */
Test(layout, racks_without_a_rule_are_neighbourhoods)
{
	struct topo_layout_params p = usual();
	struct laid l = lay_out(&topo_jellyfish, "switches=64 degree=6 endpoints=2 seed=3", &p);
	cr_assert_eq(l.layout.racks, 10); /* 64 / 7, rounded up */
	cr_assert_eq(l.layout.rack[0], 0);
	for (topo_port i = 0; i < 6; i++)
		cr_assert_eq(l.layout.rack[topo_peer(&l.topo, 0, i).to], 0);
	clear(&l);
	p.rack_switches = 16;
	l = lay_out(&topo_jellyfish, "switches=64 degree=6 endpoints=2 seed=3", &p);
	cr_assert_eq(l.layout.racks, 4);
	cr_assert_eq(l.layout.most, 16);
	clear(&l);
}

Test(layout, lengths_become_latencies)
{
	struct topo_layout_params p = usual();
	struct laid l = lay_out(&topo_single, "ports=2", &p);
	cr_assert_eq(topo_layout_delay(&l.layout, 1000), 4500);
	cr_assert_eq(topo_layout_delay(&l.layout, 30000), 135000); /* 30 m: 135 ns */
	cr_assert_eq(topo_layout_delay(&l.layout, 1), 5);          /* 4.5 ps, to the nearest */
	cr_assert_eq(topo_layout_delay(&l.layout, 0), 1);
	clear(&l);
}

Test(layout, a_room_too_large_is_refused)
{
	struct topo_layout_params p = usual();
	struct topo topo;
	struct topo_layout layout;
	struct base_errors errors = { 0 };
	p.rack_switches = 1;
	p.columns = 1000000;
	p.width = 100;
	make_topo(&topo, &topo_torus, "dims=512,512 endpoints=1");
	cr_assert_eq(topo_layout_build(&layout, &topo, &p, &errors), -1);
	cr_assert(errors.n == 1 && strstr(errors.v[0].text, "at most 4,294"), "%s", errors.n ? errors.v[0].text : "");
	base_errors_free(&errors);
	topo_destroy(&topo);
}

Test(bill, watts_are_known_for_published_rates_alone)
{
	const char *source;
	cr_assert_float_eq(topo_port_watts(40000000000, &source), 2.8, 1e-12);
	cr_assert(source);
	cr_assert_float_eq(topo_port_watts(200000000000, &source), 3.90625, 1e-12);
	cr_assert_lt(topo_port_watts(100000000000, &source), 0);
	cr_assert(!source);
}

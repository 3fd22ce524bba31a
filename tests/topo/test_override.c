/* tests/topo/test_override.c - rules that give cables a bandwidth or latency of their own, or take them away. */
#include "topo/bill.h"
#include "topo/override.h"

#include "tests/topo/fixture.h"

#include <stdio.h>

static char all[] = "all";
#define RULE .from = all, .to = all, .link_class = all, .cable = all

static const struct topo_direction *own_of(const struct topo *t, topo_switch s, topo_port p)
{
	static const struct topo_direction none = { 0, 0 };
	return t->kinds ? &t->kinds->v[topo_peer(t, s, p).link_class].own : &none;
}

static void apply(struct topo *t, const struct topo_override *rules, uint32_t n)
{
	struct base_errors errors = { 0 };
	int status = topo_override(t, rules, n, &errors);
	cr_assert_eq(status, 0, "%s: %s", errors.n ? errors.v[0].key : "", errors.n ? errors.v[0].text : "");
	base_errors_free(&errors);
}

/* Some error must be of that key and contain `want`. */
static void expect_refused(const char *network, const struct base_plugin *plugin, const struct topo_override *rules,
                           uint32_t n, const char *key, const char *want)
{
	struct base_errors errors = { 0 };
	struct topo t;
	bool found = false;
	make_topo(&t, plugin, network);
	cr_expect_neq(topo_override(&t, rules, n, &errors), 0, "accepted: %s", want);
	for (size_t i = 0; i < errors.n; i++)
		found = found || (!strcmp(errors.v[i].key, key) && strstr(errors.v[i].text, want));
	cr_expect(found, "wanted \"%s: %s\", got \"%s: %s\"", key, want, errors.n ? errors.v[0].key : "",
	          errors.n ? errors.v[0].text : "nothing");
	check_cables(&t, "as it was");
	base_errors_free(&errors);
	topo_destroy(&t);
}

/* A direction of its own: the rest keeps its class, ports and routes. */
Test(override, one_direction)
{
	char from[] = "5", to[] = "6";
	const struct topo_override rules[] = {
		{ RULE, .latency = 70000 },
		{ .from = from,
		  .to = to,
		  .link_class = all,
		  .cable = all,
		  .direction = TOPO_FORWARD,
		  .bandwidth = 40000000000 },
	};
	struct topo plain, t;
	make_topo(&plain, &topo_torus, "dims=4,4");
	make_topo(&t, &topo_torus, "dims=4,4");
	apply(&t, rules, 2);
	cr_assert_eq(topo_named_classes(&t), 1);
	cr_assert_eq(t.link_classes, 1 + 1 + 2); /* local; 70 ns; 40 Gb/s there, and back */
	for (topo_switch s = 0; s < 16; s++)
		for (topo_port p = 0; p < 4; p++) {
			struct topo_hop hop = topo_peer(&t, s, p), was = topo_peer(&plain, s, p);
			const struct topo_direction *own = own_of(&t, s, p);
			topo_port a[TOPO_MAX_NEXT], b[TOPO_MAX_NEXT];
			cr_assert(hop.to == was.to && hop.port == was.port && hop.dateline == was.dateline);
			cr_assert_eq(own->latency, 70000);
			cr_assert_eq(own->bandwidth, s == 5 && hop.to == 6 ? 40000000000 : 0);
			cr_assert_str_eq(t.link_class_name[hop.link_class], "local");
			cr_assert_eq(topo_reverse_class(&t, hop.link_class),
			             topo_peer(&t, hop.to, hop.port).link_class);
			int n = t.ops->next(&t, s, (s + 7) % 16, 0, a);
			cr_assert_eq(n, plain.ops->next(&plain, s, (s + 7) % 16, 0, b));
			cr_assert_eq(memcmp(a, b, (size_t)n * sizeof *a), 0);
		}
	struct topo_facts f;
	topo_compute_facts(&t, &f);
	cr_assert_eq(f.links, 32);
	cr_assert_eq(f.links_by_class[0], 32);
	cr_assert_eq(f.diameter, 4);
	topo_destroy(&plain);
	topo_destroy(&t);
}

/* Drawn rules against a table that is filled by looking at every direction. */
Test(override, drawn_rules)
{
	uint64_t random = 7;
	for (int round = 0; round < 60; round++) {
		static const struct {
			const struct base_plugin *plugin;
			const char *text;
		} nets[] = { { &topo_torus, "dims=4,3 trunk=2" },
			     { &topo_dragonfly, "p=1 a=4 h=2 g=9" },
			     { &topo_hyperx, "dims=3,3 trunk=2" },
			     { &topo_fattree, "k=4" } };
		struct topo t, was;
		size_t kind = next_random(&random) % 4;
		make_topo(&t, nets[kind].plugin, nets[kind].text);
		make_topo(&was, nets[kind].plugin, nets[kind].text);
		uint32_t n = t.switches, a = (uint32_t)(next_random(&random) % n),
			 b = a + (uint32_t)(next_random(&random) % (n - a)), c = (uint32_t)(next_random(&random) % n),
			 d = c + (uint32_t)(next_random(&random) % (n - c));
		char from[32], to[32];
		snprintf(from, sizeof from, "%u-%u", a, b);
		snprintf(to, sizeof to, "%u-%u", c, d);
		struct topo_override rule = { .from = from,
			                      .to = to,
			                      .link_class = all,
			                      .cable = all,
			                      .direction = (int)(next_random(&random) % 2),
			                      .bandwidth = 1000000 + next_random(&random) % 1000 };
		struct base_errors errors = { 0 };
		int status = topo_override(&t, &rule, 1, &errors);
		uint64_t matches = 0;
		for (topo_switch s = 0; s < n; s++)
			for (topo_port p = 0; p < topo_ports(&was, s); p++) {
				topo_switch e = topo_peer(&was, s, p).to;
				bool there = s >= a && s <= b && e >= c && e <= d,
				     back = e >= a && e <= b && s >= c && s <= d;
				bool set = there || (back && rule.direction == TOPO_BOTH_DIRECTIONS);
				matches += set;
				cr_assert(status || own_of(&t, s, p)->bandwidth == (set ? rule.bandwidth : 0));
			}
		cr_assert_eq(status == 0, matches > 0, "round %d: %s to %s", round, from, to);
		for (topo_switch s = 0; s < n && !status; s++)
			cr_assert_eq(t.ops->distance(&t, s, 0), was.ops->distance(&was, s, 0));
		base_errors_free(&errors);
		topo_destroy(&t);
		topo_destroy(&was);
	}
}

/* Groups, classes, and the number of a cable among parallel ones. */
Test(override, selections)
{
	char group[] = "group 1-2", rest[] = "0-3, 12-35", global[] = "global", second[] = "1";
	const struct topo_override by_group = {
		.from = group, .to = rest, .link_class = global, .cable = all, .latency = 900
	};
	struct topo t;
	make_topo(&t, &topo_dragonfly, "p=1 a=4 h=2 g=9");
	apply(&t, &by_group, 1);
	for (topo_switch s = 0; s < t.switches; s++)
		for (topo_port p = 0; p < topo_ports(&t, s); p++) {
			topo_switch to = topo_peer(&t, s, p).to;
			bool inside = s / 4 == 1 || s / 4 == 2, there = to / 4 == 1 || to / 4 == 2;
			cr_assert_eq(own_of(&t, s, p)->latency, inside != there ? 900 : 0);
		}
	topo_destroy(&t);
	const struct topo_override by_number = {
		.from = all, .to = all, .link_class = all, .cable = second, .latency = 900
	};
	make_topo(&t, &topo_torus, "dims=5 trunk=3");
	apply(&t, &by_number, 1);
	for (topo_switch s = 0; s < t.switches; s++)
		for (topo_port p = 0; p < 6; p++)
			cr_assert_eq(own_of(&t, s, p)->latency, p % 3 == 1 ? 900 : 0);
	topo_destroy(&t);
}

/* A ring of six without a cable is a line. */
Test(override, absent)
{
	char a[] = "2", b[] = "3";
	const struct topo_override rules[] = {
		{ .from = b, .to = a, .link_class = all, .cable = all, .absent = true },
		{ RULE, .latency = 33000 },
	};
	struct topo t;
	struct topo_facts f;
	make_topo(&t, &topo_torus, "dims=6 endpoints=2");
	apply(&t, rules, 2);
	check_cables(&t, "line");
	check_shortest(&t, "line");
	topo_compute_facts(&t, &f);
	cr_assert_eq(f.links, 5);
	cr_assert_eq(f.diameter, 5);
	cr_assert_float_eq(f.mean_distance, 7 / 3., 1e-12); /* (n + 1) / 3 of a line of n */
	cr_assert_eq(t.ops->distance(&t, 2, 3), 5);
	cr_assert_eq(topo_ports(&t, 2), 1);
	cr_assert_eq(own_of(&t, 2, 0)->latency, 33000);
	cr_assert_eq(t.vc_rule, TOPO_VC_HOP);
	topo_destroy(&t);
}

Test(override, refused)
{
	char far[] = "16", nine[] = "group 1", lower[] = "5-2", letter[] = "0,x", none[] = "0", other[] = "10",
	     leaf[] = "9";
	char wrong[] = "locl", third[] = "3";
#define ONE(...) (const struct topo_override[]){ { __VA_ARGS__ } }, 1
	const char *torus = "dims=4,4";
	expect_refused(torus, &topo_torus, ONE(.from = far, .to = all, .link_class = all, .cable = all, .latency = 1),
	               "links.override.[0].from", "there is no switch 16; there are 16");
	expect_refused(torus, &topo_torus, ONE(.from = nine, .to = all, .link_class = all, .cable = all, .latency = 1),
	               "links.override.[0].from", "there is no group 1; there are 1");
	expect_refused(torus, &topo_torus, ONE(.from = all, .to = lower, .link_class = all, .cable = all, .latency = 1),
	               "links.override.[0].to", "ends before it begins");
	expect_refused(torus, &topo_torus,
	               ONE(.from = all, .to = letter, .link_class = all, .cable = all, .latency = 1),
	               "links.override.[0].to", "a number or a range of switches is expected");
	expect_refused(torus, &topo_torus, ONE(.from = all, .to = all, .link_class = wrong, .cable = all, .latency = 1),
	               "links.override.[0].class", "did you mean \"local\"?");
	expect_refused(torus, &topo_torus,
	               ONE(.from = none, .to = other, .link_class = all, .cable = all, .latency = 1),
	               "links.override.[0]", "matches no cable: there is none from 0 to 10");
	expect_refused(torus, &topo_torus, ONE(.from = all, .to = all, .link_class = all, .cable = third, .latency = 1),
	               "links.override.[0]", "with number 3 (the parallel cables of two switches are numbered from 0)");
	expect_refused(torus, &topo_torus, ONE(RULE, .direction = TOPO_BOTH_DIRECTIONS), "links.override.[0]",
	               "changes nothing");
	expect_refused(torus, &topo_torus, ONE(RULE, .absent = true, .direction = TOPO_FORWARD),
	               "links.override.[0].direction", "absent in both directions: credits");
	expect_refused(torus, &topo_torus, ONE(RULE, .absent = true, .latency = 5), "links.override.[0].latency",
	               "an absent cable has none");
	expect_refused(torus, &topo_torus,
	               (const struct topo_override[]){ { RULE, .latency = 5000 }, { RULE, .latency = 7000 } }, 2,
	               "links.override.[1].latency", "contradicts links.override.[0], which says 5ns");
	expect_refused(torus, &topo_torus,
	               (const struct topo_override[]){
			   { .from = none, .to = all, .link_class = all, .cable = all, .latency = 5000 },
			   { .from = none, .to = all, .link_class = all, .cable = all, .absent = true } },
	               2, "links.override.[0]", "has no effect: each of its cables is absent");
	expect_refused("k=4", &topo_fattree,
	               ONE(.from = leaf, .to = all, .link_class = all, .cable = all, .absent = true), "links.override",
	               "without the absent cables switch 9, which has no endpoints, cannot be reached from switch 0");
}

/* Each endpoint sends to the other one: loads of 1, over a channel of .4 and one of .1 of an endpoint's rate. A cable
 * is bought for the faster of its directions. */
Test(override, rates_of_directions)
{
	char a[] = "0", b[] = "1";
	const struct topo_override rules[] = {
		{ .from = a,
		  .to = b,
		  .link_class = all,
		  .cable = all,
		  .direction = TOPO_FORWARD,
		  .bandwidth = 10000000000 },
		{ .from = b,
		  .to = a,
		  .link_class = all,
		  .cable = all,
		  .direction = TOPO_FORWARD,
		  .bandwidth = 40000000000 },
	};
	struct topo t;
	struct topo_facts f;
	const char *why;
	int limit;
	make_topo(&t, &topo_torus, "dims=2");
	apply(&t, rules, 2);
	double rate[TOPO_LINK_CLASSES];
	uint64_t bits[TOPO_LINK_CLASSES];
	for (int k = 0; k < t.link_classes; k++) {
		bits[k] = t.kinds->v[k].own.bandwidth ? t.kinds->v[k].own.bandwidth : 100000000000;
		rate[k] = (double)bits[k] / 1e11;
	}
	topo_compute_facts(&t, &f);
	cr_assert_float_eq(topo_saturation(&t, &f, rate, &limit, &why), .1, 1e-12);
	cr_assert_eq(limit, topo_peer(&t, 0, 0).link_class);
	struct topo_layout_params layout = { 0 };
	struct topo_layout l;
	struct topo_bill bill;
	struct base_errors errors = { 0 };
	base_params_defaults(topo_layout_table, &layout, &errors);
	cr_assert_eq(topo_layout_build(&l, &t, &layout, &errors), 0);
	topo_bill_make(&bill, &t, &l, bits, 100000000000);
	cr_assert_eq(bill.ncable, 2); /* and those to endpoints */
	cr_assert_eq(bill.cable[0].rate, 40000000000);
	cr_assert_eq(bill.cable[0].n, 1);
	topo_bill_free(&bill);
	topo_layout_free(&l);
	base_errors_free(&errors);
	topo_destroy(&t);
}

/* Every combination is one class, found again; 4096 are too many. */
Test(override, kinds)
{
	static const char *const names[] = { "x", "y" };
	struct topo_kinds k;
	topo_kinds_start(&k, names, 2);
	struct topo_direction none = { 0, 0 }, slow = { 1000000, 0 }, far = { 0, 5 };
	cr_assert_eq(topo_kinds_class(&k, 1, none, none), 1);
	int a = topo_kinds_class(&k, 0, slow, far);
	cr_assert_eq(k.v[a].reverse, topo_kinds_class(&k, 0, far, slow));
	cr_assert_eq(k.v[k.v[a].reverse].reverse, a);
	cr_assert_eq(topo_kinds_class(&k, 0, slow, far), a);
	cr_assert_neq(topo_kinds_class(&k, 1, slow, far), a);
	cr_assert_str_eq(k.name[topo_kinds_class(&k, 1, slow, far)], "y");
	int last = 0;
	for (uint64_t i = 1; last >= 0; i++) {
		struct topo_direction own = { 0, 100 + i };
		last = topo_kinds_class(&k, 0, own, own);
		cr_assert_eq(topo_kinds_class(&k, 0, own, own), last);
	}
	cr_assert_eq(k.n, TOPO_LINK_CLASSES);
	topo_kinds_free(&k);
}

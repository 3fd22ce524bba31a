/* tests/topo/test_sizing.c - closed forms of members against the networks themselves, and the largest of each family
 * against a table made without tilefly. */
#include "tests/topo/fixture.h"
#include "topo/sizing.h"

#include <stdio.h>

/* "q = 17; endpoints = 11" as make_topo() reads it: "q=17 endpoints=11 trunk=1". */
static void as_text(const struct topo_member *m, char *out, size_t room)
{
	char text[200];
	size_t n = 0;
	topo_member_print(m, text, sizeof text);
	for (const char *p = text; *p && n + 1 < room; p++)
		if (*p == ';')
			out[n++] = ' ';
		else if (!strchr(" []\"", *p))
			out[n++] = *p;
	out[n] = 0;
}

static const struct base_plugin *plugin_of(const char *kind)
{
	static const struct base_plugin *const all[] = { &topo_xgft,           &topo_slimfly,   &topo_dragonfly,
		                                         &topo_torus,          &topo_hyperx,    &topo_fattree,
		                                         &topo_kary_ntree,     &topo_oft,       &topo_polarfly,
		                                         &topo_spectralfly,    &topo_jellyfish, &topo_mlfm,
		                                         &topo_dragonfly_plus, &topo_bundlefly, &topo_polarstar,
		                                         &topo_hammingmesh };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (!strcmp(all[i]->name, kind))
			return all[i];
	cr_assert_fail("no topology %s", kind);
	return NULL;
}

static unsigned checked;

static void check_member(void *arg, const struct topo_member *m)
{
	struct topo t;
	struct topo_facts f;
	struct topo_graph g;
	char text[200], what[300];
	double most = 0;
	(void)arg;
	if (m->switches > 400)
		return;
	as_text(m, text, sizeof text);
	snprintf(what, sizeof what, "%s %s", m->family->name, text);
	make_topo(&t, plugin_of(m->family->kind), text);
	topo_quick_facts(&t, &f);
	topo_graph_of(&g, &t);
	double *load = base_calloc(g.first[g.n], sizeof *load);
	cr_assert_eq(topo_uniform_loads(&t, &g, load), 0, "%s", what);
	for (size_t i = 0; i < g.first[g.n]; i++)
		most = fmax(most, load[i]);
	cr_expect_eq(t.switches, m->switches, "%s: %u switches, not %lu", what, t.switches, m->switches);
	cr_expect_eq(t.endpoints, m->endpoints, "%s: %u endpoints, not %lu", what, t.endpoints, m->endpoints);
	cr_expect_eq(f.links, m->cables, "%s: %lu cables, not %lu", what, f.links, m->cables);
	cr_expect_eq(f.radix, m->radix, "%s: radix %u, not %u", what, f.radix, m->radix);
	cr_expect_float_eq(1 / most, m->uniform, 1e-9 * m->uniform, "%s: saturates at %.9f, not %.9f", what, 1 / most,
	                   m->uniform);
	checked++;
	free(load);
	topo_graph_free(&g);
	topo_destroy(&t);
}

/* Does no member of a part do better than the part says? Those of the first part that holds it are checked. */
static const struct topo_family *boxed;
static struct topo_box box_of_next;
static unsigned boxes;

static bool remember(void *arg, const struct topo_box *box)
{
	(void)arg;
	boxed = box->family;
	box_of_next = *box;
	boxes++;
	return false;
}

static void check_box(void *arg, const struct topo_member *m)
{
	const struct topo_box *b = &box_of_next;
	char text[200];
	as_text(m, text, sizeof text);
	check_member(arg, m);
	if (boxed != m->family || m->family->by_search)
		return;
	cr_expect(m->endpoints >= b->least && m->endpoints <= b->endpoints, "%s %s: %lu endpoints of %lu to %lu",
	          m->family->name, text, m->endpoints, b->least, b->endpoints);
	cr_expect(m->switches >= b->switches && m->cables >= b->cables && m->radix >= b->radix,
	          "%s %s: fewer switches, cables or ports than its part", m->family->name, text);
	cr_expect(m->narrow == 0 || m->narrow >= b->narrow, "%s %s: %u ports, fewer than %u", m->family->name, text,
	          m->narrow, b->narrow);
	cr_expect(m->uniform <= b->uniform * (1 + 1e-12), "%s %s: uniform %.9f, more than %.9f", m->family->name, text,
	          m->uniform, b->uniform);
}

/* Every member of at most so many ports and 400 switches, loads added up route by route; and the last part that was
 * asked about, which holds it. */
Test(sizing, members_are_what_is_built)
{
	static const struct {
		const char *family;
		uint32_t radix;
	} row[] = { { "slimfly", 16 },         { "polarfly", 14 },     { "dragonfly", 7 },
		    { "dragonfly-plus", 8 },   { "hyperx-1d", 10 },    { "hyperx-2d", 8 },
		    { "hyperx-3d", 8 },        { "fattree-2", 24 },    { "fattree-3", 12 },
		    { "kary-ntree", 12 },      { "mlfm", 16 },         { "oft", 18 },
		    { "torus-3d", 8 },         { "torus-5d", 11 },     { "spectralfly", 9 },
		    { "jellyfish", 12 },       { "bundlefly", 16 },    { "polarstar", 14 },
		    { "polarstar-paley", 13 }, { "leaf-spine", 12 },   { "xgft-3", 6 },
		    { "hammingmesh", 10 },     { "dragonfly-grid", 6 } };
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const struct topo_family *f = topo_families;
		while (f->name && strcmp(f->name, row[i].family))
			f++;
		cr_assert(f->name, "%s", row[i].family);
		checked = 0;
		boxed = NULL;
		const char *why = f->each(f, &(struct topo_sizing){ .radix = row[i].radix,
		                                                    .endpoints = f->by_search ? 150
		                                                                 : i % 2      ? 30
		                                                                              : 0,
		                                                    .uniform = 0.9,
		                                                    .cut = remember,
		                                                    .visit = check_box });
		cr_expect(!why && checked >= 2, "%s: %u members", f->name, checked);
	}
	size_t families = 0;
	while (topo_families[families].name)
		families++;
	cr_expect_eq(families, sizeof row / sizeof *row);
}

static bool is_larger(uint64_t endpoints, uint64_t switches, uint64_t cables, const struct topo_member *best)
{
	if (endpoints != best->endpoints)
		return endpoints > best->endpoints;
	return switches != best->switches ? switches < best->switches : cables < best->cables;
}

static void keep_largest(void *arg, const struct topo_member *m)
{
	struct topo_member *best = arg;
	if (m->uniform >= 0.99 && (!best->family || is_larger(m->endpoints, m->switches, m->cables, best)))
		*best = *m;
}

/* A part with fewer endpoints than the best at most, or as many from more switches or cables. */
static bool is_smaller(void *arg, const struct topo_box *box)
{
	const struct topo_member *best = arg;
	return best->family && !is_larger(box->endpoints, box->switches, box->cables, best);
}

/* sizing.csv, every row, one cable a pair: the most endpoints at 0.99 or more from switches of at most 36 and 64 ports;
 * ties: fewer switches. */
Test(sizing, equals_the_tabulated_largest)
{
	static const struct {
		uint32_t limit;
		const char *family;
		uint64_t endpoints;
		const char *text;
		uint64_t switches, cables;
		uint32_t radix;
		double uniform;
	} row[] = {
		{ 36, "slimfly", 6358, "q=17 endpoints=11 trunk=1", 578, 7225, 36, 1.072188 },
		{ 36, "polarfly", 6636, "q=23 endpoints=12 trunk=1", 553, 6624, 36, 1.001661 },
		{ 36, "dragonfly", 29412, "p=9 a=19 h=9 g=172 trunk=1", 3268, 44118, 36, 1.005814 },
		{ 36, "hyperx-2d", 2028, "dims=13,13 trunk=1,1 endpoints=12", 169, 2028, 36, 1.082799 },
		{ 36, "hyperx-3d", 9000, "dims=10,10,10 trunk=1,1,1 endpoints=9", 1000, 13500, 36, 1.110988 },
		{ 36, "fattree-3", 11664, "k=36", 1620, 23328, 36, 1.001460 },
		{ 36, "mlfm", 6156, "h=18 endpoints=18 trunk=1", 513, 6156, 36, 1.002770 },
		{ 36, "oft", 11052, "k=18 endpoints=18 trunk=1", 921, 11052, 36, 1.001541 },
		{ 36, "dragonfly-plus", 105300, "leaves=18 spines=18 p=18 h=18 g=325 trunk=1", 11700, 157950, 36,
		  1.000161 },
		{ 64, "slimfly", 32768, "q=32 endpoints=16 trunk=1", 2048, 49152, 64, 1.361661 },
		{ 64, "polarfly", 37860, "q=43 endpoints=20 trunk=1", 1893, 41624, 64, 1.100552 },
		{ 64, "dragonfly", 279312, "p=16 a=33 h=16 g=529 trunk=1", 17457, 418968, 64, 1.001890 },
		{ 64, "hyperx-2d", 10648, "dims=22,22 trunk=1,1 endpoints=22", 484, 10164, 64, 0.999906 },
		{ 64, "hyperx-3d", 78608, "dims=17,17,17 trunk=1,1,1 endpoints=16", 4913, 117912, 64, 1.062486 },
		{ 64, "fattree-3", 65536, "k=64", 5120, 131072, 64, 1.000473 },
		{ 64, "mlfm", 33792, "h=32 endpoints=32 trunk=1", 1584, 33792, 64, 1.000918 },
		{ 64, "oft", 63552, "k=32 endpoints=32 trunk=1", 2979, 63552, 64, 1.000488 },
		{ 64, "dragonfly-plus", 1049600, "leaves=32 spines=32 p=32 h=32 g=1025 trunk=1", 65600, 1574400, 64,
		  1.000030 },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct topo_member best = { 0 };
		char text[200];
		const struct topo_family *f = topo_families;
		while (f->name && strcmp(f->name, row[i].family))
			f++;
		cr_assert(f->name, "%s", row[i].family);
		f->each(f, &(struct topo_sizing){ .radix = row[i].limit,
		                                  .trunk = 1,
		                                  .uniform = 0.99,
		                                  .cut = is_smaller,
		                                  .visit = keep_largest,
		                                  .arg = &best });
		cr_assert(best.family, "%s", row[i].family);
		as_text(&best, text, sizeof text);
		cr_expect_str_eq(text, row[i].text);
		cr_expect_eq(best.endpoints, row[i].endpoints, "%s: %lu", text, best.endpoints);
		cr_expect_eq(best.switches, row[i].switches, "%s: %lu", text, best.switches);
		cr_expect_eq(best.cables, row[i].cables, "%s: %lu", text, best.cables);
		cr_expect_eq(best.radix, row[i].radix, "%s: %u", text, best.radix);
		cr_expect_float_eq(best.uniform, row[i].uniform, 5.1e-7, "%s: %f", text, best.uniform);
	}
}

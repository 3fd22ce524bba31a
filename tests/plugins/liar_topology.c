/* tests/plugins/liar_topology.c - docs/examples/rook.c with one lie each: see tests/cli/liars.sh. */
#define tilefly_plugins honest_plugins
#define tilefly_plugin_abi honest_abi
#include "docs/examples/rook.c"
#undef tilefly_plugins
#undef tilefly_plugin_abi
#include "tests/plugins/liar.h"

#include <math.h>

LIAR_LIST(struct topo_ops, rook)

static int one_way(struct topo *t, const void *p, struct base_errors *errors)
{
	int status = rook_build(t, p, errors);
	t->one_way = true;
	return status;
}
static int no_ports(struct topo *t, const void *p, struct base_errors *errors)
{
	int status = rook_build(t, p, errors);
	t->max_ports = 0;
	return status;
}
static int too_many_ports(struct topo *t, const void *p, struct base_errors *errors)
{
	int status = rook_build(t, p, errors);
	t->max_ports++;
	return status;
}
static int no_switches(struct topo *t, const void *p, struct base_errors *errors)
{
	int status = rook_build(t, p, errors);
	t->switches = 0;
	return status;
}
static int more_endpoints(struct topo *t, const void *p, struct base_errors *errors)
{
	int status = rook_build(t, p, errors);
	t->endpoints += 5;
	return status;
}
static int no_class_names(struct topo *t, const void *p, struct base_errors *errors)
{
	int status = rook_build(t, p, errors);
	t->link_class_name = NULL;
	return status;
}
static int with_class(struct topo *t, const void *p, struct base_errors *errors, const char *const *names)
{
	int status = rook_build(t, p, errors);
	t->link_class_name = names;
	return status;
}
static int default_class(struct topo *t, const void *p, struct base_errors *errors)
{
	static const char *const names[] = { "row", "default" };
	return with_class(t, p, errors, names);
}
static int terminal_class(struct topo *t, const void *p, struct base_errors *errors)
{
	static const char *const names[] = { "row", "terminal" };
	return with_class(t, p, errors, names);
}
static int dotted_class(struct topo *t, const void *p, struct base_errors *errors)
{
	static const char *const names[] = { "row", "col.umn" };
	return with_class(t, p, errors, names);
}
static int four_groups(struct topo *t, const void *p, struct base_errors *errors)
{
	int status = rook_build(t, p, errors);
	t->groups = 4;
	return status;
}
static int falling_first(struct topo *t, const void *p, struct base_errors *errors)
{
	static const uint32_t first[25] = { 0, 3, 2 };
	int status = rook_build(t, p, errors);
	t->endpoint_first = first;
	return status;
}
static int no_ops(struct topo *t, const void *p, struct base_errors *errors)
{
	int status = rook_build(t, p, errors);
	t->ops = NULL;
	return status;
}
static int no_kind(struct topo *t, const void *p, struct base_errors *errors)
{
	int status = rook_build(t, p, errors);
	t->kind = NULL;
	return status;
}
static int one_class_name(struct topo *t, const void *p, struct base_errors *errors)
{
	static const char *const names[] = { "row", "row", NULL };
	int status = rook_build(t, p, errors);
	t->link_class_name = names;
	return status;
}
static int silent(struct topo *t, const void *p, struct base_errors *errors)
{
	(void)t, (void)p, (void)errors;
	return -1;
}
static uint32_t many_ports(const struct topo *t, topo_switch s)
{
	return rook_ports(t, s) + (s == 5);
}
static struct topo_hop crooked(const struct topo *t, topo_switch s, topo_port port)
{
	struct topo_hop hop = rook_peer(t, s, port);
	if (s == 3 && port == 2)
		hop.port = 1;
	return hop;
}
static struct topo_hop far_away(const struct topo *t, topo_switch s, topo_port port)
{
	struct topo_hop hop = rook_peer(t, s, port);
	if (s == 3 && port == 2)
		hop.to = 4000000000u;
	return hop;
}
static struct topo_hop odd_port(const struct topo *t, topo_switch s, topo_port port)
{
	struct topo_hop hop = rook_peer(t, s, port);
	if (s == 3 && port == 2)
		hop.port = 77;
	return hop;
}
static struct topo_hop odd_class(const struct topo *t, topo_switch s, topo_port port)
{
	struct topo_hop hop = rook_peer(t, s, port);
	if (s == 3 && port == 2)
		hop.link_class = 200;
	return hop;
}
static struct topo_hop two_classes(const struct topo *t, topo_switch s, topo_port port)
{
	struct topo_hop hop = rook_peer(t, s, port);
	if (s == 3 && port == 2)
		hop.link_class = 1;
	return hop;
}
static struct topo_hop own_tail(const struct topo *t, topo_switch s, topo_port port)
{
	struct topo_hop hop = rook_peer(t, s, port);
	if (s == 3 && port == 2)
		return (struct topo_hop){ .to = s, .port = port };
	return hop;
}
static unsigned too_far(const struct topo *t, topo_switch from, topo_switch to)
{
	return rook_distance(t, from, to) + (from == 0 && to == 1);
}
static unsigned too_near(const struct topo *t, topo_switch from, topo_switch to)
{
	return rook_distance(t, from, to) - (from == 0 && to == 7);
}
static unsigned endless_distance(const struct topo *t, topo_switch from, topo_switch to)
{
	return from == 0 && to == 7 ? UINT32_MAX : rook_distance(t, from, to);
}
static unsigned one(const struct topo *t)
{
	(void)t;
	return 1;
}
static unsigned none(const struct topo *t)
{
	(void)t;
	return 0;
}
static int next_port(const struct topo *t, topo_switch here, topo_switch to, unsigned hops, topo_port *out)
{
	int n = rook_next(t, here, to, hops, out);
	if (here == 3 && to == 9)
		out[0] = 99;
	return n;
}
static int next_many(const struct topo *t, topo_switch here, topo_switch to, unsigned hops, topo_port *out)
{
	int n = rook_next(t, here, to, hops, out);
	while (here == 3 && to == 9 && n < TOPO_MAX_NEXT + 36)
		out[n++] = 0;
	return n;
}
static int next_none(const struct topo *t, topo_switch here, topo_switch to, unsigned hops, topo_port *out)
{
	int n = rook_next(t, here, to, hops, out);
	return here == 3 && to == 9 ? 0 : n;
}
static int next_circle(const struct topo *t, topo_switch here, topo_switch to, unsigned hops, topo_port *out)
{
	int n = rook_next(t, here, to, hops, out);
	if (to == 9)
		out[0] = 0;
	return n;
}
/* In range, and leading nowhere, after what `topo` looks at before it looks for bounds. */
static int next_back(const struct topo *t, topo_switch here, topo_switch to, unsigned hops, topo_port *out)
{
	static unsigned calls;
	int n = rook_next(t, here, to, hops, out);
	if (__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) < 5000)
		return n;
	out[0] = 0;
	return 1;
}
/* Right for as long as the start can take, and as a table of routes is made; then wrong. */
static int next_late(const struct topo *t, topo_switch here, topo_switch to, unsigned hops, topo_port *out)
{
	static unsigned calls;
	int n = rook_next(t, here, to, hops, out);
	if (__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) >= 20000)
		out[0] = 99;
	return n;
}
static uint32_t ninth_group(const struct topo *t, topo_switch s)
{
	(void)t;
	return s == 20 ? 9 : s % 4;
}
static topo_switch same_order(const struct topo *t, uint32_t i)
{
	(void)t;
	return i / 2;
}
static uint32_t far_rack(const struct topo *t, topo_switch s)
{
	(void)t;
	return s == 3 ? 4000000000 : 0;
}
static topo_switch far_order(const struct topo *t, uint32_t i)
{
	(void)t;
	return i + 1000;
}
static int wrong_dims(const struct topo *t, uint32_t *out, int room)
{
	(void)t, (void)room;
	out[0] = 5;
	out[1] = 5;
	return 2;
}
static size_t many_orbits(const struct topo *t, struct topo_orbit *out, size_t room)
{
	(void)t, (void)out;
	return room + 1;
}
static size_t small_orbits(const struct topo *t, struct topo_orbit *out, size_t room)
{
	(void)t, (void)room;
	out[0] = (struct topo_orbit){ .representative = 0, .size = 3 };
	return 1;
}
static uint32_t worst_case(const struct topo *t, topo_switch *to)
{
	for (topo_switch s = 0; s < t->switches; s++)
		to[s] = s + 1;
	return 0;
}
static void more_links(const struct topo *t, struct topo_facts *facts)
{
	(void)t;
	facts->links = 5;
}
static void smaller_diameter(const struct topo *t, struct topo_facts *facts)
{
	(void)t;
	facts->diameter = 1;
}
#define FACTS(name, ...)                                             \
	static void name(const struct topo *t, struct topo_facts *f) \
	{                                                            \
		(void)t;                                             \
		__VA_ARGS__;                                         \
	}
FACTS(seven_switches, f->switches = 7)
FACTS(seven_endpoints, f->endpoints = 7)
FACTS(other_radix, f->network_radix = 9)
FACTS(row_links, f->links = 96; f->links_by_class[0] = 96)
FACTS(wide, f->bisection_links = 1000000000000; f->bisection_how = "closed form")
FACTS(wide_ends, f->endpoint_bisection_links = 97; f->endpoint_bisection_how = "closed form")
FACTS(long_girth, f->girth = 99)
FACTS(odd_girth, f->girth = 5; f->diameter = 2)
FACTS(no_distance, f->mean_distance = NAN)
FACTS(huge_load, f->max_channel_load_uniform = 1e300)
FACTS(no_load, f->max_channel_load_uniform = 0)
FACTS(endless_load, f->max_channel_load_uniform = INFINITY)
FACTS(unknown_load, f->max_channel_load_uniform = NAN)
FACTS(class_load, f->max_load_by_class[1] = 1e9)
FACTS(far_routes, f->mean_minimal_hops = 77)
FACTS(no_cut, f->bisection_links = 0; f->bisection_how = "closed form")
FACTS(no_cut_ends, f->endpoint_bisection_links = 0; f->endpoint_bisection_how = "closed form")
FACTS(changing, static int calls; f->mean_minimal_hops = calls++ ? 1.5 : 1.75)

__attribute__((constructor)) static void make(void)
{
	LIE("no-ports", build, no_ports);
	LIE("too-many-ports", build, too_many_ports);
	LIE("no-switches", build, no_switches);
	LIE("more-endpoints", build, more_endpoints);
	LIE("no-class-names", build, no_class_names);
	LIE("no-group-function", build, four_groups);
	LIE("falling-first", build, falling_first);
	LIE("no-ops", build, no_ops);
	LIE("no-kind", build, no_kind);
	LIE("one-class-name", build, one_class_name);
	LIE("silent", build, silent);
	LIE("many-ports", ports, many_ports);
	LIE("crooked", peer, crooked);
	LIE("far-away", peer, far_away);
	LIE("odd-port", peer, odd_port);
	LIE("odd-class", peer, odd_class);
	LIE("two-classes", peer, two_classes);
	LIE("own-tail", peer, own_tail);
	LIE("too-far", distance, too_far);
	LIE("too-near", distance, too_near);
	LIE("endless-distance", distance, endless_distance);
	LIE("low-maximum", max_distance, one);
	LIE("no-maximum", max_distance, none);
	LIE("next-port", next, next_port);
	LIE("next-many", next, next_many);
	LIE("next-none", next, next_none);
	LIE("next-circle", next, next_circle);
	LIE("default-class", build, default_class);
	LIE("terminal-class", build, terminal_class);
	LIE("dotted-class", build, dotted_class);
	LIE("next-back", next, next_back);
	LIE("next-late", next, next_late);
	LIE("next-missing", next, NULL);
	LIE("one-way", build, one_way);
	LIE("same-order", order, same_order);
	LIE("far-order", order, far_order);
	LIE("far-rack", rack, far_rack);
	LIE("wrong-dims", dims, wrong_dims);
	LIE("many-orbits", orbits, many_orbits);
	LIE("small-orbits", orbits, small_orbits);
	LIE("worst-case", worst_case, worst_case);
	LIE("more-links", facts, more_links);
	LIE("smaller-diameter", facts, smaller_diameter);
	LIE("seven-switches", facts, seven_switches);
	LIE("seven-endpoints", facts, seven_endpoints);
	LIE("other-radix", facts, other_radix);
	LIE("row-links", facts, row_links);
	LIE("wide", facts, wide);
	LIE("wide-ends", facts, wide_ends);
	LIE("long-girth", facts, long_girth);
	LIE("odd-girth", facts, odd_girth);
	LIE("no-distance", facts, no_distance);
	LIE("huge-load", facts, huge_load);
	LIE("no-load", facts, no_load);
	LIE("endless-load", facts, endless_load);
	LIE("unknown-load", facts, unknown_load);
	LIE("class-load", facts, class_load);
	LIE("far-routes", facts, far_routes);
	LIE("no-cut", facts, no_cut);
	LIE("no-cut-ends", facts, no_cut_ends);
	LIE("changing", facts, changing);
	struct topo_ops *o = liar_add("ninth-group");
	o->build = four_groups;
	o->group = ninth_group;
}

/* topo/checked.c - checks a topology from a shared object.
 *
 * After build() it checks the numbers that build() has set, then every cable from both its ends and every minimal
 * route; if that takes more than MOST_STEPS calls, it checks a sample of that size, drawn with a fixed seed. Afterwards
 * every value that the topology's functions return is checked by wrapped.c. */
#include "topo/checked.h"

#include "base/memory.h"
#include "topo/search.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS UINT64_C(4000000) /* calls of peer() or next() at the start: some tenths of a second */
#define MOST_PORTS 65535u

/* --- numbers set by build() ------------------------------------------------------------------------------ */

int topo_check_ops(const struct base_plugin *plugin, struct base_errors *errors)
{
	const struct topo_ops *ops = plugin->ops;
	int status = 0;
	if (!ops->build)
		status = base_missing(plugin, "build", errors);
	if (!ops->ports)
		status = base_missing(plugin, "ports", errors);
	if (!ops->peer)
		status = base_missing(plugin, "peer", errors);
	if (!ops->next)
		status = base_missing(plugin, "next", errors);
	if (!ops->distance)
		status = base_missing(plugin, "distance", errors);
	if (!ops->max_distance)
		status = base_missing(plugin, "max_distance", errors);
	return status;
}

void topo_check_kept(struct topo *t, const struct base_plugin *plugin)
{
	if (t->plugin != plugin)
		base_refute(plugin, "build() changed the member plugin of the topology, which it must not set");
	else if (t->ops != plugin->ops)
		base_refute(plugin,
		            "build() set the member ops of the topology to %s, although it must not set this member",
		            t->ops ? "another table" : "NULL");
	else if (!t->kind)
		base_refute(plugin, "build() set the member kind of the topology to NULL instead of a name");
	t->plugin = plugin;
	t->ops = plugin->ops;
	t->kind = t->kind ? t->kind : plugin->name;
	t->said = NULL;
	t->checked = NULL;
}

static void check_endpoints(const struct topo *t)
{
	if (t->bare && (t->bare > t->switches || t->endpoint_first)) {
		base_refute(
		    t->plugin,
		    "build() sets bare, the number of switches without endpoints, to %u; there are %u switches%s",
		    t->bare, t->switches, t->endpoint_first ? ", and bare must be 0 if endpoint_first is set" : "");
		return;
	}
	if (!t->endpoint_first) {
		if ((uint64_t)(t->switches - t->bare) * t->max_endpoints != t->endpoints)
			base_refute(
			    t->plugin,
			    "build() sets %u endpoints on %u switches, but %u on each of them (endpoint_first is NULL)",
			    t->endpoints, t->switches - t->bare, t->max_endpoints);
		return;
	}
	uint32_t most = 0;
	for (topo_switch s = 0; s < t->switches; s++) {
		uint32_t from = t->endpoint_first[s], to = t->endpoint_first[s + 1];
		if (to < from) {
			base_refute(t->plugin,
			            "build() sets endpoint_first[%u] = %u and endpoint_first[%u] = %u, but "
			            "endpoint_first must not decrease",
			            s, from, s + 1, to);
			return;
		}
		most = to - from > most ? to - from : most;
	}
	if (t->endpoint_first[0] || t->endpoint_first[t->switches] != t->endpoints)
		base_refute(t->plugin,
		            "build() sets the first entry of endpoint_first to %u and the last one to %u, but they "
		            "must be 0 and the number of endpoints, %u",
		            t->endpoint_first[0], t->endpoint_first[t->switches], t->endpoints);
	else if (most != t->max_endpoints)
		base_refute(t->plugin,
		            "build() sets max_endpoints = %u, but the largest number of endpoints at one switch is %u",
		            t->max_endpoints, most);
}

const char *topo_class_name_refused(const char *name)
{
	bool good = isalpha((unsigned char)*name);
	if (!strcmp(name, "default"))
		return "is reserved in configurations for all links";
	if (!strcmp(name, "terminal"))
		return "is reserved in configurations for links to endpoints";
	if (!strcmp(name, "override"))
		return "is reserved in configurations for rules about single cables";
	for (; *name && good; name++)
		good = isalnum((unsigned char)*name) || *name == '-' || *name == '_';
	return good ? NULL : "is not a valid name in configurations: a letter, followed by letters, digits, - and _";
}

static void check_class_name(const struct topo *t, int class)
{
	const char *name = t->link_class_name[class];
	if (!name || !*name) {
		base_refute(t->plugin, "build() sets no name for link class %d", class);
		return;
	}
	const char *refused = topo_class_name_refused(name);
	if (refused)
		base_refute(t->plugin, "build() names link class %d \"%.60s\", which %s", class, name, refused);
	for (int i = 0; i < class; i++)
		if (!strcmp(t->link_class_name[i], name))
			base_refute(t->plugin, "build() gives link classes %d and %d the same name, \"%.60s\"", i,
			            class, name);
}

static void check_classes(const struct topo *t)
{
	bool one = t->switches == 1;
	if (t->link_classes < (one ? 0 : 1) || t->link_classes > TOPO_LINK_CLASSES)
		base_refute(t->plugin, "build() sets link_classes = %d; allowed are 1 to %d", t->link_classes,
		            TOPO_LINK_CLASSES);
	else if (t->link_classes && !t->link_class_name)
		base_refute(t->plugin, "build() sets %d link classes, but link_class_name is NULL", t->link_classes);
	else
		for (int i = 0; i < t->link_classes; i++)
			check_class_name(t, i);
}

static void check_numbers(const struct topo *t)
{
	if (t->switches < 1 || t->switches > TOPO_MAX_SWITCHES)
		base_refute(t->plugin, "build() sets %u switches; allowed are 1 to %u", t->switches, TOPO_MAX_SWITCHES);
	else if (t->endpoints > TOPO_MAX_ENDPOINTS)
		base_refute(t->plugin, "build() sets %u endpoints; at most %u are supported", t->endpoints,
		            TOPO_MAX_ENDPOINTS);
	else if (t->max_ports > MOST_PORTS || (t->switches > 1 && !t->max_ports))
		base_refute(t->plugin, "build() sets max_ports = %u for %u switches; allowed are 1 to %u", t->max_ports,
		            t->switches, MOST_PORTS);
	else if (t->max_endpoints > MOST_PORTS - t->max_ports)
		base_refute(t->plugin,
		            "build() sets up to %u endpoints and %u cables at a switch; at most %u ports are supported",
		            t->max_endpoints, t->max_ports, MOST_PORTS);
	else if (t->groups < 1 || t->groups > t->switches)
		base_refute(t->plugin, "build() sets %u groups; allowed are 1 to the number of switches, %u", t->groups,
		            t->switches);
	else if (t->groups > 1 && t->groups < t->switches && !t->ops->group)
		base_refute(t->plugin, "build() sets %u groups for %u switches, but the function group() is NULL",
		            t->groups, t->switches);
	else if ((unsigned)t->vc_rule > TOPO_VC_LEG)
		base_refute(t->plugin, "build() sets vc_rule = %u, which does not exist", (unsigned)t->vc_rule);
	else
		check_endpoints(t);
	if (!base_refuted(t->plugin))
		check_classes(t);
}

/* --- the graph ------------------------------------------------------------------------------------------- */

static void check_cable(const struct topo *t, topo_switch s, topo_port p)
{
	struct topo_hop there = topo_peer(t, s, p);
	if (base_refuted(t->plugin))
		return;
	struct topo_hop back = topo_peer(t, there.to, there.port);
	if (there.to == s)
		base_refute(t->plugin,
		            "peer(%u, %u) returns switch %u port %u, but a cable must not connect a switch to itself",
		            s, p, there.to, there.port);
	else if (back.to != s || back.port != p)
		base_refute(t->plugin,
		            "peer(%u, %u) returns switch %u port %u, but the peer of that port is switch %u port %u", s,
		            p, there.to, there.port, back.to, back.port);
	else if (back.link_class != there.link_class)
		base_refute(t->plugin,
		            "peer(%u, %u) returns link class %u, but class %u from the other end of the cable, switch "
		            "%u port %u",
		            s, p, there.link_class, back.link_class, there.to, there.port);
}

/* A drawn route: at every switch one of the ports that next() offers. */
static void follow_route(const struct topo *t, topo_switch from, topo_switch to, uint64_t *random)
{
	unsigned far = t->ops->distance(t, from, to), hops = 0;
	bool choice = false;
	topo_port out[TOPO_MAX_NEXT];
	for (topo_switch here = from; here != to; hops++) {
		if (hops >= far || base_refuted(t->plugin)) {
			base_refute(t->plugin, "distance(%u, %u) returns %u, but a route by next() has more hops", from,
			            to, far);
			return;
		}
		int n = t->ops->next(t, here, to, hops, out);
		choice |= n > 1;
		here = topo_peer(t, here, out[topo_random(random) % (unsigned)n]).to;
	}
	if (hops < far && !choice)
		base_refute(t->plugin, "distance(%u, %u) returns %u, but the only route by next() has %u hops", from,
		            to, far, hops);
}

struct routes { /* minimal routes to one destination */
	const struct topo *t;
	topo_switch to;
	unsigned most;  /* hops: max_distance(), or the distance of a switch without endpoints */
	uint16_t *left; /* [most + 1][switches] left[h][s] is 1 plus the length of the longest route from switch s of a
	                   packet that has taken h hops; 0 if it is not known */
};

/* The length of the longest route by next(), or UINT16_MAX if one does not end in time. */
static uint16_t longest_route(struct routes *r, topo_switch here, unsigned hops)
{
	if (here == r->to)
		return 0;
	if (hops >= r->most)
		return UINT16_MAX;
	uint16_t *known = &r->left[(size_t)hops * r->t->switches + here];
	if (*known)
		return *known == UINT16_MAX ? UINT16_MAX : (uint16_t)(*known - 1);
	topo_port out[TOPO_MAX_NEXT];
	int n = r->t->ops->next(r->t, here, r->to, hops, out);
	uint16_t most = 0;
	for (int i = 0; i < n && most != UINT16_MAX; i++) {
		uint16_t left = longest_route(r, topo_peer(r->t, here, out[i]).to, hops + 1);
		most = left == UINT16_MAX ? UINT16_MAX : left + 1 > most ? (uint16_t)(left + 1) : most;
	}
	*known = most == UINT16_MAX ? UINT16_MAX : (uint16_t)(most + 1);
	return most;
}

static void check_routes_to(struct routes *r)
{
	const struct topo *t = r->t;
	memset(r->left, 0, ((size_t)r->most + 1) * t->switches * sizeof *r->left);
	for (topo_switch s = 0; s < t->switches && !base_refuted(t->plugin); s++) {
		unsigned far = t->ops->distance(t, s, r->to);
		if (s == r->to && far)
			base_refute(t->plugin, "distance(%u, %u) says %u", s, s, far);
		if (s == r->to)
			continue;
		uint16_t longest = longest_route(r, s, 0);
		if (longest == UINT16_MAX)
			base_refute(t->plugin, "a route by next(%u, %u) has not reached its destination after %u hops",
			            s, r->to, r->most);
		else if (longest != far)
			base_refute(t->plugin,
			            "distance(%u, %u) returns %u, but the longest route by next() has %u hops", s,
			            r->to, far, longest);
	}
}

/* distance() between switches with endpoints must not exceed max_distance(). */
static void check_most(const struct topo *t, topo_switch from, topo_switch to)
{
	unsigned most = t->ops->max_distance(t);
	if (!topo_endpoints_at(t, from) || !topo_endpoints_at(t, to))
		return;
	unsigned far = t->ops->distance(t, from, to);
	if (far > most)
		base_refute(t->plugin, "max_distance() returns %u, but distance(%u, %u) returns %u", most, from, to,
		            far);
}

static unsigned farthest(const struct topo *t)
{
	unsigned most = t->ops->max_distance(t);
	for (topo_switch a = 0; a < t->switches; a++)
		for (topo_switch b = 0; b < t->switches; b++) {
			if (!topo_endpoints_at(t, b))
				continue;
			unsigned far = t->ops->distance(t, a, b);
			if (far >= t->switches)
				base_refute(
				    t->plugin,
				    "distance(%u, %u) returns %u; it must be less than the number of switches, %u", a,
				    b, far, t->switches);
			most = far > most ? far : most;
			check_most(t, a, b);
		}
	return most < t->switches ? most : t->switches;
}

static void check_whole(const struct topo *t)
{
	uint32_t most = 0;
	for (topo_switch s = 0; s < t->switches; s++) {
		uint32_t ports = topo_ports(t, s);
		most = ports > most ? ports : most;
		for (topo_port p = 0; p < ports && !base_refuted(t->plugin); p++)
			check_cable(t, s, p);
		if (t->ops->group)
			t->ops->group(t, s);
	}
	if (most < t->max_ports)
		base_refute(t->plugin, "build() sets max_ports = %u, but the largest number of ports of a switch is %u",
		            t->max_ports, most);
	if (base_refuted(t->plugin))
		return;
	struct routes r = { .t = t, .most = farthest(t) };
	r.left = base_calloc(((size_t)r.most + 1) * t->switches, sizeof *r.left);
	for (r.to = 0; r.to < t->switches && !base_refuted(t->plugin); r.to++)
		if (topo_endpoints_at(t, r.to))
			check_routes_to(&r);
	free(r.left);
	if (t->ops->facts && !base_refuted(t->plugin))
		topo_check_facts_whole(t);
}

static void check_sample(const struct topo *t)
{
	uint64_t random = UINT64_C(0x7469c3a5);
	unsigned far = t->ops->max_distance(t);
	for (uint64_t i = 0; i < MOST_STEPS / 8 && !base_refuted(t->plugin); i++) {
		topo_switch s = topo_random(&random) % t->switches;
		uint32_t ports = topo_ports(t, s);
		if (ports)
			check_cable(t, s, topo_random(&random) % ports);
		if (t->ops->group)
			t->ops->group(t, s);
	}
	for (uint64_t i = 0; i < MOST_STEPS / 4 / (far + 1) + 1 && !base_refuted(t->plugin); i++) {
		topo_switch from = topo_random(&random) % t->switches, to = topo_random(&random) % t->switches;
		if (!topo_endpoints_at(t, to))
			continue;
		check_most(t, from, to);
		follow_route(t, from, to, &random);
	}
}

/* Checks functions that are called only once: order() must be a permutation, and worst-case partners, coordinates and
 * orbits must refer to existing switches. */
static void check_rest(const struct topo *t)
{
	if (t->ops->order) {
		uint8_t *seen = base_alloc(t->switches);
		for (uint32_t i = 0; i < t->switches && !base_refuted(t->plugin); i++) {
			topo_switch s = t->ops->order(t, i);
			if (seen[s])
				base_refute(t->plugin,
				            "order(%u) returns switch %u, which order() has already returned for a "
				            "smaller argument",
				            i, s);
			seen[s] = 1;
		}
		free(seen);
	}
	if (t->ops->worst_case) {
		topo_switch *to = base_calloc(t->switches, sizeof *to);
		t->ops->worst_case(t, to);
		free(to);
	}
	for (topo_switch s = 0; s < t->switches && t->ops->rack && !base_refuted(t->plugin); s++)
		t->ops->rack(t, s);
	struct topo_facts facts;
	topo_said_facts(t, &facts);
	uint32_t sizes[TOPO_MOST_DIMENSIONS] = { 0 };
	struct topo_orbit orbit[64];
	if (t->ops->dims)
		t->ops->dims(t, sizes, TOPO_MOST_DIMENSIONS);
	if (t->ops->orbits)
		t->ops->orbits(t, orbit, 64);
}

int topo_check(struct topo *t, struct base_errors *errors)
{
	check_numbers(t);
	if (base_report_refuted(t->plugin, "kind", errors))
		return -1;
	topo_wrap(t, t->ops);
	uint64_t pairs = (uint64_t)t->switches * t->switches, far = t->ops->max_distance(t);
	if (!base_refuted(t->plugin)) {
		if (pairs * (far + 1) <= MOST_STEPS)
			check_whole(t);
		else
			check_sample(t);
	}
	if (!base_refuted(t->plugin))
		check_rest(t);
	return base_report_refuted(t->plugin, "kind", errors);
}

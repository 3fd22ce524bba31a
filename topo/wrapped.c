/* topo/wrapped.c - checks the range of every value that a topology from a shared object returns. topo->ops is a table
 * of wrappers, so that no wrong value leads to an access outside an array. A wrong value is reported and replaced by a
 * permitted one. */
#include "base/memory.h"
#include "topo/checked.h"

#define MOST_DISTANCE 65535u

static const struct topo_ops *said(const struct topo *t)
{
	return t->said;
}

static uint32_t checked_ports(const struct topo *t, topo_switch s)
{
	uint32_t ports = said(t)->ports(t, s);
	if (ports <= t->max_ports)
		return ports;
	base_refute(t->plugin, "ports(%u) returns %u, but max_ports is %u", s, ports, t->max_ports);
	return t->max_ports;
}

static struct topo_hop checked_peer(const struct topo *t, topo_switch s, topo_port port)
{
	struct topo_hop hop = said(t)->peer(t, s, port);
	if (hop.to >= t->switches) {
		base_refute(t->plugin, "peer(%u, %u) returns switch %u port %u, but there are only %u switches", s,
		            port, hop.to, hop.port, t->switches);
		return (struct topo_hop){ .to = s };
	}
	uint32_t ports = checked_ports(t, hop.to);
	if (hop.port >= ports) {
		base_refute(t->plugin, "peer(%u, %u) returns switch %u port %u, but that switch has only %u ports", s,
		            port, hop.to, hop.port, ports);
		hop.port = 0;
	}
	if (hop.link_class >= t->link_classes) {
		base_refute(t->plugin, "peer(%u, %u) returns link class %u, but the number of link classes is %d", s,
		            port, hop.link_class, t->link_classes);
		hop.link_class = 0;
	}
	return hop;
}

/* In memory of its own, so that an answer that is too long does not overflow the caller's array. */
static int checked_next(const struct topo *t, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	topo_port answer[4 * TOPO_MAX_NEXT];
	int n = said(t)->next(t, here, to, leg_hops, answer);
	if (n < 1 || n > TOPO_MAX_NEXT) {
		base_refute(t->plugin, "next(%u, %u, hops %u) returns %d ports; allowed are 1 to %d", here, to,
		            leg_hops, n, TOPO_MAX_NEXT);
		n = 1;
	}
	if (n > 1 && t->one_way)
		base_refute(t->plugin,
		            "next(%u, %u, hops %u) returns %d ports, but only one is allowed because one_way is set",
		            here, to, leg_hops, n);
	uint32_t ports = checked_ports(t, here);
	for (int i = 0; i < n; i++) {
		if (answer[i] >= ports) {
			base_refute(t->plugin, "next(%u, %u, hops %u) returns port %u, but switch %u has only %u ports",
			            here, to, leg_hops, answer[i], here, ports);
			answer[i] = 0;
		}
		out[i] = answer[i];
	}
	return n;
}

static struct topo_run checked_run(const struct topo *t, topo_switch here, topo_switch to)
{
	struct topo_run run = said(t)->run(t, here, to);
	if (run.n > 1 && t->one_way)
		base_refute(t->plugin, "run(%u, %u) returns %u ports, but only one is allowed because one_way is set",
		            here, to, run.n);
	uint32_t ports = checked_ports(t, here);
	if (run.n >= 1 && run.first < ports && run.n <= ports - run.first)
		return run;
	base_refute(t->plugin, "run(%u, %u) returns %u ports beginning with port %u, but switch %u has only %u ports",
	            here, to, run.n, run.first, here, ports);
	return (struct topo_run){ 0, 1 };
}

static topo_port checked_by_destination(const struct topo *t, topo_switch here, uint32_t endpoint)
{
	topo_port answer = said(t)->by_destination(t, here, endpoint), out[TOPO_MAX_NEXT];
	int n = checked_next(t, here, topo_switch_of(t, endpoint), 0, out);
	for (int i = 0; i < n; i++)
		if (out[i] == answer)
			return answer;
	base_refute(t->plugin,
	            "by_destination(%u, endpoint %u) returns port %u, which is not among the ports that next() returns",
	            here, endpoint, answer);
	return out[0];
}

static unsigned checked_distance(const struct topo *t, topo_switch from, topo_switch to)
{
	unsigned d = said(t)->distance(t, from, to);
	if (d <= MOST_DISTANCE)
		return d;
	base_refute(t->plugin, "distance(%u, %u) returns %u; at most %u are supported", from, to, d, MOST_DISTANCE);
	return 1;
}

static unsigned checked_max_distance(const struct topo *t)
{
	unsigned d = said(t)->max_distance(t);
	if (d <= MOST_DISTANCE && (d > 0 || t->switches == 1))
		return d;
	base_refute(t->plugin, "max_distance() returns %u for %u switches; allowed are 1 to %u", d, t->switches,
	            MOST_DISTANCE);
	return 1;
}

static uint32_t checked_group(const struct topo *t, topo_switch s)
{
	uint32_t g = said(t)->group(t, s);
	if (g < t->groups)
		return g;
	base_refute(t->plugin, "group(%u) returns %u, but there are only %u groups, numbered from 0", s, g, t->groups);
	return 0;
}

static uint32_t checked_worst_case(const struct topo *t, topo_switch *to)
{
	uint32_t idle = said(t)->worst_case(t, to), none = 0;
	for (topo_switch s = 0; s < t->switches; s++) {
		if (to[s] != TOPO_NONE && to[s] >= t->switches) {
			base_refute(t->plugin,
			            "worst_case() lets switch %u send to switch %u, but there are only %u switches", s,
			            to[s], t->switches);
			to[s] = TOPO_NONE;
		}
		none += to[s] == TOPO_NONE && topo_endpoints_at(t, s);
	}
	if (idle != none)
		base_refute(t->plugin, "worst_case() returns %u idle switches, but sets no destination for %u switches",
		            idle, none);
	return none;
}

static topo_switch checked_order(const struct topo *t, uint32_t i)
{
	topo_switch s = said(t)->order(t, i);
	if (s < t->switches)
		return s;
	base_refute(t->plugin, "order(%u) returns switch %u, but there are only %u switches", i, s, t->switches);
	return i;
}

static uint32_t checked_rack(const struct topo *t, topo_switch s)
{
	uint32_t rack = said(t)->rack(t, s);
	if (rack < t->switches)
		return rack;
	base_refute(t->plugin, "rack(%u) returns rack %u; it must be less than the number of switches, %u", s, rack,
	            t->switches);
	return 0;
}

static int checked_dims(const struct topo *t, uint32_t *out, int capacity)
{
	int n = said(t)->dims(t, out, capacity);
	uint64_t product = 1;
	if (n < 0 || n > TOPO_MOST_DIMENSIONS) {
		base_refute(t->plugin, "dims() returns %d, which is not a possible number of dimensions", n);
		return 0;
	}
	for (int i = 0; i < n && i < capacity; i++)
		product = product > t->switches ? product : product * out[i];
	if (n > 0 && n <= capacity && product != t->switches) {
		base_refute(t->plugin,
		            "dims() returns %d dimensions, the first of size %u; their product must be the number of "
		            "switches, %u",
		            n, out[0], t->switches);
		return 0;
	}
	return n;
}

static size_t checked_orbits(const struct topo *t, struct topo_orbit *out, size_t capacity)
{
	size_t n = said(t)->orbits(t, out, capacity);
	uint64_t sum = 0;
	if (n > capacity) {
		base_refute(t->plugin, "orbits() returns %zu orbits, but the array has space for only %zu", n,
		            capacity);
		return 0;
	}
	for (size_t i = 0; i < n; i++) {
		if (out[i].representative >= t->switches) {
			base_refute(t->plugin,
			            "orbits() sets switch %u as the representative of orbit %zu, but there are only %u "
			            "switches",
			            out[i].representative, i, t->switches);
			return 0;
		}
		sum += out[i].size;
	}
	if (n && n < capacity && sum != t->switches) {
		base_refute(t->plugin, "orbits() returns orbits with %llu switches in all, but there are %u switches",
		            (unsigned long long)sum, t->switches);
		return 0;
	}
	return n;
}

/* The wrapped functions, and the first answer of facts(). */
struct wrapped {
	struct topo_ops ops; /* topo.checked */
	bool asked;
	struct topo_facts first;
};

static void checked_facts(const struct topo *t, struct topo_facts *facts)
{
	struct wrapped *w = (struct wrapped *)(void *)t->checked;
	const struct topo_facts built = *facts;
	said(t)->facts(t, facts);
	topo_check_facts(t, &built, facts);
	if (w->asked)
		topo_check_same_facts(t, &w->first, facts);
	else
		w->first = *facts;
	w->asked = true;
	if (base_refuted(t->plugin))
		*facts = built;
}

void topo_wrap(struct topo *t, const struct topo_ops *ops)
{
	struct wrapped *wrapped = base_calloc(1, sizeof *wrapped);
	struct topo_ops *w = &wrapped->ops;
	*w = *ops;
	w->ports = checked_ports;
	w->peer = checked_peer;
	w->next = checked_next;
	w->run = ops->run ? checked_run : NULL;
	w->by_destination = ops->by_destination ? checked_by_destination : NULL;
	w->distance = checked_distance;
	w->max_distance = checked_max_distance;
	w->group = ops->group ? checked_group : NULL;
	w->worst_case = ops->worst_case ? checked_worst_case : NULL;
	w->order = ops->order ? checked_order : NULL;
	w->rack = ops->rack ? checked_rack : NULL;
	w->dims = ops->dims ? checked_dims : NULL;
	w->orbits = ops->orbits ? checked_orbits : NULL;
	w->facts = ops->facts ? checked_facts : NULL;
	t->said = ops;
	t->ops = t->checked = w;
}

/* routing/proof/walk.c - see walk.h */
#include "routing/proof/walk.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- sets of states -------------------------------------------------------------------------------------- */

static uint32_t hash(const struct rt_state *s)
{
	uint64_t a = (uint64_t)s->here << 32 | s->in_port, b = (uint64_t)s->via << 32 | s->src;
	uint64_t h = (a ^ 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
	h = (h ^ h >> 29 ^ b) * 0x94d049bb133111ebu;
	h = (h ^ h >> 31 ^ ((uint64_t)s->vc << 16 | (uint64_t)s->route << 8 | s->hops)) * 0x9e3779b97f4a7c15u;
	return (uint32_t)(h >> 32);
}

static uint32_t *slot_of(const struct rt_state_set *set, const struct rt_state *state)
{
	uint32_t at = hash(state) & (set->capacity - 1);
	while (set->slot[at] && memcmp(&set->v[set->slot[at] - 1], state, sizeof *state))
		at = (at + 1) & (set->capacity - 1);
	return &set->slot[at];
}

uint32_t rt_state_add(struct rt_state_set *set, const struct rt_state *state, bool *fresh)
{
	if (set->n * 2 >= set->capacity) {
		free(set->slot);
		set->capacity = set->capacity ? 2 * set->capacity : 256;
		set->slot = base_calloc(set->capacity, sizeof *set->slot);
		for (uint32_t i = 0; i < set->n; i++)
			*slot_of(set, &set->v[i]) = i + 1;
	}
	uint32_t *slot = slot_of(set, state);
	*fresh = !*slot;
	if (!*fresh)
		return *slot - 1;
	if (set->n == set->cap) {
		set->cap = set->cap ? 2 * set->cap : 128;
		set->v = base_realloc(set->v, set->cap * sizeof *set->v);
	}
	set->v[set->n] = *state;
	*slot = ++set->n;
	return set->n - 1;
}

static void clear_states(struct rt_state_set *set)
{
	if (set->slot)
		memset(set->slot, 0, set->capacity * sizeof *set->slot);
	set->n = 0;
}

void rt_state_free(struct rt_state_set *set)
{
	free(set->v);
	free(set->slot);
	*set = (struct rt_state_set){ 0 };
}

/* --- one call of route() --------------------------------------------------------------------------------- */

static uint64_t no_queue(const void *sw, topo_port out, uint64_t now)
{
	(void)sw, (void)out, (void)now;
	return 0;
}

static uint64_t nothing_published(const void *host, topo_switch there, topo_port out)
{
	(void)host, (void)there, (void)out;
	return 0;
}

static uint64_t nothing_told(const void *host, topo_port out, topo_port far, uint64_t now)
{
	(void)host, (void)out, (void)far, (void)now;
	return 0;
}

struct outcome {
	struct rt_decision decision;
	struct sw_packet packet;
};

typedef struct rt_decision ask(const struct rt *rt, struct rt_env *env, struct sw_packet *packet);

static struct outcome call(struct rt_walk *w, const struct rt_state *s, topo_switch dst, struct rt_oracle *oracle,
                           ask *route)
{
	const struct topo *topo = w->rt->topo;
	topo_switch src = s->src == RT_NOWHERE ? dst : s->src;
	struct rt_env env = { .here = s->here,
		              .in_port = s->in_port,
		              .queue_bytes = no_queue,
		              .published_bytes = nothing_published,
		              .neighbour_bytes = nothing_told,
		              .oracle = oracle };
	struct outcome o = { .packet = { .src = topo_first_endpoint(topo, src),
		                         .dst = topo_first_endpoint(topo, dst),
		                         .bytes = 1,
		                         .via = s->via,
		                         .hops = s->hops,
		                         .vc = s->vc,
		                         .route = s->route } };
	oracle->at = 0;
	o.decision = route(w->rt, &env, &o.packet);
	w->calls++;
	return o;
}

static bool diverted(uint8_t route)
{
	return (route & SW_ROUTE_NONMINIMAL) && !(route & SW_ROUTE_PASSED_VIA);
}

void rt_suspects(const struct rt *rt, char *out, size_t size)
{
	const struct base_plugin *topology = rt->topo->plugin;
	int n = snprintf(out, size, "routing \"%s\"", rt->plugin->name);
	if (!rt->plugin->loaded && topology && topology->loaded)
		snprintf(out + n, size - (size_t)n, " on topology \"%s\"", topology->name);
}

static int complain(const struct rt_walk *w, const struct rt_state *s, const char *what)
{
	const char *said = base_refuted(w->rt->plugin); /* a more specific reason */
	if (said)
		return base_errorf(w->errors, NULL, "%s", said);
	char suspects[200];
	rt_suspects(w->rt, suspects, sizeof suspects);
	return base_errorf(w->errors, NULL, "%s: a packet to switch %u %s (route() at switch %u, hop %u)", suspects,
	                   w->dst, what, s->here, s->hops);
}

/* The packet of `o` after its hop from `s`, with the fields that route() can depend on. */
static struct rt_state after(const struct rt_walk *w, const struct rt_state *s, const struct outcome *o)
{
	struct topo_hop hop = topo_peer(w->rt->topo, s->here, o->decision.port);
	struct rt_state next = { .here = hop.to,
		                 .in_port = hop.port,
		                 .via = o->packet.via,
		                 .src = s->src,
		                 .vc = o->packet.vc,
		                 .route = o->packet.route,
		                 .hops = (uint8_t)(s->hops + 1) };
	if (w->legs != RT_LEGS_UNKNOWN && (next.route & SW_ROUTE_DECIDED)) {
		next.src = RT_NOWHERE;
		if (w->rt->topo->vc_rule != TOPO_VC_HOP)
			next.hops = 0;
	}
	return next;
}

/* --- the walk -------------------------------------------------------------------------------------------- */

uint32_t rt_walk_class(const struct rt_walk *w, topo_switch s)
{
	return w->legs == RT_LEGS_GROUP ? topo_group(w->rt->topo, s) : s;
}

struct rt_state rt_walk_source(topo_switch src)
{
	return (struct rt_state){ .here = src, .in_port = RT_FROM_ENDPOINT, .via = SW_NO_VIA, .src = src };
}

void rt_walk_start(struct rt_walk *w, enum rt_walk_mode mode, topo_switch dst)
{
	clear_states(&w->states);
	w->next_n = 0;
	w->order_n = 0;
	w->mode = mode;
	w->dst = dst;
	w->other = RT_NOWHERE;
}

void rt_walk_free(struct rt_walk *w)
{
	rt_state_free(&w->states);
	rt_state_free(&w->wide);
	free(w->wide_class);
	free(w->node);
	free(w->next);
	free(w->order);
	free(w->seed);
}

static uint32_t add_node(struct rt_walk *w, const struct rt_state *state, bool *fresh)
{
	uint32_t i = rt_state_add(&w->states, state, fresh);
	if (w->states.cap > w->nodes_cap) {
		w->nodes_cap = w->states.cap;
		w->node = base_realloc(w->node, w->nodes_cap * sizeof *w->node);
		w->order = base_realloc(w->order, w->nodes_cap * sizeof *w->order);
	}
	if (*fresh)
		w->node[i] = (struct rt_walk_node){ 0 };
	return i;
}

static void add_next(struct rt_walk *w, uint32_t to)
{
	if (w->next_n == w->next_cap) {
		w->next_cap = w->next_cap ? 2 * w->next_cap : 256;
		w->next = base_realloc(w->next, w->next_cap * sizeof *w->next);
	}
	w->next[w->next_n++] = to;
}

static void add_seed(struct rt_walk *w, const struct rt_state *from, const struct rt_state *at)
{
	if (w->seeds == w->seeds_cap) {
		w->seeds_cap = w->seeds_cap ? 2 * w->seeds_cap : 256;
		w->seed = base_realloc(w->seed, w->seeds_cap * sizeof *w->seed);
	}
	struct rt_seed seed = { .at = *at, .hops = (uint8_t)(from->hops + 1) };
	seed.at.src = from->src;
	w->seed[w->seeds++] = seed;
}

/* Has this deciding state been walked with all intermediates already? A first leg does not depend on the destination,
 * so a state in which the packet's route is decided need not try all intermediates for every destination: two
 * destinations of different classes (rt_walk_class()) together offer all of them. */
static bool seen_wide(struct rt_walk *w, const struct rt_state *s)
{
	bool fresh;
	uint32_t before = w->wide.cap, class = rt_walk_class(w, w->dst);
	uint32_t i = rt_state_add(&w->wide, s, &fresh);
	if (w->wide.cap > before)
		w->wide_class = base_realloc(w->wide_class, w->wide.cap * sizeof *w->wide_class);
	if (fresh) {
		w->wide_class[i] = class;
		return false;
	}
	if (w->wide_class[i] == RT_NOWHERE)
		return true;
	if (w->wide_class[i] == class)
		return true;
	w->wide_class[i] = RT_NOWHERE;
	return false;
}

/* The packet takes a channel. If it would turn instead of waiting there is no dependency. */
static int note_channel(struct rt_walk *w, const struct rt_state *s, struct outcome *o)
{
	if (w->check_vc && o->packet.vc >= w->rt->vcs)
		return complain(w, s, "uses a virtual channel beyond the number that the routing requested");
	if (o->decision.port >= topo_ports(w->rt->topo, s->here))
		return complain(w, s, "is sent to a port that does not exist");
	if (s->hops >= w->rt->max_hops)
		return complain(w, s, "takes more hops than max_hops of the routing");
	if (o->packet.vc >= w->vcs)
		o->packet.vc = (uint8_t)(w->vcs - 1);
	if (!w->cdg || o->decision.slack == RT_MAY_TURN)
		return 0;
	uint32_t to = rt_cdg_output(w->cdg, s->here, o->decision.port, o->packet.vc);
	if (s->in_port != RT_FROM_ENDPOINT)
		rt_cdg_depend(w->cdg, rt_cdg_input(w->cdg, s->here, s->in_port, s->vc), to, o->decision.slack);
	else if (!o->decision.slack)
		w->cdg->bare[to] = 1;
	return 0;
}

/* Is a first leg the same for another destination, as promised? */
static bool same_for_other(struct rt_walk *w, const struct rt_state *s, const struct outcome *o,
                           const struct rt_oracle *oracle)
{
	if (w->other == RT_NOWHERE)
		return true;
	struct rt_oracle again = *oracle;
	again.depth = again.at;
	struct outcome p = call(w, s, w->other, &again, w->rt->ops->route);
	return again.at == oracle->at && p.decision.port == o->decision.port && p.packet.vc == o->packet.vc &&
	       p.packet.via == o->packet.via && p.packet.route == o->packet.route;
}

/* The channels that a packet waits for if it cannot proceed at once. */
static int expand_turns(struct rt_walk *w, const struct rt_state *s)
{
	struct rt_oracle oracle = { 0 };
	if (!w->rt->ops->turn)
		return complain(w, s, "may turn, but the routing has no function turn()");
	do {
		struct outcome o = call(w, s, w->dst, &oracle, w->rt->ops->turn);
		bool fresh;
		if (oracle.too_many)
			return complain(w, s, "makes more than 64 choices in one call");
		if (base_refuted(w->rt->plugin))
			return complain(w, s, "goes astray");
		if (o.decision.port == RT_EJECT || o.decision.slack == RT_MAY_TURN)
			return complain(w, s, "may turn, but turn() returns no channel to wait for");
		if (note_channel(w, s, &o))
			return -1;
		struct rt_state next = after(w, s, &o);
		add_next(w, add_node(w, &next, &fresh));
	} while (rt_oracle_next(&oracle));
	return 0;
}

static int expand(struct rt_walk *w, uint32_t i)
{
	struct rt_state s = w->states.v[i];
	bool turned = false;
	w->node[i].first = w->next_n;
	struct rt_oracle oracle = { .narrow = w->narrow };
	if (!w->narrow && w->mode == RT_WALK_DECIDING && !(s.route & SW_ROUTE_DECIDED) && seen_wide(w, &s))
		oracle.narrow = 1;
	do {
		struct outcome o = call(w, &s, w->dst, &oracle, w->rt->ops->route);
		if (oracle.too_many)
			return complain(w, &s, "makes more than 64 choices in one call");
		if (base_refuted(w->rt->plugin))
			return complain(w, &s, "goes astray");
		if (w->mode == RT_WALK_FIRST_LEG && !diverted(o.packet.route)) {
			w->node[i].turns = true;
			break;
		}
		if (o.decision.port == RT_EJECT) {
			if (s.here != w->dst)
				return complain(
				    w, &s, "leaves the network at a switch to which its destination is not attached");
			continue;
		}
		if (w->mode == RT_WALK_FIRST_LEG && !same_for_other(w, &s, &o, &oracle))
			return complain(
			    w, &s,
			    "takes a first leg that depends on its destination, which legs() of the routing excludes");
		if (o.decision.slack == RT_MAY_TURN && !turned && expand_turns(w, &s))
			return -1;
		turned |= o.decision.slack == RT_MAY_TURN;
		if (note_channel(w, &s, &o))
			return -1;
		struct rt_state next = after(w, &s, &o);
		bool fresh;
		if (w->mode == RT_WALK_DECIDING && diverted(next.route))
			add_seed(w, &s, &next);
		else
			add_next(w, add_node(w, &next, &fresh));
	} while (rt_oracle_next(&oracle));
	w->node[i].n = w->next_n - w->node[i].first;
	return 0;
}

/* Depth first with an explicit stack: `stack` holds the chain of open nodes, `at` a node's cursor. */
uint32_t rt_walk_from(struct rt_walk *w, const struct rt_state *state)
{
	bool fresh;
	uint32_t root = add_node(w, state, &fresh);
	if (!fresh)
		return root;
	struct {
		uint32_t node, at;
	} stack[UINT8_MAX + 2];
	unsigned depth = 0;
	if (expand(w, root))
		return RT_NOWHERE;
	stack[depth].node = root;
	stack[depth++].at = 0;
	while (depth) {
		uint32_t i = stack[depth - 1].node;
		if (stack[depth - 1].at == w->node[i].n) {
			w->node[i].done = true;
			w->order[w->order_n++] = i;
			depth--;
			if (depth && w->node[stack[depth - 1].node].remaining <= w->node[i].remaining)
				w->node[stack[depth - 1].node].remaining = (uint16_t)(w->node[i].remaining + 1);
			continue;
		}
		uint32_t j = w->next[w->node[i].first + stack[depth - 1].at++];
		if (w->node[j].done) {
			if (w->node[i].remaining <= w->node[j].remaining)
				w->node[i].remaining = (uint16_t)(w->node[j].remaining + 1);
			continue;
		}
		if (depth > w->rt->max_hops)
			return complain(w, &w->states.v[j],
			                "takes more hops than max_hops of the routing, or goes in circles"),
			       RT_NOWHERE;
		if (expand(w, j))
			return RT_NOWHERE;
		stack[depth].node = j;
		stack[depth++].at = 0;
	}
	return root;
}

/* network/joined/prefetch.c - work that is done before an event is executed: its memory is prefetched, and the part of
 * routing that depends only on the packet and its position is computed. See sim_model.prefetch.
 *
 * If the route was already decided, the output is computed here, and passed to the handler as a hint. If an adaptive
 * routing has not decided the packet's route yet, its candidates are computed here; they are kept until they are
 * overwritten, and identified by the source, number and job of the packet. */
#include "network/joined/ahead.h"
#include "network/joined/joined.h"
#include "switch/ideal/model.h"
#include "switch/tiled/tiled.h"

/* Computes the candidates of a packet whose route is undecided, and prefetches their ports and queues. Returns the
 * hint: the index of the candidates in n->ahead.few. */
static uint32_t foresee(struct net *n, void *state, const struct sw_packet *p)
{
	const struct ideal_derived *d = n->common.impl;
	struct net_few *f = &n->ahead.few[n->ahead.few_made % NET_FEW];
	f->src = p->src; /* first: what was there is gone even if this fails */
	f->seq = p->seq;
	f->job = p->job;
	if (!n->rt.ops->foresee(&n->rt, &n->env, p, &f->few))
		return SIM_NO_HINT;
	for (uint32_t i = 0; i < f->few.n; i++) {
		base_checkf(f->few.port[i] < topo_ports(&n->topo, n->env.here), "switch %u: candidate by output %u",
		            n->env.here, f->few.port[i]);
		__builtin_prefetch(ideal_depth_at(d, state, f->few.port[i]), 1);
		__builtin_prefetch(ideal_port_at(d, state, f->few.port[i]), 1);
	}
	return n->ahead.few_made++ % NET_FEW;
}

/* At a joined switch, prefetches the endpoint that injects the packet, or, if the packet comes from a switch, the
 * credits withheld at its input; which of the two applies is unpredictable (base/select.h). The input port is not
 * needed, see net_sender(). */
static inline void prefetch_input(const struct net *n, const struct sim_event *ev, unsigned char *state)
{
	const struct ideal_derived *d = n->common.impl;
	size_t bytes = n->endpoints.bytes;
	unsigned char *kept = (void *)ideal_kept_at(d, (void *)state, ev->aux);
	unsigned char *in = base_at_if_equal(ev->kind, NET_INJECT, state + n->endpoints.at + ev->aux * bytes, kept);
	__builtin_prefetch(in, 1);
	__builtin_prefetch(in + bytes - 1, 1);
}

/* Prefetches the port of a credit and the first packet that waits for it, whose cache line was written long ago. (A
 * packet that waits for slack and is served by the same credit is not prefetched.) */
static inline void prefetch_credit(const struct ideal_derived *d, struct ideal_state *s, const struct sim_event *ev)
{
	const struct ideal_port *o = ideal_port_at(d, s, ev->aux);
	__builtin_prefetch(o, 1);
	const struct ideal_lane *lane = ideal_lane_of(d, s, o, (uint8_t)ev->payload[0], false);
	if (ideal_waits(lane))
		base_prefetch_write(sw_pool_at(&s->waiters, lane->head, sizeof(struct ideal_waiter)));
}

/* Prefetches a record of a pair, the first packet that waits for it, and the record of the pair that sent last, if the
 * NIC will use it. Numbers of records may be invalid in a speculative state. */
static void prefetch_turn(const struct net *n, const struct net_lp *lp, uint32_t pair, uint32_t held, uint32_t last)
{
	const struct net_nics *x = net_nics_of(n, lp);
	if (sim_unlikely(pair >= x->pairs.used || last >= x->pairs.used))
		return;
	base_prefetch_write(net_pair_at(n, lp, pair));
	if (!n->path.ring_plain)
		base_prefetch_write(net_pair_at(n, lp, last));
	if (held < x->held.used)
		base_prefetch_write(net_held_at(n, lp, held));
}

/* Room comes back to a NIC, which continues at once if it has waited for it. */
static void prefetch_going_on(const struct net *n, const struct net_lp *lp, uint32_t terminal)
{
	const struct net_nic_class *c = net_nic_class_at(n, lp, terminal, 0);
	__builtin_prefetch(net_nic_at(n, lp, terminal), 1);
	__builtin_prefetch(net_endpoint_at(n, lp, terminal), 1);
	if (n->path.ring_plain && c->full && c->ring != SW_POOL_NONE)
		prefetch_turn(n, lp, c->first, c->first_held, c->ring);
}

static inline void prefetch_coming(const struct net *n, const struct net_lp *lp, uint32_t i)
{
	base_prefetch_write(sw_pool_at(&net_nics_of(n, lp)->coming, i, sizeof(struct net_coming)));
}

/* The message of a packet that is ejected here, if it is the first of its chain. */
static void prefetch_message(const struct net *n, const struct net_lp *lp, const struct sw_packet *p)
{
	uint32_t head = *net_coming_head(n, lp, p);
	if (head)
		prefetch_coming(n, lp, head - 1);
}

/* Prefetches the data that events of the exact path access first: a NIC, the heads of chains of records, and the first
 * record of each chain. */
static void prefetch_nic(const struct net *n, const struct net_lp *lp, const struct sim_event *ev)
{
	if (ev->kind == NET_NIC) {
		__builtin_prefetch(net_nic_at(n, lp, ev->aux), 1);
		__builtin_prefetch(net_endpoint_at(n, lp, ev->aux), 1);
		if (n->path.pairs && ev->payload[0]) /* as tell_ahead() (network/nic/nic.c) said */
			prefetch_turn(n, lp, (uint32_t)ev->payload[0] - 1, (uint32_t)(ev->payload[0] >> 32) - 1,
			              (uint32_t)ev->payload[1]);
	} else if (ev->kind == NET_GIVE_BACK) {
		if (n->path.takes_back)
			prefetch_going_on(n, lp, ev->aux);
	} else if (ev->kind == NET_ACK) {
		__builtin_prefetch(net_chain_head(n, lp, NET_CHAIN_PAIRS, ev->aux, (uint32_t)ev->payload[0]), 1);
	} else if (ev->kind == NET_DELIVER || ev->kind == NET_COMPLETE) {
		const struct sw_packet *p = (const struct sw_packet *)(const void *)ev->payload;
		if (n->nic.wants & CC_WANTS_SINKS)
			net_sink_prefetch(n, lp, ev->aux);
		if (n->nic.chain_at[NET_CHAIN_COMING] != UINT32_MAX) {
			prefetch_message(n, lp, p); /* of several events at once: these wait together */
			/* of its first process, which is the only one as a rule */
			base_prefetch_write(n->lp_memory + net_index(n, lp) * n->stride + n->processes.at +
			                    (size_t)ev->aux * n->processes.endpoint_bytes);
		}
	} else if (ev->kind == NET_MESSAGE) {
		const struct sw_pool *coming = &net_nics_of(n, lp)->coming;
		base_prefetch_write(net_chain_head(n, lp, NET_CHAIN_COMING,
		                                   net_coming_terminal(ev->aux, (uint32_t)(ev->payload[1] >> 32)),
		                                   (uint32_t)ev->payload[0]));
		if (coming->free != SW_POOL_NONE)
			prefetch_coming(n, lp, coming->free);
	}
}

/* Prefetches the ports and the endpoint that an event will access. For a packet whose route was already decided, the
 * output is computed here, and returned as a hint for the handler of a joined switch: port, VC and route flags in one
 * word. */
IDEAL_INLINE uint32_t prefetch(struct net *n, const struct sim_event *ev, bool joined, bool one_leg)
{
	struct net_lp *lp = net_lp_at(n, ev->lp);
	const struct ideal_derived *d = n->common.impl;
	unsigned char *state = net_switch_state(n, lp);
	uint32_t in = ev->aux;
	__builtin_prefetch(state, 1);
	if (joined && sim_likely(ev->kind == NET_ARRIVE || ev->kind == NET_INJECT)) {
		prefetch_input(n, ev, state);
	} else if (sim_likely(ev->kind == NET_ARRIVE)) {
		if (!n->path.goes_on || !n->common.ops->prefetching.prefetch_way)
			n->common.ops->prefetching.prefetch(&n->common, state, in);
	} else if (sim_likely(ev->kind == NET_INJECT)) {
		__builtin_prefetch(net_endpoint_at(n, lp, in), 1);
		__builtin_prefetch((const char *)net_endpoint_at(n, lp, in) + n->endpoints.bytes - 1, 1);
	} else {
		if (joined && ev->kind == NET_CREDIT)
			prefetch_credit(d, (void *)state, ev);
		else if (ev->kind == NET_CREDIT)
			n->common.ops->prefetching.prefetch(&n->common, state, in);
		else if (n->path.exact)
			prefetch_nic(n, lp, ev);
		return SIM_NO_HINT;
	}
	if (!n->path.goes_on)
		return SIM_NO_HINT;
	struct sw_packet p = *(const struct sw_packet *)(const void *)ev->payload;
	uint32_t out = net_way_ahead(n, lp, ev, &p, one_leg);
	if (out == NET_LATER) {
		if (n->path.foresees)
			return foresee(n, state, &p);
		if (!joined && ev->kind == NET_ARRIVE && n->common.ops->prefetching.prefetch_way)
			n->common.ops->prefetching.prefetch(&n->common, state, in);
		return SIM_NO_HINT;
	}
	if (out >= lp->net_ports) {
		if (n->nic.wants & CC_WANTS_SINKS)
			net_sink_prefetch(n, lp, out - lp->net_ports);
		if (n->path.counts_packets)
			prefetch_message(n, lp, &p);
	}
	if (!joined) {
		if (n->common.ops->prefetching.prefetch_way)
			n->common.ops->prefetching.prefetch_way(
			    &n->common, state, ev->kind == NET_INJECT ? lp->net_ports + in : in, out, p.vc);
		else
			n->common.ops->prefetching.prefetch(&n->common, state, out);
		return net_hint(out, &p);
	}
	if (out < lp->net_ports) {
		__builtin_prefetch(ideal_port_of(state, out, d->port_bytes), 1);
		if (n->common.track_queues)
			__builtin_prefetch(ideal_depth_at(d, (void *)state, out), 1);
	} else {
		__builtin_prefetch(ideal_terminal_at(d, (void *)state, out - lp->net_ports), 1);
	}
	return net_hint(out, &p);
}

/* Is a hint from the tables what routing says? What leaves by a terminal needs no VC and no flags. */
static bool is_way(struct net *n, const struct net_lp *lp, const struct sim_event *ev, uint32_t hint, bool one_leg)
{
	struct sw_packet p = *(const struct sw_packet *)(const void *)ev->payload;
	uint32_t out = net_way_ahead(n, lp, ev, &p, one_leg);
	return out == (hint & 0xffff) && (out >= lp->net_ports || net_hint(out, &p) == hint);
}

static __attribute__((noinline)) uint32_t prefetch_one_leg(void *self, const struct sim_event *ev)
{
	return prefetch(self, ev, true, true);
}

static __attribute__((noinline)) uint32_t prefetch_joined(void *self, const struct sim_event *ev)
{
	return prefetch(self, ev, true, false);
}

/* What brings no packet to a joined switch. */
static __attribute__((noinline)) uint32_t prefetch_no_packet(const struct net *n, const struct sim_event *ev)
{
	struct net_lp *lp = net_lp_at(n, ev->lp);
	unsigned char *state = net_switch_state(n, lp);
	__builtin_prefetch(state, 1);
	if (ev->kind == NET_CREDIT)
		prefetch_credit(n->common.impl, (void *)state, ev);
	else if (n->path.exact)
		prefetch_nic(n, lp, ev);
	return SIM_NO_HINT;
}

/* The way of a packet that is decided: see rt_way_ahead(). */
IDEAL_INLINE struct rt_way way_ahead(struct net *n, const struct net_lp *lp, const struct sim_event *ev,
                                     const struct sw_packet *p, bool one_leg, enum topo_vc_rule rule, enum rt_lookup by,
                                     bool draws)
{
	uint32_t in_port = base_if_equal32(ev->kind, NET_INJECT, rt_in_from_endpoint(one_leg, rule), ev->aux);
	topo_switch to = topo_divide(&n->topo.by_endpoints, p->dst); /* not with topo.endpoint_first */
	return rt_way_ahead(&n->rt, n->rt.impl, &n->env, lp->id, in_port, p, p->route | SW_ROUTE_DECIDED, to, one_leg,
	                    rule, by, draws);
}

/* net_hint() of it; the VC of what leaves by a terminal may be any. */
IDEAL_INLINE uint32_t hint_of(const struct net *n, const struct net_lp *lp, uint32_t port, const struct rt_way *way)
{
	base_checkf(way->vc < n->common.vcs || port >= lp->net_ports, "output %u, VC %u", port, way->vc);
	(void)n, (void)lp;
	return port | way->vc << 16 | way->route << 24;
}

/* Like prefetch() for packets at a joined switch, but with almost no branches if routes are in tables, because neither
 * the output of a packet nor whether it comes from an endpoint can be predicted (base/select.h). `otherwise` is called
 * for packets whose port is not in the tables, and, unless `draws` is set, for those that choose among several equal
 * ports. */
IDEAL_INLINE uint32_t prefetch_joined_way(struct net *n, const struct sim_event *ev, bool one_leg,
                                          enum topo_vc_rule rule, enum rt_lookup by, bool draws,
                                          uint32_t (*otherwise)(struct net *n, const struct sim_event *ev))
{
	const struct sw_packet *p = (const struct sw_packet *)(const void *)ev->payload;
	if (!one_leg && !(p->route & SW_ROUTE_DECIDED))
		return prefetch_joined(n, ev);
	const struct net_lp *lp = net_lp_at(n, ev->lp);
	const struct ideal_derived *d = n->common.impl;
	unsigned char *state = net_switch_state(n, lp), *rest = ((struct ideal_state *)(void *)state)->rest;
	struct rt_way way = way_ahead(n, lp, ev, p, one_leg, rule, by, draws);
	if (sim_unlikely(way.unknown))
		return otherwise(n, ev);
	uint32_t terminal = p->dst - lp->first_endpoint;
	uint32_t port = base_if_equal32(way.port, RT_EJECT, lp->net_ports + terminal, way.port);
	__builtin_prefetch(state, 1);
	prefetch_input(n, ev, state);
	unsigned char *own = rest + (size_t)port * d->port_bytes;
	unsigned char *depth = own;
	if (!one_leg && n->common.track_queues)
		depth = rest + d->at_depths + port * sizeof(struct ideal_depth);
	unsigned char *mine = rest + d->at_terminals + (size_t)terminal * sizeof(uint64_t);
	__builtin_prefetch(base_at_if_equal(way.port, RT_EJECT, mine, own), 1);
	__builtin_prefetch(base_at_if_equal(way.port, RT_EJECT, mine, depth), 1);
	if (n->path.counts_packets && way.port == RT_EJECT)
		prefetch_message(n, lp, p);
	uint32_t hint = hint_of(n, lp, port, &way);
	base_check(is_way(n, lp, ev, hint, one_leg));
	return hint;
}

static __attribute__((noinline)) uint32_t prefetch_other(void *self, const struct sim_event *ev)
{
	struct net *n = self;
	return prefetch(n, ev, false, n->path.one_leg);
}

/* Prefetches the data that events without packets access at a tiled switch. (It is inlined because gcc would remove a
 * call of a separate function, since prefetches have no side effects.) */
IDEAL_INLINE uint32_t prefetch_rest(const struct net *n, const struct sim_event *ev)
{
	struct net_lp *lp = net_lp_at(n, ev->lp);
	struct tiled_state *s = net_switch_state(n, lp);
	__builtin_prefetch(s, 1);
	if (ev->kind == NET_CREDIT) {
		tiled_prefetch_input(n->common.impl, s, ev->aux);
		if (n->telemetry.neighbours)
			__builtin_prefetch(net_neighbours_of(n, lp, ev->aux), 1);
	} else if (n->path.exact)
		prefetch_nic(n, lp, ev);
	return SIM_NO_HINT;
}

/* Prefetches the state that a packet arriving at a tiled switch touches. */
IDEAL_INLINE void prefetch_at_input(const struct net *n, const struct net_lp *lp, const struct sim_event *ev)
{
	__builtin_prefetch(net_switch_state(n, lp), 1);
	if (n->telemetry.neighbours && ev->kind == NET_ARRIVE)
		__builtin_prefetch(net_neighbours_of(n, lp, ev->aux), 1);
	if (ev->kind == NET_INJECT) {
		const char *e = (const char *)net_endpoint_at(n, lp, ev->aux);
		__builtin_prefetch(e, 1);
		__builtin_prefetch(e + n->endpoints.bytes - 1, 1);
	}
}

IDEAL_INLINE void prefetch_on_way(const struct net *n, const struct net_lp *lp, const struct sim_event *ev,
                                  uint32_t out, uint32_t vc)
{
	uint32_t in = ev->aux + (ev->kind == NET_INJECT ? lp->net_ports : 0);
	if (out >= lp->net_ports) {
		const struct sw_packet *p = (const struct sw_packet *)(const void *)ev->payload;
		if (n->nic.wants & CC_WANTS_SINKS)
			net_sink_prefetch(n, lp, out - lp->net_ports);
		if (n->path.counts_packets)
			prefetch_message(n, lp, p);
	}
	tiled_prefetch_way(n->common.impl, net_switch_state(n, lp), in, out, out < lp->net_ports ? vc : 0);
}

/* The same for tiled switches; with packets of one leg all that routing needs stays in registers. */
IDEAL_INLINE uint32_t prefetch_at_tiled(struct net *n, const struct sim_event *ev, bool one_leg)
{
	if (sim_unlikely(ev->kind != NET_ARRIVE && ev->kind != NET_INJECT))
		return prefetch_rest(n, ev);
	struct net_lp *lp = net_lp_at(n, ev->lp);
	prefetch_at_input(n, lp, ev);
	struct sw_packet p = *(const struct sw_packet *)(const void *)ev->payload;
	uint32_t out = net_way_ahead(n, lp, ev, &p, one_leg);
	if (!one_leg && out == NET_LATER) {
		tiled_prefetch_input(n->common.impl, net_switch_state(n, lp),
		                     ev->aux + (ev->kind == NET_INJECT ? lp->net_ports : 0));
		return SIM_NO_HINT;
	}
	prefetch_on_way(n, lp, ev, out, p.vc);
	return net_hint(out, &p);
}

static __attribute__((noinline, flatten)) uint32_t prefetch_tiled(void *self, const struct sim_event *ev)
{
	return prefetch_at_tiled(self, ev, true);
}

static __attribute__((noinline)) uint32_t prefetch_tiled_legs(void *self, const struct sim_event *ev)
{
	return prefetch_at_tiled(self, ev, false);
}

/* The same where rt_way_ahead() is to be had. */
IDEAL_INLINE uint32_t prefetch_tiled_way(struct net *n, const struct sim_event *ev, bool one_leg,
                                         enum topo_vc_rule rule, enum rt_lookup by, bool draws,
                                         uint32_t (*otherwise)(struct net *n, const struct sim_event *ev))
{
	const struct sw_packet *p = (const struct sw_packet *)(const void *)ev->payload;
	if (!one_leg && !(p->route & SW_ROUTE_DECIDED))
		return prefetch_tiled_legs(n, ev);
	struct net_lp *lp = net_lp_at(n, ev->lp);
	struct rt_way way = way_ahead(n, lp, ev, p, one_leg, rule, by, draws);
	if (sim_unlikely(way.unknown))
		return otherwise(n, ev);
	prefetch_at_input(n, lp, ev);
	uint32_t out = way.port == RT_EJECT ? lp->net_ports + (p->dst - lp->first_endpoint) : way.port;
	uint32_t hint = hint_of(n, lp, out, &way);
	prefetch_on_way(n, lp, ev, out, hint >> 16 & 0xff);
	base_check(is_way(n, lp, ev, hint, one_leg));
	return hint;
}

static uint32_t without_tables(struct net *n, const struct sim_event *ev)
{
	return n->path.one_leg ? prefetch_one_leg(n, ev) : prefetch_joined(n, ev);
}

static uint32_t tiled_without_tables(struct net *n, const struct sim_event *ev)
{
	return n->path.one_leg ? prefetch_tiled(n, ev) : prefetch_tiled_legs(n, ev);
}

/* Prefetching functions per kind of routing. Events without packets, and with tables the packets that choose among
 * equal ports, are handled before registers are saved for the remaining cases. */
#define PACKETS(name, joined, tiled, one_leg, rule, by, draws, otherwise, tiled_otherwise)                \
	static __attribute__((noinline)) uint32_t joined##name(struct net *n, const struct sim_event *ev) \
	{                                                                                                 \
		return prefetch_joined_way(n, ev, one_leg, rule, by, draws, otherwise);                   \
	}                                                                                                 \
	static __attribute__((noinline)) uint32_t tiled##name(struct net *n, const struct sim_event *ev)  \
	{                                                                                                 \
		return prefetch_tiled_way(n, ev, one_leg, rule, by, draws, tiled_otherwise);              \
	}
#define EVENTS(name)                                                                     \
	static uint32_t name(void *self, const struct sim_event *ev)                     \
	{                                                                                \
		bool packet = ev->kind == NET_ARRIVE || ev->kind == NET_INJECT;          \
		return packet ? packet_##name(self, ev) : prefetch_no_packet(self, ev);  \
	}                                                                                \
	static uint32_t tiled_##name(void *self, const struct sim_event *ev)             \
	{                                                                                \
		bool packet = ev->kind == NET_ARRIVE || ev->kind == NET_INJECT;          \
		return packet ? tiled_packet_##name(self, ev) : prefetch_rest(self, ev); \
	}
#define IN_TABLES(name, one_leg, rule, by)                                                                 \
	PACKETS(name, drawn_, tiled_drawn_, one_leg, rule, by, true, without_tables, tiled_without_tables) \
	PACKETS(name, packet_, tiled_packet_, one_leg, rule, by, false, drawn_##name, tiled_drawn_##name)  \
	EVENTS(name)
#define BY_TOPOLOGY(name, one_leg, rule)                                                           \
	PACKETS(name, packet_, tiled_packet_, one_leg, rule, RT_LOOKUP_TOPOLOGY, true, NULL, NULL) \
	EVENTS(name)
IN_TABLES(one_leg_by_hop, true, TOPO_VC_HOP, RT_LOOKUP_PAIR)
IN_TABLES(one_leg_by_leg, true, TOPO_VC_LEG, RT_LOOKUP_PAIR)
IN_TABLES(one_leg_by_dateline, true, TOPO_VC_DATELINE, RT_LOOKUP_PAIR)
IN_TABLES(one_leg_by_groups, true, TOPO_VC_GROUPS, RT_LOOKUP_PAIR)
IN_TABLES(legs_by_hop, false, TOPO_VC_HOP, RT_LOOKUP_PAIR)
IN_TABLES(legs_by_leg, false, TOPO_VC_LEG, RT_LOOKUP_PAIR)
IN_TABLES(legs_by_dateline, false, TOPO_VC_DATELINE, RT_LOOKUP_PAIR)
IN_TABLES(legs_by_groups, false, TOPO_VC_GROUPS, RT_LOOKUP_PAIR)
IN_TABLES(one_leg_by_axes, true, TOPO_VC_DATELINE, RT_LOOKUP_AXES)
IN_TABLES(legs_by_axes, false, TOPO_VC_DATELINE, RT_LOOKUP_AXES)
BY_TOPOLOGY(one_leg_asks_hop, true, TOPO_VC_HOP)
BY_TOPOLOGY(one_leg_asks_leg, true, TOPO_VC_LEG)
BY_TOPOLOGY(one_leg_asks_dateline, true, TOPO_VC_DATELINE)
BY_TOPOLOGY(one_leg_asks_groups, true, TOPO_VC_GROUPS)
BY_TOPOLOGY(legs_ask_hop, false, TOPO_VC_HOP)
BY_TOPOLOGY(legs_ask_leg, false, TOPO_VC_LEG)
BY_TOPOLOGY(legs_ask_dateline, false, TOPO_VC_DATELINE)
BY_TOPOLOGY(legs_ask_groups, false, TOPO_VC_GROUPS)

#define WAYS(name)                 \
	{                          \
		name, tiled_##name \
	}

static const struct ways {
	net_prefetcher *joined, *tiled;
} ways_by[][4][2] = {
	/* by source of the information, by rule, and whether there is one leg */
	[RT_LOOKUP_PAIR] = { [TOPO_VC_HOP] = { WAYS(legs_by_hop), WAYS(one_leg_by_hop) },
	                     [TOPO_VC_LEG] = { WAYS(legs_by_leg), WAYS(one_leg_by_leg) },
	                     [TOPO_VC_DATELINE] = { WAYS(legs_by_dateline), WAYS(one_leg_by_dateline) },
	                     [TOPO_VC_GROUPS] = { WAYS(legs_by_groups), WAYS(one_leg_by_groups) } },
	[RT_LOOKUP_AXES] = { [TOPO_VC_DATELINE] = { WAYS(legs_by_axes), WAYS(one_leg_by_axes) } },
	[RT_LOOKUP_TOPOLOGY] = { [TOPO_VC_HOP] = { WAYS(legs_ask_hop), WAYS(one_leg_asks_hop) },
	                         [TOPO_VC_LEG] = { WAYS(legs_ask_leg), WAYS(one_leg_asks_leg) },
	                         [TOPO_VC_DATELINE] = { WAYS(legs_ask_dateline), WAYS(one_leg_asks_dateline) },
	                         [TOPO_VC_GROUPS] = { WAYS(legs_ask_groups), WAYS(one_leg_asks_groups) } },
};

net_prefetcher *net_choose_prefetch(const struct net *n)
{
	const struct net_traits *p = &n->path;
	if (p->prefetching == NET_PREFETCH_NONE)
		return NULL;
	if (p->prefetching == NET_PREFETCH_BY_INTERFACE)
		return prefetch_other;
	if (p->prefetching == NET_PREFETCH_ROUTED)
		return p->tiled ? (p->one_leg ? prefetch_tiled : prefetch_tiled_legs)
		                : (p->one_leg ? prefetch_one_leg : prefetch_joined);
	const struct rt_common *c = n->rt.impl;
	const struct ways *ways = &ways_by[rt_lookup_of(&n->rt)][c->rule][p->one_leg];
	return p->tiled ? ways->tiled : ways->joined;
}

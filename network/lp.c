/* network/lp.c - the handler of a logical process: events to the switch model and to endpoints.
 *
 * The ideal switch is joined with its host here, compiled as one; every other model is called through its interface. */
#include "network/host.h"

#define SW_HOST(mode, call, op, ...) net_host_##op((call), __VA_ARGS__, (mode) != IDEAL_FULL)
#define SW_TRANSMIT(mode, call, out, end, p, way, start, finish) \
	net_host_transmit((call), (out), (end), (p), (way).vc, (way).route, (start), (finish), (mode) != IDEAL_FULL)
#include "switch/ideal_model.h"

#include "routing/leg.h"

#define EARLY_AHEAD 32 /* credits whose ports are asked for while others are applied */

const char *net_kind_name(unsigned kind)
{
	static const char *const names[] = {
		"?",       "packet arrives",  "credit arrives", "packet injected", "terminal buffer freed",
		"publish", "depths published"
	};
	if (kind >= SW_EVENT_FIRST)
		return "switch internal";
	return names[kind < sizeof names / sizeof *names ? kind : 0];
}

static uint64_t host_key(struct sw_call *call, unsigned phase)
{
	return net_next_key(call->ctx, call->host_lp, (enum net_phase)phase);
}

/* The same behind the interface, for every other model. */

static uint32_t host_route(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack)
{
	struct net *n = call->host;
	if (sim_likely(p == n->foreseen && p->vc == n->foreseen_vc)) { /* worked out ahead */
		uint32_t hint = call->ctx->hint;
		n->foreseen = NULL;
		p->vc = (uint8_t)(hint >> 16);
		p->route = (uint8_t)(hint >> 24);
		p->via = sw_packet_via(p, p->route);
		return hint & 0xffff;
	}
	return net_host_route(call, in_port, p, slack);
}

static void host_transmit(struct sw_call *call, uint32_t out, const struct sw_link_end *end, const struct sw_packet *p,
                          uint64_t start, uint64_t finish)
{
	net_host_transmit(call, out, end, p, p->vc, p->route, start, finish, false);
}

static void host_eject(struct sw_call *call, uint32_t terminal, const struct sw_packet *p, uint64_t start,
                       uint64_t finish)
{
	net_host_eject(call, terminal, p, start, finish, false);
}

static void host_credit(struct sw_call *call, uint32_t in_port, const struct sw_link_end *end, uint8_t vc,
                        uint32_t bytes, uint64_t when)
{
	net_host_credit(call, in_port, end, vc, bytes, when, false);
}

static void host_queued(struct sw_call *call, uint32_t out, uint8_t vc, uint32_t bytes, uint64_t from, uint64_t to,
                        bool waited)
{
	net_host_queued(call, out, vc, bytes, from, to, waited, false);
}

const struct sw_host_ops net_host_ops = {
	.route = host_route,
	.transmit = host_transmit,
	.eject = host_eject,
	.credit = host_credit,
	.queued = host_queued,
	.key = host_key,
};

#define LATER (UINT32_MAX - 2)

/* The output of a packet that goes on as was decided, whose *p is changed, or LATER: it is not decided yet. */
IDEAL_INLINE uint32_t way_ahead(struct net *n, const struct net_lp *lp, const struct sim_event *ev, struct sw_packet *p,
                                bool one_leg)
{
	topo_switch to = topo_switch_of(&n->topo, p->dst);
	struct rt_env *env = &n->env; /* what does not change was filled at the start */
	env->here = lp->id;
	env->in_port = ev->kind == NET_INJECT ? RT_FROM_ENDPOINT : ev->aux;
	env->drawn = 0;
	uint32_t out;
	if (one_leg) {
		p->route |= SW_ROUTE_DECIDED;
		out = lp->id == to ? RT_EJECT : rt_step(&n->rt, n->rt.impl, env, p, to, RT_LEG_MINIMAL).port;
	} else if (p->route & SW_ROUTE_DECIDED) {
		out = rt_go_on(&n->rt, n->rt.impl, env, p, to).port;
	} else {
		return LATER;
	}
	if (out == RT_EJECT)
		return lp->net_ports + (p->dst - lp->first_endpoint);
	if (sim_unlikely(p->vc >= n->common.vcs))
		p->vc = (uint8_t)(n->common.vcs - 1); /* as in net_route() */
	return out;
}

/* The packet of an event enters the switch, by the hint if there is one. */
IDEAL_INLINE void arrives(struct net *n, struct sw_call *call, uint32_t hint, const struct net_lp *lp,
                          const struct sim_event *ev, enum ideal_mode mode)
{
	const struct sw_packet *packet = (const struct sw_packet *)(const void *)ev->payload;
	uint32_t in_port = ev->kind == NET_INJECT ? lp->net_ports + ev->aux : ev->aux;
	struct sw_packet p;
	struct ideal_way way;
	if (mode == IDEAL_FULL && !n->joined) {
		p = *packet;
		n->foreseen = hint != SIM_NO_HINT ? &p : NULL;
		n->foreseen_vc = p.vc;
		n->common.ops->packet_in(call, in_port, &p);
		n->foreseen = NULL;
		return;
	}
	uint8_t in_vc = packet->vc;
	if (sim_likely(hint != SIM_NO_HINT)) {
		way = (struct ideal_way){ hint & 0xffff, (uint8_t)(hint >> 16), (uint8_t)(hint >> 24), 0 };
	} else if (mode == IDEAL_PLAIN && n->goes_on && n->one_leg) {
		p = *packet;
		uint32_t out = way_ahead(n, lp, ev, &p, true);
		way = (struct ideal_way){ out, p.vc, p.route, 0 };
	} else {
		p = *packet;
		uint8_t slack = 0;
		uint32_t out = net_host_route(call, in_port, &p, &slack);
		way = (struct ideal_way){ out, p.vc, p.route, slack };
		packet = &p;
	}
	ideal_routed(call, in_port, in_vc, way, packet, mode);
}

/* One handler for whatever there is, two for what most runs are: no records of ports or switches, and the joined switch
 * in a simple mode. */
IDEAL_INLINE void handle(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev, enum ideal_mode mode)
{
	struct net *n = self;
	struct net_lp *lp = net_lp_at(n, id);
	struct sw_call *call = &n->call;
	bool full = mode == IDEAL_FULL;
	call->lp = id;
	call->host_lp = lp;
	call->id = lp->id;
	call->state = net_switch_state(n, lp);
	call->now = ev->time;
	switch (ev->kind) {
	case NET_ARRIVE:
	case NET_INJECT:
		if (full && n->activity && ev->kind == NET_ARRIVE) {
			uint32_t *a =
			    n->activity + ((size_t)net_index(n, lp) * 4 + 3) * n->bins + net_bin_of(n, ev->time);
			sim_set(ctx, a, *a + 1);
		}
		arrives(n, call, ctx->hint, lp, ev, mode);
		if (ev->kind == NET_INJECT)
			net_inject_next(n, ctx, lp, ev->aux);
		break;
	case NET_CREDIT:
		if (full && n->neighbours)
			net_neighbours_hear(n, ctx, lp, ev->aux, ev->payload[0] >> 40);
		if (full && !n->joined)
			n->common.ops->credit_in(call, ev->aux, (uint8_t)ev->payload[0],
			                         (uint32_t)(ev->payload[0] >> 8));
		else
			ideal_credit_in(call, ev->aux, (uint8_t)ev->payload[0], (uint32_t)(ev->payload[0] >> 8));
		break;
	case NET_GIVE_BACK:
		net_give_back(n, ctx, lp, ev->aux, (uint32_t)ev->payload[0]);
		break;
	case NET_TICK:
		net_publish_tick(n, ctx, lp);
		break;
	case NET_PUBLISHED:
		net_publish_receive(n, ctx, id, ev);
		break;
	default:
		if (n->common.ops->event)
			n->common.ops->event(call, ev);
		else
			sim_violation(ctx, "an event of unknown kind %u", ev->kind);
	}
}

static void handle_full(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev)
{
	handle(ctx, self, id, ev, IDEAL_FULL);
}

static void handle_tracked(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev)
{
	handle(ctx, self, id, ev, IDEAL_TRACKED);
}

static void handle_plain(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev)
{
	handle(ctx, self, id, ev, IDEAL_PLAIN);
}

net_handler *net_choose_handler(const struct net *n)
{
	if (!n->joined || n->port_stats || n->activity || n->neighbours)
		return handle_full;
	enum ideal_mode mode = ideal_mode(&n->common);
	return mode == IDEAL_PLAIN ? handle_plain : mode == IDEAL_TRACKED ? handle_tracked : handle_full;
}

/* The ports and the endpoint that an event will touch. Where routing goes on as was decided, the output is worked out
 * here, and the handler of a joined switch gets it as a hint: port, VC and route flags in one word. */
IDEAL_INLINE uint32_t prefetch(struct net *n, const struct sim_event *ev, bool joined, bool one_leg)
{
	struct net_lp *lp = net_lp_at(n, ev->lp);
	const struct ideal_derived *d = n->common.impl;
	void *state = net_switch_state(n, lp);
	uint32_t in = ev->aux;
	__builtin_prefetch(state, 1);
	if (sim_likely(ev->kind == NET_ARRIVE)) {
		if (joined)
			__builtin_prefetch(ideal_port_at(d, state, in), 1);
		else if (!n->goes_on || !n->common.ops->prefetch_way)
			n->common.ops->prefetch(&n->common, state, in);
	} else if (sim_likely(ev->kind == NET_INJECT)) {
		__builtin_prefetch(net_endpoint_at(n, lp, in), 1);
		__builtin_prefetch((const char *)net_endpoint_at(n, lp, in) + n->endpoint_bytes - 1, 1);
	} else {
		if (joined && ev->kind == NET_CREDIT)
			__builtin_prefetch(ideal_port_at(d, state, in), 1);
		else if (ev->kind == NET_CREDIT)
			n->common.ops->prefetch(&n->common, state, in);
		else if (ev->kind >= SW_EVENT_FIRST && n->common.ops->prefetch_event)
			n->common.ops->prefetch_event(&n->common, state, ev);
		return SIM_NO_HINT;
	}
	if (!n->goes_on)
		return SIM_NO_HINT;
	struct sw_packet p = *(const struct sw_packet *)(const void *)ev->payload;
	uint32_t out = way_ahead(n, lp, ev, &p, one_leg);
	if (out == LATER) {
		if (!joined && ev->kind == NET_ARRIVE && n->common.ops->prefetch_way)
			n->common.ops->prefetch(&n->common, state, in);
		return SIM_NO_HINT;
	}
	if (out >= lp->net_ports)
		__builtin_prefetch(net_extremes_at(n, lp, p.job), 1);
	if (!joined) {
		if (n->common.ops->prefetch_way)
			n->common.ops->prefetch_way(&n->common, state, ev->kind == NET_INJECT ? lp->net_ports + in : in,
			                            out, p.vc);
		else
			n->common.ops->prefetch(&n->common, state, out);
		return net_hint(out, &p);
	}
	if (out < lp->net_ports) {
		__builtin_prefetch(ideal_port_at(d, state, out), 1);
		if (n->common.track_queues)
			__builtin_prefetch(ideal_depth_at(d, state, out), 1);
	} else {
		__builtin_prefetch(ideal_terminal_at(d, state, out - lp->net_ports), 1);
	}
	return net_hint(out, &p);
}

static uint32_t prefetch_one_leg(void *self, const struct sim_event *ev)
{
	return prefetch(self, ev, true, true);
}

static uint32_t prefetch_joined(void *self, const struct sim_event *ev)
{
	return prefetch(self, ev, true, false);
}

static uint32_t prefetch_other(void *self, const struct sim_event *ev)
{
	struct net *n = self;
	return prefetch(n, ev, false, n->one_leg);
}

net_prefetcher *net_choose_prefetch(const struct net *n)
{
	if (!n->prefetching)
		return NULL;
	return !n->joined ? prefetch_other : n->one_leg ? prefetch_one_leg : prefetch_joined;
}

/* Bytes that a switch may give to any one output in a window, besides what waits there: every arrival's packet, and of
 * every endpoint that injects what its link can carry meanwhile. `injects`: endpoints that may inject, because of an
 * event of the window or, if they are near, because a credit of the window lets a packet go on whose room then wakes
 * one up. */
static inline uint64_t most_reserved(const struct net *n, uint32_t packets, uint32_t injects)
{
	return (uint64_t)packets * n->common.max_packet + injects * n->window_injection;
}

static uint32_t count_injects(const struct sim_ordered *o, sim_lpid lp)
{
	uint32_t count = 0, n = sim_ordered_count(o, lp);
	for (uint32_t i = 0; i < n; i++)
		count += sim_ordered_event(o, lp, i)->kind == NET_INJECT;
	return count;
}

uint32_t net_early(void *self, struct sim_event **events, uint32_t count, const struct sim_ordered *ordered)
{
	struct net *n = self;
	uint32_t left = 0;
	for (uint32_t i = 0; i < count; i++)
		if (sim_unlikely(events[i]->kind != NET_CREDIT)) {
			struct sim_event *ev = events[i];
			events[i] = events[left];
			events[left++] = ev;
		}
	/* terminal buffers of this block freed in the window: each may let an endpoint inject */
	uint32_t given_back = left, slack = n->common.bubble ? n->common.max_packet : 0;
	const struct ideal_derived *d = n->common.impl;
	unsigned char *state = n->lp_memory + (size_t)(ordered->first - n->first) * n->stride;
	for (uint32_t i = left; i < count; i++) {
		struct sim_event *ev = events[i];
		uint32_t k = ev->lp - ordered->first;
		if (n->prefetching && i + EARLY_AHEAD < count) {
			const struct sim_event *next = events[i + EARLY_AHEAD];
			void *there = state + (size_t)(next->lp - ordered->first) * n->stride;
			__builtin_prefetch(ideal_port_at(d, there, next->aux), 1);
		}
		struct ideal_state *s = (void *)(state + k * n->stride);
		uint8_t vc = (uint8_t)ev->payload[0];
		uint32_t bytes = (uint32_t)(ev->payload[0] >> 8), others = sim_ordered_count(ordered, ev->lp);
		uint32_t injects =
		    n->near_endpoints || others + given_back > s->terminals ? s->terminals : others + given_back;
		if (sim_likely(ideal_credit_early(&n->common, d, s, ev->aux, vc, bytes,
		                                  most_reserved(n, others, injects) + slack)))
			continue;
		injects = count_injects(ordered, ev->lp) + given_back;
		if (!n->near_endpoints &&
		    ideal_credit_early(&n->common, d, s, ev->aux, vc, bytes, most_reserved(n, others, injects) + slack))
			continue;
		events[i] = events[left];
		events[left++] = ev;
	}
	return left;
}

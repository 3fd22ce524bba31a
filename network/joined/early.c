/* network/joined/early.c - credits that may be applied before all other events of their window: see sim_model.early.
 *
 * The order of a credit within its window does not matter if no packet waits for it, and if the available credits
 * suffice for everything that the switch can send through that output in the window. */
#include "base/memory.h"
#include "network/joined/joined.h"
#include "switch/ideal/model.h"
#include "switch/tiled/tiled.h"

#define EARLY_AHEAD 32 /* credits whose ports are prefetched while others are applied */

/* Upper bound on the bytes that a switch may send through any one output in a window, in addition to those already
 * waiting there: the largest packet for each arrival, and for every endpoint that may inject, the bytes that its link
 * can carry in a window. `injects` is the number of these endpoints: an endpoint may inject because of an event of the
 * window, or, with n->path.near_endpoints, because a credit of the window releases a packet whose buffer space then
 * lets the endpoint continue. */
static inline uint64_t most_reserved(const struct net *n, uint32_t packets, uint32_t injects)
{
	return (uint64_t)packets * n->common.max_packet + injects * n->endpoints.window_injection;
}

static uint32_t count_injects(const struct sim_ordered *o, sim_lpid lp)
{
	uint32_t count = 0, n = sim_ordered_count(o, lp);
	for (uint32_t i = 0; i < n; i++)
		count += sim_ordered_event(o, lp, i)->kind == NET_INJECT;
	return count;
}

/* Computes an upper bound for each LP of the block, as if any of its events could be an injection. Behind the bounds,
 * the array has an entry for the exact value of each LP; 0 means that it is not computed yet. `given_back` is the
 * number of terminal buffers of the block that were freed in the window; each may let an endpoint inject. */
static void early_bounds(struct net *n, const struct sim_ordered *o, uint32_t given_back)
{
	if (o->lps > n->ahead.cap_bounds) {
		n->ahead.cap_bounds = o->lps;
		n->ahead.bounds = base_realloc(n->ahead.bounds, 2 * o->lps * sizeof *n->ahead.bounds);
	}
	const uint32_t slack = n->common.bubble ? n->common.max_packet : 0;
	const bool near = n->path.near_endpoints;
	const uint64_t packet = n->common.max_packet, injection = n->endpoints.window_injection;
	const uint32_t left = n->room - (o->first - n->base), lps = o->lps < left ? o->lps : left;
	const struct net_lp *lp = net_lp_at(n, o->first);
	uint64_t *bound = n->ahead.bounds, *exact = n->ahead.bounds + o->lps;
	for (uint32_t k = 0; k < lps; k++) { /* as most_reserved() says */
		uint32_t endpoints = lp[k].endpoints, others = sim_ordered_count(o, o->first + k);
		uint32_t injects = near || others + given_back > endpoints ? endpoints : others + given_back;
		bound[k] = others * packet + injects * injection + slack;
		exact[k] = 0;
	}
}

/* A credit whose port has lanes, or that the bound of its LP may be too coarse for. */
static __attribute__((noinline)) bool early_exactly(const struct net *n, const struct sim_ordered *o,
                                                    const struct sim_event *ev, struct ideal_state *s,
                                                    uint32_t given_back)
{
	uint8_t vc = (uint8_t)ev->payload[0];
	uint32_t bytes = (uint32_t)(ev->payload[0] >> 8), k = ev->lp - o->first;
	if (ideal_credit_early(&n->common, n->common.impl, s, ev->aux, vc, bytes, n->ahead.bounds[k]))
		return true; /* its port has lanes, but no packet waits */
	if (n->path.near_endpoints)
		return false;
	uint64_t *exact = &n->ahead.bounds[o->lps + k];
	if (!*exact) {
		uint32_t slack = n->common.bubble ? n->common.max_packet : 0, others = sim_ordered_count(o, ev->lp);
		uint32_t injects = count_injects(o, ev->lp) + given_back;
		*exact = most_reserved(n, others, injects < s->terminals ? injects : s->terminals) + slack;
	}
	return ideal_credit_early(&n->common, n->common.impl, s, ev->aux, vc, bytes, *exact);
}

/* Applies credits as the model can: the tiled one, or one behind its interface. */
IDEAL_INLINE uint32_t apply_by_model(struct net *n, struct sim_event **events, uint32_t count, bool tiled)
{
	const struct sw_ops *ops = n->common.ops;
	const struct tiled_derived *d = n->common.impl;
	uint64_t enough = tiled ? tiled_enough(&n->common, n->lookahead) : 0;
	uint32_t left = 0;
	base_check(!n->call.ctx->journal); /* what is applied here can not be undone */
	for (uint32_t i = 0; i < count; i++) {
		struct sim_event *ev = events[i];
		const uint32_t later = i + EARLY_AHEAD / 2;
		if (n->common.prefetching && later < count && events[later]->kind == NET_CREDIT) {
			const struct sim_event *next = events[later];
			void *state = net_switch_state(n, net_lp_at(n, next->lp));
			if (tiled)
				__builtin_prefetch(tiled_credit_at(d, state, next->aux, 0), 1);
			else
				ops->prefetching.prefetch(&n->common, state, next->aux);
		}
		if (ev->kind == NET_CREDIT) {
			void *state = net_switch_state(n, net_lp_at(n, ev->lp));
			uint8_t lane = (uint8_t)ev->payload[0];
			uint32_t bytes = (uint32_t)(ev->payload[0] >> 8);
			if (tiled ? tiled_credit_early(d, state, enough, ev->aux, lane, bytes)
			          : ops->timing.credit_early(&n->common, state, n->lookahead, ev->aux, lane, bytes))
				continue;
		}
		events[i] = events[left];
		events[left++] = ev;
	}
	return left;
}

uint32_t net_early_tiled(void *self, struct sim_event **events, uint32_t count, const struct sim_ordered *ordered)
{
	(void)ordered;
	return apply_by_model(self, events, count, true);
}

uint32_t net_early_by_model(void *self, struct sim_event **events, uint32_t count, const struct sim_ordered *ordered)
{
	(void)ordered;
	return apply_by_model(self, events, count, false);
}

/* The port that a credit comes to. */
struct credited {
	unsigned char *states; /* of the block's first LP */
	sim_lpid first;
	size_t stride, port_bytes;
};

static inline struct ideal_port *credited_port(const struct credited *c, const struct sim_event *ev)
{
	return ideal_port_of(c->states + (ev->lp - c->first) * c->stride, ev->aux, c->port_bytes);
}

/* Applies a credit if it does not matter when in the window it comes. */
IDEAL_INLINE bool apply_early(const struct net *n, const struct credited *c, const struct sim_ordered *ordered,
                              const struct sim_event *ev, uint32_t given_back, bool narrow, bool holds)
{
	const struct ideal_derived *d = n->common.impl;
	struct ideal_port *o = credited_port(c, ev);
	uint8_t vc = (uint8_t)ev->payload[0];
	uint32_t bytes = (uint32_t)(ev->payload[0] >> 8), k = ev->lp - c->first;
	uint32_t credits = narrow ? ((const uint16_t *)o->credits)[vc] : o->credits[vc];
	base_checkf(credits <= d->share && bytes && ev->aux < net_lp_at(n, ev->lp)->net_ports,
	            "LP %u, output %u: %u credits of %u, %u more", ev->lp, ev->aux, credits, d->share, bytes);
	if (sim_likely(credits >= n->ahead.bounds[k] && credits + bytes <= d->share && !o->lanes) &&
	    !(holds && ideal_may_tell(d, (void *)(c->states + k * c->stride), o, vc, bytes, n->ahead.bounds[k]))) {
		if (narrow)
			((uint16_t *)o->credits)[vc] = (uint16_t)(credits + bytes);
		else
			o->credits[vc] = credits + bytes;
		return true;
	}
	const struct ideal_lane *lane = ideal_lane_of(d, (void *)(c->states + k * c->stride), o, vc, false);
	if (ideal_waits(lane))
		return false;
	return early_exactly(n, ordered, ev, (void *)(c->states + k * c->stride), given_back);
}

/* events[from] and those behind it are credits: applies what can be, the others go to the front. */
IDEAL_INLINE uint32_t apply_all(const struct net *n, const struct sim_ordered *ordered, struct sim_event **events,
                                uint32_t from, uint32_t count, bool narrow, bool holds)
{
	const struct ideal_derived *d = n->common.impl;
	const struct credited c = { n->lp_memory + (size_t)(ordered->first - n->base) * n->stride, ordered->first,
		                    n->stride, d->port_bytes };
	uint32_t left = from, i = from;
	uint32_t ahead = n->common.prefetching ? (count - from < EARLY_AHEAD ? count - from : EARLY_AHEAD) : 0;
	for (uint32_t k = 0; k < ahead; k++)
		__builtin_prefetch(credited_port(&c, events[from + k]), 1);
	for (uint32_t until = n->common.prefetching ? count - ahead : from; i < until; i++) {
		struct sim_event *ev = events[i];
		__builtin_prefetch(credited_port(&c, events[i + EARLY_AHEAD]), 1);
		if (!apply_early(n, &c, ordered, ev, from, narrow, holds)) {
			events[i] = events[left];
			events[left++] = ev;
		}
	}
	for (; i < count; i++) {
		struct sim_event *ev = events[i];
		if (!apply_early(n, &c, ordered, ev, from, narrow, holds)) {
			events[i] = events[left];
			events[left++] = ev;
		}
	}
	return left;
}

uint32_t net_early_ideal(void *self, struct sim_event **events, uint32_t count, const struct sim_ordered *ordered)
{
	struct net *n = self;
	uint32_t others = 0;
	for (uint32_t i = 0; i < count; i++)
		if (sim_unlikely(events[i]->kind != NET_CREDIT)) {
			struct sim_event *ev = events[i];
			events[i] = events[others];
			events[others++] = ev;
		}
	if (others == count)
		return others;
	base_check(!n->call.ctx->journal); /* what is applied here can not be undone */
	early_bounds(n, ordered, others);
	bool narrow = ((const struct ideal_derived *)n->common.impl)->narrow;
	if (n->common.hold_within)
		return narrow ? apply_all(n, ordered, events, others, count, true, true)
		              : apply_all(n, ordered, events, others, count, false, true);
	return narrow ? apply_all(n, ordered, events, others, count, true, false)
	              : apply_all(n, ordered, events, others, count, false, false);
}

/* switch/tiled/tiled.c - the tiled high-radix switch (Rosetta, YARC, hierarchical crossbars) behind sw_ops: packets in,
 * credits in, events.
 *
 * See tiled.h for its parts. docs/switch-tiled.md lists which of its properties are published and which are calibrated,
 * and describes the studies. */
#include "switch/tiled/path.h"

#include "base/memory.h"
#include "sim/rng.h"
#include "switch/links/pass.h"

#include <stddef.h>
#include <stdlib.h>

static size_t tiled_state_bytes(const struct sw_common *c)
{
	return sizeof(struct tiled_state) + ((const struct tiled_derived *)c->impl)->bytes;
}

static void init_port(const struct tiled_derived *d, struct tiled_state *s, uint32_t i)
{
	const struct tiled_list none = { TILED_NONE, TILED_NONE };
	*tiled_rest_at(d, s, i) = (struct tiled_port_rest){ .asks = none, .grants = none };
	sw_account_init(&d->account, tiled_credit_at(d, s, i, 0));
	for (uint32_t k = 0; d->in_kept && k < d->lanes; k++)
		*tiled_kept_at(d, s, i, k) = SW_LETS_GO;
	for (uint32_t k = 0; d->grants && k < d->ports; k++)
		for (uint32_t q = 0; q < d->lanes; q++)
			*tiled_voq_at(d, s, i, q, k) = (struct tiled_voq){ .list = none, .unasked = TILED_NONE };
	for (uint32_t k = 0; d->row_buffered && k < d->queues; k++)
		*tiled_queue_at(d, s, (size_t)i * d->queues + k) = none;
	uint32_t fronts = tiled_fronts(d);
	for (uint32_t k = 0; k < fronts; k++) {
		tiled_front_at(d, s, tiled_front_of(d, i, k))->list = none;
		if (d->row_buffered)
			*tiled_space_at(d, s, tiled_front_of(d, i, k)) = d->row_space;
	}
	for (uint32_t r = 0; r < d->geometry.rows; r++) {
		if (!d->column_buffered)
			break;
		for (uint32_t q = 0; q < d->lanes; q++)
			*tiled_column_at(d, s, ((size_t)i * d->geometry.rows + r) * d->lanes + q) =
			    (struct tiled_column){ .list = none, .space = d->column_space };
	}
}

enum tiled_mode tiled_mode_of(const struct sw_common *c)
{
	const struct tiled_derived *d = c->impl;
	bool traces = !d->direct || c->bubble || c->record_queues || c->framed || c->passes,
	     flows = c->flow_channels && c->max_net_ports;
	bool presets = d->grant_by_age && !d->fault && d->crossbar_arbiter == &sw_arbiter_round_robin &&
	               d->column_arbiter == &sw_arbiter_round_robin;
	return traces || flows || !presets ? TILED_ANY : d->uniform ? TILED_UNIFORM : TILED_SIMPLE;
}

static void init_tiled(const struct sw_common *c, void *state, const struct sw_place *place)
{
	struct tiled_state *s = state;
	const struct tiled_derived *d = c->impl;
	sw_pool_init(&s->pool);
	s->derived = d;
	s->id = place->id;
	s->net_ports = place->net_ports;
	s->terminals = place->terminals;
	s->phase =
	    sim_draw4(c->seed, place->id, 0, SIM_DRAW_SWITCH, 0).v[0] % (uint32_t)tiled_min(d->period, UINT32_MAX);
	s->to_edge = d->period - 1 - s->phase;
	s->asks = s->grants = (struct tiled_list){ TILED_NONE, TILED_NONE };
	s->asks_at = s->grants_at = s->wake_at = s->company.at = TILED_NEVER;
	sw_agenda_init(tiled_agenda(d, s), 0, d->first[TILED_DUE_MUX]);
	sw_agenda_init(tiled_muxes(d, s), d->first[TILED_DUE_MUX], d->ports);
	s->meters = place->instruments ? base_calloc(1, tiled_meter_bytes(c)) : NULL;
	double threshold = ((const struct tiled_params *)c->params)->flow_threshold;
	s->flows = d->flows && place->net_ports ? sw_flows_create(&d->account, place->net_ports, threshold) : NULL;
	if (!d->direct || c->bubble || c->record_queues || c->framed || c->passes || place->instruments)
		s->trace_bytes = sizeof(struct tiled_trace);
	else
		s->packets = d->at_packets + d->packets * (uint32_t)sizeof(struct tiled_packet);
	s->simple = s->packets && !s->meters && !s->flows && tiled_mode_of(c) != TILED_ANY;
	s->uniform = s->simple && d->uniform;
	s->prefetching = c->prefetching;
	s->free = TILED_NONE;
	s->fresh = d->at_packets;
	for (uint32_t i = 0; i < place->net_ports + place->terminals; i++) {
		struct tiled_port *o = tiled_port_at(d, s, i);
		init_port(d, s, i);
		if (i < place->net_ports) {
			o->end = place->ends[i];
			if (sw_holds(&d->hold, &o->end))
				o->end.let_go = (uint8_t)((1u << d->lanes) - 1);
		}
		o->link = i < place->net_ports ? o->end.link_class : SW_LINK_TERMINAL;
		o->row = d->geometry.row[i];
		o->x = (uint32_t)(d->geometry.column[i] * d->column_pitch);
		o->y = (uint32_t)(d->geometry.row[i] * d->row_pitch);
		o->in_row = d->geometry.in_row[i];
		o->in_row_next = (uint8_t)((o->in_row + 1u) % d->geometry.row_ports);
		o->word = d->geometry.word[i];
		if (d->ordered)
			sw_class_buckets_init(&d->order, tiled_buckets_at(d, s, i, 0),
			                      c->link[o->link].ps_per_byte_q16);
	}
}

static void fini(const struct sw_common *c, void *state)
{
	(void)c;
	struct tiled_state *s = state;
	sw_pool_fini(&s->pool);
	sw_flows_destroy(s->flows);
	free(s->meters);
}

static bool store_and_forward(const struct sw_common *c)
{
	(void)c;
	return false;
}

struct held_credits {
	uint32_t in, lane;
	uint64_t bytes;
};

static void hold(void *arg, const struct sw_waiting *w)
{
	struct held_credits *h = arg;
	if (w->in_port == h->in && w->in_vc == h->lane)
		h->bytes += w->bytes;
}

/* Check: do the packets of an input's lane occupy `used` bytes? `more`: bytes of one that is not queued yet. */
static bool used_is_held(const struct sw_common *c, struct tiled_state *s, uint32_t in, uint32_t lane, uint32_t more)
{
	struct held_credits h = { .in = in, .lane = lane, .bytes = more };
	tiled_each_waiting(c, s, hold, &h);
	return h.bytes == *tiled_used_at(c->impl, s, in, lane);
}

static void begin_trace(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                        struct tiled_packet *p, uint8_t slack)
{
	unsigned link = tiled_port_at(d, s, tiled_in(p))->link;
	uint64_t comes = call->common->wires ? sw_comes(call, tiled_in(p), link, p->packet.bytes, call->now)
	                                     : sw_serialisation(&call->common->incoming[link], p->packet.bytes);
	*tiled_trace_of(p) = (struct tiled_trace){
		.tail = call->now + d->ingress + comes,
		.slack = slack,
		.leaving = sw_bytes_on(call->common, tiled_port_at(d, s, tiled_out(p))->link, &p->packet),
	};
}

static void enter_input(struct sw_call *call, struct tiled_state *s, uint32_t in, struct sw_packet *p)
{
	const struct tiled_derived *d = s->derived;
	struct tiled_port *i = tiled_port_at(d, s, in);
	uint8_t in_vc = p->vc, slack = 0;
	uint32_t first_lane = tiled_first_lane(d, p);
	if (!tiled_occupy(call, d, s, i, in, in_vc + first_lane, p->bytes, TILED_ANY))
		return;
	base_check(p->seq % 256 || in >= s->net_ports || call->ctx->journal || d->fault ||
	           used_is_held(call->common, s, in, in_vc + first_lane, p->bytes));
	if (!tiled_in_time(call, s))
		return;
	p->vc = d->class_of[in_vc];
	uint32_t out = s->flows && in >= s->net_ports ? tiled_flow_route(call, s, in, p, &slack)
	                                              : call->host_ops->route(call, in, p, &slack);
	uint32_t vc = tiled_vc_of(d, s, p, out, p->vc);
	if (in >= s->net_ports && !d->grants)
		in_vc = (uint8_t)tiled_spread(d, p, d->vcs);
	struct tiled_packet *h;
	uint64_t ready;
	uint32_t number = tiled_admit(call, d, s, in, in_vc, out, vc, p, p->route, &h, &ready, TILED_ANY);
	if (sim_unlikely(tiled_traced(s)))
		begin_trace(call, d, s, h, slack);
	if (sim_unlikely(s->meters))
		tiled_meter_arrive(call, s, h);
	bool first = true;
	if (!d->grants) {
		if (call->common->track_queues)
			tiled_depth_add(call, s, out, p->bytes, false);
		tiled_enqueue(call, s, number);
	} else if (sim_likely(!s->flows) || out >= s->net_ports ||
	           tiled_flow_enters(call, s, number, out, vc + first_lane)) {
		first = tiled_ask(call, d, s, number, h, ready, i, in, out, vc + first_lane, TILED_ANY);
	}
	if (first || !s->simple) /* as in tiled_enter_simply() */
		tiled_arm(call, s);
}

static void packet_in(struct sw_call *call, uint32_t in, struct sw_packet *p)
{
	struct tiled_state *s = call->state;
	uint8_t in_vc = p->vc, slack = 0;
	if (sim_unlikely(!tiled_is_simple(call, s))) {
		enter_input(call, s, in, p);
		return;
	}
	base_check(p->seq % 256 || in >= s->net_ports || used_is_held(call->common, s, in, in_vc, 0));
	p->vc = s->derived->class_of[in_vc];
	uint32_t out = call->host_ops->route(call, in, p, &slack), vc = p->vc;
	p->vc = in_vc;
	tiled_enter_simply(call, s, in, p, out, vc, p->route);
}

/* Credits of the pool, or more than were taken: false, and nothing is changed. */
static __attribute__((noinline)) bool credit_pool(struct sw_call *call, uint32_t out, uint8_t lane, uint32_t bytes)
{
	struct tiled_state *s = call->state;
	const struct tiled_derived *d = s->derived;
	uint32_t *account = tiled_credit_at(d, s, out, 0);
	if (d->fault == TILED_LEAK_POOL && sw_lane_of_pool(account[lane]))
		sim_set(call->ctx, &account[d->lanes], account[d->lanes] - 1);
	if (sw_lane_give(call->ctx, &d->account, account, lane, bytes))
		return true;
	sim_violation(call->ctx, "switch %u, output %u, lane %u: %u credits came back, %llu were out", s->id, out, lane,
	              bytes, (unsigned long long)sw_lane_used(&d->account, account, lane));
	return false;
}

static void credit_in(struct sw_call *call, uint32_t out, uint8_t lane, uint32_t bytes)
{
	struct tiled_state *s = call->state;
	const struct tiled_derived *d = s->derived;
	uint32_t *credit = tiled_credit_at(d, s, out, lane), now = *credit + bytes;
	/* a grant that did not wait for credits is not affected: see credit_early() */
	bool waits = now - bytes < d->max_packet || call->common->bubble;
	if (sim_unlikely(now > d->share ||
	                 now < bytes)) { /* negative: credits of the pool, for which any lane may wait */
		if (!credit_pool(call, out, lane, bytes))
			return;
		waits = true;
	} else {
		sim_set(call->ctx, credit, now);
	}
	if (sim_unlikely(bytes > d->max_packet))
		sw_hold_check(call, out, lane, bytes, now - bytes);
	struct tiled_port *o = tiled_port_at(d, s, out);
	if (!d->grants)
		tiled_want_mux(call, s, o, out, call->now);
	else if (o->asked_packets && waits)
		tiled_want_grant(call, s, o, out, call->now);
	else
		return;
	tiled_arm(call, s);
}

static bool credit_early(const struct sw_common *c, void *state, uint64_t window, uint32_t out, uint8_t lane,
                         uint32_t bytes)
{
	return tiled_credit_early(c->impl, state, tiled_enough(c, window), out, lane, bytes);
}

static void control_in(struct sw_call *call, uint32_t out, uint64_t word)
{
	struct tiled_state *s = call->state;
	const struct tiled_derived *d = s->derived;
	if (s->flows)
		tiled_flow_credit(call, s, out, word);
	else
		sw_hold_told(call, tiled_kept_at(d, s, out, 0), &tiled_port_at(d, s, out)->end, out, word);
}

static struct sw_hold hold_of(const struct sw_common *c, uint32_t ports)
{
	(void)ports;
	return ((const struct tiled_derived *)c->impl)->hold;
}

static void event(struct sw_call *call, const struct sim_event *ev)
{
	if (ev->kind == TILED_EVENT_WAKE)
		tiled_wake(call);
	else
		sim_violation(call->ctx, "switch %u: an event of unknown kind %u", call->id, ev->kind);
}

static uint32_t buffer_share(const struct sw_common *c)
{
	return ((const struct tiled_derived *)c->impl)->share;
}

static uint64_t traversal(const struct sw_common *c)
{
	return ((const struct tiled_derived *)c->impl)->pipeline;
}

/* A decision is taken up to `slack` after it is due. */
static uint64_t certain(const struct sw_common *c)
{
	const struct tiled_derived *d = c->impl;
	return tiled_max(d->egress, d->slack) - d->slack;
}

static uint64_t lead(const struct sw_common *c)
{
	const struct tiled_derived *d = c->impl;
	return d->lead - d->slack;
}

/* One common value for all outputs. */
static uint32_t port_events(const struct sw_common *c)
{
	(void)c;
	return 0;
}

/* A packet that has reached its output buffer belongs to the host. */
static size_t tiled_kept_bytes(const struct sw_common *c, uint32_t passing, uint32_t waiting)
{
	const struct tiled_derived *d = c->impl;
	uint64_t kept = d->pipeline ? passing * (d->pipeline - d->egress) / d->pipeline : passing;
	uint32_t all = (uint32_t)kept + waiting;
	size_t flows = c->flow_channels ? sw_flows_bytes(c->max_net_ports, d->lanes, all, d->flow_route) : 0;
	if (d->direct && !c->bubble && !c->record_queues)
		return flows + sw_pool_bytes(all > d->packets ? all - d->packets : 0, sizeof(struct tiled_packet));
	return flows + sw_pool_bytes(all, sizeof(struct tiled_packet) + sizeof(struct tiled_trace));
}

static uint32_t terminal_share(const struct sw_common *c)
{
	return ((const struct tiled_derived *)c->impl)->terminal_share;
}

/* (TILED_INLINE: gcc considers a function of prefetches alone to be without effect, and removes the call.) */
TILED_INLINE void prefetch_port(const struct tiled_derived *d, struct tiled_state *s, uint32_t port)
{
	const char *o = (const char *)tiled_port_at(d, s, port);
	for (size_t k = 0; k < d->port_bytes; k += 64)
		__builtin_prefetch(o + k, 1);
}

static void prefetch(const struct sw_common *c, const void *state, uint32_t port)
{
	prefetch_port(c->impl, (struct tiled_state *)(uintptr_t)state, port);
}

static void prefetch_way(const struct sw_common *c, const void *state, uint32_t in, uint32_t out, uint8_t vc)
{
	struct tiled_state *s = (struct tiled_state *)(uintptr_t)state;
	const struct tiled_derived *d = c->impl;
	if (d->direct) {
		tiled_prefetch_way(d, s, in, out, out < s->net_ports ? vc * d->group : 0);
		return;
	}
	__builtin_prefetch(tiled_used_at(d, s, in, 0), 1);
	prefetch_port(d, s, out);
}

static const struct sw_ops ops = {
	.build = tiled_build,
	.memory.destroy = tiled_destroy,
	.state_bytes = tiled_state_bytes,
	.init = init_tiled,
	.memory.fini = fini,
	.store_and_forward = store_and_forward,
	.prefetching.prefetch = prefetch,
	.prefetching.prefetch_way = prefetch_way,
	.packet_in = packet_in,
	.credit_in = credit_in,
	.links.control_in = control_in,
	.links.hold_flow = tiled_hold_flow,
	.links.ack_enters = tiled_ack_enters,
	.links.ack_crosses = tiled_ack_crosses,
	.timing.credit_early = credit_early,
	.timing.event = event,
	.timing.run = tiled_run,
	.timing.lead = lead,
	.depths.queue_bytes = tiled_queue_bytes,
	.depths.queue_bytes_each = tiled_queue_bytes_each,
	.depths.queues = tiled_queues,
	.depths.used_credits = tiled_used_credits,
	.regions = tiled_regions,
	.buffer_share = buffer_share,
	.links.terminal_share = terminal_share,
	.estimates.traversal = traversal,
	.links.credit_loop = tiled_credit_loop,
	.estimates.kept_bytes = tiled_kept_bytes,
	.estimates.certain = certain,
	.estimates.port_events = port_events,
	.links.hold = hold_of,
	.credits_out = tiled_credits_out,
	.each_waiting = tiled_each_waiting,
	.instruments.list = tiled_instruments,
	.instruments.n = TILED_INSTRUMENTS,
	.links.frames = true,
	.links.kinds = true,
	.links.wires = true,
	.classes.lanes = true,
	.classes.honours = SW_HONOURS_PRIORITY | SW_HONOURS_MIN_BANDWIDTH | SW_HONOURS_MAX_BANDWIDTH,
	.instruments.tiles = tiled_tiles,
	.instruments.read = tiled_read_instruments,
	.timing.most_time = TILED_TIMES / 2,
};

const struct base_plugin sw_tiled = {
	BASE_DESCRIBE("switch", "tiled", tiled_parameters, struct tiled_params, &ops),
	.summary = "tiled high-radix switch: row buses, a crossbar a tile, column channels, request and grant; presets "
		   "rosetta, yarc, aries and successor, which is hypothetical. "
		   "The stage latencies of rosetta are a calibration to the published total, not published themselves",
	.source =
	    "De Sensi et al., An In-Depth Analysis of the Slingshot Interconnect, SC20, section II.A; Scott et "
	    "al., The BlackWidow "
	    "High-Radix Clos Network, ISCA 2006; Kim et al., Microarchitecture of a High-Radix Router, ISCA 2005; "
	    "Alverson et al., Cray XC Series Network, WP-Aries01-1112",
	.conditions = tiled_conditions,
};

/* switch/tiled.c - the tiled high-radix switch (Rosetta, YARC, hierarchical crossbars) behind sw_ops: packets in,
 * credits in, events.
 *
 * See tiled.h for the parts, docs/switch-tiled.md for what is published, what is calibrated, and the studies. */
#include "switch/tiled.h"

#include "base/memory.h"

#include <stddef.h>
#include <stdlib.h>

static size_t state_bytes(const struct sw_common *c)
{
	return sizeof(struct tiled_state) + ((const struct tiled_derived *)c->impl)->bytes;
}

static void init_port(const struct tiled_derived *d, struct tiled_state *s, uint32_t i)
{
	const struct tiled_list none = { TILED_NONE, TILED_NONE };
	struct tiled_output *o = tiled_output_at(d, s, i);
	o->grant_at = o->mux_at = TILED_NEVER;
	o->fresh = o->again = none;
	tiled_input_at(d, s, i)->bus_at = TILED_NEVER;
	for (uint32_t v = 0; v < d->vcs; v++)
		*tiled_credit_at(d, s, (size_t)i * d->vcs + v) = d->share;
	for (uint32_t k = 0; d->grants && k < d->lanes * d->ports; k++)
		*tiled_voq_at(d, s, (size_t)i * d->lanes * d->ports + k) =
		    (struct tiled_voq){ .list = none, .unasked = TILED_NONE };
	for (uint32_t k = 0; d->row_buffered && k < d->queues; k++)
		*tiled_queue_at(d, s, (size_t)i * d->queues + k) = none;
	uint32_t fronts = tiled_fronts(d);
	for (uint32_t k = 0; k < fronts; k++)
		*tiled_front_at(d, s, (size_t)i * fronts + k) =
		    (struct tiled_front){ .list = none, .room = d->row_room };
	for (uint32_t r = 0; r < d->geometry.rows; r++) {
		if (!d->column_buffered)
			break;
		tiled_crossing_at(d, s, (size_t)i * d->geometry.rows + r)->at = TILED_NEVER;
		for (uint32_t q = 0; q < d->lanes; q++)
			*tiled_column_at(d, s, ((size_t)i * d->geometry.rows + r) * d->lanes + q) =
			    (struct tiled_column){ .list = none, .room = d->column_room };
	}
}

static void init(const struct sw_common *c, void *state, const struct sw_place *place)
{
	struct tiled_state *s = state;
	const struct tiled_derived *d = c->impl;
	sw_pool_init(&s->pool);
	s->derived = d;
	s->id = place->id;
	s->net_ports = place->net_ports;
	s->terminals = place->terminals;
	s->meters = place->instruments ? base_calloc(1, tiled_meter_bytes(c)) : NULL;
	for (uint32_t i = 0; i < place->net_ports + place->terminals; i++) {
		init_port(d, s, i);
		if (i < place->net_ports)
			tiled_output_at(d, s, i)->end = place->ends[i];
	}
}

static void fini(const struct sw_common *c, void *state)
{
	(void)c;
	struct tiled_state *s = state;
	sw_pool_fini(&s->pool);
	free(s->meters);
}

static bool store_and_forward(const struct sw_common *c)
{
	(void)c;
	return false;
}

/* A number below n that is the same for all packets of a flow, or not. */
static uint32_t spread(const struct tiled_derived *d, const struct sw_packet *p, uint32_t n)
{
	if (n == 1)
		return 0;
	uint64_t h = ((uint64_t)p->src << 32 | p->dst) + (d->by_packet ? p->seq * 0xd1b54a32d192ed03ull : 0);
	h = (h ^ h >> 31) * 0x9e3779b97f4a7c15ull;
	h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9ull;
	return (uint32_t)((h >> 32) * n >> 32);
}

static bool occupy_input(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t in,
                         uint8_t in_vc, uint32_t bytes)
{
	bool network = in < s->net_ports;
	uint32_t *used = tiled_used_at(d, s, (size_t)in * d->vcs + (network ? in_vc : 0)),
		 share = network ? d->share : d->terminal_share;
	if (sim_unlikely(*used + bytes > share)) {
		sim_violation(call->ctx, "switch %u, input %u, VC %u: %u bytes do not fit, %u of %u are used", s->id,
		              in, in_vc, bytes, *used, share);
		return false;
	}
	sim_set(call->ctx, used, *used + bytes);
	return true;
}

static void packet_in(struct sw_call *call, uint32_t in, struct sw_packet *p)
{
	struct tiled_state *s = call->state;
	const struct tiled_derived *d = s->derived;
	uint8_t in_vc = p->vc, slack = 0;
	if (!occupy_input(call, d, s, in, in_vc, p->bytes))
		return;
	p->vc = d->class_of[in_vc];
	uint32_t out = call->host_ops->route(call, in, p, &slack);
	uint32_t lane = out < s->net_ports ? p->vc * d->group + spread(d, p, d->group) : spread(d, p, d->lanes);
	if (in >= s->net_ports && d->fifo)
		in_vc = (uint8_t)spread(d, p, d->vcs);
	unsigned kind;
	const struct sw_link *link = tiled_link_of(call->common, s, in, &kind);
	uint32_t i = sw_pool_take(call->ctx, &s->pool, sizeof(struct tiled_packet));
	struct tiled_packet *h = tiled_packet_at(s, i);
	*h = (struct tiled_packet){ .next = TILED_NONE,
		                    .next_request = TILED_NONE,
		                    .in = (uint16_t)in,
		                    .out = (uint16_t)out,
		                    .in_vc = in_vc,
		                    .lane = (uint8_t)lane,
		                    .slack = slack,
		                    .arrived = call->now,
		                    .ready = call->now + d->ingress,
		                    .tail = call->now + d->ingress + sw_serialisation(link, p->bytes),
		                    .packet = *p };
	if (call->common->track_queues)
		tiled_depth_add(call, s, out, p->bytes, false);
	if (sim_unlikely(s->meters))
		tiled_meter_arrive(call, s, h);
	if (d->grants)
		tiled_ask(call, s, i);
	else
		tiled_enqueue(call, s, i);
}

static void credit_in(struct sw_call *call, uint32_t out, uint8_t vc, uint32_t bytes)
{
	struct tiled_state *s = call->state;
	const struct tiled_derived *d = s->derived;
	uint32_t *credit = tiled_credit_at(d, s, (size_t)out * d->vcs + vc), now = *credit + bytes;
	if (sim_unlikely(now > d->share || now < bytes)) {
		sim_violation(call->ctx, "switch %u, output %u, VC %u: %u credits of %u after %u came back", s->id, out,
		              vc, now, d->share, bytes);
		return;
	}
	sim_set(call->ctx, credit, now);
	struct tiled_output *o = tiled_output_at(d, s, out);
	if (!d->grants)
		tiled_want_mux(call, s, out, call->now);
	else if (o->asked_packets)
		tiled_want_grant(call, s, out, call->now);
}

static void event(struct sw_call *call, const struct sim_event *ev)
{
	struct tiled_state *s = call->state;
	switch (ev->kind) {
	case TILED_EVENT_GRANT:
		tiled_grant(call, s, ev->aux);
		break;
	case TILED_EVENT_BUS:
		tiled_bus(call, s, ev->aux);
		break;
	case TILED_EVENT_CROSSBAR:
		tiled_crossbar(call, s, ev->aux / s->derived->geometry.rows, ev->aux % s->derived->geometry.rows);
		break;
	default:
		tiled_mux(call, s, ev->aux);
	}
}

static uint32_t buffer_share(const struct sw_common *c)
{
	return ((const struct tiled_derived *)c->impl)->share;
}

static uint32_t terminal_share(const struct sw_common *c)
{
	return ((const struct tiled_derived *)c->impl)->terminal_share;
}

static void prefetch(const struct sw_common *c, const void *state, uint32_t port)
{
	struct tiled_state *s = (struct tiled_state *)(uintptr_t)state;
	const struct tiled_derived *d = c->impl;
	const char *o = (const char *)tiled_output_at(d, s, port);
	for (size_t k = 0; k < sizeof(struct tiled_output); k += 64)
		__builtin_prefetch(o + k, 1);
	__builtin_prefetch(tiled_contend_at(d, s, (size_t)port * tiled_front_lanes(d) * d->geometry.rows), 1);
	__builtin_prefetch(tiled_used_at(d, s, (size_t)port * d->vcs), 1);
}

static void prefetch_way(const struct sw_common *c, const void *state, uint32_t in, uint32_t out, uint8_t vc)
{
	struct tiled_state *s = (struct tiled_state *)(uintptr_t)state;
	const struct tiled_derived *d = c->impl;
	if (!d->grants)
		return;
	size_t voq = ((size_t)out * d->lanes + (out < s->net_ports ? vc * d->group : 0)) * d->ports + in;
	__builtin_prefetch(tiled_voq_at(d, s, voq), 1);
	if (d->grant_kind == SW_ARBITER_AGE)
		__builtin_prefetch(tiled_age_at(d, s, voq), 1);
}

/* What a decision about granting will look at: the output, the first packet that asks, that packet's queues. (Always
 * inline: a function of prefetches alone has no effect as gcc sees it, and it leaves out the call.) */
static inline __attribute__((always_inline)) void prefetch_grant(const struct tiled_derived *d, struct tiled_state *s,
                                                                 uint32_t out)
{
	const struct tiled_output *o = tiled_output_at(d, s, out);
	__builtin_prefetch(o, 1);
	if (o->fresh.head == TILED_NONE)
		return;
	const struct tiled_packet *p = tiled_packet_at(s, o->fresh.head);
	size_t voq = ((size_t)out * d->lanes + p->lane) * d->ports + p->in;
	__builtin_prefetch((const char *)p + 64, 1);
	__builtin_prefetch(tiled_voq_at(d, s, voq), 1);
	if (d->grant_kind == SW_ARBITER_AGE)
		__builtin_prefetch(tiled_age_at(d, s, voq), 1);
	__builtin_prefetch(tiled_front_at(d, s, tiled_front_index(d, p->in, out, p->lane)), 1);
	__builtin_prefetch(tiled_asked_at(d, s, (size_t)out * d->lanes * d->words), 1);
}

/* What a multiplexer will look at: the output, the first contender of each row, the packet there. */
static inline __attribute__((always_inline)) void prefetch_mux(const struct tiled_derived *d, struct tiled_state *s,
                                                               uint32_t out)
{
	const uint64_t *contend = tiled_contend_at(d, s, (size_t)out * d->geometry.rows);
	__builtin_prefetch(tiled_output_at(d, s, out), 1);
	for (uint32_t r = 0; r < d->geometry.rows; r++) {
		if (!contend[r])
			continue;
		uint32_t in = r * d->geometry.row_ports + (uint32_t)__builtin_ctzll(contend[r]);
		const struct tiled_front *f = tiled_front_at(d, s, tiled_front_index(d, in, out, 0));
		const struct tiled_packet *p = tiled_packet_at(s, f->list.head);
		size_t arbiter =
		    d->at_crossbar_arbiters + ((size_t)out * d->geometry.rows + r) * d->crossbar_arbiter_bytes;
		__builtin_prefetch(p, 1);
		__builtin_prefetch((const char *)p + 64, 1);
		__builtin_prefetch(tiled_used_at(d, s, (size_t)in * d->vcs), 1);
		__builtin_prefetch((const char *)tiled_output_at(d, s, in) + 64, 1); /* the other end of its cable */
		__builtin_prefetch(s->rest + arbiter, 1);
	}
}

static void prefetch_event(const struct sw_common *c, const void *state, uint8_t kind, uint16_t aux)
{
	struct tiled_state *s = (struct tiled_state *)(uintptr_t)state;
	const struct tiled_derived *d = c->impl;
	if (kind == TILED_EVENT_GRANT)
		prefetch_grant(d, s, aux);
	else if (kind == TILED_EVENT_MUX && !d->row_buffered && !d->column_buffered)
		prefetch_mux(d, s, aux);
}

static const struct sw_ops ops = {
	.build = tiled_build,
	.destroy = tiled_destroy,
	.state_bytes = state_bytes,
	.init = init,
	.fini = fini,
	.store_and_forward = store_and_forward,
	.prefetch = prefetch,
	.prefetch_way = prefetch_way,
	.prefetch_event = prefetch_event,
	.packet_in = packet_in,
	.credit_in = credit_in,
	.event = event,
	.queue_bytes = tiled_queue_bytes,
	.regions = tiled_regions,
	.buffer_share = buffer_share,
	.terminal_share = terminal_share,
	.credits_out = tiled_credits_out,
	.each_waiting = tiled_each_waiting,
	.instruments = tiled_instruments,
	.ninstruments = TILED_INSTRUMENTS,
	.tiles = tiled_tiles,
	.read_instruments = tiled_read_instruments,
};

const struct base_plugin sw_tiled = {
	.kind = "switch",
	.name = "tiled",
	.summary = "tiled high-radix switch: row buses, a crossbar a tile, column channels, request and grant; presets "
		   "rosetta and yarc. "
		   "The stage latencies of rosetta are a calibration to the published total, not published themselves",
	.source = "De Sensi et al., An In-Depth Analysis of the Slingshot Interconnect, SC20, section II.A; Scott et "
		  "al., The BlackWidow "
		  "High-Radix Clos Network, ISCA 2006; Kim et al., Microarchitecture of a High-Radix Router, ISCA 2005",
	.params = tiled_parameters,
	.params_bytes = sizeof(struct tiled_params),
	.ops = &ops,
};

/* switch/ideal/ideal.c - the packet switch of the Slim Fly study: input buffers, credits per VC, a fixed traversal,
 * FIFO per output and VC.
 *
 * A packet is routed when it arrives and may leave `traversal` later. If its VC has credits and no packet waits in its
 * queue, its departure is reserved at once, for the time at which both the packet is ready and the output is free. So
 * an output serves packets in the order of reservation, and no event is spent on polling. A packet without credits
 * reserves nothing and waits in the FIFO of its (output, VC), so it can block only its own VC; its departure is
 * reserved when credits arrive. With the bubble rule a queue has a second list for packets that need slack (entering a
 * ring), so that those continuing straight pass them.
 *
 * A packet that must not wait at its output (SW_MAY_TURN) departs if it has credits on arrival; otherwise it is given
 * another output.
 *
 * Zero-load latency for H hops between switches: (H+2) link latencies + (H+1) traversals + L/b, where L is the packet's
 * size and b the bandwidth; with store-and-forward, L/b at every link. */
#include "switch/ideal/model.h"

#include <math.h>
#include <stddef.h>

struct ideal_params {
	uint64_t traversal; /* ps */
	uint64_t buffer;    /* bytes per port */
	double shared_pool, pool_threshold;
	int64_t vcs; /* read by network/ */
	int forwarding;
};

enum { CUT_THROUGH, STORE_AND_FORWARD };

/* Credits are withheld for packets that leave within the traversal and the time of k largest packets, their own
 * included. k is the largest number in this range for which the buffers have enough space. */
#define QUEUED_LEAST 2u
#define QUEUED_MOST 16u

/* An output takes at most the packets arriving by all ports. */
static struct sw_hold hold(const struct sw_common *c, uint32_t ports)
{
	uint64_t most =
	    sw_most_per_ps_q32(&c->link[SW_LINK_TERMINAL], c->min_packet); /* one_rate: valid for all links */
	const struct sw_takes takes = { (uint64_t)ports * c->max_packet, ports * most };
	uint32_t share = ((const struct ideal_derived *)c->impl)->share;
	if (!most || most > UINT32_MAX * UINT64_C(64))
		return (struct sw_hold){ 0 };
	return sw_hold_of(c, &takes, share / 2, c->hold_within, 0);
}

/* sw_link_end.let_go has a bit for each of eight lanes. */
static void choose_hold(struct sw_common *c, const struct ideal_derived *d)
{
	if (!c->may_hold || !c->max_net_ports || d->n > 8 || ideal_mode(c) < IDEAL_TRACKED)
		return;
	uint64_t each = sw_serialisation(&c->link[SW_LINK_TERMINAL], c->max_packet);
	for (uint32_t k = QUEUED_MOST; k >= QUEUED_LEAST; k--) {
		c->hold_within = d->traversal + k * each;
		if (hold(c, c->max_ports).stop)
			return;
	}
	c->hold_within = 0;
}

static int build_ideal(struct sw_common *c, struct base_errors *errors)
{
	const struct ideal_params *p = c->params;
	if (sw_lanes_size(c, p->buffer, p->shared_pool, p->pool_threshold, errors))
		return -1;
	const struct sw_lanes *l = &c->lanes;
	if (c->max_ports > UINT16_MAX)
		return base_errorf(errors, "kind", "%u ports are too many; the ideal switch supports at most %u",
		                   c->max_ports, UINT16_MAX);
	uint64_t most = (uint64_t)c->max_ports * ((uint64_t)l->n * l->reserve + l->pool);
	if (c->track_queues && most > UINT32_MAX)
		return base_errorf(
		    errors, "buffer",
		    "%llu bytes in all buffers of a switch exceed the 4 GiB supported with adaptive routing",
		    (unsigned long long)most);
	struct ideal_derived *d = base_calloc(1, sizeof *d);
	c->impl = d;
	d->traversal = p->traversal;
	d->share = l->reserve;
	d->terminal_share = (uint32_t)(p->buffer / c->vcs);
	d->n = l->n;
	d->laned = l->classes > 1 || l->pool || c->passes; /* which others then need not ask for */
	d->store_and_forward = p->forwarding == STORE_AND_FORWARD;
	size_t wide = sizeof(struct ideal_port) + sw_account_words(l) * sizeof(uint32_t),
	       narrow = sizeof(struct ideal_port) + l->n * sizeof(uint16_t);
	while (c->max_packet >> d->units > UINT8_MAX)
		d->units++;
	d->narrow = wide > 32 && narrow <= 32 && l->reserve <= UINT16_MAX && !d->laned;
	d->port_bytes = (uint32_t)(((d->narrow ? narrow : wide) + 7) & ~(size_t)7);
	if (d->port_bytes > 24 && d->port_bytes < 32)
		d->port_bytes = 32; /* never across a cache-line boundary */
	d->lanes_bytes = (uint32_t)sizeof(struct ideal_lane) * l->n * (c->bubble ? 2 : 1);
	d->at_terminals = d->port_bytes * c->max_net_ports;
	d->at_hold = d->at_terminals + c->max_terminals * 8;
	choose_hold(c, d);
	d->at_depths = d->at_hold + (uint32_t)sizeof(struct sw_hold) +
	               (c->hold_within ? (c->max_net_ports * d->n * 4 + 7) & ~7u : 0);
	if (c->track_queues) /* each in one cache line */
		d->at_depths =
		    (uint32_t)((sizeof(struct ideal_state) + d->at_depths + 63) / 64 * 64 - sizeof(struct ideal_state));
	d->bytes = d->at_depths + (c->track_queues ? c->max_net_ports * (uint32_t)sizeof(struct ideal_depth) : 0);
	d->bytes = (d->bytes + 7) & ~7u;
	base_check(d->at_terminals % 8 == 0 && (d->at_depths + sizeof(struct ideal_state)) % 8 == 0);
	base_checkf(!d->narrow || d->share <= UINT16_MAX, "a share of %u bytes in 16 bits", d->share);
	return 0;
}

static void destroy_ideal(struct sw_common *c)
{
	free(c->impl);
}

static size_t ideal_state_bytes(const struct sw_common *c)
{
	return sizeof(struct ideal_state) + ((const struct ideal_derived *)c->impl)->bytes;
}

static void empty_depth(struct ideal_depth *q)
{
	*q = (struct ideal_depth){ .last = SW_POOL_NONE };
	for (unsigned k = 0; k <= IDEAL_NEAR; k++)
		q->leaves.lane[k] = IDEAL_FREE;
}

static void init_ideal(const struct sw_common *c, void *state, const struct sw_place *place)
{
	const struct ideal_derived *d = c->impl;
	struct ideal_state *s = state;
	sw_pool_init(&s->waiters);
	sw_pool_init(&s->leavings);
	sw_pool_init(&s->lanes);
	s->id = place->id;
	s->net_ports = (uint16_t)place->net_ports;
	s->terminals = (uint16_t)place->terminals;
	base_check(!c->track_queues || !c->count_credits);
	if (c->count_credits) {
		s->derived = d;
	} else {
		s->max_packet = c->max_packet;
		s->at_depths = d->at_depths;
	}
	struct sw_hold h = { 0 };
	if (c->hold_within)
		h = hold(c, place->net_ports + place->terminals);
	*ideal_hold_at(d, s) = h;
	for (uint32_t i = 0; i < place->net_ports; i++) {
		struct ideal_port *p = ideal_port_at(d, s, i);
		p->end = place->ends[i];
		if (d->laned)
			sw_account_init(&c->lanes, p->credits);
		for (uint32_t v = 0; v < d->n && !d->laned; v++)
			ideal_put_credits(d, p, (uint8_t)v, d->share);
		for (uint32_t v = 0; v < d->n && c->hold_within; v++)
			ideal_kept_at(d, s, i)[v] = SW_LETS_GO;
		if (sw_holds(&h, &p->end))
			p->end.let_go = (uint8_t)((1u << d->n) - 1);
		if (c->track_queues)
			empty_depth(ideal_depth_at(d, s, i));
	}
}

static void fini(const struct sw_common *c, void *state)
{
	(void)c;
	struct ideal_state *s = state;
	sw_pool_fini(&s->waiters);
	sw_pool_fini(&s->leavings);
	sw_pool_fini(&s->lanes);
}

static uint64_t traversal(const struct sw_common *c)
{
	return ((const struct ideal_derived *)c->impl)->traversal;
}

/* Credits are taken when a packet starts to leave, and are returned when its last byte has left the next switch. */
static uint64_t credit_loop(const struct sw_common *c, unsigned link, uint32_t bytes)
{
	const struct ideal_derived *d = c->impl;
	return d->traversal + sw_serialisation(&c->link[link], bytes) * (d->store_and_forward ? 2 : 1);
}

/* Bytes of memory that a switch allocates besides its block. A packet that need not wait is stored in its event only.
 * If queue depths are tracked, the departures that exceed the capacity of a port's cache line are stored in a list. */
static size_t ideal_kept_bytes(const struct sw_common *c, uint32_t passing, uint32_t waiting)
{
	uint32_t ports = waiting < c->max_net_ports ? waiting : c->max_net_ports;
	double each = (double)passing / c->max_ports; /* per port, Poisson distributed */
	double more = each + 4 * sqrt(each) - IDEAL_NEAR;
	uint32_t leaving = c->track_queues && more > 0 ? (uint32_t)ceil(more) : 0;
	return sw_pool_bytes(leaving, sizeof(struct ideal_leaving)) +
	       sw_pool_bytes(waiting, sizeof(struct ideal_waiter)) +
	       sw_pool_bytes(ports, ((const struct ideal_derived *)c->impl)->lanes_bytes);
}

static bool is_store_and_forward(const struct sw_common *c)
{
	return ((const struct ideal_derived *)c->impl)->store_and_forward;
}

/* --- the model, behind the interface --------------------------------------------------------------------- */

static inline __attribute__((always_inline)) void packet_in_as(struct sw_call *call, uint32_t in_port,
                                                               struct sw_packet *p, enum ideal_mode mode)
{
	uint8_t in_vc = p->vc, slack = 0;
	uint32_t out = call->host_ops->route(call, in_port, p, &slack);
	if (slack == SW_MAY_TURN)
		out = ideal_turn(call, in_port, in_vc, out, p, &slack, mode);
	ideal_routed(call, in_port, in_vc, (struct ideal_way){ out, p->vc, p->route, slack }, p, mode);
}

static void packet_in(struct sw_call *call, uint32_t in_port, struct sw_packet *p)
{
	if (((const struct ideal_derived *)call->common->impl)->laned)
		packet_in_as(call, in_port, p, IDEAL_LANES);
	else
		packet_in_as(call, in_port, p, IDEAL_FULL);
}

static void credit_in(struct sw_call *call, uint32_t out, uint8_t lane, uint32_t bytes)
{
	if (((const struct ideal_derived *)call->common->impl)->laned)
		ideal_lane_credit_in(call, out, lane, bytes);
	else
		ideal_credit_in(call, out, lane, bytes, IDEAL_FULL);
}

/* The far end of `out` instructs this input to withhold a lane's credits, or to release them. */
static void control_in(struct sw_call *call, uint32_t out, uint64_t word)
{
	const struct ideal_derived *d = call->common->impl;
	struct ideal_state *s = call->state;
	sw_hold_told(call, ideal_kept_at(d, s, out), &ideal_port_at(d, s, out)->end, out, word);
}

static uint64_t queue_bytes(const void *state, uint32_t out, uint64_t now)
{
	return ideal_queue_bytes(state, out, now);
}

static void queue_bytes_each(const void *state, const uint32_t *out, uint32_t n, uint64_t now, uint64_t *bytes)
{
	for (uint32_t i = 0; i < n; i++)
		bytes[i] = ideal_queue_bytes(state, out[i], now);
}

/* Prefetches a port. It assumes that terminal ports start at max_net_ports: for switches with fewer network ports it
 * just prefetches the wrong address. */
static void prefetch(const struct sw_common *c, const void *state, uint32_t port)
{
	const struct ideal_derived *d = c->impl;
	const unsigned char *rest = ((const struct ideal_state *)state)->rest;
	if (port < c->max_net_ports)
		__builtin_prefetch(rest + (size_t)port * d->port_bytes, 1);
	else
		__builtin_prefetch(rest + d->at_terminals + (size_t)(port - c->max_net_ports) * 8, 1);
}

/* --- checks ---------------------------------------------------------------------------------------------- */

static void ideal_regions(const struct sw_common *c, void *state, void (*visit)(void *arg, void *at, size_t bytes),
                          void *arg)
{
	struct ideal_state *s = state;
	visit(arg, s->rest, ((const struct ideal_derived *)c->impl)->bytes);
	visit(arg, &s->waiters.free, 2 * sizeof(uint32_t)); /* free and used */
	visit(arg, &s->leavings.free, 2 * sizeof(uint32_t));
	visit(arg, &s->lanes.free, 2 * sizeof(uint32_t));
	sw_pool_regions(&s->lanes, ((const struct ideal_derived *)c->impl)->lanes_bytes, visit, arg);
	sw_pool_regions(&s->waiters, sizeof(struct ideal_waiter), visit, arg);
	sw_pool_regions(&s->leavings, sizeof(struct ideal_leaving), visit, arg);
}

static uint32_t buffer_share(const struct sw_common *c)
{
	return ((const struct ideal_derived *)c->impl)->share;
}

static uint32_t terminal_share(const struct sw_common *c)
{
	return ((const struct ideal_derived *)c->impl)->terminal_share;
}

static uint64_t credits_of(const struct ideal_derived *d, struct ideal_state *s, uint32_t out)
{
	const struct ideal_port *o = ideal_port_at(d, s, out);
	uint64_t used = 0;
	for (uint32_t v = 0; v < d->n; v++) {
		base_check(d->laned || ideal_credits(d, o, (uint8_t)v) <= d->share); /* negative: credits of the pool */
		used += d->share - ideal_credits(d, o, (uint8_t)v);
	}
	return used;
}

/* Credits are taken when a departure is reserved. */
static uint64_t used_credits(const void *state, uint32_t out, uint64_t now)
{
	struct ideal_state *s = (struct ideal_state *)(uintptr_t)state;
	(void)now;
	return credits_of(s->derived, s, out);
}

/* Credits withheld here are missing at another switch: the sum over all switches is reported, modulo 2^64. */
static uint64_t credits_out(const struct sw_common *c, const void *state)
{
	const struct ideal_derived *d = c->impl;
	struct ideal_state *s = (struct ideal_state *)(uintptr_t)state;
	uint64_t out = 0;
	for (uint32_t i = 0; i < s->net_ports; i++)
		out += credits_of(d, s, i);
	for (uint32_t i = 0; c->hold_within && i < s->net_ports; i++)
		out -= sw_hold_sum(ideal_kept_at(d, s, i), d->n);
	return out;
}

static void each_in_lane(struct ideal_state *s, uint32_t out, const struct ideal_lane *lane,
                         void (*visit)(void *arg, const struct sw_waiting *w), void *arg)
{
	if (!ideal_waits(lane))
		return;
	for (uint32_t k = lane->head; k != SW_POOL_NONE;) {
		const struct ideal_waiter *w = sw_pool_at(&s->waiters, k, sizeof *w);
		base_checkf(w->next != SW_POOL_NONE || k == lane->tail,
		            "switch %u, output %u: a lane ends at %u, not %u", s->id, out, k, lane->tail);
		visit(arg, &(struct sw_waiting){ .out = out,
		                                 .in_port = w->in_port,
		                                 .vc = w->packet.vc,
		                                 .in_vc = w->in_vc,
		                                 .job = w->packet.job,
		                                 .bytes = w->packet.bytes,
		                                 .since = w->arrived });
		k = w->next;
	}
}

static void each_waiting(const struct sw_common *c, const void *state,
                         void (*visit)(void *arg, const struct sw_waiting *w), void *arg)
{
	const struct ideal_derived *d = c->impl;
	struct ideal_state *s = (struct ideal_state *)(uintptr_t)state;
	for (uint32_t i = 0; i < s->net_ports; i++)
		for (uint32_t v = 0; v < d->n; v++)
			for (int slack = 0; slack <= (c->bubble ? 1 : 0); slack++)
				each_in_lane(s, i, ideal_lane_of(d, s, ideal_port_at(d, s, i), (uint8_t)v, slack),
				             visit, arg);
}

static const struct sw_ops ops = {
	.build = build_ideal,
	.memory.destroy = destroy_ideal,
	.state_bytes = ideal_state_bytes,
	.init = init_ideal,
	.memory.fini = fini,
	.store_and_forward = is_store_and_forward,
	.prefetching.prefetch = prefetch,
	.packet_in = packet_in,
	.credit_in = credit_in,
	.links.control_in = control_in,
	.depths.queue_bytes = queue_bytes,
	.depths.queue_bytes_each = queue_bytes_each,
	.depths.used_credits = used_credits,
	.regions = ideal_regions,
	.buffer_share = buffer_share,
	.links.terminal_share = terminal_share,
	.estimates.traversal = traversal,
	.links.credit_loop = credit_loop,
	.estimates.kept_bytes = ideal_kept_bytes,
	.links.hold = hold,
	.credits_out = credits_out,
	.each_waiting = each_waiting,
	.links.turns = true,
	.classes.lanes = true,
	.links.frames = true,
	.links.kinds = true,
	.links.wires = true,
};

static const struct base_param params[] = {
	{ BASE_KEY(TIME, struct ideal_params, traversal, "100ns"),
	  .help = "delay from the header's arrival (store-and-forward: the tail's) until the packet may leave" },
	{ BASE_KEY(SIZE, struct ideal_params, buffer, "100KB"), .min = 1, .max = 1e12,
	  .help = "input buffer of a port, divided equally among its lanes, one for each traffic class and virtual "
	          "channel" },
	{ BASE_KEY(FLOAT, struct ideal_params, shared_pool, "0"), .max = SW_POOL_MOST, .unit = "share of buffer",
	  .help = SW_SHARED_POOL_HELP },
	{ BASE_KEY(FLOAT, struct ideal_params, pool_threshold, "1"), .min = SW_THRESHOLD_LEAST,
	  .max = SW_THRESHOLD_MOST, .help = SW_POOL_THRESHOLD_HELP, .source = SW_POOL_THRESHOLD_SOURCE },
	{ BASE_KEY(AUTO_INT, struct ideal_params, vcs, "auto"), .min = 1, .max = SW_MAX_VCS,
	  .help = "virtual channels; \"auto\": the minimum that the routing needs on this topology" },
	{ BASE_KEY(ENUM, struct ideal_params, forwarding, "cut-through"), .choices = "cut-through|store-and-forward",
	  .help = "whether a packet may leave before its last bit has arrived" },
	{ .name = NULL },
};

static bool has_pool(const void *values)
{
	return ((const struct ideal_params *)values)->shared_pool > 0;
}

static const struct base_condition conditions[] = {
	{ "pool_threshold", "with a shared_pool", has_pool, NULL },
	{ 0 },
};

const struct base_plugin sw_ideal = {
	BASE_DESCRIBE("switch", "ideal", params, struct ideal_params, &ops),
	.summary = "input-buffered packet switch with credits per virtual channel, a fixed traversal time and FIFO per "
		   "output and VC",
	.source = "Wolfe et al., Modeling a Million-Node Slim Fly Network, PADS 2016, sections 2.4 and 3",
	.conditions = conditions,
};

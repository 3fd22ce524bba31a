/* switch/ideal.c - the packet switch of the Slim Fly study: input buffers, credits per VC, a fixed traversal, FIFO per
 * output and VC.
 *
 * A packet is routed when it arrives and may leave `traversal` later. If its VC has credits and nobody of its queue
 * waits before it, its departure is reserved at once: at the later of its readiness and the output's busy-until. So an
 * output serves in order of reservation and no event is spent on polling. A packet without credits reserves nothing and
 * waits in the FIFO of its (output, VC): it can hold back only its own VC. Credits that arrive reserve for it then.
 * With the bubble rule a queue has a second lane for packets that need slack (entering a ring), so that those going
 * straight on pass them.
 *
 * Zero load: (H+2) link latencies + (H+1) traversals + L/b, or L/b at every link when store-and-forward. */
#include "base/memory.h"
#include "switch/pool.h"
#include "switch/switch.h"

#include <stddef.h>
#include <string.h>

struct ideal_params {
	uint64_t traversal; /* ps */
	uint64_t buffer;    /* bytes per port */
	int64_t vcs;        /* read by network/ */
	int forwarding;
};

enum { CUT_THROUGH, STORE_AND_FORWARD };

struct waiter {        /* 64 bytes */
	uint32_t next; /* first: also the free list */
	uint16_t in_port;
	uint8_t in_vc, spare;
	uint64_t arrived, ready;
	struct sw_packet packet;
};

struct leaving { /* a reserved departure, kept while its bytes count as queued */
	uint32_t next;
	uint32_t bytes;
	uint64_t finish;
};

struct lane {
	uint32_t head, tail; /* waiters; head SW_POOL_NONE: empty */
};

struct vc_state {
	uint32_t credits; /* bytes */
	struct lane lane; /* waits for credits only */
};

struct port { /* a network output */
	uint64_t busy_until;
	struct sw_link_end end;
	struct vc_state vc[];
};

struct depth {          /* kept only if routing asks */
	uint32_t bytes; /* waiting and leaving, minus what has left and was noticed */
	uint32_t head, tail;
};

struct state {
	struct sw_pool waiters, leavings;
	uint32_t id, net_ports, terminals;
	uint32_t at_depths; /* derived->at_depths, for queue_bytes, which has only the state */
	/* then: port[net_ports], terminal_busy_until[terminals], depth[net_ports], slack lanes */
	unsigned char rest[] __attribute__((aligned(8)));
};

struct derived {
	uint64_t traversal;
	uint32_t share;
	bool store_and_forward;
	uint32_t port_bytes;
	uint32_t at_terminals, at_depths, at_slack;
	uint32_t bytes;
};

static inline struct port *port_at(const struct derived *d, struct state *s, uint32_t i)
{
	return (struct port *)(void *)(s->rest + (size_t)i * d->port_bytes);
}

static inline uint64_t *terminal_at(const struct derived *d, struct state *s, uint32_t i)
{
	return (uint64_t *)(void *)(s->rest + d->at_terminals) + i;
}

static inline struct depth *depth_at(const struct derived *d, struct state *s, uint32_t i)
{
	return (struct depth *)(void *)(s->rest + d->at_depths) + i;
}

static inline struct lane *lane_at(const struct sw_common *c, const struct derived *d, struct state *s, uint32_t port,
                                   uint8_t vc, bool slack)
{
	if (slack)
		return (struct lane *)(void *)(s->rest + d->at_slack) + port * c->vcs + vc;
	return &port_at(d, s, port)->vc[vc].lane;
}

static int build(struct sw_common *c, struct base_errors *errors)
{
	const struct ideal_params *p = c->params;
	uint64_t share = p->buffer / c->vcs, need = (uint64_t)c->max_packet * (c->bubble ? 2 : 1);
	if (share > UINT32_MAX)
		return base_errorf(errors, "buffer", "%llu bytes a port is more than 4 GiB for each of %u VCs",
		                   (unsigned long long)p->buffer, c->vcs);
	if (share < need)
		return base_errorf(errors, "buffer",
		                   "%llu bytes a port leave %llu for each of %u VCs, less than %s of %u bytes; at "
		                   "least %lluB is needed",
		                   (unsigned long long)p->buffer, (unsigned long long)share, c->vcs,
		                   c->bubble ? "two packets (bubble rule)" : "one packet", c->max_packet,
		                   (unsigned long long)(need * c->vcs));
	struct derived *d = base_alloc(sizeof *d);
	d->traversal = p->traversal;
	d->share = (uint32_t)share;
	d->store_and_forward = p->forwarding == STORE_AND_FORWARD;
	d->port_bytes = (uint32_t)((sizeof(struct port) + c->vcs * sizeof(struct vc_state) + 7) & ~(size_t)7);
	d->at_terminals = d->port_bytes * c->max_net_ports;
	d->at_depths = d->at_terminals + c->max_terminals * 8;
	d->at_slack = d->at_depths + (c->track_queues ? c->max_net_ports * (uint32_t)sizeof(struct depth) : 0);
	d->bytes = d->at_slack + (c->bubble ? c->max_net_ports * c->vcs * (uint32_t)sizeof(struct lane) : 0);
	d->bytes = (d->bytes + 7) & ~7u;
	c->impl = d;
	return 0;
}

static void destroy(struct sw_common *c)
{
	free(c->impl);
}

static size_t state_bytes(const struct sw_common *c)
{
	return sizeof(struct state) + ((const struct derived *)c->impl)->bytes;
}

static void init(const struct sw_common *c, void *state, const struct sw_place *place)
{
	const struct derived *d = c->impl;
	struct state *s = state;
	sw_pool_init(&s->waiters);
	sw_pool_init(&s->leavings);
	s->id = place->id;
	s->net_ports = place->net_ports;
	s->terminals = place->terminals;
	s->at_depths = d->at_depths;
	for (uint32_t i = 0; i < place->net_ports; i++) {
		struct port *p = port_at(d, s, i);
		p->end = place->ends[i];
		for (uint32_t v = 0; v < c->vcs; v++) {
			p->vc[v].credits = d->share;
			p->vc[v].lane = (struct lane){ SW_POOL_NONE, SW_POOL_NONE };
			if (c->bubble)
				*lane_at(c, d, s, i, (uint8_t)v, true) = (struct lane){ SW_POOL_NONE, SW_POOL_NONE };
		}
		if (c->track_queues)
			*depth_at(d, s, i) = (struct depth){ 0, SW_POOL_NONE, SW_POOL_NONE };
	}
}

static void fini(const struct sw_common *c, void *state)
{
	(void)c;
	struct state *s = state;
	sw_pool_fini(&s->waiters);
	sw_pool_fini(&s->leavings);
}

static bool is_store_and_forward(const struct sw_common *c)
{
	return ((const struct derived *)c->impl)->store_and_forward;
}

/* --- queue depth -----------------------------------------------------------------------------------------------------
 */

static void depth_leaving(struct sw_call *call, const struct derived *d, struct state *s, uint32_t out, uint32_t bytes,
                          uint64_t finish)
{
	struct sim_ctx *ctx = call->ctx;
	struct depth *q = depth_at(d, s, out);
	sim_save(ctx, q, sizeof *q);
	/* forget what has left by now */
	while (q->head != SW_POOL_NONE) {
		struct leaving *l = sw_pool_at(&s->leavings, q->head, sizeof *l);
		if (l->finish > call->now)
			break;
		uint32_t gone = q->head;
		q->bytes -= l->bytes;
		q->head = l->next;
		sw_pool_give(ctx, &s->leavings, gone, sizeof *l);
	}
	uint32_t i = sw_pool_take(ctx, &s->leavings, sizeof(struct leaving));
	struct leaving *l = sw_pool_at(&s->leavings, i, sizeof *l);
	*l = (struct leaving){ SW_POOL_NONE, bytes, finish };
	if (q->head == SW_POOL_NONE) {
		q->head = i;
	} else {
		struct leaving *t = sw_pool_at(&s->leavings, q->tail, sizeof *t);
		sim_set(ctx, &t->next, i);
	}
	q->tail = i;
}

static uint64_t queue_bytes(const void *state, uint32_t out, uint64_t now)
{
	/* reads only: packets that have left but are still listed are subtracted on the fly */
	const struct state *s = state;
	const struct depth *q = (const struct depth *)(const void *)(s->rest + s->at_depths) + out;
	uint64_t bytes = q->bytes;
	for (uint32_t i = q->head; i != SW_POOL_NONE;) {
		const struct leaving *l = sw_pool_at(&s->leavings, i, sizeof *l);
		if (l->finish > now)
			break;
		bytes -= l->bytes;
		i = l->next;
	}
	return bytes;
}

/* --- packets and credits
 * ----------------------------------------------------------------------------------------------- */

static void depart(struct sw_call *call, const struct derived *d, struct state *s, uint32_t out, uint32_t in_port,
                   uint8_t in_vc, const struct sw_packet *p, uint64_t arrived, uint64_t ready, bool waited)
{
	struct port *o = port_at(d, s, out);
	uint64_t start = ready > o->busy_until ? ready : o->busy_until;
	if (start < call->now)
		start = call->now;
	uint64_t finish = start + sw_serialisation(&call->common->link[o->end.link_class], p->bytes);
	sim_set(call->ctx, &o->busy_until, finish);
	sim_set(call->ctx, &o->vc[p->vc].credits, o->vc[p->vc].credits - p->bytes);
	if (call->common->track_queues)
		depth_leaving(call, d, s, out, p->bytes, finish);
	if (call->common->record_queues)
		call->host_ops->queued(call, out, p->vc, p->bytes, arrived, finish, waited);
	call->host_ops->transmit(call, out, &o->end, p, start, finish);
	call->host_ops->credit(call, in_port, in_port < s->net_ports ? &port_at(d, s, in_port)->end : NULL, in_vc,
	                       p->bytes, finish);
}

static void eject(struct sw_call *call, const struct derived *d, struct state *s, uint32_t out, uint32_t in_port,
                  uint8_t in_vc, const struct sw_packet *p, uint64_t ready)
{
	uint64_t *busy = terminal_at(d, s, out - s->net_ports);
	uint64_t start = ready > *busy ? ready : *busy;
	uint64_t finish = start + sw_serialisation(&call->common->link[SW_LINK_TERMINAL], p->bytes);
	sim_set(call->ctx, busy, finish);
	if (call->common->record_queues)
		call->host_ops->queued(call, out, 0, p->bytes, call->now, finish, false);
	call->host_ops->eject(call, out - s->net_ports, p, start, finish);
	call->host_ops->credit(call, in_port, in_port < s->net_ports ? &port_at(d, s, in_port)->end : NULL, in_vc,
	                       p->bytes, finish);
}

static inline bool fits(const struct sw_common *c, const struct port *o, const struct sw_packet *p, bool slack)
{
	return o->vc[p->vc].credits >= p->bytes + (slack ? c->max_packet : 0);
}

static void wait_for_credits(struct sw_call *call, const struct derived *d, struct state *s, uint32_t out,
                             struct lane *lane, const struct waiter *w)
{
	struct sim_ctx *ctx = call->ctx;
	uint32_t i = sw_pool_take(ctx, &s->waiters, sizeof *w);
	*(struct waiter *)sw_pool_at(&s->waiters, i, sizeof *w) = *w;
	sim_save(ctx, lane, sizeof *lane);
	if (lane->head == SW_POOL_NONE) {
		lane->head = i;
	} else {
		struct waiter *t = sw_pool_at(&s->waiters, lane->tail, sizeof *t);
		sim_set(ctx, &t->next, i);
	}
	lane->tail = i;
	if (call->common->track_queues) {
		struct depth *q = depth_at(d, s, out);
		sim_set(ctx, &q->bytes, q->bytes + w->packet.bytes);
	}
}

/* When may its first bit go on: after the traversal, and such that a faster output does not run dry. */
static uint64_t readiness(const struct sw_call *call, const struct derived *d, struct state *s, uint32_t in_port,
                          uint32_t out, uint32_t bytes)
{
	uint64_t ready = call->now + d->traversal;
	if (d->store_and_forward)
		return ready;
	const struct sw_link *in =
	    &call->common->link[in_port < s->net_ports ? port_at(d, s, in_port)->end.link_class : SW_LINK_TERMINAL];
	const struct sw_link *to =
	    &call->common->link[out < s->net_ports ? port_at(d, s, out)->end.link_class : SW_LINK_TERMINAL];
	if (sim_likely(in->ps_per_byte_q16 <= to->ps_per_byte_q16))
		return ready;
	return ready + sw_serialisation(in, bytes) - sw_serialisation(to, bytes);
}

static void packet_in(struct sw_call *call, uint32_t in_port, struct sw_packet *p)
{
	const struct sw_common *c = call->common;
	const struct derived *d = c->impl;
	struct state *s = call->state;
	uint8_t in_vc = p->vc, slack = 0;
	uint32_t out = call->host_ops->route(call, in_port, p, &slack);
	uint64_t ready = readiness(call, d, s, in_port, out, p->bytes);
	if (out >= s->net_ports) {
		eject(call, d, s, out, in_port, in_vc, p, ready);
		return;
	}
	struct lane *lane = lane_at(c, d, s, out, p->vc, slack);
	if (sim_likely(lane->head == SW_POOL_NONE && fits(c, port_at(d, s, out), p, slack))) {
		if (c->track_queues) {
			struct depth *q = depth_at(d, s, out);
			sim_set(call->ctx, &q->bytes, q->bytes + p->bytes);
		}
		depart(call, d, s, out, in_port, in_vc, p, call->now, ready, false);
		return;
	}
	struct waiter w = { .next = SW_POOL_NONE,
		            .in_port = (uint16_t)in_port,
		            .in_vc = in_vc,
		            .arrived = call->now,
		            .ready = ready,
		            .packet = *p };
	wait_for_credits(call, d, s, out, lane, &w);
}

static void serve(struct sw_call *call, const struct derived *d, struct state *s, uint32_t out, uint8_t vc, bool slack)
{
	struct lane *lane = lane_at(call->common, d, s, out, vc, slack);
	while (lane->head != SW_POOL_NONE) {
		struct waiter w = *(struct waiter *)sw_pool_at(&s->waiters, lane->head, sizeof w);
		if (!fits(call->common, port_at(d, s, out), &w.packet, slack))
			return;
		sw_pool_give(call->ctx, &s->waiters, lane->head, sizeof w);
		sim_set(call->ctx, &lane->head, w.next);
		depart(call, d, s, out, w.in_port, w.in_vc, &w.packet, w.arrived, w.ready, true);
	}
}

static void credit_in(struct sw_call *call, uint32_t out, uint8_t vc, uint32_t bytes)
{
	const struct derived *d = call->common->impl;
	struct state *s = call->state;
	struct port *o = port_at(d, s, out);
	uint32_t now = o->vc[vc].credits + bytes;
	if (sim_unlikely(now > d->share)) {
		sim_violation(call->ctx, "switch %u, output %u, VC %u: %u credits of %u after %u came back", s->id, out,
		              vc, now, d->share, bytes);
		return;
	}
	sim_set(call->ctx, &o->vc[vc].credits, now);
	if (sim_unlikely(o->vc[vc].lane.head != SW_POOL_NONE))
		serve(call, d, s, out, vc, false);
	if (call->common->bubble)
		serve(call, d, s, out, vc, true);
}

static void prefetch(const struct sw_common *c, const void *state, uint32_t port)
{
	const struct derived *d = c->impl;
	__builtin_prefetch(((const struct state *)state)->rest + (size_t)port * d->port_bytes, 1);
}

/* --- checks
 * -------------------------------------------------------------------------------------------------------------- */

static void regions(const struct sw_common *c, void *state, void (*visit)(void *arg, void *at, size_t bytes), void *arg)
{
	struct state *s = state;
	visit(arg, s->rest, ((const struct derived *)c->impl)->bytes);
	visit(arg, &s->waiters.free, 2 * sizeof(uint32_t)); /* free and used */
	visit(arg, &s->leavings.free, 2 * sizeof(uint32_t));
	sw_pool_regions(&s->waiters, sizeof(struct waiter), visit, arg);
	sw_pool_regions(&s->leavings, sizeof(struct leaving), visit, arg);
}

static uint32_t buffer_share(const struct sw_common *c)
{
	return ((const struct derived *)c->impl)->share;
}

static uint64_t credits_out(const struct sw_common *c, const void *state)
{
	const struct derived *d = c->impl;
	struct state *s = (struct state *)(uintptr_t)state;
	uint64_t out = 0;
	for (uint32_t i = 0; i < s->net_ports; i++)
		for (uint32_t v = 0; v < c->vcs; v++)
			out += d->share - port_at(d, s, i)->vc[v].credits;
	return out;
}

static void each_waiting(const struct sw_common *c, const void *state,
                         void (*visit)(void *arg, const struct sw_waiting *w), void *arg)
{
	const struct derived *d = c->impl;
	struct state *s = (struct state *)(uintptr_t)state;
	for (uint32_t i = 0; i < s->net_ports; i++)
		for (uint32_t v = 0; v < c->vcs; v++)
			for (int slack = 0; slack <= c->bubble; slack++)
				for (uint32_t k = lane_at(c, d, s, i, (uint8_t)v, slack)->head; k != SW_POOL_NONE;) {
					const struct waiter *w = sw_pool_at(&s->waiters, k, sizeof *w);
					visit(arg, &(struct sw_waiting){ .out = i,
					                                 .in_port = w->in_port,
					                                 .vc = (uint8_t)v,
					                                 .in_vc = w->in_vc,

					                                 .job = w->packet.job,
					                                 .bytes = w->packet.bytes,
					                                 .since = w->arrived });
					k = w->next;
				}
}

static const struct sw_ops ops = {
	.build = build,
	.destroy = destroy,
	.state_bytes = state_bytes,
	.init = init,
	.fini = fini,
	.store_and_forward = is_store_and_forward,
	.prefetch = prefetch,
	.packet_in = packet_in,
	.credit_in = credit_in,
	.queue_bytes = queue_bytes,
	.regions = regions,
	.buffer_share = buffer_share,
	.credits_out = credits_out,
	.each_waiting = each_waiting,
};

static const struct base_param params[] = {
	{ .name = "traversal",
	  .type = BASE_TIME,
	  .offset = offsetof(struct ideal_params, traversal),
	  .standard = "100ns",
	  .help = "time from the header's arrival (store-and-forward: the tail's) until the packet may leave" },
	{ .name = "buffer",
	  .type = BASE_SIZE,
	  .offset = offsetof(struct ideal_params, buffer),
	  .standard = "100KB",
	  .min = 1,
	  .max = 1e12,
	  .help = "input buffer of a port, divided equally among its virtual channels" },
	{ .name = "vcs",
	  .type = BASE_AUTO_INT,
	  .offset = offsetof(struct ideal_params, vcs),
	  .standard = "auto",
	  .min = 1,
	  .max = SW_MAX_VCS,
	  .help = "virtual channels; \"auto\": the least number that the routing needs on this topology" },
	{ .name = "forwarding",
	  .type = BASE_ENUM,
	  .offset = offsetof(struct ideal_params, forwarding),
	  .standard = "cut-through",
	  .choices = "cut-through|store-and-forward",
	  .help = "whether a packet may leave before its last bit has arrived" },
	{ .name = NULL },
};

const struct base_plugin sw_ideal = {
	.kind = "switch",
	.name = "ideal",
	.summary = "input-buffered packet switch with credits per virtual channel, a fixed traversal time and FIFO per "
	           "output and VC",
	.source = "Wolfe et al., Modeling a Million-Node Slim Fly Network, PADS 2016, sections 2.4 and 3",
	.params = params,
	.params_bytes = sizeof(struct ideal_params),
	.ops = &ops,
};

/* docs/examples/oq.c - a switch model as a plug-in: the ideal switch with a shared memory.
 *
 * A shared memory behind all ports: a packet that has arrived is copied into the queue of its output at the rate
 * `copy`, whatever else happens, and its input buffer is free again. So no packet ever waits behind one for another
 * output, and a network of these never blocks: the yardstick that real switches are measured against (Karol, Hluchyj,
 * Morgan, IEEE Trans. Commun. 35, 1987). The price is memory: queues are as long as they need to be, and past
 * saturation they grow for as long as the run lasts.
 *
 *      switch = { kind = "shared-memory"; traversal = "100ns"; copy = "1600Gbps"; };
 *
 * Zero load, H switch-to-switch hops, packets of L bytes, links of bandwidth b:
 *      (H + 2) (latency + L / b) + (H + 1) (traversal + L / copy)
 *
 * What a switch model sees and must answer is in switch/switch.h. Two rules matter most:
 *   - every change of state goes through sim_set() or sim_save(), because the event may be undone (run it with
 * --audit);
 *   - bytes are conserved: credits that a packet took from an output come back later; its own go to its sender once. */
#include "base/memory.h"
#include "switch/pool.h"
#include "switch/switch.h"

#include <stddef.h>
#include <stdlib.h>

struct oq_params {
	uint64_t traversal; /* ps */
	uint64_t copy;      /* bits per second */
	uint64_t buffer;    /* bytes per port */
	int64_t vcs;        /* read by network/ */
};

static const struct base_param params[] = {
	{ BASE_KEY(TIME, struct oq_params, traversal, "100ns"),
	  .help = "from the end of the copy until the packet may leave" },
	{ BASE_KEY(RATE, struct oq_params, copy, "1600Gbps"), .min = 1e6, .max = 1e15,
	  .help = "rate at which a packet is copied from its input buffer to its output queue" },
	{ BASE_KEY(SIZE, struct oq_params, buffer, "100KB"), .min = 1, .max = 1e9,
	  .help = "input buffer of a port, divided equally among its virtual channels" },
	{ BASE_KEY(AUTO_INT, struct oq_params, vcs, "auto"), .min = 1, .max = SW_MAX_VCS,
	  .help = "virtual channels; \"auto\": the least number that the routing needs on this topology" },
	{ .name = NULL },
};

/* --- state ---------------------------------------------------------------------------------------------------------
 * One block per switch, laid out once for all switches: struct state, struct output x ports, struct queue x (network
 * port, VC). Packets that wait for credits lie in a pool beside it. */

struct waiting {
	uint32_t next; /* first: the pool's free list uses it */
	uint64_t arrived, ready;
	struct sw_packet packet;
};

struct queue {               /* of a network output and VC */
	uint32_t credits;    /* bytes free in the buffer at the far end */
	uint32_t head, tail; /* struct waiting, SW_POOL_NONE: empty */
};

struct output { /* network outputs, then terminal outputs */
	uint64_t busy_until;
	uint64_t bytes_per_ps;  /* 32 fractional bits; constant */
	uint64_t waiting;       /* bytes, over all VCs */
	struct sw_link_end end; /* of a network port */
};

struct state {
	struct sw_pool pool;
	uint32_t id, net_ports;
	struct output output[];
};

struct derived { /* the same for all switches: common->impl */
	uint64_t traversal;
	struct sw_link copy; /* a "link" whose serialisation is the time of the copy */
	uint32_t share;      /* input buffer bytes of each VC */
	size_t at_queues, bytes;
};

static inline struct queue *queue_at(const struct sw_common *c, struct state *s, uint32_t out, uint32_t vc)
{
	const struct derived *d = c->impl;
	return (struct queue *)(void *)((unsigned char *)s + d->at_queues) + out * c->vcs + vc;
}

static inline const struct sw_link *link_of(const struct sw_common *c, const struct state *s, uint32_t out)
{
	return &c->link[out < s->net_ports ? s->output[out].end.link_class : SW_LINK_TERMINAL];
}

/* --- set-up --------------------------------------------------------------------------------------------------------
 */

static int build(struct sw_common *c, struct base_errors *errors)
{
	const struct oq_params *p = c->params;
	uint64_t share = p->buffer / c->vcs;
	if (share < c->max_packet)
		return base_errorf(errors, "buffer", "%llu bytes for each of %u VCs do not hold a packet of %u bytes",
		                   (unsigned long long)share, c->vcs, c->max_packet);
	struct derived *d = base_alloc(sizeof *d);
	d->traversal = p->traversal;
	d->copy.ps_per_byte_q16 = (uint64_t)(((unsigned __int128)8000000000000u << 16) / p->copy);
	d->share = (uint32_t)share;
	d->at_queues = sizeof(struct state) + (c->max_net_ports + c->max_terminals) * sizeof(struct output);
	d->bytes = d->at_queues + (size_t)c->max_net_ports * c->vcs * sizeof(struct queue);
	c->impl = d;
	return 0;
}

static void destroy(struct sw_common *c)
{
	free(c->impl);
}

static size_t state_bytes(const struct sw_common *c)
{
	const struct derived *d = c->impl;
	return d->bytes;
}

static void init(const struct sw_common *c, void *state, const struct sw_place *place)
{
	const struct derived *d = c->impl;
	struct state *s = state;
	sw_pool_init(&s->pool);
	s->id = place->id;
	s->net_ports = place->net_ports;
	for (uint32_t i = 0; i < place->net_ports + place->terminals; i++) {
		if (i < place->net_ports) {
			s->output[i].end = place->ends[i];
			for (uint32_t v = 0; v < c->vcs; v++)
				*queue_at(c, s, i, v) = (struct queue){ d->share, SW_POOL_NONE, SW_POOL_NONE };
		}
		s->output[i].bytes_per_ps = ((uint64_t)1 << 48) / link_of(c, s, i)->ps_per_byte_q16;
	}
}

static void fini(const struct sw_common *c, void *state)
{
	(void)c;
	sw_pool_fini(&((struct state *)state)->pool);
}

static bool store_and_forward(const struct sw_common *c)
{
	(void)c;
	return true; /* packet_in() is called when the last bit has arrived */
}

static uint32_t buffer_share(const struct sw_common *c)
{
	const struct derived *d = c->impl;
	return d->share;
}

/* --- packets and credits
 * ---------------------------------------------------------------------------------------------- */

/* Reserves the output: the packet leaves when it is ready and all that reserved before it has left. Nothing has to
 * happen at that time, so there is no event for it: the whole departure is reported to the host now. */
static void reserve(struct sw_call *call, uint32_t out, const struct sw_packet *p, uint64_t arrived, uint64_t ready,
                    bool waited)
{
	struct state *s = call->state;
	struct output *o = &s->output[out];
	uint64_t start = ready > o->busy_until ? ready : o->busy_until;
	if (start < call->now)
		start = call->now;
	uint64_t finish = start + sw_serialisation(link_of(call->common, s, out), p->bytes);
	sim_set(call->ctx, &o->busy_until, finish);
	if (call->common->record_queues)
		call->host_ops->queued(call, out, out < s->net_ports ? p->vc : 0, p->bytes, arrived, finish, waited);
	if (out >= s->net_ports) { /* endpoints take what comes: no credits */
		call->host_ops->eject(call, out - s->net_ports, p, start, finish);
		return;
	}
	struct queue *q = queue_at(call->common, s, out, p->vc);
	sim_set(call->ctx, &q->credits, q->credits - p->bytes);
	call->host_ops->transmit(call, out, &o->end, p, start, finish);
}

static void wait_for_credits(struct sw_call *call, uint32_t out, const struct sw_packet *p, uint64_t ready)
{
	struct sim_ctx *ctx = call->ctx;
	struct state *s = call->state;
	struct queue *q = queue_at(call->common, s, out, p->vc);
	uint32_t i = sw_pool_take(ctx, &s->pool, sizeof(struct waiting)); /* the pool has journaled the record */
	*(struct waiting *)sw_pool_at(&s->pool, i, sizeof(struct waiting)) =
	    (struct waiting){ .next = SW_POOL_NONE, .arrived = call->now, .ready = ready, .packet = *p };
	sim_save(ctx, q, sizeof *q);
	if (q->head == SW_POOL_NONE)
		q->head = i;
	else
		sim_set(ctx, &((struct waiting *)sw_pool_at(&s->pool, q->tail, sizeof(struct waiting)))->next, i);
	q->tail = i;
	sim_set(ctx, &s->output[out].waiting, s->output[out].waiting + p->bytes);
}

static void packet_in(struct sw_call *call, uint32_t in_port, struct sw_packet *p)
{
	const struct derived *d = call->common->impl;
	struct state *s = call->state;
	uint8_t in_vc = p->vc; /* route() sets p->vc to the VC of the link ahead */
	uint8_t slack = 0;     /* the bubble rule's wish: not needed where every buffer empties in bounded time */
	uint64_t copied = call->now + sw_serialisation(&d->copy, p->bytes);
	uint32_t out = call->host_ops->route(call, in_port, p, &slack);
	/* The input buffer is free as soon as the packet is copied: back to the sender with its bytes. */
	const struct sw_link_end *sender = in_port < s->net_ports ? &s->output[in_port].end : NULL;
	call->host_ops->credit(call, in_port, sender, in_vc, p->bytes, copied);
	if (out < s->net_ports) {
		const struct queue *q = queue_at(call->common, s, out, p->vc);
		if (q->head != SW_POOL_NONE || q->credits < p->bytes) {
			wait_for_credits(call, out, p, copied + d->traversal);
			return;
		}
	}
	reserve(call, out, p, call->now, copied + d->traversal, false);
}

static void credit_in(struct sw_call *call, uint32_t out, uint8_t vc, uint32_t bytes)
{
	const struct derived *d = call->common->impl;
	struct state *s = call->state;
	struct queue *q = queue_at(call->common, s, out, vc);
	if (q->credits + bytes > d->share) { /* counts only if this event is not undone */
		sim_violation(call->ctx, "switch %u, output %u, VC %u: more credits came back than were given", s->id,
		              out, vc);
		return;
	}
	sim_set(call->ctx, &q->credits, q->credits + bytes);
	while (q->head != SW_POOL_NONE) {
		struct waiting w = *(struct waiting *)sw_pool_at(&s->pool, q->head, sizeof w);
		if (q->credits < w.packet.bytes)
			return;
		sw_pool_give(call->ctx, &s->pool, q->head, sizeof w);
		sim_set(call->ctx, &q->head, w.next);
		sim_set(call->ctx, &s->output[out].waiting, s->output[out].waiting - w.packet.bytes);
		reserve(call, out, &w.packet, w.arrived, w.ready, true);
	}
}

/* What adaptive routings ask: what waits for credits, and what the output has reserved but not sent. */
static uint64_t queue_bytes(const void *state, uint32_t out, uint64_t now)
{
	const struct output *o = &((const struct state *)state)->output[out];
	uint64_t ahead = o->busy_until > now ? o->busy_until - now : 0;
	return o->waiting + (uint64_t)((unsigned __int128)ahead * o->bytes_per_ps >> 32);
}

/* --- for the checks
 * ---------------------------------------------------------------------------------------------------- */

/* --audit compares these bytes before and after an event was undone. Not the pool's table of where memory is. */
static void regions(const struct sw_common *c, void *state, void (*visit)(void *arg, void *at, size_t bytes), void *arg)
{
	const struct derived *d = c->impl;
	struct state *s = state;
	visit(arg, s->output, d->bytes - sizeof *s);
	visit(arg, &s->pool.free, 2 * sizeof(uint32_t));
	sw_pool_regions(&s->pool, sizeof(struct waiting), visit, arg);
}

static uint64_t credits_out(const struct sw_common *c, const void *state)
{
	const struct derived *d = c->impl;
	struct state *s = (struct state *)(uintptr_t)state;
	uint64_t out = 0;
	for (uint32_t i = 0; i < s->net_ports; i++)
		for (uint32_t v = 0; v < c->vcs; v++)
			out += d->share - queue_at(c, s, i, v)->credits;
	return out;
}

/* A packet that waits here has given its input buffer back: it names no input port and holds no bytes of one. */
static void each_waiting(const struct sw_common *c, const void *state,
                         void (*visit)(void *arg, const struct sw_waiting *w), void *arg)
{
	struct state *s = (struct state *)(uintptr_t)state;
	for (uint32_t i = 0; i < s->net_ports; i++)
		for (uint32_t v = 0; v < c->vcs; v++)
			for (uint32_t k = queue_at(c, s, i, v)->head; k != SW_POOL_NONE;) {
				const struct waiting *w = sw_pool_at(&s->pool, k, sizeof *w);
				visit(arg, &(struct sw_waiting){ .out = i,
				                                 .vc = (uint8_t)v,
				                                 .in_port = UINT32_MAX,
				                                 .job = w->packet.job,
				                                 .since = w->arrived });
				k = w->next;
			}
}

static const struct sw_ops ops = {
	.build = build,
	.memory.destroy = destroy,
	.state_bytes = state_bytes,
	.init = init,
	.memory.fini = fini,
	.store_and_forward = store_and_forward,
	.packet_in = packet_in,
	.credit_in = credit_in,
	.depths.queue_bytes = queue_bytes,
	.regions = regions,
	.buffer_share = buffer_share,
	.credits_out = credits_out,
	.each_waiting = each_waiting,
};

static const struct base_plugin output_queued = {
	BASE_DESCRIBE("switch", "shared-memory", params, struct oq_params, &ops),
	.summary = "shared-memory switch: packets are copied to their output at once and never block each other",
	.source = "Karol, Hluchyj, Morgan: Input versus output queueing, IEEE Trans. Commun. 35(12), 1987",
};

extern const unsigned tilefly_plugin_abi;
extern const struct base_plugin *const tilefly_plugins[];

const unsigned tilefly_plugin_abi = BASE_PLUGIN_ABI;
const struct base_plugin *const tilefly_plugins[] = { &output_queued, NULL };

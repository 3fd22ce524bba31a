/* switch/crossbar/step.c - one cycle of the crossbar switch: see crossbar.h for the pipeline.
 *
 * Invariants, checked while running: a packet leaves only with credits of its lane; the `bytes` of an output are the
 * sum over the packets that are routed to it and not granted yet. */
#include "switch/crossbar/heads.h"
#include "switch/links/pass.h"

/* Local variables of a step. The compiler keeps them in registers as long as their address is not passed to a function
 * that is not inlined; therefore functions for rare cases get the call instead. */
struct crossbar_step {
	struct sw_call *call;
	struct sim_ctx *ctx;
	const struct sw_common *common;
	struct xbar *x;
	struct xbar_state *s;
	uint64_t now;
	uint64_t next;         /* earliest time of a further action without an arrival */
	uint32_t level, class; /* of packets that may make requests, with ordered classes; else 0 */
};

static inline void not_before(struct crossbar_step *t, uint64_t when)
{
	if (when < t->next)
		t->next = when;
}

/* --- VC allocation: packets pick free lanes of their outputs, lanes pick packets ------------------------- */

/* Returns a free lane of the packet's group, the first one in cyclic order from the queue's turn on. If there is none,
 * it returns SW_NOBODY and lowers *next to the time at which there may be one. fitting: only lanes with credits for the
 * packet. */
XBAR_INLINE uint32_t pick_free_lane(const struct sw_call *call, const struct xbar *x, struct xbar_state *s,
                                    const struct xbar_queue *queue, const struct xbar_packet *k, uint64_t *next,
                                    bool fitting, bool plain)
{
	struct xbar_output *o = xbar_output_at(x, s, k->out);
	const uint64_t *free_at = xbar_lane_free_at(x, o);
	uint32_t first = xbar_first_lane(x, s, k->out, k->group, plain),
		 end = xbar_end_lane(x, s, k->out, k->group, plain);
	uint32_t turn = queue->turn / x->lanes.n == k->out ? queue->turn % x->lanes.n : first;
	if (turn < first || turn >= end)
		turn = first;
	for (uint32_t n = first, lane = turn; n < end; n++, lane = lane + 1 == end ? first : lane + 1) {
		if (free_at[lane] <= call->now) {
			if (!fitting || xbar_fits(call->common, x, o, lane, k, false))
				return lane;
		} else if (free_at[lane] != SIM_NEVER && free_at[lane] < *next) {
			*next = free_at[lane];
		}
	}
	return SW_NOBODY;
}

static __attribute__((noinline)) uint32_t pick_fitting_lane(const struct sw_call *call, const struct xbar_queue *queue,
                                                            const struct xbar_packet *k, uint64_t *next)
{
	return pick_free_lane(call, call->common->impl, call->state, queue, k, next, true, false);
}

/* Picks a lane for a packet. A packet that needs slack (bubble rule) takes no lane before it has that slack, because it
 * keeps its lane until it has left, and packets on the ring, for which space for one packet suffices, must not wait for
 * a packet that enters it. Likewise, a packet that may turn takes no lane without credits, because it must not wait for
 * credits. */
XBAR_INLINE uint32_t pick_lane(struct crossbar_step *t, const struct xbar_queue *queue, const struct xbar_packet *k,
                               bool plain)
{
	if (sim_likely(!k->slack))
		return pick_free_lane(t->call, t->x, t->s, queue, k, &t->next, false, plain);
	uint64_t next = t->next;
	uint32_t lane = pick_fitting_lane(t->call, queue, k, &next);
	not_before(t, next);
	return lane;
}

static uint32_t distance(uint32_t from, uint32_t to, uint32_t n)
{
	return to >= from ? to - from : to + n - from;
}

/* Returns after how many others a requester is chosen for a lane of an output by deficit round robin, if requester
 * `turn` is next. As in the arbiter "drr", requesters whose deficit suffices for their packet come first. Deficits
 * belong to the output and are shared by its lanes. */
static __attribute__((noinline)) uint32_t drr_distance(const struct xbar *x, struct xbar_state *s, uint32_t out,
                                                       uint32_t turn, uint32_t requester, uint32_t n)
{
	const struct xbar_queue *queue = xbar_queue_at(x, s, requester / x->lanes.n, requester % x->lanes.n);
	if (xbar_packet_at(s, queue->head)->packet.bytes <= *xbar_deficit(x, s, out, requester))
		return distance(turn, requester, n);
	return n + distance(turn + 1 == n ? 0 : turn + 1, requester, n);
}

static inline uint32_t lane_distance(const struct xbar *x, struct xbar_state *s, uint32_t out, uint32_t turn,
                                     uint32_t requester, uint32_t n)
{
	return sim_unlikely(x->shares_lanes) ? drr_distance(x, s, out, turn, requester, n)
	                                     : distance(turn, requester, n);
}

/* Accounts for a win of a lane with the arbiter "drr". */
static __attribute__((noinline)) void pay_for_lane(struct sw_call *call, const struct xbar *x, struct xbar_state *s,
                                                   uint32_t out, uint32_t lane, uint32_t requester)
{
	const struct xbar_queue *queue = xbar_queue_at(x, s, requester / x->lanes.n, requester % x->lanes.n);
	uint32_t bytes = xbar_packet_at(s, queue->head)->packet.bytes, *deficit = xbar_deficit(x, s, out, requester),
		 left = *deficit;
	if (left < bytes) {
		left += x->allocator.quantum;
		sim_set(call->ctx, &xbar_lane_turn(x, xbar_output_at(x, s, out))[lane], (uint16_t)requester);
	}
	base_checkf(bytes <= left && left < 2 * (uint64_t)x->allocator.quantum, "%u bytes of %u", bytes, left);
	sim_set(call->ctx, deficit, left - bytes);
}

XBAR_INLINE void give_lane(struct crossbar_step *t, uint32_t out, uint32_t lane, uint32_t requester)
{
	const struct xbar *x = t->x;
	uint32_t n = t->s->ports * x->lanes.n; /* lanes of all outputs, which is also the number of requesters */
	struct xbar_output *o = xbar_output_at(x, t->s, out);
	struct xbar_queue *queue = xbar_queue_at(x, t->s, requester / x->lanes.n, requester % x->lanes.n);
	sim_save(t->ctx, queue, sizeof *queue);
	queue->stage = XBAR_WANTS_SWITCH;
	queue->lane = (uint8_t)lane;
	queue->at = t->now + (uint64_t)x->p->vc_alloc_delay * x->step;
	queue->turn = (uint16_t)(out * x->lanes.n + lane + 1 == n ? 0 : out * x->lanes.n + lane + 1);
	if (sim_unlikely(x->shares_lanes))
		pay_for_lane(t->call, x, t->s, out, lane, requester);
	else
		sim_set(t->ctx, &xbar_lane_turn(x, o)[lane], (uint16_t)(requester + 1 == n ? 0 : requester + 1));
	sim_set(t->ctx, &xbar_lane_free_at(x, o)[lane], SIM_NEVER);
}

XBAR_INLINE void allocate_lanes(struct crossbar_step *t, bool plain)
{
	struct xbar *x = t->x;
	struct xbar_state *s = t->s;
	uint32_t n = s->ports * x->lanes.n, touched = 0;
	for (SW_EACH(i, s->busy, sw_set_words(s->ports))) {
		for (SW_EACH(q, xbar_nonempty(xbar_input_at(x, s, i)), x->queue_words)) {
			struct xbar_queue *queue = xbar_queue_at(x, s, i, q);
			if (queue->stage != XBAR_WANTS_VC)
				continue;
			if (queue->at > t->now) {
				not_before(t, queue->at);
				continue;
			}
			const struct xbar_packet *k = xbar_packet_at(s, queue->head);
			uint32_t lane = pick_lane(t, queue, k, plain);
			if (lane == SW_NOBODY)
				continue;
			uint32_t target = k->out * x->lanes.n + lane, me = i * x->lanes.n + q;
			uint32_t turn = xbar_lane_turn(x, xbar_output_at(x, s, k->out))[lane];
			if (x->winner[target] == UINT16_MAX) {
				x->winner[target] = (uint16_t)me;
				x->touched[touched++] = target;
				continue;
			}
			not_before(t, t->now + x->step); /* some requester loses */
			if (lane_distance(x, s, k->out, turn, me, n) <
			    lane_distance(x, s, k->out, turn, x->winner[target], n))
				x->winner[target] = (uint16_t)me;
		}
	}
	for (uint32_t k = 0; k < touched; k++) {
		uint32_t target = x->touched[k];
		give_lane(t, target / x->lanes.n, target % x->lanes.n, x->winner[target]);
		x->winner[target] = UINT16_MAX;
	}
}

/* --- switch allocation ----------------------------------------------------------------------------------- */

/* The lane of the group with the most credits among those not reserved; SW_NOBODY: all are reserved. */
static uint32_t richest_lane(const struct xbar *x, struct xbar_output *o, const struct xbar_packet *k)
{
	const uint32_t *credits = xbar_credits(x, o);
	uint32_t best = SW_NOBODY;
	for (uint32_t lane = x->first_lane[k->group]; lane < x->first_lane[k->group + 1]; lane++)
		if (!xbar_is_held(x, o, lane) && (best == SW_NOBODY || sw_lane_used(&x->lanes, credits, lane) <
		                                                           sw_lane_used(&x->lanes, credits, best)))
			best = lane;
	return best;
}

/* Is there space for the packet in the output queue? If not, notes when there will be. */
XBAR_INLINE bool has_output_space(struct crossbar_step *t, const struct xbar_output *o, const struct xbar_packet *k)
{
	const struct xbar *x = t->x;
	if (!x->p->output_buffer)
		return true;
	uint64_t flit_time = x->flit_time[xbar_link(t->s, o, k->out)];
	uint64_t enters = t->now + (uint64_t)(x->p->sw_alloc_delay + x->p->st_delay) * x->step;
	uint64_t space = (uint64_t)x->p->output_buffer - k->flits; /* flits that may still be ahead of it */
	if (o->busy_until <= enters + space * flit_time)
		return true;
	not_before(t, t->now + (o->busy_until - space * flit_time - enters));
	return false;
}

static inline void note_wait(struct sim_ctx *ctx, struct xbar_packet *k)
{
	if (!k->waited)
		sim_set(ctx, &k->waited, 1);
}

XBAR_INLINE bool fits(struct sim_ctx *ctx, const struct sw_common *c, const struct xbar *x, struct xbar_output *o,
                      uint32_t lane, struct xbar_packet *k, bool plain)
{
	if (xbar_fits(c, x, o, lane, k, plain)) /* otherwise a credit wakes the switch */
		return true;
	note_wait(ctx, k);
	return false;
}

/* For inputs without VC allocation: may the packet at the head of a queue make a request, given the credits of its
 * lane? If lanes can be reserved, it may do so without credits as well: if it wins, the lane is reserved for it. */
static __attribute__((noinline)) bool may_take_lane(const struct sw_call *call, const struct xbar_queue *queue,
                                                    struct xbar_output *o, struct xbar_packet *k)
{
	const struct xbar *x = call->common->impl;
	bool holds = queue->stage == XBAR_HOLDS_LANE;
	uint32_t lane = holds ? queue->lane : richest_lane(x, o, k);
	if (lane != SW_NOBODY)
		return fits(call->ctx, call->common, x, o, lane, k, false) || (x->reserves && !holds);
	note_wait(call->ctx, k);
	return false;
}

/* May the head of a queue make a request now? Otherwise notes when, if only time is missing. */
XBAR_INLINE bool may_go(struct crossbar_step *t, const struct xbar_queue *queue, uint32_t i, uint32_t xi,
                        struct xbar_packet *k, bool plain)
{
	struct xbar *x = t->x;
	if (queue->stage == XBAR_WANTS_VC)
		return false;
	struct xbar_output *o = xbar_output_at(x, t->s, k->out);
	uint64_t when = queue->at > k->gapless ? queue->at : k->gapless;
	uint64_t in_free = xbar_in_free_at(x, xbar_input_at(x, t->s, i))[xi];
	uint64_t out_free = xbar_out_free_at(o)[i % x->xout];
	when = when > in_free ? when : in_free;
	when = when > out_free ? when : out_free;
	if (when > t->now) {
		not_before(t, when);
		return false;
	}
	if (k->out < t->s->net_ports && !(x->inputs == XBAR_VC ? fits(t->ctx, t->common, x, o, queue->lane, k, plain)
	                                                       : may_take_lane(t->call, queue, o, k)))
		return false;
	return has_output_space(t, o, k);
}

/* Does queue q of an input precede its queue `other` in turn? */
static inline bool has_turn(const struct xbar *x, struct xbar_state *s, uint32_t i, uint32_t q, uint32_t xi,
                            uint32_t other, uint32_t kind)
{
	uint32_t first = *xbar_first_queue(x, xbar_input_at(x, s, i), xi, kind);
	return distance(first, q, x->queues) < distance(first, other, x->queues);
}

static uint64_t birth(const struct xbar *x, const struct xbar_packet *k, uint64_t now)
{
	if (x->p->age == SW_AGE_INJECTION)
		return sw_injected(&k->packet, now);
	return x->p->age == SW_AGE_ARRIVAL ? k->arrived : sw_last_time(k->packet.created, x->created_mask, now);
}

/* Sets *key to the value of the packet that the arbiter compares. again: another queue of the same input, `other`, has
 * already made a request for this output; if that queue precedes, the function returns false and leaves *key. A packet
 * that holds a lane has won before and has paid its bytes then, so its value in bytes is 0. */
static __attribute__((noinline)) bool enter_key(const struct xbar *x, struct xbar_state *s, uint32_t i, uint32_t q,
                                                uint32_t xi, const struct xbar_packet *k, uint64_t *key, bool again,
                                                uint32_t other, uint32_t kind, uint64_t now)
{
	enum sw_arbiter_key wanted = sw_arbiter_key(x->allocator.arbiter);
	bool by_age = wanted == SW_KEY_AGE;
	if (again && (by_age ? birth(x, k, now) >= *key : !has_turn(x, s, i, q, xi, other, kind)))
		return false;
	bool paid = xbar_queue_at(x, s, i, q)->stage == XBAR_HOLDS_LANE;
	*key = by_age ? birth(x, k, now) : wanted == SW_KEY_HOPS ? k->packet.hops : paid ? 0 : k->packet.bytes;
	return true;
}

/* Adds the request of queue q to the request matrix. If several queues of an input request the same output, only one
 * of them makes the request: the first in cyclic order or, if the arbiter compares ages, the one with the oldest
 * packet. */
XBAR_INLINE void request(struct crossbar_step *t, uint32_t i, uint32_t q, uint32_t xi, const struct xbar_packet *k,
                         uint32_t kind)
{
	struct xbar *x = t->x;
	uint32_t in = i * x->xin + xi, out = k->out * x->xout + i % x->xout;
	size_t at = (size_t)in * x->allocator.outputs + out;
	uint16_t *label = &x->label[at];
	bool again = sw_allocator_requested(&x->work, in, out);
	if (sim_unlikely(x->work.key != NULL)) {
		if (!enter_key(x, t->s, i, q, xi, k, &x->work.key[at], again, *label, kind, t->call->now))
			return;
	} else if (again && !has_turn(x, t->s, i, q, xi, *label, kind)) {
		return;
	}
	*label = (uint16_t)q;
	sw_allocator_request(&x->work, in, out);
}

/* May the packet make a request, by its class? t->next is lowered to the end of the time for which a class is held. */
static bool asks_now(struct crossbar_step *t, const struct xbar_queue *queue, uint32_t i, uint32_t xi,
                     const struct xbar_packet *k, bool may)
{
	uint64_t next = t->next;
	bool asks = xbar_asks(t->call, queue, i, xi, k, t->class, t->level, may, &next);
	not_before(t, next);
	return asks;
}

XBAR_INLINE bool collect_requests(struct crossbar_step *t, bool plain)
{
	struct xbar *x = t->x;
	struct xbar_state *s = t->s;
	bool any = false;
	for (SW_EACH(i, s->busy, sw_set_words(s->ports))) {
		for (SW_EACH(q, xbar_nonempty(xbar_input_at(x, s, i)), x->queue_words)) {
			struct xbar_queue *queue = xbar_queue_at(x, s, i, q);
			struct xbar_packet *k = xbar_packet_at(s, queue->head);
			uint32_t xi = q % x->xin;
			bool may = may_go(t, queue, i, xi, k, plain);
			if (!plain && x->order.used)
				may = asks_now(t, queue, i, xi, k, may);
			if (!may)
				continue;
			request(t, i, q, xi, k, plain ? 0 : t->class);
			any = true;
		}
	}
	return any;
}

/* Removes the head from its queue; the next packet becomes the head when the tail has left. */
XBAR_INLINE void dequeue(struct crossbar_step *t, uint32_t i, uint32_t q, struct xbar_queue *queue, uint64_t tail_left)
{
	struct xbar_state *s = t->s;
	struct xbar_input *in = xbar_input_at(t->x, s, i);
	uint32_t gone = queue->head, next = xbar_packet_at(s, gone)->next;
	sw_pool_give(t->ctx, &s->pool, gone, sizeof(struct xbar_packet));
	sim_save(t->ctx, queue, sizeof *queue);
	queue->at = tail_left;
	if (next != SW_POOL_NONE) {
		queue->head = next;
		xbar_at_head(t->call, t->x, s, queue, xbar_packet_at(s, next), tail_left);
		not_before(t, queue->at);
		return;
	}
	uint64_t *nonempty = xbar_nonempty(in);
	sim_save(t->ctx, &nonempty[q >> 6], 8);
	sw_set_remove(nonempty, q);
	if (!sw_set_any(nonempty, t->x->queue_words)) {
		sim_save(t->ctx, &s->busy[i >> 6], 8);
		sw_set_remove(s->busy, i);
	}
}

/* Computes when a packet that is granted now has passed the crossbar and the output queue: returns when it starts to
 * leave on the link; *finish: when its last bit leaves. */
XBAR_INLINE uint64_t departure(struct crossbar_step *t, const struct xbar_output *o, const struct xbar_packet *k,
                               uint64_t *finish)
{
	const struct xbar *x = t->x;
	uint32_t link = xbar_link(t->s, o, k->out);
	uint64_t start = xbar_align(t->now + (uint64_t)(x->p->sw_alloc_delay + x->p->st_delay) * x->step, x->cycle);
	if (x->flit_time[link] < x->step) /* a faster link must not run dry */
		start += (k->flits - 1) * (x->step - x->flit_time[link]);
	start = start > o->busy_until ? start : o->busy_until;
	*finish = start + sw_serialisation(&t->common->link[link], k->packet.bytes);
	return start;
}

/* Computes the same as departure(), for links with framing, or with lanes and link-level retry. If the frame is shorter
 * on the outgoing link, its last bit still leaves no earlier than it has crossed. Also sets when the output is free
 * again. */
static __attribute__((noinline)) uint64_t framed_departure(struct sw_call *call, struct xbar_output *o,
                                                           const struct xbar_packet *k, uint64_t *finish)
{
	struct crossbar_step t = {
		.call = call, .common = call->common, .x = call->common->impl, .s = call->state, .now = call->now
	};
	const struct sw_link *link = &call->common->link[xbar_link(t.s, o, k->out)];
	uint64_t idle = o->busy_until, time = sw_serialisation(link, k->leaving);
	o->busy_until = 0;
	uint64_t start = departure(&t, o, k, finish);
	if (call->common->passes) {
		struct sw_passage w = { .ready = start, .idle = idle, .whole = *finish, .bytes = k->leaving };
		sw_pass(call, k->out, xbar_link(t.s, o, k->out), k->packet.job, &w);
		*finish = w.finish;
		o->busy_until = w.free_at;
		return w.start;
	}
	if (k->leaving < k->packet.bytes)
		start = *finish - time;
	start = start > idle ? start : idle;
	*finish = start + time;
	o->busy_until = *finish + link->gap;
	return start;
}

XBAR_INLINE void pass_on(struct crossbar_step *t, const struct xbar_packet *k, uint32_t lane, uint64_t tail_left,
                         bool plain)
{
	const struct xbar *x = t->x;
	struct xbar_state *s = t->s;
	struct xbar_output *o = xbar_output_at(x, s, k->out);
	struct sw_packet p = k->packet;
	uint32_t leaving = p.bytes;
	uint64_t finish, start = departure(t, o, k, &finish);
	sim_save(t->ctx, o, sizeof *o);
	base_checkf((XBAR_FAULT || o->bytes >= p.bytes) && finish >= start && start >= t->now,
	            "switch %u, output %u: %llu bytes are routed to it", s->id, k->out, (unsigned long long)o->bytes);
	if (sim_unlikely(x->departs_apart)) {
		leaving = k->leaving;
		start = framed_departure(t->call, o, k, &finish);
	} else {
		o->busy_until = finish;
	}
	o->bytes -= p.bytes;
	p.vc = (uint8_t)(plain ? lane : lane % x->lanes.vcs);
	if (!plain && x->order.used)
		xbar_pay(t->call, o, k);
	if (sim_unlikely(s->meters))
		xbar_meter_pass(t->call, s, k, start, finish);
	if (t->common->record_queues)
		t->call->host_ops->queued(t->call, k->out, k->out < s->net_ports ? p.vc : 0, p.bytes, k->arrived,
		                          finish, k->waited);
	if (k->out < s->net_ports) {
		uint32_t *credits = xbar_credits(x, o);
		base_checkf(XBAR_FAULT || sw_lane_fits(&x->lanes, credits, lane, leaving),
		            "switch %u, output %u, lane %u: %u bytes of %u", s->id, k->out, lane, leaving,
		            credits[lane]);
		if (plain)
			sim_set(t->ctx, &credits[lane], credits[lane] - leaving);
		else
			sw_lane_take(t->ctx, &x->lanes, credits, lane, leaving);
		t->call->host_ops->transmit(t->call, k->out, &o->end, &p, start, finish);
	} else {
		t->call->host_ops->eject(t->call, k->out - s->net_ports, &p, start, finish);
	}
	struct xbar_input *in = xbar_input_at(x, s, k->in_port);
	bool terminal = k->in_port >= s->net_ports;
	uint64_t back = xbar_align(tail_left, x->cycle) + (terminal ? 0 : (uint64_t)x->p->credit_delay * x->cycle);
	uint32_t *used = &xbar_used(x, in)[k->in_lane];
	base_checkf(XBAR_FAULT || *used >= p.bytes, "switch %u, input %u, lane %u: %u bytes of %u leave", s->id,
	            k->in_port, k->in_lane, p.bytes, *used);
	sim_set(t->ctx, used, *used - p.bytes);
	t->call->host_ops->credit(t->call, k->in_port, terminal ? NULL : &in->end, k->in_lane, p.bytes, back);
}

/* For inputs without VC allocation: returns the output lane for the packet at the head of a queue that has won switch
 * allocation. SW_NOBODY: it must not leave; if it only lacks credits, the lane is now reserved for it. */
static __attribute__((noinline)) uint32_t lane_of_winner(const struct sw_call *call, struct xbar_queue *queue,
                                                         struct xbar_output *o, const struct xbar_packet *k)
{
	const struct xbar *x = call->common->impl;
	if (queue->stage == XBAR_HOLDS_LANE)
		return queue->lane;
	uint32_t lane = richest_lane(x, o, k);
	if (!x->reserves || lane == SW_NOBODY || xbar_fits(call->common, x, o, lane, k, false))
		return lane;
	sim_save(call->ctx, queue, sizeof *queue);
	queue->stage = XBAR_HOLDS_LANE;
	queue->lane = (uint8_t)lane;
	sim_set(call->ctx, &xbar_lane_free_at(x, o)[lane], SIM_NEVER);
	return SW_NOBODY;
}

XBAR_INLINE void grant(struct crossbar_step *t, uint32_t in, uint32_t out, bool plain)
{
	struct xbar *x = t->x;
	uint32_t i = in / x->xin, xi = in % x->xin, q = x->label[(size_t)in * x->allocator.outputs + out];
	struct xbar_queue *queue = xbar_queue_at(x, t->s, i, q);
	struct xbar_packet k = *xbar_packet_at(t->s, queue->head);
	struct xbar_output *o = xbar_output_at(x, t->s, k.out);
	uint32_t lane =
	    k.out >= t->s->net_ports || x->inputs == XBAR_VC ? queue->lane : lane_of_winner(t->call, queue, o, &k);
	if (lane == SW_NOBODY)
		return;
	/* With an output speed-up, another grant of this step may have taken the credits, or the space at the output,
	 * with which this request was made. */
	if (x->xout > 1 &&
	    ((k.out < t->s->net_ports && !xbar_fits(t->common, x, o, lane, &k, plain)) || !has_output_space(t, o, &k)))
		return;
	uint64_t tail_left = t->now + k.flits * x->step;
	sim_set(t->ctx, &xbar_in_free_at(x, xbar_input_at(x, t->s, i))[xi], tail_left);
	sim_set(t->ctx, &xbar_out_free_at(o)[i % x->xout], tail_left);
	if (x->inputs == XBAR_VC || queue->stage == XBAR_HOLDS_LANE)
		sim_set(t->ctx, &xbar_lane_free_at(x, o)[lane], tail_left);
	sim_set(t->ctx, xbar_first_queue(x, xbar_input_at(x, t->s, i), xi, plain ? 0 : t->class),
	        (q + x->xin) % x->queues);
	pass_on(t, &k, lane, tail_left, plain);
	if (XBAR_FAULT == XBAR_FAULT_TWICE && k.packet.seq % 64 == 63 && !k.slack) {
		sim_set(t->ctx, &xbar_packet_at(t->s, queue->head)->slack, 1);
		return;
	}
	dequeue(t, i, q, queue, tail_left);
}

/* `count`: see sw_allocator_match(). */
XBAR_INLINE void match(struct crossbar_step *t, uint32_t count, bool plain)
{
	struct xbar *x = t->x;
	sw_allocator_begin(&x->allocator, &x->work);
	if (!collect_requests(t, plain))
		return;
	not_before(t, t->now + x->step);
	unsigned char *arbiters = t->s->rest + x->at_allocator + (plain ? 0 : t->class * x->allocator_bytes);
	sw_allocator_match(t->ctx, &x->allocator, arbiters, &x->work, t->s->id, count);
	for (SW_EACH(in, x->work.asking, x->work.in_words))
		if (x->work.match[in] != SW_NO_MATCH)
			grant(t, in, x->work.match[in], plain);
}

XBAR_INLINE struct crossbar_step begin_step(struct sw_call *call)
{
	return (struct crossbar_step){ .call = call,
		                       .ctx = call->ctx,
		                       .common = call->common,
		                       .x = call->common->impl,
		                       .s = call->state,
		                       .now = call->now,
		                       .next = SIM_NEVER };
}

/* Executes a step with ordered classes or a shared pool, level by level: inputs and outputs that are matched at one
 * level are busy for the lower levels. Returns the earliest time of a further action that needs no arrival. */
static __attribute__((noinline)) uint64_t step_by_level(struct sw_call *call)
{
	struct crossbar_step t = begin_step(call);
	const struct sw_class_order *order = &t.x->order;
	uint8_t class[SW_MAX_CLASSES] = { 0 };
	uint32_t classes = order->used ? xbar_shuffled_classes(call, class) : 1,
		 levels = order->used ? order->levels : 1;
	if (t.x->inputs == XBAR_VC)
		allocate_lanes(&t, false);
	xbar_claims_begin(t.x);
	for (t.level = levels; t.level-- > 0;) {
		for (uint32_t k = 0; k < classes; k++) {
			t.class = class[k];
			if (!order->used || sw_class_has_level(order, t.class, t.level))
				match(&t, (t.s->count * levels + t.level) * SW_MAX_CLASSES + t.class, false);
		}
		if (t.level % order->steps == 0)
			xbar_claims_settle(t.x);
	}
	return t.next;
}

void xbar_event(struct sw_call *call, const struct sim_event *event)
{
	struct xbar *x = call->common->impl;
	struct xbar_state *s = call->state;
	if (event->time != s->tick_at)
		return; /* superseded by an earlier step */
	if (sim_unlikely(call->common->may_turn))
		xbar_turn_heads(call, x, s);
	struct crossbar_step t = begin_step(call);
	sim_save(call->ctx, &s->count, sizeof s->count);
	s->count++;
	sim_set(call->ctx, &s->tick_at, SIM_NEVER);
	if (sim_unlikely(!x->plain)) {
		t.next = step_by_level(call);
	} else {
		if (x->inputs == XBAR_VC)
			allocate_lanes(&t, true);
		match(&t, s->count, true);
	}
	if (t.next != SIM_NEVER && sw_set_any(s->busy, sw_set_words(s->ports)))
		xbar_wake(call, x, s, t.next);
}

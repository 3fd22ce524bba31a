/* network/nic/nic.c - decides what an endpoint sends next: see nic.h. */
#include "network/nic/bursts.h"
#include "network/nic/node.h"
#include "switch/set.h"

#define NIC_INLINE static inline __attribute__((always_inline))

/* Predicts which records the NIC will access then, for prefetch_nic() only. Words of payload: its pair, 1 for the first
 * one, and likewise the packet that waits for it; the pair that sent last. */
NIC_INLINE void tell_ahead(const struct net *n, const struct net_lp *lp, uint32_t terminal, struct sim_event *ev)
{
	const struct net_nic_class *c = net_nic_class_at(n, lp, terminal, 0);
	if (!n->common.prefetching || n->nic.classes > 1 || c->ring == SW_POOL_NONE)
		return;
	uint32_t first, held;
	if (sim_likely(n->path.ring_plain)) {
		first = c->first;
		held = c->first_held;
	} else {
		first = net_pair_at(n, lp, c->ring)->next;
		held = net_pair_at(n, lp, first)->first;
	}
	ev->payload[0] = (first + 1) | (uint64_t)(held + 1) << 32;
	ev->payload[1] = c->ring;
}

/* A long event although its payload is small: short events are offered to sim_model.early first, which costs time for
 * those that are not taken. */
NIC_INLINE void send_wake(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint64_t at,
                          bool rings)
{
	struct sim_event *ev = sim_send(ctx, n->call.lp, at, net_next_key(ctx, lp, NET_PHASE_NIC), SIM_LONG_WORDS);
	ev->kind = NET_NIC;
	ev->aux = (uint16_t)terminal;
	for (unsigned k = 0; k < SIM_LONG_WORDS; k++)
		ev->payload[k] = 0;
	if (rings)
		tell_ahead(n, lp, terminal, ev);
}

void net_nic_wake(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint64_t at)
{
	struct net_nic *nic = net_nic_at(n, lp, terminal);
	if (nic->wake <= at)
		return;
	sim_set(ctx, &nic->wake, at);
	send_wake(n, ctx, lp, terminal, at, n->path.pairs);
}

/* One class of one NIC. one: n->nic.plain. */
struct server {
	struct net *n;
	struct sim_ctx *ctx;
	struct net_lp *lp;
	uint32_t terminal, class;
	struct net_endpoint *e;
	struct net_nic *nic;
	struct net_nic_class *c;
	bool one;
	bool rotates; /* n->nic.rotates, known to be false where `one` is true */
};

/* Bytes of the switch's buffer that one class of an endpoint may have. */
NIC_INLINE uint32_t share_of(const struct server *v)
{
	return v->one || v->nic->classes < 2 ? v->n->endpoints.share : v->n->endpoints.share / v->nic->classes;
}

/* Has the switch's buffer room for a packet of the job, with so many bytes of payload? If not, the class waits for
 * it. */
NIC_INLINE bool has_room(const struct server *v, uint32_t job, uint32_t payload)
{
	struct net *n = v->n;
	uint32_t frame = net_frame_bytes(n, job, payload), out = v->c->out;
	if (n->common.creditless)
		return true;
	if (v->one || n->nic.classes == 1) {
		net_settle_returns(v->ctx, v->e);
		out = v->e->outstanding;
	}
	if (sim_likely((uint64_t)out + frame <= share_of(v)))
		return true;
	sim_set(v->ctx, &v->c->full, 1);
	return false;
}

/* The largest packet that the source, of that job, may make now: bytes of payload. */
static uint32_t largest_packet(const struct net *n, const struct net_source *s, uint32_t job)
{
	uint32_t most = n->traffic.job[job].max_packet;
	return s->left < most ? s->left : most;
}

/* A packet of the class has left. */
static void pay(const struct server *v, const struct sw_packet *p)
{
	const struct net *n = v->n;
	const struct sw_link *l = sw_link_for_job(&n->common, SW_LINK_TERMINAL, p->job);
	if (n->nic.classes > 1 && !n->common.creditless)
		sim_set(v->ctx, &v->c->out, v->c->out + p->bytes);
	if (n->nic.class_order.used)
		sw_class_pay(v->ctx, &n->nic.class_order, net_nic_buckets(n, v->lp, v->terminal), v->class,
		             l->ps_per_byte_q16, p->bytes + l->gap_bytes, v->ctx->now);
}

/* May the source, whose packet has just left by the pair, send it another one now? */
static bool goes_on(const struct server *v, struct net_pair *x, const struct net_source *s, uint32_t which)
{
	struct net *n = v->n;
	if (n->path.bursts) /* its next packet may have to wait, or be discarded */
		return false;
	if (s->created > v->ctx->now || s->dst != x->dst || !net_retry_has_number(n, x))
		return false;
	uint32_t job = net_source_jobs(n, v->e)[which];
	return net_pair_may_send(n, v->ctx, x, net_wire_bytes(n, job, largest_packet(n, s, job))) <= v->ctx->now;
}

/* s: the source that it comes from, number `which`; NULL: it was held. marks: SW_MARK_LAST or 0. message: its number,
 * if interfaces choose entropies. */
NIC_INLINE void send(const struct server *v, struct sw_packet *p, uint32_t pair, uint32_t again,
                     const struct net_source *s, uint32_t which, uint64_t marks, uint32_t message)
{
	struct net *n = v->n;
	struct sim_ctx *ctx = v->ctx;
	struct net_lp *lp = v->lp;
	uint32_t terminal = v->terminal, via = SW_NO_VIA;
	if (pair != SW_POOL_NONE) {
		struct net_pair *x = net_pair_at(n, lp, pair);
		uint32_t wire = net_wire_bytes(n, p->job, p->bytes);
		sim_save(ctx, x, n->nic.pair_bytes);
		if (sim_unlikely(n->nic.ordered))
			marks |= net_order_sends(n, x, !x->in_flight);
		if (!n->path.pairs_short)
			x->cc.last = wire;
		if (n->nic.wants & CC_WANTS_ACKS) {
			x->cc.in_flight += wire;
			x->in_flight++;
		}
		if (n->nic.cc.ops->source.sent)
			n->nic.cc.ops->source.sent(&n->nic.cc, &x->cc, ctx->now, wire);
	}
	if (n->path.retry) {
		struct net_pair *x = net_pair_at(n, lp, pair);
		marks |= net_retry_sends(n, ctx, lp, pair, p, again);
		uint64_t probe = net_recovery_probe(n, ctx, x);
		if (sim_unlikely(probe != SIM_NEVER) && probe > ctx->now)
			net_nic_call_pair(n, ctx, lp, pair, probe);
		struct net_next next;
		if (n->config->nic.ack_every &&
		    (again != SW_POOL_NONE || !net_pair_next(n, ctx, lp, x, &next) || next.at > ctx->now) &&
		    !(s && goes_on(v, x, s, which)))
			marks |= SW_MARK_ASKS;
	}
	if (sim_unlikely(n->rt.entropy))
		via = net_entropy_of(n, ctx, pair != SW_POOL_NONE ? net_pair_at(n, lp, pair) : NULL, p, message,
		                     again != SW_POOL_NONE);
	net_inject_packet(n, ctx, lp, terminal, p, marks, again == SW_POOL_NONE, via);
	if (pair != SW_POOL_NONE)
		net_pair_asks(n, ctx, lp, net_pair_at(n, lp, pair));
	if (!v->one)
		pay(v, p);
}

/* No packet: only the link and the class know of it. */
static void send_probe(const struct server *v, uint32_t pair)
{
	struct sw_packet p = net_recovery_send(v->n, v->ctx, v->lp, pair);
	net_inject_packet(v->n, v->ctx, v->lp, v->terminal, &p, 0, false, SW_NO_VIA);
	uint64_t next = net_recovery_probe(v->n, v->ctx, net_pair_at(v->n, v->lp, pair));
	if (next > v->ctx->now)
		net_nic_call_pair(v->n, v->ctx, v->lp, pair, next);
	if (!v->one)
		pay(v, &p);
}

/* Takes the next packet off a pair's queue, whose first is *h, which leaves now. *marks: SW_MARK_LAST or 0. */
NIC_INLINE struct sw_packet release(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p,
                                    struct net_nic_class *c, struct net_held *h, uint64_t *marks, bool rotates)
{
	uint32_t i = p->first;
	struct sw_packet packet = { .created = h->created,
		                    .src = lp->first_endpoint + p->terminal,
		                    .dst = p->dst,
		                    .seq = h->seq,
		                    .bytes = net_held_payload(n, h),
		                    .job = h->job };
	*marks = 0;
	if (n->nic.wants & CC_WANTS_REQUESTS)
		sim_set(ctx, &p->cc.waiting, p->cc.waiting - net_wire_bytes(n, packet.job, packet.bytes));
	if (h->message && h->left == h->bytes)
		net_message_announce(n, ctx, lp, p->terminal, p->dst, h);
	if (h->left > packet.bytes) {
		sim_save(ctx, h, sizeof *h);
		h->left -= packet.bytes;
		h->seq++;
		if (rotates)
			net_turns_rotate(n, ctx, lp, p);
		return packet;
	}
	if (h->message == NET_HELD_BLOCKING || (h->message && n->traffic.process->wants_sent(&n->traffic, h->job))) {
		const struct sw_link *l = &n->common.link[SW_LINK_TERMINAL];
		uint64_t gone = ctx->now + sw_serialisation(l, net_frame_bytes(n, packet.job, packet.bytes));
		net_process_sent(n, ctx, lp, p->terminal, h, gone);
	}
	if (n->path.in_order && h->message)
		*marks = SW_MARK_LAST;
	sim_save(ctx, c, sizeof *c);
	if (!h->message) {
		base_check(c->held > 0);
		c->held--;
		c->stuck = 0;
	}
	if (rotates && h->more)
		net_turns_follow(n, ctx, lp, p, h);
	else
		sim_set(ctx, &p->first, h->next);
	sw_pool_give(ctx, &net_nics_of(n, lp)->held, i, sizeof *h);
	return packet;
}

enum outcome { SENT, WAITS, AGAIN };

/* What the NIC looks at after this pair: what waits for the next one, and the one after that. */
NIC_INLINE void ask_for_next(const struct net *n, const struct net_lp *lp, const struct net_pair *p)
{
	const struct net_pair *next = net_pair_at(n, lp, p->next);
	base_prefetch_write(net_pair_at(n, lp, next->next));
	if (next->first != SW_POOL_NONE)
		base_prefetch_write(net_held_at(n, lp, next->first));
}

/* The pair, the first of the ring, has sent: it goes to the end, if it has more. */
NIC_INLINE void end_turn(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_nic_class *c, uint32_t pair,
                         bool more)
{
	if (more) {
		sim_set(ctx, &c->ring, pair);
		return;
	}
	net_ring_drop_first(n, ctx, lp, c);
	sim_set(ctx, &net_pair_at(n, lp, pair)->state, NET_PAIR_IDLE);
	net_nic_review(n, ctx, lp, pair);
}

/* The pair whose turn it is. */
static enum outcome serve_pair(const struct server *v)
{
	struct net *n = v->n;
	struct sim_ctx *ctx = v->ctx;
	struct net_lp *lp = v->lp;
	struct net_nic_class *c = v->c;
	uint32_t pair = net_pair_at(n, lp, c->ring)->next;
	struct net_pair *p = net_pair_at(n, lp, pair);
	struct net_next next;
	if (n->common.prefetching)
		ask_for_next(n, lp, p);
	if (!net_pair_next(n, ctx, lp, p, &next)) {
		net_ring_drop_first(n, ctx, lp, c);
		sim_set(ctx, &p->state, NET_PAIR_IDLE);
		return AGAIN;
	}
	if (next.at > ctx->now) {
		net_ring_drop_first(n, ctx, lp, c);
		net_pair_park(n, ctx, lp, pair, next.at);
		return AGAIN;
	}
	if (!has_room(v, next.job, next.payload))
		return WAITS;
	bool again = next.again != SW_POOL_NONE;
	if (sim_unlikely(next.probe)) {
		send_probe(v, pair);
	} else {
		uint64_t marks = 0;
		uint32_t message = n->rt.entropy && !again ? net_held_at(n, lp, p->first)->number : 0;
		struct sw_packet packet =
		    again ? net_retry_take(n, ctx, lp, p, next.again)
			  : release(n, ctx, lp, p, c, net_held_at(n, lp, p->first), &marks, v->rotates);
		send(v, &packet, pair, next.again, NULL, 0, marks, message);
	}
	end_turn(n, ctx, lp, c, pair, p->first != SW_POOL_NONE || (n->path.retry && p->again != SW_POOL_NONE));
	return SENT;
}

/* The source whose packet was created first. */
NIC_INLINE enum outcome serve_source(const struct server *v, const struct net_source *s, uint32_t which)
{
	struct net *n = v->n;
	struct sim_ctx *ctx = v->ctx;
	struct net_lp *lp = v->lp;
	uint32_t terminal = v->terminal;
	struct net_nic_class *c = v->c;
	struct sw_packet packet;
	uint32_t job = net_source_jobs(n, v->e)[which], most = largest_packet(n, s, job), message = s->message;
	uint32_t pair = SW_POOL_NONE;
	if (n->nic.wants && (!n->path.pairs_late || v->nic->pairs))
		pair = net_nic_pair(n, ctx, lp, terminal, s->dst, v->class, !n->path.pairs_late);
	if (pair != SW_POOL_NONE) {
		struct net_pair *p = net_pair_at(n, lp, pair);
		uint64_t at =
		    p->state == NET_PAIR_IDLE ? net_pair_may_send(n, ctx, p, net_wire_bytes(n, job, most)) : 0;
		if (!net_retry_has_number(n, p))
			at = SIM_NEVER;
		if (p->state != NET_PAIR_IDLE || at > ctx->now) {
			if (c->held >= n->config->nic.table) {
				sim_set(ctx, &c->stuck, c->stuck | net_source_bit(which));
				sim_add(ctx, &n->shared.nic->stuck, 1);
				if (p->state == NET_PAIR_IDLE && at != SIM_NEVER)
					net_nic_call_pair(n, ctx, lp, pair, at);
				net_nic_review(n, ctx, lp, pair);
				return AGAIN;
			}
			net_take_packet(n, ctx, lp, terminal, which, &packet);
			net_pair_hold(n, ctx, lp, pair, &packet, message);
			if (p->state == NET_PAIR_IDLE)
				net_pair_park(n, ctx, lp, pair, at);
			return AGAIN;
		}
	}
	if (!has_room(v, job, most)) {
		if (pair != SW_POOL_NONE)
			net_nic_review(n, ctx, lp, pair);
		return WAITS;
	}
	net_take_packet(n, ctx, lp, terminal, which, &packet);
	send(v, &packet, pair, SW_POOL_NONE, s, which, 0, message);
	if (pair != SW_POOL_NONE)
		net_nic_review(n, ctx, lp, pair);
	return SENT;
}

/* What a class might send. */
struct offer {
	const struct net_source *s; /* the source whose packet was created first */
	uint32_t which;
	bool source, ring; /* that packet is there; a pair may send */
	uint64_t at;       /* when that packet may leave: when it was created, but for pauses between bursts */
};

NIC_INLINE struct offer offer_of(const struct server *v, uint32_t class)
{
	const struct net_nic_class *c = net_nic_class_at(v->n, v->lp, v->terminal, class);
	struct offer o = { .ring = c->ring != SW_POOL_NONE };
	uint32_t of = v->one || v->n->nic.classes == 1 ? NET_ANY_CLASS : class;
	if (sim_unlikely(v->n->path.bursts)) {
		o.s = net_ready_source(v->n, v->ctx, v->lp, v->terminal, of, c->stuck, &o.which, &o.at);
	} else {
		o.s = net_earliest_source(v->n, v->e, of, c->stuck, &o.which);
		o.at = o.s ? o.s->created : SIM_NEVER;
	}
	o.source = o.s && o.at <= v->ctx->now;
	return o;
}

/* The level at which a class may send, or SW_CLASS_HELD. */
NIC_INLINE uint32_t level_of(const struct server *v, uint32_t class, uint64_t *when)
{
	if (v->one || !v->n->nic.class_order.used)
		return 0;
	return sw_class_level(&v->n->nic.class_order, net_nic_buckets(v->n, v->lp, v->terminal), class,
	                      v->n->common.link[SW_LINK_TERMINAL].ps_per_byte_q16, v->ctx->now, when);
}

/* The class that goes first of those in `among` that have something to send; SW_NOBODY: none. *when is lowered to when
 * another source has something, or a class is no longer held. */
NIC_INLINE uint32_t choose_class(const struct server *v, uint32_t among, struct offer *offer, uint64_t *when)
{
	uint32_t best = SW_NOBODY, best_level = 0;
	for (uint32_t k = 0; k < (v->one ? 1 : v->n->nic.classes); k++) {
		if (!(among >> k & 1))
			continue;
		struct offer o = offer_of(v, k);
		if (!o.source && !o.ring) {
			if (o.s && o.at > v->ctx->now && o.at < *when)
				*when = o.at;
			continue;
		}
		uint32_t level = level_of(v, k, when);
		if (level == SW_CLASS_HELD || (best != SW_NOBODY && level <= best_level))
			continue;
		best = k;
		best_level = level;
		*offer = o;
	}
	return best;
}

NIC_INLINE void serve(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, bool one)
{
	struct server v = { .n = n,
		            .ctx = ctx,
		            .lp = lp,
		            .terminal = terminal,
		            .e = net_endpoint_at(n, lp, terminal),
		            .nic = net_nic_at(n, lp, terminal),
		            .one = one,
		            .rotates = !one && n->nic.rotates };
	struct net_nic_class *classes = net_nic_class_at(n, lp, terminal, 0);
	uint32_t count = one ? 1 : n->nic.classes, among = UINT32_MAX >> (32 - count);
	enum outcome done = AGAIN;
	uint64_t when = SIM_NEVER;
	struct offer o;
	if (v.e->tx_free > ctx->now) {
		net_nic_wake(n, ctx, lp, terminal, v.e->tx_free);
		return;
	}
	if (v.nic->paused) /* pauses are not of classes that may lose packets */
		among &= n->common.lossy_classes;
	if (!among)
		return;
	for (uint32_t k = 0; k < count; k++)
		if (classes[k].full)
			sim_set(ctx, &classes[k].full, 0);
	while (done != SENT && (v.class = choose_class(&v, among, &o, &when)) != SW_NOBODY) {
		v.c = &classes[v.class];
		bool mine = o.source && (!o.ring || v.c->turn);
		done = mine ? serve_source(&v, o.s, o.which) : serve_pair(&v);
		if (done == SENT && n->nic.wants)
			sim_set(ctx, &v.c->turn, !mine);
		if (done == WAITS)
			among &= ~(1u << v.class);
	}
	for (uint32_t k = 0; done == SENT && k < count; k++) {
		o = offer_of(&v, k);
		uint64_t next = o.ring ? ctx->now : o.s ? o.at : SIM_NEVER;
		when = next < when ? next : when;
	}
	if (when != SIM_NEVER)
		net_nic_wake(n, ctx, lp, terminal, when > v.e->tx_free ? when : v.e->tx_free);
}

static __attribute__((noinline)) void serve_classes(struct net *n, struct sim_ctx *ctx, struct net_lp *lp,
                                                    uint32_t terminal)
{
	serve(n, ctx, lp, terminal, false);
}

/* Has the switch's buffer room for the next packet of what is first in the ring? */
NIC_INLINE bool ring_fits(const struct net *n, const struct net_endpoint *e, const struct net_nic_class *c)
{
	base_check(!n->common.kinds); /* else the frame depends on the job */
	uint32_t frame = net_frame_bytes(n, 0, c->first_payload);
	return (uint64_t)e->outstanding + frame <= n->endpoints.share;
}

/* The pair, the first of the ring, has sent, and what waits for it now begins with `held`: the next one's turn. */
NIC_INLINE void next_turn(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_nic_class *c, uint32_t pair,
                          const struct net_pair *p)
{
	uint32_t payload = net_held_payload(n, net_held_at(n, lp, p->first));
	if (sim_unlikely(p->first != c->first_held || payload != c->first_payload))
		net_ring_tells(ctx, net_pair_at(n, lp, c->ring), p->first, payload);
	net_ring_turns(ctx, c, pair, p);
}

/* serve() for pairs whose congestion control never sets a time: n->path.ring_plain. Sources are served if no pair can
 * send. Returns the time of the next attempt. The first packet of the ring stays first until it is sent, so if the
 * buffer has no space for it, and all space returns by events, no earlier attempt is needed. */
static __attribute__((noinline)) uint64_t serve_ring(struct net *n, struct sim_ctx *ctx, struct net_lp *lp,
                                                     uint32_t terminal, struct net_endpoint *e,
                                                     const struct net_nic *nic, struct net_nic_class *c)
{
	if (sim_unlikely(e->tx_free > ctx->now))
		return e->tx_free;
	if (sim_unlikely(nic->paused))
		return SIM_NEVER;
	net_settle_returns(ctx, e);
	bool full = !ring_fits(n, e, c);
	if (sim_unlikely(full != c->full))
		sim_set(ctx, &c->full, full);
	if (full)
		return SIM_NEVER;
	uint32_t pair = c->first, which;
	struct net_pair *p = net_pair_at(n, lp, pair);
	struct net_held *h = net_held_at(n, lp, c->first_held);
	base_checkf(p->first == c->first_held && net_held_payload(n, h) == c->first_payload &&
	                net_pair_at(n, lp, c->ring)->next == pair,
	            "switch %u, terminal %u: pair %u with %u bytes of %u is first in the ring", lp->id, terminal, pair,
	            c->first_payload, c->first_held);
	uint64_t marks;
	struct sw_packet packet = release(n, ctx, lp, p, c, h, &marks, false);
	net_inject_packet(n, ctx, lp, terminal, &packet, marks, true, SW_NO_VIA);
	if (sim_likely(p->first != SW_POOL_NONE))
		next_turn(n, ctx, lp, c, pair, p);
	else
		end_turn(n, ctx, lp, c, pair, false);
	if (c->ring == SW_POOL_NONE) {
		uint64_t next = net_earliest_source(n, e, NET_ANY_CLASS, 0, &which)->created;
		return next == SIM_NEVER || next > e->tx_free ? next : e->tx_free;
	}
	if (sim_unlikely(!ring_fits(n, e, c)) && !e->lazy[0]) {
		sim_set(ctx, &c->full, 1);
		return SIM_NEVER;
	}
	return e->tx_free;
}

/* The same where serve() has nothing to choose from but sources, which nothing holds back: n->path.nic_plain. */
NIC_INLINE void serve_plainly(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                              const struct net_endpoint *e, struct net_nic *nic, struct net_nic_class *c)
{
	uint64_t when = e->tx_free;
	bool full = false;
	if (sim_likely(when <= ctx->now)) {
		when = net_inject_now(n, ctx, lp, terminal, &full);
		if (sim_unlikely(c->turn) && e->tx_free > ctx->now) /* it was a source's */
			sim_set(ctx, &c->turn, 0);
	}
	if (sim_unlikely(full != c->full))
		sim_set(ctx, &c->full, full);
	sim_set(ctx, &nic->wake, when);
	if (sim_likely(when != SIM_NEVER))
		send_wake(n, ctx, lp, terminal, when, false);
}

/* Its time has come, or something else that it has waited for. */
NIC_INLINE void look(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, struct net_endpoint *e,
                     struct net_nic *nic, struct net_nic_class *c)
{
	if (sim_likely(n->path.nic_plain && !nic->pairs && !c->stuck)) {
		serve_plainly(n, ctx, lp, terminal, e, nic, c);
		return;
	}
	if (n->path.ring_plain && c->ring != SW_POOL_NONE) {
		uint64_t at = serve_ring(n, ctx, lp, terminal, e, nic, c);
		sim_set(ctx, &nic->wake, at);
		if (at != SIM_NEVER)
			send_wake(n, ctx, lp, terminal, at, true);
		return;
	}
	sim_set(ctx, &nic->wake, SIM_NEVER);
	if (sim_likely(n->nic.plain))
		serve(n, ctx, lp, terminal, true);
	else
		serve_classes(n, ctx, lp, terminal);
}

void net_nic_due(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	struct net_nic *nic = net_nic_at(n, lp, ev->aux);
	if (nic->wake == ev->time)
		look(n, ctx, lp, ev->aux, net_endpoint_at(n, lp, ev->aux), nic, net_nic_class_at(n, lp, ev->aux, 0));
}

/* Its switch's buffer has room again. */
static __attribute__((noinline)) void go_on(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                                            struct net_endpoint *e, struct net_nic_class *c)
{
	struct net_nic *nic = net_nic_at(n, lp, terminal);
	if (!n->path.takes_back)
		net_nic_wake(n, ctx, lp, terminal, ctx->now);
	else if (e->tx_free > ctx->now)
		net_nic_wake(n, ctx, lp, terminal, e->tx_free);
	else if (nic->wake != ctx->now) /* else it looks at this instant anyway */
		look(n, ctx, lp, terminal, e, nic, c);
}

void net_nic_give_back(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t class,
                       uint32_t bytes)
{
	struct net_endpoint *e = net_endpoint_at(n, lp, terminal);
	struct net_nic_class *c = net_nic_class_at(n, lp, terminal, class);
	if (sim_unlikely(bytes > e->outstanding || (n->nic.classes > 1 && bytes > c->out))) {
		sim_violation(ctx, "switch %u, terminal %u: %u bytes came back, %u were out", lp->id, terminal, bytes,
		              e->outstanding);
		return;
	}
	sim_set(ctx, &e->outstanding, e->outstanding - bytes);
	if (n->nic.classes > 1)
		sim_set(ctx, &c->out, c->out - bytes);
	if (c->full)
		go_on(n, ctx, lp, terminal, e, c);
}

void net_nic_paused(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	struct net_nic *nic = net_nic_at(n, lp, ev->aux);
	sim_set(ctx, &nic->paused, ev->payload[0] == SW_CONTROL_PAUSE);
	if (!nic->paused)
		net_nic_wake(n, ctx, lp, ev->aux, ctx->now);
}

void net_nic_start(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal)
{
	uint32_t which;
	const struct net_source *s = net_earliest_source(n, net_endpoint_at(n, lp, terminal), NET_ANY_CLASS, 0, &which);
	if (s->created != NET_NEVER)
		net_nic_wake(n, ctx, lp, terminal, s->created);
	struct net_endpoint *e = net_endpoint_at(n, lp, terminal);
	for (uint32_t k = 0; n->traffic.process && k < e->jobs; k++)
		if (n->traffic.job[net_source_jobs(n, e)[k]].process)
			net_process_start(n, ctx, lp, terminal, net_source_jobs(n, e)[k]);
}

/* network/nic/sink.c - a switch's records of the packets that it has for each of its endpoints, and its notifications
 * of their sources: the receiver's side of congestion control.
 *
 * The arrival time of a packet at an endpoint is known as soon as its last link is reserved. If nothing else reacts to
 * it, there is no event: the sink lists departing packets, and before its next event it processes those that have left
 * meanwhile, in the order in which their events would have come.
 *
 * A backlog below the threshold of the congestion control (cc_ops.receiver.quiet) is only a list of packets;
 * contributors are created from it when the threshold is exceeded. */
#include "network/nic/nic.h"

struct sink_call { /* what a scheme does not see of its call */
	struct cc_call cc;
	struct net *n;
	struct sim_ctx *ctx;
	struct net_lp *lp;
	struct net_sink *sink;
	uint32_t terminal;
	uint32_t class; /* of the contributor that the scheme sees */
	bool leaving;   /* it is leaves(), perhaps late */
	uint64_t key;   /* of what is now, among events of the instant */
};

static struct net_contributor *contributor_at(const struct net *n, const struct net_lp *lp, uint32_t i)
{
	return sw_pool_at(&net_nics_of(n, lp)->contributors, i, sizeof(struct net_contributor));
}

static void send_frame(struct cc_call *call, uint32_t src, const struct cc_frame *frame)
{
	struct sink_call *c = (struct sink_call *)(void *)call;
	struct net *n = c->n;
	if (sim_unlikely(c->leaving)) {
		base_refute(n->nic.cc.plugin, "at %llu ps leaves() sends a control frame, which is not permitted",
		            (unsigned long long)call->now);
		return;
	}
	if (sim_unlikely(src >= n->topo.endpoints)) {
		base_refute(
		    n->nic.cc.plugin,
		    "at %llu ps the plug-in sends a control frame to endpoint %u, but there are only %u endpoints",
		    (unsigned long long)call->now, src, n->topo.endpoints);
		return;
	}
	topo_switch source = topo_switch_of(&n->topo, src);
	uint64_t link = n->nic.wants & CC_WANTS_SINKS ? 0 : n->common.link[SW_LINK_TERMINAL].latency;
	uint64_t at = call->now + link + net_reverse_ps(n, c->lp->id, source);
	struct sim_event *ev =
	    sim_send(c->ctx, net_lp_of(n, source), at, net_next_key(c->ctx, c->lp, NET_PHASE_CREDIT), SIM_LONG_WORDS);
	ev->kind = NET_CONTROL;
	ev->aux = (uint16_t)(src - topo_first_endpoint(&n->topo, source));
	ev->payload[0] = c->lp->first_endpoint + c->terminal;
	ev->payload[1] = frame->word[0];
	ev->payload[2] = frame->word[1];
	ev->payload[3] = frame->word[2];
	ev->payload[4] = c->class;
	sim_add(c->ctx, &n->shared.nic->controls, 1);
	if (n->common.flow_channels)
		net_hold_flow(n, c->ctx, c->lp, src, c->lp->first_endpoint + c->terminal, frame);
}

static void wake(struct cc_call *call, uint64_t at)
{
	struct sink_call *c = (struct sink_call *)(void *)call;
	struct net_sink *s = c->sink;
	if (sim_unlikely(c->leaving)) {
		base_refute(c->n->nic.cc.plugin, "at %llu ps leaves() requests tick(), which is not permitted",
		            (unsigned long long)call->now);
		return;
	}
	if (sim_unlikely(at <= c->ctx->now)) {
		base_refute(c->n->nic.cc.plugin,
		            "at %llu ps the plug-in requests tick() for %llu ps, which is not later",
		            (unsigned long long)call->now, (unsigned long long)at);
		return;
	}
	sim_set(c->ctx, &s->tick, at);
	struct sim_event *ev =
	    sim_send(c->ctx, c->n->call.lp, at, net_next_key(c->ctx, c->lp, NET_PHASE_CREDIT), SIM_SHORT_WORDS);
	ev->kind = NET_SINK;
	ev->aux = (uint16_t)c->terminal;
	ev->payload[0] = c->class;
}

/* The head of the chain that a source's record is in. */
static uint32_t *chain_of(const struct net *n, const struct net_lp *lp, uint32_t terminal, uint32_t src)
{
	return net_chain_head(n, lp, NET_CHAIN_SOURCES, terminal, src);
}

static uint32_t find_contributor(const struct net *n, const struct net_lp *lp, uint32_t terminal, uint32_t src,
                                 uint32_t class)
{
	uint32_t i = *chain_of(n, lp, terminal, src);
	for (; i; i = contributor_at(n, lp, i - 1)->chain) { /* numbers are one more, so that 0 ends a chain */
		const struct net_contributor *x = contributor_at(n, lp, i - 1);
		if (x->cc.src == src && x->terminal == terminal && x->class == class)
			return i - 1;
	}
	return SW_POOL_NONE;
}

/* Behind the others of the sink *s, which is saved; and out of its list. */
static void append_contributor(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_sink *s, uint32_t i)
{
	if (s->first == SW_POOL_NONE)
		s->first = i;
	else
		sim_set(ctx, &contributor_at(n, lp, s->last)->next, i);
	s->last = i;
}

static void unlink_contributor(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_sink *s,
                               const struct net_contributor *x)
{
	if (x->prev == SW_POOL_NONE)
		s->first = x->next;
	else
		sim_set(ctx, &contributor_at(n, lp, x->prev)->next, x->next);
	if (x->next == SW_POOL_NONE)
		s->last = x->prev;
	else
		sim_set(ctx, &contributor_at(n, lp, x->next)->prev, x->prev);
}

static uint32_t make_contributor(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t src,
                                 uint32_t class)
{
	struct net_sink *s = net_sink_at(n, lp, terminal, class);
	net_chains_reserve(n, ctx, lp, &net_nics_of(n, lp)->contributors);
	uint32_t i = sw_pool_take(ctx, &net_nics_of(n, lp)->contributors, sizeof(struct net_contributor));
	uint32_t *head = chain_of(n, lp, terminal, src);
	*contributor_at(n, lp, i) = (struct net_contributor){ .chain = *head,
		                                              .next = SW_POOL_NONE,
		                                              .prev = s->last,
		                                              .terminal = terminal,
		                                              .class = class,
		                                              .cc = { .src = src } };
	sim_set(ctx, head, i + 1);
	sim_save(ctx, s, sizeof *s);
	append_contributor(n, ctx, lp, s, i);
	s->cc.contributors++;
	sim_add(ctx, &n->shared.nic->contributors, 1);
	return i;
}

/* The record of a source's class, made if there is none. */
static uint32_t find_or_make(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t src,
                             uint32_t class)
{
	uint32_t i = find_contributor(n, lp, terminal, src, class);
	return i != SW_POOL_NONE ? i : make_contributor(n, ctx, lp, terminal, src, class);
}

static void drop_contributor(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t i)
{
	struct net_contributor *x = contributor_at(n, lp, i);
	struct net_sink *s = net_sink_at(n, lp, x->terminal, x->class);
	uint32_t *link = chain_of(n, lp, x->terminal, x->cc.src);
	while (*link && *link != i + 1)
		link = &contributor_at(n, lp, *link - 1)->chain;
	base_check(*link == i + 1 && !x->cc.backlog);
	sim_set(ctx, link, x->chain);
	sim_save(ctx, s, sizeof *s);
	unlink_contributor(n, ctx, lp, s, x);
	s->cc.contributors--;
	sw_pool_give(ctx, &net_nics_of(n, lp)->contributors, i, sizeof *x);
}

static void each(struct cc_call *call, bool (*visit)(struct cc_call *call, struct cc_contributor *c))
{
	struct sink_call *c = (struct sink_call *)(void *)call;
	struct net_sink *s = c->sink;
	for (uint32_t next, i = s->first; i != SW_POOL_NONE; i = next) {
		struct net_contributor *x = contributor_at(c->n, c->lp, i);
		next = x->next;
		sim_save(c->ctx, x, sizeof *x);
		c->class = x->class;
		if (!visit(call, &x->cc) && !x->cc.backlog)
			drop_contributor(c->n, c->ctx, c->lp, i);
	}
}

static struct cc_contributor *take_turn(struct cc_call *call, bool (*wanted)(const struct cc_contributor *c))
{
	struct sink_call *c = (struct sink_call *)(void *)call;
	struct net_sink *s = c->sink;
	uint32_t i = s->first;
	while (i != SW_POOL_NONE && !wanted(&contributor_at(c->n, c->lp, i)->cc))
		i = contributor_at(c->n, c->lp, i)->next;
	if (i == SW_POOL_NONE)
		return NULL;
	struct net_contributor *x = contributor_at(c->n, c->lp, i);
	sim_save(c->ctx, x, sizeof *x);
	c->class = x->class;
	if (x->next == SW_POOL_NONE)
		return &x->cc;
	sim_save(c->ctx, s, sizeof *s);
	unlink_contributor(c->n, c->ctx, c->lp, s, x);
	x->prev = s->last;
	x->next = SW_POOL_NONE;
	append_contributor(c->n, c->ctx, c->lp, s, i);
	return &x->cc;
}

static inline void settle(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_sink *s, uint32_t terminal,
                          uint64_t time, uint64_t key);

static uint64_t got_by_all(struct cc_call *call)
{
	struct sink_call *c = (struct sink_call *)(void *)call;
	uint64_t got = 0;
	if (sim_unlikely(c->leaving)) {
		base_refute(c->n->nic.cc.plugin, "at %llu ps leaves() requests got(), which is not permitted",
		            (unsigned long long)call->now);
		return 0;
	}
	for (uint32_t k = 0; k < c->n->nic.sink_classes; k++) {
		struct net_sink *s = net_sink_at(c->n, c->lp, c->terminal, k);
		settle(c->n, c->ctx, c->lp, s, c->terminal, call->now, c->key);
		got += s->cc.got;
	}
	return got;
}

static uint32_t share_of_class(struct cc_call *call, uint64_t backlog)
{
	struct sink_call *c = (struct sink_call *)(void *)call;
	const struct sw_class_order *o = &c->n->nic.class_order;
	uint32_t share[SW_MAX_CLASSES], class = c->n->nic.sink_classes > 1 ? c->class : 0, wanting = 1u << class;
	if (c->n->nic.sink_classes == 1)
		return o->classes == 1 ? o->rule[0].max_q16 : 65536;
	for (uint32_t k = 0; k < o->classes; k++) {
		const struct net_sink *s = net_sink_at(c->n, c->lp, c->terminal, k);
		bool wants = s->cc.backlog > backlog || (backlog != SIZE_MAX && s->tick != SIM_NEVER);
		wanting |= (uint32_t)wants << k;
	}
	sw_class_shares(o, wanting, share);
	return share[class];
}

static struct sink_call call_for(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                                 uint32_t class, uint64_t now, uint64_t key)
{
	struct net_sink *s = net_sink_at(n, lp, terminal, class);
	return (struct sink_call){ .cc = { .cc = &n->nic.cc,
		                           .now = now,
		                           .sink = &s->cc,
		                           .send = send_frame,
		                           .wake = wake,
		                           .each = each,
		                           .take_turn = take_turn,
		                           .classes = n->nic.sink_classes,
		                           .got = got_by_all,
		                           .share = share_of_class },
		                   .n = n,
		                   .ctx = ctx,
		                   .lp = lp,
		                   .sink = s,
		                   .terminal = terminal,
		                   .class = class,
		                   .key = key };
}

/* --- packets that come and leave ------------------------------------------------------------------------------ */

static struct net_present *present_at(struct sw_pool *pool, uint32_t i)
{
	return sw_pool_at(pool, i, sizeof(struct net_present));
}

/* Allocates a record for a packet, and returns its number. (Records of the pool are few and always in use; the next one
 * is prefetched only if switches do not fit into the cache.) */
static inline struct net_present *take_present(const struct net *n, struct sim_ctx *ctx, struct sw_pool *pool,
                                               uint32_t *number)
{
	void *record;
	*number = sw_pool_take_record(ctx, pool, sizeof(struct net_present), &record);
	if (n->common.prefetching && pool->free != SW_POOL_NONE)
		base_prefetch_write(present_at(pool, pool->free));
	return record;
}

/* As long as no scheme is asked: its contributors are the packets that are there. */
static inline bool is_quiet(const struct net_sink *s)
{
	return s->first == SW_POOL_NONE && s->tick == SIM_NEVER;
}

/* Behind the others of a list of the sink *s, which is saved. */
static inline void append_packet(struct sim_ctx *ctx, struct sw_pool *pool, uint32_t *first, uint32_t *last, uint32_t i)
{
	if (*first == SW_POOL_NONE)
		*first = i;
	else
		sim_set(ctx, &present_at(pool, *last)->next, i);
	*last = i;
}

static inline bool is_of(const struct net_present *x, const struct sw_packet *p)
{
	return x->src == p->src && x->seq == p->seq && x->job == p->job;
}

/* The packet in `inside` of a quiet sink, and its number; NULL: it is not there. Usually it is the first, or, if it
 * passes the switch in one event, the last. */
static inline struct net_present *find_inside(const struct net *n, struct sw_pool *pool, const struct net_sink *s,
                                              const struct sw_packet *p, uint32_t *number)
{
	uint32_t i = n->path.joined ? s->inside_last : s->inside;
	for (bool first = true; i != SW_POOL_NONE; first = false) {
		struct net_present *x = present_at(pool, i);
		if (sim_likely(is_of(x, p))) {
			*number = i;
			return x;
		}
		i = n->path.joined && first ? s->inside : x->next;
	}
	return NULL;
}

/* Takes it out of `inside` of the sink, which is saved. */
static inline struct net_present *take_out(const struct net *n, struct sim_ctx *ctx, struct sw_pool *pool,
                                           struct net_sink *s, const struct sw_packet *p, uint32_t *number)
{
	struct net_present *x = find_inside(n, pool, s, p, number);
	if (sim_unlikely(!x))
		return x;
	if (x->prev == SW_POOL_NONE)
		s->inside = x->next;
	else
		sim_set(ctx, &present_at(pool, x->prev)->next, x->next);
	if (x->next == SW_POOL_NONE)
		s->inside_last = x->prev;
	else
		sim_set(ctx, &present_at(pool, x->next)->prev, x->prev);
	return x;
}

/* The contributor that a packet of the quiet sink makes, or adds to. */
static uint32_t contribute(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                           const struct net_present *x)
{
	uint32_t i = find_or_make(n, ctx, lp, terminal, x->src, x->class);
	struct net_contributor *c = contributor_at(n, lp, i);
	sim_save(ctx, c, sizeof *c);
	c->cc.backlog += x->bytes;
	c->cc.seen = c->cc.seen > x->came ? c->cc.seen : x->came;
	return i;
}

/* The sink is quiet no longer: contributors are made of its packets. */
static __attribute__((noinline)) void rouse(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                                            struct net_sink *s)
{
	struct sw_pool *pool = &net_nics_of(n, lp)->present;
	for (uint32_t i = s->leaves; i != SW_POOL_NONE; i = present_at(pool, i)->next)
		sim_set(ctx, &present_at(pool, i)->contributor, contribute(n, ctx, lp, terminal, present_at(pool, i)));
	sim_save(ctx, s, sizeof *s);
	for (uint32_t i = s->inside; i != SW_POOL_NONE; i = s->inside) {
		contribute(n, ctx, lp, terminal, present_at(pool, i));
		s->inside = present_at(pool, i)->next;
		sw_pool_give(ctx, pool, i, sizeof(struct net_present));
	}
	s->inside_last = SW_POOL_NONE;
}

/* The endpoint has what contributor i had sent; *s is saved. false: that cannot be. */
static bool left(struct sink_call *call, struct net_sink *s, uint32_t i, uint32_t bytes)
{
	struct net *n = call->n;
	struct net_contributor *c = contributor_at(n, call->lp, i);
	if (sim_unlikely(c->cc.backlog < bytes))
		return false;
	sim_save(call->ctx, c, sizeof *c);
	s->cc.backlog -= bytes;
	s->cc.got += bytes;
	c->cc.backlog -= bytes;
	call->class = c->class;
	if (!n->nic.cc.ops->receiver.leaves(&call->cc, &c->cc, bytes) && !c->cc.backlog)
		drop_contributor(n, call->ctx, call->lp, i);
	return true;
}

static __attribute__((noinline)) void settle_due(struct net *n, struct sim_ctx *ctx, struct net_lp *lp,
                                                 struct net_sink *s, uint32_t terminal, uint64_t time, uint64_t key)
{
	struct sw_pool *pool = &net_nics_of(n, lp)->present;
	sim_save(ctx, s, sizeof *s);
	while (s->leaves_at <= time) {
		uint32_t i = s->leaves;
		const struct net_present *l = present_at(pool, i);
		uint32_t contributor = l->contributor, bytes = l->bytes;
		uint64_t at = l->at;
		if (sim_unlikely(at == time) && sim_key(NET_PHASE_CREDIT, lp->id, l->count) > key)
			break;
		s->leaves = l->next;
		sw_pool_give(ctx, pool, i, sizeof *l);
		if (s->leaves == SW_POOL_NONE) {
			s->leaves_last = SW_POOL_NONE;
			s->leaves_at = SIM_NEVER;
		} else {
			s->leaves_at = present_at(pool, s->leaves)->at;
		}
		if (sim_likely(contributor == SW_POOL_NONE)) {
			s->cc.backlog -= bytes;
			s->cc.got += bytes;
			continue;
		}
		struct sink_call call =
		    call_for(n, ctx, lp, terminal, contributor_at(n, lp, contributor)->class, at, key);
		call.leaving = true;
		if (sim_unlikely(!left(&call, s, contributor, bytes)))
			sim_violation(ctx, "endpoint %u received %u bytes that its switch did not have",
			              lp->first_endpoint + terminal, bytes);
	}
}

/* Notes what has left a sink before the event of (time, key). */
static inline void settle(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_sink *s, uint32_t terminal,
                          uint64_t time, uint64_t key)
{
	if (s->leaves_at <= time)
		settle_due(n, ctx, lp, s, terminal, time, key);
}

/* The key of a call's instant: a switch that works off earlier instants now is behind all events of these. */
static inline uint64_t key_now(const struct sw_call *call)
{
	return call->now == call->ctx->now ? call->ctx->now_key : UINT64_MAX;
}

static __attribute__((noinline)) void tell_of(struct net *n, struct sw_call *call, struct net_lp *lp,
                                              const struct sw_packet *p, uint32_t class, uint32_t bytes)
{
	struct sim_ctx *ctx = call->ctx;
	uint32_t terminal = p->dst - lp->first_endpoint;
	struct net_sink *s = net_sink_at(n, lp, terminal, class);
	if (is_quiet(s))
		rouse(n, ctx, lp, terminal, s);
	uint32_t i = find_or_make(n, ctx, lp, terminal, p->src, class);
	n->nic.came = (struct net_came){ .src = p->src, .dst = p->dst, .seq = p->seq, .contributor = i, .job = p->job };
	struct net_contributor *c = contributor_at(n, lp, i);
	sim_save(ctx, s, sizeof *s);
	sim_save(ctx, c, sizeof *c);
	s->cc.backlog += bytes;
	c->cc.backlog += bytes;
	c->cc.seen = call->now;
	struct sink_call x = call_for(n, ctx, lp, terminal, class, call->now, key_now(call));
	n->nic.cc.ops->receiver.arrives(&x.cc, &c->cc, bytes);
}

void net_sink_arrives(struct net *n, struct sw_call *call, struct net_lp *lp, const struct sw_packet *p)
{
	struct sim_ctx *ctx = call->ctx;
	uint32_t terminal = p->dst - lp->first_endpoint, class = net_nic_class(n, p->job);
	uint32_t bytes = n->common.framed ? net_wire_bytes(n, p->job, sw_packet_payload(p)) : p->bytes;
	struct net_sink *s = net_sink_at(n, lp, terminal, class);
	settle(n, ctx, lp, s, terminal, call->now, key_now(call));
	if (!is_quiet(s) || s->cc.backlog + bytes > n->nic.quiet) {
		tell_of(n, call, lp, p, class, bytes);
		return;
	}
	struct sw_pool *pool = &net_nics_of(n, lp)->present;
	uint32_t i;
	struct net_present *x = take_present(n, ctx, pool, &i);
	sim_save(ctx, s, sizeof *s);
	*x = (struct net_present){ .next = SW_POOL_NONE,
		                   .prev = s->inside_last,
		                   .contributor = SW_POOL_NONE,
		                   .src = p->src,
		                   .seq = p->seq,
		                   .bytes = bytes,
		                   .came = call->now,
		                   .job = p->job,
		                   .class = (uint8_t) class };
	append_packet(ctx, pool, &s->inside, &s->inside_last, i);
	s->cc.backlog += bytes;
}

/* As long as the packet is there its contributor's record stays. */
static uint32_t contributor_of(const struct net *n, const struct net_lp *lp, const struct sw_packet *p)
{
	const struct net_came *x = &n->nic.came;
	if (sim_likely(x->seq == p->seq && x->src == p->src && x->dst == p->dst && x->job == p->job))
		return x->contributor;
	return find_contributor(n, lp, p->dst - lp->first_endpoint, p->src, net_nic_class(n, p->job));
}

static __attribute__((noinline)) void never_came(struct sim_ctx *ctx, const struct sw_packet *p)
{
	sim_violation(ctx, "a packet of endpoint %u leaves for %u before it has arrived", p->src, p->dst);
}

void net_sink_ejected(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p, uint64_t at,
                      uint32_t count)
{
	struct net_sink *s = net_sink_at(n, lp, p->dst - lp->first_endpoint, net_nic_class(n, p->job));
	struct sw_pool *pool = &net_nics_of(n, lp)->present;
	struct net_present *x;
	uint32_t i, contributor;
	sim_save(ctx, s, sizeof *s);
	if (sim_likely(is_quiet(s))) {
		x = take_out(n, ctx, pool, s, p, &i);
		if (sim_unlikely(!x)) {
			never_came(ctx, p);
			return;
		}
		sim_save(ctx, x, sizeof *x);
	} else {
		contributor = contributor_of(n, lp, p);
		if (sim_unlikely(contributor == SW_POOL_NONE)) {
			never_came(ctx, p);
			return;
		}
		x = take_present(n, ctx, pool, &i);
		x->contributor = contributor;
		x->bytes = net_wire_bytes(n, p->job, p->bytes);
	}
	x->next = SW_POOL_NONE;
	x->count = count;
	x->at = at;
	base_check(ctx->journal || s->leaves == SW_POOL_NONE || present_at(pool, s->leaves_last)->at <= at);
	if (s->leaves == SW_POOL_NONE)
		s->leaves_at = at;
	append_packet(ctx, pool, &s->leaves, &s->leaves_last, i);
}

void net_sink_leaves(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p)
{
	uint32_t terminal = p->dst - lp->first_endpoint, bytes = net_wire_bytes(n, p->job, p->bytes);
	uint32_t class = net_nic_class(n, p->job);
	struct net_sink *s = net_sink_at(n, lp, terminal, class);
	struct sw_pool *pool = &net_nics_of(n, lp)->present;
	bool known;
	sim_save(ctx, s, sizeof *s);
	if (is_quiet(s)) {
		uint32_t i;
		const struct net_present *x = take_out(n, ctx, pool, s, p, &i);
		known = x != NULL;
		if (sim_likely(known)) {
			s->cc.backlog -= x->bytes;
			s->cc.got += x->bytes;
			sw_pool_give(ctx, pool, i, sizeof *x);
		}
	} else {
		uint32_t i = find_contributor(n, lp, terminal, p->src, class);
		struct sink_call call = call_for(n, ctx, lp, terminal, class, ctx->now, ctx->now_key);
		call.leaving = true;
		known = i != SW_POOL_NONE && left(&call, s, i, bytes);
	}
	if (sim_unlikely(!known))
		sim_violation(ctx, "endpoint %u received %u bytes from %u that its switch did not have", p->dst, bytes,
		              p->src);
}

uint64_t net_sink_quiet_bytes(const struct net *n, const struct net_lp *lp, const struct net_sink *s)
{
	struct net_nics *nics = net_nics_of(n, lp);
	uint64_t bytes = 0;
	for (uint32_t i = s->leaves; is_quiet(s) && i != SW_POOL_NONE; i = present_at(&nics->present, i)->next)
		bytes += present_at(&nics->present, i)->bytes;
	for (uint32_t i = s->inside; i != SW_POOL_NONE; i = present_at(&nics->present, i)->next)
		bytes += present_at(&nics->present, i)->bytes;
	return bytes;
}

/* --- frames and ticks ----------------------------------------------------------------------------------------- */

void net_sink_requested(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	uint32_t terminal = ev->aux, src = (uint32_t)ev->payload[0], class = (uint32_t)ev->payload[4];
	struct cc_frame frame = { .word = { ev->payload[1], ev->payload[2], ev->payload[3] } };
	struct net_sink *s = net_sink_at(n, lp, terminal, class);
	settle(n, ctx, lp, s, terminal, ev->time, ev->key);
	if (is_quiet(s))
		rouse(n, ctx, lp, terminal, s);
	uint32_t i = find_or_make(n, ctx, lp, terminal, src, class);
	struct net_contributor *c = contributor_at(n, lp, i);
	sim_save(ctx, s, sizeof *s);
	sim_save(ctx, c, sizeof *c);
	struct sink_call x = call_for(n, ctx, lp, terminal, class, ctx->now, ev->key);
	if (!n->nic.cc.ops->requests.requested(&x.cc, &c->cc, &frame) && !c->cc.backlog)
		drop_contributor(n, ctx, lp, i);
}

void net_sink_tick(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	uint32_t class = (uint32_t)ev->payload[0];
	struct net_sink *s = net_sink_at(n, lp, ev->aux, class);
	if (s->tick != ev->time)
		return;
	settle(n, ctx, lp, s, ev->aux, ev->time, ev->key);
	sim_save(ctx, s, sizeof *s);
	s->tick = SIM_NEVER;
	struct sink_call x = call_for(n, ctx, lp, ev->aux, class, ctx->now, ev->key);
	n->nic.cc.ops->receiver.tick(&x.cc);
}

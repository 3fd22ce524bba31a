/* network/fast/inject.c - endpoints: their sources, their link to the switch, and the input buffer of the switch at
 * this link.
 *
 * Sources are open-loop: the creation time of a packet follows from the arrival process even if it is injected much
 * later, and nothing is stored for waiting packets.
 *
 * There is one event per packet: when packet n reaches the switch, the injection of packet n+1 is decided. This
 * injection may have begun before that instant, if serialization is shorter than the latency of the link, so the
 * decision must use the free buffer space at the earlier time, without bytes that were returned since. As long as the
 * buffer has space for everything that the link can carry in one latency, the difference does not matter, and returned
 * bytes are subtracted at once. Otherwise they are listed with their times, and subtracted only up to the time of the
 * decision.
 *
 * While the buffer is at most half full, returned bytes need no event either: they are added to one of two sums,
 * together with the time by which all of them are back. Bytes are added only if they return before the link could fill
 * the other half of the buffer. So when space becomes scarce all of them have returned, and decisions are exact. */
#include "network/nic/nic.h"

#define INJECT_INLINE static inline __attribute__((always_inline))

static bool in_class(const struct net *n, struct net_endpoint *e, uint32_t i, uint32_t class)
{
	return n->common.class_of_job[net_source_jobs(n, e)[i]] == class;
}

INJECT_INLINE struct net_source *earliest(const struct net *n, struct net_endpoint *e, uint32_t *which)
{
	struct net_source *s = net_sources(e);
	uint32_t best = 0;
	for (uint32_t i = 1; i < n->endpoints.sources && i < e->jobs; i++)
		if (s[i].created < s[best].created)
			best = i;
	*which = best;
	return &s[best];
}

static __attribute__((noinline)) void count_by_record(struct net *n, struct sim_ctx *ctx, const struct sw_packet *p,
                                                      uint64_t at, enum net_late_kind what)
{
	const struct net_late late = {
		.at = at, .lp = n->call.lp, .what = (uint8_t)what, .job = p->job, .value = p->bytes
	};
	net_put_off(n, ctx, &late);
}

/* Returns the counters of a job in the window that contains `at`, or in the current window if `at` is earlier, because
 * a decision made now may be rolled back. NULL: the event is counted by a record instead. */
INJECT_INLINE struct net_window_sent *sent_at(struct net *n, const struct sim_ctx *ctx, uint32_t job, uint64_t at)
{
	struct net_ring *r = &n->ring;
	uint64_t w = net_ring_window(r, at > ctx->now ? at : ctx->now);
	if (sim_unlikely(w - r->base >= NET_RING_SENT || at >= n->times.horizon || n->path.by_record))
		return NULL;
	uint32_t slot = (uint32_t)w & (NET_RING_SENT - 1);
	r->used_sent[slot] = 1;
	return &r->sent[(size_t)slot * n->jobs + job];
}

INJECT_INLINE void count_created(struct net *n, struct sim_ctx *ctx, const struct sw_packet *p)
{
	struct net_window_sent *s = sent_at(n, ctx, p->job, p->created);
	if (sim_unlikely(!s)) {
		count_by_record(n, ctx, p, p->created, NET_LATE_CREATED);
		return;
	}
	sim_add(ctx, &s->created, 1);
	if (p->created >= n->times.measure_from && p->created < n->times.measure_to) {
		sim_add(ctx, &s->created_bytes_measured, p->bytes);
		sim_add(ctx, &s->measured, 1);
	}
}

void net_count_posted(struct net *n, struct sim_ctx *ctx, uint32_t job, uint64_t at, uint64_t packets, uint64_t bytes)
{
	struct net_job_stats *j = &n->shared.job[job];
	sim_add(ctx, &j->created, packets);
	if (at >= n->times.measure_from && at < n->times.measure_to) {
		sim_add(ctx, &j->created_bytes_measured, bytes);
		sim_add(ctx, &j->measured, packets);
	}
	if (n->records.bins) {
		struct net_bin *b = net_bin_at(n, job, at);
		sim_add(ctx, &b->created, packets);
		sim_add(ctx, &b->created_bytes, bytes);
	}
	if (n->batches.on && net_in_batches(&n->batches, at)) {
		struct net_batch *b = net_batch_at(&n->batches, job, at);
		sim_add(ctx, &b->created, packets);
		sim_add(ctx, &b->created_bytes, bytes);
	}
}

INJECT_INLINE void count_injected(struct net *n, struct sim_ctx *ctx, const struct sw_packet *p)
{
	struct net_window_sent *s = sent_at(n, ctx, p->job, p->injected);
	if (sim_likely(s != NULL))
		sim_add(ctx, &s->injected, 1);
	else
		count_by_record(n, ctx, p, p->injected, NET_LATE_INJECTED);
}

static void count_created_now(struct net *n, const struct net_late *late)
{
	struct net_job_stats *j = &n->shared.job[late->job];
	j->created++;
	if (late->at >= n->times.measure_from && late->at < n->times.measure_to) {
		j->created_bytes_measured += late->value;
		j->measured++;
	}
	if (n->records.bins) {
		struct net_bin *b = net_bin_at(n, late->job, late->at);
		b->created++;
		b->created_bytes += late->value;
	}
	if (n->batches.on && net_in_batches(&n->batches, late->at)) {
		struct net_batch *b = net_batch_at(&n->batches, late->job, late->at);
		b->created++;
		b->created_bytes += late->value;
	}
}

void net_count_sent(struct net *n, const struct net_late *late)
{
	base_check(!n->call.ctx->journal && late->at < n->times.horizon);
	if (late->what == NET_LATE_CREATED) {
		count_created_now(n, late);
		return;
	}
	n->shared.job[late->job].injected++;
	++*n->shared.packet_hops;
	if (n->records.bins)
		net_bin_at(n, late->job, late->at)->injected++;
	if (n->batches.on && net_in_batches(&n->batches, late->at))
		net_batch_at(&n->batches, late->job, late->at)->injected_bytes += late->value;
	if (n->records.activity)
		net_activity_add(n, late->lp, NET_ROW_SENDS, late->at);
}

static struct net_return *return_at(struct net *n, const struct net_lp *lp, uint32_t i)
{
	return sw_pool_at(&n->endpoints.returns[net_index(n, lp)], i, sizeof(struct net_return));
}

/* Takes the oldest listed return off the list. */
static uint64_t take_return(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_endpoint *e)
{
	struct net_return *last = return_at(n, lp, e->last);
	uint32_t i = last->next;
	struct net_return r = *return_at(n, lp, i);
	base_checkf(ctx->journal || r.bytes <= e->outstanding, "switch %u: %u bytes of %u come back", lp->id, r.bytes,
	            e->outstanding);
	sim_save(ctx, e, sizeof *e);
	if (i == e->last)
		e->last = SW_POOL_NONE;
	else
		sim_set(ctx, &last->next, r.next);
	sw_pool_give(ctx, &n->endpoints.returns[net_index(n, lp)], i, sizeof r);
	e->outstanding -= r.bytes;
	return r.time;
}

/* Returns the earliest time from `start` on at which the buffer has space for `bytes`; SIM_NEVER: it has not until more
 * bytes are returned. */
static uint64_t room_at(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_endpoint *e, uint64_t start,
                        uint32_t bytes)
{
	while (e->last != SW_POOL_NONE && return_at(n, lp, return_at(n, lp, e->last)->next)->time <= start)
		take_return(n, ctx, lp, e);
	while ((uint64_t)e->outstanding + bytes > n->endpoints.share) {
		if (e->last == SW_POOL_NONE)
			return SIM_NEVER;
		start = take_return(n, ctx, lp, e);
	}
	return start;
}

/* Subtracts the sums that are back by `start`. */
static void settle(struct sim_ctx *ctx, struct net_endpoint *e, uint64_t start)
{
	if (!e->lazy[0] || e->lazy_until > start)
		return;
	base_checkf(ctx->journal || (uint64_t)e->lazy[0] + e->lazy[1] <= e->outstanding,
	            "%u and %u bytes of %u come back", e->lazy[0], e->lazy[1], e->outstanding);
	sim_save(ctx, e, sizeof *e);
	e->outstanding -= e->lazy[0];
	e->lazy[0] = e->lazy[1];
	e->lazy[1] = 0;
	e->lazy_until += e->return_gap;
	if (e->lazy[0] && e->lazy_until <= start) {
		e->outstanding -= e->lazy[0];
		e->lazy[0] = 0;
	}
}

/* Adds to one of the two sums; false: the endpoint needs an event. */
static inline bool return_lazily(struct net *n, struct sim_ctx *ctx, struct net_endpoint *e, uint32_t bytes,
                                 uint64_t at)
{
	if (sim_unlikely(e->outstanding > n->endpoints.relaxed || at - ctx->now > n->endpoints.relaxed_ps))
		return false;
	if (!e->lazy[0]) {
		sim_save(ctx, e, sizeof *e);
		e->lazy_until = at;
		e->return_gap = 0;
		e->lazy[0] = bytes;
		return true;
	}
	/* the older sum is closed once it has begun, so that it falls due */
	uint64_t later = at > e->lazy_until ? at - e->lazy_until : 0;
	if (sim_unlikely(later > UINT32_MAX))
		return false;
	sim_save(ctx, e, sizeof *e);
	if (!e->lazy[1] || later > e->return_gap)
		e->return_gap = (uint32_t)later;
	e->lazy[1] += bytes;
	return true;
}

/* (A separate function, so that a return that needs no event saves no registers.) */
static __attribute__((noinline)) void return_by_event(struct net *n, struct sim_ctx *ctx, struct net_lp *lp,
                                                      uint32_t terminal, uint64_t word, uint64_t at)
{
	enum net_phase phase = n->path.takes_back ? NET_PHASE_NIC : NET_PHASE_CREDIT;
	struct sim_event *ev = sim_send(ctx, n->call.lp, at, net_next_key(ctx, lp, phase), SIM_SHORT_WORDS);
	ev->kind = NET_GIVE_BACK;
	ev->aux = (uint16_t)terminal;
	ev->payload[0] = word;
}

void net_return_room(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t lane,
                     uint32_t bytes, uint64_t when)
{
	uint64_t at = when + n->common.link[SW_LINK_TERMINAL].latency, class = 0;
	if (sim_likely(n->nic.classes == 1)) {
		if (sim_likely(return_lazily(n, ctx, net_endpoint_at(n, lp, terminal), bytes, at)))
			return;
	} else {
		class = lane / n->common.lanes.vcs;
	}
	return_by_event(n, ctx, lp, terminal, bytes | class << 32, at);
}

/* A packet begins to leave its endpoint at `start`; *e has been saved. */
INJECT_INLINE void inject(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                          struct net_endpoint *e, struct sw_packet *p, uint64_t start, bool marked, uint64_t marks,
                          bool first, uint32_t via)
{
	const struct sw_link *link = &n->common.link[SW_LINK_TERMINAL];
	p->injected = start;
	p->via = via;
	p->hops = p->vc = p->route = 0;
	if (first)
		count_injected(n, ctx, p);
	if (marked) /* on the exact path; a constant */
		p->injected = (start & SW_INJECTED_MASK) | marks;
	uint64_t gap = 0;
	if (sim_unlikely(n->common.framed)) {
		const struct sw_link *frames = sw_link_for_job(&n->common, SW_LINK_TERMINAL, p->job);
		sw_packet_frame(p, p->bytes, sw_frame_bytes(frames, p->bytes));
		gap = frames->gap;
	}
	uint64_t finish = start + sw_serialisation(link, p->bytes);
	e->tx_free = finish + gap;
	e->outstanding += p->bytes;
	e->blocked = 0;
	base_checkf(e->outstanding <= n->endpoints.share && sw_created(&n->common, p, start) <= start,
	            "endpoint %u: %u bytes of %u are out; a packet of %llu ps leaves at %llu", p->src, e->outstanding,
	            n->endpoints.share, (unsigned long long)p->created, (unsigned long long)start);
	base_checkf((p->bytes >= n->common.min_packet || n->nic.recovers) && p->bytes <= n->common.max_packet,
	            "endpoint %u: a packet of %u bytes, where %u to %u are known", p->src, p->bytes,
	            n->common.min_packet, n->common.max_packet);
	uint64_t at = (n->store_and_forward ? finish : start) + link->latency;
	/* The key needs no count: a terminal sends one packet at an instant, and packets of several terminals are
	 * ordered by terminal, independent of the order in which they were decided. */
	struct sim_event *ev = sim_send(ctx, n->call.lp, at, net_counted_key(n, lp, 0, terminal, 0), SIM_LONG_WORDS);
	ev->kind = NET_INJECT;
	ev->aux = (uint16_t)terminal;
	*(struct sw_packet *)(void *)ev->payload = *p;
}

void net_inject_next(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal)
{
	struct net_endpoint *e = net_endpoint_at(n, lp, terminal);
	uint32_t which;
	struct net_source *s = earliest(n, e, &which);
	if (s->created == NET_NEVER)
		return;
	uint8_t job = net_source_jobs(n, e)[which];
	uint64_t start = s->created > e->tx_free ? s->created : e->tx_free;
	settle(ctx, e, start);
	if (sim_unlikely(e->last != SW_POOL_NONE || e->outstanding > n->endpoints.nearly_full)) {
		if (n->run) { /* what the switch has put off may give room back */
			n->run(&n->call);
			settle(ctx, e, start);
		}
		/* room for the largest packet the source may make now */
		uint32_t most = s->left < n->traffic.job[job].max_packet ? s->left : n->traffic.job[job].max_packet;
		start = room_at(n, ctx, lp, e, start, net_frame_bytes(n, job, most));
		if (start == SIM_NEVER) {
			sim_set(ctx, &e->blocked, 1);
			return;
		}
	}
	struct sw_packet p;
	sim_save(ctx, s, sizeof *s);
	sim_save(ctx, e, sizeof *e);
	n->traffic.ops->take(&n->traffic, job, lp->first_endpoint + terminal, s, &p);
	count_created(n, ctx, &p);
	inject(n, ctx, lp, terminal, e, &p, start, false, 0, true, SW_NO_VIA);
}

void net_settle_returns(struct sim_ctx *ctx, struct net_endpoint *e)
{
	settle(ctx, e, ctx->now);
}

struct net_source *net_earliest_source(const struct net *n, struct net_endpoint *e, uint32_t class, uint64_t not,
                                       uint32_t *which)
{
	struct net_source *s = net_sources(e);
	uint32_t best = UINT32_MAX;
	if (class == NET_ANY_CLASS && !not )
		return earliest(n, e, which);
	for (uint32_t i = 0; i < n->endpoints.sources && i < e->jobs; i++)
		if (!(not &net_source_bit(i)) && (class == NET_ANY_CLASS || in_class(n, e, i, class)) &&
		    (best == UINT32_MAX || s[i].created < s[best].created))
			best = i;
	*which = best;
	return best != UINT32_MAX ? &s[best] : NULL;
}

void net_take_packet(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t which,
                     struct sw_packet *p)
{
	struct net_endpoint *e = net_endpoint_at(n, lp, terminal);
	struct net_source *s = &net_sources(e)[which];
	sim_save(ctx, s, sizeof *s);
	n->traffic.ops->take(&n->traffic, net_source_jobs(n, e)[which], lp->first_endpoint + terminal, s, p);
	count_created(n, ctx, p);
}

void net_inject_packet(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, struct sw_packet *p,
                       uint64_t marks, bool first, uint32_t via)
{
	struct net_endpoint *e = net_endpoint_at(n, lp, terminal);
	sim_save(ctx, e, sizeof *e);
	uint32_t outstanding = e->outstanding;
	inject(n, ctx, lp, terminal, e, p, ctx->now, true, marks, first, via);
	if (n->common.creditless)
		e->outstanding = outstanding; /* 0: nothing comes back */
}

uint64_t net_inject_now(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, bool *full)
{
	struct net_endpoint *e = net_endpoint_at(n, lp, terminal);
	uint32_t which;
	struct net_source *s = earliest(n, e, &which);
	base_check(e->tx_free <= ctx->now);
	if (sim_unlikely(s->created > ctx->now))
		return s->created;
	uint8_t job = net_source_jobs(n, e)[which];
	uint32_t most = s->left < n->traffic.job[job].max_packet ? s->left : n->traffic.job[job].max_packet;
	settle(ctx, e, ctx->now);
	if (sim_unlikely((uint64_t)e->outstanding + net_frame_bytes(n, job, most) > n->endpoints.share)) {
		*full = true;
		return SIM_NEVER;
	}
	struct sw_packet p;
	sim_save(ctx, s, sizeof *s);
	sim_save(ctx, e, sizeof *e);
	n->traffic.ops->take(&n->traffic, job, lp->first_endpoint + terminal, s, &p);
	count_created(n, ctx, &p);
	inject(n, ctx, lp, terminal, e, &p, ctx->now, true, 0, true, SW_NO_VIA);
	uint64_t next = earliest(n, e, &which)->created;
	return next > e->tx_free ? next : e->tx_free;
}

void net_give_back(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t bytes)
{
	struct net_endpoint *e = net_endpoint_at(n, lp, terminal);
	if (sim_unlikely(bytes > e->outstanding)) {
		sim_violation(ctx, "switch %u, terminal %u: %u bytes came back, %u were out", lp->id, terminal, bytes,
		              e->outstanding);
		return;
	}
	if (sim_likely(e->last == SW_POOL_NONE && e->outstanding <= n->endpoints.nearly_full)) {
		sim_set(ctx, &e->outstanding, e->outstanding - bytes);
		return;
	}
	uint32_t i = sw_pool_take(ctx, &n->endpoints.returns[net_index(n, lp)], sizeof(struct net_return));
	struct net_return *r = return_at(n, lp, i);
	*r = (struct net_return){ i, bytes, ctx->now };
	if (e->last != SW_POOL_NONE) {
		struct net_return *last = return_at(n, lp, e->last);
		r->next = last->next;
		sim_set(ctx, &last->next, i);
	}
	sim_set(ctx, &e->last, i);
	base_check(ctx->journal || net_listed_returns(n, lp, e) <= e->outstanding);
	if (e->blocked)
		net_inject_next(n, ctx, lp, terminal);
}

uint64_t net_listed_returns(const struct net *n, const struct net_lp *lp, const struct net_endpoint *e)
{
	uint64_t bytes = e->lazy[0] + e->lazy[1];
	for (uint32_t i = e->last; i != SW_POOL_NONE;) {
		const struct net_return *r = sw_pool_at(&n->endpoints.returns[net_index(n, lp)], i, sizeof *r);
		bytes += r->bytes;
		i = r->next == e->last ? SW_POOL_NONE : r->next;
	}
	return bytes;
}

void net_endpoint_start(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal)
{
	struct net_endpoint *e = net_endpoint_at(n, lp, terminal);
	uint8_t jobs[256];
	uint32_t endpoint = lp->first_endpoint + terminal;
	uint32_t k = n->traffic.jobs_at(&n->traffic, endpoint, jobs);
	e->jobs = (uint8_t)k;
	e->last = SW_POOL_NONE;
	for (uint32_t i = 0; i < n->endpoints.sources; i++) {
		struct net_source *s = &net_sources(e)[i];
		s->created = NET_NEVER;
		if (i < k) {
			net_source_jobs(n, e)[i] = jobs[i];
			n->traffic.ops->start(&n->traffic, jobs[i], endpoint, s);
		}
	}
	if (n->path.exact)
		net_nic_start(n, ctx, lp, terminal);
	else
		net_inject_next(n, ctx, lp, terminal);
}

/* free: when the endpoint's link became free. */
static void backlog(struct net *n, uint32_t job, uint32_t endpoint, struct net_source s, uint64_t free, uint64_t until)
{
	struct net_job_stats *j = &n->shared.job[job];
	for (;; free = until) {
		struct sw_packet p;
		if (n->path.bursts)
			n->traffic.ops->ready(&n->traffic, job, endpoint, &s, free, until, &j->discarded);
		if (s.created >= until)
			return;
		n->traffic.ops->take(&n->traffic, job, endpoint, &s, &p);
		j->created++;
		j->queued++;
		if (p.created >= n->times.measure_from && p.created < n->times.measure_to) {
			j->created_bytes_measured += p.bytes;
			j->measured++;
		}
		if (n->records.bins) {
			struct net_bin *b = net_bin_at(n, job, p.created);
			b->created++;
			b->created_bytes += p.bytes;
		}
	}
}

void net_count_backlog(struct net *n)
{
	uint64_t until = n->result.reached_ps; /* the end, unless the run was interrupted */
	for (uint32_t i = 0; i < n->count; i++) {
		struct net_lp *lp = net_lp_at(n, n->first + i);
		for (uint32_t t = 0; t < lp->endpoints; t++) {
			struct net_endpoint *e = net_endpoint_at(n, lp, t);
			for (uint32_t k = 0; k < e->jobs; k++)
				backlog(n, net_source_jobs(n, e)[k], lp->first_endpoint + t, net_sources(e)[k],
				        e->tx_free, until);
		}
	}
}

static uint64_t weight_of(const struct net *n, uint32_t job, uint32_t endpoint)
{
	return n->traffic.ops->weight ? n->traffic.ops->weight(&n->traffic, job, endpoint) : UINT64_C(1) << 32;
}

void net_each_waiting(struct net *n, uint64_t until,
                      void (*visit)(void *arg, uint32_t job, uint64_t created, uint64_t weight), void *arg)
{
	for (uint32_t i = 0; i < n->count; i++) {
		struct net_lp *lp = net_lp_at(n, n->first + i);
		for (uint32_t t = 0; t < lp->endpoints; t++) {
			struct net_endpoint *e = net_endpoint_at(n, lp, t);
			for (uint32_t k = 0; k < e->jobs; k++)
				if (net_sources(e)[k].created < until)
					visit(arg, net_source_jobs(n, e)[k], net_sources(e)[k].created,
					      weight_of(n, net_source_jobs(n, e)[k], lp->first_endpoint + t));
		}
	}
}

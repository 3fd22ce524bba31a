/* switch/tiled_grant.c - virtual output queues, requests, grants.
 *
 * A request leaves for the output's tile when the header is parsed; a queue has at most `requests` of them out. The
 * output grants when it has room in its output buffer for a largest packet, less than `grant_limit` bytes of grants in
 * flight, and credits of the packet's VC downstream; a grant reserves all three. One grant an instant, one a clock
 * period at most. A grant is for a queue, that is, for its head: order is kept. */
#include "switch/tiled.h"

#define SELDOM __attribute__((noinline)) /* kept out of what a packet that meets nobody needs */

static struct tiled_voq *voq_of(const struct tiled_derived *d, struct tiled_state *s, const struct tiled_packet *p)
{
	return tiled_voq_at(d, s, tiled_out(p), tiled_lane(p), tiled_in(p));
}

static void append_request(struct sw_call *call, struct tiled_state *s, struct tiled_list *l, uint32_t packet)
{
	sim_save(call->ctx, l, sizeof *l);
	if (l->head == TILED_NONE) {
		l->head = packet;
	} else {
		struct tiled_packet *t = tiled_packet_at(s, l->tail);
		sim_set(call->ctx, &t->next_request, packet);
	}
	l->tail = packet;
}

void tiled_want_grant(struct sw_call *call, struct tiled_state *s, struct tiled_port *o, uint32_t out, uint64_t t,
                      uint64_t about)
{
	const struct tiled_derived *d = s->derived;
	if (tiled_at_limit(d, o)) { /* a packet that has crossed will want it */
		tiled_count(call->ctx, s, out, limit, 1);
		return;
	}
	if (o->not_before > tiled_max(t, call->now + d->period))
		tiled_count(call->ctx, s, out, no_room, 1);
	tiled_want(call, &o->grant_at, tiled_max(t, o->not_before), TILED_EVENT_GRANT, TILED_PHASE_GRANT, out, about);
}

/* p is the head of a queue that asks. */
static void set_age(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                    const struct tiled_packet *p)
{
	if (d->grant_kind != SW_ARBITER_AGE)
		return;
	uint64_t *age = tiled_age_at(d, s, ((size_t)tiled_out(p) * d->lanes + tiled_lane(p)) * d->ports + tiled_in(p));
	sim_set(call->ctx, age, tiled_key(d, SW_ARBITER_AGE, p));
}

/* (What is in the packet is given beside it: it was written just now.) */
void tiled_ask(struct sw_call *call, struct tiled_state *s, uint32_t packet, uint32_t in, uint32_t out, uint32_t lane)
{
	const struct tiled_derived *d = s->derived;
	struct tiled_packet *p = tiled_packet_at(s, packet);
	struct tiled_voq *q = tiled_voq_at(d, s, out, lane, in);
	uint64_t ready = tiled_ready(p) + d->ask;
	tiled_append(call->ctx, s, &q->list, packet);
	sim_save(call->ctx, q, sizeof *q);
	if (q->requests >= d->requests) {
		if (q->unasked == TILED_NONE)
			q->unasked = packet;
		return;
	}
	q->requests++;
	p->ready_out = ready << 8 | out;
	if (sim_unlikely(d->fault == TILED_FORGET_QUEUE) && in == 1 && p->packet.seq == 50)
		return;
	struct tiled_port *o = tiled_port_at(d, s, out);
	append_request(call, s, &o->fresh, packet);
	tiled_want_grant(call, s, o, out, ready, tiled_about(packet, in, lane));
}

/* Requests that are there by now and are not granted at once: they wait, and are what the output's depth counts. */
SELDOM static void absorb(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                          struct tiled_port *o, struct tiled_list *l)
{
	struct sim_ctx *ctx = call->ctx;
	while (l->head != TILED_NONE) {
		const struct tiled_packet *p = tiled_packet_at(s, l->head);
		if (tiled_ready(p) > call->now)
			return;
		struct tiled_voq *q = voq_of(d, s, p);
		base_checkf(q->arrived < q->requests, "switch %u: %u requests have arrived, %u were sent", s->id,
		            q->arrived, q->requests);
		sim_set(ctx, &q->arrived, (uint16_t)(q->arrived + 1));
		if (q->arrived == 1) {
			uint64_t *set = tiled_asked_at(d, s, tiled_out(p), (size_t)tiled_lane(p) * d->words);
			uint32_t in = tiled_in(p);
			sim_save(ctx, set + (in >> 6), 8);
			sw_set_add(set, in);
			set_age(call, d, s, tiled_packet_at(s, q->list.head));
		}
		sim_set(ctx, &o->asked_packets, o->asked_packets + 1);
		sim_set(ctx, &l->head, p->next_request);
		if (call->common->track_queues)
			tiled_depth_add(call, s, tiled_out(p), p->packet.bytes, false);
	}
}

static struct tiled_packet *head_of(const struct tiled_derived *d, struct tiled_state *s, uint32_t out, uint32_t lane,
                                    uint32_t in)
{
	return tiled_packet_at(s, tiled_voq_at(d, s, out, lane, in)->list.head);
}

/* Leaves `in` in the set if it is a member, and no other. */
static void keep_only(uint64_t *set, uint32_t words, uint32_t in)
{
	bool has = sw_set_has(set, in);
	for (uint32_t w = 0; w < words; w++)
		set[w] = 0;
	if (has)
		sw_set_add(set, in);
}

/* Inputs that may be granted a packet of this lane now: those that ask and whose head has credits; of a lane that may
 * be reserved all that ask, or whom it is reserved for if that has credits. */
static void eligible(const struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                     uint32_t lane, uint64_t *set)
{
	const uint64_t *asked = tiled_asked_at(d, s, out, (size_t)lane * d->words);
	for (uint32_t w = 0; w < d->words; w++)
		set[w] = asked[w];
	if (out >= s->net_ports || sim_unlikely(d->fault == TILED_GRANT_WITHOUT_CREDIT))
		return;
	if (sim_unlikely(tiled_port_at(d, s, out)->reserved >> lane & 1))
		keep_only(set, d->words, *tiled_holder_at(d, s, out, lane));
	else if (d->reserves || (*tiled_credit_at(d, s, out, lane) >= d->max_packet && !call->common->bubble))
		return;
	for (SW_EACH(i, set, d->words)) /* with little credit left it depends on the packet */
		if (!tiled_has_credit(d, s, head_of(d, s, out, lane, i)))
			sw_set_remove(set, i);
}

/* choose() for a single lane and an arbiter that does not count bytes: no union of sets, no turns. */
static uint32_t choose_of_one(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                              uint32_t *lane)
{
	uint64_t set[SW_SET_WORDS];
	eligible(call, d, s, out, 0, set);
	*lane = 0;
	void *arbiter = tiled_grant_arbiter(d, s, out);
	const uint64_t *age = d->grant_kind == SW_ARBITER_AGE ? tiled_age_at(d, s, (size_t)out * d->ports) : NULL;
	uint32_t in = sw_arbiter_pick(d->grant_kind, d->ports, arbiter, set, age);
	if (in == SW_NOBODY)
		return SW_NOBODY;
	struct tiled_packet *p = head_of(d, s, out, 0, in);
	if (tiled_reserve(call, d, s, p, in))
		return SW_NOBODY;
	tiled_end_reserve(call, tiled_port_at(d, s, out), 0);
	sw_arbiter_won(call->ctx, d->grant_kind, d->ports, arbiter, in, d->weight, tiled_charge(d, p));
	return in;
}

/* Which of the lanes an input is granted if it wins: they take turns. */
static uint32_t lane_of(const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                        uint64_t of[SW_MAX_VCS][SW_SET_WORDS], uint32_t in)
{
	uint32_t q = tiled_port_at(d, s, out)->lane_turn;
	while (!sw_set_has(of[q], in))
		q = q + 1 == d->lanes ? 0 : q + 1;
	return q;
}

/* key[i] of those in `any`: the age of the oldest head that may be granted, or the bytes of the head that would be. */
static void find_keys(const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                      uint64_t of[SW_MAX_VCS][SW_SET_WORDS], const uint64_t *any, uint64_t *key)
{
	if (d->grant_kind == SW_ARBITER_DRR)
		for (SW_EACH(i, any, d->words))
			key[i] = head_of(d, s, out, lane_of(d, s, out, of, i), i)->packet.bytes;
	if (d->grant_kind != SW_ARBITER_AGE)
		return;
	for (SW_EACH(i, any, d->words)) {
		key[i] = TILED_NEVER;
		for (uint32_t q = 0; q < d->lanes; q++)
			if (sw_set_has(of[q], i))
				key[i] =
				    tiled_min(key[i], *tiled_age_at(d, s, ((size_t)out * d->lanes + q) * d->ports + i));
	}
}

/* Of the inputs that may be granted a packet of some lane: who, and which lane's packet, the lanes taking turns. */
static uint32_t choose_of_lanes(const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                                uint64_t of[SW_MAX_VCS][SW_SET_WORDS], uint32_t *lane)
{
	uint64_t any[SW_SET_WORDS] = { 0 }, key[TILED_PORTS];
	for (uint32_t q = 0; q < d->lanes; q++)
		for (uint32_t w = 0; w < d->words; w++)
			any[w] |= of[q][w];
	find_keys(d, s, out, of, any, key);
	uint32_t in = sw_arbiter_pick(d->grant_kind, d->ports, tiled_grant_arbiter(d, s, out), any, key);
	if (in != SW_NOBODY)
		*lane = lane_of(d, s, out, of, in);
	return in;
}

/* The input that wins; *lane: of its packet. SW_NOBODY: nobody may. A winner without credits reserves its lane, and it
 * is decided again among the other lanes. */
SELDOM static uint32_t choose(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                              uint32_t *lane)
{
	if (d->lanes == 1 && d->grant_kind != SW_ARBITER_DRR)
		return choose_of_one(call, d, s, out, lane);
	uint64_t of[SW_MAX_VCS][SW_SET_WORDS];
	struct tiled_port *o = tiled_port_at(d, s, out);
	for (uint32_t q = 0; q < d->lanes; q++)
		eligible(call, d, s, out, q, of[q]);
	uint32_t in;
	struct tiled_packet *p = NULL;
	while ((in = choose_of_lanes(d, s, out, of, lane)) != SW_NOBODY &&
	       tiled_reserve(call, d, s, p = head_of(d, s, out, *lane, in), in))
		for (uint32_t w = 0; w < d->words; w++)
			of[*lane][w] = 0;
	if (in == SW_NOBODY)
		return in;
	tiled_end_reserve(call, o, *lane);
	sw_arbiter_won(call->ctx, d->grant_kind, d->ports, tiled_grant_arbiter(d, s, out), in, d->weight,
	               tiled_charge(d, p));
	sim_set(call->ctx, &o->lane_turn, (uint8_t)(*lane + 1 == d->lanes ? 0 : *lane + 1));
	return in;
}

/* The queue's next packet that has no request out (there is one) sends it when the grant has come. */
SELDOM static void ask_next(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                            struct tiled_port *o, struct tiled_voq *q)
{
	uint32_t next = q->unasked;
	struct tiled_packet *p = tiled_packet_at(s, next);
	sim_save(call->ctx, p, sizeof *p);
	tiled_set_ready(p, tiled_max(tiled_edge(d, s, tiled_arrived(p) + d->ingress), call->now + d->grant) + d->ask);
	p->next_request = TILED_NONE;
	q->unasked = p->next;
	q->requests++;
	append_request(call, s, &o->again, next);
}

/* The head of a queue is granted: it goes on, or has gone on to the front of (in, out). */
static void issue(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, struct tiled_port *o,
                  uint32_t out, struct tiled_voq *q)
{
	struct sim_ctx *ctx = call->ctx;
	uint32_t packet = q->list.head, in;
	struct tiled_packet *p = tiled_packet_at(s, packet);
	sim_save(ctx, p, tiled_packet_bytes(s));
	sim_save(ctx, q, sizeof *q);
	sim_save(ctx, o, sizeof *o);
	in = tiled_in(p);
	base_checkf(q->requests > 0 && tiled_out(p) == out && o->link_busy < TILED_TIMES,
	            "switch %u, output %u: a grant for output %u", s->id, out, tiled_out(p));
	q->list.head = p->next;
	q->requests--;
	if (sim_unlikely(q->unasked != TILED_NONE))
		ask_next(call, d, s, o, q);
	unsigned kind = o->link;
	const struct sw_link *link = &call->common->link[kind];
	o->flight += sw_serialisation(link, p->packet.bytes);
	o->flights++;
	uint64_t ahead = tiled_max(o->link_busy, call->now) + o->flight + d->link[kind].max_packet;
	o->not_before = tiled_max(call->now + d->period, ahead > d->link[kind].room ? ahead - d->link[kind].room : 0);
	if (sim_unlikely(tiled_traced(s))) {
		struct tiled_trace *t = tiled_trace_of(p);
		t->asked = tiled_ready(p);
		t->granted = call->now;
		t->tail += d->row_buffered ? 0 : d->row;
	}
	p->next = TILED_NONE;
	tiled_take_credit(call, d, s, p);
	if (d->row_buffered) {
		tiled_set_ready(p, call->now + d->grant);
		tiled_enqueue(call, s, packet);
		return;
	}
	tiled_set_ready(p, call->now + d->grant + d->row);
	size_t front = tiled_front_index(d, in, out, 0);
	struct tiled_front *f = tiled_front_at(d, s, front);
	if (!tiled_append(ctx, s, &f->list, packet))
		return;
	if (d->direct)
		tiled_direct_contend(call, s, o, out, in, tiled_port_at(d, s, in), f);
	else
		tiled_contend(call, s, front);
}

/* Grants the head of the queue of an input that asks. */
SELDOM static void grant_asked(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                               uint32_t in, uint32_t lane)
{
	struct tiled_port *o = tiled_port_at(d, s, out);
	struct tiled_voq *q = tiled_voq_at(d, s, out, lane, in);
	sim_set(call->ctx, &o->asked_packets, o->asked_packets - 1);
	sim_set(call->ctx, &q->arrived, (uint16_t)(q->arrived - 1));
	const struct tiled_packet *head = tiled_packet_at(s, q->list.head);
	uint32_t next = head->next;
	if (call->common->track_queues)
		tiled_depth_add(call, s, out, head->packet.bytes, true);
	if (!q->arrived) {
		uint64_t *set = tiled_asked_at(d, s, out, (size_t)lane * d->words);
		sim_save(call->ctx, set + (in >> 6), 8);
		sw_set_remove(set, in);
	} else {
		set_age(call, d, s, tiled_packet_at(s, next));
	}
	issue(call, d, s, o, out, q);
}

/* Grants the first request if nobody else asks and nothing is in its way: what choose() would do. */
static bool grant_alone(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                        struct tiled_port *o, uint32_t out)
{
	if (o->asked_packets || o->fresh.head == TILED_NONE || o->again.head != TILED_NONE ||
	    o->not_before > call->now || tiled_at_limit(d, o))
		return false;
	struct tiled_packet *p = tiled_packet_at(s, o->fresh.head);
	uint32_t next = p->next_request, lane = tiled_lane(p), in = tiled_in(p);
	if (tiled_ready(p) > call->now || (next != TILED_NONE && tiled_ready(tiled_packet_at(s, next)) <= call->now) ||
	    (out < s->net_ports && !tiled_has_credit(d, s, p)))
		return false;
	sim_set(call->ctx, &o->fresh.head, next);
	sw_arbiter_won(call->ctx, d->grant_kind, d->ports, tiled_grant_arbiter(d, s, out), in, d->weight,
	               tiled_charge(d, p));
	if (d->lanes > 1)
		sim_set(call->ctx, &o->lane_turn, (uint8_t)(lane + 1 == d->lanes ? 0 : lane + 1));
	issue(call, d, s, o, out, tiled_voq_at(d, s, out, lane, in));
	return true;
}

/* The first of the requests on their way, for the next decision; *at: when it is there. */
static uint64_t first_request(struct tiled_state *s, const struct tiled_port *o, uint64_t *at)
{
	uint64_t about = 0;
	if (o->fresh.head != TILED_NONE) {
		const struct tiled_packet *p = tiled_packet_at(s, o->fresh.head);
		*at = tiled_min(*at, tiled_ready(p));
		about = tiled_about(o->fresh.head, tiled_in(p), tiled_lane(p));
	}
	if (o->again.head != TILED_NONE)
		*at = tiled_min(*at, tiled_ready(tiled_packet_at(s, o->again.head)));
	return about;
}

TILED_FLAT void tiled_grant(struct sw_call *call, struct tiled_state *s, uint32_t out)
{
	const struct tiled_derived *d = s->derived;
	struct tiled_port *o = tiled_port_at(d, s, out);
	if (o->grant_at != call->now)
		return;
	sim_set(call->ctx, &o->grant_at, TILED_NEVER);
	uint64_t again = TILED_NEVER; /* when there may be something to grant, credits aside */
	if (!grant_alone(call, d, s, o, out)) {
		absorb(call, d, s, o, &o->fresh);
		absorb(call, d, s, o, &o->again);
	}
	if (o->asked_packets) {
		if (tiled_at_limit(d, o)) {
			tiled_count(call->ctx, s, out, limit, 1);
			return;
		}
		if (o->not_before > call->now) {
			tiled_count(call->ctx, s, out, no_room, 1);
			again = o->not_before;
		} else {
			uint32_t lane, in = choose(call, d, s, out, &lane);
			if (in != SW_NOBODY) {
				grant_asked(call, d, s, out, in, lane);
				again = o->asked_packets ? call->now + d->period : TILED_NEVER;
			} else {
				tiled_count(call->ctx, s, out, no_credit, 1);
			}
		}
	}
	uint64_t about = first_request(s, o, &again);
	if (again != TILED_NEVER)
		tiled_want_grant(call, s, o, out, tiled_max(again, call->now + 1), about);
}

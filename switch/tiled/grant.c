/* switch/tiled/grant.c - virtual output queues, requests, grants.
 *
 * Requests and grants have crossbars of their own. A request leaves for the output's tile when the header is parsed, as
 * soon as its input's row bus takes it; a queue has at most `requests` requests in flight. Each row has a candidate
 * among its inputs, and the output picks a row (the paper: "no need for a 64 ports arbiter"). The output grants when it
 * has space in its output buffer for a largest packet, fewer than `grant_limit` granted bytes in flight, and credits of
 * the packet's lane downstream; a grant reserves all three. An output gives at most one grant per instant and clock
 * period, and an input receives at most as many per period as its row bus carries. A grant is for a queue, that is, for
 * its head, which preserves order. */
#include "switch/tiled/path.h"

#define SELDOM __attribute__((noinline)) /* keeps rare code out of the path of a packet without contention */

static struct tiled_voq *voq_of(const struct tiled_derived *d, struct tiled_state *s, const struct tiled_packet *p)
{
	return tiled_voq_at(d, s, tiled_out(p), tiled_lane(d, p), tiled_in(p));
}

void tiled_want_grant(struct sw_call *call, struct tiled_state *s, struct tiled_port *o, uint32_t out, uint64_t t)
{
	const struct tiled_derived *d = s->derived;
	if (tiled_at_limit(d, o)) { /* a packet that has crossed will need it */
		tiled_count(call->ctx, s, out, limit, 1);
		return;
	}
	if (o->not_before > tiled_max(t, call->now + d->period))
		tiled_count(call->ctx, s, out, no_space, 1);
	tiled_want(call, s, TILED_DUE_GRANT, out, tiled_max(t, o->not_before));
}

/* p is the head of a requesting queue. */
static void set_age(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                    const struct tiled_packet *p)
{
	if (!d->ages)
		return;
	uint32_t place = d->geometry.place[tiled_in(p)];
	uint64_t *age = tiled_age_at(d, s, ((size_t)tiled_out(p) * d->lanes + tiled_lane(d, p)) * d->places + place);
	sim_set(call->ctx, age, tiled_key(d, SW_KEY_AGE, p, call->now) << TILED_PORT_BITS | place);
}

void tiled_ask_late(struct sw_call *call, struct tiled_state *s, uint32_t packet)
{
	const struct tiled_derived *d = s->derived;
	struct tiled_packet *p = tiled_packet_at(s, packet);
	struct tiled_voq *q = voq_of(d, s, p);
	/* The requests of a queue keep their order, and the previous request may leave, or may be allowed to leave,
	 * later than this one could. */
	uint64_t t = tiled_edge(d, s, tiled_max(tiled_arrived(p) + d->ingress, call->now));
	if (q->list.head != TILED_NONE) {
		uint64_t before = tiled_ready(tiled_packet_at(s, q->list.tail));
		if (q->unasked == TILED_NONE) /* its request is in flight, and will have arrived by then */
			before = tiled_max(before, d->ask) - d->ask;
		t = tiled_max(t, before);
	}
	tiled_append(call->ctx, s, &q->list, packet);
	sim_save(call->ctx, q, sizeof *q);
	sim_save(call->ctx, p, tiled_packet_bytes(s));
	p->next_message = TILED_NONE;
	if (q->requests >= d->requests) {
		if (q->unasked == TILED_NONE)
			tiled_unask(call->ctx, s, q, packet);
		tiled_set_ready(p, t);
		return;
	}
	q->requests++;
	t = tiled_pass_message(call->ctx, &tiled_port_at(d, s, tiled_in(p))->message_at[TILED_REQUEST], t,
	                       d->request_spacing, false);
	tiled_set_ready(p, t + d->ask);
	tiled_append_late(call, s, TILED_DUE_ASKS, tiled_in(p), packet);
}

/* A request that is not granted at once waits, and counts in the output's depth. */
SELDOM void tiled_absorb(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                         struct tiled_port *o, const struct tiled_packet *p)
{
	struct sim_ctx *ctx = call->ctx;
	struct tiled_voq *q = voq_of(d, s, p);
	base_checkf(q->list.head != TILED_NONE && q->arrived < q->requests,
	            "switch %u: %u requests have arrived, %u were sent", s->id, q->arrived, q->requests);
	sim_set(ctx, &q->arrived, (uint16_t)(q->arrived + 1));
	if (q->arrived == 1) {
		uint64_t *set = tiled_asked_at(d, s, tiled_out(p), (size_t)tiled_lane(d, p) * d->words);
		uint32_t at = d->geometry.place[tiled_in(p)];
		sim_save(ctx, set + (at >> 6), 8);
		sw_set_add(set, at);
		set_age(call, d, s, tiled_packet_at(s, q->list.head));
	}
	sim_set(ctx, &o->asked_packets, o->asked_packets + 1);
	if (call->common->track_queues)
		tiled_depth_add(call, s, tiled_out(p), p->packet.bytes, false);
}

struct chosen { /* the choice besides the input: its packet */
	uint32_t lane, level;
	uint32_t class; /* whose arbiters and turns apply; 0 without ordered classes */
	uint64_t when;
};

/* From here to choose() inputs are given by their places. */
static struct tiled_packet *head_of(const struct tiled_derived *d, struct tiled_state *s, uint32_t out, uint32_t lane,
                                    uint32_t place)
{
	return tiled_packet_at(s, tiled_voq_at(d, s, out, lane, d->geometry.port[place])->list.head);
}

/* Keeps only `i` in the set, if it is a member. */
static void keep_only(uint64_t *set, uint32_t words, uint32_t i)
{
	bool has = sw_set_has(set, i);
	for (uint32_t w = 0; w < words; w++)
		set[w] = 0;
	if (has)
		sw_set_add(set, i);
}

/* With equal packets: may packets of a lane, of which `asked` make requests, be granted? (There is at least one.) */
static bool lane_fits(const struct tiled_derived *d, struct tiled_state *s, uint32_t out, uint32_t lane,
                      const uint64_t *asked)
{
	if (out >= s->net_ports || tiled_has_most(d, s, out, lane) ||
	    sim_unlikely(d->fault == TILED_GRANT_WITHOUT_CREDIT))
		return true;
	bool fits = tiled_has_credit(d, s, head_of(d, s, out, lane, sw_set_from(asked, d->words, 0)), lane);
	for (SW_EACH(i, asked, BASE_CHECKING ? d->words : 0))
		base_check(tiled_has_credit(d, s, head_of(d, s, out, lane, i), lane) == fits);
	return fits;
}

/* Computes the set of inputs that may be granted a packet of this lane now: those with a request whose head has
 * credits. If the lane's credits can be reserved, these are all inputs with a request or, once the lane is reserved,
 * only the input that it is reserved for, if that has credits. */
static void eligible(const struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                     uint32_t lane, uint64_t *set)
{
	const uint64_t *asked = tiled_asked_at(d, s, out, (size_t)lane * d->words);
	bool none = d->alike && sw_set_any(asked, d->words) && !lane_fits(d, s, out, lane, asked);
	for (uint32_t w = 0; w < d->words; w++)
		set[w] = none ? 0 : asked[w];
	if (d->alike || out >= s->net_ports || sim_unlikely(d->fault == TILED_GRANT_WITHOUT_CREDIT))
		return;
	uint32_t holder = d->reserves ? *tiled_holder_at(d, s, out, lane) : 0;
	if (sim_unlikely(holder))
		keep_only(set, d->words, holder - 1);
	else if (d->reserves || (tiled_has_most(d, s, out, lane) && !call->common->bubble))
		return;
	for (SW_EACH(i, set, d->words)) /* with few credits it depends on the packet */
		if (!tiled_has_credit(d, s, head_of(d, s, out, lane, i), lane))
			sw_set_remove(set, i);
}

/* The lane that an input is granted if it wins: lanes take turns. */
static uint32_t lane_of(const struct tiled_derived *d, struct tiled_state *s, uint32_t out, uint64_t of[][TILED_WORDS],
                        uint32_t in, uint32_t class)
{
	uint32_t q = *tiled_lane_turn(d, s, out, TILED_TAKER_GRANT, in, class);
	while (q >= d->lanes || !sw_set_has(of[q], in))
		q = q + 1 >= d->lanes ? 0 : q + 1;
	return q;
}

/* The key of an input: the age of its oldest grantable head, or the key of the head that would be granted. */
static uint64_t key_of_input(const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                             uint64_t of[][TILED_WORDS], uint32_t in, enum sw_arbiter_key key, uint32_t class)
{
	if (key != SW_KEY_AGE)
		return tiled_key(d, key, head_of(d, s, out, lane_of(d, s, out, of, in, class), in), 0);
	uint64_t oldest = TILED_NEVER;
	for (uint32_t q = 0; q < d->lanes; q++)
		if (sw_set_has(of[q], in))
			oldest = tiled_min(oldest, *tiled_age_at(d, s, ((size_t)out * d->lanes + q) * d->places + in));
	return oldest >> TILED_PORT_BITS; /* the place is in the low bits */
}

/* Members first .. first + n - 1 of a set, n <= 64. */
static uint64_t row_of(const uint64_t *set, uint32_t words, uint32_t first, uint32_t n)
{
	uint32_t w = first >> 6, shift = first & 63;
	uint64_t bits = w < words ? set[w] >> shift : 0;
	if (shift && w + 1 < words)
		bits |= set[w + 1] << (64 - shift);
	return n < 64 ? bits & ((1ull << n) - 1) : bits;
}

/* The minimum of `least`, TILED_NEVER at first, and tiled_age_at() over the heads of a lane's set. */
static inline uint64_t see_lane(const struct tiled_derived *d, struct tiled_state *s, uint32_t out, uint32_t lane,
                                const uint64_t *set, uint64_t least)
{
	const uint64_t *age = tiled_age_at(d, s, ((size_t)out * d->lanes + lane) * d->places);
	for (uint32_t w = 0; w < d->words; w++)
		for (uint64_t bits = set[w]; bits; bits &= bits - 1)
			least = tiled_min(least, age[64 * w + (uint32_t)__builtin_ctzll(bits)]);
	return least;
}

static inline uint32_t place_of_age(uint64_t age)
{
	return age == TILED_NEVER ? SW_NOBODY : age & TILED_PORT_MASK;
}

/* The oldest of all: the same result as the two stages. */
static uint32_t pick_oldest(const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                            uint64_t of[][TILED_WORDS])
{
	uint64_t least = TILED_NEVER;
	for (uint32_t q = 0; q < d->lanes; q++)
		least = see_lane(d, s, out, q, of[q], least);
	return place_of_age(least);
}

/* choose() if all arbiters take the oldest and packets are equal: without copies of sets. */
static uint32_t choose_oldest(const struct tiled_derived *d, struct tiled_state *s, uint32_t out, uint32_t *lane)
{
	uint64_t least = TILED_NEVER;
	const uint64_t *asked = tiled_asked_at(d, s, out, 0);
	uint32_t may = 0, q = *tiled_lane_turn(d, s, out, TILED_TAKER_GRANT, 0, 0);
	for (uint32_t k = 0; k < d->lanes; k++)
		if (sw_set_any(asked + k * d->words, d->words) && lane_fits(d, s, out, k, asked + k * d->words)) {
			may |= 1u << k;
			least = see_lane(d, s, out, k, asked + k * d->words, least);
		}
	uint32_t place = place_of_age(least);
	if (place == SW_NOBODY)
		return SW_NOBODY;
	while (!(may >> q & 1) || !sw_set_has(asked + q * d->words, place))
		q = q + 1 >= d->lanes ? 0 : q + 1;
	*lane = q;
	return place;
}

/* Picks the input that is granted: the arbiter of each row chooses a candidate, and the arbiter of the column picks one
 * of these; both are the arbiters of the class. of[]: the eligible inputs by lane; any: their union. */
static uint32_t pick_input(const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                           uint64_t of[][TILED_WORDS], const uint64_t *any, uint32_t class)
{
	if (d->grant_by_age)
		return pick_oldest(d, s, out, of);
	uint64_t key[TILED_ROW_PORTS], row_key[TILED_ROWS], rows = 0;
	uint32_t best[TILED_ROWS], n = d->geometry.row_ports, words = d->geometry.row_words;
	for (uint32_t r = 0; r < d->rows; r++) {
		uint64_t set[TILED_ROW_WORDS] = { row_of(any, d->words, r * n, n < 64 ? n : 64) };
		if (words > 1)
			set[1] = row_of(any, d->words, r * n + 64, n - 64);
		if (!(set[0] | set[1]))
			continue;
		if (sw_arbiter_has_key(d->grant_arbiter))
			for (SW_EACH(i, set, words))
				key[i] =
				    key_of_input(d, s, out, of, r * n + i, sw_arbiter_key(d->grant_arbiter), class);
		best[r] = r * n + tiled_pick_of_row(d->grant_arbiter, n, tiled_grant_arbiter(d, s, out, r, class), set,
		                                    words, key);
		row_key[r] = sw_arbiter_has_key(d->grant_column_arbiter)
		                 ? key_of_input(d, s, out, of, best[r], sw_arbiter_key(d->grant_column_arbiter), class)
		                 : 0;
		rows |= 1ull << r;
	}
	if (!rows)
		return SW_NOBODY;
	return best[tiled_pick64(d->grant_column_arbiter, d->geometry.rows,
	                         tiled_grant_column_arbiter(d, s, out, class), rows, row_key)];
}

/* choose() for a single lane and arbiters that do not depend on the packet: without unions of sets and turns. */
static uint32_t choose_of_one(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                              uint32_t *lane)
{
	uint64_t set[1][TILED_WORDS];
	eligible(call, d, s, out, 0, set[0]);
	*lane = 0;
	uint32_t in = pick_input(d, s, out, set, set[0], 0);
	if (in == SW_NOBODY)
		return SW_NOBODY;
	struct tiled_packet *p = head_of(d, s, out, 0, in);
	if (tiled_reserve(call, d, s, p, in))
		return SW_NOBODY;
	tiled_end_reserve(call, d, s, out, 0);
	return d->geometry.port[in];
}

/* Picks an input that may be granted a packet of some lane. Returns the input's place; *lane: the lane of its packet,
 * as lanes take turns. SW_NOBODY: there is none. */
static uint32_t choose_of_lanes(const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                                uint64_t of[SW_MAX_LANES][TILED_WORDS], uint32_t *lane, uint32_t class)
{
	uint64_t any[TILED_WORDS] = { 0 };
	for (uint32_t q = 0; q < d->lanes; q++)
		for (uint32_t w = 0; w < d->words; w++)
			any[w] |= of[q][w];
	uint32_t in = pick_input(d, s, out, of, any, class);
	if (in != SW_NOBODY)
		*lane = lane_of(d, s, out, of, in, class);
	return in;
}

/* Picks one of the inputs in of[] that has the credits. Returns its place. If the winner lacks credits, its lane is
 * reserved for it, and the choice is repeated among the other lanes. */
static uint32_t choose_with_credit(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                                   uint32_t out, uint64_t of[SW_MAX_LANES][TILED_WORDS], uint32_t *lane, uint32_t class)
{
	uint32_t in;
	while ((in = choose_of_lanes(d, s, out, of, lane, class)) != SW_NOBODY &&
	       tiled_reserve(call, d, s, head_of(d, s, out, *lane, in), in))
		for (uint32_t w = 0; w < d->words; w++)
			of[*lane][w] = 0;
	return in;
}

/* Picks as choose_with_credit() does, but level by level, and within a level class by class: no class stays at a level
 * for long, because its tag soon puts it behind the others. If there is no winner because classes are held, c->when is
 * the time at which one may send. */
static uint32_t choose_by_level(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                                uint32_t out, uint64_t of[SW_MAX_LANES][TILED_WORDS], struct chosen *c)
{
	uint32_t of_class[SW_MAX_CLASSES], in = SW_NOBODY;
	tiled_levels(call, s, out, of_class, &c->when);
	for (uint32_t q = 0; q < d->lanes; q++)
		for (uint32_t w = 0; w < d->words; w++)
			of[q][w] = 0;
	for (uint32_t level = d->order.levels; in == SW_NOBODY && level-- > 0;)
		for (uint32_t k = 0; in == SW_NOBODY && k < d->classes; k++) {
			if (of_class[k] != level)
				continue;
			for (uint32_t q = k * d->vcs; q < (k + 1) * d->vcs; q++) /* no set of another class is left */
				eligible(call, d, s, out, q, of[q]);
			c->level = level / d->order.steps;
			c->class = k;
			in = choose_with_credit(call, d, s, out, of, &c->lane, k);
		}
	return in;
}

/* The input that wins; SW_NOBODY: none may. */
SELDOM static uint32_t choose(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                              struct chosen *c)
{
	if (d->plain && d->lanes == 1 && !d->grant_by_packet)
		return choose_of_one(call, d, s, out, &c->lane);
	uint64_t of[SW_MAX_LANES][TILED_WORDS];
	uint32_t in;
	if (sim_likely(d->plain && d->alike && d->grant_by_age)) {
		in = choose_oldest(d, s, out, &c->lane);
	} else if (d->ordered) {
		in = choose_by_level(call, d, s, out, of, c);
	} else {
		for (uint32_t q = 0; q < d->lanes; q++)
			eligible(call, d, s, out, q, of[q]);
		in = choose_with_credit(call, d, s, out, of, &c->lane, 0);
	}
	if (in == SW_NOBODY)
		return in;
	tiled_end_reserve(call, d, s, out, c->lane);
	sim_set(call->ctx, tiled_lane_turn(d, s, out, TILED_TAKER_GRANT, in, c->class),
	        (uint8_t)(c->lane + 1 == d->lanes ? 0 : c->lane + 1));
	return d->geometry.port[in];
}

/* The queue's next packet without a request (there is one) sends it when the grant has arrived. */
SELDOM void tiled_ask_next(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                           struct tiled_voq *q)
{
	uint32_t next = q->unasked;
	struct tiled_packet *p = tiled_packet_at(s, next);
	sim_save(call->ctx, p, sizeof *p);
	uint64_t t = tiled_max(tiled_ready(p), call->now + d->grant);
	/* grants are spaced, and so are the requests that they cause. Requests of a queue keep their order */
	uint64_t *bus = &tiled_port_at(d, s, tiled_in(p))->message_at[TILED_REQUEST];
	t = tiled_max(t, *bus);
	if (d->grant > d->ingress) /* else a packet that arrives now sends its request later in any case */
		sim_set(call->ctx, bus, t);
	tiled_set_ready(p, t + d->ask);
	p->next_message = TILED_NONE;
	q->unasked = p->next;
	if (q->unasked == TILED_NONE)
		sim_set(call->ctx, &s->unasked, s->unasked - 1);
	q->requests++;
	tiled_append_late(call, s, TILED_DUE_ASKS, tiled_in(p), next);
}

/* Grants the head of a requesting input's queue. */
SELDOM static void grant_asked(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                               uint32_t in, const struct chosen *c)
{
	struct tiled_port *o = tiled_port_at(d, s, out);
	uint32_t lane = c->lane;
	struct tiled_voq *q = tiled_voq_at(d, s, out, lane, in);
	sim_set(call->ctx, &o->asked_packets, o->asked_packets - 1);
	sim_set(call->ctx, &q->arrived, (uint16_t)(q->arrived - 1));
	struct tiled_packet *head = tiled_packet_at(s, q->list.head);
	uint32_t next = head->next, at = d->geometry.place[in];
	tiled_grant_won(call, d, s, out, in, head, c->class);
	if (d->ordered) {
		sim_set(call->ctx, &tiled_trace_of(head)->level, (uint16_t)c->level);
		tiled_pay(call, s, head);
	}
	if (call->common->track_queues)
		tiled_depth_add(call, s, out, head->packet.bytes, true);
	if (!q->arrived) {
		uint64_t *set = tiled_asked_at(d, s, out, (size_t)lane * d->words);
		sim_save(call->ctx, set + (at >> 6), 8);
		sw_set_remove(set, at);
	} else {
		set_age(call, d, s, tiled_packet_at(s, next));
	}
	bool late;
	tiled_take_credit(call, d, s, out, lane,
	                  tiled_issue(call, d, s, o, out, q, q->list.head, head, call->now, &late, TILED_ANY));
}

TILED_FLAT void tiled_requested(struct sw_call *call, struct tiled_state *s, uint32_t packet, struct tiled_packet *p,
                                bool alone)
{
	tiled_request_comes(call, s->derived, s, packet, p, voq_of(s->derived, s, p), call->now, alone, TILED_ANY);
}

void tiled_absorb_uniformly(struct sw_call *call, struct tiled_state *s, struct tiled_port *o,
                            const struct tiled_packet *p)
{
	const struct tiled_derived *d = s->derived;
	uint32_t out = tiled_out(p), lane = tiled_vc(p), in = tiled_in(p);
	struct tiled_voq *q = tiled_voq_at(d, s, out, lane, in);
	base_checkf(q->list.head != TILED_NONE && q->arrived < q->requests,
	            "switch %u: %u requests have arrived, %u were sent", s->id, q->arrived, q->requests);
	if (++q->arrived == 1) {
		sw_set_add((uint64_t *)tiled_in_port(o, d->in_asked) + lane * d->words, d->geometry.place[in]);
		set_age(call, d, s, tiled_packet_at(s, q->list.head));
	}
	o->asked_packets++;
	if (call->common->track_queues)
		tiled_depth_add(call, s, out, p->packet.bytes, false);
	if (!tiled_at_limit(d, o))
		tiled_want(call, s, TILED_DUE_GRANT, out, tiled_max(call->now, o->not_before));
}

/* The place of the oldest head whose lane has credits. */
static uint32_t choose_uniformly(const struct tiled_derived *d, struct tiled_state *s, struct tiled_port *o,
                                 uint32_t out, uint32_t *lane)
{
	uint64_t least = TILED_NEVER;
	const uint64_t *asked = tiled_in_port(o, d->in_asked);
	uint32_t may = 0, q = o->lane_turn, words = d->words;
	for (uint32_t k = 0; k < d->lanes; k++) {
		if (out < s->net_ports && tiled_account_of(o)[k] < d->max_packet)
			continue;
		may |= 1u << k;
		least = see_lane(d, s, out, k, asked + k * words, least);
	}
	uint32_t place = place_of_age(least);
	if (place == SW_NOBODY)
		return SW_NOBODY;
	while (q >= d->lanes || !(may >> q & 1) || !sw_set_has(asked + q * words, place))
		q = q + 1 >= d->lanes ? 0 : q + 1;
	*lane = q;
	return place;
}

uint64_t tiled_grant_uniformly(struct sw_call *call, struct tiled_state *s, uint32_t out)
{
	const struct tiled_derived *d = s->derived;
	struct tiled_port *o = tiled_port_at(d, s, out);
	uint32_t lane, place;
	if (!o->asked_packets || tiled_at_limit(d, o))
		return TILED_NEVER;
	if (o->not_before > call->now)
		return o->not_before;
	place = choose_uniformly(d, s, o, out, &lane);
	if (place == SW_NOBODY)
		return TILED_NEVER;
	struct tiled_voq *q = tiled_voq_at(d, s, out, lane, d->geometry.port[place]);
	uint32_t packet = q->list.head;
	struct tiled_packet *head = tiled_packet_at(s, packet);
	if (call->common->track_queues)
		tiled_depth_add(call, s, out, d->max_packet, true);
	o->asked_packets--;
	o->lane_turn = (uint8_t)(lane + 1);
	if (--q->arrived)
		set_age(call, d, s, tiled_packet_at(s, head->next));
	else
		sw_set_remove((uint64_t *)tiled_in_port(o, d->in_asked) + lane * d->words, place);
	bool late;
	uint32_t leaving = tiled_issue(call, d, s, o, out, q, packet, head, call->now, &late, TILED_UNIFORM);
	if (out < s->net_ports) {
		uint32_t left = tiled_account_of(o)[lane] -= leaving;
		tiled_credit_taken(call, d, o, out, lane, left);
	}
	return o->asked_packets && !tiled_at_limit(d, o) ? o->not_before : TILED_NEVER;
}

void tiled_grant(struct sw_call *call, struct tiled_state *s, uint32_t out)
{
	const struct tiled_derived *d = s->derived;
	struct tiled_port *o = tiled_port_at(d, s, out);
	if (!o->asked_packets)
		return;
	if (tiled_at_limit(d, o)) {
		tiled_count(call->ctx, s, out, limit, 1);
		return;
	}
	if (o->not_before > call->now) {
		tiled_want_grant(call, s, o, out, o->not_before);
		return;
	}
	struct chosen c = { .when = TILED_NEVER };
	uint32_t in = choose(call, d, s, out, &c);
	if (in == SW_NOBODY && c.when < TILED_TIMES) {
		tiled_want(call, s, TILED_DUE_GRANT, out, c.when);
		return;
	}
	if (in == SW_NOBODY) {
		tiled_count(call->ctx, s, out, no_credit, 1);
		return;
	}
	grant_asked(call, d, s, out, in, &c);
	if (o->asked_packets)
		tiled_want_grant(call, s, o, out, call->now + d->period);
}

/* network/nic/retry.c - retransmission of lost packets, and delivery of each packet exactly once.
 *
 * With n->path.retry an endpoint numbers the packets of each pair and keeps a record of each until it is acknowledged.
 * A packet whose header arrived without its payload (trimmed), or which was not acknowledged within nic.timeout, is
 * retransmitted, before new packets. The receiver keeps the first number that is missing and, in words of 64 bits,
 * which later ones it has, so its memory follows the disorder. A packet carries 13 bits of its number: numbers in
 * flight differ by less than a quarter of that range. An old copy, which these bits cannot distinguish from a new
 * packet, left its source before the receiver reached the block of numbers that the source of any new packet had to
 * know to be reached; so the times of the last four blocks distinguish them exactly.
 *
 * Records of a pair remain until the end of a run on both sides; otherwise numbers would restart while copies are in
 * flight. */
#include "network/nic/nic.h"

static struct net_sent *sent_at(const struct net *n, const struct net_lp *lp, uint32_t i)
{
	return sw_pool_at(&net_nics_of(n, lp)->sent, i, sizeof(struct net_sent));
}

/* --- the source ----------------------------------------------------------------------------------------------- */

static uint64_t patience(const struct net *n, const struct net_pair *p)
{
	return n->nic.timeout + p->cc.rtt;
}

/* It leaves now: when will it be overdue? */
static void expect(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p, uint32_t pair)
{
	if (p->due == SIM_NEVER && !(n->nic.untimed >> p->class & 1)) {
		sim_set(ctx, &p->due, ctx->now + patience(n, p));
		net_nic_call_pair(n, ctx, lp, pair, p->due);
	}
}

uint64_t net_retry_sends(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair,
                         const struct sw_packet *packet, uint32_t again)
{
	struct net_pair *p = net_pair_at(n, lp, pair);
	uint32_t number;
	if (again != SW_POOL_NONE) {
		struct net_sent *s = sent_at(n, lp, again);
		sim_save(ctx, s, sizeof *s);
		s->sent = ctx->now;
		s->state = NET_SENT_FLYING;
		s->copies = s->copies < UINT8_MAX ? s->copies + 1 : UINT8_MAX;
		number = s->number;
		sim_add(ctx, &n->shared.nic->resent, 1);
	} else {
		uint32_t i = sw_pool_take(ctx, &net_nics_of(n, lp)->sent, sizeof(struct net_sent));
		number = p->number;
		*sent_at(n, lp, i) = (struct net_sent){ .next = SW_POOL_NONE,
			                                .again = SW_POOL_NONE,
			                                .number = number,
			                                .seq = packet->seq,
			                                .bytes = packet->bytes,
			                                .job = packet->job,
			                                .created = packet->created,
			                                .sent = ctx->now };
		sim_save(ctx, p, n->nic.pair_bytes);
		p->number++;
		if (p->sent == SW_POOL_NONE)
			p->sent = i;
		else
			sim_set(ctx, &sent_at(n, lp, p->sent_last)->next, i);
		p->sent_last = i;
	}
	expect(n, ctx, lp, p, pair);
	return (uint64_t)(number % SW_PAIR_NUMBERS) << SW_INJECTED_BITS;
}

/* Takes the first of those to be sent again out of that queue. */
static void again_drop(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p)
{
	uint32_t i = p->again;
	sim_save(ctx, p, n->nic.pair_bytes);
	p->again = sent_at(n, lp, i)->again;
	p->cc.again--;
	if (p->again == SW_POOL_NONE)
		p->again_last = SW_POOL_NONE;
}

uint32_t net_retry_next(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p)
{
	while (p->again != SW_POOL_NONE && sent_at(n, lp, p->again)->state == NET_SENT_DONE) {
		uint32_t done = p->again;
		again_drop(n, ctx, lp, p);
		sw_pool_give(ctx, &net_nics_of(n, lp)->sent, done, sizeof(struct net_sent));
	}
	return p->again;
}

uint32_t net_retry_payload(const struct net *n, const struct net_lp *lp, uint32_t which)
{
	return sent_at(n, lp, which)->bytes;
}

struct sw_packet net_retry_take(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p,
                                uint32_t which)
{
	const struct net_sent *s = sent_at(n, lp, which);
	base_check(which == p->again);
	again_drop(n, ctx, lp, p);
	p->cc.waiting -= n->nic.wants & CC_WANTS_REQUESTS ? net_wire_bytes(n, s->job, s->bytes) : 0;
	return (struct sw_packet){ .created = s->created,
		                   .src = lp->first_endpoint + p->terminal,
		                   .dst = p->dst,
		                   .seq = s->seq,
		                   .bytes = s->bytes,
		                   .job = s->job };
}

/* After so many copies of a packet, a congestion control that reacts to losses is assumed not to slow down enough;
 * pauses are then at most so many round trips. With 8 copies, incasts of 64 paused although the control handled them;
 * with 32 the runs of public simulators have no pause. */
#define COPIES_IN_VAIN 32u
#define LONGEST_PAUSE 64u

/* A packet that had been sent `copies` times before is lost again. No lost packet is retransmitted before the pause
 * ends, and no new packet is sent before that; *p is saved. */
static void back_off(struct net *n, struct sim_ctx *ctx, struct net_pair *p, uint32_t copies)
{
	uint64_t most = n->config->nic.backoff;
	if (copies < (n->nic.cc.ops->source.lost ? COPIES_IN_VAIN : 1) || !most || ctx->now < p->quiet)
		return;
	if (n->nic.cc.ops->source.lost && most > p->cc.rtt * LONGEST_PAUSE)
		most = p->cc.rtt * LONGEST_PAUSE;
	uint64_t pause = p->cc.rtt << p->backoff;
	p->quiet = ctx->now + (pause < most ? pause : most);
	if (pause < most)
		p->backoff++;
	sim_add(ctx, &n->shared.nic->backoffs, 1);
}

/* It is in flight no more, and will be sent again. */
static void give_up(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p, uint32_t i,
                    enum cc_loss how)
{
	struct net_sent *s = sent_at(n, lp, i);
	struct cc_ack packet = { .bytes = net_wire_bytes(n, s->job, s->bytes), .copies = s->copies, .sent = s->sent };
	sim_save(ctx, s, sizeof *s);
	sim_save(ctx, p, n->nic.pair_bytes);
	s->state = NET_SENT_LOST;
	s->again = SW_POOL_NONE;
	if (p->again == SW_POOL_NONE)
		p->again = i;
	else
		sim_set(ctx, &sent_at(n, lp, p->again_last)->again, i);
	p->again_last = i;
	p->cc.again++;
	base_check(ctx->journal || (p->cc.in_flight >= packet.bytes && p->in_flight));
	p->cc.in_flight -= packet.bytes;
	p->in_flight--;
	p->cc.waiting += n->nic.wants & CC_WANTS_REQUESTS ? packet.bytes : 0;
	back_off(n, ctx, p, s->copies);
	if (n->nic.cc.ops->source.lost)
		n->nic.cc.ops->source.lost(&n->nic.cc, &p->cc, ctx->now, &packet, how);
}

void net_retry_lose(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p, uint32_t from,
                    uint32_t to)
{
	for (uint32_t i = p->sent; i != SW_POOL_NONE && sent_at(n, lp, i)->number < to; i = sent_at(n, lp, i)->next)
		if (sent_at(n, lp, i)->number >= from && sent_at(n, lp, i)->state == NET_SENT_FLYING)
			give_up(n, ctx, lp, p, i, CC_LOSS_FOUND);
}

uint8_t net_retry_job(const struct net *n, const struct net_lp *lp, uint32_t which)
{
	return sent_at(n, lp, which)->job;
}

/* It has waited long enough; but the scheme may know better. */
static bool is_lost(const struct net *n, struct sim_ctx *ctx, struct net_pair *p, const struct net_sent *s)
{
	if (!n->nic.recovers)
		return true;
	sim_save(ctx, p, n->nic.pair_bytes);
	return n->nic.cc.ops->recovery.overdue(&n->nic.cc, &p->cc, s->number, s->copies);
}

uint64_t net_retry_timeouts(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p)
{
	uint64_t next = SIM_NEVER, wait = patience(n, p);
	if (p->due > ctx->now)
		return p->due;
	for (uint32_t i = p->sent; i != SW_POOL_NONE; i = sent_at(n, lp, i)->next) {
		struct net_sent *s = sent_at(n, lp, i);
		if (s->state != NET_SENT_FLYING)
			continue;
		bool overdue = s->sent + wait <= ctx->now;
		if (overdue && !is_lost(n, ctx, p, s)) { /* asked again later */
			next = ctx->now + wait < next ? ctx->now + wait : next;
		} else if (overdue) {
			give_up(n, ctx, lp, p, i, CC_LOSS_TIMEOUT);
			sim_add(ctx, &n->shared.nic->timeouts, 1);
		} else if (s->sent + wait < next) {
			next = s->sent + wait;
		}
	}
	sim_set(ctx, &p->due, next);
	return next;
}

/* It has come: takes the record behind `before` off the list. Returns the bytes of its frame. */
static uint32_t take_pair(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p, uint32_t before,
                          uint32_t i)
{
	struct net_sent *s = sent_at(n, lp, i);
	uint32_t bytes = net_wire_bytes(n, s->job, s->bytes);
	sim_save(ctx, p, n->nic.pair_bytes);
	if (before == SW_POOL_NONE)
		p->sent = s->next;
	else
		sim_set(ctx, &sent_at(n, lp, before)->next, s->next);
	if (p->sent_last == i)
		p->sent_last = before;
	if (p->backoff)
		p->backoff--;
	p->acked = p->sent == SW_POOL_NONE ? p->number : sent_at(n, lp, p->sent)->number;
	if (s->state == NET_SENT_LOST) { /* after all: net_retry_next() gives it back */
		sim_set(ctx, &s->state, NET_SENT_DONE);
		p->cc.waiting -= n->nic.wants & CC_WANTS_REQUESTS ? bytes : 0;
		return bytes;
	}
	base_check(ctx->journal || (p->cc.in_flight >= bytes && p->in_flight));
	p->cc.in_flight -= bytes;
	p->in_flight--;
	sw_pool_give(ctx, &net_nics_of(n, lp)->sent, i, sizeof *s);
	return bytes;
}

bool net_retry_acknowledged(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p, uint32_t number,
                            bool trimmed, struct cc_ack *ack)
{
	uint32_t before = SW_POOL_NONE, i = p->sent;
	while (i != SW_POOL_NONE && sent_at(n, lp, i)->number % SW_PAIR_NUMBERS != number) {
		before = i;
		i = sent_at(n, lp, i)->next;
	}
	if (i == SW_POOL_NONE)
		return false;
	struct net_sent *s = sent_at(n, lp, i);
	if (trimmed) {
		if (s->state == NET_SENT_FLYING && s->sent == ack->sent)
			give_up(n, ctx, lp, p, i, CC_LOSS_TRIMMED);
		return false;
	}
	ack->copies = s->sent == ack->sent ? s->copies : CC_COPIES_UNKNOWN;
	ack->bytes = take_pair(n, ctx, lp, p, before, i);
	return true;
}

bool net_retry_all_acknowledged(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p,
                                uint32_t number, uint32_t base, uint64_t bits, struct cc_ack *ack)
{
	uint32_t before = SW_POOL_NONE;
	ack->bytes = 0;
	ack->copies = CC_COPIES_UNKNOWN;
	for (uint32_t next, i = p->sent; i != SW_POOL_NONE; i = next) {
		const struct net_sent *s = sent_at(n, lp, i);
		uint32_t ahead = s->number - base;
		bool trigger = s->number % SW_PAIR_NUMBERS == number;
		next = s->next;
		if (!trigger && ahead < UINT32_MAX / 2 && !(ahead < 64 && bits >> ahead & 1)) {
			before = i;
			continue;
		}
		if (trigger && s->sent == ack->sent)
			ack->copies = s->copies;
		ack->bytes += take_pair(n, ctx, lp, p, before, i);
	}
	return ack->bytes > 0;
}

/* --- the receiver --------------------------------------------------------------------------------------------- */

static struct net_received *received_at(const struct net *n, const struct net_lp *lp, uint32_t i)
{
	return sw_pool_at(&net_nics_of(n, lp)->received, i, sizeof(struct net_received));
}

static struct net_word *word_at(const struct net *n, const struct net_lp *lp, uint32_t i)
{
	return sw_pool_at(&net_nics_of(n, lp)->words, i, sizeof(struct net_word));
}

static struct net_received *find(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p)
{
	uint32_t src = p->src, terminal = p->dst - lp->first_endpoint, class = net_nic_class(n, p->job);
	uint32_t *head = net_chain_head(n, lp, NET_CHAIN_RECEIVED, terminal, src);
	for (uint32_t i = *head; i; i = received_at(n, lp, i - 1)->link) { /* one more, so that 0 ends a chain */
		struct net_received *r = received_at(n, lp, i - 1);
		if (r->src == src && r->terminal == terminal && r->class == class)
			return r;
	}
	net_chains_reserve(n, ctx, lp, &net_nics_of(n, lp)->received);
	head = net_chain_head(n, lp, NET_CHAIN_RECEIVED, terminal, src);
	uint32_t i = sw_pool_take(ctx, &net_nics_of(n, lp)->received, sizeof(struct net_received));
	*received_at(n, lp, i) = (struct net_received){ .link = *head,
		                                        .src = src,
		                                        .words = SW_POOL_NONE,
		                                        .early = SW_POOL_NONE,
		                                        .terminal = (uint16_t)terminal,
		                                        .class = (uint16_t) class };
	sim_set(ctx, head, i + 1);
	return received_at(n, lp, i);
}

/* All numbers below `base` have come; *r has been saved. */
static void reach(struct net_received *r, uint32_t base, uint64_t now)
{
	if (base / NET_NUMBERS_APART != r->base / NET_NUMBERS_APART)
		r->reached[base / NET_NUMBERS_APART % 4] = now;
	r->base = base;
}

/* The words from the front on of which all numbers have come are not needed any more. */
static void advance(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_received *r)
{
	while (r->words != SW_POOL_NONE && word_at(n, lp, r->words)->index == r->base / 64) {
		struct net_word *w = word_at(n, lp, r->words);
		uint64_t missing = ~w->bits >> r->base % 64;
		if (missing) {
			reach(r, r->base + (uint32_t)__builtin_ctzll(missing), ctx->now);
			return;
		}
		uint32_t gone = r->words;
		reach(r, (w->index + 1) * 64, ctx->now);
		r->words = w->next;
		sw_pool_give(ctx, &net_nics_of(n, lp)->words, gone, sizeof *w);
	}
}

/* Notes a number that is not `base`; false: it has come before. */
static bool note(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_received *r, uint32_t number)
{
	uint32_t *link = &r->words;
	while (*link != SW_POOL_NONE && word_at(n, lp, *link)->index < number / 64)
		link = &word_at(n, lp, *link)->next;
	if (*link == SW_POOL_NONE || word_at(n, lp, *link)->index > number / 64) {
		uint32_t i = sw_pool_take(ctx, &net_nics_of(n, lp)->words, sizeof(struct net_word));
		*word_at(n, lp, i) = (struct net_word){ .next = *link, .index = number / 64 };
		sim_set(ctx, link, i);
	}
	struct net_word *w = word_at(n, lp, *link);
	uint64_t bit = UINT64_C(1) << number % 64;
	if (w->bits & bit)
		return false;
	sim_set(ctx, &w->bits, w->bits | bit);
	return true;
}

struct net_received *net_retry_first(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p,
                                     bool *at_once, uint32_t *apart)
{
	struct net_received *r = find(n, ctx, lp, p);
	uint32_t ahead = *apart = (sw_pair_number(p) - r->base) % SW_PAIR_NUMBERS, number = r->base + ahead;
	bool first = ahead < NET_NUMBERS_APART, holes = r->number != r->base; /* some beyond the base have come */
	if (first && number >= NET_NUMBERS_APART) /* its source knew that this block had been reached */
		first = sw_injected(p, ctx->now) >= r->reached[(number / NET_NUMBERS_APART - 1) % 4];
	if (first && ahead) {
		first = note(n, ctx, lp, r, number);
		if (first)
			sim_add(ctx, &n->shared.nic->reordered, 1);
	}
	*at_once = true;
	if (!first) {
		sim_add(ctx, &n->shared.nic->duplicates, 1);
		return NULL;
	}
	sim_save(ctx, r, sizeof *r);
	r->number++;
	if (!ahead) {
		if (r->words != SW_POOL_NONE && word_at(n, lp, r->words)->index == number / 64) {
			struct net_word *w = word_at(n, lp, r->words);
			sim_set(ctx, &w->bits, w->bits | UINT64_C(1) << number % 64);
		} else {
			reach(r, number + 1, ctx->now);
		}
		advance(n, ctx, lp, r);
	}
	r->unacked += net_wire_bytes(n, p->job, p->bytes);
	*at_once = p->injected & (SW_MARK_ECN | SW_MARK_ASKS) || !number || (holes && r->number == r->base) ||
	           r->unacked >= n->config->nic.ack_every;
	return r;
}

void net_retry_tell(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p, uint32_t *base,
                    uint32_t *beyond, uint64_t *bits)
{
	struct net_received *r = find(n, ctx, lp, p);
	*base = r->base;
	*beyond = r->number - r->base;
	*bits = 0;
	for (uint32_t i = r->words; i != SW_POOL_NONE; i = word_at(n, lp, i)->next) {
		const struct net_word *w = word_at(n, lp, i);
		uint32_t first = w->index * 64;
		if (first - r->base >= 64 && r->base - first >= 64)
			break;
		*bits |= first >= r->base ? w->bits << (first - r->base) : w->bits >> (r->base - first);
	}
	sim_set(ctx, &r->unacked, 0);
}

bool net_retry_damaged(const struct net *n, const struct sw_packet *p, uint32_t what, uint64_t now)
{
	if (!n->nic.loss)
		return false;
	uint64_t sent = sw_injected(p, now);
	uint64_t which = ((uint64_t)p->job << 32 | p->seq) * UINT64_C(0x9e3779b97f4a7c15) ^ sent;
	struct sim_draw d =
	    sim_draw4(n->config->seed, p->src, (uint32_t)which, SIM_DRAW_FAULT, (uint32_t)(which >> 32));
	return d.v[what] < n->nic.loss;
}

/* switch/ideal/depth.h - bytes queued at the outputs of the ideal switch; only maintained if routing uses them.
 *
 * A packet counts as queued from its arrival until it has left, so each reserved departure is stored until then.
 * Departures of packets of the largest size are stored in the output's cache line (struct ideal_depth); if there is no
 * space, departures at equal distances in time are stored as one row, and all others in a list. */
#ifndef SWITCH_IDEAL_DEPTH_H
#define SWITCH_IDEAL_DEPTH_H

#include "switch/ideal/layout.h"

#define IDEAL_INLINE static inline __attribute__((always_inline))

struct ideal_row {       /* reserved departures at equal distances: back to back at a busy output */
	uint64_t finish; /* of the first, ps */
	uint32_t count;  /* at least 1 in the list */
	uint32_t apart;  /* ps; 0: there has been only one */
};

struct ideal_leaving { /* departures of packets of one size that struct ideal_depth has no space for, stored while their
	                  bytes count as queued */
	uint32_t next;
	uint32_t bytes; /* bytes of each departure */
	struct ideal_row row;
};

#define IDEAL_NEAR 7u         /* departures stored in the cache line itself, besides a row */
#define IDEAL_FREE 0x7fffff00 /* ps, 2.1 ms */

typedef int32_t ideal_lanes __attribute__((vector_size(16)));

/* The bytes queued for an output, only maintained if routing uses them; one cache line. The bytes of a reserved
 * departure count until it has left. Departures of packets of the largest size, nearly all in most workloads, are
 * stored in the line itself: lane[k], for k < IDEAL_NEAR, is the time at which one has left, in ps after `base`, or
 * IDEAL_FREE. They finish in cyclic order of k; the last element of lane[] is IDEAL_FREE + the next k to use. If all
 * these elements are in use, the output is busy and later departures are back to back, at equal distances: they form
 * the row, which is used until it is empty. */
struct ideal_depth {
	uint64_t base;  /* ps */
	uint32_t bytes; /* waiting and leaving, minus departures noticed so far */
	/* The other departures, in a circular list: the latest, whose `next` is the first; or SW_POOL_NONE. */
	uint32_t last;
	struct ideal_row row;
	union {
		ideal_lanes lanes[(IDEAL_NEAR + 1) / 4];
		int32_t lane[IDEAL_NEAR + 1];
	} leaves;
};

static inline struct ideal_depth *ideal_depth_at(const struct ideal_derived *d, struct ideal_state *s, uint32_t i)
{
	return (struct ideal_depth *)(void *)(s->rest + d->at_depths) + i;
}

/* Returns the number of departures stored in the cache line that have left by `now`. */
IDEAL_INLINE uint32_t ideal_depth_left(const struct ideal_depth *q, uint64_t now)
{
	uint64_t since = now - q->base; /* base <= now */
	int32_t above = since < IDEAL_FREE ? (int32_t)since + 1 : IDEAL_FREE;
	ideal_lanes after = { above, above, above, above }, sum = { 0 };
	for (unsigned k = 0; k < (IDEAL_NEAR + 1) / 4; k++)
		sum += after > q->leaves.lanes[k]; /* -1 where true */
	sum += __builtin_shufflevector(sum, sum, 2, 3, 0, 1);
	sum += __builtin_shufflevector(sum, sum, 1, 0, 3, 2);
	return -(uint32_t)sum[0];
}

/* Removes the departures that have left from the cache line, subtracts their bytes, and sets `base` to now. */
static __attribute__((noinline)) void ideal_depth_forget(struct ideal_depth *q, uint64_t now, uint32_t max_packet)
{
	base_checkf((uint64_t)ideal_depth_left(q, now) * max_packet <= q->bytes,
	            "%u packets of %u bytes have left, %u were there", ideal_depth_left(q, now), max_packet, q->bytes);
	q->bytes -= ideal_depth_left(q, now) * max_packet;
	uint64_t since = now - q->base;
	for (unsigned k = 0; k < IDEAL_NEAR; k++) {
		int32_t *lane = &q->leaves.lane[k];
		if (*lane != IDEAL_FREE)
			*lane = (uint64_t)*lane <= since ? IDEAL_FREE : *lane - (int32_t)since;
	}
	q->base = now;
}

/* Stores a departure in the cache line. Returns false if there is no space; departures that have left are only removed
 * if the line seems full. */
IDEAL_INLINE bool ideal_depth_near(struct ideal_depth *q, uint64_t now, uint64_t finish, uint32_t max_packet)
{
	uint32_t turn = (uint32_t)(q->leaves.lane[IDEAL_NEAR] - IDEAL_FREE);
	if (sim_unlikely(finish - q->base >= IDEAL_FREE || q->leaves.lane[turn] != IDEAL_FREE)) {
		if (finish - q->base < IDEAL_FREE && (uint64_t)q->leaves.lane[turn] > now - q->base)
			return false; /* the first one has not left */
		ideal_depth_forget(q, now, max_packet);
		if (finish - now >= IDEAL_FREE || q->leaves.lane[turn] != IDEAL_FREE)
			return false;
	}
	q->leaves.lane[turn] = (int32_t)(finish - q->base);
	q->leaves.lane[IDEAL_NEAR] = IDEAL_FREE + (int32_t)(turn + 1 < IDEAL_NEAR ? turn + 1 : 0);
	return true;
}

/* Returns the number of departures in a row that have left by `now`. */
static inline uint32_t ideal_row_left(const struct ideal_row *r, uint64_t now)
{
	if (!r->count || r->finish > now)
		return 0;
	uint64_t since = now - r->finish;
	if (since >= (uint64_t)(r->count - 1) * r->apart)
		return r->count;
	return 1 + (since <= UINT32_MAX ? (uint32_t)since / r->apart : (uint32_t)(since / r->apart));
}

/* Removes the first `left` departures, which have left, from a row. */
static inline void ideal_row_forget(struct ideal_row *r, uint32_t left)
{
	base_checkf(left <= r->count, "%u of %u have left", left, r->count);
	r->count -= left;
	r->finish += (uint64_t)left * r->apart;
}

/* Appends a departure to a row. It is not earlier than those in the row. Returns false if the row's distances would not
 * be equal. */
static inline bool ideal_row_append(struct ideal_row *r, uint64_t finish)
{
	if (!r->count) {
		*r = (struct ideal_row){ finish, 1, 0 };
		return true;
	}
	uint64_t apart = finish - (r->finish + (uint64_t)(r->count - 1) * r->apart);
	base_check(finish >= r->finish);
	if (!apart || (r->apart ? apart != r->apart : apart > UINT32_MAX))
		return false;
	r->apart = (uint32_t)apart;
	r->count++;
	return true;
}

static inline void ideal_depth_append(struct sim_ctx *ctx, struct ideal_state *s, struct ideal_depth *q, uint32_t bytes,
                                      uint64_t finish)
{
	struct ideal_leaving *last = NULL;
	if (q->last != SW_POOL_NONE) {
		last = sw_pool_at(&s->leavings, q->last, sizeof *last);
		sim_save(ctx, last, sizeof *last);
		if (last->bytes == bytes && ideal_row_append(&last->row, finish))
			return;
	}
	uint32_t i = sw_pool_take(ctx, &s->leavings, sizeof(struct ideal_leaving));
	struct ideal_leaving *l = sw_pool_at(&s->leavings, i, sizeof *l);
	*l = (struct ideal_leaving){ i, bytes, { finish, 1, 0 } };
	if (last) {
		l->next = last->next;
		last->next = i;
	}
	q->last = i;
}

/* Removes the departures that have left from the list, and subtracts their bytes. */
static inline void ideal_depth_shorten(struct sim_ctx *ctx, struct ideal_state *s, struct ideal_depth *q)
{
	while (q->last != SW_POOL_NONE) {
		struct ideal_leaving *last = sw_pool_at(&s->leavings, q->last, sizeof *last);
		uint32_t first = last->next;
		struct ideal_leaving *l = sw_pool_at(&s->leavings, first, sizeof *l);
		uint32_t left = ideal_row_left(&l->row, ctx->now);
		if (!left)
			return;
		base_checkf((uint64_t)l->bytes * left <= q->bytes, "%u times %u bytes of %u have left", left, l->bytes,
		            q->bytes);
		q->bytes -= l->bytes * left;
		if (left < l->row.count) {
			sim_save(ctx, l, sizeof *l);
			ideal_row_forget(&l->row, left);
			return;
		}
		if (first == q->last)
			q->last = SW_POOL_NONE;
		else
			sim_set(ctx, &last->next, l->next);
		sw_pool_give(ctx, &s->leavings, first, sizeof *l);
	}
}

/* Stores a departure of `bytes` (0: none) in the row if its distances remain equal, else in the cache line or in the
 * list. Also removes the departures that have left from row and list. */
static __attribute__((noinline)) void ideal_depth_far(struct sim_ctx *ctx, struct ideal_state *s, struct ideal_depth *q,
                                                      uint32_t bytes, uint64_t finish)
{
	uint32_t left = ideal_row_left(&q->row, ctx->now);
	base_checkf((uint64_t)left * s->max_packet <= q->bytes, "%u packets of %u bytes have left, %u were there", left,
	            s->max_packet, q->bytes);
	q->bytes -= left * s->max_packet;
	ideal_row_forget(&q->row, left);
	if (bytes == s->max_packet &&
	    ((q->row.count && ideal_row_append(&q->row, finish)) || ideal_depth_near(q, ctx->now, finish, bytes) ||
	     ideal_row_append(&q->row, finish)))
		bytes = 0;
	if (sim_unlikely(q->last != SW_POOL_NONE))
		ideal_depth_shorten(ctx, s, q);
	if (sim_unlikely(bytes))
		ideal_depth_append(ctx, s, q, bytes, finish);
}

/* Called when a departure of `bytes` has been reserved: they count as queued until `finish`. `arrive`: they did not
 * count before, because their packet did not wait. */
IDEAL_INLINE void ideal_depth_leaving(struct sw_call *call, const struct ideal_derived *d, struct ideal_state *s,
                                      uint32_t out, uint32_t bytes, uint64_t finish, bool arrive)
{
	struct ideal_depth *q = ideal_depth_at(d, s, out);
	sim_save(call->ctx, q, sizeof *q);
	q->bytes += arrive ? bytes : 0;
	if (sim_likely(bytes == s->max_packet && !q->row.count && ideal_depth_near(q, call->now, finish, bytes)))
		bytes = 0;
	if (sim_unlikely(bytes || q->last != SW_POOL_NONE))
		ideal_depth_far(call->ctx, s, q, bytes, finish);
}

/* Returns the bytes of the departures in the list that have left by `now`. */
static __attribute__((noinline)) uint64_t ideal_depth_listed(const struct ideal_state *s, const struct ideal_depth *q,
                                                             uint64_t now)
{
	uint64_t bytes = 0;
	const struct ideal_leaving *last = sw_pool_at(&s->leavings, q->last, sizeof *last), *l = last;
	uint32_t left;
	do {
		l = sw_pool_at(&s->leavings, l->next, sizeof *l);
		left = ideal_row_left(&l->row, now);
		bytes += (uint64_t)l->bytes * left;
	} while (left == l->row.count && l != last);
	return bytes;
}

static inline uint64_t ideal_queue_bytes(const void *state, uint32_t out, uint64_t now)
{
	/* This function must not change the state, so departures that have left but are still stored are subtracted
	 * from the result. */
	const struct ideal_state *s = state;
	const struct ideal_depth *q = (const struct ideal_depth *)(const void *)(s->rest + s->at_depths) + out;
	uint64_t left = (uint64_t)(ideal_depth_left(q, now) + ideal_row_left(&q->row, now)) * s->max_packet;
	if (sim_unlikely(q->last != SW_POOL_NONE))
		left += ideal_depth_listed(s, q, now);
	base_checkf(left <= q->bytes, "%llu bytes have left, %u were there", (unsigned long long)left, q->bytes);
	return q->bytes - left;
}

#endif

/* switch/tiled/packet.h - packets in the tiled switch: their allocation, their ports, times and lanes, and the queue
 * that each is in at a tile's input.
 *
 * Most packets are in the switch's block of memory, the rest in its pool. The packet freed last is taken first: it is
 * in the cache. */
#ifndef SWITCH_TILED_PACKET_H
#define SWITCH_TILED_PACKET_H

#include "switch/tiled/state.h"

/* Packets in the switch's block have their offset there as number; those in the pool have consecutive numbers from
 * s->packets on. */
TILED_INLINE struct tiled_packet *tiled_packet_in_block(struct tiled_state *s, uint32_t i)
{
	return (struct tiled_packet *)(void *)(s->rest + i);
}

TILED_INLINE struct tiled_packet *tiled_packet_at(struct tiled_state *s, uint32_t i)
{
	if (sim_likely(i < s->packets))
		return tiled_packet_in_block(s, i);
	return sw_pool_at(&s->pool, i - s->packets, sizeof(struct tiled_packet) + s->trace_bytes);
}

/* Compile-time modes of functions. TILED_ANY: all features. TILED_SIMPLE: if tiled_is_simple() is true. TILED_UNIFORM:
 * if tiled_derived.uniform is set, too. TILED_LEAN: if, in addition, all packets are in the block. */
enum tiled_mode { TILED_ANY, TILED_SIMPLE, TILED_UNIFORM, TILED_LEAN };

TILED_INLINE struct tiled_packet *tiled_packet_as(struct tiled_state *s, uint32_t i, enum tiled_mode mode)
{
	base_check(mode != TILED_LEAN || i < s->packets);
	return mode == TILED_LEAN ? tiled_packet_in_block(s, i) : tiled_packet_at(s, i);
}

/* Do the packets of this switch have a struct tiled_trace behind them? */
static inline bool tiled_traced(const struct tiled_state *s)
{
	return s->trace_bytes != 0;
}
static inline struct tiled_trace *tiled_trace_of(struct tiled_packet *p)
{
	return (struct tiled_trace *)(void *)(p + 1);
}
/* Returns the bytes of a packet's frame on its outgoing link. It may differ from the frame that arrived only with
 * framing, and then every packet has a trace, which contains it. */
static inline uint32_t tiled_leaving(const struct tiled_state *s, struct tiled_packet *p)
{
	return tiled_traced(s) ? tiled_trace_of(p)->leaving : p->packet.bytes;
}
static inline uint32_t tiled_packet_bytes(const struct tiled_state *s)
{
	return (uint32_t)sizeof(struct tiled_packet) + s->trace_bytes;
}

static inline uint64_t tiled_arrived(const struct tiled_packet *p)
{
	return p->arrived_in >> TILED_PORT_BITS;
}
static inline uint32_t tiled_in(const struct tiled_packet *p)
{
	return p->arrived_in & TILED_PORT_MASK;
}
static inline uint64_t tiled_ready(const struct tiled_packet *p)
{
	return p->ready_out >> TILED_PORT_BITS;
}
static inline uint32_t tiled_out(const struct tiled_packet *p)
{
	return p->ready_out & TILED_PORT_MASK;
}
static inline void tiled_set_ready(struct tiled_packet *p, uint64_t t)
{
	p->ready_out = t << TILED_PORT_BITS | (p->ready_out & TILED_PORT_MASK);
}

/* Returns the VC of a packet at its network output. For a packet to a terminal, it only selects the queue at the
 * input. */
static inline uint8_t tiled_vc(const struct tiled_packet *p)
{
	return p->packet.vc & 15u;
}
static inline uint8_t tiled_in_vc(const struct tiled_packet *p)
{
	return p->packet.vc >> 4;
}

/* Returns the first lane of the packet's traffic class, which is the same at the output as at the input. */
TILED_INLINE uint32_t tiled_first_lane(const struct tiled_derived *d, const struct sw_packet *p)
{
	return sim_likely(d->plain) ? 0 : d->first_lane[p->job];
}
TILED_INLINE uint32_t tiled_lane(const struct tiled_derived *d, const struct tiled_packet *p)
{
	return tiled_vc(p) + tiled_first_lane(d, &p->packet);
}
TILED_INLINE uint32_t tiled_in_lane(const struct tiled_derived *d, const struct tiled_packet *p)
{
	return tiled_in_vc(p) + tiled_first_lane(d, &p->packet);
}
static inline uint32_t tiled_class(const struct tiled_derived *d, const struct tiled_packet *p)
{
	return tiled_first_lane(d, &p->packet) / d->vcs;
}

/* Allocates a packet, sets *p to it, and returns its number. In mode TILED_ANY its memory is saved in the journal. The
 * packet that was freed last is taken first, because it is in the cache. */
TILED_INLINE uint32_t tiled_take(struct sim_ctx *ctx, struct tiled_state *s, struct tiled_packet **p,
                                 enum tiled_mode mode)
{
	uint32_t i = s->free, fresh = s->fresh;
	bool again = i != TILED_NONE;
	if (sim_unlikely(!again && fresh >= s->packets)) {
		void *record;
		i = sw_pool_take_record(ctx, &s->pool, tiled_packet_bytes(s), &record);
		sim_set(ctx, &s->outside, s->outside + 1);
		if (s->pool.free != SW_POOL_NONE)
			base_prefetch_write(sw_pool_at(&s->pool, s->pool.free, tiled_packet_bytes(s)));
		*p = record;
		return s->packets + i;
	}
	i = again ? i : fresh;
	*p = tiled_packet_in_block(s, i);
	base_check(i < s->packets && i <= fresh);
	if (mode == TILED_ANY) {
		sim_save(ctx, *p, sizeof **p);
		sim_save(ctx, &s->free, sizeof s->free + sizeof s->fresh);
	}
	if (sim_likely(again)) {
		s->free = (*p)->next;
		base_prefetch_write(tiled_packet_in_block(s, s->free)); /* if there is one */
	} else
		s->fresh = i + (uint32_t)sizeof **p;
	return i;
}

/* Frees the record of packet number i, which is *p. */
TILED_INLINE void tiled_give(struct sim_ctx *ctx, struct tiled_state *s, uint32_t i, struct tiled_packet *p,
                             enum tiled_mode mode)
{
	if (mode != TILED_LEAN && sim_unlikely(i >= s->packets)) {
		sw_pool_give(ctx, &s->pool, i - s->packets, tiled_packet_bytes(s));
		sim_set(ctx, &s->outside, s->outside - 1);
		return;
	}
	base_checkf(i < s->fresh && i != s->free, "packet %u is freed, %u is free already", i, s->free);
	if (mode == TILED_ANY) {
		sim_save(ctx, &p->next, sizeof p->next);
		sim_save(ctx, &s->free, sizeof s->free);
	}
	p->next = s->free;
	s->free = i;
}

/* Returns which front (queue at a tile's input) a packet joins: the one of its traffic class, or with row buffers the
 * one of its lane. All packets of a row buffer come from the same input buffer, that of their lane. So they do not wait
 * for anything that this buffer would not wait for, and the proof of freedom from deadlock, which considers links and
 * VCs, holds. Granted packets wait for no credits, so their front may be chosen by the lane at their output. */
static inline uint32_t tiled_front_lane(const struct tiled_derived *d, const struct tiled_packet *p)
{
	if (!d->row_buffered)
		return tiled_class(d, p);
	return d->grants ? tiled_lane(d, p) : tiled_in_lane(d, p);
}

static inline size_t tiled_front_index(const struct tiled_derived *d, uint32_t in, uint32_t out, uint32_t lane)
{
	return (d->row_buffered ? (size_t)in * d->geometry.columns + d->geometry.column[out]
	                        : (size_t)out * d->ports + in) *
	           d->front_lanes +
	       lane;
}

/* Returns the index of the k-th front (queue at a tile's input) of an input. */
static inline size_t tiled_front_of(const struct tiled_derived *d, uint32_t in, uint32_t k)
{
	if (d->row_buffered)
		return (size_t)in * d->geometry.columns * d->front_lanes + k;
	return ((size_t)(k / d->front_lanes) * d->ports + in) * d->front_lanes + k % d->front_lanes;
}

/* Fronts of an input. */
static inline uint32_t tiled_fronts(const struct tiled_derived *d)
{
	return (d->row_buffered ? d->geometry.columns : d->ports) * d->front_lanes;
}

#endif

/* switch/ideal/layout.h - the state of the ideal switch: ports with their credits, waiting packets, and the memory
 * layout that is derived from the configuration. */
#ifndef SWITCH_IDEAL_LAYOUT_H
#define SWITCH_IDEAL_LAYOUT_H

#include "switch/pool.h"
#include "switch/switch.h"

struct ideal_waiter {  /* 64 bytes */
	uint32_t next; /* first member: also links the free list */
	uint16_t in_port;
	uint8_t in_vc;
	uint8_t behind; /* bytes of `next` in units of 2^derived.units, rounded down */
	uint64_t arrived, ready;
	struct sw_packet packet;
};

struct ideal_lane {
	uint32_t head, tail; /* waiters; head SW_POOL_NONE: empty */
};

struct ideal_port { /* a network output; with up to 6 VCs and ordinary buffers half a cache line */
	uint64_t busy_until;
	struct sw_link_end end;
	uint32_t lanes; /* 1 + index of a record in state.lanes, which has [vcs] lanes of packets that wait for credits,
	                   followed (bubble rule) by [vcs] lanes of packets that need slack; 0: no packet has waited at
	                   this port yet */
	uint32_t credits[]; /* [vcs] bytes, or derived.narrow: uint16_t [vcs]. See ideal_credits() */
};

struct ideal_state {
	struct sw_pool waiters, leavings, lanes;
	uint32_t id;
	uint16_t net_ports, terminals;
	union { /* of common and derived, for functions that get only the state */
		struct {
			uint32_t max_packet, at_depths; /* queue_bytes */
		};
		const struct ideal_derived *derived; /* used_credits: instead, with common->count_credits */
	};
	/* The struct is followed by: port[net_ports], terminal_busy_until[terminals], hold, kept[net_ports][lanes],
	 * depth[net_ports] */
	unsigned char rest[] __attribute__((aligned(32)));
};

struct ideal_derived {
	uint64_t traversal;
	uint32_t share, terminal_share; /* share: of a lane, its reserve */
	uint32_t n;                     /* lanes; with several classes all members below named by VC are by lane */
	bool laned;                     /* lanes by traffic class, a pool, or link-level retry: IDEAL_LANES */
	bool store_and_forward;
	uint8_t units; /* low bits of a packet's bytes dropped in ideal_waiter.behind, so that it fits 8 bits */
	bool narrow;   /* credits fit 16 bits, so that a port fits half a cache line */
	uint32_t port_bytes, lanes_bytes;
	uint32_t at_terminals, at_hold, at_depths;
	uint32_t bytes;
};

/* Returns port i of the switch whose state is at `state`. */
static inline struct ideal_port *ideal_port_of(void *state, uint32_t i, size_t port_bytes)
{
	return (struct ideal_port *)(void *)(((struct ideal_state *)state)->rest + i * port_bytes);
}

static inline struct ideal_port *ideal_port_at(const struct ideal_derived *d, struct ideal_state *s, uint32_t i)
{
	return ideal_port_of(s, i, d->port_bytes);
}

static inline uint32_t ideal_credits(const struct ideal_derived *d, const struct ideal_port *o, uint8_t vc)
{
	return d->narrow ? ((const uint16_t *)o->credits)[vc] : o->credits[vc];
}

static inline void ideal_put_credits(const struct ideal_derived *d, struct ideal_port *o, uint8_t vc, uint32_t bytes)
{
	base_checkf(bytes <= d->share || d->laned, "%u credits of %u", bytes, d->share);
	if (d->narrow)
		((uint16_t *)o->credits)[vc] = (uint16_t)bytes;
	else
		o->credits[vc] = bytes;
}

static inline void ideal_set_credits(struct sim_ctx *ctx, const struct ideal_derived *d, struct ideal_port *o,
                                     uint8_t vc, uint32_t bytes)
{
	if (d->narrow)
		sim_save(ctx, (uint16_t *)o->credits + vc, sizeof(uint16_t));
	else
		sim_save(ctx, &o->credits[vc], sizeof(uint32_t));
	ideal_put_credits(d, o, vc, bytes);
}

static inline uint64_t *ideal_terminal_at(const struct ideal_derived *d, struct ideal_state *s, uint32_t i)
{
	return (uint64_t *)(void *)(s->rest + d->at_terminals) + i;
}

static inline struct sw_hold *ideal_hold_at(const struct ideal_derived *d, struct ideal_state *s)
{
	return (struct sw_hold *)(void *)(s->rest + d->at_hold);
}

/* For each lane, the bytes of credits that a network input withholds, or SW_LETS_GO. Only with common.hold_within. */
static inline uint32_t *ideal_kept_at(const struct ideal_derived *d, struct ideal_state *s, uint32_t in_port)
{
	return (uint32_t *)(void *)(ideal_hold_at(d, s) + 1) + in_port * d->n;
}

/* Returns the lane of a VC; NULL: no packet has waited at this port yet. */
static inline struct ideal_lane *ideal_lane_of(const struct ideal_derived *d, const struct ideal_state *s,
                                               const struct ideal_port *o, uint8_t vc, bool slack)
{
	if (!o->lanes)
		return NULL;
	return (struct ideal_lane *)sw_pool_at(&s->lanes, o->lanes - 1, d->lanes_bytes) + (slack ? d->n : 0) + vc;
}

#endif

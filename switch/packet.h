/* switch/packet.h - a packet, as it is stored in an event. It has 40 bytes, so that with the event's header it fills
 * one cache line. */
#ifndef SWITCH_PACKET_H
#define SWITCH_PACKET_H

#include <stdint.h>

/* Flags of sw_packet.route, which only the routing writes. */
enum {
	SW_ROUTE_NONMINIMAL = 1 << 0, /* uses the intermediate sw_packet.via */
	SW_ROUTE_PASSED_VIA = 1 << 1, /* has reached it: on its second leg, and `via` is SW_NO_VIA */
	SW_ROUTE_DECIDED = 1 << 2,    /* the adaptive decision is final */
	SW_ROUTE_LAST_LOCAL = 1 << 3, /* the last hop was a local one (dragonfly VC rule) */
	SW_ROUTE_LEG_SHIFT = 4,       /* bits 4..7: hops taken on this leg, saturating at 15 */
};

#define SW_NO_VIA UINT32_MAX

struct sw_packet {
	uint64_t created;  /* ps; when the source's arrival process created it. With framing, while the packet is in the
	                      network, the upper bits contain the frame's overhead: see sw_packet_frame() */
	uint64_t injected; /* ps; when its first bit left the endpoint. On the exact path, while the packet is in the
	                      network, the upper bits contain marks: see sw_injected() */
	uint32_t src, dst; /* endpoints */
	uint32_t seq;      /* the source's packet number: (src, seq, job) identify a packet for its whole life */
	uint32_t bytes; /* size. At the source and at delivery it is that of the payload; on a link that of its frame on
	                   this link; inside a switch that of the frame by which it arrived */
	uint32_t via;   /* intermediate switch or group of a non-minimal route, SW_NO_VIA if none */
	uint8_t hops;   /* switch-to-switch links taken so far */
	uint8_t vc;     /* virtual channel of its current buffer, or of its current link */
	uint8_t route;  /* SW_ROUTE_* */
	uint8_t job;
};

/* Returns `via` of a packet whose route flags are now `route`: SW_NO_VIA once it has passed its intermediate. The code
 * has no branch, because such a branch would be unpredictable. */
static inline uint32_t sw_packet_via(const struct sw_packet *p, uint32_t route)
{
	return p->via | -(route / SW_ROUTE_PASSED_VIA & 1); /* SW_NO_VIA is all ones */
}

/* Upper bits of `injected` on the exact path (network/nic/nic.h): the packet's number in its pair, modulo
 * SW_PAIR_NUMBERS, if packets are retransmitted or kept in order, and marks of its endpoint and of switches. The lower
 * bits contain the time modulo 2^SW_INJECTED_BITS ps, which is 140 s: no packet is in flight for longer. */
#define SW_INJECTED_BITS 47
#define SW_INJECTED_MASK ((1ull << SW_INJECTED_BITS) - 1)
#define SW_PAIR_NUMBERS 8192u
#define SW_MARK_LAST (1ull << 59)    /* last of its message, if packets have no numbers: net.in_order */
#define SW_MARK_PATH (1ull << 60)    /* first packet of its flow on a new path: network/nic/order.c */
#define SW_MARK_ASKS (1ull << 61)    /* requests an immediate acknowledgement */
#define SW_MARK_TRIMMED (1ull << 62) /* its payload was dropped: it is the smallest frame */
#define SW_MARK_ECN (1ull << 63)     /* congestion experienced */

/* Returns the latest time up to `now` that agrees with `low` in the bits of `mask`, which are the lower ones. */
static inline uint64_t sw_last_time(uint64_t low, uint64_t mask, uint64_t now)
{
	return now - ((now - low) & mask);
}
/* Returns when the packet's first bit left the endpoint, in ps. The result is valid if at `now` the packet has been in
 * flight for at most 140 s. */
static inline uint64_t sw_injected(const struct sw_packet *p, uint64_t now)
{
	return sw_last_time(p->injected, SW_INJECTED_MASK, now);
}
static inline uint32_t sw_pair_number(const struct sw_packet *p)
{
	return (uint32_t)(p->injected >> SW_INJECTED_BITS) % SW_PAIR_NUMBERS;
}

/* Number of bits for the overhead of a packet's frame over its payload. The bits below contain the creation time modulo
 * 2^SW_CREATED_BITS ps, which is 75 minutes: no packet waits at its source and is in flight for longer. */
#define SW_FRAME_MORE_BITS 12
#define SW_CREATED_BITS (64 - SW_FRAME_MORE_BITS)
#define SW_CREATED_MASK ((1ull << SW_CREATED_BITS) - 1)

/* Returns the payload, in bytes, of a packet in a network with framing. */
static inline uint32_t sw_packet_payload(const struct sw_packet *p)
{
	return p->bytes - (uint32_t)(p->created >> SW_CREATED_BITS);
}

/* Sets a packet's payload and its frame size. */
static inline void sw_packet_frame(struct sw_packet *p, uint32_t payload, uint32_t bytes)
{
	p->created = (p->created & SW_CREATED_MASK) | (uint64_t)(bytes - payload) << SW_CREATED_BITS;
	p->bytes = bytes;
}

_Static_assert(sizeof(struct sw_packet) == 48 || sizeof(struct sw_packet) == 40, "a packet must fit an event");

#endif

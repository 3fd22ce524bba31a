/* switch/packet.h - a packet, as it travels inside an event. 40 bytes: with the event's header one cache line. */
#ifndef SWITCH_PACKET_H
#define SWITCH_PACKET_H

#include <stdint.h>

/* Flags of sw_packet.route; written by routing only. */
enum {
	SW_ROUTE_NONMINIMAL = 1 << 0, /* goes by sw_packet.via */
	SW_ROUTE_PASSED_VIA = 1 << 1, /* has been there: now on its second leg, and `via` is SW_NO_VIA */
	SW_ROUTE_DECIDED = 1 << 2,    /* the adaptive decision is final */
	SW_ROUTE_LAST_LOCAL = 1 << 3, /* the last hop was a local one (dragonfly VC rule) */
	SW_ROUTE_LEG_SHIFT = 4,       /* bits 4..7: hops taken on this leg, saturating at 15 */
};

#define SW_NO_VIA UINT32_MAX

struct sw_packet {
	uint64_t created;  /* ps; when the source's arrival process made it */
	uint64_t injected; /* ps; when its first bit left the endpoint */
	uint32_t src, dst; /* endpoints */
	uint32_t seq;      /* the source's packet number: (src, seq, job) names a packet for its whole life */
	uint32_t bytes;
	uint32_t via;  /* intermediate switch or group of a non-minimal route, SW_NO_VIA if none */
	uint8_t hops;  /* switch-to-switch links taken so far */
	uint8_t vc;    /* virtual channel of the buffer it is in, or of the link it is on */
	uint8_t route; /* SW_ROUTE_* */
	uint8_t job;
};

/* `via` of a packet whose route flags are now `route`. No branch: it would be a matter of chance. */
static inline uint32_t sw_packet_via(const struct sw_packet *p, uint32_t route)
{
	return p->via | -(route / SW_ROUTE_PASSED_VIA & 1); /* SW_NO_VIA is all ones */
}

_Static_assert(sizeof(struct sw_packet) == 48 || sizeof(struct sw_packet) == 40, "a packet must fit an event");

#endif

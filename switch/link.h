/* switch/link.h - the properties of a class of links, and the far end of a port's link, as seen by a switch. */
#ifndef SWITCH_LINK_H
#define SWITCH_LINK_H

#include <stdint.h>

#define SW_LINK_CLASS_BITS 8
#define SW_LINK_CLASSES ((1 << SW_LINK_CLASS_BITS) - 1)
#define SW_LINK_TERMINAL SW_LINK_CLASSES /* index of the terminal link in sw_common.link */

struct sw_link {
	uint64_t latency;         /* ps */
	uint64_t ps_per_byte_q16; /* 16 fractional bits */
	uint64_t gap;             /* ps of idle time after a frame */
	/* Framing, in bytes. header: overhead of a frame besides its payload; min_frame: minimum size of a frame;
	 * granule: the size is a multiple of this (0: of 1); gap_bytes: `gap` in bytes. */
	uint16_t header, min_frame, granule, gap_bytes;
};
_Static_assert(sizeof(struct sw_link) == 32, "links[i] is addressed by a shift");

/* Returns the size in bytes of the frame for a payload on a link. Buffers and credits are counted in these bytes. */
static inline uint32_t sw_frame_bytes(const struct sw_link *l, uint32_t payload)
{
	uint32_t bytes = payload + l->header;
	bytes = bytes > l->min_frame ? bytes : l->min_frame;
	return l->granule > 1 ? (bytes + l->granule - 1) / l->granule * l->granule : bytes;
}

/* Returns the ps from a frame's first bit to its last one. The link is busy for `gap` longer. */
static inline uint64_t sw_serialisation(const struct sw_link *l, uint32_t bytes)
{
	return (bytes * l->ps_per_byte_q16 + 0x8000u) >> 16;
}

/* Maximum bytes per ps, with 32 fractional bits, that back-to-back frames of at least `least` bytes carry. As frame
 * times are rounded, this is slightly above the link's rate. 0: there is no limit. */
static inline uint64_t sw_most_per_ps_q32(const struct sw_link *l, uint32_t least)
{
	uint64_t twice = 2ull * least * l->ps_per_byte_q16; /* the time of `least`, minus half a ps, times 2^17 */
	return twice < 0x20000u ? 0 : (uint64_t)(((unsigned __int128)least << 49) / (twice - 0x10000u)) + 1;
}

/* The other end of a network port's cable. */
struct sw_link_end {
	uint32_t lp;        /* logical process of the peer */
	uint16_t port;      /* its port */
	uint8_t link_class; /* in sw_common.link and incoming: 0 .. SW_LINK_CLASSES - 1 */
	uint8_t let_go;     /* owned by the switch, initially 0: bits of lanes, see switch/hold.h */
};

#endif

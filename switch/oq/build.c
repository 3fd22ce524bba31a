/* switch/oq/build.c - derives the constants of the output-queued switch from its keys: sizes of queues, thresholds for
 * marks and pauses, and headrooms, all in bytes. Invalid combinations of keys are refused. */
#include "switch/oq/oq.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

#define HEADER 64u /* bytes of an acknowledgement or a trimmed packet, for the round trip */

static uint64_t longest_link(const struct sw_common *c)
{
	uint64_t longest = 0;
	for (int k = 0; c->max_net_ports && k < SW_LINK_CLASSES; k++)
		longest = c->link[k].latency > longest ? c->link[k].latency : longest;
	return longest;
}

/* The bandwidth-delay product of the network, as a number of largest packets: those that a terminal link carries in the
 * longest round trip. This consists of the latencies of cables and switches on the longest route in both directions
 * and, on each of its links, the time of a largest packet and of a header. */
static uint64_t bdp_packets(const struct sw_common *c, const struct oq_params *p)
{
	const struct sw_link *l = &c->link[SW_LINK_TERMINAL];
	uint64_t way = 2 * l->latency + c->max_hops * longest_link(c) + (c->max_hops + 1) * p->latency;
	uint64_t trip =
	    2 * way + (c->max_hops + 2) * (sw_serialisation(l, c->max_packet) + sw_serialisation(l, HEADER));
	uint64_t bytes = (uint64_t)(((unsigned __int128)trip << 16) / l->ps_per_byte_q16);
	return (bytes + c->max_packet - 1) / c->max_packet;
}

static uint32_t limited(uint64_t bytes)
{
	return bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
}

static int check_queue(const struct sw_common *c, struct oq *x, uint64_t bdp, struct base_errors *errors)
{
	const struct oq_params *p = x->p;
	uint64_t buffer = p->buffer != BASE_AUTO_SIZE_VALUE ? p->buffer : (p->trim ? 1 : 5) * bdp * c->max_packet;
	x->limit[OQ_LOW] = x->limit[OQ_HIGH] = x->limit[OQ_KEPT] = UINT32_MAX;
	if (p->pfc && !x->mixed)
		return 0;
	x->limit[OQ_LOW] = limited(buffer);
	x->limit[OQ_HIGH] = limited(2 * buffer);
	if (buffer < c->max_packet)
		return base_errorf(errors, "buffer", "%" PRIu64 " bytes do not hold a packet of %u bytes", buffer,
		                   c->max_packet);
	if (buffer > UINT32_MAX / 2)
		return base_errorf(errors, "buffer", "%" PRIu64 " bytes are too many; at most 2 GiB are supported",
		                   buffer);
	if (p->trim && c->framed && p->trim_bytes != HEADER)
		return base_errorf(errors, "trim_bytes",
		                   "has no effect with links that have framing: a trimmed packet is then a frame "
		                   "without payload; remove the key");
	return 0;
}

static int check_marks(const struct sw_common *c, struct oq *x, uint64_t bdp, struct base_errors *errors)
{
	const struct oq_params *p = x->p;
	uint64_t kmin = p->ecn_kmin != BASE_AUTO_SIZE_VALUE ? p->ecn_kmin : (bdp + 4) / 5 * c->max_packet;
	uint64_t kmax = p->ecn_kmax != BASE_AUTO_SIZE_VALUE ? p->ecn_kmax : (4 * bdp + 4) / 5 * c->max_packet;
	x->kmin = limited(kmin);
	x->kmax = limited(kmax);
	if (kmin > kmax)
		return base_errorf(errors, p->ecn_kmin != BASE_AUTO_SIZE_VALUE ? "ecn_kmin" : "ecn_kmax",
		                   "marking would begin at %" PRIu64 " bytes (ecn_kmin), which is above the %" PRIu64
		                   " bytes at which all packets are marked (ecn_kmax)",
		                   kmin, kmax);
	x->steepness = kmax > kmin ? (uint64_t)(p->ecn_pmax * 0x1p63 / (double)(kmax - kmin)) : 0;
	return 0;
}

/* Returns the bytes that may still arrive by a link after a pause has been sent: those that the cable carries during
 * its latencies in both directions, and one packet whose transmission had begun. With the dynamic threshold it is one
 * more packet, by which a port may exceed the threshold. */
static uint64_t headroom_needed(const struct sw_common *c, const struct oq *x, unsigned link)
{
	uint64_t cables =
	    (uint64_t)(((unsigned __int128)sw_there_and_back(c, link) << 16) / c->incoming[link].ps_per_byte_q16) + 1;
	return cables + c->max_packet + (x->pause ? 0 : c->max_packet);
}

static int check_headroom(const struct sw_common *c, struct oq *x, struct base_errors *errors)
{
	const struct oq_params *p = x->p;
	for (int k = 0; k <= SW_LINK_TERMINAL; k++) {
		if (k < SW_LINK_TERMINAL && (!c->max_net_ports || !c->link[k].ps_per_byte_q16))
			continue;
		uint64_t needed = headroom_needed(c, x, (unsigned)k);
		if (p->pfc_headroom != BASE_AUTO_SIZE_VALUE && p->pfc_headroom < needed)
			return base_errorf(errors, "pfc_headroom",
			                   "%" PRIu64 " bytes could overflow: up to %" PRIu64
			                   " may arrive before a pause takes effect",
			                   p->pfc_headroom, needed);
		x->headroom[k] = limited(p->pfc_headroom != BASE_AUTO_SIZE_VALUE ? p->pfc_headroom : needed);
	}
	return 0;
}

static int check_pauses(const struct sw_common *c, struct oq *x, struct base_errors *errors)
{
	const struct oq_params *p = x->p;
	if (!p->pfc)
		return 0;
	if (x->mixed && c->lossy_classes == UINT32_MAX >> (32 - c->traffic_classes))
		return base_errorf(errors, "pfc", "has no effect: no class of traffic is lossless");
	if (c->bubble && !c->unsafe)
		return base_errorf(errors, "pfc",
		                   "this routing is free of deadlock by a rule about free buffers, which links with "
		                   "pauses cannot enforce; routing.unsafe = true allows it");
	if (c->may_turn && !c->unsafe)
		return base_errorf(errors, "pfc",
		                   "this routing is free of deadlock only if packets take another path instead of "
		                   "waiting, but here they wait for a paused link; routing.unsafe = true allows it");
	if (p->pfc_pause != BASE_AUTO_SIZE_VALUE) {
		uint64_t resume = p->pfc_resume != BASE_AUTO_SIZE_VALUE ? p->pfc_resume : p->pfc_pause / 5 * 4;
		x->pause = limited(p->pfc_pause);
		x->resume = limited(resume ? resume : 1);
		if (resume > p->pfc_pause)
			return base_errorf(errors, "pfc_resume", "%" PRIu64 " bytes are above pfc_pause, %" PRIu64,
			                   resume, p->pfc_pause);
	}
	if (check_headroom(c, x, errors))
		return -1;
	if (x->pause)
		return 0;
	uint64_t widest = x->headroom[SW_LINK_TERMINAL];
	for (int k = 0; k < SW_LINK_CLASSES; k++)
		widest = x->headroom[k] > widest ? x->headroom[k] : widest;
	uint64_t taken = x->ports * (p->pfc_reserve + widest);
	x->reserve = limited(p->pfc_reserve);
	x->offset = limited(p->pfc_offset);
	x->shared = p->pfc_buffer > taken ? p->pfc_buffer - taken : 0;
	if (!x->shared || p->pfc_buffer > UINT32_MAX)
		return base_errorf(errors, "pfc_buffer",
		                   "a buffer of %" PRIu64
		                   " bytes is not possible: the reserves and headrooms of %u ports take %" PRIu64
		                   " bytes, and at most 4 GiB in all are supported",
		                   p->pfc_buffer, x->ports, taken);
	return 0;
}

int oq_build(struct sw_common *c, struct base_errors *errors)
{
	struct oq *x = base_alloc(sizeof *x);
	*x = (struct oq){ .p = c->params, .ports = c->max_ports };
	x->mixed = x->p->pfc && c->lossy_classes;
	uint64_t bdp = bdp_packets(c, x->p);
	if (check_queue(c, x, bdp, errors) | check_marks(c, x, bdp, errors) | check_pauses(c, x, errors)) {
		free(x);
		return -1;
	}
	for (int k = 0; k <= SW_LINK_TERMINAL; k++)
		if (c->link[k].ps_per_byte_q16)
			x->bytes_per_ps_q32[k] = (uint64_t)(((unsigned __int128)1 << 48) / c->link[k].ps_per_byte_q16);
	x->ahead = x->p->pfc ? 0 : x->p->latency;
	x->at_inputs = x->ports * (uint32_t)sizeof(struct oq_output);
	x->bytes = x->at_inputs + (x->p->pfc ? x->ports * (uint32_t)sizeof(struct oq_input) : 0);
	c->creditless = true;
	c->lossy = !x->p->pfc || x->mixed;
	c->trims = x->p->trim;
	c->marks = x->p->ecn;
	c->impl = x;
	return 0;
}

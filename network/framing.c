/* network/framing.c - what links add to a payload: header, minimum frame, granule and gap.
 *
 * Traffic is specified as payload. On a link a packet is a frame of round_up(max(payload + header, min_frame), granule)
 * bytes, at least one, and the link is idle for `gap` bytes after it. Buffers hold frames and credits count frames, on
 * both ends of a link with the framing of this link. sw_packet.bytes is the payload at the source and at delivery, in
 * between the frame, which differs between links with different framings. The difference between frame and payload is
 * carried in bits of sw_packet.created that times do not need, so a network without framing has no cost. */
#include "base/memory.h"
#include "network/legs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* "roce": the payload is in an InfiniBand packet (12 bytes, and a CRC of 4) in UDP (8) in IPv4 (20) in Ethernet (14 and
 * a CRC of 4): 62 bytes in total, the sum given by De Sensi et al. The parts that they list sum up to 72: they include
 * Ethernet's preamble, which is part of the gap here, and 2 further bytes. "ethernet" and the gaps follow IEEE 802.3:
 * 14 + 4 bytes, a preamble of 8 and an inter-packet gap of 12. "slingshot-fabric": the same packets between Rosetta
 * switches, where the minimum frame is 32 bytes and there is no gap; that IP packets may omit the Ethernet header is
 * not modelled. */
static const struct net_framing presets[] = {
	[NET_FRAMING_NONE] = { NET_FRAMING_NONE, 0, 0, 1, 0 },
	[NET_FRAMING_ETHERNET] = { NET_FRAMING_ETHERNET, 18, 64, 1, 20 },
	[NET_FRAMING_ROCE] = { NET_FRAMING_ROCE, 62, 64, 1, 20 },
	[NET_FRAMING_FABRIC] = { NET_FRAMING_FABRIC, 62, 32, 1, 0 },
	[NET_FRAMING_ARIES] = { NET_FRAMING_ARIES, 20, 6, 6, 0 },
};

static uint64_t choose(uint64_t given, uint64_t preset)
{
	return given == BASE_AUTO_SIZE_VALUE ? preset : given;
}

struct net_framing net_framing_of(const struct net_link *link)
{
	const struct net_framing *f = &link->framing, *p = &presets[f->preset];
	return (struct net_framing){ .preset = f->preset,
		                     .header = choose(f->header, p->header),
		                     .min_frame = choose(f->min_frame, p->min_frame),
		                     .granule = choose(f->granule, p->granule) + !f->granule, /* 0: as 1 */
		                     .gap = choose(f->gap, p->gap) };
}

void net_set_framing(struct sw_link *out, const struct net_link *link)
{
	struct net_framing f = net_framing_of(link);
	base_checkf(f.header <= NET_FRAMING_MOST && f.min_frame <= NET_FRAMING_MOST && f.granule <= NET_FRAMING_MOST &&
	                f.gap <= UINT16_MAX,
	            "a framing of %" PRIu64 ", %" PRIu64 ", %" PRIu64 " and %" PRIu64 " bytes", f.header, f.min_frame,
	            f.granule, f.gap);
	_Static_assert(2 * NET_FRAMING_MOST < 1 << SW_FRAME_MORE_BITS, "it fits beside the time of creation");
	out->header = (uint16_t)f.header;
	out->min_frame = (uint16_t)f.min_frame;
	out->granule = (uint16_t)f.granule;
	out->gap_bytes = (uint16_t)f.gap;
	out->gap = (f.gap * out->ps_per_byte_q16 + 0x8000u) >> 16;
}

static bool frames(const struct sw_link *l)
{
	return l->header || l->min_frame || l->granule > 1 || l->gap_bytes;
}

static bool same_frames(const struct sw_link *a, const struct sw_link *b)
{
	return a->header == b->header && a->min_frame == b->min_frame && a->granule == b->granule;
}

/* The i-th of the links there are, last the terminals'. */
static const struct sw_link *link_at(const struct net *n, uint32_t i)
{
	return &n->common.link[i < n->cables.links ? i : SW_LINK_TERMINAL];
}

/* min_packet and max_packet, so far of payloads, become those of frames. */
static void widen(struct net *n)
{
	struct sw_common *c = &n->common;
	uint32_t least = UINT32_MAX, most = 0;
	for (uint32_t i = 0; i <= n->cables.links; i++) {
		uint32_t low = sw_frame_bytes(link_at(n, i), c->min_packet),
			 high = sw_frame_bytes(link_at(n, i), c->max_packet);
		least = low < least ? low : least;
		most = high > most ? high : most;
	}
	c->min_packet = least;
	c->max_packet = most;
}

struct share {
	const struct sw_link *link;
	double wire; /* bytes on the wire for each byte of payload */
};

static void add_share(void *arg, uint32_t bytes, double share)
{
	struct share *s = arg;
	s->wire += share * ((double)sw_frame_bytes(s->link, bytes) + s->link->gap_bytes) / bytes;
}

double net_ceiling(const struct net *n, uint32_t job, const struct sw_link *link)
{
	struct share s = { .link = link };
	n->traffic.sizes(&n->traffic, job, add_share, &s);
	return s.wire > 0 ? 1 / s.wire : 1;
}

static void warn_of_loads(const struct net *n, struct base_errors *errors)
{
	for (uint32_t j = 0; j < n->traffic.jobs; j++) {
		double load = n->traffic.job[j].load, most = net_ceiling(n, j, &n->common.link[SW_LINK_TERMINAL]);
		char key[48];
		snprintf(key, sizeof key, "traffic.[%" PRIu32 "].load", j);
		if (load > most)
			base_warnf(errors, key,
			           "%g exceeds %.4f, the largest fraction of an endpoint's link that payload can use "
			           "with the framing of links.terminal: the network is saturated",
			           load, most);
	}
}

int net_frame_links(struct net *n, struct base_errors *errors)
{
	struct sw_common *c = &n->common;
	const struct sw_link *terminal = &c->link[SW_LINK_TERMINAL];
	for (uint32_t i = 0; i <= n->cables.links; i++) {
		c->framed |= frames(link_at(n, i));
		c->reframes |= !same_frames(link_at(n, i), terminal);
	}
	if (!c->framed)
		return 0;
	for (uint32_t i = 0; i <= SW_LINK_TERMINAL; i++) /* of what has no payload, as a probe */
		if (!c->link[i].header && !c->link[i].min_frame)
			c->link[i].min_frame = c->incoming[i].min_frame = 1;
	c->one_rate &= !c->reframes;
	if (!c->ops->links.frames)
		return base_errorf(errors, "switch.kind",
		                   "switch \"%s\" does not support framing: it leaves no gap between packets, and "
		                   "counts only their payload",
		                   n->config->sw.plugin->name);
	if (n->traffic.jobs)
		widen(n);
	warn_of_loads(n, errors);
	return 0;
}

static void find_ceilings(const struct net *n, struct net_framing_of_class *out, const struct sw_link *link)
{
	out->header = link->header;
	out->min_frame = link->min_frame;
	out->granule = link->granule > 1 ? link->granule : 1;
	out->gap = link->gap_bytes;
	out->ceiling = base_calloc(n->traffic.jobs + 1, sizeof *out->ceiling);
	for (uint32_t j = 0; j < n->traffic.jobs; j++)
		out->ceiling[j] = net_ceiling(n, j, link);
}

void net_find_framings(const struct net *n, struct net_framings *out)
{
	uint32_t classes = n->common.max_net_ports ? (uint32_t)topo_named_classes(&n->topo) : 0;
	out->n = 0;
	if (!n->common.framed)
		return;
	for (uint32_t i = 0; i < classes; i++) {
		out->v[out->n].link_class = i;
		find_ceilings(n, &out->v[out->n++], &n->common.link[net_link_of(n, i)]);
	}
	out->v[out->n].link_class = TOPO_LINK_CLASSES;
	find_ceilings(n, &out->v[out->n++], &n->common.link[SW_LINK_TERMINAL]);
}

void net_framings_free(struct net_framings *f)
{
	for (uint32_t i = 0; i < f->n; i++)
		free(f->v[i].ceiling);
	f->n = 0;
}

/* network/framing.c - what links, and traffic classes with a framing of their own, add to a payload: header, minimum
 * frame, granule and gap.
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
#include <string.h>

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

/* `own`, and where it says nothing the other. */
static struct net_framing choose_all(const struct net_framing *own, const struct net_framing *other)
{
	return (struct net_framing){ .preset = other->preset,
		                     .header = choose(own->header, other->header),
		                     .min_frame = choose(own->min_frame, other->min_frame),
		                     .granule = choose(own->granule, other->granule) + !own->granule, /* 0: as 1 */
		                     .gap = choose(own->gap, other->gap) };
}

struct net_framing net_framing_of(const struct net_link *link)
{
	return choose_all(&link->framing, &presets[link->framing.preset]);
}

struct net_framing net_framing_in(const struct net_class *class, const struct net_link *link)
{
	const struct net_framing *own = &class->framing;
	struct net_framing of_link = net_framing_of(link);
	bool preset = own->preset != NET_CLASS_FRAMING_LINK;
	return choose_all(own, preset ? &presets[own->preset - NET_CLASS_FRAMING_PRESET] : &of_link);
}

bool net_class_frames(const struct net_class *class)
{
	const struct net_framing *f = &class->framing, none = NET_CLASS_FRAMING_DEFAULT;
	return f->preset != none.preset || f->header != none.header || f->min_frame != none.min_frame ||
	       f->granule != none.granule || f->gap != none.gap;
}

void net_set_framing(struct sw_link *out, struct net_framing f)
{
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

/* The number in sw_common.link of the i-th of the links there are, last the terminals'. */
static unsigned link_number_of(const struct net *n, uint32_t i)
{
	return i < n->cables.links ? i : SW_LINK_TERMINAL;
}

static const struct sw_link *link_at(const struct net *n, uint32_t i)
{
	return &n->common.link[link_number_of(n, i)];
}

/* min_packet and max_packet, so far of payloads, become those of frames. */
static void widen(struct net *n)
{
	struct sw_common *c = &n->common;
	uint32_t least = UINT32_MAX, most = 0;
	for (uint32_t i = 0; i <= n->cables.links; i++)
		for (uint32_t j = 0; j < n->traffic.streams; j++) {
			const struct sw_link *link = sw_link_for_job(c, link_number_of(n, i), j);
			uint32_t low = sw_frame_bytes(link, n->traffic.job[j].min_packet),
				 high = sw_frame_bytes(link, n->traffic.job[j].max_packet);
			least = low < least ? low : least;
			most = high > most ? high : most;
		}
	c->min_packet = least;
	c->max_packet = most;
}

uint32_t net_longest_frame(const struct net *n, unsigned link)
{
	const struct sw_frame_kinds *kinds = n->common.kinds;
	uint32_t most = kinds ? 0 : sw_frame_bytes(&n->common.link[link], n->max_payload);
	for (uint32_t k = 0; kinds && k < kinds->n; k++) {
		uint32_t bytes = sw_frame_bytes(&kinds->link[k][link], n->max_payload);
		most = bytes > most ? bytes : most;
	}
	return most;
}

/* --- frames by traffic class ------------------------------------------------------------------------------- */

/* On any link; a frame without payload and header, as of a probe, has one byte. */
static void set_row(const struct net *n, const struct net_class *class, struct sw_link *row)
{
	memcpy(row, n->common.link, sizeof n->common.link);
	for (uint32_t k = 0; k <= SW_LINK_TERMINAL; k++) {
		struct net_link link = net_link_numbered(n, k);
		net_set_framing(&row[k], net_framing_in(class, &link));
		if (!row[k].header && !row[k].min_frame)
			row[k].min_frame = 1;
	}
}

static bool same_row(const struct sw_link *a, const struct sw_link *b)
{
	for (uint32_t k = 0; k <= SW_LINK_TERMINAL; k++)
		if (!same_frames(&a[k], &b[k]) || a[k].gap_bytes != b[k].gap_bytes)
			return false;
	return true;
}

/* Classes with equal frames share a kind. */
static void build_kinds(struct net *n)
{
	const struct net_config *config = n->config;
	struct sw_frame_kinds *kinds = base_calloc(1, sizeof *kinds);
	uint8_t *of_class = base_calloc(config->nclasses, sizeof *of_class);
	kinds->link = base_calloc(config->nclasses, sizeof *kinds->link);
	for (uint32_t k = 0; k < config->nclasses; k++) {
		struct sw_link *row = kinds->link[kinds->n];
		uint32_t same = 0;
		set_row(n, &config->classes[k], row);
		while (!same_row(kinds->link[same], row))
			same++;
		of_class[k] = (uint8_t)same;
		kinds->n += same == kinds->n;
	}
	for (uint32_t j = 0; j < n->traffic.streams; j++)
		kinds->of_job[j] = of_class[n->traffic.job[j].class_index];
	free(of_class);
	n->common.kinds = kinds;
}

void net_kinds_destroy(struct net *n)
{
	struct sw_frame_kinds *kinds = (struct sw_frame_kinds *)(uintptr_t)n->common.kinds;
	if (kinds)
		free(kinds->link);
	free(kinds);
}

uint64_t net_kinds_bytes(const struct net *n)
{
	const struct sw_frame_kinds *kinds = n->common.kinds;
	return kinds ? sizeof *kinds + n->config->nclasses * sizeof *kinds->link : 0;
}

/* Are a class's frames the same on all links with and without one of its keys? */
static bool changes_nothing(const struct net *n, const struct net_class *class, const struct net_class *without)
{
	for (uint32_t i = 0; i <= n->cables.links; i++) {
		struct net_link link = net_link_numbered(n, link_number_of(n, i));
		struct net_framing f = net_framing_in(class, &link), g = net_framing_in(without, &link);
		if (f.header != g.header || f.min_frame != g.min_frame || f.granule != g.granule || f.gap != g.gap)
			return false;
	}
	return true;
}

static int refuse_framing(const struct net *n, uint32_t k, struct base_errors *errors)
{
	const struct net_class *class = &n->config->classes[k];
	const struct net_framing none = NET_CLASS_FRAMING_DEFAULT;
	static const char *const keys[] = { "framing", "header", "min_frame", "granule", "gap" };
	int status = 0;
	for (int i = 0; i < 5; i++) {
		struct net_class without = *class;
		struct net_framing *f = &without.framing;
		const bool given[] = { f->preset != none.preset, f->header != none.header,
			               f->min_frame != none.min_frame, f->granule != none.granule, f->gap != none.gap };
		char key[64];
		if (!given[i])
			continue;
		f->preset = i == 0 ? none.preset : f->preset;
		f->header = i == 1 ? none.header : f->header;
		f->min_frame = i == 2 ? none.min_frame : f->min_frame;
		f->granule = i == 3 ? none.granule : f->granule;
		f->gap = i == 4 ? none.gap : f->gap;
		snprintf(key, sizeof key, "classes.[%" PRIu32 "].%s", k, keys[i]);
		if (changes_nothing(n, class, &without))
			status =
			    base_errorf(errors, key,
			                "has no effect in this network: without it the frames of this class are the "
			                "same on every link");
	}
	return status;
}

static int frame_classes(struct net *n, struct base_errors *errors)
{
	const struct net_config *config = n->config;
	bool own = false;
	int status = 0;
	for (uint32_t k = 0; k < config->nclasses; k++) {
		own |= net_class_frames(&config->classes[k]);
		status |= refuse_framing(n, k, errors);
	}
	if (!own || status)
		return status;
	if (!n->common.ops->links.kinds)
		return base_errorf(errors, "switch.kind",
		                   "switch \"%s\" does not support frames by traffic class (classes[].framing)",
		                   config->sw.plugin->name);
	build_kinds(n);
	return 0;
}

/* --- loads ------------------------------------------------------------------------------------------------- */

struct share {
	const struct sw_link *link;
	double wire; /* bytes on the wire for each byte of payload */
};

static void add_share(void *arg, uint32_t bytes, double share)
{
	struct share *s = arg;
	s->wire += share * ((double)sw_frame_bytes(s->link, bytes) + s->link->gap_bytes) / bytes;
}

double net_ceiling(const struct net *n, uint32_t job, unsigned link)
{
	struct share s = { .link = sw_link_for_job(&n->common, link, job) };
	n->traffic.sizes(&n->traffic, job, add_share, &s);
	return s.wire > 0 ? 1 / s.wire : 1;
}

static void warn_of_loads(const struct net *n, struct base_errors *errors)
{
	for (uint32_t j = 0; j < n->traffic.jobs; j++) {
		double load = n->traffic.job[j].load, most = net_ceiling(n, j, SW_LINK_TERMINAL);
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
	if (frame_classes(n, errors))
		return -1;
	if (c->kinds)
		c->framed = c->reframes = true;
	if (!c->framed)
		return 0;
	for (uint32_t i = 0; i <= SW_LINK_TERMINAL; i++) /* of what has no payload, as a probe */
		if (!c->link[i].header && !c->link[i].min_frame)
			c->link[i].min_frame = c->incoming[i].min_frame = 1;
	c->one_rate &= !c->reframes;
	if (!c->ops->links.frames)
		return base_errorf(errors, "switch.kind",
		                   "switch \"%s\" does not support framing: it leaves no gaps between packets, and "
		                   "counts only the payload of packets",
		                   n->config->sw.plugin->name);
	if (n->traffic.jobs)
		widen(n);
	warn_of_loads(n, errors);
	return 0;
}

/* traffic_class: its number, or UINT32_MAX: all have the same frames. */
static void find_ceilings(const struct net *n, struct net_framings *all, uint32_t link_class, uint32_t traffic_class)
{
	struct net_framing_of_class *out = &all->v[all->n++];
	const bool every = traffic_class == UINT32_MAX;
	unsigned number = link_class < TOPO_LINK_CLASSES ? net_link_of(n, link_class) : SW_LINK_TERMINAL;
	struct net_link link = net_link_numbered(n, number);
	struct net_framing f =
	    every ? net_framing_of(&link) : net_framing_in(&n->config->classes[traffic_class], &link);
	*out = (struct net_framing_of_class){ .link_class = link_class,
		                              .traffic_class = every ? NULL : n->config->classes[traffic_class].name,
		                              .header = (uint32_t)f.header,
		                              .min_frame = (uint32_t)f.min_frame,
		                              .granule = (uint32_t)f.granule,
		                              .gap = (uint32_t)f.gap,
		                              .ceiling = base_calloc(n->traffic.jobs + 1, sizeof *out->ceiling) };
	if (!out->header && !out->min_frame)
		out->min_frame = 1; /* as switches have it */
	for (uint32_t j = 0; j < n->traffic.jobs; j++)
		if (every || n->traffic.job[j].class_index == traffic_class)
			out->ceiling[j] = net_ceiling(n, j, number);
}

void net_find_framings(const struct net *n, struct net_framings *out)
{
	uint32_t links = n->common.max_net_ports ? (uint32_t)topo_named_classes(&n->topo) : 0;
	uint32_t classes = n->common.kinds ? n->config->nclasses : 1;
	out->n = 0;
	if (!n->common.framed)
		return;
	out->v = base_calloc((size_t)(links + 1) * classes, sizeof *out->v);
	for (uint32_t i = 0; i <= links; i++)
		for (uint32_t k = 0; k < classes; k++)
			find_ceilings(n, out, i < links ? i : TOPO_LINK_CLASSES, n->common.kinds ? k : UINT32_MAX);
}

void net_framings_free(struct net_framings *f)
{
	for (uint32_t i = 0; i < f->n; i++)
		free(f->v[i].ceiling);
	free(f->v);
	*f = (struct net_framings){ 0 };
}

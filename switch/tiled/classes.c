/* switch/tiled/classes.c - the order of traffic classes in the tiled switch. See switch/classes.h for the rules.
 *
 * A packet's level is that of its class at its output, given by the buckets there. With grants the level is decided by
 * the grant: a packet keeps it, and passes row bus, crossbar output and multiplexer before all packets that were
 * granted at lower levels, for any output. Earlier packets in its front inherit the level, since the packet cannot pass
 * them. Without grants no decision is made before the multiplexer: until then a packet has the current level of its
 * class at its output, and packets of a held class have the lowest level.
 *
 * Claims. A packet needs the exit from its input (the row bus, or the exit of its row buffer) and its column at the
 * same time, and with traffic for other outputs and from other inputs both are rarely free together. So a granted
 * packet that waits only for its column claims its exit: no packet of a lower level uses the exit until the claiming
 * packet has crossed. So a packet waits for at most one packet of a lower level at its input, and for at most one at
 * its output. Granted packets always cross, so every claim ends: among claims of the highest level at an output one
 * crosses as soon as the output is free, and claims of one level do not block each other. Without grants a packet may
 * have to wait for credits as well, so it claims nothing. */
#include "switch/tiled/tiled.h"

static uint64_t rate_of(const struct sw_call *call, struct tiled_state *s, uint32_t out)
{
	return call->common->link[tiled_port_at(s->derived, s, out)->link].ps_per_byte_q16;
}

/* The level of each class at an output, or SW_CLASS_HELD. */
void tiled_levels(const struct sw_call *call, struct tiled_state *s, uint32_t out, uint32_t *level, uint64_t *when)
{
	const struct tiled_derived *d = s->derived;
	const struct sw_class_buckets *b = tiled_buckets_at(d, s, out, 0);
	for (uint32_t k = 0; k < d->classes; k++) {
		uint64_t then = TILED_NEVER;
		uint64_t any = 0;
		for (uint32_t w = 0; w < d->vcs * d->words; w++)
			any |= *tiled_asked_at(d, s, out, (size_t)k * d->vcs * d->words + w);
		level[k] =
		    any ? sw_class_level(&d->order, b, k, rate_of(call, s, out), call->now, &then) : SW_CLASS_HELD;
		*when = tiled_min(*when, then);
	}
}

/* The level of the packets of one class and output in a nonempty list; or SW_CLASS_HELD. */
uint32_t tiled_level_of(const struct sw_call *call, struct tiled_state *s, const struct tiled_list *l, uint64_t *when)
{
	const struct tiled_derived *d = s->derived;
	uint32_t level = 0;
	base_check(d->ordered && l->head != TILED_NONE);
	if (!d->grants) {
		const struct tiled_packet *p = tiled_packet_at(s, l->head);
		uint32_t out = tiled_out(p);
		return sw_class_level(&d->order, tiled_buckets_at(d, s, out, 0), tiled_class(d, p),
		                      rate_of(call, s, out), call->now, when);
	}
	for (uint32_t k = l->head; k != TILED_NONE && level + 1 < d->levels; k = tiled_packet_at(s, k)->next)
		level = (uint32_t)tiled_max(level, tiled_trace_of(tiled_packet_at(s, k))->level);
	return level;
}

/* The packet goes to its output, or is granted it. */
void tiled_pay(struct sw_call *call, struct tiled_state *s, struct tiled_packet *p)
{
	const struct tiled_derived *d = s->derived;
	uint32_t out = tiled_out(p);
	const struct sw_link *link = sw_link_for_job(call->common, tiled_port_at(d, s, out)->link, p->packet.job);
	sw_class_pay(call->ctx, &d->order, tiled_buckets_at(d, s, out, 0), tiled_class(d, p), link->ps_per_byte_q16,
	             tiled_leaving(s, p) + link->gap_bytes, call->now);
}

/* Is there a packet of a higher level at its tile, which needs only its column? */
static bool claims(const struct sw_call *call, struct tiled_state *s, const struct tiled_front *f, uint32_t level)
{
	const struct tiled_derived *d = s->derived;
	uint64_t when;
	if (f->list.head == TILED_NONE || f->contend > call->now || tiled_level_of(call, s, &f->list, &when) <= level)
		return false;
	const struct tiled_packet *p = tiled_packet_at(s, f->list.head);
	size_t crossing = (size_t)tiled_out(p) * d->geometry.rows + d->geometry.row[tiled_in(p)];
	return !d->column_buffered ||
	       tiled_column_at(d, s, crossing * d->lanes + tiled_lane(d, p))->space >= p->packet.bytes;
}

/* Has an input granted packets of a higher level for another output than `out` by the same exit? */
bool tiled_claimed(const struct sw_call *call, struct tiled_state *s, uint32_t in, uint32_t out, uint32_t level)
{
	const struct tiled_derived *d = s->derived;
	if (d->row_buffered) {
		for (uint32_t q = 0; q < d->front_lanes; q++) {
			const struct tiled_front *f = tiled_front_at(d, s, tiled_front_index(d, in, out, q));
			if (claims(call, s, f, level) && tiled_out(tiled_packet_at(s, f->list.head)) != out)
				return true;
		}
		return false;
	}
	for (SW_EACH(o, tiled_waiting_at(d, s, in, 0), sw_set_words(d->ports)))
		for (uint32_t k = 0; o != out && k < d->front_lanes; k++)
			if (claims(call, s, tiled_front_at(d, s, tiled_front_index(d, in, o, k)), level))
				return true;
	return false;
}

/* Notes that the input has granted packets for the output. */
void tiled_claims_begin(struct sw_call *call, struct tiled_state *s, uint32_t in, uint32_t out)
{
	if (s->derived->row_buffered)
		return;
	uint64_t *set = tiled_waiting_at(s->derived, s, in, 0);
	sim_save(call->ctx, set + (out >> 6), 8);
	sw_set_add(set, out);
}

/* One of them crosses until `finish`; then the packets that its claim blocked may cross. */
void tiled_claims_end(struct sw_call *call, struct tiled_state *s, uint32_t in, uint32_t out, uint64_t finish)
{
	const struct tiled_derived *d = s->derived;
	uint32_t row = d->geometry.row[in];
	uint64_t *set = tiled_waiting_at(d, s, in, 0);
	bool any = false;
	for (uint32_t q = 0; q < d->front_lanes; q++) {
		const struct tiled_front *f = tiled_front_at(d, s, tiled_front_index(d, in, out, q));
		any |= f->list.head != TILED_NONE;
		if (d->row_buffered && f->list.head != TILED_NONE)
			tiled_want_column(call, s, tiled_out(tiled_packet_at(s, f->list.head)), row, finish);
	}
	if (d->row_buffered)
		return;
	if (!any) {
		sim_save(call->ctx, set + (out >> 6), 8);
		sw_set_remove(set, out);
	}
	for (SW_EACH(o, set, sw_set_words(d->ports)))
		tiled_want_column(call, s, o, row, finish);
}

/* switch/hold.c - when credits may be withheld, and the control words about it. */
#include "switch/hold.h"

#include "switch/switch.h"

static uint64_t stop_of(const struct sw_common *c, const struct sw_takes *takes, unsigned link, uint64_t besides)
{
	unsigned __int128 time =
	    (unsigned __int128)c->link[link].latency + c->incoming[link].latency + (unsigned __int128)besides;
	unsigned __int128 bytes = (time * takes->per_ps_q32 >> 32) + 1 + takes->at_once + 2ull * c->max_packet;
	return bytes < UINT64_MAX ? (uint64_t)bytes : UINT64_MAX;
}

struct sw_hold sw_hold_of(const struct sw_common *c, const struct sw_takes *takes, uint32_t most, uint64_t within,
                          uint64_t telling)
{
	struct sw_hold h = { 0 };
	uint32_t excluded = 0, links = c->links > SW_HOLD_LINKS ? c->links : SW_HOLD_LINKS;
	for (uint32_t k = 0; k < links; k++) {
		uint64_t stop = stop_of(c, takes, k, within + telling);
		if (stop > most) {
			excluded |= sw_hold_bit(k);
			continue;
		}
		h.links |= sw_hold_bit(k);
		h.stop = stop > h.stop ? (uint32_t)stop : h.stop;
	}
	h.links &= ~excluded;
	h.stop = h.links ? h.stop : 0;
	return h;
}

/* The control word that instructs the far end of a link to withhold a lane's credits, or to release them. */
static uint64_t hold_word(uint32_t lane, bool keep)
{
	return lane | (uint64_t)keep << 8;
}

static uint32_t word_lane(uint64_t word)
{
	return word & 0xff;
}

static bool word_keeps(uint64_t word)
{
	return word >> 8;
}

void sw_hold_turn(struct sw_call *call, const struct sw_hold *h, struct sw_link_end *end, uint32_t out, uint32_t lane,
                  uint32_t share, uint32_t credits, uint64_t when)
{
	bool keeps = !(end->let_go >> lane & 1);
	if (!sw_holds(h, end) || (keeps ? credits >= h->stop : credits < sw_hold_again(h->stop, share)))
		return;
	sim_set(call->ctx, &end->let_go, (uint8_t)(end->let_go ^ 1u << lane));
	call->host_ops->control(call, out, end, hold_word(lane, !keeps), when);
}

void sw_hold_told(struct sw_call *call, uint32_t *kept, const struct sw_link_end *end, uint32_t in, uint64_t word)
{
	uint32_t lane = word_lane(word), bytes = kept[lane];
	bool keep = word_keeps(word);
	if (sim_unlikely(!call->common->hold_within || keep != (bytes == SW_LETS_GO))) {
		sim_violation(call->ctx, "switch %u, input %u, lane %u: requested to %s credits, which it already does",
		              call->id, in, lane, keep ? "keep" : "send");
		return;
	}
	sim_set(call->ctx, &kept[lane], keep ? 0 : SW_LETS_GO);
	if (!keep && bytes)
		call->host_ops->credit(call, in, end, (uint8_t)lane, bytes, call->now + call->common->hold_within);
}

uint64_t sw_hold_sum(const uint32_t *kept, uint32_t lanes)
{
	uint64_t bytes = 0;
	for (uint32_t k = 0; k < lanes; k++)
		bytes += kept[k] == SW_LETS_GO ? 0 : kept[k];
	return bytes;
}

void sw_hold_check(struct sw_call *call, uint32_t out, uint32_t lane, uint32_t bytes, uint32_t left)
{
	if (left < call->common->max_packet)
		sim_violation(call->ctx,
		              "switch %u, output %u, lane %u: %u credits that were withheld raise it only to %u",
		              call->id, out, lane, bytes, left);
}

/* switch/hold.c - from when on credits may be kept back. */
#include "switch/hold.h"

#include "switch/switch.h"

static uint64_t stop_of(const struct sw_common *c, const struct sw_takes *takes, uint64_t latency, uint64_t besides)
{
	unsigned __int128 time = 2 * (unsigned __int128)latency + besides;
	unsigned __int128 bytes = (time * takes->per_ps_q32 >> 32) + 1 + takes->at_once + 2ull * c->max_packet;
	return bytes < UINT64_MAX ? (uint64_t)bytes : UINT64_MAX;
}

struct sw_hold sw_hold_of(const struct sw_common *c, const struct sw_takes *takes, uint32_t most, uint64_t within,
                          uint64_t telling)
{
	struct sw_hold h = { 0 };
	for (uint32_t k = 0; k < SW_LINK_CLASSES; k++) {
		uint64_t stop = stop_of(c, takes, c->link[k].latency, within + telling);
		if (stop > most)
			continue;
		h.links |= 1u << k;
		h.stop = stop > h.stop ? (uint32_t)stop : h.stop;
	}
	return h;
}

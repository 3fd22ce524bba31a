/* switch/arbiters/age.c - the oldest packet first; ties are resolved in favour of the lowest number. No state. */
#include "switch/arbiter.h"

static uint32_t pick_oldest(uint32_t n, const void *state, const uint64_t *requests, const uint64_t *key)
{
	uint32_t best = SW_NOBODY;
	(void)state;
	for (SW_EACH(i, requests, sw_set_words(n)))
		if (best == SW_NOBODY || key[i] < key[best])
			best = i;
	return best;
}

static const struct sw_arbiter_ops ops = {
	.key = SW_KEY_AGE,
	.fair = "waiting time since `age`; shares are proportional to arrivals",
	.pick = pick_oldest,
};

const struct base_plugin sw_arbiter_age = {
	.kind = "arbiter",
	.name = "age",
	.summary = "the oldest packet; the switch's key `age` sets the start of its age",
	.ops = &ops,
};

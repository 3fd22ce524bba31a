/* congestion/window.c - limits the bytes in flight of a pair.
 *
 * With a window of w bytes, N pairs that send to one receiver of link rate C, and an unloaded round trip r0, their
 * throughput is min(1, N w / (C r0)) C, and max(0, N w - C r0) bytes are queued; tests/network/test_control.c verifies
 * both. */
#include "congestion/congestion.h"

#include <stddef.h>

struct window_params {
	uint64_t window;
};

static const struct base_param table[] = {
	{ "window", BASE_SIZE, offsetof(struct window_params, window), "64KiB", NULL, 1, 0x1p31, NULL,
	  "maximum bytes of a pair in flight; a larger packet is sent alone", NULL },
	{ 0 },
};

static uint64_t window_may_send(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes)
{
	const struct window_params *p = cc->params;
	return !pair->in_flight || pair->in_flight + (uint64_t)bytes <= p->window ? now : SIM_NEVER;
}

static const struct cc_ops ops = { .wants = CC_WANTS_ACKS, .source.may_send = window_may_send };

const struct base_plugin cc_window = {
	BASE_DESCRIBE("congestion", "window", table, struct window_params, &ops),
	.summary = "a fixed window: limits the bytes in flight of a pair of endpoints",
};

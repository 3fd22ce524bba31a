/* congestion/window.c - at most so many bytes of a pair are in flight.
 *
 * With a window w, N pairs to one receiver of link rate C and a round trip r0 without waiting, the throughput is
 * min(1, N w / (C r0)) C, and max(0, N w - C r0) bytes wait: tests/network/test_control.c. */
#include "congestion/congestion.h"

#include <stddef.h>

struct window_params {
	uint64_t window;
};

static const struct base_param table[] = {
	{ "window", BASE_SIZE, offsetof(struct window_params, window), "64KiB", NULL, 1, 0x1p31, NULL,
	  "bytes of a pair that may be in flight; a packet larger than it goes alone", NULL },
	{ 0 },
};

static uint64_t window_may_send(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes)
{
	const struct window_params *p = cc->params;
	return !pair->in_flight || pair->in_flight + (uint64_t)bytes <= p->window ? now : SIM_NEVER;
}

static const struct cc_ops ops = { .wants = CC_WANTS_ACKS, .source.may_send = window_may_send };

const struct base_plugin cc_window = {
	.kind = "congestion",
	.name = "window",
	.summary = "a fixed window: so many bytes of a pair of endpoints are in flight at most",
	.params = table,
	.params_bytes = sizeof(struct window_params),
	.ops = &ops,
};

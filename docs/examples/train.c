/* docs/examples/train.c - an injection process as a plug-in: messages come in trains.
 *
 * `length` messages follow each other as closely as the link lets packets pass, then there is silence until the mean
 * load is met. Nothing is random but the phase of each endpoint.
 *
 *      traffic = ( { injection = "train"; length = 8; load = 0.3; } );
 *
 * An injection process says when, never to whom: that is the pattern. It has no state: the time of message n is worked
 * out from n alone, in fixed point, so that rounding to picoseconds never adds up. */
#include "topo/divide.h"
#include "workload/workload.h"

#include <stddef.h>

struct train_params {
	int64_t length;
};

static const struct base_param params[] = {
	{ BASE_KEY(INT, struct train_params, length, "4"), .unit = "messages", .min = 1, .max = 65536,
	  .help = "of a train" },
	{ .name = NULL },
};

enum { INSIDE, PERIOD, RECIPROCAL, LENGTH }; /* wl_injection.word; the first two are ps, WL_TIME_BITS binary places */

static int build(struct wl_injection *in, struct base_errors *errors)
{
	const struct train_params *p = in->params;
	uint32_t length = (uint32_t)p->length;
	if (in->mean >> 46) /* so that a period fits 62 bits */
		return base_errorf(errors, "load", "is too small for trains: messages are more than 1 s apart");
	in->word[INSIDE] = in->slot < in->mean ? in->slot : in->mean;
	in->word[PERIOD] = in->mean * length;
	in->word[RECIPROCAL] = topo_divider_of(length).m;
	in->word[LENGTH] = length;
	return 0;
}

/* Of message n, from that of message 0 on; ps. */
static uint64_t time_of(const struct wl_injection *in, uint32_t n)
{
	const struct topo_divider by_length = { in->word[RECIPROCAL], (uint32_t)in->word[LENGTH] };
	uint32_t train = topo_divide(&by_length, n), place = topo_remainder(&by_length, n, train);
	unsigned __int128 fixed = (unsigned __int128)train * in->word[PERIOD] + place * in->word[INSIDE];
	return (uint64_t)(fixed >> WL_TIME_BITS);
}

/* A phase, uniform in a period. */
static uint64_t first(const struct wl_injection *in, struct sim_draw draw)
{
	uint64_t bits = (uint64_t)draw.v[0] << 32 | draw.v[1];
	return (uint64_t)((unsigned __int128)bits * in->word[PERIOD] >> 64) >> WL_TIME_BITS;
}

static uint64_t gap(const struct wl_injection *in, uint32_t n, uint64_t since, uint64_t bits)
{
	(void)since, (void)bits;
	return time_of(in, n) - time_of(in, n - 1);
}

static const struct wl_injection_ops ops = {
	.build = build,
	.first = first,
	.gap = gap,
};

static const struct base_plugin train = {
	BASE_DESCRIBE("injection", "train", params, struct train_params, &ops),
	.summary = "trains of messages as close as the link lets packets pass, at a fixed distance",
};

extern const unsigned tilefly_plugin_abi;
extern const struct base_plugin *const tilefly_plugins[];

const unsigned tilefly_plugin_abi = BASE_PLUGIN_ABI;
const struct base_plugin *const tilefly_plugins[] = { &train, NULL };

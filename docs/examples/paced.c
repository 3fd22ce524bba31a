/* docs/examples/paced.c - a congestion control as a plug-in: every pair of endpoints sends at a fixed pace.
 *
 * Of each source's traffic to one destination no more than `share` of the source's link leaves, whatever waits. It is
 * the simplest scheme with a state: one word for each pair, the time from which on the next packet may leave.
 *
 *      congestion = { kind = "paced"; share = 0.25; };
 *
 * The network saves a pair's words before each call, so they are written plainly. may_send() is asked before every
 * packet, and again at the time that it gave; sent() is called when a packet begins to leave. This scheme asks for no
 * acknowledgements (.wants) and has no side at the receiver. */
#include "congestion/congestion.h"

#include <stddef.h>

struct paced_params {
	double share;
};

static const struct base_param params[] = {
	{ BASE_KEY(FLOAT, struct paced_params, share, "0.5"), .unit = "of the source's link", .min = 0.001, .max = 1,
	  .help = "upper limit on what a pair of endpoints sends" },
	{ .name = NULL },
};

enum { PACE }; /* cc.word: ps per byte, 16 fractional bits */
enum { NEXT }; /* cc_pair.word: when the next packet may leave; 0 when the pair is new */

/* Called once. Floating-point numbers stop here: in a run all is integers, so that results are the same everywhere. */
static int build(struct cc *cc, struct base_errors *errors)
{
	const struct paced_params *p = cc->params;
	(void)errors; /* the table has checked the range */
	cc->word[PACE] = (uint64_t)((double)cc->ps_per_byte_q16 / p->share);
	return 0;
}

static uint64_t may_send(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes)
{
	(void)cc, (void)bytes;
	return pair->word[NEXT] > now ? pair->word[NEXT] : now;
}

static void sent(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes)
{
	pair->word[NEXT] = now + (bytes * cc->word[PACE] >> 16);
}

/* A pair without traffic is forgotten after that: else one that pauses for a moment could send too early. */
static uint64_t keep(const struct cc *cc, const struct cc_pair *pair, uint64_t now)
{
	(void)cc, (void)now;
	return pair->word[NEXT];
}

static const struct cc_ops ops = {
	.pair_words = NEXT + 1,
	.build = build,
	.source.may_send = may_send,
	.source.sent = sent,
	.source.keep = keep,
};

static const struct base_plugin paced = {
	BASE_DESCRIBE("congestion", "paced", params, struct paced_params, &ops),
	.summary = "every pair of endpoints sends at a fixed share of the source's link at most",
};

extern const unsigned tilefly_plugin_abi;
extern const struct base_plugin *const tilefly_plugins[];

const unsigned tilefly_plugin_abi = BASE_PLUGIN_ABI;
const struct base_plugin *const tilefly_plugins[] = { &paced, NULL };

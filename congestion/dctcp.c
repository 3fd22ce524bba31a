/* congestion/dctcp.c - a window controlled by ECN marks only: each unmarked packet adds its share of one packet per
 * round trip, each marked one subtracts a third of its size, each lost one its whole size. This reacts faster and is
 * coarser than DCTCP, after which it is named. A window starts at one and a half times the bytes that the link carries
 * in an unloaded round trip. */
#include "congestion/congestion.h"

#include <stddef.h>

struct dctcp_params {
	uint64_t pair_rtt;
};

static const struct base_param table[] = {
	{ "pair_rtt", BASE_AUTO_TIME, offsetof(struct dctcp_params, pair_rtt), "auto", NULL, 1000, 1e15, NULL,
	  "round trip without load: one and a half times the bytes that the link carries in it is the initial and "
	  "maximum window; auto: that of the pair's minimal route",
	  NULL },
	{ 0 },
};

enum { WINDOW, PAIR_WORDS }; /* cc_pair.word: bytes << FRACTION */
#define FRACTION 16

static uint64_t most(const struct cc *cc, const struct cc_pair *pair)
{
	const struct dctcp_params *p = cc->params;
	uint64_t rtt = p->pair_rtt != BASE_AUTO_TIME_VALUE ? p->pair_rtt : pair->rtt;
	uint64_t bytes = (rtt * 3 / 2 << 16) / cc->ps_per_byte_q16;
	return (bytes > cc->max_frame ? bytes : cc->max_frame) << FRACTION;
}

static void set(const struct cc *cc, struct cc_pair *pair, uint64_t window)
{
	uint64_t high = most(cc, pair), low = (uint64_t)cc->max_frame << FRACTION;
	pair->word[WINDOW] = window > high ? high : window < low ? low : window;
}

static uint64_t dctcp_may_send(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes)
{
	if (!pair->word[WINDOW])
		pair->word[WINDOW] = most(cc, pair);
	return !pair->in_flight || pair->word[WINDOW] >> FRACTION >= (uint64_t)pair->in_flight + bytes ? now
	                                                                                               : SIM_NEVER;
}

static void shrink(const struct cc *cc, struct cc_pair *pair, uint64_t less)
{
	uint64_t window = pair->word[WINDOW];
	set(cc, pair, window > less ? window - less : 0);
}

static void acked(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_ack *ack)
{
	uint64_t window = pair->word[WINDOW], n = ack->bytes;
	(void)now;
	if (ack->marked)
		shrink(cc, pair, (n << FRACTION) / 3);
	else
		set(cc, pair, window + (n * cc->max_frame << FRACTION) / (window >> FRACTION));
}

static void lost(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_ack *packet, enum cc_loss how)
{
	(void)now;
	(void)how;
	shrink(cc, pair, (uint64_t)packet->bytes << FRACTION);
}

static const struct cc_ops ops = {
	.wants = CC_WANTS_ACKS | CC_WANTS_RTT,
	.needs = CC_NEEDS_ECN,
	.pair_words = PAIR_WORDS,
	.source.advances = true,
	.source.may_send = dctcp_may_send,
	.source.acked = acked,
	.source.lost = lost,
};

const struct base_plugin cc_dctcp = {
	BASE_DESCRIBE("congestion", "ecn-dctcp", table, struct dctcp_params, &ops),
	.summary = "a window controlled by ECN marks",
	.source = "rules as in uet-htsim (UEC, \"dctcp\"); after Alizadeh et al., SIGCOMM 2010",
};

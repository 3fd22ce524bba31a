/* congestion/swift.c - a window controlled by the round trip only, with a target delay.
 *
 * The target is `base`, plus `hop` for each cable of the path, plus a term that falls with the square root of the
 * window w in packets, so that the small windows of many converging flows have a larger target: A / sqrt(w) + B, with A
 * and B such that it would fall from 5 base at w = 0.1 to 0 at w = 100; it is 5 base below w = 1, and 0 above w = 100.
 * A measured round trip below the target grows the window by one packet per round trip, in proportion to the
 * acknowledged bytes; one above it reduces the window by 0.8 times its relative excess, at most by half, once per
 * smoothed round trip; a loss halves the window. A window below one packet means a rate: one packet per (round trip x
 * packet / window). */
#include "congestion/congestion.h"

#include <math.h>
#include <stddef.h>

struct swift_params {
	uint64_t base, hop; /* ps */
	int64_t first;
	double additive;
};

static const struct base_param table[] = {
	{ "base", BASE_AUTO_TIME, offsetof(struct swift_params, base), "auto", NULL, 1000, 1e15, NULL,
	  "target delay, without the terms for hops and flows; converging flows keep a queue of up to this size. auto: "
	  "1.5 times the network's longest round trip without load; this gives 20us, the constant for data centres, in "
	  "a network of 6 cables of 1 us, for which it was used",
	  NULL },
	{ "hop", BASE_AUTO_TIME, offsetof(struct swift_params, hop), "auto", NULL, 0, 1e15, NULL,
	  "additional target delay per cable of the path; auto: base / 6.55", NULL },
	{ "first", BASE_INT, offsetof(struct swift_params, first), "15", "packets", 1, 1000, NULL,
	  "initial congestion window", NULL },
	{ "additive", BASE_FLOAT, offsetof(struct swift_params, additive), "1.0", "packets", 0.001, 100, NULL,
	  "growth of the window per round trip", NULL },
	{ 0 },
};

enum { MTU, BASE, HOP, ADDITIVE_Q16 };                     /* cc.word */
enum { WINDOW, SMOOTHED, SHRUNK, SENT, LAST, PAIR_WORDS }; /* cc_pair.word; WINDOW in bytes << FRACTION */

#define FRACTION 16
#define LEAST_BYTES 10u
#define MOST_PACKETS 1000u
#define CAP 5.0 /* maximum of the term for flows, in bases */
#define FEW 0.1 /* window in packets, from which the term falls from its maximum to 0 at MANY */
#define MANY 100.0
/* ps: shortest retransmission timeout; a pair idle for longer starts anew. */
#define FORGETS 100000000ull

static int build_swift(struct cc *cc, struct base_errors *errors)
{
	const struct swift_params *p = cc->params;
	(void)errors;
	cc->word[MTU] = cc->max_frame;
	cc->word[BASE] = p->base != BASE_AUTO_TIME_VALUE ? p->base : cc->rtt + cc->rtt / 2;
	cc->word[HOP] = p->hop != BASE_AUTO_TIME_VALUE ? p->hop : (uint64_t)((double)cc->word[BASE] / 6.55);
	cc->word[ADDITIVE_Q16] = (uint64_t)(p->additive * 0x1p16);
	return 0;
}

static void open_pair(const struct cc *cc, struct cc_pair *pair)
{
	const struct swift_params *p = cc->params;
	if (!pair->word[WINDOW])
		pair->word[WINDOW] = (uint64_t)p->first * cc->word[MTU] << FRACTION;
}

static bool below_a_packet(const struct cc *cc, const struct cc_pair *pair)
{
	return pair->word[WINDOW] < cc->word[MTU] << FRACTION;
}

static uint64_t target(const struct cc *cc, const struct cc_pair *pair)
{
	double base = (double)cc->word[BASE], flows = CAP * base;
	uint64_t packets = (pair->word[WINDOW] >> FRACTION) / cc->word[MTU];
	if (packets) {
		double a = flows / (1 / sqrt(FEW) - 1 / sqrt(MANY));
		flows = fmin(fmax(a / sqrt((double)packets) - a / sqrt(MANY), 0), flows);
	}
	return cc->word[BASE] + (uint64_t)flows + cc->word[HOP] * pair->cables;
}

static void set(const struct cc *cc, struct cc_pair *pair, uint64_t window)
{
	uint64_t low = (uint64_t)LEAST_BYTES << FRACTION, high = cc->word[MTU] * MOST_PACKETS << FRACTION;
	pair->word[WINDOW] = window < low ? low : window > high ? high : window;
}

static void shrink(const struct cc *cc, struct cc_pair *pair, uint64_t now, double keep)
{
	if (now - pair->word[SHRUNK] < pair->word[SMOOTHED])
		return;
	set(cc, pair, (uint64_t)((double)pair->word[WINDOW] * keep));
	pair->word[SHRUNK] = now;
}

static uint64_t swift_may_send(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes)
{
	const uint64_t *w = pair->word;
	open_pair(cc, pair);
	if (!below_a_packet(cc, pair))
		return !pair->in_flight || w[WINDOW] >> FRACTION >= (uint64_t)pair->in_flight + bytes ? now : SIM_NEVER;
	uint64_t space = (uint64_t)((double)w[SMOOTHED] * (double)(cc->word[MTU] << FRACTION) / (double)w[WINDOW]);
	return w[SENT] + space > now && w[SENT] ? w[SENT] + space : now;
}

static void sent(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes)
{
	(void)cc;
	(void)bytes;
	pair->word[SENT] = now;
	pair->word[LAST] = now;
}

static void acked(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_ack *ack)
{
	uint64_t *w = pair->word, delay = now - ack->sent, aim = target(cc, pair);
	w[LAST] = now;
	w[SMOOTHED] = w[SMOOTHED] ? w[SMOOTHED] - w[SMOOTHED] / 8 + delay / 8 : delay;
	if (delay >= aim) {
		shrink(cc, pair, now, fmax(1 - 0.8 * (double)(delay - aim) / (double)delay, 0.5));
		return;
	}
	uint64_t more = cc->word[ADDITIVE_Q16] * ack->bytes;
	if (!below_a_packet(cc, pair))
		more = (uint64_t)((double)more * (double)cc->word[MTU] / (double)(w[WINDOW] >> FRACTION));
	set(cc, pair, w[WINDOW] + more);
}

static void lost(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_ack *packet, enum cc_loss how)
{
	if (how == CC_LOSS_TRIMMED && !pair->word[SMOOTHED]) /* no other feedback may arrive at first */
		pair->word[SMOOTHED] = now - packet->sent;
	shrink(cc, pair, now, 0.5);
}

static uint64_t keep_swift(const struct cc *cc, const struct cc_pair *pair, uint64_t now)
{
	(void)cc;
	(void)now;
	return pair->word[LAST] + FORGETS;
}

static const struct cc_ops ops = {
	.wants = CC_WANTS_ACKS | CC_WANTS_RTT,
	.needs = CC_NEEDS_EQUAL_CLASSES,
	.pair_words = PAIR_WORDS,
	.source.advances = true,
	.build = build_swift,
	.source.may_send = swift_may_send,
	.source.sent = sent,
	.source.acked = acked,
	.source.lost = lost,
	.source.keep = keep_swift,
};

const struct base_plugin cc_swift = {
	BASE_DESCRIBE("congestion", "swift", table, struct swift_params, &ops),
	.summary = "a window controlled by the round trip",
	.source = "Kumar et al., SIGCOMM 2020; rules as in csg-htsim, which does not separate delay at hosts from "
		  "delay in the fabric",
};

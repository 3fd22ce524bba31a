/* congestion/nscc.c - the sender's window of Ultra Ethernet's network-signalled congestion control: ECN and delay.
 *
 * An acknowledgement carries the packet's mark (e) and its delay (d) above the least round trip r; T is the target
 * delay, RTT the network's longest unloaded round trip. If the packet is unmarked and d < T, the window grows in
 * proportion to T - d, or faster at nearly zero delay; if it is unmarked and d >= T, the window grows by a fair share.
 * If it is marked and d >= T, the window shrinks by the mean delay's excess over T, at most once per round trip; if it
 * is marked and d < T, the window is unchanged. If packets were lost, or delays are four times the target, and less
 * than an eighth of the maximum window was acknowledged in a round trip, the window is set to the acknowledged bytes
 * (quick adapt), and marks and headers of packets then in flight are ignored. Growth is accumulated and applied every 8
 * packets or RTT.
 *
 * If packets may be lost without notice, out-of-order packets of one and a half windows, at least five, indicate that
 * packets sent before them are lost (sleek): until all packets sent so far are acknowledged, one window from the first
 * missing packet is retransmitted, regardless of the bytes in flight. If no acknowledgement arrives for some round
 * trips, and no packet may leave, a probe is sent; a probe with less delay than the target shows that missing packets
 * are lost. */
#include "congestion/congestion.h"

#include <stddef.h>

enum { RECOVERY_AUTO, RECOVERY_TIMEOUT, RECOVERY_SLEEK, RECOVERY_SPARING };

struct nscc_params {
	uint64_t rtt, pair_rtt, target; /* ps */
	int recovery;                   /* RECOVERY_* */
};

static const struct base_param table[] = {
	{ "rtt", BASE_AUTO_TIME, offsetof(struct nscc_params, rtt), "auto", NULL, 1000, 1e15, NULL,
	  "the network's longest round trip without load; auto: that of its longest minimal route", NULL },
	{ "pair_rtt", BASE_AUTO_TIME, offsetof(struct nscc_params, pair_rtt), "auto", NULL, 1000, 1e15, NULL,
	  "initial round trip without load of a pair: one and a half times the bytes that the link carries in it is "
	  "its first window; auto: that of the pair's minimal route. Shorter measured ones replace it",
	  NULL },
	{ "target", BASE_AUTO_TIME, offsetof(struct nscc_params, target), "auto", NULL, 1000, 1e15, NULL,
	  "target delay; auto: rtt, three quarters of it if switches trim", NULL },
	{ "recovery", BASE_ENUM, offsetof(struct nscc_params, recovery), "auto", NULL, 0, 0,
	  "auto|timeout|sleek|sparing",
	  "detection of lost packets besides trimmed headers. timeout: when they are overdue (nic.timeout); sleek: by "
	  "out-of-order packets and probes as well, with many false positives; sparing: the same, but an answer covers "
	  "only packets that left before the probe, and a pair without any acknowledgement sends probes, too; auto: "
	  "sleek if packets may be lost without a header, else timeout",
	  "SLEEK, as in uet-htsim (uec.cpp); sparing is ours" },
	{ 0 },
};

enum { RTT, TARGET, ALPHA, FAIR, ETA, FAST_Q16, MTU, RECOVERY }; /* cc.word; ALPHA is multiplied by (T - d) / T */
enum {                                                           /* cc_pair.word */
       WINDOW,                                                   /* bytes << FRACTION */
       PENDING,                                                  /* bytes^2 */
       LEAST,                                                    /* ps: r */
       MEAN,                                                     /* ps: of d */
       COUNT,                                                    /* bytes acknowledged with almost no delay */
       FAST,
       IGNORE,   /* bytes whose marks predate the last quick adapt, minus those acknowledged since */
       ENDS,     /* ps: the end of this round; 0: the first has not begun */
       ACHIEVED, /* bytes acknowledged in this round */
       LOSS,     /* a trimmed header has arrived since the last quick adapt */
       SHRUNK,   /* ps: time of the last decrease */
       CAME,     /* bytes acknowledged since growth was applied */
       APPLIED,  /* ps: when growth was last applied for its time */
       RECOVERS, /* packets before this number, which were in flight, are being recovered; 0: none */
       FOUND,    /* number of the first packet not found lost by this recovery or an earlier one */
       PROBES,   /* ps: time of the next probe; 0: after an acknowledgement */
       PROBED,   /* ps: time of the last probe */
       BEFORE,   /* number of the next new packet at that time */
       PAIR_WORDS
};

#define FRACTION 16
#define SLEEK_LEAST 5u           /* out-of-order packets */
#define PROBE_FIRST 3u           /* minimum round trips without acknowledgement before a probe if data is waiting */
#define PROBE_AGAIN 5u           /* and before another one */
#define NO_DELAY 1000000u        /* ps: below, delay counts as almost none */
#define REFERENCE_RTT 12000000.0 /* ps; at 100 Gb/s: 150,000 bytes, for which the constants were chosen */
#define REFERENCE_BYTES 150000.0

static int build_nscc(struct cc *cc, struct base_errors *errors)
{
	const struct nscc_params *p = cc->params;
	if (p->recovery != RECOVERY_AUTO && !cc->retry)
		return base_errorf(errors, "recovery", "has an effect only if packets are lost and retransmitted");
	double ps_per_byte = (double)cc->ps_per_byte_q16 / 0x1p16;
	double rtt = (double)(p->rtt != BASE_AUTO_TIME_VALUE ? p->rtt : cc->rtt);
	double target = p->target != BASE_AUTO_TIME_VALUE ? (double)p->target : cc->trims ? 0.75 * rtt : rtt;
	double a = rtt / ps_per_byte / REFERENCE_BYTES, b = target / REFERENCE_RTT, mss = cc->max_frame - cc->header;
	cc->word[RTT] = (uint64_t)rtt;
	cc->word[TARGET] = (uint64_t)target;
	cc->word[ALPHA] = (uint64_t)(4 * mss * a * b);
	cc->word[FAIR] = (uint64_t)(5 * mss * a);
	cc->word[ETA] = (uint64_t)(0.15 * mss * a * 0x1p16);
	cc->word[FAST_Q16] = (uint64_t)(0.25 * a * 0x1p16);
	cc->word[MTU] = cc->max_frame;
	cc->word[RECOVERY] = p->recovery != RECOVERY_AUTO ? (uint64_t)p->recovery
	                     : cc->retry && cc->drops     ? RECOVERY_SLEEK
	                                                  : RECOVERY_TIMEOUT;
	return 0;
}

/* One and a half times the bytes that the link carries in the least round trip. */
static uint64_t most(const struct cc *cc, const struct cc_pair *pair)
{
	uint64_t bytes = (pair->word[LEAST] * 3 / 2 << 16) / cc->ps_per_byte_q16;
	return (bytes > cc->word[MTU] ? bytes : cc->word[MTU]) << FRACTION;
}

static void clamp(const struct cc *cc, struct cc_pair *pair)
{
	uint64_t *w = &pair->word[WINDOW], high = most(cc, pair), low = cc->word[MTU] << FRACTION;
	*w = *w > high ? high : *w < low ? low : *w;
}

static void open_pair(const struct cc *cc, struct cc_pair *pair)
{
	const struct nscc_params *p = cc->params;
	if (pair->word[LEAST])
		return;
	pair->word[LEAST] = p->pair_rtt != BASE_AUTO_TIME_VALUE ? p->pair_rtt : pair->rtt;
	pair->word[WINDOW] = most(cc, pair);
}

static uint64_t nscc_may_send(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes)
{
	open_pair(cc, pair);
	if (pair->word[RECOVERS] && pair->again)
		return now;
	return !pair->in_flight || pair->word[WINDOW] >> FRACTION >= (uint64_t)pair->in_flight + bytes ? now
	                                                                                               : SIM_NEVER;
}

/* The pair's estimate of a round trip between probes, regardless of pair_rtt: at least that of a packet. */
static uint64_t round_of(const struct cc *cc, const struct cc_pair *pair)
{
	uint64_t packet = cc->word[MTU] * cc->ps_per_byte_q16 >> 16;
	return pair->word[LEAST] > packet ? pair->word[LEAST] : packet;
}

/* A packet that leaves takes the place of a probe, so the next probe is due some round trips later. If the pair had no
 * unacknowledged packets, or no acknowledgement has arrived yet, its timer for probes starts here. */
static void sent(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes)
{
	uint64_t *probes = &pair->word[PROBES];
	(void)bytes;
	if (cc->word[RECOVERY] == RECOVERY_SPARING && *probes < now + round_of(cc, pair))
		*probes = now + PROBE_AGAIN * round_of(cc, pair);
}

static void shrink(struct cc_pair *pair, uint64_t bytes)
{
	uint64_t less = bytes << FRACTION;
	pair->word[WINDOW] = pair->word[WINDOW] > less ? pair->word[WINDOW] - less : 0;
}

/* g = 1/80 */
static void average(struct cc_pair *pair, uint64_t delay)
{
	uint64_t *mean = &pair->word[MEAN];
	*mean = delay > *mean ? *mean + (delay - *mean) / 80 : *mean - (*mean - delay) / 80;
}

/* true: the window has been set, or the feedback is outdated. `skip`: the packet was marked, or trimmed. */
static bool quick_adapt(const struct cc *cc, struct cc_pair *pair, uint64_t now, bool skip, uint64_t delay,
                        uint64_t in_flight)
{
	uint64_t *w = pair->word;
	bool acts = false;
	if (skip && w[IGNORE]) {
		acts = true;
	} else if (now > w[ENDS]) {
		uint64_t gate = most(cc, pair) >> FRACTION >> 3;
		if (w[ENDS] && (w[LOSS] || delay > 4 * cc->word[TARGET]) && w[ACHIEVED] < gate) {
			w[WINDOW] = (w[ACHIEVED] > cc->word[MTU] ? w[ACHIEVED] : cc->word[MTU]) << FRACTION;
			w[IGNORE] = in_flight;
			w[LOSS] = 0;
			acts = true;
		}
		w[ACHIEVED] = 0;
		w[ENDS] = now + w[LEAST] + cc->word[TARGET];
	}
	if (acts)
		w[PENDING] = w[CAME] = 0;
	return acts;
}

static void quadrants(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_ack *ack, uint64_t delay)
{
	uint64_t *w = pair->word, target = cc->word[TARGET], n = ack->bytes;
	if (!ack->marked && delay >= target) {
		w[PENDING] += cc->word[FAIR] * n;
	} else if (!ack->marked) {
		if (delay >= NO_DELAY) {
			w[COUNT] = w[FAST] = 0;
		} else {
			w[COUNT] += n;
			w[FAST] |= w[COUNT] > w[WINDOW] >> FRACTION;
		}
		if (w[FAST])
			w[WINDOW] += n * cc->word[FAST_Q16];
		else
			w[PENDING] += cc->word[ALPHA] * n / 256 * ((target - delay) * 256 / target);
	} else if (delay >= target) {
		uint64_t mean = w[MEAN];
		if (mean > target && now - w[SHRUNK] >= w[LEAST]) {
			uint64_t keep = 0x10000u - (uint64_t)(0.8 * 0x1p16) * ((mean - target) >> 4) / (mean >> 4);
			w[WINDOW] = (w[WINDOW] >> 16) * (keep > 0x8000u ? keep : 0x8000u);
			w[SHRUNK] = now;
		}
		w[COUNT] = w[FAST] = 0;
	}
}

static void apply(const struct cc *cc, struct cc_pair *pair, uint64_t now)
{
	uint64_t *w = pair->word;
	if (w[CAME] <= 8 * cc->word[MTU] && now - w[APPLIED] <= cc->word[RTT])
		return;
	w[WINDOW] += (w[PENDING] << FRACTION) / (w[WINDOW] >> FRACTION);
	if (now - w[APPLIED] >= cc->word[RTT]) {
		w[WINDOW] += cc->word[ETA];
		w[APPLIED] = now;
	}
	w[PENDING] = w[CAME] = 0;
}

/* Bytes acknowledged, also by trimmed headers, no longer predate the last quick adapt. */
static void ignore_less(struct cc_pair *pair, uint64_t bytes)
{
	pair->word[IGNORE] = pair->word[IGNORE] > bytes ? pair->word[IGNORE] - bytes : 0;
}

/* Delay of the last probe; an older one has no known sending time. A probe is shorter than a packet. */
static uint64_t probe_delay(const struct cc_pair *pair, uint64_t now, const struct cc_ack *ack)
{
	const uint64_t *w = pair->word;
	if (ack->sent != w[PROBED])
		return w[MEAN];
	return now - ack->sent > w[LEAST] ? now - ack->sent - w[LEAST] : 0;
}

static void acked(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_ack *ack)
{
	uint64_t *w = pair->word, rtt = now - ack->sent, delay = w[MEAN];
	open_pair(cc, pair);
	ignore_less(pair, ack->bytes);
	w[ACHIEVED] += ack->bytes;
	w[CAME] += ack->bytes;
	bool times =
	    !ack->probe && ack->copies <= 1; /* acknowledgements distinguish only the first and the second copy */
	if (times)
		w[LEAST] = rtt < w[LEAST] ? rtt : w[LEAST];
	if (ack->probe)
		delay = probe_delay(pair, now, ack);
	else if (times)
		delay = rtt - w[LEAST];
	if (times || (ack->probe && ack->sent == w[PROBED] && rtt >= w[LEAST]))
		average(pair, !ack->marked && delay > cc->word[TARGET] ? w[LEAST] / 4 : delay);
	if (quick_adapt(cc, pair, now, ack->marked, delay, pair->in_flight))
		return;
	quadrants(cc, pair, now, ack, delay);
	clamp(cc, pair);
	apply(cc, pair, now);
	clamp(cc, pair);
}

static void lost(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_ack *packet, enum cc_loss how)
{
	uint64_t *w = pair->word;
	bool acts = false;
	if (how == CC_LOSS_TRIMMED) {
		w[LEAST] = now - packet->sent < w[LEAST] ? now - packet->sent : w[LEAST];
		ignore_less(pair, packet->bytes);
		average(pair, cc->word[RTT]);
		w[LOSS] = 1;
		acts = quick_adapt(cc, pair, now, true, 0, (uint64_t)pair->in_flight + packet->bytes);
	}
	if (acts || how == CC_LOSS_FOUND)
		return;
	shrink(pair, packet->bytes);
	clamp(cc, pair);
}

/* --- loss recovery --------------------------------------------------------------------------------------- */

static bool recovers(const struct cc *cc)
{
	return cc->word[RECOVERY] != RECOVERY_TIMEOUT;
}

static void recover(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_ack *ack,
                    struct cc_gap *gap)
{
	uint64_t *w = pair->word, window = w[WINDOW] >> FRACTION, payload = cc->word[MTU] - cc->header;
	uint64_t many = window * 3 / 2, high = most(cc, pair) >> FRACTION;
	many = (many < high ? many : high) / payload;
	w[PROBES] = gap->more                  ? now + PROBE_FIRST * round_of(cc, pair)
	            : gap->acked != pair->sent ? now + round_of(cc, pair) + cc->word[TARGET]
	                                       : 0;
	bool sparing = cc->word[RECOVERY] == RECOVERY_SPARING;
	if (ack->probe && (!sparing || ack->sent == w[PROBED]) && probe_delay(pair, now, ack) < cc->word[TARGET]) {
		w[RECOVERS] = sparing ? w[BEFORE] : pair->sent;
		w[FOUND] = gap->acked;
	}
	if (gap->acked >= w[RECOVERS])
		w[RECOVERS] = 0;
	if (!w[RECOVERS] && (gap->beyond < SLEEK_LEAST || gap->beyond < many))
		return;
	if (!w[RECOVERS] && !pair->again)
		w[RECOVERS] = pair->sent;
	uint64_t from = gap->acked > w[FOUND] ? gap->acked : w[FOUND], to = gap->acked + window / payload;
	to = to < w[RECOVERS] ? to : w[RECOVERS];
	if (from >= to)
		return;
	gap->from = (uint32_t)from;
	gap->to = (uint32_t)to;
	w[FOUND] = to;
}

static uint64_t probe(const struct cc *cc, struct cc_pair *pair, uint64_t now, bool leaves)
{
	uint64_t *w = pair->word;
	if (leaves) {
		w[PROBED] = now;
		w[BEFORE] = pair->sent;
		w[PROBES] = now + PROBE_AGAIN * round_of(cc, pair);
	}
	return w[PROBES] ? w[PROBES] : SIM_NEVER;
}

/* During recovery, recover() finds lost packets; a packet that was retransmitted must then be found again. */
static bool overdue(const struct cc *cc, struct cc_pair *pair, uint32_t number, uint32_t copies)
{
	uint64_t *w = pair->word;
	(void)cc;
	if (w[RECOVERS] && copies && number < w[FOUND])
		w[FOUND] = number;
	return !w[RECOVERS];
}

static const struct cc_ops ops = {
	.wants = CC_WANTS_ACKS | CC_WANTS_RTT,
	.needs = CC_NEEDS_ECN,
	.pair_words = PAIR_WORDS,
	.source.advances = true,
	.build = build_nscc,
	.source.may_send = nscc_may_send,
	.source.sent = sent,
	.source.acked = acked,
	.source.lost = lost,
	.recovery.recovers = recovers,
	.recovery.recover = recover,
	.recovery.probe = probe,
	.recovery.overdue = overdue,
};

const struct base_plugin cc_nscc = {
	BASE_DESCRIBE("congestion", "nscc", table, struct nscc_params, &ops),
	.summary = "a window controlled by ECN marks and delay, as in Ultra Ethernet's senders",
	.source = "rules as in uet-htsim (UEC): quick adapt, four quadrants; acknowledgements of every packet",
};

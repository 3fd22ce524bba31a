/* congestion/rccc.c - receiver credits, as in Ultra Ethernet's receiver-based control.
 *
 * A pair (source and destination) starts with a window that it may send without a grant; the first frame of any kind
 * from the receiver ends this, and the rest of the window is void. With each packet the source requests a total number
 * of bytes: those granted so far, plus the waiting bytes that its credit does not cover, at most a window, divided by
 * the number of the endpoint's pairs that are about to send. It sends while it has credit. The receiver's NIC has one
 * pacer: sources take turns, each is granted `grant` bytes or the rest of its request, and the next turn comes after
 * the time that the link needs for them at `rate` of its bandwidth. Requests and grants count all bytes since the run
 * began, so both sides keep a pair's words to the end of the run. */
#include "congestion/congestion.h"

#include <stddef.h>

struct rccc_params {
	uint64_t pair_rtt, grant;
	double rate;
};

static const struct base_param table[] = {
	{ "pair_rtt", BASE_AUTO_TIME, offsetof(struct rccc_params, pair_rtt), "auto", NULL, 1000, 1e15, NULL,
	  "round trip without load: one and a half times the bytes that the link carries in it is the window; auto: "
	  "that of the pair's minimal route",
	  NULL },
	{ "grant", BASE_SIZE, offsetof(struct rccc_params, grant), "16KiB", NULL, 1, 0x1p31, NULL,
	  "bytes granted per turn; default: four packets of the payload for which the protocol was designed", NULL },
	{ "rate", BASE_FLOAT, offsetof(struct rccc_params, rate), "0.99", NULL, 0.01, 1, NULL,
	  "fraction of the receiver's link that is granted", NULL },
	{ 0 },
};

enum { PS_PER_BYTE_Q16 };                         /* cc.word: for granted bytes */
enum { CREDIT, PULL, STATE, STATED, PAIR_WORDS }; /* cc_pair.word; CREDIT: signed; PULL: bytes granted */
enum { UNOPENED, SPECULATES, ANSWERED };          /* STATE */
enum { GRANTED, WANTED };                         /* cc_contributor.word; cc_frame.word of requests */
enum { BUSY };                                    /* cc_sink.word: the pacer waits for the end of a turn */

#define QUANTUM 256u /* bytes: requests are multiples of it */

static int build_rccc(struct cc *cc, struct base_errors *errors)
{
	const struct rccc_params *p = cc->params;
	(void)errors;
	cc->word[PS_PER_BYTE_Q16] = (uint64_t)((double)cc->ps_per_byte_q16 / p->rate);
	return 0;
}

/* --- the source ------------------------------------------------------------------------------------------ */

static int64_t window(const struct cc *cc, const struct cc_pair *pair)
{
	const struct rccc_params *p = cc->params;
	uint64_t rtt = p->pair_rtt != BASE_AUTO_TIME_VALUE ? p->pair_rtt : pair->rtt;
	uint64_t bytes = (rtt * 3 / 2 << 16) / cc->ps_per_byte_q16;
	return (int64_t)(bytes > cc->max_frame ? bytes : cc->max_frame);
}

static void open_pair(const struct cc *cc, struct cc_pair *pair)
{
	if (pair->word[STATE] != UNOPENED)
		return;
	pair->word[STATE] = SPECULATES;
	pair->word[CREDIT] = (uint64_t)window(cc, pair);
}

static void answered(struct cc_pair *pair)
{
	if (pair->word[STATE] != ANSWERED && (int64_t)pair->word[CREDIT] > 0)
		pair->word[CREDIT] = 0;
	pair->word[STATE] = ANSWERED;
}

static uint64_t rccc_may_send(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes)
{
	(void)bytes;
	open_pair(cc, pair);
	return (int64_t)pair->word[CREDIT] > 0 ? now : SIM_NEVER;
}

static void sent(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes)
{
	(void)cc;
	(void)now;
	pair->word[CREDIT] -= bytes;
}

static void acked(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_ack *ack)
{
	(void)cc;
	(void)now;
	(void)ack;
	answered(pair);
}

static void lost(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_ack *packet, enum cc_loss how)
{
	(void)cc;
	(void)now;
	(void)packet;
	(void)how;
	answered(pair);
}

static void control(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_frame *frame)
{
	int64_t most = window(cc, pair), credit;
	(void)now;
	answered(pair);
	credit = (int64_t)(pair->word[CREDIT] + frame->word[GRANTED]);
	pair->word[CREDIT] = (uint64_t)(credit < most ? credit : most);
	pair->word[PULL] += frame->word[GRANTED];
}

static bool asks(const struct cc *cc, struct cc_pair *pair, uint64_t now, struct cc_frame *frame)
{
	int64_t most = window(cc, pair), wants = pair->waiting < (uint64_t)most ? (int64_t)pair->waiting : most;
	(void)now;
	open_pair(cc, pair);
	wants -= (int64_t)pair->word[CREDIT];
	if (pair->word[STATE] == SPECULATES && wants < cc->max_frame && pair->waiting)
		wants = cc->max_frame;
	if (pair->active > 1 &&
	    wants > 0) /* its share, but the last byte as a whole: no other event would request it */
		wants = wants > pair->active ? wants / pair->active : 1;
	if (wants <= 0)
		return false;
	uint64_t all = (pair->word[PULL] + (uint64_t)wants + QUANTUM - 1) / QUANTUM * QUANTUM;
	if (all <= pair->word[STATED])
		return false;
	pair->word[STATED] = all;
	frame->word[WANTED] = all;
	return true;
}

static uint64_t keep_rccc(const struct cc *cc, const struct cc_pair *pair, uint64_t now)
{
	(void)cc;
	(void)pair;
	(void)now;
	return SIM_NEVER;
}

/* --- the receiver ---------------------------------------------------------------------------------------- */

static bool wants_more(const struct cc_contributor *c)
{
	return c->word[WANTED] > c->word[GRANTED];
}

static void take_turns(struct cc_call *k)
{
	const struct rccc_params *p = k->cc->params;
	struct cc_contributor *c = k->take_turn(k, wants_more);
	k->sink->word[BUSY] = c != NULL;
	if (!c)
		return;
	uint64_t bytes = c->word[WANTED] - c->word[GRANTED];
	bytes = bytes < p->grant ? bytes : p->grant;
	c->word[GRANTED] += bytes;
	k->send(k, c->src, &(struct cc_frame){ .word = { [GRANTED] = bytes } });
	k->wake(k, k->now + (bytes * k->cc->word[PS_PER_BYTE_Q16] >> 16) + 1);
}

static bool requested(struct cc_call *k, struct cc_contributor *c, const struct cc_frame *frame)
{
	if (frame->word[WANTED] > c->word[WANTED])
		c->word[WANTED] = frame->word[WANTED];
	if (!k->sink->word[BUSY])
		take_turns(k);
	return true;
}

static const struct cc_ops ops = {
	.wants = CC_WANTS_ACKS | CC_WANTS_RTT | CC_WANTS_REQUESTS,
	.needs = CC_NEEDS_EQUAL_CLASSES,
	.pair_words = PAIR_WORDS,
	.source.advances = true,
	.build = build_rccc,
	.source.may_send = rccc_may_send,
	.source.sent = sent,
	.source.acked = acked,
	.source.lost = lost,
	.source.control = control,
	.requests.asks = asks,
	.source.keep = keep_rccc,
	.requests.requested = requested,
	.receiver.tick = take_turns,
};

const struct base_plugin cc_rccc = {
	BASE_DESCRIBE("congestion", "rccc", table, struct rccc_params, &ops),
	.summary = "the receiver grants bytes to its sources round robin, slightly below its link's rate",
	.source = "rules as in uet-htsim (UEC), except for grants to sources without a request; after EQDS, Olteanu et "
		  "al., NSDI 2022",
};

/* congestion/slingshot.c - per-pair throttles from the switch of the receiver, in the manner of Slingshot.
 *
 * What is published (De Sensi et al., SC20, II.C): switches track every packet in flight between each pair of
 * endpoints, tell a congested endpoint from a congested fabric, and slow down only the sources that contribute, by
 * back-pressure on the pair. The laws below are ours; each threshold is a parameter.
 *
 * Onset. A terminal output is congested when more than `high` bytes are there for its endpoint, from two sources or
 * more: from one source alone they come no faster than they leave, but for what the fabric had held up.
 * Grants. Each source with packets there gets a frame (pause, ps per byte): its share of the drain rate is one over
 * the number of contributors, down to far below one packet per round trip. The pause, which comes on top of that, lets
 * the backlog go down to the middle of `low` and `high`: the switch knows by when it will have, and where the backlog
 * says later than that, all contributors pause for the difference. The first pauses end one packet time after each
 * other, so that sources do not come back together. A frame is sent when a packet comes whose source does not have the
 * present grant; so at most one for each packet.
 * Release. Shares grow by an eighth a period while the backlog is below `low` and the output has been idle, and are no
 * more when they reach the link's rate, or when there is one contributor left. A source that has sent nothing for four
 * periods contributes no more, and a grant that is not renewed for that long is void. */
#include "congestion/congestion.h"

#include <stddef.h>

struct params {
	uint64_t high, low, period;
};

static const struct base_param table[] = {
	{ "high", BASE_SIZE, offsetof(struct params, high), "64KiB", NULL, 1, 0x1p31, NULL,
	  "bytes for one endpoint at its switch, of two sources at least, from which on these are throttled: some 2.6 "
	  "us "
	  "at 200 Gb/s, above what chance brings together at loads below 0.9",
	  NULL },
	{ "low", BASE_SIZE, offsetof(struct params, low), "16KiB", NULL, 0, 0x1p31, NULL,
	  "with fewer than this, and an idle link, throttles are loosened", NULL },
	{ "period", BASE_TIME, offsetof(struct params, period), "10us", NULL, 1000, 1e12, NULL,
	  "in which the link is seen to be idle or not; with many contributors as long as two packets of each take",
	  NULL },
	{ 0 },
};

enum { HIGH, LOW, TARGET, FRAME_PS, HIGH_PS }; /* cc.word: bytes, and ps that the link takes for them */
enum { ACTIVE, BOOST, GOT, SINCE, DRAINED, SHIFT, FIRST, ROUND }; /* cc_sink.word */
enum { GRANT, SHIFTED, TOLD, RESUMES };                           /* cc_contributor.word */
enum { PAUSED, INTERVAL, EXPIRES, SENT, PAIR_WORDS };             /* cc_pair.word */
enum { PAUSE, SHARE, HOLD };                                      /* cc_frame.word */

#define UNIT 256u          /* BOOST of 1 */
#define WHOLE (1ull << 63) /* of PAUSE: it is all that is to be waited for; else on top of the pace */

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t ps_of(const struct cc *cc, uint64_t bytes)
{
	return bytes * cc->ps_per_byte_q16 >> 16;
}

static int build(struct cc *cc, struct base_errors *errors)
{
	const struct params *p = cc->params;
	if (p->low >= p->high)
		return base_errorf(errors, "low", "%llu bytes are not below congestion.high, %llu",
		                   (unsigned long long)p->low, (unsigned long long)p->high);
	cc->word[HIGH] = p->high;
	cc->word[LOW] = p->low;
	cc->word[TARGET] = p->low + (p->high - p->low) / 2;
	cc->word[FRAME_PS] = ps_of(cc, cc->max_frame) + 1;
	cc->word[HIGH_PS] = ps_of(cc, p->high);
	return 0;
}

/* --- the source ---------------------------------------------------------------------------------------------- */

/* Behind its last packet; of one sent before the first frame or pause nothing is counted. */
static uint64_t paced(const struct cc_pair *pair, uint64_t interval)
{
	return pair->word[SENT] ? pair->word[SENT] + (pair->last * interval >> 16) : 0;
}

static uint64_t may_send(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes)
{
	const uint64_t *w = pair->word;
	(void)cc;
	(void)bytes;
	if (!w[INTERVAL] || now >= w[EXPIRES])
		return now;
	uint64_t at = later(w[PAUSED], paced(pair, w[INTERVAL]));
	return later(now, at < w[EXPIRES] ? at : w[EXPIRES]);
}

static void sent(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes)
{
	(void)cc;
	(void)bytes;
	pair->word[SENT] = now;
}

static void control(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_frame *frame)
{
	uint64_t *w = pair->word, pause = frame->word[PAUSE];
	(void)cc;
	if (!w[INTERVAL] || now >= w[EXPIRES])
		w[SENT] = 0; /* of a packet that nothing held back nothing is known */
	if (pause & WHOLE) {
		w[PAUSED] = now + (pause & ~WHOLE);
		w[SENT] = 0;
	} else if (pause) {
		w[PAUSED] = later(now, later(w[PAUSED], paced(pair, frame->word[SHARE]))) + pause;
	}
	w[INTERVAL] = frame->word[SHARE];
	w[EXPIRES] = later(now, w[PAUSED]) + frame->word[HOLD];
}

static uint64_t keep(const struct cc *cc, const struct cc_pair *pair, uint64_t now)
{
	(void)cc;
	(void)now;
	return pair->word[INTERVAL] ? pair->word[EXPIRES] : 0;
}

/* --- the receiver's switch ----------------------------------------------------------------------------------- */

static uint64_t period(const struct cc_call *k)
{
	const struct params *p = k->cc->params;
	return later(p->period, 2 * k->sink->contributors * k->cc->word[FRAME_PS]);
}

static uint64_t hold(const struct cc_call *k)
{
	return 4 * period(k);
}

/* Until the backlog is where it should be. */
static uint64_t excess(const struct cc_call *k)
{
	uint64_t target = k->cc->word[TARGET];
	return k->sink->backlog > target ? ps_of(k->cc, k->sink->backlog - target) : 0;
}

static uint64_t grant_now(const struct cc_call *k)
{
	return (uint64_t)k->sink->contributors << 32 | k->sink->word[BOOST];
}

/* Pauses so far bring the backlog to where it should be by DRAINED. Where it says later, all contributors are to pause
 * for the difference: at first at once, as long as packets come that were on their way when their sources were told;
 * those of sources that have resumed are part of their pace. Later a pause reaches sources one by one, as their next
 * packets come, so what it does is seen when each has sent one. */
static void watch(struct cc_call *k, const struct cc_contributor *c)
{
	uint64_t *w = k->sink->word, found = k->now + excess(k), expected = k->now;
	if (k->sink->backlog <= k->cc->word[HIGH])
		return;
	if (w[DRAINED] > k->now) {
		expected = w[DRAINED];
		if ((c->word[GRANT] && k->now >= c->word[RESUMES]) || found < expected + k->cc->word[HIGH_PS] / 4)
			return;
		w[DRAINED] = found;
	} else if (k->now < w[ROUND]) {
		return;
	}
	w[SHIFT] += found - expected;
	w[ROUND] = found + k->sink->contributors * k->cc->word[FRAME_PS];
}

static void grant(struct cc_call *k, struct cc_contributor *c)
{
	uint64_t *w = k->sink->word, n = k->sink->contributors, pause = w[SHIFT] - c->word[SHIFTED];
	if (!c->word[GRANT]) {
		pause = w[DRAINED] > k->now ? w[DRAINED] - k->now + w[FIRST]++ % n * k->cc->word[FRAME_PS] : 0;
		c->word[RESUMES] = k->now + pause;
		pause |= pause ? WHOLE : 0;
	} else {
		c->word[RESUMES] += pause;
	}
	c->word[GRANT] = grant_now(k);
	c->word[SHIFTED] = w[SHIFT];
	c->word[TOLD] = k->now;
	uint64_t share = (k->cc->ps_per_byte_q16 * n * UNIT + w[BOOST] - 1) / w[BOOST];
	k->send(k, c->src,
	        &(struct cc_frame){ .word = { [PAUSE] = pause, [SHARE] = share, [HOLD] = hold(k) },
	                            .pace_q16 = share,
	                            .until = k->now + (pause & ~WHOLE) + hold(k) });
}

static bool grant_each(struct cc_call *k, struct cc_contributor *c)
{
	grant(k, c);
	return true;
}

static bool release_each(struct cc_call *k, struct cc_contributor *c)
{
	if (c->word[GRANT])
		k->send(k, c->src, &(struct cc_frame){ .word = { 0 } });
	for (int i = 0; i < 4; i++)
		c->word[i] = 0;
	return false;
}

static void begin_period(struct cc_call *k)
{
	k->sink->word[GOT] = k->sink->got;
	k->sink->word[SINCE] = k->now;
	k->wake(k, k->now + period(k));
}

static uint64_t quiet(const struct cc *cc)
{
	return cc->word[HIGH];
}

static void arrives(struct cc_call *k, struct cc_contributor *c, uint32_t bytes)
{
	const uint64_t *own = k->cc->word;
	struct cc_sink *s = k->sink;
	(void)bytes;
	if (!s->word[ACTIVE]) {
		if (s->backlog <= own[HIGH] || s->contributors < 2)
			return;
		s->word[ACTIVE] = 1;
		s->word[BOOST] = UNIT;
		s->word[DRAINED] = k->now + 1;
		s->word[FIRST] = s->word[ROUND] = 0;
		watch(k, c);
		begin_period(k);
		k->each(k, grant_each);
		return;
	}
	watch(k, c);
	if (c->word[GRANT] != grant_now(k) || c->word[SHIFTED] != s->word[SHIFT] ||
	    k->now - c->word[TOLD] > hold(k) / 2)
		grant(k, c);
}

static bool leaves(struct cc_call *k, struct cc_contributor *c, uint32_t bytes)
{
	(void)c;
	(void)bytes;
	return k->sink->word[ACTIVE] != 0;
}

static bool still_contributes(struct cc_call *k, struct cc_contributor *c)
{
	return k->now - c->seen < hold(k);
}

static void tick(struct cc_call *k)
{
	struct cc_sink *s = k->sink;
	uint64_t *w = s->word;
	k->each(k, still_contributes);
	uint64_t most = (uint64_t)s->contributors * UNIT, span = k->now - w[SINCE];
	bool idle = ps_of(k->cc, s->got - w[GOT]) < span - span / 8;
	if (s->backlog < k->cc->word[LOW] && idle)
		w[BOOST] += w[BOOST] / 8;
	else if (s->backlog > k->cc->word[HIGH] && w[BOOST] > UNIT)
		w[BOOST] = later(UNIT, w[BOOST] - w[BOOST] / 4);
	if (s->contributors < 2 || w[BOOST] >= most) {
		w[ACTIVE] = 0;
		k->each(k, release_each);
		return;
	}
	begin_period(k);
}

static const struct cc_ops ops = {
	.wants = CC_WANTS_SINKS,
	.needs = CC_NEEDS_LOSSLESS,
	.pair_words = PAIR_WORDS,
	.from_control = true,
	.build = build,
	.may_send = may_send,
	.sent = sent,
	.control = control,
	.keep = keep,
	.quiet = quiet,
	.arrives = arrives,
	.leaves = leaves,
	.tick = tick,
};

const struct base_plugin cc_slingshot = {
	.kind = "congestion",
	.name = "slingshot",
	.summary =
	    "the receiver's switch grants each source of a congested endpoint its share of the link, pair by pair",
	.source = "after De Sensi et al., SC20, II.C; the laws of grants and release are ours",
	.params = table,
	.params_bytes = sizeof(struct params),
	.ops = &ops,
};

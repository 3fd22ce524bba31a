/* congestion/slingshot.c - per-pair throttles from the switch of the receiver, in the manner of Slingshot.
 *
 * What is published (De Sensi et al., SC20, II.C): switches track every packet in flight between each pair of
 * endpoints, tell a congested endpoint from a congested fabric, and slow down only the sources that contribute, by
 * back-pressure on the pair. The laws below are ours; each threshold is a parameter.
 *
 * A class of traffic that the switch tells apart has a sink of its own at each terminal output, and is controlled by
 * itself: the switch's scheduler decides what it gets of the link, its sources share that.
 *
 * Onset. A sink is congested when more than `high` bytes are there for its endpoint, from two sources or more: from one
 * source alone they come no faster than they leave, but for what the fabric had held up. With several classes one
 * source suffices, since its class may have less than the link.
 * Grants. Each source with packets there gets a frame (pause, ps per byte): all have the same level, at first an equal
 * part of what the class is guaranteed against the others that are congested there, down to far below one packet per
 * round trip. The pause, which comes on top of that, lets the backlog go down to the middle of `low` and `high`: the
 * switch knows by when it will have, and where the backlog says later than that, all contributors pause for the
 * difference. The first pauses end one packet time after each other, so that sources do not come back together. A frame
 * is sent when a packet comes whose source does not have the present grant; so at most one for each packet.
 * Level. Max-min fairness is one level for all: who sends less has less. Every period, where the backlog is below
 * `low`, what the link has left, or what the class lacks of its guarantee, is divided among the contributors that used
 * their level, and raises it; where the backlog is above `high` and grows the level is lowered to what left. In
 * between, the link is full and nothing changes. A level never falls below an equal part of what the class is sure of.
 * Release. The control of a sink ends when the level is the link's rate, or when there is no contributor left. A source
 * that has sent nothing for four periods contributes no more, and a grant that is not renewed for that long is void. */
#include "congestion/congestion.h"

#include <stddef.h>

struct cc_slingshot_params {
	uint64_t high, low, period;
};

static const struct base_param table[] = {
	{ "high", BASE_SIZE, offsetof(struct cc_slingshot_params, high), "64KiB", NULL, 1, 0x1p31, NULL,
	  "bytes for one endpoint at its switch, of two sources at least, from which on these are throttled: some 2.6 "
	  "us "
	  "at 200 Gb/s, above what chance brings together at loads below 0.9",
	  NULL },
	{ "low", BASE_SIZE, offsetof(struct cc_slingshot_params, low), "16KiB", NULL, 0, 0x1p31, NULL,
	  "with fewer than this throttles are loosened by what the link has left", NULL },
	{ "period", BASE_TIME, offsetof(struct cc_slingshot_params, period), "10us", NULL, 1000, 1e12, NULL,
	  "in which use of the link and of grants is measured; with many contributors as long as two packets of each "
	  "take",
	  NULL },
	{ 0 },
};

enum { HIGH, LOW, TARGET, FRAME_PS, HIGH_PS }; /* cc.word: bytes, and ps that the link takes for them */
/* cc_sink.word. LEVEL: of the link, 2^-32, what each contributor may have; 0: nothing is held back. BACKLOG, OWN, ALL,
 * SINCE: at the begin of the period, and bytes that the endpoint had got of this sink and of all. COUNTS: contributors
 * that use their level, and above them how many first pauses have been granted. */
enum { LEVEL_BACKLOG, COUNTS, OWN, ALL, SINCE, DRAINED, SHIFT, ROUND };
/* cc_contributor.word. USE: the level that it was granted, and above it bytes of this period and whether it counts. */
enum { USE, SHIFTED, GRANTED, RESUMES };
enum { PAUSED, INTERVAL, EXPIRES, SENT, PAIR_WORDS }; /* cc_pair.word */
enum { PAUSE, SHARE, HOLD };                          /* cc_frame.word */

#define LINK (1ull << 32)  /* a level: all of it */
#define STARVED 64u        /* part of the link that sources of a class may send which gets nothing of it */
#define COUNTED (1u << 31) /* of the bytes in USE */
#define FULL (1ull << 63)  /* of COUNTS: the class lacks nothing of the link */
#define WHOLE (1ull << 63) /* of PAUSE: it is all that is to be waited for; else on top of the pace */

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t ps_of(const struct cc *cc, uint64_t bytes)
{
	return bytes * cc->ps_per_byte_q16 >> 16;
}

static int build_slingshot(struct cc *cc, struct base_errors *errors)
{
	const struct cc_slingshot_params *p = cc->params;
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

static uint64_t slingshot_may_send(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes)
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

static uint64_t keep_slingshot(const struct cc *cc, const struct cc_pair *pair, uint64_t now)
{
	(void)cc;
	(void)now;
	return pair->word[INTERVAL] ? pair->word[EXPIRES] : 0;
}

/* --- the receiver's switch ----------------------------------------------------------------------------------- */

static uint64_t low_half(uint64_t word)
{
	return word & UINT32_MAX;
}

static uint64_t high_half(uint64_t word)
{
	return word >> 32;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* a x b / c, where the product has more than 64 bits. */
static uint64_t scaled(uint64_t a, uint64_t b, uint64_t c)
{
	return (uint64_t)((unsigned __int128)a * b / c);
}

static uint64_t level_of(const struct cc_sink *s)
{
	return low_half(s->word[LEVEL_BACKLOG]);
}

static void set_level(struct cc_sink *s, uint64_t level)
{
	s->word[LEVEL_BACKLOG] = high_half(s->word[LEVEL_BACKLOG]) << 32 | least(later(level, 1), LINK - 1);
}

/* What the class is to have, of LINK, as long as other classes that are congested here want theirs; not nothing, so
 * that the sources of a class that gets nothing find out when that changes. */
static uint64_t guaranteed(struct cc_call *k)
{
	return later((uint64_t)k->share(k, k->cc->word[LOW]) << 16, LINK / STARVED);
}

/* What leaves of it while it is congested: what it is to have, was granted or, in this period, had. */
static uint64_t service(struct cc_call *k)
{
	const uint64_t *w = k->sink->word;
	uint64_t granted = level_of(k->sink) * low_half(w[COUNTS]), had = 0;
	if (k->now > w[SINCE])
		had = scaled(ps_of(k->cc, k->sink->got - w[OWN]), LINK, k->now - w[SINCE]);
	return least(LINK, later(guaranteed(k), later(granted, had)));
}

/* Of LINK, in this period: what has left of the class and of all; what the class is sure of; what it lacks of that, or
 * of what nobody uses, up to its maximum; and how much of that two packets more or less make. */
struct use {
	uint64_t own, all, sure, lacks, noise;
};

static struct use use_since_begin(struct cc_call *k)
{
	const uint64_t *w = k->sink->word;
	uint64_t span = k->now - w[SINCE], most = (uint64_t)k->share(k, SIZE_MAX) << 16;
	struct use u = { .own = least(scaled(ps_of(k->cc, k->sink->got - w[OWN]), LINK, span), LINK),
		         .all = least(scaled(ps_of(k->cc, k->got(k) - w[ALL]), LINK, span), LINK),
		         .sure = guaranteed(k),
		         .noise = later(scaled(2 * k->cc->word[FRAME_PS], LINK, span), LINK / 256) };
	u.lacks = least(later(LINK - u.all, u.sure - least(u.own, u.sure)), most - least(u.own, most));
	return u;
}

#define FEW_PACKETS 16u

/* A backlog alone does not say that the class has all that it can have: it may wait for an input of the switch. So it
 * is looked at where it is twice as large, or where the period that has ended, or this one so far, says so. */
static bool too_much(struct cc_call *k)
{
	const struct cc_sink *s = k->sink;
	uint64_t high = k->cc->word[HIGH];
	if (s->backlog <= high || s->word[COUNTS] & FULL || s->backlog > 2 * high)
		return s->backlog > high;
	if (k->now - s->word[SINCE] < FEW_PACKETS * k->cc->word[FRAME_PS])
		return false;
	struct use u = use_since_begin(k);
	return u.lacks <= u.noise;
}

static uint64_t period(const struct cc_call *k)
{
	const struct cc_slingshot_params *p = k->cc->params;
	return later(p->period, 2 * k->sink->contributors * k->cc->word[FRAME_PS]);
}

static uint64_t hold(const struct cc_call *k)
{
	return 4 * period(k);
}

/* Until the backlog is where it should be. */
static uint64_t excess(const struct cc_call *k, uint64_t rate)
{
	uint64_t target = k->cc->word[TARGET];
	return k->sink->backlog > target ? scaled(ps_of(k->cc, k->sink->backlog - target), LINK, rate) : 0;
}

/* Pauses so far bring the backlog to where it should be by DRAINED. Where it says later, all contributors are to pause
 * for the difference: at first at once, as long as packets come that were on their way when their sources were
 * notified; those of sources that have resumed are part of their pace. Later a pause reaches sources one by one, as
 * their next packets come, so what it does is seen when each has sent one. */
static void watch(struct cc_call *k, const struct cc_contributor *c)
{
	uint64_t *w = k->sink->word, expected = k->now;
	if (!too_much(k))
		return;
	uint64_t rate = service(k), found = k->now + excess(k, rate);
	if (w[DRAINED] > k->now) {
		expected = w[DRAINED];
		if ((low_half(c->word[USE]) && k->now >= c->word[RESUMES]) ||
		    found < expected + k->cc->word[HIGH_PS] / 4)
			return;
		w[DRAINED] = found;
	} else if (k->now < w[ROUND]) {
		return;
	}
	w[SHIFT] += found - expected;
	w[ROUND] = found + scaled(k->sink->contributors * k->cc->word[FRAME_PS], LINK, rate);
}

/* Source by source, in the order of the first grants. */
static uint64_t turn_of(struct cc_call *k)
{
	uint64_t turn = high_half(k->sink->word[COUNTS] & ~FULL) % k->sink->contributors;
	k->sink->word[COUNTS] += 1ull << 32;
	return scaled(turn * k->cc->word[FRAME_PS], LINK, service(k));
}

static void grant(struct cc_call *k, struct cc_contributor *c)
{
	uint64_t *w = k->sink->word, level = level_of(k->sink), pause = w[SHIFT] - c->word[SHIFTED];
	if (!low_half(c->word[USE])) {
		pause = w[DRAINED] > k->now ? w[DRAINED] - k->now + turn_of(k) : 0;
		c->word[RESUMES] = k->now + pause;
		pause |= pause ? WHOLE : 0;
	} else {
		c->word[RESUMES] = later(c->word[RESUMES], k->now) + pause;
	}
	c->word[USE] = high_half(c->word[USE]) << 32 | level;
	c->word[SHIFTED] = w[SHIFT];
	c->word[GRANTED] = k->now;
	uint64_t pace = scaled(k->cc->ps_per_byte_q16, LINK, level);
	k->send(k, c->src,
	        &(struct cc_frame){ .word = { [PAUSE] = pause, [SHARE] = pace, [HOLD] = hold(k) },
	                            .pace_q16 = pace,
	                            .until = k->now + (pause & ~WHOLE) + hold(k) });
}

/* It uses its level, until a period says otherwise. */
static void count_in(struct cc_call *k, struct cc_contributor *c)
{
	c->word[USE] |= (uint64_t)COUNTED << 32;
	k->sink->word[COUNTS]++;
}

static bool grant_each(struct cc_call *k, struct cc_contributor *c)
{
	count_in(k, c);
	grant(k, c);
	return true;
}

static bool release_each(struct cc_call *k, struct cc_contributor *c)
{
	if (low_half(c->word[USE]))
		k->send(k, c->src, &(struct cc_frame){ .word = { 0 } });
	for (int i = 0; i < 4; i++)
		c->word[i] = 0;
	return false;
}

static void begin_period(struct cc_call *k)
{
	uint64_t *w = k->sink->word;
	w[OWN] = k->sink->got;
	w[ALL] = k->got(k);
	w[LEVEL_BACKLOG] = level_of(k->sink) | least(k->sink->backlog, UINT32_MAX) << 32;
	w[SINCE] = k->now;
	k->wake(k, k->now + period(k));
}

/* An equal part for each contributor. */
static uint64_t part(const struct cc_call *k, uint64_t of)
{
	return of / k->sink->contributors;
}

static uint64_t quiet(const struct cc *cc)
{
	return cc->word[HIGH];
}

static void begin(struct cc_call *k, const struct cc_contributor *c)
{
	struct cc_sink *s = k->sink;
	set_level(s, part(k, guaranteed(k)));
	s->word[COUNTS] = FULL | s->contributors; /* all, as grant_each() counts them below */
	s->word[DRAINED] = k->now + 1;
	s->word[ROUND] = 0;
	begin_period(k);
	watch(k, c);
	s->word[COUNTS] = FULL;
	k->each(k, grant_each);
}

/* One that comes while the backlog goes down is one more that wants its part; another may be a packet now and then, and
 * counts when it has used its level. */
static void newcomer(struct cc_call *k, struct cc_contributor *c)
{
	struct cc_sink *s = k->sink;
	uint64_t counted = low_half(s->word[COUNTS]);
	if (s->backlog <= k->cc->word[HIGH] && s->word[DRAINED] <= k->now)
		return;
	if (counted)
		set_level(s, later(level_of(s) * counted / (counted + 1), part(k, LINK / STARVED)));
	count_in(k, c);
}

static void arrives(struct cc_call *k, struct cc_contributor *c, uint32_t bytes)
{
	struct cc_sink *s = k->sink;
	if (!level_of(s)) {
		if (s->backlog > k->cc->word[HIGH] && (s->contributors > 1 || k->classes > 1))
			begin(k, c);
		return;
	}
	c->word[USE] += (uint64_t)least(bytes, COUNTED - 1 - (high_half(c->word[USE]) & ~COUNTED)) << 32;
	if (!low_half(c->word[USE]))
		newcomer(k, c);
	watch(k, c);
	if (low_half(c->word[USE]) != level_of(s) || c->word[SHIFTED] != s->word[SHIFT] ||
	    k->now - c->word[GRANTED] > hold(k) / 2)
		grant(k, c);
}

static bool leaves(struct cc_call *k, struct cc_contributor *c, uint32_t bytes)
{
	(void)c;
	(void)bytes;
	return level_of(k->sink) != 0;
}

/* A contributor at the end of a period: has it used three quarters of its level, give or take a packet? One that has
 * paused in it is not judged. One whose packets are stuck here, so that none comes, has its grant renewed. */
static bool judge(struct cc_call *k, struct cc_contributor *c)
{
	struct cc_sink *s = k->sink;
	uint64_t used = high_half(c->word[USE]) & ~COUNTED, span = k->now - s->word[SINCE];
	bool counts = high_half(c->word[USE]) & COUNTED, stays = k->now - c->seen < hold(k) || c->backlog;
	if (c->word[RESUMES] <= s->word[SINCE])
		counts = ps_of(k->cc, used + k->cc->max_frame) >= scaled(span / 4 * 3, level_of(s), LINK);
	c->word[USE] = low_half(c->word[USE]);
	if (counts && stays)
		count_in(k, c);
	if (c->backlog && low_half(c->word[USE]) && k->now - c->word[GRANTED] > hold(k) / 2)
		grant(k, c);
	return stays;
}

static uint64_t next_level(struct cc_call *k)
{
	struct cc_sink *s = k->sink;
	struct use use = use_since_begin(k);
	uint64_t level = level_of(s), counted = low_half(s->word[COUNTS]), before = high_half(s->word[LEVEL_BACKLOG]);
	s->word[COUNTS] = (s->word[COUNTS] & ~FULL) | (use.lacks <= use.noise ? FULL : 0);
	if (s->backlog < k->cc->word[LOW] || (use.lacks > use.noise && s->backlog <= 2 * k->cc->word[HIGH])) {
		level += least(use.lacks / later(counted, 1), level);
	} else if (s->backlog > k->cc->word[HIGH] && s->backlog > before) {
		uint64_t left = s->got - s->word[OWN], came = left + s->backlog - before;
		level = later(level / 2, scaled(level, left, came));
	}
	uint64_t free = LINK - (use.all - least(use.own, use.all));
	return later(level, part(k, later(least(use.sure, free), LINK / STARVED)));
}

static void tick(struct cc_call *k)
{
	struct cc_sink *s = k->sink;
	s->word[COUNTS] &= ~(uint64_t)UINT32_MAX;
	k->each(k, judge);
	uint64_t level = s->contributors ? next_level(k) : LINK;
	if (level >= LINK) {
		k->each(k, release_each);
		s->word[LEVEL_BACKLOG] = 0;
		return;
	}
	set_level(s, level);
	begin_period(k);
}

static const struct cc_ops ops = {
	.wants = CC_WANTS_SINKS,
	.needs = CC_NEEDS_LOSSLESS,
	.pair_words = PAIR_WORDS,
	.source.from_control = true,
	.receiver.by_class = true,
	.build = build_slingshot,
	.source.may_send = slingshot_may_send,
	.source.sent = sent,
	.source.control = control,
	.source.keep = keep_slingshot,
	.receiver.quiet = quiet,
	.receiver.arrives = arrives,
	.receiver.leaves = leaves,
	.receiver.tick = tick,
};

const struct base_plugin cc_slingshot = {
	.kind = "congestion",
	.name = "slingshot",
	.summary =
	    "the receiver's switch grants each source of a congested endpoint its share of the link, pair by pair",
	.source = "after De Sensi et al., SC20, II.C; the laws of grants and release are ours",
	.params = table,
	.params_bytes = sizeof(struct cc_slingshot_params),
	.ops = &ops,
};

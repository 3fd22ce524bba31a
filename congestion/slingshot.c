/* congestion/slingshot.c - per-pair throttling by the receiver's switch, modelled on Slingshot.
 *
 * Published facts (De Sensi et al., SC20, II.C): switches track every packet in flight between each pair of endpoints,
 * distinguish a congested endpoint from a congested fabric, and slow down only the contributing sources, by
 * back-pressure on the pair. The control laws below are ours; each threshold is a parameter.
 *
 * Each traffic class that the switch distinguishes has a sink of its own at each terminal output, and is controlled
 * separately: the switch's scheduler decides the class's share of the link, which its sources divide.
 *
 * Onset. A sink is congested when more than `high` bytes wait for its endpoint, from two sources or more: bytes of a
 * single source arrive no faster than they leave, except after a delay in the fabric. With several classes one source
 * suffices, since its class may have less than the whole link.
 * Grants. Each source with packets there gets a frame (pause, ps per byte): all sources have the same level (share of
 * the link), initially an equal part of the class's guarantee while the other classes congested there use theirs; it
 * may be far below one packet per round trip. The pause additionally lets the backlog fall to the midpoint of `low` and
 * `high`: the switch computes when that will be reached, and if the current backlog implies a later time, all
 * contributors pause for the difference. The first pauses end one packet time after each other, so that sources do not
 * resume together. The switch sends a frame when a packet arrives whose source does not have the current grant, so at
 * most one frame per packet.
 * Level. Max-min fairness means one level for all; a source that offers less gets less. Every period, if the backlog is
 * below `low`, the unused bandwidth of the link, or the class's deficit to its guarantee, is divided among the
 * contributors that used their level, and raises it; if the backlog is above `high` and grows, the level is lowered to
 * the rate at which packets left. In between the link is full, and the level is unchanged. A level never falls below an
 * equal part of the class's guarantee.
 * Release. The control of a sink ends when the level is the link's rate, or when there is no contributor left. A source
 * that has sent nothing for four periods is no longer a contributor, and a grant that is not renewed for that long is
 * void. */
#include "congestion/congestion.h"

#include <stddef.h>

struct cc_slingshot_params {
	uint64_t high, low, period;
};

static const struct base_param table[] = {
	{ "high", BASE_SIZE, offsetof(struct cc_slingshot_params, high), "64KiB", NULL, 1, 0x1p31, NULL,
	  "bytes waiting for one endpoint at its switch, from at least two sources, from which these are throttled; "
	  "the default, 2.6 us at 200 Gb/s, is above random fluctuations at loads below 0.9",
	  NULL },
	{ "low", BASE_SIZE, offsetof(struct cc_slingshot_params, low), "16KiB", NULL, 0, 0x1p31, NULL,
	  "with fewer waiting bytes throttles are relaxed by the unused bandwidth of the link", NULL },
	{ "period", BASE_TIME, offsetof(struct cc_slingshot_params, period), "10us", NULL, 1000, 1e12, NULL,
	  "interval in which the use of the link and of grants is measured; with many contributors at least the time "
	  "of two packets of each",
	  NULL },
	{ 0 },
};

enum { HIGH, LOW, TARGET, FRAME_PS, HIGH_PS }; /* cc.word: bytes, and ps that the link takes for them */
/* Words of cc_sink.word. LEVEL: share of the link granted to each contributor, in units of 2^-32; 0: no throttling.
 * BACKLOG, OWN, ALL, SINCE: the backlog at the start of the period; the bytes that the endpoint had received by then,
 * from this sink and from all its sinks; the time of that start in ps. COUNTS: the number of contributors that use
 * their level, and in the high half the number of first pauses granted. */
enum { LEVEL_BACKLOG, COUNTS, OWN, ALL, SINCE, DRAINED, SHIFT, ROUND };
/* cc_contributor.word. USE: the granted level, and in the high half bytes of this period and whether it counts. */
enum { USE, SHIFTED, GRANTED, RESUMES };
enum { PAUSED, INTERVAL, EXPIRES, SENT, PAIR_WORDS }; /* cc_pair.word */
enum { PAUSE, SHARE, HOLD };                          /* cc_frame.word */

#define LINK (1ull << 32)  /* level of the whole link */
#define STARVED 64u        /* sources of a class that gets nothing of the link may send at this part of it */
#define COUNTED (1u << 31) /* of the bytes in USE */
#define FULL (1ull << 63)  /* in COUNTS: the class has all that it can use of the link */
#define WHOLE (1ull << 63) /* in PAUSE: the pause is absolute, instead of additional to the pace */

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

/* --- the source ------------------------------------------------------------------------------------------ */

/* Earliest time by the pace after its last packet; a packet sent before the first frame or pause does not count. */
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
		w[SENT] = 0; /* packets sent without throttling do not count */
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

/* --- the receiver's switch ------------------------------------------------------------------------------- */

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

/* The class's guaranteed share of the link, in units of 1/LINK, while the other congested classes use their guarantees.
 * It is never 0, so that the sources of a class that is served nothing at present notice when that changes. */
static uint64_t guaranteed(struct cc_call *k)
{
	return later((uint64_t)k->share(k, k->cc->word[LOW]) << 16, LINK / STARVED);
}

/* Service rate of the class while it is congested, in units of 1/LINK of the link: the largest of its guarantee, the
 * sum of its grants and its measured rate in this period. */
static uint64_t service(struct cc_call *k)
{
	const uint64_t *w = k->sink->word;
	uint64_t granted = level_of(k->sink) * low_half(w[COUNTS]), had = 0;
	if (k->now > w[SINCE])
		had = scaled(ps_of(k->cc, k->sink->got - w[OWN]), LINK, k->now - w[SINCE]);
	return least(LINK, later(guaranteed(k), later(granted, had)));
}

/* Rates in this period, in units of 1/LINK of the link. own, all: measured rates of the class and of all classes. sure:
 * the class's guarantee. lacks: its deficit to that guarantee or the unused bandwidth, whichever is larger, limited by
 * the class's maximum. noise: the effect of two packets more or less. */
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

/* A backlog above `high` alone does not show that the class uses all its bandwidth, because its packets may wait for an
 * input of the switch. So it counts as congestion only if it exceeds twice `high`, or if the last period, or the
 * current one so far, shows full use. */
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

/* Time until the backlog is at its target. */
static uint64_t excess(const struct cc_call *k, uint64_t rate)
{
	uint64_t target = k->cc->word[TARGET];
	return k->sink->backlog > target ? scaled(ps_of(k->cc, k->sink->backlog - target), LINK, rate) : 0;
}

/* Schedules pauses that lead the backlog to its target. With the pauses so far it reaches the target at DRAINED. If its
 * current size implies a later time, all contributors pause for the difference. Until DRAINED this is decided
 * immediately, but only on packets that were on the way when their sources were notified, as packets of resumed sources
 * are part of their pace. Later a pause reaches sources one by one, with their next packets, so its effect is known
 * only when each has sent one. */
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

/* Staggers the sources, in the order of their first grants. */
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

/* Assumes that it uses its level, until a period shows otherwise. */
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

/* An equal share for each contributor. */
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

/* Handles a source that is not counted yet. While the backlog is too large or being reduced, it needs a share of its
 * own, so it is counted at once and the level is lowered accordingly. At other times it may send only occasional
 * packets, and is counted when it has used its level. */
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

/* Called for each contributor at the end of a period: counts it if it has used three quarters of its level, within one
 * packet. One that has paused in this period is not judged anew. If packets of a contributor are blocked here, so that
 * none arrives, its grant is renewed. Returns whether to keep the contributor. */
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
	.receiver.paces = true,
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
	BASE_DESCRIBE("congestion", "slingshot", table, struct cc_slingshot_params, &ops),
	.summary =
	    "the receiver's switch grants each source of a congested endpoint its share of the link, pair by pair",
	.source = "after De Sensi et al., SC20, II.C; the control laws are ours",
};

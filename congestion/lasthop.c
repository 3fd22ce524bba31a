/* congestion/lasthop.c - the receiver's switch limits each of n sources to 1/n of the link.
 *
 * The switch keeps a record for each source that has sent to an endpoint recently. It deletes the record when no packet
 * has arrived for 1.5 (n + 1) packet times (5 (n + 1) while sources are throttled), or when the source reports that it
 * has no more data. When at least `threshold` bytes from at least `sources` sources wait for the endpoint, all sources
 * are notified of their number n, and again whenever n grows; a new source is notified when its first packet arrives. A
 * notified source first pauses for `pause` times the time that the link needs for all waiting bytes, and then sends at
 * 1/n of its link until it has no more data. Shares do not grow when other sources finish: this is the price of a
 * simple rule. */
#include "congestion/congestion.h"

#include <stddef.h>

struct lasthop_params {
	uint64_t threshold, least;
	int64_t sources;
	double pause;
};

static const struct base_param table[] = {
	{ "threshold", BASE_SIZE, offsetof(struct lasthop_params, threshold), "64KiB", NULL, 1, 0x1p31, NULL,
	  "bytes waiting for one endpoint at its switch from which its sources are notified; default: two output "
	  "buffers of the simulator that defines the rule",
	  NULL },
	{ "sources", BASE_INT, offsetof(struct lasthop_params, sources), "6", NULL, 2, 1e6, NULL,
	  "minimum number of sources to notify", NULL },
	{ "pause", BASE_FLOAT, offsetof(struct lasthop_params, pause), "4.0", NULL, 0, 1000, NULL,
	  "pause of a notified source, as a multiple of the time that the link needs for all bytes waiting there",
	  NULL },
	{ "least", BASE_SIZE, offsetof(struct lasthop_params, least), "128B", NULL, 0, 0x1p31, NULL,
	  "shorter frames are not counted", NULL },
	{ 0 },
};

enum { FRAME_PS }; /* cc.word */
enum {
	ACTIVE,
	COUNT,
	NOTIFIED
};                      /* cc_sink.word; COUNT: number of records; NOTIFIED: COUNT when all were last notified */
enum { COUNTED, ENDS }; /* cc_contributor.word */
enum { PAUSED, INTERVAL, SENT, WAITED, PAIR_WORDS }; /* cc_pair.word; INTERVAL: ps << 16 per byte, 0: no limit */
enum { PAUSE, SHARE }; /* cc_frame.word, to the source; frames from a source only mean that it is done */

static uint64_t ps_of(const struct cc *cc, uint64_t bytes)
{
	return bytes * cc->ps_per_byte_q16 >> 16;
}

static int build_lasthop(struct cc *cc, struct base_errors *errors)
{
	(void)errors;
	cc->word[FRAME_PS] = ps_of(cc, cc->max_frame) + 1;
	return 0;
}

/* --- the source ------------------------------------------------------------------------------------------ */

static uint64_t lasthop_may_send(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes)
{
	const uint64_t *w = pair->word;
	(void)cc;
	(void)bytes;
	if (!w[INTERVAL])
		return now;
	uint64_t paced = w[SENT] ? w[SENT] + (pair->last * w[INTERVAL] >> 16) : 0;
	uint64_t at = paced > w[PAUSED] ? paced : w[PAUSED];
	return at > now ? at : now;
}

static void sent(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes)
{
	(void)cc;
	(void)bytes;
	pair->word[SENT] = now;
}

static void control(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_frame *frame)
{
	uint64_t *w = pair->word, until = now + frame->word[PAUSE];
	(void)cc;
	w[PAUSED] = until > w[PAUSED] ? until : w[PAUSED];
	w[INTERVAL] = frame->word[SHARE];
}

static bool asks(const struct cc *cc, struct cc_pair *pair, uint64_t now, struct cc_frame *frame)
{
	uint64_t *w = pair->word;
	(void)cc;
	(void)now;
	(void)frame;
	w[WAITED] |= w[INTERVAL] && pair->waiting; /* only data that has been created counts as waiting */
	if (!w[WAITED] || pair->waiting)
		return false;
	w[INTERVAL] = w[PAUSED] = w[WAITED] = 0;
	return true;
}

/* --- the receiver's switch ------------------------------------------------------------------------------- */

static uint64_t life(const struct cc_call *k)
{
	const uint64_t *w = k->sink->word;
	uint64_t all = (w[COUNT] + 1) * k->cc->word[FRAME_PS];
	return w[ACTIVE] ? 5 * all : all + all / 2;
}

static void notify(struct cc_call *k, const struct cc_contributor *c)
{
	const struct lasthop_params *p = k->cc->params;
	uint64_t pause = (uint64_t)(p->pause * (double)ps_of(k->cc, k->sink->backlog));
	uint64_t share = k->sink->word[COUNT] * k->cc->ps_per_byte_q16;
	k->send(k, c->src, &(struct cc_frame){ .word = { [PAUSE] = pause, [SHARE] = share } });
}

static bool notify_each(struct cc_call *k, struct cc_contributor *c)
{
	if (c->word[COUNTED])
		notify(k, c);
	return true;
}

/* Ends the contributor's record. */
static bool end_record(struct cc_call *k, struct cc_contributor *c)
{
	k->sink->word[COUNT] -= c->word[COUNTED];
	c->word[COUNTED] = 0;
	return false;
}

static void arrives(struct cc_call *k, struct cc_contributor *c, uint32_t bytes)
{
	const struct lasthop_params *p = k->cc->params;
	uint64_t *w = k->sink->word;
	bool first = !c->word[COUNTED];
	if (bytes < p->least)
		return;
	if (!w[COUNT] && first)
		k->wake(k, k->now + 2 * k->cc->word[FRAME_PS]);
	c->word[COUNTED] = 1;
	w[COUNT] += first;
	c->word[ENDS] = k->now + life(k);
	bool on = w[ACTIVE] || (k->sink->backlog >= p->threshold && w[COUNT] >= (uint64_t)p->sources);
	if (!on)
		return;
	if (!w[ACTIVE] || w[COUNT] > w[NOTIFIED]) {
		w[ACTIVE] = 1;
		w[NOTIFIED] = w[COUNT];
		k->each(k, notify_each);
	} else if (first) {
		notify(k, c);
	}
}

static bool leaves(struct cc_call *k, struct cc_contributor *c, uint32_t bytes)
{
	(void)bytes;
	if (c->word[COUNTED] && k->now < c->word[ENDS])
		return true;
	return c->backlog ? true : end_record(k, c);
}

static bool requested(struct cc_call *k, struct cc_contributor *c, const struct cc_frame *frame)
{
	(void)frame;
	c->word[ENDS] = k->now;
	return c->backlog ? true : end_record(k, c);
}

static bool still_counts(struct cc_call *k, struct cc_contributor *c)
{
	if (c->backlog || (c->word[COUNTED] && k->now < c->word[ENDS]))
		return true;
	return end_record(k, c);
}

static void tick(struct cc_call *k)
{
	uint64_t *w = k->sink->word;
	k->each(k, still_counts);
	if (w[COUNT])
		k->wake(k, k->now + (w[COUNT] + 1) * k->cc->word[FRAME_PS]);
	else
		w[ACTIVE] = w[NOTIFIED] = 0;
}

static uint64_t keep_lasthop(const struct cc *cc, const struct cc_pair *pair, uint64_t now)
{
	(void)now;
	return pair->word[PAUSED] +
	       5 * (cc->max_frame * pair->word[INTERVAL] >> 16); /* the same time as at the switch */
}

static const struct cc_ops ops = {
	.wants = CC_WANTS_SINKS | CC_WANTS_REQUESTS,
	.needs = CC_NEEDS_LOSSLESS | CC_NEEDS_EQUAL_CLASSES,
	.pair_words = PAIR_WORDS,
	.build = build_lasthop,
	.source.may_send = lasthop_may_send,
	.source.sent = sent,
	.source.control = control,
	.requests.asks = asks,
	.source.keep = keep_lasthop,
	.requests.requested = requested,
	.receiver.arrives = arrives,
	.receiver.leaves = leaves,
	.receiver.tick = tick,
};

const struct base_plugin cc_lasthop = {
	BASE_DESCRIBE("congestion", "lasthop", table, struct lasthop_params, &ops),
	.summary = "the receiver's switch notifies the sources of a congested endpoint of their number",
	.source = "rules as in SST's merlin (port control, 2021)",
};

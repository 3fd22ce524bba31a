/* congestion/dcqcn.c - the sender's rate, controlled by ECN marks: the NIC's side of DCQCN.
 *
 * A pair sends at rate R with target Rt; alpha estimates the fraction of marked packets. The first mark starts three
 * timers. At every alpha_timer alpha becomes (1 - g) alpha + g if a mark has arrived since, else (1 - g) alpha; at
 * every decrease_timer, if a mark has arrived, R *= 1 - alpha / 2 and the increase begins anew at stage 0; at every
 * increase_timer Rt grows by `additive` if the stage is `fast`, by `hyper` if it is later, then R moves halfway to Rt
 * and the stage increases by one. Packets are spaced by the current rate; when the rate changes, so does the space
 * after the last packet. */
#include "congestion/congestion.h"

#include <stddef.h>

enum timers { VENDOR, PAPER };

struct dcqcn_params {
	int timers;
	uint64_t alpha, decrease, increase; /* ps */
	int64_t fast;
	uint64_t additive, hyper, least; /* b/s */
	double g;
	uint64_t window;
};

static const struct base_param table[] = {
	{ "timers", BASE_ENUM, offsetof(struct dcqcn_params, timers), "vendor", NULL, 0, 0, "vendor|paper",
	  "defaults of alpha_timer, decrease_timer, increase_timer and fast. vendor: 1us, 4us, 300us, 1; paper: 50us, "
	  "50us, 55us, 5",
	  "HPCC's ns-3; Zhu et al., SIGCOMM 2015" },
	{ "alpha_timer", BASE_AUTO_TIME, offsetof(struct dcqcn_params, alpha), "auto", NULL, 1000, 1e12, NULL,
	  "period of updates of alpha; auto: as given by timers", NULL },
	{ "decrease_timer", BASE_AUTO_TIME, offsetof(struct dcqcn_params, decrease), "auto", NULL, 1000, 1e12, NULL,
	  "the rate decreases at most once in this time; auto: as given by timers", NULL },
	{ "increase_timer", BASE_AUTO_TIME, offsetof(struct dcqcn_params, increase), "auto", NULL, 1000, 1e12, NULL,
	  "the rate increases once in this time; auto: as given by timers", NULL },
	{ "fast", BASE_AUTO_INT, offsetof(struct dcqcn_params, fast), "auto", "stages", 0, 1000, NULL,
	  "number of increases that move the rate halfway to the target rate, before the target rate itself grows; "
	  "auto: as given by timers",
	  NULL },
	{ "additive", BASE_RATE, offsetof(struct dcqcn_params, additive), "20Mbps", NULL, 1, 1e12, NULL,
	  "additive increase: growth of the target rate at the step that follows `fast` steps of recovery", NULL },
	{ "hyper", BASE_RATE, offsetof(struct dcqcn_params, hyper), "200Mbps", NULL, 1, 1e12, NULL,
	  "hyper increase: growth of the target rate at each step after that", NULL },
	{ "least", BASE_RATE, offsetof(struct dcqcn_params, least), "1Gbps", NULL, 1, 1e12, NULL,
	  "minimum sending rate", NULL },
	{ "g", BASE_FLOAT, offsetof(struct dcqcn_params, g), "0.00390625", NULL, 0.000001, 1, NULL,
	  "weight of the newest sample in alpha: 1/256", NULL },
	{ "window", BASE_SIZE, offsetof(struct dcqcn_params, window), "0B", NULL, 0, 0x1p31, NULL,
	  "additional limit on bytes in flight; 0B: none", NULL },
	{ 0 },
};

static bool has_timer_left_out(const void *params)
{
	const struct dcqcn_params *p = params;
	return p->alpha == BASE_AUTO_TIME_VALUE || p->decrease == BASE_AUTO_TIME_VALUE ||
	       p->increase == BASE_AUTO_TIME_VALUE || p->fast == BASE_AUTO;
}

static const struct base_condition conditions[] = {
	{ "timers", "where one of these four keys is omitted", has_timer_left_out, NULL },
	{ 0 },
};

/* cc.word: rates as fractions of the link's, timers in ps, stages */
enum { ADDITIVE, HYPER, LEAST, G, ALPHA_TIMER, DECREASE_TIMER, INCREASE_TIMER, FAST };
enum { NEXT, RATE, GOAL, ALPHA, STAGE, ALPHA_AT, DECREASE_AT, INCREASE_AT, MARKS, PAIR_WORDS }; /* cc_pair.word */
enum { MARK_FOR_ALPHA = 1, MARK_FOR_DECREASE = 2 };                                             /* MARKS */

#define ONE (UINT64_C(1) << 32) /* the link's rate; alpha of 1 */

static uint64_t share(const struct cc *cc, uint64_t bits_per_second)
{
	double line = 8e12 * 0x1p16 / (double)cc->ps_per_byte_q16, s = (double)bits_per_second / line;
	return s < 1 ? (uint64_t)(s * 0x1p32) + 1 : ONE;
}

static uint64_t timer(uint64_t given, uint64_t preset)
{
	return given == BASE_AUTO_TIME_VALUE ? preset : given;
}

static int build_dcqcn(struct cc *cc, struct base_errors *errors)
{
	static const struct {
		uint64_t alpha, decrease, increase, fast;
	} sets[] = { [VENDOR] = { 1000000, 4000000, 300000000, 1 }, [PAPER] = { 50000000, 50000000, 55000000, 5 } };
	const struct dcqcn_params *p = cc->params;
	(void)errors;
	cc->word[ALPHA_TIMER] = timer(p->alpha, sets[p->timers].alpha);
	cc->word[DECREASE_TIMER] = timer(p->decrease, sets[p->timers].decrease);
	cc->word[INCREASE_TIMER] = timer(p->increase, sets[p->timers].increase);
	cc->word[FAST] = p->fast == BASE_AUTO ? sets[p->timers].fast : (uint64_t)p->fast;
	cc->word[ADDITIVE] = share(cc, p->additive);
	cc->word[HYPER] = share(cc, p->hyper);
	cc->word[LEAST] = share(cc, p->least);
	cc->word[G] = (uint64_t)(p->g * 0x1p32);
	return 0;
}

static uint64_t times(uint64_t a, uint64_t share_of)
{
	return (uint64_t)((unsigned __int128)a * share_of >> 32);
}

/* Time, in ps, for so many bytes at the pair's rate. */
static uint64_t space(const struct cc *cc, uint64_t bytes, uint64_t rate)
{
	return (uint64_t)(((unsigned __int128)(bytes * cc->ps_per_byte_q16) << 16) / rate);
}

static void set_rate(const struct cc *cc, struct cc_pair *pair, uint64_t rate)
{
	uint64_t *w = pair->word;
	rate = rate > ONE ? ONE : rate < cc->word[LEAST] ? cc->word[LEAST] : rate;
	if (w[NEXT])
		w[NEXT] = w[NEXT] + space(cc, pair->last, rate) - space(cc, pair->last, w[RATE]);
	w[RATE] = rate;
}

static void raise_goal(struct cc_pair *pair, uint64_t by)
{
	pair->word[GOAL] = pair->word[GOAL] + by < ONE ? pair->word[GOAL] + by : ONE;
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t next_timer(const struct cc_pair *pair)
{
	const uint64_t *w = pair->word;
	return w[ALPHA_AT] ? least_of(w[ALPHA_AT], least_of(w[DECREASE_AT], w[INCREASE_AT])) : SIM_NEVER;
}

static void run_timer(const struct cc *cc, struct cc_pair *pair, uint64_t at)
{
	uint64_t *w = pair->word;
	if (w[ALPHA_AT] == at) {
		w[ALPHA] -= times(w[ALPHA], cc->word[G]);
		w[ALPHA] += w[MARKS] & MARK_FOR_ALPHA ? cc->word[G] : 0;
		w[MARKS] &= ~(uint64_t)MARK_FOR_ALPHA;
		w[ALPHA_AT] = at + cc->word[ALPHA_TIMER];
	} else if (w[DECREASE_AT] == at) {
		w[DECREASE_AT] = at + cc->word[DECREASE_TIMER];
		if (!(w[MARKS] & MARK_FOR_DECREASE))
			return;
		w[MARKS] &= ~(uint64_t)MARK_FOR_DECREASE;
		if (w[STAGE])
			w[GOAL] = w[RATE];
		set_rate(cc, pair, w[RATE] - times(w[RATE], w[ALPHA]) / 2);
		w[STAGE] = 0;
		w[INCREASE_AT] = at + cc->word[INCREASE_TIMER];
	} else {
		if (w[STAGE] == cc->word[FAST])
			raise_goal(pair, cc->word[ADDITIVE]);
		else if (w[STAGE] > cc->word[FAST])
			raise_goal(pair, cc->word[HYPER]);
		set_rate(cc, pair, (w[RATE] + w[GOAL]) / 2);
		w[STAGE]++;
		w[INCREASE_AT] = at + cc->word[INCREASE_TIMER];
	}
}

/* Processes all timers up to `now`. */
static void advance(const struct cc *cc, struct cc_pair *pair, uint64_t now)
{
	if (!pair->word[RATE])
		pair->word[RATE] = pair->word[GOAL] = pair->word[ALPHA] = ONE;
	for (uint64_t at = next_timer(pair); at <= now; at = next_timer(pair))
		run_timer(cc, pair, at);
}

static uint64_t dcqcn_may_send(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes)
{
	const struct dcqcn_params *p = cc->params;
	advance(cc, pair, now);
	if (p->window && pair->in_flight && (uint64_t)pair->in_flight + bytes > p->window)
		return SIM_NEVER;
	return pair->word[NEXT] <= now ? now : least_of(pair->word[NEXT], next_timer(pair));
}

static void sent(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes)
{
	pair->word[NEXT] = now + space(cc, bytes, pair->word[RATE]);
}

static void acked(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_ack *ack)
{
	uint64_t *w = pair->word;
	advance(cc, pair, now);
	if (!ack->marked)
		return;
	if (!w[ALPHA_AT]) { /* the first mark starts the timers and changes nothing else */
		w[ALPHA_AT] = now + cc->word[ALPHA_TIMER];
		w[DECREASE_AT] = now + cc->word[DECREASE_TIMER] + 1000;
		w[INCREASE_AT] = SIM_NEVER;
	}
	w[MARKS] |= MARK_FOR_ALPHA | MARK_FOR_DECREASE;
}

static uint64_t keep_dcqcn(const struct cc *cc, const struct cc_pair *pair, uint64_t now)
{
	(void)cc;
	(void)now;
	return pair->word[NEXT];
}

static const struct cc_ops ops = {
	.wants = CC_WANTS_ACKS,
	.needs = CC_NEEDS_ECN,
	.pair_words = PAIR_WORDS,
	.source.advances = true,
	.build = build_dcqcn,
	.source.may_send = dcqcn_may_send,
	.source.sent = sent,
	.source.acked = acked,
	.source.keep = keep_dcqcn,
};

const struct base_plugin cc_dcqcn = {
	BASE_DESCRIBE("congestion", "dcqcn", table, struct dcqcn_params, &ops),
	.summary = "a rate controlled by ECN marks",
	.source = "Zhu et al., SIGCOMM 2015; rules as in the NIC model of HPCC's ns-3, which has no byte counter",
	.conditions = conditions,
};

/* switch/classes.c - priorities and token buckets: see classes.h.
 *
 * Invariants: a bucket never holds more than a burst, and the debt of a minimum's bucket never exceeds a burst; the tag
 * of a class that has just sent differs from `reached` of its priority by at most the class's span. */
#include "switch/classes.h"
#include "switch/switch.h"

#define LONG_AGO (1ull << 46) /* ps; after which the smallest share fills every bucket, and tokens stay below 2^62 */

/* Does class k only get the bandwidth that the others of its priority leave? */
static bool leftover(const struct sw_class_order *o, uint32_t k)
{
	return o->sharing == SW_PROPORTIONAL && !o->rule[k].min_q16;
}

/* A byte of a class counts as one, or is weighted by its minimum: a share of 1 / 1024 of the link for 2^20. */
static void share_out(struct sw_class_order *o, bool rules)
{
	uint64_t packet = 0;
	bool some = false;
	for (uint32_t k = 0; k < o->classes; k++) {
		uint32_t min = o->rule[k].min_q16;
		o->per_byte[k] = o->sharing == SW_PROPORTIONAL && min ? (65536 << 10) / min : 1;
		packet = packet > o->per_byte[k] ? packet : o->per_byte[k];
		some |= leftover(o, k);
	}
	o->steps = o->ranks == o->classes || !rules ? 1 : some ? 4 : 2;
	packet *= o->burst / SW_BURST;
	for (uint32_t k = 0; k < o->classes; k++) {
		o->span[k] = (uint64_t)o->burst * o->per_byte[k] + packet;
		o->step[k] = o->steps == 4 && !leftover(o, k) ? 2 : 0;
		o->first[k] = (uint8_t)k;
		for (uint32_t j = k; j-- > 0;)
			if (o->rule[j].priority == o->rule[k].priority && leftover(o, j) == leftover(o, k))
				o->first[k] = (uint8_t)j;
	}
}

void sw_class_order_init(const struct sw_common *c, struct sw_class_order *o)
{
	*o = (struct sw_class_order){
		.classes = c->lanes.classes, .sharing = c->sharing, .ranks = 1, .burst = SW_BURST * c->max_packet
	};
	for (uint32_t k = 0; k < o->classes; k++) {
		struct sw_class_rule all = { .max_q16 = 65536 };
		o->rule[k] = c->class_rules ? c->class_rules[k] : all;
		o->used |= o->rule[k].max_q16 < 65536 || (o->classes > 1 && o->rule[k].min_q16);
	}
	for (uint32_t k = 0; k < o->classes; k++) {
		uint32_t below = 0;
		for (uint32_t i = 0; i < o->classes; i++) {
			bool first = true; /* the first class of its priority */
			for (uint32_t j = 0; j < i; j++)
				first &= o->rule[j].priority != o->rule[i].priority;
			below += first && o->rule[i].priority < o->rule[k].priority;
		}
		o->rank[k] = (uint8_t)below;
		o->ranks = below + 1 > o->ranks ? below + 1 : o->ranks;
	}
	share_out(o, c->class_rules != NULL);
	o->used |= o->ranks > 1 || o->steps > 1;
	o->levels = 2 * o->ranks * o->steps;
	base_checkf(o->classes >= 1 && o->classes <= SW_MAX_CLASSES, "%u classes", o->classes);
}

static int64_t full(const struct sw_class_order *o, uint64_t q16)
{
	return (int64_t)(o->burst * q16);
}

/* The current number of tokens. */
static int64_t tokens(const struct sw_class_order *o, const struct sw_bucket *b, uint32_t share, uint64_t q16,
                      uint64_t now)
{
	uint64_t since = now - b->at;
	int64_t most = full(o, q16);
	base_checkf(now >= b->at && b->left <= most, "%lld tokens of %lld", (long long)b->left, (long long)most);
	if (since >= LONG_AGO)
		return most;
	int64_t left = b->left + (int64_t)(since * share);
	return left < most ? left : most;
}

void sw_class_buckets_init(const struct sw_class_order *o, struct sw_class_buckets *b, uint64_t q16)
{
	for (uint32_t k = 0; k < o->classes; k++)
		b[k].min.left = b[k].max.left = full(o, q16);
}

/* Is tag a before b? */
static bool before(uint64_t a, uint64_t b)
{
	return (int64_t)(a - b) < 0;
}

static uint32_t step_of(const struct sw_class_order *o, const struct sw_class_buckets *b, uint32_t class)
{
	bool behind = o->steps > 1 && !before(b[o->first[class]].reached, b[class].had);
	return o->step[class] + (behind ? 1u : 0u);
}

uint32_t sw_class_level(const struct sw_class_order *o, const struct sw_class_buckets *b, uint32_t class, uint64_t q16,
                        uint64_t now, uint64_t *when)
{
	const struct sw_class_rule *r = &o->rule[class];
	base_checkf(class < o->classes, "class %u of %u", class, o->classes);
	if (r->max_q16 < 65536) {
		int64_t left = tokens(o, &b[class].max, r->max_q16, q16, now);
		if (left <= 0) {
			uint64_t then = r->max_q16 ? now + (uint64_t)-left / r->max_q16 + 1 : SIM_NEVER;
			*when = then < *when ? then : *when;
			return SW_CLASS_HELD;
		}
	}
	bool owed = r->min_q16 && tokens(o, &b[class].min, r->min_q16, q16, now) > 0;
	return (o->rank[class] + (owed ? o->ranks : 0)) * o->steps + step_of(o, b, class);
}

/* Share of class k when the sharing parameter is `x`, by the rule. */
static uint32_t share_at(const struct sw_class_order *o, uint32_t k, uint64_t x)
{
	uint64_t min = o->rule[k].min_q16, max = o->rule[k].max_q16, share = x;
	if (o->sharing == SW_MAX_MIN)
		share = x > min ? x : min;
	else if (o->sharing == SW_EQUAL || !min)
		share = min + x;
	else
		share = min + (min * x >> 16);
	return (uint32_t)(share < max ? share : max);
}

/* Raises the shares of the classes in the set `among`, whose sum is below `total`, until they use all of `total` or
 * reach their maxima. */
static uint32_t raise_shares(const struct sw_class_order *o, uint32_t among, uint32_t total, uint32_t *share)
{
	uint64_t low = 0, high = UINT64_C(1) << 33, sum;
	while (high - low > 1) {
		uint64_t x = low + (high - low) / 2;
		sum = 0;
		for (uint32_t k = 0; k < o->classes; k++)
			sum += among >> k & 1 ? share_at(o, k, x) : 0;
		if (sum <= total)
			low = x;
		else
			high = x;
	}
	sum = 0;
	for (uint32_t k = 0; k < o->classes; k++)
		if (among >> k & 1)
			sum += share[k] = share_at(o, k, low);
	return (uint32_t)(sum < total ? sum : total);
}

void sw_class_shares(const struct sw_class_order *o, uint32_t wanting, uint32_t *share)
{
	uint32_t left = 65536, some;
	for (uint32_t k = 0; k < o->classes; k++) {
		const struct sw_class_rule *r = &o->rule[k];
		uint32_t min = r->min_q16 < r->max_q16 ? r->min_q16 : r->max_q16;
		share[k] = wanting >> k & 1 ? (min < left ? min : left) : 0;
		left -= share[k];
	}
	for (uint32_t step = 2 * o->ranks;
	     step-- > 0;) { /* for each priority, first the classes with a minimum, by that rule */
		uint32_t among = 0, had = 0;
		for (uint32_t k = 0; k < o->classes; k++) {
			some = (wanting >> k & 1) && o->rank[k] == step / 2 && leftover(o, k) == !(step & 1);
			among |= some << k;
			had += some ? share[k] : 0;
		}
		left -= raise_shares(o, among, had + left, share) - had;
	}
}

static void pay(struct sim_ctx *ctx, struct sw_bucket *b, int64_t left, uint64_t now)
{
	sim_save(ctx, b, sizeof *b);
	*b = (struct sw_bucket){ left, now };
}

static void count_bytes(struct sim_ctx *ctx, const struct sw_class_order *o, struct sw_class_buckets *b, uint32_t class,
                        uint32_t bytes, bool owed)
{
	uint64_t per_byte = o->per_byte[class], span = o->span[class], start = b[class].had;
	uint64_t reached = b[o->first[class]].reached;
	if (before(start, reached - span))
		start = reached - span;
	if (!owed && before(reached, start))
		sim_set(ctx, &b[o->first[class]].reached, reached = start);
	uint64_t had = start + bytes * per_byte;
	sim_set(ctx, &b[class].had, before(reached + span, had) ? reached + span : had);
}

void sw_class_pay(struct sim_ctx *ctx, const struct sw_class_order *o, struct sw_class_buckets *b, uint32_t class,
                  uint64_t q16, uint32_t bytes, uint64_t now)
{
	const struct sw_class_rule *r = &o->rule[class];
	int64_t price = (int64_t)(bytes * q16), least = -full(o, q16);
	base_checkf(class < o->classes && price > 0, "class %u of %u pays %lld", class, o->classes, (long long)price);
	if (r->max_q16 < 65536)
		pay(ctx, &b[class].max, tokens(o, &b[class].max, r->max_q16, q16, now) - price, now);
	bool owed = false;
	if (r->min_q16) {
		int64_t had = tokens(o, &b[class].min, r->min_q16, q16, now), left = had - price;
		owed = had > 0;
		if (owed || o->sharing != SW_EQUAL)
			pay(ctx, &b[class].min, left > least ? left : least, now);
	}
	if (o->steps > 1 && !(owed && o->sharing == SW_EQUAL))
		count_bytes(ctx, o, b, class, bytes, owed);
}

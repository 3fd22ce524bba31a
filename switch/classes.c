/* switch/classes.c - priorities and token buckets: see classes.h.
 *
 * Invariants: a bucket is never fuller than a burst, that of a minimum never further in debt than a burst. */
#include "switch/classes.h"
#include "switch/switch.h"

#define LONG_AGO (1ull << 46) /* ps; in which the smallest share fills every bucket, and tokens stay below 2^62 */

void sw_class_order_init(const struct sw_common *c, struct sw_class_order *o)
{
	*o = (struct sw_class_order){ .classes = c->lanes.classes, .ranks = 1, .burst = SW_BURST * c->max_packet };
	for (uint32_t k = 0; k < o->classes; k++) {
		struct sw_class_rule all = { .max_q16 = 65536 };
		o->rule[k] = c->class_rules ? c->class_rules[k] : all;
		o->used |= o->rule[k].max_q16 < 65536 || (o->classes > 1 && o->rule[k].min_q16);
	}
	for (uint32_t k = 0; k < o->classes; k++) {
		uint32_t below = 0;
		for (uint32_t i = 0; i < o->classes; i++) {
			bool first = true; /* of its priority */
			for (uint32_t j = 0; j < i; j++)
				first &= o->rule[j].priority != o->rule[i].priority;
			below += first && o->rule[i].priority < o->rule[k].priority;
		}
		o->rank[k] = (uint8_t)below;
		o->ranks = below + 1 > o->ranks ? below + 1 : o->ranks;
	}
	o->used |= o->ranks > 1;
	o->levels = 2 * o->ranks;
	base_checkf(o->classes >= 1 && o->classes <= SW_MAX_CLASSES, "%u classes", o->classes);
}

static int64_t full(const struct sw_class_order *o, uint64_t q16)
{
	return (int64_t)(o->burst * q16);
}

/* Tokens now. */
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
	return o->rank[class] + (owed ? o->ranks : 0);
}

static void pay(struct sim_ctx *ctx, struct sw_bucket *b, int64_t left, uint64_t now)
{
	sim_save(ctx, b, sizeof *b);
	*b = (struct sw_bucket){ left, now };
}

void sw_class_pay(struct sim_ctx *ctx, const struct sw_class_order *o, struct sw_class_buckets *b, uint32_t class,
                  uint64_t q16, uint32_t bytes, uint64_t now)
{
	const struct sw_class_rule *r = &o->rule[class];
	int64_t price = (int64_t)(bytes * q16), least = -full(o, q16);
	base_checkf(class < o->classes && price > 0, "class %u of %u pays %lld", class, o->classes, (long long)price);
	if (r->max_q16 < 65536)
		pay(ctx, &b[class].max, tokens(o, &b[class].max, r->max_q16, q16, now) - price, now);
	if (r->min_q16) {
		int64_t left = tokens(o, &b[class].min, r->min_q16, q16, now) - price;
		pay(ctx, &b[class].min, left > least ? left : least, now);
	}
}

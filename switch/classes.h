/* switch/classes.h - which class of traffic goes first at an output, of a switch or of an endpoint's network interface.
 *
 * A class that has sent less than its guaranteed share goes before all that have not been promised what they ask for;
 * among those on the same side of their guarantee the higher priority goes first. A class that has sent its largest
 * share is held until it may send again. So strict priority leaves every minimum its share.
 *
 * Classes of one priority share what their minima leave by a rule (sw_sharing). It is kept by start-time fair queueing
 * (Goyal, Vin and Cheng, SIGCOMM 1996) in two levels: had[k], what class k has sent, or its excess, by the rule; and
 * `reached`, the largest start tag of what was sent beyond minima. A class whose tag `reached` has passed is behind and
 * goes before those that are ahead; among classes on the same side the arbiter decides, and one that is ahead and
 * sends moves `reached` up, so that the others are behind. So tags of classes that always ask differ by less than two
 * packets. A class that did not ask is remembered for a burst at most and a packet of another, and one that sent more
 * as its minimum likewise.
 *
 * Both shares are kept by token buckets, a pair for each (output, class). Every packet of a class takes its bytes out
 * of both, which may leave them in debt; a class is below its minimum, or its maximum, while the bucket is above zero.
 * A bucket holds at most SW_BURST of the run's largest packets; the debt of a minimum is no larger, so that a class
 * that used more while no other asked for it has its guarantee back soon. In a time T a class sends at most its
 * maximum x T and a burst and a packet.
 *
 * Tokens are integers: a byte is ps_per_byte_q16 of them, the link's time for a byte, and a share of s / 65536 of the
 * link brings s each picosecond. Nothing is rounded but the share itself, once, so rates do not drift. */
#ifndef SWITCH_CLASSES_H
#define SWITCH_CLASSES_H

#include "switch/lanes.h"

#define SW_BURST 4u
#define SW_CLASS_HELD UINT32_MAX

/* How classes share what minima leave. Expected shares: maximum and demand bound each of them. */
enum sw_sharing {
	SW_MAX_MIN,      /* max(minimum, level), one level for all: what minima brought counts */
	SW_EQUAL,        /* minimum + an equal part of the rest */
	SW_PROPORTIONAL, /* in proportion to the minima; a class without one has what the others leave */
};

/* Keys of a class of traffic. */
struct sw_class_rule {
	uint32_t priority;         /* higher goes first */
	uint32_t min_q16, max_q16; /* shares of a link; 65536: all of it */
};

/* Of a network; the same for all outputs. */
struct sw_class_order {
	bool used; /* some class is held, or goes before another: without, there is nothing to ask */
	enum sw_sharing sharing;
	uint32_t classes, ranks;
	uint32_t steps;  /* levels of a priority and side of the minimum: 1, or 2 where classes share it: ahead, behind;
	                    4 where some of them have what the others leave: ahead, behind, and the others likewise */
	uint32_t levels; /* 2 x ranks x steps: those that have their minimum, by rank, then those below it */
	uint32_t burst;  /* bytes of a full bucket */
	uint8_t rank[SW_MAX_CLASSES];      /* of its priority among those that there are, 0 the lowest */
	uint8_t first[SW_MAX_CLASSES];     /* the first class of those that it shares with */
	uint8_t step[SW_MAX_CLASSES];      /* of it when it is ahead */
	uint32_t per_byte[SW_MAX_CLASSES]; /* of had[] for a byte */
	uint64_t span[SW_MAX_CLASSES]; /* that had[] may be from what is reached: a burst, and a packet of any class */
	struct sw_class_rule rule[SW_MAX_CLASSES];
};

struct sw_bucket {
	int64_t left; /* tokens at `at` */
	uint64_t at;  /* ps */
};

struct sw_class_buckets { /* of an output and class */
	struct sw_bucket min, max;
	uint64_t had;     /* modulo 2^64 */
	uint64_t reached; /* likewise; of those that share, at the first of them */
};

struct sw_common;
void sw_class_order_init(const struct sw_common *common, struct sw_class_order *o);

/* Full buckets of an output: b[classes]. q16: the link's ps_per_byte_q16, here and below. */
void sw_class_buckets_init(const struct sw_class_order *o, struct sw_class_buckets *b, uint64_t q16);

/* The level of a class at an output, higher goes first; levels of one level / steps differ by what was had only. Or
 * SW_CLASS_HELD: it may not send now, and *when is lowered to when it may, if that is earlier. */
uint32_t sw_class_level(const struct sw_class_order *o, const struct sw_class_buckets *b, uint32_t class, uint64_t q16,
                        uint64_t now, uint64_t *when);

/* May a class ever be on this level? */
static inline bool sw_class_has_level(const struct sw_class_order *o, uint32_t class, uint32_t level)
{
	uint32_t step = level % o->steps, rank = level / o->steps % o->ranks;
	return rank == o->rank[class] && step >= o->step[class] && step < o->step[class] + 2u &&
	       (level / o->steps < o->ranks || o->rule[class].min_q16);
}

/* The share of a link, of 65536, that each class of the set `wanting` gets while all of these, and no others, always
 * have something to send: minima first, the rest by priority and rule, at most the maxima. share[classes]; 0 of others.
 */
void sw_class_shares(const struct sw_class_order *o, uint32_t wanting, uint32_t *share);

/* A packet of the class has been granted the output. */
void sw_class_pay(struct sim_ctx *ctx, const struct sw_class_order *o, struct sw_class_buckets *b, uint32_t class,
                  uint64_t q16, uint32_t bytes, uint64_t now);

#endif

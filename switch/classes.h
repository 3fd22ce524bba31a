/* switch/classes.h - priority and shares of traffic classes at an output of a switch or of an endpoint's network
 * interface.
 *
 * A class below its guaranteed share (minimum) precedes all classes that have reached theirs; among classes on the same
 * side of their minimum the one with higher priority precedes. A class that has reached its maximum is held until it
 * may send again. So strict priority leaves every class its minimum.
 *
 * Classes of one priority divide the bandwidth beyond their minima by a rule (sw_sharing), with start-time fair
 * queueing (Goyal, Vin and Cheng, SIGCOMM 1996) in two levels. The tag had[k] counts the bytes of class k, or those
 * beyond its minimum, depending on the rule; `reached` is the largest start tag of packets sent beyond minima. A class
 * whose tag is not above `reached` is called behind, and precedes those whose tag is (ahead). Among classes on the same
 * side the arbiter decides; when a class that is ahead sends, it raises `reached`, so that the others are behind. So
 * tags of continuously active classes differ by less than two packets. By how much an inactive class falls behind is
 * limited to a burst and a packet of another class; the same limit holds for how much a class is ahead because its
 * minimum let it send more.
 *
 * Minimum and maximum are enforced by token buckets, a pair for each (output, class). Every packet of a class takes its
 * bytes out of both buckets, which may leave them in debt (below zero); a class is below its minimum, or its maximum,
 * while the respective bucket is above zero. A bucket holds at most SW_BURST of the run's largest packets; the debt of
 * a minimum is limited to the same, so that a class that used more than its minimum while the others were inactive
 * regains its guarantee soon. In a time T a class sends at most (its maximum rate) x T plus a burst and a packet.
 *
 * Tokens are integers: a byte is ps_per_byte_q16 of them, the link's time for a byte, and a share of s / 65536 of the
 * link adds s each picosecond. Only the share itself is rounded, once, so rates do not drift. */
#ifndef SWITCH_CLASSES_H
#define SWITCH_CLASSES_H

#include "switch/lanes.h"

#define SW_BURST 4u
#define SW_CLASS_HELD UINT32_MAX

/* How classes share the bandwidth beyond their minima. The comments give the expected shares, which are also limited by
 * each class's maximum and demand. */
enum sw_sharing {
	SW_MAX_MIN,      /* max(minimum, level), one level for all: bandwidth by minima counts */
	SW_EQUAL,        /* minimum + an equal part of the rest */
	SW_PROPORTIONAL, /* in proportion to the minima; a class without one gets the rest of the others */
};

/* Configured priority and limits of a traffic class. */
struct sw_class_rule {
	uint32_t priority;         /* higher precedes */
	uint32_t min_q16, max_q16; /* shares of a link; 65536: all of it */
};

/* The order of traffic classes in a network; it is the same for all outputs. */
struct sw_class_order {
	bool used; /* some class has a limit or precedes another: otherwise this is never consulted */
	enum sw_sharing sharing;
	uint32_t classes, ranks;
	uint32_t steps; /* number of levels for one priority and side of the minimum: 1; 2 if several classes share that
	                   priority (ahead, behind); 4 if, in addition, some of them get what the others leave (ahead
	                   and behind for each of the two kinds) */
	uint32_t levels; /* 2 x ranks x steps: first classes below their minimum, by rank, then the others */
	uint32_t burst;  /* bytes of a full bucket */
	uint8_t rank[SW_MAX_CLASSES];      /* of its priority among the existing ones, 0 the lowest */
	uint8_t first[SW_MAX_CLASSES];     /* the first class of its sharing group */
	uint8_t step[SW_MAX_CLASSES];      /* its step when it is ahead */
	uint32_t per_byte[SW_MAX_CLASSES]; /* increase of had[] per byte */
	/* Maximum distance of had[] from `reached`: a burst, and a packet of any class. */
	uint64_t span[SW_MAX_CLASSES];
	struct sw_class_rule rule[SW_MAX_CLASSES];
};

struct sw_bucket {
	int64_t left; /* tokens at `at` */
	uint64_t at;  /* ps */
};

struct sw_class_buckets { /* of an output and class */
	struct sw_bucket min, max;
	uint64_t had;     /* modulo 2^64 */
	uint64_t reached; /* likewise; stored at the first class of a sharing group */
};

struct sw_common;
void sw_class_order_init(const struct sw_common *common, struct sw_class_order *o);

/* Initialises the buckets of an output, b[classes], as full. q16: the link's ps per byte with 16 fractional bits, here
 * and below. */
void sw_class_buckets_init(const struct sw_class_order *o, struct sw_class_buckets *b, uint64_t q16);

/* Returns the level of a class at an output; a higher level precedes. Levels with equal quotient level / steps differ
 * only by tags (ahead or behind). SW_CLASS_HELD: the class must not send now, because it has reached its maximum; *when
 * is lowered to the time at which it may send again, if that is earlier. */
uint32_t sw_class_level(const struct sw_class_order *o, const struct sw_class_buckets *b, uint32_t class, uint64_t q16,
                        uint64_t now, uint64_t *when);

/* Can a class ever have this level, as returned by sw_class_level()? */
static inline bool sw_class_has_level(const struct sw_class_order *o, uint32_t class, uint32_t level)
{
	uint32_t step = level % o->steps, rank = level / o->steps % o->ranks;
	return rank == o->rank[class] && step >= o->step[class] && step < o->step[class] + 2u &&
	       (level / o->steps < o->ranks || o->rule[class].min_q16);
}

/* Computes the share of a link, in 65536ths, that each class of the set `wanting` gets while all of these, and no
 * others, are continuously active: first the minima; the rest is divided by priority and rule, at most up to the
 * maxima. share[classes] gets 0 for other classes. */
void sw_class_shares(const struct sw_class_order *o, uint32_t wanting, uint32_t *share);

/* Charges a packet, which has been granted the output, to the buckets and the tag of its class. */
void sw_class_pay(struct sim_ctx *ctx, const struct sw_class_order *o, struct sw_class_buckets *b, uint32_t class,
                  uint64_t q16, uint32_t bytes, uint64_t now);

#endif

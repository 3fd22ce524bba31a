/* switch/classes.h - which class of traffic goes first at an output.
 *
 * A class that has sent less than its guaranteed share goes before all that have not been promised what they ask for;
 * among those on the same side of their guarantee the higher priority goes first; among equals the arbiter decides. A
 * class that has sent its largest share is held until it may send again. So strict priority leaves every minimum its
 * share.
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

/* Keys of a class of traffic. */
struct sw_class_rule {
	uint32_t priority;         /* higher goes first */
	uint32_t min_q16, max_q16; /* shares of a link; 65536: all of it */
};

/* Of a network; the same for all outputs. */
struct sw_class_order {
	bool used; /* some class is held, or goes before another: without, there is nothing to ask */
	uint32_t classes, ranks;
	uint32_t levels; /* 2 x ranks: 0 .. ranks - 1 of those that have their minimum, then of those below it */
	uint32_t burst;  /* bytes of a full bucket */
	uint8_t rank[SW_MAX_CLASSES]; /* of its priority among those that there are, 0 the lowest */
	struct sw_class_rule rule[SW_MAX_CLASSES];
};

struct sw_bucket {
	int64_t left; /* tokens at `at` */
	uint64_t at;  /* ps */
};

struct sw_class_buckets { /* of an output and class */
	struct sw_bucket min, max;
};

struct sw_common;
void sw_class_order_init(const struct sw_common *common, struct sw_class_order *o);

/* Full buckets of an output: b[classes]. q16: the link's ps_per_byte_q16, here and below. */
void sw_class_buckets_init(const struct sw_class_order *o, struct sw_class_buckets *b, uint64_t q16);

/* The level of a class at an output, higher goes first; or SW_CLASS_HELD: it may not send now, and *when is lowered to
 * when it may, if that is earlier. */
uint32_t sw_class_level(const struct sw_class_order *o, const struct sw_class_buckets *b, uint32_t class, uint64_t q16,
                        uint64_t now, uint64_t *when);

/* A packet of the class has been granted the output. */
void sw_class_pay(struct sim_ctx *ctx, const struct sw_class_order *o, struct sw_class_buckets *b, uint32_t class,
                  uint64_t q16, uint32_t bytes, uint64_t now);

#endif

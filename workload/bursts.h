/* workload/bursts.h - jobs that send in bursts. From its start on, a job sends for `length`, then is silent for
 * `pause`, and repeats this; all its members do so at the same times. The aggressors of Blink (De Sensi et al., SC20,
 * III) and of GPCNeT are such jobs.
 *
 * Busy time is the time that a job has spent in bursts. An injection process runs in busy time, so that its gaps are
 * the same as without pauses, and every message is created in a burst. Packets leave their endpoint in bursts only;
 * enum net_backlog determines how messages that could not leave in their burst are treated. */
#ifndef WORKLOAD_BURSTS_H
#define WORKLOAD_BURSTS_H

#include "network/config.h"
#include "network/traffic.h"

#include <stdint.h>

struct wl_bursts {              /* ps */
	uint64_t start;         /* of the job, and of its first burst */
	uint64_t length, pause; /* length 0: none, it always sends; else pause > 0 */
	enum net_backlog backlog;
};

static inline uint64_t wl_bursts_period(const struct wl_bursts *b)
{
	return b->length + b->pause;
}

/* Converts a time `since` the job's start, which must be in a burst, to busy time. */
static inline uint64_t wl_bursts_busy(const struct wl_bursts *b, uint64_t since)
{
	return since / wl_bursts_period(b) * b->length + since % wl_bursts_period(b);
}

/* Converts busy time to the time since the job's start; NET_NEVER: later than representable. */
static inline uint64_t wl_bursts_since(const struct wl_bursts *b, uint64_t busy)
{
	uint64_t whole, since;
	if (__builtin_mul_overflow(busy / b->length, wl_bursts_period(b), &whole) ||
	    __builtin_add_overflow(whole, busy % b->length, &since))
		return NET_NEVER;
	return since;
}

/* The start of the burst that contains a time `at` after the job's start, or of the next burst if `at` is in a pause.
 */
static inline uint64_t wl_bursts_begin(const struct wl_bursts *b, uint64_t at)
{
	uint64_t in = (at - b->start) % wl_bursts_period(b);
	return in < b->length ? at - in : at + (wl_bursts_period(b) - in);
}

/* The earliest time that lies in a burst and is not before `at`; times count from the job's start. */
static inline uint64_t wl_bursts_next(const struct wl_bursts *b, uint64_t at)
{
	if (!b->length)
		return at;
	uint64_t in = (at - b->start) % wl_bursts_period(b);
	return in < b->length ? at : at + (wl_bursts_period(b) - in);
}

#endif

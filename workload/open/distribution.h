/* workload/open/distribution.h - distributions of message sizes: published ones by name, and those of files.
 *
 * Points (bytes, cumulative share): if the share of the first point is not 0, that share of the messages has exactly
 * its bytes, and between two points messages are spread evenly over the bytes between them. */
#ifndef WORKLOAD_DISTRIBUTION_H
#define WORKLOAD_DISTRIBUTION_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

#define WL_MOST_MESSAGE 1000000000u /* bytes */

struct wl_size_point {
	uint32_t bytes;
	uint64_t share; /* 32 binary places; of the last point 2^32 */
};

struct wl_distribution {
	uint32_t n;              /* 0: none */
	struct wl_size_point *v; /* [n] */
	uint64_t mean_bits;      /* of a message, 16 binary places */
};

/* `name`: an index into WL_SIZES (workload/workload.h), from 1 on; or 0 with a file. Errors under "sizes_file". */
int wl_distribution_build(struct wl_distribution *out, int name, const char *file, struct base_errors *errors);
void wl_distribution_free(struct wl_distribution *d);
struct net_job;
/* Mean bytes of a job's messages; 0: each message is one packet, or the job's file cannot be read. */
double wl_mean_message(const struct net_job *job);

/* Bytes of a message, at least 1, for 32 random bits: the inverse of the cumulative share. O(log n). */
static inline uint32_t wl_distribution_bytes(const struct wl_distribution *d, uint32_t bits)
{
	uint32_t low = 0, high = d->n - 1; /* the first point whose share is above the draw */
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (d->v[middle].share > bits)
			high = middle;
		else
			low = middle + 1;
	}
	const struct wl_size_point *b = &d->v[low], *a = b - 1;
	if (!low)
		return b->bytes;
	uint64_t span = b->share - a->share;
	uint64_t more = ((bits - a->share) * (uint64_t)(b->bytes - a->bytes) + span / 2) / span;
	return a->bytes + more ? (uint32_t)(a->bytes + more) : 1;
}

#endif

/* topo/kinds.h - link classes of cables that have a bandwidth or latency of their own.
 *
 * A topology names its link classes, and a configuration says what each has. A cable that has something else, in one
 * direction or in both, is of a further class behind the named ones: one for every combination of a named class and of
 * what the two directions have. So a cable takes no more memory than the number of its class, and whatever looks at
 * link classes sees its bandwidth. A further class has the name of its named class. */
#ifndef TOPO_KINDS_H
#define TOPO_KINDS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bandwidth and latency of one direction of a cable; 0: as configured for its named class. */
struct topo_direction {
	uint64_t bandwidth; /* bit/s */
	uint64_t latency;   /* ps */
};

struct topo_link_kind {
	struct topo_direction own;
	uint16_t named;   /* its named class: itself, if it is one */
	uint16_t reverse; /* class of the other direction of such a cable */
};

/* The link classes of a topology; all arrays are owned and have n entries. */
struct topo_kinds {
	int named, n;
	const char **name; /* the text is the caller's */
	struct topo_link_kind *v;
	uint16_t *found; /* hash table of 1 + the class */
};

void topo_kinds_start(struct topo_kinds *kinds, const char *const *name, int named);
/* The class of the direction `there` of a cable of a named class, whose other direction has `back`; that of the other
 * direction is its `reverse`. Returns -1 if there would be more than TOPO_LINK_CLASSES. Cost: O(1). */
int topo_kinds_class(struct topo_kinds *kinds, int named, struct topo_direction there, struct topo_direction back);
void topo_kinds_free(struct topo_kinds *kinds);

static inline bool topo_same_direction(struct topo_direction a, struct topo_direction b)
{
	return a.bandwidth == b.bandwidth && a.latency == b.latency;
}

/* Limits of a direction's own bandwidth and latency: those of the keys of `links`. */
#define TOPO_LEAST_BANDWIDTH 1e6
#define TOPO_MOST_BANDWIDTH 1e15
#define TOPO_MOST_LATENCY 1e12

#endif

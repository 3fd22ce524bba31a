/* topo/kinds.h - link classes of cables that have a bandwidth or latency of their own.
 *
 * A topology names its link classes, and a configuration gives each class a bandwidth and a latency. A cable with other
 * values, in one direction or in both, belongs to an additional class, numbered after the named ones; there is one for
 * every combination of a named class and of the values of the two directions. So a cable only stores the number of its
 * class, and all code that uses link classes sees the cable's own values. An additional class has the name of its named
 * class. */
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
/* Finds or creates the class of one direction of a cable: the cable is of class `named`, this direction has the values
 * `there`, and the opposite one has the values `back`, for which the class is the result's `reverse`. Returns -1 if
 * there would be more than TOPO_LINK_CLASSES classes. Cost: O(1). */
int topo_kinds_class(struct topo_kinds *kinds, int named, struct topo_direction there, struct topo_direction back);
void topo_kinds_free(struct topo_kinds *kinds);

static inline bool topo_same_direction(struct topo_direction a, struct topo_direction b)
{
	return a.bandwidth == b.bandwidth && a.latency == b.latency;
}

/* Limits of the bandwidth (bit/s) and latency (ps) of a direction; they equal those of the keys in the section
 * `links`. */
#define TOPO_LEAST_BANDWIDTH 1e6
#define TOPO_MOST_BANDWIDTH 1e15
#define TOPO_MOST_LATENCY 1e12

#endif

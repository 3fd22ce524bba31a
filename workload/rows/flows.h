/* workload/rows/flows.h - a file of flows: a line each, with start, source, destination, bytes and perhaps class.
 *
 * The first line may name the columns, in any order: start (or start_ps, start_ns, start_us, start_ms, start_s),
 * source, destination, bytes, class; without it they are in this order. Inside workload/ only. */
#ifndef WORKLOAD_FLOWS_H
#define WORKLOAD_FLOWS_H

#include "workload/rows/once.h"

#include <stdbool.h>

struct wl_flow {
	uint64_t start, bytes; /* ps */
	uint32_t to, spare;    /* member */
};

struct wl_flows {
	uint64_t n;
	uint64_t *first;                          /* [members + 1] of a source's in v[], which are in order of start */
	struct wl_flow *v;                        /* [n] */
	uint64_t *expected;                       /* [members] flows to each */
	uint64_t last_start, bytes, least_packet; /* least_packet: bytes of the smallest last packet of a flow */
	struct wl_once once;
};

/* What a file is read for. */
struct wl_flows_of {
	const char *file, *key;
	uint32_t members;
	unsigned places;               /* decimal places of ps that a number without a unit has: 3 are ns */
	uint32_t packet;               /* bytes; 0: none */
	uint64_t most_bytes;           /* of a flow */
	const char *const *class_name; /* [classes] */
	uint32_t classes, class_index; /* which of them is read, if the file says classes */
	const bool *taken;             /* [classes] some job reads flows of this class from this file; NULL: all are */
};

/* Each error has a line; -1 if there are any, and nothing is to be freed. Time O(lines), 48 bytes a flow while it is
 * read and 24 then. Collective over the ranks of a host where tables are shared. */
int wl_flows_read(struct wl_flows *out, const struct wl_flows_of *of, struct base_errors *errors);
void wl_flows_free(struct wl_flows *flows);

#endif

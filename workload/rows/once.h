/* workload/rows/once.h - what a file holds, once a host: one rank reads it, the others wait and see the same memory
 * (sim/tables.h). None writes to it. Inside workload/ only. */
#ifndef WORKLOAD_ONCE_H
#define WORKLOAD_ONCE_H

#include "base/error.h"
#include "sim/tables.h"

#define WL_ONCE_WORDS 16u
#define WL_ONCE_ARRAYS 8u

struct wl_once {
	struct sim_table table; /* v NULL: this rank has its own arrays */
};

struct wl_once_ops {
	/* Reads; returns 0, or -1 with errors and nothing allocated. */
	int (*read)(void *self, struct base_errors *errors);
	/* Visits the words that are needed to know the arrays' lengths and what else is not in arrays. Returns how
	 * many; the ranks that wait have zeros there, and get the reader's. */
	size_t (*words)(void *self, uint64_t *at[WL_ONCE_WORDS]);
	/* Lists the arrays. Returns how many. */
	size_t (*arrays)(void *self, struct sim_array out[WL_ONCE_ARRAYS]);
};

int wl_once_read(struct wl_once *once, const struct wl_once_ops *ops, void *self, struct base_errors *errors);
/* Frees the arrays, or the table that they are in. */
void wl_once_free(struct wl_once *once, const struct wl_once_ops *ops, void *self);

#endif

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
	/* Reads the file. Returns 0, or -1 with errors and nothing allocated. */
	int (*read)(void *self, struct base_errors *errors);
	/* Writes to at[] the addresses of the words that determine the lengths of the arrays, and of all other data
	 * outside arrays; returns their number. On the ranks that wait these words are zero, and are filled with those
	 * of the rank that has read the file. */
	size_t (*words)(void *self, uint64_t *at[WL_ONCE_WORDS]);
	/* Writes the list of arrays to out[]; returns their number. */
	size_t (*arrays)(void *self, struct sim_array out[WL_ONCE_ARRAYS]);
};

int wl_once_read(struct wl_once *once, const struct wl_once_ops *ops, void *self, struct base_errors *errors);
/* Frees the arrays, or the shared table that contains them. */
void wl_once_free(struct wl_once *once, const struct wl_once_ops *ops, void *self);

#endif

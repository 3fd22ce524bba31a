/* workload/rows/matrix.h - a file of a traffic matrix: what each source sends to each destination.
 *
 * Dense: as many rows of as many numbers, a row a source. Sparse: a line "source,destination,value" for each that is
 * not 0; a first line of words names these columns, in any order, and says that the file is sparse. Without it a file
 * of three columns is sparse unless it has three rows. Inside workload/ only. */
#ifndef WORKLOAD_MATRIX_H
#define WORKLOAD_MATRIX_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wl_matrix_cell {
	uint32_t from, to;
	double value; /* above 0 */
	uint32_t line;
};

struct wl_matrix {
	struct wl_matrix_cell *v; /* in order of (from, to) */
	size_t n;
};

/* Rows and columns are called `noun` and `plural`, "endpoint" and "endpoints", and there are `size` of them; diagonal:
 * a source may send to itself. Each error has a line; -1 if there are any, and nothing is to be freed. */
int wl_matrix_read(struct wl_matrix *out, const char *file, const char *key, const char *noun, const char *plural,
                   uint32_t size, bool diagonal, struct base_errors *errors);
void wl_matrix_free(struct wl_matrix *matrix);

#endif

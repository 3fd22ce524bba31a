/* workload/formats/aspen/aspen.h - reader of Aspen models (docs/aspen.md).
 *
 * Every error of the input is added to aspen.errors, under the key "@FILE:LINE:COLUMN"; aspen_excerpt() returns the
 * line and a caret. Depth, number of files, memory and time are bounded for any input. */
#ifndef WORKLOAD_FORMATS_ASPEN_ASPEN_H
#define WORKLOAD_FORMATS_ASPEN_ASPEN_H

#include "base/error.h"
#include "workload/formats/aspen/tree.h"

#define ASPEN_MOST_ERRORS 50u
#define ASPEN_MOST_ITEMS 10000u /* kernels of all models; components of a machine; names in a kernel */
#define ASPEN_MOST_FILES 1000u
#define ASPEN_MOST_BYTES (64u << 20) /* of all files */

struct aspen_source {
	char *name, *text; /* owned */
	size_t bytes;
};

struct aspen {
	struct base_errors *errors; /* not owned */
	struct aspen_source *sources;
	uint32_t nsources;
	size_t read; /* bytes */
	struct aspen_list kernels;
	void *arena;    /* the latest block */
	bool no_files;  /* include and import are errors: for text that is not to be trusted */
	bool given_up;  /* too many errors */
	uint32_t depth; /* of imports */
};

struct aspen *aspen_new(struct base_errors *errors);
void aspen_free(struct aspen *a);

/* Reads a file and the files that it includes and imports. NULL if there are errors. O(bytes). */
struct aspen_model *aspen_load(struct aspen *a, const char *path);
/* Reads text in memory instead of a file. */
struct aspen_model *aspen_load_text(struct aspen *a, const char *name, const char *text, size_t bytes);
/* Binds the names of a model and of its imports, and checks it. `machine` is NULL or a bound machine, whose parameters
 * the model may use. Returns -1 if there are errors. */
int aspen_bind(struct aspen *a, struct aspen_model *m, struct aspen_model *machine);
/* Overrides the value of a parameter by "name=number". -1: there is no such parameter, or the value is not a number or
 * out of range. */
int aspen_set(struct aspen *a, struct aspen_model *m, const char *assignment);

/* --- for the files of this folder ------------------------------------------------------------------------- */

void *aspen_alloc(struct aspen *a, size_t bytes); /* zeroed */
const char *aspen_text(struct aspen *a, const char *text, size_t length);
void aspen_add(struct aspen *a, struct aspen_list *list, void *entry);
int aspen_errorf(struct aspen *a, struct aspen_at at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void aspen_warnf(struct aspen *a, struct aspen_at at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* The source line named by the key of an error, and a line with a caret below it; false: the key names no location. */
bool aspen_excerpt(const struct aspen *a, const char *key, char *out, size_t room);
/* Reads a file into a new source; returns its index, or -1 with an error at `at` (line 0: no location). */
int aspen_read_source(struct aspen *a, const char *path, struct aspen_at at);
/* Adds text in memory as a new source; returns its index. */
uint32_t aspen_add_text(struct aspen *a, const char *name, const char *text, size_t bytes);
/* "; did you mean NAME?" or "". */
const char *aspen_did_you_mean(const char *word, const char *const *names, size_t n, char *out, size_t room);

/* Collects the properties of a bound kernel, including everything it calls, and its height. Adds an error if kernels
 * call themselves, or nest too deeply. */
uint32_t aspen_kernel_visit(struct aspen *a, struct aspen_kernel *k, uint32_t depth);
struct aspen_kernel *aspen_kernel_find(const struct aspen_model *m, const char *name, size_t length);

#endif

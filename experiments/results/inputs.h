/* experiments/results/inputs.h - the inputs of a result: the program, the configuration and the files that it includes
 * or names, and the plug-ins, each with a hash of its content (XXH3, 128 bits, as printed by `xxh128sum`). */
#ifndef EXPERIMENTS_RESULTS_INPUTS_H
#define EXPERIMENTS_RESULTS_INPUTS_H

#include "base/json.h"
#include "base/plugin.h"
#include "experiments/config/config.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xp_input {
	/* "program", "configuration", "include", "plug-in", or the key that names the file, such as "topology.file"; or
	 * XP_BESIDE and the key of a plug-in that reads further files, which are a single input together */
	char *kind;
	char *path;  /* of several: of the first, and how many follow */
	char **file; /* XP_BESIDE: [files] their paths, owned */
	size_t files;
	uint64_t bytes; /* of all of them */
	char hash[33];  /* if there are several: hash of their contents, each followed by its length in 8 bytes,
	                   little-endian; "" if one of them is not a regular file that can be read */
};

struct xp_inputs {
	struct xp_input *v;
	size_t n;
};

/* Lists the inputs without reading them: the program itself, the files of the configuration, and the plug-ins of the
 * registry. */
void xp_inputs_list(struct xp_inputs *inputs, const struct xp_config *config, const struct base_registry *registry);
/* Computes missing hashes. Hashes of paths in `known` are copied from there, new ones are added to it; it may be NULL.
 */
void xp_inputs_hash(struct xp_inputs *inputs, struct xp_inputs *known);
void xp_inputs_free(struct xp_inputs *inputs);
/* Would writing `file` replace one of the inputs, under whatever name, or standard input if that is one? Prints an
 * error if so; `by` is what reads them, such as "the run". */
bool xp_inputs_hold(const struct xp_inputs *inputs, bool standard_input, const char *file, const char *by);

/* Writes the member "inputs" of a manifest. */
void xp_inputs_member(struct base_json *j, const struct xp_inputs *inputs);
/* Why a result with this member "inputs" (may be NULL) cannot be reused for the inputs `now`: "the program changed",
 * ... Owned by the caller; NULL if it can. */
char *xp_inputs_difference(const struct xp_inputs *now, const json_t *then);
/* Describes the first input whose content has changed since its hash was computed: "the configuration a.cfg changed",
 * or "cannot be read". Owned by the caller; NULL if there is none. */
char *xp_inputs_changed(const struct xp_inputs *inputs);

#endif

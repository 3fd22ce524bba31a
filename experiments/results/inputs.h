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
	/* "program", "configuration", "include", "plug-in", or the key that names the file, such as "topology.file".
	 * For further files that a plug-in reads: XP_BESIDE and the key of the plug-in; these files together form one
	 * input */
	char *kind;
	char *path;  /* of several: of the first, and how many follow */
	char **file; /* XP_BESIDE: [files] their paths, owned */
	size_t files;
	uint64_t bytes; /* of all of them */
	char hash[33];  /* hash of the content, in hexadecimal digits. For several files: hash of all contents, each
	                   followed by its length in 8 bytes, little-endian. "": one of the files cannot be read or is
	                   not a regular file */
};

struct xp_inputs {
	struct xp_input *v;
	size_t n;
};

/* Lists the inputs without reading them: the program itself, the files of the configuration, and the plug-ins of the
 * registry. */
void xp_inputs_list(struct xp_inputs *inputs, const struct xp_config *config, const struct base_registry *registry);
/* Computes the hashes that are missing. If the path of an input occurs in `known`, its hash is copied from there; a new
 * hash is added to `known`, which may be NULL. */
void xp_inputs_hash(struct xp_inputs *inputs, struct xp_inputs *known);
void xp_inputs_free(struct xp_inputs *inputs);
/* Returns whether writing `file` would replace one of the inputs, which may be listed under another name of the same
 * file; with `standard_input` also whether it would replace the file that standard input reads. Prints an error if so,
 * in which `by` says what reads the inputs, such as "the run". */
bool xp_inputs_hold(const struct xp_inputs *inputs, bool standard_input, const char *file, const char *by);

/* Writes the list of inputs, with their hashes, as the member "inputs" of a manifest. */
void xp_inputs_member(struct base_json *j, const struct xp_inputs *inputs);
/* Compares the inputs of an earlier result (its member "inputs", `then`, may be NULL) with the present inputs `now`.
 * Returns NULL if the result can be reused, otherwise the reason, such as "the program changed", owned by the caller.
 */
char *xp_inputs_difference(const struct xp_inputs *now, const json_t *then);
/* Describes the first input that has changed, or can no longer be read, since its hash was computed, as in "the
 * configuration a.cfg changed". Owned by the caller; NULL if no input has changed. */
char *xp_inputs_changed(const struct xp_inputs *inputs);

#endif

/* experiments/results/inputs.h - what a result was made from: the program, the configuration and the files it includes
 * or names, the plug-ins, each with a hash of its content (XXH3, 128 bits, as `xxh128sum` prints it). */
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
	/* "program", "configuration", "include", "plug-in", or the key that names the file: "topology.file"; or
	 * XP_BESIDE and what reads them: all such files are one input */
	char *kind;
	char *path;  /* of several: of the first, and how many follow */
	char **file; /* XP_BESIDE: [files] their paths, owned */
	size_t files;
	uint64_t bytes; /* of all of them */
	char hash[33];  /* of several: of their contents, each followed by its length as 8 bytes, least first; "" if one
	                   is  no regular file that can be read */
};

struct xp_inputs {
	struct xp_input *v;
	size_t n;
};

/* Lists, without reading them: the program itself, the files of the configuration, the plug-ins of the registry. */
void xp_inputs_list(struct xp_inputs *inputs, const struct xp_config *config, const struct base_registry *registry);
/* Reads what has no hash yet. Paths that are in `known` are taken from there, new ones are added to it; it may be NULL.
 */
void xp_inputs_hash(struct xp_inputs *inputs, struct xp_inputs *known);
void xp_inputs_free(struct xp_inputs *inputs);
/* Would writing `file` replace one of them, by whatever name, or, if that is one too, standard input? Says so; `by`:
 * what reads them, "the run". */
bool xp_inputs_hold(const struct xp_inputs *inputs, bool standard_input, const char *file, const char *by);

/* The member "inputs" of a manifest. */
void xp_inputs_member(struct base_json *j, const struct xp_inputs *inputs);
/* Why a result with this member "inputs" (may be NULL) cannot stand for one made from `now`: "the program changed", ...
 * Owned by the caller; NULL if it can. */
char *xp_inputs_difference(const struct xp_inputs *now, const json_t *then);
/* The first of them whose content, read again, has another hash: "the configuration a.cfg changed", or "cannot be
 * read". Owned by the caller; NULL if there is none. */
char *xp_inputs_changed(const struct xp_inputs *inputs);

#endif

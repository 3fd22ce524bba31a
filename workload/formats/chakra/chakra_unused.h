/* workload/formats/chakra/chakra_unused.h - properties of a trace that a replay ignores: counted, and reported once. */
#ifndef WORKLOAD_FORMATS_CHAKRA_CHAKRA_UNUSED_H
#define WORKLOAD_FORMATS_CHAKRA_CHAKRA_UNUSED_H

#include "base/error.h"
#include "workload/formats/chakra/chakra_sizes.h"
#include "workload/formats/chakra/chakra_wire.h"

struct chakra_unused {
	struct chakra_names names; /* attributes and fields of nodes, by name */
	uint64_t launches;         /* calls of collectives on the host, which are computations */
	uint64_t controls;         /* control dependencies on nodes that are not there */
	uint64_t stacks;           /* others, of files in which they contradict those of data */
	uint64_t invalid;          /* nodes of type 0 */
	uint64_t untimed;          /* computations with work (num_ops, tensor_size) and no duration */
	uint64_t memory;           /* loads and stores with a size or a duration */
	uint64_t host;             /* collectives and messages of the host */
	uint64_t dimensions;       /* collectives of some dimensions whose sizes are not known */
};

/* Counts the ignored properties of a node. `divided`: its involved_dim has determined its group. */
void chakra_unused_node(struct chakra_unused *u, const struct chakra_node *n, bool divided);
/* Adds a warning for each ignored property that affects time or traffic. */
void chakra_unused_warn(const struct chakra_unused *u, const struct chakra_sizes *sizes, const char *key,
                        struct base_errors *errors);
void chakra_unused_free(struct chakra_unused *u);

#endif

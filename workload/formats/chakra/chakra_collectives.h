/* workload/formats/chakra/chakra_collectives.h - the collectives of one NPU, numbered within their process groups:
 * collectives of a group match if they have the same number. */
#ifndef WORKLOAD_FORMATS_CHAKRA_CHAKRA_COLLECTIVES_H
#define WORKLOAD_FORMATS_CHAKRA_CHAKRA_COLLECTIVES_H

#include "workload/formats/chakra/chakra_wire.h"

struct chakra_collective {
	uint64_t id, place, size;
	uint32_t group, number;
	uint8_t kind;
	bool has_size;
};

/* All-zero: none. */
struct chakra_collectives {
	struct chakra_collective *v; /* owned */
	uint32_t n, cap;
};

void chakra_collectives_add(struct chakra_collectives *list, const struct chakra_node *n, uint32_t group);
/* Numbers the collectives by the order of their ids, from 0 on in each group, and leaves the list in that order. O(n
 * log n). */
void chakra_collectives_number(struct chakra_collectives *list);
/* The entry with this id in a numbered list of collectives; NULL if there is none. */
const struct chakra_collective *chakra_collectives_find(const struct chakra_collectives *list, uint64_t id);
void chakra_collectives_free(struct chakra_collectives *list);

#endif

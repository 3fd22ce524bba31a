/* workload/formats/chakra/chakra_collectives.c - see chakra_collectives.h */
#include "workload/formats/chakra/chakra_collectives.h"

#include "base/memory.h"

#include <stdlib.h>

static int by_group(const void *a, const void *b)
{
	const struct chakra_collective *x = a, *y = b;
	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static int by_id(const void *a, const void *b)
{
	const struct chakra_collective *x = a, *y = b;
	return x->id < y->id ? -1 : x->id > y->id;
}

void chakra_collectives_add(struct chakra_collectives *list, const struct chakra_node *n, uint32_t group)
{
	if (list->n == list->cap) {
		list->cap = list->cap ? 2 * list->cap : 16;
		list->v = base_realloc(list->v, list->cap * sizeof *list->v);
	}
	list->v[list->n++] = (struct chakra_collective){ .id = n->id,
		                                         .place = n->place,
		                                         .size = n->value[CHAKRA_COMM_SIZE],
		                                         .group = group,
		                                         .kind = (uint8_t)n->value[CHAKRA_COMM_TYPE],
		                                         .has_size = chakra_has(n, CHAKRA_COMM_SIZE) };
}

void chakra_collectives_number(struct chakra_collectives *list)
{
	if (!list->n)
		return;
	qsort(list->v, list->n, sizeof *list->v, by_group);
	for (uint32_t i = 0; i < list->n; i++)
		list->v[i].number = i && list->v[i - 1].group == list->v[i].group ? list->v[i - 1].number + 1 : 0;
	qsort(list->v, list->n, sizeof *list->v, by_id);
}

const struct chakra_collective *chakra_collectives_find(const struct chakra_collectives *list, uint64_t id)
{
	const struct chakra_collective want = { .id = id };
	return list->n ? bsearch(&want, list->v, list->n, sizeof want, by_id) : NULL;
}

void chakra_collectives_free(struct chakra_collectives *list)
{
	free(list->v);
	*list = (struct chakra_collectives){ 0 };
}

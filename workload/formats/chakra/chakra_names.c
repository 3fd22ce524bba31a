/* workload/formats/chakra/chakra_names.c - see chakra_names.h */
#include "workload/formats/chakra/chakra_names.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t chakra_hash(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	for (const char *c = text; *c; c++)
		hash = (hash ^ (uint64_t)(unsigned char)*c) * UINT64_C(0x100000001b3);
	return hash;
}

void chakra_names_count(struct chakra_names *names, const char *name)
{
	uint64_t hash = chakra_hash(name), *index;
	while ((index = wl_map_find(&names->number, hash)) && strcmp(names->v[*index - 1].name, name) != 0)
		hash++;
	if (index) {
		names->v[*index - 1].count++;
	} else if (names->n == CHAKRA_NAMES_MOST) {
		names->others++;
	} else {
		names->v = base_realloc(names->v, (names->n + (size_t)1) * sizeof *names->v);
		struct chakra_name *added = &names->v[names->n++];
		*added = (struct chakra_name){ .count = 1 };
		snprintf(added->name, sizeof added->name, "%s", name);
		*wl_map_put(&names->number, hash) = names->n;
	}
}

static int by_attribute(const void *a, const void *b)
{
	const struct chakra_name *x = a, *y = b;
	return strcmp(x->name, y->name);
}

void chakra_names_sort(struct chakra_names *names)
{
	if (names->n)
		qsort(names->v, names->n, sizeof *names->v, by_attribute);
	wl_map_free(&names->number);
}

void chakra_names_free(struct chakra_names *names)
{
	free(names->v);
	wl_map_free(&names->number);
	*names = (struct chakra_names){ 0 };
}

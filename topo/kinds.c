/* topo/kinds.c - see kinds.h */
#include "topo/kinds.h"

#include "base/check.h"
#include "base/memory.h"
#include "topo/topo.h"

#include <stdlib.h>

#define SLOTS (4u * TOPO_LINK_CLASSES)
_Static_assert((SLOTS & (SLOTS - 1)) == 0, "slots are found by a mask");

static void add_kind(struct topo_kinds *k, const char *name, struct topo_link_kind kind)
{
	k->name = base_realloc(k->name, ((size_t)k->n + 1) * sizeof *k->name);
	k->v = base_realloc(k->v, ((size_t)k->n + 1) * sizeof *k->v);
	k->name[k->n] = name;
	k->v[k->n++] = kind;
}

void topo_kinds_start(struct topo_kinds *k, const char *const *name, int named)
{
	*k = (struct topo_kinds){ .named = named };
	base_checkf(named >= 0 && named <= TOPO_LINK_CLASSES, "%d named classes", named);
	for (int i = 0; i < named; i++)
		add_kind(k, name[i], (struct topo_link_kind){ .named = (uint16_t)i, .reverse = (uint16_t)i });
}

static uint64_t mix_kind(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static bool is_kind(const struct topo_kinds *k, int class, int named, struct topo_direction there,
                    struct topo_direction back)
{
	const struct topo_link_kind *v = &k->v[class];
	return v->named == named && topo_same_direction(v->own, there) &&
	       topo_same_direction(k->v[v->reverse].own, back);
}

/* The slot of that class, or the empty one where it belongs. */
static uint16_t *slot_of(const struct topo_kinds *k, int named, struct topo_direction there, struct topo_direction back)
{
	uint64_t hash =
	    mix_kind(mix_kind(mix_kind(mix_kind((uint64_t)named, there.bandwidth), there.latency), back.bandwidth),
	             back.latency);
	for (uint32_t i = (uint32_t)(hash >> 32);; i++) {
		uint16_t *slot = &k->found[i & (SLOTS - 1)];
		if (!*slot || is_kind(k, *slot - 1, named, there, back))
			return slot;
	}
}

int topo_kinds_class(struct topo_kinds *k, int named, struct topo_direction there, struct topo_direction back)
{
	const struct topo_direction none = { 0, 0 };
	base_checkf(named >= 0 && named < k->named, "class %d of %d", named, k->named);
	if (topo_same_direction(there, none) && topo_same_direction(back, none))
		return named;
	if (!k->found)
		k->found = base_calloc(SLOTS, sizeof *k->found);
	uint16_t *slot = slot_of(k, named, there, back);
	if (*slot)
		return *slot - 1;
	bool same = topo_same_direction(there, back);
	int class = k->n;
	if (class + (same ? 1 : 2) > TOPO_LINK_CLASSES)
		return -1;
	struct topo_link_kind kind = { there, (uint16_t)named, (uint16_t)(same ? class : class + 1) };
	add_kind(k, k->name[named], kind);
	*slot = (uint16_t)(class + 1);
	if (same)
		return class;
	add_kind(k, k->name[named], (struct topo_link_kind){ back, (uint16_t)named, (uint16_t) class });
	slot = slot_of(k, named, back, there);
	base_check(!*slot);
	*slot = (uint16_t)(class + 2);
	return class;
}

void topo_kinds_free(struct topo_kinds *k)
{
	free(k->name);
	free(k->v);
	free(k->found);
	*k = (struct topo_kinds){ 0 };
}

/* workload/formats/map.c - see map.h */
#include "workload/formats/map.h"

#include "base/memory.h"

#include <stdlib.h>

/* splitmix64's finaliser: keys are small numbers in a row, or made of such. */
static size_t slot_of(const struct wl_map *m, uint64_t key)
{
	key ^= key >> 30;
	key *= UINT64_C(0xbf58476d1ce4e5b9);
	key ^= key >> 27;
	key *= UINT64_C(0x94d049bb133111eb);
	key ^= key >> 31;
	return key & (m->slots - 1);
}

void wl_map_free(struct wl_map *m)
{
	free(m->entry);
	free(m->used);
	*m = (struct wl_map){ 0 };
}

uint64_t *wl_map_find(const struct wl_map *m, uint64_t key)
{
	if (!m->n)
		return NULL;
	for (size_t i = slot_of(m, key); m->used[i]; i = (i + 1) & (m->slots - 1))
		if (m->entry[i].key == key)
			return &m->entry[i].value;
	return NULL;
}

static void insert(struct wl_map *m, struct wl_map_entry e)
{
	size_t i = slot_of(m, e.key);
	while (m->used[i])
		i = (i + 1) & (m->slots - 1);
	m->entry[i] = e;
	m->used[i] = 1;
	m->n++;
}

static void grow_map(struct wl_map *m)
{
	struct wl_map old = *m;
	m->slots = old.slots ? 2 * old.slots : 16;
	m->entry = base_calloc(m->slots, sizeof *m->entry);
	m->used = base_calloc(m->slots, 1);
	m->n = 0;
	for (size_t i = 0; i < old.slots; i++)
		if (old.used[i])
			insert(m, old.entry[i]);
	wl_map_free(&old);
}

uint64_t *wl_map_put(struct wl_map *m, uint64_t key)
{
	uint64_t *found = wl_map_find(m, key);
	if (found)
		return found;
	if (3 * (m->n + 1) > 2 * m->slots)
		grow_map(m);
	insert(m, (struct wl_map_entry){ .key = key });
	return wl_map_find(m, key);
}

void wl_map_remove(struct wl_map *m, uint64_t key)
{
	uint64_t *found = wl_map_find(m, key);
	if (!found)
		return;
	/* Those behind it move up, each as far as its own slot allows. */
	size_t mask = m->slots - 1;
	size_t hole =
	    (size_t)((struct wl_map_entry *)(void *)((char *)found - offsetof(struct wl_map_entry, value)) - m->entry);
	for (size_t i = (hole + 1) & mask; m->used[i]; i = (i + 1) & mask) {
		size_t home = slot_of(m, m->entry[i].key);
		if (((i - home) & mask) < ((i - hole) & mask))
			continue;
		m->entry[hole] = m->entry[i];
		hole = i;
	}
	m->used[hole] = 0;
	m->n--;
}

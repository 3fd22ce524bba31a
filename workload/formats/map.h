/* workload/formats/map.h - a map from numbers to numbers: open addressing, at most two thirds full. */
#ifndef WORKLOAD_FORMATS_MAP_H
#define WORKLOAD_FORMATS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wl_map_entry {
	uint64_t key, value;
};
struct wl_map {
	struct wl_map_entry *entry; /* owned; [slots] */
	uint8_t *used;              /* owned; [slots] */
	size_t slots, n;            /* slots: a power of two, or 0 */
};

/* A struct of all zeros is an empty map. */
void wl_map_free(struct wl_map *m);
/* Returns a pointer to the value of a key, valid until the next put or remove; the caller may change the value. NULL:
 * the map does not contain the key. */
uint64_t *wl_map_find(const struct wl_map *m, uint64_t key);
/* Returns a pointer to the value of a key; a missing key is inserted with the value 0. */
uint64_t *wl_map_put(struct wl_map *m, uint64_t key);
void wl_map_remove(struct wl_map *m, uint64_t key);

#endif

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

/* All-zero is an empty map. */
void wl_map_free(struct wl_map *m);
/* The value of a key, which may be changed until the next put or remove; NULL: it has none. */
uint64_t *wl_map_find(const struct wl_map *m, uint64_t key);
/* The value of a key; a missing key is inserted with the value 0. */
uint64_t *wl_map_put(struct wl_map *m, uint64_t key);
void wl_map_remove(struct wl_map *m, uint64_t key);

#endif

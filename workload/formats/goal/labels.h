/* workload/formats/goal/labels.h - the labels of one rank: names in the file's text, each of one operation. */
#ifndef WORKLOAD_FORMATS_GOAL_LABELS_H
#define WORKLOAD_FORMATS_GOAL_LABELS_H

#include <stddef.h>
#include <stdint.h>

struct wl_goal_label {
	const char *text; /* NULL: a free place */
	uint32_t length, op, hash;
};

struct wl_goal_labels {
	struct wl_goal_label *place; /* [places], a power of two; linear probing */
	size_t places, n;
};

/* Adds a label. Returns NULL, or the existing label with this name. */
const struct wl_goal_label *wl_goal_labels_add(struct wl_goal_labels *labels, const char *text, size_t length,
                                               uint32_t op);
/* NULL: there is none. */
const struct wl_goal_label *wl_goal_labels_find(const struct wl_goal_labels *labels, const char *text, size_t length);
void wl_goal_labels_clear(struct wl_goal_labels *labels);
void wl_goal_labels_free(struct wl_goal_labels *labels);

#endif

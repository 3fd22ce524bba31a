/* workload/formats/goal/labels.c - see labels.h */
#include "workload/formats/goal/labels.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define FEW 1024u /* places that are kept from one rank to the next */

static uint32_t hash_of(const char *text, size_t length)
{
	uint64_t h = 0xcbf29ce484222325ull;
	for (size_t i = 0; i < length; i++)
		h = (h ^ (unsigned char)text[i]) * 0x100000001b3ull;
	return (uint32_t)(h >> 32 ^ h);
}

/* The place of a name, or the free one where it belongs. */
static struct wl_goal_label *place_of_label(const struct wl_goal_labels *l, const char *text, size_t length,
                                            uint32_t hash)
{
	size_t i = hash & (l->places - 1);
	while (l->place[i].text && (l->place[i].hash != hash || l->place[i].length != length ||
	                            memcmp(l->place[i].text, text, length) != 0))
		i = (i + 1) & (l->places - 1);
	return &l->place[i];
}

static void grow_labels(struct wl_goal_labels *l)
{
	struct wl_goal_labels old = *l;
	l->places = old.places ? 4 * old.places : 64;
	l->place = base_calloc(l->places, sizeof *l->place);
	for (size_t i = 0; i < old.places; i++)
		if (old.place[i].text)
			*place_of_label(l, old.place[i].text, old.place[i].length, old.place[i].hash) = old.place[i];
	free(old.place);
}

const struct wl_goal_label *wl_goal_labels_add(struct wl_goal_labels *l, const char *text, size_t length, uint32_t op)
{
	if (2 * l->n >= l->places)
		grow_labels(l);
	uint32_t hash = hash_of(text, length);
	struct wl_goal_label *place = place_of_label(l, text, length, hash);
	if (place->text)
		return place;
	*place = (struct wl_goal_label){ .text = text, .length = (uint32_t)length, .op = op, .hash = hash };
	l->n++;
	return NULL;
}

const struct wl_goal_label *wl_goal_labels_find(const struct wl_goal_labels *l, const char *text, size_t length)
{
	const struct wl_goal_label *place = l->places ? place_of_label(l, text, length, hash_of(text, length)) : NULL;
	return place && place->text ? place : NULL;
}

void wl_goal_labels_clear(struct wl_goal_labels *l)
{
	if (l->places > FEW)
		wl_goal_labels_free(l);
	if (l->n)
		memset(l->place, 0, l->places * sizeof *l->place);
	l->n = 0;
}

void wl_goal_labels_free(struct wl_goal_labels *l)
{
	free(l->place);
	*l = (struct wl_goal_labels){ 0 };
}

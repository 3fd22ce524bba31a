/* workload/formats/chakra/chakra_sizes.c - see chakra_sizes.h */
#include "workload/formats/chakra/chakra_sizes.h"

#include "base/memory.h"

#include <stdlib.h>

static uint32_t number_of_channel(struct chakra_sizes *s, uint64_t channel)
{
	uint64_t *number = wl_map_put(&s->channel, channel);
	if (*number)
		return (uint32_t)*number - 1;
	if (s->channels == s->room) {
		s->room = s->room ? 2 * s->room : 64;
		s->key = base_realloc(s->key, s->room * sizeof *s->key);
		s->first = base_realloc(s->first, s->room * sizeof *s->first);
		s->several = base_realloc(s->several, s->room * sizeof *s->several);
	}
	s->key[s->channels] = channel;
	s->first[s->channels] = UINT32_MAX;
	s->several[s->channels] = false;
	*number = s->channels + UINT64_C(1);
	return s->channels++;
}

void chakra_sizes_add(struct chakra_sizes *s, uint64_t channel, uint64_t bytes, bool send)
{
	uint32_t number = number_of_channel(s, channel);
	uint64_t *size = wl_map_put(&s->size, bytes);
	if (!*size)
		*size = s->size.n;
	if (s->first[number] == UINT32_MAX)
		s->first[number] = (uint32_t)*size;
	s->several[number] |= s->first[number] != (uint32_t)*size;
	uint64_t key = (uint64_t)number << 32 | (uint32_t)*size, *open = wl_map_put(&s->open, key);
	*open += send ? 1 : UINT64_MAX;
	if (!*open)
		wl_map_remove(&s->open, key);
}

static int by_key(const void *a, const void *b)
{
	const struct wl_map_entry *x = a, *y = b;
	return x->key < y->key ? -1 : x->key > y->key;
}

/* The bytes of sizes by their numbers. */
static uint64_t *bytes_by_number(const struct chakra_sizes *s)
{
	uint64_t *bytes = base_calloc(s->size.n + (size_t)1, sizeof *bytes);
	for (size_t i = 0; i < s->size.slots; i++)
		if (s->size.used[i])
			bytes[s->size.entry[i].value] = s->size.entry[i].key;
	return bytes;
}

/* The sizes of a channel with more sends than receives, or fewer: entries of s->open up to `end`. */
static void count_mismatches(struct chakra_sizes *s, const struct wl_map_entry *open, const struct wl_map_entry *end,
                             const uint64_t *bytes)
{
	struct chakra_mismatch m = { .channel = s->key[open->key >> 32] };
	uint64_t sent = 0, received = 0;
	for (; open < end; open++) {
		bool more_sends = (int64_t)open->value > 0;
		uint64_t size = bytes[open->key & UINT32_MAX];
		if (more_sends && !sent)
			m.sent = size;
		if (!more_sends && !received)
			m.received = size;
		sent += more_sends ? open->value : 0;
		received += more_sends ? 0 : -open->value;
	}
	if (!s->mismatched || m.channel < s->first_mismatch.channel)
		s->first_mismatch = m;
	s->mismatched += sent;
}

void chakra_sizes_end(struct chakra_sizes *s, const struct wl_map *lost)
{
	struct wl_map_entry *open = base_calloc(s->open.n + (size_t)1, sizeof *open);
	uint64_t *bytes = bytes_by_number(s);
	size_t n = 0;
	for (size_t i = 0; i < s->open.slots; i++)
		if (s->open.used[i])
			open[n++] = s->open.entry[i];
	qsort(open, n, sizeof *open, by_key);
	for (size_t i = 0, end; i < n; i = end) {
		uint32_t number = (uint32_t)(open[i].key >> 32);
		for (end = i; end < n && open[end].key >> 32 == number;)
			end++;
		s->several[number] = false; /* in order */
		if (!wl_map_find(lost, s->key[number]))
			count_mismatches(s, open + i, open + end, bytes);
	}
	for (uint32_t i = 0; i < s->channels; i++)
		if (s->several[i])
			wl_map_put(&s->by_size, s->key[i]);
	free(open);
	free(bytes);
	wl_map_free(&s->channel);
	wl_map_free(&s->open);
	free(s->key);
	free(s->first);
	free(s->several);
	s->key = NULL;
	s->first = NULL;
	s->several = NULL;
}

uint32_t chakra_sizes_of(const struct chakra_sizes *s, uint64_t channel, uint64_t bytes)
{
	return wl_map_find(&s->by_size, channel) ? (uint32_t)*wl_map_find(&s->size, bytes) : 0;
}

void chakra_sizes_free(struct chakra_sizes *s)
{
	wl_map_free(&s->channel);
	wl_map_free(&s->open);
	wl_map_free(&s->size);
	wl_map_free(&s->by_size);
	free(s->key);
	free(s->first);
	free(s->several);
	*s = (struct chakra_sizes){ 0 };
}

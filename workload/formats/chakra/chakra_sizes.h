/* workload/formats/chakra/chakra_sizes.h - do the messages of a trace match by size?
 *
 * A send matches a receive with the same two NPUs, tag and size, as in ASTRA-sim, if the source, destination and tag
 * have equally many sends and receives of each size. Otherwise they match in their order, as in MPI, and different
 * sizes are reported. */
#ifndef WORKLOAD_FORMATS_CHAKRA_CHAKRA_SIZES_H
#define WORKLOAD_FORMATS_CHAKRA_CHAKRA_SIZES_H

#include "workload/formats/map.h"

struct chakra_mismatch {
	uint64_t channel, sent, received; /* the channel's key, and the bytes on both sides */
};

/* All-zero: no messages. */
struct chakra_sizes {
	/* while files are read */
	struct wl_map channel; /* a channel's key: its number + 1 */
	struct wl_map open;    /* channel's number and size's number: sends less receives */
	uint64_t *key;         /* [channels] owned */
	uint32_t *first;       /* [channels] owned: number of the first size */
	bool *several;         /* [channels] owned: has messages of several sizes */
	uint32_t channels, room;
	/* kept */
	struct wl_map size;    /* bytes: number + 1 */
	struct wl_map by_size; /* keys of channels that match by size and have several */
	uint64_t mismatched;   /* messages whose receive is of another size */
	struct chakra_mismatch first_mismatch;
};

/* The key of a channel: of the messages between two NPUs with a tag. */
static inline uint64_t chakra_channel(uint64_t source, uint64_t dest, uint64_t tag)
{
	return source << 48 | dest << 32 | tag;
}
void chakra_sizes_add(struct chakra_sizes *s, uint64_t channel, uint64_t bytes, bool send);
/* Must be called after all messages were added. `lost` contains the channels that have different numbers of sends and
 * receives. */
void chakra_sizes_end(struct chakra_sizes *s, const struct wl_map *lost);
/* Distinguishes the messages of a channel that match different receives: the number of the size + 1, or 0. */
uint32_t chakra_sizes_of(const struct chakra_sizes *s, uint64_t channel, uint64_t bytes);
void chakra_sizes_free(struct chakra_sizes *s);

#endif

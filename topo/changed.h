/* topo/changed.h - changes a topology: some of its cables get a bandwidth or latency of their own, or are removed. Used
 * inside topo/ only. */
#ifndef TOPO_CHANGED_H
#define TOPO_CHANGED_H

#include "topo/topo.h"

/* Changes of each channel, that is, of each direction of a cable; the channel of port p of switch s has number first[s]
 * + p. */
struct topo_changes {
	size_t *first;              /* [switches + 1] */
	struct topo_direction *own; /* what it has of its own; NULL: as before */
	uint8_t *absent;            /* is its cable gone? NULL: none */
};

/* Numbers the channels of a topology as in struct topo_changes; the caller frees *first. Returns the number of
 * channels. */
size_t topo_channels(const struct topo *topo, size_t **first);

/* Changes a built topology; `changes` stay owned by the caller. On failure it leaves the topology unchanged and returns
 * -1 with an error that has no key. */
int topo_change(struct topo *topo, const struct topo_changes *changes, struct base_errors *errors);

#endif

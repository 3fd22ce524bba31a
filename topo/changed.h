/* topo/changed.h - a topology whose cables have other link classes, or some of whose cables are gone. Inside topo/
 * only. */
#ifndef TOPO_CHANGED_H
#define TOPO_CHANGED_H

#include "topo/topo.h"

/* Changes by channel; the channel of port p of switch s is first[s] + p. */
struct topo_changes {
	size_t *first;              /* [switches + 1] */
	struct topo_direction *own; /* what it has of its own; NULL: as before */
	uint8_t *absent;            /* is its cable gone? NULL: none */
};

/* Numbers the channels of a topology; the caller frees `first`. */
size_t topo_channels(const struct topo *topo, size_t **first);

/* Changes a built topology; `changes` stay the caller's. Returns -1 with an error of no key, and the topology as it
 * was. */
int topo_change(struct topo *topo, const struct topo_changes *changes, struct base_errors *errors);

#endif

/* topo/dragonfly.h - the parts of a built dragonfly, shared by its files. Private to topo/dragonfly*.c.
 *
 * Group G has switches G a .. G a + a - 1. A switch's ports: local ones first, then its global ones.
 * Every ordered pair of groups has the same number `trunk` of cables. */
#ifndef TOPO_DRAGONFLY_H
#define TOPO_DRAGONFLY_H

#include "topo/divide.h"
#include "topo/topo.h"

#include <stdbool.h>

/* One cable of an ordered pair of groups: leaves `from` by `port`, enters `to` by `to_port`. */
struct dragonfly_exit {
	topo_switch from, to;
	topo_port port, to_port;
};

struct dragonfly {
	uint32_t a, g, trunk;
	bool grid;
	uint32_t rows, columns, black; /* grid: position = row * columns + column */
	uint32_t local_ports;
	uint32_t slots; /* global ports in use per group: (g - 1) trunk */
	int arrangement;
	struct topo_divider by_a, by_columns, by_black, by_pairs; /* by_pairs: by g - 1 */
	struct dragonfly_exit *exits; /* [(G (g - 1) + k) trunk + c], k = H or, above G, H - 1; ascending by switch */
	uint32_t *global;             /* [G slots + n]: index in exits[] of the n-th global port of group G */
	uint32_t *first_slot;         /* a + 1 entries: the first n of each switch position */
	topo_port *toward;            /* the ports toward each cable (dragonfly_trunk.c); NULL: not tabulated */
};

/* --- inside a group (dragonfly_local.c) --- */

unsigned dragonfly_local_distance(const struct dragonfly *d, uint32_t from, uint32_t to);
struct topo_hop dragonfly_local_peer(const struct dragonfly *d, topo_switch s, topo_port port);
/* Ports of the first local hop from one position to another; `repeat` entries always, which is 1 for full groups
 * and the number of parallel black cables for grids. */
int dragonfly_local_next(const struct dragonfly *d, uint32_t from, uint32_t to, topo_port *out);

static inline struct dragonfly_exit *dragonfly_exits(const struct dragonfly *d, uint32_t from, uint32_t to)
{
	return &d->exits[((size_t)from * (d->g - 1) + to - (to > from)) * d->trunk];
}

static inline uint32_t dragonfly_repeat(const struct dragonfly *d)
{
	return d->grid ? d->black : 1;
}

/* --- the wiring between groups (dragonfly_wire.c) --- */

/* Fills exits, global and first_slot from the numbers above. */
void dragonfly_wire(struct dragonfly *d);
/* Which of a group's trunks, 0 .. g - 2, leads to group `to`: cable c of trunk k is the group's slot c (g - 1) + k. */
uint32_t dragonfly_trunk_to(const struct dragonfly *d, uint32_t group, uint32_t to);

/* --- trunks of several cables (dragonfly_trunk.c) ---
 *
 * Ports of position `here` toward cables of trunk k, for a packet to position `to` of the group at its end; at most
 * TOPO_MAX_NEXT, `repeat` entries each but for own cables. Each returns how many. Cost: O(ports offered). */

/* Own cables only; 0 if there are none. */
int dragonfly_offer_own(const struct dragonfly *d, uint32_t here, uint32_t to, uint32_t k, topo_port *out);
/* In a grid, those of the other switches of the column; `here` has none of its own. Cost: and O(rows). */
int dragonfly_offer_column(const struct dragonfly *d, uint32_t here, uint32_t to, uint32_t k, topo_port *out);
/* All of the trunk, v[0 .. trunk - 1] of the group whose first switch is `base`. */
int dragonfly_offer_any(const struct dragonfly *d, uint32_t here, uint32_t to, uint32_t k, topo_switch base,
                        const struct dragonfly_exit *v, topo_port *out);
/* Fills toward; after dragonfly_wire(). */
void dragonfly_tabulate(struct dragonfly *d);
/* Full groups: the most hops from position a by any cable of trunk k to position b, where the trunk is number
 * k_back. */
unsigned dragonfly_trunk_distance(const struct dragonfly *d, uint32_t a, uint32_t k, uint32_t b, uint32_t k_back);

/* --- parameters and presets (dragonfly_params.c) --- */

extern const struct base_param dragonfly_params[];
extern const struct base_condition dragonfly_conditions[];
/* Checks the parameters and fills the numbers of *d; *endpoints is per switch. Returns -1 with errors. */
int dragonfly_read(struct dragonfly *d, const void *params, uint32_t *endpoints, struct base_errors *errors);

#endif

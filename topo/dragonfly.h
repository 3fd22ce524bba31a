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
	uint32_t *position;   /* [slots]: position of the switch with a group's n-th global port */
	uint32_t *first_slot; /* a + 1 entries: the first n of each switch position */
	topo_port *toward;    /* the ports toward each cable (dragonfly_trunk.c); NULL: not tabulated */
};

/* --- inside a group (dragonfly_local.c) ------------------------------------------------------------------ */

unsigned dragonfly_local_distance(const struct dragonfly *d, uint32_t from, uint32_t to);
struct topo_hop dragonfly_local_peer(const struct dragonfly *d, topo_switch s, topo_port port);
/* Ports of the first local hop from one position to another; always `repeat` entries: 1 for full groups, the number of
 * parallel column cables for grids. */
int dragonfly_local_next(const struct dragonfly *d, uint32_t from, uint32_t to, topo_port *out);

static inline uint32_t dragonfly_repeat(const struct dragonfly *d)
{
	return d->grid ? d->black : 1;
}

/* --- the wiring between groups (dragonfly_wire.c) -------------------------------------------------------- */

/* Computes `position` and `first_slot` from the parameters of the dragonfly. */
void dragonfly_wire(struct dragonfly *d);
/* The cable at a group's n-th global port. */
struct dragonfly_exit dragonfly_exit_at(const struct dragonfly *d, uint32_t group, uint32_t n);
/* Which of a group's trunks, 0 .. g - 2, leads to group `to`: cable c of trunk k is the group's slot c (g - 1) + k. */
uint32_t dragonfly_trunk_to(const struct dragonfly *d, uint32_t group, uint32_t to);
/* The position and port at which cable c of trunk k leaves a group. The switches ascend with c. */
static inline uint32_t dragonfly_exit_position(const struct dragonfly *d, uint32_t k, uint32_t c)
{
	return d->position[c * (d->g - 1) + k];
}
static inline topo_port dragonfly_exit_port(const struct dragonfly *d, uint32_t k, uint32_t c)
{
	uint32_t n = c * (d->g - 1) + k;
	return (topo_port)(d->local_ports + n - d->first_slot[d->position[n]]);
}

/* --- trunks of several cables (dragonfly_trunk.c) ---
 *
 * Ports of position `here` toward cables of trunk k, for a packet to position `to` of the group at its end; at most
 * TOPO_MAX_NEXT, with `repeat` entries each except own cables. Each returns the number of ports. Cost: O(ports
 * offered). */

/* Counts only the cables of this switch itself; 0 if there are none. */
int dragonfly_offer_own(const struct dragonfly *d, uint32_t here, uint32_t to, uint32_t k, topo_port *out);
/* In a grid, the cables of other switches of the column; `here` has none of its own. Additional cost: O(rows). */
int dragonfly_offer_column(const struct dragonfly *d, uint32_t here, uint32_t to, uint32_t k, topo_port *out);
/* Counts all cables between the two groups (the trunk). */
int dragonfly_offer_any(const struct dragonfly *d, uint32_t here, uint32_t to, uint32_t k, topo_port *out);
/* Fills `toward`; call after dragonfly_wire(). */
void dragonfly_tabulate(struct dragonfly *d);
/* Full groups: the most hops from position a by any cable of trunk k to position b, where the trunk is number
 * k_back. */
unsigned dragonfly_trunk_distance(const struct dragonfly *d, uint32_t a, uint32_t k, uint32_t b, uint32_t k_back);

/* --- loads of grids (dragonfly_grid.c) ------------------------------------------------------------------- */

/* Loads of the most loaded local and global channel, and the hops of all flows of a group, with one flow from each
 * switch to each other. */
struct dragonfly_loads {
	double local, global, hops;
};

/* Call after dragonfly_wire(), for any arrangement except the absolute one. Cost: O(slots trunk + a rows). */
struct dragonfly_loads dragonfly_grid_loads(const struct dragonfly *d);

/* --- parameters and presets (dragonfly_params.c) --------------------------------------------------------- */

extern const struct base_param dragonfly_params[];
extern const struct base_condition dragonfly_conditions[];
/* Checks the parameters and fills the numbers of *d; *endpoints is per switch. Returns -1 with errors. */
int dragonfly_read(struct dragonfly *d, const void *params, uint32_t *endpoints, struct base_errors *errors);

#endif

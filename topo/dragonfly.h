/* topo/dragonfly.h - the data of a built dragonfly, and functions that the files topo/dragonfly*.c share. Included by
 * these files only.
 *
 * Group G has switches G a .. G a + a - 1. A switch's ports: local ones first, then its global ones. Every ordered pair
 * of groups has the same number `trunk` of cables. */
#ifndef TOPO_DRAGONFLY_H
#define TOPO_DRAGONFLY_H

#include "topo/divide.h"
#include "topo/topo.h"

#include <stdbool.h>

/* One cable from a group to another one: it connects port `port` of switch `from` to port `to_port` of switch `to`. */
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
/* Writes the ports of the first local hop from one position to another. There are always dragonfly_repeat() entries: 1
 * in fully meshed groups, the number of parallel column cables in grids. */
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
/* The number, 0 .. g - 2, of the trunk of a group that leads to group `to`. Cable c of trunk k is the group's global
 * port (slot) number c (g - 1) + k. */
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
 * Each of these functions writes the ports by which a packet at position `here` reaches cables of trunk k; its
 * destination is position `to` of the group at the trunk's other end. They write at most TOPO_MAX_NEXT ports, with
 * dragonfly_repeat() entries for each cable of another switch, and return the number of entries. Cost: O(ports
 * offered). */

/* Considers only the cables of the switch itself; returns 0 if it has none. */
int dragonfly_offer_own(const struct dragonfly *d, uint32_t here, uint32_t to, uint32_t k, topo_port *out);
/* Considers, in a grid, the cables of other switches of the column; the switch itself must have none. Additional cost:
 * O(rows). */
int dragonfly_offer_column(const struct dragonfly *d, uint32_t here, uint32_t to, uint32_t k, topo_port *out);
/* Considers all cables of the trunk, that is, all between the two groups. */
int dragonfly_offer_any(const struct dragonfly *d, uint32_t here, uint32_t to, uint32_t k, topo_port *out);
/* Fills the table `toward`. Must be called after dragonfly_wire(). */
void dragonfly_tabulate(struct dragonfly *d);
/* For fully meshed groups: the maximum number of hops, over all cables of trunk k, from position a to position b of the
 * group at the other end, in which this trunk has number k_back. */
unsigned dragonfly_trunk_distance(const struct dragonfly *d, uint32_t a, uint32_t k, uint32_t b, uint32_t k_back);

/* --- loads of grids (dragonfly_grid.c) ------------------------------------------------------------------- */

/* Loads of the most loaded local and of the most loaded global channel, and the sum of the hops of all flows from one
 * group, if each switch sends one flow to each other switch. */
struct dragonfly_loads {
	double local, global, hops;
};

/* Computes these loads. Must be called after dragonfly_wire(), and not for the absolute arrangement. Cost: O(slots *
 * trunk + a * rows). */
struct dragonfly_loads dragonfly_grid_loads(const struct dragonfly *d);

/* --- parameters and presets (dragonfly_params.c) --------------------------------------------------------- */

extern const struct base_param dragonfly_params[];
extern const struct base_condition dragonfly_conditions[];
/* Checks the parameters, fills the numbers in *d, and sets *endpoints to the endpoints per switch. Returns -1 with
 * errors if a parameter is invalid. */
int dragonfly_read(struct dragonfly *d, const void *params, uint32_t *endpoints, struct base_errors *errors);

#endif

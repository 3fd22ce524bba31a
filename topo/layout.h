/* topo/layout.h - the placement of switches in rows of racks, and the length of every cable.
 *
 * Racks form a grid of `columns` columns: number i is at (i mod columns, i div columns). With the defaults this is the
 * plan of the published cost model (topo/cost_linear.c): racks of 1 m by 1 m in a nearly square grid, cables of 1 m
 * inside a rack, otherwise the distance along rows and columns plus 2 m.
 *
 * If the topology defines topo_ops.rack, that decides which switches share a rack. Otherwise each group has a rack of
 * its own, if groups have several switches; if there are no groups, a rack is filled with a switch, its neighbours, and
 * their neighbours.
 *
 * Lengths are whole millimetres. */
#ifndef TOPO_LAYOUT_H
#define TOPO_LAYOUT_H

#include "base/param.h"
#include "topo/topo.h"

enum topo_fold {
	TOPO_FOLD_SHORT, /* neighbours of a torus are adjacent: every cable is as short as inside a rack */
	TOPO_FOLD_RACKS, /* racks in folded order: neighbours are at most two positions apart, also around a ring */
	TOPO_FOLD_NONE,  /* by number: the cable that closes a ring spans the row */
};

enum topo_medium { TOPO_COPPER, TOPO_OPTICAL, TOPO_MEDIA };

/* The section `layout`. Lengths in metres. */
struct topo_layout_params {
	int64_t rack_switches; /* maximum number of switches per rack; BASE_AUTO: by the topology's rule */
	int64_t columns;       /* of the grid; BASE_AUTO: nearly square */
	double width, depth, aisle;
	double inside, overhead, terminal, copper;
	int fold;       /* enum topo_fold */
	uint64_t delay; /* ps per metre */
};

extern const struct base_param topo_layout_table[];
extern const struct base_condition topo_layout_conditions[];

struct topo_layout {
	uint32_t racks, columns, rows;
	uint32_t most;                                             /* switches per rack at most */
	uint32_t *rack;                                            /* [switches]: positions in the grid; owned */
	uint32_t width, depth, inside, overhead, terminal, copper; /* mm; depth with the aisle */
	uint64_t delay;                                            /* ps per metre */
	bool together;                                             /* every cable is as short as inside a rack */
	struct topo_divider by_columns;
};

/* Places the switches in racks. Returns -1 with errors on failure. Cost: O(switches), and also O(cables) if the
 * topology does not define topo_ops.rack. */
int topo_layout_build(struct topo_layout *layout, const struct topo *topo, const struct topo_layout_params *params,
                      struct base_errors *errors);
void topo_layout_free(struct topo_layout *layout);

struct topo_steps {
	uint32_t x, y;
};

/* Numbers of columns (x) and rows (y) between the racks of two switches. */
static inline struct topo_steps topo_layout_steps(const struct topo_layout *l, topo_switch a, topo_switch b)
{
	uint32_t p = l->rack[a], q = l->rack[b];
	uint32_t py = topo_divide(&l->by_columns, p), qy = topo_divide(&l->by_columns, q);
	uint32_t px = topo_remainder(&l->by_columns, p, py), qx = topo_remainder(&l->by_columns, q, qy);
	return (struct topo_steps){ px > qx ? px - qx : qx - px, py > qy ? py - qy : qy - py };
}

static inline uint32_t topo_layout_length(const struct topo_layout *l, struct topo_steps apart)
{
	if (l->together || (!apart.x && !apart.y))
		return l->inside;
	return apart.x * l->width + apart.y * l->depth + l->overhead;
}

/* Length of a cable between two switches, in mm. */
static inline uint32_t topo_layout_mm(const struct topo_layout *l, topo_switch a, topo_switch b)
{
	return topo_layout_length(l, topo_layout_steps(l, a, b));
}

/* Propagation delay of a cable of `mm` millimetres in ps, at least 1. */
static inline uint64_t topo_layout_delay(const struct topo_layout *l, uint32_t mm)
{
	uint64_t ps = (mm * l->delay + 500) / 1000;
	return ps ? ps : 1;
}

static inline enum topo_medium topo_layout_medium(const struct topo_layout *l, uint32_t mm)
{
	return mm <= l->copper ? TOPO_COPPER : TOPO_OPTICAL;
}

#endif

/* topo/dragonfly_members.c - enumerates the members of the family of dragonflies whose groups are grids
 * (sizing_groups.c has those of fully meshed groups): rows, columns, parallel column cables, groups and cables per pair
 * of groups vary. */
#include "topo/dragonfly.h"
#include "topo/params.h"
#include "topo/sizing_each.h"

#include <math.h>
#include <stdlib.h>

struct member_grid {
	uint32_t p, rows, columns, black, local; /* local: ports to the group */
	uint64_t a, cables;                      /* cables: of a group */
};

/* Upper bound of throughput, from lower bounds of the load of the most loaded channel of each kind, namely the mean
 * load: rows (2 g - 1) of row channels, and (columns g + g - 1) / black of column channels, where `black` is the number
 * of parallel cables. The latter holds because no switch takes a cable of its own to others of its column. */
static double grid_local_bound(const struct member_grid *d, uint64_t g, double e)
{
	double pp = (double)d->p * d->p, n = (double)g;
	double row = d->columns > 1 ? d->rows * (2 * n - 1) : 0, column = (d->columns * n + n - 1) / d->black;
	return (e - 1) / (pp * fmax(row, column));
}

/* The load of the most loaded channel, exactly (dragonfly_grid.c). */
static double grid_load(const struct member_grid *d, uint64_t g, uint32_t trunk)
{
	struct dragonfly made = { .a = (uint32_t)d->a,
		                  .g = (uint32_t)g,
		                  .trunk = trunk,
		                  .grid = true,
		                  .rows = d->rows,
		                  .columns = d->columns,
		                  .black = d->black,
		                  .local_ports = d->local,
		                  .arrangement = TOPO_RELATIVE };
	dragonfly_wire(&made);
	made.by_pairs = topo_divider_of(made.g - 1);
	struct dragonfly_loads loads = dragonfly_grid_loads(&made);
	free(made.position);
	free(made.first_slot);
	return fmax(loads.local, loads.global);
}

static void visit_grids(const struct topo_family *f, const struct topo_sizing *s, const struct member_grid *d,
                        uint64_t g)
{
	uint64_t n = d->a * g, ports = d->a * (s->radix - d->p - d->local);
	uint32_t most = topo_most_trunk(s, ports / (g - 1));
	most = most < TOPO_MAX_NEXT / d->black ? most : TOPO_MAX_NEXT / d->black;
	if (n > TOPO_MAX_SWITCHES || n * d->p > TOPO_MAX_ENDPOINTS)
		return;
	double e = (double)(n * d->p), flows = (double)d->p * d->p * (double)d->a * (double)d->a;
	for (uint32_t t = topo_least_trunk(s, flows, e); t <= most; t++) {
		uint64_t slots = (g - 1) * t, cables = g * d->cables + g * slots / 2;
		uint32_t h = (uint32_t)topo_round_up(slots, d->a);
		struct topo_box rest = { f,
			                 n * d->p,
			                 n * d->p,
			                 n,
			                 cables,
			                 d->p + d->local + h,
			                 d->p + d->local + (uint32_t)(slots / d->a),
			                 fmin(grid_local_bound(d, g, e), most * (e - 1) / flows) };
		if (topo_cut(s, &rest))
			return;
		topo_visit(s, (struct topo_member){ .family = f,
		                                    .v = { d->p, d->rows, d->columns, d->black, h, (uint32_t)g, t },
		                                    .endpoints = n * d->p,
		                                    .switches = n,
		                                    .cables = cables,
		                                    .radix = rest.radix,
		                                    .narrow = rest.narrow,
		                                    .wide = rest.radix,
		                                    .uniform = (e - 1) / ((double)d->p * d->p * grid_load(d, g, t)) });
	}
}

static struct topo_box grids_from(const struct topo_family *f, const struct member_grid *d, uint64_t g, uint64_t most)
{
	return (struct topo_box){ f,
		                  d->a * g * d->p,
		                  d->a * most * d->p,
		                  d->a * g,
		                  g * d->cables + g * (g - 1) / 2,
		                  d->p + d->local + (uint32_t)topo_round_up(g - 1, d->a),
		                  d->p + d->local,
		                  grid_local_bound(d, g, (double)(d->a * g * d->p)) };
}

static void each_grid(const struct topo_family *f, const struct topo_sizing *s, const struct member_grid *d, int round)
{
	uint64_t most = d->a * (s->radix - d->p - d->local) + 1,
		 g = topo_at_least(2, topo_round_up(s->endpoints, d->p * d->a));
	if (most < 2)
		return;
	if (!round) {
		visit_grids(f, s, d, most);
		return;
	}
	for (; g <= most; g++) {
		struct topo_box rest = grids_from(f, d, g, most);
		if (topo_cut(s, &rest))
			return;
		if (g < most || s->endpoints)
			visit_grids(f, s, d, g);
	}
}

static void each_endpoints(const struct topo_family *f, const struct topo_sizing *s, uint32_t rows, uint32_t columns,
                           uint32_t black, int round)
{
	uint64_t a = (uint64_t)rows * columns, local = columns - 1 + (rows - 1) * black;
	struct member_grid d = { 0, rows, columns, black, (uint32_t)local, a, a * local / 2 };
	for (d.p = 1; d.p + local <= s->radix; d.p++)
		each_grid(f, s, &d, round);
}

/* First members with rows = columns and one cable per pair of groups, as in the dragonfly+. */
const char *topo_each_dragonfly_grid(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t k = (s->radix + 1) / 2; !s->endpoints && k >= 2; k--)
		each_endpoints(f, s, k, k, 1, 0);
	for (int round = s->endpoints ? 1 : 0; round < 2; round++)
		for (uint32_t columns = 1; columns < s->radix; columns++)
			for (uint32_t rows = 2; columns + rows - 1 < s->radix; rows++)
				for (uint32_t black = 1; columns - 1 + (rows - 1) * black < s->radix; black++)
					each_endpoints(f, s, rows, columns, black, round);
	return NULL;
}

/* topo/dragonfly_grid.c - channel loads of uniform traffic under minimal routing in dragonflies whose groups are grids.
 *
 * In flows of one per ordered pair of switches. A switch sends a = rows columns flows to each other group, 1 / trunk of
 * them toward each cable of that trunk. With C(c) the cables that leave from column c, own(r, c) those of one trunk at
 * a switch, and col(c) those of the trunk in a column:
 *   - the row channel (r, c) -> (r, c') carries a / trunk C(c') on the way out;
 *   - at (r, c') flows from the row take the cables there, if the trunk has any, or else those of the column in equal
 *     parts; flows of (r, c') itself take all cables in equal parts;
 *   - flows arriving at (r, c), A(r, c), go to all switches in equal parts: rows A / a on each row channel, and the sum
 *     of A over the row / a on each column channel of the row;
 *   - pairs of the group itself: rows on a row channel, columns on a column channel.
 * A column channel is `black` cables. Exact as long as next() can offer the whole trunk and every group sees the others
 * in the same way: in all arrangements except the absolute one. */
#include "topo/dragonfly.h"
#include "topo/params.h"

#include "base/check.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Loads of a group, in flows. */
struct traffic {
	double *cable;    /* [slots]: flows leaving by each global cable */
	double *arriving; /* [a]: flows arriving at each switch from other groups */
	double *column;   /* [a]: for each switch, the flows on each column channel to it that leave the group by its
	                     global cables and come from switches without cables of that trunk */
	double *spared;   /* [a rows]: reduction of that for each row with cables of its own */
	uint32_t *own;    /* [a]: cables of the current trunk */
};

/* Flows leaving by the cables of trunk k, and their loads of column channels. */
static void add_trunk(const struct dragonfly *d, uint32_t k, const struct traffic *t)
{
	double part = (double)d->a / d->trunk, by_row = (d->columns - 1.0) * part;
	for (uint32_t c = 0; c < d->trunk; c++)
		t->own[dragonfly_exit_position(d, k, c)]++;
	for (uint32_t c = 0; c < d->trunk; c++) {
		uint32_t at = dragonfly_exit_position(d, k, c), column = at % d->columns;
		uint32_t all = 0, without = 0;
		for (uint32_t i = column; i < d->a; i += d->columns) {
			all += t->own[i];
			without += t->own[i] == 0;
			if (t->own[i] && i != at)
				t->spared[(size_t)at * d->rows + i / d->columns] += by_row;
		}
		t->cable[c * (d->g - 1) + k] = by_row * all / t->own[at] + by_row * without + d->rows * part;
		t->column[at] += by_row + part;
	}
	for (uint32_t c = 0; c < d->trunk; c++)
		t->own[dragonfly_exit_position(d, k, c)] = 0;
}

/* The index k of the same cable in the group at its other end. */
static uint32_t other_side(const struct dragonfly *d, uint32_t k)
{
	uint32_t to = dragonfly_exit_at(d, 0, k).to / d->a;
	return dragonfly_trunk_to(d, to, 0);
}

static void add_arrivals(const struct dragonfly *d, const struct traffic *t)
{
	for (uint32_t k = 0; k < d->g - 1; k++) {
		uint32_t back = other_side(d, k);
		for (uint32_t c = 0; c < d->trunk; c++)
			t->arriving[dragonfly_exit_position(d, back, c)] += t->cable[c * (d->g - 1) + k];
	}
}

static double fullest_row(const struct dragonfly *d, const struct traffic *t)
{
	double most = 0;
	for (uint32_t to = 0; to < d->columns && d->columns > 1; to++) {
		double slots = 0, out, in = 0;
		for (uint32_t i = to; i < d->a; i += d->columns)
			slots += d->first_slot[i + 1] - d->first_slot[i];
		out = d->trunk ? d->a * slots / d->trunk : 0;
		for (uint32_t i = 0; i < d->a; i++)
			in = i % d->columns != to ? fmax(in, t->arriving[i]) : in;
		most = fmax(most, d->rows + out + in / d->columns);
	}
	return most;
}

static double fullest_column(const struct dragonfly *d, const struct traffic *t, double *all)
{
	double most = 0;
	for (uint32_t from = 0; from < d->rows && d->rows > 1; from++) {
		double in = 0;
		for (uint32_t c = 0; c < d->columns; c++)
			in += t->arriving[from * d->columns + c];
		for (uint32_t to = 0; to < d->a; to++) {
			double out = t->column[to] - t->spared[(size_t)to * d->rows + from];
			double here = d->columns + out + in / d->a;
			if (to / d->columns == from)
				continue;
			*all += here;
			most = fmax(most, here);
		}
	}
	return most / d->black;
}

struct dragonfly_loads dragonfly_grid_loads(const struct dragonfly *d)
{
	struct dragonfly_loads out = { 0 };
	struct traffic t = {
		.cable = base_calloc((size_t)d->slots + 1, sizeof(double)),
		.arriving = base_calloc(d->a, sizeof(double)),
		.column = base_calloc(d->a, sizeof(double)),
		.spared = base_calloc((size_t)d->a * d->rows, sizeof(double)),
		.own = base_calloc(d->a, sizeof(uint32_t)),
	};
	base_check(d->g == 1 || d->arrangement != TOPO_ABSOLUTE);
	for (uint32_t k = 0; k + 1 < d->g; k++)
		add_trunk(d, k, &t);
	add_arrivals(d, &t);
	double a = d->a, others = d->g - 1.0, columns = 0, row = fullest_row(d, &t),
	       column = fullest_column(d, &t, &columns);
	out.local = fmax(row, column);
	for (uint32_t i = 0; i < d->slots; i++)
		out.global = fmax(out.global, t.cable[i]);
	out.hops = columns + a * a * others + a * a * (1 - 1.0 / d->columns) * (2 * others + 1);
	free(t.cable);
	free(t.arriving);
	free(t.column);
	free(t.spared);
	free(t.own);
	return out;
}

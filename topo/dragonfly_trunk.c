/* topo/dragonfly_trunk.c - finds the ports toward the parallel cables between two groups of a dragonfly.
 *
 * Cable c of a group's k-th trunk is its slot c (g - 1) + k, and the slots of a switch are a range (dragonfly_wire.c).
 * So the cables that position i has of trunk k are numbers ceil((first_slot[i] - k) / (g - 1)) up to, but not
 * including, ceil((first_slot[i + 1] - k) / (g - 1)); and the ports toward any cable depend on the position and k only.
 * The latter are stored in a table, the same for all groups: toward[((position (g - 1) + k) trunk + c) repeat], 4 a
 * slots repeat bytes. There is no table for trunks of one cable, nor beyond MOST_TABLE_BYTES: then ports are computed
 * cable by cable, within the window only. The cost is that of writing the result, at most TOPO_MAX_NEXT ports, for any
 * width of the trunk.
 *
 * Of `count` cables all are offered, or a window of as many as fit: numbers first .. first + window - 1, modulo count,
 * in ascending order. Its start differs between pairs of switches, so that all cables are used equally. */
#include "topo/dragonfly.h"
#include "topo/offer.h"

#include "base/check.h"
#include "base/memory.h"

#include <string.h>

#define MOST_TABLE_BYTES ((size_t)16 << 20)

struct range {
	uint32_t first, end;
};

struct trunk_window {
	struct range part[2]; /* of 0 .. count - 1, in ascending order; the first may be empty */
};

static struct trunk_window window_of(uint32_t here, uint32_t to, uint32_t count, uint32_t repeat)
{
	uint32_t most = TOPO_MAX_NEXT / repeat;
	if (count <= most)
		return (struct trunk_window){ .part[1] = { 0, count } };
	uint32_t first = topo_offer_start(here, to, count), end = first + most;
	uint32_t wrapped = end > count ? end - count : 0;
	return (struct trunk_window){ { { 0, wrapped }, { first, end - wrapped } } };
}

/* The cables of trunk k that leave from position i. */
static struct range own_cables(const struct dragonfly *d, uint32_t i, uint32_t k)
{
	uint32_t up = d->g - 2 - k;
	return (struct range){ topo_divide(&d->by_pairs, d->first_slot[i] + up),
		               topo_divide(&d->by_pairs, d->first_slot[i + 1] + up) };
}

static uint32_t overlap(struct range a, struct range b)
{
	uint32_t first = a.first > b.first ? a.first : b.first, end = a.end < b.end ? a.end : b.end;
	return end > first ? end - first : 0;
}

int dragonfly_offer_own(const struct dragonfly *d, uint32_t here, uint32_t to, uint32_t k, topo_port *out)
{
	struct range own = own_cables(d, here, k);
	struct trunk_window w = window_of(here, to, own.end - own.first, 1);
	uint32_t step = d->g - 1;
	int n = 0;
	for (int part = 0; part < 2; part++) {
		uint32_t c = own.first + w.part[part].first;
		uint32_t port = d->local_ports + c * step + k - d->first_slot[here];
		for (uint32_t i = w.part[part].first; i < w.part[part].end; i++, port += step)
			out[n++] = port;
	}
	return n;
}

int dragonfly_offer_column(const struct dragonfly *d, uint32_t here, uint32_t to, uint32_t k, topo_port *out)
{
	uint32_t column = topo_remainder(&d->by_columns, here, topo_divide(&d->by_columns, here)), count = 0;
	for (uint32_t i = column; i < d->a; i += d->columns) {
		struct range own = own_cables(d, i, k);
		base_check(i != here || own.first == own.end); /* own cables would have been offered exclusively */
		count += own.end - own.first;
	}
	struct trunk_window w = window_of(here, to, count, d->black);
	int n = 0;
	for (uint32_t i = column, before = 0; i < d->a; i += d->columns) {
		struct range own = own_cables(d, i, k), here_of = { before, before + own.end - own.first };
		uint32_t offered = overlap(here_of, w.part[0]) + overlap(here_of, w.part[1]);
		for (; offered > 0; offered--)
			n += dragonfly_local_next(d, here, i, out + n);
		before = here_of.end;
	}
	return n;
}

/* The ports from position `here` toward the cables c of `which` of trunk k. */
static uint32_t scan(const struct dragonfly *d, uint32_t here, uint32_t k, struct range which, topo_port *out)
{
	uint32_t n = 0, repeat = dragonfly_repeat(d);
	for (uint32_t c = which.first; c < which.end; c++) {
		uint32_t from = dragonfly_exit_position(d, k, c);
		if (from != here) {
			n += (uint32_t)dragonfly_local_next(d, here, from, out + n);
			continue;
		}
		for (uint32_t r = 0; r < repeat; r++)
			out[n++] = dragonfly_exit_port(d, k, c);
	}
	return n;
}

int dragonfly_offer_any(const struct dragonfly *d, uint32_t here, uint32_t to, uint32_t k, topo_port *out)
{
	uint32_t repeat = dragonfly_repeat(d), n = 0;
	struct trunk_window w = window_of(here, to, d->trunk, repeat);
	const topo_port *row = d->toward ? d->toward + ((size_t)here * (d->g - 1) + k) * d->trunk * repeat : NULL;
	for (int part = 0; part < 2; part++) {
		struct range which = w.part[part];
		uint32_t ports = (which.end - which.first) * repeat;
		if (row)
			memcpy(out + n, row + (size_t)which.first * repeat, ports * sizeof *out);
		else
			scan(d, here, k, which, out + n);
		n += ports;
	}
	base_checkf(n > 0 && n <= TOPO_MAX_NEXT, "%u ports", n);
	return (int)n;
}

void dragonfly_tabulate(struct dragonfly *d)
{
	uint32_t repeat = dragonfly_repeat(d);
	size_t row = (size_t)d->trunk * repeat, rows = (size_t)d->a * (d->g - 1);
	if (d->trunk < 2 || row > MOST_TABLE_BYTES / sizeof *d->toward / rows)
		return;
	d->toward = base_calloc(row * rows, sizeof *d->toward);
	for (size_t i = 0; i < rows; i++) {
		uint32_t here = (uint32_t)(i / (d->g - 1)), k = (uint32_t)(i % (d->g - 1));
		uint32_t n = scan(d, here, k, (struct range){ 0, d->trunk }, d->toward + i * row);
		base_checkf(n == row, "%u ports in a row of %zu", n, row);
	}
}

unsigned dragonfly_trunk_distance(const struct dragonfly *d, uint32_t a, uint32_t k, uint32_t b, uint32_t k_back)
{
	struct range from_a = own_cables(d, a, k), to_b = own_cables(d, b, k_back);
	uint32_t both = overlap(from_a, to_b), either = from_a.end - from_a.first + to_b.end - to_b.first - both;
	return either < d->trunk ? 3 : both < d->trunk ? 2 : 1;
}

/* topo/dragonfly_local.c - inside a group: all-to-all, or a grid whose rows and columns are all-to-all.
 *
 * Full group: port j of position i leads to position j, or j + 1 from i on.
 * Grid (Cray XC "Aries": a row is a chassis, a column connects the same slot of six chassis): ports 0 .. columns-2 to
 * the others of the row ("green"), then `black` parallel cables to each other switch of the column ("black"). A local
 * route changes the column first (one hop in the row), then the row. */
#include "topo/dragonfly.h"

struct spot {
	uint32_t row, column;
};

static inline struct spot spot_of(const struct dragonfly *d, uint32_t position)
{
	uint32_t row = topo_divide(&d->by_columns, position);
	return (struct spot){ .row = row, .column = topo_remainder(&d->by_columns, position, row) };
}

/* Ports of an all-to-all: the peer, and the port back. */
static inline uint32_t port_to(uint32_t from, uint32_t to)
{
	return to - (to > from);
}

static inline uint32_t other_end(uint32_t from, uint32_t port)
{
	return port + (port >= from);
}

unsigned dragonfly_local_distance(const struct dragonfly *d, uint32_t from, uint32_t to)
{
	if (!d->grid || from == to)
		return from != to;
	struct spot a = spot_of(d, from), b = spot_of(d, to);
	return (unsigned)(a.row != b.row) + (unsigned)(a.column != b.column);
}

int dragonfly_local_next(const struct dragonfly *d, uint32_t from, uint32_t to, topo_port *out)
{
	if (!d->grid) {
		out[0] = port_to(from, to);
		return 1;
	}
	struct spot a = spot_of(d, from), b = spot_of(d, to);
	bool along_row = a.column != b.column;
	uint32_t first = along_row ? port_to(a.column, b.column) : d->columns - 1 + port_to(a.row, b.row) * d->black;
	for (uint32_t i = 0; i < d->black; i++)
		out[i] = along_row ? first : first + i;
	return (int)d->black;
}

struct topo_hop dragonfly_local_peer(const struct dragonfly *d, topo_switch s, topo_port port)
{
	uint32_t group = topo_divide(&d->by_a, s), position = topo_remainder(&d->by_a, s, group);
	topo_switch base = group * d->a;
	if (!d->grid) {
		uint32_t to = other_end(position, port);
		return (struct topo_hop){ .to = base + to, .port = port_to(to, position) };
	}
	struct spot at = spot_of(d, position);
	if (port < d->columns - 1) {
		uint32_t to = other_end(at.column, port);
		return (struct topo_hop){ .to = base + at.row * d->columns + to, .port = port_to(to, at.column) };
	}
	uint32_t black = port - (d->columns - 1), pair = topo_divide(&d->by_black, black);
	uint32_t cable = topo_remainder(&d->by_black, black, pair);
	uint32_t to = other_end(at.row, pair);
	return (struct topo_hop){ .to = base + to * d->columns + at.column,
		                  .port = d->columns - 1 + port_to(to, at.row) * d->black + cable,
		                  .dimension = 1 };
}

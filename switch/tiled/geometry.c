/* switch/tiled/geometry.c - the assignment of ports to tiles. */
#include "switch/tiled/tiled.h"

static void put_port(struct tiled_geometry *g, uint32_t port, uint32_t place)
{
	g->place[port] = (uint16_t)place;
	g->port[place] = (uint16_t)port;
	g->row[port] = (uint8_t)(place / g->row_ports);
	g->in_row[port] = (uint8_t)(place % g->row_ports);
	g->column[port] = (uint8_t)(g->in_row[port] / g->per_tile);
	g->word[port] = (uint8_t)(g->row[port] * g->row_words + g->in_row[port] / 64);
	base_checkf(g->row[port] < g->rows && g->column[port] < g->columns, "port %u in row %u, column %u", port,
	            g->row[port], g->column[port]);
	base_check(g->first[g->word[port]] + g->in_row[port] % 64u == place);
}

void tiled_geometry_set(struct tiled_geometry *g, uint32_t rows, uint32_t columns, uint32_t per_tile)
{
	g->rows = rows;
	g->columns = columns;
	g->per_tile = per_tile;
	g->row_ports = columns * per_tile;
	g->row_words = sw_set_words(g->row_ports);
	base_checkf(rows <= TILED_ROWS && g->row_words <= TILED_ROW_WORDS, "%u rows of %u ports", rows, g->row_ports);
	for (uint32_t w = 0; w < rows * g->row_words; w++)
		g->first[w] = (uint16_t)(w / g->row_words * g->row_ports + w % g->row_words * 64);
	for (uint32_t p = 0; p < TILED_PORTS && p < rows * g->row_ports; p++)
		put_port(g, p, p);
}

static uint32_t place_of_port(const struct tiled_geometry *g, const struct tiled_params *p, uint32_t port)
{
	uint32_t tile = port / g->per_tile;
	switch (p->placement) {
	case TILED_IN_COLUMNS:
		return tile % g->rows * g->row_ports + tile / g->rows * g->per_tile + port % g->per_tile;
	case TILED_SPREAD: /* each port to the next row, and within a row to the next tile */
		return port % g->rows * g->row_ports + port / g->rows % g->columns * g->per_tile +
		       port / g->rows / g->columns;
	case TILED_LISTED:
		return (uint32_t)p->places.v[port];
	default:
		return port;
	}
}

static int check_list(const struct tiled_geometry *g, const struct tiled_params *p, uint32_t ports,
                      struct base_errors *errors)
{
	uint32_t all = g->rows * g->row_ports, port_at[TILED_PORTS] = { 0 }; /* 1 + port */
	if (p->places.n < ports)
		return base_errorf(errors, "places",
		                   "lists %zu places, but this topology's switches have up to %u ports", p->places.n,
		                   ports);
	for (uint32_t k = 0; k < p->places.n; k++) {
		int64_t at = p->places.v[k];
		if (at >= all || k >= all)
			return base_errorf(errors, "places",
			                   "port %u is at place %lld, but there are %u places: 0 to %u", k,
			                   (long long)at, all, all - 1);
		if (port_at[at])
			return base_errorf(errors, "places", "ports %u and %u are both at place %lld", port_at[at] - 1,
			                   k, (long long)at);
		port_at[at] = k + 1;
	}
	return 0;
}

int tiled_geometry_place(struct tiled_geometry *g, const struct tiled_params *p, uint32_t ports,
                         struct base_errors *errors)
{
	bool in_order = true;
	if (p->placement == TILED_LISTED && check_list(g, p, ports, errors))
		return -1;
	for (uint32_t k = 0; k < ports; k++) {
		put_port(g, k, place_of_port(g, p, k));
		in_order = in_order && g->place[k] == k;
	}
	if (in_order && p->placement != TILED_IN_ROWS)
		return base_errorf(errors, "placement",
		                   "has no effect here: it places all ports as \"rows\", the default, does");
	return 0;
}

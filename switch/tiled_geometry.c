/* switch/tiled_geometry.c - where a port is among the tiles. */
#include "switch/tiled.h"

void tiled_geometry_set(struct tiled_geometry *g, uint32_t rows, uint32_t columns, uint32_t per_tile)
{
	g->rows = rows;
	g->columns = columns;
	g->per_tile = per_tile;
	g->row_ports = columns * per_tile;
	for (uint32_t p = 0; p < TILED_PORTS && p < rows * g->row_ports; p++) {
		g->row[p] = (uint8_t)(p / g->row_ports);
		g->in_row[p] = (uint8_t)(p % g->row_ports);
		g->column[p] = (uint8_t)(g->in_row[p] / per_tile);
		base_checkf(g->row[p] < rows && g->column[p] < columns, "port %u in row %u, column %u", p, g->row[p],
		            g->column[p]);
		base_check(g->row[p] * g->row_ports + g->in_row[p] == p);
	}
}

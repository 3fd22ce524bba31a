/* switch/tiled_geometry.c - where a port is among the tiles. */
#include "switch/tiled.h"

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
	for (uint32_t p = 0; p < TILED_PORTS && p < rows * g->row_ports; p++) {
		g->place[p] = g->port[p] = (uint16_t)p;
		g->row[p] = (uint8_t)(p / g->row_ports);
		g->in_row[p] = (uint8_t)(p % g->row_ports);
		g->word[p] = (uint8_t)(g->row[p] * g->row_words + g->in_row[p] / 64);
		g->column[p] = (uint8_t)(g->in_row[p] / per_tile);
		base_checkf(g->row[p] < rows && g->column[p] < columns, "port %u in row %u, column %u", p, g->row[p],
		            g->column[p]);
		base_check(g->row[p] * g->row_ports + g->in_row[p] == p);
	}
}

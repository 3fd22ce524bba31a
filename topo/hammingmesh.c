/* topo/hammingmesh.c - HammingMesh: boards with a mesh of accelerators; switches connect rows and columns of boards.
 *
 * Hoefler, Bonato, De Sensi, Di Girolamo, Li, Heddes, Belk, Goel, Castro, Scott, "HammingMesh: A Network Topology for
 * Large-Scale Deep Learning", SC22.
 *
 * X by Y boards of a by b accelerators form a grid of W = a X by H = b Y accelerators. Each has one endpoint and a
 * switch of its own with four ports: west, east, north, south, to the neighbour on its board or, at the board's edge,
 * to the switch of its row or column of the whole machine. Each row or column has one ideal switch here; real machines
 * have a switch or a tree, depending on the size. With a = 1 both row cables of an accelerator lead to its row's
 * switch.
 *
 * Numbers: accelerator (x, y) is x + W y, then the switches of rows, then those of columns. Ports of a row's switch: 2
 * i the west end of board i, 2 i + 1 its east end; of a column's: north and south.
 *
 * Minimal routes are all shortest ones. On a line (a row or a column), a board and its line's switch form a ring of a +
 * 1: routes between accelerators of one board take the shorter way round it, those between boards the nearer ends. A
 * route between accelerators takes the hops of both lines in any order, except that a packet at a row's switch
 * continues in the row. */
#include "topo/divide.h"
#include "topo/params.h"
#include "topo/topo.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BOARD 64
#define MOST_BOARDS 32767 /* per line: switches of two ports per board */

#define TABLE_SIZE 256u /* longer lines have no table */

/* The rows' or the columns' direction. */
struct hammingmesh_line {
	uint32_t board, boards, size; /* accelerators of a board, boards, accelerators per line */
	struct topo_divider by_board;
	uint8_t *ports; /* [size][size] way_along().ports, or NULL; owned */
};

struct hammingmesh {
	struct hammingmesh_line line[2]; /* along a row, along a column */
	uint32_t accelerators;
	struct topo_divider by_width;
};

enum { WEST, EAST, NORTH, SOUTH }; /* ports; line i has 2 i, towards 0, and 2 i + 1 */

#define ALL_PORTS (SOUTH + 1)

struct hammingmesh_place {
	uint32_t c[2];
};

static inline struct hammingmesh_place place_of_switch(const struct hammingmesh *m, topo_switch s)
{
	uint32_t y = topo_divide(&m->by_width, s);
	return (struct hammingmesh_place){ { topo_remainder(&m->by_width, s, y), y } };
}

static inline topo_switch accelerator_at(const struct hammingmesh *m, struct hammingmesh_place at)
{
	return at.c[0] + m->line[0].size * at.c[1];
}

/* switch_of() returns the switch of the row (i = 0) or column (i = 1) of a place. line_of() is its inverse: it returns
 * i for a switch of a row or column and sets *number to the number of that row or column. */
static inline topo_switch switch_of(const struct hammingmesh *m, int i, struct hammingmesh_place at)
{
	return m->accelerators + (i ? m->line[1].size + at.c[0] : at.c[1]);
}

static inline int line_of(const struct hammingmesh *m, topo_switch s, uint32_t *number)
{
	uint32_t k = s - m->accelerators, column = k >= m->line[1].size;
	*number = k - (column ? m->line[1].size : 0);
	return (int)column;
}

/* Hops from position x of a board to its line's switch, by the end towards 0 and by the other. */
static inline uint32_t out_low(uint32_t x)
{
	return x + 1;
}

static inline uint32_t out_high(const struct hammingmesh_line *l, uint32_t x)
{
	return l->board - x;
}

static inline uint32_t out_of(const struct hammingmesh_line *l, uint32_t x)
{
	return out_low(x) < out_high(l, x) ? out_low(x) : out_high(l, x);
}

static uint32_t hammingmesh_ports(const struct topo *topo, topo_switch s)
{
	const struct hammingmesh *m = topo->impl;
	uint32_t number;
	return s < m->accelerators ? 4 : 2 * m->line[line_of(m, s, &number)].boards;
}

static struct topo_hop hammingmesh_peer(const struct topo *topo, topo_switch s, topo_port port)
{
	const struct hammingmesh *m = topo->impl;
	if (s < m->accelerators) {
		struct hammingmesh_place at = place_of_switch(m, s);
		int i = port >= NORTH;
		const struct hammingmesh_line *l = &m->line[i];
		uint32_t board = topo_divide(&l->by_board, at.c[i]), x = topo_remainder(&l->by_board, at.c[i], board);
		bool high = port & 1;
		if (x == (high ? l->board - 1 : 0))
			return (struct topo_hop){ .to = switch_of(m, i, at),
				                  .port = 2 * board + high,
				                  .link_class = (uint8_t)(1 + i),
				                  .dimension = (uint8_t)i };
		at.c[i] += high ? 1 : UINT32_MAX;
		return (struct topo_hop){ .to = accelerator_at(m, at), .port = port ^ 1, .dimension = (uint8_t)i };
	}
	uint32_t number, high = port & 1;
	int i = line_of(m, s, &number);
	const struct hammingmesh_line *l = &m->line[i];
	struct hammingmesh_place at;
	at.c[!i] = number;
	at.c[i] = (port >> 1) * l->board + (high ? l->board - 1 : 0);
	return (struct topo_hop){ .to = accelerator_at(m, at),
		                  .port = 2 * (uint32_t)i + high,
		                  .link_class = (uint8_t)(1 + i),
		                  .dimension = (uint8_t)i };
}

/* The way along one line (row or column) from coordinate p to q: `ports` says which of the two ports are on a shortest
 * path (bit 0: the port towards coordinate 0; bit 1: that away from 0), and `hops` is the length of that path. */
struct hammingmesh_way {
	uint32_t hops, ports;
};

static struct hammingmesh_way way_along(const struct hammingmesh_line *l, uint32_t p, uint32_t q)
{
	uint32_t from = topo_divide(&l->by_board, p), to = topo_divide(&l->by_board, q);
	uint32_t x = topo_remainder(&l->by_board, p, from), z = topo_remainder(&l->by_board, q, to);
	if (p == q)
		return (struct hammingmesh_way){ 0, 0 };
	if (from != to) {
		uint32_t low = out_low(x), high = out_high(l, x), least = low < high ? low : high;
		return (struct hammingmesh_way){ least + out_of(l, z), (low == least) | (uint32_t)(high == least)
			                                                                    << 1 };
	}
	uint32_t on = x < z ? z - x : l->board + 1 - (x - z), back = l->board + 1 - on; /* up, down */
	return (struct hammingmesh_way){ on < back ? on : back, (back <= on) | (uint32_t)(on <= back) << 1 };
}

/* From a line's switch to coordinate q: which ends of q's board to enter. */
static struct hammingmesh_way way_in(const struct hammingmesh_line *l, uint32_t q, uint32_t *board)
{
	*board = topo_divide(&l->by_board, q);
	uint32_t z = topo_remainder(&l->by_board, q, *board), low = out_low(z), high = out_high(l, z);
	return (struct hammingmesh_way){ low < high ? low : high, (low <= high) | (uint32_t)(high <= low) << 1 };
}

static uint32_t ports_along(const struct hammingmesh_line *l, uint32_t p, uint32_t q)
{
	return l->ports ? l->ports[(size_t)p * l->size + q] : way_along(l, p, q).ports;
}

/* Sets of an accelerator's ports, by bit mask. */
static const struct port_set {
	topo_port port[ALL_PORTS]; /* [n] */
	int n;
} port_sets[1 << ALL_PORTS] = {
	[1] = { { 0 }, 1 },        [2] = { { 1 }, 1 },        [3] = { { 0, 1 }, 2 },        [4] = { { 2 }, 1 },
	[5] = { { 0, 2 }, 2 },     [6] = { { 1, 2 }, 2 },     [7] = { { 0, 1, 2 }, 3 },     [8] = { { 3 }, 1 },
	[9] = { { 0, 3 }, 2 },     [10] = { { 1, 3 }, 2 },    [11] = { { 0, 1, 3 }, 3 },    [12] = { { 2, 3 }, 2 },
	[13] = { { 0, 2, 3 }, 3 }, [14] = { { 1, 2, 3 }, 3 }, [15] = { { 0, 1, 2, 3 }, 4 },
};

static int hammingmesh_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops,
                            topo_port *out)
{
	(void)leg_hops;
	const struct hammingmesh *m = topo->impl;
	struct hammingmesh_place b = place_of_switch(m, to);
	if (here < m->accelerators) {
		struct hammingmesh_place a = place_of_switch(m, here);
		uint32_t row = ports_along(&m->line[0], a.c[0], b.c[0]);
		const struct port_set *set = &port_sets[row | ports_along(&m->line[1], a.c[1], b.c[1]) << NORTH];
		memcpy(out, set->port, sizeof set->port);
		return set->n;
	}
	uint32_t number, board;
	int i = line_of(m, here, &number);
	struct hammingmesh_way way = way_in(&m->line[i], b.c[i], &board);
	out[0] = 2 * board + (way.ports >> 1 & !(way.ports & 1));
	out[1] = 2 * board + 1;
	return 1 + (way.ports == 3);
}

/* `to` is an accelerator. */
static unsigned hammingmesh_distance(const struct topo *topo, topo_switch from, topo_switch to)
{
	const struct hammingmesh *m = topo->impl;
	struct hammingmesh_place b = place_of_switch(m, to);
	if (from < m->accelerators) {
		struct hammingmesh_place a = place_of_switch(m, from);
		return way_along(&m->line[0], a.c[0], b.c[0]).hops + way_along(&m->line[1], a.c[1], b.c[1]).hops;
	}
	uint32_t number, board;
	int i = line_of(m, from, &number);
	return way_in(&m->line[i], b.c[i], &board).hops + way_along(&m->line[!i], number, b.c[!i]).hops;
}

/* Worst case: from the middle of a board to the middle of another. */
static unsigned hammingmesh_max_distance(const struct topo *topo)
{
	const struct hammingmesh *m = topo->impl;
	return (m->line[0].board + 1) / 2 * 2 + (m->line[1].board + 1) / 2 * 2;
}

/* Rows of boards with their rows' switches; columns' switches evenly among them. */
static uint32_t hammingmesh_rack(const struct topo *topo, topo_switch s)
{
	const struct hammingmesh *m = topo->impl;
	uint32_t number;
	if (s < m->accelerators)
		return topo_divide(&m->line[1].by_board, place_of_switch(m, s).c[1]);
	if (line_of(m, s, &number) == 0)
		return topo_divide(&m->line[1].by_board, number);
	return (uint32_t)((uint64_t)number * m->line[1].boards / m->line[0].size);
}

/* --- facts ----------------------------------------------------------------------------------------------- */

/* Equivalence of switches: the boards of a line are interchangeable, and a line may be reversed. So two accelerators
 * are equivalent if their distances to the nearer end of their board are equal both along the row and along the column.
 * The switches of two rows are equivalent if these rows have equal distances along the columns, and likewise the
 * switches of columns. */
static size_t hammingmesh_orbits(const struct topo *topo, struct topo_orbit *out, size_t capacity)
{
	const struct hammingmesh *m = topo->impl;
	uint32_t n[2], size[2];
	for (int i = 0; i < 2; i++)
		n[i] = (m->line[i].board + 1) / 2;
	if ((size_t)n[0] * n[1] + n[0] + n[1] > capacity)
		return 0;
	size_t k = 0;
	for (uint32_t y = 0; y < n[1]; y++)
		for (uint32_t x = 0; x < n[0]; x++) {
			size[0] = m->line[0].boards * (2 * x + 1 == m->line[0].board ? 1 : 2);
			size[1] = m->line[1].boards * (2 * y + 1 == m->line[1].board ? 1 : 2);
			struct hammingmesh_place at = { { x, y } };
			out[k++] = (struct topo_orbit){ accelerator_at(m, at), size[0] * size[1] };
			if (x == 0)
				out[k++] = (struct topo_orbit){ switch_of(m, 0, at), size[1] };
			if (y == 0)
				out[k++] = (struct topo_orbit){ switch_of(m, 1, at), size[0] };
		}
	return k;
}

/* Sum of hops along a line over all ordered pairs of its coordinates, and from its switch to all. */
struct hammingmesh_sums {
	double pairs, in;
};

static struct hammingmesh_sums sums_of(const struct hammingmesh_line *l)
{
	struct hammingmesh_sums s = { 0 };
	double same = 0, in = 0;
	for (uint32_t d = 1; d < l->board; d++)
		same += 2.0 * (l->board - d) * (d < l->board + 1 - d ? d : l->board + 1 - d);
	for (uint32_t x = 0; x < l->board; x++)
		in += out_of(l, x);
	s.in = l->boards * in;
	s.pairs = l->boards * same + (double)l->boards * (l->boards - 1) * 2 * l->board * in;
	return s;
}

/* Distances are sums over the two lines, also between switches: between two rows' switches it is two more than along a
 * column, between a column's and a row's switch the sum of the hops into both lines. */
static void hammingmesh_means(const struct hammingmesh *m, double switches, struct topo_facts *facts)
{
	struct hammingmesh_sums x = sums_of(&m->line[0]), y = sums_of(&m->line[1]);
	double w = m->line[0].size, h = m->line[1].size, n = m->accelerators;
	double among = x.pairs * h * h + y.pairs * w * w;
	double to_rows = h * h * x.in + w * y.pairs, to_columns = w * w * y.in + h * x.pairs;
	double rows = 2 * h * (h - 1) + y.pairs, columns = 2 * w * (w - 1) + x.pairs;
	double both = h * x.in + w * y.in;
	facts->mean_distance =
	    (among + 2 * (to_rows + to_columns + both) + rows + columns) / (switches * (switches - 1));
	facts->mean_minimal_hops = among / (n * (n - 1));
}

/* On a board of at most two by two all rows are equivalent, and all columns, for any order of hops: the cables to the
 * switches carry the maximum load, all flows that leave the board from one accelerator, or half of them. */
static void hammingmesh_loads(const struct hammingmesh *m, struct topo_facts *facts)
{
	double n = m->accelerators, most = 0, inside = 0, out[2];
	for (int i = 0; i < 2; i++) {
		const struct hammingmesh_line *l = &m->line[i];
		double flow = m->line[!i].size / (n - 1); /* from one coordinate to another, within a line */
		if (l->board > 2)
			return;
		out[i] = (l->size - l->board) * flow / (l->board == 1 ? 2 : 1);
		most = out[i] > most ? out[i] : most;
		inside = l->board == 2 && flow > inside ? flow : inside;
	}
	facts->max_channel_load_uniform = most;
	facts->max_load_by_class[0] = inside;
	facts->max_load_by_class[1] = out[0];
	facts->max_load_by_class[2] = out[1];
}

static void hammingmesh_facts(const struct topo *topo, struct topo_facts *facts)
{
	const struct hammingmesh *m = topo->impl;
	for (int i = 0; i < 2; i++) {
		const struct hammingmesh_line *l = &m->line[i];
		uint64_t lines = m->line[!i].size;
		facts->links_by_class[0] += lines * l->boards * (l->board - 1);
		facts->links_by_class[1 + i] = lines * l->boards * 2;
	}
	facts->links = facts->links_by_class[0] + facts->links_by_class[1] + facts->links_by_class[2];
	facts->diameter = (int)hammingmesh_max_distance(topo);
	hammingmesh_means(m, topo->switches, facts);
	hammingmesh_loads(m, facts);
}

/* --- building -------------------------------------------------------------------------------------------- */

static void check_pair(const struct base_ints *v, const char *key, int64_t least, int64_t most, const char *what,
                       struct base_errors *errors)
{
	if (v->n != 2)
		base_errorf(errors, key, "two numbers are expected, along a row and along a column, not %zu", v->n);
	for (size_t i = 0; i < v->n && v->n == 2; i++)
		if (v->v[i] < least || v->v[i] > most)
			base_errorf(errors, key, "%lld %s %s; %lld to %lld are supported", (long long)v->v[i], what,
			            i ? "in a column" : "in a row", (long long)least, (long long)most);
}

static void list_ways(struct hammingmesh_line *l)
{
	if (l->size > TABLE_SIZE)
		return;
	l->ports = base_calloc(l->size, l->size);
	for (uint32_t p = 0; p < l->size; p++)
		for (uint32_t q = 0; q < l->size; q++)
			l->ports[p * l->size + q] = (uint8_t)way_along(l, p, q).ports;
}

static void hammingmesh_destroy(struct topo *topo)
{
	struct hammingmesh *m = topo->impl;
	for (int i = 0; m && i < 2; i++)
		free(m->line[i].ports);
	free(m);
}

static const char *const hammingmesh_classes[] = { "board", "row", "column", NULL };

static int hammingmesh_build(struct topo *topo, const void *params, struct base_errors *errors)
{
	const struct topo_hammingmesh_params *in = params;
	size_t before = errors->errors;
	check_pair(&in->board, "board", 1, MOST_BOARD, "accelerators of a board", errors);
	check_pair(&in->boards, "boards", 2, MOST_BOARDS, "boards", errors);
	if (errors->errors > before)
		return -1;
	struct hammingmesh *m = base_alloc(sizeof *m);
	topo->impl = m;
	for (int i = 0; i < 2; i++) {
		uint32_t board = (uint32_t)in->board.v[i], boards = (uint32_t)in->boards.v[i];
		m->line[i] = (struct hammingmesh_line){ board, boards, board * boards, topo_divider_of(board), NULL };
		list_ways(&m->line[i]);
		topo->max_ports = 2 * boards > topo->max_ports ? 2 * boards : topo->max_ports;
	}
	uint64_t w = m->line[0].size, h = m->line[1].size;
	m->by_width = topo_divider_of(m->line[0].size);
	m->accelerators = (uint32_t)(w * h); /* if that is too many, so is the product */
	topo->max_ports = topo->max_ports < 4 ? 4 : topo->max_ports;
	topo->link_classes = 3;
	topo->link_class_name = hammingmesh_classes;
	topo->vc_rule = TOPO_VC_HOP;
	topo->own = in->accelerators == TOPO_ACCELERATORS_OWN;
	return topo_set_sizes(topo, w * h + w + h, w * h, 1, errors);
}

static const struct base_param hammingmesh_params[] = {
	{ BASE_KEY(INTS, struct topo_hammingmesh_params, board, "2,2"), .unit = "accelerators", .min = 1,
	  .max = MOST_BOARD, .help = "accelerators of a board along a row and along a column, a mesh",
	  .source = "SC22 HammingMesh, III" },
	{ BASE_KEY(INTS, struct topo_hammingmesh_params, boards, NULL), .unit = "boards", .min = 2, .max = MOST_BOARDS,
	  .help = "boards along a row and along a column of the machine" },
	{ BASE_KEY(ENUM, struct topo_hammingmesh_params, accelerators, "own"), .choices = "own|bought",
	  .help = "for tilefly cost. own: the switches are part of the accelerators, so that they, the traces on a "
	          "board and the links to endpoints cost nothing; bought: they are switches and cables like others" },
	{ 0 }
};

static const struct topo_ops hammingmesh_ops = {
	.build = hammingmesh_build,
	.destroy = hammingmesh_destroy,
	.ports = hammingmesh_ports,
	.peer = hammingmesh_peer,
	.next = hammingmesh_next,
	.distance = hammingmesh_distance,
	.max_distance = hammingmesh_max_distance,
	.rack = hammingmesh_rack,
	.orbits = hammingmesh_orbits,
	.facts = hammingmesh_facts,
	.link_classes = hammingmesh_classes,
};

const struct base_plugin topo_hammingmesh = {
	BASE_DESCRIBE("topology", "hammingmesh", hammingmesh_params, struct topo_hammingmesh_params, &hammingmesh_ops),
	.summary = "HammingMesh: boards of accelerators, with switches that connect their rows and columns",
	.source = "Hoefler et al.: HammingMesh, SC22",
};

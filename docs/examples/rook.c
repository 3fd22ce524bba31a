/* docs/examples/rook.c - a topology as a plug-in: the two-dimensional HyperX, also known as the rook's graph.
 *
 * Switches stand on the squares of a board and a cable joins two of them if a rook could move from one to the other:
 * every row and every column is a full mesh (Ahn, Binkert, Davis, McLaren, Schreiber, "HyperX", SC09). Diameter two.
 *
 *      tilefly topo board.cfg --plugin rook.so       with   topology = { kind = "rook"; rows = 4; columns = 6; };
 *
 * What a topology must know is in topo/topo.h. In short: how many switches there are, what is at the far end of a
 * port, which ports lead nearer to a destination, how far that is, and how deadlocks are avoided.
 * docs/plugins.md walks through this file. */
#include "base/memory.h"
#include "topo/divide.h"
#include "topo/topo.h"

#include <stddef.h>
#include <stdlib.h>

/* 1. The parameters. This table is all that the reader of configurations, `check`, `list` and the error messages know.
 */

struct rook_params {
	int64_t rows, columns, endpoints;
};

static const struct base_param params[] = {
	{ BASE_KEY(INT, struct rook_params, rows, NULL), .unit = "switches", .min = 1, .max = 1024,
	  .help = "rows of the board" },
	{ BASE_KEY(INT, struct rook_params, columns, NULL), .unit = "switches", .min = 1, .max = 1024,
	  .help = "columns of the board" },
	{ .name = "endpoints",
	  .type = BASE_INT,
	  .offset = offsetof(struct rook_params, endpoints),
	  .default_value = "1", /* a parameter without `default_value` is required */
	  .unit = "endpoints",
	  .min = 1,
	  .max = 65535,
	  .help = "endpoints per switch" },
	{ .name = NULL },
};

/* 2. The graph. Switch number = x + columns * y. Nothing is tabulated: everything is arithmetic on (x, y).
 * Ports 0 .. columns - 2 of a switch lead along its row, to x + 1, x + 2, ... around; the other rows - 1 ports lead
 * along its column in the same way. */

struct rook {
	uint32_t rows, columns;
	struct topo_divider by_columns; /* peer() and next() run at every hop: no division by a variable there */
};

struct square {
	uint32_t x, y;
};

static inline struct square square_of(const struct rook *r, topo_switch s)
{
	uint32_t y = topo_divide(&r->by_columns, s);
	return (struct square){ topo_remainder(&r->by_columns, s, y), y };
}

/* (a + b) mod n for a, b < n, or <= n. */
static inline uint32_t around(uint32_t a, uint32_t b, uint32_t n)
{
	uint32_t sum = a + b;
	return sum >= n ? sum - n : sum;
}

static uint32_t rook_ports(const struct topo *topo, topo_switch s)
{
	(void)s;
	return topo->max_ports;
}

/* Port i leads i + 1 squares on, so that the way back is by the port that leads n - 1 - i squares on. */
static struct topo_hop rook_peer(const struct topo *topo, topo_switch s, topo_port port)
{
	const struct rook *r = topo->impl;
	struct square at = square_of(r, s);
	uint32_t in_row = r->columns - 1;
	if (port < in_row) {
		uint32_t x = around(at.x, port + 1, r->columns);
		return (struct topo_hop){ .to = x + r->columns * at.y, .port = in_row - 1 - port, .link_class = 0 };
	}
	uint32_t i = port - in_row, y = around(at.y, i + 1, r->rows);
	return (struct topo_hop){ .to = at.x + r->columns * y, .port = in_row + r->rows - 2 - i, .link_class = 1 };
}

/* Minimal routing: along the row, along the column, or either of the two first. Both orders are offered; the routing
 * picks one at random for every packet. */
static int rook_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	(void)leg_hops; /* wanted by topologies whose minimal route depends on the hops behind: dragonflies */
	const struct rook *r = topo->impl;
	struct square a = square_of(r, here), b = square_of(r, to);
	int n = 0;
	if (a.x != b.x)
		out[n++] = around(b.x, r->columns - a.x, r->columns) - 1;
	if (a.y != b.y)
		out[n++] = r->columns - 1 + around(b.y, r->rows - a.y, r->rows) - 1;
	return n;
}

static unsigned rook_distance(const struct topo *topo, topo_switch from, topo_switch to)
{
	const struct rook *r = topo->impl;
	struct square a = square_of(r, from), b = square_of(r, to);
	return (unsigned)(a.x != b.x) + (unsigned)(a.y != b.y);
}

static unsigned rook_max_distance(const struct topo *topo)
{
	const struct rook *r = topo->impl;
	return (unsigned)(r->columns > 1) + (unsigned)(r->rows > 1);
}

/* 3. What may be left out. Coordinates let patterns like `tornado` and `neighbor` speak of dimensions; one orbit (all
 * squares of a board are alike for a rook) lets the facts be computed from one switch instead of all. */

static int rook_dims(const struct topo *topo, uint32_t *out, int room)
{
	const struct rook *r = topo->impl;
	const uint32_t size[] = { r->columns, r->rows };
	int n = 0;
	for (int i = 0; i < 2; i++)
		if (size[i] > 1 && n < room)
			out[n++] = size[i];
	return n;
}

static size_t rook_orbits(const struct topo *topo, struct topo_orbit *out, size_t room)
{
	if (room < 1)
		return 0;
	out[0] = (struct topo_orbit){ .representative = 0, .size = topo->switches };
	return 1;
}

/* 4. Building and freeing. What is wrong is reported with the key to blame; the caller adds file, line and "topology.".
 */

static const char *const classes[] = { "row", "column", NULL };

static int rook_build(struct topo *topo, const void *params_, struct base_errors *errors)
{
	const struct rook_params *p = params_;
	if (p->rows * p->columns < 2)
		return base_errorf(errors, "rows",
		                   "a board of one square has no cables; topology \"single\" is one switch");
	struct rook *r = base_alloc(sizeof *r);
	r->rows = (uint32_t)p->rows;
	r->columns = (uint32_t)p->columns;
	r->by_columns = topo_divider_of(r->columns);
	topo->impl = r;
	topo->max_ports = r->columns - 1 + r->rows - 1;
	topo->link_classes = 2; /* links.row and links.column are theirs, links.default of what is not set */
	topo->link_class_name = classes;
	topo->vc_rule = TOPO_VC_HOP; /* VC = hops taken: with two hops at most, two VCs make any minimal route safe */
	return topo_set_size(topo, (uint64_t)(p->rows * p->columns), (uint64_t)p->endpoints, errors);
}

static void rook_destroy(struct topo *topo)
{
	free(topo->impl);
}

/* 5. The descriptor, and the two names that a plug-in exports. */

static const struct topo_ops ops = {
	.build = rook_build,
	.destroy = rook_destroy,
	.ports = rook_ports,
	.peer = rook_peer,
	.next = rook_next,
	.distance = rook_distance,
	.max_distance = rook_max_distance,
	.dims = rook_dims,
	.orbits = rook_orbits,
	.link_classes = classes,
};

static const struct base_plugin rook = {
	BASE_DESCRIBE("topology", "rook", params, struct rook_params, &ops),
	.summary = "two-dimensional HyperX: every row and every column of a board of switches is a full mesh",
	.source = "Ahn, Binkert, Davis, McLaren, Schreiber: HyperX, SC09",
};

extern const unsigned tilefly_plugin_abi;
extern const struct base_plugin *const tilefly_plugins[];

const unsigned tilefly_plugin_abi = BASE_PLUGIN_ABI;
const struct base_plugin *const tilefly_plugins[] = { &rook, NULL };

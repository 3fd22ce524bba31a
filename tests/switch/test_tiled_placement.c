/* tests/switch/test_tiled_placement.c - where ports are among the tiles: always one port a place; what differs is wires
 * and who shares a row. */
#include "tests/switch/bench.h"
#include "tests/switch/tiled_watch.h"

#include <math.h>

static struct tiled_params shape(uint32_t rows, uint32_t columns, uint32_t per_tile, enum tiled_placement placement)
{
	return (struct tiled_params){
		.rows = rows, .columns = columns, .ports_per_tile = per_tile, .placement = (int)placement
	};
}

static const uint32_t shapes[][3] = { { 4, 8, 2 }, { 8, 8, 1 }, { 2, 3, 5 }, { 1, 16, 4 }, { 4, 32, 4 }, { 64, 8, 1 } };
#define SHAPES (sizeof shapes / sizeof *shapes)

Test(tiled_placement, every_port_has_a_place_of_its_own)
{
	for (size_t k = 0; k < SHAPES; k++)
		for (int placement = TILED_IN_ROWS; placement < TILED_LISTED; placement++) {
			uint32_t rows = shapes[k][0], columns = shapes[k][1], per_tile = shapes[k][2],
				 ports = rows * columns * per_tile;
			struct tiled_params p = shape(rows, columns, per_tile, (enum tiled_placement)placement);
			for (uint32_t used = ports; used > 0; used = used / 2) {
				struct tiled_geometry g;
				struct base_errors errors = { 0 };
				bool taken[TILED_PORTS] = { false };
				tiled_geometry_set(&g, rows, columns, per_tile);
				tiled_geometry_place(&g, &p, used, &errors);
				base_errors_free(&errors);
				for (uint32_t i = 0; i < used; i++) {
					uint32_t at =
					    (g.row[i] * columns + g.column[i]) * per_tile + g.in_row[i] % per_tile;
					cr_assert(at == g.place[i] && at < ports && !taken[at] && g.port[at] == i,
					          "%u x %u x %u, rule %d: port %u at %u", rows, columns, per_tile,
					          placement, i, at);
					taken[at] = true;
				}
			}
		}
}

/* Of any ports that are numbered together no row, and no tile, has two more than another. */
Test(tiled_placement, spread_deals_out_every_class)
{
	for (size_t k = 0; k < SHAPES; k++) {
		uint32_t rows = shapes[k][0], columns = shapes[k][1], tiles = rows * columns,
			 ports = tiles * shapes[k][2];
		struct tiled_params p = shape(rows, columns, shapes[k][2], TILED_SPREAD);
		struct tiled_geometry g;
		struct base_errors errors = { 0 };
		tiled_geometry_set(&g, rows, columns, shapes[k][2]);
		tiled_geometry_place(&g, &p, ports, &errors);
		base_errors_free(&errors);
		for (uint32_t first = 0; first < ports; first += 7)
			for (uint32_t n = 1; first + n <= ports; n += 5) {
				uint32_t in_row[TILED_ROWS] = { 0 }, in_tile[TILED_PORTS] = { 0 };
				for (uint32_t i = first; i < first + n; i++) {
					in_row[g.row[i]]++;
					in_tile[g.row[i] * columns + g.column[i]]++;
				}
				for (uint32_t r = 0; r < rows; r++)
					cr_assert(in_row[r] == n / rows || in_row[r] == (n + rows - 1) / rows);
				for (uint32_t t = 0; t < tiles; t++)
					cr_assert(in_tile[t] == n / tiles || in_tile[t] == (n + tiles - 1) / tiles);
			}
	}
}

#define PAIR                                                                                                        \
	"traffic.[0].pattern=incast traffic.[0].target=1 traffic.[0].nodes=\"0,1\" traffic.[0].injection=periodic " \
	"traffic.[0].load=0.05 switch.align=false topology.ports=4 "

/* 26 ns of cables, 335 ns of stages and 20.48 ns of packet; 0.325 ns a column and 0.65 ns a row between. */
Test(tiled_placement, wires_are_as_long_as_places_are_apart)
{
	static const struct {
		const char *placement;
		double columns, rows;
	} c[] = { { "", 0, 0 },
		  { "switch.placement=spread", 0, 1 },
		  { "switch.placement=listed switch.places=[0,2,62,63]", 1, 0 },
		  { "switch.placement=listed switch.places=[0,63,1,2]", 7, 3 } };
	for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
		char changes[400];
		snprintf(changes, sizeof changes, PAIR "%s", c[i].placement);
		double wires = 0.325 * c[i].columns + 0.65 * c[i].rows,
		       ns = watch_run(WATCH_SINGLE, changes, NULL).latency_ns;
		cr_expect(fabs(ns - (26 + 335 + 20.48 + wires)) < 0.002, "%s: %.4f", changes, ns);
	}
}

/* Twenty ports that all want port 40: round robin gives every row as much. In order they are 16 and 4 in two rows,
 * dealt out they are 5 a row. */
static void shares(const char *placement, double *least, double *most)
{
	struct bench_packets p = { 0 };
	char changes[400];
	uint32_t packets[64] = { 0 };
	snprintf(changes, sizeof changes,
	         "%s switch.grant_arbiter=round-robin traffic.[0].pattern=incast traffic.[0].target=40 "
	         "traffic.[0].nodes=\"0-19,40\" record.packets=true time.measure=60us time.drain=false",
	         placement);
	cr_assert_eq(watch_run(WATCH_SINGLE, changes, &p).outcome, NET_DONE);
	for (size_t i = 0; i < p.n; i++)
		packets[p.v[i].src]++;
	*least = 1, *most = 0;
	for (uint32_t i = 0; i < 20; i++) {
		*least = fmin(*least, packets[i] / (double)p.n);
		*most = fmax(*most, packets[i] / (double)p.n);
	}
	free(p.v);
}

Test(tiled_placement, who_shares_a_row_shares_its_grants)
{
	double least, most;
	shares("", &least, &most);
	cr_expect(fabs(least - 0.5 / 16) < 0.003 && fabs(most - 0.5 / 4) < 0.003, "%f to %f", least, most);
	shares("switch.placement=spread", &least, &most);
	cr_expect(fabs(least - 0.05) < 0.002 && fabs(most - 0.05) < 0.002, "%f to %f", least, most);
	shares("switch.placement=columns", &least, &most);
	cr_expect(fabs(least - 0.25 / 6) < 0.002 && fabs(most - 0.25 / 4) < 0.002, "%f to %f", least, most);
}

/* Weights are of ports, wherever they are. */
Test(tiled_placement, weights_go_with_ports)
{
	struct bench_packets p = { 0 };
	uint32_t packets[64] = { 0 };
	cr_assert_eq(watch_run(WATCH_SINGLE,
	                       "switch.rows=1 switch.columns=32 switch.placement=listed topology.ports=4 "
	                       "switch.places=[40,3,50,0] switch.grant_arbiter=weighted switch.weights=[1,2,4,1] "
	                       "traffic.[0].pattern=incast traffic.[0].target=3 record.packets=true "
	                       "time.measure=60us time.drain=false",
	                       &p)
	                 .outcome,
	             NET_DONE);
	for (size_t i = 0; i < p.n; i++)
		packets[p.v[i].src]++;
	cr_expect(fabs(packets[1] / (double)packets[0] - 2) < 0.05 && fabs(packets[2] / (double)packets[0] - 4) < 0.1,
	          "%u, %u, %u", packets[0], packets[1], packets[2]);
	free(p.v);
}

/* The row bus of port 0 has packets for outputs 1 and 2, which are never the bottleneck; output 2 has three turns, once
 * both queues have filled. Later the input buffer is full, and the source decides. */
static void shares_a_bus(const char *changes)
{
	static const char text[] =
	    "seed = 1; time = { warmup = \"5us\"; measure = \"20us\"; drain = false; };"
	    "topology = { kind = \"single\"; ports = 64; }; record = { packets = true; };"
	    "links = { default = { bandwidth = \"200Gbps\"; latency = \"13ns\"; }; }; routing = { kind = \"minimal\"; "
	    "};"
	    "switch = { kind = \"watched\"; preset = \"yarc\"; speedup = 0.5; queues = \"voq\"; bus_arbiter = "
	    "\"weighted\"; "
	    "weights = [1, 1, 3, 1, 1]; };"
	    "traffic = ( { name = \"a\"; pattern = \"incast\"; target = 1; nodes = \"0,1\"; load = 0.5; packet = "
	    "\"512B\"; }, { name = \"b\"; pattern = \"incast\"; target = 2; nodes = \"0,2\"; load = 0.5; packet = "
	    "\"512B\"; } );";
	struct bench_packets p = { 0 };
	uint32_t packets[2] = { 0 };
	cr_assert_eq(watch_run(text, changes, &p).outcome, NET_DONE);
	for (size_t i = 0; i < p.n; i++)
		packets[p.v[i].dst == 2]++;
	cr_expect(fabs(packets[1] / (double)packets[0] - 3) < 0.3, "%s: %u, %u", changes, packets[0], packets[1]);
	free(p.v);
}

Test(tiled_placement, weights_of_a_bus_are_of_outputs)
{
	shares_a_bus("");
	shares_a_bus("switch.placement=columns");
	shares_a_bus("switch.placement=spread");
}

Test(tiled_placement, bad_lists_are_refused)
{
	static const struct {
		int64_t list[5];
		size_t n;
		int placement;
		const char *key, *text;
	} bad[] = {
		{ { 0, 1, 2 },
		  3,
		  TILED_LISTED,
		  "places",
		  "lists 3 places, but this topology's switches have up to 4 ports" },
		{ { 0, 1, 2, 64 },
		  4,
		  TILED_LISTED,
		  "places",
		  "port 3 is at place 64, but there are 64 places: 0 to 63" },
		{ { 7, 1, 2, 7 }, 4, TILED_LISTED, "places", "ports 0 and 3 are both at place 7" },
		{ { 0, 1, 2, 3 },
		  4,
		  TILED_LISTED,
		  "placement",
		  "has no effect here: it places all ports as \"rows\", the default, does" },
		{ { 0 }, 0, TILED_SPREAD, NULL, NULL },
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct tiled_params p = shape(4, 8, 2, (enum tiled_placement)bad[i].placement);
		struct tiled_geometry g;
		struct base_errors errors = { 0 };
		p.places = (struct base_ints){ .v = (int64_t *)(uintptr_t)bad[i].list, .n = bad[i].n };
		tiled_geometry_set(&g, 4, 8, 2);
		cr_expect_eq(tiled_geometry_place(&g, &p, 4, &errors), bad[i].key ? -1 : 0);
		if (bad[i].key) {
			cr_expect_str_eq(errors.v[0].key, bad[i].key);
			cr_expect_str_eq(errors.v[0].text, bad[i].text);
		}
		base_errors_free(&errors);
	}
}

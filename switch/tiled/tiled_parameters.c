/* switch/tiled/tiled_parameters.c - parameters and presets of the tiled switch, and what each parameter needs. */
#include "switch/tiled/tiled.h"

#include <stddef.h>

#define ROSETTA_STAGES                                                                                 \
	.serdes = 90000, .mac = 25000, .route = 38000, .request = 22000, .grant = 22000, .row = 15000, \
	.column = 15000, .egress = 108000

/* The presets, with the values of each switch that are published and those that are unpublished.
 *
 * rosetta. Published are 4 x 8 tiles of 2 ports, requests and grants, virtual output queues and 48-byte buses (De
 * Sensi et al. 2020, II.A). The clock is unpublished: 800 MHz is the published clock of YARC, with which a 48-byte bus
 * carries 1.54 times the rate of a 200 Gb/s port. The stage latencies are unpublished: their sum, 337 ns, and one
 * cable of 2.6 m (13 ns) make up the published 350 ns for each switch. Buffer sizes are unpublished: an input holds a
 * 100 m cable's round trip at 200 Gb/s for each of four VCs; an output holds twice the bytes in flight between grant
 * and link (about 4 KB) plus two largest packets.
 *
 * yarc. It has 8 x 8 tiles of 1 port, row and column buffers, and no grants across the chip (Scott et al. 2006). Its
 * 800 MHz and 25 cycles (31.25 ns) are published; how these are divided among the stages is chosen here. The width of
 * its buses is unpublished, and is chosen here for the same speed-up as rosetta's, at 18.75 Gb/s per port.
 *
 * successor. There is no such switch: it is rosetta with twice the ports at twice their rate. It has twice the rows,
 * so that a row's arbiters and a tile's crossbar have as many inputs as in rosetta; the same clock and buses of twice
 * the width, which gives the same speed-up; and the same times. The input buffer follows rosetta's rule at 400 Gb/s
 * (20 RoCE packets for each VC are 100 m; in steps of 16 KiB that is 96 KiB for each of four VCs), the output buffer
 * lasts for the same time, and the die has the same size.
 *
 * aries (Cray XC). It has 48 tiles of one port each, in five rows of network tiles and one row of processor tiles
 * (from the names of its counters, AR_RTR_row_column and AR_RTR_PT_5_column), with row buses and column buffers as in
 * YARC, and about 100 ns for each hop (Alverson et al., WP-Aries01-1112). A 64-byte put takes 14 phits. Phits of 24
 * bits, as in Gemini, could not carry it, so a phit is assumed to have 48 bits; then 875 MHz, used as clock here,
 * gives the published 5.25 GB/s of a link (both are inferences). A bus carries two phits in each clock period (an
 * inference from the counter ROWBUS_2X_USAGE): 10.5 GB/s, which suffices for the published 10.2 GB/s of a node. Stage
 * latencies are calibrated: 85 ns, clock edges and wires (2 ns) and one cable of 2.6 m are 100 ns. Buffer sizes are
 * unpublished: an input holds a 100 m cable's round trip at 5.25 GB/s, 1149 ns or 6 KiB, for each of eight VCs (the
 * counters of tiles have VC0 to VC7). */
static const struct tiled_params presets[] = {
	[TILED_ROSETTA] = { .rows = 4,
	                    .columns = 8,
	                    .ports_per_tile = 2,
	                    .clock = 1250,
	                    .width = 48,
	                    .buffer = 196608,
	                    .output_buffer = 32768,
	                    .queues = TILED_FIRST,
	                    .grants = TILED_FIRST,
	                    ROSETTA_STAGES,
	                    .row_pitch = 650 },
	[TILED_YARC] = { .rows = 8,
	                 .columns = 8,
	                 .ports_per_tile = 1,
	                 .clock = 1250,
	                 .width = 4,
	                 .buffer = 131072,
	                 .output_buffer = 32768,
	                 .row_buffer = 8192,
	                 .column_buffer = 8192,
	                 .queues = TILED_SECOND,
	                 .grants = TILED_SECOND,
	                 .serdes = 6250,
	                 .mac = 2500,
	                 .route = 5000,
	                 .row = 5000,
	                 .column = 5000,
	                 .egress = 7500,
	                 .row_pitch = 650 },
	[TILED_SUCCESSOR] = { .rows = 8,
	                      .columns = 8,
	                      .ports_per_tile = 2,
	                      .clock = 1250,
	                      .width = 96,
	                      .buffer = 393216,
	                      .output_buffer = 65536,
	                      .queues = TILED_FIRST,
	                      .grants = TILED_FIRST,
	                      ROSETTA_STAGES,
	                      .row_pitch = 325 },
	[TILED_ARIES] = { .rows = 6,
	                  .columns = 8,
	                  .ports_per_tile = 1,
	                  .clock = 1143,
	                  .width = 12,
	                  .buffer = 49152,
	                  .output_buffer = 8192,
	                  .row_buffer = 4096,
	                  .column_buffer = 4096,
	                  .queues = TILED_SECOND,
	                  .grants = TILED_SECOND,
	                  .serdes = 18000,
	                  .mac = 9000,
	                  .route = 15000,
	                  .row = 11000,
	                  .column = 11000,
	                  .egress = 21000,
	                  .row_pitch = 433 },
};

#define ROW(field) .name = #field, .offset = offsetof(struct tiled_params, field)
#define COUNT(field, most) ROW(field), .type = BASE_INT, .default_value = "", .min = 1, .max = most
#define TIME(field) ROW(field), .type = BASE_TIME, .default_value = "", .min = 1, .max = 1e9
#define BYTES(field) ROW(field), .type = BASE_SIZE, .default_value = "", .min = 1, .max = 4e9
#define ARBITER(field) ROW(field), SW_ARBITER_PARAM
#define AUTO_ARBITER(field) ARBITER(field), .default_value = "auto", .choices = "auto"
#define UNPUBLISHED "unpublished; "
#define CALIBRATED                                                                                                    \
	"unpublished, calibrated: all stages and a 2.6 m cable sum up to the 350 ns of De Sensi et al. 2020, Fig. 2 " \
	"(aries: to about 100 ns a hop, WP-Aries01-1112). "

const struct base_param tiled_parameters[] = {
	{ ROW(preset), .type = BASE_ENUM, .default_value = "rosetta", .choices = "rosetta|yarc|successor|aries",
	  .help = "a known switch; explicit keys override its values. successor is hypothetical: 128 ports of 400 "
	          "Gb/s, derived from rosetta. aries is the router of Cray XC, which goes with routing \"aries\"" },
	{ COUNT(rows, TILED_ROWS), .unit = "rows",
	  .help = "rows of tiles; if omitted, the preset's (rosetta 4, yarc 8, successor 8, aries 6)" },
	{ COUNT(columns, TILED_ROW_PORTS), .unit = "columns",
	  .help = "columns of tiles; if omitted, the preset's (8)" },
	{ COUNT(ports_per_tile, TILED_ROW_PORTS), .unit = "ports",
	  .help = "ports of a tile; if omitted, the preset's (rosetta 2, yarc 1, successor 2, aries 1). A switch may "
	          "leave ports unused" },
	{ ROW(placement), .type = BASE_ENUM, .default_value = "rows", .choices = "rows|columns|spread|listed",
	  .help = "assignment of ports to tiles: \"rows\", \"columns\": ports in order fill one row or one column of "
	          "tiles after the other; \"spread\": each port goes to the next row, and within a row to the next "
	          "tile, so that terminals and the ports of each link class, which are numbered consecutively, spread "
	          "evenly; \"listed\": by `places`" },
	{ ROW(places), .type = BASE_INTS, .default_value = "", .min = 0, .max = TILED_PORTS - 1,
	  .help = "place of each port, network ports first: places are numbered along the rows, tile by tile" },
	{ TIME(clock), .help = UNPUBLISHED
	               "period of a beat on buses, crossbars and channels; if omitted, 1.25ns, YARC's 800 MHz; aries "
	               "1143ps: a phit of 48 bits at 5.25 GB/s, inferred" },
	{ ROW(speedup), .type = BASE_FLOAT, .default_value = "", .min = 0.1, .max = 64,
	  .help = "alternative to clock: width / clock relative to the bandwidth of the fastest link of a port; if "
	          "omitted, given by the clock (1.54 at 200 Gb/s)" },
	{ BYTES(width), .help = "width of row bus, crossbar and column channel; if omitted, the preset's (rosetta 48B, "
	                        "published; yarc 4B; successor 96B; aries 12B, inferred)" },
	{ BYTES(buffer), .help =
	                     UNPUBLISHED "input buffer of a port. The part that is not in the shared pool is divided "
	                                 "equally among the port's lanes (traffic "
	                                 "class x virtual channel). If omitted: rosetta 192KiB, for each of four VCs "
	                                 "the bytes of its credit loop with 100 m "
	                                 "of cable (1.7us) at 200 Gb/s in whole RoCE packets; yarc 128KiB; preset "
	                                 "\"successor\" 384KiB, by rosetta's rule at 400 "
	                                 "Gb/s; aries 48KiB, by that rule for eight VCs at 42 Gb/s. `tilefly check` "
	                                 "prints the longest cable that the buffer sustains" },
	{ ROW(shared_pool), .type = BASE_FLOAT, .default_value = "0", .max = SW_POOL_MOST, .unit = "share of buffer",
	  .help = SW_SHARED_POOL_HELP },
	{ ROW(pool_threshold), .type = BASE_FLOAT, .default_value = "1", .min = SW_THRESHOLD_LEAST,
	  .max = SW_THRESHOLD_MOST, .help = SW_POOL_THRESHOLD_HELP, .source = SW_POOL_THRESHOLD_SOURCE },
	{ ROW(flow_channels), .type = BASE_ENUM, .default_value = "auto", .choices = "auto|on|off",
	  .help = SW_FLOW_CHANNELS_HELP, .source = "De Sensi et al., SC20, II.C; US patent 12,218,829" },
	{ ROW(flow_threshold), .type = BASE_FLOAT, .default_value = "1", .min = SW_THRESHOLD_LEAST,
	  .max = SW_THRESHOLD_MOST, .help = SW_FLOW_THRESHOLD_HELP, .source = SW_FLOW_THRESHOLD_SOURCE },
	{ ROW(flow_route), .type = BASE_TIME, .default_value = "2us", .min = 0, .max = 1e12, .help = SW_FLOW_ROUTE_HELP,
	  .source = SW_FLOW_ROUTE_SOURCE },
	{ BYTES(output_buffer),
	  .help =
	      UNPUBLISHED "output buffer of a port, in which grants reserve space. If omitted, 32KiB (successor "
	                  "64KiB, aries 8KiB): the bytes in flight from grant to link (8 KiB) and several packets" },
	{ BYTES(row_buffer), .help = "buffer at each input of a tile, per lane; if omitted, the preset's (rosetta "
	                             "none, yarc 8KiB, aries 4KiB, unpublished)" },
	{ BYTES(column_buffer), .help = "buffer at each output, per row and lane; if omitted, the preset's (rosetta "
	                                "none, yarc 8KiB, aries 4KiB, unpublished)" },
	{ ROW(vcs), .type = BASE_AUTO_INT, .default_value = "auto", .min = 1, .max = SW_MAX_VCS,
	  .help = "virtual channels; \"auto\": the minimum that the routing needs on this topology" },
	{ ROW(queues), .type = BASE_ENUM, .default_value = "preset", .choices = "preset|voq|fifo",
	  .help = "queues of an input. voq: one per output and lane; fifo: one per lane; preset: as in the preset" },
	{ ROW(grants), .type = BASE_ENUM, .default_value = "preset", .choices = "preset|on|off",
	  .help = "whether a packet waits at its input for its output's grant (rosetta), or advances as far as there "
	          "is space (yarc)" },
	{ ROW(requests), .type = BASE_INT, .default_value = "16", .min = 1, .max = 60000,
	  .help = UNPUBLISHED "maximum requests of a queue in flight" },
	{ ROW(grant_limit), .type = BASE_SIZE, .default_value = "8KiB", .min = 1, .max = 4e9,
	  .help =
	      UNPUBLISHED "an output gives grants while fewer granted bytes than this have not reached it; two RoCE "
	                  "packets, so that another input can take its turn when the first is busy elsewhere" },
	{ TIME(serdes), .help = CALIBRATED "Delay of receiver and FEC; if omitted, 90ns (yarc 6.25ns, aries 18ns)" },
	{ TIME(mac), .help = CALIBRATED "Delay of the receiving MAC; if omitted, 25ns (yarc 2.5ns, aries 9ns)" },
	{ TIME(route),
	  .help = CALIBRATED "Delay of header, lookup and routing; if omitted, 38ns (yarc 5ns, aries 15ns)" },
	{ TIME(request), .help = CALIBRATED "Delay of a request to the output's tile; if omitted, 22ns" },
	{ TIME(grant), .help = CALIBRATED "Delay of a grant to the input's tile; if omitted, 22ns" },
	{ TIME(row), .help = CALIBRATED "Delay of the row bus; if omitted, 15ns (yarc 5ns, aries 11ns)" },
	{ TIME(column),
	  .help = CALIBRATED "Delay of crossbar and column channel; if omitted, 15ns (yarc 5ns, aries 11ns)" },
	{ TIME(egress),
	  .help = CALIBRATED
	  "Delay of output buffer, MAC, FEC and transmitter; if omitted, 108ns (yarc 7.5ns, aries 21ns)" },
	{ TIME(credit),
	  .help = UNPUBLISHED
	  "delay from freed space in the input buffer to the sender's credit count, without the cable; "
	  "if omitted, egress + serdes + mac, the path of data (rosetta 223ns, yarc 16.25ns, aries 48ns)" },
	{ ROW(align), .type = BASE_BOOL, .default_value = "true",
	  .help = "headers wait for an edge of the switch's clock, up to one period; clocks are independent, so every "
	          "switch's phase is uniform, drawn from its number and the seed. false: time is not divided into "
	          "periods" },
	{ ROW(column_pitch), .type = BASE_TIME, .default_value = "325ps", .min = 0, .max = 1e6,
	  .help = UNPUBLISHED
	  "wire delay of a packet from a tile to the next one in its row; default: an eighth of 26 mm (a reticle's "
	  "width), 3.25 mm, at 100 ps/mm for repeated wires (Ho, Mai & Horowitz, Proc. IEEE 2001)" },
	{ ROW(row_pitch), .type = BASE_AUTO_TIME, .default_value = "auto", .min = 0, .max = 1e6,
	  .help = UNPUBLISHED "wire delay to the next tile in its column. \"auto\": the preset's, 650ps, a quarter of "
	                      "26 mm; successor 325ps, an eighth of 26 mm; aries 433ps, a sixth" },
	{ ROW(publish), .type = BASE_TIME, .default_value = "40ns", .min = 0, .max = 1e9,
	  .help = UNPUBLISHED "interval at which an output's queue depth is published to the inputs; routing reads a "
	                      "depth between 0 and this old" },
	{ ROW(request_width), .type = BASE_INT, .default_value = "1", .min = 1, .max = 64, .unit = "requests",
	  .help = UNPUBLISHED "requests that an input's row bus of the request crossbar carries in a clock period; and "
	                      "as many in addition of those deferred by the limit `requests`" },
	{ ROW(grant_width), .type = BASE_INT, .default_value = "1", .min = 1, .max = 64, .unit = "grants",
	  .help = UNPUBLISHED
	  "grants that the row bus of the grant crossbar brings to an input in a clock period; an output gives one" },
	{ ROW(ack_width), .type = BASE_SIZE, .default_value = "4B", .min = 1, .max = 4096,
	  .help = UNPUBLISHED
	  "width of row bus, crossbar, column channel and multiplexer of the acknowledgement crossbar: bytes of an "
	  "acknowledgement (nic.ack_bytes) that each carries in a clock period" },
	{ ARBITER(grant_arbiter), .default_value = "age",
	  .help = "choice of a row's candidate for a grant among its requesting inputs. Rosetta's outputs have an age "
	          "queue" },
	{ ARBITER(grant_column_arbiter), .choices = "same", .default_value = "same",
	  .help = "choice among the rows' candidates for an output's grant: arbitration has two stages, one candidate "
	          "per row, then one row. \"same\": as grant_arbiter" },
	{ AUTO_ARBITER(bus_arbiter),
	  .help = "choice among an input's queues for its row bus. auto: as crossbar_arbiter" },
	{ AUTO_ARBITER(crossbar_arbiter),
	  .help = "choice among a tile's inputs for a crossbar output. auto: round robin; without grants, if packets "
	          "differ in size, deficit round robin, so that senders of small packets get equal shares of bytes" },
	{ AUTO_ARBITER(column_arbiter),
	  .help = "choice among rows for an output's multiplexer. auto: as crossbar_arbiter" },
	{ ROW(age), .type = BASE_ENUM, .default_value = "injection", .choices = SW_AGE_CHOICES,
	  .help = SW_AGE_HELP
	  ". That Rosetta's \"AGEQ\" counts from injection is an inference: nothing is published about it" },
	{ ROW(weights), .type = BASE_INTS, .default_value = "", .min = 1, .max = 1000,
	  .help = "turns of each port for arbiters with weights (\"weighted\"), in order, repeated to the last; on a "
	          "row bus, "
	          "of the output that a queue is for, or of each lane or class if queues are not by output; if "
	          "omitted, 1" },
	{ ROW(quantum), .type = BASE_SIZE, .default_value = "", .min = 1, .max = 1e9, .help = SW_QUANTUM_HELP },
	{ ROW(spread), .type = BASE_ENUM, .default_value = "flow", .choices = "flow|packet",
	  .help = "with more VCs than the routing needs: whether all packets from one endpoint to another use the same "
	          "VC (and keep their order)" },
	{ .name = NULL },
};

void tiled_resolve(struct tiled_params *to, const struct tiled_params *from)
{
	const struct tiled_params *preset = &presets[from->preset];
	*to = *from;
#define TAKE(field) to->field = to->field ? to->field : preset->field
	TAKE(rows), TAKE(columns), TAKE(ports_per_tile), TAKE(clock), TAKE(width), TAKE(buffer), TAKE(output_buffer);
	TAKE(row_buffer), TAKE(column_buffer), TAKE(queues), TAKE(grants);
	TAKE(serdes), TAKE(mac), TAKE(route), TAKE(request), TAKE(grant), TAKE(row), TAKE(column), TAKE(egress);
#undef TAKE
	if (to->row_pitch == BASE_AUTO_TIME_VALUE)
		to->row_pitch = preset->row_pitch;
	if (!to->credit) /* the same path out and in as data, without the queues */
		to->credit = to->egress + to->serdes + to->mac;
}

static bool has_clock(const void *params)
{
	return ((const struct tiled_params *)params)->speedup <= 0;
}

static bool is_listed(const void *params)
{
	return ((const struct tiled_params *)params)->placement == TILED_LISTED;
}

static bool may_have_flows(const void *params)
{
	struct tiled_params p;
	tiled_resolve(&p, params);
	return p.grants == TILED_FIRST || p.flow_channels != TILED_FLOWS_ON;
}

static bool has_grants(const void *params)
{
	struct tiled_params p;
	tiled_resolve(&p, params);
	return p.grants == TILED_FIRST;
}

static bool has_bus_queues(const void *params)
{
	struct tiled_params p;
	tiled_resolve(&p, params);
	return p.grants == TILED_SECOND && p.row_buffer;
}

static bool has_pool(const void *params)
{
	return ((const struct tiled_params *)params)->shared_pool > 0;
}

static bool has_rows(const void *params)
{
	struct tiled_params p;
	tiled_resolve(&p, params);
	return p.rows > 1;
}

static bool has_grant_bus(const void *params)
{
	struct tiled_params p;
	tiled_resolve(&p, params);
	return p.grants == TILED_FIRST && !p.row_buffer;
}

bool tiled_any_arbiter(const struct tiled_params *p, bool (*has)(const struct base_plugin *arbiter))
{
	const struct base_plugin *grant = p->grant_arbiter.plugin, *column = p->grant_column_arbiter.plugin;
	return (has_grants(p) && (has(grant) || (has_rows(p) && has(column ? column : grant)))) ||
	       (has_bus_queues(p) && has(p->bus_arbiter.plugin)) || (has_rows(p) && has(p->column_arbiter.plugin)) ||
	       has(p->crossbar_arbiter.plugin);
}

static bool has_weights(const void *params)
{
	return tiled_any_arbiter(params, sw_arbiter_takes_weights);
}

static bool has_age(const void *params)
{
	return tiled_any_arbiter(params, sw_arbiter_takes_age);
}

static bool is_auto(const struct base_plugin *arbiter)
{
	return !arbiter;
}

static bool has_quantum(const void *params)
{
	return tiled_any_arbiter(params, sw_arbiter_takes_quantum) ||
	       (!has_grants(params) && tiled_any_arbiter(params, is_auto));
}

const struct base_condition tiled_conditions[] = {
	{ "places", "with placement = \"listed\"", is_listed, NULL },
	{ "pool_threshold", "with a shared_pool", has_pool, NULL },
	{ "clock", "without speedup, which sets it", has_clock, NULL },
	{ "requests grant_limit request grant grant_arbiter grant_column_arbiter request_width flow_threshold "
	  "flow_route",
	  "with grants (presets rosetta and successor, or grants = \"on\")", has_grants, NULL },
	{ "flow_channels", "with grants (presets rosetta and successor, or grants = \"on\")", may_have_flows, NULL },
	{ "grant_width",
	  "with grants and without row buffers: with row buffers the row bus takes a period per packet anyway",
	  has_grant_bus, NULL },
	{ "bus_arbiter", "with row buffers and without grants (presets yarc and aries)", has_bus_queues, NULL },
	{ "column_arbiter", "with several rows of tiles", has_rows, NULL },
	{ "age", "with an arbiter in use that compares ages (\"age\")", has_age, NULL },
	{ "weights", "with an arbiter in use that takes weights (\"weighted\")", has_weights, NULL },
	{ "quantum", "with an arbiter in use that takes a quantum (\"drr\"), or without grants \"auto\"", has_quantum,
	  NULL },
	{ 0 },
};

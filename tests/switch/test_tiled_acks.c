/* tests/switch/test_tiled_acks.c - the crossbar of acknowledgements of the tiled switch: times by hand on one tile. */
#include "switch/tiled/tiled.h"

#include <criterion/criterion.h>

#define PORTS 4u /* of one tile */

struct tile {
	struct tiled_params params;
	struct sw_common common;
	struct tiled_state *state;
	struct sim_ctx ctx;
	struct sw_call call;
};

static void build_tile(struct tile *t, uint32_t ack_bytes, uint64_t width, bool instruments)
{
	*t = (struct tile){ .params = { .preset = TILED_ROSETTA,
		                        .rows = 1,
		                        .columns = 1,
		                        .ports_per_tile = PORTS,
		                        .clock = 1250,
		                        .requests = 1,
		                        .grant_limit = 8192,
		                        .request_width = 1,
		                        .grant_width = 1,
		                        .ack_width = width,
		                        .flow_threshold = 1,
		                        .flow_route = 2000000,
		                        .column_pitch = 325,
		                        .publish = 40000,
		                        .grant_column_arbiter = { .name = "same" },
		                        .bus_arbiter = { .name = "auto" },
		                        .crossbar_arbiter = { .name = "auto" },
		                        .column_arbiter = { .name = "auto" },
		                        .row_pitch = BASE_AUTO_TIME_VALUE } };
	t->common = (struct sw_common){ .ops = sw_tiled.ops,
		                        .params = &t->params,
		                        .vcs = 1,
		                        .route_vcs = 1,
		                        .lanes = { 1, 1, 1, 0, 0, 0 },
		                        .max_packet = 512,
		                        .ack_bytes = ack_bytes,
		                        .traffic_classes = 1,
		                        .max_terminals = PORTS,
		                        .max_ports = PORTS,
		                        .end = 1000000 };
	for (int i = 0; i <= SW_LINK_CLASSES; i++)
		t->common.link[i] = t->common.incoming[i] =
		    (struct sw_link){ .latency = 1000, .ps_per_byte_q16 = 40 << 16 };
	struct base_errors errors = { 0 };
	cr_assert_eq(tiled_build(&t->common, &errors), 0, "%s", errors.n ? errors.v[0].text : "");
	size_t bytes = (t->common.ops->state_bytes(&t->common) + 63) & ~(size_t)63;
	t->state = aligned_alloc(64, bytes);
	memset(t->state, 0, bytes);
	t->common.ops->init(&t->common, t->state, &(struct sw_place){ .terminals = PORTS, .instruments = instruments });
	t->call = (struct sw_call){ .ctx = &t->ctx, .common = &t->common, .state = t->state };
}

static void free_tile(struct tile *t)
{
	t->common.ops->memory.fini(&t->common, t->state);
	free(t->state);
	tiled_destroy(&t->common);
}

static uint64_t enter(struct tile *t, uint64_t now, uint32_t in)
{
	t->ctx.now = now;
	return tiled_ack_enters(&t->call, in);
}

#define STAGE 300000u /* nic.ack_stage */

static uint64_t cross(struct tile *t, uint64_t now, uint32_t in, uint32_t out)
{
	t->ctx.now = now;
	return tiled_ack_crosses(&t->call, in, out, now + STAGE);
}

/* Eight bytes at four a beat are two beats of 1.25 ns. */
Test(tiled_acks, times_on_one_tile)
{
	struct tile t;
	build_tile(&t, 8, 4, true);
	/* at 1 ns two come to input 0 and one to input 1, 1 ns later one to input 2 */
	cr_expect_eq(enter(&t, 1000, 0), 1000);
	cr_expect_eq(cross(&t, 1000, 0, 3), 1000 + STAGE, "alone it takes its stage");
	cr_expect_eq(enter(&t, 1000, 0), 3500, "two beats behind the first on its bus");
	cr_expect_eq(enter(&t, 1000, 1), 1000, "each input has a bus of its own");
	cr_expect_eq(cross(&t, 1000, 1, 3), 3500 + STAGE, "one at a time to an output");
	cr_expect_eq(enter(&t, 2000, 2), 2000);
	cr_expect_eq(cross(&t, 2000, 2, 2), 2000 + STAGE, "another output is free");
	cr_expect_eq(cross(&t, 3500, 0, 3), 6000 + STAGE, "third for output 3: from 1, 3.5 and 6 ns on");
	cr_expect_eq(enter(&t, 6000, 0), 6000, "the bus was free from 6 ns on");
	cr_expect_eq(cross(&t, 6000, 0, 3), 8500 + STAGE);
	cr_expect_eq(enter(&t, 20000, 0), 20000);
	cr_expect_eq(cross(&t, 20000, 0, 3), 20000 + STAGE, "all are through");
	/* buses carried 4, 1 and 1; multiplexers 5 and 1, each 2.5 ns */
	struct sw_instruments table = { .v = tiled_instruments, .n = TILED_INSTRUMENTS, .ports = PORTS, .classes = 1 };
	tiled_tiles(&t.common, &table);
	uint64_t *words = calloc(sw_instrument_at(&table, table.n), sizeof *words);
	tiled_read_instruments(&t.common, t.state, &table, words);
	static const struct {
		const char *name;
		uint64_t of[PORTS];
	} want[] = { { "ack_bus_utilization", { 10000, 2500, 2500, 0 } },
		     { "ack_mux_utilization", { 0, 0, 2500, 12500 } },
		     { "acks", { 0, 0, 1, 5 } },
		     { "ack_bus_waits", { 1, 0, 0, 0 } },
		     { "ack_mux_waits", { 0, 0, 0, 3 } } };
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		uint32_t k = 0;
		while (k < table.n && strcmp(table.v[k].name, want[i].name) != 0)
			k++;
		cr_assert_lt(k, table.n, "%s", want[i].name);
		for (uint32_t port = 0; port < PORTS; port++)
			cr_expect_eq(words[sw_instrument_at(&table, k) + port], want[i].of[port], "%s of port %u: %lu",
			             want[i].name, port, words[sw_instrument_at(&table, k) + port]);
	}
	free(words);
	free_tile(&t);
}

/* A beat carries `width` bytes, a part of a beat is a whole one. */
Test(tiled_acks, width)
{
	static const struct {
		uint32_t bytes, width;
		uint64_t beats;
	} c[] = { { 4, 4, 1 }, { 1, 4, 1 }, { 5, 4, 2 }, { 64, 4, 16 }, { 64, 1, 64 }, { 64, 64, 1 } };
	for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
		struct tile t;
		build_tile(&t, c[i].bytes, c[i].width, false);
		cr_expect_eq(enter(&t, 500, 1), 500);
		cr_expect_eq(enter(&t, 500, 1), 500 + c[i].beats * 1250, "%u bytes of %u", c[i].bytes, c[i].width);
		free_tile(&t);
	}
}

/* tests/switch/tiled_watch.h - the tiled switch with its meters read when a run ends, and a key for the faults that
 * tests build in. */
#ifndef TESTS_SWITCH_TILED_WATCH_H
#define TESTS_SWITCH_TILED_WATCH_H

#include "switch/tiled/tiled.h"
#include "tests/switch/bench.h"
#include "tests/tier.h"

#include <stddef.h>

struct watch_sums { /* over all outputs of all switches */
	uint64_t packets, latency, pipeline, waits, bus_busy, mux_busy;
	uint64_t crossing[TILED_PORTS * TILED_ROWS]; /* of the last switch: [output * rows + row] */
};

static struct watch_sums watched;

static inline void watch_fini(const struct sw_common *c, void *state)
{
	const struct tiled_state *s = state;
	const struct tiled_derived *d = c->impl;
	struct sw_instruments table = {
		.v = tiled_instruments, .n = TILED_INSTRUMENTS, .ports = d->ports, .classes = c->traffic_classes
	};
	tiled_tiles(c, &table);
	uint64_t *words = base_calloc(sw_instrument_at(&table, table.n), sizeof *words);
	cr_assert(s->meters, "record.switch is on");
	tiled_read_instruments(c, state, &table, words);
	for (uint32_t k = 0; k < table.n; k++) {
		size_t at = sw_instrument_at(&table, k), n = sw_instrument_words(&table, k);
		const struct sw_instrument *v = &table.v[k];
		uint64_t *sum = v->meaning == SW_PACKETS              ? &watched.packets
		                : v->meaning == SW_LATENCY            ? &watched.latency
		                : v->meaning == SW_STAGE              ? &watched.pipeline
		                : v->meaning == SW_WAIT               ? &watched.waits
		                : !strcmp(v->name, "bus_utilization") ? &watched.bus_busy
		                : !strcmp(v->name, "mux_utilization") ? &watched.mux_busy
		                                                      : NULL;
		for (size_t i = 0; i < n && sum; i++)
			*sum += words[at + i];
		if (v->by_row)
			memcpy(watched.crossing, words + at, n * sizeof *words);
	}
	free(words);
	((const struct sw_ops *)sw_tiled.ops)->memory.fini(c, state);
}

/* Runs with switch kind "watched": the tiled switch, and the key `fault`. */
static inline struct bench_result watch_run(const char *text, const char *changes, struct bench_packets *packets)
{
	static struct base_param rows[64];
	static struct sw_ops ops;
	size_t n = 0;
	for (; tiled_parameters[n].name; n++)
		rows[n] = tiled_parameters[n];
	rows[n] = (struct base_param){ .name = "fault",
		                       .type = BASE_ENUM,
		                       .default_value = "none",
		                       .choices = "none|no-credit|forget|leak",
		                       .offset = offsetof(struct tiled_params, fault),
		                       .help = "for tests" };
	ops = *(const struct sw_ops *)sw_tiled.ops;
	ops.memory.fini = watch_fini;
	struct base_plugin plugin = sw_tiled;
	plugin.name = "watched";
	plugin.params = rows;
	plugin.ops = &ops;
	memset(&watched, 0, sizeof watched);
	char with[1024];
	snprintf(with, sizeof with, "record.switch=true record.switches=all %s", changes);
	return bench_run_with(text, with, &plugin, packets);
}

#define WATCH_SINGLE                                                                                                  \
	"seed = 1; time = { warmup = \"20us\"; measure = \"40us\"; }; topology = { kind = \"single\"; ports = 64; };" \
	"links = { terminal = { bandwidth = \"200Gbps\"; latency = \"13ns\"; }; };"                                   \
	"switch = { kind = \"watched\"; }; routing = { kind = \"minimal\"; };"                                        \
	"traffic = ( { pattern = \"uniform\"; load = 1.0; packet = \"512B\"; } );"

#define WATCH_NETWORK                                                                                                 \
	"seed = 3; time = { warmup = \"" SPAN("500ns", "1us") "\"; measure = \"" SPAN(                                \
	    "1us", "2us") "\"; };"                                                                                    \
			  "topology = { kind = \"dragonfly\"; p = 2; a = 4; h = 2; };"                                \
			  "links = { terminal = { bandwidth = \"200Gbps\"; latency = \"13ns\"; }; default = { "       \
			  "bandwidth = \"200Gbps\"; "                                                                 \
			  "latency = \"50ns\"; }; };"                                                                 \
			  "switch = { kind = \"watched\"; buffer = \"16KB\"; }; routing = { kind = \"ugal-l\"; bias " \
			  "= \"0B\"; };"                                                                              \
			  "traffic = ( { pattern = \"adversarial\"; offset = 1; load = 0.7; packet = \"256B\"; },"    \
			  "            { pattern = \"uniform\"; load = 0.3; packet = \"2KB\"; name = \"large\"; } );"

/* The ways through the switch: with and without grants, row buffers, column buffers, and every arbiter somewhere. */
static const char *const watch_variants[] = {
	"switch.preset=rosetta",
	"switch.preset=rosetta switch.row_buffer=4KiB",
	"switch.preset=rosetta switch.column_buffer=4KiB switch.grant_arbiter=least-recent",
	"switch.preset=rosetta switch.rows=16 switch.columns=2 switch.row_buffer=4KiB switch.column_buffer=4KiB "
	"switch.crossbar_arbiter=age switch.column_arbiter=age",
	"switch.preset=yarc switch.speedup=1.5",
	"switch.preset=yarc switch.speedup=1.5 switch.queues=voq switch.bus_arbiter=age",
	"switch.preset=rosetta switch.grants=off switch.row_buffer=4KiB switch.crossbar_arbiter=least-recent",
	"switch.preset=rosetta switch.rows=16 switch.columns=2 switch.grants=off switch.queues=fifo "
	"switch.row_buffer=4KiB switch.column_buffer=4KiB switch.column_arbiter=least-recent",
	"switch.preset=rosetta switch.rows=16 switch.columns=2 switch.grants=off switch.queues=fifo "
	"switch.row_buffer=4KiB switch.column_buffer=4KiB switch.column_arbiter=drr",
	"switch.preset=rosetta switch.requests=1 switch.grant_limit=1KiB switch.grant_arbiter=round-robin",
	"switch.preset=rosetta switch.grant_arbiter=drr switch.crossbar_arbiter=drr",
	"switch.preset=yarc switch.speedup=1.5 switch.queues=voq switch.bus_arbiter=drr switch.crossbar_arbiter=drr "
	"switch.quantum=4KB",
	"switch.preset=rosetta switch.grant_arbiter=weighted switch.crossbar_arbiter=weighted switch.weights=[1,2,3]",
	"switch.rows=1 switch.columns=64 switch.ports_per_tile=1 switch.row_buffer=4KiB switch.grants=off "
	"switch.queues=fifo",
	"switch.rows=2 switch.columns=2 switch.ports_per_tile=16 switch.grant_arbiter=round-robin",
	"switch.placement=spread switch.grant_arbiter=round-robin",
	"switch.placement=columns switch.preset=yarc switch.speedup=1.5",
};
#define WATCH_VARIANTS (sizeof watch_variants / sizeof *watch_variants)

#endif

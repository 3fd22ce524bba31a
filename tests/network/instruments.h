/* tests/network/instruments.h - readings of switches' instruments, hashed and summed. No test framework here. */
#ifndef TESTS_NETWORK_INSTRUMENTS_H
#define TESTS_NETWORK_INSTRUMENTS_H

#include "switch/instruments.h"
#include "tests/network/fixture.h"

struct readings {
	uint64_t hash /* a sum */, switches, packets, bytes, latency, stages,
	    unequal;                          /* unequal: (class, output) whose stages do not sum */
	uint64_t held, in_use, refused, over; /* over: resources in use for longer than the run */
	uint64_t first, last;                 /* switch */
	bool ordered;
};

static inline uint64_t readings_mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ull;
	return h ^ h >> 29;
}

static inline void readings_take(void *arg, const struct net_switch_record *r)
{
	struct readings *a = arg;
	const struct sw_instruments *s = r->instruments;
	a->ordered = a->switches ? a->ordered && r->sw > a->last : true;
	a->first = a->switches++ ? a->first : r->sw;
	a->last = r->sw;
	uint64_t own = readings_mix(0, r->sw);
	for (size_t i = 0; i < sw_instrument_at(s, s->n); i++)
		own = readings_mix(own, r->words[i]);
	a->hash += own;
	for (uint32_t c = 0; c < s->classes; c++)
		for (uint32_t i = 0; i < r->ports; i++) {
			uint64_t latency = 0, stages = 0;
			for (uint32_t k = 0; k < s->n; k++) {
				uint64_t word = r->words[sw_instrument_at(s, k) + (size_t)c * s->ports + i];
				a->packets += s->v[k].meaning == SW_PACKETS ? word : 0;
				a->bytes += s->v[k].meaning == SW_BYTES ? word : 0;
				latency += s->v[k].meaning == SW_LATENCY ? word : 0;
				stages += s->v[k].meaning >= SW_STAGE ? word : 0;
			}
			a->latency += latency;
			a->stages += stages;
			a->unequal += latency != stages;
		}
	for (uint32_t k = 0; k < s->n; k++)
		for (size_t i = 0; i < sw_instrument_words(s, k); i++) {
			uint64_t word = r->words[sw_instrument_at(s, k) + i];
			a->held += s->v[k].meaning == SW_HELD ? word : 0;
			a->in_use += s->v[k].meaning == SW_IN_USE ? word : 0;
			a->refused += s->v[k].meaning == SW_TIMES ? word : 0;
			a->over += s->v[k].meaning == SW_IN_USE && word > r->span_ps;
		}
}

/* Switches with few bytes of buffer, so that credits and rooms run out, and two classes of traffic. */
#define READINGS_NETWORK                                                                                             \
	"seed = 3; time = { warmup = \"1us\"; measure = \"2us\"; };"                                                 \
	"topology = { kind = \"dragonfly\"; p = 2; a = 4; h = 2; };"                                                 \
	"links = { default = { bandwidth = \"200Gbps\"; latency = \"50ns\"; }; terminal = { latency = \"13ns\"; }; " \
	"};"                                                                                                         \
	"classes = ( { name = \"low\"; }, { name = \"high\"; } );"                                                   \
	"traffic = ( { pattern = \"adversarial\"; offset = 1; load = 0.7; packet = \"256B\"; class = \"high\"; },"   \
	"            { pattern = \"uniform\"; load = 0.3; packet = \"2KB\"; name = \"large\"; class = \"low\"; } );" \
	"routing = { kind = \"ugal-l\"; bias = \"0B\"; };"

static const char *const readings_switches[] = {
	"switch = { kind = \"tiled\"; buffer = \"16KB\"; };",
	"switch = { kind = \"tiled\"; buffer = \"16KB\"; row_buffer = \"4KiB\"; column_buffer = \"4KiB\"; };",
	"switch = { kind = \"tiled\"; preset = \"yarc\"; speedup = 1.5; buffer = \"16KB\"; };",
	"switch = { kind = \"crossbar\"; inputs = \"voq\"; allocator = \"islip\"; flit = \"64B\"; cycle = \"2560ps\"; "
	"buffer = \"16KB\"; };",
	"switch = { kind = \"crossbar\"; inputs = \"vc\"; input_speedup = 2; flit = \"64B\"; cycle = \"2560ps\"; "
	"buffer = \"40KB\"; };",
};
#define READINGS_SWITCHES (sizeof readings_switches / sizeof *readings_switches)

#endif

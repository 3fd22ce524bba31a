/* tests/switch/test_ideal_depth.c - the depth that adaptive routing sees is the sum over all departures that are still
 * to come, however they are kept: compared with a plain list of them, over sizes, rates and spans of time. */
#include "base/memory.h"
#include "base/param.h"
#include "switch/ideal/model.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define PORTS 3u
#define MOST 4096

struct departure {
	uint64_t finish;
	uint32_t bytes;
};

struct bench {
	struct sw_common common;
	struct ideal_state *state;
	struct sim_ctx ctx;
	struct sw_call call;
	void *params;
	struct departure listed[PORTS][MOST];
	unsigned n[PORTS];
	uint64_t busy[PORTS], seed;
};

static uint64_t draw(struct bench *b, uint64_t below)
{
	b->seed = b->seed * 6364136223846793005ull + 1442695040888963407ull;
	return (b->seed >> 33) % below;
}

static struct bench *set_up(uint32_t max_packet, uint64_t seed)
{
	struct bench *b = base_alloc(sizeof *b);
	struct base_errors errors = { 0 };
	b->seed = seed;
	b->params = base_alloc(sw_ideal.params_bytes);
	base_params_defaults(sw_ideal.params, b->params, &errors);
	b->common = (struct sw_common){ .ops = sw_ideal.ops,
		                        .params = b->params,
		                        .vcs = 1,
		                        .route_vcs = 1,
		                        .lanes = { 1, 1, 1, 0, 0, 0 },
		                        .max_packet = max_packet,
		                        .max_net_ports = PORTS,
		                        .max_terminals = 1,
		                        .max_ports = PORTS + 1,
		                        .track_queues = true,
		                        .one_rate = true };
	cr_assert_eq(b->common.ops->build(&b->common, &errors), 0);
	size_t bytes = b->common.ops->state_bytes(&b->common);
	b->state = aligned_alloc(64, (bytes + 63) / 64 * 64);
	memset(b->state, 0, bytes);
	struct sw_link_end ends[PORTS] = { 0 };
	b->common.ops->init(&b->common, b->state,
	                    &(struct sw_place){ .net_ports = PORTS, .terminals = 1, .ends = ends });
	b->call = (struct sw_call){ .ctx = &b->ctx, .common = &b->common, .state = b->state };
	return b;
}

static void tear_down(struct bench *b)
{
	b->common.ops->memory.fini(&b->common, b->state);
	b->common.ops->memory.destroy(&b->common);
	base_params_free(sw_ideal.params, b->params);
	free(b->params);
	free(b->state);
	free(b);
}

/* What the definition says. */
static uint64_t depth_of(const struct bench *b, unsigned out, uint64_t now)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < b->n[out]; i++)
		sum += b->listed[out][i].finish > now ? b->listed[out][i].bytes : 0;
	return sum;
}

static void forget(struct bench *b, unsigned out, uint64_t now)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < b->n[out]; i++)
		if (b->listed[out][i].finish > now)
			b->listed[out][kept++] = b->listed[out][i];
	b->n[out] = kept;
}

/* Departures that follow each other on a link of ps_per_byte: `gap` ps between packets on average, one in `odd` not of
 * the largest size. */
static void compare(struct bench *b, unsigned steps, uint64_t gap, uint64_t ps_per_byte, unsigned odd)
{
	const struct ideal_derived *d = b->common.impl;
	uint64_t now = 1000;
	for (unsigned i = 0; i < steps; i++) {
		now += draw(b, 2 * gap + 1);
		unsigned out = (unsigned)draw(b, PORTS);
		uint32_t bytes = draw(b, odd) ? b->common.max_packet : 1 + (uint32_t)draw(b, b->common.max_packet);
		uint64_t start = b->busy[out] > now + 100000 ? b->busy[out] : now + 100000;
		b->ctx.now = b->call.now = now;
		if (b->n[out] < MOST - 1) {
			b->busy[out] = start + bytes * ps_per_byte;
			ideal_depth_leaving(&b->call, d, b->state, out, bytes, b->busy[out], true);
			forget(b, out, now);
			b->listed[out][b->n[out]++] = (struct departure){ b->busy[out], bytes };
		}
		uint64_t each[PORTS];
		b->common.ops->depths.queue_bytes_each(b->state, (uint32_t[PORTS]){ 0, 1, 2 }, PORTS, now, each);
		for (unsigned k = 0; k < PORTS; k++) {
			cr_assert_eq(b->common.ops->depths.queue_bytes(b->state, k, now), depth_of(b, k, now),
			             "step %u, output %u at %llu ps", i, k, (unsigned long long)now);
			cr_assert_eq(each[k], depth_of(b, k, now), "step %u, output %u with others", i, k);
		}
		uint64_t later = now + draw(b, 4 * gap + 1);
		cr_assert_eq(b->common.ops->depths.queue_bytes(b->state, out, later), depth_of(b, out, later),
		             "step %u, later", i);
	}
}

Test(ideal_depth, is_the_sum_of_what_is_still_to_leave)
{
	static const struct {
		uint64_t gap, ps_per_byte;
		unsigned odd;
	} cases[] = {
		{ 10000, 80, 1000000 }, /* 100 Gb/s, lightly loaded, one size */
		{ 6500, 80, 1000000 },  /* nearly saturated: about as many as there are places, and more */
		{ 5000, 80, 1000000 },  /* overloaded: queues without end */
		{ 6500, 80, 4 },        /* a quarter of odd sizes */
		{ 6500, 80, 1 },        /* all sizes */
		{ 40000000, 800000,
		  50 }, /* 10 Mb/s: a packet takes 0.2 ms, departures lie more than the 2.1 ms of a place ahead */
		{ 3000000000, 80, 50 }, /* 3 ms between packets */
	};
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct bench *b = set_up(256, i + 1);
		compare(b, 20000, cases[i].gap, cases[i].ps_per_byte, cases[i].odd);
		tear_down(b);
	}
}

/* Sizes that its counts could not hold are refused, with the key at fault. */
Test(ideal_depth, refuses_what_it_cannot_count)
{
	static const struct {
		uint32_t net_ports, terminals;
		const char *buffer, *key;
		bool tracks;
	} cases[] = {
		{ 2, 65534, "100KB", "kind", false }, { 2, 65533, "100KB", NULL, false },
		{ 63, 1, "64MiB", "buffer", true },   { 63, 1, "64MiB", NULL, false },
		{ 63, 1, "63MiB", NULL, true },
	};
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct base_errors errors = { 0 };
		void *params = base_alloc(sw_ideal.params_bytes);
		base_params_defaults(sw_ideal.params, params, &errors);
		const struct base_param *row = sw_ideal.params;
		while (strcmp(row->name, "buffer"))
			row++;
		cr_assert_eq(base_param_parse(row, params, cases[i].buffer, &errors), 0);
		struct sw_common c = { .ops = sw_ideal.ops,
			               .lanes = { 1, 1, 1, 0, 0, 0 },
			               .params = params,
			               .vcs = 1,
			               .max_packet = 256,
			               .max_net_ports = cases[i].net_ports,
			               .max_terminals = cases[i].terminals,
			               .max_ports = cases[i].net_ports + cases[i].terminals,
			               .track_queues = cases[i].tracks };
		cr_expect_eq(c.ops->build(&c, &errors), cases[i].key ? -1 : 0, "case %u", i);
		cr_expect_eq(errors.n, cases[i].key != NULL, "case %u", i);
		if (cases[i].key && errors.n)
			cr_expect_str_eq(errors.v[0].key, cases[i].key);
		if (!cases[i].key)
			c.ops->memory.destroy(&c);
		base_params_free(sw_ideal.params, params);
		free(params);
		base_errors_free(&errors);
	}
}

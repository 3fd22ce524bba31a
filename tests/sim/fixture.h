/* tests/sim/fixture.h - an engine on one rank around a hand-written handler, and random numbers for tests. */
#ifndef TESTS_SIM_FIXTURE_H
#define TESTS_SIM_FIXTURE_H

#include "sim/engine.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static inline uint64_t next_random(uint64_t *state) /* splitmix64 */
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

struct fixture {
	sim_lpid first[2];
	struct sim_config config;
	struct sim_model model;
	struct base_errors errors;
	struct sim_engine *engine;
};

/* Sequential, lookahead 1000 ps, end 1 us, one block of LPs. Change f->config, then fixture_create(). */
static inline void fixture_init(struct fixture *f, uint32_t lps,
                                void (*handle)(struct sim_ctx *, void *, sim_lpid, const struct sim_event *),
                                void *self)
{
	*f = (struct fixture){ .first = { 0, lps }, .model = { .self = self, .handle = handle } };
	f->config = (struct sim_config){ .sync = SIM_SEQUENTIAL, .seed = 1, .lookahead = 1000, .end = 1000000 };
}

static inline struct sim_ctx *fixture_create(struct fixture *f)
{
	f->config.first_lp = f->first;
	f->engine = sim_create(&f->config, &f->model, &f->errors);
	cr_assert(f->engine, "%s", f->errors.n ? f->errors.v[0].text : "");
	return sim_context(f->engine);
}

static inline enum sim_outcome fixture_run(struct fixture *f)
{
	return sim_run(f->engine, &f->errors);
}

static inline void fixture_free(struct fixture *f)
{
	sim_destroy(f->engine);
	base_errors_free(&f->errors);
}

/* Sends a short event of `kind` with one word. */
static inline void post(struct sim_ctx *ctx, sim_lpid lp, sim_time time, uint64_t key, uint8_t kind, uint64_t word)
{
	struct sim_event *ev = sim_send(ctx, lp, time, key, SIM_SHORT_WORDS);
	ev->kind = kind;
	ev->aux = 0;
	ev->payload[0] = word;
}

#endif

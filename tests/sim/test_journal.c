/* tests/sim/test_journal.c - whatever a handler writes through the journal is put back exactly, and pools with it. */
#include "switch/pool.h"
#include "tests/sim/fixture.h"

#define BYTES 4096u
#define MARKS 20u

static void nothing(struct sim_ctx *ctx, void *self, sim_lpid lp, const struct sim_event *ev)
{
	(void)ctx;
	(void)self;
	(void)lp;
	(void)ev;
}

/* The context of a speculative event without a scheduler around it. */
static struct sim_ctx *speculate(struct fixture *f, struct sim_batch *b)
{
	fixture_init(f, 1, nothing, NULL);
	f->config.sync = SIM_OPTIMISTIC;
	struct sim_ctx *ctx = fixture_create(f);
	*b = (struct sim_batch){ 0 };
	f->engine->batch = b;
	ctx->journal = true;
	return ctx;
}

static void stop_speculating(struct fixture *f, struct sim_batch *b)
{
	f->engine->ctx.journal = false;
	f->engine->batch = NULL;
	free(b->journal);
	free(b->commits);
	fixture_free(f);
}

static void scribble(struct sim_ctx *ctx, unsigned char *m, uint64_t *random)
{
	size_t n = 1 + next_random(random) % 70, at = next_random(random) % (BYTES - n);
	uint64_t v = next_random(random);
	switch (next_random(random) % 5) {
	case 0:
		sim_set(ctx, m + at, (unsigned char)v);
		break;
	case 1:
		sim_set(ctx, (uint32_t *)(void *)(m + at / 8 * 8), (uint32_t)v);
		break;
	case 2:
		sim_set(ctx, (uint64_t *)(void *)(m + at / 8 * 8), v);
		break;
	case 3:
		sim_add(ctx, (uint64_t *)(void *)(m + at / 8 * 8), v);
		break;
	default:
		sim_save(ctx, m + at, n);
		memset(m + at, (int)v, n);
	}
}

Test(journal, undoes_random_writes_to_any_mark)
{
	static uint64_t memory[BYTES / 8];
	static unsigned char copy[MARKS][BYTES];
	unsigned char *m = (unsigned char *)memory;
	struct fixture f;
	struct sim_batch b;
	struct sim_ctx *ctx = speculate(&f, &b);
	uint64_t random = 3;
	for (int round = 0; round < 300; round++) {
		uint32_t mark[MARKS], marks = 1 + (uint32_t)(next_random(&random) % MARKS);
		for (uint32_t k = 0; k < marks; k++) {
			mark[k] = b.njournal;
			memcpy(copy[k], m, BYTES);
			for (uint64_t i = next_random(&random) % 40; i > 0; i--)
				scribble(ctx, m, &random);
		}
		for (uint32_t k = marks; k-- > 0;) {
			if (k && next_random(&random) % 3 == 0)
				continue; /* several events back at once */
			sim_journal_undo(&b, mark[k]);
			cr_assert_eq(b.njournal, mark[k]);
			cr_assert_arr_eq(m, copy[k], BYTES);
		}
		for (uint32_t i = 0; i < BYTES; i++) /* and start from something else, unjournaled */
			m[i] = (unsigned char)next_random(&random);
	}
	stop_speculating(&f, &b);
}

/* sim_add commutes: what another LP added in between stays. */
Test(journal, takes_back_only_its_own_share_of_a_sum)
{
	struct fixture f;
	struct sim_batch b;
	struct sim_ctx *ctx = speculate(&f, &b);
	uint64_t sum = 5;
	sim_add(ctx, &sum, 100);
	sim_add(ctx, &sum, (uint64_t)-30);
	sum += 7000;
	sim_journal_undo(&b, 0);
	cr_assert_eq(sum, 7005);
	stop_speculating(&f, &b);
}

Test(journal, is_not_written_by_safe_events)
{
	struct fixture f;
	struct sim_batch b;
	struct sim_ctx *ctx = speculate(&f, &b);
	uint64_t v = 1;
	ctx->journal = false;
	sim_set(ctx, &v, 2);
	sim_add(ctx, &v, 2);
	sim_save(ctx, &v, sizeof v);
	cr_assert_eq(v, 4);
	cr_assert_eq(b.njournal, 0);
	stop_speculating(&f, &b);
}

/* --- pools (switch/pool.h)
 * --------------------------------------------------------------------------------------------------- */

struct record {
	uint32_t next, filler;
	uint64_t value[3];
};

struct model { /* what the pool should hold */
	uint32_t index[600];
	uint64_t value[600];
	uint32_t n;
};

static void check_pool(const struct sw_pool *p, const struct model *m)
{
	static unsigned char seen[8192];
	memset(seen, 0, sizeof seen);
	for (uint32_t i = 0; i < m->n; i++) {
		const struct record *r = sw_pool_at(p, m->index[i], sizeof *r);
		cr_assert_eq(r->value[0], m->value[i]);
		cr_assert_eq(r->value[2], ~m->value[i]);
		cr_assert_eq(seen[m->index[i]], 0, "record %u is out twice", m->index[i]);
		seen[m->index[i]] = 1;
	}
	uint32_t idle = 0;
	for (uint32_t i = p->free; i != SW_POOL_NONE; i = *(uint32_t *)sw_pool_at(p, i, sizeof(struct record))) {
		cr_assert_eq(seen[i], 0, "record %u is free and in use", i);
		seen[i] = 1;
		idle++;
	}
	cr_assert_eq(idle + m->n, p->used, "%u records are lost", p->used - idle - m->n);
}

static void use_pool(struct sim_ctx *ctx, struct sw_pool *p, struct model *m, uint64_t *random)
{
	for (uint64_t i = next_random(random) % 60; i > 0; i--) {
		if (m->n < 600 && (m->n == 0 || next_random(random) % 5 < 3)) {
			uint32_t k = sw_pool_take(ctx, p, sizeof(struct record));
			uint64_t v = next_random(random);
			*(struct record *)sw_pool_at(p, k, sizeof(struct record)) =
			    (struct record){ SW_POOL_NONE, 0, { v, 0, ~v } };
			m->index[m->n] = k;
			m->value[m->n++] = v;
		} else {
			uint32_t at = (uint32_t)(next_random(random) % m->n);
			sw_pool_give(ctx, p, m->index[at], sizeof(struct record));
			m->n--;
			m->index[at] = m->index[m->n];
			m->value[at] = m->value[m->n];
		}
	}
}

Test(pool, survives_rollback_and_never_moves_a_record)
{
	static struct model before[MARKS], now;
	struct fixture f;
	struct sim_batch b;
	struct sim_ctx *ctx = speculate(&f, &b);
	struct sw_pool p = { 0 };
	sw_pool_init(&p);
	uint64_t random = 17;
	for (int round = 0; round < 200; round++) {
		uint32_t mark[MARKS], marks = 1 + (uint32_t)(next_random(&random) % MARKS);
		for (uint32_t k = 0; k < marks; k++) {
			mark[k] = b.njournal;
			before[k] = now;
			use_pool(ctx, &p, &now, &random);
			check_pool(&p, &now);
		}
		uint32_t keep = (uint32_t)(next_random(&random) % marks);
		for (uint32_t k = marks; k-- > keep;) {
			sim_journal_undo(&b, mark[k]);
			now = before[k];
			check_pool(&p, &now);
		}
		b.njournal = 0; /* what is left is final */
	}
	cr_assert_gt(p.used, 400);
	sw_pool_fini(&p);
	stop_speculating(&f, &b);
}

Test(pool, levels_tile_the_indices)
{
	struct sw_pool p = { 0 };
	unsigned char *end = NULL;
	sw_pool_grow(&p, 0, 8);
	unsigned char *first = sw_pool_block(p.table, 0);
	cr_assert_eq(p.table->levels, SW_POOL_FIRST_LEVELS);
	sw_pool_grow(&p, (2u << 12) - 3, 8);
	cr_assert_eq(sw_pool_block(p.table, 0), first, "records move");
	uint32_t level = 0;
	for (uint32_t i = 0; i < (2u << 12) - 2; i++) {
		unsigned char *r = sw_pool_at(&p, i, 8);
		if (r != end && i > 0)
			level++;
		cr_assert(i == 0 || r == end || r == sw_pool_block(p.table, level));
		cr_assert_leq(r + 8, (unsigned char *)sw_pool_block(p.table, level) + (2u << level) * 8);
		end = r + 8;
	}
	cr_assert_eq(level, 11);
	sw_pool_fini(&p);
}

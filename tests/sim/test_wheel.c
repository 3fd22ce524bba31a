/* tests/sim/test_wheel.c - windows of times, and the wheel with its far lists against a naive list of events. */
#include "tests/sim/fixture.h"

static void nothing(struct sim_ctx *ctx, void *self, sim_lpid lp, const struct sim_event *ev)
{
	(void)ctx;
	(void)self;
	(void)lp;
	(void)ev;
}

static void check_windows(sim_time lookahead, sim_time end)
{
	struct fixture f;
	fixture_init(&f, 1, nothing, NULL);
	f.config.lookahead = lookahead;
	f.config.end = end;
	struct sim_ctx *ctx = fixture_create(&f);
	uint64_t w = f.engine->width, random = lookahead * 31 + end, last = end / w;
	cr_assert(w >= 2 && w <= lookahead, "width %lu for a lookahead of %lu", w, lookahead);
	cr_expect_eq(f.engine->end_window, end / w + (end % w != 0), "end window of %lu by %lu", end, w);
	for (int i = 0; i < 4000; i++) {
		uint64_t k = i < 100   ? (uint64_t)i
		             : i < 200 ? last - (uint64_t)(i - 100)
		                       : next_random(&random) % (last + 1);
		if (k > last)
			continue;
		uint64_t t = k * w, inside = t + next_random(&random) % w;
		cr_assert_eq(sim_window_of(ctx, t), k, "start of window %lu of %lu ps", k, w);
		if (inside >= t && inside <= end)
			cr_assert_eq(sim_window_of(ctx, inside), k);
		if (t > 0)
			cr_assert_eq(sim_window_of(ctx, t - 1), k - 1, "end of window %lu of %lu ps", k - 1, w);
	}
	/* beyond the end the number need not be exact, but it must neither fall nor come before the end's */
	for (int i = 0; i < 1000; i++) {
		uint64_t a = next_random(&random) >> next_random(&random) % 60,
			 b = next_random(&random) >> next_random(&random) % 60;
		if (a > b) {
			uint64_t t = a;
			a = b;
			b = t;
		}
		cr_assert_leq(sim_window_of(ctx, a), sim_window_of(ctx, b));
		if (b >= end)
			cr_assert_geq(sim_window_of(ctx, b), end / w);
	}
	fixture_free(&f);
}

Test(windows, are_exact_up_to_the_end_and_never_fall)
{
	static const sim_time widths[] = { 2,          3,
		                           4,          5,
		                           7,          255,
		                           256,        257,
		                           1000,       49999,
		                           50000,      65536,
		                           100000,     1000000,
		                           999999937,  1ull << 33,
		                           1ull << 40, (1ull << 40) + 1,
		                           1ull << 50, (1ull << 62) + 3 };
	static const sim_time ends[] = { 1,
		                         2,
		                         1000,
		                         220000000,
		                         1ull << 44,
		                         1ull << 47,
		                         (1ull << 47) + 12345,
		                         1ull << 62,
		                         (1ull << 63) - 1,
		                         1ull << 63,
		                         UINT64_MAX - 1,
		                         UINT64_MAX };
	for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
		for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
			check_windows(widths[i], ends[k]);
}

Test(windows, are_refused_without_a_lookahead)
{
	for (sim_time l = 0; l < 2; l++) {
		struct fixture f;
		fixture_init(&f, 1, nothing, NULL);
		f.config.lookahead = l;
		f.config.first_lp = f.first;
		cr_assert_null(sim_create(&f.config, &f.model, &f.errors));
		cr_assert(strstr(f.errors.v[0].text, "lookahead"));
		base_errors_free(&f.errors);
	}
}

/* --- the wheel -------------------------------------------------------------------------------------------------------
 */

struct entry {
	uint64_t window, time, key;
	sim_lpid lp;
	bool present, wide;
};

struct naive {
	struct entry *v;
	size_t n, cap;
};

#define LPS 37u
#define WIDTH 1000u

static void add(struct fixture *f, struct naive *l, uint64_t window, uint64_t *random)
{
	if (l->n == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 256;
		l->v = realloc(l->v, l->cap * sizeof *l->v);
	}
	struct entry x = { .window = window,
		           .time = window * WIDTH + next_random(random) % WIDTH,
		           .key = l->n,
		           .lp = (sim_lpid)(next_random(random) % LPS),
		           .present = true,
		           .wide = next_random(random) % 2 };
	bool in_wheel;
	struct sim_event *ev =
	    sim_wheel_insert(f->engine, x.lp, x.time, x.key, x.wide ? SIM_LONG_WORDS : SIM_SHORT_WORDS, &in_wheel);
	ev->kind = (uint8_t)x.key;
	ev->aux = (uint16_t)(x.key >> 8);
	for (unsigned i = 0; i < (x.wide ? SIM_LONG_WORDS : SIM_SHORT_WORDS); i++)
		ev->payload[i] = x.key * 3 + i;
	l->v[l->n++] = x;
}

static uint64_t least(const struct naive *l)
{
	uint64_t w = SIM_WINDOW_NONE;
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].present && l->v[i].window < w)
			w = l->v[i].window;
	return w;
}

/* The window's buckets hold exactly what they should, in the blocks of their LPs. */
static void check_bucket(struct fixture *f, struct naive *l, uint64_t window)
{
	size_t want = 0, got = 0;
	for (size_t i = 0; i < l->n; i++)
		want += l->v[i].present && l->v[i].window == window;
	for (uint32_t k = 0; k < 2 * f->engine->ctx.blocks; k++) {
		uint32_t block = k / 2;
		struct sim_bucket *b = sim_wheel_buckets(f->engine, window, block) + k % 2;
		SIM_EACH_CHUNK (f->engine, b, c)
			SIM_EACH_RECORD (f->engine, b, c, ev) {
				cr_assert_lt(ev->key, l->n);
				struct entry *x = &l->v[ev->key];
				cr_assert(x->present, "twice or too late: window %lu holds an event of window %lu",
				          window, x->window);
				cr_assert_eq(x->window, window);
				cr_assert_eq(ev->time, x->time);
				cr_assert_eq(ev->lp, x->lp);
				cr_assert_eq(ev->lp >> f->engine->ctx.block_shift, block);
				cr_assert_eq(ev->kind, (uint8_t)ev->key);
				cr_assert_eq(ev->aux, (uint16_t)(ev->key >> 8));
				cr_assert_eq(!!(ev->state & SIM_EVENT_LONG), x->wide);
				for (unsigned i = 0; i < (x->wide ? SIM_LONG_WORDS : SIM_SHORT_WORDS); i++)
					cr_assert_eq(ev->payload[i], ev->key * 3 + i);
				x->present = false;
				got++;
			}
	}
	cr_assert_eq(got, want, "window %lu: %zu of %zu events", window, got, want);
}

/* How far ahead an event is sent: near, in the far lists, behind them, much farther. */
static uint64_t ahead(unsigned reach, uint64_t *random)
{
	static const uint64_t range[] = { 4, 300, 3000, 60000, 70000, 200000, 5000000, 1000000000000 };
	return 1 + next_random(random) % range[next_random(random) % (reach + 1)];
}

static void exercise(unsigned reach, uint32_t block_lps, uint64_t seed)
{
	struct fixture f;
	fixture_init(&f, LPS, nothing, NULL);
	f.config.end = 1ull << 62;
	f.config.lookahead = WIDTH;
	f.config.window = WIDTH;
	f.config.block_lps = block_lps;
	fixture_create(&f);
	f.engine->width = WIDTH; /* keep windows of 1000 ps; times stay far below 2^64 / 1000 */
	f.engine->ctx.window_reciprocal = UINT64_MAX / WIDTH + 1;
	struct naive l = { 0 };
	uint64_t random = seed, w = 0;
	for (int i = 0; i < 40; i++)
		add(&f, &l, ahead(reach, &random) - 1, &random);
	for (int step = 0; l.n < 1500 || least(&l) != SIM_WINDOW_NONE; step++) {
		uint64_t next = sim_wheel_next(f.engine, w);
		cr_assert_eq(next, least(&l), "step %d: next window is %lu, should be %lu", step, next, least(&l));
		if (next == SIM_WINDOW_NONE)
			break;
		sim_wheel_advance(f.engine, next);
		check_bucket(&f, &l, next);
		for (uint64_t n = l.n < 1500 ? next_random(&random) % 3 : 0; n > 0; n--)
			add(&f, &l, next + ahead(reach, &random), &random);
		sim_wheel_release_window(f.engine, next);
		w = next + 1;
	}
	uint64_t back = 0;
	for (const struct sim_chunk *c = f.engine->pool.free; c; c = c->next)
		back++;
	cr_assert_eq(back, f.engine->pool.chunks_used, "of %lu chunks %lu are back", f.engine->pool.chunks_used, back);
	free(l.v);
	fixture_free(&f);
}

Test(wheel, loses_nothing_and_keeps_the_order_of_windows)
{
	for (unsigned reach = 0; reach < 8; reach++)
		for (uint64_t seed = 1; seed <= 12; seed++)
			exercise(reach, seed % 3 == 0 ? 1 : seed % 3 == 1 ? 8 : 64, seed * 1000 + reach);
}

/* The far lists reach on while `beyond` waits: the earlier of both is next. */
Test(wheel, looks_behind_the_far_lists_before_it_leaps)
{
	struct fixture f;
	fixture_init(&f, LPS, nothing, NULL);
	f.config.end = 1ull << 40;
	fixture_create(&f);
	struct naive l = { 0 };
	uint64_t random = 1, half = f.engine->slots / 2;
	add(&f, &l, 260 * half, &random); /* behind all far lists */
	sim_wheel_advance(f.engine, 50 * half);
	add(&f, &l, 300 * half, &random); /* in one of them by now */
	cr_expect_eq(sim_wheel_next(f.engine, 50 * half), 260 * half);
	free(l.v);
	fixture_free(&f);
}

Test(wheel, finds_events_by_identity_until_they_are_dead)
{
	struct fixture f;
	fixture_init(&f, LPS, nothing, NULL);
	f.config.end = 1ull << 50;
	fixture_create(&f);
	struct naive l = { 0 };
	uint64_t random = 99;
	for (int i = 0; i < 500; i++)
		add(&f, &l, ahead(6, &random), &random);
	for (size_t i = 0; i < l.n; i++) {
		struct sim_event *ev = sim_wheel_find(f.engine, l.v[i].lp, l.v[i].time, l.v[i].key);
		cr_assert(ev && ev->key == i);
		cr_assert_null(sim_wheel_find(f.engine, (l.v[i].lp + 1) % LPS, l.v[i].time, i));
		if (i % 2) {
			ev->state |= SIM_EVENT_DEAD;
			l.v[i].present = false;
			cr_assert_null(sim_wheel_find(f.engine, l.v[i].lp, l.v[i].time, i));
		}
	}
	/* the dead do not come back when lists are spread, and do not hold a window up */
	for (uint64_t w = 0, next; least(&l) != SIM_WINDOW_NONE; w = next + 1) {
		next = sim_wheel_next(f.engine, w);
		cr_assert_leq(next, least(&l));
		sim_wheel_advance(f.engine, next);
		if (next == least(&l)) {
			size_t alive = 0, want = 0;
			for (size_t i = 0; i < l.n; i++)
				want += l.v[i].present && l.v[i].window == next;
			for (uint32_t i = 0; i < 2 * f.engine->ctx.blocks; i++) {
				struct sim_bucket *b = sim_wheel_buckets(f.engine, next, i / 2) + i % 2;
				SIM_EACH_CHUNK (f.engine, b, c)
					SIM_EACH_RECORD (f.engine, b, c, ev) {
						alive += !(ev->state & SIM_EVENT_DEAD);
						l.v[ev->key].present = false;
					}
			}
			cr_assert_eq(alive, want);
		}
		sim_wheel_release_window(f.engine, next);
	}
	free(l.v);
	fixture_free(&f);
}

/* sim/engine.c - a rank's engine: set-up, the slow path of sending, what arrives from other ranks, results. */
#include "sim/schedulers.h"

#include "base/clock.h"
#include "base/memory.h"
#include "sim/own.h"
#include "sim/rng.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t sim_cycles(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return __builtin_ia32_rdtsc();
#else
	return (uint64_t)base_nanoseconds();
#endif
}

void sim_fail(struct sim_engine *e, const char *fmt, ...)
{
	char text[500];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (!e->failed && e->errors) /* the first error is the cause; later ones may follow from it */
		base_errorf(e->errors, "", "%s", text);
	e->failed = true;
}

/* Ranks have about as many LPs each: a first guess, right or off by one. */
int sim_owner(const struct sim_engine *e, sim_lpid lp)
{
	const sim_lpid *first = e->config.first_lp;
	int r = (int)(lp * e->owner_factor >> 32);
	r = r < e->ranks ? r : e->ranks - 1;
	while (r > 0 && lp < first[r])
		r--;
	while (r + 1 < e->ranks && lp >= first[r + 1])
		r++;
	base_checkf(lp >= first[r] && (lp < first[r + 1] || r == e->ranks - 1), "LP %u is not of rank %d", lp, r);
	return r;
}

/* Number of records that a block should have in a window. Thousands of records amortise the fixed cost of a block; they
 * are read twice, so with the state of their LPs they should fit into the second-level cache. A bucket wastes half a
 * chunk, so ranks of many LPs have fewer blocks. In full networks events are sent a hundred windows ahead: the ends of
 * the buckets of these windows are written in turn and should fit into that cache, too. */
static double records_of_block(uint32_t lps)
{
	return lps > 1u << 17 ? 16384 : lps > 1u << 13 ? 4096 : 2048;
}

/* Blocks per thread if threads share LPs: with fewer, a thread that finishes first would find no block to take over. */
#define BLOCKS_OF_THREAD 10u

/* LPs of a block, as a power of two: must fit in 64 bits with SIM_WINDOW_MAX and an index. */
#define MOST_BLOCK_SHIFT 10u

static uint32_t choose_block_shift(const struct sim_config *c, uint32_t lps)
{
	base_checkf(c->block_lps < 2u << MOST_BLOCK_SHIFT, "blocks of %u LPs", c->block_lps);
	if (c->block_lps)
		return 31 - (uint32_t)__builtin_clz(c->block_lps);
	double per_lp = c->events_per_lp > 0 ? c->events_per_lp : 40, records = records_of_block(lps);
	uint32_t shift = 0;
	while (shift < MOST_BLOCK_SHIFT && per_lp * (double)(2u << shift) <= records && (1u << shift) < lps)
		shift++;
	while (c->threads > 1 && shift > 0 && lps >> shift < BLOCKS_OF_THREAD * c->threads)
		shift--;
	return shift;
}

enum sim_sync sim_auto_sync(double events)
{
	return sim_ranks() == 1 ? SIM_SEQUENTIAL : events >= SIM_AUTO_EVENTS ? SIM_CONSERVATIVE : SIM_OPTIMISTIC;
}

#define SLOTS 256u
#define CHUNK_BYTES ((size_t)2048)

static uint32_t blocks_of(uint32_t lps, uint32_t shift)
{
	return (uint32_t)(((uint64_t)lps + (1u << shift) - 1) >> shift);
}

struct sim_sizes sim_sizes(const struct sim_config *c, uint32_t lps)
{
	struct sim_sizes s = { .blocks = blocks_of(lps, choose_block_shift(c, lps)), .chunk_bytes = CHUNK_BYTES };
	bool speculates = c->sync == SIM_OPTIMISTIC && c->threads <= 1;
	s.table_bytes = (size_t)SLOTS * s.blocks * (2 * sizeof(struct sim_bucket) + (speculates ? 1 : 0));
	if (speculates)
		s.table_bytes += lps * sizeof(struct sim_lp_spec);
	if (c->threads > 1)
		s.spare_bytes = c->threads * SIM_ENOUGH_FREE * CHUNK_BYTES;
	return s;
}

void sim_own(struct sim_engine *e, sim_lpid first, uint32_t count)
{
	base_checkf(first - e->ctx.base <= e->lp_capacity && count <= e->lp_capacity - (first - e->ctx.base),
	            "LPs from %u on, %u of them; capacity of %u from %u on", first, count, e->lp_capacity, e->ctx.base);
	e->ctx.first = first;
	e->ctx.count = count;
	e->block_first = (first - e->ctx.base) >> e->ctx.block_shift;
	e->block_end = count ? ((first + count - 1 - e->ctx.base) >> e->ctx.block_shift) + 1 : e->block_first;
	base_check(e->block_first <= e->block_end && e->block_end <= e->ctx.blocks);
}

/* The largest divisor of w that is at most `most`, unless it is much smaller; else w. */
static sim_time divisor_below(sim_time w, sim_time most)
{
	sim_time least = most ? (w + most - 1) / most : 1;
	for (sim_time k = least; k <= 16 * least && k <= w / 2; k++)
		if (w % k == 0)
			return w / k;
	return w;
}

/* sim_window_of() multiplies times by ceil(2^64 / w) = (2^64 + more) / w. */
static bool is_exact(sim_time w, sim_time end)
{
	sim_time more = (w - (UINT64_MAX % w + 1) % w) % w;
	return !more || end <= UINT64_MAX / more;
}

#define WIDTHS_TRIED 65536u

sim_time sim_exact_width(sim_time most, unsigned doublings, sim_time end)
{
	sim_time w = most < SIM_WINDOW_MAX ? most : SIM_WINDOW_MAX, power = 1ull << (63 - __builtin_clzll(w));
	for (unsigned i = 0; i < WIDTHS_TRIED && w > power; i++, w--)
		if (is_exact(w << doublings, end)) /* then so are its parts */
			return w;
	return power;
}

/* Window width of a run so long that windows of one lookahead might not be exact (is_exact()): config.unit, halved
 * until it exceeds neither the lookahead nor SIM_WINDOW_MAX. The model chooses a unit for which that is exact. */
static sim_time part_of_unit(const struct sim_engine *e)
{
	sim_time w = e->config.unit;
	while (w > e->config.lookahead || w > SIM_WINDOW_MAX)
		w /= 2;
	base_checkf(e->config.unit % w == 0 && is_exact(w, e->config.end), "windows of %llu ps, units of %llu",
	            (unsigned long long)w, (unsigned long long)e->config.unit);
	return w;
}

static void choose_width(struct sim_engine *e)
{
	sim_time w = e->config.window ? e->config.window : e->config.lookahead;
	if (w > SIM_WINDOW_MAX)
		w = SIM_WINDOW_MAX;
	bool by_unit = e->config.unit && e->config.end > UINT64_MAX / 2 / e->config.lookahead;
	if (by_unit) {
		w = part_of_unit(e);
	} else if (e->config.unit) {
		/* a divisor or multiple of the lookahead for which sim_window_of() is exact up to the end */
		sim_time exact = UINT64_MAX / 2 / (e->config.end ? e->config.end : 1), most = w < exact ? w : exact;
		w = e->config.lookahead;
		while (2 * w <= most && e->config.unit % (2 * w) == 0)
			w *= 2;
		w = divisor_below(w, most);
	}
	if (w > e->config.lookahead && e->config.sync != SIM_OPTIMISTIC)
		w = e->config.lookahead;
	if (w < 2)
		w = 2;
	/* sim_window_of() is exact for t < 2^64 / remainder; a power of two has remainder 0 */
	if (e->config.end > UINT64_MAX / w / 2 && !by_unit)
		w = 1ull << (63 - __builtin_clzll(w));
	e->width = w;
	e->ctx.window_reciprocal =
	    (w & (w - 1)) == 0 ? (uint64_t)((((unsigned __int128)1) << 64) / w) : UINT64_MAX / w + 1;
	e->safe_windows = w <= e->config.lookahead;
	base_checkf(!e->config.end || sim_window_of(&e->ctx, e->config.end - 1) == (e->config.end - 1) / w,
	            "windows of %llu ps up to %llu ps", (unsigned long long)w, (unsigned long long)e->config.end);
}

struct sim_engine *sim_create(const struct sim_config *config, const struct sim_model *model,
                              struct base_errors *errors)
{
	if (config->lookahead < 2) {
		base_errorf(errors, "",
		            "the lookahead is %llu ps; links between switches need a latency of at least 2 ps",
		            (unsigned long long)config->lookahead);
		return NULL;
	}
	if (config->threads > 1 && (!model->worker || config->audit)) {
		base_errorf(errors, "engine.threads", "%s on only one thread per rank",
		            config->audit ? "an audit runs" : "this model runs");
		return NULL;
	}
	if (config->sync == SIM_SEQUENTIAL && sim_ranks() > 1) {
		base_errorf(errors, "engine.sync", "\"sequential\" requires one rank, but this run has %d",
		            sim_ranks());
		return NULL;
	}
	if (config->stress && (config->sync != SIM_OPTIMISTIC || config->threads > 1)) {
		base_errorf(errors, "engine.stress",
		            "%u has no effect: only an optimistic run with one thread per rank rolls back",
		            config->stress);
		return NULL;
	}
	struct sim_engine *e = base_alloc(sizeof *e);
	e->created_s = base_seconds();
	e->created_cycles = sim_cycles();
	e->config = *config;
	e->model = *model;
	e->errors = errors;
	sim_lpid first = config->first_lp[sim_rank()];
	uint32_t count = config->first_lp[sim_rank() + 1] - first;
	e->pooled = config->pooled && config->threads > 1 && sim_ranks() > 1;
	e->rank = e->pooled ? 0 : sim_rank();
	e->ranks = e->pooled ? 1 : sim_ranks();
	if (config->threads > 1)
		e->config.sync = SIM_CONSERVATIVE;
	e->config.first_lp = base_calloc((size_t)e->ranks + 1, sizeof(sim_lpid));
	memcpy((void *)(uintptr_t)e->config.first_lp, config->first_lp, ((size_t)e->ranks + 1) * sizeof(sim_lpid));
	e->owner_factor =
	    ((uint64_t)e->ranks << 32) / (e->config.first_lp[e->ranks] ? e->config.first_lp[e->ranks] : 1);
	e->wish = SIM_GO_ON;
	e->ctx.engine = e;
	e->ctx.base = config->room_count ? config->room_first : first;
	e->lp_capacity = config->room_count ? config->room_count : count;
	e->ctx.block_shift = choose_block_shift(config, count);
	e->ctx.blocks = blocks_of(e->lp_capacity, e->ctx.block_shift);
	sim_own(e, first, count);
	choose_width(e);
	e->end_window = config->end / e->width + (config->end % e->width != 0);
	e->final_window = e->end_window;
	e->partial_window = config->end % e->width ? config->end / e->width : SIM_WINDOW_NONE;
	e->slots = SLOTS;
	sim_pool_init(&e->pool, CHUNK_BYTES);
	sim_wheel_init(e);
	e->optimistic = e->config.sync == SIM_OPTIMISTIC;
	if (!e->config.optimism)
		e->config.optimism = 8;
	if (e->config.optimism > e->slots / 2 - 1)
		e->config.optimism = e->slots / 2 - 1;
	if (!e->config.gvt_interval)
		e->config.gvt_interval = 1;
	if (e->config.stress && e->config.optimism > 4)
		e->config.optimism = 4; /* deeper cascades test nothing new and take very long */
	if (e->optimistic)
		sim_spec_init(e);
	e->rng = (config->seed + 1) * 0x9e3779b97f4a7c15ull ^ (unsigned)e->rank;
	e->peers = base_calloc((size_t)e->ranks, sizeof *e->peers);
	for (int r = 0; r < e->ranks; r++)
		e->peers[r].exists = r != e->rank || e->config.stress;
	if (e->ranks > 1 || e->config.stress)
		e->transport = sim_transport_create(e);
	sim_balance_init(e);
	sim_exchange_init(e);
	e->alone = e;
	e->member = &e->alone;
	e->members = 1;
	e->wheels = &e->ctx.wheel;
	e->dry_record = base_alloc(64);
	e->window = SIM_WINDOW_NONE;
	e->ctx.sent_min = SIM_WINDOW_NONE;
	e->initial = true;
	e->ctx.fast_count = 0;
	return e;
}

void sim_destroy(struct sim_engine *e)
{
	if (!e)
		return;
	sim_threads_destroy(e);
	if (e->transport)
		sim_transport_destroy(e->transport);
	sim_spec_destroy(e);
	sim_wheel_destroy(e);
	sim_scratch_free(&e->scratch);
	free(e->audit.before);
	free(e->dry_record);
	free(e->peers);
	free((void *)(uintptr_t)e->config.first_lp);
	free(e);
}

struct sim_ctx *sim_context(struct sim_engine *e)
{
	return &e->ctx;
}

void sim_initial(struct sim_ctx *ctx, sim_lpid lp)
{
	ctx->now = 0;
	ctx->now_key = 0;
	ctx->engine->lp = lp;
}

static bool causal(struct sim_engine *e, sim_lpid lp, sim_time time, uint64_t key)
{
	if (!e->in_handler && !e->initial)
		return true;
	if (lp == e->lp ? e->initial || sim_before(e->ctx.now, e->ctx.now_key, time, key)
	                : time >= e->ctx.now + e->config.lookahead)
		return true;
	sim_fail(e, "causality: LP %u at %llu ps sends an event to LP %u for %llu ps%s", e->lp,
	         (unsigned long long)e->ctx.now, lp, (unsigned long long)time,
	         lp == e->lp ? " that does not sort after its creator" : ", less than the lookahead away");
	return false;
}

/* Stress mode: is the channel from -> to delayed? The choice is fixed per pair, so that each channel stays FIFO. */
static bool stressed(const struct sim_engine *e, sim_lpid from, sim_lpid to)
{
	if (!e->config.stress || from == to)
		return false;
	uint64_t h = (uint64_t)from << 32 | to;
	h *= 0x9e3779b97f4a7c15ull;
	h ^= h >> 29;
	h *= 0xbf58476d1ce4e5b9ull;
	return (h >> 32) % 100 < e->config.stress;
}

static struct sim_event *send_by_stream(struct sim_engine *e, int peer, sim_lpid lp, sim_time time, uint64_t key,
                                        unsigned words)
{
	void *at = sim_transport_record(e, peer, sizeof(struct sim_event) + 8 * (size_t)words);
	e->ctx.remote_events++;
	sim_note_sent(e, time);
	if (e->ctx.journal)
		sim_spec_note_send(e, NULL, peer, lp, time, key);
	return sim_begin_record(at, lp, time, key, words);
}

/* Every event, except those that an LP sends itself within the window being run for good. */
static __attribute__((noinline)) struct sim_event *send_anywhere(struct sim_ctx *ctx, sim_lpid lp, sim_time time,
                                                                 uint64_t key, unsigned words)
{
	struct sim_engine *e = ctx->engine;
	if (!causal(e, lp, time, key))
		return (struct sim_event *)(void *)e->dry_record;
	if (e->dry)
		return sim_audit_send(e, lp, time, key, words);
	if (lp - ctx->first >= ctx->count) {
		int owner = sim_owner(e, lp);
		if (lp >= e->config.first_lp[e->ranks]) {
			sim_fail(e, "LP %u sends to LP %u, which does not exist", e->lp, lp);
			return (struct sim_event *)(void *)e->dry_record;
		}
		return send_by_stream(e, owner, lp, time, key, words);
	}
	if (sim_unlikely(e->config.stress) && stressed(e, e->lp, lp))
		return send_by_stream(e, e->rank, lp, time, key, words);
	bool same_window = e->in_handler && lp == e->lp && sim_window_of(ctx, time) == e->window;
	bool now = same_window && time < e->config.end, in_wheel;
	struct sim_event *ev = sim_wheel_insert(e, lp, time, key, words, &in_wheel);
	if (ctx->journal)
		sim_spec_note_send(e, in_wheel ? ev : NULL, -1, lp, time, key);
	if (now)
		sim_own_push(e, ev);
	else if (e->optimistic && !e->initial && !same_window && sim_window_of(ctx, time) <= e->spec_max)
		sim_spec_arrived(e, ev);
	return ev;
}

struct sim_event *sim_send_slow(struct sim_ctx *ctx, sim_lpid lp, sim_time time, uint64_t key, unsigned words)
{
	struct sim_engine *e = ctx->engine;
	if (lp - ctx->first >= ctx->count && lp < e->config.first_lp[e->ranks] && e->in_handler &&
	    time >= ctx->now + e->config.lookahead)
		return send_by_stream(e, sim_owner(e, lp), lp, time, key, words);
	if (lp != e->lp || time >= e->own_until || ctx->journal || !sim_before(ctx->now, ctx->now_key, time, key))
		return send_anywhere(ctx, lp, time, key, words);
	struct sim_event *ev = sim_wheel_fresh(e, lp, time, key, words);
	sim_own_push(e, ev);
	return ev;
}

/* Copies a received record into the wheel, or into the list beyond it. */
static inline struct sim_event *accept(struct sim_engine *e, const struct sim_event *r, unsigned words)
{
	bool in_wheel;
	struct sim_event *ev = sim_append(&e->ctx, r->lp, r->time, r->key, words);
	if (!ev)
		ev = sim_wheel_insert(e, r->lp, r->time, r->key, words, &in_wheel);
	base_check(r->lp - e->ctx.first < e->ctx.count && sim_record_bytes(ev) == sim_record_bytes(r));
	sim_copy_record(ev, r, words);
	return ev;
}

struct sim_event *sim_adopt_record(struct sim_engine *e, const struct sim_event *r)
{
	return r->state & SIM_EVENT_LONG ? accept(e, r, SIM_LONG_WORDS) : accept(e, r, SIM_SHORT_WORDS);
}

void sim_receive(struct sim_engine *e, const struct sim_event *r)
{
	uint64_t w = sim_window_of(&e->ctx, r->time);
	if (r->lp - e->ctx.first >= e->ctx.count) {
		sim_fail(e, "an event for LP %u, which does not exist", r->lp);
		return;
	}
	if (w < e->base) {
		sim_fail(e, "causality: an event for LP %u at %llu ps arrived after that time had become final", r->lp,
		         (unsigned long long)r->time);
		return;
	}
	if (r->state & SIM_EVENT_ANTI) {
		sim_spec_annihilate(e, r->lp, r->time, r->key);
		return;
	}
	struct sim_event *ev = sim_adopt_record(e, r);
	if (e->optimistic) {
		if (w <= e->spec_max && !e->initial) {
			sim_spec_arrived(e, ev);
		} else if (w <= e->low) { /* even in the same window: the block may be an earlier one */
			e->low = w;
			e->low_block = 0;
		}
	}
}

void sim_receive_token(struct sim_engine *e, int peer, const struct sim_message *m)
{
	struct sim_peer *p = &e->peers[peer];
	if (m->token == SIM_TOKEN_LAST) {
		p->last_round = m->round;
		p->last_value[m->round & 1] = m->value;
		p->last_flags[m->round & 1] = m->flags;
	} else if (m->token == SIM_TOKEN_STEP) {
		unsigned k = m->round & 0xff;
		uint64_t round = m->round >> 8;
		base_checkf(k < SIM_STEPS && round > e->step_report[round & 1][k].round,
		            "step %u of round %llu from rank %d", k, (unsigned long long)round, peer);
		e->step_report[round & 1][k] = (struct sim_step_report){ round, m->value, m->flags };
	} else {
		sim_gvt_receive(e, peer, m);
	}
}

static void wish(struct sim_engine *e, enum sim_wish wish)
{
	if (wish == SIM_END_AT_PAUSE && !e->end_with_leg)
		wish = SIM_END_NOW;
	if (wish == SIM_END_NOW || e->wish == SIM_GO_ON)
		e->wish = wish;
}

uint64_t sim_end_flags(const struct sim_engine *e)
{
	if (e->wish == SIM_END_NOW)
		return SIM_FLAG_STOP;
	return e->wish == SIM_END_AT_PAUSE && !e->asked ? SIM_FLAG_ASK : 0;
}

uint64_t sim_take_asked(struct sim_engine *e, uint64_t flags)
{
	e->asked |= flags & SIM_FLAG_ASK;
	return flags & ~(uint64_t)SIM_FLAG_ASK;
}

void sim_progress(struct sim_engine *e, uint64_t window, uint64_t events)
{
	uint64_t now = sim_cycles();
	if (now < e->next_progress)
		return;
	e->next_progress = now + (uint64_t)(0.05 * e->cycles_per_second);
	if (e->pooled && sim_rank() == 0 && sim_cores_stop_asked())
		wish(e, SIM_END_AT_PAUSE);
	if (e->config.progress) {
		sim_time t = window >= e->end_window ? sim_leg_end(e) : window * e->width;
		wish(e, e->config.progress(e->config.progress_arg, t, events * (unsigned)e->ranks));
	}
}

/* Frequency of sim_cycles(), measured since the engine was created, or slightly more. */
static void calibrate(struct sim_engine *e)
{
	double since;
	while ((since = base_seconds() - e->created_s) < 0.002)
		;
	e->cycles_per_second = (double)(sim_cycles() - e->created_cycles) / since;
}

sim_time sim_leg_end(const struct sim_engine *e)
{
	return e->end_window == e->final_window ? e->config.end : e->end_window * e->width;
}

sim_time sim_width(const struct sim_engine *e)
{
	return e->width;
}

void sim_pause_at(struct sim_engine *e, sim_time at)
{
	base_checkf(at && at % e->width == 0, "a pause at %llu ps, windows of %llu", (unsigned long long)at,
	            (unsigned long long)e->width);
	e->end_window = at / e->width < e->final_window ? at / e->width : e->final_window;
	e->end_with_leg = true;
}

void sim_end_with_leg(struct sim_engine *e, bool wanted)
{
	e->end_with_leg = wanted;
}

void sim_leave_leg(struct sim_engine *e)
{
	uint64_t value = 0, flags = 0;
	if (e->ranks == 1)
		return;
	sim_exchange(e, &value, &flags);
	sim_transport_write_out(e->transport);
}

static void run_leg(struct sim_engine *e)
{
	if (e->config.sync == SIM_SEQUENTIAL)
		sim_run_sequential(e);
	else if (e->config.sync == SIM_CONSERVATIVE)
		sim_run_conservative(e);
	else
		sim_run_optimistic(e);
	e->in_handler = false;
	sim_leave_leg(e);
}

bool sim_next_leg(struct sim_engine *e)
{
	for (unsigned k = 0; k < e->members && e->model.settled && !e->failed; k++)
		e->model.settled(e->member[k]->model.self, e->reached);
	if (e->failed || e->stopped || e->end_window == e->final_window)
		return false;
	unsigned before = sim_phase_enter(e, SIM_PHASE_OTHER);
	if (e->transport)
		sim_transport_settle(e->transport);
	e->ctx.journal = false;
	for (unsigned k = 1; k < e->members; k++)
		e->model.gather(e->model.self, e->member[k]->model.self);
	sim_time next = e->model.pause(e->model.self, sim_leg_end(e), e->asked);
	e->stopped = next && e->asked;
	for (unsigned k = 1; k < e->members && next && !e->asked; k++)
		e->model.resume(e->model.self, e->member[k]->model.self);
	sim_phase_enter(e, before);
	if (!next || e->asked)
		return false;
	uint64_t window = next < e->config.end ? next / e->width : e->final_window;
	for (unsigned k = 0; k < e->members; k++)
		e->member[k]->end_window = window;
	return true;
}

enum sim_outcome sim_run(struct sim_engine *e, struct base_errors *errors)
{
	e->errors = errors;
	e->initial = false;
	calibrate(e);
	memset(e->phase_cycles, 0, sizeof e->phase_cycles); /* initial events may have been sent already */
	e->phase = SIM_PHASE_OTHER;
	e->phase_since = sim_cycles();
	if (e->config.threads > 1)
		sim_run_threads(e);
	else
		do
			run_leg(e);
		while (sim_next_leg(e));
	sim_phase_enter(e, SIM_PHASE_OTHER);
	for (unsigned i = 0; i < SIM_PHASES; i++)
		e->count.seconds[i] = (double)e->phase_cycles[i] / e->cycles_per_second;
	e->count.peak_chunk_bytes = e->pool.chunks_used * e->pool.chunk_bytes;
	if (e->failed)
		return SIM_FAILED;
	base_checkf(e->count.events_processed == e->count.events_committed + e->count.events_rolled_back,
	            "%llu events run, %llu committed, %llu undone", (unsigned long long)e->count.events_processed,
	            (unsigned long long)e->count.events_committed, (unsigned long long)e->count.events_rolled_back);
	return e->stopped ? SIM_INTERRUPTED : SIM_DONE;
}

void sim_counters_get(const struct sim_engine *e, struct sim_counters *out)
{
	*out = e->count;
	out->remote_events = e->ctx.remote_events;
}

void sim_leftovers(struct sim_engine *e, void (*visit)(void *arg, const struct sim_event *event), void *arg)
{
	for (unsigned k = 0; k < e->members; k++)
		sim_wheel_each(e->member[k], visit, arg);
}

int sim_owner_of(const struct sim_engine *e, sim_lpid lp)
{
	return sim_owner(e, lp);
}

sim_time sim_reached(const struct sim_engine *e)
{
	return e->reached;
}

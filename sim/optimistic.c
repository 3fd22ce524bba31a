/* sim/optimistic.c - the optimistic scheduler: Time Warp with bounded speculation, which a rank uses only when it would
 * otherwise wait.
 *
 * A window up to GVT is safe: events that other ranks still execute are not before GVT, and the events that these send
 * to this rank are at least a lookahead, so at least one window, later. Safe windows run without a journal, at
 * sequential speed. A rank without a safe window runs blocks of later windows under the journal instead of waiting, at
 * most `optimism` windows beyond GVT, and fewer if most of them are undone. Before it speculates, it waits as long as
 * four speculative blocks take: a message that arrives in this time may make the same work safe, and safe execution is
 * three to four times cheaper. With windows wider than the lookahead, or in stress mode, nothing is safe before GVT has
 * passed it, and everything runs under the journal. */
#include "sim/schedulers.h"

/* The least window with a pending event; SIM_WINDOW_NONE if there is none before the end of the leg. Sets e->low_block
 * to the first block with a pending event in that window. */
static uint64_t find_low(struct sim_engine *e)
{
	for (uint64_t w = e->low; w < e->end_window; w++, e->low_block = 0) {
		uint64_t next = sim_wheel_next(e, w);
		if (next >= e->end_window)
			return SIM_WINDOW_NONE;
		if (next > w)
			e->low_block = 0;
		w = next;
		if (w >= e->base + e->slots / 2)
			return w; /* beyond the wheel: pending, but not runnable yet */
		const unsigned char *clean = &e->clean[(w & e->ctx.wheel_mask) * e->ctx.blocks];
		const struct sim_bucket *bucket = sim_wheel_buckets(e, w, 0);
		for (uint32_t b = e->low_block > e->block_first ? e->low_block : e->block_first; b < e->block_end; b++)
			if (!clean[b] && (bucket[2 * b].first || bucket[2 * b + 1].first)) {
				e->low_block = b;
				return w;
			}
	}
	return SIM_WINDOW_NONE;
}

static void clear_clean(struct sim_engine *e, uint64_t window)
{
	unsigned char *clean = &e->clean[(window & e->ctx.wheel_mask) * e->ctx.blocks];
	for (uint32_t b = 0; b < e->ctx.blocks; b++)
		clean[b] = 0;
}

/* Windows before `until` are final: commits them, frees their memory and advances the wheel. */
static void fossil_collect(struct sim_engine *e, uint64_t until)
{
	unsigned before = sim_phase_enter(e, SIM_PHASE_FOSSIL);
	if (until > e->end_window)
		until = e->end_window;
	base_checkf(until <= e->gvt.gvt + 1 || until == e->end_window, "window %llu is not final, GVT is %llu",
	            (unsigned long long)until, (unsigned long long)e->gvt.gvt);
	uint64_t covered = e->base + e->slots < until ? e->base + e->slots : until;
	for (uint64_t w = e->base; w < covered; w++) {
		sim_spec_commit(e, w);
		if (w == e->partial_window)
			continue;
		sim_wheel_release_window(e, w);
		clear_clean(e, w);
	}
	if (until > e->base)
		sim_wheel_advance(e, e->partial_window < until ? e->partial_window : until);
	sim_phase_enter(e, before);
}

/* Limits the fast path of sim_send() to windows after the last one of which any event has been executed: an event sent
 * to an earlier window may be a straggler. */
static void note_executed(struct sim_engine *e, uint64_t window)
{
	if (window > e->spec_max)
		e->spec_max = window;
	e->ctx.fast_after = e->spec_max;
	sim_wheel_advance(e, e->base);
}

static void run_safe_window(struct sim_engine *e, uint64_t window)
{
	unsigned before = sim_phase_enter(e, SIM_PHASE_QUEUE);
	fossil_collect(e, window);
	sim_spec_commit(e, window); /* its speculative events are final too, and commit before the events run now */
	note_executed(e, window);
	for (uint32_t b = e->block_first; b < e->block_end; b++) {
		sim_run_block(e, window, b, false);
		sim_spec_stragglers(e);
		if (e->transport)
			sim_transport_poll(e->transport);
	}
	e->count.windows++;
	e->gvt.since++;
	e->low = window + 1;
	e->low_block = 0;
	fossil_collect(e, window + 1);
	sim_phase_enter(e, before);
}

static void run_speculative_block(struct sim_engine *e, uint64_t window, uint32_t block)
{
	uint64_t fast, t0 = sim_cycles();
	note_executed(e, window);
	if (window > e->touched)
		e->touched = window;
	fast = e->ctx.fast_count;
	e->ctx.fast_count = 0; /* every send must be noted */
	sim_run_block(e, window, block, true);
	e->ctx.fast_count = fast;
	sim_spec_stragglers(e);
	e->patience = (7 * e->patience + sim_cycles() - t0) / 8;
	if (block + 1 == e->block_end) {
		e->count.windows++;
		e->gvt.since++;
	}
}

/* Called after a GVT round: adapts the number of blocks that this rank may run speculatively per round. An undone event
 * costs about as much time as three safe executions, and a speculative event that is committed saves one; so
 * speculation is worthwhile while less than a quarter of the events are undone. The allowance is halved if more are
 * undone and otherwise grows by a quarter; it never becomes zero, because conditions change. */
static void adapt(struct sim_engine *e)
{
	if (e->spec_since) {
		uint64_t most = (uint64_t)e->ctx.blocks * e->config.optimism;
		if (4 * e->rolled_since > e->spec_since)
			e->allowance = e->allowance > 1 ? e->allowance / 2 : 1;
		else
			e->allowance += 1 + e->allowance / 4;
		if (e->allowance > most)
			e->allowance = most;
		e->spec_since = e->rolled_since = 0;
	}
	e->budget = e->allowance;
}

static uint64_t stress_random(struct sim_engine *e)
{
	e->rng ^= e->rng << 13;
	e->rng ^= e->rng >> 7;
	e->rng ^= e->rng << 17;
	return e->rng >> 11;
}

/* Stops all ranks at GVT: events beyond are undone everywhere, and their cancellations delivered. */
static void retreat(struct sim_engine *e)
{
	for (sim_lpid i = 0; i < e->ctx.count; i++)
		if (e->lp_spec[e->ctx.first + i - e->ctx.base].newest)
			sim_rollback(e, e->ctx.first + i, e->gvt.gvt * e->width, 0, true);
	if (e->ranks > 1) {
		uint64_t value = 0, flags = 0;
		sim_exchange(e, &value, &flags); /* all events sent have arrived */
		e->ctx.sent_min = SIM_WINDOW_NONE;
	}
	if (e->transport)
		sim_transport_settle(e->transport);
}

/* LPs have migrated: what is cached about the blocks of windows is invalid. */
static void look_everywhere(struct sim_engine *e)
{
	e->low = e->gvt.gvt;
	e->low_block = 0;
	for (uint64_t w = e->base; w <= e->spec_max; w++)
		clear_clean(e, w);
}

/* Called on all ranks after a GVT round in which some rank has reported thrashing: all ranks roll back to GVT and run
 * its window in steps (steps.c). Returns the time that they have reached; e->gvt.flags say whether the run ends
 * there. */
static sim_time calm_down(struct sim_engine *e)
{
	uint64_t window = e->gvt.gvt;
	retreat(e);
	fossil_collect(e, window);
	note_executed(e, window);
	sim_time reached = sim_run_in_steps(e, window, &e->gvt.flags);
	e->low = window + 1;
	e->low_block = 0;
	return reached;
}

static bool may_speculate(struct sim_engine *e, uint64_t w)
{
	return w < e->end_window && w < e->base + e->slots / 2 && w - e->gvt.gvt < e->config.optimism &&
	       (e->budget > 0 || e->config.stress || !e->safe_windows);
}

/* Has this rank lacked safe work for long enough to speculate? */
static bool impatient(struct sim_engine *e)
{
	if (e->config.stress)
		return stress_random(e) % 4 != 0;
	if (!e->safe_windows)
		return true;
	uint64_t now = sim_cycles();
	if (!e->idle_since)
		e->idle_since = now;
	return now - e->idle_since >= 4 * e->patience;
}

void sim_run_optimistic(struct sim_engine *e)
{
	struct sim_gvt *g = &e->gvt;
	unsigned idle = 0;
	sim_time in_window = 0; /* time reached by steps in window GVT */
	if (!g->round) {
		e->allowance = e->budget = 1 + e->ctx.blocks / 4;
		e->patience = (uint64_t)(1e-4 * e->cycles_per_second);
		e->ctx.fast_after = 0;
		e->ctx.fast_count = 0;
	}
	for (;;) {
		sim_phase_enter(e, idle ? SIM_PHASE_WAIT : SIM_PHASE_GVT); /* waits, or has just done something */
		unsigned got = e->transport ? sim_transport_poll(e->transport) : 0;
		e->low = find_low(e);
		base_checkf(e->low >= g->gvt, "window %llu is pending, GVT is %llu", (unsigned long long)e->low,
		            (unsigned long long)g->gvt);
		bool safe = e->low <= g->gvt && e->safe_windows && !e->config.stress && e->low < e->base + e->slots / 2;
		bool can = may_speculate(e, e->low);
		if (safe) {
			run_safe_window(e, e->low);
			e->idle_since = 0;
			got = 1;
		} else if (can && (e->transport || !e->safe_windows) && !sim_gvt_wishes(e) && impatient(e)) {
			run_speculative_block(e, e->low, e->low_block);
			if (e->budget)
				e->budget--;
			got = 1;
		}
		sim_progress(e, g->gvt, e->count.events_committed);
		sim_thrash_watch(e);
		e->low = find_low(e);
		uint64_t gvt_was = g->gvt;
		if (sim_gvt_step(e, may_speculate(e, e->low))) {
			g->flags = sim_take_asked(e, g->flags);
			if (g->gvt >= e->end_window || g->flags & (SIM_FLAG_STOP | SIM_FLAG_FAIL))
				break;
			if (g->flags & SIM_FLAG_STEPS) {
				in_window = calm_down(e);
				if (g->flags & (SIM_FLAG_STOP | SIM_FLAG_FAIL))
					break;
				sim_thrash_over(e);
				continue;
			}
			if (g->gvt > gvt_was)
				sim_thrash_over(e);
			if (g->flags & SIM_FLAG_BALANCE)
				retreat(e);
			fossil_collect(e, g->gvt);
			if (g->flags & SIM_FLAG_BALANCE) {
				sim_balance(e);
				look_everywhere(e);
			}
			adapt(e);
			got = 1;
		}
		idle = got ? 0 : idle + 1;
		if (idle)
			sim_idle(idle, e->spins / 10); /* each poll takes longer here */
	}
	e->stopped = g->flags & SIM_FLAG_STOP && g->gvt < e->end_window;
	if (g->flags & SIM_FLAG_FAIL)
		e->failed = true;
	if (e->stopped && !e->failed)
		retreat(e);
	fossil_collect(e, g->gvt);
	if (!e->stopped) { /* no pending event is earlier, and the next leg begins there */
		g->gvt = e->low = e->end_window;
		e->low_block = 0;
	}
	e->reached = e->stopped ? g->gvt * e->width : sim_leg_end(e);
	if (e->stopped && in_window > e->reached)
		e->reached = in_window;
}

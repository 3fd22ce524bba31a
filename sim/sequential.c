/* sim/sequential.c - the scheduler for one rank: it executes window after window. The other schedulers call its
 * function sim_window_run(). */
#include "sim/schedulers.h"

void sim_window_enter(struct sim_engine *e, uint64_t window)
{
	base_checkf(window >= e->base && window < e->end_window, "window %llu after %llu", (unsigned long long)window,
	            (unsigned long long)e->base);
	e->ctx.fast_after = window;
	sim_wheel_advance(e, window);
}

static bool block_is_empty(struct sim_engine *e, uint64_t window, uint32_t block)
{
	const struct sim_bucket *b = sim_wheel_buckets(e, window, block);
	return !b[0].first && !b[1].first;
}

/* Out of line, whatever the linker decides: bench/guard.py counts what is inside it. */
__attribute__((noinline)) void sim_window_run(struct sim_engine *e, uint64_t window)
{
	for (uint32_t b = e->block_first; b < e->block_end; b++) {
		sim_run_block(e, window, b, false);
		base_check(e->failed || window == e->partial_window || block_is_empty(e, window, b));
		if (e->ranks > 1)
			sim_transport_poll(e->transport); /* Lets large MPI messages progress. Events that arrive here
			                                     belong to later windows. */
	}
	e->count.windows++;
	if (window != e->partial_window)
		sim_wheel_release_window(e, window);
}

void sim_run_sequential(struct sim_engine *e)
{
	sim_phase_enter(e, SIM_PHASE_QUEUE);
	uint64_t w = sim_wheel_next(e, e->base);
	while (w < e->end_window && !e->failed) {
		sim_progress(e, w, e->count.events_committed);
		if (sim_take_asked(e, sim_end_flags(e))) {
			e->stopped = true;
			break;
		}
		sim_window_enter(e, w);
		sim_window_run(e, w);
		w = sim_wheel_next(e, w + 1);
	}
	e->reached = e->stopped ? w * e->width : sim_leg_end(e);
}

/* sim/steps.c - runs one window for good in steps of a lookahead, with all ranks synchronized.
 *
 * Rollbacks may thrash: in windows of many lookaheads, or when the stress mode delays events, as many events may be
 * undone as are executed, because anti-messages are not faster than the events that they cancel. Then GVT, which
 * advances by whole windows, does not advance although all ranks work.
 *
 * So each rank counts the events undone since GVT last advanced. If they are too many, it sets a flag in the next
 * round, all ranks roll back to GVT, and this window is run without speculation: all agree on the least pending time,
 * run the events earlier than a lookahead after it, and deliver the events sent, until nothing of the window is left.
 * Every step runs at least the earliest event, so the run progresses whatever is delayed. The rest of the engine sees a
 * step as the last window of a run that ends with the step. */
#include "sim/schedulers.h"

/* Limit from which rollbacks count as thrashing: events undone since GVT last advanced, per speculative event, where
 * the latter is the maximum number that existed at one time since then. Worthwhile speculation undoes less than one
 * event per speculative event. THRASH_LEAST is added to that number, so that small windows tolerate more. */
#define THRASH 4u
#define THRASH_LEAST 512u
/* And the same for records gathered: a block is gathered anew for the few of its events that are pending again. */
#define THRASH_LOOKS 32u

#define NEVER UINT64_MAX

void sim_thrash_watch(struct sim_engine *e)
{
	struct sim_thrash *s = &e->thrash;
	uint64_t standing = e->count.events_processed - e->count.events_rolled_back - e->count.events_committed;
	if (standing > s->standing)
		s->standing = standing;
	s->on = e->count.events_rolled_back - s->undone_before > THRASH * (s->standing + THRASH_LEAST) ||
	        s->looked > THRASH_LOOKS * (s->standing + THRASH_LEAST);
}

void sim_thrash_over(struct sim_engine *e)
{
	e->thrash = (struct sim_thrash){ .undone_before = e->count.events_rolled_back };
}

/* Least time of this rank's pending events in a window. */
static sim_time least_pending(struct sim_engine *e, uint64_t window)
{
	sim_time least = NEVER;
	for (uint32_t b = 2 * e->block_first; b < 2 * e->block_end; b++) {
		struct sim_bucket *bucket = sim_wheel_buckets(e, window, 0) + b;
		SIM_EACH_CHUNK (e, bucket, c)
			SIM_EACH_RECORD (e, bucket, c, ev)
				if (!(ev->state & (SIM_EVENT_DONE | SIM_EVENT_DEAD)) && ev->time < least)
					least = ev->time;
	}
	return least;
}

/* Delivers all events that any rank has sent; *least and *flags become the minimum and the union over ranks. */
static void agree(struct sim_engine *e, uint64_t window, sim_time *least, uint64_t *flags)
{
	uint64_t none = SIM_WINDOW_NONE, no_flags = 0;
	if (e->ranks > 1)
		sim_exchange(e, &none, &no_flags);
	if (e->transport)
		sim_transport_settle(e->transport);
	*least = least_pending(e, window);
	*flags = sim_end_flags(e) | (e->failed ? SIM_FLAG_FAIL : 0);
	if (e->ranks > 1)
		sim_exchange(e, least, flags);
	*flags = sim_take_asked(e, *flags);
	e->ctx.sent_min = SIM_WINDOW_NONE;
}

/* Runs pending events before `horizon`. */
static void run_step(struct sim_engine *e, uint64_t window, sim_time horizon)
{
	sim_time end = e->config.end;
	uint64_t partial = e->partial_window;
	e->config.end = horizon;
	e->partial_window = window;
	for (uint32_t b = e->block_first; b < e->block_end && !e->failed; b++) {
		sim_run_block(e, window, b, false);
		sim_spec_stragglers(e);
	}
	e->config.end = end;
	e->partial_window = partial;
}

sim_time sim_run_in_steps(struct sim_engine *e, uint64_t window, uint64_t *flags)
{
	sim_time end = (window + 1) * e->width < e->config.end ? (window + 1) * e->width : e->config.end, least;
	sim_time reached = window * e->width;
	/* a model may handle early events anywhere within a window, but not outside a part of one */
	uint32_t (*early)(void *, struct sim_event **, uint32_t, const struct sim_ordered *) = e->model.early;
	e->model.early = NULL;
	/* an end request waits until the window is complete: models count by windows */
	for (agree(e, window, &least, flags); least < end && !(*flags & SIM_FLAG_FAIL);
	     agree(e, window, &least, flags)) {
		base_checkf(least >= reached, "an event at %llu ps, after a step to %llu ps", (unsigned long long)least,
		            (unsigned long long)reached);
		reached = end - least > e->config.lookahead ? least + e->config.lookahead : end;
		run_step(e, window, reached);
		sim_progress(e, window, e->count.events_committed);
	}
	e->model.early = early;
	e->count.windows++;
	if (*flags & SIM_FLAG_FAIL)
		return reached;
	for (uint32_t b = e->block_first; b < e->block_end && window != e->partial_window; b++)
		sim_wheel_release_block(e, window, b);
	return end;
}

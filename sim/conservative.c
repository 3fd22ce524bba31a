/* sim/conservative.c - windows in step (YAWNS; Nicol 1993): all ranks run the same window, exchange what they sent, and
 * agree on the next window that has an event anywhere.
 *
 * Every rank tells every other the least window among its own pending events and those it has just sent, behind these
 * on the same FIFO stream; so one message a pair and round both ends the round and finds the next window, and nothing
 * can be in flight unseen. */
#include "sim/schedulers.h"

void sim_exchange(struct sim_engine *e, uint64_t *value, uint64_t *flags)
{
	uint64_t round = ++e->gvt.round, least = *value, all = *flags;
	unsigned before = sim_phase_enter(e, SIM_PHASE_WAIT); /* messages count as communication */
	for (int r = 0; r < e->ranks; r++)
		if (r != e->rank)
			sim_transport_token(e->transport, r, SIM_TOKEN_LAST, *value, round, *flags);
	for (int r = 0; r < e->ranks; r++) {
		if (r == e->rank)
			continue;
		for (unsigned idle = 0; e->peers[r].last_round < round;)
			if (sim_transport_poll(e->transport))
				idle = 0;
			else
				sim_idle(++idle, e->spins);
		/* a peer that has had everybody's token of this round may have sent that of the next already, but not
		 * of the one after */
		if (e->peers[r].last_value[round & 1] < least)
			least = e->peers[r].last_value[round & 1];
		base_checkf(e->peers[r].last_round - round <= 1, "rank %d is in round %llu, we in %llu", r,
		            (unsigned long long)e->peers[r].last_round, (unsigned long long)round);
		all |= e->peers[r].last_flags[round & 1];
	}
	*value = least;
	*flags = all;
	e->count.gvt_rounds++;
	sim_phase_enter(e, before);
}

void sim_run_conservative(struct sim_engine *e)
{
	uint64_t w = e->base, flags = 0;
	sim_phase_enter(e, SIM_PHASE_QUEUE);
	for (;;) {
		uint64_t next = sim_wheel_next(e, w);
		if (e->ctx.sent_min < next)
			next = e->ctx.sent_min;
		e->ctx.sent_min = SIM_WINDOW_NONE;
		sim_progress(e, w, e->count.events_committed);
		flags =
		    sim_end_flags(e) | (e->failed ? SIM_FLAG_FAIL : 0) | (sim_balance_due(e) ? SIM_FLAG_BALANCE : 0);
		if (e->ranks > 1)
			sim_exchange(e, &next, &flags);
		flags = sim_take_asked(e, flags);
		base_checkf(next >= w, "window %llu after %llu", (unsigned long long)next, (unsigned long long)w);
		bool balance = flags & SIM_FLAG_BALANCE;
		flags &= ~(uint64_t)SIM_FLAG_BALANCE;
		if (next >= e->end_window || flags) {
			w = next;
			break;
		}
		if (balance)
			sim_balance(e);
		sim_window_enter(e, next);
		sim_window_run(e, next);
		w = next + 1;
	}
	e->stopped = flags & SIM_FLAG_STOP && w < e->end_window;
	if (flags & SIM_FLAG_FAIL)
		e->failed = true;
	e->reached = e->stopped ? w * e->width : sim_leg_end(e);
}

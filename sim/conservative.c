/* sim/conservative.c - synchronous windows (YAWNS; Nicol 1993): all ranks run the same window, exchange the events they
 * sent, and agree on the next window that has an event anywhere.
 *
 * Up to FEW ranks send every other rank the least window among their own pending events and those they have just sent,
 * after these events on the same FIFO stream. So one message per pair of ranks and round both ends the round and finds
 * the next window, and every event sent in the round has been counted when the round ends.
 *
 * More than FEW ranks do this in two parts. After its events a rank sends an end-of-round token only to its neighbours:
 * the ranks it has ever sent to and that expect it. The least window is found in log2(ranks) steps, in step k with the
 * value of the rank 2^k before this one (dissemination; Hensgen, Finkel, Manber 1988): a minimum may count a value
 * twice. If any rank has sent to one that does not expect it yet, which the combined flags show, all ranks send to
 * all. */
#include "sim/schedulers.h"

#include <limits.h>
#include <stdlib.h>

/* The limit in ranks; TILEFLY_EXCHANGE_FEW in the environment of any rank overrides it, for tests. */
#define FEW 8
#define FEW_CUT 64 /* ranks, limit in gvt.c */

static void await_last(struct sim_engine *e, int r, uint64_t round)
{
	for (unsigned idle = 0; e->peers[r].last_round < round;)
		if (sim_transport_poll(e->transport))
			idle = 0;
		else
			sim_idle(++idle, e->spins);
	/* A peer that has received every rank's token of this round may already have sent its token of the next round,
	 * but not that of the round after the next. */
	base_checkf(e->peers[r].last_round - round <= 1, "rank %d is in round %llu, this rank in %llu", r,
	            (unsigned long long)e->peers[r].last_round, (unsigned long long)round);
}

/* Every rank sends its value to every other. */
static void exchange_directly(struct sim_engine *e, uint64_t *value, uint64_t *flags)
{
	uint64_t round = ++e->gvt.round, least = *value, all = *flags;
	for (int r = 0; r < e->ranks; r++)
		if (r != e->rank)
			sim_transport_token(e->transport, r, SIM_TOKEN_LAST, *value, round, *flags);
	for (int r = 0; r < e->ranks; r++) {
		if (r == e->rank)
			continue;
		await_last(e, r, round);
		if (e->peers[r].last_value[round & 1] < least)
			least = e->peers[r].last_value[round & 1];
		all |= e->peers[r].last_flags[round & 1];
	}
	*value = least;
	*flags = all;
}

static void disseminate(struct sim_engine *e, uint64_t round, uint64_t *value, uint64_t *flags)
{
	for (unsigned k = 0; 1 << k < e->ranks; k++) {
		struct sim_step_report *report = &e->step_report[round & 1][k];
		int to = (e->rank + (1 << k)) % e->ranks;
		sim_transport_token(e->transport, to, SIM_TOKEN_STEP, *value, round << 8 | k, *flags);
		for (unsigned idle = 0; report->round < round;)
			if (sim_transport_poll(e->transport))
				idle = 0;
			else
				sim_idle(++idle, e->spins);
		base_checkf(report->round == round, "step %u of round %llu instead of %llu", k,
		            (unsigned long long)report->round, (unsigned long long)round);
		*value = report->value < *value ? report->value : *value;
		*flags |= report->flags;
	}
}

static void exchange_by_neighbours(struct sim_engine *e, uint64_t *value, uint64_t *flags)
{
	uint64_t round = ++e->gvt.round;
	if (e->new_peers)
		*flags |= SIM_FLAG_NEW_PEERS;
	e->new_peers = false;
	for (int r = 0; r < e->ranks; r++)
		if (e->peers[r].sent_to)
			sim_transport_token(e->transport, r, SIM_TOKEN_LAST, *value, round, 0);
	disseminate(e, round, value, flags);
	for (int r = 0; r < e->ranks; r++)
		if (e->peers[r].sends)
			await_last(e, r, round);
	if (!(*flags & SIM_FLAG_NEW_PEERS))
		return;
	*flags &= ~(uint64_t)SIM_FLAG_NEW_PEERS;
	round = ++e->gvt.round;
	for (int r = 0; r < e->ranks; r++)
		if (r != e->rank)
			sim_transport_token(e->transport, r, SIM_TOKEN_LAST, 0, round, e->peers[r].sent_to);
	for (int r = 0; r < e->ranks; r++)
		if (r != e->rank) {
			await_last(e, r, round);
			e->peers[r].sends = e->peers[r].last_flags[round & 1];
		}
}

void sim_exchange(struct sim_engine *e, uint64_t *value, uint64_t *flags)
{
	unsigned before = sim_phase_enter(e, SIM_PHASE_WAIT); /* messages count as communication */
	if (e->ranks <= e->few)
		exchange_directly(e, value, flags);
	else
		exchange_by_neighbours(e, value, flags);
	e->gvt.whole = false; /* all events sent have arrived, and all senders are known */
	e->gvt.sent_before = SIM_WINDOW_NONE;
	e->count.gvt_rounds++;
	sim_phase_enter(e, before);
}

void sim_exchange_init(struct sim_engine *e)
{
	const char *text = getenv("TILEFLY_EXCHANGE_FEW");
	uint64_t wanted = text && atoi(text) > 0 ? (uint64_t)atoi(text) : INT_MAX;
	if (e->ranks > 1)
		sim_min_u64(&wanted, 1);
	e->few = wanted < INT_MAX ? (int)wanted : FEW;
	e->few_cut = wanted < INT_MAX ? (int)wanted : FEW_CUT;
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

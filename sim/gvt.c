/* sim/gvt.c - global virtual time by consistent cuts on FIFO streams (Chandy and Lamport 1985, after Samadi 1985).
 *
 * A round: each rank, when it has nothing safe left to do, flushes its streams, notes the least window in which it has
 * pending events, and sends CUT to all. Until it has everybody's CUT, it lowers the note by the windows of what arrives
 * - messages that crossed the cut. Then it reports the note to all; the least of all notes is GVT. What lies in
 * unflushed buffers is counted because a CUT flushes them. Nobody stops working meanwhile. */
#include "sim/schedulers.h"

void sim_gvt_note_arrival(struct sim_engine *e, uint64_t window)
{
	if (e->gvt.active && window < e->gvt.contribution)
		e->gvt.contribution = window;
}

void sim_gvt_receive(struct sim_engine *e, int peer, const struct sim_message *m)
{
	struct sim_peer *p = &e->peers[peer];
	if (m->token == SIM_TOKEN_CUT) {
		p->cut_round = m->round;
	} else if (m->token == SIM_TOKEN_REPORT) {
		p->report_round = m->round;
		p->report_value = m->value;
		p->report_flags = m->flags;
	}
}

static bool all_cut(const struct sim_engine *e)
{
	for (int r = 0; r < e->ranks; r++)
		if (e->peers[r].exists && e->peers[r].cut_round < e->gvt.round)
			return false;
	return true;
}

static bool all_reported(const struct sim_engine *e)
{
	for (int r = 0; r < e->ranks; r++)
		if (r != e->rank && e->peers[r].report_round < e->gvt.round)
			return false;
	return true;
}

static void begin(struct sim_engine *e)
{
	struct sim_gvt *g = &e->gvt;
	g->active = true;
	g->reported = false;
	g->round++;
	g->contribution = e->low;
	for (int r = 0; r < e->ranks; r++)
		if (e->peers[r].exists)
			sim_transport_token(e->transport, r, SIM_TOKEN_CUT, 0, g->round, 0);
}

static void finish(struct sim_engine *e)
{
	struct sim_gvt *g = &e->gvt;
	uint64_t least = g->contribution;
	for (int r = 0; r < e->ranks; r++) {
		if (r == e->rank)
			continue;
		if (e->peers[r].report_value < least)
			least = e->peers[r].report_value;
		g->flags |= e->peers[r].report_flags;
	}
	g->active = false;
	g->since = 0;
	g->gvt = least;
	e->count.gvt_rounds++;
}

bool sim_gvt_step(struct sim_engine *e, bool can_speculate)
{
	struct sim_gvt *g = &e->gvt;
	if (!e->transport) { /* alone: everything pending is safe */
		if (e->low == g->gvt && !e->stop && !e->failed)
			return false;
		g->gvt = e->low;
		g->flags = (e->stop ? SIM_FLAG_STOP : 0) | (e->failed ? SIM_FLAG_FAIL : 0);
		e->count.gvt_rounds++;
		return true;
	}
	if (!g->active) {
		if (e->low <= g->gvt && e->safe_windows && !e->config.stress)
			return false;
		if (can_speculate && g->since + 1 < e->config.gvt_interval)
			return false;
		begin(e);
	}
	if (!g->reported && all_cut(e)) {
		g->reported = true;
		g->flags = (e->stop ? SIM_FLAG_STOP : 0) | (e->failed ? SIM_FLAG_FAIL : 0) |
		           (sim_balance_due(e) ? SIM_FLAG_BALANCE : 0);
		for (int r = 0; r < e->ranks; r++)
			if (r != e->rank)
				sim_transport_token(e->transport, r, SIM_TOKEN_REPORT, g->contribution, g->round,
				                    g->flags);
	}
	if (!g->reported || !all_reported(e))
		return false;
	finish(e);
	return true;
}

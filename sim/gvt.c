/* sim/gvt.c - global virtual time by consistent cuts on FIFO streams (Chandy and Lamport 1985, after Samadi 1985).
 *
 * A round: each rank, when it has nothing safe left to do, sends CUT to all, with a bound on what it may still cause:
 * the least window among its pending events and all it has sent since its CUT before. When it has everybody's CUT, the
 * least of all bounds is GVT. A message that crosses the cut was sent after the sender's CUT before, so it is in the
 * sender's bound: one that is older has come before that CUT, which the receiver had before it sent this one. What lies
 * in unflushed buffers is sent by the CUT behind it. Nobody stops working meanwhile. */
#include "sim/schedulers.h"

void sim_gvt_receive(struct sim_engine *e, int peer, const struct sim_message *m)
{
	struct sim_peer *p = &e->peers[peer];
	base_checkf(m->round > p->cut_round && m->round <= e->gvt.round + 1,
	            "rank %d begins round %llu after %llu, we are in %llu", peer, (unsigned long long)m->round,
	            (unsigned long long)p->cut_round, (unsigned long long)e->gvt.round);
	p->cut_round = m->round;
	p->cut_value[m->round & 1] = m->value;
	p->cut_flags[m->round & 1] = m->flags;
}

static bool all_cut(const struct sim_engine *e)
{
	for (int r = 0; r < e->ranks; r++)
		if (e->peers[r].exists && e->peers[r].cut_round < e->gvt.round)
			return false;
	return true;
}

uint64_t sim_gvt_wishes(const struct sim_engine *e)
{
	return sim_end_flags(e) | (e->failed ? SIM_FLAG_FAIL : 0) | (e->storm.raging ? SIM_FLAG_STEPS : 0);
}

/* Has a peer begun the next round, wanting something? */
static bool urged(const struct sim_engine *e)
{
	for (int r = 0; r < e->ranks; r++) {
		const struct sim_peer *p = &e->peers[r];
		if (r != e->rank && p->cut_round > e->gvt.round && p->cut_flags[p->cut_round & 1])
			return true;
	}
	return false;
}

static void begin(struct sim_engine *e)
{
	struct sim_gvt *g = &e->gvt;
	g->active = true;
	g->round++;
	g->bound = e->low < e->ctx.sent_min ? e->low : e->ctx.sent_min;
	e->ctx.sent_min = SIM_WINDOW_NONE;
	g->flags = sim_gvt_wishes(e) | (sim_balance_due(e) ? SIM_FLAG_BALANCE : 0);
	for (int r = 0; r < e->ranks; r++)
		if (e->peers[r].exists)
			sim_transport_token(e->transport, r, SIM_TOKEN_CUT, g->bound, g->round, g->flags);
}

static void finish(struct sim_engine *e)
{
	struct sim_gvt *g = &e->gvt;
	uint64_t least = g->bound, parity = g->round & 1;
	for (int r = 0; r < e->ranks; r++) {
		if (r == e->rank)
			continue;
		if (e->peers[r].cut_value[parity] < least)
			least = e->peers[r].cut_value[parity];
		g->flags |= e->peers[r].cut_flags[parity];
	}
	base_checkf(least >= g->gvt, "GVT falls from window %llu to %llu", (unsigned long long)g->gvt,
	            (unsigned long long)least);
	g->active = false;
	g->since = 0;
	g->gvt = least;
	e->count.gvt_rounds++;
}

bool sim_gvt_step(struct sim_engine *e, bool can_speculate)
{
	struct sim_gvt *g = &e->gvt;
	if (!e->transport) { /* alone: everything pending is safe */
		if (e->low == g->gvt && !sim_gvt_wishes(e))
			return false;
		base_checkf(e->low >= g->gvt, "GVT falls from window %llu to %llu", (unsigned long long)g->gvt,
		            (unsigned long long)e->low);
		g->gvt = e->low;
		g->flags = sim_gvt_wishes(e);
		e->count.gvt_rounds++;
		return true;
	}
	if (!g->active) {
		if (e->low <= g->gvt && e->safe_windows && !e->config.stress)
			return false;
		if (can_speculate && g->since + 1 < e->config.gvt_interval && !sim_gvt_wishes(e) && !urged(e))
			return false;
		begin(e);
	}
	if (!all_cut(e))
		return false;
	finish(e);
	return true;
}

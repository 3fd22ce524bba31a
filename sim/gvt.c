/* sim/gvt.c - global virtual time by consistent cuts on FIFO streams (Chandy and Lamport 1985, after Samadi 1985).
 *
 * A round: each rank without safe work sends CUT to all, with a lower bound of the events that it may still cause: the
 * least window among its pending events and all events sent since its previous CUT. When it has received every rank's
 * CUT, the least of all bounds is GVT. A message that crosses the cut was sent after the sender's previous CUT, so the
 * sender's bound includes it: streams are FIFO, so a message sent before that previous CUT arrived before it, and the
 * receiver had received that CUT before it sent its own CUT of this round. The send buffer is flushed before each CUT.
 * No rank stops working meanwhile.
 *
 * Finding the least bound by dissemination takes log2(ranks) steps, and each step waits until a rank polls between two
 * blocks. So up to some dozens of ranks send their bounds to each other directly. More ranks send CUT to their
 * neighbours only, the ranks that they have ever sent to, and find the least bound by dissemination. A rank that has
 * sent to a peer which does not expect it yet sets a flag. The next round is then a whole one: all send CUT to all, and
 * the bounds reach back to the last CUT but one. When it has ended, that first message has arrived, and from then on
 * its receiver waits for the sender's CUTs. */
#include "sim/schedulers.h"

#define KNOWN ((uint64_t)1 << 32) /* flag of a CUT: its sender has sent events to the receiver */

void sim_gvt_receive(struct sim_engine *e, int peer, const struct sim_message *m)
{
	struct sim_peer *p = &e->peers[peer];
	base_checkf(m->round > p->cut_round && m->round <= e->gvt.round + 1,
	            "rank %d begins round %llu after %llu, this rank is in %llu", peer, (unsigned long long)m->round,
	            (unsigned long long)p->cut_round, (unsigned long long)e->gvt.round);
	p->cut_round = m->round;
	p->cut_value[m->round & 1] = m->value;
	p->cut_flags[m->round & 1] = m->flags;
}

static bool by_neighbours(const struct sim_engine *e)
{
	return e->ranks > e->few_cut;
}

/* Does this round need a CUT from that peer? Only its messages in flight could be missed. */
static bool is_awaited(const struct sim_engine *e, int r)
{
	return e->peers[r].exists && (!by_neighbours(e) || e->gvt.whole || r == e->rank || e->peers[r].sends);
}

static bool all_cut(const struct sim_engine *e)
{
	for (int r = 0; r < e->ranks; r++)
		if (is_awaited(e, r) && e->peers[r].cut_round < e->gvt.round)
			return false;
	return true;
}

/* Continues the dissemination of bound and flags; true: it has reached all ranks. */
static bool dissemination_is_over(struct sim_engine *e)
{
	struct sim_gvt *g = &e->gvt;
	if (!by_neighbours(e))
		return true;
	for (; 1 << g->step < e->ranks; g->step++) {
		struct sim_step_report *report = &e->step_report[g->round & 1][g->step];
		if (!g->step_sent)
			sim_transport_token(e->transport, (e->rank + (1 << g->step)) % e->ranks, SIM_TOKEN_STEP,
			                    g->bound, g->round << 8 | g->step, g->flags);
		g->step_sent = true;
		if (report->round < g->round)
			return false;
		base_checkf(report->round == g->round, "step %u of round %llu instead of %llu", g->step,
		            (unsigned long long)report->round, (unsigned long long)g->round);
		g->bound = report->value < g->bound ? report->value : g->bound;
		g->flags |= report->flags;
		g->step_sent = false;
	}
	return true;
}

uint64_t sim_gvt_wishes(const struct sim_engine *e)
{
	return sim_end_flags(e) | (e->failed ? SIM_FLAG_FAIL : 0) | (e->thrash.on ? SIM_FLAG_STEPS : 0);
}

/* Has a peer begun the next round with a request? */
static bool urged(const struct sim_engine *e)
{
	for (int r = 0; r < e->ranks; r++) {
		const struct sim_peer *p = &e->peers[r];
		if (r != e->rank && p->cut_round > e->gvt.round && p->cut_flags[p->cut_round & 1] & ~(uint64_t)KNOWN)
			return true;
	}
	const struct sim_step_report *report = &e->step_report[(e->gvt.round + 1) & 1][0];
	return by_neighbours(e) && report->round > e->gvt.round && report->flags;
}

static void begin(struct sim_engine *e)
{
	struct sim_gvt *g = &e->gvt;
	g->active = true;
	g->round++;
	g->bound = e->low < e->ctx.sent_min ? e->low : e->ctx.sent_min;
	if (g->whole && g->sent_before < g->bound)
		g->bound = g->sent_before;
	g->sent_before = e->ctx.sent_min;
	e->ctx.sent_min = SIM_WINDOW_NONE;
	g->flags = sim_gvt_wishes(e) | (sim_balance_due(e) ? SIM_FLAG_BALANCE : 0);
	if (by_neighbours(e)) {
		g->flags |= e->new_peers ? SIM_FLAG_NEW_PEERS : 0;
		e->new_peers = false;
	}
	g->step = 0;
	g->step_sent = false;
	uint64_t bound = g->bound, flags = g->flags;
	for (int r = 0; r < e->ranks; r++)
		if (e->peers[r].exists && (!by_neighbours(e) || g->whole || r == e->rank || e->peers[r].sent_to))
			sim_transport_token(e->transport, r, SIM_TOKEN_CUT, bound, g->round,
			                    flags | (e->peers[r].sent_to ? KNOWN : 0));
}

static void finish(struct sim_engine *e)
{
	struct sim_gvt *g = &e->gvt;
	uint64_t least = g->bound, parity = g->round & 1;
	for (int r = 0; r < e->ranks; r++) {
		if (r == e->rank || !is_awaited(e, r))
			continue;
		if (e->peers[r].cut_value[parity] < least)
			least = e->peers[r].cut_value[parity];
		g->flags |= e->peers[r].cut_flags[parity] & ~KNOWN;
		e->peers[r].sends |= (e->peers[r].cut_flags[parity] & KNOWN) != 0;
	}
	g->whole = g->flags & SIM_FLAG_NEW_PEERS;
	g->flags &= ~(uint64_t)SIM_FLAG_NEW_PEERS;
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
	if (!e->transport) { /* one rank: everything pending is safe */
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
	if (!dissemination_is_over(e) || !all_cut(e))
		return false;
	finish(e);
	return true;
}

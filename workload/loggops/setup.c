/* workload/loggops/setup.c - assigns ranks to logical processes, and a number to every message of the schedule. */
#include "workload/loggops/trace.h"

#include "base/memory.h"

#include <stdlib.h>

static uint32_t root_of(uint32_t *up, uint32_t r)
{
	for (; up[r] != r; r = up[r])
		up[r] = up[up[r]];
	return r;
}

/* It does nothing, and nothing is sent to it. Rank 0 is never said to be: there is a process at least. */
static bool is_idle(const struct model *m, uint32_t r)
{
	const struct wl_goal *g = m->goal;
	return r && g->first_op[r] == g->first_op[r + 1] && m->messages.first[r] == m->messages.first[r + 1];
}

/* Ranks that are connected by a rendezvous form one process; all ranks do if some have several processors, whose
 * operations may begin before the instant at which they are released. */
static void group(struct model *m)
{
	const struct wl_goal *g = m->goal;
	uint32_t *up = base_calloc(g->ranks, sizeof *up);
	m->lp_of = base_calloc(g->ranks, sizeof *m->lp_of);
	m->first_rank = base_calloc((size_t)g->ranks + 2, sizeof *m->first_rank);
	m->member = base_calloc(g->ranks, sizeof *m->member);
	bool together = g->cpus > 1 || m->p.compat; /* then receives' sizes count, too, and the order of all ranks */
	for (uint32_t r = 0; r < g->ranks; r++)
		up[r] = together ? 0 : r;
	for (uint32_t r = 0; r < g->ranks; r++)
		for (uint32_t i = g->first_op[r]; i < g->first_op[r + 1]; i++) {
			if (g->op[i].kind != WL_GOAL_SEND || g->op[i].size <= m->p.S)
				continue;
			uint32_t a = root_of(up, r), b = root_of(up, g->op[i].peer);
			up[a > b ? a : b] = a > b ? b : a; /* a root is the least of its group */
		}
	for (uint32_t r = 0; r < g->ranks; r++) {
		if (is_idle(m, r)) {
			m->lp_of[r] = NONE;
			continue;
		}
		m->lp_of[r] = root_of(up, r) == r ? m->lps++ : m->lp_of[root_of(up, r)];
		m->first_rank[m->lp_of[r] + 2]++;
	}
	for (uint32_t i = 0; i < m->lps; i++)
		m->first_rank[i + 2] += m->first_rank[i + 1];
	for (uint32_t r = 0; r < g->ranks; r++)
		if (m->lp_of[r] != NONE)
			m->member[m->first_rank[m->lp_of[r] + 1]++] = r;
	free(up);
}

static void make_pending(struct model *m)
{
	const struct wl_goal *g = m->goal;
	m->first_pending = base_calloc((size_t)m->lps + 1, sizeof *m->first_pending);
	for (uint32_t lp = 0; lp < m->lps; lp++) {
		size_t n = 0;
		for (uint32_t k = m->first_rank[lp]; k < m->first_rank[lp + 1]; k++) {
			uint32_t r = m->member[k];
			n += (size_t)(g->first_op[r + 1] - g->first_op[r]) + m->messages.first[r + 1] -
			     m->messages.first[r];
		}
		m->first_pending[lp + 1] = m->first_pending[lp] + n + 1;
	}
	m->pending = base_map(m->first_pending[m->lps] * sizeof *m->pending);
	m->lp = base_calloc(m->lps, sizeof *m->lp);
	for (uint32_t i = 0; i < m->lps; i++)
		m->lp[i].wake = UINT64_MAX;
}

void wl_loggops_make(struct model *m)
{
	const struct wl_goal *g = m->goal;
	m->alone = m->p.sync == SIM_SEQUENTIAL && !m->p.audit && sim_ranks() == 1;
	m->as_reference = m->p.compat && m->p.kind == WL_LOGGOPS;
	wl_goal_messages_make(&m->messages, g);
	group(m);
	if (!m->alone)
		make_pending(m);
	m->host = base_calloc(g->ranks, sizeof *m->host);
	m->clocks = g->cpus + 2 * (size_t)g->nics;
	m->clock = base_calloc(g->ranks * m->clocks, sizeof *m->clock);
	m->waits = base_calloc((size_t)g->ops + 1, sizeof *m->waits);
	if (m->p.kind == WL_LOGGOPS_ATLAHS || (g->cpus > 1 && !m->p.compat))
		m->earliest = base_calloc((size_t)g->ops + 1, sizeof *m->earliest);
	m->next_op = base_calloc((size_t)g->ops + 1, sizeof *m->next_op);
	m->next_message = base_calloc((size_t)g->ops + 1, sizeof *m->next_message);
	if (m->p.traced && m->p.kind != WL_LOGGOPS_ATLAHS)
		m->trace = trace_make(m);
	for (uint32_t k = 0; k < m->first_rank[m->lps]; k++) {
		struct host *h = &m->host[m->member[k]];
		h->posted = h->posted_last = h->arrived = h->arrived_last = NONE;
	}
	for (uint32_t i = 0; i < g->ops; i++)
		m->waits[i] = g->op[i].waits;
}

void wl_loggops_destroy(struct model *m)
{
	if (!m->alone)
		base_unmap(m->pending, m->first_pending[m->lps] * sizeof *m->pending);
	void *all[] = { m->earliest, m->lp_of, m->first_rank, m->member,  m->first_pending, m->lp,
		        m->host,     m->clock, m->waits,      m->next_op, m->next_message };
	trace_free(m->trace);
	wl_goal_messages_free(&m->messages);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}

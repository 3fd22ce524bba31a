/* workload/loggops/loggops.c - see loggops.h
 *
 * Pending events of ranks are ordered by (time, time of their creation, time of creation of their creator, its rank,
 * that rank's count): an order that does not depend on the assignment of ranks to logical processes, nor on how these
 * are executed. With `compat` of LogGOPS it is that of LogGOPSim: (time, count of all created events). */
#include "workload/loggops/loggops.h"
#include "workload/loggops/trace.h"

#include "base/available.h"
#include "base/format.h"
#include "base/memory.h"
#include "sim/sim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- results -------------------------------------------------------------------------------------------------- */

#define LISTED 20u
#define LEAST 2u /* ps of o + L: the least lookahead of sim/, and so on one rank, too */

/* Receives that wait, messages that do, of the ranks of this process, some lines of them. */
static void tell_waits(const struct model *m, uint32_t first, uint32_t end, FILE *out)
{
	char text[128];
	unsigned listed = 0;
	for (uint32_t k = m->first_rank[first]; k < m->first_rank[end] && listed < LISTED; k++) {
		uint32_t r = m->member[k];
		const struct host *h = &m->host[r];
		for (uint32_t at = h->posted; at != NONE && listed < LISTED; at = m->next_op[at], listed++)
			fprintf(out, "rank %" PRIu32 ": %s: no matching message was sent\n", r,
			        wl_goal_describe(m->goal, at, text, sizeof text));
		for (uint32_t at = h->arrived; at != NONE && listed < LISTED; at = m->next_message[at], listed++)
			fprintf(out, "rank %" PRIu32 ": %s: not received\n",
			        wl_goal_rank_of(m->goal, m->messages.send[at]),
			        wl_goal_describe(m->goal, m->messages.send[at], text, sizeof text));
	}
}

static uint64_t end_digest(uint32_t rank, uint64_t end)
{
	return mix_bits(mix_bits(end) + rank);
}

/* Those of the processes first .. end - 1 are known here; the sums are over all MPI ranks. */
static void collect_results(const struct model *m, uint32_t first, uint32_t end, struct wl_loggops_result *out)
{
	const struct wl_goal *g = m->goal;
	uint64_t sums[6] = { 0 };
	char *mine = NULL;
	void *all = NULL;
	size_t n = 0, all_bytes = 0;
	out->end = base_calloc(g->ranks, sizeof *out->end);
	for (uint32_t k = m->first_rank[first]; k < m->first_rank[end]; k++) {
		uint32_t r = m->member[k];
		for (uint32_t c = 0; c < g->cpus; c++) {
			uint64_t t = *cpu_of(m, r, c);
			out->end[r] = t > out->end[r] ? t : out->end[r];
		}
		sums[0] += m->host[r].messages;
		sums[1] += m->host[r].bytes;
		sums[2] += m->host[r].digest + end_digest(r, out->end[r]);
		sums[3] += m->host[r].done;
		sums[4] += m->host[r].count;
		for (uint32_t at = m->host[r].arrived; at != NONE; at = m->next_message[at])
			sums[5] += g->op[m->messages.send[at]].size <= m->p.S;
	}
	for (uint32_t r = 0; r < g->ranks && !sim_rank(); r++)
		if (m->lp_of[r] == NONE)
			sums[2] += end_digest(r, 0);
	sim_sum_u64(sums, 6);
	sim_sum_u64(out->end, g->ranks);
	for (uint32_t r = 0; r < g->ranks; r++)
		out->completion = out->end[r] > out->completion ? out->end[r] : out->completion;
	out->messages = sums[0];
	out->bytes = sums[1];
	out->digest = sums[2];
	out->unfinished = g->ops - sums[3];
	out->events = sums[4];
	out->unreceived = sums[5];
	if (m->trace)
		out->application = trace_tell(m, out->end, out->completion);
	FILE *text = base_memory_stream(&mine, &n);
	if (text && out->outcome == SIM_DONE)
		tell_waits(m, first, end, text);
	if (text)
		fclose(text);
	sim_gather_bytes(mine, n, &all, &all_bytes);
	free(mine);
	if (all_bytes) {
		out->waits = base_alloc(all_bytes + 1);
		memcpy(out->waits, all, all_bytes);
	}
	free(all);
}

/* What every run takes, at least; of ranks that do nothing memory is not touched. */
static uint64_t least_bytes(const struct model *m)
{
	const struct wl_goal *g = m->goal;
	uint64_t sends = 0, busy = 0;
	for (uint32_t r = 0; r < g->ranks; r++)
		busy += g->first_op[r] != g->first_op[r + 1];
	for (uint32_t i = 0; i < g->ops; i++)
		sends += g->op[i].kind == WL_GOAL_SEND;
	return (uint64_t)g->ops *
	           (sizeof *m->waits + sizeof *m->next_op + sizeof *m->next_message + sizeof *m->messages.place) +
	       sends * sizeof *m->messages.send +
	       g->ranks * (sizeof *m->lp_of + sizeof *m->messages.first + sizeof(uint64_t) /* its end */) +
	       busy * (sizeof *m->host + sizeof *m->member + (g->cpus + 2 * (uint64_t)g->nics) * sizeof *m->clock);
}

/* Refuses what would end without a word if memory ran out: a kernel that promises more than it has. Collective. */
static int check_memory(const struct model *m, struct base_errors *errors)
{
	struct base_available available = base_available("");
	const char *by;
	uint64_t needed = least_bytes(m), left = base_available_to(&available, 1, &by),
		 ranks = (uint64_t)sim_host_ranks();
	if (left != BASE_UNLIMITED && available.shared / ranks < left) {
		left = available.shared / ranks;
		by = available.shared_by;
	}
	sim_min_u64(&left, 1);
	if (needed <= left)
		return 0;
	return base_errorf(errors, NULL,
	                   "its %" PRIu32 " ranks and %" PRIu32
	                   " operations need %.4g MB more for the replay on an analytical network model, but %.4g MB "
	                   "are available (%s)",
	                   m->goal->ranks, m->goal->ops, (double)needed * 1e-6, (double)left * 1e-6, by);
}

int wl_loggops_run(const struct wl_goal *goal, const struct wl_loggops_params *p, struct wl_loggops_result *out,
                   struct base_errors *errors)
{
	struct model m = { .goal = goal, .p = *p };
	*out = (struct wl_loggops_result){ 0 };
	if (p->L >= LATEST / 4 || p->o >= LATEST / 4 || p->g >= LATEST / 4 || p->L + p->o < LEAST)
		return base_errorf(errors, "L", "o + L must be at least 2 ps, and each of L, o, g less than 2^60 ps");
	if (!(p->G >= 0 && p->G <= 1e9 && p->O >= 0 && p->O <= 1e9))
		return base_errorf(errors, "G", "the time per byte must be from 0 to 10^9 ps");
	if (p->kind == WL_SIMPLENET)
		m.p.g = 0;
	if (p->kind == WL_SIMPLENET || (p->kind == WL_LOGGP && p->compat))
		m.p.o = 0;
	if (p->kind != WL_LOGGOPS && p->kind != WL_LOGGOPS_ATLAHS) {
		m.p.O = 0;
		m.p.S = UINT64_MAX;
	}
	if (p->kind == WL_LOGGOPS && p->compat && goal->ops > UINT32_MAX / 2)
		return base_errorf(errors, "compat",
		                   "the order of %" PRIu32 " operations cannot be kept; the maximum is %" PRIu32,
		                   goal->ops, UINT32_MAX / 2);
	if (m.p.L + m.p.o < LEAST)
		return base_errorf(errors, "L", "must be at least 2 ps with this kind, which adds no o to it");
	m.G = (uint64_t)(p->G * 0x1p20 + 0.5);
	m.O = (uint64_t)(m.p.O * 0x1p20 + 0.5);
	if (check_memory(&m, errors))
		return -1;
	wl_loggops_make(&m);
	size_t before = errors->errors;
	uint32_t first = 0, end = m.lps;
	if (m.alone)
		(m.as_reference ? wl_loggops_compat : m.trace ? wl_loggops_traced : wl_loggops_sequential)(&m);
	else
		out->outcome = wl_loggops_parallel(&m, &first, &end, &out->counters, errors);
	bool ran = errors->errors == before || out->outcome != SIM_FAILED;
	if (ran)
		collect_results(&m, first, end, out);
	if (m.alone) /* without an engine, which counts its own */
		out->counters.events_processed = out->counters.events_committed = out->events;
	wl_loggops_destroy(&m);
	if (ran && out->completion >= LATEST / 2) /* what would come later than LATEST has not */
		return base_errorf(errors, NULL, "the schedule takes longer than 2^61 ps (26 days)");
	return ran ? 0 : -1;
}

void wl_loggops_free(struct wl_loggops_result *result)
{
	net_application_free(result->application);
	free(result->end);
	free(result->waits);
	*result = (struct wl_loggops_result){ 0 };
}

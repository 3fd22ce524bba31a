/* tests/mpi/mpi_engine.c - PHOLD and the model of ties on any number of ranks, under every scheduler, with forced
 * rollbacks, windows of several widths: the digest of the sequential run, always. */
#include "sim/phold.h"
#include "tests/mpi/reference.h"
#include "tests/sim/ties.h"
#include "tests/tier.h"

#ifndef SEEDS
#define SEEDS 3u /* mpi_engine_long.c: more */
#endif
#define FEW 3u

struct answers {
	uint64_t ties[SEEDS], ties_executed[SEEDS], gaps[FEW], few[FEW], phold[SEEDS], phold_events[SEEDS],
	    stopped[FEW];
};

enum threads {
	ONE_THREAD,
	POOLED,
	THREADS_EACH
}; /* of every rank; of rank 0, which has all LPs; two or three of every rank */

struct way {
	enum sim_sync sync;
	uint32_t stress, optimism, gvt_interval;
	sim_time window; /* in lookaheads / 10 */
	enum sim_balance balance;
	enum threads threads;
};

static const struct way ways[] = {
	{ SIM_CONSERVATIVE, 0, 0, 0, 0, 0, ONE_THREAD },
	{ SIM_CONSERVATIVE, 0, 0, 0, 3, SIM_BALANCE_SHAKE, ONE_THREAD },
	{ SIM_OPTIMISTIC, 0, 0, 0, 0, 0, ONE_THREAD },
	{ SIM_OPTIMISTIC, 0, 1, 0, 0, SIM_BALANCE_SHAKE, ONE_THREAD },
	{ SIM_OPTIMISTIC, 0, 50, 20, 0, SIM_BALANCE_SHAKE, ONE_THREAD },
	{ SIM_OPTIMISTIC, 0, 0, 0, 7, 0, ONE_THREAD },
	{ SIM_OPTIMISTIC, 0, 0, 0, 25, SIM_BALANCE_SHAKE, ONE_THREAD },
	{ SIM_OPTIMISTIC, 0, 3, 2, 60, SIM_BALANCE_SHAKE, ONE_THREAD },
	{ SIM_OPTIMISTIC, 1, 0, 0, 0, 0, ONE_THREAD },
	{ SIM_OPTIMISTIC, 10, 0, 0, 0, 0, ONE_THREAD },
	{ SIM_OPTIMISTIC, 50, 0, 0, 0, 0, ONE_THREAD },
	{ SIM_OPTIMISTIC, 20, 0, 3, 15, 0, ONE_THREAD },
	{ SIM_OPTIMISTIC, 60, 1, 0, 200, 0, ONE_THREAD },
	{ SIM_OPTIMISTIC, 0, 2, 0, 500, SIM_BALANCE_SHAKE, ONE_THREAD },
	{ SIM_CONSERVATIVE, 0, 0, 0, 0, SIM_BALANCE_SHAKE, ONE_THREAD },
	{ SIM_OPTIMISTIC, 0, 0, 0, 0, SIM_BALANCE_SHAKE, ONE_THREAD },
	{ SIM_OPTIMISTIC, 0, 0, 0, 7, SIM_BALANCE_ON, ONE_THREAD },
	{ SIM_CONSERVATIVE, 0, 0, 0, 0, 0, POOLED },
	{ SIM_OPTIMISTIC, 0, 0, 0, 3, 0, POOLED },
	{ SIM_CONSERVATIVE, 0, 0, 0, 0, 0, THREADS_EACH },
	{ SIM_CONSERVATIVE, 0, 0, 0, 3, SIM_BALANCE_SHAKE, THREADS_EACH },
};
#define WAYS (sizeof ways / sizeof *ways)

static struct ties ties_of(unsigned seed)
{
	return (struct ties){ .lps = 40 + 7 * seed,
		              .tokens = 4,
		              .seed = seed,
		              .lookahead = 1000,
		              .end = 150000 + 333 * seed,
		              .block_lps = 1u << seed % 5 };
}

/* Long gaps, and fewer LPs than some have ranks. */
static struct ties gaps_of(unsigned seed)
{
	return (
	    struct ties){ .lps = 5, .tokens = 2, .seed = seed, .lookahead = 1000, .end = SPAN(200000000, 600000000) };
}

static struct ties few_of(unsigned seed)
{
	return (struct ties){ .lps = 1 + seed, .tokens = 5, .seed = seed, .lookahead = 1000, .end = 200000 };
}

static struct sim_phold phold_of(unsigned seed)
{
	struct sim_phold p;
	sim_phold_defaults(&p);
	p.lps = 200 + 31 * seed;
	p.start_events = 8;
	p.remote_ppm = 100000 + 150000 * seed;
	p.end = 20000000;
	p.seed = seed;
	return p;
}

static uint64_t moved;

static void run_ties(struct ties *m)
{
	struct base_errors errors = { 0 };
	REFERENCE_CHECK(ties_run(m, &errors), "no engine");
	REFERENCE_CHECK(errors.n == 0, "%s", errors.v[0].text);
	base_errors_free(&errors);
}

static struct sim_phold_result run_phold(const struct sim_phold *p)
{
	struct sim_phold_result r;
	struct base_errors errors = { 0 };
	sim_phold_run(p, &r, &errors);
	REFERENCE_CHECK(r.outcome == SIM_DONE && errors.n == 0, "outcome %d: %s", (int)r.outcome,
	                errors.n ? errors.v[0].text : "");
	base_errors_free(&errors);
	return r;
}

static void answer(struct answers *a)
{
	for (unsigned s = 0; s < SEEDS; s++) {
		struct ties m = ties_of(s);
		run_ties(&m);
		a->ties[s] = m.digest;
		a->ties_executed[s] = m.executed;
		struct sim_phold p = phold_of(s);
		struct sim_phold_result r = run_phold(&p);
		a->phold[s] = r.digest;
		a->phold_events[s] = r.events;
	}
	for (unsigned s = 0; s < FEW; s++) {
		struct ties m = gaps_of(s);
		run_ties(&m);
		a->gaps[s] = m.digest;
		m = few_of(s);
		run_ties(&m);
		a->few[s] = m.digest;
	}
}

static void compare_ties(struct ties m, const struct way *w, uint64_t want, const char *name)
{
	m.sync = w->sync;
	m.stress = w->stress;
	m.optimism = w->optimism;
	m.gvt_interval = w->gvt_interval;
	m.window = m.lookahead * w->window / 10;
	m.balance = w->balance;
	m.pooled = w->threads == POOLED;
	m.threads = m.pooled ? sim_cores_pool() + (sim_ranks() == 1) : w->threads == THREADS_EACH ? 2 + m.seed % 2 : 0;
	snprintf(reference_case, sizeof reference_case,
	         "%s, seed %u, sync %d, stress %u, window %u ps, optimism %u, balance %d, %u threads", name,
	         (unsigned)m.seed, (int)w->sync, w->stress, (unsigned)m.window, w->optimism, (int)w->balance,
	         m.threads);
	run_ties(&m);
	moved += m.counters.lps_moved;
	REFERENCE_CHECK(m.outcome == SIM_DONE, "outcome %d", (int)m.outcome);
	REFERENCE_CHECK(m.digest == want, "digest %016lx, sequential %016lx", m.digest, want);
	REFERENCE_CHECK(m.commit_order, "commits out of order, or leftovers too early");
	REFERENCE_CHECK(m.counters.events_committed == m.executed, "%lu committed, %lu executed",
	                m.counters.events_committed, m.executed);
}

static void compare_phold(struct sim_phold p, const struct way *w, uint64_t want, uint64_t events)
{
	p.sync = w->sync;
	p.stress = w->stress;
	p.optimism = w->optimism;
	p.gvt_interval = w->gvt_interval;
	p.window = p.lookahead * w->window / 10;
	snprintf(reference_case, sizeof reference_case, "phold, seed %u, sync %d, stress %u, window %u ps, optimism %u",
	         (unsigned)p.seed, (int)w->sync, w->stress, (unsigned)p.window, w->optimism);
	struct sim_phold_result r = run_phold(&p);
	REFERENCE_CHECK(r.digest == want && r.events == events, "digest %016lx of %lu events, sequential %016lx of %lu",
	                r.digest, r.events, want, events);
	REFERENCE_CHECK(r.counters.events_committed == events, "%lu committed, %lu executed",
	                r.counters.events_committed, events);
}

static enum sim_wish stop_after(void *arg, sim_time committed, uint64_t events)
{
	(void)events;
	return committed < *(const sim_time *)arg ? SIM_GO_ON : SIM_END_AT_PAUSE;
}

/* All ranks stop at one time, nothing is lost: created tokens are either still there or were passed on, and each LP's
 * events make one hash: a sequential run that ends there must agree, which rank 0 cannot make any more; so two ways of
 * getting there are compared. */
static void check_stop(const struct way *w)
{
	sim_time at = 20000;
	struct ties m = ties_of(3);
	m.lps = 200;
	m.tokens = 20;
	m.end = 1000000000;
	m.sync = w->sync;
	m.stress = w->stress;
	m.window = m.lookahead * w->window / 10;
	m.balance = w->balance;
	m.progress = stop_after;
	m.progress_arg = &at;
	snprintf(reference_case, sizeof reference_case, "stop, sync %d, stress %u", (int)w->sync, w->stress);
	run_ties(&m);
	REFERENCE_CHECK(m.outcome == SIM_INTERRUPTED && m.reached >= at && m.reached < m.end, "outcome %d at %lu ps",
	                (int)m.outcome, m.reached);
	struct ties again = ties_of(3);
	again.lps = m.lps;
	again.tokens = m.tokens;
	again.end = m.reached;
	again.sync = SIM_CONSERVATIVE;
	run_ties(&again);
	REFERENCE_CHECK(again.digest == m.digest && again.executed == m.executed,
	                "digest %016lx of %lu events, in a run that ends there %016lx of %lu", m.digest, m.executed,
	                again.digest, again.executed);
	REFERENCE_CHECK(m.commit_order, "commits out of order");
}

/* The rule that the help text of engine.sync tells. */
static void check_auto(void)
{
	enum sim_sync little = sim_auto_sync(SIM_AUTO_EVENTS - 1), much = sim_auto_sync(SIM_AUTO_EVENTS);
	bool good = sim_ranks() == 1 ? little == SIM_SEQUENTIAL && much == SIM_SEQUENTIAL
	                             : little == SIM_OPTIMISTIC && much == SIM_CONSERVATIVE;
	if (!good) {
		fprintf(stderr, "auto: on %d ranks %d with little to do, %d with much\n", sim_ranks(), (int)little,
		        (int)much);
		reference_failures++;
	}
}

int main(int argc, char **argv)
{
	struct answers a = { 0 };
	reference_watch(SEEDS > 3 ? 1700 : 170);
	if (reference_here())
		answer(&a);
	if (sim_mpi_start(&argc, &argv))
		return 1;
	sim_broadcast(&a, sizeof a);
	check_auto();
	for (unsigned s = 0; s < SEEDS; s++)
		for (size_t k = 0; k < WAYS; k++) {
			compare_ties(ties_of(s), &ways[k], a.ties[s], "ties");
			if ((s + k) % 2)
				compare_phold(phold_of(s), &ways[k], a.phold[s], a.phold_events[s]);
		}
	for (unsigned s = 0; s < FEW; s++)
		for (size_t k = 0; k < WAYS; k++) {
			if (k % 3 == s)
				compare_ties(gaps_of(s), &ways[k], a.gaps[s], "gaps");
			compare_ties(few_of(s), &ways[k], a.few[s], "few LPs");
		}
	for (size_t k = 0; k < WAYS; k += 3)
		check_stop(&ways[k]);
	snprintf(reference_case, sizeof reference_case, "all");
	REFERENCE_CHECK(sim_ranks() == 1 || moved > 1000, "only %lu LPs changed their rank: this tests nothing", moved);
	return reference_end();
}

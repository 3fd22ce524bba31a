/* tests/sim/test_schedulers.c - one digest: sequential, conservative and optimistic, with rollbacks forced, windows of
 * any width. One rank; tests/mpi/ has the rest. */
#include "sim/phold.h"
#include "tests/sim/fixture.h"
#include "tests/sim/ties.h"
#include "tests/tier.h"

static struct ties ties_defaults(uint64_t seed)
{
	return (struct ties){ .lps = 60, .tokens = 4, .seed = seed, .lookahead = 1000, .end = 400000 + seed % 5 * 333 };
}

static void run(struct ties *m)
{
	struct base_errors errors = { 0 };
	cr_assert(ties_run(m, &errors));
	cr_assert_eq(m->outcome, SIM_DONE, "%s", errors.n ? errors.v[0].text : "");
	base_errors_free(&errors);
}

static uint64_t undone, cancelled; /* by all runs of a test */

static void same(const struct ties *want, struct ties m, const char *what)
{
	run(&m);
	cr_assert_eq(m.executed, want->executed, "%s, seed %lu, stress %u, window %lu: %lu events, not %lu", what,
	             m.seed, m.stress, m.window, m.executed, want->executed);
	cr_assert_eq(m.digest, want->digest, "%s, seed %lu, stress %u, window %lu", what, m.seed, m.stress, m.window);
	cr_assert(m.commit_order, "%s: commits out of order", what);
	cr_assert_eq(m.counters.events_committed, m.executed);
	cr_assert_eq(m.counters.events_processed - m.counters.events_rolled_back, m.executed);
	undone += m.counters.events_rolled_back;
	cancelled += m.counters.anti_messages;
}

Test(ties, have_one_digest_sequential_and_conservative)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct ties want = ties_defaults(seed);
		run(&want);
		cr_assert_gt(want.executed, 5000);
		cr_assert_gt(want.leftovers, 50);
		struct ties m = ties_defaults(seed);
		m.sync = SIM_CONSERVATIVE;
		same(&want, m, "conservative");
		m.sync = SIM_SEQUENTIAL;
		for (m.block_lps = 1; m.block_lps <= 128; m.block_lps *= 4)
			same(&want, m, "block size");
		m.block_lps = 0;
		for (m.window = 2; m.window < 1000; m.window = m.window * 5 + 3)
			same(&want, m, "narrow windows");
		m.window = 5000; /* more than the lookahead: sequential must not take it */
		same(&want, m, "wide window refused");
	}
}

Test(ties, have_one_digest_optimistic)
{
	for (uint64_t seed = 1; seed <= 8; seed++) {
		struct ties want = ties_defaults(seed);
		run(&want);
		struct ties m = ties_defaults(seed);
		m.sync = SIM_OPTIMISTIC;
		m.block_lps = 1u << seed % 7;
		same(&want, m, "optimistic");
		for (m.window = 200; m.window < 20000; m.window *= 3)
			same(&want, m, "optimistic, windows");
		m.window = 0;
		static const uint32_t stress[] = { 1, 2, 5, 10, 20, 35, 50, 100 };
		for (size_t k = 0; k < sizeof stress / sizeof *stress; k++) {
			m.stress = stress[k];
			same(&want, m, "stress");
		}
		m.stress = 25;
		m.window = 2500;
		m.optimism = 3;
		same(&want, m, "stress and wide windows");
		m.window = 400;
		m.gvt_interval = 7;
		same(&want, m, "stress and narrow windows");
	}
	cr_assert_gt(undone, 1000, "only %lu events were rolled back: this tests nothing", undone);
	cr_assert_gt(cancelled, 1000);
}

/* Windows of many lookaheads in which most events are late: what is undone stays in proportion, and the run ends. */
Test(storm, of_rollbacks_ends)
{
	static const struct {
		uint32_t stress;
		sim_time window;
	} storms[] = { { 60, 20000 }, { 100, 20000 }, { 30, 100000 }, { 0, 100000 }, { 100, 400000 } };
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct ties want = ties_defaults(seed);
		want.tokens = 20;
		want.lps = 30 + 10 * (uint32_t)seed;
		want.end = 100000 + 333 * seed;
		run(&want);
		for (size_t k = 0; k < sizeof storms / sizeof *storms; k++) {
			struct ties m = want;
			m.sync = SIM_OPTIMISTIC;
			m.stress = storms[k].stress;
			m.window = storms[k].window;
			m.optimism = 1 + (uint32_t)seed % 2;
			m.gvt_interval = seed == 3 ? 1000 : 1;
			undone = 0;
			same(&want, m, "storm");
			cr_expect_gt(undone, want.executed / 10, "no storm: stress %u, window %lu", m.stress, m.window);
			cr_expect_lt(undone, 25 * want.executed, "%lu of %lu events undone: stress %u, window %lu",
			             undone, want.executed, m.stress, m.window);
		}
	}
}

Test(ties, have_one_digest_on_threads)
{
	for (uint64_t seed = 1; seed <= SPAN(5, 12); seed++) {
		struct ties want = ties_defaults(seed);
		run(&want);
		struct ties m = ties_defaults(seed);
		m.sync = seed % 2 ? SIM_CONSERVATIVE : SIM_SEQUENTIAL;
		for (m.threads = 2; m.threads <= 7; m.threads++) {
			m.block_lps = 1u << seed % 5;
			same(&want, m, "threads");
			m.block_lps = 0;
			same(&want, m, "threads, blocks as they like");
			m.window = 73 * m.threads; /* the end does not fall on a window's */
			same(&want, m, "threads, narrow windows");
			m.window = 0;
		}
		m = want;
		m.lps = 3;
		m.tokens = 2;
		m.end = 300000000;
		run(&m);
		struct ties gaps = m;
		m.threads = 2 + (uint32_t)seed % 3; /* as many as LPs, and more */
		same(&gaps, m, "threads, gaps");
	}
}

static enum sim_wish until(void *arg, sim_time committed, uint64_t events)
{
	(void)events;
	return committed < *(const sim_time *)arg ? SIM_GO_ON : SIM_END_AT_PAUSE;
}

Test(threads, stop_together_and_leave_what_is_pending)
{
	sim_time at = 100000;
	struct ties m = ties_defaults(1);
	m.lps = 600;
	m.end = (sim_time)1 << 40; /* days: only progress() can end it */
	m.threads = 3;
	m.progress = until;
	m.progress_arg = &at;
	struct base_errors errors = { 0 };
	cr_assert(ties_run(&m, &errors));
	cr_assert_eq(m.outcome, SIM_INTERRUPTED);
	cr_assert(m.reached >= at && m.reached < m.end);
	struct ties want = m;
	want.threads = 0;
	want.progress = NULL;
	want.end = m.reached;
	cr_assert(ties_run(&want, &errors));
	cr_expect_eq(m.executed, want.executed);
	cr_expect_eq(m.leftovers, want.leftovers);
	cr_expect_eq(m.digest, want.digest, "the state at %lu ps is another", m.reached);
}

Test(threads, tell_what_is_broken)
{
	struct ties m = ties_defaults(2);
	struct base_errors errors = { 0 };
	m.fault = 50000;
	m.threads = 4;
	cr_assert(ties_run(&m, &errors));
	cr_assert_eq(m.outcome, SIM_FAILED);
	cr_assert(errors.n >= 1 && errors.n <= 4, "%zu errors", errors.n);
	cr_expect(strstr(errors.v[0].text, "as asked for"), "%s", errors.v[0].text);
	base_errors_free(&errors);
}

Test(threads, need_a_model_that_can)
{
	static const sim_lpid first[] = { 0, 4 };
	struct sim_config config = { .first_lp = first, .lookahead = 10, .end = 100, .threads = 2 };
	struct sim_model model = { .handle = ties_handle };
	struct base_errors errors = { 0 };
	cr_assert(!sim_create(&config, &model, &errors));
	cr_expect_str_eq(errors.v[0].key, "engine.threads");
	base_errors_free(&errors);
}

Test(ties, pass_the_audit)
{
	for (uint64_t seed = 1; seed <= 4; seed++) {
		struct ties want = ties_defaults(seed);
		run(&want);
		struct ties m = ties_defaults(seed);
		m.audit = true;
		same(&want, m, "audit");
	}
}

/* Gaps of up to 150,000 windows, so that the far lists and what is behind them fill and empty. */
Test(ties, cross_long_gaps)
{
	for (uint64_t seed = 1; seed <= 6; seed++) {
		struct ties want = ties_defaults(seed);
		want.lps = 3;
		want.tokens = 2;
		want.end = 3000000000;
		run(&want);
		cr_assert_gt(want.executed, 200);
		for (enum sim_sync sync = SIM_CONSERVATIVE; sync <= SIM_OPTIMISTIC; sync++) {
			struct ties m = want;
			m.sync = sync;
			same(&want, m, "gaps");
			m.stress = 30;
			if (sync == SIM_OPTIMISTIC)
				same(&want, m, "gaps, stress");
		}
		struct ties m = want;
		m.window = 7; /* the same in narrow windows: the gaps are a hundred times wider */
		same(&want, m, "wider gaps");
	}
}

/* A lookahead of seconds: offsets in a window no longer fit beside an LP and an index. */
Test(ties, bear_lookaheads_of_seconds)
{
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct ties a = ties_defaults(seed), b = ties_defaults(seed);
		b.lookahead = a.lookahead * 4000000000; /* 4 s */
		a.end = 300000;
		b.end = a.end * 4000000000;
		run(&a);
		run(&b);
		cr_assert_eq(a.executed > 5000, b.executed > 5000);
		struct ties m = b;
		m.sync = SIM_OPTIMISTIC;
		same(&b, m, "seconds");
		m.stress = 20;
		same(&b, m, "seconds");
		m.stress = 0;
		m.window = 1ull << 38;
		same(&b, m, "half the window");
	}
}

/* --- stopping
 * ------------------------------------------------------------------------------------------------------------------ */

struct stopper {
	sim_time at;
	uint32_t calls;
};

static enum sim_wish stop_after(void *arg, sim_time committed, uint64_t events)
{
	struct stopper *s = arg;
	(void)events;
	s->calls++;
	return committed < s->at ? SIM_GO_ON : SIM_END_AT_PAUSE;
}

static void check_stop(enum sim_sync sync, uint32_t stress, sim_time window, uint64_t seed)
{
	struct stopper s = { .at = 20000 };
	struct ties m = ties_defaults(seed);
	m.lps = 300;
	m.tokens = 30;
	m.end = 300000000; /* far more than 50 ms of work */
	m.sync = sync;
	m.stress = stress;
	m.window = window;
	m.progress = stop_after;
	m.progress_arg = &s;
	struct base_errors errors = { 0 };
	cr_assert(ties_run(&m, &errors));
	cr_assert_eq(m.outcome, SIM_INTERRUPTED);
	cr_assert_lt(m.reached, m.end);
	cr_assert_geq(m.reached, s.at);
	cr_assert_geq(s.calls, 1);
	/* what it leaves is exactly a run that ends where it was stopped */
	struct ties want = ties_defaults(seed);
	want.lps = m.lps;
	want.tokens = m.tokens;
	want.end = m.reached;
	run(&want);
	cr_assert_eq(m.executed, want.executed);
	cr_assert_eq(m.digest, want.digest, "sync %d, stress %u, stopped at %lu", (int)sync, stress, m.reached);
	cr_assert(m.commit_order);
	cr_assert_eq(m.leftovers, want.leftovers);
}

Test(stop, leaves_what_a_run_to_that_time_would)
{
	check_stop(SIM_SEQUENTIAL, 0, 0, 1);
	check_stop(SIM_CONSERVATIVE, 0, 0, 2);
	check_stop(SIM_OPTIMISTIC, 0, 0, 3);
	check_stop(SIM_OPTIMISTIC, 0, 5000, 4);
	for (uint64_t seed = 5; seed < 9; seed++)
		check_stop(SIM_OPTIMISTIC, 10 * (uint32_t)(seed - 4), seed % 2 ? 0 : 3000, seed);
	check_stop(SIM_OPTIMISTIC, 60, 20000, 9);
	check_stop(SIM_OPTIMISTIC, 0, 300000, 10);
}

/* --- PHOLD
 * -----------------------------------------------------------------------------------------------------------------------
 */

static struct sim_phold phold_defaults(uint64_t seed)
{
	struct sim_phold p;
	sim_phold_defaults(&p);
	p.lps = 64 + (uint32_t)(seed % 3) * 61;
	p.start_events = 4;
	p.remote_ppm = 100000 * (1 + (uint32_t)seed % 9);
	p.end = 30000000;
	p.seed = seed;
	return p;
}

static struct sim_phold_result phold(const struct sim_phold *p)
{
	struct sim_phold_result r;
	struct base_errors errors = { 0 };
	cr_assert_eq(sim_phold_run(p, &r, &errors), 0);
	cr_assert_eq(r.outcome, SIM_DONE);
	cr_assert_eq(r.counters.events_committed, r.events);
	return r;
}

Test(phold, has_one_digest)
{
	static const uint32_t stress[] = { 0, 1, 3, 10, 25, 50 };
	for (uint64_t seed = 1; seed <= 12; seed++) {
		struct sim_phold p = phold_defaults(seed);
		struct sim_phold_result want = phold(&p), r;
		p.sync = SIM_CONSERVATIVE;
		r = phold(&p);
		cr_assert_eq(r.digest, want.digest);
		p.sync = SIM_OPTIMISTIC;
		for (size_t k = 0; k < sizeof stress / sizeof *stress; k++)
			for (p.window = 0; p.window < 1600000; p.window = p.window * 4 + 70000 * (seed % 2 + 1)) {
				p.stress = stress[k];
				r = phold(&p);
				cr_assert_eq(r.digest, want.digest, "seed %lu, stress %u, window %lu", seed, p.stress,
				             p.window);
				cr_assert_eq(r.events, want.events);
				undone += r.counters.events_rolled_back;
				if (p.stress && p.window)
					break;
			}
		p.stress = 0;
		p.window = 0;
		p.sync = SIM_SEQUENTIAL;
		p.audit = true;
		cr_assert_eq(phold(&p).digest, want.digest);
	}
	cr_assert_gt(undone, 1000);
}

/* Each event begets one: the population is constant, so committed events over time follow from the mean delay. */
Test(phold, keeps_its_population_and_rate)
{
	struct sim_phold p;
	sim_phold_defaults(&p);
	p.lps = 512;
	p.start_events = 16;
	p.end = 200000000; /* 200 mean delays of 1 us */
	struct sim_phold_result r = phold(&p);
	double expected = 512.0 * 16 * 200;
	cr_assert_float_eq((double)r.events, expected, 0.01 * expected, "%lu events", r.events);
}

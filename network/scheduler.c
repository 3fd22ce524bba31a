/* network/scheduler.c - selects the engine's scheduler for a run, and checks the consistency of the keys of `engine`.
 */
#include "network/net.h"

#include <stdio.h>

#define FAR_NS 120.0  /* of a line from core to core: with a cache in common 40 to 70, without 200 and more */
#define RECORDS 320.0 /* of a window, by the square of the threads: 16 in each of some 20 T blocks x T wheels */

/* Expected per lookahead on all switches. */
static double events_of_lookahead(const struct net *n)
{
	return (net_expected_events(n) - 1) * n->topo.switches;
}

int net_check_engine(const struct net *n, struct base_errors *errors)
{
	static const char *const names[] = { "sequential", "conservative" };
	const struct net_engine *g = &n->config->engine;
	if (g->stress && (g->sync == NET_SYNC_SEQUENTIAL || g->sync == NET_SYNC_CONSERVATIVE))
		return base_errorf(
		    errors, "engine.stress",
		    "%lld has no effect with sync = \"%s\", which never rolls back; \"optimistic\" and \"auto\" do",
		    (long long)g->stress, names[g->sync]);
	if (g->stress && g->audit)
		return base_errorf(errors, "engine.stress",
		                   "%lld has no effect with an audit, which already rolls back every event",
		                   (long long)g->stress);
	if (g->stress && g->threads > 1)
		return base_errorf(errors, "engine.threads",
		                   "%lld threads are not supported with engine.stress; only one thread is possible",
		                   (long long)g->threads);
	return 0;
}

enum sim_sync net_choose_sync(const struct net *n)
{
	const struct net_engine *g = &n->config->engine;
	base_check(!g->stress || g->sync == NET_SYNC_AUTO || g->sync == NET_SYNC_OPTIMISTIC); /* else refused before */
	switch ((enum sim_sync_choice)g->sync) {
	case NET_SYNC_SEQUENTIAL:
		return SIM_SEQUENTIAL;
	case NET_SYNC_CONSERVATIVE:
		return SIM_CONSERVATIVE;
	case NET_SYNC_OPTIMISTIC:
		return SIM_OPTIMISTIC;
	case NET_SYNC_AUTO:
		break;
	}
	return g->stress ? SIM_OPTIMISTIC : sim_auto_sync(events_of_lookahead(n) / sim_ranks());
}

/* Of ranks: do they share all switches? */
enum sharing {
	SHARED,
	APART_BY_KEY, /* engine.threads */
	APART_BY_KIND,
	APART_BY_HOST,
	APART_BY_WINDOW,
	APART_BY_SIZE,
	APART_BY_DISTANCE
};

/* What only ranks that stay apart, or one thread, can do; NULL: nothing of this kind is requested. */
static const char *for_one(const struct net_engine *g)
{
	return g->sync == NET_SYNC_SEQUENTIAL    ? "sync = \"sequential\""
	       : g->audit                        ? "an audit"
	       : g->stress                       ? "stress"
	       : g->balance == SIM_BALANCE_SHAKE ? "balance = \"shake\""
	                                         : NULL;
}

/* Who asks for Time Warp shall have it. */
static bool is_for_one(const struct net_engine *g)
{
	return for_one(g) || g->sync == NET_SYNC_OPTIMISTIC;
}

/* Have so many threads enough to do in a window? Each has a bucket of every block, and blocks of its own. */
static enum sharing suits(const struct net *n, double threads)
{
	if (n->config->engine.window > n->lookahead)
		return APART_BY_WINDOW;
	return events_of_lookahead(n) < RECORDS * threads * threads ? APART_BY_SIZE : SHARED;
}

/* Sharing pays off if threads have enough work, and if cache lines move fast from core to core, because threads move
 * more cache lines than messages. */
static enum sharing judge(const struct net *n, int ranks)
{
	const struct net_engine *g = &n->config->engine;
	if (g->threads != BASE_AUTO)
		return APART_BY_KEY;
	if (is_for_one(g))
		return APART_BY_KIND;
	double pool = ranks == 1 ? 1 : sim_cores_pool();
	base_checkf(pool >= 1 && pool <= ranks, "%g threads in place of %d ranks", pool, ranks);
	if (pool < 2)
		return APART_BY_HOST;
	enum sharing by_pool = suits(n, pool);
	return by_pool == SHARED && sim_cores_line_ns() > FAR_NS ? APART_BY_DISTANCE : by_pool;
}

/* The number of idle cores to use for a run of one rank, as long as each has enough work. The time of a cache line from
 * core to core does not matter here: the choice is between these cores and a single one, not between threads and ranks.
 */
static int take_idle_cores(const struct net *n)
{
	int threads = is_for_one(&n->config->engine) ? 1 : (int)sim_cores_idle();
	while (threads > 1 && suits(n, threads) != SHARED)
		threads--;
	return threads;
}

int net_choose_threads(const struct net *n, int ranks, struct base_errors *errors)
{
	const struct net_engine *g = &n->config->engine;
	if (g->threads == BASE_AUTO && ranks == 1)
		return take_idle_cores(n);
	if (g->threads == BASE_AUTO)
		return judge(n, ranks) == SHARED ? (int)sim_cores_pool() : 1;
	if (g->threads > 1 && for_one(g))
		return base_errorf(errors, "engine.threads",
		                   "%lld threads are not supported with %s; only one thread is possible",
		                   (long long)g->threads, for_one(g));
	if (g->threads > sim_cores_here())
		base_warnf(errors, "engine.threads",
		           "%lld threads exceed the %u available core%s of this process (mpirun binds ranks to cores: "
		           "--bind-to none prevents it)",
		           (long long)g->threads, sim_cores_here(), sim_cores_here() == 1 ? "" : "s");
	return (int)g->threads;
}

bool net_pools_cores(const struct net *n, int ranks, int threads)
{
	return ranks > 1 && threads > 1 && n->config->engine.threads == BASE_AUTO;
}

void net_explain_choice(const struct net *n, char *out, size_t size)
{
	const struct net_engine *g = &n->config->engine;
	double ns = sim_cores_line_ns(), events = events_of_lookahead(n), pool;
	int at = 0;
	if (sim_ranks() == 1) {
		snprintf(out, size, "%s",
		         n->threads.n <= 1         ? "one rank"
		         : g->threads == BASE_AUTO ? "threads on idle cores"
		                                   : "threads as requested");
		return;
	}
	switch (judge(n, sim_ranks())) {
	case SHARED:
		if (ns > 0)
			snprintf(out, size,
			         "shared: a cache line takes %.0f ns from core to core, at most %.0f are permitted", ns,
			         FAR_NS);
		else
			snprintf(out, size, "shared: the time of a cache line from core to core could not be measured");
		return;
	case APART_BY_KEY:
		if (n->threads.n > 1) {
			snprintf(out, size, "separate, with %u threads each, as requested by engine.threads",
			         n->threads.n);
			return;
		}
		at = snprintf(out, size, "separate, as requested by engine.threads");
		break;
	case APART_BY_KIND:
		at = snprintf(out, size, "separate, as required by %s",
		              for_one(g) ? for_one(g) : "sync = \"optimistic\"");
		break;
	case APART_BY_HOST:
		at = snprintf(out, size, "separate: ranks are not on one host, or do not have their own cores");
		break;
	case APART_BY_WINDOW:
		at = snprintf(out, size, "separate: engine.window is wider than the lookahead");
		break;
	case APART_BY_SIZE:
		pool = sim_cores_pool();
		at = snprintf(out, size, "separate: %.0f events per lookahead, but sharing needs %.0f", events,
		              RECORDS * pool * pool);
		break;
	case APART_BY_DISTANCE:
		at = snprintf(out, size, "separate: a cache line takes %.0f ns from core to core, more than %.0f", ns,
		              FAR_NS);
		break;
	}
	if (g->sync == NET_SYNC_AUTO && !g->stress)
		snprintf(out + at, size - (size_t)at, "; %s: %.0f events per rank and lookahead, %s %.0f",
		         n->result.sync, events / sim_ranks(),
		         events / sim_ranks() < SIM_AUTO_EVENTS ? "fewer than" : "at least", SIM_AUTO_EVENTS);
}

/* network/threads.c - what each thread of a rank has of its own: the rest of struct net they share.
 *
 * An LP's memory is touched by one thread at a time. What belongs to no LP is not: sums, which every thread has its own
 * of until the end, the scratch of handlers, and that of switch models. */
#include "base/memory.h"
#include "network/net.h"

#include <assert.h>
#include <stdlib.h>

#define RECORDS 320.0 /* of a window, by the square of the threads: 16 in each of some 20 T blocks x T wheels */

/* Would ranks of one host better share? Not where buckets would be nearly empty: every thread has one of each block,
 * and every thread has blocks. */
static bool better_shared(const struct net *n, double threads)
{
	return threads > 1 && n->config->engine.window <= n->lookahead &&
	       (net_expected_events(n) - 1) * n->topo.switches >= RECORDS * threads * threads;
}

int net_choose_threads(const struct net *n, int ranks, struct base_errors *errors)
{
	const struct net_engine *g = &n->config->engine;
	const char *apart = g->sync == NET_SYNC_SEQUENTIAL    ? "sync = \"sequential\""
	                    : g->audit                        ? "an audit"
	                    : g->stress                       ? "stress"
	                    : g->balance == SIM_BALANCE_SHAKE ? "balance = \"shake\""
	                                                      : NULL;
	if (g->threads == BASE_AUTO) {
		bool time_warp = g->sync == NET_SYNC_OPTIMISTIC; /* who asks for it shall have it */
		uint32_t pool = apart || time_warp || ranks == 1 ? 1 : sim_cores_pool();
		return better_shared(n, pool) ? (int)pool : 1;
	}
	if (g->threads > 1 && apart)
		return base_errorf(errors, "engine.threads", "%lld threads, but %s is for one", (long long)g->threads,
		                   apart);
	if (g->threads > 1 && ranks > 1)
		return base_errorf(errors, "engine.threads",
		                   "%lld threads on %d ranks; allowed are 1 (every rank runs switches of its own), "
		                   "\"auto\" (those of one host share all switches), or one rank of %lld threads",
		                   (long long)g->threads, ranks, (long long)g->threads);
	if (g->threads > sim_cores_here())
		base_warnf(
		    errors, "engine.threads",
		    "%lld threads, but this process may use %u core%s (mpirun binds ranks to cores: --bind-to none)",
		    (long long)g->threads, sim_cores_here(), sim_cores_here() == 1 ? "" : "s");
	return (int)g->threads;
}

void *net_worker(void *self, struct sim_ctx *ctx)
{
	const struct net *n = self;
	struct net *w = base_alloc(sizeof *w);
	*w = *n;
	w->call.ctx = ctx;
	w->call.common = &w->common;
	w->call.host = w;
	w->env.host = w;
	w->bounds = NULL;
	w->cap_bounds = 0;
	w->ends = base_calloc(n->topo.max_ports, sizeof *w->ends);
	w->packets = NULL;
	w->npackets = w->cap_packets = 0;
	net_shared_create(w);
	if (!w->joined) { /* its constants hold scratch, too */
		struct base_errors none = { 0 };
		w->common.impl = NULL;
		int status = w->common.ops->build(&w->common, &none);
		assert(status == 0); /* it was built from the same before */
		(void)status;
		base_errors_free(&none);
	}
	return w;
}

void net_retire(void *self, void *worker)
{
	struct net *n = self, *w = worker;
	for (size_t i = 0; i < n->shared.words; i++)
		n->shared.all[i] += w->shared.all[i];
	for (size_t i = 0; i < w->npackets; i++)
		net_commit(n, 0, &w->packets[i], sizeof *w->packets);
	if (!w->joined && w->common.ops->destroy)
		w->common.ops->destroy(&w->common);
	base_unmap(w->shared.all, w->shared.words * 8);
	free(w->packets);
	free(w->bounds);
	free(w->ends);
	free(w);
}

void net_forget(void *self)
{
	struct net *n = self;
	n->common.ops->forget(&n->common);
}

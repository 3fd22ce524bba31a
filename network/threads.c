/* network/threads.c - the state that each thread of a rank has separately; the rest of struct net is shared.
 *
 * The memory of an LP is accessed by one thread at a time. State that belongs to no LP is separate for each thread:
 * sums (merged at the end), the scratch memory of handlers, and that of switch models. */
#include "base/memory.h"
#include "network/legs.h"

#include <stdlib.h>

void *net_worker(void *self, struct sim_ctx *ctx)
{
	const struct net *n = self;
	struct net *w = base_alloc(sizeof *w);
	*w = *n;
	w->call.ctx = ctx;
	w->call.common = &w->common;
	w->call.host = w;
	w->env.host = w;
	w->ahead.bounds = NULL;
	w->ahead.cap_bounds = 0;
	w->ends = base_calloc(n->topo.max_ports, sizeof *w->ends);
	w->records.packets = w->records.messages = (struct net_packets){ 0 };
	net_rank_records_create(w);
	w->records.astray = NULL;
	w->records.nastray = w->records.cap_astray = 0;
	net_ring_create(w, n->ring.width);
	net_shared_create(w);
	net_batches_create(w);
	if (!w->path.joined) { /* its constants hold scratch, too */
		struct base_errors none = { 0 };
		w->common.impl = NULL;
		int status = w->common.ops->build(&w->common, &none);
		base_check(status == 0 || n->config->sw.plugin->loaded); /* it was built from the same before */
		if (status) {
			base_refute(n->config->sw.plugin, "build() returns %d, a failure, for a second thread", status);
			w->common.impl = n->common.impl; /* until the run is stopped */
		}
		base_errors_free(&none);
	}
	return w;
}

void net_release_worker(void *self, void *worker)
{
	struct net *n = self, *w = worker;
	base_check(w->shared.words == n->shared.words && w->shared.all != n->shared.all);
	net_gather(n, w);
	net_ring_move(n, w);
	free(w->records.astray);
	n->wrong |= w->wrong;
	if (w->common.impl != n->common.impl) { /* states that this thread has made may point into it */
		n->threads.ended = base_realloc(n->threads.ended, (n->threads.nended + 1) * sizeof *n->threads.ended);
		n->threads.ended[n->threads.nended++] = w->common;
	}
	base_unmap(w->shared.all, w->shared.words * 8);
	net_packets_free(&w->records.packets);
	net_packets_free(&w->records.messages);
	net_rank_records_destroy(w);
	net_ring_destroy(w);
	net_batches_destroy(w);
	free(w->ahead.bounds);
	free(w->ends);
	free(w);
}

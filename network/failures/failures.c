/* network/failures/failures.c - builds what failures need, and says what cannot be combined with them. See failures.h.
 */
#include "network/net.h"

#include "base/memory.h"
#include "network/part.h"

#include <stdlib.h>

#define REACTION UINT64_C(10000000) /* ps: the default of routing.reaction */

int net_failures_build(struct net *n, struct base_errors *errors)
{
	struct net_failures *f = &n->failures;
	if (net_failures_check(n, errors))
		return -1;
	if (!net_failures_cut(n->config)) {
		if (n->config->routing_reaction == REACTION)
			return 0;
		return base_errorf(errors, "routing.reaction",
		                   "has an effect only with failures of mode \"down\", \"flap\" or \"random\"");
	}
	f->on = true;
	return net_failures_schedule(n, errors) || net_failures_divide(n, errors) ? -1 : 0;
}

static void free_state(struct net_state *s)
{
	rt_destroy(&s->rt);
	rt_destroy(&s->minimal);
	if (s->built)
		topo_destroy(&s->topo);
	free(s->dead);
	free(s);
}

static void free_outages(struct net_outages *o)
{
	free(o->first);
	free(o->v);
}

void net_failures_destroy(struct net *n)
{
	struct net_failures *f = &n->failures;
	for (uint32_t k = 0; k < f->states; k++)
		free_state(f->state[k]);
	free(f->state);
	free(f->epoch);
	free(f->minimal);
	free(f->first);
	free(f->of_channel);
	free(f->of_terminal);
	free_outages(&f->losing);
	free_outages(&f->kept);
	free_outages(&f->seen);
}

/* --- what cannot be combined --------------------------------------------------------------------------------- */

static int check_retry(const struct net *n, struct base_errors *errors)
{
	const char *why = n->config->congestion.plugin && n->nic.wants ? "congestion.kind waits for acknowledgements"
	                  : n->traffic.process                         ? "processes (traffic) wait for messages"
	                  : n->nic.ordered                             ? "a class keeps order (classes[].ordering)"
	                  : n->config->time.precision > 0 ? "time.precision takes lost packets for a backlog"
	                                                  : NULL;
	if (n->config->nic.retry != NET_RETRY_OFF || !why)
		return 0;
	return base_errorf(errors, "nic.retry", "must not be off where failures lose packets, because %s", why);
}

int net_failures_settle(struct net *n, struct base_errors *errors)
{
	struct net_failures *f = &n->failures;
	if (!f->on)
		return 0;
	for (uint32_t k = 1; k < f->states; k++) {
		struct rt *rt = &f->state[k]->rt;
		rt->bias = n->rt.bias;
		rt->neighbour_hold = n->rt.neighbour_hold;
		rt->neighbour_quantum = n->rt.neighbour_quantum;
	}
	int status = check_retry(n, errors);
	if (n->path.paths)
		status = base_errorf(errors, "nic.ordering",
		                     "\"path\" keeps a flow on its path, which failures may cut; use \"receiver\"");
	return status;
}

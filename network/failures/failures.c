/* network/failures/failures.c - builds the data of failures (failures.h), and reports keys that cannot be combined with
 * failures. */
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
	if (n->config->nfailures)
		net_failures_draw(n);
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
	free(f->upto);
	free(f->first);
	free(f->of_channel);
	free(f->of_terminal);
	free_outages(&f->losing);
	free_outages(&f->kept);
	free_outages(&f->seen);
}

/* --- what link-level retry keeps ----------------------------------------------------------------------------- */

/* Sets bits of lists of cables whose class of links has retry. */
static void find_kept(const struct net *n, bool *kept)
{
	const struct net_failures *f = &n->failures;
	for (topo_switch s = 0; s < n->topo.switches; s++)
		for (topo_port p = 0; p < topo_ports(&n->topo, s); p++) {
			uint32_t list = f->of_channel[f->first[s] + p];
			uint32_t link = net_link_of(n, topo_peer(&n->topo, s, p).link_class);
			if (list && n->common.wires->of[link].on)
				kept[list - 1] = true;
		}
}

void net_failures_keep(struct net *n)
{
	struct net_failures *f = &n->failures;
	if (!f->on || !n->common.wires)
		return;
	struct net_outages old = f->losing;
	bool *kept = base_calloc((size_t)f->lists + 1, sizeof *kept);
	find_kept(n, kept);
	f->losing = (struct net_outages){ base_calloc((size_t)f->lists + 1, sizeof(uint32_t)),
		                          base_calloc(old.n + 1, sizeof *old.v), 0 };
	f->kept = (struct net_outages){ base_calloc((size_t)f->lists + 1, sizeof(uint32_t)),
		                        base_calloc(old.n + 1, sizeof *old.v), 0 };
	for (uint32_t k = 0; k < f->lists; k++) {
		for (uint32_t i = old.first[k]; i < old.first[k + 1]; i++) {
			bool keeps = kept[k] && old.v[i].until - old.v[i].from <= n->config->routing_reaction;
			struct net_outages *to = keeps ? &f->kept : &f->losing;
			to->v[to->n++] = old.v[i];
		}
		f->losing.first[k + 1] = (uint32_t)f->losing.n;
		f->kept.first[k + 1] = (uint32_t)f->kept.n;
	}
	n->wires.all.outage = f->kept.v;
	free(kept);
	free_outages(&old);
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
	return base_errorf(errors, "nic.retry", "must not be off if failures lose packets, because %s", why);
}

/* With time.drain the run ends when every packet has been delivered. A packet to or from an endpoint that is cut off
 * for good is sent again for ever. A warning: there may be no such packet, as where no job uses the endpoint. */
static void warn_of_drain(const struct net *n, struct base_errors *errors)
{
	const struct net_failures *f = &n->failures;
	const struct net_epoch *last = &f->epoch[f->epochs - 1];
	bool cut_off = last->state && f->state[last->state]->cut_off;
	for (uint32_t k = f->cables; k < f->lists && !cut_off; k++)
		cut_off =
		    f->seen.first[k + 1] > f->seen.first[k] && f->seen.v[f->seen.first[k + 1] - 1].until == SIM_NEVER;
	if (cut_off && n->path.retry && n->config->time.drain == NET_DRAIN_ON)
		base_warnf(
		    errors, "time.drain",
		    "failures cut endpoints off for good: if packets to or from them are left, they are sent again "
		    "for ever, and this run does not end; set failures[].until, time.drain = false or nic.retry = "
		    "\"off\"");
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
	warn_of_drain(n, errors);
	if (n->path.paths)
		status = base_errorf(
		    errors, "nic.ordering",
		    "\"path\" keeps every flow on one path, which a failure may interrupt; use \"receiver\"");
	return status;
}

/* network/failures/epochs.c - how routing follows failures: epochs, and the topology and routing of each state. See
 * failures.h. */
#include "network/net.h"

#include "base/memory.h"
#include "topo/failed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_EPOCHS 65536u
#define MOST_STATES 256u

struct change { /* of routing's view of an element */
	uint64_t at;
	uint32_t list;
	bool dead;
};

static int by_time(const void *a, const void *b)
{
	const struct change *x = a, *y = b;
	if (x->at != y->at)
		return x->at > y->at ? 1 : -1;
	return (x->list > y->list) - (x->list < y->list);
}

static struct change *find_changes(const struct net_failures *f, size_t *n)
{
	struct change *v = base_calloc(2 * f->seen.n + 1, sizeof *v);
	*n = 0;
	for (uint32_t k = 0; k < f->lists; k++)
		for (uint32_t i = f->seen.first[k]; i < f->seen.first[k + 1]; i++) {
			v[(*n)++] = (struct change){ f->seen.v[i].from, k, true };
			if (f->seen.v[i].until != SIM_NEVER)
				v[(*n)++] = (struct change){ f->seen.v[i].until, k, false };
		}
	qsort(v, *n, sizeof *v, by_time);
	return v;
}

static uint64_t hash_of_list(uint32_t list)
{
	uint64_t h = (list + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
	h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	return h ^ h >> 27;
}

/* The state with these dead cables; MOST_STATES: there would be too many. */
static uint32_t state_of(struct net_failures *f, const uint8_t *dead, uint64_t hash)
{
	for (uint32_t k = 0; k < f->states; k++)
		if (f->state[k]->hash == hash && !memcmp(f->state[k]->dead, dead, f->cables))
			return k;
	if (f->states == MOST_STATES)
		return MOST_STATES;
	struct net_state *s = base_alloc(sizeof *s);
	s->dead = base_calloc((size_t)f->cables + 1, 1);
	memcpy(s->dead, dead, f->cables);
	s->hash = hash;
	f->state = base_realloc(f->state, (f->states + 1) * sizeof(struct net_state *));
	f->state[f->states] = s;
	return f->states++;
}

static int add_epoch(struct net_failures *f, uint64_t from, uint32_t state, struct base_errors *errors)
{
	if (state == MOST_STATES)
		return base_errorf(errors, "failures",
		                   "more than %u different sets of cables are dead at some time, and each needs routes "
		                   "of its own; use fewer failures, or a longer routing.reaction, below which outages "
		                   "do not change routes",
		                   MOST_STATES);
	if (f->epochs == MOST_EPOCHS)
		return base_errorf(errors, "failures",
		                   "routes change at more than %u times; use fewer failures, or a longer "
		                   "routing.reaction, below which outages do not change routes",
		                   MOST_EPOCHS);
	f->epoch = base_realloc(f->epoch, (f->epochs + 1) * sizeof *f->epoch);
	f->epoch[f->epochs++] = (struct net_epoch){ from, state };
	return 0;
}

static int find_epochs(struct net_failures *f, struct base_errors *errors)
{
	size_t changes;
	struct change *v = find_changes(f, &changes);
	uint8_t *dead = base_calloc((size_t)f->cables + 1, 1);
	uint64_t hash = 0;
	int status = add_epoch(f, 0, state_of(f, dead, 0), errors);
	for (size_t i = 0; i < changes && !status;) {
		uint64_t at = v[i].at;
		for (; i < changes && v[i].at == at; i++) {
			if (v[i].list >= f->cables)
				continue;
			base_checkf(dead[v[i].list] != v[i].dead, "list %u changes to what it is", v[i].list);
			dead[v[i].list] = v[i].dead;
			hash ^= hash_of_list(v[i].list);
		}
		status = add_epoch(f, at, state_of(f, dead, hash), errors);
	}
	free(dead);
	free(v);
	return status;
}

/* --- states -------------------------------------------------------------------------------------------------- */

/* What routing around failures cannot do. */
static int check_routing(const struct net *n, struct base_errors *errors)
{
	const struct rt *rt = &n->rt;
	const char *name = rt->plugin->name, *why = NULL;
	if (rt->plugin->loaded)
		why = "comes from a shared object";
	else if (rt->own_routes || rt->ops->wants_latencies)
		why = "has routes of its own, which do not know what fails";
	else if (rt->plugin == &rt_d_mod_k)
		why = "needs a whole tree";
	else if (rt->ops->turn || !rt->common)
		why = "has no rule for virtual channels on a network that is not whole";
	if (why)
		return base_errorf(errors, "routing.kind",
		                   "\"%s\" %s: with cables or switches that go down (failures) use minimal, valiant, "
		                   "ugal-l, ugal-g, par, slingshot, aries, slimfly-adaptive, minimal-adaptive (not on "
		                   "a torus), ecmp or "
		                   "spray",
		                   name, why);
	if (n->config->sw.plugin->loaded)
		return base_errorf(errors, "switch.kind",
		                   "\"%s\" comes from a shared object, and such switches are not supported with "
		                   "failures in which cables or switches go down",
		                   n->config->sw.plugin->name);
	if (net_waits(&n->config->sw) == SW_WAITS_BY_LINK && !n->config->routing_unsafe)
		return base_errorf(
		    errors, "switch.kind",
		    "\"%s\" pauses whole links here, so while failures change routes, packets of old and new routes "
		    "can wait for each other in a cycle; use another switch, pfc = false or routing.unsafe = true",
		    n->config->sw.plugin->name);
	return 0;
}

static int build_state(struct net *n, struct net_state *s, struct base_errors *errors)
{
	const struct net_failures *f = &n->failures;
	size_t channels = f->first[n->topo.switches];
	uint8_t *dead = base_calloc(channels + 1, 1);
	for (size_t i = 0; i < channels; i++)
		dead[i] = f->of_channel[i] && s->dead[f->of_channel[i] - 1];
	int status = topo_fail(&s->topo, &n->topo, f->first, dead, errors);
	free(dead);
	if (status)
		return -1;
	s->built = true;
	for (topo_switch k = 0; k < n->topo.switches; k++)
		s->cut_off += s->topo.cut_off[k] ? topo_endpoints_at(&n->topo, k) : 0;
	const void *params = n->rt.plugin == &rt_minimal ? f->minimal : n->rt.params; /* it has no rings any more */
	if (rt_build(&s->rt, n->rt.plugin, params, &s->topo, errors) ||
	    rt_build(&s->minimal, &rt_minimal, f->minimal, &s->topo, errors))
		return -1;
	return 0;
}

/* Routes of a state that do not climb in their VCs are enumerated. */
static int prove_state(struct net *n, const struct net_state *s, struct base_errors *errors)
{
	struct rt_proof proof;
	if (net_waits(&n->config->sw) == SW_WAITS_NEVER || n->config->routing_unsafe)
		return 0;
	if (s->rt.ops->vc_climbs && s->rt.ops->vc_climbs(&s->rt) && !n->setup.plan)
		return 0;
	int status = rt_prove(&s->rt, s->rt.vcs, &proof, errors);
	if (!status && !proof.deadlock_free)
		status = base_errorf(errors, "kind", "can deadlock on the part of the network that has not failed");
	rt_proof_free(&proof);
	return status;
}

/* Do VCs of the whole network's routes never fall along a route? */
static bool never_falls(const struct rt *rt)
{
	return !rt->proof_note && (rt->vcs == 1 || rt->topo->vc_rule != TOPO_VC_DATELINE);
}

/* VCs for all states, and hops of the longest route. */
static int find_vcs(struct net *n, struct base_errors *errors)
{
	struct net_failures *f = &n->failures;
	uint32_t around = 0, hops = n->rt.max_hops;
	for (uint32_t k = 1; k < f->states; k++) {
		const struct net_state *s = f->state[k];
		around = s->rt.vcs > around ? s->rt.vcs : around;
		around = s->minimal.vcs > around ? s->minimal.vcs : around;
		hops = s->rt.max_hops > hops ? s->rt.max_hops : hops;
		hops = s->minimal.max_hops > hops ? s->minimal.max_hops : hops;
	}
	f->offset = never_falls(&n->rt) ? 0 : n->rt.vcs;
	uint32_t whole = n->rt.vcs, needed = f->offset + around;
	n->rt.max_hops = hops;
	if (f->states == 1)
		return 0;
	n->rt.vcs = needed > whole ? needed : whole;
	if (net_waits(&n->config->sw) != SW_WAITS_BY_VC || n->config->routing_unsafe)
		return 0;
	uint32_t given = net_vcs(&n->config->sw, n->rt.vcs);
	if (n->rt.vcs > SW_MAX_VCS)
		return base_errorf(errors, "failures",
		                   "routing \"%s\" has routes of up to %u hops around failures, with one virtual "
		                   "channel for each hop, and needs %u virtual channels%s; at most %u are supported. A "
		                   "routing with shorter routes, such as \"minimal\", needs fewer",
		                   n->rt.plugin->name, around, n->rt.vcs,
		                   f->offset ? ", including those of the network without failures" : "", SW_MAX_VCS);
	if (given < n->rt.vcs)
		return base_errorf(errors, "switch.vcs",
		                   "%u are too few: routing \"%s\" needs %u virtual channels for routes around "
		                   "failures, which have up to %u hops; \"auto\" selects as many",
		                   given, n->rt.plugin->name, n->rt.vcs, around);
	return 0;
}

int net_failures_divide(struct net *n, struct base_errors *errors)
{
	struct net_failures *f = &n->failures;
	int status = check_routing(n, errors);
	if (status || find_epochs(f, errors))
		return -1;
	if (f->states > 1) {
		f->minimal = base_alloc(rt_minimal.params_bytes);
		if (base_params_defaults(rt_minimal.params, f->minimal, errors))
			return -1;
	}
	for (uint32_t k = 1; k < f->states && !status; k++) {
		errors->scope = "failures";
		status = build_state(n, f->state[k], errors);
		errors->scope = "routing";
		if (!status)
			status = prove_state(n, f->state[k], errors);
		errors->scope = NULL;
	}
	return status ? status : find_vcs(n, errors);
}

/* network/vcs.c - virtual channels of a network: how many its switches have, and whether routing is free of deadlock
 * with them. The proof uses the channels for which packets of the switch model wait. */
#include "network/net.h"

#include <stdio.h>
#include <string.h>

enum sw_waits net_waits(const struct net_choice *sw)
{
	const struct sw_ops *ops = sw->plugin->ops;
	return ops->links.waits ? ops->links.waits(sw->params) : SW_WAITS_BY_VC;
}

/* The key `vcs` of a switch; "auto" where it has none. */
static int64_t vcs_given(const struct net_choice *sw)
{
	for (const struct base_param *p = sw->plugin->params; p && p->name; p++)
		if (!strcmp(p->name, "vcs") && p->type == BASE_AUTO_INT)
			return *(const int64_t *)(const void *)((const char *)sw->params + p->offset);
	return BASE_AUTO;
}

uint32_t net_vcs(const struct net_choice *sw, uint32_t needed)
{
	if (net_waits(sw) != SW_WAITS_BY_VC)
		return 1;
	int64_t given = vcs_given(sw);
	return given == BASE_AUTO ? needed : (uint32_t)given;
}

int net_widen_vcs(const struct net *n, uint32_t *vcs, struct base_errors *errors)
{
	const struct net_choice *sw = &n->config->sw;
	const struct sw_ops *ops = sw->plugin->ops;
	uint32_t classes = n->config->nclasses, one = n->rt.vcs > 1 ? n->rt.vcs : 1;
	uint32_t needed =
	    ops->classes.lanes && ops->classes.class_vcs && classes > 1 ? one * ops->classes.class_vcs(sw->params) : 1;
	if (*vcs >= needed)
		return 0;
	if (vcs_given(sw) != BASE_AUTO) {
		base_warnf(
		    errors, "switch.vcs",
		    "%u virtual channels are too few for several traffic classes: a class is allocated a channel only "
		    "when its previous packet has left, so packets of other classes get in between, and priorities, "
		    "minimum and maximum bandwidths are not kept; use %u virtual channels, or \"auto\"",
		    *vcs, needed);
		return 0;
	}
	if (needed > SW_MAX_VCS || needed * classes > SW_MAX_LANES)
		return base_errorf(
		    errors, "switch.vcs",
		    "\"auto\": %u traffic classes need %u virtual channels each to keep their priorities and "
		    "bandwidths, which makes %u lanes; a port has at most %u virtual channels and %u lanes",
		    classes, needed, needed * classes, SW_MAX_VCS, SW_MAX_LANES);
	*vcs = needed;
	return 0;
}

int net_prove(const struct net_choice *sw, const struct rt *rt, struct rt_proof *proof, struct base_errors *errors)
{
	static const char nothing[] =
	    "switches drop packets that find no buffer space, so no packet waits for another switch";
	if (net_waits(sw) != SW_WAITS_NEVER)
		return rt_prove(rt, net_vcs(sw, rt->vcs), proof, errors);
	*proof = (struct rt_proof){ .deadlock_free = true, .method = nothing, .vcs = 1 };
	return 0;
}

const char *net_proof_refuses(const struct net_choice *sw, const struct rt *rt, const struct rt_proof *proof, char *out,
                              size_t room)
{
	bool by_link = net_waits(sw) == SW_WAITS_BY_LINK;
	if (by_link)
		snprintf(out, room,
		         "%s routing can deadlock on this topology if switches pause whole links, as if they had a "
		         "single virtual channel",
		         rt->plugin->name);
	else
		rt_proof_verdict(rt, proof, out, room);
	return proof->vcs < rt->vcs && !by_link ? "switch.vcs" : "routing.kind";
}

static int refuse_routing(const struct net *n, const struct rt_proof *proof, struct base_errors *errors)
{
	char verdict[300], cycle[300] = "";
	const char *key = net_proof_refuses(&n->config->sw, &n->rt, proof, verdict, sizeof verdict);
	int at = proof->cycle_length ? snprintf(cycle, sizeof cycle, "; a cycle:") : 0;
	for (size_t i = 0; i < proof->cycle_length && i < 6; i++)
		at += snprintf(cycle + at, sizeof cycle - (size_t)at, " switch %u port %u VC %u%s", proof->cycle[i].sw,
		               proof->cycle[i].port, proof->cycle[i].vc,
		               i + 1 == proof->cycle_length ? ""
		               : i == 5                     ? " -> ..."
		                                            : " ->");
	return base_errorf(errors, key, "%s%s", verdict, cycle);
}

int net_prove_build(const struct net *n, uint32_t vcs, struct base_errors *errors)
{
	const struct rt_ops *ops = n->rt.ops;
	bool trusted = !n->rt.plugin->loaded && !n->topo.plugin->loaded &&
	               (!n->rt.own_routes || (ops->vc_climbs && ops->vc_climbs(&n->rt)));
	if (n->setup.proved || n->config->routing_unsafe || (vcs >= n->rt.vcs && trusted))
		return 0;
	struct rt_proof proof;
	errors->scope = "routing";
	int status = net_prove(&n->config->sw, &n->rt, &proof, errors);
	errors->scope = NULL;
	if (!status && !proof.deadlock_free)
		status = refuse_routing(n, &proof, errors);
	rt_proof_free(&proof);
	return status;
}

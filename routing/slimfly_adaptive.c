/* routing/slimfly_adaptive.c - the adaptive rule of the million-node Slim Fly study.
 *
 * At the source switch: a minimal candidate (length L_M, depth q_M) and n_I random non-minimal ones (L_I, q_I). The
 * cost of a non-minimal one is L_I / L_M * c_SF * q_I, that of the minimal one q_M; the least cost wins, and ties are
 * resolved in favour of the minimal one. (Wolfe, Carothers, Mubarak, Ross, Carns, "Modeling a million-node Slim Fly
 * network", 2016, section 2.2.3.) Here both sides are multiplied by L_M, so that
 *      minimal  iff  q_M L_M <= c_SF q_I L_I + bias
 * with the bias of routing/ugal.c; the paper has none. c_SF is a 16.16 fixed-point integer, so that the comparison is
 * exact: below 2^64 for lengths to 255, c_SF to 64, depths to 2^32 bytes and a bias to 2^40. */
#include "routing/candidate.h"

struct adaptive_params {
	int64_t candidates;
	double csf;
	uint64_t bias; /* BASE_AUTO_SIZE */
	int estimate;
};

struct adaptive {
	struct rt_common common; /* first */
	unsigned candidates;
	uint64_t csf; /* 16.16 */
};

static const struct base_param params[] = {
	{ BASE_KEY(INT, struct adaptive_params, candidates, "3"), .unit = "routes", .min = 1, .max = 32,
	  .help = "n_I: random non-minimal routes that are compared with the minimal one",
	  .source = "million-node Slim Fly study, section 3.3" },
	{ BASE_KEY(FLOAT, struct adaptive_params, csf, "1.0"), .min = 1.0 / 65536, .max = 64,
	  .help = "c_SF: weight of non-minimal costs; resolution 1/65536",
	  .source = "million-node Slim Fly study, section 2.2.3" },
	{ BASE_KEY(AUTO_SIZE, struct adaptive_params, bias, "auto"), .max = 1e12,
	  .help = "added to the cost (depth times hops) of non-minimal routes, so that minimal ones are preferred; 0B "
	          "in the study of Wolfe et al. " RT_AUTO_BIAS },
	RT_ESTIMATE_PARAM(struct adaptive_params),
	{ 0 },
};

static int build_slimfly_adaptive(struct rt *rt, struct base_errors *errors)
{
	const struct adaptive_params *p = rt->params;
	if (rt_common_build(rt, &(struct rt_shape){ .nonminimal = true, .bytes = sizeof(struct adaptive) }, errors))
		return -1;
	struct adaptive *a = rt->impl;
	a->candidates = (unsigned)p->candidates;
	a->csf = (uint64_t)(p->csf * 65536 + 0.5);
	rt_set_bias(rt, p->bias);
	rt->by_credits = p->estimate == RT_BY_CREDITS;
	return 0;
}

static struct rt_candidate cheapest(const struct rt *rt, const struct adaptive *a, struct rt_env *env,
                                    const struct sw_packet *packet, topo_switch to)
{
	struct rt_candidate best = rt_candidate_minimal(rt, env, packet, to), other;
	const struct rt_bias *of_class = rt_class_bias(env, packet);
	uint64_t length = best.hops, least_bias = rt_bias_of(rt, of_class, best.hops) << 16;
	uint64_t least = (length * rt_candidate_depth(env, &best)) << 16;
	for (unsigned i = 0; i < a->candidates && least > least_bias; i++) {
		if (!rt_candidate_nonminimal(rt, &a->common, env, packet, to, &other))
			break;
		uint64_t cost = (rt_bias_of(rt, of_class, other.hops) << 16) +
		                other.hops * a->csf * rt_candidate_depth(env, &other);
		if (rt_cheaper(env, cost, least)) {
			best = other;
			least = cost;
		}
	}
	return best;
}

/* The same from precomputed candidates, without branches on the chosen one. */
static struct rt_decision route_foreseen(const struct rt *rt, const struct adaptive *a, struct rt_env *env,
                                         struct sw_packet *packet)
{
	const struct rt_candidates *candidates = env->foreseen;
	const struct rt_bias *of_class = rt_class_bias(env, packet);
	uint64_t depth[RT_MOST_CANDIDATES];
	env->queue_bytes_each(env->sw, candidates->port, candidates->n, env->now, depth);
	uint64_t least = (candidates->hops[0] * depth[0]) << 16;
	uint32_t chosen = 0;
	for (uint32_t i = 1; i < candidates->n; i++) {
		uint64_t cost =
		    (rt_bias_of(rt, of_class, candidates->hops[i]) << 16) + candidates->hops[i] * a->csf * depth[i];
		chosen = cost < least ? i : chosen;
		least = cost < least ? cost : least;
	}
	packet->via = candidates->via[chosen];
	uint32_t own = (1u << SW_ROUTE_LEG_SHIFT) - 1;
	packet->route = (uint8_t)(SW_ROUTE_DECIDED | base_if_equal32(chosen, 0, packet->route,
	                                                             (packet->route & own) | SW_ROUTE_NONMINIMAL));
	return rt_take(rt, &a->common, env, packet, candidates->port[chosen], chosen ? RT_LEG_FIRST : RT_LEG_MINIMAL);
}

static bool foresee(const struct rt *rt, const struct rt_env *env, const struct sw_packet *packet,
                    struct rt_candidates *candidates)
{
	const struct adaptive *a = rt->impl;
	return rt_candidates_fill(&a->common, env, packet, topo_switch_of(rt->topo, packet->dst), a->candidates,
	                          candidates);
}

static struct rt_decision route_slimfly_adaptive(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct adaptive *a = rt->impl;
	if (env->foreseen)
		return route_foreseen(rt, a, env, packet);
	topo_switch to = topo_switch_of(rt->topo, packet->dst);
	if (env->in_port != RT_FROM_ENDPOINT || env->here == to)
		return rt_go_on(rt, &a->common, env, packet, to);
	struct rt_candidate chosen =
	    env->oracle ? rt_candidate_either(rt, &a->common, env, packet, to) : cheapest(rt, a, env, packet, to);
	return rt_candidate_take(rt, &a->common, env, packet, &chosen, true);
}

static const struct rt_ops ops = {
	.build = build_slimfly_adaptive,
	.destroy = rt_common_destroy,
	.route = route_slimfly_adaptive,
	.wants_queues = true,
	.has_bias = true,
	.vc_climbs = rt_common_vc_climbs,
	.legs = rt_common_legs,
	.goes_on = rt_common_goes_on,
	.foresee = foresee,
};

const struct base_plugin rt_slimfly_adaptive = {
	BASE_DESCRIBE("routing", "slimfly-adaptive", params, struct adaptive_params, &ops),
	.summary = "minimal or the best of a few Valiant routes, by length-weighted queue depth",
	.source = "million-node Slim Fly study, section 2.2.3",
};

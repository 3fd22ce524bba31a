/* routing/ugal.c - universal globally-adaptive load-balanced routing: ugal-l, ugal-g, and progressive adaptive (par).
 *
 * A minimal candidate (depth q_m, H_m hops) is compared with the best of some random non-minimal ones (q_nm, H_nm):
 *      minimal  iff  q_m H_m <= q_nm H_nm + bias
 * (Singh, PhD thesis, Stanford 2005; Kim et al., ISCA 2008, section 4.2). The papers have bias = 0, with which a packet
 * avoids a port even because of a single packet that is being sent; the default here is that of net_bias_default(). H
 * counts switch-to-switch hops from the deciding switch to the destination's.
 *
 * ugal-l  decides once, at the source switch; q is the queue there for the candidate's first port. ugal-g  adds the
 * queue of the route's second switch for its next hop, if that switch is in the same group
 *         (dragonfly), or always (other topologies). A switch cannot read another switch's queues: depths are
 *         published, and are publish_delay old, which must be at least the latency of every link.
 * par     decides as ugal-l, and again at every further switch of the source group (dragonfly) or at the second switch
 *         (others), as long as the packet is minimal; a non-minimal decision is final (Jiang, Kim, Dally, ISCA 2009).
 *         After a global hop nothing is reconsidered.
 * With estimate = "credits" a switch's depth, also a published one, is the bytes sent by the port whose credits have
 * not returned. If intermediates are groups, traffic within a group is minimal, as in routing "valiant". */
#include "routing/candidate.h"

enum ugal_kind { UGAL_LOCAL, UGAL_GLOBAL, UGAL_PROGRESSIVE };

struct ugal_params {
	int64_t candidates;
	uint64_t bias; /* BASE_AUTO_SIZE */
	int via;
	int estimate;
	uint64_t publish_delay; /* ugal-g only; last */
};

struct ugal {
	struct rt_common common; /* first */
	enum ugal_kind kind;
	unsigned candidates;
};

#define UGAL_PARAMS                                                                                            \
	{ .name = "candidates",                                                                                \
	  .type = BASE_INT,                                                                                    \
	  .offset = offsetof(struct ugal_params, candidates),                                                  \
	  .default_value = "1",                                                                                \
	  .unit = "routes",                                                                                    \
	  .min = 1,                                                                                            \
	  .max = 32,                                                                                           \
	  .help = "random non-minimal routes, the best of which is compared with the minimal route" },         \
	    { .name = "bias",                                                                                  \
	      .type = BASE_AUTO_SIZE,                                                                          \
	      .offset = offsetof(struct ugal_params, bias),                                                    \
	      .default_value = "auto",                                                                         \
	      .max = 1e12,                                                                                     \
	      .help = "added to the cost (depth times hops) of non-minimal routes, so that minimal ones are "  \
		      "preferred; the papers "                                                                 \
		      "have 0B. " RT_AUTO_BIAS,                                                                \
	      .source = "Kim et al., ISCA 2008, section 4.2" },                                                \
	    { .name = "via",                                                                                   \
	      .type = BASE_ENUM,                                                                               \
	      .offset = offsetof(struct ugal_params, via),                                                     \
	      .default_value = "switch",                                                                       \
	      .choices = "switch|group",                                                                       \
	      .help = "intermediates of non-minimal routes: a random switch, or (dragonfly) a random group" }, \
	    RT_ESTIMATE_PARAM(struct ugal_params)

static const struct base_param local_params[] = { UGAL_PARAMS, { 0 } };

static const struct base_param global_params[] = {
	UGAL_PARAMS,
	{ BASE_KEY(TIME, struct ugal_params, publish_delay, "200ns"),
	  .help = "age of the depths that other switches publish; at least the latency of every link" },
	{ 0 },
};

static int build_ugal(struct rt *rt, enum ugal_kind kind, struct base_errors *errors)
{
	const struct ugal_params *p = rt->params;
	struct rt_shape shape = { .nonminimal = true,
		                  .via_group = p->via == 1,
		                  .reroutes = kind == UGAL_PROGRESSIVE,
		                  .bytes = sizeof(struct ugal) };
	if (rt_common_build(rt, &shape, errors))
		return -1;
	struct ugal *u = rt->impl;
	u->kind = kind;
	u->candidates = (unsigned)p->candidates;
	rt_set_bias(rt, p->bias);
	rt->by_credits = p->estimate == RT_BY_CREDITS;
	if (kind == UGAL_GLOBAL)
		rt->publish_delay = p->publish_delay;
	return 0;
}

static int build_local(struct rt *rt, struct base_errors *errors)
{
	return build_ugal(rt, UGAL_LOCAL, errors);
}

static int build_global(struct rt *rt, struct base_errors *errors)
{
	return build_ugal(rt, UGAL_GLOBAL, errors);
}

static int build_progressive(struct rt *rt, struct base_errors *errors)
{
	return build_ugal(rt, UGAL_PROGRESSIVE, errors);
}

static uint64_t cost(const struct rt *rt, const struct ugal *u, const struct rt_env *env,
                     const struct sw_packet *packet, const struct rt_candidate *candidate, topo_switch to)
{
	uint64_t depth = u->kind == UGAL_GLOBAL ? rt_candidate_depth_global(rt, &u->common, env, packet, candidate, to)
	                                        : rt_candidate_depth(env, candidate);
	return depth * candidate->hops;
}

/* May PAR reconsider later, if the packet now leaves minimally by `port`? */
static bool last_chance(const struct rt *rt, const struct ugal *u, const struct rt_env *env, topo_port port)
{
	return u->kind != UGAL_PROGRESSIVE || rt_is_last_chance(rt, &u->common, env, port);
}

static struct rt_candidate cheapest(const struct rt *rt, const struct ugal *u, struct rt_env *env,
                                    const struct sw_packet *packet, topo_switch to)
{
	struct rt_candidate minimal = rt_candidate_minimal(rt, env, packet, to), best = minimal, other;
	uint64_t cost_minimal = cost(rt, u, env, packet, &minimal, to), least = UINT64_MAX;
	const struct rt_bias *of_class = rt_class_bias(env, packet);
	uint64_t least_bias = rt_bias_of(rt, of_class, minimal.hops);
	for (unsigned i = 0; i < u->candidates && cost_minimal > least_bias; i++) {
		if (!rt_candidate_nonminimal(rt, &u->common, env, packet, to, &other))
			return minimal;
		uint64_t cost_other = rt_bias_of(rt, of_class, other.hops) + cost(rt, u, env, packet, &other, to);
		if (rt_cheaper(env, cost_other, least)) {
			best = other;
			least = cost_other;
		}
	}
	return rt_cheaper(env, least, cost_minimal) ? best : minimal;
}

static struct rt_decision route_ugal(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct ugal *u = rt->impl;
	topo_switch to = topo_switch_of(rt->topo, packet->dst);
	if ((packet->route & SW_ROUTE_DECIDED) || env->here == to)
		return rt_go_on(rt, &u->common, env, packet, to);
	struct rt_candidate chosen =
	    env->oracle ? rt_candidate_either(rt, &u->common, env, packet, to) : cheapest(rt, u, env, packet, to);
	bool final = last_chance(rt, u, env, chosen.port);
	return rt_candidate_take(rt, &u->common, env, packet, &chosen, final);
}

static const struct rt_ops local_ops = {
	.build = build_local,
	.destroy = rt_common_destroy,
	.route = route_ugal,
	.wants_queues = true,
	.has_bias = true,
	.vc_climbs = rt_common_vc_climbs,
	.legs = rt_common_legs,
	.goes_on = rt_common_goes_on,
};

static const struct rt_ops global_ops = {
	.build = build_global,
	.destroy = rt_common_destroy,
	.route = route_ugal,
	.wants_queues = true,
	.has_bias = true,
	.wants_published = true,
	.vc_climbs = rt_common_vc_climbs,
	.legs = rt_common_legs,
	.goes_on = rt_common_goes_on,
};

static const struct rt_ops progressive_ops = {
	.build = build_progressive,
	.destroy = rt_common_destroy,
	.route = route_ugal,
	.wants_queues = true,
	.has_bias = true,
	.vc_climbs = rt_common_vc_climbs,
	.legs = rt_common_legs,
	.goes_on = rt_common_goes_on,
};

const struct base_plugin rt_ugal_l = {
	BASE_DESCRIBE("routing", "ugal-l", local_params, struct ugal_params, &local_ops),
	.summary = "minimal or non-minimal by the local queues (UGAL-L)",
	.source = "Kim et al., ISCA 2008, section 4.2",
};

const struct base_plugin rt_ugal_g = {
	BASE_DESCRIBE("routing", "ugal-g", global_params, struct ugal_params, &global_ops),
	.summary = "UGAL with published queue depths of the route's second switch",
	.source = "Kim et al., ISCA 2008, section 4.2",
};

const struct base_plugin rt_par = {
	BASE_DESCRIBE("routing", "par", local_params, struct ugal_params, &progressive_ops),
	.summary = "progressive adaptive: UGAL-L, reconsidered on the way through the source group",
	.source = "Jiang, Kim, Dally, ISCA 2009",
};

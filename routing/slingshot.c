/* routing/slingshot.c - adaptive routing modelled on Slingshot: compares up to four minimal and non-minimal candidates
 * by the queues here and at the next switch.
 *
 * Published (De Sensi et al., SC 2020, section II.C): the source switch estimates the load of up to four minimal and
 * non-minimal paths and takes the best by congestion and length; congestion is the depth of the request queues of each
 * output port, which is known everywhere on the chip and is sent between neighbouring switches in acknowledgements,
 * four bytes per packet; minimal paths are preferred by a bias. HPE's documents state that a non-minimal path uses a
 * random switch; US patent 9,137,143 (about Aries, the predecessor) states that a depth has four bits. The formula, the
 * sizes and the split of the candidates are unpublished, and are parameters here.
 *
 * A candidate's depth q is the queue here for its first port, as the switch model publishes it on its chip, plus the
 * next switch's queue for the route's second hop as last reported (network/telemetry/neighbours.c); H is its length
 * from here in hops. The least q H wins, with `bias` added for non-minimal ones; ties are resolved in favour of the
 * minimal candidate, then of the one drawn first. If a minimal candidate costs no more than the bias of a detour of its
 * own length, no non-minimal ones are drawn. The decision is made once, at the source switch.
 *
 * The bias is the cost of a detour on an idle network: three largest packets, of at least 256 bytes, per hop, or a
 * constant. One packet being sent, one waiting here and one waiting at the next switch are not congestion: packets meet
 * by chance.
 *
 * The next switch's queues matter because a dragonfly's bottleneck is the global cable of another switch of the group,
 * and adversarial traffic on a torus or Slim Fly fills the second hop; without reports, queues there would affect the
 * source by back-pressure only, when the buffers between are full. */
#include "routing/candidate.h"

#define MOST 4 /* maximum number of candidates */

struct slingshot_params {
	int64_t candidates, minimal;
	uint64_t bias;
	int via;
	uint64_t quantum, hold;
};

struct slingshot {
	struct rt_common common; /* first */
	unsigned candidates, minimal;
};

struct slingshot_choice {
	struct rt_candidate best;
	uint64_t least;
};

static const struct base_param params[] = {
	{ BASE_KEY(INT, struct slingshot_params, candidates, "4"), .unit = "routes", .min = 1, .max = MOST,
	  .help = "routes compared, minimal and non-minimal together",
	  .source = "De Sensi et al. 2020, II.C: up to four" },
	{ BASE_KEY(INT, struct slingshot_params, minimal, "2"), .unit = "routes", .min = 1, .max = MOST,
	  .help = "maximum number of minimal candidates, with distinct first hops; the other candidates are "
	          "non-minimal (unpublished)",
	  .source = "two minimal and two non-minimal ones: Aries, US patent 9,137,143" },
	{ BASE_KEY(AUTO_SIZE, struct slingshot_params, bias, "auto"), .max = 1e12,
	  .help = "added to the cost (depth times hops) of non-minimal routes, so that minimal ones are preferred "
	          "(size unpublished). " RT_AUTO_BIAS,
	  .source = "De Sensi et al. 2020, II.C: states that a bias exists" },
	{ BASE_KEY(ENUM, struct slingshot_params, via, "switch"), .choices = "switch|group",
	  .help = "intermediates of non-minimal routes: a random switch, or (dragonfly) a random group" },
	{ BASE_KEY(SIZE, struct slingshot_params, quantum, "512B"), .min = 1, .max = 1e9,
	  .help = "unit of the queue depths that credits report, in four bits each: 0, 1, 2, 3, 4, 6, 8, 12 ... 192 "
	          "units (unpublished)",
	  .source = "four bits: US patent 9,137,143" },
	{ BASE_KEY(AUTO_TIME, struct slingshot_params, hold, "auto"),
	  .help =
	      "a neighbour without credits for this time counts as having empty queues (unpublished). auto: the time "
	      "in which ports / 4 credits, which report all its outputs, return, at one credit round trip each" },
	{ 0 },
};

static bool may_be_so_many(const void *values)
{
	const struct slingshot_params *p = values;
	return p->minimal <= p->candidates;
}

static const struct base_condition conditions[] = {
	{ "minimal", "if it is at most `candidates`", may_be_so_many, NULL },
	{ 0 },
};

static int build_slingshot(struct rt *rt, struct base_errors *errors)
{
	const struct slingshot_params *p = rt->params;
	struct rt_shape shape = { .nonminimal = true, .via_group = p->via == 1, .bytes = sizeof(struct slingshot) };
	if (rt_common_build(rt, &shape, errors))
		return -1;
	struct slingshot *s = rt->impl;
	s->candidates = (unsigned)p->candidates;
	s->minimal = (unsigned)(p->minimal < p->candidates ? p->minimal : p->candidates);
	rt->neighbour_quantum = p->quantum;
	rt->auto_hold = p->hold == BASE_AUTO_TIME_VALUE;
	rt_set_bias(rt, p->bias);
	rt->neighbour_hold = rt->auto_hold ? 0 : p->hold;
	return 0;
}

/* extra: added to the candidate's cost. The next switch's depth is read only if it can still change the result. */
static void enter_candidate(struct slingshot_choice *choice, const struct rt *rt, const struct slingshot *s,
                            struct rt_env *env, const struct sw_packet *packet, const struct rt_candidate *candidate,
                            uint64_t extra, topo_switch to)
{
	uint64_t cost = extra + rt_candidate_depth(env, candidate) * candidate->hops;
	if (cost >= choice->least)
		return;
	cost += rt_candidate_depth_beyond(rt, &s->common, env, packet, candidate, to) * candidate->hops;
	if (rt_cheaper(env, cost, choice->least))
		*choice = (struct slingshot_choice){ *candidate, cost };
}

/* Compares different minimal first hops, from a random one on; hops: the distance. Returns the number compared. */
static unsigned enter_minimal(const struct rt *rt, const struct slingshot *s, struct rt_env *env,
                              const struct sw_packet *packet, topo_switch to, unsigned hops,
                              struct slingshot_choice *choice)
{
	struct rt_candidate minimal[MOST];
	unsigned count = rt_candidates_minimal(rt, env, packet, to, hops, s->minimal, minimal);
	for (unsigned i = 0; i < count; i++)
		enter_candidate(choice, rt, s, env, packet, &minimal[i], 0, to);
	return count;
}

static struct rt_candidate cheapest(const struct rt *rt, const struct slingshot *s, struct rt_env *env,
                                    const struct sw_packet *packet, topo_switch to)
{
	struct slingshot_choice choice = { .least = UINT64_MAX };
	struct rt_candidate other;
	const struct rt_bias *of_class = rt_class_bias(env, packet);
	unsigned shortest = rt_distance(rt, &s->common, env->here, to);
	unsigned count = enter_minimal(rt, s, env, packet, to, shortest, &choice);
	for (; count < s->candidates && choice.least > rt_bias_of(rt, of_class, shortest); count++) {
		if (!rt_candidate_nonminimal(rt, &s->common, env, packet, to, &other))
			break;
		enter_candidate(&choice, rt, s, env, packet, &other, rt_bias_of(rt, of_class, other.hops), to);
	}
	return choice.best;
}

static struct rt_decision route_slingshot(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct slingshot *s = rt->impl;
	topo_switch to = topo_switch_of(rt->topo, packet->dst);
	if ((packet->route & SW_ROUTE_DECIDED) || env->here == to)
		return rt_go_on(rt, &s->common, env, packet, to);
	struct rt_candidate chosen =
	    env->oracle ? rt_candidate_either(rt, &s->common, env, packet, to) : cheapest(rt, s, env, packet, to);
	return rt_candidate_take(rt, &s->common, env, packet, &chosen, true);
}

static const struct rt_ops ops = {
	.build = build_slingshot,
	.destroy = rt_common_destroy,
	.route = route_slingshot,
	.wants_queues = true,
	.has_bias = true,
	.wants_neighbours = true,
	.vc_climbs = rt_common_vc_climbs,
	.legs = rt_common_legs,
	.goes_on = rt_common_goes_on,
};

const struct base_plugin rt_slingshot = {
	BASE_DESCRIBE("routing", "slingshot", params, struct slingshot_params, &ops),
	.summary =
	    "the best of up to four routes by the queues here and, as reported on its credits, at the next switch",
	.source = "De Sensi et al., SC 2020, section II.C",
	.conditions = conditions,
};

/* routing/aries.c - adaptive routing modelled on Aries (Cray XC): compares two minimal and two non-minimal candidates
 * by their loads here and at the next switch, in four bits, with the biases of a routing mode.
 *
 * Published: a packet has two minimal and two non-minimal candidates, and the one with the least load is taken
 * (Alverson et al., Cray XC Series Network, WP-Aries01-1112); a load is four bits, the saturating sum of remapped
 * depths of this switch's output and of those that the next switch reports; the load of a candidate is shifted by up to
 * two bits and raised by up to six bits, by tables for minimal and non-minimal routes; a packet on a minimal route may
 * be diverted at later switches of its source group (US patent 9,137,143). Modes select biases: ADAPTIVE_0 has none, in
 * ADAPTIVE_1 the bias in favour of minimal routes increases with every hop (US patent 10,142,235), ADAPTIVE_2 has a
 * small one and ADAPTIVE_3 a large one (documents of the library GNI). The sizes of these biases, the remapping and the
 * unit of depths are not published and are parameters here.
 *
 * Here load = min(15, level(q) + level(q')), q being the bytes queued for the candidate's first port and q' those that
 * the next switch last reported for its second one (network/telemetry/neighbours.c), both in quanta; level() is defined
 * in routing/level.h. With `shift` s, `add` a, `add_hop` h and k links taken so far
 *      minimal  iff  load_m <= load_n 2^s + a + h k
 * for the least loads of the minimal and non-minimal candidates. The number of hops is not compared: a non-minimal
 * route costs more through the bias only. In a group, non-minimal routes stay in the group. */
#include "routing/candidate.h"
#include "routing/level.h"

#include "base/memory.h"

#include <stdlib.h>

#define MOST 4u /* maximum number of candidates of either kind */

enum aries_mode { ARIES_0, ARIES_1, ARIES_2, ARIES_3, ARIES_MODES };

struct aries_params {
	int mode;
	int64_t shift, add, add_hop; /* BASE_AUTO: the mode's */
	int64_t minimal, nonminimal;
	int via;
	uint64_t quantum, hold;
};

struct aries {
	struct rt_common common; /* first */
	uint32_t minimal, nonminimal;
	uint32_t shift, add, add_hop;
	/* Switches with endpoints, by group: those of group g are member[first[g]] to member[first[g + 1] - 1]. NULL:
	 * there is only one group. Owned. */
	uint32_t *first;
	topo_switch *member;
};

static const struct {
	uint32_t shift, add, add_hop;
} modes[ARIES_MODES] = {
	[ARIES_0] = { 0, 0, 0 },
	[ARIES_1] = { 0, 0, 4 },
	[ARIES_2] = { 0, 2, 0 },
	[ARIES_3] = { 1, 4, 0 },
};

static const struct base_param params[] = {
	{ BASE_KEY(ENUM, struct aries_params, mode, "adaptive-0"),
	  .choices = "adaptive-0|adaptive-1|adaptive-2|adaptive-3",
	  .help =
	      "bias in favour of minimal routes. adaptive-0: none (the default of MPI); adaptive-1: increasing with "
	      "every hop (the default of MPI's all-to-all); adaptive-2: small; adaptive-3: large. The sizes are "
	      "unpublished: they are those of shift, add and add_hop",
	  .source = "modes GNI_DLVMODE_ADAPTIVE0 to 3" },
	{ BASE_KEY(AUTO_INT, struct aries_params, shift, "auto"), .unit = "bits", .min = 0, .max = 3,
	  .help = "the load of a non-minimal candidate is multiplied by 2 to this power. auto: 0; adaptive-3: 1 "
	          "(unpublished)",
	  .source = "a shift of two bits: US patent 9,137,143" },
	{ BASE_KEY(AUTO_INT, struct aries_params, add, "auto"), .unit = "levels", .min = 0, .max = 63,
	  .help = "added to the load of a non-minimal candidate. auto: 0; adaptive-2: 2; adaptive-3: 4 (unpublished)",
	  .source = "six bits: US patent 9,137,143" },
	{ BASE_KEY(AUTO_INT, struct aries_params, add_hop, "auto"), .unit = "levels", .min = 0, .max = 63,
	  .help = "added to the load of a non-minimal candidate for each link that the packet has taken. auto: 0; "
	          "adaptive-1: 4 (unpublished)",
	  .source = "increasingly minimal bias: US patent 10,142,235" },
	{ BASE_KEY(INT, struct aries_params, minimal, "2"), .unit = "routes", .min = 1, .max = MOST,
	  .help = "maximum number of minimal candidates, with distinct first hops", .source = "WP-Aries01-1112" },
	{ BASE_KEY(INT, struct aries_params, nonminimal, "2"), .unit = "routes", .min = 1, .max = MOST,
	  .help = "number of non-minimal candidates, with random intermediates", .source = "WP-Aries01-1112" },
	{ BASE_KEY(ENUM, struct aries_params, via, "switch"), .choices = "switch|group",
	  .help = "intermediates of non-minimal routes to other groups: a random switch, or a random group. With "
	          "switch, traffic inside a group has a random switch of the group; with group, it is minimal. group "
	          "needs one virtual channel less" },
	{ BASE_KEY(SIZE, struct aries_params, quantum, "256B"), .min = 1, .max = 1e9,
	  .help = "unit of queue depth; the load of a queue has four bits, which stand for 0, 1, 2, 3, 4, 6, 8, 12 ... "
	          "192 units (unpublished)",
	  .source = "four bits: US patent 9,137,143" },
	{ BASE_KEY(AUTO_TIME, struct aries_params, hold, "auto"),
	  .help =
	      "a neighbour without credits for this time counts as having empty queues (unpublished). auto: the time "
	      "in which ports / 4 credits, which report all its outputs, return, at one credit round trip each" },
	{ 0 },
};

/* Lists the members of groups, with topo->groups > 1. */
static void list_members(struct aries *a, const struct topo *topo)
{
	uint32_t groups = topo->groups;
	a->first = base_calloc((size_t)groups + 2, sizeof *a->first);
	a->member = base_calloc(topo->switches, sizeof *a->member);
	for (topo_switch s = 0; s < topo->switches; s++)
		a->first[topo_group(topo, s) + 2] += topo_endpoints_at(topo, s) > 0;
	for (uint32_t g = 2; g <= groups; g++)
		a->first[g] += a->first[g - 1];
	for (topo_switch s = 0; s < topo->switches; s++)
		if (topo_endpoints_at(topo, s))
			a->member[a->first[topo_group(topo, s) + 1]++] = s;
}

static uint32_t choose(int64_t given, uint32_t of_mode)
{
	return given == BASE_AUTO ? of_mode : (uint32_t)given;
}

static int build_aries(struct rt *rt, struct base_errors *errors)
{
	const struct aries_params *p = rt->params;
	struct rt_shape shape = {
		.nonminimal = true, .via_group = p->via == 1, .reroutes = true, .bytes = sizeof(struct aries)
	};
	if (rt_common_build(rt, &shape, errors))
		return -1;
	struct aries *a = rt->impl;
	a->minimal = (uint32_t)p->minimal;
	a->nonminimal = (uint32_t)p->nonminimal;
	a->shift = choose(p->shift, modes[p->mode].shift);
	a->add = choose(p->add, modes[p->mode].add);
	a->add_hop = choose(p->add_hop, modes[p->mode].add_hop);
	a->first = NULL;
	a->member = NULL;
	if (rt->topo->groups > 1 && rt->topo->groups < rt->topo->switches && rt->topo->ops->group && !shape.via_group)
		list_members(a, rt->topo);
	rt->neighbour_quantum = p->quantum;
	rt->auto_hold = p->hold == BASE_AUTO_TIME_VALUE;
	rt->neighbour_hold = rt->auto_hold ? 0 : p->hold;
	return 0;
}

static void destroy_aries(struct rt *rt)
{
	struct aries *a = rt->impl;
	if (a) {
		free(a->first);
		free(a->member);
	}
	rt_common_destroy(rt);
}

static unsigned load_of(const struct rt *rt, const struct aries *a, const struct rt_env *env,
                        const struct sw_packet *packet, const struct rt_candidate *candidate, topo_switch to)
{
	unsigned load = rt_level(rt_candidate_depth(env, candidate) / rt->neighbour_quantum);
	if (load < RT_LEVELS - 1)
		load += rt_level(rt_candidate_depth_beyond(rt, &a->common, env, packet, candidate, to) /
		                 rt->neighbour_quantum);
	return load < RT_LEVELS ? load : RT_LEVELS - 1;
}

/* A non-minimal route inside the group of env->here and `to`; false: there is none. */
static bool draw_in_group(const struct rt *rt, const struct aries *a, struct rt_env *env,
                          const struct sw_packet *packet, topo_switch to, struct rt_candidate *out)
{
	uint32_t group = topo_group(rt->topo, to), n = a->first[group + 1] - a->first[group];
	const topo_switch *member = a->member + a->first[group];
	topo_switch source = topo_switch_of(rt->topo, packet->src);
	uint32_t x =
	    rt_pick_other(env, packet, n,
	                  (uint32_t[]){ rt_position(member, n, source), rt_position(member, n, to),
	                                env->here == source ? UINT32_MAX : rt_position(member, n, env->here) });
	if (x == UINT32_MAX)
		return false;
	out->via = member[x];
	out->port = rt_next(rt, env, packet, out->via, 0);
	out->hops = rt_distance(rt, &a->common, env->here, out->via) + rt_distance(rt, &a->common, out->via, to);
	return true;
}

static bool draw_candidate(const struct rt *rt, const struct aries *a, struct rt_env *env,
                           const struct sw_packet *packet, topo_switch to, struct rt_candidate *out)
{
	if (a->first && topo_group(rt->topo, env->here) == topo_group(rt->topo, to))
		return draw_in_group(rt, a, env, packet, to, out);
	return rt_candidate_nonminimal(rt, &a->common, env, packet, to, out);
}

static struct rt_candidate least_loaded(const struct rt *rt, const struct aries *a, struct rt_env *env,
                                        const struct sw_packet *packet, topo_switch to)
{
	struct rt_candidate best = { .port = 0 }, one, minimal[MOST];
	unsigned least = UINT32_MAX, bias = a->add + a->add_hop * packet->hops;
	unsigned hops = rt_distance(rt, &a->common, env->here, to);
	uint32_t count = rt_candidates_minimal(rt, env, packet, to, hops, a->minimal, minimal);
	for (uint32_t i = 0; i < count; i++) {
		unsigned load = load_of(rt, a, env, packet, &minimal[i], to);
		if (load < least) {
			best = minimal[i];
			least = load;
		}
	}
	for (uint32_t i = 0; i < a->nonminimal && least > bias; i++) {
		if (!draw_candidate(rt, a, env, packet, to, &one))
			break;
		unsigned load = (load_of(rt, a, env, packet, &one, to) << a->shift) + bias;
		if (load < least) {
			best = one;
			least = load;
		}
	}
	return best;
}

static struct rt_decision route_aries(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct aries *a = rt->impl;
	topo_switch to = topo_switch_of(rt->topo, packet->dst);
	if ((packet->route & SW_ROUTE_DECIDED) || env->here == to)
		return rt_go_on(rt, &a->common, env, packet, to);
	struct rt_candidate chosen =
	    env->oracle ? rt_candidate_either(rt, &a->common, env, packet, to) : least_loaded(rt, a, env, packet, to);
	bool final = rt_is_last_chance(rt, &a->common, env, chosen.port);
	return rt_candidate_take(rt, &a->common, env, packet, &chosen, final);
}

static const struct rt_ops ops = {
	.build = build_aries,
	.destroy = destroy_aries,
	.route = route_aries,
	.wants_queues = true,
	.wants_neighbours = true,
	.vc_climbs = rt_common_vc_climbs,
	.legs = rt_common_legs,
	.goes_on = rt_common_goes_on,
};

const struct base_plugin rt_aries = {
	BASE_DESCRIBE("routing", "aries", params, struct aries_params, &ops),
	.summary =
	    "two minimal and two non-minimal routes by four-bit loads here and at the next switch, with the biases "
	    "of a mode; decided again on the way through the source group (Cray XC)",
	.source = "Alverson et al., Cray XC Series Network, WP-Aries01-1112; US patents 9,137,143 and 10,142,235",
};

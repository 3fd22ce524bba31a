/* routing/ecmp.c - minimal routing that chooses among equally good ports without reading queues: by a hash of the flow
 * (ecmp), by a hash of the flow and an entropy that changes from packet to packet (spray), and in trees by the
 * destination (d-mod-k).
 *
 * ecmp. A flow is (source, destination, job). All its packets take one path, so they stay in order, and flows that meet
 * on a link share it as long as they last: with n flows on n equal paths the fullest path carries as many flows as the
 * fullest of n bins gets of n balls. Either every switch has a hash function of its own, or all have the same one; in
 * that case flows that shared a port at one switch are not divided by the next (hash polarization). Hopps, RFC 2992,
 * 2000.
 *
 * spray. For every packet the source adds one of `entropies` numbers, at random or in turn, to the hashed fields, as
 * senders of Ultra Ethernet do; the paths are used as equally as the hash distributes them. Ultra Ethernet
 * Specification 1.0, 2025, section 3.6. Entropies of messages, and those that acknowledgements return, are chosen by
 * interfaces: network/nic/entropy.c.
 *
 * d-mod-k. The way up is chosen by the digits of the destination, so that in a tree with full bisection bandwidth no
 * two flows of a shift permutation share a cable: topo_ops.by_destination. Zahavi, CCIT report 776, Technion, 2010.
 *
 * The deadlock proof considers every equally good port, regardless of the hash or the destination, so the virtual
 * channels are those of minimal routing and its proof holds. */
#include "routing/flow.h"
#include "routing/leg.h"

enum { HASH_OF_SWITCH, HASH_COMMON };
enum { ENTROPY_RANDOM, ENTROPY_IN_TURN, ENTROPY_RECYCLED };
enum { PER_PACKET, PER_MESSAGE };

struct ecmp_params {
	int hash;
};

struct spray_params {
	int64_t entropies;
	int order;
	int per;
};

#define MOST_ENTROPIES 65536

static const struct base_param ecmp_params[] = {
	{ BASE_KEY(ENUM, struct ecmp_params, hash, "switch"), .choices = "switch|common",
	  .help = "switch: each switch has a hash function of its own; common: all switches use the same one, so that "
	          "flows that one switch sends by the same port are not divided by the next switch (hash polarization)",
	  .source = "Hopps, RFC 2992, 2000" },
	{ 0 },
};

static const struct base_param spray_params[] = {
	{ BASE_KEY(INT, struct spray_params, entropies, "256"), .unit = "values", .min = 1, .max = MOST_ENTROPIES,
	  .help = "values of the entropy field that the packets of a flow use; each is one path",
	  .source = "Ultra Ethernet Specification 1.0, 2025: 16 bits; htsim uses 256" },
	{ BASE_KEY(ENUM, struct spray_params, order, "random"), .choices = "random|in-turn|recycled",
	  .help = "how the entropy of a packet is chosen. random: at random; in-turn: the previous packet's plus one; "
	          "recycled: the oldest of up to eight entropies whose packets to the same destination were "
	          "acknowledged without a congestion mark, each used once, otherwise a random one. recycled needs "
	          "switches that mark packets",
	  .source = "recycled: Bonato et al., REPS, arXiv 2407.21625, 2024, without its freezing mode; uet-htsim" },
	{ BASE_KEY(ENUM, struct spray_params, per, "packet"), .choices = "packet|message",
	  .help = "packet: each packet has an entropy of its own; message: all packets of a message have the same one, "
	          "and so take one path, except retransmitted packets, each of which has its own" },
	{ 0 },
};

static bool has_choice(const void *values, const void *topo)
{
	(void)values;
	return !((const struct topo *)topo)->one_way;
}

static bool is_not_recycled(const void *values)
{
	return ((const struct spray_params *)values)->order != ENTROPY_RECYCLED;
}

#define ON_CHOICE "on a topology with several equally good ports, such as a tree, or cables in parallel (trunk)"

static const struct base_condition ecmp_conditions[] = {
	{ "hash", ON_CHOICE, NULL, has_choice },
	{ 0 },
};

static const struct base_condition spray_conditions[] = {
	{ "entropies", ON_CHOICE, NULL, has_choice },
	{ "order", ON_CHOICE, NULL, has_choice },
	{ "per", ON_CHOICE, NULL, has_choice },
	{ "per", "without order = \"recycled\", which is packet by packet", is_not_recycled, NULL },
	{ 0 },
};

/* --- the equally good ports ------------------------------------------------------------------------------ */

struct equals {
	uint32_t n;
	topo_port first; /* of n consecutive ports; not valid if `listed` */
	bool listed;
	topo_port port[TOPO_MAX_NEXT];
};

static void find_equals(const struct rt *rt, topo_switch here, topo_switch to, unsigned leg_hops, struct equals *e)
{
	const struct rt_common *c = rt->impl;
	e->listed = false;
	if (c->only) {
		uint8_t only = rt_only(c, here, to, leg_hops);
		if (only < c->equals_at) {
			e->n = 1;
			e->first = only;
			return;
		}
	}
	if (rt->topo->ops->run) {
		struct topo_run run = rt->topo->ops->run(rt->topo, here, to);
		e->n = run.n;
		e->first = run.first;
		return;
	}
	e->listed = true;
	e->n = (uint32_t)rt->topo->ops->next(rt->topo, here, to, leg_hops, e->port);
	base_checkf(e->n >= 1 && e->n <= TOPO_MAX_NEXT, "%u ports", e->n);
}

/* --- the choice among them ------------------------------------------------------------------------------- */

static struct rt_decision take_port(const struct rt *rt, struct rt_env *env, struct sw_packet *packet, topo_port port)
{
	packet->route |= SW_ROUTE_DECIDED;
	return rt_take(rt, rt->impl, env, packet, port, RT_LEG_MINIMAL);
}

/* By a hash of the flow and an entropy. */
static struct rt_decision route_by_hash(const struct rt *rt, struct rt_env *env, struct sw_packet *packet,
                                        uint32_t entropy, bool common)
{
	topo_switch to = topo_switch_of(rt->topo, packet->dst);
	if (env->here == to)
		return (struct rt_decision){ .port = RT_EJECT };
	struct equals e;
	find_equals(rt, env->here, to, packet->route >> SW_ROUTE_LEG_SHIFT, &e);
	uint32_t i = 0;
	if (e.n > 1)
		i = env->oracle ? rt_pick(env, packet, e.n)
		                : sim_below(rt_hash_flow(env, packet, entropy, common), e.n);
	return take_port(rt, env, packet, e.listed ? e.port[i] : e.first + i);
}

static struct rt_decision route_ecmp(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct ecmp_params *p = rt->params;
	return route_by_hash(rt, env, packet, 0, p->hash == HASH_COMMON);
}

static struct rt_decision route_spray(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct spray_params *p = rt->params;
	uint32_t values = (uint32_t)p->entropies, entropy = packet->seq % values;
	if (rt->entropy != RT_ENTROPY_NONE && packet->via != SW_NO_VIA)
		entropy = packet->via;
	else if (p->order != ENTROPY_IN_TURN)
		entropy = sim_below(sim_draw_quick(env->seed, packet->src, packet->seq, packet->job), values);
	return route_by_hash(rt, env, packet, entropy, false);
}

static struct rt_decision route_d_mod_k(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	topo_switch to = topo_switch_of(rt->topo, packet->dst);
	if (env->here == to)
		return (struct rt_decision){ .port = RT_EJECT };
	topo_port port;
	if (env->oracle)
		port = rt_next(rt, env, packet, to, packet->route >> SW_ROUTE_LEG_SHIFT);
	else
		port = rt->topo->ops->by_destination(rt->topo, env->here, packet->dst);
	return take_port(rt, env, packet, port);
}

/* --- the plug-ins ---------------------------------------------------------------------------------------- */

static int build_spray(struct rt *rt, struct base_errors *errors)
{
	const struct spray_params *p = rt->params;
	rt->no_split = "a flow has as many paths as entropies, by its hash: no load is that of an even split";
	rt->entropies = (uint32_t)p->entropies;
	if (p->order == ENTROPY_RECYCLED)
		rt->entropy = RT_ENTROPY_RECYCLED;
	else if (p->per == PER_MESSAGE)
		rt->entropy = p->order == ENTROPY_RANDOM ? RT_ENTROPY_MESSAGE : RT_ENTROPY_MESSAGE_IN_TURN;
	return rt_common_build(rt, &(struct rt_shape){ 0 }, errors);
}

static int build_ecmp(struct rt *rt, struct base_errors *errors)
{
	rt->by_flow = true;
	rt->no_split = "a flow keeps one path, by its hash: no load is that of an even split";
	return rt_common_build(rt, &(struct rt_shape){ 0 }, errors);
}

static int build_d_mod_k(struct rt *rt, struct base_errors *errors)
{
	if (rt->topo->reduced)
		return base_errorf(errors, "kind",
		                   "\"d-mod-k\" needs a complete tree, but links.override makes cables absent");
	rt->by_flow = true; /* all packets to a destination take one */
	if (!rt->topo->ops->by_destination)
		return base_errorf(errors, "kind",
		                   "\"d-mod-k\" requires a tree (fattree, kary-ntree, xgft), but the topology is %s",
		                   rt->topo->kind);
	rt->no_split = "the destination chooses the path: no load is that of an even split";
	return rt_common_build(rt, &(struct rt_shape){ 0 }, errors);
}

static const struct rt_ops ecmp_ops = {
	.build = build_ecmp,
	.destroy = rt_common_destroy,
	.route = route_ecmp,
	.vc_climbs = rt_common_vc_climbs,
	.legs = rt_common_one_leg,
};

static const struct rt_ops spray_ops = {
	.build = build_spray,
	.destroy = rt_common_destroy,
	.route = route_spray,
	.vc_climbs = rt_common_vc_climbs,
	.legs = rt_common_one_leg,
};

static const struct rt_ops d_mod_k_ops = {
	.build = build_d_mod_k,
	.destroy = rt_common_destroy,
	.route = route_d_mod_k,
	.vc_climbs = rt_common_vc_climbs,
	.legs = rt_common_one_leg,
};

const struct base_plugin rt_ecmp = {
	BASE_DESCRIBE("routing", "ecmp", ecmp_params, struct ecmp_params, &ecmp_ops),
	.summary = "minimal, by a hash of source, destination and job: all packets of a flow take one path",
	.source = "Hopps, RFC 2992, 2000",

	.conditions = ecmp_conditions,
};

const struct base_plugin rt_spray = {
	BASE_DESCRIBE("routing", "spray", spray_params, struct spray_params, &spray_ops),
	.summary = "minimal, by a hash of the flow and an entropy that changes with every packet",
	.source = "Ultra Ethernet Specification 1.0, 2025; Dixit et al., INFOCOM 2013",

	.conditions = spray_conditions,
};

const struct base_plugin rt_d_mod_k = {
	.kind = "routing",
	.name = "d-mod-k",
	.summary = "in trees: up by the digits of the destination, so that shift permutations do not collide",
	.source = "Zahavi: D-Mod-K routing providing non-blocking traffic for shift permutations on real life fat "
		  "trees, 2010",
	.ops = &d_mod_k_ops,
};

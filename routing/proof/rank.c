/* routing/proof/rank.c - see rank.h */
#include "routing/proof/rank.h"

#include "routing/proof/walk.h"
#include "routing/vc.h"

#include <stdlib.h>

const char *rt_rank_method(const struct rt *rt)
{
	if (rt->ops->vc_climbs && rt->ops->vc_climbs(rt))
		return "rank argument: the VC rises strictly along every route (sampled routes checked)";
	if (rt->ops->dimensions_climb && rt->ops->dimensions_climb(rt))
		return "rank argument: (dimension, VC) rises strictly along every route (sampled routes checked)";
	if (!rt->ops->legs || rt->own_routes)
		return NULL;
	if (rt->ops->turn)
		return rt->topo->vc_rule == TOPO_VC_DATELINE
		           ? "rank argument: (dimension, VC, hops from the dateline) rises strictly along the channels "
		             "that packets wait for, from any other channel (Duato's escape; sampled routes checked)"
		           : NULL;
	if (rt->proof_note)
		return rt->topo->vc_rule == TOPO_VC_DATELINE
		           ? "bubble rule: routes rise through the dimensions, continue straight in a ring and enter "
		             "one only if space for one more packet remains free (sampled routes checked)"
		           : NULL;
	if (rt->topo->vc_rule == TOPO_VC_GROUPS)
		return "rank argument: (VC, local by dimension, global) rises strictly along every route (sampled "
		       "routes checked)";
	if (rt->topo->vc_rule == TOPO_VC_LEG)
		return "rank argument: (leg, rank of the link) rises strictly along every route (sampled routes "
		       "checked)";
	if (rt->topo->vc_rule == TOPO_VC_DATELINE)
		return "rank argument: (leg, dimension, VC, hops from the dateline) rises strictly along every route "
		       "(sampled "
		       "routes checked)";
	return NULL;
}

struct rank_step {
	bool first; /* this is the first hop */
	topo_switch sw;
	topo_port in, out;
	uint32_t vc_before, vc;
	uint8_t slack;
};

static bool vc_rises(const struct rank_step *s)
{
	return s->first || s->vc > s->vc_before;
}

static bool dimensions_rise(const struct topo *topo, const struct rank_step *s)
{
	if (s->first)
		return true;
	uint8_t before = topo_peer(topo, s->sw, s->in).dimension, dimension = topo_peer(topo, s->sw, s->out).dimension;
	return dimension > before || (dimension == before && s->vc > s->vc_before);
}

static bool groups_rise(const struct topo *topo, const struct rank_step *s)
{
	if (s->first || s->vc > s->vc_before)
		return true;
	struct topo_hop back = topo_peer(topo, s->sw, s->in), on = topo_peer(topo, s->sw, s->out);
	bool global_before = topo_group(topo, back.to) != topo_group(topo, s->sw);
	bool global = topo_group(topo, on.to) != topo_group(topo, s->sw);
	return s->vc == s->vc_before && !global_before && (global || on.dimension > back.dimension);
}

static bool legs_rise(const struct topo *topo, const struct rank_step *s)
{
	if (s->first || s->vc != s->vc_before)
		return s->first || s->vc > s->vc_before;
	struct topo_hop back = topo_peer(topo, s->sw, s->in);
	return topo_peer(topo, back.to, back.port).rank < topo_peer(topo, s->sw, s->out).rank;
}

/* Does a step follow the rank of dimension order? Within a leg dimensions increase; within a ring the route continues
 * straight, its VC never decreases, the upper VC begins exactly at the dateline hop, and no other hop crosses the
 * dateline. */
static bool dateline_rises(const struct topo *topo, uint64_t rings, const struct rank_step *s)
{
	struct topo_hop hop = topo_peer(topo, s->sw, s->out);
	bool ring = rings >> (hop.dimension & 63) & 1, upper = rings && (s->vc & 1);
	uint32_t pair = rings ? 2 : 1;
	bool enters = s->first || s->vc / pair > s->vc_before / pair;
	if (!enters) {
		uint8_t before = topo_peer(topo, s->sw, s->in).dimension;
		if (s->vc / pair < s->vc_before / pair || before > hop.dimension)
			return false;
		enters = before < hop.dimension;
	}
	if (enters)
		return ring ? upper == hop.dateline : !upper;
	if (s->in == s->out || hop.dateline || s->vc < s->vc_before)
		return !hop.dateline || (ring && s->vc == s->vc_before + 1 && s->in != s->out);
	return s->vc == s->vc_before;
}

/* The bubble rule: dimensions increase, routes continue straight in a ring, and enter one with slack. */
static bool bubble_holds(const struct topo *topo, uint64_t rings, const struct rank_step *s)
{
	uint8_t dimension = topo_peer(topo, s->sw, s->out).dimension;
	uint8_t before = s->first ? 0 : topo_peer(topo, s->sw, s->in).dimension;
	if (!s->first && before == dimension)
		return s->in != s->out;
	return before <= dimension && (s->slack || !(rings >> (dimension & 63) & 1));
}

static bool rises(const struct rt *rt, uint64_t rings, const struct rank_step *s)
{
	if (rt->ops->vc_climbs && rt->ops->vc_climbs(rt))
		return vc_rises(s);
	if (rt->ops->dimensions_climb && rt->ops->dimensions_climb(rt))
		return dimensions_rise(rt->topo, s);
	if (rt->topo->vc_rule == TOPO_VC_GROUPS)
		return groups_rise(rt->topo, s);
	if (rt->topo->vc_rule == TOPO_VC_LEG)
		return legs_rise(rt->topo, s);
	if (rt->proof_note)
		return bubble_holds(rt->topo, rings, s);
	return dateline_rises(rt->topo, rings, s);
}

/* Random queue depths: a pure function of place and time, half of them zero. */
static uint64_t random_queue(const void *seed, topo_port out, uint64_t now)
{
	struct sim_draw d =
	    sim_draw4(*(const uint64_t *)seed, out, (uint32_t)now, SIM_DRAW_SETUP, (uint32_t)(now >> 32));
	return d.v[0] & 1 ? d.v[1] : 0;
}

static uint64_t random_published(const void *seed, topo_switch there, topo_port out)
{
	return random_queue(seed, out, there);
}

static uint64_t random_neighbour(const void *seed, topo_port out, topo_port far, uint64_t now)
{
	return random_queue(seed, out << 16 ^ far, now);
}

static int stray(const struct rt *rt, const struct sw_packet *p, const struct rt_env *env, const char *what,
                 struct base_errors *errors)
{
	const char *said = base_refuted(rt->plugin); /* a more specific reason */
	if (said)
		return base_errorf(errors, NULL, "%s", said);
	char suspects[200];
	rt_suspects(rt, suspects, sizeof suspects);
	return base_errorf(errors, NULL, "%s: a packet from switch %u to %u %s (route() at switch %u, hop %u)",
	                   suspects, topo_switch_of(rt->topo, p->src), topo_switch_of(rt->topo, p->dst), what,
	                   env->here, p->hops);
}

/* Checks a decision with slack RT_MAY_TURN: the channel that turn() gives must be higher in the rank than the packet's
 * present channel, if packets wait for the latter. Half of the time the packet then takes the channel of turn();
 * otherwise it takes that of route(), for which no packet waits. */
static int turn(const struct rt *rt, struct rt_sample *sample, struct sw_packet *p, const struct sw_packet *came,
                struct rt_env *env, uint64_t rings, bool waits, struct rt_decision *d, struct base_errors *errors)
{
	struct sw_packet turned = *p;
	uint32_t pair = rings ? 2 : 1;
	turned.vc = came->vc;
	if (!rt->ops->turn)
		return stray(rt, p, env, "may turn, but its routing has no turn()", errors);
	struct rt_decision other = rt->ops->turn(rt, env, &turned);
	if (base_refuted(rt->plugin) || other.port >= topo_ports(rt->topo, env->here) || other.slack == RT_MAY_TURN)
		return stray(rt, p, env, "turns, but turn() gives no channel to wait for", errors);
	struct rank_step step = { .first = !waits,
		                  .sw = env->here,
		                  .in = env->in_port,
		                  .out = other.port,
		                  .vc_before = came->vc,
		                  .vc = turned.vc,
		                  .slack = other.slack };
	if (p->vc < pair || turned.vc >= pair || !rises(rt, rings, &step))
		sample->climbs = false;
	if (random_queue(env->sw, other.port, ~env->now)) {
		*d = other;
		*p = turned;
	}
	return 0;
}

static int follow(const struct rt *rt, struct rt_sample *sample, struct sw_packet *p, uint64_t seed, uint64_t rings,
                  struct base_errors *errors)
{
	const struct topo *topo = rt->topo;
	struct rt_env env = { .here = topo_switch_of(topo, p->src),
		              .in_port = RT_FROM_ENDPOINT,
		              .seed = seed,
		              .queue_bytes = random_queue,
		              .sw = &seed,
		              .published_bytes = random_published,
		              .neighbour_bytes = random_neighbour,
		              .host = &seed };
	bool waits = false; /* for its current channel */
	for (;; p->hops++) {
		env.now = (uint64_t)p->seq << 8 | p->hops;
		env.drawn = 0;
		struct rank_step step = {
			.first = env.in_port == RT_FROM_ENDPOINT, .sw = env.here, .in = env.in_port, .vc_before = p->vc
		};
		const struct sw_packet came = *p;
		struct rt_decision d = rt->ops->route(rt, &env, p);
		if (base_refuted(rt->plugin))
			return stray(rt, p, &env, "goes astray", errors);
		if (d.port == RT_EJECT)
			break;
		if (p->hops >= rt->max_hops)
			return stray(rt, p, &env, "takes more hops than its routing promises", errors);
		if (d.port >= topo_ports(topo, env.here))
			return stray(rt, p, &env, "is sent to a port that does not exist", errors);
		bool may_turn = d.slack == RT_MAY_TURN;
		if (may_turn && turn(rt, sample, p, &came, &env, rings, waits, &d, errors))
			return -1;
		waits = d.slack != RT_MAY_TURN;
		if (p->vc >= rt->vcs && sample->vcs >= rt->vcs)
			return stray(rt, p, &env, "uses a virtual channel beyond those that its routing requested",
			             errors);
		if (p->vc >= sample->vcs)
			p->vc = (uint8_t)(sample->vcs - 1);
		step.out = d.port;
		step.vc = p->vc;
		step.slack = d.slack;
		if (!may_turn && !rises(rt, rings, &step))
			sample->climbs = false;
		if (sample->cdg && !step.first && waits)
			rt_cdg_depend(sample->cdg, rt_cdg_input(sample->cdg, step.sw, step.in, step.vc_before),
			              rt_cdg_output(sample->cdg, step.sw, step.out, step.vc), d.slack);
		struct topo_hop hop = topo_peer(topo, env.here, d.port);
		env.here = hop.to;
		env.in_port = hop.port;
	}
	if (env.here != topo_switch_of(topo, p->dst))
		return stray(rt, p, &env, "leaves the network at a switch that is not that of its destination", errors);
	if (p->hops > sample->longest)
		sample->longest = p->hops;
	return 0;
}

int rt_rank_sample(const struct rt *rt, struct rt_sample *sample, struct base_errors *errors)
{
	const struct topo *topo = rt->topo;
	const uint64_t seed = 0x7469c3a5u;
	uint64_t rings = topo->vc_rule == TOPO_VC_DATELINE ? rt_vc_rings(topo) : 0;
	enum { MOST = 64 };
	struct topo_orbit orbit[MOST];
	size_t orbits = topo->ops->orbits ? topo->ops->orbits(topo, orbit, MOST) : 0;
	if (orbits > MOST)
		orbits = MOST;
	sample->climbs = true;
	sample->longest = 0;
	for (uint64_t i = 0; topo->endpoints && i < sample->routes; i++) {
		struct sim_draw d = sim_draw4(seed, (uint32_t)i, (uint32_t)(i >> 32), SIM_DRAW_SETUP, 0);
		struct sw_packet p = { .src = sim_below(d.v[0], topo->endpoints),
			               .dst = sim_below(d.v[1], topo->endpoints),
			               .seq = (uint32_t)i,
			               .bytes = 1,
			               .via = SW_NO_VIA };
		if (orbits && (i & 1)) {
			topo_switch s = orbit[(i >> 1) % orbits].representative;
			if (topo_carries(topo, s))
				p.src = topo_first_endpoint(topo, s);
		}
		if (topo->cut_off &&
		    (topo->cut_off[topo_switch_of(topo, p.src)] || topo->cut_off[topo_switch_of(topo, p.dst)]))
			continue;
		if (follow(rt, sample, &p, seed, rings, errors))
			return -1;
	}
	return 0;
}

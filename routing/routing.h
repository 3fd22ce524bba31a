/* routing/routing.h - chooses a packet's output port and virtual channel.
 *
 * One function decides: ops->route(), called when a packet's header is at a switch. It is the same function in a
 * simulation and in the deadlock proof (`tilefly check`): every choice it makes goes through rt_pick() and
 * rt_cheaper(). In a simulation these draw from the random stream or compare costs; in a proof the prover drives them
 * through all outcomes. So the function that is proved is the one that runs. */
#ifndef ROUTING_ROUTING_H
#define ROUTING_ROUTING_H

#include "base/error.h"
#include "base/plugin.h"
#include "sim/rng.h"
#include "switch/packet.h"
#include "topo/topo.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define RT_EJECT (UINT32_MAX - 1)   /* route(): the packet has arrived at its destination's switch */
#define RT_FROM_ENDPOINT UINT32_MAX /* env.in_port of a packet that was injected here */
#define RT_MAY_TURN 0x80u           /* SW_MAY_TURN of switch/switch.h */
#define RT_CHOICES 64u              /* maximum number of calls of rt_pick() and rt_cheaper() in one call of route() */

struct rt;

/* Enumerates the outcomes of the choices in one call of route(), for the deadlock prover. routing/proof/check.c */
struct rt_oracle {
	uint32_t choice[RT_CHOICES]; /* the outcome of each choice; beyond `depth`: 0 */
	uint32_t arity[RT_CHOICES];  /* number of outcomes of each choice */
	unsigned depth, at;
	bool too_many;   /* there were more than RT_CHOICES choices: the rest took their first outcome */
	uint32_t narrow; /* k > 0: try only intermediate number k - 1, or the last: see rt_pick_via() */
};

/* Advances to the next combination of choices in depth-first order. Returns false if there is none left. */
static inline bool rt_oracle_next(struct rt_oracle *o)
{
	unsigned d = o->at;
	while (d && o->choice[d - 1] + 1 >= o->arity[d - 1])
		d--;
	if (!d)
		return false;
	o->choice[d - 1]++;
	o->depth = d;
	return true;
}

/* What a routing promises about the legs of its routes, so that the prover may merge states of packets that differ only
 * in fields without effect. */
enum rt_legs {
	RT_LEGS_UNKNOWN, /* no promise: every field of the packet may matter at every hop */
	/* For all of the following: packet->src and the time so far matter only while SW_ROUTE_DECIDED is clear, and
	 * packet->hops matters only under TOPO_VC_HOP. */
	RT_LEGS_ONE,    /* routes have one leg: SW_ROUTE_NONMINIMAL is never set without SW_ROUTE_PASSED_VIA */
	RT_LEGS_SWITCH, /* a route may have two legs: while SW_ROUTE_NONMINIMAL is set without SW_ROUTE_PASSED_VIA,
	                   `dst` does not matter; afterwards `via` does not. Any intermediate switch may be drawn except
	                   those of source, destination and the deciding switch */
	RT_LEGS_GROUP,  /* like RT_LEGS_SWITCH, but for groups: any group may be drawn except those of source,
	                   destination and deciding switch, and none if source and destination are in the same group */
};

#define RT_MOST_CANDIDATES 5u

/* Candidate routes of a packet whose route is not decided yet; element 0 is the minimal one. */
struct rt_candidates {
	topo_port port[RT_MOST_CANDIDATES];
	topo_switch via[RT_MOST_CANDIDATES];
	uint32_t hops[RT_MOST_CANDIDATES];
	uint32_t n;
};

/* The bias in favour of minimal routes, in bytes times hops. For a non-minimal route of H hops it is bytes + per_hop *
 * H. */
struct rt_bias {
	uint64_t bytes, per_hop;
};

/* The inputs of a routing function, filled by the calling switch. */
struct rt_env {
	topo_switch here;
	topo_port in_port; /* network input port, or RT_FROM_ENDPOINT */
	uint64_t now;      /* ps */
	uint64_t seed;
	uint32_t drawn; /* choices made in this call; 0 at first */
	/* Returns the bytes queued for a network output of this switch over all VCs, including packets that are
	 * being transmitted. With rt->by_credits it returns the bytes whose credits are in use:
	 * sw_ops.depths.used_credits. */
	uint64_t (*queue_bytes)(const void *sw, topo_port out, uint64_t now);
	/* Sets bytes[i] = queue_bytes(sw, out[i], now) for all i < n. May be NULL. */
	void (*queue_bytes_each)(const void *sw, const topo_port *out, uint32_t n, uint64_t now, uint64_t *bytes);
	const void *sw;
	/* Returns the bytes queued for output `out` of another switch of the group (without groups: of a neighbour), as
	 * that switch last published them, which is delayed by publish_delay. NULL unless ops->wants_published. */
	uint64_t (*published_bytes)(const void *host, topo_switch there, topo_port out);
	/* Returns the bytes queued for output `far` of the switch that network output `out` leads to, as that switch
	 * last reported them along with its credits, quantised. NULL unless ops->wants_neighbours. */
	uint64_t (*neighbour_bytes)(const void *host, topo_port out, topo_port far, uint64_t now);
	const void *host;
	/* [job] the bias of the traffic class of the job's packets; an element is NULL if that class has no bias of its
	 * own. Read by rt_class_bias(). The array is NULL if no class has a bias. */
	const struct rt_bias *const *class_bias;
	const struct rt_candidates *foreseen; /* candidates that ops->foresee() made for this packet here, or NULL */
	struct rt_oracle *oracle;             /* NULL in a simulation */
};

struct rt_decision {
	topo_port port; /* network output port, or RT_EJECT */
	uint8_t slack;  /* bubble rule: the number of additional packets of the largest size for which there must be
	                   space downstream; or RT_MAY_TURN: the packet must not wait for this channel, see ops->turn */
};

struct rt_ops {
	/* Checks the parameters against the topology, and sets rt->vcs and rt->max_hops; rt->topo and rt->params have
	 * been set before. Returns 0, or -1 with errors. */
	int (*build)(struct rt *rt, struct base_errors *errors);
	void (*destroy)(struct rt *rt); /* may be NULL */
	/* Decides on the next hop of a packet at env->here. Reads packet->dst, via, route, vc and hops (links taken
	 * so far); writes via, route and vc (the VC on the link that the packet takes, which is also the VC of the
	 * next input buffer). It must not change anything else, because it runs in speculative events and is not
	 * journaled. */
	struct rt_decision (*route)(const struct rt *rt, struct rt_env *env, struct sw_packet *packet);
	/* Returns the channel that a packet waits for if route() decided with slack RT_MAY_TURN and the packet could
	 * not proceed at once. `packet` is as route() left it, except that its vc is again that of its input buffer. So
	 * packets wait only for channels of turn() and for those that route() returns without RT_MAY_TURN. These must
	 * not form a cycle: they are an escape in the sense of Duato (A necessary and sufficient condition for
	 * deadlock-free routing in cut-through and store-and-forward networks, IEEE TPDS 7(8), 1996). turn() must give
	 * one for every packet at every switch except its destination's. Only for routings without non-minimal legs.
	 * NULL: route() never returns RT_MAY_TURN. */
	struct rt_decision (*turn)(const struct rt *rt, struct rt_env *env, struct sw_packet *packet);
	bool wants_queues;     /* calls queue_bytes */
	bool wants_published;  /* calls published_bytes */
	bool wants_neighbours; /* calls neighbour_bytes; wants_queues too */
	bool wants_latencies;  /* build() reads rt->latencies */
	/* true: the routing has a parameter `bias` of type BASE_SIZE or BASE_AUTO_SIZE, by which it prefers minimal
	 * routes; for packets of a class with a bias of its own rt_class_bias() replaces it. false: the key
	 * classes[].bias is an error with this routing. */
	bool has_bias;
	/* Does packet->vc increase with every hop of every route? Then this is the deadlock proof, and routes of large
	 * networks need not be enumerated. NULL: it does not. */
	bool (*vc_climbs)(const struct rt *rt);
	/* Does the pair (topo_hop.dimension, packet->vc) increase with every hop: either the dimension increases, or it
	 * is the same and the VC increases? This proves freedom from deadlock likewise. NULL: it does not. */
	bool (*dimensions_climb)(const struct rt *rt);
	/* Returns what the routing promises about the legs of its routes. NULL: RT_LEGS_UNKNOWN. rt_prove() verifies
	 * the promise on samples. */
	enum rt_legs (*legs)(const struct rt *rt);
	/* true: route() gives the same hop as rt_go_on() of routing/leg.h for every packet with SW_ROUTE_DECIDED or, if
	 * legs() is RT_LEGS_ONE, for every packet with that flag added. As this hop depends only on the packet and its
	 * place, it may be computed before the packet's event. rt->impl must begin with a struct rt_common. NULL:
	 * false. */
	bool (*goes_on)(const struct rt *rt);
	/* Computes the candidates that route() will compare for a packet at env->here whose route is not decided;
	 * route() may find them in env->foreseen. As they depend only on the packet and its place (env->here, in_port,
	 * seed), they may be computed before the packet's event. Returns false if that is impossible for this packet.
	 * NULL: it is never possible. */
	bool (*foresee)(const struct rt *rt, const struct rt_env *env, const struct sw_packet *packet,
	                struct rt_candidates *candidates);
};

/* A function that returns the latency, in ps, of the cable at a port of a switch, in the direction away from the
 * switch. */
struct rt_latencies {
	uint64_t (*of)(const void *arg, topo_switch s, topo_port port);
	const void *arg;
};

/* How a source chooses the entropy of a packet, a number in sw_packet.via that varies its path: see struct rt. */
enum rt_entropy {
	RT_ENTROPY_NONE,
	RT_ENTROPY_MESSAGE,         /* a random one for each message */
	RT_ENTROPY_MESSAGE_IN_TURN, /* that of the message before plus one */
	RT_ENTROPY_RECYCLED,        /* one whose packet was acknowledged without a mark, else a random one */
};

struct rt {
	const struct rt_ops *ops;
	const struct base_plugin *plugin;
	const struct topo *topo;
	const void *params;
	const struct rt_latencies *latencies; /* for build() only, with ops->wants_latencies; NULL: all are equal */
	uint32_t vcs;                         /* least number of VCs that avoids deadlock here */
	uint32_t max_hops;                    /* longest route, in switch-to-switch links */
	/* If the routing takes the paths of minimal routing but does not split flows evenly among them: the reason, as
	 * text. NULL: it splits them evenly, or it takes other paths. */
	const char *no_split;
	/* If the routing may take other paths than the topology's minimal routing, or than Valiant's algorithm over it:
	 * the reason, as text. Then build() does not know whether rt->vcs suffice, and every run proves it. NULL: it
	 * takes those paths only. */
	const char *own_routes;
	const char *proof_note;     /* why it is deadlock-free although the CDG has cycles (bubble), or NULL */
	uint64_t publish_delay;     /* ps; 0 unless wants_published */
	uint64_t neighbour_quantum; /* bytes per step of the depths carried by credits; 0 unless wants_neighbours */
	uint64_t neighbour_hold;    /* ps; reports older than this count as empty queues */
	/* Bias in favour of minimal routes, in bytes times hops. With auto_bias it is instead in bytes per hop of the
	 * non-minimal route; the network sets it (net_bias_default()), and it is 0 until then. Read by rt_bias_of(). */
	uint64_t bias;
	bool auto_bias;
	bool auto_hold; /* likewise: 0 until a network sets neighbour_hold (network/telemetry/neighbours.c) */
	/* How the entropies of packets are chosen: the source's interface writes a number below `entropies` (at most
	 * 65536) into sw_packet.via. With RT_ENTROPY_NONE, and for packets whose via is SW_NO_VIA, the routing chooses
	 * the number itself. */
	enum rt_entropy entropy;
	uint32_t entropies;
	bool by_credits; /* route() compares credits in use instead of queues; not with wants_neighbours */
	bool by_flow;    /* choices are hashes of (source, destination, job): these take one route. Set by build() */
	void *impl;
	const void *common; /* the impl that rt_common_build() has created; NULL: none */
	/* The next two are set by rt_build(). For a plug-in from a shared object, `ops` points to wrappers that check
	 * the plug-in's own functions: */
	const struct rt_ops *said; /* the plug-in's own functions */
	struct rt_ops *checked;    /* the wrappers; owned. NULL: built in */
};

/* Builds the routing of a plug-in on a topology. Returns 0, or -1 with errors. The results of a routing from a shared
 * object are checked from then on (routing/checked.c). */
int rt_build(struct rt *rt, const struct base_plugin *plugin, const void *params, const struct topo *topo,
             struct base_errors *errors);
/* Builds a routing as rt_build() does, with the latencies of cables, which may be NULL. */
int rt_build_with(struct rt *rt, const struct base_plugin *plugin, const void *params, const struct topo *topo,
                  const struct rt_latencies *latencies, struct base_errors *errors);
void rt_destroy(struct rt *rt);

/* Returns the counter that distinguishes the random draws of a packet at its hops and of the choices within one
 * decision. */
static inline uint32_t rt_draw_sub(const struct rt_env *env, const struct sw_packet *p)
{
	return (uint32_t)p->job << 16 | (uint32_t)p->hops << 8 | env->drawn;
}

/* Returns the outcome of the next choice among n alternatives, while the deadlock prover enumerates all outcomes. */
static inline uint32_t rt_oracle_says(struct rt_oracle *o, uint32_t n)
{
	if (o->at == RT_CHOICES) {
		o->too_many = true;
		return 0;
	}
	uint32_t c = o->at < o->depth ? o->choice[o->at] : 0;
	o->arity[o->at] = n;
	o->choice[o->at] = c;
	o->at++;
	return c;
}

/* Chooses one of n >= 1 equally good alternatives: a random number below n or, in a proof, the oracle's choice. */
static inline uint32_t rt_pick(struct rt_env *env, const struct sw_packet *p, uint32_t n)
{
	if (n <= 1)
		return 0;
	if (__builtin_expect(env->oracle != NULL, 0))
		return rt_oracle_says(env->oracle, n);
	struct sim_draw d = sim_draw4(env->seed, p->src, p->seq, SIM_DRAW_ROUTE, rt_draw_sub(env, p));
	env->drawn++;
	return sim_below(d.v[0], n);
}

/* Chooses like rt_pick(), but with the faster generator sim_draw_quick(). */
static inline uint32_t rt_pick_quick(struct rt_env *env, const struct sw_packet *p, uint32_t n)
{
	if (n <= 1)
		return 0;
	if (__builtin_expect(env->oracle != NULL, 0))
		return rt_oracle_says(env->oracle, n);
	uint32_t bits = sim_draw_quick(env->seed, p->src, p->seq, rt_draw_sub(env, p));
	env->drawn++;
	return sim_below(bits, n);
}

/* Chooses one of n >= 1 intermediates for a non-minimal route. Routings that promise RT_LEGS_SWITCH or RT_LEGS_GROUP
 * must choose intermediates by this function, because the prover need not try all of them every time. */
static inline uint32_t rt_pick_via(struct rt_env *env, const struct sw_packet *p, uint32_t n)
{
	if (__builtin_expect(env->oracle != NULL, 0) && env->oracle->narrow)
		return env->oracle->narrow < n ? env->oracle->narrow - 1 : n - 1;
	return rt_pick(env, p, n);
}

/* Is cost a of an adaptive routing lower than cost b? In a proof the oracle decides. */
static inline bool rt_cheaper(struct rt_env *env, uint64_t a, uint64_t b)
{
	if (__builtin_expect(env->oracle != NULL, 0))
		return rt_oracle_says(env->oracle, 2) == 1;
	return a < b;
}

/* Returns the bias of the packet's traffic class; NULL: the class has none, and the routing's own bias applies. */
static inline const struct rt_bias *rt_class_bias(const struct rt_env *env, const struct sw_packet *p)
{
	return __builtin_expect(env->class_bias != NULL, 0) ? env->class_bias[p->job] : NULL;
}

/* Returns the bias, in bytes times hops, against a non-minimal route with this number of hops. of_class: the result of
 * rt_class_bias(). */
static inline uint64_t rt_bias_of(const struct rt *rt, const struct rt_bias *of_class, unsigned hops)
{
	if (of_class)
		return of_class->bytes + of_class->per_hop * hops;
	return rt->auto_bias ? rt->bias * hops : rt->bias;
}

/* Sets the routing's bias from the value of a parameter of type BASE_AUTO_SIZE. */
static inline void rt_set_bias(struct rt *rt, uint64_t value)
{
	rt->auto_bias = value == BASE_AUTO_SIZE_VALUE;
	rt->bias = rt->auto_bias ? 0 : value;
}

/* Help text of bias = "auto". */
#define RT_AUTO_BIAS                                                                                             \
	"auto: three largest packets, of at least 256 B, per hop of the non-minimal route: one being sent, one " \
	"waiting here and one at the next switch are not congestion yet"

/* Returns the descriptor of the parameter `bias` of a routing with ops->has_bias; NULL: the plug-in has no such
 * parameter. */
const struct base_param *rt_bias_param(const struct base_plugin *plugin);
/* Parses the bias of a traffic class, in the notation and range of the routing's own parameter. If "auto" is allowed,
 * it is stored as BASE_AUTO_SIZE_VALUE. Returns 0, or -1 with an error of the key "bias". */
int rt_bias_read(const struct base_plugin *plugin, const char *text, uint64_t *bytes, struct base_errors *errors);

/* --- the deadlock proof (routing/proof/check.c) ---------------------------------------------------------- */

struct rt_cdg_node { /* one (directed link, VC): the input buffer at the far end */
	topo_switch sw;
	topo_port port;
	uint32_t vc;
};

struct rt_proof {
	bool deadlock_free;
	const char *method; /* "acyclic channel-dependency graph ...", "rank argument: ...", ...; static text */
	uint64_t channels, dependencies; /* enumerated; 0 with the rank argument */
	uint32_t longest_route;          /* hops of the longest route found */
	uint32_t vcs;                    /* the number that was checked */
	struct rt_cdg_node *cycle;       /* a cycle, in order, if there is one; owned */
	size_t cycle_length;
};

/* Decides whether routing `rt` is free of deadlock with `vcs` virtual channels; VC numbers >= vcs are clamped to vcs -
 * 1, as in a run with fewer VCs than the routing requests. Cost: O(states of all routes); for networks with too many
 * routes it uses symmetry or the rank argument and names that in proof->method. Returns 0 if there is a verdict
 * (proof->deadlock_free), -1 with an error otherwise. */
int rt_prove(const struct rt *rt, uint32_t vcs, struct rt_proof *proof, struct base_errors *errors);
void rt_proof_free(struct rt_proof *proof);
/* Writes the error message of a proof that found a deadlock, as a sentence that does not list the cycle. */
void rt_proof_verdict(const struct rt *rt, const struct rt_proof *proof, char *out, size_t size);

/* Built-in routings, declared for files that refer to them by name; experiments/config/builtin.def lists all of
 * them. */
extern const struct base_plugin rt_minimal, rt_valiant, rt_ugal_l, rt_ugal_g, rt_par, rt_slimfly_adaptive, rt_slingshot,
    rt_minimal_adaptive, rt_dimwar, rt_omniwar, rt_ecmp, rt_spray, rt_d_mod_k, rt_table, rt_latency, rt_aries;

#endif

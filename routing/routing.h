/* routing/routing.h - chooses a packet's output port and virtual channel.
 *
 * One function decides: ops->route(), called when a packet's header is at a switch. It is the same function in a
 * simulation and in the deadlock proof (`tilefly check`): every choice it makes goes through rt_pick() and
 * rt_cheaper(), which draw from the random stream or compare costs in a simulation, and which the prover drives through
 * all outcomes. So the function that is proved is the one that runs. */
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

/* Enumerates the outcomes of the choices of one route() call, for the prover. routing/proof/check.c */
struct rt_oracle {
	uint32_t choice[RT_CHOICES]; /* the outcome of each choice; beyond `depth`: 0 */
	uint32_t arity[RT_CHOICES];  /* number of outcomes of each choice */
	unsigned depth, at;
	bool too_many;   /* there were more than RT_CHOICES choices: the rest took their first outcome */
	uint32_t narrow; /* k > 0: try only intermediate number k - 1, or the last: see rt_pick_via() */
};

/* Advances to the next combination of choices in depth-first order; false after the last one. */
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

/* Promises by which the prover may merge states of packets. */
enum rt_legs {
	RT_LEGS_UNKNOWN, /* nothing: every field of the packet may matter at every hop */
	/* packet->src and the time so far matter only while SW_ROUTE_DECIDED is clear, packet->hops only under
	 * TOPO_VC_HOP, and with SW_ROUTE_NONMINIMAL ... */
	RT_LEGS_ONE,    /* ... which is never set without SW_ROUTE_PASSED_VIA; */
	RT_LEGS_SWITCH, /* ... but without SW_ROUTE_PASSED_VIA, `dst` does not matter; afterwards `via` does not; any
	                   intermediate switch may be drawn except those of source, destination and the deciding switch;
	                 */
	RT_LEGS_GROUP,  /* ... the same, with groups, and none for a source and destination in the same group. */
};

#define RT_MOST_CANDIDATES 5u

/* Candidate routes of a packet that is not decided yet: the minimal one first. */
struct rt_candidates {
	topo_port port[RT_MOST_CANDIDATES];
	topo_switch via[RT_MOST_CANDIDATES];
	uint32_t hops[RT_MOST_CANDIDATES];
	uint32_t n;
};

/* The bias in favour of minimal routes, in bytes times hops: for a non-minimal route of H hops bytes + per_hop H. */
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
	/* Bytes queued for a network output of this switch over all VCs, packets under transmission included; with
	 * rt->by_credits, those of credits in use: sw_ops.depths.used_credits. */
	uint64_t (*queue_bytes)(const void *sw, topo_port out, uint64_t now);
	/* Sets bytes[i] = queue_bytes(sw, out[i], now) for all i < n. May be NULL. */
	void (*queue_bytes_each)(const void *sw, const topo_port *out, uint32_t n, uint64_t now, uint64_t *bytes);
	const void *sw;
	/* The same at another switch of the group (or a neighbour), as last published: delayed by publish_delay. NULL
	 * unless ops->wants_published. */
	uint64_t (*published_bytes)(const void *host, topo_switch there, topo_port out);
	/* Bytes queued for output `far` of the switch at the end of network output `out`, as that switch last reported
	 * on its credits, quantised. NULL unless ops->wants_neighbours. */
	uint64_t (*neighbour_bytes)(const void *host, topo_port out, topo_port far, uint64_t now);
	const void *host;
	/* [job]: the bias of the class of the job's packets, or NULL: the class has none of its own. Read by
	 * rt_class_bias(). NULL if no class has one. */
	const struct rt_bias *const *class_bias;
	const struct rt_candidates *foreseen; /* candidates that ops->foresee() made for this packet here, or NULL */
	struct rt_oracle *oracle;             /* NULL in a simulation */
};

struct rt_decision {
	topo_port port; /* network output port, or RT_EJECT */
	uint8_t slack;  /* bubble rule: the number of further packets of the largest size that must fit downstream; or
	                   RT_MAY_TURN: the packet must not wait for this channel, see ops->turn */
};

struct rt_ops {
	/* Checks the parameters against the topology, sets rt->vcs and rt->max_hops. rt->topo, rt->params are set
	 * before. */
	int (*build)(struct rt *rt, struct base_errors *errors);
	void (*destroy)(struct rt *rt); /* may be NULL */
	/* Decides for a packet at env->here. Reads packet->dst, via, route, vc, hops (links taken so far); writes via,
	 * route and vc (the VC on the link it will take, which is also the VC of the next input buffer). It must not
	 * change anything else: it runs in speculative events and is not journaled. */
	struct rt_decision (*route)(const struct rt *rt, struct rt_env *env, struct sw_packet *packet);
	/* The channel that a packet waits for if it could not proceed at once as route() decided, with slack
	 * RT_MAY_TURN: `packet` is as route() left it, except that its vc is again that of its input buffer. So packets
	 * wait only for these channels and those that route() gives without RT_MAY_TURN, and these must not form a
	 * cycle: an escape in the sense of Duato (A necessary and sufficient condition for deadlock-free routing in
	 * cut-through and store-and-forward networks, IEEE TPDS 7(8), 1996). It exists for every packet at every switch
	 * except its destination's. Only without non-minimal legs. NULL: route() never returns RT_MAY_TURN. */
	struct rt_decision (*turn)(const struct rt *rt, struct rt_env *env, struct sw_packet *packet);
	bool wants_queues;     /* calls queue_bytes */
	bool wants_published;  /* calls published_bytes */
	bool wants_neighbours; /* calls neighbour_bytes; wants_queues too */
	bool wants_latencies;  /* build() reads rt->latencies */
	/* Has a parameter `bias`, a BASE_SIZE or BASE_AUTO_SIZE, by which it prefers minimal routes; for packets of a
	 * class with its own bias rt_class_bias() replaces it. Without, classes[].bias is an error. */
	bool has_bias;
	/* true if every route climbs strictly in packet->vc, hop by hop: then this rank is the deadlock proof and large
	 * networks need not be enumerated. May be NULL (false). */
	bool (*vc_climbs)(const struct rt *rt);
	/* The same promise for (topo_hop.dimension, packet->vc): at each hop the dimension increases, or it stays and
	 * the VC increases. */
	bool (*dimensions_climb)(const struct rt *rt);
	/* Describes the legs of routes; NULL: RT_LEGS_UNKNOWN. rt_prove() checks samples. */
	enum rt_legs (*legs)(const struct rt *rt);
	/* true: route() equals rt_go_on() of routing/leg.h for every packet with SW_ROUTE_DECIDED, or if legs() is
	 * RT_LEGS_ONE for every packet once it is set. As that depends only on packet and place, the hop may be
	 * computed before the packet's event. rt->impl must begin with a struct rt_common. May be NULL (false). */
	bool (*goes_on)(const struct rt *rt);
	/* Computes the candidates that route() will compare for a packet at env->here that is not decided; route() may
	 * get them in env->foreseen. As they depend only on packet and place (env->here, in_port, seed), that may
	 * happen before the packet's event. Returns false if that is impossible. NULL: never possible. */
	bool (*foresee)(const struct rt *rt, const struct rt_env *env, const struct sw_packet *packet,
	                struct rt_candidates *candidates);
};

/* ps of the cable at a port of a switch, away from it. */
struct rt_latencies {
	uint64_t (*of)(const void *arg, topo_switch s, topo_port port);
	const void *arg;
};

/* Where sw_packet.via of a packet that comes from an endpoint is an entropy: see struct rt. */
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
	/* Why its loads are not those of minimal routing, which splits flows evenly, though it takes the same paths;
	 * NULL: they are, or it takes others. */
	const char *no_split;
	/* Why it takes other paths than the topology's minimal routing, or than Valiant's algorithm over it; NULL: it
	 * need not. Then build() does not know whether rt->vcs are enough, and a run proves it. */
	const char *own_routes;
	const char *proof_note;     /* why it is deadlock-free although the CDG has cycles (bubble), or NULL */
	uint64_t publish_delay;     /* ps; 0 unless wants_published */
	uint64_t neighbour_quantum; /* bytes per step of the depths carried by credits; 0 unless wants_neighbours */
	uint64_t neighbour_hold;    /* ps; reports older than this count as empty queues */
	/* Bias of minimal routes in bytes times hops; with auto_bias bytes per hop of the non-minimal route, set by the
	 * network (net_bias_default()), 0 until then. Read by rt_bias_of(). */
	uint64_t bias;
	bool auto_bias;
	bool auto_hold; /* likewise: 0 until a network sets neighbour_hold (network/telemetry/neighbours.c) */
	/* The entropy of a packet is chosen by the source's interface, which writes it into sw_packet.via, below
	 * `entropies`, at most 65536; with RT_ENTROPY_NONE, and where via is SW_NO_VIA, by the routing. */
	enum rt_entropy entropy;
	uint32_t entropies;
	bool by_credits; /* route() compares credits in use instead of queues; not with wants_neighbours */
	bool by_flow;    /* choices are hashes of (source, destination, job): these take one route. Set by build() */
	void *impl;
	const void *common; /* the impl that rt_common_build() has created; NULL: none */
	/* Set by rt_build(). For a plug-in from a shared object, `ops` are wrappers that check its own functions: */
	const struct rt_ops *said; /* the plug-in's own functions */
	struct rt_ops *checked;    /* the wrappers; owned. NULL: built in */
};

/* Set for a routing from a shared object, whose results are checked (routing/checked.c). */
int rt_build(struct rt *rt, const struct base_plugin *plugin, const void *params, const struct topo *topo,
             struct base_errors *errors);
/* The same with the latencies of cables, which may be NULL. */
int rt_build_with(struct rt *rt, const struct base_plugin *plugin, const void *params, const struct topo *topo,
                  const struct rt_latencies *latencies, struct base_errors *errors);
void rt_destroy(struct rt *rt);

/* The counter that distinguishes the random draws of one routing decision. */
static inline uint32_t rt_draw_sub(const struct rt_env *env, const struct sw_packet *p)
{
	return (uint32_t)p->job << 16 | (uint32_t)p->hops << 8 | env->drawn;
}

/* The outcome of a choice among n alternatives while the deadlock prover enumerates them. */
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

/* A choice among n >= 1 equally good alternatives. */
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

/* The same choice, drawn by the faster generator sim_draw_quick(). */
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

/* A choice among n >= 1 intermediates of a non-minimal route. Routings that promise RT_LEGS_SWITCH or _GROUP must draw
 * them with this function: the prover need not try all of them every time. */
static inline uint32_t rt_pick_via(struct rt_env *env, const struct sw_packet *p, uint32_t n)
{
	if (__builtin_expect(env->oracle != NULL, 0) && env->oracle->narrow)
		return env->oracle->narrow < n ? env->oracle->narrow - 1 : n - 1;
	return rt_pick(env, p, n);
}

/* Is the adaptive routing's cost a lower than cost b? */
static inline bool rt_cheaper(struct rt_env *env, uint64_t a, uint64_t b)
{
	if (__builtin_expect(env->oracle != NULL, 0))
		return rt_oracle_says(env->oracle, 2) == 1;
	return a < b;
}

/* The bias of the packet's class; NULL: it has none, and the routing's own bias applies. */
static inline const struct rt_bias *rt_class_bias(const struct rt_env *env, const struct sw_packet *p)
{
	return __builtin_expect(env->class_bias != NULL, 0) ? env->class_bias[p->job] : NULL;
}

/* The bias of a non-minimal route with this number of hops; of_class: rt_class_bias(). */
static inline uint64_t rt_bias_of(const struct rt *rt, const struct rt_bias *of_class, unsigned hops)
{
	if (of_class)
		return of_class->bytes + of_class->per_hop * hops;
	return rt->auto_bias ? rt->bias * hops : rt->bias;
}

/* Sets the bias from a parameter of type BASE_AUTO_SIZE. */
static inline void rt_set_bias(struct rt *rt, uint64_t value)
{
	rt->auto_bias = value == BASE_AUTO_SIZE_VALUE;
	rt->bias = rt->auto_bias ? 0 : value;
}

/* Help text of bias = "auto". */
#define RT_AUTO_BIAS                                                                                             \
	"auto: three largest packets, of at least 256 B, per hop of the non-minimal route: one being sent, one " \
	"waiting here and one at the next switch are not congestion yet"

/* The row of the parameter `bias` of a routing with ops->has_bias; NULL: it has no such size. */
const struct base_param *rt_bias_param(const struct base_plugin *plugin);
/* Parses a class's bias, in the notation and range of the routing's; "auto", if allowed, is stored as
 * BASE_AUTO_SIZE_VALUE. Returns -1 with an error of key "bias". */
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

/* Proves routing `rt` free of deadlock with `vcs` virtual channels (a VC number >= vcs is clamped to vcs - 1, as in a
 * run with fewer VCs than the routing requests). Cost: O(states of all routes); for networks with too many routes it
 * uses symmetry or the rank argument and names that in `method`. Returns 0 if a verdict was reached, -1 with an error
 * otherwise. */
int rt_prove(const struct rt *rt, uint32_t vcs, struct rt_proof *proof, struct base_errors *errors);
void rt_proof_free(struct rt_proof *proof);
/* The error of a proof that found a deadlock, as a sentence without the cycle. */
void rt_proof_verdict(const struct rt *rt, const struct rt_proof *proof, char *out, size_t size);

/* Built-in plug-ins, for files that refer to them by name; experiments/config/builtin.def lists all of them. */
extern const struct base_plugin rt_minimal, rt_valiant, rt_ugal_l, rt_ugal_g, rt_par, rt_slimfly_adaptive, rt_slingshot,
    rt_minimal_adaptive, rt_dimwar, rt_omniwar, rt_ecmp, rt_spray, rt_d_mod_k, rt_table, rt_latency, rt_aries;

#endif

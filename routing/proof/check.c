/* routing/proof/check.c - the deadlock proof: rt_prove(), see routing.h.
 *
 * Routes are enumerated for one destination at a time. Without a promise about legs, or on a small network, every
 * (source, destination, choices) is walked directly. If ops->legs promises that a non-minimal route consists of two
 * independent legs, three steps suffice:
 *   1. for every destination, minimal packets and, from the deciding switches, the first hops of diverted ones;
 *   2. for every intermediate, the rest of the first legs, up to the turn;
 *   3. for every destination, all turns, onward to it. A turn is skipped if no source can cause it (an intermediate in
 *      the destination's own switch or group, with all its sources there, too).
 * Step 3 combines every destination with every turn of `par`, although a packet that decides on its way was on the
 * minimal route to its destination: a superset, which can only make the verdict stricter.
 *
 * With ops->turn packets never wait for the channel that route() gives: then the only dependencies are those on
 * channels of turn(), from packets in every channel, and both alternatives are walked.
 *
 * If enumeration is too expensive, the rank argument (rank.h) is the proof. If there are fewer VCs than the rank
 * argument needs, a cycle is searched for in a part of the dependency graph, because a cycle in a part of the graph is
 * one of the whole graph. */
#include "routing/routing.h"

#include "base/memory.h"
#include "routing/proof/rank.h"
#include "routing/proof/walk.h"

#include <stdlib.h>

#define EVERYTHING 2000000u  /* up to this product of sources, intermediates and destinations all routes are walked */
#define ENUMERABLE 60000000u /* up to this number of calls of route() enumeration is preferred */
#define TURNS 24u            /* estimated calls at a switch whose packets may turn, per incoming channel */
#define SAMPLES 200000u
#define CYCLE_BUDGET 10000000u /* calls for the search of a cycle in a part of the network */

static const char method_enumerated[] = "acyclic channel-dependency graph (all routes enumerated)";
static const char method_escape[] = "acyclic dependencies of the channels that packets wait for, from every channel "
				    "(Duato's escape; all routes enumerated)";
static const char method_cycle[] = "cycle in the channel-dependency graph (all routes enumerated)";
static const char method_part[] = "cycle in a part of the channel-dependency graph";

/* The turn from first to second leg: the state of a packet that arrives at its intermediate. */
struct proof_turn {
	uint32_t class; /* class of all the packets' sources, or RT_NOWHERE: of several */
	uint8_t hops;
};

struct turns {
	struct rt_state_set at;
	struct proof_turn *v;
	uint32_t cap;
};

static bool carries(const struct topo *topo, topo_switch s)
{
	return topo_carries(topo, s);
}

static void find_longest(struct rt_proof *proof, unsigned hops)
{
	if (hops > proof->longest_route)
		proof->longest_route = hops;
}

/* All packets to the walk's destination, from all sources. */
static int walk_sources(struct rt_walk *w, struct rt_proof *proof)
{
	for (topo_switch s = 0; s < w->rt->topo->switches; s++) {
		if (!carries(w->rt->topo, s))
			continue;
		struct rt_state source = rt_walk_source(s);
		uint32_t i = rt_walk_from(w, &source);
		if (i == RT_NOWHERE)
			return -1;
		find_longest(proof, w->node[i].remaining);
	}
	return 0;
}

static int walk_destinations(struct rt_walk *w, enum rt_walk_mode mode, struct rt_proof *proof)
{
	for (topo_switch d = 0; d < w->rt->topo->switches; d++) {
		if (!carries(w->rt->topo, d))
			continue;
		rt_walk_start(w, mode, d);
		if (walk_sources(w, proof))
			return -1;
	}
	return 0;
}

/* Two destinations that are not in the class of `via`, as placeholders on its first legs. */
static bool stand_ins(const struct rt_walk *w, topo_switch via, topo_switch *one, topo_switch *two)
{
	const struct topo *topo = w->rt->topo;
	topo_switch *out[2] = { one, two };
	unsigned n = 0;
	for (topo_switch s = 0; s < topo->switches && n < 2; s++)
		if (carries(topo, s) && rt_walk_class(w, s) != rt_walk_class(w, via))
			*out[n++] = s;
	if (n == 1)
		*two = RT_NOWHERE;
	return n > 0;
}

static void merge_turns(struct proof_turn *into, uint32_t class, uint8_t hops)
{
	if (into->class != class)
		into->class = RT_NOWHERE;
	if (into->hops < hops)
		into->hops = hops;
}

static void add_turn(struct turns *turns, const struct rt_state *at, const struct proof_turn *turn)
{
	bool fresh;
	uint32_t i = rt_state_add(&turns->at, at, &fresh);
	if (turns->at.cap > turns->cap) {
		turns->cap = turns->at.cap;
		turns->v = base_realloc(turns->v, turns->cap * sizeof *turns->v);
	}
	if (fresh)
		turns->v[i] = *turn;
	else
		merge_turns(&turns->v[i], turn->class, turn->hops);
}

/* The first legs of the seeds [from, to), which have the same intermediate. */
static int walk_first_legs(struct rt_walk *w, const uint32_t *seeds, size_t n, struct turns *turns)
{
	if (!n)
		return 0;
	topo_switch one, two;
	if (!stand_ins(w, w->seed[seeds[0]].at.via, &one, &two))
		return 0;
	rt_walk_start(w, RT_WALK_FIRST_LEG, one);
	w->other = two;
	for (size_t i = 0; i < n; i++) {
		struct rt_state at = w->seed[seeds[i]].at;
		at.src = RT_NOWHERE;
		if (rt_walk_from(w, &at) == RT_NOWHERE)
			return -1;
	}
	struct proof_turn *reached = base_calloc(w->states.n, sizeof *reached);
	bool *known = base_calloc(w->states.n, sizeof *known), fresh;
	for (size_t i = 0; i < n; i++) {
		struct rt_seed seed = w->seed[seeds[i]];
		uint32_t class = rt_walk_class(w, seed.at.src);
		seed.at.src = RT_NOWHERE;
		uint32_t node = rt_state_add(&w->states, &seed.at, &fresh);
		if (!known[node])
			reached[node] = (struct proof_turn){ .class = class };
		known[node] = true;
		merge_turns(&reached[node], class, seed.hops);
	}
	for (uint32_t k = w->order_n; k--;) { /* every node before its successors */
		uint32_t i = w->order[k];
		for (uint32_t j = 0; j < w->node[i].n; j++) {
			uint32_t to = w->next[w->node[i].first + j];
			if (!known[to])
				reached[to] = (struct proof_turn){ .class = reached[i].class };
			known[to] = true;
			merge_turns(&reached[to], reached[i].class, (uint8_t)(reached[i].hops + 1));
		}
		if (w->node[i].turns)
			add_turn(turns, &w->states.v[i], &reached[i]);
	}
	free(known);
	free(reached);
	return 0;
}

/* Step 2: sorts the seeds by intermediate and walks each group. */
static int walk_all_first_legs(struct rt_walk *w, struct turns *turns)
{
	uint32_t switches = w->rt->topo->switches;
	size_t *first = base_calloc((size_t)switches + 2, sizeof *first);
	uint32_t *sorted = base_calloc(w->seeds, sizeof *sorted);
	for (size_t i = 0; i < w->seeds; i++)
		first[w->seed[i].at.via + 2]++;
	for (uint32_t v = 0; v <= switches; v++)
		first[v + 1] += first[v];
	for (size_t i = 0; i < w->seeds; i++)
		sorted[first[w->seed[i].at.via + 1]++] = (uint32_t)i;
	int status = 0;
	for (uint32_t v = 0; v < switches && !status; v++)
		status = walk_first_legs(w, sorted + first[v], first[v + 1] - first[v], turns);
	free(first);
	free(sorted);
	return status;
}

/* Step 3. */
static int walk_second_legs(struct rt_walk *w, const struct turns *turns, struct rt_proof *proof)
{
	const struct topo *topo = w->rt->topo;
	for (topo_switch d = 0; d < topo->switches; d++) {
		if (!carries(topo, d))
			continue;
		rt_walk_start(w, RT_WALK_ALL, d);
		uint32_t class = rt_walk_class(w, d);
		for (uint32_t i = 0; i < turns->at.n; i++) {
			const struct rt_state *at = &turns->at.v[i];
			if (turns->v[i].class == class || rt_walk_class(w, at->via) == class)
				continue;
			uint32_t node = rt_walk_from(w, at);
			if (node == RT_NOWHERE)
				return -1;
			find_longest(proof, turns->v[i].hops + w->node[node].remaining);
		}
	}
	return 0;
}

static int enumerate(struct rt_walk *w, bool by_legs, struct rt_proof *proof)
{
	if (!by_legs)
		return walk_destinations(w, RT_WALK_ALL, proof);
	struct turns turns = { 0 };
	int status = walk_destinations(w, RT_WALK_DECIDING, proof);
	if (!status)
		status = walk_all_first_legs(w, &turns);
	if (!status)
		status = walk_second_legs(w, &turns, proof);
	rt_state_free(&turns.at);
	free(turns.v);
	return status;
}

static void verdict(const struct rt *rt, const struct rt_cdg *cdg, struct rt_proof *proof)
{
	proof->channels = cdg->channels;
	proof->dependencies = cdg->edges;
	proof->cycle_length = rt_cdg_cycle(cdg, &proof->cycle);
	proof->deadlock_free = proof->cycle_length == 0;
	proof->method = !proof->deadlock_free ? method_cycle : rt->ops->turn ? method_escape : method_enumerated;
	if (!proof->deadlock_free && rt->proof_note && rt_cdg_bubble(cdg)) {
		proof->deadlock_free = true;
		proof->method = rt->proof_note;
		free(proof->cycle);
		proof->cycle = NULL;
		proof->cycle_length = 0;
	}
}

/* Approximate number of calls of route() for enumeration. */
static uint64_t effort(const struct rt *rt, enum rt_legs legs, uint64_t carrying, bool *by_legs)
{
	uint64_t pairs = carrying * carrying, far = rt->topo->ops->max_distance(rt->topo) + 1;
	*by_legs = false;
	if (rt->ops->turn) /* a packet may arrive by any port, on any VC */
		return pairs * rt->topo->max_ports * rt->vcs * TURNS;
	if (legs == RT_LEGS_ONE)
		return pairs * 2;
	uint64_t triples = pairs > UINT64_MAX / 64 / (carrying + 1) ? UINT64_MAX / 64 : pairs * carrying;
	if (legs == RT_LEGS_UNKNOWN || triples <= EVERYTHING)
		return triples * 2;
	*by_legs = true;
	uint64_t turns = carrying * rt->topo->max_ports * (rt->topo->vc_rule == TOPO_VC_HOP ? far - 1 : 2);
	return pairs * far + turns * carrying;
}

/* Does the walk's graph have a cycle? Then the verdict is known. */
static bool has_cycle(const struct rt_walk *w, struct rt_proof *proof)
{
	verdict(w->rt, w->cdg, proof);
	if (!proof->deadlock_free)
		proof->method = method_part;
	return !proof->deadlock_free;
}

/* All routes whose source, intermediate and destination are among the first `ball` switches. */
static int walk_ball(struct rt_walk *w, uint32_t ball)
{
	const struct topo *topo = w->rt->topo;
	if (ball > topo->switches)
		ball = topo->switches;
	uint32_t intermediates = w->legs == RT_LEGS_ONE ? 1 : ball;
	for (w->narrow = 1; w->narrow <= intermediates; w->narrow++)
		for (topo_switch d = 0; d < ball; d++) {
			rt_walk_start(w, RT_WALK_ALL, d);
			for (topo_switch s = 0; s < ball && carries(topo, d); s++) {
				struct rt_state source = rt_walk_source(s);
				if (carries(topo, s) && rt_walk_from(w, &source) == RT_NOWHERE)
					return -1;
			}
		}
	return 0;
}

/* For a large network with fewer VCs than the rank argument needs: searches for a cycle of dependencies among the
 * routes within some neighbourhoods, then among sampled routes, then among minimal routes to increasing numbers of
 * destinations. */
static int find_cycle(struct rt_walk *w, struct rt_proof *proof)
{
	const struct topo *topo = w->rt->topo;
	static const uint32_t ball[] = { 64, 128 };
	for (size_t i = 0; i < sizeof ball / sizeof *ball; i++) {
		if (walk_ball(w, ball[i]))
			return -1;
		if (has_cycle(w, proof))
			return 0;
	}
	struct rt_sample sample = { .vcs = w->vcs, .routes = 5 * SAMPLES, .cdg = w->cdg };
	if (rt_rank_sample(w->rt, &sample, w->errors))
		return -1;
	if (has_cycle(w, proof))
		return 0;
	struct rt_proof ignored = { 0 };
	w->narrow = 1;
	uint64_t limit = w->calls + CYCLE_BUDGET;
	for (topo_switch d = 0; d < topo->switches && w->calls < limit; d++) {
		rt_walk_start(w, RT_WALK_ALL, d);
		if (carries(topo, d) && walk_sources(w, &ignored))
			return -1;
	}
	if (has_cycle(w, proof))
		return 0;
	return base_errorf(
	    w->errors, NULL,
	    "%s: the network is too large to prove that %u virtual channels exclude deadlock; %u are enough",
	    w->rt->plugin->name, w->vcs, w->rt->vcs);
}

static int prove_by_rank(const struct rt *rt, struct rt_proof *proof, struct base_errors *errors, bool *done)
{
	struct rt_sample sample = { .vcs = proof->vcs, .routes = SAMPLES };
	*done = false;
	if (rt_rank_sample(rt, &sample, errors))
		return -1;
	if (!sample.climbs)
		return 0; /* the routing violates its promise: enumerate regardless of the cost */
	*done = true;
	proof->deadlock_free = true;
	proof->method = rt_rank_method(rt);
	proof->longest_route = sample.longest;
	return 0;
}

int rt_prove(const struct rt *rt, uint32_t vcs, struct rt_proof *proof, struct base_errors *errors)
{
	*proof = (struct rt_proof){ .vcs = vcs };
	if (!vcs)
		return base_errorf(errors, NULL, "there must be at least one virtual channel");
	struct rt_walk walk = { .rt = rt, .vcs = vcs, .errors = errors, .check_vc = vcs >= rt->vcs };
	walk.legs = rt->ops->legs ? rt->ops->legs(rt) : RT_LEGS_UNKNOWN;
	uint64_t carrying = 0;
	for (topo_switch s = 0; s < rt->topo->switches; s++)
		carrying += carries(rt->topo, s);
	bool by_legs, part = false, done = false;
	if (effort(rt, walk.legs, carrying, &by_legs) > ENUMERABLE && rt_rank_method(rt)) {
		part = vcs < rt->vcs;
		if (!part && (prove_by_rank(rt, proof, errors, &done) || done))
			return done ? 0 : -1;
	}
	struct rt_cdg cdg;
	if (rt_cdg_init(&cdg, rt->topo, vcs, errors))
		return -1;
	walk.cdg = &cdg;
	int status = part ? find_cycle(&walk, proof) : enumerate(&walk, by_legs, proof);
	if (!status && !part)
		verdict(rt, &cdg, proof);
	if (!status && !part && vcs >= rt->vcs && proof->longest_route > rt->max_hops)
		status = base_errorf(errors, NULL, "%s: a route has %u hops, but build() set max_hops = %u",
		                     rt->plugin->name, proof->longest_route, rt->max_hops);
	rt_walk_free(&walk);
	rt_cdg_free(&cdg);
	return status;
}

void rt_proof_verdict(const struct rt *rt, const struct rt_proof *proof, char *out, size_t size)
{
	const char *s = proof->vcs == 1 ? "" : "s", *name = rt->plugin->name;
	if (rt->own_routes && proof->vcs >= rt->vcs)
		snprintf(out, size,
		         "%s routing can deadlock with %u virtual channel%s on this topology: packets that follow its "
		         "routes can wait for each other in a circle",
		         name, proof->vcs, s);
	else if (proof->vcs < rt->vcs)
		snprintf(out, size, "%s routing can deadlock with %u virtual channel%s on this topology; it needs %u",
		         name, proof->vcs, s, rt->vcs);
	else
		snprintf(out, size,
		         "%s routing can deadlock with %u virtual channel%s on this topology, although its build() "
		         "says that "
		         "%u %s enough",
		         name, proof->vcs, s, rt->vcs, rt->vcs == 1 ? "is" : "are");
}

void rt_proof_free(struct rt_proof *proof)
{
	free(proof->cycle);
	*proof = (struct rt_proof){ 0 };
}

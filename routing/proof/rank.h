/* routing/proof/rank.h - the rank argument for networks too large to enumerate: by construction (routing/vc.h) every
 * route climbs strictly in a fixed rank (a strict order) of channels, so waiting packets cannot form a cycle; sampled
 * routes are checked against the rank, hop by hop. */
#ifndef ROUTING_RANK_H
#define ROUTING_RANK_H

#include "routing/proof/cdg.h"

/* Returns the name of the rank on which the routing's VCs are based, as text for rt_proof.method; NULL if none is
 * known. */
const char *rt_rank_method(const struct rt *rt);

struct rt_sample {
	uint32_t vcs;       /* VCs above are clamped */
	uint64_t routes;    /* number of samples; half of their sources represent the topology's orbits, if known */
	struct rt_cdg *cdg; /* records dependencies, or NULL */
	uint32_t longest;   /* result */
	bool climbs;        /* result: all routes climb */
};

/* Checks the rank on samples: follows routes with random choices and random queue depths, as in a simulation, with a
 * fixed seed. Returns -1 with an error if a route is invalid. */
int rt_rank_sample(const struct rt *rt, struct rt_sample *sample, struct base_errors *errors);

#endif

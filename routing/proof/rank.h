/* routing/proof/rank.h - the rank argument: where enumeration is too large, every route climbs strictly in a fixed rank
 * of channels, by construction (routing/vc.h); here sampled routes are checked against it, hop by hop. */
#ifndef ROUTING_RANK_H
#define ROUTING_RANK_H

#include "routing/proof/cdg.h"

/* The rank that the routing is built on, in words, as rt_proof.method; NULL if none is known. */
const char *rt_rank_method(const struct rt *rt);

struct rt_sample {
	uint32_t vcs;       /* VCs above are clamped */
	uint64_t routes;    /* how many; half of the sources are the topology's orbits, if known */
	struct rt_cdg *cdg; /* note dependencies there, or NULL */
	uint32_t longest;   /* result */
	bool climbs;        /* result: all did */
};

/* Follows routes with random choices and random queue depths, as in a simulation (fixed seed). Returns -1 with an error
 * when a route goes astray. */
int rt_rank_sample(const struct rt *rt, struct rt_sample *sample, struct base_errors *errors);

#endif

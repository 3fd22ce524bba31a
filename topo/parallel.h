/* topo/parallel.h - every cable of a network as several in parallel: the key `trunk` of direct networks. */
#ifndef TOPO_PARALLEL_H
#define TOPO_PARALLEL_H

#include "topo/topo.h"

/* Puts n parallel cables, 2 or more, in place of each cable of a topology that has been built. Returns -1 with an error
 * of key "trunk" if switches would have too many ports. */
int topo_multiply(struct topo *topo, int64_t n, struct base_errors *errors);

/* The row `trunk` of a topology whose ops say trunk_at. */
#define TOPO_TRUNK(params)                                                                             \
	{                                                                                              \
		.name = "trunk", .type = BASE_INT, .offset = offsetof(params, trunk), .standard = "1", \
		.unit = "cables", .min = 1, .max = TOPO_MAX_NEXT,                                      \
		.help = "parallel cables between two neighbours, taken equally often"                  \
	}

#endif

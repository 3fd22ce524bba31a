/* topo/parallel.h - replaces every cable of a network by several parallel ones: the key `trunk` of direct networks. */
#ifndef TOPO_PARALLEL_H
#define TOPO_PARALLEL_H

#include "topo/topo.h"

/* Replaces each cable of a built topology by n >= 2 parallel cables. Returns -1 with an error of key "trunk" if
 * switches would have too many ports. */
int topo_multiply(struct topo *topo, int64_t n, struct base_errors *errors);

/* The row `trunk` in the parameter table of a topology whose ops set trunk_at. */
#define TOPO_TRUNK(params)                                                                                  \
	{                                                                                                   \
		.name = "trunk", .type = BASE_INT, .offset = offsetof(params, trunk), .default_value = "1", \
		.unit = "cables", .min = 1, .max = TOPO_MAX_NEXT,                                           \
		.help = "parallel cables between two neighbours, used equally"                              \
	}

#endif

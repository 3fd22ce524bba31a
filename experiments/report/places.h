/* experiments/report/places.h - computes the positions of switches in the drawing of a network. */
#ifndef EXPERIMENTS_REPORT_PLACES_H
#define EXPERIMENTS_REPORT_PLACES_H

#include "topo/topo.h"

struct xp_place {
	double x, y;
	int group; /* gives its colour; -1 for ink */
};

struct xp_places {
	struct xp_place *at; /* [switches]; owned by the caller */
	double aspect;       /* height over width */
	double curve;        /* of cables: how much they bend, so that those along a line can be seen */
	const char *how;     /* what the page says */
};

/* Computes the positions of all switches in the drawing. A Slim Fly is drawn as two blocks, and a topology with
 * coordinates as a grid. Otherwise groups are arranged in a ring, a network in which some switches have no endpoints as
 * layers, and any other network as a circle. */
void xp_places_find(struct xp_places *places, const struct topo *topo);

#endif

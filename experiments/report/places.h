/* experiments/report/places.h - where a drawing puts the switches of a network. */
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

/* Two blocks for Slim Fly, coordinates unrolled where a topology has them, rings of groups where it has groups, layers
 * where some switches have no endpoints, else a circle. */
void xp_places_find(struct xp_places *places, const struct topo *topo);

#endif

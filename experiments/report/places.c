/* experiments/report/places.c - see places.h */
#include "experiments/report/places.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DIMS 8
#define TURN (2 * 3.14159265358979323846)

/* Subgraphs 0 and 1 side by side, each q x q: switch (s, x, y) in column x and row y of block s. */
static void two_blocks(struct xp_places *places, const struct topo *topo)
{
	uint32_t half = topo->switches / 2, q = (uint32_t)lround(sqrt(half));
	for (uint32_t s = 0; s < topo->switches; s++) {
		uint32_t block = s / half, x = s % half / q, y = s % half % q;
		places->at[s] = (struct xp_place){ block * 1.5 * q + x, y, (int)block };
	}
	places->aspect = 0.42;
	places->curve = 0.12;
	places->how =
	    "Two blocks: the switches (0, x, y) to the left and (1, m, c) to the right, a column for each x or m.";
}

/* Draws the first dimension along x and the second one along y. The blocks so drawn, one for each coordinate in the
 * other dimensions, are arranged row by row in a grid that is wider than high. */
static void unrolled(struct xp_places *places, const struct topo *topo, const uint32_t *size, int dims)
{
	uint32_t rows = dims > 1 ? size[1] : 1, block = size[0] * rows, blocks = topo->switches / block;
	uint32_t across = (uint32_t)ceil(sqrt(2.0 * blocks * rows / size[0]));
	across = dims < 3 ? 1 : dims == 4 ? size[2] : across > blocks ? blocks : across;
	for (uint32_t s = 0; s < topo->switches; s++) {
		uint32_t b = s / block, x = s % size[0], y = s % block / size[0];
		places->at[s] =
		    (struct xp_place){ b % across * (size[0] + 1.0) + x, -(double)(b / across * (rows + 1.0) + y), -1 };
	}
	uint32_t down = (blocks + across - 1) / across;
	places->aspect = fmin(fmax(1.25 * down * (rows + 1) / (across * (size[0] + 1.0)), 0.2), 0.9);
	places->curve = 0.12;
	places->how =
	    dims > 2 ? "Unrolled: the first two dimensions are the columns and rows of a block, the others are blocks "
		       "beside and below each other."
	    : dims > 1 ? "Columns and rows are the dimensions."
		       : "One dimension.";
}

static uint32_t group_of(const struct topo *topo, topo_switch s)
{
	return topo->ops->group ? topo->ops->group(topo, s) : 0;
}

/* Groups on a large ring, the switches of each on a small one. */
static void ring_of_groups(struct xp_places *places, const struct topo *topo)
{
	uint32_t *members = base_calloc(topo->groups, sizeof *members);
	for (uint32_t s = 0; s < topo->switches; s++)
		members[group_of(topo, s)]++;
	uint32_t *next = base_calloc(topo->groups, sizeof *next);
	for (uint32_t s = 0; s < topo->switches; s++) {
		uint32_t g = group_of(topo, s);
		double at = TURN * g / topo->groups, r = 0.8 * sin(TURN / 2 / topo->groups);
		double on = at + TURN * next[g]++ / members[g];
		places->at[s] = (struct xp_place){ cos(at) + r * cos(on), sin(at) + r * sin(on), -1 };
	}
	free(members);
	free(next);
	places->aspect = 0.8;
	places->how = "Rings of groups: each small ring is a group.";
}

static void circle(struct xp_places *places, const struct topo *topo)
{
	for (uint32_t i = 0; i < topo->switches; i++) {
		topo_switch s = topo->ops->order ? topo->ops->order(topo, i) : i;
		double at = TURN * i / topo->switches;
		places->at[s] = (struct xp_place){ cos(at), sin(at), -1 };
	}
	places->aspect = 0.8;
	places->how = "All switches on a circle.";
}

/* Cables from the nearest switch with endpoints: level[s]. Returns how many levels there are. */
static uint32_t find_levels(const struct topo *topo, uint32_t *level)
{
	topo_switch *queue = base_calloc(topo->switches, sizeof *queue);
	uint32_t head = 0, tail = 0, most = 0;
	for (uint32_t s = 0; s < topo->switches; s++) {
		bool leaf = topo_first_endpoint(topo, s + 1) > topo_first_endpoint(topo, s);
		level[s] = leaf ? 0 : TOPO_NONE;
		if (leaf)
			queue[tail++] = s;
	}
	while (head < tail) {
		topo_switch s = queue[head++];
		for (topo_port p = 0; p < topo_ports(topo, s); p++) {
			topo_switch to = topo_peer(topo, s, p).to;
			if (level[to] != TOPO_NONE)
				continue;
			level[to] = level[s] + 1;
			most = level[to] > most ? level[to] : most;
			queue[tail++] = to;
		}
	}
	free(queue);
	return most + 1;
}

static void layers(struct xp_places *places, const struct topo *topo)
{
	uint32_t *level = base_calloc(topo->switches, sizeof *level), levels = find_levels(topo, level);
	uint32_t *size = base_calloc(levels, sizeof *size), *next = base_calloc(levels, sizeof *next), widest = 1;
	for (uint32_t s = 0; s < topo->switches; s++) {
		level[s] = level[s] == TOPO_NONE ? 0 : level[s];
		size[level[s]]++;
		widest = size[level[s]] > widest ? size[level[s]] : widest;
	}
	for (uint32_t s = 0; s < topo->switches; s++) {
		uint32_t l = level[s];
		places->at[s] = (struct xp_place){ (next[l]++ + 0.5) * widest / size[l], l * widest / (2.2 * levels),
			                           l ? (int)l : 0 };
	}
	free(level);
	free(size);
	free(next);
	places->aspect = 0.45;
	places->how = "Layers: switches with endpoints at the bottom, the others by their distance from those.";
}

void xp_places_find(struct xp_places *places, const struct topo *topo)
{
	uint32_t size[MOST_DIMS];
	int dims = topo->ops->dims ? topo->ops->dims(topo, size, MOST_DIMS) : 0;
	bool bare = false;
	for (uint32_t s = 0; s < topo->switches && !bare; s++)
		bare = topo_first_endpoint(topo, s + 1) == topo_first_endpoint(topo, s);
	*places = (struct xp_places){ .at = base_calloc(topo->switches, sizeof *places->at) };
	if (!strcmp(topo->kind, "slimfly"))
		two_blocks(places, topo);
	else if (dims > 0 && dims <= MOST_DIMS)
		unrolled(places, topo, size, dims);
	else if (topo->groups > 2 && topo->groups < topo->switches && topo->ops->group)
		ring_of_groups(places, topo);
	else if (bare)
		layers(places, topo);
	else
		circle(places, topo);
}

/* topo/sizing_each.h - common parts of the families in sizing.c and sizing_search.c. */
#ifndef TOPO_SIZING_EACH_H
#define TOPO_SIZING_EACH_H

#include "topo/sizing.h"

#include <math.h>

/* Calls visit() for a member, unless it has too many ports or exceeds the supported size. */
void topo_visit(const struct topo_sizing *sizing, struct topo_member member);
#define TOPO_VISIT(s, ...) topo_visit(s, (struct topo_member){ __VA_ARGS__ })
bool topo_is_prime_power(uint32_t n);

/* Does the search skip this subset of the family, because by its bounds no member can meet the requirements? */
static inline bool topo_cut(const struct topo_sizing *s, const struct topo_box *box)
{
	return s->cut && s->cut(s->arg, box);
}

/* The maximum number of parallel cables in the search: the requested one, at most `possible` and TOPO_MAX_NEXT. */
static inline uint32_t topo_most_trunk(const struct topo_sizing *s, uint64_t possible)
{
	uint64_t most = s->trunk && s->trunk < possible ? s->trunk : possible;
	return (uint32_t)(most < TOPO_MAX_NEXT ? most : TOPO_MAX_NEXT);
}

static inline uint64_t topo_round_up(uint64_t n, uint64_t by)
{
	return (n + by - 1) / by;
}

static inline uint64_t topo_at_least(uint64_t least, uint64_t n)
{
	return n > least ? n : least;
}

/* The number of parallel cables per pair from which the search starts: the least number that is sufficient if the
 * cables of a pair carry `flows` flows together, or one fewer because of rounding; at least 1. */
static inline uint32_t topo_least_trunk(const struct topo_sizing *s, double flows, double endpoints)
{
	double least = floor(s->uniform * flows / (endpoints - 1));
	return least > 1 ? (uint32_t)fmin(least, TOPO_MAX_NEXT) : 1;
}

/* A graph of which a family has members with any number of parallel cables per cable, and with any, but equal, number
 * of endpoints at its first `carrying` switches. */
struct topo_graph_sizes {
	const struct topo_family *family;
	uint32_t v[TOPO_SIZES - 2], n; /* its parameters; endpoints and trunk follow */
	uint64_t carrying, others;     /* switches with endpoints; without */
	uint64_t cables;
	uint32_t degree, least_degree; /* of switches with endpoints, the maximum and the minimum */
	uint32_t other_degree;         /* of switches without endpoints */
	double load;   /* of the most loaded channel, if each switch with endpoints sends one unit to each other */
	uint32_t ways; /* maximum number of ports that a minimal route chooses among at a switch */
};
/* Calls visit() for the members of the family that have this graph. */
void topo_visit_graph(const struct topo_sizing *s, const struct topo_graph_sizes *g);
#define TOPO_VISIT_GRAPH(s, ...) topo_visit_graph(s, &(struct topo_graph_sizes){ __VA_ARGS__ })

/* sizing_groups.c, dragonfly_members.c */
const char *topo_each_dragonfly_grid(const struct topo_family *family, const struct topo_sizing *sizing);
const char *topo_each_dragonfly(const struct topo_family *family, const struct topo_sizing *sizing);
const char *topo_each_dragonfly_plus(const struct topo_family *family, const struct topo_sizing *sizing);
/* sizing_tree.c */
const char *topo_each_leaf_spine(const struct topo_family *family, const struct topo_sizing *sizing);
const char *topo_each_xgft_3(const struct topo_family *family, const struct topo_sizing *sizing);
/* sizing_grid.c */
const char *topo_each_hyperx_1d(const struct topo_family *family, const struct topo_sizing *sizing);
const char *topo_each_hyperx_2d(const struct topo_family *family, const struct topo_sizing *sizing);
const char *topo_each_hyperx_3d(const struct topo_family *family, const struct topo_sizing *sizing);

/* sizing_search.c: see struct topo_family. */
const char *topo_each_spectralfly(const struct topo_family *family, const struct topo_sizing *sizing);
const char *topo_each_bundlefly(const struct topo_family *family, const struct topo_sizing *sizing);
const char *topo_each_polarstar(const struct topo_family *family, const struct topo_sizing *sizing);
const char *topo_each_polarstar_paley(const struct topo_family *family, const struct topo_sizing *sizing);
const char *topo_each_hammingmesh(const struct topo_family *family, const struct topo_sizing *sizing);
const char *topo_each_jellyfish(const struct topo_family *family, const struct topo_sizing *sizing);

#endif

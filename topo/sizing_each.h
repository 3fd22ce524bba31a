/* topo/sizing_each.h - what the families of sizing.c and sizing_search.c have in common. */
#ifndef TOPO_SIZING_EACH_H
#define TOPO_SIZING_EACH_H

#include "topo/sizing.h"

#include <math.h>

/* Visits a member if it has not too many ports, and is not larger than what can be built. */
void topo_visit(const struct topo_sizing *sizing, struct topo_member member);
bool topo_is_prime_power(uint32_t n);

/* Is a part of the family left out? */
static inline bool topo_cut(const struct topo_sizing *s, const struct topo_box *box)
{
	return s->cut && s->cut(s->arg, box);
}

/* The most parallel cables that are asked for, of as many as there could be. */
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

/* The least cables of a pair with which a channel that carries `flows` in all is fast enough, or one fewer. */
static inline uint32_t topo_least_trunk(const struct topo_sizing *s, double flows, double endpoints)
{
	double least = floor(s->uniform * flows / (endpoints - 1));
	return least > 1 ? (uint32_t)fmin(least, TOPO_MAX_NEXT) : 1;
}

/* A graph whose cables may be multiplied, with as many endpoints at each of its first switches. */
struct topo_graph_sizes {
	const struct topo_family *family;
	uint32_t v[TOPO_SIZES - 2], n; /* its parameters; endpoints and trunk come after these */
	uint64_t carrying, others;     /* switches with endpoints; without */
	uint64_t cables;
	uint32_t degree, least_degree; /* of the former, the most and the least */
	uint32_t other_degree;         /* of the latter */
	double load;                   /* of the fullest channel, if each carrying switch sends one to each other */
	uint32_t ways;                 /* ports that a minimal route chooses among at a switch, at most */
};
/* Visits its members. */
void topo_visit_graph(const struct topo_sizing *s, const struct topo_graph_sizes *g);

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

/* experiments/costing/costing.h - one network with its layout, bill of materials and cost. */
#ifndef EXPERIMENTS_COSTING_COSTING_H
#define EXPERIMENTS_COSTING_COSTING_H

#include "experiments/config/config.h"
#include "topo/cost.h"

/* Of one configuration. */
struct xp_costing {
	const char *name; /* as it was given */
	struct xp_config config;
	struct topo topo;
	struct topo_layout layout;
	struct topo_bill bill;
	struct topo_prices *prices;
	struct topo_model model;
	bool read, built, priced; /* read: its configuration */
	struct topo_cost cost;    /* if priced */
	double watts;             /* by published port figures; negative: there are none for its rates */
	const char *watts_source;
	double uniform; /* where uniform traffic saturates; negative: only a search can determine it */
	double gbps;    /* of an endpoint */
};

/* The properties of links in a cost report. */
enum xp_costing_links {
	XP_LINKS_OF_TOPOLOGY, /* is of this topology's: what has no effect on it is an error */
	XP_LINKS_OF_STUDY,    /* is of all networks of a study's, and judged by xp_links_judge(): links.h */
	XP_LINKS_OF_BASE,     /* the same of one switch that stands for all networks: cables of their own are these's */
};

/* Loads, builds and prices a network; with source NULL a configuration that consists of `sets` only. Returns -1 with
 * errors. Free it in any case. */
int xp_costing_make(struct xp_costing *c, const char *source, const struct xp_sets *sets, enum xp_costing_links links,
                    struct base_registry *registry, struct base_errors *errors);
/* Loads and builds a network as xp_costing_make() does, but does not compute the cost. */
int xp_costing_load(struct xp_costing *c, const char *source, const struct xp_sets *sets, enum xp_costing_links links,
                    struct base_registry *registry, struct base_errors *errors);
/* Did pricing fail because the cost model has no price for some part? The cost is then missing, but the bill of
 * materials is complete, and `why` is the reason. */
bool xp_costing_unsold(struct xp_costing *c, const struct base_errors *errors, char *why, size_t size);
void xp_costing_free(struct xp_costing *c);

/* Rounds to twelve digits, so that equal totals that are summed in different orders compare as equal. */
double xp_rounded(double x);
/* The same per endpoint. */
static inline double xp_per_endpoint(const struct xp_costing *c, double amount)
{
	return xp_rounded(amount / c->topo.endpoints);
}

#endif

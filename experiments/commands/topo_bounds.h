/* experiments/commands/topo_bounds.h - `tilefly topo --bounds`: upper bounds of the throughput of a routing, computed
 * without simulating. */
#ifndef EXPERIMENTS_COMMANDS_TOPO_BOUNDS_H
#define EXPERIMENTS_COMMANDS_TOPO_BOUNDS_H

#include "base/json.h"
#include "network/config.h"
#include "routing/bounds/bounds.h"
#include "topo/diversity.h"
#include "topo/survive.h"

#define XP_DAMAGES 4 /* shares of removed cables that are looked at */

/* A throughput as a fraction of the injection bandwidth; it may exceed 1. If it is negative, the throughput is not
 * known, and the structure contains the reason. */
struct xp_bound {
	double share;
	const char *why;
	topo_switch at; /* the channel that limits it; TOPO_NONE: none, or not said */
	topo_port port;
};

struct xp_bounds {
	const struct topo *topo;
	const struct net_config *config;
	bool oblivious;       /* the routing's own loads are known */
	const char *adaptive; /* why not */
	uint32_t compared;    /* pairs of switches whose loads were compared with those that route() makes */
	struct xp_bound uniform, worst;
	struct rt_worst permutation;
	struct xp_bound by_hops, by_paths, worst_by_paths; /* Uniform traffic over shortest paths, split in two ways. */
	struct topo_diversity diversity;
	const char *diversity_why;
	struct topo_limits limits;
	struct topo_survival survival;
	struct topo_damage damage[XP_DAMAGES];
	double throughput_left[XP_DAMAGES];
	uint32_t throughput_draws;
	const char *damage_why;
};

/* Computes upper bounds of throughput for the topology and routing of a configuration. Returns 0, or -1 with errors if
 * the routing cannot be built. */
int xp_bounds_find(struct xp_bounds *b, const struct net_config *config, const struct topo *topo,
                   struct base_errors *errors);
void xp_bounds_free(struct xp_bounds *b);
void xp_bounds_text(const struct xp_bounds *b);
/* Writes the throughput bounds as member "bounds" of a JSON object. */
void xp_bounds_json(const struct xp_bounds *b, struct base_json *j);

#endif

/* experiments/report/network.h - the page's section on networks: the switches, cables and rack floor plan of each
 * network from which the page shows results. */
#ifndef EXPERIMENTS_REPORT_NETWORK_H
#define EXPERIMENTS_REPORT_NETWORK_H

#include "experiments/config/config.h"
#include "experiments/report/report.h"
#include "topo/layout.h"

/* Records the topology and layout of a manifest, so that the section on networks shows them; each network is shown
 * once. `name` identifies the result from which it comes. */
void xp_network_keep(struct xp_report *report, const char *name, const json_t *manifest);
/* Records a network for the section on networks, like xp_network_keep(), but only for drawing: the bill of materials
 * and the cost are in the result's own section. */
void xp_network_keep_drawing(struct xp_report *report, const char *name, const json_t *manifest);
/* A network that xp_network_build() builds from assignments such as "topology.q=5"; it must be all-zero before.
 * xp_network_build() returns false if the network cannot be built. The caller must release the network by
 * xp_network_release() in either case. */
struct xp_network {
	struct xp_config config;
	struct topo topo;
	struct topo_layout layout;
	bool built, placed;
};
bool xp_network_build(struct xp_network *net, const json_t *sets, struct base_registry *registry);
void xp_network_release(struct xp_network *net);

/* Writes the bills of materials of the page's networks and, if their configurations select a cost model, their costs.
 */
void xp_network_bills(struct xp_report *report, struct base_registry *registry);

/* Writes the section on networks, unless there is no network to draw. Three kinds of networks are left out: networks of
 * user plug-ins, networks that are read from missing files, and networks that are too large to draw. */
void xp_network_section(struct xp_report *report);

#endif

/* experiments/report/network.h - the networks of the page's results: their switches and cables, and the floor plan of
 * racks. */
#ifndef EXPERIMENTS_REPORT_NETWORK_H
#define EXPERIMENTS_REPORT_NETWORK_H

#include "experiments/config/config.h"
#include "experiments/report/report.h"
#include "topo/layout.h"

/* Adds the topology and layout of a manifest to the section of networks, unless it is already there. `name` identifies
 * the result. */
void xp_network_keep(struct xp_report *report, const char *name, const json_t *manifest);
/* The same for a result whose own section prints the bill of materials and the cost of the network. */
void xp_network_keep_drawing(struct xp_report *report, const char *name, const json_t *manifest);
/* Builds a network, all-zero before, from assignments ("topology.q=5"). Returns false if it cannot be built. Release it
 * in any case. */
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

/* Writes the section, if there is a network that can be drawn. Networks of user plug-ins or of missing files are left
 * out, and those that are too large to draw. */
void xp_network_section(struct xp_report *report);

#endif

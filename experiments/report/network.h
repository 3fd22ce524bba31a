/* experiments/report/network.h - the networks that a page's results are of: their switches and cables, and the machine
 * room from above. */
#ifndef EXPERIMENTS_REPORT_NETWORK_H
#define EXPERIMENTS_REPORT_NETWORK_H

#include "experiments/config/config.h"
#include "experiments/report/report.h"
#include "topo/layout.h"

/* Keeps the topology and layout of a manifest for the section of networks, once each. `name` says which result's. */
void xp_network_keep(struct xp_report *report, const char *name, const json_t *manifest);
/* The same, for a result whose own section says what the network is made of and costs. */
void xp_network_keep_drawing(struct xp_report *report, const char *name, const json_t *manifest);
/* A network made from assignments ("topology.q=5"), all-zero before. Returns false if it cannot be built; release it
 * either way. */
struct xp_network {
	struct xp_config config;
	struct topo topo;
	struct topo_layout layout;
	bool built, placed;
};
bool xp_network_build(struct xp_network *net, const json_t *sets, struct base_registry *registry);
void xp_network_release(struct xp_network *net);

/* What the networks of the page are made of and, where their configurations choose a cost model, what they cost. */
void xp_network_bills(struct xp_report *report, struct base_registry *registry);

/* The section, if there is a network that can be drawn: those of user's plug-ins and of files that are gone are left
 * out, as is what would be too much to see. */
void xp_network_section(struct xp_report *report);

#endif

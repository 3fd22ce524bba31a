/* network/telemetry/telemetry.h - information of switches about the queues of others: published, or carried by credits.
 */
#ifndef NETWORK_TELEMETRY_H
#define NETWORK_TELEMETRY_H

#include "switch/switch.h"
#include "topo/topo.h"

struct net;
struct net_lp;

struct net_published { /* UGAL-G: what this LP knows of others */
	uint32_t peers;
	uint32_t *peer;  /* [peers] switch numbers, rising */
	uint16_t *depth; /* [peers][max_ports], in units of NET_DEPTH_UNIT bytes */
	uint16_t *sent;  /* [max_ports] its own depths as it last published them */
};
#define NET_DEPTH_UNIT 64u

struct net_telemetry {
	struct net_published *published;   /* [room], or NULL */
	struct net_neighbours *neighbours; /* reports carried by credits, or NULL */
	/* With `published`, for a topology with groups: the first index of each group, [groups + 1]; and its switches,
	 * [switches], in increasing order within each group. */
	uint32_t *group_first, *group_member;
};

/* publish.c */
int net_publish_check(const struct net *n, struct base_errors *errors);
/* For the estimate of memory: events that are all due at the same time. */
double net_publish_events(const struct net *n);
void net_publish_tick(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *event);
void net_publish_receive(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *event);
uint64_t net_published_bytes(const void *host, topo_switch there, topo_port out);

/* Queue depths carried by credits; everything but the defaults only if n->telemetry.neighbours. neighbours.c */
/* Sets the default that the routing leaves to the network: auto_hold. The switches must be built. */
void net_neighbours_defaults(struct net *n);
/* Telemetry of the neighbour at a port: the last reports received from this neighbour, and the next block to report to
 * it. */
const void *net_neighbours_of(const struct net *n, const struct net_lp *lp, uint32_t port);
/* The 24 bits of the next credit for the neighbour at in_port. */
uint64_t net_neighbours_tell(const struct net *n, struct sw_call *call, const struct net_lp *lp, uint32_t in_port);
void net_neighbours_hear(const struct net *n, struct sim_ctx *ctx, const struct net_lp *lp, uint32_t out,
                         uint64_t report);
uint64_t net_neighbour_bytes(const void *host, topo_port out, topo_port far, uint64_t now);

#endif

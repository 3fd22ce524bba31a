/* network/telemetry/telemetry.h - what switches learn of the queues of others: published, or with credits. */
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
};
#define NET_DEPTH_UNIT 64u

struct net_telemetry {
	struct net_published *published;   /* [room], or NULL */
	struct net_neighbours *neighbours; /* what credits tell, or NULL */
	/* With `published`, of a topology with groups: [groups + 1]; [switches], each group's rising. */
	uint32_t *group_first, *group_member;
};

/* publish.c */
int net_publish_check(const struct net *n, struct base_errors *errors);
/* For the estimate of memory: events that are all due at the same time. */
double net_publish_events(const struct net *n);
void net_publish_tick(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *event);
void net_publish_receive(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *event);
uint64_t net_published_bytes(const void *host, topo_switch there, topo_port out);

/* neighbours.c: queue depths that credits carry; all but the defaults only if n->telemetry.neighbours */
/* Sets what the routing leaves to the network: auto_hold. The switches are built. */
void net_neighbours_defaults(struct net *n);
/* The telemetry of a port's neighbour: what was received of it, and what is published to it next. */
const void *net_neighbours_of(const struct net *n, const struct net_lp *lp, uint32_t port);
/* The 24 bits of the next credit for the neighbour at in_port. */
uint64_t net_neighbours_tell(const struct net *n, struct sw_call *call, const struct net_lp *lp, uint32_t in_port);
void net_neighbours_hear(const struct net *n, struct sim_ctx *ctx, const struct net_lp *lp, uint32_t out,
                         uint64_t report);
uint64_t net_neighbour_bytes(const void *host, topo_port out, topo_port far, uint64_t now);

#endif

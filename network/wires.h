/* network/wires.h - lanes and link-level retry of the links between switches, as switch/links/ simulates them: which
 * links have them, what changes with time, and what is counted. */
#ifndef NETWORK_WIRES_H
#define NETWORK_WIRES_H

#include "base/error.h"
#include "switch/links/wire.h"

struct net;
struct net_lp;
struct sw_call;

/* Sets n->common.wires and n->wires from the configuration, or leaves both empty. Sizes of packets and links are
 * known. */
int net_wires_build(struct net *n, struct base_errors *errors);
void net_wires_destroy(struct net *n);

/* For sw_host_ops.wire. */
struct sw_wire *net_host_wire(struct sw_call *call, uint32_t port);
/* After a run: fills in the counts of a network port. Returns false if its class of links has neither lanes nor
 * link-level retry. */
struct net_link_result;
bool net_wire_result(const struct net *n, const struct net_lp *lp, uint32_t port, struct net_link_result *out);

/* After a run: sums over all ranks, by class of link. Collective. */
void net_wires_summarise(struct net *n);

#endif

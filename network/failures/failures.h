/* network/failures/failures.h - cables, switches and interfaces that fail during a run: which frames are lost, and how
 * routing adapts.
 *
 * The schedule of all failures is known before the run. Every rank computes it, and whether a cable is up at a given
 * time is a pure function of the schedule, so no part of it is simulation state. Each cable, and each link of an
 * endpoint, that ever fails has a list of outages. Routing sees an outage, or the end of an outage, after it has lasted
 * for routing.reaction. The times at which the view of routing changes divide the run into epochs. Each epoch has a
 * state of the network: the topology without the failed elements (topo/failed.h), and the routing built for this
 * topology. A packet uses the routes of the epoch in which it left its endpoint.
 *
 * Freedom from deadlock across epochs: in every state, the VC rule by hops makes every route around failures climb in
 * its VCs. If the VCs of the routes in the whole network never fall along a route (all rules but datelines), then a
 * cycle of waiting packets would have to stay on one VC; there all dependencies are those of the whole network, which
 * have no cycle. Otherwise routes around failures have VCs of their own, above the others. So packets of all epochs may
 * be in the network at the same time. */
#ifndef NETWORK_FAILURES_FAILURES_H
#define NETWORK_FAILURES_FAILURES_H

#include "base/error.h"
#include "network/config.h"
#include "routing/routing.h"
#include "sim/sim.h"
#include "switch/links/wire.h"

struct net;
struct net_lp;
struct sw_call;
struct sw_link_end;

enum net_lost_where {
	NET_LOST_CABLE,     /* on a cable between switches that was down at some time of the frame's flight */
	NET_LOST_INTERFACE, /* likewise, on an endpoint's link */
	NET_LOST_NO_WAY,    /* at the source's switch, from which no way led to the destination */
	NET_LOST_CAUSES
};

/* Lists of outages. The outages of a list are disjoint and in order of time. List k is v[first[k]] .. v[first[k + 1] -
 * 1]. */
struct net_outages {
	uint32_t *first;
	struct sw_outage *v;
	size_t n;
};

struct net_state {             /* of the network, as routing sees it */
	struct topo topo;      /* of the first state, the whole network: not used, nor what follows */
	struct rt rt, minimal; /* for the main component; and for others */
	uint8_t *dead;         /* [cable lists] */
	uint64_t hash;         /* of that */
	uint32_t cut_off;      /* endpoints of switches outside the main component */
	bool built;
};

struct net_epoch {
	uint64_t from; /* ps; until the next one's */
	uint32_t state;
};

struct net_failures {
	bool on, terminals;        /* is there anything; links of endpoints among it */
	uint32_t cables, lists;    /* the first lists are of cables, the others of endpoints' links */
	struct net_outages losing; /* by list: outages in which frames are lost ... */
	struct net_outages kept;   /* ... and those in which link-level retry keeps them */
	struct net_outages seen;   /* as routing sees them */
	size_t *first;             /* [switches + 1] the channel of port p of switch s is first[s] + p */
	uint32_t *of_channel;      /* [channels] 1 + list; 0: it never fails */
	uint32_t *of_terminal;     /* [endpoints] likewise */
	struct net_epoch *epoch;
	uint32_t epochs;
	struct net_state **state;
	uint32_t states;
	uint32_t offset; /* added to the VCs of routes around failures */
	void *minimal;   /* the parameters of state.minimal */
	uint64_t *upto;  /* [entries] of what is a share: the largest number drawn for one that fails */
};

/* Packets and bytes lost, by cause; part of net_shared. */
struct net_loss {
	uint64_t packets[NET_LOST_CAUSES], bytes[NET_LOST_CAUSES];
};
#define NET_LOSS_WORDS (sizeof(struct net_loss) / 8)

/* Does the entry of `failures` take cables, switches or interfaces down? entries.c, as the following functions. */
static inline bool net_failure_cuts(const struct net_failure *f)
{
	return f->mode == NET_FAILS_DOWN || f->mode == NET_FAILS_FLAP || f->mode == NET_FAILS_RANDOM;
}
/* Does any entry of the configuration take cables, switches or interfaces down? */
bool net_failures_cut(const struct net_config *config);
/* Draws the elements of entries that apply to a share of all cables (or of those of a class), switches or interfaces:
 * the number of elements drawn is exactly this share, rounded, and at least one. */
void net_failures_draw(struct net *n);
/* Checks the keys of all entries against each other and against the network; -1 with errors. */
int net_failures_check(const struct net *n, struct base_errors *errors);
/* Return whether entry i applies to a cable (the one at port p of switch s), to a switch as a whole, or to the
 * interface of an endpoint. */
bool net_failure_of_cable(const struct net *n, uint32_t i, topo_switch s, topo_port p, const struct topo_hop *h);
bool net_failure_of_switch(const struct net *n, uint32_t i, topo_switch s);
bool net_failure_of_interface(const struct net *n, uint32_t i, uint32_t endpoint);

/* Computes the lists of outages from the entries; -1 with errors. schedule.c, as the following function. */
int net_failures_schedule(struct net *n, struct base_errors *errors);
/* Is the element to which the list belongs out at some time in [from, to)? */
bool net_outages_meet(const struct net_outages *o, uint32_t list, uint64_t from, uint64_t to);

/* Divides the run into epochs, and builds the topology and the routing of each state; -1 with errors. epochs.c */
int net_failures_divide(struct net *n, struct base_errors *errors);

/* failures.c */
/* Builds n->failures, after topology, links and routing were built; -1 with errors. Raises the numbers of VCs and hops
 * in n->rt to those that routes around failures need. Leaves n->failures empty if nothing goes down. */
int net_failures_build(struct net *n, struct base_errors *errors);
void net_failures_destroy(struct net *n);
/* Must be called when the link-level retry of links is known: frames are not lost in outages that the retry bridges, so
 * these outages are moved from `losing` to `kept`. */
void net_failures_keep(struct net *n);
/* Must be called when switches and interfaces were built: gives the routings of all states the defaults of n->rt, and
 * reports keys that cannot be combined with failures; -1 with errors. */
int net_failures_settle(struct net *n, struct base_errors *errors);

/* The event handler of a network with failures, in place of that of all switches. pass.c; used only if n->failures.on
 * is set. */
void net_handle_failing(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev);
/* For struct sw_host_ops: host.c. */
uint32_t net_failing_route(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack);
void net_failing_transmit(struct sw_call *call, uint32_t out, const struct sw_link_end *end, const struct sw_packet *p,
                          uint64_t start, uint64_t finish);
void net_failing_eject(struct sw_call *call, uint32_t terminal, const struct sw_packet *p, uint64_t start,
                       uint64_t finish);

/* results.c: after a run. */
void net_failures_summarise(struct net *n);

#endif

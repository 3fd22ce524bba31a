/* network/failures/failures.h - cables, switches and interfaces that fail in time: what is lost on them, and how
 * routing follows.
 *
 * The schedule is known before the run: every rank computes it, and whether a cable is up at a time is a pure function,
 * so that nothing of it is state. Each cable, or endpoint's link, that ever fails has a list of outages. Routing sees
 * an outage, or its end, when that has lasted for routing.reaction. Times at which its view changes divide the run into
 * epochs; each has a state: the topology without the dead (topo/failed.h), and the routing built for it. A packet keeps
 * the routes of the epoch in which it left its endpoint.
 *
 * Freedom from deadlock across epochs: the hop rule makes every route around failures climb in its VCs, in every state.
 * Where the VCs of the whole network's routes never fall along a route (all rules but datelines), a cycle of waiting
 * packets would have to stay on one VC, where all dependencies are those of the whole network, which has no cycle.
 * Otherwise routes around failures have VCs of their own, above the others. So packets of all epochs may be in the
 * network at a time. */
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

/* Lists of outages, each in order of time and disjoint: list k is v[first[k]] .. v[first[k + 1] - 1]. */
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

/* What was lost, in net_shared. */
struct net_loss {
	uint64_t packets[NET_LOST_CAUSES], bytes[NET_LOST_CAUSES];
};
#define NET_LOSS_WORDS (sizeof(struct net_loss) / 8)

/* entries.c: the entries of `failures`. */
static inline bool net_failure_cuts(const struct net_failure *f)
{
	return f->mode == NET_FAILS_DOWN || f->mode == NET_FAILS_FLAP || f->mode == NET_FAILS_RANDOM;
}
/* Is there an entry that takes cables, switches or interfaces down? */
bool net_failures_cut(const struct net_config *config);
/* Draws the shares: exactly that part of all cables (of a class), switches or interfaces, rounded, and at least one. */
void net_failures_draw(struct net *n);
/* What their keys say about each other and about the network. */
int net_failures_check(const struct net *n, struct base_errors *errors);
/* Does entry i apply to a cable, or to a switch as a whole, or to the interface of an endpoint? */
bool net_failure_of_cable(const struct net *n, uint32_t i, topo_switch s, topo_port p, const struct topo_hop *h);
bool net_failure_of_switch(const struct net *n, uint32_t i, topo_switch s);
bool net_failure_of_interface(const struct net *n, uint32_t i, uint32_t endpoint);

/* schedule.c: fills the lists of outages. */
int net_failures_schedule(struct net *n, struct base_errors *errors);
/* Is the list's element out at some time in [from, to)? */
bool net_outages_meet(const struct net_outages *o, uint32_t list, uint64_t from, uint64_t to);

/* epochs.c: fills epochs and states. */
int net_failures_divide(struct net *n, struct base_errors *errors);

/* failures.c */
/* Builds all of it, when topology, links and routing are there, and takes the VCs and hops that routes around failures
 * need into n->rt. Leaves n->failures empty if nothing goes down. */
int net_failures_build(struct net *n, struct base_errors *errors);
void net_failures_destroy(struct net *n);
/* When the links' retry is known: outages that it bridges lose nothing. */
void net_failures_keep(struct net *n);
/* When switch and interfaces are built: their defaults for the routing, and what the configuration cannot combine. */
int net_failures_settle(struct net *n, struct base_errors *errors);

/* pass.c: the path of packets. Only with n->failures.on. */
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

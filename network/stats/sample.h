/* network/stats/sample.h - estimates how the traffic of a configuration will load its network, by routing sampled
 * packets before anything large is built. */
#ifndef NETWORK_SAMPLE_H
#define NETWORK_SAMPLE_H

#include "network/net.h"

struct net_sample {
	double rate;     /* packets a ps, of all endpoints */
	double bytes;    /* of a packet, on average */
	double burst;    /* packets of a message, which go one behind the other, on average over packets */
	double partners; /* that an endpoint sends to, if to all of them equally often; all endpoints: not known */
	double hops;     /* switch-to-switch links of a packet, on average, queues as long as the load makes them */
	double latency;  /* ps, of such a link, on average */
	double longest;  /* ps, of the longest way of a sampled packet from endpoint to endpoint, without queues */
	double slow; /* fraction of packets that take longer than the run until the end of the measured window, averaged
	                until the backlog is read next */
	double busy; /* share of the time in which such a link sends, on average */
	double overload;  /* the offered load is at least so many times what the network can carry */
	const char *full; /* what it is too much for, if overload > 1: a noun with "the" */
};

/* ps: time of a packet in a switch, from its head's arrival until its tail has left, with the queues of Poisson
 * arrivals of messages (M/D/1). *serial: on a link. */
double net_residence(const struct net *n, const struct net_sample *s, double *serial);
/* ps: part of that time before anything is sent, without queues. */
double net_traversal(const struct net *n);

/* Requires net_build_parts() and net_plan(). Takes at most some 10 ms. */
void net_sample(struct net *n, struct net_sample *out);

#endif

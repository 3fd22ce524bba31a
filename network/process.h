/* network/process.h - what an endpoint runs where something reacts to what it gets: closed loops, collectives,
 * programs (workload/process/ implements them).
 *
 * A process is one job's at one endpoint. It is told of what has happened to its messages, and posts others. Its state
 * lies in the logical process; the network saves it before each call, so a process writes it plainly, and has no other.
 * Whatever it does is a function of its state and of what it is told. */
#ifndef NETWORK_PROCESS_H
#define NETWORK_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One call of a process. */
struct net_process_call {
	uint64_t now;          /* ps */
	uint32_t job;          /* whose process */
	uint32_t endpoint;     /* where */
	void *state;           /* all zero before start() */
	void *host, *ctx, *lp; /* the network's */
};

struct net_message {
	uint32_t peer;   /* the other endpoint: the receiver where it was posted, the sender where it is delivered */
	uint32_t number; /* as net_post() returned it: counts the messages of the process that posted it */
	uint64_t bytes, tag;
	uint64_t posted; /* ps */
};

struct net_traffic;

struct net_process_ops {
	/* Bytes of state of each of the job's processes. */
	size_t (*state_bytes)(const struct net_traffic *t, uint32_t job);
	/* At the job's start. */
	void (*start)(const struct net_traffic *t, struct net_process_call *call);
	/* The last bit of a message has left the endpoint; tag and bytes are not told. Called only if wants_sent() says
	 * so. */
	void (*sent)(const struct net_traffic *t, struct net_process_call *call, const struct net_message *m);
	/* All of a message has reached its receiver, and the news is back: one event of the network per message, if
	 * wants_acknowledged() says so. */
	void (*acknowledged)(const struct net_traffic *t, struct net_process_call *call, const struct net_message *m);
	/* All of a message has come. */
	void (*delivered)(const struct net_traffic *t, struct net_process_call *call, const struct net_message *m);
	/* What net_timer() asked for. */
	void (*timer)(const struct net_traffic *t, struct net_process_call *call, uint64_t what);
	bool (*wants_sent)(const struct net_traffic *t, uint32_t job);
	bool (*wants_acknowledged)(const struct net_traffic *t, uint32_t job);
};

#define NET_NO_MESSAGE UINT32_MAX

/* Posts a message of bytes > 0 to an endpoint of the same job, not to itself. Returns its number; NET_NO_MESSAGE: the
 * job has come to its end (traffic[].stop, or that of sources with time.drain = true), nothing is sent any more. */
uint32_t net_post(struct net_process_call *call, uint32_t destination, uint64_t bytes, uint64_t tag);
/* timer(what) will be called at `at` > now; what < 2^48. */
void net_timer(struct net_process_call *call, uint64_t at, uint64_t what);
/* The process has finished an iteration that took so many ps: for results. */
void net_iteration(struct net_process_call *call, uint64_t ps);

#endif

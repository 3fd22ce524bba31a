/* network/traffic.h - the interface through which the network obtains traffic for its endpoints (workload/ implements
 * it).
 *
 * A source is the arrival process of one job at one endpoint. Its state is a few words that are part of the logical
 * process and journaled by the network. Everything else about a message is a pure function of (seed, job, endpoint,
 * message number), so a saturated source takes O(1) memory, and packets are generated when they are injected, in order.
 */
#ifndef NETWORK_TRAFFIC_H
#define NETWORK_TRAFFIC_H

#include "base/plugin.h"
#include "network/process.h"
#include "switch/packet.h"

#include <stdbool.h>
#include <stdint.h>

#define NET_NEVER UINT64_MAX

/* State of a source (24 bytes); it must be zero before start(). */
struct net_source {
	uint64_t
	    created; /* ps; when the packet that is next to be injected was (or will be) created; NET_NEVER: none */
	uint32_t message; /* number of the message that packet belongs to */
	uint32_t packet;  /* sw_packet.seq of it: counts all packets of this source */
	uint32_t left;    /* bytes of that message not injected yet, this packet included */
	uint32_t dst;     /* endpoint it goes to */
};

struct net_traffic;

#define NET_ALL_CLASSES UINT32_MAX

struct net_traffic_ops {
	/* Sets *source to the first message of a job at an endpoint; source->created is NET_NEVER if the job sends
	 * nothing there. */
	void (*start)(const struct net_traffic *t, uint32_t job, uint32_t endpoint, struct net_source *source);
	/* Fills src, dst, seq, bytes, created, job of *packet from *source (source->created != NET_NEVER), and advances
	 * *source to the next packet: the rest of the message, or the next message. */
	void (*take)(const struct net_traffic *t, uint32_t job, uint32_t endpoint, struct net_source *source,
	             struct sw_packet *packet);
	/* Functions for jobs with bursts, which send nothing in the pauses between bursts. NULL: no job without
	 * processes has bursts. */
	/* Returns the first time from `now` on, and not before the job's start, at which packets of the job may leave,
	 * which is in a burst. */
	uint64_t (*resumes)(const struct net_traffic *t, uint32_t job, uint64_t now);
	/* When the source's next packet may leave: not before `now`; NET_NEVER: it has none. May move *source to a
	 * later message, or create its message later (enum net_backlog): `free` is when the endpoint's link became
	 * free. Adds the packets that it discards to *discarded. */
	uint64_t (*ready)(const struct net_traffic *t, uint32_t job, uint32_t endpoint, struct net_source *source,
	                  uint64_t free, uint64_t now, uint64_t *discarded);
	/* The load that a source offers, as a multiple of the mean over the job's sources, with 32 binary places; NULL:
	 * all offer the same load. */
	uint64_t (*weight)(const struct net_traffic *t, uint32_t job, uint32_t endpoint);
	/* Returns the bytes of the message that a source of a job with multi_packet created at the time `created`. */
	uint64_t (*message)(const struct net_traffic *t, uint32_t job, uint32_t endpoint, uint64_t created);
};

struct net_traffic_job {
	const char *name;
	uint32_t class_index;
	uint32_t of;      /* the job itself; or, of a further stream of a job's messages, in another class, that job */
	uint64_t members; /* endpoints that inject (idle ones of a pattern counted out) */
	uint64_t processes;                /* of the job; 0 without */
	uint64_t idle;                     /* endpoints of the job that the pattern leaves idle, or that have no rank */
	uint64_t idle_switches;            /* switches with no others */
	double load;                       /* on average, pauses between bursts included; for estimates */
	bool multi_packet;                 /* messages may be longer than a packet */
	const struct base_plugin *process; /* whose processes say what is sent; its sources are silent. NULL: none */
	double work_ps;                    /* of an application: all that its ranks compute and send, one by one */
	bool ends_run;                     /* its processes call net_finished(), and the run ends then */
	const char *const *calls;          /* of an application: names of its kinds of calls, behind them NULL */
	uint32_t ranks;                    /* likewise: how many it has */
	uint32_t per_endpoint;             /* processes at each of its endpoints; 1 without */
	uint64_t messages;                 /* that its processes post, if that is known before; else 0 */
	uint64_t start, end;               /* ps; of processes: half-open, NET_NEVER: no end */
	uint32_t min_packet, max_packet;   /* bytes: none is smaller, none larger */
};

struct net_traffic {
	const struct net_traffic_ops *ops;
	const struct net_process_ops *process; /* NULL: no job has processes */
	/* Jobs, and behind them the further streams of those whose processes send in several classes: a stream has
	 * packets and statistics of its own, and nothing else. sw_packet.job numbers both. */
	uint32_t jobs, streams;            /* streams: both together */
	const struct net_traffic_job *job; /* [streams] */
	/* The jobs that may inject at an endpoint: written to out[] in increasing order; returns their number. */
	uint32_t (*jobs_at)(const struct net_traffic *t, uint32_t endpoint, uint8_t *out);
	/* Number of endpoints at which at least one job of a class injects; class NET_ALL_CLASSES: any job. An endpoint
	 * with several jobs is counted once. With several jobs, takes O(endpoints x jobs). */
	uint64_t (*senders)(const struct net_traffic *t, uint32_t class_index);
	uint32_t max_jobs_per_endpoint;
	uint32_t places; /* for processes at an endpoint: the most that a job has at one, at least 1 */
	uint64_t period; /* ps; what jobs offer repeats so, on average; 0: it is the same at all times */
	/* Sizes of a job's packets: the fraction of its bytes in packets of each size. A size may occur twice. */
	void (*sizes)(const struct net_traffic *t, uint32_t job, void (*visit)(void *arg, uint32_t bytes, double share),
	              void *arg);
	void *impl;
};

#endif

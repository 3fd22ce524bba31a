/* network/stats/records.h - counters and records of a run, and how they are read after the run. */
#ifndef NETWORK_RECORDS_H
#define NETWORK_RECORDS_H

#include "network/measured.h"
#include "network/stats/packets.h"
#include "network/stats/ring.h"
#include "switch/instruments.h"
#include "switch/link.h"

struct net;
struct net_lp;

struct net_job_stats { /* sums */
	uint64_t created, created_bytes_measured, injected, delivered, delivered_bytes_measured;
	uint64_t measured;
	struct net_measured arrived;
	uint64_t messages, message_sum;
	uint64_t iterations, iteration_sum; /* of processes */
	uint64_t dropped, measured_dropped; /* packets that switches have lost for good */
	uint64_t queued;                    /* filled at the end */
	uint64_t discarded;                 /* packets that a pause between bursts discarded; not among `created` */
	uint64_t finished;                  /* processes that are, of jobs that end the run */
};
#define NET_JOB_WORDS (sizeof(struct net_job_stats) / 8)

struct net_node_stats { /* sums of a job over the whole run: messages between processes of one endpoint */
	uint64_t posted, messages, bytes, latency; /* messages, bytes and ps: of those that have come */
};
#define NET_NODE_WORDS (sizeof(struct net_node_stats) / 8)

struct net_bin {
	uint64_t created, injected, delivered, created_bytes, delivered_bytes, hops;
};

struct net_shared { /* one allocation: `words` 64-bit words, summed over ranks at the end */
	uint64_t *all;
	size_t words;
	uint64_t *digest, *packet_hops;
	struct net_nic_stats *nic;   /* of the exact path, or NULL */
	struct net_job_stats *job;   /* [jobs] */
	uint64_t *latency, *network; /* [jobs][SIM_HISTOGRAM_BINS], or NULL */
	uint64_t *message;           /* the same for jobs of several packets a message, or NULL */
	uint64_t *iteration;         /* the same for jobs with processes, or NULL */
	struct net_bin *bin;         /* [jobs][bins], or NULL */
	struct net_loss *loss;       /* by failures, or NULL */
	struct net_node_stats *node; /* [jobs] where endpoints have several processes of a job, else NULL */
};

struct net_port_stats { /* [ports] then [ports * vcs] */
	uint64_t bytes;
	struct sw_line used; /* the gaps behind frames included; tagged with bytes << 8 | VC */
	uint32_t packets, spare;
};
struct net_vc_stats {
	uint64_t byte_time; /* bytes queued, integrated over time, in byte x 1024 ps */
	uint64_t waits;
};

struct net_astray {
	uint32_t lp, at; /* row * bins + bin */
};

struct net_records {
	uint32_t bins; /* of the time line; 0: there is none */
	uint64_t bin_width, bin_reciprocal;
	struct net_port_stats *ports; /* [room][ports_total], or NULL */
	struct net_vc_stats *vcs;     /* [room][ports_total * vcs] */
	uint32_t *activity;           /* [room][NET_ACTIVITY_ROWS][bins], or NULL */
	struct net_astray *astray;    /* for the activity of LPs that have moved away: where each is one more */
	size_t nastray, cap_astray;
	struct sw_instruments instruments; /* n = 0: none are read */
	uint64_t *switches;                /* [switches], bits: whose instruments; NULL: none */
	uint32_t nswitches;
	struct net_packets packets;  /* committed deliveries of this rank */
	struct net_packets messages; /* likewise, messages: see messages.c */
	struct net_spans *spans;     /* [jobs] likewise, with record.ranks */
	struct net_steps steps;      /* likewise, with record.path */
};

/* records.c */
void net_shared_create(struct net *n); /* makes n->shared */
/* Bytes in arrays of statistics per LP, except `partials`. */
size_t net_records_lp_bytes(const struct net *n);
void net_commit(void *self, sim_lpid lp, const void *record, size_t bytes);
/* Counts one more packet at `t` in a row of the activity record of an LP; if the LP has migrated to another rank, when
 * the run is over: net_activity_finish(), collective. */
enum net_activity_row {
	NET_ROW_SENDS,
	NET_ROW_RECEIVES,
	NET_ROW_SWITCH_SENDS,
	NET_ROW_SWITCH_RECEIVES,
	NET_ACTIVITY_ROWS
};
void net_activity_add(struct net *n, uint32_t lp, enum net_activity_row row, uint64_t t);
void net_activity_gather(struct net *n, struct net *worker); /* of switches of other ranks */
void net_activity_finish(struct net *n);

/* Called before and after the switch model is built. instruments.c */
void net_instruments_prepare(struct net *n);
int net_instruments_choose(struct net *n, struct base_errors *errors);
bool net_has_instruments(const struct net *n, uint32_t sw);

/* stats/ranks.c */
void net_rank_records_create(struct net *n);
void net_rank_records_move(struct net *to, struct net *from);
void net_rank_records_destroy(struct net *n);
/* Returns the reports of a job's ranks, which the caller frees; NULL: there are none. Collective. */
struct net_application *net_application_make(struct net *n, uint32_t job);

/* messages.c */
/* A message has arrived completely, or will have at a known time: it is recorded with record.messages, once that is
 * final. */
void net_message_whole(struct net *n, struct sim_ctx *ctx, struct net_late_whole *m);
/* Records a message whose arrival is final. */
void net_messages_add(struct net *n, const struct net_late_whole *m);
/* Returns the time in ps that a message takes in the empty network; 0: it is not known. */
uint64_t net_ideal_ps(const struct net *n, uint32_t src, uint32_t dst, uint32_t job, uint64_t bytes);
/* Bytes for the records of a number of messages, and for the sums over them at the end. */
uint64_t net_messages_bytes(const struct net *n, double messages);
/* Slowdowns of all flows of the result, from the messages that began in the measured window. Collective. */
void net_slowdowns_summarise(struct net *n);
void net_slowdowns_free(struct net *n);

/* results.c */
void net_summarise(struct net *n);

#endif

/* network/process.h - what an endpoint runs where something reacts to what it gets: closed loops, collectives,
 * programs (workload/process/ implements them).
 *
 * A process is one job's at one endpoint. It receives what happens to its messages, and posts others. Its state
 * lies in the logical process; the network saves it before each call, so a process writes it plainly, and has no other.
 * Whatever it does is a function of its state and of what it receives.
 *
 * A job may have several processes at an endpoint. Where this interface says `endpoint`, or peer, it is the place of a
 * process then: endpoint * net_traffic.places + its number there. With one process at each, places are endpoints. */
#ifndef NETWORK_PROCESS_H
#define NETWORK_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What made the network call a process: a message that came, or one of its own that left, by the endpoint that posted
 * it and its number there; or a timer, by the endpoint and the number of the timer. */
enum net_cause_kind { NET_BY_START, NET_BY_MESSAGE, NET_BY_OWN_MESSAGE, NET_BY_TIMER };
struct net_cause {
	uint32_t kind, endpoint, number;
};

/* One call of a process. */
struct net_process_call {
	uint64_t now;          /* ps */
	uint32_t job;          /* whose process */
	uint32_t endpoint;     /* where */
	void *state;           /* all zero before start() */
	bool undoable;         /* net_save() is to be asked */
	void *host, *ctx, *lp; /* the network's */
	struct net_cause cause;
};

struct net_message {
	uint32_t peer;   /* the other endpoint: the receiver where it was posted, the sender where it is delivered */
	uint32_t number; /* as net_post() returned it: counts the messages of the process that posted it */
	uint64_t bytes, tag;
	uint64_t posted; /* ps */
};

struct base_errors;
struct net_traffic;

/* What a process that ends a run tells when that is over. */
struct net_process_report {
	uint64_t unfinished; /* operations that it has not finished */
	uint64_t unreceived; /* messages that have come and were not asked for */
	uint64_t under_way;  /* messages posted less messages that came: summed over all members, those that have not
	                        come. May be less than 0, modulo 2^64, for one */
	void (*line)(void *arg, bool waits,
	             const char *text); /* waits: what it waits for; else a message not asked for */
	void *arg;
	uint64_t truncated;  /* messages that were longer than what took them */
	uint64_t incomplete; /* collectives that not all members of their group called */
};

struct net_process_ops {
	/* Bytes of state of each of the job's processes. */
	size_t (*state_bytes)(const struct net_traffic *t, uint32_t job);
	/* At the job's start. */
	void (*start)(const struct net_traffic *t, struct net_process_call *call);
	/* The last bit of a message has left the endpoint; tag and bytes are not given. Called only if wants_sent()
	 * says so. */
	void (*sent)(const struct net_traffic *t, struct net_process_call *call, const struct net_message *m);
	/* All of a message has reached its receiver, and the news is back: one event of the network per message, if
	 * wants_acknowledged() says so. */
	void (*acknowledged)(const struct net_traffic *t, struct net_process_call *call, const struct net_message *m);
	/* All of a message has come. */
	void (*delivered)(const struct net_traffic *t, struct net_process_call *call, const struct net_message *m);
	/* What net_timer() asked for. */
	void (*timer)(const struct net_traffic *t, struct net_process_call *call, uint64_t what);
	/* Shows what of the process at an endpoint lies outside its state: see net_save(). */
	void (*regions)(const struct net_traffic *t, uint32_t job, uint32_t endpoint,
	                void (*visit)(void *arg, void *at, size_t bytes), void *arg);
	/* Of jobs that end the run, when it is over: adds to the sums of *r, and says in lines why it is not finished.
	 */
	void (*report)(const struct net_traffic *t, uint32_t job, uint32_t endpoint, struct net_process_report *r);
	/* Of jobs that end the run, when it is over: have the files that its processes read during the run been changed
	 * since they were opened? Then an error, which names one. Returns a number that stands for what this rank of
	 * the simulation has read when it built them: equal on all ranks if that was the same. */
	uint64_t (*was_read)(const struct net_traffic *t, uint32_t job, struct base_errors *errors);
	bool (*wants_sent)(const struct net_traffic *t, uint32_t job);
	bool (*wants_acknowledged)(const struct net_traffic *t, uint32_t job);
};

#define NET_NO_MESSAGE UINT32_MAX

/* How a message is sent, for nic.order = "blocking". With "fifo" all are NET_SEND_BLOCKS, with "round-robin" all are
 * NET_SEND_FREE. */
enum net_send {
	NET_SEND_BEHIND, /* begins to leave when the blocking messages that its process posted before have left */
	NET_SEND_BLOCKS, /* likewise; and what its process posts later leaves behind it */
	NET_SEND_FREE    /* not in the order of the process: what a protocol answers */
};

/* Posts a message of bytes > 0 to an endpoint of the same job, not to itself, from call->endpoint: which may be set to
 * another one of the job at the same switch. Returns its number; NET_NO_MESSAGE: the job has come to its end
 * (traffic[].stop, or that of sources with time.drain = true), nothing is sent any more. */
uint32_t net_post_as(struct net_process_call *call, enum net_send how, uint32_t destination, uint64_t bytes,
                     uint64_t tag);
/* The same as NET_SEND_BEHIND. */
uint32_t net_post(struct net_process_call *call, uint32_t destination, uint64_t bytes, uint64_t tag);

/* The application asks for what cannot be: the run ends with this text as its error, exit status 1. */
void net_process_wrong(struct net_process_call *call, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* timer(what) will be called at `at` > now; what < 2^48. */
void net_timer(struct net_process_call *call, uint64_t at, uint64_t what);
/* The same, of which so many ps are computation: for the critical path. */
void net_timer_computing(struct net_process_call *call, uint64_t at, uint64_t what, uint64_t compute);
/* The process has finished an iteration that took so many ps: for results. */
void net_iteration(struct net_process_call *call, uint64_t ps);
/* The process has done all that it will ever do: to be said once, if its job ends the run
 * (net_traffic_job.ends_run). The run ends when all processes of such jobs have. */
void net_finished(struct net_process_call *call);

/* What a rank of an application does, for results: nothing else depends on it. Ranks of jobs with
 * net_traffic_job.calls; call->endpoint is the same one for all that a rank says. */
enum net_doing {
	NET_COMPUTES,
	NET_SENDS, /* is busy with messages, or waits until its own have left */
	NET_WAITS, /* for others */
	NET_DOINGS
};
/* At its start; it waits. `rank` < net_traffic_job.ranks. */
void net_rank_begins(struct net_process_call *call, uint32_t rank);
/* A further endpoint of a rank, that others than these functions are called for. */
void net_rank_joins(struct net_process_call *call, uint32_t rank);
/* From now on. */
void net_rank_does(struct net_process_call *call, enum net_doing what);
/* For the next so many ps: it computes, then it sends, whatever it does else. Not NET_WAITS. */
void net_rank_spends(struct net_process_call *call, enum net_doing what, uint64_t ps);
/* It has done all that it will ever do. */
void net_rank_ends(struct net_process_call *call);
/* A call begins or has ended at `at`; several of a kind, an index into net_traffic_job.calls, may be under way. */
void net_call_begins(struct net_process_call *call, uint32_t kind, uint64_t at);
void net_call_ends(struct net_process_call *call, uint32_t kind, uint64_t at);

/* What an endpoint is busy with each message that it sends: nic.overhead_send and nic.overhead_receive; ps. */
uint64_t net_overhead_send(const struct net_process_call *call);
uint64_t net_overhead_receive(const struct net_process_call *call);

void net_save_undoable(struct net_process_call *call, void *at, size_t bytes);
/* Memory that a process changes outside its state, the same on all ranks and threads, shown by regions(): *at (bytes)
 * is about to change. It belongs to endpoints of one switch. */
static inline void net_save(struct net_process_call *call, void *at, size_t bytes)
{
	if (__builtin_expect(call->undoable, 0))
		net_save_undoable(call, at, bytes);
}

#endif

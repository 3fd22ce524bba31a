/* network/process.h - processes: programs at endpoints that react to messages, such as closed loops, collectives and
 * applications (workload/process/ implements them).
 *
 * A process belongs to one job and one endpoint. It is called when its messages have left or arrived, and posts
 * messages. Its state is part of the logical process; the network saves the state before each call, so a process may
 * write it directly, and must have no other state. All actions of a process must be a function of its state and of the
 * arguments of its calls.
 *
 * A job may have several processes at an endpoint. Then `endpoint` and `peer` in this interface are the place of a
 * process: endpoint * net_traffic.places + the number of the process there. With one process at each endpoint, places
 * are endpoints. */
#ifndef NETWORK_PROCESS_H
#define NETWORK_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The cause of a call of a process: a message that arrived, or an own message that left, identified by the posting
 * endpoint and its number there; or a timer, identified by the endpoint and the number of the timer. */
enum net_cause_kind { NET_BY_START, NET_BY_MESSAGE, NET_BY_OWN_MESSAGE, NET_BY_TIMER };
struct net_cause {
	uint32_t kind, endpoint, number;
};

/* The arguments common to all calls of a process by the network. */
struct net_process_call {
	uint64_t now;          /* ps */
	uint32_t job;          /* whose process */
	uint32_t stream;       /* of messages that it posts from now on: at first the job, or see net_traffic.streams */
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

/* What a process that ends a run reports when the run is over. */
struct net_process_report {
	const void *state;   /* of the process that is called, see struct net_process_call */
	uint64_t unfinished; /* operations that it has not finished; struct wl_process_ops.operations */
	uint64_t unreceived; /* messages that have come and were not asked for */
	uint64_t under_way;  /* messages posted minus messages received; summed over all members it is the number of
	                        messages not received. For a single member it may be negative, modulo 2^64 */
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
	/* The last bit of a message has left the endpoint; tag and bytes are not passed. Called only if wants_sent()
	 * returns true. */
	void (*sent)(const struct net_traffic *t, struct net_process_call *call, const struct net_message *m);
	/* A message has completely reached its receiver, and the sender has been notified. Called only if
	 * wants_acknowledged() returns true; it costs one event of the network per message. */
	void (*acknowledged)(const struct net_traffic *t, struct net_process_call *call, const struct net_message *m);
	/* A message has completely arrived. */
	void (*delivered)(const struct net_traffic *t, struct net_process_call *call, const struct net_message *m);
	/* The time set by net_timer() has come. */
	void (*timer)(const struct net_traffic *t, struct net_process_call *call, uint64_t what);
	/* Registers the memory of the process at an endpoint outside its state: see net_save(). */
	void (*regions)(const struct net_traffic *t, uint32_t job, uint32_t endpoint,
	                void (*visit)(void *arg, void *at, size_t bytes), void *arg);
	/* For jobs that end the run, after the run: adds to the sums of *r, and explains in lines why it is not
	 * finished. */
	void (*report)(const struct net_traffic *t, uint32_t job, uint32_t endpoint, struct net_process_report *r);
	/* For jobs that end the run, after the run: adds an error that names a file if the files read by its processes
	 * during the run were changed since they were opened. Returns a number that identifies what this simulation
	 * rank read when it built the processes: equal on all ranks if they read the same. */
	uint64_t (*was_read)(const struct net_traffic *t, uint32_t job, struct base_errors *errors);
	bool (*wants_sent)(const struct net_traffic *t, uint32_t job);
	bool (*wants_acknowledged)(const struct net_traffic *t, uint32_t job);
};

#define NET_NO_MESSAGE UINT32_MAX

/* How a message is sent with nic.order = "blocking". With "fifo" all messages are NET_SEND_BLOCKS, with "round-robin"
 * NET_SEND_FREE. */
enum net_send {
	NET_SEND_BEHIND, /* begins to leave when the blocking messages that its process posted before have left */
	NET_SEND_BLOCKS, /* likewise; and what its process posts later leaves behind it */
	NET_SEND_FREE    /* not in the order of the process: what a protocol answers */
};

/* Posts a message of bytes > 0 to another endpoint of the same job, from call->endpoint, which may be set to another
 * endpoint of the job at the same switch. Returns its number; NET_NO_MESSAGE: the job has ended (traffic[].stop, or the
 * end of sources with time.drain = true), and nothing is sent any more. */
uint32_t net_post_as(struct net_process_call *call, enum net_send how, uint32_t destination, uint64_t bytes,
                     uint64_t tag);
/* The same as NET_SEND_BEHIND. */
uint32_t net_post(struct net_process_call *call, uint32_t destination, uint64_t bytes, uint64_t tag);

/* Reports that the application made an impossible request: the run ends with this text as its error, exit status 1. */
void net_process_wrong(struct net_process_call *call, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Schedules a call of timer(what) at time `at` (ps), which must be after now; `what` must be less than 2^48. */
void net_timer(struct net_process_call *call, uint64_t at, uint64_t what);
/* As net_timer(); `compute` ps of the time until the call are computation, for the critical path. */
void net_timer_computing(struct net_process_call *call, uint64_t at, uint64_t what, uint64_t compute);
/* Reports that the process has finished an iteration that took this many ps. */
void net_iteration(struct net_process_call *call, uint64_t ps);
/* Reports that the process has completed all its operations: once, if its job ends the run (net_traffic_job.ends_run).
 * The run ends when all processes of such jobs have. */
void net_finished(struct net_process_call *call);

/* Reports the activity of a rank of an application, for statistics only. For jobs with net_traffic_job.calls;
 * call->endpoint must be the same for all reports of a rank. */
enum net_doing {
	NET_COMPUTES,
	NET_SENDS, /* is busy with messages, or waits until its own have left */
	NET_WAITS, /* for others */
	NET_DOINGS
};
/* Called when a rank starts; it is then waiting. `rank` < net_traffic_job.ranks. */
void net_rank_begins(struct net_process_call *call, uint32_t rank);
/* Reports a further endpoint of a rank that has begun; the other functions below are called for the first endpoint
 * only. */
void net_rank_joins(struct net_process_call *call, uint32_t rank);
/* The rank is in the activity `what` from now on. */
void net_rank_does(struct net_process_call *call, enum net_doing what);
/* The rank spends this many ps in the activity `what`, after the time already reported for this activity and those
 * before it in the enum. Not NET_WAITS. */
void net_rank_spends(struct net_process_call *call, enum net_doing what, uint64_t ps);
/* The rank has completed all its operations. */
void net_rank_ends(struct net_process_call *call);
/* A call begins or has ended at `at`; several calls of a kind, an index into net_traffic_job.calls, may be active. */
void net_call_begins(struct net_process_call *call, uint32_t kind, uint64_t at);
void net_call_ends(struct net_process_call *call, uint32_t kind, uint64_t at);

/* Return the time in ps for which an endpoint is busy with each message that it sends or receives: nic.overhead_send
 * and nic.overhead_receive. */
uint64_t net_overhead_send(const struct net_process_call *call);
uint64_t net_overhead_receive(const struct net_process_call *call);

void net_save_undoable(struct net_process_call *call, void *at, size_t bytes);
/* Must be called before memory of a process outside its state changes (*at, bytes), which is registered by regions()
 * and is the same on all ranks and threads. It belongs to endpoints of one switch. */
static inline void net_save(struct net_process_call *call, void *at, size_t bytes)
{
	if (__builtin_expect(call->undoable, 0))
		net_save_undoable(call, at, bytes);
}

#endif

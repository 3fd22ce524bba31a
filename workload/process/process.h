/* workload/process/process.h - processes: the plug-ins of kind "process", what the members of a job run instead of
 * sending by a pattern at a load. See network/process.h for what a process may do.
 *
 * Members are numbered from 0; messages go between members. What one receives is the same on any number of ranks, in
 * order of time.
 *
 * Of n members per endpoint (traffic[].processes_per_node) those of one endpoint have consecutive numbers. The network
 * knows a member by its place, endpoint * places + its number there, see network/process.h. */
#ifndef WORKLOAD_PROCESS_PROCESS_H
#define WORKLOAD_PROCESS_PROCESS_H

#include "base/error.h"
#include "base/plugin.h"
#include "network/config.h"
#include "network/process.h"
#include "topo/nodes.h"
#include "workload/bursts.h"
#include "workload/mpi/kinds.h"

struct wl_process_ops;
struct wl_format;
struct wl_goal;

/* Facts about the conversion of a process to a schedule. The caller sets all members to zero, because a schedule sets
 * only those that apply to it. */
struct wl_schedule_facts {
	uint64_t truncated; /* messages that are longer than the receive that they match; reported as warnings, too */
};

/* A process plug-in, built for one job. */
struct wl_process {
	const struct wl_process_ops *ops;
	const struct base_plugin *plugin;
	const void *params; /* begins with struct wl_loop */
	uint32_t members;
	uint32_t per_endpoint; /* of these, at each endpoint that has any */
	uint32_t places;       /* of the network, at each endpoint */
	/* endpoint: [members / per_endpoint] the job's endpoints in order; NULL: the i-th is endpoint i. index_of:
	 * [endpoints] the index of each endpoint in that order, WL_IDLE for an endpoint without members; NULL if
	 * `endpoint` is. */
	const uint32_t *endpoint, *index_of;
	const struct topo *topo;
	uint64_t seed;
	uint32_t job;
	uint32_t packet; /* bytes of a packet of the job; 0: the network is a formula, which has none */
	const struct net_mpi_config *mpi; /* section mpi */
	const struct net_config *config;  /* of the whole network */
	uint32_t class_index;             /* the job's traffic class */
	/* The stream of messages of each kind, see net_process_call.stream: a message of this kind is posted in it. */
	uint8_t stream[WL_KINDS];
	uint64_t word[8]; /* the plug-in's own constants, written by build() */
	bool sent_unused; /* written by build(): this job needs no calls of sent() */
	/* Set by build() of an application: its kinds of calls, see net_call_begins(), followed by NULL; ranks. */
	const char *const *calls;
	uint32_t ranks;
	/* Set by build() of an application, for an upper estimate of its duration: total ps that its ranks compute and
	 * bytes that they send. */
	double work_ps, work_bytes;
	uint64_t messages;    /* that its members post, all together, written by build(); 0: unknown */
	uint64_t collectives; /* mpi_collective_bit() of those that ranks call, written by build(); all bits: unknown */
	uint64_t other_size;  /* bytes of the messages that are not of wl_loop.size, written by build(); 0: none */
	struct topo_nodes nodes; /* members are at the homes of theirs */
	struct wl_bursts bursts; /* see wl_process_resumes() */
};

/* Does a process of the endpoint whose first member is `first` send anything? */
bool wl_process_sends_from(const struct wl_process *p, uint32_t first);

/* Parameters common to the processes that iterate; the parameter struct of each begins with them. */
struct wl_loop {
	uint64_t size; /* bytes */
	int64_t iterations;
	uint64_t pause; /* ps */
};
#define WL_LOOP_PARAMS(default_value, what)                                                                    \
	{ "size", BASE_SIZE, offsetof(struct wl_loop, size), default_value, NULL, 1, 1e12, NULL, what, NULL }, \
	    { "iterations", BASE_INT, offsetof(struct wl_loop, iterations),                                    \
	      "0",          NULL,     0,                                                                       \
	      1e15,         NULL,     "number of iterations, after which the process stops; 0: no limit",      \
	      NULL },                                                                                          \
	{                                                                                                      \
		"pause", BASE_TIME, offsetof(struct wl_loop, pause), "0ps", NULL, 0, 1e15, NULL,               \
		    "pause of a member between two iterations", NULL                                           \
	}

/* The condition of key `pause` for the descriptors of processes that iterate: a row, and a table with only that row. */
bool wl_loop_repeats(const void *params);
#define WL_LOOP_CONDITION                                                                    \
	{                                                                                    \
		.keys = "pause", .only = "with several iterations", .holds = wl_loop_repeats \
	}
extern const struct base_condition wl_loop_conditions[];

#define WL_MOST_PACKETS INT32_MAX /* of a message */

/* Does a message of this many bytes have more packets than can be numbered? */
static inline bool wl_process_is_too_long(const struct wl_process *p, uint64_t bytes)
{
	return p->packet && bytes > (uint64_t)WL_MOST_PACKETS * p->packet;
}

static inline const struct wl_loop *wl_loop_of(const struct wl_process *p)
{
	return p->params;
}

/* Groups of keys of section mpi that affect a process. WL_USES_CLASSES: mpi.classes applies to its messages. */
enum wl_process_uses { WL_USES_COLLECTIVES = 1, WL_USES_MESSAGES = 2, WL_USES_CLASSES = 4 };

struct wl_process_ops {
	const struct wl_format
	    *format; /* of the file that it replays (workload/formats/format.h); NULL: it reads none */
	bool wants_sent, wants_acknowledged;
	unsigned mpi; /* enum wl_process_uses: keys that have an effect */
	/* With WL_USES_CLASSES: the kind of all messages of the process, which determines the class of its job. If
	 * kinds_differ is set instead, the process posts each message in p->stream[] of the message's kind, and build()
	 * writes to p->collectives the set of its collectives. */
	enum mpi_op message_kind;
	bool kinds_differ;
	/* Members report net_finished(), and the run ends when all members have done so. A job of one endpoint is
	 * permitted. */
	bool ends_run;
	bool application; /* build() writes p->calls and p->ranks */
	/* A member calls wl_process_resumes() to determine when it may begin its next iteration, because the job may
	 * have bursts. */
	bool in_bursts;
	/* Sends of this process end when their data have left, whatever their size, unless the process's keys specify
	 * otherwise. */
	bool buffered_sends;
	/* Checks the parameters; there are at least two members, or one with ends_run. Fills p->word. May be NULL. */
	int (*build)(struct wl_process *p, struct base_errors *errors);
	size_t (*state_bytes)(const struct wl_process *p);
	/* `me`: the member. See struct net_process_ops. sent(), acknowledged() and timer() may be NULL if they are
	 * never requested. */
	void (*start)(const struct wl_process *p, struct net_process_call *call, uint32_t me);
	void (*sent)(const struct wl_process *p, struct net_process_call *call, uint32_t me,
	             const struct net_message *m);
	void (*acknowledged)(const struct wl_process *p, struct net_process_call *call, uint32_t me,
	                     const struct net_message *m);
	void (*delivered)(const struct wl_process *p, struct net_process_call *call, uint32_t me,
	                  const struct net_message *m);
	void (*timer)(const struct wl_process *p, struct net_process_call *call, uint32_t me, uint64_t what);
	/* Registers memory that members change outside their states, see net_save(). May be NULL. */
	void (*regions)(const struct wl_process *p, uint32_t me, void (*visit)(void *arg, void *at, size_t bytes),
	                void *arg);
	/* Does the member send anything? A member that does not is idle, and is not part of offered and accepted load.
	 * NULL: all members with a rank send. */
	bool (*sends)(const struct wl_process *p, uint32_t me);
	const char *operations; /* which report() counts as unfinished, in the plural; NULL: "operations" */
	/* With ends_run: see struct net_process_ops. May be NULL. */
	void (*report)(const struct wl_process *p, uint32_t me, struct net_process_report *r);
	/* With ends_run: see struct net_process_ops. May be NULL. */
	uint64_t (*was_read)(const struct wl_process *p, struct base_errors *errors);
	/* Converts the operations of the process's ranks to a schedule with computations in ps, for analytical network
	 * models; wl_goal_free() frees it. Returns -1 with errors, or 1 if ranks cannot finish, with errors that name
	 * the ranks that wait for each other. NULL: the process has no schedule. */
	int (*schedule)(const struct wl_process *p, struct wl_goal *out, struct wl_schedule_facts *facts,
	                struct base_errors *errors);
	/* With schedule(): keys that have an effect for this process although they have none with analytical network
	 * models in general; NULL: there are no such keys. */
	const char *on_formulas;
	/* The first member of a rank. If NULL, rank i has member i. */
	uint32_t (*member_of)(const struct wl_process *p, uint32_t rank);
	/* Frees the result of a build() that returned 0. May be NULL. */
	void (*destroy)(struct wl_process *p);
};

/* The endpoint of a member; the place of a member, for net_post(); and the member at a place. A place without a member
 * gives WL_NO_MEMBER, or a number that is not below p->members. */
#define WL_NO_MEMBER UINT32_MAX
static inline uint32_t wl_process_endpoint(const struct wl_process *p, uint32_t member)
{
	uint32_t i = p->per_endpoint == 1 ? member : member / p->per_endpoint;
	return p->endpoint ? p->endpoint[i] : i;
}
static inline uint32_t wl_process_place(const struct wl_process *p, uint32_t member)
{
	if (p->places == 1)
		return p->endpoint ? p->endpoint[member] : member;
	return wl_process_endpoint(p, member) * p->places + member % p->per_endpoint;
}
static inline uint32_t wl_process_member(const struct wl_process *p, uint32_t place)
{
	if (p->places == 1)
		return p->index_of ? p->index_of[place] : place;
	uint32_t endpoint = place / p->places, number = place % p->places;
	uint32_t i = p->index_of ? p->index_of[endpoint] : endpoint;
	return i == WL_NO_MEMBER || number >= p->per_endpoint ? WL_NO_MEMBER : i * p->per_endpoint + number;
}

/* The first member at an endpoint. An endpoint without members gives WL_NO_MEMBER, or a number that is not below
 * p->members. */
static inline uint32_t wl_process_first_at(const struct wl_process *p, uint32_t endpoint)
{
	uint32_t i = p->index_of ? p->index_of[endpoint] : endpoint;
	return i < p->members / p->per_endpoint ? i * p->per_endpoint : WL_NO_MEMBER;
}

/* How a process posts a message of this size if it posts only blocking messages, or only `free` ones; a message of one
 * packet leaves in order anyway. */
static inline enum net_send wl_send_of(const struct wl_process *p, uint64_t bytes, bool free)
{
	return free || bytes <= p->packet ? NET_SEND_BEHIND : NET_SEND_BLOCKS;
}

/* When a member whose iteration has ended now may begin the next one: call->now, or later, after the process's pause,
 * and in a burst of its job. */
static inline uint64_t wl_process_resumes(const struct wl_process *p, const struct net_process_call *call)
{
	return wl_bursts_next(&p->bursts, call->now + wl_loop_of(p)->pause);
}

/* The names of the processes in a registry that use some of these keys of section mpi, or that are applications, as
 * text such as "aspen, recorded", which the caller frees. */
char *wl_process_names(const struct base_registry *registry, unsigned mpi, bool application);

/* Converts errors of a reader, whose keys are locations in files, to errors at a key of this job, and frees them. */
void wl_process_pass_on(struct base_errors *found, const char *key, struct base_errors *errors);

/* Built-in plug-ins, for files that refer to them by name; config/builtin.def lists all of them. "none" stands for a
 * pattern. */
extern const struct base_plugin wl_process_none, wl_process_window, wl_process_request_response, wl_process_ping_pong,
    wl_process_allreduce, wl_process_all_to_all, wl_process_barrier, wl_process_broadcast, wl_process_ring,
    wl_process_halo, wl_process_sweep, wl_process_aspen, wl_process_durango_rounds, wl_process_goal,
    wl_process_recorded, wl_process_dumpi, wl_process_otf2, wl_process_chakra, wl_process_flows;

#endif

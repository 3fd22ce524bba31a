/* workload/process/goal.h - shared by the files of process "goal": common state of all members, and each rank's state.
 *
 * Ranks' states are outside the members' states, because a schedule has millions of operations and a call changes a few
 * words. They are arrays over all ranks; the part of a rank is accessed only by the switch of its endpoints, and pages
 * that are never accessed cost nothing. */
#ifndef WORKLOAD_PROCESS_GOAL_H
#define WORKLOAD_PROCESS_GOAL_H

#include "sim/tables.h"
#include "workload/formats/goal/messages.h"
#include "workload/process/mapping.h"
#include "workload/process/process.h"

/* Numbers of operations and places + 1 in lists: 0 is none, so that everything is initially zero. */
struct goal_rank {
	uint32_t posted, posted_last;     /* receives, in order */
	uint32_t arrived, arrived_last;   /* places of messages that no receive was there for, in order */
	uint32_t early;                   /* places of messages that have overtaken others of their pair */
	uint32_t entering, entering_last; /* receives that are ready */
	uint32_t over, over_last;         /* operations that have finished, and what they release is to be looked at */
	uint32_t leaving;                 /* sends whose data are on their way out of the endpoint */
	uint32_t others; /* long messages of which something is to come: sends without answer, receives without data */
	uint32_t done;   /* operations */
	uint32_t finished; /* 1: that was said */
};

struct goal_cpu {
	uint32_t running, first, last; /* operation; those that are ready, in order */
};

#define GOAL_BEGUN (UINT32_MAX - 1) /* of goal_shared.met: ready, and given to its queue */
#define GOAL_DONE UINT32_MAX

struct goal_shared {
	struct wl_goal goal;
	struct wl_goal_messages messages;
	struct wl_goal_pairs pairs;
	struct sim_table once; /* all arrays of these three, if the ranks of this host share them */
	uint32_t *member_of;   /* [ranks] the first member of its unit: mapping.h */
	uint32_t *rank_of;     /* [units] */
	uint32_t block;        /* members of a rank: 1, or one for each network interface */
	uint32_t units;        /* of so many members, that there are */
	uint64_t eager;        /* bytes; longer messages wait for their receive */
	uint64_t control;      /* bytes of the messages that ask and answer for those */
	double unit;           /* ps */
	uint64_t whole_unit;   /* the same if it is a whole number, else 0 */
	/* changed by members */
	struct goal_rank *rank; /* [ranks] */
	struct goal_cpu *cpu;   /* [ranks][cpus] */
	uint32_t *met;          /* [ops] dependencies that are met; GOAL_BEGUN, GOAL_DONE */
	uint32_t *next_op;      /* [ops] in the list that it is in */
	uint32_t *number;       /* [ops] of a send that leaves: its message's */
	uint32_t *next_message; /* [places] in the list that it is in; once matched: the receive + 1 */
	uint32_t *come;         /* [places] number in its pair + 1 */
	uint32_t *sent;         /* [pairs out] */
	uint32_t *expected;     /* [pairs in] number of the message that is next in order */
};

/* Parameters common to all processes that replay a schedule, whatever its origin; the parameter struct of each begins
 * with them. */
struct goal_params {
	struct wl_placed placed;
	char *file;
	char *groups;                  /* of chakra */
	struct base_ints dims;         /* of chakra */
	int layout;                    /* of goal */
	uint64_t unit, eager, control; /* unit: ps, of goal; 0: ns */
	double compute_scale;
};
#define GOAL_AT(field) offsetof(struct goal_params, field)
#define GOAL_PARAMS(eager_default)                                                                                   \
	WL_MAPPING_PARAMS,                                                                                           \
	    { "compute_scale",                                                                                       \
	      BASE_FLOAT,                                                                                            \
	      GOAL_AT(compute_scale),                                                                                \
	      "1.0",                                                                                                 \
	      NULL,                                                                                                  \
	      0,                                                                                                     \
	      1e9,                                                                                                   \
	      NULL,                                                                                                  \
	      "factor by which computations are scaled; 0: no computation",                                          \
	      NULL },                                                                                                \
	    { "eager",                                                                                               \
	      BASE_SIZE,                                                                                             \
	      GOAL_AT(eager),                                                                                        \
	      eager_default,                                                                                         \
	      NULL,                                                                                                  \
	      0,                                                                                                     \
	      1e12,                                                                                                  \
	      NULL,                                                                                                  \
	      "maximum size of messages sent eagerly; larger ones use a rendezvous: a request, and its answer when " \
	      "the receive is posted",                                                                               \
	      "S of LogGPS" },                                                                                       \
	{                                                                                                            \
		"control", BASE_SIZE, GOAL_AT(control), "64B", NULL, 1, 1e6, NULL,                                   \
		    "size of the request and of the answer of a rendezvous", NULL                                    \
	}

typedef int goal_loader(struct wl_process *p, struct wl_goal *out, struct base_errors *errors);
/* Loads the schedule, and computes derived tables: once per host (goal_once.c). */
int goal_load_once(struct wl_process *p, goal_loader *load, struct goal_shared *s, struct base_errors *errors);
void goal_free_once(struct goal_shared *s);

/* Builds a process that replays the result of `load`, whose errors are at keys of the job. */
int goal_build(struct wl_process *p, goal_loader *load, struct base_errors *errors);

/* Names of operations in results: enum goal_call. */
enum goal_call { GOAL_CALL_SEND, GOAL_CALL_RECV, GOAL_CALL_CALC };
extern const char *const goal_calls[];

static inline const struct goal_shared *goal_shared_of(const struct wl_process *p)
{
	return (const struct goal_shared *)(uintptr_t)p->word[0];
}
/* ps of a computation. */
uint64_t goal_duration(const struct goal_shared *s, uint64_t size);
/* The rank to which a member belongs, or WL_NO_RANK. */
uint32_t goal_rank_at(const struct wl_process *p, uint32_t member);
/* The endpoint at which the network finds a rank, for each of the rank's network interfaces. */
uint32_t goal_place(const struct wl_process *p, uint32_t rank, uint8_t nic);

void goal_start(const struct wl_process *p, struct net_process_call *call, uint32_t me);
void goal_sent(const struct wl_process *p, struct net_process_call *call, uint32_t me, const struct net_message *m);
void goal_delivered(const struct wl_process *p, struct net_process_call *call, uint32_t me,
                    const struct net_message *m);
void goal_timer(const struct wl_process *p, struct net_process_call *call, uint32_t me, uint64_t what);
int goal_schedule(const struct wl_process *p, struct wl_goal *out, struct wl_schedule_facts *facts,
                  struct base_errors *errors);
uint32_t goal_member_of(const struct wl_process *p, uint32_t rank);
void goal_regions(const struct wl_process *p, uint32_t me, void (*visit)(void *arg, void *at, size_t bytes), void *arg);
void goal_report(const struct wl_process *p, uint32_t me, struct net_process_report *r);
size_t goal_state_bytes(const struct wl_process *p);
void goal_destroy(struct wl_process *p);

/* Common entries of the tables of all processes that replay a schedule. */
#define GOAL_PROCESS                                                                                          \
	.wants_sent = true, .ends_run = true, .application = true, .destroy = goal_destroy,                   \
	.state_bytes = goal_state_bytes, .start = goal_start, .sent = goal_sent, .delivered = goal_delivered, \
	.timer = goal_timer, .schedule = goal_schedule, .member_of = goal_member_of, .regions = goal_regions, \
	.report = goal_report

#endif

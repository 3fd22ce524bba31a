/* network/application.h - what a run reports about an application: how its ranks spent their time, and the chain of
 * computations and messages that determines its end. Filled by network/stats/, and for analytical network models by
 * workload/loggops/.
 *
 * Times are integers in ps, and sums of what each rank reports itself (net_rank_does() etc.), so they are the same for
 * any number of MPI ranks. The time of a rank from the start of its job to the job's end is divided into computing,
 * sending, waiting, and idle time after the rank has ended. */
#ifndef NETWORK_APPLICATION_H
#define NETWORK_APPLICATION_H

#include "network/process.h"

#define NET_IDLE NET_DOINGS /* behind enum net_doing */
#define NET_TIMES (NET_DOINGS + 1u)

struct net_rank_call { /* of a kind, at one rank; while some are open, ps is without their ends */
	uint64_t ps;
	uint32_t calls, open;
};

struct net_rank_line {
	uint64_t ps[NET_TIMES];
	uint64_t end; /* when it ended; if it has not, when the run did */
	uint32_t rank, endpoint, ended;
};

struct net_call_time {            /* of all ranks */
	uint64_t calls, ps, most; /* most: of one rank */
};

/* Time of ranks by activity, in bins of simulated time with bounded memory: there are NET_SPAN_BINS bins. The width of
 * a bin is a power of two of ps and grows as time passes; if there are many ranks, several ranks share a row. The final
 * width depends on the latest time only, so the order in which spans are added does not matter. */
#define NET_SPAN_BINS 512u
#define NET_SPAN_ROWS 128u
struct net_spans {
	uint64_t *ps; /* [rows][NET_SPAN_BINS][NET_DOINGS], or NULL: nothing was added */
	uint32_t ranks, rows;
	unsigned shift; /* bins are 1 << shift ps wide */
};
void net_spans_add(struct net_spans *s, uint32_t rank, enum net_doing what, uint64_t from, uint64_t to);
void net_spans_merge(struct net_spans *to, const struct net_spans *from);
/* Merges the statistics of all MPI ranks; collective. */
void net_spans_sum(struct net_spans *s);
void net_spans_free(struct net_spans *s);
/* Returns the first rank of row `row`, or the number of ranks if `row` is the number of rows. All rows but the last one
 * have the same number of ranks. */
uint32_t net_spans_first(const struct net_spans *s, uint32_t row);

/* The critical path, followed backwards from the rank that ended last: each operation on it was caused by an earlier
 * computation or message, back to the start of the job. The time between two points of the path is computation, network
 * time, or overhead (of messages at both ends, of calls, and pauses). A stay is the interval that the path spends at
 * one rank, until the rank posts the message by which the path continues at another rank. */
struct net_path_stay {
	uint64_t from, to;
	uint64_t compute, overhead, network; /* to - from together */
	uint32_t rank;
};
struct net_critical_path {
	bool known;
	uint64_t length, compute, overhead, network; /* length: the sum of the others */
	uint64_t messages;                           /* from rank to rank */
	uint32_t ranks;                              /* how many it passes */
	struct net_path_stay *stay;                  /* [stays] in order of time; on rank 0 */
	size_t stays;
};

struct net_application {
	const char *const *calls; /* [kinds] */
	uint32_t kinds, ranks, ended;
	uint64_t start, end; /* of the job: when the last rank ended, if all have, else when the run did */
	uint64_t sum[NET_TIMES], most[NET_TIMES];
	struct net_call_time *time; /* [kinds] */
	/* Lines of the ranks that this MPI rank simulates, with record.ranks; otherwise both arrays are NULL. */
	struct net_rank_line *line;      /* [lines] by rank, one for each that has begun */
	struct net_rank_call *line_call; /* [lines][kinds] */
	size_t lines;
	struct net_spans spans;
	struct net_critical_path path; /* with record.path */
};

void net_application_free(struct net_application *a);

/* A step of an application: it posted a message, set a timer, or ended, in reaction to an earlier step. */
enum net_step_kind { NET_STEP_MESSAGE, NET_STEP_TIMER, NET_STEP_END };
struct net_step {
	uint64_t at, compute;      /* compute: ps, of a timer */
	uint32_t endpoint, number; /* of a message and of a timer */
	uint32_t rank;             /* whose */
	uint32_t cause_endpoint, cause_number;
	uint8_t job, kind, cause, spare; /* enum net_step_kind, enum net_cause_kind */
};

struct net_steps {
	struct net_step *v;
	size_t n, cap;
};
void net_steps_add(struct net_steps *s, const struct net_step *step);
/* Computes the critical path of a job from its steps, which must all be on this MPI rank; sorts the steps. `send`,
 * `receive`: overheads of an endpoint in ps for each message that it sends or receives. */
void net_path_find(struct net_critical_path *out, struct net_steps *s, uint32_t job, uint64_t start, uint64_t send,
                   uint64_t receive);
/* Adds a stay to a path that is built backwards: the stay precedes all stays that were added before. Consecutive stays
 * at the same rank are merged. */
void net_path_add(struct net_critical_path *p, const struct net_path_stay *stay);
/* Completes a path after its last net_path_add(): puts the stays into the order of time and computes the sums. */
void net_path_end(struct net_critical_path *p);

#endif

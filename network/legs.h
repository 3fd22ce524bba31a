/* network/legs.h - the state of a run of several legs: see legs.c. */
#ifndef NETWORK_LEGS_H
#define NETWORK_LEGS_H

#include "network/net.h"
#include "sim/steady.h"

/* A reading of counters at a pause, over all jobs and ranks: packets created (for waiting sources computed from their
 * rate), packets delivered, and the number of packets of the measured window that have not arrived; this number is
 * SIM_NEVER if sources have not sent all of them. */
struct net_reading {
	double created, delivered;
	uint64_t outstanding;
};

/* The maximum number of equal parts of the measured window. */
#define NET_DRAIN_PARTS 16u

/* Readings of the backlog of one job, taken at the same times as those of the whole run. */
struct net_drain_job {
	struct net_reading part[NET_DRAIN_PARTS + 1], middle, end, mark; /* end: of the window */
	bool grew;                                                       /* to the mark */
};

struct net_legs {
	uint64_t
	    unit; /* ps: pauses are multiples of it; 0 until there is an engine, of runs that do not find their end */
	uint64_t first; /* ps: the first pause at which something is decided */
	uint64_t next;  /* ps: the next of those */
	uint64_t
	    longest; /* ps, a multiple of the engine's windows: no leg is longer; 0: they are as long as that takes */
	uint64_t foreseen; /* ps: when the run may end, for the progress line */
	/* drain = "auto" */
	struct net_reading part[NET_DRAIN_PARTS + 1]; /* taken `step` apart, from the end of the warm-up on */
	uint32_t parts;                               /* readings there are; 0: the window is too short for them */
	uint64_t step;                                /* ps; 0: the window is too short */
	struct net_reading middle, mark;
	uint64_t mark_at,
	    moved_at; /* ps; moved_at: the last reading by which more had arrived than by the one before */
	bool grew, saturated;
	struct net_drain_job *of_job; /* [jobs], or NULL */
	bool *job_grows;              /* [jobs] */
	/* precision */
	bool enough;
	uint64_t looked;             /* ps: the last pause */
	struct sim_steady all, *job; /* [jobs], as of the last pause */
	/* with applications: [jobs] 1 + the number of packets created by the last pause if nothing of the job was in
	 * flight then; otherwise 0 */
	uint64_t *quiet;
};

/* Does the run determine its own end? Otherwise its end is known from the configuration. */
static inline bool net_finds_end(const struct net *n)
{
	const struct net_time *t = &n->config->time;
	return t->precision > 0 || t->drain == NET_DRAIN_AUTO || t->applications;
}

/* Creates n->legs, for a run that pauses regularly to decide how long it continues. legs.c */
void net_legs_create(struct net *n);
/* Starts the first leg; the engine must have been created. */
void net_legs_begin(struct net *n);
/* Checks that the limit of a run with time.precision is long enough for at least one decision; -1 with an error. */
int net_legs_check(const struct net *n, struct base_errors *errors);
/* Returns the unit in ps of which all legs are multiples. It is a power of two times the lookahead, or times the grain
 * from which windows are built (net_legs_grain()). */
uint64_t net_legs_unit(const struct net *n);
void net_legs_destroy(struct net *n);
uint64_t net_pause(void *self, uint64_t at, bool asked);
void net_gather(void *self, void *worker);
void net_resume(void *self, void *worker);
/* Must be called after the run; collective. Subtracts the counts of events after the end of the run; with
 * time.precision also determines the measured window and its sums. */
void net_legs_finish(struct net *n);

/* Do several ranks take part in the run? They do not if rank 0 has all LPs while the other ranks sleep. */
bool net_legs_together(const struct net *n);
/* Replaces each of v[words] by its sum over the ranks that take part in the run. */
void net_legs_sum(const struct net *n, uint64_t *v, size_t words);

/* Does the run read its counters at pauses, as time.drain = "auto" requires? */
static inline bool net_legs_drain(const struct net *n)
{
	return net_finds_end(n) && !n->batches.on && !n->config->time.applications;
}

/* The functions ..._plan() set the end of the first leg and the maximum end of the run. The functions ..._next() return
 * the end of the next leg in ps; 0: the run ends. drain.c, precision.c */
void net_drain_plan(struct net *n);
/* Returns the length of legs after the measured window in ps, which is a multiple of the unit. */
uint64_t net_drain_step(const struct net *n);
/* net_drain_mark() returns the minimum interval in ps between two readings of the backlog after the measured window.
 * net_drain_grows() returns whether the backlog has grown by more than chance, if `share` of the created packets
 * remains in the network. */
double net_drain_mark(const struct net *n);
bool net_drain_grows(double created, double share);
uint64_t net_drain_next(struct net *n, uint64_t at);
/* Marks jobs as not stationary if they have packets that cannot move, when the run has ended in a stall. stands[jobs]
 * is that of net_find_deadlock() or net_find_held(). */
void net_drain_stalled(struct net *n, const uint64_t *stands);
void net_precise_plan(struct net *n);
uint64_t net_precise_next(struct net *n, uint64_t at);
/* Decide the end of a run that applications end; `latest`: maximum length of the run in ps. net_applications_report()
 * is called after the run and adds the reports of processes to n->result, where the jobs must have been filled in;
 * collective. applications.c */
void net_applications_plan(struct net *n, uint64_t latest);
uint64_t net_applications_next(struct net *n, uint64_t at);
void net_applications_report(struct net *n);
/* Returns true if processes that end the run have read files that were changed during the run, or that differ between
 * ranks, and adds an error on rank 0. Collective. */
bool net_applications_read_other(struct net *n, struct base_errors *errors);
/* net_legs_latest() returns the maximum end, in ps, of a run that determines its own end. net_legs_grain() returns the
 * grain in ps from which windows are built; a unit is a power of two of grains. checks/length.c */
uint64_t net_legs_latest(const struct net *n);
uint64_t net_legs_grain(const struct net *n);
/* After a run with time.precision: determines the measured window and its sums. */
void net_precise_settle(struct net *n);
/* As net_precise_settle(), but marks the run as not stationary, whatever the sums indicate. `stands` is that of
 * net_drain_stalled(). */
void net_precise_stalled(struct net *n, const uint64_t *stands);

/* Bytes per departure that is subtracted at the end of the run, for the estimate of memory. */
#define NET_AHEAD_BYTES 32u

/* With drain = "auto" a run lasts at most this many times the sum of warm-up and measured window. */
#define NET_DRAIN_HORIZON 16u

static inline uint64_t net_round_up(uint64_t t, uint64_t unit)
{
	return (t + unit - 1) / unit * unit;
}

#endif

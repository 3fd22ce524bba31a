/* network/legs.h - the state of a run of several legs: see legs.c. */
#ifndef NETWORK_LEGS_H
#define NETWORK_LEGS_H

#include "network/net.h"
#include "sim/steady.h"

/* Packets over all jobs and ranks: created (for waiting sources computed from their rate), delivered, and the number of
 * measured packets that have not arrived; SIM_NEVER if some have not been sent. */
struct net_reading {
	double created, delivered;
	uint64_t outstanding;
};

/* The maximum number of equal parts of the measured window. */
#define NET_DRAIN_PARTS 16u

/* Readings of a job's own backlog, taken together with those of the whole run. */
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
	/* applications: [jobs] 1 + packets created by the last pause if nothing of the job was in flight; else 0 */
	uint64_t *quiet;
};

/* Does the run determine its own end? Otherwise it is known in advance. */
static inline bool net_finds_end(const struct net *n)
{
	const struct net_time *t = &n->config->time;
	return t->precision > 0 || t->drain == NET_DRAIN_AUTO || t->applications;
}

/* A run that pauses regularly to decide how long it continues. legs.c */
void net_legs_create(struct net *n);
/* The engine has been created: starts the first leg. */
void net_legs_begin(struct net *n);
/* Is the limit of a run with precision long enough for at least one check? */
int net_legs_check(const struct net *n, struct base_errors *errors);
/* ps: legs are multiples of it, and it is a power of two of lookaheads, or of a grain from which windows are built. */
uint64_t net_legs_unit(const struct net *n);
void net_legs_destroy(struct net *n);
uint64_t net_pause(void *self, uint64_t at, bool asked);
void net_gather(void *self, void *worker);
void net_resume(void *self, void *worker);
/* Collective, after the run: counts of events after its end are subtracted; with precision the measured window and its
 * sums are determined. */
void net_legs_finish(struct net *n);

/* All ranks take part in a run, unless rank 0 has all LPs and the others sleep. */
bool net_legs_together(const struct net *n);
/* Sums over the ranks that take part. */
void net_legs_sum(const struct net *n, uint64_t *v, size_t words);

/* Takes the readings of time.drain = "auto". */
static inline bool net_legs_drain(const struct net *n)
{
	return net_finds_end(n) && !n->batches.on && !n->config->time.applications;
}

/* The end of the first leg, the maximum end of the run, and the end of the next leg, 0: the run ends. drain.c,
 * precision.c */
void net_drain_plan(struct net *n);
/* ps: a multiple of the unit; the length of legs after the measured window. */
uint64_t net_drain_step(const struct net *n);
/* ps: minimum interval between readings of the backlog after the measured window; and whether the backlog has grown by
 * more than chance, if this share of the created packets remains. */
double net_drain_mark(const struct net *n);
bool net_drain_grows(double created, double share);
uint64_t net_drain_next(struct net *n, uint64_t at);
/* The run ended in a stall: jobs with packets that cannot move, stands[jobs] of net_find_deadlock() or net_find_held(),
 * are not stationary. */
void net_drain_stalled(struct net *n, const uint64_t *stands);
void net_precise_plan(struct net *n);
uint64_t net_precise_next(struct net *n, uint64_t at);
/* The end of a run that applications end; `latest`: ps, the maximum length of the run. After the run adds the reports
 * of processes to n->result, whose jobs are filled. Collective. applications.c */
void net_applications_plan(struct net *n, uint64_t latest);
uint64_t net_applications_next(struct net *n, uint64_t at);
void net_applications_report(struct net *n);
/* Did processes that end the run read files that were changed during the run, or that differ between ranks? Adds an
 * error on rank 0. Collective. */
bool net_applications_read_other(struct net *n, struct base_errors *errors);
/* ps: the maximum end of a run that determines its own end; and the grain from which windows are built, of which a unit
 * is a power of two. checks/length.c */
uint64_t net_legs_latest(const struct net *n);
uint64_t net_legs_grain(const struct net *n);
/* After the run: determines the measured window and its sums. */
void net_precise_settle(struct net *n);
/* Determines the measured window and its sums, and marks the run as not stationary, whatever the sums say. */
void net_precise_stalled(struct net *n, const uint64_t *stands);

/* Bytes per departure that is subtracted at the end, for the estimate of memory. */
#define NET_AHEAD_BYTES 32u

/* With drain = "auto" a run lasts at most this many times the sum of warm-up and measured window. */
#define NET_DRAIN_HORIZON 16u

static inline uint64_t net_round_up(uint64_t t, uint64_t unit)
{
	return (t + unit - 1) / unit * unit;
}

#endif

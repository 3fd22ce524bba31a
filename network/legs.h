/* network/legs.h - the state of a run of several legs: see legs.c. */
#ifndef NETWORK_LEGS_H
#define NETWORK_LEGS_H

#include "network/net.h"
#include "sim/steady.h"

/* Packets, over all jobs and ranks: created (what waits at sources by their rate), delivered, and of those measured how
 * many are to come, SIM_NEVER if some have not been sent. */
struct net_reading {
	double created, delivered;
	uint64_t outstanding;
};

/* Equal parts of the measured window, at most. */
#define NET_DRAIN_PARTS 16u

/* The readings of a job's own backlog, taken when those of the whole are. */
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
	/* applications: [jobs] 1 + packets created by the last pause, if nothing of the job was under way; else 0 */
	uint64_t *quiet;
};

/* Is it found while the run goes on when it ends? Else it is known before. */
static inline bool net_finds_end(const struct net *n)
{
	const struct net_time *t = &n->config->time;
	return t->precision > 0 || t->drain == NET_DRAIN_AUTO || t->applications;
}

/* legs.c: a run that pauses now and then to decide how long it goes on */
void net_legs_create(struct net *n);
/* There is an engine: the first leg. */
void net_legs_begin(struct net *n);
/* Is the limit of a run with precision long enough to be looked at once? */
int net_legs_check(const struct net *n, struct base_errors *errors);
/* ps: legs are multiples of it, and it is a power of two of lookaheads, or of a grain, of which windows are made. */
uint64_t net_legs_unit(const struct net *n);
void net_legs_destroy(struct net *n);
uint64_t net_pause(void *self, uint64_t at, bool asked);
void net_gather(void *self, void *worker);
void net_resume(void *self, void *worker);
/* Collective, after the run: what was counted ahead of its end is taken back; with precision the measured window is
 * settled, and its sums. */
void net_legs_finish(struct net *n);

/* All ranks take part in a run, unless rank 0 has all LPs and the others sleep. */
bool net_legs_together(const struct net *n);
/* Sums over the ranks that take part. */
void net_legs_sum(const struct net *n, uint64_t *v, size_t words);

/* Its readings are those of time.drain = "auto". */
static inline bool net_legs_drain(const struct net *n)
{
	return net_finds_end(n) && !n->batches.on && !n->config->time.applications;
}

/* drain.c, precision.c: when the first leg ends and where the run must; and the end of the next leg, 0: the run ends.
 */
void net_drain_plan(struct net *n);
/* ps: a multiple of the unit; so long are legs behind the measured window. */
uint64_t net_drain_step(const struct net *n);
/* ps: behind the measured window the backlog is read at least so far apart. Does it grow by more than chance if of so
 * many packets that were created this share does not leave it? */
double net_drain_mark(const struct net *n);
bool net_drain_grows(double created, double share);
uint64_t net_drain_next(struct net *n, uint64_t at);
/* The run has ended in a stall: jobs some packets of which stand still, stands[jobs] of net_find_deadlock() or
 * net_find_held(), are not stationary. */
void net_drain_stalled(struct net *n, const uint64_t *stands);
void net_precise_plan(struct net *n);
uint64_t net_precise_next(struct net *n, uint64_t at);
/* applications.c: the same; `latest`: ps, the longest that a run may be. And what processes tell when it is over:
 * into n->result, whose jobs are filled. Collective. */
void net_applications_plan(struct net *n, uint64_t latest);
uint64_t net_applications_next(struct net *n, uint64_t at);
void net_applications_report(struct net *n);
/* Have processes that end the run read files that were changed meanwhile, or that are not the same on all ranks? Then
 * an error on rank 0. Collective. */
bool net_applications_read_other(struct net *n, struct base_errors *errors);
/* checks/length.c. ps: where a run ends at the latest that finds its end; what windows are made of, of which a unit is
 * a power of two. */
uint64_t net_legs_latest(const struct net *n);
uint64_t net_legs_grain(const struct net *n);
/* After the run: the measured window, and its sums. */
void net_precise_settle(struct net *n);
/* The same: neither is the run, whatever its sums say. */
void net_precise_stalled(struct net *n, const uint64_t *stands);

/* Of a departure that is to be taken back at the end, for the estimate of memory. */
#define NET_AHEAD_BYTES 32u

/* With drain = "auto" a run is as long as this many of what is warmed up and measured, at most. */
#define NET_DRAIN_HORIZON 16u

static inline uint64_t net_round_up(uint64_t t, uint64_t unit)
{
	return (t + unit - 1) / unit * unit;
}

#endif

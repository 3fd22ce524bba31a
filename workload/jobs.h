/* workload/jobs.h - shared by workload.c, for jobs that send by patterns, and processes.c: the state of a job. */
#ifndef WORKLOAD_JOBS_H
#define WORKLOAD_JOBS_H

#include "workload/bursts.h"
#include "workload/job.h"
#include "workload/open/size.h"
#include "workload/process/build.h"
#include "workload/workload.h"

struct wl_job {
	struct wl_injection injection;
	/* The injection processes for each load that occurs among the members, in increasing order of the mean; NULL if
	 * all members offer the same load. */
	struct wl_injection *own;
	uint32_t *own_of; /* [members] */
	struct wl_pattern pattern;
	struct wl_sizes sizes;
	uint64_t start, end; /* ps; half-open; end NET_NEVER: none */
	struct wl_bursts bursts;
	bool silent; /* load 0, or processes */
	bool absent; /* another job is alone: it has endpoints, and nothing is at them */
	struct wl_members members;
	struct wl_process process; /* ops NULL: none */
};

#define WL_MOST_STREAMS 255u /* sw_packet.job is a byte */

struct wl {
	uint64_t seed;
	struct topo_nodes nodes;
	uint32_t njobs, streams; /* see struct net_traffic */
	struct wl_kinds kinds;   /* mpi.classes */
	uint64_t kinds_used;     /* bits, of all jobs to which mpi.classes applies */
	bool unread;             /* applications are not built */
	uint32_t places;         /* for processes at an endpoint: see struct net_traffic */
	struct wl_job *jobs;
	struct net_traffic_job *faces; /* [WL_MOST_STREAMS + 1] what the network sees of them */
};

/* open/own.c: fills j->own and j->own_of; pattern and injection are built. -1 with errors. */
int wl_own_injections(struct wl_job *j, struct base_errors *errors);
/* open/sources.c: the functions that the network calls for the sources of patterns; jobs have been built. */
const struct net_traffic_ops *wl_source_ops(const struct wl *w);
/* Start and end of a job, and its bursts. */
int wl_set_times(struct wl_job *j, const struct net_job *c, const struct net_time *time, struct base_errors *errors);
/* The job that a stream belongs to. */
static inline uint32_t wl_job_of(const struct wl *w, uint32_t stream)
{
	return stream < w->njobs ? stream : w->faces[stream].of;
}

/* Sets w->places to the maximum number of processes that any job runs at one endpoint. */
void wl_count_places(struct wl *w, const struct net_config *config);
/* Builds job i, whose members run a process. */
int wl_build_processes(struct wl *w, uint32_t i, const struct net_config *config, const struct topo *topo,
                       uint8_t *taken, struct base_errors *errors);
/* The functions of processes that the network calls. */
extern const struct net_process_ops wl_process_calls;

#endif

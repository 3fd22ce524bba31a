/* workload/workload.h - the traffic of endpoints: the jobs of a configuration, converted to the sources that the
 * network uses (network/traffic.h).
 *
 * A job is a set of members (endpoints, in rank order), a pattern (the destinations of each member), an injection
 * process (when), and sizes (how much). Message n of a member is a pure function of (seed, job, endpoint, n): one
 * counter-based draw gives its time, size and destination. A job's traffic stays among its members.
 *
 * A job with a process (workload/process/process.h: closed loops, MPI calls, traces, models) has no sources: its
 * members post messages when they are started, when messages arrive, and when their timers expire. */
#ifndef WORKLOAD_WORKLOAD_H
#define WORKLOAD_WORKLOAD_H

#include "base/error.h"
#include "base/plugin.h"
#include "network/config.h"
#include "network/traffic.h"
#include "sim/rng.h"
#include "topo/topo.h"

#include <stdbool.h>
#include <stdint.h>

/* Builds the traffic of every entry of config->jobs on a topology. `config` and `topo` must outlive *out. Every problem
 * is reported, under keys such as "traffic.[0].nodes"; on failure returns -1 and *out is empty. Time and memory:
 * O(endpoints) per job, nothing for a job of all endpoints with a computed pattern. */
int wl_build(struct net_traffic *out, const struct net_config *config, const struct topo *topo,
             struct base_errors *errors);
/* Finds the errors of wl_build(), except those in files that processes of applications read, so it is fast for traces
 * of any length. */
int wl_check(const struct net_config *config, const struct topo *topo, struct base_errors *errors);
/* Checks of jobs that need no topology: sizes, class and times. Errors under "traffic.[i].class" and so on; -1 if there
 * are any. wl_build() finds the same errors. */
int wl_check_job(const struct net_config *config, uint32_t i, struct base_errors *errors);
/* Frees the result of wl_build(); an all-zero *traffic is permitted. */
void wl_destroy(struct net_traffic *traffic);

struct wl_goal;
/* The schedule of a job's processes, for analytical network models: see struct wl_process_ops. */
struct wl_schedule_facts;
int wl_schedule(const struct net_traffic *traffic, uint32_t job, struct wl_goal *out, struct wl_schedule_facts *facts,
                struct base_errors *errors);
/* The first endpoint of a rank of a job with processes. */
uint32_t wl_rank_endpoint(const struct net_traffic *traffic, uint32_t job, uint32_t rank);

/* Published distributions of message sizes (open/distribution.c), with the names that key `sizes` accepts; 0 means no
 * distribution. */
#define WL_SIZES "none|web-search|hadoop|cache-follower|web-server|data-mining|storage"

/* Patterns: the plug-ins of kind "pattern". */

#define WL_IDLE UINT32_MAX /* no destination: this member never sends */

struct wl_pattern_ops;

/* A pattern, built for one job. */
struct wl_pattern {
	const struct wl_pattern_ops *ops;
	const void *params; /* as described by the plug-in's table; NULL if it has none */
	const struct topo *topo;
	uint32_t members;
	const uint32_t *member; /* [members] endpoint of each rank; NULL: rank i is endpoint i */
	const uint32_t
	    *index_of; /* [topo->endpoints] rank of an endpoint, WL_IDLE if it is no member; NULL with `member` */
	uint64_t seed;
	uint32_t job;
	void *impl; /* the pattern's own tables; written by build(), freed by destroy() */
	const struct base_plugin *plugin;
	/* Set by build() if ops->share is set: the mean load that the pattern's senders offer, as a multiple of
	 * traffic[].load. */
	double load;
	const struct wl_pattern_ops
	    *said;                       /* of a plug-in from a shared object: its own, and `ops` checks the answers */
	const struct net_config *config; /* of the whole network: what routes and links there are */
};

struct wl_pattern_ops {
	/* The destination never depends on `message`, `bits` and `coin`, so it is requested only once per source. */
	bool fixed;
	/* Checks the parameters and the job's size. May be NULL. */
	int (*build)(struct wl_pattern *pattern, struct base_errors *errors);
	/* Frees the state of a plug-in; called after build(), whatever that returned. May be NULL. */
	void (*destroy)(struct wl_pattern *pattern);
	/* The endpoint to which member `index` sends its message number `message`, itself only if the pattern declares
	 * it; WL_IDLE if it never sends, which may depend on `index` only. `bits` and `coin` are two independent random
	 * words. Hot: no allocation, no division by variables. */
	uint32_t (*destination)(const struct wl_pattern *pattern, uint32_t index, uint32_t message, uint32_t bits,
	                        uint32_t coin);
	/* The load that a member offers, as a multiple of the mean over the members that send; greater than 0. NULL:
	 * all members offer the same load. */
	double (*share)(const struct wl_pattern *pattern, uint32_t index);
};

static inline uint32_t wl_member(const struct wl_pattern *p, uint32_t index)
{
	return p->member ? p->member[index] : index;
}
static inline uint32_t wl_index(const struct wl_pattern *p, uint32_t endpoint)
{
	return p->index_of ? p->index_of[endpoint] : endpoint;
}

/* Adds the error for a pattern's key that names an endpoint outside the job, or outside the topology. Returns -1. */
int wl_no_member(const struct wl_pattern *p, const char *key, int64_t endpoint, struct base_errors *errors);

/* Purposes of random numbers in build(); plug-ins count theirs from WL_SETUP_PLUGIN on. The values enter the draws. */
enum wl_setup_use {
	WL_SETUP_ALLOCATION = 0,
	WL_SETUP_PERMUTATION = 1,
	WL_SETUP_MAPPING = 2,
	WL_SETUP_PLUGIN = 128,
};

/* Random numbers for build(): `what` is the purpose, `index` counts the draws of one purpose. */
struct sim_draw wl_setup_draw(uint64_t seed, uint32_t job, uint32_t what, uint32_t index);

/* Injection processes: the plug-ins of kind "injection". */

#define WL_TIME_BITS 16 /* binary places of fixed-point picoseconds */

struct wl_injection_ops;

struct wl_injection {
	const struct wl_injection_ops *ops;
	const void *params; /* as described by the plug-in's table; NULL if it has none */
	uint64_t mean;      /* between two messages of one endpoint: ps, WL_TIME_BITS binary places, below 2^62, > 0 */
	uint64_t slot;      /* what one (mean) packet takes on the terminal link: ps, WL_TIME_BITS binary places, > 0 */
	uint64_t word[4];   /* the process's own constants, written by build() */
	const struct base_plugin *plugin;
	const struct wl_injection_ops *said; /* as of a pattern */
};

struct wl_injection_ops {
	/* Checks the parameters and prepares word[]. May be NULL. */
	int (*build)(struct wl_injection *injection, struct base_errors *errors);
	/* Time of message 0 after the job's start, ps, from a draw of its own. */
	uint64_t (*first)(const struct wl_injection *injection, struct sim_draw draw);
	/* Time from message n - 1, which was created `since` ps after the job's start, to message n >= 1; ps. `bits`
	 * are 64 random bits. The long-run mean must be mean / 2^WL_TIME_BITS without accumulating rounding. Hot. */
	uint64_t (*gap)(const struct wl_injection *injection, uint32_t n, uint64_t since, uint64_t bits);
};

/* x * y / 2^64, rounded to the nearest. */
static inline uint64_t wl_mul_high(uint64_t x, uint64_t y)
{
	return (uint64_t)(((unsigned __int128)x * y + ((uint64_t)1 << 63)) >> 64);
}
/* The factor for which wl_mul_high(sim_neglog2(bits), factor) is an exponential variate, in ps, of this mean
 * (WL_TIME_BITS fractional bits, below 2^62). */
uint64_t wl_exponential_factor(uint64_t mean);
/* -log2(y / 2^64) with 48 fractional bits, y > 0; exact to the last place or two. For build(): 100 ns. */
uint64_t wl_neglog2_exact(uint64_t y);

/* Built-in plug-ins, for files that refer to them by name; experiments/config/builtin.def lists all of them. */
extern const struct base_plugin wl_uniform, wl_hotspot, wl_incast, wl_all_to_all, wl_permutation;
extern const struct base_plugin wl_transpose, wl_bit_complement, wl_bit_reverse, wl_shuffle;
extern const struct base_plugin wl_diagonal, wl_log_diagonal, wl_matrix;
extern const struct base_plugin wl_worst_case, wl_worst_permutation, wl_adversarial, wl_neighbor, wl_tornado;
extern const struct base_plugin wl_poisson, wl_bernoulli, wl_periodic, wl_on_off;

#endif

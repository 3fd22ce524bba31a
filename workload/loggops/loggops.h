/* workload/loggops/loggops.h - replays a GOAL schedule on an analytical network model, with which switched networks are
 * compared: the LogGOPS model as computed by LogGOPSim (spcl, 76451de) or by ATLAHS, and LogGP and SimpleNet as in
 * CODES. Rules and differences: docs/goal.md.
 *
 * Ranks are grouped into logical processes of sim/ such that effects without latency between ranks (the end of a
 * rendezvous) stay within a process; eager messages cross processes with a lookahead of o + L. The result is the same
 * for every grouping, scheduler and number of MPI ranks. */
#ifndef WORKLOAD_LOGGOPS_LOGGOPS_H
#define WORKLOAD_LOGGOPS_LOGGOPS_H

#include "network/application.h"
#include "sim/sim.h"
#include "workload/formats/goal/goal.h"

enum wl_formula { WL_SIMPLENET, WL_LOGGP, WL_LOGGOPS, WL_LOGGOPS_ATLAHS };

struct wl_loggops_params {
	int kind;         /* enum wl_formula */
	bool compat;      /* what the original answers in corner cases, in place of what makes sense */
	uint64_t L, o, g; /* ps; L + o >= 2. simplenet: L alone; loggp with compat: no o */
	double G, O;      /* ps a byte. O and S: loggops alone */
	uint64_t S;       /* messages of more bytes wait for their receive */
	uint64_t unit;    /* ps of a unit of the schedule's computations */
	enum sim_sync sync;
	uint32_t stress;
	bool audit;
	bool traced;      /* result.application is wanted, where the kind reports on ranks ... */
	bool ranks, path; /* ... with what record.ranks and record.path ask for */
	uint64_t start;   /* ps: added to the times that it reports */
};

struct wl_loggops_result {
	enum sim_outcome outcome;
	uint64_t completion;              /* ps */
	uint64_t messages, bytes, events; /* that have arrived; operations begun + messages sent */
	uint64_t unfinished;              /* operations that never finished */
	uint64_t unreceived;              /* messages that came, of sends that have finished, and nothing received */
	uint64_t *end;                    /* [ranks] ps; owned */
	char *waits;                      /* who waits for whom, some lines; NULL: all has finished; owned */
	uint64_t digest;
	struct sim_counters counters;
	struct net_application *application; /* owned; NULL: not wanted, or loggops-atlahs */
};

/* Collective. `goal` is the same on all MPI ranks. Keys of errors are those of parameters, or "" for the schedule. */
int wl_loggops_run(const struct wl_goal *goal, const struct wl_loggops_params *params, struct wl_loggops_result *out,
                   struct base_errors *errors);
void wl_loggops_free(struct wl_loggops_result *result);

#endif

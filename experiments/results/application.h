/* experiments/results/application.h - what results say of applications (network/application.h): members of the summary
 * and of records, and lines for people. Times are picoseconds in the model, nanoseconds in results. */
#ifndef EXPERIMENTS_RESULTS_APPLICATION_H
#define EXPERIMENTS_RESULTS_APPLICATION_H

#include "base/json.h"
#include "network/network.h"

#include <stdio.h>

/* "application": { ... }; nothing if there is none. */
void xp_application_members(struct base_json *j, const struct net_application *a);
void xp_application_text(FILE *out, const struct net_application *a);

/* "compute", "send", "wait", "idle": of NET_TIMES. */
extern const char *const xp_rank_times[NET_TIMES];

/* Members of records, without the kind and the job. */
void xp_rank_members(struct base_json *j, const struct net_application *a, size_t line);
void xp_rank_timeline_members(struct base_json *j, const struct net_application *a, uint32_t row);
void xp_path_members(struct base_json *j, const struct net_path_stay *stay);
/* Bins of the timeline up to the job's end. */
uint32_t xp_rank_bins(const struct net_application *a);
/* Sending and waiting of computing, sending and waiting; NAN: there is none of these. */
double xp_communication_share(const uint64_t ps[NET_TIMES]);

#endif

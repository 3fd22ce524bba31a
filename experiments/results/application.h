/* experiments/results/application.h - statistics of applications (network/application.h): members of the summary and of
 * records, and lines of text. Times are picoseconds in the model and nanoseconds in results. */
#ifndef EXPERIMENTS_RESULTS_APPLICATION_H
#define EXPERIMENTS_RESULTS_APPLICATION_H

#include "base/json.h"
#include "network/network.h"

#include <stdio.h>

/* Writes "application": { ... }; nothing if there is none. */
void xp_application_members(struct base_json *j, const struct net_application *a);
void xp_application_text(FILE *out, const struct net_application *a);

/* The names "compute", "send", "wait", "idle" of NET_TIMES. */
extern const char *const xp_rank_times[NET_TIMES];

/* Writes members of records, except the kind and the job. */
void xp_rank_members(struct base_json *j, const struct net_application *a, size_t line);
void xp_rank_timeline_members(struct base_json *j, const struct net_application *a, uint32_t row);
void xp_path_members(struct base_json *j, const struct net_path_stay *stay);
/* Bins of the timeline until the end of the job. */
uint32_t xp_rank_bins(const struct net_application *a);
/* Time sending and waiting, relative to the time computing, sending and waiting; NAN if all are 0. */
double xp_communication_share(const uint64_t ps[NET_TIMES]);

#endif

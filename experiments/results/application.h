/* experiments/results/application.h - statistics of applications (network/application.h): members of the summary and of
 * records, and lines of text. Times are picoseconds in the model and nanoseconds in results. */
#ifndef EXPERIMENTS_RESULTS_APPLICATION_H
#define EXPERIMENTS_RESULTS_APPLICATION_H

#include "base/json.h"
#include "network/network.h"

#include <stdio.h>

/* Writes the member "application": { ... } of a job. Writes nothing if the job is no application. */
void xp_application_members(struct base_json *j, const struct net_application *a);
void xp_application_text(FILE *out, const struct net_application *a);

/* Names of the kinds of time that a rank spends, indexed by NET_TIMES: "compute", "send", "wait", "idle". */
extern const char *const xp_rank_times[NET_TIMES];

/* Each function writes the members of one kind of record, except `record` and the name of the job. */
void xp_rank_members(struct base_json *j, const struct net_application *a, size_t line);
void xp_rank_timeline_members(struct base_json *j, const struct net_application *a, uint32_t row);
void xp_path_members(struct base_json *j, const struct net_path_stay *stay);
/* Returns the number of bins of an application's timeline, up to the end of the job. */
uint32_t xp_rank_bins(const struct net_application *a);
/* Returns the share of communication: the time sending and waiting, divided by the time computing, sending and waiting.
 * NAN if all of them are 0. */
double xp_communication_share(const uint64_t ps[NET_TIMES]);

#endif

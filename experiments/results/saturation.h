/* experiments/results/saturation.h - the definition of saturation for sweep, compare, design and report.
 *
 * A network sustains a load if its backlog (packets created but not delivered) does not grow as long as the load lasts.
 * It is saturated by a load for which the backlog grows.
 *
 * A run that lasts until it can decide (time.drain = "auto", time.precision; sim/steady.h) reports the decision. Runs
 * with a fixed window, such as the many short ones of compare and design, cannot decide; there a load counts as
 * sustained if XP_CARRIED of it is delivered to the job with the smallest fraction. This misses a backlog that grows
 * more slowly, and packets that fill the network during the window, which the intervals of compare/search.c take into
 * account. */
#ifndef EXPERIMENTS_RESULTS_SATURATION_H
#define EXPERIMENTS_RESULTS_SATURATION_H

#include "base/json.h"
#include "sim/steady.h"

#include <jansson.h>

#define XP_CARRIED 0.98

enum xp_load { XP_LOAD_UNKNOWN, XP_LOAD_CARRIED, XP_LOAD_SATURATES };

/* Reads the member `stationary` of a record `summary`, of one of its jobs, or of a row of a sweep. */
enum sim_stationarity xp_stationarity(const json_t *record);
/* Writes the member `stationary`, which is null if the run could not decide. */
void xp_stationarity_member(struct base_json *j, enum sim_stationarity said);
/* Decides whether the network sustains the load of a run. `said` is the decision of the run itself. If it is undecided,
 * `share` decides: the fraction of the offered load that was delivered to the job with the smallest fraction, or NAN if
 * it is unknown. */
enum xp_load xp_load_of(enum sim_stationarity said, double share);
/* Returns the decision that a run itself reports in its record; the load is unknown if the run could not decide. */
enum xp_load xp_load_said(const json_t *record);

#endif

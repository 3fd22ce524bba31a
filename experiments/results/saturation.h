/* experiments/results/saturation.h - what saturation is: one definition for sweep, compare, design and report.
 *
 * A network carries a load if the backlog, what was created and has not arrived, stays as it is for as long as the load
 * lasts. It is saturated by a load whose backlog grows.
 *
 * A run that is as long as it takes to tell says so itself (time.drain = "auto", time.precision; sim/steady.h): that is
 * the answer. A run of a fixed window cannot tell, as the many short ones of compare and design: there a load counts as
 * carried of which XP_CARRIED is delivered to the job that gets the least. That hides a backlog that grows by less than
 * the rest, and by what a window takes in while the network fills, which the intervals of compare/search.c allow for.
 */
#ifndef EXPERIMENTS_RESULTS_SATURATION_H
#define EXPERIMENTS_RESULTS_SATURATION_H

#include "base/json.h"
#include "sim/steady.h"

#include <jansson.h>

#define XP_CARRIED 0.98

enum xp_load { XP_LOAD_UNKNOWN, XP_LOAD_CARRIED, XP_LOAD_SATURATES };

/* What a record `summary`, a job of it or a row of a sweep says of itself: its member `stationary`. */
enum sim_stationarity xp_stationarity(const json_t *record);
/* Writes it: null if it is not decided. */
void xp_stationarity_member(struct base_json *j, enum sim_stationarity said);
/* `share`: of the offered load that was delivered, to the job that gets the least; NAN: it tells nothing. */
enum xp_load xp_load_of(enum sim_stationarity said, double share);
/* Of a run that says so itself, or leaves it open. */
enum xp_load xp_load_said(const json_t *record);

#endif

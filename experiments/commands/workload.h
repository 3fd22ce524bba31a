/* experiments/commands/workload.h - `tilefly workload`: the functions for the different kinds of workload, each
 * implemented in a file of its own. */
#ifndef EXPERIMENTS_COMMANDS_WORKLOAD_H
#define EXPERIMENTS_COMMANDS_WORKLOAD_H

#include "base/plugin.h"
#include "experiments/commands/options.h"
#include "experiments/results/file.h"
#include "workload/formats/goal/goal.h"

enum xp_emit { XP_EMIT_NOTHING, XP_EMIT_MPI_C, XP_EMIT_GOAL, XP_EMIT_GOAL_BIN };
#define XP_EMITS "none|mpi-c|goal|goal-bin"

/* Opens the file given by --out, or standard output. Must be called after all input files have been opened, so that a
 * file that is also an input is not overwritten. Returns an enum xp_exit. */
int xp_workload_open(struct xp_file *file, const struct xp_options *o);
/* Writes a schedule to --out or standard output, in the format given by --emit. Returns an enum xp_exit. */
int xp_workload_write(const struct xp_options *o, const struct wl_goal *goal);
/* Each of these functions executes `tilefly workload` for one kind of file. The format of a trace is defined by
 * `plugin`, which is of kind "process". Returns an enum xp_exit; the caller prints the errors. */
int xp_workload_aspen(const struct xp_options *o);
int xp_workload_goal(const struct xp_options *o, struct base_errors *errors);
int xp_workload_trace(const struct xp_options *o, const struct base_plugin *plugin, struct base_errors *errors);
/* Converts recorded MPI calls (text) to a GOAL schedule of the given form and writes it to `out`. Errors and warnings
 * refer to this file. If `collectives` is NULL, collectives use their default algorithms. Returns an enum xp_exit. */
int xp_recording_to_goal(const char *calls, const char *out, enum xp_emit form, const char *collectives,
                         struct base_errors *errors);
/* Replays a GOAL schedule with the LogGOPS model of a network. Collective. With option --loggops it prints when each
 * rank ends; with option --strict alone it prints only errors. Returns an enum xp_exit. */
int xp_workload_loggops(const struct xp_options *o, const struct wl_goal *goal, struct base_errors *errors);

#endif

/* experiments/commands/workload.h - `tilefly workload`: each kind of workload has a file of its own. */
#ifndef EXPERIMENTS_COMMANDS_WORKLOAD_H
#define EXPERIMENTS_COMMANDS_WORKLOAD_H

#include "base/plugin.h"
#include "experiments/commands/options.h"
#include "experiments/results/file.h"
#include "workload/formats/goal/goal.h"

enum xp_emit { XP_EMIT_NOTHING, XP_EMIT_MPI_C, XP_EMIT_GOAL, XP_EMIT_GOAL_BIN };
#define XP_EMITS "none|mpi-c|goal|goal-bin"

/* Opens --out, or standard output, after all input files were opened, so that no input file can be overwritten. Returns
 * an enum xp_exit. */
int xp_workload_open(struct xp_file *file, const struct xp_options *o);
/* Writes a schedule to that output, in the form given by --emit. Returns an enum xp_exit. */
int xp_workload_write(const struct xp_options *o, const struct wl_goal *goal);
/* Handles a file of one kind of workload. Returns an enum xp_exit; the caller prints the errors. The format of a trace
 * is that of a plug-in of kind "process". */
int xp_workload_aspen(const struct xp_options *o);
int xp_workload_goal(const struct xp_options *o, struct base_errors *errors);
int xp_workload_trace(const struct xp_options *o, const struct base_plugin *plugin, struct base_errors *errors);
/* Converts MPI calls as text to a schedule; errors and warnings refer to the file `out`. collectives NULL: default
 * algorithms. Returns an enum xp_exit. */
int xp_recording_to_goal(const char *calls, const char *out, enum xp_emit form, const char *collectives,
                         struct base_errors *errors);
/* Replays a GOAL schedule with the LogGOPS model. Collective. With --loggops prints when ranks end; with --strict alone
 * prints only errors. */
int xp_workload_loggops(const struct xp_options *o, const struct wl_goal *goal, struct base_errors *errors);

#endif

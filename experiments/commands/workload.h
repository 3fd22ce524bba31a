/* experiments/commands/workload.h - `tilefly workload`: a file a kind of workload. */
#ifndef EXPERIMENTS_COMMANDS_WORKLOAD_H
#define EXPERIMENTS_COMMANDS_WORKLOAD_H

#include "base/plugin.h"
#include "experiments/commands/options.h"
#include "experiments/results/file.h"
#include "workload/formats/goal/goal.h"

enum xp_emit { XP_EMIT_NOTHING, XP_EMIT_MPI_C, XP_EMIT_GOAL, XP_EMIT_GOAL_BIN };
#define XP_EMITS "none|mpi-c|goal|goal-bin"

/* Opens --out, or standard output, when all that is read was opened: what was read is not written over. An enum
 * xp_exit.
 */
int xp_workload_open(struct xp_file *file, const struct xp_options *o);
/* Writes a schedule there, in the form of --emit. An enum xp_exit. */
int xp_workload_write(const struct xp_options *o, const struct wl_goal *goal);
/* What the file that is named holds; an enum xp_exit. The caller prints the errors. A trace is of the format of a
 * plug-in of kind "process". */
int xp_workload_aspen(const struct xp_options *o);
int xp_workload_goal(const struct xp_options *o, struct base_errors *errors);
int xp_workload_trace(const struct xp_options *o, const struct base_plugin *plugin, struct base_errors *errors);
/* Calls of MPI as text into a schedule; errors and warnings name the file `out`. collectives NULL: the default. An enum
 * xp_exit. */
int xp_recording_to_goal(const char *calls, const char *out, enum xp_emit form, const char *collectives,
                         struct base_errors *errors);
/* A GOAL schedule under LogGOPS; collective. Prints what becomes of it with --loggops; of --strict alone only what is
 * wrong. */
int xp_workload_loggops(const struct xp_options *o, const struct wl_goal *goal, struct base_errors *errors);

#endif

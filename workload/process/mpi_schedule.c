/* workload/process/mpi_schedule.c - conversion of MPI calls to a schedule, for analytical network models: by their
 * execution on a network without delays (workload/formats/play/play.h), with the collective algorithms of section mpi.
 * This execution decides which message a receive from any source matches. */
#include "base/memory.h"
#include "workload/formats/goal/goal.h"
#include "workload/formats/play/play.h"
#include "workload/formats/to_goal.h"
#include "workload/process/mpi.h"

#include <inttypes.h>

static void warn_of_differences(const struct wl_to_goal *g, const struct wl_play *play, const char *key,
                                struct base_errors *errors)
{
	if (g->frozen)
		base_warnf(errors, key,
		           "%" PRIu64
		           " receives with a wildcard source or tag match, on an analytical network model, the message "
		           "that they match on a network without delays; likewise Waitany and similar calls",
		           g->frozen);
	if (g->synchronous)
		base_warnf(errors, key,
		           "%" PRIu64 " synchronous sends wait for their receive, on an analytical network model, only "
		           "if they are larger than network.S",
		           g->synchronous);
	if (play->truncated)
		base_warnf(errors, key,
		           "%" PRIu64
		           " messages are longer than the receives that they match; the first one, from rank %" PRIu32
		           " to rank %" PRIu32 ", tag %" PRId64 ", has %" PRIu64 " B for a receive of %" PRIu64 " B",
		           play->truncated, play->first_truncated.source, play->first_truncated.dest,
		           play->first_truncated.tag, play->first_truncated.bytes, play->first_room);
}

int wl_mpi_schedule(const struct wl_process *p, const char *key, const char *file, struct wl_goal *out,
                    struct wl_schedule_facts *facts, struct base_errors *errors)
{
	const struct mpi_replay *s = mpi_replay_of(p);
	struct base_errors found = { 0 };
	struct wl_to_goal g;
	struct wl_play play = { 0 };
	wl_to_goal_memory_for(file, s->source.ranks);
	wl_to_goal_begin(&g, s->source.ranks, &s->choices);
	g.unit = 1;
	int status = wl_play(&play, &s->source, &g, &found) ? -1 : play.stuck || play.incomplete ? 1 : 0;
	wl_process_pass_on(&found, key, errors);
	if (wl_to_goal_end(&g, out))
		status = base_errorf(
		    errors, key,
		    "is too large for a schedule, which can have fewer than 2^32 operations and dependencies");
	else if (status)
		wl_goal_free(out);
	if (!status) {
		facts->truncated = play.truncated;
		warn_of_differences(&g, &play, key, errors);
		wl_goal_scale(out, s->compute_scale);
	}
	wl_play_free(&play);
	base_memory_made();
	return status;
}

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
		           " receives of any source or tag get on a formula what they match on a network that "
		           "takes no time; so do Waitany and the like",
		           g->frozen);
	if (g->synchronous)
		base_warnf(errors, key,
		           "%" PRIu64
		           " synchronous sends wait for their receive on a formula only where they are longer "
		           "than network.S",
		           g->synchronous);
	if (play->truncated)
		base_warnf(errors, key,
		           "%" PRIu64
		           " messages are longer than the receive that they match; the first, from rank %" PRIu32
		           " to rank %" PRIu32 ", tag %" PRId64 ": %" PRIu64 " B for %" PRIu64 " B",
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
		status = base_errorf(errors, key, "is too large for a schedule: 2^32 operations or dependencies");
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

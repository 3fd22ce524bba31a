/* experiments/commands/studies.c - see studies.h */
#include "experiments/commands/studies.h"
#include "experiments/commands/interrupt.h"
#include "experiments/commands/jobs.h"
#include "experiments/commands/launched.h"
#include "experiments/config/message.h"
#include "experiments/config/shipped.h"
#include "experiments/runs/folder.h"

#include "base/text.h"

#include <stdio.h>
#include <unistd.h>

int xp_study_command(const struct xp_options *o, struct xp_runs *runs,
                     int (*work)(void *study, const struct xp_options *o, struct base_errors *errors), void *study)
{
	struct base_errors errors = { 0 };
	if (xp_launched_rank() > 0)
		return XP_OK;
	runs->set = o->sets;
	runs->nset = o->nsets;
	runs->plugin = o->plugins;
	runs->nplugin = o->nplugins;
	runs->rerun = o->rerun;
	runs->progress = o->progress == XP_ALWAYS || (o->progress == XP_AUTO && !o->quiet && isatty(2));
	xp_interrupt_ends();
	if (xp_read_jobs(o->jobs, xp_launched_here(), &runs->jobs))
		return XP_USAGE;
	int status = work(study, o, &errors);
	xp_message_errors(&errors);
	base_errors_free(&errors);
	return status;
}

char *xp_study_file(const struct xp_options *o, struct xp_runs *runs, struct base_errors *errors)
{
	if (o->out && !*o->out)
		base_errorf(errors, NULL, "--out: must name a directory, not \"\"");
	else if (o->out && o->bounds)
		base_errorf(errors, NULL, "--out: has no effect with --bounds, which writes no files");
	else if (o->out)
		runs->folder = xp_folder_named(o->out);
	return xp_shipped_find(o->operand[0], errors);
}

void xp_study_results(const struct xp_runs *runs)
{
	char folder[1024];
	printf("results: %s\n", base_harmless_copy(runs->folder, folder, sizeof folder));
}

bool xp_study_unfinished(int status, size_t lost)
{
	if (status == XP_INTERRUPT)
		xp_message("interrupted; rerun the command to resume");
	else if (lost)
		xp_message(
		    "%zu run%s killed, and the results that depend on %s are missing; rerun the command to resume",
		    lost, lost == 1 ? " was" : "s were", lost == 1 ? "it" : "them");
	return status == XP_INTERRUPT || lost;
}

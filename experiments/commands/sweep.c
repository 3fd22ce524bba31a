/* experiments/commands/sweep.c - tilefly sweep: a grid of configurations into a results folder. */
#include "experiments/sweep/sweep.h"
#include "experiments/commands/command.h"
#include "experiments/commands/jobs.h"
#include "experiments/commands/launched.h"
#include "experiments/commands/registry.h"
#include "experiments/config/message.h"
#include "experiments/config/shipped.h"
#include "experiments/sweep/folder.h"
#include "experiments/sweep/table.h"

#include "base/format.h"
#include "base/json.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The configuration that the children are given, as a path. One that is written inside the experiment becomes a file of
 * the results folder. */
static int find_base(struct xp_sweep *sweep, struct base_errors *errors)
{
	struct xp_experiment *e = &sweep->experiment;
	sweep->config = e->config ? base_format("%s/base.cfg", sweep->folder) : xp_experiment_base(e, errors);
	return sweep->config ? 0 : -1;
}

static int prepare(struct xp_sweep *sweep, const struct xp_options *o, struct base_errors *errors)
{
	char *path = xp_shipped_find(o->operand[0], errors);
	if (!path)
		return -1;
	if (o->out && !*o->out)
		base_errorf(errors, NULL, "--out: a folder is wanted, not \"\"");
	int status = xp_experiment_read(&sweep->experiment, path, errors) || (o->out && !*o->out);
	free(path);
	if (status)
		return -1;
	if (o->out)
		sweep->folder = xp_folder_named(o->out);
	else
		sweep->folder = base_format("results/%s%s", sweep->experiment.name, sweep->brief ? "-short" : "");
	status = xp_open_registry(&sweep->registry, o, errors) ||
	         xp_experiment_plugins(&sweep->experiment, &sweep->registry, errors);
	if (find_base(sweep, errors) || status)
		return -1;
	return xp_sweep_expand(sweep, errors);
}

/* before: of the signals that are held until there are tables; if nothing is printed, until the program ends. */
static int execute(struct xp_sweep *sweep, const struct xp_options *o, const sigset_t *before,
                   struct base_errors *errors)
{
	int status = xp_sweep_run(sweep, errors), written = status < 0 ? -1 : xp_table_write(sweep, errors);
	if (status < 0)
		return 1;
	size_t out_of_range = 0;
	if (!sweep->quiet && !o->json) {
		xp_sweep_release_signals(before); /* whoever reads may stop reading */
		printf("%s\n", sweep->experiment.title);
		out_of_range = xp_table_print(sweep);
		char folder[1024];
		printf("results: %s\n", base_harmless_copy(sweep->folder, folder, sizeof folder));
	} else {
		double min, max;
		for (size_t i = 0; i < sweep->n; i++)
			out_of_range += sweep->point[i].row &&
			                xp_expected(&sweep->experiment, sweep->point[i].row, &min, &max) == 0;
	}
	if (o->json) {
		xp_sweep_release_signals(before);
		xp_table_json(sweep);
	}
	if (status == XP_INTERRUPT)
		xp_message("interrupted; the same command goes on from here");
	if (written)
		return 1;
	return status ? status : o->check && out_of_range ? 1 : 0;
}

static void list_json(const struct xp_sweep *sweep)
{
	struct base_json j = base_json_stream(stdout);
	base_json_array(&j, NULL);
	for (size_t i = 0; i < sweep->n; i++)
		base_json_string(&j, NULL, sweep->point[i].name);
	base_json_end(&j);
	base_json_newline(&j);
}

static int run(const struct xp_options *o)
{
	struct xp_sweep sweep = { .brief = o->brief,
		                  .set = o->sets,
		                  .nset = o->nsets,
		                  .plugin = o->plugins,
		                  .nplugin = o->nplugins,
		                  .rerun = o->rerun,
		                  .quiet = o->quiet };
	struct base_errors errors = { 0 };
	int status = XP_OK;
	if (xp_launched_rank() > 0)
		return XP_OK;
	sweep.progress = o->progress == XP_ALWAYS || (o->progress == XP_AUTO && !o->quiet && isatty(2));
	if (xp_read_jobs(o->jobs, xp_launched_here(), &sweep.jobs) || prepare(&sweep, o, &errors)) {
		status = XP_USAGE;
	} else if (o->check && !sweep.experiment.nexpects) {
		status = XP_USAGE;
		base_errorf(&errors, NULL, "--check: the experiment has no \"expected\" ranges to check");
	} else if (o->list && o->json) {
		list_json(&sweep);
	} else if (o->list) {
		for (size_t i = 0; i < sweep.n; i++)
			printf("%s\n", sweep.point[i].name);
	} else {
		sigset_t before;
		xp_sweep_hold_signals(&before);
		status = xp_folder_take(&sweep, &errors);
		if (!status)
			status = execute(&sweep, o, &before, &errors);
		xp_folder_release(&sweep);
	}
	xp_message_errors(&errors);
	base_errors_free(&errors);
	xp_sweep_free(&sweep);
	return status;
}

const struct xp_command xp_command_sweep = {
	.name = "sweep",
	.summary = "run a grid of configurations into a results folder",
	.operands = "EXPERIMENT",
	.text =
	    "Runs every point of an experiment's grid, several at once, into a results folder, and prints the table. "
	    "EXPERIMENT is a file, or the name of a shipped study (tilefly list studies). Points that have a whole "
	    "result from the same configuration, program and input files already are kept, so a sweep can be "
	    "interrupted and "
	    "resumed.\n\n"
	    "An experiment can ask for several seeds a point (repeat = 5), for series that end at saturation (stop = "
	    "\"saturation\"), or for a bisection that finds it (find = \"saturation\"; width = 0.01).\n\n"
	    "The folder gets points/NAME.jsonl.gz (one a point), summary.csv, summary.jsonl and a copy of the "
	    "experiment; tilefly report FOLDER draws it. --json prints the rows of summary.jsonl, an array of points.",
	.examples = "tilefly sweep slimfly-validation --short\n"
		    "tilefly sweep my-study.cfg -j 2 --out results/mine\n"
		    "tilefly sweep my-study.cfg --list\n",
	.status = "0 done, 1 if a point failed, 2 bad usage or configuration, 130 interrupted (what is finished is "
		  "kept).",
	.bit = XP_CMD_SWEEP,
	.min_operands = 1,
	.max_operands = 1,
	.word = XP_WORD_STUDY,
	.ranks = XP_STARTS,
	.run = run,
};

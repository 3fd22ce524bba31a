/* experiments/commands/sweep.c - tilefly sweep: a grid of configurations into a results folder. */
#include "experiments/sweep/sweep.h"
#include "experiments/commands/command.h"
#include "experiments/commands/registry.h"
#include "experiments/commands/studies.h"
#include "experiments/runs/folder.h"
#include "experiments/sweep/table.h"

#include "base/format.h"
#include "base/json.h"

#include <stdio.h>
#include <stdlib.h>

/* Returns the path of the configuration that child processes read. If the configuration is part of the experiment file,
 * it is first written to a file in the results directory. */
static int find_base(struct xp_sweep *sweep, struct base_errors *errors)
{
	const struct xp_ground *g = &sweep->experiment.ground;
	sweep->runs.config = g->config ? base_format("%s/base.cfg", sweep->runs.folder) : xp_ground_base(g, errors);
	return sweep->runs.config ? 0 : -1;
}

static int prepare_sweep(struct xp_sweep *sweep, const struct xp_options *o, struct base_errors *errors)
{
	struct xp_ground *g = &sweep->experiment.ground;
	struct xp_runs *runs = &sweep->runs;
	char *path = xp_study_file(o, runs, errors);
	int status = path ? xp_experiment_read(&sweep->experiment, path, errors) : -1;
	free(path);
	if (status || errors->errors)
		return -1;
	if (!runs->folder)
		runs->folder = base_format("results/%s%s", g->name, sweep->brief ? "-short" : "");
	status = xp_open_registry(&runs->registry, o, errors) || xp_ground_plugins(g, &runs->registry, errors);
	if (find_base(sweep, errors) || status)
		return -1;
	return xp_sweep_expand(sweep, errors);
}

/* before: of the signals that are held until there are tables; if nothing is printed, until the program ends. */
static int execute(struct xp_sweep *sweep, const struct xp_options *o, const sigset_t *before,
                   struct base_errors *errors)
{
	int status = xp_sweep_run(sweep, errors), written = status < 0 ? -1 : xp_sweep_write(sweep, errors);
	if (status < 0)
		return 1;
	size_t out_of_range = 0;
	if (!o->quiet && !o->json) {
		xp_runs_release_signals(before); /* the reader may stop reading */
		printf("%s\n", sweep->experiment.ground.title);
		out_of_range = xp_sweep_print(sweep);
		xp_study_results(&sweep->runs);
	} else {
		double min, max;
		for (size_t i = 0; i < sweep->n; i++)
			out_of_range += sweep->point[i].row &&
			                xp_expected(&sweep->experiment, sweep->point[i].row, &min, &max) == 0;
	}
	if (o->json) {
		xp_runs_release_signals(before);
		xp_sweep_json(sweep);
	}
	xp_study_unfinished(status, 0);
	if (written)
		return 1;
	return status ? status : o->check && out_of_range ? 1 : 0;
}

/* Takes the folder and runs. */
static int run_points(struct xp_sweep *sweep, const struct xp_options *o, struct base_errors *errors)
{
	static const char *const tables[] = { "summary.csv", "summary.jsonl", NULL }, *const with_saturation[] = {
		"summary.csv", "summary.jsonl", "saturation.csv", NULL
	};
	bool series = sweep->experiment.choice != XP_ALL;
	sigset_t before;
	xp_runs_hold_signals(&before);
	int status = xp_folder_take(&sweep->runs, series ? with_saturation : tables, errors);
	if (!status)
		status = execute(sweep, o, &before, errors);
	xp_folder_release(&sweep->runs);
	return status;
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

static int sweep_grid(void *study, const struct xp_options *o, struct base_errors *errors)
{
	struct xp_sweep *sweep = study;
	if (prepare_sweep(sweep, o, errors))
		return XP_USAGE;
	if (o->check && !sweep->experiment.nexpects) {
		base_errorf(errors, NULL, "--check: the experiment defines no \"expected\" ranges");
		return XP_USAGE;
	}
	if (!o->list)
		return run_points(sweep, o, errors);
	if (o->json)
		list_json(sweep);
	for (size_t i = 0; i < sweep->n && !o->json; i++)
		printf("%s\n", sweep->point[i].name);
	return XP_OK;
}

static int run_sweep(const struct xp_options *o)
{
	struct xp_sweep sweep = { .brief = o->brief };
	int status = xp_study_command(o, &sweep.runs, sweep_grid, &sweep);
	xp_sweep_free(&sweep);
	return status;
}

const struct xp_command xp_command_sweep = {
	.name = "sweep",
	.summary = "run a grid of configurations and collect the results",
	.operands = "EXPERIMENT",
	.text = "Runs every point of an experiment's grid, several at a time, stores the results in a directory, and "
		"prints the table. EXPERIMENT is a file or the name of a shipped study (tilefly list studies). Points "
		"with a complete result of the same configuration, program and input files are not run again, so an "
		"interrupted sweep can be resumed.\n\nAn experiment can define several seeds per point (repeat = 5), "
		"series that end at saturation (stop = \"saturation\"), or a bisection that finds the saturation load "
		"(find = \"saturation\"; width = 0.01).\n\nThe results directory gets points/NAME.jsonl.gz (one per "
		"point), summary.csv, summary.jsonl and a copy of the experiment; tilefly report draws it. --json "
		"prints the rows of summary.jsonl, an array of points.",
	.examples = "tilefly sweep slimfly-validation --short\n"
		    "tilefly sweep my-study.cfg -j 2 --out results/mine\n"
		    "tilefly sweep my-study.cfg --list\n",
	.status =
	    "0 done, 1 if a point failed, 2 wrong usage or configuration, 130 interrupted (finished points are kept).",
	.bit = XP_CMD_SWEEP,
	.min_operands = 1,
	.max_operands = 1,
	.word = XP_WORD_STUDY,
	.ranks = XP_STARTS,
	.run = run_sweep,
};

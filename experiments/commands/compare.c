/* experiments/commands/compare.c - `tilefly compare`: which network for this money, or these endpoints, or this switch.
 */
#include "experiments/compare/compare.h"
#include "experiments/commands/command.h"
#include "experiments/commands/interrupt.h"
#include "experiments/commands/jobs.h"
#include "experiments/commands/launched.h"
#include "experiments/commands/registry.h"
#include "experiments/config/message.h"
#include "experiments/config/shipped.h"
#include "experiments/sweep/folder.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print(const struct xp_compare *c, const struct xp_options *o)
{
	if (o->json) {
		struct base_json j = base_json_stream(stdout);
		xp_compare_json(c, &j);
	} else if (!o->quiet) {
		char folder[1024];
		xp_compare_text(c);
		if (!o->bounds)
			printf("results: %s\n", base_harmless_copy(c->folder, folder, sizeof folder));
	}
}

static int compare(struct xp_compare *c, const struct xp_options *o, struct base_errors *errors)
{
	if (o->out && !*o->out)
		base_errorf(errors, NULL, "--out: a folder is wanted, not \"\"");
	else if (o->out && o->bounds)
		base_errorf(errors, NULL, "--out: has no effect with --bounds, which writes nothing");
	else if (o->out)
		c->folder = xp_folder_named(o->out);
	char *path = xp_shipped_find(o->operand[0], errors);
	int status = XP_USAGE;
	if (path && !xp_open_registry(&c->registry, o, errors) && !xp_compare_prepare(c, path, errors) &&
	    !errors->errors) {
		status = XP_OK;
		if (o->bounds)
			xp_compare_bounds(c);
		else
			status = xp_compare_run(c, errors);
	}
	free(path);
	if (errors->errors)
		return status;
	xp_rank(c);
	print(c, o);
	if (status == XP_INTERRUPT)
		xp_message("interrupted; the same command goes on from here");
	else if (c->lost)
		xp_message_lost(c->lost);
	else if (status == XP_FAILURE)
		xp_message("nothing could be simulated");
	return status;
}

static int run(const struct xp_options *o)
{
	struct xp_compare c = { .set = o->sets,
		                .nset = o->nsets,
		                .plugin = o->plugins,
		                .nplugin = o->nplugins,
		                .rerun = o->rerun,
		                .quiet = o->quiet };
	struct base_errors errors = { 0 };
	if (xp_launched_rank() > 0)
		return XP_OK;
	c.progress = o->progress == XP_ALWAYS || (o->progress == XP_AUTO && !o->quiet && isatty(2));
	xp_interrupt_ends();
	if (xp_read_jobs(o->jobs, xp_launched_here(), &c.jobs))
		return XP_USAGE;
	int status = compare(&c, o, &errors);
	xp_message_errors(&errors);
	base_errors_free(&errors);
	xp_compare_free(&c);
	return status;
}

const struct xp_command xp_command_compare = {
	.name = "compare",
	.summary = "which network for this money, these endpoints, or this switch",
	.operands = "STUDY",
	.text = "Sizes each family of a study to the same cost (or endpoints, throughput, switch ports, watts, "
		"cables), finds by "
		"closed forms and assignment problems what each routing can carry on it, simulates shortly what may "
		"still be "
		"first, and longer where intervals overlap with the best. It ranks designs (network, routing, "
		"congestion control) "
		"by Gb/s delivered for what was made equal, with intervals; those that overlap share a place. Networks "
		"that took "
		"no part are listed with the reason."
		"\n\n"
		"What is simulated depends on results alone, never on the clock: the digest, over all runs, is the "
		"same each time, "
		"on any number of cores. STUDY is a file, or the name of a shipped study. The results folder gets "
		"compare.json, "
		"ranking.csv, and points/NAME.jsonl.gz, one for each run; runs that have a result are kept, so a "
		"comparison can be "
		"interrupted and goes on. docs/compare.md has the keys of a study.",
	.examples = "tilefly compare equal-cost-1k --bounds\n"
		    "tilefly compare equal-cost-1k\n"
		    "tilefly compare mine.cfg -j 2 --out results/mine\n"
		    "mpirun -n 2 tilefly compare equal-cost-10k --json\n",
	.status = "0 done, 1 if nothing could be simulated, or a run was killed or could not be written, 2 bad usage "
		  "or configuration, 130 interrupted (what is "
		  "finished is "
		  "kept, and the tables are of that).",
	.bit = XP_CMD_COMPARE,
	.min_operands = 1,
	.max_operands = 1,
	.word = XP_WORD_STUDY,
	.ranks = XP_STARTS,
	.run = run,
};

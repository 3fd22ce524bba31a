/* experiments/commands/compare.c - `tilefly compare`: determines which network is the best for a given cost, number of
 * endpoints, or switch radix. */
#include "experiments/compare/compare.h"
#include "experiments/commands/command.h"
#include "experiments/commands/registry.h"
#include "experiments/commands/studies.h"
#include "experiments/config/message.h"

#include <stdio.h>
#include <stdlib.h>

static void print_comparison(const struct xp_compare *c, const struct xp_options *o)
{
	if (o->json) {
		struct base_json j = base_json_stream(stdout);
		xp_compare_json(c, &j);
	} else if (!o->quiet) {
		xp_compare_text(c);
		if (!o->bounds)
			xp_study_results(&c->runs);
	}
}

static int compare(void *study, const struct xp_options *o, struct base_errors *errors)
{
	struct xp_compare *c = study;
	char *path = xp_study_file(o, &c->runs, errors);
	int status = XP_USAGE;
	if (path && !xp_open_registry(&c->runs.registry, o, errors) && !xp_compare_prepare(c, path, errors) &&
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
	print_comparison(c, o);
	if (!xp_study_unfinished(status, c->lost) && status == XP_FAILURE)
		xp_message("no run produced a result");
	return status;
}

static int run_compare(const struct xp_options *o)
{
	struct xp_compare c = { 0 };
	int status = xp_study_command(o, &c.runs, compare, &c);
	xp_compare_free(&c);
	return status;
}

const struct xp_command xp_command_compare = {
	.name = "compare",
	.summary = "compare networks of equal cost, size or switch radix by simulation",
	.operands = "STUDY",
	.text =
	    "Sizes each family of a study to the same cost (or number of endpoints, throughput, switch ports, watts, "
	    "cables), computes upper bounds of what each routing can carry on it (by closed forms and assignment "
	    "problems), simulates the candidates that may still be the best with short runs, and with long runs those "
	    "whose confidence intervals overlap with the best. It ranks designs (network, routing, congestion control) "
	    "by delivered Gb/s per unit of what was made equal, with confidence intervals; designs whose intervals "
	    "overlap share a rank. Networks that were excluded are listed with the reason.\n\nThe choice of runs "
	    "depends on results only, never on wall time: the digest over all runs is reproducible on any number of "
	    "cores. STUDY is a file or the name of a shipped study. The results directory gets compare.json, "
	    "ranking.csv, and points/NAME.jsonl.gz, one for each run. Existing results are reused, so rerunning the "
	    "command resumes an interrupted comparison. docs/compare.md documents the keys of a study.",
	.examples = "tilefly compare equal-cost-1k --bounds\n"
		    "tilefly compare equal-cost-1k\n"
		    "tilefly compare mine.cfg -j 2 --out results/mine\n"
		    "mpirun -n 2 tilefly compare equal-cost-10k --json\n",
	.status = "0 done, 1 if no run produced a result, a run was killed or a file could not be written, 2 wrong "
		  "usage or configuration, 130 interrupted (finished runs are kept, and the tables cover them).",
	.bit = XP_CMD_COMPARE,
	.min_operands = 1,
	.max_operands = 1,
	.word = XP_WORD_STUDY,
	.ranks = XP_STARTS,
	.run = run_compare,
};

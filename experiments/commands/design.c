/* experiments/commands/design.c - `tilefly design`: switch, topology and routing chosen together. */
#include "experiments/design/design.h"
#include "experiments/commands/command.h"
#include "experiments/commands/registry.h"
#include "experiments/commands/studies.h"

#include <stdio.h>
#include <stdlib.h>

static int check_sets(const struct xp_search_space *s, const struct xp_options *o, struct base_errors *errors)
{
	for (size_t i = 0; i < o->nsets; i++)
		for (size_t v = 0; v < s->nvariables; v++)
			if (xp_paths_overlap(o->sets[i], s->variable[v].path))
				return base_errorf(errors, NULL,
				                   "--set %s: %s is a variable of the study and cannot be set",
				                   o->sets[i], s->variable[v].path);
	return 0;
}

static void print_design(const struct xp_search_space *s, const struct xp_options *o)
{
	if (o->json) {
		struct base_json j = base_json_stream(stdout);
		xp_space_json(s, &j);
	} else if (!o->quiet) {
		xp_space_text(s);
		if (!o->bounds)
			xp_study_results(&s->c.runs);
	}
}

static int design(void *study, const struct xp_options *o, struct base_errors *errors)
{
	struct xp_search_space *s = study;
	int status = XP_USAGE;
	char *path = xp_study_file(o, &s->c.runs, errors);
	if (path && !xp_open_registry(&s->c.runs.registry, o, errors) && !xp_space_read(s, path, errors) &&
	    !check_sets(s, o, errors) && !xp_space_list(s, errors) && !xp_space_admit(s, errors) && !errors->errors)
		status = o->bounds ? XP_OK : xp_space_run(s, errors);
	free(path);
	if (errors->errors)
		return status;
	print_design(s, o);
	xp_study_unfinished(status, s->c.lost);
	return status;
}

static int run_design(const struct xp_options *o)
{
	struct xp_search_space s = { 0 };
	int status = xp_study_command(o, &s.c.runs, design, &s);
	xp_space_free(&s);
	return status;
}

const struct xp_command xp_command_design = {
	.name = "design",
	.summary = "search switch, topology and routing together for the Pareto front",
	.operands = "STUDY",
	.text = "Generates a candidate for every combination of values of a study's variables (or for a sample of "
		"them), rejects invalid configurations and those that violate a limit, with the reason, computes "
		"bounds of the others by closed forms, and simulates them with short runs, repeatedly the more "
		"promising half of the waiting candidates, then with longer runs where the Pareto front is not clear. "
		"Points of the front are measured by additional runs whose seeds were not used to select them.\n\nThe "
		"choice of runs depends on results only, never on wall time: the digest over all runs is reproducible "
		"on any number of cores. STUDY is a file or the name of a shipped study. The results directory gets "
		"design.json, front.csv, configs/NAME.cfg for every point of the front, and points/NAME.jsonl.gz, one "
		"for each run. Existing results are reused, so rerunning the command resumes an interrupted search. "
		"docs/design.md documents the keys of a study.",
	.examples = "tilefly design design-64-port --bounds\n"
		    "tilefly design mine.cfg -j 2 --out results/mine\n"
		    "mpirun -n 2 tilefly design mine.cfg --json\n",
	.status = "0 done, 1 if the search failed, a run was killed or a file could not be written, 2 wrong usage or "
		  "configuration, 130 interrupted (finished runs are kept).",
	.bit = XP_CMD_DESIGN,
	.min_operands = 1,
	.max_operands = 1,
	.word = XP_WORD_STUDY,
	.ranks = XP_STARTS,
	.run = run_design,
};

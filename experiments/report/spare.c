/* experiments/report/spare.c - see spare.h. Files are compared by device and inode, since one file may have several
 * names. */
#include "experiments/report/spare.h"

#include "experiments/config/message.h"
#include "experiments/results/target.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

/* Is it one of those in a folder inside that of the results? What else lies there is not of it. */
static bool is_inside(const struct stat *st, const char *folder, const char *name, const char *suffix)
{
	char path[8192];
	bool found = false;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	DIR *files = opendir(path);
	struct dirent *entry;
	while (!found && files && (entry = readdir(files))) {
		snprintf(path, sizeof path, "%s/%s/%s", folder, name, entry->d_name);
		found = strstr(entry->d_name, suffix) && xp_target_is(st, path);
	}
	if (files)
		closedir(files);
	return found;
}

/* Is it one of the files of a folder of results? A report that lies beside them is none. */
static bool is_of_sweep(const struct stat *st, const char *folder)
{
	static const char *const names[] = { "experiment.cfg", "base.cfg",       "sweep.json",   "summary.csv",
		                             "summary.jsonl",  "saturation.csv", "compare.json", "ranking.csv",
		                             "design.json",    "front.csv",      ".lock" };
	char path[8192];
	bool found = false;
	for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		found = xp_target_is(st, path);
	}
	return found || is_inside(st, folder, "points", ".jsonl") || is_inside(st, folder, "configs", ".cfg") ||
	       is_inside(st, folder, "permutations", ".txt");
}

int xp_spare_inputs(struct xp_report *report, const char *path)
{
	struct stat st;
	if (stat(path, &st))
		return 0;
	for (size_t i = 0; i < report->ninputs; i++) {
		const char *input = report->input[i];
		bool itself = xp_target_is(&st, input);
		if (!itself && !is_of_sweep(&st, input))
			continue;
		report->refused = true;
		return xp_error_at(report->errors, path, "%s (%s), and would be overwritten",
		                   itself ? "is an input file of the report" : "is a file of the results directory",
		                   input);
	}
	return 0;
}

/* experiments/report/spare.c - see spare.h. Files are compared by device and inode: one may have several names. */
#include "experiments/report/spare.h"

#include "experiments/config/message.h"
#include "experiments/results/target.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

/* Is it one of the files of a folder of results? A report that lies beside them is none. */
static bool is_of_sweep(const struct stat *st, const char *folder)
{
	static const char *const names[] = { "experiment.cfg", "base.cfg",    "summary.jsonl", "compare.json",
		                             "ranking.csv",    "design.json", "front.csv" };
	char path[8192];
	bool found = false;
	for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		found = xp_target_is(st, path);
	}
	snprintf(path, sizeof path, "%s/points", folder);
	DIR *points = opendir(path);
	struct dirent *entry;
	while (!found && points && (entry = readdir(points))) {
		const char *suffix = strstr(entry->d_name, ".jsonl");
		snprintf(path, sizeof path, "%s/points/%s", folder, entry->d_name);
		found = suffix && xp_target_is(st, path);
	}
	if (points)
		closedir(points);
	return found;
}

int xp_spare_inputs(struct xp_report *report, const char *path)
{
	struct stat st;
	if (stat(path, &st))
		return 0;
	for (size_t i = 0; i < report->ninputs; i++) {
		if (!xp_target_is(&st, report->input[i]) && !is_of_sweep(&st, report->input[i]))
			continue;
		report->refused = true;
		return xp_error_at(report->errors, path, "is what the report reads (%s), and would be written over",
		                   report->input[i]);
	}
	return 0;
}

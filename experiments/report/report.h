/* experiments/report/report.h - one self-contained HTML page from results: no script, nothing fetched from elsewhere.
 */
#ifndef EXPERIMENTS_REPORT_REPORT_H
#define EXPERIMENTS_REPORT_REPORT_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* The files of the temporary folder. */
enum { XP_BODY, XP_MAIN, XP_GNUPLOT_LOG, XP_PAGE_SVG, XP_SVG, XP_PNG, XP_TEMPORARIES };
extern const char *const xp_temporaries[XP_TEMPORARIES];

struct xp_report {
	FILE *page;
	const char *svg, *png; /* folders that get the figures too; NULL: none */
	char *temp;            /* folder for gnuplot's files */
	unsigned figures;
	json_t *names; /* of the figures so far, with how many had each; NULL before the first */
	struct base_errors *errors;
	char *const *input; /* files and folders that it is made from */
	size_t ninputs;
	bool refused; /* some file is no log that a run has written, or would be written over */
};

/* A section of the page for a sweep's folder, or for one result file. Damage is marked in the page; -1 with an error if
 * there is nothing to show. */
int xp_report_sweep(struct xp_report *report, const char *folder);
int xp_report_run(struct xp_report *report, const char *path);

#endif

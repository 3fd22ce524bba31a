/* experiments/report/spare.h - prevents a report from overwriting its own inputs. */
#ifndef EXPERIMENTS_REPORT_SPARE_H
#define EXPERIMENTS_REPORT_SPARE_H

#include "experiments/report/report.h"

/* Checks that writing the file `path` replaces none of the files that the report is made from. Returns 0, or -1 with an
 * error, in which case no report is written. */
int xp_spare_inputs(struct xp_report *report, const char *path);

#endif

/* experiments/report/spare.h - prevents a report from overwriting its own inputs. */
#ifndef EXPERIMENTS_REPORT_SPARE_H
#define EXPERIMENTS_REPORT_SPARE_H

#include "experiments/report/report.h"

/* Returns 0 if writing `path` replaces no input of the report, else -1 with an error, and the report is rejected. */
int xp_spare_inputs(struct xp_report *report, const char *path);

#endif

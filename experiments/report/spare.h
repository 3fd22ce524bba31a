/* experiments/report/spare.h - what a report reads is not written over. */
#ifndef EXPERIMENTS_REPORT_SPARE_H
#define EXPERIMENTS_REPORT_SPARE_H

#include "experiments/report/report.h"

/* 0 if writing `path` replaces nothing that the report reads; else -1 with an error, and the report is refused. */
int xp_spare_inputs(struct xp_report *report, const char *path);

#endif

/* experiments/report/saturation.h - where the series of a sweep saturate. */
#ifndef EXPERIMENTS_REPORT_SATURATION_H
#define EXPERIMENTS_REPORT_SATURATION_H

#include "experiments/report/report.h"
#include "experiments/sweep/experiment.h"

/* The table with one row for every series: the largest x known to be stationary below the least that is not, and that.
 * table: xp_saturation(). */
void xp_page_saturation(struct xp_report *report, const struct xp_experiment *e, const json_t *table);

#endif

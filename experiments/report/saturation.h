/* experiments/report/saturation.h - saturation of the series of a sweep. */
#ifndef EXPERIMENTS_REPORT_SATURATION_H
#define EXPERIMENTS_REPORT_SATURATION_H

#include "experiments/report/report.h"
#include "experiments/sweep/experiment.h"

/* Writes a table with one row per series: the largest x known to be stationary below the smallest that is not, and that
 * smallest one. table: xp_saturation(). */
void xp_page_saturation(struct xp_report *report, const struct xp_experiment *e, const json_t *table);

#endif

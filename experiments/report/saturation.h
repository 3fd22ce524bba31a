/* experiments/report/saturation.h - the table of the saturation loads of a sweep's series. */
#ifndef EXPERIMENTS_REPORT_SATURATION_H
#define EXPERIMENTS_REPORT_SATURATION_H

#include "experiments/report/report.h"
#include "experiments/sweep/experiment.h"

/* Writes a table with one row per series of a sweep. A row contains the smallest load at which the network is
 * saturated, and the largest load below it at which the network is stationary. `table` is the result of
 * xp_saturation(). */
void xp_page_saturation(struct xp_report *report, const struct xp_experiment *e, const json_t *table);

#endif

/* experiments/report/saturation.h - where the series of a sweep saturate. */
#ifndef EXPERIMENTS_REPORT_SATURATION_H
#define EXPERIMENTS_REPORT_SATURATION_H

#include "experiments/sweep/experiment.h"

#include <stdio.h>

/* A table with one row for every series: the largest x known to be stationary below the least that is not, and that. */
void xp_page_saturation(FILE *page, const struct xp_experiment *e, const json_t *rows);

#endif

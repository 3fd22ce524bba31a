/* experiments/report/overlay.h - several sweeps, or several runs, in one figure. */
#ifndef EXPERIMENTS_REPORT_OVERLAY_H
#define EXPERIMENTS_REPORT_OVERLAY_H

#include "experiments/report/report.h"

/* Latency distributions of at least two runs in one figure, and their loads and latencies in a table. */
void xp_overlay_runs(struct xp_report *report, char *const *paths, size_t n);

#endif

/* experiments/report/overlay.h - several sweeps, or several runs, in one figure. */
#ifndef EXPERIMENTS_REPORT_OVERLAY_H
#define EXPERIMENTS_REPORT_OVERLAY_H

#include "experiments/report/report.h"

/* Accepted load and latency of at least two sweeps that have the same x axis, in shared figures; sweeps with another x
 * axis are left out and named. Folders that cannot be read are
 * left to their own section to report. */
void xp_overlay_sweeps(struct xp_report *report, char *const *folders, size_t n);
/* Latency distributions of at least two runs in one figure, and their loads and latencies in a table. */
void xp_overlay_runs(struct xp_report *report, char *const *paths, size_t n);

#endif

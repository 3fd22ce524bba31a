/* experiments/report/overlay.h - draws figures in which several sweeps, or several runs, are shown together. */
#ifndef EXPERIMENTS_REPORT_OVERLAY_H
#define EXPERIMENTS_REPORT_OVERLAY_H

#include "experiments/report/report.h"

/* Writes one figure with the latency distributions of several runs, and a table of their loads and latencies. Requires
 * at least two runs. */
void xp_overlay_runs(struct xp_report *report, char *const *paths, size_t n);

#endif

/* experiments/report/overlay.h - figures that show several sweeps, or several runs, together. */
#ifndef EXPERIMENTS_REPORT_OVERLAY_H
#define EXPERIMENTS_REPORT_OVERLAY_H

#include "experiments/report/report.h"

/* Latency distributions of at least two runs in one figure, and a table of their loads and latencies. */
void xp_overlay_runs(struct xp_report *report, char *const *paths, size_t n);

#endif

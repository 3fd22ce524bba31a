/* experiments/report/bench.h - the section of a benchmark's file, as bench/run.sh writes it. */
#ifndef EXPERIMENTS_REPORT_BENCH_H
#define EXPERIMENTS_REPORT_BENCH_H

#include "experiments/report/report.h"

/* Does the file begin as the benchmarks' do, with a record "machine"? */
bool xp_is_bench(const char *path);
/* As xp_report_run. */
int xp_report_bench(struct xp_report *report, const char *path);

#endif

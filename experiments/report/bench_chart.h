/* experiments/report/bench_chart.h - what a benchmark's section draws; bench.c reads it. */
#ifndef EXPERIMENTS_REPORT_BENCH_CHART_H
#define EXPERIMENTS_REPORT_BENCH_CHART_H

#include "experiments/report/report.h"

#include <stddef.h>

#define XP_BENCH_NAMES 256 /* names, modes: more are left out */

struct xp_names {
	const char *v[XP_BENCH_NAMES]; /* they belong to records */
	size_t n;
};

struct xp_bench {
	struct xp_report *report;
	json_t *machine;
	json_t *strong, *weak, *instructions;   /* arrays of records */
	double ghz[2], memory_ns[2], available; /* least and most; the least share of a core */
	size_t calibrations;
};

struct xp_phase {
	const char *name, *colour;
};
#define XP_PHASES 9
extern const struct xp_phase xp_phases[XP_PHASES];

/* The values of a member of the cases, in the order in which they first come. */
void xp_names_of(const json_t *cases, const char *member, struct xp_names *out);
size_t xp_name_index(struct xp_names *names, const char *name);
/* Work of a case's best run: packet-hops, or events. */
double xp_bench_work(const json_t *c);

/* The charts of the interactive page; name begins their files' names. */
void xp_bench_chart_rates(const struct xp_bench *b, const char *name, const char *caption);
void xp_bench_chart_phases(const struct xp_bench *b, const json_t *cases, const char *name, const char *caption);
void xp_bench_chart_weak(const struct xp_bench *b, const char *name, const char *caption);

#endif

/* experiments/report/run.h - the data drawn in the section of a run, accumulated in one pass over the run's file.
 *
 * Heat maps are accumulated in at most XP_GRID_ROWS x XP_GRID_COLUMNS cells, so a result of a million endpoints takes
 * no more memory than a small one. */
#ifndef EXPERIMENTS_REPORT_RUN_H
#define EXPERIMENTS_REPORT_RUN_H

#include "experiments/report/report.h"
#include "experiments/report/switch.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define XP_GRID_ROWS 400
#define XP_GRID_COLUMNS 512
#define XP_RUN_VCS 8
#define XP_RUN_LINK_CLASSES 8

/* A heat map whose cells show means: y is a switch or a range of switches, x is a port or a time bin. */
struct xp_grid {
	double *sum, *count; /* XP_GRID_ROWS x XP_GRID_COLUMNS, made at first use */
	size_t rows, columns;
};

struct xp_link_class {
	char name[32];
	double ports, packets, utilization, most;
};

struct xp_application {         /* of records; its rows are in order of ranks */
	char *name;             /* of the job */
	struct xp_grid time[3]; /* shares of computing, sending, waiting; x a bin, y a row of ranks */
	double bin_ns, ranks, per_row;
	size_t rows;
	json_t *path; /* records */
};

struct xp_run_page {
	struct xp_report *report;
	const char *path;
	json_t *manifest, *summary, *histograms, *timeline; /* the latter two are arrays of records */
	double switches;
	struct xp_grid vc[XP_RUN_VCS], activity[4];
	double activity_bin_ns;
	size_t activity_bins;
	struct xp_link_class link[XP_RUN_LINK_CLASSES];
	size_t nlinks;
	struct xp_inside inside;
	struct xp_application *application;
	size_t napplications;
	bool whole;
};

extern const char *const xp_activity_names[4];

/* Returns the number of switches that share one row of a heat map. */
static inline double xp_run_per_row(const struct xp_run_page *run)
{
	return run->switches > XP_GRID_ROWS ? ceil(run->switches / XP_GRID_ROWS) : 1;
}

void xp_grid_add(struct xp_grid *g, size_t row, size_t column, double value);

/* xp_ranks_take() and xp_path_take() accumulate the records `rank_timeline` and `path` of a run. xp_ranks_section()
 * writes the tables of its applications. ranks.c */
void xp_ranks_take(struct xp_run_page *run, json_t *record);
void xp_path_take(struct xp_run_page *run, json_t *record);
void xp_ranks_section(const struct xp_run_page *run);
void xp_ranks_free(struct xp_run_page *run);

/* Returns the records from which web/run.js draws the figures of a run. The names of the figures begin with `name`.
 * Owned by the caller. */
json_t *xp_run_records(const struct xp_run_page *run, const char *name);

#endif

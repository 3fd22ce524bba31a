/* experiments/report/comparison.h - the page's section for a results directory of `tilefly compare`: the ranking with
 * confidence intervals, excluded candidates, the networks, latency, failures of cables, and the effort. Everything
 * comes from compare.json; logs of runs are read only for drawings of networks. */
#ifndef EXPERIMENTS_REPORT_COMPARISON_H
#define EXPERIMENTS_REPORT_COMPARISON_H

#include "experiments/report/report.h"

#include <stddef.h>

/* The data of a comparison. A column is a kind of traffic with a message size. A series is a design (a network with a
 * routing and a congestion control) in one column. */
struct xp_comparison {
	struct xp_report *report;
	const char *folder;
	json_t *root;                     /* of compare.json */
	const json_t *networks, *designs; /* its lists */
	size_t columns;
	double per; /* units of what worth is counted by: 1000 of money */
};

/* The last stage of the search that a series reached. */
enum xp_reach { XP_REACH_FAILED, XP_REACH_BOUND, XP_REACH_DROPPED, XP_REACH_SHORT, XP_REACH_LONG, XP_REACHES };
extern const char *const xp_reach_names[XP_REACHES];

/* Returns whether the directory contains the results of a comparison. */
bool xp_is_comparison(const char *folder);
/* Writes the section of a comparison. Returns 0, or -1 with an error if compare.json cannot be read. */
int xp_report_comparison(struct xp_report *report, const char *folder);

/* --- between its files ------------------------------------------------------------------------------------ */

/* Returns the numbers of the designs, ordered by their rank in a column of the comparison; designs without a rank are
 * last. Owned by the caller. */
size_t *xp_comparison_order(const struct xp_comparison *c, size_t column);
const json_t *xp_comparison_series(const struct xp_comparison *c, size_t design, size_t column);
/* "hyperx-2d, minimal" */
const char *xp_comparison_name(const json_t *design, char out[300]);
/* "uniform, messages of 64KiB" */
const char *xp_comparison_column(const struct xp_comparison *c, size_t column, char out[300]);
/* Writes the name and unit of the quantity by which designs are ranked, such as "Gb/s delivered per 1,000 USD". */
const char *xp_comparison_unit(const struct xp_comparison *c, char out[200]);
/* Returns the k-th number of a member that is a list. NAN if the member or the number does not exist. */
double xp_nth(const json_t *object, const char *member, size_t k);
enum xp_reach xp_comparison_reach(const json_t *design, const json_t *series);
/* Returns the reason for which a series failed, or "" if it did not fail. */
const char *xp_comparison_failure(const json_t *design, const json_t *series);

/* comparison_table.c */
void xp_comparison_answer(const struct xp_comparison *c);
void xp_comparison_ranking(const struct xp_comparison *c, size_t column);
void xp_comparison_failed(const struct xp_comparison *c);
void xp_comparison_networks(const struct xp_comparison *c);
void xp_comparison_latency(const struct xp_comparison *c);
void xp_comparison_resilience(const struct xp_comparison *c);
void xp_comparison_spent(const struct xp_comparison *c);

#endif

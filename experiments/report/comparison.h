/* experiments/report/comparison.h - the section of the folder that `tilefly compare` writes: who is first, with
 * intervals; what failed; the networks, latency, failures of cables; and what was spent on what. All of it from
 * compare.json; the logs of runs are read for the drawings of networks alone. */
#ifndef EXPERIMENTS_REPORT_COMPARISON_H
#define EXPERIMENTS_REPORT_COMPARISON_H

#include "experiments/report/report.h"

#include <stddef.h>

/* A column is a kind of traffic with a size of messages; a series is a design (a network with a routing and a
 * congestion control) in a column. */
struct xp_comparison {
	struct xp_report *report;
	const char *folder;
	json_t *root;                     /* of compare.json */
	const json_t *networks, *designs; /* its lists */
	size_t columns;
	double per; /* units of what worth is counted by: 1000 of money */
};

/* How far a series was taken. */
enum xp_reach { XP_REACH_FAILED, XP_REACH_BOUND, XP_REACH_DROPPED, XP_REACH_SHORT, XP_REACH_LONG, XP_REACHES };
extern const char *const xp_reach_names[XP_REACHES];

/* Is it a folder with a comparison? */
bool xp_is_comparison(const char *folder);
/* The section. -1 with an error if compare.json cannot be read. */
int xp_report_comparison(struct xp_report *report, const char *folder);

/* --- between its files ------------------------------------------------------------------------------------ */

/* Numbers of designs in the order of their places in a column, those that have none last; the caller's. */
size_t *xp_comparison_order(const struct xp_comparison *c, size_t column);
const json_t *xp_comparison_series(const struct xp_comparison *c, size_t design, size_t column);
/* "hyperx-2d, minimal" */
const char *xp_comparison_name(const json_t *design, char out[300]);
/* "uniform, messages of 64KiB" */
const char *xp_comparison_column(const struct xp_comparison *c, size_t column, char out[300]);
/* "Gb/s delivered per 1,000 USD" */
const char *xp_comparison_unit(const struct xp_comparison *c, char out[200]);
/* The k-th number of a list that is a member; NAN. */
double xp_nth(const json_t *object, const char *member, size_t k);
enum xp_reach xp_comparison_reach(const json_t *design, const json_t *series);
/* Why a series failed, "" if it did not. */
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

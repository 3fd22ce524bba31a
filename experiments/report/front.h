/* experiments/report/front.h - the page's section for a results directory of `tilefly design`: the Pareto front with
 * confidence intervals, and which candidates were eliminated, at which step and why. Everything comes from design.json.
 */
#ifndef EXPERIMENTS_REPORT_FRONT_H
#define EXPERIMENTS_REPORT_FRONT_H

#include "experiments/report/report.h"

#include <stddef.h>

struct xp_front {
	struct xp_report *report;
	const char *folder;
	json_t *root;                          /* of design.json */
	const json_t *objectives, *candidates; /* its lists */
	json_t *varying;                       /* paths of variables that have two values or more */
};

/* Where a candidate left. */
enum xp_fate {
	XP_FATE_FRONT,
	XP_FATE_TIED,   /* not surely worse */
	XP_FATE_LONG,   /* long runs said so */
	XP_FATE_SHORT,  /* short runs did */
	XP_FATE_BOUNDS, /* never run */
	XP_FATE_REJECTED,
	XP_FATES
};
extern const char *const xp_fate_names[XP_FATES];

/* Returns whether the directory contains the results of a search for designs. */
bool xp_is_design(const char *folder);
/* Writes the section of a search for designs. Returns 0, or -1 with an error if design.json cannot be read. */
int xp_report_design(struct xp_report *report, const char *folder);

/* --- between its files ------------------------------------------------------------------------------------ */

enum xp_fate xp_fate_of(const json_t *candidate);
/* Copies the number at the beginning of a candidate's name, such as "c012", to out, and returns out. */
const char *xp_candidate_number(const json_t *candidate, char out[64]);
/* Returns one end of the interval of an objective of a candidate: the lower end for `end` 0, the upper one for 1. NAN
 * if it is not known. */
double xp_candidate_end(const json_t *candidate, const char *objective, size_t end);
/* Writes the title of an axis or column for an objective, such as "cost of an endpoint", and its unit, such as "USD".
 */
void xp_objective_title(const struct xp_front *f, const json_t *objective, char title[120], char unit[64]);

/* front_table.c */
void xp_front_table(const struct xp_front *f, enum xp_fate fate);
void xp_front_eliminated(const struct xp_front *f);
void xp_front_spent(const struct xp_front *f);

#endif

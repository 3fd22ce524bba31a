/* experiments/report/front.h - the section of the folder that `tilefly design` writes: the Pareto front with intervals,
 * and what was eliminated, where and why. All of it from design.json. */
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

/* Is it a folder with a search for designs? */
bool xp_is_design(const char *folder);
/* The section. -1 with an error if design.json cannot be read. */
int xp_report_design(struct xp_report *report, const char *folder);

/* --- between its files ------------------------------------------------------------------------------------ */

enum xp_fate xp_fate_of(const json_t *candidate);
/* "c012", the number that begins its name. */
const char *xp_candidate_number(const json_t *candidate, char out[64]);
/* An end of the interval of an objective: 0 the low one, 1 the high one; NAN: not known. */
double xp_candidate_end(const json_t *candidate, const char *objective, size_t end);
/* An objective as an axis or a column: "cost of an endpoint" in "USD". */
void xp_objective_title(const struct xp_front *f, const json_t *objective, char title[120], char unit[64]);

/* front_table.c */
void xp_front_table(const struct xp_front *f, enum xp_fate fate);
void xp_front_eliminated(const struct xp_front *f);
void xp_front_spent(const struct xp_front *f);

#endif

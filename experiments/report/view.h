/* experiments/report/view.h - the page's section on a sweep: the experiment, the rows of its table, and the records
 * from which figures are drawn. */
#ifndef EXPERIMENTS_REPORT_VIEW_H
#define EXPERIMENTS_REPORT_VIEW_H

#include "experiments/report/report.h"
#include "experiments/sweep/experiment.h"
#include "experiments/sweep/table.h"

#include <stddef.h>

struct xp_view {
	struct xp_report *report;
	struct xp_experiment *e;
	const char *folder;
	json_t *rows;              /* array */
	json_t *saturation;        /* of a sweep that goes by it, else NULL: xp_saturation() */
	enum xp_duration duration; /* that rows have */
};

/* Returns the label of a row's value on an axis of the sweep; "" for axis -1, which means none. */
const char *xp_view_label(const struct xp_view *v, const json_t *row, ptrdiff_t axis);
/* Returns the records from which web/sweep.js draws the figures of a sweep; owned by the caller. */
json_t *xp_view_records(const struct xp_view *v);

#endif

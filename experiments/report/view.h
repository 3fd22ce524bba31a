/* experiments/report/view.h - a sweep's rows in the order of its figures. */
#ifndef EXPERIMENTS_REPORT_VIEW_H
#define EXPERIMENTS_REPORT_VIEW_H

#include "experiments/report/report.h"
#include "experiments/sweep/experiment.h"
#include "experiments/sweep/table.h"

#include <stddef.h>

struct xp_range {
	double low, high; /* of positive values */
};

/* The figures' order: one panel for each value of the first axis that is not x; in a panel, one series for each
 * combination of the others. A grid with one such axis has one panel and a series for each value. */
struct xp_view {
	struct xp_report *report;
	struct xp_experiment *e;
	const char *folder;
	json_t *rows;     /* array */
	json_t *panels;   /* array of labels on the panel axis, in order of appearance; [""] if there is no such axis */
	json_t *series;   /* array of names, in order of appearance */
	ptrdiff_t panel;  /* index of the panel axis, or -1 */
	bool unit;        /* x runs from 0 to 1 */
	size_t latencies; /* points whose latency is drawn */
	size_t saturated; /* points past saturation */
	enum xp_duration duration; /* that is drawn */
	struct xp_range x, accepted, latency, time;
};

/* Fills panels, series and ranges from the rows. */
void xp_view_find(struct xp_view *v);
void xp_view_free(struct xp_view *v);

/* The label of a row on an axis; "" for axis -1. */
const char *xp_view_label(const struct xp_view *v, const json_t *row, ptrdiff_t axis);
/* The labels that are neither x nor panel, joined. */
void xp_view_series_name(const struct xp_view *v, const json_t *row, char *out, size_t room);
bool xp_view_holds(const struct xp_view *v, const json_t *row, const char *panel, const char *series);
/* The x value nearest to the middle of the axis. */
double xp_view_middle(const struct xp_view *v);
/* The point's own file, for which out has room; its distribution of latency, NULL if there is none. */
json_t *xp_view_histogram(const struct xp_view *v, const json_t *row);

/* Are values far enough apart for a logarithmic axis? */
static inline bool xp_is_wide(struct xp_range r)
{
	return r.low > 0 && r.high >= 6 * r.low;
}

enum xp_quantity { XP_THROUGHPUT, XP_LATENCY, XP_TIME }; /* XP_TIME: v->duration */

void xp_view_chart(const struct xp_view *v, enum xp_quantity what, const char *name, const char *caption);
void xp_view_chart_distribution(const struct xp_view *v, const char *caption);

#endif

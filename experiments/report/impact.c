/* experiments/report/impact.c - the impact of other jobs on a job, as a table with coloured cells, see sweep/impact.h.
 * The values are text, so the heat map also works in print and with screen readers. */
#include "experiments/report/impact.h"
#include "experiments/report/page.h"
#include "experiments/results/reader.h"
#include "experiments/sweep/impact.h"
#include "experiments/sweep/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SHOWN 100.0 /* times as long; darker it does not get */
#define DARKEST 0.6      /* so that text stays readable on it, light or dark */

/* Columns are the points of the x axis, or where that has the job alone those of the last other axis. */
static size_t across(const struct xp_experiment *e)
{
	size_t a = e->x;
	if (a == e->impact_axis)
		a = e->naxes > 1 ? (a ? a - 1 : e->naxes - 1) : a;
	return a;
}

static void heat_cell(FILE *page, const json_t *row)
{
	double impact = xp_number(row, "impact", NULL);
	bool ran = xp_row_ran(row);
	if (!isfinite(impact)) {
		fprintf(page, "<td%s>%s</td>", ran ? " style=\"background:rgba(213,94,0,0.6)\"" : "",
		        ran ? "none ended" : "–");
		return;
	}
	double part = log(impact > 1 ? impact : 1) / log(MOST_SHOWN);
	fprintf(page, "<td style=\"background:rgba(213,94,0,%.2f)\">%.*f</td>", DARKEST * fmin(1, part),
	        impact < 9.995   ? 2
	        : impact < 99.95 ? 1
	                         : 0,
	        impact);
}

/* The row with these labels but for that on axis `a`, which is `label`; NULL: there is none. */
static const json_t *row_at(const struct xp_view *v, const json_t *like, size_t a, const char *label)
{
	size_t i;
	json_t *row;
	json_array_foreach (v->rows, i, row) {
		size_t k = 0;
		while (k < v->e->naxes && !strcmp(xp_view_label(v, row, (ptrdiff_t)k),
		                                  k == a ? label : xp_view_label(v, like, (ptrdiff_t)k)))
			k++;
		if (k == v->e->naxes)
			return row;
	}
	return NULL;
}

/* Is it the first of the rows that differ from it on axis `a` only? */
static bool begins_line(const struct xp_view *v, const json_t *row, size_t a)
{
	const struct xp_axis *axis = &v->e->axis[a];
	for (size_t i = 0; i < axis->n; i++) {
		const json_t *first = row_at(v, row, a, axis->v[i].label);
		if (first)
			return first == row;
	}
	return true;
}

void xp_impact_write(const struct xp_view *v)
{
	const struct xp_experiment *e = v->e;
	FILE *page = v->report->page;
	size_t a = across(e), i;
	json_t *row;
	if (!e->impact_job)
		return;
	fputs("<h3>Impact on ", page);
	xp_page_text(page, e->impact_job);
	fputs("</h3>\n<p class=\"soft\">How many times as long its iterations take on average, or all of an "
	      "application, as ",
	      page);
	if (xp_impact_is_own(e)) {
		fputs("in a run of it alone", page);
	} else {
		fputs("where ", page);
		xp_page_text(page, e->axis[e->impact_axis].name);
		fputs(" is “", page);
		xp_page_text(page, e->impact_alone);
		fputs("”", page);
	}
	fputs(". The darker, the longer, up to a hundred times.</p>\n<div class=\"scroll\"><table id=\"impact\">\n<tr>",
	      page);
	for (size_t k = 0; k < e->naxes; k++)
		if (k != a)
			xp_page_head(v->report, NULL, e->axis[k].name, true);
	for (size_t k = 0; k < e->axis[a].n; k++)
		if (a != e->impact_axis || strcmp(e->axis[a].v[k].label, e->impact_alone) != 0)
			xp_page_head(v->report, NULL, e->axis[a].v[k].label, false);
	fputs("</tr>\n", page);
	json_array_foreach (v->rows, i, row) {
		if ((a != e->impact_axis && xp_impact_is_alone(e, row)) || !begins_line(v, row, a))
			continue;
		fputs("<tr>", page);
		for (size_t k = 0; k < e->naxes; k++)
			if (k != a)
				xp_page_cell(page, xp_view_label(v, row, (ptrdiff_t)k));
		for (size_t k = 0; k < e->axis[a].n; k++)
			if (a != e->impact_axis || strcmp(e->axis[a].v[k].label, e->impact_alone) != 0)
				heat_cell(page, row_at(v, row, a, e->axis[a].v[k].label));
		fputs("</tr>\n", page);
	}
	fputs("</table></div>\n", page);
}

/* experiments/report/saturation.c - see saturation.h */
#include "experiments/report/saturation.h"
#include "experiments/report/chart.h"
#include "experiments/report/page.h"
#include "experiments/results/reader.h"
#include "experiments/sweep/plan.h"

#include <math.h>

/* The labels of a series, joined. */
static void name_of(const struct xp_experiment *e, const json_t *entry, char *out, size_t room)
{
	size_t n = 0;
	snprintf(out, room, "all");
	for (size_t a = 0; a < e->naxes && n < room; a++)
		if (a != e->x)
			n += (size_t)snprintf(out + n, room - n, "%s%s", n ? ", " : "",
			                      xp_text(json_object_get(entry, "labels"), e->axis[a].name));
}

static void draw(struct xp_report *report, const struct xp_experiment *e, const json_t *table)
{
	char caption[512], name[512];
	size_t i, n = 0;
	json_t *entry;
	snprintf(
	    caption, sizeof caption,
	    "Saturation: the largest %.200s at which every run was stationary; the bar's end reaches to the least at "
	    "which one was not.",
	    e->axis[e->x].title);
	json_t *figure = xp_charts("saturation", caption), *chart = xp_chart(figure, "bars", "");
	xp_chart_axis(chart, "x", e->axis[e->x].title, "", XP_AXIS_ZERO);
	xp_chart_axis(chart, "y", "", "", 0);
	xp_chart_interval(chart, "between");
	json_t *series = xp_chart_series(report, chart, "saturation", "saturation", "");
	json_array_foreach (table, i, entry) {
		double low = xp_number(entry, "low", NULL), high = xp_number(entry, "high", NULL);
		name_of(e, entry, name, sizeof name);
		if (isfinite(low))
			xp_series_point(series, (double)xp_chart_name(chart, "y", name), low, low, high);
		n += isfinite(low) ? 1 : 0;
	}
	if (n)
		xp_charts_write(report, figure);
	else
		json_decref(figure);
}

void xp_page_saturation(struct xp_report *report, const struct xp_experiment *e, const json_t *rows)
{
	json_t *table = xp_saturation(e, rows), *entry;
	FILE *page = report->page;
	size_t i;
	fputs("<h3>Saturation</h3>\n", page);
	draw(report, e, table);
	fputs("<div class=\"scroll\"><table class=\"sortable\">\n<tr>", page);
	for (size_t a = 0; a < e->naxes; a++)
		if (a != e->x)
			xp_page_head(report, NULL, e->axis[a].name, true);
	xp_page_head(report, "saturation.low", "stationary", false);
	xp_page_head(report, "saturation.high", "not stationary", false);
	fputs("</tr>\n", page);
	json_array_foreach (table, i, entry) {
		fputs("<tr>", page);
		for (size_t a = 0; a < e->naxes; a++) {
			if (a == e->x)
				continue;
			fputs("<td class=\"l\">", page);
			xp_page_text(page, xp_text(json_object_get(entry, "labels"), e->axis[a].name));
			fputs("</td>", page);
		}
		xp_page_number(page, xp_number(entry, "low", NULL), "%.6g");
		xp_page_number(page, xp_number(entry, "high", NULL), "%.6g");
		fputs("</tr>\n", page);
	}
	fputs("</table></div>\n<p class=\"soft\">The largest ", page);
	xp_page_text(page, e->axis[e->x].title);
	fputs(" at which every run was stationary, and the least at which one was not", page);
	fputs(e->choice == XP_FIND ? " or could not decide" : "", page);
	fputs(". Empty: there is none among the points.</p>\n", page);
	json_decref(table);
}

/* experiments/report/overlay.c - several sweeps in one figure; see overlay.h.
 *
 * A hue is a series (the labels that are neither x nor panel), a dash is a sweep: the same series of two sweeps are
 * distinguished by their dashes, and two sweeps without a series in common by hues as well. */
#include "experiments/report/overlay.h"

#include "base/format.h"
#include "base/memory.h"
#include "experiments/report/chart.h"
#include "experiments/report/page.h"
#include "experiments/report/read.h"
#include "experiments/results/reader.h"
#include "experiments/sweep/experiment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sweep {
	const char *name;
	struct xp_experiment e;
	json_t *rows;
};

struct overlay {
	struct xp_report *report;
	struct sweep *sweep;
	size_t n;
	const char *panel;       /* name of the axis that gives panels, "" for none */
	json_t *panels, *series; /* arrays of texts, in order of appearance */
};

enum what { ACCEPTED, MEAN, P99 };

/* --- the order of the figures ----------------------------------------------------------------------- */

static size_t add_once(json_t *texts, const char *text)
{
	size_t i;
	json_t *entry;
	json_array_foreach (texts, i, entry)
		if (!strcmp(json_string_value(entry), text))
			return i;
	json_array_append_new(texts, json_string(text));
	return i;
}

static bool has_axis(const struct xp_experiment *e, const char *name)
{
	for (size_t a = 0; a < e->naxes; a++)
		if (a != e->x && !strcmp(e->axis[a].name, name))
			return true;
	return false;
}

/* The first sweep's axis for panels, if all sweeps have it. */
static const char *panel_axis(const struct overlay *o)
{
	const struct xp_experiment *e = &o->sweep[0].e;
	const char *name = "";
	if (e->panels >= 0)
		name = e->axis[e->panels].name;
	for (size_t a = 0; !*name && e->naxes > 2 && a < e->naxes; a++)
		if (a != e->x)
			name = e->axis[a].name;
	for (size_t i = 0; i < o->n; i++)
		if (!has_axis(&o->sweep[i].e, name))
			return "";
	return name;
}

static void series_name(const struct overlay *o, const struct sweep *s, const json_t *row, char *out, size_t room)
{
	size_t n = 0;
	out[0] = 0;
	for (size_t a = 0; a < s->e.naxes && n < room; a++)
		if (a != s->e.x && strcmp(s->e.axis[a].name, o->panel) != 0)
			n += (size_t)snprintf(out + n, room - n, "%s%s", n ? ", " : "",
			                      xp_text(json_object_get(row, "labels"), s->e.axis[a].name));
}

static void find_order(struct overlay *o)
{
	o->panel = panel_axis(o);
	o->panels = json_array();
	o->series = json_array();
	for (size_t i = 0; i < o->n; i++) {
		size_t k;
		json_t *row;
		json_array_foreach (o->sweep[i].rows, k, row) {
			char name[512];
			series_name(o, &o->sweep[i], row, name, sizeof name);
			add_once(o->series, name);
			add_once(o->panels, xp_text(json_object_get(row, "labels"), o->panel));
		}
	}
}

/* --- drawing ---------------------------------------------------------------------------------------- */

/* NAN where nothing is drawn: no result, or a latency that is a lower bound or past saturation. */
static double value_of(const json_t *row, enum what what)
{
	if (what == ACCEPTED)
		return xp_number(row, "accepted_load", NULL);
	if (xp_latency_worth(row) != XP_LATENCY_KNOWN)
		return NAN;
	return xp_number(row, what == MEAN ? "latency_mean_ns" : "latency_p99_ns", NULL);
}

/* Least and largest value of a figure, which its panels share. */
static bool find_range(const struct overlay *o, enum what what, double *low, double *high)
{
	*low = INFINITY;
	*high = -INFINITY;
	for (size_t i = 0; i < o->n; i++) {
		size_t k;
		json_t *row;
		json_array_foreach (o->sweep[i].rows, k, row) {
			double y = value_of(row, what);
			if (y > 0) {
				*low = fmin(*low, y);
				*high = fmax(*high, y);
			}
		}
	}
	return isfinite(*low);
}

static void chart_line(const struct overlay *o, json_t *chart, enum what what, size_t panel, size_t sweep,
                       size_t series)
{
	const struct sweep *s = &o->sweep[sweep];
	const char *wanted = json_string_value(json_array_get(o->series, series));
	bool own = json_array_size(o->series) == 1;
	char title[1100], name[512];
	size_t i;
	json_t *row;
	snprintf(title, sizeof title, "%s%s%s", s->name, *wanted ? ": " : "", wanted);
	json_t *line = xp_chart_series(o->report, chart, own ? s->name : wanted, title, "line");
	xp_series_dash(line, (unsigned)sweep);
	xp_series_mark(line, (unsigned)sweep);
	json_array_foreach (s->rows, i, row) {
		series_name(o, s, row, name, sizeof name);
		const char *label = xp_text(json_object_get(row, "labels"), o->panel);
		if (!strcmp(name, wanted) && !strcmp(label, json_string_value(json_array_get(o->panels, panel))))
			xp_series_point(line, xp_row_x(&s->e, row), value_of(row, what), NAN, NAN);
	}
	if (!json_array_size(json_object_get(line, "points")))
		json_array_remove(json_object_get(chart, "series"),
		                  json_array_size(json_object_get(chart, "series")) - 1);
}

static void draw(const struct overlay *o, enum what what, const char *name, const char *caption)
{
	static const char *const titles[] = { "accepted load (of injection bandwidth)", "mean packet latency",
		                              "99th percentile of packet latency" };
	const struct xp_experiment *e = &o->sweep[0].e;
	double low, high;
	if (!find_range(o, what, &low, &high))
		return;
	json_t *figure = xp_charts(name, caption);
	for (size_t p = 0; p < json_array_size(o->panels); p++) {
		json_t *panel = xp_chart(figure, "lines", json_string_value(json_array_get(o->panels, p)));
		xp_chart_axis(panel, "x", e->axis[e->x].title, "", 0);
		xp_chart_axis(panel, "y", titles[what], what == ACCEPTED ? "" : "ns",
		              what != ACCEPTED && high >= 6 * low ? XP_AXIS_LOG : XP_AXIS_ZERO);
		for (size_t i = 0; i < o->n * json_array_size(o->series); i++)
			chart_line(o, panel, what, p, i / json_array_size(o->series), i % json_array_size(o->series));
	}
	xp_charts_write(o->report, figure);
}

/* --- the section ------------------------------------------------------------------------------------ */

static bool read_sweep(struct sweep *s, const char *folder)
{
	char path[8192];
	struct base_errors errors = { 0 }; /* the sweep's own section reports them */
	snprintf(path, sizeof path, "%s/experiment.cfg", folder);
	bool good = !xp_experiment_read(&s->e, path, &errors) && (s->rows = xp_read_rows(folder, &errors));
	base_errors_free(&errors);
	s->name = xp_last_part(folder);
	return good;
}

static void free_sweep(struct sweep *s)
{
	json_decref(s->rows);
	xp_experiment_free(&s->e);
	*s = (struct sweep){ 0 };
}

/* Whole paths where last parts are the same. */
static void tell_apart(struct overlay *o, char *const *folders)
{
	bool same = false;
	for (size_t i = 0; i < o->n; i++)
		for (size_t k = 0; k < i; k++)
			same |= !strcmp(o->sweep[i].name, o->sweep[k].name);
	for (size_t i = 0; same && i < o->n; i++)
		o->sweep[i].name = folders[i];
}

static void write_section(struct overlay *o)
{
	FILE *page = o->report->page;
	xp_page_section(o->report, "Sweeps compared");
	fputs("<p>", page);
	for (size_t i = 0; i < o->n; i++) {
		fputs(i ? "; " : "", page);
		xp_page_text(page, o->sweep[i].name);
		fputs(": ", page);
		xp_page_text(page, o->sweep[i].e.ground.title);
	}
	fputs("</p>\n", page);
	find_order(o);
	draw(o, ACCEPTED, "compared-accepted-load",
	     "Accepted load of several sweeps. A colour is a series, a dash pattern and a mark are a sweep.");
	draw(o, MEAN, "compared-latency",
	     "Mean packet latency of several sweeps, from creation to the last byte's arrival. Points past saturation "
	     "and those whose latency is only a lower bound are left out.");
	draw(o, P99, "compared-latency-p99",
	     "99th percentile of packet latency of several sweeps. Points past saturation and those whose latency is "
	     "only a lower bound are left out.");
	json_decref(o->panels);
	json_decref(o->series);
}

void xp_overlay_sweeps(struct xp_report *report, char *const *folders, size_t n)
{
	struct sweep *all = base_calloc(n + 1, sizeof *all);
	char **used = base_calloc(n + 1, sizeof *used);
	struct overlay o = { .report = report, .sweep = all };
	for (size_t i = 0; i < n; i++) {
		struct sweep *s = &all[o.n];
		if (!read_sweep(s, folders[i])) {
			free_sweep(s);
			continue;
		}
		if (strcmp(s->e.axis[s->e.x].name, all[0].e.axis[all[0].e.x].name) != 0) {
			fputs("<p class=\"soft\">Not compared: ", report->page);
			xp_page_text(report->page, s->name);
			fputs(", which has another horizontal axis.</p>\n", report->page);
			free_sweep(s);
			continue;
		}
		used[o.n++] = folders[i];
	}
	tell_apart(&o, used);
	if (o.n > 1)
		write_section(&o);
	for (size_t i = 0; i < o.n; i++)
		free_sweep(&all[i]);
	free(used);
	free(all);
}

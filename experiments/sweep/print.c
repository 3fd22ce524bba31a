/* experiments/sweep/print.c - the summary table for people. */
#include "experiments/results/parts.h"
#include "experiments/results/reader.h"
#include "experiments/results/row.h"
#include "experiments/results/table.h"
#include "experiments/sweep/impact.h"
#include "experiments/sweep/plan.h"
#include "experiments/sweep/table.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the table shows besides what every table does. */
struct layout {
	const struct xp_experiment *e;
	struct xp_table t;
	bool intervals;                      /* some row has one */
	bool runs;                           /* points are run more than once */
	const struct xp_statistic *duration; /* NULL: nothing has one */
};

/* Statistics that every table has, and those of single jobs and classes; the last of these only if there are any. */
static const char *const loads[] = { "offered_load", "accepted_load" };
static const char *const others[] = { "latency_ns.mean", "latency_ns.p99", "hops.mean", "minimal_fraction" };
static const char *const of_parts[] = { "offered_load", "accepted_load", "latency_ns.mean", "latency_ns.p99",
	                                "iteration_ns.mean" };
#define N(list) (sizeof(list) / sizeof *(list))

/* A column of a statistic, and one of half the width of its interval. */
static void column_of(struct layout *l, const struct xp_statistic *s)
{
	xp_table_column(&l->t, s->heading, s->width, s->format);
	if (l->intervals && s->ends)
		xp_table_column(&l->t, "+-", 7, s->format);
}

static void columns_of_axes(struct layout *l)
{
	for (size_t a = 0; a < l->e->naxes; a++)
		xp_table_column(&l->t, l->e->axis[a].name, 0, NULL);
}

static void columns(struct layout *l)
{
	const struct xp_experiment *e = l->e;
	columns_of_axes(l);
	if (l->runs)
		xp_table_column(&l->t, "runs", 4, "%.0f");
	for (size_t i = 0; i < N(loads); i++)
		column_of(l, xp_statistic_named(loads[i]));
	for (size_t s = 0; s < e->nscales; s++)
		xp_table_column(&l->t, e->scale[s].label, 12, "%.4f");
	if (e->nexpects)
		xp_table_column(&l->t, "expected", -17, NULL);
	if (e->impact_job)
		xp_table_column(&l->t, "impact", 8, "%.3f");
	if (l->duration)
		column_of(l, l->duration);
	for (size_t i = 0; i < N(others); i++)
		column_of(l, xp_statistic_named(others[i]));
}

/* Latencies of which more than 1 % is missing are given, but as lower bounds. */
static bool is_bound(const json_t *row)
{
	return json_is_true(json_object_get(row, "latency_censored")) &&
	       isfinite(xp_number(row, "latency_mean_ns", NULL));
}

static const char *verdict(const json_t *row)
{
	if (!strcmp(xp_text(row, "state"), "failed"))
		return "  (a run failed)";
	if (xp_latency_worth(row) != XP_LATENCY_NONE)
		return json_is_null(json_object_get(row, "stationary")) ? "  (undecided whether stationary)" : "";
	return json_is_true(json_object_get(row, "still_filling")) ? "  (not stationary, still filling)"
	                                                           : "  (not stationary)";
}

static void cell_of(struct layout *l, const struct xp_statistic *s, double value, bool censored)
{
	char format[16];
	bool bound = censored && !strncmp(s->name, "latency_ns.", 11);
	snprintf(format, sizeof format, "%s%s", bound ? ">" : "", s->format);
	xp_table_number_as(&l->t, value / (s->divisor ? s->divisor : 1), format);
}

/* A statistic of a row, and half the width of its interval. */
static void cells_of(struct layout *l, const struct xp_statistic *s, const json_t *row)
{
	double low = xp_statistic_in_row(s, -1, row), high = xp_statistic_in_row(s, 1, row);
	cell_of(l, s, xp_statistic_in_row(s, 0, row), is_bound(row));
	if (l->intervals && s->ends)
		cell_of(l, s, (high - low) / 2, false);
}

/* Returns 1 if the point is out of its expected range. */
static size_t add_row(struct layout *l, const struct xp_point *point)
{
	const struct xp_experiment *e = l->e;
	const json_t *row = point->row;
	for (size_t a = 0; a < e->naxes; a++)
		xp_table_text(&l->t, point->at[a]->label);
	if (!xp_row_ran(row)) {
		xp_table_note(&l->t, "  %s", xp_point_state(point) == XP_FAILED ? "failed" : "not run");
		return 0;
	}
	if (l->runs)
		xp_table_number(&l->t, xp_number(row, "repeats", NULL));
	for (size_t i = 0; i < N(loads); i++)
		cells_of(l, xp_statistic_named(loads[i]), row);
	double published = xp_published(e, json_object_get(row, "labels"), xp_row_x(e, row));
	for (size_t s = 0; s < e->nscales; s++)
		xp_table_number(&l->t, published * e->scale[s].factor);
	double min = 0, max = 0;
	int ok = e->nexpects ? xp_expected(e, row, &min, &max) : -1;
	if (ok >= 0)
		xp_table_cell(&l->t, "%.3f-%.3f %s", min, max, ok ? "ok" : "NO");
	else if (e->nexpects)
		xp_table_text(&l->t, "");
	if (e->impact_job)
		xp_table_number(&l->t, xp_number(row, "impact", NULL));
	if (l->duration)
		cells_of(l, l->duration, row);
	for (size_t i = 0; i < N(others); i++)
		cells_of(l, xp_statistic_named(others[i]), row);
	xp_table_note(&l->t, "%s%s", verdict(row),
	              json_is_true(json_object_get(row, "complete")) ? "" : "  (incomplete)");
	return ok == 0;
}

static void print_saturation(const struct xp_experiment *e, const json_t *rows)
{
	json_t *table = xp_saturation(e, rows), *entry;
	size_t i;
	json_array_foreach (table, i, entry) {
		double low = xp_number(entry, "low", NULL), high = xp_number(entry, "high", NULL);
		const char *is = json_is_true(json_object_get(entry, "decided")) ? "is not" : "is undecided";
		const char *whole = json_is_true(json_object_get(entry, "decided")) ? "is not stationary" : is;
		printf("saturation");
		for (size_t a = 0; a < e->naxes; a++)
			if (a != e->x)
				printf(" %s", xp_text(json_object_get(entry, "labels"), e->axis[a].name));
		if (isfinite(low) && isfinite(high))
			printf(": %s %.6g is stationary, %.6g %s\n", e->axis[e->x].name, low, high, is);
		else if (isfinite(high))
			printf(": %s %.6g %s; no smaller value is known to be stationary\n", e->axis[e->x].name, high,
			       whole);
		else if (isfinite(low))
			printf(": above %s %.6g, which is stationary\n", e->axis[e->x].name, low);
		else
			printf(": unknown\n");
	}
	json_decref(table);
}

/* A line for each job, or class, of each point. */
static void print_parts(struct layout *l, const struct xp_sweep *sweep, const json_t *rows, const char *kind,
                        const char *one)
{
	json_t *names = xp_parts_names(rows, kind), *name;
	const struct xp_statistic *s;
	size_t i, shown = N(of_parts) - 1;
	json_array_foreach (names, i, name)
		for (size_t p = 0; p < json_array_size(rows); p++)
			if (isfinite(xp_part_number(json_array_get(rows, p), kind, json_string_value(name),
			                            "iteration_mean_ns")))
				shown = N(of_parts);
	columns_of_axes(l);
	xp_table_column(&l->t, one, 0, NULL);
	for (size_t k = 0; k < shown; k++)
		s = xp_statistic_named(of_parts[k]), xp_table_column(&l->t, s->heading, s->width, s->format);
	for (size_t p = 0; p < sweep->n; p++) {
		const json_t *row = sweep->point[p].row;
		json_array_foreach (names, i, name) {
			const char *text = json_string_value(name);
			char plain[256];
			if (!row || !isfinite(xp_part_number(row, kind, text, "offered_load")))
				continue;
			for (size_t a = 0; a < l->e->naxes; a++)
				xp_table_text(&l->t, sweep->point[p].at[a]->label);
			xp_table_text(&l->t, base_harmless_copy(text, plain, sizeof plain));
			for (size_t k = 0; k < shown; k++) {
				char column[64];
				s = xp_statistic_named(of_parts[k]);
				xp_statistic_column(s, 0, column);
				cell_of(l, s, xp_part_number(row, kind, text, column),
				        xp_part_censored(row, kind, text));
			}
			xp_table_end(&l->t);
		}
	}
	if (json_array_size(names)) {
		printf("\nby %s (the latencies above cover all packets)\n", one);
		xp_table_print(&l->t, stdout);
	}
	xp_table_free(&l->t);
	json_decref(names);
}

static struct layout plan_layout(const struct xp_sweep *sweep)
{
	static const char *const names[] = {
		[XP_NO_DURATION] = "", [XP_COMPLETION] = "completion_ns", [XP_ITERATION] = "iteration_ns.mean"
	};
	struct layout l = { .e = &sweep->experiment, .runs = sweep->experiment.repeat > 1 };
	json_t *rows = json_array();
	for (size_t p = 0; p < sweep->n; p++) {
		const json_t *row = sweep->point[p].row;
		l.intervals |= isfinite(xp_number(row, "accepted_load_low", NULL)) ||
		               isfinite(xp_number(row, "completion_low_ns", NULL));
		json_array_append(rows, sweep->point[p].row);
	}
	l.duration = xp_statistic_named(names[xp_rows_duration(rows)]);
	json_decref(rows);
	return l;
}

size_t xp_sweep_print(const struct xp_sweep *sweep)
{
	const struct xp_experiment *e = &sweep->experiment;
	struct layout l = plan_layout(sweep);
	size_t out = 0, judged = 0;
	bool bounds = false;
	json_t *rows = json_array();
	columns(&l);
	for (size_t p = 0; p < sweep->n; p++) {
		json_t *row = sweep->point[p].row;
		double min, max;
		if (!row)
			continue;
		json_array_append(rows, row);
		out += add_row(&l, &sweep->point[p]);
		judged += xp_row_ran(row) && xp_expected(e, row, &min, &max) >= 0;
		bounds |= is_bound(row);
	}
	xp_table_print(&l.t, stdout);
	print_parts(&l, sweep, rows, "jobs", "job");
	print_parts(&l, sweep, rows, "classes", "class");
	if (bounds)
		printf("> : more than 1 %% of the measured packets were still in flight at the end, so the latency is "
		       "a lower bound\n");
	if (l.intervals)
		printf("+- : half width of the 95 %% confidence interval%s\n",
		       l.runs ? " of the mean over runs, by Student's t distribution" : "");
	if (e->choice != XP_ALL)
		print_saturation(e, rows);
	if (xp_impact_is_own(e))
		printf("impact: duration of the iterations of %s (or of the whole application), divided by the "
		       "duration when it runs alone; -: none ended, or its backlog grows\n",
		       e->impact_job);
	else if (e->impact_job)
		printf("impact: duration of the iterations of %s (or of the whole application), divided by the "
		       "duration where %s is \"%s\"; -: none ended, or its backlog grows\n",
		       e->impact_job, e->axis[e->impact_axis].name, e->impact_alone);
	if (e->source)
		printf("published: %s\n", e->source);
	if (judged)
		printf("expected: %zu of %zu points are within their range\n", judged - out, judged);
	json_decref(rows);
	return out;
}

/* experiments/sweep/print.c - the summary table for people. */
#include "experiments/results/parts.h"
#include "experiments/results/reader.h"
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
	int width[XP_MAX_AXES];
	bool intervals; /* some row has one */
	bool runs;      /* points are run more than once */
	enum xp_duration duration;
};

static void cell(double value, int width, const char *format)
{
	char text[64];
	snprintf(text, sizeof text, format, value);
	printf("  %*s", width, isfinite(value) ? text : "-");
}

static void print_label(const struct layout *l, size_t axis, const char *text)
{
	printf("%s%-*s", axis ? "  " : "", base_field(text, l->width[axis]), text);
}

static void print_head(const struct layout *l)
{
	const struct xp_experiment *e = l->e;
	const char *wider = l->intervals ? "  " : "", *half = l->intervals ? "+-" : "";
	int room = l->intervals ? 7 : 0;
	for (size_t a = 0; a < e->naxes; a++)
		print_label(l, a, e->axis[a].name);
	if (l->runs)
		printf("  %4s", "runs");
	printf("  %8s  %8s%s%*s", "offered", "accepted", wider, room, half);
	for (size_t s = 0; s < e->nscales; s++)
		printf("  %12s", e->scale[s].label);
	if (e->nexpects)
		printf("  %-17s", "expected");
	if (e->impact_job)
		printf("  %8s", "impact");
	if (l->duration)
		printf("  %13s%s%*s", l->duration == XP_COMPLETION ? "completion us" : "iteration us", wider, room,
		       half);
	printf("  %10s%s%*s  %10s%s%*s  %6s  %7s\n", "mean ns", wider, room, half, "p99 ns", wider, room, half, "hops",
	       "minimal");
}

/* Half the width of a 95 % interval. */
static void half_width(const struct layout *l, const json_t *row, const char *low, const char *high, const char *format)
{
	if (l->intervals)
		cell((xp_number(row, high, NULL) - xp_number(row, low, NULL)) / 2, 7, format);
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
		return json_is_null(json_object_get(row, "stationary")) ? "  (stationary or not: not decided)" : "";
	return json_is_true(json_object_get(row, "still_filling")) ? "  (not stationary, still filling)"
	                                                           : "  (not stationary)";
}

static void print_latency(const struct layout *l, const json_t *row)
{
	bool bound = is_bound(row);
	cell(xp_number(row, "latency_mean_ns", NULL), 10, bound ? ">%.1f" : "%.1f");
	half_width(l, row, "latency_mean_low_ns", "latency_mean_high_ns", "%.1f");
	cell(xp_number(row, "latency_p99_ns", NULL), 10, bound ? ">%.0f" : "%.0f");
	half_width(l, row, "latency_p99_low_ns", "latency_p99_high_ns", "%.0f");
	cell(xp_number(row, "hops_mean", NULL), 6, "%.3f");
	cell(xp_number(row, "minimal_fraction", NULL), 7, "%.3f");
	printf("%s%s\n", verdict(row), json_is_true(json_object_get(row, "complete")) ? "" : "  (incomplete)");
}

static void print_duration(const struct layout *l, const json_t *row)
{
	double us[3];
	for (int end = -1; end <= 1; end++)
		us[end + 1] = xp_number(row, xp_duration_column(l->duration, end), NULL) / 1000;
	cell(us[1], 13, "%.3f");
	if (l->intervals)
		cell((us[2] - us[0]) / 2, 7, "%.3f");
}

/* Returns 1 if the point is out of its expected range. */
static size_t print_row(const struct layout *l, const struct xp_point *point)
{
	const struct xp_experiment *e = l->e;
	const json_t *row = point->row;
	for (size_t a = 0; a < e->naxes; a++)
		print_label(l, a, point->at[a]->label);
	if (!xp_row_ran(row)) {
		printf("  %s\n", xp_point_state(point) == XP_FAILED ? "failed" : "not run");
		return 0;
	}
	if (l->runs)
		cell(xp_number(row, "repeats", NULL), 4, "%.0f");
	cell(xp_number(row, "offered_load", NULL), 8, "%.4f");
	cell(xp_number(row, "accepted_load", NULL), 8, "%.4f");
	half_width(l, row, "accepted_load_low", "accepted_load_high", "%.4f");
	double published = xp_published(e, json_object_get(row, "labels"), xp_row_x(e, row));
	for (size_t s = 0; s < e->nscales; s++)
		cell(published * e->scale[s].factor, 12, "%.4f");
	double min = 0, max = 0;
	int ok = e->nexpects ? xp_expected(e, row, &min, &max) : -1;
	char range[64] = "";
	if (ok >= 0)
		snprintf(range, sizeof range, "%.3f-%.3f %s", min, max, ok ? "ok" : "NO");
	if (e->nexpects)
		printf("  %-17s", range);
	if (e->impact_job)
		cell(xp_number(row, "impact", NULL), 8, "%.3f");
	if (l->duration)
		print_duration(l, row);
	print_latency(l, row);
	return ok == 0;
}

static void print_saturation(const struct xp_experiment *e, const json_t *rows)
{
	json_t *table = xp_saturation(e, rows), *entry;
	size_t i;
	json_array_foreach (table, i, entry) {
		double low = xp_number(entry, "low", NULL), high = xp_number(entry, "high", NULL);
		const char *is = json_is_true(json_object_get(entry, "decided")) ? "is not" : "is not decided";
		const char *whole = json_is_true(json_object_get(entry, "decided")) ? "is not stationary" : is;
		printf("saturation");
		for (size_t a = 0; a < e->naxes; a++)
			if (a != e->x)
				printf(" %s", xp_text(json_object_get(entry, "labels"), e->axis[a].name));
		if (isfinite(low) && isfinite(high))
			printf(": %s %.6g is stationary, %.6g %s\n", e->axis[e->x].name, low, high, is);
		else if (isfinite(high))
			printf(": %s %.6g %s, no smaller one is known to be stationary\n", e->axis[e->x].name, high,
			       whole);
		else if (isfinite(low))
			printf(": above %s %.6g, which is stationary\n", e->axis[e->x].name, low);
		else
			printf(": not known\n");
	}
	json_decref(table);
}

/* A line for each job, or class, of each point. */
static void print_parts(const struct layout *l, const struct xp_sweep *sweep, const json_t *rows, const char *kind,
                        const char *one)
{
	json_t *names = xp_parts_names(rows, kind), *name;
	int width = base_columns(one);
	size_t i;
	bool durations = false;
	json_array_foreach (names, i, name) {
		char plain[256];
		int n = base_columns(base_harmless_copy(json_string_value(name), plain, sizeof plain));
		width = n > width ? n : width;
		for (size_t p = 0; p < json_array_size(rows); p++)
			durations |= isfinite(xp_part_number(json_array_get(rows, p), kind, json_string_value(name),
			                                     "iteration_mean_ns"));
	}
	if (json_array_size(names)) {
		printf("\nby %s (the latencies above are of all packets together)\n", one);
		for (size_t a = 0; a < l->e->naxes; a++)
			print_label(l, a, l->e->axis[a].name);
		printf("  %-*s  %8s  %8s  %10s  %10s", width, one, "offered", "accepted", "mean ns", "p99 ns");
		printf(durations ? "  %13s\n" : "\n", "iteration us");
	}
	for (size_t p = 0; p < sweep->n; p++) {
		const json_t *row = sweep->point[p].row;
		json_array_foreach (names, i, name) {
			const char *text = json_string_value(name);
			double offered = xp_part_number(row, kind, text, "offered_load");
			bool bound = xp_part_censored(row, kind, text);
			if (!row || !isfinite(offered))
				continue;
			for (size_t a = 0; a < l->e->naxes; a++)
				print_label(l, a, sweep->point[p].at[a]->label);
			char plain[256];
			base_harmless_copy(text, plain, sizeof plain);
			printf("  %-*s", base_field(plain, width), plain);
			cell(offered, 8, "%.4f");
			cell(xp_part_number(row, kind, text, "accepted_load"), 8, "%.4f");
			cell(xp_part_number(row, kind, text, "latency_mean_ns"), 10, bound ? ">%.1f" : "%.1f");
			cell(xp_part_number(row, kind, text, "latency_p99_ns"), 10, bound ? ">%.0f" : "%.0f");
			if (durations)
				cell(xp_part_number(row, kind, text, "iteration_mean_ns") / 1000, 13, "%.3f");
			printf("\n");
		}
	}
	json_decref(names);
}

static struct layout plan_layout(const struct xp_sweep *sweep)
{
	struct layout l = { .e = &sweep->experiment, .runs = sweep->experiment.repeat > 1 };
	for (size_t a = 0; a < l.e->naxes; a++) {
		l.width[a] = base_columns(l.e->axis[a].name);
		for (size_t p = 0; p < sweep->n; p++) {
			int n = base_columns(sweep->point[p].at[a]->label);
			l.width[a] = n > l.width[a] ? n : l.width[a];
		}
	}
	json_t *rows = json_array();
	for (size_t p = 0; p < sweep->n; p++) {
		const json_t *row = sweep->point[p].row;
		l.intervals |= isfinite(xp_number(row, "accepted_load_low", NULL)) ||
		               isfinite(xp_number(row, "completion_low_ns", NULL));
		json_array_append(rows, sweep->point[p].row);
	}
	l.duration = xp_rows_duration(rows);
	json_decref(rows);
	return l;
}

size_t xp_table_print(const struct xp_sweep *sweep)
{
	const struct xp_experiment *e = &sweep->experiment;
	struct layout l = plan_layout(sweep);
	size_t out = 0, judged = 0;
	bool bounds = false;
	json_t *rows = json_array();
	print_head(&l);
	for (size_t p = 0; p < sweep->n; p++) {
		json_t *row = sweep->point[p].row;
		double min, max;
		if (!row)
			continue;
		json_array_append(rows, row);
		out += print_row(&l, &sweep->point[p]);
		judged += xp_row_ran(row) && xp_expected(e, row, &min, &max) >= 0;
		bounds |= is_bound(row);
	}
	print_parts(&l, sweep, rows, "jobs", "job");
	print_parts(&l, sweep, rows, "classes", "class");
	if (bounds)
		printf("> : more than 1 %% of the measured packets were still under way at the end, so the latency is "
		       "a lower bound\n");
	if (l.intervals)
		printf("+- : half the width of the 95 %% interval%s\n",
		       l.runs ? " of the mean over runs, by Student's distribution" : "");
	if (e->choice != XP_ALL)
		print_saturation(e, rows);
	if (xp_impact_is_own(e))
		printf("impact: how many times as long %s takes as in a run of it alone (its iterations, or all of an "
		       "application); -: none ended, or its backlog grows\n",
		       e->impact_job);
	else if (e->impact_job)
		printf("impact: how many times as long %s takes as where %s is \"%s\" (its iterations, or all of an "
		       "application); -: none ended, or its backlog grows\n",
		       e->impact_job, e->axis[e->impact_axis].name, e->impact_alone);
	if (e->source)
		printf("published: %s\n", e->source);
	if (judged)
		printf("expected: %zu of %zu points are inside their range\n", judged - out, judged);
	json_decref(rows);
	return out;
}

/* experiments/report/bench_chart.c - charts of benchmarks: rates and ratios, phases, weak scaling. */
#include "experiments/report/bench_chart.h"
#include "experiments/report/chart.h"
#include "experiments/results/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void each_rate(const struct xp_bench *b, json_t *chart, struct xp_names *names, const char *mode, bool ratio)
{
	json_t *series = xp_chart_series(chart, mode, mode, ""), *c;
	size_t i;
	json_array_foreach (b->strong, i, c) {
		double at = (double)xp_name_index(names, xp_text(c, "name"));
		if (strcmp(xp_text(c, "mode"), mode) != 0)
			continue;
		if (ratio)
			xp_series_point(series, at, xp_number(c, "ratio_to_one_rank", NULL), NAN, NAN);
		else
			xp_series_point(series, at, xp_number(c, "median", NULL), xp_number(c, "least", NULL),
			                xp_number(c, "best", NULL));
	}
}

void xp_bench_chart_rates(const struct xp_bench *b, const char *name, const char *caption)
{
	char file[300];
	snprintf(file, sizeof file, "%s-rates", name);
	struct xp_names names, modes;
	xp_names_of(b->strong, "name", &names);
	xp_names_of(b->strong, "mode", &modes);
	json_t *figure = xp_charts(file, caption);
	for (int ratio = 0; ratio < 2; ratio++) {
		json_t *chart = xp_chart(figure, "bars", ratio ? "ratio to one rank" : "rate");
		xp_chart_axis(chart, "x", ratio ? "ratio to one rank" : "packet-hops (PHOLD: events)",
		              ratio ? "" : "/s", XP_AXIS_ZERO);
		xp_chart_axis(chart, "y", "", "", 0);
		xp_chart_interval(chart, "least and best");
		for (size_t i = 0; i < names.n; i++)
			xp_chart_name(chart, "y", names.v[i]);
		for (size_t m = 0; m < modes.n; m++)
			each_rate(b, chart, &names, modes.v[m], ratio);
	}
	xp_charts_write(b->report, figure);
}

void xp_bench_chart_phases(const struct xp_bench *b, const json_t *cases, const char *name, const char *caption)
{
	char file[300];
	snprintf(file, sizeof file, "%s-phases", name);
	json_t *figure = xp_charts(file, caption), *chart = xp_chart(figure, "stack", ""), *c, *series[XP_PHASES];
	size_t i;
	xp_chart_axis(chart, "x", "share of the time of all ranks", "share", XP_AXIS_ZERO);
	xp_chart_range(chart, "x", 0, 1);
	xp_chart_axis(chart, "y", "", "", 0);
	for (size_t k = 0; k < XP_PHASES; k++) {
		series[k] = xp_chart_series(chart, xp_phases[k].name, xp_phases[k].name, "");
		xp_series_colour(series[k], xp_phases[k].colour);
	}
	json_array_foreach (cases, i, c) {
		const json_t *part = json_object_get(c, "phase_s");
		double sum = 0;
		char label[300];
		for (size_t k = 0; k < XP_PHASES; k++)
			sum += json_number_value(json_object_get(part, xp_phases[k].name));
		if (!(sum > 0))
			continue;
		snprintf(label, sizeof label, "%.120s, %.60s: %.0f ns each", xp_text(c, "name"), xp_text(c, "mode"),
		         1e9 * sum / xp_bench_work(c));
		double at = (double)xp_chart_name(chart, "y", label);
		for (size_t k = 0; k < XP_PHASES; k++)
			xp_series_point(series[k], at,
			                json_number_value(json_object_get(part, xp_phases[k].name)) / sum, NAN, NAN);
	}
	xp_charts_write(b->report, figure);
}

void xp_bench_chart_weak(const struct xp_bench *b, const char *name, const char *caption)
{
	char file[300];
	snprintf(file, sizeof file, "%s-weak", name);
	static const char *const panels[][3] = { { "rate", "packet-hops", "/s" },
		                                 { "memory of the largest rank", "memory", "B" } };
	struct xp_names syncs;
	xp_names_of(b->weak, "sync", &syncs);
	json_t *figure = xp_charts(file, caption), *c;
	for (size_t p = 0; p < 2; p++) {
		size_t i;
		/* the two quantities have axes of their own */
		json_t *chart = xp_chart(figure, "bars", panels[p][0]);
		xp_chart_axis(chart, "x", panels[p][1], panels[p][2], XP_AXIS_ZERO);
		xp_chart_axis(chart, "y", "", "", 0);
		struct xp_names names;
		xp_names_of(b->weak, "name", &names);
		for (i = 0; i < names.n; i++)
			xp_chart_name(chart, "y", names.v[i]);
		for (size_t s = 0; s < syncs.n; s++) {
			bool alone = !strcmp(syncs.v[s], "sequential");
			json_t *series =
			    xp_chart_series(chart, syncs.v[s], alone ? "one rank, same network" : syncs.v[s], "");
			json_array_foreach (b->weak, i, c)
				if (!strcmp(xp_text(c, "sync"), syncs.v[s]))
					xp_series_point(series, (double)xp_name_index(&names, xp_text(c, "name")),
					                xp_number(c, p ? "peak_rss_rank_bytes" : "median", NULL), NAN,
					                NAN);
		}
	}
	xp_charts_write(b->report, figure);
}

/* experiments/report/view_plot.c - figures of a sweep by gnuplot: throughput and latency against load, distributions.
 */
#include "experiments/report/figure.h"
#include "experiments/report/view.h"
#include "experiments/results/reader.h"

#include "base/format.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

struct block {
	size_t n[XP_TIME + 1];        /* rows that have something to draw, by quantity */
	bool published, intervals[3]; /* some row has: a published value, an interval of a quantity */
};

/* One data block: x, accepted, mean, p99, enum xp_worth, published, intervals of accepted, mean and p99; time and its
 * interval. */
static struct block write_block(const struct xp_view *v, FILE *out, size_t p, size_t s)
{
	const char *panel = json_string_value(json_array_get(v->panels, p));
	const char *series = json_string_value(json_array_get(v->series, s));
	const char *const ends[] = { "accepted_load_low",
		                     "accepted_load_high",
		                     "latency_mean_low_ns",
		                     "latency_mean_high_ns",
		                     "latency_p99_low_ns",
		                     "latency_p99_high_ns",
		                     xp_duration_column(v->duration, 0),
		                     xp_duration_column(v->duration, -1),
		                     xp_duration_column(v->duration, 1) };
	struct block block = { 0 };
	size_t i;
	json_t *row;
	fprintf(out, "$d%zu_%zu << EOD\n", p, s);
	json_array_foreach (v->rows, i, row) {
		if (!xp_view_holds(v, row, panel, series) || !xp_row_ran(row))
			continue;
		double x = xp_row_x(v->e, row), known = xp_published(v->e, json_object_get(row, "labels"), x);
		block.published |= isfinite(known);
		fprintf(out, "%.9g %.9g %.9g %.9g %d %.9g", x, xp_number(row, "accepted_load", NULL),
		        xp_number(row, "latency_mean_ns", NULL), xp_number(row, "latency_p99_ns", NULL),
		        (int)xp_latency_worth(row), known);
		for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
			double end = xp_number(row, ends[k], NULL);
			if (k != 6)
				block.intervals[k < 2 ? XP_THROUGHPUT : k < 6 ? XP_LATENCY : XP_TIME] |= isfinite(end);
			block.n[XP_TIME] += k == 6 && isfinite(end) ? 1 : 0;
			fprintf(out, " %.9g", end);
		}
		fputc('\n', out);
		block.n[XP_THROUGHPUT] += isfinite(xp_number(row, "accepted_load", NULL)) ? 1 : 0;
		block.n[XP_LATENCY] +=
		    xp_latency_worth(row) <= XP_LATENCY_BOUND && isfinite(xp_number(row, "latency_mean_ns", NULL));
	}
	fputs("EOD\n", out);
	return block;
}

/* Has a series something to draw? gnuplot fails where no series of a figure has. */
static bool is_drawn(const struct block *block, enum xp_quantity what)
{
	return block->n[what] > 0;
}

/* ns of the unit that times up to `high` ns are drawn in; its name goes to *name unless that is NULL. */
static double unit_of(double high, const char **name)
{
	static const struct {
		double ns;
		const char *name;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" } };
	size_t u = 0;
	while (u < 3 && high < 10 * units[u].ns)
		u++;
	if (name)
		*name = units[u].name;
	return units[u].ns;
}

/* Error bars: column `y` with its interval in the columns `low` and the next. */
static void plot_bars(FILE *out, size_t p, size_t s, enum xp_quantity what, int y, int low, const char *hue)
{
	const char *drawn = what == XP_LATENCY ? "$5>0?NaN:" : "";
	fprintf(out, ", $d%zu_%zu using 1:(%s$%d):%d:%d with yerrorbars pt 7 ps 0.5 lw 1.2 lc rgb '%s' notitle", p, s,
	        drawn, y, low, low + 1, hue);
}

/* The lines of one series in one panel; returns the number of plot elements written. */
static size_t plot_series(const struct xp_view *v, FILE *out, size_t p, size_t s, enum xp_quantity what,
                          const struct block *block, size_t before)
{
	const char *name = json_string_value(json_array_get(v->series, s)), *hue = xp_hue((unsigned)s);
	const char *comma = before ? ", \\\n" : "";
	if (what == XP_LATENCY) {
		fprintf(out, "%s$d%zu_%zu using 1:($5>0?NaN:$3) with lines lw 2 lc rgb '%s' title ", comma, p, s, hue);
		xp_plot_string(out, *name ? name : "mean");
		fprintf(out, ", $d%zu_%zu using 1:($5>0?NaN:$3) with points pt 7 ps 0.7 lc rgb '%s' notitle", p, s,
		        hue);
		fprintf(out, ", $d%zu_%zu using 1:($5==1?$3:NaN) with points pt 6 ps 0.9 lw 1.4 lc rgb '%s' notitle", p,
		        s, hue);
		fprintf(out, ", $d%zu_%zu using 1:($5>0?NaN:$4) with lines lw 1.4 dt 2 lc rgb '%s' notitle", p, s, hue);
		if (block->intervals[XP_LATENCY]) {
			plot_bars(out, p, s, what, 3, 9, hue);
			plot_bars(out, p, s, what, 4, 11, hue);
		}
		return 4;
	}
	/* later lines are thinner, so that one that lies on another does not hide it */
	if (what == XP_TIME) {
		double unit = unit_of(v->time.high, NULL);
		fprintf(out, "%s$d%zu_%zu using 1:($13/%g) with linespoints lw %.2g pt 7 ps 0.45 lc rgb '%s' title ",
		        comma, p, s, unit, fmax(3.2 - 0.9 * (double)s, 1.3), hue);
		xp_plot_string(out, *name ? name : "time");
		if (block->intervals[XP_TIME])
			fprintf(out,
			        ", $d%zu_%zu using 1:($13/%g):($14/%g):($15/%g) with yerrorbars pt 7 ps 0.5 lw 1.2 lc "
			        "rgb '%s' notitle",
			        p, s, unit, unit, unit, hue);
		return 1;
	}
	fprintf(out, "%s$d%zu_%zu using 1:2 with linespoints lw %.2g pt 7 ps 0.45 lc rgb '%s' title ", comma, p, s,
	        fmax(3.2 - 0.9 * (double)s, 1.3), hue);
	xp_plot_string(out, *name ? name : "accepted");
	static const int marks[] = { 6, 4, 8, 12 };
	if (block->intervals[XP_THROUGHPUT])
		plot_bars(out, p, s, what, 2, 7, hue);
	for (size_t k = 0; block->published && k < v->e->nscales; k++)
		fprintf(out, ", $d%zu_%zu using 1:($6*%.9g) with points pt %d ps 1.2 lw 1.4 lc rgb '%s' notitle", p, s,
		        v->e->scale[k].factor, marks[k % 4], hue);
	return 1;
}

/* Where an axis from 0 to 1 may begin, if nothing is below `low`. */
static double unit_from(double low)
{
	return low >= 0.3 ? floor(10 * low + 1e-9) / 10 : 0;
}

static void throughput_axis(const struct xp_view *v, FILE *out)
{
	const struct xp_range *a = &v->accepted;
	fputs("set ylabel 'accepted load (fraction of injection bandwidth)'\n", out);
	if (v->unit)
		fprintf(out, "set yrange [%g:1.02]\nset ytics %g\n", unit_from(fmin(a->low, v->x.low)),
		        unit_from(fmin(a->low, v->x.low)) > 0 ? 0.1 : 0.2);
	else if (a->high > 0)
		fprintf(out, "set yrange [%g:%g]\n", a->low > 0.5 ? floor(20 * a->low - 0.2) / 20 : 0,
		        a->high > 0.85 ? 1.02 : a->high * 1.1);
}

/* Logarithmic if the values differ enough. */
static void range_axis(FILE *out, struct xp_range a)
{
	if (xp_is_wide(a))
		fprintf(out, "set logscale y\nset yrange [%g:%g]\n", pow(10, floor(log10(a.low))),
		        pow(10, ceil(log10(a.high))));
	else if (a.high > 0)
		fprintf(out, "set yrange [0:%g]\n", 1.1 * a.high);
}

static void latency_axis(const struct xp_view *v, FILE *out)
{
	fputs("set ylabel 'packet latency (ns)'\n", out);
	range_axis(out, v->latency);
}

static void time_axis(const struct xp_view *v, FILE *out)
{
	const char *name;
	double unit = unit_of(v->time.high, &name);
	fprintf(out, "set ylabel '%s (%s)'\n", v->duration == XP_COMPLETION ? "completion" : "time of an iteration",
	        name);
	range_axis(out, (struct xp_range){ v->time.low / unit, v->time.high / unit });
}

/* 1, 2 or 5 times a power of ten, so that six or fewer fit. */
static double tic_step(double span)
{
	double step = pow(10, floor(log10(span / 6)));
	return span > 30 * step ? 10 * step : span > 12 * step ? 5 * step : span > 6 * step ? 2 * step : step;
}

static void panel_frame(const struct xp_view *v, FILE *out, size_t p, enum xp_quantity what)
{
	const char *panel = json_string_value(json_array_get(v->panels, p));
	fputs("set title ", out);
	xp_plot_string(out, panel);
	fputs("\nset xlabel ", out);
	xp_plot_string(out, v->e->axis[v->e->x].title);
	fputs("\n", out);
	if (what == XP_LATENCY)
		latency_axis(v, out);
	else if (what == XP_TIME)
		time_axis(v, out);
	else
		throughput_axis(v, out);
	if (v->unit)
		fprintf(out, "set xrange [%g:1.02]\nset xtics %g\n", unit_from(v->x.low),
		        unit_from(v->x.low) > 0 ? 0.1 : 0.2);
	else if (v->x.low >= 1 && v->x.high >= 16 * v->x.low)
		fputs("set logscale x 2\n", out);
	else if (v->x.high > v->x.low)
		fprintf(out, "set xtics %g\n", tic_step(v->x.high - v->x.low));
	/* throughput against load leaves its upper left corner free for a few series, nothing else does */
	fprintf(out, "set key %s reverse Left samplen 1.6 spacing 1.05\n",
	        what != XP_THROUGHPUT || !v->unit || json_array_size(v->series) > 5 ? "tmargin center horizontal"
	                                                                            : "top left");
}

void xp_view_plot(const struct xp_view *v, enum xp_quantity what, const char *name, const char *caption)
{
	char *script = NULL;
	size_t bytes = 0, panels = json_array_size(v->panels), series = json_array_size(v->series);
	size_t columns = panels == 4 ? 2 : panels < 3 ? panels : 3, rows = (panels + columns - 1) / columns;
	struct block *block = base_calloc(panels * series + 1, sizeof *block);
	FILE *out = base_memory_stream(&script, &bytes);
	for (size_t i = 0; i < panels * series; i++)
		block[i] = write_block(v, out, i / series, i % series);
	fprintf(out, "set multiplot layout %zu,%zu\n", rows, columns);
	for (size_t p = 0; p < panels; p++) {
		size_t n = 0, k;
		bool any = false;
		panel_frame(v, out, p, what);
		for (size_t s = 0; s < series; s++)
			n += is_drawn(&block[p * series + s], what);
		if (!n)
			continue; /* nothing of this panel has run yet, or measured anything */
		fputs("plot ", out);
		for (size_t s = n = 0; s < series; s++) {
			if (is_drawn(&block[p * series + s], what))
				n += plot_series(v, out, p, s, what, &block[p * series + s], n);
			any |= block[p * series + s].published;
		}
		static const int marks[] = { 6, 4, 8, 12 };
		for (k = 0; any && what == XP_THROUGHPUT && k < v->e->nscales;
		     k++) { /* legend of the published points */
			fprintf(out, ", NaN with points pt %d ps 1.2 lw 1.4 lc rgb '#808080' title ", marks[k % 4]);
			xp_plot_string(out, v->e->scale[k].label);
		}
		if (what == XP_LATENCY)
			fputs(", NaN with lines lw 1.4 dt 2 lc rgb '#808080' title 'p99'", out);
		fputc('\n', out);
	}
	fputs("unset multiplot\n", out);
	fclose(out);
	int width = panels == 1 ? 640 : (int)(400 * columns);
	xp_figure(v->report, name, caption, width, (int)(400 * rows), script);
	free(script);
	free(block);
}

void xp_view_plot_distribution(const struct xp_view *v, const char *caption)
{
	double x = xp_view_middle(v);
	char *script = NULL, *plots = NULL;
	size_t bytes = 0, plot_bytes = 0, n = 0, i;
	if (!xp_figure_wanted(v->report))
		return;
	FILE *out = base_memory_stream(&script, &bytes), *plot = base_memory_stream(&plots, &plot_bytes);
	json_t *row;
	json_array_foreach (v->rows, i, row) {
		if (xp_row_x(v->e, row) != x || !xp_row_ran(row))
			continue;
		json_t *histogram = xp_view_histogram(v, row);
		if (!histogram)
			continue;
		char name[512], title[1100];
		const char *panel = xp_view_label(v, row, v->panel);
		xp_view_series_name(v, row, name, sizeof name);
		snprintf(title, sizeof title, "%s%s%s", panel, *panel && *name ? ", " : "", name);
		fprintf(out, "$h%zu << EOD\n", n);
		xp_write_ccdf(out, histogram);
		fputs("EOD\n", out);
		fprintf(plot, "%s$h%zu using 1:2 with steps lw 2 lc rgb '%s' title ", n ? ", \\\n" : "plot ", n,
		        xp_hue((unsigned)n));
		xp_plot_string(plot, title);
		json_decref(histogram);
		n++;
	}
	fclose(plot);
	fprintf(out,
	        "set logscale xy\nset xlabel 'packet latency (ns)'\nset ylabel 'share of packets above'\n"
	        "set format y '10^{%%T}'\nset key outside right top reverse Left samplen 1.6\n"
	        "set format y '%%g'\n%s\n",
	        plots);
	fclose(out);
	if (n)
		xp_figure(v->report, "latency-distribution", caption, 900, 420, script);
	free(script);
	free(plots);
}

/* experiments/report/bench.c - benchmarks: rates and their ratio to one rank, where the time goes, weak scaling,
 * memory.
 *
 * The file is small: its records of kind "case" and "instructions" are kept whole. A case is named; under each name
 * there are modes: a scheduler and its ranks. Names and modes are drawn in the order in which they first come. */
#include "experiments/report/bench.h"
#include "base/format.h"
#include "experiments/config/message.h"
#include "experiments/report/bench_chart.h"
#include "experiments/report/figure.h"
#include "experiments/report/page.h"
#include "experiments/results/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct xp_phase xp_phases[XP_PHASES] = {
	{ "execute", "#0072B2" },  { "speculate", "#56B4E9" },   { "queue", "#009E73" },
	{ "rollback", "#D55E00" }, { "communicate", "#CC79A7" }, { "wait", "#BDBDBD" },
	{ "gvt", "#E69F00" },      { "fossil", "#6A51A3" },      { "other", "#6E6E6E" },
};

size_t xp_name_index(struct xp_names *names, const char *name)
{
	size_t i = 0;
	while (i < names->n && strcmp(names->v[i], name) != 0)
		i++;
	if (i == names->n && i < XP_BENCH_NAMES)
		names->v[names->n++] = name;
	return i;
}

double xp_bench_work(const json_t *c)
{
	double hops = xp_number(c, "packet_hops", NULL);
	return isfinite(hops) ? hops : xp_number(c, "events_committed", NULL);
}

static void take_calibration(struct xp_bench *b, const json_t *record)
{
	double ghz = xp_number(record, "machine", "ghz", NULL), ns = xp_number(record, "machine", "load_64m_ns", NULL);
	double available = xp_number(record, "machine", "available", NULL);
	if (!isfinite(ghz) || !isfinite(ns))
		return;
	bool first = !b->calibrations++;
	b->ghz[0] = first ? ghz : fmin(ghz, b->ghz[0]);
	b->ghz[1] = first ? ghz : fmax(ghz, b->ghz[1]);
	b->memory_ns[0] = first ? ns : fmin(ns, b->memory_ns[0]);
	b->memory_ns[1] = first ? ns : fmax(ns, b->memory_ns[1]);
	b->available = first ? available : fmin(available, b->available);
}

static void take(struct xp_bench *b, json_t *record)
{
	const char *kind = xp_record_kind(record);
	if (!strcmp(kind, "machine") && !b->machine)
		b->machine = json_incref(record);
	else if (!strcmp(kind, "case"))
		json_array_append(strcmp(xp_text(record, "study"), "weak") != 0 ? b->strong : b->weak, record);
	else if (!strcmp(kind, "instructions"))
		json_array_append(b->instructions, record);
	else if (!strcmp(kind, "calibration"))
		take_calibration(b, record);
}

static void fact(FILE *page, const char *name, const char *text)
{
	fprintf(page, "<tr><th class=\"l\">%s</th><td>", name);
	xp_page_text(page, text);
	fputs("</td></tr>\n", page);
}

static void write_machine(const struct xp_bench *b)
{
	FILE *page = b->report->page;
	char text[256];
	fputs("<div class=\"scroll\"><table class=\"facts\">\n", page);
	snprintf(text, sizeof text, "%.150s, %.0f cores", xp_text(b->machine, "cpu"),
	         xp_number(b->machine, "cores", NULL));
	fact(page, "machine", text);
	snprintf(text, sizeof text, "%.60s; %.150s", xp_text(b->machine, "version"), xp_text(b->machine, "built"));
	fact(page, "tilefly", text);
	fact(page, "MPI", xp_text(b->machine, "mpi"));
	fact(page, "time", xp_text(b->machine, "time"));
	if (b->calibrations) {
		snprintf(text, sizeof text,
		         "%.2f to %.2f GHz; %.0f to %.0f ns a dependent load from 64 MiB; at least %.0f %% of a core "
		         "available",
		         b->ghz[0], b->ghz[1], b->memory_ns[0], b->memory_ns[1], 100 * b->available);
		fact(page, "meanwhile", text);
	}
	fputs("</table></div>\n", page);
}

static void write_table(const struct xp_bench *b, const json_t *cases)
{
	FILE *page = b->report->page;
	size_t i;
	json_t *c;
	static const char *const heads[][2] = {
		{ "bench.median", "M/s, median" },
		{ "bench.best", "best" },
		{ "bench.spread", "spread" },
		{ "bench.ratio", "ratio" },
		{ "bench.copies", "of copies" },
		{ "bench.memory", "MB in all" },
		{ "bench.endpoint", "bytes an endpoint" },
		{ "engine.efficiency", "efficiency" },
		{ "bench.rounds", "rounds" },
		{ "bench.round", "a round" },
	};
	fputs("<div class=\"scroll\"><table class=\"sortable\">\n<tr>", page);
	xp_page_head(b->report, NULL, "case", true);
	xp_page_head(b->report, NULL, "mode", true);
	for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
		xp_page_head(b->report, heads[k][0], heads[k][1], false);
	fputs("</tr>\n", page);
	json_array_foreach (cases, i, c) {
		double median = xp_number(c, "median", NULL), best = xp_number(c, "best", NULL), rounds;
		fputs("<tr><td class=\"l\">", page);
		xp_page_text(page, xp_text(c, "name"));
		fputs("</td><td class=\"l\">", page);
		xp_page_text(page, xp_text(c, "mode"));
		fputs("</td>", page);
		xp_page_number(page, median / 1e6, "%.2f");
		xp_page_number(page, best / 1e6, "%.2f");
		xp_page_number(page, 100 * (best - xp_number(c, "least", NULL)) / median, "%.0f %%");
		xp_page_number(page, xp_number(c, "ratio_to_one_rank", NULL), "%.2f");
		xp_page_number(page, 100 * xp_number(c, "ratio_to_copies", NULL), "%.0f %%");
		xp_page_number(page, xp_number(c, "peak_rss_bytes", NULL) / 1e6, "%.0f");
		xp_page_count(page, xp_number(c, "bytes_per_endpoint", NULL));
		xp_page_number(page, xp_number(c, "efficiency", NULL), "%.4f");
		rounds = xp_number(c, "gvt_rounds", NULL);
		xp_page_count(page, rounds > 0 ? rounds : NAN);
		xp_page_time(page, rounds > 0 ? 1e9 * xp_number(c, "wall_s", NULL) / rounds : NAN, false);
		fputs("</tr>\n", page);
	}
	fputs("</table></div>\n", page);
}

void xp_names_of(const json_t *cases, const char *member, struct xp_names *out)
{
	size_t i;
	json_t *c;
	out->n = 0;
	json_array_foreach (cases, i, c)
		xp_name_index(out, xp_text(c, member));
}

/* The names down the left edge, a unit apart. */
static void write_tics(FILE *out, const struct xp_names *names, bool shown)
{
	fputs("set ytics (", out);
	for (size_t i = 0; i < names->n; i++) {
		fputs(i ? ", " : "", out);
		xp_plot_string(out, shown ? names->v[i] : "");
		fprintf(out, " -%zu", i);
	}
	fputs(") scale 0\n", out);
}

static const char rates_caption[] =
    "Strong scaling: the median rate of each case and mode with the least and the best run, and its "
    "ratio to one "
    "rank.";
static const char phases_caption[] =
    "Where the time goes: the best run of each case and mode, its phases summed over ranks. "
    "wait: nothing "
    "to do until news from other ranks.";
static const char weak_caption[] =
    "Weak scaling: the network grows with the ranks. With more ranks than cores the rate should stay, "
    "and the memory of "
    "a rank too; the digest is that of one rank.";

/* Cases from top to bottom, rates to the left, ratios to the right. */
static void draw_rates(const struct xp_bench *b, const char *name)
{
	char *script = NULL, file[300];
	size_t bytes = 0, i;
	json_t *c;
	struct xp_names names, modes;
	xp_names_of(b->strong, "name", &names);
	xp_names_of(b->strong, "mode", &modes);
	FILE *out = base_memory_stream(&script, &bytes);
	for (size_t m = 0; m < modes.n; m++) {
		fprintf(out, "$m%zu << EOD\n", m);
		json_array_foreach (b->strong, i, c) {
			double y = -(double)xp_name_index(&names, xp_text(c, "name")) +
			           (modes.n > 1 ? 0.4 - 0.8 * (double)m / (double)(modes.n - 1) : 0) * 0.6;
			if (xp_name_index(&modes, xp_text(c, "mode")) == m)
				fprintf(out, "%g %g %g %g %g\n", xp_number(c, "median", NULL) / 1e6, y,
				        xp_number(c, "least", NULL) / 1e6, xp_number(c, "best", NULL) / 1e6,
				        xp_number(c, "ratio_to_one_rank", NULL));
		}
		fputs("NaN NaN NaN NaN NaN\nEOD\n", out);
	}
	write_tics(out, &names, true);
	double above = 14 + 20 * ceil((double)modes.n / 2), height = above + 88 + 34 * (double)names.n;
	fprintf(out,
	        "set yrange [%g:0.6]\nset bmargin at screen %g\nset tmargin at screen %g\n"
	        "set key at screen 0.29, screen %g left top horizontal reverse Left samplen 1 width 2 maxcols 2\n"
	        "set multiplot\nset lmargin at screen 0.29\nset rmargin at screen 0.68\nset xrange [0:*]\n"
	        "set xlabel 'million packet-hops/s (PHOLD: events/s)'\nplot ",
	        -(double)names.n + 0.4, 73 / height, 1 - above / height, 1 - 6 / height);
	for (size_t m = 0; m < modes.n; m++) {
		fprintf(out, "%s$m%zu using 1:2:3:4 with xerrorbars pt 7 ps 0.9 lw 1.6 lc rgb '%s' title ",
		        m ? ", " : "", m, xp_hue((unsigned)m));
		xp_plot_string(out, modes.v[m]);
	}
	fputs("\nunset key\n", out);
	write_tics(out, &names, false);
	fputs("set lmargin at screen 0.71\nset rmargin at screen 0.98\n"
	      "set arrow from 1, graph 0 to 1, graph 1 nohead lw 1.2 lc rgb '#808080'\nset xrange [0:2.05<*]\nset "
	      "xtics 0.5\n"
	      "set xlabel 'ratio to one rank'\nplot 1 with lines lc rgb '#00000000' lw 0",
	      out);
	for (size_t m = 0; m < modes.n; m++)
		fprintf(out, ", $m%zu using 5:2 with points pt 7 ps 0.9 lc rgb '%s'", m, xp_hue((unsigned)m));
	fputs("\nunset multiplot\n", out);
	fclose(out);
	snprintf(file, sizeof file, "%s-rates", name);
	xp_bench_chart_rates(b, file, rates_caption);
	xp_figure(b->report, file, rates_caption, 1000, (int)height, script);
	free(script);
}

/* A bar a case and mode, its phases one after the other in per cent. */
static void draw_phases(const struct xp_bench *b, const json_t *cases, const char *name, const char *suffix)
{
	char *script = NULL, *labels = NULL, *totals = NULL, file[300];
	size_t bytes = 0, i, n = 0, lbytes = 0, tbytes = 0;
	json_t *c;
	const char *before = "";
	double y = 0;
	FILE *out = base_memory_stream(&script, &bytes), *tics = base_memory_stream(&labels, &lbytes),
	     *ends = base_memory_stream(&totals, &tbytes);
	fputs("$p << EOD\n", out);
	json_array_foreach (cases, i, c) {
		const json_t *part = json_object_get(c, "phase_s");
		double sum = 0, at = 0;
		for (size_t k = 0; k < XP_PHASES; k++)
			sum += json_number_value(json_object_get(part, xp_phases[k].name));
		if (!(sum > 0))
			continue;
		bool same = !strcmp(before, xp_text(c, "name"));
		y -= n ? same ? 1 : 1.6 : 0;
		char label[200];
		snprintf(label, sizeof label, "%.120s%s%.60s", same ? "" : xp_text(c, "name"), same ? "" : ", ",
		         xp_text(c, "mode"));
		fputs(n++ ? ", " : "", tics);
		xp_plot_string(tics, label);
		fprintf(tics, " %g", y);
		for (size_t k = 0; k < XP_PHASES; k++) {
			double share = 100 * json_number_value(json_object_get(part, xp_phases[k].name)) / sum;
			fprintf(out, "%zu %g %g %g\n", k, at + share / 2, y, share / 2);
			at += share;
		}
		double ns = 1e9 * sum / xp_bench_work(c);
		fprintf(ends,
		        ns < 1000 ? "set label '%.0f ns' at 101, %g left\n" : "set label '%.2f us' at 101, %g left\n",
		        ns < 1000 ? ns : ns / 1000, y);
		before = xp_text(c, "name");
	}
	fclose(tics);
	fclose(ends);
	double height = 166 + 17 * (1 - y);
	fprintf(out,
	        "EOD\n%sset ytics (%s) scale 0\nset xrange [0:100]\nset yrange [%g:0.8]\nunset grid\nset style fill "
	        "solid 1 noborder\n"
	        "set bmargin at screen %g\nset tmargin at screen %g\nset lmargin at screen 0.36\nset rmargin at screen "
	        "0.91\n"
	        "set key at screen 0.36, screen %g left top horizontal reverse Left samplen 1 width 1 maxrows 2\n"
	        "set xlabel 'share of the time of all ranks (%%); at the right, their time a packet-hop (PHOLD: an "
	        "event)'\nplot ",
	        totals, labels, y - 0.8, 73 / height, 1 - 78 / height, 1 - 6 / height);
	for (size_t k = 0; k < XP_PHASES; k++)
		fprintf(out, "%s$p using ($1==%zu?$2:NaN):3:4:(0.4) with boxxyerror lc rgb '%s' title '%s'",
		        k ? ", " : "", k, xp_phases[k].colour, xp_phases[k].name);
	fputc('\n', out);
	fclose(out);
	snprintf(file, sizeof file, "%s-%sphases", name, suffix);
	if (n) {
		xp_bench_chart_phases(b, cases, file, phases_caption);
		xp_figure(b->report, file, phases_caption, 1000, (int)height, script);
	}
	free(script);
	free(labels);
	free(totals);
}

/* A network of its own for each number of ranks: throughput and memory a rank against the network. */
static void draw_weak(const struct xp_bench *b, const char *name)
{
	char *script = NULL, file[300];
	size_t bytes = 0, i;
	json_t *c;
	struct xp_names names, syncs;
	double ranks[XP_BENCH_NAMES] = { 0 }, endpoints[XP_BENCH_NAMES] = { 0 };
	xp_names_of(b->weak, "name", &names);
	xp_names_of(b->weak, "sync", &syncs);
	json_array_foreach (b->weak, i, c) {
		size_t k = xp_name_index(&names, xp_text(c, "name"));
		if (k == XP_BENCH_NAMES)
			continue;
		ranks[k] = fmax(ranks[k], xp_number(c, "ranks", NULL));
		endpoints[k] = xp_number(c, "endpoints", NULL);
	}
	FILE *out = base_memory_stream(&script, &bytes);
	for (size_t s = 0; s < syncs.n; s++) {
		fprintf(out, "$s%zu << EOD\n", s);
		json_array_foreach (b->weak, i, c)
			if (xp_name_index(&syncs, xp_text(c, "sync")) == s)
				fprintf(out, "%zu %g %g\n", xp_name_index(&names, xp_text(c, "name")),
				        xp_number(c, "median", NULL) / 1e6,
				        xp_number(c, "peak_rss_rank_bytes", NULL) / 1e6);
		fputs("NaN NaN NaN\nEOD\n", out);
	}
	fputs("set xtics (", out);
	for (i = 0; i < names.n; i++)
		fprintf(out, "%s\"%.0f rank%s\\n%.0f\" %zu", i ? ", " : "", ranks[i], ranks[i] == 1 ? "" : "s",
		        endpoints[i], i);
	fprintf(out,
	        ")\nset xrange [-0.3:%g]\nset yrange [0:*]\nset xlabel 'ranks, and endpoints of the network' offset "
	        "0,-0.8\n"
	        "set key at screen 0.07, screen 0.99 left top vertical reverse Left samplen 1.6 width 2\n"
	        "set bmargin 5\nset tmargin %g\nset multiplot layout 1,2\nset ylabel 'million packet-hops/s'\n",
	        (double)names.n - 0.7, 1 + 1.3 * (double)syncs.n);
	for (unsigned panel = 2; panel <= 3; panel++) {
		for (size_t s = 0; s < syncs.n; s++) {
			bool alone = !strcmp(syncs.v[s], "sequential");
			fprintf(out, "%s$s%zu using 1:%u with linespoints pt %d lw 2 dt %d lc rgb '%s' title ",
			        s ? ", " : "plot ", s, panel, alone ? 6 : 7, alone ? 2 : 1,
			        alone ? "#8A8A8A" : xp_hue((unsigned)s));
			xp_plot_string(out, alone ? "one rank, same network" : syncs.v[s]);
		}
		fputs("\nunset key\nset ylabel 'memory of the largest rank (MB)'\n", out);
	}
	fputs("unset multiplot\n", out);
	fclose(out);
	snprintf(file, sizeof file, "%s-weak", name);
	xp_bench_chart_weak(b, file, weak_caption);
	xp_figure(b->report, file, weak_caption, 1000, 380, script);
	free(script);
}

static void write_instructions(const struct xp_bench *b)
{
	FILE *page = b->report->page;
	size_t i;
	json_t *c;
	fputs("<h3>Instructions</h3>\n<div class=\"scroll\"><table class=\"sortable\">\n<tr>", page);
	xp_page_head(b->report, NULL, "case", true);
	xp_page_head(b->report, "bench.instructions", "instructions", false);
	xp_page_head(b->report, NULL, "per", true);
	fputs("</tr>\n", page);
	json_array_foreach (b->instructions, i, c) {
		fputs("<tr><td class=\"l\">", page);
		xp_page_text(page, xp_text(c, "name"));
		fputs("</td>", page);
		xp_page_number(page, xp_number(c, "instructions", NULL), "%.1f");
		fputs("<td class=\"l\">", page);
		xp_page_text(page, xp_text(c, "unit"));
		fputs("</td></tr>\n", page);
	}
	fputs("</table></div>\n", page);
}

static void write_section(const struct xp_bench *b, const char *path, const char *problem)
{
	FILE *page = b->report->page;
	const char *slash = strrchr(path, '/');
	char name[256];
	snprintf(name, sizeof name, "%s", slash ? slash + 1 : path);
	char *suffix = strstr(name, ".jsonl");
	if (suffix)
		*suffix = 0;
	char title[300];
	snprintf(title, sizeof title, "Benchmarks %s", name);
	xp_page_section(b->report, title);
	if (problem)
		fprintf(
		    page,
		    "<p class=\"mark\">This file is not whole (%s): what follows is drawn from what it holds.</p>\n",
		    problem);
	write_machine(b);
	if (json_array_size(b->strong)) {
		fputs("<h3>Rates</h3>\n", page);
		draw_rates(b, name);
		write_table(b, b->strong);
		fputs("<h3>Phases</h3>\n", page);
		draw_phases(b, b->strong, name, "");
	}
	if (json_array_size(b->weak)) {
		fputs("<h3>Weak scaling</h3>\n", page);
		draw_weak(b, name);
		write_table(b, b->weak);
		draw_phases(b, b->weak, name, "weak-");
	}
	if (json_array_size(b->instructions))
		write_instructions(b);
}

bool xp_is_bench(const char *path)
{
	struct xp_log *log = xp_log_open(path, NULL);
	json_t *record = log ? xp_log_next(log) : NULL;
	bool is = record && !strcmp(xp_record_kind(record), "machine");
	json_decref(record);
	xp_log_close(log);
	return is;
}

int xp_report_bench(struct xp_report *report, const char *path)
{
	const char *why;
	struct xp_log *log = xp_log_open(path, &why);
	if (!log)
		return xp_error_at(report->errors, path, "%s", why);
	struct xp_bench b = {
		.report = report, .strong = json_array(), .weak = json_array(), .instructions = json_array()
	};
	json_t *record;
	size_t before = report->errors->errors;
	while ((record = xp_log_next(log))) {
		take(&b, record);
		json_decref(record);
	}
	write_section(&b, path, xp_log_problem(log));
	xp_log_close(log);
	json_decref(b.machine);
	json_decref(b.strong);
	json_decref(b.weak);
	json_decref(b.instructions);
	return report->errors->errors > before ? -1 : 0;
}

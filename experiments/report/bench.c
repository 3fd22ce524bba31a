/* experiments/report/bench.c - benchmarks: rates and their ratio to one rank, where the time goes, weak scaling,
 * memory.
 *
 * The file is small: its records of kind "case" and "instructions" are kept whole. A case is named; under each name
 * there are modes: a scheduler and its ranks. Names and modes are drawn in the order in which they first come. */
#include "experiments/report/bench.h"
#include "experiments/config/message.h"
#include "experiments/report/bench_chart.h"
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
		xp_bench_chart_rates(b, name, rates_caption);
		write_table(b, b->strong);
		fputs("<h3>Phases</h3>\n", page);
		xp_bench_chart_phases(b, b->strong, name, phases_caption);
	}
	if (json_array_size(b->weak)) {
		fputs("<h3>Weak scaling</h3>\n", page);
		xp_bench_chart_weak(b, name, weak_caption);
		write_table(b, b->weak);
		snprintf(title, sizeof title, "%s-weak", name);
		xp_bench_chart_phases(b, b->weak, title, phases_caption);
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

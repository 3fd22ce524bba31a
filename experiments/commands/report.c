/* experiments/commands/report.c - tilefly report: results as one HTML page. */
#include "experiments/report/report.h"
#include "experiments/commands/command.h"
#include "experiments/config/message.h"
#include "experiments/report/assets.h"
#include "experiments/report/comparison.h"
#include "experiments/report/front.h"
#include "experiments/report/network.h"
#include "experiments/report/overlay.h"
#include "experiments/report/page.h"
#include "experiments/report/read.h"
#include "experiments/report/records.h"
#include "experiments/report/spare.h"

#include "base/format.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char *path)
{
	struct stat st;
	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* Where the page goes without --out. */
static char *default_out(char *const *paths, int n)
{
	const char *suffix = strstr(paths[0], ".jsonl");
	if (n > 1)
		return base_strdup("report.html");
	if (is_folder(paths[0]))
		return base_format("%s/report.html", paths[0]);
	return base_format("%.*s.html", (int)(suffix ? (size_t)(suffix - paths[0]) : strlen(paths[0])), paths[0]);
}

typedef int xp_section_writer(struct xp_report *report, const char *path);

static xp_section_writer *section_of(const char *path)
{
	if (xp_is_comparison(path))
		return xp_report_comparison;
	if (xp_is_design(path))
		return xp_report_design;
	return is_folder(path) ? xp_report_sweep : xp_report_run;
}

/* Several results of one kind, in shared figures. */
static void write_overlays(struct xp_report *report, char *const *paths, xp_section_writer *const *section, int n)
{
	char **some = base_calloc((size_t)n + 1, sizeof *some);
	size_t runs = 0;
	json_t *sweeps = json_array();
	for (int i = 0; i < n; i++)
		if (section[i] == xp_report_sweep)
			json_array_append_new(sweeps, xp_json_text(paths[i]));
	if (json_array_size(sweeps) > 1) {
		xp_page_section(report, "Sweeps compared");
		xp_figures_of(report, "overlay", sweeps);
	} else {
		json_decref(sweeps);
	}
	for (int i = 0; i < n; i++)
		if (section[i] == xp_report_run)
			some[runs++] = paths[i];
	if (runs > 1)
		xp_overlay_runs(report, some, runs);
	free(some);
}

/* Pages of more runs than this have folded sections. */
#define UNFOLDED 6

/* *refused: a file is no log that a run has written, or would be written over. */
static int write_page(const struct xp_options *o, const char *out, char *const *paths, int n, bool *refused,
                      struct base_errors *errors)
{
	struct xp_report report = {
		.folder = { [XP_KIND_SVG] = o->svg, [XP_KIND_PNG] = o->png, [XP_KIND_PDF] = o->pdf },
		.width = o->width,
		.interactive = !o->plain && xp_has_charts(),
		.input = paths,
		.ninputs = (size_t)n,
		.errors = errors
	};
	int runs = 0, shown = 0;
	char title[512];
	if (strcmp(out, "-") != 0 && xp_spare_inputs(&report, out)) {
		*refused = true;
		return -1;
	}
	snprintf(title, sizeof title, "tilefly report: %.400s", n == 1 ? xp_last_part(paths[0]) : "several results");
	if (xp_report_begin(&report, title))
		return -1;
	xp_section_writer **section = base_calloc((size_t)n, sizeof *section); /* what a file is is read once */
	for (int i = 0; i < n; i++) {
		section[i] = section_of(paths[i]);
		runs += section[i] == xp_report_run;
	}
	report.several = report.interactive && runs > UNFOLDED;
	write_overlays(&report, paths, section, n);
	for (int i = 0; i < n; i++)
		shown += !section[i](&report, paths[i]);
	free(section);
	xp_network_section(&report);
	int status = xp_report_end(&report, shown ? out : NULL);
	*refused = report.refused;
	return status;
}

/* "3.5in": a positive number and a unit that draw.js knows. */
static bool is_length(const char *text)
{
	static const char *const units[] = { "in", "cm", "mm", "pt" };
	size_t digits = strspn(text, "0123456789.");
	bool known = false;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		known |= !strcmp(text + digits, units[i]);
	return known && digits < 16 && strtod(text, NULL) > 0;
}

static int check_width(const struct xp_options *o)
{
	if (!o->width || (is_length(o->width) && (o->svg || o->png || o->pdf)))
		return 0;
	fprintf(stderr, "tilefly report: --width %s: %s\n", o->width,
	        is_length(o->width) ? "has an effect only with --svg, --png or --pdf"
	                            : "not a length such as 3.5in, 9cm, 89mm or 252pt");
	return XP_USAGE;
}

static int run_report(const struct xp_options *o)
{
	struct base_errors errors = { 0 };
	if (check_width(o))
		return XP_USAGE;
	char *out = o->out ? base_strdup(o->out) : default_out(o->operand, o->operands);
	bool refused = false;
	int status = write_page(o, out, o->operand, o->operands, &refused, &errors) ? XP_FAILURE : XP_OK;
	if (refused)
		status = XP_USAGE;
	xp_message_errors(&errors);
	if (!status && !o->quiet && strcmp(out, "-") != 0)
		printf("%s\n", out);
	free(out);
	base_errors_free(&errors);
	return status;
}

const struct xp_command xp_command_report = {
	.name = "report",
	.summary = "draw results as charts in an HTML page",
	.operands = "PATH...",
	.text = "Draws results as charts in one self-contained HTML page; charts can be zoomed, show values at the "
		"pointer, and can be saved as SVG or CSV. PATH is the results directory of tilefly sweep, compare or "
		"design, or the result log FILE.jsonl.gz of a run. Several inputs give one page that begins with "
		"shared figures of the sweeps and of the runs. --static, --svg, --png and --pdf draw the same charts "
		"by node (Debian package nodejs); PNG and PDF also need rsvg-convert (librsvg2-bin). Without node a "
		"static page has tables only.\n\nSweep: accepted load and latency against offered load with published "
		"values, distributions, and the table of points. Run: latency distribution, throughput over time "
		"(record.timeline), occupancy by port and virtual channel (record.ports), sends and receives over time "
		"(record.activity), floor plan and latency by stage of the switches (record.switch). Comparison: "
		"ranking with confidence intervals, excluded candidates, saturation, size and cost of the networks, "
		"latency against load, collectives, failures of cables, and the effort. Search for designs: the Pareto "
		"front with confidence intervals, and at which step and why candidates were eliminated.",
	.examples = "tilefly report results/slimfly-validation\n"
		    "tilefly report run.jsonl.gz --static\n"
		    "tilefly report run.jsonl.gz --pdf figures --width 3.5in\n"
		    "tilefly report results/main results/mine --out compared.html\n",
	.status = "0 done, 1 an input could not be read or an output not drawn or written, 2 wrong usage, or PATH is a "
		  "device or a pipe, is not a result log, ends within a record, or would be overwritten.",
	.bit = XP_CMD_REPORT,
	.min_operands = 1,
	.max_operands = 1 << 20,
	.word = XP_WORD_RESULT,
	.ranks = XP_ALONE,
	.run = run_report,
};

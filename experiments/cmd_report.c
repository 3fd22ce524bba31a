/* experiments/cmd_report.c - tilefly report: results as one HTML page. */
#include "experiments/commands.h"
#include "experiments/report.h"
#include "experiments/report_bench.h"
#include "experiments/sweep.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char help[] =
    "usage: tilefly report PATH... [option ...]\n"
    "\n"
    "Draws results into one self-contained HTML page (no script, nothing fetched from elsewhere).\n"
    "\n"
    "  PATH          a sweep's folder, a run's FILE.jsonl.gz, or the FILE.jsonl of bench/run.sh; several give one page\n"
    "  --out FILE    the page (default: report.html in the sweep's folder, or FILE.html beside the run's file)\n"
    "  --svg DIR     writes the figures as SVG files too\n"
    "  --png DIR     ... as PNG files\n"
    "  --quiet       does not print the page's path\n"
    "  --help\n"
    "\n"
    "Figures need gnuplot. A sweep: accepted load and latency against load beside published values, distributions, "
    "the\n"
    "table. A run: latency distribution, throughput over time (record.timeline), occupancy by port and virtual "
    "channel\n"
    "(record.ports), sends and receives over time (record.activity), the switches' floor plan and latency by stage "
    "(record.switch). Benchmarks: rates and ratios to one rank, phases of the engine, weak scaling.\n"
    "Exit status: 0, 1 if something could not be read or drawn, 2 bad usage.\n";

struct options {
	const char *out, *svg, *png;
	bool quiet, help;
};

enum { OPT_OUT = 256, OPT_SVG, OPT_PNG, OPT_QUIET };

static int read_options(int argc, char **argv, struct options *o)
{
	static const struct option options[] = {
		{ "out", required_argument, NULL, OPT_OUT }, { "svg", required_argument, NULL, OPT_SVG },
		{ "png", required_argument, NULL, OPT_PNG }, { "quiet", no_argument, NULL, OPT_QUIET },
		{ "help", no_argument, NULL, 'h' },          { 0 }
	};
	static char name[] = "tilefly report";
	argv[0] = name; /* getopt's messages begin with it */
	optind = 0;
	for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
		if (c == OPT_OUT)
			o->out = optarg;
		else if (c == OPT_SVG)
			o->svg = optarg;
		else if (c == OPT_PNG)
			o->png = optarg;
		else if (c == OPT_QUIET)
			o->quiet = true;
		else if (c == 'h')
			o->help = true;
		else
			return 2; /* getopt has said why */
	}
	if (!o->help && optind == argc) {
		fprintf(stderr, "tilefly: report: which results? (--help says more)\n");
		return 2;
	}
	return 0;
}

static bool is_folder(const char *path)
{
	struct stat st;
	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* Where the page goes when nobody says. */
static char *default_out(char *const *paths, int n)
{
	char *out = NULL;
	int length = (int)strlen(paths[0]);
	const char *suffix = strstr(paths[0], ".jsonl");
	if (n > 1)
		return base_strdup("report.html");
	if (is_folder(paths[0]))
		length = asprintf(&out, "%s/report.html", paths[0]);
	else
		length = asprintf(&out, "%.*s.html", suffix ? (int)(suffix - paths[0]) : length, paths[0]);
	return length < 0 ? NULL : out;
}

static void remove_folder(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	while (folder && (entry = readdir(folder)))
		unlinkat(dirfd(folder), entry->d_name, 0);
	if (folder)
		closedir(folder);
	rmdir(path);
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

static int write_page(const struct options *o, const char *out, char *const *paths, int n, struct base_errors *errors)
{
	char temp[] = "/tmp/tilefly-report-XXXXXX", *text = NULL;
	size_t bytes = 0;
	if ((o->svg && xp_make_folder(o->svg, errors)) || (o->png && xp_make_folder(o->png, errors)))
		return -1;
	if (!mkdtemp(temp))
		return base_errorf(errors, NULL, "%s: %s", temp, strerror(errno));
	FILE *page = open_memstream(&text, &bytes);
	struct xp_report report = { .page = page, .svg = o->svg, .png = o->png, .temp = temp, .errors = errors };
	int shown = 0;
	char title[512];
	snprintf(title, sizeof title, "tilefly report: %.400s", n == 1 ? last_part(paths[0]) : "several results");
	xp_page_begin(page, title);
	for (int i = 0; i < n; i++)
		shown += !(is_folder(paths[i])   ? xp_report_sweep :
		           xp_is_bench(paths[i]) ? xp_report_bench :
		                                   xp_report_run)(&report, paths[i]);
	xp_page_end(page);
	fclose(page);
	remove_folder(temp);
	if (shown)
		xp_write_file(out, text, bytes, errors);
	free(text);
	return errors->errors ? -1 : 0;
}

int xp_cmd_report(int argc, char **argv)
{
	struct options o = { 0 };
	struct base_errors errors = { 0 };
	int status = read_options(argc, argv, &o);
	if (status || o.help) {
		if (!status)
			fputs(help, stdout);
		return status;
	}
	char *out = o.out ? base_strdup(o.out) : default_out(argv + optind, argc - optind);
	status = write_page(&o, out, argv + optind, argc - optind, &errors) ? 1 : 0;
	for (size_t i = 0; i < errors.n; i++)
		fprintf(stderr, "tilefly: report: %s\n", errors.v[i].text);
	if (!status && !o.quiet)
		printf("%s\n", out);
	free(out);
	base_errors_free(&errors);
	return status;
}

/* experiments/report/figure.c - drawing with gnuplot and setting the SVG into the page; see figure.h. */
#include "experiments/report/figure.h"
#include "experiments/report/page.h"
#include "experiments/report/spare.h"

#include "base/format.h"
#include "base/memory.h"
#include "experiments/results/file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

const char *const xp_temporaries[XP_TEMPORARIES] = {
	[XP_BODY] = "body.gp",      [XP_MAIN] = "main.gp",   [XP_GNUPLOT_LOG] = "gnuplot.log",
	[XP_PAGE_SVG] = "page.svg", [XP_SVG] = "figure.svg", [XP_PNG] = "figure.png"
};

const char *xp_hue(unsigned i)
{
	/* Okabe and Ito, "Color universal design", 2008; without black, and with Tol's wine for the yellow that white
	 * paper swallows. */
	static const char *const hues[XP_HUES] = { "#0072B2", "#D55E00", "#009E73", "#CC79A7",
		                                   "#E69F00", "#56B4E9", "#8A8A8A", "#882255" };
	return hues[i % XP_HUES];
}

void xp_plot_string(FILE *script, const char *text)
{
	/* Between single quotes gnuplot misreads a text that begins with one; between double quotes these are special.
	 */
	fputc('"', script);
	for (; *text; text++) {
		if (strchr("\"\\`", *text))
			fprintf(script, "\\%03o", (unsigned)*text);
		else
			fputc(*text == '\n' ? ' ' : *text, script);
	}
	fputc('"', script);
}

static double packets_of(const json_t *bins)
{
	double total = 0;
	size_t i;
	json_t *bin;
	json_array_foreach (bins, i, bin)
		total += json_number_value(json_array_get(bin, 2));
	return total;
}

static double lowest(const json_t *bins)
{
	return json_number_value(json_array_get(json_array_get(bins, 0), 0));
}

bool xp_has_ccdf(const json_t *histogram)
{
	const json_t *bins = json_object_get(histogram, "bins");
	return packets_of(bins) > 0 && (lowest(bins) > 0 || json_array_size(bins) > 1);
}

bool xp_any_ccdf(const json_t *histograms)
{
	size_t i;
	json_t *histogram;
	json_array_foreach (histograms, i, histogram)
		if (xp_has_ccdf(histogram))
			return true;
	return false;
}

void xp_write_ccdf(FILE *script, const json_t *histogram)
{
	const json_t *bins = json_object_get(histogram, "bins"), *bin;
	size_t i;
	double total = packets_of(bins), below = 0;
	if (total > 0 && lowest(bins) > 0)
		fprintf(script, "%.6g 1\n", lowest(bins) / 1000);
	json_array_foreach (bins, i, bin) {
		below += json_number_value(json_array_get(bin, 2));
		double above = (total - below) / total;
		if (above > 0)
			fprintf(script, "%.6g %.6g\n", json_number_value(json_array_get(bin, 1)) / 1000, above);
	}
}

static int run_gnuplot(struct xp_report *report, const char *script)
{
	char *log;
	log = base_format("%s/%s", report->temp, xp_temporaries[XP_GNUPLOT_LOG]);
	pid_t pid = fork();
	if (!pid) {
		int out = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
		dup2(out, 1);
		dup2(out, 2);
		execlp("gnuplot", "gnuplot", script, (char *)NULL);
		_exit(127);
	}
	int status = -1;
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	char text[512] = "";
	FILE *said = fopen(log, "r");
	if (said) {
		text[fread(text, 1, sizeof text - 1, said)] = 0;
		fclose(said);
	}
	free(log);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return base_errorf(report->errors, NULL,
		                   "gnuplot is not installed; figures need it (Debian: gnuplot-nox)");
	if (status)
		return base_errorf(report->errors, NULL, "gnuplot failed: %s", text);
	return 0;
}

/* `from` replaced by `to` in a whole text. */
static char *replace(char *text, const char *from, const char *to)
{
	char *out = NULL;
	size_t bytes = 0;
	FILE *stream = base_memory_stream(&out, &bytes);
	const char *p = text, *hit;
	while ((hit = strstr(p, from))) {
		fwrite(p, 1, (size_t)(hit - p), stream);
		fputs(to, stream);
		p = hit + strlen(from);
	}
	fputs(p, stream);
	fclose(stream);
	free(text);
	return out;
}

static char *read_whole(const char *path, size_t *bytes)
{
	FILE *in = fopen(path, "r");
	if (!in)
		return NULL;
	char *text = NULL;
	size_t n = 0, room = 0, got;
	do {
		text = base_realloc(text, room = room ? 2 * room : 1 << 16);
		got = fread(text + n, 1, room - n - 1, in);
		n += got;
	} while (got);
	text[n] = 0;
	*bytes = n;
	fclose(in);
	return text;
}

/* What a drawing ends with if it is whole: gnuplot does not always say that a disk was full. */
static const char svg_end[] = "</svg>", png_end[] = "IEND\xae\x42\x60\x82";

static bool is_whole(const char *bytes, size_t n, const char *end, size_t length)
{
	while (n && strchr("\r\n ", bytes[n - 1]))
		n--;
	return n >= length && !memcmp(bytes + n - length, end, length);
}

/* The drawing without its XML head, with identifiers of its own (gnuplot's are the same in every file). */
static int embed(struct xp_report *report, const char *path, const char *caption)
{
	size_t n = 0;
	char *text = read_whole(path, &n);
	char *start = text ? strstr(text, "<svg") : NULL;
	if (!start || !is_whole(text, n, svg_end, sizeof svg_end - 1)) {
		free(text);
		return base_errorf(report->errors, NULL,
		                   start ? "%s: gnuplot could not draw all of it (is the disk full?)"
		                         : "%s: gnuplot drew nothing",
		                   path);
	}
	memmove(text, start, strlen(start) + 1);
	static const char *const ids[] = { "gpPt", "gpDot", "gnuplot_canvas", "textbox", "greybox" };
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
		char to[64];
		snprintf(to, sizeof to, "f%u%s", report->figures, ids[i]);
		text = replace(text, ids[i], to);
	}
	text = replace(text, "<title>Gnuplot</title>", ""); /* a tooltip that says nothing */
	fprintf(report->page, "<figure>\n%s\n<figcaption>", text);
	xp_page_text(report->page, caption);
	fputs("</figcaption></figure>\n", report->page);
	free(text);
	return 0;
}

/* Appends the commands that draw body.gp with a terminal into a file. */
static void terminal(FILE *main_script, const char *term, const char *file, const char *body)
{
	fprintf(main_script, "reset\nset terminal %s\nset output ", term);
	xp_plot_string(main_script, file);
	fputs("\nload ", main_script);
	xp_plot_string(main_script, body);
	fputs("\nset output\n", main_script);
}

/* Copies a drawing out of the temporary folder. */
static int keep(struct xp_report *report, const char *drawn, const char *folder, const char *name, const char *suffix,
                const char *end, size_t end_length)
{
	char file[4096];
	size_t n = 0;
	char *bytes = read_whole(drawn, &n);
	int status = -1;
	snprintf(file, sizeof file, "%s/%s.%s", folder, name, suffix);
	if (!bytes || !is_whole(bytes, n, end, end_length))
		base_errorf(report->errors, NULL, "%s: gnuplot could not draw all of it (is the disk full?)", drawn);
	else if (!xp_spare_inputs(report, file))
		status = xp_file_save(file, bytes, n, report->errors);
	free(bytes);
	return status;
}

static int write_script(struct xp_report *report, const char *path, const char *head, const char *script)
{
	FILE *out = fopen(path, "w");
	bool bad = !out || fputs(head, out) < 0 || fputs(script, out) < 0;
	if (out && fclose(out))
		bad = true;
	return bad ? base_errorf(report->errors, NULL, "%s: %s", path, strerror(errno)) : 0;
}

const char *xp_figure_name(json_t **names, const char *name, char *out, size_t room)
{
	*names = *names ? *names : json_object();
	json_int_t n = json_integer_value(json_object_get(*names, name)) + 1;
	json_object_set_new(*names, name, json_integer(n));
	if (n == 1)
		snprintf(out, room, "%s", name);
	else
		snprintf(out, room, "%s-%" JSON_INTEGER_FORMAT, name, n);
	return out;
}

int xp_figure(struct xp_report *report, const char *name, const char *caption, int width, int height,
              const char *script)
{
	static const char ground[] = "set style line 100 lc rgb '#808080' lw 0.4\nset grid ls 100\nset border lw 0.8\n"
				     "set tics nomirror out scale 0.6\n";
	char *text = NULL, path[XP_TEMPORARIES][4096], term[256], own[600];
	size_t bytes = 0;
	if (!xp_figure_wanted(report))
		return 0;
	report->figures++;
	name = xp_figure_name(&report->names, name, own, sizeof own);
	for (int i = 0; i < XP_TEMPORARIES; i++)
		snprintf(path[i], sizeof path[i], "%s/%s", report->temp, xp_temporaries[i]);
	FILE *main_script = base_memory_stream(&text, &bytes);
	snprintf(term, sizeof term, "svg noenhanced standalone size %d,%d font 'sans-serif,13'", width, height);
	if (!report->interactive)
		terminal(main_script, term, path[XP_PAGE_SVG], path[XP_BODY]);
	if (report->svg) {
		snprintf(term, sizeof term,
		         "svg noenhanced standalone size %d,%d font 'sans-serif,13' background 'white'", width, height);
		terminal(main_script, term, path[XP_SVG], path[XP_BODY]);
	}
	if (report->png) {
		snprintf(term, sizeof term, "pngcairo noenhanced size %d,%d font 'sans,13' fontscale 1.5 linewidth 1.6",
		         2 * width, 2 * height);
		terminal(main_script, term, path[XP_PNG], path[XP_BODY]);
	}
	fclose(main_script);
	for (int i = XP_PAGE_SVG; i <= XP_PNG; i++)
		unlink(path[i]); /* of the figure before */
	int status = write_script(report, path[XP_BODY], ground, script) ||
	             write_script(report, path[XP_MAIN], "", text) || run_gnuplot(report, path[XP_MAIN]) ||
	             (!report->interactive && embed(report, path[XP_PAGE_SVG], caption));
	free(text);
	if (status)
		return -1;
	int svg = report->svg ? keep(report, path[XP_SVG], report->svg, name, "svg", svg_end, sizeof svg_end - 1) : 0;
	int png = report->png ? keep(report, path[XP_PNG], report->png, name, "png", png_end, sizeof png_end - 1) : 0;
	return svg || png ? -1 : 0;
}

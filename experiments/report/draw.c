/* experiments/report/draw.c - see draw.h */
#include "experiments/report/draw.h"
#include "experiments/report/assets.h"
#include "experiments/report/spare.h"

#include "base/format.h"
#include "base/memory.h"
#include "experiments/results/file.h"
#include "experiments/results/reader.h"
#include "experiments/runs/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_FOUND 127 /* exit status of a program that is not installed */

const char *const xp_temporaries[XP_TEMPORARIES] = {
	[XP_SCRIPT] = "draw.cjs", [XP_FIGURES] = "figures.json", [XP_DRAWN] = "drawn.json",
	[XP_LOG] = "draw.log",    [XP_SVG] = "figure.svg",       [XP_CONVERTED] = "figure.out"
};

/* The file formats of figures, and the bytes with which a complete file ends. */
static const struct figure_kind {
	const char *suffix, *end;
	size_t length;
} kinds[XP_KINDS] = {
	[XP_KIND_SVG] = { "svg", "</svg>", 6 },
	[XP_KIND_PNG] = { "png", "IEND\xae\x42\x60\x82", 8 },
	[XP_KIND_PDF] = { "pdf", "%%EOF", 5 },
};

static bool is_saving(const struct xp_report *report)
{
	for (int k = 0; k < XP_KINDS; k++)
		if (report->folder[k])
			return true;
	return false;
}

bool xp_is_drawing(const struct xp_report *report)
{
	return !report->interactive || is_saving(report);
}

void xp_draw_later(struct xp_report *report, const json_t *place)
{
	json_t *own = json_copy((json_t *)place);
	fflush(report->page);
	json_object_set_new(own, "at", json_integer((json_int_t)report->bytes));
	report->drawn = report->drawn ? report->drawn : json_array();
	json_array_append_new(report->drawn, own);
}

/* --- other programs ----------------------------------------------------------------------------------------- */

static char *path_of(const struct xp_report *report, int temporary)
{
	return base_format("%s/%s", report->temp, xp_temporaries[temporary]);
}

static void open_as(const struct xp_report *report, int temporary, int flags, int fd)
{
	char *path = path_of(report, temporary);
	int opened = open(path, flags, 0600);
	if (opened < 0 || dup2(opened, fd) < 0)
		_exit(1);
	free(path);
}

/* Runs a program whose standard input and output are two temporary files of the report, given by number. Its error
 * output is written to the temporary file XP_LOG. Returns the exit status, 128 + the number of the signal that ended
 * the program, or -1 if it could not be started. */
static int run_program(const struct xp_report *report, const char *const *words, int in, int out)
{
	int status = -1;
	pid_t pid = fork();
	if (!pid) {
		open_as(report, in, O_RDONLY, 0);
		open_as(report, out, O_WRONLY | O_CREAT | O_TRUNC, 1);
		open_as(report, XP_LOG, O_WRONLY | O_CREAT | O_TRUNC, 2);
		execvp(words[0], (char *const *)words);
		_exit(NOT_FOUND);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (pid < 0)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static char *read_temporary(const struct xp_report *report, int temporary, size_t *bytes)
{
	char *path = path_of(report, temporary), *text = NULL, block[1 << 16];
	FILE *in = fopen(path, "r"), *all = base_memory_stream(&text, bytes);
	size_t n;
	while (in && (n = fread(block, 1, sizeof block, in)))
		fwrite(block, 1, n, all);
	if (in)
		fclose(in);
	fclose(all);
	free(path);
	return text;
}

static int program_failed(struct xp_report *report, const char *program, int status)
{
	size_t bytes;
	char *said = read_temporary(report, XP_LOG, &bytes);
	if (status < 0)
		base_errorf(report->errors, NULL, "%s cannot be started", program);
	else if (status > 128)
		base_errorf(report->errors, NULL, "%s was terminated by signal %d (out of memory?)", program,
		            status - 128);
	else
		base_errorf(report->errors, NULL, "%s failed with exit status %d%s%.400s", program, status,
		            bytes ? ": " : "", said);
	free(said);
	return -1;
}

/* A temporary file with a text. */
static int write_temporary(struct xp_report *report, int temporary, const char *text, size_t bytes)
{
	char *path = path_of(report, temporary);
	FILE *out = fopen(path, "w");
	bool bad = !out || fwrite(text, 1, bytes, out) != bytes;
	if (out && fclose(out))
		bad = true;
	if (bad)
		base_errorf(report->errors, NULL, "%s: %s", path, strerror(errno));
	free(path);
	return bad ? -1 : 0;
}

static int write_script(struct xp_report *report)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *script = base_memory_stream(&text, &bytes);
	xp_write_drawer(script);
	fclose(script);
	int status = write_temporary(report, XP_SCRIPT, text, bytes);
	free(text);
	return status;
}

static int write_figures(struct xp_report *report)
{
	char *style = NULL;
	size_t bytes = 0;
	FILE *css = base_memory_stream(&style, &bytes);
	xp_write_style(css);
	fclose(css);
	json_t *all = json_pack("{s:s, s:s, s:O?, s:O, s:b, s:b}", "style", style, "width",
	                        report->width ? report->width : "", "records", report->records, "places", report->drawn,
	                        "page", !report->interactive, "files", is_saving(report));
	char *text = json_dumps(all, JSON_COMPACT | JSON_REAL_PRECISION(7));
	int status = write_temporary(report, XP_FIGURES, text, strlen(text));
	free(text);
	free(style);
	json_decref(all);
	return status;
}

/* --- what was drawn ----------------------------------------------------------------------------------------- */

/* Says that something is missing: an error where files are wanted, else a warning about the page. */
static json_t *draw_nothing(struct xp_report *report, const char *why)
{
	if (is_saving(report))
		base_errorf(report->errors, NULL, "%s", why);
	else
		base_warnf(report->errors, NULL, "the page has only tables, no figures: %s", why);
	return NULL;
}

/* The drawings at all places, in their order; NULL with an error, or with a warning where something is missing. */
static json_t *draw_figures(struct xp_report *report)
{
	if (!xp_has_charts())
		return draw_nothing(report,
		                    "this program was built without ECharts (npm was missing or not reachable)");
	char *script = path_of(report, XP_SCRIPT);
	const char *const words[] = { "node", script, NULL };
	bool written = !write_script(report) && !write_figures(report);
	int status = written ? run_program(report, words, XP_FIGURES, XP_DRAWN) : -1;
	json_t *drawings = NULL;
	size_t bytes;
	free(script);
	if (status == NOT_FOUND)
		return draw_nothing(report,
		                    "figures are drawn by node, which is not installed (Debian package nodejs)");
	if (written && status)
		program_failed(report, "node", status);
	char *text = status ? NULL : read_temporary(report, XP_DRAWN, &bytes);
	if (text && !(drawings = json_loadb(text, bytes, 0, NULL)))
		base_errorf(report->errors, NULL, "node did not draw all figures (is the disk full?)");
	free(text);
	return drawings;
}

/* Sets the drawings into the text of a static page, each at its place. */
static void set_into_page(struct xp_report *report, const json_t *drawings)
{
	char *text = NULL;
	size_t bytes = 0, from = 0, i;
	FILE *page = base_memory_stream(&text, &bytes);
	json_t *place;
	json_array_foreach (report->drawn, i, place) {
		size_t at = (size_t)json_integer_value(json_object_get(place, "at"));
		fwrite(report->text + from, 1, at - from, page);
		from = at;
		fputs(xp_text(json_array_get(drawings, i), "html"), page);
	}
	fwrite(report->text + from, 1, report->bytes - from, page);
	fclose(page);
	free(report->text);
	report->text = text;
	report->bytes = bytes;
}

static bool is_whole(const char *bytes, size_t n, const struct figure_kind *kind)
{
	while (n && strchr("\r\n ", bytes[n - 1]))
		n--;
	return n >= kind->length && !memcmp(bytes + n - kind->length, kind->end, kind->length);
}

/* The drawing in another kind of file; NULL with an error. */
static char *convert(struct xp_report *report, const char *svg, const struct figure_kind *kind, size_t *bytes)
{
	/* a point of a drawing without a width is a pixel of a screen, one with a width is printed */
	const char *const screen[] = { "rsvg-convert", "-f", kind->suffix, "-z", "2", NULL };
	const char *const print[] = { "rsvg-convert", "-f", kind->suffix, "-d", "300", "-p", "300", NULL };
	const char *const vectors[] = { "rsvg-convert", "-f", kind->suffix, NULL };
	bool pixels = kind == &kinds[XP_KIND_PNG];
	if (write_temporary(report, XP_SVG, svg, strlen(svg)))
		return NULL;
	int status = run_program(report, !pixels ? vectors : report->width ? print : screen, XP_SVG, XP_CONVERTED);
	if (status == NOT_FOUND)
		base_errorf(report->errors, NULL,
		            "%s files are made by rsvg-convert, which is not installed (Debian package librsvg2-bin)",
		            pixels ? "PNG" : "PDF");
	else if (status)
		program_failed(report, "rsvg-convert", status);
	return status ? NULL : read_temporary(report, XP_CONVERTED, bytes);
}

static int save_drawing(struct xp_report *report, const char *name, const char *svg, int k)
{
	size_t bytes = strlen(svg);
	char *file = base_format("%s/%s.%s", report->folder[k], name, kinds[k].suffix);
	char *content = k == XP_KIND_SVG ? base_strdup(svg) : convert(report, svg, &kinds[k], &bytes);
	int status = -1;
	if (content && !is_whole(content, bytes, &kinds[k]))
		base_errorf(report->errors, NULL, "%s was not drawn completely (is the disk full?)", file);
	else if (content && !xp_spare_inputs(report, file))
		status = xp_file_save(file, content, bytes, report->errors);
	free(content);
	free(file);
	return status;
}

/* The files of all figures that were drawn; the first that fails ends it. */
static void save_drawings(struct xp_report *report, const json_t *drawings)
{
	int status = 0;
	size_t i, f;
	json_t *place, *file;
	for (int k = 0; k < XP_KINDS && !status; k++) /* only now, as a report that fails leaves no folder behind */
		if (report->folder[k])
			status = xp_make_folder(report->folder[k], report->errors);
	for (int k = 0; k < XP_KINDS && !status; k++) /* SVG first, which needs no other program */
		json_array_foreach (drawings, i, place)
			json_array_foreach (json_object_get(place, "files"), f, file)
				if (report->folder[k] && !status)
					status = save_drawing(report, xp_text(file, "name"), xp_text(file, "svg"), k);
}

void xp_draw(struct xp_report *report)
{
	json_t *drawings = report->drawn ? draw_figures(report) : NULL;
	if (!drawings)
		return;
	if (!report->interactive)
		set_into_page(report, drawings);
	save_drawings(report, drawings);
	json_decref(drawings);
}

/* experiments/report/records.c - see records.h */
#include "experiments/report/records.h"
#include "experiments/report/draw.h"
#include "experiments/report/page.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

json_t *xp_json_text(const char *text)
{
	json_t *value = json_string(text);
	if (value)
		return value;
	char *copy = base_strdup(text); /* it is not UTF-8 */
	for (char *p = copy; *p; p++)
		if ((unsigned char)*p >= 0x80)
			*p = '?';
	value = json_string(copy);
	free(copy);
	return value;
}

json_t *xp_json_number(double value)
{
	bool whole = isfinite(value) && fabs(value) < 1e15 && floor(value) >= value;
	return !isfinite(value) ? json_null() : whole ? json_integer((json_int_t)value) : json_real(value);
}

json_t *xp_json_short(double value)
{
	char text[40];
	snprintf(text, sizeof text, "%.3g", value);
	return xp_json_number(strtod(text, NULL));
}

/* Of a page all together; one map always gets a few. */
#define LEAST_CELLS 900
#define MOST_CELLS 60000

size_t xp_heat_cells(struct xp_report *report, size_t wanted)
{
	size_t most = report->cells / 4 > LEAST_CELLS ? report->cells / 4 : LEAST_CELLS;
	size_t given = wanted < most ? wanted : most;
	given = given < MOST_CELLS ? given : MOST_CELLS;
	report->cells -= given < report->cells ? given : report->cells;
	return given;
}

/* --- into the page ------------------------------------------------------------------------------------------ */

/* Nothing in the text can end its element. */
static void write_json_text(FILE *page, const json_t *value)
{
	char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(7));
	for (const char *p = text ? text : "{}"; *p; p++)
		if (*p == '<')
			fputs("\\u003c", page);
		else
			fputc(*p, page);
	free(text);
}

void xp_write_json(FILE *page, const json_t *value, const char *id)
{
	fputs("<script type=\"application/json\"", page);
	if (id)
		fprintf(page, " id=\"%s\"", id);
	fputc('>', page);
	write_json_text(page, value);
	fputs("</script>", page);
}

/* A place of the page for figures, said by `place`, which is released. */
static void write_place(struct xp_report *report, json_t *place)
{
	if (xp_is_drawing(report))
		xp_draw_later(report, place);
	if (report->interactive) {
		fputs("<div class=\"figures\">", report->page);
		xp_write_json(report->page, place, NULL);
		fputs("</div>\n", report->page);
	}
	json_decref(place);
}

void xp_records(struct xp_report *report, const char *id, json_t *records)
{
	if (xp_is_drawing(report)) {
		report->records = report->records ? report->records : json_object();
		json_object_set(report->records, id, records);
	}
	if (report->interactive) {
		fputs("<script type=\"application/json\" class=\"records\" data-id=\"", report->page);
		xp_page_text(report->page, id);
		fputs("\">", report->page);
		write_json_text(report->page, records);
		fputs("</script>\n", report->page);
	}
	json_decref(records);
}

void xp_figures(struct xp_report *report, const char *maker, const char *id)
{
	write_place(report, json_pack("{s:s, s:o}", "make", maker, "of", xp_json_text(id)));
}

void xp_figures_of(struct xp_report *report, const char *maker, json_t *ids)
{
	write_place(report, json_pack("{s:s, s:o}", "make", maker, "of", ids));
}

double xp_shown(const struct xp_report *report, double value)
{
	char text[40];
	if (!report->several || !isfinite(value))
		return value;
	snprintf(text, sizeof text, "%.4g", value);
	return strtod(text, NULL);
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

bool xp_has_ccdf(const json_t *histogram)
{
	const json_t *bins = json_object_get(histogram, "bins");
	return packets_of(bins) > 0 &&
	       (json_number_value(json_array_get(json_array_get(bins, 0), 0)) > 0 || json_array_size(bins) > 1);
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

static void add_step(json_t *points, double x, double y)
{
	json_array_append_new(points, json_pack("[o, o]", xp_json_number(x), xp_json_number(y)));
}

/* Converts a histogram of latencies to the points of its complementary distribution. A point is left out if it is
 * closer to the last one than a hundredth of a decade in latency and a fiftieth of a decade in the fraction. On pages
 * with many runs, whose charts are collapsed, these limits are three hundredths and an eighth. */
json_t *xp_ccdf(const struct xp_report *report, const json_t *histogram)
{
	json_t *points = json_array();
	const json_t *bins = json_object_get(histogram, "bins"), *bin;
	double total = packets_of(bins), below = 0, last_x = 0, last_y = 0, seen[2] = { 0.01, 0.02 };
	size_t i, n = json_array_size(bins);
	if (!xp_has_ccdf(histogram))
		return points;
	if (report->several) {
		seen[0] = 0.03;
		seen[1] = 0.125;
	}
	double first = json_number_value(json_array_get(json_array_get(bins, 0), 0)) / 1000;
	if (first > 0)
		add_step(points, last_x = first, last_y = 1);
	json_array_foreach (bins, i, bin) {
		below += json_number_value(json_array_get(bin, 2));
		double x = json_number_value(json_array_get(bin, 1)) / 1000, y = (total - below) / total;
		if (!(y > 0) || !(x > 0))
			continue;
		if (i + 2 < n && log10(x / last_x) < seen[0] && log10(last_y / y) < seen[1])
			continue;
		last_x = x;
		last_y = y;
		add_step(points, xp_shown(report, x), xp_shown(report, y));
	}
	return points;
}

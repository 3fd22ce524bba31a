/* experiments/report/page.c - the HTML around the figures; see page.h. */
#include "experiments/report/page.h"
#include "experiments/report/assets.h"
#include "experiments/report/records.h"
#include "experiments/report/terms.h"
#include "experiments/results/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void xp_page_text(FILE *page, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '<':
			fputs("&lt;", page);
			break;
		case '>':
			fputs("&gt;", page);
			break;
		case '&':
			fputs("&amp;", page);
			break;
		case '"':
			fputs("&quot;", page);
			break;
		default:
			fputc(*text, page);
		}
	}
}

/* Nothing is fetched, whatever a result's texts say. */
static const char policy[] = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
			     "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data: blob:\">\n";

void xp_page_begin(struct xp_report *report, const char *title)
{
	FILE *page = report->page;
	fputs("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n", page);
	fputs(policy, page);
	fputs("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>", page);
	xp_page_text(page, title);
	fputs("</title>\n<style>\n", page);
	xp_write_style(page);
	fputs("</style>\n<body>\n", page);
	fputs(report->interactive ? "<header class=\"top\">\n<h1>" : "<div class=\"top\"><h1>", page);
	xp_page_text(page, title);
	fputs(report->interactive
	          ? "</h1>\n<button type=\"button\" class=\"theme\" hidden></button>\n</header>\n"
	            "<noscript><p class=\"top\">The charts of this page need its script; tilefly report "
	            "--static makes one without.</p></noscript>\n<main>\n"
	          : "</h1></div>\n<main>\n",
	      page);
}

void xp_page_end(struct xp_report *report)
{
	FILE *page = report->page;
	fputs("</main>\n", page);
	if (report->interactive) {
		if (report->terms)
			xp_write_json(page, report->terms, "terms");
		fputc('\n', page);
		xp_write_scripts(page);
	}
	fputs("</body>\n</html>\n", page);
}

void xp_page_section(struct xp_report *report, const char *title)
{
	fputs("<h2>", report->page);
	xp_page_text(report->page, title);
	fputs("</h2>\n", report->page);
}

void xp_page_term(struct xp_report *report, const char *term, const char *text)
{
	char meaning[600];
	FILE *page = report->page;
	const char *known = term ? xp_term(term, meaning, sizeof meaning) : NULL;
	if (known && report->interactive) {
		report->terms = report->terms ? report->terms : json_object();
		json_object_set_new(report->terms, term, xp_json_text(known));
		fprintf(page, "<span data-term=\"%s\">", term);
	} else if (known) {
		fputs("<span title=\"", page);
		xp_page_text(page, known);
		fputs("\">", page);
	}
	xp_page_text(page, text);
	if (known)
		fputs("</span>", page);
}

void xp_page_head(struct xp_report *report, const char *term, const char *text, bool left)
{
	fprintf(report->page, "<th scope=\"col\"%s>", left ? " class=\"l\"" : "");
	xp_page_term(report, term, text);
	fputs("</th>", report->page);
}

/* `decimals` behind the point, thousands set apart. */
static const char *grouped(double value, int decimals, char out[64])
{
	char digits[48];
	if (!isfinite(value) || fabs(value) > 1e18) {
		snprintf(out, 64, "–");
		return out;
	}
	snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
	size_t whole = strcspn(digits, "."), n = 0;
	if (value < 0 && strspn(digits, "0.") < strlen(digits))
		n += (size_t)snprintf(out, 64, "−");
	for (size_t i = 0; digits[i] && n < 62; i++) {
		out[n++] = digits[i];
		if (i + 1 < whole && (whole - i - 1) % 3 == 0)
			out[n++] = ',';
	}
	out[n] = 0;
	return out;
}

static int decimals_of(double value, int digits)
{
	if (!isfinite(value) || fabs(value) < 1e-12)
		return 0;
	int after = digits - 1 - (int)floor(log10(fabs(value)));
	return after < 0 ? 0 : after > 12 ? 12 : after;
}

const char *xp_plain(double value, int digits, char out[64])
{
	grouped(value, decimals_of(value, digits), out);
	char *end = out + strlen(out);
	if (strchr(out, '.'))
		while (end[-1] == '0')
			*--end = 0;
	if (end > out && end[-1] == '.')
		end[-1] = 0;
	return out;
}

void xp_page_plain(FILE *page, double value, int digits)
{
	char text[64];
	if (isfinite(value))
		fprintf(page, "<td data-value=\"%.10g\">%s</td>", value, xp_plain(value, digits, text));
	else
		fputs("<td>–</td>", page);
}

void xp_page_interval_in(FILE *page, double low, double high, int digits, double scale, const char *unit)
{
	char from[64], to[64];
	int decimals = decimals_of(fmax(fabs(low), fabs(high)) / scale, digits);
	if (high > low && decimals_of((high - low) / scale, 2) < decimals)
		decimals = decimals_of((high - low) / scale, 2);
	if (!isfinite(low) || !isfinite(high)) {
		fputs("<td>–</td>", page);
		return;
	}
	fprintf(page, "<td data-value=\"%.10g\">%s", (low + high) / 2, grouped(low / scale, decimals, from));
	if (high > low)
		fprintf(page, "&nbsp;to&nbsp;%s", grouped(high / scale, decimals, to));
	fprintf(page, "%s%s</td>", *unit ? "&nbsp;" : "", unit);
}

void xp_page_interval(FILE *page, double low, double high, int digits)
{
	xp_page_interval_in(page, low, high, digits, 1, "");
}

void xp_page_cell(FILE *page, const char *text)
{
	fputs("<td class=\"l\">", page);
	xp_page_text(page, text);
	fputs("</td>", page);
}

void xp_page_count(FILE *page, double n)
{
	char text[64];
	fprintf(page, "<td>%s</td>", grouped(n, 0, text));
}

void xp_page_time(FILE *page, double ns, bool at_least)
{
	static const struct {
		double ns;
		const char *name;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "µs" }, { 1, "ns" }, { 1e-3, "ps" } };
	size_t u = 0;
	if (!isfinite(ns)) {
		fputs("<td>–</td>", page);
		return;
	}
	while (u < 3 && fabs(ns) < units[u].ns)
		u++;
	double value = ns / units[u].ns;
	int digits = fabs(value) >= 1000 ? 0 : fabs(value) >= 100 ? 1 : fabs(value) >= 10 ? 2 : 3;
	fprintf(page, "<td data-value=\"%.10g\">%s%.*f&nbsp;%s</td>", ns, at_least ? "&gt;&nbsp;" : "", digits, value,
	        units[u].name);
}

void xp_page_number(FILE *page, double value, const char *format)
{
	char text[64];
	snprintf(text, sizeof text, format, value);
	fprintf(page, "<td>%s</td>", isfinite(value) ? text : "–");
}

static void folded(FILE *page, const char *title, const char *text)
{
	fprintf(page, "<details><summary>%s</summary><pre>", title);
	xp_page_text(page, text);
	fputs("</pre></details>\n", page);
}

void xp_page_manifest(FILE *page, const json_t *manifest)
{
	if (!manifest)
		return;
	const char *config = xp_text(manifest, "config_text");
	if (*config)
		folded(page, "Resolved configuration", config);
	json_t *rest = json_copy((json_t *)manifest);
	json_object_del(rest, "config_text");
	if (*config)
		json_object_del(rest, "config");
	char *text = json_dumps(rest, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12));
	folded(page, "Manifest", text ? text : "");
	free(text);
	json_decref(rest);
}

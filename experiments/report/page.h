/* experiments/report/page.h - the HTML around the figures. */
#ifndef EXPERIMENTS_REPORT_PAGE_H
#define EXPERIMENTS_REPORT_PAGE_H

#include "experiments/report/report.h"

/* Writes the beginning of the page, up to the first section. */
void xp_page_begin(struct xp_report *report, const char *title);
void xp_page_end(struct xp_report *report);
/* Writes the heading of a section; the script builds a table of contents if there are many. */
void xp_page_section(struct xp_report *report, const char *title);
/* Writes text with HTML special characters escaped. */
void xp_page_text(FILE *page, const char *text);
/* Writes `text` with the definition of a term (terms.h) as its tooltip. */
void xp_page_term(struct xp_report *report, const char *term, const char *text);
/* Writes the heading of a column. term NULL: no tooltip. */
void xp_page_head(struct xp_report *report, const char *term, const char *text, bool left);
/* Writes a table cell with the number, or a dash if it is not finite. */
void xp_page_number(FILE *page, double value, const char *format);
/* Writes a table cell with a whole number, with separators of thousands. */
void xp_page_count(FILE *page, double n);
/* Formats a number with at most this number of significant digits and separators of thousands, never with an exponent;
 * "–" if it is not finite. Returns out. */
const char *xp_plain(double value, int digits, char out[64]);
/* Writes a table cell with the formatted number. */
void xp_page_plain(FILE *page, double value, int digits);
/* Writes a table cell "1.25 to 1.31", both ends with the same number of decimals: enough for two digits of the width,
 * at most `digits` significant ones. A single number if both are equal, a dash if they are not known. */
void xp_page_interval(FILE *page, double low, double high, int digits);
/* The same for values that are divided by `scale` and shown in `unit`. */
void xp_page_interval_in(FILE *page, double low, double high, int digits, double scale, const char *unit);
/* Writes a left-aligned table cell with a text. */
void xp_page_cell(FILE *page, const char *text);
/* Writes a table cell with a duration in a suitable unit, as "1.25 µs"; at_least: the value is a lower bound. */
void xp_page_time(FILE *page, double ns, bool at_least);
/* Writes the configuration and the rest of a manifest, folded. */
void xp_page_manifest(FILE *page, const json_t *manifest);

#endif

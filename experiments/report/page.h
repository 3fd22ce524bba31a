/* experiments/report/page.h - writes the HTML of a page, except for its figures. */
#ifndef EXPERIMENTS_REPORT_PAGE_H
#define EXPERIMENTS_REPORT_PAGE_H

#include "experiments/report/report.h"

/* Writes the beginning of the page, up to the first section. */
void xp_page_begin(struct xp_report *report, const char *title);
void xp_page_end(struct xp_report *report);
/* Writes the heading of a section. The page's script builds a table of contents if there are many sections. */
void xp_page_section(struct xp_report *report, const char *title);
/* Writes text with HTML special characters escaped. */
void xp_page_text(FILE *page, const char *text);
/* Writes `text` with a tooltip: the definition of `term` in terms.h. */
void xp_page_term(struct xp_report *report, const char *term, const char *text);
/* Writes the heading of a table column with the definition of `term` as its tooltip. term NULL: no tooltip. */
void xp_page_head(struct xp_report *report, const char *term, const char *text, bool left);
/* Writes a table cell with a number in the given printf format, or a dash if the number is not finite. */
void xp_page_number(FILE *page, double value, const char *format);
/* Writes a table cell with a whole number, with thousands separators. */
void xp_page_count(FILE *page, double n);
/* Formats a number with at most `digits` significant digits and with thousands separators, never with an exponent. A
 * number that is not finite becomes "–". Returns out. */
const char *xp_plain(double value, int digits, char out[64]);
/* Writes a table cell with a number formatted by xp_plain(). */
void xp_page_plain(FILE *page, double value, int digits);
/* Writes a table cell with an interval, as in "1.25 to 1.31". Both ends have the same number of decimals, such that the
 * width of the interval shows two digits, but no end has more than `digits` significant ones. The cell contains a
 * single number if both ends are equal, and a dash if they are not known. */
void xp_page_interval(FILE *page, double low, double high, int digits);
/* Writes a table cell with an interval, like xp_page_interval(). Both ends are divided by `scale` and followed by
 * `unit`. */
void xp_page_interval_in(FILE *page, double low, double high, int digits, double scale, const char *unit);
/* Writes a left-aligned table cell with a text. */
void xp_page_cell(FILE *page, const char *text);
/* Writes a table cell with a duration in a suitable unit, such as "1.25 µs". at_least: the cell says that the value is
 * a lower bound. */
void xp_page_time(FILE *page, double ns, bool at_least);
/* Writes the configuration and the remaining members of a manifest, collapsed until the reader opens them. */
void xp_page_manifest(FILE *page, const json_t *manifest);

#endif

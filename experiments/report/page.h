/* experiments/report/page.h - the HTML around the figures. */
#ifndef EXPERIMENTS_REPORT_PAGE_H
#define EXPERIMENTS_REPORT_PAGE_H

#include "experiments/report/report.h"

/* Starts the page: everything up to the first section. */
void xp_page_begin(struct xp_report *report, const char *title);
void xp_page_end(struct xp_report *report);
/* The heading of a section; the script lists them where there are many. */
void xp_page_section(struct xp_report *report, const char *title);
/* Text with what HTML would misread escaped. */
void xp_page_text(FILE *page, const char *text);
/* `text` with the definition of a term (terms.h) for who points at it. */
void xp_page_term(struct xp_report *report, const char *term, const char *text);
/* The heading of a column. term NULL: it needs no definition. */
void xp_page_head(struct xp_report *report, const char *term, const char *text, bool left);
/* A table cell: the number, or a dash if it is not finite. */
void xp_page_number(FILE *page, double value, const char *format);
/* A table cell with a whole number, thousands set apart. */
void xp_page_count(FILE *page, double n);
/* A number with at most so many significant digits, thousands set apart, never with an exponent; "–" if it is not
 * finite. Returns out. */
const char *xp_plain(double value, int digits, char out[64]);
/* A table cell with it. */
void xp_page_plain(FILE *page, double value, int digits);
/* A table cell "1.25 to 1.31", both ends with as many decimals: two digits of the width are said, `digits` at most. One
 * number if they are equal, a dash if they are not known. */
void xp_page_interval(FILE *page, double low, double high, int digits);
/* The same of values that are shown divided by `scale`, in `unit`. */
void xp_page_interval_in(FILE *page, double low, double high, int digits, double scale, const char *unit);
/* A table cell with a text, to the left. */
void xp_page_cell(FILE *page, const char *text);
/* A table cell with a duration in the unit that it needs, as "1.25 µs"; at_least: the true one is larger. */
void xp_page_time(FILE *page, double ns, bool at_least);
/* The configuration and the rest of a manifest, folded away. */
void xp_page_manifest(FILE *page, const json_t *manifest);

#endif

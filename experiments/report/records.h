/* experiments/report/records.h - the records of a page, from which the scripts of web/ draw its figures, in a browser
 * and in node.
 *
 * A command stores records under a name, and reserves places of the page at which a function of web/ (make.js) draws
 * figures from them. The same thing has the same key, and the same colour, in all figures of the page. All json_t are
 * those of jansson; numbers that are not finite are null. */
#ifndef EXPERIMENTS_REPORT_RECORDS_H
#define EXPERIMENTS_REPORT_RECORDS_H

#include "experiments/report/report.h"

/* Stores a JSON value on the page under this name; takes ownership of the value. */
void xp_records(struct xp_report *report, const char *id, json_t *records);
/* Reserves a position of the page at which the function `maker` of web/make.js draws figures from stored records.
 * xp_figures_of() takes several names of records as an array, and takes ownership of it. A figure without data is left
 * out. */
void xp_figures(struct xp_report *report, const char *maker, const char *id);
void xp_figures_of(struct xp_report *report, const char *maker, json_t *ids);

/* Convert a number to JSON; a number that is not finite becomes null. xp_json_number() keeps all digits.
 * xp_json_short() rounds to three significant digits, for cells of heat maps, which show numbers as colours. */
json_t *xp_json_number(double value);
json_t *xp_json_short(double value);
/* Converts bytes that may not be valid UTF-8 to a JSON string. */
json_t *xp_json_text(const char *text);
/* Writes a JSON value as an element <script type="application/json"> with this id. */
void xp_write_json(FILE *page, const json_t *value, const char *id);

/* Returns how many cells a heat map of the page may have, at most `wanted`, and deducts them from the number of cells
 * that the page may still contain. */
size_t xp_heat_cells(struct xp_report *report, size_t wanted);
/* Rounds a number as charts of this page show it: to four significant digits if the page has many runs, else not at
 * all. */
double xp_shown(const struct xp_report *report, double value);

/* xp_has_ccdf() returns whether the distribution of a `histogram` record has at least one point that logarithmic axes
 * can show; xp_any_ccdf() returns whether this holds for any histogram of an array. */
bool xp_has_ccdf(const json_t *histogram);
bool xp_any_ccdf(const json_t *histograms);
/* Converts a `histogram` record to the points of its complementary distribution, which is a step function: latency in
 * ns, and the fraction of packets above it. Points that a chart cannot distinguish are left out. Owned by the caller.
 */
json_t *xp_ccdf(const struct xp_report *report, const json_t *histogram);

#endif

/* experiments/report/records.h - the records of a page, from which the scripts of web/ draw its figures, in a browser
 * and in node.
 *
 * A command stores records under a name, and reserves places of the page at which a function of web/ (make.js) draws
 * figures from them. The same thing has the same key, and the same colour, in all figures of the page. All json_t are
 * those of jansson; numbers that are not finite are null. */
#ifndef EXPERIMENTS_REPORT_RECORDS_H
#define EXPERIMENTS_REPORT_RECORDS_H

#include "experiments/report/report.h"

/* Stores records under this name; takes ownership of them. */
void xp_records(struct xp_report *report, const char *id, json_t *records);
/* Reserves a place at which the function `maker` draws figures from the records. xp_figures_of() takes several record
 * names as an array, of which it takes ownership. A figure without data on its axes is left out. */
void xp_figures(struct xp_report *report, const char *maker, const char *id);
void xp_figures_of(struct xp_report *report, const char *maker, json_t *ids);

/* A number in its shortest form; with three digits for cells that are read by their colour. */
json_t *xp_json_number(double value);
json_t *xp_json_short(double value);
/* Converts arbitrary bytes to a JSON text. */
json_t *xp_json_text(const char *text);
/* Writes a JSON value into an element <script type="application/json">. */
void xp_write_json(FILE *page, const json_t *value, const char *id);

/* The maximum number of cells of a heat map, such that all heat maps together stay within the limit of a page. */
size_t xp_heat_cells(struct xp_report *report, size_t wanted);
/* Significant digits in charts of this page: all, or four if there are many runs. */
double xp_shown(const struct xp_report *report, double value);

/* Does the distribution of a `histogram` record have a point on logarithmic axes? The second function: does one of an
 * array's? */
bool xp_has_ccdf(const json_t *histogram);
bool xp_any_ccdf(const json_t *histograms);
/* The complementary distribution of a `histogram` record as points of a step function: latency in ns, fraction above.
 * Points that are too close to be distinguished are left out. Owned by the caller. */
json_t *xp_ccdf(const struct xp_report *report, const json_t *histogram);

#endif

/* experiments/report/records.h - the records of a page, from which web/ makes its figures, in a browser and in node.
 *
 * A command gives records a name, and says at which places of the page a maker of web/ (make.js) turns them into
 * figures. What is the same thing has the same key there, and the same colour on the whole page. All json_t are of
 * jansson; a number that is not finite is null. */
#ifndef EXPERIMENTS_REPORT_RECORDS_H
#define EXPERIMENTS_REPORT_RECORDS_H

#include "experiments/report/report.h"

/* Records of this name, from which figures are made; they are released. */
void xp_records(struct xp_report *report, const char *id, json_t *records);
/* The figures that a maker makes of records, here; xp_figures_of(): of several, an array of names, which is released. A
 * figure without anything on its axes is left out. */
void xp_figures(struct xp_report *report, const char *maker, const char *id);
void xp_figures_of(struct xp_report *report, const char *maker, json_t *ids);

/* A number as short as it can be; with three digits, for cells that are read by their colour. */
json_t *xp_json_number(double value);
json_t *xp_json_short(double value);
/* Any bytes as a JSON text. */
json_t *xp_json_text(const char *text);
/* A JSON value into an element <script type="application/json">. */
void xp_write_json(FILE *page, const json_t *value, const char *id);

/* The number of cells that a heat map may have: all together stay within a page's. */
size_t xp_heat_cells(struct xp_report *report, size_t wanted);
/* As many digits as a chart of this page shows: all, or four where there are many runs. */
double xp_shown(const struct xp_report *report, double value);

/* Has the distribution of a `histogram` record a point, on axes that are logarithmic? Has one of an array's? */
bool xp_has_ccdf(const json_t *histogram);
bool xp_any_ccdf(const json_t *histograms);
/* The complementary distribution of a `histogram` record as points of steps: latency in ns, share above. Values between
 * which nothing could be seen are left out. The caller's. */
json_t *xp_ccdf(const struct xp_report *report, const json_t *histogram);

#endif

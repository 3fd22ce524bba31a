/* experiments/report/draw.h - figures as files, and inside static pages.
 *
 * The scripts of the page draw them in node, with ECharts' renderer for servers: all figures of a page by one process,
 * when the page ends. rsvg-convert makes PNG and PDF of them. Both are looked for at run time. */
#ifndef EXPERIMENTS_REPORT_DRAW_H
#define EXPERIMENTS_REPORT_DRAW_H

#include "experiments/report/report.h"

/* Is any figure drawn here, rather than by the page in a browser? */
bool xp_is_drawing(const struct xp_report *report);
/* Keeps a place for figures, as draw.js takes it, for xp_draw(). */
void xp_draw_later(struct xp_report *report, const json_t *place);
/* Draws what was kept, into the text of a static page and into the folders. Without node a page has no figures, with a
 * warning that says so; an error if a file is wanted and cannot be made. */
void xp_draw(struct xp_report *report);

#endif

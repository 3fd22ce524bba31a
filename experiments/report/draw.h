/* experiments/report/draw.h - figures as files, and inside static pages.
 *
 * The scripts of the page draw them in node with the server-side renderer of ECharts: all figures of a page in one
 * process, when the page ends. rsvg-convert converts them to PNG and PDF. Both programs are searched at run time. */
#ifndef EXPERIMENTS_REPORT_DRAW_H
#define EXPERIMENTS_REPORT_DRAW_H

#include "experiments/report/report.h"

/* Returns whether the command draws figures itself, in addition to the browser that displays the page or instead of it.
 */
bool xp_is_drawing(const struct xp_report *report);
/* Reserves a position of the page for figures that xp_draw() draws later. `place` describes them in the format of
 * web/draw.js. */
void xp_draw_later(struct xp_report *report, const json_t *place);
/* Draws all reserved figures, and inserts them into a static page and saves them in the directories of figures. If node
 * is not available, a page has no figures and a warning is added. If a file of figures is requested but cannot be
 * produced, an error is added. */
void xp_draw(struct xp_report *report);

#endif

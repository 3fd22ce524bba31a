/* experiments/report/draw.h - figures as files, and inside static pages.
 *
 * The scripts of the page draw them in node with the server-side renderer of ECharts: all figures of a page in one
 * process, when the page ends. rsvg-convert converts them to PNG and PDF. Both programs are searched at run time. */
#ifndef EXPERIMENTS_REPORT_DRAW_H
#define EXPERIMENTS_REPORT_DRAW_H

#include "experiments/report/report.h"

/* Are figures drawn here, in addition to or instead of by the page in a browser? */
bool xp_is_drawing(const struct xp_report *report);
/* Reserves a place for figures, described as draw.js expects, to be drawn by xp_draw(). */
void xp_draw_later(struct xp_report *report, const json_t *place);
/* Draws the reserved figures into the text of a static page and into the directories. Without node a page has no
 * figures, and a warning is added; if a file is requested but cannot be made, an error. */
void xp_draw(struct xp_report *report);

#endif

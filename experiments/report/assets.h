/* experiments/report/assets.h - gives access to the files of web/ and to ECharts, which are embedded in the program. */
#ifndef EXPERIMENTS_REPORT_ASSETS_H
#define EXPERIMENTS_REPORT_ASSETS_H

#include <stdbool.h>
#include <stdio.h>

/* Returns whether the chart library ECharts is embedded in this program. */
bool xp_has_charts(void);
void xp_write_style(FILE *page);
/* Writes ECharts and the page's script, each as a <script> element. Writes nothing if the page has no charts. */
void xp_write_scripts(FILE *page);
/* Writes the script that draws figures in node, without a browser. web/draw.js describes its input. */
void xp_write_drawer(FILE *script);

#endif

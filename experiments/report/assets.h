/* experiments/report/assets.h - the files of web/, and ECharts, embedded in the program. */
#ifndef EXPERIMENTS_REPORT_ASSETS_H
#define EXPERIMENTS_REPORT_ASSETS_H

#include <stdbool.h>
#include <stdio.h>

/* Does this program contain the chart library? */
bool xp_has_charts(void);
void xp_write_style(FILE *page);
/* Writes the library and the page's script, as one element each; only if the page has charts. */
void xp_write_scripts(FILE *page);
/* The script that draws figures in node, as draw.js describes. */
void xp_write_drawer(FILE *script);

#endif

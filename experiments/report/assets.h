/* experiments/report/assets.h - files of web/, and ECharts, that are part of the program. */
#ifndef EXPERIMENTS_REPORT_ASSETS_H
#define EXPERIMENTS_REPORT_ASSETS_H

#include <stdbool.h>
#include <stdio.h>

/* Is there a chart library in this program? */
bool xp_has_charts(void);
void xp_write_style(FILE *page);
/* The library and our own script, as one element each; only if there are charts. */
void xp_write_scripts(FILE *page);
/* A script for node that draws figures as draw.js says. */
void xp_write_drawer(FILE *script);

#endif

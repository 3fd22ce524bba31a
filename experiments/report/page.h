/* experiments/report/page.h - the HTML around the figures. */
#ifndef EXPERIMENTS_REPORT_PAGE_H
#define EXPERIMENTS_REPORT_PAGE_H

#include <jansson.h>
#include <stdio.h>

/* Starts the page: everything up to the first section. */
void xp_page_begin(FILE *page, const char *title);
void xp_page_end(FILE *page);
/* Text with what HTML would misread escaped. */
void xp_page_text(FILE *page, const char *text);
/* A table cell: the number, or a dash if it is not finite. */
void xp_page_number(FILE *page, double value, const char *format);
/* The configuration and the rest of a manifest, folded away. */
void xp_page_manifest(FILE *page, const json_t *manifest);

#endif

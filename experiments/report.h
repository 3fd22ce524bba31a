/* experiments/report.h - one self-contained HTML page from results: no script, nothing fetched from elsewhere.
 *
 * Figures are drawn by gnuplot into SVG and set into the page; axes and text take the page's colours, so that one
 * drawing serves light and dark. The hues of series are Okabe and Ito's, told apart by colour-blind readers too; heat
 * maps use viridis. */
#ifndef EXPERIMENTS_REPORT_H
#define EXPERIMENTS_REPORT_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#define XP_HUES 8
/* viridis, by nine of its colours: gnuplot's command */
#define XP_VIRIDIS                                                                                                        \
	"set palette defined (0 '#440154', 1 '#472D7B', 2 '#3B528B', 3 '#2C728E', 4 '#21918C', 5 '#28AE80', 6 '#5EC962', " \
	"7 '#ADDC30', 8 '#FDE725')\n"

struct xp_report {
	FILE *page;
	const char *svg, *png; /* folders that get the figures too; NULL: none */
	char *temp;            /* folder for gnuplot's files */
	unsigned figures;
	struct base_errors *errors;
};

/* Starts the page: everything up to the first section. */
void xp_page_begin(FILE *page, const char *title);
void xp_page_end(FILE *page);
/* Text with what HTML would misread escaped. */
void xp_page_text(FILE *page, const char *text);
/* A table cell: the number, or a dash if it is not finite. */
void xp_page_number(FILE *page, double value, const char *format);
/* The configuration and the rest of a manifest, folded away. */
void xp_page_manifest(FILE *page, const json_t *manifest);

/* The i-th hue, "#rrggbb". */
const char *xp_hue(unsigned i);
/* Writes a gnuplot string constant. */
void xp_plot_string(FILE *script, const char *text);
/* Draws `script` (gnuplot commands without terminal and output) and puts it into the page with a caption. `name`
 * becomes the file name in the svg and png folders. width and height in pixels. Returns -1 with an error if gnuplot
 * fails. */
int xp_figure(struct xp_report *report, const char *name, const char *caption, int width, int height,
              const char *script);

/* A section of the page for a sweep's folder, or for one result file. Damage is marked in the page; -1 with an error if
 * there is nothing to show. */
int xp_report_sweep(struct xp_report *report, const char *folder);
int xp_report_run(struct xp_report *report, const char *path);

/* Writes the complementary distribution of a `histogram` record as gnuplot data: latency in ns, share above. */
void xp_write_ccdf(FILE *script, const json_t *histogram);

#endif

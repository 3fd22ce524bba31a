/* experiments/report/figure.h - figures by gnuplot, for static pages and for folders.
 *
 * Figures are drawn by gnuplot into SVG and set into the page; axes and text take the page's colours, so that one
 * drawing serves light and dark. The hues of series are Okabe and Ito's, distinguished by colour-blind readers too;
 * heat maps use viridis. */
#ifndef EXPERIMENTS_REPORT_FIGURE_H
#define EXPERIMENTS_REPORT_FIGURE_H

#include "experiments/report/report.h"

#define XP_HUES 8
/* viridis, by nine of its colours: gnuplot's command */
#define XP_VIRIDIS                                                                                              \
	"set palette defined (0 '#440154', 1 '#472D7B', 2 '#3B528B', 3 '#2C728E', 4 '#21918C', 5 '#28AE80', 6 " \
	"'#5EC962', "                                                                                           \
	"7 '#ADDC30', 8 '#FDE725')\n"

/* The i-th hue, "#rrggbb". */
const char *xp_hue(unsigned i);
/* Writes a gnuplot string constant. */
void xp_plot_string(FILE *script, const char *text);
/* A name that is not in *names yet, in out: `name`, or name-2 and so on. *names NULL: there is none yet. */
const char *xp_figure_name(json_t **names, const char *name, char *out, size_t room);
/* Is any figure drawn by gnuplot? */
static inline bool xp_figure_wanted(const struct xp_report *report)
{
	return !report->interactive || report->svg || report->png;
}

/* Draws `script` (gnuplot commands without terminal and output) and puts it into the page with a
 * caption; on an interactive page, which has its own charts, it is drawn only for the folders. `name`
 * becomes the file name in the svg and png folders; the second figure of a name is NAME-2. width and height in pixels.
 * Returns -1 with an error if gnuplot fails. */
int xp_figure(struct xp_report *report, const char *name, const char *caption, int width, int height,
              const char *script);

/* Has a `histogram` record's distribution a point, on axes that are logarithmic? gnuplot fails where no data of a
 * figure have any. */
bool xp_has_ccdf(const json_t *histogram);
/* Has one of an array's? */
bool xp_any_ccdf(const json_t *histograms);
/* Writes the complementary distribution of a `histogram` record as gnuplot data: latency in ns, share above. */
void xp_write_ccdf(FILE *script, const json_t *histogram);

#endif

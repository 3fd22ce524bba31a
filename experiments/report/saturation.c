/* experiments/report/saturation.c - see saturation.h */
#include "experiments/report/saturation.h"
#include "experiments/report/page.h"
#include "experiments/results/reader.h"

void xp_page_saturation(struct xp_report *report, const struct xp_experiment *e, const json_t *table)
{
	const json_t *entry;
	FILE *page = report->page;
	size_t i;
	fputs("<div class=\"scroll\"><table class=\"sortable\">\n<tr>", page);
	for (size_t a = 0; a < e->naxes; a++)
		if (a != e->x)
			xp_page_head(report, NULL, e->axis[a].name, true);
	xp_page_head(report, "saturation.low", "stationary", false);
	xp_page_head(report, "saturation.high", "not stationary", false);
	fputs("</tr>\n", page);
	json_array_foreach (table, i, entry) {
		fputs("<tr>", page);
		for (size_t a = 0; a < e->naxes; a++) {
			if (a == e->x)
				continue;
			fputs("<td class=\"l\">", page);
			xp_page_text(page, xp_text(json_object_get(entry, "labels"), e->axis[a].name));
			fputs("</td>", page);
		}
		xp_page_number(page, xp_number(entry, "low", NULL), "%.6g");
		xp_page_number(page, xp_number(entry, "high", NULL), "%.6g");
		fputs("</tr>\n", page);
	}
	fputs("</table></div>\n<p class=\"soft\">The largest ", page);
	xp_page_text(page, e->axis[e->x].title);
	fputs(" at which every run was stationary, and the least at which one was not", page);
	fputs(e->choice == XP_FIND ? " or could not decide" : "", page);
	fputs(". Empty: there is none among the points.</p>\n", page);
}

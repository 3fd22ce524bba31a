/* experiments/report/saturation.c - see saturation.h */
#include "experiments/report/saturation.h"
#include "experiments/report/page.h"
#include "experiments/results/reader.h"
#include "experiments/sweep/plan.h"

void xp_page_saturation(FILE *page, const struct xp_experiment *e, const json_t *rows)
{
	json_t *table = xp_saturation(e, rows), *entry;
	size_t i;
	fputs("<h3>Saturation</h3>\n<div class=\"scroll\"><table>\n<tr>", page);
	for (size_t a = 0; a < e->naxes; a++) {
		if (a == e->x)
			continue;
		fputs("<th class=\"l\">", page);
		xp_page_text(page, e->axis[a].name);
		fputs("</th>", page);
	}
	fputs("<th>stationary</th><th>not stationary</th></tr>\n", page);
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
	fputs(" at which every run was stationary, and the least at which one was not. Empty: there is none among the "
	      "points.</p>\n",
	      page);
	json_decref(table);
}

/* experiments/commands/show_folder.c - see show_folder.h. The tables that are read contain no quotes (they are written
 * by compare/tables.c and design/print.c). */
#include "experiments/commands/show_folder.h"

#include "base/format.h"
#include "base/text.h"
#include "experiments/commands/exit.h"
#include "experiments/config/message.h"
#include "experiments/config/scan.h"
#include "experiments/results/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char *json, *table;
} kinds[] = { { "compare.json", "ranking.csv" }, { "design.json", "front.csv" } };

/* Numbers are aligned on the right; a column with a text in it on the left. */
static void print_table(char *rest)
{
	struct xp_table t = { 0 };
	char *line = strsep(&rest, "\n"), *cell;
	while (line && (cell = strsep(&line, ",")))
		xp_table_column(&t, base_harmless(cell, false), XP_FITS, NULL);
	while ((line = strsep(&rest, "\n")) && rest) {
		for (size_t i = 0; i < t.columns && (cell = strsep(&line, ",")); i++) {
			char *end;
			(void)strtod(cell, &end);
			if (*end && t.column[i].width > 0)
				t.column[i].width *= -1;
			xp_table_text(&t, *cell ? base_harmless(cell, false) : NULL);
		}
		xp_table_end(&t);
	}
	xp_table_print(&t, stdout);
}

int xp_show_folder(const char *folder, bool json, bool records)
{
	for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
		char *mark = base_format("%s/%s", folder, kinds[k].json), *text;
		bool is = !access(mark, F_OK);
		char *path = base_format("%s/%s", folder, json ? kinds[k].json : kinds[k].table);
		const char *why;
		size_t bytes;
		int status = is ? XP_OK : -1;
		if (is && records) {
			xp_message(
			    "%s: contains no records: it is the results directory of tilefly compare or tilefly design",
			    folder);
			status = XP_USAGE;
		} else if (is && xp_slurp(path, &text, &bytes, &why)) {
			xp_message("%s: %s", path, why);
			status = XP_USAGE;
		} else if (is && json) {
			fwrite(text, 1, bytes, stdout);
			free(text);
		} else if (is) {
			print_table(text);
			free(text);
		}
		free(mark);
		free(path);
		if (is)
			return status;
	}
	return -1;
}

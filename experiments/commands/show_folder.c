/* experiments/commands/show_folder.c - see show_folder.h. The tables hold no quotes (compare/tables.c, design/print.c).
 */
#include "experiments/commands/show_folder.h"

#include "base/format.h"
#include "base/memory.h"
#include "base/text.h"
#include "experiments/commands/exit.h"
#include "experiments/config/message.h"
#include "experiments/config/scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_COLUMNS 64

static const struct {
	const char *json, *table;
} kinds[] = { { "compare.json", "ranking.csv" }, { "design.json", "front.csv" } };

/* Ends each line and each of its cells with NUL; returns the number of lines. */
static size_t split_lines(char *text, size_t bytes)
{
	size_t lines = 0;
	for (size_t i = 0; i < bytes; i++) {
		lines += text[i] == '\n';
		if (text[i] == '\n' || text[i] == ',')
			text[i] = text[i] == ',' ? '\x1f' : 0;
	}
	return lines;
}

/* Calls visit for each cell of the table, line by line. */
static void each_cell(const char *text, size_t lines, void (*visit)(void *arg, size_t line, size_t column, char *cell),
                      void *arg)
{
	for (size_t l = 0; l < lines; l++, text += strlen(text) + 1) {
		char *copy = base_strdup(text), *rest = copy, *cell;
		for (size_t c = 0; (cell = strsep(&rest, "\x1f")) && c < MAX_COLUMNS; c++)
			visit(arg, l, c, base_harmless(cell, false));
		free(copy);
	}
}

struct shape {
	int width[MAX_COLUMNS];
	bool text[MAX_COLUMNS]; /* aligned left */
	size_t columns;
};

static void measure(void *arg, size_t line, size_t column, char *cell)
{
	struct shape *s = arg;
	char *end;
	(void)strtod(cell, &end);
	s->text[column] |= line > 0 && *end;
	if (base_columns(cell) > s->width[column])
		s->width[column] = base_columns(cell);
	s->columns = column + 1 > s->columns ? column + 1 : s->columns;
}

static void print_cell(void *arg, size_t line, size_t column, char *cell)
{
	const struct shape *s = arg;
	(void)line;
	const char *shown = *cell ? cell : "-";
	bool last = column + 1 == s->columns;
	if (s->text[column] && last)
		printf("%s%s", column ? "  " : "", shown);
	else
		printf(s->text[column] ? "%s%-*s" : "%s%*s", column ? "  " : "",
		       base_field(shown, s->width[column] > 0 ? s->width[column] : 1), shown);
	if (last)
		printf("\n");
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
			xp_message("%s: holds no records: it is the folder of a comparison or of a search for designs",
			           folder);
			status = XP_USAGE;
		} else if (is && xp_slurp(path, &text, &bytes, &why)) {
			xp_message("%s: %s", path, why);
			status = XP_USAGE;
		} else if (is && json) {
			fwrite(text, 1, bytes, stdout);
			free(text);
		} else if (is) {
			struct shape shape = { .columns = 0 };
			size_t lines = split_lines(text, bytes);
			each_cell(text, lines, measure, &shape);
			each_cell(text, lines, print_cell, &shape);
			free(text);
		}
		free(mark);
		free(path);
		if (is)
			return status;
	}
	return -1;
}

/* experiments/commands/show.c - `tilefly show`: prints a result log, either its summary as `run` prints it, or its
 * records as tables.
 *
 * The log is streamed; a table needs two passes, the first one to determine the widths of its columns. */
#include "base/memory.h"
#include "base/text.h"
#include "experiments/commands/command.h"
#include "experiments/commands/show_folder.h"
#include "experiments/config/message.h"
#include "experiments/results/flatten.h"
#include "experiments/results/past.h"
#include "experiments/results/reader.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_COLUMNS 256
#define WIDEST 40 /* characters of a cell; longer lists are counted instead */

/* --- streaming -------------------------------------------------------------------------------------- */

struct source {
	const char *path, *name; /* name: in messages */
	const char *problem;     /* of what has been read so far; NULL: none. A message says so. */
	bool refused;            /* nothing of it is worth showing */
};

/* Calls visit for each record of a kind (NULL: of all kinds). If the log is damaged, for those before the damage. */
static void each(struct source *in, const char *kind, void (*visit)(void *arg, json_t *record, const char *line),
                 void *arg)
{
	const char *problem = NULL;
	struct xp_log *log = xp_log_open(in->path, &problem);
	json_t *record;
	if (log) {
		if (!kind || !strcmp(kind, "packet") || !strcmp(kind, "message"))
			xp_log_want_packets(log);
		while ((record = xp_log_next(log))) {
			if (!kind || !strcmp(kind, xp_record_kind(record)))
				visit(arg, record, xp_log_line(log));
			json_decref(record);
		}
		problem = xp_log_problem(log);
		in->refused |= xp_log_refused(log);
	} else {
		in->refused |= xp_is_special_file(in->path);
	}
	xp_log_close(log);
	if (problem && !in->problem) {
		struct base_errors errors = { 0 };
		xp_error_at(&errors, in->name, "%s", problem);
		xp_message_errors(&errors);
		base_errors_free(&errors);
		in->problem = problem;
	}
}

static void print_line(void *arg, json_t *record, const char *line)
{
	(void)arg;
	(void)record;
	printf("%s\n", line);
}

/* --- the kinds that a log holds --------------------------------------------------------------------- */

struct kinds {
	json_t *count; /* kind to number of records, in order of appearance */
};

static void count_kind(void *arg, json_t *record, const char *line)
{
	struct kinds *k = arg;
	(void)line;
	const char *kind = xp_record_kind(record);
	json_int_t n = json_integer_value(json_object_get(k->count, kind));
	json_object_set_new(k->count, kind, json_integer(n + 1));
}

/* --- tables ----------------------------------------------------------------------------------------- */

struct column {
	char *name;
	int width;
	bool text; /* aligned left */
};

struct shown_table {
	struct column column[MAX_COLUMNS];
	size_t n;
	char *cell[MAX_COLUMNS]; /* of the record at hand */
};

static struct column *column_of(struct shown_table *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (!strcmp(t->column[i].name, name))
			return &t->column[i];
	if (t->n == MAX_COLUMNS)
		return NULL;
	t->column[t->n] = (struct column){ .name = base_strdup(name), .width = base_columns(name) };
	return &t->column[t->n++];
}

static void take_cell(void *arg, const char *path, const json_t *value)
{
	struct shown_table *t = arg;
	struct column *column = strcmp(path, "record") != 0 ? column_of(t, path) : NULL;
	if (!column)
		return;
	char *text = xp_value_text(value), *newline = strchr(text, '\n');
	if (newline || (strlen(text) > WIDEST && json_is_array(value))) {
		size_t n = json_array_size(value);
		snprintf(text, strlen(text) + 1, newline ? "..." : "[%zu values]", n);
	}
	column->text |= !json_is_number(value);
	column->width = base_columns(text) > column->width ? base_columns(text) : column->width;
	free(t->cell[column - t->column]);
	t->cell[column - t->column] = text;
}

static void measure(void *arg, json_t *record, const char *line)
{
	(void)line;
	xp_flatten(record, false, take_cell, arg);
}

static void print_cells(const struct shown_table *t, bool head)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct column *c = &t->column[i];
		const char *text = head ? c->name : t->cell[i] ? t->cell[i] : "-";
		if (c->text && i + 1 == t->n)
			printf("%s%s", i ? "  " : "", text);
		else
			printf(c->text ? "%s%-*s" : "%s%*s", i ? "  " : "", base_field(text, c->width), text);
	}
	printf("\n");
}

static void clear_cells(struct shown_table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->cell[i]);
		t->cell[i] = NULL;
	}
}

static void print_row(void *arg, json_t *record, const char *line)
{
	struct shown_table *t = arg;
	(void)line;
	clear_cells(t);
	xp_flatten(record, false, take_cell, t);
	print_cells(t, false);
}

static void print_table(struct source *in, const char *kind)
{
	struct shown_table t = { .n = 0 };
	each(in, kind, measure, &t);
	print_cells(&t, true);
	each(in, kind, print_row, &t);
	clear_cells(&t);
	for (size_t i = 0; i < t.n; i++)
		free(t.column[i].name);
}

/* --- one record: a line for each member ------------------------------------------------------------- */

static void measure_name(void *arg, const char *path, const json_t *value)
{
	int *width = arg;
	(void)value;
	*width = base_columns(path) > *width ? base_columns(path) : *width;
}

static void print_member(void *arg, const char *path, const json_t *value)
{
	const int *width = arg;
	if (!strcmp(path, "record"))
		return;
	char *text = xp_value_text(value), *rest = text;
	if (!strchr(text, '\n')) {
		printf("%-*s  %s\n", base_field(path, *width), path, text);
	} else {
		printf("%s\n", path);
		for (char *line; (line = strsep(&rest, "\n"));)
			if (rest || *line)
				printf("    %s\n", line);
	}
	free(text);
}

static void print_record(void *arg, json_t *record, const char *line)
{
	int width = 0;
	(void)arg;
	(void)line;
	xp_flatten(record, true, measure_name, &width);
	xp_flatten(record, true, print_member, &width);
}

/* --- the command ------------------------------------------------------------------------------------ */

struct head {
	json_t *manifest, *summary;
};

static void take_head(void *arg, json_t *record, const char *line)
{
	struct head *h = arg;
	(void)line;
	const char *kind = xp_record_kind(record);
	if (!h->manifest && !strcmp(kind, "manifest"))
		h->manifest = json_incref(record);
	if (!h->summary && !strcmp(kind, "summary"))
		h->summary = json_incref(record);
}

static int show_summary(struct source *in)
{
	struct head h = { 0 };
	each(in, "manifest", take_head, &h);
	each(in, "summary", take_head, &h);
	if (h.summary && !in->refused) {
		struct xp_past past;
		xp_past_read(&past, h.manifest, h.summary);
		if (in->problem)
			printf("%-16s %s\n", "incomplete", in->problem);
		xp_summary_text(stdout, &past.run, in->name);
		xp_past_free(&past);
	} else if (!in->problem) {
		xp_message("%s: contains no summary", in->name);
	}
	int status = in->refused || (!h.summary && !in->problem) ? XP_USAGE : in->problem ? XP_FAILURE : XP_OK;
	json_decref(h.manifest);
	json_decref(h.summary);
	return status;
}

static void show_kind(struct source *in, const char *kind, json_int_t n, bool json)
{
	if (json)
		each(in, kind, print_line, NULL);
	else if (n == 1)
		each(in, kind, print_record, NULL);
	else
		print_table(in, kind);
}

static int unknown_kind(const char *path, const char *kind, const json_t *count)
{
	char known[512] = "";
	const char *name;
	json_t *n;
	json_object_foreach((json_t *)count, name, n)
	    snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", *known ? ", " : "", name);
	xp_message("%s: contains no record \"%s\"; it contains %s", path, kind, *known ? known : "none");
	return XP_USAGE;
}

static int show_records(struct source *in, const struct xp_options *o, const char *only)
{
	struct kinds k = { .count = json_object() };
	const char *kind;
	json_t *n;
	each(in, NULL, count_kind, &k);
	int status = in->refused ? XP_USAGE : in->problem ? XP_FAILURE : XP_OK;
	if (in->refused)
		json_object_clear(k.count);
	if (only && !json_object_get(k.count, only) && !in->problem)
		status = unknown_kind(in->name, only, k.count);
	json_object_foreach(k.count, kind, n)
	{
		if (only && strcmp(kind, only) != 0)
			continue;
		if (!only && !o->json)
			printf("== %s (%" JSON_INTEGER_FORMAT ")\n", kind, json_integer_value(n));
		show_kind(in, kind, json_integer_value(n), o->json);
	}
	if (in->problem && json_object_size(k.count) && !o->json)
		printf("incomplete: %s\n", in->problem);
	json_decref(k.count);
	return status;
}

static int run_show(const struct xp_options *o)
{
	struct stat st;
	char table[4096], copy[32];
	struct source in = { .path = o->operand[0], .name = xp_log_name(o->operand[0]) };
	const char *only = o->record, *why;
	if (o->record && o->all) {
		xp_message("--record and --all cannot be combined");
		return XP_USAGE;
	}
	if (!strcmp(in.path, "-")) {
		in.path = copy;
		if (xp_log_keep_stdin(copy, &why)) {
			xp_message("%s: %s", in.name, why);
			return XP_FAILURE;
		}
	} else if (!stat(in.path, &st) && S_ISDIR(st.st_mode)) { /* a sweep: its table */
		int status = xp_show_folder(in.path, o->json, o->record || o->all);
		if (status >= 0)
			return status;
		snprintf(table, sizeof table, "%s/summary.jsonl", in.path);
		in.path = in.name = table;
		only = o->all || o->record ? o->record : "point";
	}
	if (o->all)
		return show_records(&in, o, NULL);
	if (!only && o->json)
		only = "summary";
	return only ? show_records(&in, o, only) : show_summary(&in);
}

const struct xp_command xp_command_show = {
	.name = "show",
	.summary = "print a result log as text or as JSON",
	.operands = "FILE",
	.text = "Prints the summary of a result log as tilefly run printed it; with --record or --all it prints the "
		"records themselves, one field per line if there is one record of a kind, otherwise as a table. FILE "
		"is a result log, or - for standard input. For the results directory of a sweep it prints the table "
		"with one row per point; for that of compare the ranking, and for that of design the Pareto front, or "
		"with --json compare.json or design.json. For a log that is truncated it prints the existing records, "
		"a message that it is incomplete, and exits with status 1.",
	.examples = "tilefly show run.jsonl.gz\n"
		    "tilefly run my.cfg --out - | tilefly show - --record job\n"
		    "tilefly show run.jsonl.gz --record port\n"
		    "tilefly show run.jsonl.gz --record manifest --json\n"
		    "tilefly show results/slimfly-validation\n",
	.status = "0 done, 1 the file is truncated or damaged, 2 wrong usage, there is no such record, FILE is a "
		  "device or a pipe, or FILE is not a result log (empty, not JSON, without results, or with a number "
		  "of records that differs from that in its end record).",
	.bit = XP_CMD_SHOW,
	.min_operands = 1,
	.max_operands = 1,
	.word = XP_WORD_RESULT,
	.ranks = XP_ALONE,
	.run = run_show,
};

/* experiments/commands/help.c - see help.h */
#include "experiments/commands/help.h"

#include <string.h>

#define WIDTH 100 /* columns of a line of help */
#define COLUMN 25 /* where the meaning of an option begins */

/* Prints text from column `at` on, in lines that begin at column `indent`; empty lines separate paragraphs. */
static void print_wrapped(FILE *out, const char *text, size_t at, size_t indent)
{
	size_t start = at;
	while (*text) {
		size_t length = strcspn(text, " \n");
		if (at > start && at + 1 + length > WIDTH) {
			fprintf(out, "\n%*s", (int)indent, "");
			at = start = indent;
		}
		fprintf(out, "%s%.*s", at > start ? " " : "", (int)length, text);
		at += length + (at > start);
		text += length;
		if (!strncmp(text, "\n\n", 2)) {
			fprintf(out, "\n\n%*s", (int)indent, "");
			at = start = indent;
		}
		text += strspn(text, " \n");
	}
	fputc('\n', out);
}

static void print_option(FILE *out, const struct xp_option *o)
{
	char left[96], letter[8] = "    ";
	if (o->letter)
		snprintf(letter, sizeof letter, "-%c, ", o->letter);
	int n =
	    snprintf(left, sizeof left, "  %s--%s%s%s", letter, o->name, o->value ? " " : "", o->value ? o->value : "");
	fprintf(out, "%-*s ", COLUMN - 1, left);
	print_wrapped(out, o->help, n < COLUMN ? COLUMN : (size_t)n + 1, COLUMN);
}

/* Command lines, indented. */
static void print_examples(FILE *out, const char *lines)
{
	fputs("\nExamples:\n", out);
	for (size_t length; *lines; lines += length + (lines[length] == '\n')) {
		length = strcspn(lines, "\n");
		fprintf(out, "  %.*s\n", (int)length, lines);
	}
}

void xp_help_command(FILE *out, const struct xp_command *command)
{
	fprintf(out, "usage: tilefly %s [OPTION]...%s%s\n\n", command->name, *command->operands ? " " : "",
	        command->operands);
	print_wrapped(out, command->text, 0, 0);
	fputs("\nOptions:\n", out);
	for (const struct xp_option *o = xp_option_table; o->name; o++)
		if (o->commands & command->bit)
			print_option(out, o);
	print_examples(out, command->examples);
	fputs("\nExit status: ", out);
	print_wrapped(out, command->status, 13, 0);
}

void xp_help_program(FILE *out)
{
	fputs("usage: tilefly COMMAND [OPTION]... [OPERAND]...\n\nSimulates HPC interconnection networks in parallel; "
	      "results do not depend on the degree of parallelism.\n\nCommands:\n",
	      out);
	for (size_t i = 0; xp_commands[i]; i++)
		fprintf(out, "  %-11s %s\n", xp_commands[i]->name, xp_commands[i]->summary);
	fprintf(out, "  %-11s %s\n", "help", "help on one command: tilefly help run");
	print_examples(out, "tilefly run slimfly-3k\n"
	                    "tilefly run slimfly-3k --set traffic.[0].load=0.9 --out run.jsonl.gz\n"
	                    "mpirun -n 2 tilefly run slimfly-74k --sync optimistic\n"
	                    "tilefly topo dragonfly-1056 --json\n");
	fputs("\ntilefly --version prints the version, the commit and what it was built with.\n", out);
}

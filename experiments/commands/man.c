/* experiments/commands/man.c - `tilefly man`: prints the manual pages in roff format, generated from the descriptors of
 * the commands and the table of options. */
#include "experiments/commands/command.h"
#include "experiments/config/message.h"
#include "tilefly_version.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* `length` characters with what roff would misread escaped. */
static void print_escaped(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '\\')
			fputs("\\e", stdout);
		else if (text[i] == '-')
			fputs("\\-", stdout);
		else if ((text[i] == '.' || text[i] == '\'') && (!i || text[i - 1] == '\n'))
			printf("\\&%c", text[i]);
		else
			putchar(text[i]);
	}
}

static void print_man_text(const char *text)
{
	print_escaped(text, strlen(text));
}

static void print_title(const char *command)
{
	char name[64];
	size_t n = 0;
	for (const char *p = command ? command : ""; *p && n + 1 < sizeof name; p++)
		name[n++] = (char)toupper((unsigned char)*p);
	name[n] = 0;
	printf(".TH TILEFLY%s%s 1 \"\" \"tilefly %s\" \"tilefly\"\n", n ? "\\-" : "", name, TILEFLY_VERSION);
}

static void print_paragraphs(const char *text)
{
	for (size_t length; *text; text += length + strspn(text + length, "\n")) {
		const char *end = strstr(text, "\n\n");
		length = end ? (size_t)(end - text) : strlen(text);
		printf(".PP\n");
		print_escaped(text, length);
		printf("\n");
	}
}

static void print_examples(const char *lines)
{
	printf(".SH EXAMPLES\n.nf\n");
	print_man_text(lines);
	printf(".fi\n");
}

static void print_option(const struct xp_option *o)
{
	printf(".TP\n");
	if (o->letter)
		printf("\\fB\\-%c\\fR, ", o->letter);
	printf("\\fB\\-\\-");
	print_man_text(o->name);
	printf("\\fR");
	if (o->value) {
		printf(" \\fI");
		print_man_text(o->value);
		printf("\\fR");
	}
	printf("\n");
	print_man_text(o->help);
	printf("\n");
}

static void print_command(const struct xp_command *command)
{
	print_title(command->name);
	printf(".SH NAME\ntilefly\\-%s \\- %s\n.SH SYNOPSIS\n\\fBtilefly %s\\fR [\\fIOPTION\\fR]...", command->name,
	       command->summary, command->name);
	if (*command->operands) {
		printf(" \\fI");
		print_man_text(command->operands);
		printf("\\fR");
	}
	printf("\n.SH DESCRIPTION\n");
	print_paragraphs(command->text);
	printf(".SH OPTIONS\n");
	for (const struct xp_option *o = xp_option_table; o->name; o++)
		if (o->commands & command->bit)
			print_option(o);
	print_examples(command->examples);
	printf(".SH EXIT STATUS\n");
	print_man_text(command->status);
	printf("\n.SH SEE ALSO\n\\fBtilefly\\fR(1)\n");
}

static void print_program(void)
{
	print_title(NULL);
	printf(
	    ".SH NAME\ntilefly \\- parallel simulation of HPC interconnection networks\n.SH SYNOPSIS\n\\fBtilefly\\fR "
	    "\\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIOPERAND\\fR]...\n.SH DESCRIPTION\nSimulates HPC interconnection "
	    "networks in parallel; results do not depend on the degree of parallelism. Every command has a page of its "
	    "own, as in tilefly\\-run(1), and \\fB\\-\\-help\\fR.\n.SH COMMANDS\n");
	for (size_t i = 0; xp_commands[i]; i++) {
		printf(".TP\n\\fBtilefly\\-%s\\fR(1)\n", xp_commands[i]->name);
		print_man_text(xp_commands[i]->summary);
		printf("\n");
	}
	printf(".SH OPTIONS\n.TP\n\\fB\\-\\-help\\fR\nprint the commands\n.TP\n\\fB\\-\\-version\\fR\nprint version, "
	       "commit and build options\n");
	print_examples("tilefly run slimfly-3k\ntilefly help sweep\n");
}

static int run_man(const struct xp_options *o)
{
	const struct xp_command *command = o->operands ? xp_command_find(o->operand[0]) : NULL;
	if (o->operands && !command) {
		xp_message("there is no command \"%s\"", o->operand[0]);
		return XP_USAGE;
	}
	if (command)
		print_command(command);
	else
		print_program();
	return XP_OK;
}

const struct xp_command xp_command_man = {
	.name = "man",
	.summary = "print a manual page",
	.operands = "[COMMAND]",
	.text = "Prints the manual page of a command, or of tilefly, in roff format. The pages are installed with the "
		"program; this command prints them without an installation.",
	.examples = "tilefly man run | man -l -\n"
		    "tilefly man > tilefly.1\n",
	.status = "0 done, 2 wrong usage.",
	.bit = XP_CMD_MAN,
	.min_operands = 0,
	.max_operands = 1,
	.word = XP_WORD_COMMAND,
	.ranks = XP_ALONE,
	.run = run_man,
};

/* experiments/commands/completion.c - `tilefly completion`: prints scripts that complete command lines in bash and zsh.
 * They are generated from the descriptors of the commands and the table of options. */
#include "experiments/commands/command.h"
#include "experiments/commands/registry.h"
#include "experiments/commands/words.h"
#include "experiments/config/message.h"

#include <stdio.h>
#include <string.h>

/* Text within single quotes of a shell. */
static void print_quoted(const char *text)
{
	for (; *text; text++)
		if (*text == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*text);
}

/* --- bash ------------------------------------------------------------------------------------------- */

/* The commands that say what a word of this kind can be. */
static void bash_word(const struct base_registry *registry, enum xp_word word, const char *choices)
{
	switch (word) {
	case XP_WORD_ANY:
		printf(":");
		break;
	case XP_WORD_FILE:
		printf("_tilefly_files ''");
		break;
	case XP_WORD_FOLDER:
		printf("_tilefly_folders");
		break;
	case XP_WORD_PLUGIN:
		printf("_tilefly_files '*.so'");
		break;
	case XP_WORD_KEY:
		printf("_tilefly_keys");
		break;
	case XP_WORD_CHOICE:
		printf("_tilefly_words '");
		xp_words_choices(stdout, choices);
		printf("'");
		break;
	case XP_WORD_CONFIG:
	case XP_WORD_STUDY:
		printf("_tilefly_words '");
		xp_words_shipped(stdout, word == XP_WORD_CONFIG ? XP_SHIPPED_CONFIG : XP_SHIPPED_STUDY);
		printf("'; _tilefly_files '*.cfg'");
		break;
	case XP_WORD_RESULT:
		printf("_tilefly_files '*.jsonl*'");
		break;
	case XP_WORD_LIST:
		printf("_tilefly_words '");
		xp_words_list(stdout, registry);
		printf("'");
		break;
	case XP_WORD_SHELL:
		printf("_tilefly_words 'bash zsh'");
		break;
	case XP_WORD_COMMAND:
		printf("_tilefly_words '");
		for (size_t i = 0; xp_commands[i]; i++)
			printf("%s ", xp_commands[i]->name);
		printf("'");
		break;
	}
}

static void bash_case(void *arg, const char *key, const char *words)
{
	(void)arg;
	if (*words)
		printf("\t'%s') _tilefly_words '%s' ;;\n", key, words);
}

static const char bash_helpers[] =
    "_tilefly_words() { mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -W \"$1\" -- \"$cur\"); }\n"
    "_tilefly_folders() { compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- \"$cur\"); }\n"
    "_tilefly_files() { # those that match a pattern, and folders\n"
    "\tcompopt -o filenames 2>/dev/null\n"
    "\tmapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -f ${1:+-X \"!$1\"} -- \"$cur\"; "
    "[ -z \"$1\" ] || compgen -d -- \"$cur\")\n"
    "}\n";

/* What follows an option that takes a value: the options of all commands that have it. */
static void bash_values(const struct base_registry *registry)
{
	printf("\tcase $command:$prev in\n");
	for (const struct xp_option *o = xp_option_table; o->name; o++) {
		const char *bar = "";
		if (!o->value)
			continue;
		printf("\t");
		for (size_t i = 0; xp_commands[i]; i++) {
			if (!(o->commands & xp_commands[i]->bit))
				continue;
			printf("%s%s:--%s", bar, xp_commands[i]->name, o->name);
			bar = "|";
			if (o->letter)
				printf("|%s:-%c", xp_commands[i]->name, o->letter);
		}
		printf(") ");
		bash_word(registry, o->word, o->choices);
		printf("; return ;;\n");
	}
	printf("\tesac\n");
}

static void bash_command(const struct base_registry *registry, const struct xp_command *command)
{
	printf("\t%s)\n\t\tif [[ $cur == -* ]]; then _tilefly_words '", command->name);
	for (const struct xp_option *o = xp_option_table; o->name; o++)
		if (o->commands & command->bit)
			printf("--%s ", o->name);
	printf("'; else ");
	if (command->max_operands)
		bash_word(registry, command->word, NULL);
	else
		printf(":");
	printf("; fi ;;\n");
}

static void print_bash(const struct base_registry *registry)
{
	printf("# Completion of tilefly for bash, made by `tilefly completion bash`.\n%s", bash_helpers);
	printf("_tilefly_keys() { compopt -o nospace 2>/dev/null; _tilefly_words '");
	xp_words_keys(stdout, registry);
	printf("'; }\n_tilefly_values() { # of the key $1\n\tcase $1 in\n");
	xp_words_values(registry, bash_case, NULL);
	printf("\tesac\n}\n"
	       "_tilefly() {\n"
	       "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
	       "\tCOMPREPLY=()\n"
	       "\tif [ \"$COMP_CWORD\" -le 1 ]; then\n\t\t_tilefly_words 'help --help --version ");
	for (size_t i = 0; xp_commands[i]; i++)
		printf("%s ", xp_commands[i]->name);
	printf("'\n\t\treturn\n\tfi\n"
	       "\t# bash parts words at =, so that --set KEY=VALUE comes as --set, KEY, =, VALUE\n"
	       "\tif [ \"$cur\" = = ]; then cur= ; _tilefly_values \"$prev\"; return; fi\n"
	       "\tif [ \"$prev\" = = ]; then _tilefly_values \"${COMP_WORDS[COMP_CWORD-2]}\"; return; fi\n");
	bash_values(registry);
	printf("\tcase $command in\n");
	for (size_t i = 0; xp_commands[i]; i++)
		bash_command(registry, xp_commands[i]);
	printf("\thelp) ");
	bash_word(registry, XP_WORD_COMMAND, NULL);
	printf(" ;;\n\tesac\n}\ncomplete -F _tilefly tilefly\n");
}

/* --- zsh -------------------------------------------------------------------------------------------- */

/* The action of a word, after its message. */
static void zsh_word(const struct base_registry *registry, enum xp_word word, const char *choices)
{
	switch (word) {
	case XP_WORD_ANY:
		break;
	case XP_WORD_FILE:
		printf("_files");
		break;
	case XP_WORD_FOLDER:
		printf("_files -/");
		break;
	case XP_WORD_PLUGIN:
		printf("_files -g \"*.so\"");
		break;
	case XP_WORD_KEY:
		printf("_tilefly_keys");
		break;
	case XP_WORD_CHOICE:
		printf("(");
		xp_words_choices(stdout, choices);
		printf(")");
		break;
	case XP_WORD_CONFIG:
		printf("_tilefly_configs");
		break;
	case XP_WORD_STUDY:
		printf("_tilefly_studies");
		break;
	case XP_WORD_RESULT:
		printf("_files -g \"*.jsonl*\"");
		break;
	case XP_WORD_SHELL:
		printf("(bash zsh)");
		break;
	case XP_WORD_LIST:
		printf("(");
		xp_words_list(stdout, registry);
		printf(")");
		break;
	case XP_WORD_COMMAND:
		printf("(");
		for (size_t i = 0; xp_commands[i]; i++)
			printf("%s ", xp_commands[i]->name);
		printf(")");
		break;
	}
}

/* Within single quotes, what _arguments would misread escaped. */
static void zsh_text(const char *text)
{
	for (; *text; text++) {
		char one[2] = { *text, 0 };
		if (strchr("[]:\\", *text))
			putchar('\\');
		print_quoted(one);
	}
}

static void zsh_option(const struct base_registry *registry, const struct xp_option *o)
{
	bool many = o->take == XP_TAKE_SET || o->take == XP_TAKE_PLUGIN;
	for (int form = 0; form < 1 + (o->letter != 0); form++) {
		if (form)
			printf(" '%s-%c[", many ? "*" : "", o->letter);
		else
			printf(" '%s--%s[", many ? "*" : "", o->name);
		zsh_text(o->help);
		printf("]");
		if (o->value) {
			printf(":");
			zsh_text(o->value);
			printf(":");
			zsh_word(registry, o->word, o->choices);
		}
		printf("'");
	}
}

static void zsh_command(const struct base_registry *registry, const struct xp_command *command)
{
	printf("\t%s) _arguments -S", command->name);
	for (const struct xp_option *o = xp_option_table; o->name; o++)
		if (o->commands & command->bit)
			zsh_option(registry, o);
	if (command->max_operands) {
		printf(" '*:");
		zsh_text(command->operands);
		printf(":");
		zsh_word(registry, command->word, NULL);
		printf("'");
	}
	printf(" ;;\n");
}

static void zsh_shipped(const char *name, const char *what, enum xp_shipped kind)
{
	printf("_tilefly_%s() { _alternative 'shipped:shipped %s:(", name, what);
	xp_words_shipped(stdout, kind);
	printf(")' 'files:file:_files -g \"*.cfg\"' }\n");
}

static void zsh_key(void *arg, const char *key, const char *words)
{
	(void)arg;
	(void)words;
	printf(" '%s='", key);
}

static void print_zsh(const struct base_registry *registry)
{
	printf("#compdef tilefly\n# Completion of tilefly for zsh, made by `tilefly completion zsh`.\n");
	printf("_tilefly_keys() {\n\tlocal -a keys=(");
	xp_words_values(registry, zsh_key, NULL);
	printf(" )\n\tcompadd -S '' -a keys\n}\n");
	zsh_shipped("configs", "configuration", XP_SHIPPED_CONFIG);
	zsh_shipped("studies", "study", XP_SHIPPED_STUDY);
	printf("_tilefly() {\n\tlocal -a commands=(");
	for (size_t i = 0; xp_commands[i]; i++) {
		printf(" '%s:", xp_commands[i]->name);
		print_quoted(xp_commands[i]->summary);
		printf("'");
	}
	printf(" 'help:help on one command' )\n"
	       "\tif (( CURRENT == 2 )); then _describe command commands; return; fi\n"
	       "\tlocal command=$words[2]\n"
	       "\tshift words\n\t(( CURRENT-- ))\n\tcase $command in\n");
	for (size_t i = 0; xp_commands[i]; i++)
		zsh_command(registry, xp_commands[i]);
	printf("\thelp) _arguments '1:command:");
	zsh_word(registry, XP_WORD_COMMAND, NULL);
	printf("' ;;\n\tesac\n}\n_tilefly \"$@\"\n");
}

/* --- the command ------------------------------------------------------------------------------------ */

static int run_completion(const struct xp_options *o)
{
	struct base_registry registry = { 0 };
	struct base_errors errors = { 0 };
	const char *shell = o->operand[0];
	bool bash = !strcmp(shell, "bash");
	if (!bash && strcmp(shell, "zsh") != 0) {
		xp_message("there is completion for bash and zsh, not for \"%s\"", shell);
		return XP_USAGE;
	}
	if (!xp_open_registry(&registry, o, &errors))
		(bash ? print_bash : print_zsh)(&registry);
	base_errors_free(&errors);
	base_registry_free(&registry);
	return XP_OK;
}

const struct xp_command xp_command_completion = {
	.name = "completion",
	.summary = "print the script that completes command lines in bash or zsh",
	.operands = "SHELL",
	.text =
	    "Prints a script that lets a shell complete commands, options, configuration keys and their values, the "
	    "names of shipped configurations and studies, and files. SHELL is bash or zsh. The scripts are "
	    "installed with the program.",
	.examples = "source <(tilefly completion bash)\n"
		    "tilefly completion zsh > ~/.zfunc/_tilefly\n",
	.status = "0 done, 2 wrong usage.",
	.bit = XP_CMD_COMPLETION,
	.min_operands = 1,
	.max_operands = 1,
	.word = XP_WORD_SHELL,
	.ranks = XP_ALONE,
	.run = run_completion,
};

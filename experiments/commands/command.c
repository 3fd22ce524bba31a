/* experiments/commands/command.c - see command.h */
#include "experiments/commands/command.h"

#include "base/input.h"
#include "experiments/config/message.h"
#include "experiments/results/file.h"
#include "experiments/results/reader.h"
#include "sim/sim.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct xp_command *const xp_commands[] = {
	&xp_command_run,        &xp_command_topo,   &xp_command_check,
	&xp_command_cost,       &xp_command_size,   &xp_command_sweep,
	&xp_command_compare,    &xp_command_design, &xp_command_workload,
	&xp_command_record,     &xp_command_report, &xp_command_show,
	&xp_command_diff,       &xp_command_list,   &xp_command_phold,
	&xp_command_completion, &xp_command_man,    NULL,
};

const struct xp_command *xp_command_find(const char *name)
{
	for (size_t i = 0; xp_commands[i]; i++)
		if (!strcmp(xp_commands[i]->name, name))
			return xp_commands[i];
	return NULL;
}

/* Results are read several times, so they must be in regular files and directories, not in pipes or devices. */
static int check_results(const struct xp_options *o)
{
	struct base_errors errors = { 0 };
	for (int i = 0; i < o->operands; i++)
		if (xp_is_special_file(o->operand[i]))
			xp_error_at(&errors, o->operand[i], "is not a regular file");
	xp_message_errors(&errors);
	int status = errors.errors ? XP_USAGE : XP_GO_ON;
	base_errors_free(&errors);
	return status;
}

/* What is printed goes to --out. */
struct outlet {
	struct xp_file file;
	int before; /* standard output; -1: it stays */
};

static int outlet_open(struct outlet *outlet, const struct xp_command *command, const struct xp_options *o)
{
	outlet->before = -1;
	if (!(command->bit & XP_CMD_PRINTS) || !o->out || !strcmp(o->out, "-"))
		return XP_GO_ON;
	if (o->quiet && !o->json) {
		xp_message("--out has no effect with --quiet, which prints no text");
		return XP_USAGE;
	}
	for (int i = 0; i < o->operands; i++)
		base_note_input(o->operand[i]);
	if (xp_file_open(&outlet->file, o->out))
		return XP_FAILURE;
	fflush(stdout);
	outlet->before = dup(STDOUT_FILENO);
	if (outlet->before >= 0 && dup2(outlet->file.fd, STDOUT_FILENO) >= 0)
		return XP_GO_ON;
	xp_message("%s: %s", o->out, strerror(errno));
	xp_file_discard(&outlet->file);
	return XP_FAILURE;
}

/* The file appears if anything was printed. */
static int outlet_close(struct outlet *outlet, const struct xp_options *o, int status)
{
	struct stat st;
	if (outlet->before < 0)
		return status;
	bool failed = fflush(stdout) || ferror(stdout), read = base_was_read(o->out);
	clearerr(stdout);
	bool empty = fstat(STDOUT_FILENO, &st) || !st.st_size;
	dup2(outlet->before, STDOUT_FILENO);
	close(outlet->before);
	if (failed)
		xp_message("%s: could not be written", o->out);
	else if (read && !empty)
		xp_message("--out: %s is an input file of this command", o->out);
	if (failed || read || empty) {
		xp_file_discard(&outlet->file);
		return failed ? XP_FAILURE : read && !empty ? XP_USAGE : status;
	}
	return xp_file_close(&outlet->file) ? XP_FAILURE : status;
}

int xp_command_main(const struct xp_command *command, int argc, char **argv)
{
	struct xp_options o;
	struct outlet outlet;
	if (command->ranks == XP_FIRST_RANK && sim_rank() != 0)
		return XP_OK;
	xp_message_command(command->name);
	int status = xp_options_read(&o, command, argc, argv);
	if (status == XP_GO_ON && command->word == XP_WORD_RESULT)
		status = check_results(&o);
	if (status == XP_GO_ON)
		status = outlet_open(&outlet, command, &o);
	if (status == XP_GO_ON)
		status = outlet_close(&outlet, &o, command->run(&o));
	xp_options_free(&o);
	xp_message_command(NULL);
	return status;
}

/* experiments/main.c - `tilefly COMMAND ...`: finds the command. Each is a file of experiments/commands/. */
#include "base/memory.h"
#include "base/param.h"
#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "experiments/commands/help.h"
#include "experiments/commands/launched.h"
#include "experiments/commands/version.h"
#include "experiments/config/message.h"
#include "experiments/results/temporary.h"
#include "sim/sim.h"

#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int unknown_command(const char *name)
{
	const char *names[64];
	size_t n = 0;
	for (; xp_commands[n] && n < 64; n++)
		names[n] = xp_commands[n]->name;
	const char *near = base_nearest(name, names, n);
	if (near)
		xp_message("unknown command \"%s\"; did you mean \"%s\"?", name, near);
	else
		xp_message("unknown command \"%s\"", name);
	fprintf(stderr, "Try \"tilefly --help\".\n");
	return XP_USAGE;
}

/* Output that could not be written (disk full, closed pipe) is a failure. */
static int flush_output(int status)
{
	if (fflush(stdout) || ferror(stdout)) {
		xp_message("standard output could not be written");
		return status ? status : XP_FAILURE;
	}
	return status;
}

static void report_loss(const char *what)
{
	xp_message("%s", what);
}

static int run_command(const struct xp_command *command, int argc, char **argv)
{
	xp_guard_arm();
	bool ranks = command->ranks != XP_ALONE;
	sim_on_lost_rank(report_loss, xp_temporary_remove);
	if (ranks && sim_mpi_start(&argc, &argv)) {
		xp_guard_disarm();
		xp_message("MPI could not be started");
		return XP_FAILURE;
	}
	if (command->ranks == XP_STARTS) {
		xp_launched_unite();
		sim_mpi_stop();
	}
	int status = flush_output(xp_command_main(command, argc, argv));
	xp_guard_disarm();
	if (ranks)
		sim_mpi_stop();
	return status;
}

static int help_on(const char *name)
{
	const struct xp_command *command = xp_command_find(name);
	if (!command)
		return unknown_command(name);
	xp_help_command(stdout, command);
	return flush_output(XP_OK);
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : NULL;
	signal(SIGXFSZ, SIG_IGN); /* a file-size limit is then a write error with a message */
	base_heap_within_limit();
	json_set_alloc_funcs(base_alloc, free); /* which do not return NULL: jansson's callers need not look */
	if (!word) {
		xp_help_program(stderr);
		return XP_USAGE;
	}
	if (!strcmp(word, "--help") || !strcmp(word, "-h") || (!strcmp(word, "help") && argc == 2)) {
		xp_help_program(stdout);
		return flush_output(XP_OK);
	}
	if (!strcmp(word, "help"))
		return help_on(argv[2]);
	if (!strcmp(word, "--version") || !strcmp(word, "version")) {
		xp_print_version();
		return flush_output(XP_OK);
	}
	const struct xp_command *command = xp_command_find(word);
	return command ? run_command(command, argc - 1, argv + 1) : unknown_command(word);
}

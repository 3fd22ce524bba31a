/* experiments/main.c - `tilefly COMMAND ...`: finds the command. Each is in its own cmd_*.c. */
#include "base/param.h"
#include "experiments/commands.h"
#include "sim/sim.h"
#include "tilefly_version.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

struct command {
	const char *name, *summary;
	int (*run)(int argc, char **argv);
	bool ranks; /* may run on several MPI ranks; the others run on one process and start processes of their own */
};

static const struct command commands[] = {
	{ "run", "simulate one configuration", xp_cmd_run, true },
	{ "topo", "build a topology and print its facts", xp_cmd_topo, true },
	{ "check", "validate a configuration and prove its routing deadlock-free", xp_cmd_check, true },
	{ "sweep", "run a grid of configurations into a results folder", xp_cmd_sweep, false },
	{ "report", "make a page of charts from results", xp_cmd_report, false },
	{ "list", "the plug-ins and their parameters", xp_cmd_list, true },
	{ "phold", "the PHOLD benchmark on the bare engine", xp_cmd_phold, true },
};

#define NCOMMANDS (sizeof commands / sizeof *commands)

static void print_help(FILE *out)
{
	fprintf(out, "usage: tilefly COMMAND [OPTION]... [ARGUMENT]...\n\n"
	             "Simulates HPC interconnection networks in parallel, with results that do not depend on how.\n\n"
	             "Commands:\n");
	for (size_t i = 0; i < NCOMMANDS; i++)
		fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
	fprintf(out, "  %-8s %s\n", "help", "help on one command: tilefly help run");
	fprintf(out, "\nExamples:\n"
	             "  tilefly run slimfly-3k\n"
	             "  tilefly run slimfly-3k --set traffic.[0].load=0.9 --out run.jsonl.gz\n"
	             "  mpirun -n 2 tilefly run slimfly-74k --sync optimistic\n"
	             "  tilefly topo dragonfly-1056 --json\n\n"
	             "tilefly --version prints the version, the commit and what it was built with.\n");
}

static void print_version(void)
{
	printf("tilefly %s (commit %s)\n", TILEFLY_VERSION, TILEFLY_COMMIT);
	printf("built     %s, %s, flags %s\n", TILEFLY_BUILD_TYPE, TILEFLY_COMPILER, TILEFLY_FLAGS);
	printf("MPI       %s\n", sim_mpi_name());
	printf("zlib      %s\n", zlibVersion());
#ifdef TILEFLY_HAVE_METIS
	printf("features  metis\n");
#else
	printf("features  none\n");
#endif
}

static const struct command *find(const char *name)
{
	for (size_t i = 0; i < NCOMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

static int unknown_command(const char *name)
{
	const char *names[NCOMMANDS];
	for (size_t i = 0; i < NCOMMANDS; i++)
		names[i] = commands[i].name;
	const char *near = base_nearest(name, names, NCOMMANDS);
	fprintf(stderr, "tilefly: unknown command \"%s\"", name);
	if (near)
		fprintf(stderr, "; did you mean \"%s\"?", near);
	fprintf(stderr, "\nTry \"tilefly --help\".\n");
	return XP_USAGE;
}

/* Output that could not be written (disk full, closed pipe) is a failure. */
static int flush_output(int status)
{
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "tilefly: standard output could not be written\n");
		return status ? status : XP_FAILURE;
	}
	return status;
}

static int run_command(const struct command *command, int argc, char **argv)
{
	if (command->ranks && sim_mpi_start(&argc, &argv)) {
		fprintf(stderr, "tilefly: MPI could not be started\n");
		return XP_FAILURE;
	}
	int status = flush_output(command->run(argc, argv));
	if (command->ranks)
		sim_mpi_stop();
	return status;
}

static int help_on(const char *name)
{
	char help[] = "--help", command_name[64];
	const struct command *command = find(name);
	if (!command)
		return unknown_command(name);
	snprintf(command_name, sizeof command_name, "%s", name);
	char *argv[] = { command_name, help, NULL };
	return flush_output(command->run(2, argv));
}

int main(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : NULL;
	signal(SIGXFSZ, SIG_IGN); /* a file-size limit is then a write error with a message */
	if (!word) {
		print_help(stderr);
		return XP_USAGE;
	}
	if (!strcmp(word, "--help") || !strcmp(word, "-h") || (!strcmp(word, "help") && argc == 2)) {
		print_help(stdout);
		return flush_output(XP_OK);
	}
	if (!strcmp(word, "help"))
		return help_on(argv[2]);
	if (!strcmp(word, "--version") || !strcmp(word, "version")) {
		print_version();
		return flush_output(XP_OK);
	}
	const struct command *command = find(word);
	return command ? run_command(command, argc - 1, argv + 1) : unknown_command(word);
}

/* experiments/commands/command.h - the type of the commands of `tilefly`, and the functions that find and run them.
 *
 * Each command is implemented in one file of experiments/commands/ that ends with its descriptor. Help, shell
 * completion and manual pages are generated from the descriptors and the table of options. */
#ifndef EXPERIMENTS_COMMANDS_COMMAND_H
#define EXPERIMENTS_COMMANDS_COMMAND_H

#include "experiments/commands/exit.h"
#include "experiments/commands/options.h"

enum xp_ranks {
	XP_ALONE,      /* one process, which may start others; MPI is not started */
	XP_STARTS,     /* the same; under mpirun rank 0 has the cores of all ranks of its host, and MPI has ended */
	XP_FIRST_RANK, /* under mpirun rank 0 works and the others do nothing */
	XP_ALL_RANKS,  /* all ranks call run() */
};

struct xp_command {
	const char *name;     /* "run" */
	const char *summary;  /* one line */
	const char *operands; /* "CONFIG" */
	const char *text;     /* what it does; paragraphs, parted by empty lines */
	const char *examples; /* command lines, one a line */
	const char *status;   /* what the exit statuses mean */
	unsigned bit;         /* XP_CMD_* */
	int min_operands, max_operands;
	enum xp_word word; /* what the operands are */
	enum xp_ranks ranks;
	/* Runs the command. Returns an enum xp_exit. */
	int (*run)(const struct xp_options *o);
};

/* The table of all commands, which ends with NULL. */
extern const struct xp_command *const xp_commands[];

/* Returns the command of this name, or NULL if there is none. */
const struct xp_command *xp_command_find(const char *name);
/* Parses the command line (argv[0] is ignored), runs the command, and returns the exit status. The caller must have
 * initialized MPI if command->ranks requires it. */
int xp_command_main(const struct xp_command *command, int argc, char **argv);

extern const struct xp_command xp_command_run, xp_command_topo, xp_command_check, xp_command_sweep, xp_command_report,
    xp_command_list, xp_command_phold, xp_command_show, xp_command_diff, xp_command_completion, xp_command_man,
    xp_command_cost, xp_command_size, xp_command_compare, xp_command_design, xp_command_workload, xp_command_record;

#endif

/* experiments/commands/exit.h - the exit statuses of the program. */
#ifndef EXPERIMENTS_COMMANDS_EXIT_H
#define EXPERIMENTS_COMMANDS_EXIT_H

enum xp_exit {
	XP_OK = 0,
	XP_FAILURE = 1,     /* the run failed */
	XP_USAGE = 2,       /* bad usage or configuration */
	XP_DEADLOCK = 3,    /* the simulated network deadlocked or stalled */
	XP_BROKEN = 4,      /* an internal invariant was violated */
	XP_INTERRUPT = 130, /* interrupted; partial results are valid */
};

#endif

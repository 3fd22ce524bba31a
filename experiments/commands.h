/* experiments/commands.h - the commands of `tilefly` and the options they share.
 *
 * A command gets its own name as argv[0] and returns the exit status of the program. It handles --help itself;
 * `tilefly help NAME` calls it with --help. */
#ifndef EXPERIMENTS_COMMANDS_H
#define EXPERIMENTS_COMMANDS_H

#include "base/error.h"
#include "base/plugin.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum xp_exit {
	XP_OK = 0,
	XP_FAILURE = 1,     /* the run failed */
	XP_USAGE = 2,       /* bad usage or configuration */
	XP_DEADLOCK = 3,    /* the simulated network deadlocked or stalled */
	XP_BROKEN = 4,      /* an internal invariant was violated */
	XP_INTERRUPT = 130, /* interrupted; partial results are valid */
};

enum xp_when { XP_AUTO, XP_ALWAYS, XP_NEVER };

/* Options that a command takes, as a set. */
enum {
	XP_OPT_CONFIG = 1 << 0,   /* --set --seed, --plugin */
	XP_OPT_JSON = 1 << 1,     /* --json */
	XP_OPT_RUN = 1 << 2,      /* --sync --out --audit --estimate --quiet --progress */
	XP_OPT_EDGES = 1 << 3,    /* --edges FILE */
	XP_OPT_MARKDOWN = 1 << 4, /* --markdown */
	XP_OPT_PHOLD = 1 << 5,    /* PHOLD's own; --sync --seed --audit --quiet --progress --json --stress */
	XP_OPT_PLUGIN = 1 << 6,   /* --plugin alone */
};

/* What the options said. Strings are argv's. */
struct xp_options {
	const char **sets; /* --set in order, and what --seed, --sync, --out, --audit mean as assignments; owned */
	size_t nsets;
	char **made; /* assignments that were built here; owned */
	size_t nmade;
	const char **plugins; /* owned */
	size_t nplugins;
	bool json, quiet, markdown;
	enum xp_when progress;
	const char *edges;
	/* PHOLD's numbers as text, NULL when not given: see cmd_phold.c */
	const char *lps, *start_events, *remote, *mean, *lookahead, *end, *seed, *sync, *stress, *window, *gvt_interval,
	    *optimism;
	bool audit;
	bool estimate;
	char **operand; /* the rest of argv */
	int operands;
};

/* A command's face to the user. */
struct xp_usage {
	const char *name;     /* "run" */
	const char *operands; /* "CONFIG" */
	const char *text;     /* what it does, its own options, examples; several lines */
	unsigned options;     /* XP_OPT_* */
	int min_operands, max_operands;
};

#define XP_GO_ON (-1)

/* Reads the command line (options and operands in any order). Returns XP_GO_ON, or the exit status after having printed
 * the help or what is wrong. Free the options either way. */
int xp_options_read(struct xp_options *o, const struct xp_usage *usage, int argc, char **argv);
void xp_options_free(struct xp_options *o);

/* The built-in plug-ins and those of --plugin. Returns 0, or -1 with errors. */
int xp_open_registry(struct base_registry *registry, const struct xp_options *o, struct base_errors *errors);

int xp_cmd_run(int argc, char **argv);
int xp_cmd_topo(int argc, char **argv);
int xp_cmd_check(int argc, char **argv);
int xp_cmd_list(int argc, char **argv);
int xp_cmd_phold(int argc, char **argv);
int xp_cmd_sweep(int argc, char **argv);
int xp_cmd_report(int argc, char **argv);

#endif

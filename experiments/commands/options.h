/* experiments/commands/options.h - the options of all commands: one table that the parser, the help, the completion and
 * the man pages read. */
#ifndef EXPERIMENTS_COMMANDS_OPTIONS_H
#define EXPERIMENTS_COMMANDS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* Sets of commands: bits that can be combined with |. */
enum {
	XP_CMD_RUN = 1 << 0,
	XP_CMD_TOPO = 1 << 1,
	XP_CMD_CHECK = 1 << 2,
	XP_CMD_SWEEP = 1 << 3,
	XP_CMD_REPORT = 1 << 4,
	XP_CMD_LIST = 1 << 5,
	XP_CMD_PHOLD = 1 << 6,
	XP_CMD_SHOW = 1 << 7,
	XP_CMD_DIFF = 1 << 8,
	XP_CMD_COMPLETION = 1 << 9,
	XP_CMD_MAN = 1 << 10,
	XP_CMD_COST = 1 << 11,
	XP_CMD_SIZE = 1 << 12,
	XP_CMD_COMPARE = 1 << 13,
	XP_CMD_DESIGN = 1 << 14,
	XP_CMD_WORKLOAD = 1 << 15,
	XP_CMD_RECORD = 1 << 16,
};

/* The commands that only print text, so that --out FILE can write this text to a file. */
#define XP_CMD_PRINTS (XP_CMD_TOPO | XP_CMD_CHECK | XP_CMD_LIST | XP_CMD_SHOW | XP_CMD_DIFF | XP_CMD_COST | XP_CMD_SIZE)

/* The kind of an option's argument, from which shell completion derives its suggestions. */
enum xp_word {
	XP_WORD_ANY, /* nothing is suggested */
	XP_WORD_FILE,
	XP_WORD_FOLDER,
	XP_WORD_PLUGIN,  /* a shared object */
	XP_WORD_CHOICE,  /* one of the option's choices */
	XP_WORD_KEY,     /* PATH=VALUE */
	XP_WORD_CONFIG,  /* a file or a shipped configuration */
	XP_WORD_STUDY,   /* a file or a shipped study */
	XP_WORD_RESULT,  /* a result log or a sweep's folder */
	XP_WORD_SHELL,   /* bash or zsh */
	XP_WORD_LIST,    /* what `list` lists */
	XP_WORD_COMMAND, /* a command of tilefly */
};

enum xp_take {
	XP_TAKE_KEY,    /* only the assignment to `key` */
	XP_TAKE_SET,    /* an assignment as it stands */
	XP_TAKE_PLUGIN, /* one more plug-in file */
	XP_TAKE_FLAG,   /* sets the bool at `offset` */
	XP_TAKE_TEXT,   /* sets the text at `offset` */
	XP_TAKE_EXPORT, /* takes two words, a format and a file */
	XP_TAKE_CHOICE, /* sets the int at `offset` to the index of the choice */
	XP_TAKE_HELP,
	XP_TAKE_VERSION,
};

/* A row of the table of options. Several rows may have the same name if they belong to different commands. */
struct xp_option {
	const char *name, *value; /* value NULL: takes none */
	char letter;              /* short form, 0 for none */
	unsigned commands;        /* XP_CMD_*, those that have it */
	enum xp_take take;
	size_t offset; /* in struct xp_options */
	/* The configuration key that the option sets, or NULL. The option is converted to an assignment and applied in
	 * command-line order with those of --set, so that the checker handles one kind of override. A flag assigns
	 * "true". */
	const char *key;
	enum xp_word word;
	const char *choices; /* "auto|always|never" */
	const char *help;
};

/* The table of all options of all commands; it ends with a row whose name is NULL. */
extern const struct xp_option xp_option_table[];

enum xp_when { XP_AUTO, XP_ALWAYS, XP_NEVER };

/* The values of the options of a command line. Strings point into argv. */
struct xp_options {
	const char **sets; /* --set in order, and what other options mean as assignments; owned */
	size_t nsets;
	char **made; /* assignments that were built here; owned */
	size_t nmade;
	const char **plugins; /* owned */
	size_t nplugins;
	bool json, quiet, markdown, audit, estimate, bounds;
	int progress; /* enum xp_when */
	const char *edges, *routes, *permutation, *out;
	const char *import, *format; /* topo */
	const char *export_format, *export_file;
	/* sweep, compare */
	const char *jobs;
	bool brief, rerun, check, list;
	/* report */
	const char *svg, *png, *pdf, *width;
	bool plain;
	/* size */
	const char *endpoints, *budget, *radix, *throughput, *trunk, *families;
	bool explain;
	/* workload */
	const char *machine, *socket, *ranks, *per_node, *loggops, *collectives, *groups;
	int emit; /* enum xp_emit */
	const char *most;
	bool unroll, strict;
	/* show, diff */
	const char *record, *tolerance;
	bool all;
	/* parameters of PHOLD as texts, NULL if not given; phold.c parses them */
	const char *lps, *start_events, *remote, *mean, *lookahead, *end, *seed, *sync, *stress, *window, *gvt_interval,
	    *optimism;
	char **operand; /* the rest of argv */
	int operands;
};

struct xp_command;

#define XP_GO_ON (-1)

/* Parses a command line with options and operands in any order. Returns XP_GO_ON, or the exit status after printing
 * help or an error. Call xp_options_free() in any case. */
int xp_options_read(struct xp_options *o, const struct xp_command *command, int argc, char **argv);
void xp_options_free(struct xp_options *o);

#endif

/* experiments/options.c - the command line of the commands that share options (commands.h).
 *
 * Options that stand for a configuration key become assignments like those of --set, in the order given, so that the
 * checker sees one kind of override. */
#include "experiments/commands.h"

#include "base/memory.h"
#include "base/param.h"
#include "experiments/builtin.h"
#include "sim/sim.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum option_id {
	ID_SET = 256,
	ID_SEED,
	ID_PLUGIN,
	ID_JSON,
	ID_SYNC,
	ID_OUT,
	ID_CSV,
	ID_AUDIT,
	ID_ESTIMATE,
	ID_QUIET,
	ID_PROGRESS,
	ID_EDGES,
	ID_MARKDOWN,
	ID_LPS,
	ID_START,
	ID_REMOTE,
	ID_MEAN,
	ID_LOOKAHEAD,
	ID_END,
	ID_STRESS,
	ID_WINDOW,
	ID_GVT,
	ID_OPTIMISM,
	ID_THREADS,
	ID_HELP,
};

/* One option, its help, and which commands have it. */
struct option_row {
	const char *name, *value; /* value NULL: takes none */
	enum option_id id;
	unsigned commands;
	const char *help;
};

static const struct option_row rows[] = {
	{ "set", "PATH=VALUE", ID_SET, XP_OPT_CONFIG,
	  "override a configuration key, as in traffic.[0].load=0.3; repeatable" },
	{ "seed", "N", ID_SEED, XP_OPT_CONFIG | XP_OPT_PHOLD, "seed of all random numbers" },
	{ "sync", "KIND", ID_SYNC, XP_OPT_RUN | XP_OPT_PHOLD, "sequential, conservative, optimistic or auto" },
	{ "threads", "N", ID_THREADS, XP_OPT_RUN, "threads that share all switches, instead of ranks" },
	{ "out", "FILE", ID_OUT, XP_OPT_RUN, "write the result log (gzip JSON Lines) here" },
	{ "csv", NULL, ID_CSV, XP_OPT_RUN, "write the tables of the result log as .csv.gz too" },
	{ "estimate", NULL, ID_ESTIMATE, XP_OPT_RUN, "print the memory that the run will need, and do not run it" },
	{ "audit", NULL, ID_AUDIT, XP_OPT_RUN | XP_OPT_PHOLD,
	  "run every event forward, back and forward, and compare state" },
	{ "edges", "FILE", ID_EDGES, XP_OPT_EDGES,
	  "write the switch graph as lines \"src dst class\"; - for standard output" },
	{ "lps", "N", ID_LPS, XP_OPT_PHOLD, "logical processes (16384)" },
	{ "start-events", "N", ID_START, XP_OPT_PHOLD, "events that each starts with (16)" },
	{ "remote", "P", ID_REMOTE, XP_OPT_PHOLD, "probability that an event goes to a random process (0.1)" },
	{ "mean", "TIME", ID_MEAN, XP_OPT_PHOLD, "mean of the exponential part of the delay (900ns)" },
	{ "lookahead", "TIME", ID_LOOKAHEAD, XP_OPT_PHOLD, "constant part of the delay (100ns)" },
	{ "end", "TIME", ID_END, XP_OPT_PHOLD, "simulated time (20us)" },
	{ "stress", "N", ID_STRESS, XP_OPT_PHOLD, "per cent of events made artificially late (0)" },
	{ "window", "TIME", ID_WINDOW, XP_OPT_PHOLD, "simulated time that is executed at once (the lookahead)" },
	{ "gvt-interval", "N", ID_GVT, XP_OPT_PHOLD, "windows between two rounds of GVT" },
	{ "optimism", "N", ID_OPTIMISM, XP_OPT_PHOLD, "windows that an optimistic rank may be ahead of GVT" },
	{ "json", NULL, ID_JSON, XP_OPT_JSON | XP_OPT_PHOLD, "print a JSON object instead of text" },
	{ "markdown", NULL, ID_MARKDOWN, XP_OPT_MARKDOWN,
	  "print the reference manual of every key, plug-in and statistic" },
	{ "quiet", NULL, ID_QUIET, XP_OPT_RUN | XP_OPT_PHOLD, "print errors only" },
	{ "progress", "WHEN", ID_PROGRESS, XP_OPT_RUN | XP_OPT_PHOLD, "auto (on a terminal), always or never" },
	{ "plugin", "FILE.so", ID_PLUGIN, XP_OPT_CONFIG | XP_OPT_PLUGIN,
	  "load plug-ins from a shared object; repeatable" },
	{ "help", NULL, ID_HELP, ~0u, "print this help" },
};

#define NROWS (sizeof rows / sizeof *rows)

/* One of several ranks speaks. */
static bool speaks(void)
{
	return sim_rank() == 0;
}

static void print_help(const struct xp_usage *usage)
{
	if (!speaks())
		return;
	printf("usage: tilefly %s [OPTION]...%s%s\n\n%s\nOptions:\n", usage->name, *usage->operands ? " " : "",
	       usage->operands, usage->text);
	for (size_t i = 0; i < NROWS; i++) {
		char left[64];
		if (!(rows[i].commands & usage->options))
			continue;
		snprintf(left, sizeof left, "--%s%s%s", rows[i].name, rows[i].value ? " " : "",
		         rows[i].value ? rows[i].value : "");
		printf("  %-20s %s\n", left, rows[i].help);
	}
}

__attribute__((format(printf, 2, 3))) static int complain(const struct xp_usage *usage, const char *fmt, ...)
{
	va_list ap;
	if (!speaks())
		return XP_USAGE;
	fprintf(stderr, "tilefly %s: ", usage->name);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\nTry \"tilefly help %s\".\n", usage->name);
	return XP_USAGE;
}

static int unknown_option(const struct xp_usage *usage, const char *word)
{
	const char *names[NROWS];
	char name[64];
	size_t n = 0;
	for (size_t i = 0; i < NROWS; i++)
		if (rows[i].commands & usage->options)
			names[n++] = rows[i].name;
	snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
	const char *near = base_nearest(name + strspn(name, "-"), names, n);
	return near ? complain(usage, "unknown option %s; did you mean --%s?", name, near)
	            : complain(usage, "unknown option %s", name);
}

static void add_set(struct xp_options *o, const char *assignment)
{
	o->sets = base_realloc(o->sets, (o->nsets + 1) * sizeof *o->sets);
	o->sets[o->nsets++] = assignment;
}

/* key=value as an assignment; quoted: the value is a text whatever it looks like. */
static void add_key(struct xp_options *o, const char *key, const char *value)
{
	size_t room = strlen(key) + strlen(value) + 2;
	char *assignment = base_alloc(room);
	snprintf(assignment, room, "%s=%s", key, value);
	o->made = base_realloc(o->made, (o->nmade + 1) * sizeof *o->made);
	o->made[o->nmade++] = assignment;
	add_set(o, assignment);
}

static int read_progress(struct xp_options *o, const struct xp_usage *usage, const char *word)
{
	int choice = base_choice("auto|always|never", word);
	if (choice < 0)
		return complain(usage, "--progress %s: allowed are auto, always, never", word);
	o->progress = (enum xp_when)choice;
	return XP_GO_ON;
}

static void read_phold(struct xp_options *o, enum option_id id, const char *value)
{
	const char **field[] = { [0] = &o->lps,
		                 [ID_START - ID_LPS] = &o->start_events,
		                 [ID_REMOTE - ID_LPS] = &o->remote,
		                 [ID_MEAN - ID_LPS] = &o->mean,
		                 [ID_LOOKAHEAD - ID_LPS] = &o->lookahead,
		                 [ID_END - ID_LPS] = &o->end,
		                 [ID_STRESS - ID_LPS] = &o->stress,
		                 [ID_WINDOW - ID_LPS] = &o->window,
		                 [ID_GVT - ID_LPS] = &o->gvt_interval,
		                 [ID_OPTIMISM - ID_LPS] = &o->optimism };
	*field[id - ID_LPS] = value;
}

/* One option that the command has. */
static int take(struct xp_options *o, const struct xp_usage *usage, enum option_id id, const char *value)
{
	switch (id) {
	case ID_SET:
		add_set(o, value);
		break;
	case ID_SEED:
		o->seed = value;
		add_key(o, "seed", value);
		break;
	case ID_SYNC:
		o->sync = value;
		add_key(o, "engine.sync", value);
		break;
	case ID_THREADS:
		add_key(o, "engine.threads", value);
		break;
	case ID_OUT:
		add_key(o, "output.file", value);
		break;
	case ID_CSV:
		add_key(o, "output.csv", "true");
		break;
	case ID_ESTIMATE:
		o->estimate = true;
		break;
	case ID_AUDIT:
		o->audit = true;
		add_key(o, "engine.audit", "true");
		break;
	case ID_PLUGIN:
		o->plugins = base_realloc(o->plugins, (o->nplugins + 1) * sizeof *o->plugins);
		o->plugins[o->nplugins++] = value;
		break;
	case ID_JSON:
		o->json = true;
		break;
	case ID_QUIET:
		o->quiet = true;
		break;
	case ID_MARKDOWN:
		o->markdown = true;
		break;
	case ID_EDGES:
		o->edges = value;
		break;
	case ID_PROGRESS:
		return read_progress(o, usage, value);
	case ID_HELP:
		print_help(usage);
		return XP_OK;
	default:
		read_phold(o, id, value);
	}
	return XP_GO_ON;
}

static int check_operands(struct xp_options *o, const struct xp_usage *usage)
{
	if (o->operands < usage->min_operands)
		return complain(usage, "%s is missing", usage->operands);
	if (o->operands > usage->max_operands)
		return complain(usage, "\"%s\" is one argument too many", o->operand[usage->max_operands]);
	return XP_GO_ON;
}

int xp_options_read(struct xp_options *o, const struct xp_usage *usage, int argc, char **argv)
{
	struct option longs[NROWS + 1] = { { 0 } };
	size_t n = 0;
	*o = (struct xp_options){ 0 };
	for (size_t i = 0; i < NROWS; i++)
		if (rows[i].commands & usage->options)
			longs[n++] = (struct option){ rows[i].name, rows[i].value ? required_argument : no_argument,
				                      NULL, (int)rows[i].id };
	opterr = 0;
	optind = 0; /* start anew: GNU getopt keeps state between command lines */
	for (;;) {
		int before = optind ? optind : 1;
		int id = getopt_long(argc, argv, ":h", longs, NULL);
		if (id == -1)
			break;
		if (id == '?')
			return unknown_option(usage, argv[optind > before ? optind - 1 : before]);
		if (id == ':')
			return complain(usage, "%s needs a value", argv[optind - 1]);
		int status = take(o, usage, id == 'h' ? ID_HELP : (enum option_id)id, optarg);
		if (status != XP_GO_ON)
			return status;
	}
	o->operand = argv + optind;
	o->operands = argc - optind;
	return check_operands(o, usage);
}

void xp_options_free(struct xp_options *o)
{
	for (size_t i = 0; i < o->nmade; i++)
		free(o->made[i]);
	free(o->made);
	free(o->sets);
	free(o->plugins);
	*o = (struct xp_options){ 0 };
}

int xp_open_registry(struct base_registry *registry, const struct xp_options *o, struct base_errors *errors)
{
	int status = 0;
	xp_register_builtin(registry);
	for (size_t i = 0; i < o->nplugins; i++) {
		char place[600];
		snprintf(place, sizeof place, "@--plugin %.500s", o->plugins[i]);
		errors->scope = place;
		if (base_load_plugins(registry, o->plugins[i], errors))
			status = -1;
		errors->scope = NULL;
	}
	return status;
}

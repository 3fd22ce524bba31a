/* experiments/commands/options.c - see options.h */
#include "experiments/commands/options.h"

#include "base/memory.h"
#include "base/param.h"
#include "experiments/commands/command.h"
#include "experiments/commands/help.h"
#include "experiments/commands/version.h"
#include "experiments/commands/workload.h"
#include "experiments/config/message.h"
#include "sim/sim.h"
#include "topo/import/formats.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define AT(field) offsetof(struct xp_options, field)
#define RUN XP_CMD_RUN
#define TOPO XP_CMD_TOPO
#define CHECK XP_CMD_CHECK
#define SWEEP XP_CMD_SWEEP
#define REPORT XP_CMD_REPORT
#define LIST XP_CMD_LIST
#define PHOLD XP_CMD_PHOLD
#define SHOW XP_CMD_SHOW
#define DIFF XP_CMD_DIFF
#define COST XP_CMD_COST
#define SIZE XP_CMD_SIZE
#define COMPARE XP_CMD_COMPARE
#define DESIGN XP_CMD_DESIGN
#define WORKLOAD XP_CMD_WORKLOAD
#define RECORD XP_CMD_RECORD
#define CONFIGURED (RUN | TOPO | CHECK | SWEEP | COST | SIZE | COMPARE | DESIGN)

#define PRINTS XP_CMD_PRINTS

#define SYNC "sequential|conservative|optimistic|auto"
#define RECORDS "manifest|summary|job|class|histogram|timeline|activity|port|switch|packet|engine|end"
#define WHEN "auto|always|never"

const struct xp_option xp_option_table[] = {
	{ "set", "PATH=VALUE", 0, CONFIGURED, XP_TAKE_SET, 0, NULL, XP_WORD_KEY, NULL,
	  "override a configuration key, as in traffic.[0].load=0.3; can be repeated" },
	{ "seed", "N", 0, CONFIGURED, XP_TAKE_KEY, 0, "seed", XP_WORD_ANY, NULL, "seed of all random numbers" },
	{ "seed", "N", 0, PHOLD, XP_TAKE_TEXT, AT(seed), NULL, XP_WORD_ANY, NULL, "seed of all random numbers (1)" },
	{ "sync", "KIND", 0, RUN | SWEEP | COMPARE | DESIGN, XP_TAKE_KEY, 0, "engine.sync", XP_WORD_CHOICE, SYNC,
	  "synchronization protocol: sequential, conservative, optimistic or auto" },
	{ "sync", "KIND", 0, PHOLD, XP_TAKE_TEXT, AT(sync), NULL, XP_WORD_CHOICE, SYNC,
	  "synchronization protocol: sequential, conservative, optimistic or auto" },
	{ "threads", "N", 0, RUN, XP_TAKE_KEY, 0, "engine.threads", XP_WORD_ANY, NULL,
	  "threads per rank, which share the rank's switches" },
	{ "out", "FILE", 0, RUN, XP_TAKE_KEY, 0, "output.file", XP_WORD_FILE, NULL,
	  "write the result log to FILE.jsonl.gz, FILE.jsonl (uncompressed) or - (uncompressed, on standard output)" },
	{ "csv", NULL, 0, RUN, XP_TAKE_KEY, 0, "output.csv", XP_WORD_ANY, NULL,
	  "also write the tables of the result log as .csv.gz files" },
	{ "estimate", NULL, 0, RUN, XP_TAKE_FLAG, AT(estimate), NULL, XP_WORD_ANY, NULL,
	  "print the estimated memory of the run, and do not run it" },
	{ "ranks", "R", 0, RUN, XP_TAKE_TEXT, AT(ranks), NULL, XP_WORD_ANY, NULL,
	  "with --estimate: assume this number of MPI ranks" },
	{ "per-node", "P", 0, RUN, XP_TAKE_TEXT, AT(per_node), NULL, XP_WORD_ANY, NULL,
	  "with --estimate and --ranks: ranks on each node (default: all on one node)" },
	{ "audit", NULL, 0, RUN | SWEEP, XP_TAKE_KEY, 0, "engine.audit", XP_WORD_ANY, NULL,
	  "execute every event, undo it, execute it again, and compare the states (a test of the models)" },
	{ "audit", NULL, 0, PHOLD, XP_TAKE_FLAG, AT(audit), NULL, XP_WORD_ANY, NULL,
	  "execute every event, undo it, execute it again, and compare the states (a test of the models)" },
	{ "edges", "FILE", 0, TOPO, XP_TAKE_TEXT, AT(edges), NULL, XP_WORD_FILE, NULL,
	  "write the switch graph as an edge list for topology.kind = \"edges\"; - for standard output" },
	{ "routes", "FILE", 0, TOPO, XP_TAKE_TEXT, AT(routes), NULL, XP_WORD_FILE, NULL,
	  "write the topology's minimal routes, as routing.kind = \"table\" reads them; - for standard output" },
	{ "import", "FILE", 0, TOPO, XP_TAKE_TEXT, AT(import), NULL, XP_WORD_FILE, NULL,
	  "build the topology from a file that another tool has written, instead of from CONFIG (topology.kind = "
	  "\"import\")" },
	{ "format", "FORMAT", 0, TOPO, XP_TAKE_TEXT, AT(format), NULL, XP_WORD_CHOICE, IMPORT_FORMATS,
	  "format of the file that --import names (default auto)" },
	{ "export", "FORMAT FILE", 0, TOPO, XP_TAKE_EXPORT, 0, NULL, XP_WORD_CHOICE, EXPORT_FORMATS,
	  "write the graph in the format of another tool; - for standard output" },
	{ "permutation", "FILE", 0, TOPO, XP_TAKE_TEXT, AT(permutation), NULL, XP_WORD_FILE, NULL,
	  "write the worst-case permutation as a file for pattern \"permutation\"; - for standard output" },
	{ "bounds", NULL, 0, TOPO, XP_TAKE_FLAG, AT(bounds), NULL, XP_WORD_ANY, NULL,
	  "print upper bounds of throughput for the configured and for any routing, path diversity, and the effect of "
	  "failed cables" },
	{ "endpoints", "N", 0, SIZE, XP_TAKE_TEXT, AT(endpoints), NULL, XP_WORD_ANY, NULL,
	  "find the cheapest network with at least this number of endpoints" },
	{ "budget", "MONEY", 0, SIZE, XP_TAKE_TEXT, AT(budget), NULL, XP_WORD_ANY, NULL,
	  "find the network with the most endpoints for this cost, as in 2000000USD; needs a cost model (cost.kind)" },
	{ "radix", "N", 0, SIZE, XP_TAKE_TEXT, AT(radix), NULL, XP_WORD_ANY, NULL,
	  "maximum number of ports of a switch (default 64); if given alone: find the network with "
	  "the most endpoints" },
	{ "rate", "RATE", 0, SIZE, XP_TAKE_KEY, 0, "links.default.bandwidth", XP_WORD_ANY, NULL,
	  "bandwidth of every link" },
	{ "throughput", "SHARE", 0, SIZE, XP_TAKE_TEXT, AT(throughput), NULL, XP_WORD_ANY, NULL,
	  "minimum saturation load of uniform traffic, by its upper bound (default 0.99)" },
	{ "trunk", "N", 0, SIZE, XP_TAKE_TEXT, AT(trunk), NULL, XP_WORD_ANY, NULL,
	  "maximum number of parallel cables between two switches or two groups (default: as many as the family "
	  "allows)" },
	{ "explain", NULL, 0, SIZE, XP_TAKE_FLAG, AT(explain), NULL, XP_WORD_ANY, NULL,
	  "also print which members of each family were examined, and which bound excluded each of the others" },
	{ "family", "LIST", 0, SIZE, XP_TAKE_TEXT, AT(families), NULL, XP_WORD_ANY, NULL,
	  "consider only these families, as in slimfly,fattree-3" },
	{ "jobs", "N", 'j', SWEEP | COMPARE | DESIGN, XP_TAKE_TEXT, AT(jobs), NULL, XP_WORD_ANY, NULL,
	  "simultaneous runs (default: the ranks of mpirun on this host, otherwise the number of available cores)" },
	{ "short", NULL, 0, SWEEP, XP_TAKE_FLAG, AT(brief), NULL, XP_WORD_ANY, NULL,
	  "use the experiment's short form: fewer points, shorter runs" },
	{ "out", "FOLDER", 0, SWEEP, XP_TAKE_TEXT, AT(out), NULL, XP_WORD_FOLDER, NULL,
	  "results directory (default results/NAME; with --short results/NAME-short)" },
	{ "out", "FOLDER", 0, COMPARE | DESIGN, XP_TAKE_TEXT, AT(out), NULL, XP_WORD_FOLDER, NULL,
	  "results directory (default results/NAME)" },
	{ "bounds", NULL, 0, COMPARE | DESIGN, XP_TAKE_FLAG, AT(bounds), NULL, XP_WORD_ANY, NULL,
	  "size the networks and print their throughput bounds, without simulating or writing files" },
	{ "rerun", NULL, 0, SWEEP | COMPARE | DESIGN, XP_TAKE_FLAG, AT(rerun), NULL, XP_WORD_ANY, NULL,
	  "ignore existing results and rerun all points" },
	{ "check", NULL, 0, SWEEP, XP_TAKE_FLAG, AT(check), NULL, XP_WORD_ANY, NULL,
	  "exit with status 1 if a result is outside its expected range, with 2 if the experiment defines no expected "
	  "ranges" },
	{ "list", NULL, 0, SWEEP, XP_TAKE_FLAG, AT(list), NULL, XP_WORD_ANY, NULL,
	  "print the points, and run nothing" },
	{ "out", "FILE", 0, REPORT, XP_TAKE_TEXT, AT(out), NULL, XP_WORD_FILE, NULL,
	  "output page (default: report.html in the sweep's directory, FILE.html next to a run's file, report.html "
	  "here for several inputs); - for standard output" },
	{ "svg", "FOLDER", 0, REPORT, XP_TAKE_TEXT, AT(svg), NULL, XP_WORD_FOLDER, NULL,
	  "also write the figures as SVG files into FOLDER" },
	{ "png", "FOLDER", 0, REPORT, XP_TAKE_TEXT, AT(png), NULL, XP_WORD_FOLDER, NULL,
	  "also write the figures as PNG files into FOLDER" },
	{ "pdf", "FOLDER", 0, REPORT, XP_TAKE_TEXT, AT(pdf), NULL, XP_WORD_FOLDER, NULL,
	  "also write the figures as PDF files into FOLDER" },
	{ "width", "LENGTH", 0, REPORT, XP_TAKE_TEXT, AT(width), NULL, XP_WORD_ANY, NULL,
	  "printed width of the files of --svg, --png and --pdf, as in 3.5in or 89mm; at this width their text has a "
	  "size of 8 points" },
	{ "static", NULL, 0, REPORT, XP_TAKE_FLAG, AT(plain), NULL, XP_WORD_ANY, NULL,
	  "write static figures without scripts instead of interactive charts" },
	{ "record", "KIND", 0, SHOW, XP_TAKE_TEXT, AT(record), NULL, XP_WORD_CHOICE, RECORDS,
	  "print the records of one kind: manifest, summary, job, port, ..." },
	{ "all", NULL, 0, SHOW, XP_TAKE_FLAG, AT(all), NULL, XP_WORD_ANY, NULL, "print all records" },
	{ "all", NULL, 0, DIFF, XP_TAKE_FLAG, AT(all), NULL, XP_WORD_ANY, NULL,
	  "also print the estimates that do not differ" },
	{ "tolerance", "SHARE", 0, DIFF, XP_TAKE_TEXT, AT(tolerance), NULL, XP_WORD_ANY, NULL,
	  "relative difference of estimates that is tolerated beyond their confidence intervals, as in 1% (default "
	  "0)" },
	{ "machine", "FILE", 0, WORKLOAD, XP_TAKE_TEXT, AT(machine), NULL, XP_WORD_FILE, NULL,
	  "machine model used to compute times" },
	{ "socket", "NAME", 0, WORKLOAD, XP_TAKE_TEXT, AT(socket), NULL, XP_WORD_ANY, NULL,
	  "socket of the machine that computes (default: the only one)" },
	{ "param", "NAME=NUMBER", 0, WORKLOAD, XP_TAKE_SET, 0, NULL, XP_WORD_ANY, NULL,
	  "override the value of a parameter of the model; can be repeated" },
	{ "ranks", "N", 'n', RECORD, XP_TAKE_TEXT, AT(ranks), NULL, XP_WORD_ANY, NULL,
	  "number of ranks to run (default: as many as mpirun starts by itself; Open MPI starts one per core)" },
	{ "out", "FILE", 0, RECORD, XP_TAKE_TEXT, AT(out), NULL, XP_WORD_FILE, NULL,
	  "output file (default PROGRAM.mpi in the working directory); FILE.goal or FILE.bin: convert the recording to "
	  "a GOAL schedule, as text or in binary form" },
	{ "ranks", "N", 0, WORKLOAD, XP_TAKE_TEXT, AT(ranks), NULL, XP_WORD_ANY, NULL,
	  "count the messages of this number of ranks" },
	{ "collectives", "ALGORITHMS", 0, WORKLOAD | RECORD, XP_TAKE_TEXT, AT(collectives), NULL, XP_WORD_ANY, NULL,
	  "algorithms of collective operations: basic, openmpi-4.1 or mpich-4.0; single collectives can be set as in "
	  "mpich-4.0,allreduce=ring (default basic)" },
	{ "groups", "FILE", 0, WORKLOAD, XP_TAKE_TEXT, AT(groups), NULL, XP_WORD_FILE, NULL,
	  "file with the members of a Chakra trace's process groups, in order: { \"0\": [0, 1], \"1\": [3, 2] }" },
	{ "emit", "FORM", 0, WORKLOAD, XP_TAKE_CHOICE, AT(emit), NULL, XP_WORD_CHOICE, XP_EMITS,
	  "convert the workload to mpi-c (a C program with the same communication), goal (a GOAL schedule as text) or "
	  "goal-bin (a GOAL schedule in binary form)" },
	{ "loggops", "LIST", 0, WORKLOAD, XP_TAKE_TEXT, AT(loggops), NULL, XP_WORD_ANY, NULL,
	  "replay a schedule with the LogGOPS model and print when its ranks end; parameters: default, or "
	  "L=2500ns,o=1500ns,g=1000ns (times), G=6000,O=0 (ps per byte), S=65535B, unit=1ns (time unit of "
	  "computations)" },
	{ "unroll", NULL, 0, WORKLOAD, XP_TAKE_FLAG, AT(unroll), NULL, XP_WORD_ANY, NULL,
	  "with --emit mpi-c: write the program without loops" },
	{ "out", "FILE", 0, WORKLOAD, XP_TAKE_TEXT, AT(out), NULL, XP_WORD_FILE, NULL,
	  "output file of --emit (default: standard output); - for standard output" },
	{ "out", "FILE", 0, PRINTS, XP_TAKE_TEXT, AT(out), NULL, XP_WORD_FILE, NULL,
	  "write the printed output to this file; - for standard output" },
	{ "most", "SIZE", 0, WORKLOAD, XP_TAKE_TEXT, AT(most), NULL, XP_WORD_ANY, NULL,
	  "maximum size of the schedule that --emit goal writes for a model (default 4GB)" },
	{ "strict", NULL, 0, RUN, XP_TAKE_FLAG, AT(strict), NULL, XP_WORD_ANY, NULL,
	  "treat a message of an application that is never received as an error instead of a warning" },
	{ "strict", NULL, 0, WORKLOAD, XP_TAKE_FLAG, AT(strict), NULL, XP_WORD_ANY, NULL,
	  "model: evaluate as the original Aspen does: \"par\" is the sum of its branches, and \"if\" and \"switch\" "
	  "are errors; schedule or trace: treat messages that are never received as errors" },
	{ "seed", "N", 0, WORKLOAD, XP_TAKE_TEXT, AT(seed), NULL, XP_WORD_ANY, NULL,
	  "seed of random samples, and of probabilities that decide on communication (default 1)" },
	{ "lps", "N", 0, PHOLD, XP_TAKE_TEXT, AT(lps), NULL, XP_WORD_ANY, NULL,
	  "number of logical processes (default 16384)" },
	{ "start-events", "N", 0, PHOLD, XP_TAKE_TEXT, AT(start_events), NULL, XP_WORD_ANY, NULL,
	  "initial events per process (default 16)" },
	{ "remote", "P", 0, PHOLD, XP_TAKE_TEXT, AT(remote), NULL, XP_WORD_ANY, NULL,
	  "probability that an event goes to a random process (default 0.1)" },
	{ "mean", "TIME", 0, PHOLD, XP_TAKE_TEXT, AT(mean), NULL, XP_WORD_ANY, NULL,
	  "mean of the exponential part of the delay (default 900ns)" },
	{ "lookahead", "TIME", 0, PHOLD, XP_TAKE_TEXT, AT(lookahead), NULL, XP_WORD_ANY, NULL,
	  "constant part of the delay (default 100ns)" },
	{ "end", "TIME", 0, PHOLD, XP_TAKE_TEXT, AT(end), NULL, XP_WORD_ANY, NULL, "simulated time (default 20us)" },
	{ "stress", "N", 0, PHOLD, XP_TAKE_TEXT, AT(stress), NULL, XP_WORD_ANY, NULL,
	  "percentage of events that are delayed artificially to force rollbacks (default 0)" },
	{ "window", "TIME", 0, PHOLD, XP_TAKE_TEXT, AT(window), NULL, XP_WORD_ANY, NULL,
	  "simulated time per window of the scheduler (default: the lookahead)" },
	{ "gvt-interval", "N", 0, PHOLD, XP_TAKE_TEXT, AT(gvt_interval), NULL, XP_WORD_ANY, NULL,
	  "windows between two computations of GVT" },
	{ "optimism", "N", 0, PHOLD, XP_TAKE_TEXT, AT(optimism), NULL, XP_WORD_ANY, NULL,
	  "maximum number of windows by which an optimistic rank may be ahead of GVT" },
	{ "json", NULL, 0,
	  RUN | TOPO | CHECK | LIST | PHOLD | SHOW | DIFF | COST | SIZE | SWEEP | COMPARE | DESIGN | WORKLOAD,
	  XP_TAKE_FLAG, AT(json), NULL, XP_WORD_ANY, NULL, "print JSON instead of text" },
	{ "markdown", NULL, 0, LIST, XP_TAKE_FLAG, AT(markdown), NULL, XP_WORD_ANY, NULL,
	  "print the reference manual of all keys, plug-ins and statistics" },
	{ "quiet", NULL, 0,
	  RUN | PHOLD | SWEEP | COMPARE | DESIGN | REPORT | DIFF | TOPO | CHECK | COST | SIZE | WORKLOAD | RECORD,
	  XP_TAKE_FLAG, AT(quiet), NULL, XP_WORD_ANY, NULL, "print only errors, warnings, and the output of --json" },
	{ "progress", "WHEN", 0, RUN | PHOLD | SWEEP | COMPARE | DESIGN, XP_TAKE_CHOICE, AT(progress), NULL,
	  XP_WORD_CHOICE, WHEN, "print progress: auto (on a terminal), always or never" },
	{ "plugin", "FILE.so", 0, CONFIGURED | LIST | WORKLOAD, XP_TAKE_PLUGIN, 0, NULL, XP_WORD_PLUGIN, NULL,
	  "load plug-ins from a shared object; can be repeated" },
	{ "version", NULL, 0, ~0u, XP_TAKE_VERSION, 0, NULL, XP_WORD_ANY, NULL,
	  "print version, commit and build options" },
	{ "help", NULL, 'h', ~0u, XP_TAKE_HELP, 0, NULL, XP_WORD_ANY, NULL, "print this help" },
	{ 0 },
};

#define NROWS (sizeof xp_option_table / sizeof *xp_option_table - 1)
#define FIRST_ID 256 /* getopt's number of row 0; letters are below */

/* One of several ranks speaks. */
static bool speaks(void)
{
	return sim_rank() == 0;
}

__attribute__((format(printf, 2, 3))) static int complain(const struct xp_command *command, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	if (speaks()) {
		xp_message_v(fmt, ap);
		fprintf(stderr, "Try \"tilefly help %s\".\n", command->name);
	}
	va_end(ap);
	return XP_USAGE;
}

static int unknown_option(const struct xp_command *command, const char *word)
{
	const char *names[NROWS];
	char name[64];
	size_t n = 0;
	for (size_t i = 0; i < NROWS; i++)
		if (xp_option_table[i].commands & command->bit)
			names[n++] = xp_option_table[i].name;
	snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
	const char *near = base_nearest(name + strspn(name, "-"), names, n);
	return near ? complain(command, "unknown option %s; did you mean --%s?", name, near)
	            : complain(command, "unknown option %s", name);
}

static void add_set(struct xp_options *o, const char *assignment)
{
	o->sets = base_realloc(o->sets, (o->nsets + 1) * sizeof *o->sets);
	o->sets[o->nsets++] = assignment;
}

/* key=value as an assignment. */
static void add_key(struct xp_options *o, const char *key, const char *value)
{
	size_t room = strlen(key) + strlen(value) + 2;
	char *assignment = base_alloc(room);
	snprintf(assignment, room, "%s=%s", key, value);
	o->made = base_realloc(o->made, (o->nmade + 1) * sizeof *o->made);
	o->made[o->nmade++] = assignment;
	add_set(o, assignment);
}

static void add_plugin(struct xp_options *o, const char *file)
{
	o->plugins = base_realloc(o->plugins, (o->nplugins + 1) * sizeof *o->plugins);
	o->plugins[o->nplugins++] = file;
}

static int take_choice(int *field, const struct xp_command *command, const struct xp_option *row, const char *word)
{
	int choice = base_choice(row->choices, word);
	if (choice >= 0) {
		*field = choice;
		return XP_GO_ON;
	}
	char allowed[256] = "", one[64];
	for (int i = 0; base_choice_name(row->choices, i, one, sizeof one); i++)
		snprintf(allowed + strlen(allowed), sizeof allowed - strlen(allowed), "%s%s", i ? ", " : "", one);
	return complain(command, "--%s %s: must be one of %s", row->name, word, allowed);
}

static int take_option(struct xp_options *o, const struct xp_command *command, const struct xp_option *row,
                       const char *value)
{
	void *field = (char *)o + row->offset;
	if (row->key)
		add_key(o, row->key, row->value ? value : "true");
	switch (row->take) {
	case XP_TAKE_KEY:
		break;
	case XP_TAKE_SET:
		add_set(o, value);
		break;
	case XP_TAKE_PLUGIN:
		add_plugin(o, value);
		break;
	case XP_TAKE_FLAG:
		*(bool *)field = true;
		break;
	case XP_TAKE_TEXT:
		*(const char **)field = value;
		break;
	case XP_TAKE_EXPORT: /* take_export() */
		break;
	case XP_TAKE_CHOICE:
		return take_choice(field, command, row, value);
	case XP_TAKE_VERSION:
		if (speaks())
			xp_print_version();
		return XP_OK;
	case XP_TAKE_HELP:
		if (speaks())
			xp_help_command(stdout, command);
		return XP_OK;
	}
	return XP_GO_ON;
}

/* The option's second word is the next one of the command line. */
static int take_export(struct xp_options *o, const struct xp_command *command, const struct xp_option *row, int argc,
                       char **argv)
{
	int format = 0;
	int status = take_choice(&format, command, row, optarg);
	if (status != XP_GO_ON)
		return status;
	if (o->export_format)
		return complain(command, "--export is given twice");
	if (optind >= argc)
		return complain(command, "--export %s needs a file, too", optarg);
	o->export_format = optarg;
	o->export_file = argv[optind++];
	return XP_GO_ON;
}

static int check_operands(const struct xp_options *o, const struct xp_command *command)
{
	if (o->operands < command->min_operands)
		return complain(command, "%s is missing", command->operands);
	if (o->operands > command->max_operands)
		return complain(command, "unexpected argument \"%s\"", o->operand[command->max_operands]);
	return XP_GO_ON;
}

/* The command's options in getopt's form. */
static void prepare(const struct xp_command *command, struct option *longs, char *letters)
{
	*letters++ = ':';
	for (size_t i = 0; i < NROWS; i++) {
		const struct xp_option *row = &xp_option_table[i];
		if (!(row->commands & command->bit))
			continue;
		*longs++ =
		    (struct option){ row->name, row->value ? required_argument : no_argument, NULL, FIRST_ID + (int)i };
		if (row->letter)
			*letters++ = row->letter;
		if (row->letter && row->value)
			*letters++ = ':';
	}
	*letters = 0;
}

/* The row that getopt's number or letter means. */
static const struct xp_option *row_of(const struct xp_command *command, int id)
{
	size_t i = 0;
	if (id >= FIRST_ID)
		return &xp_option_table[id - FIRST_ID];
	while (xp_option_table[i].letter != id || !(xp_option_table[i].commands & command->bit))
		i++;
	return &xp_option_table[i];
}

int xp_options_read(struct xp_options *o, const struct xp_command *command, int argc, char **argv)
{
	struct option longs[NROWS + 1] = { { 0 } };
	char letters[2 * NROWS + 2];
	*o = (struct xp_options){ 0 };
	prepare(command, longs, letters);
	opterr = 0;
	optind = 0; /* start anew: GNU getopt keeps state between command lines */
	for (;;) {
		int before = optind ? optind : 1;
		int id = getopt_long(argc, argv, letters, longs, NULL);
		if (id == -1)
			break;
		if (id == '?' && optopt >= FIRST_ID)
			return complain(command, "--%s takes no value", xp_option_table[optopt - FIRST_ID].name);
		if (id == '?')
			return unknown_option(command, argv[optind > before ? optind - 1 : before]);
		if (id == ':')
			return complain(command, "%s needs a value", argv[optind - 1]);
		const struct xp_option *row = row_of(command, id);
		int status = row->take == XP_TAKE_EXPORT ? take_export(o, command, row, argc, argv)
		                                         : take_option(o, command, row, optarg);
		if (status != XP_GO_ON)
			return status;
	}
	o->operand = argv + optind;
	o->operands = argc - optind;
	return check_operands(o, command);
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

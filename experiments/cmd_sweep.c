/* experiments/cmd_sweep.c - tilefly sweep: a grid of configurations into a results folder. */
#include "experiments/builtin.h"
#include "experiments/commands.h"
#include "experiments/config.h"
#include "experiments/sweep.h"

#include "base/memory.h"
#include "base/param.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: tilefly sweep EXPERIMENT [option ...]\n"
    "\n"
    "Runs every point of an experiment's grid, several at once, into a results folder, and prints the table. Points "
    "that\n"
    "have a whole result of the same configuration and program already are kept, so a sweep can be interrupted and "
    "resumed.\n"
    "\n"
    "  EXPERIMENT            a file, or the name of a shipped experiment (slimfly-validation)\n"
    "  -j, --jobs N          runs at once (default: the number of cores)\n"
    "      --short           the experiment's short form: fewer points, shorter runs\n"
    "      --out DIR         results folder (default: results/NAME, with -short for the short form)\n"
    "      --set PATH=VALUE  overrides a configuration key at every point; repeatable\n"
    "      --seed N, --sync KIND, --audit, --plugin FILE.so    as for tilefly run\n"
    "      --rerun           runs everything again\n"
    "      --check           exit status 1 if a result is out of its expected range\n"
    "      --list            prints the points and runs nothing\n"
    "      --quiet           no table\n"
    "      --progress WHEN   auto, always or never\n"
    "      --help\n"
    "\n"
    "The folder gets points/NAME.jsonl.gz (one a point), summary.csv, summary.jsonl and a copy of the experiment;\n"
    "tilefly report DIR draws it.\n"
    "Exit status: 0, 1 if a point failed, 2 bad usage or configuration, 130 interrupted (what is finished is kept).\n";

struct options {
	const char *experiment, *out, *progress;
	bool check, list, help;
};

static int usage(const char *text, const char *value)
{
	fprintf(stderr, "tilefly: sweep: %s%s (--help says more)\n", text, value);
	return 2;
}

static void add_text(char ***list, size_t *n, char *text)
{
	*list = base_realloc(*list, (*n + 1) * sizeof **list);
	(*list)[(*n)++] = text;
}

/* "NAME=VALUE", kept until the program ends its command; returned for the list of settings. */
static char *setting(const char *name, const char *value)
{
	size_t room = strlen(name) + strlen(value) + 2;
	char *text = base_alloc(room);
	snprintf(text, room, "%s=%s", name, value);
	return text;
}

enum {
	OPT_SHORT = 256,
	OPT_OUT,
	OPT_SET,
	OPT_SEED,
	OPT_SYNC,
	OPT_AUDIT,
	OPT_PLUGIN,
	OPT_RERUN,
	OPT_CHECK,
	OPT_LIST,
	OPT_QUIET,
	OPT_PROGRESS
};

static const struct option long_options[] = { { "jobs", required_argument, NULL, 'j' },
	                                      { "short", no_argument, NULL, OPT_SHORT },
	                                      { "out", required_argument, NULL, OPT_OUT },
	                                      { "set", required_argument, NULL, OPT_SET },
	                                      { "seed", required_argument, NULL, OPT_SEED },
	                                      { "sync", required_argument, NULL, OPT_SYNC },
	                                      { "audit", no_argument, NULL, OPT_AUDIT },
	                                      { "plugin", required_argument, NULL, OPT_PLUGIN },
	                                      { "rerun", no_argument, NULL, OPT_RERUN },
	                                      { "check", no_argument, NULL, OPT_CHECK },
	                                      { "list", no_argument, NULL, OPT_LIST },
	                                      { "quiet", no_argument, NULL, OPT_QUIET },
	                                      { "progress", required_argument, NULL, OPT_PROGRESS },
	                                      { "help", no_argument, NULL, 'h' },
	                                      { 0 } };

static int take_option(int c, struct xp_sweep *sweep, struct options *o)
{
	char *end;
	switch (c) {
	case 'j': {
		long n = strtol(optarg, &end, 10);
		if (end == optarg || *end || n < 1 || n > 4096)
			return usage("--jobs wants a number from 1 to 4096, not ", optarg);
		sweep->jobs = (int)n;
		return 0;
	}
	case OPT_SHORT:
		sweep->brief = true;
		return 0;
	case OPT_OUT:
		o->out = optarg;
		return 0;
	case OPT_SET:
		add_text(&sweep->set, &sweep->nset, base_strdup(optarg));
		return 0;
	case OPT_SEED:
		add_text(&sweep->set, &sweep->nset, setting("seed", optarg));
		return 0;
	case OPT_SYNC:
		add_text(&sweep->set, &sweep->nset, setting("engine.sync", optarg));
		return 0;
	case OPT_AUDIT:
		sweep->audit = true;
		return 0;
	case OPT_PLUGIN:
		add_text(&sweep->plugin, &sweep->nplugin, optarg);
		return 0;
	case OPT_RERUN:
		sweep->rerun = true;
		return 0;
	case OPT_CHECK:
		o->check = true;
		return 0;
	case OPT_LIST:
		o->list = true;
		return 0;
	case OPT_QUIET:
		sweep->quiet = true;
		return 0;
	case OPT_PROGRESS:
		o->progress = optarg;
		return 0;
	case 'h':
		o->help = true;
		return 0;
	}
	return 2; /* getopt has said why */
}

static int read_options(int argc, char **argv, struct xp_sweep *sweep, struct options *o)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	sweep->jobs = cores > 0 && cores < 4096 ? (int)cores : 1;
	o->progress = "auto";
	static char name[] = "tilefly sweep";
	argv[0] = name; /* getopt's messages begin with it */
	optind = 0;
	int c, status = 0;
	while (!status && (c = getopt_long(argc, argv, "j:h", long_options, NULL)) != -1)
		status = take_option(c, sweep, o);
	if (status || o->help)
		return status;
	if (optind + 1 != argc)
		return usage(optind == argc ? "which experiment?" : "one experiment at a time", "");
	o->experiment = argv[optind];
	if (base_choice("auto|always|never", o->progress) < 0)
		return usage("--progress is auto, always or never, not ", o->progress);
	sweep->progress =
	    !strcmp(o->progress, "always") || (!strcmp(o->progress, "auto") && !sweep->quiet && isatty(2));
	return 0;
}

static void print_errors(const struct base_errors *errors)
{
	for (size_t i = 0; i < errors->n; i++)
		fprintf(stderr, "%s%s\n", errors->v[i].warning ? "warning: " : "", errors->v[i].text);
}

/* The configuration that the children are given, as a path. One that is written inside the experiment becomes a file of
 * the results folder. A relative base is looked for beside the experiment, then here, then among the shipped ones. */
static int find_base(struct xp_sweep *sweep, struct base_errors *errors)
{
	struct xp_experiment *e = &sweep->experiment;
	char *path = NULL;
	if (e->config) {
		if (asprintf(&sweep->config, "%s/base.cfg", sweep->folder) < 0 || xp_make_folder(sweep->folder, errors))
			return -1;
		return xp_write_file(sweep->config, e->config, strlen(e->config), errors);
	}
	const char *slash = strrchr(e->path, '/');
	if (e->base[0] != '/' && slash && asprintf(&path, "%.*s/%s", (int)(slash - e->path), e->path, e->base) < 0)
		path = NULL;
	if (path && !access(path, R_OK)) {
		sweep->config = path;
		return 0;
	}
	free(path);
	sweep->config = xp_config_find(e->base, errors);
	return sweep->config ? 0 : -1;
}

static int prepare(struct xp_sweep *sweep, const struct options *o, struct base_errors *errors)
{
	char *path = xp_config_find(o->experiment, errors);
	if (!path)
		return -1;
	int status = xp_experiment_read(&sweep->experiment, path, errors);
	free(path);
	if (status)
		return -1;
	if (o->out)
		sweep->folder = base_strdup(o->out);
	else if (asprintf(&sweep->folder, "results/%s%s", sweep->experiment.name, sweep->brief ? "-short" : "") < 0)
		return -1;
	xp_register_builtin(&sweep->registry);
	for (size_t i = 0; i < sweep->nplugin; i++)
		if (base_load_plugins(&sweep->registry, sweep->plugin[i], errors))
			status = -1;
	if (status || find_base(sweep, errors))
		return -1;
	return xp_sweep_expand(sweep, errors);
}

static int make_folders(const struct xp_sweep *sweep, struct base_errors *errors)
{
	const struct xp_experiment *e = &sweep->experiment;
	char *points, *copy;
	if (asprintf(&points, "%s/points", sweep->folder) < 0 ||
	    asprintf(&copy, "%s/experiment.cfg", sweep->folder) < 0)
		return -1;
	int status = xp_make_folder(points, errors) || xp_write_file(copy, e->text, e->bytes, errors) ? -1 : 0;
	free(points);
	free(copy);
	return status;
}

static int execute(struct xp_sweep *sweep, const struct options *o, struct base_errors *errors)
{
	if (make_folders(sweep, errors))
		return 1;
	int status = xp_sweep_run(sweep, errors);
	if (status < 0 || xp_table_write(sweep, errors))
		return 1;
	size_t out_of_range = 0;
	if (!sweep->quiet) {
		printf("%s\n", sweep->experiment.title);
		out_of_range = xp_table_print(sweep);
		printf("results: %s\n", sweep->folder);
	} else {
		double min, max;
		for (size_t i = 0; i < sweep->n; i++)
			out_of_range += xp_expected(&sweep->experiment, sweep->point[i].row, &min, &max) == 0;
	}
	if (status == 130)
		fprintf(stderr, "tilefly: sweep: interrupted; the same command goes on from here\n");
	return status ? status : o->check && out_of_range ? 1 : 0;
}

int xp_cmd_sweep(int argc, char **argv)
{
	struct xp_sweep sweep = { 0 };
	struct options o = { 0 };
	struct base_errors errors = { 0 };
	int status = read_options(argc, argv, &sweep, &o);
	if (!status && o.help) {
		fputs(help, stdout);
	} else if (!status && prepare(&sweep, &o, &errors)) {
		status = 2;
	} else if (!status && o.list) {
		for (size_t i = 0; i < sweep.n; i++)
			printf("%s\n", sweep.point[i].name);
	} else if (!status) {
		status = execute(&sweep, &o, &errors);
	}
	print_errors(&errors);
	base_errors_free(&errors);
	for (size_t i = 0; i < sweep.nset; i++)
		free(sweep.set[i]);
	xp_sweep_free(&sweep);
	return status;
}

/* experiments/commands/workload.c - `tilefly workload`: prints, checks and converts a workload. The end of the file's
 * name determines its format. */
#include "experiments/commands/workload.h"

#include "experiments/commands/command.h"
#include "experiments/commands/registry.h"
#include "experiments/config/message.h"
#include "experiments/config/shipped.h"
#include "sim/sim.h"
#include "workload/formats/format.h"

#include "base/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int refuse(const char *where, const char *why)
{
	struct base_errors errors = { 0 };
	xp_error_at(&errors, where, "%s", why);
	if (sim_rank() == 0)
		xp_message_errors(&errors);
	base_errors_free(&errors);
	return XP_USAGE;
}

int xp_workload_open(struct xp_file *file, const struct xp_options *o)
{
	if (o->out && base_was_read(o->out))
		return refuse("--out", "is an input file of this command");
	return xp_file_open(file, o->out ? o->out : "-") ? XP_FAILURE : XP_OK;
}

int xp_workload_write(const struct xp_options *o, const struct wl_goal *goal)
{
	struct xp_file file;
	int status = xp_workload_open(&file, o);
	if (status)
		return status;
	if (o->emit == XP_EMIT_GOAL)
		wl_goal_write_text(goal, file.stream);
	else
		wl_goal_write_binary(goal, file.stream);
	return xp_file_close(&file) ? XP_FAILURE : XP_OK; /* which reports errors of the stream */
}

/* Is there no file of this name, and a model that comes with tilefly? */
static bool is_shipped_model(const char *name)
{
	char *path = access(name, F_OK) && !strchr(name, '/') ? xp_shipped_path(XP_SHIPPED_MODEL, name) : NULL;
	free(path);
	return path != NULL;
}

/* The plug-in whose format a file's name says; NULL: none. */
static const struct base_plugin *reader_of(const struct base_registry *registry, const char *file)
{
	for (size_t i = 0; i < registry->n; i++) {
		const struct wl_format *format = wl_format_of(registry->v[i]);
		if (format && wl_format_fits(format, file))
			return registry->v[i];
	}
	return is_shipped_model(file) ? &wl_process_aspen : NULL;
}

/* ".goal or .bin for a schedule, ..." */
static char *list_formats(const struct base_registry *registry)
{
	struct base_buffer list = { 0 };
	for (size_t i = 0; i < registry->n; i++) {
		const struct wl_format *format = wl_format_of(registry->v[i]);
		if (!format)
			continue;
		base_buffer_printf(&list, "%s", list.n ? ", " : "");
		for (const char *at = format->ends; *at; at++)
			base_buffer_printf(&list, *at == ' ' ? " or " : "%c", *at);
		base_buffer_printf(&list, " for %s", format->what);
	}
	return list.data;
}

static int refuse_name(const struct base_registry *registry, const char *file)
{
	if (access(file, F_OK))
		return refuse(file, "there is no such file or shipped model (see tilefly list models)");
	char why[1000], *formats = list_formats(registry);
	snprintf(why, sizeof why, "the end of a file name must indicate its format: %s", formats);
	free(formats);
	return refuse(file, why);
}

static bool has_groups(const struct base_plugin *plugin)
{
	const struct base_param *p = plugin->params;
	while (p->name && strcmp(p->name, "groups") != 0)
		p++;
	return p->name != NULL;
}

/* Options that are not of schedules, or not of traces. */
static void check_options(const struct xp_options *o, bool trace, struct base_errors *errors)
{
	const struct {
		const char *name;
		bool given;
	} row[] = {
		{ "--machine", o->machine != NULL }, { "--socket", o->socket != NULL }, { "--param", o->nsets > 0 },
		{ "--ranks", o->ranks != NULL },     { "--unroll", o->unroll },         { "--seed", o->seed != NULL },
		{ "--most", o->most && !trace },
	};
	const char *what = trace ? "trace" : "schedule";
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		if (row[i].given)
			xp_error_at(errors, row[i].name,
			            "applies only to models (.aspen): a %s has a fixed number of ranks", what);
	if (o->most && trace)
		xp_error_at(errors, "--most", "applies only to models (.aspen)");
	if (o->collectives && !trace)
		xp_error_at(errors, "--collectives",
		            "applies only to models and traces: a schedule contains no collectives");
	else if (o->collectives && !o->emit)
		xp_error_at(errors, "--collectives", "has an effect only with --emit");
	if (o->emit == XP_EMIT_MPI_C)
		xp_error_at(errors, "--emit",
		            "a %s can only be converted to goal or goal-bin; mpi-c requires a model (.aspen)", what);
	if (o->emit && o->json)
		xp_error_at(errors, "--emit", "cannot be combined with --emit, which does not write JSON");
	if (o->out && !o->emit)
		xp_error_at(errors, "--out", "has an effect only with --emit");
	if (o->emit && o->loggops)
		xp_error_at(errors, "--loggops",
		            "cannot be combined with --emit: --loggops prints the times at which ranks end, and writes "
		            "no file");
}

static int show_file(const struct xp_options *o, const struct base_plugin *plugin)
{
	bool trace = wl_format_of(plugin)->content == WL_TRACE;
	struct base_errors errors = { 0 };
	int status = XP_USAGE;
	check_options(o, trace, &errors);
	if (!errors.errors)
		status = trace ? xp_workload_trace(o, plugin, &errors) : xp_workload_goal(o, &errors);
	if (sim_rank() == 0)
		xp_message_errors(&errors);
	base_errors_free(&errors);
	return status;
}

static int show(const struct xp_options *o, const struct base_registry *registry)
{
	const char *file = o->operand[0];
	const struct base_plugin *plugin = reader_of(registry, file);
	if (!plugin)
		return refuse_name(registry, file);
	enum wl_content content = wl_format_of(plugin)->content;
	if (sim_rank() != 0 && !o->loggops && !(content == WL_SCHEDULE && o->strict))
		return XP_OK; /* the first rank does what there is to do */
	if (o->groups && !has_groups(plugin))
		return refuse("--groups", "applies only to Chakra traces (PREFIX.0.et)");
	if (o->loggops && content != WL_SCHEDULE)
		return refuse("--loggops",
		              "applies only to schedules (.goal, .bin); --emit goal converts a model to one");
	return content == WL_MODEL ? xp_workload_aspen(o) : show_file(o, plugin);
}

static int run_workload(const struct xp_options *o)
{
	struct base_registry registry = { 0 };
	struct base_errors errors = { 0 };
	int status = XP_USAGE;
	if (!xp_open_registry(&registry, o, &errors))
		status = show(o, &registry);
	else if (sim_rank() == 0)
		xp_message_errors(&errors);
	base_errors_free(&errors);
	base_registry_free(&registry);
	return status;
}

const struct xp_command xp_command_workload = {
	.name = "workload",
	.summary = "summarize or convert an application model, schedule or trace",
	.operands = "FILE",
	.text = "Reads an Aspen model and prints the resources that its kernel main needs, and its communication. With "
		"a machine model it predicts times by kernel; with a number of ranks it counts messages and bytes by "
		"phase.\n\nThe time of a block is that of its longest group of conflicting resources, each used "
		"ceil(parallelism / units) times. Branches of \"par\" run concurrently, \"if\" and \"switch\" evaluate "
		"the branch whose condition holds, and communication for which the machine has no resource takes no "
		"time here: the network model determines it. --strict evaluates as the original Aspen does, which adds "
		"up the branches of \"par\" and rejects \"if\" and \"switch\".\n\nThe language is documented in "
		"docs/aspen.md. Models that come with tilefly (tilefly list models) are found by name: halo3d or "
		"halo3d.aspen.\n\nFor a GOAL schedule (FILE.goal, or FILE.bin in binary form) it prints operations, "
		"bytes and dependencies; --emit goal and --emit goal-bin write the schedule as text and in binary "
		"form. With --loggops the schedule is replayed with the LogGOPS model on all MPI ranks: it prints when "
		"each rank of the schedule ends or, if the schedule cannot end, which ranks wait for which. --strict "
		"also replays it, with default parameters, and reports messages that are never received as errors. "
		"docs/goal.md documents the accepted schedules.\n\nFor a trace (FILE.meta of DUMPI, PREFIX.0.et or "
		"PREFIX.0.json of Chakra, PREFIX-rank-0.txt of liballprof, FILE.otf2, or FILE.mpi, which is recorded "
		"or written by hand) it prints calls, messages, "
		"bytes, collectives and computation, and reports messages that are never received and ranks that wait "
		"forever; with --strict the former are errors. --emit goal and goal-bin convert the trace to a "
		"schedule, with the collectives' algorithms set by --collectives. See docs/traces.md.",
	.examples = "tilefly workload matmul.aspen --machine quad.aspen\n"
		    "tilefly workload matmul.aspen --machine node.aspen --socket gpu --param n=277 --json\n"
		    "tilefly workload lulesh.aspen --ranks 64\n"
		    "tilefly workload lulesh.aspen --emit mpi-c --out lulesh.c\n"
		    "tilefly workload lulesh.aspen --ranks 64 --emit goal --out lulesh.goal\n"
		    "tilefly workload lulesh.goal --emit goal-bin --out lulesh.bin\n"
		    "tilefly workload lulesh.goal --loggops L=1us,o=300ns,g=50ns,G=40\n"
		    "tilefly workload dumpi-2014.03.03.14.12.46.meta --json\n"
		    "tilefly workload traces.otf2 --emit goal-bin --collectives openmpi-4.1 --out traces.bin\n",
	.status = "0 done, 1 the output of --emit could not be written, or a schedule or trace cannot end, 2 wrong "
		  "usage, or an error in the model, machine, schedule or trace.",
	.bit = XP_CMD_WORKLOAD,
	.min_operands = 1,
	.max_operands = 1,
	.word = XP_WORD_FILE,
	.ranks = XP_ALL_RANKS,
	.run = run_workload,
};

/* experiments/commands/run.c - `tilefly run`: simulates one configuration.
 *
 * Rank 0 reads the configuration and sends the resolved text to the other ranks, so standard input works and all ranks
 * build the same network. Only rank 0 writes files and prints. */
#include "base/available.h"
#include "base/memory.h"
#include "experiments/commands/command.h"
#include "experiments/commands/estimate.h"
#include "experiments/commands/formula.h"
#include "experiments/commands/progress.h"
#include "experiments/commands/registry.h"
#include "experiments/config/config.h"
#include "experiments/config/message.h"
#include "experiments/results/file.h"
#include "experiments/results/log.h"
#include "experiments/results/summary.h"
#include "network/network.h"
#include "workload/process/process.h"
#include "workload/workload.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Of this rank, at the latest looks. */
struct memory {
	uint64_t resident, growth; /* bytes; growth: the most from one look to the next */
	uint64_t left;             /* when it ran out */
	const char *by;            /* what limits it; NULL: it has not run out */
	uint64_t host_ranks;       /* that take from the same */
};

struct run {
	const struct xp_options *o;
	struct base_registry registry;
	struct base_errors errors;
	size_t reported; /* of errors, printed already */
	struct xp_config config;
	struct xp_progress progress;
	struct memory memory;
	struct xp_run_facts facts;
	struct xp_alone *alone; /* [jobs] of the configuration, if it isolates any */
	struct net *net;
};

/* --- the same configuration on every rank ----------------------------------------------------------- */

static int load_here(struct run *r)
{
	struct xp_sets sets = { .v = r->o->sets, .n = r->o->nsets };
	if (!xp_config_load(&r->config, r->o->operand[0], &sets, XP_WHOLE, &r->registry, &r->errors))
		return 0;
	xp_config_look_further(&r->config, &r->errors);
	return -1;
}

/* Rank 0 loads the configuration, the others receive its resolved text. Returns 0 on all ranks or -1 on all. */
static int load_everywhere(struct run *r)
{
	struct base_buffer text = { 0 };
	uint64_t head[2] = { 0, 0 }; /* failed, bytes */
	if (sim_rank() == 0) {
		head[0] = load_here(r) != 0;
		if (!head[0])
			xp_config_text(&r->config.net, &text);
		head[1] = text.n;
	}
	sim_broadcast(head, sizeof head);
	if (head[0]) {
		free(text.data);
		return -1;
	}
	if (sim_rank() != 0)
		text.data = base_alloc(head[1] + 1);
	sim_broadcast(text.data, head[1]);
	int status = 0;
	if (sim_rank() != 0)
		status = xp_config_parse(&r->config, text.data, head[1], "configuration of rank 0", NULL, NULL,
		                         XP_WHOLE, &r->registry, &r->errors);
	free(text.data);
	return status;
}

/* The result log takes standard output, and nothing else may. */
static bool logs_to_stdout(const struct run *r)
{
	const char *file = r->config.net.output.file;
	return file && !strcmp(file, "-");
}

/* Whether the result can be written is found out before hours of simulation. */
static int try_output(const struct run *r)
{
	uint64_t failed = sim_rank() == 0 && r->config.net.output.file && xp_file_try(r->config.net.output.file);
	sim_broadcast(&failed, sizeof failed);
	return failed ? -1 : 0;
}

/* Would a result file overwrite an input file of the run? Prints an error if so. Collective. */
static int spare_inputs(const struct run *r)
{
	const struct net_config *config = &r->config.net;
	const char *file = config->output.file;
	bool standard_input = !strcmp(r->o->operand[0], "-");
	uint64_t same = 0;
	if (sim_rank() == 0 && file) {
		char *table;
		same = xp_inputs_hold(&r->facts.inputs, standard_input, file, "the run");
		for (size_t i = 0; config->output.csv && !same && (table = xp_csv_path(file, config, i)); i++) {
			same = xp_inputs_hold(&r->facts.inputs, standard_input, table, "the run");
			free(table);
		}
	}
	sim_broadcast(&same, sizeof same);
	return same ? -1 : 0;
}

/* --- the run ---------------------------------------------------------------------------------------- */

#define RESERVE ((uint64_t)16 << 20) /* for the results */

/* Predicts whether memory is exhausted before the check that follows the next one, assuming the fastest growth between
 * two checks observed so far. Ranks of one host share its memory, also with other processes. A process that has not
 * grown since the last check may continue. */
static bool memory_runs_out(struct memory *m)
{
	uint64_t resident = base_resident(), before = m->resident;
	m->resident = resident;
	if (!before || resident <= before)
		return m->by != NULL;
	if (resident - before > m->growth)
		m->growth = resident - before;
	struct base_available now = base_available("");
	uint64_t shared = RESERVE + 2 * m->growth * m->host_ranks, own = RESERVE + 2 * m->growth;
	if (now.shared < shared || now.own < own) {
		m->left = now.shared < shared ? now.shared : now.own;
		m->by = now.shared < shared ? now.shared_by : now.own_by;
	}
	return m->by != NULL;
}

static enum sim_wish on_progress(void *arg, uint64_t committed_ps, uint64_t end_ps, uint64_t events)
{
	struct run *r = arg;
	r->progress.end = end_ps;
	xp_progress_update(&r->progress, committed_ps, events);
	if (memory_runs_out(&r->memory))
		return SIM_END_NOW;
	return xp_signals_interrupted() ? SIM_END_AT_PAUSE : SIM_GO_ON;
}

/* Errors and warnings that are new. */
static void print_report(struct run *r)
{
	struct base_errors fresh = { .v = r->errors.v + r->reported, .n = r->errors.n - r->reported };
	if (sim_rank() == 0 && fresh.n)
		xp_config_report(&r->config, &fresh, stderr);
	r->reported = r->errors.n;
}

/* Result files; collective. */
static int write_files(struct run *r)
{
	const struct net_config *config = &r->config.net;
	if (!config->output.file)
		return 0;
	if (xp_log_write(config->output.file, r->net, &r->facts, config))
		return -1;
	return config->output.csv ? xp_csv_write(config->output.file, r->net, &r->facts, config) : 0;
}

static void print_summary(const struct run *r, const char *file)
{
	if (sim_rank() != 0 || logs_to_stdout(r))
		return;
	if (r->o->json) {
		struct base_json j = base_json_stream(stdout);
		base_json_object(&j, NULL);
		xp_summary_members(&j, &r->facts);
		base_json_end(&j);
		base_json_newline(&j);
	} else if (!r->o->quiet) {
		xp_summary_text(stdout, &r->facts, file);
	}
}

/* Returns whether the run stopped because memory ran low on some rank, and prints a message if it did. Collective. A
 * run whose simulation has ended is not stopped by low memory. */
static bool tell_of_memory(const struct run *r)
{
	uint64_t left = r->memory.by && !r->facts.result->complete ? r->memory.left : UINT64_MAX;
	sim_min_u64(&left, 1);
	if (left == UINT64_MAX)
		return false;
	if (sim_rank() == 0)
		xp_message("stopped at %.3f us to avoid running out of memory: %.1f MB of the memory available to this "
		           "process were left (%s); the results cover the simulated part",
		           (double)r->facts.result->reached_ps * 1e-6, (double)left * 1e-6,
		           r->memory.by ? r->memory.by : "on another rank");
	return true;
}

/* "3 messages that nothing received, 1 collective that ..."; false: there is nothing of it. */
static bool list_unasked(const struct net_flow *f, struct base_buffer *out)
{
	const struct {
		uint64_t n;
		const char *one, *several;
	} kinds[] = {
		{ f->unreceived, "message was never received", "messages were never received" },
		{ f->truncated, "message is longer than its receive", "messages are longer than their receives" },
		{ f->incomplete, "collective was not called by all ranks of its communicator",
		  "collectives were not called by all ranks of their communicators" },
	};
	base_buffer_write(out, "", 0);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (kinds[i].n)
			base_buffer_printf(out, "%s%" PRIu64 " %s", out->n ? ", " : "", kinds[i].n,
			                   kinds[i].n == 1 ? kinds[i].one : kinds[i].several);
	return out->n > 0;
}

/* What result->total.unfinished counts. */
static const char *operations_of(const struct net_config *net)
{
	const char *name = NULL;
	for (uint32_t j = 0; j < net->njobs; j++) {
		const struct wl_process_ops *ops =
		    net->jobs[j].process.plugin ? net->jobs[j].process.plugin->ops : NULL;
		if (!ops || !ops->ends_run)
			continue;
		const char *own = ops->operations ? ops->operations : "operations";
		name = !name || !strcmp(name, own) ? own : "operations or flows";
	}
	return name ? name : "operations";
}

/* What applications have not done, and messages that they have not received. Returns the exit status. */
static int judge_applications(const struct run *r)
{
	const struct net_result *result = r->facts.result;
	const struct net_flow *f = &result->total;
	const char *left = result->complete ? "" : " when the run was stopped";
	const char *why = !result->complete || result->stuck ? ""
	                  : r->config.net.time.limit == BASE_AUTO_TIME_VALUE
	                      ? ", the maximum length of a run of this network"
	                      : ", limited by time.limit";
	struct base_buffer list = { 0 };
	if (!result->has_applications || sim_rank() != 0)
		return XP_OK; /* mpirun goes by the first that fails */
	const char *operations = operations_of(&r->config.net);
	bool lenient = r->config.net.formula.kind != NET_SWITCHED && r->config.net.formula.compat;
	if (f->finished < f->processes)
		xp_message("%s%" PRIu64 " of %" PRIu64 " processes have not finished, %" PRIu64
		           " %.*s %s left%s, at %.3f us%s\n%s%s",
		           lenient ? "warning: " : "", f->processes - f->finished, f->processes, f->unfinished,
		           (int)strlen(operations) - (f->unfinished == 1), operations,
		           f->unfinished == 1 ? "is" : "are", left, (double)result->reached_ps * 1e-6, why,
		           result->waits ? result->waits : "", result->unasked ? result->unasked : "");
	bool unasked = list_unasked(f, &list);
	if (unasked && f->finished == f->processes)
		xp_message("%s%s\n%s", r->o->strict ? "" : "warning: ", list.data,
		           result->unasked ? result->unasked : "");
	free(list.data);
	return (f->finished < f->processes && !lenient) || (unasked && r->o->strict) ? XP_FAILURE : XP_OK;
}

/* The network is an analytical model without switches. */
static int play(struct run *r)
{
	struct xp_formula_run f;
	int played = xp_formula_play(&f, &r->config.net, &r->errors);
	uint64_t bad = played < 0 ? 2 : played > 0; /* what is wrong comes before what cannot end */
	sim_max_u64(&bad, 1);
	print_report(r);
	int failed = 0;
	if (!bad) {
		r->facts.config = &r->config.net;
		r->facts.result = &f.result;
		r->facts.topo = &f.topo;
		r->facts.errors = &r->errors;
		if (sim_rank() == 0)
			topo_quick_facts(&f.topo, &r->facts.facts);
		if (r->config.net.output.file)
			failed = xp_log_write(r->config.net.output.file, NULL, &r->facts, &r->config.net) ||
			         (r->config.net.output.csv &&
			          xp_csv_write(r->config.net.output.file, NULL, &r->facts, &r->config.net));
		print_summary(r, failed ? NULL : r->config.net.output.file);
	}
	int judged = bad ? (bad == 1 ? XP_FAILURE : XP_USAGE) : judge_applications(r);
	xp_formula_free(&f);
	return failed ? XP_FAILURE : judged;
}

static void on_alone(void *arg, const char *job)
{
	struct run *r = arg;
	xp_progress_end(&r->progress);
	xp_progress_begin(&r->progress, (enum xp_when)r->o->progress, r->o->quiet, 0);
	r->progress.what = sim_rank() == 0 ? job : NULL;
}

/* A run that ended without results. Returns the exit status. */
static int tell_failure(struct run *r, enum net_outcome outcome)
{
	if (outcome == NET_REFUTED) {
		print_report(r);
		return XP_USAGE;
	}
	for (size_t i = r->reported; i < r->errors.n; i++)
		xp_message("%s", r->errors.v[i].text);
	return outcome == NET_WRONG ? XP_FAILURE : XP_BROKEN;
}

/* Simulates each isolated job alone, before the run of all jobs. If the user interrupts these runs, only their results
 * so far are available. */
static int isolate(struct run *r, const struct net_setup *setup)
{
	xp_signals_catch();
	r->alone = base_calloc(r->config.net.njobs, sizeof *r->alone);
	enum net_outcome outcome = xp_alone_run(setup, r->alone, on_alone, r, &r->errors);
	xp_progress_end(&r->progress);
	if (net_is_failure(outcome))
		return tell_failure(r, outcome);
	xp_progress_begin(&r->progress, (enum xp_when)r->o->progress, r->o->quiet, 0);
	r->facts.alone = r->alone;
	return XP_GO_ON;
}

/* Impacts of a run that ended before it was as precise as requested. */
static void tell_cut_short(const struct run *r)
{
	struct base_buffer text = { 0 };
	if (sim_rank() == 0 && xp_alone_cut_short(&r->facts, &text))
		xp_message("warning: %s", text.data);
	free(text.data);
}

/* Has a job stalled that was alone? Says so. */
static bool tell_stalls(const struct run *r)
{
	bool any = false;
	for (uint32_t i = 0; r->alone && i < r->config.net.njobs; i++) {
		if (r->alone[i].stalled && sim_rank() == 0)
			xp_message("the network stalled in the separate run of job \"%.60s\" alone (traffic[].isolate)",
			           r->config.net.jobs[i].name);
		any |= r->alone[i].stalled;
	}
	return any;
}

static int simulate(struct run *r)
{
	if (!r->alone)
		xp_signals_catch();
	enum net_outcome outcome = net_run(r->net, &r->errors);
	xp_signals_obeyed();
	xp_progress_end(&r->progress);
	if (net_is_failure(outcome))
		return tell_failure(r, outcome);
	print_report(r);
	r->facts.config = &r->config.net;
	r->facts.result = net_results(r->net);
	r->facts.topo = net_topo(r->net);
	r->facts.errors = &r->errors;
	r->facts.stalled = outcome == NET_STALLED;
	if (sim_rank() == 0)
		topo_quick_facts(r->facts.topo, &r->facts.facts);
	int failed = write_files(r);
	xp_signals_restore();
	print_summary(r, failed ? NULL : r->config.net.output.file);
	if (r->facts.stalled && sim_rank() == 0)
		xp_message("the network stalled:\n%s", r->facts.result->stall ? r->facts.result->stall : "");
	if (failed || tell_of_memory(r))
		return XP_FAILURE;
	tell_cut_short(r);
	int judged = judge_applications(r);
	bool stalled = tell_stalls(r) || r->facts.stalled;
	return stalled ? XP_DEADLOCK : outcome == NET_INTERRUPTED ? XP_INTERRUPT : judged;
}

/* --- the command ------------------------------------------------------------------------------------ */

static int estimate(struct run *r, const struct net_setup *setup, const struct net_memory *m, int ranks)
{
	struct net_cut c;
	if (sim_rank() == 0)
		xp_estimate_print(m);
	if (ranks == 1)
		return XP_OK;
	int status = net_partition_cut(setup, ranks, &c, &r->errors);
	print_report(r);
	if (!status && sim_rank() == 0)
		xp_estimate_print_cut(&c, ranks);
	return status ? XP_USAGE : XP_OK;
}

/* Prints the estimate of the needed memory if the user requested it, and rejects a run that cannot fit into memory.
 * Returns XP_GO_ON if the run shall start, else the exit status. */
static int weigh(struct run *r, const struct net_setup *setup)
{
	struct net_memory m;
	struct base_errors again = { 0 }; /* net_create() reports errors, and prove the routing */
	struct net_setup light = *setup;
	light.proved = !r->o->estimate;
	int ranks, per_host;
	if (xp_estimate_ranks(r->o, &ranks, &per_host))
		return XP_USAGE;
	r->memory.host_ranks = (uint64_t)per_host;
	int status = net_memory_estimate(&light, ranks, per_host, &m, r->o->estimate ? &r->errors : &again);
	base_errors_free(&again);
	if (r->o->estimate)
		print_report(r);
	if (status)
		return r->o->estimate ? XP_USAGE : XP_GO_ON;
	if (r->o->estimate)
		return estimate(r, &light, &m, ranks);
	uint64_t here = m.available;
	sim_min_u64(&m.available, 1);
	if (m.available < here)
		m.available_by = "on another rank";
	uint64_t go = sim_rank() == 0 ? (uint64_t)xp_estimate_judge(&m) : 0;
	sim_broadcast(&go, sizeof go);
	return (int)go;
}

/* Is there --out? output.file of a configuration may stay. */
static bool names_output(const struct xp_options *o)
{
	bool named = false;
	for (size_t i = 0; i < o->nmade; i++)
		named |= !strncmp(o->made[i], "output.file=", 12);
	return named;
}

static int run_command(struct run *r)
{
	time_t now = time(NULL);
	struct tm utc;
	if (xp_open_registry(&r->registry, r->o, &r->errors) || load_everywhere(r)) {
		print_report(r);
		return XP_USAGE;
	}
	if (r->o->estimate && (r->o->json || names_output(r->o))) {
		if (sim_rank() == 0)
			xp_message("%s has no effect with --estimate, which prints text",
			           r->o->json ? "--json" : "--out");
		return XP_USAGE;
	}
	if (r->o->json && logs_to_stdout(r)) {
		if (sim_rank() == 0)
			xp_message("--json and \"--out -\" cannot both write to standard output");
		return XP_USAGE;
	}
	if (sim_rank() == 0)
		xp_inputs_list(&r->facts.inputs, &r->config, &r->registry);
	if (!r->o->estimate && spare_inputs(r))
		return XP_USAGE;
	if (!r->o->estimate && try_output(r))
		return XP_FAILURE;
	if (sim_rank() == 0) /* before the network reads them: what changes later is another input */
		xp_inputs_hash(&r->facts.inputs, NULL);
	strftime(r->facts.started, sizeof r->facts.started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
	xp_progress_begin(&r->progress, (enum xp_when)r->o->progress, r->o->quiet, 0);
	if (r->config.net.formula.kind != NET_SWITCHED && r->o->estimate) {
		if (sim_rank() == 0)
			xp_message("--estimate requires a switched network (network.kind)");
		return XP_USAGE;
	}
	if (r->config.net.formula.kind != NET_SWITCHED)
		return play(r);
	struct net_setup setup = { .config = &r->config.net,
		                   .registry = &r->registry,
		                   .build_traffic = wl_build,
		                   .destroy_traffic = wl_destroy,
		                   .progress = on_progress,
		                   .progress_arg = r };
	int go = weigh(r, &setup);
	if (go == XP_GO_ON && xp_alone_wanted(&r->config.net))
		go = isolate(r, &setup);
	if (go != XP_GO_ON)
		return go;
	r->net = net_create(&setup, &r->errors);
	print_report(r);
	if (!r->net)
		return XP_USAGE;
	xp_config_fill_links(&r->config.net, net_topo(r->net)); /* for the manifest */
	int status = simulate(r);
	net_destroy(r->net);
	return status;
}

static int run_simulation(const struct xp_options *o)
{
	struct run r = { .o = o };
	int status = run_command(&r);
	xp_inputs_free(&r.facts.inputs);
	free(r.alone);
	xp_config_free(&r.config);
	base_errors_free(&r.errors);
	base_registry_free(&r.registry);
	return status;
}

const struct xp_command xp_command_run = {
	.name = "run",
	.summary = "simulate one configuration",
	.operands = "CONFIG",
	.text = "Simulates one configuration and prints a summary. CONFIG is a libconfig file, - for standard input, "
		"or the name of a shipped configuration (tilefly list configs). Under mpirun the ranks share the work; "
		"the result is the same.",
	.examples = "tilefly run slimfly-3k\n"
		    "tilefly run slimfly-3k --set routing.kind=ugal-l --out run.jsonl.gz\n"
		    "tilefly run slimfly-74k --threads 2\n"
		    "mpirun -n 2 tilefly run slimfly-74k --sync optimistic --json\n"
		    "tilefly run slimfly-1m --estimate\n"
		    "tilefly run slimfly-1m --estimate --ranks 1024 --per-node 64\n",
	.status =
	    "0 done, 1 the run failed, an application cannot end, or the run stopped because memory ran low (the "
	    "results of the simulated part are written), 2 wrong usage or configuration, or too little memory, 3 the "
	    "simulated network deadlocked, 4 an invariant was violated, 130 interrupted (the results of the simulated "
	    "part are written, unless a second signal arrives or the simulation does not stop within seconds).",
	.bit = XP_CMD_RUN,
	.min_operands = 1,
	.max_operands = 1,
	.word = XP_WORD_CONFIG,
	.ranks = XP_ALL_RANKS,
	.run = run_simulation,
};

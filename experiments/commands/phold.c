/* experiments/commands/phold.c - `tilefly phold`: the PHOLD benchmark on the bare engine (sim/phold.h). */
#include "sim/phold.h"
#include "base/json.h"
#include "base/param.h"
#include "experiments/commands/command.h"
#include "experiments/commands/progress.h"
#include "experiments/config/message.h"
#include "experiments/results/statistics.h"

#include <inttypes.h>
#include <stdlib.h>

/* PHOLD's numbers, in the terms of the parameter tables. */
struct phold_numbers {
	int64_t lps, start_events, seed, stress, optimism, gvt_interval;
	double remote;
	uint64_t mean, lookahead, end, window;
	int sync;
};

#define AT(field) offsetof(struct phold_numbers, field)

static const struct base_param table[] = {
	{ "--lps", BASE_INT, AT(lps), "16384", NULL, 1, 1e9, NULL, "", NULL },
	{ "--start-events", BASE_INT, AT(start_events), "16", NULL, 1, 1e6, NULL, "", NULL },
	{ "--remote", BASE_FLOAT, AT(remote), "0.1", NULL, 0, 1, NULL, "", NULL },
	{ "--mean", BASE_TIME, AT(mean), "900ns", NULL, 1, 0x1p44, NULL, "", NULL },
	{ "--lookahead", BASE_TIME, AT(lookahead), "100ns", NULL, 1, 0x1p44, NULL, "", NULL },
	{ "--end", BASE_TIME, AT(end), "20us", NULL, 1, 0x1p62, NULL, "", NULL },
	{ "--seed", BASE_INT, AT(seed), "1", NULL, 0, 0x1p63, NULL, "", NULL },
	{ "--sync", BASE_ENUM, AT(sync), "auto", NULL, 0, 0, "sequential|conservative|optimistic|auto", "", NULL },
	{ "--stress", BASE_INT, AT(stress), "0", NULL, 0, 100, NULL, "", NULL },
	{ "--window", BASE_TIME, AT(window), "0ps", NULL, 0, 0x1p44, NULL, "", NULL },
	{ "--optimism", BASE_INT, AT(optimism), "", NULL, 1, 1e6, NULL, "", NULL },
	{ "--gvt-interval", BASE_INT, AT(gvt_interval), "", NULL, 1, 1e6, NULL, "", NULL },
	{ 0 },
};

static int read_numbers(const struct xp_options *o, struct sim_phold *p, struct base_errors *errors)
{
	const char *const given[] = { o->lps,  o->start_events, o->remote, o->mean,   o->lookahead, o->end,
		                      o->seed, o->sync,         o->stress, o->window, o->optimism,  o->gvt_interval };
	struct phold_numbers n = { 0 };
	sim_phold_defaults(p);
	n.optimism = p->optimism;
	n.gvt_interval = p->gvt_interval;
	base_params_defaults(table, &n, errors);
	for (size_t i = 0; i < sizeof given / sizeof *given; i++)
		if (given[i])
			base_param_parse(&table[i], &n, given[i], errors);
	p->lps = (uint32_t)n.lps;
	p->start_events = (uint32_t)n.start_events;
	p->remote_ppm = (uint32_t)(n.remote * 1e6 + 0.5);
	p->mean = n.mean;
	p->lookahead = n.lookahead;
	p->end = n.end;
	p->seed = (uint64_t)n.seed;
	double delay = (double)(n.mean + n.lookahead);
	double events =
	    (double)n.lps * (double)n.start_events * (double)n.lookahead / (delay > 0 ? delay : 1) / sim_ranks();
	p->sync = n.sync != 3 ? (enum sim_sync)n.sync : n.stress ? SIM_OPTIMISTIC : sim_auto_sync(events);
	p->window = n.window;
	p->optimism = (uint32_t)n.optimism;
	p->gvt_interval = (uint32_t)n.gvt_interval;
	p->stress = (uint32_t)n.stress;
	p->audit = o->audit;
	if (p->sync == SIM_SEQUENTIAL && sim_ranks() > 1)
		base_errorf(errors, "--sync", "sequential runs need one rank, but there are %d", sim_ranks());
	if (p->stress && p->sync != SIM_OPTIMISTIC)
		base_errorf(errors, "--stress", "%u has no effect: only optimistic runs roll back (engine.sync)",
		            p->stress);
	return errors->errors ? -1 : 0;
}

static void print_phold_json(const struct sim_phold *p, const struct sim_phold_result *r)
{
	static const char *const sync[] = { "sequential", "conservative", "optimistic" };
	char digest[24];
	struct base_json j = base_json_stream(stdout);
	snprintf(digest, sizeof digest, "%016" PRIx64, r->digest);
	base_json_object(&j, NULL);
	base_json_string(&j, "record", "phold");
	base_json_bool(&j, "complete", r->outcome == SIM_DONE);
	base_json_uint(&j, "lps", p->lps);
	base_json_string(&j, "sync", sync[p->sync]);
	base_json_int(&j, "ranks", sim_ranks());
	base_json_uint(&j, "events_committed", r->events);
	xp_statistics_write(&j, XP_WORK, &r->counters);
	xp_statistics_write(&j, XP_PHASES, &r->counters);
	base_json_double(&j, "setup_s", r->setup_s);
	base_json_double(&j, "wall_s", r->wall_s);
	base_json_double(&j, "event_rate_per_s", r->wall_s > 0 ? (double)r->events / r->wall_s : 0);
	base_json_uint(&j, "peak_rss_bytes", r->peak_rss_bytes);
	base_json_string(&j, "digest", digest);
	base_json_end(&j);
	base_json_newline(&j);
}

static void print_phold_text(const struct sim_phold *p, const struct sim_phold_result *r)
{
	static const char *const sync[] = { "sequential", "conservative", "optimistic" };
	printf("%-12s %" PRIu32 " processes, %" PRIu32 " initial events each%s\n", "phold", p->lps, p->start_events,
	       r->outcome == SIM_INTERRUPTED ? " (interrupted)" : "");
	printf("%-12s %s, %d rank%s, %" PRIu64 " GVT rounds\n", "engine", sync[p->sync], sim_ranks(),
	       sim_ranks() == 1 ? "" : "s", r->counters.gvt_rounds);
	printf("%-12s %" PRIu64 " committed, %" PRIu64 " rolled back, efficiency %.4f\n", "events", r->events,
	       r->counters.events_rolled_back, xp_statistic_named("engine.efficiency")->get(&r->counters));
	printf("%-12s %.3f s, %.2f M events/s\n", "wall time", r->wall_s,
	       r->wall_s > 0 ? 1e-6 * (double)r->events / r->wall_s : 0);
	printf("%-12s %016" PRIx64 "\n", "digest", r->digest);
}

static enum sim_wish on_progress(void *arg, sim_time committed, uint64_t events)
{
	xp_progress_update(arg, committed, events);
	return xp_signals_interrupted() ? SIM_END_NOW : SIM_GO_ON;
}

static int phold_command(const struct xp_options *o, struct base_errors *errors)
{
	struct sim_phold p;
	struct sim_phold_result r = { 0 };
	struct xp_progress progress;
	if (read_numbers(o, &p, errors))
		return XP_USAGE;
	xp_progress_begin(&progress, (enum xp_when)o->progress, o->quiet, p.end);
	p.progress = on_progress;
	p.progress_arg = &progress;
	xp_signals_catch();
	int failed = sim_phold_run(&p, &r, errors);
	xp_signals_restore();
	xp_progress_end(&progress);
	if (failed)
		return XP_USAGE;
	if (sim_rank() == 0 && o->json)
		print_phold_json(&p, &r);
	else if (sim_rank() == 0 && !o->quiet)
		print_phold_text(&p, &r);
	return r.outcome == SIM_FAILED ? XP_BROKEN : r.outcome == SIM_INTERRUPTED ? XP_INTERRUPT : XP_OK;
}

static int run_phold(const struct xp_options *o)
{
	struct base_errors errors = { 0 };
	int status = phold_command(o, &errors);
	if (sim_rank() == 0)
		xp_message_errors(&errors);
	base_errors_free(&errors);
	return status;
}

const struct xp_command xp_command_phold = {
	.name = "phold",
	.summary = "the PHOLD benchmark on the bare engine",
	.operands = "",
	.text = "Runs PHOLD: every logical process starts with some events. Executing an event sends one to the same "
		"process or, with the probability --remote, to a random process, after a delay of --lookahead plus an "
		"exponential variate with mean --mean. The digest is the same for every scheduler and number of ranks.",
	.examples = "tilefly phold --end 40us\n"
		    "mpirun -n 2 tilefly phold --sync optimistic --json\n",
	.status = "0 done, 2 wrong usage, 4 an invariant was violated, 130 interrupted.",
	.bit = XP_CMD_PHOLD,
	.ranks = XP_ALL_RANKS,
	.run = run_phold,
};

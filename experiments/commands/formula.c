/* experiments/commands/formula.c - see formula.h */
#include "experiments/commands/formula.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/memory.h"
#include "workload/formats/goal/goal.h"
#include "workload/loggops/loggops.h"
#include "workload/process/process.h"
#include "workload/workload.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct wl_loggops_params params_of(const struct net_config *config)
{
	const struct net_formula *f = &config->formula;
	const struct net_engine *e = &config->engine;
	static const int kinds[] = { [NET_SIMPLENET] = WL_SIMPLENET,
		                     [NET_LOGGP] = WL_LOGGP,
		                     [NET_LOGGOPS] = WL_LOGGOPS,
		                     [NET_LOGGOPS_ATLAHS] = WL_LOGGOPS_ATLAHS };
	enum sim_sync sync = e->sync == NET_SYNC_OPTIMISTIC || (e->sync == NET_SYNC_AUTO && e->stress) ? SIM_OPTIMISTIC
	                     : e->sync == NET_SYNC_CONSERVATIVE || sim_ranks() > 1 ? SIM_CONSERVATIVE
	                                                                           : SIM_SEQUENTIAL;
	return (struct wl_loggops_params){ .kind = kinds[f->kind],
		                           .compat = f->compat,
		                           .L = f->L,
		                           .o = f->o,
		                           .g = f->g,
		                           .G = f->G,
		                           .O = f->O,
		                           .unit = 1,
		                           .sync = sync,
		                           .stress = (uint32_t)e->stress,
		                           .audit = e->audit,
		                           .traced = true,
		                           .ranks = config->record.ranks,
		                           .path = config->record.path };
}

#define STANDARD_S 65535u /* LogGOPSim's */

/* Bytes; longer messages wait for their receive. */
static uint64_t longest_eager(const struct net_config *config, uint32_t job)
{
	const struct wl_process_ops *ops = config->jobs[job].process.plugin->ops;
	if (config->formula.S != BASE_AUTO_SIZE_VALUE)
		return config->formula.S;
	return ops->buffered_sends ? UINT64_MAX : ops->mpi & WL_USES_MESSAGES ? config->mpi.eager : STANDARD_S;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ull;
	return h ^ h >> 32;
}

static uint64_t ranks_done(const struct wl_goal *g, const struct wl_loggops_result *r)
{
	return r->unfinished ? 0 : g->ranks;
}

static void add_flow(struct net_flow *all, const struct net_flow *f)
{
	all->is_application = true;
	all->offered_load = all->accepted_load = NAN;
	all->endpoints += f->endpoints;
	all->created += f->created;
	all->injected += f->injected;
	all->delivered += f->delivered;
	all->delivered_bytes += f->delivered_bytes;
	all->processes += f->processes;
	all->finished += f->finished;
	all->unfinished += f->unfinished;
	all->unreceived += f->unreceived;
	all->completion_ps = f->completion_ps > all->completion_ps ? f->completion_ps : all->completion_ps;
}

/* Messages that are not there at the end are those that no send began. */
static void fill(struct net_flow *f, const struct net_traffic_job *job, const struct wl_goal *g,
                 const struct wl_loggops_result *r)
{
	*f = (struct net_flow){ .name = job->name,
		                .endpoints = g->ranks,
		                .offered_load = NAN, /* no link has a bandwidth */
		                .accepted_load = NAN,
		                .created = r->messages,
		                .injected = r->messages,
		                .delivered = r->messages,
		                .delivered_bytes = r->bytes,
		                .is_application = true,
		                .processes = g->ranks,
		                .finished = ranks_done(g, r),
		                .unfinished = r->unfinished,
		                .unreceived = r->unreceived,
		                .completion_ps = job->start + r->completion };
}

/* Errors of parameters are of section network, others of the job. */
static void blame(const char *job, const struct base_error *e, struct base_errors *errors)
{
	char key[64];
	snprintf(key, sizeof key, "network.%s", e->key);
	base_errorf(errors, *e->key ? key : job, "%s", e->text);
}

/* The endpoints of ranks, by which records name them. */
static void place_ranks(const struct xp_formula_run *run, uint32_t job, struct net_application *a)
{
	for (size_t i = 0; a && i < a->lines; i++)
		a->line[i].endpoint = wl_rank_endpoint(&run->traffic, job, a->line[i].rank);
}

/* Adds lines to *all_lines, each behind the name of its job, if that is not NULL. */
static void add_lines(char **all_lines, const char *lines, const char *name)
{
	struct base_buffer all = { 0 };
	if (!lines || !*lines)
		return;
	base_buffer_printf(&all, "%s", *all_lines ? *all_lines : "");
	for (const char *end; (end = strchr(lines, '\n')); lines = end + 1)
		base_buffer_printf(&all, "%s%s%.*s\n", name ? name : "", name ? ": " : "", (int)(end - lines), lines);
	free(*all_lines);
	*all_lines = all.data;
}

static int play_job(struct xp_formula_run *run, const struct net_config *config, uint32_t job,
                    struct base_errors *errors)
{
	struct net_result *out = &run->result;
	struct wl_loggops_params params = params_of(config);
	params.start = run->traffic.job[job].start;
	params.S = longest_eager(config, job);
	struct wl_loggops_result r = { 0 };
	struct wl_goal goal = { 0 };
	struct wl_schedule_facts facts;
	int status = wl_schedule(&run->traffic, job, &goal, &facts, errors);
	if (status)
		return status;
	struct base_errors found = { 0 };
	char key[32], name[160];
	snprintf(key, sizeof key, "traffic.[%" PRIu32 "]", job);
	snprintf(name, sizeof name, "%s (job \"%.100s\")", key, run->traffic.job[job].name);
	wl_goal_memory_for(&goal, name, "is replayed on an analytical network model");
	double before = base_seconds();
	status = wl_loggops_run(&goal, &params, &r, &found);
	out->wall_s += base_seconds() - before;
	base_memory_made();
	for (size_t i = 0; i < found.n; i++)
		blame(key, &found.v[i], errors);
	base_errors_free(&found);
	if (!status) {
		fill(&out->jobs[job], &run->traffic.job[job], &goal, &r);
		add_flow(&out->total, &out->jobs[job]);
		sim_counters_add(&out->counters, &r.counters);
		out->jobs[job].truncated = facts.truncated;
		out->total.truncated += facts.truncated;
		place_ranks(run, job, r.application);
		out->jobs[job].application = r.application;
		r.application = NULL;
		out->digest += mix(mix(job + 1, r.digest), params.start + r.completion);
		out->complete &= r.outcome == SIM_DONE;
		add_lines(r.unfinished ? &out->waits : &out->unasked, r.waits,
		          config->njobs > 1 ? run->traffic.job[job].name : NULL);
	}
	wl_loggops_free(&r);
	wl_goal_free(&goal);
	return status;
}

int xp_formula_play(struct xp_formula_run *out, const struct net_config *config, struct base_errors *errors)
{
	static const char *const names[] = { "sequential", "conservative", "optimistic" };
	double before = base_seconds();
	*out = (struct xp_formula_run){ 0 };
	int status = net_build_topology(config, &out->topo, errors);
	out->has_topo = !status;
	if (!status)
		status = wl_build(&out->traffic, config, &out->topo, errors);
	out->has_traffic = !status;
	struct net_result *r = &out->result;
	r->jobs = base_calloc(config->njobs, sizeof *r->jobs);
	r->njobs = config->njobs;
	r->classes = base_calloc(1, sizeof *r->classes);
	r->complete = r->has_applications = true;
	r->total.name = "all";
	r->ranks = sim_ranks();
	r->threads = 1;
	r->sync = names[params_of(config).sync];
	r->setup_s = base_seconds() - before;
	for (uint32_t i = 0; i < config->njobs && !status; i++)
		status = play_job(out, config, i, errors);
	r->reached_ps = r->measured_to_ps = r->total.completion_ps;
	r->stuck = r->total.finished < r->total.processes;
	r->peak_rss_rank_bytes = r->peak_rss_bytes = base_peak_rss();
	sim_sum_u64(&r->peak_rss_bytes, 1);
	sim_max_u64(&r->peak_rss_rank_bytes, 1);
	return status;
}

void xp_formula_free(struct xp_formula_run *run)
{
	for (uint32_t i = 0; i < run->result.njobs; i++)
		net_application_free(run->result.jobs[i].application);
	free(run->result.jobs);
	free(run->result.classes);
	free(run->result.waits);
	free(run->result.unasked);
	if (run->has_traffic)
		wl_destroy(&run->traffic);
	if (run->has_topo)
		topo_destroy(&run->topo);
}

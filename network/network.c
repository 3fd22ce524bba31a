/* network/network.c - a network for its whole life: laid out in memory, on its engine, run, destroyed. */
#include "base/clock.h"
#include "base/memory.h"
#include "network/checks/checked.h"
#include "network/checks/checks.h"
#include "network/checks/loops.h"
#include "network/legs.h"
#include "network/nic/nic.h"
#include "network/part.h"
#include "sim/tables.h"

#include <stdlib.h>

#define UNKNOWN_LENGTH 10000000000ull /* ps: of runs that end with applications, for estimates of memory */
/* ps: end of a run that drains its measured packets, after everything that is still in flight. With the lower value,
 * 140 s, windows may have any width. */
#define DRAIN_END (1ull << 47)
#define DRAIN_END_FAR SIM_END_MAX
#define DRAINS_LONG (1ull << 44) /* a run that is measured up to there, 17 s, may need longer */

void net_plan(struct net *n)
{
	n->jobs = n->traffic.streams;
	n->endpoints.sources = n->traffic.max_jobs_per_endpoint ? n->traffic.max_jobs_per_endpoint : 1;
	n->store_and_forward = n->common.ops->store_and_forward(&n->common);
	n->endpoints.share = (n->common.ops->links.terminal_share ? n->common.ops->links.terminal_share
	                                                          : n->common.ops->buffer_share)(&n->common);
	const struct sw_link *l = &n->common.link[SW_LINK_TERMINAL];
	uint64_t margin = 3ull * n->common.max_packet + (l->latency << 16) / l->ps_per_byte_q16;
	n->endpoints.nearly_full = margin < n->endpoints.share ? n->endpoints.share - (uint32_t)margin : 0;
	n->endpoints.relaxed = n->endpoints.nearly_full / 2;
	n->endpoints.relaxed_ps = (n->endpoints.nearly_full - n->endpoints.relaxed) * l->ps_per_byte_q16 >> 16;
	base_checkf(n->endpoints.share >= n->common.max_packet && n->endpoints.relaxed <= n->endpoints.nearly_full &&
	                n->endpoints.nearly_full <= n->endpoints.share,
	            "a terminal's buffer of %u bytes, nearly full with %u", n->endpoints.share,
	            n->endpoints.nearly_full);
	n->endpoints.at = (n->common.ops->state_bytes(&n->common) + 63) & ~(size_t)63;
	n->endpoints.bytes = sizeof(struct net_endpoint) + n->endpoints.sources * sizeof(struct net_source);
	if (n->endpoints.sources > NET_INLINE_JOBS)
		n->endpoints.bytes = (n->endpoints.bytes + n->endpoints.sources + 7) & ~(size_t)7;
	n->stride = n->endpoints.at + n->endpoints.bytes * n->topo.max_endpoints;
	net_nics_plan(n);
	n->stride = (n->stride + 63) & ~(size_t)63;
	n->lp_bytes = n->stride * n->count;
	n->ports_total = n->common.max_ports;
	for (n->port_unit = 1; n->port_unit < n->ports_total; n->port_unit *= 2)
		;
	net_path_of_switches(n);
	n->run = n->common.ops->timing.run;
	n->endpoints.window_injection = (n->lookahead << 16) / l->ps_per_byte_q16 + n->common.max_packet;
	const struct net_time *t = &n->config->time;
	bool precise = t->precision > 0; /* the window is found */
	n->times.measure_from = precise ? 0 : t->warmup;
	n->times.measure_to = precise ? 0 : t->applications ? UNKNOWN_LENGTH : n->times.measure_from + t->measure;
	n->times.recorded_until = precise || t->applications ? t->limit : n->times.measure_to;
	n->times.likely_end = n->times.measure_to;
	n->common.end = n->times.measure_to;
	n->times.end = t->drain != NET_DRAIN_ON                                               ? n->times.measure_to
	               : n->times.measure_to < DRAINS_LONG || n->common.ops->timing.most_time ? DRAIN_END
	                                                                                      : DRAIN_END_FAR;
	n->times.horizon = n->times.end;
	n->times.published_until = n->times.measure_to;
	net_legs_create(n);
	n->times.queues_until = net_finds_end(n) ? n->times.horizon : n->times.measure_to;
}

static int lay_out(struct net *n, struct base_errors *errors)
{
	net_plan(n);
	net_choose_room(n);
	n->lp_memory = base_map(n->stride * n->room);
	n->lps = base_map(n->room * sizeof *n->lps); /* begins with a cache line */
	n->ends = base_calloc(n->topo.max_ports, sizeof *n->ends);
	return net_parts_create(n, errors);
}

static enum sim_wish on_progress(void *arg, sim_time committed, uint64_t events)
{
	struct net *n = arg;
	uint64_t end = net_finds_end(n) ? n->legs->foreseen : n->times.measure_to;
	if (net_refuted_here(n))
		return SIM_END_NOW;
	return n->setup.progress ? n->setup.progress(n->setup.progress_arg, committed, end, events) : SIM_GO_ON;
}

/* Events an LP may see in one lookahead, for the sizes of the engine's buckets. */
double net_expected_events(const struct net *n)
{
	double load = 0;
	for (uint32_t j = 0; j < n->traffic.jobs; j++)
		load += n->traffic.job[j].load;
	double packet_ps = (double)sw_serialisation(&n->common.link[SW_LINK_TERMINAL], n->common.max_packet);
	return 1 + (load < 1 ? load : 1) * (double)n->lookahead / packet_ps * 6 * (double)n->topo.endpoints /
	               n->topo.switches;
}

/* Returns the width of windows in ps; 0: the lookahead. In a network of one switch no link limits the window, and the
 * switch executes the events of one packet time at once. So the next packet of an endpoint that sends continuously
 * falls into the next window, and is sorted with the other packets there. */
static uint64_t window_of(const struct net *n)
{
	if (n->config->engine.window || n->topo.switches > 1)
		return n->config->engine.window;
	return sw_serialisation(&n->common.link[SW_LINK_TERMINAL], n->common.max_packet);
}

struct sim_config net_sim_config(struct net *n, const uint32_t *first_lp)
{
	const struct net_engine *g = &n->config->engine;
	return (struct sim_config){
		.sync = net_choose_sync(n),
		.threads = n->threads.n > 1 ? n->threads.n : 0,
		.pooled = n->threads.pooled,
		.seed = n->config->seed,
		.first_lp = first_lp,
		.balance = (enum sim_balance)g->balance,
		.room_first = n->base,
		.room_count = n->room,
		.lookahead = n->lookahead,
		.end = n->times.horizon,
		.unit = net_finds_end(n) ? n->legs->unit : 0,
		.window = window_of(n),
		.events_per_lp = net_expected_events(n),
		.optimism = (uint32_t)g->optimism,
		.gvt_interval = (uint32_t)g->gvt_interval,
		.stress = (uint32_t)g->stress,
		.audit = g->audit,
		.progress = on_progress,
		.progress_arg = n,
	};
}

static int create_engine(struct net *n, const uint32_t *first_lp, struct base_errors *errors)
{
	struct sim_config config = net_sim_config(n, first_lp);
	static const char *const names[] = { "sequential", "conservative", "optimistic" };
	n->result.sync = names[n->threads.n > 1 ? SIM_CONSERVATIVE : config.sync];
	net_explain_choice(n, n->result.choice, sizeof n->result.choice);
	n->result.line_ns = sim_cores_line_ns();
	struct sim_model model = { .self = n,
		                   .handle = net_choose_handler(n),
		                   .enter = net_enter,
		                   .kind_name = net_kind_name,
		                   .regions = net_regions,
		                   .commit = net_commit,
		                   .early = net_choose_early(n),
		                   .prefetch = net_choose_prefetch(n),
		                   .migrate_out = net_migrate_out,
		                   .migrate_in = net_migrate_in,
		                   .owns = net_owns,
		                   .worker = net_worker,
		                   .release_worker = net_release_worker,
		                   .settled = net_settled,
		                   .pause = net_pause,
		                   .gather = net_gather,
		                   .resume = net_resume };
	n->engine = sim_create(&config, &model, errors);
	if (!n->engine)
		return -1;
	net_legs_begin(n);
	return 0;
}

static void start_lps(void *self, struct sim_ctx *ctx, sim_lpid first, uint32_t count)
{
	struct net *n = self;
	for (sim_lpid i = first; i < first + count; i++) {
		net_init_lp(n, i, true);
		struct net_lp *lp = net_lp_at(n, i);
		sim_initial(ctx, i);
		n->call.lp = i;
		n->call.host_lp = lp;
		for (uint32_t t = 0; t < lp->endpoints; t++)
			net_endpoint_start(n, ctx, lp, t);
		if (n->telemetry.published) {
			struct sim_event *ev = sim_send(ctx, i, n->rt.publish_delay,
			                                net_next_key(ctx, lp, NET_PHASE_PUBLISH), SIM_SHORT_WORDS);
			ev->kind = NET_TICK;
			ev->aux = 0;
			ev->payload[0] = 0;
		}
	}
}

static void start(struct net *n)
{
	struct sim_ctx *ctx = sim_context(n->engine);
	n->call = (struct sw_call){ .ctx = ctx, .common = &n->common, .host_ops = net_choose_host_ops(n), .host = n };
	n->env = (struct rt_env){ .seed = n->config->seed,
		                  .queue_bytes = n->common.count_credits ? n->common.ops->depths.used_credits
		                                                         : n->common.ops->depths.queue_bytes,
		                  .queue_bytes_each = n->common.count_credits || n->config->sw.plugin->loaded
		                                          ? NULL
		                                          : n->common.ops->depths.queue_bytes_each,
		                  .host = n,
		                  .class_bias = n->classes.bias ? n->classes.bias_of_job : NULL,
		                  .published_bytes = n->telemetry.published ? net_published_bytes : NULL,
		                  .neighbour_bytes = n->telemetry.neighbours ? net_neighbour_bytes : NULL };
	sim_prepare(n->engine, start_lps);
}

/* Builds on all ranks, or fails on all, because a plug-in may behave differently on each rank. Collective. */
static int build_parts_everywhere(struct net *n, struct base_errors *errors)
{
	sim_tables_open();
	uint64_t failed[2] = { net_build_parts(n, errors) != 0, 0 }; /* on any rank, on rank 0 */
	sim_tables_close();
	failed[1] = sim_rank() == 0 && failed[0];
	sim_max_u64(failed, 2);
	if (failed[0] && !failed[1])
		net_refuted(n, errors);
	return failed[0] ? -1 : 0;
}

static int assemble(struct net *n, struct base_errors *errors)
{
	if (build_parts_everywhere(n, errors))
		return -1;
	int ranks = sim_ranks(), threads = net_choose_threads(n, ranks, errors);
	if (threads < 0)
		return -1;
	n->threads.n = (uint32_t)threads;
	n->threads.pooled = net_pools_cores(n, ranks, threads);
	bool all =
	    n->threads.pooled || (ranks == 1 && threads > 1); /* one rank has all LPs: in the order of its threads */
	int parts = all && threads > ranks ? threads : ranks;
	uint32_t *first_lp = base_calloc((size_t)parts + 1, sizeof *first_lp);
	int status = net_partition(n, parts, first_lp, errors);
	if (!status) {
		for (int r = 1; all && r <= parts; r++)
			first_lp[r] = n->topo.switches;
		base_checkf(first_lp[0] == 0 && first_lp[parts] == n->topo.switches, "%u of %u switches are shared out",
		            first_lp[parts], n->topo.switches);
		n->first = first_lp[sim_rank()];
		n->count = first_lp[sim_rank() + 1] - n->first;
		status = lay_out(n, errors) || create_engine(n, first_lp, errors) ? -1 : 0;
	}
	free(first_lp);
	if (!status)
		start(n);
	return status || net_refuted(n, errors) ? -1 : 0;
}

struct net *net_create(const struct net_setup *setup, struct base_errors *errors)
{
	struct net *n = base_alloc(sizeof *n);
	n->setup = *setup;
	n->config = setup->config;
	n->destroy_traffic = setup->destroy_traffic;
	n->rank.setup_started = base_seconds();
	if (assemble(n, errors)) {
		net_destroy(n);
		return NULL;
	}
	return n;
}

static void find_tiles(const struct net *n, struct net_tiles *t)
{
	const struct sw_common *c = &n->common;
	struct sw_instruments table = { 0 };
	*t = (struct net_tiles){ 0 };
	if (!c->ops->instruments.tiles)
		return;
	c->ops->instruments.tiles(c, &table);
	t->rows = table.rows;
	t->columns = table.columns;
	t->per_tile = table.per_tile;
	t->ports = c->max_ports;
	t->place = base_calloc(t->ports, sizeof *t->place);
	for (uint32_t p = 0; p < t->ports; p++)
		t->place[p] = table.place[p];
}

static void find_passage(const struct net *n, struct net_passage *out)
{
	const struct sw_common *c = &n->common;
	*out = (struct net_passage){ .traversal_ps = net_traversal(n),
		                     .buffer_bytes = (uint64_t)c->ops->buffer_share(c) * c->lanes.n + c->lanes.pool,
		                     .max_packet = c->max_packet };
}

int net_check(const struct net_setup *setup, struct base_errors *errors)
{
	struct net *n = base_alloc(sizeof *n);
	n->setup = *setup;
	n->config = setup->config;
	n->destroy_traffic = setup->destroy_traffic;
	int status = net_build_parts(n, errors);
	if (!status && setup->loops)
		net_find_credit_loops(n, setup->loops);
	if (!status && setup->tiles)
		find_tiles(n, setup->tiles);
	if (!status && setup->framings)
		net_find_framings(n, setup->framings);
	if (!status && setup->traits) {
		n->count = n->topo.switches;
		net_plan(n);
		*setup->traits = n->path;
	}
	if (!status && setup->plan)
		*setup->plan = (struct net_failure_plan){ n->failures.on, n->failures.epochs, n->failures.states,
			                                  n->common.vcs, n->rt.max_hops };
	if (!status && setup->passage)
		find_passage(n, setup->passage);
	net_destroy(n);
	return status;
}

/* A run that went wrong: what a plug-in has said, else what was found. Collective. */
static enum net_outcome blame(const struct net *n, struct base_errors *found, struct base_errors *errors)
{
	bool refuted = net_refuted(n, errors);
	uint64_t wrong = n->wrong;
	sim_max_u64(&wrong, 1);
	for (size_t i = 0; i < found->n && !refuted; i++)
		base_errorf(errors, found->v[i].key, "%s", found->v[i].text);
	base_errors_free(found);
	return refuted ? NET_REFUTED : wrong ? NET_WRONG : NET_FAILED;
}

enum net_outcome net_run(struct net *n, struct base_errors *errors)
{
	uint64_t ready = 0;
	sim_max_u64(&ready, 1); /* waiting for the rank that is ready last is set-up, too */
	double t0 = base_seconds();
	n->result.setup_s = t0 - n->rank.setup_started;
	struct base_errors found = { 0 };
	enum sim_outcome outcome = sim_run(n->engine, &found);
	n->rank.wall = base_seconds() - t0;
	uint64_t failed = outcome == SIM_FAILED;
	if (found.n) /* a switch model makes all events but those of endpoints */
		base_refute(n->config->sw.plugin, "%s", found.v[0].text);
	sim_max_u64(&failed, 1);
	n->rank.rss = base_peak_rss() - sim_tables_elsewhere(); /* all of which is resident */
	n->result.reached_ps = sim_reached(n->engine);
	if (n->config->time.applications && net_applications_read_other(n, errors)) {
		base_errors_free(&found); /* it may follow from that */
		return NET_WRONG;
	}
	if (!failed)
		net_legs_finish(n);
	n->result.complete = outcome == SIM_DONE && !failed;
	if (failed || net_refuted_on_any(n))
		return blame(n, &found, errors);
	net_count_backlog(n);
	sim_sum_u64(n->shared.all, n->shared.words);
	if (!net_conserved(n, &found)) {
		base_refute(n->config->sw.plugin, "at the end of the run %s", found.v[0].text);
		if (!n->config->sw.plugin->loaded)
			net_summarise(n);
		return blame(n, &found, errors);
	}
	uint64_t stands[256] = { 0 };
	n->result.stall = outcome == SIM_INTERRUPTED ? NULL : net_find_deadlock(n, stands);
	if (!n->result.stall && outcome != SIM_INTERRUPTED)
		n->result.stall = net_find_held(n, stands);
	if (n->result.stall) {
		n->result.complete = false;
		n->result.saturated = true; /* what stands still delivers nothing of what is created */
		if (n->result.has_estimates)
			net_precise_stalled(n, stands);
		if (net_legs_drain(n))
			net_drain_stalled(n, stands);
	}
	net_summarise(n);
	if (n->config->time.applications)
		net_applications_report(n);
	return outcome == SIM_INTERRUPTED ? NET_INTERRUPTED : n->result.stall ? NET_STALLED : NET_DONE;
}

const struct net_result *net_results(const struct net *n)
{
	return &n->result;
}

const struct topo *net_topo(const struct net *n)
{
	return &n->topo;
}

void net_destroy(struct net *n)
{
	if (!n)
		return;
	sim_destroy(n->engine);
	net_legs_destroy(n);
	if (n->lps)
		net_parts_destroy(n);
	free(n->records.switches);
	free(n->classes.bias);
	net_kinds_destroy(n);
	net_wires_destroy(n);
	net_failures_destroy(n);
	free(n->ahead.bounds);
	free(n->ends);
	base_unmap(n->lp_memory, n->stride * n->room);
	base_unmap(n->lps, n->room * sizeof *n->lps);
	for (uint32_t i = 0; i < n->threads.nended && n->common.ops->memory.destroy; i++)
		n->common.ops->memory.destroy(&n->threads.ended[i]);
	free(n->threads.ended);
	if (n->built.sw && n->common.ops->memory.destroy)
		n->common.ops->memory.destroy(&n->common);
	if (n->built.rt)
		rt_destroy(&n->rt);
	if (n->built.traffic)
		n->destroy_traffic(&n->traffic);
	topo_layout_free(&n->cables.layout);
	free(n->cables.link_of);
	free(n->cables.latency);
	if (n->built.topo)
		topo_destroy(&n->topo);
	free(n->lp_of_switch);
	free(n->switch_of_lp);
	for (uint32_t j = 0; n->result.jobs && j < n->result.njobs; j++)
		net_application_free(n->result.jobs[j].application);
	net_slowdowns_free(n);
	free(n->result.jobs);
	free(n->result.classes);
	free(n->result.link);
	free(n->result.failures.partition);
	free(n->result.stall);
	free(n->result.waits);
	free(n->result.unasked);
	free(n);
}

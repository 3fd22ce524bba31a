/* experiments/results/past.c - see past.h */
#include "experiments/results/past.h"

#include "base/memory.h"
#include "base/param.h"
#include "base/text.h"
#include "experiments/results/estimates.h"
#include "experiments/results/reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A count or a time, 0 if there is none; `scale` turns it into the model's unit. */
static uint64_t count(double value, double scale)
{
	value = round(value * scale);
	return value > 0 && value < 0x1p63 ? (uint64_t)value : 0;
}

static double number(double value)
{
	return isfinite(value) ? value : 0;
}

/* A text member, fit for a terminal. */
static const char *keep(struct xp_past *past, const json_t *object, const char *name)
{
	past->text = base_realloc(past->text, (past->ntexts + 1) * sizeof *past->text);
	past->text[past->ntexts] = base_harmless(base_strdup(xp_text(object, name)), false);
	return past->text[past->ntexts++];
}

static void read_latency(struct net_latency *out, const json_t *in)
{
	out->mean = 1000 * number(xp_number(in, "mean", NULL));
	out->n = isfinite(xp_number(in, "mean", NULL)) ? 1 : 0; /* some, or none */
	out->min = count(xp_number(in, "min", NULL), 1000);
	out->max = count(xp_number(in, "max", NULL), 1000);
	out->p50 = count(xp_number(in, "p50", NULL), 1000);
	out->p90 = count(xp_number(in, "p90", NULL), 1000);
	out->p99 = count(xp_number(in, "p99", NULL), 1000);
	out->p999 = count(xp_number(in, "p999", NULL), 1000);
}

/* Its kinds of calls are those that were made. */
static struct net_application *read_application(struct xp_past *past, const json_t *in)
{
	static const char *const times[NET_TIMES] = { "compute_ns", "send_ns", "wait_ns", "idle_ns" };
	const json_t *calls = json_object_get(in, "calls"), *path = json_object_get(in, "path");
	if (!in)
		return NULL;
	struct net_application *a = base_alloc(sizeof *a);
	uint32_t kinds = (uint32_t)json_array_size(calls);
	const char **names = base_calloc(kinds + 1, sizeof *names);
	*a = (struct net_application){ .calls = names,
		                       .kinds = kinds,
		                       .ranks = (uint32_t)count(xp_number(in, "ranks", NULL), 1),
		                       .ended = (uint32_t)count(xp_number(in, "ranks_ended", NULL), 1),
		                       .time = base_calloc(kinds + 1, sizeof *a->time) };
	for (unsigned k = 0; k < NET_TIMES; k++) {
		a->sum[k] = count(xp_number(in, times[k], "total", NULL), 1000);
		a->most[k] = count(xp_number(in, times[k], "max", NULL), 1000);
	}
	for (uint32_t k = 0; k < kinds; k++) {
		const json_t *call = json_array_get(calls, k);
		names[k] = keep(past, call, "call");
		a->time[k] = (struct net_call_time){ count(xp_number(call, "calls", NULL), 1),
			                             count(xp_number(call, "time_ns", "total", NULL), 1000),
			                             count(xp_number(call, "time_ns", "max", NULL), 1000) };
	}
	a->path = (struct net_critical_path){ .known = path != NULL,
		                              .length = count(xp_number(path, "length_ns", NULL), 1000),
		                              .compute = count(xp_number(path, "compute_ns", NULL), 1000),
		                              .overhead = count(xp_number(path, "overhead_ns", NULL), 1000),
		                              .network = count(xp_number(path, "network_ns", NULL), 1000),
		                              .messages = count(xp_number(path, "messages", NULL), 1),
		                              .ranks = (uint32_t)count(xp_number(path, "ranks", NULL), 1) };
	return a;
}

/* What is there of jobs with processes. */
static void read_process(struct xp_past *past, struct net_flow *out, const json_t *in)
{
	out->has_iterations = json_object_get(in, "iteration_ns") != NULL;
	read_latency(&out->iteration, json_object_get(in, "iteration_ns"));
	if (out->iteration.n)
		out->iteration.n = count(xp_number(in, "iterations", NULL), 1);
	out->is_application = json_object_get(in, "processes") != NULL;
	out->completion_ps = count(xp_number(in, "completion_ns", NULL), 1000);
	out->processes = count(xp_number(in, "processes", NULL), 1);
	out->finished = count(xp_number(in, "processes_finished", NULL), 1);
	out->application = read_application(past, json_object_get(in, "application"));
}

static void read_flow(struct xp_past *past, struct net_flow *out, const json_t *in)
{
	out->name = keep(past, in, "name");
	out->endpoints = count(xp_number(in, "endpoints", NULL), 1);
	out->idle_endpoints = count(xp_number(in, "idle_endpoints", NULL), 1);
	out->offered_load = number(xp_number(in, "offered_load", NULL));
	out->accepted_load = number(xp_number(in, "accepted_load", NULL));
	out->created = count(xp_number(in, "packets", "created", NULL), 1);
	out->injected = count(xp_number(in, "packets", "injected", NULL), 1);
	out->delivered = count(xp_number(in, "packets", "delivered", NULL), 1);
	out->dropped = count(xp_number(in, "packets", "dropped", NULL), 1);
	out->in_flight = count(xp_number(in, "packets", "in_flight", NULL), 1);
	out->queued = count(xp_number(in, "packets", "queued", NULL), 1);
	read_latency(&out->latency, json_object_get(in, "latency_ns"));
	read_latency(&out->network_latency, json_object_get(in, "network_latency_ns"));
	out->has_message_latency = json_object_get(in, "message_latency_ns") != NULL;
	read_latency(&out->message_latency, json_object_get(in, "message_latency_ns"));
	out->latency_censored = json_is_true(json_object_get(in, "latency_censored"));
	out->measured_delivered = isfinite(xp_number(in, "hops", "mean", NULL)) ? 1 : 0; /* some, or none */
	out->hops_mean = number(xp_number(in, "hops", "mean", NULL));
	out->hops_max = (uint32_t)count(xp_number(in, "hops", "max", NULL), 1);
	out->minimal_fraction = number(xp_number(in, "minimal_fraction", NULL));
	read_process(past, out, in);
}

static struct net_flow *read_flows(struct xp_past *past, const json_t *list, uint32_t *n)
{
	*n = (uint32_t)json_array_size(list);
	struct net_flow *v = base_calloc(*n + 1, sizeof *v);
	for (uint32_t i = 0; i < *n; i++)
		read_flow(past, &v[i], json_array_get(list, i));
	return v;
}

/* A whole member of an object, 0 if there is none. */
static uint64_t whole(const json_t *object, const char *name)
{
	return count(xp_number(object, name, NULL), 1);
}

/* One in nanoseconds. */
static uint64_t time_of(const json_t *object, const char *name)
{
	return count(xp_number(object, name, NULL), 1000);
}

static void read_control(struct xp_past *past, const json_t *in)
{
	if (in)
		past->result.control = (struct net_control){ .kind = keep(past, in, "kind"),
			                                     .throttles = whole(in, "throttles"),
			                                     .throttled_ps = time_of(in, "throttled_ns"),
			                                     .frames = whole(in, "control_frames") };
}

static struct net_retry_result retry_of(const json_t *in)
{
	return (struct net_retry_result){ .on = in != NULL,
		                          .resent = whole(in, "resent"),
		                          .timeouts = whole(in, "timeouts"),
		                          .probes = whole(in, "probes"),
		                          .dropped = whole(in, "dropped"),
		                          .trimmed = whole(in, "trimmed"),
		                          .damaged = whole(in, "damaged"),
		                          .duplicates = whole(in, "duplicates") };
}

static struct net_order_result order_of(const json_t *in)
{
	return (struct net_order_result){ .on = in != NULL,
		                          .reordered = whole(in, "reordered"),
		                          .waited_ps = time_of(in, "waited_ns"),
		                          .paths = whole(in, "paths") };
}

static struct sw_tally tally_of(const json_t *in)
{
	return (struct sw_tally){ .marks = whole(in, "marked"),
		                  .trims = whole(in, "trimmed"),
		                  .drops = whole(in, "dropped"),
		                  .pauses = whole(in, "pauses"),
		                  .paused_ps = time_of(in, "paused_ns"),
		                  .pause_depth = whole(in, "pause_depth"),
		                  .peak_bytes = whole(in, "peak_queue_bytes") };
}

/* Isolated jobs. Where the log says no impact, because a backlog grew or nothing was measured, none is known. */
static void read_alone(struct xp_past *past, const json_t *traffic, const json_t *jobs)
{
	size_t i;
	json_t *job;
	const char *why;
	past->alone = base_calloc(json_array_size(jobs) + 1, sizeof *past->alone);
	json_array_foreach (jobs, i, job) {
		const json_t *in = json_object_get(job, "isolated");
		struct xp_alone *a = &past->alone[i];
		if (!in)
			continue;
		a->isolated = true;
		a->complete = json_is_true(json_object_get(in, "complete"));
		a->stalled = json_is_true(json_object_get(in, "stalled"));
		if (json_object_get(json_object_get(job, "impact"), "why"))
			a->why = keep(past, json_object_get(job, "impact"), "why");
		read_flow(past, &a->flow, in);
		uint64_t start, end = a->flow.completion_ps;
		if (!base_parse_time(xp_text(json_array_get(traffic, i), "start"), &start, &why) && start < end)
			a->start_ps = start;
	}
}

/* What only some networks have. */
static void read_parts(struct xp_past *past, const json_t *config, const json_t *summary)
{
	struct net_result *r = &past->result;
	const json_t *switches = json_object_get(summary, "switches");
	int formula = base_choice("switched|" NET_FORMULAS, xp_text(json_object_get(summary, "network"), "kind"));
	past->config.formula.kind = formula > 0 ? formula : NET_SWITCHED;
	read_control(past, json_object_get(summary, "congestion"));
	r->retry = retry_of(json_object_get(summary, "retry"));
	r->order = order_of(json_object_get(summary, "ordering"));
	r->has_switches = switches != NULL;
	r->switches = tally_of(switches);
	read_alone(past, json_object_get(config, "traffic"), json_object_get(summary, "jobs"));
}

static void read_engine(struct xp_past *past, const json_t *engine)
{
	struct net_result *r = &past->result;
	struct sim_counters *c = &r->counters;
	r->sync = keep(past, engine, "sync");
	snprintf(r->choice, sizeof r->choice, "%s", keep(past, engine, "choice"));
	r->ranks = (int)count(xp_number(engine, "ranks", NULL), 1);
	r->threads = (int)count(xp_number(engine, "threads", NULL), 1);
	c->events_committed = count(xp_number(engine, "events_committed", NULL), 1);
	c->events_processed = count(xp_number(engine, "events_processed", NULL), 1);
	c->events_rolled_back = count(xp_number(engine, "events_rolled_back", NULL), 1);
	r->packet_hops = count(xp_number(engine, "packet_hops", NULL), 1);
	r->setup_s = number(xp_number(engine, "setup_s", NULL));
	r->wall_s = number(xp_number(engine, "wall_s", NULL));
	r->peak_rss_bytes = count(xp_number(engine, "peak_rss_bytes", NULL), 1);
	r->peak_rss_rank_bytes = count(xp_number(engine, "peak_rss_rank_bytes", NULL), 1);
}

static void read_interval(struct sim_interval *out, const struct xp_estimates *e, const char *name, double unit)
{
	const struct xp_estimate *found = xp_estimate_find(e, name);
	bool given = found && found->has_interval;
	out->value = given ? unit * found->value : 0;
	out->half = given ? unit * (found->high - found->value) : INFINITY;
}

/* What time.precision or time.drain = "auto" says of the run as a whole. */
static void read_steady(struct xp_past *past, const json_t *summary)
{
	struct sim_steady *s = &past->steady;
	struct net_result *r = &past->result;
	const json_t *stationary = json_object_get(summary, "stationary");
	struct xp_estimates e;
	r->measured_from_ps = count(xp_number(summary, "measured_from_ns", NULL), 1000);
	r->measured_to_ps = count(xp_number(summary, "measured_to_ns", NULL), 1000);
	r->has_estimates = json_object_get(summary, "interval") != NULL;
	r->saturated = json_is_false(stationary);
	r->enough = json_is_true(json_object_get(summary, "precise"));
	r->estimates = s;
	s->stationarity = json_is_true(stationary)    ? SIM_STATIONARY
	                  : json_is_false(stationary) ? SIM_GROWING
	                                              : SIM_UNDECIDED;
	s->batches = (uint32_t)count(xp_number(summary, "batches", NULL), 1);
	s->growth = number(xp_number(summary, "backlog_growth", NULL));
	s->filling = json_is_true(json_object_get(summary, "still_filling"));
	xp_estimates_read(&e, summary);
	read_interval(&s->accepted, &e, "accepted_load", 1);
	read_interval(&s->mean, &e, "latency_ns.mean", 1000);
	read_interval(&s->p99, &e, "latency_ns.p99", 1000);
	read_interval(&s->iteration, &e, "iteration_ns.mean", 1000);
	xp_estimates_free(&e);
}

void xp_past_read(struct xp_past *past, const json_t *manifest, const json_t *summary)
{
	*past = (struct xp_past){ 0 };
	struct net_result *r = &past->result;
	const json_t *topology = json_object_get(summary, "topology");
	const json_t *routing = json_object_get(json_object_get(manifest, "config"), "routing");
	r->complete = json_is_true(json_object_get(summary, "complete"));
	r->reached_ps = count(xp_number(summary, "simulated_ns", NULL), 1000);
	r->digest = strtoull(xp_text(summary, "digest"), NULL, 16);
	r->vcs = (uint32_t)count(xp_number(summary, "vcs", NULL), 1);
	r->idle_switches = count(xp_number(summary, "idle_switches", NULL), 1);
	read_flow(past, &r->total, summary);
	r->jobs = read_flows(past, json_object_get(summary, "jobs"), &r->njobs);
	r->classes = read_flows(past, json_object_get(summary, "classes"), &r->nclasses);
	read_steady(past, summary);
	read_parts(past, json_object_get(manifest, "config"), summary);
	read_engine(past, json_object_get(summary, "engine"));
	past->topo.kind = keep(past, topology, "kind");
	past->topo.switches = (uint32_t)count(xp_number(topology, "switches", NULL), 1);
	past->topo.endpoints = (uint32_t)count(xp_number(topology, "endpoints", NULL), 1);
	past->routing.name = keep(past, routing, "kind");
	past->config.routing.plugin = &past->routing;
	past->run = (struct xp_run_facts){ .config = &past->config,
		                           .result = r,
		                           .topo = &past->topo,
		                           .errors = &past->errors,
		                           .alone = past->alone,
		                           .stalled = json_object_get(summary, "stall") != NULL };
}

static void free_applications(struct net_flow *flow, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct net_application *a = flow[i].application;
		free(a ? (void *)(uintptr_t)a->calls : NULL);
		net_application_free(a);
		flow[i].application = NULL;
	}
}

void xp_past_free(struct xp_past *past)
{
	for (uint32_t i = 0; i < past->result.njobs; i++)
		free_applications(&past->alone[i].flow, 1);
	free(past->alone);
	free_applications(past->result.jobs, past->result.njobs);
	free_applications(past->result.classes, past->result.nclasses);
	free_applications(&past->result.total, 1);
	free(past->result.jobs);
	free(past->result.classes);
	for (size_t i = 0; i < past->ntexts; i++)
		free(past->text[i]);
	free(past->text);
	*past = (struct xp_past){ 0 };
}

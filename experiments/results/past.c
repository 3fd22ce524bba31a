/* experiments/results/past.c - see past.h */
#include "experiments/results/past.h"

#include "base/memory.h"
#include "base/param.h"
#include "experiments/results/estimates.h"
#include "experiments/results/reader.h"
#include "experiments/results/saturation.h"
#include "experiments/results/slowdown.h"

#include <math.h>
#include <stdlib.h>

/* A text member, fit for a terminal. */
static const char *keep_text(struct xp_past *past, const json_t *object, const char *name)
{
	return xp_texts_keep(&past->texts, xp_text(object, name));
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
		                       .ranks = (uint32_t)xp_record_count(xp_number(in, "ranks", NULL), 1),
		                       .ended = (uint32_t)xp_record_count(xp_number(in, "ranks_ended", NULL), 1),
		                       .time = base_calloc(kinds + 1, sizeof *a->time) };
	for (unsigned k = 0; k < NET_TIMES; k++) {
		a->sum[k] = xp_record_count(xp_number(in, times[k], "total", NULL), 1000);
		a->most[k] = xp_record_count(xp_number(in, times[k], "max", NULL), 1000);
	}
	for (uint32_t k = 0; k < kinds; k++) {
		const json_t *call = json_array_get(calls, k);
		names[k] = keep_text(past, call, "call");
		a->time[k] = (struct net_call_time){ xp_record_count(xp_number(call, "calls", NULL), 1),
			                             xp_record_count(xp_number(call, "time_ns", "total", NULL), 1000),
			                             xp_record_count(xp_number(call, "time_ns", "max", NULL), 1000) };
	}
	a->path = (struct net_critical_path){ .known = path != NULL,
		                              .length = xp_record_count(xp_number(path, "length_ns", NULL), 1000),
		                              .compute = xp_record_count(xp_number(path, "compute_ns", NULL), 1000),
		                              .overhead = xp_record_count(xp_number(path, "overhead_ns", NULL), 1000),
		                              .network = xp_record_count(xp_number(path, "network_ns", NULL), 1000),
		                              .messages = xp_record_count(xp_number(path, "messages", NULL), 1),
		                              .ranks = (uint32_t)xp_record_count(xp_number(path, "ranks", NULL), 1) };
	return a;
}

static void read_flow(struct xp_past *past, struct net_flow *out, const json_t *in)
{
	out->name = keep_text(past, in, "name");
	out->endpoints = xp_record_count(xp_number(in, "endpoints", NULL), 1);
	out->idle_endpoints = xp_record_count(xp_number(in, "idle_endpoints", NULL), 1);
	xp_statistics_read(in, XP_FLOW, out, &past->texts);
	xp_statistics_read(in, XP_WAYS, out, &past->texts);
	xp_slowdown_read(out, json_object_get(in, "slowdown_by_size"));
	out->application = read_application(past, json_object_get(in, "application"));
}

static struct net_flow *read_flows(struct xp_past *past, const json_t *list, uint32_t *n)
{
	*n = (uint32_t)json_array_size(list);
	struct net_flow *v = base_calloc(*n + 1, sizeof *v);
	for (uint32_t i = 0; i < *n; i++)
		read_flow(past, &v[i], json_array_get(list, i));
	return v;
}

/* Isolated jobs. If the log contains no impact, because a backlog grew or nothing was measured, it is unknown. */
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
			a->why = keep_text(past, json_object_get(job, "impact"), "why");
		read_flow(past, &a->flow, in);
		uint64_t start, end = a->flow.completion_ps;
		if (!base_parse_time(xp_text(json_array_get(traffic, i), "start"), &start, &why) && start < end)
			a->start_ps = start;
	}
}

static void read_failures(struct xp_past *past, const json_t *summary)
{
	struct net_failure_result *r = &past->result.failures;
	const json_t *list = json_object_get(summary, "partitions");
	size_t k;
	json_t *in;
	r->on = json_object_get(summary, "failures") != NULL;
	xp_statistics_read(summary, XP_LOSSES, r, &past->texts);
	r->partition = base_calloc(json_array_size(list) + 1, sizeof *r->partition);
	json_array_foreach (list, k, in) {
		struct net_partition *p = &r->partition[r->partitions++];
		p->from = (uint64_t)(xp_record_count(xp_number(in, "from_ns", NULL), 1000));
		p->until = (uint64_t)(xp_record_count(xp_number(in, "until_ns", NULL), 1000));
		p->endpoints = (uint32_t)xp_record_count(xp_number(in, "endpoints", NULL), 1);
		snprintf(p->which, sizeof p->which, "%s", xp_text(in, "which") ? xp_text(in, "which") : "");
	}
}

/* What only some networks have. */
static void read_parts(struct xp_past *past, const json_t *config, const json_t *summary)
{
	struct net_result *r = &past->result;
	int formula = base_choice("switched|" NET_FORMULAS, xp_text(json_object_get(summary, "network"), "kind"));
	past->config.formula.kind = formula > 0 ? formula : NET_SWITCHED;
	xp_statistics_read(summary, XP_CONTROL, &r->control, &past->texts);
	r->retry.on = json_object_get(summary, "retry") != NULL;
	xp_statistics_read(summary, XP_RETRY, &r->retry, &past->texts);
	r->order.on = json_object_get(summary, "ordering") != NULL;
	xp_statistics_read(summary, XP_ORDER, &r->order, &past->texts);
	xp_statistics_read(summary, XP_LINKS, &r->links, &past->texts);
	read_failures(past, summary);
	const json_t *classes = json_object_get(summary, "link_classes");
	r->link = base_calloc(json_array_size(classes) + 1, sizeof *r->link);
	for (size_t k = 0; k < json_array_size(classes); k++) {
		r->link[k].name = keep_text(past, json_array_get(classes, k), "class");
		xp_statistics_read(json_array_get(classes, k), XP_LINKS, &r->link[k], &past->texts);
		r->nlinks++;
	}
	r->has_switches = json_object_get(summary, "switches") != NULL;
	xp_statistics_read(summary, XP_TALLY, &r->switches, &past->texts);
	read_alone(past, json_object_get(config, "traffic"), json_object_get(summary, "jobs"));
}

static void read_engine(struct xp_past *past, const json_t *engine)
{
	struct net_result *r = &past->result;
	r->sync = "";
	xp_statistics_read(engine, XP_ENGINE, r, &past->texts);
	xp_statistics_read(engine, XP_WORK, &r->counters, &past->texts);
	xp_statistics_read(engine, XP_SPEED, r, &past->texts);
}

static void read_interval(struct sim_interval *out, const struct xp_estimates *e, const struct xp_statistic *s)
{
	const struct xp_estimate *found = xp_estimate_find(e, s->name);
	double unit = s->type == XP_REAL ? 1 : 1000;
	bool given = found && found->has_interval;
	out->value = given ? unit * found->value : 0;
	out->half = given ? unit * (found->high - found->value) : INFINITY;
}

/* What time.precision or time.drain = "auto" says of the run as a whole. */
static void read_steady(struct xp_past *past, const json_t *summary)
{
	struct sim_steady *s = &past->steady;
	struct net_result *r = &past->result;
	struct xp_estimates e;
	r->measured_from_ps = xp_record_count(xp_number(summary, "measured_from_ns", NULL), 1000);
	r->measured_to_ps = xp_record_count(xp_number(summary, "measured_to_ns", NULL), 1000);
	r->has_estimates = json_object_get(summary, "interval") != NULL;
	r->saturated = xp_load_said(summary) == XP_LOAD_SATURATES;
	r->enough = json_is_true(json_object_get(summary, "precise"));
	r->estimates = s;
	s->stationarity = xp_stationarity(summary);
	s->filling = json_is_true(json_object_get(summary, "still_filling"));
	xp_statistics_read(summary, XP_STEADY, s, &past->texts);
	xp_estimates_read(&e, summary);
	for (const struct xp_statistic *k = xp_statistics; k->name; k++)
		if (k->interval)
			read_interval((void *)((char *)s + k->interval - 1), &e, k);
	xp_estimates_free(&e);
}

void xp_past_read(struct xp_past *past, const json_t *manifest, const json_t *summary)
{
	*past = (struct xp_past){ 0 };
	struct net_result *r = &past->result;
	const json_t *topology = json_object_get(summary, "topology");
	const json_t *routing = json_object_get(json_object_get(manifest, "config"), "routing");
	r->complete = json_is_true(json_object_get(summary, "complete"));
	r->reached_ps = xp_record_count(xp_number(summary, "simulated_ns", NULL), 1000);
	r->digest = strtoull(xp_text(summary, "digest"), NULL, 16);
	r->vcs = (uint32_t)xp_record_count(xp_number(summary, "vcs", NULL), 1);
	r->idle_switches = xp_record_count(xp_number(summary, "idle_switches", NULL), 1);
	read_flow(past, &r->total, summary);
	r->jobs = read_flows(past, json_object_get(summary, "jobs"), &r->njobs);
	r->classes = read_flows(past, json_object_get(summary, "classes"), &r->nclasses);
	read_steady(past, summary);
	read_parts(past, json_object_get(manifest, "config"), summary);
	read_engine(past, json_object_get(summary, "engine"));
	past->topo.kind = keep_text(past, topology, "kind");
	past->topo.switches = (uint32_t)xp_record_count(xp_number(topology, "switches", NULL), 1);
	past->topo.endpoints = (uint32_t)xp_record_count(xp_number(topology, "endpoints", NULL), 1);
	past->routing.name = keep_text(past, routing, "kind");
	past->config.routing.plugin = &past->routing;
	past->run = (struct xp_run_facts){ .config = &past->config,
		                           .result = r,
		                           .topo = &past->topo,
		                           .errors = &past->errors,
		                           .alone = past->alone,
		                           .stalled = json_object_get(summary, "stall") != NULL };
}

static void free_flows(struct net_flow *flow, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		free(flow[i].by_size);
		flow[i].by_size = NULL;
		struct net_application *a = flow[i].application;
		free(a ? (void *)(uintptr_t)a->calls : NULL);
		net_application_free(a);
		flow[i].application = NULL;
	}
}

void xp_past_free(struct xp_past *past)
{
	for (uint32_t i = 0; i < past->result.njobs; i++)
		free_flows(&past->alone[i].flow, 1);
	free(past->alone);
	free_flows(past->result.jobs, past->result.njobs);
	free_flows(past->result.classes, past->result.nclasses);
	free_flows(&past->result.total, 1);
	free(past->result.jobs);
	free(past->result.classes);
	free(past->result.link);
	free(past->result.failures.partition);
	xp_texts_free(&past->texts);
	*past = (struct xp_past){ 0 };
}

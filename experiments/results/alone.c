/* experiments/results/alone.c - see alone.h */
#include "experiments/results/alone.h"
#include "experiments/results/summary.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

bool xp_alone_wanted(const struct net_config *config)
{
	for (uint32_t i = 0; i < config->njobs; i++)
		if (config->jobs[i].isolate)
			return true;
	return false;
}

static void keep_alone(struct xp_alone *a, const struct net_result *r, uint32_t job, const struct net_job *config)
{
	a->isolated = true;
	a->complete = r->complete;
	a->flow = r->jobs[job];
	a->flow.name = config->name;
	a->start_ps = config->start;
	a->flow.estimates = NULL; /* they go with the network, as do accounts of ranks */
	a->flow.application = NULL;
	a->flow.by_size = NULL;
	a->flow.sizes = 0;
	a->digest = r->digest;
}

/* What it writes besides, records and files, is of the whole run; slowdowns are recorded for both. */
static struct net_config config_of(const struct net_config *whole, uint32_t job)
{
	struct net_config c = *whole;
	c.alone = job + 1;
	c.record = (struct net_record){ .switches = whole->record.switches, .messages = whole->record.messages };
	c.output = (struct net_output){ 0 };
	return c;
}

static void append_errors(struct base_errors *to, const struct base_errors *from, size_t first)
{
	for (size_t i = first; i < from->n; i++)
		if (!from->v[i].warning)
			base_errorf(to, from->v[i].key, "%s", from->v[i].text);
}

static enum net_outcome run_one(const struct net_setup *whole, uint32_t job, struct xp_alone *a,
                                struct base_errors *errors)
{
	struct net_config config = config_of(whole->config, job);
	struct net_setup setup = *whole;
	struct base_errors own = { 0 }; /* the whole network says it again */
	enum net_outcome outcome = NET_DONE;
	setup.config = &config;
	struct net *net = net_create(&setup, &own);
	if (net) {
		size_t before = own.n;
		outcome = net_run(net, &own);
		if (net_is_failure(outcome))
			append_errors(errors, &own, before);
		else
			keep_alone(a, net_results(net), job, &whole->config->jobs[job]);
		a->stalled = outcome == NET_STALLED;
		net_destroy(net);
	}
	base_errors_free(&own);
	return outcome;
}

enum net_outcome xp_alone_run(const struct net_setup *setup, struct xp_alone *alone,
                              void (*begin)(void *arg, const char *job), void *arg, struct base_errors *errors)
{
	const struct net_config *config = setup->config;
	enum net_outcome outcome = NET_DONE;
	for (uint32_t i = 0; i < config->njobs; i++) {
		alone[i] = (struct xp_alone){ 0 };
		if (!config->jobs[i].isolate || (outcome != NET_DONE && outcome != NET_STALLED))
			continue;
		if (begin)
			begin(arg, config->jobs[i].name);
		enum net_outcome how = run_one(setup, i, &alone[i], errors);
		outcome = how == NET_DONE ? outcome : how;
	}
	return outcome;
}

static double ratio(uint64_t with_n, double with, uint64_t without_n, double without)
{
	return with_n && without_n && without > 0 ? with / without : (double)NAN;
}

/* Why there is none, whatever was measured. */
static const char *unknown(const struct net_flow *with, const struct xp_alone *alone)
{
	bool application = with->is_application;
	if (alone->why)
		return alone->why;
	if (!alone->complete)
		return alone->stalled ? "alone the network deadlocked" : "the run of the job alone was stopped";
	if (application && with->finished < with->processes)
		return alone->flow.finished < alone->flow.processes ? "the job ended in neither run"
		                                                    : "the job did not end";
	if (application && alone->flow.finished < alone->flow.processes)
		return "the job did not end when run alone";
	if (with->growing)
		return alone->flow.growing ? "the job's backlog grows, also when run alone" : "the job's backlog grows";
	return alone->flow.growing ? "the job's backlog grows when run alone" : NULL;
}

struct xp_impact xp_impact_of(const struct net_flow *with, const struct xp_alone *alone)
{
	const struct net_flow *f = &alone->flow;
	const struct net_latency *a = &with->latency, *b = &f->latency;
	struct xp_impact x = { "latency_ns", NAN, NAN, unknown(with, alone) };
	if (with->is_application) {
		x.of = "completion_ns";
		x.mean = ratio(!x.why, (double)(with->completion_ps - alone->start_ps), !x.why,
		               (double)(f->completion_ps - alone->start_ps));
	} else if (with->has_iterations) {
		x.of = "iteration_ns";
		a = &with->iteration;
		b = &f->iteration;
	}
	if (!x.why && !with->is_application) {
		x.mean = ratio(a->n, a->mean, b->n, b->mean);
		x.p99 = ratio(a->n, (double)a->p99, b->n, (double)b->p99);
	}
	if (!x.why && !isfinite(x.mean))
		x.why = "there is no statistic that both runs measured";
	return x;
}

/* "a", "b" and 3 more; of jobs that hold. Returns how many there are. */
static uint32_t add_names(struct base_buffer *out, const struct net_result *r, const bool *holds)
{
	enum { LISTED = 4 };
	char name[128];
	uint32_t n = 0;
	for (uint32_t i = 0; i < r->njobs; i++)
		if (holds[i] && n++ < LISTED)
			base_buffer_printf(out, "%s\"%.32s\"", n > 1 ? ", " : "",
			                   base_harmless_copy(r->jobs[i].name, name, sizeof name));
	if (n > LISTED)
		base_buffer_printf(out, " and %" PRIu32 " more", n - LISTED);
	return n;
}

bool xp_alone_cut_short(const struct xp_run_facts *run, struct base_buffer *out)
{
	const struct net_result *r = run->result;
	bool *growing = base_calloc(r->njobs + 1, sizeof *growing),
	     *compared = base_calloc(r->njobs + 1, sizeof *compared);
	bool early = run->alone && r->has_estimates && r->estimates->stationarity == SIM_GROWING, any = false;
	for (uint32_t i = 0; i < r->njobs && early; i++) {
		growing[i] = r->jobs[i].growing;
		compared[i] = run->alone[i].isolated && isfinite(xp_impact_of(&r->jobs[i], &run->alone[i]).mean);
		any |= compared[i];
	}
	if (any) {
		base_buffer_printf(out,
		                   "with time.precision the run of all jobs ended at %.4g us because it is not "
		                   "stationary: the backlog of ",
		                   (double)r->measured_to_ps * 1e-6);
		if (!add_names(out, r, growing))
			base_buffer_printf(out, "all jobs together");
		base_buffer_printf(out, " grows. The impact on ");
		add_names(out, r, compared);
		base_buffer_printf(
		    out,
		    " covers the time until then; set time.warmup and time.measure to choose the length of the run");
	}
	free(growing);
	free(compared);
	return any;
}

static void number_or_null(struct base_json *j, const char *key, double value)
{
	if (isfinite(value))
		base_json_double(j, key, value);
	else
		base_json_null(j, key);
}

void xp_alone_members(struct base_json *j, const struct xp_run_facts *run, uint32_t i)
{
	const struct xp_alone *a = run->alone ? &run->alone[i] : NULL;
	if (!a || !a->isolated)
		return;
	struct xp_impact impact = xp_impact_of(&run->result->jobs[i], a);
	base_json_object(j, "isolated");
	base_json_bool(j, "complete", a->complete);
	if (a->stalled)
		base_json_bool(j, "stalled", true);
	xp_flow_members(j, &a->flow);
	xp_digest_member(j, a->digest);
	base_json_end(j);
	base_json_object(j, "impact");
	base_json_string(j, "of", impact.of);
	number_or_null(j, "mean", impact.mean);
	number_or_null(j, "p99", impact.p99);
	if (impact.why)
		base_json_string(j, "why", impact.why);
	base_json_end(j);
}

static void line_impact(FILE *out, const struct net_flow *f, const struct xp_alone *a)
{
	const struct net_latency *there = f->has_iterations ? &a->flow.iteration : &a->flow.latency;
	const char *what = f->is_application ? "completion" : f->has_iterations ? "iterations" : "latency";
	struct xp_impact x = xp_impact_of(f, a);
	char name[128];
	fprintf(out, "%-16s %.32s: ", "impact", base_harmless_copy(f->name, name, sizeof name));
	if (isfinite(x.p99))
		fprintf(out, "%s %.3f times as long as alone (%.1f ns) on average, p99 %.3f times (%.1f ns)\n", what,
		        x.mean, there->mean / 1000, x.p99, (double)there->p99 / 1000);
	else if (isfinite(x.mean))
		fprintf(out, "%s %.3f times as long as alone (%.6f us)\n", what, x.mean,
		        (double)(a->flow.completion_ps - a->start_ps) * 1e-6);
	else
		fprintf(out, "unknown: %s\n", base_harmless_copy(x.why, name, sizeof name));
}

void xp_alone_lines(FILE *out, const struct xp_run_facts *run)
{
	for (uint32_t i = 0; run->alone && i < run->result->njobs; i++)
		if (run->alone[i].isolated)
			line_impact(out, &run->result->jobs[i], &run->alone[i]);
}

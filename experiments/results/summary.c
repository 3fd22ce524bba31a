/* experiments/results/summary.c - see summary.h. Times are picoseconds in the model, nanoseconds in results. */
#include "experiments/results/summary.h"

#include "base/text.h"
#include "base/units.h"
#include "experiments/results/application.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* --- JSON ------------------------------------------------------------------------------------------- */

static void latency(struct base_json *j, const char *key, const struct net_latency *l)
{
	const struct {
		const char *name;
		double ps;
	} rows[] = {
		{ "min", (double)l->min }, { "mean", l->mean },       { "p50", (double)l->p50 },
		{ "p90", (double)l->p90 }, { "p99", (double)l->p99 }, { "p999", (double)l->p999 },
		{ "max", (double)l->max },
	};
	base_json_object(j, key);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (l->n)
			base_json_double(j, rows[i].name, rows[i].ps / 1000);
		else
			base_json_null(j, rows[i].name); /* of no packet */
	}
	base_json_end(j);
}

/* Where an interval begins: neither a load nor a latency is below 0. */
static double lowest(const struct sim_interval *i)
{
	return i->value > i->half ? i->value - i->half : 0;
}

static void interval(struct base_json *j, const char *key, const struct sim_interval *i, double unit)
{
	if (!isfinite(i->half)) {
		base_json_null(j, key);
		return;
	}
	base_json_array(j, key);
	base_json_double(j, NULL, lowest(i) / unit);
	base_json_double(j, NULL, (i->value + i->half) / unit);
	base_json_end(j);
}

static void stationarity(struct base_json *j, enum sim_stationarity s)
{
	if (s == SIM_UNDECIDED)
		base_json_null(j, "stationary");
	else
		base_json_bool(j, "stationary", s == SIM_STATIONARY);
}

static void estimates(struct base_json *j, const struct sim_steady *s)
{
	stationarity(j, s->stationarity);
	base_json_object(j, "interval");
	interval(j, "accepted_load", &s->accepted, 1);
	if (s->stationarity != SIM_GROWING) {
		interval(j, "latency_ns.mean", &s->mean, 1000);
		interval(j, "latency_ns.p99", &s->p99, 1000);
		if (s->iteration.value > 0)
			interval(j, "iteration_ns.mean", &s->iteration, 1000);
	}
	base_json_end(j);
	base_json_uint(j, "batches", s->batches);
	base_json_double(j, "lag1_correlation", s->lag1);
	base_json_double(j, "backlog_growth", s->growth);
	base_json_double(j, "latency_drift", s->drift);
	if (s->stationarity == SIM_GROWING)
		base_json_bool(j, "still_filling", s->filling);
}

/* Which ways the measured packets took. */
static void routes(struct base_json *j, const struct net_flow *f)
{
	base_json_object(j, "hops");
	if (f->measured_delivered) {
		base_json_double(j, "mean", f->hops_mean);
		base_json_uint(j, "max", f->hops_max);
	} else {
		base_json_null(j, "mean");
		base_json_null(j, "max");
	}
	base_json_end(j);
	if (f->measured_delivered)
		base_json_double(j, "minimal_fraction", f->minimal_fraction);
	else
		base_json_null(j, "minimal_fraction");
}

static bool has_completed(const struct net_flow *f)
{
	return f->is_application && f->finished == f->processes;
}

/* Of a job that does not end the run, and whose ranks have all ended. */
static bool ended_before(const struct net_flow *f)
{
	return !f->is_application && f->application && f->application->ranks &&
	       f->application->ended == f->application->ranks;
}

void xp_flow_members(struct base_json *j, const struct net_flow *f)
{
	base_json_double(j, "offered_load", f->offered_load);
	base_json_double(j, "accepted_load", f->accepted_load);
	base_json_object(j, "packets");
	base_json_uint(j, "created", f->created);
	base_json_uint(j, "injected", f->injected);
	base_json_uint(j, "delivered", f->delivered);
	base_json_uint(j, "dropped", f->dropped);
	base_json_uint(j, "in_flight", f->in_flight);
	base_json_uint(j, "queued", f->queued);
	base_json_end(j);
	latency(j, "latency_ns", &f->latency);
	latency(j, "network_latency_ns", &f->network_latency);
	if (f->has_message_latency)
		latency(j, "message_latency_ns", &f->message_latency);
	if (f->has_iterations) {
		base_json_uint(j, "iterations", f->iteration.n);
		latency(j, "iteration_ns", &f->iteration);
	}
	if (f->is_application) {
		base_json_double(j, "completion_ns",
		                 has_completed(f) ? (double)f->completion_ps / 1000 : NAN); /* null */
		base_json_uint(j, "processes", f->processes);
		base_json_uint(j, "processes_finished", f->finished);
		base_json_uint(j, "operations_unfinished", f->unfinished);
		base_json_uint(j, "messages_unreceived", f->unreceived);
		base_json_uint(j, "messages_truncated", f->truncated);
		base_json_uint(j, "incomplete_collectives", f->incomplete);
	} else if (ended_before(f)) {
		base_json_double(j, "completion_ns", (double)f->application->end / 1000);
	}
	xp_application_members(j, f->application);
	base_json_bool(j, "latency_censored", f->latency_censored);
	routes(j, f);
	if (f->estimates)
		estimates(j, f->estimates);
}

/* Do its runs tell whether what waits grows, without estimates? */
static bool is_judged(const struct xp_run_facts *run)
{
	return !run->result->has_estimates && run->config->time.drain == NET_DRAIN_AUTO &&
	       !run->result->has_applications;
}

/* Who interrupts it does so before it is known. */
static enum sim_stationarity judged(const struct xp_run_facts *run, bool grows)
{
	const struct net_result *r = run->result;
	if (!r->complete && !r->stall && !run->stalled)
		return SIM_UNDECIDED;
	return grows ? SIM_GROWING : SIM_STATIONARY;
}

/* run: of jobs; NULL: they are classes. */
static void flows(struct base_json *j, const char *key, const struct net_flow *v, uint32_t n,
                  const struct xp_run_facts *run)
{
	base_json_array(j, key);
	for (uint32_t i = 0; i < n; i++) {
		base_json_object(j, NULL);
		base_json_string(j, "name", v[i].name);
		base_json_uint(j, "endpoints", v[i].endpoints);
		base_json_uint(j, "idle_endpoints", v[i].idle_endpoints);
		xp_flow_members(j, &v[i]);
		if (run && is_judged(run))
			stationarity(j, judged(run, v[i].growing));
		if (run)
			xp_alone_members(j, run, i);
		base_json_end(j);
	}
	base_json_end(j);
}

static double rate(uint64_t n, double seconds)
{
	return seconds > 0 ? (double)n / seconds : 0;
}

static double efficiency(const struct sim_counters *c)
{
	return c->events_processed ? 1.0 - (double)c->events_rolled_back / (double)c->events_processed : 1.0;
}

void xp_phase_members(struct base_json *j, const struct sim_counters *c)
{
	base_json_object(j, "phase_s");
	for (unsigned i = 0; i < SIM_PHASES; i++)
		base_json_double(j, sim_phase_name(i), c->seconds[i]);
	base_json_end(j);
}

void xp_work_members(struct base_json *j, const struct sim_counters *c)
{
	base_json_uint(j, "events_processed", c->events_processed);
	base_json_uint(j, "events_speculative", c->speculative);
	base_json_uint(j, "events_rolled_back", c->events_rolled_back);
	base_json_uint(j, "rollbacks", c->rollbacks);
	base_json_uint(j, "anti_messages", c->anti_messages);
	base_json_double(j, "efficiency", efficiency(c));
	base_json_uint(j, "remote_events", c->remote_events);
	base_json_uint(j, "messages", c->messages);
	base_json_uint(j, "message_bytes", c->message_bytes);
	base_json_uint(j, "windows", c->windows);
	base_json_uint(j, "gvt_rounds", c->gvt_rounds);
	base_json_uint(j, "lps_moved", c->lps_moved);
	xp_phase_members(j, c);
}

static void engine(struct base_json *j, const struct net_result *r)
{
	const struct sim_counters *c = &r->counters;
	base_json_object(j, "engine");
	base_json_string(j, "sync", r->sync);
	base_json_int(j, "ranks", r->ranks);
	base_json_int(j, "threads", r->threads);
	base_json_string(j, "choice", r->choice);
	if (r->line_ns > 0)
		base_json_double(j, "line_ns", r->line_ns);
	else
		base_json_null(j, "line_ns");
	base_json_uint(j, "events_committed", c->events_committed);
	xp_work_members(j, c);
	base_json_double(j, "setup_s", r->setup_s);
	base_json_double(j, "wall_s", r->wall_s);
	base_json_double(j, "event_rate_per_s", rate(c->events_committed, r->wall_s));
	base_json_uint(j, "packet_hops", r->packet_hops);
	base_json_double(j, "packet_hops_per_s", rate(r->packet_hops, r->wall_s));
	base_json_uint(j, "peak_rss_bytes", r->peak_rss_bytes);
	base_json_uint(j, "peak_rss_rank_bytes", r->peak_rss_rank_bytes);
	base_json_end(j);
}

static void congestion(struct base_json *j, const struct net_control *c)
{
	base_json_object(j, "congestion");
	base_json_string(j, "kind", c->kind);
	base_json_uint(j, "throttles", c->throttles);
	base_json_double(j, "throttled_ns", (double)c->throttled_ps / 1000);
	base_json_uint(j, "control_frames", c->frames);
	base_json_uint(j, "requests", c->requests);
	base_json_uint(j, "acknowledgements", c->acks);
	base_json_double(j, "acknowledgements_waited_ns", (double)c->acks_waited_ps / 1000);
	base_json_uint(j, "marked", c->marked);
	base_json_uint(j, "held_packets", c->held);
	base_json_uint(j, "source_waits", c->source_waits);
	base_json_uint(j, "pairs", c->pairs);
	base_json_uint(j, "contributors", c->contributors);
	base_json_end(j);
}

static void retry(struct base_json *j, const struct net_retry_result *r)
{
	base_json_object(j, "retry");
	base_json_uint(j, "resent", r->resent);
	base_json_uint(j, "timeouts", r->timeouts);
	base_json_uint(j, "backoffs", r->backoffs);
	base_json_uint(j, "probes", r->probes);
	base_json_uint(j, "dropped", r->dropped);
	base_json_uint(j, "trimmed", r->trimmed);
	base_json_uint(j, "damaged", r->damaged);
	base_json_uint(j, "damaged_acknowledgements", r->damaged_acks);
	base_json_uint(j, "duplicates", r->duplicates);
	base_json_uint(j, "reordered", r->reordered);
	base_json_end(j);
}

static void order(struct base_json *j, const struct net_order_result *r)
{
	base_json_object(j, "ordering");
	base_json_uint(j, "reordered", r->reordered);
	base_json_double(j, "waited_ns", (double)r->waited_ps / 1000);
	base_json_uint(j, "paths", r->paths);
	base_json_end(j);
}

static void switches(struct base_json *j, const struct sw_tally *t)
{
	base_json_object(j, "switches");
	base_json_uint(j, "marked", t->marks);
	base_json_uint(j, "trimmed", t->trims);
	base_json_uint(j, "dropped", t->drops);
	base_json_uint(j, "pauses", t->pauses);
	base_json_double(j, "paused_ns", (double)t->paused_ps / 1000);
	base_json_uint(j, "pause_depth", t->pause_depth);
	base_json_uint(j, "peak_queue_bytes", t->peak_bytes);
	base_json_end(j);
}

void xp_digest_member(struct base_json *j, uint64_t digest)
{
	char text[24];
	snprintf(text, sizeof text, "%016" PRIx64, digest);
	base_json_string(j, "digest", text);
}

void xp_summary_members(struct base_json *j, const struct xp_run_facts *run)
{
	const struct net_result *r = run->result;
	base_json_string(j, "record", "summary");
	base_json_bool(j, "complete", r->complete);
	if (run->stalled)
		base_json_string(j, "stall", r->stall ? r->stall : "");
	base_json_uint(j, "seed", run->config->seed);
	base_json_double(j, "simulated_ns", (double)r->reached_ps / 1000);
	base_json_double(j, "measured_from_ns", (double)r->measured_from_ps / 1000);
	base_json_double(j, "measured_to_ns", (double)r->measured_to_ps / 1000);
	if (r->has_estimates) {
		base_json_bool(j, "precise", r->enough);
		if (r->estimates->found)
			base_json_double(j, "warmup_found_ns", (double)r->measured_from_ps / 1000);
		else
			base_json_null(j, "warmup_found_ns");
	} else if (is_judged(run)) {
		stationarity(j, judged(run, r->saturated));
	}
	if (run->config->formula.kind != NET_SWITCHED) {
		char kind[32];
		base_choice_name("switched|" NET_FORMULAS, run->config->formula.kind, kind, sizeof kind);
		base_json_object(j, "network");
		base_json_string(j, "kind", kind);
		base_json_end(j);
	}
	base_json_object(j, "topology");
	base_json_string(j, "kind", run->topo->kind);
	base_json_uint(j, "switches", run->topo->switches);
	base_json_uint(j, "endpoints", run->topo->endpoints);
	base_json_uint(j, "links", run->facts.links);
	if (run->facts.diameter >= 0)
		base_json_int(j, "diameter", run->facts.diameter);
	else
		base_json_null(j, "diameter");
	base_json_end(j);
	base_json_uint(j, "vcs", r->vcs);
	base_json_uint(j, "idle_switches", r->idle_switches);
	xp_flow_members(j, &r->total);
	flows(j, "jobs", r->jobs, r->njobs, run);
	flows(j, "classes", r->classes, r->nclasses, NULL);
	if (r->control.kind)
		congestion(j, &r->control);
	if (r->retry.on)
		retry(j, &r->retry);
	if (r->order.on)
		order(j, &r->order);
	if (r->has_switches)
		switches(j, &r->switches);
	engine(j, r);
	xp_digest_member(j, r->digest);
}

/* --- for people ------------------------------------------------------------------------------------- */

/* 1234567 as "1,234,567". */
static const char *grouped(uint64_t n, char *out, size_t room)
{
	char digits[24];
	snprintf(digits, sizeof digits, "%" PRIu64, n);
	size_t length = strlen(digits), at = 0;
	for (size_t i = 0; i < length && at + 2 < room; i++) {
		if (i && (length - i) % 3 == 0)
			out[at++] = ',';
		out[at++] = digits[i];
	}
	out[at] = 0;
	return out;
}

static void line_latency(FILE *out, const char *label, const struct net_latency *l, bool censored)
{
	if (!l->n) {
		fprintf(out, "%-16s no packet was measured\n", label);
		return;
	}
	fprintf(out, "%-16s mean %.1f ns, median %.1f, p99 %.1f, p99.9 %.1f, max %.1f%s\n", label, l->mean / 1000,
	        (double)l->p50 / 1000, (double)l->p99 / 1000, (double)l->p999 / 1000, (double)l->max / 1000,
	        censored ? " (censored)" : "");
}

static void line_iterations(FILE *out, const struct net_latency *l)
{
	char text[32];
	if (!l->n)
		fprintf(out, "%-16s none ended in the measured window\n", "iterations");
	else
		fprintf(out, "%-16s %s: mean %.1f ns, median %.1f, p99 %.1f, max %.1f\n", "iterations",
		        grouped(l->n, text, sizeof text), l->mean / 1000, (double)l->p50 / 1000, (double)l->p99 / 1000,
		        (double)l->max / 1000);
}

static void lines_latency(FILE *out, const struct net_flow *f)
{
	char text[2][32];
	line_latency(out, "latency", &f->latency, f->latency_censored);
	line_latency(out, "  in the network", &f->network_latency, f->latency_censored);
	if (f->has_message_latency)
		line_latency(out, "  of messages", &f->message_latency, f->latency_censored);
	if (f->has_iterations && f->iteration.n + !f->is_application > 0)
		line_iterations(out, &f->iteration);
	if (has_completed(f))
		fprintf(out, "%-16s %.6f us\n", "completion", (double)f->completion_ps * 1e-6);
	else if (ended_before(f))
		fprintf(out, "%-16s %.6f us\n", "completion", (double)f->application->end * 1e-6);
	else if (f->is_application)
		fprintf(out, "%-16s none: %s of %s processes have finished\n", "completion",
		        grouped(f->finished, text[0], sizeof text[0]), grouped(f->processes, text[1], sizeof text[1]));
}

static void line_packets(FILE *out, const struct net_flow *f)
{
	char text[4][32];
	fprintf(out, "%-16s %s created, %s delivered, %s in flight, %s queued", "packets",
	        grouped(f->created, text[0], sizeof text[0]), grouped(f->delivered, text[1], sizeof text[1]),
	        grouped(f->in_flight, text[2], sizeof text[2]), grouped(f->queued, text[3], sizeof text[3]));
	if (f->dropped)
		fprintf(out, ", %s dropped", grouped(f->dropped, text[0], sizeof text[0]));
	fprintf(out, "\n");
}

static void table_jobs(FILE *out, const struct net_result *r)
{
	int width = 4;
	for (uint32_t i = 0; i < r->njobs; i++)
		width = base_columns(r->jobs[i].name) > width ? base_columns(r->jobs[i].name) : width;
	width = width > 32 ? 32 : width;
	fprintf(out, "\n%-*s  endpoints  offered  accepted  mean ns    p99 ns      hops   minimal\n", width, "job");
	for (uint32_t i = 0; i < r->njobs; i++) {
		const struct net_flow *f = &r->jobs[i];
		char name[256];
		base_harmless_copy(f->name, name, sizeof name);
		base_cut(name, width);
		fprintf(out, "%-*s  %9" PRIu64 "  %.4f   %.4f    ", base_field(name, width), name, f->endpoints,
		        f->offered_load, f->accepted_load);
		if (f->latency.n)
			fprintf(out, "%-9.1f  %-9.1f  ", f->latency.mean / 1000, (double)f->latency.p99 / 1000);
		else
			fprintf(out, "%-9s  %-9s  ", "-", "-");
		if (f->measured_delivered)
			fprintf(out, "%6.3f  %6.3f\n", f->hops_mean, f->minimal_fraction);
		else
			fprintf(out, "%6s  %6s\n", "-", "-");
	}
	fprintf(out, "\n");
}

/* Of each job that is one, by name where there are several jobs. */
static void applications(FILE *out, const struct net_result *r)
{
	for (uint32_t i = 0; i < r->njobs; i++) {
		char name[128];
		if (r->jobs[i].application && r->njobs > 1)
			fprintf(out, "%-16s %s\n", "application",
			        base_harmless_copy(r->jobs[i].name, name, sizeof name));
		xp_application_text(out, r->jobs[i].application);
	}
}

static void line_interval(FILE *out, const char *label, const struct sim_interval *i, double unit, const char *of)
{
	if (isfinite(i->half) && i->value > 0)
		fprintf(out, "%-16s %.6g%s, 95 %% interval %.6g to %.6g (+- %.2f %%)\n", label, i->value / unit, of,
		        lowest(i) / unit, (i->value + i->half) / unit, 100 * i->half / i->value);
}

/* What time.precision has found. */
static void line_estimates(FILE *out, const struct net_result *r)
{
	const struct sim_steady *s = r->estimates;
	if (s->stationarity == SIM_GROWING)
		fprintf(
		    out, "%-16s no: the backlog grew by %.1f %% of what was created%s\n", "stationary", 100 * s->growth,
		    s->filling ? "; buffers were still filling, so accepted load may change when they are full" : "");
	else
		fprintf(out, "%-16s %s\n", "stationary",
		        s->stationarity == SIM_STATIONARY ? "yes" : "not decided when the run ended");
	fprintf(out, "%-16s %.3g us of warm-up, %.3g us measured in %" PRIu32 " batches%s\n", "time",
	        (double)r->measured_from_ps * 1e-6, (double)(r->measured_to_ps - r->measured_from_ps) * 1e-6,
	        s->batches, r->enough ? "" : ": not as precise as was asked for");
	line_interval(out, "accepted", &s->accepted, 1, "");
	if (s->stationarity != SIM_GROWING) {
		line_interval(out, "mean latency", &s->mean, 1000, " ns");
		line_interval(out, "p99 latency", &s->p99, 1000, " ns");
		line_interval(out, "mean iteration", &s->iteration, 1000, " ns");
	}
}

static void line_switches(FILE *out, const struct sw_tally *t)
{
	char text[4][32];
	fprintf(out, "%-16s %s packets marked, %s trimmed, %s dropped; longest queue %s bytes\n", "switches",
	        grouped(t->marks, text[0], sizeof text[0]), grouped(t->trims, text[1], sizeof text[1]),
	        grouped(t->drops, text[2], sizeof text[2]), grouped(t->peak_bytes, text[3], sizeof text[3]));
	if (t->pauses)
		fprintf(out, "%-16s %s pause frames, links paused for %.3f us in all, chains of up to %" PRIu64 "\n",
		        "", grouped(t->pauses, text[0], sizeof text[0]), (double)t->paused_ps * 1e-6, t->pause_depth);
}

static void line_control(FILE *out, const struct net_control *c)
{
	char text[32], more[32];
	if (!c->throttles && !c->frames) {
		fprintf(out, "%-16s %s never held anything back\n", "congestion", c->kind);
		return;
	}
	fprintf(out, "%-16s %s held pairs of endpoints back %s times, %.3f us in the mean; %s control frames\n",
	        "congestion", c->kind, grouped(c->throttles, text, sizeof text),
	        c->throttles ? (double)c->throttled_ps * 1e-6 / (double)c->throttles : 0,
	        grouped(c->frames, more, sizeof more));
}

static void line_retry(FILE *out, const struct net_retry_result *r, uint64_t delivered)
{
	char text[6][32];
	fprintf(out,
	        "%-16s %s packets sent again; of %s nothing was known in time; %s dropped, %s trimmed, %s damaged, ",
	        "retry", grouped(r->resent, text[0], sizeof text[0]), grouped(r->timeouts, text[1], sizeof text[1]),
	        grouped(r->dropped, text[2], sizeof text[2]), grouped(r->trimmed, text[3], sizeof text[3]),
	        grouped(r->damaged, text[4], sizeof text[4]));
	fprintf(out, "%s came twice", grouped(r->duplicates, text[5], sizeof text[5]));
	if (r->probes)
		fprintf(out, "; %s probes", grouped(r->probes, text[0], sizeof text[0]));
	fprintf(out, "\n");
	if (r->resent > delivered)
		fprintf(
		    out,
		    "%-16s more copies than packets: what is lost is sent again, and a congestion control that follows "
		    "losses, or nic.backoff, must slow that down\n",
		    "");
}

static void line_order(FILE *out, const struct net_order_result *r)
{
	char text[2][32];
	fprintf(out,
	        "%-16s %s packets came before an earlier one and waited for it, %.3f us in the mean; %s ways chosen\n",
	        "order", grouped(r->reordered, text[0], sizeof text[0]),
	        r->reordered ? (double)r->waited_ps * 1e-6 / (double)r->reordered : 0,
	        grouped(r->paths, text[1], sizeof text[1]));
}

/* A run on a formula: messages, and when schedules end. */
static void formula_text(FILE *out, const struct xp_run_facts *run)
{
	const struct net_result *r = run->result;
	char kind[32], text[32];
	base_choice_name("switched|" NET_FORMULAS, run->config->formula.kind, kind, sizeof kind);
	fprintf(out, "%-16s %s, a formula\n", "network", kind);
	for (uint32_t i = 0; i < r->njobs; i++) {
		char when[48] = "none";
		if (has_completed(&r->jobs[i]))
			snprintf(when, sizeof when, "%.6f us", (double)r->jobs[i].completion_ps * 1e-6);
		fprintf(out, "%-16s %s, %s messages\n", r->njobs > 1 ? r->jobs[i].name : "completion", when,
		        grouped(r->jobs[i].delivered, text, sizeof text));
	}
	applications(out, r);
	fprintf(out, "%-16s %s, %d rank%s, %.3f s, %.0f MB\n", "engine", r->sync, r->ranks, r->ranks == 1 ? "" : "s",
	        r->wall_s, (double)r->peak_rss_bytes * 1e-6);
	fprintf(out, "%-16s %016" PRIx64 "\n", "digest", r->digest);
}

void xp_summary_text(FILE *out, const struct xp_run_facts *run, const char *file)
{
	const struct net_result *r = run->result;
	const struct net_flow *f = &r->total;
	char text[32], reached[48];
	base_print_quantity(BASE_TIME, r->reached_ps, reached, sizeof reached);
	if (!r->complete)
		fprintf(out, "%-16s %s after %s of simulated time: the numbers below are of that part\n", "incomplete",
		        run->stalled ? "stalled" : "stopped", reached);
	if (run->config->formula.kind != NET_SWITCHED) {
		formula_text(out, run);
		return;
	}
	fprintf(out,
	        "%-16s %s, %" PRIu32 " switches, %" PRIu32 " endpoints, %s routing, %" PRIu32 " virtual channel%s\n",
	        "network", run->topo->kind, run->topo->switches, run->topo->endpoints,
	        run->config->routing.plugin->name, r->vcs, r->vcs == 1 ? "" : "s");
	fprintf(out, "%-16s %.4f offered, %.4f accepted, of the injection bandwidth\n", "load", f->offered_load,
	        f->accepted_load);
	if (r->has_estimates)
		line_estimates(out, r);
	else if (r->saturated)
		fprintf(out, "%-16s no: the backlog grew as long as the run went on\n", "stationary");
	if (r->has_estimates && r->estimates->stationarity == SIM_GROWING)
		fprintf(out, "%-16s not given: it depends on how long the run is\n", "latency");
	else
		lines_latency(out, f);
	if (f->measured_delivered)
		fprintf(out, "%-16s mean %.4f, most %" PRIu32 ", %.2f %% of packets minimal\n", "hops", f->hops_mean,
		        f->hops_max, 100 * f->minimal_fraction);
	line_packets(out, f);
	if (r->idle_switches)
		fprintf(out, "%-16s %" PRIu64 " switches, left over by the traffic pattern\n", "idle",
		        r->idle_switches);
	if (r->njobs > 1)
		table_jobs(out, r);
	applications(out, r);
	xp_alone_lines(out, run);
	if (r->has_switches)
		line_switches(out, &r->switches);
	if (r->control.kind)
		line_control(out, &r->control);
	if (r->retry.on)
		line_retry(out, &r->retry, f->delivered);
	if (r->order.on)
		line_order(out, &r->order);
	char threads[32] = "";
	if (r->threads > 1)
		snprintf(threads, sizeof threads, r->ranks > 1 ? ", threads: %d" : ", %d threads", r->threads);
	fprintf(out, "%-16s %s, %d rank%s%s, %.3f s, %.2f M events/s, %.2f M packet-hops/s, %.0f MB\n", "engine",
	        r->sync, r->ranks, r->ranks == 1 ? "" : "s", threads, r->wall_s,
	        1e-6 * rate(r->counters.events_committed, r->wall_s), 1e-6 * rate(r->packet_hops, r->wall_s),
	        1e-6 * (double)r->peak_rss_bytes);
	if (r->ranks > 1)
		fprintf(out, "%-16s %s\n", "  ranks", r->choice);
	if (r->counters.events_rolled_back)
		fprintf(out, "%-16s %s events, efficiency %.4f\n", "  rolled back",
		        grouped(r->counters.events_rolled_back, text, sizeof text), efficiency(&r->counters));
	fprintf(out, "%-16s %016" PRIx64 "\n", "digest", r->digest);
	if (file) {
		char name[1024];
		fprintf(out, "%-16s %s\n", "result", base_harmless_copy(file, name, sizeof name));
	}
}

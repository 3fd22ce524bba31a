/* experiments/results/summary.c - see summary.h. Times are picoseconds in the model, nanoseconds in results. */
#include "experiments/results/summary.h"

#include "base/text.h"
#include "base/units.h"
#include "experiments/results/application.h"
#include "experiments/results/saturation.h"
#include "experiments/results/slowdown.h"
#include "experiments/results/statistics.h"
#include "experiments/results/table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* --- JSON ------------------------------------------------------------------------------------------- */

/* Where an interval begins: neither a load nor a latency is below 0. */
static double lowest(const struct sim_interval *i)
{
	return i->value > i->half ? i->value - i->half : 0;
}

/* The 95 % interval of a statistic; NULL: it is not given. Latencies of a network that is not stationary have none. */
static const struct sim_interval *interval_of(const struct xp_statistic *s, const struct sim_steady *steady)
{
	const void *at = (const char *)steady + s->interval - 1;
	const struct sim_interval *i = s->interval ? at : NULL;
	bool stands = s->type == XP_REAL || steady->stationarity != SIM_GROWING;
	return i && stands && (!s->given || i->value > 0) ? i : NULL;
}

/* In the unit of the record. */
static double unit_of(const struct xp_statistic *s)
{
	return s->type == XP_REAL ? 1 : 1000;
}

static void estimates(struct base_json *j, const struct sim_steady *steady)
{
	xp_stationarity_member(j, steady->stationarity);
	base_json_object(j, "interval");
	for (const struct xp_statistic *s = xp_statistics; s->name; s++) {
		const struct sim_interval *i = interval_of(s, steady);
		if (i && !isfinite(i->half)) {
			base_json_null(j, s->name);
		} else if (i) {
			base_json_array(j, s->name);
			base_json_double(j, NULL, lowest(i) / unit_of(s));
			base_json_double(j, NULL, (i->value + i->half) / unit_of(s));
			base_json_end(j);
		}
	}
	base_json_end(j);
	xp_statistics_write(j, XP_STEADY, steady);
	if (steady->stationarity == SIM_GROWING)
		base_json_bool(j, "still_filling", steady->filling);
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
	xp_statistics_write(j, XP_FLOW, f);
	xp_slowdown_members(j, f);
	xp_application_members(j, f->application);
	xp_statistics_write(j, XP_WAYS, f);
	if (f->estimates)
		estimates(j, f->estimates);
}

/* Do its runs decide whether the backlog grows, without estimates? */
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
			xp_stationarity_member(j, judged(run, v[i].growing));
		if (run)
			xp_alone_members(j, run, i);
		base_json_end(j);
	}
	base_json_end(j);
}

void xp_digest_member(struct base_json *j, uint64_t digest)
{
	char text[24];
	snprintf(text, sizeof text, "%016" PRIx64, digest);
	base_json_string(j, "digest", text);
}

/* Links between switches with lanes or link-level retry: all, and by class. */
static void write_links(struct base_json *j, const struct net_result *r)
{
	if (!r->nlinks)
		return;
	xp_statistics_write(j, XP_LINKS, &r->links);
	base_json_array(j, "link_classes");
	for (uint32_t k = 0; k < r->nlinks; k++) {
		base_json_object(j, NULL);
		base_json_string(j, "class", r->link[k].name);
		xp_statistics_write(j, XP_LINKS, &r->link[k]);
		base_json_end(j);
	}
	base_json_end(j);
}

static void write_failures(struct base_json *j, const struct net_failure_result *r)
{
	if (!r->on)
		return;
	xp_statistics_write(j, XP_LOSSES, r);
	base_json_array(j, "partitions");
	for (uint32_t k = 0; k < r->partitions; k++) {
		const struct net_partition *p = &r->partition[k];
		base_json_object(j, NULL);
		base_json_double(j, "from_ns", (double)p->from / 1000);
		base_json_double(j, "until_ns", (double)p->until / 1000);
		base_json_uint(j, "endpoints", p->endpoints);
		base_json_string(j, "which", p->which);
		base_json_end(j);
	}
	base_json_end(j);
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
		xp_stationarity_member(j, judged(run, r->saturated));
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
		xp_statistics_write(j, XP_CONTROL, &r->control);
	if (r->retry.on)
		xp_statistics_write(j, XP_RETRY, &r->retry);
	if (r->order.on)
		xp_statistics_write(j, XP_ORDER, &r->order);
	write_links(j, r);
	write_failures(j, &r->failures);
	if (r->has_switches)
		xp_statistics_write(j, XP_TALLY, &r->switches);
	base_json_object(j, "engine");
	xp_statistics_write(j, XP_ENGINE, r);
	xp_statistics_write(j, XP_WORK, &r->counters);
	xp_statistics_write(j, XP_PHASES, &r->counters);
	xp_statistics_write(j, XP_SPEED, r);
	base_json_end(j);
	xp_digest_member(j, r->digest);
}

/* --- for people ------------------------------------------------------------------------------------- */

/* A statistic that is computed from others. */
static double computed(const char *name, const void *of)
{
	return xp_statistic_named(name)->get(of);
}

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
	if (f->discarded)
		fprintf(out, "; %s discarded when their burst ended", grouped(f->discarded, text[0], sizeof text[0]));
	fprintf(out, "\n");
}

static void line_inside(FILE *out, const struct net_flow *f)
{
	char text[4][32];
	fprintf(out, "%-16s whole run: %s messages, %s bytes, %s under way", "inside nodes",
	        grouped(f->inside_messages, text[0], sizeof text[0]), grouped(f->inside_bytes, text[1], sizeof text[1]),
	        grouped(f->inside_under_way, text[2], sizeof text[2]));
	if (f->inside_messages)
		fprintf(out, ", mean latency %.1f ns", f->inside_latency_ps / 1000);
	fprintf(out, "; over the network, in the measured window, of all jobs: %s bytes\n",
	        grouped(f->delivered_bytes, text[3], sizeof text[3]));
}

static void table_jobs(FILE *out, const struct net_result *r)
{
	struct xp_table t = { 0 };
	xp_table_layout(&t, "job |endpoints:9:%.0f|offered:-7:%.4f|accepted:-8:%.4f|mean ns:-9:%.1f|p99 ns:-9:%.1f|"
	                    "hops :6:%.3f|minimal:6:%.3f");
	for (uint32_t i = 0; i < r->njobs; i++) {
		const struct net_flow *f = &r->jobs[i];
		double unknown = f->latency.n ? 0 : (double)NAN, none = f->measured_delivered ? 0 : (double)NAN;
		char name[256];
		base_harmless_copy(f->name, name, sizeof name);
		base_cut(name, 32);
		xp_table_text(&t, name);
		xp_table_numbers(&t, (double)f->endpoints, f->offered_load, f->accepted_load,
		                 f->latency.mean / 1000 + unknown, (double)f->latency.p99 / 1000 + unknown,
		                 f->hops_mean + none, f->minimal_fraction + none);
		xp_table_end(&t);
	}
	fprintf(out, "\n");
	xp_table_print(&t, out);
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

/* What time.precision has found. */
static void line_estimates(FILE *out, const struct net_result *r)
{
	const struct sim_steady *s = r->estimates;
	if (s->stationarity == SIM_GROWING)
		fprintf(out, "%-16s no: the backlog grew by %.1f %% of the bytes created%s\n", "stationary",
		        100 * s->growth,
		        s->filling ? "; buffers were still filling up, so the accepted load of a longer run may differ"
		                   : "");
	else
		fprintf(out, "%-16s %s\n", "stationary",
		        s->stationarity == SIM_STATIONARY ? "yes" : "undecided when the run ended");
	fprintf(out, "%-16s %.3g us of warm-up, %.3g us measured in %" PRIu32 " batches%s\n", "time",
	        (double)r->measured_from_ps * 1e-6, (double)(r->measured_to_ps - r->measured_from_ps) * 1e-6,
	        s->batches, r->enough ? "" : "; less precise than requested");
	for (const struct xp_statistic *k = xp_statistics; k->name; k++) {
		const struct sim_interval *i = interval_of(k, s);
		if (i && isfinite(i->half) && i->value > 0)
			fprintf(out, "%-16s %.6g%s, 95 %% interval %.6g to %.6g (+- %.2f %%)\n", k->label,
			        i->value / unit_of(k), k->type == XP_REAL ? "" : " ns", lowest(i) / unit_of(k),
			        (i->value + i->half) / unit_of(k), 100 * i->half / i->value);
	}
}

static void line_switches(FILE *out, const struct sw_tally *t)
{
	char text[4][32];
	fprintf(out, "%-16s %s packets marked, %s trimmed, %s dropped; longest queue %s bytes\n", "switches",
	        grouped(t->marks, text[0], sizeof text[0]), grouped(t->trims, text[1], sizeof text[1]),
	        grouped(t->drops, text[2], sizeof text[2]), grouped(t->peak_bytes, text[3], sizeof text[3]));
	if (t->pauses)
		fprintf(out, "%-16s %s pause frames, links paused for %.3f us in total, chains of up to %" PRIu64 "\n",
		        "", grouped(t->pauses, text[0], sizeof text[0]), (double)t->paused_ps * 1e-6, t->pause_depth);
}

static void line_control(FILE *out, const struct net_control *c)
{
	char text[32], more[32];
	if (!c->throttles && !c->frames) {
		fprintf(out, "%-16s %s never throttled any packet\n", "congestion", c->kind);
		return;
	}
	fprintf(out, "%-16s %s throttled pairs of endpoints %s times, for %.3f us on average; %s control frames\n",
	        "congestion", c->kind, grouped(c->throttles, text, sizeof text),
	        c->throttles ? (double)c->throttled_ps * 1e-6 / (double)c->throttles : 0,
	        grouped(c->frames, more, sizeof more));
}

static void line_retry(FILE *out, const struct net_retry_result *r, uint64_t delivered)
{
	char text[6][32];
	fprintf(out, "%-16s %s retransmissions; %s timeouts; %s dropped, %s trimmed, %s damaged, ", "retry",
	        grouped(r->resent, text[0], sizeof text[0]), grouped(r->timeouts, text[1], sizeof text[1]),
	        grouped(r->dropped, text[2], sizeof text[2]), grouped(r->trimmed, text[3], sizeof text[3]),
	        grouped(r->damaged, text[4], sizeof text[4]));
	fprintf(out, "%s duplicates", grouped(r->duplicates, text[5], sizeof text[5]));
	if (r->probes)
		fprintf(out, "; %s probes", grouped(r->probes, text[0], sizeof text[0]));
	fprintf(out, "\n");
	if (r->resent > delivered)
		fprintf(out,
		        "%-16s more retransmissions than packets: use a congestion control that reacts to losses, or a "
		        "longer nic.backoff\n",
		        "");
}

static void lines_links(FILE *out, const struct net_result *r)
{
	char text[3][32];
	for (uint32_t k = 0; k < r->nlinks; k++) {
		const struct net_link_result *l = &r->link[k];
		fprintf(out, "%-16s %s: %s of %s frames damaged, %s sent again", k ? "" : "links", l->name,
		        grouped(l->damaged, text[0], sizeof text[0]), grouped(l->frames, text[1], sizeof text[1]),
		        grouped(l->replayed, text[2], sizeof text[2]));
		if (l->degraded_ps)
			fprintf(out, "; %.3f us without all lanes", (double)l->degraded_ps * 1e-6);
		fprintf(out, "\n");
	}
}

#define PARTITION_LINES 8u

static void lines_failures(FILE *out, const struct net_failure_result *r)
{
	char text[5][32];
	fprintf(out,
	        "%-16s %s outages, routes changed %s times; lost: %s packets on cables, %s at interfaces, %s without a "
	        "way\n",
	        "failures", grouped(r->outages, text[0], sizeof text[0]),
	        grouped(r->reroutings, text[1], sizeof text[1]), grouped(r->lost[0], text[2], sizeof text[2]),
	        grouped(r->lost[1], text[3], sizeof text[3]), grouped(r->lost[2], text[4], sizeof text[4]));
	for (uint32_t k = 0; k < r->partitions && k < PARTITION_LINES; k++) {
		const struct net_partition *p = &r->partition[k];
		fprintf(out, "%-16s %.3f to %.3f us: %" PRIu32 " endpoint%s cut off: %s\n", k ? "" : "  partitions",
		        (double)p->from * 1e-6, (double)p->until * 1e-6, p->endpoints, p->endpoints == 1 ? "" : "s",
		        p->which);
	}
	if (r->partitions > PARTITION_LINES)
		fprintf(out, "%-16s and %" PRIu32 " more\n", "", r->partitions - PARTITION_LINES);
}

static void line_order(FILE *out, const struct net_order_result *r)
{
	char text[2][32];
	fprintf(out,
	        "%-16s %s packets arrived before an earlier one and waited for it, for %.3f us on average; outputs "
	        "chosen %s times\n",
	        "order", grouped(r->reordered, text[0], sizeof text[0]),
	        r->reordered ? (double)r->waited_ps * 1e-6 / (double)r->reordered : 0,
	        grouped(r->paths, text[1], sizeof text[1]));
}

/* A run on an analytical network model: messages, and the ends of schedules. */
static void formula_text(FILE *out, const struct xp_run_facts *run)
{
	const struct net_result *r = run->result;
	char kind[32], text[32];
	base_choice_name("switched|" NET_FORMULAS, run->config->formula.kind, kind, sizeof kind);
	fprintf(out, "%-16s %s, an analytical network model\n", "network", kind);
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
		fprintf(out, "%-16s %s after %s of simulated time: the following numbers cover that part\n",
		        "incomplete", run->stalled ? "stalled" : "stopped", reached);
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
		fprintf(out, "%-16s no: the backlog kept growing until the end of the run\n", "stationary");
	if (r->has_estimates && r->estimates->stationarity == SIM_GROWING)
		fprintf(out, "%-16s not printed: it depends on the length of the run\n", "latency");
	else
		lines_latency(out, f);
	xp_slowdown_text(out, f);
	if (f->measured_delivered)
		fprintf(out, "%-16s mean %.4f, maximum %" PRIu32 ", %.2f %% of packets minimal\n", "hops", f->hops_mean,
		        f->hops_max, 100 * f->minimal_fraction);
	line_packets(out, f);
	if (f->has_inside)
		line_inside(out, f);
	if (r->idle_switches)
		fprintf(out, "%-16s %" PRIu64 " switches, without traffic because of the pattern\n", "idle",
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
	lines_links(out, r);
	if (r->failures.on)
		lines_failures(out, &r->failures);
	char threads[32] = "";
	if (r->threads > 1)
		snprintf(threads, sizeof threads, r->ranks > 1 ? ", threads: %d" : ", %d threads", r->threads);
	fprintf(out, "%-16s %s, %d rank%s%s, %.3f s, %.2f M events/s, %.2f M packet-hops/s, %.0f MB\n", "engine",
	        r->sync, r->ranks, r->ranks == 1 ? "" : "s", threads, r->wall_s,
	        1e-6 * computed("engine.event_rate_per_s", r), 1e-6 * computed("engine.packet_hops_per_s", r),
	        1e-6 * (double)r->peak_rss_bytes);
	if (r->ranks > 1)
		fprintf(out, "%-16s %s\n", "  ranks", r->choice);
	if (r->counters.events_rolled_back)
		fprintf(out, "%-16s %s events, efficiency %.4f\n", "  rolled back",
		        grouped(r->counters.events_rolled_back, text, sizeof text),
		        computed("engine.efficiency", &r->counters));
	fprintf(out, "%-16s %016" PRIx64 "\n", "digest", r->digest);
	if (file) {
		char name[1024];
		fprintf(out, "%-16s %s\n", "result", base_harmless_copy(file, name, sizeof name));
	}
}

/* experiments/summary.c - see summary.h. Times are picoseconds in the model, nanoseconds in results. */
#include "experiments/summary.h"

#include "base/units.h"

#include <inttypes.h>
#include <string.h>

/* --- JSON ------------------------------------------------------------------------------------------- */

static void latency(struct xp_json *j, const char *key, const struct net_latency *l)
{
	const struct {
		const char *name;
		double ps;
	} rows[] = {
		{ "min", (double)l->min }, { "mean", l->mean },       { "p50", (double)l->p50 },
		{ "p90", (double)l->p90 }, { "p99", (double)l->p99 }, { "p999", (double)l->p999 },
		{ "max", (double)l->max },
	};
	xp_json_object(j, key);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (l->n)
			xp_json_double(j, rows[i].name, rows[i].ps / 1000);
		else
			xp_json_null(j, rows[i].name); /* of no packet */
	}
	xp_json_end(j);
}

void xp_flow_members(struct xp_json *j, const struct net_flow *f)
{
	xp_json_double(j, "offered_load", f->offered_load);
	xp_json_double(j, "accepted_load", f->accepted_load);
	xp_json_object(j, "packets");
	xp_json_uint(j, "created", f->created);
	xp_json_uint(j, "injected", f->injected);
	xp_json_uint(j, "delivered", f->delivered);
	xp_json_uint(j, "dropped", f->dropped);
	xp_json_uint(j, "in_flight", f->in_flight);
	xp_json_uint(j, "queued", f->queued);
	xp_json_end(j);
	latency(j, "latency_ns", &f->latency);
	latency(j, "network_latency_ns", &f->network_latency);
	if (f->has_message_latency)
		latency(j, "message_latency_ns", &f->message_latency);
	xp_json_bool(j, "latency_censored", f->latency_censored);
	xp_json_object(j, "hops");
	xp_json_double(j, "mean", f->hops_mean);
	xp_json_uint(j, "max", f->hops_max);
	xp_json_end(j);
	xp_json_double(j, "minimal_fraction", f->minimal_fraction);
}

static void flows(struct xp_json *j, const char *key, const struct net_flow *v, uint32_t n)
{
	xp_json_array(j, key);
	for (uint32_t i = 0; i < n; i++) {
		xp_json_object(j, NULL);
		xp_json_string(j, "name", v[i].name);
		xp_json_uint(j, "endpoints", v[i].endpoints);
		xp_json_uint(j, "idle_endpoints", v[i].idle_endpoints);
		xp_flow_members(j, &v[i]);
		xp_json_end(j);
	}
	xp_json_end(j);
}

static double rate(uint64_t n, double seconds)
{
	return seconds > 0 ? (double)n / seconds : 0;
}

static double efficiency(const struct sim_counters *c)
{
	return c->events_processed ? 1.0 - (double)c->events_rolled_back / (double)c->events_processed : 1.0;
}

void xp_phase_members(struct xp_json *j, const struct sim_counters *c)
{
	xp_json_object(j, "phase_s");
	for (unsigned i = 0; i < SIM_PHASES; i++)
		xp_json_double(j, sim_phase_name(i), c->seconds[i]);
	xp_json_end(j);
}

void xp_work_members(struct xp_json *j, const struct sim_counters *c)
{
	xp_json_uint(j, "events_processed", c->events_processed);
	xp_json_uint(j, "events_speculative", c->speculative);
	xp_json_uint(j, "events_rolled_back", c->events_rolled_back);
	xp_json_uint(j, "rollbacks", c->rollbacks);
	xp_json_uint(j, "anti_messages", c->anti_messages);
	xp_json_double(j, "efficiency", efficiency(c));
	xp_json_uint(j, "remote_events", c->remote_events);
	xp_json_uint(j, "messages", c->messages);
	xp_json_uint(j, "message_bytes", c->message_bytes);
	xp_json_uint(j, "windows", c->windows);
	xp_json_uint(j, "gvt_rounds", c->gvt_rounds);
	xp_json_uint(j, "lps_moved", c->lps_moved);
	xp_phase_members(j, c);
}

static void engine(struct xp_json *j, const struct net_result *r)
{
	const struct sim_counters *c = &r->counters;
	xp_json_object(j, "engine");
	xp_json_string(j, "sync", r->sync);
	xp_json_int(j, "ranks", r->ranks);
	xp_json_int(j, "threads", r->threads);
	xp_json_uint(j, "events_committed", c->events_committed);
	xp_work_members(j, c);
	xp_json_double(j, "setup_s", r->setup_s);
	xp_json_double(j, "wall_s", r->wall_s);
	xp_json_double(j, "event_rate_per_s", rate(c->events_committed, r->wall_s));
	xp_json_uint(j, "packet_hops", r->packet_hops);
	xp_json_double(j, "packet_hops_per_s", rate(r->packet_hops, r->wall_s));
	xp_json_uint(j, "peak_rss_bytes", r->peak_rss_bytes);
	xp_json_uint(j, "peak_rss_rank_bytes", r->peak_rss_rank_bytes);
	xp_json_end(j);
}

void xp_summary_members(struct xp_json *j, const struct xp_run *run)
{
	const struct net_result *r = run->result;
	char digest[24];
	snprintf(digest, sizeof digest, "%016" PRIx64, r->digest);
	xp_json_string(j, "record", "summary");
	xp_json_bool(j, "complete", r->complete);
	if (run->stalled)
		xp_json_string(j, "stall", r->stall ? r->stall : "");
	xp_json_uint(j, "seed", run->config->seed);
	xp_json_double(j, "simulated_ns", (double)r->reached_ps / 1000);
	xp_json_object(j, "topology");
	xp_json_string(j, "kind", run->topo->kind);
	xp_json_uint(j, "switches", run->topo->switches);
	xp_json_uint(j, "endpoints", run->topo->endpoints);
	xp_json_uint(j, "links", run->facts.links);
	if (run->facts.diameter >= 0)
		xp_json_int(j, "diameter", run->facts.diameter);
	else
		xp_json_null(j, "diameter");
	xp_json_end(j);
	xp_json_uint(j, "vcs", r->vcs);
	xp_json_uint(j, "idle_switches", r->idle_switches);
	xp_flow_members(j, &r->total);
	flows(j, "jobs", r->jobs, r->njobs);
	flows(j, "classes", r->classes, r->nclasses);
	engine(j, r);
	xp_json_string(j, "digest", digest);
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
		if ((int)strlen(r->jobs[i].name) > width)
			width = (int)strlen(r->jobs[i].name);
	width = width > 32 ? 32 : width;
	fprintf(out, "\n%-*s  endpoints  offered  accepted  mean ns    p99 ns      hops   minimal\n", width, "job");
	for (uint32_t i = 0; i < r->njobs; i++) {
		const struct net_flow *f = &r->jobs[i];
		fprintf(out, "%-*.*s  %9" PRIu64 "  %.4f   %.4f    %-9.1f  %-9.1f  %6.3f  %6.3f\n", width, width,
		        f->name, f->endpoints, f->offered_load, f->accepted_load, f->latency.mean / 1000,
		        (double)f->latency.p99 / 1000, f->hops_mean, f->minimal_fraction);
	}
	fprintf(out, "\n");
}

void xp_summary_text(FILE *out, const struct xp_run *run, const char *file)
{
	const struct net_result *r = run->result;
	const struct net_flow *f = &r->total;
	char text[32], reached[48];
	base_print_quantity(BASE_TIME, r->reached_ps, reached, sizeof reached);
	if (!r->complete)
		fprintf(out, "%-16s %s after %s of simulated time: the numbers below are of that part\n", "incomplete",
		        run->stalled ? "stalled" : "stopped", reached);
	fprintf(out,
	        "%-16s %s, %" PRIu32 " switches, %" PRIu32 " endpoints, %s routing, %" PRIu32 " virtual channel%s\n",
	        "network", run->topo->kind, run->topo->switches, run->topo->endpoints,
	        run->config->routing.plugin->name, r->vcs, r->vcs == 1 ? "" : "s");
	fprintf(out, "%-16s %.4f offered, %.4f accepted, of the injection bandwidth\n", "load", f->offered_load,
	        f->accepted_load);
	line_latency(out, "latency", &f->latency, f->latency_censored);
	line_latency(out, "  in the network", &f->network_latency, f->latency_censored);
	if (f->has_message_latency)
		line_latency(out, "  of messages", &f->message_latency, f->latency_censored);
	fprintf(out, "%-16s mean %.4f, most %" PRIu32 ", %.2f %% of packets minimal\n", "hops", f->hops_mean,
	        f->hops_max, 100 * f->minimal_fraction);
	line_packets(out, f);
	if (r->idle_switches)
		fprintf(out, "%-16s %" PRIu64 " switches, left over by the traffic pattern\n", "idle",
		        r->idle_switches);
	if (r->njobs > 1)
		table_jobs(out, r);
	char threads[32] = "";
	if (r->threads > 1)
		snprintf(threads, sizeof threads, ", %d threads", r->threads);
	fprintf(out, "%-16s %s, %d rank%s%s, %.3f s, %.2f M events/s, %.2f M packet-hops/s, %.0f MB\n", "engine",
	        r->sync, r->ranks, r->ranks == 1 ? "" : "s", threads, r->wall_s,
	        1e-6 * rate(r->counters.events_committed, r->wall_s), 1e-6 * rate(r->packet_hops, r->wall_s),
	        1e-6 * (double)r->peak_rss_bytes);
	if (r->counters.events_rolled_back)
		fprintf(out, "%-16s %s events, efficiency %.4f\n", "  rolled back",
		        grouped(r->counters.events_rolled_back, text, sizeof text), efficiency(&r->counters));
	fprintf(out, "%-16s %016" PRIx64 "\n", "digest", r->digest);
	if (file)
		fprintf(out, "%-16s %s\n", "result", file);
}

/* network/stats/results.c - from sums to the results that users read: loads, latencies, digest. Runs on every rank,
 * from reduced numbers. */
#include "base/memory.h"
#include "network/legs.h"
#include "network/nic/nic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Everything about a set of jobs that adds up or takes an extreme. */
struct gathered {
	struct net_job_stats s;
	struct net_extremes x;
	uint64_t *latency, *network, *message, *iteration; /* histograms */
	struct net_iterations iterations;
	uint64_t members, idle, processes; /* processes: that end the run */
	struct net_node_stats inside;
	bool multi_packet, process, has_inside;
};

struct all_extremes {
	struct net_extremes *job;
	struct net_iterations *iterations;
};

static void gather_extremes(struct net *n, struct net_extremes *out)
{
	for (uint32_t j = 0; j < n->jobs; j++) {
		const struct net_extremes e = n->ring.extremes[j];
		uint64_t least[] = { e.latency_min, e.network_min, e.message_min };
		uint64_t most[] = { e.latency_max, e.network_max, e.message_max, e.hops_max };
		sim_min_u64(least, 3);
		sim_max_u64(most, 4);
		out[j] = (struct net_extremes){ least[0], most[0], least[1], most[1], least[2], most[2], most[3] };
	}
}

/* Values in a job's histogram. */
static uint64_t total(const uint64_t *histograms, uint32_t j)
{
	uint64_t n = 0;
	for (uint32_t i = 0; i < SIM_HISTOGRAM_BINS; i++)
		n += histograms[(size_t)j * SIM_HISTOGRAM_BINS + i];
	return n;
}

static void gather_iterations(struct net *n, struct net_iterations *out)
{
	for (uint32_t j = 0; n->traffic.process && j < n->jobs; j++) {
		out[j] = (struct net_iterations){ UINT64_MAX, 0, 0 };
		for (uint32_t i = 0; i < n->count; i++) {
			const struct net_iterations *x = net_iterations_at(n, net_lp_at(n, n->first + i), j);
			out[j].least = x->least < out[j].least ? x->least : out[j].least;
			out[j].most = x->most > out[j].most ? x->most : out[j].most;
			out[j].finished = x->finished > out[j].finished ? x->finished : out[j].finished;
		}
		sim_min_u64(&out[j].least, 1);
		sim_max_u64(&out[j].most, 2);
	}
}

static void add_job(const struct net *n, const struct all_extremes *extremes, uint32_t j, struct gathered *g)
{
	const uint64_t *from = (const uint64_t *)(const void *)&n->shared.job[j];
	uint64_t *to = (uint64_t *)(void *)&g->s;
	for (size_t i = 0; i < NET_JOB_WORDS; i++)
		to[i] += from[i];
	const struct net_extremes *x = &extremes->job[j];
	const struct net_iterations *y = &extremes->iterations[j];
	g->iterations.least = y->least < g->iterations.least ? y->least : g->iterations.least;
	g->iterations.most = y->most > g->iterations.most ? y->most : g->iterations.most;
	g->iterations.finished = y->finished > g->iterations.finished ? y->finished : g->iterations.finished;
	net_extremes_merge(&g->x, x);
	for (uint32_t i = 0; i < SIM_HISTOGRAM_BINS; i++) {
		size_t at = (size_t)j * SIM_HISTOGRAM_BINS + i;
		g->latency[i] += n->shared.latency[at];
		g->network[i] += n->shared.network[at];
		if (n->shared.message)
			g->message[i] += n->shared.message[at];
		if (n->shared.iteration)
			g->iteration[i] += n->shared.iteration[at];
	}
	base_check(total(n->shared.latency, j) == n->shared.job[j].arrived.packets &&
	           total(n->shared.network, j) == n->shared.job[j].arrived.packets &&
	           (!n->shared.message || total(n->shared.message, j) == n->shared.job[j].messages));
	if (n->shared.node && n->traffic.job[j].per_endpoint > 1) {
		const struct net_node_stats *s = &n->shared.node[j];
		g->has_inside = true;
		g->inside.posted += s->posted;
		g->inside.messages += s->messages;
		g->inside.bytes += s->bytes;
		g->inside.latency += s->latency;
	}
	g->multi_packet |= n->traffic.job[j].multi_packet;
	if (n->traffic.job[j].of != j) /* its job's */
		return;
	g->members += n->traffic.job[j].members;
	g->idle += n->traffic.job[j].idle;
	g->process |= n->traffic.job[j].process != NULL;
	g->processes += n->traffic.job[j].ends_run ? n->traffic.job[j].processes : 0;
}

/* A quantile is interpolated within its bin, but must not lie outside the observed range. */
static uint64_t quantile(const uint64_t *bins, uint64_t per_mille, uint64_t least, uint64_t most)
{
	uint64_t q = sim_histogram_quantile(bins, per_mille, 1000);
	return q < least ? least : q > most ? most : q;
}

static struct net_latency latency(const uint64_t *bins, uint64_t count, uint64_t sum, uint64_t least, uint64_t most)
{
	if (!count)
		return (struct net_latency){ 0 };
	base_checkf(least <= most && sum / count >= least && sum / count <= most,
	            "%llu values from %llu to %llu, sum %llu", (unsigned long long)count, (unsigned long long)least,
	            (unsigned long long)most, (unsigned long long)sum);
	return (struct net_latency){ .n = count,
		                     .min = least,
		                     .max = most,
		                     .mean = (double)sum / (double)count,
		                     .p50 = quantile(bins, 500, least, most),
		                     .p90 = quantile(bins, 900, least, most),
		                     .p99 = quantile(bins, 990, least, most),
		                     .p999 = quantile(bins, 999, least, most) };
}

static void estimated(struct net_flow *f, struct sim_steady *s)
{
	f->estimates = s;
	if (s && f->latency.n) /* of the same packets, and kept within what was seen */
		s->p99.value = (double)f->latency.p99;
	if (s && s->stationarity == SIM_GROWING)
		f->latency = f->network_latency = f->message_latency = f->iteration = (struct net_latency){ 0 };
}

/* Extremes are those of the whole run; if the measured window is determined later, its own are in the outermost bins.
 */
static void clamp_extremes(const uint64_t *bins, uint64_t *least, uint64_t *most)
{
	uint32_t low = 0, high = SIM_HISTOGRAM_BINS;
	while (low < SIM_HISTOGRAM_BINS && !bins[low])
		low++;
	while (high > low && !bins[high - 1])
		high--;
	if (low == high)
		return;
	if (*least < sim_histogram_low(low))
		*least = sim_histogram_low(low);
	if (*most >= sim_histogram_high(high - 1))
		*most = sim_histogram_high(high - 1) - 1;
}

static struct net_flow flow(const struct net *n, const char *name, struct gathered *g)
{
	const struct net_job_stats *s = &g->s;
	uint64_t to = n->result.reached_ps < n->times.measure_to ? n->result.reached_ps : n->times.measure_to;
	double span = to > n->times.measure_from ? (double)(to - n->times.measure_from) : 0;
	double capacity =
	    (double)g->members * span / ((double)n->common.link[SW_LINK_TERMINAL].ps_per_byte_q16 / 65536);
	const struct net_measured *sum = &s->arrived;
	uint64_t arrived = sum->packets;
	double d = (double)arrived;
	if (n->batches.on) {
		clamp_extremes(g->latency, &g->x.latency_min, &g->x.latency_max);
		clamp_extremes(g->network, &g->x.network_min, &g->x.network_max);
		clamp_extremes(g->message, &g->x.message_min, &g->x.message_max);
		clamp_extremes(g->iteration, &g->iterations.least, &g->iterations.most);
	}
	return (struct net_flow){
		.name = name,
		.offered_load = capacity > 0 ? (double)s->created_bytes_measured / capacity : 0,
		.accepted_load = capacity > 0 ? (double)s->delivered_bytes_measured / capacity : 0,
		.endpoints = g->members,
		.idle_endpoints = g->idle,
		.created = s->created,
		.injected = s->injected,
		.delivered = s->delivered,
		.dropped = s->dropped,
		.discarded = s->discarded,
		.in_flight = s->injected - s->delivered - s->dropped,
		.queued = s->queued,
		.delivered_bytes = s->delivered_bytes_measured,
		.latency = latency(g->latency, arrived, sum->latency, g->x.latency_min, g->x.latency_max),
		.network_latency = latency(g->network, arrived, sum->network, g->x.network_min, g->x.network_max),
		.message_latency = latency(g->message, s->messages, s->message_sum, g->x.message_min, g->x.message_max),
		.has_message_latency = g->multi_packet,
		.iteration =
		    latency(g->iteration, s->iterations, s->iteration_sum, g->iterations.least, g->iterations.most),
		.has_iterations = g->process,
		.has_inside = g->has_inside,
		.inside_messages = g->inside.messages,
		.inside_bytes = g->inside.bytes,
		.inside_under_way = g->inside.posted - g->inside.messages,
		.inside_latency_ps =
		    g->inside.messages ? (double)g->inside.latency / (double)g->inside.messages : (double)NAN,
		.hops_mean = d > 0 ? (double)sum->hops / d : 0,
		.hops_max = (uint32_t)g->x.hops_max,
		.minimal_fraction = d > 0 ? (double)sum->minimal / d : 0,
		.measured = s->measured,
		.measured_delivered = arrived,
		.arrived = s->arrived,
		.is_application = g->processes > 0,
		.completion_ps = g->iterations.finished,
		.processes = g->processes,
		.finished = s->finished,
		.latency_censored = (s->measured - arrived - s->measured_dropped) * 100 > s->measured,
	};
}

/* Latencies of a network that is not stationary depend on nothing but how long it was watched. */
static void clear(struct gathered *g)
{
	uint64_t *l = g->latency, *w = g->network, *m = g->message, *i = g->iteration;
	memset(i, 0, SIM_HISTOGRAM_BINS * sizeof *i);
	memset(l, 0, SIM_HISTOGRAM_BINS * sizeof *l);
	memset(w, 0, SIM_HISTOGRAM_BINS * sizeof *w);
	memset(m, 0, SIM_HISTOGRAM_BINS * sizeof *m);
	*g = (struct gathered){ .latency = l,
		                .network = w,
		                .message = m,
		                .iteration = i,
		                .iterations = { UINT64_MAX, 0, 0 },
		                .x = {
				    .latency_min = UINT64_MAX, .network_min = UINT64_MAX, .message_min = UINT64_MAX } };
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ull;
	return h ^ h >> 32;
}

static void summarise_flows(struct net *n)
{
	struct net_result *r = &n->result;
	struct all_extremes extremes = { base_calloc(n->jobs, sizeof *extremes.job),
		                         base_calloc(n->jobs, sizeof *extremes.iterations) };
	gather_extremes(n, extremes.job);
	gather_iterations(n, extremes.iterations);
	struct gathered g = { .latency = base_calloc(SIM_HISTOGRAM_BINS, 8),
		              .network = base_calloc(SIM_HISTOGRAM_BINS, 8),
		              .message = base_calloc(SIM_HISTOGRAM_BINS, 8),
		              .iteration = base_calloc(SIM_HISTOGRAM_BINS, 8) };
	r->njobs = n->traffic.jobs;
	r->jobs = base_calloc(r->njobs, sizeof *r->jobs);
	r->nclasses = n->config->nclasses;
	r->classes = base_calloc(r->nclasses, sizeof *r->classes);
	for (uint32_t j = 0; j < r->njobs; j++) {
		bool grows = false;
		clear(&g);
		for (uint32_t k = 0; k < n->jobs; k++)
			if (n->traffic.job[k].of == j) {
				add_job(n, &extremes, k, &g);
				grows |= !n->batches.on && n->legs->job_grows[k];
			}
		r->jobs[j] = flow(n, n->traffic.job[j].name, &g);
		r->jobs[j].application = net_application_make(n, j);
		estimated(&r->jobs[j], n->batches.on ? &n->legs->job[j] : NULL);
		r->jobs[j].growing = n->batches.on ? n->legs->job[j].stationarity == SIM_GROWING : grows;
	}
	for (uint32_t k = 0; k < r->nclasses; k++) {
		clear(&g);
		for (uint32_t j = 0; j < n->jobs; j++)
			if (n->traffic.job[j].class_index == k)
				add_job(n, &extremes, j, &g);
		g.members = n->traffic.senders(&n->traffic, k); /* one that is in several jobs injects once */
		r->classes[k] = flow(n, n->config->classes[k].name, &g);
	}
	clear(&g);
	for (uint32_t j = 0; j < n->jobs; j++)
		add_job(n, &extremes, j, &g);
	g.members = n->endpoints.senders;
	r->total = flow(n, "all", &g);
	estimated(&r->total, n->batches.on ? &n->legs->all : NULL);
	free(g.latency);
	free(g.network);
	free(g.message);
	free(g.iteration);
	free(extremes.job);
	free(extremes.iterations);
}

static void tally_switches(struct net *n)
{
	struct sw_tally *t = &n->result.switches;
	n->result.has_switches = n->common.ops->instruments.tally;
	if (!n->common.ops->instruments.tally)
		return;
	for (uint32_t i = 0; i < n->count; i++)
		n->common.ops->instruments.tally(&n->common, net_switch_state(n, net_lp_at(n, n->first + i)),
		                                 n->result.reached_ps, t);
	uint64_t sums[] = { t->marks, t->trims, t->drops, t->pauses, t->paused_ps };
	uint64_t most[] = { t->pause_depth, t->peak_bytes };
	sim_sum_u64(sums, sizeof sums / sizeof *sums);
	sim_max_u64(most, sizeof most / sizeof *most);
	*t = (struct sw_tally){ sums[0], sums[1], sums[2], sums[3], sums[4], most[0], most[1] };
}

void net_summarise(struct net *n)
{
	struct net_result *r = &n->result;
	summarise_flows(n);
	net_slowdowns_summarise(n);
	uint64_t h = *n->shared.digest;
	for (uint32_t j = 0; j < n->jobs; j++) {
		const struct net_job_stats *s = &n->shared.job[j];
		h = mix(mix(mix(mix(h, s->created), s->injected), s->delivered), s->queued);
		h = s->dropped ? mix(h, s->dropped) : h;
	}
	for (uint32_t j = 0; j < n->jobs; j++)
		if (n->traffic.job[j].ends_run)
			h = mix(mix(h, r->jobs[j].finished), r->jobs[j].completion_ps);
	for (uint32_t k = 0; k < NET_LOST_CAUSES && n->shared.loss; k++)
		h = mix(h, n->shared.loss->packets[k]);
	r->digest = h;
	tally_switches(n);
	net_wires_summarise(n);
	if (n->failures.on)
		net_failures_summarise(n);
	if (n->nic.wants)
		net_nics_summarise(n, r);
	r->has_applications = n->config->time.applications;
	r->packet_hops = *n->shared.packet_hops;
	r->ranks = sim_ranks();
	r->threads = (int)n->threads.n;
	r->vcs = n->common.vcs;
	r->window_ps = n->lookahead;
	r->measured_from_ps = n->times.measure_from;
	/* an interrupted run ends within it, or before it */
	r->measured_to_ps = n->times.measure_to < r->reached_ps ? n->times.measure_to : r->reached_ps;
	if (r->measured_to_ps < n->times.measure_from)
		r->measured_to_ps = n->times.measure_from;
	sim_counters_get(n->engine, &n->rank.counters);
	r->counters = n->rank.counters;
	sim_counters_reduce(&r->counters);
	uint64_t rss = n->rank.rss;
	sim_sum_u64(&rss, 1);
	r->peak_rss_bytes = rss;
	r->peak_rss_rank_bytes = n->rank.rss;
	sim_max_u64(&r->peak_rss_rank_bytes, 1);
	uint64_t wall_us = (uint64_t)(n->rank.wall * 1e6);
	sim_max_u64(&wall_us, 1);
	r->wall_s = (double)wall_us * 1e-6;
	for (uint32_t j = 0; j < n->traffic.jobs; j++)
		r->idle_switches += n->traffic.job[j].idle_switches;
}

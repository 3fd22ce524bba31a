/* experiments/compare/sim_run.c - one run: the assignments that make it, and what its result log says. */
#include "experiments/compare/compare.h"
#include "experiments/results/reader.h"
#include "experiments/results/statistics.h"

#include "base/format.h"
#include "base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRIVES 0.99 /* share of what is offered, which a backlog that grows fast would not leave */
#define OTHER_SEED 104729u
#define WARM_AGAIN 2    /* times the length of the run that was too short to decide */
#define USUAL_PACE 1e-6 /* seconds a packet */

const char *const xp_fidelity_names[XP_FIDELITIES] = { "short", "long", "latency", "collective" };

static char *print(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *print(const char *format, ...)
{
	va_list ap;
	char *text = NULL;
	va_start(ap, format);
	text = base_vformat(format, ap);
	va_end(ap);
	return text;
}

static void add_setting(struct xp_sim_run *run, char *set, const char *at)
{
	int n = 0;
	while (n < XP_RUN_SETS && run->set[n])
		n++;
	if (n == XP_RUN_SETS || !set) {
		free(set);
		return;
	}
	run->set[n] = set;
	run->at[n] = at;
}

static struct xp_sim_run *make(struct xp_compare *c, const struct xp_design *d, enum xp_fidelity fidelity)
{
	struct xp_sim_run *run = base_calloc(1, sizeof *run);
	*run = (struct xp_sim_run){ .fidelity = fidelity,
		                    .mean_ns = NAN,
		                    .p99_ns = NAN,
		                    .p999_ns = NAN,
		                    .mean_half_ns = NAN,
		                    .p99_half_ns = NAN,
		                    .slowest_ns = NAN };
	add_setting(run, base_strdup(d->net->topology), d->net->candidate->at);
	if (d->net->links)
		add_setting(run, base_strdup(d->net->links), NULL);
	if (d->routing->set)
		add_setting(run, base_strdup(d->routing->set), d->routing->at);
	if (d->congestion->set)
		add_setting(run, base_strdup(d->congestion->set), d->congestion->at);
	for (size_t i = 0; i < d->nmore; i++)
		add_setting(run, base_strdup(d->more[i]), NULL);
	if (c->fresh)
		add_setting(run, base_strdup(c->fresh), NULL);
	if (c->nsim_runs == c->cap) {
		c->cap = c->cap ? 2 * c->cap : 64;
		c->sim_run = base_realloc(c->sim_run, c->cap * sizeof *c->sim_run);
	}
	c->sim_run[c->nsim_runs++] = run;
	return run;
}

/* A message of one packet's size is a packet, for which a run has no key. Owned by the caller. */
static char *message_of(const struct xp_series *s)
{
	uint64_t bytes;
	const char *why;
	if (!s->message || (!base_parse_size(s->message, &bytes, &why) && bytes == s->demand->packet))
		return base_strdup("");
	return print("message = \"%s\"; ", s->message);
}

/* The jobs of one pattern. The worst permutation is two jobs, so that the throughput of its channel is known. Before
 * the permutations are known, when the study's keys are checked, it is that of minimal routing: a routing without one
 * fails alone, later. Returns their number. */
static int add_jobs(struct base_buffer *out, const struct xp_series *s, const struct xp_demand *d, double load,
                    const char *message)
{
	const char *between = out->n ? ", " : "";
	bool wanted = !strcmp(d->pattern, "worst-permutation"), worst = wanted && s->through;
	if (worst)
		base_buffer_printf(out,
		                   "%s{ name = \"through\"; pattern = \"permutation\"; file = %s; load = %.9g; %s%s}",
		                   between, s->through, load, message, d->job);
	if (worst && s->rest)
		base_buffer_printf(out, ", { name = \"rest\"; pattern = \"permutation\"; file = %s; load = %.9g; %s%s}",
		                   s->rest, load, message, d->job);
	if (!worst)
		base_buffer_printf(out, "%s{ name = \"%s\"; pattern = \"%s\"; %sload = %.9g; %s%s}", between, d->name,
		                   d->pattern, wanted ? "of = \"minimal\"; " : "", load, message, d->job);
	return worst && s->rest ? 2 : 1;
}

/* The jobs of a series at a load, those of a mix by parts; the run knows what they are. */
static char *jobs_of(const struct xp_compare *c, const struct xp_series *s, double load, struct xp_sim_run *run)
{
	const struct xp_demand *d = s->demand;
	struct base_buffer out = { 0 };
	char *message = message_of(s);
	int n = 0;
	for (size_t i = 0; i < d->nparts; i++) {
		int end = n + add_jobs(&out, s, &c->study.demand[d->part[i]], load * d->weight[i], message);
		for (; n < end; n++) {
			run->job[n].weight = d->weight[i];
			run->part[n] = i;
		}
	}
	if (!d->nparts)
		add_jobs(&out, s, d, load, message);
	char *text = print("traffic=( %s )", out.data);
	free(out.data);
	free(message);
	return text;
}

/* Seconds that a packet takes, by the last run of the series. */
static double pace_of(const struct xp_series *s)
{
	const struct xp_sim_run *last = s->nruns ? s->run[s->nruns - 1] : NULL;
	return last && last->done && last->wall_s > 0 ? last->wall_s / last->sent : USUAL_PACE;
}

struct xp_sim_run *xp_sim_run_of_series(struct xp_compare *c, struct xp_series *s, double load,
                                        enum xp_fidelity fidelity)
{
	const struct xp_design *d = s->design;
	const struct xp_study_numbers *n = &c->study.number;
	struct xp_sim_run *run = make(c, d, fidelity);
	double packets = xp_search_packets(s, fidelity == XP_LONG ? (double)n->many * (s->longer > 0 ? s->longer : 1)
	                                                          : (double)n->few),
	       warmup = xp_search_warmup(s, packets), unit_ns = c->unit_ns[s - d->series] / load;
	run->load = load;
	run->packets = packets;
	run->of_run = packets / (warmup + packets);
	run->sent = (warmup + packets) * d->net->costing.topo.endpoints;
	run->work = run->sent * pace_of(s);
	add_setting(run, jobs_of(c, s, load, run), s->demand->at);
	if (fidelity == XP_LATENCY)
		add_setting(run,
		            print("time={ precision = \"%.9g%%\"; limit = \"%llups\"; }",
		                  n->precision * (c->coarse > 1 ? c->coarse : 1), (unsigned long long)n->limit),
		            NULL);
	else
		add_setting(run,
		            print("time={ warmup = \"%.0fns\"; measure = \"%.0fns\"; drain = false; }",
		                  ceil(warmup * unit_ns), ceil(packets * unit_ns)),
		            NULL);
	char longer[32] = "";
	if (fidelity == XP_LONG && s->longer > 0 && fabs(s->longer - 1) > 1e-9)
		snprintf(longer, sizeof longer, "-x%.3g", s->longer);
	else if (fidelity == XP_LATENCY && c->coarse > 1)
		snprintf(longer, sizeof longer, "-coarse");
	run->name =
	    print("%s_%s%s%s_%s%s%s_%.6g", d->name, s->demand->name, s->message ? "_" : "",
	          s->message ? s->message : "", xp_fidelity_names[fidelity], longer, c->fresh ? "-fresh" : "", load);
	return run;
}

bool xp_latency_is_doubtful(const struct xp_series *s, const struct xp_sim_run *l)
{
	bool arrives = l->jobs && l->job[0].offered > 0 && l->job[0].accepted >= ARRIVES * l->job[0].offered;
	return l->fidelity == XP_LATENCY && !l->again && l->done && l->said == SIM_GROWING &&
	       (s->low >= l->load || arrives);
}

/* Another seed than that of the study, by so much. */
static void add_seed(const struct xp_compare *c, struct xp_sim_run *run, uint64_t by)
{
	struct xp_config config = { 0 };
	struct base_errors errors = { 0 };
	if (!xp_sim_run_config(c, run, &config, &errors)) {
		uint64_t seed = config.net.seed, other = seed > INT64_MAX / 2 ? seed - by : seed + by;
		add_setting(run, print("seed=%llu", (unsigned long long)other), NULL);
	}
	xp_config_free(&config);
	base_errors_free(&errors);
}

struct xp_sim_run *xp_sim_run_again(struct xp_compare *c, struct xp_series *s, const struct xp_sim_run *first)
{
	struct xp_sim_run *run = xp_sim_run_of_series(c, s, first->load, XP_LATENCY);
	double limit_ns = (double)c->study.number.limit / 1e3;
	add_setting(run, print("time.warmup=%.0fns", ceil(fmin(WARM_AGAIN * first->simulated_ns, limit_ns / 4))), NULL);
	add_seed(c, run, OTHER_SEED);
	run->again = true;
	char *name = print("%s-again", run->name);
	free(run->name);
	run->name = name;
	return run;
}

struct xp_sim_run *xp_sim_run_of_collective(struct xp_compare *c, struct xp_design *d, const struct xp_collective *k,
                                            const char *size, unsigned seed)
{
	struct xp_sim_run *run = make(c, d, XP_COLLECTIVE);
	char *phases = k->phases ? print("phases = %lld; ", (long long)k->phases) : base_strdup("");
	add_setting(run,
	            print("traffic=( { name = \"%s\"; process = \"%s\"; size = \"%s\"; iterations = 1; %s%s} )",
	                  k->name, k->process, size, phases, k->job),
	            k->at);
	add_setting(run,
	            print("time={ warmup = \"0ns\"; measure = \"%llups\"; drain = false; }",
	                  (unsigned long long)c->study.number.limit),
	            NULL);
	free(phases);
	run->work = USUAL_PACE * d->net->costing.topo.endpoints;
	char number[24] = "";
	if (seed) {
		add_seed(c, run, seed);
		snprintf(number, sizeof number, "_seed%u", seed + 1);
	}
	run->name = print("%s_%s_%s%s", d->name, k->name, size, number);
	return run;
}

/* --- results --------------------------------------------------------------------------------------------- */

static double half_width(const json_t *summary, const char *name)
{
	return (xp_record_end(summary, name, 1) - xp_record_end(summary, name, -1)) / 2;
}

static void read_jobs(struct xp_sim_run *run, const json_t *jobs)
{
	uint64_t senders[XP_MOST_PARTS] = { 0 };
	for (size_t i = 0; i < json_array_size(jobs) && i < XP_MOST_JOBS; i++) {
		const json_t *job = json_array_get(jobs, i);
		struct xp_share *share = &run->job[run->jobs++];
		double weight = share->weight > 0 ? share->weight : 1;
		share->offered = xp_number(job, "offered_load", NULL) / weight;
		share->accepted = xp_number(job, "accepted_load", NULL) / weight;
		double delivered = xp_number(job, "packets", "delivered", NULL); /* of the whole run */
		share->delivered = (uint64_t)fmax(0, delivered * (run->of_run > 0 ? run->of_run : 1));
		senders[run->part[i]] += (uint64_t)fmax(0, xp_number(job, "endpoints", NULL));
		double ended = xp_number(job, "iterations", NULL);
		if (ended > 0) {
			run->finished = (uint64_t)ended;
			run->slowest_ns = xp_number(job, "iteration_ns", "max", NULL);
		}
	}
	for (size_t i = 0; i < XP_MOST_PARTS; i++) /* parts of a mix share endpoints */
		run->senders = senders[i] > run->senders ? senders[i] : run->senders;
}

static void read_summary(struct xp_sim_run *run, const json_t *summary)
{
	run->said = xp_stationarity(summary);
	run->precise = json_is_true(json_object_get(summary, "precise"));
	run->mean_ns = xp_number(summary, "latency_ns", "mean", NULL);
	run->p99_ns = xp_number(summary, "latency_ns", "p99", NULL);
	run->p999_ns = xp_number(summary, "latency_ns", "p999", NULL);
	run->mean_half_ns = half_width(summary, "latency_ns.mean");
	run->p99_half_ns = half_width(summary, "latency_ns.p99");
	run->simulated_ns = xp_number(summary, "simulated_ns", NULL);
	run->wall_s = xp_number(summary, "engine", "wall_s", NULL);
	run->packet_hops = (uint64_t)fmax(0, xp_number(summary, "engine", "packet_hops", NULL));
	run->events = (uint64_t)fmax(0, xp_number(summary, "engine", "events_committed", NULL));
	snprintf(run->digest, sizeof run->digest, "%s", xp_text(summary, "digest"));
	read_jobs(run, json_object_get(summary, "jobs"));
	run->done = true;
}

void xp_sim_run_read(struct xp_sim_run *run, const char *file)
{
	struct xp_log *log = xp_log_open(file, NULL);
	json_t *record;
	run->file = base_strdup(file);
	while (log && (record = xp_log_next(log))) {
		if (!run->done && !strcmp(xp_record_kind(record), "summary"))
			read_summary(run, record);
		json_decref(record);
	}
	if (log)
		xp_log_close(log);
	for (int i = 0; i < run->jobs && run->done && run->fidelity != XP_COLLECTIVE; i++)
		if (!(run->job[i].offered > 0)) {
			run->done = false;
			run->failed = base_strdup("nothing was sent in its window");
			return;
		}
	if (!run->done)
		run->failed = base_strdup("it left no readable result");
}

double xp_collective_ns(const struct xp_design *d, const struct xp_collective *k, const struct xp_sim_run *run)
{
	double members = d->net->costing.topo.endpoints;
	if (!run || !run->done || (double)run->finished < members)
		return NAN;
	return run->slowest_ns * (k->phases ? (members - 1) / fmin((double)k->phases, members - 1) : 1);
}

void xp_sim_run_free(struct xp_sim_run *run)
{
	for (int i = 0; i < XP_RUN_SETS; i++)
		free(run->set[i]);
	free(run->name);
	free(run->failed);
	free(run->file);
	free(run);
}

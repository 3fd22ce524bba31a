/* sim/phold.c - see phold.h */
#include "sim/phold.h"

#include "base/clock.h"
#include "base/memory.h"
#include "sim/rng.h"

#include <stdlib.h>

struct phold_lp {
	uint64_t digest;
	uint32_t executed;
	uint32_t sent;
};

struct phold {
	struct sim_phold p;
	sim_lpid first, count;
	struct phold_lp *lps;
};

static uint64_t mix(uint64_t v)
{
	v ^= v >> 31;
	v *= 0x7fb5d329728ea185ull;
	v ^= v >> 27;
	v *= 0x81dadef4bc2dd44dull;
	return v ^ v >> 33;
}

static void send_one(struct sim_ctx *ctx, struct phold *m, sim_lpid from, uint32_t index, uint32_t count)
{
	struct sim_draw d = sim_draw4(m->p.seed, from, index, SIM_DRAW_MODEL, 0);
	sim_lpid to = sim_below(d.v[2], 1000000) < m->p.remote_ppm ? sim_below(d.v[3], m->p.lps) : from;
	sim_time delay = m->p.lookahead + sim_exponential((uint64_t)d.v[0] << 32 | d.v[1], m->p.mean);
	struct sim_event *ev = sim_send(ctx, to, ctx->now + delay, sim_key(0, from, count), SIM_SHORT_WORDS);
	ev->kind = 0;
	ev->aux = 0;
	ev->payload[0] = from;
}

static void handle(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev)
{
	struct phold *m = self;
	struct phold_lp *lp = &m->lps[id - m->first];
	uint64_t h = mix(ev->time ^ mix((uint64_t)id << 32 | (uint32_t)ev->payload[0]));
	sim_set(ctx, &lp->digest, lp->digest + h);
	uint32_t count = lp->sent;
	sim_set(ctx, &lp->executed, lp->executed + 1);
	sim_set(ctx, &lp->sent, count + 1);
	send_one(ctx, m, id, count, count);
}

static const char *kind_name(unsigned kind)
{
	(void)kind;
	return "phold";
}

static void regions(void *self, sim_lpid id, void (*visit)(void *arg, void *at, size_t bytes), void *arg)
{
	struct phold *m = self;
	if (id != SIM_NO_LP)
		visit(arg, &m->lps[id - m->first], sizeof(struct phold_lp));
}

void sim_phold_defaults(struct sim_phold *p)
{
	*p = (struct sim_phold){
		.lps = 16384,
		.start_events = 16,
		.remote_ppm = 100000,
		.mean = 900000,
		.lookahead = 100000,
		.end = 20000000,
		.seed = 1,
	};
}

static void count_event(void *arg, const struct sim_event *ev)
{
	(void)ev;
	++*(uint64_t *)arg;
}

/* Every event sends one, so their number is constant. `executed` and `sent`: of all LPs. */
static void check_events(struct sim_engine *e, const struct sim_phold *p, uint64_t executed, uint64_t sent)
{
	uint64_t left = 0, first = (uint64_t)p->lps * p->start_events;
	sim_leftovers(e, count_event, &left);
	sim_sum_u64(&left, 1);
	base_checkf(sent == first + executed, "%llu sent, %llu executed", (unsigned long long)sent,
	            (unsigned long long)executed);
	base_checkf(left == first, "%llu events left of %llu", (unsigned long long)left, (unsigned long long)first);
}

static int check(const struct sim_phold *p, struct base_errors *errors)
{
	if (p->lps < 1 || p->lps > 1u << 30)
		return base_errorf(errors, "--lps", "%u is out of range: 1 to 2^30", p->lps);
	if (p->mean < 1 || p->mean > 1ull << 44)
		return base_errorf(errors, "--mean", "%llu ps is out of range: 1 ps to 17 s",
		                   (unsigned long long)p->mean);
	return 0;
}

int sim_phold_run(const struct sim_phold *p, struct sim_phold_result *out, struct base_errors *errors)
{
	*out = (struct sim_phold_result){ 0 };
	if (check(p, errors))
		return -1;
	double t0 = base_seconds();
	int ranks = sim_ranks(), rank = sim_rank();
	sim_lpid *first = base_calloc((size_t)ranks + 1, sizeof *first);
	for (int r = 0; r <= ranks; r++)
		first[r] = (sim_lpid)((uint64_t)p->lps * (unsigned)r / (unsigned)ranks);
	struct phold m = { .p = *p, .first = first[rank], .count = first[rank + 1] - first[rank] };
	m.lps = base_map((m.count + 1u) * sizeof *m.lps);
	struct sim_config config = {
		.sync = p->sync,
		.seed = p->seed,
		.first_lp = first,
		.lookahead = p->lookahead,
		.end = p->end,
		.window = p->window,
		.events_per_lp = (double)p->start_events * (double)(p->window ? p->window : p->lookahead) /
		                 (double)(p->mean + p->lookahead),
		.optimism = p->optimism,
		.gvt_interval = p->gvt_interval,
		.stress = p->stress,
		.audit = p->audit,
		.progress = p->progress,
		.progress_arg = p->progress_arg,
	};
	struct sim_model model = { .self = &m, .handle = handle, .kind_name = kind_name, .regions = regions };
	struct sim_engine *e = sim_create(&config, &model, errors);
	if (e) {
		struct sim_ctx *ctx = sim_context(e);
		for (sim_lpid i = 0; i < m.count; i++) {
			sim_initial(ctx, m.first + i);
			for (uint32_t k = 0; k < p->start_events; k++)
				send_one(ctx, &m, m.first + i, k, m.lps[i].sent++);
		}
		double t1 = base_seconds();
		out->outcome = sim_run(e, errors);
		out->wall_s = base_seconds() - t1;
		out->setup_s = t1 - t0;
		uint64_t sums[3] = { 0, 0, 0 };
		for (sim_lpid i = 0; i < m.count; i++) {
			sums[0] += mix(m.lps[i].digest + m.first + i);
			sums[1] += m.lps[i].executed;
			sums[2] += m.lps[i].sent;
		}
		sim_sum_u64(sums, 3);
		if (BASE_CHECKING && out->outcome == SIM_DONE)
			check_events(e, p, sums[1], sums[2]);
		out->digest = sums[0];
		out->events = sums[1];
		sim_counters_get(e, &out->counters);
		sim_counters_reduce(&out->counters);
		out->peak_rss_bytes = base_peak_rss();
		sim_sum_u64(&out->peak_rss_bytes, 1);
		out->state_bytes = (uint64_t)p->lps * sizeof(struct phold_lp);
		sim_destroy(e);
	}
	base_unmap(m.lps, (m.count + 1u) * sizeof *m.lps);
	free(first);
	return e ? 0 : -1;
}

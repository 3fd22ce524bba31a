/* routing/bounds/worst.c - the worst permutation over all channels: examines the channels of one switch of each orbit
 * (set of switches that are equivalent by symmetry), in decreasing order of an upper bound of their load, until no
 * bound exceeds the maximum found. */
#include "routing/bounds/worst.h"

#include "base/memory.h"
#include "sim/rng.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ORBITS 65536u
#define MOST_PAIRS ((size_t)24 << 20)    /* of one batch of channels, 16 bytes each */
#define MOST_VISITS UINT64_C(4000000000) /* channels by destinations */
#define MOST_CELLS UINT64_C(600000000)   /* of all dense problems together */
#define MOST_STATES UINT64_C(400000000)  /* pairs of switches whose paths are followed */

struct worst_search {
	const struct rt_flows *f;
	struct rt_channel *channel;
	size_t channels;
	struct rt_entry *entry;
	size_t *first;
	struct rt_worst *worst;
	struct rt_shipment *best;
	size_t nbest;
};

static void list_channels(struct worst_search *s)
{
	const struct topo *topo = s->f->topo;
	struct topo_orbit *orbit = base_calloc(MOST_ORBITS, sizeof *orbit);
	/* With cables of their own bandwidth switches of an orbit are no longer equivalent. */
	size_t orbits = topo->ops->orbits && !topo->kinds ? topo->ops->orbits(topo, orbit, MOST_ORBITS) : 0;
	uint32_t n = orbits ? (uint32_t)orbits : topo->switches;
	for (uint32_t i = 0; i < n; i++)
		s->channels += topo_ports(topo, orbits ? orbit[i].representative : i);
	s->channel = base_calloc(s->channels + 1, sizeof *s->channel);
	size_t at = 0;
	for (uint32_t i = 0; i < n; i++) {
		topo_switch here = orbits ? orbit[i].representative : i;
		for (topo_port p = 0; p < topo_ports(topo, here); p++)
			s->channel[at++] = (struct rt_channel){
				.at = here, .port = p, .rate = s->f->rate[topo_peer(topo, here, p).link_class]
			};
	}
	free(orbit);
}

static void add_pair(struct rt_pairs *p, struct rt_pair pair)
{
	if (p->n == p->cap) {
		p->cap = p->cap ? 2 * p->cap : 64;
		p->v = base_realloc(p->v, p->cap * sizeof *p->v);
	}
	p->v[p->n++] = pair;
}

/* Legs to every switch over the channels [from, to). Returns -1 if a switch cannot be reached. */
static int collect_legs(struct worst_search *s, size_t from, size_t to, bool first)
{
	const struct topo *topo = s->f->topo;
	topo_switch *source = base_calloc(s->f->graph.n, sizeof *source);
	double *share = base_calloc(s->f->graph.n, sizeof *share);
	struct rt_ways w;
	int status = 0;
	rt_ways_open(&w, topo, &s->f->graph, s->f->split);
	w.to_group = first;
	for (topo_switch d = 0; d < s->f->graph.n && !status; d++) {
		if (!topo_endpoints_at(topo, d))
			continue;
		status = rt_ways_to(&w, d);
		for (size_t i = from; i < to && !status; i++) {
			struct rt_channel *c = &s->channel[i];
			uint32_t n = rt_ways_through(&w, c->at, c->port, source, share);
			for (uint32_t k = 0; k < n; k++)
				add_pair(first ? &c->first : &c->legs, (struct rt_pair){ source[k], d, share[k] });
		}
	}
	rt_ways_close(&w);
	free(source);
	free(share);
	return status;
}

static int by_upper(const void *a, const void *b)
{
	const struct rt_channel *x = a, *y = b;
	if (x->upper != y->upper)
		return x->upper > y->upper ? -1 : 1;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->port < y->port ? -1 : x->port > y->port;
}

static void free_pairs(struct rt_channel *c)
{
	free(c->legs.v);
	free(c->first.v);
	c->legs = c->first = (struct rt_pairs){ 0 };
}

static void solve(struct worst_search *s, const struct rt_channel *c)
{
	struct rt_shipment *shipment = NULL;
	size_t n = 0;
	if (c->upper <= s->worst->load * (1 + 1e-9))
		return;
	uint64_t n2 = (uint64_t)s->f->graph.n * s->f->graph.n;
	if (s->f->spread >= RT_SPREAD_BY_REMOTE && (s->worst->solved + 1) * n2 > MOST_CELLS) {
		s->worst->exact = false;
		return;
	}
	double load = rt_worst_of_channel(s->f, c, s->entry, s->first, &shipment, &n, &s->worst->exact) / c->rate;
	s->worst->solved++;
	if (load <= s->worst->load * (1 + 1e-9)) {
		free(shipment);
		return;
	}
	free(s->best);
	s->best = shipment;
	s->nbest = n;
	s->worst->load = load;
	s->worst->at = c->at;
	s->worst->port = c->port;
}

/* Channels whose pairs fit into memory together, in decreasing order of their bounds. */
static int solve_batch(struct worst_search *s, size_t from, size_t to)
{
	int status = collect_legs(s, from, to, false);
	if (!status && s->f->spread == RT_SPREAD_BY_GROUP)
		status = collect_legs(s, from, to, true);
	for (size_t i = from; i < to && !status; i++)
		s->channel[i].upper = rt_upper_of_channel(s->f, &s->channel[i]) / s->channel[i].rate;
	qsort(s->channel + from, to - from, sizeof *s->channel, by_upper);
	for (size_t i = from; i < to; i++) {
		if (!status)
			solve(s, &s->channel[i]);
		free_pairs(&s->channel[i]);
	}
	return status;
}

static size_t batch_of(const struct worst_search *s)
{
	uint64_t n = s->f->topo->switches, pairs = n * n * s->f->topo->ops->max_distance(s->f->topo);
	uint64_t each = pairs / (s->f->graph.first[n] + 1) + 1, batch = MOST_PAIRS / each / 2;
	return batch < 1 ? 1 : batch > s->channels ? s->channels : (size_t)batch;
}

/* --- from switches to endpoints -------------------------------------------------------------------------- */

struct filling {
	const struct topo *topo;
	uint32_t *to;         /* [endpoints] */
	bool *takes;          /* [endpoints] */
	bool *taken;          /* [endpoints]: receives */
	uint32_t *sent, *got; /* [switches]: endpoints in use as sources, as destinations */
};

static void ship(struct filling *x, const struct rt_shipment *shipment)
{
	for (uint32_t i = 0; i < shipment->amount; i++) {
		uint32_t from = topo_first_endpoint(x->topo, shipment->row) + x->sent[shipment->row]++;
		uint32_t to = topo_first_endpoint(x->topo, shipment->column) + x->got[shipment->column]++;
		x->to[from] = to;
		x->taken[to] = true;
		x->takes[from] = true;
	}
}

/* Pairs the other endpoints at random; if possible no endpoint with itself. */
static void fill_at_random(struct filling *x)
{
	uint32_t n = 0, endpoints = x->topo->endpoints;
	uint32_t *from = base_calloc(endpoints, sizeof *from), *free_one = base_calloc(endpoints, sizeof *free_one);
	for (uint32_t e = 0, k = 0; e < endpoints; e++) {
		if (x->to[e] == TOPO_NONE)
			from[n++] = e;
		if (!x->taken[e])
			free_one[k++] = e;
	}
	for (uint32_t i = n; i-- > 1;) {
		uint32_t j = sim_below(sim_draw4(0, 0, i, SIM_DRAW_SETUP, 0).v[0], i + 1), other = free_one[j];
		free_one[j] = free_one[i];
		free_one[i] = other;
	}
	for (uint32_t i = 0; i < n && n > 1; i++) {
		uint32_t j = (i + 1) % n, other = free_one[j];
		if (free_one[i] != from[i])
			continue;
		free_one[j] = free_one[i]; /* from[j] differs, so this is no fixed point; the other may become one */
		free_one[i] = other;
	}
	for (uint32_t i = 0; i < n; i++)
		x->to[from[i]] = free_one[i];
	free(from);
	free(free_one);
}

static void make_permutation(struct worst_search *s)
{
	const struct topo *topo = s->f->topo;
	struct rt_worst *worst = s->worst;
	struct filling x = { .topo = topo };
	x.to = worst->to = base_calloc(topo->endpoints, sizeof *x.to);
	x.takes = worst->takes = base_calloc(topo->endpoints, sizeof *x.takes);
	x.taken = base_calloc(topo->endpoints, sizeof *x.taken);
	x.sent = base_calloc(topo->switches, sizeof *x.sent);
	x.got = base_calloc(topo->switches, sizeof *x.got);
	memset(x.to, 0xff, topo->endpoints * sizeof *x.to);
	for (size_t i = 0; i < s->nbest; i++) {
		ship(&x, &s->best[i]);
		worst->through += s->best[i].amount;
	}
	fill_at_random(&x);
	free(x.taken);
	free(x.sent);
	free(x.got);
}

int rt_worst_permutation(const struct rt_flows *f, struct rt_worst *worst, const char **why)
{
	struct worst_search s = { .f = f, .worst = worst };
	uint64_t n = f->topo->switches;
	*worst = (struct rt_worst){ .exact = true, .at = TOPO_NONE };
	*why = "the network is too large to compute its worst permutation";
	if (n * n > MOST_STATES || f->graph.first[n] * n > 100 * MOST_VISITS)
		return -1;
	list_channels(&s);
	worst->channels = s.channels;
	int status = s.channels * n > MOST_VISITS ? -1 : 0;
	if (f->spread == RT_SPREAD_BY_GROUP && !status)
		s.entry = rt_entries(f, &s.first);
	size_t batch = status ? 0 : batch_of(&s);
	if (!status)
		*why = RT_NO_WAY;
	for (size_t i = 0; i < s.channels && !status; i += batch)
		status = solve_batch(&s, i, i + batch < s.channels ? i + batch : s.channels);
	if (!status) {
		make_permutation(&s);
		*why = NULL;
	}
	free(s.entry);
	free(s.first);
	free(s.best);
	free(s.channel);
	return status;
}

void rt_worst_free(struct rt_worst *worst)
{
	free(worst->to);
	free(worst->takes);
	worst->to = NULL;
	worst->takes = NULL;
}

struct flow {
	topo_switch from, to;
};

static int by_destination(const void *a, const void *b)
{
	const struct flow *x = a, *y = b;
	return x->to != y->to ? (x->to < y->to ? -1 : 1) : x->from < y->from ? -1 : x->from > y->from;
}

/* Shortest paths: all flows to a switch at once. */
static void load_destinations(const struct rt_flows *f, const struct flow *flow, uint32_t n, double *load)
{
	double *weight = base_calloc(f->graph.n, sizeof *weight);
	struct rt_ways w;
	rt_ways_open(&w, f->topo, &f->graph, f->split);
	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && flow[end].to == flow[i].to; end++)
			weight[flow[end].from]++;
		if (!rt_ways_to(&w, flow[i].to))
			rt_ways_load(&w, weight, load, NULL);
		for (uint32_t k = i; k < end; k++)
			weight[flow[k].from] = 0;
	}
	rt_ways_close(&w);
	free(weight);
}

void rt_permutation_loads(const struct rt_flows *f, const uint32_t *to, double *load)
{
	const struct topo *topo = f->topo;
	struct flow *flow = base_calloc(topo->endpoints + 1, sizeof *flow);
	uint32_t n = 0;
	for (uint32_t e = 0; e < topo->endpoints; e++) {
		struct flow x = { topo_switch_of(topo, e), topo_switch_of(topo, to[e]) };
		if (x.from != x.to)
			flow[n++] = x;
	}
	qsort(flow, n, sizeof *flow, by_destination);
	if (f->spread == RT_SPREAD_MINIMAL)
		load_destinations(f, flow, n, load);
	for (uint32_t i = 0; i < n && f->spread != RT_SPREAD_MINIMAL; i++)
		rt_pair_loads(f, flow[i].from, flow[i].to, load);
	free(flow);
}

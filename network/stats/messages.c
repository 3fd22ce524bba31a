/* network/stats/messages.c - messages one by one (record.messages), and their slowdown: how many times as long each
 * took as it would have in the same network if that were empty.
 *
 * In the empty network a message of k packets takes, along a route with links 0 (from the endpoint) to m (to the
 * endpoint):
 *
 *     a[0][0] = 0
 *     a[i][l] = max(a[i][l - 1] + d[i][l], a[i - 1][l] + s[i - 1][l] + gap[l])    packet i begins to leave on link l
 *     ideal   = a[k - 1][m] + s[k - 1][m] + latency[m], and what endpoints take: nic.overhead_send, nic.latency twice,
 *               nic.overhead_receive, of a process
 *
 * with s the time of a packet's bits on a link, and d the latency of link l - 1 and the switch's traversal, as the head
 * of a packet sees it; in store-and-forward also s of link l - 1; in cut-through as much more as a faster link l would
 * otherwise run dry. All packets but the last are of one size, so that packet i begins i times the slowest link's time
 * later (the links of a message are a tandem queue of constant services), and the sum needs no loop over packets.
 *
 * The route is the one that the routing takes for the pair, if there is one only. Otherwise it is the topology's first
 * minimal route (with routes of a table or of least latency one drawn from these), and as packets of the message may
 * take different ones side by side, only links 0 and m, which they share, hold a packet back until those before it have
 * left.
 *
 * A slowdown is an integer, in units of 2^-16, so sums and histograms are the same on any number of ranks. */
#include "base/memory.h"
#include "network/net.h"
#include "network/nic/nic.h"
#include "network/stats/sample.h"
#include "routing/routes.h"

#include <math.h>
#include <stdlib.h>

#define MOST_LINKS 1024u /* of a minimal route, what is longer goes in circles */
#define ONE 65536.0      /* a slowdown of 1 */
#define MOST_SLOWDOWN (UINT64_C(1) << 48)
#define MOST_ROWS 24.0    /* of sizes that come */
#define ROW_BYTES 16384.0 /* of a row's histogram, some octaves are touched */

/* --- records ------------------------------------------------------------------------------------------------ */

void net_message_whole(struct net *n, struct sim_ctx *ctx, struct net_late_whole *m)
{
	m->lp = n->call.lp;
	m->what = NET_LATE_WHOLE;
	if (m->at < n->times.horizon)
		sim_commit(ctx, m, sizeof *m);
}

/* Messages are kept as packets are, which their order needs: bytes take the place of the time of injection. */
void net_messages_add(struct net *n, const struct net_late_whole *m)
{
	const struct net_packet_record r = { .delivered = m->at,
		                             .created = m->start,
		                             .injected = m->bytes,
		                             .src = m->src,
		                             .dst = m->dst,
		                             .seq = m->seq,
		                             .job = m->job };
	base_check(m->bytes > 0 && m->start <= m->at && m->job < n->jobs);
	net_packets_add(&n->records.messages, &r);
}

/* --- in the empty network ------------------------------------------------------------------------------------ */

struct stage { /* a link of the route */
	const struct sw_link *link;
	uint64_t latency;
};

struct route {
	struct stage stage[MOST_LINKS];
	uint32_t links; /* 0: it has no end */
	bool several;   /* the routing may take others for packets of the same message */
};

static uint64_t no_queue(const void *sw, topo_port out, uint64_t now)
{
	(void)sw, (void)out, (void)now;
	return 0;
}

/* The port that the routing takes at env->here where no packet waits, and whether it may take others. */
static topo_port step_of_routing(const struct net *n, const struct rt_env *env, struct sw_packet *p, bool *several)
{
	struct rt_oracle oracle = { 0 };
	struct rt_env proved = *env, run = *env;
	struct sw_packet any = *p;
	proved.oracle = &oracle;
	n->rt.ops->route(&n->rt, &proved, &any);
	*several |= oracle.at > 0 && !n->rt.by_flow;
	return n->rt.ops->route(&n->rt, &run, p).port;
}

static topo_port step_of_topology(const struct topo *t, topo_switch from, topo_switch to, uint32_t hops)
{
	topo_port next[TOPO_MAX_NEXT];
	if (t->ops->run)
		return t->ops->run(t, from, to).first;
	t->ops->next(t, from, to, hops, next);
	return next[0];
}

/* Follows the routing for the first packet of the pair, or the topology's first minimal route. */
static void find_route(const struct net *n, struct sw_packet p, bool by_routing, struct route *r)
{
	const struct topo *t = &n->topo;
	const struct sw_link *terminal = sw_link_for_job(&n->common, SW_LINK_TERMINAL, p.job);
	topo_switch from = topo_switch_of(t, p.src), to = topo_switch_of(t, p.dst);
	struct rt_oracle oracle = { 0 };
	struct rt_env env = {
		.in_port = RT_FROM_ENDPOINT, .seed = n->env.seed, .queue_bytes = no_queue, .oracle = &oracle
	};
	r->links = 0;
	r->stage[r->links++] = (struct stage){ terminal, terminal->latency };
	for (; from != to; p.hops++) {
		if (r->links + 1 >= MOST_LINKS || p.hops == UINT8_MAX) {
			r->links = 0;
			return;
		}
		env.here = from;
		topo_port port =
		    by_routing ? step_of_routing(n, &env, &p, &r->several) : step_of_topology(t, from, to, p.hops);
		struct topo_hop h = topo_peer(t, from, port);
		uint32_t link = net_link_of(n, h.link_class);
		r->stage[r->links++] =
		    (struct stage){ sw_link_for_job(&n->common, link, p.job), net_latency(n, from, port, h.to, link) };
		env.in_port = h.port;
		from = h.to;
	}
	r->stage[r->links++] = (struct stage){ terminal, terminal->latency };
}

/* A routing that reads queues, and one whose packets have entropies of their own, may take several routes. */
static void find_ideal_route(const struct net *n, uint32_t src, uint32_t dst, uint32_t job, struct route *r)
{
	const struct sw_packet p = { .src = src, .dst = dst, .job = (uint8_t)job, .bytes = 1, .via = SW_NO_VIA };
	bool own = rt_has_routes(&n->rt);
	r->several = n->rt.ops->wants_queues || n->rt.entropy != RT_ENTROPY_NONE || n->config->routing.plugin->loaded;
	if (!r->several || own)
		find_route(n, p, true, r);
	if (r->several && !own)
		find_route(n, p, false, r);
}

static uint64_t time_on(const struct stage *s, uint32_t payload)
{
	return sw_serialisation(s->link, sw_frame_bytes(s->link, payload));
}

/* From when a packet begins to leave on one link until it can on the next. */
static uint64_t step_to(const struct net *n, const struct stage *s, uint64_t traversal, uint32_t payload)
{
	uint64_t here = time_on(s, payload), next = time_on(s + 1, payload), ps = s->latency + traversal;
	if (n->store_and_forward)
		return ps + here;
	return ps + (here > next ? here - next : 0);
}

uint64_t net_ideal_ps(const struct net *n, uint32_t src, uint32_t dst, uint32_t job, uint64_t bytes)
{
	const struct net_traffic_job *j = &n->traffic.job[job];
	const struct net_nic_config *nic = &n->config->nic;
	struct route r;
	if (src == dst)
		return 0;
	find_ideal_route(n, src, dst, job, &r);
	const struct stage *stage = r.stage;
	uint32_t links = r.links;
	uint64_t before = (bytes - 1) / j->max_packet, traversal = (uint64_t)net_traversal(n);
	uint32_t last = (uint32_t)(bytes - before * j->max_packet);
	uint64_t first_at = 0, last_at = 0, slowest = 0; /* when the first packet, and the last, begin on a link */
	if (!links)
		return 0;
	for (uint32_t l = 0; l < links; l++) {
		uint64_t each = time_on(&stage[l], j->max_packet) + stage[l].link->gap;
		first_at += l ? step_to(n, &stage[l - 1], traversal, j->max_packet) : 0;
		last_at += l ? step_to(n, &stage[l - 1], traversal, last) : 0;
		if (r.several && l && l + 1 < links)
			continue;
		slowest = each > slowest ? each : slowest;
		uint64_t free_at = first_at + (before ? before - 1 : 0) * slowest + each; /* behind those before */
		if (before && last_at < free_at && !(r.several && l))
			last_at = free_at;
	}
	uint64_t ends = j->process ? nic->overhead_send + 2 * nic->latency + nic->overhead_receive : 0;
	uint64_t ended = last_at + time_on(&stage[links - 1], last);
	if (r.several && before) { /* those before it may come after it */
		uint64_t others = first_at + (before - 1) * slowest + time_on(&stage[links - 1], j->max_packet);
		ended = ended > others ? ended : others;
	}
	return ends + ended + stage[links - 1].latency;
}

/* --- what is read --------------------------------------------------------------------------------------------- */

struct each_message {
	struct net *n;
	void (*visit)(void *arg, const struct net_message_record *m);
	void *arg;
};

static struct net_message_record message_of(const struct net *n, const struct net_packet_record *p)
{
	struct net_message_record m = { .end = p->delivered,
		                        .start = p->created,
		                        .bytes = p->injected,
		                        .src = p->src,
		                        .dst = p->dst,
		                        .seq = p->seq,
		                        .job = (uint8_t)net_job_of(n, p->job),
		                        .class_index = (uint8_t)n->traffic.job[p->job].class_index };
	m.ideal = net_ideal_ps(n, m.src, m.dst, p->job, m.bytes);
	return m;
}

static void visit_message(void *arg, const struct net_packet_record *p)
{
	const struct each_message *x = arg;
	struct net_message_record m = message_of(x->n, p);
	x->visit(x->arg, &m);
}

void net_each_message(struct net *n, void (*visit)(void *arg, const struct net_message_record *m), void *arg)
{
	struct each_message x = { n, visit, arg };
	if (n->config->record.messages)
		net_packets_each(&n->records.messages, visit_message, NULL, &x);
}

/* As net_each_packet_by_turns(), whose `turn` gets the same arg. */
struct message_turns {
	struct each_message each;
	void (*turn)(void *arg);
};

static void visit_in_turn(void *arg, const struct net_packet_record *p)
{
	visit_message(&((struct message_turns *)arg)->each, p);
}

static void end_turn(void *arg)
{
	const struct message_turns *t = arg;
	t->turn(t->each.arg);
}

void net_each_message_by_turns(struct net *n, void (*visit)(void *arg, const struct net_message_record *m),
                               void (*turn)(void *arg), void *arg)
{
	struct message_turns t = { { n, visit, arg }, turn };
	if (n->config->record.messages)
		net_packets_each(&n->records.messages, visit_in_turn, end_turn, &t);
}

uint64_t net_messages_bytes(const struct net *n, double messages)
{
	double rows = fmin(messages, (2. + n->jobs + n->config->nclasses) * MOST_ROWS);
	return (uint64_t)(messages * sizeof(struct net_packet_record) + rows * ROW_BYTES);
}

/* --- slowdowns by size ---------------------------------------------------------------------------------------- */

/* Row k of a flow is of messages of 2^k up to 2^(k + 1) bytes. */
#define SIZES 64u

struct size_row {
	uint64_t messages, bytes, sum; /* sum: of slowdowns */
};

struct slowdown_sums { /* of all, jobs, classes: in this order */
	struct net *n;
	uint32_t flows;
	struct size_row *row; /* [flows * SIZES] */
	uint64_t *most;       /* [flows * SIZES] */
	uint64_t *histogram;  /* [flows * SIZES][SIM_HISTOGRAM_BINS] */
};

static uint64_t slowdown_of(const struct net_message_record *m)
{
	uint64_t s = (uint64_t)(((unsigned __int128)(m->end - m->start) << 16) / m->ideal);
	return s < MOST_SLOWDOWN ? s : MOST_SLOWDOWN;
}

static void add_slowdown(struct slowdown_sums *s, uint32_t flow, const struct net_message_record *m)
{
	size_t at = (size_t)flow * SIZES + 63 - (uint32_t)__builtin_clzll(m->bytes);
	uint64_t slowdown = slowdown_of(m);
	s->row[at].messages++;
	s->row[at].bytes += m->bytes;
	s->row[at].sum += slowdown;
	s->most[at] = slowdown > s->most[at] ? slowdown : s->most[at];
	s->histogram[at * SIM_HISTOGRAM_BINS + sim_histogram_bin(slowdown)]++;
}

static void count_slowdown(void *arg, const struct net_packet_record *p)
{
	struct slowdown_sums *s = arg;
	const struct net *n = s->n;
	if (p->created < n->times.measure_from || p->created >= n->times.measure_to)
		return;
	struct net_message_record m = message_of(n, p);
	if (!m.ideal)
		return;
	add_slowdown(s, 0, &m);
	add_slowdown(s, 1 + m.job, &m);
	add_slowdown(s, 1 + n->jobs + m.class_index, &m);
}

static double quantile_of(const uint64_t *bins, uint64_t per_mille, uint64_t most)
{
	uint64_t q = sim_histogram_quantile(bins, per_mille, 1000);
	return (double)(q < most ? q : most) / ONE;
}

static struct net_slowdown slowdown_from(const struct size_row *r, uint64_t most, const uint64_t *bins)
{
	if (!r->messages)
		return (struct net_slowdown){ 0 };
	return (struct net_slowdown){ .n = r->messages,
		                      .bytes = r->bytes,
		                      .mean = (double)r->sum / (double)r->messages / ONE,
		                      .p50 = quantile_of(bins, 500, most),
		                      .p99 = quantile_of(bins, 990, most),
		                      .max = (double)most / ONE };
}

static void fill_flow(const struct slowdown_sums *s, uint32_t flow, struct net_flow *f)
{
	uint64_t *all = base_calloc(SIM_HISTOGRAM_BINS, sizeof *all), most = 0;
	struct size_row sum = { 0 };
	f->has_slowdown = true;
	f->by_size = base_calloc(SIZES, sizeof *f->by_size);
	for (uint32_t k = 0; k < SIZES; k++) {
		size_t at = (size_t)flow * SIZES + k;
		const struct size_row *r = &s->row[at];
		uint64_t *bins = s->histogram + at * SIM_HISTOGRAM_BINS;
		if (!r->messages)
			continue;
		sim_sum_u64(bins, SIM_HISTOGRAM_BINS);
		for (uint32_t i = 0; i < SIM_HISTOGRAM_BINS; i++)
			all[i] += bins[i];
		sum.messages += r->messages;
		sum.bytes += r->bytes;
		sum.sum += r->sum;
		most = s->most[at] > most ? s->most[at] : most;
		f->by_size[f->sizes++] =
		    (struct net_slowdown_of_size){ .from = UINT64_C(1) << k,
			                           .slowdown = slowdown_from(r, s->most[at], bins) };
	}
	f->slowdown = slowdown_from(&sum, most, all);
	free(all);
}

void net_slowdowns_summarise(struct net *n)
{
	struct net_result *r = &n->result;
	struct slowdown_sums s = { .n = n, .flows = 1 + n->jobs + r->nclasses };
	size_t rows = (size_t)s.flows * SIZES, bytes = rows * SIM_HISTOGRAM_BINS * sizeof *s.histogram;
	if (!n->config->record.messages)
		return;
	s.row = base_calloc(rows, sizeof *s.row);
	s.most = base_calloc(rows, sizeof *s.most);
	s.histogram = base_map_sparse(bytes);
	net_packets_visit(&n->records.messages, count_slowdown, &s);
	sim_sum_u64((uint64_t *)(void *)s.row, rows * (sizeof *s.row / sizeof(uint64_t)));
	sim_max_u64(s.most, rows);
	fill_flow(&s, 0, &r->total);
	for (uint32_t j = 0; j < r->njobs; j++)
		fill_flow(&s, 1 + j, &r->jobs[j]);
	for (uint32_t k = 0; k < r->nclasses; k++)
		fill_flow(&s, 1 + n->jobs + k, &r->classes[k]);
	base_unmap(s.histogram, bytes);
	free(s.most);
	free(s.row);
}

void net_slowdowns_free(struct net *n)
{
	struct net_result *r = &n->result;
	free(r->total.by_size);
	for (uint32_t j = 0; r->jobs && j < r->njobs; j++)
		free(r->jobs[j].by_size);
	for (uint32_t k = 0; r->classes && k < r->nclasses; k++)
		free(r->classes[k].by_size);
}

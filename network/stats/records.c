/* network/stats/records.c - where statistics are stored, and how they are read after the run. */
#include "base/memory.h"
#include "network/legs.h"
#include "network/nic/nic.h"
#include "network/part.h"
#include "network/stats/by_switch.h"

#include <stdlib.h>
#include <string.h>

static void clear_partials(struct net_partials *t)
{
	sw_pool_init(&t->pool);
	for (uint32_t k = 0; k < NET_PARTIAL_HEADS; k++)
		t->head[k] = SW_POOL_NONE;
}

size_t net_records_lp_bytes(const struct net *n)
{
	const struct net_record *r = &n->config->record;
	size_t bytes = 0;
	if (r->ports)
		bytes += n->ports_total * (sizeof *n->records.ports + n->common.vcs * sizeof *n->records.vcs);
	if (r->timeline && r->activity)
		bytes += 4 * (n->times.recorded_until / r->timeline + 2) * sizeof *n->records.activity;
	return bytes;
}

static size_t bytes(const struct net *n)
{
	return net_records_lp_bytes(n) + sizeof *n->partials;
}

static void regions(struct net *n, const struct net_lp *lp, net_visit *visit, void *arg)
{
	size_t index = net_index(n, lp), ports = index * n->ports_total;
	if (n->records.ports) {
		visit(arg, &n->records.ports[ports], n->ports_total * sizeof *n->records.ports);
		visit(arg, &n->records.vcs[ports * n->common.vcs],
		      (size_t)n->ports_total * n->common.vcs * sizeof *n->records.vcs);
	}
	if (n->records.activity)
		visit(arg, n->records.activity + index * 4 * n->records.bins,
		      4ul * n->records.bins * sizeof *n->records.activity);
	if (n->partials) {
		visit(arg, n->partials[index].head, sizeof n->partials[index].head);
		visit(arg, &n->partials[index].pool.free, 2 * sizeof(uint32_t)); /* free and used */
		sw_pool_regions(&n->partials[index].pool, sizeof(struct net_partial), visit, arg);
	}
}

static void release(struct net *n, struct net_lp *lp)
{
	if (n->partials)
		sw_pool_fini(&n->partials[net_index(n, lp)].pool);
}

static void clear(struct net *n, struct net_lp *lp)
{
	size_t index = net_index(n, lp), ports = index * n->ports_total;
	if (n->records.ports) {
		memset(&n->records.ports[ports], 0, n->ports_total * sizeof *n->records.ports);
		memset(&n->records.vcs[ports * n->common.vcs], 0,
		       (size_t)n->ports_total * n->common.vcs * sizeof *n->records.vcs);
	}
	if (n->records.activity)
		memset(n->records.activity + index * 4 * n->records.bins, 0,
		       4ul * n->records.bins * sizeof *n->records.activity);
	if (n->partials)
		clear_partials(&n->partials[index]);
}

static void init(struct net *n, struct net_lp *lp)
{
	if (n->partials)
		clear_partials(&n->partials[net_index(n, lp)]);
}

void net_shared_create(struct net *n)
{
	struct net_shared *s = &n->shared;
	size_t jobs = n->jobs, histogram = jobs * SIM_HISTOGRAM_BINS;
	bool messages = false;
	for (uint32_t j = 0; j < n->jobs; j++)
		messages |= n->traffic.job[j].multi_packet;
	size_t at_job = 2, at_latency = at_job + jobs * NET_JOB_WORDS, at_network = at_latency + histogram;
	size_t at_message = at_network + histogram, at_bin = at_message + (messages ? histogram : 0);
	size_t at_nic = at_bin + (size_t)n->jobs * n->records.bins * sizeof(struct net_bin) / 8;
	size_t at_iteration = at_nic + (n->path.exact ? NET_NIC_WORDS : 0);
	size_t at_node = at_iteration + (n->traffic.process ? histogram : 0);
	size_t at_loss = at_node + (n->traffic.places > 1 ? jobs * NET_NODE_WORDS : 0);
	s->words = at_loss + (n->failures.on ? NET_LOSS_WORDS : 0);
	s->all = base_map(s->words * 8);
	s->digest = &s->all[0];
	s->packet_hops = &s->all[1];
	s->job = (struct net_job_stats *)(void *)&s->all[at_job];
	s->latency = &s->all[at_latency];
	s->network = &s->all[at_network];
	s->message = messages ? &s->all[at_message] : NULL;
	s->iteration = n->traffic.process ? &s->all[at_iteration] : NULL;
	s->node = n->traffic.places > 1 ? (struct net_node_stats *)(void *)&s->all[at_node] : NULL;
	s->loss = n->failures.on ? (struct net_loss *)(void *)&s->all[at_loss] : NULL;
	s->nic = n->path.exact ? (struct net_nic_stats *)(void *)&s->all[at_nic] : NULL;
	s->bin = n->records.bins ? (struct net_bin *)(void *)&s->all[at_bin] : NULL;
}

static int create(struct net *n, struct base_errors *errors)
{
	const struct net_record *r = &n->config->record;
	if (r->activity && !r->timeline)
		return base_errorf(errors, "record.activity",
		                   "requires record.timeline, because it uses the same bins");
	if (r->timeline == 1)
		return base_errorf(errors, "record.timeline", "bins must be at least 2 ps wide");
	if (r->timeline) {
		uint64_t bins = (n->times.recorded_until + r->timeline - 1) / r->timeline +
		                1; /* the last: whatever comes after the end */
		if (bins > 1000000)
			return base_errorf(errors, "record.timeline",
			                   "%llu bins are too many: use wider bins, at most a million",
			                   (unsigned long long)bins);
		n->records.bins = (uint32_t)bins;
		n->records.bin_width = r->timeline;
		n->records.bin_reciprocal = UINT64_MAX / r->timeline + 1;
	}
	net_shared_create(n);
	net_batches_create(n);
	net_rank_records_create(n);
	for (uint32_t j = 0; j < n->jobs && !n->partials; j++) /* those of processes: struct net_coming */
		if (n->traffic.job[j].multi_packet && !n->traffic.job[j].process)
			n->partials = base_calloc(n->room, sizeof *n->partials);
	if (r->ports) {
		size_t ports = (size_t)n->room * n->ports_total;
		n->records.ports = base_map(ports * sizeof *n->records.ports);
		n->records.vcs = base_map(ports * n->common.vcs * sizeof *n->records.vcs);
	}
	if (r->activity)
		n->records.activity = base_map((size_t)n->room * 4 * n->records.bins * sizeof *n->records.activity);
	return 0;
}

static void destroy(struct net *n)
{
	size_t ports = (size_t)n->room * n->ports_total;
	base_unmap(n->shared.all, n->shared.words * 8);
	base_unmap(n->records.ports, ports * sizeof *n->records.ports);
	base_unmap(n->records.vcs, ports * n->common.vcs * sizeof *n->records.vcs);
	base_unmap(n->records.activity, (size_t)n->room * 4 * n->records.bins * sizeof *n->records.activity);
	free(n->partials);
	net_packets_free(&n->records.packets);
	net_packets_free(&n->records.messages);
	net_rank_records_destroy(n);
	free(n->records.astray);
}

/* What it takes is estimated with all other records: memory.c. */
const struct net_part net_record_part = { .bytes = bytes,
	                                  .create = create,
	                                  .destroy = destroy,
	                                  .init = init,
	                                  .regions = regions,
	                                  .release = release,
	                                  .clear = clear };

/* Records that are committed have different lengths, by which they are distinguished. */
_Static_assert(sizeof(struct net_span) < sizeof(struct net_late) && sizeof(struct net_late) < sizeof(struct net_step) &&
                   sizeof(struct net_step) < sizeof(struct net_late_whole) &&
                   sizeof(struct net_late_whole) < sizeof(struct net_late_delivery),
               "records must differ in length");

/* Of an application; false: it is another one. */
static bool commit_rank_record(struct net *n, const void *record, size_t bytes)
{
	struct net_span span;
	struct net_step step;
	if (bytes == sizeof step) {
		memcpy(&step, record, sizeof step);
		net_steps_add(&n->records.steps, &step);
		return true;
	}
	if (bytes != sizeof span)
		return false;
	memcpy(&span, record, sizeof span);
	net_spans_add(&n->records.spans[span.job], span.rank, span.what, span.from, span.to);
	return true;
}

void net_commit(void *self, sim_lpid lp, const void *record, size_t bytes)
{
	struct net *n = self;
	(void)lp;
	if (bytes == sizeof(struct net_late) || bytes == sizeof(struct net_late_whole) ||
	    bytes == sizeof(struct net_late_delivery)) {
		net_ring_file(n, record);
		return;
	}
	bool known = commit_rank_record(n, record, bytes);
	base_checkf(known, "a record of %zu bytes", bytes);
	(void)known;
}

static void add_astray(struct net *n, struct net_astray a)
{
	if (n->records.nastray == n->records.cap_astray) {
		n->records.cap_astray = n->records.cap_astray ? 2 * n->records.cap_astray : 256;
		n->records.astray = base_realloc(n->records.astray, n->records.cap_astray * sizeof *n->records.astray);
	}
	n->records.astray[n->records.nastray++] = a;
}

void net_activity_add(struct net *n, uint32_t lp, enum net_activity_row row, uint64_t t)
{
	size_t at = (size_t)row * n->records.bins + net_bin_of(n, t);
	if (lp - n->first < n->count) { /* threads count what they have decided, for whatever LP */
		__atomic_fetch_add(
		    &n->records.activity[(size_t)(lp - n->base) * NET_ACTIVITY_ROWS * n->records.bins + at], 1,
		    __ATOMIC_RELAXED);
		return;
	}
	add_astray(n, (struct net_astray){ lp, (uint32_t)at });
}

void net_activity_gather(struct net *n, struct net *worker)
{
	for (size_t i = 0; i < worker->records.nastray; i++)
		add_astray(n, worker->records.astray[i]);
	worker->records.nastray = 0;
}

static int owner_of_astray(const void *arg, const void *record)
{
	const struct net_astray *a = record;
	return sim_owner_of(((const struct net *)arg)->engine, a->lp);
}

void net_activity_finish(struct net *n)
{
	size_t got = 0;
	if (!n->records.activity || !net_legs_together(n))
		return;
	struct net_astray *mine =
	    sim_exchange_records(n->records.astray, n->records.nastray, sizeof *mine, owner_of_astray, n, &got);
	for (size_t i = 0; i < got; i++) {
		base_checkf(mine[i].lp - n->first < n->count, "the activity of LP %u", mine[i].lp);
		n->records
		    .activity[(size_t)(mine[i].lp - n->base) * NET_ACTIVITY_ROWS * n->records.bins + mine[i].at]++;
	}
	free(mine);
	n->records.nastray = 0;
}

void net_each_histogram(struct net *n,
                        void (*visit)(void *arg, const char *job, const char *quantity, const uint64_t *bins),
                        void *arg)
{
	if (sim_rank() != 0 || !n->config->record.histograms)
		return;
	for (uint32_t j = 0; j < n->jobs; j++) {
		const char *name = n->traffic.job[j].name;
		size_t at = (size_t)j * SIM_HISTOGRAM_BINS;
		visit(arg, name, "latency", n->shared.latency + at);
		visit(arg, name, "network_latency", n->shared.network + at);
		if (n->shared.message && n->traffic.job[j].multi_packet)
			visit(arg, name, "message_latency", n->shared.message + at);
		if (n->shared.iteration && n->traffic.job[j].process)
			visit(arg, name, "iteration", n->shared.iteration + at);
	}
}

/* The last bin holds what comes after the end of the recorded time. Bins behind the end of the run in which nothing
 * happened are left out. */
static uint32_t timeline_bins(const struct net *n)
{
	uint32_t bins = n->records.bins;
	for (; bins && (bins - 1) * n->records.bin_width >= n->result.reached_ps; bins--) {
		bool used = false;
		for (uint32_t j = 0; j < n->jobs; j++) {
			const struct net_bin *last = &n->shared.bin[(size_t)j * n->records.bins + bins - 1];
			used |= last->created || last->injected || last->delivered || last->hops;
		}
		if (used)
			break;
	}
	return bins;
}

static void add_bin(struct net_timeline_part *to, const struct net_bin *b)
{
	to->created += b->created;
	to->injected += b->injected;
	to->delivered += b->delivered;
	to->created_bytes += b->created_bytes;
	to->delivered_bytes += b->delivered_bytes;
	to->hops += b->hops;
}

/* Bin i of all jobs; part: room for jobs and classes. */
static struct net_timeline_bin bin_of_all(const struct net *n, uint32_t i, struct net_timeline_part *part)
{
	uint32_t jobs = n->traffic.jobs > 1 ? n->traffic.jobs : 0,
		 classes = n->config->nclasses > 1 ? n->config->nclasses : 0;
	struct net_timeline_part all = { .name = "all" };
	for (uint32_t k = 0; k < classes; k++)
		part[jobs + k] = (struct net_timeline_part){ .name = n->config->classes[k].name, .is_class = true };
	for (uint32_t j = 0; j < n->jobs; j++) {
		const struct net_bin *b = &n->shared.bin[(size_t)j * n->records.bins + i];
		add_bin(&all, b);
		uint32_t of = n->traffic.job[j].of; /* streams follow their jobs */
		if (jobs && of == j)
			part[j] = (struct net_timeline_part){ .name = n->traffic.job[j].name };
		if (jobs)
			add_bin(&part[of], b);
		if (classes)
			add_bin(&part[jobs + n->traffic.job[j].class_index], b);
	}
	return (struct net_timeline_bin){
		i * n->records.bin_width, n->records.bin_width, all.created, all.injected, all.delivered,
		all.created_bytes,        all.delivered_bytes,  all.hops,    part,         jobs + classes
	};
}

void net_each_timeline(struct net *n, void (*visit)(void *arg, const struct net_timeline_bin *bin), void *arg)
{
	if (sim_rank() != 0 || !n->records.bins)
		return;
	struct net_timeline_part *part = base_calloc((size_t)n->jobs + n->config->nclasses + 1, sizeof *part);
	uint32_t bins = timeline_bins(n);
	for (uint32_t i = 0; i < bins; i++) {
		struct net_timeline_bin out = bin_of_all(n, i, part);
		visit(arg, &out);
	}
	free(part);
}

/* --- records that each LP keeps ------------------------------------------------------------------------------- */

static void fill_activity(struct net *n, struct net_lp *lp, unsigned char *out)
{
	memcpy(out + NET_BY_SWITCH_HEAD, n->records.activity + (size_t)net_index(n, lp) * 4 * n->records.bins,
	       4ul * n->records.bins * sizeof(uint32_t));
}

/* As many for every switch as the time line has, and the last one if a packet was on a link after the end. Collective.
 */
static uint32_t activity_bins(struct net *n)
{
	uint64_t late = 0;
	for (uint32_t i = 0; i < n->count; i++) {
		const uint32_t *v = n->records.activity + (size_t)(n->first - n->base + i) * 4 * n->records.bins;
		for (uint32_t k = 0; k < 4; k++)
			late |= v[k * n->records.bins + n->records.bins - 1];
	}
	sim_max_u64(&late, 1);
	return late ? n->records.bins : timeline_bins(n);
}

struct show_activity {
	void (*visit)(void *arg, const struct net_activity *a);
	void *arg;
	uint32_t shown;
};

static void show_activity(struct net *n, uint32_t sw, const unsigned char *record, void *arg)
{
	const struct show_activity *x = arg;
	const uint32_t *v = (const uint32_t *)(const void *)(record + NET_BY_SWITCH_HEAD);
	uint32_t b = n->records.bins;
	struct net_activity a = { sw, x->shown, n->records.bin_width, v, v + b, v + 2 * b, v + 3 * b };
	x->visit(x->arg, &a);
}

void net_each_activity(struct net *n, void (*visit)(void *arg, const struct net_activity *a), void *arg)
{
	if (!n->records.activity)
		return;
	struct show_activity x = { visit, arg, activity_bins(n) };
	net_by_switch(n,
	              &(struct net_by_switch){ .bytes = NET_BY_SWITCH_HEAD + 4ul * n->records.bins * sizeof(uint32_t),
	                                       .records = n->topo.switches,
	                                       .fill = fill_activity,
	                                       .show = show_activity,
	                                       .arg = &x });
}

struct still {
	const struct net *n;
	uint32_t ports, net_ports;
	struct net_vc_stats *v; /* [ports_total * vcs] */
};

/* A packet that waits at the end. A model's word is not taken for its ports. */
static void add_still(void *arg, const struct sw_waiting *w)
{
	const struct still *x = arg;
	uint32_t out = w->size ? w->own_out : w->out, bytes = w->size ? w->size : w->bytes;
	uint32_t vc = out < x->net_ports ? (w->size ? w->own_vc : w->vc) % x->n->common.vcs : 0;
	if (out < x->ports && w->since < x->n->common.end)
		x->v[(size_t)out * x->n->common.vcs + vc].byte_time +=
		    bytes * ((x->n->common.end >> 10) - (w->since >> 10));
}

/* Of all ports of a switch. */
static size_t vcs_bytes(const struct net *n)
{
	return (size_t)n->ports_total * n->common.vcs * sizeof(struct net_vc_stats);
}

static void fill_ports(struct net *n, struct net_lp *lp, unsigned char *out)
{
	size_t at = (size_t)net_index(n, lp) * n->ports_total, ports = n->ports_total * sizeof(struct net_port_stats);
	struct still x = { n, lp->net_ports + lp->endpoints, lp->net_ports,
		           (struct net_vc_stats *)(void *)(out + NET_BY_SWITCH_HEAD + ports) };
	memcpy(out + NET_BY_SWITCH_HEAD, &n->records.ports[at], ports);
	memcpy(out + NET_BY_SWITCH_HEAD + ports, &n->records.vcs[at * n->common.vcs], vcs_bytes(n));
	n->common.ops->each_waiting(&n->common, net_switch_state(n, lp), add_still, &x);
	struct net_link_result *links =
	    (struct net_link_result *)(void *)(out + NET_BY_SWITCH_HEAD + ports + vcs_bytes(n));
	for (uint32_t p = 0; n->common.wires && p < lp->net_ports; p++)
		net_wire_result(n, lp, p, &links[p]);
}

static void visit_port(struct net *n, uint32_t s, uint32_t port, const struct net_port_stats *p,
                       const struct net_vc_stats *v, const struct net_link_result *link,
                       void (*visit)(void *arg, const struct net_port_record *port), void *arg)
{
	double mean[SW_MAX_VCS], span = (double)n->result.reached_ps;
	uint64_t waits[SW_MAX_VCS];
	uint32_t net_ports = topo_ports(&n->topo, s);
	struct net_port_record r = { .sw = s,
		                     .port = port,
		                     .packets = p->packets,
		                     .bytes = p->bytes,
		                     .vcs = n->common.vcs,
		                     .link = link,
		                     .vc_mean_bytes = mean,
		                     .vc_waits = waits };
	if (port < net_ports) {
		struct topo_hop h = topo_peer(&n->topo, s, port);
		r.link_class = n->topo.link_class_name[h.link_class];
		r.to_switch = h.to;
		r.to_port = h.port;
	} else {
		r.link_class = "terminal";
		r.to_switch = topo_first_endpoint(&n->topo, s) + port - net_ports;
		r.vcs = 1;
	}
	r.utilization = span > 0 ? (double)sw_line_in_use(&p->used, n->common.end) / span : 0;
	for (uint32_t k = 0; k < r.vcs; k++) {
		mean[k] = span > 0 ? (double)v[k].byte_time * 1024 / span : 0;
		waits[k] = v[k].waits;
	}
	visit(arg, &r);
}

struct show_ports {
	void (*visit)(void *arg, const struct net_port_record *port);
	void *arg;
};

static void show_ports(struct net *n, uint32_t s, const unsigned char *record, void *arg)
{
	const struct show_ports *x = arg;
	const unsigned char *ports = record + NET_BY_SWITCH_HEAD;
	const struct net_port_stats *p = (const struct net_port_stats *)(const void *)ports;
	const struct net_vc_stats *v =
	    (const struct net_vc_stats *)(const void *)(ports + n->ports_total * sizeof(struct net_port_stats));
	const struct net_link_result *links =
	    (const struct net_link_result *)(const void *)(ports + n->ports_total * sizeof(struct net_port_stats) +
	                                                   vcs_bytes(n));
	uint32_t net_ports = topo_ports(&n->topo, s);
	for (uint32_t i = 0; i < net_ports + topo_endpoints_at(&n->topo, s); i++) {
		bool on = n->common.wires && i < net_ports &&
		          n->common.wires->of[net_link_of(n, topo_peer(&n->topo, s, i).link_class)].on;
		visit_port(n, s, i, &p[i], &v[(size_t)i * n->common.vcs], on ? &links[i] : NULL, x->visit, x->arg);
	}
}

void net_each_port(struct net *n, void (*visit)(void *arg, const struct net_port_record *port), void *arg)
{
	if (!n->records.ports)
		return;
	size_t port = sizeof(struct net_port_stats) + n->common.vcs * sizeof(struct net_vc_stats) +
	              (n->common.wires ? sizeof(struct net_link_result) : 0);
	struct show_ports x = { visit, arg };
	net_by_switch(n, &(struct net_by_switch){ .bytes = NET_BY_SWITCH_HEAD + n->ports_total * port,
	                                          .records = n->topo.switches,
	                                          .fill = fill_ports,
	                                          .show = show_ports,
	                                          .arg = &x });
}

void net_each_packet_by_turns(struct net *n, void (*visit)(void *arg, const struct net_packet_record *packet),
                              void (*turn)(void *arg), void *arg)
{
	if (n->config->record.packets)
		net_packets_each(&n->records.packets, visit, turn, arg);
}

void net_each_packet(struct net *n, void (*visit)(void *arg, const struct net_packet_record *packet), void *arg)
{
	net_each_packet_by_turns(n, visit, NULL, arg);
}

void net_each_rank(struct net *n,
                   void (*visit)(void *arg, int rank, const struct sim_counters *c, double wall_s, uint64_t peak_rss),
                   void *arg)
{
	visit(arg, sim_rank(), &n->rank.counters, n->rank.wall, n->rank.rss);
}

/* network/legs.c - runs in several legs: a run pauses after each leg to decide how long it continues.
 *
 * At a pause exactly the events before it have been executed, and every window before it is final (stats/ring.h),
 * whatever the scheduler. So a decision made there from sums over all ranks is the same on any number of ranks and
 * threads, and so is the time at which the run ends. Three kinds of runs determine their own end:
 *
 *   time.drain = "auto"   after the measured window the run continues, with sources active, until all packets
 *                         created in the window have arrived, or the network is proved saturated: the backlog
 *                         keeps growing
 *   time.precision        the run ends when the estimates are precise enough (sim/steady.h)
 *   applications          the run ends when the applications have ended (applications.c)
 *
 * An interrupted run ends at the next window that all its ranks reach; its counters are those of a run that was
 * configured to end there. Records of ports and switches are the exception: they count departures in advance, which are
 * cut off at the end of the leg. So with these records legs are short, some windows of simulated time each, and an
 * interrupted run ends at the end of its leg. Departures are counted when they are reserved; those after the end of the
 * run are subtracted. */
#include "network/legs.h"

#include "base/memory.h"

#include <stdlib.h>

#define LEG_EVENTS 3e5  /* of the whole network, in a leg of a run with records of ports or switches, and no more */
#define LEG_WINDOWS 64u /* than so many lookaheads; powers of two */
#define LEG_MULTIPLES 64u

/* --- what both kinds have in common ------------------------------------------------------------------------ */

bool net_legs_together(const struct net *n)
{
	return sim_ranks() > 1 && !n->threads.pooled;
}

void net_legs_sum(const struct net *n, uint64_t *v, size_t words)
{
	if (net_legs_together(n))
		sim_sum_u64(v, words);
}

/* Records end with the measured window where packets are only drained behind it. */
static void end_records(struct net *n, uint64_t at)
{
	n->common.end = !net_finds_end(n) && at > n->times.measure_to ? n->times.measure_to : at;
}

static void set_end(struct net *n, uint64_t to)
{
	n->times.end = to;
	end_records(n, to);
}

void net_gather(void *self, void *worker)
{
	struct net *n = self, *w = worker;
	for (size_t i = 0; i < n->shared.words; i++) {
		n->shared.all[i] += w->shared.all[i];
		w->shared.all[i] = 0;
	}
	net_batches_gather(n, w);
	net_packets_move(&n->records.packets, &w->records.packets);
	net_packets_move(&n->records.messages, &w->records.messages);
	net_rank_records_move(n, w);
	net_activity_gather(n, w);
}

void net_resume(void *self, void *worker)
{
	struct net *n = self, *w = worker;
	w->times.end = n->times.end;
	w->common.end = n->common.end;
	w->batches.shift = n->batches.shift;
}

/* --- the run -------------------------------------------------------------------------------------------------- */

/* Returns the end of the leg that begins at `at`. Records of ports and switches end with the measured window if the
 * rest of the run only drains packets. */
static uint64_t leg_from(const struct net *n, uint64_t at)
{
	const struct net_legs *l = n->legs;
	bool recorded = l->longest && (net_finds_end(n) || at < n->times.measure_to);
	sim_end_with_leg(n->engine, recorded);
	return recorded && l->next - at > l->longest ? at + l->longest : l->next;
}

static uint64_t decide(struct net *n, uint64_t at)
{
	if (n->batches.on)
		return net_precise_next(n, at);
	return n->config->time.applications ? net_applications_next(n, at) : net_drain_next(n, at);
}

uint64_t net_pause(void *self, uint64_t at, bool asked)
{
	struct net *n = self;
	struct net_legs *l = n->legs;
	base_check(n->ring.base * n->ring.width >= at); /* all before is counted */
	if (at == l->next)
		l->next = decide(n, at);
	n->result.reached_ps = at;
	if (l->next > l->foreseen)
		l->foreseen = l->next;
	if (!l->next || asked)
		return l->next;
	uint64_t to = leg_from(n, at);
	set_end(n, to);
	return to;
}

/* Lookaheads of a leg of a run with records: what the network does in it is a share of a second. */
static uint64_t windows_of_leg(const struct net *n)
{
	double events = net_expected_events(n) * n->topo.switches;
	uint64_t windows = LEG_WINDOWS;
	while (windows > 1 && (double)windows * events > LEG_EVENTS)
		windows /= 2;
	return windows;
}

/* Returns the unit, in ps, of the legs of runs with records. Switches with records process everything that is due
 * before a multiple of this time at once, which affects the number of events. So the unit must not depend on the actual
 * width of windows, but it is a multiple of the normal width. */
static uint64_t unit_of_records(const struct net *n)
{
	uint64_t width = n->lookahead < SIM_WINDOW_MAX ? n->lookahead : SIM_WINDOW_MAX;
	if (n->times.horizon > UINT64_MAX / width / 2)
		width = 1ull << (63 - __builtin_clzll(width));
	return width * windows_of_leg(n);
}

/* The least one; 0 if it is more than `most`. */
static uint64_t common_multiple(uint64_t a, uint64_t b, uint64_t most)
{
	uint64_t x = a, y = b, multiple;
	while (y) {
		uint64_t rest = x % y;
		x = y;
		y = rest;
	}
	return __builtin_mul_overflow(a / x, b, &multiple) || multiple > most ? 0 : multiple;
}

/* Of a run with records that does not find its end: its legs. */
static uint64_t choose_leg(struct net *n)
{
	uint64_t width = sim_width(n->engine), usual = unit_of_records(n);
	uint64_t both = common_multiple(usual, width, LEG_MULTIPLES * usual);
	uint64_t leg = both ? both : width * windows_of_leg(n);
	n->common.pauses =
	    both ? usual : leg; /* windows of an odd width are met nowhere else soon: more events, then */
	return leg;
}

/* Returns the maximum length of a leg with records, for a run that determines its own end: a fraction of the unit at
 * whose multiples the end is decided, or several units. If windows have an unusual width, legs may be longer than the
 * interval that switches process at once, which does not depend on the width. */
static uint64_t choose_part(struct net *n)
{
	uint64_t unit = n->legs->unit, usual = net_legs_grain(n) * windows_of_leg(n);
	if (usual >= unit) {
		n->common.pauses = unit;
		return net_round_up(usual, unit);
	}
	base_check(unit % usual == 0); /* both are so many grains, a power of two */
	n->common.pauses = usual;
	return usual % sim_width(n->engine) ? unit : usual;
}

void net_legs_begin(struct net *n)
{
	struct net_legs *l = n->legs;
	bool records = n->config->record.ports || n->config->record.instruments;
	net_ring_create(n, sim_width(n->engine));
	if (records)
		l->longest = net_finds_end(n) ? choose_part(n) : choose_leg(n);
	uint64_t to = leg_from(n, 0);
	if (to < n->times.horizon)
		sim_pause_at(n->engine, to);
	sim_end_with_leg(n->engine, l->longest);
	set_end(n, to);
}

/* Departures that were reserved for after the end, with port records: by the switch that has the port. */
struct ahead {
	uint32_t sw, port, bytes, vc;
	uint64_t start, finish;
};
_Static_assert(sizeof(struct ahead) == NET_AHEAD_BYTES, "legs.h tells its size");

struct ahead_list {
	struct net *n;
	struct ahead *v; /* with records of ports or activity */
	size_t used, cap;
};

/* Is it one? What comes after the horizon has not been counted. */
static bool clip_ahead(const struct net *n, struct ahead *a)
{
	if (a->finish > n->times.horizon)
		a->finish = n->times.horizon;
	return a->finish > n->times.end && a->start < n->times.horizon;
}

static void push_ahead(struct ahead_list *l, struct ahead a)
{
	if (!l->n->records.ports && !l->n->records.activity)
		return;
	if (l->used == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 1024;
		l->v = base_realloc(l->v, l->cap * sizeof *l->v);
	}
	l->v[l->used++] = a;
}

/* What all sums count of a departure; the records of its port and switch may be another rank's. */
static void take_back_sums(struct net *n, const struct ahead *a, uint32_t job)
{
	if (a->start < n->times.end)
		return;
	--*n->shared.packet_hops;
	if (n->records.bins)
		net_bin_at(n, job, a->start)->hops--;
}

/* The departure towards an endpoint that has the packet at `at`. Its switch may have moved to another rank since. */
static void find_delivery(struct ahead_list *l, uint32_t at_lp, const struct sw_packet *p, uint64_t at)
{
	const struct net *n = l->n;
	const struct sw_link *link = sw_link_for_job(&n->common, SW_LINK_TERMINAL, p->job);
	topo_switch s = net_switch_of(n, at_lp);
	uint64_t finish = at - link->latency;
	uint32_t bytes = sw_frame_bytes(link, p->bytes);
	struct ahead a = { s,
		           topo_ports(&n->topo, s) + p->dst - topo_first_endpoint(&n->topo, s),
		           bytes,
		           0,
		           finish - sw_serialisation(link, bytes),
		           finish };
	if (clip_ahead(n, &a))
		push_ahead(l, a);
}

static void find_ahead(void *arg, const struct sim_event *ev)
{
	struct ahead_list *l = arg;
	const struct net *n = l->n;
	if (ev->kind == NET_DELIVER)
		find_delivery(l, ev->lp, (const struct sw_packet *)(const void *)ev->payload, ev->time);
	if (ev->kind != NET_ARRIVE)
		return;
	const struct sw_packet *p = (const struct sw_packet *)(const void *)ev->payload;
	struct sw_link_end from = net_sender(n, ev->key);
	const struct sw_link *link = &n->common.link[from.link_class];
	topo_switch sender = net_switch_of(n, from.lp);
	uint64_t latency = net_latency(n, sender, from.port, net_switch_of(n, ev->lp), from.link_class);
	uint64_t left = ev->time - latency, time = sw_serialisation(link, p->bytes);
	uint64_t start = n->store_and_forward ? left - time : left;
	struct ahead a = { sender, from.port, p->bytes, p->vc, start, start + time };
	if (!clip_ahead(n, &a))
		return;
	take_back_sums(l->n, &a, p->job);
	push_ahead(l, a);
}

static void find_coming(void *arg, const struct net_late_delivery *d)
{
	find_delivery(arg, d->lp, &d->packet, d->at);
}

/* From the records of ports and activity of the switches that this rank has. */
static void take_back(struct net *n, const struct ahead *a)
{
	uint32_t lp = net_lp_of(n, a->sw);
	base_checkf(lp - n->first < n->count, "a departure of switch %u", a->sw);
	size_t port = (size_t)(lp - n->base) * n->ports_total + a->port;
	if (n->records.ports && a->start >= n->times.end) {
		n->records.ports[port].packets--;
		n->records.ports[port].bytes -= a->bytes;
	}
	if (n->records.ports && n->times.end < n->times.queues_until) {
		struct net_vc_stats *v = &n->records.vcs[port * n->common.vcs + a->vc];
		uint64_t finish = a->finish < n->times.queues_until ? a->finish : n->times.queues_until;
		v->byte_time -= a->bytes * ((finish >> 10) - (n->times.end >> 10));
	}
	if (n->records.activity && a->start >= n->times.end && a->port < net_lp_at(n, lp)->net_ports)
		n->records.activity[((size_t)(lp - n->base) * 4 + 2) * n->records.bins + net_bin_of(n, a->start)]--;
}

/* Corrects the counters of packets whose first bits have reached the next switch before the end of the run but whose
 * last bits have not; no pending event represents these packets. */
static void take_back_passing(struct net *n, struct net_lp *lp)
{
	size_t at = (size_t)net_index(n, lp) * n->ports_total;
	for (uint32_t port = 0; port < lp->net_ports; port++) {
		const struct sw_line *l = &n->records.ports[at + port].used;
		struct topo_hop h = topo_peer(&n->topo, lp->id, port);
		uint32_t link = net_link_of(n, h.link_class);
		uint64_t latency = net_latency(n, lp->id, port, h.to, link);
		for (uint64_t k = 0; k < l->n; k++) {
			const struct sw_departure *d = &l->ahead[k];
			uint64_t bytes = d->tag >> 8;
			uint64_t finish = d->from + sw_serialisation(&n->common.link[link], (uint32_t)bytes);
			if (d->tag != SW_LINE_SEVERAL && d->from + latency < n->times.end && finish > n->times.end)
				n->records.vcs[(at + port) * n->common.vcs + (d->tag & 0xff)].byte_time -=
				    bytes * ((finish >> 10) - (n->times.end >> 10));
		}
	}
}

static int owner_of_port(const void *arg, const void *record)
{
	const struct net *n = arg;
	return sim_owner_of(n->engine, net_lp_of(n, ((const struct ahead *)record)->sw));
}

static void take_back_departures(struct net *n)
{
	struct ahead_list l = { .n = n };
	sim_leftovers(n->engine, find_ahead, &l);
	if (!n->records.ports && !n->records.activity)
		return;
	net_ring_each_coming(n, find_coming, &l);
	for (uint32_t i = 0;
	     n->records.ports && n->times.end < n->times.queues_until && !n->store_and_forward && i < n->count; i++)
		take_back_passing(n, net_lp_at(n, n->first + i));
	size_t used = l.used;
	struct ahead *mine = l.v;
	if (net_legs_together(n)) {
		mine = sim_exchange_records(l.v, l.used, sizeof *l.v, owner_of_port, n, &used);
		free(l.v);
	}
	for (size_t i = 0; i < used; i++)
		take_back(n, &mine[i]);
	free(mine);
}

void net_legs_finish(struct net *n)
{
	struct net_legs *l = n->legs;
	bool here = sim_rank() == 0 || net_legs_together(n);
	n->times.end = n->result.reached_ps;
	net_activity_finish(n);
	if (here && n->times.end < n->times.horizon)
		take_back_departures(n);
	if (!net_finds_end(n) && n->result.reached_ps == n->times.horizon)
		n->result.reached_ps = n->times.measure_to; /* that of a run that is drained is far behind all */
	if (here && n->batches.on)
		net_precise_settle(n);
	if (n->config->time.applications)
		n->times.measure_to = n->times.end;
	end_records(n, n->result.reached_ps);
	sim_broadcast(&n->times.measure_from, sizeof n->times.measure_from);
	sim_broadcast(&n->times.measure_to, sizeof n->times.measure_to);
	sim_broadcast(&n->times.end, sizeof n->times.end);
	sim_broadcast(&l->all, sizeof l->all);
	sim_broadcast(l->job, n->jobs * sizeof *l->job);
	sim_broadcast(&l->enough, sizeof l->enough);
	sim_broadcast(&l->saturated, sizeof l->saturated);
	sim_broadcast(l->job_grows, n->jobs * sizeof *l->job_grows);
	n->result.has_estimates = n->batches.on;
	n->result.enough = l->enough;
	n->result.estimates = &l->all;
	n->result.job_estimates = l->job;
	n->result.saturated = n->batches.on ? l->all.stationarity == SIM_GROWING : l->saturated;
}

void net_legs_create(struct net *n)
{
	const struct net_time *t = &n->config->time;
	struct net_legs *l = n->legs = base_alloc(sizeof *l);
	l->job = base_calloc(n->jobs, sizeof *l->job);
	l->quiet = base_calloc(n->jobs, sizeof *l->quiet);
	l->job_grows = base_calloc(n->jobs, sizeof *l->job_grows);
	l->first = l->foreseen = n->times.horizon;
	n->common.planned = net_finds_end(n) ? 0 : n->times.measure_to;
	if (net_finds_end(n)) {
		n->times.published_until = SIM_NEVER;
		l->unit = net_legs_unit(n);
	}
	if (t->precision > 0)
		net_precise_plan(n);
	else if (t->applications)
		net_applications_plan(n, net_legs_latest(n));
	else if (net_finds_end(n))
		net_drain_plan(n);
	l->next = l->first;
	set_end(n, l->first);
}

void net_legs_destroy(struct net *n)
{
	if (n->legs) {
		free(n->legs->job);
		free(n->legs->quiet);
		free(n->legs->of_job);
		free(n->legs->job_grows);
	}
	free(n->legs);
	net_ring_destroy(n);
	net_batches_destroy(n);
}

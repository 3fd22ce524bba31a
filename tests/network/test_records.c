/* tests/network/test_records.c - records add up to the totals, in the order that is promised; what is interrupted is
 * whole. */
#include "experiments/config/config.h"
#include "tests/network/units.h"

#include <time.h>

static void sum_bins(void *arg, const struct net_timeline_bin *b)
{
	struct net_timeline_bin *s = arg;
	cr_assert_eq(b->t_ps, s->t_ps);
	cr_assert_eq(b->width_ps, 700000);
	s->t_ps += b->width_ps;
	s->created += b->created;
	s->injected += b->injected;
	s->delivered += b->delivered;
	s->created_bytes += b->created_bytes;
	s->delivered_bytes += b->delivered_bytes;
	s->hops += b->hops;
}

struct ports {
	uint64_t network, terminal, bytes, waits, n;
	uint32_t last_sw, last_port;
	bool drained;
};

static void sum_ports(void *arg, const struct net_port_record *p)
{
	struct ports *s = arg;
	cr_assert(s->n == 0 || p->sw > s->last_sw || (p->sw == s->last_sw && p->port == s->last_port + 1));
	s->last_sw = p->sw;
	s->last_port = p->port;
	s->n++;
	*(strcmp(p->link_class, "terminal") ? &s->network : &s->terminal) += p->packets;
	s->bytes += p->bytes;
	for (uint32_t k = 0; k < p->vcs; k++) {
		s->waits += p->vc_waits[k];
		cr_assert_leq(p->vc_waits[k], p->packets);
		cr_assert_geq(p->vc_mean_bytes[k], 0);
	}
	if (!s->drained)
		cr_assert_leq(p->utilization, 1.01, "switch %u, port %u is used to %.4f", p->sw, p->port,
		              p->utilization);
}

struct activity {
	uint64_t v[4], late; /* late: in the bin after the end */
	uint32_t switches, bins;
};

static void sum_activity(void *arg, const struct net_activity *a)
{
	struct activity *s = arg;
	cr_assert_eq(a->sw, s->switches);
	s->bins = s->switches++ ? s->bins : a->bins;
	cr_assert_eq(a->bins, s->bins);
	if (a->bins > 18) /* 12 us in bins of 700 ns */
		s->late +=
		    a->endpoint_sends[18] + a->endpoint_receives[18] + a->switch_sends[18] + a->switch_receives[18];
	for (uint32_t i = 0; i < a->bins; i++) {
		s->v[0] += a->endpoint_sends[i];
		s->v[1] += a->endpoint_receives[i];
		s->v[2] += a->switch_sends[i];
		s->v[3] += a->switch_receives[i];
	}
}

struct histograms {
	uint64_t n[3], least[3];
};

static void sum_histogram(void *arg, const char *job, const char *quantity, const uint64_t *bins)
{
	struct histograms *h = arg;
	int k = !strcmp(quantity, "latency") ? 0 : !strcmp(quantity, "network_latency") ? 1 : 2;
	(void)job;
	for (uint32_t i = 0; i < (64 - 7 + 1) * 128; i++)
		h->n[k] += bins[i];
}

struct of_part {
	uint32_t number;
	struct net_timeline_part sum;
};

static void sum_part(void *arg, const struct net_timeline_bin *bin)
{
	struct of_part *s = arg;
	cr_assert_eq(bin->parts, 2);
	const struct net_timeline_part *p = &bin->part[s->number];
	s->sum.name = p->name;
	s->sum.created += p->created;
	s->sum.injected += p->injected;
	s->sum.delivered += p->delivered;
	s->sum.delivered_bytes += p->delivered_bytes;
	s->sum.hops += p->hops;
}

static void check_records(const char *topology, const char *drain, const char *routing)
{
	struct netrun x = { 0 };
	run(&x,
	    "time = { warmup = \"3us\"; measure = \"9us\"; drain = %s; }; %s" LINKS_50
	    " switch = { kind = \"ideal\"; buffer = \"6KB\"; };"
	    "routing = { kind = \"%s\"; }; record = { packets = true; timeline = \"700ns\"; ports = true; activity = "
	    "true; histograms = true; };"
	    "traffic = ( { name = \"a\"; pattern = \"uniform\"; load = 0.6; packet = [ \"100B\", \"256B\" ]; message = "
	    "\"700B\"; },"
	    "            { name = \"b\"; pattern = \"hotspot\"; load = 0.3; packet = \"64B\"; nodes = \"0-15\"; } );",
	    drain, topology, routing);
	const struct net_flow *f = &x.r->total;
	bool drained = !strcmp(drain, "true");
	struct packets p = packets_of(&x);
	cr_assert_eq(p.n, f->delivered);
	uint64_t hops = 0, bytes = 0;
	for (size_t i = 0; i < p.n; i++) {
		const struct net_packet_record *a = &p.v[i], *b = a + 1;
		hops += a->hops;
		bytes += a->bytes;
		cr_assert(a->created <= a->injected && a->injected < a->delivered);
		cr_assert(drained || a->delivered < 12000000, "delivered at %lu ps, after the end", a->delivered);
		if (i + 1 < p.n)
			cr_assert(
			    a->delivered < b->delivered ||
				(a->delivered == b->delivered &&
			         (a->src < b->src ||
			          (a->src == b->src && (a->seq < b->seq || (a->seq == b->seq && a->job < b->job))))),
			    "packet %zu is out of order, or twice", i);
	}
	struct net_timeline_bin sum = { 0 };
	net_each_timeline(x.net, sum_bins, &sum);
	cr_assert_eq(sum.created, f->created);
	cr_assert_eq(sum.injected, f->injected);
	cr_assert_eq(sum.delivered, f->delivered);
	cr_assert_eq(sum.delivered_bytes, bytes);
	for (uint32_t j = 0; j < 2; j++) { /* by job: sums of its flow, and the hops of its packets */
		struct of_part part = { .number = j };
		uint64_t job_hops = 0, job_bytes = 0;
		net_each_timeline(x.net, sum_part, &part);
		for (size_t i = 0; i < p.n; i++) {
			job_hops += p.v[i].job == j ? p.v[i].hops : 0;
			job_bytes += p.v[i].job == j ? p.v[i].bytes : 0;
		}
		cr_assert_str_eq(part.sum.name, j ? "b" : "a");
		cr_assert_eq(part.sum.created, x.r->jobs[j].created);
		cr_assert_eq(part.sum.injected, x.r->jobs[j].injected);
		cr_assert_eq(part.sum.delivered, x.r->jobs[j].delivered);
		cr_assert_eq(part.sum.delivered_bytes, job_bytes);
		cr_assert(drained ? part.sum.hops == job_hops : part.sum.hops >= job_hops);
	}
	/* every link crossed: into the network, between switches, out of it */
	cr_assert_eq(x.r->packet_hops, sum.injected + sum.hops + sum.delivered);
	struct activity a = { { 0 }, 0, 0, 0 };
	net_each_activity(x.net, sum_activity, &a);
	cr_assert_eq(a.bins, drained ? 19 : 18, "%u bins, of which the last holds %lu", a.bins, a.late);
	cr_assert(!drained || a.late > 0, "the bin after the end is empty");
	cr_assert_eq(a.switches, net_topo(x.net)->switches);
	cr_assert_eq(a.v[0], sum.injected);
	cr_assert_eq(a.v[1], sum.delivered);
	cr_assert_eq(a.v[2], sum.hops);
	cr_assert_leq(a.v[3], sum.hops);
	struct ports ports = { .drained = drained };
	net_each_port(x.net, sum_ports, &ports);
	if (drained) { /* all that was created was delivered, and has crossed what its records say */
		cr_assert_eq(f->created, f->delivered);
		cr_assert_eq(sum.created_bytes, bytes);
		cr_assert_eq(sum.hops, hops);
		cr_assert_eq(a.v[3], hops);
		cr_assert_eq(ports.network, hops);
		cr_assert_eq(ports.terminal, f->delivered);
	} else {
		cr_assert_eq(ports.network, sum.hops);
	}
	struct histograms h = { { 0 }, { 0 } };
	net_each_histogram(x.net, sum_histogram, &h);
	cr_assert_eq(h.n[0], f->measured_delivered);
	cr_assert_eq(h.n[1], f->measured_delivered);
	cr_assert_eq(h.n[2], f->message_latency.n);
	/* jobs and classes are parts of the whole */
	uint64_t created = 0, delivered = 0;
	for (uint32_t j = 0; j < x.r->njobs; j++) {
		const struct net_flow *g = &x.r->jobs[j];
		cr_assert_eq(g->created, g->delivered + g->in_flight + g->queued);
		created += g->created;
		delivered += g->delivered;
	}
	cr_assert_eq(created, f->created);
	cr_assert_eq(delivered, f->delivered);
	free(p.v);
	netrun_free(&x);
}

Test(records, add_up)
{
	static const char *const drain[] = { "true", "false" };
	for (int i = 0; i < 2; i++) {
		check_records(SLIMFLY_5, drain[i], "ugal-l");
		check_records(DRAGONFLY_72, drain[i], "valiant");
		check_records("topology = { kind = \"torus\"; dims = [4, 4]; endpoints = 2; };", drain[i], "minimal");
	}
}

Test(records, refuse_bins_they_cannot_tell_apart)
{
	struct netrun x = { 0 };
	bool built = netrun_build(&x, NULL,
	                          "time = { warmup = \"0us\"; measure = \"500ns\"; };" SLIMFLY_5 LINKS_50
	                          " switch = { kind = \"ideal\"; };"
	                          "routing = { kind = \"minimal\"; }; record = { timeline = \"1ps\"; };"
	                          "traffic = ( { pattern = \"uniform\"; load = 0.1; } );");
	cr_assert(!built, "bins of 1 ps were accepted");
	netrun_free(&x);
}

/* --- interruption
 * ------------------------------------------------------------------------------------------------------------- */

static enum sim_wish until(void *arg, uint64_t committed, uint64_t end, uint64_t events)
{
	(void)end;
	(void)events;
	return committed < *(const uint64_t *)arg ? SIM_GO_ON : SIM_END_AT_PAUSE;
}

Test(interrupted, runs_conserve_and_tell_how_far_they_came)
{
	static const char *const engines[] = { "sync = \"sequential\";",
		                               "sync = \"conservative\";",
		                               "sync = \"optimistic\";",
		                               "sync = \"optimistic\"; stress = 20;",
		                               "sync = \"optimistic\"; window = \"200ns\";",
		                               "threads = 3;" };
	for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
		uint64_t at = 5000000;
		struct netrun x = { .progress = until, .progress_arg = &at };
		char text[2000];
		snprintf(text, sizeof text,
		         "time = { warmup = \"1us\"; measure = \"1s\"; };" SLIMFLY_5 LINKS_50
		         " switch = { kind = \"ideal\"; buffer = \"10KB\"; };"
		         "routing = { kind = \"minimal\"; }; traffic = ( { pattern = \"worst-case\"; load = 0.6; } ); "
		         "engine = { %s };",
		         engines[i]);
		cr_assert(netrun_build(&x, NULL, text), "%s", netrun_error(&x));
		cr_assert_eq(netrun_go(&x), NET_INTERRUPTED, "%s: outcome %d %s", engines[i], (int)x.outcome,
		             netrun_error(&x));
		const struct net_flow *f = &x.r->total;
		cr_assert(!x.r->complete);
		cr_assert(x.r->reached_ps >= at && x.r->reached_ps < 1000000000000);
		cr_assert_eq(f->created, f->delivered + f->in_flight + f->queued);
		cr_assert_float_eq(f->offered_load, 0.6, 0.02, "%s: %.4f", engines[i], f->offered_load);
		cr_assert_float_eq(f->accepted_load, 0.125, 0.01, "%s: %.4f", engines[i], f->accepted_load);
		netrun_free(&x);
	}
}

/* tests/network/test_aggregates.c - totals of jobs and classes against their definitions (docs/results.md), from
 * records of all packets: jobs that share endpoints, one within another, that start late and stop early. */
#include "tests/network/units.h"

#include <math.h>

#define NET "topology = { kind = \"single\"; ports = 16; }; " LINKS_50 "record = { packets = true; }; "
#define WINDOW "time = { warmup = \"1us\"; measure = \"8us\"; };"
#define CLASSES "classes = ( { name = \"bulk\"; }, { name = \"urgent\"; } ); "

enum { ENDPOINTS = 16, JOBS = 3, FROM = 1000000, TO = 9000000 };

/* What a flow must say, counted by hand. */
struct counted {
	double created_bytes, delivered_bytes, latency, hops, measured;
	uint64_t endpoints, packets, least, most;
};

/* `of`: bits of jobs; `where`: bits of the endpoints of each job. */
static struct counted count(const struct packets *l, uint32_t of, const uint32_t *where)
{
	struct counted c = { .least = UINT64_MAX };
	uint32_t senders = 0;
	for (uint32_t j = 0; j < JOBS; j++)
		if (of >> j & 1)
			senders |= where[j];
	c.endpoints = (uint64_t)__builtin_popcount(senders);
	for (size_t i = 0; i < l->n; i++) {
		const struct net_packet_record *p = &l->v[i];
		if (!(of >> p->job & 1))
			continue;
		c.packets++;
		c.delivered_bytes += p->delivered >= FROM && p->delivered < TO ? p->bytes : 0;
		if (p->created < FROM || p->created >= TO)
			continue;
		uint64_t took = p->delivered - p->created;
		c.created_bytes += p->bytes;
		c.latency += (double)took;
		c.hops += p->hops;
		c.measured++;
		c.least = took < c.least ? took : c.least;
		c.most = took > c.most ? took : c.most;
	}
	return c;
}

static void compare(const struct net_flow *f, const struct counted *c)
{
	double capacity = (double)c->endpoints * (TO - FROM) / 80; /* 100 Gb/s: 80 ps a byte */
	cr_expect_eq(f->endpoints, c->endpoints, "%s: %lu endpoints, not %lu", f->name, f->endpoints, c->endpoints);
	cr_expect_eq(f->delivered, c->packets, "%s: %lu packets, not %lu", f->name, f->delivered, c->packets);
	cr_expect_float_eq(f->offered_load, c->created_bytes / capacity, 1e-9, "%s: offered %.6f, not %.6f", f->name,
	                   f->offered_load, c->created_bytes / capacity);
	cr_expect_float_eq(f->accepted_load, c->delivered_bytes / capacity, 1e-9, "%s: accepted %.6f, not %.6f",
	                   f->name, f->accepted_load, c->delivered_bytes / capacity);
	cr_expect_float_eq(f->latency.mean, c->latency / c->measured, 1e-3, "%s: mean %.3f, not %.3f", f->name,
	                   f->latency.mean, c->latency / c->measured);
	cr_expect_eq(f->latency.min, c->least, "%s", f->name);
	cr_expect_eq(f->latency.max, c->most, "%s", f->name);
	cr_expect_float_eq(f->hops_mean, c->hops / c->measured, 1e-9, "%s", f->name);
}

static void check(const char *jobs, const uint32_t *where, double total)
{
	struct netrun x = { 0 };
	run(&x, NET WINDOW CLASSES "%s", jobs);
	struct packets l = packets_of(&x);
	struct counted all = count(&l, 7, where), bulk = count(&l, 3, where), urgent = count(&l, 4, where);
	compare(&x.r->total, &all);
	compare(&x.r->classes[0], &bulk);
	compare(&x.r->classes[1], &urgent);
	for (uint32_t j = 0; j < JOBS; j++) {
		struct counted one = count(&l, 1u << j, where);
		compare(&x.r->jobs[j], &one);
	}
	cr_expect_float_eq(x.r->total.offered_load, total, 0.03, "%.4f offered in all: %s", x.r->total.offered_load,
	                   jobs);
	free(l.v);
	netrun_free(&x);
}

#define JOB(nodes, load, more) "{ nodes = \"" nodes "\"; load = " load "; packet = \"256B\"; " more " }"

Test(aggregates, jobs_on_the_same_endpoints)
{
	static const uint32_t where[] = { 0xffff, 0xffff, 0xffff };
	check("traffic = ( " JOB("0-15", "0.4", "") ", " JOB("0-15", "0.2", "") ", " JOB("0-15", "0.1",
	                                                                                 "class = \"urgent\";") " );",
	      where, 0.7);
}

Test(aggregates, jobs_apart)
{
	static const uint32_t where[] = { 0x00ff, 0x0f00, 0xf000 };
	check("traffic = ( " JOB("0-7", "0.4", "") ", " JOB("8-11", "0.2", "") ", " JOB("12-15", "0.1",
	                                                                                "class = \"urgent\";") " );",
	      where, (8 * 0.4 + 4 * 0.2 + 4 * 0.1) / 16);
}

Test(aggregates, jobs_that_overlap_and_nest)
{
	static const uint32_t where[] = { 0x0fff, 0x3fc0, 0x003c };
	check("traffic = ( " JOB("0-11", "0.3", "") ", " JOB("6-13", "0.2", "") ", " JOB("2-5", "0.4",
	                                                                                 "class = \"urgent\";") " );",
	      where, (12 * 0.3 + 8 * 0.2 + 4 * 0.4) / 14);
}

Test(aggregates, jobs_that_start_late_and_stop_early)
{
	static const uint32_t where[] = { 0xffff, 0x00ff, 0xff00 };
	check("traffic = ( " JOB("0-15", "0.2", "") ", " JOB("0-7", "0.4", "start = \"5us\";") ", " JOB(
		  "8-15", "0.6", "class = \"urgent\"; stop = \"3us\";") " );",
	      where, 0.2 + (8 * 0.4 * 0.5 + 8 * 0.6 * 0.25) / 16);
}

/* The target of an incast sends nothing in that job: it counts if it sends in another. */
Test(aggregates, idle_endpoints)
{
	static const char *const others[] = { "0-3", "4-7" };
	for (uint64_t i = 0; i < 2; i++) {
		struct netrun x = { 0 };
		run(&x,
		    NET WINDOW
		    "traffic = ( { nodes = \"0-15\"; load = 0.02; pattern = \"incast\"; }, { nodes = \"%s\"; "
		    "load = 0.2; } );",
		    others[i]);
		cr_expect_eq(x.r->jobs[0].endpoints, 15);
		cr_expect_eq(x.r->total.endpoints, 16 - i, "%lu endpoints", x.r->total.endpoints);
		netrun_free(&x);
	}
}

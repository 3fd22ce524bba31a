/* tests/switch/bench.h - runs a configuration given as text, with changes, and keeps what the tests ask for. */
#ifndef TESTS_SWITCH_BENCH_H
#define TESTS_SWITCH_BENCH_H

#include "base/memory.h"
#include "experiments/config/builtin.h"
#include "experiments/config/config.h"
#include "network/network.h"
#include "workload/workload.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench_result {
	enum net_outcome outcome;
	double accepted, latency_ns, hops;
	uint64_t digest, delivered, in_flight, queued, rollbacks;
	char message[500]; /* the first error of a run that failed */
};

struct bench_packets {
	struct net_packet_record *v;
	size_t n, cap;
};

static inline void bench_keep_packet(void *arg, const struct net_packet_record *p)
{
	struct bench_packets *l = arg;
	if (l->n == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 4096;
		l->v = base_realloc(l->v, l->cap * sizeof *l->v);
	}
	l->v[l->n++] = *p;
}

/* A configuration that was read, and what it takes to build its network. */
struct bench_config {
	struct base_registry registry;
	struct base_errors errors;
	struct xp_config config;
	struct net_setup setup;
	char *changes; /* its words */
};

/* Reads text with changes, "path=value path=value ...", as with --set; what is wrong with it fails the test. `c` must
 * stay where it is. extra: one more plug-in, or NULL. */
static inline void bench_read(struct bench_config *c, const char *text, const char *changes,
                              const struct base_plugin *extra)
{
	const char *sets[40];
	size_t n = 0;
	char *save;
	*c = (struct bench_config){ .changes = base_strdup(changes) };
	for (char *word = strtok_r(c->changes, " ", &save); word && n < 40; word = strtok_r(NULL, " ", &save))
		sets[n++] = word;
	xp_register_builtin(&c->registry);
	if (extra)
		base_register(&c->registry, extra, &c->errors);
	int status = xp_config_parse(&c->config, text, strlen(text), "test", NULL,
	                             &(struct xp_sets){ .v = sets, .n = n }, XP_WHOLE, &c->registry, &c->errors);
	cr_assert_eq(status, 0, "%s: %s (%s)", c->errors.n ? c->errors.v[0].key : "",
	             c->errors.n ? c->errors.v[0].text : "", changes);
	c->setup = (struct net_setup){ .config = &c->config.net,
		                       .registry = &c->registry,
		                       .build_traffic = wl_build,
		                       .destroy_traffic = wl_destroy };
}

static inline void bench_close(struct bench_config *c)
{
	xp_config_free(&c->config);
	base_errors_free(&c->errors);
	base_registry_free(&c->registry);
	free(c->changes);
}

/* extra: as for bench_read(); packets: NULL, or to be filled. */
static inline struct bench_result bench_run_with(const char *text, const char *changes, const struct base_plugin *extra,
                                                 struct bench_packets *packets)
{
	struct bench_config c;
	struct bench_result r = { 0 };
	const struct base_errors *errors = &c.errors;
	bench_read(&c, text, changes, extra);
	struct net *net = net_create(&c.setup, &c.errors);
	cr_assert(net, "%s: %s (%s)", errors->n ? errors->v[0].key : "", errors->n ? errors->v[0].text : "", changes);
	r.outcome = net_run(net, &c.errors);
	size_t first = 0;
	while (first + 1 < errors->n && errors->v[first].warning)
		first++;
	if (errors->n)
		snprintf(r.message, sizeof r.message, "%s", errors->v[first].text);
	const struct net_result *result = net_results(net);
	r.accepted = result->total.accepted_load;
	r.latency_ns = result->total.latency.mean / 1000;
	r.hops = result->total.hops_mean;
	r.digest = result->digest;
	r.delivered = result->total.delivered;
	r.in_flight = result->total.in_flight;
	r.queued = result->total.queued;
	r.rollbacks = result->counters.rollbacks;
	if (packets)
		net_each_packet(net, bench_keep_packet, packets);
	net_destroy(net);
	bench_close(&c);
	return r;
}

static inline struct bench_result bench_run(const char *text, const char *changes)
{
	struct bench_result r = bench_run_with(text, changes, NULL, NULL);
	cr_assert(r.outcome == NET_DONE, "%s: outcome %d %s", changes, r.outcome, r.message);
	return r;
}

static inline uint64_t bench_flow_of(const struct net_packet_record *p)
{
	return (uint64_t)p->src << 40 | (uint64_t)p->dst << 16 | p->job;
}

static inline int bench_by_flow(const void *a, const void *b)
{
	const struct net_packet_record *x = a, *y = b;
	if (bench_flow_of(x) != bench_flow_of(y))
		return bench_flow_of(x) < bench_flow_of(y) ? -1 : 1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

/* Frees the packets. Sorted by sequence number within each flow, times of delivery must rise; and no packet is there
 * twice. */
static inline void bench_in_order(struct bench_packets *p, const char *what)
{
	qsort(p->v, p->n, sizeof *p->v, bench_by_flow);
	for (size_t i = 1; i < p->n; i++)
		if (bench_flow_of(&p->v[i]) == bench_flow_of(&p->v[i - 1])) {
			cr_assert_neq(p->v[i].seq, p->v[i - 1].seq, "%s: a packet was delivered twice", what);
			cr_assert(p->v[i].delivered > p->v[i - 1].delivered, "%s: packet %u of %u to %u came before %u",
			          what, p->v[i].seq, p->v[i].src, p->v[i].dst, p->v[i - 1].seq);
		}
	free(p->v);
}

/* One switch, links of one 8-byte flit a nanosecond, slotted arrivals in the same cycle everywhere, uniform with
 * oneself, saturated. */
#define BENCH_SINGLE                                                                                                   \
	"seed = 1; time = { warmup = \"20us\"; measure = \"60us\"; }; topology = { kind = \"single\"; ports = 16; };"  \
	"links = { terminal = { bandwidth = \"64Gbps\"; latency = \"1ns\"; }; };"                                      \
	"switch = { kind = \"crossbar\"; inputs = \"fifo\"; allocator = \"islip\"; cycle = \"1ns\"; flit = \"8B\"; "   \
	"buffer = \"4KB\"; vcs = 1; };"                                                                                \
	"routing = { kind = \"minimal\"; };"                                                                           \
	"traffic = ( { pattern = \"uniform\"; self = true; injection = \"bernoulli\"; load = 1.0; packet = \"8B\"; } " \
	");"

#endif

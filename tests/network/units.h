/* tests/network/units.h - what the unit tests of networks share: running a text, remembering packet records. */
#ifndef TESTS_NETWORK_UNITS_H
#define TESTS_NETWORK_UNITS_H

#include "tests/network/fixture.h"

#include <criterion/criterion.h>

static inline void run_extra(struct netrun *x, const struct base_plugin *extra, enum net_outcome want, const char *fmt,
                             va_list ap)
{
	char text[4000];
	vsnprintf(text, sizeof text, fmt, ap);
	cr_assert(netrun_build(x, extra, text), "%s: %s\n%s", x->errors.n ? x->errors.v[0].key : "", netrun_error(x),
	          text);
	cr_assert_eq(netrun_go(x), want, "outcome %d: %s\n%s", (int)x->outcome, netrun_error(x), text);
	const struct net_flow *f = &x->r->total;
	cr_assert_eq(f->created, f->delivered + f->in_flight + f->queued + f->dropped);
	cr_assert_eq(f->injected, f->delivered + f->in_flight + f->dropped);
}

/* Runs to NET_DONE. */
static inline void run(struct netrun *x, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	run_extra(x, NULL, NET_DONE, fmt, ap);
	va_end(ap);
}

/* The flow of all jobs of a run to NET_DONE. */
static inline struct net_flow flow_of(const char *fmt, ...)
{
	struct netrun x = { 0 };
	va_list ap;
	va_start(ap, fmt);
	run_extra(&x, NULL, NET_DONE, fmt, ap);
	va_end(ap);
	struct net_flow f = x.r->total;
	netrun_free(&x);
	return f;
}

struct packets {
	struct net_packet_record *v;
	size_t n, cap;
};

static inline void remember(void *arg, const struct net_packet_record *p)
{
	struct packets *l = arg;
	if (l->n == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 1024;
		l->v = realloc(l->v, l->cap * sizeof *l->v);
	}
	l->v[l->n++] = *p;
}

static inline struct packets packets_of(struct netrun *x)
{
	struct packets l = { 0 };
	net_each_packet(x->net, remember, &l);
	return l;
}

#define SLIMFLY_5 "topology = { kind = \"slimfly\"; q = 5; endpoints = 4; };"
#define DRAGONFLY_72 "topology = { kind = \"dragonfly\"; p = 2; a = 4; h = 2; };"
#define LINKS_50 "links = { default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; }; };"

#endif

/* network/failures/schedule.c - computes the outages of every cable and every interface before the run. See failures.h.
 *
 * A switch that fails takes its cables and the links of its endpoints down, so lists exist for cables and these links
 * only. The random numbers of mode "random" are determined by the entry and by the element: a cable (identified by its
 * lower end), a switch or an endpoint. */
#include "network/net.h"

#include "base/memory.h"
#include "sim/rng.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_OUTAGES ((size_t)1 << 20)
#define MEAN_MOST (UINT64_C(1) << 44) /* of sim_exponential() */
#define RANDOM_SUB 0x80000000u

struct outage_list { /* under construction */
	struct sw_outage *v;
	size_t n, cap;
	bool too_many;
};

static void add_outage(struct outage_list *l, uint64_t from, uint64_t until)
{
	if (l->n >= MOST_OUTAGES) {
		l->too_many = true;
		return;
	}
	if (l->n == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 16;
		l->v = base_realloc(l->v, l->cap * sizeof *l->v);
	}
	l->v[l->n++] = (struct sw_outage){ from, until };
}

/* --- of an entry --------------------------------------------------------------------------------------------- */

/* Until when an entry with mode "flap" or "random" lasts; 0: neither the entry nor the run says it. */
static uint64_t end_of(const struct net_config *c, const struct net_failure *f)
{
	const struct net_time *t = &c->time;
	if (f->until)
		return f->until;
	if (t->precision > 0 || t->applications)
		return t->limit == BASE_AUTO_TIME_VALUE ? 0 : t->limit;
	return t->warmup + t->measure;
}

/* An exponential variate of any mean. */
static uint64_t draw_time(const struct net *n, const struct net_failure *f, uint32_t entry, uint32_t which,
                          uint32_t port, uint32_t k, uint64_t mean)
{
	uint64_t seed = f->seed == BASE_AUTO ? n->config->seed : (uint64_t)f->seed;
	struct sim_draw d = sim_draw4(seed, which, k, SIM_DRAW_LINK, RANDOM_SUB | entry << 16 | (port & 0xffff));
	unsigned shift = 0;
	while (mean >> shift > MEAN_MOST)
		shift++;
	uint64_t x = sim_exponential((uint64_t)d.v[0] << 32 | d.v[1], mean >> shift) << shift;
	return x ? x : 1;
}

/* Adds the outages of an element by entry i. */
static void add_entry(const struct net *n, uint32_t i, uint32_t which, uint32_t port, struct outage_list *out)
{
	const struct net_failure *f = &n->config->failures[i];
	uint64_t end = end_of(n->config, f);
	if (f->mode == NET_FAILS_DOWN)
		add_outage(out, f->at, f->until ? f->until : SIM_NEVER);
	for (uint64_t t = f->at; f->mode == NET_FAILS_FLAP && t < end && !out->too_many; t += f->down_time + f->up_time)
		add_outage(out, t, t + f->down_time < end ? t + f->down_time : end);
	uint64_t t = f->at;
	for (uint32_t k = 0; f->mode == NET_FAILS_RANDOM && !out->too_many; k += 2) {
		uint64_t from = t + draw_time(n, f, i, which, port, k, f->mtbf);
		uint64_t until = from + draw_time(n, f, i, which, port, k + 1, f->mttr);
		if (from >= end)
			break;
		add_outage(out, from, until);
		t = until;
	}
}

/* --- of an element ------------------------------------------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
	const struct sw_outage *x = a, *y = b;
	return (x->from > y->from) - (x->from < y->from);
}

/* Sorts the outages from number `first` on, and joins those that touch. */
static void join_outages(struct outage_list *l, size_t first)
{
	size_t used = first;
	if (l->n == first)
		return;
	qsort(l->v + first, l->n - first, sizeof *l->v, by_time);
	for (size_t i = first + 1; i < l->n; i++) {
		if (l->v[i].from > l->v[used].until)
			l->v[++used] = l->v[i];
		else if (l->v[i].until > l->v[used].until)
			l->v[used].until = l->v[i].until;
	}
	l->n = used + 1;
}

/* Outages of switches as a whole: list s. */
struct of_switches {
	struct outage_list all;
	size_t *first;
};

static void find_switches(const struct net *n, struct of_switches *x, bool *found)
{
	x->first = base_calloc((size_t)n->topo.switches + 1, sizeof *x->first);
	for (topo_switch s = 0; s < n->topo.switches; s++) {
		for (uint32_t i = 0; i < n->config->nfailures; i++)
			if (net_failure_of_switch(n, i, s)) {
				found[i] = true;
				add_entry(n, i, s, 0, &x->all);
			}
		join_outages(&x->all, x->first[s]);
		x->first[s + 1] = x->all.n;
	}
}

static void add_switch(const struct of_switches *x, topo_switch s, struct outage_list *out)
{
	for (size_t i = x->first[s]; i < x->first[s + 1]; i++)
		add_outage(out, x->all.v[i].from, x->all.v[i].until);
}

/* --- all ----------------------------------------------------------------------------------------------------- */

struct schedule {
	struct net *n;
	struct of_switches switches;
	struct outage_list all;
	size_t *first; /* [lists + 1] */
	size_t cap;
	bool found[NET_FAILURES];
};

/* Ends a list, if it has something: returns 1 + its number, or 0. */
static uint32_t end_list(struct schedule *x)
{
	struct net_failures *f = &x->n->failures;
	if (x->all.n == x->first[f->lists])
		return 0;
	join_outages(&x->all, x->first[f->lists]);
	if ((size_t)f->lists + 2 > x->cap) {
		x->cap *= 2;
		x->first = base_realloc(x->first, x->cap * sizeof *x->first);
	}
	x->first[++f->lists] = x->all.n;
	return f->lists;
}

static void find_cables(struct schedule *x)
{
	struct net *n = x->n;
	struct net_failures *f = &n->failures;
	for (topo_switch s = 0; s < n->topo.switches; s++)
		for (topo_port p = 0; p < topo_ports(&n->topo, s); p++) {
			struct topo_hop h = topo_peer(&n->topo, s, p);
			if (h.to < s || (h.to == s && h.port < p)) {
				f->of_channel[f->first[s] + p] = f->of_channel[f->first[h.to] + h.port];
				continue;
			}
			for (uint32_t i = 0; i < n->config->nfailures; i++) {
				if (!net_failure_cuts(&n->config->failures[i]) || !net_failure_of_cable(n, i, s, p, &h))
					continue;
				x->found[i] = true;
				add_entry(n, i, s, p, &x->all);
			}
			add_switch(&x->switches, s, &x->all);
			add_switch(&x->switches, h.to, &x->all);
			f->of_channel[f->first[s] + p] = end_list(x);
		}
	f->cables = f->lists;
}

static void find_interfaces(struct schedule *x)
{
	struct net *n = x->n;
	struct net_failures *f = &n->failures;
	for (topo_switch s = 0; s < n->topo.switches; s++)
		for (uint32_t e = topo_first_endpoint(&n->topo, s), k = 0; k < topo_endpoints_at(&n->topo, s);
		     k++, e++) {
			for (uint32_t i = 0; i < n->config->nfailures; i++) {
				if (!net_failure_cuts(&n->config->failures[i]) || !net_failure_of_interface(n, i, e))
					continue;
				x->found[i] = true;
				add_entry(n, i, e, 0, &x->all);
			}
			add_switch(&x->switches, s, &x->all);
			f->of_terminal[e] = end_list(x);
		}
	f->terminals = f->lists > f->cables;
}

/* An entry that applies to nothing is refused. */
static int check_found(const struct schedule *x, struct base_errors *errors)
{
	const struct net_config *c = x->n->config;
	int status = 0;
	for (uint32_t i = 0; i < c->nfailures; i++) {
		const struct net_failure *f = &c->failures[i];
		char key[48];
		snprintf(key, sizeof key, "failures.[%" PRIu32 "]", i);
		if (f->mode >= NET_FAILS_FLAP && !end_of(c, f))
			status = base_errorf(errors, key,
			                     "needs `until` with mode = \"flap\" or \"random\", because the end of "
			                     "this run is not known in advance");
		else if (net_failure_cuts(f) && !x->found[i])
			status = base_errorf(errors, key,
			                     "has no effect: this network has no cable that the entry could select");
	}
	if (x->all.too_many || x->switches.all.too_many)
		status = base_errorf(
		    errors, "failures",
		    "there are more than %zu outages of cables and interfaces; use longer times, or fewer elements",
		    MOST_OUTAGES);
	return status;
}

/* As routing sees it: a change counts once it has lasted for `reaction`. */
static void see_list(const struct sw_outage *v, size_t n, uint64_t reaction, struct outage_list *out)
{
	bool dead = false;
	uint64_t since = 0;
	for (size_t i = 0; i < n; i++) {
		if (!dead && v[i].until - v[i].from > reaction && v[i].from + reaction < SIM_NEVER / 2) {
			dead = true;
			since = v[i].from + reaction;
		}
		if (!dead || v[i].until == SIM_NEVER || (i + 1 < n && v[i + 1].from - v[i].until <= reaction))
			continue;
		add_outage(out, since, v[i].until + reaction);
		dead = false;
	}
	if (dead)
		add_outage(out, since, SIM_NEVER);
}

static struct net_outages take_list(struct outage_list *l, const size_t *first, uint32_t lists)
{
	struct net_outages o = { base_calloc((size_t)lists + 1, sizeof *o.first), l->v, l->n };
	for (uint32_t k = 0; k <= lists; k++)
		o.first[k] = (uint32_t)first[k];
	return o;
}

static void see_all(struct net_failures *f, uint64_t reaction)
{
	struct outage_list out = { 0 };
	size_t *first = base_calloc((size_t)f->lists + 1, sizeof *first);
	for (uint32_t k = 0; k < f->lists; k++) {
		see_list(f->losing.v + f->losing.first[k], f->losing.first[k + 1] - f->losing.first[k], reaction, &out);
		first[k + 1] = out.n;
	}
	f->seen = take_list(&out, first, f->lists);
	free(first);
}

int net_failures_schedule(struct net *n, struct base_errors *errors)
{
	struct net_failures *f = &n->failures;
	struct schedule x = { .n = n, .cap = 64 };
	x.first = base_calloc(x.cap, sizeof *x.first);
	f->first = base_calloc((size_t)n->topo.switches + 1, sizeof *f->first);
	for (topo_switch s = 0; s < n->topo.switches; s++)
		f->first[s + 1] = f->first[s] + topo_ports(&n->topo, s);
	f->of_channel = base_calloc(f->first[n->topo.switches] + 1, sizeof *f->of_channel);
	f->of_terminal = base_calloc((size_t)n->topo.endpoints + 1, sizeof *f->of_terminal);
	find_switches(n, &x.switches, x.found);
	find_cables(&x);
	find_interfaces(&x);
	int status = check_found(&x, errors);
	f->losing = take_list(&x.all, x.first, f->lists);
	see_all(f, n->config->routing_reaction);
	free(x.first);
	free(x.switches.first);
	free(x.switches.all.v);
	return status;
}

bool net_outages_meet(const struct net_outages *o, uint32_t list, uint64_t from, uint64_t to)
{
	uint32_t low = o->first[list], high = o->first[list + 1];
	while (low < high) { /* the first that ends behind `from` */
		uint32_t middle = low + (high - low) / 2;
		if (o->v[middle].until <= from)
			low = middle + 1;
		else
			high = middle;
	}
	return low < o->first[list + 1] && o->v[low].from < to;
}

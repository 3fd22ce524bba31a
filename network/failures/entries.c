/* network/failures/entries.c - the entries of `failures`: what they say, and to what they apply. See failures.h. */
#include "base/memory.h"
#include "network/net.h"
#include "sim/rng.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool net_failures_cut(const struct net_config *config)
{
	for (uint32_t i = 0; i < config->nfailures; i++)
		if (net_failure_cuts(&config->failures[i]))
			return true;
	return false;
}

/* --- to what they apply -------------------------------------------------------------------------------------- */

/* Which of the cables from its switch to the same other one is it? */
static int64_t number_of_cable(const struct net *n, topo_switch s, topo_port port, topo_switch to)
{
	int64_t before = 0;
	for (topo_port p = 0; p < port; p++)
		before += topo_peer(&n->topo, s, p).to == to;
	return before;
}

static uint64_t number_of(const struct net *n, uint32_t failure, uint32_t which, uint32_t port)
{
	const struct net_failure *f = &n->config->failures[failure];
	uint64_t seed = f->seed == BASE_AUTO ? n->config->seed : (uint64_t)f->seed;
	struct sim_draw d = sim_draw4(seed, which, port, SIM_DRAW_LINK, UINT32_MAX - failure);
	return (uint64_t)d.v[0] << 32 | d.v[1];
}

static bool is_drawn(const struct net *n, uint32_t failure, uint32_t which, uint32_t port)
{
	return number_of(n, failure, which, port) <= n->failures.upto[failure];
}

static bool is_of_class(const struct net *n, const struct net_failure *f, const struct topo_hop *h)
{
	return !f->link_class || !strcmp(f->link_class, n->topo.link_class_name[h->link_class]);
}

/* A cable is drawn at one of its ends, that at the lower (switch, port). */
static bool is_lower(topo_switch s, topo_port p, const struct topo_hop *h)
{
	return s < h->to || (s == h->to && p < h->port);
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

/* The numbers of all that may be drawn; returns how many there are. numbers: NULL, or room for them. */
static size_t list_numbers(const struct net *n, uint32_t i, uint64_t *numbers)
{
	const struct net_failure *f = &n->config->failures[i];
	size_t k = 0;
	if (f->of != NET_SHARE_CABLES) {
		uint32_t all = f->of == NET_SHARE_SWITCHES ? n->topo.switches : n->topo.endpoints;
		for (; k < all && numbers; k++)
			numbers[k] = number_of(n, i, (uint32_t)k, UINT32_MAX);
		return all;
	}
	for (topo_switch s = 0; s < n->topo.switches; s++)
		for (topo_port p = 0; p < topo_ports(&n->topo, s); p++) {
			struct topo_hop h = topo_peer(&n->topo, s, p);
			if (h.to == TOPO_NONE || !is_lower(s, p, &h) || !is_of_class(n, f, &h))
				continue;
			if (numbers)
				numbers[k] = number_of(n, i, s, p);
			k++;
		}
	return k;
}

void net_failures_draw(struct net *n)
{
	const struct net_config *c = n->config;
	n->failures.upto = base_calloc((size_t)c->nfailures + 1, sizeof *n->failures.upto);
	for (uint32_t i = 0; i < c->nfailures; i++) {
		const struct net_failure *f = &c->failures[i];
		size_t all = f->what == NET_FAILS_SHARE ? list_numbers(n, i, NULL) : 0;
		if (!all)
			continue;
		uint64_t *number = base_calloc(all, sizeof *number);
		list_numbers(n, i, number);
		qsort(number, all, sizeof *number, by_number);
		double share = f->share * (double)all + 0.5;
		size_t drawn = share < 1 ? 1 : share > (double)all ? all : (size_t)share;
		n->failures.upto[i] = number[drawn - 1];
		free(number);
	}
}

bool net_failure_of_cable(const struct net *n, uint32_t i, topo_switch s, topo_port p, const struct topo_hop *h)
{
	const struct net_failure *f = &n->config->failures[i];
	if (!is_of_class(n, f, h))
		return false;
	switch ((enum net_failure_what)f->what) {
	case NET_FAILS_CABLE: {
		bool there = f->cable.v[0] == s && f->cable.v[1] == h->to,
		     back = f->cable.v[1] == s && f->cable.v[0] == h->to;
		if (!there && !back)
			return false;
		if (f->cable.n < 3)
			return true;
		/* counted at the first of the two switches */
		return f->cable.v[2] ==
		       (there ? number_of_cable(n, s, p, h->to) : number_of_cable(n, h->to, h->port, s));
	}
	case NET_FAILS_SWITCH:
		return !net_failure_cuts(f) && (f->failing_switch == s || f->failing_switch == h->to);
	case NET_FAILS_SHARE: {
		bool lower = is_lower(s, p, h);
		return f->of == NET_SHARE_CABLES && is_drawn(n, i, lower ? s : h->to, lower ? p : h->port);
	}
	case NET_FAILS_INTERFACE:
		return false;
	}
	return false;
}

bool net_failure_of_switch(const struct net *n, uint32_t i, topo_switch s)
{
	const struct net_failure *f = &n->config->failures[i];
	if (!net_failure_cuts(f))
		return false;
	return (f->what == NET_FAILS_SWITCH && f->failing_switch == s) ||
	       (f->what == NET_FAILS_SHARE && f->of == NET_SHARE_SWITCHES && is_drawn(n, i, s, UINT32_MAX));
}

bool net_failure_of_interface(const struct net *n, uint32_t i, uint32_t endpoint)
{
	const struct net_failure *f = &n->config->failures[i];
	return (f->what == NET_FAILS_INTERFACE && f->endpoint == endpoint) ||
	       (f->what == NET_FAILS_SHARE && f->of == NET_SHARE_INTERFACES && is_drawn(n, i, endpoint, UINT32_MAX));
}

/* --- what they say ------------------------------------------------------------------------------------------- */

static void check_class(const struct net *n, const struct net_failure *f, struct base_errors *errors)
{
	bool named = !f->link_class;
	for (int k = 0; k < n->topo.link_classes && !named; k++)
		named = !strcmp(f->link_class, n->topo.link_class_name[k]);
	if (named)
		return;
	const char *near = base_nearest(f->link_class, n->topo.link_class_name, (size_t)n->topo.link_classes);
	base_errorf(errors, "links", "\"%s\" is not a link class of this topology%s%s%s", f->link_class,
	            near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static void check_switch(const char *key, int64_t number, uint32_t switches, struct base_errors *errors)
{
	if (number >= switches)
		base_errorf(errors, key, "there is no switch %" PRId64 "; there are 0 to %" PRIu32, number,
		            switches - 1);
}

/* An entry that begins when the run has ended loses no packet; a point of a sweep may be such a run. Where packets are
 * drained, it may still begin. */
static void warn_of_late(const struct net_config *c, const struct net_failure *f, struct base_errors *errors)
{
	const struct net_time *t = &c->time;
	uint64_t end = t->precision > 0 || t->applications ? t->limit : t->warmup + t->measure;
	if (end != BASE_AUTO_TIME_VALUE && t->drain == NET_DRAIN_OFF && f->at >= end)
		base_warnf(errors, "at",
		           "the run ends at %g us, before this failure begins: it takes no effect, but routes have the "
		           "virtual channels for it",
		           (double)end * 1e-6);
}

static void check_what(const struct net *n, const struct net_failure *f, struct base_errors *errors)
{
	if (f->what == NET_FAILS_CABLE && (f->cable.n < 2 || f->cable.n > 3))
		base_errorf(errors, "cable",
		            "must be the numbers of two switches, as in [0, 1], optionally followed by the number of a "
		            "cable between them");
	for (size_t i = 0; f->what == NET_FAILS_CABLE && i < f->cable.n && i < 2; i++)
		check_switch("cable", f->cable.v[i], n->topo.switches, errors);
	if (f->what == NET_FAILS_SWITCH)
		check_switch("switch", f->failing_switch, n->topo.switches, errors);
	if (f->what == NET_FAILS_INTERFACE && f->endpoint >= n->topo.endpoints)
		base_errorf(errors, "endpoint", "there is no endpoint %" PRId64 "; there are 0 to %" PRIu32,
		            f->endpoint, n->topo.endpoints - 1);
	if (f->what == NET_FAILS_SHARE && f->share <= 0)
		base_errorf(errors, "share", "must be more than 0 with what = \"share\"");
}

static void check_mode(const struct net_failure *f, struct base_errors *errors)
{
	bool no_cable = f->what == NET_FAILS_INTERFACE || (f->what == NET_FAILS_SHARE && f->of != NET_SHARE_CABLES);
	if (f->mode == NET_FAILS_LANES && !f->lanes)
		base_errorf(errors, "lanes", "must be set to the number of lanes that fail, at least 1");
	if (f->mode == NET_FAILS_ERRORS && f->bit_error_rate <= 0)
		base_errorf(errors, "bit_error_rate", "must be more than 0 with mode = \"errors\"");
	if (!net_failure_cuts(f) && no_cable)
		base_errorf(errors, "mode",
		            "\"lanes\" and \"errors\" are for cables between switches; switches and interfaces fail "
		            "with mode \"down\", \"flap\" or \"random\"");
	if (net_failure_cuts(f) && f->link_class && (no_cable || f->what == NET_FAILS_SWITCH))
		base_errorf(errors, "links", "has no effect on a switch or an interface that fails as a whole");
	if (f->mode == NET_FAILS_FLAP && (!f->down_time || !f->up_time))
		base_errorf(errors, f->down_time ? "up_time" : "down_time", "must be set with mode = \"flap\"");
	if (f->mode == NET_FAILS_RANDOM && (!f->mtbf || !f->mttr))
		base_errorf(errors, f->mtbf ? "mttr" : "mtbf", "must be set with mode = \"random\"");
}

int net_failures_check(const struct net *n, struct base_errors *errors)
{
	size_t before = errors->errors;
	if (n->config->nfailures > NET_FAILURES)
		return base_errorf(errors, "failures", "has %" PRIu32 " entries; at most %u are allowed",
		                   n->config->nfailures, NET_FAILURES);
	for (uint32_t i = 0; i < n->config->nfailures; i++) {
		const struct net_failure *f = &n->config->failures[i];
		char scope[48];
		snprintf(scope, sizeof scope, "failures.[%" PRIu32 "]", i);
		errors->scope = scope;
		check_class(n, f, errors);
		if (f->until && f->until <= f->at)
			base_errorf(errors, "until", "must be later than `at`");
		warn_of_late(n->config, f, errors);
		check_mode(f, errors);
		check_what(n, f, errors);
		errors->scope = NULL;
	}
	return errors->errors > before ? -1 : 0;
}

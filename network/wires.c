/* network/wires.c - lanes and link-level retry of links between switches. See wires.h.
 *
 * A wire is the sending end of a link. What changes with time is the same for both directions of a cable, and for all
 * cables to which the same entries of `failures` apply: their changes are stored once, in a struct net_wire_set. All
 * ranks find the same sets. */
#include "network/wires.h"

#include "base/memory.h"
#include "network/part.h"
#include "sim/rng.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SET_WORDS (NET_FAILURES / 64)
#define LEAST_INTACT_Q64 (UINT64_MAX >> 10) /* a frame passes at least once in about a thousand copies */

struct net_wire_set { /* entries of `failures` that apply together */
	uint64_t of[SET_WORDS];
	uint32_t first, changes; /* in sw_wires.change */
};

/* --- which failures apply to a cable --------------------------------------------------------------------- */

static bool find_failures(const struct net *n, topo_switch s, topo_port p, const struct topo_hop *h,
                          uint64_t of[SET_WORDS])
{
	bool any = false;
	memset(of, 0, SET_WORDS * sizeof *of);
	for (uint32_t i = 0; i < n->config->nfailures; i++) {
		if (net_failure_cuts(&n->config->failures[i]) || !net_failure_of_cable(n, i, s, p, h))
			continue;
		of[i / 64] |= 1ull << i % 64;
		any = true;
	}
	return any;
}

static struct net_wire_set *find_set(const struct net *n, const uint64_t of[SET_WORDS])
{
	for (uint32_t i = 0; i < n->wires.sets; i++)
		if (!memcmp(n->wires.set[i].of, of, sizeof n->wires.set[i].of))
			return &n->wires.set[i];
	return NULL;
}

/* --- what changes when ----------------------------------------------------------------------------------- */

static int compare_times(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* Returns the state of the wires of a set at time `t`: the numbers of lanes lost by several failures add up, and of
 * several error rates the highest applies. errors[] is the index of the error rate of each failure. */
static struct sw_wire_change state_at(const struct net *n, const struct net_wire_set *set, const uint32_t *errors,
                                      uint64_t t)
{
	struct sw_wire_change c = { .at = t };
	double most = -1;
	for (uint32_t i = 0; i < n->config->nfailures; i++) {
		const struct net_failure *f = &n->config->failures[i];
		if (!(set->of[i / 64] >> i % 64 & 1) || f->at > t || (f->until && f->until <= t))
			continue;
		if (f->mode == NET_FAILS_LANES) {
			c.lost += (uint32_t)f->lanes;
		} else if (f->bit_error_rate > most) {
			most = f->bit_error_rate;
			c.errors = errors[i];
		}
	}
	return c;
}

/* Appends the changes of a set. */
static void add_changes(struct net *n, struct net_wire_set *set, const uint32_t *errors)
{
	struct sw_wires *all = &n->wires.all;
	uint64_t t[2 * NET_FAILURES];
	uint32_t times = 0;
	for (uint32_t i = 0; i < n->config->nfailures; i++) {
		if (!(set->of[i / 64] >> i % 64 & 1))
			continue;
		t[times++] = n->config->failures[i].at;
		if (n->config->failures[i].until)
			t[times++] = n->config->failures[i].until;
	}
	qsort(t, times, sizeof *t, compare_times);
	set->first = all->changes;
	all->change = base_realloc(all->change, (all->changes + times + 1) * sizeof *all->change);
	for (uint32_t k = 0; k < times; k++)
		if (!k || t[k] != t[k - 1])
			all->change[all->changes++] = state_at(n, set, errors, t[k]);
	set->changes = all->changes - set->first;
}

static const struct net_wire_set *make_set(struct net *n, const uint64_t of[SET_WORDS], const uint32_t *errors)
{
	if (find_set(n, of))
		return find_set(n, of);
	n->wires.set = base_realloc(n->wires.set, (n->wires.sets + 1) * sizeof *n->wires.set);
	struct net_wire_set *set = &n->wires.set[n->wires.sets++];
	memcpy(set->of, of, sizeof set->of);
	add_changes(n, set, errors);
	return set;
}

static uint32_t most_lost(const struct net *n, const struct net_wire_set *set)
{
	uint32_t most = 0;
	for (uint32_t k = 0; k < set->changes; k++) {
		uint32_t lost = n->wires.all.change[set->first + k].lost;
		most = lost > most ? lost : most;
	}
	return most;
}

/* Finds which failures apply to which cables; each must apply to one. */
static int find_sets(struct net *n, const uint32_t *errors, struct base_errors *errs)
{
	bool found[NET_FAILURES] = { false }, refused = false;
	for (topo_switch s = 0; s < n->topo.switches; s++)
		for (topo_port p = 0, ports = topo_ports(&n->topo, s); p < ports; p++) {
			struct topo_hop h = topo_peer(&n->topo, s, p);
			uint64_t of[SET_WORDS];
			if (!find_failures(n, s, p, &h, of))
				continue;
			struct sw_wire_rule *rule = &n->wires.all.of[net_link_of(n, h.link_class)];
			uint32_t lost = most_lost(n, make_set(n, of, errors));
			rule->on = true;
			rule->degrades |= lost > 0;
			for (uint32_t i = 0; i < n->config->nfailures; i++)
				found[i] |= of[i / 64] >> i % 64 & 1;
			if (lost < rule->lanes || refused)
				continue;
			refused = true; /* the first of such cables is enough */
			base_errorf(errs, "failures",
			            "all %" PRIu32 " lanes of the cable from switch %" PRIu32 " to %" PRIu32
			            " (class \"%s\") fail at the same time; at least one must remain. links.%s.lanes "
			            "sets the number of lanes",
			            rule->lanes, s, h.to, n->topo.link_class_name[h.link_class],
			            n->topo.link_class_name[h.link_class]);
		}
	for (uint32_t i = 0; i < n->config->nfailures; i++) {
		char key[48];
		snprintf(key, sizeof key, "failures.[%" PRIu32 "]", i);
		if (!found[i] && !net_failure_cuts(&n->config->failures[i]))
			base_errorf(errs, key, "has no effect: this network has no cable that the entry could select");
		refused |= !found[i] && !net_failure_cuts(&n->config->failures[i]);
	}
	return refused ? -1 : 0;
}

/* --- links of the switches ------------------------------------------------------------------------------------ */

/* The named class of a link of the switches. */
static const char *name_of(const struct net *n, uint32_t k)
{
	return n->topo.link_class_name[n->cables.class_of[k]];
}

/* Adds a rate; 0: none. */
static uint32_t add_rate(struct net *n, double bit_error_rate)
{
	struct sw_wires *all = &n->wires.all;
	if (bit_error_rate <= 0)
		return 0;
	all->rate = base_realloc(all->rate, (all->rates + 1) * sizeof *all->rate);
	sw_error_rate_set(&all->rate[all->rates], bit_error_rate);
	return all->rates++;
}

static int check_rate(const struct net *n, const char *key, double bit_error_rate, uint32_t rate,
                      struct base_errors *errors)
{
	if (!rate || sw_error_rate_intact(&n->wires.all.rate[rate], n->common.max_packet) >= LEAST_INTACT_Q64)
		return 0;
	return base_errorf(
	    errors, key, "%g is too high: fewer than one in a thousand frames of %" PRIu32 " bytes would be undamaged",
	    bit_error_rate, n->common.max_packet);
}

/* Bytes that a link may have sent and not acknowledged. */
static uint64_t bytes_of_round(const struct net *n, uint32_t k, const struct sw_wire_rule *rule, uint32_t most)
{
	const struct sw_link *link = &n->common.link[k], *back = &n->common.incoming[k];
	const struct sw_frame_kinds *kinds = n->common.kinds;
	uint32_t gap = kinds ? 0 : link->gap_bytes;
	for (uint32_t i = 0; kinds && i < kinds->n; i++)
		gap = kinds->link[i][k].gap_bytes > gap ? kinds->link[i][k].gap_bytes : gap;
	uint64_t round = link->latency + back->latency + rule->answer;
	return (uint64_t)(((unsigned __int128)round << 16) / link->ps_per_byte_q16) + 2ull * most + gap;
}

static int build_class(struct net *n, uint32_t k, struct base_errors *errors)
{
	const struct net_link *l = net_link_of_class(n->config, name_of(n, k));
	struct sw_wire_rule *rule = &n->wires.all.of[k];
	bool bounded = l->retry_buffer != BASE_AUTO_SIZE_VALUE;
	char key[160];
	rule->lanes = (uint32_t)l->lanes;
	rule->answer = l->retry_answer;
	rule->errors = add_rate(n, l->bit_error_rate);
	rule->on = rule->errors || bounded;
	rule->buffer = bounded ? l->retry_buffer : UINT64_MAX;
	if (bounded && rule->buffer < bytes_of_round(n, k, rule, n->common.max_packet))
		rule->slots = sw_wire_slots(rule->buffer, n->common.min_packet);
	snprintf(key, sizeof key, "links.%.128s.bit_error_rate", name_of(n, k));
	int status = check_rate(n, key, l->bit_error_rate, rule->errors, errors);
	snprintf(key, sizeof key, "links.%.128s.retry_buffer", name_of(n, k));
	if (bounded && rule->buffer < n->common.max_packet)
		status = base_errorf(errors, key,
		                     "%" PRIu64 " bytes cannot hold the largest frame, which has %" PRIu32 " bytes",
		                     rule->buffer, n->common.max_packet);
	return status;
}

/* Does a class use these keys, of its section or of links.default? */
static bool uses_lanes(const struct net *n, uint32_t k)
{
	return n->wires.all.of[k].degrades;
}
static bool uses_answer(const struct net *n, uint32_t k)
{
	return n->wires.all.of[k].on;
}

/* Refuses a key that no class uses which has it from this section. */
static int check_use(const struct net *n, const struct net_link *section, const char *name, const char *key,
                     bool (*uses)(const struct net *n, uint32_t k), const char *only, struct base_errors *errors)
{
	char path[160];
	for (uint32_t k = 0; k < n->cables.links; k++)
		if (net_link_of_class(n->config, name_of(n, k)) == section && uses(n, k))
			return 0;
	/* links.default is what the sections of classes begin with */
	bool is_default = section == &n->config->link_default;
	for (uint32_t i = 0; i < n->config->nlinks && is_default; i++)
		for (uint32_t k = 0; k < n->cables.links; k++)
			if (!strcmp(name_of(n, k), n->config->links[i].name) && uses(n, k))
				return 0;
	snprintf(path, sizeof path, "links.%.128s.%s", name, key);
	return base_errorf(errors, path, "has an effect only %s", only);
}

static int check_uses(const struct net *n, struct base_errors *errors)
{
	static const char with[] = "with a bit_error_rate, a retry_buffer, or failures of such links";
	const struct net_link *d = &n->config->link_default;
	int status = 0;
	if (d->lanes > 1)
		status |= check_use(n, d, "default", "lanes", uses_lanes, "with failures that take lanes", errors);
	if (d->retry_answer)
		status |= check_use(n, d, "default", "retry_answer", uses_answer, with, errors);
	for (uint32_t i = 0; i < n->config->nlinks; i++) {
		const struct net_link_class *c = &n->config->links[i];
		if (c->link.lanes != d->lanes)
			status |= check_use(n, &c->link, c->name, "lanes", uses_lanes,
			                    "with failures that take lanes of such links", errors);
		if (c->link.retry_answer != d->retry_answer)
			status |= check_use(n, &c->link, c->name, "retry_answer", uses_answer, with, errors);
	}
	return status;
}

int net_wires_build(struct net *n, struct base_errors *errors)
{
	struct sw_wires *all = &n->wires.all;
	uint32_t rate[NET_FAILURES] = { 0 }, slots = 0;
	bool on = false;
	int status = 0;
	for (uint32_t i = 0; i < n->config->nfailures; i++)
		on |= !net_failure_cuts(&n->config->failures[i]);
	all->rate = base_calloc(1, sizeof *all->rate);
	all->rates = 1;
	all->change = base_calloc(1, sizeof *all->change);
	for (uint32_t k = 0; k < n->cables.links; k++)
		status |= build_class(n, k, errors);
	for (uint32_t i = 0; i < n->config->nfailures; i++) {
		const struct net_failure *f = &n->config->failures[i];
		char key[64];
		rate[i] = f->mode == NET_FAILS_ERRORS ? add_rate(n, f->bit_error_rate) : 0;
		snprintf(key, sizeof key, "failures.[%" PRIu32 "].bit_error_rate", i);
		status |= check_rate(n, key, f->bit_error_rate, rate[i], errors);
	}
	if (!status && on)
		status = find_sets(n, rate, errors);
	for (uint32_t k = 0; k < n->cables.links; k++) {
		on |= all->of[k].on;
		slots = all->of[k].slots > slots ? all->of[k].slots : slots;
	}
	if (!status)
		status = check_uses(n, errors);
	if (status || !on || !n->topo.max_ports)
		return status;
	if (!n->common.ops->links.wires)
		return base_errorf(errors, "switch.kind",
		                   "the switch \"%s\" supports neither links with several lanes nor link-level retry",
		                   n->config->sw.plugin->name);
	all->bytes = (uint32_t)(sizeof(struct sw_wire) + slots * sizeof(struct sw_wire_slot));
	n->common.wires = all;
	return 0;
}

void net_wires_destroy(struct net *n)
{
	free(n->wires.all.rate);
	free(n->wires.all.change);
	free(n->wires.set);
}

/* --- the wires of logical processes ---------------------------------------------------------------------- */

static struct sw_wire *wire_of(const struct net *n, size_t index, uint32_t port)
{
	base_checkf(port < n->topo.max_ports, "port %u", port);
	return (struct sw_wire *)(void *)(n->wires.state + (index * n->topo.max_ports + port) * n->wires.all.bytes);
}

struct sw_wire *net_host_wire(struct sw_call *call, uint32_t port)
{
	return wire_of(call->host, net_index(call->host, call->host_lp), port);
}

static bool is_there(const struct net *n)
{
	return n->common.wires;
}

static size_t bytes(const struct net *n)
{
	return (size_t)n->topo.max_ports * n->wires.all.bytes;
}

static double kept(const struct net *n, const struct net_load *load)
{
	(void)load;
	return (double)n->topo.switches * (double)bytes(n);
}

static int create(struct net *n, struct base_errors *errors)
{
	(void)errors;
	n->wires.state = base_map(n->room * bytes(n));
	return 0;
}

static void destroy(struct net *n)
{
	base_unmap(n->wires.state, n->room * bytes(n));
}

static void init(struct net *n, struct net_lp *lp)
{
	for (uint32_t p = 0; p < lp->net_ports; p++) {
		struct topo_hop h = topo_peer(&n->topo, lp->id, p);
		struct sw_wire *w = wire_of(n, net_index(n, lp), p);
		uint64_t of[SET_WORDS];
		memset(w, 0, n->wires.all.bytes);
		uint32_t link = net_link_of(n, h.link_class);
		struct topo_hop back = topo_peer(&n->topo, h.to, h.port);
		w->latency = net_latency(n, lp->id, p, h.to, link);
		w->back = net_latency(n, h.to, h.port, lp->id, net_link_of(n, back.link_class));
		uint32_t list = n->failures.kept.v ? n->failures.of_channel[n->failures.first[lp->id] + p] : 0;
		w->first_outage = list ? n->failures.kept.first[list - 1] : 0;
		w->outages = list ? n->failures.kept.first[list] - w->first_outage : 0;
		if (!find_failures(n, lp->id, p, &h, of))
			continue;
		const struct net_wire_set *set = find_set(n, of);
		w->first = set->first;
		w->changes = set->changes;
	}
}

static void regions(struct net *n, const struct net_lp *lp, net_visit *visit, void *arg)
{
	visit(arg, wire_of(n, net_index(n, lp), 0), bytes(n));
}

static void clear(struct net *n, struct net_lp *lp)
{
	memset(wire_of(n, net_index(n, lp), 0), 0, bytes(n));
}

const struct net_part net_wire_part = { .there = is_there,
	                                .bytes = bytes,
	                                .kept = kept,
	                                .create = create,
	                                .destroy = destroy,
	                                .init = init,
	                                .regions = regions,
	                                .clear = clear };

/* --- results --------------------------------------------------------------------------------------------- */

bool net_wire_result(const struct net *n, const struct net_lp *lp, uint32_t port, struct net_link_result *out)
{
	if (!n->common.wires || port >= lp->net_ports)
		return false;
	uint32_t k = net_link_of(n, topo_peer(&n->topo, lp->id, port).link_class);
	const struct sw_wire *w = wire_of(n, net_index(n, lp), port);
	if (!n->common.wires->of[k].on)
		return false;
	*out = (struct net_link_result){ .frames = w->frames,
		                         .damaged = w->damaged,
		                         .replayed = w->replayed,
		                         .replayed_bytes = w->replayed_bytes,
		                         .lost_ps = w->lost_ps,
		                         .degraded_ps = sw_wire_degraded(&n->wires.all, w, n->result.reached_ps) };
	return true;
}

static void add_result(struct net_link_result *to, const struct net_link_result *r)
{
	to->frames += r->frames;
	to->damaged += r->damaged;
	to->replayed += r->replayed;
	to->replayed_bytes += r->replayed_bytes;
	to->lost_ps += r->lost_ps;
	to->degraded_ps += r->degraded_ps;
}

void net_wires_summarise(struct net *n)
{
	struct net_result *r = &n->result;
	int classes = topo_named_classes(&n->topo);
	r->links = (struct net_link_result){ .name = "all" };
	r->nlinks = 0;
	if (!n->common.wires)
		return;
	struct net_link_result *of = base_calloc((size_t)classes, sizeof *of);
	bool *on = base_calloc((size_t)classes, sizeof *on);
	for (int k = 0; k < classes; k++)
		of[k].name = n->topo.link_class_name[k];
	for (uint32_t k = 0; k < n->cables.links; k++)
		for (int c = 0; c < classes; c++)
			on[c] |= n->common.wires->of[k].on && !strcmp(of[c].name, name_of(n, k));
	for (uint32_t i = 0; i < n->count; i++) {
		const struct net_lp *lp = net_lp_at(n, n->first + i);
		for (uint32_t p = 0; p < lp->net_ports; p++) {
			uint32_t class = topo_peer(&n->topo, lp->id, p).link_class;
			struct net_link_result x;
			if (net_wire_result(n, lp, p, &x))
				add_result(&of[n->topo.kinds ? n->topo.kinds->v[class].named : class], &x);
		}
	}
	for (int k = 0; k < classes; k++) {
		uint64_t sums[] = { of[k].frames,         of[k].damaged, of[k].replayed,
			            of[k].replayed_bytes, of[k].lost_ps, of[k].degraded_ps };
		sim_sum_u64(sums, sizeof sums / sizeof *sums);
		struct net_link_result x = { of[k].name, sums[0], sums[1], sums[2], sums[3], sums[4], sums[5] };
		if (!on[k])
			continue;
		of[r->nlinks++] = x;
		add_result(&r->links, &x);
	}
	free(on);
	r->link = of;
}

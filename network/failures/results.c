/* network/failures/results.c - the effects of failures in the results of a run: what was lost, and which endpoints were
 * cut off at which times. See failures.h. */
#include "network/net.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PARTITIONS 1000u

/* Appends a range of endpoints; true: there was no room for it. */
static bool add_range(char *text, size_t room, uint32_t first, uint32_t last)
{
	size_t used = strlen(text);
	int wrote = first == last
	                ? snprintf(text + used, room - used, "%s%" PRIu32, used ? "," : "", first)
	                : snprintf(text + used, room - used, "%s%" PRIu32 "-%" PRIu32, used ? "," : "", first, last);
	if ((size_t)wrote < room - used)
		return false;
	text[used] = 0;
	return true;
}

/* Is an endpoint cut off in an epoch, as routing sees it? */
static bool is_cut_off(const struct net *n, const struct net_epoch *e, topo_switch s, uint32_t endpoint)
{
	const struct net_failures *f = &n->failures;
	uint32_t list = f->of_terminal[endpoint];
	return (e->state && f->state[e->state]->topo.cut_off[s]) ||
	       (list && net_outages_meet(&f->seen, list - 1, e->from, e->from + 1));
}

/* Which endpoints an epoch cuts off. */
static void find_cut_off(const struct net *n, const struct net_epoch *e, struct net_partition *p)
{
	uint32_t first = UINT32_MAX, last = 0;
	bool full = false;
	for (topo_switch s = 0; s < n->topo.switches; s++)
		for (uint32_t k = 0, x = topo_first_endpoint(&n->topo, s); k < topo_endpoints_at(&n->topo, s);
		     k++, x++) {
			if (!is_cut_off(n, e, s, x))
				continue;
			p->endpoints++;
			if (first != UINT32_MAX && last + 1 == x) {
				last = x;
				continue;
			}
			full = full || (first != UINT32_MAX && add_range(p->which, sizeof p->which - 4, first, last));
			first = last = x;
		}
	full = full || (first != UINT32_MAX && add_range(p->which, sizeof p->which - 4, first, last));
	if (full)
		strcat(p->which, "...");
}

static bool may_cut_off(const struct net_failures *f, const struct net_epoch *e)
{
	return f->terminals || (e->state && f->state[e->state]->cut_off > 0);
}

static void add_partition(struct net_failure_result *r, const struct net_partition *p)
{
	struct net_partition *last = r->partitions ? &r->partition[r->partitions - 1] : NULL;
	r->partitioned_ps += p->until - p->from;
	r->most_cut_off = p->endpoints > r->most_cut_off ? p->endpoints : r->most_cut_off;
	if (last && last->until == p->from && last->endpoints == p->endpoints && !strcmp(last->which, p->which)) {
		last->until = p->until;
		return;
	}
	if (r->partitions == MOST_PARTITIONS)
		return;
	r->partition = base_realloc(r->partition, (r->partitions + 1) * sizeof *r->partition);
	r->partition[r->partitions++] = *p;
}

/* All that began before the end of the run. */
static uint32_t count_outages(const struct net_outages *o, uint64_t end)
{
	uint32_t began = 0;
	for (size_t i = 0; i < o->n; i++)
		began += o->v[i].from < end;
	return began;
}

void net_failures_summarise(struct net *n)
{
	const struct net_failures *f = &n->failures;
	struct net_failure_result *r = &n->result.failures;
	uint64_t end = n->result.reached_ps;
	*r = (struct net_failure_result){ .on = true };
	for (unsigned k = 0; k < NET_LOST_CAUSES; k++) {
		r->lost[k] = n->shared.loss->packets[k];
		r->lost_bytes[k] = n->shared.loss->bytes[k];
	}
	r->outages = count_outages(&f->losing, end) + count_outages(&f->kept, end);
	for (uint32_t k = 0; k < f->epochs && f->epoch[k].from < end; k++) {
		const struct net_epoch *e = &f->epoch[k];
		struct net_partition p = { .from = e->from, .until = k + 1 < f->epochs ? e[1].from : end };
		p.until = p.until < end ? p.until : end;
		r->reroutings += k > 0 && e->state != e[-1].state;
		if (!may_cut_off(f, e))
			continue;
		find_cut_off(n, e, &p);
		if (p.endpoints)
			add_partition(r, &p);
	}
}

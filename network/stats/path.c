/* network/stats/path.c - the critical path of an application: see struct net_critical_path in network/application.h.
 *
 * Each message, timer and end of a rank is a step, which records what had called its process. A process acts only in
 * calls, so the path back from the last end is unique, and each of its steps could only have come earlier if the
 * previous one had. */
#include "base/check.h"
#include "base/memory.h"
#include "network/application.h"

#include <stdlib.h>

void net_steps_add(struct net_steps *s, const struct net_step *step)
{
	if (s->n == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 1024;
		s->v = base_realloc(s->v, s->cap * sizeof *s->v);
	}
	s->v[s->n++] = *step;
}

static int by_name(const void *a, const void *b)
{
	const struct net_step *x = a, *y = b;
	if (x->job != y->job)
		return x->job < y->job ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->endpoint != y->endpoint)
		return x->endpoint < y->endpoint ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static const struct net_step *find(const struct net_steps *s, uint32_t job, enum net_step_kind kind, uint32_t endpoint,
                                   uint32_t number)
{
	struct net_step key = { .job = (uint8_t)job, .kind = (uint8_t)kind, .endpoint = endpoint, .number = number };
	return s->n ? bsearch(&key, s->v, s->n, sizeof key, by_name) : NULL;
}

/* Of the ranks that ended last the first one. */
static const struct net_step *find_end(const struct net_steps *s, uint32_t job)
{
	const struct net_step *last = NULL;
	for (size_t i = 0; i < s->n; i++) {
		const struct net_step *x = &s->v[i];
		if (x->job == job && x->kind == NET_STEP_END &&
		    (!last || x->at > last->at || (x->at == last->at && x->rank < last->rank)))
			last = x;
	}
	return last;
}

/* The path's last stay goes on with an earlier segment, or one of another rank comes before it. */
void net_path_add(struct net_critical_path *p, const struct net_path_stay *stay)
{
	struct net_path_stay *last = p->stays ? &p->stay[p->stays - 1] : NULL;
	if (last && last->rank == stay->rank) {
		last->from = stay->from;
		last->compute += stay->compute;
		last->overhead += stay->overhead;
		last->network += stay->network;
		return;
	}
	if (!(p->stays & (p->stays - 1))) /* full, at powers of two */
		p->stay = base_realloc(p->stay, (p->stays ? 2 * p->stays : 1) * sizeof *p->stay);
	p->stay[p->stays++] = *stay;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

static uint32_t count_ranks(const struct net_critical_path *p)
{
	uint32_t n = 0, *rank = base_calloc(p->stays, sizeof *rank);
	for (size_t i = 0; i < p->stays; i++)
		rank[i] = p->stay[i].rank;
	if (p->stays)
		qsort(rank, p->stays, sizeof *rank, by_number);
	for (size_t i = 0; i < p->stays; i++)
		n += !i || rank[i] != rank[i - 1];
	free(rank);
	return n;
}

void net_path_end(struct net_critical_path *p)
{
	for (size_t i = 0; i < p->stays / 2; i++) {
		struct net_path_stay x = p->stay[i];
		p->stay[i] = p->stay[p->stays - 1 - i];
		p->stay[p->stays - 1 - i] = x;
	}
	for (size_t i = 0; i < p->stays; i++) {
		p->compute += p->stay[i].compute;
		p->overhead += p->stay[i].overhead;
		p->network += p->stay[i].network;
	}
	p->length = p->compute + p->overhead + p->network;
	p->ranks = count_ranks(p);
	p->known = p->stays > 0;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

void net_path_find(struct net_critical_path *out, struct net_steps *s, uint32_t job, uint64_t start, uint64_t send,
                   uint64_t receive)
{
	if (s->n)
		qsort(s->v, s->n, sizeof *s->v, by_name);
	const struct net_step *x = find_end(s, job), *from;
	for (; x; x = from) {
		enum net_step_kind kind = x->cause == NET_BY_TIMER ? NET_STEP_TIMER : NET_STEP_MESSAGE;
		bool starts = x->cause == NET_BY_START;
		from = starts ? NULL : find(s, job, kind, x->cause_endpoint, x->cause_number);
		base_checkf(starts || (from && from->at <= x->at), "a step at %llu ps without a cause",
		            (unsigned long long)x->at);
		uint64_t at = from ? from->at : start, span = x->at - at;
		struct net_path_stay stay = { .from = at, .to = x->at, .rank = x->rank };
		if (x->cause == NET_BY_TIMER)
			stay.compute = from ? least(from->compute, span) : 0;
		else if (x->cause != NET_BY_START)
			stay.network = span - least(span, send + (x->cause == NET_BY_MESSAGE ? receive : 0));
		stay.overhead = span - stay.compute - stay.network;
		out->messages += x->cause == NET_BY_MESSAGE;
		net_path_add(out, &stay);
	}
	net_path_end(out);
}

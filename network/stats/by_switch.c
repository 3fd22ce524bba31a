/* network/stats/by_switch.c - see by_switch.h */
#include "network/stats/by_switch.h"

#include "base/memory.h"
#include "network/legs.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_BLOCK ((size_t)1 << 16)
#define MOST_SENT ((size_t)1 << 23) /* of a rank that has the switches of all, in a round */

static uint32_t switch_of(const struct net_by_switch *s, uint32_t record)
{
	return s->chosen ? s->chosen[record] : record;
}

static bool is_here(const struct net *n, const struct net_by_switch *s, uint32_t record)
{
	return net_lp_of(n, switch_of(s, record)) - n->first < n->count;
}

static void make(struct net *n, const struct net_by_switch *s, uint32_t record, unsigned char *out)
{
	const uint32_t head[2] = { record, switch_of(s, record) };
	memset(out, 0, s->bytes);
	memcpy(out, head, sizeof head);
	s->fill(n, net_lp_at(n, net_lp_of(n, head[1])), out);
}

static uint32_t number_of(const void *record)
{
	uint32_t number;
	memcpy(&number, record, sizeof number);
	return number;
}

static void show(struct net *n, const struct net_by_switch *s, const unsigned char *record)
{
	s->show(n, switch_of(s, number_of(record)), record, s->arg);
}

/* Switches lie on ranks in order. */
static void show_own(struct net *n, const struct net_by_switch *s)
{
	unsigned char *record = base_alloc(s->bytes);
	for (uint32_t i = 0; i < s->records; i++) {
		if (!is_here(n, s, i))
			continue;
		make(n, s, i, record);
		show(n, s, record);
	}
	free(record);
}

/* --- equal parts, by rounds ------------------------------------------------------------------------------------- */

struct parts {
	const struct net_by_switch *s;
	uint32_t ranks, each; /* each: records of a part in a round */
};

static uint32_t part_of(const struct parts *p, uint32_t record)
{
	return (uint32_t)((uint64_t)record * p->ranks / p->s->records);
}

/* The first record of a part. */
static uint32_t begin_of(const struct parts *p, uint32_t part)
{
	return (uint32_t)(((uint64_t)part * p->s->records + p->ranks - 1) / p->ranks);
}

static int writer_of(const void *arg, const void *record)
{
	return (int)part_of(arg, number_of(record));
}

struct item {
	uint32_t round, record;
};

static int by_round(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	if (x->round != y->round)
		return x->round < y->round ? -1 : 1;
	return x->record < y->record ? -1 : x->record > y->record;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = number_of(a), y = number_of(b);
	return x < y ? -1 : x > y;
}

/* The records of this rank's switches, in the order in which they are sent. */
static struct item *list_own(const struct net *n, const struct parts *p, size_t *items)
{
	struct item *own = base_calloc((size_t)n->count + 1, sizeof *own);
	*items = 0;
	for (uint32_t i = 0; i < p->s->records; i++)
		if (is_here(n, p->s, i))
			own[(*items)++] = (struct item){ (i - begin_of(p, part_of(p, i))) / p->each, i };
	base_check(*items <= n->count);
	qsort(own, *items, sizeof *own, by_round);
	return own;
}

static void show_part(struct net *n, const struct parts *p)
{
	const struct net_by_switch *s = p->s;
	uint32_t longest = (s->records + p->ranks - 1) / p->ranks, rounds = (longest + p->each - 1) / p->each;
	uint32_t part = (uint32_t)sim_rank(), next = begin_of(p, part);
	size_t items, at = 0;
	struct item *own = list_own(n, p, &items);
	for (uint32_t round = 0; round < rounds; round++) {
		size_t end = at, got;
		while (end < items && own[end].round == round)
			end++;
		unsigned char *mine = base_alloc((end - at) * s->bytes);
		for (size_t i = at; i < end; i++)
			make(n, s, own[i].record, mine + (i - at) * s->bytes);
		size_t sent = end - at;
		at = end;
		unsigned char *all = sim_exchange_records(mine, sent, s->bytes, writer_of, p, &got);
		free(mine);
		qsort(all, got, s->bytes, by_number);
		for (size_t i = 0; i < got; i++, next++) {
			base_checkf(number_of(all + i * s->bytes) == next, "record %u, not %u",
			            number_of(all + i * s->bytes), next);
			show(n, s, all + i * s->bytes);
		}
		free(all);
	}
	base_checkf(next == begin_of(p, part + 1), "%u records, not %u", next, begin_of(p, part + 1));
	free(own);
}

void net_by_switch(struct net *n, const struct net_by_switch *s)
{
	uint32_t ranks = (uint32_t)sim_ranks();
	if (!s->records)
		return;
	if (ranks == 1 || (net_legs_together(n) && !n->lp_of_switch)) {
		show_own(n, s);
		return;
	}
	size_t share = MOST_SENT / ranks, block = share < NET_BY_SWITCH_BLOCK ? share : NET_BY_SWITCH_BLOCK;
	block = block > LEAST_BLOCK ? block : LEAST_BLOCK;
	show_part(n, &(struct parts){ s, ranks, s->bytes < block ? (uint32_t)(block / s->bytes) : 1 });
}

/* network/stats/packets.c - see packets.h
 *
 * Each chunk is sorted, and chunks are merged by a heap of cursors while they are visited. Several ranks take turns
 * together: each offers its next records in order, and all records up to the smallest of the last offered times are
 * complete. They are ordered by a sample sort (Blelloch et al., A comparison of sorting algorithms for the Connection
 * Machine CM-2, 1991; with regular samples of sorted data, Shi and Schaeffer, Parallel sorting by regular sampling,
 * 1992): samples of all ranks give splitters, and a rank receives, sorts and visits the records between two of them. In
 * a turn as many ranks take part as get messages of PIECE bytes from each, so the messages of a rank are bounded by its
 * bytes. */
#include "network/stats/packets.h"

#include "base/memory.h"
#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

struct net_packet_chunk {
	struct net_packet_chunk *next;
	size_t n;
	struct net_packet_record v[];
};

#define CHUNK_RECORDS ((NET_PACKET_CHUNK_BYTES - sizeof(struct net_packet_chunk)) / sizeof(struct net_packet_record))
#define OFFERED 8192u /* records that a rank offers at a time, at least */
#define MOST_OFFERED (1u << 20)
#define PIECE 256u  /* records that a rank sends another one in a turn, on average and at least */
#define SAMPLES 16u /* for each part: the largest is then rarely more than a fifth larger than the mean */

void net_packets_add(struct net_packets *p, const struct net_packet_record *record)
{
	struct net_packet_chunk *c = p->first;
	base_check(!p->sorted);
	if (!c || c->n == CHUNK_RECORDS) {
		c = base_map(NET_PACKET_CHUNK_BYTES);
		c->next = p->first;
		p->first = c;
		p->chunks++;
	}
	c->v[c->n++] = *record;
}

void net_packets_move(struct net_packets *to, struct net_packets *from)
{
	struct net_packet_chunk *c = from->first, *full = c ? c->next : NULL;
	if (!to->first) {
		struct net_packets none = *to;
		*to = *from;
		*from = none;
		return;
	}
	for (size_t i = 0; c && i < c->n; i++)
		net_packets_add(to, &c->v[i]);
	if (c)
		base_unmap(c, NET_PACKET_CHUNK_BYTES);
	while (full) { /* behind the first */
		struct net_packet_chunk *next = full->next;
		base_checkf(full->n == CHUNK_RECORDS, "%zu records in a chunk", full->n);
		full->next = to->first->next;
		to->first->next = full;
		to->chunks++;
		full = next;
	}
	*from = (struct net_packets){ 0 };
}

void net_packets_free(struct net_packets *p)
{
	for (struct net_packet_chunk *c = p->first, *next; c; c = next) {
		next = c->next;
		base_unmap(c, NET_PACKET_CHUNK_BYTES);
	}
	*p = (struct net_packets){ 0 };
}

size_t net_packets_count(const struct net_packets *p)
{
	size_t n = 0;
	for (const struct net_packet_chunk *c = p->first; c; c = c->next)
		n += c->n;
	return n;
}

void net_packets_visit(const struct net_packets *p, void (*visit)(void *arg, const struct net_packet_record *packet),
                       void *arg)
{
	for (const struct net_packet_chunk *c = p->first; c; c = c->next)
		for (size_t i = 0; i < c->n; i++)
			visit(arg, &c->v[i]);
}

static int by_delivery(const void *a, const void *b)
{
	const struct net_packet_record *x = a, *y = b;
	if (x->delivered != y->delivered)
		return x->delivered < y->delivered ? -1 : 1;
	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	if (x->seq != y->seq)
		return x->seq < y->seq ? -1 : 1;
	return x->job < y->job ? -1 : x->job > y->job;
}

/* --- the records of this rank, in order ------------------------------------------------------------------- */

struct cursor {
	const struct net_packet_record *at, *end;
};

struct merge { /* a heap: the earliest at 0 */
	struct cursor *heap;
	size_t n;
};

static void sift_down(struct merge *m, size_t i)
{
	for (size_t child; (child = 2 * i + 1) < m->n; i = child) {
		if (child + 1 < m->n && by_delivery(m->heap[child + 1].at, m->heap[child].at) < 0)
			child++;
		if (by_delivery(m->heap[i].at, m->heap[child].at) <= 0)
			return;
		struct cursor c = m->heap[i];
		m->heap[i] = m->heap[child];
		m->heap[child] = c;
	}
}

static struct merge merge_begin(struct net_packets *p)
{
	struct merge m = { base_calloc(p->chunks, sizeof *m.heap), 0 };
	for (struct net_packet_chunk *c = p->first; c; c = c->next) {
		base_check(m.n < p->chunks);
		if (!p->sorted)
			qsort(c->v, c->n, sizeof *c->v, by_delivery);
		if (c->n)
			m.heap[m.n++] = (struct cursor){ c->v, c->v + c->n };
	}
	p->sorted = true;
	for (size_t i = m.n / 2; i-- > 0;)
		sift_down(&m, i);
	return m;
}

static const struct net_packet_record *earliest(const struct merge *m)
{
	return m->n ? m->heap[0].at : NULL;
}

static void take_record(struct merge *m)
{
	if (++m->heap[0].at == m->heap[0].end)
		m->heap[0] = m->heap[--m->n];
	sift_down(m, 0);
}

/* --- of all ranks -------------------------------------------------------------------------------------------- */

struct packet_records {
	struct net_packet_record *v;
	size_t n, cap;
};

static void add_offer(struct packet_records *o, struct merge *m)
{
	if (o->n == o->cap) {
		o->cap = o->cap ? 2 * o->cap : OFFERED;
		o->v = base_realloc(o->v, o->cap * sizeof *o->v);
	}
	o->v[o->n++] = *earliest(m);
	take_record(m);
}

struct turn { /* parts of what is complete: part i holds what is not before splitter i - 1, and before splitter i */
	struct net_packet_record *splitter;
	uint32_t parts, ranks;
};

/* Part i goes to rank i ranks / parts: ranks visit theirs in order. */
static int rank_of(const void *arg, const void *record)
{
	const struct turn *t = arg;
	uint32_t low = 0, high = t->parts - 1;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (by_delivery(record, &t->splitter[middle]) < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return (int)((uint64_t)low * t->ranks / t->parts);
}

/* Splitters for `n` records of this rank, `total` of all. */
static struct turn split(const struct net_packet_record *v, size_t n, uint64_t total)
{
	struct turn t = { .ranks = (uint32_t)sim_ranks() };
	uint64_t parts = total / ((uint64_t)t.ranks * PIECE);
	t.parts = parts < 1 ? 1 : parts < t.ranks ? (uint32_t)parts : t.ranks;
	uint64_t every = total / ((uint64_t)t.parts * SAMPLES) + 1;
	struct packet_records mine = { 0 };
	mine.v = base_calloc(n / every + 1, sizeof *mine.v);
	for (size_t i = every / 2; t.parts > 1 && i < n; i += every)
		mine.v[mine.n++] = v[i];
	size_t bytes;
	struct net_packet_record *all = sim_share_bytes(mine.v, mine.n * sizeof *mine.v, &bytes);
	size_t samples = bytes / sizeof *all;
	free(mine.v);
	qsort(all, samples, sizeof *all, by_delivery);
	if (samples < t.parts)
		t.parts = 1; /* too few on any rank: all go to rank 0 */
	for (uint32_t i = 0; i + 1 < t.parts; i++)
		all[i] = all[(i + 1) * samples / t.parts];
	t.splitter = all;
	return t;
}

/* Visits on every rank a share of the first `n` records that each offers. */
static void visit_together(const struct packet_records *o, size_t n,
                           void (*visit)(void *arg, const struct net_packet_record *packet), void *arg)
{
	uint64_t total = n;
	size_t got;
	sim_sum_u64(&total, 1);
	if (!total)
		return;
	struct turn t = split(o->v, n, total);
	struct net_packet_record *p = sim_exchange_records(o->v, n, sizeof *p, rank_of, &t, &got);
	free(t.splitter);
	qsort(p, got, sizeof *p, by_delivery);
	for (size_t i = 0; i < got; i++)
		visit(arg, &p[i]);
	free(p);
}

static void each_of_all(struct merge *m, void (*visit)(void *arg, const struct net_packet_record *packet),
                        void (*turn)(void *arg), void *arg)
{
	struct packet_records o = { 0 };
	uint64_t until, most = (uint64_t)sim_ranks() * PIECE;
	most = most < OFFERED ? OFFERED : most < MOST_OFFERED ? most : MOST_OFFERED;
	do {
		while (o.n < most && earliest(m))
			add_offer(&o, m);
		until = earliest(m) ? o.v[o.n - 1].delivered : SIM_NEVER;
		sim_min_u64(&until, 1);
		while (earliest(m) && earliest(m)->delivered <= until) /* as many as there are of that instant */
			add_offer(&o, m);
		size_t n = 0;
		while (n < o.n && o.v[n].delivered <= until)
			n++;
		visit_together(&o, n, visit, arg);
		if (turn)
			turn(arg);
		o.n -= n;
		if (o.n)
			memmove(o.v, o.v + n, o.n * sizeof *o.v);
	} while (until != SIM_NEVER);
	base_checkf(o.n == 0 && !earliest(m), "%zu records are left", o.n);
	free(o.v);
}

void net_packets_each(struct net_packets *p, void (*visit)(void *arg, const struct net_packet_record *packet),
                      void (*turn)(void *arg), void *arg)
{
	struct merge m = merge_begin(p);
	if (sim_ranks() > 1)
		each_of_all(&m, visit, turn, arg);
	for (; sim_ranks() == 1 && earliest(&m); take_record(&m))
		visit(arg, earliest(&m));
	if (sim_ranks() == 1 && turn)
		turn(arg);
	free(m.heap);
}

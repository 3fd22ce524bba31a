/* network/stats/ring.c - counts per window until the window is final: see ring.h. */
#include "network/stats/ring.h"

#include "base/memory.h"
#include "network/net.h"

#include <stdlib.h>
#include <string.h>

#define FEW_JOBS 8u
#define FAR_TURN (NET_RING_SENT / 2) /* windows: so often what was further ahead than the ring is looked at */
#define CHUNK_BYTES ((size_t)4 << 10)
#define ROW ((size_t)SIM_HISTOGRAM_BINS)
#define OCTAVE (1u << SIM_HISTOGRAM_BITS) /* bins */
_Static_assert(SIM_HISTOGRAM_BINS / OCTAVE <= 64, "the octaves of a histogram are bits of a word");

/* --- memory ------------------------------------------------------------------------------------------------ */

struct net_ring_chunk {
	struct net_ring_chunk *next;
	size_t used; /* bytes of data */
	unsigned char data[CHUNK_BYTES - 16];
};

static size_t record_bytes(const void *record)
{
	const struct net_late *r = record;
	static const uint8_t bytes[] = { [NET_LATE_CREATED] = sizeof *r,
		                         [NET_LATE_INJECTED] = sizeof *r,
		                         [NET_LATE_MESSAGE] = sizeof *r,
		                         [NET_LATE_EXTREMES] = sizeof *r,
		                         [NET_LATE_DELIVERED] = sizeof(struct net_late_delivery),
		                         [NET_LATE_WHOLE] = sizeof(struct net_late_whole) };
	return bytes[r->what];
}

/* An auditor compares all of them. */
static uint32_t delivered_windows(const struct net *n)
{
	if (n->config->engine.audit)
		return NET_RING_DELIVERED / 8;
	return n->jobs > FEW_JOBS ? NET_RING_DELIVERED / 2 : NET_RING_DELIVERED;
}

void net_extremes_clear(struct net_extremes *x)
{
	*x = (struct net_extremes){ .latency_min = UINT64_MAX, .network_min = UINT64_MAX, .message_min = UINT64_MAX };
}

static void least(uint64_t *to, uint64_t v)
{
	*to = v < *to ? v : *to;
}

static void most(uint64_t *to, uint64_t v)
{
	*to = v > *to ? v : *to;
}

void net_extremes_merge(struct net_extremes *to, const struct net_extremes *from)
{
	least(&to->latency_min, from->latency_min);
	most(&to->latency_max, from->latency_max);
	least(&to->network_min, from->network_min);
	most(&to->network_max, from->network_max);
	least(&to->message_min, from->message_min);
	most(&to->message_max, from->message_max);
	most(&to->hops_max, from->hops_max);
}

void net_ring_create(struct net *n, uint64_t width)
{
	struct net_ring *r = &n->ring;
	size_t jobs = n->jobs, windows = delivered_windows(n), rows = windows * jobs;
	*r = (struct net_ring){ .width = width,
		                .reciprocal = sim_context(n->engine)->window_reciprocal,
		                .delivered_windows = (uint32_t)windows };
	r->sent = base_calloc(NET_RING_SENT * jobs, sizeof *r->sent);
	r->delivered = base_calloc(rows, sizeof *r->delivered);
	r->bytes = rows * ROW * sizeof(uint64_t);
	r->latency = base_map_sparse(r->bytes);
	r->network = base_map_sparse(r->bytes);
	r->octaves = base_calloc(2 * rows, sizeof *r->octaves);
	r->used_sent = base_calloc(NET_RING_SENT, 1);
	r->used_delivered = base_calloc(NET_RING_DELIVERED, 1);
	r->x = base_calloc(rows, sizeof *r->x);
	r->beyond = base_calloc(jobs, sizeof *r->beyond);
	r->late = base_calloc(NET_RING_SENT, sizeof *r->late);
	n->ring.extremes = base_calloc(jobs, sizeof *n->ring.extremes);
	for (size_t i = 0; i < rows; i++)
		net_extremes_clear(&r->x[i]);
	for (size_t j = 0; j < jobs; j++)
		net_extremes_clear(&n->ring.extremes[j]);
}

static void free_chunks(struct net_ring_chunk *c)
{
	for (struct net_ring_chunk *next; c; c = next) {
		next = c->next;
		free(c);
	}
}

void net_ring_destroy(struct net *n)
{
	struct net_ring *r = &n->ring;
	if (!r->sent)
		return;
	free(r->sent);
	free(r->delivered);
	base_unmap(r->latency, r->bytes);
	base_unmap(r->network, r->bytes);
	free(r->octaves);
	free(r->used_sent);
	free(r->used_delivered);
	free(r->x);
	free(r->beyond);
	for (unsigned i = 0; i < NET_RING_SENT; i++)
		free_chunks(r->late[i]);
	free(r->late);
	free_chunks(r->far);
	free_chunks(r->free);
	free(n->ring.extremes);
	*r = (struct net_ring){ 0 };
	n->ring.extremes = NULL;
}

/* Of histograms a few octaves of every row are touched. */
uint64_t net_ring_bytes(const struct net *n)
{
	size_t rows = (size_t)delivered_windows(n) * n->jobs;
	return NET_RING_SENT * n->jobs * sizeof(struct net_window_sent) +
	       rows * (sizeof(struct net_window_delivered) + sizeof(struct net_extremes) + (2 * 4 * OCTAVE + 2) * 8);
}

void net_ring_regions(const struct net *n, void (*visit)(void *arg, void *at, size_t bytes), void *arg)
{
	const struct net_ring *r = &n->ring;
	size_t rows = (size_t)r->delivered_windows * n->jobs;
	visit(arg, r->sent, NET_RING_SENT * n->jobs * sizeof *r->sent);
	visit(arg, r->delivered, rows * sizeof *r->delivered);
	visit(arg, r->beyond, n->jobs * sizeof *r->beyond);
	visit(arg, r->latency, r->bytes);
	visit(arg, r->network, r->bytes);
}

/* --- records ------------------------------------------------------------------------------------------------ */

static void append_record(struct net_ring *r, struct net_ring_chunk **list, const void *record)
{
	struct net_ring_chunk *c = *list;
	size_t bytes = record_bytes(record);
	if (!c || c->used + bytes > sizeof c->data) {
		c = r->free;
		if (c)
			r->free = c->next;
		else
			c = base_alloc(sizeof *c);
		c->next = *list;
		c->used = 0;
		*list = c;
	}
	memcpy(c->data + c->used, record, bytes);
	c->used += bytes;
}

/* Visits all of a list and leaves it empty. */
static void consume(struct net *n, struct net_ring_chunk **list, void (*visit)(struct net *n, const void *record))
{
	struct net_ring *r = &n->ring;
	struct net_ring_chunk *c = *list, *next;
	*list = NULL;
	for (; c; c = next) {
		for (size_t at = 0; at < c->used; at += record_bytes(c->data + at))
			visit(n, c->data + at);
		next = c->next;
		c->next = r->free;
		r->free = c;
	}
}

static void count(struct net *n, const void *record)
{
	const struct net_late *l = record;
	base_check(l->job < n->jobs);
	if (l->what == NET_LATE_DELIVERED)
		net_count_delivery(n, record);
	else if (l->what <= NET_LATE_INJECTED)
		net_count_sent(n, l);
	else if (l->what == NET_LATE_MESSAGE)
		net_count_message_now(n, l->job, l->value, l->at, l->latency);
	else
		net_messages_add(n, record);
}

void net_ring_file(struct net *n, const void *record)
{
	struct net_ring *r = &n->ring;
	const struct net_late *l = record;
	uint64_t w = net_ring_window(r, l->at);
	if (l->what == NET_LATE_EXTREMES) {
		base_checkf(w - r->base < r->delivered_windows, "window %llu, the ring begins with %llu",
		            (unsigned long long)w, (unsigned long long)r->base);
		const struct net_extremes x = { l->latency, l->latency, l->value, l->value, UINT64_MAX, 0, l->hops };
		net_extremes_merge(&r->x[(w & (r->delivered_windows - 1)) * n->jobs + l->job], &x);
	} else if (l->at < n->times.horizon && w < r->base) {
		count(n, record); /* is reached by a base that has leapt over it */
	} else if (l->at < n->times.horizon && w - r->base < NET_RING_SENT) {
		append_record(r, &r->late[w % NET_RING_SENT], record);
		r->used_sent[w % NET_RING_SENT] = 1;
	} else {
		append_record(r, &r->far, record);
	}
}

/* --- windows become final ------------------------------------------------------------------------------------- */

static void fold_row(uint64_t *to, uint64_t *from, uint64_t octaves)
{
	for (; octaves; octaves &= octaves - 1) {
		size_t at = (size_t)__builtin_ctzll(octaves) * OCTAVE;
		for (size_t i = at; i < at + OCTAVE; i++)
			to[i] += from[i];
		memset(from + at, 0, OCTAVE * sizeof *from);
	}
}

static void fold_delivered(struct net *n, uint32_t slot)
{
	struct net_ring *r = &n->ring;
	r->used_delivered[slot] = 0;
	for (uint32_t j = 0; j < n->jobs; j++) {
		size_t row = (size_t)slot * n->jobs + j;
		struct net_window_delivered *d = &r->delivered[row];
		struct net_job_stats *s = &n->shared.job[j];
		if (r->octaves[2 * row] | r->octaves[2 * row + 1]) {
			fold_row(n->shared.latency + j * ROW, r->latency + row * ROW, r->octaves[2 * row]);
			fold_row(n->shared.network + j * ROW, r->network + row * ROW, r->octaves[2 * row + 1]);
			r->octaves[2 * row] = r->octaves[2 * row + 1] = 0;
			net_extremes_merge(&n->ring.extremes[j], &r->x[row]);
		}
		r->x[row] = n->ring.extremes[j];
		if (!d->delivered)
			continue;
		s->delivered += d->delivered;
		s->delivered_bytes_measured += d->delivered_bytes_measured;
		net_measured_add(&s->arrived, &d->arrived);
		*n->shared.digest += d->digest;
		*n->shared.packet_hops += d->delivered;
		*d = (struct net_window_delivered){ 0 };
	}
}

static void fold_sent(struct net *n, uint32_t slot)
{
	struct net_ring *r = &n->ring;
	r->used_sent[slot] = 0;
	for (uint32_t j = 0; j < n->jobs; j++) {
		struct net_window_sent *w = &r->sent[(size_t)slot * n->jobs + j];
		struct net_job_stats *s = &n->shared.job[j];
		s->created += w->created;
		s->created_bytes_measured += w->created_bytes_measured;
		s->measured += w->measured;
		s->injected += w->injected;
		*n->shared.packet_hops += w->injected;
		*w = (struct net_window_sent){ 0 };
	}
	if (r->late[slot])
		consume(n, &r->late[slot], count);
}

/* The next slot from `from` on and before `end` that was used, or `end`: slots of windows, of a ring of `slots`. */
static uint64_t next_used(const uint8_t *used, uint32_t slots, uint64_t from, uint64_t end)
{
	while (from < end) {
		uint64_t eight;
		size_t at = from & (slots - 1);
		if (at % 8 == 0 && end - from >= 8) {
			memcpy(&eight, used + at, sizeof eight);
			if (!eight) {
				from += 8;
				continue;
			}
		}
		if (used[at])
			return from;
		from++;
	}
	return end;
}

static void settle(struct net *n, uint64_t until)
{
	struct net_ring *r = &n->ring;
	uint64_t end = until - r->base < r->delivered_windows ? until : r->base + r->delivered_windows;
	for (uint64_t w = r->base; (w = next_used(r->used_delivered, r->delivered_windows, w, end)) < end; w++)
		fold_delivered(n, (uint32_t)w & (r->delivered_windows - 1));
	end = until - r->base < NET_RING_SENT ? until : r->base + NET_RING_SENT;
	for (uint64_t w = r->base; (w = next_used(r->used_sent, NET_RING_SENT, w, end)) < end; w++)
		fold_sent(n, (uint32_t)w & (NET_RING_SENT - 1));
	bool turn = r->base / FAR_TURN != until / FAR_TURN;
	r->base = until;
	if (turn && r->far)
		consume(n, &r->far, net_ring_file);
}

void net_settled(void *self, sim_time until)
{
	struct net *n = self;
	struct net_ring *r = &n->ring;
	uint64_t w = until / r->width + (until % r->width != 0);
	if (w <= r->base)
		return;
	struct sim_ctx *ctx = n->call.ctx;
	bool journal = ctx->journal;
	ctx->journal = false; /* what is counted here is final */
	settle(n, w);
	ctx->journal = journal;
}

/* --- at the end ------------------------------------------------------------------------------------------------ */

static void move_list(struct net_ring_chunk **to, struct net_ring_chunk **from)
{
	while (*from) {
		struct net_ring_chunk *c = *from;
		*from = c->next;
		c->next = *to;
		*to = c;
	}
}

/* Adds the deliveries that are counted in rows and not in records. */
static void rows_coming(const struct net *n, uint64_t *v)
{
	const struct net_ring *r = &n->ring;
	for (uint32_t j = 0; j < n->jobs; j++) {
		v[j] += r->beyond[j];
		for (uint32_t i = 0; i < r->delivered_windows; i++)
			v[j] += r->delivered[(size_t)i * n->jobs + j].delivered;
	}
}

void net_ring_move(struct net *n, struct net *w)
{
	for (uint32_t j = 0; j < n->jobs; j++)
		net_extremes_merge(&n->ring.extremes[j], &w->ring.extremes[j]);
	rows_coming(w, n->ring.beyond);
	for (unsigned i = 0; i < NET_RING_SENT; i++)
		move_list(&n->ring.far, &w->ring.late[i]);
	move_list(&n->ring.far, &w->ring.far);
}

static void each_in(const struct net_ring_chunk *c, void (*visit)(void *arg, const struct net_late_delivery *d),
                    void *arg)
{
	for (; c; c = c->next)
		for (size_t at = 0; at < c->used; at += record_bytes(c->data + at)) {
			const struct net_late_delivery *d = (const void *)(c->data + at);
			if (d->what == NET_LATE_DELIVERED)
				visit(arg, d);
		}
}

void net_ring_each_coming(const struct net *n, void (*visit)(void *arg, const struct net_late_delivery *d), void *arg)
{
	for (unsigned i = 0; i < NET_RING_SENT; i++)
		each_in(n->ring.late[i], visit, arg);
	each_in(n->ring.far, visit, arg);
}

static void count_coming(void *arg, const struct net_late_delivery *d)
{
	uint64_t *v = arg;
	v[d->job]++;
}

void net_ring_coming(const struct net *n, uint64_t *v)
{
	rows_coming(n, v);
	net_ring_each_coming(n, count_coming, v);
}

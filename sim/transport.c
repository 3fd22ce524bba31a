/* sim/transport.c - FIFO streams of event records between ranks: over MPI, or through shared memory between ranks of
 * one host (rings.c).
 *
 * Each peer has a buffer that fills with records and is sent when it is full or when a token (end of round, GVT) must
 * follow, so that a message carries many events. MPI keeps messages of one pair, tag and communicator in order, and
 * receives are posted in order, so each stream is FIFO: an anti-message always finds its event delivered before it. A
 * ring is filled and read in place; while it is full, messages wait in a list. The stress mode adds a stream from a
 * rank to itself whose messages are delayed at random. */
#include "base/memory.h"
#include "base/select.h"
#include "sim/streams.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define UNSENT 4u /* incomplete sends tested per poll, oldest first */
#define TAG 1
#define AHEAD_BYTES 1024
#define FREE_OF_THREAD 16u /* kept by one of several threads; the rest goes to other threads */
#define FEW_BYTES 2048u    /* messages up to this size are filed by the first thread itself */

static struct sim_buffer *take_buffer(struct sim_transport *t)
{
	struct sim_buffer *b = t->free;
	if (b) {
		t->free = b->next;
		t->kept -= t->relay != NULL;
	} else if (!t->relay || !(b = sim_relay_take(t->relay))) {
		b = base_alloc(sizeof *b + SIM_BUFFER_BYTES + SIM_BUFFER_BEHIND);
	}
	b->next = NULL;
	b->in_ring = false;
	return b;
}

void sim_stream_give(struct sim_transport *t, struct sim_buffer *b)
{
	if (t->relay && ++t->kept > FREE_OF_THREAD) {
		t->kept--;
		sim_relay_give(t->relay, b);
		return;
	}
	b->next = t->free;
	t->free = b;
}

void sim_buffers_free(struct sim_buffer *first)
{
	for (struct sim_buffer *b = first, *next; b; b = next) {
		next = b->next;
		free(b);
	}
}

static void post_receive(struct sim_transport *t, unsigned slot)
{
	struct sim_buffer *b = t->in[slot] = take_buffer(t);
	MPI_Irecv(&b->message, (int)(sizeof b->message + SIM_BUFFER_BYTES), MPI_BYTE, MPI_ANY_SOURCE, TAG, t->comm,
	          &b->request);
}

static struct sim_transport *create_streams(struct sim_engine *e)
{
	struct sim_transport *t = base_alloc(sizeof *t);
	t->engine = e;
	t->rng = e->rng | 1;
	t->stream = base_calloc((size_t)e->ranks, sizeof *t->stream);
	t->outlet = e->outlet = base_calloc((size_t)e->ranks, sizeof *t->outlet);
	t->comm = MPI_COMM_NULL;
	if (e->ranks == 2 && !e->config.stress)
		e->ctx.away = &e->outlet[!e->rank].at;
	return t;
}

struct sim_transport *sim_transport_create(struct sim_engine *e)
{
	struct sim_transport *t = create_streams(e);
	if (e->ranks > 1) {
		MPI_Comm_dup(MPI_COMM_WORLD, &t->comm);
		t->rings = sim_rings_create(t->comm, sizeof(struct sim_buffer) + SIM_BUFFER_BYTES + SIM_BUFFER_BEHIND);
	}
	unsigned threads = e->config.threads > 1 ? e->config.threads : 1;
	e->spins = sim_rings_ranks(t->rings) * (int64_t)threads > sysconf(_SC_NPROCESSORS_ONLN) ? 0 : SIM_SPINS;
	if (threads > 1)
		t->relay = sim_relay_create();
	for (int r = 0; r < e->ranks; r++) {
		if (r == e->rank)
			continue;
		t->stream[r].ring = sim_rings_reach(t->rings, r);
		t->in_ranks += !t->stream[r].ring;
	}
	for (unsigned i = 0; i < SIM_RECEIVES && t->in_ranks; i++)
		post_receive(t, i);
	return t;
}

void sim_stream_reap(struct sim_transport *t)
{
	struct sim_buffer *before = NULL;
	unsigned unsent = 0;
	for (struct sim_buffer **at = &t->sending.first; *at && unsent < UNSENT;) {
		struct sim_buffer *b = *at;
		int done = 0;
		MPI_Test(&b->request, &done, MPI_STATUS_IGNORE);
		if (done) {
			*at = b->next;
			if (t->sending.last == b)
				t->sending.last = before;
			sim_stream_give(t, b);
		} else {
			unsent++;
			before = b;
			at = &b->next;
		}
	}
}

void sim_stream_catch_up(struct sim_transport *t)
{
	for (int peer = 0; peer < t->engine->ranks && t->late; peer++) {
		struct stream *s = &t->stream[peer];
		for (void *slot; s->late.first && (slot = sim_rings_slot(t->rings, peer)) != NULL;) {
			struct sim_buffer *b = sim_buffer_remove_first(&s->late);
			memcpy(slot, b, sizeof *b + b->used);
			sim_rings_publish(t->rings, peer);
			t->late -= !s->late.first;
			sim_stream_give(t, b);
		}
	}
}

static void post_to_ring(struct sim_transport *t, int peer, struct sim_buffer *b)
{
	struct stream *s = &t->stream[peer];
	if (b->in_ring) {
		sim_rings_publish(t->rings, peer);
		return;
	}
	t->late += !s->late.first;
	sim_buffer_append(&s->late, b);
	sim_stream_catch_up(t);
}

static bool is_for_first_thread(const struct sim_transport *t)
{
	return t->engine->thread != 0;
}

/* Sends a complete message, with its header. */
static void send_buffer(struct sim_transport *t, int peer, struct sim_buffer *b)
{
	if (b->message.token != SIM_TOKEN_BYTES) {
		t->engine->count.messages++;
		t->engine->count.message_bytes += b->used;
	}
	if (t->stream[peer].ring) {
		post_to_ring(t, peer, b);
		return;
	}
	MPI_Isend(&b->message, (int)(sizeof b->message + b->used), MPI_BYTE, peer, TAG, t->comm, &b->request);
	sim_buffer_append(&t->sending, b);
	sim_stream_reap(t);
}

void sim_stream_post(struct sim_transport *t, int peer)
{
	struct stream *s = &t->stream[peer];
	struct sim_buffer *b = s->filling;
	s->filling = NULL;
	unsigned before = sim_phase_enter(t->engine, SIM_PHASE_COMMUNICATE);
	b->used = (size_t)(t->outlet[peer].at - b->message.data);
	/* events are whole words; the state of a migrating LP need not be */
	base_checkf(b->used <= SIM_BUFFER_BYTES && (b->used % 8 == 0 || b->message.token == SIM_TOKEN_BYTES),
	            "%zu bytes for rank %d", b->used, peer);
	b->message.bytes = (uint32_t)b->used;
	t->outlet[peer] = (struct sim_outlet){ 0 };
	b->peer = peer;
	if (is_for_first_thread(t)) {
		sim_relay_send(t->relay, b);
	} else if (peer == t->engine->rank) {
		t->engine->count.messages++;
		t->engine->count.message_bytes += b->used;
		sim_buffer_append(&t->loop, b);
	} else {
		send_buffer(t, peer, b);
	}
	sim_phase_enter(t->engine, before);
}

struct sim_buffer *sim_stream_filling(struct sim_transport *t, int peer)
{
	struct stream *s = &t->stream[peer];
	if (!s->filling) {
		s->filling = s->ring && !s->late.first ? sim_rings_slot(t->rings, peer) : NULL;
		if (s->filling) {
			s->filling->in_ring = true;
		} else {
			s->filling = take_buffer(t);
		}
		s->filling->message = (struct sim_message){ .token = SIM_TOKEN_NONE };
		unsigned char *data = s->filling->message.data;
		uintptr_t odd = (uintptr_t)(data + SIM_BUFFER_BYTES) &
		                t->engine->ctx.chunk_mask; /* required by sim_append_anywhere() */
		t->outlet[peer] =
		    (struct sim_outlet){ data, t->engine->config.stress ? data : data + SIM_BUFFER_BYTES - odd };
	}
	return s->filling;
}

static uint64_t random_bits(struct sim_transport *t)
{
	t->rng ^= t->rng << 13;
	t->rng ^= t->rng >> 7;
	t->rng ^= t->rng << 17;
	return t->rng >> 11;
}

struct sim_event *sim_transport_next(struct sim_transport *t, int peer, size_t bytes)
{
	bool stress = t->engine->config.stress;
	struct sim_buffer *b = sim_stream_filling(t, peer);
	if (!is_for_first_thread(t))
		sim_note_peer(t->engine, peer);
	struct sim_outlet *o = &t->outlet[peer];
	size_t used = (size_t)(o->at - b->message.data);
	if (stress ? used + bytes > SIM_BUFFER_BYTES ||
	                 (used && random_bits(t) % 64 == 0) /* the last record is complete by now */
	           : (size_t)(o->end - o->at) < bytes) {
		sim_stream_post(t, peer);
		sim_stream_filling(t, peer);
	}
	struct sim_event *ev = (struct sim_event *)(void *)o->at;
	o->at += bytes;
	if (stress)
		o->end = o->at;
	return ev;
}

void sim_transport_token(struct sim_transport *t, int peer, enum sim_token token, uint64_t value, uint64_t round,
                         uint64_t flags)
{
	struct sim_buffer *b = sim_stream_filling(t, peer);
	b->message.token = token;
	b->message.value = value;
	b->message.round = round;
	b->message.flags = flags;
	sim_stream_post(t, peer);
}

/* Appends a received record directly to its bucket. Returns false in special cases, which are left to sim_receive().
 * Whether the record is long (a packet) or short (a credit) is unpredictable, so the code has no branch on it: for a
 * short record the bytes after it, which have no meaning, are written to `spare`. */
static inline bool filed(struct sim_engine *e, const struct sim_event *r, unsigned char *spare)
{
	struct sim_ctx *ctx = &e->ctx;
	uint64_t w = sim_window_of(ctx, r->time);
	if (sim_unlikely(r->state > SIM_EVENT_LONG || (e->optimistic && (w < e->base || w <= e->low))))
		return false;
	unsigned char *at = sim_place(ctx, r->lp, r->time, r->state);
	if (sim_unlikely(!at))
		return false;
	memcpy(at, r, SIM_SHORT_BYTES);
	memcpy(base_at_if_equal(r->state, SIM_EVENT_LONG, at + SIM_SHORT_BYTES, spare),
	       (const unsigned char *)r + SIM_SHORT_BYTES, SIM_BUFFER_BEHIND);
	return true;
}

/* The end of the last record: a message consists of whole records. */
static uint32_t end_of_records(const struct sim_message *m)
{
	uint32_t at = 0;
	while (at < m->bytes)
		at += (uint32_t)sim_record_bytes((const struct sim_event *)(const void *)(m->data + at));
	return at;
}

static void deliver(struct sim_transport *t, int peer, const struct sim_message *m)
{
	struct sim_engine *e = t->engine;
	unsigned char spare[SIM_BUFFER_BEHIND];
	for (uint32_t at = 0; at < m->bytes;) {
		const struct sim_event *ev = (const struct sim_event *)(const void *)(m->data + at);
		at += (uint32_t)sim_record_bytes(ev);
		__builtin_prefetch(m->data + at + AHEAD_BYTES); /* the line is in another core's cache */
		if (!filed(e, ev, spare))
			sim_receive(e, ev);
	}
	base_checkf(m->bytes <= SIM_BUFFER_BYTES && end_of_records(m) == m->bytes, "%u bytes from rank %d", m->bytes,
	            peer);
	if (m->token != SIM_TOKEN_NONE)
		sim_receive_token(t->engine, peer, m);
}

/* Passes a received message to the relay, so that any idle thread can file its events. The message's token, which says
 * that the sending rank has sent all its events of the window, is processed at once; nothing that depends on it happens
 * before all threads have filed all messages (threads.c). */
static void pass_on(struct sim_transport *t, struct sim_buffer *b)
{
	if (b->message.token != SIM_TOKEN_NONE)
		sim_receive_token(t->engine, b->peer, &b->message);
	b->message.token = SIM_TOKEN_NONE;
	sim_relay_receive(t->relay, b);
}

static void deliver_from_ring(struct sim_transport *t, int peer, const struct sim_buffer *b)
{
	sim_phase_enter(t->engine, SIM_PHASE_COMMUNICATE);
	if (t->relay && b->message.bytes > FEW_BYTES) {
		struct sim_buffer *copy = take_buffer(t);
		memcpy(&copy->message, &b->message, sizeof b->message + b->message.bytes);
		copy->peer = peer;
		pass_on(t, copy);
	} else {
		deliver(t, peer, &b->message);
	}
	sim_rings_release(t->rings, peer);
}

static void deliver_loopback(struct sim_transport *t)
{
	struct sim_buffer *b = sim_buffer_remove_first(&t->loop);
	deliver(t, t->engine->rank, &b->message); /* may send, which uses other buffers */
	sim_stream_give(t, b);
}

struct sim_buffer *sim_stream_next_come(struct sim_transport *t)
{
	MPI_Status status;
	int done = 0;
	struct sim_buffer *b = t->in[t->in_next];
	if (!b)
		return NULL;
	MPI_Test(&b->request, &done, &status);
	if (!done)
		return NULL;
	b->peer = status.MPI_SOURCE;
	base_checkf(b->peer != t->engine->rank && !t->stream[b->peer].ring, "a message from rank %d", b->peer);
	post_receive(t, t->in_next);
	t->in_next = (t->in_next + 1) % SIM_RECEIVES;
	return b;
}

static void deliver_come(struct sim_transport *t, struct sim_buffer *b)
{
	sim_phase_enter(t->engine, SIM_PHASE_COMMUNICATE);
	if (t->relay && b->message.bytes > FEW_BYTES) {
		pass_on(t, b);
		return;
	}
	deliver(t, b->peer, &b->message);
	sim_stream_give(t, b);
}

/* Delivers the messages received over MPI; returns their number. */
static unsigned poll_mpi(struct sim_transport *t)
{
	unsigned handled = 0;
	while (t->deferred.first) {
		deliver_come(t, sim_buffer_remove_first(&t->deferred));
		handled++;
	}
	for (struct sim_buffer *b; (b = sim_stream_next_come(t)) != NULL;)
		if (!sim_stream_put_aside(t, b)) {
			deliver_come(t, b);
			handled++;
		}
	return handled;
}

unsigned sim_transport_poll(struct sim_transport *t)
{
	unsigned handled = 0, before = t->engine->phase; /* a poll that finds nothing counts for the caller's phase */
	if (t->hold && sim_gvt_wishes(t->engine))        /* a round is to end soon */
		t->hold = 0;
	while (t->loop.first && !t->hold) { /* delayed at random, by up to about four windows */
		deliver_loopback(t);
		handled++;
		if (random_bits(t) % 16 == 0)
			t->hold = random_bits(t) % (4ul * t->engine->ctx.blocks + 4);
	}
	if (t->hold)
		t->hold--;
	for (int r = 0; r < t->engine->ranks && t->rings; r++) {
		if (!t->stream[r].ring)
			continue;
		if (t->engine->config.stress && random_bits(t) % 4 == 0)
			continue;
		const struct sim_buffer *b;
		while ((b = sim_rings_arrived(t->rings, r)) && b->message.token != SIM_TOKEN_BYTES) {
			deliver_from_ring(t, r, b);
			handled++;
		}
	}
	if (t->in_ranks && !(t->engine->config.stress && random_bits(t) % 4 == 0))
		handled += poll_mpi(t);
	if (t->sending.first)
		sim_stream_reap(t);
	if (t->late)
		sim_stream_catch_up(t);
	if (t->relay) {
		sim_transport_collect(t);
		handled += sim_transport_file(t);
	}
	sim_phase_enter(t->engine, before);
	return handled;
}

/* --- threads --------------------------------------------------------------------------------------------- */

struct sim_transport *sim_transport_of_thread(struct sim_engine *member, struct sim_transport *first)
{
	struct sim_transport *t = create_streams(member);
	base_check(member->thread && first->relay);
	t->relay = first->relay;
	return t;
}

void sim_transport_hand_over(struct sim_transport *t)
{
	for (int r = 0; r < t->engine->ranks; r++)
		if (t->stream[r].filling)
			sim_stream_post(t, r);
}

/* Sends the buffer b, which another thread has filled for rank b->peer. If it fits into one message with the buffer
 * that this thread fills for that rank, its records are appended to that buffer. */
static void merge(struct sim_transport *t, struct sim_buffer *b)
{
	struct sim_outlet *o = &t->outlet[b->peer];
	sim_note_peer(t->engine, b->peer);
	if (b->used > SIM_BUFFER_BYTES / 2) {
		if (t->stream[b->peer].filling) /* which may occupy the ring slot that b needs */
			sim_stream_post(t, b->peer);
		send_buffer(t, b->peer, b);
		return;
	}
	sim_stream_filling(t, b->peer);
	if ((size_t)(o->end - o->at) < b->used) {
		sim_stream_post(t, b->peer);
		sim_stream_filling(t, b->peer);
	}
	memcpy(o->at, b->message.data, b->used);
	o->at += b->used;
	sim_stream_give(t, b);
}

void sim_transport_collect(struct sim_transport *t)
{
	for (struct sim_buffer *b; (b = sim_relay_next_to_send(t->relay)) != NULL;)
		merge(t, b);
}

bool sim_transport_file(struct sim_transport *t)
{
	struct sim_buffer *b = sim_relay_next_to_file(t->relay);
	if (!b)
		return false;
	unsigned before = sim_phase_enter(t->engine, SIM_PHASE_COMMUNICATE);
	deliver(t, b->peer, &b->message);
	sim_stream_give(t, b);
	sim_phase_enter(t->engine, before);
	return true;
}

void sim_transport_share(struct sim_transport *t, const void *mine, size_t bytes, void *all)
{
	sim_transport_write_out(t); /* messages waiting for a ring slot move only while this rank polls */
	MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, t->comm);
}

bool sim_transport_waiting(struct sim_transport *t)
{
	int done = t->deferred.first != NULL;
	for (int r = 0; r < t->engine->ranks && t->rings && !done; r++)
		done = t->stream[r].ring && sim_rings_arrived(t->rings, r) != NULL;
	if (!done && t->in_ranks)
		MPI_Request_get_status(t->in[t->in_next]->request, &done, MPI_STATUS_IGNORE);
	return done;
}

void sim_transport_settle(struct sim_transport *t)
{
	int self = t->engine->rank;
	for (;;) {
		if (t->stream[self].filling)
			sim_stream_post(t, self);
		if (!t->loop.first)
			return;
		deliver_loopback(t);
	}
}

void sim_transport_destroy(struct sim_transport *t)
{
	for (struct sim_buffer *b = t->sending.first, *next; b; b = next) {
		next = b->next;
		MPI_Wait(&b->request, MPI_STATUS_IGNORE);
		free(b);
	}
	for (int r = 0; r < t->engine->ranks; r++) {
		struct stream *s = &t->stream[r];
		sim_buffers_free(s->came.first);
		if (s->filling && !s->filling->in_ring)
			free(s->filling);
		sim_buffers_free(s->late.first);
	}
	for (unsigned i = 0; i < SIM_RECEIVES && t->in[i]; i++) {
		MPI_Cancel(&t->in[i]->request);
		MPI_Wait(&t->in[i]->request, MPI_STATUS_IGNORE);
		free(t->in[i]);
	}
	sim_buffers_free(t->deferred.first);
	if (!is_for_first_thread(t))
		sim_relay_destroy(t->relay);
	sim_rings_destroy(t->rings);
	if (t->comm != MPI_COMM_NULL)
		MPI_Comm_free(&t->comm);
	sim_buffers_free(t->loop.first);
	sim_buffers_free(t->free);
	free(t->stream);
	free(t->outlet);
	free(t);
}

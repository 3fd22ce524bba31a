/* sim/bytes.c - transfers bytes that are not events, namely the state of LPs that migrate, in the streams that
 * otherwise carry events. No event is in flight meanwhile.
 *
 * A message of such bytes has the token SIM_TOKEN_BYTES. While the bytes of one peer are read, messages of bytes from
 * other peers are kept until these are read, and messages of events wait for the next poll. */
#include "sim/streams.h"

#include <string.h>

#define FREE_BUFFERS 64 /* kept after a transfer */

bool sim_stream_put_aside(struct sim_transport *t, struct sim_buffer *b)
{
	struct stream *s = &t->stream[b->peer];
	if (b->message.token != SIM_TOKEN_BYTES)
		return false;
	sim_buffer_append(&s->came, b);
	return true;
}

void sim_transport_write(struct sim_transport *t, int peer, const void *bytes, size_t n)
{
	const unsigned char *from = bytes;
	struct sim_outlet *o = &t->outlet[peer];
	while (n) {
		sim_stream_filling(t, peer)->message.token = SIM_TOKEN_BYTES;
		size_t k = (size_t)(o->end - o->at);
		k = k < n ? k : n;
		memcpy(o->at, from, k);
		o->at += k;
		from += k;
		n -= k;
		if (o->at == o->end)
			sim_stream_post(t, peer);
	}
}

void sim_transport_write_end(struct sim_transport *t, int peer)
{
	if (t->stream[peer].filling)
		sim_stream_post(t, peer);
}

/* Idles in a wait whose last `idle` polls found nothing. */
static void idle_step(struct sim_transport *t, unsigned idle)
{
	if (t->late)
		sim_stream_catch_up(t);
	if (t->sending.first)
		sim_stream_reap(t);
	sim_idle(idle, t->engine->spins);
}

void sim_transport_write_out(struct sim_transport *t)
{
	for (unsigned idle = 0; t->late; idle++)
		idle_step(t, idle);
	struct sim_buffer **at = &t->free;
	for (unsigned k = 0; *at && k < FREE_BUFFERS; k++)
		at = &(*at)->next;
	sim_buffers_free(*at);
	*at = NULL;
}

/* The oldest message of the peer being read; NULL: not arrived yet. Events of other peers wait for the next poll. */
static struct sim_buffer *first_of(struct sim_transport *t, int peer)
{
	struct stream *s = &t->stream[peer];
	if (s->ring)
		return sim_rings_arrived(t->rings, peer);
	for (struct sim_buffer *b; !s->came.first && (b = sim_stream_next_come(t)) != NULL;)
		if (!sim_stream_put_aside(t, b))
			sim_buffer_append(&t->deferred, b);
	return s->came.first ? sim_buffer_remove_first(&s->came) : NULL;
}

/* Waits for it, while it keeps this rank's own waiting messages moving. */
static struct sim_buffer *first_message(struct sim_transport *t, int peer)
{
	struct sim_buffer *b;
	for (unsigned idle = 0; !(b = first_of(t, peer)); idle++)
		idle_step(t, idle);
	return b;
}

void sim_transport_read(struct sim_transport *t, int peer, void *bytes, size_t n)
{
	unsigned char *to = bytes;
	struct stream *s = &t->stream[peer];
	while (n) {
		if (!s->reading) {
			s->reading = first_message(t, peer);
			s->read = 0;
		}
		size_t k = s->reading->message.bytes - s->read;
		k = k < n ? k : n;
		memcpy(to, s->reading->message.data + s->read, k);
		to += k;
		n -= k;
		s->read += k;
		if (s->read < s->reading->message.bytes)
			continue;
		if (s->ring)
			sim_rings_release(t->rings, peer);
		else
			sim_stream_give(t, s->reading);
		s->reading = NULL;
	}
}

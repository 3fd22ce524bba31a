/* sim/relay.c - see relay.h. A message is either 32 KB long or ends a window, so messages are rare enough for one lock
 * on all lists. A thread that polls sees without the lock that a list is empty, which is the most frequent case. */
#include "sim/relay.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdatomic.h>

#define LINE 64 /* bytes of a cache line */

struct relay_queue {
	_Alignas(LINE) _Atomic uint32_t n;
	struct sim_buffer_list list;
};

struct sim_relay {
	pthread_mutex_t lock;
	struct relay_queue to_send, to_file, empty;
};

struct sim_relay *sim_relay_create(void)
{
	struct sim_relay *r = base_map(sizeof *r); /* base_map() aligns it */
	pthread_mutex_init(&r->lock, NULL);
	return r;
}

void sim_relay_destroy(struct sim_relay *r)
{
	if (!r)
		return;
	sim_buffers_free(r->to_send.list.first);
	sim_buffers_free(r->to_file.list.first);
	sim_buffers_free(r->empty.list.first);
	pthread_mutex_destroy(&r->lock);
	base_unmap(r, sizeof *r);
}

static void put(struct sim_relay *r, struct relay_queue *q, struct sim_buffer *b)
{
	base_check(!b->in_ring);
	pthread_mutex_lock(&r->lock);
	sim_buffer_append(&q->list, b);
	atomic_fetch_add_explicit(&q->n, 1, memory_order_release);
	pthread_mutex_unlock(&r->lock);
}

static struct sim_buffer *get(struct sim_relay *r, struct relay_queue *q)
{
	struct sim_buffer *b = NULL;
	if (!atomic_load_explicit(&q->n, memory_order_acquire))
		return NULL;
	pthread_mutex_lock(&r->lock);
	if (q->list.first) {
		b = sim_buffer_remove_first(&q->list);
		atomic_fetch_sub_explicit(&q->n, 1, memory_order_relaxed);
	}
	pthread_mutex_unlock(&r->lock);
	return b;
}

void sim_relay_send(struct sim_relay *r, struct sim_buffer *b)
{
	put(r, &r->to_send, b);
}

struct sim_buffer *sim_relay_next_to_send(struct sim_relay *r)
{
	return get(r, &r->to_send);
}

void sim_relay_receive(struct sim_relay *r, struct sim_buffer *b)
{
	put(r, &r->to_file, b);
}

struct sim_buffer *sim_relay_next_to_file(struct sim_relay *r)
{
	return get(r, &r->to_file);
}

void sim_relay_give(struct sim_relay *r, struct sim_buffer *b)
{
	put(r, &r->empty, b);
}

struct sim_buffer *sim_relay_take(struct sim_relay *r)
{
	return get(r, &r->empty);
}

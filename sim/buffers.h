/* sim/buffers.h - message buffers of transport.c, all of one size: a header followed by event records. */
#ifndef SIM_BUFFERS_H
#define SIM_BUFFERS_H

#include "sim/engine.h"

#include <mpi.h>

#define SIM_BUFFER_BYTES ((size_t)32 << 10) /* all buffers in use at a time stay in the second-level cache */
/* Bytes after the last record of a buffer that must be readable: a reader loads every record as if it were a long
 * one. */
#define SIM_BUFFER_BEHIND (SIM_LONG_BYTES - SIM_SHORT_BYTES)

struct sim_buffer {
	struct sim_buffer *next;
	MPI_Request request;
	int peer;                   /* the rank that a message has come from over MPI, or is sent to */
	size_t used;                /* of message.data */
	bool in_ring;               /* is a slot of the ring to the peer */
	struct sim_message message; /* followed by its data */
};

struct sim_buffer_list { /* first in, first out */
	struct sim_buffer *first, *last;
};

static inline void sim_buffer_append(struct sim_buffer_list *l, struct sim_buffer *b)
{
	b->next = NULL;
	if (l->first)
		l->last->next = b;
	else
		l->first = b;
	l->last = b;
}

static inline struct sim_buffer *sim_buffer_remove_first(struct sim_buffer_list *l)
{
	struct sim_buffer *b = l->first;
	l->first = b->next;
	return b;
}

void sim_buffers_free(struct sim_buffer *first); /* and the rest of the list */

#endif

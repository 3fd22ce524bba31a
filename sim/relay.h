/* sim/relay.h - between the threads of a rank and the other ranks. Only the first thread calls MPI. The others give it
 * the messages that they have filled, and any thread files the events of a message that has come, in its own wheel. */
#ifndef SIM_RELAY_H
#define SIM_RELAY_H

#include "sim/buffers.h"

struct sim_relay;

struct sim_relay *sim_relay_create(void);
void sim_relay_destroy(struct sim_relay *r); /* with the messages that are left in it; NULL is fine */
/* Called by any thread; b->peer is the rank that the message is for. */
void sim_relay_send(struct sim_relay *r, struct sim_buffer *b);
/* The next message to be sent, NULL if there is none. */
struct sim_buffer *sim_relay_next_to_send(struct sim_relay *r);
/* Called by the first thread: a message has come, b->peer is the rank that has sent it. */
void sim_relay_receive(struct sim_relay *r, struct sim_buffer *b);
/* The next message to be filed, NULL if there is none. */
struct sim_buffer *sim_relay_next_to_file(struct sim_relay *r);
/* Empty buffers go from threads that read messages to threads that write them. */
void sim_relay_give(struct sim_relay *r, struct sim_buffer *b);
struct sim_buffer *sim_relay_take(struct sim_relay *r); /* NULL: there is none */

#endif

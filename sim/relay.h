/* sim/relay.h - passes messages between the threads of a rank and the other ranks. Only the first thread calls MPI. The
 * others pass it the messages that they have filled, and any thread files the events of a received message in its own
 * wheel. */
#ifndef SIM_RELAY_H
#define SIM_RELAY_H

#include "sim/buffers.h"

struct sim_relay;

struct sim_relay *sim_relay_create(void);
void sim_relay_destroy(struct sim_relay *r); /* also frees the messages left in it; NULL is fine */
/* Queues a message to be sent to rank b->peer. Called by any thread. */
void sim_relay_send(struct sim_relay *r, struct sim_buffer *b);
/* Removes and returns the next message to be sent; NULL if there is none. */
struct sim_buffer *sim_relay_next_to_send(struct sim_relay *r);
/* Queues a message received from rank b->peer, so that any thread can file its events. Called by the first thread. */
void sim_relay_receive(struct sim_relay *r, struct sim_buffer *b);
/* Removes and returns the next received message whose events must be filed; NULL if there is none. */
struct sim_buffer *sim_relay_next_to_file(struct sim_relay *r);
/* Returns an empty buffer from a thread that has read a message, so that a thread that fills messages can take it. */
void sim_relay_give(struct sim_relay *r, struct sim_buffer *b);
struct sim_buffer *sim_relay_take(struct sim_relay *r); /* an empty buffer, NULL if there is none */

#endif

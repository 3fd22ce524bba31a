/* sim/rings.h - messages between ranks of one host through shared memory (MPI-3 windows), without copies: the receiver
 * reads where the sender wrote. Every ordered pair of ranks has a ring of slots, filled and emptied in turn, so each
 * stream is FIFO. */
#ifndef SIM_RINGS_H
#define SIM_RINGS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

struct sim_rings;

/* Creates rings with slots of `slot_bytes` bytes, aligned to 64. Collective over `comm`. Returns NULL if no two ranks
 * share a host, if the memory cannot be allocated, or if TILEFLY_SHARED_MEMORY=off is in the environment. */
struct sim_rings *sim_rings_create(MPI_Comm comm, size_t slot_bytes);
void sim_rings_destroy(struct sim_rings *r); /* collective; NULL is fine */
/* Number of ranks of the communicator on this host, including this rank; 1 if `r` is NULL, that is, without rings. */
int sim_rings_ranks(const struct sim_rings *r);
/* Are there rings between this rank and `peer`, another rank of the communicator? */
bool sim_rings_reach(const struct sim_rings *r, int peer);
/* The slot for the next message to `peer`; NULL if the ring is full, because the receiver has not emptied that slot
 * yet. */
void *sim_rings_slot(struct sim_rings *r, int peer);
/* Marks the message in the slot of sim_rings_slot() as complete. From then on the receiver may read it, and the sender
 * must not access it any more. */
void sim_rings_publish(struct sim_rings *r, int peer);
/* The oldest complete message from `peer`; NULL if there is none. It stays in its slot until sim_rings_release() is
 * called. */
void *sim_rings_arrived(const struct sim_rings *r, int peer);
void sim_rings_release(struct sim_rings *r, int peer);

#endif

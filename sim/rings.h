/* sim/rings.h - messages between ranks of one host through shared memory (MPI-3 windows), without copies: the receiver
 * reads where the sender wrote. Every ordered pair of ranks has a ring of slots, filled and emptied in turn, so each
 * stream is FIFO. */
#ifndef SIM_RINGS_H
#define SIM_RINGS_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

struct sim_rings;

/* Collective over `comm`. Slots of `slot_bytes`, aligned to 64. NULL: no two ranks share a host, the memory cannot be
 * allocated, or TILEFLY_SHARED_MEMORY=off is in the environment. */
struct sim_rings *sim_rings_create(MPI_Comm comm, size_t slot_bytes);
void sim_rings_destroy(struct sim_rings *r); /* collective; NULL is fine */
/* Number of ranks of the communicator on this host, including this one; 1 without shared rings (NULL). */
int sim_rings_ranks(const struct sim_rings *r);
/* Does `peer`, another rank of comm, have rings to and from this one? */
bool sim_rings_reach(const struct sim_rings *r, int peer);
/* The slot for the next message to `peer`; NULL until the receiver has emptied it. */
void *sim_rings_slot(struct sim_rings *r, int peer);
/* Marks the message as complete: the receiver may read it, the sender may no longer access it. */
void sim_rings_publish(struct sim_rings *r, int peer);
/* The oldest complete message of `peer`, NULL if none; it stays until sim_rings_release(). */
void *sim_rings_arrived(const struct sim_rings *r, int peer);
void sim_rings_release(struct sim_rings *r, int peer);

#endif

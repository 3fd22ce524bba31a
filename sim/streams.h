/* sim/streams.h - the struct sim_transport (declared in engine.h) and functions that transport.c and bytes.c share. */
#ifndef SIM_STREAMS_H
#define SIM_STREAMS_H

#include "sim/relay.h"
#include "sim/rings.h"

#include <mpi.h>

#define SIM_RECEIVES 16u /* posted MPI receives, from any rank */

struct stream {
	struct sim_buffer *filling;
	bool ring; /* goes through shared memory */
	struct sim_buffer_list
	    came; /* over MPI, kept until sim_transport_read() of this peer: bytes that are not events */
	struct sim_buffer_list late; /* wait for a free slot of the ring */
	struct sim_buffer *reading;  /* the message that sim_transport_read() is reading, */
	size_t read;                 /* and the bytes of it already read */
};

struct sim_transport {
	struct sim_engine *engine;
	MPI_Comm
	    comm; /* a communicator of this engine only, so that messages of a previous engine are never received */
	struct stream *stream;     /* [ranks] */
	struct sim_outlet *outlet; /* [ranks] for each stream, the free part of the buffer `filling`; in stress mode of
	                              size 0, so that each record takes the slow path */
	struct sim_buffer *free;
	struct sim_buffer_list sending;
	struct sim_buffer *in[SIM_RECEIVES]; /* posted receives; NULL: no peer sends over MPI */
	unsigned in_next, in_ranks;          /* in_ranks: peers that send over MPI */
	struct sim_buffer_list deferred;     /* events that arrived while bytes of another peer were read */
	unsigned late;                       /* number of streams with messages in `late` */
	struct sim_rings *rings;             /* NULL: no other rank on this host */
	struct sim_buffer_list loop;
	struct sim_relay *relay; /* between the threads of this rank, each with its own transport; NULL: one thread */
	unsigned kept;           /* length of `free`; counted with a relay only */
	uint64_t rng;
	uint64_t hold; /* remaining polls during which the loopback stream is blocked */
};

/* sim_stream_filling() returns the buffer that is being filled for the peer, a new one if there is none.
 * sim_stream_post() sends it. */
struct sim_buffer *sim_stream_filling(struct sim_transport *t, int peer);
void sim_stream_post(struct sim_transport *t, int peer);
/* Frees a buffer. */
void sim_stream_give(struct sim_transport *t, struct sim_buffer *b);
/* Moves messages that wait for a slot of a ring into the slots that have become empty. */
void sim_stream_catch_up(struct sim_transport *t);
/* Frees the buffers of MPI sends that are complete. */
void sim_stream_reap(struct sim_transport *t);
/* The next message received over MPI, from any rank; NULL if there is none. Posts a new receive in its place. */
struct sim_buffer *sim_stream_next_come(struct sim_transport *t);
/* If the message consists of bytes that are not events, keeps it until sim_transport_read() reads from its sender, and
 * returns true. Returns false for a message of events. */
bool sim_stream_put_aside(struct sim_transport *t, struct sim_buffer *b);

#endif

/* switch/links/wire.h - the state of a link's sending end: lanes and link-level retry.
 *
 * A link is made of lanes that each carry an equal part of its bandwidth. If some lanes have failed, a frame takes
 * accordingly longer; a frame that is being sent when one of its lanes fails is damaged. Bit errors damage frames, too:
 * a frame of b bits passes with probability (1 - bit error rate)^b.
 *
 * Link-level retry is go-back-N. The sending end keeps every frame in a retry buffer until it is acknowledged; the
 * receiving end discards a damaged frame and all frames behind it, and requests a retransmission (NAK). The request
 * arrives a round trip after the damaged frame's last bit has left; a round trip consists of the cable's latencies in
 * both directions and the receiver's processing time `answer`. Then the sending end aborts the frame that it is
 * sending, and retransmits from the damaged frame on. So frames are delivered exactly once and in order, and the time
 * of a frame's successful copy is known when its departure is reserved: the link's time from the start of the damaged
 * copy until the arrival of the request is lost. With N = 1 + round trip / frame time and a probability p of damage a
 * saturated link carries (1 - p) / (1 + (N - 1) p) of its rate; with a retry buffer of B bytes at most B / (frame time
 * + round trip). Acknowledgements, requests and credits are not damaged.
 *
 * During an outage of its cable a wire starts no frame, and a frame that is on it when the outage begins is damaged. A
 * round trip after the end of the outage both ends have exchanged which frames have arrived, and the sending end
 * continues from there. (Longer outages, in which frames are lost, are handled in network/failures/.)
 *
 * Random draws are identified by switch and port: stream = switch, index = number of the copy, sub = port. All state is
 * in struct sw_wire and the ring behind it, and changes through the journal. */
#ifndef SWITCH_LINKS_WIRE_H
#define SWITCH_LINKS_WIRE_H

#include "sim/sim.h"
#include "switch/link.h"

#include <stdbool.h>
#include <stdint.h>

#define SW_MOST_LANES 64u
#define SW_WIRE_BITS 32    /* of the bytes of a frame */
#define SW_WIRE_REPLAYS 4u /* the last replays of a wire for which frames sent behind the damaged one are counted */
#define SW_WIRE_SLOTS 130u /* of a retry buffer at most: frames below 1/64 of the buffer share one */
#define SW_WIRE_GRANULES 64u

/* Error rate of a wire: the probability that a frame of 2^k bytes is not damaged is intact_q64[k] / 2^64. */
struct sw_error_rate {
	uint64_t intact_q64[SW_WIRE_BITS];
};

struct sw_wire_rule { /* of a class of links */
	bool on;
	bool degrades;   /* some of these links lose lanes */
	uint32_t lanes;  /* that the bandwidth is for */
	uint32_t errors; /* index in sw_wires.rate; 0: none */
	uint32_t slots;  /* 0: the retry buffer never limits */
	uint64_t answer; /* ps, of the receiver */
	uint64_t buffer; /* bytes for frames that are not acknowledged */
};

/* A change of a wire's state: from `at` (ps) on it has lost `lost` lanes, and its error rate is sw_wires.rate[errors];
 * 0: the error rate of its class of links. */
struct sw_wire_change {
	uint64_t at;
	uint32_t lost, errors;
};

struct sw_outage {            /* of a cable */
	uint64_t from, until; /* ps; SIM_NEVER: for ever */
};

struct sw_wires { /* constants of a network */
	struct sw_wire_rule of[SW_LINK_CLASSES];
	struct sw_error_rate *rate; /* [0] damages nothing */
	uint32_t rates;
	struct sw_wire_change *change; /* of one wire after the other, each in order of time */
	uint32_t changes;
	/* That link-level retry bridges, of one wire after the other, in order of time. */
	const struct sw_outage *outage;
	uint32_t bytes; /* of a struct sw_wire with its ring */
};

struct sw_wire_replay {   /* of a damaged frame */
	uint64_t restart; /* when its request is back; 0: none */
	uint64_t sent;    /* until then copies of it and of frames behind it were sent that are discarded */
};

struct sw_wire_slot {          /* of the retry buffer */
	uint64_t acknowledged; /* ps: when that arrives */
	uint64_t bytes;
};

struct sw_wire {                        /* the sending end of a link: of an output */
	uint64_t latency;               /* ps, of its cable */
	uint64_t back;                  /* ps, of the other direction */
	uint32_t first, changes;        /* in sw_wires.change */
	uint32_t first_outage, outages; /* in sw_wires.outage */
	uint64_t copies;                /* drawn so far */
	uint32_t head, used;            /* of the ring */
	uint64_t held;                  /* bytes in it */
	struct sw_wire_replay replay[SW_WIRE_REPLAYS];
	uint32_t next_replay, spare;
	/* Counts: */
	uint64_t frames;                   /* that have been passed */
	uint64_t damaged;                  /* copies: each begins a replay */
	uint64_t replayed, replayed_bytes; /* frames that were sent again, the damaged ones among them */
	uint64_t lost_ps;                  /* from the start of a damaged copy until its request was back */
	struct sw_wire_slot slot[];
};

/* A frame's passage. */
struct sw_passage {
	uint64_t ready; /* the first bit may leave from here on ... */
	uint64_t idle;  /* ... and from here on, when the link is idle ... */
	uint64_t whole; /* ... and the last bit from here on */
	uint32_t bytes;
	uint32_t link_class, port, id; /* id: of the switch */
	uint64_t seed;
	/* Results, in ps. start, finish: when the first and the last bit of the copy leave that arrives undamaged;
	 * free_at: when the link is idle again, after its gap. */
	uint64_t start, finish, free_at;
};

/* Determines when a frame leaves (the results in *p), and stores it in the retry buffer. */
void sw_wire_pass(struct sim_ctx *ctx, const struct sw_wires *wires, const struct sw_link *link, struct sw_wire *wire,
                  struct sw_passage *p);

/* Returns the ps that `bytes` take on the wire of the opposite direction; their first bit arrives at `arrived`. `link`,
 * `link_class`: those of arriving frames; `wire`: the wire of departing frames, as both directions of a cable lose
 * lanes at the same times. */
uint64_t sw_wire_comes(const struct sw_wires *wires, const struct sw_link *link, unsigned link_class,
                       const struct sw_wire *wire, uint32_t bytes, uint64_t arrived);

/* Returns for how many ps before `end` a wire has run with fewer lanes than it has. */
uint64_t sw_wire_degraded(const struct sw_wires *wires, const struct sw_wire *wire, uint64_t end);

/* Computes the table of an error rate from a bit error rate between 0 and 1. All later computations use integers. */
void sw_error_rate_set(struct sw_error_rate *rate, double bit_error_rate);
/* Returns the probability, times 2^64, that a frame of this many bytes is not damaged. */
uint64_t sw_error_rate_intact(const struct sw_error_rate *rate, uint32_t bytes);

/* Returns the number of slots of a retry buffer of `buffer` bytes for frames of at least `least` bytes. */
uint32_t sw_wire_slots(uint64_t buffer, uint32_t least);

#endif

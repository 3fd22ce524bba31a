/* switch/tiled/state.h - the parameters and the state of the tiled switch, and their memory layout. tiled.h, which
 * includes this file by packet.h, describes how it works. */
#ifndef SWITCH_TILED_STATE_H
#define SWITCH_TILED_STATE_H

#include "switch/arbiter.h"
#include "switch/flows.h"
#include "switch/pool.h"
#include "switch/switch.h"
#include "switch/tiled/agenda.h"

#include <stddef.h>
#include <stdlib.h>

/* For functions in hot paths that the compiler would not inline otherwise. */
#define TILED_INLINE static inline __attribute__((always_inline))
#define TILED_FLAT __attribute__((flatten)) /* inlines all calls inside the function */

#define TILED_PORT_BITS 9
#define TILED_PORTS (1u << TILED_PORT_BITS) /* maximum number of ports */
#define TILED_PORT_MASK (TILED_PORTS - 1)
#define TILED_WORDS (TILED_PORTS / 64) /* words of a set of them */
#define TILED_ROWS 64u                 /* maximum number of rows */
#define TILED_ROW_PORTS 128u           /* maximum ports of a row */
#define TILED_ROW_WORDS (TILED_ROW_PORTS / 64)
#define TILED_NEVER UINT64_MAX
#define TILED_NONE SW_POOL_NONE

enum tiled_preset { TILED_ROSETTA, TILED_YARC, TILED_SUCCESSOR, TILED_ARIES };
enum tiled_choice { TILED_AS_PRESET, TILED_FIRST, TILED_SECOND }; /* "preset|voq|fifo", "preset|on|off" */
enum tiled_flow_channels { TILED_FLOWS_AUTO, TILED_FLOWS_ON, TILED_FLOWS_OFF };
enum tiled_placement { TILED_IN_ROWS, TILED_IN_COLUMNS, TILED_SPREAD, TILED_LISTED };
enum tiled_spread { TILED_BY_FLOW, TILED_BY_PACKET };
enum tiled_fault { TILED_NO_FAULT, TILED_GRANT_WITHOUT_CREDIT, TILED_FORGET_QUEUE, TILED_LEAK_POOL };

/* The parameters as configured. 0 means that the preset's value applies. */
struct tiled_params {
	int preset;
	int64_t rows, columns, ports_per_tile;
	int placement; /* enum tiled_placement */
	struct base_ints places;
	uint64_t clock; /* ps */
	double speedup;
	uint64_t width; /* bytes a beat */
	uint64_t buffer, output_buffer, row_buffer, column_buffer;
	double shared_pool, pool_threshold, flow_threshold;
	int flow_channels;   /* enum tiled_flow_channels */
	uint64_t flow_route; /* ps */
	int64_t vcs;         /* read by network/ */
	int queues, grants;
	int64_t requests;
	uint64_t grant_limit; /* bytes */
	uint64_t serdes, mac, route, request, grant, row, column, egress, credit, publish;
	bool align;
	uint64_t column_pitch, row_pitch; /* wire delay in ps from a tile to the next one in its row, and in its column;
	                                     row_pitch may be BASE_AUTO_TIME_VALUE: the preset's value */
	int64_t request_width, grant_width; /* messages a clock period on an input's row bus */
	uint64_t ack_width;                 /* bytes a clock period */
	struct base_named grant_arbiter, grant_column_arbiter, bus_arbiter, crossbar_arbiter, column_arbiter;
	int age;
	struct base_ints weights;
	uint64_t quantum; /* bytes, 0: the largest packet */
	int spread;
	int fault; /* enum tiled_fault: not a configuration key; tests break the arbiters with it */
};

/* The arrangement of ports in tiles. Places are numbered along the rows, tile by tile (figure 1 of the paper: row 0 has
 * 0/1, 2/3, ... 14/15, row 1 has 16/17 ...); each port is at one place. Sets of inputs have a bit for each place. In a
 * set by rows, the bits of each row begin in a new word. */
struct tiled_geometry {
	uint32_t rows, columns, per_tile, row_ports; /* row_ports = columns * per_tile: inputs of a tile's crossbar */
	uint32_t row_words;                          /* of a set of a row's inputs */
	/* Position of each port. in_row: its number among the ports of its row; word: the word that contains the port
	 * in a set by rows, where it is bit in_row % 64. */
	uint8_t row[TILED_PORTS], column[TILED_PORTS], in_row[TILED_PORTS], word[TILED_PORTS];
	uint16_t place[TILED_PORTS];
	uint16_t port[TILED_PORTS];                   /* at a place */
	uint16_t first[TILED_ROWS * TILED_ROW_WORDS]; /* place of bit 0 of a word */
};

/* Sets the numbers of tiles and their ports, and initially puts every port at the place of its own number. */
void tiled_geometry_set(struct tiled_geometry *g, uint32_t rows, uint32_t columns, uint32_t per_tile);
/* Assigns places to ports. Returns 0, or -1 with an error if the configured list of places is not a valid
 * assignment. */
int tiled_geometry_place(struct tiled_geometry *g, const struct tiled_params *p, uint32_t ports,
                         struct base_errors *errors);

struct tiled_packet { /* a packet in the switch: one cache line */
	uint32_t next;
	uint32_t next_message; /* next request in flight to outputs, or next grant in flight to inputs' tiles */
	uint64_t arrived_in; /* time << TILED_PORT_BITS | port: arrival of its header at its input; see tiled_arrived */
	uint64_t ready_out; /* likewise: arrival of its request at its output; then its own arrival at the next stage */
	struct sw_packet packet; /* vc: that of the output | that of the input << 4; see tiled_lane() */
};
_Static_assert(sizeof(struct tiled_packet) == 64, "one cache line");
_Static_assert(SW_MAX_VCS <= 16, "a VC is half a byte");
_Static_assert(TILED_PORTS *SW_MAX_VCS < 1u << 16, "1 + (input, VC) is a lane's holder");
#define TILED_TIMES SW_AGENDA_TIMES /* times must be below */

struct tiled_trace {             /* data of a packet with tiled_traced() */
	uint64_t tail;           /* earliest time of its last byte at the next stage; not maintained by direct.c */
	uint64_t asked, granted; /* arrival of its request at the output, and time of its grant */
	uint64_t bus_wait, column_wait, mux_wait; /* see tiled_passed */
	uint16_t slack;
	uint16_t level;   /* at which it was granted, with ordered classes */
	uint32_t leaving; /* bytes on its outgoing link */
};

struct tiled_list {
	uint32_t head, tail; /* of tiled_packet; head TILED_NONE: empty */
};

struct tiled_voq { /* packets of one input for one output and lane */
	struct tiled_list list;
	uint32_t unasked;  /* the first packet without a request; TILED_NONE: none */
	uint16_t requests; /* sent, not granted */
	uint16_t arrived;  /* of them, the number that have arrived at the output */
};

struct tiled_front { /* packets that may cross next: the granted packets of an (input, output, class), or the contents
	                of a row buffer of an (input, column, tiled_front_lane()) */
	struct tiled_list list;
	uint64_t contend; /* when the head is at the tile, without contention */
};

/* Readings of instruments; they exist only if the configuration requests instruments for the switch (instruments.c).
 * One block of memory contains struct tiled_meter [ports], then struct sw_use [ports][rows] for crossbar outputs, then
 * struct tiled_passed [classes][ports]. */
struct tiled_meter { /* per port */
	struct sw_use bus, mux;
	struct sw_line link;
	struct sw_use input_held, voq_held;  /* in this input; for this output, in all inputs: packets that have left */
	struct sw_holds input_now, voq_now;  /* ... and packets still there */
	uint64_t input_most, voq_most;       /* bytes */
	uint64_t no_credit, no_space, limit; /* decisions without a result, by reason */
	struct sw_use ack_bus, ack_mux;      /* of the crossbar of acknowledgements */
	uint64_t acks;                       /* that left by this output */
	uint64_t bus_waits, mux_waits;       /* acknowledgements that waited for these */
};

struct tiled_passed { /* sums, in ps, over the packets of a class that left by one output */
	uint64_t packets, bytes;
	uint64_t total;   /* header's arrival until the first bit leaves = pipeline + wires + the seven waits */
	uint64_t clock;   /* wait for an edge of the switch's clock */
	uint64_t voq;     /* wait until its request may leave, or behind the head of its queue */
	uint64_t request; /* wait for a grant */
	uint64_t bus;     /* wait for the row bus, or for space in the row buffer */
	uint64_t column;  /* wait for crossbar output and channel; without column buffers also for the multiplexer */
	uint64_t mux;     /* wait in the column buffer */
	uint64_t wire;    /* between tiles */
	uint64_t output;  /* wait for the link */
};

enum tiled_message { TILED_REQUEST, TILED_GRANT, TILED_MESSAGES };

/* State of a port, as output and as input. The data of requests, grants and crossing is in one cache line. The next
 * line contains credits, bytes in use and, if they are small, the crossing's arbiters (tiled_derived.in_...). So most
 * packets need two lines of each of their ports. Sets of inputs, the grant's arbiters and struct tiled_port_rest
 * follow. */
struct tiled_port {
	uint64_t link_busy;
	uint64_t not_before; /* no space in the output buffer for a largest packet until then */
	uint64_t flight;     /* link time of packets granted that have not crossed yet */
	uint64_t mux_busy;   /* until */
	uint64_t bus_free;   /* of the input; without row buffers as of arrival at the tile, `row` later */
	uint64_t message_at[TILED_MESSAGES]; /* of the input: when its row bus can take the next message */
	uint32_t asked_packets;
	uint16_t contenders; /* fronts whose head is at its tile, without buffers in between */
	uint8_t lane_turn;   /* see tiled_lane_turn(); after the last lane: the first */
	uint8_t link;        /* index of its link, SW_LINK_TERMINAL for a terminal port */

	uint8_t row, in_row, word; /* as in struct tiled_geometry */
	uint8_t in_row_next;       /* the next one in its row, cyclically */
	uint32_t column_turn;      /* the column's arbiter, if it is that small */
	uint32_t x, y;             /* of its tile: ps of wire from the first column, and from the first row */
	struct sw_link_end end;
};
_Static_assert(offsetof(struct tiled_port, row) == 64 && sizeof(struct tiled_port) == 88, "a cache line, and 24 bytes");

struct tiled_port_rest {
	/* Late messages of the input, in order of arrival: requests that it sends and grants for it that were delayed
	 * on a row bus, and so arrive later than others that were ready at the same time. */
	struct tiled_list asks, grants;
	uint64_t old_busy; /* without grants: link_busy when tiled_depth.tick began */
};

/* Queue depth of an output; it exists only if routing reads queues. The depths of all outputs of a switch are
 * contiguous in memory, because neighbours read several at a time, and routing compares several. */
struct tiled_depth {
	uint64_t tick; /* of the last change, in units of the publish delay */
	/* bytes: the depth now. With grants, these are the bytes requested and not granted; otherwise the bytes in the
	 * switch for this output that have not crossed. old_bytes: the depth at the start of that tick. */
	uint32_t bytes, old_bytes;
};

struct tiled_crossing { /* a crossbar output with its column channel: (output, row); with column buffers */
	uint64_t busy;
};

struct tiled_ack_port {    /* of the crossbar of acknowledgements: acks.c */
	uint64_t bus_free; /* the row bus of an input, from then on */
	uint64_t mux_free; /* the multiplexer of an output, likewise, in terms of when one would be at the link */
};

struct tiled_column { /* column buffer of (output, row, lane) */
	struct tiled_list list;
	uint32_t space;
	uint32_t kept_for; /* 1 + (input | VC of the input << TILED_PORT_BITS) of the packet for which space is
	                      reserved, whose class is that of the buffer's lane; 0: no space is reserved */
};

/* Kinds of agenda items, in the order of decisions at one instant: late messages, whose owners are inputs, then
 * arbiters. */
enum tiled_due {
	TILED_DUE_ASKS,
	TILED_DUE_GRANTS,
	TILED_DUE_GRANT,
	TILED_DUE_BUS,
	TILED_DUE_CROSSBAR,
	TILED_DUE_MUX, /* in a separate agenda */
	TILED_DUES
};

struct tiled_derived {
	struct tiled_geometry geometry;
	const struct tiled_params *params;
	uint32_t ports;         /* in use: network ports and terminals */
	uint32_t places, words; /* up to the last one in use; words of a set of them */
	uint32_t vcs, lanes,
	    group; /* lanes: (class, VC), of links and behind the input; group: VCs per class of routing */
	uint32_t classes;
	bool plain;      /* one traffic class, without a maximum: a lane is a VC */
	bool ordered;    /* classes are ordered: some precedes another, or is held */
	uint32_t levels; /* number of different levels of packets, and of an arbiter's states: `order.levels`, with
	                    grants divided by order.steps; 1 without ordered classes */
	uint32_t turns;  /* turns of a taker, for each kind of taker: one per level; for the grant, one per class */
	uint32_t front_lanes;    /* fronts per (input, output), or per input and column of row buffers */
	struct sw_lanes account; /* of a network port */
	bool grants, fifo, row_buffered, column_buffered;
	bool direct;  /* plain, with grants, no buffers in between */
	bool claims;  /* ordered, with grants: see classes.c */
	bool alike;   /* packets have one size and need the same credits: all packets of a lane have them, or none */
	bool uniform; /* packets are alike and there is no pool; buses are no slower than links, a packet's last byte
	                 always reaches its tile in time, and a row's set of inputs is one word */
	bool mixed;   /* packets differ in size: space in a column buffer is reserved for one that does not fit */
	bool grant_by_age;        /* both of the grant's arbiters are "age", without state */
	bool grant_by_packet;     /* one of them compares properties of the packet: bytes, hops */
	bool reserves;            /* a lane's credits are reserved for a packet that needs more */
	uint32_t rows, row_words; /* rows up to the last one with ports in use; words of a set by rows */
	uint32_t share, terminal_share, most_of_lane; /* share: of a lane, account.reserve; most: with the pool */
	uint32_t max_packet;
	uint64_t most_beats; /* ps: maximum time on a bus */
	uint64_t most_frees; /* ps from the start of its crossing until its credits may leave, if its tail is in time */
	uint32_t row_space, column_space; /* bytes per lane */
	uint32_t queues, queue_words;     /* of an input, for its bus; words of a set of them */
	uint32_t requests;
	uint64_t period;          /* ps */
	uint64_t edge_reciprocal; /* 2^64 / period, rounded up; 0: no waits for clock edges */
	bool trails; /* a packet's last byte may reach its tile later than its transfer on the bus ends; false if
	                request and grant together take longer than the packet on its link */
	uint64_t column_pitch, row_pitch;
	uint32_t width;
	uint64_t width_reciprocal;                                   /* 2^32 / width, rounded up */
	uint64_t ingress, ask, grant, row, column, egress, pipeline; /* ps; ask: of the request; pipeline: sum of all */
	uint64_t credit;                                             /* return to the sender, without the cable */
	uint64_t lead;       /* from a decision to its earliest effect outside, without the cable */
	uint64_t slack;      /* maximum delay of a decision after it is due, less than lead */
	struct sw_hold hold; /* for any output; stop 0: no input withholds credits, and in_kept is 0 */
	uint64_t hold_delay; /* ps from when a grant is due until its control word may leave */
	uint64_t publish, publish_reciprocal;
	uint64_t bytes_per_ps_q32; /* bandwidth of a bus */
	uint64_t grant_bytes;      /* maximum bytes granted and not yet crossed, plus one packet, for a network output;
	                              SIM_NEVER: there is no limit */
	struct {
		struct sw_link link; /* that of sw_common, next to values used with it */
		uint64_t space;      /* the output buffer, as time on this link */
		uint64_t max_packet; /* the largest packet, likewise */
		int64_t ahead;       /* space - max_packet */
		uint64_t grants;     /* maximum granted and not yet crossed, likewise */
		uint64_t bytes_per_ps_q32;
		uint64_t credit_loop; /* tiled_credit_loop() of a largest packet */
		unsigned char fill[128 - 6 * sizeof(uint64_t) - sizeof(struct sw_link)]; /* makes an index a shift */
	} link[SW_LINK_CLASSES + 1];
	uint64_t request_spacing, grant_spacing; /* ps between messages of an input, or for it */
	uint64_t ack_spacing; /* ps of an acknowledgement on a row bus, channel or multiplexer of their crossbar */
	bool ages;            /* ages of requesting heads are stored */
	const struct base_plugin *grant_arbiter, *grant_column_arbiter, *bus_arbiter, *crossbar_arbiter,
	    *column_arbiter;
	uint32_t weight[TILED_PORTS], row_weight[TILED_ROWS]; /* by place; by row */
	uint32_t bus_weight[TILED_PORTS];                     /* by queue of an input */
	uint32_t quantum;
	enum sw_age age;
	uint64_t created_mask;        /* time bits of sw_packet.created */
	uint8_t class_of[SW_MAX_VCS]; /* VC class by VC */
	uint8_t first_lane[256];      /* first lane of a job's traffic class */
	struct sw_class_order order;
	bool by_packet;      /* spread */
	bool flows;          /* flow channels are in use */
	uint64_t flow_route; /* ps for which a flow keeps its route; 0: it keeps none, because routing reads no queues,
	                        or because packets are to be routed one by one */
	enum tiled_fault fault;
	/* Size of a port's block, and offsets in it. They have 64 bits, like addresses, because that takes fewer
	 * instructions. */
	uint64_t port_bytes; /* the first block is at offset 0 */
	uint64_t in_contend, in_used, in_kept, in_holders, in_asked, in_grant_arbiters, in_grant_column_arbiter,
	    in_crossbar_arbiters, in_column_arbiter, in_buckets, in_waiting, in_rest;
	uint64_t pair_bytes,
	    in_pair_voqs;     /* per (output, input): its front unless row-buffered, its queues with grants */
	uint64_t front_bytes; /* distance of consecutive fronts */
	/* offsets in tiled_state.rest */
	uint64_t at_pairs, at_voqs, at_fronts, at_spaces; /* at_voqs: of the first pair */
	uint64_t pairs_bytes;                             /* of an output's pairs */
	uint64_t at_turns;                                /* unless plain */
	uint64_t at_depths;                               /* if queues are tracked */
	uint64_t at_ages;                                 /* with grants and an arbiter that compares ages */
	uint64_t at_queues, at_busy_queues, at_tile_free, at_bus_arbiters;
	uint64_t at_crossings, at_columns, at_column_heads;
	uint64_t at_acks; /* with acknowledgements that pass switches */
	uint64_t at_agenda, at_muxes;
	uint32_t at_packets, packets; /* those in the block: offset, number */
	/* Number in the agenda of the first arbiter of each kind. The arbiters of a kind are numbered consecutively by
	 * port; those of a crossbar by output * rows + row. */
	uint32_t first[TILED_DUES + 1];
	uint32_t bus_arbiter_bytes, crossbar_arbiter_bytes, grant_arbiter_bytes, grant_column_arbiter_bytes,
	    column_arbiter_bytes;
	uint32_t bytes;
};

struct tiled_state {
	const struct tiled_derived *derived;
	struct tiled_meter *meters; /* NULL: no instruments */
	struct sw_flows *flows;     /* of network outputs; NULL: flows are not distinguished */
	uint32_t id, net_ports, terminals;
	uint32_t packets; /* number of packets in the block; higher numbers are in the pool */
	struct sw_pool pool;
	uint32_t trace_bytes;
	bool simple;       /* see tiled_is_simple() */
	bool uniform;      /* simple, and tiled_derived.uniform */
	bool prefetching;  /* as in sw_common */
	uint32_t phase;    /* ps; delay of this switch's clock edges behind multiples of its period */
	uint64_t to_edge;  /* period - 1 - phase */
	uint32_t entering; /* the input whose packet is being routed: scratch, not part of the state */
	uint64_t due;      /* nothing is due before this time: likewise; 0 is always valid */
	/* Messages in flight with constant delay, in order of arrival: requests and, if there are no buffers between
	 * input and output, grants. asks_at, grants_at: when the first one arrives; all ones: there is none. */
	struct tiled_list asks, grants;
	uint64_t asks_at, grants_at;
	uint32_t unasked; /* queues with packets whose request has not been sent */
	uint64_t wake_at; /* time of the switch's own event; TILED_NEVER: none */
	/* The last instant at which several requests arrived together, and the outputs (bits, output number modulo 64)
	 * for which there may be several. */
	struct tiled_company {
		uint64_t at, outputs;
	} company;
	/* Only if queues are tracked. tick: that of the last change. now, then: outputs (bits, output number modulo 64)
	 * that have a queue now, and that had one at the start of the tick. With more than 64 ports, a bit represents
	 * several outputs, and remains set once one of them has had a queue. */
	struct tiled_queued {
		uint64_t tick, now, then;
	} queued;
	uint32_t outside;     /* packets in the pool */
	uint32_t free, fresh; /* free packets of the block. free: the one that was freed last, which begins a list
	                         linked by `next`. fresh: packet numbers from here on have never been used */
	unsigned char rest[] __attribute__((aligned(64)));
};

TILED_INLINE struct tiled_port *tiled_port_at(const struct tiled_derived *d, struct tiled_state *s, uint32_t port)
{
	return (struct tiled_port *)(void *)(s->rest + (size_t)port * d->port_bytes);
}

/* Defines a function that returns the i-th element of an array in a port's block. */
#define TILED_IN_PORT(type, name, in)                                                                           \
	static inline type *name(const struct tiled_derived *d, struct tiled_state *s, uint32_t port, size_t i) \
	{                                                                                                       \
		return (type *)(void *)(s->rest + (size_t)port * d->port_bytes + d->in) + i;                    \
	}
TILED_IN_PORT(uint32_t, tiled_used_at, in_used) /* [lane] of an input: bytes in its buffer; [0] for a terminal: all */
TILED_IN_PORT(uint32_t, tiled_kept_at, in_kept) /* [lane] of an input: credits withheld, or SW_LETS_GO */
TILED_IN_PORT(
    uint16_t, tiled_holder_at,
    in_holders) /* [lane] of an output whose lanes can be reserved: 1 + owner, 0: not reserved. The owner is an input
                   (its place); without grants it is a row, or without column buffers an input and its VC */
TILED_IN_PORT(uint64_t, tiled_asked_at,
              in_asked) /* [lane][words] of an output: inputs (places) whose request has arrived */
TILED_IN_PORT(uint64_t, tiled_contend_at,
              in_contend) /* [front_lanes][row_words] of an output: inputs with a front whose head is for it */
TILED_IN_PORT(struct sw_class_buckets, tiled_buckets_at,
              in_buckets) /* [class] of an output, where classes are ordered */
TILED_IN_PORT(uint64_t, tiled_waiting_at,
              in_waiting) /* [set of ports] of an input with claims: outputs for which it has granted packets */
#undef TILED_IN_PORT

/* Returns the account of credits of an output, [sw_account_words()]; see switch/lanes.h. */
TILED_INLINE uint32_t *tiled_account_of(struct tiled_port *o)
{
	return (uint32_t *)(void *)(o + 1);
}
TILED_INLINE uint32_t *tiled_credit_at(const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                                       uint32_t lane)
{
	return tiled_account_of(tiled_port_at(d, s, out)) + lane;
}
/* Returns another part of a port's block, at an offset d->in_... . */
TILED_INLINE void *tiled_in_port(struct tiled_port *o, uint64_t at)
{
	return (unsigned char *)o + at;
}
static inline struct tiled_port_rest *tiled_rest_at(const struct tiled_derived *d, struct tiled_state *s, uint32_t port)
{
	return tiled_in_port(tiled_port_at(d, s, port), d->in_rest);
}

/* Return the states of an output's arbiters: of the grant, one per class and row, and one per class; of the crossbar,
 * one per level and row; of the multiplexer, one per level. */
static inline void *tiled_grant_arbiter(const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                                        uint32_t row, uint32_t class)
{
	return s->rest + (size_t)out * d->port_bytes + d->in_grant_arbiters +
	       (class * d->rows + row) * d->grant_arbiter_bytes;
}
static inline void *tiled_grant_column_arbiter(const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                                               uint32_t class)
{
	return s->rest + (size_t)out * d->port_bytes + d->in_grant_column_arbiter +
	       class * d->grant_column_arbiter_bytes;
}
static inline void *tiled_crossbar_arbiter(const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                                           uint32_t row, uint32_t level)
{
	return s->rest + (size_t)out * d->port_bytes + d->in_crossbar_arbiters +
	       (level * d->rows + row) * d->crossbar_arbiter_bytes;
}
static inline void *tiled_column_arbiter(const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                                         uint32_t level)
{
	return s->rest + (size_t)out * d->port_bytes + d->in_column_arbiter + level * d->column_arbiter_bytes;
}
/* Requesters at an output that may have packets on several lanes: at the grant and at the crossing an input (by its
 * place); at the multiplexer a row of column buffers. */
enum tiled_taker { TILED_TAKER_GRANT, TILED_TAKER_CROSS, TILED_TAKER_MUX, TILED_TAKERS };

/* Returns a pointer to the lane whose turn it is for a taker (enum tiled_taker): the taker's first requesting lane,
 * counted cyclically from this one, is chosen. With ordered classes each taker has a turn of its own at every level,
 * and at the grant for every class; with one turn for all, packets of other classes could always move the turn to the
 * same class. */
static inline uint8_t *tiled_lane_turn(const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                                       enum tiled_taker kind, uint32_t taker, uint32_t level)
{
	if (sim_likely(d->plain))
		return &tiled_port_at(d, s, out)->lane_turn;
	size_t number = ((size_t)out * TILED_TAKERS + kind) * d->places + taker;
	base_check(taker < d->places && level < d->turns);
	return s->rest + d->at_turns + number * d->turns + level;
}

/* Returns the state of the arbiter of an input's row bus. */
static inline void *tiled_bus_arbiter(const struct tiled_derived *d, struct tiled_state *s, uint32_t in, uint32_t level)
{
	return s->rest + d->at_bus_arbiters + ((size_t)in * d->levels + level) * d->bus_arbiter_bytes;
}

/* With grants. */
static inline struct tiled_voq *tiled_voq_at(const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                                             uint32_t lane, uint32_t in)
{
	size_t pair = (size_t)out * d->pairs_bytes + (size_t)in * d->pair_bytes;
	return (struct tiled_voq *)(void *)(s->rest + d->at_voqs + pair) + lane;
}

/* By tiled_front_index(). */
static inline struct tiled_front *tiled_front_at(const struct tiled_derived *d, struct tiled_state *s, size_t i)
{
	return (struct tiled_front *)(void *)(s->rest + d->at_fronts + i * d->front_bytes);
}

#define TILED_ARRAY(type, name, at)                                                              \
	static inline type *name(const struct tiled_derived *d, struct tiled_state *s, size_t i) \
	{                                                                                        \
		return (type *)(void *)(s->rest + d->at) + i;                                    \
	}
TILED_ARRAY(struct tiled_depth, tiled_depth_at, at_depths) /* [output], where queues are tracked */
TILED_ARRAY(uint64_t, tiled_age_at, at_ages)     /* [output][lane][place], for the head of a requesting queue: age <<
                                                    TILED_PORT_BITS | place, so that ties are ordered by place */
TILED_ARRAY(uint32_t, tiled_space_at, at_spaces) /* by tiled_front_index(): bytes; with row buffers */
TILED_ARRAY(struct tiled_list, tiled_queue_at, at_queues)   /* [input][queues]; with row buffers */
TILED_ARRAY(uint64_t, tiled_busy_queues_at, at_busy_queues) /* [input][queue_words]: queues with packets */
TILED_ARRAY(uint64_t, tiled_tile_free_at,
            at_tile_free) /* [input][column]: time until which a tile's input is in use; with row buffers */
TILED_ARRAY(struct tiled_crossing, tiled_crossing_at, at_crossings) /* [output][row] */
TILED_ARRAY(struct tiled_column, tiled_column_at, at_columns)       /* [output][row][lane]; with column buffers */
TILED_ARRAY(uint64_t, tiled_column_heads_at,
            at_column_heads) /* [output][lane]: rows (bits) with packets there; likewise */
TILED_ARRAY(struct tiled_ack_port, tiled_ack_port_at, at_acks) /* [port]; with acknowledgements that pass switches */
#undef TILED_ARRAY

#endif

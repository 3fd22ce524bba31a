/* switch/tiled/state.h - the parameters and the state of the tiled switch, and where its parts are in memory. How it
 * works is in tiled.h, the only file that includes this one. */
#ifndef SWITCH_TILED_STATE_H
#define SWITCH_TILED_STATE_H

#include "switch/arbiter.h"
#include "switch/flows.h"
#include "switch/pool.h"
#include "switch/switch.h"
#include "switch/tiled/agenda.h"

#include <stddef.h>
#include <stdlib.h>

/* For what every event needs: the compiler would rather call some of it. */
#define TILED_INLINE static inline __attribute__((always_inline))
#define TILED_FLAT __attribute__((flatten)) /* all that it calls becomes part of it */

#define TILED_PORT_BITS 9
#define TILED_PORTS (1u << TILED_PORT_BITS) /* most ports */
#define TILED_PORT_MASK (TILED_PORTS - 1)
#define TILED_WORDS (TILED_PORTS / 64) /* of a set of them */
#define TILED_ROWS 64u                 /* most rows */
#define TILED_ROW_PORTS 128u           /* most ports of a row */
#define TILED_ROW_WORDS (TILED_ROW_PORTS / 64)
#define TILED_NEVER UINT64_MAX
#define TILED_NONE SW_POOL_NONE

enum tiled_preset { TILED_ROSETTA, TILED_YARC, TILED_SUCCESSOR };
enum tiled_choice { TILED_AS_PRESET, TILED_FIRST, TILED_SECOND }; /* "preset|voq|fifo", "preset|on|off" */
enum tiled_placement { TILED_IN_ROWS, TILED_IN_COLUMNS, TILED_DEALT, TILED_LISTED };
enum tiled_spread { TILED_BY_FLOW, TILED_BY_PACKET };
enum tiled_fault { TILED_NO_FAULT, TILED_GRANT_WITHOUT_CREDIT, TILED_FORGET_QUEUE, TILED_LEAK_POOL };

/* As configured. 0: the preset's. */
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
	int64_t vcs; /* read by network/ */
	int queues, grants;
	int64_t requests;
	uint64_t grant_limit; /* bytes */
	uint64_t serdes, mac, route, request, grant, row, column, egress, credit, publish;
	bool align;
	uint64_t column_pitch, row_pitch;   /* ps from a tile to the next one in its row, in its column; row_pitch:
	                                       BASE_AUTO_TIME_VALUE: the preset's */
	int64_t request_width, grant_width; /* messages a clock period on an input's row bus */
	struct base_named grant_arbiter, grant_column_arbiter, bus_arbiter, crossbar_arbiter, column_arbiter;
	int age;
	struct base_ints weights;
	uint64_t quantum; /* bytes, 0: the largest packet */
	int spread;
	int fault; /* enum tiled_fault: not a configuration key; tests break the arbiters with it */
};

/* Places number along the rows, tile by tile (the seed's figure 1: row 0 has 0/1, 2/3, ... 14/15, row 1 has 16/17 ...);
 * a port is at one of them. Sets of inputs are by place, those of a row begin with a word of their own. */
struct tiled_geometry {
	uint32_t rows, columns, per_tile, row_ports; /* row_ports = columns * per_tile: inputs of a tile's crossbar */
	uint32_t row_words;                          /* of a set of a row's inputs */
	/* of a port; in_row: its number among those of its row; word: where it is in a set by rows, as bit in_row % 64
	 */
	uint8_t row[TILED_PORTS], column[TILED_PORTS], in_row[TILED_PORTS], word[TILED_PORTS];
	uint16_t place[TILED_PORTS];
	uint16_t port[TILED_PORTS];                   /* at a place */
	uint16_t first[TILED_ROWS * TILED_ROW_WORDS]; /* place of bit 0 of a word */
};

/* Port p is at place p. */
void tiled_geometry_set(struct tiled_geometry *g, uint32_t rows, uint32_t columns, uint32_t per_tile);
/* Each of so many ports gets another place. -1 if the list of places is not one. */
int tiled_geometry_place(struct tiled_geometry *g, const struct tiled_params *p, uint32_t ports,
                         struct base_errors *errors);

struct tiled_packet { /* a packet in the switch: one cache line */
	uint32_t next;
	uint32_t next_message;   /* among requests on their way to outputs, or grants on their way to inputs' tiles */
	uint64_t arrived_in;     /* time << TILED_PORT_BITS | port: its header, at its input; see tiled_arrived */
	uint64_t ready_out;      /* likewise: its request at its output; then: itself at the next stage */
	struct sw_packet packet; /* vc: that of the output | that of the input << 4; see tiled_lane() */
};
_Static_assert(sizeof(struct tiled_packet) == 64, "one cache line");
_Static_assert(SW_MAX_VCS <= 16, "a VC is half a byte");
_Static_assert(TILED_PORTS *SW_MAX_VCS < 1u << 16, "1 + (input, VC) is a lane's holder");
#define TILED_TIMES SW_AGENDA_TIMES /* times must be below */

struct tiled_trace {   /* follows a packet where tiled_traced() */
	uint64_t tail; /* when its last byte is at the next stage, at the earliest; not kept by the direct way */
	uint64_t asked, granted;                  /* when its request was at the output, and was granted */
	uint64_t bus_wait, column_wait, mux_wait; /* see tiled_passed */
	uint16_t slack;
	uint16_t level;   /* at which it was granted, where classes are ordered */
	uint32_t leaving; /* bytes on the link by which it leaves */
};

struct tiled_list {
	uint32_t head, tail; /* of tiled_packet; head TILED_NONE: empty */
};

struct tiled_voq { /* packets of one input for one output and lane */
	struct tiled_list list;
	uint32_t unasked;  /* the first packet whose request was not sent; TILED_NONE: none */
	uint16_t requests; /* sent, not granted */
	uint16_t arrived;  /* of them, how many are at the output */
};

struct tiled_front { /* packets that may cross next: granted ones of (input, output, class), or a row buffer of (input,
	                column, tiled_front_lane()) */
	struct tiled_list list;
	uint64_t contend; /* when the head is at the tile, if nothing holds it up */
};

/* Instruments, only where the switch's place asked for them (instruments.c). One block of memory:
 * struct tiled_meter [ports] | crossing: struct sw_use [ports][rows] | struct tiled_passed [classes][ports] */
struct tiled_meter { /* of a port */
	struct sw_use bus, mux;
	struct sw_line link;
	struct sw_use input_held, voq_held; /* in this input; for this output, in all inputs: what is gone */
	struct sw_holds input_now, voq_now; /* ... and what is not */
	uint64_t input_most, voq_most;      /* bytes */
	uint64_t no_credit, no_room, limit; /* decisions that let nothing pass, and why */
};

struct tiled_passed { /* sums over the packets of a class that left by one output; ps */
	uint64_t packets, bytes;
	uint64_t total;   /* header's arrival until the first bit leaves = pipeline + wires + the seven waits */
	uint64_t clock;   /* waited for an edge of the switch's clock */
	uint64_t voq;     /* waited to be allowed to ask, or at the head of no queue */
	uint64_t request; /* waited for a grant */
	uint64_t bus;     /* waited for the row bus, or for room in the row buffer */
	uint64_t column;  /* waited for crossbar output and channel; without column buffers for the multiplexer too */
	uint64_t mux;     /* waited in the column buffer */
	uint64_t wire;    /* between tiles */
	uint64_t output;  /* waited for the link */
};

enum tiled_message { TILED_REQUEST, TILED_GRANT, TILED_MESSAGES };

/* A port, as output and as input: what asking, granting and crossing look at in one cache line; the next one goes on
 * with its credits and what is in use, and if they are small the arbiters where packets cross (tiled_derived.in_...).
 * So most packets need two lines of each of their ports. Sets, the grant's arbiters and struct tiled_port_rest follow.
 */
struct tiled_port {
	uint64_t link_busy;
	uint64_t not_before;                 /* the output buffer has no room for a largest packet until then */
	uint64_t flight;                     /* link time of what was granted and has not crossed yet */
	uint64_t mux_busy;                   /* until */
	uint64_t bus_free;                   /* of the input; without row buffers as seen at the tile, `row` later */
	uint64_t message_at[TILED_MESSAGES]; /* of the input: when its row bus can take the next one */
	uint32_t asked_packets;
	uint16_t contenders; /* fronts whose head is at its tile, where there are no buffers on the way */
	uint8_t lane_turn;   /* see tiled_lane_turn(); behind the last lane: the first */
	uint8_t link;        /* index of its link, SW_LINK_TERMINAL for a terminal port */

	uint8_t row, in_row, word; /* as in struct tiled_geometry */
	uint8_t in_row_next;       /* the next one in its row, after the last the first */
	uint32_t column_turn;      /* the column's arbiter, if it is as small */
	uint32_t x, y;             /* of its tile: ps of wire from the first column, and from the first row */
	struct sw_link_end end;
};
_Static_assert(offsetof(struct tiled_port, row) == 64 && sizeof(struct tiled_port) == 88, "a cache line, and 24 bytes");

struct tiled_port_rest {
	struct tiled_list asks, grants; /* of the input: requests, and grants of it, that are later than others of their
	                                   time of origin, in order of arrival */
	uint64_t old_busy;              /* without grants: link_busy when tiled_depth.tick began */
};

/* Of an output, only for routings that look at queues. Those of a switch follow each other: neighbours get
 * several at a time, and routing compares several. */
struct tiled_depth {
	uint64_t tick; /* of the last change, in units of the publish delay */
	/* With grants: asked and not granted; else: in the switch for this output, not yet crossed. When that tick
	 * began */
	uint32_t bytes, old_bytes;
};

struct tiled_crossing { /* a crossbar output with its column channel: (output, row); with column buffers */
	uint64_t busy;
};

struct tiled_column { /* column buffer of (output, row, lane) */
	struct tiled_list list;
	uint32_t room;
	uint32_t kept_for; /* 1 + (input | VC of the input << TILED_PORT_BITS) of the packet that its room is kept for,
	                      which is of the lane's class; 0: none */
};

/* Who has an entry in the agenda, in the order of decisions of one instant: inputs, of messages that were late; then
 * arbiters. */
enum tiled_due {
	TILED_DUE_ASKS,
	TILED_DUE_GRANTS,
	TILED_DUE_GRANT,
	TILED_DUE_BUS,
	TILED_DUE_CROSSBAR,
	TILED_DUE_MUX, /* has an agenda of its own */
	TILED_DUES
};

struct tiled_derived {
	struct tiled_geometry geometry;
	const struct tiled_params *params;
	uint32_t ports;         /* in use: network ports and terminals */
	uint32_t places, words; /* up to the last one in use; of a set of them */
	uint32_t vcs, lanes,
	    group; /* lanes: (class, VC), of links and behind the input; group: VCs per class of routing */
	uint32_t classes;
	bool plain;              /* one class of traffic, without a largest share: a lane is a VC */
	bool ordered;            /* classes are: some goes before another, or is held */
	uint32_t levels;         /* that packets and arbiters have: of order, with grants its levels / steps; 1 if
	                            classes are not ordered */
	uint32_t turns;          /* that a taker has for each of its kinds: one a level, or at the grant one a class */
	uint32_t front_lanes;    /* fronts of an (input, output), or of an input and a column of row buffers */
	struct sw_lanes account; /* of a network port */
	bool grants, fifo, row_buffered, column_buffered;
	bool direct;  /* plain, with grants, no buffers on the way */
	bool claims;  /* ordered, with grants: see classes.c */
	bool alike;   /* packets have one size and need one number of credits: those of a lane all have them, or none */
	bool uniform; /* alike, without a pool; a bus is no slower than a link, a packet's last byte at its tile in
time, and a row's set of inputs is a word */
	bool mixed;   /* packets differ in size: a column buffer's room is kept for one that it does not suffice for */
	bool grant_by_age;        /* both of the grant's arbiters are "age", and have no state */
	bool grant_by_packet;     /* one of them compares what the packet that goes is like: bytes, hops */
	bool reserves;            /* a lane's credits are kept for a packet that they do not suffice for */
	uint32_t rows, row_words; /* rows up to the last one with ports in use; words of a set by rows */
	uint32_t share, terminal_share, most_of_lane; /* share: of a lane, account.reserve; most: and the pool */
	uint32_t max_packet;
	uint64_t most_beats; /* ps: what it takes on a bus */
	uint64_t most_frees; /* ps from when it begins to cross until its credits may leave, its tail in time */
	uint32_t row_room, column_room; /* bytes per lane */
	uint32_t queues, queue_words;   /* of an input, as its bus sees them; words of a set of them */
	uint32_t requests;
	uint64_t period;          /* ps */
	uint64_t edge_reciprocal; /* 2^64 / period, rounded up; 0: nothing waits for clock edges */
	bool trails; /* a packet's last byte may come to its tile later than its beats take; not otherwise, since
	                request and grant take longer than its link does */
	uint64_t column_pitch, row_pitch;
	uint32_t width;
	uint64_t width_reciprocal;                                   /* 2^32 / width, rounded up */
	uint64_t ingress, ask, grant, row, column, egress, pipeline; /* ps; ask: request's; pipeline: all of them */
	uint64_t credit;                                             /* back to the sender, besides the cable */
	uint64_t lead;       /* from a decision until the outside can know of it, besides the cable */
	uint64_t slack;      /* how long after it is due a decision is taken at the latest, less than lead */
	struct sw_hold hold; /* of any output; stop 0: no input keeps credits back, and in_kept is 0 */
	uint64_t hold_delay; /* ps from when a grant is due until what it makes the switch tell may leave */
	uint64_t publish, publish_reciprocal;
	uint64_t bytes_per_ps_q32; /* what a bus carries */
	uint64_t grant_bytes;      /* granted and not yet crossed, of a network output, but for one packet; SIM_NEVER:
	                              no limit */
	struct {
		struct sw_link link; /* sw_common's: beside what is asked for with it */
		uint64_t room;       /* the output buffer, in time on this link */
		uint64_t max_packet; /* the largest packet, likewise */
		int64_t ahead;       /* room - max_packet */
		uint64_t grants;     /* what may be granted and not yet cross, likewise */
		uint64_t bytes_per_ps_q32;
		uint64_t credit_loop; /* tiled_credit_loop() of a largest packet */
		unsigned char
		    fill[128 - 6 * sizeof(uint64_t) - sizeof(struct sw_link)]; /* so that an index is a shift */
	} link[SW_LINK_CLASSES + 1];
	uint64_t request_spacing, grant_spacing; /* ps between messages of an input, or for it */
	bool ages;                               /* of heads that ask are kept */
	const struct base_plugin *grant_arbiter, *grant_column_arbiter, *bus_arbiter, *crossbar_arbiter,
	    *column_arbiter;
	uint32_t weight[TILED_PORTS], row_weight[TILED_ROWS]; /* by place; by row */
	uint32_t quantum;
	enum sw_age age;
	uint64_t created_mask;        /* of sw_packet.created: the time */
	uint8_t class_of[SW_MAX_VCS]; /* of routing: of a VC */
	uint8_t first_lane[256];      /* of a job's class of traffic */
	struct sw_class_order order;
	bool by_packet; /* spread */
	enum tiled_fault fault;
	/* a port's block, and offsets in it (64 bits wide, as addresses: reckoning with them takes fewer
	   instructions) */
	uint64_t port_bytes; /* of the first one at 0 */
	uint64_t in_contend, in_used, in_kept, in_holders, in_asked, in_grant_arbiters, in_grant_column_arbiter,
	    in_crossbar_arbiters, in_column_arbiter, in_buckets, in_waiting, in_rest;
	uint64_t pair_bytes,
	    in_pair_voqs;     /* of (output, input): its front unless row-buffered, its queues with grants */
	uint64_t front_bytes; /* from one to the next */
	/* offsets in tiled_state.rest */
	uint64_t at_pairs, at_voqs, at_fronts, at_rooms; /* at_voqs: of the first pair */
	uint64_t pairs_bytes;                            /* of an output's pairs */
	uint64_t at_turns;                               /* where not plain */
	uint64_t at_depths;                              /* where queues are tracked */
	uint64_t at_ages;                                /* with grants and an arbiter that compares ages */
	uint64_t at_queues, at_busy_queues, at_tile_free, at_bus_arbiters;
	uint64_t at_crossings, at_columns, at_column_heads;
	uint64_t at_agenda, at_muxes;
	uint32_t at_packets, packets; /* those in the block: offset, how many */
	/* numbers of arbiters in the agenda: those of a kind follow each other, by port; of a crossbar by output * rows
	   + row */
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
	uint32_t packets; /* where those in the block end: numbers below; those from there on are in the pool */
	struct sw_pool pool;
	uint32_t trace_bytes;
	bool simple;       /* see tiled_is_simple() */
	bool uniform;      /* simple, and tiled_derived.uniform */
	bool prefetching;  /* as in sw_common */
	uint32_t phase;    /* ps; edges of this switch's clock are so much behind multiples of its period */
	uint64_t to_edge;  /* period - 1 - phase */
	uint32_t entering; /* the input whose packet is being routed: scratch, no part of the state */
	uint64_t due;      /* nothing is due before: likewise, 0 will do */
	/* requests, and without buffers on the way grants, that take the time they take, in order of arrival; of those
	 * that come first, when: all ones if there are none */
	struct tiled_list asks, grants;
	uint64_t asks_at, grants_at;
	uint32_t unasked; /* queues with packets whose request was not sent */
	uint64_t wake_at; /* when the switch will have an event of its own; TILED_NEVER: it has none */
	/* Of requests: when some last came together, and for which outputs (number % 64) several of these may be. */
	struct tiled_company {
		uint64_t at, outputs;
	} company;
	/* Where queues are tracked: in which tick one changed last, and outputs (number % 64) that have a queue now,
	 * and that had one when it began. With more than 64 ports those of which one once had one. */
	struct tiled_queued {
		uint64_t tick, now, then;
	} queued;
	uint32_t outside;     /* packets in the pool */
	uint32_t free, fresh; /* of the block's packets: the one that was given back last, linked by next; numbers from
	                         `fresh` on were never taken */
	unsigned char rest[] __attribute__((aligned(64)));
};

TILED_INLINE struct tiled_port *tiled_port_at(const struct tiled_derived *d, struct tiled_state *s, uint32_t port)
{
	return (struct tiled_port *)(void *)(s->rest + (size_t)port * d->port_bytes);
}

/* The i-th of something in a port's block. */
#define TILED_IN_PORT(type, name, in)                                                                           \
	static inline type *name(const struct tiled_derived *d, struct tiled_state *s, uint32_t port, size_t i) \
	{                                                                                                       \
		return (type *)(void *)(s->rest + (size_t)port * d->port_bytes + d->in) + i;                    \
	}
TILED_IN_PORT(uint32_t, tiled_used_at, in_used) /* [lane] of an input: bytes in its buffer; [0] of a terminal's: all */
TILED_IN_PORT(uint32_t, tiled_kept_at, in_kept) /* [lane] of an input: credits kept back, or SW_LETS_GO */
TILED_IN_PORT(uint16_t, tiled_holder_at, in_holders)  /* [lane] of an output, where lanes may be reserved: 1 + for whom
                                                         it is, 0: it is not. For the input's place; without grants the
                                                         row, or without column buffers the input and its VC */
TILED_IN_PORT(uint64_t, tiled_asked_at, in_asked)     /* [lane][words] of an output: inputs (places) whose request has
                                                         arrived */
TILED_IN_PORT(uint64_t, tiled_contend_at, in_contend) /* [front_lanes][row_words] of an output: inputs whose front's
                                                         head   is for it */
TILED_IN_PORT(struct sw_class_buckets, tiled_buckets_at,
              in_buckets)                             /* [class] of an output, where classes are ordered */
TILED_IN_PORT(uint64_t, tiled_waiting_at, in_waiting) /* [set of ports] of an input with claims: outputs for which it
                                                         has granted packets */
#undef TILED_IN_PORT

/* [sw_account_words()] of an output: its account. */
TILED_INLINE uint32_t *tiled_account_of(struct tiled_port *o)
{
	return (uint32_t *)(void *)(o + 1);
}
TILED_INLINE uint32_t *tiled_credit_at(const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                                       uint32_t lane)
{
	return tiled_account_of(tiled_port_at(d, s, out)) + lane;
}
/* What else is in a port's block, at an offset of d->in_... */
TILED_INLINE void *tiled_in_port(struct tiled_port *o, uint64_t at)
{
	return (unsigned char *)o + at;
}
static inline struct tiled_port_rest *tiled_rest_at(const struct tiled_derived *d, struct tiled_state *s, uint32_t port)
{
	return tiled_in_port(tiled_port_at(d, s, port), d->in_rest);
}

/* Arbiters of an output, at the grant each class's own, behind it each level's. */
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
/* Who takes packets of several lanes, for an output: an input (by its place) at the grant, and where it crosses; a row
 * of column buffers at the multiplexer. */
enum tiled_taker { TILED_TAKER_GRANT, TILED_TAKER_CROSS, TILED_TAKER_MUX, TILED_TAKERS };

/* Of the taker's lanes that ask, the first from here on is the one. Where there are classes each taker has a turn of
 * its own at every level, and for every class at the grant: with one for all, the packets of others would let some
 * class have the turn each time. */
static inline uint8_t *tiled_lane_turn(const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                                       enum tiled_taker kind, uint32_t taker, uint32_t level)
{
	if (sim_likely(d->plain))
		return &tiled_port_at(d, s, out)->lane_turn;
	size_t number = ((size_t)out * TILED_TAKERS + kind) * d->places + taker;
	base_check(taker < d->places && level < d->turns);
	return s->rest + d->at_turns + number * d->turns + level;
}

/* Of an input. */
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
TILED_ARRAY(uint64_t, tiled_age_at, at_ages)   /* [output][lane][place], of the head of a queue that asks: age <<
                                                  TILED_PORT_BITS | place: equal ones go by place */
TILED_ARRAY(uint32_t, tiled_room_at, at_rooms) /* by tiled_front_index(): bytes; with row buffers */
TILED_ARRAY(struct tiled_list, tiled_queue_at, at_queues)   /* [input][queues]; with row buffers */
TILED_ARRAY(uint64_t, tiled_busy_queues_at, at_busy_queues) /* [input][queue_words]: queues with packets */
TILED_ARRAY(uint64_t, tiled_tile_free_at,
            at_tile_free) /* [input][column]: a tile's input is in use until then; with row buffers */
TILED_ARRAY(struct tiled_crossing, tiled_crossing_at, at_crossings) /* [output][row] */
TILED_ARRAY(struct tiled_column, tiled_column_at, at_columns)       /* [output][row][lane]; with column buffers */
TILED_ARRAY(uint64_t, tiled_column_heads_at,
            at_column_heads) /* [output][lane]: rows (bits) with packets there; likewise */
#undef TILED_ARRAY

/* A packet's number is its offset in the block; those outside follow, one by one. */
TILED_INLINE struct tiled_packet *tiled_packet_in_block(struct tiled_state *s, uint32_t i)
{
	return (struct tiled_packet *)(void *)(s->rest + i);
}

TILED_INLINE struct tiled_packet *tiled_packet_at(struct tiled_state *s, uint32_t i)
{
	if (sim_likely(i < s->packets))
		return tiled_packet_in_block(s, i);
	return sw_pool_at(&s->pool, i - s->packets, sizeof(struct tiled_packet) + s->trace_bytes);
}

/* What a function is compiled for, a constant: whatever there is; tiled_is_simple(); simple and tiled_derived.uniform;
 * and with all packets in the block. */
enum tiled_mode { TILED_ANY, TILED_SIMPLE, TILED_UNIFORM, TILED_LEAN };

TILED_INLINE struct tiled_packet *tiled_packet_as(struct tiled_state *s, uint32_t i, enum tiled_mode mode)
{
	base_check(mode != TILED_LEAN || i < s->packets);
	return mode == TILED_LEAN ? tiled_packet_in_block(s, i) : tiled_packet_at(s, i);
}

/* Does a packet of this switch have a trace? */
static inline bool tiled_traced(const struct tiled_state *s)
{
	return s->trace_bytes != 0;
}
static inline struct tiled_trace *tiled_trace_of(struct tiled_packet *p)
{
	return (struct tiled_trace *)(void *)(p + 1);
}
/* Bytes on the link by which it leaves: where links have framing every packet is traced. */
static inline uint32_t tiled_leaving(const struct tiled_state *s, struct tiled_packet *p)
{
	return tiled_traced(s) ? tiled_trace_of(p)->leaving : p->packet.bytes;
}
static inline uint32_t tiled_packet_bytes(const struct tiled_state *s)
{
	return (uint32_t)sizeof(struct tiled_packet) + s->trace_bytes;
}

static inline uint64_t tiled_arrived(const struct tiled_packet *p)
{
	return p->arrived_in >> TILED_PORT_BITS;
}
static inline uint32_t tiled_in(const struct tiled_packet *p)
{
	return p->arrived_in & TILED_PORT_MASK;
}
static inline uint64_t tiled_ready(const struct tiled_packet *p)
{
	return p->ready_out >> TILED_PORT_BITS;
}
static inline uint32_t tiled_out(const struct tiled_packet *p)
{
	return p->ready_out & TILED_PORT_MASK;
}
static inline void tiled_set_ready(struct tiled_packet *p, uint64_t t)
{
	p->ready_out = t << TILED_PORT_BITS | (p->ready_out & TILED_PORT_MASK);
}

/* The VC of a network output; of a terminal's, that of the queues behind the input. */
static inline uint8_t tiled_vc(const struct tiled_packet *p)
{
	return p->packet.vc & 15u;
}
static inline uint8_t tiled_in_vc(const struct tiled_packet *p)
{
	return p->packet.vc >> 4;
}

/* Of the packet's class; a packet keeps its class, so its lanes begin there at the output as at the input. */
TILED_INLINE uint32_t tiled_first_lane(const struct tiled_derived *d, const struct sw_packet *p)
{
	return sim_likely(d->plain) ? 0 : d->first_lane[p->job];
}
TILED_INLINE uint32_t tiled_lane(const struct tiled_derived *d, const struct tiled_packet *p)
{
	return tiled_vc(p) + tiled_first_lane(d, &p->packet);
}
TILED_INLINE uint32_t tiled_in_lane(const struct tiled_derived *d, const struct tiled_packet *p)
{
	return tiled_in_vc(p) + tiled_first_lane(d, &p->packet);
}
static inline uint32_t tiled_class(const struct tiled_derived *d, const struct tiled_packet *p)
{
	return tiled_first_lane(d, &p->packet) / d->vcs;
}

/* Room for a packet, of which *p gets the address; its image is saved in TILED_ANY. What was given
 * back last is in the cache. */
TILED_INLINE uint32_t tiled_take(struct sim_ctx *ctx, struct tiled_state *s, struct tiled_packet **p,
                                 enum tiled_mode mode)
{
	uint32_t i = s->free, fresh = s->fresh;
	bool again = i != TILED_NONE;
	if (sim_unlikely(!again && fresh >= s->packets)) {
		void *record;
		i = sw_pool_take_record(ctx, &s->pool, tiled_packet_bytes(s), &record);
		sim_set(ctx, &s->outside, s->outside + 1);
		if (s->pool.free != SW_POOL_NONE)
			base_prefetch_write(sw_pool_at(&s->pool, s->pool.free, tiled_packet_bytes(s)));
		*p = record;
		return s->packets + i;
	}
	i = again ? i : fresh;
	*p = tiled_packet_in_block(s, i);
	base_check(i < s->packets && i <= fresh);
	if (mode == TILED_ANY) {
		sim_save(ctx, *p, sizeof **p);
		sim_save(ctx, &s->free, sizeof s->free + sizeof s->fresh);
	}
	if (sim_likely(again)) {
		s->free = (*p)->next;
		base_prefetch_write(tiled_packet_in_block(s, s->free)); /* if there is one */
	} else
		s->fresh = i + (uint32_t)sizeof **p;
	return i;
}

/* Number i, which is *p, is free. */
TILED_INLINE void tiled_give(struct sim_ctx *ctx, struct tiled_state *s, uint32_t i, struct tiled_packet *p,
                             enum tiled_mode mode)
{
	if (mode != TILED_LEAN && sim_unlikely(i >= s->packets)) {
		sw_pool_give(ctx, &s->pool, i - s->packets, tiled_packet_bytes(s));
		sim_set(ctx, &s->outside, s->outside - 1);
		return;
	}
	base_checkf(i < s->fresh && i != s->free, "packet %u is given back, %u is free", i, s->free);
	if (mode == TILED_ANY) {
		sim_save(ctx, &p->next, sizeof p->next);
		sim_save(ctx, &s->free, sizeof s->free);
	}
	p->next = s->free;
	s->free = i;
}

/* The queue among those at a tile's input that a packet takes: of its class, or with row buffers that of its lane. What
 * waits in a row buffer was in one input buffer before, that of its lane: so it waits for nothing that this buffer did
 * not wait for, and the proof of freedom from deadlock, which knows links and VCs only, holds. Granted packets wait for
 * nothing: theirs are by the lane they go on with. */
static inline uint32_t tiled_front_lane(const struct tiled_derived *d, const struct tiled_packet *p)
{
	if (!d->row_buffered)
		return tiled_class(d, p);
	return d->grants ? tiled_lane(d, p) : tiled_in_lane(d, p);
}

static inline size_t tiled_front_index(const struct tiled_derived *d, uint32_t in, uint32_t out, uint32_t lane)
{
	return (d->row_buffered ? (size_t)in * d->geometry.columns + d->geometry.column[out]
	                        : (size_t)out * d->ports + in) *
	           d->front_lanes +
	       lane;
}

/* The k-th front of an input. */
static inline size_t tiled_front_of(const struct tiled_derived *d, uint32_t in, uint32_t k)
{
	if (d->row_buffered)
		return (size_t)in * d->geometry.columns * d->front_lanes + k;
	return ((size_t)(k / d->front_lanes) * d->ports + in) * d->front_lanes + k % d->front_lanes;
}

/* Fronts of an input. */
static inline uint32_t tiled_fronts(const struct tiled_derived *d)
{
	return (d->row_buffered ? d->geometry.columns : d->ports) * d->front_lanes;
}

#endif

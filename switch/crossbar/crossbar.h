/* switch/crossbar/crossbar.h - internals of switch/crossbar/: a cycle-accurate input-queued switch with virtual
 * channels. Only files of that folder include it.
 *
 * Time is divided into internal cycles of `cycle / speedup`, which start at multiples of this length at every switch. A
 * switch's step at the start of a cycle is one event, after all arrivals of that instant. A switch that can only wait
 * for an arrival schedules no step; one that knows the time of its next possible action (for example when a packet has
 * crossed) schedules its next step for that time.
 *
 * A packet's path, in internal cycles unless stated otherwise:
 *   arrival -> routing_delay -> (VC allocation, one step, then vc_alloc_delay)
 *           -> switch allocation, one step, then sw_alloc_delay
 *           -> st_delay -> the next multiple of `cycle` -> output queue -> link.
 * So with all delays at their defaults, a packet that arrives at an idle switch starts to leave 3 cycles later with
 * inputs = "vc" (as does a flit in BookSim's iq router), and 2 cycles later with "fifo" or "voq", which need no VC
 * allocation.
 *
 * Flow control is virtual cut-through: a packet of n flits holds its crossbar input and output for n internal cycles;
 * it is granted only if there are credits for the whole packet, and not before it can cross without a gap. Credits of
 * all its flits return when its last flit has left the buffer.
 *
 * Numbering: port p consists of input p and output p; network ports come first. A lane is (traffic class, VC), as in
 * switch/lanes.h. Routing chooses VC classes, at most as many as VCs. A group is (traffic class, VC class): its packets
 * may use lanes first_lane[group] .. first_lane[group + 1] - 1. An input has one queue for each lane (fifo, vc), or for
 * each pair of output and group (voq).
 *
 * If traffic classes have priorities or shares (switch/classes.h), switch allocation is done level by level: first only
 * packets of the highest level at their output make requests, then, for inputs and outputs that are still free, those
 * of the next. */
#ifndef SWITCH_CROSSBAR_H
#define SWITCH_CROSSBAR_H

#include "switch/crossbar/allocator.h"
#include "switch/pool.h"
#include "switch/switch.h"

#define XBAR_TICK (SW_EVENT_FIRST + 0)
#define XBAR_PHASE 4u /* of the step: after the network's arrivals */

/* tests/switch/test_crossbar_mutants.c builds these files with one fault each, to verify that the invariants detect
 * it. */
#ifndef XBAR_FAULT
#define XBAR_FAULT 0
#endif
enum { XBAR_FAULT_NONE, XBAR_FAULT_NO_CREDIT, XBAR_FAULT_LOST_QUEUE, XBAR_FAULT_TWICE, XBAR_FAULT_LEAK };

enum xbar_inputs { XBAR_FIFO, XBAR_VOQ, XBAR_VC };

struct xbar_params {
	int inputs, age;
	struct base_named allocator, arbiter;
	struct base_ints weights;
	int64_t iterations, vcs, injection_vcs, ejection_vcs;
	bool any_vc;
	uint64_t buffer, terminal_buffer; /* bytes per port */
	uint64_t cycle;                   /* ps */
	double speedup, shared_pool, pool_threshold;
	int64_t input_speedup, output_speedup;
	int64_t routing_delay, vc_alloc_delay, sw_alloc_delay, st_delay, credit_delay;
	uint64_t flit;         /* bytes */
	uint64_t quantum;      /* bytes, 0: the largest packet */
	int64_t output_buffer; /* flits per port, 0: no limit */
};

struct xbar_packet {   /* in a buffer */
	uint32_t next; /* first: also the free list */
	uint16_t in_port, out;
	uint8_t in_lane, slack, group, waited;
	uint32_t flits;
	uint32_t leaving;          /* bytes on its outgoing link */
	uint64_t arrived, gapless; /* gapless: earliest time at which it crosses without a gap */
	struct sw_packet packet;
};

/* Stages of the packet at the head of a queue. XBAR_HOLDS_LANE, only with fifo and voq inputs: the packet won switch
 * allocation without credits for all of its bytes, and queue->lane is reserved for it. */
enum xbar_stage { XBAR_WANTS_VC, XBAR_WANTS_SWITCH, XBAR_HOLDS_LANE };

struct xbar_queue { /* undefined while its bit in xbar_input.nonempty is clear, except `turn` and `at` */
	uint32_t head, tail;
	uint64_t at;   /* earliest time of the head's next stage */
	uint16_t turn; /* VC allocation: the lane (over all outputs) to prefer */
	uint8_t stage, lane;
	uint32_t spare;
};

struct xbar_input {
	struct sw_link_end end;
	uint8_t next_vc; /* terminals: the VC after the last packet's */
	uint8_t spare[7];
	/* The struct is followed by: uint64_t nonempty[queue_words], uint64_t free_at[input_speedup], uint32_t
	 * first_queue[kinds][input_speedup], used[lanes.n] */
};

struct xbar_output {
	uint64_t busy_until;
	uint64_t bytes; /* routed to this output and not granted yet */
	uint64_t ps_to_bytes_q32;
	struct sw_link_end end;
	/* The struct is followed by: uint64_t free_at[output_speedup], uint64_t lane_free_at[lanes.n], uint32_t
	 * credits[sw_account_words()], uint16_t lane_turn[lanes.n]; with ordered classes also struct sw_class_buckets
	 * [lanes.classes] */
};

/* Readings of instruments; they exist only if the configuration requests instruments for the switch (instruments.c).
 * One block of memory: struct xbar_meter [ports], then struct xbar_passed [traffic classes][ports]. */
struct xbar_meter { /* per port */
	struct sw_use input, output;
	struct sw_line link;
	struct sw_use input_held, voq_held; /* in this input; for this output, in all inputs: packets that have left */
	uint64_t input_most, input_now;     /* bytes */
};

struct xbar_passed { /* sums, in ps, over the packets of a class that left by one output */
	uint64_t packets, bytes, total, queue, crossbar;
};

struct xbar_state {
	struct sw_pool pool;
	struct xbar_meter *meters; /* NULL: no instruments */
	const struct xbar *x;      /* for queue_bytes and used_credits, which get only the state */
	uint32_t id, net_ports, ports;
	uint32_t count;              /* of steps: random numbers */
	uint64_t tick_at;            /* when the next step is due, SIM_NEVER: asleep */
	uint64_t busy[SW_SET_WORDS]; /* inputs with packets */
	unsigned char rest[] __attribute__((aligned(8)));
};

/* Scratch memory of a step with ordered classes. Inputs and outputs are numbered as in the allocator. */
struct xbar_claims {
	uint64_t inputs[SW_SET_WORDS];  /* claimed by packets of higher levels */
	uint64_t outputs[SW_SET_WORDS]; /* for these */
	uint64_t waited[SW_SET_WORDS];  /* outputs that packets of this level wait for, ... */
	uint64_t since[SW_SET_PORTS];   /* ... the earliest start of these waits, ... */
	uint16_t input[SW_SET_PORTS];   /* ... and the input */
};

struct xbar {
	const struct xbar_params *p;
	enum xbar_inputs inputs;
	bool mixed;            /* packets differ in size */
	bool shares_lanes;     /* vc: VC allocation divides outputs' bytes equally, instead of packets */
	bool reserves;         /* fifo, voq: a lane is reserved for a packet whose credits do not suffice */
	uint64_t cycle, step;  /* ps; step: the internal cycle */
	uint64_t created_mask; /* of sw_packet.created: the time */
	uint32_t flit, terminal_share, most_of_lane; /* most_of_lane: bytes in a network port */
	struct sw_lanes lanes; /* of a network port; a terminal's buffer is terminal_share bytes */
	bool plain;         /* one traffic class, without a maximum, and no pool: neither lanes by class nor levels */
	bool departs_apart; /* with framing, or lanes and link-level retry: see framed_departure() */
	uint32_t plain_reserve; /* credits of a lane in that case, else 0 */
	uint32_t vc_classes, groups;
	struct sw_class_order order;
	uint32_t kinds; /* matchings, each with its own arbiters: one per class; 1 if order is not used */
	uint32_t ports, queues, queue_words; /* maximum over all switches */
	uint32_t xin, xout;                  /* input_speedup, output_speedup */
	uint32_t injection_vcs, ejection_vcs;
	uint8_t first_lane[SW_MAX_LANES + 1], vc_class_of[SW_MAX_LANES];
	uint64_t flit_time[SW_LINK_CLASSES + 1]; /* on a link */
	uint64_t comes_in[SW_LINK_CLASSES + 1];  /* the same of a flit that arrives */
	uint32_t input_bytes, output_bytes;
	uint32_t in_free_at, in_first_queue, in_used, out_lane_free_at, out_credits, out_lane_turn,
	    out_buckets;                                                      /* offsets within an output */
	uint32_t at_outputs, at_queues, at_allocator, allocator_bytes, bytes; /* allocator_bytes: per matching */
	uint32_t at_deficits; /* shares_lanes: uint32_t [outputs][ports * lanes], as of the arbiter "drr" */
	struct sw_allocator allocator;
	uint32_t *weight;
	/* The following members are scratch memory of one step. */
	struct sw_allocator_work work;
	uint16_t *label;   /* [ports * xin][ports * xout] the requesting queue */
	uint16_t *winner;  /* [ports * lanes.n] VC allocation: best requester of an output lane */
	uint32_t *touched; /* [ports * lanes.n] */
	struct xbar_claims claims;
};

static inline struct xbar_input *xbar_input_at(const struct xbar *x, struct xbar_state *s, uint32_t i)
{
	return (struct xbar_input *)(void *)(s->rest + (size_t)i * x->input_bytes);
}
static inline struct xbar_output *xbar_output_at(const struct xbar *x, struct xbar_state *s, uint32_t o)
{
	base_checkf(o < s->ports, "output %u of %u", o, s->ports);
	return (struct xbar_output *)(void *)(s->rest + x->at_outputs + (size_t)o * x->output_bytes);
}
static inline struct xbar_queue *xbar_queue_at(const struct xbar *x, struct xbar_state *s, uint32_t i, uint32_t q)
{
	base_checkf(i < s->ports && q < x->queues, "input %u of %u, queue %u of %u", i, s->ports, q, x->queues);
	return (struct xbar_queue *)(void *)(s->rest + x->at_queues) + (size_t)i * x->queues + q;
}
static inline uint64_t *xbar_nonempty(struct xbar_input *in)
{
	return (uint64_t *)(void *)(in + 1);
}
static inline uint64_t *xbar_in_free_at(const struct xbar *x, struct xbar_input *in)
{
	return (uint64_t *)(void *)((unsigned char *)in + x->in_free_at);
}
/* The queue of crossbar input xi of a port that is first in cyclic order, for each kind of matching. */
static inline uint32_t *xbar_first_queue(const struct xbar *x, struct xbar_input *in, uint32_t xi, uint32_t kind)
{
	return (uint32_t *)(void *)((unsigned char *)in + x->in_first_queue) + kind * x->xin + xi;
}
static inline uint32_t *xbar_used(const struct xbar *x, struct xbar_input *in)
{
	return (uint32_t *)(void *)((unsigned char *)in + x->in_used);
}
static inline uint64_t *xbar_out_free_at(struct xbar_output *out)
{
	return (uint64_t *)(void *)(out + 1);
}
static inline uint64_t *xbar_lane_free_at(const struct xbar *x, struct xbar_output *out)
{
	return (uint64_t *)(void *)((unsigned char *)out + x->out_lane_free_at);
}
static inline uint32_t *xbar_credits(const struct xbar *x, struct xbar_output *out)
{
	return (uint32_t *)(void *)((unsigned char *)out + x->out_credits);
}
static inline uint16_t *xbar_lane_turn(const struct xbar *x, struct xbar_output *out)
{
	return (uint16_t *)(void *)((unsigned char *)out + x->out_lane_turn);
}
static inline uint32_t *xbar_deficit(const struct xbar *x, struct xbar_state *s, uint32_t out, uint32_t requester)
{
	return (uint32_t *)(void *)(s->rest + x->at_deficits) + (size_t)out * x->ports * x->lanes.n + requester;
}
static inline struct xbar_packet *xbar_packet_at(struct xbar_state *s, uint32_t i)
{
	return sw_pool_at(&s->pool, i, sizeof(struct xbar_packet));
}
/* Returns the link class of an output, an index in sw_common.link. */
static inline uint32_t xbar_link(const struct xbar_state *s, const struct xbar_output *o, uint32_t out)
{
	return out < s->net_ports ? o->end.link_class : SW_LINK_TERMINAL;
}
/* The first multiple of `unit` at or after t. */
static inline uint64_t xbar_align(uint64_t t, uint64_t unit)
{
	uint64_t r = t % unit;
	return r ? t + unit - r : t;
}
static inline struct sw_class_buckets *xbar_buckets(const struct xbar *x, struct xbar_output *out)
{
	return (struct sw_class_buckets *)(void *)((unsigned char *)out + x->out_buckets);
}
/* The argument `plain` of functions here and in step.c is x->plain or false. It is a compile-time constant in hot
 * paths. */
#define XBAR_INLINE static inline __attribute__((always_inline))
/* The first lane, and the end of the lanes, of an output that packets of a group may use: the group's own lanes or, at
 * a terminal output, all lanes in use of the group's traffic class. */
XBAR_INLINE uint32_t xbar_first_lane(const struct xbar *x, const struct xbar_state *s, uint32_t out, uint32_t group,
                                     bool plain)
{
	if (out < s->net_ports)
		return x->first_lane[group];
	return plain ? 0 : group / x->vc_classes * x->lanes.vcs;
}
XBAR_INLINE uint32_t xbar_end_lane(const struct xbar *x, const struct xbar_state *s, uint32_t out, uint32_t group,
                                   bool plain)
{
	if (out < s->net_ports)
		return x->first_lane[group + 1];
	return (plain ? 0 : group / x->vc_classes * x->lanes.vcs) + x->ejection_vcs;
}
XBAR_INLINE bool xbar_fits(const struct sw_common *c, const struct xbar *x, struct xbar_output *out, uint32_t lane,
                           const struct xbar_packet *k, bool plain)
{
	uint32_t *credits = xbar_credits(x, out), bytes = k->leaving;
	if (XBAR_FAULT == XBAR_FAULT_NO_CREDIT)
		return sw_lane_fits(&x->lanes, credits, lane, bytes) || out->bytes % 3 == 0;
	bytes += k->slack & ~SW_MAY_TURN ? c->max_packet : 0;
	return plain ? credits[lane] >= bytes : sw_lane_fits(&x->lanes, credits, lane, bytes);
}

/* Does a packet hold the lane, after VC allocation or because the lane is reserved for it? */
static inline bool xbar_is_held(const struct xbar *x, struct xbar_output *out, uint32_t lane)
{
	return xbar_lane_free_at(x, out)[lane] == SIM_NEVER;
}

/* heads.c, step.c */
void xbar_packet_in(struct sw_call *call, uint32_t in_port, struct sw_packet *p);
void xbar_credit_in(struct sw_call *call, uint32_t out, uint8_t vc, uint32_t bytes);
void xbar_event(struct sw_call *call, const struct sim_event *event);

/* Functions of classes.c. xbar_lane_of() returns the lane of a packet on a VC. xbar_set_class() sets the group of a
 * packet according to its class; on entry it is the group of the first class with the same VC class. */
uint8_t xbar_lane_of(const struct sw_common *c, const struct sw_packet *p, uint32_t vc);
void xbar_set_class(const struct sw_common *c, struct xbar_packet *k);
/* Only with ordered classes. Does the packet at the head of a queue, at port i and crossbar input xi, make a request in
 * the round for this class and level? may: it could leave now. If its class is held, *next is lowered to the time until
 * which it is. */
bool xbar_asks(const struct sw_call *call, const struct xbar_queue *queue, uint32_t i, uint32_t xi,
               const struct xbar_packet *k, uint32_t class, uint32_t level, bool may, uint64_t *next);
/* Writes the classes of packets at heads of queues in random order, class[SW_MAX_CLASSES], and returns their number.
 * The order decides which of several classes on one level, which request different outputs, gets an input that they
 * share. */
uint32_t xbar_shuffled_classes(const struct sw_call *call, uint8_t *class);
/* xbar_claims_begin() is called before a step's first round, xbar_claims_settle() after the rounds of all levels that
 * differ only by tags (ahead or behind). */
void xbar_claims_begin(struct xbar *x);
void xbar_claims_settle(struct xbar *x);
/* Charges a packet, which has been granted its output, to its traffic class (sw_class_pay()). */
void xbar_pay(const struct sw_call *call, struct xbar_output *o, const struct xbar_packet *k);

/* Functions of instruments.c. Those with a `call` argument must only be called if s->meters is not NULL. */
size_t xbar_meter_bytes(const struct sw_common *c);
void xbar_meter_arrive(struct sw_call *call, struct xbar_state *s, uint32_t in, uint32_t bytes);
void xbar_meter_pass(struct sw_call *call, struct xbar_state *s, const struct xbar_packet *k, uint64_t start,
                     uint64_t finish);
void xbar_read_instruments(const struct sw_common *c, const void *state, const struct sw_instruments *table,
                           uint64_t *words);
#define XBAR_INSTRUMENTS 11u
extern const struct sw_instrument xbar_instruments[];

/* crossbar_parameters.c */
extern const struct base_param xbar_parameters[];
extern const struct base_condition xbar_conditions[];
enum sw_allocator_takes xbar_takes(const struct xbar_params *p);
bool xbar_takes_arbiters(const struct xbar_params *p); /* the separable allocators, of the built-in */

#endif

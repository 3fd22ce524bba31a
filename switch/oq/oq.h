/* switch/oq/oq.h - the output-queued switch: the reference switch of data-centre congestion control.
 *
 * The switch is store-and-forward, with a fixed latency from the arrival of a packet's last bit to its output queue and
 * one queue per port. It has no input buffers, no crossbar and no credits: every packet sent is accepted. An output
 * queue is composite (Handley et al., Re-architecting datacenter networks and stacks for low latency and high
 * performance, SIGCOMM 2017):
 *
 *     low    data, at most `buffer` bytes
 *     high   packets that were trimmed to their headers, at most twice that, served first
 *
 * If the queue `low` is full when a data packet arrives, the victim is, with probability 1/2 each, the arriving packet
 * or the youngest data in the queue, which the arriving packet then replaces. A victim is trimmed, or dropped (without
 * `trim`, or if high is full). Whether a packet is marked is decided when it starts to leave, from the bytes of data
 * behind it. A packet counts in the queue's bytes until its last bit has left.
 *
 * With `pfc` nothing is dropped. For each port the switch counts the bytes that arrived by it and are still here, from
 * the arrival of a packet's last bit until the packet starts to leave; if there are too many, the port's sender is
 * paused, and it resumes when there are fewer (pause.c). Packets that arrive before the pause takes effect use a
 * headroom, and a network whose headroom could overflow is refused.
 *
 * With `pfc` and traffic classes that are not lossless (sw_common.lossy_classes) an output has both kinds of queues:
 * low and high for data of these classes and their headers, as without pfc, and
 *
 *     kept   data of lossless classes, without a limit
 *
 * A pause blocks `kept` only; bytes of the other classes are in a memory of their own (key `buffer`) and do not count
 * towards a port's threshold. While packets wait in both queues, `low` and `kept` share the link equally, by bytes.
 * Only packets in `kept` wait for a paused link, so the other classes cannot be part of a cycle of waiting packets.
 *
 * The queues have a clock of their own. The latency is constant, so packets reach the queues in the order of the calls
 * of packet_in(). Without pfc a queue's actions at time t + latency depend only on arrivals up to t, and are executed
 * in the event at t: the queues' clock is ahead of the events' clock by `ahead` = latency. So a packet whose output is
 * idle needs no event of the switch's own, a packet that waits needs one event, and every departure is certain one
 * latency in advance. With pfc a pause may arrive until the instant of a departure; so the two clocks are equal (ahead
 * = 0), and packets wait in a list while the latency passes.
 *
 * Invariants: bytes[] are the sums over the lists; every output that has a packet to send and is not paused has an
 * event pending; `used` of an input is the sum over its packets in all lists. */
#ifndef SWITCH_OQ_OQ_H
#define SWITCH_OQ_OQ_H

#include "switch/pool.h"
#include "switch/switch.h"

#define OQ_DEPARTURE SW_EVENT_FIRST /* aux: the output */

struct oq_params {
	uint64_t latency, buffer;
	bool trim, ecn, pfc;
	bool some_lost; /* not a key: some traffic class has lossless = false, see sw_ops.classes.lossless */
	uint64_t trim_bytes;
	uint64_t ecn_kmin, ecn_kmax;
	double ecn_pmax;
	uint64_t pfc_pause, pfc_resume, pfc_buffer, pfc_reserve, pfc_offset, pfc_headroom;
	int64_t pfc_shift;
};

enum oq_level { OQ_LOW, OQ_HIGH, OQ_KEPT, OQ_LEVELS };

struct oq_packet {
	uint32_t next, prev; /* of its list; SW_POOL_NONE at the ends */
	uint64_t arrived;    /* ps: its last bit */
	uint16_t in_port, spare[3];
	struct sw_packet packet;
};
_Static_assert(sizeof(struct oq_packet) == 64, "one cache line");

struct oq_list {
	uint32_t head, tail;
};

struct oq_output {
	struct sw_link_end end;
	uint64_t free_at;                /* ps: when the link is free, including the gap after the last frame */
	uint64_t gap;                    /* ps: that gap */
	uint64_t wake;                   /* by the queues' clock: time of the pending event; SIM_NEVER: none */
	struct oq_list queue[OQ_LEVELS]; /* in order of arrival */
	struct oq_list coming;           /* with pfc: packets on their way to the queue */
	uint32_t bytes[OQ_LEVELS];       /* waiting in queue[] */
	uint32_t leaving[OQ_LEVELS];     /* of the frame whose transmission started last, by its level */
	uint32_t coming_bytes;           /* bytes in `coming` */
	uint32_t peak;                   /* maximum bytes in the queue */
	uint8_t paused;                  /* by the other end: 0, or the depth of its pause (pause.c), at most 255 */
	uint8_t spare[3];
	int32_t turn;       /* bytes that kept has sent more than low since both have waited: at most a packet */
	uint64_t paused_at; /* start of the pause */
};

struct oq_input {                      /* with pfc */
	uint32_t used;                 /* bytes that arrived by this port and have not started to leave ... */
	uint32_t headroom;             /* ... those of them that arrived after the pause */
	uint32_t peak;                 /* maximum of `headroom` */
	uint32_t paused;               /* its sender has been paused ... */
	uint64_t paused_at, paused_ps; /* ... since when; and in total, for pauses that have ended */
	uint64_t pauses;               /* number of pauses */
};

struct oq_passed { /* per traffic class and output */
	uint64_t packets, bytes, total, queue;
};

struct oq_meter {                      /* per port */
	struct sw_line link, held;     /* held: in its queue, for packets that have left */
	struct sw_use paused, pausing; /* for pauses that have ended */
	uint64_t marks, trims, drops;
};

struct oq {
	const struct oq_params *p;
	uint32_t ports;
	uint64_t ahead; /* ps: how far the queues' clock is ahead */
	uint64_t bytes_per_ps_q32[SW_LINK_CLASSES + 1];
	bool mixed;                             /* pauses apply to some classes only: OQ_KEPT is used */
	uint32_t limit[OQ_LEVELS];              /* bytes; UINT32_MAX: for lossless data */
	uint32_t kmin, kmax;                    /* bytes behind a departing packet */
	uint64_t steepness;                     /* probability of a mark per byte above kmin, 63 fractional bits */
	uint32_t pause, resume;                 /* bytes; pause = 0: the dynamic threshold */
	uint32_t reserve, offset;               /* of the dynamic threshold */
	uint64_t shared;                        /* bytes of the switch minus reserves and headrooms */
	uint32_t headroom[SW_LINK_CLASSES + 1]; /* bytes of a port, by its link */
	uint32_t at_inputs, bytes;              /* in oq_state.rest */
};

struct oq_state {
	struct sw_pool pool;
	const struct oq *x;
	/* Struct oq_meter [ports], struct oq_passed [classes][ports]; NULL: without instruments. */
	unsigned char *meters;
	uint32_t id, net_ports, ports, spare;
	uint64_t shared_used; /* the journal saves from here on: with the dynamic threshold, bytes above the reserves */
	uint64_t marks, trims, drops, deepest;
	unsigned char rest[]; /* outputs | inputs */
};

static inline struct oq_output *oq_output_at(struct oq_state *s, uint32_t out)
{
	base_checkf(out < s->ports, "output %u of %u", out, s->ports);
	return (struct oq_output *)(void *)s->rest + out;
}
static inline struct oq_input *oq_input_at(struct oq_state *s, uint32_t in)
{
	base_checkf(in < s->ports && s->x->p->pfc, "input %u of %u", in, s->ports);
	return (struct oq_input *)(void *)(s->rest + s->x->at_inputs) + in;
}
static inline struct oq_packet *oq_packet_at(const struct oq_state *s, uint32_t i)
{
	return sw_pool_at(&s->pool, i, sizeof(struct oq_packet));
}
static inline struct oq_meter *oq_meter_at(const struct oq_state *s, uint32_t port)
{
	return (struct oq_meter *)(void *)s->meters + port;
}
/* Returns the class of the link at a port, an index in sw_common.link. */
static inline unsigned oq_link(struct oq_state *s, uint32_t port)
{
	return port < s->net_ports ? oq_output_at(s, port)->end.link_class : SW_LINK_TERMINAL;
}
/* Returns the bytes in one level of an output's queue at time `at` of the queues' clock: those that wait, and those of
 * the packet whose last bit has not left yet. */
static inline uint32_t oq_held(struct oq_state *s, uint32_t out, enum oq_level level, uint64_t at)
{
	const struct oq_output *o = oq_output_at(s, out);
	return o->bytes[level] + (o->free_at > at + o->gap ? o->leaving[level] : 0);
}

/* Bytes of all levels. */
static inline uint64_t oq_waiting(const struct oq_output *o)
{
	return (uint64_t)o->bytes[OQ_LOW] + o->bytes[OQ_HIGH] + o->bytes[OQ_KEPT];
}
/* Only with pfc: is the packet lossless, so that pauses block it, and its bytes count towards the thresholds that cause
 * pauses? */
static inline bool oq_is_kept(const struct sw_common *c, const struct sw_packet *p)
{
	return !sw_may_lose(c, p);
}
/* The priority level at which a packet waits in an output queue. */
static inline enum oq_level oq_level_of(const struct sw_common *c, const struct oq *x, const struct sw_packet *p)
{
	if (p->injected & SW_MARK_TRIMMED)
		return OQ_HIGH;
	return sim_unlikely(x->mixed) && oq_is_kept(c, p) ? OQ_KEPT : OQ_LOW;
}

/* build.c: derived constants. */
int oq_build(struct sw_common *c, struct base_errors *errors);

/* queue.c */
void oq_packet_in(struct sw_call *call, uint32_t in_port, struct sw_packet *p);
void oq_event(struct sw_call *call, const struct sim_event *event);
/* Sends the packets of the output that can leave at call->now. */
void oq_serve(struct sw_call *call, uint32_t out);

/* pause.c, with pfc */
/* Called when a packet for which oq_is_kept() is true has arrived, or starts to leave. */
void oq_pause_arrive(struct sw_call *call, uint32_t in_port, uint32_t bytes);
void oq_pause_leave(struct sw_call *call, uint32_t in_port, uint32_t bytes);
void oq_control_in(struct sw_call *call, uint32_t out, uint64_t word);

/* Functions of instruments.c. oq_meter_pass() and oq_meter_pause() must only be called if s->meters is not NULL. */
size_t oq_meter_bytes(const struct sw_common *c);
void oq_meter_pass(struct sw_call *call, struct oq_state *s, uint32_t out, const struct oq_packet *k, uint32_t bytes,
                   uint64_t start, uint64_t finish);
void oq_meter_pause(struct sw_call *call, struct sw_use *use, uint64_t since);
void oq_read_instruments(const struct sw_common *c, const void *state, const struct sw_instruments *table,
                         uint64_t *words);
#define OQ_INSTRUMENTS 16u
extern const struct sw_instrument oq_instruments[];

#endif

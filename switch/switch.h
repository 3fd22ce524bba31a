/* switch/switch.h - what is inside one switch, behind one interface.
 *
 * A switch model sees ports, not a topology: network ports 0 .. net_ports-1, each an output towards a peer's input and
 * an input from it, then terminal ports net_ports .. net_ports+terminals-1. Its host (network/) tells it of packets and
 * credits that arrive; it asks its host for a route when its pipeline reaches that stage, and tells its host what
 * leaves and when.
 *
 * Flow control is by credits in bytes, per (network output, lane): a lane is a traffic class's share of a VC
 * (switch/lanes.h), and with one class, or a model without lanes by class (sw_ops.classes.lanes), just the VC. The
 * input buffer of a port is divided equally among the lanes, but for what they may share. A terminal output needs no
 * credit: endpoints accept what arrives. A packet on a link carries its VC, and its class says the rest; credits carry
 * the lane.
 *
 * What the proof of freedom from deadlock (routing/, network/checks/deadlock.c) asks of a model: its graph has the
 * buffers of (input, VC) as nodes, so a packet may only wait, directly or behind others of its queue, for what some
 * packet of its own (input, VC) buffer asks for: an output and VC that routing has named for one of them. A queue
 * inside the switch may therefore hold packets of several inputs or VCs only where all of them ask for the same
 * (output, VC), or where what is in it needs nothing more downstream. tests/cli/stalls.sh tries that for every kind of
 * switch here. With several classes all this is said of lanes, and the proof holds for each class alone.
 *
 * All state of a switch lies in one block of `state_bytes`, plus memory it allocates itself; both are changed through
 * the journal only (sim/sim.h). A model may send itself events of kinds SW_EVENT_FIRST and up through sim_send: they
 * come back in event(). */
#ifndef SWITCH_SWITCH_H
#define SWITCH_SWITCH_H

#include "base/error.h"
#include "base/plugin.h"
#include "sim/sim.h"
#include "switch/classes.h"
#include "switch/hold.h"
#include "switch/instruments.h"
#include "switch/lanes.h"
#include "switch/link.h"
#include "switch/packet.h"

#include <stdbool.h>
#include <stdint.h>

#define SW_EVENT_FIRST 24u /* event kinds from here on belong to the switch model */
#define SW_MAY_TURN 0x80u  /* a slack: the packet goes this way at once, with credits for it, or by turn() */

/* The same for all switches of a network. */
struct sw_common {
	const struct sw_ops *ops;
	const void *params;
	uint32_t vcs;          /* of a link */
	uint32_t route_vcs;    /* VC numbers that routing gives: 0 .. route_vcs-1; those from `vcs` on become vcs-1 */
	struct sw_lanes lanes; /* buffers of a port, each with its credits; build() sets their sizes: sw_lanes_size() */
	bool
	    creditless; /* build() sets it: links have no credits, whatever is sent is taken in, then kept or dropped */
	bool marks;     /* build() sets it: packets may get SW_MARK_ECN */
	bool flow_channels; /* build() sets it: flows are distinguished, see switch/flows.h */
	bool lossy;         /* build() sets it: packets may be dropped or trimmed. Only a creditless model's are */
	bool trims;         /* build() sets it: packets may get SW_MARK_TRIMMED */
	/* Classes of traffic (bits) whose packets a model with sw_ops.classes.lossless loses rather than hold them
	 * back, beside others that it does not lose; 0: all are alike. Set before build(). */
	uint32_t lossy_classes;
	uint32_t max_hops;               /* links from switch to switch of the longest route */
	bool unsafe;                     /* the user has asked for a routing that may deadlock */
	uint64_t seed;                   /* for models that draw: sim/rng.h, SIM_DRAW_SWITCH, stream = switch */
	uint32_t min_packet, max_packet; /* bytes, over all traffic and links: no frame is smaller, none larger */
	uint32_t max_net_ports, max_terminals;
	uint32_t max_ports;          /* of one switch, its terminals among them: no more than the sum of these */
	bool track_queues;           /* routing will ask queue_bytes */
	bool count_credits;          /* routing will ask used_credits; never with track_queues */
	bool record_queues;          /* host_ops.queued is wanted */
	bool bubble;                 /* routing may ask for slack */
	bool may_turn;               /* routing may say SW_MAY_TURN */
	bool one_rate;               /* all links, terminals' too, have the same bandwidth and framing */
	bool framed;                 /* links have framing; else header, gap and the like are 0 */
	bool reframes;               /* not all links the same: a packet's frame changes from link to link */
	uint32_t traffic_classes;    /* for instruments; lanes.classes where the model has lanes by class */
	const uint8_t *class_of_job; /* [256]: sw_class_of() */
	const struct sw_class_rule *class_rules; /* [traffic_classes] for models with lanes by class; NULL: none */
	enum sw_sharing sharing;                 /* of what their minima leave */
	struct sw_link link[SW_LINK_CLASSES + 1];
	uint64_t end;    /* ps; records, and the time that instruments count, end here: changes where the run might have
	                    ended and goes on */
	uint64_t pauses; /* ps; of a run with records of ports or switches, which may end at any multiple of this, or at
	                    `planned`; 0: it has none. What a model had to do before then has been done then */
	uint64_t planned; /* ps; 0: the run ends at a multiple of `pauses` */
	void *impl; /* the model's own derived constants, and scratch: build() makes one for every thread. A switch is
	               run by one thread at a time, not always the same; its state may point at the impl of init() for
	               what never changes */
	uint64_t
	    credit_delay; /* ps; that credits take besides the cable, for the estimate of memory: build() may set it */
	bool prefetching; /* the network's switches do not fit the second-level cache */
	bool may_hold;    /* nothing counts credits, reads what they carry, or records them: they may be kept back */
	uint64_t hold_within; /* ps, see hold.h; build() sets it; 0: they are not */
	uint32_t fastest; /* of link[] at this network's switches, terminals' included: which has the most bandwidth */
	double clocked;   /* share of what that one brings that a port's clock lets pass, for the estimate of memory; 0:
	                     all. sw_look_at_clock() sets it */
};

/* The traffic class of a packet. */
static inline uint32_t sw_class_of(const struct sw_common *c, const struct sw_packet *p)
{
	return c->class_of_job[p->job];
}

/* The lane of a packet on VC `vc` of a link. */
static inline uint32_t sw_lane_of(const struct sw_common *c, const struct sw_packet *p, uint32_t vc)
{
	return sim_likely(c->lanes.classes == 1) ? vc : sw_class_of(c, p) * c->lanes.vcs + vc;
}

/* Are packets of its class lost where those of others are not? */
static inline bool sw_may_lose(const struct sw_common *c, const struct sw_packet *p)
{
	return sim_unlikely(c->lossy_classes) && c->lossy_classes >> sw_class_of(c, p) & 1;
}

/* Bytes of a packet's frame on link[link], by which it will leave: what credits for that link count. */
static inline uint32_t sw_bytes_on(const struct sw_common *c, unsigned link, const struct sw_packet *p)
{
	return c->reframes ? sw_frame_bytes(&c->link[link], sw_packet_payload(p)) : p->bytes;
}

/* When the packet was created: ps. now: it is not older than 75 minutes then. */
static inline uint64_t sw_created(const struct sw_common *c, const struct sw_packet *p, uint64_t now)
{
	return c->framed ? sw_last_time(p->created, SW_CREATED_MASK, now) : p->created;
}

/* One switch's surroundings at set-up. */
struct sw_place {
	uint32_t id;
	uint32_t net_ports, terminals;
	const struct sw_link_end *ends; /* [net_ports] */
	bool instruments;               /* to be read at the end; without, they should cost nothing */
};

struct sw_call;

struct sw_host_ops {
	/* The output port for a packet that came in by in_port; sets p->vc (of the link to be taken), *slack: further
	 * largest packets that must fit downstream, or SW_MAY_TURN. */
	uint32_t (*route)(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack);
	/* The way to wait for of a packet that has SW_MAY_TURN and can not have its credits now; as route(), of a
	 * packet with its vc as before that. Never a terminal port or SW_MAY_TURN. */
	uint32_t (*turn)(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack);
	/* The first bit of p leaves by a network port at `start`, the last at `finish`. p->bytes are those of the frame
	 * that came in; what it is on this link is the host's to set. */
	void (*transmit)(struct sw_call *call, uint32_t out, const struct sw_link_end *end, const struct sw_packet *p,
	                 uint64_t start, uint64_t finish);
	/* The same by a terminal port: to the endpoint itself. */
	void (*eject)(struct sw_call *call, uint32_t terminal, const struct sw_packet *p, uint64_t start,
	              uint64_t finish);
	/* The last bit of a packet has left the input buffer (in_port, lane) at `when`: its bytes go back to the
	 * sender. */
	void (*credit)(struct sw_call *call, uint32_t in_port, const struct sw_link_end *end, uint8_t lane,
	               uint32_t bytes, uint64_t when);
	/* For records: `bytes` were queued for (out, vc) from `from` to `to`; waited: it had to wait for credits. */
	void (*queued)(struct sw_call *call, uint32_t out, uint8_t vc, uint32_t bytes, uint64_t from, uint64_t to,
	               bool waited);
	/* A packet that came in is gone (common->lossy), and p was in no event since. */
	void (*drop)(struct sw_call *call, const struct sw_packet *p);
	/* A word beside the packets, to who sends to in_port: the peer's control_in(), or the endpoint, which reads it
	 * as SW_CONTROL_PAUSE and SW_CONTROL_GO. It leaves at `when` and takes the cable's latency. */
	void (*control)(struct sw_call *call, uint32_t in_port, const struct sw_link_end *end, uint64_t word,
	                uint64_t when);
	/* Key of an event that the model sends to itself (sim_send to call->lp). Phases 4 to 7 are the model's: such an
	 * event comes after all arrivals (phases 1 to 3) of its instant. */
	uint64_t (*key)(struct sw_call *call, unsigned phase);
};

/* What an endpoint understands of host_ops.control(): it begins no packet, but of common->lossy_classes, until asked to
 * go on. */
enum { SW_CONTROL_GO = 0, SW_CONTROL_PAUSE = 1 };

/* One call into a switch model: who it is for. The host uses the same for every event. */
struct sw_call {
	struct sim_ctx *ctx;
	const struct sw_common *common;
	const struct sw_host_ops *host_ops;
	void *host, *host_lp; /* the host's own: itself, and what it keeps about lp */
	sim_lpid lp;
	uint32_t id; /* of the switch */
	void *state;
	uint64_t now;
};

/* A packet that waits for credits, for the stall report. */
struct sw_waiting {
	uint32_t out, in_port;
	uint8_t vc, in_vc; /* lanes, of `out` and of in_port */
	uint8_t job;
	bool moving; /* does not wait for credits (a grant, a clock): it cannot be part of a deadlock. Also to be set if
	                `out` is a terminal's */
	uint32_t bytes;
	uint64_t since;
	/* The packet's own, where it waits behind another one, or has left its input buffer, which is why `bytes` is 0.
	 * size = 0: out, vc and bytes are. */
	uint32_t own_out, size;
	uint8_t own_vc;
};

/* Keys of a class of traffic that a model acts on: sw_ops.classes.honours. */
enum {
	SW_HONOURS_PRIORITY = 1 << 0,
	SW_HONOURS_MIN_BANDWIDTH = 1 << 1, /* and sw_common.sharing */
	SW_HONOURS_MAX_BANDWIDTH = 1 << 2,
};

/* What a packet may have to wait for at a link between switches. */
enum sw_waits {
	SW_WAITS_BY_VC,   /* credits of its VC: the proof of freedom from deadlock is per (link, VC) */
	SW_WAITS_BY_LINK, /* all packets of a link for one another: one VC, and the proof is per link */
	SW_WAITS_NEVER,   /* for nothing that another switch must give: one VC, and nothing to prove */
};

/* Groups of what a model may have besides: functions may be NULL, unless it says otherwise. */
struct sw_memory_ops {
	void (*destroy)(struct sw_common *common);
	/* Frees what the switch has allocated besides its block. */
	void (*fini)(const struct sw_common *common, void *state);
};

struct sw_timing_ops {
	/* An event that the model sent to itself. */
	void (*event)(struct sw_call *call, const struct sim_event *event);
	/* Before each event of the LP, whatever it concerns, endpoints and published depths included: the model may
	 * have put off what it decides, though no longer than until something of the LP's could depend on it, and now
	 * does all that was due before call->now. What it calls its host for bears that earlier call->now. NULL: it
	 * decides in events only. */
	void (*run)(struct sw_call *call);
	/* Credits come in a window of at most `window` ps of which nothing has been dealt with yet: true, and they are
	 * added, without the journal, if what the switch does until the window's end is the same wherever in it they
	 * come. NULL: never. */
	bool (*credit_early)(const struct sw_common *common, void *state, uint64_t window, uint32_t out, uint8_t lane,
	                     uint32_t bytes);
	/* ps by which the start of transmit(), or the `when` of credit(), is ahead of the event in which the model
	 * calls it, at least: with the latency of the shortest link the lookahead of the run. NULL: 0. */
	uint64_t (*lead)(const struct sw_common *common);
	uint64_t most_time; /* ps: the model counts no longer; a run that may end later is refused. 0: any */
};

struct sw_prefetch_ops {
	/* Prefetches what concerns a port, terminals after network ports. NULL: nothing is prefetched. */
	void (*prefetch)(const struct sw_common *common, const void *state, uint32_t port);
	/* All that a packet from in_port to `out`, on VC `vc` of its link, will need. */
	void (*prefetch_way)(const struct sw_common *common, const void *state, uint32_t in_port, uint32_t out,
	                     uint8_t vc);
};

struct sw_link_ops {
	/* Bytes of input buffer of a terminal port. May be NULL: buffer_share. */
	uint32_t (*terminal_share)(const struct sw_common *common);
	/* What the peer of network port `out` has sent by host_ops.control(). May be NULL if the model sends none. */
	void (*control_in)(struct sw_call *call, uint32_t out, uint64_t word);
	/* With common->flow_channels: a frame passes that tells an endpoint to send to another at a pace, ps per byte
	 * with 16 fractional bits, until a time; 0: no longer. */
	void (*hold_flow)(struct sw_call *call, uint32_t src, uint32_t dst, uint64_t pace_q16, uint64_t until);
	/* With common->hold_within: of the outputs of a switch with so many ports, terminals included. */
	struct sw_hold (*hold)(const struct sw_common *common, uint32_t ports);
	/* ps from when a packet of so many bytes, which meets no other, takes credits of a link until they are free for
	 * another, without the cable, which comes twice. NULL: not known. */
	uint64_t (*credit_loop)(const struct sw_common *common, unsigned link, uint32_t bytes);
	/* Before build(), from the parameters alone. NULL: SW_WAITS_BY_VC. */
	enum sw_waits (*waits)(const void *params);
	bool turns;  /* knows SW_MAY_TURN; routings with ops->turn are refused without */
	bool frames; /* keeps sw_link.gap and counts credits by sw_bytes_on(); framing is refused without */
};

struct sw_depth_ops { /* what routing may ask for; with common->track_queues queue_bytes() is required */
	/* Bytes queued for a network output over all VCs, packets under transmission included (common->track_queues).
	 */
	uint64_t (*queue_bytes)(const void *state, uint32_t out, uint64_t now);
	/* bytes[i] = queue_bytes(state, out[i], now) for i < n. */
	void (*queue_bytes_each)(const void *state, const uint32_t *out, uint32_t n, uint64_t now, uint64_t *bytes);
	/* Outputs (bits, number % 64) of which queue_bytes() may not be 0; may be NULL: of all. */
	uint64_t (*queues)(const void *state, uint64_t now);
	/* Bytes that were granted a network output, over all VCs, and whose credits have not come back at `now`
	 * (common->count_credits). NULL: routings with rt.by_credits are refused. */
	uint64_t (*used_credits)(const void *state, uint32_t out, uint64_t now);
};

struct sw_class_ops {     /* classes of traffic */
	bool lanes;       /* every traffic class has lanes of its own; without, all share the VCs */
	unsigned honours; /* SW_HONOURS_*: other keys of classes are refused; 0: all that are not the default */
	/* With several classes of traffic: virtual channels that each of them needs for one of the routing's, so that
	 * its share and priority hold. "auto" takes so many; with fewer a warning says so. May be NULL: 1. */
	uint32_t (*class_vcs)(const void *params);
	/* A class of traffic wants to be lossless, or not: before the parameters are judged, for each class that says
	 * so; *params may note it. NULL if that can be, else why not, as a sentence about the model. A model that has
	 * this function and waits() by link loses what sw_may_lose() says and tells a sender's pauses from these. May
	 * be NULL: all classes are alike. */
	const char *(*lossless)(void *params, bool lossless);
};

struct sw_estimate_ops { /* for rules of defaults and the estimate of memory */
	/* ps that the head of a packet takes through an idle switch;
	 * NULL: 100 ns. */
	uint64_t (*traversal)(const struct sw_common *common);
	/* Bytes that a switch has allocated besides its block when `passing` packets have
	 * been in it at a time, and besides these `waiting` ones that found no credits; NULL: none. */
	size_t (*kept_bytes)(const struct sw_common *common, uint32_t passing, uint32_t waiting);
	/* ps before a packet leaves from which on it is the host's, its departure being certain; NULL: 0. */
	uint64_t (*certain)(const struct sw_common *common);
	/* Events of its own that a switch has pending for each of its ports at most, however many packets
	 * wait there: of an arbiter, when it decides next; NULL: one for each packet instead. */
	uint32_t (*port_events)(const struct sw_common *common);
};

struct sw_instrument_ops { /* what is read at the end of a run */
	/* Adds to the sums of *tally, and raises its maxima, at the end of a run, at `now`. NULL: nothing to tell. */
	void (*tally)(const struct sw_common *common, const void *state, uint64_t now, struct sw_tally *tally);
	/* The model's instruments; NULL: it has none. */
	const struct sw_instrument *list;
	uint32_t n;
	/* Sets rows, columns, per_tile and place, which lives as long as impl. May be NULL: there are no tiles. */
	void (*tiles)(const struct sw_common *common, struct sw_instruments *table);
	/* Readings of a switch whose place asked for instruments. words: sw_instrument_at(table, table->n) of 0; those
	 * of ports that the switch does not have stay so. */
	void (*read)(const struct sw_common *common, const void *state, const struct sw_instruments *table,
	             uint64_t *words);
};

struct sw_ops {
	/* These are required. */
	/* Checks parameters; fills common->impl if it needs derived constants. */
	int (*build)(struct sw_common *common, struct base_errors *errors);
	size_t (*state_bytes)(const struct sw_common *common); /* the block begins at a multiple of 64 */
	void (*init)(const struct sw_common *common, void *state, const struct sw_place *place);
	/* true: packet_in comes when the last bit has arrived, else when the first has. */
	bool (*store_and_forward)(const struct sw_common *common);
	/* A packet is at an input; *p may be changed. */
	void (*packet_in)(struct sw_call *call, uint32_t in_port, struct sw_packet *p);
	/* Credits for (out, lane) have arrived. */
	void (*credit_in)(struct sw_call *call, uint32_t out, uint8_t lane, uint32_t bytes);
	/* The logical state, in the block and outside, and what init() made of the links' ends: not what only says
	 * where memory was allocated. For --audit, and it is what a switch takes along to another rank, where init()
	 * got no ends; so a pool's numbers come before its records. */
	void (*regions)(const struct sw_common *common, void *state, void (*visit)(void *arg, void *at, size_t bytes),
	                void *arg);
	/* Bytes of input buffer per (network port, lane), as given to the sender as its initial credits; what lanes
	 * share (common->lanes.pool) comes on top. */
	uint32_t (*buffer_share)(const struct sw_common *common);
	/* For the checks at the end: credits that are out (not here) over all network outputs, less those that its
	 * inputs keep back (hold.h), modulo 2^64; all packets that are in the switch and were not yet given to
	 * transmit() or eject(). */
	uint64_t (*credits_out)(const struct sw_common *common, const void *state);
	void (*each_waiting)(const struct sw_common *common, const void *state,
	                     void (*visit)(void *arg, const struct sw_waiting *w), void *arg);
	struct sw_memory_ops memory;
	struct sw_timing_ops timing;
	struct sw_prefetch_ops prefetching;
	struct sw_link_ops links;
	struct sw_depth_ops depths;
	struct sw_class_ops classes;
	struct sw_estimate_ops estimates;
	struct sw_instrument_ops instruments;
};

/* The built-in plug-ins, for experiments/config/builtin.def. */
extern const struct base_plugin sw_ideal, sw_tiled, sw_output_queued, sw_crossbar;

#endif

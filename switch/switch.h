/* switch/switch.h - the interface of switch models.
 *
 * A switch model sees ports, not a topology: network ports 0 .. net_ports-1, each an output towards a peer's input and
 * an input from it, then terminal ports net_ports .. net_ports+terminals-1. Its host (network/) passes it arriving
 * packets and credits; the model calls the host for a route when its pipeline reaches that stage, and reports
 * departures and their times to the host.
 *
 * Flow control is by credits in bytes, per (network output, lane): a lane is a traffic class's share of a VC
 * (switch/lanes.h), and with one class, or a model without lanes by class (sw_ops.classes.lanes), just the VC. The
 * input buffer of a port is divided equally among the lanes, except for a shared pool. A terminal output needs no
 * credits: endpoints accept all packets. A packet on a link carries its VC, which with its class gives the lane;
 * credits carry the lane.
 *
 * Requirements of the proof of freedom from deadlock (routing/, network/checks/deadlock.c) on a model: its graph has
 * the buffers of (input, VC) as nodes, so a packet may only wait, directly or behind others of its queue, for an output
 * and VC that routing has chosen for some packet of its own (input, VC) buffer. A queue inside the switch may therefore
 * hold packets of several inputs or VCs only if all of them need the same (output, VC), or if its packets need nothing
 * more downstream. tests/cli/stalls.sh tests that for every switch model. With several classes "VC" means lane, and the
 * proof holds for each class separately.
 *
 * All state of a switch is in one block of `state_bytes`, plus memory it allocates itself; both are changed through the
 * journal only (sim/sim.h). A model may send itself events of kinds SW_EVENT_FIRST and up through sim_send: they are
 * delivered to event(). */
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

struct sw_wire;
struct sw_wires;

#define SW_EVENT_FIRST 32u /* event kinds from here on belong to the switch model */
#define SW_MAY_TURN 0x80u  /* a slack: with credits the packet takes this output at once, else that of turn() */

/* Data common to all switches of a network. */
struct sw_common {
	const struct sw_ops *ops;
	const void *params;
	uint32_t vcs;          /* of a link */
	uint32_t route_vcs;    /* VC numbers used by routing: 0 .. route_vcs-1; those from `vcs` on become vcs-1 */
	struct sw_lanes lanes; /* buffers of a port, each with its credits; build() sets their sizes: sw_lanes_size() */
	bool
	    creditless; /* set by build(): links have no credits, every packet sent is accepted, then kept or dropped */
	bool marks;     /* set by build(): packets may get SW_MARK_ECN */
	bool flow_channels; /* set by build(): flows are distinguished, see switch/flows.h */
	bool paced_flows;   /* the congestion control's frames give paces to flows: sw_link_ops.hold_flow */
	/* Traffic classes (bits) whose flows the host keeps on one path: their packets are all routed by it. */
	uint32_t ordered_classes;
	bool lossy; /* set by build(): packets may be dropped or trimmed, only in a creditless model */
	bool trims; /* set by build(): packets may get SW_MARK_TRIMMED */
	/* Traffic classes (bits) whose packets a model with sw_ops.classes.lossless drops instead of pausing senders,
	 * while other classes are lossless; 0: all are treated alike. Set before build(). */
	uint32_t lossy_classes;
	uint32_t max_hops; /* links from switch to switch of the longest route */
	bool unsafe;       /* the user allows a routing that may deadlock */
	uint64_t seed;     /* for models with random choices: sim/rng.h, SIM_DRAW_SWITCH, stream = switch */
	uint32_t min_packet, max_packet; /* bytes of the smallest and largest frame over all traffic and links */
	uint32_t max_net_ports, max_terminals;
	uint32_t max_ports;          /* of one switch, including terminals: at most the sum of the two before */
	uint32_t ack_bytes;          /* of an acknowledgement that passes switches (nic.ack = "hop"); 0: none does */
	bool track_queues;           /* routing calls queue_bytes */
	bool count_credits;          /* routing calls used_credits; never with track_queues */
	bool record_queues;          /* host_ops.queued is used */
	bool bubble;                 /* bubble rule: routing may require slack */
	bool may_turn;               /* routing may return SW_MAY_TURN */
	bool one_rate;               /* all links, including terminals', have the same bandwidth and framing */
	bool framed;                 /* links have framing; else header, gap and the like are 0 */
	bool reframes;               /* links differ in framing: a packet's frame changes from link to link */
	uint32_t traffic_classes;    /* for instruments; lanes.classes if the model has lanes by class */
	const uint8_t *class_of_job; /* [256]: sw_class_of() */
	const struct sw_class_rule *class_rules; /* [traffic_classes] for models with lanes by class; NULL: none */
	enum sw_sharing sharing;                 /* of the bandwidth beyond minima */
	struct sw_link link[SW_LINK_CLASSES + 1];
	uint32_t links; /* indices below it are in use, and that of the terminals */
	/* The other direction of such a link: of what arrives by a port whose end has the class. */
	struct sw_link incoming[SW_LINK_CLASSES + 1];
	uint64_t end;     /* ps; records, and the time counted by instruments, end here: changes when the run could have
	                     ended and continues */
	uint64_t pauses;  /* ps; for a run with records of ports or switches, which may end at any multiple of this, or
	                     at `planned`; 0: none. By then a model must have executed all earlier actions */
	uint64_t planned; /* ps; 0: the run ends at a multiple of `pauses` */
	void *impl; /* the model's own constants and scratch memory: build() creates one for every thread. A switch is
	               run by one thread at a time, not always the same; its state may refer to constants in the impl
	               passed to init() */
	uint64_t credit_delay; /* ps; delay of credits in addition to the cable, for the estimate of memory: build() may
	                          set it */
	bool prefetching;      /* the network's switches do not fit the second-level cache */
	/* Lanes and link-level retry of links, which only a model with links.wires has; NULL: none. See
	 * switch/links/pass.h. */
	const struct sw_wires *wires;
	bool may_hold; /* no feature counts credits, reads their contents, or records them: they may be withheld */
	uint64_t hold_within; /* ps, see hold.h; set by build(); 0: credits are not withheld */
	uint32_t fastest; /* index in link[] of the link with the most bandwidth at this network's switches, including
	                     terminals' */
	double clocked; /* fraction of that link's bandwidth that a port's clock allows, for the estimate of memory; 0:
	                   all. Set by sw_look_at_clock() */
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

/* Are packets of its class dropped while other classes are lossless? */
static inline bool sw_may_lose(const struct sw_common *c, const struct sw_packet *p)
{
	return sim_unlikely(c->lossy_classes) && c->lossy_classes >> sw_class_of(c, p) & 1;
}

/* Bytes of a packet's frame on its outgoing link, link[link]: the unit of credits for that link. */
static inline uint32_t sw_bytes_on(const struct sw_common *c, unsigned link, const struct sw_packet *p)
{
	return c->reframes ? sw_frame_bytes(&c->link[link], sw_packet_payload(p)) : p->bytes;
}

/* ps: the cable's part of the time until a packet's credits are back. */
static inline uint64_t sw_there_and_back(const struct sw_common *c, unsigned link)
{
	return c->link[link].latency + c->incoming[link].latency;
}

/* When the packet was created: ps. now: valid for packets not older than 75 minutes. */
static inline uint64_t sw_created(const struct sw_common *c, const struct sw_packet *p, uint64_t now)
{
	return c->framed ? sw_last_time(p->created, SW_CREATED_MASK, now) : p->created;
}

/* One switch's environment at set-up. */
struct sw_place {
	uint32_t id;
	uint32_t net_ports, terminals;
	const struct sw_link_end *ends; /* [net_ports] */
	bool instruments;               /* read at the end; if false, they must not cost anything */
};

struct sw_call;

struct sw_host_ops {
	/* The output port of a packet that arrived by in_port; sets p->vc (of the link to be taken), *slack: the number
	 * of further largest packets that must fit downstream, or SW_MAY_TURN. */
	uint32_t (*route)(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack);
	/* The output for which a packet with SW_MAY_TURN may wait if it has no credits now; as route(), for a packet
	 * with its previous vc. Never a terminal port or SW_MAY_TURN. */
	uint32_t (*turn)(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack);
	/* The first bit of p leaves by a network port at `start`, the last at `finish`. p->bytes are those of the frame
	 * that arrived; the host sets those on this link. */
	void (*transmit)(struct sw_call *call, uint32_t out, const struct sw_link_end *end, const struct sw_packet *p,
	                 uint64_t start, uint64_t finish);
	/* Sends a packet through a terminal port to the endpoint. */
	void (*eject)(struct sw_call *call, uint32_t terminal, const struct sw_packet *p, uint64_t start,
	              uint64_t finish);
	/* The last bit of a packet has left the input buffer (in_port, lane) at `when`: returns its bytes to the
	 * sender. */
	void (*credit)(struct sw_call *call, uint32_t in_port, const struct sw_link_end *end, uint8_t lane,
	               uint32_t bytes, uint64_t when);
	/* For records: `bytes` were queued for (out, vc) from `from` to `to`; waited: it had to wait for credits. */
	void (*queued)(struct sw_call *call, uint32_t out, uint8_t vc, uint32_t bytes, uint64_t from, uint64_t to,
	               bool waited);
	/* A packet that arrived has been dropped (common->lossy), and was in no event since. */
	void (*drop)(struct sw_call *call, const struct sw_packet *p);
	/* Sends an out-of-band control word to the upstream peer of in_port: calls the peer's control_in(), or the
	 * endpoint, which interprets it as SW_CONTROL_PAUSE or SW_CONTROL_GO. It leaves at `when` and takes the cable's
	 * latency. */
	void (*control)(struct sw_call *call, uint32_t in_port, const struct sw_link_end *end, uint64_t word,
	                uint64_t when);
	/* Key of an event that the model sends to itself (sim_send to call->lp). Phases 4 to 7 are the model's: such an
	 * event follows all arrivals (phases 1 to 3) of its instant. */
	uint64_t (*key)(struct sw_call *call, unsigned phase);
	/* The sending end of the link at a network port, with common->wires: for switch/links/pass.c. */
	struct sw_wire *(*wire)(struct sw_call *call, uint32_t port);
};

/* Control words for an endpoint by host_ops.control(): a paused endpoint starts no packet, except of
 * common->lossy_classes, until it may resume. */
enum { SW_CONTROL_GO = 0, SW_CONTROL_PAUSE = 1 };

/* Context of one call into a switch model. The host reuses it for every event. */
struct sw_call {
	struct sim_ctx *ctx;
	const struct sw_common *common;
	const struct sw_host_ops *host_ops;
	void *host, *host_lp; /* the host's own data: global, and for lp */
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
	bool moving; /* waits for something other than credits (a grant, a clock): it cannot be part of a deadlock. Also
	                set if `out` is a terminal's */
	uint32_t bytes;
	uint64_t since;
	/* The packet's own output, if it waits behind another packet, or has left its input buffer, in which case
	 * `bytes` is 0. size = 0: out, vc and bytes are its own. */
	uint32_t own_out, size;
	uint8_t own_vc;
};

/* Keys of a traffic class that a model supports: sw_ops.classes.honours. */
enum {
	SW_HONOURS_PRIORITY = 1 << 0,
	SW_HONOURS_MIN_BANDWIDTH = 1 << 1, /* and sw_common.sharing */
	SW_HONOURS_MAX_BANDWIDTH = 1 << 2,
};

/* What a packet may have to wait for at a link between switches. */
enum sw_waits {
	SW_WAITS_BY_VC,   /* credits of its VC: the proof of freedom from deadlock is per (link, VC) */
	SW_WAITS_BY_LINK, /* all packets of a link for each other: one VC, and the proof is per link */
	SW_WAITS_NEVER,   /* nothing that depends on another switch: one VC, and nothing to prove */
};

/* Groups of what a model may have besides: functions may be NULL, unless it says otherwise. */
struct sw_memory_ops {
	void (*destroy)(struct sw_common *common);
	/* Frees memory that the switch has allocated besides its block. */
	void (*fini)(const struct sw_common *common, void *state);
};

struct sw_timing_ops {
	/* Called for an event that the switch model has sent to itself. */
	void (*event)(struct sw_call *call, const struct sim_event *event);
	/* Called before each event of the LP, including those of endpoints and published depths: the model may have
	 * deferred decisions, at most until something in the LP could depend on them, and now executes all that were
	 * due before call->now. Its calls of the host carry that earlier call->now. NULL: it decides in events only. */
	void (*run)(struct sw_call *call);
	/* Credits arrive at an unknown time in the next `window` ps, of which nothing has been executed. Returns true,
	 * and adds them without the journal, if the switch's actions until the window's end do not depend on that time.
	 * NULL: never. */
	bool (*credit_early)(const struct sw_common *common, void *state, uint64_t window, uint32_t out, uint8_t lane,
	                     uint32_t bytes);
	/* Minimum ps between the event in which the model calls transmit() or credit() and the start or `when` passed
	 * to it: with the latency of the shortest link the lookahead of the run. NULL: 0. */
	uint64_t (*lead)(const struct sw_common *common);
	uint64_t most_time; /* ps; limit of the model's counters; a run that may end later is refused. 0: none */
};

struct sw_prefetch_ops {
	/* Prefetches the state of a port, terminals after network ports. NULL: none. */
	void (*prefetch)(const struct sw_common *common, const void *state, uint32_t port);
	/* Prefetches all state that a packet from in_port to `out`, on VC `vc` of its link, will need. */
	void (*prefetch_way)(const struct sw_common *common, const void *state, uint32_t in_port, uint32_t out,
	                     uint8_t vc);
};

struct sw_link_ops {
	/* Bytes of input buffer of a terminal port. May be NULL: buffer_share. */
	uint32_t (*terminal_share)(const struct sw_common *common);
	/* A control word from the peer of network port `out` (host_ops.control()). May be NULL if the model sends
	 * none. */
	void (*control_in)(struct sw_call *call, uint32_t out, uint64_t word);
	/* With common->flow_channels: a frame passes that instructs an endpoint to send to another at a pace, ps per
	 * byte with 16 fractional bits, until a time; 0: no limit any more. */
	void (*hold_flow)(struct sw_call *call, uint32_t src, uint32_t dst, uint64_t pace_q16, uint64_t until);
	/* With common->ack_bytes: an acknowledgement is at in_port. Returns when the row bus of acknowledgements takes
	 * it. If that is later than call->now, the host sends itself an event for that time, after which it continues
	 * with ack_crosses(). NULL: acknowledgements never wait inside a switch. */
	uint64_t (*ack_enters)(struct sw_call *call, uint32_t in_port);
	/* It is on the row bus now, and would be at the link of `out` at `ready` without others: returns when it is.
	 * Called in the order of these times. NULL if ack_enters is. */
	uint64_t (*ack_crosses)(struct sw_call *call, uint32_t in_port, uint32_t out, uint64_t ready);
	/* With common->hold_within: for the outputs of a switch with this number of ports, including terminals. */
	struct sw_hold (*hold)(const struct sw_common *common, uint32_t ports);
	/* ps from when a packet of this size, without contention, takes credits of a link until they are free for
	 * another, without the cable, which counts twice. NULL: unknown. */
	uint64_t (*credit_loop)(const struct sw_common *common, unsigned link, uint32_t bytes);
	/* Called before build(), depends on the parameters only. NULL: SW_WAITS_BY_VC. */
	enum sw_waits (*waits)(const void *params);
	bool turns;  /* supports SW_MAY_TURN; without it routings with ops->turn are refused */
	bool frames; /* supports sw_link.gap and counts credits by sw_bytes_on(); without it framing is refused */
	bool wires;  /* supports common->wires; without it lanes that fail, bit errors and retry buffers are refused */
};

struct sw_depth_ops { /* what routing may ask for; with common->track_queues queue_bytes() is required */
	/* Bytes queued for a network output over all VCs, including packets being transmitted
	 * (common->track_queues). */
	uint64_t (*queue_bytes)(const void *state, uint32_t out, uint64_t now);
	/* bytes[i] = queue_bytes(state, out[i], now) for i < n. */
	void (*queue_bytes_each)(const void *state, const uint32_t *out, uint32_t n, uint64_t now, uint64_t *bytes);
	/* Outputs (bits, number % 64) for which queue_bytes() may be nonzero; NULL: all. */
	uint64_t (*queues)(const void *state, uint64_t now);
	/* Bytes granted a network output, over all VCs, whose credits have not returned at `now`
	 * (common->count_credits). NULL: routings with rt.by_credits are refused. */
	uint64_t (*used_credits)(const void *state, uint32_t out, uint64_t now);
};

struct sw_class_ops {     /* classes of traffic */
	bool lanes;       /* every traffic class has lanes of its own; without it all share the VCs */
	unsigned honours; /* SW_HONOURS_*: other keys of classes are refused; 0: all that differ from the default */
	/* With several traffic classes: VCs that each class needs per VC of the routing, for its share and priority to
	 * hold. "auto" allocates that many; with fewer there is a warning. May be NULL: 1. */
	uint32_t (*class_vcs)(const void *params);
	/* A traffic class requests to be lossless, or lossy: called before the parameters are checked, for each class
	 * with that key; *params may record it. NULL if that is possible, else the reason, as a sentence about the
	 * model. A model with this function that waits() by link drops packets of sw_may_lose() and distinguishes
	 * pauses of a sender from these. May be NULL: all classes are treated alike. */
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
	/* Adds to the sums of *tally, and raises its maxima, at the end of a run, at `now`. NULL: none. */
	void (*tally)(const struct sw_common *common, const void *state, uint64_t now, struct sw_tally *tally);
	/* The model's instruments; NULL: none. */
	const struct sw_instrument *list;
	uint32_t n;
	/* Sets rows, columns, per_tile and place, which lives as long as impl. May be NULL: no tiles. */
	void (*tiles)(const struct sw_common *common, struct sw_instruments *table);
	/* Readings of a switch with instruments. words: sw_instrument_at(table, table->n) zeros; those of ports that
	 * the switch does not have are left unchanged. */
	void (*read)(const struct sw_common *common, const void *state, const struct sw_instruments *table,
	             uint64_t *words);
};

struct sw_ops {
	/* These are required. */
	/* Checks parameters; fills common->impl if it needs derived constants. */
	int (*build)(struct sw_common *common, struct base_errors *errors);
	size_t (*state_bytes)(const struct sw_common *common); /* the block is aligned to 64 */
	void (*init)(const struct sw_common *common, void *state, const struct sw_place *place);
	/* true: packet_in is called when the last bit has arrived, else when the first has. */
	bool (*store_and_forward)(const struct sw_common *common);
	/* Called when a packet has arrived at an input; the function may change *p. */
	void (*packet_in)(struct sw_call *call, uint32_t in_port, struct sw_packet *p);
	/* Called when credits for a lane of an output have arrived. */
	void (*credit_in)(struct sw_call *call, uint32_t out, uint8_t lane, uint32_t bytes);
	/* Visits the logical state, in the block and outside, and the state that init() created in the links' ends, but
	 * no addresses of allocated memory. For --audit and for migration to another rank, where init() got no ends; so
	 * a pool's numbers come before its records. */
	void (*regions)(const struct sw_common *common, void *state, void (*visit)(void *arg, void *at, size_t bytes),
	                void *arg);
	/* Bytes of input buffer per (network port, lane), the sender's initial credits; the shared pool
	 * (common->lanes.pool) is additional. */
	uint32_t (*buffer_share)(const struct sw_common *common);
	/* For the checks at the end: credits taken and not returned over all network outputs, minus those that its
	 * inputs withhold (hold.h), modulo 2^64; all packets in the switch that have not been passed to transmit() or
	 * eject(). */
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

/* Built-in plug-ins, for files that refer to them by name; experiments/config/builtin.def lists all of them. */
extern const struct base_plugin sw_ideal, sw_tiled, sw_output_queued, sw_crossbar;

#endif

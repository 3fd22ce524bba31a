/* switch/switch.h - the interface of switch models.
 *
 * A switch model sees ports, not a topology: network ports 0 .. net_ports-1, each an output towards a peer's input and
 * an input from it, then terminal ports net_ports .. net_ports+terminals-1. Its host (network/) passes arriving packets
 * and credits to it; the model calls the host for a route when its pipeline reaches that stage, and reports departures
 * and their times to the host.
 *
 * Flow control is by credits in bytes, per (network output, lane): a lane is a traffic class's share of a VC
 * (switch/lanes.h), and with one class, or a model without lanes by class (sw_ops.classes.lanes), just the VC. The
 * input buffer of a port is divided equally among the lanes, except for a pool that they may share. A terminal output
 * needs no credits: endpoints accept all packets. A packet on a link carries its VC, which with its class gives the
 * lane; credits carry the lane.
 *
 * The proof of freedom from deadlock (routing/, network/checks/deadlock.c) requires the following of a model. The graph
 * of the proof has the buffers of (input, VC) as nodes, so a packet may only wait, directly or behind others of its
 * queue, for an output and VC that routing has chosen for some packet of its own (input, VC) buffer. A queue inside the
 * switch may therefore hold packets of several inputs or VCs only if all of them need the same (output, VC), or if its
 * packets need no credits downstream. tests/cli/stalls.sh tests that for every switch model. With several classes "VC"
 * means lane, and the proof holds for each class separately.
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

/* The links with the frames of traffic classes that have a framing of their own. */
struct sw_frame_kinds {
	uint32_t n;          /* kinds of frames */
	uint8_t of_job[256]; /* the kind of a packet, by sw_packet.job */
	/* [n]: like sw_common.link, but for header, min_frame, granule and gap. */
	struct sw_link (*link)[SW_LINK_CLASSES + 1];
};

#define SW_EVENT_FIRST 32u /* event kinds from here on belong to the switch model */
#define SW_MAY_TURN 0x80u  /* a slack: with credits the packet takes this output at once, else that of turn() */

/* Data common to all switches of a network. */
struct sw_common {
	const struct sw_ops *ops;
	const void *params;
	uint32_t vcs;          /* of a link */
	uint32_t route_vcs;    /* VC numbers used by routing: 0 .. route_vcs-1; those from `vcs` on become vcs-1 */
	struct sw_lanes lanes; /* buffers of a port, each with its credits; build() sets their sizes: sw_lanes_size() */
	/* Set by build(): links have no credits, every packet sent is accepted, then kept or dropped. */
	bool creditless;
	bool marks;         /* set by build(): packets may get SW_MARK_ECN */
	bool flow_channels; /* set by build(): flows are distinguished, see switch/flows.h */
	bool paced_flows;   /* the congestion control's frames give paces to flows: sw_link_ops.hold_flow */
	/* Traffic classes (bits) whose packets the host keeps in order, by one path for each flow: a model must ask the
	 * host for the route of each of these packets. */
	uint32_t ordered_classes;
	bool lossy; /* set by build(): packets may be dropped or trimmed, only in a creditless model */
	bool trims; /* set by build(): packets may get SW_MARK_TRIMMED */
	/* Traffic classes (bits) whose packets may be dropped while other classes are lossless: for these packets a
	 * model with sw_ops.classes.lossless does not pause senders. 0: all classes are treated alike. Set before
	 * build(). */
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
	bool passes;                 /* with wires or kinds: sw_pass() determines departures */
	uint32_t traffic_classes;    /* for instruments; lanes.classes if the model has lanes by class */
	const uint8_t *class_of_job; /* [256]: sw_class_of() */
	const struct sw_class_rule *class_rules; /* [traffic_classes] for models with lanes by class; NULL: none */
	enum sw_sharing sharing;                 /* of the bandwidth beyond minima */
	struct sw_link link[SW_LINK_CLASSES + 1];
	uint32_t links; /* indices below it are in use, and that of the terminals */
	/* [link class] the properties of the opposite direction: of the link by which packets arrive at a port whose
	 * sw_link_end has this class. */
	struct sw_link incoming[SW_LINK_CLASSES + 1];
	uint64_t end; /* ps; end of the times that records and instruments count. It changes when the run could have
	                 ended but continues */
	/* ps; a run with records of ports or switches may end at any multiple of this, or at `planned`, and by then
	 * a model must have executed all earlier actions. 0: there are no such records. */
	uint64_t pauses;
	uint64_t planned; /* ps; 0: the run ends at a multiple of `pauses` */
	void *impl; /* the model's own constants and scratch memory; build() creates one for every thread. A switch is
	               run by one thread at a time, but not always by the same; its state may refer to constants in the
	               impl that was passed to init() */
	uint64_t credit_delay; /* ps; delay of credits in addition to that of the cable, only for the estimate of
	                          memory; build() may set it */
	bool prefetching;      /* the network's switches do not fit the second-level cache */
	/* Frames by traffic class, which only models with links.kinds support; NULL: those of link[]. With it `framed`
	 * and `reframes` are set. */
	const struct sw_frame_kinds *kinds;
	/* State of the links' lanes and link-level retry, which only models with links.wires support; NULL: no link has
	 * either. See switch/links/pass.h. */
	const struct sw_wires *wires;
	bool may_hold; /* no feature counts credits, reads their contents, or records them: they may be withheld */
	uint64_t hold_within; /* ps, see hold.h; set by build(); 0: credits are not withheld */
	/* Index in link[] of the fastest link at this network's switches, including those to terminals. */
	uint32_t fastest;
	double clocked; /* fraction of the bandwidth of link[fastest] that a port's clock allows, for the estimate of
	                   memory; 0: all of it. Set by sw_look_at_clock() */
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

/* Are packets of this packet's class dropped while other classes are lossless? */
static inline bool sw_may_lose(const struct sw_common *c, const struct sw_packet *p)
{
	return sim_unlikely(c->lossy_classes) && c->lossy_classes >> sw_class_of(c, p) & 1;
}

/* Returns link[link], with the frames of a job's packets. */
static inline const struct sw_link *sw_link_for_job(const struct sw_common *c, unsigned link, uint32_t job)
{
	return sim_likely(!c->kinds) ? &c->link[link] : &c->kinds->link[c->kinds->of_job[job]][link];
}

/* Returns the bytes of a packet's frame on its outgoing link, link[link]; credits for that link are counted in these
 * bytes. */
static inline uint32_t sw_bytes_on(const struct sw_common *c, unsigned link, const struct sw_packet *p)
{
	return c->reframes ? sw_frame_bytes(sw_link_for_job(c, link, p->job), sw_packet_payload(p)) : p->bytes;
}

/* Returns the latency of a cable in both directions, in ps: its part of the time until a packet's credits return. */
static inline uint64_t sw_there_and_back(const struct sw_common *c, unsigned link)
{
	return c->link[link].latency + c->incoming[link].latency;
}

/* Returns when the packet was created, in ps. The result is valid if at `now` the packet is at most 75 minutes old. */
static inline uint64_t sw_created(const struct sw_common *c, const struct sw_packet *p, uint64_t now)
{
	return c->framed ? sw_last_time(p->created, SW_CREATED_MASK, now) : p->created;
}

/* A switch's position in the network, as passed to init(). */
struct sw_place {
	uint32_t id;
	uint32_t net_ports, terminals;
	const struct sw_link_end *ends; /* [net_ports] */
	bool instruments;               /* read at the end; if false, they must not cost anything */
};

struct sw_call;

struct sw_host_ops {
	/* Routes a packet that arrived by in_port. Returns the output port, and sets p->vc to the VC on the link there.
	 * *slack: the number of additional packets of the largest size for which there must be space downstream (bubble
	 * rule), or SW_MAY_TURN. */
	uint32_t (*route)(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack);
	/* Called for a packet for which route() gave SW_MAY_TURN, if it has no credits now. Returns another output, at
	 * which the packet may wait, and sets p->vc and *slack as route() does; on entry p->vc must be the VC by which
	 * the packet arrived. The result is never a terminal port, and *slack is never SW_MAY_TURN. */
	uint32_t (*turn)(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack);
	/* Sends a packet by network port `out`: its first bit leaves at `start`, its last bit at `finish`. p->bytes is
	 * the size of the frame that arrived; the host sets the size of the frame on this link. */
	void (*transmit)(struct sw_call *call, uint32_t out, const struct sw_link_end *end, const struct sw_packet *p,
	                 uint64_t start, uint64_t finish);
	/* Sends a packet through a terminal port to the endpoint. */
	void (*eject)(struct sw_call *call, uint32_t terminal, const struct sw_packet *p, uint64_t start,
	              uint64_t finish);
	/* Returns credits for `bytes` to the sender: the last bit of a packet leaves the input buffer (in_port, lane)
	 * at `when`. */
	void (*credit)(struct sw_call *call, uint32_t in_port, const struct sw_link_end *end, uint8_t lane,
	               uint32_t bytes, uint64_t when);
	/* For records: `bytes` were queued for (out, vc) from time `from` to time `to`. waited: the packet had to wait
	 * for credits. */
	void (*queued)(struct sw_call *call, uint32_t out, uint8_t vc, uint32_t bytes, uint64_t from, uint64_t to,
	               bool waited);
	/* Reports that the model has dropped a packet that arrived here. Only with common->lossy. No event may have
	 * contained the packet since its arrival. */
	void (*drop)(struct sw_call *call, const struct sw_packet *p);
	/* Sends an out-of-band control word to the upstream peer of in_port. A switch receives it by its control_in();
	 * an endpoint interprets it as SW_CONTROL_PAUSE or SW_CONTROL_GO. The word leaves at `when` and takes the
	 * cable's latency. */
	void (*control)(struct sw_call *call, uint32_t in_port, const struct sw_link_end *end, uint64_t word,
	                uint64_t when);
	/* Returns the key, which determines the order at one instant, of an event that the model sends to itself (by
	 * sim_send to call->lp). Phases 4 to 7 belong to the model: such an event follows all arrivals (phases 1 to 3)
	 * of its instant. */
	uint64_t (*key)(struct sw_call *call, unsigned phase);
	/* Returns the state of the sending end of the link at a network port. Only with common->wires, for
	 * switch/links/pass.c. */
	struct sw_wire *(*wire)(struct sw_call *call, uint32_t port);
};

/* Control words that host_ops.control() sends to an endpoint. A paused endpoint starts no packet, except packets of
 * common->lossy_classes, until it receives SW_CONTROL_GO. */
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

/* Description of a packet that waits for credits, for the report of a stalled run. */
struct sw_waiting {
	uint32_t out, in_port;
	uint8_t vc, in_vc; /* lanes, of `out` and of in_port */
	uint8_t job;
	bool moving; /* the packet waits for something other than credits (for example a grant or a clock edge), so that
	                it cannot be part of a deadlock. Also set if `out` is a terminal port */
	uint32_t bytes;
	uint64_t since;
	/* The output, VC and size of the packet itself, if these differ from `out`, `vc` and `bytes`: if it waits
	 * behind another packet, whose needs those are, or if it has left its input buffer, in which case `bytes` is 0.
	 * size = 0: they do not differ. */
	uint32_t own_out, size;
	uint8_t own_vc;
};

/* Configuration keys of a traffic class that a model supports: bits of sw_ops.classes.honours. */
enum {
	SW_HONOURS_PRIORITY = 1 << 0,
	SW_HONOURS_MIN_BANDWIDTH = 1 << 1, /* and sw_common.sharing */
	SW_HONOURS_MAX_BANDWIDTH = 1 << 2,
};

/* What packets wait for at a link between switches in a switch model. */
enum sw_waits {
	SW_WAITS_BY_VC,   /* credits of its VC: the proof of freedom from deadlock is per (link, VC) */
	SW_WAITS_BY_LINK, /* all packets of a link for each other: one VC, and the proof is per link */
	SW_WAITS_NEVER,   /* nothing that depends on another switch: one VC, and nothing to prove */
};

/* Optional parts of a model, in groups. Each function pointer may be NULL unless its comment says otherwise. */
struct sw_memory_ops {
	void (*destroy)(struct sw_common *common);
	/* Frees memory that the switch has allocated in addition to its block. */
	void (*fini)(const struct sw_common *common, void *state);
};

struct sw_timing_ops {
	/* Called for an event that the switch model has sent to itself. */
	void (*event)(struct sw_call *call, const struct sim_event *event);
	/* Called before each event of the LP, including events of endpoints and of published depths. It is for models
	 * that defer decisions, at most until something in the LP could depend on them: run() executes all decisions
	 * that were due before call->now. While it calls the host, call->now is the time at which each was due. NULL:
	 * the model decides in its own events only. */
	void (*run)(struct sw_call *call);
	/* Credits will arrive at an unknown time in the next `window` ps, of which nothing has been executed yet. If
	 * the switch's actions until the end of the window do not depend on that time, the function adds the credits
	 * now, without the journal, and returns true. NULL: the model never does that. */
	bool (*credit_early)(const struct sw_common *common, void *state, uint64_t window, uint32_t out, uint8_t lane,
	                     uint32_t bytes);
	/* Returns the minimum ps from the event in which the model calls transmit() or credit() to the time `start` or
	 * `when` that it passes. The run's lookahead is this plus the latency of the shortest link. NULL: 0. */
	uint64_t (*lead)(const struct sw_common *common);
	uint64_t most_time; /* ps; limit of the model's counters; a run that may end later is refused. 0: none */
};

struct sw_prefetch_ops {
	/* Prefetches the state of a port; terminal ports are numbered after the network ports. NULL: there is nothing
	 * to prefetch. */
	void (*prefetch)(const struct sw_common *common, const void *state, uint32_t port);
	/* Prefetches all state that is needed for a packet from in_port to `out`, on VC `vc` of the link there. NULL:
	 * there is nothing to prefetch. */
	void (*prefetch_way)(const struct sw_common *common, const void *state, uint32_t in_port, uint32_t out,
	                     uint8_t vc);
};

struct sw_link_ops {
	/* Returns the bytes of input buffer of a terminal port. NULL: as many as buffer_share() returns. */
	uint32_t (*terminal_share)(const struct sw_common *common);
	/* Called when a control word has arrived that the peer of network port `out` sent by host_ops.control(). May be
	 * NULL if the model sends none. */
	void (*control_in)(struct sw_call *call, uint32_t out, uint64_t word);
	/* Called, with common->flow_channels, when a control frame passes the switch that instructs endpoint `src` to
	 * send to endpoint `dst` at a pace, in ps per byte with 16 fractional bits (0: no limit any more), until a time
	 * in ps. */
	void (*hold_flow)(struct sw_call *call, uint32_t src, uint32_t dst, uint64_t pace_q16, uint64_t until);
	/* Called, with common->ack_bytes, when an acknowledgement has arrived at in_port. Returns the time at which it
	 * enters the row bus of acknowledgements. If that is later than call->now, the host sends itself an event for
	 * that time, and calls ack_crosses() then. NULL: acknowledgements never wait inside a switch. */
	uint64_t (*ack_enters)(struct sw_call *call, uint32_t in_port);
	/* Called when an acknowledgement is on the row bus. Without contention it would reach the link of `out` at
	 * `ready`; returns when it does reach it. Calls are in the order of the times on the row bus. NULL if
	 * ack_enters is NULL. */
	uint64_t (*ack_crosses)(struct sw_call *call, uint32_t in_port, uint32_t out, uint64_t ready);
	/* Returns which credits may be withheld from the outputs of a switch with this number of ports, including
	 * terminals. Only with common->hold_within. */
	struct sw_hold (*hold)(const struct sw_common *common, uint32_t ports);
	/* Returns the ps from the time at which a packet of this size takes credits of a link to the time at which they
	 * are free for another packet, without contention, and without the latency of the cable, which has to be added
	 * twice. NULL: unknown. */
	uint64_t (*credit_loop)(const struct sw_common *common, unsigned link, uint32_t bytes);
	/* Returns what packets wait for at a link. Called before build(), so the result must depend on the parameters
	 * only. NULL: SW_WAITS_BY_VC. */
	enum sw_waits (*waits)(const void *params);
	bool turns;  /* supports SW_MAY_TURN; without it routings with ops->turn are refused */
	bool frames; /* supports sw_link.gap and counts credits by sw_bytes_on(); without it framing is refused */
	bool kinds;  /* supports common->kinds: gaps by sw_pass() or sw_link_for_job(); without it classes[].framing is
	                refused */
	bool wires;  /* supports common->wires; without it lanes that fail, bit errors and retry buffers are refused */
};

struct sw_depth_ops { /* what routing may ask for; with common->track_queues queue_bytes() is required */
	/* Returns the bytes queued for a network output over all VCs, including packets that are being transmitted.
	 * Only with common->track_queues. */
	uint64_t (*queue_bytes)(const void *state, uint32_t out, uint64_t now);
	/* Sets bytes[i] = queue_bytes(state, out[i], now) for all i < n. */
	void (*queue_bytes_each)(const void *state, const uint32_t *out, uint32_t n, uint64_t now, uint64_t *bytes);
	/* Returns the outputs (bits, output number modulo 64) for which queue_bytes() may be nonzero. NULL: it may be
	 * for all. */
	uint64_t (*queues)(const void *state, uint64_t now);
	/* Returns the bytes granted to a network output, over all VCs, whose credits have not returned at `now`. Only
	 * with common->count_credits. NULL: routings with rt.by_credits are refused. */
	uint64_t (*used_credits)(const void *state, uint32_t out, uint64_t now);
};

struct sw_class_ops {     /* classes of traffic */
	bool lanes;       /* every traffic class has lanes of its own; without it all share the VCs */
	unsigned honours; /* SW_HONOURS_*: other keys of classes are refused; 0: all that differ from the default */
	/* With several traffic classes: returns how many VCs each class needs for each VC of the routing, so that its
	 * share and priority are kept. If the number of VCs is "auto", the network has that many; if fewer are
	 * configured, there is a warning. NULL: 1. */
	uint32_t (*class_vcs)(const void *params);
	/* Called for each traffic class whose configuration requests that it is lossless, or lossy, before the
	 * parameters are checked; the function may record the request in *params. Returns NULL if that is possible,
	 * else the reason why not, as a sentence about the model. A model with this function, and with waits() by link,
	 * drops packets for which sw_may_lose() is true, and pauses of a sender do not apply to these packets. May be
	 * NULL: all classes are treated alike. */
	const char *(*lossless)(void *params, bool lossless);
};

struct sw_estimate_ops { /* for rules of defaults and the estimate of memory */
	/* Returns the ps that the head of a packet takes through an idle switch. NULL: 100 ns. */
	uint64_t (*traversal)(const struct sw_common *common);
	/* Returns the bytes that a switch has allocated in addition to its block when up to `passing` packets have been
	 * in it at a time, and in addition up to `waiting` packets without credits. NULL: none. */
	size_t (*kept_bytes)(const struct sw_common *common, uint32_t passing, uint32_t waiting);
	/* Returns how many ps before its departure a packet is passed to the host, because the departure is certain by
	 * then. NULL: 0. */
	uint64_t (*certain)(const struct sw_common *common);
	/* Returns the maximum number of its own events that a switch has pending for each of its ports, however many
	 * packets wait there; for example one event of an arbiter, for its next decision. NULL: there is one event for
	 * each waiting packet. */
	uint32_t (*port_events)(const struct sw_common *common);
};

struct sw_instrument_ops { /* what is read at the end of a run */
	/* Called at the end of a run, at time `now`: adds the switch's counts to the sums in *tally, and raises the
	 * maxima there. NULL: the model counts nothing. */
	void (*tally)(const struct sw_common *common, const void *state, uint64_t now, struct sw_tally *tally);
	/* The descriptions of the model's instruments, n of them; NULL: there are none. */
	const struct sw_instrument *list;
	uint32_t n;
	/* Sets rows, columns, per_tile and place of *table; the array `place` must live as long as common->impl. NULL:
	 * the model has no tiles. */
	void (*tiles)(const struct sw_common *common, struct sw_instruments *table);
	/* Writes the readings of a switch with instruments to words[], which has sw_instrument_at(table, table->n)
	 * words and is all zero; words of ports that the switch does not have are left unchanged. */
	void (*read)(const struct sw_common *common, const void *state, const struct sw_instruments *table,
	             uint64_t *words);
};

struct sw_ops {
	/* These are required. */
	/* Checks the parameters, and fills common->impl if the model needs derived constants. Returns 0, or -1 with
	 * errors. */
	int (*build)(struct sw_common *common, struct base_errors *errors);
	size_t (*state_bytes)(const struct sw_common *common); /* the block is aligned to 64 */
	void (*init)(const struct sw_common *common, void *state, const struct sw_place *place);
	/* true: packet_in() is called when the last bit of a packet has arrived; false: when the first bit has
	 * arrived. */
	bool (*store_and_forward)(const struct sw_common *common);
	/* Called when a packet has arrived at an input; the function may change *p. */
	void (*packet_in)(struct sw_call *call, uint32_t in_port, struct sw_packet *p);
	/* Called when credits for a lane of an output have arrived. */
	void (*credit_in)(struct sw_call *call, uint32_t out, uint8_t lane, uint32_t bytes);
	/* Visits the logical state, inside and outside the block, including the state that init() created in the links'
	 * ends, but not addresses of allocated memory. For --audit, and for migration to another rank, where init() was
	 * called without the links' ends. The numbers of a pool must be visited before its records. */
	void (*regions)(const struct sw_common *common, void *state, void (*visit)(void *arg, void *at, size_t bytes),
	                void *arg);
	/* Returns the bytes of input buffer for each (network port, lane), which are the sender's initial credits. A
	 * shared pool (common->lanes.pool) is not included. */
	uint32_t (*buffer_share)(const struct sw_common *common);
	/* For the checks at the end of a run. credits_out() returns the credits, in bytes, that all network outputs
	 * have taken and that have not returned, minus those that the switch's own inputs withhold (hold.h), modulo
	 * 2^64. each_waiting() visits all packets in the switch that have not been passed to transmit() or eject(). */
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

/* Built-in switch models, declared for files that refer to them by name; experiments/config/builtin.def lists all of
 * them. */
extern const struct base_plugin sw_ideal, sw_tiled, sw_output_queued, sw_crossbar;

#endif

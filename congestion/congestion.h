/* congestion/congestion.h - endpoint congestion control, as a plug-in: decides when an endpoint may send to a
 * destination.
 *
 * A scheme has two sides. At the source it keeps a few words for every destination that the endpoint has traffic for (a
 * pair), is called before every packet, and receives acknowledgements and control frames. At the receiver's switch it
 * keeps a few words for every terminal output (a sink), or with cc_ops.receiver.by_class for every traffic class there,
 * and for every source that has packets there (a contributor); it is called when packets arrive and when the endpoint
 * has received them, and may send control frames to sources. The two sides have no other information: all information
 * about the other side has travelled through the network.
 *
 * A scheme's words belong to the logical process. The network saves them before each call, so a scheme writes them
 * directly; it has no other state, allocates nothing, and draws no random numbers. Bytes are those of a frame on the
 * terminal link including the gap after it, times are ps. All functions may be called by several threads at once. */
#ifndef CONGESTION_CONGESTION_H
#define CONGESTION_CONGESTION_H

#include "base/error.h"
#include "base/plugin.h"
#include "sim/sim.h"

enum {
	CC_WANTS_ACKS = 1 << 0,  /* an acknowledgement of every packet: cc_pair.in_flight, acked() */
	CC_WANTS_SINKS = 1 << 1, /* arrives(), leaves(), tick(), control() */
	CC_WANTS_RTT = 1 << 2,   /* cc.rtt, cc_pair.rtt, cc_pair.cables */
	/* asks(), requested(), tick(), control(). Without CC_WANTS_SINKS the receiver's side then runs on the
	 * receiver's NIC, and its frames occupy the endpoint's link, too. */
	CC_WANTS_REQUESTS = 1 << 3,
};
#define CC_HAS_RECEIVER (CC_WANTS_SINKS | CC_WANTS_REQUESTS)

/* Requirements of a scheme on the network; a network that does not meet them is refused. */
enum {
	CC_NEEDS_LOSSLESS = 1 << 0, /* packets are never dropped or trimmed */
	CC_NEEDS_ECN = 1 << 1,      /* switches mark packets */
	/* no class has a minimum, a maximum or a priority: the scheme's sources ignore them, so that several classes
	 * share by their numbers of sources, or by their delays */
	CC_NEEDS_EQUAL_CLASSES = 1 << 2,
};

struct cc_ops;

/* An instance of a scheme in one network. */
struct cc {
	const struct cc_ops *ops;
	const struct base_plugin *plugin;
	const void *params;
	uint64_t ps_per_byte_q16; /* of the terminal links, 16 fractional bits */
	uint32_t max_frame;       /* bytes of the largest frame on them, including its gap */
	uint32_t header;          /* bytes of it that are not payload */
	uint64_t rtt;     /* ps; of the largest frame and its acknowledgement on the longest path without load */
	bool trims;       /* switches trim packets; else, if lossy, they drop them */
	bool retry;       /* lost packets are retransmitted */
	bool drops;       /* packets may be lost without notice: dropped, or corrupted (nic.loss) */
	uint64_t word[8]; /* the scheme's own constants, written by build() */
};

#define CC_PAIR_WORDS 20u

struct cc_pair {
	uint32_t in_flight; /* bytes sent, and neither acknowledged nor lost; with CC_WANTS_ACKS, else 0. Set by the
	                       network */
	uint32_t last;      /* bytes of the frame sent last. Set by the network */
	uint64_t rtt;       /* ps; as cc.rtt, for this pair; with CC_WANTS_RTT, else 0. Set by the network */
	uint32_t cables;    /* on its minimal path; likewise */
	uint32_t active;    /* pairs of this endpoint that are about to send, for asks(). Set by the network */
	uint64_t waiting;   /* bytes of waiting frames, new and lost ones; with CC_WANTS_REQUESTS, else 0. For traffic
	                       sources, not processes, only those that the NIC has accepted. Set by the network */
	uint32_t again;     /* lost packets that wait for retransmission. Set by the network */
	uint32_t sent;      /* number of the next new packet, with cc_ops.recovery.recovers. Set by the network */
	uint64_t word[CC_PAIR_WORDS]; /* 0 when the pair is opened; only the first cc_ops.pair_words exist */
};

struct cc_ack {
	uint32_t bytes;
	bool marked;    /* the packet met congestion, as marked by switches with ECN */
	uint8_t copies; /* copies sent before the one that has arrived, or in lost() was lost; CC_COPIES_UNKNOWN: that
	                   many or more, or a duplicate acknowledgement */
	bool probe;     /* it acknowledges a probe, which has no payload and is not counted in copies */
	uint64_t sent;  /* when the first bit of that copy left the source: now - sent is its round trip */
};
#define CC_COPIES_UNKNOWN 255u

enum cc_loss {
	CC_LOSS_TRIMMED, /* the receiver got its header */
	CC_LOSS_TIMEOUT, /* no acknowledgement before the timeout */
	CC_LOSS_FOUND,   /* recover() has reported it */
};

/* State of a pair, for a scheme that detects losses itself. Packets are numbered in the order of their first
 * transmission. */
struct cc_gap {
	uint32_t acked;    /* the first packet that the receiver had not received when it acknowledged */
	uint32_t beyond;   /* packets received after that one */
	bool more;         /* new data is waiting */
	uint32_t from, to; /* result of recover(): all packets in [from, to) that are not acknowledged, and do not wait
	                      for retransmission, are lost */
};

struct cc_frame { /* a control frame: its words are defined by the scheme */
	uint64_t word[3];
	/* Also read by switches with flow channels (switch/flows.h) on its path: until this time, ps, the source is to
	 * send at this pace, ps per byte with 16 fractional bits. 0: no limit any more, or no information. For frames
	 * from the receiver's side. */
	uint64_t pace_q16, until;
};

struct cc_contributor {
	uint64_t word[4]; /* initially 0 */
	uint32_t src;     /* endpoint. This and the following are set by the network */
	uint32_t backlog; /* bytes at the receiver's switch, or on the link to the receiver */
	uint64_t seen;    /* arrival time of its last packet */
};

struct cc_sink {
	uint64_t word[8];      /* initially 0 */
	uint64_t backlog;      /* bytes, over all sources. This and the following are set by the network */
	uint64_t got;          /* bytes that the endpoint has received since the run began */
	uint32_t contributors; /* number of contributor records */
	uint32_t spare;
};

/* Arguments of one call of the receiver's side of a congestion control. */
struct cc_call {
	const struct cc *cc;
	uint64_t now;
	struct cc_sink *sink;
	/* Sends a control frame to a source, on the path of an acknowledgement. */
	void (*send)(struct cc_call *call, uint32_t src, const struct cc_frame *frame);
	/* Schedules tick() at `at` > now; a tick requested before is cancelled. */
	void (*wake)(struct cc_call *call, uint64_t at);
	/* Visits every contributor, in order of arrival; those of an inactive sink in the order of their oldest packets
	 * there. visit() may change its words, and returns whether to keep it; one with a backlog is always kept. */
	void (*each)(struct cc_call *call, bool (*visit)(struct cc_call *call, struct cc_contributor *c));
	/* The first contributor in that order that `wanted` accepts; it becomes the last and may be changed. NULL:
	 * none. */
	struct cc_contributor *(*take_turn)(struct cc_call *call, bool (*wanted)(const struct cc_contributor *c));
	/* Sinks of this endpoint, one per class: with cc_ops.receiver.by_class, if the switch distinguishes classes. */
	uint32_t classes;
	/* Bytes that the endpoint has received since the run began, over all of its sinks. Not for leaves(). */
	uint64_t (*got)(struct cc_call *call);
	/* The share of the link, in 65536ths, that this sink's class gets when it always has data to send, and so do
	 * all classes whose sinks have more than `backlog` bytes or wait for a tick: by minima, priorities, maxima and
	 * the sharing rule. SIZE_MAX: all other classes are idle. */
	uint32_t (*share)(struct cc_call *call, uint64_t backlog);
};

/* Groups of optional functions: each may be NULL unless its comment says otherwise. */
struct cc_source_ops {
	/* Earliest time, at least `now`, at which `bytes` more may be sent; SIM_NEVER: not before an acknowledgement or
	 * a control frame arrives. Called before every packet, and again at the returned time; it processes timers that
	 * have expired meanwhile. NULL: always now. */
	uint64_t (*may_send)(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes);
	bool advances; /* may_send() changes the pair */
	/* Called when a packet of `bytes` begins to leave at `now`; pair->in_flight and pair->last include it. */
	void (*sent)(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes);
	/* Called when an acknowledgement has arrived; pair->in_flight has been reduced before. */
	void (*acked)(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_ack *ack);
	/* Called when a packet was lost and will be retransmitted; pair->in_flight has been reduced before. */
	void (*lost)(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_ack *packet,
	             enum cc_loss how);
	/* A control frame has arrived. The pair may have nothing in flight or waiting. With CC_HAS_RECEIVER. */
	void (*control)(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_frame *frame);
	/* Until a control frame has arrived for a pair may_send() returns now, keep() returns 0, and the state written
	 * by sent() is not used: the network then needs no cc_pair, unless another function requires one. */
	bool from_control;
	/* Until when to keep the state of a pair without traffic; its words are then discarded. SIM_NEVER: to the end
	 * of the run. NULL: not at all. */
	uint64_t (*keep)(const struct cc *cc, const struct cc_pair *pair, uint64_t now);
};

struct cc_recovery_ops {
	/* The scheme detects losses itself, with cc.retry: recover(), probe() and overdue() are called, and must be
	 * defined. Called once, after build(). NULL: it does not. */
	bool (*recovers)(const struct cc *cc);
	/* Called after acked(), for every acknowledgement, also duplicates; gap->from and to are 0. */
	void (*recover)(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_ack *ack,
	                struct cc_gap *gap);
	/* When to send a probe, a frame without payload that is acknowledged at once; SIM_NEVER: not before a packet
	 * leaves or a frame arrives. It leaves then or later, unless a packet may leave. `leaves`: it leaves now. */
	uint64_t (*probe)(const struct cc *cc, struct cc_pair *pair, uint64_t now, bool leaves);
	/* A packet is overdue that had been sent `copies` times before; false: it is not considered lost yet. */
	bool (*overdue)(const struct cc *cc, struct cc_pair *pair, uint32_t number, uint32_t copies);
};

struct cc_request_ops { /* both are required with CC_WANTS_REQUESTS */
	/* Does the source request something from the receiver's side? Called, with CC_WANTS_REQUESTS, when data is
	 * added to the waiting data, when a packet has left, and when a frame has arrived for the pair. true: `frame`
	 * leaves now, on the path of an acknowledgement. */
	bool (*asks)(const struct cc *cc, struct cc_pair *pair, uint64_t now, struct cc_frame *frame);
	/* At the receiver's side, with CC_WANTS_REQUESTS: a frame of asks() has arrived. Returns whether to keep a
	 * contributor without backlog. */
	bool (*requested)(struct cc_call *call, struct cc_contributor *c, const struct cc_frame *frame);
};

struct cc_receiver_ops { /* arrives() and leaves() are required with CC_WANTS_SINKS, tick() with CC_HAS_RECEIVER */
	/* A receiver has a sink per class that its switch distinguishes, instead of one for all. With
	 * CC_HAS_RECEIVER. */
	bool by_class;
	/* Its frames give a pace and a time (struct cc_frame), which switches with flow channels read. */
	bool paces;
	/* Bytes of a sink's backlog up to which arrives() and leaves() have no effect as long as there is no
	 * contributor and no tick is scheduled: then they are not called. Above, contributors are created for the
	 * packets there, and arrives() is called for the last one. Called once, after build(). NULL: they are always
	 * called. */
	uint64_t (*quiet)(const struct cc *cc);
	/* At the receiver's switch, with CC_WANTS_SINKS: a packet has arrived, and is included in the backlogs. */
	void (*arrives)(struct cc_call *call, struct cc_contributor *c, uint32_t bytes);
	/* The endpoint has received a packet, at cc_call.now, and the backlogs no longer include it. It may be reported
	 * later, but before any other event of its sink, and must not send() or wake(). Returns whether to keep a
	 * contributor without backlog. */
	bool (*leaves)(struct cc_call *call, struct cc_contributor *c, uint32_t bytes);
	/* Called at the time that was passed to wake(). Only with CC_HAS_RECEIVER. */
	void (*tick)(struct cc_call *call);
};

struct cc_ops {
	unsigned wants;      /* CC_WANTS_* */
	unsigned needs;      /* CC_NEEDS_* */
	uint32_t pair_words; /* number of words used of cc_pair.word */
	/* Checks the parameters and fills cc->word; called once, before all else. May be NULL. */
	int (*build)(struct cc *cc, struct base_errors *errors);
	struct cc_source_ops source;
	struct cc_recovery_ops recovery;
	struct cc_request_ops requests;
	struct cc_receiver_ops receiver;
};

/* Built-in plug-ins, for files that refer to them by name; experiments/config/builtin.def lists all of them. */
extern const struct base_plugin cc_none, cc_window, cc_slingshot, cc_nscc, cc_dctcp, cc_dcqcn, cc_swift, cc_rccc,
    cc_lasthop;

#endif

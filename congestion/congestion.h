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
	/* The network calls asks(), requested(), tick() and control(). If CC_WANTS_SINKS is not set, the receiver's
	 * side runs on the receiver's NIC instead of its switch, and its control frames occupy the endpoint's link,
	 * too. */
	CC_WANTS_REQUESTS = 1 << 3,
};
#define CC_HAS_RECEIVER (CC_WANTS_SINKS | CC_WANTS_REQUESTS)

/* Requirements of a scheme on the network; a network that does not meet them is refused. */
enum {
	CC_NEEDS_LOSSLESS = 1 << 0, /* packets are never dropped or trimmed */
	CC_NEEDS_ECN = 1 << 1,      /* switches mark packets */
	/* No traffic class may have a minimum, a maximum or a priority, because the scheme's sources do not know them:
	 * several classes share a link in proportion to their numbers of sources, or according to their delays. */
	CC_NEEDS_EQUAL_CLASSES = 1 << 2,
};

struct cc_ops;

/* A congestion control scheme in one network, with its parameters and constants. */
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
	uint32_t in_flight; /* Bytes sent that are neither acknowledged nor lost; 0 without CC_WANTS_ACKS. Set by the
	                       network */
	uint32_t last;      /* bytes of the frame sent last. Set by the network */
	uint64_t rtt;       /* ps; as cc.rtt, for this pair; with CC_WANTS_RTT, else 0. Set by the network */
	uint32_t cables;    /* on its minimal path; likewise */
	uint32_t active;    /* pairs of this endpoint that are about to send, for asks(). Set by the network */
	uint64_t waiting;   /* Bytes of frames that wait to be sent: new ones, and lost ones to be retransmitted; 0
	                       without CC_WANTS_REQUESTS. Where the traffic comes from a source, not a process, only
	                       frames that the NIC has accepted count. Set by the network */
	uint32_t again;     /* lost packets that wait for retransmission. Set by the network */
	uint32_t sent;      /* number of the next new packet, with cc_ops.recovery.recovers. Set by the network */
	uint64_t word[CC_PAIR_WORDS]; /* 0 when the pair is opened; only the first cc_ops.pair_words exist */
};

struct cc_ack {
	uint32_t bytes;
	bool marked; /* the packet met congestion, as marked by switches with ECN */
	/* Number of copies of the packet that were sent before the acknowledged copy or, in lost(), before the lost
	 * one; CC_COPIES_UNKNOWN: that many or more, or the acknowledgement is a duplicate. */
	uint8_t copies;
	bool probe;    /* it acknowledges a probe, which has no payload and is not counted in copies */
	uint64_t sent; /* when the first bit of that copy left the source: now - sent is its round trip */
};
#define CC_COPIES_UNKNOWN 255u

enum cc_loss {
	CC_LOSS_TRIMMED, /* the receiver got its header */
	CC_LOSS_TIMEOUT, /* no acknowledgement before the timeout */
	CC_LOSS_FOUND,   /* recover() has reported it */
};

/* State of a pair, for a scheme that detects losses itself. Packets of a pair are numbered in the order of their first
 * transmission. */
struct cc_gap {
	uint32_t acked;    /* the first packet that the receiver had not received when it acknowledged */
	uint32_t beyond;   /* packets received after that one */
	bool more;         /* new data is waiting */
	uint32_t from, to; /* result of recover(): the packets in [from, to) are lost, except those that are
	                      acknowledged or wait for retransmission */
};

struct cc_frame { /* a control frame: its words are defined by the scheme */
	uint64_t word[3];
	/* A pace for the source, in ps per byte with 16 fractional bits (0: no limit any more, or no information), and
	 * the time in ps until which it applies. Switches with flow channels (switch/flows.h) on the frame's path read
	 * them, too. Only in frames from the receiver's side. */
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
	/* Calls visit() for every contributor, in order of arrival; if the sink was inactive so far, in the order of
	 * their oldest packets there. visit() may change the contributor's words, and returns whether to keep it; a
	 * contributor with a backlog is always kept. */
	void (*each)(struct cc_call *call, bool (*visit)(struct cc_call *call, struct cc_contributor *c));
	/* Returns the first contributor, in the order of each(), for which `wanted` returns true, and moves it to the
	 * end of that order; the caller may change it. NULL: there is none. */
	struct cc_contributor *(*take_turn)(struct cc_call *call, bool (*wanted)(const struct cc_contributor *c));
	/* Number of sinks of this endpoint: one per traffic class with cc_ops.receiver.by_class, if the switch
	 * distinguishes classes; otherwise 1. */
	uint32_t classes;
	/* Bytes that the endpoint has received since the run began, over all of its sinks. leaves() must not call
	 * it. */
	uint64_t (*got)(struct cc_call *call);
	/* The share of the link, in 65536ths, that this sink's class gets by minima, priorities, maxima and the sharing
	 * rule while it always has data to send, and so do all classes whose sinks have more than `backlog` bytes or
	 * wait for a tick. SIZE_MAX: all other classes are assumed to be idle. */
	uint32_t (*share)(struct cc_call *call, uint64_t backlog);
};

/* Optional functions, in groups: each pointer may be NULL unless its comment says otherwise. */
struct cc_source_ops {
	/* Returns the earliest time, at least `now`, at which `bytes` more may be sent; SIM_NEVER: not before an
	 * acknowledgement or a control frame arrives. The network calls it before every packet, and again at the
	 * returned time. The function also processes timers of the scheme that have expired since the last call. NULL:
	 * sending is always allowed. */
	uint64_t (*may_send)(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes);
	bool advances; /* may_send() changes the pair */
	/* Called when a packet of `bytes` begins to leave at `now`; pair->in_flight and pair->last include it. */
	void (*sent)(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes);
	/* Called when an acknowledgement has arrived; pair->in_flight has been reduced before. */
	void (*acked)(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_ack *ack);
	/* Called when a packet was lost and will be retransmitted; pair->in_flight has been reduced before. */
	void (*lost)(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_ack *packet,
	             enum cc_loss how);
	/* Called when a control frame for the pair has arrived. The pair may have nothing in flight and nothing
	 * waiting. Only with CC_HAS_RECEIVER. */
	void (*control)(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_frame *frame);
	/* true: as long as no control frame has arrived for a pair, may_send() returns now, keep() returns 0, and the
	 * state written by sent() is not used. Until then the network needs no cc_pair, unless another function
	 * requires one. */
	bool from_control;
	/* Returns the time until which the network keeps the state of a pair without traffic; then it discards the
	 * pair's words. SIM_NEVER: they are kept to the end of the run. NULL: they are discarded at once. */
	uint64_t (*keep)(const struct cc *cc, const struct cc_pair *pair, uint64_t now);
};

struct cc_recovery_ops {
	/* Does the scheme detect losses itself, if cc.retry is set? Then recover(), probe() and overdue() must be
	 * defined, and are called. Called once, after build(). NULL: it does not. */
	bool (*recovers)(const struct cc *cc);
	/* Called after acked(), for every acknowledgement, including duplicates. gap->from and gap->to are 0 at first;
	 * the function may set them to the packets that are lost. */
	void (*recover)(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_ack *ack,
	                struct cc_gap *gap);
	/* Returns when to send a probe, a frame without payload that the receiver acknowledges at once; SIM_NEVER: not
	 * before a packet leaves or a frame arrives. The probe leaves at that time or later, and only while no packet
	 * may leave. `leaves`: the probe leaves now. */
	uint64_t (*probe)(const struct cc *cc, struct cc_pair *pair, uint64_t now, bool leaves);
	/* Called for packet `number`, sent `copies` times before its last transmission, whose acknowledgement is
	 * overdue. Returns whether it is considered lost. */
	bool (*overdue)(const struct cc *cc, struct cc_pair *pair, uint32_t number, uint32_t copies);
};

struct cc_request_ops { /* both are required with CC_WANTS_REQUESTS */
	/* Does the source send a request to the receiver's side now? Called, with CC_WANTS_REQUESTS, when waiting data
	 * has been added, when a packet has left, and when a frame has arrived for the pair. true: the function has
	 * filled `frame`, which leaves now on the path of an acknowledgement. */
	bool (*asks)(const struct cc *cc, struct cc_pair *pair, uint64_t now, struct cc_frame *frame);
	/* Called at the receiver's side, with CC_WANTS_REQUESTS, when a frame from asks() has arrived. Returns whether
	 * to keep a contributor that has no backlog. */
	bool (*requested)(struct cc_call *call, struct cc_contributor *c, const struct cc_frame *frame);
};

struct cc_receiver_ops { /* arrives() and leaves() are required with CC_WANTS_SINKS, tick() with CC_HAS_RECEIVER */
	/* true: a receiver has one sink for each traffic class that its switch distinguishes, instead of one for all
	 * classes. Only with CC_HAS_RECEIVER. */
	bool by_class;
	/* true: the scheme's control frames contain a pace and a time (struct cc_frame), which switches with flow
	 * channels read. */
	bool paces;
	/* Returns a backlog in bytes: while a sink has no contributor and no scheduled tick, and its backlog is at most
	 * this, the network does not call arrives() and leaves(), which would have no effect. When the backlog exceeds
	 * it, the network creates contributors for all packets there and calls arrives() for the last packet. Called
	 * once, after build(). NULL: arrives() and leaves() are always called. */
	uint64_t (*quiet)(const struct cc *cc);
	/* Called at the receiver's switch, with CC_WANTS_SINKS, when a packet has arrived; the backlogs already include
	 * it. */
	void (*arrives)(struct cc_call *call, struct cc_contributor *c, uint32_t bytes);
	/* Called when the endpoint has received a packet, at time cc_call.now; the backlogs no longer include it. The
	 * call may come later than that time, but before any other event of the sink, and must not call send() or
	 * wake(). Returns whether to keep a contributor that has no backlog. */
	bool (*leaves)(struct cc_call *call, struct cc_contributor *c, uint32_t bytes);
	/* Called at the time that was passed to wake(). Only with CC_HAS_RECEIVER. */
	void (*tick)(struct cc_call *call);
};

struct cc_ops {
	unsigned wants;      /* CC_WANTS_* */
	unsigned needs;      /* CC_NEEDS_* */
	uint32_t pair_words; /* number of words used of cc_pair.word */
	/* Checks the parameters and fills cc->word. Called once, before all other functions. Returns 0, or -1 with
	 * errors. May be NULL. */
	int (*build)(struct cc *cc, struct base_errors *errors);
	struct cc_source_ops source;
	struct cc_recovery_ops recovery;
	struct cc_request_ops requests;
	struct cc_receiver_ops receiver;
};

/* Built-in schemes, declared for files that refer to them by name; experiments/config/builtin.def lists all of them. */
extern const struct base_plugin cc_none, cc_window, cc_slingshot, cc_nscc, cc_dctcp, cc_dcqcn, cc_swift, cc_rccc,
    cc_lasthop;

#endif

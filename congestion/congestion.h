/* congestion/congestion.h - endpoint congestion control, as a plug-in: when may an endpoint send to a destination?
 *
 * A scheme has two sides. At the source it keeps a few words for every destination that the endpoint has traffic for (a
 * pair), is asked before every packet, and receives acknowledgements and control frames. At the
 * switch of the receiver it keeps a few words for every terminal output (a sink), if it wants that
 * (cc_ops.receiver.by_class) for every class of traffic there, and for every source that has packets there (a
 * contributor), sees packets that come and those that the endpoint has got, and may send control frames to sources.
 * Nothing else is known to either side: what one learns of the other has travelled there.
 *
 * A scheme's words belong to the logical process. The network saves them before each call, so a scheme writes them
 * plainly; it has no other state, allocates nothing, and draws no random numbers. Bytes are those of a frame on the
 * terminal link with the gap behind it, times are ps. All functions may be called by several threads at once. */
#ifndef CONGESTION_CONGESTION_H
#define CONGESTION_CONGESTION_H

#include "base/error.h"
#include "base/plugin.h"
#include "sim/sim.h"

enum {
	CC_WANTS_ACKS = 1 << 0,  /* an acknowledgement of every packet: cc_pair.in_flight, acked() */
	CC_WANTS_SINKS = 1 << 1, /* arrives(), leaves(), tick(), control() */
	CC_WANTS_RTT = 1 << 2,   /* cc.rtt, cc_pair.rtt, cc_pair.cables */
	/* asks(), requested(), tick(), control(). Without CC_WANTS_SINKS the receiver's side is then the receiver's
	 * NIC, and its frames take the endpoint's link as well. */
	CC_WANTS_REQUESTS = 1 << 3,
};
#define CC_HAS_RECEIVER (CC_WANTS_SINKS | CC_WANTS_REQUESTS)

/* What a network must be for the scheme; refused where it is not. */
enum {
	CC_NEEDS_LOSSLESS = 1 << 0, /* packets are never dropped or trimmed */
	CC_NEEDS_ECN = 1 << 1,      /* switches mark packets */
	/* no class has a minimum, a maximum or a priority: the scheme's sources do not follow them, and several classes
	 * get what their numbers of sources, or their delays, say */
	CC_NEEDS_EQUAL_CLASSES = 1 << 2,
};

struct cc_ops;

/* A scheme at work in one network. */
struct cc {
	const struct cc_ops *ops;
	const struct base_plugin *plugin;
	const void *params;
	uint64_t ps_per_byte_q16; /* of the terminal links, 16 fractional bits */
	uint32_t max_frame;       /* bytes of the largest frame on them, its gap included */
	uint32_t header;          /* bytes of it that are no payload */
	uint64_t rtt;             /* ps; without load, of the largest frame and its acknowledgement, the longest way */
	bool trims;               /* switches trim packets; else, if lossy, they drop them */
	bool retry;               /* packets that are lost are sent again */
	bool drops;               /* some may be lost without a word: dropped, or damaged (nic.loss) */
	uint64_t word[8];         /* the scheme's own constants, written by build() */
};

#define CC_PAIR_WORDS 20u

struct cc_pair {
	uint32_t
	    in_flight;    /* bytes sent, and neither acknowledged nor lost; with CC_WANTS_ACKS, else 0. The network's */
	uint32_t last;    /* bytes of the frame that was sent last. The network's */
	uint64_t rtt;     /* ps; as cc.rtt, of this pair; with CC_WANTS_RTT, else 0. The network's */
	uint32_t cables;  /* of its minimal way; likewise */
	uint32_t active;  /* pairs of this endpoint that are about to send, for asks(). The network's */
	uint64_t waiting; /* bytes of frames that wait, new ones and those that were lost; with CC_WANTS_REQUESTS, else
	                     0. Of sources, not processes, what the NIC has taken in. The network's */
	uint32_t again;   /* packets that are lost and wait to be sent again. The network's */
	uint32_t sent;    /* number of the next new packet, with cc_ops.recovery.recovers. The network's */
	uint64_t word[CC_PAIR_WORDS]; /* 0 when it is opened; the first cc_ops.pair_words of them are there */
};

struct cc_ack {
	uint32_t bytes;
	bool marked;    /* the packet met congestion, as switches with ECN say */
	uint8_t copies; /* of it that had left before the one that has come, or with lost() is lost; CC_COPIES_UNKNOWN:
	                   as many or more, or it was no news of this packet */
	bool probe;     /* it answers a probe, which has no payload and counts in no copies */
	uint64_t sent;  /* when the first bit of that one left the source: now - sent is its round trip */
};
#define CC_COPIES_UNKNOWN 255u

enum cc_loss {
	CC_LOSS_TRIMMED, /* the receiver got its header */
	CC_LOSS_TIMEOUT, /* nothing came back in time */
	CC_LOSS_FOUND,   /* recover() has said so */
};

/* Of a pair, for a scheme that finds out itself what was lost. Packets are numbered in the order in which they first
 * left. */
struct cc_gap {
	uint32_t acked;    /* number of the first packet that the receiver had not got when it acknowledged */
	uint32_t beyond;   /* packets that it had got behind that one */
	bool more;         /* something new waits */
	uint32_t from, to; /* recover() says: all of [from, to) that are not acknowledged, and do not wait to be sent
	                      again, are lost */
};

struct cc_frame { /* a control frame: what it says is the scheme's own */
	uint64_t word[3];
	/* And what switches with flow channels (switch/flows.h) that it passes read of it: until then, ps, the source
	 * is to send at this pace, ps per byte with 16 fractional bits. 0: no longer, or nothing is said. Of frames
	 * from the receiver's side. */
	uint64_t pace_q16, until;
};

struct cc_contributor {
	uint64_t word[4]; /* 0 when it is made */
	uint32_t src;     /* endpoint. This and the following are the network's */
	uint32_t backlog; /* bytes that are at the receiver's switch, or on the link to the receiver */
	uint64_t seen;    /* when its last packet came */
};

struct cc_sink {
	uint64_t word[8];      /* 0 at first */
	uint64_t backlog;      /* bytes, over all sources. This and the following are the network's */
	uint64_t got;          /* bytes that the endpoint has got since the run began */
	uint32_t contributors; /* that there are records of */
	uint32_t spare;
};

/* One call to the receiver's side. */
struct cc_call {
	const struct cc *cc;
	uint64_t now;
	struct cc_sink *sink;
	/* Sends a control frame to a source: it gets there as an acknowledgement would. */
	void (*send)(struct cc_call *call, uint32_t src, const struct cc_frame *frame);
	/* tick() is to be called at `at` > now; a tick that was asked for before is void. */
	void (*wake)(struct cc_call *call, uint64_t at);
	/* Every contributor, in the order in which they came, those of a quiet sink in that of their oldest packets
	 * that are there; visit() may change its words, and says whether it is to be kept: one with a backlog is,
	 * whatever it says. */
	void (*each)(struct cc_call *call, bool (*visit)(struct cc_call *call, struct cc_contributor *c));
	/* The first in that order that is wanted, which then becomes the last: it may be changed. NULL: none is. */
	struct cc_contributor *(*take_turn)(struct cc_call *call, bool (*wanted)(const struct cc_contributor *c));
	/* Sinks of this endpoint, one for each class: with cc_ops.receiver.by_class, where the switch tells classes
	 * apart. */
	uint32_t classes;
	/* Bytes that the endpoint has got since the run began, over all of its sinks. Not for leaves(). */
	uint64_t (*got)(struct cc_call *call);
	/* The part of the link, of 65536, that this sink's class gets when it always has something to send, and so do
	 * the others whose sinks have more than `backlog` bytes or wait for a tick: by minima, priorities, maxima and
	 * the rule of sharing. SIZE_MAX: all other classes are idle. */
	uint32_t (*share)(struct cc_call *call, uint64_t backlog);
};

/* Groups of what a scheme may have: functions may be NULL, unless it says otherwise. */
struct cc_source_ops {
	/* Earliest time, at least `now`, at which `bytes` more may be sent; SIM_NEVER: not before an
	 * acknowledgement or a control frame comes. Asked before every packet, and at the time that it
	 * said; what has become due meanwhile it works off. NULL: always now. */
	uint64_t (*may_send)(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes);
	bool advances; /* may_send() changes the pair */
	/* `bytes` begin to leave at `now`; pair->in_flight and pair->last count them. */
	void (*sent)(const struct cc *cc, struct cc_pair *pair, uint64_t now, uint32_t bytes);
	/* An acknowledgement has come; pair->in_flight has been lowered. */
	void (*acked)(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_ack *ack);
	/* A packet was lost and will be sent again; pair->in_flight has been lowered. */
	void (*lost)(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_ack *packet,
	             enum cc_loss how);
	/* A control frame has come. There may be nothing in flight or waiting. With CC_HAS_RECEIVER. */
	void (*control)(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_frame *frame);
	/* Until a control frame has come for a pair may_send() says now, keep() says 0, and nothing that sent() notes
	 * is read later: the network does without a cc_pair until then, if nothing else needs one. */
	bool from_control;
	/* Until when a pair without traffic is to be remembered; its words are then gone. SIM_NEVER: to the end of the
	 * run. NULL: not at all. */
	uint64_t (*keep)(const struct cc *cc, const struct cc_pair *pair, uint64_t now);
};

struct cc_recovery_ops {
	/* The scheme finds lost packets itself, with cc.retry: recover(), probe() and overdue() are called, and must be
	 * there. Asked once, after build(). NULL: it does not. */
	bool (*recovers)(const struct cc *cc);
	/* After acked(), of every acknowledgement, whether there was news in it or not; gap->from and to are 0. */
	void (*recover)(const struct cc *cc, struct cc_pair *pair, uint64_t now, const struct cc_ack *ack,
	                struct cc_gap *gap);
	/* When a probe is to be sent, a frame without payload that is acknowledged at once: SIM_NEVER: not before
	 * something leaves or comes. It leaves then or later, unless a packet may. `leaves`: it does so now. */
	uint64_t (*probe)(const struct cc *cc, struct cc_pair *pair, uint64_t now, bool leaves);
	/* A packet is overdue that had been sent `copies` times before; false: it is not taken for lost yet. */
	bool (*overdue)(const struct cc *cc, struct cc_pair *pair, uint32_t number, uint32_t copies);
};

struct cc_request_ops { /* both are required with CC_WANTS_REQUESTS */
	/* Has the source something to tell the receiver's side? Called, with CC_WANTS_REQUESTS, when something has been
	 * added to what waits, when a packet has left, and when something has come for the pair. true: `frame` leaves
	 * now, and gets there as an acknowledgement would. */
	bool (*asks)(const struct cc *cc, struct cc_pair *pair, uint64_t now, struct cc_frame *frame);
	/* At the receiver's side, with CC_WANTS_REQUESTS: a frame of asks() has come. Returns whether a contributor
	 * without backlog is to be kept. */
	bool (*requested)(struct cc_call *call, struct cc_contributor *c, const struct cc_frame *frame);
};

struct cc_receiver_ops { /* arrives() and leaves() are required with CC_WANTS_SINKS, tick() with CC_HAS_RECEIVER */
	/* A receiver has a sink for each class that its switch tells apart, not one for all. With CC_HAS_RECEIVER. */
	bool by_class;
	/* Bytes of a sink's backlog up to which arrives() and leaves() do nothing as long as there is no contributor
	 * and no tick is due: they are not called then. When there are more, contributors are made of the packets that
	 * are there, and arrives() is called for the last one. Called once, after build(). NULL: they are always
	 * called.
	 */
	uint64_t (*quiet)(const struct cc *cc);
	/* At the receiver's switch, with CC_WANTS_SINKS: a packet has come, and is counted in the backlogs. */
	void (*arrives)(struct cc_call *call, struct cc_contributor *c, uint32_t bytes);
	/* The endpoint has got a packet, at cc_call.now, and it is counted in them no more. It may be reported later,
	 * but before anything else of its sink, and must not send() or wake(). Returns whether a contributor without
	 * backlog is to be kept. */
	bool (*leaves)(struct cc_call *call, struct cc_contributor *c, uint32_t bytes);
	/* At the time given to wake(). With CC_HAS_RECEIVER. */
	void (*tick)(struct cc_call *call);
};

struct cc_ops {
	unsigned wants;      /* CC_WANTS_* */
	unsigned needs;      /* CC_NEEDS_* */
	uint32_t pair_words; /* of cc_pair.word that it uses */
	/* Checks the parameters and fills cc->word; called once, before all else. May be NULL. */
	int (*build)(struct cc *cc, struct base_errors *errors);
	struct cc_source_ops source;
	struct cc_recovery_ops recovery;
	struct cc_request_ops requests;
	struct cc_receiver_ops receiver;
};

/* The built-in plug-ins, for experiments/config/builtin.def */
extern const struct base_plugin cc_none, cc_window, cc_slingshot, cc_nscc, cc_dctcp, cc_dcqcn, cc_swift, cc_rccc,
    cc_lasthop;

#endif

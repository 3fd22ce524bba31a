/* sim/engine.h - internal structs and functions of sim/, and which of them owns what. Only files of sim/ include this
 * header.
 *
 * Time is cut into windows of equal width W (usually the lookahead). Because an event for another LP is at least a
 * lookahead away, only the order at one LP matters inside a window. So events are appended, unsorted, to buckets
 * (window, block of LPs); a window is executed block by block, the events of each LP sorted and run together while its
 * state is in the cache.
 *
 *        wheel:  windows  base .. base + slots - 1,  two buckets per block of LPs    (append: O(1))
 *        far:    one list per slots / 2 later windows, distributed over the wheel when it reaches them
 *
 * A bucket is a list of chunks (aligned, a power of two bytes). A record never moves once it is in the wheel, so a
 * rollback may point at it. Chunks are returned to the pool when their block has been run for good (its events will not
 * be undone), at the latest when their window is final.
 *
 * GVT, horizon and stragglers are all expressed as window indices. */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include "sim/sim.h"

#include <sched.h>
#include <stdint.h>
#include <string.h>

#define SIM_WINDOW_NONE UINT64_MAX
#define SIM_FAR_SLOTS 256u
#define SIM_NO_BLOCK UINT32_MAX
/* Chunks that a thread has emptied but that belong to another thread are added to its own free chunks only while it has
 * fewer than this number; otherwise they are left to their owner. Without this limit a thread that executes more events
 * than it sends, as near a hot spot, would collect all chunks, and the other threads would allocate new ones without
 * end. */
#define SIM_ENOUGH_FREE 128
#define SIM_SPINS 200u /* polls without news after which a waiting rank yields its core */

struct sim_chunk {
	struct sim_chunk *next;
	uint32_t used; /* bytes, header included; valid when not the bucket's last chunk */
	uint32_t pad;
	uint64_t align[6];
	unsigned char data[];
};

struct sim_pool {
	struct sim_chunk *free;     /* used before; the most recently freed comes first */
	unsigned char *fresh, *end; /* rest of the last slab: chunks never used */
	size_t chunk_bytes;
	void **slabs;
	size_t nslabs, slab_bytes;
	uint64_t chunks_used; /* peak number in use: fresh chunks are taken only if none is free */
	int64_t nfree;        /* in `free`; counted only if threads share LPs */
};

/* --- speculation: sim/journal.c -------------------------------------------------------------------------- */

struct sim_spec_event {
	struct sim_event *event;
	uint32_t journal_mark, send_mark, commit_mark;
	bool violated;
};

struct sim_spec_send {
	struct sim_event *local; /* the record, if it lies in this rank's wheel */
	sim_time time;
	uint64_t key;
	sim_lpid lp;
	int32_t peer; /* rank to which the event was sent; -1: it was inserted on this rank. If then `local` is NULL,
	                 the event was later than the wheel's windows, and its record is found by (LP, time, key) */
};

/* The events that one logical process has executed speculatively in one window. */
struct sim_batch {
	struct sim_batch *older, *newer; /* of the same LP */
	struct sim_batch *next;          /* of the same window */
	sim_lpid lp;
	uint64_t window;
	struct sim_spec_event *events;
	uint32_t nevents, cap_events;
	struct sim_spec_send *sends;
	uint32_t nsends, cap_sends;
	unsigned char *journal;
	uint32_t njournal, cap_journal;
	unsigned char *commits;
	uint32_t ncommits, cap_commits;
};

struct sim_lp_spec {
	struct sim_batch *newest;
	sim_time last_time; /* of the last executed event that could be undone; valid if newest */
	uint64_t last_key;
};

/* --- sorting and running: sim/batch.c -------------------------------------------------------------------- */

struct sim_own_item {
	sim_time time;
	uint32_t record; /* index in sim_scratch.record; at equal times the lesser key comes first */
};

#define SIM_OWN_SORTED 8u

/* Position up to which the records of the next block have been prefetched; that is done line by line while the current
 * block runs. */
struct sim_stream {
	const unsigned char *at, *end; /* of the chunk */
	const struct sim_chunk *chunk;
	const struct sim_bucket *bucket, *last;
	unsigned member; /* the thread whose wheel is being read */
	uint64_t window;
	uint32_t block;
};

struct sim_scratch {
	struct sim_stream ahead;
	struct sim_event **record; /* [cap] events of a bucket */
	uint64_t *item;            /* [cap] offset in window << 24 | record index */
	uint64_t *sorted;          /* [cap] the same, by LP, then time */
	uint32_t *bin_of;          /* [cap] */
	uint32_t *hint; /* [cap] results of model.prefetch: that of the event sorted[i] is hint[i]; that of an event
	                   that an LP sent to itself is at the index of its record */
	uint32_t cap, nrecords;
	bool deep;                /* far more events are pending than the block's own: see choose_bins() */
	uint32_t ahead_at;        /* the next item at which model.prefetch is called */
	uint32_t fresh, fresh_to; /* fresh: index of the next record of an event that the LP has sent to itself for
	                             which model.prefetch is to be called; fresh_to: index after the records sent before
	                             the LP's last event */
	struct sim_event **early,
	    **early_sorted; /* [cap_early] short events that the model may handle before the others */
	uint32_t cap_early;
	uint32_t *bin; /* [cap_bins + 1] */
	uint32_t cap_bins;
	uint32_t *early_bin; /* [LPs of a block + 2] */
	/* Events that the LP being run has sent to itself for the current window. own[own_first] up to, but not
	 * including, own[own_end] are in order; all events after these are in a heap. If there is no such event,
	 * own_end and nheap are 0. */
	struct sim_own_item own[SIM_OWN_SORTED];
	sim_time own_time; /* of the first of these events, SIM_NEVER if there is none */
	uint32_t own_first, own_end;
	struct sim_own_item *heap;
	uint32_t nheap, cap_heap;
	const struct sim_event
	    *tied; /* this event and another of its LP have the same time and key; NULL: none so far */
};

/* --- MPI streams: sim/transport.c ------------------------------------------------------------------------ */

enum sim_token {
	SIM_TOKEN_NONE,
	SIM_TOKEN_LAST,
	SIM_TOKEN_CUT,
	SIM_TOKEN_STEP, /* round << 8 | step, of conservative.c */
	SIM_TOKEN_BYTES /* bytes that are not events, for sim_transport_read() */
};

struct sim_message {    /* a buffer as sent: header, then event records */
	uint32_t bytes; /* of records */
	uint32_t token; /* enum sim_token, takes effect after the records */
	uint64_t value;
	uint64_t round;
	uint64_t flags;
	unsigned char data[];
};

struct sim_transport;

struct sim_outlet { /* the buffer being filled for a peer; both NULL: none */
	unsigned char *at, *end;
};

struct sim_transport *sim_transport_create(struct sim_engine *e);
void sim_transport_destroy(struct sim_transport *t);
/* The slow path of sim_transport_record(): the peer's buffer is full or does not exist yet. Returns space for a record
 * of `bytes` bytes. */
struct sim_event *sim_transport_next(struct sim_transport *t, int peer, size_t bytes);
/* Sends the records that are buffered for `peer` as a message that ends with a token; value, round and flags are the
 * token's. */
void sim_transport_token(struct sim_transport *t, int peer, enum sim_token token, uint64_t value, uint64_t round,
                         uint64_t flags);
/* Delivers all messages that have arrived: each record is filed directly, or by sim_receive() in special cases;
 * sim_receive_token() handles each token. Returns the number of messages handled. */
unsigned sim_transport_poll(struct sim_transport *t);
/* Creates the transport of a thread other than the first one of a rank. Only the first thread calls MPI, by the
 * transport `first`; the other threads fill messages with events, which the first thread sends. The first thread
 * creates and destroys all transports, its own last. */
struct sim_transport *sim_transport_of_thread(struct sim_engine *member, struct sim_transport *first);
/* Called by a thread other than the first: passes the buffers that it has filled to the first thread. */
void sim_transport_hand_over(struct sim_transport *t);
/* Called by the first thread: sends the buffers that the others have passed to it. */
void sim_transport_collect(struct sim_transport *t);
/* Inserts the events of one received message into the calling thread's event queue. Returns false if there is no such
 * message. */
bool sim_transport_file(struct sim_transport *t);
/* Has a message arrived that sim_transport_poll() would deliver? */
bool sim_transport_waiting(struct sim_transport *t);
/* The following functions transfer bytes that are not events, while no event is in flight. The peer must read exactly
 * as many bytes as are written. write() buffers bytes and does not wait for the reader; write_end() sends what is still
 * buffered; write_out() waits until everything written has been sent; read() waits until n bytes have arrived. */
void sim_transport_write(struct sim_transport *t, int peer, const void *bytes, size_t n);
void sim_transport_write_end(struct sim_transport *t, int peer);
void sim_transport_write_out(struct sim_transport *t);
void sim_transport_read(struct sim_transport *t, int peer, void *bytes, size_t n);
/* Allgather: all[ranks] receives every rank's bytes. Collective. */
void sim_transport_share(struct sim_transport *t, const void *mine, size_t bytes, void *all);
/* Delivers all messages that this rank has sent to itself, which it does in the stress mode. */
void sim_transport_settle(struct sim_transport *t);

/* The message received in one step of a dissemination (conservative.c), in which every rank receives from one other
 * rank. */
struct sim_step_report {
	uint64_t round, value, flags;
};
#define SIM_STEPS 32u

struct sim_peer { /* state of GVT rounds with a peer */
	bool exists;
	bool sent_to;          /* events have been sent there */
	bool sends;            /* its CUTs say that it has sent events to us: sim_exchange() */
	uint64_t cut_round;    /* last CUT received from it */
	uint64_t cut_value[2]; /* by parity of the round: a peer may be one ahead of us */
	uint64_t cut_flags[2];
	uint64_t last_round; /* the same for LAST */
	uint64_t last_value[2];
	uint64_t last_flags[2];
};

struct sim_gvt {
	uint64_t round; /* of the current cut; 0: none yet */
	bool active;
	uint64_t bound; /* what this rank contributed to it */
	uint64_t flags; /* OR of all ranks' end requests, valid when the round has ended */
	uint64_t gvt;   /* window before which everything is final on all ranks */
	uint32_t since; /* windows executed since the last round */
	/* Used with more than few_cut ranks. step: current step of the dissemination; step_sent: its message has been
	 * sent; whole: this round or, between rounds, the next one involves all ranks, not only neighbours;
	 * sent_before: the least window among events sent before the last CUT. */
	unsigned step;
	bool step_sent, whole;
	uint64_t sent_before;
};

struct sim_balancing {
	bool on;
	uint64_t due;          /* cycles: when rank 0 will start the next rebalancing */
	uint64_t sent_bytes;   /* of the LPs that migrated away */
	uint64_t cost, moved;  /* cycles so far, and LPs that crossed this rank's border */
	uint64_t busy, events; /* of this rank, at the last rebalancing */
	uint64_t times, gvt;   /* possible rebalancings so far; GVT at the last one */
};

struct sim_team;

struct sim_thrash { /* detection of rollback thrashing: steps.c */
	bool on;
	uint64_t undone_before; /* events_rolled_back when GVT last advanced */
	uint64_t standing;      /* maximum number of speculative, not undone events since */
	uint64_t looked;        /* records of blocks gathered speculatively since */
};

struct sim_straggler {
	sim_time time;
	uint64_t key;
	sim_lpid lp;
};

struct sim_engine {
	struct sim_ctx ctx; /* first, because handlers get its address */
	struct sim_config config;
	struct sim_model model;
	struct base_errors *errors;
	int rank, ranks;
	uint64_t owner_factor;           /* ranks / total LPs, in 2^-32: sim_owner() */
	sim_time width;                  /* W */
	uint64_t end_window;             /* first window whose start is >= the end of this leg (from pause to pause) */
	uint64_t final_window;           /* the same for the end of the run */
	bool safe_windows;               /* W <= lookahead */
	uint32_t lp_capacity;            /* LPs from ctx.base on that fit into this rank's tables */
	uint32_t block_first, block_end; /* blocks with LPs of this rank */

	/* [members] engines of the rank's threads, whose wheels together hold the events of the rank; without threads
	 * only this engine */
	struct sim_engine **member;
	struct sim_bucket **wheels; /* [members] the wheels of these engines; each engine has a copy of its own, because
	                               cache lines that other threads write are slow to read */
	unsigned members, thread;
	struct sim_team *team;
	uint32_t next_block; /* with threads: the block that this thread has taken to run next, SIM_NO_BLOCK if none */
	struct sim_engine *alone;
	bool pooled; /* rank 0 runs all LPs, with a thread on the cores of every other rank */

	struct sim_pool pool;
	uint32_t slots;
	uint64_t base;      /* first window that the wheel holds */
	uint64_t limit;     /* first window after it */
	uint64_t *nonempty; /* bitmap [slots]: a bucket of the window has a chunk */
	struct sim_bucket far[SIM_FAR_SLOTS];
	uint64_t far_base;        /* index (window / (slots / 2)) of the first far list */
	struct sim_bucket fresh;  /* events that LPs of the block being run have sent to themselves for this window */
	struct sim_bucket beyond; /* later than all far slots */
	uint64_t beyond_min;
	struct sim_index **index; /* [slots] of windows in which records have been searched: find.c */

	/* running */
	uint64_t window; /* being executed */
	sim_time window_start;
	sim_lpid lp; /* being executed */
	bool in_handler, initial;
	sim_time own_until; /* events that an LP sends to itself for a time before own_until are kept in sim_scratch.own
	                       instead of the wheel; 0: all events are put into the wheel */
	struct sim_scratch scratch;

	/* optimistic */
	bool optimistic;
	uint64_t low;                /* no pending event lies in a window before it */
	uint64_t spec_max;           /* highest window that was (partly) executed */
	uint64_t touched;            /* highest window that may hold records executed speculatively, or cancelled */
	unsigned char *clean;        /* [slots * blocks] nothing pending in this bucket */
	struct sim_lp_spec *lp_spec; /* [count] */
	struct sim_batch **window_batches; /* [slots] */
	struct sim_batch *free_batches;
	struct sim_batch *batch;          /* being written */
	struct sim_straggler *stragglers; /* to be handled after the current block */
	uint32_t nstragglers, cap_stragglers;
	uint32_t low_block; /* blocks before it have nothing pending in window `low` */
	uint64_t rng; /* state of random decisions in stress mode: they change the schedule only, never a result */
	uint64_t allowance, budget; /* speculative blocks per GVT round, and what is left of them */
	uint64_t spec_since, rolled_since;
	uint64_t patience, idle_since; /* in cycles. patience: cost of a speculative block; idle_since: the time since
	                                  which this rank has had no safe work, 0 if it has some */

	/* audit */
	bool dry; /* sends are hashed, not delivered */
	uint64_t send_hash;
	unsigned char *dry_record;
	struct sim_audit {
		unsigned char *before; /* [cap] */
		size_t cap;
		/* Bytes compared so far beyond the allowance of AUDIT_EACH bytes per event: `owed` for LPs, by kind of
		 * event, and owed_shared for shared memory. */
		size_t owed[UINT8_MAX + 1], owed_shared;
		uint64_t events;
	} audit;

	struct sim_transport *transport;
	struct sim_outlet *outlet; /* [ranks], the transport's */
	unsigned spins;            /* polls without news after which a waiting rank yields its core */
	struct sim_peer *peers;    /* [ranks] */
	struct sim_step_report step_report[2][SIM_STEPS]; /* by parity of the round */
	int few, few_cut; /* maximum number of ranks in a run in which all ranks send to all directly: `few` at the end
	                     of a window, few_cut in a GVT round; runs of more ranks use dissemination */
	bool new_peers;   /* sent_to has become true of some peer since the last round */
	struct sim_gvt gvt;
	struct sim_thrash thrash;
	struct sim_balancing balancing;

	struct sim_counters count;
	bool failed;
	enum sim_wish wish; /* this rank's */
	bool end_with_leg;  /* a request to end at a pause is honoured at the end of the leg */
	bool asked;         /* all ranks know that some rank requests SIM_END_AT_PAUSE */
	bool stopped;       /* the run has ended on request */
	uint64_t
	    partial_window; /* the window that `end` cuts, or SIM_WINDOW_NONE: its events after `end` stay pending */
	sim_time reached;
	uint64_t next_progress; /* cycles */
	double cycles_per_second;
	double created_s; /* on a monotonic clock */
	uint64_t created_cycles;
	unsigned phase;       /* enum sim_phase, since phase_since */
	uint64_t phase_since; /* cycles */
	uint64_t phase_cycles[SIM_PHASES];
};

/* wheel.c */
void sim_pool_init(struct sim_pool *p, size_t chunk_bytes);
void sim_pool_free(struct sim_pool *p);
void sim_wheel_init(struct sim_engine *e);
void sim_wheel_destroy(struct sim_engine *e);
/* Reserves an event record for a local LP; the caller fills it. *in_wheel says whether the record is in the wheel,
 * where its address does not change. */
struct sim_event *sim_wheel_insert(struct sim_engine *e, sim_lpid lp, sim_time time, uint64_t key, unsigned words,
                                   bool *in_wheel);
/* Reserves the record of an event that belongs to the block and window that are being run for good, and will be
 * executed there. */
struct sim_event *sim_wheel_fresh(struct sim_engine *e, sim_lpid lp, sim_time time, uint64_t key, unsigned words);
/* The first window from `from` on that has pending events, SIM_WINDOW_NONE if there is none. */
uint64_t sim_wheel_next(struct sim_engine *e, uint64_t from);
/* Advances the event queue (timing wheel) to window `base`; the buckets of earlier windows must be empty. */
void sim_wheel_advance(struct sim_engine *e, uint64_t base);
void sim_wheel_release_window(struct sim_engine *e, uint64_t window);
/* Frees the chunks of a block that has been run for good, so that the next sends reuse them while they are in the
 * cache. Also clears the list of records that its LPs sent to themselves. With several threads, chunks of other threads
 * are freed only if this thread has fewer than SIM_ENOUGH_FREE free ones. */
void sim_wheel_release_block(struct sim_engine *e, uint64_t window, uint32_t block);
/* Would sim_wheel_advance() to window `base` move records from the far lists into the wheel? */
bool sim_wheel_turns(const struct sim_engine *e, uint64_t base);
/* The record of the event with this LP, time and key that is not cancelled; NULL if there is none. O(1) for windows of
 * the wheel. find.c */
struct sim_event *sim_wheel_find(struct sim_engine *e, sim_lpid lp, sim_time time, uint64_t key);
/* Discards the search tables of find.c. Must be called before event records are moved in memory. */
void sim_wheel_forget_found(struct sim_engine *e);
/* Removes all pending records of LPs [from, to) and passes each to visit(). No pointer to a record may exist, and no
 * event of the windows concerned may have been run. */
void sim_wheel_take(struct sim_engine *e, sim_lpid from, sim_lpid to,
                    void (*visit)(void *arg, const struct sim_event *event), void *arg);
void sim_wheel_each(struct sim_engine *e, void (*visit)(void *arg, const struct sim_event *event), void *arg);

/* The two buckets of a block and window: [0] has the short records, [1] the long ones. */
static inline struct sim_bucket *sim_wheel_buckets(struct sim_engine *e, uint64_t window, uint32_t block)
{
	base_checkf((block < e->ctx.blocks || !block) && window - e->base < e->slots,
	            "window %llu of %llu on, block %u of %u", (unsigned long long)window, (unsigned long long)e->base,
	            block, e->ctx.blocks);
	return &e->ctx.wheel[2 * ((window & e->ctx.wheel_mask) * e->ctx.blocks + block)];
}

/* The two buckets of a block and window in the wheel of thread k of this rank. */
static inline struct sim_bucket *sim_buckets_of(const struct sim_engine *e, unsigned k, uint64_t window, uint32_t block)
{
	base_checkf(k < e->members && block < e->ctx.blocks && window - e->base < e->slots,
	            "thread %u, window %llu of %llu on, block %u of %u", k, (unsigned long long)window,
	            (unsigned long long)e->base, block, e->ctx.blocks);
	return &e->wheels[k][2 * ((window & e->ctx.wheel_mask) * e->ctx.blocks + block)];
}

static inline size_t sim_record_bytes(const struct sim_event *ev)
{
	return SIM_SHORT_BYTES << (ev->state & SIM_EVENT_LONG);
}

static inline struct sim_chunk *sim_last_chunk(const struct sim_engine *e, const struct sim_bucket *b)
{
	return (struct sim_chunk *)(void *)(((uintptr_t)b->cur - 1) & ~e->ctx.chunk_mask);
}

/* Visits the records of a bucket: for (struct sim_event *ev ...). */
#define SIM_EACH_CHUNK(e, b, c) \
	for (struct sim_chunk *c = (b)->first; c; c = c == sim_last_chunk(e, b) ? NULL : c->next)
#define SIM_EACH_RECORD(e, b, c, ev)                                                                    \
	for (unsigned char *at_ = c->data,                                                              \
	                   *end_ = c == sim_last_chunk(e, b) ? (b)->cur : (unsigned char *)c + c->used; \
	     at_ < end_; at_ += sim_record_bytes((struct sim_event *)(void *)at_))                      \
		for (struct sim_event *ev = (struct sim_event *)(void *)at_; ev; ev = NULL)

/* Is event (time, key) before (t, k)? */
static inline bool sim_before(sim_time time, uint64_t key, sim_time t, uint64_t k)
{
	return time < t || (time == t && key < k);
}

/* Executes the pending events of one block in one window. If `speculative`, the events can be undone, and execution
 * ends when a message arrives; the remaining events then stay pending. batch.c */
void sim_run_block(struct sim_engine *e, uint64_t window, uint32_t block, bool speculative);
/* sort.c */
void sim_scratch_grow(struct sim_scratch *s);
void sim_scratch_free(struct sim_scratch *s);

/* journal.c */
void sim_spec_init(struct sim_engine *e);
void sim_spec_destroy(struct sim_engine *e);
void sim_spec_begin(struct sim_engine *e, sim_lpid lp, uint64_t window, struct sim_event *event);
void sim_spec_end(struct sim_engine *e);
void sim_spec_note_send(struct sim_engine *e, struct sim_event *local, int peer, sim_lpid lp, sim_time time,
                        uint64_t key);
/* Undoes all events of the LP that were executed and are later than (time, key), and with `inclusive` also the event at
 * (time, key). */
void sim_rollback(struct sim_engine *e, sim_lpid lp, sim_time time, uint64_t key, bool inclusive);
/* Commits the events of `window`, which can no longer be undone. */
void sim_spec_commit(struct sim_engine *e, uint64_t window);
/* Restores the values saved in the journal, the newest entry first, until the journal has only `mark` bytes. */
void sim_journal_undo(struct sim_batch *b, uint32_t mark);
/* A record has arrived for a local LP whose window may have been executed: rolls back if it is a straggler. */
void sim_spec_arrived(struct sim_engine *e, struct sim_event *event);
void sim_spec_stragglers(struct sim_engine *e);
/* Cancels the event with this LP, time and key, which is a local one or has been received. */
void sim_spec_annihilate(struct sim_engine *e, sim_lpid lp, sim_time time, uint64_t key);

/* audit.c */
void sim_audit_event(struct sim_engine *e, sim_lpid lp, struct sim_event *event);
struct sim_event *sim_audit_send(struct sim_engine *e, sim_lpid lp, sim_time time, uint64_t key, unsigned words);

/* Reserves space for one record in the message stream to the rank `peer`; this rank itself means the loopback stream of
 * the stress mode. */
static inline struct sim_event *sim_transport_record(struct sim_engine *e, int peer, size_t bytes)
{
	struct sim_outlet *o = &e->outlet[peer];
	unsigned char *at = o->at;
	if (sim_unlikely((size_t)(o->end - at) < bytes))
		return sim_transport_next(e->transport, peer, bytes);
	o->at = at + bytes;
	base_prefetch_write(at + SIM_OUTLET_AHEAD);
	return (struct sim_event *)(void *)at;
}

/* Records that an event for `time` has been put into a message stream. */
static inline void sim_note_sent(struct sim_engine *e, sim_time time)
{
	uint64_t w = sim_window_of(&e->ctx, time);
	if (w < e->ctx.sent_min)
		e->ctx.sent_min = w;
}

/* Dynamic load balancing: LPs migrate between neighbouring ranks so that ranks wait less for each other. balance.c */
void sim_balance_init(struct sim_engine *e);
/* Rank 0: is a rebalancing due? */
bool sim_balance_due(struct sim_engine *e);
/* Rebalances: moves the borders between ranks and migrates LPs. Collective; called while no event is in flight and no
 * event can be undone. */
void sim_balance(struct sim_engine *e);

void sim_exchange_init(struct sim_engine *e); /* conservative.c */
/* Notes that this rank has sent an event to `peer`. */
static inline void sim_note_peer(struct sim_engine *e, int peer)
{
	if (!e->peers[peer].sent_to && peer != e->rank)
		e->peers[peer].sent_to = e->new_peers = true;
}

/* Called by the transport for records and tokens that have been received. engine.c */
void sim_receive(struct sim_engine *e, const struct sim_event *record);
/* Copies a record received from another rank into the wheel and returns the copy. Does not check whether it is a
 * straggler or an anti-message. */
struct sim_event *sim_adopt_record(struct sim_engine *e, const struct sim_event *record);
void sim_receive_token(struct sim_engine *e, int peer, const struct sim_message *m);

/* schedulers */
void sim_run_sequential(struct sim_engine *e);
void sim_run_threads(struct sim_engine *e);
void sim_threads_destroy(struct sim_engine *e);
void sim_run_conservative(struct sim_engine *e);
void sim_run_optimistic(struct sim_engine *e);

/* gvt.c */
/* Flags (SIM_FLAG_STOP and others) with which this rank requests an action of all ranks. Until the request is handled,
 * speculation would be wasted. */
uint64_t sim_gvt_wishes(const struct sim_engine *e);
void sim_gvt_receive(struct sim_engine *e, int peer, const struct sim_message *m);
/* Continues the current GVT round, or starts one if this rank has no safe work left. Returns true if a round has
 * ended. */
bool sim_gvt_step(struct sim_engine *e, bool can_speculate);

/* engine.c */
void sim_fail(struct sim_engine *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int sim_owner(const struct sim_engine *e, sim_lpid lp);
/* Sets the range of LPs that this rank owns. */
void sim_own(struct sim_engine *e, sim_lpid first, uint32_t count);
/* Copies those fields of an event record that sim_append() does not set. */
static inline void sim_copy_record(struct sim_event *ev, const struct sim_event *r, unsigned words)
{
	ev->aux = r->aux;
	ev->kind = r->kind;
	memcpy(ev->payload, r->payload, 8 * (size_t)words);
}
uint64_t sim_cycles(void);
/* Pauses the processor shortly between two polls. That frees execution units for the other hardware thread of the core,
 * which may run the rank that this one waits for. */
static inline void sim_pause(void)
{
#ifdef __SSE2__
	__builtin_ia32_pause();
#endif
}
/* Waits between two polls, after `idle` unsuccessful ones: pauses, or yields the core if `idle` is more than
 * `spins`. */
static inline void sim_idle(unsigned idle, unsigned spins)
{
	if (idle > spins)
		sched_yield();
	else
		sim_pause();
}
/* Counts the time from now on as that of `phase`; returns the previous phase. */
static inline unsigned sim_phase_enter(struct sim_engine *e, unsigned phase)
{
	unsigned before = e->phase;
	if (phase != before) {
		uint64_t now = sim_cycles();
		e->phase_cycles[before] += now - e->phase_since;
		e->phase_since = now;
		e->phase = phase;
	}
	return before;
}
/* Calls config.progress() about every 50 ms with the number of committed events, and stores its result as this rank's
 * request to end the run. */
void sim_progress(struct sim_engine *e, uint64_t window, uint64_t events);
/* The flag of this rank's request to end the run, SIM_FLAG_STOP or SIM_FLAG_ASK; 0 if there is no request, or if all
 * ranks already know that of SIM_FLAG_ASK. */
uint64_t sim_end_flags(const struct sim_engine *e);
/* Handles SIM_FLAG_ASK, if it is among the combined flags of all ranks, and returns the other flags. */
uint64_t sim_take_asked(struct sim_engine *e, uint64_t flags);

#endif

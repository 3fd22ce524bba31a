/* sim/engine.h - the inside of sim/: who owns what. Only files of sim/ include it.
 *
 * Time is cut into windows of equal width W (the lookahead, as a rule). Because an event for another LP is at least a
 * lookahead away, only the order at one LP matters inside a window. So events are appended, unsorted, to buckets
 * (window, block of LPs); a window is executed block by block, the events of each LP sorted and run together while its
 * state is in the cache.
 *
 *        wheel:  windows  base .. base + slots - 1,  two buckets per block of LPs    (append: O(1))
 *        far:    one list per slots / 2 windows beyond, spread over the wheel when their turn comes
 *
 * A bucket is a list of chunks (aligned, a power of two bytes). A record never moves once it is in the wheel, so a
 * rollback may point at it. Chunks go back to the pool when their block has been run for good, at the latest when their
 * window is final.
 *
 * Window indices are the currency of synchronisation: GVT, horizon and stragglers are all counted in windows. */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include "sim/sim.h"

#include <sched.h>
#include <stdint.h>
#include <string.h>

#define SIM_WINDOW_NONE UINT64_MAX
#define SIM_FAR_SLOTS 256u
#define SIM_NO_BLOCK UINT32_MAX
/* Chunks to spare with which a thread leaves those of other threads to their owners: else one that reads more than it
 * sends, as near a hot spot, would collect all there are, and the others ask for new memory for ever. */
#define SIM_ENOUGH_FREE 128
#define SIM_SPINS 200u /* looks for news in vain, after which who waits offers its core to others */

struct sim_chunk {
	struct sim_chunk *next;
	uint32_t used; /* bytes, header included; valid when not the bucket's last chunk */
	uint32_t pad;
	uint64_t align[6];
	unsigned char data[];
};

struct sim_pool {
	struct sim_chunk *free;     /* used before; the latest comes first */
	unsigned char *fresh, *end; /* of the last slab: chunks that were never used */
	size_t chunk_bytes;
	void **slabs;
	size_t nslabs, slab_bytes;
	uint64_t chunks_used; /* ever: so many were in use at a time, as fresh ones are taken last */
	int64_t nfree;        /* in `free`; counted only if threads share LPs */
};

/* --- speculation: sim/journal.c --------------------------------------------------------------------------------- */

struct sim_spec_event {
	struct sim_event *event;
	uint32_t journal_mark, send_mark, commit_mark;
	bool violated;
};

struct sim_spec_send {
	struct sim_event *local; /* the record, if it lies in the wheel of this rank */
	sim_time time;
	uint64_t key;
	sim_lpid lp;
	int32_t peer; /* the stream it went by; -1: inserted here (and found by identity if local is NULL: it was far
	                 ahead) */
};

/* What one LP did speculatively in one window. */
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

/* --- sorting and running: sim/batch.c ----------------------------------------------------------------------------- */

struct sim_own_item {
	sim_time time;
	uint32_t record; /* in sim_scratch.record; of two of one time the lesser key comes first */
};

#define SIM_OWN_SORTED 8u

/* Records of the block that comes next, brought to the cache line by line while this one runs. */
struct sim_stream {
	const unsigned char *at, *end; /* of the chunk */
	const struct sim_chunk *chunk;
	const struct sim_bucket *bucket, *last;
	unsigned member; /* whose wheel */
	uint64_t window;
	uint32_t block;
};

struct sim_scratch {
	struct sim_stream ahead;
	struct sim_event **record; /* [cap] events of a bucket */
	uint64_t *item;            /* [cap] offset in window << 24 | record index */
	uint64_t *sorted;          /* [cap] the same, by LP, then time */
	uint32_t *bin_of;          /* [cap] */
	uint32_t
	    *hint; /* [cap] what model.prefetch said, by place in `sorted`; by record for what an LP sent to itself */
	uint32_t cap, nrecords;
	bool deep;         /* far more is pending than the block's events: see choose_bins() */
	uint32_t ahead_at; /* the item at which model.prefetch is asked again */
	uint32_t fresh,
	    fresh_to; /* records from `fresh` on were sent by an LP to itself since; before fresh_to, not just now */
	struct sim_event **early,
	    **early_sorted; /* [cap_early] short events that the model may take before the others */
	uint32_t cap_early;
	uint32_t *bin; /* [cap_bins + 1] */
	uint32_t cap_bins;
	uint32_t *early_bin; /* [LPs of a block + 2] */
	/* Events an LP sent to itself within the window being run: own[own_first] up to own[own_end] in order, and
	 * those that come after all of these in a heap. Without any own_end and nheap are 0. */
	struct sim_own_item own[SIM_OWN_SORTED];
	sim_time own_time; /* of the first of them, SIM_NEVER if there is none */
	uint32_t own_first, own_end;
	struct sim_own_item *heap;
	uint32_t nheap, cap_heap;
	const struct sim_event *tied; /* it and another of its LP have the same time and key; NULL: none so far */
};

/* --- MPI streams: sim/transport.c ------------------------------------------------------------------------------------
 */

enum sim_token {
	SIM_TOKEN_NONE,
	SIM_TOKEN_LAST,
	SIM_TOKEN_CUT,
	SIM_TOKEN_STEP, /* round << 8 | step, of conservative.c */
	SIM_TOKEN_BYTES /* no events: for sim_transport_read() */
};

struct sim_message {    /* a buffer as it is sent: header, then event records */
	uint32_t bytes; /* of records */
	uint32_t token; /* enum sim_token, acts after the records */
	uint64_t value;
	uint64_t round;
	uint64_t flags;
	unsigned char data[];
};

struct sim_transport;

struct sim_outlet { /* the buffer being filled for a peer; both NULL: there is none */
	unsigned char *at, *end;
};

struct sim_transport *sim_transport_create(struct sim_engine *e);
void sim_transport_destroy(struct sim_transport *t);
/* What sim_transport_record() does when the buffer has no room, or there is none. */
struct sim_event *sim_transport_next(struct sim_transport *t, int peer, size_t bytes);
/* Sends what is buffered for `peer`, with a token. */
void sim_transport_token(struct sim_transport *t, int peer, enum sim_token token, uint64_t value, uint64_t round,
                         uint64_t flags);
/* Delivers what has arrived: each record is filed, by sim_receive() where that is not simple; for each token
 * sim_receive_token(). Returns messages handled. */
unsigned sim_transport_poll(struct sim_transport *t);
/* Of several threads of a rank the first has the rank's transport, the others have streams of events only, which it
 * sends. Create and destroy: called by the first thread; the first's goes last. */
struct sim_transport *sim_transport_of_thread(struct sim_engine *member, struct sim_transport *first);
/* Gives the first thread what this one has sent so far. */
void sim_transport_hand_over(struct sim_transport *t);
/* The first thread: sends what the others have given it. */
void sim_transport_collect(struct sim_transport *t);
/* Files a message that has come, in the wheel of the calling thread; false: there is none. */
bool sim_transport_file(struct sim_transport *t);
/* Has something arrived that poll would deliver? */
bool sim_transport_waiting(struct sim_transport *t);
/* Where nothing is in flight, bytes other than events: written to a peer, which reads just as many. write_end() sends
 * what is buffered. write() does not wait for the reader, read() waits for the writer, and write_out() until everything
 * written is on its way. */
void sim_transport_write(struct sim_transport *t, int peer, const void *bytes, size_t n);
void sim_transport_write_end(struct sim_transport *t, int peer);
void sim_transport_write_out(struct sim_transport *t);
void sim_transport_read(struct sim_transport *t, int peer, void *bytes, size_t n);
/* all[ranks] of what each rank has, on every rank. Collective. */
void sim_transport_share(struct sim_transport *t, const void *mine, size_t bytes, void *all);
/* Delivers everything that waits in the loopback stream. */
void sim_transport_settle(struct sim_transport *t);

/* What this rank receives in a step of a dissemination. */
struct sim_step_report {
	uint64_t round, value, flags;
};
#define SIM_STEPS 32u

struct sim_peer { /* what GVT knows of a peer */
	bool exists;
	bool sent_to;          /* events have been sent there */
	bool sends;            /* it has said that it has sent events to us: sim_exchange() */
	uint64_t cut_round;    /* last CUT received from it */
	uint64_t cut_value[2]; /* by parity of the round: a peer may be one ahead of us */
	uint64_t cut_flags[2];
	uint64_t last_round; /* the same of LAST */
	uint64_t last_value[2];
	uint64_t last_flags[2];
};

struct sim_gvt {
	uint64_t round; /* of the cut that is under way; 0: none yet */
	bool active;
	uint64_t bound; /* what this rank published in it */
	uint64_t flags; /* OR of all ranks' stop wishes, when it has ended */
	uint64_t gvt;   /* window: everything before is final on all ranks */
	uint32_t since; /* windows executed since the last round */
	/* of more than a few ranks: the step of dissemination, whether its message has left; is this round, or when
	 * none is under way the next one, a whole one; the least window among events sent before the last CUT */
	unsigned step;
	bool step_sent, whole;
	uint64_t sent_before;
};

struct sim_balancing {
	bool on;
	uint64_t due;          /* cycles: when rank 0 will ask for it next */
	uint64_t sent_bytes;   /* of the LPs that left this rank */
	uint64_t cost, moved;  /* cycles so far, and LPs that crossed its border */
	uint64_t busy, events; /* of this rank, when it was done last */
	uint64_t times, gvt;   /* meetings that were possible; GVT at the last */
};

struct sim_team;

struct sim_thrash { /* of rollbacks: steps.c */
	bool on;
	uint64_t undone_before; /* events_rolled_back when GVT moved last */
	uint64_t standing;      /* most speculative events that stood at a time since */
	uint64_t looked;        /* records of the blocks that were run speculatively since */
};

struct sim_straggler {
	sim_time time;
	uint64_t key;
	sim_lpid lp;
};

struct sim_engine {
	struct sim_ctx ctx; /* first: handlers get its address */
	struct sim_config config;
	struct sim_model model;
	struct base_errors *errors;
	int rank, ranks;
	uint64_t owner_factor;           /* ranks / LPs of all, in 2^-32: sim_owner() */
	sim_time width;                  /* W */
	uint64_t end_window;             /* first window whose start is >= the end of this leg */
	uint64_t final_window;           /* the same of the run's end */
	bool safe_windows;               /* W <= lookahead */
	uint32_t room;                   /* LPs from ctx.base on for which there is room */
	uint32_t block_first, block_end; /* blocks with LPs of this rank */

	/* threads of this rank: their engines, in whose wheels its events are; without threads this one alone */
	struct sim_engine **member;
	struct sim_bucket *
	    *wheels; /* [members] theirs; of this engine alone, as what others write is slow to be read */
	unsigned members, thread;
	struct sim_team *team;
	uint32_t next_block; /* with a team: which one this thread has taken to run next, SIM_NO_BLOCK if none */
	struct sim_engine *alone;
	bool pooled; /* rank 0 runs all LPs, with a thread on the cores of every other rank */

	struct sim_pool pool;
	uint32_t slots;
	uint64_t base;      /* first window that the wheel holds */
	uint64_t limit;     /* first window behind it */
	uint64_t *nonempty; /* bitmap [slots]: a bucket of the window has a chunk */
	struct sim_bucket far[SIM_FAR_SLOTS];
	uint64_t far_base;        /* index (window / (slots / 2)) of the first far list */
	struct sim_bucket fresh;  /* what LPs of the block being run have sent to themselves for this window */
	struct sim_bucket beyond; /* later than all far slots */
	uint64_t beyond_min;
	struct sim_index **index; /* [slots] of windows in which records have been looked for: find.c */

	/* running */
	uint64_t window; /* being executed */
	sim_time window_start;
	sim_lpid lp; /* being executed */
	bool in_handler, initial;
	sim_time own_until; /* what an LP sends itself for before then waits in sim_scratch.own; 0: in the wheel */
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
	struct sim_straggler *stragglers; /* to be looked at after the current block */
	uint32_t nstragglers, cap_stragglers;
	uint32_t low_block;         /* blocks before it have nothing pending in window `low` */
	uint64_t rng;               /* stress decisions: they change the schedule only, never a result */
	uint64_t allowance, budget; /* speculative blocks per GVT round, and what is left of them */
	uint64_t spec_since, rolled_since;
	uint64_t patience,
	    idle_since; /* cycles: what a speculative block costs; when safe work ran out (0: it has not) */

	/* audit */
	bool dry; /* sends are hashed, not delivered */
	uint64_t send_hash;
	unsigned char *dry_record;
	struct sim_audit {
		unsigned char *before; /* [cap] */
		size_t cap;
		/* Bytes that were compared beyond those that events may take: of LPs, by kind of event; of what they
		 * share. */
		size_t owed[UINT8_MAX + 1], owed_shared;
		uint64_t events;
	} audit;

	struct sim_transport *transport;
	struct sim_outlet *outlet; /* [ranks], the transport's */
	unsigned spins;            /* looks for news in vain, after which a waiting rank offers its core to others */
	struct sim_peer *peers;    /* [ranks] */
	struct sim_step_report step_report[2][SIM_STEPS]; /* by parity of the round */
	int few,
	    few_cut; /* so many ranks at most tell each other directly, at the end of a window and in a round of GVT */
	bool new_peers; /* sent_to has become true of some peer since the last round */
	struct sim_gvt gvt;
	struct sim_thrash thrash;
	struct sim_balancing balancing;

	struct sim_counters count;
	bool failed;
	enum sim_wish wish;      /* this rank's */
	bool end_with_leg;       /* who wishes the run to end at a pause gets that */
	bool asked;              /* all ranks know that one of them wishes SIM_END_AT_PAUSE */
	bool stopped;            /* the run has ended because somebody wished it */
	uint64_t partial_window; /* the one that `end` cuts, or SIM_WINDOW_NONE: its late events stay */
	sim_time reached;
	uint64_t next_progress; /* cycles */
	double cycles_per_second;
	double created_s; /* on some clock */
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
/* Copies nothing: returns room for a record of a local LP. In the wheel the address is stable. */
struct sim_event *sim_wheel_insert(struct sim_engine *e, sim_lpid lp, sim_time time, uint64_t key, unsigned words,
                                   bool *in_wheel);
/* Room for a record that will be executed in the block that is being run for good. */
struct sim_event *sim_wheel_fresh(struct sim_engine *e, sim_lpid lp, sim_time time, uint64_t key, unsigned words);
/* First window >= from that holds a record, SIM_WINDOW_NONE if none. */
uint64_t sim_wheel_next(struct sim_engine *e, uint64_t from);
/* The wheel no longer needs windows before `base`; their buckets must be empty. */
void sim_wheel_advance(struct sim_engine *e, uint64_t base);
void sim_wheel_release_window(struct sim_engine *e, uint64_t window);
/* The same for a block that has been run for good: these chunks are in the cache, and what is sent next goes there.
 * What is fresh is forgotten. Of threads that share LPs the one that has run the block takes the others' chunks, too,
 * as long as it has few to spare. */
void sim_wheel_release_block(struct sim_engine *e, uint64_t window, uint32_t block);
/* Will sim_wheel_advance() move records that are far ahead? */
bool sim_wheel_turns(const struct sim_engine *e, uint64_t base);
/* find.c: the living record of an identity, NULL if there is none. O(1), but for what is far ahead. */
struct sim_event *sim_wheel_find(struct sim_engine *e, sim_lpid lp, sim_time time, uint64_t key);
/* To be called before records move. */
void sim_wheel_forget_found(struct sim_engine *e);
/* Takes every live record of LPs [from, to) out, showing each. Nothing may point at records, or have been run of their
 * windows. */
void sim_wheel_take(struct sim_engine *e, sim_lpid from, sim_lpid to,
                    void (*visit)(void *arg, const struct sim_event *event), void *arg);
void sim_wheel_each(struct sim_engine *e, void (*visit)(void *arg, const struct sim_event *event), void *arg);

/* The buckets of a block and window: [0] short records, [1] long ones. */
static inline struct sim_bucket *sim_wheel_buckets(struct sim_engine *e, uint64_t window, uint32_t block)
{
	base_checkf((block < e->ctx.blocks || !block) && window - e->base < e->slots,
	            "window %llu of %llu on, block %u of %u", (unsigned long long)window, (unsigned long long)e->base,
	            block, e->ctx.blocks);
	return &e->ctx.wheel[2 * ((window & e->ctx.wheel_mask) * e->ctx.blocks + block)];
}

/* The same in the wheel of thread k of this rank. */
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

/* batch.c: runs the pending events of one bucket; `speculative`: under the journal, and only until news arrives (then
 * the rest of the bucket stays pending). */
void sim_run_block(struct sim_engine *e, uint64_t window, uint32_t block, bool speculative);
/* What sim_own_push() does where own[] is full, or there is a heap. */
void sim_own_push_seldom(struct sim_scratch *s, struct sim_own_item x);
void sim_scratch_grow(struct sim_scratch *s);

/* Is event a, of the same LP and time, before b? Where their keys are equal, too, nothing orders them: a checked build
 * notes it, and the run ends. (In a release build that costs 0.4 to 2.8 % of a run's instructions.) */
static inline bool sim_key_before(struct sim_scratch *s, const struct sim_event *a, const struct sim_event *b)
{
	if (BASE_CHECKING && sim_unlikely(a->key == b->key))
		s->tied = a;
	return a->key < b->key;
}

static inline bool sim_own_before(struct sim_scratch *s, struct sim_own_item a, struct sim_own_item b)
{
	if (sim_likely(a.time != b.time))
		return a.time < b.time;
	return sim_key_before(s, s->record[a.record], s->record[b.record]);
}

/* Puts x into own[], which has a place for it. It goes before all of the heap. */
static inline void sim_own_insert(struct sim_scratch *s, struct sim_own_item x)
{
	uint32_t i = s->own_end++;
	base_check(i < SIM_OWN_SORTED);
	for (; i > s->own_first && sim_own_before(s, x, s->own[i - 1]); i--)
		s->own[i] = s->own[i - 1];
	s->own[i] = x;
	s->own_time = s->own[s->own_first].time;
}

/* The LP that is being run has this event, too, in this window. */
static inline void sim_own_push(struct sim_engine *e, struct sim_event *ev)
{
	struct sim_scratch *s = &e->scratch;
	if (sim_unlikely(s->nrecords == s->cap))
		sim_scratch_grow(s);
	struct sim_own_item x = { ev->time, s->nrecords++ };
	s->record[x.record] = ev;
	s->hint[x.record] = SIM_NO_HINT;
	if (sim_unlikely(s->own_end == SIM_OWN_SORTED || s->nheap))
		sim_own_push_seldom(s, x);
	else
		sim_own_insert(s, x);
}
void sim_scratch_free(struct sim_scratch *s);

/* journal.c */
void sim_spec_init(struct sim_engine *e);
void sim_spec_destroy(struct sim_engine *e);
void sim_spec_begin(struct sim_engine *e, sim_lpid lp, uint64_t window, struct sim_event *event);
void sim_spec_end(struct sim_engine *e);
void sim_spec_note_send(struct sim_engine *e, struct sim_event *local, int peer, sim_lpid lp, sim_time time,
                        uint64_t key);
/* Undoes every event of the LP after (time, key) - at or after it if `inclusive`. */
void sim_rollback(struct sim_engine *e, sim_lpid lp, sim_time time, uint64_t key, bool inclusive);
/* The events of `window` can no longer be undone. */
void sim_spec_commit(struct sim_engine *e, uint64_t window);
/* A copy of what the journal holds is put back, newest first, down to `mark`. */
void sim_journal_undo(struct sim_batch *b, uint32_t mark);
/* A record arrives for a local LP whose window may have been executed: roll back if it is late. */
void sim_spec_arrived(struct sim_engine *e, struct sim_event *event);
void sim_spec_stragglers(struct sim_engine *e);
/* Cancels a local or received event by identity. */
void sim_spec_annihilate(struct sim_engine *e, sim_lpid lp, sim_time time, uint64_t key);

/* audit.c */
void sim_audit_event(struct sim_engine *e, sim_lpid lp, struct sim_event *event);
struct sim_event *sim_audit_send(struct sim_engine *e, sim_lpid lp, sim_time time, uint64_t key, unsigned words);

/* Room for one record in the stream to `peer` (a rank; own rank: the loopback stream of the stress mode). */
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

/* Something for `time` has been put into a stream. */
static inline void sim_note_sent(struct sim_engine *e, sim_time time)
{
	uint64_t w = sim_window_of(&e->ctx, time);
	if (w < e->ctx.sent_min)
		e->ctx.sent_min = w;
}

/* balance.c: while ranks may wait for each other for long, LPs go to the one that is waited for less. */
void sim_balance_init(struct sim_engine *e);
/* Rank 0: is it time? */
bool sim_balance_due(struct sim_engine *e);
/* Collective, where nothing is in flight and nothing can be undone. */
void sim_balance(struct sim_engine *e);

void sim_exchange_init(struct sim_engine *e); /* conservative.c */
/* Events are sent to this peer. */
static inline void sim_note_peer(struct sim_engine *e, int peer)
{
	if (!e->peers[peer].sent_to && peer != e->rank)
		e->peers[peer].sent_to = e->new_peers = true;
}

/* receive side, called by the transport (engine.c) */
void sim_receive(struct sim_engine *e, const struct sim_event *record);
/* Files a copy of a record that has come from another rank, and returns it; looks at nothing else. */
struct sim_event *sim_adopt_record(struct sim_engine *e, const struct sim_event *record);
void sim_receive_token(struct sim_engine *e, int peer, const struct sim_message *m);

/* schedulers */
void sim_run_sequential(struct sim_engine *e);
void sim_run_threads(struct sim_engine *e);
void sim_threads_destroy(struct sim_engine *e);
void sim_run_conservative(struct sim_engine *e);
void sim_run_optimistic(struct sim_engine *e);

/* gvt.c */
/* What this rank wants of all: SIM_FLAG_STOP and the like. Until that is done nothing more is worth speculating. */
uint64_t sim_gvt_wishes(const struct sim_engine *e);
void sim_gvt_receive(struct sim_engine *e, int peer, const struct sim_message *m);
/* Goes on with a round, or starts one if this rank has nothing safe left to do. true: a round has ended. */
bool sim_gvt_step(struct sim_engine *e, bool can_speculate);

/* engine.c */
void sim_fail(struct sim_engine *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int sim_owner(const struct sim_engine *e, sim_lpid lp);
/* This rank's LPs, from now on. */
void sim_own(struct sim_engine *e, sim_lpid first, uint32_t count);
/* What sim_append() leaves to be filled in. */
static inline void sim_copy_record(struct sim_event *ev, const struct sim_event *r, unsigned words)
{
	ev->aux = r->aux;
	ev->kind = r->kind;
	memcpy(ev->payload, r->payload, 8 * (size_t)words);
}
uint64_t sim_cycles(void);
/* Between two looks for news: leaves the execution units to the other thread of the core, which may be the one that is
 * waited for. */
static inline void sim_pause(void)
{
#ifdef __SSE2__
	__builtin_ia32_pause();
#endif
}
/* The same, in a wait that has found nothing for the idle-th time: after so many `spins` the core is offered to others.
 */
static inline void sim_idle(unsigned idle, unsigned spins)
{
	if (idle > spins)
		sched_yield();
	else
		sim_pause();
}
/* From now on time counts for `phase`; returns the one before. */
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
/* Tells the world, now and then: `events` have been committed; and hears how the run is to end. */
void sim_progress(struct sim_engine *e, uint64_t window, uint64_t events);
/* How this rank wishes the run to end, if the others do not know yet: SIM_FLAG_STOP or SIM_FLAG_ASK. */
uint64_t sim_end_flags(const struct sim_engine *e);
/* All ranks have these flags: takes SIM_FLAG_ASK from them. */
uint64_t sim_take_asked(struct sim_engine *e, uint64_t flags);

#endif

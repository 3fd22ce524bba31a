/* sim/sim.h - the Time Warp core: the public interface of sim/. It contains nothing about networks.
 *
 * A model is a set of logical processes (LPs) that own disjoint state and communicate by events. Its author writes one
 * forward handler in ordinary C, with three rules:
 *   1. state is changed only through sim_set / sim_save / sim_add, so that a speculative event can be undone;
 *   2. an event is sent with a key (sim_key) made of a phase, the sending entity and that entity's send count, which
 *      totally orders the events of one LP independently of ranks, schedulers and LP layout;
 *   3. an event for another LP is at least `lookahead` in the future; one for the LP itself may have the current time,
 *      then in a higher phase than the event that sends it.
 * Time is integer picoseconds. Sequential, conservative and optimistic execution on any number of ranks give the same
 * state, bit for bit. See docs/engine.md. */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "base/check.h"
#include "base/error.h"
#include "base/prefetch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t sim_time; /* picoseconds */
typedef uint32_t sim_lpid; /* global LP number; those of a rank are contiguous */

#define SIM_NEVER UINT64_MAX

#define sim_likely(x) __builtin_expect(!!(x), 1)
#define sim_unlikely(x) __builtin_expect(!!(x), 0)

/* One event: 32 bytes with one word of payload, or 64 with five. Copied into its bucket, never allocated
 * individually. */
struct sim_event {
	sim_time time;
	uint64_t key;
	sim_lpid lp;        /* destination */
	uint16_t aux;       /* the model's: e.g. a port */
	uint8_t kind;       /* the model's */
	uint8_t state;      /* the engine's */
	uint64_t payload[]; /* 1 word, or 5 for a long event */
};

#define SIM_SHORT_WORDS 1u
#define SIM_LONG_WORDS 5u
#define SIM_SHORT_BYTES (sizeof(struct sim_event) + 8 * SIM_SHORT_WORDS)
#define SIM_LONG_BYTES (sizeof(struct sim_event) + 8 * SIM_LONG_WORDS)
_Static_assert(SIM_LONG_BYTES == SIM_SHORT_BYTES << 1, "the record size is encoded as a power of two");

/* The key that orders events of equal time at one LP, by (phase, entity, count). phase is below 8. entity is below 2^31
 * and numbers a switch or an endpoint, never an LP, because LPs depend on the layout. count is the entity's number of
 * sends, modulo 2^30, which is far more than can be in flight at one instant. */
static inline uint64_t sim_key(unsigned phase, uint32_t entity, uint32_t count)
{
	return (uint64_t)phase << 61 | (uint64_t)entity << 30 | (count & 0x3fffffffu);
}
static inline uint32_t sim_key_entity(uint64_t key)
{
	return (uint32_t)(key >> 30) & 0x7fffffffu;
}

struct sim_ctx;

/* Argument of sim_model.early(): those events of a block of LPs and a window that must be executed in order. */
struct sim_ordered {
	struct sim_event *const *record;
	const uint64_t *item;
	const uint32_t *bin;
	unsigned sub_bits;
	sim_lpid first;
	uint32_t lps; /* of the block: a power of two; the last LPs may not exist */
};
/* Number of these events at an LP. */
static inline uint32_t sim_ordered_count(const struct sim_ordered *o, sim_lpid lp)
{
	uint32_t k = lp - o->first;
	return o->bin[(k + 1) << o->sub_bits] - o->bin[k << o->sub_bits];
}
/* The i-th of these events at an LP; their order is arbitrary. */
static inline const struct sim_event *sim_ordered_event(const struct sim_ordered *o, sim_lpid lp, uint32_t i)
{
	return o->record[o->item[o->bin[(lp - o->first) << o->sub_bits] + i] & 0xffffff];
}

struct sim_model {
	void *self;
	/* Executes one event at LP `lp` (global number). */
	void (*handle)(struct sim_ctx *ctx, void *self, sim_lpid lp, const struct sim_event *event);
	/* Announces that the following calls of handle() are for this LP. May be NULL. */
	void (*enter)(void *self, sim_lpid lp);
	/* Returns the name of a kind of event, for messages. */
	const char *(*kind_name)(unsigned kind);
	/* Calls visit() for every region of memory that handlers of this LP change or, if lp is SIM_NO_LP, for the
	 * memory that LPs share, which is changed by sim_add() only. Used by --audit and for migration to another
	 * rank. */
	void (*regions)(void *self, sim_lpid lp, void (*visit)(void *arg, void *at, size_t bytes), void *arg);
	/* Called with a record that a handler passed to sim_commit(), once that event can no longer be undone. May be
	 * NULL. */
	void (*commit)(void *self, sim_lpid lp, const void *record, size_t bytes);
	/* Prefetches the memory that an event will touch. It is usually called some events before handle(), but may be
	 * called twice or too late. May be NULL; it is worthwhile if the state exceeds the second-level cache. When the
	 * event is handled, ctx->hint is the value that prefetch() returned, SIM_NO_HINT for none. That value may
	 * depend only on the event and on constant data; if it is a location, its contents may have changed before
	 * handle() reads it. */
	uint32_t (*prefetch)(void *self, const struct sim_event *event);
	/* Called with all n short events of a block of LPs and a window, before any other event of that block and
	 * window is executed. It handles those that send no event and whose effect does not depend on their order in
	 * the window, moves the others to the front of `events`, and returns the number of these others. It is called
	 * only if the events cannot be undone; otherwise all events go to handle() in order. May be NULL. */
	uint32_t (*early)(void *self, struct sim_event **events, uint32_t n, const struct sim_ordered *ordered);
	/* Migration of an LP to another rank, while no event is in flight. The engine copies the regions that regions()
	 * visits; then migrate_out() frees the LP's memory on the old rank. migrate_in() allocates it on the new rank,
	 * in the state before the first event, and regions() gives the destinations of the copies; so it must visit the
	 * length of an array before the array. owns() announces which LPs this rank owns from now on. Either all three
	 * are set or none. */
	void (*migrate_out)(void *self, sim_lpid lp);
	void (*migrate_in)(void *self, sim_lpid lp);
	void (*owns)(void *self, sim_lpid first, uint32_t count);
	/* Returns a worker: the `self` of an additional thread, whose handlers may run LPs concurrently with other
	 * threads. A worker has its own copy of the memory that LPs share. release_worker() adds this copy to the
	 * memory of `self`, then frees the worker. NULL: one thread only. */
	void *(*worker)(void *self, struct sim_ctx *ctx);
	void (*release_worker)(void *self, void *worker);
	/* Announces that all events before `until` have been executed and will not be undone. Called with every
	 * thread's `self` at the start of a window and at the end of a leg or of the run. May be NULL. */
	void (*settled)(void *self, sim_time until);
	/* Called at the end of a leg, the part of a run between two pauses (sim_pause_at()): all events before `at`,
	 * and no others, have been executed for good. Returns the end of the next leg, which is a multiple of
	 * sim_width() later than `at`, or 0 to end the run. If `asked` is true (SIM_END_AT_PAUSE was requested), the
	 * run ends here in any case, and the result only says whether it would have continued. pause() is called on
	 * every rank, or on rank 0 alone if it has all LPs. Before it, gather() adds the sums of each worker to those
	 * of `self` and clears them; after it, resume() informs each worker of the new leg. */
	sim_time (*pause)(void *self, sim_time at, bool asked);
	void (*gather)(void *self, void *worker);
	void (*resume)(void *self, void *worker);
};

#define SIM_NO_LP UINT32_MAX
#define SIM_NO_HINT UINT32_MAX

enum sim_balance {
	SIM_BALANCE_OFF,
	SIM_BALANCE_ON,
	SIM_BALANCE_SHAKE /* for tests: random migrations all the time */
};

enum sim_sync { SIM_SEQUENTIAL, SIM_CONSERVATIVE, SIM_OPTIMISTIC };

/* Results of sim_config.progress(). */
enum sim_wish {
	SIM_END_NOW, /* at the start of the window that all ranks reach next */
	SIM_GO_ON,
	SIM_END_AT_PAUSE /* at the end of this leg; in a run without legs as SIM_END_NOW */
};

/* The scheduler that is likely to be fastest, given the number of ranks and `events`, the expected number of events per
 * rank and lookahead. One rank uses the sequential scheduler. On several ranks the conservative scheduler needs a
 * message each way and a wait for the slowest rank in every lookahead. That is acceptable if a rank executes at least
 * SIM_AUTO_EVENTS events in this time; otherwise the optimistic scheduler is chosen. */
#define SIM_AUTO_EVENTS 500.0
enum sim_sync sim_auto_sync(double events);

/* Maximum width of a window: 1.07 ms. The limit exists because the 64-bit items that are sorted hold the number of an
 * LP in its block, the offset of a time in the window, and the index of a record: see sim/sort.h and MOST_BLOCK_SHIFT
 * in engine.c. */
#define SIM_WINDOW_MAX (1ull << 30)
#define SIM_END_MAX (1ull << 62) /* ps; maximum length of a run, 53 days */
/* The widest window, in ps, of at most `most` and SIM_WINDOW_MAX, such that sim_window_of() is exact for all times up
 * to `end` (at most SIM_END_MAX), both for windows of that width and for windows 2^doublings times as wide. The result
 * is usually at most a few thousandths below the limit; if no such width is found there, it is a power of two. Cost:
 * O(2^16). */
sim_time sim_exact_width(sim_time most, unsigned doublings, sim_time end);

struct sim_config {
	enum sim_sync sync;
	uint64_t seed;
	const sim_lpid *first_lp; /* [ranks + 1]: LPs of rank r are first_lp[r] .. first_lp[r+1]-1 */
	/* room_first and room_count are the range of LPs for which this rank's tables have space, including the LPs
	 * that it owns at first; room_count 0 means these only. With load balancing, LPs migrate between neighbouring
	 * ranks within these ranges. */
	enum sim_balance balance;
	sim_lpid room_first;
	uint32_t room_count;
	/* Number of threads of each rank. If it is more than one, the threads share the LPs of the rank
	 * (sim_model.worker), and windows are synchronous, without speculation, regardless of `sync`. */
	uint32_t threads;
	/* With several threads and several ranks: rank 0 has all LPs and all threads, which run on the cores of all
	 * ranks. `threads` is then at most sim_cores_pool(). */
	bool pooled;
	sim_time lookahead; /* least delay between two different LPs, > 0 */
	sim_time end;       /* events at or after it are not executed */
	sim_time window;    /* 0: the lookahead. Larger only with SIM_OPTIMISTIC: then every event is speculative */
	/* A time of which every window width must be a divisor, so that the run can pause at its multiples for any
	 * value of `window`. It must be the lookahead times a power of two, and `end` must be a multiple of it. The
	 * width is then the lookahead times the largest power of two with which it exceeds neither `unit` nor `window`;
	 * if `window` is below the lookahead, it is the lookahead, halved as often as needed while it is even. 0: no
	 * constraint. */
	sim_time unit;
	uint32_t block_lps;    /* LPs that share a bucket; 0: chosen from events_per_lp */
	double events_per_lp;  /* expected events per LP and window, a hint for sizes; 0: unknown */
	uint32_t optimism;     /* windows a rank may be ahead of GVT */
	uint32_t gvt_interval; /* windows executed between GVT rounds while there is safe work */
	uint32_t stress;       /* per cent of LP pairs whose events are artificially late; 0: off */
	bool audit;            /* sequential only: every event forward, back, forward */
	/* Called about every 50 ms of wall time on every rank, with the simulated time up to which everything is final,
	 * and with an estimate of the events committed by all ranks, which is this rank's number times the number of
	 * ranks. If one rank requests the end of the run, the run ends on all ranks. May be NULL. */
	enum sim_wish (*progress)(void *arg, sim_time committed, uint64_t events);
	void *progress_arg;
};

/* How a rank spends its time. The clock is read only when the activity changes (a block of LPs, a message, a rollback,
 * a round), never per event: the phases of a rank add up to its wall time. */
enum sim_phase {
	SIM_PHASE_EXECUTE,     /* handlers, and the events they send inside the rank */
	SIM_PHASE_SPECULATE,   /* the same under the journal */
	SIM_PHASE_QUEUE,       /* gathering and sorting the events of a window; moving the wheel */
	SIM_PHASE_ROLLBACK,    /* undoing and cancelling */
	SIM_PHASE_COMMUNICATE, /* sending messages, receiving them, filing their events */
	SIM_PHASE_WAIT,        /* idle until a message from another rank arrives */
	SIM_PHASE_GVT,         /* finding the least pending window, GVT rounds */
	SIM_PHASE_FOSSIL,      /* commit, memory back to the pool */
	SIM_PHASE_OTHER,
	SIM_PHASES
};

struct sim_counters {
	uint64_t events_processed; /* executions, including undone ones */
	uint64_t events_rolled_back;
	uint64_t events_committed;
	uint64_t speculative; /* executions under the journal */
	uint64_t rollbacks, stragglers, anti_messages;
	uint64_t remote_events, messages, message_bytes;
	uint64_t windows, gvt_rounds;
	uint64_t lps_moved;         /* to another rank */
	uint64_t peak_chunk_bytes;  /* event memory */
	double seconds[SIM_PHASES]; /* by enum sim_phase */
};

/* The outcome of a run. */
enum sim_outcome {
	SIM_DONE,        /* reached `end`, or ran out of events */
	SIM_INTERRUPTED, /* ended on request of progress(), before it was complete */
	SIM_FAILED,      /* causality violation, failed audit, or an invariant of the model: see errors */
};

struct sim_engine;

/* Creates an engine and allocates its queues. LPs get their first events through sim_initial(). Collective over all
 * ranks. Freed with sim_destroy(). Returns NULL with errors on failure. */
struct sim_engine *sim_create(const struct sim_config *config, const struct sim_model *model,
                              struct base_errors *errors);
/* Memory that sim_create() will allocate for a rank of `lps` LPs: the number of blocks, the bytes of the engine's
 * tables, and the size of a chunk, the unit in which memory for events is allocated per block and window. */
struct sim_sizes {
	uint32_t blocks;
	size_t table_bytes, chunk_bytes;
	size_t spare_bytes; /* chunks that threads keep in reserve */
};
struct sim_sizes sim_sizes(const struct sim_config *config, uint32_t lps);
/* The context with which initial events are sent and which handlers receive. */
struct sim_ctx *sim_context(struct sim_engine *engine);
/* Called before sim_run(): events of the following calls of sim_send() are sent by LP `lp` at time 0. Those to other
 * LPs must be for a time of at least one lookahead. */
void sim_initial(struct sim_ctx *ctx, sim_lpid lp);
/* Calls work(), which sends the initial events of `count` LPs from `first` on. With several threads every thread calls
 * it, concurrently, for a share of the LPs and with its own self and ctx; otherwise it is called once for all LPs of
 * this rank. sim_prepare() may be called at most once, before sim_run(). */
void sim_prepare(struct sim_engine *engine,
                 void (*work)(void *self, struct sim_ctx *ctx, sim_lpid first, uint32_t count));
/* The width of a window in ps. A run can pause at multiples of this time only. */
sim_time sim_width(const struct sim_engine *engine);
/* Sets the end of the first leg of a run whose model has pause(): `at`, a multiple of sim_width(), or the end of the
 * run if that is earlier. Must be called before sim_prepare() and sim_run(). */
void sim_pause_at(struct sim_engine *engine, sim_time at);
/* Sets whether a request SIM_END_AT_PAUSE waits for the end of the leg. With `wanted` false it acts as SIM_END_NOW,
 * which is right if the model has counted nothing in advance. The setting holds from the next window on, and in a run
 * with legs it is true until this function is called. All ranks must set the same value. */
void sim_end_with_leg(struct sim_engine *engine, bool wanted);
enum sim_outcome sim_run(struct sim_engine *engine, struct base_errors *errors);
void sim_counters_get(const struct sim_engine *engine, struct sim_counters *out);
/* Sums the counters, including seconds, over all ranks; windows and gvt_rounds become the maximum. Collective. */
void sim_counters_reduce(struct sim_counters *c);
/* Adds the counters that are sums, that is, all except windows, rounds and seconds. */
void sim_counters_add(struct sim_counters *to, struct sim_counters *c);
/* Visits the events of this rank that were not executed, because their time is `end` or later. Called after
 * sim_run(). */
void sim_leftovers(struct sim_engine *engine, void (*visit)(void *arg, const struct sim_event *event), void *arg);
/* The rank that currently owns an LP; every rank knows it. */
int sim_owner_of(const struct sim_engine *engine, sim_lpid lp);
/* The time before which all events have been executed: `end`, or less if the run was interrupted. Called after
 * sim_run(). */
sim_time sim_reached(const struct sim_engine *engine);
void sim_destroy(struct sim_engine *engine);

/* --- MPI ------------------------------------------------------------------------------------------------- */

/* Starts MPI if the process was started by an MPI launcher. Otherwise MPI is not used, and the run has one rank. */
int sim_mpi_start(int *argc, char ***argv);
void sim_mpi_stop(void);
int sim_rank(void);
int sim_ranks(void);
/* Number of ranks on this rank's host, this rank included. Collective. */
int sim_host_ranks(void);
/* Replaces each of the n words of `v` by its sum (in the next functions minimum, maximum) over all ranks.
 * Collective. */
void sim_sum_u64(uint64_t *v, size_t n);
void sim_min_u64(uint64_t *v, size_t n);
void sim_max_u64(uint64_t *v, size_t n);
/* Prefix sums of n words: before[i] becomes the sum of mine[i] over the ranks before this one, all[i] that over all
 * ranks. Collective. */
void sim_scan_u64(const uint64_t *mine, uint64_t *before, uint64_t *all, size_t n);
/* Concatenates the bytes of all ranks, in rank order, on rank 0, which frees *all with free(); other ranks get NULL and
 * 0. Collective. */
void sim_gather_bytes(const void *mine, size_t bytes, void **all, size_t *all_bytes);
/* Passes the n blocks of every rank, in rank order, to take() on rank 0, which holds only one block of another rank in
 * memory at a time. A rank without blocks only takes part in a gather of counts. Collective. */
#define SIM_BLOCK_BYTES ((size_t)1 << 17)
struct sim_block {
	const void *at;
	size_t bytes; /* at most SIM_BLOCK_BYTES */
};
void sim_forward(const struct sim_block *v, size_t n, void (*take)(void *arg, const void *block, size_t bytes),
                 void *arg);
/* Returns the bytes of all ranks, concatenated in rank order, on every rank; the caller frees them. They must be less
 * than 2 GB in all. Collective. */
void *sim_share_bytes(const void *mine, size_t bytes, size_t *all_bytes);
void sim_broadcast(void *data, size_t bytes);
/* Sends each of n records of `bytes` bytes to the rank that owner() returns for it. Returns the *got records that this
 * rank has received, in the order of their source ranks; the caller frees them. Collective. */
void *sim_exchange_records(const void *mine, size_t n, size_t bytes, int (*owner)(const void *arg, const void *record),
                           const void *arg, size_t *got);
/* Sets the functions that are called when a rank is lost, that is, when the process of another rank of this host ends
 * while MPI runs, or when MPI reports an error. Then one rank of the host calls report() with a line of text. Every
 * rank of the host calls end(), possibly twice, and exits with status SIM_LOST_STATUS. The functions may be called by a
 * thread that does not simulate. */
#define SIM_LOST_STATUS 1
void sim_on_lost_rank(void (*report)(const char *what), void (*end)(void));
/* Ends all ranks with this exit status. Any rank may call it. */
void sim_mpi_abort(int status) __attribute__((noreturn));
const char *sim_mpi_name(void); /* "Open MPI 4.1.4", "none" */

/* --- cores: sim/cores.c ---------------------------------------------------------------------------------- */

/* Maximum number of threads with which rank 0 may simulate in place of all ranks: the number of cores of all ranks, at
 * most one per rank. It is 1 if there is only one rank, if the ranks are on several hosts, or if rank 0 is not
 * permitted to use the other ranks' cores. Collective. */
uint32_t sim_cores_pool(void);
/* Nanoseconds that the transfer of a cache line from the core of rank 0 to that of the last rank takes, as measured by
 * sim_cores_pool(). The value is the same on all ranks; 0 if it is not known. */
double sim_cores_line_ns(void);
/* Allows this process, and its children, to run on the cores of all ranks of its host. Returns the number of these
 * cores. Collective. */
uint32_t sim_cores_unite(void);
/* Number of cores on which this process may run. */
uint32_t sim_cores_here(void);
/* Number of the cores of sim_cores_here() that a run of one rank may use: the value of TILEFLY_IDLE_CORES in the
 * environment, 1 if it is not set. */
uint32_t sim_cores_idle(void);
/* Pins the calling thread to the core of the rank with number `thread`. Returns false on failure. */
bool sim_cores_take(uint32_t thread);
/* Called by all ranks: ranks other than rank 0 sleep until rank 0 calls it, too. A barrier of MPI would keep their
 * cores busy. */
void sim_cores_ready(void);
/* Called by the ranks other than rank 0: sleeps until rank 0 calls sim_cores_done(), and receives its result. Meanwhile
 * go_on() is called from time to time; once it returns false, sim_cores_stop_asked() returns true on rank 0. */
void sim_cores_wait(void *result, size_t bytes, bool (*go_on)(void *arg), void *arg);
void sim_cores_done(void *result, size_t bytes);
bool sim_cores_stop_asked(void);
void sim_cores_free(void); /* collective; at the end */

/* --- for handlers ---------------------------------------------------------------------------------------- */

struct sim_bucket {
	unsigned char *cur; /* first: where the next record goes; NULL: empty */
	struct sim_chunk *first;
};

/* The part of a rank's engine that handlers access often, through the functions below only. */
struct sim_ctx {
	sim_time now;
	uint64_t now_key;
	uint32_t hint; /* for the current event, see sim_model.prefetch */
	bool journal;  /* the current event is speculative */
	/* fast path of sim_send: windows in (fast_after, fast_after + fast_count) are appended directly to a bucket */
	sim_lpid first, count; /* LPs that this rank owns now */
	sim_lpid base;         /* blocks are counted from here */
	uint32_t block_shift, blocks;
	uint64_t window_reciprocal;
	uint64_t fast_after, fast_count;
	uint64_t wheel_mask;
	struct sim_bucket *wheel;
	uintptr_t chunk_mask; /* chunk bytes - 1 */
	unsigned char *
	    *away; /* with two ranks: the position of the next record for the other rank; NULL: see sim_send_slow */
	uint64_t remote_events;
	uint64_t sent_min; /* least window among events sent to other ranks since the last round */
	struct sim_engine *engine;
};

#define SIM_EVENT_LONG 1u /* state bits */
#define SIM_EVENT_DONE 2u
#define SIM_EVENT_DEAD 4u
#define SIM_EVENT_ANTI 8u

/* The number of the window that contains time t. It is exact for times below 2^64 / window, and for later times if the
 * width of windows is one that sim_exact_width() has returned for them. */
static inline uint64_t sim_window_of(const struct sim_ctx *ctx, sim_time t)
{
	return (uint64_t)((unsigned __int128)t * ctx->window_reciprocal >> 64);
}

__attribute__((noinline)) struct sim_event *sim_send_slow(struct sim_ctx *ctx, sim_lpid lp, sim_time time, uint64_t key,
                                                          unsigned words);

/* Initializes the event record at `at`; aux, kind and payload remain to be filled by the caller. */
static inline struct sim_event *sim_begin_record(void *at, sim_lpid lp, sim_time time, uint64_t key, unsigned words)
{
	struct sim_event *e = at;
	e->time = time;
	e->key = key;
	e->lp = lp;
	e->state = words == SIM_LONG_WORDS ? SIM_EVENT_LONG : 0;
	return e;
}

/* Reserves space for a record (a long one if is_long is 1) in its bucket of the wheel. Returns NULL, and the caller
 * takes the slow path, if the LP is on another rank, if the bucket's last chunk is full or there is none, or if the
 * window is not in the wheel or some of its events may have been executed. */
static inline __attribute__((always_inline)) unsigned char *sim_place(struct sim_ctx *ctx, sim_lpid lp, sim_time time,
                                                                      unsigned is_long)
{
	const size_t bytes = SIM_SHORT_BYTES << is_long;
	uint64_t w = sim_window_of(ctx, time);
	if (sim_unlikely(w - ctx->fast_after - 1 >= ctx->fast_count || lp - ctx->first >= ctx->count))
		return NULL;
	struct sim_bucket *b =
	    &ctx->wheel[2 * ((w & ctx->wheel_mask) * ctx->blocks + ((lp - ctx->base) >> ctx->block_shift)) + is_long];
	unsigned char *at = b->cur;
	/* Records of one length fill a chunk exactly, so if `cur` is at a chunk's boundary, the chunk is full or there
	 * is none. */
	if (sim_unlikely(((uintptr_t)at & ctx->chunk_mask) == 0))
		return NULL;
	base_check(((uintptr_t)at & ctx->chunk_mask) + bytes <= ctx->chunk_mask + 1); /* records fill a chunk exactly */
	b->cur = at + bytes;
	base_prefetch_write(at + 2 * bytes - 1); /* the next record's line: last touched windows ago */
	return at;
}

/* Reserves a record with sim_place() and initializes it. Returns NULL in the same cases as sim_place(). */
static inline __attribute__((always_inline)) struct sim_event *sim_append(struct sim_ctx *ctx, sim_lpid lp,
                                                                          sim_time time, uint64_t key, unsigned words)
{
	unsigned char *at = sim_place(ctx, lp, time, words == SIM_LONG_WORDS);
	return at ? sim_begin_record(at, lp, time, key, words) : NULL;
}

#define SIM_OUTLET_AHEAD 512 /* prefetch distance in a stream; its receiver has read the previous contents there */

/* As sim_append(), in a run of two ranks: reserves a record in a bucket of this rank or, for an LP of the other rank,
 * in the message stream to it. Which of the two it is, is unpredictable, so the code has no branch on it. Buffers of
 * streams end at a chunk's boundary, and a record that would cross it takes the slow path, for which NULL is returned.
 * (The function is never inlined, so that handlers need fewer registers, also in runs of one rank.) */
__attribute__((noinline, unused)) static struct sim_event *
sim_append_anywhere(struct sim_ctx *ctx, sim_lpid lp, sim_time time, uint64_t key, unsigned words)
{
	const size_t bytes = sizeof(struct sim_event) + 8 * (size_t)words;
	uint64_t w = sim_window_of(ctx, time);
	uint64_t bucket = 2 * ((w & ctx->wheel_mask) * ctx->blocks + ((lp - ctx->base) >> ctx->block_shift)) +
	                  (words == SIM_LONG_WORDS);
	uint64_t away = -(uint64_t)(lp - ctx->first >= ctx->count);
	uintptr_t here =
	    (uintptr_t)ctx->wheel + bucket * sizeof *ctx->wheel; /* `cur` is its first member; meaningless if away */
	unsigned char **cursor = (unsigned char **)((here & ~away) | ((uintptr_t)ctx->away & away));
	if (sim_unlikely(w - ctx->fast_after - 1 >= ctx->fast_count))
		return NULL;
	unsigned char *at = *cursor;
	uintptr_t in_chunk = (uintptr_t)at & ctx->chunk_mask;
	if (sim_unlikely(in_chunk == 0 || in_chunk + bytes > ctx->chunk_mask + 1))
		return NULL;
	*cursor = at + bytes;
	/* Prefetches the cache line of the next record. In a stream every line must be prefetched, so there the
	 * distance is counted from the end of this record, whatever its length. */
	base_prefetch_write(at + 2 * bytes - 1 + (away & (SIM_OUTLET_AHEAD - bytes)));
	ctx->remote_events += away & 1;
	ctx->sent_min = (w | ~away) < ctx->sent_min ? w : ctx->sent_min;
	return sim_begin_record(at, lp, time, key, words);
}

/* Sends an event; the caller fills aux, kind and the payload (`words`: SIM_SHORT_WORDS or SIM_LONG_WORDS, a constant)
 * of the returned record before it sends the next. Always inlined: for the few call sites that send nearly all
 * events. */
static inline __attribute__((always_inline)) struct sim_event *sim_send_hot(struct sim_ctx *ctx, sim_lpid lp,
                                                                            sim_time time, uint64_t key, unsigned words)
{
	struct sim_event *e =
	    ctx->away ? sim_append_anywhere(ctx, lp, time, key, words) : sim_append(ctx, lp, time, key, words);
	/* The fast path is taken only for windows after the one that is being executed. */
	base_checkf(!e || time > ctx->now, "LP %u, %llu ps, at %llu ps", lp, (unsigned long long)time,
	            (unsigned long long)ctx->now);
	return sim_likely(e != NULL) ? e : sim_send_slow(ctx, lp, time, key, words);
}

static inline struct sim_event *sim_send(struct sim_ctx *ctx, sim_lpid lp, sim_time time, uint64_t key, unsigned words)
{
	return sim_send_hot(ctx, lp, time, key, words);
}

/* Saves the old value of memory, or an addition to it, in the journal of a speculative event. (Not inlined, because
 * there are many calls, and few events are speculative.) */
__attribute__((noinline)) void sim_journal_save(struct sim_ctx *ctx, void *at, size_t bytes);
__attribute__((noinline)) void sim_journal_add(struct sim_ctx *ctx, uint64_t *at, uint64_t delta);

/* Declares that the `bytes` bytes at `at` are about to change, so that a rollback restores them. */
static inline void sim_save(struct sim_ctx *ctx, void *at, size_t bytes)
{
	if (sim_unlikely(ctx->journal))
		sim_journal_save(ctx, at, bytes);
}

/* Assigns *(at) = value; a rollback restores the old value. */
#define sim_set(ctx, at, value)                      \
	do {                                         \
		sim_save((ctx), (at), sizeof *(at)); \
		*(at) = (value);                     \
	} while (0)

/* Adds delta to *at; a rollback subtracts it. No other change of memory that LPs share is allowed. */
static inline void sim_add(struct sim_ctx *ctx, uint64_t *at, uint64_t delta)
{
	if (sim_unlikely(ctx->journal))
		sim_journal_add(ctx, at, delta);
	*at += delta;
}

/* Passes the `bytes` bytes of `record`, or a copy of them, to the model's commit() once the current event can no longer
 * be undone. */
void sim_commit(struct sim_ctx *ctx, const void *record, size_t bytes);

/* Reports a violated invariant of the model. A speculative event may see an inconsistent state, so the report counts
 * only if the event is committed; the handler must return safely after it. The run then ends with SIM_FAILED and this
 * text. */
void sim_violation(struct sim_ctx *ctx, const char *fmt, ...) __attribute__((format(printf, 2, 3), noinline));

#endif

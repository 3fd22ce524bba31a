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

/* Ties at one LP and instant are ordered by (phase, entity, count). phase < 8; entity < 2^31: switches or endpoints,
 * never LPs of a particular layout; the count wraps after 2^30 sends, far beyond what can be in flight at one instant.
 */
static inline uint64_t sim_key(unsigned phase, uint32_t entity, uint32_t count)
{
	return (uint64_t)phase << 61 | (uint64_t)entity << 30 | (count & 0x3fffffffu);
}
static inline uint32_t sim_key_entity(uint64_t key)
{
	return (uint32_t)(key >> 30) & 0x7fffffffu;
}

struct sim_ctx;

/* The events of a block of LPs and a window that must run in order, for sim_model.early. */
struct sim_ordered {
	struct sim_event *const *record;
	const uint64_t *item;
	const uint32_t *bin;
	unsigned sub_bits;
	sim_lpid first;
	uint32_t lps; /* of the block: a power of two; the last LPs may not exist */
};
/* Number of events of an LP. */
static inline uint32_t sim_ordered_count(const struct sim_ordered *o, sim_lpid lp)
{
	uint32_t k = lp - o->first;
	return o->bin[(k + 1) << o->sub_bits] - o->bin[k << o->sub_bits];
}
/* The i-th event of an LP, in arbitrary order. */
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
	/* Name of an event kind, for messages. */
	const char *(*kind_name)(unsigned kind);
	/* Visits every region of memory that handlers of this LP change (lp == SIM_NO_LP: memory shared by LPs, changed
	 * by sim_add only): for --audit and for migration to another rank. */
	void (*regions)(void *self, sim_lpid lp, void (*visit)(void *arg, void *at, size_t bytes), void *arg);
	/* Commit-time action, see sim_commit(); may be NULL. */
	void (*commit)(void *self, sim_lpid lp, const void *record, size_t bytes);
	/* Prefetches the memory that an event will touch, as a rule some events ahead of handle(), sometimes twice or
	 * too late. May be NULL; worthwhile if the state exceeds the second-level cache. Its result is ctx->hint when
	 * the event is handled; SIM_NO_HINT for none. It may depend only on the event and on constant data; if the hint
	 * is a location, its contents may have been overwritten by then. */
	uint32_t (*prefetch)(void *self, const struct sim_event *event);
	/* Called with all short events of a block of LPs and a window before any other event there is run: handles
	 * those whose effect does not depend on their position in the window and that send nothing, and moves the
	 * `left` others to the front. Returns `left`. Called only where nothing can be undone; elsewhere these events
	 * go to handle() in order. May be NULL. */
	uint32_t (*early)(void *self, struct sim_event **events, uint32_t n, const struct sim_ordered *ordered);
	/* Migration of an LP to another rank, while nothing is in flight. The regions of regions() are copied; then
	 * migrate_out() frees its memory on the old rank. migrate_in() allocates it on the new rank, as before the
	 * first event, and regions() gives the destinations of the copies: it must visit a count before the array that
	 * it counts. owns(): this rank's LPs from now on. All three or none. */
	void (*migrate_out)(void *self, sim_lpid lp);
	void (*migrate_in)(void *self, sim_lpid lp);
	void (*owns)(void *self, sim_lpid first, uint32_t count);
	/* Returns a worker: the `self` of an additional thread, whose handlers may run LPs concurrently with other
	 * threads. A worker has its own copy of the memory that LPs share. release_worker() adds this copy to the
	 * memory of `self`, then frees the worker. NULL: one thread only. */
	void *(*worker)(void *self, struct sim_ctx *ctx);
	void (*release_worker)(void *self, void *worker);
	/* Everything before `until` is final: it has been executed and will not be undone. Called with every thread's
	 * `self` at the start of a window and at the end of a leg or of the run. May be NULL. */
	void (*settled)(void *self, sim_time until);
	/* Ends a leg (sim_pause_at): all events before `at`, and no others, have been executed for good. Returns the
	 * end of the next leg, a multiple of sim_width() later than `at`; 0: the run ends here. It also ends here if
	 * `asked` (SIM_END_AT_PAUSE): then the result only says whether the run would have continued, and no leg
	 * begins. Called on every rank, or on rank 0 alone if it has all LPs. Before it, gather() adds a worker's sums
	 * to `self` and clears them; after it, resume() informs each worker of the new leg. */
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

/* The scheduler that is likely to be fastest on this number of ranks: sequential on one. On several, a conservative
 * window costs a message each way and the wait for the slowest rank, every lookahead: little if a rank has
 * SIM_AUTO_EVENTS to execute meanwhile, else too much, and the optimistic scheduler is chosen. `events`: expected per
 * rank and lookahead. */
#define SIM_AUTO_EVENTS 500.0
enum sim_sync sim_auto_sync(double events);

/* Maximum width of a window: 1.07 ms. The index of an LP in a block, an offset in a window and an index must fit in the
 * 64-bit items of batch.c: see MOST_BLOCK_SHIFT in engine.c. */
#define SIM_WINDOW_MAX (1ull << 30)
#define SIM_END_MAX (1ull << 62) /* ps; maximum length of a run, 53 days */
/* The widest window, at most `most` ps and SIM_WINDOW_MAX, for which sim_window_of() is exact up to `end` (at most
 * SIM_END_MAX), as it is for 2^doublings times that width: a few thousandths below the limit unless it must be a power
 * of two. O(2^16). */
sim_time sim_exact_width(sim_time most, unsigned doublings, sim_time end);

struct sim_config {
	enum sim_sync sync;
	uint64_t seed;
	const sim_lpid *first_lp; /* [ranks + 1]: LPs of rank r are first_lp[r] .. first_lp[r+1]-1 */
	/* Range of LPs that this rank's tables can hold, its own included; count 0: its own only. With balancing, LPs
	 * migrate between neighbouring ranks within these ranges. */
	enum sim_balance balance;
	sim_lpid room_first;
	uint32_t room_count;
	/* More than one: each rank runs this number of threads, which share its LPs, see sim_model.worker. Windows are
	 * then synchronous, without speculation, whatever `sync` says. */
	uint32_t threads;
	/* With threads and several ranks: rank 0 has all LPs and all threads, at most sim_cores_pool(), which run on
	 * the cores of the other ranks. */
	bool pooled;
	sim_time lookahead; /* least delay between two different LPs, > 0 */
	sim_time end;       /* events at or after it are not executed */
	sim_time window;    /* 0: the lookahead. Larger only with SIM_OPTIMISTIC: then every event is speculative */
	/* The lookahead times a power of two, with `end` a multiple of it. Window widths then divide it, so that the
	 * run can pause at its multiples for any value of `window`: the width is the largest power of two of lookaheads
	 * that exceeds neither `unit` nor `window`; for a `window` below the lookahead, the lookahead halved as often
	 * as needed while it is even. 0: no constraint. */
	sim_time unit;
	uint32_t block_lps;    /* LPs that share a bucket; 0: chosen from events_per_lp */
	double events_per_lp;  /* expected events per LP and window, a hint for sizes; 0: unknown */
	uint32_t optimism;     /* windows a rank may be ahead of GVT */
	uint32_t gvt_interval; /* windows executed between GVT rounds while there is safe work */
	uint32_t stress;       /* per cent of LP pairs whose events are artificially late; 0: off */
	bool audit;            /* sequential only: every event forward, back, forward */
	/* Called about every 50 ms of wall time on every rank, with the time up to which everything is final, and an
	 * estimate of the events committed by all ranks, as if they were like this one; a request of one rank ends the
	 * run on all of them. May be NULL. */
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

/* Collective over the communicator given to sim_mpi_start (or alone). Allocates queues; LPs get their first events
 * through sim_initial(). */
struct sim_engine *sim_create(const struct sim_config *config, const struct sim_model *model,
                              struct base_errors *errors);
/* Memory that sim_create will allocate for a rank of `lps` LPs: number of blocks, bytes of its tables, and the
 * allocation unit of events, per block and window. */
struct sim_sizes {
	uint32_t blocks;
	size_t table_bytes, chunk_bytes;
	size_t spare_bytes; /* chunks that threads keep in reserve */
};
struct sim_sizes sim_sizes(const struct sim_config *config, uint32_t lps);
/* The context for sending initial events and for handlers. */
struct sim_ctx *sim_context(struct sim_engine *engine);
/* Before sim_run: the following sim_send calls come from LP `lp` at time 0; those to other LPs must be at least a
 * lookahead later. */
void sim_initial(struct sim_ctx *ctx, sim_lpid lp);
/* Calls a function that sends initial events, in all threads at once, each with its own self and ctx, for a share of
 * the LPs; without threads, one call for all LPs of this rank. At most once, and before sim_run. */
void sim_prepare(struct sim_engine *engine,
                 void (*work)(void *self, struct sim_ctx *ctx, sim_lpid first, uint32_t count));
/* ps; runs pause at multiples of this time */
sim_time sim_width(const struct sim_engine *engine);
/* Before sim_prepare() and sim_run(), of a model with pause(): the first leg ends at `at`, a multiple of the width, or
 * at the run's end if that is earlier. */
void sim_pause_at(struct sim_engine *engine, sim_time at);
/* From the next window on, or before sim_run(): does SIM_END_AT_PAUSE wait for the pause? If not, because the model
 * counts nothing in advance, it acts as SIM_END_NOW. In a run with legs it waits until this is called; same value on
 * every rank. */
void sim_end_with_leg(struct sim_engine *engine, bool wanted);
enum sim_outcome sim_run(struct sim_engine *engine, struct base_errors *errors);
void sim_counters_get(const struct sim_engine *engine, struct sim_counters *out);
/* Sums counters over ranks, seconds too (rounds and windows: the maximum). Collective. */
void sim_counters_reduce(struct sim_counters *c);
/* Adds the counters that are sums, that is, all except windows, rounds and seconds. */
void sim_counters_add(struct sim_counters *to, struct sim_counters *c);
/* Visits the events of this rank that were never executed (at or after `end`). After sim_run. */
void sim_leftovers(struct sim_engine *engine, void (*visit)(void *arg, const struct sim_event *event), void *arg);
/* The rank that currently owns an LP; every rank knows it. */
int sim_owner_of(const struct sim_engine *engine, sim_lpid lp);
/* Time up to which all events are executed: `end`, or less if interrupted. After sim_run. */
sim_time sim_reached(const struct sim_engine *engine);
void sim_destroy(struct sim_engine *engine);

/* --- MPI ------------------------------------------------------------------------------------------------- */

/* Starts MPI if the process was started by an MPI launcher; otherwise a run of one rank without MPI. */
int sim_mpi_start(int *argc, char ***argv);
void sim_mpi_stop(void);
int sim_rank(void);
int sim_ranks(void);
/* Number of ranks on this rank's host, this rank included. Collective. */
int sim_host_ranks(void);
/* Sums (commutative, exact) `n` words over all ranks into the same array on every rank. */
void sim_sum_u64(uint64_t *v, size_t n);
void sim_min_u64(uint64_t *v, size_t n);
void sim_max_u64(uint64_t *v, size_t n);
/* Prefix sums of `n` words: over the ranks before this one, and over all. */
void sim_scan_u64(const uint64_t *mine, uint64_t *before, uint64_t *all, size_t n);
/* Appends every rank's bytes in rank order on rank 0 (others get NULL, 0). *all is malloc'ed. */
void sim_gather_bytes(const void *mine, size_t bytes, void **all, size_t *all_bytes);
/* Passes every rank's blocks, in rank order, to take() on rank 0, which holds one block of another rank at a time. A
 * rank without blocks only takes part in a gather of counts. Collective. */
#define SIM_BLOCK_BYTES ((size_t)1 << 17)
struct sim_block {
	const void *at;
	size_t bytes; /* at most SIM_BLOCK_BYTES */
};
void sim_forward(const struct sim_block *v, size_t n, void (*take)(void *arg, const void *block, size_t bytes),
                 void *arg);
/* Every rank's bytes, concatenated in rank order, on every rank, to be freed; less than 2 GB in all. Collective. */
void *sim_share_bytes(const void *mine, size_t bytes, size_t *all_bytes);
void sim_broadcast(void *data, size_t bytes);
/* Sends every record to the rank owner(record) only. Returns the records received, in the order of their source ranks,
 * to be freed; *got: their number. Collective. */
void *sim_exchange_records(const void *mine, size_t n, size_t bytes, int (*owner)(const void *arg, const void *record),
                           const void *arg, size_t *got);
/* A rank is lost when another process of this host ends while MPI runs, or when MPI reports an error. Then one rank of
 * the host calls report() with a line of text, and each calls end(), perhaps twice, and exits with this status. They
 * may be called from another thread than the simulating one. */
#define SIM_LOST_STATUS 1
void sim_on_lost_rank(void (*report)(const char *what), void (*end)(void));
/* Any rank may call it: ends all ranks with an exit status. */
void sim_mpi_abort(int status) __attribute__((noreturn));
const char *sim_mpi_name(void); /* "Open MPI 4.1.4", "none" */

/* --- cores: sim/cores.c ---------------------------------------------------------------------------------- */

/* Maximum number of threads that rank 0 may run in place of all ranks: the number of their cores, at most one per rank.
 * 1: there is only one rank, or they are on several hosts, or rank 0 may not use the other ranks' cores. Collective. */
uint32_t sim_cores_pool(void);
/* Nanoseconds that a cache line takes from the core of rank 0 to that of the last rank, as measured by
 * sim_cores_pool(); the same on all ranks. 0: not known. */
double sim_cores_line_ns(void);
/* Allows this process, and its children, to run on the cores of all ranks of its host. Returns the number of these
 * cores. Collective. */
uint32_t sim_cores_unite(void);
/* Cores that this process may run on. */
uint32_t sim_cores_here(void);
/* Number of these cores that a run of one rank may use: TILEFLY_IDLE_CORES in the environment; 1 if it is not set. */
uint32_t sim_cores_idle(void);
/* Pins the calling thread to the core of rank `thread`. */
bool sim_cores_take(uint32_t thread);
/* The other ranks sleep until rank 0 calls this, too: a busy-waiting barrier would occupy their cores. */
void sim_cores_ready(void);
/* The other ranks sleep until rank 0 has finished and sends them a result. go_on() is called now and then: once it
 * returns false, sim_cores_stop_asked() is true on rank 0. */
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

/* Window of a time: exact for times below 2^64 / window, and beyond where sim_exact_width() guarantees it. */
static inline uint64_t sim_window_of(const struct sim_ctx *ctx, sim_time t)
{
	return (uint64_t)((unsigned __int128)t * ctx->window_reciprocal >> 64);
}

__attribute__((noinline)) struct sim_event *sim_send_slow(struct sim_ctx *ctx, sim_lpid lp, sim_time time, uint64_t key,
                                                          unsigned words);

/* Fills a pending record at `at`, except aux, kind and payload. */
static inline struct sim_event *sim_begin_record(void *at, sim_lpid lp, sim_time time, uint64_t key, unsigned words)
{
	struct sim_event *e = at;
	e->time = time;
	e->key = key;
	e->lp = lp;
	e->state = words == SIM_LONG_WORDS ? SIM_EVENT_LONG : 0;
	return e;
}

/* Reserves a record (long if is_long is 1) in a window of the wheel of which nothing has been executed, in a chunk with
 * free space; NULL if that is impossible or the LP is on another rank. */
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
	/* records of one length fill a chunk exactly: cur at a chunk's boundary means full or empty */
	if (sim_unlikely(((uintptr_t)at & ctx->chunk_mask) == 0))
		return NULL;
	base_check(((uintptr_t)at & ctx->chunk_mask) + bytes <= ctx->chunk_mask + 1); /* records fill a chunk exactly */
	b->cur = at + bytes;
	base_prefetch_write(at + 2 * bytes - 1); /* the next record's line: last touched windows ago */
	return at;
}

/* Reserves a record in that window; NULL under the conditions above. */
static inline __attribute__((always_inline)) struct sim_event *sim_append(struct sim_ctx *ctx, sim_lpid lp,
                                                                          sim_time time, uint64_t key, unsigned words)
{
	unsigned char *at = sim_place(ctx, lp, time, words == SIM_LONG_WORDS);
	return at ? sim_begin_record(at, lp, time, key, words) : NULL;
}

#define SIM_OUTLET_AHEAD 512 /* prefetch distance in a stream; its receiver has read the previous contents there */

/* The same, or a record in the stream to the other of two ranks: the destination is unpredictable, so there is no
 * branch on it. Streams end at a chunk's boundary, and a record that crosses one takes the slow path. (Never inlined
 * into a handler, which then needs fewer registers, also on one rank.) */
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
	/* the next record's line; in a stream every line, so the distance is counted from the end of a record of any
	 * length */
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
	/* the fast path is for windows after the one that is being run */
	base_checkf(!e || time > ctx->now, "LP %u, %llu ps, at %llu ps", lp, (unsigned long long)time,
	            (unsigned long long)ctx->now);
	return sim_likely(e != NULL) ? e : sim_send_slow(ctx, lp, time, key, words);
}

static inline struct sim_event *sim_send(struct sim_ctx *ctx, sim_lpid lp, sim_time time, uint64_t key, unsigned words)
{
	return sim_send_hot(ctx, lp, time, key, words);
}

/* (Not inlined: there are many calls, and few events run under the journal.) */
__attribute__((noinline)) void sim_journal_save(struct sim_ctx *ctx, void *at, size_t bytes);
__attribute__((noinline)) void sim_journal_add(struct sim_ctx *ctx, uint64_t *at, uint64_t delta);

/* Declares that *at (bytes) is about to change, so that a rollback restores it. */
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

/* Passes `record` to model->commit once the current event can no longer be undone. */
void sim_commit(struct sim_ctx *ctx, const void *record, size_t bytes);

/* Reports a violated invariant of the model. A speculative event may see an inconsistent state, so the report counts
 * only if the event is committed; the handler must return safely after it. The run then ends with SIM_FAILED and this
 * text. */
void sim_violation(struct sim_ctx *ctx, const char *fmt, ...) __attribute__((format(printf, 2, 3), noinline));

#endif

/* sim/threads.c - the threads of a rank: synchronous windows, as in conservative.c, but all threads share the LPs.
 *
 * Every thread has an engine of its own, whose wheel holds the events that this thread has sent, for all LPs. The
 * thread that takes a block of LPs in a window runs it from the records in all wheels: usually the thread whose share
 * includes the block, otherwise an idle thread (work stealing). So no messages pass between threads, no LP migrates,
 * and a slow core runs fewer blocks.
 *
 * A barrier separates two windows. Each thread publishes the least window of its own wheel, and the least of all is the
 * next window. The published values and the shares of a window exist twice, by the parity of the barrier, so that a
 * slow thread can read the old ones while a fast thread writes the new. */
#include "base/memory.h"
#include "sim/schedulers.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#define LINE 64 /* bytes of a cache line: each thread writes to lines of its own */

struct thread_sync {                         /* state of one thread */
	_Alignas(LINE) _Atomic uint64_t met; /* number of barriers it has reached */
	uint64_t next[2], flags[2], events[2];
	_Alignas(LINE) _Atomic uint64_t share[2]; /* remaining blocks: first | end << 32 */
};

struct sim_team {
	unsigned threads; /* threads that could be started; other members stay idle */
	_Atomic bool go;  /* all threads have been started or given up */
	void (*work)(struct sim_engine *member);
	void (*prepare)(void *self, struct sim_ctx *ctx, sim_lpid first, uint32_t count);
	struct thread_sync *sync;
	/* With several ranks: the result of the exchange at a barrier, published by the first thread. */
	_Atomic uint64_t agreed; /* number of that barrier */
	uint64_t agreed_next, agreed_flags;
	pthread_t *thread; /* [threads]; the first is the caller of sim_run() */
};

/* --- blocks ---------------------------------------------------------------------------------------------- */

/* The first block of thread k's share. */
static uint64_t share(const struct sim_engine *e, unsigned k)
{
	return e->block_first + (uint64_t)(e->block_end - e->block_first) * k / e->team->threads;
}

/* Takes a block from a thread's share: from the front if it is the calling thread's own, otherwise from the back, which
 * the owner reaches last. Returns SIM_NO_BLOCK if the share has no more than `leave` blocks. */
static uint32_t take_share(_Atomic uint64_t *share, bool own, uint32_t leave)
{
	uint64_t s = atomic_load_explicit(share, memory_order_relaxed);
	for (;;) {
		uint32_t first = (uint32_t)s, end = (uint32_t)(s >> 32);
		if (first + leave >= end)
			return SIM_NO_BLOCK;
		base_checkf(first < end, "blocks from %u to %u", first, end);
		uint64_t left = own ? s + 1 : s - ((uint64_t)1 << 32);
		if (atomic_compare_exchange_weak_explicit(share, &s, left, memory_order_relaxed, memory_order_relaxed))
			return own ? first : end - 1;
	}
}

static uint32_t take_any(struct sim_engine *e, unsigned parity)
{
	struct sim_team *t = e->team;
	uint32_t block = SIM_NO_BLOCK;
	for (unsigned k = 0; k < t->threads && block == SIM_NO_BLOCK; k++)
		block = take_share(&t->sync[(e->thread + k) % t->threads].share[parity], k == 0, 0);
	return block;
}

/* Between two blocks: transfers messages; the events of other ranks are for later windows. */
static void move_messages(struct sim_engine *e)
{
	if (e->thread)
		sim_transport_file(e->transport);
	else
		sim_transport_poll(e->transport);
}

/* Runs blocks of a window until none is left. Before a thread runs a block, it takes the next one of its share, so that
 * its records can be prefetched; but it does not take the last block of the share in advance, because an idle thread
 * may run that one sooner. */
static void run_window(struct sim_engine *e, uint64_t window, unsigned parity)
{
	for (uint32_t block = take_any(e, parity); block != SIM_NO_BLOCK;) {
		base_checkf(block >= e->block_first && block < e->block_end, "block %u of %u to %u", block,
		            e->block_first, e->block_end);
		e->next_block = take_share(&e->team->sync[e->thread].share[parity], true, 1);
		sim_run_block(e, window, block, false);
		if (e->transport)
			move_messages(e);
		block = e->next_block != SIM_NO_BLOCK ? e->next_block : take_any(e, parity);
	}
	e->count.windows++;
}

/* --- barriers -------------------------------------------------------------------------------------------- */

static void await(struct sim_engine *e, const struct thread_sync *other, uint64_t meeting)
{
	for (unsigned idle = 0; atomic_load_explicit(&other->met, memory_order_acquire) < meeting;)
		sim_idle(++idle, e->spins);
}

/* Barrier of the threads of a rank: *next becomes the minimum over all threads, *flags the union. Returns the number of
 * events that all threads together have committed so far. */
static uint64_t meet(struct sim_engine *e, uint64_t meeting, uint64_t *next, uint64_t *flags)
{
	struct sim_team *t = e->team;
	struct thread_sync *mine = &t->sync[e->thread];
	unsigned parity = meeting & 1;
	unsigned before = sim_phase_enter(e, SIM_PHASE_WAIT);
	uint64_t first = share(e, e->thread), end = share(e, e->thread + 1), events = 0;
	atomic_store_explicit(&mine->share[parity], first | end << 32, memory_order_relaxed);
	mine->next[parity] = *next;
	mine->flags[parity] = *flags;
	mine->events[parity] = e->count.events_committed;
	atomic_store_explicit(&mine->met, meeting, memory_order_release);
	for (unsigned k = 0; k < t->threads; k++) {
		const struct thread_sync *s = &t->sync[k];
		await(e, s, meeting);
		base_checkf(atomic_load_explicit(&s->met, memory_order_relaxed) - meeting <= 1,
		            "thread %u is more than one barrier ahead of %llu", k, (unsigned long long)meeting);
		*next = s->next[parity] < *next ? s->next[parity] : *next;
		*flags |= s->flags[parity];
		events += s->events[parity];
	}
	e->count.gvt_rounds++;
	sim_phase_enter(e, before);
	return events;
}

/* Called after the barrier of a rank's threads: exchanges events with the other ranks. The first thread sends and
 * receives the messages, while the other threads file the events received. *next becomes the minimum over all ranks,
 * *flags the union. At the next barrier of the threads all events have been filed. */
static void meet_ranks(struct sim_engine *e, uint64_t meeting, uint64_t *next, uint64_t *flags)
{
	struct sim_team *t = e->team;
	unsigned before = sim_phase_enter(e, SIM_PHASE_WAIT);
	if (!e->thread) {
		sim_transport_collect(e->transport);
		sim_exchange(e, next, flags);
		t->agreed_next = *next;
		t->agreed_flags = *flags;
		atomic_store_explicit(&t->agreed, meeting, memory_order_release);
	}
	for (unsigned idle = 0; atomic_load_explicit(&t->agreed, memory_order_acquire) < meeting;)
		if (sim_transport_file(e->transport))
			idle = 0;
		else
			sim_idle(++idle, e->spins);
	while (sim_transport_file(e->transport))
		;
	*next = t->agreed_next;
	*flags = t->agreed_flags;
	sim_phase_enter(e, before);
}

/* The least window, from w on, with an event pending in this thread's wheel or sent by it to another rank. */
static uint64_t next_window(struct sim_engine *e, uint64_t w)
{
	uint64_t next = sim_wheel_next(e, w), sent = e->ctx.sent_min;
	e->ctx.sent_min = SIM_WINDOW_NONE;
	return sent < next ? sent : next;
}

static void run_thread(struct sim_engine *e)
{
	if (e->initial)
		memset(e->phase_cycles, 0, sizeof e->phase_cycles);
	e->initial = false;
	e->phase_since = sim_cycles();
	uint64_t w = e->base, flags = 0, events = 0, meeting = 0, none = SIM_WINDOW_NONE, no_flags = 0;
	sim_phase_enter(e, SIM_PHASE_QUEUE);
	for (uint64_t done = SIM_WINDOW_NONE;; done = w, w++) {
		uint64_t next = next_window(e, w);
		if (e->thread && e->transport)
			sim_transport_hand_over(e->transport);
		if (!e->thread)
			sim_progress(e, w, events);
		flags = sim_end_flags(e) | (e->failed ? SIM_FLAG_FAIL : 0);
		events = meet(e, ++meeting, &next, &flags);
		if (e->transport) {
			meet_ranks(e, meeting, &next, &flags);
			meet(e, ++meeting, &none, &no_flags);
		}
		flags = sim_take_asked(e, flags);
		if (done != SIM_WINDOW_NONE && done != e->partial_window)
			sim_wheel_release_window(e, done); /* all threads have read the rest */
		base_checkf(next >= w, "window %llu after %llu", (unsigned long long)next, (unsigned long long)w);
		w = next;
		if (w >= e->end_window || flags)
			break;
		bool turned = sim_wheel_turns(e, w);
		sim_window_enter(e, w);
		if (turned) { /* records beyond the wheel have moved into it, perhaps into this window */
			meet(e, ++meeting, &none, &no_flags);
		}
		run_window(e, w, meeting & 1);
	}
	e->stopped = flags & SIM_FLAG_STOP && w < e->end_window;
	if (flags & SIM_FLAG_FAIL)
		e->failed = true;
	e->reached = e->stopped ? w * e->width : sim_leg_end(e);
	sim_phase_enter(e, SIM_PHASE_OTHER);
}

/* --- the threads of a rank ------------------------------------------------------------------------------- */

/* Creates an engine for thread k of e's rank. */
static struct sim_engine *member(struct sim_engine *e, unsigned k)
{
	struct sim_engine *m = base_alloc(sizeof *m);
	m->config = e->config;
	m->model = e->model;
	m->rank = e->rank;
	m->ranks = e->ranks;
	m->width = e->width;
	m->end_window = e->end_window;
	m->final_window = e->final_window;
	m->safe_windows = e->safe_windows;
	m->partial_window = e->partial_window;
	m->lp_capacity = e->lp_capacity;
	m->thread = k;
	m->team = e->team;
	m->member = e->member;
	m->members = e->members;
	m->slots = e->slots;
	m->ctx.engine = m;
	m->ctx.base = e->ctx.base;
	m->ctx.block_shift = e->ctx.block_shift;
	m->ctx.blocks = e->ctx.blocks;
	m->ctx.window_reciprocal = e->ctx.window_reciprocal;
	sim_own(m, e->ctx.first, e->ctx.count);
	sim_pool_init(&m->pool, e->pool.chunk_bytes);
	sim_wheel_init(m);
	m->dry_record = base_alloc(64);
	m->window = SIM_WINDOW_NONE;
	m->cycles_per_second = e->cycles_per_second;
	m->ctx.sent_min = SIM_WINDOW_NONE;
	m->phase = SIM_PHASE_OTHER;
	m->initial = true;
	m->wish = SIM_GO_ON; /* only the first thread requests the end */
	m->errors = base_alloc(sizeof *m->errors);
	m->pooled = e->pooled;
	m->owner_factor = e->owner_factor;
	if (e->transport)
		m->transport = sim_transport_of_thread(m, e->transport);
	m->model.self = e->model.worker(e->model.self, &m->ctx);
	return m;
}

static void set_up(struct sim_engine *e)
{
	struct sim_team *t = e->team = base_alloc(sizeof *t);
	t->threads = e->config.threads;
	t->sync = base_map(t->threads * sizeof *t->sync);
	t->thread = base_calloc(t->threads, sizeof *t->thread);
	e->member = base_calloc(t->threads, sizeof *e->member);
	e->members = t->threads;
	e->member[0] = e;
	for (unsigned k = 1; k < t->threads; k++)
		e->member[k] = member(e, k);
	for (unsigned k = 0; k < t->threads; k++) {
		struct sim_engine *m = e->member[k];
		m->wheels =
		    base_map(t->threads * sizeof *m->wheels); /* whole mappings, so that no cache line is shared */
		for (unsigned i = 0; i < t->threads; i++)
			m->wheels[i] = e->member[i]->ctx.wheel;
	}
}

/* Adds a thread's counters to the rank's. */
static void collect(struct sim_engine *e, struct sim_engine *m)
{
	sim_counters_add(&e->count, &m->count);
	e->ctx.remote_events += m->ctx.remote_events;
	for (unsigned i = 0; i < SIM_PHASES; i++)
		e->phase_cycles[i] += m->phase_cycles[i];
	e->pool.chunks_used += m->pool.chunks_used;
	e->failed |= m->failed;
	for (size_t i = 0; i < m->errors->n; i++)
		base_errorf(e->errors, "", "%s", m->errors->v[i].text);
	e->model.release_worker(e->model.self, m->model.self);
	m->model.self = NULL;
}

static void *thread_main(void *arg)
{
	struct sim_engine *e = arg;
	if (e->pooled)
		sim_cores_take(e->thread);
	while (!atomic_load_explicit(&e->team->go, memory_order_acquire))
		sched_yield();
	e->team->work(e);
	return NULL;
}

static void take_record(void *self, const struct sim_event *ev)
{
	sim_adopt_record(self, ev);
}

/* Takes over the initial events of a thread that could not be started. */
static void take_over(struct sim_engine *e, struct sim_engine *member)
{
	if (e->ctx.count)
		sim_wheel_take(member, e->ctx.first, e->ctx.first + e->ctx.count, take_record, e);
	if (member->transport)
		sim_transport_hand_over(member->transport);
}

/* Runs `work` in all threads at once, including the calling one. If fewer threads can be started than requested, the
 * run is slower but has the same result: the first thread takes over the initial events of the missing threads. */
static void by_all(struct sim_engine *e, void (*work)(struct sim_engine *member))
{
	struct sim_team *t = e->team;
	unsigned started = 1;
	t->work = work;
	for (unsigned k = 0; k < e->members; k++)
		atomic_store_explicit(&t->sync[k].met, 0, memory_order_relaxed);
	atomic_store_explicit(&t->agreed, 0, memory_order_relaxed);
	atomic_store_explicit(&t->go, false, memory_order_relaxed);
	while (started < e->members && !pthread_create(&t->thread[started], NULL, thread_main, e->member[started]))
		started++;
	t->threads = started;
	for (unsigned k = started; k < e->members; k++)
		take_over(e, e->member[k]);
	cpu_set_t before;
	bool moved = e->pooled && !sched_getaffinity(0, sizeof before, &before) && sim_cores_take(0);
	atomic_store_explicit(&t->go, true, memory_order_release);
	work(e);
	if (moved)
		sched_setaffinity(0, sizeof before, &before);
	for (unsigned k = 1; k < started; k++)
		pthread_join(t->thread[k], NULL);
}

static void prepare(struct sim_engine *e)
{
	sim_lpid end = e->ctx.first + e->ctx.count;
	uint64_t from = e->ctx.base + (share(e, e->thread) << e->ctx.block_shift);
	uint64_t to = e->ctx.base + (share(e, e->thread + 1) << e->ctx.block_shift);
	sim_lpid first = from < e->ctx.first ? e->ctx.first : (sim_lpid)from;
	e->team->prepare(e->model.self, &e->ctx, first, (to > end ? end : (sim_lpid)to) - first);
}

void sim_prepare(struct sim_engine *e, void (*work)(void *self, struct sim_ctx *ctx, sim_lpid first, uint32_t count))
{
	if (e->config.threads <= 1) {
		work(e->model.self, &e->ctx, e->ctx.first, e->ctx.count);
		return;
	}
	if (!e->pooled || sim_rank() == 0) {
		set_up(e);
		e->team->prepare = work;
		by_all(e, prepare);
	}
	if (e->pooled)
		sim_cores_ready();
}

static void run_all(struct sim_engine *e)
{
	if (!e->team)
		set_up(e);
	uint32_t cores = e->pooled ? e->members : sim_cores_here();
	unsigned spins = e->members > cores || (e->transport && !e->spins) ? 0 : SIM_SPINS;
	for (unsigned k = 0; k < e->members; k++)
		e->member[k]->spins = spins;
	do {
		by_all(e, run_thread);
		sim_leave_leg(e);
	} while (sim_next_leg(e));
	for (unsigned k = 1; k < e->members; k++)
		collect(e, e->member[k]);
}

/* --- rank 0 on the cores of all ranks -------------------------------------------------------------------- */

struct ended {
	bool failed, stopped;
	sim_time reached;
};

static bool goes_on(void *arg)
{
	struct sim_engine *e = arg;
	sim_progress(e, 0, 0);
	return e->wish == SIM_GO_ON;
}

void sim_run_threads(struct sim_engine *e)
{
	struct ended ended;
	if (!e->pooled || sim_rank() == 0) {
		run_all(e);
		ended = (struct ended){ e->failed, e->stopped, e->reached };
		if (e->pooled)
			sim_cores_done(&ended, sizeof ended);
		return;
	}
	sim_cores_wait(&ended, sizeof ended, goes_on, e);
	e->failed = ended.failed;
	e->stopped = ended.stopped;
	e->reached = ended.reached;
}

void sim_threads_destroy(struct sim_engine *e)
{
	struct sim_team *t = e->team;
	if (!t)
		return;
	for (unsigned k = 0; k < e->members; k++)
		base_unmap(e->member[k]->wheels, e->members * sizeof *e->wheels);
	for (unsigned k = 1; k < e->members; k++) {
		struct sim_engine *m = e->member[k];
		if (m->model.self) /* NULL if the thread was never run */
			e->model.release_worker(e->model.self, m->model.self);
		if (m->transport)
			sim_transport_destroy(m->transport);
		sim_wheel_destroy(m);
		sim_scratch_free(&m->scratch);
		free(m->audit.before);
		free(m->dry_record);
		base_errors_free(m->errors);
		free(m->errors);
		free(m);
	}
	free(e->member);
	base_unmap(t->sync, e->members * sizeof *t->sync);
	free(t->thread);
	free(t);
}

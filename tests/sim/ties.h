/* tests/sim/ties.h - a model made to be hard on a Time Warp engine.
 *
 * All delays are multiples of the lookahead, so that most events tie; every LP folds what it executes into an
 * order-sensitive hash, and what it sends next depends on that hash, so that one event out of order changes everything
 * after it. Some events make zero-delay events for the LP itself in higher phases; some delays reach hundreds or a
 * hundred thousand windows ahead (the far lists of the wheel); short and long events mix; state changes by sim_set,
 * sim_save and sim_add; every third event has a commit-time action. Works on any number of ranks. */
#ifndef TESTS_SIM_TIES_H
#define TESTS_SIM_TIES_H

#include "base/memory.h"
#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

struct ties_lp {
	uint64_t hash;
	uint32_t sent, executed;
	uint64_t scratch[12];
	/* changed by commit-time actions only */
	uint64_t committed_hash, committed_time, commits;
};

struct ties {
	uint32_t lps, tokens; /* events an LP starts with */
	uint64_t seed;
	sim_time lookahead, end;
	enum sim_sync sync;
	sim_time window;
	uint32_t stress, block_lps, optimism, gvt_interval;
	enum sim_balance balance; /* all ranks have room for all LPs */
	bool audit;
	uint32_t threads; /* 0: every rank runs its own LPs */
	bool pooled;      /* threads of rank 0, which has all LPs; else of every rank */
	enum sim_wish (*progress)(void *arg, sim_time committed, uint64_t events);
	void *progress_arg;
	/* results, the same on every rank */
	uint64_t digest; /* LP hashes, shared sums, commit hashes, leftovers */
	uint64_t executed, leftovers;
	bool commit_order; /* commit times of each LP never fall, and each is committed once */
	enum sim_outcome outcome;
	sim_time reached;
	struct sim_counters counters; /* summed over ranks */
	/* inside */
	sim_lpid first, count;
	struct ties_lp *lp;
	uint64_t shared[4];
	bool bad_commit;
	sim_time fault; /* from then on LPs find a broken invariant; 0: never */
};

static inline uint64_t ties_mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ull;
	h ^= h >> 29;
	h *= 0xbf58476d1ce4e5b9ull;
	return h ^ h >> 32;
}

static inline void ties_send(struct sim_ctx *ctx, struct ties *m, struct ties_lp *lp, sim_lpid from, sim_lpid to,
                             sim_time at, unsigned phase, uint64_t word)
{
	uint32_t count = lp->sent;
	sim_set(ctx, &lp->sent, count + 1);
	struct sim_event *ev;
	if (word % 2) {
		ev = sim_send(ctx, to, at, sim_key(phase, from, count), SIM_LONG_WORDS);
		for (int i = 1; i < 5; i++)
			ev->payload[i] = word * (unsigned)i;
	} else {
		ev = sim_send(ctx, to, at, sim_key(phase, from, count), SIM_SHORT_WORDS);
	}
	ev->kind = (uint8_t)phase;
	ev->aux = (uint16_t)word;
	ev->payload[0] = word;
	(void)m;
}

static inline sim_time ties_delay(const struct ties *m, uint64_t h)
{
	uint64_t windows = 1 + h % 3;
	if (h >> 8 & 15) /* most are near */
		return windows * m->lookahead;
	if (h >> 12 & 7)
		return (windows + (h >> 16) % 700) * m->lookahead;
	return (windows + (h >> 16) % 150000) * m->lookahead;
}

static inline void ties_handle(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev)
{
	struct ties *m = self;
	struct ties_lp *lp = &m->lp[id];
	uint64_t h = ties_mix(ties_mix(lp->hash, ev->time), ev->key);
	h = ties_mix(h, (uint64_t)ev->kind << 16 | ev->aux);
	for (unsigned i = 0; i < (ev->payload[0] % 2 ? 5 : 1); i++)
		h = ties_mix(h, ev->payload[i]);
	if (m->fault && ev->time >= m->fault)
		sim_violation(ctx, "as asked for");
	sim_set(ctx, &lp->hash, h);
	sim_set(ctx, &lp->executed, lp->executed + 1);
	uint32_t from = (uint32_t)(h % 7), n = 1 + (uint32_t)(h >> 8) % 5;
	sim_save(ctx, &lp->scratch[from], n * sizeof lp->scratch[0]);
	for (uint32_t i = 0; i < n; i++)
		lp->scratch[from + i] += h >> i;
	sim_add(ctx, &m->shared[h % 4], h | 1);
	if (ev->kind < 5 && h >> 40 & 1) /* at once, for itself */
		ties_send(ctx, m, lp, id, id, ev->time, ev->kind + 1u + (unsigned)(h >> 41) % (5u - ev->kind),
		          h ^ lp->scratch[3]);
	if (ev->kind == 0) { /* the token goes on */
		uint64_t g = ties_mix(h, 77);
		sim_lpid to = g & 3 ? (sim_lpid)((g >> 32) % m->lps) : id;
		ties_send(ctx, m, lp, id, to, ev->time + ties_delay(m, ties_mix(g, 5)), 0, g);
	}
	if (h % 3 == 0) {
		uint64_t record[3] = { ev->time, h, lp->executed };
		sim_commit(ctx, record, 8 * (1 + h / 3 % 3));
	}
}

static inline void ties_commit(void *self, sim_lpid id, const void *record, size_t bytes)
{
	struct ties *m = self;
	struct ties_lp *lp = &m->lp[id];
	uint64_t r[3] = { 0 };
	memcpy(r, record, bytes);
	if (bytes < 8 || bytes > 24 || bytes % 8 || r[0] < lp->committed_time)
		m->bad_commit = true;
	lp->committed_time = r[0];
	for (int i = 0; i < 3; i++)
		lp->committed_hash = ties_mix(lp->committed_hash, r[i]);
	lp->commits++;
}

static inline void ties_regions(void *self, sim_lpid id, void (*visit)(void *arg, void *at, size_t bytes), void *arg)
{
	struct ties *m = self;
	if (id == SIM_NO_LP)
		visit(arg, m->shared, sizeof m->shared);
	else
		visit(arg, &m->lp[id], sizeof *m->lp);
}

static inline void ties_migrate_out(void *self, sim_lpid id)
{
	struct ties *m = self;
	memset(&m->lp[id], 0xee, sizeof *m->lp); /* nobody may look at it any more */
}

static inline void ties_migrate_in(void *self, sim_lpid id)
{
	struct ties *m = self;
	m->lp[id] = (struct ties_lp){ 0 };
}

static inline void ties_owns(void *self, sim_lpid first, uint32_t count)
{
	struct ties *m = self;
	m->first = first;
	m->count = count;
}

/* LPs are shared, sums are not. */
static inline void *ties_worker(void *self, struct sim_ctx *ctx)
{
	struct ties *w = base_alloc(sizeof *w);
	(void)ctx;
	*w = *(const struct ties *)self;
	memset(w->shared, 0, sizeof w->shared);
	return w;
}

static inline void ties_release_worker(void *self, void *worker)
{
	struct ties *m = self, *w = worker;
	for (int i = 0; i < 4; i++)
		m->shared[i] += w->shared[i];
	m->bad_commit |= w->bad_commit;
	free(w);
}

struct ties_left {
	struct ties *m;
	uint64_t n, hash;
	bool early;
};

static inline void ties_leftover(void *arg, const struct sim_event *ev)
{
	struct ties_left *l = arg;
	l->n++;
	l->hash += ties_mix(ties_mix(ev->time, ev->key), (uint64_t)ev->lp << 32 | (uint32_t)ev->payload[0]);
	l->early |= ev->time < l->m->reached;
}

static inline void ties_collect(struct ties *m, struct sim_engine *e)
{
	struct ties_left left = { .m = m };
	m->reached = sim_reached(e);
	sim_leftovers(e, ties_leftover, &left);
	uint64_t sums[9] = { 0, 0, left.n, left.hash, m->bad_commit || left.early };
	for (sim_lpid i = 0; i < m->count; i++) {
		const struct ties_lp *lp = &m->lp[m->first + i];
		uint64_t h = ties_mix(lp->hash, m->first + i);
		for (int k = 0; k < 12; k++)
			h = ties_mix(h, lp->scratch[k]);
		h = ties_mix(ties_mix(ties_mix(h, lp->sent), lp->committed_hash), lp->commits);
		sums[0] += h;
		sums[1] += lp->executed;
	}
	memcpy(&sums[5], m->shared, sizeof m->shared);
	sim_sum_u64(sums, 9);
	m->executed = sums[1];
	m->leftovers = sums[2];
	m->commit_order = !sums[4];
	m->digest = ties_mix(ties_mix(sums[0], sums[1]), ties_mix(sums[2], sums[3]));
	for (int i = 5; i < 9; i++)
		m->digest = ties_mix(m->digest, sums[i]);
	sim_counters_get(e, &m->counters);
	sim_counters_reduce(&m->counters);
}

/* Collective. false: the engine could not be made. */
static inline bool ties_run(struct ties *m, struct base_errors *errors)
{
	int ranks = sim_ranks(), rank = sim_rank();
	sim_lpid *first = base_calloc((size_t)ranks + 1, sizeof *first);
	for (int r = 0; r <= ranks; r++)
		first[r] = m->threads > 1 && m->pooled && r
		               ? m->lps
		               : (sim_lpid)((uint64_t)m->lps * (unsigned)r / (unsigned)ranks);
	m->first = first[rank];
	m->count = first[rank + 1] - m->first;
	m->lp = base_calloc(m->lps, sizeof *m->lp);
	memset(m->shared, 0, sizeof m->shared);
	m->bad_commit = false;
	struct sim_config config = { .sync = m->sync,
		                     .seed = m->seed,
		                     .first_lp = first,
		                     .lookahead = m->lookahead,
		                     .end = m->end,
		                     .window = m->window,
		                     .block_lps = m->block_lps,
		                     .optimism = m->optimism,
		                     .gvt_interval = m->gvt_interval,
		                     .stress = m->stress,
		                     .balance = m->balance,
		                     .room_count = m->balance == SIM_BALANCE_OFF ? 0 : m->lps,
		                     .audit = m->audit,
		                     .threads = m->threads,
		                     .pooled = m->pooled,
		                     .progress = m->progress,
		                     .progress_arg = m->progress_arg };
	struct sim_model model = { .self = m,
		                   .handle = ties_handle,
		                   .regions = ties_regions,
		                   .commit = ties_commit,
		                   .migrate_out = ties_migrate_out,
		                   .migrate_in = ties_migrate_in,
		                   .owns = ties_owns,
		                   .worker = ties_worker,
		                   .release_worker = ties_release_worker };
	struct sim_engine *e = sim_create(&config, &model, errors);
	if (e) {
		struct sim_ctx *ctx = sim_context(e);
		for (sim_lpid i = m->first; i < m->first + m->count; i++) {
			sim_initial(ctx, i);
			for (uint32_t k = 0; k < m->tokens; k++) {
				uint64_t h = ties_mix(ties_mix(m->seed, i), k);
				/* to another LP too, and all at a few instants */
				sim_lpid to = h & 1 ? i : (sim_lpid)((h >> 32) % m->lps);
				sim_time at = (h >> 3) % 3 * m->lookahead;
				ties_send(ctx, m, &m->lp[i], i, to, to == i ? at : at + m->lookahead, 0, h);
			}
		}
		m->outcome = sim_run(e, errors);
		ties_collect(m, e);
		sim_destroy(e);
	}
	free(m->lp);
	free(first);
	return e != NULL;
}

#endif

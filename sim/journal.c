/* sim/journal.c - speculation: the undo journal, rollback, cancellation, commit.
 *
 * Invariants. An LP's batches, oldest to newest, hold its speculative events in the order in which they ran. Undoing
 * pops the newest event: its journal is applied (newest entry first), the events that it sent are cancelled, and it
 * becomes pending again in its bucket. A cancelled event that had been executed is first undone at its LP: such
 * cascades only go forward in time, so they never reach an event at or before the one being undone. Events that are
 * safe (window <= GVT, which the lookahead covers) leave no trace here. */
#include "base/memory.h"
#include "sim/engine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry { /* follows the bytes that it describes: the journal is read backwards */
	void *at;
	uint64_t bytes; /* size of the saved content; ADD: the content is a delta to subtract */
};
#define ADD (1ull << 63)

static unsigned char *grow(unsigned char **buffer, uint32_t *used, uint32_t *cap, size_t bytes)
{
	if (*used + bytes > *cap) {
		uint32_t c = *cap ? *cap : 1024;
		while (*used + bytes > c)
			c *= 2;
		*buffer = base_realloc(*buffer, c);
		*cap = c;
	}
	unsigned char *p = *buffer + *used;
	*used += (uint32_t)bytes;
	return p;
}

static void journal_push(struct sim_batch *b, void *at, const void *content, size_t bytes, uint64_t mark)
{
	size_t padded = (bytes + 7) & ~(size_t)7;
	unsigned char *p = grow(&b->journal, &b->njournal, &b->cap_journal, padded + sizeof(struct entry));
	memcpy(p, content, bytes);
	struct entry en = { at, bytes | mark };
	memcpy(p + padded, &en, sizeof en);
}

void sim_journal_save(struct sim_ctx *ctx, void *at, size_t bytes)
{
	journal_push(ctx->engine->batch, at, at, bytes, 0);
}

void sim_journal_add(struct sim_ctx *ctx, uint64_t *at, uint64_t delta)
{
	journal_push(ctx->engine->batch, at, &delta, sizeof delta, ADD);
}

void sim_journal_undo(struct sim_batch *b, uint32_t mark)
{
	while (b->njournal > mark) {
		struct entry en;
		memcpy(&en, b->journal + b->njournal - sizeof en, sizeof en);
		size_t bytes = (size_t)(en.bytes & ~ADD), padded = (bytes + 7) & ~(size_t)7;
		base_checkf(padded + sizeof en <= b->njournal, "an entry of %zu bytes, the journal holds %u", bytes,
		            b->njournal);
		b->njournal -= (uint32_t)(padded + sizeof en);
		const unsigned char *p = b->journal + b->njournal;
		if (en.bytes & ADD) {
			uint64_t delta;
			memcpy(&delta, p, sizeof delta);
			*(uint64_t *)en.at -= delta;
		} else {
			memcpy(en.at, p, bytes);
		}
	}
	base_checkf(b->njournal == mark, "undone to %u instead of %u", b->njournal, mark);
}

void sim_commit(struct sim_ctx *ctx, const void *record, size_t bytes)
{
	struct sim_engine *e = ctx->engine;
	if (!ctx->journal) {
		if (e->model.commit)
			e->model.commit(e->model.self, e->lp, record, bytes);
		return;
	}
	struct sim_batch *b = e->batch;
	uint64_t n = bytes;
	memcpy(grow(&b->commits, &b->ncommits, &b->cap_commits, sizeof n), &n, sizeof n);
	memcpy(grow(&b->commits, &b->ncommits, &b->cap_commits, (bytes + 7) & ~(size_t)7), record, bytes);
}

void sim_violation(struct sim_ctx *ctx, const char *fmt, ...)
{
	struct sim_engine *e = ctx->engine;
	if (ctx->journal) { /* A speculative event may see an inconsistent state, so nothing is reported yet. If the
		               event is to be committed, it runs again without a journal, and a violation is reported
		               then. */
		if (e->batch->nevents)
			e->batch->events[e->batch->nevents - 1].violated = true;
		return;
	}
	char text[400];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	sim_fail(e, "at %llu ps, LP %u: %s", (unsigned long long)ctx->now, e->lp, text);
}

void sim_spec_init(struct sim_engine *e)
{
	e->clean = base_map((size_t)e->slots * e->ctx.blocks);
	e->lp_spec = base_map((size_t)e->lp_capacity * sizeof *e->lp_spec);
	e->window_batches = base_calloc(e->slots, sizeof *e->window_batches);
}

static void batch_free(struct sim_batch *b)
{
	free(b->events);
	free(b->sends);
	free(b->journal);
	free(b->commits);
	free(b);
}

void sim_spec_destroy(struct sim_engine *e)
{
	for (struct sim_batch *b = e->free_batches, *next; b; b = next) { /* an audit has a batch, too */
		next = b->next;
		batch_free(b);
	}
	if (!e->lp_spec)
		return;
	for (uint32_t i = 0; i < e->slots; i++)
		for (struct sim_batch *b = e->window_batches[i], *next; b; b = next) {
			next = b->next;
			batch_free(b);
		}
	free(e->window_batches);
	free(e->stragglers);
	base_unmap(e->clean, (size_t)e->slots * e->ctx.blocks);
	base_unmap(e->lp_spec, (size_t)e->lp_capacity * sizeof *e->lp_spec);
}

static struct sim_batch *batch_for(struct sim_engine *e, sim_lpid lp, uint64_t window)
{
	struct sim_lp_spec *s = &e->lp_spec[lp - e->ctx.base];
	if (s->newest && s->newest->window == window)
		return s->newest;
	struct sim_batch *b = e->free_batches;
	if (b)
		e->free_batches = b->next;
	else
		b = base_alloc(sizeof *b);
	b->nevents = b->nsends = b->njournal = b->ncommits = 0;
	b->lp = lp;
	b->window = window;
	b->newer = NULL;
	b->older = s->newest;
	if (s->newest)
		s->newest->newer = b;
	s->newest = b;
	b->next = e->window_batches[window & e->ctx.wheel_mask];
	e->window_batches[window & e->ctx.wheel_mask] = b;
	return b;
}

void sim_spec_begin(struct sim_engine *e, sim_lpid lp, uint64_t window, struct sim_event *ev)
{
	struct sim_batch *b = e->batch && e->batch->lp == lp && e->batch->window == window && e->batch->nevents
	                          ? e->batch
	                          : batch_for(e, lp, window);
	if (b->nevents == b->cap_events) {
		b->cap_events = b->cap_events ? 2 * b->cap_events : 16;
		b->events = base_realloc(b->events, b->cap_events * sizeof *b->events);
	}
	b->events[b->nevents++] = (struct sim_spec_event){ ev, b->njournal, b->nsends, b->ncommits, false };
	base_check(!(ev->state & (SIM_EVENT_DONE | SIM_EVENT_DEAD)) && ev->lp == lp);
	ev->state |= SIM_EVENT_DONE;
	e->batch = b;
	e->ctx.journal = true;
	struct sim_lp_spec *s = &e->lp_spec[lp - e->ctx.base];
	base_checkf(b->nevents == 1 || !sim_before(ev->time, ev->key, s->last_time, s->last_key),
	            "LP %u at %llu ps after %llu ps", lp, (unsigned long long)ev->time,
	            (unsigned long long)s->last_time);
	s->last_time = ev->time;
	s->last_key = ev->key;
}

void sim_spec_end(struct sim_engine *e)
{
	e->ctx.journal = false;
}

void sim_spec_note_send(struct sim_engine *e, struct sim_event *local, int peer, sim_lpid lp, sim_time time,
                        uint64_t key)
{
	struct sim_batch *b = e->batch;
	if (b->nsends == b->cap_sends) {
		b->cap_sends = b->cap_sends ? 2 * b->cap_sends : 16;
		b->sends = base_realloc(b->sends, b->cap_sends * sizeof *b->sends);
	}
	b->sends[b->nsends++] = (struct sim_spec_send){ local, time, key, lp, peer };
}

static void pending_again(struct sim_engine *e, uint64_t window, sim_lpid lp)
{
	uint32_t block = (lp - e->ctx.base) >> e->ctx.block_shift;
	e->clean[(window & e->ctx.wheel_mask) * e->ctx.blocks + block] = 0;
	if (window <= e->low) {
		e->low = window;
		e->low_block = 0;
	}
}

static void annihilate_record(struct sim_engine *e, struct sim_event *ev)
{
	if (ev->state & SIM_EVENT_DONE)
		sim_rollback(e, ev->lp, ev->time, ev->key, true);
	if (ev->state & SIM_EVENT_DONE)
		sim_fail(e, "an event of LP %u at %llu ps was cancelled after it had become final", ev->lp,
		         (unsigned long long)ev->time);
	ev->state |= SIM_EVENT_DEAD;
	uint64_t w = sim_window_of(&e->ctx, ev->time);
	if (w > e->touched && w < e->limit) /* dead records farther ahead never enter the wheel */
		e->touched = w;
}

void sim_spec_annihilate(struct sim_engine *e, sim_lpid lp, sim_time time, uint64_t key)
{
	struct sim_event *ev = sim_wheel_find(e, lp, time, key);
	if (!ev) { /* streams are FIFO, so the event must have arrived before its anti-message */
		sim_fail(e, "an anti-message found no event to cancel (LP %u, %llu ps)", lp, (unsigned long long)time);
		return;
	}
	annihilate_record(e, ev);
}

static void cancel(struct sim_engine *e, const struct sim_spec_send *s)
{
	e->count.anti_messages++;
	if (s->local) {
		annihilate_record(e, s->local);
	} else if (s->peer < 0) {
		sim_spec_annihilate(e, s->lp, s->time, s->key);
	} else {
		struct sim_event *anti = sim_transport_record(e, s->peer, sizeof *anti + 8);
		sim_note_sent(e, s->time);
		*anti = (struct sim_event){ .time = s->time, .key = s->key, .lp = s->lp, .state = SIM_EVENT_ANTI };
		anti->payload[0] = 0;
	}
}

static void undo_newest(struct sim_engine *e, struct sim_batch *b)
{
	struct sim_spec_event x = b->events[--b->nevents];
	base_checkf(x.event->state & SIM_EVENT_DONE && x.event->lp == b->lp && b->window >= e->gvt.gvt,
	            "LP %u at %llu ps, window %llu, GVT %llu", b->lp, (unsigned long long)x.event->time,
	            (unsigned long long)b->window, (unsigned long long)e->gvt.gvt);
	sim_journal_undo(b, x.journal_mark);
	b->ncommits = x.commit_mark;
	x.event->state &= (uint8_t)~SIM_EVENT_DONE;
	pending_again(e, b->window, b->lp);
	e->count.events_rolled_back++;
	e->rolled_since++;
	while (b->nsends > x.send_mark) {
		struct sim_spec_send s = b->sends[--b->nsends];
		cancel(e, &s);
	}
}

void sim_rollback(struct sim_engine *e, sim_lpid lp, sim_time time, uint64_t key, bool inclusive)
{
	struct sim_lp_spec *s = &e->lp_spec[lp - e->ctx.base];
	unsigned before = sim_phase_enter(e, SIM_PHASE_ROLLBACK);
	bool any = false;
	for (struct sim_batch *b; (b = s->newest);) {
		while (b->nevents) {
			const struct sim_event *ev = b->events[b->nevents - 1].event;
			bool later = sim_before(time, key, ev->time, ev->key) ||
			             (inclusive && ev->time == time && ev->key == key);
			if (!later) {
				s->last_time = ev->time;
				s->last_key = ev->key;
				goto done;
			}
			any = true;
			undo_newest(e, b);
		}
		/* an empty batch stays in its window's list until the commit, but leaves the LP's chain */
		s->newest = b->older;
		if (b->older)
			b->older->newer = NULL;
		b->older = NULL;
		if (e->batch == b)
			e->batch = NULL;
	}
done:
	e->count.rollbacks += any;
	sim_phase_enter(e, before);
}

static void straggler(struct sim_engine *e, const struct sim_straggler *x)
{
	const struct sim_lp_spec *s = &e->lp_spec[x->lp - e->ctx.base];
	if (s->newest && sim_before(x->time, x->key, s->last_time, s->last_key)) {
		e->count.stragglers++;
		sim_rollback(e, x->lp, x->time, x->key, false);
	}
}

void sim_spec_arrived(struct sim_engine *e, struct sim_event *ev)
{
	pending_again(e, sim_window_of(&e->ctx, ev->time), ev->lp);
	if (e->in_handler) { /* after the handler has finished */
		if (e->nstragglers == e->cap_stragglers) {
			e->cap_stragglers = e->cap_stragglers ? 2 * e->cap_stragglers : 64;
			e->stragglers = base_realloc(e->stragglers, e->cap_stragglers * sizeof *e->stragglers);
		}
		e->stragglers[e->nstragglers++] = (struct sim_straggler){ ev->time, ev->key, ev->lp };
		return;
	}
	straggler(e, &(struct sim_straggler){ ev->time, ev->key, ev->lp });
}

void sim_spec_stragglers(struct sim_engine *e)
{
	for (uint32_t i = 0; i < e->nstragglers; i++)
		straggler(e, &e->stragglers[i]);
	e->nstragglers = 0;
}

static void commit_batch(struct sim_engine *e, struct sim_batch *b)
{
	for (uint32_t i = 0; i < b->nevents; i++)
		if (b->events[i].violated)
			sim_fail(e,
			         "an event of LP %u at %llu ps broke an invariant of the model; run it with --sync "
			         "sequential for the text",
			         b->lp, (unsigned long long)b->events[i].event->time);
	for (uint32_t at = 0; at < b->ncommits;) {
		uint64_t n;
		memcpy(&n, b->commits + at, sizeof n);
		if (e->model.commit)
			e->model.commit(e->model.self, b->lp, b->commits + at + sizeof n, n);
		at += (uint32_t)(sizeof n + ((n + 7) & ~7ull));
		base_checkf(at <= b->ncommits, "%u of %u bytes", at, b->ncommits);
	}
	e->count.events_committed += b->nevents;
}

void sim_spec_commit(struct sim_engine *e, uint64_t window)
{
	struct sim_batch **list = &e->window_batches[window & e->ctx.wheel_mask];
	for (struct sim_batch *b = *list, *next; b; b = next) {
		next = b->next;
		base_checkf(b->window == window && !(b->nevents && b->older), "LP %u, a batch of window %llu in %llu",
		            b->lp, (unsigned long long)b->window, (unsigned long long)window);
		struct sim_lp_spec *s = &e->lp_spec[b->lp - e->ctx.base];
		if (b->nevents) {
			commit_batch(e, b);
			if (b->newer)
				b->newer->older = NULL;
			else
				s->newest = NULL;
		} else if (s->newest == b) {
			s->newest = NULL;
		}
		if (e->batch == b)
			e->batch = NULL;
		b->older = b->newer = NULL;
		b->next = e->free_batches;
		e->free_batches = b;
	}
	*list = NULL;
}

/* sim/audit.c - runs every event forward, back and forward again, to prove that handlers journal every change.
 *
 * Before an event runs for good, it runs once with the journal on and its sends diverted to a hash. The journal is
 * undone, and the LP's memory, in the regions that the model declares, must equal a copy made before, byte for byte.
 * Then the real run must send exactly the events of the first run. Memory shared by LPs is compared only at every 64th
 * event, because it is large.
 *
 * An LP of more than AUDIT_EACH bytes (with buffers of thousands of packets) is compared only at some events of each
 * kind, among them always the first, so that on average fewer than AUDIT_EACH bytes are compared per event. The same
 * limit holds for shared memory. */
#include "base/memory.h"
#include "sim/engine.h"

#include <string.h>

#define AUDIT_EACH ((size_t)1 << 15)

struct snapshot {
	struct sim_engine *engine;
	size_t used, copied;
	unsigned region;
	bool differs;
	unsigned bad_region;
	size_t bad_offset;
};

static void copy_region(void *arg, void *at, size_t bytes)
{
	struct snapshot *s = arg;
	struct sim_engine *e = s->engine;
	if (s->used + bytes > e->audit.cap) {
		e->audit.cap = 2 * (s->used + bytes);
		e->audit.before = base_realloc(e->audit.before, e->audit.cap);
	}
	memcpy(e->audit.before + s->used, at, bytes);
	s->used += bytes;
}

static void compare_region(void *arg, void *at, size_t bytes)
{
	struct snapshot *s = arg;
	base_checkf(s->used + bytes <= s->copied, "region %u ends at byte %zu, %zu were copied", s->region,
	            s->used + bytes, s->copied);
	if (!s->differs && memcmp(s->engine->audit.before + s->used, at, bytes)) {
		s->differs = true;
		s->bad_region = s->region;
		const unsigned char *a = s->engine->audit.before + s->used, *b = at;
		while (a[s->bad_offset] == b[s->bad_offset])
			s->bad_offset++;
	}
	s->used += bytes;
	s->region++;
}

/* Is memory to be compared at this event? *owed: bytes compared so far in excess of the allowance per event. */
static bool is_due(size_t *owed)
{
	*owed = *owed > AUDIT_EACH ? *owed - AUDIT_EACH : 0;
	return !*owed;
}

/* Copies the regions to be compared. Returns how many of the bytes belong to the LP. */
static size_t copy_due(struct sim_engine *e, sim_lpid lp, bool own, bool shared, struct snapshot *s)
{
	if (own)
		e->model.regions(e->model.self, lp, copy_region, s);
	size_t bytes = s->used;
	if (shared)
		e->model.regions(e->model.self, SIM_NO_LP, copy_region, s);
	s->copied = s->used;
	s->used = 0;
	return bytes;
}

static void compare_due(struct sim_engine *e, sim_lpid lp, bool own, bool shared, struct snapshot *s)
{
	if (own)
		e->model.regions(e->model.self, lp, compare_region, s);
	if (shared)
		e->model.regions(e->model.self, SIM_NO_LP, compare_region, s);
	base_checkf(s->used == s->copied, "%zu bytes before, %zu after", s->copied, s->used);
}

static uint64_t mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ull;
	return h ^ h >> 32;
}

/* The caller fills aux, kind and payload after we return, so they are hashed at the next send or at the end. */
static void hash_last(struct sim_engine *e)
{
	const struct sim_event *ev = (const struct sim_event *)(const void *)e->dry_record;
	if (!ev->time)
		return;
	e->send_hash =
	    mix(mix(mix(e->send_hash, ev->time), ev->key), (uint64_t)ev->lp << 32 | (uint64_t)ev->aux << 8 | ev->kind);
	for (unsigned i = 0; i < (ev->state & SIM_EVENT_LONG ? SIM_LONG_WORDS : SIM_SHORT_WORDS); i++)
		e->send_hash = mix(e->send_hash, ev->payload[i]);
}

struct sim_event *sim_audit_send(struct sim_engine *e, sim_lpid lp, sim_time time, uint64_t key, unsigned words)
{
	hash_last(e);
	struct sim_event *ev = (struct sim_event *)(void *)e->dry_record;
	memset(ev, 0, 64);
	ev->time = time;
	ev->key = key;
	ev->lp = lp;
	ev->state = words == SIM_LONG_WORDS ? SIM_EVENT_LONG : 0;
	return ev;
}

static uint64_t run_once(struct sim_engine *e, sim_lpid lp, struct sim_event *ev, struct sim_batch *b)
{
	uint64_t fast = e->ctx.fast_count;
	base_check(!e->dry && !e->ctx.journal && !b->njournal);
	e->ctx.fast_count = 0;
	e->dry = true;
	e->send_hash = 0;
	memset(e->dry_record, 0, 64);
	e->batch = b;
	e->ctx.journal = true;
	e->model.handle(&e->ctx, e->model.self, lp, ev);
	e->ctx.journal = false;
	hash_last(e);
	e->batch = NULL;
	e->dry = false;
	e->ctx.fast_count = fast;
	return e->send_hash;
}

/* A stop request takes effect without auditing the events up to the pause. */
void sim_audit_event(struct sim_engine *e, sim_lpid lp, struct sim_event *ev)
{
	sim_progress(e, e->window, e->count.events_committed);
	if (e->wish != SIM_GO_ON)
		return;
	static const char *const unnamed = "?";
	struct sim_batch *b = e->free_batches;
	if (!b)
		e->free_batches = b = base_alloc(sizeof *b);
	b->nevents = b->nsends = b->njournal = b->ncommits = 0;
	struct sim_audit *a = &e->audit;
	bool own = is_due(&a->owed[ev->kind]) && e->model.regions;
	bool shared = is_due(&a->owed_shared) && a->events++ % 64 == 0 && e->model.regions;
	const char *name = e->model.kind_name ? e->model.kind_name(ev->kind) : unnamed;
	struct snapshot s = { .engine = e };
	size_t bytes = copy_due(e, lp, own, shared, &s);
	a->owed[ev->kind] += bytes;
	a->owed_shared += s.copied - bytes;
	uint64_t first = run_once(e, lp, ev, b);
	sim_journal_undo(b, 0);
	compare_due(e, lp, own, shared, &s);
	if (s.differs)
		sim_fail(e,
		         "audit: the handler of event \"%s\" changed state without journaling it (LP %u, %llu ps, "
		         "region %u, byte %zu)",
		         name, lp, (unsigned long long)ev->time, s.bad_region, s.bad_offset);
	uint64_t second = run_once(e, lp, ev, b);
	sim_journal_undo(b, 0);
	if (first != second)
		sim_fail(e,
		         "audit: the handler of event \"%s\" sent different events when it ran again from the same "
		         "state (LP %u, %llu ps)",
		         name, lp, (unsigned long long)ev->time);
}

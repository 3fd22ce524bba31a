/* sim/balance.c - dynamic load balancing: LPs migrate between neighbouring ranks, so that no rank waits for another.
 *
 * Ranks fall behind each other for two reasons: their LPs have unequal work, and their cores have unequal speed
 * (another program, the sibling hardware thread), and both change during the run. Every few milliseconds rank 0 asks
 * all ranks to synchronize at a point where nothing is in flight and, under Time Warp, nothing is left to undo (GVT
 * must have advanced since the last such point, or the same work could be undone forever). They exchange how long they
 * have worked since and on how many events, and the border between two neighbours in the order of LPs moves towards the
 * slower one. LPs between the old border and the new migrate with their state and their pending events.
 *
 * No result depends on which rank runs an LP: the order of its events does not (sim_key). This is why wall-clock time
 * may influence the balance. */
#include "base/memory.h"
#include "sim/schedulers.h"

#include <stdlib.h>
#include <string.h>

/* Between two synchronizations: INTERVAL_S, plus MOVES times the time to move all LPs of rank 0. */
#define INTERVAL_S 4e-3
#define MOVES 3u
#define IDLE_SHARE 32u                  /* imbalances below a 32nd are ignored */
#define MOST_SHARE 8u                   /* a rank migrates at most an eighth of its LPs at a time, */
#define MOST_BYTES ((uint64_t)16 << 20) /* and at most these bytes */
/* Assumed cost of migrating an LP before it has been measured. */
#define MOVE_S 1e-5
#define LP_BYTES 16384u

struct report {
	uint64_t busy_ns, events, room_first, room_end, lp_bytes;
};

void sim_balance_init(struct sim_engine *e)
{
	struct sim_balancing *b = &e->balancing;
	b->on = e->config.balance != SIM_BALANCE_OFF && e->ranks > 1 && e->model.migrate_in &&
	        e->lp_capacity > e->ctx.count && !e->config.stress;
	if (!e->safe_windows && e->config.balance == SIM_BALANCE_ON)
		b->on = false; /* to synchronize, ranks undo all events that are not final: here most of their work */
	b->due = SIM_NEVER;
}

static void set_due(struct sim_engine *e, uint64_t now)
{
	struct sim_balancing *b = &e->balancing;
	double per_lp = ((double)b->cost + MOVE_S * 64 * e->cycles_per_second) / ((double)b->moved + 64);
	b->due = now + (uint64_t)(INTERVAL_S * e->cycles_per_second + MOVES * per_lp * e->ctx.count);
}

bool sim_balance_due(struct sim_engine *e)
{
	struct sim_balancing *b = &e->balancing;
	if (!b->on || e->rank != 0 || (e->optimistic && e->gvt.gvt <= b->gvt))
		return false;
	if (e->config.balance == SIM_BALANCE_SHAKE)
		return ++b->times % 3 == 0;
	uint64_t now = sim_cycles();
	if (b->due == SIM_NEVER)
		set_due(e, now);
	return now >= b->due;
}

/* --- choosing the borders -------------------------------------------------------------------------------- */

/* Cycles of this rank's useful work so far. Speculation is left out: it replaces waiting. */
static uint64_t busy(const struct sim_engine *e)
{
	const uint64_t *c = e->phase_cycles;
	return c[SIM_PHASE_EXECUTE] + c[SIM_PHASE_QUEUE] + c[SIM_PHASE_COMMUNICATE] + c[SIM_PHASE_FOSSIL];
}

/* Number of the n LPs of rank `from` that should migrate to its neighbour `to`, so that both ranks become equally busy:
 * each LP that migrates saves time on `from` and costs time on `to`. */
static uint32_t surplus(const struct report *from, const struct report *to, uint32_t n, int ranks)
{
	uint64_t more = from->busy_ns - to->busy_ns;
	if (from->busy_ns <= to->busy_ns || more < from->busy_ns / IDLE_SHARE || !to->events)
		return 0;
	unsigned __int128 there =
	    (unsigned __int128)from->events * to->busy_ns / to->events; /* time if `to` ran all LPs of `from` */
	uint64_t k = (uint64_t)((unsigned __int128)more * n / (from->busy_ns + there));
	k = ranks == 2 ? k * 2 / 3
	               : k / 2; /* damped, as the next interval will differ; inner ranks have two neighbours */
	uint64_t most = MOST_BYTES / from->lp_bytes < n / MOST_SHARE ? MOST_BYTES / from->lp_bytes : n / MOST_SHARE;
	return (uint32_t)(k < most ? k : most);
}

static uint32_t shake(uint64_t *x, uint32_t n)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	uint32_t most = n / 3 < 9 ? n / 3 : 9;
	return (uint32_t)((*x >> 20) % (most + 1));
}

/* New borders: first[r] is the first LP of rank r. The same on all ranks. */
static void choose_borders(struct sim_engine *e, const struct report *report, sim_lpid *first)
{
	const sim_lpid *old = e->config.first_lp;
	uint64_t random = e->config.seed * 0x9e3779b97f4a7c15ull + e->gvt.round * 0xbf58476d1ce4e5b9ull + 1;
	memcpy(first, old, ((size_t)e->ranks + 1) * sizeof *first);
	for (int r = 1; r < e->ranks; r++) {
		uint32_t left = old[r] - old[r - 1], right = old[r + 1] - old[r];
		uint32_t up, down; /* LPs that migrate to the lower rank, to the higher rank */
		if (e->config.balance == SIM_BALANCE_SHAKE) {
			up = shake(&random, right);
			down = shake(&random, left);
		} else {
			up = surplus(&report[r], &report[r - 1], right, e->ranks);
			down = surplus(&report[r - 1], &report[r], left, e->ranks);
		}
		int64_t border = (int64_t)old[r] + up - down;
		if (border > (int64_t)report[r - 1].room_end)
			border = (int64_t)report[r - 1].room_end;
		if (border < (int64_t)report[r].room_first)
			border = (int64_t)report[r].room_first;
		first[r] = (sim_lpid)border;
		base_checkf(first[r] >= first[r - 1] && border >= (int64_t)report[r].room_first &&
		                border <= (int64_t)report[r - 1].room_end,
		            "rank %d begins at LP %u, the one before at LP %u", r, first[r], first[r - 1]);
	}
	base_check(first[0] == old[0] && first[e->ranks] == old[e->ranks] && first[e->ranks - 1] <= old[e->ranks]);
}

/* --- migration ------------------------------------------------------------------------------------------- */

struct balance_way { /* the connection over which LPs are sent or received */
	struct sim_engine *e;
	int peer;
};

static void write_region(void *arg, void *at, size_t bytes)
{
	struct balance_way *w = arg;
	w->e->balancing.sent_bytes += bytes;
	sim_transport_write(w->e->transport, w->peer, at, bytes);
}

static void write_event(void *arg, const struct sim_event *ev)
{
	struct balance_way *w = arg;
	base_check(
	    !(ev->state & (SIM_EVENT_DONE | SIM_EVENT_DEAD))); /* nothing is speculative where ranks synchronize */
	write_region(w, (void *)(uintptr_t)ev, sim_record_bytes(ev));
}

static void read_region(void *arg, void *at, size_t bytes)
{
	struct balance_way *w = arg;
	sim_transport_read(w->e->transport, w->peer, at, bytes);
}

/* Sends LPs [from, to): their states, their events, then an event of no LP as the end mark. */
static void send_away(struct sim_engine *e, int peer, sim_lpid from, sim_lpid to)
{
	struct balance_way w = { e, peer };
	const struct sim_event end = { .lp = SIM_NO_LP };
	for (sim_lpid lp = from; lp < to; lp++) {
		e->model.regions(e->model.self, lp, write_region, &w);
		e->model.migrate_out(e->model.self, lp);
	}
	sim_wheel_take(e, from, to, write_event, &w);
	sim_transport_write(e->transport, peer, &end, sizeof end);
	sim_transport_write_end(e->transport, peer);
	e->count.lps_moved += to - from;
}

/* Receives LPs [from, to). */
static void take_in(struct sim_engine *e, int peer, sim_lpid from, sim_lpid to)
{
	struct balance_way w = { e, peer };
	uint64_t record[sizeof(struct sim_event) / 8 + SIM_LONG_WORDS];
	struct sim_event *ev = (struct sim_event *)(void *)record;
	for (sim_lpid lp = from; lp < to; lp++) {
		e->model.migrate_in(e->model.self, lp);
		e->model.regions(e->model.self, lp, read_region, &w);
	}
	for (;;) {
		sim_transport_read(e->transport, peer, ev, sizeof *ev);
		if (ev->lp == SIM_NO_LP)
			return;
		base_checkf(ev->lp - from < to - from && sim_window_of(&e->ctx, ev->time) >= e->base,
		            "LPs %u of %u move to rank %u, at %llu ps", ev->lp, from, to, (unsigned long long)ev->time);
		sim_transport_read(e->transport, peer, ev->payload, sim_record_bytes(ev) - sizeof *ev);
		sim_adopt_record(e, ev);
	}
}

/* Every rank writes before it reads, so ranks never wait for each other in a cycle. */
static void move(struct sim_engine *e, const sim_lpid *first)
{
	int r = e->rank;
	sim_lpid *border = (sim_lpid *)(uintptr_t)e->config.first_lp, old = border[r], old_end = border[r + 1];
	if (first[r] > old)
		send_away(e, r - 1, old, first[r]);
	if (first[r + 1] < old_end)
		send_away(e, r + 1, first[r + 1], old_end);
	memcpy(border, first, ((size_t)e->ranks + 1) * sizeof *first);
	sim_own(e, first[r], first[r + 1] - first[r]);
	e->model.owns(e->model.self, first[r], first[r + 1] - first[r]);
	if (first[r] < old)
		take_in(e, r - 1, first[r], old);
	if (first[r + 1] > old_end)
		take_in(e, r + 1, old_end, first[r + 1]);
	sim_transport_write_out(e->transport);
}

void sim_balance(struct sim_engine *e)
{
	struct sim_balancing *b = &e->balancing;
	unsigned before = sim_phase_enter(e, SIM_PHASE_COMMUNICATE);
	uint64_t began = sim_cycles(), now;
	uint64_t worked = busy(e);
	struct report mine = { .busy_ns = (uint64_t)((double)(worked - b->busy) * 1e9 / e->cycles_per_second),
		               .events = e->count.events_processed - b->events,
		               .lp_bytes = (b->sent_bytes + 64 * LP_BYTES) / (e->count.lps_moved + 64) + 1,
		               .room_first = e->ctx.base,
		               .room_end = (uint64_t)e->ctx.base + e->lp_capacity };
	struct report *all = base_calloc((size_t)e->ranks, sizeof *all);
	sim_lpid *first = base_calloc((size_t)e->ranks + 1, sizeof *first);
	sim_transport_share(e->transport, &mine, sizeof mine, all);
	choose_borders(e, all, first);
	b->moved += first[1] > e->config.first_lp[1] ? first[1] - e->config.first_lp[1]
	                                             : e->config.first_lp[1] - first[1]; /* LPs of rank 0 */
	if (memcmp(first, e->config.first_lp, ((size_t)e->ranks + 1) * sizeof *first) != 0)
		move(e, first);
	free(first);
	free(all);
	sim_phase_enter(e, before);
	b->gvt = e->gvt.gvt;
	now = sim_cycles();
	b->cost += now - began;
	set_due(e, now);
	b->busy = busy(e);
	b->events = e->count.events_processed;
}

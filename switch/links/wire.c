/* switch/links/wire.c - lanes and link-level retry of one link. See wire.h. */
#include "switch/links/wire.h"

#include "sim/rng.h"

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* --- error rates ----------------------------------------------------------------------------------------- */

static uint64_t times_q64(uint64_t a, uint64_t b)
{
	return (uint64_t)((unsigned __int128)a * b >> 64);
}

void sw_error_rate_set(struct sw_error_rate *rate, double bit_error_rate)
{
	/* exact: a power of two, and the rest of the division by it is dropped */
	uint64_t bad = bit_error_rate >= 1 ? UINT64_MAX : (uint64_t)(bit_error_rate * 18446744073709551616.0);
	uint64_t intact = UINT64_MAX - bad;
	for (int k = 0; k < 3; k++) /* the bits of a byte */
		intact = times_q64(intact, intact);
	for (int k = 0; k < SW_WIRE_BITS; k++) {
		rate->intact_q64[k] = intact;
		intact = times_q64(intact, intact);
	}
}

uint64_t sw_error_rate_intact(const struct sw_error_rate *rate, uint32_t bytes)
{
	uint64_t intact = UINT64_MAX;
	for (uint32_t k = 0; bytes >> k; k++)
		if (bytes >> k & 1)
			intact = times_q64(intact, rate->intact_q64[k]);
	return intact;
}

/* --- what changes with time ------------------------------------------------------------------------------ */

/* The last change up to `t`; NULL: there was none. */
static const struct sw_wire_change *change_at(const struct sw_wires *all, const struct sw_wire *w, uint64_t t)
{
	const struct sw_wire_change *c = all->change + w->first;
	uint32_t low = 0, high = w->changes;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (c[middle].at <= t)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &c[low - 1] : NULL;
}

static uint64_t time_of(const struct sw_link *link, const struct sw_wire_rule *rule,
                        const struct sw_wire_change *change, uint64_t bytes)
{
	uint64_t q16 = bytes * link->ps_per_byte_q16;
	if (change && change->lost) {
		base_checkf(change->lost < rule->lanes, "%u lanes of %u are lost", change->lost, rule->lanes);
		q16 = (uint64_t)((unsigned __int128)q16 * rule->lanes / (rule->lanes - change->lost));
	}
	return (q16 + 0x8000u) >> 16;
}

/* Does a lane fail inside the interval, both ends excluded? */
static bool loses_lane(const struct sw_wires *all, const struct sw_wire *w, uint64_t from, uint64_t to)
{
	const struct sw_wire_change *c = all->change + w->first, *now = change_at(all, w, from);
	for (uint32_t i = now ? (uint32_t)(now - c) + 1 : 0; i < w->changes && c[i].at < to; i++)
		if (c[i].lost > (i ? c[i - 1].lost : 0))
			return true;
	return false;
}

uint64_t sw_wire_comes(const struct sw_wires *all, const struct sw_link *link, unsigned link_class,
                       const struct sw_wire *w, uint32_t bytes, uint64_t arrived)
{
	const struct sw_wire_rule *rule = &all->of[link_class];
	uint64_t sent = arrived > w->back ? arrived - w->back : 0;
	return time_of(link, rule, change_at(all, w, sent), bytes);
}

uint64_t sw_wire_degraded(const struct sw_wires *all, const struct sw_wire *w, uint64_t end)
{
	const struct sw_wire_change *c = all->change + w->first;
	uint64_t sum = 0;
	for (uint32_t i = 0; i < w->changes && c[i].at < end; i++) {
		uint64_t until = i + 1 < w->changes && c[i + 1].at < end ? c[i + 1].at : end;
		sum += c[i].lost ? until - c[i].at : 0;
	}
	return sum;
}

/* --- the retry buffer ------------------------------------------------------------------------------------ */

uint32_t sw_wire_slots(uint64_t buffer, uint32_t least)
{
	uint64_t frames = buffer / (least ? least : 1) + 1;
	return frames < SW_WIRE_SLOTS ? (uint32_t)frames : SW_WIRE_SLOTS;
}

/* When so many bytes fit the retry buffer, from `from` on. Frames acknowledged by then leave it. */
static uint64_t wait_for_space(const struct sw_wire_rule *rule, struct sw_wire *w, uint64_t bytes, uint64_t from)
{
	while (w->used) {
		const struct sw_wire_slot *first = &w->slot[w->head];
		if (first->acknowledged > from) {
			if (w->held + bytes <= rule->buffer)
				break;
			from = first->acknowledged;
		}
		base_check(w->held >= first->bytes);
		w->held -= first->bytes;
		w->head = w->head + 1 == rule->slots ? 0 : w->head + 1;
		w->used--;
	}
	return from;
}

static void keep_frame(struct sim_ctx *ctx, const struct sw_wire_rule *rule, struct sw_wire *w, uint64_t bytes,
                       uint64_t acknowledged)
{
	uint32_t last = (w->head + (w->used ? w->used - 1 : 0)) % rule->slots;
	bool shared = w->used && w->slot[last].bytes + bytes <= rule->buffer / SW_WIRE_GRANULES;
	w->held += bytes;
	if (!shared) {
		last = (w->head + w->used) % rule->slots;
		base_checkf(w->used < rule->slots, "%u frames in a retry buffer of %u slots", w->used, rule->slots);
		w->used++;
	}
	struct sw_wire_slot *s = &w->slot[last];
	sim_save(ctx, s, sizeof *s);
	*s = (struct sw_wire_slot){ acknowledged, bytes + (shared ? s->bytes : 0) };
}

/* --- passage --------------------------------------------------------------------------------------------- */

/* The copies of a frame that were sent behind damaged ones before these were requested again. */
static void count_discarded(struct sw_wire *w, uint32_t bytes, uint64_t ready, uint64_t time)
{
	for (uint32_t k = 0; k < SW_WIRE_REPLAYS; k++) {
		struct sw_wire_replay *r = &w->replay[k];
		uint64_t start = later(ready, r->sent);
		if (start >= r->restart)
			continue;
		r->sent = start + time;
		w->replayed++;
		w->replayed_bytes += bytes;
	}
}

static bool is_damaged(const struct sw_wires *all, struct sw_wire *w, const struct sw_passage *p, uint32_t errors)
{
	if (!errors)
		return false;
	uint64_t copy = w->copies++;
	struct sim_draw d =
	    sim_draw4(p->seed, p->id, (uint32_t)copy, SIM_DRAW_LINK, p->port | (uint32_t)(copy >> 32) << 16);
	return ((uint64_t)d.v[0] << 32 | d.v[1]) >= sw_error_rate_intact(&all->rate[errors], p->bytes);
}

/* A copy leaves from `from` on, its last bit not before p->whole. Returns when its first bit does. */
static uint64_t start_of(const struct sw_wires *all, const struct sw_link *link, const struct sw_wire *w,
                         const struct sw_passage *p, uint64_t from, uint64_t *time)
{
	const struct sw_wire_rule *rule = &all->of[p->link_class];
	*time = time_of(link, rule, change_at(all, w, from), p->bytes);
	if (from + *time >= p->whole)
		return from;
	/* put off, so that the link does not run dry; lanes may have come or gone by then */
	uint64_t put_off = p->whole - *time;
	*time = time_of(link, rule, change_at(all, w, put_off), p->bytes);
	return put_off + *time >= p->whole ? put_off : p->whole - *time;
}

/* When the cable is back, if it is out at some time in [from, to); else 0. */
static uint64_t back_after(const struct sw_wires *all, const struct sw_wire *w, uint64_t from, uint64_t to)
{
	uint32_t low = w->first_outage, end = low + w->outages, high = end;
	while (low < high) { /* the first that ends behind `from` */
		uint32_t middle = low + (high - low) / 2;
		if (all->outage[middle].until <= from)
			low = middle + 1;
		else
			high = middle;
	}
	return low < end && all->outage[low].from < to ? all->outage[low].until : 0;
}

void sw_wire_pass(struct sim_ctx *ctx, const struct sw_wires *all, const struct sw_link *link, struct sw_wire *w,
                  struct sw_passage *p)
{
	const struct sw_wire_rule *rule = &all->of[p->link_class];
	const uint64_t round = w->latency + w->back + rule->answer;
	uint64_t time, ready = p->ready;
	base_check(rule->on);
	sim_save(ctx, w, sizeof *w);
	if (rule->slots)
		ready = wait_for_space(rule, w, p->bytes, ready);
	uint64_t from = start_of(all, link, w, p, later(ready, p->idle), &time);
	count_discarded(w, p->bytes, ready, time);
	for (uint64_t back; (back = back_after(all, w, from, from + 1)) != 0;) {
		from = back + round;
		time = time_of(link, rule, change_at(all, w, from), p->bytes);
	}
	for (;;) {
		const struct sw_wire_change *now = change_at(all, w, from);
		uint64_t end = from + time, back = back_after(all, w, from, end + w->latency);
		uint32_t errors = now && now->errors ? now->errors : rule->errors;
		if (!is_damaged(all, w, p, errors) && !loses_lane(all, w, from, end) && !back)
			break;
		end = later(end, back);
		w->damaged++;
		w->replayed++;
		w->replayed_bytes += p->bytes;
		w->lost_ps += end + round - from;
		w->replay[w->next_replay] = (struct sw_wire_replay){ .restart = end + round, .sent = end };
		w->next_replay = (w->next_replay + 1) % SW_WIRE_REPLAYS;
		from = end + round;
		time = time_of(link, rule, change_at(all, w, from), p->bytes);
	}
	w->frames++;
	p->start = from;
	p->finish = from + time;
	p->free_at = p->finish + time_of(link, rule, change_at(all, w, from), link->gap_bytes);
	base_checkf(p->start >= p->ready && p->start >= p->idle && p->finish >= p->whole,
	            "a frame leaves from %llu to %llu ps, ready at %llu", (unsigned long long)p->start,
	            (unsigned long long)p->finish, (unsigned long long)p->ready);
	if (rule->slots)
		keep_frame(ctx, rule, w, p->bytes, p->finish + round);
}

/* switch/tiled/bus.c - a row bus with row buffers: it picks one of those queues of its input whose head fits in the row
 * buffer of the head's tile.
 *
 * Without grants an input has one queue per lane (fifo), or one per output and lane (voq). With grants it has one queue
 * per traffic class, in which packets are in the order of their grants. */
#include "switch/tiled/tiled.h"

static uint32_t queue_of(const struct tiled_derived *d, const struct tiled_packet *p)
{
	if (d->grants)
		return tiled_class(d, p);
	return (d->fifo ? 0 : tiled_out(p) * d->lanes) + tiled_in_lane(d, p);
}

void tiled_want_bus(struct sw_call *call, struct tiled_state *s, uint32_t in, uint64_t t)
{
	tiled_want(call, s, TILED_DUE_BUS, in, tiled_max(t, tiled_port_at(s->derived, s, in)->bus_free));
}

void tiled_enqueue(struct sw_call *call, struct tiled_state *s, uint32_t packet)
{
	const struct tiled_derived *d = s->derived;
	const struct tiled_packet *p = tiled_packet_at(s, packet);
	uint32_t k = queue_of(d, p), in = tiled_in(p);
	if (!tiled_append(call->ctx, s, tiled_queue_at(d, s, (size_t)in * d->queues + k), packet))
		return;
	uint64_t *busy = tiled_busy_queues_at(d, s, (size_t)in * d->queue_words);
	sim_save(call->ctx, busy, d->queue_words * 8ul);
	sw_set_add(busy, k);
	tiled_want_bus(call, s, in, tiled_ready(p));
}

/* Keeps the queues of the set's highest level, and returns that level. */
static uint32_t keep_first(const struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                           uint32_t in, uint64_t *may)
{
	uint32_t first = 0;
	uint64_t kept[TILED_WORDS] = { 0 }, when = TILED_NEVER;
	for (SW_EACH(k, may, d->queue_words)) {
		uint32_t level = tiled_level_of(call, s, tiled_queue_at(d, s, (size_t)in * d->queues + k), &when);
		level = level == SW_CLASS_HELD ? 0 : level; /* a held class is not stopped at this bus */
		if (level > first)
			for (uint32_t w = 0; w < d->queue_words; w++)
				kept[w] = 0;
		first = level > first ? level : first;
		if (level == first)
			sw_set_add(kept, k);
	}
	for (uint32_t w = 0; w < d->queue_words; w++)
		may[w] = kept[w];
	return first;
}

/* The queue whose head goes next; SW_NOBODY: none can. *next: when one will be ready. */
static uint32_t choose_queue(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t in,
                             uint64_t *next)
{
	const uint64_t *busy = tiled_busy_queues_at(d, s, (size_t)in * d->queue_words);
	uint64_t may[TILED_WORDS] = { 0 }, key[TILED_PORTS];
	enum sw_arbiter_key compared = sw_arbiter_key(d->bus_arbiter);
	for (SW_EACH(k, busy, d->queue_words)) {
		const struct tiled_packet *p =
		    tiled_packet_at(s, tiled_queue_at(d, s, (size_t)in * d->queues + k)->head);
		if (tiled_ready(p) > call->now) {
			*next = tiled_min(*next, tiled_ready(p));
		} else if (*tiled_space_at(d, s, tiled_front_index(d, in, tiled_out(p), tiled_front_lane(d, p))) >=
		           p->packet.bytes) {
			sw_set_add(may, k);
			if (compared != SW_KEY_NONE)
				key[k] = tiled_key(d, compared, p, call->now);
		}
	}
	void *arbiter = tiled_bus_arbiter(d, s, in, d->ordered ? keep_first(call, d, s, in, may) : 0);
	uint32_t k = sw_arbiter_pick(d->bus_arbiter, d->queues, arbiter, may, key);
	if (k != SW_NOBODY)
		sw_arbiter_won(
		    call->ctx, d->bus_arbiter, d->queues, arbiter, k, d->bus_weight,
		    tiled_charge(d, tiled_packet_at(s, tiled_queue_at(d, s, (size_t)in * d->queues + k)->head)));
	return k;
}

static uint64_t move_packet(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t in,
                            uint32_t k)
{
	struct sim_ctx *ctx = call->ctx;
	struct tiled_list *l = tiled_queue_at(d, s, (size_t)in * d->queues + k);
	uint32_t packet = l->head;
	struct tiled_packet *p = tiled_packet_at(s, packet);
	struct tiled_port *i = tiled_port_at(d, s, in);
	struct tiled_trace *trace = tiled_trace_of(p);
	sim_save(ctx, p, tiled_packet_bytes(s));
	sim_set(ctx, &l->head, p->next);
	if (l->head == TILED_NONE) {
		uint64_t *busy = tiled_busy_queues_at(d, s, (size_t)in * d->queue_words);
		sim_save(ctx, busy, d->queue_words * 8ul);
		sw_set_remove(busy, k);
	}
	uint64_t finish = tiled_max(call->now + tiled_beats(d, p->packet.bytes), trace->tail);
	base_checkf(tiled_in(p) == in && tiled_ready(p) <= call->now && i->bus_free <= call->now,
	            "switch %u, input %u: a packet of input %u goes at %llu ps, ready at %llu", s->id, in, tiled_in(p),
	            (unsigned long long)call->now, (unsigned long long)tiled_ready(p));
	trace->bus_wait = call->now - tiled_ready(p);
	p->next = TILED_NONE;
	tiled_set_ready(p, call->now + d->row);
	trace->tail = finish + d->row;
	sim_set(ctx, &i->bus_free, finish);
	tiled_use(call, s, in, bus, call->now, finish);
	tiled_release_input(call, s, p, finish);
	size_t at = tiled_front_index(d, in, tiled_out(p), tiled_front_lane(d, p));
	uint32_t *space = tiled_space_at(d, s, at);
	base_checkf(*space >= p->packet.bytes && *space <= d->row_space,
	            "switch %u, input %u: %u bytes for %u free of %u", s->id, in, p->packet.bytes, *space,
	            d->row_space);
	sim_set(ctx, space, *space - p->packet.bytes);
	if (tiled_append(ctx, s, &tiled_front_at(d, s, at)->list, packet))
		tiled_contend(call, s, at);
	base_checkf(*space + tiled_list_bytes(s, &tiled_front_at(d, s, at)->list) == d->row_space,
	            "switch %u, input %u: %u free of %u", s->id, in, *space, d->row_space);
	return finish;
}

void tiled_bus(struct sw_call *call, struct tiled_state *s, uint32_t in)
{
	const struct tiled_derived *d = s->derived;
	uint64_t next = TILED_NEVER;
	uint32_t k = choose_queue(call, d, s, in, &next);
	if (k != SW_NOBODY) {
		uint64_t finish = move_packet(call, d, s, in, k);
		if (sw_set_any(tiled_busy_queues_at(d, s, (size_t)in * d->queue_words), d->queue_words))
			next = finish;
		else
			next = TILED_NEVER;
	}
	if (next != TILED_NEVER)
		tiled_want_bus(call, s, in, next);
}

/* switch/oq/queue.c - the queue of an output: arrivals, the choice of packets to trim or drop, and departures. */
#include "switch/oq/oq.h"

#include "sim/rng.h"
#include "switch/links/pass.h"

#include <string.h>

/* Draws random words for the decisions about one packet at one switch. Word [0] decides whether it is the victim of a
 * full queue, word [1] whether it is marked. They depend only on the packet and the switch, and so not on the order in
 * which the run's events are executed. */
static struct sim_draw draw_for(const struct sw_call *call, const struct sw_packet *p)
{
	uint64_t seed = call->common->seed ^ (sw_injected(p, call->now) << 8 | p->job);
	return sim_draw4(seed, call->id, p->seq, SIM_DRAW_SWITCH, p->src);
}

/* --- lists ----------------------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) void append(struct sw_call *call, struct oq_list *list, uint32_t i)
{
	struct oq_state *s = call->state;
	struct oq_packet *k = oq_packet_at(s, i);
	sim_save(call->ctx, list, sizeof *list);
	k->next = SW_POOL_NONE; /* a record that was just allocated, or saved by the caller */
	k->prev = list->tail;
	if (list->tail == SW_POOL_NONE)
		list->head = i;
	else
		sim_set(call->ctx, &oq_packet_at(s, list->tail)->next, i);
	list->tail = i;
}

static inline __attribute__((always_inline)) uint32_t take_first(struct sw_call *call, struct oq_list *list)
{
	struct oq_state *s = call->state;
	uint32_t i = list->head;
	sim_save(call->ctx, list, sizeof *list);
	list->head = oq_packet_at(s, i)->next;
	if (list->head == SW_POOL_NONE)
		list->tail = SW_POOL_NONE;
	else
		sim_set(call->ctx, &oq_packet_at(s, list->head)->prev, SW_POOL_NONE);
	return i;
}

static uint32_t take_last(struct sw_call *call, struct oq_list *list)
{
	struct oq_state *s = call->state;
	uint32_t i = list->tail;
	sim_save(call->ctx, list, sizeof *list);
	list->tail = oq_packet_at(s, i)->prev;
	if (list->tail == SW_POOL_NONE)
		list->head = SW_POOL_NONE;
	else
		sim_set(call->ctx, &oq_packet_at(s, list->tail)->next, SW_POOL_NONE);
	return i;
}

static uint32_t keep_packet(struct sw_call *call, const struct oq_packet *k)
{
	struct oq_state *s = call->state;
	uint32_t i = sw_pool_take(call->ctx, &s->pool, sizeof *k);
	*oq_packet_at(s, i) = *k;
	return i;
}

static void give_cell(struct sw_call *call, uint32_t i)
{
	struct oq_state *s = call->state;
	sw_pool_give(call->ctx, &s->pool, i, sizeof(struct oq_packet));
}

/* --- departures ------------------------------------------------------------------------------------------ */

static bool is_marked(const struct sw_call *call, const struct oq_output *o, const struct sw_packet *p)
{
	const struct oq *x = call->common->impl;
	uint32_t behind = o->bytes[oq_level_of(call->common, x, p)];
	if (sim_likely(behind <= x->kmin))
		return false;
	if (behind > x->kmax)
		return true;
	return (uint64_t)draw_for(call, p).v[1] << 31 < (behind - x->kmin) * x->steepness;
}

static void mark(struct sw_call *call, uint32_t out, struct sw_packet *p)
{
	struct oq_state *s = call->state;
	p->injected |= SW_MARK_ECN;
	sim_set(call->ctx, &s->marks, s->marks + 1);
	if (s->meters) {
		struct oq_meter *m = oq_meter_at(s, out);
		sim_set(call->ctx, &m->marks, m->marks + 1);
	}
}

/* The packet, which is in no list, starts to leave at `start`. */
static void leave_queue(struct sw_call *call, uint32_t out, struct oq_packet *k, uint64_t start)
{
	const struct sw_common *c = call->common;
	const struct oq *x = c->impl;
	struct oq_state *s = call->state;
	struct oq_output *o = oq_output_at(s, out);
	const struct sw_link *link = &c->link[oq_link(s, out)];
	struct sw_packet *p = &k->packet;
	enum oq_level level = oq_level_of(c, x, p);
	uint32_t bytes = sw_bytes_on(c, oq_link(s, out), p);
	uint64_t finish = start + sw_serialisation(link, bytes), free_at = finish + link->gap;
	if (sim_unlikely(c->passes)) {
		struct sw_passage w = { .ready = k->arrived + x->p->latency, .idle = start, .bytes = bytes };
		sw_pass(call, out, oq_link(s, out), p->job, &w);
		start = w.start;
		finish = w.finish;
		free_at = w.free_at;
	}
	base_checkf(call->ctx->journal || o->free_at <= start, "switch %u, output %u: two packets at %llu ps", s->id,
	            out, (unsigned long long)start);
	sim_save(call->ctx, o, sizeof *o);
	o->free_at = free_at;
	o->gap = free_at - finish;
	memset(o->leaving, 0, sizeof o->leaving);
	o->leaving[level] = bytes;
	if (level != OQ_HIGH && x->p->ecn && is_marked(call, o, p))
		mark(call, out, p);
	if (s->meters)
		oq_meter_pass(call, s, out, k, bytes, start, finish);
	if (sim_unlikely(c->record_queues))
		call->host_ops->queued(call, out, p->vc, bytes, k->arrived, finish, start > k->arrived + x->p->latency);
	if (x->p->pfc && oq_is_kept(c, p))
		oq_pause_leave(call, k->in_port, p->bytes);
	if (out < s->net_ports)
		call->host_ops->transmit(call, out, &o->end, p, start, finish);
	else
		call->host_ops->eject(call, out - s->net_ports, p, start, finish);
}

/* Schedules the next look at the output at `at`, by the queues' clock. */
static void wake(struct sw_call *call, uint32_t out, uint64_t at)
{
	struct oq_state *s = call->state;
	struct oq_output *o = oq_output_at(s, out);
	if (o->wake <= at)
		return;
	sim_set(call->ctx, &o->wake, at);
	struct sim_event *ev =
	    sim_send(call->ctx, call->lp, at - s->x->ahead, call->host_ops->key(call, 4), SIM_SHORT_WORDS);
	ev->kind = OQ_DEPARTURE;
	ev->aux = (uint16_t)out;
	ev->payload[0] = 0;
}

/* --- arrivals -------------------------------------------------------------------------------------------- */

static void drop_packet(struct sw_call *call, uint32_t out, const struct sw_packet *p)
{
	struct oq_state *s = call->state;
	sim_set(call->ctx, &s->drops, s->drops + 1);
	if (s->meters) {
		struct oq_meter *m = oq_meter_at(s, out);
		sim_set(call->ctx, &m->drops, m->drops + 1);
	}
	call->host_ops->drop(call, p);
}

/* Does the packet have a payload to remove? */
static bool has_more_than_a_header(struct sw_call *call, uint32_t out, const struct sw_packet *p)
{
	const struct sw_common *c = call->common;
	struct oq_state *s = call->state;
	const struct sw_link *link = sw_link_for_job(c, oq_link(s, out), p->job);
	return p->bytes > (c->framed ? sw_frame_bytes(link, 0) : s->x->p->trim_bytes);
}

/* Drops its payload, so that it becomes the shortest frame. */
static void trim(struct sw_call *call, uint32_t out, struct sw_packet *p)
{
	const struct sw_common *c = call->common;
	struct oq_state *s = call->state;
	p->injected |= SW_MARK_TRIMMED;
	if (c->framed)
		sw_packet_frame(p, 0, sw_frame_bytes(sw_link_for_job(c, oq_link(s, out), p->job), 0));
	else
		p->bytes = (uint32_t)s->x->p->trim_bytes;
	sim_set(call->ctx, &s->trims, s->trims + 1);
	if (s->meters) {
		struct oq_meter *m = oq_meter_at(s, out);
		sim_set(call->ctx, &m->trims, m->trims + 1);
	}
}

/* Appends to a queue with space. */
static void enqueue(struct sw_call *call, uint32_t out, enum oq_level level, uint32_t i, uint64_t at)
{
	struct oq_state *s = call->state;
	struct oq_output *o = oq_output_at(s, out);
	append(call, &o->queue[level], i);
	sim_set(call->ctx, &o->bytes[level],
	        o->bytes[level] + sw_bytes_on(call->common, oq_link(s, out), &oq_packet_at(s, i)->packet));
	bool leaves = o->free_at > at + o->gap;
	uint32_t held = (uint32_t)oq_waiting(o);
	held += leaves ? o->leaving[OQ_LOW] + o->leaving[OQ_HIGH] + o->leaving[OQ_KEPT] : 0;
	if (held > o->peak)
		sim_set(call->ctx, &o->peak, held);
}

/* Trims or drops the victim i, which is in no list. */
static void sacrifice(struct sw_call *call, uint32_t out, uint32_t i, uint64_t at)
{
	struct oq_state *s = call->state;
	struct oq_packet *k = oq_packet_at(s, i);
	if (s->x->p->trim && has_more_than_a_header(call, out, &k->packet)) {
		struct sw_packet header = k->packet;
		trim(call, out, &header);
		uint32_t bytes = sw_bytes_on(call->common, oq_link(s, out), &header);
		if (oq_held(s, out, OQ_HIGH, at) + (uint64_t)bytes <= s->x->limit[OQ_HIGH]) {
			sim_save(call->ctx, k, sizeof *k);
			k->packet = header;
			enqueue(call, out, OQ_HIGH, i, at);
			return;
		}
	}
	drop_packet(call, out, &k->packet);
	give_cell(call, i);
}

/* Called when a data packet of this many bytes finds the queue full. Removes other packets from the tail of the queue
 * to make space, and returns true; returns false if the arriving packet is the victim itself. */
static bool make_space(struct sw_call *call, uint32_t out, const struct sw_packet *p, uint32_t bytes, uint64_t at)
{
	struct oq_state *s = call->state;
	struct oq_output *o = oq_output_at(s, out);
	uint64_t leaving = oq_held(s, out, OQ_LOW, at) - o->bytes[OQ_LOW];
	if (draw_for(call, p).v[0] >> 31 || leaving + bytes > s->x->limit[OQ_LOW])
		return false;
	while (leaving + o->bytes[OQ_LOW] + bytes > s->x->limit[OQ_LOW]) {
		uint32_t i = take_last(call, &o->queue[OQ_LOW]);
		sim_set(call->ctx, &o->bytes[OQ_LOW],
		        o->bytes[OQ_LOW] - sw_bytes_on(call->common, oq_link(s, out), &oq_packet_at(s, i)->packet));
		sacrifice(call, out, i, at);
	}
	return true;
}

/* A packet, in no list, reaches the queue of its output at `at`, by the queues' clock. */
static void admit(struct sw_call *call, uint32_t out, uint32_t i, uint64_t at)
{
	struct oq_state *s = call->state;
	const struct sw_packet *p = &oq_packet_at(s, i)->packet;
	enum oq_level level = oq_level_of(call->common, s->x, p);
	uint32_t bytes = sw_bytes_on(call->common, oq_link(s, out), p);
	bool fits = oq_held(s, out, level, at) + (uint64_t)bytes <= s->x->limit[level];
	if (fits || (level == OQ_LOW && make_space(call, out, p, bytes, at))) {
		enqueue(call, out, level, i, at);
	} else if (level == OQ_LOW) {
		sacrifice(call, out, i, at);
	} else {
		drop_packet(call, out, p);
		give_cell(call, i);
	}
}

/* Moves packets whose latency has passed at time `at` from the list `coming` to the queue. Victims are chosen by the
 * queue's state at the packet's arrival there: nothing has left since. */
static void admit_coming(struct sw_call *call, uint32_t out, uint64_t at)
{
	struct oq_state *s = call->state;
	struct oq_output *o = oq_output_at(s, out);
	while (o->coming.head != SW_POOL_NONE && oq_packet_at(s, o->coming.head)->arrived + s->x->p->latency <= at) {
		uint32_t i = take_first(call, &o->coming);
		struct oq_packet *k = oq_packet_at(s, i);
		sim_save(call->ctx, k, sizeof *k);
		sim_set(call->ctx, &o->coming_bytes, o->coming_bytes - k->packet.bytes);
		admit(call, out, i, sim_unlikely(s->x->mixed) ? k->arrived + s->x->p->latency : at);
	}
}

/* May a packet leave? */
static inline bool is_open(const struct oq_state *s, const struct oq_output *o)
{
	return !o->paused || s->x->mixed;
}

/* The level of the next departure, or OQ_LEVELS: none may leave. */
static inline __attribute__((always_inline)) enum oq_level next_level(const struct oq_state *s,
                                                                      const struct oq_output *o)
{
	const uint32_t high = o->queue[OQ_HIGH].head, low = o->queue[OQ_LOW].head;
	if (!is_open(s, o))
		return OQ_LEVELS;
	if (high != SW_POOL_NONE)
		return OQ_HIGH;
	if (sim_likely(!s->x->mixed))
		return low != SW_POOL_NONE ? OQ_LOW : OQ_LEVELS;
	uint32_t kept = o->paused ? SW_POOL_NONE : o->queue[OQ_KEPT].head;
	if (kept == SW_POOL_NONE)
		return low != SW_POOL_NONE ? OQ_LOW : OQ_LEVELS;
	if (low == SW_POOL_NONE)
		return OQ_KEPT;
	if (o->turn)
		return o->turn > 0 ? OQ_LOW : OQ_KEPT;
	return oq_packet_at(s, low)->arrived < oq_packet_at(s, kept)->arrived ? OQ_LOW : OQ_KEPT;
}

/* A packet of the level leaves, chosen while low and kept both had one. */
static void take_turn(struct sw_call *call, struct oq_output *o, enum oq_level level, uint32_t bytes)
{
	if (level == OQ_HIGH)
		return;
	bool both = !o->paused && o->queue[OQ_LOW].head != SW_POOL_NONE && o->queue[OQ_KEPT].head != SW_POOL_NONE;
	int32_t more = level == OQ_KEPT ? (int32_t)bytes : -(int32_t)bytes, turn = both ? o->turn + more : 0;
	base_checkf(call->ctx->journal || (turn < 1 << 30 && turn > -(1 << 30)), "output is %d bytes ahead", turn);
	if (turn != o->turn)
		sim_set(call->ctx, &o->turn, turn);
}

void oq_serve(struct sw_call *call, uint32_t out)
{
	struct oq_state *s = call->state;
	struct oq_output *o = oq_output_at(s, out);
	uint64_t at = call->now + s->x->ahead;
	admit_coming(call, out, at);
	enum oq_level level = next_level(s, o);
	if (level != OQ_LEVELS && o->free_at <= at) {
		uint32_t bytes =
		    sw_bytes_on(call->common, oq_link(s, out), &oq_packet_at(s, o->queue[level].head)->packet);
		if (sim_unlikely(s->x->mixed))
			take_turn(call, o, level, bytes);
		uint32_t i = take_first(call, &o->queue[level]);
		struct oq_packet k = *oq_packet_at(s, i);
		base_checkf(call->ctx->journal || bytes <= o->bytes[level],
		            "switch %u, output %u: %u bytes of %u leave", s->id, out, bytes, o->bytes[level]);
		sim_set(call->ctx, &o->bytes[level], o->bytes[level] - bytes);
		give_cell(call, i);
		leave_queue(call, out, &k, at);
		level = next_level(s, o);
	}
	if (level != OQ_LEVELS) {
		wake(call, out, o->free_at);
	} else if (is_open(s, o) && o->coming.head != SW_POOL_NONE) {
		uint64_t there = oq_packet_at(s, o->coming.head)->arrived + s->x->p->latency;
		wake(call, out, there > o->free_at ? there : o->free_at);
	}
}

void oq_event(struct sw_call *call, const struct sim_event *event)
{
	struct oq_state *s = call->state;
	if (sim_unlikely(event->kind != OQ_DEPARTURE || event->aux >= s->ports)) {
		sim_violation(call->ctx, "switch %u: event of kind %u for output %u", s->id, event->kind, event->aux);
		return;
	}
	struct oq_output *o = oq_output_at(s, event->aux);
	if (o->wake != event->time + s->x->ahead)
		return; /* superseded by an earlier event */
	sim_set(call->ctx, &o->wake, SIM_NEVER);
	oq_serve(call, event->aux);
}

void oq_packet_in(struct sw_call *call, uint32_t in_port, struct sw_packet *p)
{
	const struct oq *x = call->common->impl;
	struct oq_state *s = call->state;
	uint8_t slack = 0;
	uint32_t out = call->host_ops->route(call, in_port, p, &slack);
	struct oq_output *o = oq_output_at(s, out);
	struct oq_packet k = { .arrived = call->now, .in_port = (uint16_t)in_port, .packet = *p };
	uint64_t at = call->now + x->p->latency;
	if (x->p->pfc) {
		append(call, &o->coming, keep_packet(call, &k));
		sim_set(call->ctx, &o->coming_bytes, o->coming_bytes + p->bytes);
		if (oq_is_kept(call->common, p))
			oq_pause_arrive(call, in_port, p->bytes);
		if (is_open(s, o))
			wake(call, out, at > o->free_at ? at : o->free_at);
		return;
	}
	bool idle = o->queue[OQ_LOW].head == SW_POOL_NONE && o->queue[OQ_HIGH].head == SW_POOL_NONE;
	if (idle && o->free_at <= at) {
		uint32_t bytes = sw_bytes_on(call->common, oq_link(s, out), p);
		if (bytes > o->peak)
			sim_set(call->ctx, &o->peak, bytes);
		leave_queue(call, out, &k, at);
		return;
	}
	admit(call, out, keep_packet(call, &k), at);
	if (o->queue[OQ_LOW].head != SW_POOL_NONE || o->queue[OQ_HIGH].head != SW_POOL_NONE)
		wake(call, out, o->free_at > at ? o->free_at : at);
}

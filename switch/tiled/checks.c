/* switch/tiled/checks.c - queries about the state of the tiled switch: its regions for --audit, and its packets and
 * credits for the checks at the end of a run. */
#include "switch/tiled/tiled.h"

#include <stddef.h>

void tiled_regions(const struct sw_common *c, void *state, void (*visit)(void *arg, void *at, size_t bytes), void *arg)
{
	struct tiled_state *s = state;
	visit(arg, s->rest, ((const struct tiled_derived *)c->impl)->bytes);
	size_t first = offsetof(struct tiled_state, asks), last = offsetof(struct tiled_state, fresh);
	visit(arg, (unsigned char *)s + first, last + sizeof s->fresh - first);
	visit(arg, &s->pool.free, 2 * sizeof(uint32_t)); /* free and used */
	sw_pool_regions(&s->pool, tiled_packet_bytes(s), visit, arg);
	if (s->flows)
		sw_flows_regions(s->flows, visit, arg);
	if (s->meters)
		visit(arg, s->meters, tiled_meter_bytes(c));
}

uint64_t tiled_list_bytes(struct tiled_state *s, const struct tiled_list *l)
{
	uint64_t bytes = 0;
	for (uint32_t k = l->head; k != TILED_NONE; k = tiled_packet_at(s, k)->next)
		bytes += tiled_packet_at(s, k)->packet.bytes;
	return bytes;
}

/* messages: linked by next_message. */
static uint64_t bytes_for_network(const struct tiled_state *s, const struct tiled_list *l, bool messages)
{
	uint64_t bytes = 0;
	for (uint32_t k = l->head; k != TILED_NONE;) {
		struct tiled_packet *p = tiled_packet_at((struct tiled_state *)(uintptr_t)s, k);
		bytes += tiled_out(p) < s->net_ports ? tiled_leaving(s, p) : 0;
		k = messages ? p->next_message : p->next;
	}
	return bytes;
}

/* Returns the credits, in bytes, that were taken by grants for packets that are still in the switch: those of input i
 * and, in column buffers, those for output i. */
static uint64_t reserved(const struct tiled_derived *d, struct tiled_state *s, uint32_t i)
{
	uint32_t fronts = tiled_fronts(d), columns = d->column_buffered ? d->geometry.rows * d->lanes : 0;
	uint64_t bytes = 0;
	for (uint32_t k = 0; d->row_buffered && k < d->queues; k++)
		bytes += bytes_for_network(s, tiled_queue_at(d, s, (size_t)i * d->queues + k), false);
	for (uint32_t k = 0; k < fronts; k++)
		bytes += bytes_for_network(s, &tiled_front_at(d, s, tiled_front_of(d, i, k))->list, false);
	for (uint32_t k = 0; k < columns; k++)
		bytes += bytes_for_network(s, &tiled_column_at(d, s, (size_t)i * columns + k)->list, false);
	return bytes + bytes_for_network(s, &tiled_rest_at(d, s, i)->grants, true);
}

/* Check: the bytes in accounts of flows are in requesting queues, or have their credits. Returns the difference. */
static uint64_t astray(const struct tiled_derived *d, struct tiled_state *s)
{
	uint64_t wrong = 0;
	for (uint32_t at = 0; at < s->net_ports * d->lanes; at++) {
		uint32_t out = at / d->lanes, lane = at % d->lanes;
		uint64_t have = sw_lane_used(&d->account, tiled_credit_at(d, s, out, 0), lane);
		for (uint32_t in = 0; in < d->ports; in++)
			have += bytes_for_network(s, &tiled_voq_at(d, s, out, lane, in)->list, false);
		wrong += have > s->flows->sum[at] ? have - s->flows->sum[at] : s->flows->sum[at] - have;
	}
	return wrong;
}

uint64_t tiled_credits_out(const struct sw_common *c, const void *state)
{
	const struct tiled_derived *d = c->impl;
	struct tiled_state *s = (struct tiled_state *)(uintptr_t)state;
	uint64_t out = 0;
	for (uint32_t i = 0; i < s->net_ports; i++)
		out += tiled_used_credits(s, i, 0);
	for (uint32_t i = 0; d->grants && i < s->net_ports + s->terminals; i++)
		out -= reserved(d, s, i);
	out -= bytes_for_network(s, &s->grants, true);
	if (s->flows) /* the sums of credits then differ, too */
		out += astray(d, s);
	base_checkf(d->fault || out <= s->net_ports * ((uint64_t)d->lanes * d->share + d->account.pool),
	            "switch %u: %llu bytes of credits are out", s->id, (unsigned long long)out);
	for (uint32_t i = 0; d->in_kept && i < s->net_ports; i++)
		out -= sw_hold_sum(tiled_kept_at(d, s, i, 0), d->lanes);
	return out;
}

struct visitor {
	const struct tiled_derived *d;
	struct tiled_state *s;
	void (*visit)(void *arg, const struct sw_waiting *w);
	void *arg;
	uint64_t asked[TILED_WORDS]; /* outputs to which requests are on their way */
};

static void mark_asked(struct visitor *v, const struct tiled_list *asks)
{
	for (uint32_t k = asks->head; k != TILED_NONE; k = tiled_packet_at(v->s, k)->next_message)
		sw_set_add(v->asked, tiled_out(tiled_packet_at(v->s, k)));
}

/* Will an arbiter examine this output without an event from outside? */
static bool moves(const struct visitor *v, uint32_t out)
{
	const struct tiled_port *o = tiled_port_at(v->d, v->s, out);
	if (o->flight || sw_set_has(v->asked, out) ||
	    (v->d->grants && tiled_due(v->d, v->s, TILED_DUE_GRANT, out) != TILED_NEVER) ||
	    tiled_due(v->d, v->s, TILED_DUE_MUX, out) != TILED_NEVER)
		return true;
	for (uint32_t r = 0; v->d->column_buffered && r < v->d->geometry.rows; r++)
		if (tiled_due(v->d, v->s, TILED_DUE_CROSSBAR, out * v->d->geometry.rows + r) != TILED_NEVER)
			return true;
	return false;
}

/* Reports the packets of a list as waiting. All of them wait for the packet `first`, which waits for its output:
 * `first` is the head of the list or, if the list is a queue before a row buffer with packets, the head of that buffer.
 * at_input: the packets' bytes are still in the input buffer. */
static void visit_list(const struct visitor *v, const struct tiled_list *l, uint32_t first, bool moving, bool at_input)
{
	if (l->head == TILED_NONE)
		return;
	const struct tiled_packet *f = tiled_packet_at(v->s, first);
	moving = moving || moves(v, tiled_out(f));
	for (uint32_t k = l->head; k != TILED_NONE;) {
		const struct tiled_packet *p = tiled_packet_at(v->s, k);
		base_checkf(p->next != TILED_NONE || k == l->tail, "a list ends at packet %u, not %u", k, l->tail);
		v->visit(v->arg, &(struct sw_waiting){ .out = tiled_out(f),
		                                       .in_port = tiled_in(p),
		                                       .vc = (uint8_t)tiled_lane(v->d, f),
		                                       .in_vc = (uint8_t)tiled_in_lane(v->d, p),
		                                       .job = p->packet.job,
		                                       .moving = moving,
		                                       .bytes = at_input ? p->packet.bytes : 0,
		                                       .since = tiled_arrived(p),
		                                       .own_out = tiled_out(p),
		                                       .own_vc = (uint8_t)tiled_lane(v->d, p),
		                                       .size = p->packet.bytes });
		k = p->next;
	}
}

/* Packets whose grants are on their way to their tiles. */
static void visit_grants(const struct visitor *v, const struct tiled_list *l)
{
	for (uint32_t k = l->head; k != TILED_NONE; k = tiled_packet_at(v->s, k)->next_message) {
		const struct tiled_packet *p = tiled_packet_at(v->s, k);
		v->visit(v->arg, &(struct sw_waiting){ .out = tiled_out(p),
		                                       .in_port = tiled_in(p),
		                                       .vc = (uint8_t)tiled_lane(v->d, p),
		                                       .in_vc = (uint8_t)tiled_in_lane(v->d, p),
		                                       .job = p->packet.job,
		                                       .moving = true,
		                                       .bytes = p->packet.bytes,
		                                       .since = tiled_arrived(p) });
	}
}

/* Packets that wait for their flow's limit: for space in the downstream buffer that its own packets occupy. */
static void visit_flow(void *arg, const struct sw_flow *flow)
{
	const struct visitor *v = arg;
	struct tiled_list l = { flow->head, flow->tail };
	visit_list(v, &l, l.head, false, true);
}

/* Queues before the row buffers of input i. */
static void visit_queues(const struct visitor *v, uint32_t i)
{
	const struct tiled_derived *d = v->d;
	bool bus = tiled_due(d, v->s, TILED_DUE_BUS, i) != TILED_NEVER;
	for (uint32_t k = 0; k < d->queues; k++) {
		const struct tiled_list *l = tiled_queue_at(d, v->s, (size_t)i * d->queues + k);
		if (l->head == TILED_NONE)
			continue;
		const struct tiled_packet *p = tiled_packet_at(v->s, l->head);
		uint32_t before =
		    tiled_front_at(d, v->s, tiled_front_index(d, i, tiled_out(p), tiled_front_lane(d, p)))->list.head;
		visit_list(v, l, before != TILED_NONE ? before : l->head, d->grants || bus, true);
	}
}

void tiled_each_waiting(const struct sw_common *c, const void *state,
                        void (*visit)(void *arg, const struct sw_waiting *w), void *arg)
{
	const struct tiled_derived *d = c->impl;
	struct tiled_state *s = (struct tiled_state *)(uintptr_t)state;
	struct visitor v = { .d = d, .s = s, .visit = visit, .arg = arg };
	uint32_t fronts = tiled_fronts(d), columns = d->column_buffered ? d->geometry.rows * d->lanes : 0;
	mark_asked(&v, &s->asks);
	for (uint32_t i = 0; i < s->net_ports + s->terminals; i++)
		mark_asked(&v, &tiled_rest_at(d, s, i)->asks);
	visit_grants(&v, &s->grants);
	if (s->flows)
		sw_flows_each(s->flows, visit_flow, &v);
	for (uint32_t i = 0; i < s->net_ports + s->terminals; i++) {
		visit_grants(&v, &tiled_rest_at(d, s, i)->grants);
		for (uint32_t k = 0; d->grants && k < d->lanes * d->ports; k++) { /* queues for output i */
			const struct tiled_list *l = &tiled_voq_at(d, s, i, k / d->ports, k % d->ports)->list;
			visit_list(&v, l, l->head, false, true);
		}
		if (d->row_buffered)
			visit_queues(&v, i);
		for (uint32_t k = 0; k < fronts; k++) {
			const struct tiled_list *l = &tiled_front_at(d, s, tiled_front_of(d, i, k))->list;
			visit_list(&v, l, l->head, d->grants, !d->row_buffered);
		}
		for (uint32_t k = 0; k < columns; k++) {
			const struct tiled_list *l = &tiled_column_at(d, s, (size_t)i * columns + k)->list;
			visit_list(&v, l, l->head, d->grants, false);
		}
	}
}

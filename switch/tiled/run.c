/* switch/tiled/run.c - the actions inside the tiled switch, in order of time.
 *
 * Two kinds of actions become due: messages that arrive after a constant delay, in two ordered lists, and items of the
 * agenda, which are possible decisions of arbiters, and messages that were delayed on their row bus. At one instant
 * these late messages come first (the packet of a late message may precede that of another message in its queue), then
 * the other messages, then arbiters in the order of enum tiled_due.
 *
 * An external event must not change the result of earlier due actions, so these are executed first: tiled_run(). Only
 * for a packet with a known output they may stay deferred, as long as no queue of the switch has more packets than
 * possible requests: due actions then send no request, so the two are independent, see tiled_may_put_off(). An action
 * affects other logical processes at the earliest `lead` later. So the switch's own event may execute remaining actions
 * up to `slack` late, which leaves others a lookahead of lead - slack: sw_ops.timing.lead. Actions due at the current
 * instant wait until all its events have arrived. */
#include "switch/tiled/path.h"

/* The input has messages that arrive later than others sent at the same time. */
static struct tiled_list *late_list(const struct tiled_derived *d, struct tiled_state *s, enum tiled_due kind,
                                    uint32_t in)
{
	struct tiled_port_rest *i = tiled_rest_at(d, s, in);
	return kind == TILED_DUE_ASKS ? &i->asks : &i->grants;
}

__attribute__((noinline)) void tiled_append_late(struct sw_call *call, struct tiled_state *s, enum tiled_due kind,
                                                 uint32_t in, uint32_t packet)
{
	const struct tiled_derived *d = s->derived;
	struct tiled_list *l = late_list(d, s, kind, in);
	struct tiled_packet *p = tiled_packet_at(s, packet), *t;
	sim_save(call->ctx, l, sizeof *l);
	if (l->head == TILED_NONE) {
		l->head = l->tail = packet;
	} else if (sim_likely(tiled_ready(t = tiled_packet_at(s, l->tail)) <= tiled_ready(p))) {
		sim_set(call->ctx, &t->next_message, packet);
		l->tail = packet;
	} else {
		uint32_t *link = &l->head;
		while (tiled_ready(t = tiled_packet_at(s, *link)) <= tiled_ready(p))
			link = &t->next_message;
		p->next_message = *link;
		sim_set(call->ctx, link, packet);
	}
	if (l->head == packet) /* otherwise the list is due already, perhaps overdue: tiled_may_put_off() */
		tiled_want(call, s, kind, in, tiled_ready(p));
}

/* The first of an input's late messages has arrived. */
static void late(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, enum tiled_due kind,
                 uint32_t in)
{
	struct tiled_list *l = late_list(d, s, kind, in);
	uint32_t packet = l->head, next = tiled_packet_at(s, packet)->next_message;
	sim_set(call->ctx, &l->head, next);
	if (next != TILED_NONE)
		tiled_want(call, s, kind, in, tiled_ready(tiled_packet_at(s, next)));
	if (kind == TILED_DUE_ASKS)
		tiled_requested(call, s, packet, tiled_packet_at(s, packet), false);
	else
		tiled_at_tile(call, s, packet, tiled_packet_at(s, packet), false);
}

/* An item of the agenda. */
__attribute__((noinline)) void tiled_decide(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                                            uint32_t number)
{
	const uint32_t *first = d->first;
	if (number >= first[TILED_DUE_CROSSBAR]) {
		uint32_t k = number - first[TILED_DUE_CROSSBAR];
		tiled_crossbar(call, s, k / d->geometry.rows, k % d->geometry.rows);
	} else if (number >= first[TILED_DUE_BUS]) {
		tiled_bus(call, s, number - first[TILED_DUE_BUS]);
	} else if (number >= first[TILED_DUE_GRANT]) {
		tiled_grant(call, s, number - first[TILED_DUE_GRANT]);
	} else if (number >= first[TILED_DUE_GRANTS]) {
		late(call, d, s, TILED_DUE_GRANTS, number - first[TILED_DUE_GRANTS]);
	} else {
		late(call, d, s, TILED_DUE_ASKS, number);
	}
}

static __attribute__((noinline)) void tiled_run_simply(struct sw_call *call, struct tiled_state *s, uint64_t limit)
{
	tiled_run_as(call, s, limit, TILED_SIMPLE);
}

static __attribute__((noinline)) void run(struct sw_call *call, struct tiled_state *s, uint64_t limit)
{
	tiled_run_as(call, s, limit, TILED_ANY);
}

void tiled_run(struct sw_call *call)
{
	struct tiled_state *s = call->state;
	if (s->due >= call->now)
		return;
	if (sim_likely(tiled_is_simple(call, s)))
		tiled_run_simply(call, s, call->now);
	else
		run(call, s, call->now);
}

/* Records may be read when the run is planned to end, and at every multiple of `pauses`: by then all earlier actions
 * must have been executed. Returns when to execute actions that are due at `due` and could otherwise wait until
 * `at`. */
static __attribute__((noinline)) uint64_t before_end(const struct sw_call *call, uint64_t due, uint64_t at)
{
	const struct sw_common *c = call->common;
	if (!c->pauses)
		return at;
	uint64_t end = (due / c->pauses + 1) * c->pauses;
	if (due < c->planned && c->planned < end)
		end = c->planned;
	return due < end && at >= end ? tiled_max(end - 1, call->now) : at;
}

/* Schedules the switch's own event early enough for its first due action. The arrival of a request may be executed
 * later than other actions, because its effect, a grant, reaches the outside later: the packet still has to wait until
 * the grant arrives at its tile. */
void tiled_arm(struct sw_call *call, struct tiled_state *s)
{
	const struct tiled_derived *d = s->derived;
	uint64_t first = tiled_min(sw_agenda_first(tiled_agenda(d, s)), sw_agenda_first(tiled_muxes(d, s)));
	uint64_t due = tiled_min(s->grants_at, sw_agenda_time_of(first)), t = due;
	base_check(s->due <= s->asks_at && (s->due <= t || t >= TILED_TIMES));
	if (s->asks_at < due) {
		due = s->asks_at;
		t = tiled_min(t, due + (d->direct ? d->grant + d->row : 0));
	}
	uint64_t at = t + d->slack;
	if (sim_unlikely(tiled_traced(s)))
		at = before_end(call, due, at);
	if (sim_likely(at >= s->wake_at) || t >= TILED_TIMES)
		return;
	sim_set(call->ctx, &s->wake_at, at);
	struct sim_event *ev =
	    sim_send(call->ctx, call->lp, at, call->host_ops->key(call, TILED_PHASE_WAKE), SIM_SHORT_WORDS);
	ev->kind = TILED_EVENT_WAKE;
	ev->aux = 0;
	ev->payload[0] = 0;
}

void tiled_woken(struct sw_call *call, struct tiled_state *s)
{
	if (s->wake_at == call->now)
		sim_set(call->ctx, &s->wake_at, TILED_NEVER);
	tiled_arm(call, s);
}

/* The last event of its instant. */
void tiled_wake(struct sw_call *call)
{
	struct tiled_state *s = call->state;
	if (sim_likely(tiled_is_simple(call, s)))
		tiled_run_simply(call, s, call->now + 1);
	else
		run(call, s, call->now + 1);
	tiled_woken(call, s);
}

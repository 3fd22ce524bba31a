/* switch/crossbar/heads.h - heads of the crossbar's queues: functions used both on arrivals (heads.c) and in steps
 * (step.c). */
#ifndef SWITCH_CROSSBAR_HEADS_H
#define SWITCH_CROSSBAR_HEADS_H

#include "switch/crossbar/crossbar.h"

/* Chooses the packet's output. */
void xbar_route(struct sw_call *call, const struct xbar *x, struct xbar_state *s, struct xbar_packet *k);
/* Called before VC allocation: packets at heads of queues that may turn (SW_MAY_TURN) and have no lane now turn to the
 * output that the routing gives for this case. */
void xbar_turn_heads(struct sw_call *call, const struct xbar *x, struct xbar_state *s);

/* Schedules the next step of the switch at `when`, unless an earlier one is scheduled. */
static inline void xbar_wake(struct sw_call *call, const struct xbar *x, struct xbar_state *s, uint64_t when)
{
	when = xbar_align(when, x->step);
	if (s->tick_at <= when)
		return;
	sim_set(call->ctx, &s->tick_at, when); /* a later step that was scheduled finds that it has been superseded */
	struct sim_event *ev =
	    sim_send(call->ctx, call->lp, when, call->host_ops->key(call, XBAR_PHASE), SIM_SHORT_WORDS);
	ev->kind = XBAR_TICK;
	ev->aux = 0;
	ev->payload[0] = 0;
}

/* Called when a packet has become the head of its queue at `when`: routes it, unless it was routed on arrival, and sets
 * the stage of the queue. */
XBAR_INLINE void xbar_at_head(struct sw_call *call, const struct xbar *x, struct xbar_state *s,
                              struct xbar_queue *queue, struct xbar_packet *k, uint64_t when)
{
	uint64_t delay = (uint64_t)x->p->routing_delay * x->step;
	if (x->inputs == XBAR_VOQ) { /* routed on arrival, to choose its queue */
		uint64_t routed = k->arrived + delay;
		when = when > routed ? when : routed;
	} else {
		sim_save(call->ctx, k, sizeof *k);
		xbar_route(call, x, s, k);
		when += delay;
	}
	sim_save(call->ctx, queue, sizeof *queue);
	queue->stage = x->inputs == XBAR_VC ? XBAR_WANTS_VC : XBAR_WANTS_SWITCH;
	queue->at = when;
}

#endif

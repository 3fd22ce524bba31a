/* workload/process/goal_play.c - the actions of a rank of a schedule, see goal.h.
 *
 * Sends and computations wait for their processor, in the order in which they became ready; sends, receives and
 * computations that become ready together in this order. A send occupies the processor for nic.overhead_send. A receive
 * does not: the endpoint has handled the message (nic.overhead_receive) before the process receives it, independent of
 * the processor.
 *
 * Messages match in MPI's order: messages of a pair of ranks by the order of their sends, though one may overtake
 * another in the network; those of different sources in the order of arrival. An eager message carries its data; for a
 * longer one only a request is sent at first, and when its receive is posted an answer is returned, after which the
 * data follow. */
#include "workload/process/goal.h"
#include "workload/process/mapping.h"

#include "base/check.h"

#define MOST_PS 1e17 /* of one computation */

/* A message's tag: kind << 62 | number in its pair << 32 | the send. A timer's tag: kind << 32 | operation. */
enum message { MESSAGE_EAGER, MESSAGE_REQUEST, MESSAGE_ANSWER, MESSAGE_DATA };
enum timer { TIMER_PROCESSOR, TIMER_SELF };
#define NUMBER_MASK 0x3fffffffu

struct goal_play {
	const struct wl_process *p;
	const struct goal_shared *s;
	struct net_process_call *call;
	uint32_t r;
	struct goal_rank *rank;
};

#define SET(x, at, value)                                \
	do {                                             \
		net_save((x)->call, (at), sizeof *(at)); \
		*(at) = (value);                         \
	} while (0)

static struct goal_play play_of(const struct wl_process *p, struct net_process_call *call, uint32_t r)
{
	const struct goal_shared *s = goal_shared_of(p);
	return (struct goal_play){ p, s, call, r, &s->rank[r] };
}

/* --- reports for results ------------------------------------------------------------------------------------- */

const char *const goal_calls[] = { "send", "recv", "calc", NULL };

static enum goal_call call_of(const struct goal_play *x, uint32_t i)
{
	unsigned kind = x->s->goal.op[i].kind;
	return kind == WL_GOAL_SEND ? GOAL_CALL_SEND : kind == WL_GOAL_RECV ? GOAL_CALL_RECV : GOAL_CALL_CALC;
}

/* The call that is made for the rank: at its first endpoint. */
static struct net_process_call at_home(const struct goal_play *x)
{
	struct net_process_call call = *x->call;
	call.endpoint = goal_place(x->p, x->r, 0);
	return call;
}

static void tell_begin(const struct goal_play *x, uint32_t i)
{
	struct net_process_call call = at_home(x);
	net_call_begins(&call, call_of(x, i), call.now);
}

static void tell_end(const struct goal_play *x, uint32_t i)
{
	struct net_process_call call = at_home(x);
	net_call_ends(&call, call_of(x, i), call.now);
}

/* A rank computes if any of its processors computes. Otherwise it sends, if one of its processors sends, or if its data
 * are leaving while it does not wait for other ranks. */
static void tell_state(const struct goal_play *x)
{
	const struct wl_goal *g = &x->s->goal;
	const struct goal_cpu *cpu = &x->s->cpu[(size_t)x->r * g->cpus];
	struct net_process_call call = at_home(x);
	enum net_doing what = x->rank->leaving && !x->rank->posted && !x->rank->others ? NET_SENDS : NET_WAITS;
	for (uint32_t c = 0; c < g->cpus && what != NET_COMPUTES; c++)
		if (cpu[c].running)
			what = g->op[cpu[c].running - 1].kind == WL_GOAL_CALC ? NET_COMPUTES : NET_SENDS;
	net_rank_does(&call, what);
	if (x->rank->finished)
		net_rank_ends(&call);
}

/* --- lists ------------------------------------------------------------------------------------------------ */

static void append_to_list(struct goal_play *x, uint32_t *head, uint32_t *last, uint32_t *next, uint32_t at)
{
	uint32_t *from = *last ? &next[*last - 1] : head;
	SET(x, &next[at], 0);
	SET(x, from, at + 1);
	SET(x, last, at + 1);
}

/* Takes `at` (behind `previous`, 0: the first) out; last NULL: the list knows no last. */
static void take_out(struct goal_play *x, uint32_t *head, uint32_t *last, uint32_t *next, uint32_t previous,
                     uint32_t at)
{
	uint32_t *from = previous ? &next[previous - 1] : head;
	SET(x, from, next[at]);
	if (last && *last == at + 1)
		SET(x, last, previous);
}

/* --- operations --------------------------------------------------------------------------------------------- */

static const struct wl_goal_op *op_of(const struct goal_play *x, uint32_t i)
{
	return &x->s->goal.op[i];
}

static bool is_rendezvous(const struct goal_play *x, uint32_t send, uint32_t source)
{
	const struct wl_goal_op *op = op_of(x, send);
	return op->size > x->s->eager && op->peer != source;
}

/* What it releases is looked at by settle_instant(). */
static void finish_operation(struct goal_play *x, uint32_t i)
{
	SET(x, &x->s->met[i], GOAL_DONE);
	tell_end(x, i);
	append_to_list(x, &x->rank->over, &x->rank->over_last, x->s->next_op, i);
}

static uint32_t post(struct goal_play *x, uint32_t send, uint32_t to, enum message kind, uint32_t number,
                     uint64_t bytes)
{
	uint8_t nic = op_of(x, send)->nic;
	struct net_process_call call = *x->call;
	call.endpoint = goal_place(x->p, x->r, nic);
	return net_post(&call, goal_place(x->p, to, nic), bytes ? bytes : 1,
	                (uint64_t)kind << 62 | (uint64_t)(number & NUMBER_MASK) << 32 | send);
}

/* A receive of this rank has got the message of a send, or its request. */
static void match_message(struct goal_play *x, uint32_t recv, uint32_t send, uint32_t source)
{
	if (!is_rendezvous(x, send, source)) {
		finish_operation(x, recv);
		return;
	}
	SET(x, &x->s->next_message[x->s->messages.place[send]], recv + 1);
	SET(x, &x->rank->others, x->rank->others + 1);
	post(x, send, source, MESSAGE_ANSWER, 0, x->s->control);
}

static bool message_fits(const struct goal_play *x, uint32_t recv, uint32_t send, uint32_t source)
{
	const struct wl_goal_op *a = op_of(x, recv), *b = op_of(x, send);
	return (a->peer == WL_GOAL_ANY || a->peer == source) && (a->tag == WL_GOAL_ANY || a->tag == b->tag);
}

static void begin_receive(struct goal_play *x, uint32_t i)
{
	const struct goal_shared *s = x->s;
	uint32_t previous = 0;
	for (uint32_t at = x->rank->arrived; at; previous = at, at = s->next_message[at - 1]) {
		uint32_t send = s->messages.send[at - 1], source = wl_goal_rank_of(&s->goal, send);
		if (!message_fits(x, i, send, source))
			continue;
		take_out(x, &x->rank->arrived, &x->rank->arrived_last, s->next_message, previous, at - 1);
		match_message(x, i, send, source);
		return;
	}
	append_to_list(x, &x->rank->posted, &x->rank->posted_last, s->next_op, i);
}

/* All that it waited for is there. */
static void enter_operation(struct goal_play *x, uint32_t i)
{
	const struct goal_shared *s = x->s;
	const struct wl_goal_op *op = op_of(x, i);
	struct goal_cpu *cpu = &s->cpu[(size_t)x->r * s->goal.cpus + op->cpu];
	SET(x, &s->met[i], GOAL_BEGUN);
	if (op->kind == WL_GOAL_RECV)
		append_to_list(x, &x->rank->entering, &x->rank->entering_last, s->next_op, i);
	else
		append_to_list(x, &cpu->first, &cpu->last, s->next_op, i);
}

static void release_operations(struct goal_play *x, uint32_t from, uint32_t to)
{
	const struct goal_shared *s = x->s;
	for (uint32_t k = from; k < to; k++)
		SET(x, &s->met[s->goal.next[k]], s->met[s->goal.next[k]] + 1);
	for (unsigned kind = WL_GOAL_SEND; kind <= WL_GOAL_CALC; kind++)
		for (uint32_t k = from; k < to; k++) {
			uint32_t i = s->goal.next[k];
			if (op_of(x, i)->kind == kind && s->met[i] == op_of(x, i)->waits)
				enter_operation(x, i);
		}
}

uint64_t goal_duration(const struct goal_shared *s, uint64_t size)
{
	uint64_t ps;
	if (s->whole_unit && !__builtin_mul_overflow(size, s->whole_unit, &ps) && ps < (uint64_t)MOST_PS)
		return ps;
	double t = (double)size * s->unit;
	return t < MOST_PS ? (uint64_t)(t + 0.5) : (uint64_t)MOST_PS;
}

/* The processor begins a send; returns the ps that it is busy. */
static uint64_t begin_send(struct goal_play *x, uint32_t i)
{
	const struct goal_shared *s = x->s;
	const struct wl_goal_op *op = op_of(x, i);
	uint64_t busy = net_overhead_send(x->call);
	if (op->peer == x->r) { /* past the network */
		uint64_t way = busy + net_overhead_receive(x->call);
		net_timer(x->call, x->call->now + (way ? way : 1), (uint64_t)TIMER_SELF << 32 | i);
		return busy;
	}
	bool asks = op->size > s->eager;
	uint32_t *sent = &s->sent[s->pairs.out[i]], number = *sent;
	SET(x, sent, number + 1);
	if (asks)
		SET(x, &x->rank->others, x->rank->others + 1);
	post(x, i, op->peer, asks ? MESSAGE_REQUEST : MESSAGE_EAGER, number, asks ? s->control : op->size);
	return busy;
}

/* The processor is done with it. */
static void leave_processor(struct goal_play *x, uint32_t i)
{
	if (op_of(x, i)->kind != WL_GOAL_SEND || !is_rendezvous(x, i, x->r))
		finish_operation(x, i);
}

/* The next operation of a processor that is free; false: there is none. */
static bool begin_next(struct goal_play *x, struct goal_cpu *cpu)
{
	uint32_t i = cpu->first - 1;
	if (!cpu->first || cpu->running)
		return false;
	take_out(x, &cpu->first, &cpu->last, x->s->next_op, 0, i);
	release_operations(x, op_of(x, i)->mid, op_of(x, i + 1)->first);
	tell_begin(x, i);
	bool sends = op_of(x, i)->kind == WL_GOAL_SEND;
	uint64_t busy = sends ? begin_send(x, i) : goal_duration(x->s, op_of(x, i)->size);
	if (busy) {
		SET(x, &cpu->running, i + 1);
		net_timer_computing(x->call, x->call->now + busy, (uint64_t)TIMER_PROCESSOR << 32 | i,
		                    sends ? 0 : busy);
	} else {
		leave_processor(x, i);
	}
	return true;
}

/* What depends on its start is released before it may match. */
static void enter_receive(struct goal_play *x, uint32_t i)
{
	take_out(x, &x->rank->entering, &x->rank->entering_last, x->s->next_op, 0, i);
	tell_begin(x, i);
	release_operations(x, op_of(x, i)->mid, op_of(x, i + 1)->first);
	begin_receive(x, i);
}

static void leave_endpoint(struct goal_play *x, uint32_t i)
{
	take_out(x, &x->rank->over, &x->rank->over_last, x->s->next_op, 0, i);
	SET(x, &x->rank->done, x->rank->done + 1);
	release_operations(x, op_of(x, i)->first, op_of(x, i)->mid);
}

/* Continues until no event of this instant is left. */
static void settle_instant(struct goal_play *x)
{
	const struct goal_shared *s = x->s;
	const struct wl_goal *g = &s->goal;
	struct goal_rank *rank = x->rank;
	struct goal_cpu *cpu = &s->cpu[(size_t)x->r * g->cpus];
	for (bool more = true; more;) {
		while (rank->entering || rank->over) {
			uint32_t i = (rank->entering ? rank->entering : rank->over) - 1;
			if (rank->entering)
				enter_receive(x, i);
			else
				leave_endpoint(x, i);
		}
		more = false;
		for (uint32_t c = 0; c < g->cpus; c++)
			more |= begin_next(x, &cpu[c]);
	}
	if (rank->finished)
		return;
	if (rank->done == g->first_op[x->r + 1] - g->first_op[x->r]) {
		SET(x, &rank->finished, 1);
		net_finished(x->call);
	}
	tell_state(x);
}

/* --- messages --------------------------------------------------------------------------------------------- */

/* It is the next one of its pair. */
static void accept_message(struct goal_play *x, uint32_t send, uint32_t source)
{
	const struct goal_shared *s = x->s;
	uint32_t previous = 0;
	for (uint32_t at = x->rank->posted; at; previous = at, at = s->next_op[at - 1]) {
		if (!message_fits(x, at - 1, send, source))
			continue;
		take_out(x, &x->rank->posted, &x->rank->posted_last, s->next_op, previous, at - 1);
		match_message(x, at - 1, send, source);
		return;
	}
	append_to_list(x, &x->rank->arrived, &x->rank->arrived_last, s->next_message, s->messages.place[send]);
}

/* The message of a pair that has come too early before, and is next now; 0: none, else its place + 1. */
static uint32_t next_early(struct goal_play *x, uint32_t pair, uint32_t *previous)
{
	const struct goal_shared *s = x->s;
	*previous = 0;
	for (uint32_t at = x->rank->early; at; *previous = at, at = s->next_message[at - 1])
		if (s->pairs.in[s->messages.send[at - 1]] == pair && s->come[at - 1] - 1 == s->expected[pair])
			return at;
	return 0;
}

/* An eager message, or the request of a longer one. */
static void arrive(struct goal_play *x, uint32_t send, uint32_t source, uint32_t number)
{
	const struct goal_shared *s = x->s;
	uint32_t place = s->messages.place[send], pair = s->pairs.in[send], previous;
	if (s->come[place])
		return; /* of an impossible past */
	number = s->expected[pair] + ((number - s->expected[pair]) & NUMBER_MASK);
	SET(x, &s->come[place], number + 1);
	if (number != s->expected[pair]) {
		SET(x, &s->next_message[place], x->rank->early);
		SET(x, &x->rank->early, place + 1);
		return;
	}
	accept_message(x, send, source);
	SET(x, &s->expected[pair], number + 1);
	for (uint32_t at; x->rank->early && (at = next_early(x, pair, &previous));) {
		take_out(x, &x->rank->early, NULL, s->next_message, previous, at - 1);
		accept_message(x, s->messages.send[at - 1], source);
		SET(x, &s->expected[pair], s->expected[pair] + 1);
	}
}

/* The receive of a long message is there: its data follow. */
static void answered(struct goal_play *x, uint32_t send)
{
	const struct goal_shared *s = x->s;
	const struct wl_goal_op *op = op_of(x, send);
	if (s->met[send] != GOAL_BEGUN || s->number[send])
		return; /* of an impossible past */
	SET(x, &x->rank->others, x->rank->others - 1);
	SET(x, &s->number[send], 1 + post(x, send, op->peer, MESSAGE_DATA, 0, op->size));
	SET(x, &s->next_op[send], x->rank->leaving);
	SET(x, &x->rank->leaving, send + 1);
}

static void data_came(struct goal_play *x, uint32_t send)
{
	const struct wl_goal *g = &x->s->goal;
	uint32_t *match = &x->s->next_message[x->s->messages.place[send]], recv = *match - 1;
	if (recv < g->first_op[x->r] || recv >= g->first_op[x->r + 1] || g->op[recv].kind != WL_GOAL_RECV ||
	    x->s->met[recv] != GOAL_BEGUN)
		return; /* of an impossible past */
	SET(x, match, 0);
	SET(x, &x->rank->others, x->rank->others - 1);
	finish_operation(x, recv);
}

void goal_delivered(const struct wl_process *p, struct net_process_call *call, uint32_t me, const struct net_message *m)
{
	const struct goal_shared *s = goal_shared_of(p);
	const struct wl_goal *g = &s->goal;
	uint32_t send = (uint32_t)m->tag, number = (uint32_t)(m->tag >> 32) & NUMBER_MASK, r = goal_rank_at(p, me);
	uint32_t source = goal_rank_at(p, wl_process_member(p, m->peer));
	struct goal_play x = play_of(p, call, r);
	switch ((enum message)(m->tag >> 62)) {
	case MESSAGE_EAGER:
	case MESSAGE_REQUEST:
		arrive(&x, send, source, number);
		break;
	case MESSAGE_ANSWER:
		answered(&x, send);
		break;
	case MESSAGE_DATA:
		data_came(&x, send);
		break;
	}
	base_check(r < g->ranks && source < g->ranks);
	settle_instant(&x);
}

/* The last bit of a message has left: if it was a long one's data the send is over. */
void goal_sent(const struct wl_process *p, struct net_process_call *call, uint32_t me, const struct net_message *m)
{
	const struct goal_shared *s = goal_shared_of(p);
	struct goal_play x = play_of(p, call, goal_rank_at(p, me));
	uint32_t previous = 0;
	for (uint32_t at = x.rank->leaving; at; previous = at, at = s->next_op[at - 1]) {
		if (s->number[at - 1] != m->number + 1 || goal_place(p, x.r, s->goal.op[at - 1].nic) != call->endpoint)
			continue;
		take_out(&x, &x.rank->leaving, NULL, s->next_op, previous, at - 1);
		finish_operation(&x, at - 1);
		settle_instant(&x);
		return;
	}
}

void goal_timer(const struct wl_process *p, struct net_process_call *call, uint32_t me, uint64_t what)
{
	const struct goal_shared *s = goal_shared_of(p);
	struct goal_play x = play_of(p, call, goal_rank_at(p, me));
	uint32_t i = (uint32_t)what;
	const struct wl_goal_op *op = op_of(&x, i);
	struct goal_cpu *cpu = &s->cpu[(size_t)x.r * s->goal.cpus + op->cpu];
	if (what >> 32 == TIMER_SELF) {
		SET(&x, &s->come[s->messages.place[i]], 1);
		accept_message(&x, i, x.r);
	} else {
		base_checkf(cpu->running == i + 1, "rank %u: processor %u is at operation %u, not %u", x.r, op->cpu,
		            cpu->running - 1, i);
		SET(&x, &cpu->running, 0);
		leave_processor(&x, i);
	}
	settle_instant(&x);
}

void goal_start(const struct wl_process *p, struct net_process_call *call, uint32_t me)
{
	const struct goal_shared *s = goal_shared_of(p);
	const struct wl_goal *g = &s->goal;
	uint32_t r = goal_rank_at(p, me);
	if (r == WL_NO_RANK || me != s->member_of[r]) { /* there is nothing to do here, but what its rank says */
		if (r != WL_NO_RANK)
			net_rank_joins(call, r);
		net_finished(call);
		return;
	}
	struct goal_play x = play_of(p, call, r);
	net_rank_begins(call, r);
	for (unsigned kind = WL_GOAL_SEND; kind <= WL_GOAL_CALC; kind++)
		for (uint32_t i = g->first_op[r]; i < g->first_op[r + 1]; i++)
			if (g->op[i].kind == kind && !g->op[i].waits && !s->met[i])
				enter_operation(&x, i);
	settle_instant(&x);
}

/* network/nic/message.c - a message between its process and the NIC that sends it, or that has received it.
 *
 * On its way it takes `nic.latency` in the interface, and its endpoint, which does one thing at a time in the order in
 * which it is asked to, is busy for an overhead (o of LogP: Culler et al., PPoPP 1993). Sending: overhead, then
 * latency. Receiving: latency, then overhead.
 *
 * In a node of several interfaces a process is at the first one, its home. Between it and another interface a message
 * is an event for that one's switch, nic.latency later, which is a lookahead at least: net_nodes_check(). */
#include "base/units.h"
#include "network/nic/node.h"

#define POST_INLINE static inline __attribute__((always_inline))

/* The interface of both nodes, by their processes' places at the homes, that a message takes. */
static uint32_t choose_nic(const struct net *n, uint32_t from, uint32_t to, uint32_t number)
{
	const struct topo_nodes *x = &n->nodes;
	if (n->config->nic.choose != NET_NIC_BY_PAIR)
		return (number + net_place_number(n, from)) %
		       x->nics; /* processes of a node begin with different ones */
	return (topo_node_of(x, net_place_endpoint(n, from)) + net_place_number(n, from) +
	        topo_node_of(x, net_place_endpoint(n, to)) + net_place_number(n, to)) %
	       x->nics;
}

int net_nodes_check(struct net *n, struct base_errors *errors)
{
	uint64_t latency = n->config->nic.latency;
	char least[48], given[48];
	if (topo_nodes_set(&n->nodes, &n->topo, (uint32_t)n->config->nic.per_node, "nic.per_node", errors))
		return -1;
	if (!net_has_nodes(n) || latency >= n->lookahead)
		return 0;
	base_print_quantity(BASE_TIME, latency, given, sizeof given);
	base_print_quantity(BASE_TIME, n->lookahead, least, sizeof least);
	return base_errorf(
	    errors, "nic.latency",
	    "%s is too short with nic.per_node: the interfaces of a node are at different switches, so the latency "
	    "between them and its processes must be at least the minimum latency of a cable%s, %s",
	    given, n->common.ops->timing.lead ? " plus the lookahead of the switch" : "", least);
}

enum handled { HANDLED_SENT, HANDLED_COME, HANDLED_RECEIVED };

struct handled_message {
	uint32_t peer, number; /* peer: the place of the other process */
	uint64_t bytes, tag, posted;
	uint32_t seq;
	uint8_t job;
	uint8_t what : 4, held : 4; /* enum handled; of one that is sent: enum net_held_message */
	uint16_t process;           /* number of this process at its endpoint */
};
_Static_assert(sizeof(struct handled_message) == 8 * SIM_LONG_WORDS, "fits an event");

static void handle_until(struct sim_ctx *ctx, struct net_lp *lp, struct net_terminal at, uint64_t when,
                         const struct handled_message *m)
{
	struct sim_event *ev = sim_send(ctx, at.lp, when, net_next_key(ctx, lp, NET_PHASE_CREDIT), SIM_LONG_WORDS);
	ev->kind = NET_HANDLED;
	ev->aux = at.terminal;
	*(struct handled_message *)(void *)ev->payload = *m;
}

/* When the endpoint, or of several processes there this one, has done so much more. */
static uint64_t occupy_process(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_local at,
                               uint64_t overhead)
{
	uint64_t *busy = &net_nic_at(n, lp, at.terminal)->busy;
	if (net_has_places(n))
		busy = &net_core_at(n, lp, at.terminal, at.number)->busy;
	uint64_t done = (*busy > ctx->now ? *busy : ctx->now) + overhead;
	if (overhead)
		sim_set(ctx, busy, done);
	return done;
}

static struct net_held held_message(const struct handled_message *m)
{
	return (struct net_held){ .next = SW_POOL_NONE,
		                  .seq = m->seq,
		                  .left = m->bytes,
		                  .bytes = m->bytes,
		                  .job = m->job,
		                  .message = m->held,
		                  .from = m->process,
		                  .peer = m->peer,
		                  .number = m->number,
		                  .tag = m->tag,
		                  .created = m->posted };
}

/* Where endpoints have several processes. */
static __attribute__((noinline)) void give_to_node(struct net *n, struct sim_ctx *ctx, struct net_lp *lp,
                                                   uint32_t terminal, const struct net_held *h)
{
	if (net_stays_inside(n, lp->first_endpoint + terminal, h->peer))
		net_node_post(n, ctx, lp, terminal, h);
	else if (n->nic.in_line)
		net_line_post(n, ctx, lp, terminal, h);
	else
		net_nic_post(n, ctx, lp, terminal, net_place_endpoint(n, h->peer), h);
}

POST_INLINE void give_to_nic(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                             const struct handled_message *m)
{
	struct net_held h = held_message(m);
	if (sim_unlikely(net_has_places(n)))
		give_to_node(n, ctx, lp, terminal, &h);
	else
		net_nic_post(n, ctx, lp, terminal, m->peer, &h);
}

/* One that has come through the network, to a process of `endpoint`. */
static void count_message(struct net *n, struct sim_ctx *ctx, uint32_t endpoint, const struct handled_message *h)
{
	net_count_message(n, ctx, h->job, h->posted, ctx->now);
	if (sim_unlikely(n->config->record.messages))
		net_message_whole(n, ctx,
		                  &(struct net_late_whole){ .at = ctx->now,
		                                            .job = h->job,
		                                            .start = h->posted,
		                                            .bytes = h->bytes,
		                                            .src = net_place_endpoint(n, h->peer),
		                                            .dst = endpoint,
		                                            .seq = h->seq });
}

static void give_to_process(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                            const struct handled_message *h)
{
	struct net_local at = { terminal, h->process };
	struct net_process_call call = net_process_call_of(n, ctx, lp, at, h->job, NET_BY_MESSAGE, h->peer, h->number);
	struct net_message m = { h->peer, h->number, h->bytes, h->tag, h->posted };
	if (sim_unlikely(net_stays_inside(n, lp->first_endpoint + terminal, h->peer)))
		net_node_delivered(n, ctx, h->job, call.endpoint, &m);
	else
		count_message(n, ctx, lp->first_endpoint + terminal, h);
	n->traffic.process->delivered(&n->traffic, &call, &m);
}

/* It has come out of the interface. */
static void receive_message(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                            struct handled_message *m)
{
	struct net_local to = { terminal, m->process };
	uint64_t at = occupy_process(n, ctx, lp, to, n->config->nic.overhead_receive);
	m->what = HANDLED_RECEIVED;
	if (at > ctx->now)
		handle_until(ctx, lp, net_terminal_here(n, terminal), at, m);
	else
		give_to_process(n, ctx, lp, terminal, m);
}

void net_message_received(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct net_coming *whole)
{
	struct handled_message m = { .peer = net_place(n, topo_home_of(&n->nodes, whole->src), net_coming_from(whole)),
		                     .process = (uint16_t)net_coming_to(whole),
		                     .number = whole->number,
		                     .bytes = whole->bytes,
		                     .tag = whole->tag,
		                     .posted = whole->posted,
		                     .seq = whole->first,
		                     .job = whole->job,
		                     .what = HANDLED_COME };
	uint32_t home = topo_home_of(&n->nodes, lp->first_endpoint + whole->terminal);
	struct net_terminal to = net_has_nodes(n) ? net_terminal_of(n, home) : net_terminal_here(n, whole->terminal);
	if (net_has_nodes(n) || n->config->nic.latency)
		handle_until(ctx, lp, to, ctx->now + n->config->nic.latency, &m);
	else
		receive_message(n, ctx, lp, whole->terminal, &m);
}

void net_message_copied(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                        const struct net_held *h)
{
	const struct net_process_ops *ops = n->traffic.process;
	struct net_local from = { terminal, h->from };
	uint64_t latency = n->config->node.latency;
	struct handled_message come = { .peer = net_local_place(n, lp, from),
		                        .number = h->number,
		                        .bytes = h->bytes,
		                        .tag = h->tag,
		                        .posted = h->created,
		                        .job = h->job,
		                        .what = HANDLED_COME,
		                        .process = (uint16_t)net_place_number(n, h->peer) };
	if (ops->wants_acknowledged(&n->traffic, h->job)) {
		const struct net_message m = { 0, h->number, h->bytes, h->tag, h->created };
		net_message_notify(n, ctx, lp, come.peer, h->peer, ctx->now + 2 * latency, &m, h->job);
	}
	if (latency)
		handle_until(ctx, lp, net_terminal_here(n, terminal), ctx->now + latency, &come);
	else
		receive_message(n, ctx, lp, terminal, &come);
	if (h->message == NET_HELD_BLOCKING || ops->wants_sent(&n->traffic, h->job))
		net_process_left(n, ctx, lp, from, h->job, h->number);
}

void net_message_handled(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	struct handled_message m = *(const struct handled_message *)(const void *)ev->payload;
	if (m.what == HANDLED_SENT)
		give_to_nic(n, ctx, lp, ev->aux, &m);
	else if (m.what == HANDLED_COME)
		receive_message(n, ctx, lp, ev->aux, &m);
	else
		give_to_process(n, ctx, lp, ev->aux, &m);
}

uint32_t net_message_unposted(const struct net *n, const struct sim_event *ev, uint32_t *job)
{
	const struct handled_message *m = (const struct handled_message *)(const void *)ev->payload;
	uint32_t packet = n->traffic.job[m->job].max_packet;
	uint32_t endpoint = topo_first_endpoint(&n->topo, net_switch_of(n, ev->lp)) + ev->aux;
	*job = m->job;
	if (m->what != HANDLED_SENT || net_stays_inside(n, endpoint, m->peer))
		return 0;
	return (uint32_t)((m->bytes + packet - 1) / packet);
}

uint32_t net_message_job(const struct sim_event *ev)
{
	switch (ev->kind) {
	case NET_TIMER:
		return ev->payload[0] & 0xff;
	case NET_HANDLED:
		return ((const struct handled_message *)(const void *)ev->payload)->job;
	case NET_MESSAGE:
		return (uint8_t)(ev->payload[1] >> 32);
	case NET_COMPLETE:
		return ((const struct sw_packet *)(const void *)ev->payload)->job;
	default:
		return UINT32_MAX;
	}
}

/* --- posting ------------------------------------------------------------------------------------------------- */

/* The process at a terminal has posted a message, which its endpoint has handled at `ready`, for the interface `nic` of
 * its node. */
POST_INLINE void post_to_nic(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t nic,
                             uint64_t ready, const struct handled_message *m)
{
	uint64_t at = ready + n->config->nic.latency, now = ctx->now;
	if (sim_unlikely(net_stays_inside(n, lp->first_endpoint + terminal, m->peer)))
		at = ready;
	if (nic) {
		uint32_t endpoint = topo_nic_at(&n->nodes, lp->first_endpoint + terminal, nic);
		at = at > now + n->config->nic.latency ? at : now + n->config->nic.latency;
		handle_until(ctx, lp, net_terminal_of(n, endpoint), at, m);
	} else if (at > now) {
		handle_until(ctx, lp, net_terminal_here(n, terminal), at, m);
	} else {
		give_to_nic(n, ctx, lp, terminal, m);
	}
}

/* How a message is sent, by nic.order. */
static enum net_send order_of(const struct net *n, enum net_send how)
{
	switch ((enum net_nic_order)n->config->nic.order) {
	case NET_NIC_BLOCKING:
		return how;
	case NET_NIC_FIFO:
		return NET_SEND_BLOCKS;
	case NET_NIC_ROUND_ROBIN:
		break;
	}
	return NET_SEND_FREE;
}

static __attribute__((noinline)) void wait_behind(struct net *n, struct sim_ctx *ctx, struct net_lp *lp,
                                                  struct net_process *p, uint32_t nic, uint64_t ready,
                                                  const struct handled_message *m)
{
	struct net_held h = held_message(m);
	h.ready = ready;
	h.nic = nic;
	net_behind_add(n, ctx, lp, p, &h);
}

void net_message_let_go(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, struct net_process *p)
{
	struct net_held h;
	p->blocking = 0;
	while (!p->blocking && net_behind_take(n, ctx, lp, p, &h)) {
		const struct handled_message m = { .peer = h.peer,
			                           .number = h.number,
			                           .bytes = h.bytes,
			                           .tag = h.tag,
			                           .posted = h.created,
			                           .seq = h.seq,
			                           .job = h.job,
			                           .what = HANDLED_SENT,
			                           .held = h.message & 15u,
			                           .process = h.from };
		if (h.message == NET_HELD_BLOCKING)
			p->blocking = h.number + 1;
		post_to_nic(n, ctx, lp, terminal, h.nic, h.ready, &m);
	}
}

/* Is there a process of the job? At homes, where nodes have several interfaces. `each`: places at an endpoint. */
POST_INLINE bool is_place(const struct net *n, const struct net_traffic_job *job, uint32_t place, uint32_t each)
{
	uint32_t endpoint = net_each_endpoint(each, place);
	return endpoint < n->topo.endpoints && net_each_number(each, place) < (each == 1 ? 1 : job->per_endpoint) &&
	       !(net_has_nodes(n) && topo_nic_of(&n->nodes, endpoint));
}

/* Packets are numbered by endpoint and job, whichever of its processes there sends them: by the first one, *p or not,
 * which is saved. Returns the first number. */
POST_INLINE uint32_t number_packets(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_local at,
                                    uint32_t job, struct net_process *p, uint64_t packets)
{
	if (sim_unlikely(at.number)) {
		p = net_process_at(n, lp, at.terminal, 0, job);
		sim_save(ctx, p, sizeof *p);
	}
	uint32_t first = p->packets;
	p->packets += (uint32_t)packets;
	return first;
}

static __attribute__((noinline)) uint32_t refuse_message(struct net_process_call *call, uint32_t destination,
                                                         uint64_t bytes, uint64_t packets)
{
	const struct net *n = call->host;
	const struct net_traffic_job *job = &n->traffic.job[call->job];
	if (packets > UINT32_MAX / 2 && !job->process->loaded) {
		net_process_wrong(call,
		                  "endpoint %u posts a message of %llu bytes in packets of %u bytes, which makes more "
		                  "than 2^31 - 1 packets",
		                  net_place_endpoint(n, call->endpoint), (unsigned long long)bytes, job->max_packet);
		return NET_NO_MESSAGE;
	}
	base_checkf(job->process->loaded, "endpoint %u posts %llu bytes for %u", call->endpoint,
	            (unsigned long long)bytes, destination);
	base_refute(job->process,
	            "at endpoint %u the process posts a message of %llu bytes for endpoint %u, which is not possible",
	            call->endpoint, (unsigned long long)bytes, destination);
	return NET_NO_MESSAGE;
}

/* each: n->processes.places, or the constant 1. */
POST_INLINE uint32_t post_message(struct net_process_call *call, enum net_send how, uint32_t destination,
                                  uint64_t bytes, uint64_t tag, uint32_t each)
{
	struct net *n = call->host;
	struct sim_ctx *ctx = call->ctx;
	struct net_lp *lp = call->lp;
	const struct net_traffic_job *job = &n->traffic.job[call->job];
	struct net_local at = { net_each_endpoint(each, call->endpoint) - lp->first_endpoint,
		                net_each_number(each, call->endpoint) };
	struct net_process *p = net_process_at(n, lp, at.terminal, at.number, call->job);
	uint64_t packets = bytes / job->max_packet + (bytes % job->max_packet != 0);
	if (sim_unlikely(!bytes || packets > UINT32_MAX / 2 || !is_place(n, job, destination, each) ||
	                 destination == call->endpoint))
		return refuse_message(call, destination, bytes, packets);
	if (call->now >= job->end)
		return NET_NO_MESSAGE;
	struct handled_message m = { .peer = destination,
		                     .number = p->messages,
		                     .bytes = bytes,
		                     .tag = tag,
		                     .posted = call->now,
		                     .job = (uint8_t)call->stream,
		                     .what = HANDLED_SENT,
		                     .held = NET_HELD_MESSAGE,
		                     .process = (uint16_t)at.number };
	uint64_t ready = occupy_process(n, ctx, lp, at, n->config->nic.overhead_send);
	sim_save(ctx, p, sizeof *p); /* it may be another endpoint's than the one that was called */
	uint32_t nic = 0;
	if (each > 1 && net_stays_inside(n, lp->first_endpoint + at.terminal, destination)) {
		net_node_posted(n, ctx, m.job);
	} else {
		m.seq = number_packets(n, ctx, lp, at, call->job, p, packets);
		net_count_posted(n, ctx, m.job, call->now, packets, bytes);
		if (net_has_nodes(n)) {
			nic = choose_nic(n, call->endpoint, destination, p->messages);
			m.peer = destination + nic * n->nodes.endpoints * each;
		}
	}
	how = order_of(n, how);
	if (how == NET_SEND_BLOCKS)
		m.held = NET_HELD_BLOCKING;
	if (sim_unlikely(p->blocking) && how != NET_SEND_FREE) {
		wait_behind(n, ctx, lp, p, nic, ready, &m);
	} else {
		if (how == NET_SEND_BLOCKS)
			p->blocking = m.number + 1;
		post_to_nic(n, ctx, lp, at.terminal, nic, ready, &m);
	}
	if (sim_unlikely(n->config->record.path))
		net_step(call, NET_STEP_MESSAGE, p->messages, 0);
	return p->messages++;
}

static __attribute__((noinline)) uint32_t post_among_places(struct net_process_call *call, enum net_send how,
                                                            uint32_t destination, uint64_t bytes, uint64_t tag)
{
	return post_message(call, how, destination, bytes, tag, ((const struct net *)call->host)->processes.places);
}

uint32_t net_post_as(struct net_process_call *call, enum net_send how, uint32_t destination, uint64_t bytes,
                     uint64_t tag)
{
	if (sim_unlikely(net_has_places(call->host)))
		return post_among_places(call, how, destination, bytes, tag);
	return post_message(call, how, destination, bytes, tag, 1);
}

uint32_t net_post(struct net_process_call *call, uint32_t destination, uint64_t bytes, uint64_t tag)
{
	return net_post_as(call, NET_SEND_BEHIND, destination, bytes, tag);
}

/* network/nic/message.c - messages of processes: posted, announced, put together, reported.
 *
 * A packet says which process sent it and its number there. What message it is of, how long that is, and its tag, the
 * receiver is notified beforehand by an event that is no packet: the first packet's header would say it. That event
 * comes a lookahead after the first packet began to leave, so before any of them can be there. */
#include "network/nic/nic.h"

#include "base/units.h"

#include <stdarg.h>
#include <stdio.h>

enum { TIMER_OF_PROCESS, TIMER_START, TIMER_SENT };

uint32_t net_slot_of(const struct net *n, struct net_endpoint *e, uint32_t job)
{
	const uint8_t *jobs = net_source_jobs(n, e);
	uint32_t k = 0;
	while (k < e->jobs && jobs[k] != job)
		k++;
	return k;
}

struct net_process *net_process_at(const struct net *n, const struct net_lp *lp, uint32_t terminal, uint32_t job)
{
	uint32_t slot = net_slot_of(n, net_endpoint_at(n, lp, terminal), job);
	unsigned char *first = n->lp_memory + net_index(n, lp) * n->stride + n->processes.at;
	base_checkf(slot < n->endpoints.sources, "job %u has no process at switch %u, terminal %u", job, lp->id,
	            terminal);
	return (struct net_process *)(void *)(first +
	                                      ((size_t)terminal * n->endpoints.sources + slot) * n->processes.bytes);
}

/* --- nodes with several interfaces -------------------------------------------------------------------------- */

/* A process is at its node's first interface, its home. What goes between it and another interface is an event for that
 * one's switch, nic.latency later, which is a lookahead at least: net_nodes_check(). */
static inline bool has_nodes(const struct net *n)
{
	return n->nodes.nics > 1;
}

/* The interface of both nodes, by their homes, that a message takes. */
static uint32_t choose_nic(const struct net *n, uint32_t from, uint32_t to, uint32_t number)
{
	const struct topo_nodes *x = &n->nodes;
	bool by_pair = n->config->nic.choose == NET_NIC_BY_PAIR;
	return (by_pair ? topo_node_of(x, from) + topo_node_of(x, to) : number) % x->nics;
}

/* Where an endpoint's events go. */
struct place {
	uint32_t lp;
	uint16_t terminal;
};

static struct place place_of(const struct net *n, uint32_t endpoint)
{
	topo_switch s = topo_switch_of(&n->topo, endpoint);
	return (struct place){ net_lp_of(n, s), (uint16_t)(endpoint - topo_first_endpoint(&n->topo, s)) };
}

/* One of the switch whose event is handled. */
static struct place here(const struct net *n, uint32_t terminal)
{
	return (struct place){ n->call.lp, (uint16_t)terminal };
}

int net_nodes_check(struct net *n, struct base_errors *errors)
{
	uint64_t latency = n->config->nic.latency;
	char least[48], given[48];
	if (topo_nodes_set(&n->nodes, &n->topo, (uint32_t)n->config->nic.per_node, "nic.per_node", errors))
		return -1;
	if (!has_nodes(n) || latency >= n->lookahead)
		return 0;
	base_print_quantity(BASE_TIME, latency, given, sizeof given);
	base_print_quantity(BASE_TIME, n->lookahead, least, sizeof least);
	return base_errorf(errors, "nic.latency",
	                   "%s is too short with nic.per_node: a node's interfaces are at different switches, and what "
	                   "it takes between them and its processes is at least the least latency of a cable%s, %s",
	                   given, n->common.ops->timing.lead ? " and what the switch knows ahead" : "", least);
}

/* A call of the process, whose state is saved. `number` is of what caused it, and `by` an endpoint. */
static struct net_process_call call_of(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                                       uint32_t job, enum net_cause_kind kind, uint32_t by, uint32_t number)
{
	struct net_process *p = net_process_at(n, lp, terminal, job);
	sim_save(ctx, p, n->processes.bytes);
	return (struct net_process_call){ .now = ctx->now,
		                          .job = job,
		                          .endpoint = lp->first_endpoint + terminal,
		                          .state = p + 1,
		                          .undoable = ctx->journal,
		                          .host = n,
		                          .ctx = ctx,
		                          .lp = lp,
		                          .cause = { kind, by, number } };
}

/* --- what an endpoint does with a message, besides sending it ---------------------------------------------- */

/* A message is on its way between a process and the NIC: `latency` in the interface, and its endpoint, which does one
 * thing at a time in the order in which it is asked to, is busy for an overhead (o of LogP: Culler et al., PPoPP 1993).
 * Sending: overhead, then latency. Receiving: latency, then overhead. */
enum handled { HANDLED_SENT, HANDLED_COME, HANDLED_RECEIVED };

struct handled_message {
	uint32_t peer, number;
	uint64_t bytes, tag, posted;
	uint32_t seq;
	uint8_t job, what; /* enum handled */
	uint8_t held;      /* of one that is sent: enum net_held_message */
	uint8_t spare;
};
_Static_assert(sizeof(struct handled_message) == 8 * SIM_LONG_WORDS, "fits an event");

static void handle_until(struct sim_ctx *ctx, struct net_lp *lp, struct place at, uint64_t when,
                         const struct handled_message *m)
{
	struct sim_event *ev = sim_send(ctx, at.lp, when, net_next_key(ctx, lp, NET_PHASE_CREDIT), SIM_LONG_WORDS);
	ev->kind = NET_HANDLED;
	ev->aux = at.terminal;
	*(struct handled_message *)(void *)ev->payload = *m;
}

/* When the endpoint has done so much more. */
static uint64_t work(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint64_t overhead)
{
	struct net_nic *nic = net_nic_at(n, lp, terminal);
	uint64_t done = (nic->busy > ctx->now ? nic->busy : ctx->now) + overhead;
	if (overhead)
		sim_set(ctx, &nic->busy, done);
	return done;
}

static void give_to_nic(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                        const struct handled_message *m)
{
	struct net_held h = { .next = SW_POOL_NONE,
		              .seq = m->seq,
		              .left = m->bytes,
		              .bytes = m->bytes,
		              .job = m->job,
		              .message = m->held,
		              .number = m->number,
		              .tag = m->tag,
		              .created = m->posted };
	net_nic_post(n, ctx, lp, terminal, m->peer, &h);
}

static void give_to_process(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                            const struct handled_message *h)
{
	struct net_process_call call = call_of(n, ctx, lp, terminal, h->job, NET_BY_MESSAGE, h->peer, h->number);
	struct net_message m = { h->peer, h->number, h->bytes, h->tag, h->posted };
	net_count_message(n, ctx, h->job, h->posted, ctx->now);
	n->traffic.process->delivered(&n->traffic, &call, &m);
}

/* It has come out of the interface. */
static void receive(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, struct handled_message *m)
{
	uint64_t at = work(n, ctx, lp, terminal, n->config->nic.overhead_receive);
	m->what = HANDLED_RECEIVED;
	if (at > ctx->now)
		handle_until(ctx, lp, here(n, terminal), at, m);
	else
		give_to_process(n, ctx, lp, terminal, m);
}

void net_message_handled(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	struct handled_message m = *(const struct handled_message *)(const void *)ev->payload;
	if (m.what == HANDLED_SENT)
		give_to_nic(n, ctx, lp, ev->aux, &m);
	else if (m.what == HANDLED_COME)
		receive(n, ctx, lp, ev->aux, &m);
	else
		give_to_process(n, ctx, lp, ev->aux, &m);
}

uint32_t net_message_unposted(const struct net *n, const struct sim_event *ev, uint32_t *job)
{
	const struct handled_message *m = (const struct handled_message *)(const void *)ev->payload;
	uint32_t packet = n->traffic.job[m->job].max_packet;
	*job = m->job;
	return m->what == HANDLED_SENT ? (uint32_t)((m->bytes + packet - 1) / packet) : 0;
}

uint32_t net_message_job(const struct sim_event *ev)
{
	switch (ev->kind) {
	case NET_TIMER:
		return ev->payload[0] & 0xff;
	case NET_HANDLED:
		return ((const struct handled_message *)(const void *)ev->payload)->job;
	case NET_MESSAGE:
		return (uint32_t)(ev->payload[1] >> 32);
	case NET_COMPLETE:
		return ((const struct sw_packet *)(const void *)ev->payload)->job;
	default:
		return UINT32_MAX;
	}
}

/* --- what processes call ------------------------------------------------------------------------------------ */

void net_process_wrong(struct net_process_call *call, const char *fmt, ...)
{
	struct net *n = call->host;
	char text[300];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	n->wrong = true; /* in a past that will not be, too: it says why, if the run fails */
	sim_violation(call->ctx, "%s", text);
}

/* The process at a terminal has posted a message, which its endpoint has handled at `ready`, for the interface `nic` of
 * its node. */
static void hand_over(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t nic,
                      uint64_t ready, const struct handled_message *m)
{
	uint64_t at = ready + n->config->nic.latency, now = ctx->now;
	if (nic) {
		uint32_t endpoint = topo_nic_at(&n->nodes, lp->first_endpoint + terminal, nic);
		at = at > now + n->config->nic.latency ? at : now + n->config->nic.latency;
		handle_until(ctx, lp, place_of(n, endpoint), at, m);
	} else if (at > now) {
		handle_until(ctx, lp, here(n, terminal), at, m);
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
	const struct net_held h = { .seq = m->seq,
		                    .bytes = m->bytes,
		                    .left = m->bytes,
		                    .created = m->posted,
		                    .tag = m->tag,
		                    .number = m->number,
		                    .job = m->job,
		                    .message = m->held,
		                    .ready = ready,
		                    .peer = m->peer,
		                    .nic = nic };
	net_behind_add(n, ctx, lp, p, &h);
}

/* A blocking message of the process, which is saved, has left: what waits behind it goes on. */
static void let_go(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, struct net_process *p)
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
			                           .held = h.message };
		if (h.message == NET_HELD_BLOCKING)
			p->blocking = h.number + 1;
		hand_over(n, ctx, lp, terminal, h.nic, h.ready, &m);
	}
}

uint32_t net_post_as(struct net_process_call *call, enum net_send how, uint32_t destination, uint64_t bytes,
                     uint64_t tag)
{
	struct net *n = call->host;
	struct sim_ctx *ctx = call->ctx;
	struct net_lp *lp = call->lp;
	const struct net_traffic_job *job = &n->traffic.job[call->job];
	uint32_t terminal = call->endpoint - lp->first_endpoint;
	struct net_process *p = net_process_at(n, lp, terminal, call->job);
	uint64_t packets = bytes / job->max_packet + (bytes % job->max_packet != 0);
	if (sim_unlikely(packets > UINT32_MAX / 2 && !job->process->loaded)) {
		net_process_wrong(
		    call, "endpoint %u posts a message of %llu bytes in packets of %u: more than 2^31 - 1 packets",
		    call->endpoint, (unsigned long long)bytes, job->max_packet);
		return NET_NO_MESSAGE;
	}
	if (sim_unlikely(!bytes || packets > UINT32_MAX / 2 || destination >= n->topo.endpoints ||
	                 destination == call->endpoint || (has_nodes(n) && topo_nic_of(&n->nodes, destination)))) {
		base_checkf(job->process->loaded, "endpoint %u posts %llu bytes for %u", call->endpoint,
		            (unsigned long long)bytes, destination);
		base_refute(job->process, "at endpoint %u it posts %llu bytes for endpoint %u", call->endpoint,
		            (unsigned long long)bytes, destination);
		return NET_NO_MESSAGE;
	}
	if (call->now >= job->end)
		return NET_NO_MESSAGE;
	struct handled_message m = { .peer = destination,
		                     .number = p->messages,
		                     .bytes = bytes,
		                     .tag = tag,
		                     .posted = call->now,
		                     .seq = p->packets,
		                     .job = (uint8_t)call->job,
		                     .what = HANDLED_SENT,
		                     .held = NET_HELD_MESSAGE };
	uint64_t ready = work(n, ctx, lp, terminal, n->config->nic.overhead_send);
	sim_save(ctx, p, sizeof *p); /* it may be another endpoint's than the one that was called */
	p->packets += (uint32_t)packets;
	net_count_posted(n, ctx, call->job, call->now, packets, bytes);
	uint32_t nic = has_nodes(n) ? choose_nic(n, call->endpoint, destination, p->messages) : 0;
	m.peer = topo_nic_at(&n->nodes, destination, nic);
	how = order_of(n, how);
	if (how == NET_SEND_BLOCKS)
		m.held = NET_HELD_BLOCKING;
	if (sim_unlikely(p->blocking) && how != NET_SEND_FREE) {
		wait_behind(n, ctx, lp, p, nic, ready, &m);
	} else {
		if (how == NET_SEND_BLOCKS)
			p->blocking = m.number + 1;
		hand_over(n, ctx, lp, terminal, nic, ready, &m);
	}
	if (sim_unlikely(n->config->record.path))
		net_step(call, NET_STEP_MESSAGE, p->messages, 0);
	return p->messages++;
}

uint32_t net_post(struct net_process_call *call, uint32_t destination, uint64_t bytes, uint64_t tag)
{
	return net_post_as(call, NET_SEND_BEHIND, destination, bytes, tag);
}

static void send_timer(struct sim_ctx *ctx, struct net_lp *lp, struct place at, uint64_t when, uint32_t job,
                       uint32_t kind, uint64_t what)
{
	struct sim_event *ev = sim_send(ctx, at.lp, when, net_next_key(ctx, lp, NET_PHASE_CREDIT), SIM_SHORT_WORDS);
	ev->kind = NET_TIMER;
	ev->aux = at.terminal;
	ev->payload[0] = job | kind << 8 | what << 16;
}

/* The same of a process, with its number. */
static void send_numbered(struct net_process_call *call, struct place place, uint64_t at, uint64_t what,
                          uint64_t compute)
{
	struct sim_ctx *ctx = call->ctx;
	struct net_lp *lp = call->lp;
	struct net_process *p = net_process_at(call->host, lp, place.terminal, call->job);
	struct sim_event *ev = sim_send(ctx, place.lp, at, net_next_key(ctx, lp, NET_PHASE_CREDIT), SIM_LONG_WORDS);
	ev->kind = NET_TIMER;
	ev->aux = place.terminal;
	ev->payload[0] = call->job | (uint32_t)TIMER_OF_PROCESS << 8 | what << 16;
	ev->payload[1] = p->timers;
	ev->payload[2] = ev->payload[3] = ev->payload[4] = 0;
	net_step(call, NET_STEP_TIMER, p->timers, compute);
	sim_set(ctx, &p->timers, p->timers + 1);
}

void net_timer_computing(struct net_process_call *call, uint64_t at, uint64_t what, uint64_t compute)
{
	struct net *n = call->host;
	struct net_lp *lp = call->lp;
	const struct base_plugin *plugin = n->traffic.job[call->job].process;
	struct place place = here(n, call->endpoint - lp->first_endpoint);
	if (sim_unlikely(at <= call->now || what >> 48)) {
		base_checkf(plugin->loaded, "a timer for %llu ps at %llu", (unsigned long long)at,
		            (unsigned long long)call->now);
		base_refute(plugin, "at endpoint %u and %llu ps it asks for timer(%llu) at %llu ps", call->endpoint,
		            (unsigned long long)call->now, (unsigned long long)what, (unsigned long long)at);
		return;
	}
	if (sim_unlikely(n->config->record.path))
		send_numbered(call, place, at, what, compute);
	else
		send_timer(call->ctx, lp, place, at, call->job, TIMER_OF_PROCESS, what);
}

void net_timer(struct net_process_call *call, uint64_t at, uint64_t what)
{
	net_timer_computing(call, at, what, 0);
}

void net_iteration(struct net_process_call *call, uint64_t ps)
{
	struct net *n = call->host;
	struct sim_ctx *ctx = call->ctx;
	struct net_iterations *x = net_iterations_at(n, call->lp, call->job);
	struct net_job_stats *j = &n->shared.job[call->job];
	bool measured = call->now >= n->times.measure_from && call->now < n->times.measure_to;
	if (!measured && !n->batches.on)
		return;
	if (n->batches.on) {
		net_batches_iteration(n, ctx, call->job, call->now, ps);
	} else {
		sim_add(ctx, &j->iterations, 1);
		sim_add(ctx, &j->iteration_sum, ps);
		sim_add(ctx, &n->shared.iteration[(size_t)call->job * SIM_HISTOGRAM_BINS + sim_histogram_bin(ps)], 1);
	}
	if (ps < x->least)
		sim_set(ctx, &x->least, ps);
	if (ps > x->most)
		sim_set(ctx, &x->most, ps);
}

void net_finished(struct net_process_call *call)
{
	struct net *n = call->host;
	struct net_iterations *x = net_iterations_at(n, call->lp, call->job);
	sim_add(call->ctx, &n->shared.job[call->job].finished, 1);
	if (call->now > x->finished)
		sim_set((struct sim_ctx *)call->ctx, &x->finished, call->now);
}

uint64_t net_overhead_send(const struct net_process_call *call)
{
	return ((const struct net *)call->host)->config->nic.overhead_send;
}

uint64_t net_overhead_receive(const struct net_process_call *call)
{
	return ((const struct net *)call->host)->config->nic.overhead_receive;
}

void net_save_undoable(struct net_process_call *call, void *at, size_t bytes)
{
	sim_save(call->ctx, at, bytes);
}

/* --- events ------------------------------------------------------------------------------------------------- */

void net_process_start(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t job)
{
	send_timer(ctx, lp, here(n, terminal), n->traffic.job[job].start, job, TIMER_START, 0);
}

void net_process_sent(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t job,
                      uint32_t number, uint64_t at)
{
	struct place at_process = here(n, terminal);
	if (has_nodes(n)) {
		at_process = place_of(n, topo_home_of(&n->nodes, lp->first_endpoint + terminal));
		at += n->config->nic.latency;
	}
	send_timer(ctx, lp, at_process, at, job, TIMER_SENT, number);
}

void net_process_due(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	const struct net_process_ops *ops = n->traffic.process;
	uint32_t job = (uint8_t)ev->payload[0], kind = (uint8_t)(ev->payload[0] >> 8);
	uint64_t what = ev->payload[0] >> 16;
	struct net_process_call call = call_of(n, ctx, lp, ev->aux, job, NET_BY_START, lp->first_endpoint + ev->aux, 0);
	if (kind == TIMER_START) {
		ops->start(&n->traffic, &call);
	} else if (kind == TIMER_SENT) {
		struct net_message m = { .number = (uint32_t)what };
		struct net_process *p = net_process_at(n, lp, ev->aux, job);
		call.cause.kind = NET_BY_OWN_MESSAGE;
		call.cause.number = m.number;
		if (p->blocking == m.number + 1)
			let_go(n, ctx, lp, ev->aux, p);
		if (ops->wants_sent(&n->traffic, job))
			ops->sent(&n->traffic, &call, &m);
	} else {
		call.cause.kind = NET_BY_TIMER;
		call.cause.number = n->config->record.path ? (uint32_t)ev->payload[1] : 0;
		ops->timer(&n->traffic, &call, what);
	}
}

void net_message_announce(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t dst,
                          const struct net_held *h)
{
	topo_switch to = topo_switch_of(&n->topo, dst);
	uint64_t at = ctx->now + (to == lp->id ? n->common.link[SW_LINK_TERMINAL].latency : n->lookahead);
	struct sim_event *ev =
	    sim_send(ctx, net_lp_of(n, to), at, net_next_key(ctx, lp, NET_PHASE_CREDIT), SIM_LONG_WORDS);
	ev->kind = NET_MESSAGE;
	ev->aux = (uint16_t)(dst - topo_first_endpoint(&n->topo, to));
	ev->payload[0] = (lp->first_endpoint + terminal) | (uint64_t)h->seq << 32;
	ev->payload[1] = h->number | (uint64_t)h->job << 32;
	ev->payload[2] = h->bytes;
	ev->payload[3] = h->tag;
	ev->payload[4] = h->created;
}

static uint32_t *chain_of(const struct net *n, const struct net_lp *lp, uint32_t terminal, uint32_t src, uint32_t job)
{
	return net_chain_head(n, lp, NET_CHAIN_COMING, net_coming_terminal(terminal, job), src);
}

static struct net_coming *coming_at(const struct net *n, const struct net_lp *lp, uint32_t i)
{
	return sw_pool_at(&net_nics_of(n, lp)->coming, i, sizeof(struct net_coming));
}

void net_message_announced(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	uint32_t src = (uint32_t)ev->payload[0], job = (uint32_t)(ev->payload[1] >> 32);
	net_chains_reserve(n, ctx, lp, &net_nics_of(n, lp)->coming);
	uint32_t *head = chain_of(n, lp, ev->aux, src, job);
	uint32_t i = sw_pool_take(ctx, &net_nics_of(n, lp)->coming, sizeof(struct net_coming));
	*coming_at(n, lp, i) = (struct net_coming){ .chain = *head,
		                                    .src = src,
		                                    .first = (uint32_t)(ev->payload[0] >> 32),
		                                    .number = (uint32_t)ev->payload[1],
		                                    .terminal = ev->aux,
		                                    .job = (uint8_t)job,
		                                    .left = ev->payload[2],
		                                    .bytes = ev->payload[2],
		                                    .tag = ev->payload[3],
		                                    .posted = ev->payload[4] };
	sim_set(ctx, head, i + 1);
}

static void tell_sender(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct net_coming *c)
{
	topo_switch source = topo_switch_of(&n->topo, c->src);
	uint64_t at = ctx->now + net_ack_first(n) + net_reverse_ps(n, lp->id, source);
	uint32_t receiver = topo_home_of(&n->nodes, lp->first_endpoint + c->terminal);
	struct place to = place_of(n, topo_home_of(&n->nodes, c->src));
	if (has_nodes(n)) /* the news crosses the interface to where the process is */
		at += n->config->nic.latency;
	struct sim_event *ev = sim_send(ctx, to.lp, at, net_next_key(ctx, lp, NET_PHASE_CREDIT), SIM_LONG_WORDS);
	ev->kind = NET_MESSAGE_ACK;
	ev->aux = to.terminal;
	ev->payload[0] = receiver | (uint64_t)c->number << 32;
	ev->payload[1] = c->bytes;
	ev->payload[2] = c->tag;
	ev->payload[3] = c->posted;
	ev->payload[4] = c->job;
}

/* Where the message of a packet is in its chain. What that is a link to is 0: there is none. */
static uint32_t *link_of(const struct net *n, const struct net_lp *lp, const struct sw_packet *p)
{
	uint32_t terminal = p->dst - lp->first_endpoint, packet = n->traffic.job[p->job].max_packet;
	uint32_t *link = chain_of(n, lp, terminal, p->src, p->job);
	while (*link) {
		struct net_coming *c = coming_at(n, lp, *link - 1);
		if (c->src == p->src && c->job == p->job && c->terminal == terminal &&
		    (uint64_t)(p->seq - c->first) * packet < c->bytes)
			break;
		link = &c->chain;
	}
	return link;
}

/* The message of a packet that has come, or will, if this is the last of its packets to be counted; NULL: it is not. */
static struct net_coming *count_packet(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t *link,
                                       const struct sw_packet *p, uint64_t at)
{
	struct net_coming *c = *link ? coming_at(n, lp, *link - 1) : NULL;
	if (sim_unlikely(!c || c->left < p->bytes)) {
		sim_violation(ctx, "endpoint %u got packet %u of job %u from %u, which is of no message", p->dst,
		              p->seq, p->job, p->src);
		return NULL;
	}
	sim_save(ctx, c, sizeof *c);
	c->left -= p->bytes;
	c->last = at > c->last ? at : c->last;
	return c->left ? NULL : c;
}

/* All of the message that `link` leads to has come. */
static void complete(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t *link)
{
	const struct net_process_ops *ops = n->traffic.process;
	uint32_t i = *link - 1;
	struct net_coming whole = *coming_at(n, lp, i);
	sim_set(ctx, link, whole.chain);
	sw_pool_give(ctx, &net_nics_of(n, lp)->coming, i, sizeof whole);
	if (ops->wants_acknowledged(&n->traffic, whole.job))
		tell_sender(n, ctx, lp, &whole);
	struct handled_message m = { .peer = whole.src,
		                     .number = whole.number,
		                     .bytes = whole.bytes,
		                     .tag = whole.tag,
		                     .posted = whole.posted,
		                     .job = whole.job,
		                     .what = HANDLED_COME };
	if (has_nodes(n)) {
		uint32_t home = topo_home_of(&n->nodes, lp->first_endpoint + whole.terminal);
		m.peer = topo_home_of(&n->nodes, whole.src);
		handle_until(ctx, lp, place_of(n, home), ctx->now + n->config->nic.latency, &m);
	} else if (n->config->nic.latency)
		handle_until(ctx, lp, here(n, whole.terminal), ctx->now + n->config->nic.latency, &m);
	else
		receive(n, ctx, lp, whole.terminal, &m);
}

void net_message_packet(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p)
{
	uint32_t *link = link_of(n, lp, p);
	if (count_packet(n, ctx, lp, link, p, ctx->now))
		complete(n, ctx, lp, link);
}

void net_message_foreseen_last(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p,
                               uint64_t at, uint32_t count)
{
	struct sim_event *ev = sim_send(ctx, n->call.lp, at, sim_key(NET_PHASE_CREDIT, lp->id, count), SIM_LONG_WORDS);
	ev->kind = NET_COMPLETE;
	ev->aux = (uint16_t)(p->dst - lp->first_endpoint);
	*(struct sw_packet *)(void *)ev->payload = *p;
}

void net_message_foreseen(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p, uint64_t at,
                          uint32_t count)
{
	const struct net_coming *c = count_packet(n, ctx, lp, link_of(n, lp, p), p, at);
	if (c && !n->path.in_order)
		net_message_foreseen_last(n, ctx, lp, p, c->last, count);
}

/* Has all of a message come, whose packet this is? */
static bool is_whole(const struct net *n, const struct net_coming *c, const struct sw_packet *p)
{
	if (!n->path.in_order)
		return !c->left;
	base_checkf(!c->left, "%llu bytes of a message are missing when its last packet is there",
	            (unsigned long long)c->left);
	uint64_t behind = (uint64_t)(p->seq - c->first) * n->traffic.job[p->job].max_packet + p->bytes;
	return behind == c->bytes;
}

void net_message_complete(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	const struct sw_packet *p = (const struct sw_packet *)(const void *)ev->payload;
	uint32_t *link = link_of(n, lp, p);
	if (sim_unlikely(!*link || !is_whole(n, coming_at(n, lp, *link - 1), p)))
		sim_violation(ctx, "endpoint %u has all of a message from %u, of which packets are missing", p->dst,
		              p->src);
	else
		complete(n, ctx, lp, link);
}

void net_message_acknowledged(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	struct net_process_call call = call_of(n, ctx, lp, ev->aux, (uint8_t)ev->payload[4], NET_BY_OWN_MESSAGE,
	                                       lp->first_endpoint + ev->aux, (uint32_t)(ev->payload[0] >> 32));
	struct net_message m = { (uint32_t)ev->payload[0], (uint32_t)(ev->payload[0] >> 32), ev->payload[1],
		                 ev->payload[2], ev->payload[3] };
	n->traffic.process->acknowledged(&n->traffic, &call, &m);
}

/* network/nic/process.c - calls between a process and its endpoint, but for the messages that it posts (message.c): its
 * start, its timers, what it says of its iterations, and what becomes of its messages.
 *
 * Whatever a process calls happens within an event of its endpoint, in whose logical process its state lies, behind
 * struct net_process. It is saved before the process is called. */
#include "network/nic/node.h"

#include <stdarg.h>
#include <stdio.h>

enum { TIMER_OF_PROCESS, TIMER_START, TIMER_SENT };

struct net_process_call net_process_call_of(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_local at,
                                            uint32_t job, enum net_cause_kind kind, uint32_t by, uint32_t number)
{
	job = net_job_of(n, job);
	struct net_process *p = net_process_at(n, lp, at.terminal, at.number, job);
	sim_save(ctx, p, n->processes.bytes);
	return (struct net_process_call){ .now = ctx->now,
		                          .job = job,
		                          .stream = job,
		                          .endpoint = net_local_place(n, lp, at),
		                          .state = p + 1,
		                          .undoable = ctx->journal,
		                          .host = n,
		                          .ctx = ctx,
		                          .lp = lp,
		                          .cause = { kind, by, number } };
}

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

static void send_timer(struct sim_ctx *ctx, struct net_lp *lp, struct net_terminal at, uint64_t when, uint32_t job,
                       uint32_t kind, uint64_t what)
{
	struct sim_event *ev = sim_send(ctx, at.lp, when, net_next_key(ctx, lp, NET_PHASE_CREDIT), SIM_SHORT_WORDS);
	ev->kind = NET_TIMER;
	ev->aux = at.terminal;
	ev->payload[0] = job | kind << 8 | what << 16;
}

/* The same of a process, with its number and that of the timer. */
static void send_numbered(struct net_process_call *call, struct net_local place, uint64_t at, uint64_t what,
                          uint64_t compute)
{
	struct net *n = call->host;
	struct sim_ctx *ctx = call->ctx;
	struct net_lp *lp = call->lp;
	struct net_process *p = net_process_at(n, lp, place.terminal, place.number, call->job);
	struct sim_event *ev = sim_send(ctx, n->call.lp, at, net_next_key(ctx, lp, NET_PHASE_CREDIT), SIM_LONG_WORDS);
	ev->kind = NET_TIMER;
	ev->aux = (uint16_t)place.terminal;
	ev->payload[0] = call->job | (uint32_t)TIMER_OF_PROCESS << 8 | what << 16;
	ev->payload[1] = p->timers;
	ev->payload[2] = place.number;
	ev->payload[3] = ev->payload[4] = 0;
	net_step(call, NET_STEP_TIMER, p->timers, compute);
	sim_set(ctx, &p->timers, p->timers + 1);
}

void net_timer_computing(struct net_process_call *call, uint64_t at, uint64_t what, uint64_t compute)
{
	struct net *n = call->host;
	struct net_lp *lp = call->lp;
	const struct base_plugin *plugin = n->traffic.job[call->job].process;
	struct net_local place = net_local_of(n, lp, call->endpoint);
	if (sim_unlikely(at <= call->now || what >> 48)) {
		base_checkf(plugin->loaded, "a timer for %llu ps at %llu", (unsigned long long)at,
		            (unsigned long long)call->now);
		base_refute(plugin,
		            "at endpoint %u and %llu ps the process requests timer(%llu) for %llu ps: the time must be "
		            "later, and the number of the timer below 2^48",
		            call->endpoint, (unsigned long long)call->now, (unsigned long long)what,
		            (unsigned long long)at);
		return;
	}
	if (sim_unlikely(n->config->record.path) || net_has_places(n))
		send_numbered(call, place, at, what, compute);
	else
		send_timer(call->ctx, lp, net_terminal_here(n, place.terminal), at, call->job, TIMER_OF_PROCESS, what);
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
	if (sim_unlikely(ps > call->now)) {
		const struct base_plugin *plugin = n->traffic.job[call->job].process;
		base_checkf(plugin->loaded, "an iteration of %llu ps at %llu", (unsigned long long)ps,
		            (unsigned long long)call->now);
		base_refute(plugin,
		            "at endpoint %u and %llu ps the process reports an iteration of %llu ps, which began "
		            "before the run",
		            call->endpoint, (unsigned long long)call->now, (unsigned long long)ps);
		return;
	}
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
		sim_set(call->ctx, &x->finished, call->now);
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

/* `what` of a timer that reports a message or starts a process: which process, and the message's number. */
#define LEFT_PROCESS 32

void net_process_start(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t job)
{
	const struct net_traffic_job *j = &n->traffic.job[job];
	for (uint64_t k = 0; k < j->per_endpoint; k++)
		send_timer(ctx, lp, net_terminal_here(n, terminal), j->start, job, TIMER_START, k << LEFT_PROCESS);
}

void net_process_sent(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                      const struct net_held *message, uint64_t at)
{
	struct net_terminal at_process = net_terminal_here(n, terminal);
	if (net_has_nodes(n)) {
		at_process = net_terminal_of(n, topo_home_of(&n->nodes, lp->first_endpoint + terminal));
		at += n->config->nic.latency;
	}
	send_timer(ctx, lp, at_process, at, message->job, TIMER_SENT,
	           message->number | (uint64_t)message->from << LEFT_PROCESS);
}

void net_process_left(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_local at, uint32_t job,
                      uint32_t number)
{
	const struct net_process_ops *ops = n->traffic.process;
	struct net_process_call call =
	    net_process_call_of(n, ctx, lp, at, job, NET_BY_OWN_MESSAGE, net_local_place(n, lp, at), number);
	struct net_message m = { .number = number };
	struct net_process *p = net_process_at(n, lp, at.terminal, at.number, call.job);
	if (p->blocking == number + 1)
		net_message_let_go(n, ctx, lp, at.terminal, p);
	if (ops->wants_sent(&n->traffic, job))
		ops->sent(&n->traffic, &call, &m);
}

void net_process_due(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	const struct net_process_ops *ops = n->traffic.process;
	uint32_t job = (uint8_t)ev->payload[0], kind = (uint8_t)(ev->payload[0] >> 8);
	uint64_t what = ev->payload[0] >> 16;
	struct net_local at = { ev->aux, 0 };
	if (kind == TIMER_SENT) {
		at.number = (uint32_t)(what >> LEFT_PROCESS);
		if (n->nic.in_line)
			net_line_left(n, ctx, lp, ev->aux);
		net_process_left(n, ctx, lp, at, job, (uint32_t)what);
		return;
	}
	if (net_has_places(n))
		at.number = (uint32_t)(kind == TIMER_START ? what >> LEFT_PROCESS : ev->payload[2]);
	struct net_process_call call =
	    net_process_call_of(n, ctx, lp, at, job, NET_BY_START, net_local_place(n, lp, at), 0);
	if (kind == TIMER_START) {
		ops->start(&n->traffic, &call);
	} else {
		call.cause.kind = NET_BY_TIMER;
		call.cause.number = n->config->record.path ? (uint32_t)ev->payload[1] : 0;
		ops->timer(&n->traffic, &call, what);
	}
}

void net_message_acknowledged(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	struct net_local at = { ev->aux, (uint32_t)(ev->payload[4] >> 32) };
	struct net_process_call call =
	    net_process_call_of(n, ctx, lp, at, (uint8_t)ev->payload[4], NET_BY_OWN_MESSAGE, net_local_place(n, lp, at),
	                        (uint32_t)(ev->payload[0] >> 32));
	struct net_message m = { (uint32_t)ev->payload[0], (uint32_t)(ev->payload[0] >> 32), ev->payload[1],
		                 ev->payload[2], ev->payload[3] };
	n->traffic.process->acknowledged(&n->traffic, &call, &m);
}

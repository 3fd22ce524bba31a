/* network/nic/node.c - messages inside a node, see node.h.
 *
 * All processes that copy have equal shares, so that one clock is enough: `served` goes as fast as time while
 * node.bandwidth suffices for all, else slower by bandwidth / (processes x copy), and a message ends when it has grown
 * by what the message takes at the full rate (processor sharing by virtual time: Kleinrock, Queueing Systems II, 4.4).
 * `served` loses less than 1 ps each time that the number of those that copy changes, and nothing at the full rate. */
#include "network/nic/node.h"

#define LONGEST (UINT64_C(1) << 62) /* ps */

size_t net_node_bytes(const struct net *n)
{
	return net_has_places(n) ? sizeof(struct net_node) + n->processes.places * sizeof(struct net_core) : 0;
}

void net_node_init(const struct net *n, const struct net_lp *lp)
{
	for (uint32_t t = 0; net_has_places(n) && t < lp->endpoints; t++) {
		*net_node_at(n, lp, t) =
		    (struct net_node){ .due = SIM_NEVER, .first = SW_POOL_NONE, .last = SW_POOL_NONE };
		for (uint32_t k = 0; k < n->processes.places; k++)
			*net_core_at(n, lp, t, k) = (struct net_core){ .first = SW_POOL_NONE, .last = SW_POOL_NONE };
	}
}

int net_node_check(const struct net *n, struct base_errors *errors)
{
	const struct net_node_config *c = &n->config->node;
	const struct {
		const char *key;
		bool is_set;
	} keys[] = { { "nic.sharing", n->config->nic.sharing != NET_NIC_FAIR },
		     { "node.bandwidth", c->bandwidth != NET_NODE_BANDWIDTH },
		     { "node.copy", c->copy != NET_NODE_COPY },
		     { "node.latency", c->latency != NET_NODE_LATENCY } };
	size_t before = errors->errors;
	for (size_t i = 0; n->traffic.places <= 1 && i < sizeof keys / sizeof *keys; i++)
		if (keys[i].is_set)
			base_errorf(errors, keys[i].key,
			            "has an effect only with several processes at a node: "
			            "traffic[].processes_per_node, or a mapping file that names a node more than once");
	if (n->traffic.places > 1 && n->config->nic.sharing == NET_NIC_IN_ORDER && n->config->nic.per_node > 1)
		base_errorf(errors, "nic.sharing",
		            "\"in-order\" is possible only with one interface per node, but nic.per_node is %lld, and "
		            "messages use different interfaces",
		            (long long)n->config->nic.per_node);
	return errors->errors > before ? -1 : 0;
}

/* --- what copying takes -------------------------------------------------------------------------------------- */

/* Bits per second of one process that copies alone. */
static uint64_t full_rate(const struct net *n)
{
	const struct net_node_config *c = &n->config->node;
	return c->copy < c->bandwidth ? c->copy : c->bandwidth;
}

/* ps at the full rate, rounded up. */
static uint64_t copy_ps(const struct net *n, uint64_t bytes)
{
	unsigned __int128 bits = (unsigned __int128)bytes * 8000000000000u, rate = full_rate(n);
	unsigned __int128 ps = (bits + rate - 1) / rate;
	return ps < LONGEST ? (uint64_t)ps : LONGEST;
}

/* How much `served` grows in so many ps. */
static uint64_t share_of_time(const struct net *n, uint32_t copying, uint64_t ps)
{
	unsigned __int128 wanted = (unsigned __int128)full_rate(n) * copying, there = n->config->node.bandwidth;
	return wanted <= there ? ps : (uint64_t)(ps * there / wanted);
}

/* ps until it has grown so much. */
static uint64_t time_for_share(const struct net *n, uint32_t copying, uint64_t share)
{
	unsigned __int128 wanted = (unsigned __int128)full_rate(n) * copying, there = n->config->node.bandwidth;
	unsigned __int128 ps = wanted <= there ? share : (share * wanted + there - 1) / there;
	return ps < LONGEST ? (uint64_t)ps : LONGEST;
}

/* *x is saved. */
static void advance(const struct net *n, const struct sim_ctx *ctx, struct net_node *x)
{
	base_checkf(x->since <= ctx->now, "copied until %llu ps, at %llu", (unsigned long long)x->since,
	            (unsigned long long)ctx->now);
	x->served = x->copying ? x->served + share_of_time(n, x->copying, ctx->now - x->since) : 0;
	x->since = ctx->now;
}

/* --- queues of processes ------------------------------------------------------------------------------------- */

/* Sends the event of the message that ends next; *x is saved and up to date. */
static void await_next(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, struct net_node *x)
{
	uint64_t least = SIM_NEVER;
	for (uint32_t k = 0; k < n->processes.places; k++) {
		const struct net_core *core = net_core_at(n, lp, terminal, k);
		if (core->first != SW_POOL_NONE && core->ends < least)
			least = core->ends;
	}
	base_checkf((least == SIM_NEVER) == !x->copying && least > x->served, "%u copy, the next ends at %llu of %llu",
	            x->copying, (unsigned long long)least, (unsigned long long)x->served);
	uint64_t at = least == SIM_NEVER ? SIM_NEVER : ctx->now + time_for_share(n, x->copying, least - x->served);
	if (at == x->due)
		return;
	x->due = at;
	if (at == SIM_NEVER)
		return;
	struct sim_event *ev = sim_send(ctx, n->call.lp, at, net_next_key(ctx, lp, NET_PHASE_CREDIT), SIM_SHORT_WORDS);
	ev->kind = NET_COPIED;
	ev->aux = (uint16_t)terminal;
	ev->payload[0] = 0;
}

/* The first message of a process's queue is copied from now on. */
static void begin_copy(const struct net *n, const struct net_lp *lp, const struct net_node *x, struct net_core *core)
{
	core->ends = x->served + copy_ps(n, net_held_at(n, lp, core->first)->bytes);
}

void net_node_post(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                   const struct net_held *message)
{
	struct net_node *x = net_node_at(n, lp, terminal);
	struct net_core *core = net_core_at(n, lp, terminal, message->from);
	uint32_t i = sw_pool_take(ctx, &net_nics_of(n, lp)->held, sizeof *message);
	*net_held_at(n, lp, i) = *message;
	net_held_at(n, lp, i)->next = SW_POOL_NONE;
	sim_save(ctx, core, sizeof *core);
	if (core->first != SW_POOL_NONE) {
		sim_set(ctx, &net_held_at(n, lp, core->last)->next, i);
		core->last = i;
		return;
	}
	core->first = core->last = i;
	sim_save(ctx, x, sizeof *x);
	advance(n, ctx, x);
	x->copying++;
	begin_copy(n, lp, x, core);
	await_next(n, ctx, lp, terminal, x);
}

/* Takes the first message of a queue out, which has been copied; returns its record. */
static uint32_t end_copy(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_node *x,
                         struct net_core *core)
{
	uint32_t i = core->first;
	sim_save(ctx, core, sizeof *core);
	core->first = net_held_at(n, lp, i)->next;
	if (core->first == SW_POOL_NONE) {
		core->last = SW_POOL_NONE;
		x->copying--;
	} else {
		begin_copy(n, lp, x, core);
	}
	return i;
}

void net_node_due(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	struct net_node *x = net_node_at(n, lp, ev->aux);
	uint32_t done = SW_POOL_NONE, *end = &done;
	if (x->due != ev->time)
		return;
	sim_save(ctx, x, sizeof *x);
	x->due = SIM_NEVER;
	advance(n, ctx, x);
	for (uint32_t k = 0; k < n->processes.places; k++) {
		struct net_core *core = net_core_at(n, lp, ev->aux, k);
		if (core->first == SW_POOL_NONE || core->ends > x->served)
			continue;
		*end = end_copy(n, ctx, lp, x, core);
		end = &net_held_at(n, lp, *end)->next;
		sim_set(ctx, end, SW_POOL_NONE);
	}
	await_next(n, ctx, lp, ev->aux, x);
	while (done != SW_POOL_NONE) { /* what follows may post others */
		struct net_held h = *net_held_at(n, lp, done);
		sw_pool_give(ctx, &net_nics_of(n, lp)->held, done, sizeof h);
		net_message_copied(n, ctx, lp, ev->aux, &h);
		done = h.next;
	}
}

/* --- what is counted ----------------------------------------------------------------------------------------- */

void net_node_posted(struct net *n, struct sim_ctx *ctx, uint32_t job)
{
	sim_add(ctx, &n->shared.node[job].posted, 1);
}

void net_node_delivered(struct net *n, struct sim_ctx *ctx, uint32_t job, uint32_t to, const struct net_message *m)
{
	struct net_node_stats *s = &n->shared.node[job];
	sim_add(ctx, &s->messages, 1);
	sim_add(ctx, &s->bytes, m->bytes);
	sim_add(ctx, &s->latency, ctx->now - m->posted);
	sim_add(ctx, n->shared.digest,
	        net_mix(net_mix((uint64_t)m->peer << 32 | m->number) + job) ^ net_mix(ctx->now + to));
}

/* network/nic/coming.c - messages at their receivers: announced, put together from packets, complete.
 *
 * A packet says which process sent it and its number there. The receiver learns which message it belongs to, how long
 * that is, and its tag, from an event that is no packet: the first packet's header would say it. That event comes a
 * lookahead after the first packet began to leave, so before any of them can be there. */
#include "network/nic/nic.h"

#define WORD_PROCESSES 40 /* beside the job in a word: net_coming.processes */

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
	if (net_has_places(n))
		ev->payload[1] |= (h->from | (uint64_t)net_place_number(n, h->peer) << NET_NUMBER_BITS)
		                  << WORD_PROCESSES;
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
	uint32_t src = (uint32_t)ev->payload[0], job = (uint8_t)(ev->payload[1] >> 32);
	net_chains_reserve(n, ctx, lp, &net_nics_of(n, lp)->coming);
	uint32_t *head = chain_of(n, lp, ev->aux, src, job);
	uint32_t i = sw_pool_take(ctx, &net_nics_of(n, lp)->coming, sizeof(struct net_coming));
	*coming_at(n, lp, i) = (struct net_coming){ .processes = (uint32_t)(ev->payload[1] >> WORD_PROCESSES),
		                                    .chain = *head,
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

void net_message_notify(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t to, uint32_t receiver,
                        uint64_t at, const struct net_message *m, uint32_t job)
{
	struct net_terminal terminal = net_terminal_of(n, net_place_endpoint(n, to));
	struct sim_event *ev = sim_send(ctx, terminal.lp, at, net_next_key(ctx, lp, NET_PHASE_CREDIT), SIM_LONG_WORDS);
	ev->kind = NET_MESSAGE_ACK;
	ev->aux = terminal.terminal;
	ev->payload[0] = receiver | (uint64_t)m->number << 32;
	ev->payload[1] = m->bytes;
	ev->payload[2] = m->tag;
	ev->payload[3] = m->posted;
	ev->payload[4] = job | (uint64_t)net_place_number(n, to) << 32;
}

static void notify_sender(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct net_coming *c)
{
	topo_switch source = topo_switch_of(&n->topo, c->src);
	uint64_t at = ctx->now + net_ack_first(n) + net_reverse_ps(n, lp->id, source);
	uint32_t receiver = net_place(n, topo_home_of(&n->nodes, lp->first_endpoint + c->terminal), net_coming_to(c));
	const struct net_message m = { 0, c->number, c->bytes, c->tag, c->posted };
	if (net_has_nodes(n)) /* it crosses the interface to the process */
		at += n->config->nic.latency;
	net_message_notify(n, ctx, lp, net_place(n, topo_home_of(&n->nodes, c->src), net_coming_from(c)), receiver, at,
	                   &m, c->job);
}

/* Where the message of a packet is in its chain. What that is a link to is 0: there is none. */
static uint32_t *link_of_message(const struct net *n, const struct net_lp *lp, const struct sw_packet *p)
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
		sim_violation(ctx, "endpoint %u received packet %u of job %u from %u, which belongs to no message",
		              p->dst, p->seq, p->job, p->src);
		return NULL;
	}
	sim_save(ctx, c, sizeof *c);
	c->left -= p->bytes;
	c->last = at > c->last ? at : c->last;
	return c->left ? NULL : c;
}

/* All of the message that `link` leads to has come. */
static void complete_message(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t *link)
{
	const struct net_process_ops *ops = n->traffic.process;
	uint32_t i = *link - 1;
	struct net_coming whole = *coming_at(n, lp, i);
	sim_set(ctx, link, whole.chain);
	sw_pool_give(ctx, &net_nics_of(n, lp)->coming, i, sizeof whole);
	if (ops->wants_acknowledged(&n->traffic, whole.job))
		notify_sender(n, ctx, lp, &whole);
	net_message_received(n, ctx, lp, &whole);
}

void net_message_packet(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p)
{
	uint32_t *link = link_of_message(n, lp, p);
	if (count_packet(n, ctx, lp, link, p, ctx->now))
		complete_message(n, ctx, lp, link);
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
	const struct net_coming *c = count_packet(n, ctx, lp, link_of_message(n, lp, p), p, at);
	if (c && !n->path.in_order)
		net_message_foreseen_last(n, ctx, lp, p, c->last, count);
}

/* Has all of a message come, whose packet this is? */
static bool is_whole(const struct net *n, const struct net_coming *c, const struct sw_packet *p)
{
	if (!n->path.in_order)
		return !c->left;
	base_checkf(!c->left, "%llu bytes of a message are missing although its last packet has arrived",
	            (unsigned long long)c->left);
	uint64_t behind = (uint64_t)(p->seq - c->first) * n->traffic.job[p->job].max_packet + p->bytes;
	return behind == c->bytes;
}

void net_message_complete(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	const struct sw_packet *p = (const struct sw_packet *)(const void *)ev->payload;
	uint32_t *link = link_of_message(n, lp, p);
	if (sim_unlikely(!*link || !is_whole(n, coming_at(n, lp, *link - 1), p)))
		sim_violation(ctx, "endpoint %u has all bytes of a message from %u although packets are missing",
		              p->dst, p->src);
	else
		complete_message(n, ctx, lp, link);
}

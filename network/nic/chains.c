/* network/nic/chains.c - the heads of chains of records; there are as many heads as records. See nic.h. */
#include "base/memory.h"
#include "network/nic/nic.h"

#include <string.h>

#define LEAST_BITS 3u
#define MOST_BITS 20u

/* Heads of one number of bits. Those that an event may be undone to stay until the logical process ends. */
struct net_heads {
	struct net_heads *before; /* fewer of them; NULL: none are kept */
	uint64_t bits;
	uint32_t head[]; /* [n->nic.chain_kinds][1 << bits] */
};

static size_t bytes_of(const struct net *n, uint64_t bits)
{
	return sizeof(struct net_heads) + ((size_t)n->nic.chain_kinds << bits) * sizeof(uint32_t);
}

static uint64_t least_bits(const struct net *n)
{
	uint64_t bits = LEAST_BITS;
	while (bits < MOST_BITS && 1u << bits < n->topo.max_endpoints)
		bits++;
	return bits;
}

size_t net_chains_bytes(const struct net *n, double records)
{
	uint64_t bits = least_bits(n);
	while (bits < MOST_BITS && records >= (double)(NET_CHAIN << bits))
		bits++;
	return n->nic.chain_kinds ? bytes_of(n, bits) + SW_POOL_MALLOC : 0;
}

void net_chains_plan(struct net *n)
{
	const bool there[NET_CHAIN_KINDS] = { [NET_CHAIN_PAIRS] = n->path.pairs,
		                              [NET_CHAIN_SOURCES] = n->path.pairs && n->nic.wants & CC_HAS_RECEIVER,
		                              [NET_CHAIN_RECEIVED] = n->path.pairs && n->path.numbers,
		                              [NET_CHAIN_COMING] = n->path.pairs && n->traffic.process,
		                              [NET_CHAIN_PATHS] = n->path.pairs && n->path.paths };
	n->nic.chain_kinds = 0;
	for (uint32_t k = 0; k < NET_CHAIN_KINDS; k++)
		n->nic.chain_at[k] = there[k] ? n->nic.chain_kinds++ : UINT32_MAX;
}

/* Heads of so many bits, all chains empty. */
static struct net_heads *heads_of(const struct net *n, struct net_nics *x, uint64_t bits)
{
	struct net_heads *h = x->blocks;
	while (h && h->bits > bits)
		h = h->before;
	if (!h || h->bits != bits) {
		base_check(!x->blocks || x->blocks->bits < bits);
		h = base_alloc(bytes_of(n, bits));
		*h = (struct net_heads){ .before = x->blocks, .bits = bits };
		x->blocks = h;
	} else {
		memset(h->head, 0, bytes_of(n, bits) - sizeof *h);
	}
	return h;
}

void net_chains_init(const struct net *n, struct net_nics *x)
{
	if (!n->nic.chain_kinds)
		return;
	x->bits = least_bits(n);
	x->heads = heads_of(n, x, x->bits)->head;
}

static void free_all(struct net_heads *h)
{
	for (struct net_heads *before; h; h = before) {
		before = h->before;
		free(h);
	}
}

void net_chains_clear(struct net_nics *x)
{
	free_all(x->blocks);
}

/* What follows a record in its chain; *terminal and *peer: what its chain is found by. */
static uint32_t *link_of(const struct net_nics *x, size_t pair_bytes, uint32_t kind, uint32_t i, uint32_t *terminal,
                         uint32_t *peer)
{
	switch ((enum net_chain_kind)kind) {
	case NET_CHAIN_PAIRS: {
		struct net_pair *p = sw_pool_at(&x->pairs, i, pair_bytes);
		*terminal = p->terminal;
		*peer = p->dst;
		return &p->link;
	}
	case NET_CHAIN_SOURCES: {
		struct net_contributor *c = sw_pool_at(&x->contributors, i, sizeof *c);
		*terminal = c->terminal;
		*peer = c->cc.src;
		return &c->chain;
	}
	case NET_CHAIN_RECEIVED: {
		struct net_received *r = sw_pool_at(&x->received, i, sizeof *r);
		*terminal = r->terminal;
		*peer = r->src;
		return &r->link;
	}
	case NET_CHAIN_COMING: {
		struct net_coming *c = sw_pool_at(&x->coming, i, sizeof *c);
		*terminal = net_coming_terminal(c->terminal, c->job);
		*peer = c->src;
		return &c->chain;
	}
	case NET_CHAIN_PATHS:
		break;
	}
	struct net_way *w = sw_pool_at(&x->paths, i, sizeof *w);
	*terminal = w->dst;
	*peer = w->src;
	return &w->link;
}

/* Splits each chain into two, keeping the order of records in them, so that the first record found does not depend on
 * when this happened. */
void net_chains_grow(struct net *n, struct sim_ctx *ctx, struct net_lp *lp)
{
	struct net_nics *x = net_nics_of(n, lp);
	uint64_t bits = x->bits;
	if (bits >= MOST_BITS)
		return;
	struct net_heads *more = heads_of(n, x, bits + 1);
	for (uint32_t kind = 0; kind < NET_CHAIN_KINDS; kind++) {
		size_t at = (size_t)n->nic.chain_at[kind] << bits;
		for (uint64_t h = 0; n->nic.chain_at[kind] != UINT32_MAX && h < 1ull << bits; h++) {
			uint32_t *end[2] = { more->head + 2 * (at + h), more->head + 2 * (at + h) + 1 };
			for (uint32_t i = x->heads[at + h], terminal, peer; i;) { /* one more, so that 0 ends it */
				uint32_t *link = link_of(x, n->nic.pair_bytes, kind, i - 1, &terminal, &peer);
				uint32_t half = net_chain_hash(terminal, peer) >> (31 - bits) & 1, next = *link;
				base_check(net_chain_hash(terminal, peer) >> (32 - bits) == h);
				sim_set(ctx, end[half], i);
				end[half] = link;
				i = next;
			}
			sim_set(ctx, end[0], 0);
			sim_set(ctx, end[1], 0);
		}
	}
	sim_set(ctx, &x->heads, more->head);
	sim_set(ctx, &x->bits, bits + 1);
	if (!ctx->journal) { /* an event that cannot be undone: neither can what was before it */
		free_all(more->before);
		more->before = NULL;
		x->blocks = more;
	}
}

void net_chains_regions(const struct net *n, struct net_nics *x, void (*visit)(void *arg, void *at, size_t bytes),
                        void *arg)
{
	uint64_t bits = x->bits;
	if (!n->nic.chain_kinds)
		return;
	visit(arg, &x->bits, sizeof x->bits);
	if (x->bits != bits) { /* written over: those of a logical process that came from another rank */
		net_chains_clear(x);
		x->blocks = NULL;
		x->heads = heads_of(n, x, x->bits)->head;
	}
	visit(arg, x->heads, ((size_t)n->nic.chain_kinds << x->bits) * sizeof *x->heads);
}

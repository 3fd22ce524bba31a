/* network/telemetry/neighbours.c - queue lengths that the switch at the other end of a cable reports on the credits it
 * returns, for routings that use them (slingshot).
 *
 * A credit returns for every packet that has left an input buffer. It carries 24 bits, out of the published average of
 * four bytes per packet: eight bits with the number of a block of four outputs, and four bits of depth for each output.
 * Successive credits to the same neighbour report successive blocks, so all outputs of a switch are reported in
 * ceil(outputs / 4) credits, whether the neighbour uses them or not: if only the outputs used by its packets were
 * reported, it would never learn that a queue it avoids is empty again. The depths are read when the packet's departure
 * is decided, which is when the credit is created, so they are as old as the packet's waiting time and the latency of
 * the cable.
 *
 * Two defaults of routings are set here, where packets and cables are known. bias: every hop of a detour costs three
 * largest packets, of at least 256 bytes: one being sent, one waiting here and one waiting at the next switch are not
 * congestion, but normal. hold: if one packet at a time is sent to a neighbour, each when the credit of the previous
 * one is back, all its outputs are reported in blocks x R, where R is the credits' round trip (largest packet, idle
 * switch, cable in both directions) of the slowest kind of cable. A neighbour that has reported nothing for longer is
 * not being sent packets, and its reports are invalid.
 *
 * Depth levels are those of routing/level.h, in quanta.
 *
 * Memory: per LP and network port one struct net_report with the blocks of that neighbour. Allocated, sent and read
 * only if the routing uses it. */
#include "base/memory.h"
#include "network/checks/checked.h"
#include "network/part.h"
#include "network/stats/sample.h"
#include "routing/level.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define PER_BLOCK 4u
#define MAX_BLOCKS 256u

struct net_report {
	uint64_t at;      /* ps; of the last credit from there */
	uint16_t next;    /* block to report there with the next credit */
	uint16_t block[]; /* [blocks], four bits an output */
};

struct net_neighbours {
	uint32_t blocks;
	bool checks; /* the switch model is from a shared object */
	size_t port_bytes, lp_bytes;
	uint64_t reciprocal; /* 2^64 / quantum; 0: of one byte */
	uint64_t quantum, hold;
	unsigned char *memory; /* [n->room] lp_bytes */
};

static struct net_report *report_at(const struct net *n, uint32_t index, uint32_t port)
{
	const struct net_neighbours *x = n->telemetry.neighbours;
	return (struct net_report *)(void *)(x->memory + index * x->lp_bytes + port * x->port_bytes);
}

const void *net_neighbours_of(const struct net *n, const struct net_lp *lp, uint32_t port)
{
	return report_at(n, net_index(n, lp), port);
}

static uint32_t blocks_of(const struct net *n)
{
	return (n->topo.max_ports + PER_BLOCK - 1) / PER_BLOCK;
}

static size_t port_bytes(const struct net *n)
{
	return (offsetof(struct net_report, block) + blocks_of(n) * sizeof(uint16_t) + 7) & ~(size_t)7;
}

static bool is_there(const struct net *n)
{
	return n->rt.ops->wants_neighbours;
}

static size_t bytes(const struct net *n)
{
	return n->topo.max_ports * port_bytes(n);
}

static double kept(const struct net *n, const struct net_load *load)
{
	(void)load;
	return (double)n->topo.switches * (double)bytes(n);
}

void net_neighbours_defaults(struct net *n)
{
	struct rt *rt = &n->rt;
	const struct sw_common *c = &n->common;
	uint64_t longest = 0;
	for (uint32_t k = 0; k < n->cables.links; k++) {
		const struct sw_link *l = &c->link[k];
		uint64_t trip = sw_serialisation(l, c->max_packet) + (uint64_t)net_traversal(n);
		if (c->ops->links.credit_loop)
			trip = c->ops->links.credit_loop(c, k, c->max_packet);
		trip += sw_there_and_back(c, k);
		longest = trip > longest ? trip : longest;
	}
	if (rt->auto_hold)
		rt->neighbour_hold = longest * blocks_of(n);
}

static int create(struct net *n, struct base_errors *errors)
{
	uint32_t blocks = blocks_of(n);
	if (blocks > MAX_BLOCKS)
		return base_errorf(errors, "routing.kind",
		                   "a switch has %u outputs, but credits can report the queues of only %u",
		                   PER_BLOCK * MAX_BLOCKS, n->topo.max_ports);
	struct net_neighbours *x = n->telemetry.neighbours = base_alloc(sizeof *x);
	x->blocks = blocks;
	x->checks = n->config->sw.plugin->loaded;
	x->port_bytes = port_bytes(n);
	x->lp_bytes = n->topo.max_ports * x->port_bytes;
	x->quantum = n->rt.neighbour_quantum;
	x->reciprocal = x->quantum > 1 ? UINT64_MAX / x->quantum + 1 : 0;
	x->hold = n->rt.neighbour_hold;
	x->memory = base_map((size_t)n->room * x->lp_bytes);
	return 0;
}

static void destroy(struct net *n)
{
	if (n->telemetry.neighbours)
		base_unmap(n->telemetry.neighbours->memory, (size_t)n->room * n->telemetry.neighbours->lp_bytes);
	free(n->telemetry.neighbours);
}

static void regions(struct net *n, const struct net_lp *lp, net_visit *visit, void *arg)
{
	visit(arg, report_at(n, net_index(n, lp), 0), n->telemetry.neighbours->lp_bytes);
}

static void clear(struct net *n, struct net_lp *lp)
{
	memset(report_at(n, net_index(n, lp), 0), 0, n->telemetry.neighbours->lp_bytes);
}

const struct net_part net_neighbour_part = { .there = is_there,
	                                     .bytes = bytes,
	                                     .kept = kept,
	                                     .create = create,
	                                     .destroy = destroy,
	                                     .regions = regions,
	                                     .clear = clear };

static unsigned level_of(const struct net_neighbours *x, uint64_t bytes)
{
	uint64_t units = x->reciprocal ? (uint64_t)((unsigned __int128)bytes * x->reciprocal >> 64) : bytes;
	return rt_level(units);
}

/* Levels of the outputs of a block, 4 bits each. */
static __attribute__((noinline)) uint64_t levels_of(const struct net_neighbours *x, struct sw_call *call,
                                                    uint32_t first, uint32_t count)
{
	uint32_t out[PER_BLOCK] = { first, first + 1, first + 2, first + 3 };
	uint64_t bits = 0, depth[PER_BLOCK];
	if (sim_likely(call->common->ops->depths.queue_bytes_each != NULL))
		call->common->ops->depths.queue_bytes_each(call->state, out, count, call->now, depth);
	else
		for (uint32_t k = 0; k < count; k++)
			depth[k] = call->common->ops->depths.queue_bytes(call->state, out[k], call->now);
	for (uint32_t k = 0; k < count; k++)
		if (sim_unlikely(depth[k]))
			bits |= (uint64_t)level_of(x, depth[k]) << (4 * k);
	return bits;
}

uint64_t net_neighbours_tell(const struct net *n, struct sw_call *call, const struct net_lp *lp, uint32_t in_port)
{
	struct net_report *h = report_at(n, net_index(n, lp), in_port);
	uint32_t block = h->next, first = block * PER_BLOCK, behind = first + PER_BLOCK;
	base_checkf(first < lp->net_ports, "block %u of %u outputs", block, lp->net_ports);
	const struct sw_ops *ops = call->common->ops;
	uint64_t bits = 0, queues = ops->depths.queues ? ops->depths.queues(call->state, call->now) : UINT64_MAX;
	uint32_t count = behind <= lp->net_ports ? PER_BLOCK : lp->net_ports - first;
	if (BASE_CHECKING || sim_unlikely(n->telemetry.neighbours->checks))
		net_check_depths(call, first, count);
	if (queues >> (first & 63) & ((1u << PER_BLOCK) - 1))
		bits = levels_of(n->telemetry.neighbours, call, first, count);
	sim_set(call->ctx, &h->next, (uint16_t)(behind < lp->net_ports ? block + 1 : 0));
	return block | bits << 8;
}

void net_neighbours_hear(const struct net *n, struct sim_ctx *ctx, const struct net_lp *lp, uint32_t out,
                         uint64_t report)
{
	struct net_report *h = report_at(n, net_index(n, lp), out);
	uint16_t *block = &h->block[report & 0xff];
	base_checkf((report & 0xff) < n->telemetry.neighbours->blocks && out < lp->net_ports,
	            "block %llu of %u, output %u", (unsigned long long)(report & 0xff), n->telemetry.neighbours->blocks,
	            out);
	sim_set(ctx, &h->at, ctx->now);
	sim_set(ctx, block, (uint16_t)(report >> 8));
}

uint64_t net_neighbour_bytes(const void *host, topo_port out, topo_port far, uint64_t now)
{
	const struct net *n = host;
	const struct net_report *h = report_at(n, n->call.lp - n->base, out);
	if (now - h->at > n->telemetry.neighbours->hold)
		return 0;
	unsigned level = h->block[far / PER_BLOCK] >> (4 * (far % PER_BLOCK)) & 15;
	return rt_level_units(level) * n->telemetry.neighbours->quantum;
}

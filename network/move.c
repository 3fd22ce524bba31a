/* network/move.c - LPs and their memory: made, shown, and on their way to another rank (sim/balance.c).
 *
 * A rank has room for half as many LPs on either side of its own, as long as that is not much memory. What nobody has
 * touched costs none. */
#include "base/memory.h"
#include "network/nic/nic.h"

#include <string.h>

#define ROOM_BYTES ((size_t)128 << 20) /* on either side, at most */

/* What arrays by LP hold of one. */
static size_t bytes_of_lp(const struct net *n)
{
	return n->stride + sizeof *n->lps + sizeof *n->returns + sizeof *n->nics + sizeof *n->partials +
	       net_records_lp_bytes(n) + (n->count ? net_neighbours_bytes(n) / n->count : 0);
}

void net_choose_room(struct net *n)
{
	uint32_t more = n->count / 2, most = (uint32_t)(ROOM_BYTES / bytes_of_lp(n));
	/* UGAL-G's LPs know their group by lists that are made at the start */
	bool stay = sim_ranks() == 1 || n->threads > 1 || n->config->engine.balance == SIM_BALANCE_OFF ||
	            n->rt.ops->wants_published;
	more = stay ? 0 : more < most ? more : most;
	uint32_t behind = n->topo.switches - n->first - n->count, before = n->first;
	before = before < more ? before : more;
	n->base = n->first - before;
	n->room = before + n->count + (behind < more ? behind : more);
	base_checkf(n->base <= n->first && n->base + n->room <= n->topo.switches, "room for LPs from %u on, %u of them",
	            n->base, n->room);
}

void net_init_lp(struct net *n, uint32_t id, bool linked)
{
	struct net_lp *lp = net_lp_at(n, id);
	uint32_t sw = net_switch_of(n, id);
	lp->id = sw;
	lp->net_ports = topo_ports(&n->topo, sw);
	lp->endpoints = topo_endpoints_at(&n->topo, sw);
	lp->first_endpoint = topo_first_endpoint(&n->topo, sw);
	for (uint32_t p = 0; linked && p < lp->net_ports; p++) {
		struct topo_hop h = topo_peer(&n->topo, sw, p);
		n->ends[p] = (struct sw_link_end){ net_lp_of(n, h.to), (uint16_t)h.port, h.link_class, 0 };
	}
	struct sw_place place = { .id = sw,
		                  .net_ports = lp->net_ports,
		                  .terminals = lp->endpoints,
		                  .ends = n->ends,
		                  .instruments = net_has_instruments(n, sw) };
	n->common.ops->init(&n->common, net_switch_state(n, lp), &place);
	for (uint32_t j = 0; j < n->jobs; j++)
		*net_extremes_at(n, lp, j) = (struct net_extremes){ .latency_min = UINT64_MAX,
			                                            .network_min = UINT64_MAX,
			                                            .message_min = UINT64_MAX };
	sw_pool_init(&n->returns[net_index(n, lp)]);
	if (n->nics)
		net_nics_init_lp(n, lp);
}

/* What processes keep outside their states. */
static void process_regions(const struct net *n, const struct net_lp *lp,
                            void (*visit)(void *arg, void *at, size_t bytes), void *arg)
{
	uint8_t jobs[256];
	for (uint32_t t = 0; t < lp->endpoints; t++) {
		uint32_t found = n->traffic.jobs_at(&n->traffic, lp->first_endpoint + t, jobs);
		for (uint32_t k = 0; k < found; k++)
			if (n->traffic.job[jobs[k]].process)
				n->traffic.process->regions(&n->traffic, jobs[k], lp->first_endpoint + t, visit, arg);
	}
}

void net_regions(void *self, sim_lpid id, void (*visit)(void *arg, void *at, size_t bytes), void *arg)
{
	struct net *n = self;
	if (id == SIM_NO_LP) {
		visit(arg, n->shared.all, n->shared.words * 8);
		return;
	}
	struct net_lp *lp = net_lp_at(n, id);
	visit(arg, lp, sizeof *lp);
	visit(arg, (unsigned char *)net_switch_state(n, lp) + n->at_endpoints, n->stride - n->at_endpoints);
	n->common.ops->regions(&n->common, net_switch_state(n, lp), visit, arg);
	visit(arg, &n->returns[net_index(n, lp)].free, 2 * sizeof(uint32_t));
	sw_pool_regions(&n->returns[net_index(n, lp)], sizeof(struct net_return), visit, arg);
	size_t ports = (size_t)net_index(n, lp) * n->ports_total;
	if (n->port_stats) {
		visit(arg, &n->port_stats[ports], n->ports_total * sizeof *n->port_stats);
		visit(arg, &n->vc_stats[ports * n->common.vcs],
		      (size_t)n->ports_total * n->common.vcs * sizeof *n->vc_stats);
	}
	if (n->activity)
		visit(arg, n->activity + (size_t)net_index(n, lp) * 4 * n->bins, 4ul * n->bins * sizeof *n->activity);
	if (n->published)
		visit(arg, n->published[net_index(n, lp)].depth,
		      (size_t)n->published[net_index(n, lp)].peers * n->topo.max_ports * sizeof(uint16_t));
	if (n->nics)
		net_nics_regions(n, net_index(n, lp), visit, arg);
	if (n->neighbours)
		net_neighbours_regions(n, net_index(n, lp), visit, arg);
	if (n->traffic.process)
		process_regions(n, lp, visit, arg);
	if (n->partials) {
		visit(arg, n->partials[net_index(n, lp)].head, sizeof n->partials[net_index(n, lp)].head);
		visit(arg, &n->partials[net_index(n, lp)].pool.free, 2 * sizeof(uint32_t)); /* free and used */
		sw_pool_regions(&n->partials[net_index(n, lp)].pool, sizeof(struct net_partial), visit, arg);
	}
}

void net_dismiss(void *self, sim_lpid id)
{
	struct net *n = self;
	struct net_lp *lp = net_lp_at(n, id);
	if (n->common.ops->fini)
		n->common.ops->fini(&n->common, net_switch_state(n, lp));
	memset(net_switch_state(n, lp), 0, n->stride);
	sw_pool_fini(&n->returns[net_index(n, lp)]);
	if (n->nics)
		net_nics_clear(n, net_index(n, lp));
	net_records_clear(n, net_index(n, lp));
	if (n->neighbours)
		net_neighbours_clear(n, net_index(n, lp));
	*lp = (struct net_lp){ 0 };
}

void net_adopt(void *self, sim_lpid id)
{
	struct net *n = self;
	base_check(id - n->base < n->room && !net_lp_at(n, id)->net_ports && !net_lp_at(n, id)->endpoints);
	memset(n->ends, 0, n->topo.max_ports * sizeof *n->ends);
	net_init_lp(n, id, false);
}

void net_owns(void *self, sim_lpid first, uint32_t count)
{
	struct net *n = self;
	base_checkf(first >= n->base && first + count <= n->base + n->room,
	            "LPs from %u on, %u of them; room from %u to %u", first, count, n->base, n->base + n->room);
	n->first = first;
	n->count = count;
}

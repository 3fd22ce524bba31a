/* network/move.c - logical processes and their memory: they are created, registered with the engine, and migrated to
 * other ranks (sim/balance.c).
 *
 * A rank reserves address space for half as many LPs as it has on either side of its own, unless that takes too much
 * memory. Pages that were never accessed cost nothing. */
#include "base/memory.h"
#include "network/nic/node.h"
#include "network/part.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_BYTES ((size_t)128 << 20) /* on either side, at most */

/* --- the switch ------------------------------------------------------------------------------------------ */

static void init_switch(struct net *n, struct net_lp *lp)
{
	struct sw_place place = { .id = lp->id,
		                  .net_ports = lp->net_ports,
		                  .terminals = lp->endpoints,
		                  .ends = n->ends,
		                  .instruments = net_has_instruments(n, lp->id) };
	n->common.ops->init(&n->common, net_switch_state(n, lp), &place);
}

static void switch_regions(struct net *n, const struct net_lp *lp, net_visit *visit, void *arg)
{
	n->common.ops->regions(&n->common, net_switch_state(n, lp), visit, arg);
}

struct waiting_of {
	struct net_tally *tally;
	const struct net_lp *lp;
};

static void tally_waiting(void *arg, const struct sw_waiting *w)
{
	struct waiting_of *x = arg;
	const struct base_plugin *model = x->tally->n->config->sw.plugin;
	if (model->loaded && w->job >= x->tally->n->jobs) {
		base_refute(model, "each_waiting() of switch %u reports job %u, but the number of jobs is %u",
		            x->lp->id, w->job, x->tally->n->jobs);
		return;
	}
	base_checkf(model->loaded || (w->in_port < x->lp->net_ports + x->lp->endpoints && w->job < x->tally->n->jobs &&
	                              w->since <= sim_reached(x->tally->n->engine)),
	            "switch %u: a packet of job %u waits at input %u since %llu ps", x->lp->id, w->job, w->in_port,
	            (unsigned long long)w->since);
	x->tally->in_flight[w->job]++;
	if (w->in_port < x->lp->net_ports)
		x->tally->credit_bytes += w->bytes;
	else
		x->tally->terminal_bytes += w->bytes;
}

static void tally_switch(const struct net *n, const struct net_lp *lp, struct net_tally *t)
{
	struct waiting_of x = { t, lp };
	n->common.ops->each_waiting(&n->common, net_switch_state(n, lp), tally_waiting, &x);
	t->credits_out += n->common.ops->credits_out(&n->common, net_switch_state(n, lp));
}

/* Besides the bytes of its state, which are counted with those behind it. */
static double switch_kept(const struct net *n, const struct net_load *load)
{
	const struct sw_estimate_ops *ops = &n->common.ops->estimates;
	return ops->kept_bytes ? (double)(n->topo.switches * ops->kept_bytes(&n->common, load->passing, 0)) : 0;
}

static void release_switch(struct net *n, struct net_lp *lp)
{
	if (n->common.ops->memory.fini)
		n->common.ops->memory.fini(&n->common, net_switch_state(n, lp));
}

const struct net_part net_switch_part = { .kept = switch_kept,
	                                  .init = init_switch,
	                                  .regions = switch_regions,
	                                  .tally = tally_switch,
	                                  .release = release_switch };

/* --- endpoints, and all else behind the state of the switch ---------------------------------------------- */

static unsigned char *behind_switch(const struct net *n, const struct net_lp *lp)
{
	return (unsigned char *)net_switch_state(n, lp) + n->endpoints.at;
}

static size_t endpoint_bytes(const struct net *n)
{
	return n->stride + sizeof *n->endpoints.returns;
}

static double endpoints_kept(const struct net *n, const struct net_load *load)
{
	(void)load;
	return (double)n->topo.switches * (double)endpoint_bytes(n);
}

static int create_endpoints(struct net *n, struct base_errors *errors)
{
	(void)errors;
	n->endpoints.returns = base_calloc(n->room, sizeof *n->endpoints.returns);
	return 0;
}

static void destroy_endpoints(struct net *n)
{
	free(n->endpoints.returns);
}

static void init_endpoints(struct net *n, struct net_lp *lp)
{
	sw_pool_init(&n->endpoints.returns[net_index(n, lp)]);
}

static void endpoint_regions(struct net *n, const struct net_lp *lp, net_visit *visit, void *arg)
{
	struct sw_pool *returns = &n->endpoints.returns[net_index(n, lp)];
	visit(arg, behind_switch(n, lp), n->stride - n->endpoints.at);
	visit(arg, &returns->free, 2 * sizeof(uint32_t));
	sw_pool_regions(returns, sizeof(struct net_return), visit, arg);
}

static void tally_endpoints(const struct net *n, const struct net_lp *lp, struct net_tally *t)
{
	for (uint32_t k = 0; k < lp->endpoints; k++) {
		const struct net_endpoint *e = net_endpoint_at(n, lp, k);
		t->terminal_out += e->outstanding;
		t->terminal_bytes += net_listed_returns(n, lp, e);
	}
}

static void release_endpoints(struct net *n, struct net_lp *lp)
{
	sw_pool_fini(&n->endpoints.returns[net_index(n, lp)]);
}

const struct net_part net_endpoint_part = { .bytes = endpoint_bytes,
	                                    .kept = endpoints_kept,
	                                    .create = create_endpoints,
	                                    .destroy = destroy_endpoints,
	                                    .init = init_endpoints,
	                                    .regions = endpoint_regions,
	                                    .tally = tally_endpoints,
	                                    .release = release_endpoints };

/* --- what processes keep outside their states ------------------------------------------------------------ */

static bool has_processes(const struct net *n)
{
	return n->traffic.process;
}

static void process_regions(struct net *n, const struct net_lp *lp, net_visit *visit, void *arg)
{
	uint8_t jobs[256];
	for (uint32_t t = 0; t < lp->endpoints; t++) {
		uint32_t found = n->traffic.jobs_at(&n->traffic, lp->first_endpoint + t, jobs);
		for (uint32_t k = 0; k < found; k++)
			for (uint32_t i = 0;
			     n->traffic.job[jobs[k]].process && i < n->traffic.job[jobs[k]].per_endpoint; i++)
				n->traffic.process->regions(&n->traffic, jobs[k],
				                            net_place(n, lp->first_endpoint + t, i), visit, arg);
	}
}

const struct net_part net_process_part = { .there = has_processes, .regions = process_regions };

/* --- all parts ------------------------------------------------------------------------------------------- */

static const struct net_part *const parts[] = { &net_switch_part,    &net_endpoint_part, &net_record_part,
	                                        &net_published_part, &net_nic_part,      &net_neighbour_part,
	                                        &net_process_part,   &net_wire_part };

/* The next of the parts that the network has, from parts[*i] on; NULL: there are no more. */
static const struct net_part *next_part(const struct net *n, size_t *i)
{
	while (*i < sizeof parts / sizeof *parts) {
		const struct net_part *part = parts[(*i)++];
		if (!part->there || part->there(n))
			return part;
	}
	return NULL;
}

/* What arrays by LP hold of one. */
static size_t bytes_of_lp(const struct net *n)
{
	const struct net_part *part;
	size_t bytes = sizeof *n->lps;
	for (size_t i = 0; (part = next_part(n, &i));)
		bytes += part->bytes ? part->bytes(n) : 0;
	return bytes;
}

int net_parts_create(struct net *n, struct base_errors *errors)
{
	const struct net_part *part;
	for (size_t i = 0; (part = next_part(n, &i));)
		if (part->create && part->create(n, errors))
			return -1;
	return 0;
}

static void release_lp(struct net *n, struct net_lp *lp)
{
	const struct net_part *part;
	for (size_t i = 0; (part = next_part(n, &i));)
		if (part->release)
			part->release(n, lp);
}

void net_parts_destroy(struct net *n)
{
	const struct net_part *part;
	for (uint32_t i = 0; i < n->count; i++)
		release_lp(n, net_lp_at(n, n->first + i));
	for (size_t i = 0; (part = next_part(n, &i));)
		if (part->destroy)
			part->destroy(n);
}

double net_parts_kept(const struct net *n, const struct net_load *load)
{
	const struct net_part *part;
	double bytes = 0;
	for (size_t i = 0; (part = next_part(n, &i));)
		bytes += part->kept ? part->kept(n, load) : 0;
	return bytes;
}

void net_parts_tally(const struct net *n, const struct net_lp *lp, struct net_tally *tally)
{
	const struct net_part *part;
	for (size_t i = 0; (part = next_part(n, &i));)
		if (part->tally)
			part->tally(n, lp, tally);
}

void net_choose_room(struct net *n)
{
	uint32_t more = n->count / 2, most = (uint32_t)(ROOM_BYTES / bytes_of_lp(n));
	bool stay = sim_ranks() == 1 || n->threads.n > 1 || n->config->engine.balance == SIM_BALANCE_OFF;
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
	const struct net_part *part;
	struct net_lp *lp = net_lp_at(n, id);
	uint32_t sw = net_switch_of(n, id);
	lp->id = sw;
	lp->net_ports = topo_ports(&n->topo, sw);
	lp->endpoints = topo_endpoints_at(&n->topo, sw);
	lp->first_endpoint = topo_first_endpoint(&n->topo, sw);
	for (uint32_t p = 0; linked && p < lp->net_ports; p++) {
		struct topo_hop h = topo_peer(&n->topo, sw, p);
		n->ends[p] = net_end_of(n, &h);
	}
	for (size_t i = 0; (part = next_part(n, &i));)
		if (part->init)
			part->init(n, lp);
}

void net_regions(void *self, sim_lpid id, net_visit *visit, void *arg)
{
	const struct net_part *part;
	struct net *n = self;
	if (id == SIM_NO_LP) {
		visit(arg, n->shared.all, n->shared.words * 8);
		net_ring_regions(n, visit, arg);
		return;
	}
	struct net_lp *lp = net_lp_at(n, id);
	visit(arg, lp, sizeof *lp);
	for (size_t i = 0; (part = next_part(n, &i));)
		part->regions(n, lp, visit, arg);
}

void net_migrate_out(void *self, sim_lpid id)
{
	const struct net_part *part;
	struct net *n = self;
	struct net_lp *lp = net_lp_at(n, id);
	release_lp(n, lp);
	for (size_t i = 0; (part = next_part(n, &i));)
		if (part->clear)
			part->clear(n, lp);
	memset(net_switch_state(n, lp), 0, n->stride);
	*lp = (struct net_lp){ 0 };
}

void net_migrate_in(void *self, sim_lpid id)
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

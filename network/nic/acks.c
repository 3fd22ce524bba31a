/* network/nic/acks.c - acknowledgements beside the data: their time on links, and with nic.ack = "hop" their way from
 * switch to switch.
 *
 * Each link reserves nic.ack_width of its rate in each direction for acknowledgements, and each takes the time of its
 * bytes at that rate. With nic.ack = "event" it arrives after the sum of these times, the latencies of cables, and
 * nic.ack_stage in each switch (net_reverse_walk()). With "hop" it is queued at each link, first come first served,
 * and before it inside a switch that has a crossbar for acknowledgements (sw_link_ops.ack_enters). Both agree to the
 * picosecond if no two meet; otherwise hop is later by the waiting time, which is counted. */
#include "base/units.h"
#include "network/nic/nic.h"

#include <string.h>

/* Of one job: packets a byte of payload, and bytes of wire. */
struct density {
	const struct net *n;
	uint32_t job;
	double packets, wire;
};

static void add_size(void *arg, uint32_t bytes, double share)
{
	struct density *d = arg;
	d->packets += share / bytes;
	d->wire += share * net_wire_bytes(d->n, d->job, bytes) / bytes;
}

/* The most that a link full of one job's packets wants of the other direction. */
static int check_width(const struct net *n, uint32_t job, struct base_errors *errors)
{
	const struct net_nic_config *nic = &n->config->nic;
	struct density d = { .n = n, .job = job };
	n->traffic.sizes(&n->traffic, job, add_size, &d);
	double needed = (double)nic->ack_bytes * d.packets / d.wire;
	if (needed <= nic->ack_width)
		return 0;
	return base_errorf(
	    errors, "nic.ack_width",
	    "%g of a link's bandwidth is too little for the acknowledgements of job \"%.60s\": with %llu bytes each, "
	    "the acknowledgements for a fully used link take %.4f of the bandwidth of the opposite direction",
	    nic->ack_width, n->traffic.job[job].name, (unsigned long long)nic->ack_bytes, needed);
}

int net_acks_check(struct net *n, struct base_errors *errors)
{
	const struct net_nic_config *nic = &n->config->nic;
	uint64_t lead = n->common.ops->timing.lead ? n->common.ops->timing.lead(&n->common) : 0;
	int status = 0;
	n->nic.ack_hops = nic->ack == NET_ACK_HOP_BY_HOP;
	for (uint32_t k = 0; nic->ack_width > 0 && k <= SW_LINK_CLASSES; k++)
		n->nic.ack_ps[k] = (uint64_t)((double)nic->ack_bytes * (double)n->common.link[k].ps_per_byte_q16 /
		                              65536 / nic->ack_width);
	for (uint32_t j = 0; nic->ack_width > 0 && n->nic.wants & CC_WANTS_ACKS && j < n->traffic.streams; j++)
		status |= check_width(n, j, errors);
	if (n->nic.ack_hops && !(n->nic.wants & CC_WANTS_ACKS))
		return base_errorf(errors, "nic.ack", "has an effect only if packets are acknowledged");
	if (n->nic.ack_hops && n->nic.ack_stage < lead) {
		char stage[48], least[48];
		base_print_quantity(BASE_TIME, n->nic.ack_stage, stage, sizeof stage);
		base_print_quantity(BASE_TIME, lead, least, sizeof least);
		return base_errorf(errors, "nic.ack_stage",
		                   "%s is too short with nic.ack = \"hop\": the acknowledgement would precede the "
		                   "switches' own control information; at least %s is required",
		                   stage, least);
	}
	return status;
}

/* Outputs of the switch, then those of its endpoints. */
uint32_t net_ack_ways(const struct net *n)
{
	return n->nic.ack_hops ? n->topo.max_ports + 2 * n->topo.max_endpoints : 0;
}

/* When the last bit of one that is ready at `at` has left by a way. */
static uint64_t leave(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t way, uint32_t link_class,
                      uint64_t at)
{
	uint64_t *free = (uint64_t *)(void *)(n->lp_memory + net_index(n, lp) * n->stride + n->nic.at_acks) + way;
	uint64_t start = at > *free ? at : *free;
	if (start > at)
		sim_add(ctx, &n->shared.nic->acks_waited_ps, start - at);
	sim_set(ctx, free, start + n->nic.ack_ps[link_class]);
	return start + n->nic.ack_ps[link_class];
}

#define HOPS_SHIFT 48 /* in the word of the time of injection */
_Static_assert(SW_INJECTED_BITS <= HOPS_SHIFT, "hops are counted above that time");

/* The endpoint that it is for is above the flags of the third word. */
static uint32_t receiver_of(const uint64_t *payload)
{
	return (uint32_t)(payload[2] >> 32);
}

static uint16_t terminal_of(const struct net *n, uint32_t endpoint)
{
	return (uint16_t)(endpoint - topo_first_endpoint(&n->topo, topo_switch_of(&n->topo, endpoint)));
}

static void send(struct sim_ctx *ctx, struct net_lp *lp, sim_lpid to, uint32_t kind, uint16_t aux, uint64_t at,
                 const uint64_t *payload)
{
	struct sim_event *ev = sim_send(ctx, to, at, net_next_key(ctx, lp, NET_PHASE_CREDIT), SIM_LONG_WORDS);
	ev->kind = (uint8_t)kind;
	ev->aux = aux;
	memcpy(ev->payload, payload, SIM_LONG_WORDS * sizeof *payload);
}

void net_ack_leaves(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t to,
                    const uint64_t *payload)
{
	uint64_t words[SIM_LONG_WORDS];
	memcpy(words, payload, sizeof words);
	words[2] |= (uint64_t)to << 32;
	uint32_t way = n->topo.max_ports + n->topo.max_endpoints + terminal;
	uint64_t at = leave(n, ctx, lp, way, SW_LINK_TERMINAL, ctx->now) + n->common.link[SW_LINK_TERMINAL].latency;
	send(ctx, lp, n->call.lp, NET_ACK_HOP, (uint16_t)(lp->net_ports + terminal), at, words);
}

/* When one that is on the row bus of input `in` now is at the link of `out`, a port of the switch. */
static uint64_t cross(struct net *n, struct sim_ctx *ctx, uint32_t in, uint32_t out)
{
	uint64_t ready = ctx->now + n->nic.ack_stage;
	if (!n->common.ops->links.ack_crosses)
		return ready;
	uint64_t at = n->common.ops->links.ack_crosses(&n->call, in, out, ready);
	base_check(at >= ready);
	if (at > ready)
		sim_add(ctx, &n->shared.nic->acks_waited_ps, at - ready);
	return at;
}

void net_ack_crosses(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	const struct topo *t = &n->topo;
	uint32_t endpoint = receiver_of(ev->payload), hops = (uint32_t)(ev->payload[1] >> HOPS_SHIFT);
	topo_switch to = topo_switch_of(t, endpoint);
	uint64_t words[SIM_LONG_WORDS];
	memcpy(words, ev->payload, sizeof words);
	if (to == lp->id) {
		uint32_t terminal = terminal_of(n, endpoint);
		uint64_t ready = cross(n, ctx, ev->aux, lp->net_ports + terminal);
		uint64_t at = leave(n, ctx, lp, n->topo.max_ports + terminal, SW_LINK_TERMINAL, ready) +
		              n->common.link[SW_LINK_TERMINAL].latency;
		words[1] = sw_last_time(words[1], SW_INJECTED_MASK, ctx->now);
		send(ctx, lp, n->call.lp, NET_ACK, (uint16_t)terminal, at, words);
		return;
	}
	topo_port next[TOPO_MAX_NEXT];
	if (t->ops->run)
		next[0] = t->ops->run(t, lp->id, to).first;
	else
		t->ops->next(t, lp->id, to, hops, next);
	struct topo_hop h = topo_peer(t, lp->id, next[0]);
	uint32_t link = net_link_of(n, h.link_class);
	uint64_t ready = cross(n, ctx, ev->aux, next[0]);
	uint64_t at = leave(n, ctx, lp, next[0], link, ready) + net_latency(n, lp->id, next[0], h.to, link);
	words[1] += (uint64_t)1 << HOPS_SHIFT;
	send(ctx, lp, net_lp_of(n, h.to), NET_ACK_HOP, (uint16_t)h.port, at, words);
}

void net_ack_passes(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	const struct sw_link_ops *links = &n->common.ops->links;
	uint64_t at = links->ack_enters ? links->ack_enters(&n->call, ev->aux) : ctx->now;
	base_check(at >= ctx->now);
	if (at == ctx->now) {
		net_ack_crosses(n, ctx, lp, ev);
		return;
	}
	sim_add(ctx, &n->shared.nic->acks_waited_ps, at - ctx->now);
	send(ctx, lp, n->call.lp, NET_ACK_CROSSES, ev->aux, at, ev->payload);
}

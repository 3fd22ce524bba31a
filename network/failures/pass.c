/* network/failures/pass.c - packets in a network where cables, switches or interfaces fail: an event handler that runs
 * before the handler of all switches, and the functions of the host that switches call. See failures.h.
 *
 * A frame is on its cable from the departure of its first bit to the arrival of its last bit. If the cable is out at
 * any time in between, the whole frame is lost; this is decided when its departure is reserved. Its credits return to
 * the sending end after a round trip, as if the peer had freed the buffer at once, which models the resynchronisation
 * of credits. Credits and control words in flight are never lost. */
#include "network/host.h"
#include "network/joined/joined.h"
#include "switch/flows.h"
#include "topo/failed.h"

/* --- routes -------------------------------------------------------------------------------------------------- */

static const struct net_epoch *epoch_at(const struct net_failures *f, uint64_t t)
{
	uint32_t low = 0, high = f->epochs;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (f->epoch[middle].from <= t)
			low = middle;
		else
			high = middle;
	}
	return &f->epoch[low];
}

/* The state by which a packet is routed; NULL: the whole network. */
static const struct net_state *state_of(const struct net *n, const struct sw_packet *p, uint64_t now)
{
	uint32_t state = epoch_at(&n->failures, sw_injected(p, now))->state;
	return state ? n->failures.state[state] : NULL;
}

static uint32_t route_around(struct net *n, const struct net_lp *lp, const struct net_state *s, uint32_t in_port,
                             struct sw_call *call, struct sw_packet *p, uint8_t *slack)
{
	const uint32_t *component = topo_failed_component(&s->topo);
	const struct rt *rt = component[lp->id] == topo_failed_main(&s->topo) ? &s->rt : &s->minimal;
	const uint8_t offset = (uint8_t)n->failures.offset;
	struct rt_env *env = &n->env;
	env->here = lp->id;
	env->in_port = in_port;
	env->now = call->now;
	env->sw = call->state;
	env->drawn = 0;
	if (in_port != RT_FROM_ENDPOINT && p->vc >= offset)
		p->vc = (uint8_t)(p->vc - offset);
	struct rt_decision d = rt->ops->route(rt, env, p);
	if (d.port == RT_EJECT)
		return lp->net_ports + (p->dst - lp->first_endpoint);
	p->vc = (uint8_t)(p->vc + offset);
	if (sim_unlikely(p->vc >= n->common.vcs))
		p->vc = (uint8_t)(n->common.vcs - 1); /* packets do not wait for each other, or with routing.unsafe */
	*slack = d.slack;
	return d.port;
}

static uint32_t out_of(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack)
{
	struct net *n = call->host;
	struct net_lp *lp = call->host_lp;
	const struct net_state *s = state_of(n, p, call->now);
	uint32_t in = in_port < lp->net_ports ? in_port : RT_FROM_ENDPOINT;
	return s ? route_around(n, lp, s, in, call, p, slack) : net_route(n, lp, in, call->now, call->state, p, slack);
}

/* As for all switches: host.c. */
uint32_t net_failing_route(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack)
{
	struct net *n = call->host;
	struct net_lp *lp = call->host_lp;
	bool stays = net_stays(n, lp, p);
	uint32_t out = out_of(call, in_port, p, slack);
	base_checkf(!stays || out >= lp->net_ports, "switch %u: a packet for endpoint %u continues", lp->id, p->dst);
	if (n->nic.wants & CC_WANTS_SINKS && !stays && out >= lp->net_ports)
		net_sink_arrives(n, call, lp, p);
	return out;
}

/* --- losses -------------------------------------------------------------------------------------------------- */

static void count_loss(struct net *n, struct sim_ctx *ctx, const struct sw_packet *p, uint32_t payload,
                       enum net_lost_where where)
{
	sim_add(ctx, &n->shared.loss->packets[where], 1);
	sim_add(ctx, &n->shared.loss->bytes[where], payload);
	net_nic_dropped(n, ctx, p);
}

/* Of a packet in the network. */
static uint32_t payload_of(const struct net *n, const struct sw_packet *p)
{
	return n->common.framed ? sw_packet_payload(p) : p->bytes;
}

static void send_back(struct sw_call *call, enum net_event kind, uint32_t out, uint64_t at, uint64_t word)
{
	struct sim_event *ev = sim_send(call->ctx, call->lp, at,
	                                net_next_key(call->ctx, call->host_lp, NET_PHASE_CREDIT), SIM_SHORT_WORDS);
	ev->kind = (uint8_t)kind;
	ev->aux = (uint16_t)out;
	ev->payload[0] = word;
}

/* The credits of a frame that was lost return, those of its flow channel among them. */
static void resynchronise(struct sw_call *call, uint32_t out, const struct sw_link_end *end, const struct sw_packet *p,
                          uint64_t at)
{
	struct net *n = call->host;
	struct net_lp *lp = call->host_lp;
	if (n->common.creditless)
		return;
	topo_switch peer = net_switch_of(n, end->lp);
	struct topo_hop back = topo_peer(&n->topo, peer, end->port);
	at += net_latency(n, peer, end->port, lp->id, net_link_of(n, back.link_class));
	base_checkf(back.to == lp->id && back.port == out, "switch %u: output %u leads to another", lp->id, out);
	uint32_t lane = sw_lane_of(&n->common, p, p->vc);
	send_back(call, NET_RESYNC, out, at, lane | (uint64_t)p->bytes << 8);
	if (n->common.flow_channels)
		send_back(call, NET_LINK_CONTROL, out, at, sw_flow_word(sw_flow_key(p->src, p->dst), lane, p->bytes));
}

void net_failing_transmit(struct sw_call *call, uint32_t out, const struct sw_link_end *end, const struct sw_packet *p,
                          uint64_t start, uint64_t finish)
{
	struct net *n = call->host;
	struct net_lp *lp = call->host_lp;
	struct sw_packet q = *p;
	if (n->common.framed) {
		uint32_t payload = sw_packet_payload(p);
		sw_packet_frame(&q, payload,
		                sw_frame_bytes(sw_link_for_job(&n->common, end->link_class, p->job), payload));
	}
	uint32_t list = n->failures.of_channel[n->failures.first[lp->id] + out];
	uint64_t at = finish + net_latency(n, lp->id, out, net_switch_of(n, end->lp), end->link_class);
	if (sim_likely(!list || !net_outages_meet(&n->failures.losing, list - 1, start, at))) {
		net_host_transmit(call, out, end, &q, q.vc, q.route, start, finish, false);
		return;
	}
	net_count_departure(call, n, out, q.bytes, start, q.vc, q.job, end->link_class);
	resynchronise(call, out, end, &q, at);
	count_loss(n, call->ctx, &q, payload_of(n, &q), NET_LOST_CABLE);
}

void net_failing_eject(struct sw_call *call, uint32_t terminal, const struct sw_packet *p, uint64_t start,
                       uint64_t finish)
{
	net_host(call->host)->eject(call, terminal, p, start, finish);
}

/* Was the endpoint's link out while a frame of it was under way? */
static bool is_cut(const struct net *n, uint32_t endpoint, uint64_t from, uint64_t to)
{
	uint32_t list = n->failures.of_terminal[endpoint];
	return list && net_outages_meet(&n->failures.losing, list - 1, from, to);
}

/* As routing saw it when the packet left. */
static bool has_no_way(const struct net *n, const struct net_lp *lp, const struct sw_packet *p, uint64_t now)
{
	uint64_t left = sw_injected(p, now);
	uint32_t list = n->failures.of_terminal[p->dst];
	if (list && net_outages_meet(&n->failures.seen, list - 1, left, left + 1))
		return true;
	const struct net_state *s = state_of(n, p, now);
	const uint32_t *component = s ? topo_failed_component(&s->topo) : NULL;
	return component && component[lp->id] != component[topo_switch_of(&n->topo, p->dst)];
}

/* Handles a packet that reaches its first switch. Returns true if the packet is lost there, because the link of its
 * endpoint was out or because no route leads to its destination. Its buffer space in the switch is freed at the time at
 * which its last bit would have arrived. */
static bool ends_here(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	const struct sw_packet *p = (const struct sw_packet *)(const void *)ev->payload;
	const struct sw_link *link = &n->common.link[SW_LINK_TERMINAL];
	uint64_t left = sw_injected(p, ev->time), comes = left + sw_serialisation(link, p->bytes) + link->latency;
	bool cut = is_cut(n, p->src, left, comes);
	if (sim_likely(!cut && !has_no_way(n, lp, p, ev->time)))
		return false;
	if (!n->common.creditless)
		net_return_room(n, ctx, lp, ev->aux, sw_lane_of(&n->common, p, p->vc), p->bytes, comes);
	count_loss(n, ctx, p, payload_of(n, p), cut ? NET_LOST_INTERFACE : NET_LOST_NO_WAY);
	return true;
}

/* A packet's last bit would be at its endpoint: true if its link was out. */
static bool is_lost_on_the_last_link(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	const struct sw_packet *p = (const struct sw_packet *)(const void *)ev->payload;
	const struct sw_link *link = sw_link_for_job(&n->common, SW_LINK_TERMINAL, p->job);
	uint64_t flight = link->latency + sw_serialisation(link, sw_frame_bytes(link, p->bytes));
	if (sim_likely(!is_cut(n, p->dst, ev->time - flight, ev->time)))
		return false;
	if (n->nic.wants & CC_WANTS_SINKS)
		net_sink_leaves(n, ctx, lp, p);
	count_loss(n, ctx, p, p->bytes, NET_LOST_INTERFACE);
	return true;
}

static void credits_return(struct net *n, const struct sim_event *ev)
{
	struct sw_call *call = &n->call;
	call->now = ev->time;
	if (n->run)
		n->run(call);
	call->now = ev->time; /* which run() sets meanwhile */
	n->common.ops->credit_in(call, ev->aux, (uint8_t)ev->payload[0], (uint32_t)(ev->payload[0] >> 8));
}

void net_handle_failing(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev)
{
	struct net *n = self;
	struct net_lp *lp = n->call.host_lp;
	if (ev->kind == NET_RESYNC) {
		credits_return(n, ev);
		return;
	}
	bool lost = (ev->kind == NET_INJECT && ends_here(n, ctx, lp, ev)) ||
	            (ev->kind == NET_DELIVER && is_lost_on_the_last_link(n, ctx, lp, ev));
	if (!lost)
		net_handle_any(ctx, self, id, ev);
}

/* switch/crossbar/crossbar.c - the input-queued crossbar switch: building, memory and queries. See crossbar.h. */
#include "switch/crossbar/crossbar.h"
#include "switch/clock.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- building -------------------------------------------------------------------------------------------- */

/* Can a packet reach an output while another packet is being sent there? It cannot if the crossbar delivers flits no
 * faster than the output's link takes them. */
static bool queues_at_outputs(const struct sw_common *c, const struct xbar *x)
{
	const struct xbar_params *p = x->p;
	if (p->speedup > 1 || p->input_speedup > 1 || p->output_speedup > 1)
		return true;
	for (int k = 0; k <= SW_LINK_TERMINAL; k++)
		if ((k == SW_LINK_TERMINAL || c->max_net_ports) && (x->step < x->flit_time[k] || c->link[k].gap))
			return true;
	return c->framed || c->passes;
}

static int check_buffers(struct sw_common *c, struct xbar *x, struct base_errors *errors)
{
	const struct xbar_params *p = x->p;
	int status = sw_lanes_size(c, p->buffer, p->shared_pool, p->pool_threshold, errors);
	uint64_t terminal = p->terminal_buffer ? p->terminal_buffer : p->buffer / c->vcs * x->injection_vcs;
	x->lanes = c->lanes;
	if (!status && (terminal > UINT32_MAX || terminal / x->injection_vcs < c->max_packet))
		status = base_errorf(errors, "terminal_buffer",
		                     "%" PRIu64
		                     " bytes are too few for a packet of %u bytes in each of %u VCs, or exceed 4 GiB",
		                     terminal, c->max_packet, x->injection_vcs);
	x->terminal_share = (uint32_t)terminal;
	x->most_of_lane = x->lanes.reserve + x->lanes.pool;
	uint64_t flits = (c->max_packet + p->flit - 1) / p->flit;
	if (p->output_buffer && (uint64_t)p->output_buffer < flits)
		status = base_errorf(errors, "output_buffer",
		                     "%lld flits are less than the largest packet, which has %" PRIu64,
		                     (long long)p->output_buffer, flits);
	if (p->output_buffer && !queues_at_outputs(c, x))
		status = base_errorf(errors, "output_buffer",
		                     "has an effect only if packets cross the switch faster than a link takes them: "
		                     "with a speedup or output_speedup above 1, a shorter cycle or larger flits");
	return status;
}

static int check_crossbar(const struct sw_common *c, struct xbar *x, struct base_errors *errors)
{
	const struct xbar_params *p = x->p;
	uint32_t most = (uint32_t)(p->input_speedup > p->output_speedup ? p->input_speedup : p->output_speedup);
	int status = 0;
	if (x->ports * most > SW_SET_PORTS)
		status = base_errorf(
		    errors, "",
		    "%u ports with an input or output speed-up of %u; a crossbar has at most %u inputs and outputs",
		    x->ports, most, SW_SET_PORTS);
	if (x->step < 1)
		status = base_errorf(errors, "speedup",
		                     "a cycle of %" PRIu64 " ps cannot be divided into %g parts of at least 1 ps",
		                     p->cycle, p->speedup);
	if (p->any_vc && c->route_vcs > 1 && !c->unsafe)
		status = base_errorf(errors, "any_vc",
		                     "packets that use all VCs ignore the %u VC classes that keep this routing free of "
		                     "deadlock; routing.unsafe = true allows it",
		                     c->route_vcs);
	if (p->any_vc && c->route_vcs <= 1)
		status =
		    base_errorf(errors, "any_vc", "has an effect only with a routing that uses several VC classes");
	if (c->may_turn && (p->inputs != XBAR_VC || p->any_vc))
		status = base_errorf(errors, p->any_vc ? "any_vc" : "inputs",
		                     "this routing lets packets take another path instead of waiting, which is decided "
		                     "at VC allocation: use inputs = \"vc\" without any_vc");
	status |= sw_allocator_check(p->allocator.plugin, errors);
	if (xbar_takes(p) == SW_TAKES_PRIORITIES && p->arbiter.plugin && p->arbiter.plugin != &sw_arbiter_round_robin &&
	    p->arbiter.plugin != &sw_arbiter_age)
		status =
		    base_errorf(errors, "arbiter", "allocator \"%s\" takes \"round-robin\" (no priorities) or \"age\"",
		                p->allocator.plugin->name);
	if (p->injection_vcs > (int64_t)c->vcs)
		status = base_errorf(errors, "injection_vcs", "%" PRId64 " are more than the %u virtual channels",
		                     p->injection_vcs, c->vcs);
	if (p->ejection_vcs > (int64_t)c->vcs)
		status = base_errorf(errors, "ejection_vcs", "%" PRId64 " are more than the %u virtual channels",
		                     p->ejection_vcs, c->vcs);
	if (!c->max_net_ports && p->credit_delay != 2)
		status = base_errorf(errors, "credit_delay", "has an effect only with links between switches");
	status |= sw_arbiter_check(p->arbiter.plugin, "arbiter", sw_arbiter_given(c->max_net_ports), errors);
	status |= sw_check_quantum(p->quantum, c->max_packet, errors);
	if (p->quantum && !p->arbiter.plugin && !x->mixed)
		status = base_errorf(errors, "quantum", "has an effect only with packets of different sizes");
	for (size_t i = 0; i < p->weights.n; i++)
		if (p->weights.v[i] < 1 || p->weights.v[i] > UINT16_MAX)
			status = base_errorf(errors, "weights", "%lld is not from 1 to %u", (long long)p->weights.v[i],
			                     UINT16_MAX);
	return status;
}

static void number_lanes(const struct sw_common *c, struct xbar *x)
{
	uint32_t vcs = c->lanes.vcs, n = x->p->any_vc || !c->route_vcs ? 1 : c->route_vcs < vcs ? c->route_vcs : vcs;
	x->lanes = c->lanes;
	x->vc_classes = n;
	x->groups = c->lanes.classes * n;
	for (uint32_t g = 0; g <= x->groups; g++)
		x->first_lane[g] = (uint8_t)(g / n * vcs + g % n * vcs / n);
	for (uint32_t g = 0; g < x->groups; g++)
		for (uint32_t lane = x->first_lane[g]; lane < x->first_lane[g + 1]; lane++)
			x->vc_class_of[lane] = (uint8_t)(g % n);
	x->injection_vcs = x->p->injection_vcs == BASE_AUTO ? vcs / n : (uint32_t)x->p->injection_vcs;
	if (x->injection_vcs > vcs)
		x->injection_vcs = vcs;
	x->ejection_vcs =
	    x->p->ejection_vcs == BASE_AUTO || x->p->ejection_vcs > vcs ? vcs : (uint32_t)x->p->ejection_vcs;
	x->queues = x->inputs == XBAR_VOQ ? x->ports * x->groups : x->lanes.n;
	x->queue_words = sw_set_words(x->queues);
	base_checkf(x->first_lane[0] == 0 && x->first_lane[x->groups] == x->lanes.n && x->injection_vcs >= 1,
	            "%u lanes of %u groups end at %u", x->lanes.n, x->groups, x->first_lane[x->groups]);
}

static void lay_out(struct xbar *x)
{
	uint32_t at = (uint32_t)sizeof(struct xbar_input) + 8 * x->queue_words;
	x->in_free_at = at;
	at += 8 * x->xin;
	x->in_first_queue = at;
	at += 4 * x->xin * x->kinds;
	x->in_used = at;
	at += 4 * x->lanes.n;
	x->input_bytes = (at + 7) & ~7u;
	at = (uint32_t)sizeof(struct xbar_output) + 8 * x->xout;
	x->out_lane_free_at = at;
	at += 8 * x->lanes.n;
	x->out_credits = at;
	at += 4 * sw_account_words(&x->lanes);
	x->out_lane_turn = at;
	at += 2 * x->lanes.n;
	x->out_buckets = at = (at + 7) & ~7u;
	at += x->order.used ? x->lanes.classes * (uint32_t)sizeof(struct sw_class_buckets) : 0;
	x->output_bytes = at;
	x->at_outputs = x->ports * x->input_bytes;
	x->at_queues = x->at_outputs + x->ports * x->output_bytes;
	x->at_allocator = x->at_queues + x->ports * x->queues * (uint32_t)sizeof(struct xbar_queue);
	base_check(x->at_outputs % 8 == 0 && x->at_queues % 8 == 0 && x->at_allocator % 8 == 0);
	x->allocator_bytes = ((uint32_t)sw_allocator_bytes(&x->allocator) + 7) & ~7u;
	x->at_deficits = x->at_allocator + x->allocator_bytes * x->kinds;
	x->bytes = x->at_deficits + (x->shares_lanes ? (x->ports * x->ports * x->lanes.n * 4 + 7) & ~7u : 0);
}

static void prepare_scratch(const struct sw_common *c, struct xbar *x)
{
	const struct xbar_params *p = x->p;
	uint32_t inputs = x->ports * x->xin, outputs = x->ports * x->xout, most = inputs > outputs ? inputs : outputs;
	x->weight = base_calloc(most, sizeof *x->weight);
	for (uint32_t i = 0; i < most; i++)
		x->weight[i] = p->weights.n ? (uint32_t)p->weights.v[i % p->weights.n] : 1;
	x->allocator =
	    (struct sw_allocator){ .plugin = p->allocator.plugin,
		                   .arbiter = sw_arbiter_chosen(&p->arbiter, xbar_takes_arbiters(p) && x->mixed),
		                   .inputs = inputs,
		                   .outputs = outputs,
		                   .iterations = (uint32_t)p->iterations,
		                   .weight = x->weight,
		                   .quantum = p->quantum ? (uint32_t)p->quantum : c->max_packet,
		                   .seed = c->seed };
	sw_allocator_work_init(&x->allocator, &x->work);
	x->label = base_calloc((size_t)inputs * outputs, sizeof *x->label);
	x->winner = base_calloc((size_t)x->ports * x->lanes.n, sizeof *x->winner);
	memset(x->winner, 0xff, (size_t)x->ports * x->lanes.n * sizeof *x->winner);
	x->touched = base_calloc((size_t)x->ports * x->lanes.n, sizeof *x->touched);
}

static int build_crossbar(struct sw_common *c, struct base_errors *errors)
{
	struct xbar *x = base_alloc(sizeof *x);
	*x = (struct xbar){ .p = c->params, .ports = c->max_ports };
	const struct xbar_params *p = x->p;
	x->inputs = (enum xbar_inputs)p->inputs;
	x->cycle = p->cycle;
	x->step = (uint64_t)((double)p->cycle / p->speedup + 0.5);
	x->flit = (uint32_t)p->flit;
	x->departs_apart = c->framed || c->passes;
	x->created_mask = c->framed ? SW_CREATED_MASK : UINT64_MAX;
	x->xin = (uint32_t)p->input_speedup;
	x->xout = (uint32_t)p->output_speedup;
	for (int k = 0; k <= SW_LINK_TERMINAL; k++) {
		x->flit_time[k] = sw_serialisation(&c->link[k], x->flit);
		x->comes_in[k] = sw_serialisation(&c->incoming[k], x->flit);
	}
	/* equal packets all fit or none does; with the bubble rule, packets on a ring must pass those that enter it */
	x->mixed = c->min_packet < c->max_packet;
	x->reserves = x->inputs != XBAR_VC && x->mixed && !c->bubble;
	x->shares_lanes =
	    x->inputs == XBAR_VC && x->mixed && (!p->arbiter.plugin || sw_arbiter_takes_quantum(p->arbiter.plugin));
	number_lanes(c, x);
	if (check_crossbar(c, x, errors) | check_buffers(c, x, errors)) {
		free(x);
		return -1;
	}
	sw_class_order_init(c, &x->order);
	if (x->order.used && !p->output_buffer && queues_at_outputs(c, x))
		base_warnf(
		    errors, "output_buffer",
		    "packets cross faster than a link takes them, and queue at the link without limit, so that shares "
		    "and priorities of classes hold at the crossbar, not on the link. A limit, ideally %" PRIu64
		    " flits (two packets), makes them hold on the link",
		    2 * (uint64_t)((c->max_packet + x->flit - 1) / x->flit));
	x->kinds = x->order.used ? x->lanes.classes : 1;
	x->plain = !x->order.used && x->lanes.classes == 1 && !x->lanes.pool;
	x->plain_reserve = x->plain ? x->lanes.reserve : 0;
	prepare_scratch(c, x);
	lay_out(x);
	uint64_t flits = (c->max_packet + x->flit - 1) / x->flit;
	sw_look_at_clock(c, "cycle", x->cycle, (double)(flits * x->step) / (x->xin < x->xout ? x->xin : x->xout),
	                 errors);
	c->impl = x;
	return 0;
}

static void destroy_crossbar(struct sw_common *c)
{
	struct xbar *x = c->impl;
	sw_allocator_work_free(&x->work);
	free(x->weight);
	free(x->label);
	free(x->winner);
	free(x->touched);
	free(x);
}

static size_t crossbar_state_bytes(const struct sw_common *c)
{
	return sizeof(struct xbar_state) + ((const struct xbar *)c->impl)->bytes;
}

static void init_crossbar(const struct sw_common *c, void *state, const struct sw_place *place)
{
	const struct xbar *x = c->impl;
	struct xbar_state *s = state;
	sw_pool_init(&s->pool);
	s->id = place->id;
	s->net_ports = place->net_ports;
	s->ports = place->net_ports + place->terminals;
	s->x = x;
	s->tick_at = SIM_NEVER;
	s->meters = place->instruments ? base_calloc(1, xbar_meter_bytes(c)) : NULL;
	for (uint32_t i = 0; i < s->ports; i++) {
		struct xbar_output *o = xbar_output_at(x, s, i);
		bool terminal = i >= s->net_ports;
		if (!terminal)
			xbar_input_at(x, s, i)->end = o->end = place->ends[i];
		const struct sw_link *link = &c->link[terminal ? SW_LINK_TERMINAL : o->end.link_class];
		o->ps_to_bytes_q32 =
		    (uint64_t)(((unsigned __int128)1 << 48) / (link->ps_per_byte_q16 ? link->ps_per_byte_q16 : 1));
		sw_account_init(&x->lanes, xbar_credits(x, o));
		if (x->order.used)
			sw_class_buckets_init(&x->order, xbar_buckets(x, o), link->ps_per_byte_q16);
	}
}

static void fini(const struct sw_common *c, void *state)
{
	(void)c;
	struct xbar_state *s = state;
	sw_pool_fini(&s->pool);
	free(s->meters);
}

static bool store_and_forward(const struct sw_common *c)
{
	(void)c;
	return false;
}

/* --- queries --------------------------------------------------------------------------------------------- */

/* Routed packets: with fifo and vc inputs, only those at the head of their queues. Read-only. */
static uint64_t queue_bytes(const void *state, uint32_t out, uint64_t now)
{
	struct xbar_state *s = (struct xbar_state *)(uintptr_t)state;
	const struct xbar_output *o = xbar_output_at(s->x, s, out);
	uint64_t leaving =
	    o->busy_until > now ? (uint64_t)((unsigned __int128)(o->busy_until - now) * o->ps_to_bytes_q32 >> 32) : 0;
	return o->bytes + leaving;
}

/* Credits are taken with the grant. */
static uint64_t used_credits(const void *state, uint32_t out, uint64_t now)
{
	struct xbar_state *s = (struct xbar_state *)(uintptr_t)state;
	(void)now;
	return sw_account_used(&s->x->lanes, xbar_credits(s->x, xbar_output_at(s->x, s, out)));
}

static void crossbar_regions(const struct sw_common *c, void *state, void (*visit)(void *arg, void *at, size_t bytes),
                             void *arg)
{
	struct xbar_state *s = state;
	visit(arg, &s->count,
	      offsetof(struct xbar_state, rest) - offsetof(struct xbar_state, count) +
	          ((const struct xbar *)c->impl)->bytes);
	visit(arg, &s->pool.free, 2 * sizeof(uint32_t));
	sw_pool_regions(&s->pool, sizeof(struct xbar_packet), visit, arg);
	if (s->meters)
		visit(arg, s->meters, xbar_meter_bytes(c));
}

static uint32_t buffer_share(const struct sw_common *c)
{
	return ((const struct xbar *)c->impl)->lanes.reserve;
}

static uint64_t traversal(const struct sw_common *c)
{
	const struct xbar *x = c->impl;
	const struct xbar_params *p = x->p;
	return (uint64_t)(p->routing_delay + p->vc_alloc_delay + p->sw_alloc_delay + p->st_delay) * x->step;
}

/* Time for which credits are in use. They are taken when a packet starts to cross the crossbar (which is some time
 * before it starts on the link, if the link is the faster one), and return when its last flit starts to cross the next
 * switch, where it waits for at most one cycle. */
static uint64_t credit_loop(const struct sw_common *c, unsigned link, uint32_t bytes)
{
	const struct xbar *x = c->impl;
	uint64_t flits = (bytes + x->flit - 1) / x->flit, flit = x->flit_time[link];
	uint64_t crossing = flits * (flit > x->step ? flit : x->step);
	uint64_t early = x->step > flit ? (flits - 1) * (x->step - flit) : 0;
	return traversal(c) + early + crossing + (uint64_t)(x->p->credit_delay + 1) * x->cycle;
}

static size_t crossbar_kept_bytes(const struct sw_common *c, uint32_t passing, uint32_t waiting)
{
	(void)c;
	return sw_pool_bytes(passing + waiting, sizeof(struct xbar_packet));
}

static uint32_t terminal_share(const struct sw_common *c)
{
	return ((const struct xbar *)c->impl)->terminal_share;
}

static uint64_t credits_out(const struct sw_common *c, const void *state)
{
	const struct xbar_state *s = state;
	uint64_t out = 0;
	(void)c;
	for (uint32_t i = 0; i < s->net_ports; i++)
		out += used_credits(s, i, 0);
	return out;
}

/* The resource that the head of a queue waits for: a lane, or none that another packet would have to release. */
static struct sw_waiting head_waits(const struct sw_common *c, const struct xbar *x, struct xbar_state *s,
                                    const struct xbar_queue *queue)
{
	const struct xbar_packet *k = xbar_packet_at(s, queue->head);
	struct sw_waiting w = { .out = k->out, .moving = true };
	if (k->out >= s->net_ports || k->slack == SW_MAY_TURN) /* which never waits */
		return w;
	struct xbar_output *o = xbar_output_at(x, s, k->out);
	uint32_t first = x->first_lane[k->group], end = x->first_lane[k->group + 1];
	bool chosen = (x->inputs == XBAR_VC && queue->stage == XBAR_WANTS_SWITCH) || queue->stage == XBAR_HOLDS_LANE,
	     wants_lane = x->inputs == XBAR_VC && !chosen;
	if (chosen) {
		first = queue->lane;
		end = first + 1;
	}
	w.vc = (uint8_t)first;
	w.moving = false;
	for (uint32_t lane = first; lane < end; lane++)
		if (wants_lane ? !xbar_is_held(x, o, lane) && (!k->slack || xbar_fits(c, x, o, lane, k, false))
		               : xbar_fits(c, x, o, lane, k, false) && (chosen || !xbar_is_held(x, o, lane)))
			w.moving = true;
	return w;
}

static void each_waiting(const struct sw_common *c, const void *state,
                         void (*visit)(void *arg, const struct sw_waiting *w), void *arg)
{
	const struct xbar *x = c->impl;
	struct xbar_state *s = (struct xbar_state *)(uintptr_t)state;
	for (SW_EACH(i, s->busy, sw_set_words(s->ports))) {
		for (SW_EACH(q, xbar_nonempty(xbar_input_at(x, s, i)), x->queue_words)) {
			const struct xbar_queue *queue = xbar_queue_at(x, s, i, q);
			struct sw_waiting w = head_waits(c, x, s, queue);
			w.in_port = i;
			for (uint32_t at = queue->head;
			     at != SW_POOL_NONE;) { /* the packets behind wait for the same as the head */
				const struct xbar_packet *k = xbar_packet_at(s, at);
				w.in_vc = k->in_lane;
				w.job = k->packet.job;
				w.bytes = k->packet.bytes;
				w.since = k->arrived;
				visit(arg, &w);
				at = k->next;
			}
		}
	}
}

/* --- the plug-in ----------------------------------------------------------------------------------------- */

static uint32_t class_vcs(const void *values)
{
	return ((const struct xbar_params *)values)->inputs == XBAR_VC ? 2 : 1;
}

static const struct sw_ops ops = {
	.build = build_crossbar,
	.memory.destroy = destroy_crossbar,
	.state_bytes = crossbar_state_bytes,
	.init = init_crossbar,
	.memory.fini = fini,
	.store_and_forward = store_and_forward,
	.packet_in = xbar_packet_in,
	.credit_in = xbar_credit_in,
	.timing.event = xbar_event,
	.depths.queue_bytes = queue_bytes,
	.depths.used_credits = used_credits,
	.regions = crossbar_regions,
	.buffer_share = buffer_share,
	.links.terminal_share = terminal_share,
	.estimates.traversal = traversal,
	.links.credit_loop = credit_loop,
	.estimates.kept_bytes = crossbar_kept_bytes,
	.credits_out = credits_out,
	.each_waiting = each_waiting,
	.links.turns = true,
	.links.frames = true,
	.links.kinds = true,
	.links.wires = true,
	.classes.lanes = true,
	.classes.class_vcs = class_vcs,
	.classes.honours = SW_HONOURS_PRIORITY | SW_HONOURS_MIN_BANDWIDTH | SW_HONOURS_MAX_BANDWIDTH,
	.instruments.list = xbar_instruments,
	.instruments.n = XBAR_INSTRUMENTS,
	.instruments.read = xbar_read_instruments,
};

const struct base_plugin sw_crossbar = {
	BASE_DESCRIBE("switch", "crossbar", xbar_parameters, struct xbar_params, &ops),
	.summary =
	    "input-queued crossbar, cycle by cycle: FIFO, VOQ or VC inputs, an allocator, speed-ups, pipeline delays",
	.source = "Karol, Hluchyj & Morgan, IEEE Trans. Comm. 35 (1987); McKeown, IEEE/ACM ToN 7 (1999); Dally & "
		  "Towles, Principles and Practices of "
		  "Interconnection Networks (2004), chapters 16-19; delays as in BookSim 2 (Jiang et al., ISPASS 2013)",
	.conditions = xbar_conditions,
};
